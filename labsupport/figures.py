"""Figures of the course: one style, alt text on every picture, PNG on an opaque light ground.

JupyterLab passes no alt text for its own image outputs, so `show` emits the picture inside an HTML figure. The light
ground keeps it legible in a dark theme. matplotlib is imported when the first figure is drawn.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
"""Okabe and Ito's palette without its yellow, which is too pale for lines on white; safe for colour-blind readers."""

STYLE = {
    "figure.dpi": 100, "savefig.dpi": 100, "figure.facecolor": "white", "axes.facecolor": "white", "font.size": 10,
    "image.interpolation": "nearest", "image.cmap": "cividis", "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": False, "lines.linewidth": 1.8, "legend.frameon": False, "axes.titlesize": 10.5,
}  # fmt: skip


def subplots(
    rows: int = 1, columns: int = 1, *, size: tuple[float, float] = (6.4, 3.2), **options: Any
) -> tuple[Figure, Any]:
    """Make a figure in the course's style.

    Parameters
    ----------
    rows, columns : panels
    size : width and height in inches, at 100 pixels each
    options : passed on to `Figure.subplots`, for example sharey=True

    Returns
    -------
    (figure, axes) as matplotlib gives them
    """
    import matplotlib
    from cycler import cycler
    from matplotlib.figure import Figure

    # Set for good, not in a context: many settings are read only when something is drawn into the figure.
    matplotlib.rcParams.update(STYLE | {"axes.prop_cycle": cycler(color=COLOURS)})
    figure = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(rows, columns, **options)


def show(figure: Figure, *, alt: str) -> None:
    """Show a figure in the notebook with a text for those who cannot see it.

    Parameters
    ----------
    figure : a matplotlib figure
    alt : what the picture shows, in a sentence or two

    Raises
    ------
    ValueError
        if `alt` is shorter than a sentence
    """
    from IPython.display import HTML, display

    if len(alt.split()) < 5:
        raise ValueError("alt must say in a sentence what the picture shows")
    display(HTML(as_html(figure, alt)))


def as_html(figure: Figure, alt: str) -> str:
    """Give a figure as an HTML figure with an embedded PNG."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=100, metadata={"Software": None})
    width = round(figure.get_figwidth() * 100)
    data = base64.b64encode(buffer.getvalue()).decode("ascii")
    style = "background-color:#ffffff; padding:6px; display:inline-block; margin:4px 0"
    picture = f'<img alt="{escape(alt, quote=True)}" width="{width}" src="data:image/png;base64,{data}">'
    return f'<figure style="{style}">{picture}</figure>'


def heatmap(
    ax: Axes,
    table: np.ndarray,
    *,
    x: str,
    y: str,
    title: str = "",
    label: str = "",
    symmetric: bool = False,
    limit: float | None = None,
) -> None:
    """Draw a matrix with a colour bar.

    Parameters
    ----------
    ax : where to draw
    table : (rows, columns)
    x, y, label : what the columns, rows and colours mean
    symmetric : colours from blue through white (zero) to orange, for numbers of both signs
    limit : the largest size of the colours' range; the table's own by default
    """
    options: dict[str, Any] = {}
    if symmetric:
        top = limit or float(np.nanmax(np.abs(table[np.isfinite(table)]))) or 1.0
        options = {"cmap": "PuOr_r", "vmin": -top, "vmax": top}
    picture = ax.imshow(table, aspect="auto", interpolation="nearest", **options)
    ax.set(xlabel=x, ylabel=y, title=title)
    ax.figure.colorbar(picture, ax=ax, label=label)


def turning_arrow(arrow: Sequence[float], theta: float, positions: Iterable[int]) -> None:
    """Show an arrow on a sheet of paper, turned by `theta` radians for each position.

    Parameters
    ----------
    arrow : (2,) the arrow at position 0
    theta : radians per position
    positions : the positions to draw
    """
    positions = list(positions)
    figure, ax = subplots(size=(3.6, 3.4))
    x, y = arrow
    for p in positions:
        c, s = np.cos(p * theta), np.sin(p * theta)
        tip = (x * c - y * s, x * s + y * c)
        shade = COLOURS[0] if p else COLOURS[1]
        ax.annotate("", xy=tip, xytext=(0, 0), arrowprops={"arrowstyle": "-|>", "color": shade, "lw": 1.8})
        ax.text(1.12 * tip[0], 1.12 * tip[1], str(p), ha="center", va="center")
    reach = 1.3 * float(np.hypot(x, y))
    ax.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="first feature", ylabel="second feature")
    alt = (f"An arrow drawn from the origin at positions {positions[0]} to {positions[-1]}; each step turns it "
           f"counter-clockwise by {theta} radians and its length stays the same.")  # fmt: skip
    show(figure, alt=alt)

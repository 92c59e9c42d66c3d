"""A `Result` in words: plain text for a terminal, HTML for a notebook. Both say the same things in the same order."""

from __future__ import annotations

from html import escape

import numpy as np

from labsupport.checking import values
from labsupport.checking.expect import DOUBLE, Failure, close, tolerance
from labsupport.checking.result import NOT_STARTED, WRITTEN, CriterionResult, Result

MOST_CELLS = 8
"""Numbers shown of a row."""

WINDOW = (6, 4)
"""Rows and columns shown of a matrix: three such tables fit beside each other."""

MARKS = {True: "+", False: "-"}


def points_text(result: Result) -> str:
    """Say the points, or that a person gives them."""
    if result.state == WRITTEN:
        return f"{result.max_points} points, marked by a person"
    return f"{result.points} of {result.max_points} point{'s' if result.max_points != 1 else ''}"


def text(result: Result) -> str:
    """Write a result for a terminal."""
    if not result.criteria:
        return result.message
    head = f"{result.exercise:<50} {points_text(result)}"
    if result.state == NOT_STARTED:
        return f"{head}\n{result.message}"
    lines = [head, *(line for c in in_order(result) for line in _criterion_lines(c, result.hidden))]
    if is_own_sentence(result):
        lines.append(result.message)
    return "\n".join([*lines, *closing(result)])


def is_own_sentence(result: Result) -> bool:
    """Whether the message says more than the list of criteria does."""
    shown = [c.failure.sentence for c in result.criteria if c.failure]
    return not any(s.rstrip(".?") in result.message for s in shown) or result.state == "nearly"


def in_order(result: Result) -> list[CriterionResult]:
    """Put what holds first and what fails last, where the eye stays."""
    return sorted(result.criteria, key=lambda c: not c.passed)


def _criterion_lines(criterion: CriterionResult, hidden: bool) -> list[str]:
    lines = [f"  {MARKS[criterion.passed]} {criterion.says}"]
    failure = criterion.failure
    if failure is None:
        return lines
    if failure.case:
        lines.append(f"      {failure.case}")
    rows = [] if hidden else comparison(failure)
    lines += [f"      {label:<9} {numbers}{note}" for label, numbers, note in rows] or [f"      {failure.sentence}"]
    lines += [f"      {line}" for line in failure.trace.splitlines()]
    return lines


def closing(result: Result) -> list[str]:
    """Give what stands under the criteria: the mistake's name, what to try, notes, hints."""
    lines = []
    if result.explanation:
        known = "This is a known mistake. " if result.sure else "This may be a known mistake: "
        known = "" if result.mistake and result.mistake.startswith("option-") else known
        lines.append(f"{known}{result.explanation}")
    if result.advice:
        lines.append(f"Try: {result.advice}")
    lines += [f"Note: {note}." for note in result.notes]
    if not result.passed and result.hints:
        count = {1: "One hint stands", 2: "Two hints stand", 3: "Three hints stand"}
        lines.append(f"{count.get(result.hints, 'Hints stand')} under this cell.")
    return lines


def comparison(failure: Failure) -> list[tuple[str, str, str]]:
    """Write a small comparison as rows (label, numbers, note); empty when the arrays are too large for one line."""
    expected, got = failure.expected, failure.got
    if expected is None or got is None or expected.size > MOST_CELLS or expected.ndim > 1:
        return []
    digits = enough_digits(expected, got)
    place = f"      first difference at index {failure.where[0]}" if failure.where else ""
    return [("expected", row(expected, digits), ""), ("yours", row(got, digits), place)]


def row(array: np.ndarray, digits: int) -> str:
    """Write a number or a short row of numbers with the same number of digits."""
    if array.ndim == 0:
        return values.number(array.item(), digits)
    return "[" + "  ".join(values.number(x, digits) if array.dtype.kind in "biu" else _fixed(x, digits)
                           for x in array.tolist()) + "]"  # fmt: skip


def _fixed(x: float, digits: int) -> str:
    return f"{x:.{digits}f}" if np.isfinite(x) and abs(x) < 1e6 else f"{x:.{digits}g}"


def enough_digits(expected: np.ndarray, got: np.ndarray, least: int = 5) -> int:
    """Choose as many decimals as make every difference visible, at least `least` and at most 12."""
    expected, got = np.asarray(expected, float), np.asarray(got, float)
    with np.errstate(invalid="ignore"):
        gap = np.abs(expected - got)
    gap = gap[np.isfinite(gap) & ~close(got, expected, **DOUBLE)]
    if not gap.size:
        return least
    return int(np.clip(-np.floor(np.log10(gap.min())), least, 12))


# ---- HTML: inline styles and JupyterLab's own colour variables only, so that it follows light and dark themes

_GOOD, _BAD, _INFO = "--jp-success-color1, #2e7d32", "--jp-error-color1, #c62828", "--jp-info-color1, #0277bd"


def html(result: Result) -> str:
    """Write a result for a notebook."""
    colour = _GOOD if result.passed else _INFO if result.state in (NOT_STARTED, WRITTEN) else _BAD
    parts = [f"<div><b><code>{escape(result.exercise)}</code></b> &nbsp; {escape(points_text(result))}</div>"]
    if not result.criteria or result.state == NOT_STARTED or is_own_sentence(result):
        parts.append(f"<div>{escape(result.message)}</div>")
    if result.state != NOT_STARTED:
        parts += [_criterion_html(c, result.hidden, c.failure is result.smallest) for c in in_order(result)]
    parts += [f'<div style="margin-top:4px">{escape(line)}</div>' for line in closing(result)]
    return (
        f'<div style="border-left:4px solid var({colour}); padding:4px 10px; max-width:68em; '
        f'color:var(--jp-content-font-color1, #222)">{"".join(parts)}</div>'
    )


def _criterion_html(criterion: CriterionResult, hidden: bool, unfolded: bool) -> str:
    mark, colour = ("&#10003;", _GOOD) if criterion.passed else ("&#10007;", _BAD)
    head = f'<div><span style="color:var({colour})"><b>{mark}</b></span> {escape(criterion.says)}</div>'
    failure = criterion.failure
    if failure is None:
        return head
    body = [f"<div><code>{escape(failure.case)}</code></div>"] if failure.case else []
    tables = "" if hidden else _tables(failure)
    if tables and not unfolded:  # the smallest failing case is enough to begin with
        tables = f"<details><summary>the numbers</summary>{tables}</details>"
    body.append(f"<div>{escape(failure.sentence)}</div>{tables}")
    if failure.trace:
        body.append(f'<pre style="margin:2px 0; background:transparent">{escape(failure.trace)}</pre>')
    return f'{head}<div style="margin-left:1.6em">{"".join(body)}</div>'


def _tables(failure: Failure) -> str:
    """Expected, yours and difference side by side; the window is laid where they first differ."""
    expected, got = failure.expected, failure.got
    if expected is None or got is None or expected.shape != got.shape or failure.where is None:
        return ""
    plane, rows, cols = window(expected.shape, failure.where)
    a, b = (np.atleast_2d(x[plane] if plane else x)[rows, cols].astype(float) for x in (expected, got))
    with np.errstate(invalid="ignore"):
        gap = np.where(a == b, 0.0, b - a)
    digits = enough_digits(a, b, least=4)
    wrong = ~close(b, a, **tolerance(got))
    tables = [_table(t, x, wrong, digits) for t, x in (("expected", a), ("yours", b), ("difference", gap))]
    where = _window_words(expected.shape, plane, rows, cols)
    return f'<div style="display:flex; gap:1em; flex-wrap:wrap">{"".join(tables)}</div>{where}'


def window(shape: tuple[int, ...], where: tuple[int, ...]) -> tuple[tuple[int, ...], slice, slice]:
    """Lay a window over the last two axes so that it holds `where`; small, since three stand beside each other."""
    last, at = (1, 1, *shape)[-2:], (0, 0, *where)[-2:]
    most = WINDOW if last[0] > 1 else (1, MOST_CELLS)
    starts = [max(0, min(i - m // 2, n - m)) for i, n, m in zip(at, last, most, strict=True)]
    rows, cols = (slice(s, s + m) for s, m in zip(starts, most, strict=True))
    return tuple(where[:-2]), rows, cols


def _window_words(shape: tuple[int, ...], plane: tuple[int, ...], rows: slice, cols: slice) -> str:
    last = (1, 1, *shape)[-2:]
    if len(shape) <= 2 and last[0] <= rows.stop and last[1] <= cols.stop:
        return ""
    parts = [str(i) for i in plane]
    parts += [f"{s.start}:{min(s.stop, n)}" for s, n in zip((rows, cols), last, strict=True)][-min(2, len(shape)) :]
    return f"<div>shown: [{escape(', '.join(parts))}] of an array of shape {escape(str(shape))}</div>"


def _table(title: str, array: np.ndarray, wrong: np.ndarray, digits: int) -> str:
    lines = []
    for numbers, marks in zip(array, wrong, strict=True):
        cells = "".join(_cell(x, bad, digits, title == "expected") for x, bad in zip(numbers, marks, strict=True))
        lines.append(f"<tr>{cells}</tr>")
    style = (
        "font-size:85%; color:inherit; margin:2px 0"  # colour: a page in quirks mode would not let a table inherit it
    )
    return f'<div><div><i>{title}</i></div><table style="{style}">{"".join(lines)}</table></div>'


def _cell(x: float, bad: bool, digits: int, plain: bool) -> str:
    style = "padding:1px 5px; text-align:right; font-family:monospace"
    if bad and not plain:  # the sign as well as the colour says that a cell is wrong
        style += "; background-color:var(--jp-error-color3, #ffcdd2); color:#000; font-weight:bold"
    return f'<td style="{style}">{_fixed(float(x), digits)}</td>'

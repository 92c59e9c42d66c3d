"""08_extrapolation: how a loss is read beyond the trained length."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from labsupport.checking import choice, criterion, exercise, expect, notebook, refuses, require, value, written

Answer = Callable[..., Any]
Generator = np.random.Generator

notebook("08_extrapolation", minutes=90)
exercise("sliding_windows", notebook="08_extrapolation", minutes=15, returns="any")
exercise("loss_by_position", notebook="08_extrapolation", minutes=8)
exercise("extrapolation_ratio", notebook="08_extrapolation", minutes=4)
value("t5_growth", notebook="08_extrapolation", points=1, atol=0.01, minutes=3)
choice("answer_flat_tail", notebook="08_extrapolation", points=1, options="abcd", minutes=4)
written("what_would_show_long_memory", notebook="08_extrapolation", points=2, minutes=10)


@criterion(
    "sliding_windows", points=1, says="full windows up to the last token; every token is scored exactly once",
    advice="for 7 tokens, window 4, stride 2 the list is (0, 4, 0), (2, 6, 4), (3, 7, 6). Compare with yours by hand.",
)  # fmt: skip
def scored_once(f: Answer, ref: Answer, rng: Generator) -> None:
    """A last step that is shorter than the stride, then one that is not, the largest and the smallest stride."""
    expect(rows(f(7, 4, 2)), rows(ref(7, 4, 2)))
    expect(rows(f(10, 4, 3)), rows(ref(10, 4, 3)))
    expect(rows(f(9, 4, 4)), rows(ref(9, 4, 4)))
    window = int(rng.integers(5, 12))
    n, stride = 3 * window + int(rng.integers(1, 5)), int(rng.integers(2, 5))
    got = rows(f(n, window, stride))
    scored = [token for _, end, first in got[:1000].tolist() for token in range(first, min(end, 10 * n))]
    require(sorted(scored) == list(range(n)), "over all windows, each of the tokens must be scored exactly once")
    expect(got, rows(ref(n, window, stride)))
    expect(rows(f(8, 3, 1)), rows(ref(8, 3, 1)))


@criterion(
    "sliding_windows", points=1, says="short texts, an empty text, and strides that are refused",
    contract=True,
    advice="a text that fits into the window makes one window, no text makes none; a stride below 1 or above window "
    "raises ValueError, and one equal to window is allowed.",
)  # fmt: skip
def edges_of_the_contract(f: Answer, ref: Answer, rng: Generator) -> None:
    """A text shorter than the window and one as long, no text, and both limits of the stride."""
    expect(rows(f(4, 4, 2)), rows(ref(4, 4, 2)))
    short = int(rng.integers(1, 6))
    expect(rows(f(short, 7, 3)), rows(ref(short, 7, 3)))
    require(len(f(0, 4, 2)) == 0, "a text of 0 tokens has no window: the list must be empty")
    expect(rows(f(6, 3, 3)), rows(ref(6, 3, 3)))
    for stride in (0, -1, 5):
        refuses(ValueError, f, 9, 4, stride)


def rows(windows: Any) -> np.ndarray:
    """Give a list of triples as an array (windows, 3); one of no rows where it is no such list."""
    try:
        table = np.asarray(list(windows))
    except (TypeError, ValueError):
        table = np.zeros(0)
    triples = table.ndim == 2 and table.shape[1] == 3
    require(triples or table.size == 0, "the result must be a list of triples (start, end, first_scored)")
    return table if triples else np.zeros((0, 3), dtype=int)


@criterion(
    "loss_by_position", points=1, says="one mean for each bucket, over its positions and all other axes",
    contract=True,
    advice="take losses [[1, 2, 3, 4], [3, 4, 5, 6]] and edges [0, 1, 4]: the two means are 2 and 4.",
)  # fmt: skip
def bucket_means(f: Answer, ref: Answer, rng: Generator) -> None:
    """Buckets of unequal width that leave both ends out, more axes, an empty bucket, lists and whole numbers."""
    losses = np.array([[1.0, 2.0, 3.0, 4.0], [3.0, 4.0, 5.0, 6.0]])
    expect(f(losses, np.array([0, 1, 4])), ref(losses, np.array([0, 1, 4])))
    losses = rng.uniform(1, 5, size=9)
    expect(f(losses, np.array([1, 3, 8])), ref(losses, np.array([1, 3, 8])))
    losses = rng.uniform(1, 5, size=(2, 3, 11))
    expect(f(losses, np.array([0, 2, 3, 7, 11])), ref(losses, np.array([0, 2, 3, 7, 11])))
    expect(f(losses, np.array([2, 5, 5, 10])), ref(losses, np.array([2, 5, 5, 10])))
    whole = rng.integers(0, 9, size=(2, 6)).tolist()
    expect(f(whole, [0, 4, 6]), ref(whole, [0, 4, 6]))


@criterion(
    "extrapolation_ratio", points=1, says="the loss at the long length divided by the one at the trained length",
    contract=True,
    advice="from 1.0 at the trained length to 3.0 beyond it is 3; equal losses give 1; arrays go entry by entry.",
)  # fmt: skip
def long_by_trained(f: Answer, ref: Answer, rng: Generator) -> None:
    """A worked number, whole numbers, one training loss against several lengths, two arrays, lists."""
    expect(f(1.25, 3.0), ref(1.25, 3.0))
    expect(f(4, 2), ref(4, 2))
    short, long = float(rng.uniform(0.5, 0.9)), rng.uniform(1.5, 4, size=3)
    expect(f(short, long), ref(short, long))
    short, long = rng.uniform(0.5, 2, size=(2, 4)), rng.uniform(0.5, 4, size=(2, 4))
    expect(f(short, long), ref(short, long))
    expect(f([1, 2], [3, 5]), ref([1, 2], [3, 5]))
    expect(f(2.0, [3, 5]), ref(2.0, [3, 5]))

"""00_start_here: a first answer, so that everybody has seen a check pass."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport.checking import criterion, exercise, expect, notebook

Answer = Callable[..., np.ndarray]
Generator = np.random.Generator

notebook("00_start_here", minutes=10)
exercise("first_check", notebook="00_start_here", minutes=2)


@criterion(
    "first_check", points=1, says="every number comes back doubled: a single one, an array, a list",
    contract=True, advice="call it yourself on 3, on np.array([1, 2]) and on the list [1, 2], and compare.",
)  # fmt: skip
def doubled(f: Answer, ref: Answer, rng: Generator) -> None:
    """A number first; 2 is left out, because its double and its square are the same."""
    expect(f(3), ref(3))
    expect(f(-1.5), ref(-1.5))
    row = np.array([0.5, -1.0, 4.0])
    expect(f(row), ref(row))
    expect(f([1, 2]), ref([1, 2]))
    table = rng.normal(size=(2, 3))
    expect(f(table), ref(table))

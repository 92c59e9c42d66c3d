"""12_tuning: how far the slowest pair turns, two conditions on the base, and a rule for choosing between results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from labsupport.checking import criterion, exercise, expect, notebook, refuses, require, written

Answer = Callable[..., Any]
Generator = np.random.Generator

notebook("12_tuning", minutes=60)
exercise("turns_within", notebook="12_tuning", minutes=4)
exercise("base_for_length", notebook="12_tuning", minutes=6)
exercise("base_for_similarity", notebook="12_tuning", minutes=10)
exercise("pick_best", notebook="12_tuning", minutes=8, returns="any")
written("which_setting", notebook="12_tuning", points=2, minutes=8)


@criterion(
    "turns_within",
    points=1,
    says="max_len times the speed of each pair, in turns of 2 pi radians, parts of a turn included",
    contract=True,
    advice="a pair that moves 1 radian per position makes 10 / (2 pi) = 1.5915 turns in 10 positions.",
)
def turns_of_each_pair(f: Answer, ref: Answer, rng: Generator) -> None:
    """One pair, then two; other bases by place and name; no power of two; a length between whole numbers."""
    expect(f(10, 2, 100.0), ref(10, 2, 100.0))
    expect(f(10, 4, 100.0), ref(10, 4, 100.0))
    expect(f(2000, 10, 500), ref(2000, 10, 500))
    length, base = float(rng.uniform(50, 900)), float(rng.uniform(20, 5000))
    expect(f(length, 12, base=base), ref(length, 12, base))
    expect(f(8 * length, 12, base), 8 * np.asarray(f(length, 12, base)), what="eight times the length")
    expect(f(131072, 6, 500000), ref(131072, 6, 500000))


@criterion(
    "base_for_length",
    points=1,
    says="the base at which the slowest pair makes exactly one turn",
    advice="with d = 4 the slowest pair moves base**(-1/2) radians per position: base 100 gives 0.1.",
)
def one_turn_of_the_slowest(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first; widths for which d / (d - 2) is far from and near to 1; then a property of every pure power."""
    expect(f(20 * np.pi, 4), ref(20 * np.pi, 4))
    expect(f(100, 6), ref(100, 6))
    expect(f(4096, 128), ref(4096, 128))
    length, d = float(rng.uniform(200, 3000)), 2 * int(rng.integers(5, 40))
    expect(f(length, d), ref(length, d))
    once, twice = f(2 * np.pi * 3, 8), f(2 * np.pi * 9, 8)
    expect(twice, once * once, what="9 turns of the fastest pair against 3 turns, squared")


@criterion(
    "base_for_length",
    points=1,
    says="ValueError where no base above 1 does it: max_len of 2 pi or less, d odd or below 4",
    contract=True,
    advice="the fastest pair moves 1 radian per position whatever the base is; with d = 2 it is the slowest as well.",
)
def where_no_base_helps(f: Answer, ref: Answer, rng: Generator) -> None:
    """The smallest length and width that are allowed, then those that are not."""
    for allowed in ((6.5, 4), (7, 12)):
        require(np.asarray(f(*allowed)) > 1, "a length above 2 pi and an even width of 4 or more give a base above 1")
    for length in (6, 2 * np.pi, 1, 0, -50):
        refuses(ValueError, f, length, 8)
    for d in (2, 0, -4, 3, int(2 * rng.integers(3, 40) + 1)):
        refuses(ValueError, f, 100, d)


CASES = (
    (9, 6, (10.0, 100.0, 1000.0)),
    (8, 6, (10.0, 100.0, 1000.0)),
    (100, 8, (10000.0, 20000.0, 30000.0, 50000.0, 100000.0)),
    (200, 12, (20.0, 3000.0, 10000.0, 20000.0, 50000.0)),
    (300, 16, (1000.0, 3000.0, 10000.0, 15000.0, 20000.0, 50000.0)),
    (150, 16, (500.0, 1500.0, 3000.0, 5000.0, 10000.0, 20000.0)),
    (380, 24, (2000.0, 5000.0, 7500.0, 15000.0, 20000.0, 30000.0)),
    (250, 24, (5000.0, 10000.0, 15000.0, 30000.0)),
    (460, 32, (1000.0, 2000.0, 5000.0, 10000.0, 15000.0, 20000.0)),
    (700, 64, (3000.0, 7500.0, 15000.0, 30000.0)),
)
"""Lengths, widths, candidates at which no sum comes near 0; in some a larger base fails where a smaller one holds."""


@criterion(
    "base_for_similarity",
    points=1,
    says="the smallest base whose sum of cosines is at least 0 at every distance from 0 to max_len, both included",
    advice="print the sums for d = 6, base 100 and distances 0 to 9: they stay above 0 up to 8, and at 9 the sum is "
    "-0.36.",
)
def every_distance(f: Answer, ref: Answer, rng: Generator) -> None:
    """One candidate after another; the last distance decides; larger bases that fail; in growing order."""
    expect(f(9, 6, CASES[0][2]), ref(9, 6, CASES[0][2]))
    expect(f(8, 6, CASES[1][2]), ref(8, 6, CASES[1][2]))
    expect(f(100, 8, CASES[2][2]), ref(100, 8, CASES[2][2]))
    expect(f(200, 12, CASES[3][2]), ref(200, 12, CASES[3][2]))
    for k in 4 + rng.permutation(len(CASES) - 4)[:3]:
        expect(f(*CASES[k]), ref(*CASES[k]))


@criterion(
    "base_for_similarity",
    points=1,
    says="candidates in any order, of any kind of sequence, unchanged; None where none of them will do",
    contract=True,
    advice="try base_for_similarity(9, 6, [1000.0, 10.0, 2000.0]), which is 1000.0, and the same with [10.0] alone.",
)
def any_candidates(f: Answer, ref: Answer, rng: Generator) -> None:
    """Falling, shuffled, an array, one alone; then lists in which no candidate holds."""
    expect(f(8, 6, [1000.0, 100.0, 10.0]), ref(8, 6, [1000.0, 100.0, 10.0]))
    for k in 2 + rng.permutation(len(CASES) - 2)[:2]:
        length, d, candidates = CASES[k]
        shuffled = rng.permutation(np.array(candidates))
        expect(f(length, d, shuffled), ref(length, d, shuffled))
    expect(f(9, 6, [1000.0]), ref(9, 6, [1000.0]))
    for nothing in ([10.0], [10.0, 30.0, 20.0]):
        found = f.attempt((9, 6, nothing), {})
        none = found.error is None and found.value is None and not found.unusable
        require(none, f"with the candidates {nothing}, none of which holds up to 9, it must return None")


@criterion(
    "pick_best",
    points=1,
    says="the cheapest of those whose mean loss is at most the best mean plus the tolerance",
    advice="write the means beside the costs, cross out what is further than tie_tolerance above the smallest mean, "
    "and take the cheapest of what is left.",
)
def cheapest_of_the_good(f: Answer, ref: Answer, rng: Generator) -> None:
    """Three tolerances for the same two; seeds that spread; no chain of near ties; large and small losses."""
    two = {"small": (1.0, [2.0]), "large": (4.0, [1.0])}
    chosen(f, ref, two, 0.5, "'small' costs 1 and loses 2.0, 'large' costs 4 and loses 1.0, the tolerance is 0.5")
    chosen(f, ref, two, 1.0, "'small' loses 2.0, 'large' 1.0, the tolerance is 1.0, and a gap of 1.0 is within it")
    chosen(f, ref, two, 0.0, "'small' loses 2.0, 'large' 1.0, the tolerance is 0")
    spread = {"a": (1, [0.5, 0.6, 2.6]), "b": (2, [1.0, 1.1, 0.9]), "c": (3, [1.2, 1.2, 1.2])}
    chosen(f, ref, spread, 0.1, "the mean losses are a: 1.2333, b: 1.0, c: 1.2, the tolerance is 0.1")
    spread = {"a": (1, [1.0, 1.1, 2.6]), "b": (2, [0.8, 1.3, 1.3])}
    chosen(f, ref, spread, 0.1, "the mean losses are a: 1.5667, b: 1.1333, the tolerance is 0.1")
    chain = {"a": (1, [1.3]), "b": (2, [1.15]), "c": (3, [1.0]), "d": (9, [1.05])}
    chosen(f, ref, chain, 0.2, "a, b and c (costs 1, 2, 3) lose 1.3, 1.15 and 1.0, the tolerance is 0.2")
    high, low = ({"a": (5, [x]), "b": (8, [y])} for x, y in ((4.3, 4.0), (0.29, 0.2)))
    chosen(f, ref, high, 0.1, "a loses 4.3, b 4.0, the tolerance is 0.1 nats")
    chosen(f, ref, low, 0.1, "a loses 0.29, b 0.2, the tolerance is 0.1 nats")


@criterion(
    "pick_best",
    points=1,
    says="any number of seeds, any order of the entries, costs of any size, results unchanged",
    contract=True,
    advice="the losses of one name may be longer than those of another: divide by how many there are.",
)
def any_results(f: Answer, ref: Answer, rng: Generator) -> None:
    """One alone; more seeds for the better one; eight at once in a random order, with arrays and far costs."""
    chosen(f, ref, {"only": (7, [1.5, 1.7])}, 0.1, "there is one name")
    uneven = {"few": (3, [2.0]), "many": (2, [1.0, 1.0, 1.0])}
    chosen(f, ref, uneven, 0.25, "'few' has one seed with 2.0, 'many' three seeds with 1.0 each")
    turned = {"large": (4, [1.0, 1.0]), "small": (1, [2.0, 1.5])}
    chosen(f, ref, turned, 1.0, "'large' costs 4 and loses 1.0, 'small' costs 1 and loses 1.75, the tolerance is 1.0")
    for _ in range(2):
        means, costs = 1 + 0.1 * rng.permutation(8), 10.0 ** rng.uniform(0, 6, size=8)
        off = rng.uniform(-0.6, 0.6, size=8)
        results = {f"s{k}": (float(costs[k]), np.array([means[k] - off[k], means[k] + off[k]])) for k in range(8)}
        chosen(f, ref, results, 0.35, "there are eight names with two seeds each, in no order")


def chosen(f: Answer, ref: Answer, results: dict[str, Any], tie_tolerance: float, where: str) -> None:
    """Demand the right name; `where` says what was asked."""
    got, want = f(results, tie_tolerance), ref(results, tie_tolerance)
    require(isinstance(got, str), f"must return a name, which is text; yours returned a {type(got).__name__}")
    require(isinstance(got, str) and got == want, f"{where}: your function gives {str(got)[:40]!r}")

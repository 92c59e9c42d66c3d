"""07_interpolation: longer position tables, larger grids, slower rotations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport.checking import criterion, differ, exercise, expect, notebook, refuses, require, written

Answer = Callable[..., np.ndarray]
Generator = np.random.Generator

notebook("07_interpolation", minutes=90)
exercise("interpolate_positions", notebook="07_interpolation", minutes=10)
exercise("interpolate_grid", notebook="07_interpolation", minutes=15)
exercise("linear_positions", notebook="07_interpolation", minutes=2)
exercise("ntk_base", notebook="07_interpolation", minutes=4)
exercise("yarn_frequencies", notebook="07_interpolation", minutes=12)
exercise("yarn_attention_factor", notebook="07_interpolation", minutes=2)
exercise("rope_frequencies", notebook="07_interpolation", minutes=7)
written("why_stretching_hurts", notebook="07_interpolation", points=2, minutes=6)


@criterion(
    "interpolate_positions",
    points=1,
    says="every new row blends its two old neighbours in the right shares, column by column",
    advice="stretch [[0, 10], [3, 30]] from 2 rows to 3; the middle row must be [1.5, 20].",
)
def blended_rows(f: Answer, ref: Answer, rng: Generator) -> None:
    """Two columns that differ; a new length that is no multiple of the old one; as many rows as columns."""
    table = np.array([[0.0, 10.0], [3.0, 30.0]])
    expect(f(2, 3, table), ref(2, 3, table))
    for _ in range(2):  # twice the same sizes, with other numbers
        table = rng.normal(size=(4, 4))
        expect(f(4, 6, table), ref(4, 6, table))
    table = rng.normal(size=(10, 3))
    expect(f(10, 17, table), ref(10, 17, table))
    expect(f(10, 37, table), ref(10, 37, table))


@criterion(
    "interpolate_positions",
    points=1,
    says="both ends are kept and a straight line stays one, longer or shorter",
    advice="print the old positions that your new rows read; they must start at 0, end at old_max_len - 1 and be "
    "equally far apart.",
)
def straight_lines(f: Answer, ref: Answer, rng: Generator) -> None:
    """A shorter table is resampled and not cut; a table whose rows lie on a line shows uneven steps.

    From 9 rows to 5, and from 7 to 4, every new row falls on an old one; from 7 to 5 and to 6 they fall between.
    """
    table = rng.normal(size=(9, 2))
    expect(f(9, 5, table), ref(9, 5, table))
    start, step = rng.normal(size=(2, 3))
    line = start + np.arange(7)[:, None] * (step + np.sign(step))
    for new in (12, 4, 5, 6):
        rows = np.asarray(f(7, new, line))
        require(len(rows) == new, f"7 rows resampled to {new} must give {new} rows")
        expect(rows[[0, -1]], line[[0, -1]], what="the first and the last row")
        steps = np.diff(rows, axis=0)
        expect(steps, np.broadcast_to(steps[:1], steps.shape), what="the steps between the rows of a straight line")


@criterion(
    "interpolate_positions",
    points=1,
    says="the contract: one row in or out, a wrong old length refused, table unchanged",
    contract=True,
    advice="one old row is repeated, one new row is the first old one, and old_max_len must be len(pos_emb).",
)
def table_contract(f: Answer, ref: Answer, rng: Generator) -> None:
    """Whole numbers in, the smallest lengths, and a length that is not the table's."""
    whole = rng.integers(-9, 10, size=2) + 3 * np.arange(3)[:, None]  # halfway between two rows is no whole number
    expect(f(3, 5, whole), ref(3, 5, whole))
    expect(f(3, 5, whole.tolist()), ref(3, 5, whole.tolist()))
    got = f(3, 3, whole)
    expect(got, whole.astype(float))
    floats(got)
    table = rng.normal(size=(1, 3))
    expect(f(1, 4, table), ref(1, 4, table))
    expect(f(1, 1, table), ref(1, 1, table))
    table = rng.normal(size=(5, 2))
    expect(f(5, 1, table), ref(5, 1, table))
    expect(f(5, 5, table), table)
    refuses(ValueError, f, 4, 5, table)
    refuses(ValueError, f, 6, 8, table)


def floats(got: np.ndarray) -> None:
    """Demand floats, of any size, where whole numbers came in and the values happen to be whole."""
    kind = np.asarray(got).dtype
    require(kind.kind == "f", f"a table of whole numbers must give floats; yours is an array of {kind}")


@criterion(
    "interpolate_grid",
    points=1,
    says="every new patch blends its old neighbours; rows and columns are stretched each at their own rate",
    advice="stretch one row of two patches, 0 and 1, to four; the four values must be 0, 0.25, 0.75 and 1.",
)
def blended_patches(f: Answer, ref: Answer, rng: Generator) -> None:
    """Grids that are not square, one axis stretched alone, a smaller grid.

    Twelve patches stay twelve in another grid, and the same rows are read as two different old grids.
    """
    table = np.array([[0.0], [1.0]])
    expect(f(table, (1, 2), (1, 4)), ref(table, (1, 2), (1, 4)))
    for old, new in (((3, 4), (3, 9)), ((3, 5), (6, 7)), ((6, 4), (4, 3))):
        table = rng.normal(size=(old[0] * old[1], 2))
        expect(f(table, old, new), ref(table, old, new))
    for _ in range(2):
        table = rng.normal(size=(12, 2))
        for old, new in (((2, 6), (3, 4)), ((4, 3), (3, 4)), ((4, 3), (5, 2))):
            expect(f(table, old, new), ref(table, old, new))


@criterion(
    "interpolate_grid",
    points=1,
    says="prefix rows come back untouched in front, and have no part in the grid",
    advice="cut the table after num_prefix_tokens rows, resample the second piece, put the first back in front of it.",
)
def prefix_rows(f: Answer, ref: Answer, rng: Generator) -> None:
    """One and two prefix rows with large values; the patches behind them come out as they would alone."""
    patches = rng.normal(size=(6, 3))
    alone = f(patches, (2, 3), (3, 5))
    for prefix in (1, 2):
        front = rng.normal(size=(prefix, 3)) * 50
        got = np.asarray(f(np.concatenate([front, patches]), (2, 3), (3, 5), num_prefix_tokens=prefix))
        expect(got[:prefix], front, what="the prefix rows")
        expect(got[prefix:], alone, what="the rows behind the prefix")
    table = np.concatenate([front, patches])
    expect(f(table, (2, 3), (2, 3), 2), table)


@criterion(
    "interpolate_grid",
    points=1,
    says="any size gives its rows, the axes stay apart, the same grid stays as it is, table unchanged",
    contract=True,
    advice="use the sizes as they are given, resample each axis by itself, and write into a new array.",
)
def any_grid(f: Answer, ref: Answer, rng: Generator) -> None:
    """14 to 61 is where a size computed from a ratio loses a row; a table that varies along one axis must stay so."""
    table = rng.normal(size=(4, 3))
    expect(f(table, (2, 2), (2, 2)), table)
    down = np.repeat(rng.normal(size=14), 2)[:, None]
    got = np.asarray(f(down, (14, 2), (61, 2)))
    require(got.shape == (122, 1), f"14 x 2 patches stretched to 61 x 2 make shape (122, 1); yours has {got.shape}")
    expect(got[0::2], got[1::2], what="the left column of a table that varies downwards only")
    across = np.tile(rng.normal(size=3), 2)[:, None]
    got = np.asarray(f(across, (2, 3), (5, 4)))
    expect(got, np.tile(got[:4], (5, 1)), what="a table that varies across only, row by row")
    whole = rng.integers(0, 9, size=(6, 2)) + 5 * np.arange(6)[:, None] ** 2
    expect(f(whole, (2, 3), (3, 5)), ref(whole, (2, 3), (3, 5)))
    got = f(whole.tolist(), (2, 3), (2, 3))
    expect(got, whole.astype(float))
    floats(got)


@criterion(
    "linear_positions",
    points=1,
    says="m / scale, for one position or many, never rounded",
    contract=True,
    advice="positions 0 to 9 with scale 4 must give ten different numbers, 0.25 apart.",
)
def slower_positions(f: Answer, ref: Answer, rng: Generator) -> None:
    """Whole numbers in, fractions out; a scalar, other axes, negative ones, a scale that is not whole, a list."""
    for m, scale in ((3, 4), (3, 8), (-3, 8)):
        expect(f(m, scale), ref(m, scale))
    places = f(np.arange(10), 4)
    expect(places, ref(np.arange(10), 4))
    expect(np.diff(places) * 4, np.ones(9), what="four times the distance between neighbours")
    far = rng.uniform(1, 2000, size=(2, 5)) * [1, -1, 1, 1, -1]
    for scale in (2.5, 4.0):
        expect(f(far, scale), ref(far, scale))
    expect(f([5, 6, 9], 8), ref([5, 6, 9], 8))


@criterion(
    "ntk_base",
    points=1,
    says="the slowest pair slows by exactly scale, whatever the base and the width",
    advice="for base 100, scale 3 and d = 4 the new base is 900. Which exponent of 3 is that? And for d = 6?",
)
def larger_base(f: Answer, ref: Answer, rng: Generator) -> None:
    """Widths at which the exponent is 2, 3/2 and nearly 1; no scaling leaves the base alone; one change at a time."""
    expect(f(100, 3, 4), ref(100, 3, 4))
    expect(f(10000, 4.0, 128), ref(10000, 4.0, 128))
    base, scale = float(rng.uniform(20, 900)), float(rng.uniform(1.5, 9))
    for given in ((base, scale, 6), (base + 50, scale, 6), (base, scale + 1, 6)):
        expect(f(*given), ref(*given))
    expect(
        (f(base, scale, 10) / base) ** 0.8,
        scale,
        what="(new base / base) ** (8 / 10) for d = 10, by which the slowest pair slows",
    )
    expect(f(base, 1.0, 8), base)


@criterion(
    "yarn_frequencies",
    points=1,
    says="the ramp over the pair index: kept, blended, divided",
    advice="for d = 8, base 10000, original_max_len 2048 the corners are pairs 1 and 3; print yours.",
)
def ramp_over_pairs(f: Answer, ref: Answer, rng: Generator) -> None:
    """The worked example, then a small base, whose frequencies are large enough to tell mistakes apart.

    Last the narrowest ramp, from pair 0 to pair 1: there even 0.001 more between the corners shows.
    """
    expect(f(8, 10000, 4.0, 2048), ref(8, 10000, 4.0, 2048))
    scale = float(rng.uniform(2.0, 8.0))
    expect(f(16, 100, scale, 600), ref(16, 100, scale, 600))
    expect(f(16, 10, 50.0, 8), ref(16, 10, 50.0, 8))


@criterion(
    "yarn_frequencies",
    points=1,
    says="fastest pair kept, slowest divided by scale, nothing outside; short lengths too",
    advice="the lower corner is never below 0 and the upper one never above d - 1; scale 1 must change nothing.",
)
def kept_and_divided(f: Answer, ref: Answer, rng: Generator) -> None:
    """At length 60 no pair makes 32 turns, so the lower corner is cut at 0; at d = 4, base 10 the upper one is cut."""
    scale = float(rng.uniform(2.0, 8.0))
    before, after = np.asarray(f(16, 20, 1.0, 60)), np.asarray(f(16, 20, scale, 60))
    expect(after[0], before[0], what="the fastest pair")
    expect(after[-1] * scale, before[-1], what="scale times the slowest pair")
    inside = (after <= before * (1 + 1e-4)) & (after * scale >= before * (1 - 1e-4))
    require(inside, "no pair may turn faster than before, and none slower than before divided by scale")
    expect(after, ref(16, 20, scale, 60))
    expect(f(4, 10, 5.0, 600), ref(4, 10, 5.0, 600))


@criterion(
    "yarn_frequencies",
    points=1,
    says="base, original_max_len, beta_fast and beta_slow all count",
    contract=True,
    advice="print your two corners; they must move with base, with original_max_len and with each beta.",
)
def every_argument(f: Answer, ref: Answer, rng: Generator) -> None:
    """Other betas by name and by place, another length, the size of a real head; then each argument changed alone."""
    scale = float(rng.uniform(2.0, 8.0))
    got = f(32, 50, scale, 300, beta_fast=8, beta_slow=2)
    differ(got, f(32, 50, scale, 300), "beta_fast and beta_slow change nothing: are they used?")
    expect(got, ref(32, 50, scale, 300, beta_fast=8, beta_slow=2))
    expect(f(12, 30, 2.5, 500, 16, 3), ref(12, 30, 2.5, 500, 16, 3))
    expect(f(128, 10000, 8.0, 4096), ref(128, 10000, 8.0, 4096))
    one = {"d": 32, "base": 50, "scale": 6.0, "original_max_len": 300, "beta_fast": 8, "beta_slow": 2}
    for change in ({}, {"d": 16}, {"base": 90}, {"scale": 3.0}, {"original_max_len": 150}, {"beta_fast": 4},
                   {"beta_slow": 1}):  # fmt: skip
        expect(f(**one | change), ref(**one | change))


@criterion(
    "yarn_attention_factor",
    points=1,
    says="0.1 ln(scale) + 1, and 1 where nothing is stretched",
    contract=True,
    advice="for scale 8 the factor is 1.2079; its square is what the scores grow by.",
)
def factor(f: Answer, ref: Answer, rng: Generator) -> None:
    """The worked number, both sides of scale 1, and a scale in between."""
    expect(f(8), ref(8))
    for scale in (1, 0.5, 32.0, float(rng.uniform(1.5, 20))):
        expect(f(scale), ref(scale))


@criterion(
    "rope_frequencies",
    points=1,
    says="the four settings give their frequencies",
    advice="print all four for d = 8 and scale 4; the first frequency is 1 for all but linear, where it is 0.25.",
)
def four_settings(f: Answer, ref: Answer, rng: Generator) -> None:
    """Defaults first, then each name with one argument after the other changed, then all at once."""
    expect(f(8), ref(8))
    for name in ("linear", "ntk", "yarn"):
        for scale in (4.0, 2.0):
            expect(f(8, scaling=name, scale=scale), ref(8, scaling=name, scale=scale))
        for d, base in ((6, 10000), (6, 300)):
            expect(f(d, base, name, 2.0), ref(d, base, name, 2.0))
    base, scale = float(rng.uniform(60, 200)), float(rng.uniform(2, 6))
    for name in ("none", "linear", "ntk"):
        expect(f(6, base=base, scaling=name, scale=scale), ref(6, base=base, scaling=name, scale=scale))


@criterion(
    "rope_frequencies",
    points=1,
    says="what each setting does to the fastest and the slowest pair; every argument counts",
    contract=True,
    advice="divide your scaled frequencies by the unscaled ones and look at the first and the last number.",
)
def ends_of_the_range(f: Answer, ref: Answer, rng: Generator) -> None:
    """Ratios to the unscaled frequencies, so that a wrong scale and wrong frequencies are told apart."""
    scale = float(rng.uniform(2, 6))
    plain = np.asarray(f(12, 50.0))
    ratio = {name: np.asarray(f(12, 50.0, name, scale)) / plain for name in ("none", "linear", "ntk", "yarn")}
    expect(ratio["none"], np.ones(6), what="none with a scale, as a share of none without")
    expect(ratio["linear"] * scale, np.ones(6), what="scale times linear, as a share of none")
    expect(
        ratio["ntk"][[0, -1]] * [1, scale],
        np.ones(2),
        what="ntk's first pair and scale times its last, as shares of none",
    )
    expect(ratio["yarn"][0], 1.0, what="yarn's first pair, as a share of none")
    differ(ratio["ntk"], ratio["linear"], "linear and ntk give the same frequencies; they must not")
    got = np.asarray(f(12, 50.0, "yarn", scale, original_max_len=300)) / plain
    want = ref(12, 50.0, "yarn", scale, original_max_len=300) / ref(12, 50.0)
    expect(got, want, what="yarn with original_max_len=300, as a share of none")

"""13_case_studies: frequencies of a published model, and eight functions that real people had to repair."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport.checking import choice, criterion, differ, exercise, expect, notebook, require, value, written
from labsupport.criteria import rotary

Answer = Callable[..., np.ndarray]
Generator = np.random.Generator

NOTEBOOK = "13_case_studies"
notebook(NOTEBOOK, minutes=90)
value("slowest_pair_local", notebook=NOTEBOOK, points=1, atol=2e-3, minutes=2)
value("slowest_pair_global", notebook=NOTEBOOK, points=1, atol=5e-5, minutes=2)
exercise("llama3_frequencies", notebook=NOTEBOOK, minutes=10)
exercise("clinic_speeds", notebook=NOTEBOOK, minutes=4)
exercise("clinic_patches", notebook=NOTEBOOK, minutes=3)
exercise("clinic_offsets", notebook=NOTEBOOK, minutes=4)
exercise("clinic_tables", notebook=NOTEBOOK, minutes=5)
exercise("clinic_mask", notebook=NOTEBOOK, minutes=5)
exercise("clinic_bias", notebook=NOTEBOOK, minutes=5, updates=("memo",))
exercise("clinic_rotary", notebook=NOTEBOOK, minutes=6)
exercise("clinic_grid", notebook=NOTEBOOK, minutes=6)
choice("answer_fine_when_short", notebook=NOTEBOOK, points=1, options="abcd", minutes=2)
choice("answer_first_text_right", notebook=NOTEBOOK, points=1, options="abcd", minutes=2)
written("bug_report", notebook=NOTEBOOK, points=2, minutes=6)


@criterion(
    "llama3_frequencies",
    points=1,
    says="published settings come out: fast pairs kept, slow ones divided, a blend between",
    advice="print wavelengths, 2 pi / theta, for d = 8 and base 10000: 6.28, 62.8, 628 and 6283. Which of the three "
    "cases is each of them, for a length of 2048?",
)
def published_settings(f: Answer, ref: Answer, rng: Generator) -> None:
    """The worked example, then Llama 3.1 (d = 128, factor 8) and the same with d = 64 and factor 32.

    Slow frequencies are smaller than what a comparison overlooks; the angles at the end of the text are not.
    """
    expect(f(8, 10000, 8.0, 1.0, 4.0, 2048), ref(8, 10000, 8.0, 1.0, 4.0, 2048))
    for d, base, scale in ((128, 500000.0, 8.0), (64, 500000, 32)):
        got, right = f(d, base, scale, 1, 4, 8192), ref(d, base, scale, 1, 4, 8192)
        expect(got, right)
        expect(np.asarray(got) * 8192, right * 8192, what="the angles at position 8192, your frequencies times 8192")
    factor = float(rng.uniform(2.0, 6.0))
    expect(f(16, 20.0, factor, 1.0, 4.0, 60), ref(16, 20.0, factor, 1.0, 4.0, 60))


@criterion(
    "llama3_frequencies",
    points=1,
    says="no pair turns faster than before, none slower than before divided by factor, whatever the length",
    advice="divide your frequencies by the plain ones: the ratios must fall from 1 to 1 / factor and stay between.",
)
def between_the_bounds(f: Answer, ref: Answer, rng: Generator) -> None:
    """Ratios to the plain frequencies; then a length so short that no pair is kept, one that divides none; one pair."""
    factor, length = float(rng.uniform(2.0, 8.0)), int(rng.integers(50, 90))
    plain, scaled = np.asarray(f(16, 30.0, 1.0, 1.0, 4.0, length)), np.asarray(f(16, 30.0, factor, 1.0, 4.0, length))
    ratio = scaled / plain
    require(ratio <= 1 + 1e-4, "no pair may turn faster than it did before")
    require(ratio * factor >= 1 - 1e-4, "no pair may turn slower than before divided by factor")
    require(np.diff(ratio) <= 1e-4, "a slower pair must not be scaled less than a faster one")
    expect(ratio[[0, -1]] * [1, factor], np.ones(2), what="the ratio of pair 0, and factor times that of the last pair")
    expect(scaled, ref(16, 30.0, factor, 1.0, 4.0, length))
    expect(f(12, 40.0, factor, 1.0, 4.0, 5), ref(12, 40.0, factor, 1.0, 4.0, 5))
    expect(f(12, 40.0, factor, 1.0, 4.0, 4000), ref(12, 40.0, factor, 1.0, 4.0, 4000))
    expect(f(2, 40.0, factor, 1.0, 4.0, 5), ref(2, 40.0, factor, 1.0, 4.0, 5))


@criterion(
    "llama3_frequencies",
    points=1,
    says="both bounds are arguments, and the blend between them is linear in turns",
    contract=True,
    advice="print the two wavelengths at which your cases change: original_max_len / high_freq_factor and "
    "original_max_len / low_freq_factor.",
)
def bounds_are_arguments(f: Answer, ref: Answer, rng: Generator) -> None:
    """Other bounds, by place and by name; a base at which most pairs lie in the blend, so that its shape shows.

    At last calls that differ in one argument each.
    """
    factor = float(rng.uniform(2.0, 8.0))
    wide = f(24, 4.0, factor, 2.0, 9.0, 40)
    differ(
        wide, f(24, 4.0, factor, 1.0, 4.0, 40), "low_freq_factor and high_freq_factor change nothing: are they used?"
    )
    expect(wide, ref(24, 4.0, factor, 2.0, 9.0, 40))
    named = {"low_freq_factor": 0.5, "high_freq_factor": 6.0, "original_max_len": 30}
    expect(f(10, 30.0, factor, **named), ref(10, 30.0, factor, **named))
    length = int(rng.integers(20, 40))
    expect(f(40, 2.0, 4.0, 4.0, 6.5, length), ref(40, 2.0, 4.0, 4.0, 6.5, length))
    for d, base, low, high in ((10, 30.0, 1.0, 4.0), (10, 20.0, 1.0, 4.0), (10, 20.0, 0.5, 4.0), (10, 20.0, 0.5, 7.5)):
        expect(f(d, base, factor, low, high, 30), ref(d, base, factor, low, high, 30))


@criterion(
    "clinic_speeds",
    points=1,
    says="the model's own base, divided pair by pair by the factors that it brings, if it brings any",
    contract=True,
    advice="change the factors from None to [1, 8] and see whether your result changes; then change the base.",
)
def every_setting_counts(f: Answer, ref: Answer, rng: Generator) -> None:
    """Two pairs by hand with and without factors; another base and width; a list; the model stays as it was.

    One factor is below 1, the largest is neither the first nor the last; one head has a single pair.
    """
    model = {"head_dim": 4, "rope_base": 100.0, "rope_factors": np.array([1.0, 8.0])}
    expect(f(model), ref(model))
    for plain in (model | {"rope_factors": None}, {"head_dim": 6, "rope_base": 30.0, "rope_factors": None}):
        expect(f(plain), ref(plain))
    base, factors = float(rng.uniform(5, 50)), rng.uniform(1.5, 5.0, size=5)
    factors[rng.permutation([1, 2, 3])[:2]] = 0.4, 8.0
    large = {"head_dim": 10, "rope_base": base, "rope_factors": factors}
    expect(f(large), ref(large))
    expect(np.asarray(f(large)) * factors, f(large | {"rope_factors": None}), what="your speeds times the factors")
    as_list = large | {"rope_factors": factors.tolist()}
    expect(f(as_list), ref(as_list))
    single = {"head_dim": 2, "rope_base": base, "rope_factors": [2.5]}
    expect(f(single), ref(single))


@criterion(
    "clinic_patches",
    points=1,
    says="the whole patches that fit, down and across, whatever table the model was trained with",
    contract=True,
    advice="count by hand: how many whole patches of 16 pixels fit into 976 pixels, and into 1000?",
)
def whole_patches(f: Answer, ref: Answer, rng: Generator) -> None:
    """Sizes at which a ratio loses a row, with a remainder, other patches, not square; the table must not matter.

    At 400 a ratio the other way up loses one, at 992 one in single precision. Patches of 200 pixels show what is added
    to a quotient, however little; small pictures have fewer patches than the table, or none.
    """
    expect(f((976, 224), 16, (14, 14)), ref((976, 224), 16, (14, 14)))
    expect(f((224, 1840), 16, (14, 14)), ref((224, 1840), 16, (14, 14)))
    expect(f((1000, 984), 16, (14, 14)), ref((1000, 984), 16, (14, 14)))
    expect(f((975, 224), 16, (14, 14)), ref((975, 224), 16, (14, 14)))
    expect(f((546, 1092), 14, (37, 37)), ref((546, 1092), 14, (37, 37)))
    unlucky = 14 * int(rng.choice([39, 43, 78, 86, 115, 123]))
    expect(f((unlucky, unlucky + 13), 14, (37, 37)), ref((unlucky, unlucky + 13), 14, (37, 37)))
    expect(f((992, 400), 16, (14, 14)), ref((992, 400), 16, (14, 14)))
    expect(f((1999, 581), 200, (5, 5)), ref((1999, 581), 200, (5, 5)))
    expect(f((100, 70), 16, (14, 14)), ref((100, 70), 16, (14, 14)))
    expect(f((40, 12), 16, (14, 14)), ref((40, 12), 16, (14, 14)))
    image = tuple(rng.integers(100, 2000, size=2).tolist())
    expect(f(image, 13, (28, 28)), ref(image, 13, (28, 28)))
    counted = f(image, 8, (28, 28))
    expect(counted, ref(image, 8, (28, 28)))
    expect(f(image, 8, (9, 17)), counted, what="the patches of one image, with tables of 28 x 28 and of 9 x 17")


@criterion(
    "clinic_offsets",
    points=1,
    says="key minus query, where the queries are the newest of the keys' positions",
    contract=True,
    advice="one query and three keys: the query stands at position 2, so the row is -2, -1, 0.",
)
def newest_queries(f: Answer, ref: Answer, rng: Generator) -> None:
    """One new token, all tokens, some of them, a long text; the property: rows of a step are rows of the whole."""
    expect(f(1, 3), ref(1, 3))
    expect(f(3, 3), ref(3, 3))
    expect(f(2, 5), ref(2, 5))
    expect(f(1, 1), ref(1, 1))
    n = int(rng.integers(6, 12))
    new = int(rng.integers(2, n - 1))
    whole = np.asarray(f(n, n))
    expect(f(new, n), whole[n - new :], what=f"the offsets of {new} new tokens, as the last rows of all {n}")
    expect(f(new, n), ref(new, n))
    expect(f(1, 300), ref(1, 300))


@criterion(
    "clinic_tables",
    points=1,
    says="cosines and sines right at far positions, in the precision that is asked for",
    contract=True,
    advice="print the angle of position 1857 and speed 0.5623 in your code, with its dtype; it is 1044.2.",
)
def right_far_out(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first, in calls that differ in one argument each; then far positions in all three types.

    Half precision holds whole numbers up to 2048: positions that are rounded show beyond. What single precision does to
    an angle is smaller than what a comparison overlooks, so single and double are held to their own digits.
    """
    for speeds, length in (([1.0, 0.5], 3), ([0.7, 0.2], 3), ([0.7, 0.2], 5)):
        expect(f(np.array(speeds), length, "float64"), ref(np.array(speeds), length, "float64"))
    speeds = np.array([1.0, 0.5623, float(rng.uniform(0.3, 0.4)), 0.0123])
    half = f(speeds, 2100, "float16")
    expect(half, ref(speeds, 2100, "float16"), dtype=True)
    for dtype, digits in (("float32", 6), ("float64", 9)):
        got, right = f(speeds[1:3], 2100, dtype), ref(speeds[1:3], 2100, dtype)
        expect(got, right, dtype=True)
        held_to(digits, got, right, dtype)
    expect(f([0.7], 40, "float16"), ref([0.7], 40, "float16"), dtype=True)
    lengths = (np.asarray(half, dtype=float) ** 2).sum(axis=0)
    require(np.abs(lengths - 1) < 0.01, "cosine and sine of one angle: their squares must add up to 1")


def held_to(digits: int, got: np.ndarray, right: np.ndarray, dtype: str) -> None:
    """Demand so many digits behind the point where the shape is right."""
    got = np.asarray(got, dtype=float)
    near = got.shape != right.shape or np.abs(got - right).max() < 2 * 10.0**-digits
    require(near, f"asked for {dtype}, the tables must be right to {digits} digits behind the point; yours are not")


@criterion(
    "clinic_mask",
    points=1,
    says="True where a query may look: at real tokens, and not ahead",
    contract=True,
    advice="print the mask of one text of length 2 in a row of 3: True, False, False; then True, True, False twice.",
)
def may_look(f: Answer, ref: Answer, rng: Generator) -> None:
    """By hand; a batch with every kind of length; every row sees something, and as many keys as it should."""
    expect(f([2], 3), ref([2], 3))
    expect(f([3], 3), ref([3], 3), dtype=True)
    for width in (4, 6):
        expect(f(np.array([1, 4, 2]), width), ref(np.array([1, 4, 2]), width))
    n = int(rng.integers(5, 9))
    lengths = np.array([n, int(rng.integers(2, n)), 1])
    mask = np.asarray(f(lengths, n))
    require(mask.any(axis=-1), "every query must see at least one key, or its softmax has nothing to share out")
    expect(mask, ref(lengths, n))


@criterion(
    "clinic_bias",
    points=1,
    says="the bias of this table and this length, whatever was asked before",
    contract=True,
    advice="ask for 3 tokens, then for 6, then for 6 again with another table, always with the same memo.",
)
def whatever_came_before(f: Answer, ref: Answer, rng: Generator) -> None:
    """One memo through texts that are longer, shorter and as long as before, and through a table that is trained.

    Tables follow each other at one length that have the same sum, the same first head, nearly the same numbers, the
    same bytes in another shape, and the same printed form.
    """
    table = rng.normal(size=(2, 9))
    memo, right = {}, {}
    expect(f(table, 3, memo), ref(table, 3, right))
    for n in (6, 2, 6, int(rng.integers(7, 10))):
        expect(f(table, n, memo), ref(table, n, right))
    trained, stepped = table + 1.0, table + 1.0
    trained[1, [3, 4]] = trained[1, [4, 3]] + [0.5, -0.5]
    stepped[1] = trained[1] + 0.004
    for now in (table + 2.0, table + 1.0, trained, stepped):
        expect(f(now, 6, memo), ref(now, 6, right), what="with a table that was trained on")
    reshaped = stepped.reshape(3, 6)
    expect(f(reshaped, 6, memo), ref(reshaped, 6, right), what="with the table of another layer")
    expect(f(table, 2, memo), ref(table, 2, right), what="with a table that was trained on")
    other = rng.normal(size=(3, 12))
    for n in (4, 11):
        expect(f(other, n, memo), ref(other, n, right), what="with the table of another layer")
    long = rng.normal(size=(4, 260))
    for add in (0.0, 0.25):
        long[:, 4:9] += add
        expect(f(long, 7, memo), ref(long, 7, right), what="with a long table, of which a part changes")
    expect(f(other[:1], 3, memo), ref(other[:1], 3, right))
    expect(f(table.tolist(), 5, {}), ref(table.tolist(), 5, {}))


@criterion(
    "clinic_rotary",
    points=1,
    says="the half-split turn: right values, scores by distance alone, and the whole contract of rotary_half",
    contract=True,
    advice="for x = [1, 0, 0, 0] at position 1 the result stands in places 0 and 2.",
)
def half_split_turn(f: Answer, ref: Answer, rng: Generator) -> None:
    """Judge it as rotary_half is judged in 05_rotary: one rule, one code."""
    rotary.half_turn(f, ref, rng)


@criterion(
    "clinic_grid",
    points=1,
    says="patch after patch, row by row: its place down and its place across in the old grid",
    contract=True,
    advice="print it for a new grid of 1 x 2 and an old one of 3 x 1: it must be (1, -0.25) and (1, 0.25).",
)
def places_of_patches(f: Answer, ref: Answer, rng: Generator) -> None:
    """Old grids that are not square first; the same grid reads itself; a square table and a wide picture.

    One patch alone; other new grids with the same old one.
    """
    expect(f((1, 2), (3, 1)), ref((1, 2), (3, 1)))
    expect(f((2, 3), (4, 2)), ref((2, 3), (4, 2)))
    itself = np.array([[i, j] for i in range(2) for j in range(3)], dtype=float)
    expect(f((2, 3), (2, 3)), itself, what="a grid that reads itself")
    expect(f((2, 5), (3, 3)), ref((2, 5), (3, 3)))
    new, old = rng.permutation(np.arange(2, 9))[:4].reshape(2, 2).tolist()
    for grid in (new, new[::-1]):
        expect(f(grid, old), ref(grid, old))
    expect(f((1, 1), (3, 2)), ref((1, 1), (3, 2)))

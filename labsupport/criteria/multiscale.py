"""09_multiscale: pictures, several rulers in one rotation, levels of a table, sentences."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport.checking import choice, criterion, differ, exercise, expect, notebook, refuses, written

Answer = Callable[..., np.ndarray]
Generator = np.random.Generator

notebook("09_multiscale", minutes=75)
exercise("axial_sinusoidal", notebook="09_multiscale", minutes=7)
exercise("rotary_2d", notebook="09_multiscale", minutes=9)
choice("answer_same_score", notebook="09_multiscale", points=1, options="abcd", minutes=3)
exercise("rotary_sections", notebook="09_multiscale", minutes=8)
exercise("hierarchical_table", notebook="09_multiscale", minutes=10)
exercise("sentence_positions", notebook="09_multiscale", minutes=7, returns="any")
written("why_two_numbers", notebook="09_multiscale", points=2, minutes=6)


@criterion(
    "axial_sinusoidal", points=1, says="line by line: the row's table in the first half, the column's in the second",
    advice="print the result for a picture of 1 x 2 patches with d_model = 4; the two rows are [0, 1, 0, 1] and "
    "[0, 1, sin 1, cos 1].",
)  # fmt: skip
def row_and_column(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first, then pictures that are not square, lying and standing, and one patch; two differ in height alone."""
    for height, width, d_model in ((1, 2, 4), (2, 3, 4), (3, 5, 12), (5, 3, 8), (30, 2, 16), (7, 2, 16), (1, 1, 8)):
        expect(f(height, width, d_model), ref(height, width, d_model))


@criterion(
    "axial_sinusoidal", points=1, says="a wider picture keeps the rows it had; a width that no 4 divides is refused",
    contract=True, advice="two halves, each of pairs: which widths can be cut like that?",
)  # fmt: skip
def wider_picture(f: Answer, ref: Answer, rng: Generator) -> None:
    """The first three patches of every line of a wider picture, without a right value; then the refusals."""
    lines, wider, d_model = int(rng.integers(2, 5)), int(rng.integers(5, 8)), 4 * int(rng.choice([1, 3]))
    wide = np.asarray(f(lines, wider, d_model)).reshape(lines, wider, d_model)
    narrow = np.asarray(f(lines, 3, d_model)).reshape(lines, 3, d_model)
    expect(wide[:, :3], narrow, what="the first three patches of each line of a wider picture")
    for width in (2, 6, 7, 10):
        refuses(ValueError, f, 2, 3, width)


@criterion(
    "rotary_2d", points=1, says="first half turned by the row, second half by the column, frequencies of width d/2",
    advice="work x = [1, 0, 1, 0] at row 1, column 2 out by hand: cos 1, sin 1, cos 2, sin 2.",
)  # fmt: skip
def halves(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first; places in no order, negative ones too; as many as features, leading axes, other bases."""
    x = [[1.0, 0.0, 1.0, 0.0]]
    expect(f(x, [1], [2]), ref(x, [1], [2]))
    x, rows, cols = rng.normal(size=(5, 8)), [4, 0, -2, 9, 1], [1, 7, 3, 0, -3]
    expect(f(x, rows, cols), ref(x, rows, cols))
    x, rows, cols = rng.normal(size=(2, 3, 12, 12)), rng.integers(0, 99, size=12), rng.integers(0, 99, size=12)
    for base in (100.0, 30.0):
        expect(f(x, rows, cols, base=base), ref(x, rows, cols, base=base))


@criterion(
    "rotary_2d", points=1, says="scores depend on the two distances alone, rows apart and columns apart",
    advice="places may lie between whole numbers, and each half must be turned as rotary_embedding would turn it.",
)  # fmt: skip
def two_distances(f: Answer, ref: Answer, rng: Generator) -> None:
    """Shift both places by the same amounts, not whole; then change one distance at a time."""
    q, k = rng.normal(size=(1, 8)), rng.normal(size=(1, 8))
    down, across = int(rng.integers(1, 200)) + 0.3, int(rng.integers(1, 200)) + 0.7

    def score(row: float, col: float, row_moved: float = 0.0, col_moved: float = 0.0) -> float:
        query = np.asarray(f(q, [9.0 + row], [4.0 + col]))
        return (query * f(k, [2.4 + row + row_moved], [7.4 + col + col_moved])).sum()

    here = score(0, 0)
    expect(score(down, across), here, what="the score after both were shifted")
    expect(score(down + 0.4, 0), here, what="the score after both were shifted downwards")
    differ(here, score(0, 0, row_moved=2.0), "the score does not change with the distance in rows")
    differ(here, score(0, 0, col_moved=2.0), "the score does not change with the distance in columns")


@criterion(
    "rotary_2d", points=1, says="x unchanged, dtype kept, whole numbers in, a width that no 4 divides refused",
    contract=True, advice="each half must itself have an even number of features; print the dtype for x of float32.",
)  # fmt: skip
def grid_contract(f: Answer, ref: Answer, rng: Generator) -> None:
    """Whole numbers give what the same real numbers give, single precision stays; 6 and 10 are even and refused."""
    x, rows, cols = rng.integers(-5, 6, size=(3, 8)), [0, 1, 5], [2, 1, 0]
    expect(f(x, rows, cols), f(x.astype(float), rows, cols), what="the result for whole numbers")
    single = rng.normal(size=(3, 4)).astype(np.float32)
    got = f(single, rows, cols)
    expect(got, np.asarray(got).astype(np.float32), dtype=True)
    for width in (2, 6, 10):
        refuses(ValueError, f, np.ones((2, width)), np.arange(2), np.arange(2))


@criterion(
    "rotary_sections", points=1, says="every pair keeps its frequency and turns by the number of the axis that owns it",
    advice="for x of ones, positions [[1], [0], [0]] and sections (1, 2, 1), only the first pair may move.",
)  # fmt: skip
def owners(f: Answer, ref: Answer, rng: Generator) -> None:
    """Two axes by hand, then three of unequal size, leading axes, another base, as many tokens as pairs; four axes.

    At last calls that differ in one argument alone, for an answer that keeps angles.
    """
    x = [[1.0, 0.0, 1.0, 0.0]]
    expect(f(x, [[1], [200]], [1, 1]), ref(x, [[1], [200]], [1, 1]))
    x, positions = rng.normal(size=(4, 8)), rng.integers(0, 60, size=(3, 4))
    expect(f(x, positions, (1, 2, 1)), ref(x, positions, (1, 2, 1)))
    x, positions = rng.normal(size=(2, 3, 5, 12)), rng.integers(0, 900, size=(3, 5))
    expect(f(x, positions, (1, 3, 2), base=50.0), ref(x, positions, (1, 3, 2), base=50.0))
    x, positions = rng.normal(size=(2, 10)), rng.integers(1, 60, size=(4, 2))
    expect(f(x, positions, (1, 2, 0, 2)), ref(x, positions, (1, 2, 0, 2)))
    moved = positions + np.array([[1, 3], [4, 1], [5, 9], [2, 6]])
    for places, sections, base in ((positions, (2, 1, 1, 1), 99.0), (moved, (2, 1, 1, 1), 99.0),
                                   (moved, (1, 1, 2, 1), 99.0), (moved, (1, 1, 2, 1), 20.0)):  # fmt: skip
        expect(f(x, places, sections, base), ref(x, places, sections, base))


@criterion(
    "rotary_sections", points=1, says="equal numbers on all axes make plain RoPE; x unchanged, dtype kept",
    contract=True,
    advice="give all axes the same positions: the sections must then make no difference. Print dtypes as well.",
)  # fmt: skip
def plain_where_equal(f: Answer, ref: Answer, rng: Generator) -> None:
    """What text gets: sections do not matter; then lists of whole numbers, single precision and a moved start."""
    m = rng.uniform(0, 50, size=5)
    x = rng.normal(size=(5, 8))
    expect(f(x, [m, m], (1, 3)), f(x, [m], (4,)), what="the result for equal numbers on both axes")
    moved = np.array([[30.7], [400.45]])  # cutting as well as rounding these places changes the distance on axis 0
    positions = np.array([[3.6, 10.2], [7.5, 1.1]])
    here, there = np.asarray(f(x[:2], positions, (2, 2))), np.asarray(f(x[:2], positions + moved, (2, 2)))
    expect(there[0] @ there[1], here[0] @ here[1], what="the score after both tokens were moved, by axis")
    whole = rng.integers(-5, 6, size=(2, 8))
    expect(f(whole, positions, (3, 1)), f(whole.astype(float), positions, (3, 1)), what="the result for whole numbers")
    got = f(x[:2].astype(np.float32), positions, (2, 2))
    expect(got, np.asarray(got).astype(np.float32), dtype=True)


@criterion(
    "hierarchical_table", points=1, says="place i * n + j gets alpha * u_i + (1 - alpha) * u_j",
    advice="for the table [[0, 1], [4, 3]] and alpha 0.25, print u first: its rows are [0, 1] and [5.3333, 3.6667].",
)  # fmt: skip
def two_levels(f: Answer, ref: Answer, rng: Generator) -> None:
    """The smallest table, then lengths that end within a block, and other alphas on both sides of a half.

    An alpha near a half is allowed. The last calls differ in one argument alone, for an answer that keeps rows.
    """
    small = [[0.0, 1.0], [4.0, 3.0]]
    expect(f(small, 4, 0.25), ref(small, 4, 0.25))
    table = rng.normal(size=(5, 3))
    expect(f(table, 19, alpha=0.3), ref(table, 19, alpha=0.3))
    table = rng.normal(size=(4, 4))
    expect(f(table, 16, 0.7), ref(table, 16, 0.7))
    expect(f(table, 16, 0.48), ref(table, 16, 0.48))
    expect(f(table[::-1], 16, 0.48), ref(table[::-1], 16, 0.48))


@criterion(
    "hierarchical_table", points=1, says="the rows that were trained are kept; every block is the first one, shifted",
    advice="compare the first len(table) rows of your result with the table; then look at lengths below len(table).",
)  # fmt: skip
def first_block_kept(f: Answer, ref: Answer, rng: Generator) -> None:
    """Properties with the default alpha: the first block, all blocks parallel, places that differ, shorter tables."""
    table = rng.normal(size=(4, 3))
    rows = np.asarray(f(table, 16))
    expect(rows[:4], table, what="the first 4 of 16 rows")
    blocks = rows.reshape(4, 4, 3)
    expect(
        blocks - blocks[:, :1],
        np.broadcast_to(table - table[:1], blocks.shape),
        what="each block less its own first row",
    )
    differ(rows[1], rows[4], "places 1 and 4 have the same row: which of them is in block 1?")
    for new_len in (4, 2, 1):
        expect(f(table, new_len), table[:new_len])


@criterion(
    "hierarchical_table", points=1, says="the contract: what cannot work is refused; table unchanged, whole numbers in",
    contract=True, advice="n rows give n * n places and no more; alpha lies between 0 and 1, and is not one half.",
)  # fmt: skip
def level_contract(f: Answer, ref: Answer, rng: Generator) -> None:
    """Too long, alphas at the ends, outside, and at a half, for short texts too; a table of whole numbers."""
    table = rng.integers(-9, 10, size=(3, 2))
    expect(f(table, 9), f(table.astype(float), 9), what="the result for whole numbers")
    refuses(ValueError, f, table.astype(float), 10)
    for alpha in (0.0, 1.0, -0.2, 1.3, 0.5):
        refuses(ValueError, f, table.astype(float), 5, alpha)
    refuses(ValueError, f, table.astype(float), 2, 0.5)


@criterion(
    "sentence_positions", points=1, says="both numbers for each token; a separator belongs to the sentence it ends",
    advice="for [7, 0, 8] with separator 0 the sentences are [0, 0, 1] and the places inside [0, 1, 0].",
)  # fmt: skip
def two_numbers(f: Answer, ref: Answer, rng: Generator) -> None:
    """With and without a separator at the end, another separator, a list, a longer text with separators well apart."""
    expect(f([7, 0, 8], 0), ref([7, 0, 8], 0))
    for separator in (102, 9):
        expect(f([5, 6, 102, 9, 4, 102], separator), ref([5, 6, 102, 9, 4, 102], separator))
    lengths = rng.integers(3, 7, size=5)
    tokens = np.concatenate([np.append(rng.integers(1, 90, size=n), 99) for n in lengths])
    expect(f(tokens, 99), ref(tokens, 99))


@criterion(
    "sentence_positions", points=1, says="no separator, one at the very beginning, or two in a row: tokens unchanged",
    contract=True, advice="a separator right behind another one is a sentence of one token: it stands at place 0.",
)  # fmt: skip
def odd_texts(f: Answer, ref: Answer, rng: Generator) -> None:
    """Texts on which shortcuts fail."""
    for tokens in ([3, 4, 5], [0, 7, 7], [4, 0, 0, 6, 0], [0]):
        expect(f(np.array(tokens), 0), ref(np.array(tokens), 0))

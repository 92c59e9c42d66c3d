"""03_learned: rows of a table, how they learn, which of them a token reads, and what a real table holds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport import minilm
from labsupport.checking import choice, criterion, differ, exercise, expect, notebook, refuses, require, value, written

Answer = Callable[..., np.ndarray]
Generator = np.random.Generator

notebook("03_learned", minutes=60)
exercise("lookup", notebook="03_learned", minutes=6)
value("bert_position_parameters", notebook="03_learned", points=1, atol=0, minutes=2)
value("gpt2_position_parameters", notebook="03_learned", points=1, atol=0, minutes=2)
exercise("lookup_gradient", notebook="03_learned", minutes=6)
exercise("position_ids_from_mask", notebook="03_learned", minutes=6)
value("variance_in_ten", notebook="03_learned", points=1, atol=0.005, minutes=5)
exercise("similarity_by_offset", notebook="03_learned", minutes=6)
exercise("positional_scores", notebook="03_learned", minutes=8)
choice("answer_past_the_end", notebook="03_learned", points=1, options="abcd", minutes=2)
written("why_a_table_ends", notebook="03_learned", points=2, minutes=6)


@criterion(
    "lookup", points=1, says="row p for position p, in the shape of the positions, up to the last row",
    advice="the result has one axis more than the positions: np.shape(positions) + (d,).",
)  # fmt: skip
def reads_rows(f: Answer, ref: Answer, rng: Generator) -> None:
    """Lists; one position; a square table; another one; batches; rows beyond 255; all types of whole numbers.

    Looking up twice is one longer look.
    """
    small, places = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [2, 0, 2]
    expect(f(small, places), ref(small, places))
    table = rng.normal(size=(4, 4))
    expect(f(table, np.array(3)), ref(table, np.array(3)))
    places = rng.permutation(4)
    expect(f(table, places), ref(table, places))
    other = table[::-1] + 1
    expect(f(other, places), ref(other, places))
    places = places.astype(np.int32)
    expect(f(other, places), ref(other, places))
    expect(f(other, [3]), ref(other, [3]))
    table, places = rng.normal(size=(300, 3)), rng.integers(256, 300, size=(2, 3, 4))
    places[0, 0, :2] = (0, 299)
    expect(f(table, places), ref(table, places))
    order, some = rng.permutation(6).astype(np.uint8), rng.integers(0, 6, size=(2, 5))
    table = rng.normal(size=(6, 5))
    expect(f(f(table, order), some), f(table, order[some]), what="rows of rows")


@criterion(
    "lookup", points=1, says="a position without a row is an IndexError that names both, a float a TypeError",
    contract=True,
    advice="look at the dtype of the positions first, then at the smallest and the largest, then read the rows.",
)  # fmt: skip
def refuses_the_rest(f: Answer, ref: Answer, rng: Generator) -> None:
    """Below, directly past the end and far past it, alone and among good ones; floats of both sizes, whole ones too."""
    table = rng.normal(size=(30, 2))
    for places in ([3, -1], [0, 30], [[29, 1], [2, 57]], -30, 1000):
        refuses(IndexError, f, table, np.array(places))
    for places in ([0.5, 1.0], [2.0, 1.0], 3.0):
        refuses(TypeError, f, table, np.array(places))
    refuses(TypeError, f, table, np.array([0.7, 2.0], dtype=np.float32))
    names_both(f, table, 57)
    names_both(f, table, -7)
    places = rng.permutation(30)
    expect(f(table, places), ref(table, places))


def names_both(f: Answer, table: np.ndarray, position: int) -> None:
    """Demand that the error for this position says which position it is and where the table ends."""
    error = f.attempt((table, np.array([4, position])), {}).error
    said, ends = str(error), (str(len(table)), str(len(table) - 1))
    require(
        not isinstance(error, IndexError) or (str(position) in said and any(end in said for end in ends)),
        f"the IndexError must name the position {position} and the {len(table)} rows of the table; yours says {said!r}",
    )


@criterion(
    "lookup_gradient", points=1, says="each row gets the sum over all places that read it, in a batch too",
    advice="by hand: positions [2, 0, 2] with gradients [[1, 2], [3, 4], [5, 6]] give the rows [3, 4], [0, 0], [6, 8].",
)  # fmt: skip
def rows_add_up(f: Answer, ref: Answer, rng: Generator) -> None:
    """Every table as long as its positions need; repeats within a text and between texts; as many features as rows.

    At last one feature, and calls that differ in one argument alone: an answer that keeps results must notice.
    """
    grad, places = [[1, 2], [3, 4], [5, 6]], [2, 0, 2]
    expect(f(grad, places, 3), ref(grad, places, 3))
    grad, places = rng.normal(size=(3, 5, 4)), np.array([[0, 1, 2, 3, 3], [1, 1, 1, 0, 2], [3, 2, 1, 0, 0]])
    expect(f(grad, places, 4), ref(grad, places, 4))
    grad, places = rng.normal(size=(2, 2, 6, 3)), rng.integers(0, 8, size=(2, 2, 6))
    places[0, 0, 0] = 7
    expect(f(grad, places, 8), ref(grad, places, 8))
    grad, places = rng.normal(size=(4, 1)), np.array([2, 0, 1, 2])
    for given in ((grad, places, 3), (-grad, places, 3), (-grad, 2 - places, 3), (-grad, 2 - places, 5)):
        expect(f(*given), ref(*given))


@criterion(
    "lookup_gradient", points=1, says="it fits the lookup, however long the table: rows that nobody read get zeros",
    contract=True, advice="print your result's shape for 3 positions and num_positions = 10; it must have 10 rows.",
)  # fmt: skip
def fits_the_lookup(f: Answer, ref: Answer, rng: Generator) -> None:
    """Rows of one text, far apart, so that most are unread: product with any table as that of what was read."""
    grad, places = rng.normal(size=(6, 3)), np.array([270, 4, 4, 299, 4, 258])
    got = np.asarray(f(grad, places, 320))
    expect(got.sum(axis=0), grad.sum(axis=0), what="the sum over all rows")
    table = rng.normal(size=(320, 3))
    read = ref.lookup(table, places)
    expect((got * table).sum(), (grad * read).sum(), what="the gradient times a table, summed")
    unread = np.delete(got, places, axis=0)
    expect(unread, np.zeros((316, 3)), what="the 316 rows that no place has read")


@criterion(
    "position_ids_from_mask", points=1, says="padding left or right: real tokens count from 0, padding gets 0",
    advice="by hand: [[F, T, T], [T, T, F]] gives [[0, 0, 1], [0, 1, 0]]. Count the real tokens up to each place.",
)  # fmt: skip
def both_sides(f: Answer, ref: Answer, rng: Generator) -> None:
    """One side, the other, both in a batch; whole numbers; as many texts as places."""
    mask = [[False, True, True], [True, True, False]]
    expect(f(mask), ref(mask))
    lengths = rng.permutation([1, 3, 4, 6])
    right = np.arange(6) < lengths[:, None]
    expect(f(right), ref(right))
    expect(f(right[:, ::-1]), ref(right[:, ::-1]))
    square = np.tril(np.ones((5, 5), dtype=bool))[rng.permutation(5)]
    expect(f(square), ref(square))


@criterion(
    "position_ids_from_mask", points=1, says="real tokens count 0, 1, 2, ... in any mask, a gap or a long text too",
    contract=True, advice="number the tokens of one row that are real; a place without a token must not be counted.",
)  # fmt: skip
def counts_real_tokens(f: Answer, ref: Answer, rng: Generator) -> None:
    """Only real tokens are looked at: gaps, rows of more than 255 tokens; a row without any is no error."""
    gap = np.array([[True, False, True, True, False, True]])
    expect(f(gap)[gap], np.arange(4), what="the positions of the real tokens")
    mask = rng.random(size=(3, 400)) < 0.8
    mask[1] = False
    got = f(mask)
    for row in (0, 2):
        expect(got[row][mask[row]], np.arange(mask[row].sum()), what=f"the positions of the real tokens of text {row}")


@criterion(
    "similarity_by_offset", points=1, says="the mean cosine of all pairs of rows k apart, k = 0, 1, ..., max_offset",
    advice="by hand: [[1, 0], [1, 0], [0, 2]] gives 1, 0.5 and 0. For k = 1 there are two pairs, for k = 2 one.",
)  # fmt: skip
def mean_cosines(f: Answer, ref: Answer, rng: Generator) -> None:
    """By hand, up to the last possible offset; rows of unequal length with a common part; short rows of all directions.

    The last two tables are of one size, for an answer that keeps results.
    """
    small = [[1, 0], [1, 0], [0, 2]]
    expect(f(small, 2), ref(small, 2))
    table = (rng.normal(size=(9, 5)) + 1.5) * rng.uniform(0.2, 5, size=(9, 1))
    expect(f(table, 3), ref(table, 3))
    for table in 0.2 * rng.normal(size=(2, 6, 6)):
        expect(f(table, 5), ref(table, 5))


@criterion(
    "similarity_by_offset", points=1, says="lengths and direction of reading do not matter; too large offsets refused",
    contract=True, advice="a cosine must not change when a row is made ten times longer; 6 rows have offsets 0 to 5.",
)  # fmt: skip
def cosine_properties(f: Answer, ref: Answer, rng: Generator) -> None:
    """Of the answer with itself: rows stretched, table reversed; the ends of the range; what is refused."""
    table = rng.normal(size=(12, 4)) + 0.5
    curve = f(table, 6)
    expect(f(table * rng.uniform(0.1, 9, size=(12, 1)), 6), curve, what="the same with rows of other lengths")
    expect(f(table[::-1], 6), curve, what="the same from the last row to the first")
    expect(np.asarray(curve)[0], 1.0, what="the similarity at offset 0")
    differ(np.asarray(curve)[1:4], np.asarray(curve)[2:5], "the similarity is the same at every offset")
    expect(f(table, 0), np.ones(1))
    refuses(ValueError, f, table, 12)
    refuses(ValueError, f, table, 40)


@criterion(
    "positional_scores", points=1, says="word and type added, LayerNorm of each row, then query times key / sqrt(32)",
    advice="print mean and standard deviation of one row after each step; before gain and bias they must be 0 and 1.",
)  # fmt: skip
def whole_formula(f: Answer, ref: Answer, rng: Generator) -> None:
    """Heads with every part large enough to be missed: biases, gain, an epsilon that counts; two rows first.

    At last one row alone, and the same rows with another head.
    """
    head = made_up_head(rng)
    rows = rng.normal(size=(2, 384)) * 0.6
    expect(f(rows, head), ref(rows, head))
    rows, head = rng.normal(size=(7, 384)) * rng.uniform(0.3, 1.2, size=(7, 1)), made_up_head(rng)
    expect(f(rows, head), ref(rows, head))
    expect(f(rows[:1], head), ref(rows[:1], head))
    head = made_up_head(rng)
    expect(f(rows[:1], head), ref(rows[:1], head))


@criterion(
    "positional_scores", points=1, says="a score depends on its two rows alone; head 2 prefers the row before",
    contract=True, advice="row i of the result is query i. Which axis does the mean of the LayerNorm run along?",
)  # fmt: skip
def two_rows_alone(f: Answer, ref: Answer, rng: Generator) -> None:
    """Parts, order, a constant on a row (which LayerNorm takes off); a window of the real table, away from its seams.

    All but the last are comparisons of the answer with itself, so that a forgotten part is charged once.
    """
    head, rows = made_up_head(rng), rng.normal(size=(6, 384)) * 0.6
    scores = np.asarray(f(rows, head))
    expect(f(rows[2:5], head), scores[2:5, 2:5], what="the scores of rows 2 to 4 alone")
    order = rng.permutation(6)
    expect(f(rows[order], head), scores[np.ix_(order, order)], what="the scores of the rows in another order")
    raised = rows + rng.uniform(1, 3, size=(6, 1))
    expect(f(raised, head), scores, what="the same with a constant added to each row")
    start = int(rng.integers(140, 480))
    window = np.asarray(f(minilm.position_table()[start : start + 20], minilm.head_parameters(2)))
    before = window[1:].argmax(axis=-1) == np.arange(19)
    require(before, f"of rows {start} to {start + 19} of the real table, each but the first scores the row before best")


def made_up_head(rng: Generator) -> dict[str, np.ndarray | float]:
    """Draw a head in which no part is small; its scores are a few units."""
    wq, wk = rng.normal(size=(2, 32, 384)) / 20
    bq, bk = rng.normal(size=(2, 32))
    gain, bias, kind, word = rng.normal(size=(4, 384)) * 0.4
    return {"wq": wq, "wk": wk, "bq": bq, "bk": bk, "ln_gain": 1 + gain, "ln_bias": bias, "ln_eps": 0.05,
            "token_type": kind, "mean_word": word}  # fmt: skip

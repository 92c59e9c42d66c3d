"""04_relative: scores that depend on how far apart two tokens stand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport.checking import choice, criterion, differ, exercise, expect, notebook, require, written

Answer = Callable[..., np.ndarray]
Generator = np.random.Generator

notebook("04_relative", minutes=75)
exercise("clipped_offsets", notebook="04_relative", minutes=4)
exercise("shaw_scores", notebook="04_relative", minutes=10)
exercise("skew", notebook="04_relative", minutes=8)
exercise("relative_position_bucket", notebook="04_relative", minutes=11)
exercise("t5_bias", notebook="04_relative", minutes=4)
choice("answer_xl_terms", notebook="04_relative", points=1, options="abcd", minutes=3)
written("when_sign_matters", notebook="04_relative", points=2, minutes=6)


@criterion(
    "clipped_offsets", points=1, says="key minus query, clipped to -K .. K, counted from 0", contract=True,
    advice="print clipped_offsets(3, 3, 1); its rows must be 1 2 2, then 0 1 2, then 0 0 1.",
)  # fmt: skip
def rows_of_the_table(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first; then more keys than queries and the other way round, a K beyond every offset, one far query.

    Neighbouring calls differ in one argument alone, for an answer that keeps results.
    """
    expect(f(3, 3, 1), ref(3, 3, 1))
    expect(f(2, 6, 3), ref(2, 6, 3))
    expect(f(5, 2, 2), ref(5, 2, 2))
    for sizes in ((4, 5, 9), (4, 5, 2), (4, 7, 2), (6, 7, 2)):
        expect(f(*sizes), ref(*sizes))
    index = f(7, 7, 2)
    expect(index + index.T, np.full((7, 7), 4), what="entry (i, j) plus entry (j, i)")
    n_q, n_k, most = int(rng.integers(8, 12)), int(rng.integers(13, 20)), int(rng.integers(3, 7))
    expect(f(n_q, n_k, most), ref(n_q, n_k, most))
    expect(f(1, 300, 150), ref(1, 300, 150))


def column(*numbers: float) -> np.ndarray:
    """Give vectors of one feature."""
    return np.array(numbers, dtype=float)[:, None]


@criterion(
    "shaw_scores", points=1, says="q_i . (k_j + r) / sqrt(d) for one sequence, as long as no offset is beyond K",
    advice="work the example with one feature out by hand; if it agrees, look at the division by sqrt(d).",
)  # fmt: skip
def one_sequence(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small by hand first; then n, m and d all different, and all equal. No offset is beyond K, so far.

    At last calls that differ in one argument alone, for an answer that keeps results.
    """
    q, k, table = column(1, 2), column(5, 7), column(10, 20, 30)
    expect(f(q, k, table, 1), ref(q, k, table, 1))
    for n, m, d, most in ((3, 5, 16, 4), (6, 2, 9, 8), (4, 4, 4, 3)):
        q, k, table = rng.normal(size=(n, d)), rng.normal(size=(m, d)), rng.normal(size=(2 * most + 1, d))
        expect(f(q, k, table, most), ref(q, k, table, most))
    for given in ((q + 1, k, table), (q + 1, k - 1, table), (q + 1, k - 1, table[::-1])):
        expect(f(*given, 3), ref(*given, 3))


@criterion(
    "shaw_scores", points=1, says="the query meets the row of its clipped offset, key minus query, at every length",
    advice="give it keys of zeros and one feature, so that only the rows of the table are left, and print the scores.",
)  # fmt: skip
def right_row(f: Answer, ref: Answer, rng: Generator) -> None:
    """Keys of zeros and one feature, so that a wrong scale is not counted twice; then two properties."""
    for n, m, most in ((3, 4, 1), (1, 7, 3), (7, 1, 2), (6, 9, 2), (6, 9, 4), (40, 3, 16)):
        q, k, table = column(*rng.uniform(1, 3, size=n)), np.zeros((m, 1)), column(*rng.normal(size=2 * most + 1))
        expect(f(q, k, table, most), ref(q, k, table, most))
    k, table = rng.normal(size=(5, 3)), rng.normal(size=(5, 3))
    expect(f(np.zeros((4, 3)), k, table, 2), np.zeros((4, 5)), what="the scores of queries of zeros")
    alike = np.ones((9, 3))
    scores = f(alike, alike, table, 2)
    expect(scores[1:, 1:], scores[:-1, :-1], what="nine tokens alike, one step down and to the right")
    differ(scores[0, 1], scores[1, 0], "tokens alike: the key after the query scores as the key before it does")


@criterion(
    "shaw_scores", points=1, says="any leading axes, lists of whole numbers, and no argument is changed", contract=True,
    advice="turn the last two axes of k alone, and leave the axes in front as they are.",
)  # fmt: skip
def leading_axes(f: Answer, ref: Answer, rng: Generator) -> None:
    """Compared with the answer's own result for one sequence, so that a wrong value is not counted a third time."""
    q, k, table = rng.normal(size=(2, 3, 4, 5)), rng.normal(size=(2, 3, 6, 5)), rng.normal(size=(13, 5))
    whole = f(q, k, table, 6)
    require(whole.shape == (2, 3, 4, 6), f"q (2, 3, 4, 5) and k (2, 3, 6, 5) must give (2, 3, 4, 6), not {whole.shape}")
    expect(whole[1, 2], f(q[1, 2], k[1, 2], table, 6), what="the last of six sequences, beside itself alone")
    q, k, table = rng.normal(size=(3, 3, 3)), rng.normal(size=(3, 3, 3)), rng.normal(size=(5, 3))
    expect(f(q, k, table, 2)[2], f(q[2], k[2], table, 2), what="the last of three sequences, beside itself alone")
    q, k, table = [[1, 0], [2, 1]], [[0, 1], [1, 1]], [[1, 2], [0, 0], [3, 1]]
    arrays = (np.array(a, dtype=float) for a in (q, k, table))
    expect(f(q, k, table, 1), f(*arrays, 1), what="lists of whole numbers, beside the same as arrays")


@criterion(
    "skew", points=1, says="entry (i, j) is column n - 1 - (i - j) of row i, wherever j <= i",
    advice="give it rows that all read 3, 2, 1, 0: on and below the diagonal the distance i - j must appear.",
)  # fmt: skip
def aligned(f: Answer, ref: Answer, rng: Generator) -> None:
    """The lower triangle alone: small, then larger, one token, leading axes of equal size; last row and diagonal."""
    logits = np.arange(1.0, 10.0).reshape(3, 3)
    expect(np.tril(f(logits)), np.tril(ref(logits)), what="on and below the diagonal")
    expect(f(np.array([[5.0]])), ref(np.array([[5.0]])))
    for n in (2, int(rng.integers(6, 10)), 40):
        logits = rng.normal(size=(n, n))
        got = f(logits)
        expect(np.tril(got), np.tril(ref(logits)), what="on and below the diagonal")
        expect(got[-1], logits[-1], what="the last row, which stays where it is")
        expect(np.diagonal(got), logits[:, -1], what="the diagonal, which is the last column")


@criterion(
    "skew", points=1, says="zeros above the diagonal, any leading axes, and the argument is not changed", contract=True,
    advice="print skew(np.ones((3, 3))): ones on and below the diagonal, zeros above it.",
)  # fmt: skip
def zeros_above(f: Answer, ref: Answer, rng: Generator) -> None:
    """What stands above; then batches beside the answer's own result for one matrix, equal sizes, lists."""
    for n in (3, 7):
        got = f(rng.normal(size=(n, n)))
        require(np.triu(got, 1) == 0, "above the diagonal, where j > i, every entry must be 0")
    batch = rng.normal(size=(2, 3, 5, 5))
    whole = f(batch)
    require(whole.shape == batch.shape, f"a batch of shape {batch.shape} must keep its shape; yours has {whole.shape}")
    expect(whole[1, 2], f(batch[1, 2]), what="the last of six matrices, beside itself alone")
    cube = rng.normal(size=(4, 4, 4))
    expect(f(cube)[3], f(cube[3]), what="the last of four matrices, beside itself alone")
    expect(f([[1, 2], [3, 4]]), f(np.array([[1.0, 2.0], [3.0, 4.0]])), what="a list, beside the same as an array")


# Where the logarithm gives a whole number (16, 32 and 64 of the defaults), rounding may decide: those are left out.
# So that no other such distance comes up by chance, max_distance is a prime number or was looked at.
BORDERS = (16, 32, 64)


def offsets(most: int) -> np.ndarray:
    """Give all offsets from -most to most except those on a border, in rising order."""
    return np.array([r for r in range(-most, most + 1) if abs(r) not in BORDERS])


def settings(rng: Generator, *sizes: tuple[int, int]) -> list[tuple[int, int]]:
    """Give pairs of num_buckets and max_distance: these, and one that is drawn."""
    return [*sizes, (2 * int(rng.integers(6, 12)), int(rng.choice([37, 53, 67, 101])))]


def buckets_of(f: Answer, ref: Answer, rng: Generator, both: bool, sizes: list[tuple[int, int]]) -> None:
    """Demand the right buckets in one mode: near, then all over the defaults, far, and with other sizes."""
    near = np.array([-3, -1, 0, 1, 2])
    expect(f(near, both), ref(near, both))
    every = offsets(140)
    expect(f(every, both), ref(every, both))
    far = np.array([-1900, -600, -129, 129, 600, 1900])
    expect(f(far, both), ref(far, both))
    for num_buckets, max_distance in sizes:
        some = offsets(max_distance + 9)
        expect(f(some, both, num_buckets, max_distance), ref(some, both, num_buckets, max_distance))
    falling = -np.arange(200)
    require(np.diff(f(falling, both, 12, 67)) >= 0, "looking back, a larger distance must never get a smaller bucket")


@criterion(
    "relative_position_bucket", points=1,
    says="both directions: half of the buckets for the past, the other half for the future",
    advice="with 8 buckets and max_distance 16, the offsets -6, -5, -1, 0, 1, 5, 6 go to 3, 2, 1, 0, 5, 6, 7.",
)  # fmt: skip
def both_directions(f: Answer, ref: Answer, rng: Generator) -> None:
    """The defaults, then other sizes: with 10 buckets, the exact and the logarithmic part are not of equal width."""
    buckets_of(f, ref, rng, True, settings(rng, (8, 16), (10, 50), (4, 11)))
    pair = np.array([-20, 20])
    expect(f(pair, num_buckets=16), ref(pair, num_buckets=16))
    expect(f(pair), ref(pair))
    expect(f(pair, max_distance=40), ref(pair, max_distance=40))


@criterion(
    "relative_position_bucket", points=1, says="bidirectional=False: all buckets for the past, bucket 0 for the future",
    advice="with bidirectional=False, the offsets -15, -3, 0, 1, 40 go to 15, 3, 0, 0, 0.",
)  # fmt: skip
def past_alone(f: Answer, ref: Answer, rng: Generator) -> None:
    """The defaults, then other sizes, down to the two buckets that are the least.

    With 20 buckets and 13 the last distances before max_distance lie several buckets below the last one.
    """
    buckets_of(f, ref, rng, False, settings(rng, (12, 29), (2, 7), (20, 13)))


@criterion(
    "relative_position_bucket", points=1, says="any shape, a list or a single number, and no argument is changed",
    contract=True, advice="begin with np.asarray(relative_position), and use np.where in place of if.",
)  # fmt: skip
def any_shape(f: Answer, ref: Answer, rng: Generator) -> None:
    """Compared with the answer's own result for a row of numbers, so that a wrong bucket is not counted again."""
    block = rng.integers(-15, 16, size=(2, 3, 4))
    row = block.ravel()
    for both in (True, False):
        expect(f(block, both), np.reshape(f(row, both), block.shape), what="an array with three axes")
        expect(f([-5, 0, 2], both), f(np.array([-5, 0, 2]), both), what="a list")
        expect(f(-5, both), f(np.array([-5]), both)[0], what="a single number")


@criterion(
    "t5_bias", points=1, says="entry (h, i, j) is row bucket(j - i), column h of the table, for every size and setting",
    contract=True, advice="with the table [[0, 10], [1, 11], [2, 12], [3, 13]], t5_bias(table, 1, 2)[1] is 10, 13.",
)  # fmt: skip
def looked_up(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first; causal and not, other bucket counts and distances, one query, equal sizes, a list.

    At last calls that differ in one argument alone, for an answer that keeps results.
    """
    table = np.arange(4.0)[:, None] + np.array([0.0, 10.0])
    expect(f(table, 2, 3), ref(table, 2, 3))
    for buckets, heads, n_q, n_k, both, most in (
        (32, 3, 12, 9, True, 128), (32, 3, 12, 9, False, 128), (10, 4, 5, 50, True, 37), (6, 2, 40, 6, False, 23),
        (8, 4, 4, 4, True, 16), (12, 1, 1, 200, True, 67), (32, 2, 130, 4, False, 101),
    ):  # fmt: skip
        table = rng.normal(size=(buckets, heads))
        expect(f(table, n_q, n_k, both, most), ref(table, n_q, n_k, both, most))
    table = rng.normal(size=(16, 2))
    bias = f(table, 9, 9, bidirectional=False, max_distance=29)
    expect(bias[:, 1:, 1:], bias[:, :-1, :-1], what="one step down and to the right")
    expect(f(table.tolist(), 3, 3), ref(table.tolist(), 3, 3))
    for given in (
        (table, 5, 70, True, 128), (table, 5, 70, True, 37), (table, 5, 70, False, 37), (table, 6, 70, False, 37),
        (table, 6, 75, False, 37), (table[::-1], 6, 75, False, 37),
    ):  # fmt: skip
        expect(f(*given), ref(*given))

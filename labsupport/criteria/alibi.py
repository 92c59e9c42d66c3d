"""06_alibi: a penalty that grows with distance, one slope per head."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport.checking import choice, criterion, differ, exercise, expect, notebook, refuses, require, written

Answer = Callable[..., np.ndarray]
Generator = np.random.Generator

notebook("06_alibi", minutes=60)
exercise("alibi_slopes", notebook="06_alibi", minutes=10)
exercise("alibi_bias", notebook="06_alibi", minutes=10)
exercise("alibi_bias_row", notebook="06_alibi", minutes=5)
exercise("effective_window", notebook="06_alibi", minutes=5)
choice("answer_row_constant", notebook="06_alibi", points=1, options="abcd", minutes=3)
written("why_no_bias_on_values", notebook="06_alibi", points=2, minutes=6)


@criterion(
    "alibi_slopes", points=1, says="1, 2, 4, 8, 16 heads: one geometric sequence that ends at 2**-8",
    advice="print your slopes for 2 heads, 1/16 and 1/256, and for 16 heads: there the exponents go up in halves.",
)  # fmt: skip
def powers_of_two(f: Answer, ref: Answer, rng: Generator) -> None:
    """Eight heads alone would let half of the faults pass: there the exponents are 1 to 8."""
    expect(f(2), ref(2))
    for heads in (1, 8, 4):
        expect(f(heads), ref(heads))
    slopes = np.asarray(f(16))
    gaps = slopes[1:] * slopes[0] - slopes[:-1] * slopes[1]
    require(np.abs(gaps) < 1e-6, "with 16 heads, each slope must be the one before times the same factor")
    expect(slopes, ref(16))
    expect(f(32), ref(32))


@criterion(
    "alibi_slopes", points=1, says="other counts: the power of two below, then every second slope of twice as many",
    advice="for 6 heads the first four slopes are those of 4 heads; the last two are the first and third of 8 heads.",
)  # fmt: skip
def other_head_counts(f: Answer, ref: Answer, rng: Generator) -> None:
    """One extra head (3, 5) hides which slopes are taken, so 6 and 12 follow; 112 is a published model."""
    expect(f(3), ref(3))
    slopes = f(6)
    require(len(np.unique(slopes)) == len(slopes), "with 6 heads, no two heads may have the same slope")
    expect(slopes, ref(6))
    expect(f(12), ref(12))
    for heads in (int(rng.integers(9, 16)), int(rng.integers(17, 32)), 112):
        expect(f(heads), ref(heads))


@criterion(
    "alibi_slopes", points=1, says="the contract: fewer than one head is refused, and nothing is kept between calls",
    contract=True, advice="one head has the slope 1/256; below 1, raise ValueError before you take any logarithm.",
)  # fmt: skip
def heads_contract(f: Answer, ref: Answer, rng: Generator) -> None:
    """Zero and a negative number, and one head, the smallest count there is."""
    refuses(ValueError, f, 0)
    refuses(ValueError, f, -4)
    expect(f(1), ref(1))


@criterion(
    "alibi_bias", points=1, says="every head: minus its own slope times |i - j|, for keys on both sides",
    advice="print alibi_bias(3, 2)[0]; its first row must be 0, -1/16, -2/16.",
)  # fmt: skip
def own_slope_times_distance(f: Answer, ref: Answer, rng: Generator) -> None:
    """Both directions, more heads than tokens and the other way round, a head count with the longer rule."""
    bias = f(3, 2)
    require(np.asarray(bias) <= 0, "with alpha = 1 no entry may be above 0: distance costs, it is never rewarded")
    expect(bias, ref(3, 2))
    bias = f(2, 8)
    differ(bias[0], bias[-1], "the first and the last head have the same bias: each head needs its own slope")
    expect(bias, ref(2, 8))
    bias = np.asarray(f(9, 6))
    require(
        np.abs(bias - np.swapaxes(bias, 1, 2)) < 1e-3, "the bias of (i, j) and of (j, i) must be equal: same distance"
    )
    expect(bias, ref(9, 6))
    expect(f(40, 3), ref(40, 3))
    expect(f(300, 2)[:, -1], ref.alibi_bias_row(299, 2), what="the last row for 300 tokens")


@criterion(
    "alibi_bias", points=1, says="alpha multiplies every slope, with causal or without",
    advice="compare alibi_bias(4, 2, alpha=3) with three times alibi_bias(4, 2).",
)  # fmt: skip
def alpha_multiplies(f: Answer, ref: Answer, rng: Generator) -> None:
    """Never 1, on both sides of 1, by name and by place, with as many heads as tokens; the visible part with causal."""
    expect(f(4, 2, alpha=3.0), ref(4, 2, alpha=3.0))
    expect(f(4, 4, 0.25), ref(4, 4, 0.25))
    alpha = float(rng.uniform(1.5, 4.0))
    scaled = f(12, 8, alpha)
    expect(scaled, alpha * np.asarray(f(12, 8)), what="alpha times your own bias with alpha = 1")
    expect(scaled, ref(12, 8, alpha))
    visible, want = np.tril(f(7, 4, alpha, True)), np.tril(ref(7, 4, alpha, True))
    expect(visible, want, what="the visible part, j <= i, with causal=True")


@criterion(
    "alibi_bias", points=1, says="causal=True: -inf for the future, the rest as before; nothing is kept between calls",
    contract=True, advice="print alibi_bias(3, 1, causal=True)[0], and with alpha=0: -inf above the diagonal, 0 on it.",
)  # fmt: skip
def future_hidden(f: Answer, ref: Answer, rng: Generator) -> None:
    """One token, then more; the same sizes again without causal; with alpha 0 the future stays hidden."""
    expect(f(1, 2, causal=True), ref(1, 2, causal=True))
    bias, want = f(3, 1, causal=True), ref(3, 1, causal=True)
    hides_what_it_should(bias, want)
    expect(bias, want)
    require(np.isfinite(f(3, 1)), "causal=False hides nothing: no entry may be infinite")
    n = int(rng.integers(6, 12))
    bias, want = f(n, 4, causal=True), ref(n, 4, causal=True)
    hides_what_it_should(bias, want)
    expect(bias, want)
    hides_what_it_should(f(4, 2, alpha=0.0, causal=True), ref(4, 2, alpha=0.0, causal=True))


def hides_what_it_should(bias: np.ndarray, want: np.ndarray) -> None:
    """Demand -inf exactly where the right bias has it, in words; a penalty that is only large does not hide."""
    hidden, ahead = np.isneginf(bias), np.isneginf(want)
    require(hidden >= ahead, "with causal=True every entry with j > i must be -inf")
    require(hidden <= ahead, "causal=True hides j > i alone; yours hides the token itself or the past as well")


@criterion(
    "alibi_bias_row", points=1, says="the last row of the causal bias, for any position, head count and alpha",
    contract=True, advice="print alibi_bias_row(3, 1); it must be one row: -3/256, -2/256, -1/256, 0.",
)  # fmt: skip
def row_for_decoding(f: Answer, ref: Answer, rng: Generator) -> None:
    """Position 0, small, far, alpha; and what it is for: the row of the whole bias."""
    expect(f(3, 1), ref(3, 1))
    expect(f(0, 2), ref(0, 2))
    heads = int(rng.integers(5, 8))
    expect(f(9, heads, 2.5), ref.alibi_bias(10, heads, 2.5, True)[:, -1])
    expect(f(7, 8, alpha=0.5), ref(7, 8, alpha=0.5))
    expect(f(1500, 3), ref(1500, 3))


@criterion(
    "effective_window", points=1, says="the smallest whole distance at which the factor is no more than the tolerance",
    contract=True, advice="print np.exp(-slope * distance) there and, unless it is 0, at one less (too large).",
)  # fmt: skip
def smallest_distance(f: Answer, ref: Answer, rng: Generator) -> None:
    """Whole numbers, near and far, other tolerances, 1 and beyond, and what is refused."""
    expect(f(0.5), ref(0.5))
    expect(f(2.0**-8), ref(2.0**-8))
    expect(f(0.25, 0.3), ref(0.25, 0.3))
    expect(f(3.0, tolerance=0.2), ref(3.0, tolerance=0.2))
    expect(f(2.0**-8, 1e-6), ref(2.0**-8, 1e-6))
    slope, tolerance = float(rng.uniform(0.05, 0.4)), float(10.0 ** rng.uniform(-9, -3))
    expect(f(slope, tolerance), ref(slope, tolerance))
    for generous in (1.0, 2.5):
        expect(f(0.5, generous), ref(0.5, generous))
    for slope, tolerance in ((0.0, 0.01), (-0.5, 0.01), (0.5, 0.0), (0.5, -0.1)):
        refuses(ValueError, f, slope, tolerance)

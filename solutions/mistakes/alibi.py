"""What people write instead of ALiBi, each with the sentence that a learner should read."""

from __future__ import annotations

import math

import numpy as np

from labsupport.checking.bank import mistake, options, right

# ---------------------------------------------------------------- alibi_slopes


def heads_refused(num_heads: int) -> None:
    """Keep the rest of the contract, so that a mistake below has one fault alone."""
    if num_heads < 1:
        raise ValueError("at least one head")


def power_below(num_heads: int) -> int:
    """Give the largest power of two that is not above num_heads."""
    return 1 << (num_heads.bit_length() - 1)


def sequence(heads: int) -> np.ndarray:
    """Give the slopes of a power of two."""
    return 0.5 ** (8 / heads * np.arange(1, heads + 1))


@mistake(
    "alibi_slopes",
    "first-slope-one",
    source="the outline's Lab 3",
    advice="print alibi_slopes(2); it must be 1/16 and 1/256.",
)
def first_slope_one(num_heads: int) -> np.ndarray:
    """Your heads are numbered from 0 in the exponent, so the first slope is 2**0 = 1 and the last one is too steep as
    well. The formula counts h from 0 and raises 2 to the power of -8(h + 1)/H: with 8 heads the slopes begin with 1/2
    and end with 1/256."""
    heads_refused(num_heads)
    low = power_below(num_heads)
    extra = 0.5 ** (8 / (2 * low) * np.arange(0, 2 * low))[0::2][: num_heads - low]
    return np.concatenate([0.5 ** (8 / low * np.arange(low)), extra])


@mistake("alibi_slopes", "outline-as-printed", source="the outline's Lab 3")
def outline_as_printed(num_heads: int) -> np.ndarray:
    """These are the outline's slopes: 2**(-8 h / H) from h = 0. The first slope is 1 instead of 2**(-8/H), and the
    one formula is used for every head count, although 3, 6 or 12 heads need a rule of their own."""
    heads_refused(num_heads)
    return 2.0 ** (-8.0 * np.arange(num_heads) / num_heads)


@mistake(
    "alibi_slopes",
    "one-sequence",
    source="ml-explore/mlx#3071, #343; discussed in baichuan-inc/Baichuan2#225",
    advice="print alibi_slopes(3); it must be 1/16, 1/256, 1/4.",
)
def one_sequence(num_heads: int) -> np.ndarray:
    """One geometric sequence for every head count. With 1, 2, 4 or 8 heads this is right, which is why a test with 8
    heads passes. Published models with 12 or 112 heads take the slopes of the power of two below and add every second
    slope of twice as many."""
    heads_refused(num_heads)
    return sequence(num_heads)


@mistake(
    "alibi_slopes",
    "extra-from-odd",
    source="folklore; the right slicing is shown in bigscience-workshop/Megatron-DeepSpeed#101",
)
def extra_from_odd(num_heads: int) -> np.ndarray:
    """Your extra heads repeat slopes that are there already. Of the finer sequence, the 2nd, 4th, 6th slope are those
    of the coarser one; the new ones are the 1st, 3rd and 5th, so counting must begin at the first."""
    heads_refused(num_heads)
    low = power_below(num_heads)
    return np.concatenate([sequence(low), sequence(2 * low)[1::2][: num_heads - low]])


@mistake("alibi_slopes", "extra-without-stride", advice="print alibi_slopes(6); no number may appear twice.")
def extra_without_stride(num_heads: int) -> np.ndarray:
    """Your extra heads take the finer sequence slope after slope. With one extra head (3, 5 or 9 heads) nothing
    shows; from the second one on, slopes appear twice. Every second one of the finer sequence is wanted."""
    heads_refused(num_heads)
    low = power_below(num_heads)
    return np.concatenate([sequence(low), sequence(2 * low)[: num_heads - low]])


@mistake(
    "alibi_slopes",
    "sorted",
    source="suggested in antofuller/CROMA#12",
    advice="print alibi_slopes(3); it must be 1/16, 1/256, 1/4, in this order.",
)
def sorted_slopes(num_heads: int) -> np.ndarray:
    """The numbers are right and their order is not: you merged the extra slopes into one falling list. A trained
    model knows its heads by their place, so the extra ones stand at the end, after the slopes of the power of two."""
    heads_refused(num_heads)
    return np.sort(right.alibi_slopes(num_heads))[::-1]


@mistake("alibi_slopes", "reversed")
def reversed_slopes(num_heads: int) -> np.ndarray:
    """The list stands the wrong way round: head 0 has the steepest slope, 2**(-8/H) for a power of two, and the
    following ones get gentler. Reversed, every head of a published model gets somebody else's slope."""
    heads_refused(num_heads)
    return right.alibi_slopes(num_heads)[::-1]


@mistake("alibi_slopes", "power-above")
def power_above(num_heads: int) -> np.ndarray:
    """For head counts that are no power of two you take the slopes of the power ABOVE and cut the list off. The
    gentle end is lost with it: with 6 heads nobody sees further than the slope 1/64. Start from the power of two
    below."""
    heads_refused(num_heads)
    return sequence(1 << (num_heads - 1).bit_length())[:num_heads]


@mistake("alibi_slopes", "halved-each-time")
def halved_each_time(num_heads: int) -> np.ndarray:
    """Your slopes halve from head to head whatever the number of heads. That is the case of 8 heads. The factor
    between neighbours is 2**(-8/H), so that every power of two spans the same range and ends at 1/256."""
    heads_refused(num_heads)
    low = power_below(num_heads)
    return np.concatenate([0.5 ** np.arange(1.0, low + 1), (0.5 ** np.arange(0.5, low))[: num_heads - low]])


@mistake("alibi_slopes", "whole-exponents")
def whole_exponents(num_heads: int) -> np.ndarray:
    """The exponents were rounded to whole numbers by //. Up to 8 heads nothing shows, because 8/H is whole; with 16
    heads the exponents must go up in halves, and yours make neighbouring heads equal."""
    heads_refused(num_heads)
    low = power_below(num_heads)
    first = [2.0 ** (-(8 * (h + 1) // low)) for h in range(low)]
    extra = [2.0 ** (-8 * (2 * h + 1) / (2 * low)) for h in range(num_heads - low)]
    return np.array(first + extra)


@mistake(
    "alibi_slopes",
    "power-strictly-below",
    advice="print the power of two that you find for 4, 5, 7 and 8 heads; it must be 4, 4, 4 and 8.",
)
def power_strictly_below(num_heads: int) -> np.ndarray:
    """A power of two is treated as if it were none: for 8 heads you start from 4 and add the other four at the end.
    The same numbers come out in another order. The power to start from may equal the number of heads."""
    heads_refused(num_heads)
    low = power_below(max(1, num_heads - 1))
    return np.concatenate([sequence(low), sequence(2 * low)[0::2][: num_heads - low]])


@mistake("alibi_slopes", "heads-unchecked")
def heads_unchecked(num_heads: int) -> np.ndarray:
    """Head counts below 1 are not refused: you return an empty list, and the error will surface far from its cause.
    Raise ValueError first."""
    return right.alibi_slopes(num_heads) if num_heads > 0 else np.zeros(0)


# ---------------------------------------------------------------- alibi_bias


def gaps(n: int) -> np.ndarray:
    """Give i - j for every query i and key j."""
    return np.subtract.outer(np.arange(n), np.arange(n))


def hide(bias: np.ndarray, causal: bool) -> np.ndarray:
    """Hide the future when it is asked for."""
    return np.where((gaps(bias.shape[-1]) < 0) & causal, -np.inf, bias)


def steep(num_heads: int) -> np.ndarray:
    """Give the right slopes, ready to meet rows and columns."""
    return right.alibi_slopes(num_heads).reshape(-1, 1, 1)


@mistake(
    "alibi_bias",
    "reward-for-distance",
    source="meta-pytorch/attention-gym#86; ofirpress/attention_with_linear_biases#9",
)
def reward_for_distance(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """The minus sign is missing: distance is rewarded, and the farthest token becomes the best one. The bias is 0 at
    the token itself and falls below 0 on both sides."""
    return hide(alpha * steep(num_heads) * np.abs(gaps(seq_len)), causal)


@mistake("alibi_bias", "one-alpha-for-all", source="the outline's ALiBi formula")
def one_alpha_for_all(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """All heads have the same bias, -alpha * |i - j|. That is the outline's formula with its single alpha; in ALiBi,
    every head has a slope of its own, and alpha multiplies all of them."""
    return hide(np.tile(-alpha * np.abs(gaps(seq_len)).astype(float), (num_heads, 1, 1)), causal)


@mistake("alibi_bias", "alpha-ignored")
def alpha_ignored(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """The bias is right for alpha = 1 and the same for every other alpha: the argument is not used."""
    return right.alibi_bias(seq_len, num_heads, 1.0, causal)


@mistake("alibi_bias", "alpha-as-power", advice="print alibi_bias(2, 1, alpha=2)[0]; off the diagonal stands -2/256.")
def alpha_as_power(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """You raised the slope to the power alpha. At alpha = 1 this is the same; alpha is a plain factor in front of
    every slope."""
    return hide(-(steep(num_heads) ** alpha) * np.abs(gaps(seq_len)), causal)


@mistake("alibi_bias", "key-position-only", source="mosaicml/llm-foundry#186; NVIDIA-NeMo/Speech#7105")
def key_position_only(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """Every query has the same row, -slope * (n - 1 - j). Some libraries do this: under a causal mask, each row
    differs from ALiBi by one constant, which softmax removes. Without that mask it is no distance, so this function
    gives the full |i - j|."""
    row = np.arange(1.0 - seq_len, 1.0) + np.zeros((seq_len, 1))
    return hide(alpha * steep(num_heads) * row, causal)


@mistake("alibi_bias", "blind-to-the-right")
def blind_to_the_right(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """Keys to the right of the query cost nothing, or are even rewarded, when causal is False: the distance was not
    made positive on that side. Without a mask, a key three to the right costs as much as one three to the left."""
    return hide(-alpha * steep(num_heads) * gaps(seq_len), causal)


@mistake("alibi_bias", "future-free")
def future_free(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """Keys to the right of the query cost nothing, or are even rewarded, when causal is False: the distance was not
    made positive on that side. Without a mask, a key three to the right costs as much as one three to the left."""
    return hide(-alpha * steep(num_heads) * np.maximum(gaps(seq_len), 0), causal)


@mistake("alibi_bias", "squared-distance")
def squared_distance(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """Your penalty grows with the square of the distance. At distances 0 and 1 nothing shows; the L in ALiBi stands
    for linear."""
    return hide(-alpha * steep(num_heads) * gaps(seq_len) ** 2.0, causal)


@mistake("alibi_bias", "whole-numbers", source="folklore (NumPy)")
def whole_numbers(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """The result is an array of whole numbers, so every penalty was cut towards 0 when you stored it, and -inf has no
    place in it at all. Make the array with dtype float."""
    out = np.zeros((num_heads, seq_len, seq_len), dtype=int)
    out[:] = -alpha * steep(num_heads) * np.abs(gaps(seq_len))
    if causal:
        out[:, gaps(seq_len) < 0] = -math.inf
    return out


@mistake("alibi_bias", "one-sequence-inside", source="ml-explore/mlx#3071")
def one_sequence_inside(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """The slopes inside are one geometric sequence, right for powers of two alone. With 3 or 6 heads they are not
    those of alibi_slopes: call your function instead of writing the formula a second time."""
    return hide(-alpha * sequence(num_heads).reshape(-1, 1, 1) * np.abs(gaps(seq_len)), causal)


@mistake("alibi_bias", "slopes-from-zero", source="the outline's Lab 3")
def slopes_from_zero(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """The slopes inside begin with 1: this is the outline's 2**(-8 h / H) from h = 0. Take them from alibi_slopes."""
    slopes = 2.0 ** (-8.0 * np.arange(num_heads) / num_heads)
    return hide(-alpha * slopes.reshape(-1, 1, 1) * np.abs(gaps(seq_len)), causal)


@mistake("alibi_bias", "byte-distances", source="vllm-project/tpu-inference#2756, with 16 bits")
def byte_distances(seq_len, num_heads, alpha=1.0, causal=False):
    """The positions are kept in one byte. Beyond 127 they start again at -128, and far keys look near."""
    place = np.arange(seq_len).astype(np.int8)
    with np.errstate(over="ignore"):
        distance = np.abs((place[:, None] - place[None, :]).astype(float))
    bias = -alpha * right.alibi_slopes(num_heads)[:, None, None] * distance
    return np.where(np.tri(seq_len, dtype=bool), bias, -np.inf) if causal else bias


@mistake("alibi_bias", "distance-capped", source="folklore; a clip as in Shaw et al. 2018")
def distance_capped(seq_len, num_heads, alpha=1.0, causal=False):
    """Beyond a certain distance the penalty stops growing. ALiBi has no such limit: that is why far tokens fade."""
    bias = right.alibi_bias(seq_len, num_heads, alpha, causal)
    floor = -64.0 * alpha * right.alibi_slopes(num_heads)[:, None, None]
    return np.where(np.isneginf(bias), bias, np.maximum(bias, floor))


@mistake("alibi_bias", "causal-ignored")
def causal_ignored(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """The flag causal changes nothing: the future stays visible. With causal=True every entry with j > i must be
    -inf."""
    return right.alibi_bias(seq_len, num_heads, alpha)


@mistake("alibi_bias", "causal-left-open", source="the matrix shown in NVIDIA-NeMo/Speech#7105")
def causal_left_open(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """With causal=True the future got a bias of 0, the best there is: a query would attend to later tokens first of
    all. Hidden means -inf, so that softmax gives a weight of exactly 0."""
    distance = np.maximum(gaps(seq_len), 0) if causal else np.abs(gaps(seq_len))
    return -alpha * steep(num_heads) * distance


@mistake("alibi_bias", "past-hidden", source="as in huggingface/transformers#14832 and other masks turned round")
def past_hidden(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """The mask is the wrong way round: the past is hidden and the future visible. Rows are queries i, columns keys j;
    hide the entries with j > i, above the diagonal."""
    return np.where((gaps(seq_len) > 0) & causal, -np.inf, right.alibi_bias(seq_len, num_heads, alpha))


@mistake("alibi_bias", "diagonal-hidden", source="pbloem/former#10; huggingface/transformers#14832")
def diagonal_hidden(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """The diagonal is hidden as well, so the first token has nothing to attend to and softmax gives NaN. A token may
    see itself: hide j > i, not j >= i."""
    return np.where((gaps(seq_len) <= 0) & causal, -np.inf, right.alibi_bias(seq_len, num_heads, alpha))


@mistake("alibi_bias", "finite-future", source="folklore; the constant is discussed in abisee/pointer-generator#88")
def finite_future(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """The future has a large negative number instead of -inf. A penalty can get larger than any number you choose,
    far enough away, and then the future becomes the better key. Use -np.inf."""
    bias = right.alibi_bias(seq_len, num_heads, alpha, causal)
    return np.where(np.isinf(bias), -1e9, bias)


@mistake("alibi_bias", "nothing-times-infinity")
def nothing_times_infinity(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """With alpha = 0 the hidden entries become NaN: you put infinity in first and multiplied by alpha afterwards, and
    0 times infinity is not a number. Multiply first and hide at the end."""
    distance = np.where((gaps(seq_len) < 0) & causal, np.inf, np.abs(gaps(seq_len)))
    with np.errstate(invalid="ignore"):
        return -alpha * steep(num_heads) * distance


_KEPT: dict[str, np.ndarray] = {}


@mistake(
    "alibi_bias",
    "kept-by-size",
    source="as in huggingface/candle#899, where the bias of the first step is used again",
    advice="call alibi_bias(3, 1) and alibi_bias(3, 1, causal=True) one after the other.",
)
def kept_by_size(seq_len: int, num_heads: int, alpha: float = 1.0, causal: bool = False) -> np.ndarray:
    """The last bias is kept and used again whenever the sizes are the same, even though alpha or causal has changed.
    Whatever is kept must be known by all the arguments, not by the sizes alone."""
    shape = (num_heads, seq_len, seq_len)
    if "bias" not in _KEPT or _KEPT["bias"].shape != shape:
        _KEPT["bias"] = right.alibi_bias(seq_len, num_heads, alpha, causal)
    return _KEPT["bias"]


# ---------------------------------------------------------------- alibi_bias_row


@mistake("alibi_bias_row", "one-key-short", advice="print the shape of alibi_bias_row(0, 2); it must be (2, 1).")
def one_key_short(position: int, num_heads: int, alpha: float = 1.0) -> np.ndarray:
    """One key is missing: at position p there are p + 1 keys, 0 to p, because the token attends to itself as well."""
    return right.alibi_bias_row(position, num_heads, alpha)[:, :-1]


@mistake("alibi_bias_row", "alpha-ignored")
def row_alpha_ignored(position: int, num_heads: int, alpha: float = 1.0) -> np.ndarray:
    """The row is right for alpha = 1 and the same for every other alpha: the argument is not used."""
    return right.alibi_bias_row(position, num_heads)


@mistake("alibi_bias_row", "row-turned-round")
def row_turned_round(position: int, num_heads: int, alpha: float = 1.0) -> np.ndarray:
    """The row is the wrong way round: the oldest key, j = 0, stands first and is the farthest, so the penalty is
    largest at the left and 0 at the right end."""
    return right.alibi_bias_row(position, num_heads, alpha)[:, ::-1]


@mistake("alibi_bias_row", "from-the-left", source="Bloom's form; ofirpress/attention_with_linear_biases#9")
def from_the_left(position: int, num_heads: int, alpha: float = 1.0) -> np.ndarray:
    """This is +slope * j, the form of some libraries. It differs from the row asked for by one constant per head,
    which softmax removes, so a decoder would not notice. Here the row must be that of alibi_bias: 0 at the token
    itself."""
    return alpha * right.alibi_slopes(num_heads)[:, None] * np.arange(position + 1.0)


@mistake("alibi_bias_row", "reward-for-distance", source="meta-pytorch/attention-gym#86")
def row_reward_for_distance(position: int, num_heads: int, alpha: float = 1.0) -> np.ndarray:
    """The minus sign is missing: the oldest token becomes the best one. The row is 0 at its right end and falls to
    the left."""
    return -right.alibi_bias_row(position, num_heads, alpha)


@mistake("alibi_bias_row", "length-one", source="keras-team/keras-hub#2862, #2977")
def length_one(position: int, num_heads: int, alpha: float = 1.0) -> np.ndarray:
    """This is the bias of a text of one token: a single 0 per head. It would be added to every key alike, and the
    generation would run without positions. The row has one entry for each of the position + 1 keys."""
    return np.zeros((num_heads, 1))


@mistake("alibi_bias_row", "one-sequence-inside", source="ml-explore/mlx#3071")
def row_one_sequence(position: int, num_heads: int, alpha: float = 1.0) -> np.ndarray:
    """The slopes inside are one geometric sequence, right for powers of two alone. Take them from alibi_slopes."""
    return -alpha * sequence(num_heads)[:, None] * np.arange(position, -1.0, -1.0)


# ---------------------------------------------------------------- effective_window


def settings_refused(slope: float, tolerance: float) -> None:
    """Keep the rest of the contract, so that a mistake below has one fault alone."""
    if slope <= 0 or tolerance <= 0:
        raise ValueError("slope and tolerance must be positive")


@mistake("effective_window", "rounded-down")
def rounded_down(slope: float, tolerance: float = 0.01) -> int:
    """Your distance is one too small: the exact crossing lies between two whole distances, and you took the nearer
    side, where the factor is still above the tolerance."""
    settings_refused(slope, tolerance)
    return max(0, math.floor(-math.log(tolerance) / slope))


@mistake("effective_window", "rounded-to-nearest", advice="print effective_window(0.5); it must be 10.")
def rounded_to_nearest(slope: float, tolerance: float = 0.01) -> int:
    """The crossing was rounded to the nearest whole distance. For slope 1/256 that gives the right 1179 by luck, for
    slope 1/2 it gives 9, where the factor is still above the tolerance."""
    settings_refused(slope, tolerance)
    return max(0, round(-math.log(tolerance) / slope))


@mistake("effective_window", "other-logarithm")
def other_logarithm(slope: float, tolerance: float = 0.01) -> int:
    """You took the logarithm to base 10. The factor is e to the power of -slope * distance, so its inverse is the
    natural logarithm."""
    settings_refused(slope, tolerance)
    return max(0, math.ceil(-math.log10(tolerance) / slope))


@mistake("effective_window", "halving")
def halving(slope: float, tolerance: float = 0.01) -> int:
    """You took the logarithm to base 2. The slopes are powers of 2, but the factor is e to the power of -slope *
    distance, so its inverse is the natural logarithm."""
    settings_refused(slope, tolerance)
    return max(0, math.ceil(-math.log2(tolerance) / slope))


@mistake("effective_window", "tolerance-ignored", advice="print effective_window(0.5, 0.1); it must be 5.")
def tolerance_ignored(slope: float, tolerance: float = 0.01) -> int:
    """The distance is right for a tolerance of 0.01 and the same for every other: the argument is not used."""
    settings_refused(slope, tolerance)
    return math.ceil(-math.log(0.01) / slope)


@mistake("effective_window", "float", source="folklore (NumPy)")
def as_float(slope: float, tolerance: float = 0.01) -> float:
    """The number is right and its type is not: np.ceil returns a float, and a count of tokens is an int."""
    settings_refused(slope, tolerance)
    return max(0.0, float(np.ceil(-np.log(tolerance) / slope)))


@mistake("effective_window", "negative-distance", advice="print effective_window(0.5, 2.0); it must be 0.")
def negative_distance(slope: float, tolerance: float = 0.01) -> int:
    """With a tolerance above 1 you return a negative distance. Nothing needs to be waited for: at distance 0 the
    factor is 1, which is within the tolerance already."""
    settings_refused(slope, tolerance)
    return math.ceil(-math.log(tolerance) / slope)


@mistake("effective_window", "one-too-many", advice="print effective_window(0.5, 1.0); it must be 0.")
def one_too_many(slope: float, tolerance: float = 0.01) -> int:
    """With a tolerance of 1 or more the distance is 0, and yours is 1. Cutting off and adding 1, or never going below
    1, is not rounding up."""
    settings_refused(slope, tolerance)
    return int(max(0.0, -math.log(tolerance) / slope)) + 1


@mistake("effective_window", "search-that-stops")
def search_that_stops(slope: float, tolerance: float = 0.01) -> int:
    """You try one distance after the other and stop at 1000. The gentle heads need more: slope 1/256 comes to
    1179."""
    settings_refused(slope, tolerance)
    return next((d for d in range(1000) if math.exp(-slope * d) <= tolerance), 1000)


@mistake("effective_window", "settings-unchecked")
def settings_unchecked(slope: float, tolerance: float = 0.01) -> int:
    """A slope or tolerance of 0 or below is not refused, and a number comes back that means nothing. A flat or rising
    bias never reaches a tolerance: raise ValueError."""
    if slope <= 0 or tolerance <= 0:
        return 0
    return right.effective_window(slope, tolerance)


# ---------------------------------------------------------------- answer_row_constant

options(
    "answer_row_constant",
    a="""The scores of late rows do get larger, but all scores of such a row grow by the same amount. Softmax looks at
    differences inside one row, and those stay.""",
    b="""The mask has nothing to do with it: the same number is added to every key of the row, visible or not. (The
    two forms of ALiBi, +slope * j and -slope * |i - j|, are another matter. To the right of the query they do not
    differ by a constant.)""",
    c="""exp(s + c i) = exp(s) exp(c i): the factor exp(c i) stands in every term of the row, above and below the
    fraction line, and cancels. This is why libraries may store +slope * j for a causal model.""",
    d="""Rows are not compared with each other: softmax runs along the keys of one query. Row 0 is not special.""",
)

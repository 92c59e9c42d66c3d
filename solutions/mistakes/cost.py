"""Wrong answers of 10_cost: what people count, forget to count, and lose between two blocks."""

from __future__ import annotations

import numpy as np

from labsupport.checking.bank import mistake, options, right

# ---------------------------------------------------------------- position_parameters


def trained(scheme, max_len, d_model, num_heads, num_buckets, **other):
    """Give the right count, with the entries in `other` put in its place."""
    count = right.position_parameters(scheme, max_len, d_model, num_heads, num_buckets)
    return other.get(scheme, count)


@mistake("position_parameters", "sinusoidal-counted", source="the outline, which sets both tables side by side")
def sinusoidal_counted(scheme, max_len, d_model, num_heads, num_buckets=32):
    """The sinusoidal table is counted as trained. It has as many numbers as a learned one, but a formula gives them:
    training changes none of them, and no checkpoint has to store them."""
    return trained(scheme, max_len, d_model, num_heads, num_buckets, sinusoidal=max_len * d_model)


@mistake("position_parameters", "slopes-counted")
def slopes_counted(scheme, max_len, d_model, num_heads, num_buckets=32):
    """ALiBi's slopes are counted, one per head. They are fixed before training starts and never change, so they are
    no parameters."""
    return trained(scheme, max_len, d_model, num_heads, num_buckets, alibi=num_heads)


@mistake("position_parameters", "frequencies-counted")
def frequencies_counted(scheme, max_len, d_model, num_heads, num_buckets=32):
    """RoPE's frequencies are counted. They follow from the base and the width of a head; nothing about them is
    trained."""
    return trained(scheme, max_len, d_model, num_heads, num_buckets, rotary=d_model // num_heads // 2)


@mistake("position_parameters", "buckets-ignored", advice='print position_parameters("t5", 3, 4, 2, num_buckets=8).')
def buckets_ignored(scheme, max_len, d_model, num_heads, num_buckets=32):
    """The number of buckets is always 32, whatever the argument num_buckets says."""
    return trained(scheme, max_len, d_model, num_heads, 32)


@mistake("position_parameters", "t5-one-head", advice='print position_parameters("t5", 3, 4, 2): two heads share none.')
def t5_one_head(scheme, max_len, d_model, num_heads, num_buckets=32):
    """The T5 bias is counted for one head. Every head has its own number for every bucket; what is shared are the
    layers."""
    return trained(scheme, max_len, d_model, num_heads, num_buckets, t5=num_buckets)


@mistake("position_parameters", "t5-vectors")
def t5_vectors(scheme, max_len, d_model, num_heads, num_buckets=32):
    """You counted a vector of the model's width for each bucket. T5's bias is a plain number that is added to a score,
    one for each bucket and head."""
    return trained(scheme, max_len, d_model, num_heads, num_buckets, t5=num_buckets * d_model)


@mistake("position_parameters", "t5-per-distance")
def t5_per_distance(scheme, max_len, d_model, num_heads, num_buckets=32):
    """You counted a number for every distance, so the count grows with max_len. T5 puts the distances into buckets,
    and all distances of a bucket share one number."""
    return trained(scheme, max_len, d_model, num_heads, num_buckets, t5=(2 * max_len - 1) * num_heads)


@mistake("position_parameters", "learned-per-head")
def learned_per_head(scheme, max_len, d_model, num_heads, num_buckets=32):
    """The learned table is counted once per head. It is added to the token before the heads are split: one row of
    d_model numbers for each position, for all heads together."""
    return trained(scheme, max_len, d_model, num_heads, num_buckets, learned=max_len * d_model * num_heads)


@mistake("position_parameters", "learned-one-row-more")
def learned_one_row_more(scheme, max_len, d_model, num_heads, num_buckets=32):
    """The learned table has one row too many. Positions 0 to max_len - 1 are max_len rows; a spare row, as some
    published models have it, is not asked for here."""
    return trained(scheme, max_len, d_model, num_heads, num_buckets, learned=(max_len + 1) * d_model)


@mistake("position_parameters", "learned-positions-alone")
def learned_positions_alone(scheme, max_len, d_model, num_heads, num_buckets=32):
    """The learned table is counted by its rows. Every row is a vector of d_model numbers, and each of them is
    trained."""
    return trained(scheme, max_len, d_model, num_heads, num_buckets, learned=max_len)


# ---------------------------------------------------------------- scaling_exponent


def logs(sizes, costs):
    """Give the natural logarithms of both."""
    return np.log(np.asarray(sizes, dtype=float)), np.log(np.asarray(costs, dtype=float))


@mistake("scaling_exponent", "end-points-alone", advice="use all points: with three or more, the ends do not decide.")
def end_points_alone(sizes, costs):
    """Only the first and the last point count. Where the points lie on one line that gives the same; where they do
    not, everything between the ends is thrown away."""
    x, y = logs(sizes, costs)
    return (y[-1] - y[0]) / (x[-1] - x[0])


@mistake("scaling_exponent", "extremes-alone")
def extremes_alone(sizes, costs):
    """Only the smallest and the largest size count. A line of least squares uses every point."""
    x, y = logs(sizes, costs)
    return (y[x.argmax()] - y[x.argmin()]) / (x.max() - x.min())


@mistake("scaling_exponent", "without-logarithms")
def without_logarithms(sizes, costs):
    """The line is fitted to the costs as they are. Its slope says how many units a cost grows per unit of size; an
    exponent is the slope between the two logarithms."""
    return np.polyfit(np.asarray(sizes, dtype=float), np.asarray(costs, dtype=float), 1)[0]


@mistake("scaling_exponent", "one-logarithm")
def one_logarithm(sizes, costs):
    """Only the costs are taken as logarithms. That slope is the rate of an exponential; for a power, sizes need their
    logarithm as well."""
    return np.polyfit(np.asarray(sizes, dtype=float), logs(sizes, costs)[1], 1)[0]


@mistake("scaling_exponent", "through-the-origin", advice="a cost of 7 * size has the exponent 1; what do you get?")
def through_the_origin(sizes, costs):
    """The line is forced through the origin, as if a size of 1 had to cost 1. A constant factor in the costs then
    changes the exponent, and it must not: fit a line with a height of its own."""
    x, y = logs(sizes, costs)
    return (x * y).sum() / (x * x).sum()


@mistake("scaling_exponent", "axes-exchanged")
def axes_exchanged(sizes, costs):
    """The axes are exchanged: this is how the size grows with the cost. For a cost that is the square of the size it
    gives one half instead of two."""
    x, y = logs(sizes, costs)
    spread = y - y.mean()
    return (spread * x).sum() / max((spread * spread).sum(), 1e-12)


@mistake("scaling_exponent", "height-for-slope", source="folklore (np.polyfit gives the highest power first)")
def height_for_slope(sizes, costs):
    """You returned the height of the line and not its slope. np.polyfit gives the coefficient of the highest power
    first."""
    return np.polyfit(*logs(sizes, costs), 1)[1]


@mistake("scaling_exponent", "slope-and-height", source="folklore (np.polyfit)")
def slope_and_height(sizes, costs):
    """You returned both numbers of the line, slope and height. The exponent is the slope alone."""
    return np.polyfit(*logs(sizes, costs), 1)


@mistake("scaling_exponent", "mean-of-the-steps")
def mean_of_the_steps(sizes, costs):
    """This is the mean of the slopes from each point to the next. Unless the points are evenly spaced it is not the
    line of least squares, and it changes when the points come in another order."""
    x, y = logs(sizes, costs)
    return (np.diff(y) / np.diff(x)).mean()


@mistake("scaling_exponent", "two-bases")
def two_bases(sizes, costs):
    """The two logarithms have different bases. Either base is fine as long as both are the same: the slope is a ratio,
    and then the base drops out."""
    x, y = logs(sizes, costs)
    return np.polyfit(x, y / np.log(2), 1)[0]


@mistake("scaling_exponent", "small-costs-count-little")
def small_costs_count_little(sizes, costs):
    """The points are weighted by their costs, so the largest one decides nearly alone. Here every point counts the
    same."""
    x, y = logs(sizes, costs)
    return np.polyfit(x, y, 1, w=np.sqrt(np.asarray(costs, dtype=float)))[0]


# ---------------------------------------------------------------- bias_bytes


@mistake("bias_bytes", "one-head", advice='print bias_bytes(3, 5, "float64"); five heads, nine pairs, eight bytes.')
def one_head(seq_len, num_heads, dtype):
    """The heads are not counted: every head has a matrix of its own."""
    return seq_len * seq_len * np.dtype(dtype).itemsize


@mistake("bias_bytes", "bits")
def bias_bits(seq_len, num_heads, dtype):
    """These are bits: a float32 has 32 of them, and they make 4 bytes."""
    return right.bias_bytes(seq_len, num_heads, dtype) * 8


@mistake("bias_bytes", "always-eight")
def always_eight(seq_len, num_heads, dtype):
    """Every number is counted with 8 bytes, NumPy's usual float64. The argument dtype says what the numbers are."""
    return num_heads * seq_len * seq_len * 8


@mistake("bias_bytes", "numbers-not-bytes")
def numbers_not_bytes(seq_len, num_heads, dtype):
    """You counted the numbers and not their bytes."""
    return num_heads * seq_len * seq_len


@mistake("bias_bytes", "causal-half")
def causal_half(seq_len, num_heads, dtype):
    """You counted the entries on and below the diagonal. An array holds the upper half as well, whether anybody looks
    at it or not."""
    return num_heads * (seq_len * (seq_len + 1) // 2) * np.dtype(dtype).itemsize


@mistake("bias_bytes", "one-row")
def one_row(seq_len, num_heads, dtype):
    """This is one row per head, what the newest token of a decoder needs. The whole bias has a row for every query."""
    return num_heads * seq_len * np.dtype(dtype).itemsize


@mistake("bias_bytes", "name-not-looked-up", advice='np.dtype("float32") is a type; the plain text "float32" is not.')
def bias_name_not_looked_up(seq_len, num_heads, dtype):
    """dtype may be a name, and a text has no itemsize. np.dtype(dtype) makes a type of a name and leaves a type as it
    is."""
    return num_heads * seq_len * seq_len * dtype.itemsize


# ---------------------------------------------------------------- kv_cache_bytes


@mistake("kv_cache_bytes", "keys-alone")
def keys_alone(seq_len, layers, kv_heads, head_dim, dtype, batch=1):
    """The cache is half as large as it must be: it holds a key and a value for each token."""
    return right.kv_cache_bytes(seq_len, layers, kv_heads, head_dim, dtype, batch) // 2


@mistake("kv_cache_bytes", "batch-ignored")
def batch_ignored(seq_len, layers, kv_heads, head_dim, dtype, batch=1):
    """The argument batch is not used. Each text of a batch has keys and values of its own."""
    return right.kv_cache_bytes(seq_len, layers, kv_heads, head_dim, dtype)


@mistake("kv_cache_bytes", "one-layer")
def one_layer(seq_len, layers, kv_heads, head_dim, dtype, batch=1):
    """The layers are not counted. Every layer has keys and values of its own, made from what the layer below gave."""
    return right.kv_cache_bytes(seq_len, 1, kv_heads, head_dim, dtype, batch)


@mistake("kv_cache_bytes", "one-head")
def cache_one_head(seq_len, layers, kv_heads, head_dim, dtype, batch=1):
    """The key-value heads are not counted: each of them keeps a key and a value per token."""
    return right.kv_cache_bytes(seq_len, layers, 1, head_dim, dtype, batch)


@mistake("kv_cache_bytes", "width-forgotten")
def width_forgotten(seq_len, layers, kv_heads, head_dim, dtype, batch=1):
    """A key is counted as one number. It is a vector of head_dim numbers, and so is a value."""
    return right.kv_cache_bytes(seq_len, layers, kv_heads, 1, dtype, batch)


@mistake("kv_cache_bytes", "pairs-of-tokens")
def pairs_of_tokens(seq_len, layers, kv_heads, head_dim, dtype, batch=1):
    """The length is squared, as in a matrix of scores. The cache holds tokens, not pairs of tokens: its size grows
    with the first power of the length."""
    return right.kv_cache_bytes(seq_len * seq_len, layers, kv_heads, head_dim, dtype, batch)


@mistake("kv_cache_bytes", "bits")
def cache_bits(seq_len, layers, kv_heads, head_dim, dtype, batch=1):
    """These are bits: a float16 has 16 of them, and they make 2 bytes."""
    return right.kv_cache_bytes(seq_len, layers, kv_heads, head_dim, dtype, batch) * 8


@mistake("kv_cache_bytes", "always-two")
def always_two(seq_len, layers, kv_heads, head_dim, dtype, batch=1):
    """Every number is counted with 2 bytes. That is right for float16; the argument dtype may name another type."""
    return right.kv_cache_bytes(seq_len, layers, kv_heads, head_dim, "float16", batch)


@mistake(
    "kv_cache_bytes", "name-not-looked-up", advice='np.dtype("float16") is a type; the plain text "float16" is not.'
)
def cache_name_not_looked_up(seq_len, layers, kv_heads, head_dim, dtype, batch=1):
    """dtype may be a name, and a text has no itemsize. np.dtype(dtype) makes a type of a name and leaves a type as it
    is."""
    return 2 * seq_len * layers * kv_heads * head_dim * batch * dtype.itemsize


# ---------------------------------------------------------------- answer_view_in_attention

options(
    "answer_view_in_attention",
    a="The view itself needs almost nothing more as the text grows, but attention adds it to an array of scores.",
    b="The power 1 belongs to the numbers behind the view, 2n - 1 per head. The sum of scores and view is an array of "
    "its own, with an entry for every query and key.",
    c="The view saves the bias. The scores themselves have an entry for every head, query and key, and so has their "
    "sum with the view: they grow with the square.",
    d="Heads, queries and keys are three axes, but the number of heads does not grow with the text. Two axes do.",
)

# ---------------------------------------------------------------- alibi_attention_rowwise


def floats(*arrays):
    """Make float arrays of lists and of whole numbers, so that a mistake below has one fault alone."""
    return [np.asarray(a, dtype=float) for a in arrays]


def weights_of(scores):
    """Give the softmax along the keys."""
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def pieces(n, block):
    """Cut the queries 0 to n - 1 into blocks."""
    return [np.arange(start, min(start + block, n)) for start in range(0, n, block)]


def in_blocks(q, k, v, slopes, block, score=None, weigh=weights_of):
    """Attend block by block; `score(q, k, slope, i, j)` may replace the right scores, `weigh` the softmax."""
    q, k, v, slopes = floats(q, k, v, slopes)
    score = score or right_scores
    out = np.zeros(q.shape)
    for rows in pieces(q.shape[1], block):
        i, j = rows[:, None], np.arange(rows[-1] + 1)
        out[:, rows] = weigh(score(q[:, rows], k[:, j], slopes[:, None, None], i, j)) @ v[:, j]
    return out


def products(q, k):
    """Give q k for every query and key of every head."""
    return np.einsum("hid,hjd->hij", q, k)


def right_scores(q, k, slope, i, j):
    """Give the scores that the exercise asks for."""
    return np.where(j <= i, products(q, k) / np.sqrt(q.shape[-1]) - slope * (i - j), -np.inf)


@mistake("alibi_attention_rowwise", "blocks-on-their-own", source="folklore (chunked attention)")
def blocks_on_their_own(q, k, v, slopes, block):
    """Each block attends to its own tokens alone, as if every block were a text by itself. The cut is in the queries:
    the keys of all earlier blocks are still to be read."""
    q, k, v = floats(q, k, v)
    parts = [in_blocks(q[:, r], k[:, r], v[:, r], slopes, len(r)) for r in pieces(q.shape[1], block)]
    return np.concatenate(parts, axis=1)


@mistake(
    "alibi_attention_rowwise",
    "queries-counted-from-the-block",
    source="as in huggingface/transformers#19045, where cached queries all stood at position 0",
)
def queries_counted_from_the_block(q, k, v, slopes, block):
    """Inside a block the queries are counted from 0 again. The first query of the second block stands at position
    `block`, not at 0: distances and the causal rule need the position in the whole text."""

    def score(q, k, slope, i, j):
        return right_scores(q, k, slope, i - i[0, 0], j)

    return in_blocks(q, k, v, slopes, block, score)


@mistake("alibi_attention_rowwise", "distances-of-the-first-block")
def distances_of_the_first_block(q, k, v, slopes, block):
    """Who may be seen is right, and the distances are not: inside a block the queries are counted from 0 again, so in
    later blocks the first tokens of the text count as near, and a token's own key as far away."""

    def score(q, k, slope, i, j):
        return np.where(j <= i, products(q, k) / np.sqrt(q.shape[-1]) - slope * np.abs(i - i[0, 0] - j), -np.inf)

    return in_blocks(q, k, v, slopes, block, score)


@mistake("alibi_attention_rowwise", "last-piece-dropped", advice="print the last row for n = 3 and block = 2.")
def last_piece_dropped(q, k, v, slopes, block):
    """The last block is missing when n is no multiple of block: n // block counts whole blocks. The tokens behind them
    keep whatever the result held before."""
    q, k, v = floats(q, k, v)
    n = q.shape[1] // block * block
    out = np.zeros(q.shape)
    if n:
        out[:, :n] = in_blocks(q[:, :n], k[:, :n], v[:, :n], slopes, block)
    return out


@mistake(
    "alibi_attention_rowwise", "future-inside-the-block", advice="the first token sees itself alone: its row is v[0]."
)
def future_inside_the_block(q, k, v, slopes, block):
    """The keys end with the block, but inside the block a query still sees the tokens behind it. With block = 1 nobody
    notices. Each row needs its own end: j <= i."""

    def score(q, k, slope, i, j):
        return products(q, k) / np.sqrt(q.shape[-1]) - slope * np.abs(i - j)

    return in_blocks(q, k, v, slopes, block, score)


@mistake("alibi_attention_rowwise", "future-visible")
def future_visible(q, k, v, slopes, block):
    """Every query sees every key, the later ones as well. The attention asked for is causal: key j counts for query i
    only if j <= i."""
    q, k, v, slopes = floats(q, k, v, slopes)
    j = np.arange(q.shape[1])
    scores = products(q, k) / np.sqrt(q.shape[-1]) - slopes[:, None, None] * np.abs(j[:, None] - j)
    return weights_of(scores) @ v


@mistake(
    "alibi_attention_rowwise", "token-cannot-see-itself", source="pbloem/former#10; huggingface/transformers#14832"
)
def token_cannot_see_itself(q, k, v, slopes, block):
    """A token may not attend to itself in your version, so the first one has nothing to look at and gets NaN. Key j
    counts for query i if j <= i."""

    def score(q, k, slope, i, j):
        return np.where(j < i, right_scores(q, k, slope, i, j), -np.inf)

    with np.errstate(invalid="ignore"):
        return in_blocks(q, k, v, slopes, block, score)


@mistake("alibi_attention_rowwise", "not-scaled")
def not_scaled(q, k, v, slopes, block):
    """The products are not divided by sqrt(d). With one feature, d = 1, nothing shows."""

    def score(q, k, slope, i, j):
        return right_scores(q * np.sqrt(q.shape[-1]), k, slope, i, j)

    return in_blocks(q, k, v, slopes, block, score)


@mistake("alibi_attention_rowwise", "bias-scaled-too", source="tenstorrent/tt-metal#56406; NVIDIA/OpenSeq2Seq#76")
def bias_scaled_too(q, k, v, slopes, block):
    """The bias is divided by sqrt(d) together with the products, so distance counts less the wider the head is. Divide
    first, then subtract the penalty."""

    def score(q, k, slope, i, j):
        return right_scores(q, k, slope / np.sqrt(q.shape[-1]), i, j)

    return in_blocks(q, k, v, slopes, block, score)


@mistake("alibi_attention_rowwise", "reward-for-distance", source="meta-pytorch/attention-gym#86")
def reward_for_distance(q, k, v, slopes, block):
    """Distance is rewarded: the farthest key gets the best bias. Slope times distance is taken off the score."""
    return in_blocks(q, k, v, -np.asarray(slopes, dtype=float), block)


@mistake("alibi_attention_rowwise", "slopes-of-its-own")
def slopes_of_its_own(q, k, v, slopes, block):
    """The argument slopes is not used: yours works out ALiBi's usual slopes from the number of heads. Use those that
    are handed in."""
    heads = np.shape(q)[0]
    return in_blocks(q, k, v, 2.0 ** (-8 * np.arange(1, heads + 1) / heads), block)


@mistake(
    "alibi_attention_rowwise",
    "slopes-on-the-wrong-axis",
    advice="print slopes.shape; with (H, 1, 1) head h gets its own.",
)
def slopes_on_the_wrong_axis(q, k, v, slopes, block):
    """The slopes meet the wrong axis: with shape (H,) or (H, 1) NumPy sets them against keys or queries, not against
    heads. Where the sizes differ an error comes; where H equals n it goes unnoticed."""

    def score(q, k, slope, i, j):
        return right_scores(q, k, slope[:, :, 0], i, j)

    return in_blocks(q, k, v, slopes, block, score)


@mistake("alibi_attention_rowwise", "one-slope-for-all")
def one_slope_for_all(q, k, v, slopes, block):
    """All heads have the first head's slope. Each head has its own."""
    return in_blocks(q, k, v, np.full(len(slopes), slopes[0]), block)


@mistake("alibi_attention_rowwise", "overflow", advice="subtract the largest score of each row before np.exp.")
def overflow(q, k, v, slopes, block):
    """np.exp is taken of the scores as they are. Beyond 709 it overflows to infinity, and infinity divided by infinity
    is not a number."""

    def weigh(scores):
        with np.errstate(over="ignore", invalid="ignore"):
            e = np.exp(scores)
            return e / e.sum(axis=-1, keepdims=True)

    return in_blocks(q, k, v, slopes, block, weigh=weigh)


@mistake(
    "alibi_attention_rowwise",
    "softmax-over-queries",
    source="labmlai/annotated_deep_learning_paper_implementations#146",
)
def softmax_over_queries(q, k, v, slopes, block):
    """The weights sum to 1 along the queries of a block. Those of one query must sum to 1 over its keys, which is the
    last axis of the scores."""

    def weigh(scores):
        e = np.exp(scores - scores.max(axis=-2, keepdims=True))
        return e / e.sum(axis=-2, keepdims=True)

    return in_blocks(q, k, v, slopes, block, weigh=weigh)


@mistake("alibi_attention_rowwise", "blocks-of-keys-averaged", source="folklore (tiled softmax without its correction)")
def blocks_of_keys_averaged(q, k, v, slopes, block):
    """The keys are cut into blocks too, each with a softmax of its own, and the results are averaged. The shares of
    the blocks are then lost: a softmax can be put together from pieces only with each piece's sum."""
    q, k, v, slopes = floats(q, k, v, slopes)
    out = np.zeros(q.shape)
    for rows in pieces(q.shape[1], block):
        parts = []
        for columns in pieces(rows[-1] + 1, block):
            scores = right_scores(q[:, rows], k[:, columns], slopes[:, None, None], rows[:, None], columns)
            parts.append(weights_of(scores) @ v[:, columns])
        out[:, rows] = np.mean(parts, axis=0)
    return out


@mistake("alibi_attention_rowwise", "whole-numbers", source="folklore (NumPy)")
def whole_numbers(q, k, v, slopes, block):
    """The result is made like q or v, so for whole numbers it is an array of whole numbers, and every mean is cut
    towards 0 when you store it. Make it with dtype float."""
    out = np.zeros_like(q)
    out[...] = right.alibi_attention_rowwise(q, k, v, slopes, block)
    return out


@mistake("alibi_attention_rowwise", "changes-its-queries")
def changes_its_queries(q, k, v, slopes, block):
    """q is divided by sqrt(d) in place (/=), so the caller's queries are smaller now. Work on a copy."""
    q, k, v = floats(q, k, v)
    out = right.alibi_attention_rowwise(q, k, v, slopes, block)
    q /= np.sqrt(q.shape[-1])
    return out


_KEPT = {}


@mistake(
    "alibi_attention_rowwise",
    "bias-kept-by-shape",
    source="as in huggingface/candle#899, where the bias of the first step is used again",
    advice="call it twice with the same q, k and v and other slopes.",
)
def bias_kept_by_shape(q, k, v, slopes, block):
    """The last bias is kept and used again for the next block of the same shape, even though the slopes have changed.
    Whatever is kept must be known by all that it was made from."""

    def score(q, k, slope, i, j):
        shape = (len(q), len(i), len(j))
        if "bias" not in _KEPT or _KEPT["bias"].shape != shape:
            _KEPT["bias"] = -slope * (i - j)
        return np.where(j <= i, products(q, k) / np.sqrt(q.shape[-1]) + _KEPT["bias"], -np.inf)

    return in_blocks(q, k, v, slopes, block, score)

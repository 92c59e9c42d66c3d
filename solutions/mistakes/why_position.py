"""Wrong answers of 01_why_position."""

from __future__ import annotations

import numpy as np

from labsupport.checking.bank import mistake, options, right, wrong_value


@mistake("softmax", "overflow", advice="subtract from each score the largest one of its row: that changes no weight.")
def overflow(scores, axis=-1):
    """np.exp is taken of the scores as they are. Beyond 709 it overflows to infinity, and infinity divided by
    infinity is not a number; far below zero every term becomes 0, and 0 / 0 is not a number either."""
    e = np.exp(np.asarray(scores, dtype=float))
    return e / e.sum(axis=axis, keepdims=True)


@mistake(
    "softmax",
    "one-maximum-for-all",
    advice="take the largest score of each row, with keepdims=True, and look at its shape.",
)
def one_maximum_for_all(scores, axis=-1):
    """One maximum is subtracted from the whole array. A row that lies far below it becomes a row of zeros, and 0 /
    0 is not a number: every row needs its own maximum."""
    scores = np.asarray(scores, dtype=float)
    e = np.exp(scores - scores.max())
    return e / e.sum(axis=axis, keepdims=True)


@mistake("softmax", "axis-ignored")
def axis_ignored(scores, axis=-1):
    """The argument axis is not used: the weights always sum to 1 along the last axis, whichever was asked for."""
    scores = np.asarray(scores, dtype=float)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@mistake("softmax", "sum-over-everything")
def sum_over_everything(scores, axis=-1):
    """The sum runs over the whole array, so all rows together hold a weight of 1. Each row needs a sum of its
    own."""
    scores = np.asarray(scores, dtype=float)
    e = np.exp(scores - scores.max())
    return e / e.sum()


@mistake(
    "softmax", "sum-along-the-wrong-axis", advice="keepdims=True keeps the axis that was summed over, with length 1."
)
def sum_along_the_wrong_axis(scores, axis=-1):
    """The sums lost an axis before the division, so on a square array row i is divided by the sum of another row.
    No error comes, because the shapes fit by accident."""
    scores = np.asarray(scores, dtype=float)
    e = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis)


@mistake("softmax", "normalised-scores")
def normalised_scores(scores, axis=-1):
    """The scores themselves are divided by their sum; the exponential is missing. Scores of both signs then give
    negative weights."""
    scores = np.asarray(scores, dtype=float)
    return scores / scores.sum(axis=axis, keepdims=True)


@mistake("softmax", "changes-its-scores")
def changes_its_scores(scores, axis=-1):
    """The values are right, but the scores that were handed in are overwritten on the way (-= or out=). Whoever
    called the function still needs them."""
    scores = np.asarray(scores, dtype=float)
    scores -= scores.max(axis=axis, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=axis, keepdims=True)


def _scores(q, k):
    return q @ np.swapaxes(k, -1, -2)


def _floats(*arrays):
    return [np.asarray(a, dtype=float) for a in arrays]


def _biased(scores, bias):
    return scores if bias is None else scores + np.asarray(bias)


def _masked(scores, mask, fill=-np.inf):
    return scores if mask is None else np.where(mask, scores, fill)


@mistake(
    "attention",
    "mask-inverted",
    advice="with a causal mask, the first row of the output must be v[0].",
    source="rasbt/LLMs-from-scratch#1061; pytorch/pytorch#170415",
)
def mask_inverted(q, k, v, bias=None, mask=None):
    """The mask is read the other way round: here True means "may attend". With a causal mask every token now sees
    only what comes after it. (Libraries disagree on this, some even within themselves: look it up each time.)"""
    q, k, v = _floats(q, k, v)
    scores = _biased(_scores(q, k) / np.sqrt(q.shape[-1]), bias)
    return right.softmax(_masked(scores, None if mask is None else ~np.asarray(mask))) @ v


@mistake(
    "attention",
    "scale-by-d",
    advice="print the scores of q = ones(16) and k = ones(16): 16 / 4 = 4.",
    source="delzac/cntkx#10",
)
def scale_by_d(q, k, v, bias=None, mask=None):
    """The scores are divided by d and not by its square root, so they are too small and attention is too even. Wide
    heads suffer most."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_masked(_biased(_scores(q, k) / q.shape[-1], bias), mask)) @ v


@mistake("attention", "not-scaled")
def not_scaled(q, k, v, bias=None, mask=None):
    """The scores are not divided by sqrt(d). They grow with the width of the head, and nearly all weight falls on
    one key."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_masked(_biased(_scores(q, k), bias), mask)) @ v


@mistake("attention", "scale-by-keys")
def scale_by_keys(q, k, v, bias=None, mask=None):
    """The scores are divided by the square root of a number of tokens. d is the number of features, the last axis
    of q."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_masked(_biased(_scores(q, k) / np.sqrt(k.shape[-2]), bias), mask)) @ v


@mistake("attention", "scale-from-model-width", source="lucidrains/vit-pytorch#65; chelsea0x3b/dfdx#171")
def scale_from_model_width(q, k, v, bias=None, mask=None):
    """The scores are divided by the square root of the width of all heads together. d is the width of one head, the
    last axis of q; with many heads attention becomes too even."""
    q, k, v = _floats(q, k, v)
    heads = q.shape[-3] if q.ndim > 2 else 1
    return right.softmax(_masked(_biased(_scores(q, k) / np.sqrt(heads * q.shape[-1]), bias), mask)) @ v


@mistake("attention", "scale-after-softmax", source="FrancescoSaverioZuppichini/ViT#2")
def scale_after_softmax(q, k, v, bias=None, mask=None):
    """The division by sqrt(d) comes after the softmax. The weights then sum to 1 / sqrt(d), and every output
    shrinks with the width."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_masked(_biased(_scores(q, k), bias), mask)) / np.sqrt(q.shape[-1]) @ v


@mistake("attention", "bias-scaled-too", source="tenstorrent/tt-metal#56406; NVIDIA/OpenSeq2Seq#76")
def bias_scaled_too(q, k, v, bias=None, mask=None):
    """The bias is added first and divided by sqrt(d) together with the scores. It then counts less the wider the
    head is."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_masked(_biased(_scores(q, k), bias) / np.sqrt(q.shape[-1]), mask)) @ v


@mistake("attention", "bias-after-softmax")
def bias_after_softmax(q, k, v, bias=None, mask=None):
    """The bias is added to the weights, after the softmax. The weights then no longer sum to 1, and some are
    negative."""
    q, k, v = _floats(q, k, v)
    weights = right.softmax(_masked(_scores(q, k) / np.sqrt(q.shape[-1]), mask))
    return _biased(weights, bias) @ v


@mistake("attention", "bias-forgotten")
def bias_forgotten(q, k, v, bias=None, mask=None):
    """The argument bias is not used."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_masked(_scores(q, k) / np.sqrt(q.shape[-1]), mask)) @ v


@mistake("attention", "mask-forgotten")
def mask_forgotten(q, k, v, bias=None, mask=None):
    """The argument mask is not used: every query sees every key."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_biased(_scores(q, k) / np.sqrt(q.shape[-1]), bias)) @ v


@mistake(
    "attention", "mask-fill-too-small", source="folklore; the constant is discussed in abisee/pointer-generator#88"
)
def mask_fill_too_small(q, k, v, bias=None, mask=None):
    """Hidden scores are set to a number such as -10000, and a strong bias can push visible scores below it. Then
    the hidden keys win. Negative infinity is below everything."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_masked(_biased(_scores(q, k) / np.sqrt(q.shape[-1]), bias), mask, -1e4)) @ v


@mistake("attention", "mask-times-scores")
def mask_times_scores(q, k, v, bias=None, mask=None):
    """The scores are multiplied by the mask, so a hidden key has score 0. A score of 0 is an ordinary score: its
    weight is not 0."""
    q, k, v = _floats(q, k, v)
    scores = _biased(_scores(q, k) / np.sqrt(q.shape[-1]), bias)
    return right.softmax(scores if mask is None else scores * np.asarray(mask)) @ v


@mistake("attention", "mask-after-softmax")
def mask_after_softmax(q, k, v, bias=None, mask=None):
    """The weights of hidden keys are set to 0 after the softmax. The hidden keys took part in the sum, so what is
    left no longer adds up to 1."""
    q, k, v = _floats(q, k, v)
    weights = right.softmax(_biased(_scores(q, k) / np.sqrt(q.shape[-1]), bias))
    return _masked(weights, mask, 0.0) @ v


@mistake("attention", "boolean-mask-added", source="pytorch/pytorch#117939")
def boolean_mask_added(q, k, v, bias=None, mask=None):
    """The boolean mask is added to the scores as 1 and 0. That moves them a little and hides nothing."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_biased(_biased(_scores(q, k) / np.sqrt(q.shape[-1]), bias), mask)) @ v


@mistake(
    "attention",
    "mask-transposed",
    advice="with a causal mask, the first row of the output must be v[0].",
    source="lsdefine/attention-is-all-you-need-keras#16",
)
def mask_transposed(q, k, v, bias=None, mask=None):
    """Rows and columns of the mask are exchanged. Row i of the mask belongs to query i and says which keys that
    query may see."""
    q, k, v = _floats(q, k, v)
    scores = _biased(_scores(q, k) / np.sqrt(q.shape[-1]), bias)
    return right.softmax(_masked(scores, None if mask is None else np.swapaxes(mask, -1, -2), -1e30)) @ v


@mistake("attention", "mask-before-bias")
def mask_before_bias(q, k, v, bias=None, mask=None):
    """Hidden scores are set to a number such as -10000, and the bias is added afterwards, to hidden and visible
    ones alike. Mask last, and with negative infinity."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_biased(_masked(_scores(q, k) / np.sqrt(q.shape[-1]), mask, -1e4), bias)) @ v


@mistake(
    "attention",
    "transpose-all-axes",
    advice="np.swapaxes(k, -1, -2) exchanges the last two axes and leaves those in front alone.",
)
def transpose_all_axes(q, k, v, bias=None, mask=None):
    """Only two axes are thought of. k.T reverses every axis, the batch and the heads included: with equal sizes it is
    silently wrong, with others there is an error. An einsum with one letter for each of two axes refuses more."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_masked(_biased(q @ k.T / np.sqrt(q.shape[-1]), bias), mask)) @ v


@mistake("attention", "softmax-over-queries", source="labmlai/annotated_deep_learning_paper_implementations#146")
def softmax_over_queries(q, k, v, bias=None, mask=None):
    """The softmax runs along the queries. The weights of one query must sum to 1 over its keys, which is the last
    axis of the scores."""
    q, k, v = _floats(q, k, v)
    return right.softmax(_masked(_biased(_scores(q, k) / np.sqrt(q.shape[-1]), bias), mask), axis=-2) @ v


@mistake("attention", "changes-the-bias")
def changes_the_bias(q, k, v, bias=None, mask=None):
    """The values are right, but the bias that was handed in is overwritten on the way, so the next layer would get
    another one."""
    q, k, v = _floats(q, k, v)
    if mask is not None:
        bias = np.zeros(np.shape(mask)) if bias is None else bias
        bias[~np.asarray(mask)] = -np.inf
    return right.softmax(_biased(_scores(q, k) / np.sqrt(q.shape[-1]), bias)) @ v


@mistake("attention", "changes-the-queries")
def changes_the_queries(q, k, v, bias=None, mask=None):
    """The values are right, but q was divided by sqrt(d) in place (/=), so the caller's queries are smaller now."""
    q, k, v = _floats(q, k, v)
    q /= np.sqrt(q.shape[-1])
    return right.softmax(_masked(_biased(_scores(q, k), bias), mask)) @ v


@mistake("equivariance_gap", "output-not-permuted")
def output_not_permuted(f, x, perm):
    """f(x) is compared in its old order. If f treats all places alike, its output comes out permuted as the input
    was: compare with f(x)[perm]."""
    return np.abs(f(x[perm]) - f(x)).max()


@mistake("equivariance_gap", "inverse-permutation")
def inverse_permutation(f, x, perm):
    """One of the two sides is permuted the wrong way round: with perm where its inverse is needed, or with the inverse
    where perm is."""
    return np.abs(f(x[perm])[perm] - f(x)).max()


@mistake("equivariance_gap", "no-absolute-value")
def no_absolute_value(f, x, perm):
    """The largest difference is taken with its sign, so a large negative difference counts for nothing."""
    return (f(x[perm]) - f(x)[perm]).max()


@mistake("equivariance_gap", "mean-for-maximum")
def mean_for_maximum(f, x, perm):
    """The mean of the differences is taken. One wrong row among many then nearly vanishes; the gap is the largest
    one."""
    return np.abs(f(x[perm]) - f(x)[perm]).mean()


@mistake("equivariance_gap", "one-gap-per-row")
def one_gap_per_row(f, x, perm):
    """The maximum is taken along one axis, so several numbers come back. The gap is one number for the whole
    array."""
    return np.abs(f(x[perm]) - f(x)[perm]).max(axis=0)


@mistake("causal_mask", "upper-triangle")
def upper_triangle(n):
    """Rows and columns are exchanged: this is the upper triangle. Row i must show the tokens 0 to i, so the True
    values stand to the left."""
    return np.triu(np.ones((n, n), dtype=bool))


@mistake("causal_mask", "diagonal-hidden")
def diagonal_hidden(n):
    """The diagonal is False: a token may look at itself. Without that the first token would have nothing to look
    at."""
    return np.tril(np.ones((n, n), dtype=bool), -1)


@mistake("causal_mask", "true-means-hidden", source="pytorch/pytorch#170415")
def true_means_hidden(n):
    """True stands where a token must not look. In this course True means "may attend"; some libraries use the
    opposite."""
    return np.triu(np.ones((n, n), dtype=bool), 1)


@mistake("causal_mask", "one-step-ahead")
def one_step_ahead(n):
    """The token that comes next is visible as well. That one is what a model has to predict."""
    return np.tril(np.ones((n, n), dtype=bool), 1)


@mistake("causal_mask", "numbers-for-truth")
def numbers_for_truth(n):
    """The mask holds 1.0 and 0.0. They look like True and False, but ~mask fails on them and indexing with them
    means something else."""
    return np.tril(np.ones((n, n)))


@mistake("causal_mask", "ready-made", source="facebookresearch/fairseq-lua#57, of a table")
def ready_made(n):
    """The mask is cut out of one that was made ready for 64 tokens. A longer text gets a mask that is too small."""
    return right.causal_mask(64)[:n, :n]


@mistake("causal_mask", "byte-positions", source="vllm-project/tpu-inference#2756, with 16 bits")
def byte_positions(n):
    """The positions are kept in one byte. Beyond 127 they start again at -128, and the mask with them."""
    place = np.arange(n).astype(np.int8)
    return place[:, None] >= place[None, :]


@mistake("causal_mask", "window")
def window(n):
    """A token sees only the few that came right before it. The causal mask hides the future alone; all of the past
    stays visible."""
    return right.causal_mask(n) & ~np.tri(n, k=-8, dtype=bool)


@mistake("causal_mask", "additive-mask")
def additive_mask(n):
    """This is the mask that is added to scores, 0 and negative infinity. attention() takes True and False."""
    return np.where(np.tril(np.ones((n, n), dtype=bool)), 0.0, -np.inf)


wrong_value(
    "order_blind_accuracy", "percent", 50.0,
    "This is the number in per cent. Accuracy here is a share between 0 and 1: write it as a fraction of 1.",
)  # fmt: skip
wrong_value(
    "order_blind_accuracy", "perfect", 1.0,
    """A model that is right every time would have to answer the two orders differently. Without positions they give it
    the same numbers, so it gives both the same answer.""",
)  # fmt: skip
wrong_value(
    "order_blind_accuracy", "never", 0.0,
    """A model that answers every question the same way is not wrong every time. How often is "yes" the right
    answer?""",
)  # fmt: skip
wrong_value(
    "order_blind_accuracy", "quarter", 0.25,
    """There are two possible answers, and one of them is right. A constant answer is right as often as that answer
    comes up.""",
)  # fmt: skip

options(
    "answer_causal",
    a="""Dividing by sqrt(d) does the same to every score, wherever it stands. Permute the tokens, and the scaled scores
    are permuted with them.""",
    b="""The softmax of a row sums over all keys, and a sum does not care about order. Permuted scores give permuted
    weights.""",
    c="""The causal mask is tied to places: row i may see the first i + 1 places, whoever stands there. Permute the
    tokens, and each of them sees others than before.""",
    d="""A residual connection adds to every token what stood at the same place. Permute both, and the sum is
    permuted.""",
)  # fmt: skip

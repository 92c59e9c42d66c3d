"""What people write when they read a loss beyond the trained length, each with a sentence for the learner."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport.checking.bank import mistake, options, wrong_value
from labsupport.runs import recorded

# ---------------------------------------------------------------- sliding_windows


def stride_refused(window: int, stride: int) -> None:
    """Keep the rest of the contract, so that a mistake below has one fault alone."""
    if stride < 1 or stride > window:
        raise ValueError("stride must be from 1 to window")


def steps(n_tokens: int, window: int, stride: int) -> list[int]:
    """Give the right ends."""
    ends = list(range(window, n_tokens, stride))
    return ends + [n_tokens] if n_tokens else []


def with_firsts(ends: list[int], window: int) -> list[tuple[int, int, int]]:
    """Give full windows that end there, each scored from where the last one ended."""
    return [(max(0, end - window), end, before) for before, end in zip([0, *ends], ends)]


@mistake("sliding_windows", "remainder-dropped", advice="try 7 tokens with window 4 and stride 2: who scores token 6?")
def remainder_dropped(n_tokens: int, window: int, stride: int) -> list[tuple[int, int, int]]:
    """Your windows stop at the last full step, so the tokens behind it are never scored. One more window is needed,
    which ends with the text."""
    stride_refused(window, stride)
    if n_tokens <= window:
        return [(0, n_tokens, 0)] if n_tokens else []
    return with_firsts(list(range(window, n_tokens + 1, stride)), window)


@mistake("sliding_windows", "last-window-short", advice="for 7 tokens, window 4, stride 2 the last window starts at 3.")
def last_window_short(n_tokens: int, window: int, stride: int) -> list[tuple[int, int, int]]:
    """Your last window starts where the stride puts it and is cut off at the end of the text, so its tokens see less
    text than a window holds. It must be a full one: count back from its end."""
    stride_refused(window, stride)
    out = with_firsts(steps(n_tokens, window, stride), window)
    return [(stride * i, end, first) for i, (_, end, first) in enumerate(out)]


@mistake("sliding_windows", "overlap-scored-twice", advice="print the three numbers: first_scored is the previous end.")
def overlap_scored_twice(n_tokens: int, window: int, stride: int) -> list[tuple[int, int, int]]:
    """You score every token of every window. Where windows overlap, tokens count twice, once with little text before
    them. A window scores what the one before it did not."""
    stride_refused(window, stride)
    return [(start, end, start) for start, end, _ in with_firsts(steps(n_tokens, window, stride), window)]


@mistake("sliding_windows", "last-stride-scored", advice="which tokens does your first window leave out?")
def last_stride_scored(n_tokens: int, window: int, stride: int) -> list[tuple[int, int, int]]:
    """Every window of yours scores its last `stride` tokens. The first window has no predecessor and must score all of
    its tokens, and the last one scores only what is left."""
    stride_refused(window, stride)
    return [
        (start, end, max(start, end - stride)) for start, end, _ in with_firsts(steps(n_tokens, window, stride), window)
    ]


@mistake("sliding_windows", "windows-after-the-end", source="a loop that is left too late; folklore")
def windows_after_the_end(n_tokens: int, window: int, stride: int) -> list[tuple[int, int, int]]:
    """Your loop goes on after a window has reached the end of the text, and adds windows that score nothing. Stop at
    the first window that ends with the text."""
    stride_refused(window, stride)
    ends = steps(n_tokens, window, stride)
    return with_firsts(ends + [n_tokens] * len(range(0, n_tokens - stride * len(ends), stride)), window)


@mistake("sliding_windows", "short-text-forgotten", advice="try 3 tokens with window 7: one window, (0, 3, 0).")
def short_text_forgotten(n_tokens: int, window: int, stride: int) -> list[tuple[int, int, int]]:
    """A text that is shorter than the window gets no window at all. It needs one, from 0 to its own end."""
    stride_refused(window, stride)
    return [] if n_tokens < window else with_firsts(steps(n_tokens, window, stride), window)


@mistake("sliding_windows", "empty-window", advice="call sliding_windows(0, 4, 2); it must be an empty list.")
def empty_window(n_tokens: int, window: int, stride: int) -> list[tuple[int, int, int]]:
    """For a text of no tokens you return a window (0, 0, 0), which scores nothing. The list must be empty."""
    stride_refused(window, stride)
    return with_firsts(steps(n_tokens, window, stride) or [0], window)


@mistake("sliding_windows", "any-stride", advice="sliding_windows(9, 4, 5): who scores token 4?")
def any_stride(n_tokens: int, window: int, stride: int) -> list[tuple[int, int, int]]:
    """A stride above the window is accepted, although the window then starts behind tokens that it should score. It
    must raise ValueError, as a stride below 1 must."""
    if stride < 1:
        raise ValueError("stride must be at least 1")
    return with_firsts(steps(n_tokens, window, stride), window)


@mistake("sliding_windows", "full-stride-refused", advice="call sliding_windows(6, 3, 3): two windows side by side.")
def full_stride_refused(n_tokens: int, window: int, stride: int) -> list[tuple[int, int, int]]:
    """You refuse a stride that equals the window. That is the common case of pieces side by side, and it is allowed;
    only a larger one raises ValueError."""
    if stride < 1 or stride >= window:
        raise ValueError("stride must be below window")
    return with_firsts(steps(n_tokens, window, stride), window)


Triples = list[tuple[int, int, int]]


def all_windows(n_tokens: int, window: int, stride: int) -> Triples:
    """Give the right windows; the stride is refused before."""
    stride_refused(window, stride)
    return with_firsts(steps(n_tokens, window, stride), window)


@mistake("sliding_windows", "last-window-scores-a-stride", advice="try 7 tokens with window 4 and stride 2.")
def last_window_scores_a_stride(n_tokens: int, window: int, stride: int) -> Triples:
    """Your last window scores a whole stride, although less is left: some of its tokens were scored by the window
    before. first_scored is the previous window's end."""
    out = all_windows(n_tokens, window, stride)
    return [(start, end, end - stride if i else 0) for i, (start, end, _) in enumerate(out)]


@mistake("sliding_windows", "one-window-after-the-end", source="a loop that is left too late; folklore")
def one_window_after_the_end(n_tokens: int, window: int, stride: int) -> Triples:
    """Where a window ends exactly with the text, your loop adds one more, which scores nothing. Stop at the first
    window that ends with the text."""
    out = all_windows(n_tokens, window, stride)
    exact = out and (n_tokens - window) % stride == 0 and n_tokens >= window
    return [*out, (n_tokens - window, n_tokens, n_tokens)] if exact else out


@mistake("sliding_windows", "assertion-for-value-error", advice="write if ...: raise ValueError(...).")
def assertion_for_value_error(n_tokens: int, window: int, stride: int) -> Triples:
    """A stride that cannot be raises an AssertionError. ValueError is asked for; an assert is for what can never
    happen, and Python may be told to skip it."""
    assert 1 <= stride <= window  # noqa: S101
    return all_windows(n_tokens, window, stride)


@mistake("sliding_windows", "short-text-not-checked", advice="sliding_windows(0, 4, 5) must raise ValueError.")
def short_text_not_checked(n_tokens: int, window: int, stride: int) -> Triples:
    """A stride that cannot be is let through when the text is short or empty: your function returns before it looks at
    the stride. Look first, whatever the text is."""
    if n_tokens <= window:
        return [(0, n_tokens, 0)] if n_tokens else []
    return all_windows(n_tokens, window, stride)


@mistake("sliding_windows", "empty-text-not-checked", advice="sliding_windows(0, 4, 5) must raise ValueError.")
def empty_text_not_checked(n_tokens: int, window: int, stride: int) -> Triples:
    """A stride that cannot be is let through when the text is short or empty: your function returns before it looks at
    the stride. Look first, whatever the text is."""
    return all_windows(n_tokens, window, stride) if n_tokens else []


@mistake(
    "sliding_windows", "first-window-of-a-stride", advice="the first window is a full one: (0, 4, 0) for window 4."
)
def first_window_of_a_stride(n_tokens: int, window: int, stride: int) -> Triples:
    """Your first window is only a stride long. It should read as much as a window holds; the stride counts from its end
    on."""
    stride_refused(window, stride)
    ends = [*range(stride, n_tokens, stride), n_tokens] if n_tokens else []
    return with_firsts(ends, window)


@mistake("sliding_windows", "start-below-zero", advice="try 3 tokens with window 7: one window, (0, 3, 0).")
def start_below_zero(n_tokens: int, window: int, stride: int) -> Triples:
    """For a text that is shorter than the window, your window starts before the text, at a negative number. NumPy
    counts negative places from the end. It starts at 0."""
    return [(end - window, end, first) for _, end, first in all_windows(n_tokens, window, stride)]


@mistake("sliding_windows", "last-token-for-end")
def last_token_for_end(n_tokens: int, window: int, stride: int) -> Triples:
    """The second number is the last token that is read. It should be the one behind it, as in Python's slices: tokens
    start to end - 1 are read."""
    return [(start, end - 1, first) for start, end, first in all_windows(n_tokens, window, stride)]


@mistake("sliding_windows", "window-for-stride")
def window_for_stride(n_tokens: int, window: int, stride: int) -> Triples:
    """Your windows move on by a whole window: the stride is not used. From one window's end to the next one's is one
    stride."""
    stride_refused(window, stride)
    return all_windows(n_tokens, window, window)


@mistake("sliding_windows", "overlap-for-stride")
def overlap_for_stride(n_tokens: int, window: int, stride: int) -> Triples:
    """The stride was taken for the overlap: your windows move on by window - stride. It says how far they move on; the
    overlap is the rest."""
    stride_refused(window, stride)
    return all_windows(n_tokens, window, max(1, window - stride))


@mistake("sliding_windows", "how-many-for-first")
def how_many_for_first(n_tokens: int, window: int, stride: int) -> Triples:
    """The third number is how many tokens are scored. It should be the first token that is, counted from the start of
    the text."""
    return [(start, end, end - first) for start, end, first in all_windows(n_tokens, window, stride)]


@mistake("sliding_windows", "first-within-the-window")
def first_within_the_window(n_tokens: int, window: int, stride: int) -> Triples:
    """The third number is counted from the start of the window. All three numbers are counted from the start of the
    text."""
    return [(start, end, first - start) for start, end, first in all_windows(n_tokens, window, stride)]


# ---------------------------------------------------------------- loss_by_position


def edges_of(bucket_edges: object) -> list[tuple[int, int]]:
    """Give pairs of neighbouring edges."""
    edges = np.asarray(bucket_edges).tolist()
    return list(zip(edges[:-1], edges[1:]))


def mean_or_nan(part: np.ndarray) -> float:
    """Give a mean without a warning."""
    return float(part.mean()) if part.size else float("nan")


@mistake("loss_by_position", "last-edge-included")
def last_edge_included(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """Your buckets hold the position of their right edge as well, so neighbours share a position. A bucket goes up to
    its right edge without it: edges 0, 1, 4 mean positions 0, and 1 to 3."""
    losses = np.asarray(losses, dtype=float)
    return np.array([mean_or_nan(losses[..., a : b + 1]) for a, b in edges_of(bucket_edges)])


@mistake("loss_by_position", "texts-kept-apart")
def texts_kept_apart(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """You average over the positions of a bucket and keep the other axes. All texts go into one mean per bucket: the
    result is a single row, one number for each bucket."""
    losses = np.asarray(losses, dtype=float)
    return np.stack(
        [losses[..., a:b].mean(-1) if b > a else np.full(losses.shape[:-1], np.nan) for a, b in edges_of(bucket_edges)],
        axis=-1,
    )


@mistake("loss_by_position", "buckets-along-texts")
def buckets_along_texts(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """Your edges cut the first axis, which counts texts. Positions run along the last one."""
    losses = np.asarray(losses, dtype=float)
    return np.array([mean_or_nan(losses[a:b]) for a, b in edges_of(bucket_edges)])


@mistake("loss_by_position", "empty-is-zero", advice="which number would a reader take for a perfect prediction?")
def empty_is_zero(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """An empty bucket comes out as 0. That reads as a perfect prediction; nothing was measured there, so it must be
    NaN."""
    losses = np.asarray(losses, dtype=float)
    return np.array([losses[..., a:b].mean() if b > a else 0.0 for a, b in edges_of(bucket_edges)])


@mistake("loss_by_position", "empty-left-out")
def empty_left_out(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """An empty bucket is left out, so that all later means stand at the wrong place. It keeps its place, as NaN."""
    losses = np.asarray(losses, dtype=float)
    return np.array([losses[..., a:b].mean() for a, b in edges_of(bucket_edges) if b > a])


@mistake("loss_by_position", "sums")
def sums(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """You add up the losses over the texts and divide only by the width of the bucket. The mean is over all numbers
    that went in, so more texts do not make it larger."""
    losses = np.asarray(losses, dtype=float)
    together = losses.reshape(-1, losses.shape[-1]).sum(0)
    return np.array([mean_or_nan(together[a:b]) for a, b in edges_of(bucket_edges)])


@mistake("loss_by_position", "means-so-far")
def means_so_far(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """Each of your means begins at position 0 and ends at the bucket's right edge. That is what windows of several
    lengths measure; a bucket begins at its own left edge."""
    losses = np.asarray(losses, dtype=float)
    return np.array([mean_or_nan(losses[..., :b] if b > a else losses[..., :0]) for a, b in edges_of(bucket_edges)])


def bucketed(losses: object, edges: list[tuple[int, int]], reduce: Callable = np.mean) -> np.ndarray:
    """Reduce what lies in each bucket to one number; NaN where nothing does."""
    losses = np.asarray(losses, dtype=float)
    return np.array([reduce(losses[..., a:b]) if losses[..., a:b].size else np.nan for a, b in edges])


@mistake("loss_by_position", "median")
def median(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """These are medians. The mean is asked for: a few large losses count in what a text costs."""
    return bucketed(losses, edges_of(bucket_edges), np.median)


@mistake("loss_by_position", "first-text-alone")
def first_text_alone(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """Only the first text is in your means. All axes in front of the positions are averaged over as well."""
    return bucketed(np.reshape(losses, (-1, np.shape(losses)[-1]))[0], edges_of(bucket_edges))


@mistake("loss_by_position", "not-divided")
def not_divided(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """These are sums. A mean is asked for; with sums, a wide bucket looks bad only because it is wide."""
    return bucketed(losses, edges_of(bucket_edges), np.sum)


@mistake("loss_by_position", "perplexity")
def perplexity(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """This is e to the power of the mean loss, the perplexity. The mean loss itself is asked for."""
    return np.exp(bucketed(losses, edges_of(bucket_edges)))


@mistake("loss_by_position", "last-bucket-to-the-end")
def last_bucket_to_the_end(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """Your last bucket goes on to the end of the text. It ends at the last edge; what lies beyond belongs to no
    bucket."""
    edges = edges_of(bucket_edges)
    return bucketed(losses, [*edges[:-1], (edges[-1][0], np.shape(losses)[-1])])


@mistake("loss_by_position", "first-bucket-from-the-start")
def first_bucket_from_the_start(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """Your first bucket begins at position 0. It begins at the first edge; what lies before belongs to no bucket."""
    edges = edges_of(bucket_edges)
    return bucketed(losses, [(0, edges[0][1]), *edges[1:]])


@mistake("loss_by_position", "outside-counted", source="folklore (np.split at the inner edges)")
def outside_counted(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """What lies before the first edge and behind the last one is counted, in the first and the last bucket. It belongs
    to no bucket."""
    losses = np.asarray(losses, dtype=float)
    parts = np.split(losses, np.asarray(bucket_edges)[1:-1], axis=-1)
    return np.array([mean_or_nan(part) for part in parts])


@mistake("loss_by_position", "last-edge-of-all-included", source="folklore (np.histogram closes its last bin)")
def last_edge_of_all_included(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """Your last bucket holds the position of its right edge as well. np.histogram does so, for instance. Every bucket,
    the last one too, goes up to its right edge without it."""
    edges = edges_of(bucket_edges)
    return bucketed(losses, [*edges[:-1], (edges[-1][0], edges[-1][1] + 1)])


@mistake("loss_by_position", "one-bucket-too-many")
def one_bucket_too_many(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """There is one bucket too many: from the last edge to the end of the text. Between k edges there are k - 1
    buckets."""
    edges = edges_of(bucket_edges)
    return bucketed(losses, [*edges, (edges[-1][1], np.shape(losses)[-1])])


@mistake("loss_by_position", "last-bucket-missing")
def last_bucket_missing(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """The last bucket is missing. Between k edges there are k - 1 buckets, each with the edge that follows as its
    right end."""
    return bucketed(losses, edges_of(bucket_edges)[:-1])


@mistake("loss_by_position", "two-axes-alone", advice="losses[..., a:b] takes positions a to b - 1 of any array.")
def two_axes_alone(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """Losses of a single text, which have one axis, lead to an error: a second axis is taken for granted. Positions run
    along the last axis, and any number of axes may stand in front, none as well."""
    return bucketed(np.asarray(losses)[:, :], edges_of(bucket_edges))


@mistake("loss_by_position", "second-axis", advice="losses[..., a:b] takes positions a to b - 1 of any array.")
def second_axis(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """Your edges cut the second axis. With three axes that is not the one of the positions, which is always the
    last."""
    losses = np.atleast_2d(np.asarray(losses, dtype=float))
    return np.array([mean_or_nan(losses[:, a:b]) for a, b in edges_of(bucket_edges)])


@mistake("loss_by_position", "lists-refused")
def lists_refused(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """A list leads to an error. The losses may be a list: make an array of it before anything else."""
    return np.array([mean_or_nan(losses[..., a:b]) for a, b in edges_of(bucket_edges)])


@mistake("loss_by_position", "lists-have-no-shape")
def lists_have_no_shape(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """A list leads to an error. The losses may be a list: make an array of it before anything else."""
    return bucketed(losses.reshape(-1, losses.shape[-1]), edges_of(bucket_edges))


@mistake("loss_by_position", "whole-means")
def whole_means(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """Losses that are whole numbers give means that are cut to whole numbers. A mean is a real number, whatever went
    in."""
    out = bucketed(losses, edges_of(bucket_edges))
    whole = np.asarray(losses).dtype.kind in "iu" and not np.isnan(out).any()
    return out.astype(int) if whole else out


@mistake("loss_by_position", "one-bucket-as-a-number")
def one_bucket_as_a_number(losses: np.ndarray, bucket_edges: np.ndarray) -> np.ndarray:
    """A single bucket gives a number and not an array. One mean for each bucket: with two edges the result has the
    shape (1,)."""
    return np.squeeze(bucketed(losses, edges_of(bucket_edges)))


# ---------------------------------------------------------------- extrapolation_ratio


@mistake("extrapolation_ratio", "upside-down")
def upside_down(loss_at_train_len: float, loss_at_long_len: float) -> np.ndarray:
    """Your ratio is upside down: a loss that triples must give 3, and yours gives a third."""
    return np.asarray(loss_at_train_len) / np.asarray(loss_at_long_len)


@mistake("extrapolation_ratio", "difference")
def difference(loss_at_train_len: float, loss_at_long_len: float) -> np.ndarray:
    """You return by how many nats the loss grew. The ratio says how many times as large it is."""
    return np.asarray(loss_at_long_len) - np.asarray(loss_at_train_len)


@mistake("extrapolation_ratio", "growth")
def growth(loss_at_train_len: float, loss_at_long_len: float) -> np.ndarray:
    """You return the growth as a share of the trained length's loss. Equal losses must give 1 here, not 0."""
    return np.asarray(loss_at_long_len) / np.asarray(loss_at_train_len) - 1


@mistake("extrapolation_ratio", "perplexities")
def perplexities(loss_at_train_len: float, loss_at_long_len: float) -> np.ndarray:
    """This is the ratio of the two perplexities, e to the power of the losses. Here the losses themselves are
    divided."""
    return np.exp(np.asarray(loss_at_long_len, dtype=float) - np.asarray(loss_at_train_len, dtype=float))


@mistake("extrapolation_ratio", "one-number")
def one_number(loss_at_train_len: np.ndarray, loss_at_long_len: np.ndarray) -> float:
    """You average before you divide, so several seeds or lengths become one number. Arrays are divided entry by
    entry."""
    return float(np.mean(loss_at_long_len) / np.mean(loss_at_train_len))


@mistake("extrapolation_ratio", "whole-numbers")
def whole_numbers(loss_at_train_len: float, loss_at_long_len: float) -> np.ndarray:
    """Your division drops what comes after the decimal point. From 1.25 to 3.0 the ratio is 2.4, not 2."""
    return np.asarray(loss_at_long_len) // np.asarray(loss_at_train_len)


def ratio(loss_at_train_len: object, loss_at_long_len: object) -> np.ndarray:
    """Give the right ratio."""
    return np.asarray(loss_at_long_len, dtype=float) / np.asarray(loss_at_train_len, dtype=float)


@mistake("extrapolation_ratio", "lists-refused")
def ratio_of_lists(loss_at_train_len: object, loss_at_long_len: object) -> np.ndarray:
    """A list leads to an error: Python does not divide lists. Make an array of each argument first."""
    return loss_at_long_len / loss_at_train_len


@mistake("extrapolation_ratio", "single-numbers-alone")
def single_numbers_alone(loss_at_train_len: object, loss_at_long_len: object) -> float:
    """Arrays lead to an error: float() takes a single number. The losses may be arrays, one entry for each seed or
    length."""
    return float(loss_at_long_len) / float(loss_at_train_len)


@mistake("extrapolation_ratio", "mean-ratio")
def mean_ratio(loss_at_train_len: object, loss_at_long_len: object) -> float:
    """The ratios were averaged, so several seeds or lengths become one number. Arrays are divided entry by entry, and
    each entry has a ratio of its own."""
    return float(ratio(loss_at_train_len, loss_at_long_len).mean())


@mistake("extrapolation_ratio", "logarithm")
def logarithm(loss_at_train_len: object, loss_at_long_len: object) -> np.ndarray:
    """This is the logarithm of the ratio. Equal losses must give 1 here, not 0."""
    return np.log(ratio(loss_at_train_len, loss_at_long_len))


@mistake("extrapolation_ratio", "per-cent")
def per_cent(loss_at_train_len: object, loss_at_long_len: object) -> np.ndarray:
    """This is the ratio in per cent. Equal losses must give 1, not 100."""
    return 100 * ratio(loss_at_train_len, loss_at_long_len)


@mistake("extrapolation_ratio", "rounded")
def rounded(loss_at_train_len: object, loss_at_long_len: object) -> np.ndarray:
    """The ratio was rounded to two places. Round where you print; what is computed further needs all of it."""
    return np.round(ratio(loss_at_train_len, loss_at_long_len), 2)


@mistake("extrapolation_ratio", "never-below-one")
def never_below_one(loss_at_train_len: object, loss_at_long_len: object) -> np.ndarray:
    """Ratios below 1 came out as 1. The loss may fall beyond the trained length, and then the ratio is below 1."""
    return np.maximum(ratio(loss_at_train_len, loss_at_long_len), 1)


@mistake("extrapolation_ratio", "larger-by-smaller")
def larger_by_smaller(loss_at_train_len: object, loss_at_long_len: object) -> np.ndarray:
    """The larger loss is divided by the smaller one, whichever is which. The loss may fall beyond the trained length,
    and then the ratio is below 1."""
    right_one = ratio(loss_at_train_len, loss_at_long_len)
    return np.maximum(right_one, 1 / right_one)


@mistake("extrapolation_ratio", "an-axis-too-many")
def an_axis_too_many(loss_at_train_len: object, loss_at_long_len: object) -> np.ndarray:
    """Two single numbers gave an array with an axis. From numbers comes a number."""
    return np.atleast_1d(ratio(loss_at_train_len, loss_at_long_len))


@mistake("extrapolation_ratio", "divided-in-place")
def divided_in_place(loss_at_train_len: object, loss_at_long_len: object) -> np.ndarray:
    """The caller's losses were changed. Dividing in place (/=) does so, for instance. Divide into a new array."""
    out = ratio(loss_at_train_len, loss_at_long_len)
    if isinstance(loss_at_long_len, np.ndarray):
        loss_at_long_len[...] = out
    return out


# ---------------------------------------------------------------- values and choices, read off the recorded run

RUN = recorded("extrapolation")["lengths"]["T5"]
TAIL, MEAN = np.array(RUN["tail"]), np.array(RUN["mean"])

wrong_value(
    "t5_growth", "the-mean", (MEAN[:, 2] / MEAN[:, 0]).mean(),
    """This is how the *mean* grows. Most of its letters stand where little is new to the model. The tail is asked for:
    the same last letters at every length.""",
)  # fmt: skip
wrong_value(
    "t5_growth", "eight-times", (TAIL[:, 3] / TAIL[:, 0]).mean(),
    "This is the growth up to eight times the length. Four times the length is the third column.",
)  # fmt: skip
wrong_value(
    "t5_growth", "twice", (TAIL[:, 1] / TAIL[:, 0]).mean(),
    "This is the growth up to twice the length. Four times the length is the third column.",
)  # fmt: skip
wrong_value(
    "t5_growth", "upside-down", (TAIL[:, 0] / TAIL[:, 2]).mean(),
    "This is the short text's loss divided by the long one's. A loss that grows has a ratio above 1.",
)  # fmt: skip
wrong_value(
    "t5_growth", "difference", (TAIL[:, 2] - TAIL[:, 0]).mean(),
    "This is a difference in nats. By which *factor* it grows is a ratio.",
)  # fmt: skip
wrong_value(
    "t5_growth", "the-loss", TAIL[:, 2].mean(),
    "This is the tail's loss at four times the length. Divide it by the loss at the trained length, seed by seed.",
)  # fmt: skip
wrong_value(
    "t5_growth", "perplexities", np.exp(TAIL[:, 2] - TAIL[:, 0]).mean(),
    "This is the ratio of the perplexities, e to the power of the losses. Here the losses themselves are divided.",
)  # fmt: skip

options(
    "answer_flat_tail",
    a="""That would lower the loss of these letters: more text that is used makes a guess better. The tail asks for the
    same letters at every length, and its loss did not fall.""",
    b="""The letters are the same at every length, and their loss hardly moves. The text far back does hardly any harm,
    which is more than the sinusoidal model can say, and no good that can be seen.""",
    c="""Compare the first column: ALiBi is not the lowest there. Its line is flat, and that is a statement about the
    change with length, not about the level.""",
    d="""The first letters of a window are in the mean, not in the tail. The tail asks for the last 16 letters alone,
    which always have at least 16 letters before them.""",
)

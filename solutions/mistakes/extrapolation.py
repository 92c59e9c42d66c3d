"""What people write when they read a loss beyond the trained length, each with a sentence for the learner."""

from __future__ import annotations

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

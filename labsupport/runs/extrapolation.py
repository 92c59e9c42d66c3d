"""Train short, read long: the run of notebook 08, recorded by `benchmarks/record_extrapolation.py`.

The three functions `lengths`, `stretching` and `passkey` take the learner's own functions and give lists of numbers.

Losses are means of -ln p in nats for each letter of the syllable language; guessing evenly costs ln 28 = 3.33. "mean"
is over all letters of windows of so many times the trained length; "tail" is over the same last letters, half the
trained length, with windows of each length before them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from labsupport import tasks
from labsupport.transformer import Bias, Buckets, Learned, Positions, Rotary, Shaw, Table, Training, Transformer

LENGTH, MULTIPLES, WIDTH, HEADS, WINDOWS = 32, (1, 2, 4, 8), 32, 4, 128
STAGES = (0, 25, 100, 300)
"""Fine-tuning steps after which a stretched model is read."""

CLIP = 16
FIRST_DISTANCES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 23, 27)
"""The first distance of each of 16 buckets: single up to 7, then wider and wider, the last one open (T5's manner)."""

ORDINARY, MARKER, ASK = 14, 14, 15
"""The passkey task has tokens 0 to 13 for keys and noise, one that stands before the key, one that asks for it."""

Turn = Callable[..., np.ndarray]
Matrix = Callable[[int, int], np.ndarray]
Slowing = Callable[[float], tuple[np.ndarray, float]]


class EverySecond(Rotary):
    """Turn queries and keys in layers 0, 2, ... and leave the others without positions."""

    def rotate(self, qk: np.ndarray, ids: np.ndarray, layer: int, back: bool = False) -> np.ndarray:
        """Turn in even layers."""
        return qk if layer % 2 else super().rotate(qk, ids, layer, back)


def distances_to_clip(queries: int, keys: int) -> np.ndarray:
    """Give how far back each key stands, 16 and more being one; keys to come, which the model hides, are 0."""
    back = np.subtract.outer(np.arange(queries), np.arange(keys))
    return np.clip(back, 0, CLIP)


def bucket_of(offset: np.ndarray) -> np.ndarray:
    """Give the bucket of each offset (key - query) among `FIRST_DISTANCES`."""
    return np.searchsorted(FIRST_DISTANCES, np.maximum(-offset, 0), side="right") - 1


def near(seq_len: int, heads: int) -> np.ndarray:
    """Hide what stands 16 or more tokens back."""
    back = np.subtract.outer(np.arange(seq_len), np.arange(seq_len))
    return np.broadcast_to(np.where(back < CLIP, 0, -np.inf), (heads, seq_len, seq_len))


def schemes(
    sinusoids: Matrix, turn: Turn, penalties: Matrix, distances: Matrix = distances_to_clip,
    buckets: Callable[[np.ndarray], np.ndarray] = bucket_of, *, seed: int,
) -> dict[str, tuple[Positions, int]]:  # fmt: skip
    """Give the ways to tell positions that are compared, each with a number of heads; all have width 32.

    Parameters
    ----------
    sinusoids : (seq_len, width) -> table (seq_len, width)
    turn : (x, m, base) -> x (..., n, d), each row turned by its position m (n,)
    penalties : (seq_len, heads) -> bias (heads, seq_len, seq_len)
    distances : (queries, keys) -> how far back each key stands, 0 to `CLIP`; keys to come are hidden, theirs is 0
    buckets : offset (key - query) -> which of 16 buckets; of keys to come, any
    seed : of trained tables
    """
    rng, rows = np.random.default_rng((seed, 8)), LENGTH * MULTIPLES[-1]
    table = np.asarray(sinusoids(rows, WIDTH))
    return {
        "none": (Positions(), HEADS),
        "sinusoidal": (Table(lambda n, d: table[:n]), HEADS),
        "learned": (Learned(0.02 * rng.normal(size=(rows, WIDTH))), HEADS),
        "Shaw": (Shaw(distances, 0.1 * rng.normal(size=(CLIP + 1, WIDTH // HEADS))), HEADS),
        "T5": (Buckets(buckets, np.zeros((len(FIRST_DISTANCES), HEADS))), HEADS),
        "RoPE": (Rotary(turn), HEADS),
        "ALiBi": (Bias(penalties, HEADS), HEADS),
        "window": (Bias(near, HEADS), HEADS),
        "RoPE, heads of 16": (Rotary(turn), 2),
        "RoPE, every second layer": (EverySecond(turn), HEADS),
        "sinusoidal, random start": (Table(lambda n, d: table[:n]), HEADS),
    }


def lengths(
    *functions: Callable[..., np.ndarray], names: Sequence[str] | None = None, seeds: Sequence[int] = (0,),
    steps: int = 1500,
) -> dict[str, dict[str, list]]:  # fmt: skip
    """Train each scheme at 32 letters and read it at 1, 2, 4 and 8 times the length.

    Parameters
    ----------
    functions : sinusoids, turn, penalties and, if they are given, distances and buckets, as in `schemes`
    names : which schemes; all where it is None
    seeds : one training each; the text is the same for all
    steps : of training, 16 texts each

    Returns
    -------
    dict : for each scheme "mean" and "tail" [seeds][4], and "by_position" [seeds][256], the loss at each position
    """
    out: dict[str, dict[str, list]] = {}
    for seed in seeds:
        for name, (positions, heads) in schemes(*functions, seed=seed).items():
            if names is not None and name not in names:
                continue
            model = trained(positions, heads, seed, steps, random_start="random" in name)
            for kind, values in read(model).items():
                out.setdefault(name, {}).setdefault(kind, []).append(values)
    return out


def trained(positions: Positions, heads: int, seed: int, steps: int, random_start: bool = False) -> Transformer:
    """Give a model that guesses the next letter, trained on 16 texts of 32 letters at each step."""
    letters = len(tasks.LETTERS)
    model = Transformer(letters, letters, positions, width=WIDTH, heads=heads, seed=seed)
    batch = batches()
    room = LENGTH * (MULTIPLES[-1] - 1)

    def somewhere(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
        return *batch(rng), rng.integers(room + 1) + np.arange(LENGTH)

    Training(model, somewhere if random_start else batch, steps, seed=seed).run()
    return model


def batches(length: int = LENGTH, size: int = 16) -> tasks.Batch:
    """Give the batches that all models of this run are trained with."""
    return tasks.next_letter(tasks.train_and_held_out()[0], length, size)


def _windows(multiple: int) -> tuple[np.ndarray, np.ndarray]:
    text = tasks.train_and_held_out()[1]
    ends = np.random.default_rng(8).integers(LENGTH * MULTIPLES[-1], len(text), WINDOWS)
    return tasks.ending_at(text, ends, LENGTH * multiple)


def read(model: Transformer, multiples: Sequence[int] = MULTIPLES) -> dict[str, list[float]]:
    """Give "mean" and "tail" at each of the lengths, and "by_position" at the last."""
    losses = [model.nll(*_windows(multiple)) for multiple in multiples]
    return {
        "mean": [_short(loss.mean()) for loss in losses],
        "tail": [_short(loss[:, -LENGTH // 2 :].mean()) for loss in losses],
        "by_position": [_short(x) for x in losses[-1].mean(0)],
    }


def _short(x: float) -> float:
    return round(float(x), 4)


def stretching(
    turn: Turn, slowings: Mapping[str, Slowing], *, tuned: Sequence[str], seeds: Sequence[int] = (0,), steps: int = 1500
) -> dict[str, dict[str, list]]:
    """Train rotary positions with heads of 8, slow the frequencies down without training, then train a little more.

    Parameters
    ----------
    turn : as in `schemes`
    slowings : for each method a function scale -> (frequencies (4,) in radians per position, factor on q and k)
    tuned : the methods to be trained on at 4 times the length, 4 texts a step, and read after `STAGES` steps
    seeds, steps : of the training before

    Returns
    -------
    dict : for each method "mean" and "tail" [seeds][2], at 2 and 4 times the length with scale 2 and 4, and "short"
        [seeds], the mean in windows of the trained length with scale 4; for those in `tuned` also "after" [seeds][4],
        tails at 4 times the length; under "before" the "mean" and "tail" [seeds] of the model at its own length
    """
    out: dict[str, dict[str, list]] = {}

    def keep(name: str, kind: str, value: Any) -> None:
        out.setdefault(name, {}).setdefault(kind, []).append(value)

    for seed in seeds:
        model = trained(Rotary(turn), HEADS, seed, steps)
        own = read(model, (1,))
        keep("before", "mean", own["mean"][0])
        keep("before", "tail", own["tail"][0])
        for name, slowing in slowings.items():
            slowed = {scale: model.with_positions(_slower(turn, slowing, scale)) for scale in (2, 4)}
            found = {scale: read(other, (1, scale)) for scale, other in slowed.items()}
            for kind in ("mean", "tail"):
                keep(name, kind, [found[scale][kind][1] for scale in slowed])
            keep(name, "short", found[4]["mean"][0])
            if name in tuned:
                keep(name, "after", _tails_while_tuning(slowed[4], seed))
    return out


def _slower(turn: Turn, slowing: Slowing, scale: float) -> Rotary:
    frequencies, factor = slowing(scale)
    return Rotary(turn, frequencies=np.asarray(frequencies), temperature=factor)


def _tails_while_tuning(model: Transformer, seed: int) -> list[float]:
    batch = batches(4 * LENGTH, 4)
    training, tails = Training(model, batch, STAGES[-1], rate=1e-3, seed=seed + 100), []
    for stage in STAGES:
        training.run(until=stage)
        tails.append(read(model, (4,))["tail"][0])
    return tails


def passkey(
    *functions: Callable[..., np.ndarray],
    names: Sequence[str] = ("sinusoidal", "Shaw", "RoPE", "ALiBi"),
    seeds: Sequence[int] = (0,),
    steps: int = 1000,
) -> dict[str, list[list[float]]]:
    """Train models to say at the end of a text the three tokens that stood behind a marker somewhere in it.

    Parameters
    ----------
    functions : sinusoids, turn, penalties and, if they are given, distances and buckets, as in `schemes`
    names : which schemes
    seeds, steps : of training, 32 texts of 32 tokens each

    Returns
    -------
    dict : for each scheme [seeds][4], the share of the tokens that are right at 1, 2, 4 and 8 times the length; a guess
        is right once in 14
    """
    out: dict[str, list[list[float]]] = {}
    for seed in seeds:
        for name in names:
            out.setdefault(name, []).append(keys_found(*schemes(*functions, seed=seed)[name], seed, steps))
    return out


def keys_found(positions: Positions, heads: int, seed: int, steps: int = 1000) -> list[float]:
    """Train one scheme on hidden keys and give the share that it finds at 1, 2, 4 and 8 times the length."""
    model = Transformer(ASK + 1, ASK + 1, positions, width=WIDTH, heads=heads, seed=seed)
    Training(model, lambda rng: hidden_key(rng, LENGTH, 32), steps, seed=seed).run()
    return [_right_keys(model, LENGTH * multiple) for multiple in MULTIPLES]


def hidden_key(rng: np.random.Generator, length: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Give texts (size, length) of noise with a marker and three tokens, asked for at the end, and the targets."""
    x, key = rng.integers(0, ORDINARY, (size, length)), rng.integers(0, ORDINARY, (size, 3))
    at = rng.integers(0, length - 6, size)
    x[np.arange(size), at] = MARKER
    x[np.arange(size)[:, None], at[:, None] + [1, 2, 3]] = key
    x[:, -3], x[:, -2:] = ASK, key[:, :2]
    targets = np.full(x.shape, -1)
    targets[:, -3:] = key
    return x, targets


def _right_keys(model: Transformer, length: int, size: int = 128) -> float:
    x, targets = hidden_key(np.random.default_rng(length), length, size)
    said = np.concatenate([model.logits(x[i : i + 16])[:, -3:].argmax(-1) for i in range(0, size, 16)])
    return _short((said == targets[:, -3:]).mean())

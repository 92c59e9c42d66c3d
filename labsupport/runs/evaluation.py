"""What position schemes are worth: the run of notebook 11, recorded by `benchmarks/record_evaluation.py`.

The three functions `shifting`, `passkeys` and `downstream` train small transformers with the learner's own functions
and give lists of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from labsupport import tasks
from labsupport.transformer import Bias, Learned, Positions, Rotary, Shaw, Table, Training, Transformer

WIDTH, HEADS, CLIP = 32, 4, 16
LENGTH, SHIFTS, ROWS = 32, (0, 1, 4, 16, 64), 512
LENGTHS, DEPTHS, REPEATS = (32, 64, 128, 256), (0.0, 0.25, 0.5, 0.75, 1.0), 20
"""The grid of the passkey test: tokens, places of the key, texts for each cell."""

TASKS = {
    "same token": lambda x: x,
    "left neighbour": tasks.ORDER_TASKS["left neighbour"],
    "copy half": lambda x: np.roll(x, x.shape[1] // 2, axis=1),
    "reverse": tasks.ORDER_TASKS["reverse"],
    "sort": lambda x: np.sort(x, axis=1),
}
"""Targets (B, n) for tokens (B, n). "copy half" asks for the token half a text away; "sort" for the tokens in order."""

COMPARED = {
    "downstream": ("none", "sinusoidal", "learned", "RoPE", "ALiBi"),
    "passkeys": ("sinusoidal", "Shaw", "RoPE", "ALiBi"),
    "shifting": ("none", "sinusoidal", "learned", "Shaw", "RoPE", "ALiBi"),
}
"""The schemes that are recorded, by part."""

Matrix = Callable[..., np.ndarray]


def schemes(sinusoids: Matrix, turn: Matrix, penalties: Matrix, offsets: Matrix, seed: int) -> dict[str, Positions]:
    """Give the schemes that are compared.

    Parameters
    ----------
    sinusoids : (seq_len, width) -> table (seq_len, width)
    turn : (x, m, base) -> x (..., n, d), each row turned by its position m (n,)
    penalties : (seq_len, heads) -> bias (heads, seq_len, seq_len)
    offsets : (n_q, n_k, max_distance) -> whole numbers (n_q, n_k) from 0 to 2 max_distance
    seed : of trained tables
    """
    rng, table = np.random.default_rng((seed, 11)), np.asarray(sinusoids(ROWS, WIDTH))
    return {
        "none": Positions(),
        "sinusoidal": Table(lambda n, d: table[:n]),
        "learned": Learned(0.02 * rng.normal(size=(ROWS, WIDTH))),
        "Shaw": Shaw(lambda n, m: offsets(n, m, CLIP), 0.1 * rng.normal(size=(2 * CLIP + 1, WIDTH // HEADS))),
        "RoPE": Rotary(turn),
        "ALiBi": Bias(penalties, HEADS),
    }


def shifting(positions: Mapping[str, Positions], *, seed: int = 0, steps: int = 800) -> dict[str, list[float]]:
    """Train each scheme to guess the next letter, then read the same texts at ids that start elsewhere.

    Parameters
    ----------
    positions : schemes by name
    seed, steps : of training, 16 texts of 32 letters each

    Returns
    -------
    dict : for each scheme [5], the mean of -ln p in nats of the last 16 letters with all ids raised by `SHIFTS`
    """
    (train, held_out), letters, out = tasks.train_and_held_out(), len(tasks.LETTERS), {}
    ends = np.random.default_rng(11).integers(LENGTH, len(held_out) - 1, 128)
    x, targets = tasks.ending_at(held_out, ends, LENGTH)
    for name, scheme in positions.items():
        model = Transformer(letters, letters, scheme, width=WIDTH, heads=HEADS, seed=seed)
        Training(model, tasks.next_letter(train, LENGTH), steps, seed=seed).run()
        losses = [model.nll(x, targets, np.arange(LENGTH) + shift)[:, -LENGTH // 2 :] for shift in SHIFTS]
        out[name] = [round(float(loss.mean()), 4) for loss in losses]
    return out


def passkeys(
    positions: Mapping[str, Positions], example: Callable, accuracy: Callable, *, seed: int = 0, steps: int = 1000
) -> dict[str, list[list[float]]]:
    """Train each scheme to find a key in texts of 32 tokens, then look for keys in longer ones.

    Parameters
    ----------
    positions : schemes by name
    example : (length, depth, rng) -> (tokens (length,), key (3,)), tokens below 16
    accuracy : (predict, lengths, depths, rng, repeats) -> shares (lengths, depths) of keys that predict(tokens) names
    seed, steps : of training, 32 texts each

    Returns
    -------
    dict : for each scheme the shares [4][5] for `LENGTHS` and `DEPTHS`
    """

    def batch(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        texts, keys = zip(*(example(LENGTH, rng.random(), rng) for _ in range(32)), strict=True)
        x = np.concatenate([texts, np.asarray(keys)[:, :2]], axis=1)
        return x, np.concatenate([np.full((32, LENGTH - 1), -1), keys], axis=1)

    out = {}
    for name, scheme in positions.items():
        model = Transformer(16, 16, scheme, width=WIDTH, heads=HEADS, seed=seed)
        Training(model, batch, steps, seed=seed).run()
        shares = accuracy(reader(model), LENGTHS, DEPTHS, np.random.default_rng((seed, 12)), REPEATS)
        out[name] = np.round(shares, 4).tolist()
    return out


def reader(model: Transformer) -> Callable[[np.ndarray], np.ndarray]:
    """Give the function tokens (n,) -> the three tokens that the model writes behind them, one after another."""

    def predict(tokens: np.ndarray) -> np.ndarray:
        tokens = np.asarray(tokens)
        for _ in range(3):
            tokens = np.append(tokens, model.logits(tokens[None])[0, -1].argmax())
        return tokens[-3:]

    return predict


def downstream(
    positions: Mapping[str, Positions], *, names: Sequence[str] = tuple(TASKS), seed: int = 0, steps: int = 600
) -> dict[str, dict[str, float]]:
    """Train each scheme on each task, 16 tokens of 8 kinds, every token seeing all others.

    Parameters
    ----------
    positions : schemes by name
    names : of `TASKS`
    seed, steps : of training, 32 texts each

    Returns
    -------
    dict : for each task and scheme the share of right tokens in 256 fresh texts
    """
    out: dict[str, dict[str, float]] = {}
    fresh = np.random.default_rng(13).integers(0, 8, (256, 16))
    for task in names:
        for name, scheme in positions.items():
            model = train_on(task, scheme, seed, steps)
            said = np.concatenate([model.logits(part).argmax(-1) for part in np.split(fresh, 16)])
            out.setdefault(task, {})[name] = round(float((said == TASKS[task](fresh)).mean()), 4)
    return out


def train_on(task: str, scheme: Positions, seed: int = 0, steps: int = 600) -> Transformer:
    """Give a bidirectional model trained on one of the `TASKS`."""

    def batch(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        x = rng.integers(0, 8, (32, 16))
        return x, TASKS[task](x)

    model = Transformer(8, 8, scheme, width=WIDTH, heads=HEADS, causal=False, seed=seed)
    Training(model, batch, steps, seed=seed).run()
    return model

"""The experiments of 12_tuning: one knob of a position scheme is turned, the small transformer trained, and read.

A run takes the learner's own functions and gives plain lists. What the course ships in `data/runs/tuning.json` was
written by `benchmarks/record_tuning.py`, which calls `run` with the course's answers.

Losses are means of -ln p in nats for each letter of the syllable language. "mean" is over all letters of windows of 1,
2, 4 and 8 times the trained length; "tail" is over the same last letters, half the trained length, at the end of each
of these windows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from labsupport import tasks
from labsupport.transformer import Learned, Positions, Rotary, Table, Training, Transformer

LENGTH, MULTIPLES, WIDTH, HEADS, STEPS, WINDOWS = 32, (1, 2, 4, 8), 32, 2, 1500, 128
"""Trained length, lengths read (in trained ones), width, heads of 16 features, training steps, windows per length."""

BASES = (10.0, 100.0, 1e3, 1e4, 1e6)
TURNED = (4, 8, 12)
"""Features of 16 that are turned in the rows about the rotary fraction; all 16 are the rows about the base."""

ADDED, JOINED = (8, 16, 24, 32), (8, 16, 24)
"""Features of 32 that a sinusoidal table takes, added to the token or in a place of its own."""

ROWS = (
    *(f"base {base:g}" for base in BASES),
    *(f"{turned} of 16, recomputed" for turned in TURNED),
    *(f"{turned} of 16, slowest dropped" for turned in TURNED),
    *(f"added, {size} of 32" for size in ADDED),
    *(f"concatenated, {size} of 32" for size in JOINED),
    "learned, 32 of 32",
)
"""What can be run; "base 10000" and "added, 32 of 32" are what the others are compared with."""

Turn = Callable[..., np.ndarray]
Result = dict[str, list[float]]


class Joined(Positions):
    """Give the last features of a token to its position: what the token had there is replaced, not added to."""

    def __init__(self, table: np.ndarray) -> None:
        super().__init__()
        self.table = table

    def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
        """Write the table's rows over the last features."""
        x[..., -self.table.shape[1] :] = self.table[ids.astype(int)]
        return x

    def grad(self, ids: np.ndarray, layer: int | None = None, **d: np.ndarray) -> None:
        """Let nothing flow back to what was replaced."""
        if layer is None:
            d["dx"][..., -self.table.shape[1] :] = 0


def positions_of(row: str, turn: Turn, turn_part: Turn, sinusoids: Turn, seed: int) -> Positions:
    """Make the positions of one row of `ROWS`.

    Parameters
    ----------
    row : one of `ROWS`
    turn : (x, m, base) -> x (..., n, d), each row turned by its position m (n,)
    turn_part : (x, m, rotary_dim, base) -> x with its first rotary_dim features turned
    sinusoids : (seq_len, width) -> table (seq_len, width)
    seed : of a trained table
    """
    if row.startswith("base "):
        return Rotary(turn, base=float(row.split()[1]))
    kind, size = (row.split(", ")[1], int(row.split()[0])) if " of 16" in row else (row.split(",")[0], 0)
    if kind == "recomputed":
        return Rotary(lambda x, m, base: turn_part(x, m, size, base))
    if kind == "slowest dropped":
        head = WIDTH // HEADS
        return Rotary(turn, frequencies=1e4 ** (-np.arange(0, head, 2) / head) * (np.arange(0, head, 2) < size))
    rows, size = LENGTH * MULTIPLES[-1], int(row.split()[1])
    if kind == "learned":
        return Learned(0.02 * np.random.default_rng((seed, 12)).normal(size=(rows, WIDTH)))
    table = np.asarray(sinusoids(rows, size))
    if kind == "concatenated":
        return Joined(table)
    added = np.hstack([np.zeros((rows, WIDTH - size)), table])
    return Table(lambda n, d: added[:n])


def run(
    rows: Iterable[str], seed: int, *, turn: Turn, turn_part: Turn, sinusoids: Turn, steps: int = STEPS
) -> dict[str, Result]:
    """Train a model for each row and read it at 1, 2, 4 and 8 times the trained length.

    Parameters
    ----------
    rows : some of `ROWS`
    seed : of weights and batches; the text and the windows that are read are the same for all seeds
    turn, turn_part, sinusoids : the learner's functions, as in `positions_of`
    steps : of training

    Returns
    -------
    dict : for each row {"mean": four losses, "tail": four losses}, in nats, rounded to 4 decimals
    """
    train, held_out = tasks.train_and_held_out()
    ends = np.random.default_rng(12).integers(LENGTH * MULTIPLES[-1], len(held_out), WINDOWS)
    results = {}
    for row in rows:
        places = positions_of(row, turn, turn_part, sinusoids, seed)
        letters = len(tasks.LETTERS)
        model = Transformer(letters, letters, places, width=WIDTH, heads=HEADS, seed=seed)
        Training(model, tasks.next_letter(train, LENGTH), steps, seed=seed).run()
        losses = [model.nll(*tasks.ending_at(held_out, ends, LENGTH * k)) for k in MULTIPLES]
        parts = {"mean": slice(None), "tail": slice(-(LENGTH // 2), None)}
        results[row] = {name: [round(float(nll[:, part].mean()), 4) for nll in losses] for name, part in parts.items()}
    return results


def pooled(results: dict[str, dict[str, Result]], row: str, part: str = "mean") -> tuple[np.ndarray, np.ndarray]:
    """Give mean and sample standard deviation of a row's four losses, over the seeds that have the row."""
    values = by_seed(results, row, part)
    return values.mean(0), values.std(0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])


def by_seed(results: dict[str, dict[str, Result]], row: str, part: str = "mean") -> np.ndarray:
    """Give a row's losses as an array (seeds that have it, 4)."""
    return np.array([content[row][part] for content in results.values() if row in content])

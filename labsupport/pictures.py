"""Real handwritten digits as patches, and a model that reads them.

Where the digits come from, and their licences, stands in `data/README.md`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from labsupport.transformer import Positions, Training, Transformer

DATA = Path(__file__).parent / "data"
FILE = DATA / "digits.npz"
TRAINED_ON = 1200
"""So many pictures are for training, in the order of the file; the other 597 are for testing."""


@cache
def _arrays() -> dict[str, np.ndarray]:
    with np.load(FILE, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Give the pictures of handwritten digits.

    Returns
    -------
    pictures : (1797, 8, 8), whole numbers from 0 (paper) to 16 (ink)
    names : (1797,), the digits from 0 to 9 that they show
    """
    stored = _arrays()
    return stored["pictures"].astype(int), stored["digits"].astype(int)


def patches(pictures: np.ndarray) -> np.ndarray:
    """Cut pictures (B, 8, 8) into 4 x 4 patches of 2 x 2 pixels, line by line: (B, 16, 4), from -1 to 1."""
    blocks = np.asarray(pictures).reshape(-1, 4, 2, 4, 2).swapaxes(2, 3)
    return blocks.reshape(len(blocks), 16, 4) / 8 - 1


def train_on_digits(positions: Positions | None, seed: int = 0, steps: int = 1000) -> Transformer:
    """Train a small model (2 layers, width 32, 4 heads, not causal) to name digits from their 16 patches.

    Parameters
    ----------
    positions : how patches are told apart, None for not at all
    seed : of the weights and of the batches of 32 pictures
    steps : of training
    """
    pictures, names = digits()
    x = patches(pictures[:TRAINED_ON])

    def batch(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        chosen = rng.integers(0, TRAINED_ON, 32)
        return x[chosen], names[chosen]

    model = Transformer(4, 10, positions, causal=False, seed=seed)
    Training(model, batch, steps, seed=seed).run()
    return model


def share_right(model: Transformer, x: np.ndarray, names: np.ndarray, ids: np.ndarray | None = None) -> float:
    """Give the share of pictures x (B, n, features) that the model names right, with patches at ids (n,)."""
    found = [model.logits(x[i : i + 16], ids).mean(1).argmax(-1) for i in range(0, len(x), 16)]
    return float((np.concatenate(found) == names).mean())


def unseen_digits() -> tuple[np.ndarray, np.ndarray]:
    """Give patches (597, 16, 4) and names (597,) of the pictures that were not trained on."""
    pictures, names = digits()
    return patches(pictures[TRAINED_ON:]), names[TRAINED_ON:]

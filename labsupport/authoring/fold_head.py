"""Fold head 2 of MiniLM's first layer into two maps: `python -m labsupport.authoring.fold_head` writes them.

How such a head scores table rows is an exercise (`positional_scores` of 03_learned), and 07_interpolation needs its
scores before or without that answer. So the package holds what the head comes to, and this module, which learners are
not given, how it was made.
"""

from __future__ import annotations

import io

import numpy as np

from labsupport import minilm


def folded() -> dict[str, np.ndarray]:
    """Give the head as one map for the query side and one for the key side.

    Returns
    -------
    dict of float32: `shift` (384,), added to a table row; `left` and `right` (32, 385), applied to the shifted row
        divided by its standard deviation, with a 1 behind it. The score is the product of the two results. The
        epsilon of the LayerNorm, 1e-12 beside variances near 1e-3, is left out.
    """
    head = minilm.head_parameters(2)
    left = _map(head["wq"], head["bq"], head) / np.sqrt(len(head["bq"]))
    right = _map(head["wk"], head["bk"], head)
    maps = {"shift": head["mean_word"] + head["token_type"], "left": left, "right": right}
    return {name: array.astype(np.float32) for name, array in maps.items()}


def _map(weight: np.ndarray, bias: np.ndarray, head: dict[str, np.ndarray]) -> np.ndarray:
    """Put gain, centring and biases into one matrix with a last column for the constants."""
    scaled = weight * head["ln_gain"]
    centred = scaled - scaled.mean(axis=1, keepdims=True)
    return np.column_stack([centred, weight @ head["ln_bias"] + bias])


def as_bytes() -> bytes:
    """Give the content of the file."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **folded())
    return buffer.getvalue()


if __name__ == "__main__":
    minilm.HEAD_FILE.write_bytes(as_bytes())

"""Real data: the learned position table of a small sentence encoder, and attention heads that read it.

All come from all-MiniLM-L6-v2; where they come from, their licence and what was changed stand in `data/README.md`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

FILE = Path(__file__).parent / "data" / "minilm.npz"
HEAD_FILE = FILE.with_name("minilm_head2.npz")
HEADS = (2, 4, 5)
"""The heads of layer 0 that are kept; number 2 attends to the previous token by position alone."""


@cache
def _arrays() -> dict[str, np.ndarray]:
    """Read the file once; its arrays are float16 and must not be changed."""
    with np.load(FILE, allow_pickle=False) as stored:
        return {name: stored[name] for name in stored.files}


@cache
def _maps() -> dict[str, np.ndarray]:
    """Read the folded head once."""
    with np.load(HEAD_FILE, allow_pickle=False) as stored:
        return {name: stored[name].astype(float) for name in stored.files}


def position_table() -> np.ndarray:
    """Give the model's learned position table.

    Returns
    -------
    array (512, 384), float64 (stored as float16): row p is added to the token at position p; row 0 belongs to the
        [CLS] token and is unlike the others
    """
    return _arrays()["position_embeddings"].astype(float)


def head_parameters(head: int = 2) -> dict[str, np.ndarray | float]:
    """Give what one attention head of layer 0 is made of.

    Parameters
    ----------
    head : 2, 4 or 5

    Returns
    -------
    dict of float64: wq, wk (32, 384) and bq, bk (32,) of the head; ln_gain, ln_bias (384,) and ln_eps of the
        LayerNorm that follows the embeddings; token_type (384,) and mean_word (384,), the vectors that stand beside
        a position's row when no particular word is meant

    Raises
    ------
    ValueError
        if the head is not one of those kept
    """
    if head not in HEADS:
        raise ValueError(f"heads {HEADS} of layer 0 are kept, not {head}")
    stored, at = _arrays(), HEADS.index(head)
    own = {name: stored[name][at].astype(float) for name in ("wq", "wk", "bq", "bk")}
    shared = {name: stored[name].astype(float) for name in ("ln_gain", "ln_bias", "token_type", "mean_word")}
    return own | shared | {"ln_eps": float(stored["ln_eps"])}


def head_scores(rows: np.ndarray) -> np.ndarray:
    """Give the scores of a real head, number 2 of layer 0, that sees positions and no words.

    Parameters
    ----------
    rows : array (n, 384), rows of a position table, one for each of n tokens

    Returns
    -------
    array (n, n): scores before the softmax, query i in row i. They come from two ready-made maps, one for queries and
        one for keys, into which all parts of the head were folded; how scores arise from the parts, 03_learned asks
    """
    maps = _maps()
    x = np.asarray(rows, dtype=float) + maps["shift"]
    x = np.column_stack([x / x.std(axis=-1, keepdims=True), np.ones(len(x))])
    return x @ maps["left"].T @ maps["right"] @ x.T

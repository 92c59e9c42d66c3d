"""Attention in rows is graded by the memory that it holds, which no fingerprint shows."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from labsupport import evaluate
from labsupport.criteria.cost import most_held

MODES = pytest.mark.parametrize("mode", [{}, {"hidden": True, "seed": 1}], ids=["notebook", "hidden"])


def attended(scores: np.ndarray, seen: np.ndarray, v: np.ndarray) -> np.ndarray:
    scores = np.where(seen, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights @ v / weights.sum(axis=-1, keepdims=True)


def all_at_once(q, k, v, slopes, block):
    q, k, v, slopes = (np.asarray(a, dtype=float) for a in (q, k, v, slopes))
    distance = np.subtract.outer(np.arange(q.shape[1]), np.arange(q.shape[1]))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1]) - slopes[:, None, None] * distance
    return attended(scores, distance >= 0, v)


def in_blocks_of_a_full_bias(q, k, v, slopes, block):
    q, k, v, slopes = (np.asarray(a, dtype=float) for a in (q, k, v, slopes))
    distance = np.subtract.outer(np.arange(q.shape[1]), np.arange(q.shape[1]))
    parts = []
    for start in range(0, q.shape[1], block):
        rows = slice(start, start + block)
        scores = q[:, rows] @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1]) - slopes[:, None, None] * distance[rows]
        parts.append(attended(scores, distance[rows] >= 0, v))
    return np.concatenate(parts, axis=1)


def token_by_token(q, k, v, slopes, block):
    q, k, v = (np.asarray(a, dtype=np.float32) for a in (q, k, v))
    out = np.empty_like(q)
    for head, slope in enumerate(slopes):
        for i in range(q.shape[1]):
            scores = k[head, : i + 1] @ q[head, i] / np.sqrt(q.shape[-1]) - slope * np.arange(i, -1, -1)
            weights = np.exp(scores - scores.max())
            out[head, i] = weights @ v[head, : i + 1] / weights.sum()
    return out


@MODES
@pytest.mark.parametrize("answer", [all_at_once, in_blocks_of_a_full_bias])
def test_right_numbers_with_an_n_by_n_array_lose_the_point_for_memory_alone(answer, mode) -> None:
    result = evaluate("alibi_attention_rowwise", answer, **mode)
    lost = [c for c in result.criteria if not c.passed]
    assert [c.name for c in lost] == ["never_the_matrix"]
    assert "MB at one moment" in lost[0].failure.sentence


@MODES
def test_rows_in_single_precision_are_right(mode) -> None:
    assert evaluate("alibi_attention_rowwise", token_by_token, **mode).passed


def test_memory_is_measured_whether_or_not_somebody_traces_already() -> None:
    def make() -> np.ndarray:
        return np.zeros(100_000)

    assert 800_000 <= most_held(make) < 820_000
    assert not tracemalloc.is_tracing()
    tracemalloc.start()
    try:
        assert 800_000 <= most_held(make) < 820_000
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()


def test_an_error_leaves_no_tracing_behind() -> None:
    with pytest.raises(ZeroDivisionError):
        most_held(lambda: 1 / 0)
    assert not tracemalloc.is_tracing()

"""A few numbers by which a result is known again without being stored: how a mistake is recognised.

A fingerprint holds shape and type, or the error's name, the arguments that were changed, and three fixed projections
of the values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

MOST_KEPT = 20_000
"""Weights for longer results are not kept: they would fill the memory."""

NOT_REACHED = "not reached"
"""The kind of what an answer would have written if it had not raised."""


@dataclass(frozen=True)
class Fingerprint:
    """What one call gave; `projections` are three weighted sums, `scale` the norm that bounds their rounding."""

    kind: str
    shape: tuple[int, ...] = ()
    dtype: str = ""
    changed: tuple[str, ...] = ()
    projections: tuple[float, float, float] = (0.0, 0.0, 0.0)
    scale: float = 0.0

    @property
    def raises(self) -> bool:
        """Whether the call ended with an error."""
        return self.kind.startswith("raises ")

    @property
    def whole(self) -> bool:
        """Whether the result holds whole numbers or truths, not real numbers."""
        return bool(self.dtype) and not self.dtype.startswith("float")


def fingerprint(
    value: Any,
    error: BaseException | None = None,
    unusable: str = "",
    changed: tuple[str, ...] = (),
) -> Fingerprint:
    """Make the fingerprint of a result that `probe` gave."""
    if error is not None:
        return Fingerprint(f"raises {type(error).__name__}", changed=changed)
    if unusable or value is None or isinstance(value, str):
        return Fingerprint("unusable" if unusable else repr(value)[:40], changed=changed)
    kind, leaves = _flatten(value)
    flat = np.concatenate([np.ravel(leaf).astype(float) for leaf in leaves]) if leaves else np.zeros(0)
    flat = np.nan_to_num(np.clip(flat, -1e12, 1e12), nan=0.123456)
    dtype = "+".join(sorted({leaf.dtype.name for leaf in leaves}))
    shape = leaves[0].shape if len(leaves) == 1 else (len(leaves), len(flat))
    weights = _weights(len(flat)) if len(flat) <= MOST_KEPT else _weights.__wrapped__(len(flat))
    return Fingerprint(kind, shape, dtype, changed, tuple(map(float, weights @ flat)), float(np.linalg.norm(flat)))


def _flatten(value: Any) -> tuple[str, list[np.ndarray]]:
    if isinstance(value, dict):
        value = [value[k] for k in sorted(value)]
    if not isinstance(value, (list, tuple)):
        return "value", [np.asarray(value)]
    parts = [_flatten(v) for v in value]
    return f"{type(value).__name__} of {len(parts)}", [leaf for _, leaves in parts for leaf in leaves]


@lru_cache(maxsize=256)
def _weights(n: int) -> np.ndarray:
    """Three rows of fixed weights between 0.5 and 1.5, without structure and the same everywhere."""
    i = np.arange(1, n + 1, dtype=np.int64)
    return np.stack([0.5 + (i * m % 9973) / 9973.0 for m in (4801, 7333, 6007)])


def alike(a: Fingerprint, b: Fingerprint, *, exact_type: bool = True) -> bool:
    """Whether two fingerprints are of the same result, up to rounding in the less precise type of the two."""
    if (a.kind, a.shape, a.changed) != (b.kind, b.shape, b.changed):
        return False
    if a.dtype != b.dtype and (exact_type or not _both_float(a.dtype, b.dtype)):
        return False
    tolerance = 2e-4 if {"float32", "float16"} & {a.dtype, b.dtype} else 1e-6
    if a.whole and b.whole:
        tolerance = 1e-10
    allowed = tolerance * max(a.scale, b.scale, 1e-6)
    return all(abs(p - q) <= allowed for p, q in zip(a.projections, b.projections, strict=True))


def _both_float(a: str, b: str) -> bool:
    return a.startswith("float") and b.startswith("float")

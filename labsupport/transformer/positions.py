"""How a transformer learns where its tokens stand: one object with four hooks, and nothing else knows positions.

The schemes use functions that they are given, the learner's own. Position ids are floats (G, n); G is 1 where all
sequences share them, else B. B sequences, n positions, H heads of d features, width D = H d.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class Positions:
    """No positions at all, and the four hooks that a scheme may override.

    `weights` holds the initial values of arrays to be trained. In a model it holds views of the model's buffers, and
    `gradients` views of the same shapes, zero at the beginning of each backward pass.
    """

    def __init__(self, **weights: np.ndarray) -> None:
        self.weights, self.gradients, self._kept = weights, {}, {}

    def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
        """Give embeddings x (B, n, D) plus what positions add; x may be changed."""
        return x

    def rotate(self, qk: np.ndarray, ids: np.ndarray, layer: int, back: bool = False) -> np.ndarray:
        """Give queries and keys, qk (B, n, 2H, d), turned, or gradients turned back; qk may be changed."""
        return qk

    def bias(self, q: np.ndarray, ids: np.ndarray, layer: int) -> np.ndarray | None:
        """Give what is added to the scores q · k, (n, n) to (B, H, n, n); queries q (B, H, n, d) are divided by √d."""
        return None

    def grad(self, ids: np.ndarray, layer: int | None = None, **d: np.ndarray) -> None:
        """Add to `gradients`: in a layer from ds (B, H, n, n) and q, and to dq (as q); at the end from dx (B, n, D)."""

    def once(self, ids: np.ndarray, like: np.ndarray, make: Callable[[], Any]) -> Any:
        """Make what depends on the ids, and on type and last axes of `like`; the last 32 are kept."""
        key = (ids.shape, ids.tobytes(), like.dtype, like.shape[-2:])
        if key not in self._kept:
            self._kept = dict(list(self._kept.items())[-31:]) | {key: make()}
        return self._kept[key]


def blend(ids: np.ndarray, rows: int) -> np.ndarray:
    """Give the matrix (G, n, rows) that reads a table at ids; between two rows it mixes them linearly."""
    if ids.min() < 0 or ids.max() > rows - 1:
        raise IndexError(f"positions {ids.min():g} to {ids.max():g} are not all in a table of {rows} rows")
    return np.maximum(0, 1 - np.abs(ids[..., None] - np.arange(rows)))


def between(ids: np.ndarray, function: Callable[[int], np.ndarray]) -> np.ndarray:
    """Read a matrix over positions 0, 1, ..., function(m) -> (..., m, m), at pairs of ids: (..., G, n, n)."""
    at = ids - np.floor(ids.min())
    matrix = np.asarray(function(int(np.ceil(at.max())) + 1))
    if (at % 1 == 0).all():
        return matrix[..., at.astype(int)[:, :, None], at.astype(int)[:, None, :]]
    # Between whole positions a matrix is read by distance alone: its first column and row are all that there is.
    line, offset = np.concatenate([matrix[..., :0:-1, 0], matrix[..., 0, :]], -1), at[:, None, :] - at[:, :, None]
    low, part = np.floor(offset).astype(int) + matrix.shape[-1] - 1, offset % 1
    return line[..., low] * (1 - part) + line[..., np.minimum(low + 1, line.shape[-1] - 1)] * part


def scatter(values: np.ndarray, rows: np.ndarray, into: np.ndarray) -> None:
    """Add values (..., k) to rows (...) of `into` (m, k); `bincount` takes a tenth of the time of `add.at`."""
    for column in range(into.shape[1]):
        into[:, column] += np.bincount(rows.ravel(), values[..., column].ravel(), minlength=len(into))


def by_group(x: np.ndarray, groups: int) -> np.ndarray:
    """View (B, ...) as (B / G, G, ...): the sequences that share ids stand along the first axis."""
    return x.reshape(-1, groups, *x.shape[1:])


class Table(Positions):
    """Add rows of a table that a function makes: function(seq_len, D) -> (seq_len, D), for example sinusoids."""

    def __init__(self, function: Callable[[int, int], np.ndarray]) -> None:
        super().__init__()
        self.function = function

    def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
        """Add the function's rows."""
        x += self.once(ids, x, lambda: self._rows(ids, x.shape[-1]).astype(x.dtype))
        return x

    def _rows(self, ids: np.ndarray, width: int) -> np.ndarray:
        table = np.asarray(self.function(int(np.ceil(ids.max())) + 1, width))
        return blend(ids, len(table)) @ table


class Learned(Positions):
    """Add rows of a trained table, of which the initial values (rows, D) are given."""

    def __init__(self, table: np.ndarray) -> None:
        super().__init__(table=table)

    def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
        """Add the table's rows."""
        x += self._blend(ids) @ self.weights["table"]
        return x

    def grad(self, ids: np.ndarray, layer: int | None = None, **d: np.ndarray) -> None:
        """Add up, for each row, the gradients of the embeddings that it was added to."""
        if layer is None:
            self.gradients["table"] += (self._blend(ids).swapaxes(1, 2) @ by_group(d["dx"], len(ids)).sum(0)).sum(0)

    def _blend(self, ids: np.ndarray) -> np.ndarray:
        table = self.weights["table"]
        return self.once(ids, table, lambda: blend(ids, len(table)).astype(table.dtype))


class Rotary(Positions):
    """Turn queries and keys by function(x, m, base), x (..., n, d), m (n,), which must be linear in x.

    The function is called on the unit vectors, once for each set of ids: the matrices that it applies are kept, so that
    a slow function costs a step nothing. Back they are transposed, which for a rotation is the function at -m.

    Parameters
    ----------
    frequencies : (d/2,) radians per position instead of the base's: the function then turns single pairs, base unused
    temperature : factor on turned queries and keys (YaRN)
    """

    def __init__(
        self, function: Callable[..., np.ndarray], base: float = 10000.0, frequencies: np.ndarray | None = None,
        temperature: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__()
        self.function, self.base, self.frequencies, self.temperature = function, base, frequencies, temperature

    def rotate(self, qk: np.ndarray, ids: np.ndarray, layer: int, back: bool = False) -> np.ndarray:
        """Turn each by its own position."""
        turns = self.once(ids, qk, lambda: self._turns(ids, qk))
        if np.isrealobj(turns):
            return qk @ (turns.swapaxes(-1, -2) if back else turns)
        pairs = qk.view(turns.dtype)
        pairs *= turns.conj() if back else turns
        return qk

    def _turns(self, ids: np.ndarray, qk: np.ndarray) -> np.ndarray:
        """Give matrices (G, n, d, d); or, where each interleaved pair is turned, complex numbers (G, n, 2H, d/2)."""
        places, where = np.unique(ids, return_inverse=True)
        matrices = self.temperature * self._matrices(places, qk.shape[-1])[where.reshape(ids.shape)]
        z = matrices[..., ::2, ::2] + 1j * matrices[..., ::2, 1::2]
        z *= np.eye(z.shape[-1])
        same = np.stack([np.stack([z.real, z.imag], -1), np.stack([-z.imag, z.real], -1)], -3).reshape(matrices.shape)
        if not np.allclose(same, matrices, atol=1e-6):
            return matrices.astype(qk.dtype)
        return np.repeat(z.sum(-1)[..., None, :], qk.shape[-2], axis=-2).astype(np.result_type(qk.dtype, np.complex64))

    def _matrices(self, m: np.ndarray, d: int) -> np.ndarray:
        """Give (n, d, d), row k being what the function makes of the k-th unit vector at each m."""
        if self.frequencies is None:
            return self._probe(m, d)
        matrices = np.zeros((len(m), d, d))
        for i, frequency in enumerate(self.frequencies):
            pair = slice(2 * i, 2 * i + 2)
            matrices[:, pair, pair] = self._probe(m * frequency, 2)
        return matrices

    def _probe(self, m: np.ndarray, d: int) -> np.ndarray:
        unit = np.repeat(np.eye(d)[:, None], len(m), axis=1)
        matrices = np.asarray(self.function(unit, m, self.base)).swapaxes(0, 1)
        x = np.random.default_rng(0).normal(size=(len(m), d))
        if not np.allclose(self.function(x, m, self.base), (x[:, None] @ matrices)[:, 0], atol=1e-4):
            raise ValueError("a rotary function must be linear in x and turn each position by itself")
        return matrices


class Bias(Positions):
    """Add function(seq_len, H) -> (H, seq_len, seq_len) to the scores, for example ALiBi's bias."""

    def __init__(self, function: Callable[[int, int], np.ndarray], heads: int) -> None:
        super().__init__()
        self.function, self.heads = function, heads

    def bias(self, q: np.ndarray, ids: np.ndarray, layer: int) -> np.ndarray:
        """Give the function's bias at these positions, (G, H, n, n)."""
        return self.once(
            ids, q, lambda: between(ids, lambda m: self.function(m, self.heads)).swapaxes(0, 1).astype(q.dtype)
        )


class Buckets(Positions):
    """Add a trained bias per bucket and head (T5); function(key - query) -> buckets, rows of the table (buckets, H)."""

    def __init__(self, function: Callable[[np.ndarray], np.ndarray], table: np.ndarray) -> None:
        super().__init__(buckets=table)
        self.function = function

    def bias(self, q: np.ndarray, ids: np.ndarray, layer: int) -> np.ndarray:
        """Give the table's entries at the buckets of these positions, (G, H, n, n)."""
        return np.take(self.weights["buckets"].T, self._buckets(ids), axis=1).swapaxes(0, 1)

    def grad(self, ids: np.ndarray, layer: int | None = None, **d: np.ndarray) -> None:
        """Add up, for each bucket and head, the gradients of the scores that it was added to."""
        if layer is not None:
            ds = by_group(d["ds"], len(ids)).sum(0)
            scatter(ds.transpose(0, 2, 3, 1), self._buckets(ids), self.gradients["buckets"])

    def _buckets(self, ids: np.ndarray) -> np.ndarray:
        offset = np.rint(ids[:, None, :] - ids[:, :, None]).astype(int)
        return self.once(ids, ids, lambda: np.asarray(self.function(offset)))


class Shaw(Positions):
    """Add q · r / √d, r trained for each offset (Shaw et al. 2018); function(n, n) -> rows of the table (rows, d)."""

    def __init__(self, function: Callable[[int, int], np.ndarray], table: np.ndarray) -> None:
        super().__init__(offsets=table)
        self.function = function

    def bias(self, q: np.ndarray, ids: np.ndarray, layer: int) -> np.ndarray:
        """Give q · r / √d, (B, H, n, n); r is shared by heads and layers."""
        return (q.swapaxes(1, 2) @ self.weights["offsets"][self._rows(ids)].swapaxes(-1, -2)).swapaxes(1, 2)

    def grad(self, ids: np.ndarray, layer: int | None = None, **d: np.ndarray) -> None:
        """Add to the table's gradient and to that of the queries."""
        if layer is not None:
            rows, n = self._rows(ids), ids.shape[-1]
            d["dq"] += (d["ds"].swapaxes(1, 2) @ self.weights["offsets"][rows]).swapaxes(1, 2)
            ds = by_group(d["ds"], len(ids)).transpose(1, 3, 4, 0, 2).reshape(len(ids), n, n, -1)
            q = by_group(d["q"], len(ids)).transpose(1, 3, 0, 2, 4).reshape(*ds.shape[:2], ds.shape[-1], -1)
            scatter(ds @ q, rows, self.gradients["offsets"])

    def _rows(self, ids: np.ndarray) -> np.ndarray:
        return self.once(ids, ids, lambda: between(np.rint(ids), lambda m: self.function(m, m)))

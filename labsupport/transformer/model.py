"""A small pre-LN transformer in NumPy, its backward written by hand; where tokens stand is the business of `positions`.

A layer is x + attention(norm(x)), then x + mlp(norm(x)). Norms have no gain and matrices no bias: the next matrix and
the embeddings can hold them. B sequences, n positions, D width, H heads of d features, V outputs, N = B n rows.
"""

from __future__ import annotations

from copy import deepcopy
from functools import cache

import numpy as np

from labsupport.transformer.positions import Positions

CACHED = 131072
"""How many scores are worked on at a time: half a megabyte, which stays in the second cache."""


class Transformer:
    """The model; all weights are named views of one flat buffer, and so are their gradients.

    Parameters
    ----------
    inputs : size of the vocabulary, or features of a patch
    outputs : V
    positions : an object with the four hooks of `Positions`, copied; None for no positions
    width, heads, layers : D, H, and how many layers
    causal : whether a position sees only itself and those before it
    seed : of the initial weights
    dtype : float32, or float64 to check gradients
    """

    def __init__(
        self, inputs: int, outputs: int, positions: Positions | None = None, *, width: int = 32, heads: int = 4,
        layers: int = 2, causal: bool = True, seed: int = 0, dtype: type = np.float32,
    ) -> None:  # fmt: skip
        self.inputs, self.outputs, self.width, self.heads = inputs, outputs, width, heads
        self.layers, self.causal, self.positions = layers, causal, deepcopy(positions or Positions())
        initial = self._initial(np.random.default_rng(seed)) | self.positions.weights
        self.flat, self.flat_gradients = np.zeros((2, sum(w.size for w in initial.values())), dtype)
        self.weights, self.gradients, self._rooms, start = {}, {}, {}, 0
        for name, w in initial.items():
            for flat, views in ((self.flat, self.weights), (self.flat_gradients, self.gradients)):
                views[name] = flat[start : start + w.size].reshape(w.shape)
            self.weights[name][...], start = w, start + w.size
        for name in self.positions.weights:
            self.positions.weights[name], self.positions.gradients[name] = self.weights[name], self.gradients[name]

    def _initial(self, rng: np.random.Generator) -> dict[str, np.ndarray]:
        D, end = self.width, (2 * self.layers) ** -0.5
        weights = {"embed": 0.3 * rng.normal(size=(self.inputs, D))}
        for i in range(self.layers):
            weights[f"qkv{i}"] = rng.normal(size=(D, 3 * D)) * D**-0.5
            weights[f"mix{i}"] = rng.normal(size=(D, D)) * end * D**-0.5
            weights[f"up{i}"] = rng.normal(size=(D, 4 * D)) * D**-0.5
            weights[f"down{i}"] = rng.normal(size=(4 * D, D)) * end * (4 * D) ** -0.5
        return weights | {"unembed": rng.normal(size=(D, self.outputs)) * D**-0.5}

    def with_positions(self, positions: Positions) -> Transformer:
        """Give a copy with other positions, which bring their own weights; all other weights are kept."""
        other = Transformer(
            self.inputs, self.outputs, positions, width=self.width, heads=self.heads, layers=self.layers,
            causal=self.causal, dtype=self.flat.dtype,
        )  # fmt: skip
        for name in self.weights.keys() - self.positions.weights.keys():
            other.weights[name][...] = self.weights[name]
        return other

    def logits(self, x: np.ndarray, ids: np.ndarray | None = None) -> np.ndarray:
        """Run the model: (B, n, V) from tokens (B, n) or patches (B, n, inputs), at ids (n,) or (B, n), any floats."""
        return self._forward(np.asarray(x), ids)[0]

    def nll(self, x: np.ndarray, targets: np.ndarray, ids: np.ndarray | None = None) -> np.ndarray:
        """Give -ln of the probability of each target, in nats, 16 sequences at a time.

        Parameters
        ----------
        x, ids : as in `logits`
        targets : whole numbers (B, n), -1 where nothing is asked; or (B,), one for a sequence's mean logits

        Returns
        -------
        array of the shape of targets, NaN where nothing is asked
        """
        x, targets = np.asarray(x), np.asarray(targets)
        ids = np.broadcast_to(np.arange(x.shape[1]) if ids is None else ids, x.shape[:2])
        parts = [slice(start, start + 16) for start in range(0, len(x), 16)]
        return np.concatenate([cross_entropy(self.logits(x[p], ids[p]), targets[p])[0] for p in parts])

    def loss(self, x: np.ndarray, targets: np.ndarray, ids: np.ndarray | None = None) -> np.ndarray:
        """Give what `nll` gives, and fill `gradients` with those of its mean over the targets."""
        logits, (rows, ids, kept, last, scale) = self._forward(np.asarray(x), ids)
        nll, dlogits = cross_entropy(logits, np.asarray(targets))
        dlogits, dx = dlogits.reshape(len(rows), -1), self._room("dx", *last.shape)
        self.flat_gradients[:], dx[...] = 0, 0
        np.matmul(last.T, dlogits, out=self.gradients["unembed"])
        norm_back(dx, self._times(dlogits, self.weights["unembed"].T, "dh"), last, scale)
        for i in reversed(range(self.layers)):
            self._mlp_back(dx, i, *kept[i][1])
            self._attention_back(dx, ids, i, *kept[i][0])
        self.positions.grad(ids, dx=dx.reshape(*logits.shape[:2], -1))
        np.matmul(rows.T, dx, out=self.gradients["embed"])
        return nll

    def _forward(self, x: np.ndarray, ids: np.ndarray | None) -> tuple[np.ndarray, tuple]:
        B, n = x.shape[:2]
        ids = np.atleast_2d(np.arange(n) if ids is None else ids).astype(float)
        # A token is a patch with a single one in it: as a matrix product its gradient takes a tenth of add.at's time.
        rows = np.eye(self.inputs)[x.ravel()] if x.dtype.kind in "iu" else x.reshape(B * n, -1)
        rows = rows.astype(self.flat.dtype)
        x = self._times(rows, self.weights["embed"], "x").reshape(B, n, -1)
        x = self.positions.embed(x, ids).reshape(B * n, -1)
        kept = [(self._attention(x, ids, i), self._mlp(x, i)) for i in range(self.layers)]
        last, scale = norm(x, self._room("last", *x.shape))
        return (last @ self.weights["unembed"]).reshape(B, n, -1), (rows, ids, kept, last, scale)

    def _mlp(self, x: np.ndarray, i: int) -> tuple[np.ndarray, ...]:
        h, scale = norm(x, self._room(f"mlp{i}", *x.shape))
        up = self._times(h, self.weights[f"up{i}"], f"up{i}")
        np.maximum(up, 0, out=up)
        x += self._times(up, self.weights[f"down{i}"], "branch")
        return h, scale, up

    def _mlp_back(self, dx: np.ndarray, i: int, h: np.ndarray, scale: np.ndarray, up: np.ndarray) -> None:
        np.matmul(up.T, dx, out=self.gradients[f"down{i}"])
        dup = self._times(dx, self.weights[f"down{i}"].T, "dup")
        dup *= up > 0
        np.matmul(h.T, dup, out=self.gradients[f"up{i}"])
        norm_back(dx, self._times(dup, self.weights[f"up{i}"].T, "dh"), h, scale)

    def _attention(self, x: np.ndarray, ids: np.ndarray, i: int) -> tuple[np.ndarray, ...]:
        n, H, D = ids.shape[-1], self.heads, self.width
        h, scale = norm(x, self._room(f"attention{i}", *x.shape))
        matrix = self.weights[f"qkv{i}"].copy()
        matrix[:, :D] *= (D // H) ** -0.5  # (√d: the matrix is smaller than the queries, and these than the scores)
        qkv = self._times(h, matrix, f"qkv{i}").reshape(-1, n, 3 * H, D // H)
        q, k = np.split(heads_first(self.positions.rotate(qkv[:, :, : 2 * H], ids, i)), 2, axis=1)
        v, o = heads_first(qkv[:, :, 2 * H :]), self._room(f"o{i}", len(q), n, H, D // H)
        weights = self._room(f"weights{i}", len(q), H, n, n)
        bias = np.broadcast_to(self._bias(q, ids, i), weights.shape)
        for part in parts(weights):
            softmax_of_products(q[part], k[part], bias[part], weights[part])
            np.matmul(weights[part], v[part], out=heads_first(o)[part])
        o = o.reshape(x.shape)
        x += self._times(o, self.weights[f"mix{i}"], "branch")
        return h, scale, matrix, q, k, v, weights, o

    def _bias(self, q: np.ndarray, ids: np.ndarray, i: int) -> np.ndarray:
        bias = self.positions.bias(q, ids, i)
        hidden = future(q.shape[2], q.dtype) if self.causal else q.dtype.type(0)
        return hidden if bias is None else bias + hidden

    def _attention_back(
        self, dx: np.ndarray, ids: np.ndarray, i: int, h: np.ndarray, scale: np.ndarray, matrix: np.ndarray,
        q: np.ndarray, k: np.ndarray, v: np.ndarray, weights: np.ndarray, o: np.ndarray,
    ) -> None:  # fmt: skip
        B, H, n, d = q.shape
        np.matmul(o.T, dx, out=self.gradients[f"mix{i}"])
        do = heads_first(self._times(dx, self.weights[f"mix{i}"].T, "branch").reshape(B, n, H, d))
        dqkv = self._room("dqkv", B, n, 3 * H, d)
        dq, dk, dv = np.split(heads_first(dqkv), 3, axis=1)
        ds = self._room("ds", B, H, n, n)
        # The softmax's row sums of ds * weights are those of do * o, which has d columns instead of n.
        inner = np.einsum("bhnd,bhnd->bhn", do, heads_first(o.reshape(B, n, H, d)))[..., None]
        for part in parts(weights):
            np.matmul(weights[part].swapaxes(-1, -2), do[part], out=dv[part])
            np.matmul(do[part], v[part].swapaxes(-1, -2), out=ds[part])
            ds[part] -= inner[part]
            ds[part] *= weights[part]
            np.matmul(ds[part], k[part], out=dq[part])
            np.matmul(ds[part].swapaxes(-1, -2), q[part], out=dk[part])
        self.positions.grad(ids, i, ds=ds, q=q, dq=dq)
        dqk = dqkv[:, :, : 2 * H]
        turned = self.positions.rotate(dqk, ids, i, back=True)
        if turned is not dqk:
            dqk[...] = turned
        dqkv = dqkv.reshape(len(h), -1)
        np.matmul(h.T, dqkv, out=self.gradients[f"qkv{i}"])[:, : self.width] *= d**-0.5
        norm_back(dx, self._times(dqkv, matrix.T, "dh"), h, scale)

    def _times(self, a: np.ndarray, b: np.ndarray, room: str) -> np.ndarray:
        return np.matmul(a, b, out=self._room(room, len(a), b.shape[1]))

    def _room(self, name: str, *shape: int) -> np.ndarray:
        """Give memory that is used again at each step: new pages cost more than the work that is done on them."""
        if name not in self._rooms or self._rooms[name].shape != shape:
            self._rooms[name] = np.zeros(shape, self.flat.dtype)
        return self._rooms[name]


def heads_first(x: np.ndarray) -> np.ndarray:
    """View (B, n, H, d) as (B, H, n, d), which a matrix product takes without a copy."""
    return x.transpose(0, 2, 1, 3)


def parts(x: np.ndarray) -> list[slice]:
    """Give slices of as many sequences as stay in the cache."""
    size = max(1, CACHED // x[0].size)
    return [slice(start, start + size) for start in range(0, len(x), size)]


@cache
def future(n: int, dtype: np.dtype) -> np.ndarray:
    """Give (n, n): -inf where a key comes after the query, else 0."""
    return np.where(np.tri(n, dtype=bool), 0, -np.inf).astype(dtype)


def softmax_of_products(q: np.ndarray, k: np.ndarray, bias: np.ndarray, out: np.ndarray) -> None:
    """Write softmax(q k^T + bias) to out (B, H, n, n); largest scores are taken off only where need be."""
    rows = out.reshape(-1, out.shape[-1])
    for careful in (False, True):
        np.matmul(q, k.swapaxes(-1, -2), out=out)
        out += bias
        if careful:
            rows -= rows.max(-1, keepdims=True)
        with np.errstate(over="ignore"):
            np.exp(rows, out=rows)
        total = rows @ np.ones(rows.shape[1], rows.dtype)
        if total.min() > 1e-20 and total.max() < 1e20:
            break
    rows *= (1 / total)[:, None]


def norm(x: np.ndarray, out: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Write rows (N, D) of mean 0 and variance 1 to out, and give it and what the rows were multiplied by, (N, 1)."""
    np.subtract(x, row_means(x), out=out)
    scale = (row_means(out, out) + 1e-5) ** -0.5
    out *= scale
    return out, scale


def norm_back(dx: np.ndarray, dz: np.ndarray, z: np.ndarray, scale: np.ndarray) -> None:
    """Add to dx what comes back through `norm`, z being what it gave; dz is used up."""
    shared = row_means(dz, z)
    dz -= row_means(dz)
    dz -= z * shared
    dz *= scale
    dx += dz


def row_means(x: np.ndarray, y: np.ndarray | None = None) -> np.ndarray:
    """Give the means of the rows of x, or of x * y, (N, 1): an eighth of the time of `mean`."""
    if y is None:
        return x @ np.full((x.shape[1], 1), 1 / x.shape[1], x.dtype)
    return np.einsum("nd,nd->n", x, y)[:, None] / x.shape[1]


def cross_entropy(logits: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Give -ln p of the targets (B, n), or (B,) for mean logits, and the gradient (B, n, V) of its mean."""
    if targets.ndim == 1:
        nll, gradient = cross_entropy(logits.mean(1, keepdims=True), targets[:, None])
        return nll[:, 0], np.repeat(gradient / logits.shape[1], logits.shape[1], axis=1)
    z, t = logits.reshape(-1, logits.shape[-1]), targets.ravel()
    z = z - (z.max() if np.ptp(z) < 80 else z.max(-1, keepdims=True))
    p, at, asked = np.exp(z), (np.arange(len(t)), t), t >= 0
    total = p @ np.ones(p.shape[1], p.dtype)
    nll = np.where(asked, np.log(total) - z[at], np.nan)
    share = (asked / max(1, asked.sum())).astype(p.dtype)
    p *= (share / total)[:, None]
    p[at] -= share
    return nll.reshape(targets.shape), p.reshape(logits.shape)

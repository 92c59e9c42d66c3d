"""What a training step costs: the course's transformer against the same model in PyTorch on the CPU, and against sgemm.

    export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1
    python benchmarks/transformer.py [--repeats 200] [--json FILE] [--tricks]

PyTorch is an optional extra: it is not in the course's environment, and the benchmark says so where it is missing. To
compare, make an environment with `numpy` and `torch==2.13.0` and run this file with its Python, from the course folder.
A step is forward, backward, clipping and Adam with rotary positions. The two models, and a matrix product of
1024 x 1024 as the measure of the machine, take turns in one process on one thread; times are medians of the thread's
CPU time, because the machine may be busy with other work. OPENBLAS_CORETYPE, which
chooses OpenBLAS's kernels, is printed.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from labsupport.transformer.model import Transformer, row_means
from labsupport.transformer.positions import Rotary, scatter
from labsupport.transformer.training import Training

SHAPES = ((16, 32, 32, 4, 2), (16, 64, 64, 4, 2), (16, 128, 64, 4, 2), (16, 64, 128, 8, 2))
"""Batch, length, width, heads, layers."""
VOCABULARY = 28
NO_TORCH = "PyTorch is not installed here, so steps are compared with sgemm alone; the docstring says more."


def turn_pairs(x: np.ndarray, m: np.ndarray, base: float) -> np.ndarray:
    """Turn interleaved pairs of features x (..., n, d) by complex numbers."""
    frequencies = base ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
    z = np.ascontiguousarray(x).view(complex) * np.exp(1j * np.outer(m, frequencies))
    return z.view(float)


def flops(batch: int, length: int, width: int, heads: int, layers: int) -> float:
    """Count the multiplications and additions of a step's matrix products, attention without use of its mask."""
    rows = batch * length
    per_layer = 2 * rows * 12 * width**2 + 4 * rows * length * width
    return 3.0 * (layers * per_layer + 2 * rows * width * VOCABULARY)


def numpy_step(
    batch: int, length: int, width: int, heads: int, layers: int, *, kind: type[Transformer] = Transformer
) -> Callable[[], Any]:
    """Make a training step of the course's transformer."""
    model = kind(VOCABULARY, VOCABULARY, Rotary(turn_pairs), width=width, heads=heads, layers=layers)
    text = np.random.default_rng(0).integers(0, VOCABULARY, (batch, length + 1))
    training = Training(model, lambda rng: (text[:, :-1], text[:, 1:]), steps=10**6)
    return training.step


def torch_step(batch: int, length: int, width: int, heads: int, layers: int, *, fused: bool) -> Callable[[], Any]:
    """Make the same step in PyTorch; `fused` uses its fused attention and Adam, otherwise plain operations."""
    import torch
    from torch import nn
    from torch.nn import functional as F  # noqa: N812 (PyTorch's own custom)

    torch.set_num_threads(1)
    torch.manual_seed(0)
    d = width // heads
    angles = torch.outer(torch.arange(length), 10000.0 ** (-torch.arange(0, d, 2) / d))
    cos, sin, mask = angles.cos(), angles.sin(), torch.ones(length, length).tril().bool()

    def rotate(x: torch.Tensor) -> torch.Tensor:
        even, odd = x[..., ::2], x[..., 1::2]
        return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)

    def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        if fused:
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return (q @ k.transpose(-1, -2) * d**-0.5).masked_fill(~mask, float("-inf")).softmax(-1) @ v

    class Layer(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm_attention, self.norm_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
            self.qkv, self.mix = nn.Linear(width, 3 * width, bias=False), nn.Linear(width, width, bias=False)
            self.up, self.down = nn.Linear(width, 4 * width, bias=False), nn.Linear(4 * width, width, bias=False)

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            q, k, v = self.qkv(self.norm_attention(x)).view(batch, length, 3, heads, d).permute(2, 0, 3, 1, 4)
            x = x + self.mix(attend(rotate(q), rotate(k), v).transpose(1, 2).reshape(batch, length, width))
            return x + self.down(F.relu(self.up(self.norm_mlp(x))))

    embed, norm = nn.Embedding(VOCABULARY, width), nn.LayerNorm(width)
    model = nn.Sequential(embed, *(Layer() for _ in range(layers)), norm, nn.Linear(width, VOCABULARY, bias=False))
    adam = torch.optim.Adam(model.parameters(), 3e-3, betas=(0.9, 0.98), fused=fused)
    text = torch.from_numpy(np.random.default_rng(0).integers(0, VOCABULARY, (batch, length + 1)))

    def step() -> None:
        adam.zero_grad()
        F.cross_entropy(model(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten()).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()

    return step


def sgemm(size: int = 1024) -> Callable[[], Any]:
    """Make a product of two square matrices in float32."""
    a, b = np.random.default_rng(0).normal(size=(2, size, size)).astype(np.float32)
    out = np.empty_like(a)
    return lambda: np.matmul(a, b, out=out)


def medians(actions: dict[str, Callable[[], Any]], repeats: int) -> dict[str, float]:
    """Give the median CPU milliseconds of each action, the actions taking turns."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for turn in range(repeats + 5):
        for name, action in actions.items():
            start = time.thread_time()
            action()
            if turn >= 5:
                times[name].append(1000 * (time.thread_time() - start))
    return {name: statistics.median(all_times) for name, all_times in times.items()}


def one_shape(shape: tuple[int, int, int, int, int], repeats: int, with_torch: bool) -> dict[str, float]:
    """Measure one shape: milliseconds, ratios to PyTorch, and the share of sgemm's rate."""
    actions = {"numpy": numpy_step(*shape), "sgemm": sgemm()}
    if with_torch:
        actions |= {"eager": torch_step(*shape, fused=False), "eager, fused parts": torch_step(*shape, fused=True)}
    row = medians(actions, repeats)
    row["share of sgemm"] = flops(*shape) / row["numpy"] / (2 * 1024**3 / row["sgemm"])
    row |= {f"numpy / {name}": row["numpy"] / row[name] for name in row.copy() if name.startswith("eager")}
    return row


def tricks() -> dict[str, tuple[Callable[[], Any], Callable[[], Any]]]:
    """Give what the transformer does, and what it could do instead, at the shape (16, 64, 64, 4, 2)."""
    rng, shape = np.random.default_rng(0), SHAPES[1]
    B, n, D, H, _ = shape
    N, d = B * n, D // H

    def normal(*shape: int) -> np.ndarray:
        return rng.normal(size=shape).astype(np.float32)

    x, y = normal(N, D), normal(N, D)
    q, k, scores, weights = normal(B, H, n, d), normal(B, H, n, d), normal(B, H, n, n), normal(B, H, n, n)
    tokens, buckets = rng.integers(0, VOCABULARY, N), rng.integers(0, 16, (n, n))
    one_hot, table = np.eye(VOCABULARY, dtype=np.float32)[tokens], np.zeros((16, H))
    ds, out, x_double, y_double = normal(n, n, H), np.empty_like(scores), x.astype(float), y.astype(float)

    class Forgetful(Transformer):
        def _room(self, name: str, *shape: int) -> np.ndarray:
            return np.empty(shape, self.flat.dtype)

    def largest_off() -> np.ndarray:
        np.subtract(scores, scores.max(-1, keepdims=True), out=out)
        return np.exp(out, out=out)

    return {
        "gradient of the embeddings: a product with one-hot rows, or add.at": (
            lambda: one_hot.T @ x, lambda: np.add.at(np.zeros((VOCABULARY, D), np.float32), tokens, x)),
        "gradient of buckets: bincount, or add.at": (
            lambda: scatter(ds, buckets, table), lambda: np.add.at(table, buckets, ds)),
        "means of rows: a product with a column, or mean": (lambda: row_means(x), lambda: x.mean(-1, keepdims=True)),
        "variances of rows: einsum, or var": (lambda: row_means(x, x), lambda: x.var(-1, keepdims=True)),
        "row sums in softmax's backward: of do * o, or of ds * weights": (
            lambda: np.einsum("bhnd,bhnd->bhn", q, k), lambda: (scores * weights).sum(-1)),
        "scores: matmul, or einsum": (lambda: q @ k.swapaxes(-1, -2), lambda: np.einsum("bhid,bhjd->bhij", q, k)),
        "softmax: the largest score left on, or taken off": (lambda: np.exp(scores, out=out), largest_off),
        "a product in float32, or in float64": (lambda: x.T @ y, lambda: x_double.T @ y_double),
        "a whole step: memory kept, or new": (numpy_step(*shape), numpy_step(*shape, kind=Forgetful)),
    }  # fmt: skip


def report_tricks(repeats: int) -> None:
    """Print how much time each trick takes of what it replaces."""
    for name, (ours, other) in tricks().items():
        times = medians({"ours": ours, "other": other}, repeats)
        print(f"{name:72} {times['ours']:.3f} of {times['other']:.3f} ms: {times['ours'] / times['other']:.2f}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=200)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tricks", action="store_true", help="time what the transformer does against what it replaces")
    options = parser.parse_args()
    if options.tricks:
        report_tricks(options.repeats)
        return
    with_torch = importlib.util.find_spec("torch") is not None
    if not with_torch:
        print(NO_TORCH)
    print(f"NumPy {np.__version__}, OPENBLAS_CORETYPE {os.environ.get('OPENBLAS_CORETYPE', 'not set')}")
    rows = {}
    for shape in SHAPES:
        rows[str(shape)] = row = one_shape(shape, options.repeats, with_torch)
        print(shape, *(f"{name} {value:.2f}" for name, value in row.items()), sep="  ")
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

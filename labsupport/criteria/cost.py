"""10_cost: parameters, memory and the cache; attention with ALiBi without the large matrix."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np

from labsupport.checking import choice, criterion, exercise, expect, notebook, require, written

Answer = Callable[..., Any]
Generator = np.random.Generator

notebook("10_cost", minutes=45)
exercise("position_parameters", notebook="10_cost", minutes=4)
exercise("scaling_exponent", notebook="10_cost", minutes=4)
exercise("bias_bytes", notebook="10_cost", minutes=2)
choice("answer_view_in_attention", notebook="10_cost", points=1, options="abcd", minutes=2)
exercise("alibi_attention_rowwise", notebook="10_cost", minutes=10)
exercise("kv_cache_bytes", notebook="10_cost", minutes=3)
written("are_positions_free", notebook="10_cost", points=2, minutes=5)


@criterion(
    "position_parameters",
    points=1,
    says="what each scheme trains: one row per position, one number per bucket and head, or nothing",
    contract=True,
    advice="ask of each scheme: which of its numbers does training change? A number that a formula gives is not one.",
)
def trained_numbers(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first; sizes that are all different; arguments that must not matter; buckets by name and by place."""
    expect(f("learned", 3, 4, 2), ref("learned", 3, 4, 2))
    expect(f("t5", 3, 4, 2), ref("t5", 3, 4, 2))
    for scheme in ("none", "sinusoidal", "rotary", "alibi"):
        expect(f(scheme, 10, 24, 6), ref(scheme, 10, 24, 6))
    expect(f("learned", 500, 48, 8, num_buckets=20), f("learned", 500, 48, 3), what="learned, with other heads")
    expect(f("t5", 9000, 96, 6), f("t5", 10, 48, 6), what="t5, with other lengths and widths")
    length, width, heads, buckets = (int(rng.integers(low, 2 * low)) for low in (1000, 200, 5, 40))
    expect(f("learned", length, width, heads), ref("learned", length, width, heads))
    expect(f("t5", length, width, heads, num_buckets=buckets), ref("t5", length, width, heads, num_buckets=buckets))
    expect(f("t5", length, width, heads, 8), ref("t5", length, width, heads, 8))
    expect(f("alibi", length, width, heads, buckets), ref("alibi", length, width, heads, buckets))
    expect(f("learned", 2**20, 8192, 64), ref("learned", 2**20, 8192, 64))


@criterion(
    "scaling_exponent",
    points=1,
    says="the slope of the straight line that fits log(cost) against log(size) best",
    contract=True,
    advice="try sizes 1, 10, 100 with costs 5, 50, 500, exponent 1, and with costs 5, 500, 50000, exponent 2.",
)
def slope_of_the_logs(f: Answer, ref: Answer, rng: Generator) -> None:
    """Two points, pure powers, other units; then points on no line, unevenly spaced, in no order."""
    two = np.array([1.0, 10.0]), np.array([3.0, 300.0])
    expect(f(*two), ref(*two))
    sizes = np.array([3.0, 8.0, 40.0, 90.0])
    for power in (1.0, 2.0, 0.0, -0.5, float(rng.uniform(1.2, 3.0))):
        expect(f(sizes, 7.0 * sizes**power), power, what=f"the exponent of 7 * size**{power:.4g}")
    costs = np.array([20.0, 90.0, 400.0, 5000.0]) * rng.uniform(0.5, 2.0, size=4)
    expect(f(sizes, costs), ref(sizes, costs))
    expect(f(sizes / 1024, costs * 1e6), f(sizes, costs), what="the same in other units")
    order = np.array([2, 0, 3, 1])
    expect(f(sizes[order], costs[order]), ref(sizes[order], costs[order]))
    whole = [16, 64, 32, 1000, 24], [5, 90, 21, 4000, 30]
    expect(f(*whole), ref(*whole))
    again = [2, 8, 2, 50, 8], [3, 70, 9, 200, 11]
    expect(f(*again), ref(*again))


@criterion(
    "bias_bytes",
    points=1,
    says="one number for each head, query and key, times the bytes of one number",
    contract=True,
    advice='bias_bytes(2, 1, "float32") counts 4 numbers of 4 bytes, 16 in all. np.dtype("float32").itemsize is 4.',
)
def bytes_of_a_matrix(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first, widths of a number by name and by type, and one that fits into no laptop: it must be computed."""
    expect(f(2, 1, "float32"), ref(2, 1, "float32"))
    expect(f(3, 5, "float64"), ref(3, 5, "float64"))
    n, heads = int(rng.integers(100, 5000)), int(rng.integers(3, 40))
    expect(f(n, heads, "float16"), ref(n, heads, "float16"))
    expect(f(65536, 8, "float32"), ref(65536, 8, "float32"))
    expect(f(6, 5, "int8"), ref(6, 5, "int8"))
    for dtype in (np.dtype("float16"), np.dtype("float64")):
        expect(f(7, 3, dtype), ref(7, 3, dtype), what=f"the type {dtype} in place of its name")


@criterion(
    "kv_cache_bytes",
    points=1,
    says="one key and one value per token, layer and key-value head, for every text of the batch",
    contract=True,
    advice='kv_cache_bytes(3, 1, 1, 4, "float16") is 48: 3 keys and 3 values, of 4 numbers each, 2 bytes per number.',
)
def bytes_of_a_cache(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first; one size at a time away from 1; other types, a batch by name and by place, a real model's sizes."""
    expect(f(3, 1, 1, 4, "float16"), ref(3, 1, 1, 4, "float16"))
    expect(f(1, 5, 1, 1, "float32"), ref(1, 5, 1, 1, "float32"))
    expect(f(1, 1, 7, 1, "float64"), ref(1, 1, 7, 1, "float64"))
    expect(f(10, 3, 2, 8, "int8"), ref(10, 3, 2, 8, "int8"))
    n, layers, heads, width, batch = (int(rng.integers(low, 3 * low)) for low in (300, 5, 3, 20, 2))
    expect(f(n, layers, heads, width, "float16", batch), ref(n, layers, heads, width, "float16", batch))
    expect(f(131072, 32, 8, 128, "float16", batch=4), ref(131072, 32, 8, 128, "float16", batch=4))
    expect(f(2, 1, 1, 3, "int8", batch=5), ref(2, 1, 1, 3, "int8", batch=5))
    dtype = np.dtype("float16")
    expect(f(5, 3, 2, 4, dtype), ref(5, 3, 2, 4, dtype), what="the type float16 in place of its name")


@criterion(
    "alibi_attention_rowwise",
    points=1,
    says="all queries in one block: causal attention with the score q k / sqrt(d) minus slope times distance",
    advice="give it queries of zeros: then the last token's weights are exp(-slope * distance) over their sum.",
)
def one_block(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first; slopes of no rule; equal sizes; far scores, low ones beside high ones; whole numbers."""
    q, v, slopes = np.zeros((1, 2, 1)), np.array([[[0.0], [1.0]]]), np.array([0.5])
    expect(f(q, q, v, slopes, 2), ref(q, q, v, slopes, 2))
    (q, k, v), slopes = rng.normal(size=(3, 2, 6, 4)), np.array([1.3, 0.2])
    expect(f(q, k, v, slopes, 6), ref(q, k, v, slopes, 6))
    expect(f(q, k, v, slopes[::-1], 50), ref(q, k, v, slopes[::-1], 50))
    (q, k, v), slopes = rng.normal(size=(3, 3, 3, 3)), rng.uniform(0.3, 2.0, size=3)
    expect(f(q, k + 30, v, slopes, 3), ref(q, k + 30, v, slopes, 3))
    q, v = np.full((1, 3, 2), 30.0), rng.normal(size=(1, 3, 2))
    expect(f(q, q, v, slopes[:1], 3), ref(q, q, v, slopes[:1], 3))
    q, k = np.array([[[-128.0], [1.0], [128.0]]]), np.full((1, 3, 1), 128.0)
    v, half = v[:, :, :1] + np.array([[[0.0], [5.0], [9.0]]]), np.array([0.5])
    expect(f(q, k, v, half, 3), ref(q, k, v, half, 3))
    q, k, v = rng.integers(-2, 3, size=(3, 2, 4, 2))
    v[:, :, 0] = 7 * np.arange(4)
    expect(f(q, k, v, slopes[:2], 4), ref(q, k, v, slopes[:2], 4))


@criterion(
    "alibi_attention_rowwise",
    points=1,
    says="the size of the blocks changes nothing, also where it does not divide n, and no token sees the future",
    advice="with n = 3 and block = 2 the second block holds query 2 alone; print its distances: 2, 1 and 0.",
)
def any_block(f: Answer, ref: Answer, rng: Generator) -> None:
    """The answer against itself, so that a fault of the scores is not counted twice; the smallest cut comes first."""
    (q, k, v), slopes = rng.normal(size=(3, 1, 3, 2)), np.array([0.4])
    whole = f(q, k, v, slopes, 3)
    for block in (2, 1):
        expect(f(q, k, v, slopes, block), whole, what=f"block={block} against your own result with block=3")
    (q, k, v), slopes = rng.normal(size=(3, 2, 7, 4)), rng.uniform(0.1, 0.9, size=2)
    whole = np.asarray(f(q, k, v, slopes, 7))
    for block in (3, 2, 4, 6, 1):
        expect(f(q, k, v, slopes, block), whole, what=f"block={block} against your own result with block=7")
    expect(whole[:, 0], v[:, 0], what="the first token, which sees itself alone")
    later = np.arange(7)[:, None] >= 5
    changed = np.asarray(f(q, k + 3 * later, v + 9 * later, slopes, 2))
    expect(changed[:, :5], whole[:, :5], what="the first five tokens, after the last two have changed")


@criterion(
    "alibi_attention_rowwise",
    points=1,
    says="the contract: no array with n * n entries, lists and whole numbers welcome, arguments unchanged",
    contract=True,
    advice="let nothing with n * n entries arise: distances, bias and scores of one block at a time have block * n.",
)
def never_the_matrix(f: Answer, ref: Answer, rng: Generator) -> None:
    """Whole numbers and lists against the answer's own result for floats; then the most that it holds at one moment.

    At these sizes an (n, n) array takes 0.25 MB if it holds truths and 2 if it holds float64; a block of scores 0.016.
    """
    q, k, v = rng.integers(-3, 4, size=(3, 2, 5, 2))
    v[:, :, 0] = 7 * np.arange(5)
    slopes = np.array([0.7, 0.3])
    plain = f(q.astype(float), k.astype(float), v.astype(float), slopes, 2)
    expect(f(q, k, v, slopes, 2), plain, what="whole numbers against the same numbers as floats")
    lists = (a.tolist() for a in (q, k, v, slopes))
    expect(f(*lists, 2), plain, what="lists against arrays")
    (q, k, v), slopes = rng.normal(size=(3, 1, 500, 1)), np.array([0.02])
    held = most_held(lambda: f(q, k, v, slopes, 4))
    require(
        held < 0.24e6,
        f"with H = 1, n = 500 and block = 4 your function held {held / 1e6:.2f} MB at one moment. An (n, n) array "
        "takes 0.25 MB for True and False and 2 MB for float64, all the scores of one block take 0.016 MB",
    )


def most_held(call: Callable[[], Any]) -> int:
    """Give the most bytes that Python and NumPy held at one moment of a call, beyond what was there before.

    An answer that runs in another process is not seen: then this is what the call needs on this side.
    """
    tracing = tracemalloc.is_tracing()
    if not tracing:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        call()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        if not tracing:
            tracemalloc.stop()

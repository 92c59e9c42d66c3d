"""01_why_position: attention, and what it cannot see."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport.checking import choice, criterion, exercise, expect, notebook, require, value, written

Answer = Callable[..., np.ndarray]
Generator = np.random.Generator

notebook("01_why_position", minutes=45)
exercise("softmax", notebook="01_why_position", minutes=4)
exercise("attention", notebook="01_why_position", minutes=10)
exercise("equivariance_gap", notebook="01_why_position", minutes=4)
value("order_blind_accuracy", notebook="01_why_position", points=1, atol=1e-6, minutes=2)
exercise("causal_mask", notebook="01_why_position", minutes=3)
choice("answer_causal", notebook="01_why_position", points=1, options="abcd", minutes=2)
written("when_position_is_needed", notebook="01_why_position", points=2, minutes=5)


@criterion(
    "softmax", points=1, says="positive weights that sum to 1 along the axis, for large scores and hidden ones too",
    contract=True, advice="softmax([0, 1]) is [0.2689, 0.7311]. Large scores need the largest of their row taken off.",
)  # fmt: skip
def weights(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first; then rows far apart, a hidden score, an axis that is not the last, equal sizes on both axes."""
    pair = np.array([0.0, 1.0])
    expect(f(pair), ref(pair))
    square = rng.normal(size=(3, 3))
    expect(f(square), ref(square))
    expect(f(square).sum(axis=-1), np.ones(3), what="the sum of each row")
    far = np.array([[1e4, 1e4 - 1, -1e4], [-1e4, 1 - 1e4, -1e4], [0.0, 2.0, 1.0]])
    expect(f(far), ref(far))
    hidden = np.array([[1.0, -np.inf, 2.0], [-np.inf, -np.inf, 5.0]])
    expect(f(hidden), ref(hidden))
    block = rng.normal(size=(2, 3, 4))
    for axis in (0, 1, -1, -2):
        expect(f(block, axis=axis), ref(block, axis=axis))
    whole = rng.integers(-3, 4, size=(2, 5))
    expect(f(whole, 0), ref(whole, 0))
    expect(f([2, 0, 1]), ref([2, 0, 1]))


@criterion(
    "attention", points=1, says="a mean of the values with weights softmax(q k^T / sqrt(d)), whatever axes come first",
    advice="work out one query by hand; if that is right, see which axes of k your function turns.",
)  # fmt: skip
def plain(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first; then n, m, d and dv all different, the order of the keys, equal sizes on all axes, lists."""
    q, k, v = np.array([[1.0, 0.0]]), np.array([[2.0, 0.0], [0.0, 3.0]]), np.array([[1.0], [5.0]])
    expect(f(q, k, v), ref(q, k, v))
    q, k, v = rng.normal(size=(3, 16)), rng.normal(size=(5, 16)), rng.normal(size=(5, 2))
    expect(f(q, k, v), ref(q, k, v))
    order = np.array([3, 0, 4, 2, 1])
    expect(f(q, k[order], v[order]), f(q, k, v), what="keys and values in another order")
    expect(f(q, k, np.ones((5, 1))), np.ones((3, 1)), what="the mean of values that are all 1")
    q, k, v = rng.normal(size=(3, 3, 3, 3)), rng.normal(size=(3, 3, 3, 3)), rng.normal(size=(3, 3, 3, 3))
    expect(f(q, k, v), ref(q, k, v))
    q, k, v = rng.normal(size=(2, 3, 4, 6)), rng.normal(size=(2, 3, 5, 6)), rng.normal(size=(2, 3, 5, 2))
    expect(f(q, k, v), ref(q, k, v))
    q, k, v = [[1, 0]], [[2, 0], [0, 3]], [[1], [5]]
    expect(f(q, k, v), ref(q, k, v))


@criterion(
    "attention", points=1, says="the bias is added to the scaled scores, before the softmax",
    advice="give it queries of zeros: then the weights are the softmax of the bias alone.",
)  # fmt: skip
def bias_added(f: Answer, ref: Answer, rng: Generator) -> None:
    """Queries of zeros, or a single feature: a wrong scale of the scores alone is not counted a second time here."""
    q, k, v = np.zeros((1, 9)), rng.normal(size=(2, 9)), np.array([[0.0], [1.0]])
    expect(f(q, k, v, bias=np.array([[0.0, 2.0]])), ref(q, k, v, bias=np.array([[0.0, 2.0]])))
    q, k, v = rng.normal(size=(2, 4, 3, 1)), rng.normal(size=(2, 4, 5, 1)), rng.normal(size=(2, 4, 5, 2))
    bias = rng.normal(size=(4, 3, 5))
    expect(f(q, k, v, bias), ref(q, k, v, bias))
    expect(f(q, k, v, bias + 7.0), f(q, k, v, bias), what="the same bias with 7 added everywhere")
    expect(f(q, k, v, bias[0]), ref(q, k, v, bias[0]))
    expect(f(q, k, np.ones((2, 4, 5, 1)), bias), np.ones((2, 4, 3, 1)), what="the mean of values that are all 1")


@criterion(
    "attention", points=1, says="True may attend, what is hidden has no influence at all, and no argument is changed",
    contract=True, advice="give hidden keys the score -np.inf, after the bias is added, in an array of your own.",
)  # fmt: skip
def mask_hides(f: Answer, ref: Answer, rng: Generator) -> None:
    """A property, or one feature, so that a wrong scale is not counted twice; causal, lopsided, padding, far biases."""
    q, k, v = rng.normal(size=(3, 4)), rng.normal(size=(3, 4)), rng.normal(size=(3, 2))
    causal = np.array([[True, False, False], [True, True, False], [True, True, True]])
    seen = f(q, k, v, mask=causal)
    expect(seen[0], v[0], what="the first token, which sees itself alone")
    last = np.array([[0.0], [0.0], [9.0]])
    expect(f(q, k + last, v + last, mask=causal)[:2], seen[:2], what="the first two, after the third has changed")
    expect(f(q[:, :1], k[:, :1], v, mask=causal), ref(q[:, :1], k[:, :1], v, mask=causal))
    q, k, v = rng.normal(size=(2, 3, 4, 1)), rng.normal(size=(2, 3, 5, 1)), rng.normal(size=(2, 3, 5, 2))
    bias, mask = rng.normal(size=(4, 5)), rng.random(size=(4, 5)) < 0.5
    mask[:, 2] = True
    expect(f(q, k, v, bias, mask), ref(q, k, v, bias, mask))
    padding = np.array([[True, True, True, False, False], [False, True, True, True, True]])[:, None, None, :]
    expect(f(q, k, v, mask=padding), ref(q, k, v, mask=padding))
    q, k, v = np.zeros((3, 1)), rng.normal(size=(3, 1)), rng.normal(size=(3, 2))
    far = -20000.0 + rng.integers(-2, 3, size=(3, 3))
    expect(f(q, k, v, far, causal), ref(q, k, v, far, causal))
    far_where_seen = np.where(causal, far, 0.0)
    expect(f(q, k, v, far_where_seen, causal), ref(q, k, v, far_where_seen, causal))


@criterion(
    "equivariance_gap", points=1, says="the largest absolute difference between f(x[perm]) and f(x)[perm], one number",
    contract=True, advice="on paper as well: f = np.cumsum, x = np.array([5, 1, 2]), perm = [1, 2, 0]; the gap is 5.",
)  # fmt: skip
def gap(f: Answer, ref: Answer, rng: Generator) -> None:
    """Permutations that are not their own inverse; functions that know places and one that does not; another width."""
    perm = np.array([1, 2, 0])
    places = np.array([0.0, 1.0, 5.0])
    x = np.array([5.0, 1.0, 2.0])
    for once in (np.cumsum, lambda rows: rows + places, lambda rows: 2 * rows):
        expect(f(once, x, perm), ref(once, x, perm))
    x, perm, w = rng.normal(size=(5, 4)), np.array([2, 0, 3, 4, 1]), rng.normal(size=(4, 3))
    drift = -(np.arange(5.0)[:, None] ** 2)
    for once in (lambda rows: rows @ w, lambda rows: np.cumsum(rows @ w, axis=0), lambda rows: rows + drift):
        expect(f(once, x, perm), ref(once, x, perm))
    expect(f(lambda rows: rows * drift, x, list(perm)), ref(lambda rows: rows * drift, x, list(perm)))


@criterion(
    "causal_mask", points=1, says="True on and below the diagonal, False above, of kind bool",
    contract=True, advice="row i says what token i may look at: itself and what came before.",
)  # fmt: skip
def lower_triangle(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first; a size of the grader's own and a long text; each token sees itself and as many as came before."""
    expect(f(2), ref(2))
    expect(f(1), ref(1))
    n = int(rng.integers(4, 9))
    expect(f(n), ref(n), dtype=True)
    mask = f(n)
    expect(f(150), ref(150))
    require(
        np.shape(mask) == (n, n) and list(np.sum(mask, axis=-1)) == list(range(1, n + 1)),
        "row i must hold True i + 1 times",
    )

"""05_rotary: turning pairs of features by their position."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport.checking import criterion, differ, exercise, expect, notebook, refuses, require, written

Answer = Callable[..., np.ndarray]
Generator = np.random.Generator

notebook("05_rotary", minutes=90)
exercise("rope_angles", notebook="05_rotary", minutes=6)
exercise("rotary_embedding", notebook="05_rotary", minutes=12)
exercise("rotary_complex", notebook="05_rotary", minutes=6)
exercise("rotary_half", notebook="05_rotary", minutes=6)
exercise("interleaved_to_half", notebook="05_rotary", minutes=8)
exercise("rotary_partial", notebook="05_rotary", minutes=5)
exercise("decode_step", notebook="05_rotary", minutes=15, updates=("cache",))
written("why_values_stay", notebook="05_rotary", points=2, minutes=5)


@criterion(
    "rope_angles", points=1, says="m times base**(-2 i / d), for one position or many, any base",
    advice="work one row out by hand: at position 3 with d = 4 and base 10000 the angles are 3 and 0.03.",
)  # fmt: skip
def angles(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first, then a list of positions in no order with a base of its own, far ones, and one between two."""
    expect(f(1, 4), ref(1, 4))
    expect(f([3, 0, 7], 6, base=100.0), ref([3, 0, 7], 6, base=100.0))
    far = rng.uniform(-5, 5000, size=4)
    expect(f(far, 10), ref(far, 10))
    expect(f(2.5, 2, 50), ref(2.5, 2, 50))
    refuses(ValueError, f, 1, 5)


@criterion(
    "rotary_embedding", points=1, says="the worked example comes out",
    advice="work the first pair out by hand: (1, 0), turned by 1 radian, is (cos 1, sin 1).",
)  # fmt: skip
def worked_example(f: Answer, ref: Answer, rng: Generator) -> None:
    """A list of integers, so that truncation shows as well."""
    expect(f([1, 0, 1, 0], 1), ref([1, 0, 1, 0], 1))


@criterion(
    "rotary_embedding", points=1, says="scores depend on the distance m - n alone",
    advice="see that positions may lie between whole numbers, and that both members of a pair turn by the same angle.",
)  # fmt: skip
def relative_scores(f: Answer, ref: Answer, rng: Generator) -> None:
    """Shift both by the same number, far and not whole; another distance must give another score.

    At a distance of 6.6, cutting as well as rounding the positions changes one of the two scores.
    """
    q, k, far = rng.normal(size=16), rng.normal(size=16), int(rng.integers(1, 500))
    score = f(q, 9.0) @ f(k, 2.4)
    for shift in (far + 0.3, far + 0.7):
        expect(f(q, 9.0 + shift) @ f(k, 2.4 + shift), score)
    differ(score, f(q, 9.0) @ f(k, 5.0), "the score does not change with the distance: is anything turned?")


@criterion(
    "rotary_embedding", points=1, says="any leading axes, any positions, any base",
    advice="print the shapes of x and of the angles for the failing call: which axes must meet?",
)  # fmt: skip
def shapes_positions_base(f: Answer, ref: Answer, rng: Generator) -> None:
    """Positions that are not 0..n-1, far ones, batch and heads, as many positions as features."""
    x, m = rng.normal(size=(5, 6)), [100, 101, 102, 103, 104]
    expect(f(x, m), ref(x, m))
    x, m = rng.normal(size=(2, 3, 5, 8)), rng.integers(0, 2000, size=5)
    expect(f(x, m, base=500.0), ref(x, m, base=500.0))
    x = rng.normal(size=(3, 4))
    expect(f(x, 7), ref(x, 7))
    x, m = rng.normal(size=(4, 4)), rng.integers(0, 50, size=4)
    expect(f(x, m, 50), ref(x, m, 50))


@criterion(
    "rotary_embedding", points=1, says="the contract: x unchanged, dtype kept, odd width refused", contract=True,
    advice="print the dtype of the result for x of integers and for x of float32.",
)  # fmt: skip
def contract(f: Answer, ref: Answer, rng: Generator) -> None:
    """Integers give floats, float32 stays float32, an odd width is a ValueError."""
    turn_contract(f, ref, rng)


def turn_contract(f: Answer, ref: Answer, rng: Generator) -> None:
    """Say what every full rotation promises besides its values; integers may give any float type."""
    x = rng.integers(-5, 6, size=(3, 6))
    expect(f(x, np.arange(3)), ref(x, np.arange(3)))
    single = rng.normal(size=(2, 3, 4)).astype(np.float32)
    m = np.array([5, 1, 9])
    expect(f(single, m), ref(single, m), dtype=True)
    for odd in (3, 5):
        refuses(ValueError, f, np.ones((2, odd)), np.arange(2))


def turn_values(f: Answer, ref: Answer, rng: Generator) -> None:
    """Say what every full rotation gives: small, then shapes, positions and base of all kinds."""
    expect(f([1.0, 0.0, 1.0, 0.0], 1), ref([1.0, 0.0, 1.0, 0.0], 1))
    x, m = rng.normal(size=(5, 6)), [100, 101, 102, 103, 104]
    expect(f(x, m), ref(x, m))
    x, m = rng.normal(size=(2, 3, 4, 8)), rng.uniform(0, 2000, size=4)
    expect(f(x, m, base=500.0), ref(x, m, base=500.0))
    x = rng.normal(size=(3, 4))
    expect(f(x, 7), ref(x, 7))
    q, k = rng.normal(size=8), rng.normal(size=8)
    expect(f(q, 40) @ f(k, 33), f(q, 9) @ f(k, 2))


@criterion(
    "rotary_complex", points=1, says="the same numbers and the same contract as rotary_embedding",
    contract=True, advice="give the failing call to rotary_embedding as well, and compare the results number by number.",
)  # fmt: skip
def complex_turn(f: Answer, ref: Answer, rng: Generator) -> None:
    """Values, property and contract in one."""
    turn_values(f, ref, rng)
    turn_contract(f, ref, rng)


@criterion(
    "rotary_half", points=1, says="pairs (x_i, x_(i + d/2)), the same turns and the same contract", contract=True,
    advice="for x = [1, 0, 0, 0] at position 1 the result stands in places 0 and 2.",
)  # fmt: skip
def half_turn(f: Answer, ref: Answer, rng: Generator) -> None:
    """Values, property and contract in one."""
    expect(f([1.0, 0.0, 0.0, 0.0], 1), ref([1.0, 0.0, 0.0, 0.0], 1))
    turn_values(f, ref, rng)
    turn_contract(f, ref, rng)


@criterion(
    "interleaved_to_half", points=1, says="the rows of every head stand in the new order",
    advice="number the rows: for one head of size 6 the new order is 0, 2, 4, 1, 3, 5.",
)  # fmt: skip
def rows_in_order(f: Answer, ref: Answer, rng: Generator) -> None:
    """Head sizes from 6 up: at 4 the permutation is its own inverse and hides which way it goes."""
    w = np.arange(12.0).reshape(6, 2)
    expect(f(w, 1), ref(w, 1))
    w = rng.normal(size=(3 * 8, 12))
    expect(f(w, 3), ref(w, 3))


@criterion(
    "interleaved_to_half", points=1, says="scores stay what they were", contract=True,
    advice="permute rows (outputs), never columns (inputs), and every head by itself.",
)  # fmt: skip
def scores_kept(f: Answer, ref: Answer, rng: Generator) -> None:
    """Half-layout RoPE on the new projection scores as interleaved RoPE did on the old one."""
    heads, d, inputs = 2, 6, 12
    wq, wk = rng.normal(size=(heads * d, inputs)), rng.normal(size=(heads * d, inputs))
    xq, xk = rng.normal(size=inputs), rng.normal(size=inputs)
    old_q, old_k = (ref.rotary_embedding((w @ x).reshape(heads, d), m) for w, x, m in ((wq, xq, 11), (wk, xk, 4)))
    turn_q, turn_k = (ref.rotary_half(np.eye(d), m) for m in (11, 4))  # the turn as a matrix, since f must not feed ref
    new_q = (np.asarray(f(wq, heads)) @ xq).reshape(heads, d) @ turn_q
    new_k = (np.asarray(f(wk, heads)) @ xk).reshape(heads, d) @ turn_k
    expect((new_q * new_k).sum(axis=-1), (old_q * old_k).sum(axis=-1), what="the scores of both heads")


@criterion(
    "rotary_partial", points=1, says="the first rotary_dim features turn with frequencies of rotary_dim, the rest stay",
    contract=True, advice="give it x of ones and look which features of the result are no longer 1.",
)  # fmt: skip
def partial_turn(f: Answer, ref: Answer, rng: Generator) -> None:
    """A small list, the untouched rest, both ends of the range, types, and what is refused."""
    expect(f([1, 0, 5, 7], 1, 2), ref([1, 0, 5, 7], 1, 2))
    x, m = rng.normal(size=(3, 8)), np.array([2, 30, 4])
    got = f(x, m, 4)
    expect(got[..., 4:], x[..., 4:], what="the features behind rotary_dim")
    expect(got, ref(x, m, 4))
    x, m = rng.normal(size=(2, 5, 10)), rng.integers(0, 1000, size=5)
    expect(f(x, m, 6, base=300.0), ref(x, m, 6, base=300.0))
    expect(f(x, m, 10), ref(x, m, 10))
    expect(f(x, m, 0), x)
    expect(f(x[0, 0], 3, 2), ref(x[0, 0], 3, 2))
    single = x.astype(np.float32)
    expect(f(single, m, 4), ref(single, m, 4), dtype=True)
    for wrong in (3, -2, 12):
        refuses(ValueError, f, x, m, wrong)


@criterion(
    "decode_step", points=1, says="the first token attends to itself and fills the cache",
    advice="with one key the only weight is 1, so the output is v; keys in the cache have shape (..., 1, d).",
)  # fmt: skip
def first_token(f: Answer, ref: Answer, rng: Generator) -> None:
    """An empty cache, one head, lists of whole numbers, values of another width."""
    q, k, v = (rng.integers(-5, 6, size=n).tolist() for n in (4, 4, 2))
    cache, right = {}, {}
    expect(f(q, k, v, cache), ref(q, k, v, right))
    expect(cache, right, what="the cache")


@criterion(
    "decode_step", points=1, says="every step equals its row of the full causal attention",
    advice="the new token's position is how many keys the cache held; it turns q and k once, and v never.",
)  # fmt: skip
def follows_full_attention(f: Answer, ref: Answer, rng: Generator) -> None:
    """Several steps, two heads, values of another width, another base; compare outputs and caches at each step."""
    cache, right = {}, {}
    for _ in range(5):
        q, k, v = rng.normal(size=(2, 6)), rng.normal(size=(2, 6)), rng.normal(size=(2, 4))
        expect(f(q, k, v, cache, base=100.0), ref(q, k, v, right, base=100.0))
        expect(cache, right, what="the cache")


@criterion(
    "decode_step", points=1, says="the cache alone remembers: two sequences, leading axes, q, k and v unchanged",
    contract=True, advice="keep nothing outside the cache, and change the cache you are given: cache[\"k\"] = ...",
)  # fmt: skip
def cache_alone_remembers(f: Answer, ref: Answer, rng: Generator) -> None:
    """Two sequences in turn, one taken back to its first token, and a long cache that somebody else filled."""
    caches, rights = ({}, {}), ({}, {})
    for step in (0, 1, 0, 0, 1):
        q, k, v = rng.normal(size=(2, 1, 4)), rng.normal(size=(2, 1, 4)), rng.normal(size=(2, 1, 4))
        expect(f(q, k, v, caches[step]), ref(q, k, v, rights[step]))
    cut, right_cut = ({name: np.asarray(c[name])[..., :1, :] for name in c} for c in (caches[0], rights[0]))
    expect(f(q, k, v, cut), ref(q, k, v, right_cut))
    filled = {"k": rng.normal(size=(40, 4)), "v": rng.normal(size=(40, 2))}
    q, k, v = rng.normal(size=4), rng.normal(size=4), rng.normal(size=2)
    mine, right = dict(filled), dict(filled)
    expect(f(q, k, v, mine), ref(q, k, v, right))
    require(isinstance(mine.get("k"), np.ndarray), "the cache must hold arrays under the keys k and v")
    expect(mine, right, what="the cache")

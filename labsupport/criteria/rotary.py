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
    """Small first, then calls that differ in one argument each; far positions, before the first one, between two.

    No width but 6 meets two bases: speeds that are kept by d alone are then wrong in one call, where it shows.
    """
    expect(f(1, 4), ref(1, 4))
    expect(f([3, 0, 7], 6, base=100.0), ref([3, 0, 7], 6, base=100.0))
    expect(f([3, 0, 7], 6), ref([3, 0, 7], 6))
    expect(f([7, 0, 3], 6), ref([7, 0, 3], 6))
    expect(f([7, 0, 3], 8), ref([7, 0, 3], 8))
    far = rng.uniform(1, 5000, size=4) * [1, -1, 1, -1]
    expect(f(far, 10), ref(far, 10))
    expect(f(-2.5, 12, 50), ref(-2.5, 12, 50))
    for odd in (5, 9):
        refuses(ValueError, f, 1, odd)


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
    advice="print the angles of the failing call, and their shape beside that of x: are they those of this m and "
    "this base, and which axes must meet?",
)  # fmt: skip
def shapes_positions_base(f: Answer, ref: Answer, rng: Generator) -> None:
    """Positions that are not 0..n-1, far ones and negative ones, batch and heads, as many positions as features.

    As many tokens as heads hide which of the two axes the angles meet. Positions between whole numbers are left to
    relative_scores.
    """
    successive_calls(f, ref, rng)
    x, m = rng.normal(size=(3, 3, 4)), [6, 0, 11]
    expect(f(x, m), ref(x, m))
    x, m = rng.normal(size=(2, 3, 5, 8)), rng.integers(0, 2000, size=5)
    expect(f(x, m, base=500.0), ref(x, m, base=500.0))
    x = rng.normal(size=(3, 4))
    expect(f(x, 7), ref(x, 7))
    x, m = rng.normal(size=(10, 10)), rng.integers(1, 50, size=10) * np.tile([1, -1], 5)
    expect(f(x, m, 50), ref(x, m, 50))
    far_and_negative(f, ref, rng)


def successive_calls(f: Answer, ref: Answer, rng: Generator) -> None:
    """Calls of the same size that differ in one argument each: what was kept from the call before shows.

    No other call of a full rotation has this width and another base than its first.
    """
    x, m = rng.normal(size=(5, 6)), [100, 101, 102, 103, 104]
    expect(f(x, m), ref(x, m))
    expect(f(x, m, 50), ref(x, m, 50))
    expect(f(x, m[::-1]), ref(x, m[::-1]))
    other = rng.normal(size=(5, 6))
    expect(f(other, m[::-1]), ref(other, m[::-1]))


def far_and_negative(f: Answer, ref: Answer, rng: Generator) -> None:
    """One negative position; one row and its position; an odd one beyond 2048, which half precision cannot hold.

    At d = 4 and base 10000 float32 holds these far angles well: the fast one is a whole number, the slow one small.
    """
    x = rng.normal(size=(3, 4))
    expect(f(x, -7), ref(x, -7))
    expect(f(x[None, :1], [-5]), ref(x[None, :1], [-5]))
    far = 2049 + 2 * int(rng.integers(0, 900))
    expect(f(x[0], far), ref(x[0], far))


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
    got = f(x[:2], 0)
    expect(got, x[:2].astype(float))
    floats(got)
    single = rng.normal(size=(2, 3, 4)).astype(np.float32)
    m = np.array([5, 1, 9])
    expect(f(single, m), ref(single, m), dtype=True)
    for one in (4, 0):
        expect(f(single, one), ref(single, one), dtype=True)
    for odd in (3, 5):
        refuses(ValueError, f, np.ones((2, odd)), np.arange(2))
    refuses(ValueError, f, np.ones(7), 2)


def floats(got: np.ndarray) -> None:
    """Demand floats, of any size, where whole numbers came in and the values happen to be whole."""
    kind = np.asarray(got).dtype
    require(kind.kind == "f", f"x of whole numbers must give floats; yours is an array of {kind}")


def turn_values(f: Answer, ref: Answer, rng: Generator) -> None:
    """Say what every full rotation gives: small, then shapes, positions and base of all kinds.

    As many tokens as heads hide which of the two axes the angles meet.
    """
    expect(f([1.0, 0.0, 1.0, 0.0], 1), ref([1.0, 0.0, 1.0, 0.0], 1))
    successive_calls(f, ref, rng)
    x, m = rng.normal(size=(2, 3, 4, 8)), rng.uniform(0, 2000, size=4)
    expect(f(x, m, base=500.0), ref(x, m, base=500.0))
    x = rng.normal(size=(3, 4))
    expect(f(x, 7), ref(x, 7))
    far_and_negative(f, ref, rng)
    x = rng.normal(size=(2, 4))
    expect(f(x, -2.5), ref(x, -2.5))
    x, m = rng.normal(size=(3, 3, 4)), [6, 0, 11]
    expect(f(x, m), ref(x, m))
    q, k = rng.normal(size=10), rng.normal(size=10)
    expect(f(q, 40) @ f(k, 33), f(q, 9) @ f(k, 2))


@criterion(
    "rotary_complex", points=1, says="the same numbers and the same contract as rotary_embedding",
    contract=True, advice="give the failing call to rotary_embedding too, and compare the results number by number.",
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
    """Head sizes from 6 up: at 4 the permutation is its own inverse and hides which way it goes.

    The same matrix with other numbers of heads, one after the other; a list.
    """
    w = np.arange(12.0).reshape(6, 2)
    expect(f(w, 1), ref(w, 1))
    w = rng.normal(size=(3 * 8, 12))
    for heads in (3, 2, 4):
        expect(f(w, heads), ref(w, heads))
    rows = rng.normal(size=(12, 3)).tolist()
    expect(f(rows, 2), ref(rows, 2))


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
    """A small list, the untouched rest, other base and positions, both ends of the range, types, what is refused."""
    expect(f([1, 0, 5, 7], 1, 2), ref([1, 0, 5, 7], 1, 2))
    x, m = rng.normal(size=(3, 8)), np.array([2, 30, 4])
    got = f(x, m, 4)
    expect(got[..., 4:], x[..., 4:], what="the features behind rotary_dim")
    expect(got, ref(x, m, 4))
    expect(f(x, m, 4, 50), ref(x, m, 4, 50))
    expect(f(x, m[::-1], 4), ref(x, m[::-1], 4))
    x, m = rng.normal(size=(2, 5, 10)), rng.integers(0, 1000, size=5)
    expect(f(x, m, 6, base=300.0), ref(x, m, 6, base=300.0))
    for rotary_dim in (10, 8):
        expect(f(x, m, rotary_dim), ref(x, m, rotary_dim))
    expect(f(x, m, 0), x)
    expect(f(x[0, 0], 3, 2), ref(x[0, 0], 3, 2))
    expect(f(x[0], -2.5, 4), ref(x[0], -2.5, 4))
    whole = rng.integers(-5, 6, size=(2, 6))
    for rotary_dim, one in ((0, 3), (4, 0)):  # twice nothing turns
        got = f(whole, one, rotary_dim)
        expect(got, whole.astype(float))
        floats(got)
    single = x.astype(np.float32)
    for rotary_dim in (4, 0, 10):
        expect(f(single, m, rotary_dim), ref(single, m, rotary_dim), dtype=True)
    expect(f(single, 6, 4), ref(single, 6, 4), dtype=True)
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
    """Several steps, two heads, values of another width, another base; compare outputs and caches at each step.

    Then scores near +1000 in one head and near -1000 in the other, in the same call: exp of them must not overflow
    in the one nor vanish in the other.
    """
    cache, right = {}, {}
    for _ in range(5):
        q, k, v = rng.normal(size=(2, 6)), rng.normal(size=(2, 6)), rng.normal(size=(2, 4))
        expect(f(q, k, v, cache, base=100.0), ref(q, k, v, right, base=100.0))
        expect(cache, right, what="the cache")
    cache, right = {}, {}
    for _ in range(2):
        q, v = rng.normal(size=(2, 8)), rng.normal(size=(2, 3))
        q *= 54 / np.linalg.norm(q, axis=-1, keepdims=True)
        k = q * [[1], [-1]]
        expect(f(q, k, v, cache), ref(q, k, v, right))


@criterion(
    "decode_step", points=1, says="the cache alone remembers: two sequences, leading axes, q, k and v unchanged",
    contract=True, advice="keep nothing outside the cache, and change the cache you are given: cache[\"k\"] = ...",
)  # fmt: skip
def cache_alone_remembers(f: Answer, ref: Answer, rng: Generator) -> None:
    """Two sequences in turn, one taken back to its first token, and a long cache that somebody else filled.

    The long one is read twice, with two bases. Of a cache only the keys k and v are looked at. Queries of zeros weigh
    all tokens alike, so a fault of the values is seen there beside one of the scores.
    """
    caches, rights = ({}, {}), ({}, {})
    for step, length in ((0, 1), (1, 1), (0, 1), (0, 1), (1, 1), (0, 0), (1, 0)):
        q, k, v = length * rng.normal(size=(2, 1, 4)), rng.normal(size=(2, 1, 4)), rng.normal(size=(2, 1, 4))
        expect(f(q, k, v, caches[step]), ref(q, k, v, rights[step]))
    q = rng.normal(size=(2, 1, 4))
    cut, right_cut = ({n: np.asarray(c[n])[..., :1, :] for n in "kv" if n in c} for c in (caches[0], rights[0]))
    expect(f(q, k, v, cut), ref(q, k, v, right_cut))
    filled = {"k": rng.normal(size=(300, 4)), "v": rng.normal(size=(300, 2))}
    q, k, v = rng.normal(size=4), rng.normal(size=4), rng.normal(size=2)
    mine, right = dict(filled), dict(filled)
    expect(f(q, k, v, mine), ref(q, k, v, right))
    require(isinstance(mine.get("k"), np.ndarray), "the cache must hold arrays under the keys k and v")
    expect(mine, right, what="the cache")
    mine, right = dict(filled), dict(filled)
    expect(f(q, k, v, mine, 50), ref(q, k, v, right, 50))

"""11_evaluation: how much a model minds an order or a shift, keys in long texts, and how sure a mean is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from labsupport.checking import choice, criterion, differ, exercise, expect, notebook, require, written

Answer = Callable[..., Any]
Generator = np.random.Generator

notebook("11_evaluation", minutes=75)
choice("answer_blind_score", notebook="11_evaluation", points=1, options="abcd", minutes=3)
exercise("shuffle_sensitivity", notebook="11_evaluation", minutes=8)
exercise("shift_sensitivity", notebook="11_evaluation", minutes=5)
exercise("bootstrap_interval", notebook="11_evaluation", minutes=8, returns="any")
exercise("passkey_example", notebook="11_evaluation", minutes=7, returns="any")
exercise("passkey_accuracy", notebook="11_evaluation", minutes=7)
written("what_a_score_shows", notebook="11_evaluation", points=2, minutes=8)


def fresh(rng: Generator) -> Generator:
    """Give a generator for an answer to draw from."""
    return np.random.default_rng(int(rng.integers(1, 2**31)))


@criterion(
    "shuffle_sensitivity", points=1, says="the mean, over `repeats` orders drawn with rng, of the relative distance",
    advice="with np.cumsum, x = [5, 1, 2] and repeats=1, print perm, f(x[perm]) and f(x)[perm] beside each other.",
)  # fmt: skip
def mean_over_orders(f: Answer, ref: Answer, rng: Generator) -> None:
    """Numbers in a row, so that no axis can be taken wrongly; one order, then many; functions that know places."""
    x, places = np.array([5.0, 1.0, 2.0, 9.0]), np.array([0.0, 1.0, 5.0, -3.0])
    for once in (np.cumsum, lambda row: row + places, lambda row: row * places):
        draws = fresh(rng)
        expect(f(once, x, draws, 1), ref(once, x, draws, 1))
    x, slope = rng.normal(size=9), rng.uniform(1, 3)
    for repeats in (3, 7):
        draws = fresh(rng)
        expect(f(lambda row: slope * np.cumsum(row), x, draws, repeats), ref(np.cumsum, x, draws, repeats))
    draws, other = fresh(rng), fresh(rng)
    differ(f(np.cumsum, x, draws, 2), f(np.cumsum, x, other, 2), "two generators gave the same: yours does not use rng")


@criterion(
    "shuffle_sensitivity", points=1, says="one number for any shape of f(x): 0 where all places are treated alike",
    contract=True, advice="for f(x) of shape (n, d) the norm is the root of the sum of ALL squares, one number.",
)  # fmt: skip
def any_shape(f: Answer, ref: Answer, rng: Generator) -> None:
    """Rows of features, blocks, outputs of another width than the inputs, lists of tokens; one order each."""
    x, w = rng.normal(size=(6, 3)), rng.normal(size=(3, 4))
    expect(f(lambda rows: np.tanh(rows @ w), x, fresh(rng), 1), 0.0, what="a function of each row by itself")
    for once in (
        lambda rows: np.cumsum(rows @ w, axis=0),
        lambda rows: rows[:, :, None] * np.arange(6.0)[:, None, None],
    ):
        draws = fresh(rng)
        expect(f(once, x, draws, 1), ref(once, x, draws, 1))
    table, drift = rng.normal(size=(5, 4)), rng.normal(size=(7, 4))
    tokens, draws = rng.permutation(np.array([0, 1, 2, 3, 4, 1, 0])), fresh(rng)
    expect(f(lambda t: table[t] + drift, tokens.tolist(), draws, 1), ref(lambda t: table[t] + drift, tokens, draws, 1))


@criterion(
    "shift_sensitivity", points=1, says="for each offset the distance from f(x, 0), relative to the size of f(x, 0)",
    contract=True, advice="with f(x, o) = x + o, x = [3, 4] and offsets [0, 5] the result is [0, 1.4142].",
)  # fmt: skip
def relative_to_no_shift(f: Answer, ref: Answer, rng: Generator) -> None:
    """Small first; offsets out of order, negative, without a 0; rows of features; a function that sees no offset."""
    x = np.array([3.0, 4.0])
    expect(f(lambda x, o: x + o, x, np.array([0, 5])), ref(lambda x, o: x + o, x, np.array([0, 5])))
    x, offsets = rng.normal(size=(5, 3)), [7, -2, 31, 7, 1]
    for once in (lambda x, o: np.sin(x + 0.1 * o), lambda x, o: 2 * x - o * x**2, lambda x, o: (x + 4) * (o + 2)):
        expect(f(once, x, offsets), ref(once, x, offsets))
    block = rng.normal(size=(4, 2))
    expect(f(lambda x, o: np.cos(x + o)[:, :, None] * [1.0, o], block, [9]), ref(
        lambda x, o: np.cos(x + o)[:, :, None] * [1.0, o], block, [9]))  # fmt: skip
    expect(f(lambda x, o: x @ x.T, x, [3, 700]), np.zeros(2), what="a function that sees no offset")
    tokens, table = rng.integers(0, 5, size=6), rng.normal(size=(60, 4))
    expect(
        f(lambda t, o: table[t + 9 * o], tokens.tolist(), [1, 5]), ref(lambda t, o: table[t + 9 * o], tokens, [1, 5])
    )


@criterion(
    "bootstrap_interval", points=1, says="percentiles of the means of resamples, with equal tails left off",
    contract=True, advice="for the values [0, 1] a resample's mean is 0, 1/2 or 1; with level=0.3 both ends are 1/2.",
)  # fmt: skip
def percentiles_of_means(f: Answer, ref: Answer, rng: Generator) -> None:
    """Values at which the interval is exact whatever is drawn; within the play of the draws; few resamples."""
    expect(ends(f([0.0, 1.0], fresh(rng), 0.3)), np.array([0.5, 0.5]))
    expect(ends(f([0.0, 1.0], fresh(rng), level=0.8)), np.array([0.0, 1.0]))
    expect(ends(f([2, 2, 2], fresh(rng))), np.array([2.0, 2.0]))
    expect(ends(f([1.2345, 1.2345], fresh(rng))), np.array([1.2345, 1.2345]))
    expect(ends(f([6, 0, 0, 0, 0, 0], fresh(rng), 0.4, resamples=8000)), np.array([0.0, 1.0]))
    skewed = np.concatenate([rng.exponential(size=14) ** 2, [20.0]])
    for level, play in ((0.5, 0.12), (0.9, 0.25)):
        draws = fresh(rng)
        got = ends(f(skewed, draws, level, resamples=8000))
        want = ends(ref(skewed, draws, level, resamples=8000))
        near = got.shape == (2,) and np.abs(got - want) < play * skewed.std() / np.sqrt(15)
        require(near, f"for 15 skewed values and level={level} the ends are {np.round(got, 2)}: too far off")
    one, ten = (ends(f(skewed, fresh(rng), 0.9, resamples=n)) for n in (1, 10))
    require(one.shape == (2,) and one[0] == one[1], "with resamples=1 there is one mean, and both ends are equal to it")
    require(ten.shape == (2,) and ten[0] < ten[1], "with resamples=10 there are ten means, and the ends lie apart")
    draws = fresh(rng)
    expect(ends(f(skewed, draws)), ends(f(skewed, draws, level=0.95, resamples=2000)), what="the defaults")
    one, other = f(skewed, draws), f(skewed, fresh(rng))
    differ(ends(one), ends(other), "two generators gave the same: yours does not use rng")


def ends(interval: Any) -> np.ndarray:
    """Give the two ends as an array, whatever holds them; what holds no numbers becomes a single NaN."""
    try:
        return np.asarray(interval, dtype=float)
    except (TypeError, ValueError):
        return np.array(np.nan)


@criterion(
    "passkey_example", points=1, says="noise, then marker and key at the depth asked for, and the query at the end",
    contract=True, advice="for length 5 there is no noise left to see: marker, three digits, query.",
)  # fmt: skip
def text_and_key(f: Answer, ref: Answer, rng: Generator) -> None:
    """Shortest first; both ends, depths between that are no ties; whole numbers; what the text and the key share."""
    for length, depth in (
        (5, 0.0),
        (5, 1.0),
        (9, 0.0),
        (12, 1.0),
        (16, 0.7),
        (30, 0.77),
        (18, 0.9),
        (31, 0.05),
        (31, 0.53),
        (200, 0.251),
    ):
        draws = fresh(rng)
        expect(f(length, depth, draws), ref(length, depth, draws))
    depth, draws = float(rng.uniform(0.1, 0.9)), fresh(rng)
    expect(f(1001, depth, draws), ref(1001, depth, draws))
    tokens, key = f(40, 0.31, fresh(rng))
    require(np.shape(tokens) == (40,) and np.shape(key) == (3,), "tokens must have shape (length,) and key (3,)")
    differ(f(30, 0.4, fresh(rng))[0], f(30, 0.4, fresh(rng))[0], "two generators gave the same text: yours ignores rng")


def found(tokens: Any) -> np.ndarray:
    """Give what stands behind the marker."""
    tokens = np.asarray(tokens)
    start = int(np.argmax(tokens == 10))
    return tokens[start + 1 : start + 4]


def found_near(tokens: Any) -> np.ndarray:
    """Give what stands behind the marker if that lies among the last 20 tokens."""
    return found(np.asarray(tokens)[-20:]) if 10 in np.asarray(tokens)[-20:] else np.array([-1, -1, -1])


def found_backwards(tokens: Any) -> np.ndarray:
    """Give the key with its digits in the opposite order, and nothing where that is the key itself."""
    key = found(tokens)
    return key[::-1] if (key != key[::-1]).any() else np.array([-1, -1, -1])


def keys_differ(shown: list[list[int]]) -> bool:
    """Whether no two places of the map, told apart by length and marker, were tried with the same set of keys."""
    keys: dict[tuple[int, int], list[list[int]]] = {}
    for tokens in shown:
        start = tokens.index(10) if 10 in tokens else -1
        keys.setdefault((len(tokens), start), []).append(tokens[start + 1 : start + 4])
    return len({str(sorted(k)) for k in keys.values()}) == len(keys)


@criterion(
    "passkey_accuracy", points=1, says="for every length and depth the share of texts whose whole key is named",
    contract=True, advice="a model that always gets two digits of three right has an accuracy of 0 here, not of 2/3.",
)  # fmt: skip
def share_of_keys(f: Answer, ref: Answer, rng: Generator) -> None:
    """One cell, a grid that is not square, keys nearly right, keys right by chance; which texts were shown."""
    expect(f(found, [9], [0.5], fresh(rng), 1), np.ones((1, 1)))
    lengths, depths = [12, 30, 64], [0.0, 0.9]
    for predict in (found, found_near, lambda t: list(found(t)), found_backwards):
        draws = fresh(rng)
        expect(f(predict, lengths, depths, draws, 3), ref(predict, lengths, depths, draws, 3))
    for wrong in ([0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]):
        draws, nearly = fresh(rng), lambda t, wrong=wrong: (found(t) + 5 * np.array(wrong)) % 10
        expect(f(nearly, [12], [0.3, 0.9], draws, 2), ref(nearly, [12], [0.3, 0.9], draws, 2))
    draws, shown = fresh(rng), []

    def every_other(tokens: Any) -> np.ndarray:
        shown.append(np.asarray(tokens).tolist())
        return found(tokens) if found(tokens).sum() % 2 else np.array([-1, -1, -1])

    shares = np.asarray(f(every_other, [12, 17], [0.1, 0.5, 1.0], draws, 10))
    expect([sum(len(t) == n for t in shown) for n in (12, 17)], [30, 30], what="texts of length 12 and of length 17")
    require(len({tuple(t) for t in shown}) == len(shown), "every text must be drawn anew; yours shows some again")
    require(keys_differ(shown), "two places of the map were tried with the same keys: draw new ones for each")
    odd = np.mean([found(t).sum() % 2 for t in shown]) if shown else 0.0
    expect(shares.mean(), odd, what="the mean share of a model that knows keys with an odd sum alone")
    first, shown[:] = list(shown), []
    f(every_other, [12, 17], [0.1, 0.5, 1.0], fresh(rng), 10)
    require(first != shown, "two generators gave the same texts: yours does not use rng")

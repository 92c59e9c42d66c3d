"""What the small transformer is trained on: a made-up language, tasks about order with their ceilings, pictures.

All of it is made from a seed in a fraction of a second. A batch is (inputs, targets) as `Transformer.loss` takes them;
the functions here that make batches give functions of a random generator, as `Training` takes them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import factorial

import numpy as np

Batch = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]

LETTERS = "abcdefghijklmnopqrstuvwxyz ."
"""The 28 signs of the syllable language; a token is an index into them."""

CONSONANTS, VOWELS = "bcdfghjklmnpqrstvwxyz", "aeiou"
WORDS, FOLLOWERS, TOPIC_WORDS, DOCUMENT = 300, 8, 20, 60
"""Words of the language, followers that each prefers, words that a document prefers, words in a document."""


def syllable_text(seed: int = 0, length: int = 300_000) -> np.ndarray:
    """Write text in a made-up language whose next letter can be guessed from a few letters and from the topic.

    Words are one to three syllables of consonant and vowel. A few words are frequent (Zipf), each word has favourite
    followers, and each document of 60 words comes back to 20 words of its own.

    Parameters
    ----------
    seed : of words and text
    length : how many signs

    Returns
    -------
    array (length,) of whole numbers from 0 to 27, indices into `LETTERS`
    """
    rng = np.random.default_rng(seed)
    words, frequency = _words(rng), np.arange(1, WORDS + 1) ** -0.8
    numbers = _word_numbers(rng, np.cumsum(frequency / frequency.sum()), length // 4 + DOCUMENT)
    ends = np.arange(len(numbers)) % DOCUMENT == DOCUMENT - 1
    text = "".join(words[n] + (". " if end else " ") for n, end in zip(numbers, ends, strict=True))
    code = np.zeros(128, int)
    code[[ord(letter) for letter in LETTERS]] = np.arange(len(LETTERS))
    return code[np.frombuffer(text[:length].encode("ascii"), np.uint8)]


@cache
def train_and_held_out() -> tuple[np.ndarray, np.ndarray]:
    """Give the first 270 000 signs of the text, to train on, and the other 30 000, to read."""
    text = syllable_text()
    return text[:270_000], text[270_000:]


def _words(rng: np.random.Generator) -> list[str]:
    found: dict[str, None] = {}
    while len(found) < WORDS:
        count = rng.integers(1, 4)
        syllables = (CONSONANTS[rng.integers(21)] + VOWELS[rng.integers(5)] for _ in range(count))
        found["".join(syllables)] = None
    return list(found)


def _word_numbers(rng: np.random.Generator, cumulative: np.ndarray, count: int) -> list[int]:
    """Draw words one after another: three tenths from followers of the last, three tenths from the topic."""

    def draw(*shape: int) -> np.ndarray:
        return np.minimum(np.searchsorted(cumulative, rng.random(shape)), WORDS - 1)

    followers, topics = draw(WORDS, FOLLOWERS).tolist(), draw(count // DOCUMENT + 1, TOPIC_WORDS).tolist()
    plain, choices = draw(count).tolist(), rng.random((count, 2)).tolist()
    numbers, last = [], 0
    for i, (kind, which) in enumerate(choices):
        if kind < 0.3:
            last = followers[last][int(FOLLOWERS * which)]
        elif kind < 0.6:
            last = topics[i // DOCUMENT][int(TOPIC_WORDS * which)]
        else:
            last = plain[i]
        numbers.append(last)
    return numbers


def next_letter(text: np.ndarray, length: int, size: int = 16) -> Batch:
    """Give batches of `size` pieces (size, length) of a text, and the letters that follow."""

    def batch(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        return ending_at(text, rng.integers(length, len(text), size), length)

    return batch


def ending_at(text: np.ndarray, ends: np.ndarray, length: int) -> tuple[np.ndarray, np.ndarray]:
    """Give the windows of `length` letters before each end, and their next letters, of which the last is text[end].

    The same ends with several lengths ask for the same last letters, with more or less text before them.
    """
    at = np.asarray(ends)[:, None] + np.arange(-length, 0)
    return text[at], text[at + 1]


ORDER_TASKS = {
    "largest": lambda x: np.repeat(x.max(1, keepdims=True), x.shape[1], axis=1),
    "left neighbour": lambda x: np.roll(x, 1, axis=1),
    "occurrence": lambda x: np.tril(x[:, :, None] == x[:, None, :], -1).sum(-1),
    "reverse": lambda x: x[:, ::-1],
}
"""Targets (B, n) for tokens (B, n). The first needs no order; the left neighbour of the first token is the last one;
"occurrence" asks how many equal tokens stand before this one."""


def order_task(name: str, length: int = 16, vocabulary: int = 8, size: int = 32) -> Batch:
    """Give batches of random tokens (size, length) with targets `ORDER_TASKS[name]`, all below length."""

    def batch(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        x = rng.integers(0, vocabulary, (size, length))
        return x, ORDER_TASKS[name](x)

    return batch


def ceiling_without_order(name: str, length: int = 16, vocabulary: int = 8) -> float:
    """Give the best accuracy of a model that sees which tokens there are and its own one, but no order.

    Parameters
    ----------
    name : a key of `ORDER_TASKS`
    length : n, even
    vocabulary : tokens are drawn evenly from 0 ... vocabulary - 1

    Returns
    -------
    float : for "left neighbour" and "reverse" the best guess is the commonest of the n - 1 other tokens, right as often
        as its share; for "occurrence" one of c equal tokens is right once in c, so the mean is distinct tokens / n
    """
    if name == "largest":
        return 1.0
    if name == "occurrence":
        return vocabulary * (1 - (1 - 1 / vocabulary) ** length) / length
    return _mean_largest_count(length - 1, vocabulary) / (length - 1)


def ceiling_left_right_blind(vocabulary: int = 8) -> float:
    """Give the best accuracy at "left neighbour" of a model that takes left for right."""
    return 1 / vocabulary + (1 - 1 / vocabulary) / 2


def _mean_largest_count(draws: int, kinds: int) -> float:
    """Give the mean count of the commonest kind: the sum of P(count > m), from powers of exp's series cut at m."""
    mean = 0.0
    for most in range(draws):
        series = np.array([1 / factorial(k) for k in range(most + 1)])
        power = np.ones(1)
        for _ in range(kinds):
            power = np.convolve(power, series)[: draws + 1]
        within = power[draws] * factorial(draws) / kinds**draws if len(power) > draws else 0.0
        mean += 1 - within
    return mean


def tokens_ago(distance: int, length: int = 32, vocabulary: int = 16, size: int = 32) -> Batch:
    """Give batches that ask at each place for the token `distance` places before; the first places ask nothing (-1)."""

    def batch(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        x = rng.integers(0, vocabulary, (size, length))
        return x, np.where(np.arange(length) < distance, -1, np.roll(x, distance, axis=1))

    return batch


def bump_pictures(side: int = 8, size: int = 16) -> Batch:
    """Give noisy pictures with a bright bump and a dark one; the target is the bright one's cell in a 3 x 3 grid.

    The two stand in different cells, away from the borders, so that there is no doubt which cell is meant. The same
    scene can be sampled at any `side`. Inputs (size, side * side, 1) are row-major pixels at half-pixel centres,
    targets (size,) from 0 to 8.
    """
    centres = (np.arange(side) + 0.5) / side

    def batch(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        cell = rng.integers(0, 9, size)
        other = (cell + rng.integers(1, 9, size)) % 9
        bright, dark = (_inside(k, rng) for k in (cell, other))
        picture = _bump(centres, bright) - _bump(centres, dark) + 0.2 * rng.normal(size=(size, side, side))
        return picture.reshape(size, -1, 1), cell

    return batch


def _inside(cell: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw places (size, 2), line and column from 0 to 1, in the middle of cells of a 3 x 3 grid."""
    return (np.stack(np.divmod(cell, 3), axis=-1) + rng.uniform(0.2, 0.8, (len(cell), 2))) / 3


def _bump(centres: np.ndarray, at: np.ndarray) -> np.ndarray:
    rows, columns = (np.exp(-(((centres - at[:, axis, None]) / 0.12) ** 2)) for axis in (0, 1))
    return rows[:, :, None] * columns[:, None, :]

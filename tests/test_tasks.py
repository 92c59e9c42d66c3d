"""The tasks that the transformer is trained on: the made-up language, the ceilings, the pictures."""

from itertools import pairwise

import numpy as np
import pytest

from labsupport import course, tasks, transformer
from labsupport.transformer import model, positions, training


def test_the_text_depends_on_its_seed_alone():
    one, again, other = (tasks.syllable_text(seed, 20_000) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, again)
    assert (one != other).mean() > 0.5
    assert len(one) == 20_000
    assert one.min() >= 0
    assert one.max() < len(tasks.LETTERS)


def test_the_text_is_made_of_syllables_words_and_documents():
    text = "".join(tasks.LETTERS[i] for i in tasks.syllable_text(0, 30_000))
    documents = [document.split() for document in text.split(". ")[:-1]]
    assert {len(document) for document in documents} == {tasks.DOCUMENT}
    words = {word for document in documents for word in document}
    assert len(words) <= tasks.WORDS
    assert all(set(word[1::2]) <= set("aeiou") and not set(word[::2]) & set("aeiou") for word in words)


def test_a_word_comes_back_in_its_own_document_more_often_than_elsewhere():
    text = "".join(tasks.LETTERS[i] for i in tasks.syllable_text(0, 100_000))
    documents = [set(document.split()) for document in text.split(". ")[:-1]]
    sizes = [len(document) for document in documents]
    together = [len(a & b) for a, b in pairwise(documents)]
    assert np.mean(sizes) < 0.8 * tasks.DOCUMENT
    assert np.mean(together) < 0.5 * np.mean(sizes)


def test_windows_of_every_length_ask_for_the_same_last_letters():
    text = np.arange(1000)
    (short_x, short_y), (long_x, long_y) = (tasks.ending_at(text, [500, 700], n) for n in (8, 32))
    np.testing.assert_array_equal(short_y, long_y[:, -8:])
    np.testing.assert_array_equal(short_x, long_x[:, -8:])
    np.testing.assert_array_equal(short_y, short_x + 1)
    np.testing.assert_array_equal(short_y[:, -1], [500, 700])


def test_batches_of_text_stay_inside_it():
    x, y = tasks.next_letter(np.arange(40), 39, size=200)(np.random.default_rng(0))
    assert x.shape == y.shape == (200, 39)
    np.testing.assert_array_equal(x[0], np.arange(39))


@pytest.mark.parametrize("name", tasks.ORDER_TASKS)
def test_ceilings_are_what_counting_gives(name):
    """The best guess of who sees the tokens and its own one, counted on drawn sequences."""
    rng = np.random.default_rng(0)
    x = rng.integers(0, 8, (4000, 16))
    counts = (x[:, :, None] == np.arange(8)).sum(1)
    own = np.take_along_axis(counts, x, axis=1)
    if name == "largest":
        share = np.ones(1)
    elif name == "occurrence":
        share = 1 / own
    else:
        others = counts[:, None, :] - (x[:, :, None] == np.arange(8))
        share = others.max(-1) / 15
    assert abs(share.mean() - tasks.ceiling_without_order(name)) < 0.004


@pytest.mark.parametrize(("name", "ceiling"), [("left neighbour", 0.267), ("reverse", 0.267), ("occurrence", 0.441)])
def test_ceilings_of_the_course(name, ceiling):
    assert abs(tasks.ceiling_without_order(name) - ceiling) < 0.001


def test_who_takes_left_for_right_names_one_of_two():
    rng = np.random.default_rng(0)
    left, right = rng.integers(0, 8, (2, 100_000))
    guess = np.where(rng.random(100_000) < 0.5, left, right)
    assert abs((guess == left).mean() - tasks.ceiling_left_right_blind()) < 0.005


def test_targets_of_order_tasks_on_a_small_case():
    x = np.array([[2, 0, 2, 1]])
    targets = {name: task(x)[0].tolist() for name, task in tasks.ORDER_TASKS.items()}
    assert targets == {
        "largest": [2, 2, 2, 2],
        "left neighbour": [1, 2, 0, 2],
        "occurrence": [0, 0, 1, 0],
        "reverse": [1, 2, 0, 2],
    }


def test_tokens_ago_ask_nothing_before_there_is_an_answer():
    x, y = tasks.tokens_ago(3, length=6)(np.random.default_rng(0))
    assert (y[:, :3] == -1).all()
    np.testing.assert_array_equal(y[:, 3:], x[:, :3])


def test_the_bright_bump_lies_in_the_cell_that_is_asked_for():
    x, y = tasks.bump_pictures(side=24, size=64)(np.random.default_rng(0))
    smooth = x.reshape(64, 3, 8, 3, 8).clip(0.5).sum((2, 4)).reshape(64, 9)
    assert (smooth.argmax(1) == y).mean() > 0.8


def test_the_same_scene_is_sampled_at_any_side():
    coarse, fine = (tasks.bump_pictures(side, size=4)(np.random.default_rng(0)) for side in (8, 16))
    np.testing.assert_array_equal(coarse[1], fine[1])
    assert coarse[0].shape == (4, 64, 1)
    assert fine[0].shape == (4, 256, 1)


def test_no_function_is_named_like_an_exercise():
    names = {name for module in (tasks, transformer, model, positions, training) for name in vars(module)}
    assert not names & course.exercises().keys()

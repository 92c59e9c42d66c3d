"""The real digits that the course ships, and how they are cut into patches."""

import hashlib

import numpy as np

from labsupport import pictures


def test_the_file_is_the_one_whose_origin_is_described():
    text = (pictures.DATA / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(pictures.FILE.read_bytes()).hexdigest() in text


def test_digits_are_whole_numbers_of_ink_and_names_of_digits():
    digits, names = pictures.digits()
    assert digits.shape == (1797, 8, 8)
    assert (digits.min(), digits.max()) == (0, 16)
    assert set(names) == set(range(10))


def test_whoever_changes_a_picture_changes_a_copy():
    pictures.digits()[0][:] = 0
    assert pictures.digits()[0].any()


def test_patches_come_line_by_line_and_hold_neighbouring_pixels():
    picture = np.arange(64).reshape(1, 8, 8) % 17
    patch = (pictures.patches(picture)[0] + 1) * 8
    assert patch[1].tolist() == picture[0, :2, 2:4].ravel().tolist()
    assert patch[4].tolist() == picture[0, 2:4, :2].ravel().tolist()


def test_unseen_digits_are_not_those_of_the_training():
    x, names = pictures.unseen_digits()
    assert x.shape == (597, 16, 4)
    assert (names == pictures.digits()[1][1200:]).all()


def test_a_model_of_a_few_steps_reads_the_digits_no_worse_than_chance():
    model = pictures.train_on_digits(None, steps=60)
    assert pictures.share_right(model, *pictures.unseen_digits()) > 0.15

"""The real data that the course ships: what the loader gives, and that the file is the one the README describes."""

import hashlib

import numpy as np
import pytest

from labsupport import minilm


def test_the_file_is_the_one_whose_origin_is_described():
    text = (minilm.FILE.parent / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(minilm.FILE.read_bytes()).hexdigest() in text


def test_whoever_changes_the_table_changes_a_copy():
    table = minilm.position_table()
    table[:] = 0
    assert minilm.position_table().shape == (512, 384)
    assert minilm.position_table().any()


def test_head_two_attends_to_the_previous_token_by_position_alone():
    scores = minilm.head_scores(minilm.position_table()[:64])
    assert (scores[1:].argmax(axis=-1) == np.arange(63)).all()


def test_a_head_that_is_not_kept_is_refused_by_its_number():
    with pytest.raises(ValueError, match="not 3"):
        minilm.head_parameters(3)

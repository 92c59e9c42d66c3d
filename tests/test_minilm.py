"""The real data that the course ships: what the loader gives, and that the file is the one the README describes."""

import hashlib

import numpy as np
import pytest
from common import right

from labsupport import minilm
from labsupport.authoring import fold_head


@pytest.mark.parametrize("file", [minilm.FILE, minilm.HEAD_FILE], ids=lambda path: path.name)
def test_the_file_is_the_one_whose_origin_is_described(file):
    text = (minilm.FILE.parent / "README.md").read_text(encoding="utf-8")
    assert hashlib.sha256(file.read_bytes()).hexdigest() in text


def test_the_folded_head_is_what_the_parts_give():
    with np.load(minilm.HEAD_FILE, allow_pickle=False) as stored:
        for name, array in fold_head.folded().items():
            assert np.allclose(stored[name], array, rtol=1e-5, atol=1e-6)


def test_the_folded_head_scores_as_the_formula_does():
    rows = minilm.position_table()
    scores = right("03_learned")[0]["positional_scores"](rows, minilm.head_parameters(2))
    assert np.abs(minilm.head_scores(rows) - scores).max() < 1e-4


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

"""The real digits that the course ships, how they are cut into patches, and runs that are recorded or made again."""

import hashlib
import json

import numpy as np
import pytest

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


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setattr(pictures, "DATA", tmp_path)
    monkeypatch.delenv("LABSUPPORT_LIVE", raising=False)
    return tmp_path


def test_a_recorded_run_is_shown_and_not_made(data):
    (data / "runs").mkdir()
    (data / "runs" / "some.json").write_text(json.dumps({"a": [1, 2]}), encoding="utf-8")
    assert pictures.recorded("some", lambda: pytest.fail("made again")) == {"a": [1, 2]}


@pytest.mark.parametrize("wish", ["1", "flag"])
def test_a_run_is_made_again_where_that_is_asked_for(data, monkeypatch, wish):
    if wish == "1":
        monkeypatch.setenv("LABSUPPORT_LIVE", wish)
    assert pictures.recorded("some", lambda: 3, live=wish == "flag") == 3
    assert not (data / "runs").exists()


def test_a_run_is_written_down_where_that_is_asked_for(data, monkeypatch):
    monkeypatch.setenv("LABSUPPORT_LIVE", "record")
    assert pictures.recorded("some", lambda: {"a": 0.5}) == {"a": 0.5}
    monkeypatch.delenv("LABSUPPORT_LIVE")
    assert pictures.recorded("some", lambda: None) == {"a": 0.5}

"""The recorded runs: what is shipped is whole, and what the runs are made of does what it says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from labsupport import runs
from labsupport.runs import extrapolation


def test_a_record_comes_back_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "FOLDER", tmp_path)
    results = {"settings": {"seeds": 2, "lengths": [1, 2]}, "parts": {"a": [[1.5]], 'with "quotes"': {"mean": [0.25]}}}
    runs.record("trial", results)
    assert runs.recorded("trial") == results


@pytest.mark.parametrize(("wish", "answer"), [("1", True), ("0", False), ("", False)])
def test_the_environment_says_whether_notebooks_train(monkeypatch: pytest.MonkeyPatch, wish: str, answer: bool) -> None:
    monkeypatch.setenv("LABSUPPORT_LIVE", wish)
    assert runs.live() is answer


def test_the_shipped_run_holds_every_scheme_seed_and_length() -> None:
    run = runs.recorded("extrapolation")
    seeds, lengths = run["settings"]["seeds"], len(run["settings"]["multiples"])
    assert seeds >= 3
    assert len(run["lengths"]) == 11
    for kinds in run["lengths"].values():
        assert np.shape(kinds["mean"]) == np.shape(kinds["tail"]) == (seeds, lengths)
        assert np.shape(kinds["by_position"]) == (seeds, extrapolation.LENGTH * extrapolation.MULTIPLES[-1])
    assert all(np.shape(found) == (seeds, lengths) for found in run["passkey"].values())
    after = [kinds["after"] for kinds in run["stretching"].values() if "after" in kinds]
    assert len(after) == 4
    assert all(np.shape(tails) == (seeds, len(extrapolation.STAGES)) for tails in after)


def test_a_hidden_key_stands_behind_its_marker_and_is_asked_for_at_the_end() -> None:
    x, targets = extrapolation.hidden_key(np.random.default_rng(1), 20, 50)
    assert (targets[:, :-3] == -1).all()
    for text, asked in zip(x, targets[:, -3:], strict=True):
        (at,) = np.flatnonzero(text == extrapolation.MARKER)
        np.testing.assert_array_equal(text[at + 1 : at + 4], asked)
        np.testing.assert_array_equal(text[-3:], [extrapolation.ASK, *asked[:2]])


def test_distances_share_a_row_from_the_clip_on_and_buckets_from_their_first_distance() -> None:
    rows = extrapolation.distances_to_clip(40, 40)
    np.testing.assert_array_equal(rows[39, [39, 38, 24, 23, 0]], [0, 1, 15, 16, 16])
    buckets = extrapolation.bucket_of(-np.array([0, 7, 8, 9, 10, 26, 27, 500]))
    np.testing.assert_array_equal(buckets, [0, 7, 8, 8, 9, 14, 15, 15])
    seen = np.isfinite(extrapolation.near(20, 2)[1, 19])
    np.testing.assert_array_equal(np.flatnonzero(seen), np.arange(4, 20))


def test_every_second_layer_is_left_without_positions() -> None:
    positions, ids = extrapolation.EverySecond(lambda x, m, base: -np.asarray(x)), np.arange(3.0)[None]
    qk = np.ones((1, 3, 4, 2), np.float32)
    np.testing.assert_array_equal(positions.rotate(qk.copy(), ids, 1), qk)
    np.testing.assert_array_equal(positions.rotate(qk.copy(), ids, 0), -qk)

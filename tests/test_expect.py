"""What counts as equal, and what is said where it is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from labsupport.checking.expect import Run, differ, expect, require, running

INF = np.inf


def said(got: Any, want: Any, **options: Any) -> str:
    with running(Run()) as run:
        expect(got, want, **options)
    return run.failure.sentence if run.failure else ""


@pytest.mark.parametrize(
    ("got", "want"),
    [
        ([1.0, 2.0], np.array([1.0, 2.0])),
        (np.float32([1, 2.0004]), np.array([1.0, 2.0])),
        (np.array([1.0, -INF]), np.array([1.0, -INF])),
        (np.array([1, 2]), np.array([1.0, 2.0])),
        (np.int8(3), 3),
        ((1, 2), (1, 2)),
        ([(0, 1), (2, 3)], [(0, 1), (2, 3)]),
        ({"k": np.ones(2), "more": 0}, {"k": np.ones(2)}),
        (np.zeros((0, 3)), np.zeros((0, 3))),
    ],
)
def test_equal(got: Any, want: Any) -> None:
    assert said(got, want) == ""


@pytest.mark.parametrize(
    ("got", "want", "sentence"),
    [
        (np.array([1.0, 3.0]), np.array([1.0, 2.0]), "50 % of the values differ, first at index 1, the largest by 1"),
        (np.array([1.0, -1e9]), np.array([1.0, -INF]), "first at index 1, the largest by an infinite amount"),
        (np.array([1.0, -INF]), np.array([1.0, -1e9]), "first at index 1, the largest by an infinite amount"),
        (np.array([INF]), np.array([-INF]), "infinite"),
        (np.array([1.0, np.nan]), np.array([1.0, 2.0]), "NaN in 50 % of the values, first at index 1"),
        (2.5, 2.0, "the value is wrong by 0.50"),
        (np.ones((2, 3)), np.ones((3, 2)), "must return shape (3, 2); yours has shape (2, 3)"),
        (np.ones(1), 1.0, "must return a single number; yours has shape (1,)"),
        (1.0, np.ones(1), "must return shape (1,); yours is a single number"),
        (np.array([1.0, 2.0]), np.array([1, 2]), "must hold whole numbers (int64); yours holds float64"),
        (np.array([1, 0]), np.array([True, False]), "must hold True and False (bool); yours holds int64"),
        ([1], (1,), "must be a tuple; yours is a list"),
        ({"v": 1}, {"k": 1}, "must have the keys k; yours has v"),
        ([1, 2], [1], "must have 1 entries; yours has 2"),
    ],
)
def test_different(got: Any, want: Any, sentence: str) -> None:
    assert sentence in said(got, want)


def test_single_precision_is_measured_by_its_own_rule() -> None:
    assert said(np.float32([2.01]), np.array([2.0]))
    assert not said(np.float32([1000.05]), np.array([1000.0]))


def test_the_type_counts_where_it_was_promised() -> None:
    assert "must return float32; yours is float64" in said(np.ones(2), np.ones(2, np.float32), dtype=True)
    assert not said(np.ones(2, np.float32), np.ones(2, np.float32), dtype=True)


def test_what_is_compared_is_named() -> None:
    assert said({}, {"k": 1}, what="the cache") == "the cache: must have the keys k; yours has none"


def test_only_the_first_failure_is_kept_and_the_criterion_goes_on() -> None:
    with running(Run()) as run:
        require(False, "the first")
        differ(1.0, 1.0, "the second")
        expect(1.0, 2.0)
    assert run.failure.sentence == "the first"


def test_two_results_that_must_differ() -> None:
    with running(Run()) as run:
        differ(np.ones(2), np.array([1.0, 1.1]))
    assert run.failure is None

"""Wrong answers that must be rejected and right ones that must be accepted, written before the criteria."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from common import cases

from labsupport import evaluate

MODES = pytest.mark.parametrize("mode", [{}, {"hidden": True, "seed": 1}, {"hidden": True, "seed": 2}])


def named(table: list[tuple[str, str, Callable[..., Any]]]) -> list[Any]:
    return [pytest.param(name, answer, id=case) for name, case, answer in table]


@MODES
@pytest.mark.parametrize(("name", "answer"), named(cases("mutants", "MUTANTS")))
def test_a_mutant_is_rejected(name: str, answer: Callable[..., Any], mode: dict) -> None:
    result = evaluate(name, answer, **mode)
    assert not result.passed
    assert result.points < result.max_points


@MODES
@pytest.mark.parametrize(("name", "answer"), named(cases("variants", "VARIANTS")))
def test_a_variant_is_accepted(name: str, answer: Callable[..., Any], mode: dict) -> None:
    result = evaluate(name, answer, **mode)
    assert result.passed, str(result)
    assert result.points == result.max_points
    assert result.mistake is None

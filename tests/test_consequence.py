"""A failure that is only the consequence of another exercise's is not punished twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from common import ROOT

from labsupport import evaluate
from labsupport.notebook import read_cells, take

MODES = pytest.mark.parametrize("mode", [{}, {"hidden": True, "seed": 5}], ids=["notebook", "hidden"])


def learner(**own: Any) -> dict[str, Any]:
    """Give a learner's namespace: everything right but what is named."""
    cells = read_cells(ROOT / "solutions" / "05_rotary.ipynb")
    world = take(cells, ["rotary_embedding", "rotary_partial"], "a learner's notebook")
    world.update(own)
    return world


def too_slow(m, d, base=10000):
    """Angles with the exponent doubled, and the odd width refused."""
    if d % 2:
        raise ValueError("odd")
    return np.asarray(m, dtype=float)[..., None] * float(base) ** (-2 * np.arange(0, d, 2) / d)


@MODES
def test_a_right_function_that_uses_a_wrong_one_keeps_its_points(mode: dict) -> None:
    world = learner(rope_angles=too_slow)
    result = evaluate("rotary_embedding", world["rotary_embedding"], **mode)
    assert result.points == 4
    assert result.consequence == "rope_angles"
    assert "Repair rope_angles first." in str(result)
    assert world["rope_angles"] is too_slow, "the learner's own function is put back"


@MODES
def test_it_reaches_through_two_exercises(mode: dict) -> None:
    world = learner(rope_angles=too_slow)
    result = evaluate("rotary_partial", world["rotary_partial"], **mode)
    assert result.points == 1
    assert result.consequence in ("rope_angles", "rotary_embedding")


@MODES
def test_an_unwritten_helper_is_a_consequence_too(mode: dict) -> None:
    def rope_angles(m, d, base=10000):
        raise NotImplementedError("rope_angles is not written yet")

    world = learner(rope_angles=rope_angles)
    result = evaluate("rotary_embedding", world["rotary_embedding"], **mode)
    assert result.consequence == "rope_angles"
    assert result.points == 4


@MODES
def test_a_fault_of_its_own_stays_a_fault(mode: dict) -> None:
    world = learner(rope_angles=too_slow)
    exec("def wrong(x, m, base=10000):\n    return -np.cos(rope_angles(m, np.shape(x)[-1], base))", world)
    result = evaluate("rotary_embedding", world["wrong"], **mode)
    assert not result.passed
    assert result.points < 4


@MODES
def test_two_exercises_cannot_each_be_defined_by_the_other(mode: dict) -> None:
    world: dict[str, Any] = {}
    for name, other in (("rotary_embedding", "rotary_complex"), ("rotary_complex", "rotary_embedding")):
        exec(f"def {name}(x, m, base=10000):\n    return {other}(x, m, base)", world)
    assert evaluate("rotary_embedding", world["rotary_embedding"], **mode).points == 0

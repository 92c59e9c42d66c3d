"""One result, three renderings."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from common import right

from labsupport import evaluate
from labsupport.checking.render import enough_digits, window

rotary = right("05_rotary")[0]["rotary_embedding"]


def doubled(x, m, base=10000):
    """Turn with the exponent doubled."""
    return rotary(x, m, base**2)


def test_text_html_and_json_say_the_same() -> None:
    result = evaluate("rotary_embedding", doubled)
    text, html, data = str(result), result._repr_html_(), json.loads(json.dumps(result.as_dict()))
    for part in (f"{result.points} of 4 points", "the worked example comes out", result.explanation[:30]):
        assert part in text
        assert part in html
    assert data["points"] == result.points
    assert [c["says"] for c in data["criteria"]] == [c.says for c in result.criteria]


def test_a_small_array_is_shown_beside_the_right_one_with_the_first_difference() -> None:
    text = str(evaluate("rotary_embedding", doubled))
    assert "rotary_embedding([1, 0, 1, 0], 1)" in text
    assert re.search(r"expected +\[0\.54030 +0\.84147 +0\.99995 +0\.01000\]", text)
    assert re.search(r"yours .*first difference at index 2", text)


def test_html_shows_three_tables_in_theme_colours_without_style_tags() -> None:
    html = evaluate("rotary_embedding", doubled)._repr_html_()
    for title in ("expected", "yours", "difference"):
        assert f"<i>{title}</i>" in html
    assert "var(--jp-" in html
    assert "<style" not in html
    assert "<svg" not in html


def test_a_hidden_check_shows_no_right_answer() -> None:
    result = evaluate("rotary_embedding", doubled, hidden=True, seed=11)
    assert not result.passed
    assert "expected" not in str(result)
    assert "<i>expected</i>" not in result._repr_html_()
    assert all(c["failure"]["expected"] is None for c in result.as_dict()["criteria"] if c["failure"])


def test_hidden_inputs_change_with_the_seed_and_repeat_with_it() -> None:
    seen = []

    def spy(x, m, base=10000):
        seen.append(np.asarray(x, dtype=float).sum())
        return rotary(x, m, base)

    runs = []
    for seed in (1, 1, 2, None, None):
        seen.clear()
        assert evaluate("rotary_embedding", spy, hidden=True, seed=seed).passed
        runs.append(list(seen))
    assert runs[0] == runs[1]
    assert len({tuple(r) for r in runs}) == 4


@pytest.mark.parametrize(("gap", "digits"), [(0.3, 5), (2e-7, 5), (4e-6, 6), (1.5e-5, 5)])
def test_enough_digits_make_a_difference_visible(gap: float, digits: int) -> None:
    a = np.array([1.0, 2.0])
    assert enough_digits(a, a + gap) == digits
    assert enough_digits(a, a + np.array([gap, 4e-6])) == 6


def test_the_window_holds_the_first_difference() -> None:
    plane, rows, cols = window((3, 40, 30), (2, 25, 29))
    assert plane == (2,)
    assert rows.start <= 25 < rows.stop
    assert cols.start <= 29 < cols.stop


def test_what_a_learner_writes_is_escaped() -> None:
    def nasty(x, m, base=10000):
        raise ValueError("<script>alert(1)</script>")

    html = evaluate("rotary_embedding", nasty)._repr_html_()
    assert "<script>" not in html

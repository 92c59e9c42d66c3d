"""What a learner reads when something is wrong: one clear sentence each time, and never a bare traceback."""

from __future__ import annotations

import functools
import signal
import sys
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from common import right

from labsupport import CourseError, check, course, evaluate, ready, reset
from labsupport.checking.probe import TooLong, call_here, within

ROTARY = right("05_rotary")[0]
rotary = ROTARY["rotary_embedding"]


class Tensor:
    """Stands for a tensor of another library."""

    __module__ = "torch"


def leaves_rows_ragged(x: Any, m: Any, base: float = 10000) -> list:
    return [[1.0], [1.0, 2.0]]


def recurses(x: Any, m: Any, base: float) -> None:  # (no default: Python 3.13.0 does not limit such calls with one)
    recurses(x, m, base)


def raise_(error: BaseException) -> None:
    raise error


BAD = {
    "nothing": (lambda x, m, base=10000: None, "nothing returned", "returned None. Is there a return at the end?"),
    "tensor": (lambda x, m, base=10000: Tensor(), "wrong type or shape", "a torch Tensor"),
    "generator": (lambda x, m, base=10000: (i for i in x), "wrong type or shape", "a generator, not values"),
    "complex": (lambda x, m, base=10000: np.asarray(x) * 1j, "wrong type or shape", "complex numbers"),
    "objects": (lambda x, m, base=10000: np.array([None, 1]), "wrong type or shape", "an array of object"),
    "ragged": (leaves_rows_ragged, "wrong type or shape", "rows have different lengths"),
    "text": (lambda x, m, base=10000: "turned", "wrong type or shape", ""),
    "NaN": (lambda x, m, base=10000: rotary(x, m, base) * np.nan, "wrong value", "NaN in 100 % of the values"),
    "rank": (
        lambda x, m, base=10000: rotary(x, m, base)[None],
        "wrong type or shape",
        "must return shape (4,); yours has",
    ),
    "huge": (lambda x, m, base=10000: np.broadcast_to(0.0, (9999, 9999)), "wrong type or shape", "99,980,001 numbers"),
    "error": (lambda x, m, base=10000: x.no_such_thing, "raised an error", "your function raised AttributeError"),
    "exit": (lambda x, m, base=10000: exit(3), "raised an error", "your function raised SystemExit"),
    "few arguments": (lambda x: x, "raised an error", "positional argument"),
    "class": (Tensor, "wrong type or shape", "is a class; this exercise asks for a function"),
    "number": (3.0, "wrong type or shape", "is a float; this exercise asks for a function"),
    "dots": (..., "not started", "is not written yet"),
    "masked": (lambda x, m, base=10000: np.ma.masked_all(np.shape(x)), "wrong type or shape", "a masked array"),
    "dict": (lambda x, m, base=10000: {"x": x}, "wrong type or shape", "yours is a dict"),
    "generator exit": (
        lambda x, m, base=10000: (_ for _ in ()).throw(GeneratorExit),
        "raised an error",
        "GeneratorExit",
    ),
    "recursion": (lambda x, m, base=10000: recurses(x, m, base), "raised an error", "RecursionError"),
}


@pytest.mark.parametrize("hidden", [False, True])
@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_its_sentence(name: str, hidden: bool) -> None:
    answer, state, sentence = BAD[name]
    result = evaluate("rotary_embedding", answer, hidden=hidden, seed=1 if hidden else None)
    assert result.state == state, str(result)
    assert sentence in str(result)
    assert "Traceback" not in str(result)
    assert result.points == 0


def test_a_function_with_yield_is_told_to_return() -> None:
    def rotary_embedding(x, m, base=10000):
        yield x

    assert "yield" in evaluate("rotary_embedding", rotary_embedding).message


def test_not_started_says_what_to_do() -> None:
    def rotary_embedding(x, m, base=10000):
        raise NotImplementedError("rotary_embedding is not written yet")

    result = evaluate("rotary_embedding", rotary_embedding)
    assert result.state == "not started"
    assert result.message == (
        "rotary_embedding is not written yet: it raises NotImplementedError. "
        "Write its body, run the cell, then this check."
    )


def test_nearly_says_that_the_values_are_right() -> None:
    def changes_x(x, m, base=10000):
        out = rotary(x, m, base)
        if isinstance(x, np.ndarray) and x.dtype == float:
            x[...] = 0
        return out

    result = evaluate("rotary_embedding", changes_x)
    assert result.state == "nearly"
    assert result.points == 3
    assert "The values are right, but your function changed its argument x. Work on a copy." in str(result)


def test_a_state_between_calls_is_noticed() -> None:
    calls = []

    def remembers(x, m, base=10000):
        calls.append(1)
        return rotary(x, m, base) + 1e-9 * len(calls)

    result = evaluate("rotary_embedding", remembers)
    assert result.state == "nearly"
    assert "two different answers" in str(result)


def test_an_error_shows_the_learners_own_line_and_no_other() -> None:
    def breaks(x, m, base=10000):
        wide = np.ones(3)
        return wide @ np.ones(4)

    text = str(evaluate("rotary_embedding", breaks))
    assert "of breaks: return wide @ np.ones(4)" in text
    assert "site-packages" not in text
    assert "labsupport" not in text


def test_prints_and_warnings_are_notes_that_cost_nothing() -> None:
    def talks(x, m, base=10000):
        print("shape", np.shape(x))
        np.log(np.zeros(1))
        return rotary(x, m, base)

    result = evaluate("rotary_embedding", talks)
    assert result.passed
    assert any("prints" in note for note in result.notes)
    assert any("divide by zero" in note for note in result.notes)


def test_single_precision_in_double_passes_with_a_note() -> None:
    def coarse(x, m, base=10000):
        return rotary(x, m, base) * (1 + 3e-6)

    result = evaluate("rotary_embedding", coarse)
    assert result.passed
    assert any("three digits only" in note for note in result.notes)


class CallableObject:
    """An object that can be called."""

    def __call__(self, x: Any, m: Any, base: float = 10000) -> np.ndarray:
        return rotary(x, m, base)


@pytest.mark.parametrize("answer", [lambda *a, **k: rotary(*a, **k), functools.partial(rotary), CallableObject()])
def test_whatever_can_be_called_is_a_function(answer: Callable[..., Any]) -> None:
    assert evaluate("rotary_embedding", answer).passed


def test_an_unknown_exercise_is_answered_with_the_nearest_name() -> None:
    with pytest.raises(CourseError, match="Did you mean rotary_embedding"):
        evaluate("rotary_embeding", rotary)
    result = check("rotary_embeding")
    assert not result.passed
    assert "Did you mean rotary_embedding?" in str(result)
    assert "Did you mean" in result._repr_html_()


def test_a_check_without_an_answer_says_which_cell_to_run() -> None:
    assert "There is no rotary_half here yet" in check("rotary_half").message


def test_check_finds_the_answer_in_the_callers_globals() -> None:
    world = {"rotary_embedding": rotary}
    exec('from labsupport import check\nresult = check("rotary_embedding")', world)
    assert world["result"].passed


def test_an_interrupt_is_reported_and_not_swallowed() -> None:
    def interrupted(x, m, base=10000):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="The check of rotary_embedding was interrupted"):
        exec('check("rotary_embedding")', {"check": check, "rotary_embedding": interrupted})


def test_ready_prints_one_sentence_and_waits(capsys: pytest.CaptureFixture) -> None:
    def stub(m, d, base=10000):
        raise NotImplementedError("rope_angles is not written yet")

    assert eval('ready("rope_angles")', {"ready": ready, "rope_angles": ROTARY["rope_angles"]})
    assert not eval('ready("rope_angles")', {"ready": ready, "rope_angles": stub})
    assert not eval('ready("rope_angles")', {"ready": ready})
    assert not eval('ready("rope_angels")', {"ready": ready})
    assert not eval('ready("rope_angles")', {"ready": ready, "rope_angles": lambda m, d, base=10000: m.nothing})
    assert not eval('ready("rope_angles")', {"ready": ready, "rope_angles": lambda m, d, base=10000: None})
    assert eval('ready("rope_angles")', {"ready": ready, "rope_angles": lambda m, d, base=10000: m})
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 5
    assert lines[3].startswith(
        'This cell waits for rope_angles, which ends with an error: see what check("rope_angles")'
    )
    assert lines[0] == "This cell waits for rope_angles: write it above, run its cell. Then run this cell again."


def test_reset_shows_the_cell_as_it_was(capsys: pytest.CaptureFixture) -> None:
    reset("rope_angles")
    shown = capsys.readouterr().out
    assert "def rope_angles(m, d, base=10000):" in shown
    assert 'raise NotImplementedError("rope_angles is not written yet")' in shown
    reset("rope_angels")
    assert "Did you mean rope_angles?" in capsys.readouterr().out


@pytest.mark.parametrize("value", [np.nan, np.inf, True, "9", None, [1.0], 1j, np.ones(2), print])
def test_a_value_that_is_no_number_gets_its_sentence(value: Any) -> None:
    result = evaluate("longest_wavelength", value)
    assert result.state == "wrong type or shape"
    assert "must be one finite number" in str(result)


def test_a_whole_number_too_long_to_write_is_no_crash() -> None:
    assert evaluate("longest_wavelength", 10**5000).state == "wrong type or shape"


def test_numpys_error_settings_of_the_notebook_do_not_matter() -> None:
    with np.errstate(all="raise"):
        assert evaluate("softmax", right("01_why_position")[0]["softmax"]).passed


def test_partial_work_is_judged_and_not_taken_for_nothing() -> None:
    slopes = right("06_alibi")[0]["alibi_slopes"]

    def alibi_slopes(num_heads):
        if num_heads < 1:
            raise ValueError("at least one head")
        if num_heads & (num_heads - 1):
            raise NotImplementedError("other head counts")
        return slopes(num_heads)

    result = evaluate("alibi_slopes", alibi_slopes)
    assert (result.state, result.points) == ("raised an error", 2)


def test_wrong_values_are_said_before_a_changed_argument() -> None:
    def wrong_and_changing(x, m, base=10000):
        out = rotary(x, m, base**2)
        if isinstance(x, np.ndarray) and x.dtype == float:
            x[...] = out
        return out

    assert "The values are right" not in evaluate("rotary_embedding", wrong_and_changing).message


def test_a_result_that_later_calls_overwrite_is_noticed() -> None:
    places: dict[tuple, np.ndarray] = {}

    def shares_its_result(x, m, base=10000):
        out = rotary(x, m, base)
        place = places.setdefault((out.shape, out.dtype.char), np.empty_like(out))
        place[...] = out
        return place

    assert evaluate("rotary_embedding", shares_its_result).state in ("nearly", "wrong value")


def test_two_threads_take_turns() -> None:
    def judged(_: int) -> bool:
        return evaluate("rotary_embedding", rotary).passed

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(judged, range(24)))
    assert "write" in dir(sys.stdout)


def test_a_seed_is_a_whole_number() -> None:
    with pytest.raises(CourseError, match="seed must be a whole number"):
        evaluate("rotary_embedding", rotary, hidden=True, seed=-1)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no clock that interrupts")
def test_a_loop_that_never_ends_is_stopped_and_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(course.find("sliding_windows"), "longest", 0.05)

    def endless(n_tokens: int, window: int, stride: int) -> list:
        pieces, previous = [], 0
        while previous < n_tokens:
            try:
                end = min(n_tokens, previous + stride if previous else window)
                pieces.append((max(0, end - window), end, previous))
                previous = end
            except Exception:
                continue
        return pieces

    result = evaluate("sliding_windows", endless)
    assert result.points == 1
    assert "sliding_windows(9, 4, 0): stopped after 0.05 seconds" in result.message
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_two_lists_divided_by_each_other_are_said_to_need_arrays() -> None:
    result = evaluate("extrapolation_ratio", lambda a, b: b / a)
    assert "begin with x = np.asarray(x)" in result.message


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no clock that interrupts")
def test_a_clock_inside_a_clock_does_not_stop_the_outer_one() -> None:
    def inner_then_endless() -> None:
        within(5, lambda: None)
        while True:
            pass

    with pytest.raises(TooLong, match=r"after 0\.05 seconds"):
        within(0.05, inner_then_endless)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_what_a_failed_call_had_made_is_not_kept() -> None:
    kept = []

    class Large:
        pass

    def fails(x: Any) -> None:
        large = Large()
        kept.append(weakref.ref(large))
        raise RuntimeError("after it was made")

    assert call_here(fails, (1,), {}, course.find("first_check")).error is not None
    assert kept[0]() is None

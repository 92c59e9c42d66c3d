"""A scheme of the learner's own: an answer that is an object, what is refused, what is measured, what is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from common import right

from labsupport import check, evaluate, ready, runs
from labsupport.checking.result import Result
from labsupport.runs import capstone
from labsupport.transformer import Learned, Positions

ANSWERS = globals()
"""Where `check` and `ready` look for an answer when a test calls them."""


class Penalised(Positions):
    def bias(self, q: np.ndarray, ids: np.ndarray, layer: int) -> np.ndarray:
        return -0.2 * np.abs(ids[:, None, :, None] - ids[:, None, None, :])


def with_hook(**hooks: Callable[..., Any]) -> Positions:
    """Give an object of a class that overrides some hooks."""
    return type("Mine", (Positions,), hooks)()


class NoParent(Positions):
    def __init__(self) -> None:
        self.table = np.zeros(3)


class Half:
    weights, gradients = {}, {}

    def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
        return x


REFUSED = {
    "three dots": (..., "put an object in place of the dots"),
    "a class": (Penalised, "scheme is a class; this exercise asks for an object of it: scheme = Penalised(...)"),
    "None": (None, "scheme is None; this exercise asks for an object with embed, rotate, bias and grad"),
    "a function": (lambda x: x, "scheme is a function; this exercise asks for an object"),
    "some hooks": (Half(), "scheme is a Half without rotate and bias and grad; this exercise asks for an object"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_scheme_is_refused_in_a_sentence(case: str, capsys: pytest.CaptureFixture) -> None:
    answer, words = REFUSED[case]
    result = evaluate("scheme", answer)
    assert words in result.message
    assert result.points == 0
    ANSWERS["scheme"] = answer
    assert not ready("scheme")
    assert "scheme" in capsys.readouterr().out


def test_a_scheme_that_is_missing_waits_to_be_written() -> None:
    ANSWERS.pop("scheme", None)
    assert "There is no scheme here yet" in check("scheme").message
    assert not ready("scheme")


def raising(*_: Any, **__: Any) -> None:
    raise KeyError("period")


UNFIT = {
    "raises": (with_hook(embed=raising), "KeyError: 'period'"),
    "rows alone": (with_hook(embed=lambda s, x, ids: x[0]), "embed returned shape (1, 32) for x of shape (1, 1, 32)"),
    "no return": (with_hook(embed=lambda s, x, ids: None), "embed returned None; is there a return at its end?"),
    "one head": (with_hook(rotate=lambda s, qk, ids, layer, back=False: qk[:, :, :1]), "rotate returned shape"),
    "heads first": (with_hook(bias=lambda s, q, ids, layer: np.zeros((3, 1, 1))), "bias returned shape (3, 1, 1)"),
    "complex": (with_hook(bias=lambda s, q, ids, layer: np.zeros((1, 1), complex)), "bias returned complex128"),
    "no parent": (NoParent(), "the scheme has no weights; let its __init__ begin with super().__init__(...)"),
}


@pytest.mark.parametrize("case", UNFIT)
def test_a_hook_that_fails_or_does_not_fit_is_named(case: str) -> None:
    answer, words = UNFIT[case]
    result = evaluate("scheme", answer)
    assert words in result.message, result.message
    assert result.message.startswith("measure(scheme, 'not finite', 1, 1, 0, 0): with your scheme came ")
    assert result.points == 0


def test_a_wrong_scheme_with_other_numbers_than_the_banks_is_named_too() -> None:
    class Backwards(Learned):
        def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
            return super().embed(x, ids.max(1, keepdims=True) - ids)

        def grad(self, ids: np.ndarray, layer: int | None = None, **d: np.ndarray) -> None:
            super().grad(ids.max(1, keepdims=True) - ids, layer, **d)

    result = evaluate("scheme", Backwards(0.05 * np.random.default_rng(5).normal(size=(256, 32))))
    assert result.mistake == "embedding-looks-ahead"
    assert [c.name for c in result.criteria if not c.passed] == ["causal"]

    class Frozen(Learned):
        def grad(self, ids: np.ndarray, layer: int | None = None, **d: np.ndarray) -> None:
            pass

    explanation = evaluate("scheme", Frozen(np.zeros((256, 32)))).explanation
    assert "training leaves the weights at their first values" in explanation
    assert "it tells no positions" in explanation


def test_facts_about_schemes_that_are_known() -> None:
    learned = Learned(0.1 * np.random.default_rng(1).normal(size=(256, 32)))
    for scheme, matters in ((Positions(), 0), (Penalised(), 1), (learned, 1)):
        assert capstone.measure(scheme, "not finite", 2, 7, 3, 11).tolist() == [0, 0]
        assert capstone.measure(scheme, "wrong gradients", 6, 5).tolist() == [0, 0, 0, 0]
        assert capstone.measure(scheme, "own gradients", 6, 5).tolist() == [0, 0, 0]
        assert capstone.measure(scheme, "texts mixed", 6).tolist() == [0, 0]
        assert capstone.measure(scheme, "letters matter", 6) == 1
        assert capstone.measure(scheme, "sees later letters", 12).tolist() == [0, 0, 0, 0]
        assert capstone.measure(scheme, "not the same", 12).tolist() == [0, 0]
        assert capstone.measure(scheme, "order matters", 24) == matters
    assert capstone.measure(Positions(), "lead", 400) == 0
    assert max(capstone.check_gradients(learned).values()) < 1e-4


def test_a_scheme_is_the_same_after_it_was_measured_and_trained() -> None:
    table = 0.1 * np.random.default_rng(1).normal(size=(256, 32))
    scheme = Learned(table.copy())
    results = capstone.run_capstone(scheme, "one two three four five", seeds=[0, 1], steps=3)
    capstone.measure(scheme, "wrong gradients", 6, 0)
    np.testing.assert_array_equal(scheme.weights["table"], table)
    assert np.shape(results["mean"]) == np.shape(results["tail"]) == (2, 4)
    assert np.shape(results["weights"][0]["table"]) == (256, 32)
    again = capstone.run_capstone(scheme, "one two three four five", seeds=[1], steps=3)
    assert again["tail"][0] == results["tail"][1]


def test_a_run_without_a_hypothesis_is_refused() -> None:
    for nothing in ("", "better", None):
        with pytest.raises(ValueError, match="write your hypothesis first"):
            capstone.run_capstone(Positions(), nothing, seeds=[], steps=1)


def test_the_recorded_baselines_were_trained_as_a_run_trains() -> None:
    settings = runs.recorded("extrapolation")["settings"]
    assert (settings["seeds"], settings["steps"]) == (3, 1500)
    assert set(capstone.BASELINES) <= set(runs.recorded("extrapolation")["lengths"])


def test_an_interval_of_three_values_is_students() -> None:
    low, high = capstone.interval([1.0, 2.0, 3.0])
    assert (low + high) / 2 == pytest.approx(2)
    assert high - 2 == pytest.approx(4.303 / np.sqrt(3))
    assert np.isnan(capstone.interval([1.0])).all()


def test_the_solutions_scheme_has_gradients_that_agree_with_the_loss() -> None:
    errors = capstone.check_gradients(right("14_capstone")[0]["scheme"])
    assert max(errors.values()) < 1e-4


def failed(result: Result) -> list[str]:
    return [c.name for c in result.criteria if not c.passed]


def turn(qk: np.ndarray, ids: np.ndarray) -> np.ndarray:
    angle = 0.7 * ids[:, :, None]
    a, b = qk[..., 0], qk[..., 1]
    turned = qk.copy()
    turned[..., 0], turned[..., 1] = a * np.cos(angle) - b * np.sin(angle), a * np.sin(angle) + b * np.cos(angle)
    return turned


class NoWayBack(Penalised):
    def rotate(self, qk: np.ndarray, ids: np.ndarray, layer: int, back: bool = False) -> np.ndarray:
        return turn(qk, ids)


class SlopeFromQuery(Penalised):
    """The gradient of the queries is off by less than a hundredth."""

    def bias(self, q: np.ndarray, ids: np.ndarray, layer: int) -> np.ndarray:
        return super().bias(q, ids, layer) * (1 + 0.1 * np.tanh(q[..., :1]))


class MeanOfBatch(Penalised):
    def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
        return x - x.mean(0, keepdims=True) / 3


class FirstIds(Positions):
    def bias(self, q: np.ndarray, ids: np.ndarray, layer: int) -> np.ndarray:
        return -0.2 * np.abs(ids[0, :, None] - ids[0, None, :])


class Rows(Penalised):
    def __init__(self, sign: int = 1) -> None:
        super().__init__(rows=0.1 * np.random.default_rng(5).normal(size=(7, 32)))
        self.tab, self.sign = self.weights["rows"].copy(), sign

    def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
        return x + self.weights["rows"][ids.astype(int) % 7]

    def grad(self, ids: np.ndarray, layer: int | None = None, **d: np.ndarray) -> None:
        if layer is None:
            where = np.broadcast_to(ids.astype(int) % 7, d["dx"].shape[:2])
            np.add.at(self.gradients["rows"], where, self.sign * d["dx"])


class KeptElsewhere(Rows):
    def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
        return x + self.tab[ids.astype(int) % 7]


NAMED = {
    "no way back": (NoWayBack(), ["way-back-forgotten"], "rotate is the cause"),
    "no dq": (SlopeFromQuery(), ["queries-forgotten"], "bias is the cause"),
    "mean of the batch": (MeanOfBatch(), ["texts-mixed", "embedding-scaled"], "embed is the cause"),
    "first ids": (FirstIds(), ["one-text-for-all"], "such as ids[0]"),
    "wrong sign": (Rows(-1), ["weights-off"], "not the slope of the loss"),
    "kept elsewhere": (KeptElsewhere(), ["weights-in-a-copy"], "The hooks read something else"),
}


@pytest.mark.parametrize("case", NAMED)
def test_what_is_named_is_what_the_facts_single_out(case: str) -> None:
    answer, mistakes, words = NAMED[case]
    result = evaluate("scheme", answer)
    assert failed(result) == ["runs"], str(result)
    assert result.mistake in mistakes
    assert words in result.explanation


UNNAMED = {
    "heads last": with_hook(bias=lambda s, q, ids, layer: np.zeros((len(q), q.shape[2], q.shape[2], q.shape[1]))),
    "half of the features": with_hook(rotate=lambda s, qk, ids, layer, back=False: qk[..., ::2]),
    "a table on its side": with_hook(embed=lambda s, x, ids: x + np.ones((32, ids.shape[1]))),
    "a float as an index": with_hook(embed=lambda s, x, ids: x + np.ones((256, 32))[ids]),
}


@pytest.mark.parametrize("case", UNNAMED)
def test_a_shape_that_does_not_fit_is_no_known_mistake(case: str) -> None:
    result = evaluate("scheme", UNNAMED[case])
    assert (result.points, result.mistake, result.explanation) == (0, None, "")


def grad_with_ds(self: Positions, ids: np.ndarray, layer: int | None = None, **d: np.ndarray) -> None:
    d["dx"].sum()


def grad_by_name(self: Positions, ids: np.ndarray, layer: int | None = None, dx: Any = None) -> None:
    pass


HELPED = {
    "float ids": (UNNAMED["a float as an index"], "table[ids.astype(int)]"),
    "few rows": (with_hook(embed=lambda s, x, ids: x + np.ones((9, 32))[ids.astype(int)]), "it needs 256 of them"),
    "dx in a layer": (with_hook(grad=grad_with_ds), "the last call, with layer=None, brings dx alone"),
    "ds by name": (with_hook(grad=grad_by_name), "its first line is def grad(self, ids, layer=None, **d)"),
    "no back": (with_hook(rotate=lambda s, qk, ids, layer: qk), "def rotate(self, qk, ids, layer, back=False)"),
}


@pytest.mark.parametrize("case", HELPED)
def test_an_error_that_does_not_explain_itself_is_told_what_to_try(case: str) -> None:
    answer, words = HELPED[case]
    text = str(evaluate("scheme", answer))
    assert words in text, text


def test_an_error_that_ends_all_criteria_is_written_out_once() -> None:
    text = str(evaluate("scheme", with_hook(embed=raising)))
    assert text.count("KeyError: 'period'") == 1, text
    assert text.count("the same error as above") == 3


def test_a_misspelt_hook_is_asked_about() -> None:
    result = evaluate("scheme", with_hook(embedd=lambda s, x, ids: x))
    assert "none of the four hooks is overridden; is a name misspelt" in str(result)


def test_a_scheme_that_begins_slowly_is_trained_on(monkeypatch: pytest.MonkeyPatch) -> None:
    leads = {400: -0.006, 1500: 0.077}
    monkeypatch.setitem(capstone.FACTS, "lead", lambda scheme, steps: leads[steps])
    assert evaluate("scheme", Penalised()).passed
    leads[1500] = 0.01
    result = evaluate("scheme", Penalised())
    assert failed(result) == ["beats_no_position"]
    assert "after 1500 steps is 0.010 nats below" in str(result)


def test_single_precision_in_a_scheme_is_no_wrong_gradient() -> None:
    class Single(Rows):
        def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
            return super().embed(x, ids).astype(np.float32)

        def rotate(self, qk: np.ndarray, ids: np.ndarray, layer: int, back: bool = False) -> np.ndarray:
            return turn(qk.astype(np.float32), -ids if back else ids)

    for length, step in ((4, 0), (6, 0), (11, 7), (17, 0)):
        assert capstone.measure(Single(), "wrong gradients", length, step).tolist() == [0, 0, 0, 0]
        assert capstone.measure(Single(), "own gradients", length, step).tolist() == [0, 0, 0]

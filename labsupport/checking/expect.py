"""What a criterion may say of an answer: `expect`, `differ`, `refuses`, `require`.

Each notes the first failure in the current `Run` and lets the criterion go on, so that the calls which a criterion
makes never depend on the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labsupport.checking import values


@dataclass
class Failure:
    """The first thing that went wrong in a criterion.

    `kind` is one of "value", "shape", "type", "error", "refusal" (an error that had to come and did not),
    "not started", "nothing", "changed", "state", "dtype" (another type than was promised). `case` is the call that
    shows it, `size` how many numbers its arguments hold, `trace` the learner's own lines of a traceback.
    """

    kind: str
    sentence: str
    case: str = ""
    size: int = 0
    expected: np.ndarray | None = None
    got: np.ndarray | None = None
    where: tuple[int, ...] | None = None
    trace: str = ""


@dataclass
class Case:
    """One call of the answer: how one would type it, how many numbers it is given, whether it gave a tuple."""

    text: str
    size: int
    gave_tuple: bool = False


@dataclass
class Run:
    """One run of one criterion: its first failure, notes, and the calls that the next comparison is about."""

    failure: Failure | None = None
    notes: list[str] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)
    compared: bool = False

    def called(self, case: Case) -> None:
        """Remember a call of the answer; the first one after a comparison begins a new case."""
        if self.compared:
            self.cases, self.compared = [], False
        self.cases.append(case)

    def fail(self, failure: Failure) -> None:
        """Keep the first failure, with the calls that led to it."""
        if self.failure is None:
            failure.case = failure.case or "; ".join(dict.fromkeys(c.text for c in self.cases[-3:]))
            failure.size = failure.size or max((c.size for c in self.cases), default=0)
            if failure.kind == "shape" and self.cases and self.cases[-1].gave_tuple:
                failure.sentence += " (your function returned a tuple, not an array)"
            self.failure = failure

    def note(self, text: str) -> None:
        """Keep a remark that costs nothing."""
        if text not in self.notes:
            self.notes.append(text)


_RUNS: list[Run] = []


def current() -> Run:
    """Give the run in which a criterion is speaking."""
    return _RUNS[-1]


class running:  # noqa: N801 (used as a statement: with running(run))
    """Make `run` the current one while a criterion runs."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __enter__(self) -> Run:
        _RUNS.append(self.run)
        return self.run

    def __exit__(self, *_: object) -> None:
        _RUNS.pop()


SINGLE = {"rtol": 1e-4, "atol": 5e-4}
DOUBLE = {"rtol": 1e-6, "atol": 1e-9}


def expect(got: Any, want: Any, *, dtype: bool = False, what: str = "") -> None:
    """Demand that `got`, made from the answer, equals `want`, made from the right one.

    The tolerance follows the type that came back: float64 1e-6 relative, float32 1e-4 relative and 5e-4 absolute,
    integers and booleans exact. A float64 that is right to single precision only passes with a note. With
    `dtype=True` the type must be that of `want` as well. `what` names what is compared where it is not the result.
    """
    run = current()
    failure = _compare(got, want, run)
    if failure is None and dtype:
        failure = _dtype_kept(np.asarray(got), np.asarray(want))
    if failure is not None:
        failure.sentence = f"{what}: {failure.sentence}" if what else failure.sentence
        run.fail(failure)
    run.compared = True


def _compare(got: Any, want: Any, run: Run) -> Failure | None:
    if isinstance(want, (list, tuple, dict)) and not isinstance(got, np.ndarray):
        return _compare_structure(got, want, run)
    try:
        got, want = np.asarray(got), np.asarray(want)
    except ValueError:
        return Failure("shape", f"must be an array of shape {np.shape(want)}; yours has rows of different lengths")
    if got.dtype.kind not in "biuf":
        what = type(got.item()).__name__ if got.ndim == 0 else f"array of {got.dtype}"
        return Failure("type", f"must be {'an array' if want.ndim else 'a number'}; yours is a {what}")
    return _wrong_shape(got, want) or _wrong_kind(got, want) or _wrong_values(got, want, run)


def _compare_structure(got: Any, want: Any, run: Run) -> Failure | None:
    if type(got) is not type(want):
        return Failure("type", f"must be a {type(want).__name__}; yours is a {type(got).__name__}")
    if isinstance(want, dict):
        if not want.keys() <= got.keys():
            keys = ", ".join(map(str, got)) or "none"
            return Failure("shape", f"must have the keys {' and '.join(want)}; yours has {keys}")
        got, want = [got[k] for k in want], list(want.values())
    if len(got) != len(want):
        return Failure("shape", f"must have {len(want)} entries; yours has {len(got)}")
    failures = (_compare(g, w, run) for g, w in zip(got, want, strict=True))
    return next((f for f in failures if f is not None), None)


def _wrong_shape(got: np.ndarray, want: np.ndarray) -> Failure | None:
    if got.shape == want.shape:
        return None
    words = "a single number" if want.shape == () else f"shape {want.shape}"
    yours = "is a single number" if got.shape == () else f"has shape {got.shape}"
    return Failure("shape", f"must return {words}; yours {yours}")


_KINDS = {"b": ("b", "True and False"), "i": ("iu", "whole numbers"), "u": ("iu", "whole numbers"), "f": ("fiu", "")}


def _wrong_kind(got: np.ndarray, want: np.ndarray) -> Failure | None:
    kinds, words = _KINDS.get(want.dtype.kind, ("", ""))
    if not kinds or got.dtype.kind in kinds:
        return None
    return Failure("type", f"must hold {words or 'numbers'} ({want.dtype}); yours holds {got.dtype}", got=got)


def _wrong_values(got: np.ndarray, want: np.ndarray, run: Run) -> Failure | None:
    if want.dtype.kind != "f":
        wrong = got != want
    else:
        single = is_single(got)
        wrong = ~close(got, want, **tolerance(got))
        if single and want.dtype == np.float64:
            run.note(f"the result is {got.dtype}, and right to that precision")
        if wrong.any() and not single and close(got, want, **SINGLE).all():
            run.note("right to about three digits only, although the result is float64")
            return None
    if not wrong.any():
        return None
    where = tuple(int(i) for i in np.argwhere(wrong)[0])
    return Failure("value", _how_far(got, want, wrong, where), expected=want, got=got, where=where)


def is_single(array: np.ndarray) -> bool:
    """Whether an array is in single or half precision."""
    return array.dtype in (np.float32, np.float16)


def tolerance(array: np.ndarray) -> dict[str, float]:
    """Give the tolerance that the type of a result asks for."""
    return SINGLE if is_single(array) else DOUBLE


def close(got: np.ndarray, want: np.ndarray, rtol: float, atol: float) -> np.ndarray:
    """Say element by element whether two arrays agree; infinities and NaN must stand in the same places."""
    got, want = np.asarray(got, dtype=float), np.asarray(want, dtype=float)
    with np.errstate(invalid="ignore"):
        near = np.isfinite(want) & (np.abs(got - want) <= atol + rtol * np.abs(want))
    return near | (got == want) | (np.isnan(got) & np.isnan(want))


def _how_far(got: np.ndarray, want: np.ndarray, wrong: np.ndarray, where: tuple[int, ...]) -> str:
    if got.dtype.kind == "f" and np.isnan(got).any() and not np.isnan(want).any():
        return f"NaN in {_share(np.isnan(got))} of the values, first at {_place(where)}"
    if got.size == 1:
        return f"the value is wrong by {_amount(got, want)}"
    return f"{_share(wrong)} of the values differ, first at {_place(where)}, the largest by {_amount(got, want)}"


def _place(where: tuple[int, ...]) -> str:
    return f"index {where[0] if len(where) == 1 else list(where)}"


def _share(wrong: np.ndarray) -> str:
    return f"{max(1, round(100 * float(wrong.mean())))} %"


def _largest(got: np.ndarray, want: np.ndarray) -> float:
    with np.errstate(invalid="ignore"):
        gap = np.abs(got.astype(float) - want.astype(float))
    return float(np.max(np.where(np.isnan(gap), 0.0, gap), initial=0.0))


def _amount(got: np.ndarray, want: np.ndarray) -> str:
    gap = _largest(got, want)
    return "an infinite amount" if np.isinf(gap) else values.number(gap, 2 if gap >= 0.01 else 5)


def _dtype_kept(got: np.ndarray, want: np.ndarray) -> Failure | None:
    if got.dtype == want.dtype:
        return None
    return Failure("dtype", f"must return {want.dtype}; yours is {got.dtype}")


def differ(a: Any, b: Any, why: str = "these two must differ, and yours are equal") -> None:
    """Demand that two results of the answer are not the same."""
    run, a, b = current(), np.asarray(a), np.asarray(b)
    if a.shape == b.shape and close(a, b, **SINGLE).all():
        run.fail(Failure("value", why))
    run.compared = True


def require(holds: Any, sentence: str) -> None:
    """Demand a property in the course's own words; `sentence` says what is wrong when it does not hold."""
    run = current()
    if not bool(np.all(holds)):
        run.fail(Failure("value", sentence))
    run.compared = True


def refuses(error: type[Exception], f: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Demand that the answer raises `error`, or a subclass of it, for these arguments."""
    run = current()
    outcome = f.attempt(args, kwargs)
    if outcome.error is None:
        returned = outcome.unusable or _what(outcome.value)
        run.fail(Failure("refusal", f"must raise {error.__name__}; yours returned {returned}"))
    elif not isinstance(outcome.error, error):
        name = type(outcome.error).__name__
        run.fail(Failure("refusal", f"must raise {error.__name__}; yours raised {name}: {outcome.error}"))
    run.compared = True


def _what(value: Any) -> str:
    return values.short(value) or f"an array {values.describe(value)}"

"""The learner's function behind glass: called with copies, watched for changes, prints, warnings and errors."""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import signal
import sys
import sysconfig
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from labsupport.checking import values
from labsupport.checking.declare import Exercise
from labsupport.checking.expect import Case, Failure, current
from labsupport.checking.fingerprint import NOT_REACHED, Fingerprint, fingerprint

_OURS = str(Path(__file__).parents[1])
_LIBRARIES = {_OURS, sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
_LIBRARIES |= {str(Path(sys.prefix) / "lib"), str(Path(sys.base_prefix) / "lib"), "<frozen"}
MOST_OUTPUT = 2000
ERRORS = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
"""NumPy's own settings, whatever the learner's notebook has set."""


@dataclass
class Outcome:
    """What one call did: a value or an error, and what it did besides."""

    value: Any = None
    error: BaseException | None = None
    unusable: str = ""
    trace: str = ""
    notes: list[str] = field(default_factory=list)
    changed: tuple[str, ...] = ()
    gave_tuple: bool = False
    raw: Any = None


class TooLong(BaseException):
    """A call was ended by the clock: the criterion ends too. `except Exception` in an answer lets it through."""


class Stopped(Exception):
    """The answer raised or returned something unusable: the criterion cannot go on."""


class _Bounded(io.StringIO):
    """A print buffer that forgets what goes beyond `MOST_OUTPUT` characters."""

    def write(self, text: str) -> int:
        room = MOST_OUTPUT - self.tell()
        return super().write(text[:room]) if room > 0 else len(text)


def within(seconds: float, run: Callable[[], Any]) -> Any:
    """Give what run() gives, or raise TooLong after so many seconds.

    Without limit where the system has no clock that interrupts, and outside the main thread. A clock that was running
    before goes on afterwards.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        return run()
    over = False

    def ring(number: int, frame: Any) -> None:
        if not over:
            raise TooLong(f"stopped after {seconds:g} seconds; a loop in it may never end")

    before, start = signal.signal(signal.SIGALRM, ring), time.monotonic()
    left, again = signal.setitimer(signal.ITIMER_REAL, seconds, 1)  # (each second: a bare `except:` may swallow it)
    try:
        try:
            return run()
        finally:
            over = True  # (so that a clock that rings during the next lines leaves them alone)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - start), 1e-3), again)


def call_here(function: Callable[..., Any], args: tuple, kwargs: dict, exercise: Exercise) -> Outcome:
    """Call the function in this process and say what it did; the arguments may be changed by it."""
    printed, outcome = _Bounded(), Outcome()
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(printed), np.errstate(**ERRORS):
        warnings.simplefilter("always")
        try:
            value = within(exercise.longest, lambda: function(*args, **kwargs))
            outcome.gave_tuple, outcome.raw = isinstance(value, tuple), value
            outcome.value = values.plain(value, exercise.returns)
            if isinstance(value, (list, tuple)) and exercise.returns == "array":
                kind = type(value).__name__
                outcome.notes.append(f"it returns a {kind}, taken for an array here; later cells need np.array(...)")
        except values.Unusable as why:
            outcome.unusable = str(why)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # also sys.exit(): an answer must not end the kernel
            outcome.error, outcome.trace = error, own_lines(error)
            error.__traceback__ = None  # (it would keep all that the answer had made, gigabytes after an endless loop)
    if printed.getvalue():
        outcome.notes.append(f"it prints while it works, for instance {printed.getvalue().splitlines()[0][:60]!r}")
    outcome.notes += [f"a warning: {str(w.message)[:120]} ({w.category.__name__})" for w in caught[:1]]
    return outcome


def as_function(exercise: Exercise, answer: Any) -> Callable[..., Any]:
    """Give what criteria call: the answer, or the function that `through` names with the answer as first argument."""
    if not exercise.through:
        return answer
    module, _, name = exercise.through.partition(":")
    return functools.partial(getattr(importlib.import_module(module), name), answer)


def own_lines(error: BaseException) -> str:
    """Cut a traceback to the lines that the learner wrote."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if not f.filename.startswith(tuple(_LIBRARIES))]
    shown = frames[-4:]
    return "\n".join(f"line {f.lineno} of {f.name}: {f.line}" for f in shown if f.line)


class Probe:
    """The answer as a criterion sees it: an ordinary callable that keeps a diary of its calls."""

    def __init__(self, exercise: Exercise, function: Any, parameters: list[str]) -> None:
        """Watch `function`; `parameters` are the right answer's, since a learner may have given them other names."""
        self.exercise, self.function, self.parameters = exercise, as_function(exercise, function), parameters
        self.diary: list[Fingerprint] = []
        self.changed: tuple[str, ...] = ()
        self.first: tuple[tuple, dict, Outcome] | None = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the answer and give back what it returned; end the criterion where it returned nothing usable."""
        outcome = self.attempt(args, kwargs)
        failure = self._failure(outcome)
        if failure is not None:
            current().fail(failure)
            raise Stopped
        return outcome.value

    def attempt(self, args: tuple, kwargs: dict) -> Outcome:
        """Call the answer with copies of the arguments, whatever comes of it."""
        given, given_kw = values.duplicate(args), values.duplicate(kwargs)
        size = 0 if self.exercise.through else _size(args) + _size(tuple(kwargs.values()))
        case = Case(self._words(args, kwargs), size)
        current().called(case)
        outcome = call_here(self.function, given, given_kw, self.exercise)
        case.gave_tuple = outcome.gave_tuple
        outcome.changed = self._changes(args, kwargs, given, given_kw)
        if self.first is None:
            self.first = (values.duplicate(args), values.duplicate(kwargs), outcome)
        self._write_back(args, kwargs, given, given_kw)
        self.changed += tuple(n for n in outcome.changed if n not in self.changed)
        self.diary.append(fingerprint(outcome.value, outcome.error, outcome.unusable, outcome.changed))
        self.diary += [_written(self._named(args, kwargs).get(n), outcome.error) for n in self.exercise.updates]
        for note in outcome.notes:
            current().note(note)
        if isinstance(outcome.error, TooLong):
            current().fail(Failure("error", str(outcome.error), trace=outcome.trace))
            raise Stopped
        return outcome

    def repeats(self) -> bool:
        """Make this criterion's first call once more: the answer must be the same, and the first result untouched."""
        if self.first is None or self.first[2].error is not None:
            return True
        args, kwargs, before = self.first
        if not before.unusable and not values.same(before.value, values.plain(before.raw, self.exercise.returns)):
            return False
        after = call_here(self.function, values.duplicate(args), values.duplicate(kwargs), self.exercise)
        return after.error is None and values.same(before.value, after.value)

    def _failure(self, outcome: Outcome) -> Failure | None:
        if isinstance(outcome.error, NotImplementedError):
            return Failure("not started", str(outcome.error) or "it raises NotImplementedError")
        if outcome.error is not None:
            what = f"with your {self.exercise.name} came" if self.exercise.through else "your function raised"
            text = f"{what} {type(outcome.error).__name__}: {outcome.error}"[:400]
            return Failure("error", text + _about_lists(outcome.error), trace=outcome.trace)
        if outcome.unusable:
            return Failure("type", f"your function returned {outcome.unusable}")
        return Failure("nothing", "it returned None") if outcome.value is None else None

    def _changes(self, args: tuple, kwargs: dict, given: tuple, given_kw: dict) -> tuple[str, ...]:
        before, after = self._named(args, kwargs), self._named(given, given_kw)
        allowed = (*self.exercise.updates, "rng")
        return tuple(n for n in before if n not in allowed and not values.same(before[n], after[n]))

    def _write_back(self, args: tuple, kwargs: dict, given: tuple, given_kw: dict) -> None:
        before, after = self._named(args, kwargs), self._named(given, given_kw)
        for name in self.exercise.updates:
            if isinstance(before.get(name), dict):
                before[name].clear()
                before[name].update(after[name])

    def _named(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        return dict(zip(self.parameters, args, strict=False)) | kwargs

    def _words(self, args: tuple, kwargs: dict) -> str:
        full = [values.short(a) for a in args] + [f"{k}={values.short(v)}" for k, v in kwargs.items()]
        if all(values.short(v) is not None for v in (*args, *kwargs.values())):
            measure = self.exercise.through.rpartition(":")[2]
            given = [self.exercise.name, *full] if measure else full
            return f"{measure or self.exercise.name}({', '.join(given)})"
        named = self._named(args, kwargs)
        return f"{self.exercise.name}({', '.join(_argument(n, v) for n, v in named.items())})"


def _about_lists(error: BaseException) -> str:
    """Say what to do where a list was taken for an array."""
    signs = ("'list' object", "and 'list'", "list indices", "multiply sequence")
    lists = any(sign in str(error) for sign in signs)
    return ". Arguments may be plain lists: begin with x = np.asarray(x)" if lists else ""


def _argument(name: str, value: Any) -> str:
    text = values.short(value)
    return f"{name}={text}" if text is not None else f"{name} {values.describe(value)}"


def _written(content: Any, error: BaseException | None) -> Fingerprint:
    """Make the fingerprint of what an answer wrote into an argument; an answer that raised did not come so far."""
    if error is not None:
        return Fingerprint(NOT_REACHED)
    try:
        return fingerprint(values.plain(content, "any"))
    except values.Unusable as why:
        return fingerprint(None, unusable=str(why))


def _size(arguments: tuple) -> int:
    return sum(int(getattr(a, "size", 0) or (len(a) if hasattr(a, "__len__") else abs(a) if _small(a) else 1))
               for a in arguments)  # fmt: skip


def _small(a: Any) -> bool:
    return isinstance(a, int) and abs(a) < 10_000

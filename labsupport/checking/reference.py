"""Where the right answers of a criterion come from: live from the solution, or from what was recorded of it.

Both serve the same three things: `ref` for a criterion, the diary of the right answer's own calls, and the mistakes
with the calls in which each of them differs from the right answer.
"""

from __future__ import annotations

import inspect
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from labsupport.checking import values
from labsupport.checking.bank import Mistake
from labsupport.checking.consequence import recorded, remembering
from labsupport.checking.declare import CourseError, Criterion, Exercise
from labsupport.checking.expect import Run, running
from labsupport.checking.fingerprint import Fingerprint, alike
from labsupport.checking.probe import Probe, Stopped, as_function

COURSE_SEED = 20170612
"""The day on which "Attention is all you need" appeared."""


@dataclass
class RightCall:
    """One call of a right answer: its name, the shapes it was given, what it gave, what it wrote into arguments."""

    name: str
    shapes: str
    value: Any
    written: dict[str, dict] = field(default_factory=dict)


@dataclass(frozen=True)
class Known:
    """A mistake as the diagnosis sees it: per criterion, the calls in which it is not like the right answer."""

    id: str
    sentence: str
    advice: str
    differing: dict[str, dict[int, Fingerprint]]


class Right:
    """What a criterion receives as `ref`: `ref(...)` is this exercise's right answer, `ref.NAME(...)` another's."""

    def __init__(self, name: str, answer: Callable[[str, tuple, dict], Any]) -> None:
        self._name, self._answer = name, answer

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Give the right answer for these arguments."""
        return self._answer(self._name, args, kwargs)

    def __getattr__(self, other: str) -> Callable[..., Any]:
        return lambda *args, **kwargs: self._answer(other, args, kwargs)


def generator(seed: int, exercise: str, criterion: str) -> np.random.Generator:
    """Make a criterion's own generator, so that one that stops early shifts no other."""
    return np.random.default_rng([seed, zlib.crc32(exercise.encode()), zlib.crc32(criterion.encode())])


def shapes(args: tuple, kwargs: dict) -> str:
    """Name the shapes of a call's arguments: enough to notice that a replay went astray."""
    arrays = [*args, *(kwargs[k] for k in sorted(kwargs))]
    return " ".join(str(np.shape(a)).replace(" ", "") if not isinstance(a, dict) else "{}" for a in arrays)


class LiveReference:
    """The solution's function itself, in the process that is trusted."""

    def __init__(
        self,
        exercise: Exercise,
        namespace: dict[str, Any],
        mistakes: list[Mistake],
        seed: int = COURSE_SEED,
        elsewhere: Callable[[str], Any] | None = None,
    ) -> None:
        self.exercise, self.namespace, self.seed = exercise, namespace, seed
        self._mistakes, self._elsewhere = mistakes, elsewhere
        self.calls: dict[str, list[RightCall]] = {}
        self.memory: dict[str, dict[str, Any]] = {}

    def stand_in(self, name: str, _: Callable[..., Any]) -> Callable[..., Any] | None:
        """Give the right function of another exercise."""
        if name not in self.namespace and self._elsewhere is not None:
            self.namespace[name] = self._elsewhere(name)
        return self.namespace.get(name)

    @property
    def right(self) -> Any:
        """The right answer: a function or a value."""
        return self.namespace[self.exercise.name]

    @property
    def parameters(self) -> list[str]:
        """Names of the right answer's parameters, in order."""
        return list(inspect.signature(as_function(self.exercise, self.right)).parameters)

    def ref(self, criterion: Criterion) -> Right:
        """Give `ref` for one run of a criterion."""
        log = self.calls[criterion.name] = []

        def answer(name: str, args: tuple, kwargs: dict) -> Any:
            function = self.namespace[name]
            function = as_function(self.exercise, function) if name == self.exercise.name else function
            given, given_kw = values.duplicate(args), values.duplicate(kwargs)
            value = values.plain(function(*given, **given_kw), self.exercise.returns)
            call = RightCall(name, shapes(args, kwargs), value, _dicts(function, given, given_kw, self.exercise))
            log.append(call)
            write_back(function, args, kwargs, call)
            return values.duplicate(value)

        return Right(self.exercise.name, answer)

    @cached_property
    def diaries(self) -> dict[str, list[Fingerprint]]:
        """The right answer's own calls, per criterion; it must satisfy each of them."""
        with remembering(self.right, self.exercise.name, self.memory):
            return {c.name: self._diary(c, self.right, must_pass=True) for c in self.exercise.criteria}

    @cached_property
    def known(self) -> list[Known]:
        """Run every mistake through the criteria and keep where it differs from the right answer."""
        return [self._known(m) for m in self._mistakes]

    def _known(self, mistake: Mistake) -> Known:
        differing = {}
        for criterion in self.exercise.criteria:
            pairs = zip(self._diary(criterion, mistake.wrong), self.diaries[criterion.name], strict=False)
            calls = {i: wrong for i, (wrong, good) in enumerate(pairs) if not alike(wrong, good)}
            if calls:
                differing[criterion.name] = calls
        return Known(mistake.id, mistake.sentence, mistake.advice, differing)

    def _diary(self, criterion: Criterion, function: Callable[..., Any], must_pass: bool = False) -> list[Fingerprint]:
        probe, run = Probe(self.exercise, function, self.parameters), Run()
        rng = generator(self.seed, self.exercise.name, criterion.name)
        with running(run):
            try:
                criterion.run(probe, self.ref(criterion), rng)
            except Stopped:
                pass
            except Exception:
                if must_pass:
                    raise
        if must_pass and run.failure is not None:
            why = f"{run.failure.case}: {run.failure.sentence}"
            raise CourseError(f"the solution of {self.exercise.name} fails its own criterion {criterion.name}: {why}")
        return probe.diary


class StoredReference:
    """What the build recorded: arrays and fingerprints, nothing executable."""

    seed = COURSE_SEED

    def __init__(
        self,
        exercise: Exercise,
        calls: Callable[[str], list[RightCall]],
        diaries: dict[str, list[Fingerprint]],
        known: list[Known],
        parameters: list[str],
        memory: dict[str, dict[str, Any]],
    ) -> None:
        self.exercise, self._calls, self.diaries, self.known = exercise, calls, diaries, known
        self.parameters, self._memory = parameters, memory

    def stand_in(self, name: str, function: Callable[..., Any]) -> Callable[..., Any] | None:
        """Give what is recorded of another exercise's right function, asked for as `function` is."""
        return recorded(function, self._memory[name]) if name in self._memory else None

    def ref(self, criterion: Criterion) -> Right:
        """Give the recorded answers in the order in which they were asked for."""
        waiting = iter(self._calls(criterion.name))

        def answer(name: str, args: tuple, kwargs: dict) -> Any:
            call = next(waiting, None)
            if call is None or (call.name, call.shapes) != (name, shapes(args, kwargs)):
                raise CourseError(
                    f"the stored answers of {self.exercise.name} do not fit its criterion {criterion.name}: "
                    "the course was changed and not rebuilt. Run `make build`, or download the course again."
                )
            write_back(self.parameters, args, kwargs, call)
            return values.duplicate(call.value)

        return Right(self.exercise.name, answer)


def _names(function: Callable[..., Any] | list[str]) -> list[str]:
    return function if isinstance(function, list) else list(inspect.signature(function).parameters)


def _dicts(function: Callable[..., Any], args: tuple, kwargs: dict, exercise: Exercise) -> dict[str, dict]:
    named = dict(zip(_names(function), args, strict=False)) | kwargs
    return {n: values.duplicate(named[n]) for n in exercise.updates if isinstance(named.get(n), dict)}


def write_back(function: Callable[..., Any] | list[str], args: tuple, kwargs: dict, call: RightCall) -> None:
    """Put what a right answer wrote into a dict argument into the criterion's own."""
    named = dict(zip(_names(function), args, strict=False)) | kwargs
    for name, content in call.written.items():
        named[name].clear()
        named[name].update(values.duplicate(content))

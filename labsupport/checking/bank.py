"""The mistakes bank: wrong answers that people really give, each with the sentence a learner should read.

A module of `solutions/mistakes/` declares them with the three functions below. Inside of its functions it may use the
right functions of its notebook through `right`, for instance `right.rope_angles(m, d)`.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from labsupport.checking.declare import CourseError


@dataclass(frozen=True)
class Mistake:
    """One wrong implementation, `sentence` for the learner, `source` where it was seen, `advice` what to try."""

    exercise: str
    id: str
    wrong: Any
    sentence: str
    source: str = ""
    advice: str = ""


@dataclass
class Bank:
    """What one module of `solutions/mistakes/` declares."""

    mistakes: list[Mistake] = field(default_factory=list)
    options: dict[str, dict[str, str]] = field(default_factory=dict)

    def of(self, exercise: str) -> list[Mistake]:
        """Give the mistakes of one exercise in the order in which they stand."""
        return [m for m in self.mistakes if m.exercise == exercise]


class _Right:
    """The right functions of a bank's notebook."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace

    def __getattr__(self, name: str) -> Any:
        try:
            return self._namespace[name]
        except KeyError:
            raise AttributeError(f"the notebook of this bank has no right function {name}") from None


_LOADING: list[Bank] = []
right = _Right({})
"""What a bank imports; each bank is given its own in its place when it has been loaded."""


def mistake(
    exercise: str, name: str, *, source: str = "folklore", advice: str = ""
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare the decorated function, or an object of the decorated class, as a wrong answer.

    Its docstring is the sentence that the learner reads.
    """

    def keep(wrong: Callable[..., Any]) -> Callable[..., Any]:
        sentence = " ".join((wrong.__doc__ or "").split())
        _add(Mistake(exercise, name, wrong() if inspect.isclass(wrong) else wrong, sentence, source, advice))
        return wrong

    return keep


def wrong_value(exercise: str, name: str, wrong: float, sentence: str, *, source: str = "folklore") -> None:
    """Declare a number that people give for a value exercise, and why they do."""
    _add(Mistake(exercise, name, wrong, " ".join(sentence.split()), source))


def options(exercise: str, **sentences: str) -> None:
    """Give each letter of a choice its sentence: why it is right or what is wrong with it."""
    _LOADING[-1].options[exercise] = {letter: " ".join(text.split()) for letter, text in sentences.items()}


def _add(found: Mistake) -> None:
    if not found.sentence:
        raise CourseError(f"the mistake {found.id} of {found.exercise} has no sentence: write a docstring")
    _LOADING[-1].mistakes.append(found)


def load_bank(path: Path, namespace: dict[str, Any]) -> Bank:
    """Run a module of `solutions/mistakes/` and collect what it declares; `namespace` holds the right functions."""
    bank = Bank()
    if not path.exists():
        return bank
    spec = importlib.util.spec_from_file_location(f"mistakes_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    _LOADING.append(bank)
    try:
        spec.loader.exec_module(module)
    finally:
        _LOADING.pop()
    module.right = _Right(namespace)
    return bank

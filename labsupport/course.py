"""The course as the criteria declare it: notebooks, exercises, points, minutes, and where they lie on disk."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache
from pathlib import Path

from labsupport.checking.declare import EXERCISES, CourseError, Exercise


@cache
def exercises() -> dict[str, Exercise]:
    """Load every module of `labsupport.criteria` and give the exercises by name, in the order of the course."""
    import labsupport.criteria as package

    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"labsupport.criteria.{module.name}")
    return dict(sorted(EXERCISES.items(), key=lambda pair: pair[1].notebook))


def find(name: str) -> Exercise:
    """Give the exercise called `name`.

    Raises
    ------
    CourseError
        if there is none; the sentence names the nearest match
    """
    known = exercises()
    if isinstance(name, str) and name in known:
        return known[name]
    near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.5)
    hint = f"Did you mean {near[0]}?" if near else "progress() lists them all."
    raise CourseError(f"There is no exercise called {str(name)[:60]!r} in this course. {hint}")


def notebooks() -> dict[str, list[Exercise]]:
    """Give the notebooks that have exercises, each with its exercises."""
    out: dict[str, list[Exercise]] = {}
    for exercise in exercises().values():
        out.setdefault(exercise.notebook, []).append(exercise)
    return out


def topic(notebook: str) -> str:
    """Give the name of a notebook's criteria and mistakes modules: 05_rotary has rotary.py."""
    return notebook.partition("_")[2]


def home() -> Path:
    """Find the course folder: the working folder, one above it, or the one that holds this package."""
    places = [Path.cwd(), *Path.cwd().parents, Path(__file__).resolve().parents[1]]
    return next((p for p in places if (p / "notebooks").is_dir() and (p / "labsupport").is_dir()), Path.cwd())


def solutions() -> Path:
    """Find the folder of solutions.

    Raises
    ------
    CourseError
        if there is none here, as in a learner's copy
    """
    folder = home() / "solutions"
    if not folder.is_dir():
        raise CourseError(
            "This needs the solution notebooks, and this copy of the course has no solutions folder: "
            "an instructor's has."
        )
    return folder

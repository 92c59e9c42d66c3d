"""What the tests share: the solutions' functions, and the cases that were written before the course."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from labsupport import checks, course
from labsupport.checking.bank import Bank
from labsupport.checking.declare import Exercise

ROOT = Path(__file__).parents[1]
CASES = Path(__file__).parent / "cases"


@cache
def right(notebook: str) -> tuple[dict[str, Any], Bank]:
    """Take the right answers and the mistakes of a notebook once for all tests."""
    return checks.right_answers(notebook)


@cache
def case_module(name: str) -> ModuleType:
    """Load a module of tests/cases."""
    spec = importlib.util.spec_from_file_location(name, CASES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def cases(module: str, table: str) -> list[tuple[str, str, Callable[..., Any]]]:
    """Give the cases for exercises that this edition of the course has."""
    return [case for case in getattr(case_module(module), table) if case[0] in course.exercises()]


def function_exercises() -> list[Exercise]:
    """Give every function exercise of the course."""
    return [e for e in course.exercises().values() if e.kind == "function"]

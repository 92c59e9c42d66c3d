"""How an answer is judged: what a criterion may say, and everything behind it.

A module of `labsupport.criteria` needs only the names imported here.
"""

from labsupport.checking.declare import choice, criterion, exercise, notebook, value, written
from labsupport.checking.expect import differ, expect, refuses, require

__all__ = [
    "choice", "criterion", "differ", "exercise", "expect", "notebook", "refuses", "require", "value", "written",
]  # fmt: skip

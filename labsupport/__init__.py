"""Support for the positional-encoding labs: what a notebook may import.

`check` an answer, ask whether one is `ready`, `reset` an exercise, see your `progress`, take a function `from_lab`.
`figures` draws. Programs use `evaluate`.
"""

from __future__ import annotations

import importlib
from typing import Any

_HOMES = {
    "check": "checks", "evaluate": "checks", "ready": "checks", "reset": "checks", "progress": "checks",
    "from_lab": "notebook", "CourseError": "checking.declare",
}  # fmt: skip

__all__ = ["CourseError", "check", "evaluate", "figures", "from_lab", "progress", "ready", "reset"]


def __getattr__(name: str) -> Any:
    """Load a part of the package when it is first asked for, so that `import labsupport` stays light."""
    if name in _HOMES:
        found = getattr(importlib.import_module(f"labsupport.{_HOMES[name]}"), name)
    elif name == "figures":
        found = importlib.import_module("labsupport.figures")
    else:
        raise AttributeError(f"labsupport has no {name}; it offers {', '.join(__all__)}")
    globals()[name] = found
    return found

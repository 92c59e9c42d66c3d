"""Experiments of the course that train the small transformer for more than a moment, and their recorded results.

Each module makes one run from the learner's own functions. What the course ships in `data/runs` was written by a script
in `benchmarks/` (`make record` runs them all), which calls the same module with the course's answers.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "runs"

__all__ = ["live", "record", "recorded"]


def live() -> bool:
    """Whether notebooks are to train rather than to show what was recorded: LABSUPPORT_LIVE=1 in the environment."""
    return os.environ.get("LABSUPPORT_LIVE") == "1"


def recorded(name: str) -> dict[str, Any]:
    """Read a recorded run, for example "extrapolation"."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def record(name: str, results: Mapping[str, Mapping[str, Any]]) -> Path:
    """Write a run, parts of named entries, as one JSON file with a line for each entry, and give its path."""
    parts = [f'"{part}": {{\n{_lines(content)}\n}}' for part, content in results.items()]
    path = FOLDER / f"{name}.json"
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")
    return path


def _lines(content: Mapping[str, Any]) -> str:
    return ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in content.items())

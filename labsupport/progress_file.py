"""The learner's progress: one line per check in `.progress.jsonl`, only ever appended to.

Appended lines survive two kernels at once; a file that is read, changed and written back does not.
"""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from html import escape
from pathlib import Path

from labsupport import course
from labsupport.checking.declare import Exercise
from labsupport.checking.result import REFUSED, Result

NAME = ".progress.jsonl"
BAR = 20


def off() -> bool:
    """Whether progress would disturb: in `solutions/`, while tests run, and where it is switched off."""
    switched = os.environ.get("LABSUPPORT_PROGRESS") == "off" or "PYTEST_CURRENT_TEST" in os.environ
    return switched or Path.cwd().name == "solutions"


def recorded_here() -> bool:
    """Whether checks are recorded: in a learner's `notebooks/` or the course folder."""
    return (Path.cwd().name == "notebooks" or Path.cwd() == course.home()) and not off()


def append(result: Result) -> None:
    """Add one line for a check; a folder that cannot be written to is no reason to fail."""
    if result.state == REFUSED or not recorded_here():
        return
    line = json.dumps({"exercise": result.exercise, "points": result.points, "max_points": result.max_points,
                       "state": result.state, "mistake": result.mistake})  # fmt: skip
    try:
        with (course.home() / NAME).open("ab+") as file:
            whole = file.seek(0, os.SEEK_END) == 0 or (file.seek(-1, os.SEEK_END), file.read(1))[1] == b"\n"
            file.write((line if whole else "\n" + line).encode("utf-8") + b"\n")  # at the end, wherever was read
    except OSError:
        return


def read(path: Path) -> tuple[list[dict], int]:
    """Read the lines of a progress file; lines that cannot be read are set aside in a file beside it and counted."""
    if not path.is_file():
        return [], 0
    good, bad = [], []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        if not line:  # two writers may both have ended a line that one of them had not finished
            continue
        entry = _entry(line)
        good.append(entry) if entry else bad.append(line)
    if bad:
        with contextlib.suppress(OSError):  # (a folder that cannot be written to: they stay where they are)
            path.with_name(path.name + ".unreadable").write_text("\n".join(bad) + "\n", encoding="utf-8")
    return good, len(bad)


def _entry(line: str) -> dict | None:
    try:
        entry = json.loads(line)
        return entry if isinstance(entry["exercise"], str) and isinstance(entry["points"], int) else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


@dataclass(frozen=True)
class Row:
    """Progress in one exercise: the best of all checks, and how many there were."""

    notebook: str
    exercise: str
    points: int
    max_points: int
    attempts: int
    by_hand: bool


@dataclass(frozen=True)
class Table:
    """Progress in the whole course, shown with bars."""

    rows: list[Row]
    unreadable: int = 0

    def __str__(self) -> str:
        lines = []
        for notebook in dict.fromkeys(r.notebook for r in self.rows):
            mine = [r for r in self.rows if r.notebook == notebook]
            lines.append(f"{notebook:<34} {_bar(mine)}")
            lines += [f"  {r.exercise:<32} {_words(r)}" for r in mine]
        return "\n".join([*lines, *self._aside()])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = []
        for notebook in dict.fromkeys(r.notebook for r in self.rows):
            mine = [r for r in self.rows if r.notebook == notebook]
            reached, possible = _sums(mine)
            meter = f'<progress value="{reached}" max="{possible}"></progress> {reached} of {possible}'
            rows.append(f"<tr><th style='text-align:left'>{escape(notebook)}</th><td>{meter}</td></tr>")
            rows += [f"<tr><td style='text-align:left; padding-left:2em'><code>{escape(r.exercise)}</code></td>"
                     f"<td style='text-align:left'>{escape(_words(r))}</td></tr>" for r in mine]  # fmt: skip
        return f"<table>{''.join(rows)}</table>" + "".join(f"<div>{escape(x)}</div>" for x in self._aside())

    def _aside(self) -> list[str]:
        if not self.unreadable:
            return []
        lines = "1 line" if self.unreadable == 1 else f"{self.unreadable} lines"
        return [f"{lines} of {NAME} could not be read and now stand in {NAME}.unreadable as well; all others count."]


def table(notebooks: dict[str, list[Exercise]], path: Path) -> Table:
    """Make the table of progress from the file; an empty one where progress is off."""
    entries, unreadable = ([], 0) if off() else read(path)
    rows = []
    for notebook, exercises in notebooks.items():
        for exercise in exercises:
            mine = [e["points"] for e in entries if e["exercise"] == exercise.name]
            best = min(max(mine, default=0), exercise.points)
            rows.append(Row(notebook, exercise.name, best, exercise.points, len(mine), exercise.kind == "written"))
    return Table(rows, unreadable)


def _sums(rows: list[Row]) -> tuple[int, int]:
    checked = [r for r in rows if not r.by_hand]
    return sum(r.points for r in checked), sum(r.max_points for r in checked)


def _bar(rows: list[Row]) -> str:
    reached, possible = _sums(rows)
    full = BAR * reached // possible if possible else 0
    return f"[{'#' * full}{'.' * (BAR - full)}] {reached} of {possible}"


def _words(row: Row) -> str:
    if row.by_hand:
        return f"{row.max_points} points, marked by a person"
    tries = "not tried" if not row.attempts else "1 check" if row.attempts == 1 else f"{row.attempts} checks"
    return f"{row.points} of {row.max_points}, {tries}"

"""`labsupport check NOTEBOOK`: run a notebook's cells and check every exercise of it, from the terminal."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from labsupport import checks, course, progress_file
from labsupport.checking.declare import CourseError
from labsupport.checking.judge import MISSING
from labsupport.checking.result import WRITTEN, Result
from labsupport.notebook import read_cells, run_cells


def check_file(path: Path) -> int:
    """Check a notebook file in a Python of its own, so that one that ends Python does not count as right.

    Parameters
    ----------
    path : the notebook

    Returns
    -------
    int
        0 only when every exercise that a machine checks is right and every cell ran
    """
    with tempfile.TemporaryDirectory() as folder:
        verdict = Path(folder) / "verdict"
        program = "import sys; from labsupport.check_file import write_verdict; write_verdict(*sys.argv[1:])"
        subprocess.run([sys.executable, "-c", program, str(path), str(verdict)], check=False)
        if verdict.exists():
            return int(verdict.read_text(encoding="utf-8"))
    print(f"{path.name} ended Python itself before it was checked: does a cell call exit, or crash?")
    return 1


def write_verdict(path: str, verdict: str) -> None:
    """Check a notebook file here and write the exit code down: a sign that the end was reached."""
    sys.argv = ["labsupport check"]  # the cells need not know where the verdict is written
    sys.stdout.reconfigure(errors="replace")  # a learner's names may hold what the terminal cannot show
    code = check_here(Path(path))
    sys.stdout.flush()
    Path(verdict).write_text(str(code), encoding="utf-8")


def check_here(path: Path) -> int:
    """Check all exercises of a notebook file and print what was found.

    Parameters
    ----------
    path : the notebook; its name, without a suffix that a copy was given, says which exercises are expected

    Returns
    -------
    int
        0 only when every exercise that a machine checks is right and every cell ran
    """
    try:
        exercises = course.notebooks()[known_name(path)]
        cells = read_cells(path)
    except CourseError as problem:
        print(problem)
        return 1
    answers: dict[str, Any] = {"__name__": "__main__", "display": lambda *_, **__: None}
    with _quietly(path.parent):
        stopped = run_cells(cells, path.name, answers)
    for sentence in stopped:
        print(sentence)
    results = [checks.evaluate(e.name, answers.get(e.name, MISSING)) for e in exercises]
    for result in results:
        print(f"\n{result}")
        if path.resolve().parent == course.home() / "notebooks":
            progress_file.append(result)
    print(f"\n{_sum(results)}")
    return 0 if not stopped and all(r.passed or r.state == WRITTEN for r in results) else 1


def known_name(path: Path) -> str:
    """Find which notebook of the course a file is, for example 05_rotary for 05_rotary-Copy1.ipynb."""
    known = course.notebooks()
    name = next((n for n in known if path.stem.startswith(n)), None)
    if name is None:
        raise CourseError(f"{path.name} is no notebook of this course with exercises; they are {', '.join(known)}.")
    return name


@contextlib.contextmanager
def _quietly(folder: Path):  # noqa: ANN202 (a context manager)
    """Work in the notebook's folder, draw without a screen, keep the cells' own output away, record no progress."""
    before, environment = Path.cwd(), dict(os.environ)
    os.environ |= {"MPLBACKEND": "agg", "LABSUPPORT_PROGRESS": "off"}
    os.chdir(folder)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(environment)


def _sum(results: list[Result]) -> str:
    checked = [r for r in results if r.state != WRITTEN]
    reached, possible = sum(r.points for r in checked), sum(r.max_points for r in checked)
    by_hand = sum(r.max_points for r in results if r.state == WRITTEN)
    return f"{reached} of {possible} points" + (f", and {by_hand} that a person marks" if by_hand else "") + "."

"""`labsupport bundle`: what an instructor hands to learners, without solutions and without an author's tools."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from labsupport import course
from labsupport.authoring import release
from labsupport.authoring.source import load, write_bytes
from labsupport.checking.declare import CourseError

FILES = ("Makefile", "pyproject.toml", "environment.yml", "LICENSE", "LICENSE-text.md", "requirements/lab.txt")
LEFT_OUT = ("authoring", "__pycache__")
HINTS = re.compile(r"<details><summary>Hint.*?</details>\s*", re.DOTALL)
README = """# Positional-encoding labs

Open the course with one command (Linux and macOS; needs Python 3.11 or newer and make):

    make lab

On Windows:

    py -m venv .venv
    .venv\\Scripts\\pip install --require-hashes -r requirements\\lab.txt
    .venv\\Scripts\\pip install --no-build-isolation --no-deps -e .
    .venv\\Scripts\\labsupport lab

With conda:

    conda env create -f environment.yml
    conda activate positional-encoding-labs
    labsupport lab

Begin with `00_start_here`. If something does not work, `labsupport doctor` (in `.venv/bin` or
`.venv\\Scripts`) says what is wrong and what to do.
"""


def bundle(out: Path, *, hints: bool = True) -> str:
    """Write the learners' course into `out/positional-encoding-labs`.

    Parameters
    ----------
    out : a folder, made if need be
    hints : keep the hints under the checks

    Returns
    -------
    A sentence that says what was written and where.

    Raises
    ------
    CourseError
        if the target is there already and is not a bundle made before
    """
    target = out / "positional-encoding-labs"
    if target.exists():
        if not (target / "notebooks").is_dir() or (target / "solutions").exists():
            raise CourseError(f"{target} is there already and does not look like a bundle; choose another --out.")
        shutil.rmtree(target)
    _package(target)
    for name in FILES:
        source = course.home() / name
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target / name)
    (target / "README.md").write_text(README, encoding="utf-8")
    count = _notebooks(target, hints)
    if not hints:
        _no_hints(target)
    return f"{count} notebooks and the package are in {target}{'' if hints else ', without hints'}."


def _package(target: Path) -> None:
    shutil.copytree(course.home() / "labsupport", target / "labsupport", ignore=shutil.ignore_patterns(*LEFT_OUT))


def _notebooks(target: Path, hints: bool) -> int:
    """Release afresh, so that nobody's own work in notebooks/ is handed out."""
    (target / "notebooks").mkdir()
    sources = sorted(course.solutions().glob("[0-9][0-9]_*.md"))
    for path in sources:
        notebook = release.released(load(path))
        if not hints:
            notebook.cells = [c for c in notebook.cells if c.cell_type != "markdown" or _without_hints(c)]
            notebook.metadata.labsupport.released = release.sources_digest(notebook)
        (target / "notebooks" / f"{path.stem}.ipynb").write_bytes(write_bytes(notebook))
    return len(sources)


def _without_hints(cell: dict) -> bool:
    """Take the hints out of a cell and say whether anything is left of it."""
    cell["source"] = HINTS.sub("", cell["source"])
    return bool(cell["source"].strip())


def _no_hints(target: Path) -> None:
    """Let the checks not speak of hints that are not there."""
    for path in (target / "labsupport" / "data" / "answers").glob("*.json"):
        data = json.loads(path.read_text(encoding="utf-8"))
        for entry in data["exercises"].values():
            entry["hints"] = 0
        path.write_text(json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")

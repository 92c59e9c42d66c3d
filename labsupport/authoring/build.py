"""`labsupport build`: from each solution's text to answers, executed solution and student's notebook."""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import numpy as np

from labsupport import course
from labsupport.authoring import execute, record, release
from labsupport.authoring.source import Source, load, write_bytes
from labsupport.checking import store
from labsupport.checking.declare import CourseError

PACKAGE = Path(__file__).parents[1]
FROM_LAB = re.compile(r'from_lab\(\s*"(\w+)"')


@dataclass
class Report:
    """What a build wrote, or would have to write, and what it would not touch."""

    written: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def names(chosen: list[str]) -> list[str]:
    """Give the solutions to build: all, or those named (05_rotary, 05_rotary.md or a path to it)."""
    there = sorted(p.stem for p in course.solutions().glob("[0-9][0-9]_*.md"))
    wanted = [Path(c).stem for c in chosen]
    unknown = [w for w in wanted if w not in there]
    if unknown:
        raise CourseError(f"There is no solution {unknown[0]}.md; there are {', '.join(there)}.")
    return wanted or there


def build(chosen: list[str], *, force: bool = False) -> Report:
    """Bring everything that depends on the chosen solutions up to date, writing only what changed."""
    report = Report()
    for name in names(chosen):
        source = load(course.solutions() / f"{name}.md")
        path = course.solutions() / f"{name}.ipynb"
        fresh = digest(name)
        if stored_digest(path) != fresh or not (store.FOLDER / f"{name}.npz").exists():
            for file, content in record.record(source).items():
                if not same_content(file, content, _slack(name)):
                    write(file, content, report)
            store.reader.cache_clear()
            write(path, write_bytes(execute.executed(source, path.parent, fresh)), report)
        _release(source, report, force)
    return report


def _release(source: Source, report: Report, force: bool) -> None:
    path, content = course.home() / "notebooks" / f"{source.name}.ipynb", release.student_bytes(source)
    if path.exists() and path.read_bytes() == content:
        return
    if release.edited(path) and not force:
        text = f"notebooks/{path.name} holds somebody's own work and was left alone;"
        report.problems.append(f"{text} --force replaces it and keeps a copy.")
        return
    if release.edited(path):
        keep_copy(path, report)
    write(path, content, report)


def keep_copy(path: Path, report: Report) -> None:
    """Set a notebook aside under a dated name that is not taken."""
    stem, number = f"{path.stem}-kept-{date.today():%Y-%m-%d}", 1
    while (aside := path.with_name(f"{stem}-{number}.ipynb")).exists():
        number += 1
    write(aside, path.read_bytes(), report)


def write(path: Path, content: bytes, report: Report) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)
    report.written.append(str(path.relative_to(course.home())))


def check(chosen: list[str]) -> Report:
    """Say what is out of date, changing and executing nothing."""
    report = Report()
    for name in names(chosen):
        source = load(course.solutions() / f"{name}.md")
        path = course.solutions() / f"{name}.ipynb"
        if stored_digest(path) != digest(name):
            report.problems.append(f"solutions/{name}.ipynb is older than what it is made from")
        elif not same_cells(path, execute.unexecuted(source)):
            report.problems.append(f"solutions/{name}.ipynb has other cells than solutions/{name}.md")
        for file, content in record.record(source).items():
            if not same_content(file, content, _slack(name)):
                report.problems.append(f"labsupport/data/answers/{file.name} is not what the solution gives")
        if committed_student(name) != release.student_bytes(source):
            report.problems.append(f"notebooks/{name}.ipynb is not what the solution releases")
    return report


def committed_student(name: str) -> bytes:
    """Give a student's notebook as it is handed out: where somebody works in the file, as it was last committed."""
    path = course.home() / "notebooks" / f"{name}.ipynb"
    if release.edited(path) and shutil.which("git"):
        show = ["git", "show", f"HEAD:./notebooks/{name}.ipynb"]
        return subprocess.run(show, capture_output=True, check=False, cwd=course.home()).stdout
    return path.read_bytes() if path.exists() else b""


def same_cells(path: Path, fresh: dict) -> bool:
    """Whether an executed solution has the sources, ids and metadata that its text gives."""
    there = json.loads(path.read_text(encoding="utf-8"))
    keys = ("cell_type", "id", "metadata")
    old = [[c.get(k) for k in keys] + ["".join(c["source"])] for c in there["cells"]]
    new = [[c.get(k) for k in keys] + [c["source"]] for c in json.loads(json.dumps(fresh))["cells"]]
    return old == new


def _slack(name: str) -> float:
    """Give how far fingerprints may lie apart; facts about an object come from short trainings, which differ by CPU."""
    return 0.1 if any(exercise.through for exercise in course.notebooks()[name]) else 1e-4


def same_content(path: Path, content: bytes, slack: float) -> bool:
    """Compare a file with what it should be: text by byte, arrays to 1e-9 (exp and ** differ by CPU), see `_near`."""
    if not path.exists():
        return False
    if path.suffix != ".npz":
        return path.read_bytes() == content
    with np.load(path, allow_pickle=False) as old, np.load(io.BytesIO(content), allow_pickle=False) as new:
        return old.files == new.files and all(_near(k, old[k], new[k], slack) for k in new.files)


def _near(key: str, a: np.ndarray, b: np.ndarray, slack: float) -> bool:
    """Compare two stored arrays; fingerprints to `slack` of their scale: some are of results in half precision."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if key.startswith("f") and a.size:
        return bool((np.abs(a - b) <= slack * (1 + np.abs(a[:, 3:]))).all())
    rtol = 1e-4 if a.dtype == np.float32 else 1e-9
    return (
        bool(np.allclose(a, b, rtol=rtol, atol=rtol, equal_nan=True)) if a.dtype.kind == "f" else bool((a == b).all())
    )


def digest(name: str) -> str:
    """Digest all that an executed solution depends on."""
    total = hashlib.sha256()
    for file in sorted(dependencies(name)):
        # as text, so that a checkout with other line ends has the same digest
        content = file.read_bytes() if file.suffix == ".npz" else file.read_text(encoding="utf-8").encode()
        total.update(file.name.encode() + b"\0" + content + b"\0")
    return total.hexdigest()[:24]


def dependencies(name: str) -> set[Path]:
    """Give a solution's text, criteria and mistakes, the labs that it takes from, and the package's modules."""
    solutions, topic = course.solutions(), course.topic(name)
    text = solutions / f"{name}.md"
    files = {text, PACKAGE / "criteria" / f"{topic}.py", solutions / "mistakes" / f"{topic}.py"}
    for other in set(FROM_LAB.findall(text.read_text(encoding="utf-8"))) - {name}:
        files |= dependencies(other)
    return {f for f in files | public_modules() if f.exists()}


def public_modules() -> set[Path]:
    """Give what notebooks may run through: the package's own folder, judging, transformer, runs, and their data."""
    patterns = ("*.py", "checking/*.py", "transformer/*.py", "runs/*.py", "data/*.npz", "data/runs/*.json")
    return {f for pattern in patterns for f in PACKAGE.glob(pattern)}


def stored_digest(path: Path) -> str:
    """Read the digest that an executed solution was made from; empty when there is none."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))["metadata"]["labsupport"]["digest"]
    except (OSError, ValueError, KeyError, TypeError):
        return ""

"""Progress: appended to, never rewritten, and off where it would disturb."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from labsupport import course, progress_file
from labsupport.checking.result import RIGHT, WRONG, Result


@pytest.fixture
def learner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Stand in a learner's notebooks folder."""
    for name in ("notebooks", "labsupport", "solutions"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    return tmp_path


def result(points: int, name: str = "rotary_embedding") -> Result:
    return Result(name, RIGHT if points == 4 else WRONG, "", points, 4)


def test_each_check_is_one_line_and_the_best_counts(learner: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    for points in (1, 4, 2):
        progress_file.append(result(points))
    path = learner / progress_file.NAME
    assert [json.loads(x)["points"] for x in path.read_text(encoding="utf-8").splitlines()] == [1, 4, 2]
    table = progress_file.table(course.notebooks(), path)
    row = next(r for r in table.rows if r.exercise == "rotary_embedding")
    assert (row.points, row.max_points, row.attempts) == (4, 4, 3)
    assert "4 of 4, 3 checks" in str(table)
    assert "<progress" in table._repr_html_()


def test_a_line_that_was_cut_off_spoils_no_other(learner: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    path = learner / progress_file.NAME
    path.write_text('{"exercise": "rotary_half", "poi', encoding="utf-8")
    progress_file.append(result(4))
    good, bad = progress_file.read(path)
    assert ([e["points"] for e in good], bad) == ([4], 1)


def test_nothing_is_recorded_in_solutions_or_in_tests(learner: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(learner / "solutions")
    progress_file.append(result(4))
    monkeypatch.chdir(learner / "notebooks")
    progress_file.append(result(4))
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    monkeypatch.setenv("LABSUPPORT_PROGRESS", "off")
    progress_file.append(result(4))
    assert not (learner / progress_file.NAME).exists()


def test_lines_that_cannot_be_read_are_set_aside(learner: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    path = learner / progress_file.NAME
    progress_file.append(result(3))
    with path.open("ab") as file:
        file.write(b'{"exercise": "rot\n\xff\xfe nonsense\n[]\n{"exercise": "rotary_half", "points": "many"}\n')
    before = path.read_bytes()
    table = progress_file.table(course.notebooks(), path)
    assert "4 lines of .progress.jsonl could not be read" in str(table)
    assert path.read_bytes() == before, "nothing is lost"
    assert len((learner / ".progress.jsonl.unreadable").read_text(encoding="utf-8").splitlines()) == 4
    assert next(r for r in table.rows if r.exercise == "rotary_embedding").points == 3


def test_two_writers_at_once_lose_no_line(learner: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTEST_CURRENT_TEST")
    code = (
        "from labsupport import progress_file as p; from labsupport.checking.result import Result\n"
        "for i in range(200): p.append(Result('rotary_embedding', 'right', '', 4, 4))"
    )
    running = [subprocess.Popen([sys.executable, "-c", code], cwd=learner / "notebooks") for _ in range(2)]
    assert [p.wait() for p in running] == [0, 0]
    good, bad = progress_file.read(learner / progress_file.NAME)
    assert (len(good), bad) == (400, 0)

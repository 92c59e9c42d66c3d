"""`labsupport check NOTEBOOK` from a terminal."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from common import ROOT

from labsupport.authoring.release import student_bytes
from labsupport.authoring.source import load
from labsupport.cli import main


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def solved(tmp_path: Path) -> Path:
    """Give a solved copy of a notebook in a folder of its own."""
    return Path(shutil.copyfile(ROOT / "solutions" / "05_rotary.ipynb", tmp_path / "05_rotary.ipynb"))


def test_a_solved_notebook_passes(solved: Path, capfd: pytest.CaptureFixture) -> None:
    assert main(["check", str(solved)]) == 0
    assert "13 of 13 points, and 2 that a person marks." in capfd.readouterr().out


def test_an_untouched_notebook_does_not_and_says_so_for_each(tmp_path: Path, capfd: pytest.CaptureFixture) -> None:
    path = tmp_path / "05_rotary.ipynb"
    path.write_bytes(student_bytes(load(ROOT / "solutions" / "05_rotary.md")))
    assert main(["check", str(path)]) == 1
    said = capfd.readouterr().out
    assert said.count("is not written yet") >= 7
    assert "0 of 13 points" in said


def test_a_notebook_that_fails_half_way_still_reports_the_rest(solved: Path, capfd: pytest.CaptureFixture) -> None:
    data = json.loads(solved.read_text(encoding="utf-8"))
    data["cells"].insert(6, {"cell_type": "code", "source": "1 / 0", "metadata": {}, "outputs": []})
    data["cells"].insert(9, {"cell_type": "code", "source": "def broken(:", "metadata": {}, "outputs": []})
    solved.write_text(json.dumps(data), encoding="utf-8")
    assert main(["check", str(solved)]) == 1
    said = capfd.readouterr().out
    assert "Cell 7 of 05_rotary.ipynb stops with ZeroDivisionError: division by zero" in said
    assert "Cell 10 of 05_rotary.ipynb stops with SyntaxError" in said
    assert "13 of 13 points" in said


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "cannot be read as JSON"),
        ("[1, 2]", "has no list of cells"),
        ('{"cells": 3}', "has no list of cells"),
        ('{"cells": [{"cell_type": "code"}]}', "has no list of cells"),
        ("\x00\x01", "cannot be read as JSON"),
    ],
)
def test_what_is_no_notebook_is_said_in_a_sentence(
    tmp_path: Path, capfd: pytest.CaptureFixture, content: str, sentence: str
) -> None:
    path = tmp_path / "05_rotary.ipynb"
    path.write_text(content, encoding="utf-8")
    assert main(["check", str(path)]) == 1
    said = capfd.readouterr().out
    assert sentence in said
    assert "Traceback" not in said


def test_a_file_that_is_missing_or_has_no_exercises(capfd: pytest.CaptureFixture) -> None:
    assert main(["check", "notebooks/05_rotary-mine.ipynb"]) == 1
    assert "There is no notebook" in capfd.readouterr().out
    assert main(["check", "notebooks/holiday.ipynb"]) == 1
    assert "holiday.ipynb is no notebook of this course with exercises" in capfd.readouterr().out


@pytest.mark.parametrize("end", ["import os\nos._exit(0)", "raise KeyboardInterrupt", "import sys\nsys.exit(0)"])
def test_a_cell_that_ends_python_is_no_pass(solved: Path, capfd: pytest.CaptureFixture, end: str) -> None:
    data = json.loads(solved.read_text(encoding="utf-8"))
    data["cells"].append({"cell_type": "code", "source": end, "metadata": None, "outputs": []})
    solved.write_text(json.dumps(data), encoding="utf-8")
    assert main(["check", str(solved)]) == 1
    said = capfd.readouterr()
    assert "ended Python itself" in said.out or "stops with" in said.out
    assert "Traceback" not in said.err


def test_a_question_mark_in_a_comment_changes_nothing(solved: Path, capfd: pytest.CaptureFixture) -> None:
    change(solved, "return turned\\n", "return turned  # is this right?\\n")
    assert main(["check", str(solved)]) == 0


def test_an_answer_that_was_deleted_is_missing_and_the_others_count(solved: Path, capfd: pytest.CaptureFixture) -> None:
    change(solved, "def rotary_half(", "def rotary_other(")
    assert main(["check", str(solved)]) == 1
    said = capfd.readouterr().out
    assert "There is no rotary_half here yet" in said
    assert "12 of 13 points" in said

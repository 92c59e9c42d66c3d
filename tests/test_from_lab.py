"""`from_lab` takes a function from the notebook of that name in the same folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from common import ROOT

from labsupport import from_lab, ready
from labsupport.notebook import read_cells, take, without_magics

Notebook = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Notebook:
    """Write a learner's notebook with the given code cells and work in its folder."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    (tmp_path / "labsupport").mkdir()
    monkeypatch.chdir(folder)

    def writes(*cells: str, name: str = "05_rotary") -> Path:
        path = folder / f"{name}.ipynb"
        listed = [{"cell_type": "code", "source": c, "metadata": {}} for c in cells]
        path.write_text(json.dumps({"cells": listed}), encoding="utf-8")
        return path

    return writes


def test_the_last_definition_counts_and_only_what_it_needs_is_run(write: Notebook) -> None:
    path = write(
        "%matplotlib inline\nimport numpy as np\nraise SystemExit",
        "def helper(x):\n    return first(x)",
        "def first(x):\n    return 1",
        "def answer(x):\n    return -1",
        "answer = lambda x: helper(x) + offset\noffset = 40",
        "this is not Python",
        "def first(x):\n    return 2",
        "explodes = 1 / 0",
    )
    assert take(read_cells(path), ["answer"], "test")["answer"](0) == 42


def test_parameters_and_local_names_need_no_definition(write: Notebook) -> None:
    path = write(
        "m = undefined_scratch(3)\nd = [print('never run') for x in range(2)]",
        "def rope(m, d):\n    return [m * i for i in range(d)]",
        "x = also_undefined",
    )
    assert take(read_cells(path), ["rope"], "test")["rope"](2, 3) == [0, 2, 4]


def test_what_changes_a_table_in_place_comes_with_it(write: Notebook) -> None:
    path = write(
        "from math import *\ntable = {}\ntable['a'] = 1\nunrelated = {}\nunrelated['a'] = 1 / 0",
        "total = 1\ntotal += 4",
        "def answer():\n    return table['a'] + total + floor(0.5)",
    )
    assert take(read_cells(path), ["answer"], "test")["answer"]() == 6


def test_a_right_function_comes_without_a_word(write: Notebook, capsys: pytest.CaptureFixture) -> None:
    path = ROOT / "solutions" / "05_rotary.ipynb"
    write(*[c.source for c in read_cells(path) if c.kind == "code"])
    assert from_lab("05_rotary", "rope_angles")(1, 2) == [1.0]
    assert capsys.readouterr().out == ""


def test_an_unfinished_function_says_where_to_finish_it(write: Notebook, capsys: pytest.CaptureFixture) -> None:
    write('def rope_angles(m, d, base=10000):\n    raise NotImplementedError("rope_angles is not written yet")')
    from_lab("05_rotary", "rope_angles")
    said = capsys.readouterr().out
    assert said.startswith("rope_angles is not written yet. Finish the exercise rope_angles in 05_rotary")


def test_a_failing_function_says_so_and_is_given(write: Notebook, capsys: pytest.CaptureFixture) -> None:
    write("def rope_angles(m, d, base=10000):\n    return m")
    assert from_lab("05_rotary", "rope_angles")(3, 2) == 3
    assert "rope_angles does not pass its check yet (0 of 1 points)." in capsys.readouterr().out


@pytest.mark.parametrize("cells", [[], ["x = 1"], ["import a_module_that_is_not_there\ndef rope_angles(m, d): "
                                                   "return a_module_that_is_not_there"]])  # fmt: skip
def test_a_missing_function_is_a_sentence_and_stands_in(
    write: Notebook, capsys: pytest.CaptureFixture, cells: list[str]
) -> None:
    if cells:
        write(*cells)
    taken = from_lab("05_rotary", "rope_angles")
    said = capsys.readouterr().out
    assert len(said.strip().splitlines()) == 1
    assert "Finish the exercise rope_angles in 05_rotary" in said
    with pytest.raises(NotImplementedError, match="rope_angles is not there yet"):
        taken(1, 2)


def test_a_cell_that_waits_for_it_names_its_notebook(write: Notebook, capsys: pytest.CaptureFixture) -> None:
    write('def rope_angles(m, d, base=10000):\n    raise NotImplementedError("rope_angles is not written yet")')
    world = {"ready": ready, "rope_angles": from_lab("05_rotary", "rope_angles")}
    capsys.readouterr()
    assert not eval('ready("rope_angles")', world)
    assert (
        "write it in 05_rotary, run the cell that takes it from there. Then run this cell again."
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("cell", "read"),
    [
        ("x = 1  # or 2?", "x = 1  # or 2?"),
        ("y = (5\n  % 3)", "y = (5\n  % 3)"),
        ("%matplotlib inline\nx = 1  # why?", "\nx = 1  # why?"),
        ("%%time\nx = 1", "\nx = 1"),
        ("%%bash\nls", ""),
        ("np.sin?\n!ls\nx = 1", "\n\nx = 1"),
    ],
)
def test_only_what_ipython_alone_understands_is_left_out(cell: str, read: str) -> None:
    assert without_magics(cell) == read


def test_the_courses_own_function_can_be_asked_for(capsys: pytest.CaptureFixture) -> None:
    assert from_lab("05_rotary", "rope_angles", solution=True)(1, 2) == [1.0]
    assert capsys.readouterr().out == ""

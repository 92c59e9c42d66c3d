"""The notebooks that are committed: executed, described, small, and runnable before anything is solved."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from common import ROOT
from nbclient import NotebookClient

from labsupport import course
from labsupport.authoring.release import student_bytes
from labsupport.authoring.source import load

NAMES = sorted(p.stem for p in (ROOT / "solutions").glob("[0-9][0-9]_*.md"))
PARTS = pytest.mark.parametrize("name", NAMES)


def cells(folder: str, name: str) -> list[dict[str, Any]]:
    return json.loads((ROOT / folder / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]


def code(folder: str, name: str) -> list[dict[str, Any]]:
    return [c for c in cells(folder, name) if c["cell_type"] == "code"]


def test_every_solution_has_its_notebooks_and_no_other_is_there() -> None:
    assert NAMES
    assert set(NAMES) == set(course.notebooks())
    for folder in ("solutions", "notebooks"):
        tracked = [p.stem for p in (ROOT / folder).glob("[0-9][0-9]_*.ipynb") if "-" not in p.stem]
        assert sorted(tracked) == NAMES


@PARTS
def test_a_solution_was_executed_from_top_to_bottom_without_error(name: str) -> None:
    counts = [c["execution_count"] for c in code("solutions", name)]
    assert counts == list(range(1, len(counts) + 1))
    outputs = [o for c in code("solutions", name) for o in c["outputs"]]
    assert not [o for o in outputs if o["output_type"] == "error"]
    assert not [o for o in outputs if o.get("name") == "stderr"]


@PARTS
def test_every_exercise_is_right_in_its_solution(name: str) -> None:
    for cell in code("solutions", name):
        if cell["id"].startswith("check-"):
            (output,) = cell["outputs"]
            assert "right" in "".join(output["data"]["text/plain"]).splitlines()[-1], cell["id"]


@PARTS
def test_every_picture_has_a_text_and_a_light_ground(name: str) -> None:
    for cell in code("solutions", name):
        for output in cell["outputs"]:
            assert "image/png" not in output.get("data", {}), "pictures go through figures.show"
            html = "".join(output.get("data", {}).get("text/html", ""))
            for picture in re.findall(r"<img[^>]*>", html):
                alt = re.search(r'alt="([^"]*)"', picture)
                assert alt, picture[:80]
                assert len(alt[1].split()) >= 8, alt[1]
                assert "background-color:#ffffff" in html
                data = base64.b64decode(re.search(r"base64,([^\"]*)", picture)[1])
                assert data.startswith(b"\x89PNG")


@PARTS
def test_a_notebook_is_small(name: str) -> None:
    assert (ROOT / "solutions" / f"{name}.ipynb").stat().st_size < 1_500_000


@PARTS
def test_outputs_hold_no_path_address_or_date(name: str) -> None:
    for cell in code("solutions", name):
        text = "".join(
            "".join(o.get("text", "")) + "".join(o.get("data", {}).get("text/plain", "")) for o in cell["outputs"]
        )
        assert not re.search(r"0x[0-9a-f]{6,}|/home/|/tmp/|20\d\d-\d\d-\d\d", text), cell["id"]


@PARTS
def test_three_hints_stand_under_every_check(name: str) -> None:
    source = load(ROOT / "solutions" / f"{name}.md")
    for exercise in source.checks.values():
        assert source.hints(exercise) == 3, exercise.name


@PARTS
def test_the_seven_parts_are_there(name: str) -> None:
    """Title first; a guess before a result, a summary, one written question with a rubric, and where to read on."""
    source = load(ROOT / "solutions" / f"{name}.md")
    prose = "\n".join(c.source for c in source.notebook.cells if c.cell_type == "markdown")
    assert source.notebook.cells[0].source.startswith("# ")
    if name == "00_start_here":
        return
    for part in ("Predict first", "Summary", "Where to read on", "**Rubric.**"):
        assert part in prose, part
    assert len(source.writtens) == 1


@PARTS
def test_an_untouched_notebook_runs_to_its_end(name: str, tmp_path: Path) -> None:
    """Every exercise is still to be written, and no cell fails or writes to the error stream."""
    folder = tmp_path / "notebooks"
    folder.mkdir()
    for other in NAMES:  # fresh ones: in notebooks/ somebody may be at work
        (folder / f"{other}.ipynb").write_bytes(student_bytes(load(ROOT / "solutions" / f"{other}.md")))
    notebook = nbformat.read(folder / f"{name}.ipynb", as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources=resources).execute()
    outputs = [(c.id, o) for c in notebook.cells if c.cell_type == "code" for o in c.outputs]
    assert not [i for i, o in outputs if o.output_type == "error" or o.get("name") == "stderr"]
    checked = {i: o["data"]["text/plain"] for i, o in outputs if i.startswith("check-")}
    assert len(checked) == sum(e.kind != "written" for e in course.notebooks()[name])
    for i, text in checked.items():
        assert "yet" in text.splitlines()[-1], i

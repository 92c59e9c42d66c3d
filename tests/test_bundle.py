"""What a learner is given holds no answer: no code, no value, no letter, no model text."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from common import ROOT, right

from labsupport import CourseError, course
from labsupport.authoring.bundle import bundle
from labsupport.authoring.source import BEGIN, END, load
from labsupport.cli import main

SOLUTIONS = sorted((ROOT / "solutions").glob("[0-9][0-9]_*.md"))


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a bundle once."""
    out = tmp_path_factory.mktemp("out")
    sentence = bundle(out)
    assert sentence.startswith(f"{len(SOLUTIONS)} notebooks and the package are in")
    return out / "positional-encoding-labs"


def texts(folder: Path) -> dict[str, str]:
    """Give every text of a bundle: files, and of notebooks all sources, outputs and metadata, decoded."""
    out = {}
    for path in folder.rglob("*"):
        if path.suffix in (".npz", ".pyc") or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        if path.suffix in (".ipynb", ".json"):
            text = "\n".join(strings(json.loads(text)))
        out[str(path.relative_to(folder))] = text
    return out


def strings(data: object) -> Iterator[str]:
    """Give every string in a JSON structure, keys included; a list of strings is one text."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from strings(value)
    elif isinstance(data, list) and all(isinstance(x, str) for x in data):
        yield "".join(data)
    elif isinstance(data, list):
        for value in data:
            yield from strings(value)
    elif isinstance(data, str):
        yield data


def lines(text: str) -> list[str]:
    """Give the lines that say something, without indentation, comments and spaces."""
    stripped = (re.sub(r"\s+", "", line.split("  #")[0]) for line in text.splitlines())
    return [line for line in stripped if line and not line.startswith("#")]


def regions() -> Iterator[tuple[str, list[str]]]:
    """Give the lines of every answer's solution region."""
    for path in SOLUTIONS:
        source = load(path)
        for index, exercise in source.answers.items():
            inside = source.notebook.cells[index].source.split(BEGIN)[1].split(END)[0]
            yield exercise.name, lines(inside)


def pieces(region: list[str]) -> list[str]:
    """Give what would give an answer away: a long line of it, or two neighbouring ones, or all of a short one."""
    long_lines = [line for line in region if len(line) >= 36 and not line.startswith(("raiseValueError", "ifd%2"))]
    pairs = ["\n".join(pair) for pair in pairwise(region) if len("".join(pair)) >= 40]
    return long_lines + pairs + (["\n".join(region)] if len("".join(region)) >= 12 else [])


def test_no_answer_code_in_any_file(given: Path) -> None:
    found = []
    everything = {name: "\n".join(lines(text)) for name, text in texts(given).items()}
    for exercise, region in regions():
        for piece in pieces(region):
            found += [f"{exercise} in {name}: {piece}" for name, text in everything.items() if piece in text]
    assert not found, "\n".join(found)


def test_the_search_would_find_an_answer(given: Path) -> None:
    """Plant each answer's code, indented otherwise, in a file of the bundle: one of its pieces must be found there."""
    text = (given / "labsupport" / "course.py").read_text(encoding="utf-8")
    for exercise, region in regions():
        planted = "\n".join(lines(text + "".join(f"\n        {line}" for line in region)))
        assert any(piece in planted for piece in pieces(region)), exercise


def test_no_function_of_the_package_is_named_like_an_exercise(given: Path) -> None:
    names = set(course.exercises())
    for path in (given / "labsupport").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        defined = {n.name for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.ClassDef))}
        assert not defined & names, path.name


def test_no_value_and_no_letter_is_readable(given: Path) -> None:
    everything = texts(given)
    for exercise in course.exercises().values():
        if exercise.kind not in ("value", "choice"):
            continue
        answer = right(exercise.notebook)[0][exercise.name]
        assigned = re.compile(rf"{exercise.name}\s*=\s*(?!\.\.\.)[\w\"'.]")
        told = [n for n, t in everything.items() if assigned.search(t) and not n.endswith("checks.py")]
        assert not told, f"{exercise.name} is assigned in {told}"
        if exercise.kind == "value" and len(f"{float(answer):.10g}".replace(".", "").strip("0")) >= 4:
            digits = f"{float(answer):.10g}"[:6]
            spaced = re.compile(re.sub(r"(?<=\d)(?=\d)", r"[\\s,_]?", re.escape(digits)))
            assert not [n for n, t in everything.items() if spaced.search(t)], f"{exercise.name} can be read"


def test_no_model_answer_and_no_rubric(given: Path) -> None:
    everything = texts(given)
    for path in SOLUTIONS:
        source = load(path)
        for index, exercise in source.writtens.items():
            sentences = re.split(r"(?<=[.:])\s", source.notebook.cells[index].source)
            for sentence in (s.strip() for s in sentences):
                if len(sentence) > 40:
                    assert not [n for n, t in everything.items() if sentence in t], exercise.name
    assert not [n for n, t in everything.items() if n.endswith(".ipynb") and re.search(r"\*\*(Rubric|Model)", t)]


def test_the_stored_answers_are_numbers_without_telling_names(given: Path) -> None:
    for path in (given / "labsupport" / "data" / "answers").glob("*.npz"):
        with np.load(path, allow_pickle=False) as arrays:
            assert all(re.fullmatch(r"[af]\d+", k) for k in arrays.files)
            assert all(arrays[k].dtype.kind in "biuf" for k in arrays.files)


def test_outputs_are_cleared_and_authors_tools_left_out(given: Path) -> None:
    for path in (given / "notebooks").glob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert not any(c.get("outputs") for c in cells)
    assert not (given / "labsupport" / "authoring").exists()
    assert not (given / "solutions").exists()


def test_hints_are_left_out_on_demand(given: Path, tmp_path: Path) -> None:
    assert main(["bundle", "--out", str(tmp_path), "--no-hints"]) == 0
    bare = tmp_path / "positional-encoding-labs"
    with_hints = sum(t.count("<summary>Hint") for n, t in texts(given).items() if n.endswith(".ipynb"))
    assert with_hints >= 3 * sum(e.kind != "written" for e in course.exercises().values())
    assert not [n for n, t in texts(bare).items() if n.endswith(".ipynb") and "<summary>Hint" in t]
    for path in (bare / "labsupport" / "data" / "answers").glob("*.json"):
        entries = json.loads(path.read_text(encoding="utf-8"))["exercises"]
        assert all(entry["hints"] == 0 for entry in entries.values())


def test_a_folder_that_is_no_bundle_is_left_alone(tmp_path: Path) -> None:
    mine = tmp_path / "positional-encoding-labs"
    mine.mkdir()
    (mine / "diary.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(CourseError, match="does not look like a bundle"):
        bundle(tmp_path)
    assert (mine / "diary.txt").exists()

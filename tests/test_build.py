"""The build: what it refuses, what it derives, what it leaves alone."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from labsupport import CourseError, course
from labsupport.authoring import build, release, source
from labsupport.checking import declare, store
from labsupport.checking.declare import Criterion, Exercise, Notebook
from labsupport.checking.expect import expect
from labsupport.cli import main

HEAD = "# 90 Toy\n\n**about 5 minutes, 3 points**\n"
ANSWER = '''### Exercise 1 (2 points, about 3 minutes)

```python
def treble(x):
    """Three times x."""
    ### BEGIN SOLUTION
    return 3 * np.asarray(x)
    ### END SOLUTION
```
'''
CHECK = '\n```python\ncheck("treble")\n```\n'
HINTS = "\n" + "\n".join(f"<details><summary>Hint {i}</summary>\n\nTry {i}.\n\n</details>" for i in (1, 2, 3)) + "\n"
IMPORTS = "\n```python\nimport numpy as np\n\nfrom labsupport import check, ready\n```\n"
USE = '\n```python\nif ready("treble"):\n    print(treble(2))\n```\n'
VALUE = """
### Exercise 2 (1 point, about 1 minutes)

```python
### BEGIN SOLUTION
nine = 9.0
### END SOLUTION
```

```python
check("nine")
```
"""
WHOLE = HEAD + IMPORTS + ANSWER + CHECK + HINTS + USE + VALUE


def treble_values(f, ref, rng) -> None:
    x = rng.normal(size=3)
    expect(f(x), ref(x))


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give a course with one small notebook in a folder of its own."""
    for name in ("notebooks", "labsupport", "solutions/mistakes"):
        (tmp_path / name).mkdir(parents=True)
    treble = Exercise("treble", "function", "90_toy", 3)
    treble.criteria.append(Criterion("treble_values", 2, "three times x", treble_values))
    nine = Exercise("nine", "value", "90_toy", 1, own_points=1, atol=0.1)
    exercises = {"treble": treble, "nine": nine}
    for name, exercise in exercises.items():
        monkeypatch.setitem(declare.EXERCISES, name, exercise)
    monkeypatch.setitem(declare.NOTEBOOKS, "90_toy", Notebook("90_toy", 5))
    monkeypatch.setattr(course, "exercises", lambda: exercises)
    monkeypatch.setattr(store, "FOLDER", tmp_path / "answers")
    monkeypatch.chdir(tmp_path)
    store.reader.cache_clear()
    yield tmp_path
    store.reader.cache_clear()


def write(toy: Path, text: str) -> Path:
    path = toy / "solutions" / "90_toy.md"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (WHOLE.replace("    ### END SOLUTION\n", "", 1), "has no ### END SOLUTION"),
        (WHOLE.replace("    return 3", "    ### BEGIN SOLUTION\n    return 3"), "inside a region that has not ended"),
        (WHOLE.replace("    return 3 * np.asarray(x)\n", ""), "the solution region is empty"),
        (WHOLE.replace("    ### BEGIN SOLUTION\n", "", 1), "stands without its ### BEGIN SOLUTION"),
        (WHOLE.replace(CHECK, ""), 'has no check("treble") after it'),
        (HEAD + IMPORTS + CHECK + ANSWER + HINTS + VALUE, 'has no check("treble") after it'),
        (WHOLE.replace('check("treble")', 'check("trebel")'), "no exercise 'trebel' is declared for 90_toy"),
        (WHOLE.replace('check("treble")', 'check("treble").points'), "a check stands alone in its cell"),
        (WHOLE.replace(USE, "\n```python\nprint(treble(2))\n```\n"), "uses treble and does not begin with if ready"),
        (WHOLE.replace('ready("treble")', 'ready("nine")'), "uses treble and does not begin with if ready"),
        (
            WHOLE.replace(USE, "\n```python\ndef six(x):\n    return treble(2 * x)\n\n\nprint(six(1))\n```\n"),
            "uses treble and does not begin with if ready",
        ),
        (WHOLE.replace("(2 points, about 3", "(4 points, about 3"), "is declared with 2 points and 3 minutes"),
        (WHOLE.replace("3 points**", "30 points**"), "the title cell must say"),
        (WHOLE.replace("3 points**", "13 points**"), "the title cell must say"),
        (WHOLE.replace("about 5 minutes", "about 45 minutes"), "the title cell must say"),
        (WHOLE.replace("### Exercise 1 (2 points, about 3 minutes)", "### Exercise 1"), "no heading above says"),
        (WHOLE.replace(VALUE, ""), "declared and not there: nine"),
        (WHOLE + ANSWER + CHECK, "treble is answered in more than one cell"),
    ],
)
def test_what_is_refused_is_shown(toy: Path, text: str, what: str) -> None:
    with pytest.raises(CourseError) as refused:
        source.load(write(toy, text))
    assert what in str(refused.value)
    assert "90_toy" in str(refused.value)


def test_a_build_makes_everything_once_and_then_nothing(toy: Path) -> None:
    write(toy, WHOLE)
    first = build.build([])
    assert not first.problems
    assert len(first.written) == 4
    made = {p: p.read_bytes() for p in toy.rglob("*") if p.is_file()}
    assert build.build([]).written == []
    assert build.check([]).problems == []
    assert {p: p.read_bytes() for p in toy.rglob("*") if p.is_file()} == made
    (toy / "solutions" / "90_toy.ipynb").unlink()
    build.build([])
    assert {p: p.read_bytes() for p in toy.rglob("*") if p.is_file()} == made, "building again changes no byte"


def test_the_student_notebook_is_derived_from_the_content(toy: Path) -> None:
    write(toy, WHOLE)
    build.build([])
    cells = json.loads((toy / "notebooks" / "90_toy.ipynb").read_text(encoding="utf-8"))["cells"]
    by_id = {c["id"]: c for c in cells}
    answer, check, value = by_id["answer-treble"], by_id["check-treble"], by_id["answer-nine"]
    assert "".join(answer["source"]).endswith('    raise NotImplementedError("treble is not written yet")')
    assert "".join(value["source"]) == "nine = ..."
    assert check["metadata"]["nbgrader"]["points"] == 2
    assert check["metadata"]["nbgrader"]["locked"]
    assert answer["metadata"]["nbgrader"]["solution"]
    assert all(c.get("execution_count") is None and not c.get("outputs") for c in cells)
    solved = json.loads((toy / "solutions" / "90_toy.ipynb").read_text(encoding="utf-8"))["cells"]
    assert [c["id"] for c in solved] == [c["id"] for c in cells]
    assert sum("".join(c["source"]).count("<details>") for c in cells) == 3


def test_check_lists_what_is_out_of_date_and_changes_nothing(toy: Path, capsys: pytest.CaptureFixture) -> None:
    path = write(toy, WHOLE)
    assert main(["build"]) == 0
    assert main(["build", "--check"]) == 0
    write(toy, WHOLE.replace("return 3 *", "return 3.5 *"))
    before = {p: p.read_bytes() for p in toy.rglob("*") if p.is_file()}
    assert main(["build", "--check"]) == 1
    said = capsys.readouterr().err
    assert "solutions/90_toy.ipynb is older than what it is made from" in said
    assert "90_toy.npz is not what the solution gives" in said
    assert {p: p.read_bytes() for p in toy.rglob("*") if p.is_file()} == before
    write(toy, path.read_text(encoding="utf-8").replace("3.5", "3"))
    student = toy / "notebooks" / "90_toy.ipynb"
    student.write_text(student.read_text(encoding="utf-8").replace("Three times", "Thrice"), encoding="utf-8")
    assert main(["build", "--check"]) == 1
    assert "notebooks/90_toy.ipynb is not what the solution releases" in capsys.readouterr().err


def test_a_learners_work_is_never_overwritten(toy: Path) -> None:
    write(toy, WHOLE)
    build.build([])
    student = toy / "notebooks" / "90_toy.ipynb"
    own = student.read_text(encoding="utf-8").replace(
        'raise NotImplementedError(\\"treble is not written yet\\")', "return 4 * x"
    )
    student.write_text(own, encoding="utf-8")
    assert release.edited(student)
    write(toy, WHOLE.replace("Try 1.", "Try harder."))
    report = build.build([])
    assert "holds somebody's own work and was left alone" in report.problems[0]
    assert student.read_text(encoding="utf-8") == own
    build.build([], force=True)
    kept = list((toy / "notebooks").glob("90_toy-kept-*.ipynb"))
    assert [k.read_text(encoding="utf-8") for k in kept] == [own]
    assert "Try harder." in student.read_text(encoding="utf-8")


def test_a_notebook_that_was_only_run_is_not_taken_for_edited(toy: Path) -> None:
    write(toy, WHOLE)
    build.build([])
    student = toy / "notebooks" / "90_toy.ipynb"
    data = json.loads(student.read_text(encoding="utf-8"))
    for cell in data["cells"]:
        if cell["cell_type"] == "code":
            cell["execution_count"] = 1
    student.write_text(json.dumps(data), encoding="utf-8")
    assert not release.edited(student)


def test_a_solution_that_fails_its_own_criterion_is_refused(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def demands_more(f, ref, rng) -> None:
        expect(f(np.ones(2)), np.ones(2))

    criterion = Criterion("demands_more", 2, "more", demands_more)
    monkeypatch.setattr(declare.EXERCISES["treble"], "criteria", [criterion])
    write(toy, WHOLE)
    with pytest.raises(CourseError, match="the solution of treble fails its own criterion demands_more"):
        build.build([])


def test_a_cell_that_fails_is_named(toy: Path) -> None:
    write(toy, WHOLE + "\n```python\n1 / 0\n```\n")
    with pytest.raises(CourseError, match=r"a cell fails when it is run(.|\n)*ZeroDivisionError"):
        build.build([])


def test_an_unknown_name_is_answered_with_those_there_are(toy: Path) -> None:
    write(toy, WHOLE)
    with pytest.raises(CourseError, match=r"There is no solution 91_toy\.md; there are 90_toy"):
        build.build(["91_toy"])


def test_stored_answers_hold_nothing_executable(toy: Path) -> None:
    write(toy, WHOLE)
    build.build([])
    with np.load(toy / "answers" / "90_toy.npz", allow_pickle=False) as arrays:
        assert all(arrays[k].dtype.kind in "biuf" for k in arrays.files)
    assert "9.0" not in (toy / "answers" / "90_toy.json").read_text(encoding="utf-8")


def test_damaged_answers_are_said_in_a_sentence(toy: Path) -> None:
    write(toy, WHOLE)
    build.build([])
    (toy / "answers" / "90_toy.npz").write_bytes(b"no zip")
    store.reader.cache_clear()
    from labsupport import evaluate

    with pytest.raises(CourseError, match="the stored answers of 90_toy are missing or damaged"):
        evaluate("treble", lambda x: x)
    shutil.rmtree(toy / "answers")
    with pytest.raises(CourseError, match="missing or damaged"):
        evaluate("nine", 9)

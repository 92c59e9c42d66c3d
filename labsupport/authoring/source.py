"""A solution as it is written: its cells, what each of them is for, and what is refused."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from labsupport import course
from labsupport.checking.declare import EXERCISES, NOTEBOOKS, CourseError, Exercise
from labsupport.notebook import without_magics

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
CHECK = re.compile(r'check\("(\w+)"\)')
HEADING = re.compile(r"\((\d+) points?, about (\d+) minutes\)")


@dataclass
class Source:
    """A solution's cells with, cell by cell, the exercise it answers, checks or leaves to be written."""

    name: str
    notebook: NotebookNode
    answers: dict[int, Exercise] = field(default_factory=dict)
    checks: dict[int, Exercise] = field(default_factory=dict)
    writtens: dict[int, Exercise] = field(default_factory=dict)

    @property
    def exercises(self) -> list[Exercise]:
        """The exercises of this notebook in the order in which they stand."""
        found = self.answers | self.writtens
        return [found[i] for i in sorted(found)]

    def hints(self, exercise: Exercise) -> int:
        """Count the hints that stand under an exercise's check."""
        index = next(i for i, e in self.checks.items() if e is exercise)
        following = self.notebook.cells[index + 1] if index + 1 < len(self.notebook.cells) else None
        return following.source.count("<details>") if following and following.cell_type == "markdown" else 0


def load(path: Path) -> Source:
    """Read `solutions/NN_topic.md` and find its exercises.

    Raises
    ------
    CourseError
        naming the cell, if regions, checks, points or the use of an answer are not as they must be
    """
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="md")
    notebook.cells = [piece for cell in notebook.cells for piece in hints_apart(cell)]
    source = Source(path.stem, notebook)
    course.exercises()
    for index, cell in enumerate(notebook.cells):
        _sort(source, index, cell)
    _complete(source)
    _headings(source)
    _guards(source)
    return source


def hints_apart(cell: NotebookNode) -> list[NotebookNode]:
    """Give the text behind the last hint a cell of its own; JupyterLab sets it off from a closed hint only then."""
    hints, end, rest = cell.source.rpartition("</details>")
    if cell.cell_type != "markdown" or not end or not rest.strip():
        return [cell]
    return [
        nbformat.v4.new_markdown_cell(hints + end, metadata=cell.metadata),
        nbformat.v4.new_markdown_cell(rest.strip()),
    ]


def refuse(source: Source, index: int, what: str) -> CourseError:
    """Make the error that shows a cell."""
    text = source.notebook.cells[index].source
    return CourseError(f"{source.name}, cell {index + 1}: {what}\n\n" + "\n".join(f"    {x}" for x in text.split("\n")))


def _sort(source: Source, index: int, cell: NotebookNode) -> None:
    """Say what a cell is for."""
    tags = cell.metadata.get("tags", [])
    if cell.cell_type == "markdown" and "written" in tags:
        name = next((t for t in tags if t != "written"), "")
        source.writtens[index] = _declared(source, index, name, "written")
    if cell.cell_type != "code":
        return
    if _region(source, index, cell.source):
        source.answers[index] = _answered(source, index, cell.source)
    checked = CHECK.fullmatch(cell.source.strip().rstrip(";"))
    if checked:
        source.checks[index] = _declared(source, index, checked[1], "")
    elif CHECK.search(cell.source):
        raise refuse(source, index, 'a check stands alone in its cell: check("NAME") and nothing else')


def _declared(source: Source, index: int, name: str, kind: str) -> Exercise:
    exercise = EXERCISES.get(name)
    if exercise is None or (kind and exercise.kind != kind) or exercise.notebook != source.name:
        raise refuse(
            source, index, f"no {kind or 'exercise'} {name!r} is declared for {source.name} in labsupport/criteria"
        )
    return exercise


def _region(source: Source, index: int, text: str) -> bool:
    """Whether a cell has a solution region, refusing one that is nested, unclosed or empty."""
    inside, lines, found = False, 0, False
    for line in text.split("\n"):
        mark = line.strip()
        if mark == BEGIN and inside:
            raise refuse(source, index, f"{BEGIN} stands inside a region that has not ended")
        if mark == END and not inside:
            raise refuse(source, index, f"{END} stands without its {BEGIN}")
        if mark == END and lines == 0:
            raise refuse(source, index, "the solution region is empty")
        lines = 0 if mark == BEGIN else lines + bool(mark)
        inside, found = (mark == BEGIN or inside) and mark != END, found or mark == BEGIN
    if inside:
        raise refuse(source, index, f"{BEGIN} has no {END}")
    return found


def _answered(source: Source, index: int, text: str) -> Exercise:
    """Find the one exercise that an answer cell defines."""
    tree = ast.parse(without_magics(text))
    names = [n.name for n in tree.body if isinstance(n, ast.FunctionDef)]
    names += [t.id for n in tree.body if isinstance(n, ast.Assign) for t in n.targets if isinstance(t, ast.Name)]
    mine = [n for n in names if n in EXERCISES and EXERCISES[n].notebook == source.name]
    if len(mine) != 1:
        raise refuse(
            source, index, f"an answer cell defines one declared exercise; this one defines {mine or names or 'none'}"
        )
    return EXERCISES[mine[0]]


def _complete(source: Source) -> None:
    """Every exercise has one answer and one check after it, and everything declared is there."""
    names = [e.name for e in source.exercises]
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        raise CourseError(f"{source.name}: {', '.join(sorted(twice))} is answered in more than one cell")
    checked = {e.name: i for i, e in source.checks.items()}
    for index, exercise in source.answers.items():
        if checked.get(exercise.name, -1) < index:
            raise refuse(source, index, f'the exercise {exercise.name} has no check("{exercise.name}") after it')
    for index, exercise in source.checks.items():
        if exercise.name not in names:
            raise refuse(source, index, f"{exercise.name} is checked and has no answer cell with a solution region")
    declared = {e.name for e in course.notebooks().get(source.name, [])}
    if declared - set(names):
        raise CourseError(f"{source.name}: declared and not there: {', '.join(sorted(declared - set(names)))}")


def _headings(source: Source) -> None:
    """A heading or title that gives points and minutes must give those that are declared."""
    total = sum(e.points for e in source.exercises)
    title = source.notebook.cells[0].source
    minutes = NOTEBOOKS[source.name].minutes if source.name in NOTEBOOKS else 0
    if not re.search(rf"\b{total} points?\b", title) or not re.search(rf"\b{minutes} minutes\b", title):
        raise refuse(source, 0, f"the title cell must say {minutes} minutes and {total} points, as declared")
    pending: tuple[int, re.Match] | None = None
    for index, cell in enumerate(source.notebook.cells):
        said = HEADING.search(cell.source) if cell.cell_type == "markdown" else None
        exercise = source.answers.get(index) or source.writtens.get(index)
        if said and not exercise:
            pending = (index, said)
        if exercise and not pending:
            raise refuse(
                source, index, f"no heading above says ({exercise.points} points, about {exercise.minutes} minutes)"
            )
        if exercise:
            _agrees(source, exercise, *pending)
            pending = None


def _agrees(source: Source, exercise: Exercise, index: int, said: re.Match) -> None:
    if (int(said[1]), int(said[2])) != (exercise.points, exercise.minutes):
        declared = f"{exercise.points} points and {exercise.minutes} minutes"
        raise refuse(source, index, f"{exercise.name} is declared with {declared}; the heading says {said[0]}")


def _guards(source: Source) -> None:
    """A cell that uses an answer where it runs at once must ask `ready` first."""
    there = [name for name, e in EXERCISES.items() if e.kind != "written" and e.notebook <= source.name]
    needs = {name: {name} for name in there}
    for index, cell in enumerate(source.notebook.cells):
        if cell.cell_type != "code" or index in source.answers or index in source.checks:
            continue
        for node in ast.parse(without_magics(cell.source)).body:
            if isinstance(node, ast.FunctionDef):
                used = _needed(ast.walk(node), needs)
                needs |= {node.name: used} if used else {}
                continue
            missing = _needed(ast.walk(node), needs) - _asked(node)
            if missing:
                text = f"the cell uses {', '.join(sorted(missing))} and does not begin with if ready(...) that names it"
                raise refuse(source, index, text)


def _needed(nodes: Iterable[ast.AST], needs: dict[str, set[str]]) -> set[str]:
    used = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return set().union(*(needs[n] for n in used if n in needs))


def _asked(node: ast.stmt) -> set[str]:
    """Give the names that `if ready("a", "b"):` asks for."""
    test = node.test if isinstance(node, ast.If) else None
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "ready":
        return {a.value for a in test.args if isinstance(a, ast.Constant)}
    return set()


def write_bytes(notebook: NotebookNode) -> bytes:
    """Write a notebook the same way everywhere."""
    nbformat.validate(notebook)
    return (nbformat.writes(notebook, version=nbformat.NO_CONVERT).rstrip("\n") + "\n").encode("utf-8")

"""Read a notebook as JSON, take definitions out of it, run its cells. A learner meets `from_lab`."""

from __future__ import annotations

import ast
import builtins
import json
import linecache
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from labsupport import course
from labsupport.checking.declare import CourseError

TAKEN = "taken from "
"""How the module of a function begins that `from_lab` took out of another notebook."""


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook: its kind ("code" or "markdown"), source, id and tags."""

    kind: str
    source: str
    id: str = ""
    tags: tuple[str, ...] = ()


def read_cells(path: Path) -> list[Cell]:
    """Read the cells of a notebook file.

    Raises
    ------
    CourseError
        if the file is missing, is not JSON, or is not a notebook
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        return [_cell(c) for c in data["cells"]]
    except FileNotFoundError:
        raise CourseError(
            f"There is no notebook {path}. Is the name right, and are you in the course folder?"
        ) from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        text = f"{path} is not a notebook: it cannot be read as JSON."
        raise CourseError(f"{text} Was it cut off, or saved by something else than Jupyter?") from None
    except (KeyError, TypeError, AttributeError):
        raise CourseError(f"{path} is not a notebook: it has no list of cells.") from None


def _cell(data: dict[str, Any]) -> Cell:
    source = data["source"]
    text = source if isinstance(source, str) else "".join(source)
    tags = tuple((data.get("metadata") or {}).get("tags") or ())
    return Cell(data["cell_type"], text, str(data.get("id", "")), tags)


PYTHON_MAGICS = ("time", "timeit", "capture", "prun")
"""Cell magics whose body is Python all the same."""
MAGIC_LINE = re.compile(r"\s*[%!?]|\s*[\w.]+\?{1,2}\s*$")


def without_magics(source: str) -> str:
    """Blank what only IPython understands, so that the rest can be read as Python; what is Python stays as it is."""
    if _parses(source):
        return source
    if source.lstrip().startswith("%%"):
        first, _, body = source.lstrip().partition("\n")
        return "\n" + without_magics(body) if first[2:].split()[:1] in [[m] for m in PYTHON_MAGICS] else ""
    return "\n".join("" if MAGIC_LINE.match(line) else line for line in source.split("\n"))


def _parses(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


@dataclass(frozen=True)
class Statement:
    """A top-level statement of a notebook that defines names: which it defines, which it uses, where it stands."""

    node: ast.stmt
    cell: int
    defines: frozenset[str]
    uses: frozenset[str]


def statements(cells: Iterable[Cell]) -> list[Statement]:
    """Parse the code cells and give the top-level statements that define names; what does not parse is skipped."""
    out = []
    for number, cell in enumerate(cells):
        if cell.kind != "code":
            continue
        try:
            body = ast.parse(without_magics(cell.source)).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        out += [s for s in (_statement(node, number) for node in body) if s.defines]
    return out


def _statement(node: ast.stmt, cell: int) -> Statement:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        defines = {node.name}
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        defines = {(a.asname or a.name).split(".")[0] for a in node.names}
    elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        defines = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    else:
        defines = set()
    uses = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    if isinstance(node, ast.AugAssign):
        uses |= defines
    return Statement(node, cell, frozenset(defines), frozenset(uses))


def needed(all_statements: list[Statement], names: Iterable[str]) -> list[Statement]:
    """Choose the last definition of each name and, transitively, those of the names that it uses, in their order."""
    last = {name: i for i, s in enumerate(all_statements) for name in s.defines}
    chosen: set[int] = set()
    waiting = [last[n] for n in names if n in last]
    while waiting:
        index = waiting.pop()
        if index in chosen:
            continue
        chosen.add(index)
        waiting += [last[n] for n in all_statements[index].uses if n in last]
        if isinstance(all_statements[index].node, ast.AugAssign):
            waiting += [i for i in range(index) if all_statements[i].defines & all_statements[index].defines]
    return [all_statements[i] for i in sorted(chosen)]


def take(cells: list[Cell], names: Iterable[str], title: str) -> dict[str, Any]:
    """Run the definitions of `names` and of what they use, and give the namespace; `title` names the file in errors."""
    namespace: dict[str, Any] = {"__name__": f"{TAKEN}{title}", "__builtins__": builtins}
    for statement in needed(statements(cells), names):
        code = ast.Module([statement.node], type_ignores=[])
        exec(compile(code, file_name(title, statement.cell, cells), "exec"), namespace)
    return namespace


def file_name(title: str, cell: int, cells: list[Cell]) -> str:
    """Name a cell for tracebacks and let them show its lines."""
    name = f"<cell {cell + 1} of {title}>"
    source = without_magics(cells[cell].source)
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    return name


def solution_namespace(notebook: str, names: Iterable[str]) -> dict[str, Any]:
    """Take right answers from a solution notebook; only where `solutions/` is present."""
    path = course.solutions() / f"{notebook}.ipynb"
    cells = read_cells(path)
    namespace = take(cells, names, path.name)
    missing = [n for n in names if n not in namespace]
    if missing:
        raise CourseError(f"{path.name} does not define {', '.join(missing)}: build it first with `make build`.")
    return namespace


def from_lab(notebook: str, name: str, *, solution: bool = False) -> Callable[..., Any]:
    """Take a function that you wrote in an earlier notebook.

    Parameters
    ----------
    notebook : the notebook's name, for example "05_rotary"
    name : the function's name
    solution : take the course's own instead (only where `solutions/` is present)

    Returns
    -------
    The function. While it is unfinished or fails its own check, a sentence says so and what to do.
    """
    from labsupport.checks import judge_taken

    if solution:
        return solution_namespace(notebook, [name])[name]
    folder = Path.cwd()
    path = next((p for p in (folder, folder / "notebooks", course.home() / "notebooks")
                 if (p / f"{notebook}.ipynb").exists()), folder) / f"{notebook}.ipynb"  # fmt: skip
    try:
        taken = take(read_cells(path), [name], path.name)
    except CourseError as error:
        return _absent(name, f"{error} {_way_out(notebook, name)}")
    except (Exception, SystemExit) as error:
        text = f"{name} could not be taken from {path.name}: {type(error).__name__}: {error}."
        return _absent(name, f"{text} {_way_out(notebook, name)}")
    if not callable(taken.get(name)):
        return _absent(name, f"{path.name} does not define {name}. {_way_out(notebook, name)}")
    sentence = judge_taken(name, taken[name])
    if sentence:
        print(f"{sentence} {_way_out(notebook, name)}")
    return taken[name]


def _way_out(notebook: str, name: str) -> str:
    other = f' or take the course\'s own with from_lab("{notebook}", "{name}", solution=True)'
    return f"Finish the exercise {name} in {notebook}{other if (course.home() / 'solutions').is_dir() else ''}."


def _absent(name: str, sentence: str) -> Callable[..., Any]:
    """Stand in for a function that is not there, so that a notebook still runs and every use says why."""
    print(sentence)

    def absent(*_: Any, **__: Any) -> None:
        raise NotImplementedError(f"{name} is not there yet. {sentence}")

    absent.__name__, absent.__module__ = name, TAKEN
    return absent


def run_cells(cells: list[Cell], title: str, namespace: dict[str, Any]) -> list[str]:
    """Run the code cells in turn; a cell that fails gets a sentence, and the next one is run all the same."""
    sentences = []
    for number, cell in enumerate(cells):
        if cell.kind != "code":
            continue
        try:
            code = compile(without_magics(cell.source), file_name(title, number, cells), "exec")
            exec(code, namespace)
        except BaseException as error:  # also sys.exit() and what pretends to be an interrupt: the rest is wanted
            text = " ".join(str(error).split())[:200]
            sentences.append(f"Cell {number + 1} of {title} stops with {type(error).__name__}: {text}")
    return sentences

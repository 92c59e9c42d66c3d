"""Read a notebook as JSON, take definitions out of it, run its cells. A learner meets `from_lab`."""

from __future__ import annotations

import ast
import builtins
import contextlib
import json
import linecache
import re
import symtable
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
        data = json.loads(Path(path).read_text(encoding="utf-8-sig"))
        return [_cell(c) for c in data["cells"]]
    except FileNotFoundError:
        raise CourseError(
            f"There is no notebook {path}. Is the name right, and are you in the course folder?"
        ) from None
    except OSError:
        raise CourseError(f"{path} cannot be read. Is it a folder, or are you not allowed to?") from None
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
    """A top-level statement of a notebook that defines or changes names: which, and which it uses."""

    node: ast.stmt
    cell: int
    defines: frozenset[str]
    changes: frozenset[str]
    uses: frozenset[str]


STAR = "*"
"""What `from module import *` defines: it may be any name."""


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
        out += [s for s in (_statement(node, number) for node in body) if s.defines or s.changes]
    return out


_DEFINING = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)


def _statement(node: ast.stmt, cell: int) -> Statement:
    if not isinstance(node, (*_DEFINING, ast.AugAssign)):
        return Statement(node, cell, frozenset(), frozenset(), frozenset())
    if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
        return Statement(node, cell, frozenset([STAR]), frozenset(), frozenset())
    table = symtable.symtable(ast.unparse(node), "cell", "exec")
    bound = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported() or s.is_namespace()}
    changes = _changed(node)
    return Statement(node, cell, frozenset(bound - changes), frozenset(changes), frozenset(_looked_up(table)))


def _changed(node: ast.stmt) -> set[str]:
    """Give the names whose objects a statement changes in place: table["a"] = 1, options.size = 3, total += 1."""
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    inside = [t.value for t in targets if isinstance(t, (ast.Subscript, ast.Attribute))]
    return {n.id for t in inside for n in ast.walk(t) if isinstance(n, ast.Name)}


def _looked_up(table: symtable.SymbolTable) -> set[str]:
    """Give the names of the notebook that a statement looks up; parameters and local names are not among them."""
    top = table.get_type() == "module"
    names = {s.get_name() for s in table.get_symbols() if s.is_referenced() and (top or s.is_global())}
    return names.union(*(_looked_up(child) for child in table.get_children()))


def needed(all_statements: list[Statement], names: Iterable[str]) -> list[Statement]:
    """Choose the last definition of each name and, transitively, those of the names that it uses, in their order."""
    last = {name: i for i, s in enumerate(all_statements) for name in s.defines}
    changing: dict[str, list[int]] = {}
    for index, statement in enumerate(all_statements):
        for name in statement.changes:
            changing.setdefault(name, []).append(index)
    chosen: set[int] = set()
    waiting = [last[n] for n in (*names, STAR) if n in last]
    while waiting:
        index = waiting.pop()
        if index in chosen:
            continue
        chosen.add(index)
        statement = all_statements[index]
        waiting += [last[n] for n in statement.uses | statement.changes if n in last]
        waiting += [i for n in statement.defines for i in changing.get(n, []) if i > index]
    return [all_statements[i] for i in sorted(chosen)]


def take(cells: list[Cell], names: Iterable[str], title: str) -> dict[str, Any]:
    """Run the definitions of `names` and of what they use, and give the namespace; `title` names the file in errors."""
    namespace: dict[str, Any] = {"__name__": f"{TAKEN}{title}", "__builtins__": builtins}
    for statement in needed(statements(cells), names):
        code = ast.Module([statement.node], type_ignores=[])
        exec(compile(code, file_name(title, statement.cell, cells), "exec", dont_inherit=True), namespace)
    return namespace


def file_name(title: str, cell: int, cells: list[Cell]) -> str:
    """Name a cell for tracebacks and let them show its lines."""
    name = f"<cell {cell + 1} of {title}>"
    source = without_magics(cells[cell].source)
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    return name


def take_solution(cells: list[Cell], names: Iterable[str], title: str) -> dict[str, Any]:
    """Take definitions as a solution notebook sees them: what it takes from another lab comes from `solutions/`."""
    with contextlib.chdir(course.solutions()):
        return take(cells, names, title)


def solution_namespace(notebook: str, names: Iterable[str]) -> dict[str, Any]:
    """Take right answers from a solution notebook; only where `solutions/` is present."""
    path = course.solutions() / f"{notebook}.ipynb"
    namespace = take_solution(read_cells(path), names, path.name)
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
            code = compile(without_magics(cell.source), file_name(title, number, cells), "exec", dont_inherit=True)
            exec(code, namespace)
        except BaseException as error:  # also sys.exit() and what pretends to be an interrupt: the rest is wanted
            text = " ".join(str(error).split())[:200]
            sentences.append(f"Cell {number + 1} of {title} stops with {type(error).__name__}: {text}")
    return sentences

"""From a solution to the student's notebook: nbgrader's own preprocessors, with our stubs."""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    LockCells,
)
from traitlets.config import Config

from labsupport.authoring.source import Source, write_bytes
from labsupport.checking.declare import Exercise

WRITE_HERE = "*Write your answer here, in a few sentences of your own.*"
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


class ClearAnswers(ClearSolutions):
    """nbgrader's clearing of regions, with a stub that leaves the notebook runnable."""

    def preprocess_cell(self, cell: NotebookNode, resources: dict, cell_index: int) -> tuple[NotebookNode, dict]:
        """Give each answer cell its own stub before nbgrader replaces the region."""
        stub = cell.metadata.pop("stub", None)
        if stub is not None:
            self.code_stub = {"python": stub}
        self.text_stub = WRITE_HERE
        return super().preprocess_cell(cell, resources, cell_index)


def stub(exercise: Exercise) -> str:
    """Give what stands in place of an answer: a function raises; an object, a value or a choice is three dots."""
    if exercise.kind == "function" and not exercise.through:
        return f'raise NotImplementedError("{exercise.name} is not written yet")'
    return f"{exercise.name} = ..."


def marked(source: Source) -> NotebookNode:
    """Give the solution's notebook with nbgrader's metadata and the stubs, both derived from the content."""
    notebook = copy.deepcopy(source.notebook)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    notebook.metadata = nbformat.from_dict(METADATA)
    for index, cell in enumerate(notebook.cells):
        tags = [t for t in cell.metadata.get("tags", []) if t.startswith(("nbval", "raises"))]
        cell.metadata = nbformat.from_dict({"tags": tags} if tags else {})
        if index in source.answers:
            cell.metadata.nbgrader = _grading(source.answers[index], "answer", solution=True)
            cell.metadata.stub = stub(source.answers[index])
        elif index in source.checks:
            cell.metadata.nbgrader = _grading(source.checks[index], "check", grade=True)
        elif index in source.writtens:
            cell.metadata.nbgrader = _grading(source.writtens[index], "written", grade=True, solution=True)
    return notebook


def _grading(exercise: Exercise, role: str, *, grade: bool = False, solution: bool = False) -> NotebookNode:
    cell = {
        "schema_version": 3, "grade_id": f"{role}-{exercise.name}", "grade": grade, "solution": solution,
        "locked": grade and not solution, "task": False,
    }  # fmt: skip
    return nbformat.from_dict(cell | ({"points": exercise.points} if grade else {}))


def released(source: Source) -> NotebookNode:
    """Make the student's notebook."""
    notebook, resources = marked(source), {"language": "python"}
    config = Config()
    steps = [LockCells, ClearAnswers, ClearOutput, CheckCellMetadata, ComputeChecksums, ClearHiddenTests,
             ClearMarkScheme, ComputeChecksums, CheckCellMetadata]  # fmt: skip
    for step in steps:
        notebook, resources = step(config=config).preprocess(notebook, resources)
    for cell, id_ in zip(notebook.cells, cell_ids(notebook), strict=True):
        cell.id = id_
    notebook.metadata = nbformat.from_dict(METADATA | {"labsupport": {"released": sources_digest(notebook)}})
    return notebook


def cell_ids(notebook: NotebookNode) -> list[str]:
    """Name each cell by its exercise, or by a hash of its released source."""
    ids: list[str] = []
    for cell in notebook.cells:
        grading = cell.metadata.get("nbgrader")
        digest = hashlib.sha256(f"{cell.cell_type}\0{cell.source}".encode()).hexdigest()[:12]
        id_ = grading["grade_id"].replace("_", "-")[:60] if grading else digest
        count = sum(i == id_ or i.startswith(f"{id_}-copy") for i in ids)
        ids.append(id_ if not count else f"{id_}-copy{count}")
    return ids


def sources_digest(notebook: NotebookNode | dict) -> str:
    """Digest all that a learner may have written in a notebook: the sources of its cells, not their outputs."""
    texts = [(c["cell_type"], c["source"] if isinstance(c["source"], str) else "".join(c["source"]))
             for c in notebook["cells"]]  # fmt: skip
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()[:24]


def edited(path: Path) -> bool:
    """Whether a student's notebook holds anything that the last release did not put there."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        return notebook["metadata"]["labsupport"]["released"] != sources_digest(notebook)
    except FileNotFoundError:
        return False
    except (ValueError, KeyError, TypeError):
        return True


def student_bytes(source: Source) -> bytes:
    """Give the student's notebook as the bytes of its file."""
    return write_bytes(released(source))

"""Run a solution notebook and keep its outputs in a form that is the same at every run."""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from labsupport.authoring.release import METADATA, cell_ids, marked, released
from labsupport.authoring.source import Source
from labsupport.checking.declare import CourseError
from labsupport.lab import THREAD_VARIABLES

SECONDS_PER_CELL = 120
"""A right notebook takes under two minutes in all; without a limit a hung kernel is waited for without end."""


def unexecuted(source: Source) -> NotebookNode:
    """Give the solution's notebook as it will be run: ids as in the student's, no outputs."""
    notebook = marked(source)
    for cell, id_ in zip(notebook.cells, cell_ids(released(source)), strict=True):
        cell.id = id_
        cell.metadata.pop("stub", None)
    return notebook


def executed(source: Source, folder: Path, digest: str) -> NotebookNode:
    """Run a solution in `folder` and give it with outputs.

    Raises
    ------
    CourseError
        naming the cell that failed, or if a cell took too long
    """
    notebook = unexecuted(source)
    # one thread, so that sums are added in the same order everywhere; no progress bar of a training run in the outputs
    environment = dict.fromkeys(THREAD_VARIABLES, "1") | os.environ | {"LABSUPPORT_PROGRESS": "off"}
    client = NotebookClient(
        notebook, timeout=SECONDS_PER_CELL, kernel_name="python3", record_timing=False,
        resources={"metadata": {"path": str(folder)}},
    )  # fmt: skip
    try:
        client.execute(env=environment)
    except CellExecutionError as error:
        raise CourseError(f"{source.name}: a cell fails when it is run.\n{error}") from None
    except TimeoutError:
        raise CourseError(f"{source.name}: a cell runs for more than {SECONDS_PER_CELL} seconds") from None
    return normalised(notebook, digest)


def normalised(notebook: NotebookNode, digest: str) -> NotebookNode:
    """Drop what differs from run to run: timings, language details, the pieces in which a stream arrives."""
    notebook.metadata = nbformat.from_dict(METADATA | {"labsupport": {"digest": digest}})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = _joined(cell.outputs)
    return notebook


def _joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    joined: list[NotebookNode] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined

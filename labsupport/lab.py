"""Open the course in JupyterLab, from wherever in the course folder the command was typed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

START = Path("notebooks", "00_start_here.ipynb")
THREAD_VARIABLES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
# Holds labconfig/default_setting_overrides.json, which turns off JupyterLab's questions about news and updates.
JUPYTER_CONFIG = Path(__file__).parent / "data" / "jupyter"

NO_JUPYTERLAB = (
    "JupyterLab is not installed in this environment: type `make lab` in the course folder, which installs it."
)
NO_COURSE = (
    f"No course here: {START.as_posix()} is neither in this folder nor in one above it. Go to the course folder first."
)


def open_lab(args: list[str]) -> int:
    """Run JupyterLab on the course's first notebook until it is closed.

    Parameters
    ----------
    args : list of str
        Options for JupyterLab, such as ``["--no-browser", "--port", "8899"]``.

    Returns
    -------
    int
        JupyterLab's exit code, or 1 where JupyterLab or the course folder is missing.
    """
    folder = course_folder()
    if folder is None:
        return _refuse(NO_COURSE)
    if importlib.util.find_spec("jupyterlab") is None:
        return _refuse(NO_JUPYTERLAB)
    # Not the notebook's path: that would make notebooks/ JupyterLab's root, and print the address of an empty page.
    address = f"--LabApp.default_url=/lab/tree/{START.as_posix()}"
    return _run([sys.executable, "-m", "jupyterlab", address, *_as_root(), *args], folder)


def course_folder() -> Path | None:
    """Find the folder that holds ``notebooks/00_start_here.ipynb``.

    Returns
    -------
    pathlib.Path or None
        The working folder or the nearest one above it; else the folder beside the package; None where neither is one.
    """
    return folder_above(Path.cwd()) or folder_above(Path(__file__).resolve().parent)


def folder_above(path: Path) -> Path | None:
    """Return the nearest course folder among `path` and its parents, or None."""
    return next((folder for folder in (path, *path.parents) if (folder / START).is_file()), None)


def _refuse(sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return 1


def _as_root() -> list[str]:
    # JupyterLab refuses root without this, and in a container root is often the only user.
    return ["--allow-root"] if getattr(os, "geteuid", lambda: 1)() == 0 else []


def _run(command: list[str], folder: Path) -> int:
    process = subprocess.Popen(command, cwd=folder, env=_environment())
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # Ctrl-C reaches JupyterLab too, which asks "Shutdown this server?": wait for what it does with the answer.
            continue


def _environment() -> dict[str, str]:
    environment = dict.fromkeys(THREAD_VARIABLES, "1") | dict(os.environ)
    paths = [str(JUPYTER_CONFIG), environment.get("JUPYTER_CONFIG_PATH", "")]
    environment["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, paths))
    return environment

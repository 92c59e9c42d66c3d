"""Say in plain words what is wrong with an environment, and what to do about it.

Each check looks at one thing and returns one `Finding`. Notebook 00 shows the report too, so it says nothing that
differs between two environments that are both well.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from labsupport.lab import START, THREAD_VARIABLES, folder_above

PROJECT = "positional-encoding-labs"
PACKAGE = Path(__file__).resolve().parent
OLDEST_PYTHON = (3, 11)
OLDEST = {"numpy": (2, 0), "matplotlib": (3, 9)}
INSTALL = "Type `make lab` in the course folder (README.md has the lines for Windows and conda)."
# A browser's Python has no kernels, no threads and no JupyterLab of its own to look at.
IN_BROWSER = sys.platform == "emscripten"


@dataclass(frozen=True)
class Finding:
    """What one check found: `sentence` is the fact, `advice` what to do where it is not `ok`."""

    name: str
    ok: bool
    sentence: str
    advice: str = ""


def examine() -> list[Finding]:
    """Look at the environment that this runs in.

    Returns
    -------
    list of Finding
        One for each check, in the order in which they are best repaired.
    """
    checks = [python_version, numpy_version, matplotlib_version, one_installation, one_record, stored_answers]
    if not IN_BROWSER:
        checks += [notebook_program, kernel, working_folder, threads]
    return [check() for check in checks]


def report(findings: list[Finding]) -> str:
    """Write findings down for a reader: one line where all is well, else what is wrong and what to do.

    Parameters
    ----------
    findings : list of Finding
        What `examine` returned.

    Returns
    -------
    str
        The text, without a line feed at its end.
    """
    wrong = [finding for finding in findings if not finding.ok]
    if not wrong:
        return "Your environment is ready: everything that the course needs is in place."
    count = "One thing needs" if len(wrong) == 1 else f"{len(wrong)} things need"
    return "\n".join(
        [f"{count} your attention:", *(f"- {each.sentence}\n  What to do: {each.advice}" for each in wrong)]
    )


def python_version() -> Finding:
    """Check that this Python is new enough."""
    ok = sys.version_info >= OLDEST_PYTHON
    sentence = f"This is Python {_dotted(sys.version_info[:2])}; the course needs {_dotted(OLDEST_PYTHON)} or newer."
    return Finding("python", ok, sentence, f"Install a newer Python. {INSTALL}")


def numpy_version() -> Finding:
    """Check that NumPy is there and new enough."""
    return _package_version("numpy")


def matplotlib_version() -> Finding:
    """Check that matplotlib is there and new enough, without importing it (that takes a second)."""
    return _package_version("matplotlib")


def notebook_program() -> Finding:
    """Check that there is something to open notebooks with; inside a running kernel there evidently is."""
    ok = _in_kernel() or importlib.util.find_spec("jupyterlab") is not None
    sentence = "JupyterLab is installed." if ok else "JupyterLab, which opens the notebooks, is not installed."
    return Finding("jupyterlab", ok, sentence, INSTALL)


def kernel() -> Finding:
    """Check that the kernel that notebooks ask for, ``python3``, runs this very Python."""
    if importlib.util.find_spec("ipykernel") is None:
        return Finding("kernel", False, "ipykernel, which runs the notebooks' cells, is not installed.", INSTALL)
    program = _kernel_program()
    if program is None:
        return Finding("kernel", False, "The kernel python3 is missing, or its description cannot be read.", INSTALL)
    if _same_program(program, sys.executable):
        return Finding("kernel", True, "The kernel python3 runs this Python.")
    sentence = f"The kernel python3 runs another Python ({program}) than this one ({sys.executable})."
    return Finding(
        "kernel", False, sentence, "Type `jupyter kernelspec remove python3`, then open the course with `make lab`."
    )


def working_folder() -> Finding:
    """Check that this runs in the course folder or below it."""
    ok = folder_above(Path.cwd()) is not None
    sentence = f"{START.as_posix()} is {'' if ok else 'not '}in the working folder or one above it."
    return Finding("folder", ok, sentence, "Go to the course folder (the one that holds notebooks/) and start there.")


def one_installation() -> Finding:
    """Check that the package in use is the one in the course folder."""
    folder = folder_above(Path.cwd())
    beside = folder / "labsupport" if folder else PACKAGE
    ok = not (beside / "__init__.py").is_file() or beside.resolve() == PACKAGE
    sentence = "The package in use is the course's own."
    if not ok:
        sentence = (
            f"There are two installations of labsupport: {PACKAGE} is in use, {beside} lies in the course folder."
        )
    return Finding(
        "package", ok, sentence, "Open the course with `make lab` in its folder; it uses the one that lies there."
    )


def one_record() -> Finding:
    """Check that the package is not installed twice where this Python looks."""
    places = {_real(each.locate_file("")) for each in metadata.distributions(name=PROJECT)}
    ok = len(places) < 2
    sentence = f"labsupport is installed {len(places)} times for this Python: {', '.join(sorted(places))}."
    return Finding("record", ok, sentence, f"Type `pip uninstall {PROJECT}` until none is left. {INSTALL}")


def stored_answers() -> Finding:
    """Check that the right answers that `check` compares with are there."""
    ok = any((PACKAGE / "data" / "answers").glob("*.json"))
    sentence = f"The stored answers that checks compare with are {'there' if ok else 'missing'}."
    return Finding("answers", ok, sentence, "Get a complete copy of the course (authors: `make build` makes them).")


def threads() -> Finding:
    """Check that a kernel's NumPy uses one thread, as it did when the outputs were made; a terminal's need not."""
    unset = [name for name in THREAD_VARIABLES if name not in os.environ and _in_kernel()]
    sentence = f"Not set: {', '.join(unset)}; the last digits of a result may then differ from the course's."
    return Finding("threads", not unset, sentence, "Open the course with `make lab`, or set each of them to 1.")


def _in_kernel() -> bool:
    """Whether a notebook asks; that ipykernel is imported proves nothing, since another check imports it."""
    ipython = sys.modules.get("IPython")
    return ipython is not None and hasattr(ipython.get_ipython(), "kernel")


def _package_version(name: str) -> Finding:
    oldest = _dotted(OLDEST[name])
    try:
        found = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Finding(name, False, f"{name} is not installed.", INSTALL)
    ok = tuple(int(part) for part in found.split(".")[:2]) >= OLDEST[name]
    return Finding(name, ok, f"{name} is {found}; the course needs {oldest} or newer.", INSTALL)


def _kernel_program() -> str | None:
    from jupyter_client.kernelspec import KernelSpecManager, NoSuchKernel

    try:
        program = KernelSpecManager().get_kernel_spec("python3").argv[0]
    except (NoSuchKernel, LookupError, OSError, ValueError):
        return None
    # Jupyter replaces these bare names by the Python that it runs on.
    ours = {"python", "python3", f"python{_dotted(sys.version_info[:2])}"}
    return sys.executable if program in ours else program


def _same_program(one: str, other: str) -> bool:
    # python and python3 in one environment are the same; two environments are not, though both may link to one program.
    return all(_real(a) == _real(b) for a, b in ((one, other), (Path(one).parent, Path(other).parent)))


def _real(path: str | Path) -> str:
    return os.path.normcase(os.path.realpath(path))


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))

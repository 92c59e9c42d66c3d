"""The Makefile's care for the environment. Nothing is installed: the interpreters here are stand-ins."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(shutil.which("make") is None or sys.platform == "win32", reason="needs make and sh")

TOO_OLD = "exit 1"
WITHOUT_VENV = 'case "$2" in *ensurepip*) exit 1 ;; esac'
# Makes an environment of which each program writes down how it was called.
WORKING = """
case "$2" in *sys.exit*|*ensurepip*) exit 0 ;; esac
mkdir -p "$3/bin"
for name in python labsupport; do
  printf '#!/bin/sh\\necho "%s $*" >> calls\\n' "$name" > "$3/bin/$name"
  chmod +x "$3/bin/$name"
done
"""


@pytest.fixture(params=["plain", "with a space"])
def folder(tmp_path, request):
    folder = tmp_path / request.param
    (folder / "requirements").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "requirements/lab.txt", "requirements/author.txt"):
        shutil.copyfile(ROOT / name, folder / name)
    return folder


def interpreter(folder, body):
    path = folder / "interpreter"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def make(folder, *words):
    return subprocess.run(["make", *words], cwd=folder, capture_output=True, encoding="utf-8", timeout=60)


def calls(folder):
    """Return what was called since the last time."""
    path = folder / "calls"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return lines


def test_old_interpreter_gives_one_sentence(folder):
    done = make(folder, "lab", f"PYTHON={interpreter(folder, TOO_OLD)}")
    assert done.returncode != 0
    assert done.stderr.startswith("This course needs Python 3.11 or newer, and ")
    assert not (folder / ".venv").exists()


def test_missing_interpreter_gives_the_same_sentence(folder):
    done = make(folder, "lab", "PYTHON=no-such-python")
    assert done.returncode != 0
    assert done.stderr.startswith(
        'This course needs Python 3.11 or newer, and "no-such-python" is older or cannot be run: '
    )


def test_missing_venv_module_gives_one_sentence(folder):
    done = make(folder, "lab", f"PYTHON={interpreter(folder, WITHOUT_VENV)}")
    assert done.returncode != 0
    assert "has no venv module: install the package python3-venv" in done.stderr


def test_second_call_installs_nothing_and_options_are_passed_on(folder):
    python = f"PYTHON={interpreter(folder, WORKING)}"
    assert make(folder, "lab", python).returncode == 0
    assert [line.split()[0] for line in calls(folder)] == ["python", "python", "labsupport"]
    assert make(folder, "lab", python, "ARGS=--no-browser --port 8899").returncode == 0
    assert calls(folder) == ["labsupport lab --no-browser --port 8899"]


@pytest.mark.parametrize("fault", ["interrupted while made", "interrupted by pip", "moved", "python gone"])
def test_unusable_environment_is_made_afresh(folder, fault):
    python = f"PYTHON={interpreter(folder, WORKING)}"
    make(folder, "lab", python)
    calls(folder)
    venv = folder / ".venv"
    if fault == "interrupted while made":
        (venv / ".made").unlink()
    elif fault == "interrupted by pip":
        (venv / ".busy").touch()
    elif fault == "moved":
        folder = folder.rename(folder.with_name("moved here"))
        python = f"PYTHON={folder / 'interpreter'}"
    else:
        (venv / "bin" / "python").unlink()
    assert "Making the environment .venv" in make(folder, "lab", python).stdout
    assert [line.split()[0] for line in calls(folder)] == ["python", "python", "labsupport"]
    assert "Making" not in make(folder, "lab", python).stdout


def test_new_lock_is_installed(folder):
    python = f"PYTHON={interpreter(folder, WORKING)}"
    make(folder, "lab", python)
    calls(folder)
    os.utime(folder / ".venv" / ".lab", (0, 0))
    assert make(folder, "lab", python).returncode == 0
    assert any("--require-hashes --requirement requirements/lab.txt" in line for line in calls(folder))

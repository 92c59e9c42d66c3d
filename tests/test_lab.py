"""`labsupport lab`: which folder it opens, with what, and what it says where it cannot."""

import json
import os
import subprocess
import sys

import pytest

from labsupport import lab


@pytest.fixture
def course(tmp_path):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00_start_here.ipynb").write_text("{}", encoding="utf-8")
    return tmp_path


@pytest.fixture
def started(tmp_path, monkeypatch):
    """Put a program in JupyterLab's place that writes down how it was started; return a function that reads it."""
    package = tmp_path / "stand_in" / "jupyterlab"
    package.mkdir(parents=True)
    note = tmp_path / "started.json"
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(
        "import json, os, sys\n"
        f"with open({str(note)!r}, 'w', encoding='utf-8') as file:\n"
        "    json.dump([sys.argv[1:], os.getcwd(), dict(os.environ)], file)\n"
        "sys.exit(3)\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    return lambda: json.loads(note.read_text(encoding="utf-8"))


@pytest.mark.parametrize("below", [".", "notebooks"])
def test_course_is_found_from_its_folder_and_from_below(course, monkeypatch, below):
    monkeypatch.chdir(course / below)
    assert lab.course_folder() == course


def test_working_folder_comes_before_the_folder_of_the_package(course, monkeypatch):
    monkeypatch.chdir(course)
    monkeypatch.setattr(lab, "__file__", str(course / "elsewhere" / "labsupport" / "lab.py"))
    assert lab.course_folder() == course


def test_course_beside_the_package_is_found_from_anywhere(course, tmp_path_factory, monkeypatch):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    monkeypatch.setattr(lab, "__file__", str(course / "labsupport" / "lab.py"))
    assert lab.course_folder() == course


def test_no_course_is_said_in_one_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lab, "__file__", str(tmp_path / "labsupport" / "lab.py"))
    assert lab.open_lab([]) == 1
    assert capsys.readouterr().err == lab.NO_COURSE + "\n"


def test_missing_jupyterlab_is_said_in_one_sentence(course, monkeypatch, capsys):
    monkeypatch.chdir(course)
    monkeypatch.setattr(sys, "path", [])
    assert lab.open_lab([]) == 1
    assert capsys.readouterr().err == lab.NO_JUPYTERLAB + "\n"


def test_jupyterlab_opens_the_first_notebook_with_the_options_given(course, started, monkeypatch):
    monkeypatch.chdir(course / "notebooks")
    assert lab.open_lab(["--no-browser", "--port", "8899"]) == 3
    arguments, folder, _ = started()
    assert arguments[0] == "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb"
    assert arguments[-3:] == ["--no-browser", "--port", "8899"]
    assert os.path.realpath(folder) == os.path.realpath(course)


def test_thread_variables_are_set_unless_they_were(course, started, monkeypatch):
    monkeypatch.chdir(course)
    for name in lab.THREAD_VARIABLES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    lab.open_lab([])
    environment = started()[2]
    assert [environment[name] for name in lab.THREAD_VARIABLES] == ["1", "2", "1"]


def test_jupyterlab_asks_about_neither_news_nor_updates(monkeypatch):
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "mine")
    program = "from jupyterlab_server.settings_utils import _get_overrides; print(_get_overrides('')[0])"
    done = subprocess.run(
        [sys.executable, "-c", program], env=lab._environment(), capture_output=True, encoding="utf-8", timeout=60
    )
    assert "{'checkForUpdates': False, 'fetchNews': 'false'}" in done.stdout, done.stderr
    assert lab._environment()["JUPYTER_CONFIG_PATH"].endswith(os.pathsep + "mine")

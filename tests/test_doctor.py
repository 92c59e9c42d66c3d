"""The doctor, on real folders and real environments that are wrong in one way each."""

import json
import subprocess
import sys
from types import SimpleNamespace
from pathlib import Path

import pytest

from labsupport import doctor
from labsupport.doctor import Finding, examine, report
from labsupport.lab import THREAD_VARIABLES

ROOT = Path(__file__).parents[1]


@pytest.fixture
def course(tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00_start_here.ipynb").write_text("{}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def kernels(tmp_path, monkeypatch):
    """Return a function that puts a kernel of this name and program before all others."""
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))

    def put(text):
        folder = tmp_path / "jupyter" / "kernels" / "python3"
        folder.mkdir(parents=True)
        (folder / "kernel.json").write_text(text, encoding="utf-8")

    return put


def kernel_text(program):
    return json.dumps({"argv": [program, "-m", "ipykernel_launcher"], "display_name": "Python 3", "language": "python"})


def test_report_is_one_line_without_versions_or_paths_where_all_is_well():
    text = report([Finding("numpy", True, "numpy is 2.4.6.", "Install it."), Finding("folder", True, "It is /here.")])
    assert text == "Your environment is ready: everything that the course needs is in place."


def test_report_says_what_is_wrong_and_what_to_do():
    text = report([Finding("a", True, "Fine."), Finding("b", False, "B is missing.", "Install B.")])
    assert text == "One thing needs your attention:\n- B is missing.\n  What to do: Install B."


def test_report_counts_what_is_wrong():
    text = report([Finding("a", False, "A is missing.", "Install A."), Finding("b", False, "B is old.", "Renew B.")])
    assert text.startswith("2 things need your attention:\n- A is missing.\n")


def test_every_finding_that_is_not_ok_has_advice(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    findings = examine()
    assert not all(finding.ok for finding in findings)
    assert all(finding.advice for finding in findings if not finding.ok)


def test_names_of_findings_are_unique():
    names = [finding.name for finding in examine()]
    assert len(set(names)) == len(names)


def test_old_python_is_noticed(monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 10, 13, "final", 0))
    finding = doctor.python_version()
    assert not finding.ok
    assert finding.sentence == "This is Python 3.10; the course needs 3.11 or newer."


@pytest.mark.parametrize(
    ("found", "ok"), [("1.26.4", False), ("2.0.0", True), ("2.10.0rc1", True), ("3.0.0.dev0", True)]
)
def test_numpy_older_than_supported_is_noticed(tmp_path, monkeypatch, found, ok):
    put_record(tmp_path, "numpy", found)
    monkeypatch.syspath_prepend(tmp_path)
    assert doctor.numpy_version().ok == ok


def test_missing_package_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert doctor.matplotlib_version().sentence == "matplotlib is not installed."


def put_record(folder, name, version):
    record = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    record.mkdir(parents=True)
    (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")


def test_package_recorded_twice_is_noticed(tmp_path, monkeypatch):
    for place in ("one", "two"):
        put_record(tmp_path / place, doctor.PROJECT, "0.1.0")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "one"), str(tmp_path / "two"), *sys.path])
    finding = doctor.one_record()
    assert not finding.ok
    assert str(tmp_path / "two") in finding.sentence


def test_one_place_that_is_searched_twice_is_one_installation(tmp_path, monkeypatch):
    put_record(tmp_path, doctor.PROJECT, "0.1.0")
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path)])
    assert doctor.one_record().ok


def test_another_package_in_the_course_folder_is_noticed(course):
    (course / "labsupport").mkdir()
    (course / "labsupport" / "__init__.py").touch()
    finding = doctor.one_installation()
    assert not finding.ok
    assert str(course / "labsupport") in finding.sentence


def test_course_folder_without_a_package_of_its_own_is_well(course):
    assert doctor.one_installation().ok


def test_working_in_a_folder_of_the_course_is_well(course, monkeypatch):
    monkeypatch.chdir(course / "notebooks")
    assert doctor.working_folder().ok


def test_working_elsewhere_is_noticed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    finding = doctor.working_folder()
    assert not finding.ok
    assert finding.sentence == "notebooks/00_start_here.ipynb is not in the working folder or one above it."


def test_missing_answers_are_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(doctor, "PACKAGE", tmp_path)
    assert not doctor.stored_answers().ok
    (tmp_path / "data" / "answers").mkdir(parents=True)
    (tmp_path / "data" / "answers" / "first_check.json").touch()
    assert doctor.stored_answers().ok


def test_thread_variables_do_not_matter_in_a_terminal(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipykernel", object())
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    assert doctor.threads().ok, "that another check imported ipykernel does not make it a kernel"


def test_thread_variables_that_a_kernel_misses_are_named(monkeypatch):
    shell = SimpleNamespace(kernel=object())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    for name in THREAD_VARIABLES:
        monkeypatch.setenv(name, "1")
    assert doctor.threads().ok
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert doctor.threads().sentence.startswith("Not set: OMP_NUM_THREADS; ")


def test_kernel_of_this_environment_is_well(kernels):
    kernels(kernel_text(sys.executable))
    assert doctor.kernel().ok


def test_kernel_that_names_no_folder_is_this_environment(kernels):
    kernels(kernel_text("python3"))
    assert doctor.kernel().ok


def test_kernel_of_another_environment_is_noticed_though_both_link_to_one_program(kernels, tmp_path):
    other = tmp_path / "other" / "bin" / "python"
    other.parent.mkdir(parents=True)
    try:
        other.symlink_to(sys.executable)
    except OSError:
        pytest.skip("this system lets no ordinary user make links")
    kernels(kernel_text(str(other)))
    finding = doctor.kernel()
    assert not finding.ok
    assert str(other) in finding.sentence


@pytest.mark.parametrize("text", ["{ not JSON", "{}", '{"argv": []}'])
def test_kernel_that_cannot_be_read_is_noticed(kernels, text):
    kernels(text)
    assert doctor.kernel().sentence == "The kernel python3 is missing, or its description cannot be read."


def test_it_runs_where_only_the_standard_library_is_installed():
    # A new interpreter without site-packages: the doctor is most needed where nothing else works.
    program = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); from labsupport.doctor import *; print(report(examine()))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, encoding="utf-8", timeout=60)
    assert done.returncode == 0, done.stderr
    assert "- numpy is not installed." in done.stdout
    assert "- JupyterLab, which opens the notebooks, is not installed." in done.stdout
    assert "- ipykernel, which runs the notebooks' cells, is not installed." in done.stdout

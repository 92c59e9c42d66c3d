"""environment.yml says for conda what pyproject.toml says for pip. That conda can solve it is not tested here."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from labsupport.doctor import OLDEST, OLDEST_PYTHON
from labsupport.lab import THREAD_VARIABLES

ROOT = Path(__file__).parents[1]
CONDA_NAMES = {"matplotlib-base": "matplotlib"}


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.fixture
def environment():
    return yaml.safe_load(read("environment.yml"))


@pytest.fixture
def project():
    return tomllib.loads(read("pyproject.toml"))


def conda_ranges(environment):
    specs = [spec for spec in environment["dependencies"] if isinstance(spec, str) and spec != "pip"]
    pairs = [re.fullmatch(r"(\S+) (\S+)", spec).groups() for spec in specs]
    return {CONDA_NAMES.get(name, name): SpecifierSet(bounds) for name, bounds in pairs}


def project_ranges(project):
    lines = project["project"]["dependencies"] + project["dependency-groups"]["lab"]
    ranges = {each.name: each.specifier for each in map(Requirement, lines)}
    return ranges | {"python": SpecifierSet(project["project"]["requires-python"])}


def test_conda_environment_has_the_names_and_ranges_of_the_project(environment, project):
    assert conda_ranges(environment) == project_ranges(project)


def test_conda_environment_comes_from_conda_forge_and_installs_the_course_itself(environment, project):
    assert environment["name"] == project["project"]["name"]
    assert environment["channels"] == ["conda-forge"]
    assert {"pip": ["-e ."]} in environment["dependencies"]


def test_conda_environment_sets_the_thread_variables(environment):
    assert environment["variables"] == dict.fromkeys(THREAD_VARIABLES, "1")


def test_makefile_exports_the_thread_variables():
    exported = re.findall(r"^export (\w+_NUM_THREADS) = 1$", read("Makefile"), flags=re.MULTILINE)
    assert sorted(exported) == sorted(THREAD_VARIABLES)


def test_doctor_knows_the_oldest_versions_that_the_project_supports(project):
    oldest = OLDEST | {"python": OLDEST_PYTHON}
    stated = {name: SpecifierSet(f">={version[0]}.{version[1]}") for name, version in oldest.items()}
    assert stated == {name: project_ranges(project)[name] for name in oldest}


@pytest.mark.parametrize("name", ["lab", "author"])
def test_locks_are_hashed_and_name_no_host(name):
    lock = read(f"requirements/{name}.txt")
    assert "://" not in lock
    assert lock.count("==") <= lock.count("--hash=sha256:")


def test_learners_and_authors_have_the_same_versions():
    pins = [
        set(re.findall(r"^\S+==.*(?= \\$)", read(f"requirements/{name}.txt"), re.MULTILINE))
        for name in ("lab", "author")
    ]
    assert pins[0] < pins[1]

"""The README says what is so."""

from __future__ import annotations

import re

from common import ROOT

from labsupport import course
from labsupport.checking.declare import NOTEBOOKS

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_map_of_the_course_agrees_with_what_is_declared() -> None:
    rows = re.findall(r"^\| `(\w+)` \|[^|]*\| (\d+) \| (\d+) \|$", README, re.MULTILINE)
    declared = [
        (name, str(NOTEBOOKS[name].minutes), str(sum(e.points for e in exercises)))
        for name, exercises in course.notebooks().items()
    ]
    assert rows == declared


def test_files_that_are_named_are_there() -> None:
    for path in re.findall(r"\]\(([\w/.-]+)\)|`([\w/]+\.(?:md|yml|toml|txt))`", README):
        assert (ROOT / (path[0] or path[1])).exists(), path


def test_the_two_commands_come_first() -> None:
    assert README.index("make lab") < README.index("make test") < README.index("Windows") < README.index("conda")

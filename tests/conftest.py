"""Every test works in the course folder, wherever pytest was started."""

from __future__ import annotations

import pytest
from common import ROOT


@pytest.fixture(autouse=True)
def _in_the_course_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)

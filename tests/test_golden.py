"""The solutions' functions against numbers from independent libraries, and the original outline's own asserts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
from common import CASES, right

from labsupport import course

REFERENCE = CASES.parent / "reference"


def test_solutions_agree_with_independent_libraries(tmp_path: Path) -> None:
    module = tmp_path / "solutions_together.py"
    lines = ["from labsupport.notebook import solution_namespace"]
    for notebook, exercises in course.notebooks().items():
        names = [e.name for e in exercises if e.kind == "function"]
        lines.append(f"globals().update({{n: v for n, v in solution_namespace({notebook!r}, {names!r}).items() "
                     f"if n in {names!r}}})")  # fmt: skip
    module.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = tmp_path / "found.json"
    command = [sys.executable, str(CASES / "check_golden.py"), str(module), "--reference", str(REFERENCE), "--strict",
               "--json", str(found)]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    statuses = [row["status"] for row in json.loads(found.read_text(encoding="utf-8"))]
    assert statuses.count("pass") >= 70
    assert {"FAIL", "error"}.isdisjoint(statuses)


def test_the_outlines_asserts_hold() -> None:
    table = right("02_sinusoidal")[0]["sinusoidal_encoding"](10, 16)
    assert table.shape == (10, 16)
    x = np.random.default_rng(0).normal(size=(8, 2))
    assert right("05_rotary")[0]["rotary_embedding"](x, 3).shape == x.shape
    assert right("06_alibi")[0]["alibi_bias"](10, 8, 1.0).shape == (8, 10, 10)
    longer = right("07_interpolation")[0]["interpolate_positions"](512, 1024, np.zeros((512, 64)))
    assert longer.shape == (1024, 64)
    assert len(longer) == 1024

"""How long a learner waits: one check in a warm kernel, and `import labsupport` beyond NumPy's own import.

    OPENBLAS_NUM_THREADS=1 python benchmarks/checks.py [--json FILE]

Times are of this machine and noisy; the import is therefore measured side by side with NumPy's, in turn, and given as a
difference of medians.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from labsupport import checks, course, evaluate

REPEATS = 15


def milliseconds(action: Callable[[], object]) -> float:
    """Time one call."""
    start = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - start)


def one_check(name: str, answer: object) -> dict[str, float]:
    """Give the medians of a check alone and of a check with its card."""
    evaluate(name, answer)
    bare = [milliseconds(lambda: evaluate(name, answer)) for _ in range(REPEATS)]
    card = [milliseconds(lambda: evaluate(name, answer)._repr_html_()) for _ in range(REPEATS)]
    return {"check": statistics.median(bare), "check and card": statistics.median(card)}


def import_times() -> dict[str, float]:
    """Give medians of fresh processes that import NumPy, and NumPy with labsupport's face."""
    programs = {
        "numpy": "import numpy",
        "numpy and labsupport": "import numpy\nfrom labsupport import check, figures, from_lab, ready",
    }
    times: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(REPEATS):
        for name, program in programs.items():
            times[name].append(milliseconds(lambda p=program: subprocess.run([sys.executable, "-c", p], check=True)))
    return {name: statistics.median(all_times) for name, all_times in times.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows: dict[str, dict[str, float]] = {}
    for notebook, exercises in course.notebooks().items():
        namespace, bank = checks.right_answers(notebook)
        for exercise in exercises:
            if exercise.kind == "written":
                continue
            rows[exercise.name] = one_check(exercise.name, namespace[exercise.name])
            wrong = bank.of(exercise.name)
            if wrong and exercise.kind == "function":
                rows[f"{exercise.name} (wrong)"] = one_check(exercise.name, wrong[0].wrong)
    for name, row in rows.items():
        print(f"{name:<40} {row['check']:8.1f} ms {row['check and card']:8.1f} ms with card")
    for part in ("check", "check and card"):
        print(f"median of {len(rows)} answers, {part}: {statistics.median(r[part] for r in rows.values()):.1f} ms")
    imports = import_times()
    print(f"imports: {imports}; labsupport adds {imports['numpy and labsupport'] - imports['numpy']:.0f} ms")
    if options.json:
        options.json.write_text(json.dumps({"checks": rows, "imports": imports}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

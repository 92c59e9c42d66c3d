"""Write labsupport/data/runs/multiscale.json: what notebook 09 shows before anyone reruns it.

    export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1
    python benchmarks/record_multiscale.py

The runs are the notebook's own functions, taken from `solutions/`. They take some two minutes of one core. Numbers
differ in the last digits between processors; the notebook's assertions have margins for that and for other seeds.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from labsupport import from_lab
from labsupport.runs import record

RUNS = {"digits": "read_digits", "larger pictures": "read_larger_pictures"}


def main() -> None:
    """Run both parts and write them."""
    made = {part: from_lab("09_multiscale", function, solution=True)() for part, function in RUNS.items()}
    print(record("multiscale", made))


if __name__ == "__main__":
    main()

"""Write labsupport/data/runs/tuning.json: what notebook 12 shows before anyone reruns it.

    export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1
    python benchmarks/record_tuning.py [0 1 2 3 4]

The functions are those of `solutions/`. A seed is one learner of the class, and takes two to three minutes of one core;
the file is written after each, and seeds that stand in it already and are not named are kept. Numbers differ in the
last digits between processors; the notebook's assertions have margins for that and for other seeds.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from labsupport import from_lab
from labsupport.runs import FOLDER, record, recorded, tuning


def main() -> None:
    """Run every row, seed by seed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", type=int, nargs="*", default=[0, 1, 2, 3, 4])
    functions = {
        "turn": from_lab("05_rotary", "rotary_embedding", solution=True),
        "turn_part": from_lab("05_rotary", "rotary_partial", solution=True),
        "sinusoids": from_lab("02_sinusoidal", "sinusoidal_encoding", solution=True),
    }
    results = recorded("tuning") if (FOLDER / "tuning.json").exists() else {}
    for seed in parser.parse_args().seeds:
        results[str(seed)] = tuning.run(tuning.ROWS, seed, **functions)
        record("tuning", dict(sorted(results.items(), key=lambda item: int(item[0]))))


if __name__ == "__main__":
    main()

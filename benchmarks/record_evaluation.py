"""Write labsupport/data/runs/evaluation.json: what notebook 11 shows before anyone reruns it.

    export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1
    python benchmarks/record_evaluation.py [PART ...] [--seeds 3] [--out NAME]

The functions are those of `solutions/`. Three seeds take some eight minutes of one core. Numbers differ in the last
digits between processors; the notebook's assertions have margins for that and for other seeds.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from labsupport import from_lab
from labsupport.runs import FOLDER, record, recorded
from labsupport.runs import evaluation as run


def main() -> None:
    """Run the parts asked for, and write each seed as it comes; other parts of the file stay as they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=["downstream", "passkeys", "shifting"])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--out", default="evaluation")
    chosen = parser.parse_args()
    own = [("02_sinusoidal", "sinusoidal_encoding"), ("05_rotary", "rotary_embedding")]
    own += [("06_alibi", "alibi_bias"), ("04_relative", "clipped_offsets")]
    own = [from_lab(*which, solution=True) for which in own]
    example = from_lab("11_evaluation", "passkey_example", solution=True)
    accuracy = from_lab("11_evaluation", "passkey_accuracy", solution=True)
    made = {
        "downstream": lambda positions, seed: run.downstream(positions, seed=seed),
        "passkeys": lambda positions, seed: run.passkeys(positions, example, accuracy, seed=seed),
        "shifting": lambda positions, seed: run.shifting(positions, seed=seed),
    }
    for part in chosen.parts:
        found = {}
        for seed in range(chosen.seeds):
            positions = run.schemes(*own, seed=seed)
            found[str(seed)] = made[part]({name: positions[name] for name in run.COMPARED[part]}, seed)
            results = recorded(chosen.out) if (FOLDER / f"{chosen.out}.json").exists() else {}
            print(record(chosen.out, results | {part: found}), part, "with seed", seed, flush=True)


if __name__ == "__main__":
    main()

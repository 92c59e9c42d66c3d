"""Write labsupport/data/runs/extrapolation.json: what notebook 08 shows before anyone reruns it.

    export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 MKL_NUM_THREADS=1
    python benchmarks/record_extrapolation.py [--seeds 3] [--out NAME]

The functions are those of `solutions/`. Three seeds take some seven minutes of one core. Numbers differ in the last
digits between processors; the notebook's assertions have margins for that and for other seeds.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from labsupport import from_lab
from labsupport.runs import extrapolation as run
from labsupport.runs import record


def main() -> None:
    """Run all three parts and write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--out", default="extrapolation")
    chosen = parser.parse_args()
    sinusoids = from_lab("02_sinusoidal", "sinusoidal_encoding", solution=True)
    turn = from_lab("05_rotary", "rotary_embedding", solution=True)
    penalties = from_lab("06_alibi", "alibi_bias", solution=True)
    frequencies = from_lab("07_interpolation", "rope_frequencies", solution=True)
    in_turns = from_lab("07_interpolation", "yarn_in_turns", solution=True)
    factor = from_lab("07_interpolation", "yarn_attention_factor", solution=True)
    d, base, length, seeds = run.WIDTH // run.HEADS, 10000.0, run.LENGTH, range(chosen.seeds)
    slowings = {
        "naive": lambda s: (frequencies(d, base), 1.0),
        "PI": lambda s: (frequencies(d, base, "linear", s), 1.0),
        "NTK": lambda s: (frequencies(d, base, "ntk", s), 1.0),
        "NTK, scale doubled": lambda s: (frequencies(d, base, "ntk", 2 * s), 1.0),
        "YaRN, beta 4": lambda s: (in_turns(d, base, s, length, beta_fast=4), factor(s)),
        "YaRN, beta 32": lambda s: (in_turns(d, base, s, length), factor(s)),
    }
    tuned = ("naive", "PI", "NTK", "YaRN, beta 4")
    settings = {"seeds": len(seeds), "steps": chosen.steps, "length": length, "multiples": run.MULTIPLES}
    settings |= {"stages": run.STAGES, "numpy": np.__version__}
    results = {"settings": settings}
    results["stretching"] = run.stretching(turn, slowings, tuned=tuned, seeds=seeds, steps=chosen.steps)
    record(chosen.out, results)
    results["lengths"] = run.lengths(sinusoids, turn, penalties, seeds=seeds, steps=chosen.steps)
    record(chosen.out, results)
    results["passkey"] = run.passkey(sinusoids, turn, penalties, seeds=seeds)
    print(record(chosen.out, results))


if __name__ == "__main__":
    main()

"""14_capstone: facts about a scheme of the learner's own, and a report that a person marks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from labsupport.checking import criterion, exercise, notebook, require, written

Answer = Callable[..., Any]
Generator = np.random.Generator

MARGIN = 0.02
"""Nats by which the loss must be below that of no positions. Of five schemes that tell nothing the best came to 0.002,
of 08's the worst, a window of 16 letters, to 0.028 and the next, sinusoidal, to 0.084."""

notebook("14_capstone", minutes=120)
exercise(
    "scheme", notebook="14_capstone", minutes=50, through="labsupport.runs.capstone:measure",
    methods=("embed", "rotate", "bias", "grad"), longest=200,
)  # fmt: skip
written("capstone_report", notebook="14_capstone", points=6, minutes=20)


@criterion(
    "scheme",
    points=1,
    says="it runs: finite losses for texts of any size at any ids up to 255, and gradients that agree with the loss",
)
def runs(f: Answer, ref: Answer, rng: Generator) -> None:
    """One letter, several texts, far ids, ids of their own, the longest text; then the gradients."""
    first = int(rng.integers(20, 120))
    for size, length, start, step in ((1, 1, 0, 0), (3, 5, 0, 0), (2, 32, first, 0), (2, 7, 3, 11), (1, 256, 0, 0)):
        losses, gradient = f("not finite", size, length, start, step)
        where = f"{size} {'text' if size == 1 else 'texts'} of {length} at ids from {start}"
        require(losses == 0, f"{where}: {losses} of the {size * length} losses are no finite numbers")
        require(gradient == 0, f"{where}: the gradient holds numbers that are not finite")
    for length in (4, 6, 11):
        models, own = f("wrong gradients", length)
        require(own == 0, "the gradient of a weight that the scheme brings does not agree with the loss")
        require(models == 0, "the gradient of one of the model's own weights does not agree with the loss")


@criterion("scheme", points=1, says="it is causal: what stands later changes nothing that is said earlier")
def causal(f: Answer, ref: Answer, rng: Generator) -> None:
    """Short texts and one beyond the trained length; the later half is changed, and then cut off."""
    for length in (8, 20, 40):
        embed, rotate, bias, together = f("sees later letters", length)
        alone = [n for n, sees in (("embed", embed), ("rotate", rotate), ("bias", bias)) if sees]
        where = f" through {' and '.join(alone)}" if alone else ""
        seen = bool(together) or bool(alone)
        require(not seen, f"letters that come later, or their number, change what is said earlier{where}")


@criterion(
    "scheme", points=1, says="it is deterministic: read or trained twice, it gives the same numbers", contract=True
)
def deterministic(f: Answer, ref: Answer, rng: Generator) -> None:
    """Two readings by one model, two trainings of two, at three lengths."""
    for length in (9, 33, 64):
        reading, training = f("not the same", length)
        require(not reading, "the same text at the same ids, read twice by the same model, gives two different results")
        require(not training, "trained twice in the same way, it ends with different weights")


@criterion(
    "scheme", points=1, says=f"it tells positions: after 400 steps its loss is {MARGIN} nats below that of no positions"
)
def beats_no_position(f: Answer, ref: Answer, rng: Generator) -> None:
    """Whether order matters without a mask, at lengths a window cannot fill; then two short trainings."""
    for length in (24, 40, 60):
        matters = f("order matters", length)
        require(
            matters, "without a mask the model says the same of letters in another order: positions tell it nothing"
        )
    lead = float(f("lead"))
    words = f"{lead:.3f} nats below" if lead >= 0 else f"{-lead:.3f} nats above" if lead < 0 else "no number beside"
    require(
        lead > MARGIN, f"its loss after 400 steps is {words} that of no positions; at least {MARGIN} below is asked for"
    )

"""14_capstone: facts about a scheme of the learner's own, and a report that a person marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from labsupport.checking import criterion, exercise, notebook, require, written

Answer = Callable[..., Any]
Generator = np.random.Generator

SHORT, LONG = 400, 1500
MARGIN = 0.02
"""Nats by which the loss must be below that of no positions, after a short training or else after one as long as the
run's. After 400 steps the best of eight schemes that tell nothing came to 0.002; of 08's the worst, a window of 16
letters, to 0.028 and the next, sinusoidal, to 0.084. After 1500, seven of the eight came to 0.001, and a fixed vector
added everywhere to 0.07: such a scheme is refused because order does not matter to it."""

HOPELESS = -0.5
"""A lead after the short training from which the long one cannot save a scheme."""

notebook("14_capstone", minutes=120)
exercise(
    "scheme", notebook="14_capstone", minutes=50, through="labsupport.runs.capstone:measure",
    methods=("embed", "rotate", "bias", "grad"), longest=200,
)  # fmt: skip
written("capstone_report", notebook="14_capstone", points=6, minutes=20)


@criterion(
    "scheme",
    points=1,
    says="it runs: finite losses for texts of any size at any ids up to 255, the same alone and in company, and "
    "gradients that agree with the loss",
)
def runs(f: Answer, ref: Answer, rng: Generator) -> None:
    """One letter, several texts, far ids, ids of their own, the longest text; then the gradients."""
    first = int(rng.integers(20, 120))
    for size, length, start, step in ((1, 1, 0, 0), (3, 5, 0, 0), (2, 32, first, 0), (2, 7, 3, 11), (1, 256, 0, 0)):
        losses, gradient = f("not finite", size, length, start, step)
        where = f"{size} {'text' if size == 1 else 'texts'} of {length} at ids from {start}"
        require(losses == 0, f"{where}: {losses} of the {size * length} losses are no finite numbers")
        require(gradient == 0, f"{where}: the gradient holds numbers that are not finite")
    for length in (6, 15, 33):
        require(f("letters matter", length), "the model says the same of other letters: they do not reach it")
        own, shared = f("texts mixed", length)
        whose = "share their ids" if shared else "have ids of their own"
        require(not (own or shared), f"texts that {whose}, read together, give something else than read one by one")
    for length, step in ((4, 0), (6, 0), (11, 7)):
        where = ", in texts with ids of their own" if step else ""
        missing, unused, wrong = f("own gradients", length, step)
        require(not missing, f"a weight that the scheme brings has no gradient, though the loss depends on it{where}")
        require(
            not unused, f"a weight that the scheme brings has a gradient, though the loss does not depend on it{where}"
        )
        require(not wrong, f"the gradient of a weight that the scheme brings does not agree with the loss{where}")
        *alone, together = f("wrong gradients", length, step)
        through = through_hooks(alone)
        require(not together, f"gradients of the model's own weights do not agree with the loss{through}{where}")


def through_hooks(flags: Sequence[int]) -> str:
    """Name the hooks that show something by themselves."""
    hooks = [name for name, flag in zip(("embed", "rotate", "bias"), flags, strict=True) if flag]
    return f", through {' and '.join(hooks)}" if hooks else ""


@criterion("scheme", points=1, says="it is causal: what stands later changes nothing that is said earlier")
def causal(f: Answer, ref: Answer, rng: Generator) -> None:
    """Short texts and one beyond the trained length; the later half is changed, and then cut off."""
    for length in (8, 20, 40):
        *alone, together = f("sees later letters", length)
        require(
            not (together or any(alone)),
            f"letters that come later, or their number, change what is said earlier{through_hooks(alone)}",
        )


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
    "scheme",
    points=1,
    says=f"it tells positions: after {SHORT} or {LONG} steps its loss is {MARGIN} nats below that of no positions",
)
def beats_no_position(f: Answer, ref: Answer, rng: Generator) -> None:
    """Whether order matters without a mask, at lengths a window cannot fill; then two trainings, at need long ones."""
    nothing = f("nothing overridden")
    require(not nothing, "none of the four hooks is overridden; is a name misspelt")
    matters = [f("order matters", length) for length in (24, 40, 60)]
    require(
        all(matters), "without a mask the model says the same of letters in another order: positions tell it nothing"
    )
    lead, steps = float(f("lead", SHORT)), SHORT
    if all(matters) and HOPELESS < lead <= MARGIN:  # (some schemes begin slowly)
        lead, steps = float(f("lead", LONG)), LONG
    words = f"{lead:.3f} nats below" if lead >= 0 else f"{-lead:.3f} nats above" if lead < 0 else "no number beside"
    asked = f"at least {MARGIN} below is asked for"
    require(lead > MARGIN, f"its loss after {steps} steps is {words} that of no positions; {asked}")

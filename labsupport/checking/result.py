"""What a check found: one `Result`, from which text, HTML and JSON are all made."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from labsupport.checking.expect import Failure

NOT_STARTED, NOTHING, WRONG_TYPE = "not started", "nothing returned", "wrong type or shape"
ERROR, WRONG, NEARLY, RIGHT = "raised an error", "wrong value", "nearly", "right"
WRITTEN, REFUSED = "marked by a person", "not checked"


AMOUNT = re.compile(r"(, the largest)? by (an infinite amount|[-+\d.e]*\d)")
"""How far a value is from the right one, in a sentence."""

PROMISES = ("changed", "state", "dtype")
"""Kinds of failure in which the values may be right all the same."""


def _strict(value: Any) -> Any:
    """Write what strict JSON does not know, NaN and infinities, as words."""
    if isinstance(value, list):
        return [_strict(v) for v in value]
    return value if not isinstance(value, float) or np.isfinite(value) else str(value)


@dataclass
class CriterionResult:
    """One criterion: what it says, what it is worth, what was reached and the first failure."""

    name: str
    says: str
    points: int
    max_points: int
    failure: Failure | None = None
    advice: str | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether nothing failed."""
        return self.failure is None


@dataclass
class Result:
    """What a check of one answer found.

    Attributes
    ----------
    exercise : the exercise's name
    state : one of the module's constants, from "not started" to "right"
    message : the sentence a learner reads first
    points, max_points : reached and possible
    criteria : one `CriterionResult` each
    mistake : id of the known mistake that explains the failure, or None; `explanation` is its sentence, and it is
        `sure` unless only an error speaks for it
    advice : what to try
    notes : remarks that cost nothing
    consequence : the other exercise whose failure this answer only suffered from, or ""
    hidden : whether fresh inputs were used; then no right answer is shown
    """

    exercise: str
    state: str
    message: str
    points: int = 0
    max_points: int = 0
    criteria: list[CriterionResult] = field(default_factory=list)
    mistake: str | None = None
    explanation: str = ""
    sure: bool = True
    advice: str = ""
    notes: list[str] = field(default_factory=list)
    consequence: str = ""
    hints: int = 0
    hidden: bool = False

    @property
    def passed(self) -> bool:
        """Whether every criterion holds."""
        return self.state == RIGHT

    @property
    def smallest(self) -> Failure | None:
        """The failure shown by the smallest input; a broken promise comes after what is wrong in the result itself."""
        failures = [c.failure for c in self.criteria if c.failure is not None]
        return min(failures, key=lambda f: (f.kind in PROMISES, f.size), default=None)

    def as_dict(self) -> dict[str, Any]:
        """Give everything as JSON-ready values; of a hidden check no expected value is in it."""
        out = asdict(self) | {"passed": self.passed, "message": self.message}
        for failure in (c["failure"] for c in out["criteria"] if c["failure"] is not None):
            failure |= {k: _strict(v.tolist()) for k, v in failure.items() if isinstance(v, np.ndarray)}
        return out

    def conceal(self) -> None:
        """Take out what would tell a right answer of a hidden check."""
        self.hidden = True
        for failure in (c.failure for c in self.criteria if c.failure is not None):
            failure.expected = failure.got = None
            failure.sentence = AMOUNT.sub("", failure.sentence)
        self.message = AMOUNT.sub("", self.message)

    def __str__(self) -> str:
        from labsupport.checking.render import text

        return text(self)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        from labsupport.checking.render import html

        return html(self)

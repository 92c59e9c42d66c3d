"""Which known mistake is this? Compare what the answer gave, call by call, with the fingerprints of the bank.

Only the calls in which a mistake differs from the right answer say anything about it. In each of them the answer speaks
for the mistake, against it, or not at all: what has another fault besides, such as a wrong shape, is silent.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from labsupport.checking.fingerprint import NOT_REACHED, Fingerprint, alike

if TYPE_CHECKING:
    from labsupport.checking.reference import Known, LiveReference, StoredReference

Seen = dict[str, tuple[bool, list[Fingerprint]]]
"""Per criterion: whether it failed or saw an argument changed, and the diary of the answer's calls."""

Call = tuple[str, int]
FOR, AGAINST, SILENT = "for", "against", "silent"
MOST_NAMES = 2


@dataclass
class Evidence:
    """What the answer's calls say about one mistake.

    `exact` counts the calls that are like it in every respect. It is `sure` when more than an error speaks for it,
    since many faults raise the same error.
    """

    known: Known
    speaking_for: set[Call] = field(default_factory=set)
    against: int = 0
    exact: int = 0
    failed: bool = False
    sure: bool = False

    @property
    def weight(self) -> int:
        """How much more speaks for the mistake than against it."""
        return len(self.speaking_for) - self.against

    @property
    def convincing(self) -> bool:
        """Whether the mistake may be named: a failure is explained, and what speaks against it is outweighed."""
        return self.failed and (self.against == 0 or self.weight >= 2)


def diagnose(seen: Seen, reference: LiveReference | StoredReference) -> list[Evidence]:
    """Find the mistakes that explain a failing answer, at most two, the one that explains most first.

    An answer with two faults, one in its values and one in its contract, is thus given both names. What only an error
    speaks for is left out where something is sure.
    """
    found = [e for e in (evidence(known, seen, reference) for known in reference.known) if e.convincing]
    named: list[Evidence] = []
    explained: set[Call] = set()
    for one in sorted(found, key=lambda e: (not e.sure, -e.weight, -e.exact)):
        new = one.speaking_for - explained
        if len(named) < MOST_NAMES and new and (one.sure or not named):
            named.append(one)
            explained |= one.speaking_for
    return named


def evidence(known: Known, seen: Seen, reference: LiveReference | StoredReference) -> Evidence:
    """Collect what an answer's calls say about a mistake."""
    out = Evidence(known)
    for criterion, differing in known.differing.items():
        failed, diary = seen[criterion]
        for index, wrong in differing.items():
            verdict = says(diary[index], wrong, reference.diaries[criterion][index]) if index < len(diary) else SILENT
            if verdict == FOR:
                out.speaking_for.add((criterion, index))
                out.exact += alike(diary[index], wrong)
                out.failed |= failed
                out.sure |= not diary[index].raises
            out.against += verdict == AGAINST
    if _errs_elsewhere(known, seen, reference):
        out.failed = False
    return out


def says(yours: Fingerprint, wrong: Fingerprint, right: Fingerprint) -> str:
    """Say whether one call speaks for a mistake, against it, or not at all."""
    if NOT_REACHED in (yours.kind, wrong.kind):
        return SILENT
    if right.raises:
        accepted = not yours.raises and not wrong.raises
        return FOR if accepted or yours.kind == wrong.kind else AGAINST
    if wrong.raises:
        return FOR if yours.kind == wrong.kind else SILENT if yours.raises else AGAINST
    if yours.kind not in (wrong.kind, right.kind):
        return SILENT
    if wrong.changed != right.changed and same_values(wrong, right):
        return FOR if set(wrong.changed) <= set(yours.changed) else AGAINST
    if wrong.dtype != right.dtype and same_values(wrong, right):
        return SILENT if not same_values(yours, right) else FOR if yours.dtype == wrong.dtype else AGAINST
    if same_values(yours, wrong) and not same_values(yours, right):
        return FOR
    foreign = (yours.kind, yours.shape) not in ((wrong.kind, wrong.shape), (right.kind, right.shape))
    return SILENT if foreign or yours.whole != right.whole else AGAINST


def same_values(a: Fingerprint, b: Fingerprint) -> bool:
    """Whether two fingerprints have the same shape and values, whatever the type and the arguments changed."""
    return alike(replace(a, changed=()), replace(b, changed=()), exact_type=False)


def _errs_elsewhere(known: Known, seen: Seen, reference: LiveReference | StoredReference) -> bool:
    """Whether the answer raises a mistake's error also where that mistake gives a value: then it is another fault."""
    kinds = {wrong.kind for calls in known.differing.values() for wrong in calls.values() if wrong.raises}
    for criterion, (_, diary) in seen.items():
        for index, (yours, right) in enumerate(zip(diary, reference.diaries[criterion], strict=False)):
            if yours.kind in kinds and not right.raises and index not in known.differing.get(criterion, {}):
                return True
    return False

"""Which known mistake is this? Compare what the answer gave, call by call, with the fingerprints of the bank."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labsupport.checking.fingerprint import Fingerprint, alike

if TYPE_CHECKING:
    from labsupport.checking.reference import Known, LiveReference, StoredReference

Seen = dict[str, tuple[bool, list[Fingerprint]]]
"""Per criterion: whether it failed, and the diary of the answer's calls."""


def diagnose(seen: Seen, reference: LiveReference | StoredReference) -> list[Known]:
    """Name the mistakes that explain a failing answer, at most two, the one that explains most first.

    A mistake is named when the answer gave the mistake's result in every call in which the mistake differs from the
    right answer, and at least one of those calls belongs to a criterion that failed. An answer with two faults, one
    in its values and one in its contract, is thus given both names.
    """
    matched = [(known, _explained(known, seen, reference)) for known in reference.known]
    matched = sorted(((k, calls) for k, calls in matched if calls), key=lambda pair: -len(pair[1]))
    named: list[Known] = []
    explained: set[tuple[str, int]] = set()
    for known, calls in matched:
        new = {criterion for criterion, _ in calls} - {criterion for criterion, _ in explained}
        if len(named) < 2 and new and known.sentence not in [n.sentence for n in named]:
            named.append(known)
            explained |= calls
    return named


def _explained(known: Known, seen: Seen, reference: LiveReference | StoredReference) -> set[tuple[str, int]]:
    """Give the (criterion, call) pairs that this mistake explains; empty when one of its calls speaks against it."""
    calls = set()
    for criterion, differing in known.differing.items():
        failed, diary = seen[criterion]
        right = reference.diaries[criterion]
        for index, wrong in differing.items():
            if index >= len(diary):
                return set()
            if not _matches(diary[index], wrong, right[index]):
                return set()
            if failed:
                calls.add((criterion, index))
    return calls


def _matches(yours: Fingerprint, wrong: Fingerprint, right: Fingerprint) -> bool:
    """Like the mistake and not like the right answer; the type counts only where the mistake is about it."""
    about_type = wrong.dtype != right.dtype
    return alike(yours, wrong, exact_type=about_type) and not alike(yours, right, exact_type=about_type)

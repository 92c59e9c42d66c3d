"""From an answer to a `Result`: run the criteria, decide the state, name the mistake, choose the words."""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from labsupport.checking import values
from labsupport.checking.consequence import replaced, used
from labsupport.checking.declare import EXERCISES, CourseError, Criterion, Exercise
from labsupport.checking.diagnose import diagnose
from labsupport.checking.expect import Failure, Run, running
from labsupport.checking.fingerprint import Fingerprint
from labsupport.checking.probe import Probe, Stopped
from labsupport.checking.reference import LiveReference, StoredReference, generator
from labsupport.checking.result import (
    ERROR,
    NEARLY,
    NOT_STARTED,
    NOTHING,
    PROMISES,
    RIGHT,
    WRONG,
    WRONG_TYPE,
    CriterionResult,
    Result,
)

Reference = LiveReference | StoredReference
MISSING = object()
ONE_AT_A_TIME = threading.RLock()
"""What an answer prints, warns of and fails in is caught for the whole process, so judging takes turns."""


@dataclass
class Trial:
    """One criterion tried on the answer, before any words are chosen."""

    criterion: Criterion
    failure: Failure | None
    notes: list[str] = field(default_factory=list)
    diary: list[Fingerprint] = field(default_factory=list)
    changed: tuple[str, ...] = ()
    steady: bool = True


def judge_function(exercise: Exercise, answer: Any, reference: Reference) -> Result:
    """Judge a function exercise; a missing or unusable answer gets a sentence, never an exception."""
    refused = not_a_function(exercise, answer)
    if refused is not None:
        return refused
    with ONE_AT_A_TIME:
        result = _tried(exercise, answer, reference)
        return result if result.passed else as_consequence(exercise, answer, reference, result)


def _tried(exercise: Exercise, answer: Callable[..., Any], reference: Reference) -> Result:
    trials = [try_criterion(exercise, c, answer, reference) for c in exercise.criteria]
    waiting = next((t.failure for t in trials if t.failure is not None and t.failure.kind == "not started"), None)
    if waiting is not None and all(t.failure for t in trials):
        return not_started(exercise, other=missing_exercise(waiting, exercise.name))
    charge_contract(trials)
    return conclude(exercise, trials, reference)


def as_consequence(exercise: Exercise, answer: Callable[..., Any], reference: Reference, result: Result) -> Result:
    """Try the answer again with each exercise that it uses replaced by the right one; the better result counts."""
    for name, world in used(answer, exercise.name).items():
        earlier = EXERCISES[name].place < exercise.place  # else two exercises could each be defined by the other
        right = reference.stand_in(name, world[name]) if earlier else None
        if right is None:
            continue
        with replaced(world, {name: right}):
            again = _tried(exercise, answer, reference)
        if again.points > result.points:
            again.consequence = name
            text = f"{exercise.name} uses {name}, and with a right {name} it earns these points. Repair {name} first."
            again.message = f"{text} {again.message}" if not again.passed else text
            return again
    return result


def missing_exercise(failure: Failure, own: str) -> str:
    """Name the other exercise whose stub an answer ran into; empty when it is the answer's own."""
    name = failure.sentence.partition(" is not ")[0]
    return name if name in EXERCISES and name != own else ""


def not_started(exercise: Exercise, other: str = "") -> Result:
    """Say that nothing has been written yet, or that what is written needs `other`, which is not."""
    if other:
        text = f"{exercise.name} uses {other}, which is not written yet. Write {other} first, then run this check."
        return Result(exercise.name, NOT_STARTED, text, 0, exercise.points, untried(exercise))
    an_object = f"put an object in place of the dots, {exercise.name} = YourClass(...)"
    ways = {
        "object": f"{exercise.name} is not there yet: {an_object}, run the cell, then this check.",
        "function": f"{exercise.name} is not written yet: it raises NotImplementedError. Write its body, run the cell, "
        "then this check.",
        "choice": f"{exercise.name} has no answer yet: put a letter in its place, for example "
        f'{exercise.name} = "{exercise.options[:1]}", run the cell, then this check.',
        "value": f"{exercise.name} has no value yet: put a number in place of the dots, run the cell, then this check.",
    }
    return Result(
        exercise.name,
        NOT_STARTED,
        ways["object" if exercise.through else exercise.kind],
        0,
        exercise.points,
        untried(exercise),
    )


def untried(exercise: Exercise) -> list[CriterionResult]:
    """List the criteria of an answer that could not be tried."""
    return [
        CriterionResult(c.name, c.says, 0, c.points, Failure("not started", "not tried")) for c in exercise.criteria
    ]


def not_a_function(exercise: Exercise, answer: Any) -> Result | None:
    """Refuse what cannot be called, or has not the methods that an object must have; None when all is well."""
    name, points = exercise.name, exercise.points
    if answer is Ellipsis:
        return not_started(exercise)
    if answer is MISSING:
        text = f"There is no {name} here yet. Run the cell that defines it, then this check."
        return Result(name, NOT_STARTED, text, 0, points, untried(exercise))
    if exercise.through:
        text = unlike_an_object(exercise, answer)
        return Result(name, WRONG_TYPE, text, 0, points, untried(exercise)) if text else None
    if inspect.isclass(answer):
        text = f"{name} is a class; this exercise asks for a function. Define it with def {name}(...)."
    elif inspect.isgeneratorfunction(answer) or inspect.iscoroutinefunction(answer):
        text = f"{name} uses yield or async; this exercise asks for a function that returns its result with return."
    elif not callable(answer):
        kind = type(answer).__name__
        text = f"{name} is {article(kind)} {kind}; this exercise asks for a function. Did a later"
        text += f" line give the name {name} to a result? Run the cell with def {name}(...) again."
    else:
        return None
    return Result(name, WRONG_TYPE, text, 0, points, untried(exercise))


def unlike_an_object(exercise: Exercise, answer: Any) -> str:
    """Say why an answer is not the object that an exercise asks for; empty when it may be."""
    name, wanted = exercise.name, f"an object with {', '.join(exercise.methods[:-1])} and {exercise.methods[-1]}"
    if inspect.isclass(answer):
        return f"{name} is a class; this exercise asks for an object of it: {name} = {answer.__name__}(...)."
    missing = [method for method in exercise.methods if not has_method(answer, method)]
    if not missing:
        return ""
    kind = "None" if answer is None else f"{article(type(answer).__name__)} {type(answer).__name__}"
    lacks = "" if len(missing) == len(exercise.methods) else f" without {' and '.join(missing)}"
    return f"{name} is {kind}{lacks}; this exercise asks for {wanted}."


def has_method(answer: Any, name: str) -> bool:
    """Whether an object has a method; one whose attributes cannot even be read has not."""
    try:
        return callable(getattr(answer, name, None))
    except Exception:  # (a property of the learner's that fails)
        return False


def article(word: str) -> str:
    """Give "an" before a vowel, else "a"."""
    return "an" if word[0].lower() in "aeiou" else "a"


def try_criterion(exercise: Exercise, criterion: Criterion, answer: Callable[..., Any], reference: Reference) -> Trial:
    """Run one criterion on the answer, whatever the answer does."""
    probe, run = Probe(exercise, answer, reference.parameters), Run()
    rng = generator(reference.seed, exercise.name, criterion.name)
    with running(run):
        try:
            criterion.run(probe, reference.ref(criterion), rng)
        except Stopped:
            pass
        except CourseError:
            raise
        except Exception as error:  # the criterion stumbled over what the answer returned
            step = 1 + len(exercise.updates)
            run.fail(stumbled(probe.diary, reference.diaries[criterion.name], step, error))
        steady = probe.repeats()
    return Trial(criterion, run.failure, run.notes, probe.diary, probe.changed, steady)


def stumbled(diary: list[Fingerprint], right: list[Fingerprint], step: int, error: Exception) -> Failure:
    """Explain why a criterion could not work with the answer: usually a shape; every `step`-th entry is a result."""
    for yours, good in zip(diary[::step], right[::step], strict=False):
        if yours.shape != good.shape:
            return Failure("shape", f"must return shape {good.shape}; yours has {yours.shape}")
    return Failure("shape", f"what your function returned cannot be used here: {error}")


def charge_contract(trials: list[Trial]) -> None:
    """Let changed arguments and unsteady answers cost the contract criterion, or the last one where none is marked."""
    bearer = next((t for t in trials if t.criterion.contract), trials[-1])
    changed = list(dict.fromkeys(name for t in trials for name in t.changed))
    if bearer.failure is not None:
        return
    if changed:
        names = " and ".join(changed)
        bearer.failure = Failure("changed", f"your function changed its argument {names}. Work on a copy")
    elif not all(t.steady for t in trials):
        text = "called twice with the same arguments, your function gives two different answers"
        bearer.failure = Failure("state", f"{text}. What does it keep between calls")


def conclude(exercise: Exercise, trials: list[Trial], reference: Reference) -> Result:
    """Make the result from the trials."""
    criteria = [
        CriterionResult(t.criterion.name, t.criterion.says, 0 if t.failure else t.criterion.points, t.criterion.points,
                        t.failure, t.criterion.advice, t.notes)
        for t in trials
    ]  # fmt: skip
    said_once(criteria)
    result = Result(exercise.name, RIGHT, "", sum(c.points for c in criteria), exercise.points, criteria)
    result.notes = one_of_each([note for t in trials for note in t.notes])
    if any(t.failure for t in trials):
        result.state = state_of([t.failure for t in trials if t.failure])
        found = diagnose({t.criterion.name: (bool(t.failure or t.changed), t.diary) for t in trials}, reference)
        if found:
            result.mistake, result.sure = found[0].known.id, found[0].sure
            result.explanation = " ".join(dict.fromkeys(f.known.sentence for f in found))
        # a criterion's advice does not know what is wrong; where a mistake is named it may lead astray
        result.advice = next((f.known.advice for f in found if f.known.advice), "") if found else first_advice(criteria)
    result.message = headline(exercise, result)
    return result


def said_once(criteria: list[CriterionResult]) -> None:
    """Let an error that ended several criteria be written out once; sizes in its text may differ."""
    seen: set[tuple[str, str]] = set()
    for failure in (c.failure for c in criteria if c.failure and c.failure.kind == "error"):
        error = re.sub(r"\d+", "", failure.sentence), failure.trace
        if error in seen:
            failure.sentence, failure.trace = "the same error as above", ""
        seen.add(error)


def one_of_each(notes: list[str]) -> list[str]:
    """Keep the first of the notes that begin alike, for instance of all that is printed."""
    first: dict[str, str] = {}
    for note in notes:
        first.setdefault(note[:16], note)
    return list(first.values())


def first_advice(criteria: list[CriterionResult]) -> str:
    """Give the advice of the first criterion whose failure it fits: of values and shapes, or of what is refused."""
    for criterion in criteria:
        if criterion.failure and criterion.failure.kind == "refusal":
            return "look at the arguments at the top of your function, and raise the error before you compute anything."
        if criterion.failure and criterion.failure.kind in ("value", "shape") and criterion.advice:
            return criterion.advice
    return ""


def state_of(failures: list[Failure]) -> str:
    """Name the state of an answer that fails somewhere: the gravest thing first."""
    kinds = [f.kind for f in failures]
    gravest = {
        "nothing": NOTHING,
        "error": ERROR,
        "not started": ERROR,
        "value": WRONG,
        "shape": WRONG_TYPE,
        "refusal": WRONG,
    }
    for kind, state in gravest.items():
        if kind in kinds:
            return state
    return NEARLY if set(kinds) <= set(PROMISES) else WRONG_TYPE


def headline(exercise: Exercise, result: Result) -> str:
    """Choose the sentence a learner reads first."""
    name, worst = exercise.name, result.smallest
    if result.state == RIGHT:
        return f"{name} is right."
    if result.state == NOTHING:
        return f"{name} returned None. Is there a return at the end?"
    if worst.kind in ("changed", "state") and result.state == NEARLY:
        return f"The values are right, but {worst.sentence}{'?' if worst.kind == 'state' else '.'}"
    return f"{worst.case or name}: {worst.sentence}."


def judge_value(exercise: Exercise, answer: Any, right: Any, mistakes: list[tuple[str, str, Any]]) -> Result:
    """Judge a number; `mistakes` holds (id, sentence, wrong value)."""
    name, points = exercise.name, exercise.points
    if answer is Ellipsis or answer is MISSING:
        return not_started(exercise)
    number = as_number(answer)
    if number is None:
        what = values.short(answer) if not callable(answer) else "a function"
        text = f"{name} must be one finite number; yours is {what or 'a ' + type(answer).__name__}."
        return Result(name, WRONG_TYPE, text, 0, points, [_one(exercise, 0, text)])
    if within(number, right, exercise.atol):
        return Result(name, RIGHT, f"{name} is right.", points, points, [_one(exercise, points)])
    text = f"{name} = {values.short(answer)} is not right."
    result = Result(name, WRONG, text, 0, points, [_one(exercise, 0, text)])
    for mistake, sentence, wrong in mistakes:
        if within(number, wrong, max(exercise.atol, 1e-6 * abs(float(wrong)))):
            result.mistake, result.explanation = mistake, sentence
            break
    return result


def as_number(answer: Any) -> float | None:
    """Read one finite real number; None for anything else, booleans included."""
    if isinstance(answer, (bool, np.bool_)) or not isinstance(answer, (int, float, np.number, np.ndarray)):
        return None
    array = np.asarray(answer)
    if array.ndim or array.dtype.kind not in "iuf" or not np.isfinite(array):
        return None
    return float(array)


def within(number: float, right: Any, atol: float) -> bool:
    """Whether a number is the right one, to `atol` or to rounding."""
    return abs(number - float(right)) <= max(atol, 1e-9 * abs(float(right)))


def _one(exercise: Exercise, points: int, failure: str = "") -> CriterionResult:
    says = "the value is right" if exercise.kind == "value" else "the right letter"
    found = Failure("value", failure.rstrip(".")) if failure else None
    return CriterionResult(exercise.kind, says, points, exercise.points, found)


def judge_choice(exercise: Exercise, answer: Any, sentence: Callable[[str], tuple[bool, str]]) -> Result:
    """Judge a letter; `sentence(letter)` gives whether it is right, and why or why not."""
    name, points = exercise.name, exercise.points
    if answer is Ellipsis or answer is MISSING:
        return not_started(exercise)
    letter = answer.strip().lower() if isinstance(answer, str) else ""
    if len(letter) != 1 or letter not in exercise.options:
        shown = values.short(answer) or f"a {type(answer).__name__}"
        text = f"{name} must be one of the letters {', '.join(exercise.options)} in quotes; yours is {shown}."
        return Result(name, WRONG_TYPE, text, 0, points, [_one(exercise, 0, text)])
    right, why = sentence(letter)
    if right:
        return Result(name, RIGHT, f"{letter} is right. {why}", points, points, [_one(exercise, points)])
    text = f"{letter} is not the answer."
    return Result(name, WRONG, text, 0, points, [_one(exercise, 0, text)], mistake=f"option-{letter}", explanation=why)

"""The mistakes bank: each is rejected and named, none is named for a right answer, every criterion earns its place."""

from __future__ import annotations

from functools import cache

import pytest
from common import function_exercises, right

from labsupport import course, evaluate
from labsupport.checking.bank import Mistake
from labsupport.checking.declare import Exercise
from labsupport.checking.judge import try_criterion
from labsupport.checking.reference import LiveReference
from labsupport.checking.store import stored_reference

NOTEBOOKS = list(course.notebooks())
MISTAKES = [pytest.param(m, id=f"{m.exercise}-{m.id}") for notebook in NOTEBOOKS for m in right(notebook)[1].mistakes]
FUNCTIONS = [pytest.param(e, id=e.name) for e in function_exercises()]


def sentence(mistake_id: str | None, exercise: str) -> str:
    bank = right(course.find(exercise).notebook)[1]
    return next((m.sentence for m in bank.of(exercise) if m.id == mistake_id), "")


@pytest.mark.parametrize("mode", [{}, {"hidden": True, "seed": 3}], ids=["notebook", "hidden"])
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_rejected_and_named(mistake: Mistake, mode: dict) -> None:
    result = evaluate(mistake.exercise, mistake.wrong, **mode)
    assert not result.passed
    if not result.consequence:
        assert sentence(result.mistake, mistake.exercise) == mistake.sentence, f"named {result.mistake}\n{result}"


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_no_mistake_is_named_for_the_right_answer(exercise: Exercise) -> None:
    answer = right(exercise.notebook)[0][exercise.name]
    for mode in ({}, {"hidden": True, "seed": 4}):
        result = evaluate(exercise.name, answer, **mode)
        assert result.passed, str(result)
        assert result.mistake is None


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_there_are_enough_mistakes(exercise: Exercise) -> None:
    if exercise.name == "first_check":
        return
    least = 5 if exercise.points >= 3 else 3
    assert len(right(exercise.notebook)[1].of(exercise.name)) >= least


@cache
def failing_criteria(exercise_name: str) -> list[set[str]]:
    """Give for each mistake the criteria that it fails."""
    exercise = course.find(exercise_name)
    reference = stored_reference(exercise)
    out = []
    for mistake in right(exercise.notebook)[1].of(exercise.name):
        result = evaluate(exercise.name, mistake.wrong)
        failed = {c.name for c in result.criteria if not c.passed}
        trials = [try_criterion(exercise, c, mistake.wrong, reference) for c in exercise.criteria]
        out.append(failed | {t.criterion.name for t in trials if t.failure})
    return out


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_every_criterion_is_failed_alone_or_justified(exercise: Exercise) -> None:
    if len(exercise.criteria) == 1:
        return
    alone = {next(iter(failed)) for failed in failing_criteria(exercise.name) if len(failed) == 1}
    for criterion in exercise.criteria:
        assert (criterion.name in alone) != bool(criterion.justified), (
            f"{criterion.name}: justified={criterion.justified!r}, failed alone by a mistake: {criterion.name in alone}"
        )


@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_the_calls_of_ref_do_not_depend_on_the_answer(exercise: Exercise) -> None:
    namespace, bank = right(exercise.notebook)
    live = LiveReference(exercise, namespace, [])
    assert live.diaries
    recorded = {name: [(c.name, c.shapes) for c in calls] for name, calls in live.calls.items()}
    for mistake in bank.of(exercise.name):
        for criterion in exercise.criteria:
            try_criterion(exercise, criterion, mistake.wrong, live)
            made = [(c.name, c.shapes) for c in live.calls[criterion.name]]
            assert made == recorded[criterion.name][: len(made)], f"{criterion.name} with {mistake.id}"


def test_every_option_of_a_choice_has_its_own_sentence() -> None:
    for exercise in course.exercises().values():
        if exercise.kind == "choice":
            sentences = right(exercise.notebook)[1].options[exercise.name]
            assert "".join(sentences) == exercise.options
            assert len(set(sentences.values())) == len(sentences)

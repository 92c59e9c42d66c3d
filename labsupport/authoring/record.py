"""Record what a notebook's right answers and mistakes give: the stored answers of its checks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from labsupport import course
from labsupport.authoring.release import released
from labsupport.authoring.source import Source
from labsupport.checking import judge, store
from labsupport.checking.bank import Bank, load_bank
from labsupport.checking.declare import CourseError, Exercise
from labsupport.checking.reference import LiveReference
from labsupport.notebook import Cell, take_solution


def record(source: Source) -> dict[Path, bytes]:
    """Run the solution's definitions through every criterion and give the two files of stored answers as bytes."""
    cells = [Cell(c.cell_type, c.source) for c in source.notebook.cells]
    exercises = [e for e in source.exercises if e.kind != "written"]
    namespace = take_solution(cells, [e.name for e in exercises], f"{source.name}.md")
    bank = load_bank(course.solutions() / "mistakes" / f"{course.topic(source.name)}.py", namespace)
    stray = {m.exercise for m in bank.mistakes} | set(bank.options)
    if stray - {e.name for e in exercises}:
        raise CourseError(
            f"{source.name}: mistakes for unknown exercises {sorted(stray - {e.name for e in exercises})}"
        )
    writer, stubs = store.Writer(), _stubs(source)
    entries = {}
    for exercise in exercises:
        entries[exercise.name] = _entry(exercise, namespace, bank, writer)
        entries[exercise.name] |= {"stub": stubs[exercise.name], "hints": source.hints(exercise)}
    return store.files(source.name, entries, writer)


def _entry(exercise: Exercise, namespace: dict[str, Any], bank: Bank, writer: store.Writer) -> dict[str, Any]:
    right = namespace[exercise.name]
    if exercise.kind == "function":
        live = LiveReference(exercise, namespace, bank.of(exercise.name))
        return store.record_function(live, writer)
    if exercise.kind == "value":
        return _value(exercise, right, bank, writer)
    sentences = bank.options.get(exercise.name, {})
    if "".join(sorted(sentences)) != exercise.options or right not in exercise.options:
        raise CourseError(f"{exercise.name}: every option of {exercise.options!r} needs its sentence, and no other")
    options = {store.option_key(exercise.name, x): text for x, text in sentences.items()}
    return {"options": options, "right": store.option_key(exercise.name, f"{right} is right")}


def _value(exercise: Exercise, right: Any, bank: Bank, writer: store.Writer) -> dict[str, Any]:
    mistakes = []
    for mistake in bank.of(exercise.name):
        if judge.within(float(mistake.wrong), right, exercise.atol):
            raise CourseError(f"{exercise.name}: the mistake {mistake.id} would be accepted as right")
        mistakes.append({"id": mistake.id, "sentence": mistake.sentence, "value": writer.encode(float(mistake.wrong))})
    return {"value": writer.encode(float(right)), "mistakes": mistakes}


def _stubs(source: Source) -> dict[str, str]:
    cells = released(source).cells
    return {exercise.name: cells[index].source for index, exercise in source.answers.items()}

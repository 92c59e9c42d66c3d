"""The face that a learner meets: `check`, `ready`, `reset`, `progress`; and `evaluate`, the same for programs."""

from __future__ import annotations

import secrets
import sys
from functools import lru_cache
from typing import Any

from labsupport import course, progress_file
from labsupport.checking import judge, store
from labsupport.checking.bank import Bank, load_bank
from labsupport.checking.declare import CourseError, Exercise
from labsupport.checking.judge import MISSING
from labsupport.checking.reference import LiveReference
from labsupport.checking.result import NOT_STARTED, REFUSED, WRITTEN, Result
from labsupport.notebook import TAKEN, solution_namespace


def check(name: str) -> Result:
    """Check the answer called `name` in this notebook.

    Parameters
    ----------
    name : the name of an exercise, for example "rotary_embedding"

    Returns
    -------
    Result
        points, what holds, what fails and why; shown as a card in a notebook
    """
    answers = sys._getframe(1).f_globals
    try:
        exercise = course.find(name)
        result = _judge(exercise, answers.get(exercise.name, MISSING))
        result.hints = 0 if exercise.kind == "written" else store.structure(exercise)["hints"]
    except CourseError as problem:
        return Result(str(name), REFUSED, str(problem))
    except KeyboardInterrupt:
        text = f"The check of {name} was interrupted while your function was running. Nothing was recorded."
        raise KeyboardInterrupt(text) from None
    progress_file.append(result)
    return result


def evaluate(name: str, answer: Any, *, hidden: bool = False, seed: int | None = None) -> Result:
    """Judge an answer from a program, in this process; calls from several threads take turns.

    Parameters
    ----------
    name : the name of an exercise
    answer : the function, number or letter to judge
    hidden : draw fresh inputs and take the right answers from the solution notebook
    seed : of the fresh inputs; a secret one is drawn when it is None

    Returns
    -------
    Result
        with `passed`, `points`, `max_points`, `state`, `mistake` (an id or None) and `message`

    Raises
    ------
    CourseError
        if there is no such exercise, or if `hidden` is asked for where there is no `solutions/`
    """
    exercise = course.find(name)
    if not hidden:
        return _judge(exercise, answer)
    if seed is not None and (not isinstance(seed, int) or seed < 0):
        raise CourseError(f"seed must be a whole number, 0 or more, and not {seed!r}.")
    result = _judge_hidden(exercise, answer, secrets.randbits(63) if seed is None else seed)
    result.conceal()
    return result


def _judge(exercise: Exercise, answer: Any) -> Result:
    """Judge against the stored answers."""
    if exercise.kind == "written":
        return _by_hand(exercise)
    entry = store.structure(exercise)
    if exercise.kind == "function":
        return judge.judge_function(exercise, answer, store.stored_reference(exercise))
    if exercise.kind == "value":
        read = store.reader(exercise.notebook)
        mistakes = [(m["id"], m["sentence"], read.decode(m["value"])) for m in entry["mistakes"]]
        return judge.judge_value(exercise, answer, read.decode(entry["value"]), mistakes)
    right, sentences = entry["right"], entry["options"]

    def sentence(letter: str) -> tuple[bool, str]:
        key = store.option_key(exercise.name, letter)
        return store.option_key(exercise.name, f"{letter} is right") == right, sentences[key]

    return judge.judge_choice(exercise, answer, sentence)


def _judge_hidden(exercise: Exercise, answer: Any, seed: int) -> Result:
    """Judge against the solution's own function on inputs drawn from `seed`."""
    if exercise.kind == "written":
        return _by_hand(exercise)
    if exercise.kind == "function":
        return judge.judge_function(exercise, answer, _live(exercise.name, seed, _stamps(exercise.notebook)))
    namespace, bank = right_answers(exercise.notebook)
    right, mistakes = namespace[exercise.name], bank.of(exercise.name)
    if exercise.kind == "value":
        return judge.judge_value(exercise, answer, right, [(m.id, m.sentence, m.wrong) for m in mistakes])
    sentences = bank.options.get(exercise.name, {})
    return judge.judge_choice(exercise, answer, lambda x: (x == right, sentences.get(x, "")))


def _stamps(notebook: str) -> tuple[int, ...]:
    """Say when the files behind a notebook's right answers were last changed."""
    folder = course.solutions()
    files = (folder / f"{notebook}.ipynb", folder / "mistakes" / f"{course.topic(notebook)}.py")
    return tuple(f.stat().st_mtime_ns for f in files if f.exists())


@lru_cache(maxsize=16)
def _live(name: str, seed: int, stamps: tuple[int, ...]) -> LiveReference:
    """Keep the reference of an exercise and a seed: many submissions may be judged with it."""
    exercise = course.find(name)
    namespace, bank = right_answers(exercise.notebook)
    return LiveReference(exercise, namespace, bank.of(name), seed, elsewhere=_right_function)


def right_answers(notebook: str) -> tuple[dict[str, Any], Bank]:
    """Take a notebook's right answers and its mistakes from `solutions/`."""
    names = [e.name for e in course.notebooks()[notebook] if e.kind != "written"]
    namespace = solution_namespace(notebook, names)
    return namespace, load_bank(course.solutions() / "mistakes" / f"{course.topic(notebook)}.py", namespace)


def _right_function(name: str) -> Any:
    return solution_namespace(course.find(name).notebook, [name])[name]


def _by_hand(exercise: Exercise) -> Result:
    text = f"{exercise.name} is a written answer: a person marks it, with the rubric that stands in the solution."
    return Result(exercise.name, WRITTEN, text, 0, exercise.points)


def judge_taken(name: str, function: Any) -> str:
    """Say in a sentence why a function from another notebook is not finished; empty when it is, or is no exercise."""
    try:
        exercise = course.find(name)
        result = _judge(exercise, function)
    except CourseError:
        return ""
    if result.passed:
        return ""
    if result.state == NOT_STARTED:
        return f"{name} is not written yet."
    return f"{name} does not pass its check yet ({result.points} of {result.max_points} points)."


def ready(*names: str) -> bool:
    """Say whether the answers are there, so that a cell may use them; print one sentence for the first that is not.

    Parameters
    ----------
    names : names of exercises

    Returns
    -------
    bool
        False while one of them is missing, not written yet, or ends with an error; a wrong answer counts as there
    """
    answers = sys._getframe(1).f_globals
    for name in names:
        try:
            waiting = _waiting_for(course.find(name), answers.get(name, MISSING))
        except CourseError as problem:
            print(problem)
            return False
        if waiting:
            print(f"{waiting} Then run this cell again.")
            return False
    return True


def _waiting_for(exercise: Exercise, answer: Any) -> str:
    """Say what has to be done before an answer can be used; empty when it can."""
    if answer is MISSING or answer is Ellipsis:
        return _to_write(exercise.name, answer)
    refused = judge.not_a_function(exercise, answer) if exercise.kind == "function" else None
    if exercise.kind != "function" or refused:
        return refused.message if refused and exercise.through else ""
    trial = judge.try_criterion(exercise, exercise.criteria[0], answer, store.stored_reference(exercise))
    kind = trial.failure.kind if trial.failure else ""
    if kind == "not started":
        return _to_write(judge.missing_exercise(trial.failure, exercise.name) or exercise.name, answer)
    if kind in ("error", "nothing"):
        what = "ends with an error" if kind == "error" else "returns nothing"
        return f'This cell waits for {exercise.name}, which {what}: see what check("{exercise.name}") says.'
    return ""


def _to_write(name: str, answer: Any) -> str:
    """Say where a missing answer is to be written: above, or in the notebook that it is taken from."""
    if str(getattr(answer, "__module__", "")).startswith(TAKEN):
        where = f"write it in {course.find(name).notebook}, run the cell that takes it from there."
    else:
        where = "write it above, run its cell."
    return f"This cell waits for {name}: {where}"


def reset(name: str) -> None:
    """Show the cell of an exercise as it was before you wrote in it; copy from it what you need.

    Parameters
    ----------
    name : the name of an exercise
    """
    try:
        exercise = course.find(name)
        if exercise.kind == "written":
            raise CourseError(f"{name} is a written question: its cell held nothing but a place for your answer.")
        stub = store.structure(exercise)["stub"]
    except CourseError as problem:
        print(problem)
        return
    print(f"# {name} as it was at the beginning. Nothing was changed: copy what you need into your cell.\n\n{stub}")


def progress() -> progress_file.Table:
    """Show every exercise of the course with the best result of your checks.

    Returns
    -------
    Table
        shown with bars in a notebook and in a terminal
    """
    return progress_file.table(course.notebooks(), course.home() / progress_file.NAME)

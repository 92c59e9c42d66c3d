"""How an exercise and its criteria are declared. The modules of `labsupport.criteria` hold nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


class CourseError(Exception):
    """Something a person can put right; its text is one clear sentence saying what and how."""


@dataclass(frozen=True)
class Criterion:
    """One thing that must hold for an answer, worth `points`; `says` is read by the learner."""

    name: str
    points: int
    says: str
    run: Callable[..., None]
    advice: str | None = None
    contract: bool = False
    justified: str = ""


@dataclass
class Exercise:
    """One graded answer: where it stands, what it is worth and how it is judged.

    `kind` is "function", "value", "choice" or "written"; `updates` names arguments that the function may change;
    `returns` is "array" (a list of numbers is taken for an array) or "any". Where `through` names a function
    ("module:function"), the answer is an object that has `methods`, and the criteria's `f` is that function with the
    answer as its first argument. A call that takes more than `longest` seconds is stopped; answers need hundredths.
    """

    name: str
    kind: str
    notebook: str
    minutes: int = 0
    updates: tuple[str, ...] = ()
    returns: str = "array"
    through: str = ""
    methods: tuple[str, ...] = ()
    longest: float = 10.0
    atol: float = 0.0
    options: str = ""
    own_points: int = 0
    criteria: list[Criterion] = field(default_factory=list)
    number: int = 0

    @property
    def place(self) -> tuple[str, int]:
        """Where it stands in the course: later exercises may build on earlier ones."""
        return self.notebook, self.number

    @property
    def points(self) -> int:
        """Points in all: of the criteria, or the exercise's own where a kind has none."""
        return self.own_points or sum(c.points for c in self.criteria)


@dataclass(frozen=True)
class Notebook:
    """A notebook of the course: its file name without ending and the minutes it takes."""

    name: str
    minutes: int


EXERCISES: dict[str, Exercise] = {}
NOTEBOOKS: dict[str, Notebook] = {}


def notebook(name: str, *, minutes: int) -> None:
    """Declare a notebook and how long it takes in all."""
    NOTEBOOKS[name] = Notebook(name, minutes)


def _declare(exercise: Exercise) -> None:
    if exercise.name in EXERCISES:
        raise CourseError(f"the exercise {exercise.name} is declared twice; names are unique in the whole course")
    exercise.number = len(EXERCISES)
    EXERCISES[exercise.name] = exercise


def exercise(
    name: str, *, notebook: str, minutes: int, updates: tuple[str, ...] = (), returns: str = "array",
    through: str = "", methods: tuple[str, ...] = (), longest: float = 10.0,
) -> None:  # fmt: skip
    """Declare an exercise that criteria judge, a function or, with `through`, an object; its points are theirs."""
    _declare(Exercise(name, "function", notebook, minutes, updates, returns, through, methods, longest))


def value(name: str, *, notebook: str, points: int, atol: float, minutes: int = 5) -> None:
    """Declare a number that the learner works out; `atol` is in the unit of the value."""
    _declare(Exercise(name, "value", notebook, minutes, atol=atol, own_points=points))


def choice(name: str, *, notebook: str, points: int, options: str, minutes: int = 3) -> None:
    """Declare a multiple choice with one letter per option; sentences and the right letter stand in `solutions/`."""
    _declare(Exercise(name, "choice", notebook, minutes, options=options, own_points=points))


def written(name: str, *, notebook: str, points: int, minutes: int = 10) -> None:
    """Declare a written answer, marked by a person with the rubric in the solution."""
    _declare(Exercise(name, "written", notebook, minutes, own_points=points))


def criterion(
    name: str, *, points: int, says: str, advice: str | None = None, contract: bool = False, justified: str = ""
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Attach a criterion `run(f, ref, rng)` to the function exercise `name`.

    Parameters
    ----------
    points : what the criterion is worth
    says : what must hold, in the learner's words, without a full stop
    advice : what to try when it fails, a sentence
    contract : changed arguments and answers that depend on earlier calls cost this criterion; where none of an
        exercise's criteria has it, the last one bears them
    justified : why the criterion is there although no mistake of the bank is caught by it alone, one line
    """

    def attach(run: Callable[..., None]) -> Callable[..., None]:
        EXERCISES[name].criteria.append(Criterion(run.__name__, points, says, run, advice, contract, justified))
        return run

    return attach

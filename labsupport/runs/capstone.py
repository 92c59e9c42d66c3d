"""The harness of notebook 14: a scheme of the learner's own, measured, trained as in 08, and set beside 08's baselines.

`measure` states single facts about a scheme; its check is made of them. `run_capstone`, `find_keys` and `shift` train
it. All work on copies: the scheme itself stays as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from labsupport import tasks
from labsupport.runs import evaluation, extrapolation
from labsupport.runs.extrapolation import HEADS, WIDTH
from labsupport.transformer import Positions, Training, Transformer, gradient_errors

BASELINES = ("none", "sinusoidal", "learned", "RoPE", "ALiBi")
"""The schemes of 08 that a new one is set beside; all have 4 heads of 8 features."""

LETTERS, MOVING = len(tasks.LETTERS), ("embed", "rotate", "bias")
VISIBLE = 1e-5
"""A change that is more than rounding, in models of double precision."""

WRONG_GRADIENT, SURELY_WRONG, AGREE, STEPS = 0.002, 0.3, 0.02, (1e-5, 3e-5, 1e-4)
"""When an error of a gradient is more than rounding: where it comes out the same, to `AGREE` of itself, however far the
weights are moved, which rounding in a scheme of single precision does not; or where it is large each time."""

INDEX = "; ids are floats, up to 255: rows of a table are table[ids.astype(int)], and it needs 256 of them"
GIVEN = "; a layer's call of grad brings ds, q and dq, the last call, with layer=None, brings dx alone"
HOOKS = {
    "embed": "embed(self, x, ids)",
    "rotate": "rotate(self, qk, ids, layer, back=False)",
    "bias": "bias(self, q, ids, layer)",
    "grad": "grad(self, ids, layer=None, **d)",
}
"""What is said to errors whose own text does not help."""


class Watched(Positions):
    """A scheme whose hooks are watched: what does not fit is refused in a sentence.

    Parameters
    ----------
    scheme : an object with the four hooks, `weights` and `gradients`
    """

    def __init__(self, scheme: Positions) -> None:
        if isinstance(scheme, type):
            raise TypeError(f"{scheme.__name__} is a class; give an object of it, {scheme.__name__}(...)")
        self.scheme, self.only = scheme, MOVING
        for name in ("weights", "gradients"):
            if not isinstance(getattr(scheme, name, None), dict):
                raise TypeError(f"the scheme has no {name}; let its __init__ begin with super().__init__(...)")
            setattr(self, name, getattr(scheme, name))

    def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
        """Ask the scheme."""
        return _like("embed", "x", x, self._asked("embed", x, ids)) if "embed" in self.only else x

    def rotate(self, qk: np.ndarray, ids: np.ndarray, layer: int, back: bool = False) -> np.ndarray:
        """Ask the scheme."""
        return _like("rotate", "qk", qk, self._asked("rotate", qk, ids, layer, back)) if "rotate" in self.only else qk

    def bias(self, q: np.ndarray, ids: np.ndarray, layer: int) -> np.ndarray | None:
        """Ask the scheme."""
        bias = self._asked("bias", q, ids, layer) if "bias" in self.only else None
        return None if bias is None else _fitting(bias, (*q.shape[:3], q.shape[2])).astype(q.dtype, copy=False)

    def grad(self, ids: np.ndarray, layer: int | None = None, **d: np.ndarray) -> None:
        """Ask the scheme; what belongs to a hook that is left out is kept from the model."""
        for hook, name in (("bias", "dq"), ("embed", "dx")):
            if name in d and hook not in self.only:
                d[name] = d[name].copy()
        self._asked("grad", ids, layer, **d)

    def _asked(self, hook: str, *args: Any, **kwargs: Any) -> Any:
        """Call a hook; where an error's text does not help, say what may."""
        try:
            return getattr(self.scheme, hook)(*args, **kwargs)
        except (IndexError, KeyError, TypeError) as error:
            hint = _hint(hook, getattr(getattr(self.scheme, hook), "__name__", hook), error)
            if hint and not str(error.args[0]).endswith(hint):
                error.args = (f"{error.args[0]}{hint}", *error.args[1:])
            raise


def _hint(hook: str, name: str, error: Exception) -> str:
    text = str(error.args[0]) if error.args else ""
    if isinstance(error, IndexError) and ("integer" in text or "only integers" in text or "out of bounds" in text):
        return INDEX
    if isinstance(error, KeyError):
        return GIVEN if hook == "grad" and text in ("ds", "q", "dq", "dx") else ""
    if isinstance(error, TypeError) and f"{name}()" in text and "argument" in text:
        return f"; its first line is def {HOOKS[hook]}"
    return ""


def _like(hook: str, name: str, given: np.ndarray, result: Any) -> np.ndarray:
    """Refuse a result that has not the shape of what the hook was given."""
    result = _numbers(hook, result)
    if result.shape != given.shape:
        alone = "; is it the positions' rows alone? Add them to x" if result.shape == given.shape[1:] else ""
        raise ValueError(
            f"{hook} returned shape {result.shape} for {name} of shape {given.shape}; the shapes must be equal{alone}"
        )
    return result.astype(given.dtype, copy=False)


def _fitting(bias: Any, scores: tuple[int, ...]) -> np.ndarray:
    """Refuse a bias that cannot be added to the scores (B, H, n, n)."""
    bias = _numbers("bias", bias)
    sizes = zip(bias.shape[::-1], scores[::-1], strict=False)
    if not 2 <= bias.ndim <= 4 or any(size not in (1, full) for size, full in sizes):
        raise ValueError(
            f"bias returned shape {bias.shape}, which cannot be added to scores of shape {scores}; "
            "return (n, n), (H, n, n) or (B, H, n, n), any of B and H being 1, or None"
        )
    return bias


def _numbers(hook: str, result: Any) -> np.ndarray:
    result = np.asarray(result)
    if result.dtype.kind not in "biuf":
        kind = "None; is there a return at its end" if result.size == 1 and result.item() is None else result.dtype
        raise TypeError(f"{hook} returned {kind}" if kind is result.dtype else f"{hook} returned {kind}?")
    return result


# --- single facts ---


def measure(scheme: Positions, fact: str, *settings: int) -> Any:
    """State one fact about a scheme.

    Parameters
    ----------
    scheme : an object with the four hooks of `Positions`
    fact : one of these, with its settings

        - "not finite", size, length, first, step: how many losses are not finite for texts (size, length) with ids from
          first on, each text beginning step ids after the one before; and 1 or 0 for the gradient
        - "nothing overridden": 1 or 0, whether none of the four hooks is the scheme's own
        - "letters matter", length: 1 or 0, whether other letters change what the model says
        - "texts mixed", length: 1 or 0, whether texts read together give something else than texts read one by one:
          where each has ids of its own, and where all share them
        - "wrong gradients", length, step: 1 or 0, whether gradients of the model's own weights do not agree with the
          loss, with embed, rotate, bias alone, and with all together; ids as in "not finite"
        - "own gradients", length, step: 1 or 0 for the scheme's own weights, whether a gradient is missing, whether
          there is one though the loss does not depend on the weight, and whether one is wrong
        - "sees later letters", length: 1 or 0 for embed, rotate, bias, each alone, and for all together
        - "not the same", length: 1 or 0, whether a second reading differs, and whether a second training does
        - "order matters", length: 1 or 0, whether a model without a mask says other things of the same letters in
          another order
        - "lead", steps: by how many nats its loss is below that of a model without positions, both after a training
          of so many steps

    Returns
    -------
    whole number, array of whole numbers, or (the lead) a float
    """
    with np.errstate(all="ignore"):
        return FACTS[fact](scheme, *settings)


def _not_finite(scheme: Positions, size: int, length: int, first: int, step: int) -> np.ndarray:
    model = _model(scheme)
    losses = model.loss(*_letters(size, length), _ids(size, length, first, step))
    return np.array([(~np.isfinite(losses)).sum(), not np.isfinite(model.flat_gradients).all()], int)


def _nothing_overridden(scheme: Positions) -> int:
    return int(not any(_has_own(scheme, hook) for hook in HOOKS))


def _has_own(scheme: Positions, hook: str) -> bool:
    return getattr(type(scheme), hook, None) is not getattr(Positions, hook) or hook in vars(scheme)


def _letters_matter(scheme: Positions, length: int) -> int:
    model, x = _begun(scheme), _letters(3, length)[0]
    return int(not np.abs(model.logits((x + 7) % LETTERS) - model.logits(x)).max() <= VISIBLE)


def _texts_mixed(scheme: Positions, length: int) -> np.ndarray:
    model, x, places = _begun(scheme), _letters(3, length)[0], np.arange(length)

    def mixed(ids: np.ndarray) -> int:
        together = model.logits(x, ids)
        alone = np.concatenate([model.logits(x[i : i + 1], ids[i % len(ids)]) for i in range(len(x))])
        again = model.logits(x, ids)
        return int(not np.abs(alone - together).max() <= VISIBLE + 4 * np.abs(again - together).max())

    own = places * np.array([[1], [2], [3]]) + np.array([[3], [14], [41]])  # (with distances of their own as well)
    return np.array([mixed(own), mixed(places[None] + 5)])


def _wrong_gradients(scheme: Positions, length: int, step: int) -> np.ndarray:
    def wrong(*hooks: str) -> int:
        model = _begun(scheme)
        model.positions.only = hooks
        return int(any(name not in scheme.weights for name in _wrong_names(model, length, step)))

    together = wrong(*MOVING)
    return np.array([*(together and _has_own(scheme, hook) and wrong(hook) for hook in MOVING), together], int)


def _own_gradients(scheme: Positions, length: int, step: int) -> np.ndarray:
    model, found, rng = _begun(scheme), np.zeros(3, int), np.random.default_rng(1)
    for name in _wrong_names(model, length, step) if scheme.weights else ():
        if name in scheme.weights:
            losses = model.loss(*_letters(2, length), _ids(2, length, 3, step))
            missing, weight = not model.gradients[name].any(), model.weights[name]
            weight += rng.normal(size=weight.shape)
            unused = np.abs(model.nll(*_letters(2, length), _ids(2, length, 3, step)) - losses).max() <= VISIBLE
            found[0 if missing else 1 if unused else 2] = 1
            model = _begun(scheme)
    return found


def _wrong_names(model: Transformer, length: int, step: int) -> list[str]:
    """Name the weights whose gradients do not agree with the loss."""
    (x, targets), ids = _letters(2, length), _ids(2, length, 3, step)
    if not _equal(model.nll(x, targets, ids), model.nll(x, targets, ids)):
        return []  # (where a reading does not come out the same again, no slope can be measured)
    first, *others = STEPS
    errors = gradient_errors(model, x, targets, ids, directions=2, step=first)
    if all(error < WRONG_GRADIENT for error in errors.values()):
        return []
    again = [gradient_errors(model, x, targets, ids, directions=2, step=step) for step in others]
    return [name for name, error in errors.items() if _is_wrong(np.array([error, *(more[name] for more in again)]))]


def _is_wrong(errors: np.ndarray) -> bool:
    """Whether the errors of one gradient, measured with several steps, are more than rounding."""
    if not errors.min() < SURELY_WRONG:
        return True
    return bool(errors.min() > WRONG_GRADIENT and np.ptp(errors) < AGREE * errors.max())


def check_gradients(scheme: Positions, length: int = 7) -> dict[str, float]:
    """Compare a scheme's hand-written gradients with how the loss changes when weights are moved a little.

    Parameters
    ----------
    scheme : an object with the four hooks of `Positions`
    length : of two texts that are read, at ids from 3 on

    Returns
    -------
    dict : an error for each of the scheme's weights, and the largest among the model's own ("the model's"); below 1e-4
        where all is right, near 1 where a gradient is missing
    """
    errors = gradient_errors(_begun(scheme), *_letters(2, length), np.arange(length) + 3)
    own = {name: errors.pop(name) for name in scheme.weights}
    return {"the model's": float(np.max(list(errors.values())))} | own


def _sees_later(scheme: Positions, length: int) -> np.ndarray:
    model, (x, _), half = _begun(scheme), _letters(3, length), length // 2
    other = np.concatenate([x[:, :half], (x[:, half:] + 7) % LETTERS], axis=1)

    def seen(*hooks: str) -> int:
        model.positions.only = hooks
        logits, again = (model.logits(x)[:, :half] for _ in range(2))
        changes = [np.abs(model.logits(text)[:, :half] - logits).max() for text in (other, x[:, :half])]
        return int(not np.max(changes) <= VISIBLE + 4 * np.abs(again - logits).max())

    return np.array([*(seen(hook) for hook in MOVING), seen(*MOVING)])


def _not_the_same(scheme: Positions, length: int) -> np.ndarray:
    x, one, two = _letters(2, length)[0], _begun(scheme), _begun(scheme)
    return np.array([not _equal(one.logits(x), one.logits(x)), not _equal(one.flat, two.flat)], int)


def _order_matters(scheme: Positions, length: int) -> int:
    model, x, order = _begun(scheme, causal=False), _letters(3, length)[0], np.random.default_rng(1).permutation(length)
    return int(not np.abs(model.logits(x)[:, order] - model.logits(x[:, order])).max() <= VISIBLE)


_LOSSES: dict[tuple[int, bytes], float] = {}


def _lead(scheme: Positions, steps: int) -> float:
    with _draws_repeated():
        return round(_loss_after(Positions(), steps) - _loss_after(scheme, steps), 4)


def _loss_after(scheme: Positions, steps: int) -> float:
    """Give the loss after a training; two that begin with the same eight losses are one and the same."""
    model = Transformer(LETTERS, LETTERS, Watched(scheme), width=WIDTH, heads=HEADS)
    training = Training(model, extrapolation.batches(), steps).run(until=8)
    if not np.isfinite(training.losses).all():
        return np.nan
    begun = steps, np.array(training.losses).tobytes()
    if begun not in _LOSSES:
        training.run()
        _LOSSES[begun] = extrapolation.read(model, (1,))["mean"][0]
    return _LOSSES[begun]


@contextmanager
def _draws_repeated() -> Iterator[None]:
    """Let what a scheme draws from NumPy's common generator be the same each time, so that its loss can be stated."""
    before = np.random.get_state()  # noqa: NPY002 (it is this generator that learners reach for)
    np.random.seed(14)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002


def _model(scheme: Positions, causal: bool = True) -> Transformer:
    return Transformer(LETTERS, LETTERS, Watched(scheme), width=WIDTH, heads=HEADS, causal=causal, dtype=np.float64)


def _begun(scheme: Positions, causal: bool = True) -> Transformer:
    """Give a model after five steps, so that weights that began at zero have moved."""
    model = _model(scheme, causal)
    Training(model, extrapolation.batches(12, 4), 5, rate=1e-2).run()
    return model


def _letters(size: int, length: int) -> tuple[np.ndarray, np.ndarray]:
    return tuple(np.random.default_rng(14).integers(0, LETTERS, (2, size, length)))


def _ids(size: int, length: int, first: int, step: int) -> np.ndarray:
    """Give ids from first on, (1, n) for all texts or, each text beginning step after the one before, (B, n)."""
    return first + step * np.arange(size if step else 1)[:, None] + np.arange(length)


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a, b, equal_nan=True)


FACTS = {
    "not finite": _not_finite,
    "nothing overridden": _nothing_overridden,
    "letters matter": _letters_matter,
    "texts mixed": _texts_mixed,
    "wrong gradients": _wrong_gradients,
    "own gradients": _own_gradients,
    "sees later letters": _sees_later,
    "not the same": _not_the_same,
    "order matters": _order_matters,
    "lead": _lead,
}

# --- the run ---


def run_capstone(
    scheme: Positions, hypothesis: str, *, seeds: Sequence[int] = (0, 1, 2), steps: int = 1500
) -> dict[str, Any]:
    """Train a scheme at 32 letters and read it at 1, 2, 4 and 8 times the length, as 08 does with its own.

    Parameters
    ----------
    scheme : an object with the four hooks of `Positions`
    hypothesis : what will come out and why, in words; it stands at the head of the results
    seeds : of the model's own first weights and of the batches; those of the scheme are as it brings them
    steps : of training, 16 texts each

    Returns
    -------
    dict : "hypothesis"; "mean" and "tail" [seeds][4] and "by_position" [seeds][256], losses in nats; "weights" [seeds],
        for each the scheme's trained weights by name

    Raises
    ------
    ValueError : if the hypothesis has fewer than five words
    """
    if not isinstance(hypothesis, str) or len(hypothesis.split()) < 5:
        raise ValueError(
            "write your hypothesis first, at least a sentence: what will come out, and what would refute it"
        )
    results: dict[str, Any] = {"hypothesis": " ".join(hypothesis.split())}
    for seed in seeds:
        model = extrapolation.trained(Watched(scheme), HEADS, seed, steps)
        weights = {name: weight.tolist() for name, weight in model.positions.weights.items()}
        for kind, values in (extrapolation.read(model) | {"weights": weights}).items():
            results.setdefault(kind, []).append(values)
    return results


def find_keys(scheme: Positions, *, seed: int = 0, steps: int = 1000) -> list[float]:
    """Give the share of hidden keys that the scheme finds at 1, 2, 4 and 8 times the length, as in 08."""
    return extrapolation.keys_found(Watched(scheme), HEADS, seed, steps)


def shift(scheme: Positions, *, seed: int = 0, steps: int = 800) -> list[float]:
    """Give the loss of the last 16 letters with all ids raised by 0, 1, 4, 16 and 64, as in 11."""
    return evaluation.shifting({"yours": Watched(scheme)}, seed=seed, steps=steps)["yours"]


STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776}
"""By how many standard errors the mean of so many seeds is uncertain, at 95 %: Student's t with one degree less."""


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Give the 95 % t interval of the mean of 2 to 5 values, one for each seed; NaN for a single one.

    Parameters
    ----------
    values : for instance losses in nats, one for each seed

    Returns
    -------
    (low, high)
    """
    if len(values) == 1:
        return np.nan, np.nan
    half = STUDENT[len(values)] * np.std(values, ddof=1) / np.sqrt(len(values))
    return float(np.mean(values) - half), float(np.mean(values) + half)

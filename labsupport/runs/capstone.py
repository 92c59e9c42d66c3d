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
LEAD_STEPS = 400
VISIBLE = 1e-5
"""A change that is more than rounding, in models of double precision."""

WRONG_GRADIENT = 0.1
"""An error of a gradient that is more than rounding, also in a scheme that works in single precision."""


class Watched(Positions):
    """A scheme whose hooks are watched: what does not fit is refused in a sentence.

    Parameters
    ----------
    scheme : an object with the four hooks, `weights` and `gradients`
    """

    def __init__(self, scheme: Positions) -> None:
        self.scheme, self.only = scheme, MOVING
        for name in ("weights", "gradients"):
            if not isinstance(getattr(scheme, name, None), dict):
                raise TypeError(f"the scheme has no {name}; let its __init__ begin with super().__init__(...)")
            setattr(self, name, getattr(scheme, name))

    def embed(self, x: np.ndarray, ids: np.ndarray) -> np.ndarray:
        """Ask the scheme."""
        return _like("embed", "x", x, self.scheme.embed(x, ids)) if "embed" in self.only else x

    def rotate(self, qk: np.ndarray, ids: np.ndarray, layer: int, back: bool = False) -> np.ndarray:
        """Ask the scheme."""
        return _like("rotate", "qk", qk, self.scheme.rotate(qk, ids, layer, back)) if "rotate" in self.only else qk

    def bias(self, q: np.ndarray, ids: np.ndarray, layer: int) -> np.ndarray | None:
        """Ask the scheme."""
        bias = self.scheme.bias(q, ids, layer) if "bias" in self.only else None
        return None if bias is None else _fitting(bias, (*q.shape[:3], q.shape[2])).astype(q.dtype, copy=False)

    def grad(self, ids: np.ndarray, layer: int | None = None, **d: np.ndarray) -> None:
        """Ask the scheme."""
        self.scheme.grad(ids, layer, **d)


def _like(hook: str, name: str, given: np.ndarray, result: Any) -> np.ndarray:
    """Refuse a result that has not the shape of what the hook was given."""
    result = _numbers(hook, result)
    if result.shape != given.shape:
        raise ValueError(
            f"{hook} returned shape {result.shape} for {name} of shape {given.shape}; the shapes must be equal"
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
        - "wrong gradients", length: 1 or 0, whether a gradient does not agree with the loss, among the model's own
          weights, and among the scheme's
        - "sees later letters", length: 1 or 0 for embed, rotate, bias, each alone, and for all together
        - "not the same", length: 1 or 0, whether a second reading differs, and whether a second training does
        - "order matters", length: 1 or 0, whether a model without a mask says other things of the same letters in
          another order
        - "lead": by how many nats its loss is below that of a model without positions, both after 400 steps

    Returns
    -------
    whole number, array of whole numbers, or (the lead) a float
    """
    with np.errstate(all="ignore"):
        return FACTS[fact](scheme, *settings)


def _not_finite(scheme: Positions, size: int, length: int, first: int, step: int) -> np.ndarray:
    ids = first + step * np.arange(size)[:, None] + np.arange(length) if step else first + np.arange(length)
    model = _model(scheme)
    losses = model.loss(*_letters(size, length), ids)
    return np.array([(~np.isfinite(losses)).sum(), not np.isfinite(model.flat_gradients).all()], int)


def _wrong_gradients(scheme: Positions, length: int) -> np.ndarray:
    model, (x, targets) = _begun(scheme), _letters(2, length)
    if not _equal(model.nll(x, targets), model.nll(x, targets)):
        return np.zeros(2, int)  # (where a reading does not come out the same again, no slope can be measured)
    errors = gradient_errors(model, x, targets, np.arange(length) + 3, directions=2, step=1e-5)
    wrong = [name for name, error in errors.items() if not error < WRONG_GRADIENT]
    own = sum(name in scheme.weights for name in wrong)
    return np.array([len(wrong) > own, own > 0], int)


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
    return {"the model's": max(errors.values())} | own


def _sees_later(scheme: Positions, length: int) -> np.ndarray:
    model, (x, _), half = _begun(scheme), _letters(3, length), length // 2
    other = np.concatenate([x[:, :half], (x[:, half:] + 7) % LETTERS], axis=1)

    def seen(*hooks: str) -> int:
        model.positions.only = hooks
        logits, again = (model.logits(x)[:, :half] for _ in range(2))
        changes = (np.abs(model.logits(text)[:, :half] - logits).max() for text in (other, x[:, :half]))
        return int(not max(changes) <= VISIBLE + 4 * np.abs(again - logits).max())

    return np.array([*(seen(hook) for hook in MOVING), seen(*MOVING)])


def _not_the_same(scheme: Positions, length: int) -> np.ndarray:
    x, one, two = _letters(2, length)[0], _begun(scheme), _begun(scheme)
    return np.array([not _equal(one.logits(x), one.logits(x)), not _equal(one.flat, two.flat)], int)


def _order_matters(scheme: Positions, length: int) -> int:
    model, x, order = _begun(scheme, causal=False), _letters(3, length)[0], np.random.default_rng(1).permutation(length)
    return int(not np.abs(model.logits(x)[:, order] - model.logits(x[:, order])).max() <= VISIBLE)


_LOSSES: dict[bytes, float] = {}


def _lead(scheme: Positions) -> float:
    with _draws_repeated():
        return round(_short_loss(Positions()) - _short_loss(scheme), 4)


def _short_loss(scheme: Positions) -> float:
    """Give the loss after a short training; two that begin with the same eight losses are one and the same."""
    model = Transformer(LETTERS, LETTERS, Watched(scheme), width=WIDTH, heads=HEADS)
    training = Training(model, extrapolation.batches(), LEAD_STEPS).run(until=8)
    if not np.isfinite(training.losses).all():
        return np.nan
    begun = np.array(training.losses).tobytes()
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


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    return np.array_equal(a, b, equal_nan=True)


FACTS = {
    "not finite": _not_finite,
    "wrong gradients": _wrong_gradients,
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
    ValueError : if the hypothesis is empty
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

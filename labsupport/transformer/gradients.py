"""Hand-written gradients against measured ones: how a scheme's `grad` and its way back are checked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport.transformer.model import Transformer

SMALLEST = 1e-7
"""Slopes below it are rounding."""


def gradient_errors(
    model: Transformer, x: np.ndarray, targets: np.ndarray, ids: np.ndarray | None = None, *, directions: int = 3,
    step: float = 1e-6,
) -> dict[str, float]:  # fmt: skip
    """Compare gradients with how the loss changes along random directions, array by array.

    Parameters
    ----------
    model : with dtype=np.float64; its weights are the same afterwards
    x, targets, ids : as `Transformer.loss` takes them
    directions : how many for each array of weights
    step : how far to each side

    Returns
    -------
    dict : for each array of weights the error in relation to the larger slope: below 1e-5 where the backward pass is
        right, near 1 where it is missing
    """
    rng, errors = np.random.default_rng(2), {}
    model.loss(x, targets, ids)
    gradients = {name: g.copy() for name, g in model.gradients.items()}
    for name, weights in model.weights.items():
        ways = rng.normal(size=(directions, *weights.shape))
        ways /= np.sqrt((ways**2).sum(tuple(range(1, ways.ndim)), keepdims=True))
        written = np.array([(way * gradients[name]).sum() for way in ways])
        measured = np.array([slope(model, weights, way, lambda: np.nanmean(model.nll(x, targets, ids)), step)
                             for way in ways])  # fmt: skip
        largest = max(np.linalg.norm(written), np.linalg.norm(measured), SMALLEST)
        errors[name] = float(np.linalg.norm(written - measured) / largest)
    return errors


def slope(model: Transformer, weights: np.ndarray, way: np.ndarray, loss: Callable[[], float], step: float) -> float:
    """Give the central difference of the loss; a step that switches a rectifier on or off is made smaller."""
    before, losses, switches = weights.copy(), [], []
    for sign in (1, -1):
        weights[...] = before + sign * step * way
        losses.append(loss())
        switches.append([model._rooms[f"up{i}"] > 0 for i in range(model.layers)])
    weights[...] = before
    if step > 1e-9 and not np.array_equal(*switches):
        return slope(model, weights, way, loss, step / 8)
    return (losses[0] - losses[1]) / (2 * step)

"""Wrong schemes of 14_capstone: hooks that look ahead, forget something, or are different each time."""

from __future__ import annotations

import numpy as np

from labsupport.checking.bank import mistake
from labsupport.transformer import Positions


def penalties(ids, heads, slope=0.3):
    """Give -slope * distance for heads whose slopes halve, (G, H, n, n)."""
    distance = np.abs(ids[:, None, :, None] - ids[:, None, None, :])
    return -slope * 0.5 ** np.arange(heads)[:, None, None] * distance


class Penalised(Positions):
    """A right scheme that the wrong ones below are made from."""

    def bias(self, q, ids, layer):
        """Give a penalty for distance."""
        return penalties(ids, q.shape[1])


@mistake("scheme", "infinite-ahead", advice="leave the future alone: the model hides it after your bias was added.")
class InfiniteAhead(Penalised):
    """The losses are no numbers. A bias of plus infinity, for instance over the mask that hides what comes later,
    meets the mask's minus infinity, and their sum is not a number. No finite bias can open the mask, and none
    should."""

    def bias(self, q, ids, layer):
        ahead = ids[:, None, None, :] > ids[:, None, :, None]
        return np.where(ahead, np.inf, penalties(ids, q.shape[1]))


@mistake("scheme", "embedding-looks-ahead", advice="np.cumsum along axis 1 stops at each place; a mean does not.")
class EmbeddingLooksAhead(Penalised):
    """embed lets a place see what stands behind it. A mean, a maximum or a norm over all places of a text does that,
    and so do places counted from the end or as a share of the length. What a place is given may depend on ids and
    letters up to itself alone."""

    def embed(self, x, ids):
        return x + x.mean(1, keepdims=True)

    def grad(self, ids, layer=None, **d):
        if layer is None:
            d["dx"] += d["dx"].mean(1, keepdims=True)


@mistake("scheme", "bias-looks-ahead", advice="what you take from q for row i may come from rows 0 to i.")
class BiasLooksAhead(Positions):
    """bias lets a place see what stands behind it: it makes a row of the bias from queries of later rows, for instance
    from their mean over the whole text, or from the length of the text. The mask hides later keys, and not what was
    computed from them."""

    def bias(self, q, ids, layer):
        return penalties(ids, q.shape[1]) * (1 + np.tanh(q.mean((2, 3), keepdims=True)))

    def grad(self, ids, layer=None, **d):
        if layer is not None:
            q, n = d["q"], d["q"].shape[2] * d["q"].shape[3]
            rise = (d["ds"] * penalties(ids, q.shape[1])).sum((2, 3), keepdims=True)
            d["dq"] += rise * (1 - np.tanh(q.mean((2, 3), keepdims=True)) ** 2) / n


@mistake(
    "scheme", "fresh-noise", advice="draw once, in __init__, from a generator with a seed, and keep what was drawn."
)
class FreshNoise(Penalised):
    """It draws new numbers at each call, so the same text read twice gives two results. No loss of it can be repeated,
    and a comparison with a baseline measures the draw as well."""

    def embed(self, x, ids):
        return x + 0.05 * np.random.normal(size=x.shape)


@mistake("scheme", "ages", advice="let what a hook gives depend on its arguments and on weights alone.")
class Ages(Penalised):
    """It carries something from call to call, a counter or an array that is changed in place, so what it gives depends
    on how often it was asked before. Readings count as calls too: looking at the model changes it."""

    def __init__(self):
        super().__init__()
        self.calls = 0

    def bias(self, q, ids, layer):
        self.calls += 1
        return penalties(ids, q.shape[1], 0.3 * (1 + 1e-4 * self.calls))


@mistake("scheme", "positions-alone", advice="embed is given x (B, n, D) and gives x back with something added to it.")
class PositionsAlone(Positions):
    """embed gives the positions' rows alone, in a shape without the texts. It must give x, the embeddings of the
    letters, with the rows added, in the shape (B, n, D) of x."""

    def embed(self, x, ids):
        return np.sin(ids[..., None] / 100.0 ** np.linspace(0, 1, x.shape[-1]))[0]


@mistake("scheme", "letters-thrown-away", advice="x comes in with the letters in it: add to it.")
class LettersThrownAway(Positions):
    """embed returns positions in place of x, and the model never learns which letters stand there. The gradient of the
    letters' embeddings shows it: the loss does not depend on them."""

    def embed(self, x, ids):
        rows = np.sin(ids[..., None] / 100.0 ** np.linspace(0, 1, x.shape[-1]))
        return np.broadcast_to(rows, x.shape).astype(x.dtype)


@mistake("scheme", "same-everywhere", advice="print what your hooks give at ids 0, 1 and 2: where do they differ?")
class SameEverywhere(Positions):
    """It gives every place the same, so letters in another order are the same letters: it tells no positions. The
    model is left with what its mask lets through."""

    def embed(self, x, ids):
        return x + np.cos(np.arange(x.shape[-1])).astype(x.dtype)


@mistake(
    "scheme",
    "weights-never-move",
    advice="look at the scheme's rows in gradient_errors: an error of 1 means no gradient.",
)
class WeightsNeverMove(Penalised):
    """It has weights of its own whose gradient is missing or wrong. Where `grad` does not fill `gradients`, training
    leaves the weights at their first values: a learned scheme has become a fixed one, and nothing says so."""

    def __init__(self):
        super().__init__(table=0.02 * np.random.default_rng(0).normal(size=(256, 32)))

    def embed(self, x, ids):
        return x + self.weights["table"][ids.astype(int)]


@mistake(
    "scheme", "way-back-forgotten", advice="with back=True turn by the opposite angle, or use the transposed matrix."
)
class WayBackForgotten(Positions):
    """The model's own gradients do not agree with its loss: something that a hook does on the way forward is left out
    on the way back. In rotate, gradients come with back=True and must be turned the other way; a bias made from q
    needs `grad` to add to dq; what embed replaces or scales must be done to dx as well."""

    def rotate(self, qk, ids, layer, back=False):
        speeds = 100.0 ** -np.linspace(0, 1, qk.shape[-1] // 2)
        angle = (ids[..., None] * speeds)[:, :, None]
        a, b, c, s = qk[..., ::2], qk[..., 1::2], np.cos(angle), np.sin(angle)
        return np.stack([a * c - b * s, a * s + b * c], -1).reshape(qk.shape)

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


@mistake("scheme", "infinite-ahead", advice="print the smallest and the largest number that each hook gives.")
class InfiniteAhead(Penalised):
    """The losses are no numbers: something that a hook gives is infinite, undefined or too large. A logarithm or a
    quotient at 0 does that. So does a bias of plus infinity over the mask that hides what comes later: it meets the
    mask's minus infinity, and their sum is not a number."""

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
    """The same text read twice gives two results, and so do two trainings: new numbers are drawn at each call, or
    something outside the object is counted on. No loss of it can be repeated, and a comparison with a baseline measures
    the draw as well."""

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


@mistake("scheme", "letters-thrown-away", advice="x comes in with the letters in it: add to it.")
class LettersThrownAway(Positions):
    """Other letters change nothing that the model says: embed returns something in place of x, and not x with
    something added. The model never learns which letters stand there."""

    def embed(self, x, ids):
        rows = np.sin(ids[..., None] / 100.0 ** np.linspace(0, 1, x.shape[-1]))
        return np.broadcast_to(rows, x.shape).astype(x.dtype)


@mistake("scheme", "same-everywhere", advice="print what your hooks give at ids 0, 1 and 2: where do they differ?")
class SameEverywhere(Positions):
    """Without a mask, letters in another order are the same letters to it: it tells no positions. Every place is given
    the same, or what differs is too small to matter. The model is left with what its mask lets through."""

    def embed(self, x, ids):
        return x + np.cos(np.arange(x.shape[-1])).astype(x.dtype)


class WithTable(Penalised):
    """A right scheme with a trained row for each position."""

    def __init__(self):
        super().__init__(table=0.02 * np.random.default_rng(0).normal(size=(256, 32)))

    def embed(self, x, ids):
        """Add the rows."""
        return x + self.weights["table"][ids.astype(int)]

    def grad(self, ids, layer=None, **d):
        """Add up what each row was added to."""
        if layer is None:
            rows = np.broadcast_to(ids.astype(int), d["dx"].shape[:2])
            np.add.at(self.gradients["table"], rows, d["dx"])


@mistake("scheme", "weights-never-move", advice="run check_gradients(scheme): an error of 1 means no gradient.")
class WeightsNeverMove(WithTable):
    """It has weights of its own whose gradient is zero, though the loss depends on them. Where `grad` does not fill
    `gradients`, training leaves the weights at their first values: a learned scheme has become a fixed one, and nothing
    says so."""

    def grad(self, ids, layer=None, **d):
        pass


@mistake("scheme", "weights-off", advice="run check_gradients(scheme), with one weight at a time filled in by grad.")
class WeightsOff(WithTable):
    """`grad` fills in a gradient that is not the slope of the loss. The sign may be the other one, a factor or an inner
    derivative missing, a sum over texts, heads or layers left out, or `=` written where `+=` is meant."""

    def grad(self, ids, layer=None, **d):
        self.gradients["table"] *= -1
        super().grad(ids, layer, **d)
        self.gradients["table"] *= -1


@mistake("scheme", "weights-in-a-copy", advice='in the hooks read self.weights["name"], and nothing kept elsewhere.')
class WeightsInACopy(WithTable):
    """A weight is given a gradient, and the loss does not depend on the weight. The hooks read something else, for
    instance the array that __init__ kept under another name. The model trains the one in `self.weights`; the other
    keeps its first values."""

    def __init__(self):
        super().__init__()
        self.kept = self.weights["table"].copy()

    def embed(self, x, ids):
        return x + self.kept[ids.astype(int)]


@mistake("scheme", "one-text-for-all", advice="ids may be (B, n): let what text b is given come from ids[b] alone.")
class OneTextForAll(Positions):
    """Where each text has ids of its own, a text is told something else in company than alone: what it is given
    depends on the ids of other texts, such as ids[0], or a smallest or mean id over all texts."""

    def embed(self, x, ids):
        return x + np.sin(ids[0][:, None] / 100.0 ** np.linspace(0, 1, x.shape[-1])).astype(x.dtype)


@mistake("scheme", "texts-mixed", advice="look for a mean or a sum along axis 0: the texts of a batch stand there.")
class TextsMixed(Penalised):
    """A text that is read with others is told something else than alone: a hook mixes the texts of a batch. What a
    text is given may depend on its own ids and letters alone."""

    def embed(self, x, ids):
        return x - 0.5 * x.mean(0, keepdims=True)

    def grad(self, ids, layer=None, **d):
        if layer is None:
            d["dx"] -= 0.5 * d["dx"].mean(0, keepdims=True)


@mistake(
    "scheme", "way-back-forgotten", advice="with back=True turn by the opposite angle, or use the transposed matrix."
)
class WayBackForgotten(Penalised):
    """The model's own gradients do not agree with its loss, and rotate is the cause. Gradients come with back=True,
    and must be taken through the transposed map: for a turn, by the opposite angle. The map may depend on ids and
    layer, and not on the queries and keys themselves."""

    def rotate(self, qk, ids, layer, back=False):
        speeds = 100.0 ** -np.linspace(0, 1, qk.shape[-1] // 2)
        angle = (ids[..., None] * speeds)[:, :, None]
        a, b, c, s = qk[..., ::2], qk[..., 1::2], np.cos(angle), np.sin(angle)
        return np.stack([a * c - b * s, a * s + b * c], -1).reshape(qk.shape)


@mistake("scheme", "queries-forgotten", advice='where bias reads q, grad adds to d["dq"], in place, in each layer.')
class QueriesForgotten(Positions):
    """The model's own gradients do not agree with its loss, and bias is the cause. A bias that is made from q passes
    gradients on to the queries: `grad` must add them to dq, with +=, and leave dq alone where q is not used."""

    def bias(self, q, ids, layer):
        return penalties(ids, q.shape[1]) * (1 + np.tanh(q[..., :1]))


@mistake("scheme", "embedding-scaled", advice='what embed does to x, grad does to d["dx"], in place, with layer=None.')
class EmbeddingScaled(Penalised):
    """The model's own gradients do not agree with its loss, and embed is the cause. Where embed scales or mixes the
    features of x, or adds something made from x, the gradient dx must be taken back through that, in place, in the
    last call of `grad`. Where embed adds positions alone, dx stays as it is."""

    def embed(self, x, ids):
        return x * (1 + 0.05 * ids[..., None])

"""What people write instead in 05_rotary, and what a learner should read when they do."""

import numpy as np

from labsupport.checking.bank import mistake, right

# A wrong answer is right in everything but its one fault; the helpers give it that rest. A sentence says nothing
# about the rest ("the values are right"), and of an error it says only what is true whatever raised it.


def positions(m):
    """Give the positions as an array of real numbers."""
    return np.asarray(m, dtype=float)


def even(d):
    """Refuse an odd width."""
    if d % 2:
        raise ValueError("d must be even")
    return d


def spread(d, base):
    """Spread d/2 speeds evenly from 1 down to 1/base, both included."""
    return np.geomspace(1.0, 1.0 / base, even(d) // 2)


def like(x, result):
    """Give the result the float type that the contract asks for."""
    return np.asarray(result).astype(x.dtype if x.dtype.kind == "f" else float)


def members(x):
    """Take the first and the second members of neighbouring pairs."""
    return x[..., 0::2], x[..., 1::2]


def lace(first, second):
    """Put first and second members back, in turn."""
    return np.stack([first, second], axis=-1).reshape(*first.shape[:-1], -1)


def turn(x, angles):
    """Turn neighbouring pairs by these angles."""
    x, cos, sin = np.asarray(x), np.cos(angles), np.sin(angles)
    a, b = members(x)
    return like(x, lace(a * cos - b * sin, a * sin + b * cos))


def turns(x, m, base):
    """Give an array, and cosine and sine of its right angles."""
    x = np.asarray(x)
    angles = right.rope_angles(m, x.shape[-1], base)
    return x, np.cos(angles), np.sin(angles)


def odd_one_kept(function, x, m, base):
    """Turn what is even of the width, and take an odd last feature along."""
    x = np.asarray(x)
    whole = x.shape[-1] // 2 * 2
    return rejoin(x, function(x[..., :whole], m, base), x[..., whole:])


def written_into(x, result):
    """Change the caller's array, where it can hold the result."""
    if isinstance(x, np.ndarray) and x.dtype.kind == "f":
        x[...] = result
    return result


def refuse(x, rotary_dim):
    """Refuse a rotary_dim that is odd, negative or wider than x."""
    if rotary_dim % 2 or not 0 <= rotary_dim <= x.shape[-1]:
        raise ValueError("rotary_dim must be even and between 0 and d")


def rejoin(x, first, rest):
    """Put two parts of x behind each other."""
    return like(x, np.concatenate([first, rest], axis=-1))


def held(cache):
    """Count the tokens of a cache."""
    return cache["k"].shape[-2] if cache else 0


def remember(cache, k, v):
    """Add a key, as it is, and a value to the cache."""
    for name, new in (("k", k), ("v", np.asarray(v, dtype=float))):
        new = new[..., None, :]
        cache[name] = np.concatenate([cache[name], new], axis=-2) if name in cache else new


def scored(q, k, v, cache, base):
    """Fill the cache and score the new token, all as it should be: (..., t + 1, 1)."""
    t = held(cache)
    remember(cache, right.rotary_embedding(k, t, base), v)
    return cache["k"] @ right.rotary_embedding(q, t, base)[..., None] / np.sqrt(np.shape(q)[-1])


def attend(q, keys, values):
    """Attend from one query, as it is, to these keys."""
    scores = keys @ q[..., None] / np.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(axis=-2, keepdims=True))
    return (weights / weights.sum(axis=-2, keepdims=True) * values).sum(axis=-2)


def moved(q, k, by, base):
    """Turn query and key beforehand, so that the right function puts them `by` positions further."""
    return right.rotary_embedding(q, by, base), right.rotary_embedding(k, by, base)


def stretched(q, factor):
    """Give a longer query, so that the right function scores with another scale."""
    return np.asarray(q, dtype=float) * factor


COUNT = {"calls": 0}  # what position-counted-in-the-function keeps between its calls
KEPT = {}  # what the mistakes called base-kept keep between their calls


def kept(exercise, d, base):
    """Give the base of the first call with this width, as a function does that keeps its speeds under d alone."""
    return KEPT.setdefault((exercise, d), base)


# ---- rope_angles: the speeds


@mistake("rope_angles", "doubled-exponent", source="SamLynnEvans/Transformer#25; the outline's Lab 2")
def _(m, d, base=10000):
    """The exponent is doubled: np.arange(0, d, 2) already is 2i, and it is multiplied by 2 once more. Pair i then
    turns at base**(-4i/d), so the slow pairs hardly turn at all."""
    return right.rope_angles(m, d, base**2)


@mistake("rope_angles", "halved-exponent")
def _(m, d, base=10000):
    """The exponent is halved: it holds i where the formula has 2i. The last pair then turns about as fast as a pair
    in the middle should, and no pair is slow enough for a long text."""
    return right.rope_angles(m, d, base**0.5)


@mistake("rope_angles", "wavelength-for-frequency", source="xlite-dev/LeetCUDA#289")
def _(m, d, base=10000):
    """The minus sign of the exponent is missing, so these are wavelengths and not speeds: pair 0 is right, and
    every later pair turns faster where it should turn more slowly."""
    return right.rope_angles(m, d, 1 / base)


@mistake("rope_angles", "floored-exponent", source="folklore: // for /")
def _(m, d, base=10000):
    """The exponent is divided with //, which rounds down to a whole number. Every pair after the first gets the
    same exponent, -1, and turns at the speed 1/base."""
    return positions(m)[..., None] * float(base) ** (-np.arange(0, even(d), 2) // d)


@mistake("rope_angles", "one-speed", source="the outline's rotary formula, which has one theta")
def _(m, d, base=10000):
    """Every pair turns at the speed 1. Either the exponent does not depend on i, or 2i/d was written with //, which
    rounds every one of these exponents down to 0."""
    return right.rope_angles(m, d, 1)


@mistake("rope_angles", "end-point-included", source="as lucidrains/denoising-diffusion-pytorch#126")
def _(m, d, base=10000):
    """The speeds are spread evenly from 1 down to 1/base with both ends included. RoPE stops one step earlier: the
    last exponent is (d - 2)/d, not 1. Every pair but the first turns too slowly."""
    return positions(m)[..., None] * spread(d, base)


@mistake("rope_angles", "slow-pairs-first")
def _(m, d, base=10000):
    """The speeds stand in rising order. Pair 0 is the fastest: it turns one radian for every position."""
    return right.rope_angles(m, d, base)[..., ::-1]


@mistake("rope_angles", "degrees")
def _(m, d, base=10000):
    """The angles are in degrees. np.cos and np.sin want radians, and the formula already gives radians."""
    return np.degrees(right.rope_angles(m, d, base))


@mistake("rope_angles", "base-ignored")
def _(m, d, base=10000):
    """The number 10000 stands in the formula, so the argument base has no effect. Every test with the default
    passes."""
    return right.rope_angles(m, d)


@mistake("rope_angles", "base-kept", source="folklore: a cache of speeds under the key d")
def _(m, d, base=10000):
    """The speeds, or the finished angles, are kept from call to call, and base is not among the things that they are
    kept under. A second call with another base gets the numbers of the first."""
    return right.rope_angles(m, d, kept("rope_angles", d, base))


# ---- rope_angles: the positions, the shape, the contract


@mistake("rope_angles", "ignores-positions", source="pytorch/executorch#2010")
def _(m, d, base=10000):
    """The positions are counted 0, 1, 2, ... and the ones you were given are not used. That is right for a text
    read from its beginning and wrong for every token that comes later, out of a cache for example."""
    return right.rope_angles(np.arange(np.size(m)) if np.ndim(m) else m, d, base)


@mistake("rope_angles", "one-based")
def _(m, d, base=10000):
    """Positions are counted from 1. At position 0 nothing is turned, so every angle there is 0."""
    return right.rope_angles(positions(m) + 1, d, base)


@mistake("rope_angles", "positions-cut")
def _(m, d, base=10000):
    """The positions are cut to whole numbers. Real positions are allowed: 2.5 lies between 2 and 3, and later
    notebooks need it to."""
    return right.rope_angles(positions(m).astype(int), d, base)


@mistake("rope_angles", "half-precision", source="huggingface/transformers#29285 (bfloat16 there)")
def _(m, d, base=10000):
    """The positions are kept in half precision, which has no odd whole numbers beyond 2048 and coarse fractions long
    before: far tokens get the angles of their neighbours. Use float64 for positions."""
    return right.rope_angles(positions(m).astype(np.float16), d, base)


@mistake("rope_angles", "sign-lost", source="folklore: abs")
def _(m, d, base=10000):
    """A negative position gets the angles of the positive one. Position -3 lies three steps before position 0, and
    its angles are negative."""
    return right.rope_angles(np.abs(positions(m)), d, base)


@mistake("rope_angles", "negative-to-zero", source="folklore: np.maximum(m, 0)")
def _(m, d, base=10000):
    """Negative positions are cut to 0. Position -3 lies three steps before position 0, and its angles are
    negative."""
    return right.rope_angles(np.maximum(positions(m), 0), d, base)


@mistake("rope_angles", "whole-turns-removed")
def _(m, d, base=10000):
    """Whole turns are taken out of the angles, so they lie between 0 and 2 pi. Cosine and sine do not mind, but the
    angle asked for is m times the speed, and it grows without end."""
    return np.mod(right.rope_angles(m, d, base), 2 * np.pi)


@mistake("rope_angles", "extra-axis")
def _(m, d, base=10000):
    """A single position is treated as a list of one, so the result is a table with one row. One position gives the
    angles alone, of shape (d/2,)."""
    return right.rope_angles(np.atleast_1d(m), d, base)


@mistake("rope_angles", "array-taken-for-granted")
def _(m, d, base=10000):
    """A single number as position leads to an error. Where the line that fails uses m, it takes m for an array
    before it is one. A number has no axes and a list has only one index: make an array of m first, whatever it
    is."""
    return right.rope_angles(m[:, None][:, 0], d, base)


@mistake("rope_angles", "scalar-refused")
def _(m, d, base=10000):
    """A single number as position leads to an error. Where the line that fails uses m, it asks for an axis that the
    array of one number does not have. An ellipsis stands for any number of axes, none included."""
    return right.rope_angles(np.asarray(m)[:, None][:, 0], d, base)


@mistake("rope_angles", "list-refused")
def _(m, d, base=10000):
    """A list of positions leads to an error: a list cannot be given another axis. Make an array of the positions
    first, whatever they are."""
    return right.rope_angles(m[..., None][..., 0] if np.ndim(m) else m, d, base)


@mistake("rope_angles", "transposed")
def _(m, d, base=10000):
    """The table lies on its side: one row per pair and one column per position. Each row belongs to a position."""
    return right.rope_angles(m, d, base).T


@mistake("rope_angles", "angle-per-feature")
def _(m, d, base=10000):
    """There is one angle for each feature, so each pair has its angle twice. A pair turns as one: d/2 angles."""
    return np.repeat(right.rope_angles(m, d, base), 2, axis=-1)


@mistake("rope_angles", "angles-twice", source="as cat((freqs, freqs)) in huggingface/transformers")
def _(m, d, base=10000):
    """There is one angle for each feature, so each pair has its angle twice. A pair turns as one: d/2 angles."""
    angles = right.rope_angles(m, d, base)
    return np.concatenate([angles, angles], axis=-1)


@mistake("rope_angles", "odd-width-accepted")
def _(m, d, base=10000):
    """An odd d is accepted. Its last feature has no partner to turn with, so the function must raise ValueError
    before it computes anything."""
    return positions(m)[..., None] * float(base) ** (-np.arange(0, d, 2) / d)


# ---- rotary_embedding: the speeds


@mistake("rotary_embedding", "doubled-exponent", source="SamLynnEvans/Transformer#25; the outline's Lab 2")
def _(x, m, base=10000):
    """The exponent is doubled: np.arange(0, d, 2) already is 2i, and it is multiplied by 2 once more. Pair i then
    turns at base**(-4i/d), so the slow pairs hardly turn at all."""
    return right.rotary_embedding(x, m, base**2)


@mistake("rotary_embedding", "halved-exponent")
def _(x, m, base=10000):
    """The exponent is halved: it holds i where the formula has 2i. The last pair then turns about as fast as a pair
    in the middle should."""
    return right.rotary_embedding(x, m, base**0.5)


@mistake(
    "rotary_embedding",
    "wavelength-for-frequency",
    source="xlite-dev/LeetCUDA#289; labmlai/annotated_deep_learning_paper_implementations#313",
)
def _(x, m, base=10000):
    """The minus sign of the exponent is missing, so these are wavelengths and not speeds. Pair 0 is right and every
    later pair turns many times too fast. Lengths and relative scores look fine all the same."""
    return right.rotary_embedding(x, m, 1 / base)


@mistake("rotary_embedding", "end-point-included", source="as lucidrains/denoising-diffusion-pytorch#126")
def _(x, m, base=10000):
    """The speeds are spread evenly from 1 down to 1/base with both ends included. RoPE stops one step earlier: the
    last exponent is (d - 2)/d, not 1."""
    return turn(x, positions(m)[..., None] * spread(np.shape(x)[-1], base))


@mistake("rotary_embedding", "slow-pairs-first")
def _(x, m, base=10000):
    """The speeds stand in rising order, so the first pair is the slow one. Pair 0 turns one radian per position."""
    return turn(x, right.rope_angles(m, np.shape(x)[-1], base)[..., ::-1])


@mistake("rotary_embedding", "one-speed", source="the outline's rotary formula, which has one theta")
def _(x, m, base=10000):
    """Every pair turns at the same speed. Each pair has its own: pair 0 one radian per position, the later ones
    less and less."""
    x = np.asarray(x)
    return turn(x, right.rope_angles(m, x.shape[-1], base)[..., :1])


@mistake("rotary_embedding", "base-ignored")
def _(x, m, base=10000):
    """The argument base has no effect: either 10000 stands in the formula, or base is not passed on to rope_angles.
    Every test with the default passes."""
    return right.rotary_embedding(x, m)


@mistake("rotary_embedding", "base-kept", source="folklore: a cache of cosines and sines")
def _(x, m, base=10000):
    """The speeds, or the cosines and sines, are kept from call to call, and base is not among the things that they
    are kept under. A second call with another base is turned as the first was."""
    return right.rotary_embedding(x, m, kept("rotary_embedding", np.shape(x)[-1], base))


@mistake("rotary_embedding", "half-of-the-width", source="the default of lucidrains/rotary-embedding-torch#4")
def _(x, m, base=10000):
    """Only the first half of the features turns. Some models do that (you will write it as rotary_partial), but
    here every pair must turn. Lengths and relative scores cannot show the difference."""
    even(np.shape(x)[-1])
    return right.rotary_partial(x, m, max(2, np.shape(x)[-1] // 2 // 2 * 2), base)


# ---- rotary_embedding: the positions


@mistake("rotary_embedding", "ignores-positions", source="pytorch/executorch#2010; skyzh/tiny-llm#46")
def _(x, m, base=10000):
    """The rows of x are counted 0, 1, 2, ... and the positions you were given are not used. A text read from its
    beginning comes out right; a token that is decoded later, at position 100, is turned as if it were the first."""
    return right.rotary_embedding(x, np.arange(np.shape(x)[-2]) if np.ndim(x) > 1 else m, base)


@mistake("rotary_embedding", "one-based")
def _(x, m, base=10000):
    """Positions are counted from 1, so the token at position 0 is turned already. Scores cannot show it, because
    only distances count in them; the values do."""
    return right.rotary_embedding(x, positions(m) + 1, base)


@mistake("rotary_embedding", "positions-cut")
def _(x, m, base=10000):
    """The positions are cut to whole numbers. Real positions are allowed, and then two tokens 6.6 apart must score
    the same wherever they stand."""
    return right.rotary_embedding(x, positions(m).astype(int), base)


@mistake("rotary_embedding", "sign-lost", source="folklore: abs")
def _(x, m, base=10000):
    """A negative position turns x forwards, as the positive one does. Position -7 must undo the turn of position
    7."""
    return right.rotary_embedding(x, np.abs(positions(m)), base)


@mistake("rotary_embedding", "negative-to-zero", source="folklore: np.maximum(m, 0)")
def _(x, m, base=10000):
    """Negative positions are cut to 0, so x is not turned there. Position -7 must undo the turn of position 7."""
    return right.rotary_embedding(x, np.maximum(positions(m), 0), base)


@mistake("rotary_embedding", "half-precision", source="huggingface/transformers#29285 (bfloat16 there)")
def _(x, m, base=10000):
    """The positions are kept in half precision, which has no odd whole numbers beyond 2048 and coarse fractions long
    before: far tokens get the angles of their neighbours. Compute angles in float64, whatever x is made of."""
    return right.rotary_embedding(x, positions(m).astype(np.float16), base)


@mistake("rotary_embedding", "far-positions-in-half-precision")
def _(x, m, base=10000):
    """Positions beyond 2048 are in half precision, which has no odd whole numbers there: far tokens get the angles
    of their neighbours. Compute angles in float64, whatever x is made of."""
    far = positions(m)
    return right.rotary_embedding(x, np.where(far > 2048, far.astype(np.float16), far), base)


# ---- rotary_embedding: the turn


@mistake("rotary_embedding", "inverse-rotation", source="trymirai/lalamo#268")
def _(x, m, base=10000):
    """The arrows turn the other way: the minus sign stands in the second line of the turn and not in the first.
    Lengths and relative scores stay right, so only the values show it. At position 1 the pair (1, 0) becomes (cos
    1, sin 1)."""
    return right.rotary_embedding(x, -positions(m), base)


@mistake("rotary_embedding", "unsigned")
def _(x, m, base=10000):
    """The minus sign is lost: both lines of the turn add. That is no rotation, and the arrows change their
    length."""
    x, cos, sin = turns(x, m, base)
    a, b = members(x)
    return like(x, lace(a * cos + b * sin, a * sin + b * cos))


@mistake("rotary_embedding", "sine-for-cosine")
def _(x, m, base=10000):
    """Cosine and sine have changed places. At position 0 the cosine is 1 and the sine 0, and x must come back as it
    was."""
    x, cos, sin = turns(x, m, base)
    a, b = members(x)
    return like(x, lace(a * sin - b * cos, a * cos + b * sin))


@mistake("rotary_embedding", "tables-tiled", source="facebookresearch/vjepa2#15; Tongjilibo/bert4torch#1")
def _(x, m, base=10000):
    """The cosines and sines stand in the order of the half-split layout, all speeds and then all speeds again,
    while the vector is taken in neighbouring pairs. The two members of a pair then turn by different angles."""
    x, cos, sin = turns(x, m, base)
    a, b = members(x)
    cos, sin = (np.concatenate([table, table], axis=-1) for table in (cos, sin))
    return like(x, x * cos + lace(-b, a) * sin)


@mistake("rotary_embedding", "half-layout", source="EleutherAI/gpt-neox#834")
def _(x, m, base=10000):
    """Feature i is paired with feature i + d/2. That is the half-split layout of many checkpoints, and a later
    exercise; here a pair is two neighbours."""
    return right.rotary_half(x, m, base)


@mistake("rotary_embedding", "output-not-interleaved", source="Tongjilibo/bert4torch#1")
def _(x, m, base=10000):
    """All first members stand in front and all second members behind. The turn is right and the places are wrong:
    each pair must go back to where it came from. At position 0 x must come back as it was."""
    return np.concatenate(members(right.rotary_embedding(x, m, base)), axis=-1)


@mistake("rotary_embedding", "overwritten-pair")
def _(x, m, base=10000):
    """The first member is overwritten before the second line uses it, so the second line mixes new and old values.
    It needs the old first member."""
    x, cos, sin = turns(x, m, base)
    a, b = members(x)
    first = a * cos - b * sin
    return like(x, lace(first, first * sin + b * cos))


@mistake("rotary_embedding", "overwritten-in-place")
def _(x, m, base=10000):
    """Both lines write into x itself. The first one has replaced the old first members before the second needs
    them, and the caller's array is changed as well. Write both results into a new array."""
    array, cos, sin = turns(x, m, base)
    a, b = members(array)
    first = a * cos - b * sin
    return written_into(x, like(array, lace(first, first * sin + b * cos)))


@mistake("rotary_embedding", "first-member-doubled")
def _(x, m, base=10000):
    """The second line of the turn is a copy of the first, so both members of a pair come out the same."""
    first, _ = members(right.rotary_embedding(x, m, base))
    return lace(first, first)


@mistake("rotary_embedding", "not-turned")
def _(x, m, base=10000):
    """x comes back as it was: nothing is turned, although lengths, shapes and types are all in order."""
    return right.rotary_embedding(x, positions(m) * 0, base)


@mistake("rotary_embedding", "pairs-of-rows", source="the outline's Lab 2")
def _(x, m, base=10000):
    """The slice 0::2 stands alone, so it picks every second row. For one vector the rows are the features and all
    is well; for a sequence you pair tokens. The features are on the last axis, whatever stands in front."""
    x, cos, sin = turns(x, m, base)
    out = np.empty(x.shape)
    out[0::2], out[1::2] = x[0::2] * cos - x[1::2] * sin, x[0::2] * sin + x[1::2] * cos
    return like(x, out)


@mistake("rotary_embedding", "second-axis")
def _(x, m, base=10000):
    """The features are looked for on the second axis. With heads or batches in front there are more axes than two:
    count from the end."""
    x, cos, sin = turns(x, m, base)
    if x.ndim < 2:
        return right.rotary_embedding(x, m, base)
    out = np.empty(x.shape)
    out[:, 0::2], out[:, 1::2] = x[:, 0::2] * cos - x[:, 1::2] * sin, x[:, 0::2] * sin + x[:, 1::2] * cos
    return like(x, out)


@mistake("rotary_embedding", "positions-before-heads", source="folklore: cos[:, None, :], for x of (n, heads, d)")
def _(x, m, base=10000):
    """The cosines are given an axis of length 1 in the place of the heads, as if x were (n, heads, d). Here n is the
    last axis but one: with several axes in front the angles then meet the wrong axis, or none that fits."""
    x, cos, sin = turns(x, m, base)
    if np.ndim(m) and x.ndim > 2:
        cos, sin = cos[:, None, :], sin[:, None, :]
    a, b = members(x)
    return like(x, lace(a * cos - b * sin, a * sin + b * cos))


# ---- rotary_embedding: shape and contract


@mistake("rotary_embedding", "extra-axis")
def _(x, m, base=10000):
    """A single position is treated as a list of one, so the result has an axis too many, of length 1. With one
    position the result has the shape of x."""
    turned = right.rotary_embedding(x, m, base)
    return turned if np.ndim(m) or turned.ndim > 1 else turned[None]


@mistake("rotary_embedding", "array-taken-for-granted")
def _(x, m, base=10000):
    """A single number as position leads to an error. Where the line that fails uses m, it takes m for an array
    before it is one. A number has no axes and a list has only one index: make an array of m first, whatever it
    is."""
    return right.rotary_embedding(x, m[:, None][:, 0], base)


@mistake("rotary_embedding", "scalar-refused")
def _(x, m, base=10000):
    """A single number as position leads to an error. Where the line that fails uses m, it asks for an axis that the
    array of one number does not have. An ellipsis stands for any number of axes, none included."""
    return right.rotary_embedding(x, np.asarray(m)[:, None][:, 0], base)


@mistake("rotary_embedding", "list-refused")
def _(x, m, base=10000):
    """A list leads to an error: it has no shape, and it cannot be sliced with an ellipsis. The argument may be a
    list, so make an array of it first."""
    return right.rotary_embedding(x.reshape(x.shape), m, base)


@mistake("rotary_embedding", "integers-truncated", source="the outline's Lab 2")
def _(x, m, base=10000):
    """The result is an array of integers, because x was one: every value is cut to a whole number when it is
    stored. With whole numbers in x the result must be made of floats."""
    return right.rotary_embedding(x, m, base).astype(np.asarray(x).dtype)


@mistake("rotary_embedding", "single-becomes-double", source="as huggingface/transformers#24262, one size up")
def _(x, m, base=10000):
    """float32 comes back as float64: the tables of cosines are float64 and pull the result up with them. The memory
    is doubled, and the next layer of a model would refuse it. The result needs the type of x."""
    return right.rotary_embedding(np.asarray(x, dtype=float), m, base)


@mistake("rotary_embedding", "one-position-becomes-double", source="folklore: np.cos of a Python number is float64")
def _(x, m, base=10000):
    """With a single position float32 comes back as float64; with an array of positions it does not. The result needs
    the type of x in both cases."""
    return right.rotary_embedding(x if np.ndim(m) else np.asarray(x, dtype=float), m, base)


@mistake("rotary_embedding", "position-zero-handed-back", source="folklore: if not m: return x")
def _(x, m, base=10000):
    """At position 0 x is handed back as it came, so whole numbers stay whole numbers there and become floats at
    every other position. The values agree at position 0; the type of the result must not depend on the position."""
    return right.rotary_embedding(x, m, base) if np.any(m) else np.array(x)


@mistake("rotary_embedding", "works-in-place")
def _(x, m, base=10000):
    """The result was written into x itself, so the caller's array is turned as well, and a second call turns it
    twice. Note that np.asarray makes no copy of an array. Write into a new one."""
    return written_into(x, right.rotary_embedding(x, m, base))


@mistake("rotary_embedding", "odd-width-accepted")
def _(x, m, base=10000):
    """An odd width is accepted, and the last feature is left out or taken along without a partner. The function
    must raise ValueError before it turns anything."""
    return odd_one_kept(right.rotary_embedding, x, m, base)


# ---- rotary_complex


@mistake("rotary_complex", "doubled-exponent", source="SamLynnEvans/Transformer#25; the outline's Lab 2")
def _(x, m, base=10000):
    """The exponent is doubled: np.arange(0, d, 2) already is 2i, and it is multiplied by 2 once more. Take the
    angles from rope_angles, which has passed its check."""
    return right.rotary_embedding(x, m, base**2)


@mistake("rotary_complex", "wavelength-for-frequency", source="xlite-dev/LeetCUDA#289")
def _(x, m, base=10000):
    """The minus sign of the exponent is missing, so these are wavelengths and not speeds. Pair 0 is right and every
    later pair turns many times too fast. Take the angles from rope_angles, which has passed its check."""
    return right.rotary_embedding(x, m, 1 / base)


@mistake("rotary_complex", "base-ignored")
def _(x, m, base=10000):
    """The argument base is not passed on to rope_angles, so it has no effect."""
    return right.rotary_embedding(x, m)


@mistake("rotary_complex", "base-kept", source="folklore: a cache of the complex numbers")
def _(x, m, base=10000):
    """The complex numbers e^(i angle) are kept from call to call, and base is not among the things that they are kept
    under. A second call with another base is turned as the first was."""
    return right.rotary_embedding(x, m, kept("rotary_complex", np.shape(x)[-1], base))


@mistake("rotary_complex", "conjugate", source="trymirai/lalamo#268")
def _(x, m, base=10000):
    """The arrows turn the other way. Either the exponent has a minus sign, or the first and the second member have
    changed places both on the way in and on the way out. e^(+i angle) turns counter-clockwise, with the first
    member as real part."""
    return right.rotary_embedding(x, -positions(m), base)


@mistake("rotary_complex", "real-then-imaginary", source="Tongjilibo/bert4torch#1")
def _(x, m, base=10000):
    """All real parts stand in front and all imaginary parts behind. They belong side by side, in the places of the
    pair that they came from."""
    return np.concatenate(members(right.rotary_embedding(x, m, base)), axis=-1)


@mistake("rotary_complex", "imaginary-first")
def _(x, m, base=10000):
    """Imaginary and real part have changed places in the result. The first member of a pair is the real part."""
    a, b = members(right.rotary_embedding(x, m, base))
    return lace(b, a)


@mistake("rotary_complex", "imaginary-lost")
def _(x, m, base=10000):
    """Only the real part is kept, so half of the features are gone. The imaginary part is the second member of the
    pair."""
    return members(right.rotary_embedding(x, m, base))[0]


@mistake("rotary_complex", "complex-returned")
def _(x, m, base=10000):
    """The result is still complex, one number for each pair. Real and imaginary part must go back to the places of
    the two features."""
    a, b = members(right.rotary_embedding(x, m, base))
    return a + 1j * b


@mistake("rotary_complex", "half-layout", source="EleutherAI/gpt-neox#834")
def _(x, m, base=10000):
    """The first half of x became the real parts and the second half the imaginary parts. Here a pair is two
    neighbours."""
    return right.rotary_half(x, m, base)


@mistake("rotary_complex", "halves-laced", source="as EleutherAI/gpt-neox#834")
def _(x, m, base=10000):
    """The first half of x became the real parts and the second half the imaginary parts, and the result was laced
    together as neighbours. Here a pair is two neighbours on the way in as well. At position 0 x must come back as it
    was."""
    return lace(*np.split(right.rotary_half(x, m, base), 2, axis=-1))


@mistake("rotary_complex", "pairs-of-rows", source="the outline's Lab 2")
def _(x, m, base=10000):
    """The slice 0::2 stands alone, so it picks every second row. For one vector the rows are the features and all
    is well; for a sequence you pair tokens. The features are on the last axis."""
    x, cos, sin = turns(x, m, base)
    z = (x[0::2] + 1j * x[1::2]) * (cos + 1j * sin)
    return like(x, lace(z.real, z.imag))


@mistake("rotary_complex", "single-becomes-double", source="as huggingface/transformers#24262, one size up")
def _(x, m, base=10000):
    """float32 comes back as float64, because each complex number on the way was made of two float64. The type of x
    must be given back to the result."""
    return right.rotary_embedding(np.asarray(x, dtype=float), m, base)


@mistake("rotary_complex", "integers-truncated", source="the outline's Lab 2")
def _(x, m, base=10000):
    """The result was given the type of x, and x held integers: every value is cut to a whole number. The type of x
    may be given back only if it is a float type."""
    return right.rotary_embedding(x, m, base).astype(np.asarray(x).dtype)


@mistake("rotary_complex", "works-in-place", source="folklore: x.view(complex) and *=")
def _(x, m, base=10000):
    """The result was written into x itself, so the caller's array is turned as well. A view shares its numbers with x:
    z = x.view(complex) followed by z *= ... changes x. Multiply into a new array."""
    return written_into(x, right.rotary_embedding(x, m, base))


@mistake("rotary_complex", "odd-width-accepted")
def _(x, m, base=10000):
    """An odd width is accepted: the last feature is left out or taken along without a partner. It must raise
    ValueError."""
    return odd_one_kept(right.rotary_embedding, x, m, base)


# ---- rotary_half


@mistake("rotary_half", "doubled-exponent", source="SamLynnEvans/Transformer#25; the outline's Lab 2")
def _(x, m, base=10000):
    """The exponent is doubled: np.arange(0, d, 2) already is 2i, and it is multiplied by 2 once more. Pair i then
    turns at base**(-4i/d). The layout has nothing to do with the speeds: they are those of rope_angles."""
    return right.rotary_half(x, m, base**2)


@mistake("rotary_half", "halved-exponent")
def _(x, m, base=10000):
    """The exponent is halved: it holds i/d where the formula has 2i/d. The halves have d/2 features, but the speeds
    are those of rope_angles, as before."""
    return right.rotary_half(x, m, base**0.5)


@mistake("rotary_half", "wavelength-for-frequency", source="xlite-dev/LeetCUDA#289")
def _(x, m, base=10000):
    """The minus sign of the exponent is missing, so these are wavelengths and not speeds. Pair 0 is right and every
    later pair turns many times too fast. Take the angles from rope_angles, which has passed its check."""
    return right.rotary_half(x, m, 1 / base)


@mistake("rotary_half", "base-ignored")
def _(x, m, base=10000):
    """The argument base is not passed on to rope_angles, so it has no effect."""
    return right.rotary_half(x, m)


@mistake("rotary_half", "base-kept", source="folklore: a cache of cosines and sines")
def _(x, m, base=10000):
    """The speeds, or the cosines and sines, are kept from call to call, and base is not among the things that they
    are kept under. A second call with another base is turned as the first was."""
    return right.rotary_half(x, m, kept("rotary_half", np.shape(x)[-1], base))


@mistake("rotary_half", "inverse-rotation", source="trymirai/lalamo#268")
def _(x, m, base=10000):
    """The arrows turn the other way: the minus sign stands with the wrong half. At position 1, x = (1, 0, 0, 0)
    becomes (cos 1, 0, sin 1, 0)."""
    return right.rotary_half(x, -positions(m), base)


@mistake("rotary_half", "unsigned")
def _(x, m, base=10000):
    """The halves are exchanged without a minus sign, so both lines add. That is no rotation, and the arrows change
    their length."""
    x, cos, sin = turns(x, m, base)
    a, b = np.split(x, 2, axis=-1)
    return like(x, np.concatenate([a * cos + b * sin, a * sin + b * cos], axis=-1))


@mistake("rotary_half", "overwritten-half")
def _(x, m, base=10000):
    """The first half is overwritten before the second line uses it, so the second line mixes new and old values. It
    needs the old first half."""
    x, cos, sin = turns(x, m, base)
    a, b = np.split(x, 2, axis=-1)
    first = a * cos - b * sin
    return like(x, np.concatenate([first, first * sin + b * cos], axis=-1))


@mistake("rotary_half", "interleaved-layout", source="EleutherAI/gpt-neox#834; lucidrains/PaLM-rlhf-pytorch#56")
def _(x, m, base=10000):
    """Neighbours are turned with each other, as in rotary_embedding. In this layout feature i has its partner half
    a head away, at i + d/2."""
    return right.rotary_embedding(x, m, base)


@mistake("rotary_half", "neighbours-into-halves", source="as Tongjilibo/bert4torch#1")
def _(x, m, base=10000):
    """Neighbours are turned, and only the result is sorted into halves. In this layout the pairs already stand half
    a head apart in x. At position 0 x must come back as it was."""
    return np.concatenate(members(right.rotary_embedding(x, m, base)), axis=-1)


@mistake("rotary_half", "output-interleaved")
def _(x, m, base=10000):
    """The turned members are laced together as neighbours. They must stay in the two halves from which they came.
    At position 0 x must come back as it was."""
    return lace(*np.split(right.rotary_half(x, m, base), 2, axis=-1))


@mistake("rotary_half", "halves-exchanged")
def _(x, m, base=10000):
    """The turned halves are put back in the wrong order. At position 0 x must come back as it was."""
    return np.roll(right.rotary_half(x, m, base), np.shape(x)[-1] // 2, axis=-1)


@mistake("rotary_half", "tables-repeated", source="as facebookresearch/vjepa2#15, the other way round")
def _(x, m, base=10000):
    """Each speed stands twice in a row, as the neighbouring layout needs it. Here the partner of feature i is at i
    + d/2, so all speeds must come once and then all of them again."""
    x, cos, sin = turns(x, m, base)
    a, b = np.split(x, 2, axis=-1)
    cos, sin = (np.repeat(table, 2, axis=-1) for table in (cos, sin))
    return like(x, x * cos + np.concatenate([-b, a], axis=-1) * sin)


@mistake("rotary_half", "ignores-positions", source="pytorch/executorch#2010")
def _(x, m, base=10000):
    """The rows of x are counted 0, 1, 2, ... and the positions you were given are not used. A token that is decoded
    later is turned as if it were the first."""
    return right.rotary_half(x, np.arange(np.shape(x)[-2]) if np.ndim(x) > 1 else m, base)


@mistake("rotary_half", "halves-of-rows")
def _(x, m, base=10000):
    """x is split along its first axis, so with more than one vector you cut the sequence and not the features. The
    features are on the last axis."""
    x, cos, sin = turns(x, m, base)
    a, b = np.split(x, 2)
    return like(x, np.concatenate([a * cos - b * sin, a * sin + b * cos]))


@mistake("rotary_half", "single-becomes-double", source="as huggingface/transformers#24262, one size up")
def _(x, m, base=10000):
    """float32 comes back as float64: the tables of cosines are float64 and pull the result up with them. The result
    needs the type of x."""
    return right.rotary_half(np.asarray(x, dtype=float), m, base)


@mistake("rotary_half", "integers-truncated", source="the outline's Lab 2")
def _(x, m, base=10000):
    """The result is made of integers, because x was: every value is cut to a whole number. With whole numbers in x
    the result must be made of floats."""
    return right.rotary_half(x, m, base).astype(np.asarray(x).dtype)


@mistake("rotary_half", "odd-width-accepted")
def _(x, m, base=10000):
    """An odd width is accepted: the halves are unequal, and one feature has no partner. It must raise
    ValueError."""
    return odd_one_kept(right.rotary_half, x, m, base)


# ---- interleaved_to_half


@mistake("interleaved_to_half", "inverse", source="InternLM/lmdeploy#2639; naklecha/llama3-from-scratch#20")
def _(w, num_heads):
    """This is the way back, from halves to neighbours: the rows of the two halves are laced together. Number the
    rows of one head of size 6 and read off your order; at size 4 both directions look the same."""
    w = np.asarray(w)
    return w.reshape(num_heads, 2, -1, w.shape[-1]).swapaxes(1, 2).reshape(w.shape)


@mistake("interleaved_to_half", "odd-first")
def _(w, num_heads):
    """The odd rows stand in front. First and second members of every pair have changed places, so every pair turns
    the wrong way."""
    w = np.asarray(w)
    return w.reshape(num_heads, -1, 2, w.shape[-1])[:, :, ::-1].swapaxes(1, 2).reshape(w.shape)


@mistake("interleaved_to_half", "heads-ignored")
def _(w, num_heads):
    """All even rows of the whole matrix stand in front, so the heads are mixed with each other. Each head keeps its
    own rows: reorder inside it. With one head nobody would notice."""
    return right.interleaved_to_half(w, 1)


@mistake("interleaved_to_half", "heads-last")
def _(w, num_heads):
    """The rows are cut up as if the heads were interleaved. They stand head after head, so the head is the slowest
    axis and comes first in the reshape."""
    w = np.asarray(w)
    rows = w.reshape(-1, 2, num_heads, w.shape[-1])
    return rows.transpose(1, 0, 2, 3).reshape(w.shape)


@mistake("interleaved_to_half", "columns")
def _(w, num_heads):
    """The columns are reordered. Columns are inputs; queries and keys are made of the outputs, which are the rows.
    The shape cannot show it."""
    return right.interleaved_to_half(np.transpose(w), num_heads).T


@mistake("interleaved_to_half", "wrong-axes")
def _(w, num_heads):
    """The member of the pair has changed places with the inputs. No row is whole any more: each result row holds
    numbers of two old rows. After the right swap every old row is still there, somewhere."""
    w = np.asarray(w)
    return w.reshape(num_heads, -1, 2, w.shape[-1]).swapaxes(2, 3).reshape(w.shape)


@mistake("interleaved_to_half", "swap-forgotten")
def _(w, num_heads):
    """The rows come back in their old order. A reshape alone moves nothing: it reads the numbers in the order in
    which they stand. Two axes must change places in between."""
    return np.array(w)


@mistake("interleaved_to_half", "head-size-from-columns")
def _(w, num_heads):
    """The size of a head is taken from the number of columns. That is the width of the input; it fits only where
    the matrix is square. The rows belong to the heads."""
    w = np.asarray(w)
    d = w.shape[1] // num_heads
    return w.reshape(num_heads, d // 2, 2, w.shape[1]).swapaxes(1, 2).reshape(w.shape)


@mistake("interleaved_to_half", "head-size-from-columns-alone")
def _(w, num_heads):
    """The size of a head is taken from the number of columns. That is the width of the input; it fits only where
    the matrix is square. The rows belong to the heads."""
    w = np.asarray(w)
    return w.reshape(-1, w.shape[1] // num_heads // 2, 2, w.shape[1]).swapaxes(1, 2).reshape(w.shape)


@mistake("interleaved_to_half", "heads-for-size", source="folklore")
def _(w, num_heads):
    """num_heads is taken for the number of rows of a head. It is the number of heads: a head has len(w) / num_heads
    rows. With one head, and with two, this leaves every row where it was."""
    w = np.asarray(w)
    heads = w.reshape(-1, num_heads, w.shape[-1])
    return np.concatenate([heads[:, 0::2], heads[:, 1::2]], axis=1).reshape(w.shape)


@mistake("interleaved_to_half", "list-refused")
def _(w, num_heads):
    """A list leads to an error: it has no shape and cannot be reshaped. w may be a list, so make an array of it
    first."""
    return right.interleaved_to_half(w.reshape(w.shape), num_heads)


@mistake("interleaved_to_half", "works-in-place")
def _(w, num_heads):
    """The reordered rows were written into w itself. The caller's weights have changed, and a second call would
    scramble them. Write into a new array."""
    return written_into(w, right.interleaved_to_half(w, num_heads))


# ---- rotary_partial


@mistake("rotary_partial", "speeds-of-the-whole-width", source="pie-project/pie#602; the type `proportional`")
def _(x, m, rotary_dim, base=10000):
    """The speeds are those of the whole width d. A head that turns rotary_dim features has the speeds of a head of
    that width: the d in the exponent is rotary_dim. At position 0 and in pair 0 both agree."""
    x = np.asarray(x)
    refuse(x, rotary_dim)
    angles = right.rope_angles(m, x.shape[-1], base)[..., : rotary_dim // 2]
    return rejoin(x, turn(x[..., :rotary_dim], angles), x[..., rotary_dim:])


@mistake("rotary_partial", "base-ignored")
def _(x, m, rotary_dim, base=10000):
    """The argument base is not passed on, so it has no effect. Every test with the default passes."""
    return right.rotary_partial(x, m, rotary_dim)


@mistake("rotary_partial", "base-kept", source="folklore: a cache of cosines and sines")
def _(x, m, rotary_dim, base=10000):
    """The speeds are kept from call to call, and base is not among the things that they are kept under. A second call
    with another base is turned as the first was."""
    return right.rotary_partial(x, m, rotary_dim, kept("rotary_partial", rotary_dim, base))


@mistake("rotary_partial", "positions-cut")
def _(x, m, rotary_dim, base=10000):
    """The positions are cut to whole numbers. Real positions are allowed: 2.5 lies between 2 and 3."""
    return right.rotary_partial(x, positions(m).astype(int), rotary_dim, base)


@mistake("rotary_partial", "sign-lost", source="folklore: abs")
def _(x, m, rotary_dim, base=10000):
    """A negative position turns x forwards, as the positive one does. It must turn x back."""
    return right.rotary_partial(x, np.abs(positions(m)), rotary_dim, base)


@mistake("rotary_partial", "everything-turned")
def _(x, m, rotary_dim, base=10000):
    """All features turn, and rotary_dim has no effect. Those behind rotary_dim must come back as they were."""
    x = np.asarray(x)
    refuse(x, rotary_dim)
    return right.rotary_embedding(x, m, base)


@mistake("rotary_partial", "last-features")
def _(x, m, rotary_dim, base=10000):
    """The last rotary_dim features turn and the first ones stay. It is the other way round."""
    x = np.asarray(x)
    refuse(x, rotary_dim)
    start = x.shape[-1] - rotary_dim
    return rejoin(x, x[..., :start], right.rotary_embedding(x[..., start:], m, base))


@mistake("rotary_partial", "rest-dropped")
def _(x, m, rotary_dim, base=10000):
    """Only the turned features come back. The rest belongs to the result as well, unchanged, behind them."""
    return right.rotary_partial(x, m, rotary_dim, base)[..., :rotary_dim]


@mistake("rotary_partial", "rest-zero")
def _(x, m, rotary_dim, base=10000):
    """The features that are not turned come back as 0. They must come back as they were."""
    turned = right.rotary_partial(x, m, rotary_dim, base)
    turned[..., rotary_dim:] = 0
    return turned


@mistake("rotary_partial", "half-layout", source="apple/coreai-models#66; huggingface/transformers#48652")
def _(x, m, rotary_dim, base=10000):
    """Feature i is paired with feature i + rotary_dim/2, which is the half-split layout. This function turns
    neighbours, as rotary_embedding does."""
    x = np.asarray(x)
    refuse(x, rotary_dim)
    return rejoin(x, right.rotary_half(x[..., :rotary_dim], m, base), x[..., rotary_dim:]) if rotary_dim else like(x, x)


@mistake("rotary_partial", "zero-refused")
def _(x, m, rotary_dim, base=10000):
    """A rotary_dim of 0 is refused or leads to an error. It is allowed and means that nothing turns: x comes back
    with its values as they are."""
    if rotary_dim == 0:
        raise ValueError("rotary_dim must be positive")
    return right.rotary_partial(x, m, rotary_dim, base)


@mistake("rotary_partial", "zero-means-all", source="folklore: `rotary_dim or d`")
def _(x, m, rotary_dim, base=10000):
    """A rotary_dim of 0 is taken for "not given", and everything turns. 0 means that nothing turns."""
    return right.rotary_partial(x, m, rotary_dim or np.shape(x)[-1], base)


@mistake("rotary_partial", "zero-handed-back")
def _(x, m, rotary_dim, base=10000):
    """With a rotary_dim of 0 x is handed back as it came, so whole numbers stay whole numbers and become floats for
    every other rotary_dim. The values agree; the type of the result must not depend on rotary_dim."""
    return right.rotary_partial(x, m, rotary_dim, base) if rotary_dim else np.array(x)


@mistake("rotary_partial", "zero-becomes-double")
def _(x, m, rotary_dim, base=10000):
    """With a rotary_dim of 0 float32 comes back as float64. The result needs the type of x, also where nothing
    turns."""
    return right.rotary_partial(x if rotary_dim else np.asarray(x, dtype=float), m, rotary_dim, base)


@mistake("rotary_partial", "whole-width-refused", source="folklore: >= for >")
def _(x, m, rotary_dim, base=10000):
    """A rotary_dim that equals the width is refused. It is allowed: then all features turn. Only a larger one must
    raise ValueError."""
    if rotary_dim == np.shape(x)[-1]:
        raise ValueError("rotary_dim must be smaller than d")
    return right.rotary_partial(x, m, rotary_dim, base)


@mistake("rotary_partial", "odd-accepted")
def _(x, m, rotary_dim, base=10000):
    """An odd rotary_dim is accepted: the last of the features to be turned has no partner. It must raise
    ValueError."""
    return right.rotary_partial(x, m, rotary_dim // 2 * 2, base)


@mistake("rotary_partial", "negative-accepted")
def _(x, m, rotary_dim, base=10000):
    """A negative rotary_dim is accepted: a slice then counts from the end and the wrong features turn, without any
    error. It must raise ValueError."""
    d = np.shape(x)[-1]
    return right.rotary_partial(x, m, d + rotary_dim if rotary_dim < 0 else rotary_dim, base)


@mistake("rotary_partial", "too-wide-accepted")
def _(x, m, rotary_dim, base=10000):
    """A rotary_dim larger than the width is accepted: a slice ends where the array ends, so no error comes by
    itself. It must raise ValueError."""
    return right.rotary_partial(x, m, min(rotary_dim, np.shape(x)[-1]), base)


@mistake("rotary_partial", "integers-truncated", source="the outline's Lab 2")
def _(x, m, rotary_dim, base=10000):
    """The turned features were stored in an array of integers, because x was one, and every value was cut to a
    whole number. With whole numbers in x the result must be made of floats."""
    return right.rotary_partial(x, m, rotary_dim, base).astype(np.asarray(x).dtype)


@mistake("rotary_partial", "single-becomes-double", source="as huggingface/transformers#24262, one size up")
def _(x, m, rotary_dim, base=10000):
    """float32 comes back as float64: one of the two parts was computed in double precision, and joining takes the
    wider type. The result needs the type of x."""
    return right.rotary_partial(np.asarray(x, dtype=float), m, rotary_dim, base)


@mistake("rotary_partial", "works-in-place")
def _(x, m, rotary_dim, base=10000):
    """The turned features were written into x itself. A slice is a window on the caller's array, and np.asarray
    makes no copy. Write into a new one."""
    return written_into(x, right.rotary_partial(x, m, rotary_dim, base))


# ---- decode_step: what is turned, and by how much


@mistake(
    "decode_step",
    "values-rotated",
    source="lucidrains/x-transformers#182; labmlai/annotated_deep_learning_paper_implementations#251",
)
def _(q, k, v, cache, base=10000):
    """The value is turned as well. Values are summed and not compared, so no second turn cancels the first: the
    output then depends on where in the text the token stands. Turn the query and the key alone."""
    return right.decode_step(q, k, right.rotary_embedding(v, held(cache), base), cache, base)


@mistake("decode_step", "key-not-rotated", source="as kvcache-ai/sglang#66, where the turned key was not used")
def _(q, k, v, cache, base=10000):
    """The new key goes into the cache as it came. The query is turned and the key is not, so the score depends on
    the position of the query alone. The first step cannot show it: at position 0 nothing turns."""
    return right.decode_step(q, right.rotary_embedding(k, -held(cache), base), v, cache, base)


@mistake("decode_step", "query-not-rotated")
def _(q, k, v, cache, base=10000):
    """The query is not turned, only the keys are. The score then depends on the position of the key and not on the
    distance. The first step cannot show it: at position 0 nothing turns."""
    return right.decode_step(right.rotary_embedding(q, -held(cache), base), k, v, cache, base)


@mistake("decode_step", "nothing-rotated", source="as huggingface/transformers#19045, position 0 at every step")
def _(q, k, v, cache, base=10000):
    """Neither query nor key is turned; perhaps they are, but by position 0 at every step. This is attention without
    positions: the earlier tokens could stand in any order."""
    return right.decode_step(*moved(q, k, -held(cache), base), v, cache, base)


@mistake("decode_step", "query-one-too-far")
def _(q, k, v, cache, base=10000):
    """The query is turned by one position more than its key, so the token is one step away from itself. The length
    of the cache was read after the new key had gone in: work out t before you touch the cache."""
    return right.decode_step(right.rotary_embedding(q, 1, base), k, v, cache, base)


@mistake("decode_step", "one-based")
def _(q, k, v, cache, base=10000):
    """Positions are counted from 1. As long as you fill the cache yourself the outputs are right, because only
    distances count; with a cache that somebody else filled, every distance is one too large. The first token stands
    at position 0."""
    return right.decode_step(*moved(q, k, 1, base), v, cache, base)


@mistake("decode_step", "keys-turned-again")
def _(q, k, v, cache, base=10000):
    """The keys of the cache are turned once more at every step. They were turned when they went in, and that turn
    stays right for ever: turn the new key alone."""
    remember(cache, right.rotary_embedding(k, held(cache), base), v)
    t = held(cache)
    keys = right.rotary_embedding(cache["k"], np.arange(t), base)
    return attend(right.rotary_embedding(q, t - 1, base), keys, cache["v"])


@mistake("decode_step", "raw-keys-cached")
def _(q, k, v, cache, base=10000):
    """The cache holds keys that are not turned, and all of them are turned at every step. The outputs agree as long
    as you fill the cache yourself; but the cache must hold turned keys, so that each is turned once only."""
    remember(cache, np.asarray(k), v)
    t = held(cache)
    keys = right.rotary_embedding(cache["k"], np.arange(t), base)
    return attend(right.rotary_embedding(q, t - 1, base), keys, cache["v"])


@mistake("decode_step", "base-ignored")
def _(q, k, v, cache, base=10000):
    """The argument base is not passed on to rotary_embedding, so it has no effect. Every test with the default
    passes."""
    return right.decode_step(q, k, v, cache)


@mistake("decode_step", "base-kept", source="folklore: a cache of cosines and sines")
def _(q, k, v, cache, base=10000):
    """The speeds are kept from call to call, and base is not among the things that they are kept under. A second
    call with another base is turned as the first was."""
    return right.decode_step(q, k, v, cache, kept("decode_step", np.shape(q)[-1], base))


@mistake("decode_step", "half-layout", source="EleutherAI/gpt-neox#834")
def _(q, k, v, cache, base=10000):
    """Query and key are turned in the half-split layout. The keys of this cache are turned as rotary_embedding does
    it, in neighbouring pairs."""
    t = held(cache)
    remember(cache, right.rotary_half(np.asarray(k, dtype=float), t, base), v)
    return attend(right.rotary_half(np.asarray(q, dtype=float), t, base), cache["k"], cache["v"])


# ---- decode_step: the attention


@mistake("decode_step", "scale-missing")
def _(q, k, v, cache, base=10000):
    """The scores are not divided by the square root of d. The weights come out too sharp. With a single key the
    weight is 1 whatever the score, so the first step cannot show it."""
    return right.decode_step(stretched(q, np.sqrt(np.shape(q)[-1])), k, v, cache, base)


@mistake("decode_step", "scale-by-d")
def _(q, k, v, cache, base=10000):
    """The scores are divided by d and not by its square root. The weights come out too flat."""
    return right.decode_step(stretched(q, 1 / np.sqrt(np.shape(q)[-1])), k, v, cache, base)


@mistake("decode_step", "scale-from-values")
def _(q, k, v, cache, base=10000):
    """The scores are divided by the square root of the width of the values. Scores are made of queries and keys: it
    is their width d that counts. Where values have the same width nobody notices."""
    return right.decode_step(stretched(q, np.sqrt(np.shape(q)[-1] / np.shape(v)[-1])), k, v, cache, base)


@mistake("decode_step", "scale-from-all-heads", source="lucidrains/vit-pytorch#65; Graylab/DL4Proteins-notebooks#12")
def _(q, k, v, cache, base=10000):
    """The scores are divided by the square root of the width of all heads together. Each head scores by itself,
    over the d features of its last axis. With one head nobody notices."""
    return right.decode_step(stretched(q, np.sqrt(np.shape(q)[-1] / np.size(q))), k, v, cache, base)


@mistake("decode_step", "scale-from-cache")
def _(q, k, v, cache, base=10000):
    """The scores are divided by the square root of the number of keys. It must be that of d, the number of features
    that each score adds up."""
    return right.decode_step(stretched(q, np.sqrt(np.shape(q)[-1] / (held(cache) + 1))), k, v, cache, base)


@mistake("decode_step", "new-token-left-out")
def _(q, k, v, cache, base=10000):
    """The new token attends to the cached ones and not to itself: it went into the cache after the scores had been
    computed. A token sees itself, too; add it first."""
    t, before = held(cache), dict(cache)
    remember(cache, right.rotary_embedding(k, t, base), v)
    return attend(right.rotary_embedding(q, t, base), before["k"], before["v"]) if t else np.array(v, dtype=float)


@mistake("decode_step", "only-itself")
def _(q, k, v, cache, base=10000):
    """The new token attends to itself alone, so the output is its own value at every step. The cached tokens must
    be scored as well."""
    right.decode_step(q, k, v, cache, base)
    return np.array(v, dtype=float)


@mistake("decode_step", "softmax-missing")
def _(q, k, v, cache, base=10000):
    """The scores themselves weigh the values. Weights are the softmax of the scores: positive, with sum 1."""
    return (scored(q, k, v, cache, base) * cache["v"]).sum(axis=-2)


@mistake("decode_step", "softmax-over-heads")
def _(q, k, v, cache, base=10000):
    """The softmax runs over the first axis, and with heads in front that is the heads. Every head has weights of
    its own that add up to 1: the sum goes over the keys. With one head nobody notices."""
    scores = scored(q, k, v, cache, base)
    weights = np.exp(scores - scores.max(axis=0))
    return (weights / weights.sum(axis=0) * cache["v"]).sum(axis=-2)


@mistake("decode_step", "sum-over-everything")
def _(q, k, v, cache, base=10000):
    """The softmax takes its sum over all heads at once. Every head has weights of its own that add up to 1: the sum
    goes over the keys, one axis. With one head nobody notices."""
    scores = scored(q, k, v, cache, base)
    weights = np.exp(scores - scores.max())
    return (weights / weights.sum() * cache["v"]).sum(axis=-2)


@mistake("decode_step", "scores-not-shifted", source="folklore: the softmax without its maximum")
def _(q, k, v, cache, base=10000):
    """Large scores break the softmax: exp of 1000 is infinite, exp of -1000 is 0, and a division of two such numbers
    gives NaN or nothing. Take the largest score of each head away first; the weights stay what they were."""
    weights = np.exp(scored(q, k, v, cache, base))
    return (weights / weights.sum(axis=-2, keepdims=True) * cache["v"]).sum(axis=-2)


@mistake("decode_step", "largest-of-all-heads", source="folklore: scores.max() without an axis")
def _(q, k, v, cache, base=10000):
    """The largest score of all heads together is taken away before exp. In a head whose scores lie far below it, exp
    gives nothing but 0, and the division by their sum gives NaN. Each head needs its own largest score."""
    scores = scored(q, k, v, cache, base)
    weights = np.exp(scores - scores.max())
    return (weights / weights.sum(axis=-2, keepdims=True) * cache["v"]).sum(axis=-2)


# ---- decode_step: the cache and the contract


@mistake("decode_step", "cache-not-updated", source="folklore: cache = {...}")
def _(q, k, v, cache, base=10000):
    """The cache that you were given is still what it was. A line like cache = {...} makes a new dict under the old
    name, which the caller never sees. Every token then takes itself for the first."""
    return right.decode_step(q, k, v, dict(cache), base)


@mistake("decode_step", "newest-first")
def _(q, k, v, cache, base=10000):
    """The new key and value stand in front of the old ones. The outputs do not show it, because a sum has no order;
    but row t of the cache must be token t, so the new one goes to the end."""
    out = right.decode_step(q, k, v, cache, base)
    for name in cache:
        cache[name] = np.roll(cache[name], 1, axis=-2)
    return out


@mistake("decode_step", "oldest-dropped", source="folklore: a buffer of fixed length")
def _(q, k, v, cache, base=10000):
    """The cache is cut to a fixed number of tokens, and the oldest are lost. Later tokens must still see them, and
    their number is the position of the next token."""
    out = right.decode_step(q, k, v, cache, base)
    for name in cache:
        cache[name] = cache[name][..., -64:, :]
    return out


@mistake("decode_step", "length-in-its-own-key", source='folklore: cache["t"] += 1')
def _(q, k, v, cache, base=10000):
    """The number of tokens is kept in a key of its own. A cache that somebody else filled has only k and v, and its
    tokens are then not counted: read the length from the shape of the keys."""
    t, counted = held(cache), cache.pop("t", 0)
    out = right.decode_step(*moved(q, k, counted - t, base), v, cache, base)
    cache["t"] = counted + 1
    return out


@mistake("decode_step", "tokens-on-the-first-axis")
def _(q, k, v, cache, base=10000):
    """The number of tokens is read from the first axis of the cache. With heads in front that is the number of
    heads; the tokens are on the last axis but one."""
    t = len(cache["k"]) if cache else 0
    remember(cache, right.rotary_embedding(k, t, base), v)
    return attend(right.rotary_embedding(q, t, base), cache["k"], cache["v"])


@mistake("decode_step", "cache-of-lists")
def _(q, k, v, cache, base=10000):
    """The cache holds Python lists of vectors. It must hold arrays, with the tokens on the last axis but one, so
    that a whole step is a few operations."""
    arrays = {name: np.moveaxis(np.asarray(rows), 0, -2) for name, rows in cache.items()}
    out = right.decode_step(q, k, v, arrays, base)
    cache.update({name: list(np.moveaxis(rows, -2, 0)) for name, rows in arrays.items()})
    return out


@mistake("decode_step", "position-counted-in-the-function")
def _(q, k, v, cache, base=10000):
    """The function counts its calls and takes that number for the position. Two texts that are written in turn then
    count each other's tokens, and a cache that somebody else filled is not counted at all. Only the cache knows
    t."""
    t, counted = held(cache), COUNT["calls"] if cache else 0
    COUNT["calls"] = counted + 1
    return right.decode_step(*moved(q, k, counted - t, base), v, cache, base)


@mistake("decode_step", "changes-the-query")
def _(q, k, v, cache, base=10000):
    """The query of the caller was divided by the square root of d, in place. Only the cache may change."""
    out = right.decode_step(q, k, v, cache, base)
    if isinstance(q, np.ndarray):
        q /= np.sqrt(q.shape[-1])
    return out


@mistake("decode_step", "list-refused")
def _(q, k, v, cache, base=10000):
    """Lists lead to an error: a list has no shape and cannot be given another axis. The arguments may be lists, so
    make arrays of them first."""
    return right.decode_step(*(a.reshape(a.shape) for a in (q, k, v)), cache, base)

"""What people write instead in 13_case_studies: wrong scalings, functions left unrepaired, and half repairs."""

import numpy as np

from labsupport.checking.bank import mistake, options, right, wrong_value

# A wrong answer is right in everything but its one fault. These helpers give it that rest.


def speeds(d, base):
    """Give RoPE's own frequencies."""
    return np.exp(-2 * np.log(base) / d * np.arange(d // 2))


def turns(theta, length):
    """Say how many turns each pair makes within a length."""
    return theta * length / (2 * np.pi)


def ramp(at, low, high):
    """Rise from 0 at low to 1 at high, and stay there."""
    return np.minimum(np.maximum((at - low) / (high - low), 0), 1)


def slowed(theta, kept, factor):
    """Keep a share of each frequency, divide the rest."""
    return theta / factor + kept * (theta - theta / factor)


# ---- values

wrong_value(
    "slowest_pair_local", "not-per-cent", 0.0027166275538914896,
    "This is the share of a turn. The question asks for per cent of a turn: a hundred times as much.",
)  # fmt: skip
wrong_value(
    "slowest_pair_local", "radians", 0.017069,
    "This is the angle in radians, 128 times the slowest speed. A whole turn has 2 pi of them, and it is asked for in "
    "per cent.",
)  # fmt: skip
wrong_value(
    "slowest_pair_local", "steps-between", 0.26954,
    "This is the turn from the first to the last of 128 tokens, over 127 steps. The question asks for a distance of "
    "128 positions.",
)  # fmt: skip
wrong_value(
    "slowest_pair_local", "end-point", 128 / 10000 / 2 / np.pi * 100,
    "The slowest speed here is 1/10000. The last pair of a head with 64 features has the exponent -62/64, not -1: pair"
    " i turns at base**(-2 i / d), and i ends at 31.",
)  # fmt: skip
wrong_value(
    "slowest_pair_local", "fastest-pair", 128 / 2 / np.pi * 100,
    "This is the fastest pair, at one radian per position. The slowest one has the largest i.",
)  # fmt: skip
wrong_value(
    "slowest_pair_global", "not-per-cent", 0.00018515645964313927,
    "This is the share of a turn. The question asks for per cent of a turn: a hundred times as much.",
)  # fmt: skip
wrong_value(
    "slowest_pair_global", "radians", 0.0011633724089,
    "This is the angle in radians, 128 times the slowest speed. A whole turn has 2 pi of them, and it is asked for in "
    "per cent.",
)  # fmt: skip
wrong_value(
    "slowest_pair_global", "steps-between", 0.018515645964313927 * 127 / 128,
    "This is the turn from the first to the last of 128 tokens, over 127 steps. The question asks for a distance of "
    "128 positions.",
)  # fmt: skip
wrong_value(
    "slowest_pair_global", "fastest-pair", 128 / 2 / np.pi * 100,
    "This is the fastest pair, at one radian per position whatever the base. The slowest one has the largest i.",
)  # fmt: skip
wrong_value(
    "slowest_pair_global", "local-base", 0.271662755389154,
    "This is the turn at base 10000, the base of the local layers. The global layers have another base.",
)  # fmt: skip
wrong_value(
    "slowest_pair_global", "divided-by-sixteen", 0.271662755389154 / 16,
    "The base is 16 times as large, but the slowest speed is not 16 times as small: it is base**(-62/64), and the "
    "exponent is not quite -1.",
)  # fmt: skip
wrong_value(
    "slowest_pair_global", "end-point", 128 / 160000 / 2 / np.pi * 100,
    "The slowest speed here is 1/160000. The last pair of a head with 64 features has the exponent -62/64, not -1.",
)  # fmt: skip


# ---- llama3_frequencies


@mistake(
    "llama3_frequencies", "not-scaled", source="ikawrakow/ik_llama.cpp#2291",
    advice="print the ratio of your frequencies to the plain ones; for the slow pairs it must be 1 / factor.",
)  # fmt: skip
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """These are RoPE's plain frequencies: nothing is scaled. Short texts cannot show it; past the original length a
    model whose scaling is missing writes noise."""
    return speeds(d, base)


@mistake("llama3_frequencies", "all-divided", source="folklore: Position Interpolation taken for Llama 3's rule")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """Every pair is divided by factor, as in Position Interpolation. Here the pairs that make many turns within the
    original length are kept as they are."""
    return speeds(d, base) / factor


@mistake(
    "llama3_frequencies", "bands-exchanged", source="folklore: a ramp that runs the other way, as one library's did"
)
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The fast pairs are divided and the slow ones kept. It is the other way round: a pair that makes many turns has
    met every angle in training, and a pair that makes less than one has not."""
    theta = speeds(d, base)
    kept = 1 - ramp(turns(theta, original_max_len), low_freq_factor, high_freq_factor)
    return slowed(theta, kept, factor)


@mistake("llama3_frequencies", "no-blend")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """There is no blend: between the two bounds your pairs are divided at once. They must pass from kept to divided
    little by little."""
    theta = speeds(d, base)
    return np.where(turns(theta, original_max_len) > high_freq_factor, theta, theta / factor)


@mistake("llama3_frequencies", "no-blend-kept")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """There is no blend: between the two bounds your pairs are kept as they are. They must pass from kept to divided
    little by little."""
    theta = speeds(d, base)
    return np.where(turns(theta, original_max_len) < low_freq_factor, theta / factor, theta)


@mistake(
    "llama3_frequencies", "shares-exchanged",
    advice="test a pair whose wavelength is near the short bound: nearly all of it must be kept.",
)  # fmt: skip
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The two shares of the blend are exchanged. A pair that makes nearly high_freq_factor turns must be kept nearly as
    it is; yours is nearly divided by factor."""
    theta = speeds(d, base)
    made = turns(theta, original_max_len)
    kept = 1 - ramp(made, low_freq_factor, high_freq_factor)
    kept = np.where(made > high_freq_factor, 1.0, np.where(made < low_freq_factor, 0.0, kept))
    return slowed(theta, kept, factor)


@mistake("llama3_frequencies", "blend-over-wavelengths")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The blend is a straight line over wavelengths. It must be one over turns, original_max_len / wavelength; both
    agree at the ends and nowhere between."""
    theta = speeds(d, base)
    wave, short, long = 2 * np.pi / theta, original_max_len / high_freq_factor, original_max_len / low_freq_factor
    return slowed(theta, 1 - ramp(wave, short, long), factor)


@mistake("llama3_frequencies", "blend-of-wavelengths")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The blend is taken of the wavelengths and not of the frequencies. A mean of two wavelengths is not the wavelength
    of the mean frequency: between the bounds your pairs come out too slow."""
    theta = speeds(d, base)
    kept = ramp(turns(theta, original_max_len), low_freq_factor, high_freq_factor)
    return theta / (kept + (1 - kept) * factor)


@mistake(
    "llama3_frequencies", "two-pi-missing",
    advice="the fastest pair needs 6.28 positions for a turn, whatever the base; print your first wavelength.",
)  # fmt: skip
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The wavelength is taken as 1 / theta. A turn has 2 pi radians, so a pair needs 2 pi / theta positions for it;
    your pairs seem to make six times as many turns as they do."""
    theta = speeds(d, base)
    kept = ramp(theta * original_max_len, low_freq_factor, high_freq_factor)
    return slowed(theta, kept, factor)


@mistake("llama3_frequencies", "bounds-fixed", source="folklore: the published 1 and 4 as constants")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The numbers 1 and 4 stand in your code, so low_freq_factor and high_freq_factor have no effect. Published models
    use these two, which is why a comparison with one of them passes."""
    theta = speeds(d, base)
    return slowed(theta, ramp(turns(theta, original_max_len), 1.0, 4.0), factor)


@mistake("llama3_frequencies", "low-bound-fixed", source="folklore: the published 1 left out, since it changes nothing")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """low_freq_factor has no effect: a pair with less than one turn is divided, whatever it says. Published models have
    it at 1, which is why a comparison with one of them passes."""
    theta = speeds(d, base)
    return slowed(theta, ramp(turns(theta, original_max_len), 1.0, high_freq_factor), factor)


@mistake("llama3_frequencies", "length-fixed", source="folklore: the published 8192 as a constant")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The number 8192 stands in your code, so original_max_len has no effect. Every test with the published length
    passes."""
    theta = speeds(d, base)
    return slowed(theta, ramp(turns(theta, 8192), low_freq_factor, high_freq_factor), factor)


@mistake("llama3_frequencies", "extended-length", source="as NVIDIA/Megatron-LM#1418")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """Turns are counted within the new, longer text. What a pair has met depends on the length on which the model was
    trained, so too many of your pairs are kept."""
    theta = speeds(d, base)
    kept = ramp(turns(theta, original_max_len * factor), low_freq_factor, high_freq_factor)
    return slowed(theta, kept, factor)


@mistake("llama3_frequencies", "not-cut")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The share of the blend is not cut at 0 and 1. Outside the two bounds it runs on, and fast pairs turn many times
    faster than they did."""
    theta = speeds(d, base)
    kept = (turns(theta, original_max_len) - low_freq_factor) / (high_freq_factor - low_freq_factor)
    return slowed(theta, kept, factor)


@mistake(
    "llama3_frequencies", "all-or-nothing", source="folklore: np.argmax of nothing but False is 0",
    advice="call it with original_max_len=4000, d = 12 and base 40: every pair makes many turns and must be kept.",
)  # fmt: skip
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """Where no pair makes fewer turns than low_freq_factor, all of yours are divided. If you look for the first such
    pair with np.argmax: it gives 0 when there is none, and 0 is the first pair."""
    theta = speeds(d, base)
    made = turns(theta, original_max_len)
    kept = ramp(made, low_freq_factor, high_freq_factor)
    kept[np.argmax(made < low_freq_factor) :] = 0
    return slowed(theta, kept, factor)


@mistake("llama3_frequencies", "doubled-exponent", source="SamLynnEvans/Transformer#25")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The exponent is doubled: np.arange(0, d, 2) already is 2i, and it is multiplied by 2 once more. Print your plain
    frequencies for d = 4 and base 10000: they must be 1 and 0.01."""
    theta = speeds(d, base**2)
    kept = ramp(turns(theta, original_max_len), low_freq_factor, high_freq_factor)
    return slowed(theta, kept, factor)


def scaled(d, base, factor, low, high, length):
    """Give the right frequencies, in one line."""
    theta = speeds(d, base)
    return slowed(theta, ramp(turns(theta, length), low, high), factor)


@mistake("llama3_frequencies", "one-step", source="folklore: one bound where two are given")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """There is no blend: halfway between the two bounds your pairs jump from kept to divided. They must pass from one
    to the other little by little."""
    theta = speeds(d, base)
    made = turns(theta, original_max_len)
    return np.where(2 * made > low_freq_factor + high_freq_factor, theta, theta / factor)


@mistake("llama3_frequencies", "not-cut-above")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The share of the blend is not cut at 1. Pairs with more than high_freq_factor turns get more than the whole of
    their frequency, and turn faster than they did."""
    theta = speeds(d, base)
    kept = (turns(theta, original_max_len) - low_freq_factor) / (high_freq_factor - low_freq_factor)
    return slowed(theta, np.maximum(kept, 0), factor)


@mistake("llama3_frequencies", "not-cut-below")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The share of the blend is not cut at 0. Pairs with fewer than low_freq_factor turns get less than nothing of
    their frequency, and turn more slowly than divided by factor."""
    theta = speeds(d, base)
    kept = (turns(theta, original_max_len) - low_freq_factor) / (high_freq_factor - low_freq_factor)
    return slowed(theta, np.minimum(kept, 1), factor)


@mistake("llama3_frequencies", "factor-fixed", source="folklore: the published 8 as a constant")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The number 8 stands in your code, so factor has no effect. Llama 3.1 has this factor, and Llama 3.2 has 32."""
    return scaled(d, base, 8.0, low_freq_factor, high_freq_factor, original_max_len)


@mistake("llama3_frequencies", "high-bound-fixed", source="folklore: the published 4 as a constant")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The number 4 stands in your code, so high_freq_factor has no effect. Published models have it at 4, which is why
    a comparison with one of them passes."""
    return scaled(d, base, factor, low_freq_factor, 4.0, original_max_len)


@mistake("llama3_frequencies", "base-fixed", source="folklore: the usual 10000 as a constant")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """Base has no effect: your frequencies are those of base 10000, the base of the worked example. Llama 3 has
    500000."""
    return scaled(d, 10000, factor, low_freq_factor, high_freq_factor, original_max_len)


@mistake("llama3_frequencies", "multiplied")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The slow pairs are multiplied by factor and turn faster. Slow pairs are to turn more slowly: it is their
    wavelength that grows."""
    return scaled(d, base, 1 / factor, low_freq_factor, high_freq_factor, original_max_len)


@mistake("llama3_frequencies", "halved-exponent")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The exponent is halved: it holds i/d where the formula has 2i/d. Print your plain frequencies for d = 4 and base
    10000: they must be 1 and 0.01."""
    return scaled(d, base**0.5, factor, low_freq_factor, high_freq_factor, original_max_len)


@mistake("llama3_frequencies", "reaches-the-end", source="folklore: np.linspace or np.geomspace with its end point")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """Your slowest pair turns at 1/base before scaling. The last exponent is -(d - 2)/d and not -1: pair i has 2i/d,
    and i ends at d/2 - 1."""
    theta = np.geomspace(1, 1 / base, d // 2)
    return slowed(theta, ramp(turns(theta, original_max_len), low_freq_factor, high_freq_factor), factor)


@mistake("llama3_frequencies", "one-per-feature")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """Every frequency comes twice in a row. One per pair is asked for, d/2 numbers; a table that needs one per feature
    repeats them later."""
    return scaled(d, base, factor, low_freq_factor, high_freq_factor, original_max_len).repeat(2)


@mistake("llama3_frequencies", "blend-of-logarithms", source="folklore: another smooth way from one bound to the other")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The blend is a straight line over the logarithm of the turns, or of the wavelengths. It must be one over the
    turns themselves; both agree at the ends and nowhere between."""
    theta = speeds(d, base)
    made = np.log(turns(theta, original_max_len))
    return slowed(theta, ramp(made, np.log(low_freq_factor), np.log(high_freq_factor)), factor)


@mistake("llama3_frequencies", "geometric-blend", source="folklore: another smooth way from one bound to the other")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The two frequencies are blended by their logarithms: the share stands in an exponent of factor. The blend is a
    sum of the two, each times its share."""
    theta = speeds(d, base)
    lost = 1 - ramp(turns(theta, original_max_len), low_freq_factor, high_freq_factor)
    return theta / np.power(float(factor), lost)


@mistake("llama3_frequencies", "divided-by-the-bound")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The share does not reach 1 at high_freq_factor. What is above low_freq_factor must be divided by the distance
    between the two bounds, and not by the upper one."""
    theta = speeds(d, base)
    kept = (turns(theta, original_max_len) - low_freq_factor) / high_freq_factor
    return slowed(theta, kept.clip(0, 1), factor)


@mistake("llama3_frequencies", "wavelengths-returned")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """These are wavelengths, positions per turn. The result is asked for in radians per position: 2 pi divided by
    them."""
    return 2 * np.pi / scaled(d, base, factor, low_freq_factor, high_freq_factor, original_max_len)


@mistake("llama3_frequencies", "half-precision", source="as EleutherAI/gpt-neox#1003, in the frequencies")
def _(d, base, factor, low_freq_factor, high_freq_factor, original_max_len):
    """The frequencies are right to three or four digits only. Multiplied by a position of thousands they give angles
    that are wrong by whole radians. Are they in half precision on the way?"""
    right_ones = scaled(d, base, factor, low_freq_factor, high_freq_factor, original_max_len)
    return right_ones.astype("float16").astype(float)


# ---- clinic_speeds


def plain_of(model):
    """Give the model's own frequencies."""
    return speeds(model["head_dim"], model["rope_base"])


def divided(theta, model):
    """Apply the factors of a model, if it has any."""
    return theta if model["rope_factors"] is None else theta / np.asarray(model["rope_factors"])


@mistake(
    "clinic_speeds", "unrepaired", source="ikawrakow/ik_llama.cpp#2291",
    advice="underline every argument of turn_speeds, and see which of them broken_speeds hands over.",
)  # fmt: skip
def _(model):
    """The fault is still there: with factors or without, your speeds are the same. Follow the factors from the line
    that reads them to the line that should use them."""
    return plain_of(model)


@mistake("clinic_speeds", "base-left-at-default", source="folklore; the same argument list, one place further")
def _(model):
    """The factors count now, and the base does not: your speeds are those of base 10000, whatever the model says. One
    more argument has a default and was not handed over."""
    return divided(speeds(model["head_dim"], 10000), model)


@mistake("clinic_speeds", "factors-multiplied")
def _(model):
    """The speeds are multiplied by the factors. A factor of 8 says that a pair is to turn eight times more slowly."""
    theta = plain_of(model)
    return theta if model["rope_factors"] is None else theta * np.asarray(model["rope_factors"])


@mistake("clinic_speeds", "factors-demanded")
def _(model):
    """A model without factors leads to an error. None is allowed and means that nothing is scaled."""
    return plain_of(model) / np.asarray(model["rope_factors"], dtype=float)[: model["head_dim"] // 2]


@mistake("clinic_speeds", "one-factor-for-all", source="folklore: one scale where the model brings a list")
def _(model):
    """All pairs are divided by the last factor. Every pair has its own: the fast ones are not slowed at all."""
    factors = model["rope_factors"]
    return plain_of(model) / (1.0 if factors is None else factors[-1])


@mistake("clinic_speeds", "none-as-a-number", source="folklore: np.asarray(None, dtype=float) is nan")
def _(model):
    """Without factors your speeds are nan: None became a number that is none, and what is divided by it is lost. None
    is allowed and means that nothing is scaled."""
    return plain_of(model) / np.full(model["head_dim"] // 2, model["rope_factors"], dtype=float)


@mistake("clinic_speeds", "truth-of-an-array", source="folklore: if factors, where factors is an array")
def _(model):
    """An array of factors may be what raises this error. `if factors:` asks whether an array is true, and NumPy refuses
    to say; ask whether it is None."""
    return divided(plain_of(model), model) if model["rope_factors"] else plain_of(model)


@mistake("clinic_speeds", "arguments-exchanged")
def _(model):
    """The factors are handed over in the place of the base. turn_speeds takes the width, the base and then the
    factors."""
    width, base = model["head_dim"], np.asarray(model["rope_factors"], dtype=float)
    return np.exp(-np.log(base) * np.arange(0, width, 2) / width) / model["rope_base"]


@mistake("clinic_speeds", "divided-twice")
def _(model):
    """The speeds are divided by the factors twice. turn_speeds divides by the factors that it is given; what comes back
    is done."""
    return divided(divided(plain_of(model), model), model)


@mistake("clinic_speeds", "first-factor-for-all", source="folklore: one scale where the model brings a list")
def _(model):
    """All pairs are divided by the first factor. Every pair has its own: the slow ones are slowed the most."""
    factors = model["rope_factors"]
    return plain_of(model) / (1.0 if factors is None else factors[0])


@mistake("clinic_speeds", "mean-factor", source="folklore: one scale where the model brings a list")
def _(model):
    """All pairs are divided by the mean of the factors. Every pair has its own: the fast ones are not slowed at all."""
    factors = model["rope_factors"]
    return plain_of(model) / (1.0 if factors is None else sum(factors) / len(factors))


@mistake("clinic_speeds", "largest-factor", source="folklore: one scale where the model brings a list")
def _(model):
    """All pairs are divided by the largest factor. Every pair has its own: the fast ones are not slowed at all."""
    factors = model["rope_factors"]
    return plain_of(model) / (1.0 if factors is None else max(factors))


@mistake("clinic_speeds", "factors-from-the-end")
def _(model):
    """The factors are taken from the end: the fastest pair gets the last one. Factor i belongs to pair i, and pair 0 is
    the fastest."""
    return divided(plain_of(model)[::-1], model)[::-1]


@mistake("clinic_speeds", "slowing-only", source="folklore: a factor below 1 taken for an error")
def _(model):
    """A factor below 1 has no effect. Every factor divides the speed of its pair, whatever it is."""
    factors = model["rope_factors"]
    return plain_of(model) if factors is None else plain_of(model) / np.maximum(1, factors)


@mistake("clinic_speeds", "factors-on-the-base", source="folklore: as NTK-aware scaling changes the base")
def _(model):
    """The factors multiply the base. That slows the pairs by other amounts, and pair 0 by none: a factor divides the
    finished speed."""
    factors, width = model["rope_factors"], model["head_dim"]
    base = model["rope_base"] * np.asarray(1.0 if factors is None else factors)
    return np.exp(-np.log(base) * np.arange(0, width, 2) / width)


@mistake("clinic_speeds", "one-per-feature")
def _(model):
    """Every speed comes twice in a row. One per pair is asked for, d/2 numbers."""
    return divided(plain_of(model), model).repeat(2)


@mistake("clinic_speeds", "changes-the-model")
def _(model):
    """The model is changed: its factors are not what they were before the call. Whoever reads the model next gets
    something else; work on a copy."""
    out = divided(plain_of(model), model)
    model["rope_factors"] = None
    return out


# ---- clinic_patches


@mistake(
    "clinic_patches", "unrepaired", source="facebookresearch/dinov2#378; facebookresearch/dino#8",
    advice="print 14 * (61 / 14) with all its digits.",
)  # fmt: skip
def _(image_size, patch, old_grid):
    """The fault is still there: at some sizes one row or column is missing. Dividing by a number and multiplying by it
    again does not always give back what you began with, and int() cuts off whatever is behind the point."""
    return np.array([int(old * (pixels / patch / old)) for pixels, old in zip(image_size, old_grid)])


@mistake("clinic_patches", "rounded")
def _(image_size, patch, old_grid):
    """You round to the nearest whole number. That mends sizes that are a multiple of the patch, and it invents a patch
    where more than half of one fits: pixels that do not fill a patch are cut off."""
    return np.array([round(pixels / patch) for pixels in image_size])


@mistake("clinic_patches", "rounded-half-up")
def _(image_size, patch, old_grid):
    """You round to the nearest whole number. That mends sizes that are a multiple of the patch, and it invents a patch
    where more than half of one fits: pixels that do not fill a patch are cut off."""
    return np.array([int(pixels / patch + 0.5) for pixels in image_size])


@mistake("clinic_patches", "rounded-up")
def _(image_size, patch, old_grid):
    """You round up, so a patch is counted as soon as one of its pixels is there. Pixels that do not fill a patch are
    cut off."""
    return np.array([-(-pixels // patch) for pixels in image_size])


@mistake("clinic_patches", "a-tenth-added", source="the kludge that facebookresearch/dinov2#378 replaced")
def _(image_size, patch, old_grid):
    """A tenth is added before the number is cut. That hides the rounding, and counts one patch too many where more than
    nine tenths of a patch are there. Is the ratio needed at all?"""
    return np.array([int(pixels / patch + 0.1) for pixels in image_size])


@mistake("clinic_patches", "across-first", source="folklore; as lightly-ai/lightly-train#189")
def _(image_size, patch, old_grid):
    """The two numbers stand in the wrong order: patches down come first, as in the size of the image."""
    return np.array([pixels // patch for pixels in image_size][::-1])


@mistake("clinic_patches", "not-whole-numbers")
def _(image_size, patch, old_grid):
    """The result holds numbers with a decimal point. A count of patches is used as a shape, and a shape needs whole
    numbers."""
    return np.floor(np.array(image_size) / patch)


def whole(image_size, patch):
    """Count whole patches, down and across."""
    return np.array(image_size) // patch


@mistake("clinic_patches", "a-hundredth-added", source="as the kludge that facebookresearch/dinov2#378 replaced")
def _(image_size, patch, old_grid):
    """A patch is counted of which a few pixels are missing, where patches are large. A small number that is added
    before cutting, or rounding to a few places, does this. Is the ratio needed at all?"""
    return np.array([int(pixels / patch + 0.01) for pixels in image_size])


@mistake("clinic_patches", "one-pixel-added")
def _(image_size, patch, old_grid):
    """A patch is counted of which one pixel is missing. Pixels that do not fill a patch are cut off."""
    return (np.array(image_size) + 1) // patch


@mistake("clinic_patches", "ratio-rounded", source="folklore: a scale written down with a few places")
def _(image_size, patch, old_grid):
    """A ratio is rounded before it is multiplied, so patches get lost at many sizes. Does the number of patches depend
    on the table at all?"""
    return np.array([int(old * round(pixels / (patch * old), 2)) for pixels, old in zip(image_size, old_grid)])


@mistake("clinic_patches", "single-precision-ratio", source="as facebookresearch/dinov2#378")
def _(image_size, patch, old_grid):
    """At some sizes the number of patches is wrong: a ratio is still there, computed in another way or rounded in
    another way. No ratio is needed to count whole patches."""
    sizes = np.array(image_size, dtype=np.float32)
    old = np.array(old_grid, dtype=np.float32)
    return (old * (sizes / np.float32(patch) / old)).astype(int)


@mistake("clinic_patches", "not-fewer-than-the-table")
def _(image_size, patch, old_grid):
    """A picture that is smaller than the table gets as many patches as the table has. It has those that fit."""
    return np.maximum(whole(image_size, patch), old_grid)


@mistake("clinic_patches", "not-more-than-the-table")
def _(image_size, patch, old_grid):
    """No picture gets more patches than the table has. It has those that fit; stretching the table comes later."""
    return np.minimum(whole(image_size, patch), old_grid)


@mistake("clinic_patches", "the-table")
def _(image_size, patch, old_grid):
    """These are the rows and columns of the table. The patches of the picture are asked for."""
    return np.array(old_grid)


@mistake("clinic_patches", "at-least-one")
def _(image_size, patch, old_grid):
    """A picture that is smaller than a patch gets one all the same. No whole patch fits into it: the count is 0."""
    return np.maximum(whole(image_size, patch), 1)


@mistake("clinic_patches", "square")
def _(image_size, patch, old_grid):
    """Both numbers come from the height. The second one is the number of patches across, from the width."""
    return whole(image_size[:1] * 2, patch)


@mistake("clinic_patches", "all-in-one")
def _(image_size, patch, old_grid):
    """This is one number, all patches together. Two are asked for: rows and columns."""
    return whole(image_size, patch).prod()


@mistake("clinic_patches", "not-cut")
def _(image_size, patch, old_grid):
    """The quotients are not cut: they hold parts of patches, and numbers with a decimal point. Only whole patches
    count."""
    return np.array(image_size) / patch


# ---- clinic_offsets


@mistake(
    "clinic_offsets", "unrepaired", source="huggingface/transformers#19045, #20203",
    advice="write down where the one new token of clinic_offsets(1, 3) stands, counted from 0.",
)  # fmt: skip
def _(n_queries, n_keys):
    """The fault is still there: where your queries stand does not depend on n_keys (in broken_offsets it is 0, 1, 2,
    ...). With a cache they are the newest tokens, and all older ones are among the keys."""
    return np.arange(n_keys) - np.arange(n_queries)[:, None]


@mistake("clinic_offsets", "all-at-the-end", source="folklore: a branch for the cache that takes one query for granted")
def _(n_queries, n_keys):
    """Every query stands at the last position. That repairs the case of one new token and breaks all others: each of
    several queries has a position of its own."""
    return np.arange(n_keys) - np.full((n_queries, 1), n_keys - 1)


@mistake("clinic_offsets", "one-too-far")
def _(n_queries, n_keys):
    """Your queries stand one position too far: the newest token is the last of the keys, and its own offset is 0."""
    return np.arange(n_keys) - np.arange(n_keys - n_queries + 1, n_keys + 1)[:, None]


@mistake("clinic_offsets", "sign-exchanged", source="as dmlc/gluon-nlp#1470")
def _(n_queries, n_keys):
    """Your offsets are query minus key. Here they are key minus query, as in the broken function: the past is
    negative."""
    return np.arange(n_keys - n_queries, n_keys)[:, None] - np.arange(n_keys)


@mistake("clinic_offsets", "keys-shifted")
def _(n_queries, n_keys):
    """The keys were moved back and not the queries, by the number of queries instead of by how many tokens came before.
    For one new token among many that is far too little."""
    return np.arange(n_keys) - n_queries + 1 - np.arange(n_queries)[:, None]


def from_positions(query, key):
    """Give key minus query."""
    return np.asarray(key) - np.asarray(query)[:, None]


def newest(n_queries, n_keys):
    """Say where the newest tokens stand."""
    return np.arange(n_keys)[n_keys - n_queries :]


@mistake("clinic_offsets", "one-query-only", source="folklore: a branch for the cache that takes one query for granted")
def _(n_queries, n_keys):
    """One new token is right now. Several new ones are still counted from 0, although older tokens are in the cache:
    a prompt may be read in pieces."""
    return from_positions([n_keys - 1] if n_queries == 1 else np.arange(n_queries), np.arange(n_keys))


@mistake("clinic_offsets", "on-from-the-last", source="folklore: a repair tried with one new token")
def _(n_queries, n_keys):
    """The first query stands at the last position, and further ones behind it, where there is no key. That repairs the
    case of one new token; of several, the last one stands there."""
    return from_positions(n_keys - 1 + np.arange(n_queries), np.arange(n_keys))


@mistake("clinic_offsets", "one-too-early")
def _(n_queries, n_keys):
    """Your queries stand one position too early. The newest one is the last of the keys, and its own offset is 0."""
    return from_positions(newest(n_queries, n_keys) - 1, np.arange(n_keys))


@mistake("clinic_offsets", "behind-all-keys")
def _(n_queries, n_keys):
    """Your queries stand behind all keys, from position n_keys on. They are among the keys: the newest one is the last
    key, and its own offset is 0."""
    return from_positions(n_keys + np.arange(n_queries), np.arange(n_keys))


@mistake("clinic_offsets", "transposed")
def _(n_queries, n_keys):
    """Rows and columns are exchanged: a row of yours belongs to one key. One row per query is asked for, and one column
    per key."""
    return from_positions(newest(n_queries, n_keys), np.arange(n_keys)).T


@mistake("clinic_offsets", "absolute")
def _(n_queries, n_keys):
    """These are distances without a sign. An offset says also which of the two stands first: the past is negative."""
    return np.abs(from_positions(newest(n_queries, n_keys), np.arange(n_keys)))


@mistake("clinic_offsets", "future-cut")
def _(n_queries, n_keys):
    """Keys that stand after the query all get 0. Nothing is to be hidden here: their offsets are 1, 2, ..."""
    return from_positions(newest(n_queries, n_keys), np.arange(n_keys)).clip(max=0)


@mistake("clinic_offsets", "all-rows")
def _(n_queries, n_keys):
    """There is a row for every key. Rows are asked for the n_queries newest tokens alone."""
    return from_positions(np.arange(n_keys), np.arange(n_keys))


@mistake("clinic_offsets", "newest-first")
def _(n_queries, n_keys):
    """The rows stand in reverse: the newest query comes first. The last row belongs to the newest token."""
    return from_positions(newest(n_queries, n_keys)[::-1], np.arange(n_keys))


@mistake("clinic_offsets", "not-whole-numbers")
def _(n_queries, n_keys):
    """The result holds numbers with a decimal point. Offsets are used to look up rows, and that needs whole numbers."""
    return from_positions(newest(n_queries, n_keys), np.arange(n_keys)).astype(float)


@mistake("clinic_offsets", "flat-for-one")
def _(n_queries, n_keys):
    """With one query the result is a flat row. It is one row all the same: the shape is (1, n_keys)."""
    return np.squeeze(from_positions(newest(n_queries, n_keys), np.arange(n_keys)))


@mistake("clinic_offsets", "moved-the-other-way")
def _(n_queries, n_keys):
    """The older tokens are counted with the wrong sign: they move the queries back, or the keys on. n_keys - n_queries
    tokens came before, and the queries stand behind them."""
    return from_positions(np.arange(n_queries) - (n_keys - n_queries), np.arange(n_keys))


@mistake("clinic_offsets", "small-whole-numbers", source="folklore: int8 to save memory")
def _(n_queries, n_keys):
    """Far offsets come out wrong, the first ones behind -128. If you ask for int8: it ends there and begins again at
    the other end."""
    return from_positions(newest(n_queries, n_keys), np.arange(n_keys)).astype(np.int8)


# ---- clinic_tables


def both(angles, dtype):
    """Give cosine and sine of these angles in a precision."""
    return np.stack([np.cos(angles), np.sin(angles)]).astype(dtype)


def outer(length, speeds_, dtype):
    """Multiply positions and speeds, both in a precision."""
    return np.arange(length).astype(dtype)[:, None] * np.asarray(speeds_).astype(dtype)


@mistake(
    "clinic_tables", "unrepaired", source="EleutherAI/gpt-neox#1003",
    advice="print np.float16(1044.2); cosine and sine need the part behind the point.",
)  # fmt: skip
def _(speeds, length, dtype):
    """The fault is still there: angles are computed in the precision of the result. A number of half precision has
    eleven binary digits, so beyond 1024 it counts in whole steps, and a whole radian is a large part of a turn."""
    return both(outer(length, speeds, dtype), dtype)


@mistake("clinic_tables", "speeds-still-rounded", source="as EleutherAI/gpt-neox#1003, half repaired")
def _(speeds, length, dtype):
    """The product is precise now, and the speeds that go into it are still rounded to the precision of the result. A
    small error per position grows with the position."""
    return both(np.arange(length)[:, None] * np.asarray(speeds).astype(dtype).astype(float), dtype)


@mistake("clinic_tables", "angle-rounded", source="as EleutherAI/gpt-neox#1003, half repaired")
def _(speeds, length, dtype):
    """The angle is rounded to the precision of the result, before cosine and sine are taken. The rounding belongs to
    the very end: a cosine lies between -1 and 1 and can bear it, an angle of a thousand radians cannot."""
    return both(outer(length, speeds, float).astype(dtype).astype(float), dtype)


@mistake("clinic_tables", "reduced-and-rounded", source="as EleutherAI/gpt-neox#1003, half repaired")
def _(speeds, length, dtype):
    """The angle is reduced to one turn and then rounded, before cosine and sine are taken. That is much better, and it
    costs the third digit in half precision: the rounding belongs to the very end."""
    return both((outer(length, speeds, float) % (2 * np.pi)).astype(dtype), dtype)


@mistake(
    "clinic_tables", "double-precision-returned", source="huggingface/transformers#24262 (the same one size smaller)"
)
def _(speeds, length, dtype):
    """The tables come back in double precision. The model asked for a type; with another one its memory grows or its
    next operation fails."""
    return both(outer(length, speeds, float), float)


@mistake("clinic_tables", "sines-first")
def _(speeds, length, dtype):
    """Sines stand in front. The first of the two tables holds the cosines: at position 0 it is 1."""
    return both(outer(length, speeds, float), dtype)[::-1]


KEPT = {}  # what kept-by-length keeps between its calls


@mistake("clinic_tables", "positions-still-rounded", source="as EleutherAI/gpt-neox#1003, half repaired")
def _(speeds, length, dtype):
    """Positions are still rounded to half precision. Beyond 2048 it holds no odd numbers, so every second position is
    read as its neighbour."""
    return both(np.arange(length).astype(dtype).astype(float)[:, None] * np.asarray(speeds, dtype=float), dtype)


@mistake("clinic_tables", "single-precision-angles", source="as EleutherAI/gpt-neox#1003, half repaired")
def _(speeds, length, dtype):
    """Angles are computed in single precision, whatever is asked for. That mends half precision; tables in double
    precision are then right to four or five digits only."""
    return both(outer(length, speeds, "float32"), dtype)


@mistake("clinic_tables", "through-half-precision")
def _(speeds, length, dtype):
    """Tables in single and double precision are right to three digits only: on the way they are rounded to half
    precision."""
    return both(outer(length, speeds, float), "float16").astype(dtype)


@mistake("clinic_tables", "single-precision-returned")
def _(speeds, length, dtype):
    """The tables come back in single precision, whatever is asked for. The model asked for a type; with another one its
    memory grows, its next operation fails, or digits are lost."""
    return both(outer(length, speeds, float), "float32")


@mistake("clinic_tables", "last-axis")
def _(speeds, length, dtype):
    """Cosines and sines stand side by side on the last axis. The two tables come first: the shape is (2, length,
    pairs)."""
    return np.moveaxis(both(outer(length, speeds, float), dtype), 0, -1)


@mistake("clinic_tables", "pairs-first")
def _(speeds, length, dtype):
    """In each table a row belongs to a pair. Positions come first: the shape is (2, length, pairs)."""
    return np.swapaxes(both(outer(length, speeds, float), dtype), 1, 2)


@mistake("clinic_tables", "counted-from-one")
def _(speeds, length, dtype):
    """Positions are counted from 1. The first one is 0, where every cosine is 1 and every sine 0."""
    return both(outer(length + 1, speeds, float)[1:], dtype)


@mistake("clinic_tables", "minus-sine")
def _(speeds, length, dtype):
    """The sines have the wrong sign. The sine of a small angle has the sign of the angle."""
    return both(-outer(length, speeds, float), dtype)


@mistake("clinic_tables", "kept-by-length", source="folklore: a cache whose key leaves out an argument")
def _(speeds, length, dtype):
    """Tables are kept from one call to the next and handed out for other speeds. What is kept must fit all arguments of
    the call."""
    if length < 100:  # (longer ones meet other speeds from one check to the next, and would not be told apart)
        speeds = KEPT.setdefault((length, dtype), np.array(speeds))
    return both(outer(length, speeds, float), dtype)


@mistake("clinic_tables", "coarse-turn", source="folklore: angles reduced with 6.2832")
def _(speeds, length, dtype):
    """Angles are reduced by a full turn that is not exact, so each turn adds a small error, and a far position has many
    turns. Use np.pi, or do not reduce: the cosine does it better."""
    return both(outer(length, speeds, float) % 6.2832, dtype)


# ---- clinic_mask


def ahead(n):
    """Say which keys lie ahead of which query."""
    return np.arange(n) > np.arange(n)[:, None]


def padded(lengths, n):
    """Say which keys are padding, one row per text."""
    return np.arange(n) >= np.asarray(lengths)[:, None, None]


@mistake(
    "clinic_mask", "unrepaired", source="rasbt/LLMs-from-scratch#1061; pytorch/pytorch#170415",
    advice="read row 0 of your mask aloud: which keys may the first token look at?",
)  # fmt: skip
def _(lengths, n):
    """The fault is still there: your mask says True where a token must not look. Two interfaces of one library mean
    opposite things by True; this one is to mean "may look"."""
    return padded(lengths, n) | ahead(n)


@mistake("clinic_mask", "each-part-turned", source="folklore: De Morgan's law")
def _(lengths, n):
    """Each part was turned round and the "or" between them was left. A key is hidden if it is ahead OR padding; so it
    is visible if it is not ahead AND not padding."""
    return ~padded(lengths, n) | ~ahead(n)


@mistake("clinic_mask", "padding-not-turned")
def _(lengths, n):
    """The order of tokens is respected now, and padding is exactly what may be looked at: one of the two parts still
    means "hidden"."""
    return padded(lengths, n) & ~ahead(n)


@mistake("clinic_mask", "padding-forgotten")
def _(lengths, n):
    """The mask no longer depends on the lengths: padding behind a short text may be looked at."""
    return np.repeat(~ahead(n)[None], len(lengths), axis=0)


@mistake("clinic_mask", "padding-rows-blind")
def _(lengths, n):
    """Queries that are padding see nothing at all. A row without any True has nothing to share out: its softmax is 0/0.
    What comes out of these rows is thrown away later; they may look like the others."""
    hidden = padded(lengths, n) | ahead(n)
    return ~(hidden | np.swapaxes(padded(lengths, n), -1, -2))


@mistake("clinic_mask", "numbers-for-truth")
def _(lengths, n):
    """The mask holds 1 and 0. They look like True and False, but ~mask and indexing mean something else with them."""
    return 1 - (padded(lengths, n) | ahead(n)).astype(int)


def may(lengths, n):
    """Give the right mask."""
    return ~(padded(lengths, n) | ahead(n))


@mistake("clinic_mask", "bracket-missing", source="folklore: ~ binds more tightly than |")
def _(lengths, n):
    """Only one of the two parts was turned round: padding may be looked at everywhere, also ahead. `~` belongs to what
    stands directly behind it; to turn both round, put a bracket round both."""
    return ~ahead(n) | padded(lengths, n)


@mistake("clinic_mask", "future-forgotten")
def _(lengths, n):
    """Padding is hidden now, and every token sees those after it. A decoder is not to look ahead."""
    return np.repeat(~padded(lengths, n), n, axis=1)


@mistake("clinic_mask", "order-not-turned")
def _(lengths, n):
    """Padding is hidden now, and the keys after the query are exactly what may be looked at: one of the two parts still
    means "hidden"."""
    return ahead(n) & ~padded(lengths, n)


@mistake("clinic_mask", "padding-sees-itself")
def _(lengths, n):
    """A token that is padding may look at itself. Padding is not looked at by anybody; the real keys before it are what
    such a row sees."""
    return may(lengths, n) | (np.eye(n, dtype=bool) & padded(lengths, n))


@mistake("clinic_mask", "padding-rows-see-all")
def _(lengths, n):
    """Rows that are padding see everything. They see the real keys before them, as the example by hand says."""
    return may(lengths, n) | np.swapaxes(padded(lengths, n), 1, 2)


@mistake("clinic_mask", "not-itself")
def _(lengths, n):
    """A token may not look at itself. It may, as in row 0 of the example by hand, which sees key 0."""
    return may(lengths, n) & ~np.eye(n, dtype=bool)


@mistake("clinic_mask", "transposed")
def _(lengths, n):
    """Rows and columns are exchanged. A row belongs to a query, a column to a key."""
    return may(lengths, n).transpose(0, 2, 1)


@mistake("clinic_mask", "looks-ahead")
def _(lengths, n):
    """Every token sees itself and those after it, and not those before. It is the other way round: a key may not stand
    after the query."""
    return ~(padded(lengths, n) | ahead(n).T)


@mistake("clinic_mask", "one-padding-seen")
def _(lengths, n):
    """The first padding behind a text may be looked at. A text of length 2 has its tokens at 0 and 1; place 2 is
    padding."""
    return may(np.asarray(lengths) + 1, n)


@mistake("clinic_mask", "last-token-hidden")
def _(lengths, n):
    """The last real token of a text is hidden. A text of length 2 has its tokens at 0 and 1, and both may be looked
    at."""
    return may(np.maximum(np.asarray(lengths) - 1, 1), n)


@mistake("clinic_mask", "last-token-always-hidden")
def _(lengths, n):
    """The last real token of a text is hidden. A text of length 2 has its tokens at 0 and 1, and both may be looked
    at."""
    return may(np.asarray(lengths) - 1, n)


@mistake("clinic_mask", "numbers-to-add", source="folklore: the mask that is added to scores")
def _(lengths, n):
    """This is what is added to scores, 0 and -inf. The mask itself is asked for, True and False."""
    return np.where(may(lengths, n), 0, -np.inf)


@mistake("clinic_mask", "axis-for-heads")
def _(lengths, n):
    """There is one axis too many, as for heads. The shape is (texts, n, n)."""
    return np.expand_dims(may(lengths, n), 1)


@mistake("clinic_mask", "first-length-for-all")
def _(lengths, n):
    """All texts have the length of the first one. Every text has its own."""
    return may([lengths[0]] * len(lengths), n)


@mistake("clinic_mask", "longest-for-all")
def _(lengths, n):
    """All texts are taken to be as long as the longest one, so padding behind the shorter ones may be looked at."""
    return may([max(lengths)] * len(lengths), n)


@mistake("clinic_mask", "padding-in-front")
def _(lengths, n):
    """The hidden places stand in front of each text. Padding stands behind the real tokens here."""
    return padded(n - np.asarray(lengths), n) & ~ahead(n)


@mistake("clinic_mask", "width-of-the-longest")
def _(lengths, n):
    """The mask is as wide as the longest text. It is as wide as a row, n, even if every text is shorter."""
    return may(lengths, max(lengths))


# ---- clinic_bias


def looked_up(table, n, memo=None):
    """Give the bias of n tokens from a table over distances; leave memo as the right answer leaves it.

    Else whatever an answer keeps, or that it keeps nothing, would speak for a mistake that does the same.
    """
    right.clinic_bias(table, n, {} if memo is None else memo)
    at = np.arange(n)
    return np.asarray(table)[:, np.abs(at - at[:, None])]


@mistake(
    "clinic_bias", "unrepaired", source="lucidrains/x-transformers#90; huggingface/pytorch-image-models#2795",
    advice="print what stands in memo after each of three calls with different n.",
)  # fmt: skip
def _(table, n, memo):
    """The fault is still there: what the first call computed is handed out for ever, also when n has grown or the table
    has changed since."""
    return memo.setdefault("bias", looked_up(table, n, memo))[:, :n, :n]


@mistake("clinic_bias", "grows-and-stays", source="as lucidrains/x-transformers#90, half repaired")
def _(table, n, memo):
    """A longer text is served now, and the numbers are still those of the first table. A table that is trained changes
    at every step, and another layer has another one: only what does not depend on the table may be kept."""
    bias = looked_up(table, n, memo)
    if "bias" not in memo or memo["bias"].shape[-1] < n:
        memo["bias"] = bias
    return memo["bias"][:, :n, :n]


@mistake("clinic_bias", "kept-by-length", source="folklore: a cache whose key leaves out an argument")
def _(table, n, memo):
    """The memo keeps one bias for each length. The second time that a length comes, an old table answers: what is kept
    depends on more than n."""
    return memo.setdefault(str(n), looked_up(table, n, memo))


@mistake("clinic_bias", "kept-by-shape", source="folklore: a cache whose key is the shape of an argument")
def _(table, n, memo):
    """An old bias is handed out for a new table of the same shape. If you tell tables apart by their shape: training
    changes the numbers of a table and never its shape."""
    return memo.setdefault(f"{np.shape(table)} {n}", looked_up(table, n, memo))


@mistake("clinic_bias", "distances-not-grown")
def _(table, n, memo):
    """Only distances are kept, and that is the right thing to keep. But they are kept in the size of the first text,
    and a longer one gets too few rows and columns."""
    if "far" not in memo:
        at = np.arange(n)
        memo["far"] = np.abs(at - at[:, None])
    return np.asarray(table)[:, memo["far"][:n, :n]]


@mistake("clinic_bias", "kept-by-table", source="folklore: a cache whose key leaves out an argument")
def _(table, n, memo):
    """A table that changes is noticed now, and a text that grows is not: the bias of the first length is kept for each
    table, and a longer text gets too few rows and columns."""
    bias, key = looked_up(table, n, memo), str(np.asarray(table).tobytes())
    return memo.setdefault(key, bias)[:, :n, :n]


@mistake("clinic_bias", "heads-for-length", source="folklore: len of an array of (heads, n, n)")
def _(table, n, memo):
    """After the table has changed, a short text still gets the old bias. What is kept may be thrown away only where n
    is larger than it, or larger than its first axis, which counts heads."""
    bias = looked_up(table, n, memo)
    if "bias" not in memo or len(memo["bias"]) < n:
        memo["bias"] = bias
    return memo["bias"][:, :n, :n]


@mistake("clinic_bias", "new-length-only", source="as lucidrains/x-transformers#90, half repaired")
def _(table, n, memo):
    """The bias is computed anew when n is another one than in the call before, and not when the table is. A table that
    is trained changes at every step, at the same n."""
    bias = looked_up(table, n, memo)
    if memo.get("n") != n:
        memo.update(n=n, bias=bias)
    return memo["bias"]


def kept_under(key, table, n, memo):
    """Hand out what is kept under a key, computed once."""
    return memo.setdefault(str(key), looked_up(table, n, memo))


@mistake("clinic_bias", "kept-by-sum", source="folklore: a cache whose key is a number made from an argument")
def _(table, n, memo):
    """The table has changed, and the old bias is handed out. If you tell tables apart by a few numbers that are taken
    or made from them, such as their sum: two tables may have these in common."""
    return kept_under((round(float(np.sum(table)), 6), n), table, n, memo)


@mistake("clinic_bias", "kept-by-first-head", source="folklore: a cache whose key is a part of an argument")
def _(table, n, memo):
    """A part of the table has changed, and the old bias is handed out. If you tell tables apart by a part of them, such
    as their first head or their first number: training may change the rest alone."""
    return kept_under((*map(float, table[0]), n), table, n, memo)


@mistake("clinic_bias", "kept-by-first-number", source="folklore: a cache whose key is a part of an argument")
def _(table, n, memo):
    """A part of the table has changed, and the old bias is handed out. If you tell tables apart by a part of them, such
    as their first head or their first number: training may change the rest alone."""
    return kept_under((float(table[0][0]), n), table, n, memo)


@mistake("clinic_bias", "kept-by-text", source="folklore: str of an array as a key")
def _(table, n, memo):
    """A part of a long table has changed, and the old bias is handed out. If you tell tables apart by how they are
    printed: NumPy leaves out the middle of a long array. If by their place in memory: a new table may stand where an
    old one stood."""
    return kept_under(f"{np.asarray(table)} {n}", table, n, memo)


@mistake("clinic_bias", "kept-when-close", source="folklore: np.allclose to ask whether something changed")
def _(table, n, memo):
    """A small change of the table is not noticed. A step of training is small, and many of them are not: whatever is
    kept must be thrown away after each."""
    now, bias = np.asarray(table), looked_up(table, n, memo)
    old = memo.get("table")
    if old is None or old.shape != now.shape or memo["n"] != n or np.abs(old - now).max() > 0.01:
        memo.update(table=now.copy(), n=n, bias=bias)
    return memo["bias"]


@mistake("clinic_bias", "kept-by-bytes", source="folklore: bytes of an array as a key, without its shape")
def _(table, n, memo):
    """The bias of one table is handed out for another one, of another shape, that holds the same numbers in a row. If
    you tell tables apart by their bytes: two heads with 9 distances have as many as three heads with 6."""
    return kept_under((np.asarray(table).tobytes(), n), table, n, memo)


@mistake("clinic_bias", "distances-not-cut")
def _(table, n, memo):
    """Only distances are kept, and that is the right thing to keep. But after a longer text all of them are handed out:
    a shorter one needs the first n rows and columns."""
    looked_up(table, n, memo)
    return np.asarray(table)[:, memo["far"]]


@mistake("clinic_bias", "no-distance", source="folklore: a negative index counts from the end")
def _(table, n, memo):
    """The sign of the offset is still there: on one side of the diagonal the index is negative, and Python counts it
    from the end of the table. The table is over distances."""
    looked_up(table, n, memo)
    return np.asarray(table)[:, np.arange(n)[:, None] - np.arange(n)]


@mistake("clinic_bias", "future-as-zero")
def _(table, n, memo):
    """Keys after the query all get the number of distance 0. The table is over distances, and distance has no
    direction: the bias is the same on both sides of the diagonal."""
    looked_up(table, n, memo)
    return np.asarray(table)[:, np.clip(np.arange(n)[:, None] - np.arange(n), 0, None)]


@mistake("clinic_bias", "future-hidden")
def _(table, n, memo):
    """Keys after the query get -inf. Nothing is to be hidden here: the bias is the same on both sides of the
    diagonal, and a mask is another function's work."""
    return np.where(ahead(n), -np.inf, looked_up(table, n, memo))


@mistake("clinic_bias", "heads-last")
def _(table, n, memo):
    """The heads stand on the last axis. They come first: the shape is (heads, n, n)."""
    return np.moveaxis(looked_up(table, n, memo), 0, -1)


@mistake("clinic_bias", "first-head-for-all")
def _(table, n, memo):
    """All heads have the numbers of the first one. Every head has its own row of the table."""
    return np.repeat(looked_up(table, n, memo)[:1], len(table), axis=0)


@mistake("clinic_bias", "size-of-the-table")
def _(table, n, memo):
    """The bias is as large as the table allows. It is asked for n tokens: n rows and n columns."""
    looked_up(table, n, memo)
    return looked_up(table, np.shape(table)[1])


@mistake("clinic_bias", "counted-from-one")
def _(table, n, memo):
    """Distances are counted from 1: the diagonal holds the table's second number. A token is at distance 0 from
    itself."""
    table = np.asarray(table)
    looked_up(table, n, memo)
    return looked_up(np.hstack([table[:, 1:], table[:, -1:]]), n)


@mistake("clinic_bias", "whole-numbers")
def _(table, n, memo):
    """The numbers of the table are cut to whole ones. The bias has the numbers of the table as they are."""
    return looked_up(table, n, memo).astype(int)


# ---- clinic_rotary


def halves(x):
    """Take the first and the second members of split pairs."""
    return np.split(np.asarray(x), 2, axis=-1)


def partner(x):
    """Give the partner of each feature, with its sign, in the half-split layout."""
    first, second = halves(x)
    return np.concatenate([-second, first], axis=-1)


def neighbour(x):
    """Give the partner of each feature, with its sign, where pairs are neighbours."""
    return np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)


def angles_of(x, m, base):
    """Give an array and its angles, refusing an odd width."""
    x = np.asarray(x)
    if x.shape[-1] % 2:
        raise ValueError("the width must be even")
    return x, np.multiply.outer(np.asarray(m, dtype=float), speeds(x.shape[-1], base))


def behind(angles):
    """Give all angles and then all angles again: one per feature of split pairs."""
    return np.concatenate([angles, angles], axis=-1)


def turned(x, other, angles):
    """Turn, given the partners and one angle per feature."""
    return (x * np.cos(angles) + other * np.sin(angles)).astype(x.dtype if x.dtype.kind == "f" else float)


@mistake(
    "clinic_rotary", "unrepaired",
    source="facebookresearch/vjepa2#15; Tongjilibo/bert4torch#1; xiangking/ark-nlp#47 (the same the other way round)",
    advice="write under each of 6 features its partner, and under each its angle: partners must have the same one.",
)  # fmt: skip
def _(x, m, base=10000):
    """The fault is still there: two partners turn by different angles. One helper thinks of pairs as neighbours, the
    other as feature i and feature i + d/2."""
    x, angles = angles_of(x, m, base)
    return turned(x, partner(x), np.repeat(angles, 2, axis=-1))


@mistake("clinic_rotary", "wrong-helper-changed", source="EleutherAI/gpt-neox#834 asks for the other layout")
def _(x, m, base=10000):
    """The two helpers agree now, on the wrong layout: pairs are neighbours. It is a rotation, and scores depend on
    distance alone, but the checkpoint was trained with feature i and feature i + d/2 as a pair."""
    x, angles = angles_of(x, m, base)
    return turned(x, neighbour(x), np.repeat(angles, 2, axis=-1))


@mistake("clinic_rotary", "both-changed", source="facebookresearch/vjepa2#15; Tongjilibo/bert4torch#1")
def _(x, m, base=10000):
    """Both helpers were changed, so they disagree again, the other way round: the table now thinks of halves and the
    partners are neighbours. One of them was right for this layout."""
    x, angles = angles_of(x, m, base)
    return turned(x, neighbour(x), behind(angles))


@mistake("clinic_rotary", "other-direction", source="trymirai/lalamo#268 (a deliberate break)")
def _(x, m, base=10000):
    """Partners have the same angle now, and turn backwards: the minus sign has moved to the other half. At position 1
    the pair (1, 0) becomes (cos 1, sin 1)."""
    x, angles = angles_of(x, m, base)
    return turned(x, -partner(x), behind(angles))


@mistake("clinic_rotary", "unsigned")
def _(x, m, base=10000):
    """The minus sign has been lost on the way. Without it this is no rotation, and vectors change their length."""
    x, angles = angles_of(x, m, base)
    return turned(x, np.concatenate(halves(x)[::-1], axis=-1), behind(angles))


@mistake("clinic_rotary", "base-left-at-default")
def _(x, m, base=10000):
    """The base that is given has no effect: every test with the default passes."""
    x, angles = angles_of(x, m, 10000)
    return turned(x, partner(x), behind(angles))


def half_turn(x, m, base):
    """Turn rightly, in the half-split layout."""
    x, angles = angles_of(x, m, base)
    return turned(x, partner(x), behind(angles))


@mistake("clinic_rotary", "interleaved-at-the-end")
def _(x, m, base=10000):
    """The turned members are laced together as neighbours. They must stay in the two halves from which they came: at
    position 0 x must come back as it was."""
    out = half_turn(x, m, base)
    return np.stack(halves(out), axis=-1).reshape(out.shape)


@mistake("clinic_rotary", "mirrored-angles", source="as facebookresearch/vjepa2#15, half repaired")
def _(x, m, base=10000):
    """The angles of the second half stand in reverse, so most partners still turn by different ones. All angles must
    come once and then all of them again, in the same order."""
    x, angles = angles_of(x, m, base)
    return turned(x, partner(x), np.concatenate([angles, angles[..., ::-1]], axis=-1))


@mistake("clinic_rotary", "mirrored-partners")
def _(x, m, base=10000):
    """The partner of feature i is taken from the other end, d - 1 - i. In this layout it stands half a head away, at
    i + d/2."""
    x, angles = angles_of(x, m, base)
    first, second = halves(x[..., ::-1])
    return turned(x, np.concatenate([-first, second], axis=-1), behind(angles))


@mistake("clinic_rotary", "both-negative")
def _(x, m, base=10000):
    """Both halves have a minus sign now. Then it is no rotation, and vectors change their length: only the members of
    the first half get minus their partner."""
    x, angles = angles_of(x, m, base)
    return turned(x, -np.roll(x, x.shape[-1] // 2, axis=-1), behind(angles))


@mistake("clinic_rotary", "halved-exponent")
def _(x, m, base=10000):
    """The exponent is halved: it holds i/d where the formula has 2i/d. The speeds of the broken function were right."""
    return half_turn(x, m, base**0.5)


@mistake("clinic_rotary", "doubled-exponent", source="SamLynnEvans/Transformer#25")
def _(x, m, base=10000):
    """The exponent is doubled, for instance because 2i is divided by d/2 and not by d. The speeds of the broken
    function were right."""
    return half_turn(x, m, base**2)


@mistake("clinic_rotary", "whole-positions")
def _(x, m, base=10000):
    """Positions are cut to whole numbers. Real numbers are allowed: position 0.5 lies between 0 and 1, and turns by
    half as much as 1."""
    return half_turn(x, np.trunc(np.asarray(m, dtype=float)), base)


@mistake("clinic_rotary", "forward-only")
def _(x, m, base=10000):
    """Negative positions turn in the same direction as positive ones. Position -1 turns back by what position 1 turns
    forward."""
    return half_turn(x, np.abs(np.asarray(m, dtype=float)), base)


@mistake("clinic_rotary", "half-precision-positions", source="EleutherAI/gpt-neox#1003")
def _(x, m, base=10000):
    """Positions are rounded to half precision. Far ones are then read as their neighbours, and those between two whole
    numbers are moved."""
    return half_turn(x, np.asarray(m, dtype="float16"), base)


@mistake("clinic_rotary", "overwritten-half")
def _(x, m, base=10000):
    """The first half is overwritten before the second line uses it, so the second line mixes new and old values. It
    needs the old first half."""
    x, angles = angles_of(x, m, base)
    first, second = halves(x)
    new = first * np.cos(angles) - second * np.sin(angles)
    both_ = np.concatenate([new, new * np.sin(angles) + second * np.cos(angles)], axis=-1)
    return both_.astype(x.dtype if x.dtype.kind == "f" else float)


@mistake("clinic_rotary", "changes-x")
def _(x, m, base=10000):
    """The caller's x is changed: the result is written into it. Somebody who turns the same x again then turns it
    twice; work on a copy."""
    out = half_turn(x, m, base)
    if isinstance(x, np.ndarray) and x.dtype.kind == "f":
        x[...] = out
    return out


@mistake("clinic_rotary", "positions-meet-heads", source="folklore: as many tokens as heads hide which axis is which")
def _(x, m, base=10000):
    """With several heads the positions belong to the wrong axis where both are of one size: every head is turned by one
    position. They belong to the tokens, the axis before the features."""
    x = np.asarray(x)
    if x.ndim == 3 and np.ndim(m) == 1 and x.shape[0] == len(m):
        return half_turn(x.swapaxes(0, 1), m, base).swapaxes(0, 1)
    return half_turn(x, m, base)


@mistake("clinic_rotary", "single-becomes-double", source="as huggingface/transformers#24262, one size up")
def _(x, m, base=10000):
    """float32 comes back as float64: the tables of cosines are float64 and pull the result up with them. The result
    needs the type of x."""
    return half_turn(np.asarray(x, dtype=float), m, base)


@mistake("clinic_rotary", "integers-truncated")
def _(x, m, base=10000):
    """The result is made of integers, because x was: every value is cut to a whole number. With whole numbers in x the
    result must be made of floats."""
    return half_turn(x, m, base).astype(np.asarray(x).dtype)


@mistake("clinic_rotary", "odd-width-accepted")
def _(x, m, base=10000):
    """An odd width is accepted: the halves are unequal, and one feature has no partner. It must raise ValueError."""
    x = np.asarray(x)
    if x.shape[-1] % 2 == 0:
        return half_turn(x, m, base)
    return np.concatenate([half_turn(x[..., :-1], m, base), x[..., -1:]], axis=-1)


@mistake("clinic_rotary", "another-error", source="folklore: assert in place of raise")
def _(x, m, base=10000):
    """An odd width raises another error than ValueError. `assert` raises AssertionError, and it is switched off when
    Python runs with -O; say raise ValueError(...)."""
    assert np.shape(x)[-1] % 2 == 0
    return half_turn(x, m, base)


# ---- clinic_grid


def places(new, old):
    """Give the centres of `new` cells in units of the old ones."""
    return (np.arange(new) + 0.5) / new * old - 0.5


def listed(outer_, inner):
    """List all pairs of two lists of places, the first one changing slowest."""
    return np.array([(a, b) for a in outer_ for b in inner])


@mistake(
    "clinic_grid", "unrepaired", source="princeton-vl/WAFT#2; lightly-ai/lightly-train#189",
    advice="write next to each name what it holds when new_grid is (2, 3) and old_grid is (4, 2).",
)  # fmt: skip
def _(new_grid, old_grid):
    """With an old grid that is not square, places down are measured with the old width, and places across with the old
    height. As long as the old grid is square nothing shows. In broken_grid two exchanges together do this."""
    (width, height), (old_height, old_width) = new_grid, old_grid
    return listed(places(width, old_width), places(height, old_height))


@mistake("clinic_grid", "first-exchange-repaired", source="as lightly-ai/lightly-train#189, one of two")
def _(new_grid, old_grid):
    """The list runs over the columns first and puts the place across in front. In broken_grid that exchange makes up
    for another one, of height and width; with one of the two repaired, the other one shows."""
    (height, width), (old_height, old_width) = new_grid, old_grid
    return listed(places(width, old_width), places(height, old_height))


@mistake("clinic_grid", "second-exchange-repaired", source="as lightly-ai/lightly-train#189, one of two")
def _(new_grid, old_grid):
    """Your result is that of a new grid whose height and width are exchanged. In broken_grid that exchange hides behind
    another one, in the list at the end; with one of the two repaired, the other one shows."""
    (width, height), (old_height, old_width) = new_grid, old_grid
    return listed(places(height, old_height), places(width, old_width))


@mistake("clinic_grid", "column-by-column")
def _(new_grid, old_grid):
    """Every place is there, and they come column by column. A grid of patches is flattened row by row: the place across
    changes fastest."""
    (height, width), (old_height, old_width) = new_grid, old_grid
    return listed(places(width, old_width), places(height, old_height))[:, ::-1]


@mistake("clinic_grid", "across-in-front")
def _(new_grid, old_grid):
    """The patches come in the right order, and in each of them the place across stands in front. The place down comes
    first, as height does in the sizes."""
    (height, width), (old_height, old_width) = new_grid, old_grid
    return listed(places(height, old_height), places(width, old_width))[:, ::-1]


def listed_by(place, new_grid, old_grid):
    """List the places of patches row by row, with another rule for one side."""
    return listed(*(place(new, old) for new, old in zip(new_grid, old_grid)))


@mistake("clinic_grid", "cut-at-the-borders")
def _(new_grid, old_grid):
    """Places outside of the old grid are moved to its border. They are asked for as they are, not cut: whoever reads
    the table decides what to do there."""
    return listed_by(lambda new, old: places(new, old).clip(0, old - 1), new_grid, old_grid)


@mistake("clinic_grid", "cut-below-zero")
def _(new_grid, old_grid):
    """Negative places are moved to 0. They are asked for as they are, not cut."""
    return listed_by(lambda new, old: places(new, old).clip(0), new_grid, old_grid)


@mistake("clinic_grid", "corner-to-corner", source="folklore: align_corners=True")
def _(new_grid, old_grid):
    """The first and the last patch are laid on the first and the last of the old ones. Patches are cells here, and what
    agrees is the outer border: centres lie at (i + 0.5) old / new - 0.5."""
    return listed_by(lambda new, old: np.linspace(0, old - 1, new), new_grid, old_grid)


@mistake("clinic_grid", "borders-of-cells")
def _(new_grid, old_grid):
    """These are the upper left corners of the patches, i old / new. Centres are asked for: half a new patch is added
    before scaling, half an old one taken off after it."""
    return listed_by(lambda new, old: np.arange(new) * (old / new), new_grid, old_grid)


@mistake("clinic_grid", "half-not-taken-off")
def _(new_grid, old_grid):
    """All places are too large by a half. The centre of the first old patch is place 0, so half an old patch is taken
    off at the end."""
    return listed_by(lambda new, old: places(new, old) + 0.5, new_grid, old_grid)


@mistake("clinic_grid", "half-not-added")
def _(new_grid, old_grid):
    """Half an old patch is taken off at the end, and half a new one was not added before: these are not the centres of
    the patches but their borders."""
    return listed_by(lambda new, old: np.arange(new) * (old / new) - 0.5, new_grid, old_grid)


@mistake("clinic_grid", "scale-upside-down")
def _(new_grid, old_grid):
    """The scale is upside down, new / old. A picture with twice as many patches has places that lie half as far apart
    in the old grid."""
    return listed_by(lambda new, old: (np.arange(new) + 0.5) * (new / old) - 0.5, new_grid, old_grid)


@mistake("clinic_grid", "whole-places")
def _(new_grid, old_grid):
    """Places are rounded to whole numbers. A new patch may lie between two old ones."""
    return listed_by(lambda new, old: np.rint(places(new, old)).astype(int), new_grid, old_grid)


@mistake("clinic_grid", "whole-number-scale", source="folklore: // where / was meant")
def _(new_grid, old_grid):
    """The scale is a whole number: old // new, or 1. With 4 old and 3 new patches it is 4/3."""
    return listed_by(lambda new, old: (np.arange(new) + 0.5) * max(old // new, 1) - 0.5, new_grid, old_grid)


@mistake("clinic_grid", "not-flattened")
def _(new_grid, old_grid):
    """The patches still stand in their grid. One list is asked for, row after row: the shape is (height * width, 2)."""
    return listed_by(places, new_grid, old_grid).reshape(*new_grid, 2)


@mistake("clinic_grid", "two-rows")
def _(new_grid, old_grid):
    """Places down stand in one row and places across in another. One row per patch is asked for: the shape is
    (height * width, 2)."""
    return listed_by(places, new_grid, old_grid).T


@mistake("clinic_grid", "old-height-for-both")
def _(new_grid, old_grid):
    """Both sides are measured with the old height. Places across need the old width."""
    return listed_by(places, new_grid, (old_grid[0], old_grid[0]))


@mistake("clinic_grid", "new-height-for-both")
def _(new_grid, old_grid):
    """Places across are scaled with the new height. The scale across is old width / new width."""
    (height, width), (old_height, old_width) = new_grid, old_grid
    return listed(places(height, old_height), (np.arange(width) + 0.5) * old_width / height - 0.5)


@mistake("clinic_grid", "from-below")
def _(new_grid, old_grid):
    """The lowest row comes first. Rows are counted from above."""
    return listed_by(places, new_grid, old_grid).reshape(*new_grid, 2)[::-1].reshape(-1, 2)


@mistake("clinic_grid", "shares-of-the-picture")
def _(new_grid, old_grid):
    """Places run from 0 to 1, as shares of the picture. They are asked for in patches of the old grid."""
    return listed_by(lambda new, old: (np.arange(new) + 0.5) / new, new_grid, old_grid)


@mistake("clinic_grid", "pair-exchanged-only", source="as lightly-ai/lightly-train#189, one of two")
def _(new_grid, old_grid):
    """The place down stands in front, and the rest is as in broken_grid: the patches come column by column, as if
    height and width of the new grid were exchanged."""
    return listed(places(new_grid[0], old_grid[1]), places(new_grid[1], old_grid[0]))[:, ::-1]


@mistake("clinic_grid", "enlarging-only")
def _(new_grid, old_grid):
    """A picture with fewer patches than the table is not scaled. Its patches are larger than the old ones, and their
    places lie farther apart than 1."""
    return listed_by(lambda new, old: (np.arange(new) + 0.5) * min(old / new, 1) - 0.5, new_grid, old_grid)


# ---- choices

options(
    "answer_fine_when_short",
    a="""Scaled frequencies differ from the plain ones in slow pairs alone, and slow pairs hardly turn within a short
    text. Past the original length the plain ones reach angles that the model never met. Nothing else in the list waits
    for a length.""",
    b="""Two layouts agree at position 0, where nothing is turned, and at no other position. Such a model is wrong from
    its second token on, not from its eight-thousandth.""",
    c="""A mask that is read the other way round hides the past at every length. Training then looks far too good, and
    generation is noise from the first token on.""",
    d="""Wrong slopes weaken or strengthen heads at every length. There is no length before which they agree with the
    right ones.""",
)  # fmt: skip
options(
    "answer_first_text_right",
    a="""Half-precision angles depend on the position alone. The same text would be wrong in the same places whenever it
    is read, also as the first one.""",
    b="""With a cache every text meets this fault at its second token, the first text too. Reading it as the first after
    a restart would not help.""",
    c="""The result depends on what was asked before, so something is kept between calls that should not be, or is
    handed out for a question that it does not fit. A restart empties it.""",
    d="""An exchange of height and width depends on the sizes of the picture alone. It gives the same wrong result each
    time.""",
)  # fmt: skip

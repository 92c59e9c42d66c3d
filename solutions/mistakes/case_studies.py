"""What people write instead in 13_case_studies: wrong scalings, functions left unrepaired, and half repairs."""

import numpy as np

from labsupport.checking.bank import mistake, options, wrong_value

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


# ---- clinic_offsets


@mistake(
    "clinic_offsets", "unrepaired", source="huggingface/transformers#19045, #20203",
    advice="write down where the one new token of clinic_offsets(1, 3) stands, counted from 0.",
)  # fmt: skip
def _(n_queries, n_keys):
    """The fault is still there: your queries stand at positions 0, 1, 2, ... With a cache they are the newest tokens,
    and all older ones are among the keys."""
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
    """The angle is computed precisely and then rounded, before cosine and sine are taken. The rounding belongs to the
    very end: a cosine lies between -1 and 1 and can bear it, an angle of a thousand radians cannot."""
    return both(outer(length, speeds, float).astype(dtype).astype(float), dtype)


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


# ---- clinic_bias


def looked_up(table, n):
    """Give the bias of n tokens from a table over distances."""
    at = np.arange(n)
    return np.asarray(table)[:, np.abs(at - at[:, None])]


@mistake(
    "clinic_bias", "unrepaired", source="lucidrains/x-transformers#90; huggingface/pytorch-image-models#2795",
    advice="print what stands in memo after each of three calls with different n.",
)  # fmt: skip
def _(table, n, memo):
    """The fault is still there: what the first call computed is handed out for ever, whatever n and table are by
    then."""
    if "bias" not in memo:
        memo["bias"] = looked_up(table, n)
    return memo["bias"][:, :n, :n]


@mistake("clinic_bias", "grows-and-stays", source="as lucidrains/x-transformers#90, half repaired")
def _(table, n, memo):
    """A longer text is served now, and the numbers are still those of the first table. A table that is trained changes
    at every step, and another layer has another one: only what does not depend on the table may be kept."""
    if "bias" not in memo or memo["bias"].shape[-1] < n:
        memo["bias"] = looked_up(table, n)
    return memo["bias"][:, :n, :n]


@mistake("clinic_bias", "kept-by-length", source="folklore: a cache whose key leaves out an argument")
def _(table, n, memo):
    """The memo keeps one bias for each length. The second time that a length comes, an old table answers: what is kept
    depends on more than n."""
    if str(n) not in memo:
        memo[str(n)] = looked_up(table, n)
    return memo[str(n)]


@mistake("clinic_bias", "kept-by-shape", source="folklore: a cache whose key is the shape of an argument")
def _(table, n, memo):
    """The memo tells tables apart by their shape. Training changes the numbers of a table and never its shape."""
    key = f"{np.shape(table)} {n}"
    if key not in memo:
        memo[key] = looked_up(table, n)
    return memo[key]


@mistake("clinic_bias", "distances-not-grown")
def _(table, n, memo):
    """Only distances are kept, and that is the right thing to keep. But they are kept in the size of the first text,
    and a longer one gets too few rows and columns."""
    if "far" not in memo:
        at = np.arange(n)
        memo["far"] = np.abs(at - at[:, None])
    return np.asarray(table)[:, memo["far"][:n, :n]]


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
    """The fault is still there: with an old grid that is not square, places down are measured with the old width. Two
    exchanges hide each other as long as the old grid is square, so look for two."""
    (width, height), (old_height, old_width) = new_grid, old_grid
    return listed(places(width, old_width), places(height, old_height))


@mistake("clinic_grid", "first-exchange-repaired", source="as lightly-ai/lightly-train#189, one of two")
def _(new_grid, old_grid):
    """Height and width are read in the right order now. But the list at the end still runs over the columns first and
    puts the place across in front: that exchange made up for the other one, and now it is alone."""
    (height, width), (old_height, old_width) = new_grid, old_grid
    return listed(places(width, old_width), places(height, old_height))


@mistake("clinic_grid", "second-exchange-repaired", source="as lightly-ai/lightly-train#189, one of two")
def _(new_grid, old_grid):
    """The list at the end runs over the rows first now. But height and width of the new grid are still read in the
    wrong order: that exchange made up for the other one, and now it is alone."""
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

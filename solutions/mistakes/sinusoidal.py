"""What people write instead in 02_sinusoidal, and what a learner should read when they do."""

import numpy as np

from labsupport.checking.bank import mistake, right, wrong_value

# A wrong answer is right in everything but its one fault. These helpers give it that rest.


def sizes(seq_len, d_model):
    """Refuse what the contract refuses."""
    if seq_len < 0 or d_model < 1:
        raise ValueError("seq_len must be at least 0 and d_model at least 1")


def even(d_model):
    """Refuse an odd width."""
    if d_model % 2:
        raise ValueError("d_model must be even")
    return d_model


def pairs(d_model):
    """Number the pairs; a last sine without its cosine counts as one."""
    return np.arange((d_model + 1) // 2)


def laced(angles, d_model):
    """Put the sine of each angle in front of its cosine and cut to the width."""
    both = np.stack([np.sin(angles), np.cos(angles)], axis=-1)
    return both.reshape(len(angles), 2 * angles.shape[1])[:, :d_model]


def rows(positions, speeds, d_model):
    """Make the rows for these positions and these radians per position."""
    return laced(np.outer(positions, speeds), d_model)


def spread(d_model, base):
    """Spread the speeds from 1 to 1/base, both included: the d/2 - 1 rule."""
    pair = pairs(d_model)
    return float(base) ** (-pair / max(len(pair) - 1, 1))


def right_speeds(d_model, base):
    """Radians per position, pair by pair."""
    return 2 * np.pi / right.wavelengths(d_model, base)


# ---- wavelengths


@mistake("wavelengths", "two-pi-forgotten")
def _(d_model, base=10000):
    """The factor 2 pi is missing. What you have is the number of positions per radian; a whole turn has 2 pi
    radians."""
    return right.wavelengths(d_model, base) / (2 * np.pi)


@mistake("wavelengths", "speeds-returned", source="xlite-dev/LeetCUDA#289, the other way round")
def _(d_model, base=10000):
    """These are the speeds, in radians per position. The wavelength is asked for: how many positions a pair needs for
    one turn. Slow pairs have long wavelengths, so the numbers must grow along the array."""
    return right_speeds(d_model, base)


@mistake("wavelengths", "turns-returned")
def _(d_model, base=10000):
    """These are turns per position. The wavelength is its inverse: positions per turn."""
    return 1 / right.wavelengths(d_model, base)


@mistake("wavelengths", "last-sine-left-out")
def _(d_model, base=10000):
    """For an odd width the last sine has no cosine beside it and is missing here. It has a wavelength as well, so there
    are (d_model + 1) // 2 of them."""
    return right.wavelengths(d_model, base)[: d_model // 2]


@mistake("wavelengths", "one-for-every-feature")
def _(d_model, base=10000):
    """There is one number for every feature. The sine and the cosine of a pair turn together and share one
    wavelength."""
    return np.repeat(right.wavelengths(d_model, base), 2)[:d_model]


@mistake("wavelengths", "doubled-exponent", source="SamLynnEvans/Transformer#25")
def _(d_model, base=10000):
    """The exponent is doubled: np.arange(0, d, 2) already is 2i, and it is multiplied by 2 once more. The slow pairs
    become far too slow."""
    return right.wavelengths(d_model, base**2)


@mistake("wavelengths", "halved-exponent")
def _(d_model, base=10000):
    """The exponent is halved: it holds i where the formula has 2i. The slowest pair then needs about sqrt(base)
    radians' worth of positions where it should need about base."""
    return right.wavelengths(d_model, base**0.5)


@mistake("wavelengths", "end-point-included", source="tensorflow/tensor2tensor#1423")
def _(d_model, base=10000):
    """The pairs are spread evenly up to 2 pi times base, end point included (the denominator is d/2 - 1). The formula
    divides by d/2 and stops one step earlier: its last exponent is (d - 2)/d."""
    return 2 * np.pi / spread(d_model, base)


@mistake("wavelengths", "base-ignored")
def _(d_model, base=10000):
    """The number 10000 stands in the formula, so the argument base has no effect. Every test with the default
    passes."""
    return right.wavelengths(d_model)


@mistake("wavelengths", "pairs-from-one")
def _(d_model, base=10000):
    """The pairs are counted from 1. Pair 0 has exponent 0 and therefore the wavelength 2 pi, whatever the base is."""
    return 2 * np.pi * float(base) ** (2 * (pairs(d_model) + 1) / d_model)


# ---- sinusoidal_encoding: the speeds


@mistake(
    "sinusoidal_encoding", "doubled-exponent", source="SamLynnEvans/Transformer#25; jadore801120#32",
    advice="print your speeds for d_model = 4, in radians per position: they must be 1 and 0.01.",
)  # fmt: skip
def _(seq_len, d_model, base=10000):
    """The exponent is doubled: np.arange(0, d, 2) already is 2i, and it is multiplied by 2 once more. The first pair is
    right; every later one turns too slowly, and half of the columns hardly change at all."""
    return right.sinusoidal_encoding(seq_len, d_model, base**2)


@mistake("sinusoidal_encoding", "halved-exponent")
def _(seq_len, d_model, base=10000):
    """The exponent is halved: it holds the number i of the pair where the formula has 2i. Every pair but the first
    turns too fast."""
    return right.sinusoidal_encoding(seq_len, d_model, base**0.5)


@mistake(
    "sinusoidal_encoding", "end-point-included", source="tensorflow/tensor2tensor#1423; hojonathanho/diffusion#15",
    advice="print your speeds for d_model = 4: the last must be 0.01, and not 0.0001.",
)  # fmt: skip
def _(seq_len, d_model, base=10000):
    """The denominator is d/2 - 1, so the last pair turns at exactly 1/base. Well-known code does this and trains well,
    but it is another table than the paper's, which divides by d/2. Every column after the first pair differs."""
    sizes(seq_len, d_model)
    return rows(np.arange(seq_len), spread(d_model, base), d_model)


@mistake("sinusoidal_encoding", "floored-exponent", source="zju3dv/LoFTR#41")
def _(seq_len, d_model, base=10000):
    """The exponent is -log(base) / d // 2, and // rounds the whole quotient down to a whole number. Put brackets around
    what is divided by. The speeds fall off far too steeply, so most columns barely move."""
    sizes(seq_len, d_model)
    return rows(np.arange(seq_len), np.exp(pairs(d_model) * (-np.log(base) / d_model // 2)), d_model)


@mistake("sinusoidal_encoding", "exponent-sign", source="labmlai/annotated_deep_learning_paper_implementations#313")
def _(seq_len, d_model, base=10000):
    """The position is multiplied by base**(2i/d) where it should be divided by it. The later pairs spin many times
    between two neighbours, so their columns look like noise."""
    return right.sinusoidal_encoding(seq_len, d_model, 1 / base)


@mistake("sinusoidal_encoding", "speed-for-every-column", source="YutaroOgawa/pytorch_advanced#79")
def _(seq_len, d_model, base=10000):
    """Every column has a speed of its own: the exponent grows from the sine to the cosine beside it. Both members of a
    pair must turn together, or the two are no longer a point on a circle."""
    sizes(seq_len, d_model)
    column = np.arange(d_model)
    angles = np.outer(np.arange(seq_len), float(base) ** (-column / d_model))
    return np.where(column % 2 == 0, np.sin(angles), np.cos(angles))


@mistake("sinusoidal_encoding", "base-ignored")
def _(seq_len, d_model, base=10000):
    """The number 10000 stands in the formula, so the argument base has no effect. Every test with the default
    passes."""
    return right.sinusoidal_encoding(seq_len, d_model)


@mistake("sinusoidal_encoding", "another-default")
def _(seq_len, d_model, base=1000):
    """Without a base given, yours uses 1000. The paper's number is 10000, one zero more, and it is the default here."""
    return right.sinusoidal_encoding(seq_len, d_model, base)


# ---- sinusoidal_encoding: the columns


@mistake("sinusoidal_encoding", "sine-and-cosine-swapped", source="stackoverflow 46452020")
def _(seq_len, d_model, base=10000):
    """Sine and cosine stand in each other's columns. Row 0 shows it: it must read 0, 1, 0, 1, because sin 0 = 0 comes
    first."""
    sizes(seq_len, d_model)
    return rows(np.arange(seq_len), right_speeds(d_model, base), d_model + 1)[:, _partner(d_model)]


def _partner(d_model):
    """Give for every column the other member of its pair."""
    return np.arange(d_model) ^ 1


@mistake(
    "sinusoidal_encoding", "sines-then-cosines", source="folklore: the layout of Marian, Pegasus and RoFormer's table"
)
def _(seq_len, d_model, base=10000):
    """All sines stand first and all cosines after them. The numbers are right and several libraries store them so, but
    the paper, and this course, puts the cosine of each pair beside its sine."""
    table = right.sinusoidal_encoding(seq_len, d_model, base)
    return np.concatenate([table[:, 0::2], table[:, 1::2]], axis=1)


@mistake("sinusoidal_encoding", "sines-alone")
def _(seq_len, d_model, base=10000):
    """Every column is a sine. The odd columns must be cosines: a sine alone cannot tell the way up from the way
    down."""
    sizes(seq_len, d_model)
    return np.sin(np.outer(np.arange(seq_len), np.repeat(right_speeds(d_model, base), 2)[:d_model]))


@mistake(
    "sinusoidal_encoding", "reshaped-for-transposed",
    advice="print the first column for d_model = 4 and seq_len = 3: it must be sin 0, sin 1, sin 2.",
)  # fmt: skip
def _(seq_len, d_model, base=10000):
    """The table was made with features along the rows and then reshaped. reshape keeps the order of the numbers and
    only cuts it elsewhere; what you want is the transpose. The shape is right and the numbers are scrambled."""
    return right.sinusoidal_encoding(seq_len, d_model, base).T.reshape(seq_len, d_model)


@mistake(
    "sinusoidal_encoding", "angles-reshaped-for-transposed",
    advice="print the first column for d_model = 4 and seq_len = 3: it must be sin 0, sin 1, sin 2.",
)  # fmt: skip
def _(seq_len, d_model, base=10000):
    """The table was made with features along the rows and then reshaped. reshape keeps the order of the numbers and
    only cuts it elsewhere; what you want is the transpose. The shape is right and the numbers are scrambled."""
    sizes(seq_len, d_model)
    angles = np.outer(np.repeat(right_speeds(d_model, base), 2)[:d_model], np.arange(seq_len)).reshape(seq_len, d_model)
    return np.where(np.arange(d_model) % 2 == 0, np.sin(angles), np.cos(angles))


@mistake("sinusoidal_encoding", "batch-axis", source="folklore: unsqueeze(0) in many tutorials")
def _(seq_len, d_model, base=10000):
    """There is an axis of length 1 in front, for a batch. The answer here is the table alone, (seq_len, d_model); NumPy
    adds the batch axis by itself when a table is added to a batch."""
    return right.sinusoidal_encoding(seq_len, d_model, base)[None]


# ---- sinusoidal_encoding: odd widths


@mistake(
    "sinusoidal_encoding",
    "odd-width-crash",
    source="the outline's Lab 1; codertimo/BERT-pytorch#78; gc-os-ai/pyaptamer#607",
    advice="for d_model = 5, count the even columns and the odd columns.",
)
def _(seq_len, d_model, base=10000):
    """Odd widths break it. There is one more sine than there are cosines, and as many cosines were computed as sines,
    so they do not fit into their columns."""
    sizes(seq_len, d_model)
    if d_model % 2:
        raise ValueError("could not broadcast the cosines into their columns")
    return right.sinusoidal_encoding(seq_len, d_model, base)


@mistake(
    "sinusoidal_encoding", "odd-width-from-the-next-even",
    advice="for d_model = 3 and base = 1000 the last column must be sin of p / 100.",
)  # fmt: skip
def _(seq_len, d_model, base=10000):
    """For an odd width a table one column wider was made and its last column cut off. Then d + 1 stands in the
    exponent, and every pair but the first turns at a slightly wrong speed."""
    return right.sinusoidal_encoding(seq_len, d_model + d_model % 2, base)[:, :d_model]


@mistake("sinusoidal_encoding", "last-column-empty")
def _(seq_len, d_model, base=10000):
    """For an odd width the last column is left at zero, because only whole pairs were filled. It must be a sine."""
    table = right.sinusoidal_encoding(seq_len, d_model, base).copy()
    if d_model % 2:
        table[:, -1] = 0.0
    return table


# ---- sinusoidal_encoding: positions, lengths, state


@mistake("sinusoidal_encoding", "positions-from-one", source="the offset discussed in facebookresearch/fairseq#1177")
def _(seq_len, d_model, base=10000):
    """Positions are counted from 1, so every row stands one too early. The first token has position 0 and the row 0, 1,
    0, 1."""
    sizes(seq_len, d_model)
    return rows(np.arange(1, seq_len + 1), right_speeds(d_model, base), d_model)


@mistake("sinusoidal_encoding", "first-row-zero", source="stackoverflow 46452020 (an answer)")
def _(seq_len, d_model, base=10000):
    """Row 0 is all zeros, as if it were kept for padding. Position 0 is a position like any other: sin 0 = 0 and cos 0
    = 1, so its row is 0, 1, 0, 1."""
    table = right.sinusoidal_encoding(seq_len, d_model, base).copy()
    table[:1] = 0.0
    return table


@mistake("sinusoidal_encoding", "half-precision", source="EleutherAI/gpt-neox#1003")
def _(seq_len, d_model, base=10000):
    """Positions and speeds were multiplied in 16 bits. Near row 0 that is hardly seen; some hundred positions on the
    rounding of the angle is larger than the step between neighbours. Compute the angle in float32 or float64."""
    sizes(seq_len, d_model)
    position = np.arange(seq_len, dtype=np.float16)[:, None]
    return laced((position * right_speeds(d_model, base).astype(np.float16)).astype(float), d_model)


@mistake(
    "sinusoidal_encoding", "ready-made-table", source="facebookresearch/fairseq-lua#57; bentrevett/pytorch-seq2seq#89"
)
def _(seq_len, d_model, base=10000):
    """A table of fixed length is made and cut, so a longer text gets too few rows. Short tests never notice. Compute as
    many rows as are asked for."""
    sizes(seq_len, d_model)
    return right.sinusoidal_encoding(512, d_model, base)[:seq_len]


@mistake("sinusoidal_encoding", "sizes-not-checked")
def _(seq_len, d_model, base=10000):
    """An impossible size is accepted: np.arange(-1) is an empty array and no error comes. Say so with a ValueError, or
    the caller finds out much later."""
    return right.sinusoidal_encoding(max(seq_len, 0), d_model, base) if d_model > 0 else np.zeros((max(seq_len, 0), 0))


@mistake("sinusoidal_encoding", "no-rows-refused")
def _(seq_len, d_model, base=10000):
    """A length of 0 is refused. A text without tokens is possible, in the first step of a generation for instance: its
    table has 0 rows and d_model columns."""
    if seq_len == 0:
        raise ValueError("seq_len must be positive")
    return right.sinusoidal_encoding(seq_len, d_model, base)


def _remembering():
    """Make a function that keeps its tables and forgets with which base they were made."""
    kept = {}

    def table(seq_len, d_model, base=10000):
        """Tables are kept and found again by their size alone. The second call with the same size gets the first one's
        base: a key must name everything that the result depends on."""
        if (seq_len, d_model) not in kept:
            kept[seq_len, d_model] = right.sinusoidal_encoding(seq_len, d_model, base)
        return kept[seq_len, d_model]

    return table


mistake("sinusoidal_encoding", "kept-without-its-base", source="folklore: a cache with too small a key")(_remembering())


# ---- position_kernel


def kernel(offsets, d_model, base):
    """Sum the cosines of the right angles."""
    return np.cos(np.outer(np.asarray(offsets, dtype=float), right_speeds(even(d_model), base))).sum(axis=-1)


@mistake("position_kernel", "base-ignored")
def _(offsets, d_model, base=10000):
    """The number 10000 stands in the formula, so the argument base has no effect. Every test with the default
    passes."""
    return kernel(offsets, d_model, 10000)


@mistake("position_kernel", "mean-for-sum")
def _(offsets, d_model, base=10000):
    """This is the mean of the cosines. The dot product is their sum: at offset 0 it must be as large as the dot product
    of a row with itself, not 1."""
    return kernel(offsets, d_model, base) / (d_model // 2)


@mistake("position_kernel", "every-pair-twice")
def _(offsets, d_model, base=10000):
    """Every pair is counted twice, once for its sine and once for its cosine. The two products of a pair together give
    one cosine: sin a sin b + cos a cos b = cos(a - b)."""
    return 2 * kernel(offsets, d_model, base)


@mistake("position_kernel", "row-summed")
def _(offsets, d_model, base=10000):
    """The features of row k were added up, sines included. In the dot product with row 0 each sine meets sin 0 = 0 and
    vanishes; only the cosines stay. With the sines the kernel is not even."""
    angles = np.outer(np.asarray(offsets, dtype=float), right_speeds(even(d_model), base))
    return (np.sin(angles) + np.cos(angles)).sum(axis=-1)


@mistake("position_kernel", "doubled-exponent", source="as SamLynnEvans/Transformer#25")
def _(offsets, d_model, base=10000):
    """The exponent is doubled: np.arange(0, d, 2) already is 2i, and it is multiplied by 2 once more. The slow pairs
    hardly turn, so the kernel stays too large."""
    return kernel(offsets, d_model, base**2)


@mistake("position_kernel", "end-point-included", source="as tensorflow/tensor2tensor#1423")
def _(offsets, d_model, base=10000):
    """The speeds are spread with the denominator d/2 - 1, so the last one is exactly 1/base. That is the kernel of
    another table than the paper's."""
    return np.cos(np.outer(np.asarray(offsets, dtype=float), spread(even(d_model), base))).sum(axis=-1)


@mistake("position_kernel", "rows-of-a-table")
def _(offsets, d_model, base=10000):
    """The rows were taken from a table. That works for whole offsets and costs a table as long as the largest of them;
    a real offset such as 2.5 has no row. The formula needs no table."""
    offsets = np.asarray(offsets)
    table = right.sinusoidal_encoding(int(np.abs(offsets).max()) + 1, even(d_model), base)
    return table[np.abs(offsets)] @ table[0]


@mistake("position_kernel", "whole-offsets")
def _(offsets, d_model, base=10000):
    """The offsets were rounded down to whole numbers. The kernel is defined between the tokens as well; keep real
    offsets."""
    return kernel(np.asarray(offsets).astype(int), d_model, base)


@mistake("position_kernel", "odd-width-accepted")
def _(offsets, d_model, base=10000):
    """An odd width is accepted. Its last sine has no cosine beside it, so the dot product would depend on where you are
    and not on the offset alone. Refuse it with a ValueError."""
    angles = np.outer(np.asarray(offsets, dtype=float), right_speeds(d_model, base))
    return np.cos(angles).sum(axis=-1)


@mistake("position_kernel", "offsets-changed")
def _(offsets, d_model, base=10000):
    """The values are right, but the array offsets that you were given is changed, to absolute values. The caller still
    needs it: work on a copy."""
    even(d_model)
    if isinstance(offsets, np.ndarray):
        np.abs(offsets, out=offsets)
    return kernel(offsets, d_model, base)


# ---- shift_matrix


def blocks(angles, block):
    """Put a 2 x 2 block for each angle along the diagonal."""
    matrix = np.zeros((2 * len(angles), 2 * len(angles)))
    for i, angle in enumerate(angles):
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = block(np.cos(angle), np.sin(angle))
    return matrix


@mistake(
    "shift_matrix", "moves-backwards", source="karpathy/nanochat#489 (the block transposed)",
    advice="print shift_matrix(1, 2) @ [0, 1]: the first entry must be sin 1, not its negative.",
)  # fmt: skip
def _(k, d_model, base=10000):
    """This matrix moves by -k. The usual rotation [[c, -s], [s, c]] is for pairs (cos, sin); here the sine comes first,
    and with it the minus sign changes its place. It is also what you get for rows on the left, PE @ M."""
    return right.shift_matrix(-k, d_model, base)


@mistake("shift_matrix", "both-sines-positive")
def _(k, d_model, base=10000):
    """Both sines have the same sign, so the blocks are not rotations: two shifts do not add up and lengths change. The
    addition rule of the cosine has a minus sign: cos(a + b) = cos a cos b - sin a sin b."""
    return blocks(k * right_speeds(d_model, base), lambda c, s: [[c, s], [s, c]])


@mistake("shift_matrix", "never-backwards")
def _(k, d_model, base=10000):
    """A negative shift moves forward here: only the size of k was used. The shift by -k must undo the shift by k."""
    return right.shift_matrix(abs(k), d_model, base)


@mistake("shift_matrix", "whole-shifts")
def _(k, d_model, base=10000):
    """k was cut to a whole number. Any real shift is possible, half a position as well."""
    return right.shift_matrix(int(k), d_model, base)


@mistake("shift_matrix", "base-ignored")
def _(k, d_model, base=10000):
    """The number 10000 stands in the formula, so the argument base has no effect. Every test with the default
    passes."""
    return right.shift_matrix(k, d_model)


@mistake("shift_matrix", "doubled-exponent", source="as SamLynnEvans/Transformer#25")
def _(k, d_model, base=10000):
    """The exponent is doubled: a count in steps of two already is 2i, and it is multiplied by 2 once more. The first
    block is right, all others turn too little."""
    return right.shift_matrix(k, d_model, base**2)


@mistake("shift_matrix", "end-point-included", source="as tensorflow/tensor2tensor#1423")
def _(k, d_model, base=10000):
    """The speeds are spread with the denominator d/2 - 1, so the last one is exactly 1/base. The matrix is a rotation
    and moves the rows of another table than yours."""
    return blocks(k * spread(d_model, base), lambda c, s: [[c, s], [-s, c]])


@mistake("shift_matrix", "halves-for-neighbours")
def _(k, d_model, base=10000):
    """The blocks join feature i with feature i + d/2, as for a table with all sines first. In this table the sine and
    the cosine of a pair are neighbours, so the blocks stand along the diagonal."""
    order = np.concatenate([np.arange(0, d_model, 2), np.arange(1, d_model, 2)])
    return right.shift_matrix(k, d_model, base)[np.ix_(order, order)]


@mistake("shift_matrix", "one-angle-for-all")
def _(k, d_model, base=10000):
    """Every pair turns by the same angle k. Only pair 0 turns by one radian per position; pair i has its own speed."""
    return blocks(np.full(d_model // 2, float(k)), lambda c, s: [[c, s], [-s, c]])


# ---- values

wrong_value(
    "longest_wavelength", "last-exponent-is-one", 2 * np.pi * 10000,
    """This is 2 pi times 10000. The exponent of the last pair is not quite 1: the pairs are numbered from 0, so the
    last number is one less than how many there are. (With the denominator d/2 - 1, as in some code, the last exponent
    would be 1.)""",
    source="tensorflow/tensor2tensor#1423",
)  # fmt: skip
wrong_value(
    "longest_wavelength", "two-pi-forgotten", 10000 ** (510 / 512),
    """This is the number of positions per radian. A whole turn has 2 pi radians.""",
)  # fmt: skip
wrong_value(
    "longest_wavelength", "base-alone", 10000.0,
    """This is the base. The slowest pair turns at about 1/base radians per position, not turns per position, and its
    exponent is not quite 1.""",
)  # fmt: skip
wrong_value(
    "longest_wavelength", "halved-exponent", 2 * np.pi * 10000 ** (255 / 512),
    """The exponent holds i where the formula has 2i.""",
)  # fmt: skip
wrong_value(
    "longest_wavelength", "doubled-exponent", 2 * np.pi * 10000 ** (1020 / 512),
    """The exponent is doubled: 510 already is 2i for the last pair, i = 255.""",
    source="SamLynnEvans/Transformer#25",
)  # fmt: skip
wrong_value(
    "longest_wavelength", "fastest-pair", 2 * np.pi,
    """This is the wavelength of the first pair, the fastest. The slowest is the last one.""",
)  # fmt: skip
wrong_value(
    "longest_wavelength", "speed-for-wavelength", 10000 ** (-510 / 512),
    """A number this small is a speed, in radians or turns per position. The wavelength goes the other way: positions
    per turn.""",
)  # fmt: skip
wrong_value(
    "longest_wavelength", "feature-counted-as-pair", 2 * np.pi * 10000 ** (511 / 512),
    """The last feature has the number 511, but the exponent counts pairs: feature 511 is the cosine of pair 255 and
    shares its exponent 510 / 512.""",
)  # fmt: skip

wrong_value(
    "self_similarity", "one-for-every-feature", 512.0,
    """This counts 1 for every feature. A sine and a cosine of the same angle share one: sin squared plus cos squared is
    1.""",
)  # fmt: skip
wrong_value(
    "self_similarity", "one", 1.0,
    """A row is not a unit vector. Each of its pairs is a point on the unit circle, and the row holds many pairs.""",
)  # fmt: skip
wrong_value(
    "self_similarity", "zero", 0.0,
    """A dot product of a row with itself is a sum of squares, and it is 0 only for a row of zeros.""",
)  # fmt: skip
wrong_value(
    "self_similarity", "length-for-square", 16.0,
    """This is the length of the row. The dot product with itself is the square of the length.""",
)  # fmt: skip
wrong_value(
    "self_similarity", "quarter", 128.0,
    """A mean of 1/2 per square is right, and there are 512 squares: half of the pairs seem to be missing.""",
)  # fmt: skip

"""What people write instead in 09_multiscale, and what a learner should read when they do."""

import numpy as np

from labsupport.checking.bank import mistake, options

# A wrong answer is right in everything but its one fault; the helpers give it that rest.


def quarters(d_model):
    """Refuse a width that cannot be cut into two halves of pairs."""
    if d_model % 4:
        raise ValueError("d_model must be divisible by 4")
    return d_model


def rows_of(n, d, stretch=1):
    """Give n positions of sines and cosines in turn; an odd d ends with a sine."""
    angles = np.arange(n)[:, None] * 10000.0 ** (-np.arange(0, d, 2) / d) / stretch
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n, -1)[:, :d]


def picture(down, across, height, width):
    """Join a table for the lines and one for the columns, line by line."""
    both = [np.repeat(down, width, axis=0), np.tile(across, (height, 1))]
    return np.concatenate(both, axis=-1)


def by_line(height, width):
    """Give line and column of every patch."""
    return np.repeat(np.arange(height), width), np.tile(np.arange(width), height)


def numbers(x):
    """Give x as an array of a real type."""
    x = np.asarray(x)
    return x if x.dtype.kind == "f" else x.astype(float)


def turned(x, angles):
    """Turn neighbouring pairs by these angles (n, d/2); the type of x is kept."""
    x = numbers(x)
    z = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)
    return np.stack([z.real, z.imag], axis=-1).reshape(x.shape).astype(x.dtype)


def speeds(d, base):
    """Give the frequencies of d features."""
    return float(base) ** (-np.arange(0, d, 2) / d)


_KEPT = {}


def kept(name, key, make):
    """Make something anew only where the key is not that of the call before: what keeps results between calls."""
    if _KEPT.get(name, (None,))[0] != key:
        _KEPT[name] = (key, make())
    return _KEPT[name][1]


def owner_of(sections):
    """Give the axis of each pair, in blocks."""
    return np.repeat(np.arange(len(sections)), sections)


def in_sections(x, positions, owner, frequencies):
    """Turn every pair by the position of its owner."""
    return turned(x, np.asarray(positions, dtype=float)[owner].T * frequencies)


def allowed(table, new_len, alpha):
    """Refuse what the two levels cannot do, and give the table as numbers."""
    rows = np.asarray(table, dtype=float)
    if new_len > len(rows) ** 2 or not 0 < alpha < 1 or alpha == 0.5:
        raise ValueError("too long, or an alpha that does not work")
    return rows


def levels(u, new_len, alpha, n):
    """Mix block and place within the block."""
    place = np.arange(new_len)
    return alpha * u[place // n] + (1 - alpha) * u[place % n]


def ends_of(token_ids, sep_id):
    """Say which tokens are separators."""
    return np.asarray(token_ids) == sep_id


def count_inside(sentence):
    """Count the tokens of each sentence from 0."""
    sentence = np.asarray(sentence)
    return np.array([int((sentence[:i] == s).sum()) for i, s in enumerate(sentence)], dtype=int)


# ---- axial_sinusoidal


@mistake("axial_sinusoidal", "columns-first", source="facebookresearch/mae#18; huggingface/diffusers#10877")
def _(height, width, d_model):
    """The halves are exchanged: the column stands in the first half and the row in the second. A model trained from
    the start would not mind. One that was trained with the row first reads every picture mirrored at its diagonal."""
    half = quarters(d_model) // 2
    row, column = by_line(height, width)
    return np.concatenate([rows_of(width, half)[column], rows_of(height, half)[row]], axis=-1)


@mistake("axial_sinusoidal", "column-by-column", source="huggingface/transformers#41380")
def _(height, width, d_model):
    """The patches come column by column, down first. Here, and in most image code, they come line by line. On a square
    picture this is a transposed table, on any other one it gives patches the rows and columns of others."""
    half = quarters(d_model) // 2
    column, row = np.divmod(np.arange(height * width), height)
    return np.concatenate([rows_of(height, half)[row], rows_of(width, half)[column]], axis=-1)


@mistake("axial_sinusoidal", "speeds-of-the-full-width")
def _(height, width, d_model):
    """The speeds are those of a table of width d_model, of which each half keeps only the fast ones. Each half is to
    be a whole table of width d_model / 2, with its slow waves."""
    half = quarters(d_model) // 2
    return picture(
        rows_of(height, d_model)[:, :half],
        rows_of(width, d_model)[:, :half],
        height,
        width,
    )


@mistake("axial_sinusoidal", "speeds-shared-out")
def _(height, width, d_model):
    """The speeds are shared out: the rows get the fast half of a table of width d_model and the columns the slow half.
    Along a line neighbouring patches then hardly differ. Each half needs fast and slow waves of its own."""
    half = quarters(d_model) // 2
    return picture(
        rows_of(height, d_model)[:, :half],
        rows_of(width, d_model)[:, half:],
        height,
        width,
    )


@mistake("axial_sinusoidal", "sines-in-blocks", source="timm 1.0: build_sincos2d_pos_embed")
def _(height, width, d_model):
    """Within each half all sines stand first and then all cosines. Some libraries do so; here sine and cosine of a
    pair are neighbours, as in 02_sinusoidal."""
    half = quarters(d_model) // 2
    down, across = rows_of(height, half), rows_of(width, half)
    order = np.argsort(np.arange(half) % 2, kind="stable")
    return picture(down[:, order], across[:, order], height, width)


@mistake("axial_sinusoidal", "numbered-as-a-list")
def _(height, width, d_model):
    """The patches are numbered like words, 0 to height * width - 1. The last patch of a line and the first of the next
    one count as neighbours, and two patches above each other are a whole line apart."""
    return rows_of(height * width, quarters(d_model))


@mistake("axial_sinusoidal", "added")
def _(height, width, d_model):
    """Two tables of the full width are added. The patches (1, 2) and (2, 1) then get the same row, because a sum does
    not say which part came from where. Put the two halves side by side."""
    row, column = by_line(height, width)
    quarters(d_model)
    return rows_of(height, d_model)[row] + rows_of(width, d_model)[column]


@mistake("axial_sinusoidal", "only-odd-widths-refused")
def _(height, width, d_model):
    """Widths such as 6 or 10 are not refused. They have two halves, but a half of 3 or 5 features ends with a sine
    that has no cosine."""
    if d_model % 2:
        raise ValueError("d_model must be even")
    half = d_model // 2
    return picture(rows_of(height, half), rows_of(width, half), height, width)


@mistake("axial_sinusoidal", "share-of-the-picture")
def _(height, width, d_model):
    """Rows and columns are divided by the height and the width before the waves are made. In a wider picture the same
    column then gets another encoding; and at these sizes all patches look nearly alike."""
    half = quarters(d_model) // 2
    return picture(rows_of(height, half, height), rows_of(width, half, width), height, width)


def halves(height, width, d_model, down=None, across=None, **more):
    """Give the right table, or one made of other tables for lines and columns."""
    half = quarters(d_model) // 2
    down = rows_of(height, half) if down is None else down
    return picture(down, rows_of(width, half) if across is None else across, height, width)


@mistake("axial_sinusoidal", "both-repeated")
def _(height, width, d_model):
    """The columns are repeated like the lines: 0, 0, 0, 1, 1, 1. Along a line the line stays and the column counts up,
    0, 1, 2, and begins again in the next line."""
    half = quarters(d_model) // 2
    both = np.repeat(rows_of(height, half), width, axis=0), np.repeat(rows_of(width, half), height, axis=0)
    return np.concatenate(both, axis=-1)


@mistake("axial_sinusoidal", "height-and-width-exchanged")
def _(height, width, d_model):
    """Height and width have changed places: the table is that of a picture with `width` lines of `height` patches. A
    line holds `width` patches. On a square picture nothing shows."""
    return halves(width, height, d_model)


@mistake("axial_sinusoidal", "cosine-first")
def _(height, width, d_model):
    """The cosine stands before the sine. In a pair the sine comes first, as in 02_sinusoidal: place 0 is 0, 1, 0, 1."""
    table = halves(height, width, d_model)
    return table.reshape(len(table), -1, 2)[:, :, ::-1].reshape(table.shape)


@mistake("axial_sinusoidal", "kept-as-a-picture")
def _(height, width, d_model):
    """The result has the shape (height, width, d_model). One row for each patch is asked for, line by line:
    (height * width, d_model)."""
    return halves(height, width, d_model).reshape(height, width, -1)


@mistake("axial_sinusoidal", "features-in-turn")
def _(height, width, d_model):
    """Features of line and column take turns. The first half of the features belongs to the line, the second one to
    the column."""
    table = halves(height, width, d_model)
    return table.reshape(len(table), 2, -1).swapaxes(1, 2).reshape(table.shape)


@mistake("axial_sinusoidal", "counted-from-one")
def _(height, width, d_model):
    """Lines and columns are counted from 1. The first of each is 0."""
    half = quarters(d_model) // 2
    return halves(height, width, d_model, rows_of(height + 1, half)[1:], rows_of(width + 1, half)[1:])


@mistake("axial_sinusoidal", "number-for-the-column")
def _(height, width, d_model):
    """In the second half stands the number of the patch in the whole picture. The column begins again at 0 in every
    line."""
    half = quarters(d_model) // 2
    down = np.repeat(rows_of(height, half), width, axis=0)
    return np.concatenate([down, rows_of(height * width, half)], axis=-1)


@mistake("axial_sinusoidal", "eight-asked-for")
def _(height, width, d_model):
    """Widths such as 4 and 12 are refused. Two halves of whole pairs need a width that 4 divides, not 8."""
    if d_model % 8:
        raise ValueError("d_model must be divisible by 8")
    return halves(height, width, d_model)


@mistake("axial_sinusoidal", "another-error", advice="write if ...: raise ValueError(...).")
def _(height, width, d_model):
    """A width that no 4 divides raises another error than ValueError, for instance an AssertionError, which Python may
    be told to skip."""
    assert d_model % 4 == 0
    return halves(height, width, d_model)


# ---- rotary_2d


def grid(x, rows, cols, base, low=None, high=None):
    """Turn the first half by `rows` and the second by `cols`; other speeds may be given."""
    x = numbers(x)
    d = quarters(x.shape[-1])
    low = speeds(d // 2, base) if low is None else low
    high = speeds(d // 2, base) if high is None else high
    rows, cols = np.asarray(rows, dtype=float), np.asarray(cols, dtype=float)
    return turned(x, np.concatenate([rows[:, None] * low, cols[:, None] * high], axis=-1))


@mistake("rotary_2d", "columns-first", source="Meituan-AutoML/VisionLLaMA#4")
def _(x, rows, cols, base=10000):
    """The halves are exchanged: the column turns the first half and the row the second. Scores still depend on the
    distances, so nothing looks wrong until weights are loaded that were trained the other way round."""
    return grid(x, cols, rows, base)


@mistake("rotary_2d", "speeds-of-the-full-width", source="convention of three-axis sections (Qwen2-VL)")
def _(x, rows, cols, base=10000):
    """The speeds run on through both halves, from 1 down, as in one head of width d. The columns are left with the
    slow pairs only. Each half starts again at speed 1, like a head of width d/2."""
    x = numbers(x)
    both = speeds(quarters(x.shape[-1]), base)
    return grid(x, rows, cols, base, *np.split(both, 2))


@mistake("rotary_2d", "alternating-pairs")
def _(x, rows, cols, base=10000):
    """Row and column take turns, pair by pair: even pairs by the row, odd pairs by the column. Here the first half of
    the features belongs to the row."""
    x = numbers(x)
    theta = np.repeat(speeds(quarters(x.shape[-1]) // 2, base), 2)
    rows, cols = np.asarray(rows, dtype=float)[:, None], np.asarray(cols, dtype=float)[:, None]
    return turned(x, theta * np.where(np.arange(len(theta)) % 2, cols, rows))


@mistake("rotary_2d", "half-layout", source="folklore: two layouts of RoPE, 05_rotary")
def _(x, rows, cols, base=10000):
    """Within each half, feature i is paired with feature i + d/4. Here neighbours are pairs, as in
    rotary_embedding."""
    x = numbers(x)
    quarter = quarters(x.shape[-1]) // 4
    lace = np.arange(4 * quarter).reshape(2, 2, quarter).swapaxes(1, 2).ravel()
    out = np.empty_like(x)
    out[..., lace] = grid(x[..., lace], rows, cols, base)
    return out


@mistake("rotary_2d", "base-left-out", advice="call it with base=100 and see whether anything changes.")
def _(x, rows, cols, base=10000):
    """The base is taken, and 10000 is used all the same: it does not reach the function that turns."""
    return grid(x, rows, cols, 10000)


@mistake("rotary_2d", "one-number-for-both")
def _(x, rows, cols, base=10000):
    """Both halves are turned by the row, and the column is never used. Patches of the same line cannot be told
    apart."""
    return grid(x, rows, rows, base)


@mistake("rotary_2d", "sum-of-row-and-column")
def _(x, rows, cols, base=10000):
    """Row and column are added and one number turns everything. The places (1, 2) and (2, 1) then are the same
    place."""
    both = np.asarray(rows, dtype=float) + np.asarray(cols)
    x = numbers(x)
    quarters(x.shape[-1])
    return turned(x, both[:, None] * speeds(x.shape[-1], base))


@mistake("rotary_2d", "turned-back")
def _(x, rows, cols, base=10000):
    """Pairs are turned the other way round: the sine has the wrong sign. Scores between queries and keys that are both
    turned so hide it."""
    return grid(x, -np.asarray(rows, dtype=float), -np.asarray(cols, dtype=float), base)


@mistake("rotary_2d", "places-rounded")
def _(x, rows, cols, base=10000):
    """Rows and columns are turned into whole numbers first. Places between two patches, which a resized picture has,
    are then moved onto one of them."""
    return grid(x, np.asarray(rows).astype(int), np.asarray(cols).astype(int), base)


@mistake("rotary_2d", "only-odd-widths-refused")
def _(x, rows, cols, base=10000):
    """Widths such as 6 or 10 are not refused. Their halves have 3 or 5 features, and one of those has no partner."""
    x = numbers(x)
    if x.shape[-1] % 4 == 0:
        return grid(x, rows, cols, base)
    if x.shape[-1] % 2:
        raise ValueError("d must be even")
    kept = x.shape[-1] // 4 * 4
    return np.concatenate([grid(x[..., :kept], rows, cols, base) if kept else x[..., :0], x[..., kept:]], axis=-1)


@mistake("rotary_2d", "whole-numbers-cut")
def _(x, rows, cols, base=10000):
    """The result is written into an array of the type of x. For whole numbers that cuts everything behind the point:
    0.54 becomes 0."""
    return grid(x, rows, cols, base).astype(np.asarray(x).dtype)


@mistake("rotary_2d", "type-not-kept")
def _(x, rows, cols, base=10000):
    """An x in float32 comes back in float64: the angles carried their own type into the result."""
    return grid(np.asarray(x, dtype=float), rows, cols, base)


@mistake("rotary_2d", "exponents-of-the-full-width")
def _(x, rows, cols, base=10000):
    """The exponents are half of what they should be, so both halves have fast pairs only. Each half is like a head of
    width h = d/2: its pair i turns by base**(-2 i / h) per step. Dividing by d, or leaving the 2 out, halves that."""
    x = numbers(x)
    half = speeds(quarters(x.shape[-1]), base)[: x.shape[-1] // 4]
    return grid(x, rows, cols, base, half, half)


@mistake("rotary_2d", "halves-as-pairs")
def _(x, rows, cols, base=10000):
    """Feature i is paired with feature i + d/2, so each pair has a member in both halves. Neighbours are pairs: the
    first half of the features belongs to the row, and both members of its pairs."""
    x = numbers(x)
    lace = np.arange(4 * (quarters(x.shape[-1]) // 4)).reshape(2, -1).T.ravel()
    out = np.empty_like(x)
    out[..., lace] = grid(x[..., lace], rows, cols, base)
    return out


@mistake("rotary_2d", "second-member-mirrored")
def _(x, rows, cols, base=10000):
    """One sign is wrong: the second member of each pair comes out with the wrong sign of its own part. At place 0
    nothing may change."""
    out = grid(x, rows, cols, base)
    flat = grid(numbers(x) * np.tile([0.0, 1.0], np.shape(x)[-1] // 2), rows, cols, base)
    out[..., 1::2] -= 2 * flat[..., 1::2]
    return out


@mistake("rotary_2d", "axes-in-front-lost")
def _(x, rows, cols, base=10000):
    """The axes in front, for a batch or for heads, are lost. The result has the shape of x."""
    return grid(x, rows, cols, base).reshape(-1, np.shape(x)[-1])


@mistake("rotary_2d", "lists-have-no-shape")
def _(x, rows, cols, base=10000):
    """A list leads to an error. Arguments may be lists of numbers: make an array of each before anything else."""
    return grid(x, rows, cols, base).reshape(x.shape)


@mistake("rotary_2d", "places-as-lists-refused")
def _(x, rows, cols, base=10000):
    """A list leads to an error. Arguments may be lists of numbers: make an array of each before anything else."""
    return grid(x, rows[:, None][:, 0], cols[:, None][:, 0], base)


@mistake("rotary_2d", "eight-asked-for")
def _(x, rows, cols, base=10000):
    """Widths such as 4 and 12 are refused. Two halves of whole pairs need a width that 4 divides, not 8."""
    if np.shape(x)[-1] % 8:
        raise ValueError("d must be divisible by 8")
    return grid(x, rows, cols, base)


@mistake("rotary_2d", "another-error", advice="write if ...: raise ValueError(...).")
def _(x, rows, cols, base=10000):
    """A width that no 4 divides raises another error than ValueError, for instance an AssertionError, which Python may
    be told to skip."""
    assert np.shape(x)[-1] % 4 == 0
    return grid(x, rows, cols, base)


@mistake("rotary_2d", "negative-places-cut")
def _(x, rows, cols, base=10000):
    """Negative places are moved to 0. Rows and columns may lie above or left of the first one; all real numbers are
    allowed."""
    return grid(x, np.maximum(rows, 0), np.maximum(cols, 0), base)


def grid_kept(name, key, x, rows, cols, base):
    """Turn by angles of the call before where the key is the same; what cannot be turned is refused as it should be."""
    x = numbers(x)
    half = quarters(x.shape[-1]) // 2
    places = np.asarray(rows, dtype=float)[:, None], np.asarray(cols, dtype=float)[:, None]
    angles = kept(name, (half, *key), lambda: np.concatenate([p * speeds(half, base) for p in places], axis=-1))
    return turned(x, angles)


@mistake("rotary_2d", "angles-kept-for-another-base", source="folklore: a cache whose key forgets an argument")
def _(x, rows, cols, base=10000):
    """A result of an earlier call is used although an argument has changed since. What is kept must be kept under all
    arguments that it depends on: width, rows, columns and base."""
    return grid_kept("base", (np.ravel(rows).tolist(), np.ravel(cols).tolist()), x, rows, cols, base)


@mistake("rotary_2d", "angles-kept-for-other-places", source="folklore: a cache whose key forgets an argument")
def _(x, rows, cols, base=10000):
    """A result of an earlier call is used although an argument has changed since. What is kept must be kept under all
    arguments that it depends on: width, rows, columns and base."""
    return grid_kept("places", (len(rows),), x, rows, cols, base)


@mistake("rotary_2d", "turned-in-place")
def _(x, rows, cols, base=10000):
    """The caller's x was changed. Assigning to a part of it (x[..., :half] = ...) does so, for instance. Make a new
    array."""
    out = grid(x, rows, cols, base)
    if isinstance(x, np.ndarray) and x.dtype.kind == "f":
        x[...] = out
    return out


options(
    "answer_same_score",
    a="""Query and key have changed places, so both distances have changed their sign. A turn by an angle and a turn by
    minus that angle give the same score only for special content.""",
    b="""The key lies 3 rows below the query and 2 columns to its left, as it did before. Only the two distances reach
    the score, with their signs, so it is the same for every content.""",
    c="""Rows and columns are exchanged here. The half that felt 3 now feels -2, and the other way round; the two halves
    hold different features, so the score changes.""",
    d="""The rows are 3 apart as before, but the column has been mirrored: 2 to the right where it was 2 to the left. A
    distance counts with its sign.""",
)


# ---- rotary_sections


@mistake("rotary_sections", "speeds-start-again")
def _(x, positions, sections, base=10000):
    """The speeds start again at 1 in every section, as if each were a small head of its own. That is what rotary_2d
    does. Here a pair keeps the speed that it has in the whole head, whoever owns it."""
    theta = np.concatenate([speeds(2 * s, base) for s in sections])
    return in_sections(x, positions, owner_of(sections), theta)


@mistake("rotary_sections", "features-counted", source="InfiniTensor/InfiniCore#1350 (sections given in features)")
def _(x, positions, sections, base=10000):
    """A section is taken to count features, and it counts pairs. With the features used up half way, the pairs behind
    belong to the wrong axis."""
    pairs = np.arange(sum(sections))
    owner = np.minimum(np.searchsorted(np.cumsum(sections), 2 * pairs, side="right"), len(sections) - 1)
    return in_sections(x, positions, owner, speeds(2 * sum(sections), base))


@mistake("rotary_sections", "axes-in-turn", source="the interleaved schedule of newer models (Qwen3-VL)")
def _(x, positions, sections, base=10000):
    """The axes take turns, pair by pair: first, second, third, first again. Some newer models do this on purpose. Here
    the sections are blocks: all pairs of the first axis, then all of the second."""
    left, owner = list(sections), []
    while any(left):
        for axis in range(len(left)):
            if left[axis]:
                owner.append(axis)
                left[axis] -= 1
    return in_sections(x, positions, np.array(owner), speeds(2 * sum(sections), base))


@mistake("rotary_sections", "axes-reversed")
def _(x, positions, sections, base=10000):
    """The last axis owns the first section. The first row of positions belongs to the first section."""
    return in_sections(x, np.asarray(positions)[::-1], owner_of(sections), speeds(2 * sum(sections), base))


@mistake("rotary_sections", "base-left-out", advice="call it with base=50 and see whether anything changes.")
def _(x, positions, sections, base=10000):
    """The base is taken, and 10000 is used all the same: it does not reach the frequencies."""
    return in_sections(x, positions, owner_of(sections), speeds(2 * sum(sections), 10000))


@mistake("rotary_sections", "first-axis-for-all")
def _(x, positions, sections, base=10000):
    """All pairs are turned by the first axis. The sections are counted and the positions of the other axes never
    used."""
    return in_sections(x, positions, np.zeros(sum(sections), dtype=int), speeds(2 * sum(sections), base))


@mistake("rotary_sections", "whole-numbers-cut")
def _(x, positions, sections, base=10000):
    """The result is written into an array of the type of x. For whole numbers that cuts everything behind the point:
    0.54 becomes 0."""
    result = in_sections(x, positions, owner_of(sections), speeds(2 * sum(sections), base))
    return result.astype(np.asarray(x).dtype)


@mistake("rotary_sections", "places-rounded")
def _(x, positions, sections, base=10000):
    """Positions are turned into whole numbers first. Places in between, which a resized picture or a slow film has, are
    then moved."""
    whole = np.asarray(positions).astype(int)
    return in_sections(x, whole, owner_of(sections), speeds(2 * sum(sections), base))


@mistake("rotary_sections", "type-not-kept")
def _(x, positions, sections, base=10000):
    """An x in float32 comes back in float64: the angles carried their own type into the result."""
    whole = np.asarray(x, dtype=float)
    return in_sections(whole, positions, owner_of(sections), speeds(2 * sum(sections), base))


def sectioned(x, positions, sections, base, **other):
    """Turn as asked for, but for what is named."""
    owner = other.get("owner", owner_of(sections))
    return in_sections(x, positions, owner, other.get("frequencies", speeds(2 * sum(sections), base)))


@mistake("rotary_sections", "axes-in-turn-for-ever", source="the interleaved schedule of newer models (Qwen3-VL)")
def _(x, positions, sections, base=10000):
    """The axes take turns, pair by pair, and the sections are not counted. Here the sections are blocks: all pairs of
    the first axis, then all of the second."""
    return sectioned(x, positions, sections, base, owner=np.arange(sum(sections)) % len(sections))


@mistake("rotary_sections", "half-layout", source="folklore: two layouts of RoPE, 05_rotary")
def _(x, positions, sections, base=10000):
    """Feature i is paired with feature i + d/2. Here neighbours are pairs, as in rotary_embedding."""
    x = numbers(x)
    lace = np.arange(x.shape[-1]).reshape(2, -1).T.ravel()
    out = np.empty_like(x)
    out[..., lace] = sectioned(x[..., lace], positions, sections, base)
    return out


@mistake("rotary_sections", "turned-back")
def _(x, positions, sections, base=10000):
    """Pairs are turned the other way round: the sine has the wrong sign. Scores between queries and keys that are both
    turned so hide it."""
    return sectioned(x, -np.asarray(positions, dtype=float), sections, base)


@mistake("rotary_sections", "equal-shares")
def _(x, positions, sections, base=10000):
    """The axes got equal shares of the pairs, whatever the sections say. sections[a] is how many pairs axis a owns."""
    pairs = sum(sections)
    return sectioned(x, positions, sections, base, owner=np.arange(pairs) * len(sections) // pairs)


@mistake("rotary_sections", "blocks-reversed")
def _(x, positions, sections, base=10000):
    """The blocks are in the wrong order: the last axis owns the first pairs. The first axis owns the first
    sections[0] pairs, the second one those that follow."""
    return sectioned(x, positions, sections, base, owner=owner_of(sections)[::-1])


@mistake("rotary_sections", "axes-added")
def _(x, positions, sections, base=10000):
    """The numbers of all axes are added and turn every pair. The places (1, 2) and (2, 1) then are the same place. Each
    pair is turned by the axis that owns it."""
    total = np.sum(np.asarray(positions, dtype=float), axis=0)
    return sectioned(x, np.tile(total, (len(sections), 1)), sections, base)


@mistake("rotary_sections", "exponents-without-the-two")
def _(x, positions, sections, base=10000):
    """The exponents are half of what they should be: pair i turns by base**(-2 i / d) per step. The slow pairs are
    missing."""
    return sectioned(x, positions, sections, base, frequencies=np.sqrt(speeds(2 * sum(sections), base)))


@mistake("rotary_sections", "speeds-turned-round")
def _(x, positions, sections, base=10000):
    """The speeds are in the wrong order: the last pair is the fastest. Pair 0 turns by 1 radian per step, and the pairs
    behind it are ever slower."""
    return sectioned(x, positions, sections, base, frequencies=speeds(2 * sum(sections), base)[::-1])


@mistake("rotary_sections", "sections-not-added-up")
def _(x, positions, sections, base=10000):
    """A section begins at its neighbour's *size*. It begins behind all sections before it, at the sum of their sizes;
    with two axes nothing shows."""
    owner = np.searchsorted(np.array(list(sections[:-1])), np.arange(sum(sections)), side="right")
    return sectioned(x, positions, sections, base, owner=owner)


@mistake("rotary_sections", "axes-along-the-columns")
def _(x, positions, sections, base=10000):
    """positions was read as (tokens, axes). It holds one row for each axis: (axes, tokens)."""
    places = np.asarray(positions, dtype=float)
    return sectioned(x, places.reshape(places.shape[::-1]).T, sections, base)


@mistake("rotary_sections", "axes-in-front-lost")
def _(x, positions, sections, base=10000):
    """The axes in front, for a batch or for heads, are lost. The result has the shape of x."""
    return sectioned(x, positions, sections, base).reshape(-1, np.shape(x)[-1])


@mistake("rotary_sections", "lists-have-no-shape")
def _(x, positions, sections, base=10000):
    """A list leads to an error. Arguments may be lists of numbers: make an array of each before anything else."""
    return sectioned(x, positions, sections, base).reshape(x.shape)


@mistake("rotary_sections", "positions-as-lists-refused")
def _(x, positions, sections, base=10000):
    """A list leads to an error. Arguments may be lists of numbers: make an array of each before anything else."""
    return sectioned(x, positions[:, :], sections, base)


@mistake("rotary_sections", "empty-section-skipped")
def _(x, positions, sections, base=10000):
    """A section of 0 pairs is skipped, and its axis is not: all axes behind it own the wrong pairs. Such an axis owns
    nothing, and the next one keeps its own row of positions."""
    used = [s for s in sections if s]
    return sectioned(x, positions, sections, base, owner=owner_of(used))


def sections_kept(name, key, x, positions, sections, base):
    """Turn by angles of the call before where the key is the same."""
    owner, frequencies = owner_of(sections), speeds(2 * sum(sections), base)
    angles = kept(name, key, lambda: np.asarray(positions, dtype=float)[owner].T * frequencies)
    return turned(x, angles)


@mistake("rotary_sections", "angles-kept-for-other-places", source="folklore: a cache whose key forgets an argument")
def _(x, positions, sections, base=10000):
    """A result of an earlier call is used although an argument has changed since. What is kept must be kept under all
    arguments that it depends on: positions, sections and base."""
    return sections_kept("p", (np.shape(positions), tuple(sections), base), x, positions, sections, base)


@mistake("rotary_sections", "angles-kept-for-another-base", source="folklore: a cache whose key forgets an argument")
def _(x, positions, sections, base=10000):
    """A result of an earlier call is used although an argument has changed since. What is kept must be kept under all
    arguments that it depends on: positions, sections and base."""
    return sections_kept("b", (np.asarray(positions).tolist(), tuple(sections)), x, positions, sections, base)


@mistake("rotary_sections", "angles-kept-for-other-sections", source="folklore: a cache whose key forgets an argument")
def _(x, positions, sections, base=10000):
    """A result of an earlier call is used although an argument has changed since. What is kept must be kept under all
    arguments that it depends on: positions, sections and base."""
    key = np.asarray(positions).tolist(), sum(sections), base
    return sections_kept("s", key, x, positions, sections, base)


@mistake("rotary_sections", "turned-in-place")
def _(x, positions, sections, base=10000):
    """The caller's x was changed. Assigning to a part of it (x[..., i] = ...) does so, for instance. Make a new
    array."""
    out = sectioned(x, positions, sections, base)
    if isinstance(x, np.ndarray) and x.dtype.kind == "f":
        x[...] = out
    return out


# ---- hierarchical_table


@mistake("hierarchical_table", "table-used-as-it-is")
def _(table, new_len, alpha=0.4):
    """The rows p themselves are mixed, without making u from them first. The first block then is
    alpha * p_0 + (1 - alpha) * p_j: the positions that the model knows have moved."""
    p = allowed(table, new_len, alpha)
    return levels(p, new_len, alpha, len(p)) if new_len else p[:0]


@mistake("hierarchical_table", "levels-exchanged")
def _(table, new_len, alpha=0.4):
    """The two levels have changed places in the mixture: the block gets 1 - alpha and the place inside it alpha
    (or block number and place inside are exchanged, which is the same). The trained rows are not kept."""
    p = allowed(table, new_len, alpha)
    return levels((p - alpha * p[0]) / (1 - alpha), new_len, 1 - alpha, len(p))


@mistake("hierarchical_table", "alpha-turned-round")
def _(table, new_len, alpha=0.4):
    """Everywhere 1 - alpha stands for alpha. The trained rows are kept, but a step to the next block has become larger
    or smaller than it should be."""
    p = allowed(table, new_len, alpha)
    return levels((p - (1 - alpha) * p[0]) / alpha, new_len, 1 - alpha, len(p))


@mistake("hierarchical_table", "alpha-left-at-its-default")
def _(table, new_len, alpha=0.4):
    """alpha is taken, and 0.4 is used all the same."""
    p = allowed(table, new_len, alpha)
    return levels((p - 0.4 * p[0]) / 0.6, new_len, 0.4, len(p))


@mistake("hierarchical_table", "not-divided")
def _(table, new_len, alpha=0.4):
    """u is not divided by 1 - alpha. The trained rows then come back too short."""
    p = allowed(table, new_len, alpha)
    return levels(p - alpha * p[0], new_len, alpha, len(p))


@mistake("hierarchical_table", "tiled")
def _(table, new_len, alpha=0.4):
    """The table is repeated from its start. Places 1 and n + 1 get the same row, and the model cannot tell them
    apart."""
    p = allowed(table, new_len, alpha)
    return p[np.arange(new_len) % len(p)]


@mistake("hierarchical_table", "shorter-refused")
def _(table, new_len, alpha=0.4):
    """A new length below the table's own is refused. A shorter text needs no second level: it gets the first
    rows."""
    p = allowed(table, new_len, alpha)
    if new_len < len(p):
        raise ValueError("new_len is below the length of the table")
    return levels((p - alpha * p[0]) / (1 - alpha), new_len, alpha, len(p))


@mistake("hierarchical_table", "never-shorter")
def _(table, new_len, alpha=0.4):
    """For a new length below the table's own all its rows come back. Whoever asks for 2 rows is to get 2."""
    p = allowed(table, new_len, alpha)
    return levels((p - alpha * p[0]) / (1 - alpha), max(new_len, len(p)), alpha, len(p))


@mistake("hierarchical_table", "half-not-refused")
def _(table, new_len, alpha=0.4):
    """An alpha of one half is let through. Both levels then weigh the same, and places (i, j) and (j, i) get the same
    row."""
    p = allowed(table, new_len, 0.4 if alpha == 0.5 else alpha)
    return levels((p - alpha * p[0]) / (1 - alpha), new_len, alpha, len(p))


@mistake("hierarchical_table", "any-alpha")
def _(table, new_len, alpha=0.4):
    """An alpha outside the range from 0 to 1, or at one of its ends, is let through. At 0 all blocks are the same, at 1
    there is a division by zero, and beyond them one of the levels is subtracted."""
    p = allowed(table, new_len, 0.4 if alpha != 0.5 else alpha)
    with np.errstate(all="ignore"):
        return levels((p - alpha * p[0]) / (1 - alpha), new_len, alpha, len(p))


@mistake("hierarchical_table", "too-long-not-refused")
def _(table, new_len, alpha=0.4):
    """More than n * n places are let through. There is no row for the block behind the last one, so it begins again
    with block 0, and positions repeat."""
    p = allowed(table, 0, alpha)
    u, place = (p - alpha * p[0]) / (1 - alpha), np.arange(new_len)
    return alpha * u[place // len(p) % len(p)] + (1 - alpha) * u[place % len(p)]


def two_level(table, new_len, alpha):
    """Give the right rows; what cannot work is refused by the caller."""
    p = np.asarray(table, dtype=float)
    return levels((p - alpha * p[0]) / (1 - alpha), new_len, alpha, len(p))


@mistake("hierarchical_table", "mean-row-for-the-first")
def _(table, new_len, alpha=0.4):
    """In u the mean of all rows stands where p_0 should. The trained rows are not kept then: put i = 0 and j = 0 into
    the mixture, and u_0 = p_0 follows."""
    p = allowed(table, new_len, alpha)
    return levels((p - alpha * p.mean(axis=0)) / (1 - alpha), new_len, alpha, len(p))


@mistake("hierarchical_table", "first-feature-for-the-first-row")
def _(table, new_len, alpha=0.4):
    """In u the first *column* of the table stands where its first *row* should. p_0 is row 0, p[0]."""
    p = allowed(table, new_len, alpha)
    return levels((p - alpha * p[:, :1]) / (1 - alpha), new_len, alpha, len(p))


@mistake("hierarchical_table", "later-blocks-of-p")
def _(table, new_len, alpha=0.4):
    """The first rows are kept, and the later blocks are mixed of p and not of u. Steps inside them are then smaller
    than those that the model knows."""
    p = allowed(table, new_len, alpha)
    out = levels(p, new_len, alpha, len(p))
    out[: len(p)] = p[:new_len]
    return out


@mistake("hierarchical_table", "another-error-for-the-length")
def _(table, new_len, alpha=0.4):
    """More than n * n places raise another error than ValueError, perhaps by chance: a row of the table that does not
    exist was asked for. Look at the length first."""
    allowed(table, 0, alpha)
    return two_level(table, new_len, alpha)


@mistake("hierarchical_table", "another-error-for-alpha")
def _(table, new_len, alpha=0.4):
    """An alpha that cannot be raises another error than ValueError. It is a number, so its type is right; its value is
    not."""
    if not 0 < alpha < 1 or alpha == 0.5:
        raise TypeError("alpha")
    return two_level(allowed(table, new_len, alpha), new_len, alpha)


@mistake("hierarchical_table", "full-length-refused")
def _(table, new_len, alpha=0.4):
    """n * n places are refused. There are as many: blocks 0 to n - 1 with n places each."""
    if new_len == len(table) ** 2:
        raise ValueError("too long")
    return two_level(allowed(table, new_len, alpha), new_len, alpha)


@mistake("hierarchical_table", "above-half-refused")
def _(table, new_len, alpha=0.4):
    """An alpha above one half is refused. All between 0 and 1 are allowed but 0.5 itself."""
    if alpha > 0.5:
        raise ValueError("alpha")
    return two_level(allowed(table, new_len, alpha), new_len, alpha)


@mistake("hierarchical_table", "near-half-refused")
def _(table, new_len, alpha=0.4):
    """An alpha near one half is refused. Only 0.5 itself makes two places the same."""
    if abs(alpha - 0.5) < 0.05:
        raise ValueError("alpha")
    return two_level(allowed(table, new_len, alpha), new_len, alpha)


@mistake("hierarchical_table", "ends-alone-refused")
def _(table, new_len, alpha=0.4):
    """An alpha outside the range from 0 to 1 is let through; only 0, 0.5 and 1 are refused. Beyond the ends one of the
    levels is subtracted."""
    return two_level(allowed(table, new_len, 0.4 if alpha < 0 or alpha > 1 else alpha), new_len, alpha)


@mistake("hierarchical_table", "zero-let-through")
def _(table, new_len, alpha=0.4):
    """An alpha of 0 is let through. All blocks are the same then, and places n apart get the same row."""
    return two_level(allowed(table, new_len, 0.4 if alpha == 0 else alpha), new_len, alpha)


@mistake("hierarchical_table", "one-let-through")
def _(table, new_len, alpha=0.4):
    """An alpha of 1 is let through. u is divided by 1 - alpha, so infinite numbers or NaN come out."""
    with np.errstate(all="ignore"):
        return two_level(allowed(table, new_len, 0.4 if alpha == 1 else alpha), new_len, alpha)


@mistake("hierarchical_table", "short-text-not-checked")
def _(table, new_len, alpha=0.4):
    """An alpha that cannot be is let through when no second level is needed: your function returns before it looks.
    Look first, whatever the length is."""
    if new_len <= len(table):
        return np.array(table, dtype=float)[:new_len]
    return two_level(allowed(table, new_len, alpha), new_len, alpha)


@mistake("hierarchical_table", "whole-numbers-cut")
def _(table, new_len, alpha=0.4):
    """u was written into an array of the type of the table. For a table of whole numbers that cuts everything behind
    the point."""
    p = allowed(table, new_len, alpha)
    u = ((p - alpha * p[0]) / (1 - alpha)).astype(np.asarray(table).dtype)
    return levels(u, new_len, alpha, len(p))


@mistake("hierarchical_table", "features-for-rows")
def _(table, new_len, alpha=0.4):
    """n was taken to be the width of a row. It is the number of rows, len(table): that decides how long a block is and
    which lengths are refused. In a square table nothing shows."""
    p = allowed(table, 0, alpha)
    if new_len > p.shape[1] ** 2:
        raise ValueError("too long")
    return levels((p - alpha * p[0]) / (1 - alpha), new_len, alpha, p.shape[1])


@mistake("hierarchical_table", "table-changed")
def _(table, new_len, alpha=0.4):
    """The caller's table was changed. Subtracting in place (-=) does so, for instance; np.asarray makes no copy of an
    array. Make a new array."""
    out = two_level(allowed(table, new_len, alpha), new_len, alpha)
    if isinstance(table, np.ndarray) and table.dtype.kind == "f":
        table -= alpha * table[0].copy()
    return out


# ---- sentence_positions


def numbered(token_ids, sep_id):
    """Give both right arrays, and where separators stand."""
    ends = ends_of(token_ids, sep_id)
    sentence = np.cumsum(ends) - ends
    return sentence, count_inside(sentence), ends


@mistake("sentence_positions", "sentences-from-one")
def _(token_ids, sep_id):
    """Sentences are counted from 1. The first sentence is sentence 0."""
    sentence, inside, _ = numbered(token_ids, sep_id)
    return sentence + 1, inside


@mistake("sentence_positions", "last-separator-is-place-zero")
def _(token_ids, sep_id):
    """From the second sentence on, places are counted from the separator before, so they begin with 1. The separator
    belongs to the sentence that it ends; the token behind it stands at place 0."""
    sentence, inside, _ = numbered(token_ids, sep_id)
    return sentence, inside + (sentence > 0)


@mistake("sentence_positions", "separator-alone")
def _(token_ids, sep_id):
    """A separator is made a sentence of its own. It belongs to the sentence that it ends, as its last token."""
    ends = ends_of(token_ids, sep_id)
    sentence = 2 * np.cumsum(ends) - ends
    return sentence, count_inside(sentence)


@mistake("sentence_positions", "separators-left-out")
def _(token_ids, sep_id):
    """Separators are left out of the result. Each token of the text has both numbers, a separator too."""
    sentence, inside, ends = numbered(token_ids, sep_id)
    return sentence[~ends], inside[~ends]


@mistake("sentence_positions", "counted-down")
def _(token_ids, sep_id):
    """Places are counted from the end of each sentence. They count up: the first token of a sentence stands at
    place 0."""
    sentence, inside, _ = numbered(token_ids, sep_id)
    return sentence, np.bincount(sentence)[sentence] - 1 - inside


@mistake("sentence_positions", "all-sentences-of-one-length")
def _(token_ids, sep_id):
    """Every sentence is taken to be as long as the first one. Each ends at its own separator."""
    sentence, _, ends = numbered(token_ids, sep_id)
    length = int(np.argmax(ends)) + 1 if ends.any() else len(ends)
    return sentence, np.arange(len(ends)) % length


@mistake("sentence_positions", "no-separator-breaks", advice="what does your code do with [3, 4, 5] and separator 0?")
def _(token_ids, sep_id):
    """A text without a separator leads to an error: the first one is looked for and there is none. Such a text is one
    sentence."""
    sentence, inside, ends = numbered(token_ids, sep_id)
    return sentence + 0 * np.flatnonzero(ends)[0], inside


@mistake("sentence_positions", "list-compared", advice="print([1, 2] == 2).")
def _(token_ids, sep_id):
    """A list was compared with the separator as a whole: [7, 0, 8] == 0 is one False and not three. Make an array of
    the tokens first."""
    ends = token_ids == sep_id
    sentence = np.cumsum(ends) - ends
    return sentence, count_inside(sentence) + 0 * ends[:1].astype(int)


@mistake("sentence_positions", "separator-begins-the-next")
def _(token_ids, sep_id):
    """The separator is counted to the sentence that it precedes. Here it ends its sentence and belongs to it, like a
    full stop: the sentence number rises *behind* it."""
    sentence = np.cumsum(ends_of(token_ids, sep_id))
    return sentence, count_inside(sentence)


@mistake("sentence_positions", "counted-from-one")
def _(token_ids, sep_id):
    """Places inside a sentence are counted from 1. The first token of every sentence stands at place 0."""
    ends = ends_of(token_ids, sep_id)
    sentence = np.cumsum(ends) - ends
    return sentence, count_inside(sentence) + 1


@mistake("sentence_positions", "place-in-the-text")
def _(token_ids, sep_id):
    """The second array goes on counting through the whole text. It is to begin again at 0 behind every separator."""
    ends = ends_of(token_ids, sep_id)
    return np.cumsum(ends) - ends, np.arange(len(ends))


@mistake("sentence_positions", "order-of-the-two")
def _(token_ids, sep_id):
    """The two arrays are returned in the other order: place inside the sentence first. The sentence number comes
    first."""
    ends = ends_of(token_ids, sep_id)
    sentence = np.cumsum(ends) - ends
    return count_inside(sentence), sentence


@mistake("sentence_positions", "zero-for-separators")
def _(token_ids, sep_id):
    """A separator that ends a sentence gets place 0. It is a token like the others, and stands at the last place of its
    sentence."""
    ends = ends_of(token_ids, sep_id)
    sentence = np.cumsum(ends) - ends
    return sentence, np.where(ends, 0, count_inside(sentence))


@mistake("sentence_positions", "separators-in-a-row-as-one")
def _(token_ids, sep_id):
    """Separators in a row are taken for one end. Each of them ends a sentence: the second one is a sentence of one
    token."""
    ends = ends_of(token_ids, sep_id)
    last = ends & ~np.append(ends[1:], False)
    sentence = np.cumsum(last) - last
    return sentence, count_inside(sentence)


@mistake("sentence_positions", "separator-at-the-start-forgotten")
def _(token_ids, sep_id):
    """A separator at the very beginning of the text ends no sentence. By the rule it does: it is a sentence of one
    token, and the text goes on with sentence 1."""
    ends = ends_of(token_ids, sep_id).copy()
    ends[:1] = False
    sentence = np.cumsum(ends) - ends
    return sentence, count_inside(sentence)


@mistake("sentence_positions", "real-numbers")
def _(token_ids, sep_id):
    """The numbers come back as real numbers, such as 2.0. They are to look up rows of tables and must be whole."""
    ends = ends_of(token_ids, sep_id)
    sentence = np.cumsum(ends) - ends
    return sentence.astype(float), count_inside(sentence).astype(float)


@mistake("sentence_positions", "separator-taken-for-zero", advice="call it with sep_id=102 and tokens that hold 102.")
def _(token_ids, sep_id):
    """The token 0 is taken for the separator, whatever sep_id says. Every vocabulary has its own."""
    ends = ends_of(token_ids, 0)
    sentence = np.cumsum(ends) - ends
    return sentence, count_inside(sentence)

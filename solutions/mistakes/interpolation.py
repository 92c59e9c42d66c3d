"""What people write instead in 07_interpolation, and what a learner should read when they do."""

import numpy as np

from labsupport.checking.bank import mistake, right

# A wrong answer is right in everything but its one fault. These helpers give it that rest.


def table_of(old_max_len, pos_emb):
    """Give the table as numbers, refusing a length that is not its own."""
    rows = np.asarray(pos_emb, dtype=float)
    if len(rows) != old_max_len:
        raise ValueError("old_max_len is not the number of rows")
    return rows


def read_at(places, rows, axis=0):
    """Read a table between its rows; places beyond the ends read the last row there."""
    return np.apply_along_axis(lambda line: np.interp(places, np.arange(len(line)), line), axis, rows)


def even_places(old, new):
    """Give `new` places from the first row to the last."""
    return np.linspace(0, old - 1, new)


def cells(old, new):
    """Give the centres of `new` cells, in units of the old ones."""
    return (np.arange(new) + 0.5) * old / new - 0.5


def regrid(pos_emb, old_grid, new_grid, prefix=0, places=cells, read=read_at):
    """Resample a grid axis by axis, with other places or another way of reading."""
    rows = np.asarray(pos_emb, dtype=float)
    grid = rows[prefix:].reshape(*old_grid, -1)
    for axis in (0, 1):
        grid = read(places(old_grid[axis], new_grid[axis]), grid, axis)
    return np.concatenate([rows[:prefix], grid.reshape(-1, rows.shape[1])])


def speeds(d, base=10000):
    """Give RoPE's own frequencies."""
    return right.rope_frequencies(d, base)


def corner(d, base, length, turns):
    """Give the (fractional) pair that makes so many turns within a length."""
    return d * np.log(length / (2 * np.pi * turns)) / (2 * np.log(base))


def corners(d, base, length, fast, slow):
    """Give both corners as published: rounded outwards and cut."""
    low, high = corner(d, base, length, fast), corner(d, base, length, slow)
    return max(np.floor(low), 0), min(np.ceil(high), d - 1)


def blend(d, base, scale, low, high, at=None, clip=True):
    """Divide by scale what lies behind the upper corner, keep what lies before the lower one."""
    at = np.arange(d // 2) if at is None else at
    share = (at - low) / (high - low + (high == low) * 0.001)
    share = np.clip(share, 0, 1) if clip else share
    return speeds(d, base) * (1 - share * (1 - 1 / scale))


KEPT = {}  # what scale-kept keeps between its calls


# ---- interpolate_positions


@mistake(
    "interpolate_positions",
    "first-column-only",
    source="the outline's Lab 4",
    advice="stretch [[0, 10], [3, 30]] from 2 rows to 3 and look at the second column; it must run from 10 to 30.",
)
def _(old_max_len, new_max_len, pos_emb):
    """Every column of your result is the first column. np.interp reads one line of numbers, pos_emb[:, 0] is one
    line, and the other features of the table are never looked at. A test of the shape does not see it."""
    rows = table_of(old_max_len, pos_emb)
    line = read_at(even_places(old_max_len, new_max_len), rows[:, :1])
    return np.tile(line, (1, rows.shape[1]))


@mistake(
    "interpolate_positions",
    "first-column-one-row-kept",
    source="the outline's Lab 4",
    advice="stretch [[0, 10], [3, 30]] from 2 rows to 3 and look at the second column; it must run from 10 to 30.",
)
def _(old_max_len, new_max_len, pos_emb):
    """Every column of your result is the first column. np.interp reads one line of numbers, pos_emb[:, 0] is one
    line, and the other features of the table are never looked at. A test of the shape does not see it."""
    rows = table_of(old_max_len, pos_emb)
    if old_max_len == 1:
        return np.tile(rows, (new_max_len, 1))
    return np.tile(read_at(even_places(old_max_len, new_max_len), rows[:, :1]), (1, rows.shape[1]))


@mistake(
    "interpolate_positions",
    "one-column-returned",
    source="the outline's Lab 4, as printed",
    advice="stretch [[0, 10], [3, 30]] from 2 rows to 3 and look at the second column; it must run from 10 to 30.",
)
def _(old_max_len, new_max_len, pos_emb):
    """Your result is one line of numbers, the first feature of every row. It has the right length, so assert
    len(...) == 1024 passes; a position needs all of its d features."""
    rows = table_of(old_max_len, pos_emb)
    return read_at(even_places(old_max_len, new_max_len), rows[:, 0])


@mistake(
    "interpolate_positions",
    "half-pixel",
    source="facebookresearch/dinov2#468; ggml-org/llama.cpp#25781",
    advice="print the places that your new rows read, 4 rows to 6; they must be 0, 0.6, 1.2, 1.8, 2.4 and 3.",
)
def _(old_max_len, new_max_len, pos_emb):
    """Your rows stand for cells with a width, as the pixels of a picture do: the first one is read half a cell in,
    and the ends are repeated. In a table of positions a row is a point, and the first and the last one must be
    kept."""
    rows = table_of(old_max_len, pos_emb)
    return read_at(cells(old_max_len, new_max_len), rows)


@mistake(
    "interpolate_positions",
    "end-not-reached",
    source="folklore: np.arange(new) * old / new",
    advice="print the places that your new rows read, 4 rows to 6; they must be 0, 0.6, 1.2, 1.8, 2.4 and 3.",
)
def _(old_max_len, new_max_len, pos_emb):
    """Your new rows step by old / new, so the last of them stops short of the last old row, or runs past it. From
    the first row to the last there is one step fewer than there are rows, in the old table and in the new one."""
    rows = table_of(old_max_len, pos_emb)
    return read_at(np.arange(new_max_len) * old_max_len / new_max_len, rows)


@mistake("interpolate_positions", "nearest-row")
def _(old_max_len, new_max_len, pos_emb):
    """Each new row is a copy of the nearest old one. Several positions then share one row, and a model cannot tell
    them apart: between two old rows there must be a blend."""
    rows = table_of(old_max_len, pos_emb)
    return rows[np.rint(even_places(old_max_len, new_max_len)).astype(int)]


@mistake("interpolate_positions", "shares-exchanged")
def _(old_max_len, new_max_len, pos_emb):
    """The two shares of the blend are exchanged: a new row that lies close to an old one takes most of the other.
    Along a straight line the result runs backwards between the old rows."""
    rows = table_of(old_max_len, pos_emb)
    places = even_places(old_max_len, new_max_len)
    down = np.floor(places)
    return read_at(np.minimum(2 * down + 1 - places, np.minimum(down + 1, old_max_len - 1)), rows)


@mistake("interpolate_positions", "tiled", source="folklore; copied tables, as in Longformer (Beltagy et al. 2020)")
def _(old_max_len, new_max_len, pos_emb):
    """The old table is repeated from the start. That is a way to lengthen a table (Longformer did it and trained
    on), but it is no interpolation: position 512 gets the row of position 0, and the last row is not the last old
    one."""
    rows = table_of(old_max_len, pos_emb)
    return rows[np.arange(new_max_len) % old_max_len]


@mistake(
    "interpolate_positions",
    "whole-factor",
    source="dwzhu-pku/LongEmbed#7",
    advice="print the places that your new rows read, 4 rows to 6; they must be 0, 0.6, 1.2, 1.8, 2.4 and 3.",
)
def _(old_max_len, new_max_len, pos_emb):
    """You stretch by the whole number new // old. When the new length is no multiple of the old one the table ends
    too early and its last row fills the rest."""
    rows = table_of(old_max_len, pos_emb)
    return read_at(np.arange(new_max_len) / max(new_max_len // old_max_len, 1), rows)


@mistake("interpolate_positions", "shorter-is-cut")
def _(old_max_len, new_max_len, pos_emb):
    """A longer table is right, a shorter one is cut off: its last row is not the last old row. Both directions are
    the same operation; no case needs to be told apart."""
    rows = table_of(old_max_len, pos_emb)
    if new_max_len <= old_max_len:
        return rows[:new_max_len].copy()
    return read_at(even_places(old_max_len, new_max_len), rows)


@mistake("interpolate_positions", "shorter-takes-nearest")
def _(old_max_len, new_max_len, pos_emb):
    """A longer table is blended, a shorter one is made of copies of the nearest old rows. Where a new row falls between
    two old ones it must be a blend of both. One formula serves both directions."""
    rows = table_of(old_max_len, pos_emb)
    places = even_places(old_max_len, new_max_len)
    return read_at(np.rint(places) if new_max_len < old_max_len else places, rows)


@mistake("interpolate_positions", "neighbour-cut-at-the-new-length")
def _(old_max_len, new_max_len, pos_emb):
    """The number of the upper neighbour is cut at new_max_len - 1. It is the number of an old row, so its limit is
    old_max_len - 1. In a longer table nothing shows; in a shorter one far rows meet the wrong neighbour."""
    rows = table_of(old_max_len, pos_emb)
    places = even_places(old_max_len, new_max_len)
    low = np.floor(places).astype(int)
    high = np.minimum(np.minimum(low + 1, new_max_len - 1), old_max_len - 1)
    share = (places - low)[:, None]
    return (1 - share) * rows[low] + share * rows[high]


@mistake("interpolate_positions", "last-row-for-one")
def _(old_max_len, new_max_len, pos_emb):
    """A single new row is a copy of the last old row. It must be the first old one."""
    rows = table_of(old_max_len, pos_emb)
    return rows[-1:].copy() if new_max_len == 1 else read_at(even_places(old_max_len, new_max_len), rows)


@mistake("interpolate_positions", "curve-for-line", source="folklore: bicubic, the habit of image code")
def _(old_max_len, new_max_len, pos_emb):
    """Your rows follow a smooth curve through four old rows where a straight line between two is asked for. Ends
    and straight lines come out right, everything else is a little off. Image models use such curves; this exercise
    is linear."""
    rows = table_of(old_max_len, pos_emb)
    if old_max_len == 1 or new_max_len == 1:
        return read_at(even_places(old_max_len, new_max_len), rows)
    more = np.concatenate([2 * rows[:1] - rows[1:2], rows, 2 * rows[-1:] - rows[-2:-1]])
    places = even_places(old_max_len, new_max_len)
    at = np.minimum(places.astype(int), old_max_len - 2)
    t = (places - at)[:, None]
    a, b, c, e = (more[at + i] for i in range(4))
    return b + t / 2 * (c - a + t * (2 * a - 5 * b + 4 * c - e + t * (3 * b - 3 * c + e - a)))


@mistake("interpolate_positions", "whole-numbers-kept", source="folklore: np.empty_like")
def _(old_max_len, new_max_len, pos_emb):
    """A table of whole numbers gives whole numbers, with everything behind the point cut off. A blend of two rows
    needs a floating-point result, whatever came in."""
    given = np.asarray(pos_emb)
    rows = table_of(old_max_len, pos_emb)
    return read_at(even_places(old_max_len, new_max_len), rows).astype(given.dtype)


@mistake("interpolate_positions", "same-length-handed-back", source="folklore: if old == new: return pos_emb")
def _(old_max_len, new_max_len, pos_emb):
    """With both lengths equal the table is handed back as it came, so whole numbers stay whole numbers there and become
    floats for every other length. The values agree; the type of the result must not depend on the length."""
    table_of(old_max_len, pos_emb)
    if old_max_len == new_max_len:
        return np.array(pos_emb)
    return right.interpolate_positions(old_max_len, new_max_len, pos_emb)


@mistake("interpolate_positions", "flattened", source="folklore: np.interp over ravel()")
def _(old_max_len, new_max_len, pos_emb):
    """The whole table is resampled as one long line of numbers. Features then blend with their neighbours in the same
    row; each column must be resampled by itself."""
    line = table_of(old_max_len, pos_emb).ravel()
    d = len(line) // old_max_len
    return read_at(np.linspace(0, len(line) - 1, new_max_len * d), line).reshape(new_max_len, d)


@mistake("interpolate_positions", "length-not-checked")
def _(old_max_len, new_max_len, pos_emb):
    """A wrong old_max_len is accepted without a word. Whoever passes 512 for a table of 1024 rows should hear of
    it: compare it with the number of rows and raise ValueError."""
    rows = np.asarray(pos_emb, dtype=float)
    return read_at(even_places(len(rows), new_max_len), rows)


@mistake("interpolate_positions", "one-row-divides-by-zero")
def _(old_max_len, new_max_len, pos_emb):
    """With a single new row you divide by new - 1, which is 0, and nothing usable comes out. There is one row to
    give then: the first."""
    rows = table_of(old_max_len, pos_emb)
    if new_max_len == 1:
        return np.full((1, rows.shape[1]), np.nan)
    return read_at(even_places(old_max_len, new_max_len), rows)


@mistake("interpolate_positions", "table-changed")
def _(old_max_len, new_max_len, pos_emb):
    """Your function writes into the table that it was given. The caller still needs the old one: work on a copy."""
    result = right.interpolate_positions(old_max_len, new_max_len, pos_emb)
    if isinstance(pos_emb, np.ndarray):
        pos_emb += 1
    return result


# ---- interpolate_grid


@mistake("interpolate_grid", "height-width-swapped", source="princeton-vl/WAFT#2; lightly-ai/lightly-train#189")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """The grids are read as (width, height). For square grids this is right; for others the picture is cut into
    lines of the wrong length and scrambled. The first number of a grid is its rows."""
    return regrid(pos_emb, tuple(old_grid)[::-1], tuple(new_grid)[::-1], num_prefix_tokens)


@mistake("interpolate_grid", "flattened", source="pengzhiliang/MAE-pytorch#39 (stripes)")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """You resample the list of patches as if it were one long line. The end of one row of patches then blends into
    the start of the next, and stripes appear: a grid has two axes, and each is resampled by itself."""
    rows, p = np.asarray(pos_emb, dtype=float), num_prefix_tokens
    return np.concatenate([rows[:p], read_at(cells(len(rows) - p, new_grid[0] * new_grid[1]), rows[p:])])


@mistake(
    "interpolate_grid",
    "corners-aligned",
    source="facebookresearch/dinov2#468; ggml-org/llama.cpp#25781",
    advice="print your places for 2 patches to 4 before they are cut; they must be -0.25, 0.25, 0.75 and 1.25.",
)
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """Your new patches run from the first old centre to the last (align_corners=True), as rows of a position table
    do. Patches are cells: half a patch lies before the first centre and half behind the last, and here centres are
    at (i + 0.5) old/new - 0.5."""
    return regrid(pos_emb, old_grid, new_grid, num_prefix_tokens, even_places)


@mistake(
    "interpolate_grid",
    "half-forgotten",
    source="folklore: i * old / new",
    advice="print your places for 2 patches to 4 before they are cut; they must be -0.25, 0.25, 0.75 and 1.25.",
)
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """You measure from the edge of each cell, i * old / new, and not from its centre. The whole picture is moved by
    half a difference of the cell sizes towards the lower right."""
    return regrid(pos_emb, old_grid, new_grid, num_prefix_tokens, lambda old, new: np.arange(new) * old / new)


@mistake("interpolate_grid", "one-step-for-both", source="facebookresearch/dino#8, #36")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """The columns are stretched with the rate of the rows. Where both ratios are equal this is right, so a test
    from 14 x 14 to 28 x 28 passes; every axis needs its own old / new."""
    step = old_grid[0] / new_grid[0]
    return regrid(pos_emb, old_grid, new_grid, num_prefix_tokens, lambda _, new: (np.arange(new) + 0.5) * step - 0.5)


@mistake("interpolate_grid", "same-count-handed-back", source="folklore: npatch == N")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """Where the new grid has as many patches as the old one, the table comes back as it was. 2 x 6 and 3 x 4 are both
    12 patches, and another picture: compare the grids, not the numbers of patches."""
    if old_grid[0] * old_grid[1] == new_grid[0] * new_grid[1]:
        return np.array(pos_emb, dtype=float)
    return right.interpolate_grid(pos_emb, old_grid, new_grid, num_prefix_tokens)


@mistake("interpolate_grid", "tenth-added", source="facebookresearch/dino#8")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """A tenth is added to the new size before the ratio is taken, which some code does against rounding. Every
    patch is then read a little too early. The sizes are given: use them as they are."""
    return regrid(
        pos_emb,
        old_grid,
        new_grid,
        num_prefix_tokens,
        lambda old, new: (np.arange(new) + 0.5) * old / (new + 0.1) - 0.5,
    )


@mistake("interpolate_grid", "size-from-ratio", source="facebookresearch/dinov2#378; huggingface/transformers#32410")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """You work the new size out from a ratio, int(old * (new / old)), and rounding makes 60 of 61. The new size is
    given: use it as it is."""
    size = [int(old * (new / old)) for old, new in zip(old_grid, new_grid)]
    return regrid(pos_emb, old_grid, size, num_prefix_tokens)


@mistake("interpolate_grid", "nearest-patch")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """Each new patch copies the nearest old one, so the picture consists of blocks. Bilinear means a blend along
    each axis."""

    def nearest(places, grid, axis):
        last = grid.shape[axis] - 1
        return grid.take(np.clip(np.floor(places + 0.5), 0, last).astype(int), axis)

    return regrid(pos_emb, old_grid, new_grid, num_prefix_tokens, read=nearest)


@mistake("interpolate_grid", "edges-run-on", source="folklore: extrapolated borders")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """Before the first and behind the last centre your line is drawn on, so the border patches overshoot. There the
    edge value is kept: places are cut to 0 ... old - 1 first."""

    def drawn_on(places, grid, axis):
        low = np.clip(np.floor(places), 0, max(grid.shape[axis] - 2, 0)).astype(int)
        high = np.minimum(low + 1, grid.shape[axis] - 1)
        share = np.expand_dims(places - low, tuple(range(1, grid.ndim - axis)))
        return grid.take(low, axis) * (1 - share) + grid.take(high, axis) * share

    return regrid(pos_emb, old_grid, new_grid, num_prefix_tokens, read=drawn_on)


@mistake("interpolate_grid", "prefix-dropped")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """The prefix rows are cut off and not put back, so the result is too short by the class token. It belongs in
    front, as it was."""
    return regrid(np.asarray(pos_emb)[num_prefix_tokens:], old_grid, new_grid)


@mistake("interpolate_grid", "prefix-in-the-grid", source="folklore; pengzhiliang/MAE-pytorch#16")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """The grid is cut from the front of the table, so the class token is taken for the first patch and every patch
    stands one place too late. Leave num_prefix_tokens rows out first."""
    rows = np.asarray(pos_emb, dtype=float)
    patches = rows[: old_grid[0] * old_grid[1]]
    return np.concatenate([rows[:num_prefix_tokens], regrid(patches, old_grid, new_grid)])


@mistake("interpolate_grid", "one-prefix-row-always", source="folklore: pos_embed[:, :1], models with registers")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """With two prefix rows one is kept and the other lost: a single class token is written into the code. Models
    with register tokens have more; num_prefix_tokens says how many."""
    rows, p = np.asarray(pos_emb, dtype=float), min(num_prefix_tokens, 1)
    return np.concatenate([rows[:p], regrid(rows[num_prefix_tokens:], old_grid, new_grid)])


@mistake("interpolate_grid", "columns-first", source="folklore")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """The new patches are listed column by column. The table goes line by line, as the old one does: the column
    changes from one row of the table to the next."""
    result = right.interpolate_grid(pos_emb, old_grid, new_grid, num_prefix_tokens)
    grid = result[num_prefix_tokens:].reshape(*new_grid, -1).swapaxes(0, 1)
    return np.concatenate([result[:num_prefix_tokens], grid.reshape(-1, result.shape[1])])


@mistake("interpolate_grid", "square-assumed", source="folklore: int(math.sqrt(number of patches))")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """A table whose old grid is not square leads to an error where the patches are put into a grid. If its sides are
    the square root of the number of patches, that is why: use old_grid as it is given."""
    side = int(np.sqrt(len(pos_emb) - num_prefix_tokens))
    return regrid(pos_emb, (side, side), new_grid, num_prefix_tokens)


@mistake("interpolate_grid", "prefix-at-the-end")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """The prefix rows stand behind the patches. They belong in front, where they were."""
    return np.roll(right.interpolate_grid(pos_emb, old_grid, new_grid, num_prefix_tokens), -num_prefix_tokens, axis=0)


@mistake("interpolate_grid", "same-grid-prefix-dropped", source="folklore: an early return")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """Where the grid stays as it is, only the patches come back and the prefix rows are lost. A short way out has to
    give what the long way gives: prefix rows and patches."""
    if tuple(old_grid) == tuple(new_grid):
        return np.array(pos_emb, dtype=float)[num_prefix_tokens:]
    return right.interpolate_grid(pos_emb, old_grid, new_grid, num_prefix_tokens)


@mistake("interpolate_grid", "same-grid-handed-back", source="folklore: an early return")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """Where the grid stays as it is, the table is handed back as it came, so whole numbers stay whole numbers there and
    become floats for every other grid. The values agree; the type of the result must not depend on the grid."""
    if tuple(old_grid) == tuple(new_grid):
        return np.array(pos_emb)
    return right.interpolate_grid(pos_emb, old_grid, new_grid, num_prefix_tokens)


@mistake("interpolate_grid", "whole-numbers-kept", source="folklore: np.empty_like, astype(pos_emb.dtype)")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """A table of whole numbers gives whole numbers, with everything behind the point cut off. A blend of patches needs
    a floating-point result, whatever came in."""
    result = right.interpolate_grid(pos_emb, old_grid, new_grid, num_prefix_tokens)
    return result.astype(np.asarray(pos_emb).dtype)


@mistake("interpolate_grid", "grid-changed")
def _(pos_emb, old_grid, new_grid, num_prefix_tokens=0):
    """Your function writes into the table that it was given. A model still uses the old one: work on a copy."""
    result = right.interpolate_grid(pos_emb, old_grid, new_grid, num_prefix_tokens)
    if isinstance(pos_emb, np.ndarray):
        pos_emb *= 0.5
    return result


# ---- linear_positions


@mistake("linear_positions", "floored", source="folklore: // for /")
def _(m, scale):
    """You divide with //, which rounds down. Four neighbouring positions then share one number, and order inside
    the four is lost. RoPE takes real positions; no rounding is needed."""
    return np.floor(np.asarray(m) / scale)


@mistake("linear_positions", "rounded")
def _(m, scale):
    """The scaled positions are rounded to whole numbers, so several neighbours share one. A rotation by a fraction
    of a step is possible, and the fractions are the whole point."""
    return np.rint(np.asarray(m) / scale)


@mistake("linear_positions", "multiplied")
def _(m, scale):
    """You multiply, which takes positions further out instead of bringing them back. A text that is scale times
    longer must fit into the old range, so positions are divided."""
    return np.asarray(m) * scale


@mistake("linear_positions", "wrapped")
def _(m, scale):
    """You keep the remainder, m % scale. Positions start again at 0 after every few tokens, and far tokens get the
    positions of near ones."""
    return np.asarray(m) % scale


@mistake("linear_positions", "sign-lost", source="folklore: abs")
def _(m, scale):
    """Negative positions lose their sign. A position before the first one stays before it when everything is
    scaled."""
    return np.abs(np.asarray(m)) / scale


@mistake("linear_positions", "cut-before-dividing", source="folklore: an integer position type")
def _(m, scale):
    """The positions are cut to whole numbers before they are divided. They may lie between two already, for example
    when they were scaled once."""
    return np.asarray(m).astype(int) / scale


@mistake("linear_positions", "half-pixel", source="folklore: the habit of image code")
def _(m, scale):
    """Your positions are centres of cells, (m + 0.5) / scale - 0.5, as for pixels. A position is a point, and 0 must
    stay 0."""
    return (np.asarray(m) + 0.5) / scale - 0.5


@mistake("linear_positions", "tenths")
def _(m, scale):
    """The scaled positions are rounded, to a tenth for example. Neighbours then stand unevenly or share a place; leave
    the quotient as it is."""
    return np.round(np.asarray(m) / scale, 1)


@mistake(
    "linear_positions", "list-refused", advice="turn m into an array first, np.asarray(m), whatever it was before."
)
def _(m, scale):
    """Your function works for numbers and arrays. Positions may come as a list as well, and Python cannot divide a
    list."""
    if isinstance(m, list):
        raise TypeError("unsupported operand type(s) for /: 'list' and 'int'")
    return np.asarray(m) / scale


@mistake("linear_positions", "changed-in-place")
def _(m, scale):
    """Your function writes into the caller's array, as m /= scale does. The next layer would scale it once
    more."""
    result = np.asarray(m) / scale
    if isinstance(m, np.ndarray):
        m[...] = result
    return result


# ---- ntk_base


@mistake("ntk_base", "times-scale", source="Eyeline-Labs/CineScale#7; the right form in turboderp/exllama#115")
def _(base, scale, d):
    """The base is multiplied by scale itself. The slowest pair has the exponent (d - 2)/d and not 1, so it slows by
    a little less than scale and still leaves the range that was trained."""
    return base * scale


@mistake("ntk_base", "exponent-upside-down")
def _(base, scale, d):
    """The exponent is upside down, (d - 2)/d. The slowest pair then slows by less than scale. Solve new_base**(-(d
    - 2)/d) = base**(-(d - 2)/d) / scale for new_base."""
    return base * scale ** ((d - 2) / d)


@mistake("ntk_base", "power-of-everything", source="folklore: (base * scale) ** (...)")
def _(base, scale, d):
    """The exponent is applied to base and scale together, so the base changes even when scale is 1. It belongs to
    scale alone."""
    return (base * scale) ** (d / (d - 2))


@mistake("ntk_base", "pairs-for-features")
def _(base, scale, d):
    """You count pairs where the formula counts features: with d/2 in place of d the exponent is too large, and the
    slowest pair slows by more than scale. (At d = 4 it would divide by zero.)"""
    return base * scale ** (d / max(d - 4, 1))


@mistake("ntk_base", "rounded")
def _(base, scale, d):
    """The new base is rounded to a whole number. A base need not be whole; the slowest pair must slow by scale
    exactly."""
    return round(base * scale ** (d / (d - 2)))


@mistake("ntk_base", "rounded-float")
def _(base, scale, d):
    """The new base is rounded to a whole number. A base need not be whole; the slowest pair must slow by scale
    exactly."""
    return float(round(base * scale ** (d / (d - 2))))


@mistake("ntk_base", "scale-twice", source="vllm-project/vllm#41301 (as argued there)")
def _(base, scale, d):
    """scale * scale - (scale - 1) stands where scale should. That is the dynamic rule with a length that was scaled
    already; here scale counts once."""
    return base * (scale * scale - (scale - 1)) ** (d / (d - 2))


@mistake("ntk_base", "one-for-two")
def _(base, scale, d):
    """The exponent has d - 1 below the line. The last pair has the exponent (d - 2)/d, so it is d - 2: the pairs are
    counted 0, 2, 4, ... up to d - 2."""
    return base * scale ** (d / (d - 1))


# ---- yarn_frequencies


@mistake(
    "yarn_frequencies",
    "ramp-not-clipped",
    advice="for d = 8, base 10000, length 2048 the shares that are divided must be 0, 0, 1/2 and 1; print yours.",
)
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """The ramp is not clipped: before the lower corner it is negative and behind the upper one it is above 1, so
    some pairs turn faster than before and others more slowly than before divided by scale. Keep it between 0 and
    1."""
    return blend(d, base, scale, *corners(d, base, original_max_len, beta_fast, beta_slow), clip=False)


@mistake("yarn_frequencies", "extended-length", source="NVIDIA/Megatron-LM#1418")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """The turns are counted over the new length, scale * original_max_len. What matters is which pairs made full
    turns while the model was trained, so the original length counts."""
    return blend(d, base, scale, *corners(d, base, original_max_len * scale, beta_fast, beta_slow))


@mistake(
    "yarn_frequencies",
    "features-for-pairs",
    advice="for d = 8, base 10000, length 2048 the shares that are divided must be 0, 0, 1/2 and 1; print yours.",
)
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """The ramp is laid over feature numbers 0, 2, 4, ... while its corners are pair numbers, so it is run through
    twice too fast. Use the pair index 0, 1, 2, ..."""
    low, high = corners(d, base, original_max_len, beta_fast, beta_slow)
    return blend(d, base, scale, low, high, at=np.arange(0, d, 2))


@mistake("yarn_frequencies", "betas-ignored")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """The numbers 32 and 1 are written into your formula. The results are right for the defaults, and beta_fast and
    beta_slow have no effect."""
    return blend(d, base, scale, *corners(d, base, original_max_len, 32, 1))


@mistake(
    "yarn_frequencies",
    "ramp-reversed",
    source="m96-chan/PyGPUkit#169 (the bands swapped)",
    advice="for d = 8, base 10000, length 2048 the shares that are divided must be 0, 0, 1/2 and 1; print yours.",
)
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """The ramp runs the wrong way: the fastest pair is divided by scale and the slowest is kept. Fast pairs made
    many turns in training and know every angle; it is the slow ones that would leave their range."""
    once = blend(d, base, scale, *corners(d, base, original_max_len, beta_fast, beta_slow))
    return speeds(d, base) * (1 + 1 / scale) - once


@mistake(
    "yarn_frequencies",
    "ramp-over-turns",
    source="Peng et al. 2023, section 3.2, against the published code",
    advice="print your corners for d = 8, base 10000, length 2048; before rounding they must be 1.008 and 2.513.",
)
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """Your ramp runs over the number of turns, as in the paper. Published code, and this exercise, run it over the
    pair index; turns fall off exponentially with the index, so the two give quite different frequencies in the
    middle."""
    turns = original_max_len * speeds(d, base) / (2 * np.pi)
    return blend(d, base, scale, -beta_fast, -beta_slow, at=-turns)


@mistake(
    "yarn_frequencies",
    "corners-not-rounded",
    advice="print your corners for d = 8, base 10000, length 2048; before rounding they must be 1.008 and 2.513.",
)
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """The corners are left as fractions. Published code rounds the lower one down and the upper one up to whole
    pairs before it draws the ramp."""
    low, high = (corner(d, base, original_max_len, turns) for turns in (beta_fast, beta_slow))
    return blend(d, base, scale, max(low, 0), min(high, d - 1))


@mistake("yarn_frequencies", "lower-corner-below-zero")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """For a short original length no pair makes beta_fast turns, your lower corner falls below 0, and even the
    fastest pair is slowed. The lower corner is never below 0."""
    low = np.floor(corner(d, base, original_max_len, beta_fast))
    return blend(d, base, scale, low, corners(d, base, original_max_len, beta_fast, beta_slow)[1])


@mistake("yarn_frequencies", "upper-corner-not-cut")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """With a small base even the slowest pair makes more than beta_slow turns, and your upper corner lies far
    behind the last pair. Published code cuts it at d - 1."""
    high = np.ceil(corner(d, base, original_max_len, beta_slow))
    return blend(d, base, scale, corners(d, base, original_max_len, beta_fast, beta_slow)[0], high)


@mistake("yarn_frequencies", "cut-at-the-last-pair")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """You cut the upper corner at d/2 - 1, the last pair. That would be the tidier choice, but published code cuts
    at d - 1, and a checkpoint made with one frequency table must be read with the same."""
    low, high = corners(d, base, original_max_len, beta_fast, beta_slow)
    return blend(d, base, scale, low, min(high, d // 2 - 1))


@mistake("yarn_frequencies", "both-rounded-down", source="folklore: int() on both corners")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """Both corners are rounded down. The lower one is, but the upper one is rounded up: the ramp is to reach from
    below the first blended pair to above the last."""
    low, high = corner(d, base, original_max_len, beta_fast), corner(d, base, original_max_len, beta_slow)
    return blend(d, base, scale, max(np.floor(low), 0), min(np.floor(high), d - 1))


@mistake("yarn_frequencies", "always-a-thousandth", source="folklore; published code does so for equal corners alone")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """0.001 is added to the upper corner always. It belongs there only when both corners are equal, so that nothing
    is divided by 0; else the last blended pair is divided by a little less than scale."""
    low, high = corners(d, base, original_max_len, beta_fast, beta_slow)
    return blend(d, base, scale, low, high + 0.001)


@mistake("yarn_frequencies", "two-pi-forgotten", source="folklore")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """The 2 pi is missing where turns are counted, so you count radians: every pair seems to make six times as many
    turns as it does, and both corners lie too far back. A turn is 2 pi radians."""
    return blend(d, base, scale, *corners(d, base, original_max_len * 2 * np.pi, beta_fast, beta_slow))


@mistake("yarn_frequencies", "default-base-in-the-corners", source="folklore")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """The corners do not move with base: 10000 stands in their formula. With the default base nobody notices."""
    return blend(d, base, scale, *corners(d, 10000, original_max_len, beta_fast, beta_slow))


@mistake("yarn_frequencies", "powers-blended", source="folklore: scale ** -share")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """You blend the exponents: each frequency is divided by a power of scale. At both ends that is the same; between
    the corners the frequencies come out lower. The frequencies themselves are blended."""
    low, high = corners(d, base, original_max_len, beta_fast, beta_slow)
    share = (1 - blend(d, base, 2.0, low, high) / speeds(d, base)) * 2
    return speeds(d, base) * float(scale) ** -share


@mistake("yarn_frequencies", "wavelengths-blended")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """You blend the wavelengths and turn the result back into frequencies. At both ends that is the same; between
    the corners the frequencies come out lower. The frequencies themselves are blended."""
    low, high = corners(d, base, original_max_len, beta_fast, beta_slow)
    share = (1 - blend(d, base, 2.0, low, high) / speeds(d, base)) * 2
    return speeds(d, base) / (1 + share * (scale - 1))


@mistake("yarn_frequencies", "factor-inside", source="folklore")
def _(d, base, scale, original_max_len, beta_fast=32, beta_slow=1):
    """The attention factor 0.1 ln(scale) + 1 is multiplied into the frequencies. It belongs on cos and sin, that is
    on the lengths of queries and keys, and never on the angles."""
    return right.yarn_frequencies(d, base, scale, original_max_len, beta_fast, beta_slow) * (0.1 * np.log(scale) + 1)


# ---- yarn_attention_factor


@mistake("yarn_attention_factor", "squared", source="sgl-project/sglang#33558; NVIDIA/TensorRT-LLM#16379")
def _(scale):
    """This is the square, by which the scores grow. The factor goes on queries and on keys, each of them, so it is
    multiplied into a score twice already."""
    return (0.1 * np.log(max(scale, 1)) + 1) ** 2


@mistake("yarn_attention_factor", "below-one", source="guard added in NVIDIA/TensorRT-LLM#16379")
def _(scale):
    """For a scale below 1 your factor is below 1. Nothing is stretched then, and the factor must be 1."""
    return 0.1 * np.log(scale) + 1


@mistake("yarn_attention_factor", "zero-below-one", source="folklore: a factor (scale > 1)")
def _(scale):
    """For a scale below 1 your factor is below 1. Nothing is stretched then, and the factor must be 1."""
    return 0.1 * np.log(scale) + 1 if scale >= 1 else 0.0


@mistake("yarn_attention_factor", "shrinking-counted")
def _(scale):
    """For a scale below 1 your factor is above 1: the logarithm has lost its sign. Nothing is stretched then, and the
    factor must be 1."""
    return 0.1 * abs(np.log(scale)) + 1


@mistake("yarn_attention_factor", "reciprocal", source="folklore: the temperature of the paper")
def _(scale):
    """This is the reciprocal. The paper divides scores by a temperature below 1; the factor on queries and keys
    lengthens them, so it is above 1."""
    return 1 / (0.1 * np.log(max(scale, 1)) + 1)


@mistake("yarn_attention_factor", "binary-logarithm", source="folklore: log2 for ln")
def _(scale):
    """You use the logarithm to base 2. The formula has the natural one, np.log."""
    return 0.1 * np.log2(max(scale, 1)) + 1


@mistake("yarn_attention_factor", "decimal-logarithm", source="folklore: log10 for ln")
def _(scale):
    """You use the logarithm to base 10. The formula has the natural one, np.log, which is 2.3 times larger."""
    return 0.1 * np.log10(max(scale, 1)) + 1


@mistake("yarn_attention_factor", "one-forgotten")
def _(scale):
    """The + 1 is missing: with scale 8 your factor shrinks queries and keys to a fifth instead of lengthening them
    by a fifth."""
    return 0.1 * np.log(max(scale, 1)) if scale > 1 else 1.0


# ---- rope_frequencies


@mistake("rope_frequencies", "linear-inside-the-power", source="apache/tvm#18576")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """For linear, scale stands inside the power, with the base. The fastest pair is base**0 = 1 and cannot be
    slowed there. Position Interpolation slows every pair by the same factor."""
    if scaling == "linear":
        return speeds(d, base * scale)
    return right.rope_frequencies(d, base, scaling, scale, original_max_len)


@mistake("rope_frequencies", "ntk-base-times-scale", source="Eyeline-Labs/CineScale#7")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """For ntk, the base is multiplied by scale itself, without the exponent d/(d - 2). The slowest pair is not
    slowed by the full factor."""
    if scaling == "ntk":
        return speeds(d, base * scale)
    return right.rope_frequencies(d, base, scaling, scale, original_max_len)


@mistake("rope_frequencies", "ntk-scale-twice", source="vllm-project/vllm#41301 (as argued there)")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """For ntk, the factor enters twice: once as scale and once more through the scaled length. That is the dynamic
    rule with a length that was scaled already; here scale counts once."""
    if scaling == "ntk":
        return right.rope_frequencies(d, base, "ntk", scale * scale - (scale - 1))
    return right.rope_frequencies(d, base, scaling, scale, original_max_len)


@mistake("rope_frequencies", "factor-on-the-frequencies", source="folklore")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """For yarn, the attention factor is multiplied into the frequencies, so even the fastest pair changes. It
    belongs on the lengths of queries and keys."""
    found = right.rope_frequencies(d, base, scaling, scale, original_max_len)
    return found * right.yarn_attention_factor(scale) if scaling == "yarn" else found


@mistake("rope_frequencies", "setting-ignored", source="unslothai/unsloth#6197; ikawrakow/ik_llama.cpp#2291")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """The setting is read and never used: all four give the plain frequencies. In a short test nothing shows;
    beyond the original length the model writes nonsense."""
    return speeds(d, base)


@mistake("rope_frequencies", "yarn-becomes-linear", source="ml-explore/mlx-lm#1545")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """A name that has no branch of its own ends in the linear one, and yarn is such a name in your code. The
    fastest pair must be kept by yarn."""
    return right.rope_frequencies(d, base, "linear" if scaling == "yarn" else scaling, scale)


@mistake("rope_frequencies", "scale-kept", source="folklore: a cache whose key lacks an argument")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """The frequencies are kept from call to call, and scale is not among the things that they are kept under. A
    second call with another scale gets the numbers of the first."""
    first = KEPT.setdefault((d, base, scaling, original_max_len), scale)
    return right.rope_frequencies(d, base, scaling, first, original_max_len)


@mistake("rope_frequencies", "linear-not-scaled", source="as unslothai/unsloth#6197, one setting only")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """For linear the plain frequencies come back: the name has no branch of its own, or its result is not used.
    Position Interpolation divides every frequency by scale."""
    return right.rope_frequencies(d, base, "none" if scaling == "linear" else scaling, scale, original_max_len)


@mistake("rope_frequencies", "ntk-divided-as-well")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """For ntk the frequencies of the new base are divided by scale as well. The new base does it all: the fastest
    pair must be kept."""
    found = right.rope_frequencies(d, base, scaling, scale, original_max_len)
    return found / scale if scaling == "ntk" else found


@mistake("rope_frequencies", "yarn-with-the-new-length", source="NVIDIA/Megatron-LM#1418")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """For yarn, the new length scale * original_max_len is passed on. The turns are counted over the length on which
    the model was trained."""
    return right.rope_frequencies(d, base, scaling, scale, original_max_len * (scale if scaling == "yarn" else 1))


@mistake("rope_frequencies", "none-is-scaled")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """With scaling="none" your frequencies are divided by scale all the same. None means none: scale has no say."""
    return right.rope_frequencies(d, base, "linear" if scaling == "none" else scaling, scale, original_max_len)


@mistake("rope_frequencies", "length-not-passed-on")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """original_max_len does not reach the yarn branch, which always works with 2048. Pass it on."""
    return right.rope_frequencies(d, base, scaling, scale)


@mistake("rope_frequencies", "doubled-exponent", source="SamLynnEvans/Transformer#25")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """The exponent is doubled: np.arange(0, d, 2) already is 2i, and it is multiplied by 2 once more. Every pair
    but the first turns too slowly, with any setting."""
    scaled = right.rope_frequencies(d, base, scaling, scale, original_max_len)
    return scaled * speeds(d, base)


@mistake("rope_frequencies", "end-point-included", source="as lucidrains/denoising-diffusion-pytorch#126")
def _(d, base=10000, scaling="none", scale=1.0, original_max_len=2048):
    """Your frequencies run from 1 down to 1/base with both ends included. RoPE stops one step earlier: the last
    exponent is (d - 2)/d, not 1."""
    scaled = right.rope_frequencies(d, base, scaling, scale, original_max_len)
    return scaled / speeds(d, base) * float(base) ** -np.linspace(0, 1, d // 2)

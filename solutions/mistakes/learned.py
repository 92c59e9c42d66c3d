"""What people write instead in 03_learned, and what a learner should read when they do."""

import numpy as np

from labsupport.checking.bank import mistake, options, right, wrong_value

# A wrong answer is right in everything but its one fault. These helpers give it that rest.


def whole(positions):
    """Refuse positions that are no whole numbers."""
    positions = np.asarray(positions)
    if positions.dtype.kind not in "iu":
        raise TypeError(f"positions must be whole numbers, not {positions.dtype}")
    return positions


def inside(positions, length, first=0, last=None):
    """Refuse positions outside the table, or outside other limits."""
    positions = whole(positions)
    outside = (positions < first) | (positions > (length - 1 if last is None else last))
    if outside.any():
        raise IndexError(f"no row for position {positions[outside][0]}: the table has {length} rows")
    return positions


def spread(grad_out, positions, num_positions):
    """Give a table of zeros, the positions in one line and the gradients row by row."""
    grad, places = np.asarray(grad_out, dtype=float), np.asarray(positions)
    return np.zeros((num_positions, grad.shape[-1])), places.reshape(-1), grad.reshape(-1, grad.shape[-1])


def truths(mask):
    """Give the mask as truth values."""
    return np.asarray(mask, dtype=bool)


def counted(mask, start=0):
    """Count the real tokens up to each place; the first one gets `start`."""
    return np.cumsum(truths(mask), axis=-1) - 1 + start


def in_range(table, max_offset):
    """Give the table as numbers, refusing offsets that no two rows have."""
    rows = np.asarray(table, dtype=float)
    if max_offset >= len(rows):
        raise ValueError(f"{len(rows)} rows are at most {len(rows) - 1} apart")
    return rows


def units(rows):
    """Divide each row by its length."""
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def by_offset(left, right_, max_offset):
    """Average the products of rows k apart."""
    n = len(left)
    return np.array([np.sum(left[k:] * right_[: n - k], axis=-1).mean() for k in range(max_offset + 1)])


def changed(head, **parts):
    """Give a head with some of its parts replaced."""
    return {**head, **{name: np.asarray(part, dtype=float) for name, part in parts.items()}}


def without(head, name):
    """Give a head one of whose parts adds nothing."""
    return changed(head, **{name: np.zeros(np.shape(head[name]))})


def tokens(rows, head):
    """Add what stands beside the position."""
    return np.asarray(rows, dtype=float) + head["mean_word"] + head["token_type"]


def scored(x, head):
    """Score vectors that are normalised already."""
    query, key = (x @ np.asarray(head[w]).T + head[b] for w, b in (("wq", "bq"), ("wk", "bk")))
    return query @ key.T / np.sqrt(32)


def gained(x, head):
    """Apply gain and bias of the LayerNorm."""
    return x * head["ln_gain"] + head["ln_bias"]


# ---- lookup


@mistake(
    "lookup", "negative-wraps", source="folklore (NumPy); negative positions occur: turboderp/exllamav2#606",
    advice="call lookup([[1, 2], [3, 4]], [-1]) and see whether it answers.",
)  # fmt: skip
def _(table, positions):
    """A negative position gives a row and no error: Python counts -1 from the end. So position -1 silently reads the
    last row of the table, the one that stands furthest away."""
    places = inside(positions, len(table), first=-(10**9))
    rows = np.asarray(table)
    return rows[np.maximum(places, -len(rows))] if np.min(places, initial=0) < -len(rows) else rows[places]


@mistake("lookup", "negative-wraps-plainly", source="folklore (NumPy)",
         advice="call lookup([[1, 2], [3, 4]], [-1]) and see whether it answers.")  # fmt: skip
def _(table, positions):
    """A negative position gives a row and no error: Python counts -1 from the end. So position -1 silently reads the
    last row of the table, the one that stands furthest away."""
    return np.asarray(table)[whole(positions)]


@mistake("lookup", "clipped", source="folklore (gathers that clamp their index)")
def _(table, positions):
    """A position outside the table raises no error. Where the nearest row is read instead, for instance, all tokens
    past the end stand at one and the same position, and nobody is told. An IndexError is asked for."""
    return np.asarray(table)[np.clip(whole(positions), 0, len(table) - 1)]


@mistake("lookup", "wraps-around", source='folklore (mode="wrap")')
def _(table, positions):
    """Positions outside the table start again from the other end, so the token behind the last row reads row 0. Two
    tokens that are a whole table apart become the same place. An IndexError is asked for."""
    return np.asarray(table)[whole(positions) % len(table)]


@mistake(
    "lookup", "last-row-refused",
    source="rinnakk/japanese-pretrained-models#3; huggingface/transformers#1363 (maxima that are off)",
)  # fmt: skip
def _(table, positions):
    """The last row is refused. A table of n rows serves the positions 0 to n - 1, and n - 1 is one of them."""
    return np.asarray(table)[inside(positions, len(table), last=len(table) - 2)]


@mistake("lookup", "one-past-the-end-allowed", advice="for 30 rows, position 30 must be refused and 29 must not.")
def _(table, positions):
    """The position directly behind the table is let through. A table of n rows ends at position n - 1; position n must
    be refused as well as all that follow (look whether a comparison is > where it should be >=)."""
    places = inside(positions, len(table), last=len(table))
    return np.asarray(table)[np.minimum(places, len(table) - 1)]


@mistake("lookup", "row-zero-for-padding", source="huggingface/transformers#19265")
def _(table, positions):
    """Position 0 gives a row of zeros, as if it stood for padding. Position 0 is the first token; what is padding, a
    mask says, and not the table."""
    places = inside(positions, len(table))
    return np.asarray(table)[places] * (places != 0)[..., None]


@mistake("lookup", "positions-in-a-byte", source="the same with 16 bits in vllm-project/tpu-inference#2756")
def _(table, positions):
    """The positions were put into 8 bits, which end at 255 (or at 127 with a sign). Larger ones come out as other
    numbers, so a long text reads wrong rows or is refused."""
    places = inside(positions, len(table))
    return np.asarray(table)[places.astype(np.uint8)]


@mistake("lookup", "one-number-each", source="folklore (np.take without axis)")
def _(table, positions):
    """One number came back for each position, not one row: np.take without an axis reads the table as one long line.
    The result must have an axis more than the positions."""
    return np.take(np.asarray(table), inside(positions, len(table)))


@mistake("lookup", "positions-from-one", source="as the spare rows of facebookresearch/fairseq#1177")
def _(table, positions):
    """The positions are taken to begin with 1, so every token reads the row before its own. Position p reads row p."""
    return np.asarray(table)[inside(positions, len(table)) - 1]


@mistake("lookup", "flattened")
def _(table, positions):
    """The rows came back in one long list: the shape of the positions is lost. A batch of texts must give a batch of
    rows, np.shape(positions) + (d,)."""
    return np.asarray(table)[inside(positions, len(table)).reshape(-1)]


@mistake("lookup", "floats-cut", advice="call lookup([[1, 2], [3, 4]], [0.7]) and see whether it answers.")
def _(table, positions):
    """Positions that are no whole numbers are cut to whole ones, so 0.7 reads row 0. There is no row between two
    rows; a TypeError is asked for, for 1.0 as well."""
    return np.asarray(table)[inside(np.asarray(positions).astype(int), len(table))]


@mistake("lookup", "whole-floats-accepted")
def _(table, positions):
    """Floats are let through where their value is whole. 2.0 counts as a float: somewhere before this call positions
    were computed as real numbers, and the next one may be 2.5. A TypeError is asked for."""
    places = np.asarray(positions)
    cut = places.astype(int)
    return np.asarray(table)[inside(cut if (cut == places).all() else places, len(table))]


@mistake("lookup", "float-is-index-error", source="folklore (NumPy's own error)")
def _(table, positions):
    """A float position raises IndexError, as NumPy's own indexing does. That error should mean "there is no such
    row". A float is a wrong type: raise TypeError before you index."""
    places = np.asarray(positions)
    if places.dtype.kind not in "iu":
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    return np.asarray(table)[inside(places, len(table))]


@mistake("lookup", "value-error-instead")
def _(table, positions):
    """A position without a row raises another error than IndexError. Code that reads rows expects IndexError there, as
    lists and arrays give it."""
    try:
        return np.asarray(table)[inside(positions, len(table))]
    except IndexError as problem:
        raise ValueError(str(problem)) from None


@mistake("lookup", "first-position-alone-checked", advice="call lookup([[1, 2], [3, 4]], [0, -1]).")
def _(table, positions):
    """Not every negative position is refused: one behind a good one gives a row. Python counts -1 from the end, so
    position -1 silently reads the last row of the table. Look at all positions."""
    places = whole(positions)
    first = places.reshape(-1)[:1]
    inside(first, len(table))
    return np.asarray(table)[inside(places, len(table), first=-len(table))]


@mistake("lookup", "one-position-as-a-list", source="folklore (np.atleast_1d)")
def _(table, positions):
    """One position alone gave an axis too many. The result has the shape of the positions and one axis more: for a
    single whole number that is one row, (d,)."""
    return np.asarray(table)[np.atleast_1d(inside(positions, len(table)))]


@mistake("lookup", "single-axes-dropped", source="folklore (np.squeeze)")
def _(table, positions):
    """An axis of length 1 was lost. A list of one position gives one row inside a list, (1, d), as a text of one token
    does."""
    return np.squeeze(np.asarray(table)[inside(positions, len(table))])


@mistake("lookup", "one-type-of-whole-number", advice="np.issubdtype(positions.dtype, np.integer) knows all of them.")
def _(table, positions):
    """Some types of whole numbers are refused. Positions come in 32 bits or without a sign as well; all whole numbers
    are allowed, and all floats are not."""
    if np.asarray(positions).dtype != np.int64:
        raise TypeError("positions must be int64")
    return np.asarray(table)[inside(positions, len(table))]


@mistake("lookup", "unsigned-refused", advice="np.issubdtype(positions.dtype, np.integer) knows all of them.")
def _(table, positions):
    """Some types of whole numbers are refused. Positions come in 32 bits or without a sign as well; all whole numbers
    are allowed, and all floats are not."""
    if np.asarray(positions).dtype.kind != "i":
        raise TypeError("positions must be whole numbers with a sign")
    return np.asarray(table)[inside(positions, len(table))]


@mistake("lookup", "one-type-of-float")
def _(table, positions):
    """Floats of 32 bits are let through, and cut to whole numbers. All types of floats are refused; ask whether the
    dtype is one of whole numbers, not whether it is float64."""
    places = np.asarray(positions)
    return np.asarray(table)[inside(places.astype(int) if places.dtype == np.float32 else places, len(table))]


# ---- lookup_gradient


@mistake(
    "lookup_gradient", "repeats-count-once", source="folklore (NumPy: a[i] += v with repeated i)",
    advice="try a = np.zeros(2); a[[0, 0]] += 1 and print a.",
)  # fmt: skip
def _(grad_out, positions, num_positions):
    """A row that several places read got the gradient of only one of them. grad[positions] += ... reads, adds and
    writes back once per row, so of repeated positions the last one wins. The sum over all of them is asked for."""
    table, places, grad = spread(grad_out, positions, num_positions)
    table[places] += grad
    return table


@mistake("lookup_gradient", "mean-for-sum")
def _(grad_out, positions, num_positions):
    """The gradients of a row were averaged. A row that is read twice acts twice on the loss, so its gradients add
    up."""
    table, places, _ = spread(grad_out, positions, num_positions)
    times = np.bincount(places, minlength=len(table))[:, None]
    return right.lookup_gradient(grad_out, positions, num_positions) / np.maximum(times, 1)


@mistake("lookup_gradient", "table-ends-early", advice="give it num_positions = 10 and positions [2, 0, 2].")
def _(grad_out, positions, num_positions):
    """The result ends with the largest position that was read. It must have num_positions rows, as the table has; rows
    that nobody read get zeros."""
    return right.lookup_gradient(grad_out, positions, num_positions)[: np.max(positions) + 1]


@mistake("lookup_gradient", "rows-read-alone")
def _(grad_out, positions, num_positions):
    """Only rows that were read are in the result, close together. Row p of the result belongs to row p of the table, so
    unread rows must be there too, as zeros."""
    return right.lookup_gradient(grad_out, positions, num_positions)[np.unique(positions)]


@mistake("lookup_gradient", "first-text-alone")
def _(grad_out, positions, num_positions):
    """Of a batch only the first text was counted. All texts read the same table, so the gradients of all of them add
    up."""
    grad, places = np.asarray(grad_out, dtype=float), np.asarray(positions)
    while places.ndim > 1:
        grad, places = grad[0], places[0]
    return right.lookup_gradient(grad, places, num_positions)


@mistake("lookup_gradient", "batch-kept")
def _(grad_out, positions, num_positions):
    """Each text of the batch got a gradient of its own. There is one table for all of them, so the result has the shape
    (num_positions, d) and the batch is summed over."""
    grad, places = np.asarray(grad_out, dtype=float), np.asarray(positions)
    if places.ndim == 1:
        return right.lookup_gradient(grad, places, num_positions)
    return np.stack([right.lookup_gradient(g, p, num_positions) for g, p in zip(grad, places, strict=True)])


@mistake("lookup_gradient", "batch-mean")
def _(grad_out, positions, num_positions):
    """The gradient of a batch was divided by the number of texts. Whoever wants a mean puts it into the loss; then
    grad_out holds it already."""
    texts = np.asarray(positions).size // np.shape(positions)[-1]
    return right.lookup_gradient(grad_out, positions, num_positions) / texts


@mistake("lookup_gradient", "positions-ignored")
def _(grad_out, positions, num_positions):
    """The positions were not used: place i of the text went to row i. That is right only for a text that reads the rows
    0, 1, 2, ... in order."""
    table, places, grad = spread(grad_out, positions, num_positions)
    np.add.at(table, np.arange(len(places)) % len(table), grad)
    return table


@mistake("lookup_gradient", "row-zero-for-padding", source="huggingface/transformers#19265")
def _(grad_out, positions, num_positions):
    """Row 0 gets no gradient, as if it stood for padding. Position 0 is the first token, and its row learns like any
    other."""
    table = right.lookup_gradient(grad_out, positions, num_positions)
    table[0] = 0
    return table


@mistake("lookup_gradient", "positions-in-a-byte", source="the same with 16 bits in vllm-project/tpu-inference#2756")
def _(grad_out, positions, num_positions):
    """The positions were put into 8 bits, which end at 255. What belongs to row 256 and later went to the first
    rows."""
    return right.lookup_gradient(grad_out, np.asarray(positions).astype(np.uint8), num_positions)


@mistake("lookup_gradient", "repeats-lost-within-a-text", source="folklore (NumPy: a[i] += v with repeated i)",
         advice="try a = np.zeros(2); a[[0, 0]] += 1 and print a.")  # fmt: skip
def _(grad_out, positions, num_positions):
    """A row that several places of one text read got the gradient of only one of them: of positions that repeat inside
    one +=, the last one wins. The sum over all of them is asked for."""
    grad, places = np.asarray(grad_out, dtype=float), np.asarray(positions)
    table = np.zeros((num_positions, grad.shape[-1]))
    for g, p in zip(grad.reshape(-1, *grad.shape[-2:]), places.reshape(-1, places.shape[-1])):
        table[p] += g
    return table


@mistake("lookup_gradient", "repeats-lost-on-the-first-axis", source="folklore (NumPy: a[i] += v with repeated i)",
         advice="try a = np.zeros(2); a[[0, 0]] += 1 and print a.")  # fmt: skip
def _(grad_out, positions, num_positions):
    """A row that several places of a batch read got the gradient of only some of them: of positions that repeat inside
    one +=, the last one wins. The sum over all of them is asked for."""
    table = np.zeros((num_positions, np.shape(grad_out)[-1]))
    for g, p in zip(np.asarray(grad_out, dtype=float), np.asarray(positions)):
        table[p] += g
    return table


@mistake("lookup_gradient", "repeats-lost-between-texts", source="folklore (NumPy: a[i] += v with repeated i)",
         advice="try a = np.zeros(2); a[[0, 0]] += 1 and print a.")  # fmt: skip
def _(grad_out, positions, num_positions):
    """A row that several places of a batch read got the gradient of only some of them: of positions that repeat inside
    one +=, the last one wins. The sum over all of them is asked for."""
    grad, places = np.asarray(grad_out, dtype=float), np.asarray(positions)
    table, n = np.zeros((num_positions, grad.shape[-1])), places.shape[-1]
    for at in range(n):
        table[places.reshape(-1, n)[:, at]] += grad.reshape(-1, n, grad.shape[-1])[:, at]
    return table


@mistake("lookup_gradient", "first-axis-mean")
def _(grad_out, positions, num_positions):
    """The gradient of a batch was divided by the length of its first axis. Whoever wants a mean puts it into the loss;
    then grad_out holds it already."""
    texts = len(grad_out) if np.ndim(positions) > 1 else 1
    return right.lookup_gradient(grad_out, positions, num_positions) / texts


@mistake("lookup_gradient", "first-of-the-batch")
def _(grad_out, positions, num_positions):
    """Of a batch only the first entry was counted. All texts read the same table, so the gradients of all of them add
    up."""
    grad, places = np.asarray(grad_out, dtype=float), np.asarray(positions)
    return right.lookup_gradient(*((grad[0], places[0]) if places.ndim > 1 else (grad, places)), num_positions)


@mistake("lookup_gradient", "first-texts-positions-for-all")
def _(grad_out, positions, num_positions):
    """The positions of the first text were used for all texts of the batch. Each text has positions of its own: place i
    may read another row in the next one."""
    places = np.asarray(positions)
    first = places.reshape(-1, places.shape[-1])[0]
    return right.lookup_gradient(grad_out, np.broadcast_to(first, places.shape), num_positions)


@mistake("lookup_gradient", "one-row-further")
def _(grad_out, positions, num_positions):
    """Everything stands one row too far down, and what belongs to the last row is lost. Position 0 reads row 0, so its
    gradient goes to row 0."""
    return right.lookup_gradient(grad_out, np.asarray(positions) + 1, num_positions + 1)[:-1]


@mistake("lookup_gradient", "features-added-up")
def _(grad_out, positions, num_positions):
    """The features of each gradient were added up. Every number of a row has a gradient of its own: the result has the
    shape (num_positions, d)."""
    return right.lookup_gradient(grad_out, positions, num_positions).sum(axis=-1)


@mistake("lookup_gradient", "unread-is-nan")
def _(grad_out, positions, num_positions):
    """Rows that nobody read got NaN. Nothing flowed into them, so their gradient is 0, and a step of training leaves
    them as they are."""
    table = right.lookup_gradient(grad_out, positions, num_positions)
    read = np.isin(np.arange(num_positions), positions)
    return np.where(read[:, None], table, np.nan)


@mistake("lookup_gradient", "lists-refused")
def _(grad_out, positions, num_positions):
    """A list leads to an error. Arguments may be lists of numbers: make an array of each before anything else."""
    return right.lookup_gradient(grad_out, positions, num_positions + 0 * grad_out.shape[-1])


# ---- position_ids_from_mask


@mistake("position_ids_from_mask", "mask-ignored", source="huggingface/transformers#3021, #21080 (GPT-2 in batches)")
def _(mask):
    """The places are numbered 0, 1, 2, ... whatever the mask says. With padding on the left the first real token then
    does not stand at position 0, and the same text gives another result in another batch."""
    return np.tile(np.arange(np.shape(mask)[-1]), (len(mask), 1))


@mistake("position_ids_from_mask", "mask-times-places")
def _(mask):
    """Padding gets 0, but the real tokens are numbered by their place, padding included. With padding on the left they
    begin too late."""
    return np.arange(np.shape(mask)[-1]) * truths(mask)


@mistake(
    "position_ids_from_mask", "counts-from-one", source="facebookresearch/fairseq#1177; huggingface/transformers#9116"
)
def _(mask):
    """The first real token got position 1. A running count includes the token itself; here positions begin with 0.
    (Some libraries do count from 1 or 2 and keep spare rows in the table for it.)"""
    return counted(mask, 1) * truths(mask)


@mistake("position_ids_from_mask", "running-count", source="folklore (cumsum and nothing else)")
def _(mask):
    """This is the running count of real tokens. It is 1 at the first token, where the position is 0, and it goes on
    over the padding, which gets 0."""
    return counted(mask, 1)


@mistake("position_ids_from_mask", "one-taken-off-too-late")
def _(mask):
    """Padding got position -1, and it must get 0. This happens, for instance, where the count is multiplied by the mask
    and 1 is taken off afterwards: take the 1 off first."""
    return counted(mask, 1) * truths(mask) - 1


@mistake("position_ids_from_mask", "batch-in-one-line", source="folklore (cumsum without axis)")
def _(mask):
    """The batch came back as one long line, and the count goes on from text to text: np.cumsum without an axis reads
    all rows one after the other. Each text begins with 0."""
    return np.cumsum(truths(mask)) - 1


@mistake("position_ids_from_mask", "batch-in-one-line-from-one", source="folklore (cumsum without axis)")
def _(mask):
    """The batch came back as one long line, and the count goes on from text to text: np.cumsum without an axis reads
    all rows one after the other. Each text begins with 0."""
    return np.cumsum(truths(mask))


@mistake("position_ids_from_mask", "padding-minus-one")
def _(mask):
    """Padding in front of a text got position -1. That is the running count before the first token, less one. There is
    no row -1: padding gets 0."""
    return counted(mask)


@mistake("position_ids_from_mask", "padding-keeps-counting", source="huggingface/transformers#17426")
def _(mask):
    """Padding behind a text got a position that belongs to a real token: the running count stays where it ended.
    Padding gets 0 on either side."""
    return np.maximum(counted(mask), 0)


@mistake("position_ids_from_mask", "padding-one", source="unslothai/unsloth#3795; huggingface/transformers#18478")
def _(mask):
    """Padding got position 1. Well-known code does so, and nothing reads it there; in this course padding gets 0."""
    return np.where(truths(mask), counted(mask), 1)


@mistake("position_ids_from_mask", "exclusive-count", source="huggingface/transformers#17426")
def _(mask):
    """Padding behind a text got the number of its tokens: at each place the real tokens before it were counted, and
    nothing was done about padding. Padding gets 0 on either side."""
    return counted(mask) + 1 - truths(mask)


@mistake("position_ids_from_mask", "spare-rows", source="facebookresearch/fairseq#1177")
def _(mask):
    """Positions begin with 2 and padding has 1, as in models whose table has two spare rows in front. Here there are
    none: real tokens count from 0, and padding gets 0."""
    return np.where(truths(mask), counted(mask, 2), 1)


@mistake(
    "position_ids_from_mask", "padding-counted", source="a mask whose True means padding, as pytorch/pytorch#170415"
)
def _(mask):
    """The padding was counted and the tokens were not: True was taken to mean padding. Here True is a real token."""
    return right.position_ids_from_mask(~truths(mask))


@mistake("position_ids_from_mask", "down-the-batch", source="folklore (cumsum over the wrong axis)")
def _(mask):
    """The tokens were counted from text to text, down the batch. Each text has positions of its own: count along the
    last axis."""
    return right.position_ids_from_mask(truths(mask).T).T


@mistake("position_ids_from_mask", "one-count-for-all", source="folklore (cumsum without axis)")
def _(mask):
    """The count went on from one text to the next: np.cumsum without an axis reads the batch as one long line. Each
    text begins with 0."""
    return right.position_ids_from_mask(truths(mask).reshape(1, -1)).reshape(np.shape(mask))


@mistake("position_ids_from_mask", "shifted-to-the-first", advice="try a row with a gap: [[True, False, True]].")
def _(mask):
    """The places were numbered from the first real token on, so a gap inside the text is counted as if a token stood
    there. Real tokens must be counted, not places."""
    real = truths(mask)
    first = real.argmax(axis=-1)[:, None]
    return (np.arange(real.shape[-1]) - first) * real


@mistake("position_ids_from_mask", "count-in-a-byte", source="the same with 16 bits in vllm-project/tpu-inference#2756")
def _(mask):
    """The count was kept in 8 bits, which end at 255 (or at 127 with a sign). In a longer text it starts again."""
    return right.position_ids_from_mask(mask) % 256


@mistake(
    "position_ids_from_mask",
    "count-in-a-signed-byte",
    source="the same with 16 bits in vllm-project/tpu-inference#2756",
)
def _(mask):
    """The count was kept in 8 bits, which end at 255 (or at 127 with a sign). In a longer text it starts again."""
    return (np.cumsum(truths(mask), axis=-1, dtype=np.int8) - 1) * truths(mask)


@mistake("position_ids_from_mask", "real-numbers")
def _(mask):
    """The positions are real numbers (floats). A row is read by a whole number, and lookup refuses anything else."""
    return right.position_ids_from_mask(mask).astype(float)


@mistake("position_ids_from_mask", "count-in-a-byte-then-less-one",
         source="the same with 16 bits in vllm-project/tpu-inference#2756")  # fmt: skip
def _(mask):
    """The count was kept in 8 bits, which end at 255 (or at 127 with a sign). In a longer text it starts again."""
    real = truths(mask)
    return (np.cumsum(real, axis=-1, dtype=np.uint8).astype(int) - 1) * real


@mistake("position_ids_from_mask", "padding-in-front-minus-one")
def _(mask):
    """Padding in front of a text got position -1. That is the running count before the first token, less one. There is
    no row -1: padding gets 0."""
    return np.where(truths(mask), counted(mask), np.minimum(counted(mask), 0))


@mistake("position_ids_from_mask", "two-spare-rows")
def _(mask):
    """Positions begin with 2, as in models whose table has two spare rows in front. Here there are none: real tokens
    count from 0."""
    return np.where(truths(mask), counted(mask, 2), 0)


@mistake("position_ids_from_mask", "left-padding-alone")
def _(mask):
    """The padding is taken to stand on the left, as long as the text is short of the row: only the number of real
    tokens is used. Where a text is padded on the right, its tokens get wrong positions. Look where they stand."""
    real = truths(mask)
    return np.maximum(np.arange(real.shape[1]) - (real.shape[1] - real.sum(axis=1, keepdims=True)), 0)


@mistake("position_ids_from_mask", "right-padding-alone")
def _(mask):
    """The padding is taken to stand on the right, as long as the text is short of the row: only the number of real
    tokens is used. Where a text is padded on the left, its tokens get wrong positions. Look where they stand."""
    real = truths(mask)
    places = np.tile(np.arange(real.shape[1]), (len(real), 1))
    return np.where(places < real.sum(axis=1, keepdims=True), places, 0)


@mistake("position_ids_from_mask", "counted-from-the-right")
def _(mask):
    """The tokens were counted from the right end. The first real token of a text stands at position 0, the next one at
    position 1."""
    return right.position_ids_from_mask(truths(mask)[:, ::-1])[:, ::-1]


@mistake("position_ids_from_mask", "first-text-for-all")
def _(mask):
    """The first text was counted, and all others got its numbers. Each text has padding of its own, so each row has to
    be counted."""
    return np.where(truths(mask), counted(mask[:1]), 0)


@mistake("position_ids_from_mask", "empty-text-breaks", advice="what does your code do with a row of False alone?")
def _(mask):
    """A text without any real token leads to an error: its first token is looked for and there is none. Such a row is
    padding and nothing else, and gets zeros."""
    for row in truths(mask):
        np.flatnonzero(row)[0]
    return right.position_ids_from_mask(mask)


@mistake("position_ids_from_mask", "lists-refused")
def _(mask):
    """A list leads to an error. The mask may be a list of rows: make an array of it before anything else."""
    return right.position_ids_from_mask(mask) + 0 * mask.cumsum(axis=-1)


# ---- similarity_by_offset


@mistake("similarity_by_offset", "not-normalised")
def _(table, max_offset):
    """The dot products were not divided by the lengths of the two rows. Then long rows count more than short ones, and
    offset 0 does not give 1."""
    rows = in_range(table, max_offset)
    return by_offset(rows, rows, max_offset)


@mistake("similarity_by_offset", "divided-at-the-end")
def _(table, max_offset):
    """The mean dot product was divided by the mean squared length at the end. A mean of quotients is not the quotient
    of the means: divide each product by the lengths of its own two rows."""
    rows = in_range(table, max_offset)
    return by_offset(rows, rows, max_offset) / (rows * rows).sum(axis=-1).mean()


@mistake("similarity_by_offset", "centred", source="folklore (correlation for cosine)")
def _(table, max_offset):
    """The mean row was subtracted first. Then what all rows share is gone, and the similarities come out lower. This
    exercise asks for the rows as they are."""
    rows = in_range(table, max_offset)
    rows = units(rows - rows.mean(axis=0))
    return by_offset(rows, rows, max_offset)


@mistake("similarity_by_offset", "correlation", source="folklore (np.corrcoef)")
def _(table, max_offset):
    """Each row had its own mean over the features subtracted: that is the correlation of the rows (np.corrcoef), and
    not their cosine."""
    rows = in_range(table, max_offset)
    rows = units(rows - rows.mean(axis=-1, keepdims=True))
    return by_offset(rows, rows, max_offset)


@mistake("similarity_by_offset", "rolled", source="folklore (np.roll)")
def _(table, max_offset):
    """The table was rolled, so the last rows are compared with the first ones. A table is not a ring: for offset k
    there are len(table) - k pairs."""
    rows = units(in_range(table, max_offset))
    return np.array([np.sum(np.roll(rows, k, axis=0) * rows, axis=-1).mean() for k in range(max_offset + 1)])


@mistake("similarity_by_offset", "divided-by-all-rows")
def _(table, max_offset):
    """The sum for offset k was divided by the number of rows. There are only len(table) - k pairs of rows that far
    apart, so large offsets come out too small."""
    rows = in_range(table, max_offset)
    right_one = right.similarity_by_offset(table, max_offset)
    return right_one * (1 - np.arange(max_offset + 1) / len(rows))


@mistake("similarity_by_offset", "from-row-zero")
def _(table, max_offset):
    """Only row 0 was compared with the others. The mean over all pairs of rows that are k apart is asked for."""
    rows = units(in_range(table, max_offset))
    return rows[: max_offset + 1] @ rows[0]


@mistake("similarity_by_offset", "last-offset-missing", advice="similarity_by_offset(table, 2) must give 3 numbers.")
def _(table, max_offset):
    """The last offset is missing. Offsets run from 0 to max_offset, both included, which makes max_offset + 1
    numbers."""
    return right.similarity_by_offset(table, max_offset)[:max_offset]


@mistake("similarity_by_offset", "offset-zero-missing")
def _(table, max_offset):
    """Offset 0 is missing: the first number must be that of each row with itself, which is 1."""
    return right.similarity_by_offset(table, max_offset)[1:]


@mistake("similarity_by_offset", "absolute")
def _(table, max_offset):
    """The signs of the cosines were dropped before the mean. Rows that point in opposite directions then count as
    alike."""
    rows = units(in_range(table, max_offset))
    return np.array([np.abs(np.sum(rows[k:] * rows[: len(rows) - k], axis=-1)).mean() for k in range(max_offset + 1)])


@mistake("similarity_by_offset", "columns-compared", advice="print the lengths of what you divide: one for each row.")
def _(table, max_offset):
    """The lengths were taken along the wrong axis: columns were divided by their lengths, not rows."""
    rows = in_range(table, max_offset)
    rows = rows / np.linalg.norm(rows, axis=0)
    return by_offset(rows, rows, max_offset)


@mistake("similarity_by_offset", "not-refused", advice="what is the mean over no pairs at all?")
def _(table, max_offset):
    """An offset at which there is no pair of rows was let through. Its mean is a mean of nothing, which NumPy gives as
    NaN with a warning; say ValueError before that."""
    known = right.similarity_by_offset(table, min(max_offset, len(table) - 1))
    return np.concatenate([known, np.full(max(max_offset + 1 - len(table), 0), np.nan)])


@mistake("similarity_by_offset", "one-too-far", advice="rows 0 to 5 are at most 5 apart, and there are 6 of them.")
def _(table, max_offset):
    """The offset len(table) was let through. Between the first and the last of n rows there are n - 1 steps."""
    if max_offset == len(table):
        return np.append(right.similarity_by_offset(table, max_offset - 1), np.nan)
    return right.similarity_by_offset(table, max_offset)


@mistake("similarity_by_offset", "largest-offset-refused")
def _(table, max_offset):
    """The offset len(table) - 1 was refused. There is one pair of rows that far apart, the first and the last."""
    if max_offset >= len(table) - 1:
        raise ValueError("max_offset is too large")
    return right.similarity_by_offset(table, max_offset)


@mistake("similarity_by_offset", "ratio-of-means")
def _(table, max_offset):
    """The products were added up, and the lengths were, and one sum was divided by the other. So long rows count more
    than short ones. Divide each product by the lengths of its own two rows, then take the mean."""
    rows = in_range(table, max_offset)
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return by_offset(rows, rows, max_offset) / by_offset(lengths, lengths, max_offset)


@mistake("similarity_by_offset", "median")
def _(table, max_offset):
    """This is the median of the cosines. The mean over all pairs is asked for."""
    rows = units(in_range(table, max_offset))
    n = len(rows)
    return np.array([np.median(np.sum(rows[k:] * rows[: n - k], axis=-1)) for k in range(max_offset + 1)])


@mistake("similarity_by_offset", "last-pair-missing")
def _(table, max_offset):
    """The last pair of each offset is missing. The pairs that are k apart begin at the rows 0 to n - 1 - k, both
    included."""
    rows = units(in_range(table, max_offset))
    n = len(rows)
    return np.array(
        [np.sum(rows[k:] * rows[: n - k], axis=-1)[: max(n - k - 1, 1)].mean() for k in range(max_offset + 1)]
    )


@mistake("similarity_by_offset", "features-averaged-too")
def _(table, max_offset):
    """The products were averaged over the features as well. A cosine is the *sum* over the features; the mean is over
    the pairs alone. A row with itself must give 1."""
    rows = np.asarray(table, dtype=float)
    return right.similarity_by_offset(rows, max_offset) / rows.shape[-1]


@mistake("similarity_by_offset", "another-error")
def _(table, max_offset):
    """An offset that no two rows have raises another error than ValueError. There is nothing wrong with an index; the
    value of max_offset cannot be."""
    if max_offset >= len(table):
        raise IndexError("max_offset is too large")
    return right.similarity_by_offset(table, max_offset)


@mistake("similarity_by_offset", "table-changed")
def _(table, max_offset):
    """The caller's table was changed. Dividing its rows in place (/=) does so, for instance; the table then has lost
    its lengths for good. Work on a new array."""
    out = right.similarity_by_offset(table, max_offset)
    if isinstance(table, np.ndarray) and table.dtype.kind == "f":
        table /= np.linalg.norm(table, axis=-1, keepdims=True)
    return out


@mistake("similarity_by_offset", "whole-numbers-break")
def _(table, max_offset):
    """A table of whole numbers leads to an error: what comes out of the division cannot be written into an array of
    whole numbers. Make an array of floats first."""
    rows = np.array(table)
    rows /= np.linalg.norm(rows, axis=-1, keepdims=True)
    return right.similarity_by_offset(rows, max_offset)


# ---- positional_scores


@mistake("positional_scores", "bias-of-the-query-forgotten")
def _(rows, head):
    """The bias bq was not added to the queries. It gives every key a score of its own, whatever the query is."""
    return right.positional_scores(rows, without(head, "bq"))


@mistake("positional_scores", "bias-of-the-key-forgotten")
def _(rows, head):
    """The bias bk was not added to the keys. It adds one number to each row of scores, which a softmax does not notice;
    the scores asked for here contain it."""
    return right.positional_scores(rows, without(head, "bk"))


@mistake("positional_scores", "both-biases-forgotten")
def _(rows, head):
    """The biases bq and bk were not added to queries and keys."""
    return right.positional_scores(rows, without(without(head, "bq"), "bk"))


@mistake("positional_scores", "word-forgotten")
def _(rows, head):
    """The mean word was not added to the rows. The head was trained on sums of word, type and position, and the
    LayerNorm sees the sum."""
    return right.positional_scores(rows, without(head, "mean_word"))


@mistake("positional_scores", "type-forgotten")
def _(rows, head):
    """The token type row was not added. In this model every token is the sum of a word, a type and a position."""
    return right.positional_scores(rows, without(head, "token_type"))


@mistake("positional_scores", "word-and-type-forgotten")
def _(rows, head):
    """Word and token type were not added: the LayerNorm was given the table rows alone. The head was trained on sums of
    word, type and position."""
    return right.positional_scores(rows, without(without(head, "mean_word"), "token_type"))


@mistake("positional_scores", "rows-straight-to-the-head")
def _(rows, head):
    """The table rows went into the head as they are. Two steps stand before it: word and type are added, and the
    LayerNorm follows."""
    return scored(np.asarray(rows, dtype=float), head)


@mistake("positional_scores", "no-layernorm")
def _(rows, head):
    """The LayerNorm was left out. The weights wq and wk expect vectors of mean 0 and standard deviation 1, before gain
    and bias."""
    return scored(tokens(rows, head), head)


@mistake("positional_scores", "gain-and-bias-forgotten")
def _(rows, head):
    """Mean and spread were normalised, and gain and bias of the LayerNorm were left out. They were trained with the
    rest: multiply by ln_gain, then add ln_bias."""
    return right.positional_scores(rows, changed(without(head, "ln_bias"), ln_gain=np.ones(384)))


@mistake("positional_scores", "bias-of-the-norm-forgotten")
def _(rows, head):
    """The LayerNorm's bias ln_bias was not added after the gain."""
    return right.positional_scores(rows, without(head, "ln_bias"))


@mistake("positional_scores", "bias-before-gain")
def _(rows, head):
    """The LayerNorm's bias was added before its gain was applied, so it was multiplied too. First times ln_gain, then
    plus ln_bias."""
    return right.positional_scores(rows, changed(head, ln_bias=np.asarray(head["ln_bias"]) * head["ln_gain"]))


@mistake("positional_scores", "epsilon-forgotten")
def _(rows, head):
    """The number head["ln_eps"] does not reach the formula: it was left out, or a fixed number stands in its place. In
    this model it is 1e-12 and hardly seen; in another it counts. It belongs under the root, beside the variance."""
    return right.positional_scores(rows, changed(head, ln_eps=0.0))


@mistake("positional_scores", "epsilon-fixed", source="folklore (1e-5, the default of many libraries)")
def _(rows, head):
    """The number head["ln_eps"] does not reach the formula: it was left out, or a fixed number stands in its place. In
    this model it is 1e-12 and hardly seen; in another it counts. It belongs under the root, beside the variance."""
    return right.positional_scores(rows, changed(head, ln_eps=1e-5))


@mistake("positional_scores", "epsilon-fixed-beside-the-deviation", source="folklore (1e-5, as in many libraries)")
def _(rows, head):
    """The number head["ln_eps"] does not reach the formula: it was left out, or a fixed number stands in its place. In
    this model it is 1e-12 and hardly seen; in another it counts. It belongs under the root, beside the variance."""
    x = tokens(rows, head)
    x = (x - x.mean(axis=-1, keepdims=True)) / (x.std(axis=-1, keepdims=True) + 1e-5)
    return scored(gained(x, head), head)


@mistake("positional_scores", "weights-of-the-query-for-the-key")
def _(rows, head):
    """The keys were made with the weights of the queries, wq, and only their bias is their own. Keys have weights wk
    and a bias bk."""
    return right.positional_scores(rows, changed(head, wk=head["wq"]))


@mistake("positional_scores", "scaled-by-the-rows")
def _(rows, head):
    """The scores were divided by the square root of the number of rows. The dot product has 32 terms, one for each
    feature of the head, and the scale is the square root of that, whatever the length of the text."""
    return right.positional_scores(rows, head) * np.sqrt(32 / len(rows))


@mistake("positional_scores", "epsilon-outside-the-root")
def _(rows, head):
    """The small number ln_eps was added to the standard deviation. It stands under the root, beside the variance."""
    x = tokens(rows, head)
    x = (x - x.mean(axis=-1, keepdims=True)) / (x.std(axis=-1, keepdims=True) + head["ln_eps"])
    return scored(gained(x, head), head)


@mistake("positional_scores", "variance-for-deviation")
def _(rows, head):
    """The rows were divided by their variance. The LayerNorm divides by the standard deviation, the square root of the
    variance."""
    x = tokens(rows, head)
    x = (x - x.mean(axis=-1, keepdims=True)) / (x.var(axis=-1, keepdims=True) + head["ln_eps"])
    return scored(gained(x, head), head)


@mistake("positional_scores", "divided-by-n-minus-one", source="folklore (PyTorch's std against NumPy's)")
def _(rows, head):
    """The variance was divided by 383, the number of features less one. The LayerNorm divides by the number of
    features, as x.var() does by itself."""
    x = tokens(rows, head)
    x = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, ddof=1, keepdims=True) + head["ln_eps"])
    return scored(gained(x, head), head)


@mistake("positional_scores", "mean-not-subtracted", source="folklore (RMSNorm for LayerNorm)")
def _(rows, head):
    """The mean of each row was not subtracted: the rows were divided by their root mean square (RMSNorm). The LayerNorm
    subtracts the mean first."""
    x = tokens(rows, head)
    x = x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + head["ln_eps"])
    return scored(gained(x, head), head)


@mistake("positional_scores", "normalised-across-rows", source="folklore (axis 0)")
def _(rows, head):
    """Mean and variance were taken over all rows, feature by feature. Then a row's vector depends on its company. The
    LayerNorm takes them over the features of one row, the last axis."""
    x = tokens(rows, head)
    x = (x - x.mean(axis=0)) / np.sqrt(x.var(axis=0) + head["ln_eps"])
    return scored(gained(x, head), head)


@mistake("positional_scores", "normalised-as-a-whole", source="folklore (mean() without axis)")
def _(rows, head):
    """One mean and one variance were taken for the whole array. The LayerNorm has one of each for every row: name the
    axis, and keep it (keepdims=True)."""
    x = tokens(rows, head)
    x = (x - x.mean()) / np.sqrt(x.var() + head["ln_eps"])
    return scored(gained(x, head), head)


@mistake("positional_scores", "normalised-before-the-sum")
def _(rows, head):
    """The LayerNorm was applied to the table rows, and word and type were added after it. The model adds the three
    first and normalises the sum."""
    x = np.asarray(rows, dtype=float)
    x = (x - x.mean(axis=-1, keepdims=True)) / np.sqrt(x.var(axis=-1, keepdims=True) + head["ln_eps"])
    return scored(gained(x, head) + head["mean_word"] + head["token_type"], head)


@mistake("positional_scores", "queries-and-keys-exchanged")
def _(rows, head):
    """The result is transposed: keys stand along the rows. Row i must belong to query i, so that a softmax runs along
    it."""
    return right.positional_scores(rows, head).T


@mistake("positional_scores", "queries-for-keys")
def _(rows, head):
    """Queries were compared with queries: wk and bk were not used. Such scores are symmetric and cannot tell the row
    before from the row after."""
    return right.positional_scores(rows, changed(head, wk=head["wq"], bk=head["bq"]))


@mistake("positional_scores", "not-scaled")
def _(rows, head):
    """The scores were not divided by the square root of the head's width."""
    return right.positional_scores(rows, head) * np.sqrt(32)


@mistake(
    "positional_scores",
    "scaled-by-the-model-width",
    source="lucidrains/vit-pytorch#65; FrancescoSaverioZuppichini/ViT#1",
)
def _(rows, head):
    """The scores were divided by the square root of the model's width, 384. The dot product has 32 terms, one for each
    feature of the head, and the scale is the square root of that."""
    return right.positional_scores(rows, head) * np.sqrt(32 / 384)


@mistake("positional_scores", "root-forgotten", source="delzac/cntkx#10")
def _(rows, head):
    """The scores were divided by the head's width, 32. Its square root is asked for."""
    return right.positional_scores(rows, head) / np.sqrt(32)


@mistake("positional_scores", "weights-returned")
def _(rows, head):
    """A softmax was applied. The scores before it are asked for; the notebook applies the softmax itself."""
    scores = right.positional_scores(rows, head)
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return scores / scores.sum(axis=-1, keepdims=True)


@mistake("positional_scores", "rows-changed-in-place", advice="write rows = rows + ..., not rows += ...")
def _(rows, head):
    """The caller's rows were changed. += on an array, for instance, writes into it, and the next call then adds word
    and type a second time."""
    scores = right.positional_scores(rows, head)
    if isinstance(rows, np.ndarray):
        rows += head["mean_word"]
    return scores


@mistake("positional_scores", "head-changed", advice="work on new arrays; the caller still needs the head as it was.")
def _(rows, head):
    """The caller's head was changed: something was written back into the dict or into one of its arrays. The next call
    then starts from other parts."""
    scores = right.positional_scores(rows, head)
    head["wq"] = np.asarray(head["wq"]) / np.sqrt(32)
    return scores


# ---- values

WRONG_SIZES = (
    ("rows-alone", lambda n: n, "This is the number of positions. Each of them has a row of 768 numbers."),
    (
        "width-alone",
        lambda n: 768,
        "This is the width, what one position costs. The table has a row of that width for every position.",
    ),
    (
        "the-other-model",
        lambda n: {512: 1024, 1024: 512}[n] * 768,
        "This is the number for the other one of the two models: look at the number of positions once more.",
    ),
    (
        "every-layer",
        lambda n: n * 768 * 12,
        "A table in each of the 12 layers was counted. There is one: it is added to the tokens before the first layer.",
    ),
    (
        "one-more-row",
        lambda n: (n + 1) * 768,
        "One row too many was counted. A table for n positions has the rows 0 to n - 1, which are n.",
    ),
    (
        "spare-rows",
        lambda n: (n + 2) * 768,
        """Two spare rows were counted, as RoBERTa, BART and OPT have them. BERT and GPT-2 have none: position p reads
        row p.""",
    ),
    ("bytes", lambda n: n * 768 * 4, "This counts bytes, four for each number. Parameters are asked for."),
    (
        "positions-squared",
        lambda n: n * n,
        """This is positions times positions, the size of a table of pairs. A learned table holds positions times
        features.""",
    ),
)

for identity, wrong, sentence in WRONG_SIZES:
    wrong_value("bert_position_parameters", identity, wrong(512), sentence)
    wrong_value("gpt2_position_parameters", identity, wrong(1024), sentence)
wrong_value(
    "bert_position_parameters", "word-table", 30522 * 768,
    "This is the table of words, of which BERT has 30522. The table of positions has 512 rows.",
)  # fmt: skip
wrong_value(
    "gpt2_position_parameters", "word-table", 50257 * 768,
    "This is the table of tokens, of which GPT-2 has 50257. The table of positions has 1024 rows.",
)  # fmt: skip

wrong_value(
    "variance_in_ten", "all-rows", 0.888,
    """Row 0 is still in it. That one row is long and unlike all others, so it takes up a direction of its own, and the
    waves get a smaller share. Use rows 1 to 511.""",
)  # fmt: skip
wrong_value(
    "variance_in_ten", "not-centred", 0.877,
    """The columns were not centred (or one number was subtracted from all of them). Then the mean row, which says
    nothing about position, counts as a direction. Subtract from each column its own mean.""",
)  # fmt: skip
wrong_value(
    "variance_in_ten", "all-rows-not-centred", 0.849,
    """Row 0 is still in it, and the columns were not centred. Use rows 1 to 511 and subtract from each column its
    mean.""",
)  # fmt: skip
wrong_value(
    "variance_in_ten", "not-squared", 0.513,
    """The singular values were added up as they are. The variance along a direction is proportional to the square of
    its singular value.""",
)  # fmt: skip
wrong_value(
    "variance_in_ten", "eleven", 0.958,
    """Eleven directions were counted. The first ten are the entries 0 to 9: [:10].""",
)  # fmt: skip
wrong_value(
    "variance_in_ten", "nine", 0.8595,
    """Nine directions were counted. The first ten are the entries 0 to 9: [:10].""",
)  # fmt: skip
wrong_value(
    "variance_in_ten", "standardised", 0.907,
    """Each column was also divided by its standard deviation. Then columns in which positions hardly differ count as
    much as those in which they do. Centre the columns and leave their spread alone.""",
)  # fmt: skip
wrong_value(
    "variance_in_ten", "last-row-left-out", 0.894,
    """The last row was left out, and row 0 was kept: table[:-1] for table[1:].""",
)  # fmt: skip
wrong_value(
    "variance_in_ten", "percent", 93.287,
    """A share is asked for, between 0 and 1. This looks like one in per cent.""",
)  # fmt: skip
wrong_value(
    "variance_in_ten", "rest", 0.067,
    """This is the share of all other directions together. That of the first ten is asked for.""",
)  # fmt: skip
wrong_value(
    "variance_in_ten", "share-of-directions", 10 / 384,
    """This is ten out of 384 directions, as if all of them held equally much. Look at the singular values.""",
)  # fmt: skip

options(
    "answer_past_the_end",
    a="""Memory is no obstacle: another thousand rows of this width would fit into a few megabytes. They can be made.
    What would have to stand in them nobody knows.""",
    b="""Every row was learned from the tokens that read it, and no training text ever read a row 512. The table holds
    numbers and no rule, so there is nothing to compute one from; a row added now would be random to the trained
    heads.""",
    c="""Attention compares as many tokens as there are; the softmax runs over 513 keys as well as over 512. What is
    missing is what is added to the token before attention.""",
    d="""Whether there is an error depends on the code, as section 9 shows: one that clips or wraps gives a row. The
    row it gives belongs to another position, so the question for a row 512 is still unanswered.""",
)  # fmt: skip

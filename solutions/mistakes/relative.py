"""What people write instead in 04_relative, and what a learner should read when they do."""

import numpy as np

from labsupport.checking.bank import mistake, options, right

# A wrong answer is right in everything but its one fault; the helpers give it that rest.


def grid(n_q, n_k):
    """Give key minus query for every pair."""
    return np.subtract.outer(-np.arange(n_q), -np.arange(n_k))


def floats(*arrays):
    """Give arrays of real numbers."""
    return [np.array(a, dtype=float) for a in arrays]


def content(q, k):
    """Give q . k for every pair, not scaled."""
    return np.einsum("...id,...jd->...ij", q, k)


def through_query(q, table, rows):
    """Give q_i . r for the row of every pair, not scaled; rows (n, m) may be any whole numbers that the table has."""
    return np.einsum("...id,ijd->...ij", q, table[rows])


def scored(q, k, table, rows):
    """Give Shaw's scores with these rows of the table in place of the right ones."""
    q, k, table = floats(q, k, table)
    return (content(q, k) + through_query(q, table, rows)) / np.sqrt(q.shape[-1])


def sizes(q, k):
    """Give how many queries and keys there are."""
    return np.shape(q)[-2], np.shape(k)[-2]


def slid(logits, by):
    """Roll row i of the last two axes to the left by by(i, n)."""
    logits = np.array(logits, dtype=float)
    n = logits.shape[-1]
    rows = [np.roll(logits[..., i, :], -by(i, n), axis=-1) for i in range(n)]
    return np.stack(rows, axis=-2)


def below(logits, diagonal=0):
    """Keep the lower triangle."""
    return np.tril(logits, diagonal)


def bucketed(distance, ahead, own, exact, wide, most, number=32, to_whole=np.floor, cap=None):
    """Put distances into buckets, all parts of the rule named; `ahead` says which go to the upper half."""
    last = own - 1 if cap is None else cap
    share = np.log(np.maximum(distance, exact) / exact) / np.log(most / exact)
    far = exact + to_whole(share * wide).astype(int)
    return np.where(distance < exact, distance, np.minimum(far, last)) + own * np.asarray(ahead).astype(int)


def parts(offset, bidirectional, num_buckets):
    """Give distance, what goes to the upper half, buckets per direction and exact ones, all as they should be."""
    offset = np.asarray(offset)
    own = num_buckets // 2 if bidirectional else num_buckets
    distance = np.abs(offset) if bidirectional else np.maximum(-offset, 0)
    return distance, (offset > 0) & bidirectional, own, own // 2


_KEPT = {}


def kept(name, key, make):
    """Make something anew only where the key is not that of the call before: what keeps results between calls."""
    if _KEPT.get(name, (None,))[0] != key:
        _KEPT[name] = (key, make())
    return _KEPT[name][1]


def biased(table, rows):
    """Look up a bias by the buckets of every pair, heads first."""
    return np.moveaxis(np.asarray(table)[rows], -1, 0)


# ---- clipped_offsets


@mistake("clipped_offsets", "sign-flipped", source="dmlc/gluon-nlp#1470; nntrainer/nntrainer#3982")
def _(n_q, n_k, max_distance):
    """The offset is taken as query minus key, so left and right are exchanged. Here it is key minus query: a key that
    stands after the query has a positive offset, and row 0 of the result grows to the right."""
    return 2 * max_distance - right.clipped_offsets(n_q, n_k, max_distance)


@mistake("clipped_offsets", "not-counted-from-0")
def _(n_q, n_k, max_distance):
    """The offsets are clipped and not shifted, so they run from -K to K. As rows of a table they must run from 0 to
    2K. NumPy raises no error for a row of -1: it takes the last one."""
    return right.clipped_offsets(n_q, n_k, max_distance) - max_distance


@mistake("clipped_offsets", "not-clipped", source="BERT's relative_key, where a longer text is an index error")
def _(n_q, n_k, max_distance):
    """The offsets are shifted and not clipped. Beyond K on the left the numbers become negative, and NumPy counts
    negative rows from the end of the table; beyond K on the right there is no such row."""
    return grid(n_q, n_k) + max_distance


@mistake("clipped_offsets", "clipped-after-the-shift")
def _(n_q, n_k, max_distance):
    """The limits -K and K are applied after K was added. Then nothing above K is left: all keys after the query share
    its own row. Clip first, or clip the shifted numbers to 0 .. 2K."""
    return np.clip(grid(n_q, n_k) + max_distance, -max_distance, max_distance)


@mistake("clipped_offsets", "past-in-one-row")
def _(n_q, n_k, max_distance):
    """The offsets are cut at 0 and 2K, and K is not added. So the token itself and its whole past share row 0, and half
    of the table is kept for a far future."""
    return np.clip(grid(n_q, n_k), 0, 2 * max_distance)


@mistake("clipped_offsets", "one-row-too-few", source="folklore: a range that ends before its end")
def _(n_q, n_k, max_distance):
    """The largest offset is K - 1. Both ends count: from -K to K there are 2K + 1 rows."""
    return np.minimum(right.clipped_offsets(n_q, n_k, max_distance), 2 * max_distance - 1)


@mistake("clipped_offsets", "direction-lost")
def _(n_q, n_k, max_distance):
    """The offsets have lost their sign, so the key before a query and the key after it get one and the same row. Shaw's
    table has a row for each direction."""
    return np.minimum(np.abs(grid(n_q, n_k)), max_distance) + max_distance


@mistake("clipped_offsets", "transposed")
def _(n_q, n_k, max_distance):
    """Queries and keys have changed places: there must be one line for each query and one column for each key. With as
    many keys as queries the shape does not tell."""
    return right.clipped_offsets(n_q, n_k, max_distance).T


@mistake("clipped_offsets", "queries-at-the-end")
def _(n_q, n_k, max_distance):
    """The queries are taken for the last of the keys. Some libraries do so when they decode; here query i stands at
    position i. With as many keys as queries there is no difference."""
    return np.clip(grid(n_q, n_k) - (n_k - n_q), -max_distance, max_distance) + max_distance


@mistake("clipped_offsets", "real-numbers")
def _(n_q, n_k, max_distance):
    """The result holds real numbers. Rows of a table are whole numbers; NumPy refuses 2.0 as an index."""
    return right.clipped_offsets(n_q, n_k, max_distance).astype(float)


@mistake("clipped_offsets", "keys-not-counted")
def _(n_q, n_k, max_distance):
    """There are as many columns as queries: n_k is not used. One line belongs to each query and one column to each key.
    With as many keys as queries the shape does not tell."""
    return right.clipped_offsets(n_q, n_q, max_distance)


@mistake("clipped_offsets", "past-at-the-centre")
def _(n_q, n_k, max_distance):
    """Negative offsets are cut at 0 before K is added, so the token itself and its whole past share row K, and the rows
    below it are never read. Offsets are clipped to -K .. K."""
    return np.clip(grid(n_q, n_k), 0, max_distance) + max_distance


@mistake("clipped_offsets", "wrapped-for-clipped", source="folklore (% for a limit)")
def _(n_q, n_k, max_distance):
    """Offsets beyond K start again from the other end (%). A key far on the left then reads a row of the right. All
    that is beyond K belongs to the row at that end."""
    return (grid(n_q, n_k) + max_distance) % (2 * max_distance + 1)


@mistake("clipped_offsets", "keys-counted-from-one")
def _(n_q, n_k, max_distance):
    """Every offset is one too large, as if the keys were counted from 1 and the queries from 0. A token's offset from
    itself is 0, and its row is K."""
    return np.clip(grid(n_q, n_k) + 1, -max_distance, max_distance) + max_distance


@mistake("clipped_offsets", "centre-moves-with-the-text", source="folklore: K cut to what the text can have")
def _(n_q, n_k, max_distance):
    """For a short text offset 0 does not stand at K: K was replaced by something that depends on the number of queries
    or keys. The table has 2K + 1 rows whatever the text is, and its centre is row K."""
    most = min(max_distance, max(n_q, n_k) - 1)
    return np.clip(grid(n_q, n_k), -most, most) + most


@mistake("clipped_offsets", "centre-moves-with-the-queries", source="folklore: K cut to what the text can have")
def _(n_q, n_k, max_distance):
    """For a short text offset 0 does not stand at K: K was replaced by something that depends on the number of queries
    or keys. The table has 2K + 1 rows whatever the text is, and its centre is row K."""
    return right.clipped_offsets(n_q, n_k, max_distance) - max_distance + min(max_distance, n_q - 1)


@mistake("clipped_offsets", "centre-moves-with-the-keys", source="folklore: K cut to what the text can have")
def _(n_q, n_k, max_distance):
    """For a short text offset 0 does not stand at K: K was replaced by something that depends on the number of queries
    or keys. The table has 2K + 1 rows whatever the text is, and its centre is row K."""
    return right.clipped_offsets(n_q, n_k, max_distance) - max_distance + min(max_distance, n_k)


@mistake("clipped_offsets", "in-a-byte")
def _(n_q, n_k, max_distance):
    """The rows are kept in 8 bits, which end at 255 (or at 127 with a sign). With a larger K the last rows come out as
    other numbers."""
    return right.clipped_offsets(n_q, n_k, max_distance).astype(np.uint8)


@mistake("clipped_offsets", "in-a-signed-byte")
def _(n_q, n_k, max_distance):
    """The rows are kept in 8 bits, which end at 255 (or at 127 with a sign). With a larger K the last rows come out as
    other numbers."""
    return right.clipped_offsets(n_q, n_k, max_distance).astype(np.int8)


@mistake("clipped_offsets", "kept-for-the-same-sizes", source="folklore: a cache whose key forgets an argument")
def _(n_q, n_k, max_distance):
    """A result of an earlier call is handed out although an argument has changed since. What is kept must be kept under
    all arguments; here computing it anew costs next to nothing."""
    return kept("rows", (n_q, n_k), lambda: right.clipped_offsets(n_q, n_k, max_distance)).copy()


# ---- shaw_scores: which row


@mistake("shaw_scores", "sign-flipped", source="convention change in dmlc/gluon-nlp#1470; nntrainer/nntrainer#3982")
def _(q, k, rel_table, max_distance):
    """The offset is taken as query minus key, so the rows for left and right are exchanged. Tests of shape, of a zero
    table and of equal diagonals cannot see it; a table whose ends differ can."""
    return right.shaw_scores(q, k, np.asarray(rel_table)[::-1], max_distance)


@mistake("shaw_scores", "not-clipped", source="BERT's relative_key, where a longer text is an index error")
def _(q, k, rel_table, max_distance):
    """The offsets are not clipped. A key further than K to the left gets a negative row, which NumPy counts from the
    end of the table, and a key further than K to the right gets an index error."""
    return scored(q, k, rel_table, grid(*sizes(q, k)) + max_distance)


@mistake("shaw_scores", "position-of-the-key", source="huggingface/transformers#19045, #20203 (a decoder's every step)")
def _(q, k, rel_table, max_distance):
    """Every query is treated as if it stood at position 0: the row depends on the key's position alone. Query i stands
    at position i, and the offset is the difference of the two."""
    n, m = sizes(q, k)
    return scored(q, k, rel_table, np.tile(right.clipped_offsets(1, m, max_distance), (n, 1)))


@mistake("shaw_scores", "queries-at-the-end")
def _(q, k, rel_table, max_distance):
    """The queries are taken for the last of the keys. Some libraries do so when they decode; here query i stands at
    position i. With as many keys as queries there is no difference."""
    n, m = sizes(q, k)
    return scored(q, k, rel_table, np.clip(grid(n, m) - (m - n), -max_distance, max_distance) + max_distance)


@mistake("shaw_scores", "direction-lost")
def _(q, k, rel_table, max_distance):
    """The offsets have lost their sign: a key before the query reads the row of a key as far behind it. The lower half
    of the table is never used."""
    rows = np.minimum(np.abs(grid(*sizes(q, k))), max_distance) + max_distance
    return scored(q, k, rel_table, rows)


@mistake("shaw_scores", "past-in-one-row")
def _(q, k, rel_table, max_distance):
    """The offsets are cut at 0 and 2K, and K is not added. So the token itself and its whole past share row 0, and half
    of the table is kept for a far future."""
    return scored(q, k, rel_table, np.clip(grid(*sizes(q, k)), 0, 2 * max_distance))


@mistake("shaw_scores", "centre-forgotten")
def _(q, k, rel_table, max_distance):
    """The clipped offsets are used as rows as they are, from -K to K. Offset 0 belongs to row K, in the middle of the
    table; a negative row is counted from the end, and no error comes."""
    return scored(q, k, rel_table, right.clipped_offsets(*sizes(q, k), max_distance) - max_distance)


@mistake("shaw_scores", "clipped-one-too-early")
def _(q, k, rel_table, max_distance):
    """Offsets are clipped at K - 1: the first and the last row of the table are never read. From -K to K both ends
    count."""
    rows = np.clip(grid(*sizes(q, k)), 1 - max_distance, max_distance - 1) + max_distance
    return scored(q, k, rel_table, rows)


@mistake("shaw_scores", "centre-moves-with-the-text", source="folklore: K cut to what the text can have")
def _(q, k, rel_table, max_distance):
    """For a short text offset 0 does not read row K: K was replaced by something that depends on the number of queries
    or keys. The table has 2K + 1 rows whatever the text is, and its centre is row K."""
    n, m = sizes(q, k)
    most = min(max_distance, max(n, m) - 1)
    return scored(q, k, rel_table, np.clip(grid(n, m), -most, most) + most)


# ---- shaw_scores: which product


@mistake(
    "shaw_scores", "key-side", source="microsoft/DeBERTa#162, #47 (which side, which index)",
    advice="give it queries of zeros: every score must be 0.",
)  # fmt: skip
def _(q, k, rel_table, max_distance):
    """The row of the table is multiplied with the key. It belongs to the query's side of the product: the row is added
    to the key, and the query meets the sum. What you have is another model, half of DeBERTa's."""
    q, k, table = floats(q, k, rel_table)
    rows = right.clipped_offsets(*sizes(q, k), max_distance)
    return (content(q, k) + np.einsum("...jd,ijd->...ij", k, table[rows])) / np.sqrt(q.shape[-1])


@mistake("shaw_scores", "query-of-the-column", source="folklore: a subscript of einsum")
def _(q, k, rel_table, max_distance):
    """In the product with the row of the table, queries and keys are taken for one another: for instance the row of the
    pair (i, j) meets query j in place of query i, or there are as many rows as queries where one for each key is
    needed. With another number of keys than of queries that cannot be computed at all."""
    q, k, table = floats(q, k, rel_table)
    rows = right.clipped_offsets(*sizes(q, k), max_distance)
    return (content(q, k) + np.einsum("...jd,ijd->...ij", q, table[rows])) / np.sqrt(q.shape[-1])


@mistake("shaw_scores", "both-sides", source="BERT's relative_key_query; microsoft/DeBERTa#47")
def _(q, k, rel_table, max_distance):
    """The row of the table meets the query and, in a third product, the key as well. Models of that kind exist. Shaw's
    has two products: the query with the key, and the query with the row."""
    q, k, table = floats(q, k, rel_table)
    rows = right.clipped_offsets(*sizes(q, k), max_distance)
    more = np.einsum("...jd,ijd->...ij", k, table[rows])
    return right.shaw_scores(q, k, table, max_distance) + more / np.sqrt(q.shape[-1])


@mistake("shaw_scores", "content-forgotten")
def _(q, k, rel_table, max_distance):
    """The product of query and key is missing: only the row of the table is left, so no token can see what another one
    says."""
    return right.shaw_scores(q, np.zeros_like(k, dtype=float), rel_table, max_distance)


@mistake("shaw_scores", "two-term-scale", source="the scale of disentangled attention; code in microsoft/DeBERTa#47")
def _(q, k, rel_table, max_distance):
    """The scores are divided by sqrt(2d), as if each of the two products asked for a share. In Shaw's model the row is
    added to the key before the product, so there is one product of width d, divided by sqrt(d)."""
    return right.shaw_scores(q, k, rel_table, max_distance) / np.sqrt(2)


@mistake("shaw_scores", "not-scaled")
def _(q, k, rel_table, max_distance):
    """The division by sqrt(d) is missing. With one feature nothing shows; with 64 the scores are eight times too large,
    and the softmax picks one key and ignores the rest."""
    return right.shaw_scores(q, k, rel_table, max_distance) * np.sqrt(np.shape(q)[-1])


@mistake("shaw_scores", "scaled-by-d", source="as delzac/cntkx#10")
def _(q, k, rel_table, max_distance):
    """The scores are divided by d. The square root is missing, so attention becomes too even."""
    return right.shaw_scores(q, k, rel_table, max_distance) / np.sqrt(np.shape(q)[-1])


@mistake("shaw_scores", "row-not-scaled", source="T5's habit, where the bias is not scaled")
def _(q, k, rel_table, max_distance):
    """Only the product of query and key is divided by sqrt(d); the product with the row is added as it is. Both belong
    inside the brackets: q . (k + r) / sqrt(d)."""
    q, k, table = floats(q, k, rel_table)
    rows = right.clipped_offsets(*sizes(q, k), max_distance)
    return content(q, k) / np.sqrt(q.shape[-1]) + through_query(q, table, rows)


@mistake("shaw_scores", "content-not-scaled")
def _(q, k, rel_table, max_distance):
    """Only the product with the row is divided by sqrt(d); the product of query and key is added as it is. A / that
    stands behind the last term divides that term alone. Both belong inside the brackets: q . (k + r) / sqrt(d)."""
    q, k, table = floats(q, k, rel_table)
    rows = right.clipped_offsets(*sizes(q, k), max_distance)
    return content(q, k) + through_query(q, table, rows) / np.sqrt(q.shape[-1])


@mistake("shaw_scores", "future-hidden")
def _(q, k, rel_table, max_distance):
    """The scores of keys after the query were hidden with -inf. That is the work of a causal mask; Shaw's scores are
    asked for as they are, in both directions."""
    out = right.shaw_scores(q, k, rel_table, max_distance)
    return np.where(grid(*sizes(q, k)) > 0, -np.inf, out)


@mistake("shaw_scores", "softmax-applied")
def _(q, k, rel_table, max_distance):
    """A softmax was applied. The scores before it are asked for."""
    out = np.exp(right.shaw_scores(q, k, rel_table, max_distance))
    return out / out.sum(axis=-1, keepdims=True)


@mistake("shaw_scores", "transposed")
def _(q, k, rel_table, max_distance):
    """The result is transposed: one line must belong to each query and one column to each key. With as many keys as
    queries the shape does not tell."""
    return np.swapaxes(right.shaw_scores(q, k, rel_table, max_distance), -1, -2)


@mistake("shaw_scores", "row-added-up")
def _(q, k, rel_table, max_distance):
    """The numbers of the table's row were added up and put onto the score, whatever the query is. The query has to meet
    the row: q . r, a dot product."""
    q, k, table = floats(q, k, rel_table)
    rows = right.clipped_offsets(*sizes(q, k), max_distance)
    return (content(q, k) + table[rows].sum(axis=-1)) / np.sqrt(q.shape[-1])


@mistake("shaw_scores", "first-query-for-all")
def _(q, k, rel_table, max_distance):
    """All rows of the table meet the first query. In line i of the scores it is query i that meets them."""
    q, k, table = floats(q, k, rel_table)
    rows = right.clipped_offsets(*sizes(q, k), max_distance)
    first = np.broadcast_to(q[..., :1, :], q.shape)
    return (content(q, k) + through_query(first, table, rows)) / np.sqrt(q.shape[-1])


# ---- shaw_scores: the contract


@mistake("shaw_scores", "lists-have-no-shape")
def _(q, k, rel_table, max_distance):
    """Lists lead to an error. An argument may be a list of numbers: make an array of each before anything else."""
    return right.shaw_scores(q, k, rel_table, max_distance + 0 * q.shape[-1])


@mistake("shaw_scores", "all-axes-turned", source="folklore (NumPy: .T reverses every axis)")
def _(q, k, rel_table, max_distance):
    """A batch with heads comes out wrong or fails: it is written for one sequence. k.T reverses all axes, where
    np.swapaxes(k, -1, -2) turns the last two alone; in einsum, an ellipsis stands for the axes in front."""
    q, k, table = floats(q, k, rel_table)
    rows = right.clipped_offsets(*sizes(q, k), max_distance)
    return (q @ k.T + through_query(q, table, rows)) / np.sqrt(q.shape[-1])


@mistake("shaw_scores", "lists-refused")
def _(q, k, rel_table, max_distance):
    """Lists lead to an error. An argument may be a list of numbers: make an array of each before anything else."""
    return right.shaw_scores(q[..., :], k[..., :], rel_table[:, :], max_distance)


@mistake("shaw_scores", "query-scaled-in-place")
def _(q, k, rel_table, max_distance):
    """The caller's queries are changed. Where they are divided by sqrt(d) in place, for instance, a second call with
    them gives smaller scores. Write q = q / np.sqrt(d), which makes a new array."""
    scores = right.shaw_scores(q, k, rel_table, max_distance)
    if isinstance(q, np.ndarray) and q.dtype.kind == "f":
        q /= np.sqrt(q.shape[-1])
    return scores


# ---- skew


@mistake("skew", "first-row-kept", source="labmlai/annotated_deep_learning_paper_implementations#185")
def _(rel_logits):
    """After the reshape the last row was dropped. The first one is the surplus: it begins with the padding, and what
    follows in it belongs to distances that the first token does not have."""
    logits = np.asarray(rel_logits, dtype=float)
    n = logits.shape[-1]
    out = np.zeros_like(logits)
    for i in range(n):  # what the reading of n numbers after n further ones finds
        for j in range(i + 1):
            place = i * n + j
            row, column = divmod(place, n + 1)
            out[..., i, j] = logits[..., row, column - 1] if column else 0.0
    return out


@mistake("skew", "near-and-far-exchanged", source="kimiyoung/transformer-xl#111 (which end is which)")
def _(rel_logits):
    """Near and far are exchanged: column 0 was taken for distance 0. Here the last column is distance 0, a token's
    distance from itself, and it must end up on the diagonal."""
    return right.skew(np.asarray(rel_logits)[..., ::-1])


@mistake("skew", "leftovers-above", source="questions in magenta/magenta#1486 and ZhengkunTian/OpenTransformer#25")
def _(rel_logits):
    """Above the diagonal stand numbers that look like scores: they are what was left over from the next row. In a model
    a causal mask hides them, if somebody thinks of it. Here they must be 0."""
    logits = np.array(rel_logits, dtype=float)
    n, out = logits.shape[-1], right.skew(rel_logits)
    for i in range(n):
        out[..., i, i + 2 :] = logits[..., min(i + 1, n - 1), : max(n - i - 2, 0)]
    return out


@mistake("skew", "infinite-above")
def _(rel_logits):
    """Above the diagonal stands -inf. Hiding the future is the mask's work, and there is one mask for the whole score.
    This function aligns, and leaves zeros there."""
    out = right.skew(rel_logits)
    return np.where(np.triu(np.ones(out.shape[-2:]), 1) > 0, -np.inf, out)


@mistake("skew", "not-moved")
def _(rel_logits):
    """The rows were cut at the diagonal and not moved, so column j still means a distance and not a key. Row i has to
    slide to the left until its last entry stands on the diagonal."""
    return below(np.array(rel_logits, dtype=float))


@mistake("skew", "padded-on-the-right")
def _(rel_logits):
    """The column of zeros was put on the right. The rows then slide, and one place too far: what belongs on the
    diagonal stands to its left, and the diagonal holds zeros."""
    return below(slid(rel_logits, lambda i, n: n - i), -1)


@mistake("skew", "slid-one-too-far")
def _(rel_logits):
    """Each row slides one place too far to the left. The last column, distance 0, must stand on the diagonal; in your
    result it is left of it or has dropped out."""
    return below(slid(rel_logits, lambda i, n: n - i))


@mistake("skew", "slid-to-the-right")
def _(rel_logits):
    """The rows slide the wrong way. The last row is complete and stays; the further up a row stands, the more of its
    beginning is unused, and the further to the left it has to go."""
    return below(slid(rel_logits, lambda i, n: i + 1 - n))


@mistake("skew", "diagonal-lost")
def _(rel_logits):
    """The diagonal is 0. A token's score with itself is distance 0, and belongs to what is kept: j <= i, not j < i."""
    return below(right.skew(rel_logits), -1)


@mistake("skew", "one-matrix-alone")
def _(rel_logits):
    """With axes in front, for a batch or for heads, it fails or mixes them. Only the last two axes are meant: take
    [..., i, j] in a loop, and keep x.shape[:-2] in a reshape."""
    logits = np.asarray(rel_logits, dtype=float)
    n = len(logits)
    return right.skew(logits.reshape(n, n))


@mistake("skew", "first-two-axes")
def _(rel_logits):
    """With axes in front, for a batch or for heads, it fails or mixes them. Only the last two axes are meant: take
    [..., i, j] in a loop, and keep x.shape[:-2] in a reshape."""
    logits = np.asarray(rel_logits, dtype=float)
    out, n = np.zeros_like(logits), logits.shape[-1]
    for i in range(n):
        out[i, : i + 1] = [logits[i, n - 1 - i + j] for j in range(i + 1)]
    return out


@mistake("skew", "first-axis-for-the-query")
def _(rel_logits):
    """With axes in front, for a batch or for heads, it fails or mixes them. Only the last two axes are meant: take
    [..., i, j] in a loop, and keep x.shape[:-2] in a reshape."""
    logits = np.asarray(rel_logits, dtype=float)
    out, n = np.zeros_like(logits), len(logits)
    for i in range(n):
        for j in range(min(i + 1, logits.shape[-1])):
            out[i, ..., j] = logits[i, ..., n - 1 - (i - j)]
    return out


@mistake("skew", "lists-refused")
def _(rel_logits):
    """A list leads to an error. The argument may be a list of rows: make an array of it before anything else."""
    return right.skew(rel_logits[..., :, :])


@mistake("skew", "moved-in-place")
def _(rel_logits):
    """The rows were moved inside the array that was given, so the caller's logits are lost. Work on a copy."""
    out = right.skew(rel_logits)
    if isinstance(rel_logits, np.ndarray) and rel_logits.dtype.kind == "f":
        rel_logits[...] = out
    return out


@mistake("skew", "axes-in-front-lost")
def _(rel_logits):
    """With axes in front, for a batch or for heads, it fails or mixes them. Only the last two axes are meant: take
    [..., i, j] in a loop, and keep x.shape[:-2] in a reshape."""
    logits = np.asarray(rel_logits, dtype=float)
    n = logits.shape[-1]
    padded = np.pad(logits, [(0, 0)] * (logits.ndim - 1) + [(1, 0)]).reshape(-1, n)
    return below(padded[1 : 1 + logits.size // n].reshape(logits.shape))


@mistake("skew", "columns-turned-round")
def _(rel_logits):
    """The columns were turned round and the rows not moved, so column j still means a distance and not a key. Each row
    has to slide by another number of places."""
    return below(np.array(rel_logits, dtype=float)[..., ::-1])


@mistake("skew", "transposed")
def _(rel_logits):
    """The result is transposed: what belongs to row i stands in column i, above the diagonal. Entry (i, j) is query i
    and key j, and the past is on the left."""
    return np.swapaxes(right.skew(rel_logits), -1, -2)


@mistake("skew", "lists-have-no-shape")
def _(rel_logits):
    """A list leads to an error. The argument may be a list of rows: make an array of it before anything else."""
    return right.skew(rel_logits) + 0 * rel_logits.shape[-1]


# ---- relative_position_bucket: directions


@mistake(
    "relative_position_bucket", "always-bidirectional",
    source="huggingface/transformers#8518; google-research/text-to-text-transfer-transformer#415",
)  # fmt: skip
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The argument bidirectional has no effect, so a decoder gets an encoder's buckets: half of them are kept for a
    future that it never sees."""
    return right.relative_position_bucket(relative_position, True, num_buckets, max_distance)


@mistake("relative_position_bucket", "sign-flipped", source="dmlc/gluon-nlp#1470")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The argument is read as query minus key. Here it is key minus query: -1 is the key before the query. Read the
    other way, a causal decoder takes its whole past for the future and puts it into bucket 0."""
    return right.relative_position_bucket(-np.asarray(relative_position), bidirectional, num_buckets, max_distance)


@mistake("relative_position_bucket", "upper-half-for-the-past", source="folklore (rel < 0 for rel > 0)")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """With both directions, the upper half of the buckets went to the past. It belongs to the keys after the query:
    offset 1 is bucket 17 of the usual 32, and offset -1 is bucket 1."""
    if bidirectional:
        relative_position = -np.asarray(relative_position)
    return right.relative_position_bucket(relative_position, bidirectional, num_buckets, max_distance)


@mistake("relative_position_bucket", "zero-in-the-upper-half")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """Offset 0, the token itself, went to the upper half. Only keys after the query do: > and not >=."""
    distance, _, own, exact = parts(relative_position, bidirectional, num_buckets)
    ahead = (np.asarray(relative_position) >= 0) & bidirectional
    return bucketed(distance, ahead, own, exact, own - exact, max_distance)


@mistake("relative_position_bucket", "no-dead-bucket")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The future is one bucket too low: offset 1 must go to bucket 17 of the usual 32. In T5 both directions follow one
    rule, and half of the buckets is added for the future; that leaves one bucket without use, and it stays so."""
    out = right.relative_position_bucket(relative_position, bidirectional, num_buckets, max_distance)
    return out - (np.asarray(relative_position) > 0) if bidirectional else out


@mistake("relative_position_bucket", "future-mirrored")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """With bidirectional=False a key after the query gets the bucket of a key as far before it. All of the future goes
    to bucket 0."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(np.abs(relative_position), ahead, own, exact, own - exact, max_distance)


@mistake("relative_position_bucket", "halved-without-need")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """With bidirectional=False you still share the buckets between two directions. There is one direction only, so all
    of them belong to the past."""
    least = num_buckets if bidirectional else max(1, num_buckets // 2)
    distance, ahead, own, exact = parts(relative_position, bidirectional, least)
    exact = max(exact, 1)
    return bucketed(distance, ahead, own, exact, own - exact, max_distance)


@mistake("relative_position_bucket", "directions-share")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """With both directions, the key before the query and the key after it share a bucket: the upper half is never used.
    Such a bias cannot tell left from right."""
    distance, _, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(distance, False, own, exact, own - exact, max_distance)


# ---- relative_position_bucket: exact and logarithmic part


@mistake(
    "relative_position_bucket", "exact-before-halving",
    source="folklore; the bucket function was rewritten in lucidrains/x-transformers#10",
)  # fmt: skip
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """With both directions, the exact part is half of all buckets. Halve twice: first share the buckets between the
    directions, then give half of a direction's share to the exact distances."""
    distance, ahead, own, _ = parts(relative_position, bidirectional, num_buckets)
    exact = num_buckets // 2
    return bucketed(distance, ahead, own, exact, own - exact, max_distance, cap=own - 1)


@mistake("relative_position_bucket", "last-bucket-missing-its-cap", source="folklore: min with the count")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """Far distances get a bucket that is one too high. Buckets are counted from 0, so the last of n is n - 1. With both
    directions the far past lands on the first bucket of the future, and the far future on one that is not there."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(distance, ahead, own, exact, own - exact, max_distance, cap=own)


@mistake(
    "relative_position_bucket", "max-distance-fixed",
    source="huggingface/transformers#16155; lucidrains/x-transformers#11",
)  # fmt: skip
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The argument max_distance has no effect: 128 stands in the formula. Every test with the default passes."""
    return right.relative_position_bucket(relative_position, bidirectional, num_buckets)


@mistake("relative_position_bucket", "num-buckets-fixed")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The argument num_buckets has no effect: 32, or a half or a quarter of it, stands in the formula. Every test with
    the default passes."""
    return right.relative_position_bucket(relative_position, bidirectional, 32, max_distance)


@mistake("relative_position_bucket", "rounded")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The logarithm is rounded to the nearest whole number. It is cut: a bucket begins where the logarithm reaches a
    whole number, and not half a step before."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(distance, ahead, own, exact, own - exact, max_distance, to_whole=np.rint)


@mistake("relative_position_bucket", "rounded-up", source="DeBERTa's log buckets, which are another rule")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The logarithm is rounded up. In T5 it is cut, so the first logarithmic bucket holds several distances. (Rounding
    up is what DeBERTa does.)"""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(distance, ahead, own, exact, own - exact, max_distance, to_whole=np.ceil)


@mistake("relative_position_bucket", "no-logarithm")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """There is no logarithmic part: distances are clipped, as in Shaw's table. In T5 only the first half of the buckets
    of a direction counts in single steps; the second half reaches to max_distance in ever wider ones."""
    distance, ahead, own, _ = parts(relative_position, bidirectional, num_buckets)
    return np.minimum(distance, own - 1) + own * np.asarray(ahead).astype(int)


@mistake("relative_position_bucket", "logarithm-from-1")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """Below the fraction line stands the logarithm of max_distance itself. It is divided by the exact part first, as
    the distance is: ln(max_distance / exact). Otherwise the last buckets are never reached."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(distance, ahead, own, exact, own - exact, max_distance * exact)


@mistake("relative_position_bucket", "exact-for-the-rest", advice="with 10 buckets a direction has 5: 2 exact, 3 more.")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The logarithm is not multiplied by the number of buckets that are left, but by a smaller one. The number of exact
    buckets, for instance, is the same whenever a direction has an even number of buckets, which hides it."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(distance, ahead, own, exact, exact, max_distance)


@mistake("relative_position_bucket", "real-numbers")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The buckets are real numbers. They are rows of a table, and NumPy refuses 3.0 as an index: cut the logarithm and
    make whole numbers of it."""
    return right.relative_position_bucket(relative_position, bidirectional, num_buckets, max_distance).astype(float)


@mistake("relative_position_bucket", "one-step-too-few")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The logarithm is multiplied by a number that is one too small. It should be the number of the buckets that are
    left for it: those of a direction less the exact ones."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(distance, ahead, own, exact, own - exact - 1, max_distance)


@mistake("relative_position_bucket", "exact-one-too-far")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The exact part goes too far: distances just beyond it still get a bucket of their own. Half of the buckets of a
    direction are exact, those of the distances 0, 1, ..., less than that half."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    out = bucketed(distance, ahead, own, exact, own - exact, max_distance)
    return np.where(distance <= exact + 1, distance + own * np.asarray(ahead).astype(int), out)


@mistake("relative_position_bucket", "two-logarithms", source="folklore (np.log2 for np.log)")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """Above and below the fraction line stand logarithms of two kinds, for instance np.log2 and np.log. Any kind will
    do as long as both are of the same one."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(distance, ahead, own, exact, (own - exact) / np.log(2), max_distance)


@mistake("relative_position_bucket", "whole-quotient-in-the-logarithm")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The distance is divided by the exact part to a whole number (//) before the logarithm is taken. So all distances
    up to twice the exact part share one bucket. Divide with /."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    whole = np.maximum(distance // exact, 1) * exact
    return bucketed(np.where(distance < exact, distance, whole), ahead, own, exact, own - exact, max_distance)


@mistake("relative_position_bucket", "whole-quotient-below")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """max_distance is divided by the exact part to a whole number (//) before the logarithm is taken. With the usual
    128 and 8 nothing shows, since 16 is whole. Divide with /."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(distance, ahead, own, exact, own - exact, max_distance // exact * exact)


@mistake("relative_position_bucket", "all-buckets-added-for-the-future")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """For the future the number of all buckets is added. It is half of them: buckets from num_buckets on do not
    exist."""
    out = right.relative_position_bucket(relative_position, bidirectional, num_buckets, max_distance)
    return out + num_buckets // 2 * (np.asarray(relative_position) > 0) if bidirectional else out


@mistake("relative_position_bucket", "quarter-for-one-direction")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """With bidirectional=False the exact part is a quarter of all buckets. A quarter is half of a half; with one
    direction there is nothing to share, and half of all buckets are exact."""
    distance, ahead, own, _ = parts(relative_position, bidirectional, num_buckets)
    exact = max(num_buckets // 4, 1)
    return bucketed(distance, ahead, own, exact, own - exact, max_distance)


@mistake("relative_position_bucket", "exact-rounded-up")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """Where a direction has an odd number of buckets, the exact part has one too many: half of an odd number is cut, as
    // does, and not rounded up."""
    distance, ahead, own, _ = parts(relative_position, bidirectional, num_buckets)
    exact = -(-own // 2)
    return bucketed(distance, ahead, own, exact, own - exact, max_distance)


@mistake("relative_position_bucket", "capped-at-the-end-alone")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """Far distances are capped only at the very end, at the last bucket of all. With both directions the far past then
    runs on into the buckets of the future. Each direction has a last bucket of its own."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    out = bucketed(distance, ahead, own, exact, own - exact, max_distance, cap=10**6)
    return np.minimum(out, num_buckets - 1)


@mistake("relative_position_bucket", "no-cap")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """Distances from max_distance on get buckets that do not exist, or that belong to the other direction: there is no
    upper limit. All of them share the last bucket of their direction."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(distance, ahead, own, exact, own - exact, max_distance, cap=10**6)


@mistake("relative_position_bucket", "distance-capped-for-the-bucket")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """Far distances are cut to max_distance - 1, and that need not lie in the last bucket: where buckets are plenty and
    max_distance is small it lies several below. Cap the bucket, not the distance."""
    distance, ahead, own, exact = parts(relative_position, bidirectional, num_buckets)
    return bucketed(np.minimum(distance, max_distance - 1), ahead, own, exact, own - exact, max_distance)


# ---- relative_position_bucket: the contract


@mistake("relative_position_bucket", "lists-have-no-shape")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """A list or a single number leads to an error. Make an array of the offsets before anything else, whatever they
    are."""
    right_one = right.relative_position_bucket(relative_position, bidirectional, num_buckets, max_distance)
    return right_one.reshape(relative_position.shape)


@mistake("relative_position_bucket", "array-taken-for-granted")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """A list or a single number leads to an error. Make an array of the offsets before anything else, whatever they
    are."""
    return right.relative_position_bucket(
        relative_position[..., None][..., 0], bidirectional, num_buckets, max_distance
    )


@mistake("relative_position_bucket", "numbers-one-by-one")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """An array of offsets leads to an error. Where the line that fails puts an if, or max, to the whole array: the
    answer is not one truth. np.where and np.maximum decide entry by entry."""
    if isinstance(relative_position, np.ndarray) and relative_position.size > 1:
        raise ValueError("The truth value of an array with more than one element is ambiguous.")
    return right.relative_position_bucket(relative_position, bidirectional, num_buckets, max_distance)


@mistake("relative_position_bucket", "one-row-alone")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The result is one flat row. It must have the shape of the offsets: a matrix of offsets gives a matrix of
    buckets."""
    return right.relative_position_bucket(np.ravel(relative_position), bidirectional, num_buckets, max_distance)


@mistake("relative_position_bucket", "changed-in-place")
def _(relative_position, bidirectional=True, num_buckets=32, max_distance=128):
    """The caller's offsets are changed: something was written into the array that was given, for instance when the
    signs were taken off with out= or with an assignment. Work on a copy."""
    out = right.relative_position_bucket(relative_position, bidirectional, num_buckets, max_distance)
    if isinstance(relative_position, np.ndarray):
        relative_position[...] = np.abs(relative_position)
    return out


# ---- t5_bias


@mistake("t5_bias", "heads-last")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """The heads stand last, as table[bucket] gives them. They belong first, as in all scores of this course:
    (heads, queries, keys)."""
    return np.moveaxis(right.t5_bias(table, n_q, n_k, bidirectional, max_distance), 0, -1)


@mistake("t5_bias", "reshaped-for-transposed")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """The shape is (heads, n_q, n_k) and the numbers are scrambled: a reshape deals them out anew in the order in which
    they lie in memory. To move an axis, use np.moveaxis or a transpose."""
    rows = right.relative_position_bucket(grid(n_q, n_k), bidirectional, len(table), max_distance)
    return np.asarray(table)[rows].reshape(-1, n_q, n_k)


@mistake("t5_bias", "sign-flipped", source="dmlc/gluon-nlp#1470")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """The buckets were asked for with query minus key. The argument is key minus query, j - i."""
    return biased(table, right.relative_position_bucket(-grid(n_q, n_k), bidirectional, len(table), max_distance))


@mistake("t5_bias", "bidirectional-not-passed-on")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """The argument bidirectional is not passed on, so a decoder reads an encoder's buckets."""
    return right.t5_bias(table, n_q, n_k, True, max_distance)


@mistake("t5_bias", "max-distance-not-passed-on", source="huggingface/transformers#16155")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """The argument max_distance is not passed on, so 128 holds whatever was asked for. On short texts nothing shows."""
    return right.t5_bias(table, n_q, n_k, bidirectional)


@mistake("t5_bias", "num-buckets-not-passed-on")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """The number of buckets is left at 32. The table says how many there are: one for each of its rows."""
    return biased(table, right.relative_position_bucket(grid(n_q, n_k), bidirectional, 32, max_distance))


@mistake("t5_bias", "num-buckets-not-passed-on-and-cut")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """The number of buckets is left at 32. The table says how many there are: one for each of its rows."""
    rows = right.relative_position_bucket(grid(n_q, n_k), bidirectional, 32, max_distance)
    return biased(table, np.minimum(rows, len(table) - 1))


@mistake("t5_bias", "transposed")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """Queries and keys have changed places. Rows belong to queries and columns to keys; with as many keys as queries
    the shape does not tell."""
    return np.swapaxes(right.t5_bias(table, n_q, n_k, bidirectional, max_distance), 1, 2)


@mistake("t5_bias", "queries-at-the-end")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """The queries are taken for the last of the keys. Here query i stands at position i. With as many keys as queries
    there is no difference."""
    rows = grid(n_q, n_k) - (n_k - n_q)
    return biased(table, right.relative_position_bucket(rows, bidirectional, len(table), max_distance))


@mistake("t5_bias", "first-step-reused", source="huggingface/candle#899")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """Every pair has the bias of offset 0, as if the bias of a text of one token had been made once and spread over all
    keys. Added to a row of scores, one number for all keys changes nothing."""
    return np.tile(right.t5_bias(table, 1, 1, bidirectional, max_distance), (1, n_q, n_k))


@mistake("t5_bias", "lists-refused")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """A table that is a list leads to an error: a list cannot be read with an array of buckets. Make an array of it
    first."""
    return right.t5_bias(table[:, :], n_q, n_k, bidirectional, max_distance)


@mistake("t5_bias", "clipped-offsets", source="folklore: Shaw's index for T5's table")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """The table is read with clipped offsets, as in Shaw's model. T5's rows are buckets: offset 0 is row 0, and far
    distances share rows."""
    half = (len(table) - 1) // 2
    return biased(table, np.clip(grid(n_q, n_k), -half, half) + half)


@mistake("t5_bias", "keys-for-queries")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """There are as many lines as keys: n_q is not used. The shape is (heads, n_q, n_k); with as many keys as queries it
    does not tell."""
    return right.t5_bias(table, n_k, n_k, bidirectional, max_distance)


@mistake("t5_bias", "sizes-exchanged")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """n_q and n_k have changed places: there are as many lines as keys and as many columns as queries. With as many
    keys as queries nothing shows."""
    return right.t5_bias(table, n_k, n_q, bidirectional, max_distance)


@mistake("t5_bias", "first-head-for-all")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """All heads have the bias of the first one. Head h reads column h of the table."""
    return np.repeat(right.t5_bias(table, n_q, n_k, bidirectional, max_distance)[:1], np.shape(table)[1], axis=0)


@mistake("t5_bias", "future-hidden")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """Keys after the query were hidden with -inf. That is the work of a causal mask; the bias gives them a number like
    any other."""
    return np.where(grid(n_q, n_k) > 0, -np.inf, right.t5_bias(table, n_q, n_k, bidirectional, max_distance))


@mistake("t5_bias", "future-hidden-in-a-decoder")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """With bidirectional=False keys after the query were hidden with -inf. That is the work of a causal mask; here they
    read bucket 0 of the table."""
    bias = right.t5_bias(table, n_q, n_k, bidirectional, max_distance)
    return bias if bidirectional else np.where(grid(n_q, n_k) > 0, -np.inf, bias)


@mistake("t5_bias", "half-of-the-table-in-a-decoder")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """With bidirectional=False only half of the table is used: its rows were shared out between two directions once
    more. The number of buckets is the number of rows, in both cases."""
    rows = len(table) if bidirectional else len(table) // 2
    return biased(table, right.relative_position_bucket(grid(n_q, n_k), bidirectional, rows, max_distance))


@mistake("t5_bias", "first-query-for-all", source="huggingface/transformers#19045, #20203 (a decoder's every step)")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """Every line is that of the query at position 0: the bias depends on the key's position alone. Query i stands at
    position i, and the offset is the difference of the two."""
    return np.repeat(right.t5_bias(table, 1, n_k, bidirectional, max_distance), n_q, axis=1)


@mistake("t5_bias", "last-query-for-all")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """Every line is that of the last query. Query i stands at position i, and each has a line of its own."""
    return np.repeat(right.t5_bias(table, n_q, n_k, bidirectional, max_distance)[:, -1:], n_q, axis=1)


@mistake("t5_bias", "cut-to-whole-numbers")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """The bias was cut to whole numbers. Buckets are whole numbers; what stands in the table is not."""
    return right.t5_bias(table, n_q, n_k, bidirectional, max_distance).astype(int)


@mistake("t5_bias", "lists-have-no-shape")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """A table that is a list leads to an error: a list cannot be read with an array of buckets. Make an array of it
    first."""
    return right.t5_bias(table, n_q, n_k, bidirectional, max_distance) + 0 * table.shape[0]


@mistake("t5_bias", "bias-kept-for-another-table", source="folklore: a cache whose key forgets an argument")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """A result of an earlier call is used although an argument has changed since. What is kept must be kept under all
    arguments that it depends on, the contents of the table as well."""
    key = (np.shape(table), n_q, n_k, bidirectional, max_distance)
    return kept("bias", key, lambda: right.t5_bias(table, n_q, n_k, bidirectional, max_distance)).copy()


@mistake("t5_bias", "buckets-kept-for-another-distance", source="folklore: a cache whose key forgets an argument")
def _(table, n_q, n_k, bidirectional=True, max_distance=128):
    """A result of an earlier call is used although an argument has changed since. What is kept must be kept under all
    arguments that it depends on, max_distance as well."""
    rows = grid(n_q, n_k)
    key = (len(table), n_q, n_k, bidirectional)
    make = lambda: right.relative_position_bucket(rows, bidirectional, len(table), max_distance)  # noqa: E731
    return biased(table, kept("buckets", key, make))


# ---- the choice


options(
    "answer_xl_terms",
    a="""That u is the same for all queries makes the rows of u . k_j equal: one step down changes nothing, because i
    does not occur. Along a diagonal j changes, and with it the key.""",
    b="""R does depend on the distance alone, so it stays along a diagonal. But q_i is in the term as well: one step
    along the diagonal brings another query, and another word asks otherwise.""",
    c="""v is the same for all queries, and R_{i-j} is not: one step down the column, the distance is larger by 1. What
    stays is the diagonal.""",
    d="""In u . k_j the query does not occur, so every column is constant: some keys are liked by everybody. In
    v . R_{i-j} only the distance occurs, so every diagonal is constant: some distances are liked by everybody. The two
    terms that contain q_i have neither pattern.""",
)

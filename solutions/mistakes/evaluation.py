"""Wrong answers of 11_evaluation: what people divide by, forget to draw anew, and count as right."""

from __future__ import annotations

import numpy as np

from labsupport.checking.bank import mistake, options, right

# ---------------------------------------------------------------- shuffle_sensitivity


def over_orders(f, x, rng, repeats, distance):
    """Give the mean of distance(f(x[perm]), f(x), perm) over the orders."""
    x = np.asarray(x)
    perms = [rng.permutation(len(x)) for _ in range(repeats)]
    return np.mean([distance(np.asarray(f(x[perm])), np.asarray(f(x)), perm) for perm in perms])


def norm(a):
    """Give the root of the sum of all squares."""
    return np.sqrt(np.sum(np.square(a)))


@mistake("shuffle_sensitivity", "output-not-permuted")
def output_not_permuted(f, x, rng, repeats):
    """f(x[perm]) is compared with f(x) in its old order. A function that treats all places alike gives its output in
    the new order, as it got its input: compare with f(x)[perm]."""
    return over_orders(f, x, rng, repeats, lambda shuffled, plain, perm: norm(shuffled - plain) / norm(plain))


@mistake("shuffle_sensitivity", "permuted-the-wrong-way")
def permuted_the_wrong_way(f, x, rng, repeats):
    """f(x[perm]) is permuted once more by perm to undo the shuffle. What undoes it is the inverse of perm."""
    return over_orders(f, x, rng, repeats, lambda shuffled, plain, perm: norm(shuffled[perm] - plain) / norm(plain))


@mistake("shuffle_sensitivity", "not-relative")
def not_relative(f, x, rng, repeats):
    """The distance is not divided by the size of f(x). A model with outputs ten times as large then seems ten times as
    sensitive."""
    return over_orders(f, x, rng, repeats, lambda shuffled, plain, perm: norm(shuffled - plain[perm]))


@mistake("shuffle_sensitivity", "relative-to-the-input")
def relative_to_the_input(f, x, rng, repeats):
    """The distance is divided by the size of x. It lies between outputs, so the size to compare it with is that of
    f(x)."""
    size = norm(np.asarray(x))
    return over_orders(f, x, rng, repeats, lambda shuffled, plain, perm: norm(shuffled - plain[perm]) / size)


@mistake("shuffle_sensitivity", "relative-to-the-shuffled")
def relative_to_the_shuffled(f, x, rng, repeats):
    """The distance is divided by the size of f(x[perm]), which is another one for each order. Divide by that of
    f(x)."""
    return over_orders(
        f, x, rng, repeats, lambda shuffled, plain, perm: norm(shuffled - plain[perm]) / max(norm(shuffled), 1e-300)
    )


@mistake("shuffle_sensitivity", "summed", advice="double repeats: a mean stays about the same, a sum doubles.")
def summed(f, x, rng, repeats):
    """The distances of all orders are added up. Their mean is asked for, so that the result does not grow with
    repeats."""
    return right.shuffle_sensitivity(f, x, rng, repeats) * repeats


@mistake("shuffle_sensitivity", "one-order")
def one_order(f, x, rng, repeats):
    """One order is drawn before the loop and used every time, so that more repeats tell nothing new. Draw a new one for
    each repeat."""
    return right.shuffle_sensitivity(f, x, rng, 1)


@mistake("shuffle_sensitivity", "own-generator", source="folklore (unseeded experiments)")
def own_generator(f, x, rng, repeats):
    """The orders come from a generator of your own, and the argument rng is not used. Whoever calls the function can
    then neither repeat a measurement nor vary it."""
    return right.shuffle_sensitivity(f, x, np.random.default_rng(0), repeats)


@mistake("shuffle_sensitivity", "largest-difference", source="folklore (equivariance_gap of 01 used again)")
def largest_difference(f, x, rng, repeats):
    """The largest difference is taken, as in equivariance_gap. Here the norm is asked for: the root of the sum of all
    squares."""
    return over_orders(
        f, x, rng, repeats, lambda shuffled, plain, perm: np.abs(shuffled - plain[perm]).max() / np.abs(plain).max()
    )


@mistake("shuffle_sensitivity", "norm-per-row")
def norm_per_row(f, x, rng, repeats):
    """The norm is taken along the last axis, so each row gets a ratio of its own and their mean comes out. The norm
    asked for is one number for the whole output."""

    def distance(shuffled, plain, perm):
        gaps = np.linalg.norm(shuffled - plain[perm], axis=-1) / np.linalg.norm(plain[perm], axis=-1)
        return np.mean(gaps)

    return over_orders(f, x, rng, repeats, distance)


# ---------------------------------------------------------------- shift_sensitivity


def at_offsets(f, x, offsets, distance):
    """Give distance(f(x, offset), f(x, 0)) for each offset."""
    x = np.asarray(x)
    return np.array([distance(np.asarray(f(x, o)), np.asarray(f(x, 0))) for o in offsets])


@mistake("shift_sensitivity", "not-relative")
def shift_not_relative(f, x, offsets):
    """The distance is not divided by the size of f(x, 0), so models with large outputs seem more sensitive."""
    return at_offsets(f, x, offsets, lambda moved, plain: norm(moved - plain))


@mistake("shift_sensitivity", "relative-to-the-shifted")
def relative_to_the_shifted(f, x, offsets):
    """The distance is divided by the size of the shifted output, which is another one for each offset. Divide by that
    of f(x, 0), so that all offsets are measured with one ruler."""
    return at_offsets(f, x, offsets, lambda moved, plain: norm(moved - plain) / norm(moved))


@mistake("shift_sensitivity", "first-offset-for-zero")
def first_offset_for_zero(f, x, offsets):
    """All offsets are compared with the first of the list. It need not be 0: the output without a shift is f(x, 0)."""
    x = np.asarray(x)
    first = np.asarray(f(x, offsets[0]))
    return at_offsets(f, x, offsets, lambda moved, plain: norm(moved - first) / norm(first))


@mistake("shift_sensitivity", "from-one-to-the-next")
def from_one_to_the_next(f, x, offsets):
    """Each offset is compared with the one before it in the list. All are to be compared with no shift at all."""
    x, before = np.asarray(x), [0, *offsets]
    gaps = [norm(np.asarray(f(x, b)) - np.asarray(f(x, a))) for a, b in zip(before, offsets, strict=False)]
    return np.array(gaps) / norm(np.asarray(f(x, 0)))


@mistake("shift_sensitivity", "one-number")
def one_number(f, x, offsets):
    """One mean over all offsets comes back. A number for each offset is asked for, in the order of the list."""
    return np.mean(right.shift_sensitivity(f, x, offsets))


@mistake("shift_sensitivity", "places-rolled", source="folklore (np.roll for a shift of positions)")
def places_rolled(f, x, offsets):
    """The tokens are rolled, and the position ids stay as they were. A shift leaves the tokens alone and tells f to
    count from another number: f(x, offset)."""
    x = np.asarray(x)
    plain = np.asarray(f(x, 0))
    return np.array([norm(np.asarray(f(np.roll(x, o, axis=0), 0)) - plain) / norm(plain) for o in offsets])


# ---------------------------------------------------------------- bootstrap_interval


def means(values, rng, resamples):
    """Give the means of the resamples."""
    values = np.asarray(values, dtype=float)
    return values[rng.integers(0, len(values), (resamples, len(values)))].mean(axis=1)


@mistake("bootstrap_interval", "tails-not-halved", advice="for level=0.8 a tenth is left off at each end.")
def tails_not_halved(values, rng, level=0.95, resamples=2000):
    """All of 1 - level is left off at each end, so the interval is too narrow. What is left off is shared by both
    ends."""
    return tuple(np.quantile(means(values, rng, resamples), [1 - level, level]))


@mistake("bootstrap_interval", "fractions-as-percent", source="folklore (np.percentile and np.quantile)")
def fractions_as_percent(values, rng, level=0.95, resamples=2000):
    """np.percentile counts in percent and was given fractions: 0.975 is then less than one percent. Multiply by 100, or
    take np.quantile."""
    return tuple(np.percentile(means(values, rng, resamples), [(1 - level) / 2, (1 + level) / 2]))


@mistake("bootstrap_interval", "percentiles-of-values", source="folklore (spread of values for error of the mean)")
def percentiles_of_values(values, rng, level=0.95, resamples=2000):
    """These are percentiles of single values, not of means. They say how far one run may lie from another; they do not
    get closer together when more runs are made."""
    values = np.asarray(values, dtype=float)
    drawn = values[rng.integers(0, len(values), (resamples, len(values)))]
    return tuple(np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]))


@mistake("bootstrap_interval", "without-replacement", advice="print a resample: some values must appear twice.")
def without_replacement(values, rng, level=0.95, resamples=2000):
    """Each resample holds every value once, in another order, so all means are equal and the interval has no width.
    Draw with replacement."""
    values = np.asarray(values, dtype=float)
    drawn = np.array([rng.permutation(values).mean() for _ in range(resamples)])
    return tuple(np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]))


@mistake("bootstrap_interval", "medians")
def medians(values, rng, level=0.95, resamples=2000):
    """The median of each resample is taken. The interval asked for is that of the mean; for skewed values the two lie
    apart."""
    values = np.asarray(values, dtype=float)
    drawn = np.median(values[rng.integers(0, len(values), (resamples, len(values)))], axis=1)
    return tuple(np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2]))


@mistake("bootstrap_interval", "level-ignored")
def level_ignored(values, rng, level=0.95, resamples=2000):
    """The percentiles are always 2.5 and 97.5, whatever level says."""
    return tuple(np.quantile(means(values, rng, resamples), [0.025, 0.975]))


@mistake("bootstrap_interval", "own-generator", source="folklore (unseeded experiments)")
def bootstrap_own_generator(values, rng, level=0.95, resamples=2000):
    """The resamples come from a generator of your own, and the argument rng is not used."""
    return tuple(np.quantile(means(values, np.random.default_rng(0), resamples), [(1 - level) / 2, (1 + level) / 2]))


# ---------------------------------------------------------------- passkey_example


def text(length, depth, rng, *, start=None, key=None, marker=10, query=11):
    """Give a text; `start` and `key` may replace the right ones."""
    tokens = rng.integers(12, 16, length)
    key = rng.integers(0, 10, 3) if key is None else key
    start = round(depth * (length - 5)) if start is None else start
    tokens[start], tokens[start + 1 : start + 4], tokens[-1] = marker, key, query
    return tokens, key


@mistake("passkey_example", "depth-of-the-whole-length")
def depth_of_the_whole_length(length, depth, rng):
    """The depth is taken of the whole length, so that at depth 1 the key runs over the end. Marker, key and query take
    five places, and length - 5 are left to choose from."""
    start = min(round(depth * length), length - 1)
    tokens = rng.integers(12, 16, length)
    key = rng.integers(0, 10, 3)
    tokens[start] = 10
    tokens[start + 1 : start + 4] = key[: max(0, len(tokens[start + 1 : start + 4]))]
    tokens[-1] = 11
    return tokens, key


@mistake("passkey_example", "one-place-forgotten")
def one_place_forgotten(length, depth, rng):
    """The depth is taken of length - 4: one of the five places for marker, key and query is forgotten. At depth 1 the
    query then stands on the last digit."""
    start = round(depth * (length - 4))
    tokens = rng.integers(12, 16, length)
    key = rng.integers(0, 10, 3)
    tokens[start] = 10
    tokens[start + 1 : start + 4] = key[: len(tokens[start + 1 : start + 4])]
    tokens[-1] = 11
    return tokens, key


@mistake("passkey_example", "cut-for-rounded")
def cut_for_rounded(length, depth, rng):
    """The place is cut down to a whole number, int(...), where it should be rounded to the nearest one."""
    return text(length, depth, rng, start=int(depth * (length - 5)))


@mistake("passkey_example", "noise-with-digits", source="folklore (upper end of rng.integers)")
def noise_with_digits(length, depth, rng):
    """The noise holds other tokens than 12 to 15. The upper end of rng.integers is not among the numbers drawn, so
    rng.integers(12, 16) is meant; digits in the noise would be keys that nobody hid."""
    tokens = rng.integers(0, 16, length)
    key = rng.integers(0, 10, 3)
    start = round(depth * (length - 5))
    tokens[start], tokens[start + 1 : start + 4], tokens[-1] = 10, key, 11
    return tokens, key


@mistake("passkey_example", "key-drawn-first")
def key_drawn_first(length, depth, rng):
    """The key is drawn before the noise. The exercise says noise first: with the same generator others then get the
    same texts."""
    key = rng.integers(0, 10, 3)
    return text(length, depth, rng, key=key)


@mistake("passkey_example", "nine-digits", source="folklore (upper end of rng.integers)")
def nine_digits(length, depth, rng):
    """The digit 9 never comes: the upper end of rng.integers is not among the numbers drawn."""
    tokens = rng.integers(12, 16, length)
    key = rng.integers(0, 9, 3)
    start = round(depth * (length - 5))
    tokens[start], tokens[start + 1 : start + 4], tokens[-1] = 10, key, 11
    return tokens, key


@mistake("passkey_example", "marker-and-query-exchanged")
def marker_and_query_exchanged(length, depth, rng):
    """Marker and query are exchanged: 10 stands before the key and 11 at the end."""
    return text(length, depth, rng, marker=11, query=10)


@mistake("passkey_example", "query-missing")
def query_missing(length, depth, rng):
    """The last token is noise. It must be the query, 11, which tells the model to answer."""
    tokens, key = text(length, depth, rng)
    noise = np.full(length, 12)
    tokens[-1] = noise[-1]
    return tokens, key


@mistake("passkey_example", "depth-from-the-end")
def depth_from_the_end(length, depth, rng):
    """The depth is counted from the end. Depth 0 is the beginning of the text, depth 1 its end."""
    return text(length, 1 - depth, rng)


# ---------------------------------------------------------------- passkey_accuracy


def grid(predict, lengths, depths, rng, repeats, judge=np.array_equal):
    """Give the mean of judge(predict(tokens), key) for each cell."""
    out = np.zeros((len(lengths), len(depths)))
    for i, length in enumerate(lengths):
        for j, depth in enumerate(depths):
            for _ in range(repeats):
                tokens, key = right.passkey_example(length, depth, rng)
                out[i, j] += judge(np.asarray(predict(tokens)), key) / repeats
    return out


@mistake("passkey_accuracy", "share-of-digits")
def share_of_digits(predict, lengths, depths, rng, repeats):
    """The share of right digits is counted. A key with one wrong digit opens nothing: it counts when all three are
    right."""
    return grid(predict, lengths, depths, rng, repeats, lambda said, key: np.mean(said == key))


@mistake("passkey_accuracy", "any-digit")
def any_digit(predict, lengths, depths, rng, repeats):
    """A key counts as soon as one digit is right. All three must be."""
    return grid(predict, lengths, depths, rng, repeats, lambda said, key: np.any(said == key))


@mistake("passkey_accuracy", "transposed")
def transposed(predict, lengths, depths, rng, repeats):
    """Rows and columns are exchanged. A row belongs to a length, a column to a depth."""
    return grid(predict, lengths, depths, rng, repeats).T


@mistake("passkey_accuracy", "counts")
def counts(predict, lengths, depths, rng, repeats):
    """Right keys are counted and not divided by repeats. Shares from 0 to 1 are asked for."""
    return grid(predict, lengths, depths, rng, repeats) * repeats


@mistake("passkey_accuracy", "one-text-per-cell")
def one_text_per_cell(predict, lengths, depths, rng, repeats):
    """One text is drawn for each cell and shown again and again. Repeats tell something new only if each has a text of
    its own."""
    out = np.zeros((len(lengths), len(depths)))
    for i, length in enumerate(lengths):
        for j, depth in enumerate(depths):
            tokens, key = right.passkey_example(length, depth, rng)
            out[i, j] = np.mean([np.array_equal(predict(tokens), key) for _ in range(repeats)])
    return out


@mistake("passkey_accuracy", "own-generator", source="folklore (unseeded experiments)")
def accuracy_own_generator(predict, lengths, depths, rng, repeats):
    """The texts come from a generator of your own, and the argument rng is not used."""
    return grid(predict, lengths, depths, np.random.default_rng(0), repeats)


@mistake("passkey_accuracy", "same-seed-per-cell")
def same_seed_per_cell(predict, lengths, depths, rng, repeats):
    """A new generator with the same seed is made for each cell or text, so the same keys come again. Draw all texts
    from rng, one after another."""
    seed = int(rng.integers(1000))
    out = np.zeros((len(lengths), len(depths)))
    for i, length in enumerate(lengths):
        for j, depth in enumerate(depths):
            texts = [right.passkey_example(length, depth, np.random.default_rng(seed)) for _ in range(repeats)]
            out[i, j] = np.mean([np.array_equal(predict(tokens), key) for tokens, key in texts])
    return out


# ---------------------------------------------------------------- answer_blind_score

options(
    "answer_blind_score",
    a="The table was changed, and much: the embeddings moved (mean cosine 0.708), and two sentences with exchanged "
    "words became the same to seven digits.",
    b="The score is the same with and without positions, so this test cannot tell the two apart. Whether the model "
    "needs positions elsewhere, the minimal pairs show: there it lost everything.",
    c="The number is right and still says nothing about order: these 20 pairs can be matched by their words.",
    d="A score of 1.00 on 20 pairs does not say that nothing changed, and it cannot rise above 1.00. No improvement "
    "was measured.",
)

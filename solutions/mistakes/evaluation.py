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
    """The order is undone the wrong way round: f(x[perm]) is permuted once more by perm, or f(x) by its inverse, which
    comes to the same. Compare f(x[perm]) with f(x)[perm]."""
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
    """One order alone counts, whether it is drawn before the loop and used every time or the loop ends after the first.
    More repeats then tell nothing new: draw a new order for each."""
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


@mistake("shuffle_sensitivity", "one-order-too-few")
def one_order_too_few(f, x, rng, repeats):
    """One order too few is drawn. range(1, repeats), for example, has repeats - 1 numbers."""
    return right.shuffle_sensitivity(f, x, rng, max(1, repeats - 1))


@mistake("shuffle_sensitivity", "spectral-norm", source="folklore (np.linalg.norm(a, 2))")
def spectral_norm(f, x, rng, repeats):
    """The norm of a matrix is taken in which only its strongest direction counts, np.linalg.norm(a, 2). The norm asked
    for is the root of the sum of all squares, which np.linalg.norm gives without a second argument."""
    return over_orders(
        f, x, rng, repeats, lambda shuffled, plain, perm: strongest(shuffled - plain[perm]) / strongest(plain)
    )


def strongest(a):
    """Give the largest singular value of an array with one row per place."""
    return np.linalg.norm(np.reshape(a, (len(a), -1)), 2)


def row_norms(a):
    """Give the norm of each row."""
    return np.linalg.norm(np.reshape(a, (len(a), -1)), axis=1)


@mistake("shuffle_sensitivity", "row-norms-averaged")
def row_norms_averaged(f, x, rng, repeats):
    """Each place has a norm of its own, and these are averaged. The norm asked for is one number for the whole output:
    the root of the sum of all squares."""

    def distance(shuffled, plain, perm):
        return row_norms(shuffled - plain[perm]).mean() / row_norms(plain).mean()

    return over_orders(f, x, rng, repeats, distance)


@mistake("shuffle_sensitivity", "sum-of-amounts")
def sum_of_amounts(f, x, rng, repeats):
    """The amounts of all entries are added up. The norm asked for is the root of the sum of their squares."""
    return over_orders(
        f, x, rng, repeats, lambda shuffled, plain, perm: np.abs(shuffled - plain[perm]).sum() / np.abs(plain).sum()
    )


@mistake("shuffle_sensitivity", "root-forgotten")
def root_forgotten(f, x, rng, repeats):
    """The squares are compared: the root is missing, so each order counts with the square of its distance."""
    return over_orders(
        f, x, rng, repeats, lambda shuffled, plain, perm: (norm(shuffled - plain[perm]) / norm(plain)) ** 2
    )


def of_orders(f, x, rng, repeats, middle):
    """Give the mean, or what `middle` makes, of the distances of all orders."""
    x = np.asarray(x)
    perms = [rng.permutation(len(x)) for _ in range(repeats)]
    plain = np.asarray(f(x))
    return float(middle([norm(np.asarray(f(x[perm])) - plain[perm]) / norm(plain) for perm in perms]))


@mistake("shuffle_sensitivity", "largest-of-the-orders")
def largest_of_the_orders(f, x, rng, repeats):
    """The largest of the orders' distances comes back. Their mean is asked for."""
    return of_orders(f, x, rng, repeats, np.max)


@mistake("shuffle_sensitivity", "median-of-the-orders")
def median_of_the_orders(f, x, rng, repeats):
    """The median of the orders' distances comes back. Their mean is asked for."""
    return of_orders(f, x, rng, repeats, np.median)


@mistake("shuffle_sensitivity", "rms-of-the-orders")
def rms_of_the_orders(f, x, rng, repeats):
    """The orders' distances are squared, averaged, and the root is taken at the end. Each order has a root of its own,
    and then the plain mean is asked for."""
    return of_orders(f, x, rng, repeats, lambda gaps: np.sqrt(np.mean(np.square(gaps))))


@mistake("shuffle_sensitivity", "drawn-with-replacement", source="folklore (rng.integers for an order)")
def drawn_with_replacement(f, x, rng, repeats):
    """The places are drawn with replacement, so some rows come twice and others not at all. An order has each place
    once: rng.permutation(len(x))."""
    x = np.asarray(x)
    perms = [rng.integers(0, len(x), len(x)) for _ in range(repeats)]
    plain = np.asarray(f(x))
    return np.mean([norm(np.asarray(f(x[perm])) - plain[perm]) / norm(plain) for perm in perms])


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


@mistake("shift_sensitivity", "smallest-offset-for-zero")
def smallest_offset_for_zero(f, x, offsets):
    """All offsets are compared with the smallest of them. It need not be 0: the output without a shift is f(x, 0)."""
    x = np.asarray(x)
    least = np.asarray(f(x, min(offsets)))
    return at_offsets(f, x, offsets, lambda moved, plain: norm(moved - least) / norm(least))


@mistake("shift_sensitivity", "relative-to-the-input")
def shift_relative_to_the_input(f, x, offsets):
    """The distance is divided by the size of x. It lies between outputs, so the size to compare it with is that of
    f(x, 0)."""
    size = norm(np.asarray(x))
    return at_offsets(f, x, offsets, lambda moved, plain: norm(moved - plain) / size)


@mistake("shift_sensitivity", "spectral-norm", source="folklore (np.linalg.norm(a, 2))")
def shift_spectral_norm(f, x, offsets):
    """The norm of a matrix is taken in which only its strongest direction counts, np.linalg.norm(a, 2). The norm asked
    for is the root of the sum of all squares, which np.linalg.norm gives without a second argument."""
    return at_offsets(f, x, offsets, lambda moved, plain: strongest(moved - plain) / strongest(plain))


@mistake("shift_sensitivity", "row-norms-averaged")
def shift_row_norms_averaged(f, x, offsets):
    """Each place has a norm of its own, and these are averaged. The norm asked for is one number for the whole output:
    the root of the sum of all squares."""
    return at_offsets(f, x, offsets, lambda moved, plain: row_norms(moved - plain).mean() / row_norms(plain).mean())


@mistake("shift_sensitivity", "root-forgotten")
def shift_root_forgotten(f, x, offsets):
    """The squares are compared: the root is missing, so each offset counts with the square of its distance."""
    return right.shift_sensitivity(f, x, offsets) ** 2


@mistake("shift_sensitivity", "largest-difference", source="folklore (equivariance_gap of 01 used again)")
def shift_largest_difference(f, x, offsets):
    """The largest difference is taken, as in equivariance_gap. Here the norm is asked for: the root of the sum of all
    squares."""
    return at_offsets(f, x, offsets, lambda moved, plain: np.abs(moved - plain).max() / np.abs(plain).max())


@mistake("shift_sensitivity", "entry-by-entry")
def entry_by_entry(f, x, offsets):
    """Each entry is divided by its own size, and the ratios are averaged, so entries near 0 decide nearly alone. Divide
    one norm by the other."""
    return at_offsets(
        f, x, offsets, lambda moved, plain: np.mean(np.abs(moved - plain) / np.maximum(np.abs(plain), 1e-9))
    )


@mistake("shift_sensitivity", "sorted-offsets")
def sorted_offsets(f, x, offsets):
    """The offsets are sorted first, so the numbers come in another order than the offsets did."""
    return right.shift_sensitivity(f, x, sorted(offsets))


@mistake("shift_sensitivity", "each-offset-once", source="folklore (np.unique)")
def each_offset_once(f, x, offsets):
    """An offset that comes twice is measured once. The result has a number for each entry of the list, repeated ones
    too."""
    return right.shift_sensitivity(f, x, list(dict.fromkeys(np.asarray(offsets).tolist())))


@mistake("shift_sensitivity", "zero-in-front")
def zero_in_front(f, x, offsets):
    """A number for offset 0 stands in front. Only the offsets of the list have one."""
    return np.concatenate([[0.0], right.shift_sensitivity(f, x, offsets)])


@mistake("shift_sensitivity", "per-token")
def per_token(f, x, offsets):
    """The distance is divided by the offset. What is asked for is the whole change, however far the shift goes."""
    return right.shift_sensitivity(f, x, offsets) / np.maximum(np.abs(offsets), 1)


@mistake("shift_sensitivity", "sign-of-the-offset-lost")
def sign_of_the_offset_lost(f, x, offsets):
    """A negative offset is used like a positive one. f is to be called with the offset as it stands in the list."""
    return right.shift_sensitivity(f, x, np.abs(offsets))


def relative(moved, plain):
    """Give the distance that the exercise asks for."""
    return norm(moved - plain) / norm(plain)


@mistake("shift_sensitivity", "one-position-further")
def one_position_further(f, x, offsets):
    """f is called with offset + 1. Positions count from 0 here: f(x, offset) begins at offset."""
    x = np.asarray(x)
    plain = np.asarray(f(x, 0))
    return np.array([relative(np.asarray(f(x, o + 1)), plain) for o in offsets])


@mistake("shift_sensitivity", "added-to-the-input")
def added_to_the_input(f, x, offsets):
    """The offset is added to x. x holds tokens or rows and stays as it is; f is told the offset as its second
    argument."""
    x = np.asarray(x)
    plain = np.asarray(f(x, 0))
    return np.array([relative(np.asarray(f(x + o, 0)), plain) for o in offsets])


@mistake("shift_sensitivity", "whole-numbers", source="folklore (NumPy)")
def shift_whole_numbers(f, x, offsets):
    """The result holds whole numbers, so every ratio is cut towards 0. An array made like the offsets has their type;
    make it with dtype float."""
    return right.shift_sensitivity(f, x, offsets).astype(int)


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


def interval(found, level):
    """Give the ends that the exercise asks for of the means that were found."""
    return tuple(np.quantile(found, [(1 - level) / 2, (1 + level) / 2]))


@mistake(
    "bootstrap_interval", "resamples-ignored", advice="with resamples=1 there is one mean: both ends must be equal."
)
def resamples_ignored(values, rng, level=0.95, resamples=2000):
    """The number of resamples is always 2000, whatever the argument says."""
    return interval(means(values, rng, 2000), level)


@mistake("bootstrap_interval", "fewer-resamples")
def fewer_resamples(values, rng, level=0.95, resamples=2000):
    """Fewer resamples are drawn than were asked for."""
    return interval(means(values, rng, max(resamples // 10, 1)), level)


@mistake("bootstrap_interval", "mirrored", source="folklore (the basic bootstrap)")
def mirrored(values, rng, level=0.95, resamples=2000):
    """The interval is mirrored about the mean, 2 * mean - percentile, as the so-called basic bootstrap does. The
    percentiles themselves are asked for."""
    low, high = interval(means(values, rng, resamples), level)
    return 2 * np.mean(values) - high, 2 * np.mean(values) - low


@mistake("bootstrap_interval", "high-first")
def high_first(values, rng, level=0.95, resamples=2000):
    """The ends are exchanged: the low one comes first."""
    return interval(means(values, rng, resamples), level)[::-1]


@mistake("bootstrap_interval", "mean-and-half-width")
def mean_and_half_width(values, rng, level=0.95, resamples=2000):
    """You return a mean and half the width. The two ends are asked for; they need not lie evenly about the mean."""
    low, high = interval(means(values, rng, resamples), level)
    return np.mean(values), (high - low) / 2


@mistake("bootstrap_interval", "relative-to-the-mean")
def bootstrap_relative_to_the_mean(values, rng, level=0.95, resamples=2000):
    """The ends are counted from the mean, so 0 lies between them whatever the values are. Return them in the values'
    unit."""
    low, high = interval(means(values, rng, resamples), level)
    return low - np.mean(values), high - np.mean(values)


@mistake("bootstrap_interval", "percentiles-of-the-data")
def percentiles_of_the_data(values, rng, level=0.95, resamples=2000):
    """These are percentiles of the values that were handed in; nothing is drawn and no mean is taken. They say how far
    apart single runs lie, not how sure their mean is."""
    return interval(np.asarray(values, dtype=float), level)


@mistake("bootstrap_interval", "one-mean-per-place")
def one_mean_per_place(values, rng, level=0.95, resamples=2000):
    """Your means are taken over the resamples, the wrong axis: there are as many of them as values, each of thousands
    of draws, so the interval is far too narrow. A mean belongs to one resample."""
    values = np.asarray(values, dtype=float)
    return interval(values[rng.integers(0, len(values), (resamples, len(values)))].mean(axis=0), level)


@mistake("bootstrap_interval", "sizes-exchanged")
def sizes_exchanged(values, rng, level=0.95, resamples=2000):
    """Your means are taken over the resamples, the wrong axis: there are as many of them as values, each of thousands
    of draws, so the interval is far too narrow. A mean belongs to one resample."""
    values = np.asarray(values, dtype=float)
    return interval(values[rng.integers(0, len(values), (len(values), resamples))].mean(axis=1), level)


@mistake("bootstrap_interval", "one-value-too-few")
def one_value_too_few(values, rng, level=0.95, resamples=2000):
    """A resample has another size than the values: one fewer or one more. Draw n of n, so that a resample's mean is as
    uncertain as the mean of the values."""
    values = np.asarray(values, dtype=float)
    drawn = values[rng.integers(0, len(values), (resamples, max(1, len(values) - 1)))]
    return interval(drawn.mean(axis=1), level)


@mistake("bootstrap_interval", "one-value-too-many")
def one_value_too_many(values, rng, level=0.95, resamples=2000):
    """A resample has another size than the values: one fewer or one more. Draw n of n, so that a resample's mean is as
    uncertain as the mean of the values."""
    values = np.asarray(values, dtype=float)
    return interval(values[rng.integers(0, len(values), (resamples, len(values) + 1))].mean(axis=1), level)


@mistake("bootstrap_interval", "last-value-never-drawn", source="folklore (upper end of rng.integers)")
def last_value_never_drawn(values, rng, level=0.95, resamples=2000):
    """One of the values, the last, is never drawn: the upper end of rng.integers is not among the numbers drawn."""
    values = np.asarray(values, dtype=float)
    drawn = values[rng.integers(0, max(1, len(values) - 1), (resamples, len(values)))]
    return interval(drawn.mean(axis=1), level)


@mistake("bootstrap_interval", "first-value-never-drawn", source="folklore (counting from 1)")
def first_value_never_drawn(values, rng, level=0.95, resamples=2000):
    """One of the values, the first, is never drawn: places are counted from 0."""
    values = np.asarray(values, dtype=float)
    drawn = values[rng.integers(min(1, len(values) - 1), len(values), (resamples, len(values)))]
    return interval(drawn.mean(axis=1), level)


@mistake("bootstrap_interval", "two-standard-deviations")
def two_standard_deviations(values, rng, level=0.95, resamples=2000):
    """The interval is the mean and 1.96 standard deviations to each side, whatever level says. Percentiles of the means
    are asked for, and they need not lie evenly."""
    found = means(values, rng, resamples)
    return found.mean() - 1.96 * found.std(), found.mean() + 1.96 * found.std()


@mistake("bootstrap_interval", "rounded")
def bootstrap_rounded(values, rng, level=0.95, resamples=2000):
    """The ends are rounded. Round when you print: here a small value, or a narrow interval, is lost."""
    return tuple(round(float(end), 2) for end in interval(means(values, rng, resamples), level))


@mistake("bootstrap_interval", "values-sorted-in-place")
def values_sorted_in_place(values, rng, level=0.95, resamples=2000):
    """The caller's values are in another order afterwards: .sort(), for instance, works in place. Work on a copy; the
    order of the values does not matter here."""
    out = interval(means(values, rng, resamples), level)
    values.sort()
    return out


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
    """The depth is taken of the whole length. Marker, key and query take five places, and length - 5 are left to choose
    from."""
    start = min(round(depth * length), length - 1)
    tokens = rng.integers(12, 16, length)
    key = rng.integers(0, 10, 3)
    tokens[start] = 10
    tokens[start + 1 : start + 4] = key[: max(0, len(tokens[start + 1 : start + 4]))]
    tokens[-1] = 11
    return tokens, key


@mistake("passkey_example", "one-place-forgotten")
def one_place_forgotten(length, depth, rng):
    """The depth is taken of length - 4: one of the five places for marker, key and query is forgotten."""
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
    tokens = rng.integers(12, 16, length)
    key = rng.integers(0, 10, 3)
    start = round(depth * (length - 5))
    tokens[start], tokens[start + 1 : start + 4] = 10, key
    return tokens, key


@mistake("passkey_example", "depth-from-the-end")
def depth_from_the_end(length, depth, rng):
    """The depth is counted from the end. Depth 0 is the beginning of the text, depth 1 its end."""
    return text(length, 1 - depth, rng)


@mistake("passkey_example", "whole-length-then-cut")
def whole_length_then_cut(length, depth, rng):
    """The depth is taken of the whole length. Marker, key and query take five places, and length - 5 are left to choose
    from."""
    return text(length, depth, rng, start=min(round(depth * length), length - 5))


@mistake("passkey_example", "last-index-then-cut")
def last_index_then_cut(length, depth, rng):
    """The depth is taken of length - 1, the last index. Marker, key and query take five places, and length - 5 are left
    to choose from."""
    return text(length, depth, rng, start=min(round(depth * (length - 1)), length - 5))


@mistake("passkey_example", "one-place-forgotten-then-cut")
def one_place_forgotten_then_cut(length, depth, rng):
    """The depth is taken of length - 4: one of the five places for marker, key and query is forgotten."""
    return text(length, depth, rng, start=min(round(depth * (length - 4)), length - 5))


@mistake("passkey_example", "one-place-late")
def one_place_late(length, depth, rng):
    """The marker stands one place too late, and at depth 1 the query falls on the key. Places are counted from 0."""
    tokens = rng.integers(12, 16, length)
    key = rng.integers(0, 10, 3)
    start = min(round(depth * (length - 5)) + 1, length - 4)
    tokens[start], tokens[start + 1 : start + 4], tokens[-1] = 10, key, 11
    return tokens, key


@mistake("passkey_example", "rounded-up")
def place_rounded_up(length, depth, rng):
    """The place is rounded up. round(...) goes to the nearest whole number, down as well as up."""
    return text(length, depth, rng, start=int(np.ceil(depth * (length - 5))))


@mistake("passkey_example", "no-zero-digit")
def no_zero_digit(length, depth, rng):
    """The digit 0 never comes. A key is drawn by rng.integers(0, 10, 3)."""
    tokens = rng.integers(12, 16, length)
    return placed(tokens, rng.integers(1, 10, 3), depth)


def placed(tokens, key, depth):
    """Put marker, key and query into a text of noise."""
    start = round(depth * (len(tokens) - 5))
    tokens[start], tokens[start + 1 : start + 4], tokens[-1] = 10, key, 11
    return tokens, key


@mistake("passkey_example", "digits-all-different")
def digits_all_different(length, depth, rng):
    """The digits of your key are always different from each other. They are drawn one by one, rng.integers(0, 10, 3),
    and may repeat."""
    tokens = rng.integers(12, 16, length)
    return placed(tokens, rng.permutation(10)[:3], depth)


@mistake("passkey_example", "digits-chosen-once-each")
def digits_chosen_once_each(length, depth, rng):
    """The digits of your key are always different from each other. They are drawn one by one, rng.integers(0, 10, 3),
    and may repeat."""
    tokens = rng.integers(12, 16, length)
    return placed(tokens, rng.choice(10, 3, replace=False), depth)


@mistake("passkey_example", "noise-without-15", source="folklore (upper end of rng.integers)")
def noise_without_15(length, depth, rng):
    """The noise has three kinds of token, not four: 15 never comes. The upper end of rng.integers is not among the
    numbers drawn."""
    tokens = rng.integers(12, 15, length)
    return placed(tokens, rng.integers(0, 10, 3), depth)


@mistake("passkey_example", "noise-with-16", source="folklore (upper end of rng.integers)")
def noise_with_16(length, depth, rng):
    """The noise holds a token 16, which the vocabulary of 16 tokens, 0 to 15, does not have."""
    tokens = rng.integers(12, 17, length)
    return placed(tokens, rng.integers(0, 10, 3), depth)


@mistake("passkey_example", "noise-for-the-rest")
def noise_for_the_rest(length, depth, rng):
    """Noise is drawn for the places that are left alone. The exercise draws it for all, rng.integers(12, 16, length),
    and writes over five of them: with the same generator others then get the same texts."""
    noise, key = rng.integers(12, 16, length - 5), rng.integers(0, 10, 3)
    start = round(depth * (length - 5))
    return np.concatenate([noise[:start], [10], key, noise[start:], [11]]), key


@mistake("passkey_example", "marker-missing")
def marker_missing(length, depth, rng):
    """The marker 10 is missing before the key, so nothing tells the digits of the key from where they begin."""
    tokens = rng.integers(12, 16, length)
    before, (tokens, key) = tokens.copy(), placed(tokens, rng.integers(0, 10, 3), depth)
    tokens[round(depth * (length - 5))] = before[round(depth * (length - 5))]
    return tokens, key


@mistake("passkey_example", "key-before-the-marker")
def key_before_the_marker(length, depth, rng):
    """The key stands before the marker. The marker comes first, and the three digits right behind it."""
    tokens = rng.integers(12, 16, length)
    key, start = rng.integers(0, 10, 3), round(depth * (length - 5))
    tokens[start : start + 3], tokens[start + 3], tokens[-1] = key, 10, 11
    return tokens, key


@mistake("passkey_example", "key-and-text-exchanged")
def key_and_text_exchanged(length, depth, rng):
    """Text and key are returned in the wrong order: the tokens come first."""
    return right.passkey_example(length, depth, rng)[::-1]


@mistake("passkey_example", "as-floats", source="folklore (np.zeros)")
def tokens_as_floats(length, depth, rng):
    """The tokens are floats. They are names of rows of a table: whole numbers."""
    tokens, key = right.passkey_example(length, depth, rng)
    return tokens.astype(float), key


@mistake("passkey_example", "own-generator", source="folklore (unseeded experiments)")
def example_own_generator(length, depth, rng):
    """The text comes from a generator of your own, and the argument rng is not used."""
    return right.passkey_example(length, depth, np.random.default_rng(0))


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
    """One text alone counts for each cell, whether it is shown once or again and again. Repeats tell something new only
    if each has a text of its own."""
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


def one_place(place):
    """Give a judge that looks at one digit alone."""
    return lambda said, key: said[place] == key[place]


@mistake("passkey_accuracy", "first-digit-alone")
def first_digit_alone(predict, lengths, depths, rng, repeats):
    """One digit of the key is looked at, always the same, and the two others may be anything. All three must be
    right."""
    return grid(predict, lengths, depths, rng, repeats, one_place(0))


@mistake("passkey_accuracy", "middle-digit-alone")
def middle_digit_alone(predict, lengths, depths, rng, repeats):
    """One digit of the key is looked at, always the same, and the two others may be anything. All three must be
    right."""
    return grid(predict, lengths, depths, rng, repeats, one_place(1))


@mistake("passkey_accuracy", "last-digit-alone")
def last_digit_alone(predict, lengths, depths, rng, repeats):
    """One digit of the key is looked at, always the same, and the two others may be anything. All three must be
    right."""
    return grid(predict, lengths, depths, rng, repeats, one_place(2))


@mistake("passkey_accuracy", "two-digits-enough")
def two_digits_enough(predict, lengths, depths, rng, repeats):
    """A key counts although one of its digits is wrong. All three must be right."""
    return grid(predict, lengths, depths, rng, repeats, lambda said, key: np.sum(said == key) >= 2)


@mistake("passkey_accuracy", "last-digit-free")
def last_digit_free(predict, lengths, depths, rng, repeats):
    """A key counts although one of its digits is wrong. All three must be right."""
    return grid(predict, lengths, depths, rng, repeats, lambda said, key: np.array_equal(said[:2], key[:2]))


@mistake("passkey_accuracy", "middle-digit-free")
def middle_digit_free(predict, lengths, depths, rng, repeats):
    """A key counts although one of its digits is wrong. All three must be right."""
    return grid(predict, lengths, depths, rng, repeats, lambda said, key: np.array_equal(said[::2], key[::2]))


@mistake("passkey_accuracy", "first-digit-free")
def first_digit_free(predict, lengths, depths, rng, repeats):
    """A key counts although one of its digits is wrong. All three must be right."""
    return grid(predict, lengths, depths, rng, repeats, lambda said, key: np.array_equal(said[1:], key[1:]))


@mistake("passkey_accuracy", "any-order")
def any_order(predict, lengths, depths, rng, repeats):
    """A key counts as right when its digits come in another order, as where sorted digits, sets or sums are compared.
    Each digit has its place."""
    return grid(predict, lengths, depths, rng, repeats, lambda said, key: sorted(said) == sorted(key))


@mistake("passkey_accuracy", "sum-of-the-digits")
def sum_of_the_digits(predict, lengths, depths, rng, repeats):
    """A key counts as right when its digits come in another order, as where sorted digits, sets or sums are compared.
    Each digit has its place."""
    return grid(predict, lengths, depths, rng, repeats, lambda said, key: np.sum(said) == np.sum(key))


@mistake("passkey_accuracy", "always-right")
def always_right(predict, lengths, depths, rng, repeats):
    """Every key counts as right, whatever the model says: what it says is not compared with the key."""
    return grid(predict, lengths, depths, rng, repeats, lambda said, key: True)


@mistake("passkey_accuracy", "share-of-wrong-keys")
def share_of_wrong_keys(predict, lengths, depths, rng, repeats):
    """This is the share of keys that are wrong. The share of right ones is asked for."""
    return 1 - grid(predict, lengths, depths, rng, repeats)


@mistake("passkey_accuracy", "per-cent")
def per_cent(predict, lengths, depths, rng, repeats):
    """The shares are given in per cent. They go from 0 to 1 here."""
    return grid(predict, lengths, depths, rng, repeats) * 100


@mistake("passkey_accuracy", "whole-numbers", source="folklore (NumPy)")
def accuracy_whole_numbers(predict, lengths, depths, rng, repeats):
    """The result holds whole numbers, so every share below 1 is cut to 0. Make the array with dtype float."""
    return (grid(predict, lengths, depths, rng, repeats) + 1e-9).astype(int)


@mistake("passkey_accuracy", "best-of-the-repeats")
def best_of_the_repeats(predict, lengths, depths, rng, repeats):
    """A cell is 1 as soon as one of its texts is answered rightly. The share of texts is asked for."""
    return np.ceil(grid(predict, lengths, depths, rng, repeats) - 1e-9)


@mistake("passkey_accuracy", "hits-carried-over")
def hits_carried_over(predict, lengths, depths, rng, repeats):
    """The hits of earlier cells are carried over into later ones. Each cell begins to count at 0."""
    cells = grid(predict, lengths, depths, rng, repeats)
    return (np.cumsum(cells) / np.arange(1, cells.size + 1)).reshape(cells.shape)


@mistake("passkey_accuracy", "mean-over-depths")
def mean_over_depths(predict, lengths, depths, rng, repeats):
    """The depths are averaged, so one number per length is left. A map has a row per length and a column per depth."""
    return grid(predict, lengths, depths, rng, repeats).mean(axis=1)


@mistake("passkey_accuracy", "one-number")
def one_accuracy(predict, lengths, depths, rng, repeats):
    """One mean over all lengths and depths comes back. A map is asked for, a row per length and a column per depth."""
    return grid(predict, lengths, depths, rng, repeats).mean()


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

"""Wrong answers of 12_tuning: turns and radians, exponents, distances left out, and choosing by the luckiest seed."""

from __future__ import annotations

import numpy as np

from labsupport.checking.bank import mistake, right

# ---------------------------------------------------------------- turns_within


def turns_at(max_len, exponents, base):
    """Give the turns of pairs that move base**exponent radians per position."""
    return float(max_len) * float(base) ** np.asarray(exponents, dtype=float) / (2 * np.pi)


@mistake("turns_within", "radians", advice="one turn is 2 pi radians, about 6.28.")
def radians(max_len, d, base):
    """These are radians. A whole turn has 2 pi of them, and turns are asked for."""
    return right.turns_within(max_len, d, base) * 2 * np.pi


@mistake("turns_within", "half-turns")
def half_turns(max_len, d, base):
    """Half turns are counted: pi radians lead to the opposite side, and 2 pi lead back to the start."""
    return right.turns_within(max_len, d, base) * 2


@mistake("turns_within", "exponent-doubled", source="the outline's lab on RoPE, base ** (-2 * arange(0, d, 2) / d)")
def exponent_doubled(max_len, d, base):
    """The exponent is twice what it should be. np.arange(0, d, 2) gives 0, 2, 4, ..., which is 2i already; a further
    factor 2 makes every pair but the first too slow."""
    return turns_at(max_len, -2 * np.arange(0, d, 2) / d, base)


@mistake("turns_within", "exponent-halved")
def exponent_halved(max_len, d, base):
    """The exponent is half of what it should be: pair i moves base**(-2 i / d), and the factor 2 is missing. The slow
    pairs come out too fast."""
    return turns_at(max_len, -np.arange(d // 2) / d, base)


@mistake("turns_within", "counted-from-one", advice="pair 0 moves 1 radian per position in every base.")
def counted_from_one(max_len, d, base):
    """The pairs are counted from 1. Pair 0 moves base**0, which is 1 radian per position; yours begins one pair too
    slow."""
    return turns_at(max_len, -2 * np.arange(1, d // 2 + 1) / d, base)


@mistake("turns_within", "slowest-first")
def slowest_first(max_len, d, base):
    """The order is reversed. Pair 0 is the fastest one and stands first."""
    return right.turns_within(max_len, d, base)[::-1]


@mistake("turns_within", "faster-and-faster")
def faster_and_faster(max_len, d, base):
    """The exponent has the wrong sign, so that later pairs turn faster than the first one. They must turn slower."""
    return turns_at(max_len, 2 * np.arange(d // 2) / d, base)


@mistake("turns_within", "whole-turns", advice="the slowest pair often makes less than one turn; print it.")
def whole_turns(max_len, d, base):
    """Only completed turns are counted. Parts of a turn belong to the answer: whether the slowest pair makes 0.2 or 0.9
    of one is what this notebook is about."""
    return np.floor(right.turns_within(max_len, d, base))


@mistake("turns_within", "one-for-each-feature")
def one_for_each_feature(max_len, d, base):
    """There is an entry for each feature. Two features make a pair and turn together, so d/2 entries are asked for."""
    return np.repeat(right.turns_within(max_len, d, base), 2)


@mistake("turns_within", "base-ignored")
def base_ignored(max_len, d, base):
    """The argument base is not used: yours takes 10000 whatever the caller says."""
    return right.turns_within(max_len, d, 10000)


@mistake("turns_within", "last-position")
def last_position(max_len, d, base):
    """The turns are those up to position max_len - 1. Here max_len is the distance itself: angle = max_len * speed."""
    return right.turns_within(max_len - 1, d, base)


@mistake("turns_within", "positions-per-turn")
def positions_per_turn(max_len, d, base):
    """This is the reciprocal: how many times max_len goes into the length of one turn. The turns within max_len are
    max_len divided by that length."""
    return 1 / right.turns_within(max_len, d, base)


@mistake("turns_within", "degrees")
def degrees(max_len, d, base):
    """These are degrees, 360 to a turn. Turns are asked for."""
    return right.turns_within(max_len, d, base) * 360


@mistake("turns_within", "wavelengths")
def wavelengths(max_len, d, base):
    """These are wavelengths, positions per turn, and max_len does not enter. The turns within max_len are max_len
    divided by the wavelength."""
    return max_len / right.turns_within(max_len, d, base)


@mistake("turns_within", "slowest-at-one-over-base", source="folklore (np.linspace with its end)")
def slowest_at_one_over_base(max_len, d, base):
    """The exponents go up to 1, so the slowest pair moves 1 / base. Pair i moves base**(-2 i / d), and the last one,
    i = d/2 - 1, does not reach 1: np.linspace includes its end."""
    return turns_at(max_len, -np.linspace(0, 1, d // 2), base)


@mistake("turns_within", "rest-of-a-turn")
def rest_of_a_turn(max_len, d, base):
    """Completed turns are thrown away, and only the rest of the last one is left. Both together are asked for."""
    return right.turns_within(max_len, d, base) % 1


@mistake("turns_within", "rounded")
def turns_rounded(max_len, d, base):
    """The turns are rounded. The slowest pairs make so small a part of a turn that little of it is left then."""
    return np.round(right.turns_within(max_len, d, base), 3)


@mistake("turns_within", "pi-shortened")
def pi_shortened(max_len, d, base):
    """The turns are off by half a thousandth, as with 3.14 for pi. np.pi has all digits."""
    return right.turns_within(max_len, d, base) * np.pi / 3.14


@mistake("turns_within", "whole-division", source="folklore (Python)")
def turns_whole_division(max_len, d, base):
    """The exponent is a whole number: // cuts 2 i / d down to 0, so all pairs move as fast as the first. Use / here."""
    return turns_at(max_len, -(np.arange(0, d, 2) // d), base)


@mistake("turns_within", "length-cut")
def length_cut(max_len, d, base):
    """The distance is made a whole number, cut or rounded. It may be real: keep its decimals."""
    return right.turns_within(int(max_len), d, base)


@mistake("turns_within", "length-rounded")
def length_rounded(max_len, d, base):
    """The distance is made a whole number, cut or rounded. It may be real: keep its decimals."""
    return right.turns_within(round(max_len), d, base)


@mistake("turns_within", "base-cut")
def base_cut(max_len, d, base):
    """The base is cut to a whole number. It may be real, as base_for_length gives it."""
    return right.turns_within(max_len, d, int(base))


# ---------------------------------------------------------------- base_for_length


def refused(max_len, d):
    """Refuse what the exercise says, so that a mistake below has one fault alone."""
    if d < 4 or d % 2 or max_len <= 2 * np.pi:
        raise ValueError("no base does it")


@mistake("base_for_length", "exponent-forgotten", advice="put your base into turns_within and look at the last entry.")
def exponent_forgotten(max_len, d):
    """This is max_len / (2 pi), as if the slowest pair moved 1 / base. It moves base**(-(d - 2) / d), a little more, so
    it still completes more than a turn."""
    refused(max_len, d)
    return max_len / (2 * np.pi)


@mistake("base_for_length", "exponent-upside-down")
def exponent_upside_down(max_len, d):
    """The exponent is upside down. The base is raised to (d - 2) / d in the condition; to free it, the other side is
    raised to the reciprocal."""
    refused(max_len, d)
    return (max_len / (2 * np.pi)) ** ((d - 2) / d)


@mistake("base_for_length", "whole-division", source="folklore (Python)")
def whole_division(max_len, d):
    """The exponent is a whole number: // cuts d / (d - 2) down to 1 for every d above 4. Use / here."""
    refused(max_len, d)
    return (max_len / (2 * np.pi)) ** (d // (d - 2))


@mistake("base_for_length", "two-pi-forgotten")
def two_pi_forgotten(max_len, d):
    """The slowest pair makes one radian within max_len at your base, not one turn: the 2 pi is missing."""
    refused(max_len, d)
    return float(max_len) ** (d / (d - 2))


@mistake("base_for_length", "half-a-turn")
def half_a_turn(max_len, d):
    """At your base the slowest pair makes half a turn. The condition asked for is a whole one, 2 pi radians."""
    refused(max_len, d)
    return (max_len / np.pi) ** (d / (d - 2))


@mistake("base_for_length", "slowest-pair-one-late")
def slowest_pair_one_late(max_len, d):
    """The slowest pair is counted one too far or its index is off: with pairs 0 to d/2 - 1 its exponent is
    (d - 2) / d, not (d - 1) / d."""
    refused(max_len, d)
    return (max_len / (2 * np.pi)) ** (d / (d - 1))


@mistake("base_for_length", "rounded-up")
def rounded_up(max_len, d):
    """The base is rounded up to a whole number. A base may be any real number, and the smallest one is asked for."""
    return float(np.ceil(right.base_for_length(max_len, d)))


@mistake("base_for_length", "nothing-refused", advice="try base_for_length(6, 8) and base_for_length(100, 2).")
def nothing_refused(max_len, d):
    """Lengths and widths for which no base helps are worked out like any other, or end in another error. They must
    raise ValueError."""
    return (max_len / (2 * np.pi)) ** (d / (d - 2))


@mistake("base_for_length", "short-lengths-accepted")
def short_lengths_accepted(max_len, d):
    """A length of 2 pi or less gives a base of 1 or less, at which the pairs move no slower than the first. It must
    raise ValueError."""
    if d < 4 or d % 2:
        raise ValueError("d must be even and at least 4")
    return (max_len / (2 * np.pi)) ** (d / (d - 2)) if max_len > 0 else 1.0


@mistake("base_for_length", "exactly-two-pi-accepted")
def exactly_two_pi_accepted(max_len, d):
    """A length of exactly 2 pi gives the base 1, at which all pairs move alike and complete their turn. It must raise
    ValueError as well."""
    if max_len == 2 * np.pi and d >= 4 and d % 2 == 0:
        return 1.0
    return right.base_for_length(max_len, d)


@mistake("base_for_length", "odd-widths-accepted")
def odd_widths_accepted(max_len, d):
    """An odd width is accepted. Features are turned in pairs, so d must be even."""
    if d < 4 or max_len <= 2 * np.pi:
        raise ValueError("no base does it")
    return (max_len / (2 * np.pi)) ** (d / (d - 2))


@mistake("base_for_length", "width-of-two-accepted")
def width_of_two_accepted(max_len, d):
    """A width of 2 is accepted. Its only pair is the fastest one, which no base slows down: ValueError."""
    return float("inf") if d == 2 else right.base_for_length(max_len, d)


@mistake("base_for_length", "width-of-two-divides-by-zero", advice="look at d before you divide by d - 2.")
def width_of_two_divides_by_zero(max_len, d):
    """With d = 2 yours divides by 0 before it has looked at d. Its only pair is the fastest one, which no base slows
    down: ValueError."""
    if d < 2 or d % 2 or max_len <= 2 * np.pi:
        raise ValueError("no base does it")
    return (max_len / (2 * np.pi)) ** (d / (d - 2))


@mistake("base_for_length", "width-of-four-refused")
def width_of_four_refused(max_len, d):
    """A width of 4 is refused. Its second pair is slowed down by the base, so 4 is the smallest width that works."""
    if d == 4:
        raise ValueError("no base does it")
    return right.base_for_length(max_len, d)


@mistake("base_for_length", "just-above-two-pi-refused")
def just_above_two_pi_refused(max_len, d):
    """A length a little above 2 pi is refused. 2 pi is about 6.28, and every length beyond it has a base above 1."""
    if max_len < 7:
        raise ValueError("no base does it")
    return right.base_for_length(max_len, d)


@mistake("base_for_length", "type-error")
def type_error_instead(max_len, d):
    """Lengths and widths for which no base helps end in another error than ValueError. The type of the arguments is
    right here; their value is not."""
    if d < 4 or d % 2 or max_len <= 2 * np.pi:
        raise TypeError("no base does it")
    return right.base_for_length(max_len, d)


@mistake("base_for_length", "assertion", source="folklore (assert for arguments)")
def assertion_instead(max_len, d):
    """Lengths and widths for which no base helps end in another error than ValueError. An assert is for what cannot
    happen, and python -O leaves it out."""
    assert d >= 4
    assert d % 2 == 0
    assert max_len > 2 * np.pi
    return right.base_for_length(max_len, d)


@mistake("base_for_length", "rounded")
def base_rounded(max_len, d):
    """The base is rounded. It may be any real number: return it as it is, since below it the slowest pair completes its
    turn."""
    return float(round(right.base_for_length(max_len, d)))


@mistake("base_for_length", "rounded-to-hundredths")
def base_rounded_to_hundredths(max_len, d):
    """The base is rounded. It may be any real number: return it as it is, since below it the slowest pair completes its
    turn."""
    return round(float(right.base_for_length(max_len, d)), 2)


@mistake("base_for_length", "pi-shortened")
def base_pi_shortened(max_len, d):
    """The base is off by about half a thousandth, as with 3.14 for pi. np.pi has all digits."""
    refused(max_len, d)
    return (max_len / 6.28) ** (d / (d - 2))


@mistake("base_for_length", "length-cut")
def base_length_cut(max_len, d):
    """The length is cut to a whole number. It may be real: keep its decimals."""
    refused(max_len, d)
    return (int(max_len) / (2 * np.pi)) ** (d / (d - 2))


@mistake("base_for_length", "last-position")
def base_last_position(max_len, d):
    """Your base is that for max_len - 1. Here max_len is the distance itself: angle = max_len * speed."""
    refused(max_len, d)
    return ((max_len - 1) / (2 * np.pi)) ** (d / (d - 2))


# ---------------------------------------------------------------- base_for_similarity


PRINT_ALL = "print for each candidate whether it holds, with d = 8 and length 100."


def sums(max_len, d, base, exponents=None):
    """Give the sums of cosines at the distances 0 to max_len."""
    exponents = np.arange(0, d, 2) / d if exponents is None else exponents
    return np.cos(np.arange(max_len + 1)[:, None] * float(base) ** -exponents).sum(axis=1)


def smallest(candidates, holds):
    """Give the smallest candidate for which `holds`, or None."""
    return min((float(b) for b in candidates if holds(b)), default=None)


@mistake("base_for_similarity", "last-distance-left-out", advice="range(max_len) and np.arange(max_len) end one early.")
def last_distance_left_out(max_len, d, candidates):
    """The last distance is missing: 0 to max_len are max_len + 1 distances."""
    return smallest(candidates, lambda b: sums(max_len, d, b)[:-1].min() >= 0)


@mistake("base_for_similarity", "last-distance-alone")
def last_distance_alone(max_len, d, candidates):
    """Only the last distance is looked at. The sum goes up and down: it may be negative before max_len and positive
    again there."""
    return smallest(candidates, lambda b: sums(max_len, d, b)[-1] >= 0)


@mistake("base_for_similarity", "sum-over-distances")
def sum_over_distances(max_len, d, candidates):
    """The cosines are added up over distances as well, or averaged, so that the large sums at short distances pay for
    negative ones farther out. Every distance has to hold by itself."""
    return smallest(candidates, lambda b: sums(max_len, d, b).sum() >= 0)


@mistake("base_for_similarity", "one-turn-condition")
def one_turn_condition(max_len, d, candidates):
    """You ask for the smallest candidate at which the slowest pair makes no full turn. That is the other condition, and
    a far weaker one."""
    return smallest(candidates, lambda b: right.turns_within(max_len, d, b)[-1] <= 1)


@mistake(
    "base_for_similarity", "exponent-doubled", source="the outline's lab on RoPE, base ** (-2 * arange(0, d, 2) / d)"
)
def similarity_exponent_doubled(max_len, d, candidates):
    """The exponents are twice what they should be: pair i moves base**(-2 i / d), and np.arange(0, d, 2) holds 2i
    already. Pairs that are too slow make every base look good."""
    return smallest(candidates, lambda b: sums(max_len, d, b, 2 * np.arange(0, d, 2) / d).min() >= 0)


@mistake("base_for_similarity", "one-cosine-for-each-feature")
def one_cosine_for_each_feature(max_len, d, candidates):
    """There are d different speeds in your sum, one for each feature. A head of d features has d/2 pairs, with the
    exponents 0, 2/d, 4/d and so on."""
    return smallest(candidates, lambda b: sums(max_len, d, b, np.arange(d) / d).min() >= 0)


@mistake("base_for_similarity", "counted-from-one")
def similarity_counted_from_one(max_len, d, candidates):
    """The pairs are counted from 1, so the fastest pair is missing and a slower one stands at the end. Pair 0 moves 1
    radian per position and belongs to the sum."""
    return smallest(candidates, lambda b: sums(max_len, d, b, np.arange(2, d + 2, 2) / d).min() >= 0)


@mistake("base_for_similarity", "halving", advice=PRINT_ALL)
def halving(max_len, d, candidates):
    """You search as if every base above one that holds held too: by halving, or down from the largest until one fails.
    That is not so. Some larger bases fail again, and a smaller one may hold: try the candidates one by one."""
    candidates = sorted(float(b) for b in candidates)
    low, high = 0, len(candidates)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if sums(max_len, d, candidates[middle]).min() >= 0 else (middle + 1, high)
    return candidates[low] if low < len(candidates) else None


@mistake("base_for_similarity", "down-from-the-largest", advice=PRINT_ALL)
def down_from_the_largest(max_len, d, candidates):
    """You search as if every base above one that holds held too: by halving, or down from the largest until one fails.
    That is not so. Some larger bases fail again, and a smaller one may hold: try the candidates one by one."""
    found = None
    for base in sorted((float(b) for b in candidates), reverse=True):
        if sums(max_len, d, base).min() < 0:
            break
        found = base
    return found


@mistake("base_for_similarity", "largest-that-holds")
def largest_that_holds(max_len, d, candidates):
    """This is the largest candidate that holds. The smallest one is asked for."""
    return max((float(b) for b in candidates if sums(max_len, d, b).min() >= 0), default=None)


@mistake("base_for_similarity", "first-that-holds")
def first_that_holds(max_len, d, candidates):
    """This is the first candidate that holds in the order in which they were given. They may come in any order, and
    the smallest is asked for."""
    return next((float(b) for b in candidates if sums(max_len, d, b).min() >= 0), None)


@mistake("base_for_similarity", "error-when-none")
def error_when_none(max_len, d, candidates):
    """Where no candidate holds, yours ends in an error. It must return None."""
    return min(float(b) for b in candidates if sums(max_len, d, b).min() >= 0)


@mistake("base_for_similarity", "largest-when-none")
def largest_when_none(max_len, d, candidates):
    """Where no candidate holds, yours gives the largest one all the same, and nobody learns that it fails. It must
    return None."""
    found = right.base_for_similarity(max_len, d, candidates)
    return max(float(b) for b in candidates) if found is None else found


@mistake("base_for_similarity", "infinity-when-none")
def infinity_when_none(max_len, d, candidates):
    """Where no candidate holds, yours gives infinity or another number that is no candidate. It must return None."""
    found = right.base_for_similarity(max_len, d, candidates)
    return float("inf") if found is None else found


@mistake("base_for_similarity", "zero-when-none")
def zero_when_none(max_len, d, candidates):
    """Where no candidate holds, yours gives infinity or another number that is no candidate. It must return None."""
    found = right.base_for_similarity(max_len, d, candidates)
    return 0.0 if found is None else found


@mistake("base_for_similarity", "one-distance-too-many", advice="np.arange(max_len + 1) ends with max_len.")
def one_distance_too_many(max_len, d, candidates):
    """One distance too many is looked at: the last one is max_len."""
    return smallest(candidates, lambda b: sums(max_len + 1, d, b).min() >= 0)


LEFT_OUT = "np.arange(max_len + 1) has all distances; try a candidate that fails at one of them alone."


@mistake("base_for_similarity", "every-second-distance", advice=LEFT_OUT)
def every_second_distance(max_len, d, candidates):
    """Not every distance is looked at: some between 0 and max_len are left out. The sum may be negative at a single
    one, so take them all."""
    return smallest(candidates, lambda b: sums(max_len, d, b)[::2].min() >= 0)


@mistake("base_for_similarity", "every-tenth-distance", advice=LEFT_OUT)
def every_tenth_distance(max_len, d, candidates):
    """Not every distance is looked at: some between 0 and max_len are left out. The sum may be negative at a single
    one, so take them all."""
    return smallest(candidates, lambda b: sums(max_len, d, b)[::10].min() >= 0)


@mistake("base_for_similarity", "spaced-by-the-logarithm", advice=LEFT_OUT)
def spaced_by_the_logarithm(max_len, d, candidates):
    """Not every distance is looked at: some between 0 and max_len are left out. The sum may be negative at a single
    one, so take them all."""
    some = np.unique(np.append(np.geomspace(1, max(max_len, 1), 200).astype(int), 0))
    return smallest(candidates, lambda b: sums(max_len, d, b)[some].min() >= 0)


@mistake("base_for_similarity", "first-half", advice=LEFT_OUT)
def first_half(max_len, d, candidates):
    """Not every distance is looked at: some between 0 and max_len are left out. The sum may be negative at a single
    one, so take them all."""
    return smallest(candidates, lambda b: sums(max_len, d, b)[: max_len // 2 + 1].min() >= 0)


@mistake("base_for_similarity", "last-half", advice=LEFT_OUT)
def last_half(max_len, d, candidates):
    """Not every distance is looked at: some between 0 and max_len are left out. The sum may be negative at a single
    one, so take them all."""
    return smallest(candidates, lambda b: sums(max_len, d, b)[max_len // 2 :].min() >= 0)


@mistake("base_for_similarity", "short-distances-alone", advice=LEFT_OUT)
def short_distances_alone(max_len, d, candidates):
    """Not every distance is looked at: some between 0 and max_len are left out. The sum may be negative at a single
    one, so take them all."""
    return smallest(candidates, lambda b: sums(max_len, d, b)[: 4 * d + 1].min() >= 0)


@mistake("base_for_similarity", "a-grid-of-distances", advice=LEFT_OUT)
def a_grid_of_distances(max_len, d, candidates):
    """The distances are 101 evenly spaced numbers, most of them not whole. Distances between tokens are whole numbers,
    and each from 0 to max_len counts."""
    some = np.linspace(0, max_len, 101)[:, None]
    return smallest(candidates, lambda b: np.cos(some * float(b) ** (-np.arange(0, d, 2) / d)).sum(axis=1).min() >= 0)


@mistake("base_for_similarity", "a-little-below-zero")
def a_little_below_zero(max_len, d, candidates):
    """A sum a little below 0 is let through. The condition is s(m) >= 0, without a margin."""
    return smallest(candidates, lambda b: sums(max_len, d, b).min() >= -0.05)


@mistake("base_for_similarity", "half-below-zero")
def half_below_zero(max_len, d, candidates):
    """A sum a little below 0 is let through. The condition is s(m) >= 0, without a margin."""
    return smallest(candidates, lambda b: sums(max_len, d, b).min() >= -0.5)


@mistake("base_for_similarity", "everything-holds", advice="print for each candidate whether it holds.")
def everything_holds(max_len, d, candidates):
    """Yours gives the smallest candidate of all, as if each of them held: the test never fails. An absolute value, for
    instance, is never below 0."""
    return min(float(b) for b in candidates)


@mistake("base_for_similarity", "test-upside-down")
def test_upside_down(max_len, d, candidates):
    """Yours gives the smallest candidate that fails. The smallest one that holds is asked for: s(m) >= 0."""
    return smallest(candidates, lambda b: sums(max_len, d, b).min() < 0)


@mistake("base_for_similarity", "sines")
def sines(max_len, d, candidates):
    """Sines are added up, and s(m) is a sum of cosines: at distance 0 each of them is 1."""
    angles = np.arange(max_len + 1)[:, None]
    return smallest(candidates, lambda b: np.sin(angles * float(b) ** (-np.arange(0, d, 2) / d)).sum(axis=1).min() >= 0)


@mistake("base_for_similarity", "slowest-pair-alone")
def slowest_pair_alone(max_len, d, candidates):
    """Only the slowest pair's cosine is looked at. s(m) is the sum of the cosines of all pairs, and the fast ones may
    make it negative long before the slow one turns."""
    slowest = -(d - 2) / d
    return smallest(candidates, lambda b: np.cos(np.arange(max_len + 1) * float(b) ** slowest).min() >= 0)


@mistake("base_for_similarity", "each-pair-by-itself")
def each_pair_by_itself(max_len, d, candidates):
    """Each pair's cosine is tested by itself. Their sum is to be at least 0: one pair may be negative if the others
    make up for it."""
    return smallest(candidates, lambda b: cosines(max_len, d, b).min() >= 0)


@mistake("base_for_similarity", "each-slower-pair-by-itself")
def each_slower_pair_by_itself(max_len, d, candidates):
    """Each pair's cosine is tested by itself. Their sum is to be at least 0: one pair may be negative if the others
    make up for it."""
    return smallest(candidates, lambda b: cosines(max_len, d, b)[:, 1:].min() >= 0)


def cosines(max_len, d, base):
    """Give the cosines of all pairs at the distances 0 to max_len."""
    return np.cos(np.arange(max_len + 1)[:, None] * float(base) ** (-np.arange(0, d, 2) / d))


@mistake("base_for_similarity", "wrong-axis", source="folklore (axis=0 for axis=1)")
def wrong_axis(max_len, d, candidates):
    """The cosines are added up over the distances, for each pair by itself. s(m) is a sum over the pairs, one for each
    distance: the other axis."""
    return smallest(candidates, lambda b: cosines(max_len, d, b).sum(axis=0).min() >= 0)


@mistake("base_for_similarity", "turns-for-radians")
def turns_for_radians(max_len, d, candidates):
    """The cosine is taken of turns, as turns_within gives them. np.cos takes radians, 2 pi to a turn: your pairs turn
    about six times too slowly."""
    return smallest(
        candidates,
        lambda b: np.cos(np.arange(max_len + 1)[:, None] * right.turns_within(1, d, b)).sum(axis=1).min() >= 0,
    )


@mistake("base_for_similarity", "place-in-the-list", source="folklore (np.argmax)")
def place_in_the_list(max_len, d, candidates):
    """This is the place of the candidate among the others. The base itself is asked for."""
    found = right.base_for_similarity(max_len, d, candidates)
    return None if found is None else [float(b) for b in candidates].index(float(found))


@mistake("base_for_similarity", "whole-candidates")
def whole_candidates(max_len, d, candidates):
    """The candidates are cut to whole numbers. A base may be real: return it as it was given."""
    return right.base_for_similarity(max_len, d, [float(int(b)) for b in candidates])


@mistake("base_for_similarity", "all-that-hold")
def all_that_hold(max_len, d, candidates):
    """All candidates that hold come back. The smallest of them is asked for, one number."""
    return np.array(sorted(float(b) for b in candidates if sums(max_len, d, b).min() >= 0)) if len(candidates) else None


@mistake("base_for_similarity", "candidates-sorted-in-place", advice="sorted(candidates) gives a new list.")
def candidates_sorted_in_place(max_len, d, candidates):
    """The caller's own candidates are changed, in their order or number: .sort(), for instance, works in place. Work on
    a copy."""
    if hasattr(candidates, "sort"):
        candidates.sort()
    return first_that_holds(max_len, d, candidates)


# ---------------------------------------------------------------- pick_best


def means_of(results, middle=np.mean):
    """Give the mean loss, or another middle, of each name."""
    return {name: float(middle(losses)) for name, (_, losses) in results.items()}


def cheapest(results, names):
    """Give the cheapest of some names."""
    return min(names, key=lambda name: results[name][0])


def within(results, tie_tolerance, middle=np.mean):
    """Choose as asked, with another middle than the mean."""
    means = means_of(results, middle)
    return cheapest(results, [n for n in means if means[n] <= min(means.values()) + tie_tolerance])


@mistake("pick_best", "smallest-loss")
def smallest_loss(results, tie_tolerance):
    """This is the name with the smallest mean loss, whatever it costs. Those that are within the tolerance count as
    equally good, and the cheapest of them is asked for."""
    means = means_of(results)
    return min(means, key=means.get)


@mistake("pick_best", "cheapest-of-all")
def cheapest_of_all(results, tie_tolerance):
    """This is the cheapest name of all. It may lose far more than the best one: only those within the tolerance may be
    chosen."""
    return cheapest(results, list(results))


@mistake("pick_best", "luckiest-seed")
def luckiest_seed(results, tie_tolerance):
    """Each name is judged by its luckiest seed. Then the one that was tried most often, or that scatters most, wins;
    use the mean over the seeds."""
    return within(results, tie_tolerance, np.min)


@mistake("pick_best", "median")
def median(results, tie_tolerance):
    """Each name is judged by its median. The mean over the seeds is asked for; one bad seed counts."""
    return within(results, tie_tolerance, np.median)


@mistake("pick_best", "first-seed")
def first_seed(results, tie_tolerance):
    """Only the first seed of each name is looked at. Use the mean over all of them."""
    return within(results, tie_tolerance, lambda losses: losses[0])


@mistake("pick_best", "sum-of-losses")
def sum_of_losses(results, tie_tolerance):
    """The losses of the seeds are added up and not divided by how many there are. A name with more seeds then looks
    worse."""
    return within(results, tie_tolerance, np.sum)


@mistake("pick_best", "tolerance-as-a-share")
def tolerance_as_a_share(results, tie_tolerance):
    """The tolerance is taken as a share of the best loss, best * (1 + tolerance). It is a difference in nats: best +
    tolerance."""
    means = means_of(results)
    return cheapest(results, [n for n in means if means[n] <= min(means.values()) * (1 + tie_tolerance)])


@mistake("pick_best", "limit-left-out")
def limit_left_out(results, tie_tolerance):
    """A mean that is exactly the tolerance away is left out, and with a tolerance of 0 the best one itself may be. Use
    <=."""
    means = means_of(results)
    near = [n for n in means if means[n] < min(means.values()) + tie_tolerance]
    return cheapest(results, near or [min(means, key=means.get)])


@mistake("pick_best", "chain-of-ties")
def chain_of_ties(results, tie_tolerance):
    """Your choice steps from one near tie to the next and drifts away from the best. The tolerance is counted from the
    best mean alone, not from another one."""
    means = means_of(results)
    chosen = min(means, key=means.get)
    for name in sorted(means, key=means.get):
        if means[name] <= means[chosen] + tie_tolerance and results[name][0] < results[chosen][0]:
            chosen = name
    return chosen


@mistake("pick_best", "first-within")
def first_within(results, tie_tolerance):
    """This is the first name within the tolerance in the order of the entries. The cheapest of them is asked for,
    wherever it stands."""
    means = means_of(results)
    return next(n for n in means if means[n] <= min(means.values()) + tie_tolerance)


@mistake("pick_best", "dearest-within")
def dearest_within(results, tie_tolerance):
    """Of those within the tolerance you take the one that costs most. The cheapest is asked for."""
    means = means_of(results)
    near = [n for n in means if means[n] <= min(means.values()) + tie_tolerance]
    return max(near, key=lambda name: results[name][0])


def under(results, limit, middle=np.mean):
    """Give the cheapest of those whose mean is at most `limit(means, tolerance)`."""
    means = means_of(results, middle)
    return cheapest(results, [n for n in means if means[n] <= limit(means)])


@mistake("pick_best", "last-within")
def last_within(results, tie_tolerance):
    """This is the last name within the tolerance in the order of the entries. The cheapest of them is asked for,
    wherever it stands."""
    means = means_of(results)
    return [n for n in means if means[n] <= min(means.values()) + tie_tolerance][-1]


@mistake("pick_best", "half-the-tolerance")
def half_the_tolerance(results, tie_tolerance):
    """The tolerance that counts is half of what was given. A mean may be larger than the smallest by all of it."""
    return under(results, lambda means: min(means.values()) + tie_tolerance / 2)


@mistake("pick_best", "twice-the-tolerance")
def twice_the_tolerance(results, tie_tolerance):
    """The tolerance that counts is twice what was given."""
    return under(results, lambda means: min(means.values()) + 2 * tie_tolerance)


@mistake("pick_best", "from-the-mean-of-all")
def from_the_mean_of_all(results, tie_tolerance):
    """The tolerance is counted from the mean of all means. It is counted from the smallest one: else one bad setting
    would make the others good enough."""
    return under(results, lambda means: np.mean(list(means.values())) + tie_tolerance)


@mistake("pick_best", "divided-by-one-less", source="folklore (ddof=1, which belongs to the variance)")
def divided_by_one_less(results, tie_tolerance):
    """The losses of the seeds are divided by one less than their number. That belongs to the variance; a mean is
    divided by how many there are."""
    return within(results, tie_tolerance, lambda losses: np.sum(losses) / max(len(losses) - 1, 1))


@mistake("pick_best", "last-seed")
def last_seed(results, tie_tolerance):
    """Only the last seed of each name is looked at. Use the mean over all of them."""
    return within(results, tie_tolerance, lambda losses: losses[-1])


@mistake("pick_best", "unluckiest-seed")
def unluckiest_seed(results, tie_tolerance):
    """Each name is judged by its unluckiest seed. Use the mean over the seeds."""
    return within(results, tie_tolerance, np.max)


@mistake("pick_best", "seeds-cut-to-the-fewest", source="folklore (zip ends with the shortest)")
def seeds_cut_to_the_fewest(results, tie_tolerance):
    """All names are judged by as many seeds as the one with the fewest has, as zip does it. Each mean goes over all
    seeds of its name."""
    fewest = min(len(losses) for _, losses in results.values())
    return within(results, tie_tolerance, lambda losses: np.mean(losses[:fewest]))


@mistake("pick_best", "best-and-worst-left-out")
def best_and_worst_left_out(results, tie_tolerance):
    """The best and the worst seed are left out of the mean. All of them count here."""
    return within(results, tie_tolerance, lambda a: np.mean(np.sort(a)[1:-1]) if len(a) > 2 else np.mean(a))


@mistake("pick_best", "geometric-mean")
def geometric_mean(results, tie_tolerance):
    """The losses are multiplied or their logarithms averaged: a geometric mean, which lies lower the more the seeds
    scatter. The plain mean is asked for."""
    return within(results, tie_tolerance, lambda losses: np.exp(np.mean(np.log(losses))))


@mistake("pick_best", "cost-plus-loss")
def cost_plus_loss(results, tie_tolerance):
    """Cost and loss are added up. They have different units: first the tolerance says whose loss is good enough, and
    then the cost alone decides."""
    means = means_of(results)
    return min(means, key=lambda n: results[n][0] + means[n])


@mistake("pick_best", "cost-and-losses-exchanged")
def cost_and_losses_exchanged(results, tie_tolerance):
    """Cost and losses are exchanged: the tolerance is applied to the costs, and the smallest loss decides. Each entry
    is (cost, losses), in this order."""
    least = min(cost for cost, _ in results.values())
    near = [n for n in results if results[n][0] <= least + tie_tolerance]
    return min(near, key=lambda n: np.mean(results[n][1]))


@mistake("pick_best", "first-cheaper")
def first_cheaper(results, tie_tolerance):
    """The search ends with the first name within the tolerance that is cheaper than the best one. A later one may be
    cheaper still: look at all of them."""
    means = means_of(results)
    best = min(means, key=means.get)
    near = [n for n in sorted(means, key=means.get) if means[n] <= means[best] + tie_tolerance]
    return next((n for n in near if results[n][0] < results[best][0]), best)


@mistake("pick_best", "means-rounded")
def means_rounded(results, tie_tolerance):
    """The means are rounded before they are compared, and small differences are lost. Round when you print."""
    return within(results, tie_tolerance, lambda losses: round(float(np.mean(losses)), 2))


@mistake("pick_best", "whole-costs")
def whole_costs(results, tie_tolerance):
    """The costs are cut to whole numbers, so 1.9 and 1.2 count as equal. A cost may be any number."""
    means = means_of(results)
    near = [n for n in means if means[n] <= min(means.values()) + tie_tolerance]
    return min(near, key=lambda n: int(results[n][0]))


@mistake("pick_best", "nothing-is-free", source="folklore (0 taken for missing)")
def nothing_is_free(results, tie_tolerance):
    """A cost of 0 is passed over, as if it were missing. Settings that cost nothing are the cheapest of all."""
    means = means_of(results)
    near = [n for n in means if means[n] <= min(means.values()) + tie_tolerance]
    return min(near, key=lambda n: results[n][0] or np.inf)


@mistake("pick_best", "losses-sorted-in-place")
def losses_sorted_in_place(results, tie_tolerance):
    """The caller's results are changed: something in them is sorted, replaced or taken out. Work on copies."""
    chosen = right.pick_best(results, tie_tolerance)
    for name, (cost, losses) in list(results.items()):
        results[name] = (cost, sorted(losses))
    return chosen


@mistake("pick_best", "entries-taken-out")
def entries_taken_out(results, tie_tolerance):
    """The caller's results are changed: something in them is sorted, replaced or taken out. Work on copies."""
    chosen = right.pick_best(results, tie_tolerance)
    for name in list(results):
        if name != chosen:
            del results[name]
    return chosen

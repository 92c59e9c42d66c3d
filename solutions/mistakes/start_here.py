"""Wrong answers of 00_start_here."""

from __future__ import annotations

import numpy as np

from labsupport.checking.bank import mistake


def squared(x):
    """The number is multiplied by itself. That is its square; the double is the number taken two times. For 2 both
    give 4, so a test with 2 alone would not have noticed."""
    return x**2


def two_added(x):
    """2 is added to the number. Doubling multiplies by 2; for the number 2 both give 4."""
    return x + 2


def of_arrays(wrong):
    """Give the same mistake to somebody who has thought of lists."""

    def wrong_array(x):
        return wrong(np.asarray(x))

    wrong_array.__doc__ = wrong.__doc__
    return wrong_array


mistake("first_check", "squared")(squared)
mistake("first_check", "squared-array")(of_arrays(squared))
mistake("first_check", "two-added")(two_added)
mistake("first_check", "two-added-array")(of_arrays(two_added))


@mistake("first_check", "list-repeated", source="Python itself")
def list_repeated(x):
    """Numbers and arrays are right. Python reads 2 * [1, 2] as "this list twice", so a list comes back longer and not
    doubled. np.asarray(x) makes an array of a list first."""
    return 2 * x


@mistake("first_check", "changes-its-input")
def changes_its_input(x):
    """The doubled numbers are right, but they were written into the array that was handed in. Whoever called the
    function still needs the old ones."""
    x = np.asarray(x)
    x *= 2
    return x

"""When two results count as the same wrong answer, and how a value is described where it is too long to write out."""

import numpy as np
import pytest

from labsupport.checking.fingerprint import alike, fingerprint
from labsupport.checking.values import describe


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (np.array([1.0, 2.0]), np.array([1.0, 2.0 + 1e-9]), True),
        (np.array([1.0, 2.0]), np.array([1.0, 2.001]), False),
        (np.float32([1.0, 2.0]), np.array([1.0, 2.0001]), True),
        (np.array(1_000_000), np.array(1_000_000), True),
        (np.array(1_000_000), np.array(1_000_001), False),
        (np.array([[1, 2], [3, 4]]), np.array([1, 2, 3, 4]), False),
    ],
)
def test_real_numbers_are_the_same_up_to_rounding_and_whole_numbers_when_they_are_equal(a, b, same):
    assert alike(fingerprint(a), fingerprint(b), exact_type=False) is same


def test_a_dict_is_described_by_its_keys_where_these_are_short_names():
    assert describe({"k": np.zeros((2, 3))}) == "a dict with k of shape (2, 3)"
    assert describe({b"\x00" * 80: 1, "v": 2}) == "a dict of 2"

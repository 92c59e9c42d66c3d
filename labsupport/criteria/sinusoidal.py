"""02_sinusoidal: rows of sines and cosines, their wavelengths, how they shift and how alike they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from labsupport.checking import criterion, differ, exercise, expect, notebook, refuses, value, written

Answer = Callable[..., np.ndarray]
Generator = np.random.Generator

notebook("02_sinusoidal", minutes=75)
exercise("wavelengths", notebook="02_sinusoidal", minutes=5)
value("longest_wavelength", notebook="02_sinusoidal", points=1, atol=1.0, minutes=3)
exercise("sinusoidal_encoding", notebook="02_sinusoidal", minutes=14)
value("self_similarity", notebook="02_sinusoidal", points=1, atol=0.001, minutes=3)
exercise("position_kernel", notebook="02_sinusoidal", minutes=8)
exercise("shift_matrix", notebook="02_sinusoidal", minutes=11)
written("why_defined_is_not_trained", notebook="02_sinusoidal", points=2, minutes=6)


@criterion(
    "wavelengths", points=1, says="2 pi times base**(2 i / d), one for every pair, any width, any base",
    advice="count first: how many pairs are there? Then print wavelengths(4); it must be 6.2832 and 628.3185.",
)  # fmt: skip
def turns(f: Answer, ref: Answer, rng: Generator) -> None:
    """The worked example, a base of its own, odd widths (the last sine counts as a pair), a wide table."""
    expect(f(4), ref(4))
    expect(f(6, base=50), ref(6, base=50))
    expect(f(6, base=700), ref(6, base=700))
    expect(f(5, 100), ref(5, 100))
    expect(f(1), ref(1))
    width, base = 2 * int(rng.integers(10, 40)), float(rng.uniform(2000, 90000))
    expect(f(width, base), ref(width, base))


@criterion(
    "sinusoidal_encoding", points=1, says="the worked example comes out",
    advice="print sinusoidal_encoding(2, 4): row 0 must be 0, 1, 0, 1 and row 1 about 0.8415, 0.5403, 0.0100, 1.0000.",
)  # fmt: skip
def worked_example(f: Answer, ref: Answer, rng: Generator) -> None:
    """Two rows of four features: order, exponent, first position and the default base show here."""
    expect(f(2, 4), ref(2, 4))


@criterion(
    "sinusoidal_encoding", points=1, says="every width, odd ones too, and every base",
    advice="write down row 1 for d_model = 3 and base = 100 by hand: a sine, a cosine, a sine. Compare it with yours.",
)  # fmt: skip
def widths_and_bases(f: Answer, ref: Answer, rng: Generator) -> None:
    """Always with a base; the same shape with two bases, one column, more columns than rows and the other way round."""
    expect(f(3, 5, base=100), ref(3, 5, base=100))
    expect(f(3, 5, 20), ref(3, 5, 20))
    expect(f(4, 1, base=100), ref(4, 1, base=100))
    rows, width, base = int(rng.integers(15, 30)), 2 * int(rng.integers(4, 7)), float(rng.uniform(200, 5000))
    expect(f(rows, width, base=base), ref(rows, width, base=base))
    expect(f(rows, width + 1, base=base), ref(rows, width + 1, base=base))


@criterion(
    "sinusoidal_encoding", points=1, says="far rows are right, and rows compare by their distance alone",
    advice="print the shape of sinusoidal_encoding(5003, 4), then compare its last row with the formula, by hand.",
)  # fmt: skip
def far_rows(f: Answer, ref: Answer, rng: Generator) -> None:
    """Rows beyond any ready-made table; then the dot product of two rows, here and far away."""
    base = float(rng.uniform(250, 400))
    table = f(5003, 4, base=base)  # tables of 512, 1024 and 5000 rows are made ready in published code
    expect(table, ref(5003, 4, base=base))
    here, far = int(rng.integers(0, 50)), int(rng.integers(4100, 4900))
    near = table[here] @ table[here + 7]
    expect(table[far] @ table[far + 7], near, what=f"the dot product of rows {far} and {far + 7}")
    differ(table[far] @ table[far + 7], table[far] @ table[far + 25], "two rows are equally alike at every distance")


@criterion(
    "sinusoidal_encoding", points=1, says="the contract: no rows give an empty table, impossible sizes are refused",
    contract=True, advice="look at both sizes before you compute: 0 rows are possible, -1 rows and 0 columns are not.",
)  # fmt: skip
def contract(f: Answer, ref: Answer, rng: Generator) -> None:
    """An empty table keeps its width; a negative length and a width below one are errors."""
    expect(f(0, 6), ref(0, 6))
    expect(f(0, 3, 50), ref(0, 3, 50))
    refuses(ValueError, f, -1, 4)
    refuses(ValueError, f, 3, 0)
    refuses(ValueError, f, 3, -2)


@criterion(
    "position_kernel", points=1, says="it is the dot product of two rows, offset by offset",
    advice="print position_kernel(np.array([0, 1]), 4); it must be 2 and 1.5403. Then compare with your own table.",
)  # fmt: skip
def equals_dot_products(f: Answer, ref: Answer, rng: Generator) -> None:
    """Whole offsets: by hand, in no order and of both signs, from the rows of a right table, with a base."""
    expect(f(np.array([0, 1]), 4), ref(np.array([0, 1]), 4))
    offsets = np.array([7, -3, 0, 40, 1])
    expect(f(offsets, 10), ref(offsets, 10))
    expect(f(offsets, 10, 77), ref(offsets, 10, 77))
    table = ref.sinusoidal_encoding(40, 8, base=200)
    start, steps = int(rng.integers(0, 10)), rng.integers(1, 30, size=4)
    expect(f(steps, 8, base=200), table[start + steps] @ table[start])


@criterion(
    "position_kernel", points=1, contract=True,
    says="the contract: real, far and negative offsets, lists too; offsets unchanged, odd widths refused",
    advice="make offsets an array of floats first, look at d_model next, and use the formula, not a table.",
)  # fmt: skip
def even_and_real(f: Answer, ref: Answer, rng: Generator) -> None:
    """Offsets that no table has, both signs, a list, and what is refused."""
    offsets = np.array([2.5, -0.25, 1900.0])
    expect(f(offsets, 6), ref(offsets, 6))
    offsets = rng.uniform(0.5, 400, size=5)
    ahead = f(offsets, 12)
    expect(f(-offsets, 12), ahead, what="the kernel at the negative offsets")
    differ(ahead[:-1], ahead[1:], "the kernel is the same at every offset")
    refuses(ValueError, f, np.array([1, 2]), 3)
    refuses(ValueError, f, np.array([0.5]), 1)
    expect(f([3, -8], 4), ref([3, -8], 4))


@criterion(
    "shift_matrix", points=1, says="it moves every row of the table by k positions",
    advice="print shift_matrix(1, 2) @ [0, 1]: row 0 of width 2, moved by one position. It must be (sin 1, cos 1).",
)  # fmt: skip
def moves_rows(f: Answer, ref: Answer, rng: Generator) -> None:
    """One pair by hand, then the rows of a right table, all of them with one matrix."""
    expect(f(1, 2), ref(1, 2))
    k = int(rng.integers(2, 9))
    table = ref.sinusoidal_encoding(30, 8)
    expect(table[:20] @ np.transpose(f(k, 8)), table[k : 20 + k], what=f"rows 0 to 19, moved by {k}")


@criterion(
    "shift_matrix", points=1, says="shifts add up, the shift by -k undoes the shift by k, and lengths stay",
    advice="print shift_matrix(0, 4) and shift_matrix(2, 4) @ shift_matrix(-2, 4); both must be the identity.",
)  # fmt: skip
def shifts_add_up(f: Answer, ref: Answer, rng: Generator) -> None:
    """Properties of a rotation; every comparison is of the answer with itself, at whole shifts."""
    k, m = int(rng.integers(1, 30)), int(rng.integers(31, 300))
    one, other = f(k, 6), f(m, 6)
    expect(f(0, 6), np.eye(6))
    expect(one @ np.transpose(one), np.eye(6), what=f"M M^T for k = {k}")
    expect(one @ other, f(k + m, 6), what=f"the shift by {k} after the shift by {m}")
    expect(f(-k, 6), np.transpose(one), what=f"the shift by {-k}")
    differ(one, other, "the matrix does not depend on k")


@criterion(
    "shift_matrix", points=1, says="pair i turns by k * base**(-2 i / d), for any base and any real k",
    advice="print the diagonal of shift_matrix(0.5, 4, base=100): it must be cos 0.5 twice, then cos 0.05 twice.",
)  # fmt: skip
def any_angle(f: Answer, ref: Answer, rng: Generator) -> None:
    """Cosines (M + M^T) and sizes of sines (M - M^T), so that the direction of the turn is not charged twice."""
    k, base = float(rng.uniform(1, 300)), float(rng.uniform(20, 900))
    for shift, width, b in ((0.5, 4, 100), (0.5, 4, 10000), (k, 10, base)):
        mine, right = np.asarray(f(shift, width, b)), ref(shift, width, b)
        expect(mine + mine.T, right + right.T, what="M + M^T, in which the sines cancel")
        expect(np.abs(mine - mine.T), np.abs(right - right.T), what="the sizes in M - M^T, in which the cosines cancel")

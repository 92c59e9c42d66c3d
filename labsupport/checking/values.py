"""The values that pass between an answer and its criteria: checked, copied, compared by bytes, described in words.

They are None, bool, int, float, str, arrays, and lists, tuples and dicts of them.
"""

from __future__ import annotations

import copy
import types
from typing import Any

import numpy as np

MOST_NUMBERS = 2_000_000
"""An array beyond this is refused as a runaway result; the largest right answer has about a hundred thousand."""

_FOREIGN = {"torch": "tensor.numpy()", "jax": "np.asarray(array)", "jaxlib": "np.asarray(array)",
            "tensorflow": "tensor.numpy()", "cupy": "cupy.asnumpy(array)"}  # fmt: skip


class Unusable(Exception):
    """A value that no criterion can use; its text continues the words "your function returned"."""


def plain(value: Any, returns: str = "array") -> Any:
    """Give back `value` as the criteria know it, or raise `Unusable` with what it is instead."""
    foreign = type(value).__module__.split(".")[0]
    if foreign in _FOREIGN:
        name = type(value).__name__
        raise Unusable(f"a {foreign} {name}; this course works with NumPy arrays: return {_FOREIGN[foreign]}")
    if isinstance(value, types.GeneratorType):
        raise Unusable("a generator, not values; wrap it in list(...) or np.array(list(...))")
    if value is Ellipsis:
        raise Unusable("..., which stands for an answer not written yet")
    if isinstance(value, (bool, int, float, str, type(None))):
        return value
    if isinstance(value, np.ma.MaskedArray) and np.ma.getmaskarray(value).any():
        raise Unusable(
            "a masked array, and masked places have no value; give every place one, for example with filled(...)"
        )
    if isinstance(value, (np.ndarray, np.generic)):
        return _plain_array(np.asarray(value))
    if isinstance(value, (list, tuple)) and returns == "array":
        return _plain_array(_as_array(value))
    if isinstance(value, (list, tuple)):
        return type(value)([plain(v, returns) for v in value]) if type(value) in (list, tuple) else tuple(value)
    if isinstance(value, dict):
        return {str(k): plain(v, returns) for k, v in value.items()}
    if isinstance(value, complex):
        raise Unusable("a complex number; take its real and imaginary parts apart")
    raise Unusable(f"a {type(value).__name__}, not a NumPy array or a number")


def _as_array(value: list | tuple) -> np.ndarray:
    try:
        return np.asarray(value)
    except ValueError:
        raise Unusable(f"a {type(value).__name__} whose rows have different lengths, so it is no array") from None


def _plain_array(array: np.ndarray) -> np.ndarray:
    if array.size > MOST_NUMBERS:
        raise Unusable(f"an array of shape {array.shape}, {array.size:,} numbers: far more than any answer here needs")
    if np.iscomplexobj(array):
        raise Unusable("complex numbers; take their real and imaginary parts apart and put them in their places")
    if array.dtype.kind not in "biuf":
        raise Unusable(f"an array of {array.dtype} ({_why_object(array)}), not of numbers")
    return np.array(array)


def _why_object(array: np.ndarray) -> str:
    return "rows of different lengths, or None among the numbers" if array.dtype == object else "no numbers"


def duplicate(value: Any) -> Any:
    """Copy deeply what an answer is given, so that it cannot change the criterion's own; functions stay themselves."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (list, tuple)):
        return type(value)(duplicate(v) for v in value)
    if isinstance(value, dict):
        return {k: duplicate(v) for k, v in value.items()}
    if isinstance(value, np.random.Generator):
        return copy.deepcopy(value)
    return value


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal to the last bit, NaN being equal to NaN."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a), np.asarray(b)
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, np.random.Generator) and isinstance(b, np.random.Generator):
        return a.bit_generator.state == b.bit_generator.state
    return a is b or a == b or (isinstance(a, float) and a != a and b != b)


def number(x: float, digits: int = 5) -> str:
    """Write one number with `digits` decimals; whole numbers and booleans as they are, very small ones with a power."""
    if isinstance(x, (bool, np.bool_)):
        return str(bool(x))
    if isinstance(x, (int, np.integer)) or (np.isfinite(x) and abs(x) < 1e6 and x == int(x)):
        return short(int(x))
    tiny = 0 < abs(x) < 10.0 ** (1 - digits) or abs(x) >= 1e6
    return f"{x:.{digits - 1}e}" if tiny else f"{x:.{digits}f}"


def short(value: Any) -> str | None:
    """Write a small value in full, as one would type it; None when it is too large for that."""
    if isinstance(value, np.ndarray):
        return short(value.tolist()) if value.size <= 8 and value.ndim <= 1 else None
    if isinstance(value, (list, tuple)):
        return _short_sequence(value)
    if isinstance(value, (bool, str, type(None), np.bool_)):
        return repr(value.item() if isinstance(value, np.generic) else value)
    if isinstance(value, (int, np.integer)):
        return str(value) if abs(int(value)) < 10**30 else "a whole number of more than 30 digits"
    if isinstance(value, (float, np.floating)):
        return f"{value:.1f}" if np.isfinite(value) and value == int(value) and abs(value) < 1e6 else f"{value:.6g}"
    if isinstance(value, dict):
        return "{}" if not value else None
    return None


def _short_sequence(value: list | tuple) -> str | None:
    parts = [short(v) for v in value] if len(value) <= 8 else [None]
    if None in parts or any(isinstance(v, (list, tuple, dict)) for v in value):
        return None
    text = ", ".join(parts)
    return f"[{text}]" if isinstance(value, list) else f"({text})"


def _entry(value: Any) -> str:
    try:
        return f"of shape {np.shape(value)}"
    except ValueError:  # (a number beside a list, for example)
        return f"(a {type(value).__name__} of {len(value)})"


def describe(value: Any) -> str:
    """Say what a value is when it is too large to write out."""
    if callable(value):
        return "a function"
    if isinstance(value, np.random.Generator):
        return "a random generator"
    if isinstance(value, dict):
        if len(value) > 4 or any(not isinstance(k, str) or len(k) > 12 for k in value):
            return f"a dict of {len(value)}"
        return "a dict with " + ", ".join(f"{k} {_entry(v)}" for k, v in value.items())
    if isinstance(value, (list, tuple)) and np.asarray(value, dtype=object).ndim == 1:
        return f"a {type(value).__name__} of {len(value)}"
    dtype = f", {value.dtype}" if isinstance(value, np.ndarray) and value.dtype != float else ""
    return f"of shape {np.shape(value)}{dtype}"

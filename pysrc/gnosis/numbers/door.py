"""Arrays and numbers of other packages, where they come in: as numpy's, or as the exact numbers that they are.

None of these packages is imported here, but for `as_mpf`: an object says by its class which one it is of.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ..errors import DtypeError, NonFiniteError, RangeError

KNOWN = (np.ndarray, np.generic, int, float, complex, Fraction, str, bytes, list, tuple, set, dict, type(None))


def package(value: Any) -> str:
    """The package of an object's class, or of the first base of it that comes from one known here; "" for others."""
    for base in type(value).__mro__:
        root = str(base.__module__).partition(".")[0]
        if root in ("torch", "jax", "jaxlib", "pandas", "polars", "mpmath"):
            return "jax" if root == "jaxlib" else root
    return ""


def array(value: Any, name: str) -> Any:
    """An array of torch (any device, bfloat16, with gradients), jax, pandas, polars, or with `__dlpack__`, as a numpy array; anything else as it came.

    No number changes: bfloat16 is widened to float32.  A missing entry of pandas or polars is none: NonFiniteError naming it.  DtypeError for
    tensors that hold no plain numbers.
    """
    if isinstance(value, np.ndarray) and value.dtype.name == "bfloat16":
        return value.astype(np.float32)
    if isinstance(value, KNOWN):
        return value
    origin = package(value)
    if origin == "torch":
        return _torch(value, name)
    if origin == "jax":
        return array(np.asarray(value), name)
    if origin in ("pandas", "polars") and hasattr(value, "to_numpy"):
        return _column(value, name)
    if not origin and hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        try:
            return array(np.from_dlpack(value), name)
        except (BufferError, RuntimeError, TypeError, ValueError) as error:
            raise DtypeError(name, type(value).__name__, f"gives no array that numpy can take: {error}") from None
    return value


def _torch(value: Any, name: str) -> Any:
    if not hasattr(value, "detach"):
        return value
    kind = str(value.dtype).removeprefix("torch.")
    if str(value.device) == "meta" or getattr(value, "is_sparse", False) or getattr(value, "is_quantized", False):
        raise DtypeError(name, kind, "a tensor on the device meta, sparse or quantized, which holds no plain numbers")
    found = value.detach().cpu()
    return (found.float() if kind == "bfloat16" else found).resolve_conj().resolve_neg().numpy()


def _column(value: Any, name: str) -> np.ndarray:
    missing = value.isna() if hasattr(value, "isna") else value.is_null() if hasattr(value, "is_null") else value.select(_null_flags(value))
    absent = np.asarray(missing.to_numpy() if hasattr(missing, "to_numpy") else missing, bool)
    found = np.asarray(value.to_numpy())
    if absent.any():
        where = tuple(int(i) for i in np.argwhere(absent)[0])
        raise NonFiniteError(name, float("nan"), where if len(where) > 1 else where[0])
    return found


def _null_flags(frame: Any) -> list[Any]:
    return [frame[column].is_null() for column in frame.columns]


def dyadic(value: Any, name: str, index: int | tuple[int, ...] | None = None) -> Fraction | None:
    """The exact value of an `mpf` of mpmath, whatever the working precision is; None for anything else, constants like mpmath.pi included.

    NonFiniteError for an infinity or a nan, RangeError for an exponent beyond 2^16.
    Promises: tested `tests/test_door.py::test_an_mpf_is_the_dyadic_that_it_is`.
    """
    if type(value).__name__ != "mpf" or package(value) != "mpmath":
        return None
    sign, significand, exponent, _ = value._mpf_
    if not significand and exponent:
        raise NonFiniteError(name, float(value), index)
    if abs(int(exponent)) > 1 << 16:
        raise RangeError(name, float(value), "an exponent beyond 65536", index)
    whole = -int(significand) if sign else int(significand)
    return Fraction(whole << int(exponent)) if exponent >= 0 else Fraction(whole, 1 << -int(exponent))


def as_mpf(exact: Fraction, digits: int = 60) -> Any:
    """The nearest `mpf` of so many decimal digits to an exact number, such as the margin of a verdict.  ImportError without mpmath.

    Promises: tested `tests/test_door.py::test_an_mpf_is_the_dyadic_that_it_is`.
    """
    import mpmath

    with mpmath.workdps(digits):
        return mpmath.mpf(exact.numerator) / exact.denominator

"""Checks of what is handed to the kernels: type, shape, memory, overlap."""

from __future__ import annotations

from typing import Any

import numpy as np

from gnosis.errors import DtypeError, LengthError, RangeError
from gnosis.numbers.exact import is_integer, plain


def _array(name: str, value: Any) -> np.ndarray:
    if isinstance(value, np.ndarray):
        return plain(value, name)
    try:
        return np.asarray(memoryview(value))
    except TypeError:
        raise DtypeError(name, value, "not an array and no buffer of numbers") from None


def whole(name: str, value: Any, least: int, most: int) -> int:
    """`value` as an int; numpy's integers will do, True and 3.0 will not.  DtypeError, RangeError."""
    if not is_integer(value):
        raise DtypeError(name, value, "must be a whole number")
    if not least <= value <= most:
        raise RangeError(name, value, f"must lie between {least} and {most}")
    return int(value)


def _check(name: str, array: np.ndarray, dtype: type, shape: tuple[int | None, ...]) -> None:
    if array.dtype != np.dtype(dtype) or not array.dtype.isnative:
        raise DtypeError(name, str(array.dtype), f"the kernel takes {np.dtype(dtype)} in native byte order; nothing is converted silently")
    if array.ndim != len(shape) or any(want is not None and have != want for have, want in zip(array.shape, shape)):
        wanted = ", ".join("n" if want is None else str(want) for want in shape)
        raise LengthError(name, array.shape, f"the shape must be ({wanted}{',' if len(shape) == 1 else ''})")


def given(name: str, value: Any, dtype: type | tuple[type, ...], shape: tuple[int | None, ...]) -> np.ndarray:
    """`value` as a C-contiguous aligned array; the same memory when it already is one.

    dtype: the type, or several of which any will do.  shape: None where any length will do.  DtypeError, LengthError otherwise.
    """
    array = _array(name, value)
    if isinstance(dtype, tuple):
        if array.dtype not in dtype:
            *others, last = (str(np.dtype(one)) for one in dtype)
            raise DtypeError(name, str(array.dtype), f"the kernel takes {', '.join(others)} or {last}; nothing is converted silently")
        dtype = array.dtype.type
    _check(name, array, dtype, shape)
    if array.flags.c_contiguous and array.flags.aligned:
        return array
    return np.array(array, order="C", copy=True)


def result(out: Any, dtype: type, shape: tuple[int, ...], inputs: tuple[np.ndarray, ...], in_place: bool = False) -> np.ndarray:
    """A new array, or `out` itself when the result can be written there.

    `out` must have the type and the shape, be contiguous and writable, and share no
    memory with an input; in_place allows it to be exactly the memory of one.
    """
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise DtypeError("out", out, "must be a numpy array")
    plain(out, "out")
    _check("out", out, dtype, shape)
    if not (out.flags.c_contiguous and out.flags.aligned and out.flags.writeable):
        raise LengthError("out", out.shape, "must be C-contiguous, aligned and writable")
    for array in inputs:
        same = in_place and array.ctypes.data == out.ctypes.data and array.nbytes == out.nbytes
        if not same and np.may_share_memory(array, out):
            raise LengthError("out", out.shape, "shares memory with an input")
    return out

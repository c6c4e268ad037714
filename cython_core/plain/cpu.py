"""What `gnosis.core.cpu` is without compiled kernels: one instruction set, and the floating-point environment that numpy uses."""

from __future__ import annotations

from typing import Any

import numpy as np

from gnosis.errors import FloatEnvironmentError, RangeError

_NAMES = ("plain",)


def isa() -> str:
    """The instruction set in use: always "plain"."""
    return "plain"


def available() -> tuple[str, ...]:
    """Every instruction set that can be used: only "plain"."""
    return _NAMES


def force(name: str | None) -> None:
    """Nothing to choose.  RangeError for any name but "plain"."""
    if name is not None and name not in _NAMES:
        raise RangeError("name", name, "not one of plain on this machine")


def level() -> int:
    """0, the level of "plain"."""
    return 0


def check_environment() -> None:
    """Refuse to go on in a thread whose arithmetic is not IEEE round-to-nearest with subnormals.

    Looks at results, in float64 and float32: there is no register to read from Python.  Raises FloatEnvironmentError.
    """
    types: tuple[tuple[Any, int, int], ...] = ((np.float64, 53, -1022), (np.float32, 24, -126))
    for dtype, digits, least in types:
        one, half = np.array([1, 1 + 2.0 ** (1 - digits), -1, -1 - 2.0 ** (1 - digits)], dtype), np.array([1, 1, -1, -1], dtype) * dtype(2.0**-digits)
        wanted = np.array([1, 1 + 2.0 ** (2 - digits), -1, -1 - 2.0 ** (2 - digits)], dtype)
        if not np.array_equal(one + half, wanted):
            raise FloatEnvironmentError("does not round to nearest with ties to even")
        with np.errstate(all="ignore"):
            small = np.array([2.0**least], dtype) * dtype(0.5)
            bits = small.view(np.uint64 if dtype is np.float64 else np.uint32)
            if not bits[0]:
                raise FloatEnvironmentError("flushes subnormal results to zero (FTZ)")
            if not (small * dtype(2.0**30))[0]:
                raise FloatEnvironmentError("reads subnormal operands as zero (DAZ)")


check_environment()

# cython: language_level=3, binding=True, embedsignature=True
"""Instruction set in use, and the floating-point environment that the kernels need.

Importing this module checks the environment of the importing thread; every kernel
checks the one of the thread that calls it.
"""
from gnosis.errors import FloatEnvironmentError, RangeError

cdef extern from "arith.h":
    int gnosis_detect() nogil
    int gnosis_environment() nogil

_NAMES = ("plain", "avx2", "avx512")
_FAULTS = {
    1: "does not round to nearest with ties to even",
    2: "flushes subnormal results to zero (FTZ)",
    3: "reads subnormal operands as zero (DAZ)",
}
cdef int _best = gnosis_detect()
cdef int _level = _best


def isa() -> str:
    """The instruction set that the kernels use now: "avx512", "avx2" or "plain"."""
    return _NAMES[_level]


def available() -> tuple[str, ...]:
    """Every instruction set that this machine can run, slowest first."""
    return _NAMES[: _best + 1]


def force(name: str | None) -> None:
    """Make every kernel of this process use `name`; None returns to the best one.

    For tests and comparisons: results do not depend on it.  RangeError when the
    machine cannot run it.
    """
    global _level
    if name is None:
        _level = _best
    elif name in available():
        _level = _NAMES.index(name)
    else:
        raise RangeError("name", name, f"not one of {', '.join(available())} on this machine")


def level() -> int:
    """Position of `isa()` in ("plain", "avx2", "avx512"); what the kernels dispatch on."""
    return _level


def check_environment() -> None:
    """Refuse to go on in a thread whose arithmetic is not IEEE round-to-nearest with subnormals.

    Raises FloatEnvironmentError.  The usual cause is a shared library built with
    -Ofast or -ffast-math, which switches subnormals off when it is loaded.
    """
    cdef int fault = gnosis_environment()
    if fault:
        raise FloatEnvironmentError(_FAULTS[fault])


check_environment()

"""Which scores can win, and which one does; `gnosis.core.margin` without a compiler.  Exact, for the reasons given in margin.c."""

from __future__ import annotations

from typing import Any

import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result
from gnosis.errors import EmptyError, LengthError, NegativeError, NonFiniteError

DTYPES = (np.float64, np.float32, np.int64)
_RANGE = np.iinfo(np.int64)


def _lost(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """What rounding took from a + b = s, exactly; 0 where s is not finite."""
    swap = np.abs(a) < np.abs(b)
    large, small = np.where(swap, b, a), np.where(swap, a, b)
    return np.where(np.isfinite(s), small - (s - large), 0)


def _float_candidates(z: np.ndarray, eps: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        down, up = z - eps, z + eps
        down_lost, up_lost = _lost(z, -eps, down), _lost(z, eps, up)
    top = down.max()
    rest = down_lost[down == top].max()
    return np.flatnonzero((up > top) | ((up == top) & (up_lost >= rest)))


def _int_candidates(z: np.ndarray, eps: np.ndarray) -> np.ndarray:
    down, up = z - eps, z + eps  # wrap around where they leave the range, which shows in the comparison with z
    down, up = np.where(down > z, _RANGE.min, down), np.where(up < z, _RANGE.max, up)
    return np.flatnonzero(up >= down.max())


def candidates(z: Any, eps: Any, out: np.ndarray | None = None) -> np.ndarray:
    """The scores that can win: ascending, all j with z_j + eps_j >= max_i (z_i - eps_i); exactly `Gnosis.candidates`.

    z: float64[n], float32[n] or int64[n]; eps: the same type and length, none negative.  out: None or int64[n] apart from the inputs.
    Returns int64[c], the first c entries of `out` if it was given.
    Raises NonFiniteError or NegativeError naming the first entry at fault, LengthError, DtypeError, FloatEnvironmentError.
    """
    z = given("z", z, DTYPES, (None,))
    eps = given("eps", eps, z.dtype.type, (None,))
    if eps.shape != z.shape:
        raise LengthError("eps", eps.shape, f"there are {z.shape[0]} scores")
    out = result(out, np.int64, z.shape, (z, eps))
    _cpu.check_environment()
    if not len(z):
        return out
    bad = ~np.isfinite(z) | ~np.isfinite(eps) | (eps < 0)
    if bad.any():
        index = int(np.argmax(bad))
        for name, array in (("z", z), ("eps", eps)):
            if not np.isfinite(array[index]):
                raise NonFiniteError(name, float(array[index]), index)
        raise NegativeError("eps", eps[index].item(), index)
    found = _int_candidates(z, eps) if z.dtype == np.int64 else _float_candidates(z, eps)
    out[: len(found)] = found
    return out[: len(found)]


def argmax(z: Any) -> int:
    """The lowest index of a largest score: `Gnosis.argmax`.

    z: float64[n], float32[n] or int64[n], n >= 1.  Raises NonFiniteError naming the first entry at fault, EmptyError, LengthError,
    DtypeError, FloatEnvironmentError.
    """
    z = given("z", z, DTYPES, (None,))
    _cpu.check_environment()
    if not len(z):
        raise EmptyError("z", z.shape)
    bad = ~np.isfinite(z)
    if bad.any():
        index = int(np.argmax(bad))
        raise NonFiniteError("z", float(z[index]), index)
    return int(np.argmax(z))

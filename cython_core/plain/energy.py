"""The energy gate on arrays of float64, with three answers; `gnosis.core.energy` without a compiler.  Why it is sound: energy.c."""

from __future__ import annotations

from typing import Any

import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result
from gnosis.errors import LengthError, NonFiniteError

BAND = 1.0 + 2.0**-50
LOWEST, HIGHEST = 2.0**-960, 2.0**960


def decide_many(E: Any, A: Any, gamma: Any, out: np.ndarray | None = None, *, strict: bool = False) -> np.ndarray:
    """Does 4 E A <= gamma^2 hold (with `strict`: 4 E A < gamma^2), entry by entry?

    E, A, gamma: float64[n], or float64[1] used for all.  out: None or int8[n].  Returns int8[n]: 1 admit, 0 refuse, -1 undecided.
    A 1 implies that the exact predicate admits and a 0 that it refuses (`Gnosis.energy_sidecar_sound`).
    Raises NonFiniteError, DtypeError, LengthError, FloatEnvironmentError.
    """
    arrays = {name: given(name, value, np.float64, (None,)) for name, value in (("E", E), ("A", A), ("gamma", gamma))}
    lengths = {name: array.shape[0] for name, array in arrays.items()}
    n_out = next((length for length in lengths.values() if length != 1), 1)
    for name, length in lengths.items():
        if length not in (1, n_out):
            raise LengthError(name, arrays[name].shape, f"the length must be 1 or {n_out}")
    out = result(out, np.int8, (n_out,), tuple(arrays.values()))
    _cpu.check_environment()
    if not n_out:
        return out
    e, a, g = (np.broadcast_to(array, (n_out,)) for array in arrays.values())
    bad = ~(np.isfinite(e) & np.isfinite(a) & np.isfinite(g))
    if bad.any():
        at = int(np.argmax(bad))
        for name, array in arrays.items():
            index = at if array.shape[0] != 1 else 0
            if not np.isfinite(array[index]):
                raise NonFiniteError(name, float(array[index]), index)
    with np.errstate(all="ignore"):
        left, right = 4.0 * (e * a), g * g
        safe = (left >= LOWEST) & (left <= HIGHEST) & (right >= LOWEST) & (right <= HIGHEST)
        admit = safe & (left * BAND <= right)
        refuse = (safe & (left > right * BAND)) | (g == 0.0)
    decided = np.where(admit, 1, np.where(refuse, 0, -1))
    at_zero = np.where(g > 0.0, 1, 0) if strict else 1
    negative, zero = (e < 0.0) | (a < 0.0) | (g < 0.0), (e == 0.0) | (a == 0.0)
    out[:] = np.where(negative, 0, np.where(zero, at_zero, decided))
    return out

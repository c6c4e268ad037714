# cython: language_level=3, boundscheck=False, wraparound=False, binding=True, embedsignature=True
"""The energy gate on arrays of float64, with three answers."""
import math

import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result
from gnosis.errors import LengthError, NonFiniteError

cdef extern from "energy.h":
    ptrdiff_t gnosis_energy_decide(const double *, int, const double *, int, const double *, int,
                                   int, signed char *, ptrdiff_t, int) nogil


def decide_many(E, A, gamma, out=None, *, bint strict=False):
    """Does 4 E A <= gamma^2 hold (with `strict`: 4 E A < gamma^2), entry by entry?

    E, A: energies of residual and activation, or upper bounds of them; gamma: the margin,
    in the unit of the outputs, E * A in that unit squared.  Each is float64[n], or
    float64[1] used for all; the numbers are taken as exact.  out: None or int8[n].
    Returns int8[n]: 1 admit, 0 refuse, -1 undecided (within 2^-50 of equality, or
    products outside [2^-960, 2^960]); undecided entries go to the exact decision in
    `gnosis.gates.energy`, which resolves them.  As in `Gnosis.energySidecarAdmit`, a
    negative E, A or gamma is refused.  A 1 implies that the exact predicate admits and a 0 that
    it refuses (`Gnosis.energy_sidecar_sound` gives the admission its meaning): with
    u = 2^-53 each product is right to a factor 1 + u, and the comparison is made with a
    factor 1 + 8u to spare.
    Contiguous input is not copied; the GIL is released.
    Raises NonFiniteError naming argument and index, DtypeError, LengthError,
    FloatEnvironmentError.  After an error `out` is undefined.
    """
    arrays = {name: given(name, value, np.float64, (None,)) for name, value in (("E", E), ("A", A), ("gamma", gamma))}
    lengths = {name: array.shape[0] for name, array in arrays.items()}
    n_out = next((length for length in lengths.values() if length != 1), 1)
    for name, length in lengths.items():
        if length not in (1, n_out):
            raise LengthError(name, arrays[name].shape, f"the length must be 1 or {n_out}")
    out = result(out, np.int8, (n_out,), tuple(arrays.values()))
    cdef const double[::1] e = arrays["E"]
    cdef const double[::1] a = arrays["A"]
    cdef const double[::1] g = arrays["gamma"]
    cdef signed char[::1] o = out
    cdef ptrdiff_t n = n_out, bad
    cdef int level = _cpu.level()
    cdef int step_e = e.shape[0] != 1, step_a = a.shape[0] != 1, step_g = g.shape[0] != 1
    _cpu.check_environment()
    if n:
        with nogil:
            bad = gnosis_energy_decide(&e[0], step_e, &a[0], step_a, &g[0], step_g, strict, &o[0], n, level)
        if bad >= 0:
            for name, array in arrays.items():
                index = bad if array.shape[0] != 1 else 0
                if not math.isfinite(array[index]):
                    raise NonFiniteError(name, float(array[index]), index)
    return out

# cython: language_level=3, boundscheck=False, wraparound=False, binding=True, embedsignature=True
"""Nearest points of Z^8, of D8 and of E8.

The result is always a point of the lattice.  That it is the nearest one holds up to a
rounding error at near ties, so nothing may rely on it: gates use the residual that is
recomputed from the point.
"""
import math

import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result
from gnosis.errors import NonFiniteError, RangeError

cdef extern from "lattice.h":
    ptrdiff_t gnosis_nearest_cubic(const float *, float *, ptrdiff_t, int) nogil
    ptrdiff_t gnosis_nearest_d8(const float *, float *, ptrdiff_t, int) nogil
    ptrdiff_t gnosis_nearest_e8(const float *, float *, ptrdiff_t, int) nogil

DIMENSION = 8
LIMIT = 2.0**21


def nearest_cubic(x, out=None):
    """Every coordinate rounded to an integer, halves up.

    x: float32[n, 8], entries at most 2^21 in size.  out: None, `x` itself, or float32[n, 8] apart
    from it.  Returns float32[n, 8], entries in Z.
    Contiguous input is not copied; the GIL is released.
    Raises NonFiniteError or RangeError naming the first entry at fault, DtypeError,
    LengthError, FloatEnvironmentError.  After an error `out` is undefined.
    """
    return _nearest(x, out, 0)


def nearest_d8(x, out=None):
    """A nearest point of D8, the integer points with even sum, for every row, after Conway and Sloane.

    x: float32[n, 8], entries at most 2^21 in size.  out: None, `x` itself, or float32[n, 8] apart
    from it.  Returns float32[n, 8]: integers with an even sum in every row; determinant 2.
    Ties go the way of the integer decoders in Gnosis: a half rounds up, the first of equal largest errors moves.
    Contiguous input is not copied; the GIL is released.
    Raises NonFiniteError or RangeError naming the first entry at fault, DtypeError,
    LengthError, FloatEnvironmentError.  After an error `out` is undefined.
    """
    return _nearest(x, out, 1)


def nearest_e8(x, out=None):
    """A nearest point of E8 = D8 + {0, (1/2, ..., 1/2)} for every row, after Conway and Sloane.

    x: float32[n, 8], entries at most 2^21 in size.  out: None, `x` itself, or float32[n, 8] apart
    from it.  Returns float32[n, 8]: each row all integers or all halves of odd integers, with
    an even sum; determinant 1, as Z^8 has.  Ties go the way of the integer decoders in Gnosis: a half rounds up,
    the first of equal largest errors moves, the integer candidate wins.
    Contiguous input is not copied; the GIL is released.
    Raises NonFiniteError or RangeError naming the first entry at fault, DtypeError,
    LengthError, FloatEnvironmentError.  After an error `out` is undefined.
    """
    return _nearest(x, out, 2)


def _nearest(x, out, int lattice):
    x = given("x", x, np.float32, (None, DIMENSION))
    out = result(out, np.float32, x.shape, (x,), in_place=True)
    cdef const float[:, ::1] v = x
    cdef float[:, ::1] o = out
    cdef ptrdiff_t n = v.shape[0], bad
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if n:
        with nogil:
            if lattice == 2:
                bad = gnosis_nearest_e8(&v[0, 0], &o[0, 0], n, level)
            elif lattice == 1:
                bad = gnosis_nearest_d8(&v[0, 0], &o[0, 0], n, level)
            else:
                bad = gnosis_nearest_cubic(&v[0, 0], &o[0, 0], n, level)
        if bad >= 0:
            index = divmod(bad, DIMENSION)
            value = float(x[index])
            if not math.isfinite(value):
                raise NonFiniteError("x", value, index)
            raise RangeError("x", value, "larger than 2^21, where halves are no longer safe in float32", index)
    return out

# cython: language_level=3, boundscheck=False, wraparound=False, binding=True, embedsignature=True
"""Which scores can win when each is known up to a bound, and which one does.

Scores are float64, float32 or int64, taken as the exact numbers that they are.
"""
import math

import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result
from gnosis.errors import EmptyError, LengthError, NegativeError, NonFiniteError

from libc.stdint cimport int64_t

cdef extern from "margin.h":
    ptrdiff_t gnosis_candidates_double(const double *, const double *, ptrdiff_t, int64_t *, int) nogil
    ptrdiff_t gnosis_candidates_float(const float *, const float *, ptrdiff_t, int64_t *, int) nogil
    ptrdiff_t gnosis_candidates_int64(const int64_t *, const int64_t *, ptrdiff_t, int64_t *, int) nogil
    ptrdiff_t gnosis_argmax_double(const double *, ptrdiff_t, int) nogil
    ptrdiff_t gnosis_argmax_float(const float *, ptrdiff_t, int) nogil
    ptrdiff_t gnosis_argmax_int64(const int64_t *, ptrdiff_t, int) nogil

DTYPES = (np.float64, np.float32, np.int64)


def candidates(z, eps, out=None):
    """The scores that can win: ascending, all j with z_j + eps_j >= max_i (z_i - eps_i).

    z: float64[n], float32[n] or int64[n], the scores; eps: the same type and length, none negative, how far each may be
    off, in the unit of the scores.  out: None or int64[n] apart from the inputs.
    Returns int64[c], the first c entries of `out` if it was given; c >= 1 when n >= 1.
    Exact: precisely the indices of `Gnosis.candidates`, whatever rounding or overflow the sums suffer; why is said in margin.c.  So no
    maximiser of the true scores is lost (`Gnosis.candidates_contain_argmax`).
    About one pass.  Below some ten thousand scores the time goes into the call itself, some microseconds, as with numpy.
    Contiguous input is not copied; the GIL is released.
    Raises NonFiniteError or NegativeError naming the first entry at fault, LengthError, DtypeError, FloatEnvironmentError.
    After an error `out` is undefined.
    """
    z = given("z", z, DTYPES, (None,))
    eps = given("eps", eps, z.dtype.type, (None,))
    if eps.shape != z.shape:
        raise LengthError("eps", eps.shape, f"there are {z.shape[0]} scores")
    out = result(out, np.int64, z.shape, (z, eps))
    cdef const double[::1] zd, ed
    cdef const float[::1] zf, ef
    cdef const int64_t[::1] zi, ei
    cdef int64_t[::1] o = out
    cdef ptrdiff_t n = z.shape[0], count = 0
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if n:
        if z.dtype == np.float64:
            zd, ed = z, eps
            with nogil:
                count = gnosis_candidates_double(&zd[0], &ed[0], n, &o[0], level)
        elif z.dtype == np.float32:
            zf, ef = z, eps
            with nogil:
                count = gnosis_candidates_float(&zf[0], &ef[0], n, &o[0], level)
        else:
            zi, ei = z, eps
            with nogil:
                count = gnosis_candidates_int64(&zi[0], &ei[0], n, &o[0], level)
        if count < 0:
            index = -1 - count
            for name, array in (("z", z), ("eps", eps)):
                if not math.isfinite(array[index]):
                    raise NonFiniteError(name, float(array[index]), index)
            raise NegativeError("eps", eps[index].item(), index)
    return out[:count]


def argmax(z):
    """The lowest index of a largest score: `Gnosis.argmax`, whose meaning is `Gnosis.argmax_spec`.

    z: float64[n], float32[n] or int64[n], n >= 1.  Zeros are equal, whatever their sign.  Contiguous input is not copied;
    the GIL is released.
    Raises NonFiniteError naming the first entry at fault, EmptyError, LengthError, DtypeError, FloatEnvironmentError.
    """
    z = given("z", z, DTYPES, (None,))
    cdef const double[::1] zd
    cdef const float[::1] zf
    cdef const int64_t[::1] zi
    cdef ptrdiff_t n = z.shape[0], index
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if not n:
        raise EmptyError("z", z.shape)
    if z.dtype == np.float64:
        zd = z
        with nogil:
            index = gnosis_argmax_double(&zd[0], n, level)
    elif z.dtype == np.float32:
        zf = z
        with nogil:
            index = gnosis_argmax_float(&zf[0], n, level)
    else:
        zi = z
        with nogil:
            index = gnosis_argmax_int64(&zi[0], n, level)
    if index < 0:
        raise NonFiniteError("z", float(z[-1 - index]), -1 - index)
    return index

# cython: language_level=3, boundscheck=False, wraparound=False, binding=True, embedsignature=True
"""Reading memory and nothing else: the ceiling that other kernels are measured against."""
import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given

cdef extern from "stream.h":
    unsigned long long gnosis_stream_read(const unsigned char *, ptrdiff_t, int) nogil


def read(data) -> int:
    """Exclusive or of the 8-byte words of uint8[n], a last part of a word filled up with zeros.

    Releases the GIL.  DtypeError, LengthError.
    """
    data = given("data", data, np.uint8, (None,))
    cdef const unsigned char[::1] d = data
    cdef ptrdiff_t n = d.shape[0]
    cdef int level = _cpu.level()
    cdef unsigned long long word = 0
    if n:
        with nogil:
            word = gnosis_stream_read(&d[0], n, level)
    return word

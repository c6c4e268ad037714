# cython: language_level=3, boundscheck=False, wraparound=False, binding=True, embedsignature=True
"""Q8_0 blocks: exact decoding, and decoding fused with a certified residual energy.

A block is 34 bytes: a half-precision scale d (little endian), then 32 signed codes q;
it stands for the 32 weights d * q, which float32 holds exactly.
"""
import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result
from gnosis.errors import LengthError, NonFiniteError

cdef extern from "q8_0.h":
    ptrdiff_t gnosis_q8_0_dequantize(const unsigned char *, float *, ptrdiff_t, int) nogil
    ptrdiff_t gnosis_q8_0_residual_upper(const unsigned char *, const float *, double *, ptrdiff_t, int) nogil
    ptrdiff_t gnosis_q8_0_residual_nearest(const unsigned char *, const float *, double *, ptrdiff_t, int) nogil

BLOCK_BYTES = 34
BLOCK_WEIGHTS = 32


def dequantize(blocks, out=None):
    """The weights of Q8_0 blocks, exactly.

    blocks: uint8[n, 34].  out: None or float32[n, 32] apart from `blocks`.
    Returns float32[n, 32], in the unit of the scale; the same bits as the `gguf` package.
    Contiguous input is not copied; the GIL is released.
    Raises NonFiniteError naming the first block whose scale is NaN or infinite,
    DtypeError, LengthError, FloatEnvironmentError.  After an error `out` is undefined.
    """
    blocks = given("blocks", blocks, np.uint8, (None, BLOCK_BYTES))
    n_blocks = blocks.shape[0]
    out = result(out, np.float32, (n_blocks, BLOCK_WEIGHTS), (blocks,))
    cdef const unsigned char[:, ::1] b = blocks
    cdef float[:, ::1] o = out
    cdef ptrdiff_t n = n_blocks, bad
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if n:
        with nogil:
            bad = gnosis_q8_0_dequantize(&b[0, 0], &o[0, 0], n, level)
        if bad >= 0:
            raise _not_finite(blocks, None, bad)
    return out


def residual_energy_upper(blocks, original, out=None):
    """Per block, a certified upper bound of the energy of what quantization lost.

    blocks: uint8[n, 34]; original: float32[n, 32], the weights that the blocks stand for.
    out: None or float64[n] apart from the inputs.
    Returns float64[n], each at least sum_i (original_i - d q_i)^2 as real numbers, in the
    squared unit of the weights: the E of `Gnosis.energy_sidecar_sound`.

    Why it is an upper bound, with u = 2^-24 and gamma_k = k u / (1 - k u): d q is exact in float32; a
    difference errs by a factor 1 + a, |a| <= u; each term then passes through one squaring and a
    tree of 5 additions of non-negative numbers.  So the float32 sum s is at least E (1 - u)^8 but for
    underflow, and E at most s (1 + gamma_8) < s (1 + 9u); the result is s (1 + 16u), formed in float64.  A
    sum outside [2^-80, 2^120], where under- or overflow could matter, is formed again in float64,
    where neither can happen for any finite float32, and widened by 1 + 2^-47 > 1 + gamma_34 at u = 2^-53.
    Tight: at most E (1 + 26 * 2^-24), and 0 when E = 0.  The same number on every instruction set.
    The whole argument is in q8_0.c.

    Contiguous input is not copied; the GIL is released.
    Raises NonFiniteError naming the first block with a scale, or the first weight of it,
    that is NaN or infinite, DtypeError, LengthError, FloatEnvironmentError.  After an
    error `out` is undefined.
    """
    return _residual(blocks, original, out, True)


def _residual_energy_nearest(blocks, original, out=None):
    """The same sum rounded to nearest: no bound, no check of the numbers.  Measures what certification costs."""
    return _residual(blocks, original, out, False)


def _residual(blocks, original, out, bint certified):
    blocks = given("blocks", blocks, np.uint8, (None, BLOCK_BYTES))
    original = given("original", original, np.float32, (None, BLOCK_WEIGHTS))
    n_blocks = blocks.shape[0]
    if original.shape[0] != n_blocks:
        raise LengthError("original", original.shape, f"{n_blocks} blocks need {n_blocks} rows of {BLOCK_WEIGHTS} weights")
    out = result(out, np.float64, (n_blocks,), (blocks, original))
    cdef const unsigned char[:, ::1] b = blocks
    cdef const float[:, ::1] w = original
    cdef double[::1] o = out
    cdef ptrdiff_t n = n_blocks, bad
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if n:
        with nogil:
            if certified:
                bad = gnosis_q8_0_residual_upper(&b[0, 0], &w[0, 0], &o[0], n, level)
            else:
                bad = gnosis_q8_0_residual_nearest(&b[0, 0], &w[0, 0], &o[0], n, level)
        if bad >= 0:
            raise _not_finite(blocks, original, bad)
    return out


def _not_finite(blocks, original, block):
    """The error for a block in which the kernel found something that is not a number."""
    scale = float(blocks[block, :2].copy().view("<f2")[0])
    if not np.isfinite(scale):
        return NonFiniteError("blocks", scale, block, "the scale of this block is not a finite number")
    column = int(np.argmin(np.isfinite(original[block])))
    return NonFiniteError("original", float(original[block, column]), (block, column))

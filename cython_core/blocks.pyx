# cython: language_level=3, boundscheck=False, wraparound=False, binding=True, embedsignature=True
"""Blocks of GGUF's codes: exact decoding, and decoding fused with a certified residual energy.

encoding: "Q8_0", "Q5_0", "Q5_1", "Q4_0", "Q4_1" (32 weights a block), "Q4_K", "Q5_K", "Q6_K" (256), or "F16",
"BF16", "F32", little endian, of which 32 weights are taken as one block.
"""
import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result
from gnosis.errors import LengthError, NonFiniteError, RangeError

cdef extern from "blocks.h":
    int gnosis_block_bytes(int) nogil
    int gnosis_block_weights(int) nogil
    ptrdiff_t gnosis_blocks_dequantize(int, const unsigned char *, float *, ptrdiff_t, int) nogil
    ptrdiff_t gnosis_blocks_residual_upper(int, const unsigned char *, const float *, double *, ptrdiff_t, int) nogil
    ptrdiff_t gnosis_q8_0_residual_nearest(const unsigned char *, const float *, double *, ptrdiff_t, int) nogil
    ptrdiff_t gnosis_blocks_unpack(int, const unsigned char *, signed char *, float *, float *, ptrdiff_t) nogil

# In the order of the enumeration in blocks.h; where the half-precision numbers of a block are.
_HALVES = {"Q8_0": (0,), "Q5_0": (0,), "Q5_1": (0, 2), "Q4_0": (0,), "Q4_1": (0, 2), "Q4_K": (0, 2), "Q5_K": (0, 2), "Q6_K": (208,),
           "F16": (), "BF16": (), "F32": ()}
ENCODINGS = tuple(_HALVES)
FLOATS = ("F16", "BF16", "F32")


def _kind(encoding):
    if encoding not in ENCODINGS:
        raise RangeError("encoding", encoding, f"not one of {', '.join(ENCODINGS)}")
    return ENCODINGS.index(encoding)


def sizes(encoding) -> tuple[int, int]:
    """Weights of a block, and its bytes.  Raises RangeError for an encoding that is not in ENCODINGS."""
    cdef int kind = _kind(encoding)
    return gnosis_block_weights(kind), gnosis_block_bytes(kind)


def dequantize(blocks, encoding, out=None):
    """The weights of blocks, rounded to float32 where they do not fit.

    blocks: uint8[n, block bytes].  out: None or float32[n, block weights] apart from `blocks`.
    Returns float32[n, block weights]; the same bits as the `gguf` package.  Q4_1, Q5_1, Q4_K and Q5_K, which add an
    offset, are rounded once; every other weight is exact.  Contiguous input is not copied; the GIL is released.
    Raises NonFiniteError naming the first block with a scale or weight that is NaN or infinite, RangeError,
    DtypeError, LengthError, FloatEnvironmentError.  After an error `out` is undefined.
    """
    cdef int kind = _kind(encoding)
    weights, size = sizes(encoding)
    blocks = given("blocks", blocks, np.uint8, (None, size))
    n_blocks = blocks.shape[0]
    out = result(out, np.float32, (n_blocks, weights), (blocks,))
    cdef const unsigned char[:, ::1] b = blocks
    cdef float[:, ::1] o = out
    cdef ptrdiff_t n = n_blocks, bad
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if n:
        with nogil:
            bad = gnosis_blocks_dequantize(kind, &b[0, 0], &o[0, 0], n, level)
        if bad >= 0:
            raise _not_finite(blocks, encoding, None, bad)
    return out


def residual_energy_upper(blocks, original, encoding, out=None):
    """Per block, a certified upper bound of the energy of what coding lost.

    blocks: uint8[n, block bytes]; original: float32[n, block weights], the weights that the blocks stand for.
    out: None or float64[n] apart from the inputs.
    Returns float64[n], each at least sum_i (original_i - decoded_i)^2 as real numbers, decoded_i the float32 number that
    `dequantize` gives, in the squared unit of the weights: the E of `Gnosis.energy_sidecar_sound`.

    Why it is an upper bound is said in blocks.c.  Short: all terms are non-negative, so 11 roundings lose a factor
    (1 - u)^11 at most; the sum is widened by 1 + 16u in float32 (u = 2^-24), by 1 + 64u in float64 (u = 2^-53), which is
    used where float32 could under- or overflow.
    Tight: at most E (1 + 28 * 2^-24), and 0 when E = 0.  The same number on every instruction set.

    Contiguous input is not copied; the GIL is released.
    Raises NonFiniteError naming the first block with a scale, or the first weight of it, that is NaN or infinite,
    RangeError, DtypeError, LengthError, FloatEnvironmentError.  After an error `out` is undefined.
    """
    return _residual(blocks, original, encoding, out, True)


def _q8_0_residual_nearest(blocks, original, out=None):
    """The same sum of Q8_0 rounded to nearest: no bound, no check of the numbers.  Measures what certification costs."""
    return _residual(blocks, original, "Q8_0", out, False)


def _residual(blocks, original, encoding, out, bint certified):
    cdef int kind = _kind(encoding)
    weights, size = sizes(encoding)
    blocks = given("blocks", blocks, np.uint8, (None, size))
    original = given("original", original, np.float32, (None, weights))
    n_blocks = blocks.shape[0]
    if original.shape[0] != n_blocks:
        raise LengthError("original", original.shape, f"{n_blocks} blocks need {n_blocks} rows of {weights} weights")
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
                bad = gnosis_blocks_residual_upper(kind, &b[0, 0], &w[0, 0], &o[0], n, level)
            else:
                bad = gnosis_q8_0_residual_nearest(&b[0, 0], &w[0, 0], &o[0], n, level)
        if bad >= 0:
            raise _not_finite(blocks, encoding, original, bad)
    return out


def unpack(blocks, encoding):
    """The exact parts of a block code: weight k of a block is scales[k // 16] * codes[k] + offsets[k // 32], rounded to float32.

    blocks: uint8[n, block bytes]; encoding: any but F16, BF16, F32 (RangeError).
    Returns codes int8[n, w], scales float32[n, w / 16], offsets float32[n, w / 32]; scales and offsets are whole
    multiples of 2^-24 below 2^24 in size.
    Raises NonFiniteError naming the first block with a scale that is NaN or infinite, RangeError, DtypeError,
    LengthError, FloatEnvironmentError.
    """
    cdef int kind = _kind(encoding)
    if encoding in FLOATS:
        raise RangeError("encoding", encoding, "has no scales")
    weights, size = sizes(encoding)
    blocks = given("blocks", blocks, np.uint8, (None, size))
    codes = np.empty((blocks.shape[0], weights), np.int8)
    scales = np.empty((blocks.shape[0], weights // 16), np.float32)
    offsets = np.empty((blocks.shape[0], weights // 32), np.float32)
    cdef const unsigned char[:, ::1] b = blocks
    cdef signed char[:, ::1] c = codes
    cdef float[:, ::1] s = scales
    cdef float[:, ::1] o = offsets
    cdef ptrdiff_t n = b.shape[0], bad
    _cpu.check_environment()
    if n:
        with nogil:
            bad = gnosis_blocks_unpack(kind, &b[0, 0], &c[0, 0], &s[0, 0], &o[0, 0], n)
        if bad >= 0:
            raise _not_finite(blocks, encoding, None, bad)
    return codes, scales, offsets


def _not_finite(blocks, encoding, original, block):
    """The error for a block in which the kernel found something that is not a number."""
    for at in _HALVES[encoding]:
        scale = float(blocks[block, at:at + 2].copy().view("<f2")[0])
        if not np.isfinite(scale):
            return NonFiniteError("blocks", scale, block, "a scale of this block is not a finite number")
    if encoding in FLOATS:
        raw = blocks[block]
        weights = {"F16": lambda: raw.view("<f2"), "F32": lambda: raw.view("<f4"),
                   "BF16": lambda: (raw.view("<u2").astype(np.uint32) << 16).view(np.float32)}[encoding]()
        column = int(np.argmin(np.isfinite(weights)))
        if not np.isfinite(weights[column]):
            return NonFiniteError("blocks", float(weights[column]), (block, column), "this weight is not a finite number")
    column = int(np.argmin(np.isfinite(original[block])))
    return NonFiniteError("original", float(original[block, column]), (block, column))

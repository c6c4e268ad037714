# cython: language_level=3, boundscheck=False, wraparound=False, binding=True, embedsignature=True
"""The arithmetic of a llama-style transformer in float32, with one fixed order of operations.

An output depends on its own inputs alone: not on the other tokens or rows of the call, not on the instruction set.  So
a token decoded alone has, bit for bit, the hidden state that it has inside a long prefill.  Numbers that are not finite
come out as such and are the caller's to look for.
"""
import numpy as np

from gnosis.core import blocks as _blocks
from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result, whole
from gnosis.errors import LengthError, NonFiniteError, RangeError

cdef extern from "transformer.h":
    void gnosis_linear(const float *, const float *, float *, ptrdiff_t, ptrdiff_t, ptrdiff_t, ptrdiff_t, int) nogil
    ptrdiff_t gnosis_linear_blocks(const float *, int, const unsigned char *, float *, float *, ptrdiff_t, ptrdiff_t, ptrdiff_t, ptrdiff_t, int) nogil
    void gnosis_rms_norm(const float *, const float *, float, float *, ptrdiff_t, ptrdiff_t, int) nogil
    void gnosis_rope(float *, const float *, const float *, ptrdiff_t, ptrdiff_t, ptrdiff_t, int) nogil
    int gnosis_attention(const float *, const float *, const float *, float, float *, float *, ptrdiff_t, ptrdiff_t, ptrdiff_t, ptrdiff_t, ptrdiff_t, int) nogil
    void gnosis_swiglu(const float *, const float *, float *, ptrdiff_t, int) nogil
    void gnosis_geglu(const float *, const float *, float *, ptrdiff_t, int) nogil
    void gnosis_softmax(const float *, float *, ptrdiff_t, ptrdiff_t, int) nogil


def linear(x, w, out=None, first=0):
    """out[t, first + r] = the scalar product of token x[t] with row w[r].

    x: float32[t, k]; w: float32[r, k]; out: None for a new float32[t, r], or float32[t, n] with n ≥ first + r, which
    several calls may fill side by side.  The GIL is released.  LengthError, DtypeError, RangeError, FloatEnvironmentError.
    """
    x = given("x", x, np.float32, (None, None))
    w = given("w", w, np.float32, (None, x.shape[1]))
    out, first = _place(out, first, x, w)
    cdef const float[:, ::1] xs = x, ws = w
    cdef float[:, ::1] o = out
    cdef ptrdiff_t at = first
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if x.size and w.size:
        with nogil:
            gnosis_linear(&xs[0, 0], &ws[0, 0], &o[0, at], xs.shape[0], ws.shape[0], xs.shape[1], o.shape[1], level)
    else:
        out[:, first:first + w.shape[0]] = 0
    return out


def linear_blocks(x, blocks, encoding, out=None, first=0):
    """`linear` with the decoded weights of blocks: the same bits, and only the blocks are read from memory.

    blocks: uint8[r, bytes of a row]; encoding: one of `gnosis.core.blocks.ENCODINGS`; the rest as for `linear`.
    NonFiniteError naming the first row with a scale or weight that is not finite, and the errors of `linear`.
    """
    if encoding not in _blocks.ENCODINGS:
        raise RangeError("encoding", encoding, f"not one of {', '.join(_blocks.ENCODINGS)}")
    x = given("x", x, np.float32, (None, None))
    weights, size = _blocks.sizes(encoding)
    if x.shape[1] % weights:
        raise LengthError("x", x.shape, f"rows must be whole {encoding} blocks of {weights}")
    blocks = given("blocks", blocks, np.uint8, (None, x.shape[1] // weights * size))
    out, first = _place(out, first, x, blocks)
    room = np.empty(4 * x.shape[1], np.float32)
    cdef const float[:, ::1] xs = x
    cdef const unsigned char[:, ::1] b = blocks
    cdef float[:, ::1] o = out
    cdef float[::1] r = room
    cdef ptrdiff_t at = first, bad = -1
    cdef int kind = _blocks.ENCODINGS.index(encoding), level = _cpu.level()
    _cpu.check_environment()
    if x.size and blocks.size:
        with nogil:
            bad = gnosis_linear_blocks(&xs[0, 0], kind, &b[0, 0], &o[0, at], &r[0], xs.shape[0], b.shape[0], xs.shape[1], o.shape[1], level)
        if bad >= 0:
            raise NonFiniteError("blocks", encoding, bad, "a scale or weight of this row is not a finite number")
    else:
        out[:, first:first + blocks.shape[0]] = 0
    return out


def _place(out, first, x, rows):
    """Where a product is written: a new array, or a part of the given one."""
    if out is None:
        return np.empty((x.shape[0], rows.shape[0]), np.float32), 0
    out = result(out, np.float32, (x.shape[0], out.shape[1] if out.ndim == 2 else -1), (x, rows))
    return out, whole("first", first, 0, out.shape[1] - rows.shape[0])


def rms_norm(x, weight, eps, out=None):
    """Each x[t] over the root of its mean square plus eps, times weight.  x: float32[t, k]; weight: float32[k].  Returns float32[t, k]."""
    x = given("x", x, np.float32, (None, None))
    weight = given("weight", weight, np.float32, (x.shape[1],))
    out = result(out, np.float32, x.shape, (x, weight))
    cdef const float[:, ::1] xs = x
    cdef const float[::1] w = weight
    cdef float[:, ::1] o = out
    cdef float e = eps
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if x.size:
        with nogil:
            gnosis_rms_norm(&xs[0, 0], &w[0], e, &o[0, 0], xs.shape[0], xs.shape[1], level)
    return out


def rope(x, cos, sin):
    """Turn every pair of neighbours of each head by its token's angle, in place.

    x: float32[t, heads, width], writable and contiguous; cos, sin: float32[t, width / 2].  Returns x.
    """
    if x.ndim != 3 or x.shape[2] % 2:
        raise LengthError("x", x.shape, "the shape must be (tokens, heads, an even width)")
    x = result(x, np.float32, x.shape, ())
    half = x.shape[2] // 2
    cos, sin = given("cos", cos, np.float32, (x.shape[0], half)), given("sin", sin, np.float32, (x.shape[0], half))
    cdef float[:, :, ::1] xs = x
    cdef const float[:, ::1] c = cos, s = sin
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if x.size:
        with nogil:
            gnosis_rope(&xs[0, 0, 0], &c[0, 0], &s[0, 0], xs.shape[0], xs.shape[1], xs.shape[2], level)
    return x


def attention(q, k, v, scale):
    """Causal attention of the last t of n positions.

    q: float32[t, heads, width]; k, v: float32[n, groups, width], n ≥ t, heads a multiple of groups, width of 16.
    Returns float32[t, heads, width]: per head the rows of v weighted with softmax(scale · ⟨q, k⟩) over the positions up to
    the token's own.  The GIL is released.  LengthError, DtypeError, FloatEnvironmentError.
    """
    q = given("q", q, np.float32, (None, None, None))
    if q.shape[2] % 16:
        raise LengthError("q", q.shape, "the width of a head must be a multiple of 16")
    k = given("k", k, np.float32, (None, None, q.shape[2]))
    v = given("v", v, np.float32, k.shape)
    if k.shape[0] < q.shape[0] or not k.shape[1] or q.shape[1] % k.shape[1]:
        raise LengthError("k", k.shape, f"does not serve {q.shape[0]} tokens of {q.shape[1]} heads")
    out, scores = np.empty(q.shape, np.float32), np.empty((k.shape[0] + 15) // 16 * 16, np.float32)
    cdef const float[:, :, ::1] qs = q, ks = k, vs = v
    cdef float[:, :, ::1] o = out
    cdef float[::1] s = scores
    cdef float factor = scale
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if q.size:
        with nogil:
            gnosis_attention(&qs[0, 0, 0], &ks[0, 0, 0], &vs[0, 0, 0], factor, &o[0, 0, 0], &s[0], qs.shape[0], ks.shape[0], qs.shape[1], ks.shape[1],
                             qs.shape[2], level)
    return out


def swiglu(gate, up):
    """gate · sigmoid(gate) · up, entry by entry.  gate, up: float32[t, k].  Returns float32[t, k]."""
    return _gated(gate, up, False)


def geglu(gate, up):
    """gelu(gate) · up, entry by entry, gelu by the formula with tanh.  gate, up: float32[t, k].  Returns float32[t, k]."""
    return _gated(gate, up, True)


def _gated(gate, up, bint gelu):
    gate = given("gate", gate, np.float32, (None, None))
    up = given("up", up, np.float32, gate.shape)
    out = np.empty(gate.shape, np.float32)
    cdef const float[:, ::1] g = gate, u = up
    cdef float[:, ::1] o = out
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if gate.size:
        with nogil:
            if gelu:
                gnosis_geglu(&g[0, 0], &u[0, 0], &o[0, 0], g.shape[0] * g.shape[1], level)
            else:
                gnosis_swiglu(&g[0, 0], &u[0, 0], &o[0, 0], g.shape[0] * g.shape[1], level)
    return out


def softmax(x):
    """exp of each entry over the sum of its row.  x: float32[t, k].  Returns float32[t, k]."""
    x = given("x", x, np.float32, (None, None))
    out = np.empty(x.shape, np.float32)
    cdef const float[:, ::1] xs = x
    cdef float[:, ::1] o = out
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if x.size:
        with nogil:
            gnosis_softmax(&xs[0, 0], &o[0, 0], xs.shape[0], xs.shape[1], level)
    return out

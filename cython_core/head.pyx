# cython: language_level=3, boundscheck=False, wraparound=False, binding=True, embedsignature=True
"""A Q8_0 matrix in a nested code: one coarse pass with a certified bound for every row, and rows again in float64.

A code q of Q8_0 is 16 u - 128 + l with u, l in 0 … 15.  The coarse plane holds u of every weight; the second plane holds l,
column by column.  head.h says how the planes lie in memory, head.c why the bounds hold.
"""
import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result, whole
from gnosis.errors import EmptyError, LengthError, NonFiniteError, RangeError

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t
from libc.stdlib cimport free, malloc

cdef extern from "head.h":
    ctypedef struct gnosis_head_plan_t:
        int exponent
        float *room
        double *exact
        double *size
        int8_t *high
        int8_t *low
        float *half
        float *energy
        float *floor
        int32_t *base
        int32_t *quads
        int32_t *column
        int8_t *quad_high
        int8_t *quad_low
    ptrdiff_t gnosis_head_pack(const uint8_t *, ptrdiff_t, ptrdiff_t, uint8_t *, uint8_t *, uint16_t *, uint8_t *) nogil
    ptrdiff_t gnosis_head_plan(const float *, ptrdiff_t, int, gnosis_head_plan_t *) nogil
    ptrdiff_t gnosis_head_coarse(const uint8_t *, const uint8_t *, const uint16_t *, const uint8_t *, ptrdiff_t, const gnosis_head_plan_t *,
                            ptrdiff_t, ptrdiff_t, float *, float *, int) nogil
    ptrdiff_t gnosis_head_rows(const uint8_t *, ptrdiff_t, const gnosis_head_plan_t *, const int64_t *, ptrdiff_t, double *, double *, int) nogil
    int gnosis_head_vnni(int) nogil

GROUP = 16                  # rows
TILE = 8                    # groups
BLOCK = 32                  # columns
BLOCK_BYTES = 34
MOST_BLOCKS = 4096


cdef bint _narrow = False      # for tests: do without vnni


def _without_vnni(bint narrow) -> None:
    """Make `coarse` use the AVX-512 that every such processor has, or its best again.  For tests: results do not depend on it."""
    global _narrow
    _narrow = narrow


cdef int _level():
    cdef int level = _cpu.level()
    return -level if _narrow else level


def isa() -> str:
    """The instruction set that `coarse` uses now: as `gnosis.core.cpu.isa`, with "+vnni" where bytes are multiplied into 32 bits at once."""
    return _cpu.isa() + ("+vnni" if gnosis_head_vnni(_level()) else "")


def pack(blocks, rows):
    """The planes of a Q8_0 matrix.

    blocks: uint8[rows · b, 34], row after row, b ≤ 4096; rows ≥ 1.
    Returns coarse uint8[g, b, 4, 16, 4], rest uint8[t, 32 b, 8, 8], scales uint16[g, b, 16], roots uint8[g, b, 16], with g = rows / 16
    and t = g / 8 rounded up.  roots are the residual's energies, rounded up: root r means an energy of at most r² · 1800 / 255² in units of d².
    NonFiniteError naming the first block whose scale is not finite, LengthError, DtypeError, RangeError.
    """
    blocks = given("blocks", blocks, np.uint8, (None, BLOCK_BYTES))
    n_rows = whole("rows", rows, 1, 2**31)
    if blocks.shape[0] % n_rows or not blocks.shape[0] or blocks.shape[0] // n_rows > MOST_BLOCKS:
        raise LengthError("blocks", blocks.shape, f"do not make {n_rows} rows of at most {MOST_BLOCKS} blocks")
    n_blocks = blocks.shape[0] // n_rows
    groups = -(-n_rows // GROUP)
    coarse, rest = _lines((groups, n_blocks, 4, GROUP, 4)), _lines((-(-groups // TILE), n_blocks * BLOCK, TILE, 8))
    scales, roots = np.empty((groups, n_blocks, GROUP), np.uint16), np.empty((groups, n_blocks, GROUP), np.uint8)
    cdef const uint8_t[:, ::1] q = blocks
    cdef uint8_t[:, :, :, :, ::1] c = coarse
    cdef uint8_t[:, :, :, ::1] l = rest
    cdef uint16_t[:, :, ::1] d = scales
    cdef uint8_t[:, :, ::1] e = roots
    cdef ptrdiff_t r = n_rows, b = n_blocks, bad
    with nogil:
        bad = gnosis_head_pack(&q[0, 0], r, b, &c[0, 0, 0, 0, 0], &l[0, 0, 0, 0], &d[0, 0, 0], &e[0, 0, 0])
    if bad >= 0:
        raise NonFiniteError("blocks", float(blocks[bad, :2].copy().view("<f2")[0]), bad, "the scale of this block is not a finite number")
    return coarse, rest, scales, roots


def _lines(shape):
    """uint8 memory that begins at a cache line."""
    size = int(np.prod(shape))
    room = np.empty(size + 63, np.uint8)
    first = -room.ctypes.data % 64
    return room[first:first + size].reshape(shape)


cdef class Plan:
    """An activation, ready for the pass over the rows.

    activation: float32[32 b], finite, not all zero.  split: how many columns, those of largest |a|, are taken with their whole
    code; in each block as many more are as make a multiple of four.
    exponent: everything below is about the activation times 2^-exponent.  exact: float64[32 b], that.  split: how many columns are split
    off.  columns: int32[split], which.
    NonFiniteError naming the entry, EmptyError, LengthError, DtypeError, RangeError.
    """

    cdef gnosis_head_plan_t c
    cdef void *_room
    cdef readonly ptrdiff_t blocks, split

    def __cinit__(self):
        self._room = NULL

    def __init__(self, activation, split):
        if self._room != NULL:
            raise RuntimeError("a plan is made once")
        a = given("activation", activation, np.float32, (None,))
        if not a.shape[0] or a.shape[0] % BLOCK or a.shape[0] > MOST_BLOCKS * BLOCK:
            raise LengthError("activation", a.shape, f"the length must be a multiple of {BLOCK}, and not 0")
        cdef int k = whole("split", split, 0, a.shape[0]), empty = 1
        _cpu.check_environment()
        cdef const float[::1] x = a
        cdef ptrdiff_t n = a.shape[0], b = n // BLOCK, i
        for i in range(n):
            if x[i] - x[i] != 0:
                raise NonFiniteError("activation", float(x[i]), i)
            empty &= x[i] == 0
        if empty:
            raise EmptyError("activation", a.shape, "every entry is zero")
        # float64, then float32 and int32, then bytes
        self._room = malloc(8 * (n + b) + 4 * (n + 3 * b) + 4 * (2 * b + 1 + n) + 4 * n)
        if self._room == NULL:
            raise MemoryError
        cdef double *e = <double *>self._room
        cdef float *f = <float *>(e + n + b)
        cdef int32_t *w = <int32_t *>(f + n + 3 * b)
        cdef int8_t *s = <int8_t *>(w + 2 * b + 1 + n)
        self.c.exact, self.c.size = e, e + n
        self.c.room, self.c.half, self.c.energy, self.c.floor = f, f + n, f + n + b, f + n + 2 * b
        self.c.base, self.c.quads, self.c.column = w, w + b, w + 2 * b + 1
        self.c.high, self.c.low, self.c.quad_high, self.c.quad_low = s, s + n, s + 2 * n, s + 3 * n
        with nogil:
            gnosis_head_plan(&x[0], b, k, &self.c)
        self.blocks, self.split = b, 4 * self.c.quads[b]

    def __dealloc__(self):
        free(self._room)

    @property
    def exponent(self):
        return self.c.exponent

    @property
    def exact(self):
        _made(self)
        return np.array(<double[:self.blocks * BLOCK]>self.c.exact)

    @property
    def columns(self):
        return np.array(<int32_t[:self.split]>self.c.column) if self.split else np.empty(0, np.int32)


cdef _made(Plan plan):
    """Refuse a plan that never saw an activation."""
    if plan._room == NULL:
        raise EmptyError("plan", 0, "was made without an activation")


def coarse(Plan plan not None, planes, first, last, z, eps):
    """Fill z and eps for the groups first … last − 1 of 16 rows: |z_r − y_r| ≤ eps_r for the exact product y_r of row r with plan.exact.

    planes: of `pack`.  z, eps: float32[16 g], written in place.  The bound takes in the residual of the second plane outside the
    split columns (`Gnosis.energy_split_sound`, block by block `Gnosis.energy_blocked_sound`), the rounding of the activation
    to 16 bits, and every float rounding of the pass; the argument is in head.c.
    The same numbers on every instruction set.  The GIL is released.  LengthError, DtypeError, RangeError, FloatEnvironmentError.
    """
    _made(plan)
    u, l, d, e = planes
    d = given("scales", d, np.uint16, (None, plan.blocks, GROUP))
    groups = d.shape[0]
    u, l = given("coarse", u, np.uint8, (groups, plan.blocks, 4, GROUP, 4)), given("rest", l, np.uint8, (-(-groups // TILE), plan.blocks * BLOCK, TILE, 8))
    e = given("roots", e, np.uint8, d.shape)
    z, eps = result(z, np.float32, (groups * GROUP,), ()), result(eps, np.float32, (groups * GROUP,), (z,))
    last = whole("last", last, 0, groups)
    cdef ptrdiff_t i = whole("first", first, 0, last), j = last
    cdef const uint8_t[:, :, :, :, ::1] us = u
    cdef const uint8_t[:, :, :, ::1] ls = l
    cdef const uint8_t[:, :, ::1] es = e
    cdef const uint16_t[:, :, ::1] ds = d
    cdef float[::1] zs = z, bs = eps
    cdef int level = _level()
    _cpu.check_environment()
    if i < j:
        with nogil:
            gnosis_head_coarse(&us[0, 0, 0, 0, 0], &ls[0, 0, 0, 0], &ds[0, 0, 0], &es[0, 0, 0], plan.blocks, &plan.c, i, j, &zs[0], &bs[0], level)


def rows(blocks, Plan plan not None, index):
    """Chosen rows in float64: y float64[n] and err float64[n] with |y_i − exact product of row index[i] with plan.exact| ≤ err_i.

    blocks: uint8[r, 34 b], the Q8_0 rows, with finite scales; index: int64[n], each in 0 … r − 1.  The bound is gamma_(b+7) of the sum of
    absolute products at most; the argument is in head.c.  The same numbers on every instruction set.  The GIL is released.
    RangeError naming the entry, LengthError, DtypeError, FloatEnvironmentError.
    """
    _made(plan)
    blocks = given("blocks", blocks, np.uint8, (None, plan.blocks * BLOCK_BYTES))
    index = given("index", index, np.int64, (None,))
    wrong = np.flatnonzero((index < 0) | (index >= blocks.shape[0]))
    if wrong.size:
        raise RangeError("index", int(index[wrong[0]]), f"there are {blocks.shape[0]} rows", int(wrong[0]))
    y, err = np.empty(index.shape), np.empty(index.shape)
    cdef const uint8_t[:, ::1] q = blocks
    cdef const int64_t[::1] at = index
    cdef double[::1] ys = y, errs = err
    cdef ptrdiff_t n = index.shape[0]
    cdef int level = _cpu.level()
    _cpu.check_environment()
    if n:
        with nogil:
            gnosis_head_rows(&q[0, 0], plan.blocks, &plan.c, &at[0], n, &ys[0], &errs[0], level)
    return y, err

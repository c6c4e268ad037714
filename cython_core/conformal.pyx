# cython: language_level=3, boundscheck=False, wraparound=False, binding=True, embedsignature=True
"""Order statistics of calibration scores: the threshold of a conformal gate, and what shards must keep for it.

Scores are float64, float32 or int64, ties and negative ones allowed.  Everything here is exact and decides on the bits
alone, so it does not depend on the floating-point environment.  A negative zero comes out as zero.
"""
import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result, whole
from gnosis.errors import DtypeError, LengthError, NonFiniteError, RangeError

from libc.stdint cimport int32_t, int64_t

cdef extern from "conformal.h":
    ptrdiff_t gnosis_kth_64(const int64_t *, ptrdiff_t, int, ptrdiff_t, int64_t *, int) nogil
    ptrdiff_t gnosis_kth_32(const int32_t *, ptrdiff_t, int, ptrdiff_t, int32_t *, int) nogil
    ptrdiff_t gnosis_digits_64(const int64_t *, ptrdiff_t, int, ptrdiff_t, int64_t *, int) nogil
    ptrdiff_t gnosis_largest_64(const int64_t *, ptrdiff_t, int, ptrdiff_t, int64_t *, int) nogil
    ptrdiff_t gnosis_digits_32(const int32_t *, ptrdiff_t, int, ptrdiff_t, int32_t *, int) nogil
    ptrdiff_t gnosis_largest_32(const int32_t *, ptrdiff_t, int, ptrdiff_t, int32_t *, int) nogil
    void gnosis_above_64(const int64_t *, ptrdiff_t, int, int64_t, int64_t *, ptrdiff_t, ptrdiff_t *, ptrdiff_t *, int) nogil
    void gnosis_above_32(const int32_t *, ptrdiff_t, int, int32_t, int32_t *, ptrdiff_t, ptrdiff_t *, ptrdiff_t *, int) nogil
    ptrdiff_t gnosis_finite_64(const int64_t *, ptrdiff_t, int, int) nogil
    ptrdiff_t gnosis_finite_32(const int32_t *, ptrdiff_t, int, int) nogil

DTYPES = (np.float64, np.float32, np.int64)
MOST = 2**62  # of counts


def kth_smallest(scores, k):
    """The k-th smallest score, counted from 1: `Gnosis.kthSmallest`.

    scores: float64[n], float32[n] or int64[n], n >= 0.  k: whole number >= 0.
    Returns a float, or an int for int64, in the unit of the scores; None, which stands for no finite
    threshold, for k = 0 and k > n.  `Gnosis.kthSmallest_spec` says what it is.
    About one pass over the scores, whatever their order.  Contiguous input is not copied; the GIL is released.
    Raises NonFiniteError naming the first entry that is NaN or infinite, RangeError, DtypeError, LengthError.
    """
    return _kth_smallest(scores, k, False)


def _kth_by_digits(scores, k):
    """The same, digit by digit: what `kth_smallest` turns to when its pivots fail.  For tests."""
    return _kth_smallest(scores, k, True)


def _kth_smallest(scores, k, bint digits):
    scores = given("scores", scores, DTYPES, (None,))
    rank, count = whole("k", k, 0, MOST), scores.shape[0]
    if not 1 <= rank <= count:
        _check_finite(scores)
        return None
    found = np.empty(1, scores.dtype)
    cdef bint is_float = scores.dtype != np.int64
    cdef const int64_t[::1] wide
    cdef const int32_t[::1] narrow
    cdef int64_t[::1] wide_out
    cdef int32_t[::1] narrow_out
    cdef ptrdiff_t n = count, r = rank - 1, bad
    cdef int level = _cpu.level()
    if scores.itemsize == 8:
        wide, wide_out = scores.view(np.int64), found.view(np.int64)
        with nogil:
            bad = (gnosis_digits_64 if digits else gnosis_kth_64)(&wide[0], n, is_float, r, &wide_out[0], level)
    else:
        narrow, narrow_out = scores.view(np.int32), found.view(np.int32)
        with nogil:
            bad = (gnosis_digits_32 if digits else gnosis_kth_32)(&narrow[0], n, is_float, r, &narrow_out[0], level)
    if bad >= 0:
        raise NonFiniteError("scores", float(scores[bad]), bad)
    return found[0].item()


def largest(scores, m, out=None):
    """The m largest scores, ascending, each as often as it occurs; all of them when there are no more than m.

    scores: float64[n], float32[n] or int64[n], n >= 0.  m: whole number >= 1.  out: None or an array of the type of the
    scores and length min(m, n), apart from them.  Returns that array.
    The threshold of rank k depends on the n + 1 - k largest only, so shards that keep that many lose nothing.
    Contiguous input is not copied; the GIL is released.
    Raises NonFiniteError naming the first entry that is NaN or infinite, RangeError, DtypeError, LengthError.
    After an error `out` is undefined.
    """
    scores = given("scores", scores, DTYPES, (None,))
    kept = min(whole("m", m, 1, MOST), scores.shape[0])
    out = result(out, scores.dtype.type, (kept,), (scores,))
    if kept:
        _largest(scores, out)
        out.sort()
    return out


cdef _largest(scores, out):
    """Fill `out` with as many of the largest scores, in no particular order."""
    cdef bint is_float = scores.dtype != np.int64
    cdef const int64_t[::1] wide
    cdef const int32_t[::1] narrow
    cdef int64_t[::1] wide_out
    cdef int32_t[::1] narrow_out
    cdef ptrdiff_t n = scores.shape[0], m = out.shape[0], bad
    cdef int level = _cpu.level()
    if scores.itemsize == 8:
        wide, wide_out = scores.view(np.int64), out.view(np.int64)
        with nogil:
            bad = gnosis_largest_64(&wide[0], n, is_float, m, &wide_out[0], level)
    else:
        narrow, narrow_out = scores.view(np.int32), out.view(np.int32)
        with nogil:
            bad = gnosis_largest_32(&narrow[0], n, is_float, m, &narrow_out[0], level)
    if bad >= 0:
        raise NonFiniteError("scores", float(scores[bad]), bad)


cdef _check_finite(scores, name="scores"):
    cdef const int64_t[::1] wide
    cdef const int32_t[::1] narrow
    cdef ptrdiff_t n = scores.shape[0], bad = -1
    cdef int level = _cpu.level()
    if not n or scores.dtype == np.int64:
        return
    if scores.itemsize == 8:
        wide = scores.view(np.int64)
        with nogil:
            bad = gnosis_finite_64(&wide[0], n, True, level)
    else:
        narrow = scores.view(np.int32)
        with nogil:
            bad = gnosis_finite_32(&narrow[0], n, True, level)
    if bad >= 0:
        raise NonFiniteError(name, float(scores[bad]), bad)


class Largest:
    """The largest scores of a stream and how many there were: all that a high threshold depends on.

    keep: how many are kept, whole number >= 1.  dtype: float64, float32 or int64.  count: scores seen so far.
    Rank k of n scores needs the n + 1 - k largest.  Merging is exact: shards that are merged give, bit for bit, the thresholds
    of one process that saw all scores, in whatever order.  Takes memory for at most 2 keep scores, and 4096.
    Can be pickled.  Not safe to change from several threads at once.
    Raises RangeError, DtypeError.
    """

    def __init__(self, keep, dtype=np.float64):
        self.keep = whole("keep", keep, 1, MOST)
        self.dtype = np.dtype(dtype)
        if self.dtype not in DTYPES:
            raise DtypeError("dtype", str(self.dtype), "must be float64, float32 or int64")
        self.count = 0
        self._held = np.empty(min(self.keep, 1024), self.dtype)  # the first _used of it count, in no order
        self._used = 0
        self._least = None  # once scores were dropped: all scores above it are held, and `keep` that are not below it

    def __repr__(self):
        return f"Largest(keep={self.keep}, dtype={self.dtype}, count={self.count})"

    def add(self, scores):
        """Take in scores, an array of the dtype and any length.  All or none: an error changes nothing.

        About one pass; contiguous input is not copied; the GIL is released.
        Raises NonFiniteError naming the first entry that is NaN or infinite, DtypeError, LengthError.
        """
        scores = given("scores", scores, self.dtype.type, (None,))
        _check_finite(scores)
        self._take(scores)
        self.count += scores.shape[0]

    def merge(self, other):
        """The largest scores of both streams; neither is changed.

        other: with the same keep and dtype.  Raises RangeError, DtypeError.
        """
        if not isinstance(other, Largest):
            raise DtypeError("other", other, "not a Largest")
        if other.keep != self.keep:
            raise RangeError("other", other.keep, f"keeps another number of scores than {self.keep}")
        if other.dtype != self.dtype:
            raise DtypeError("other", str(other.dtype), f"holds another type of scores than {self.dtype}")
        both = Largest(self.keep, self.dtype)
        both._take(self.top())
        both._take(other.top())
        both.count = self.count + other.count
        return both

    def top(self):
        """The min(keep, count) largest scores, ascending, in a new array."""
        return largest(self._held[: self._used], self.keep)

    def kth_smallest(self, k):
        """The k-th smallest of all `count` scores, exactly as `kth_smallest` on all of them would give it.

        k: whole number >= 0.  None for k = 0 and k > count.
        Raises RangeError when that depends on scores that were not kept, DtypeError.
        """
        rank = whole("k", k, 0, MOST)
        if not 1 <= rank <= self.count:
            return None
        needed, kept = self.count + 1 - rank, min(self.keep, self.count)
        if needed > kept:
            raise RangeError("k", k, f"needs the {needed} largest of {self.count} scores, and {kept} are kept")
        return kth_smallest(self._held[: self._used], self._used + 1 - needed)

    @classmethod
    def of(cls, keep, count, top):
        """The state that `keep`, `count` and `top()` describe, for what comes from elsewhere.

        top: float64, float32 or int64, of length min(keep, count), in any order.
        Raises NonFiniteError, RangeError, DtypeError, LengthError.
        """
        top = given("top", top, DTYPES, (None,))
        it = cls(keep, top.dtype)
        seen = whole("count", count, 0, MOST)
        if top.shape[0] != min(it.keep, seen):
            raise LengthError("top", top.shape, f"{seen} scores of which {it.keep} are kept leave {min(it.keep, seen)}")
        _check_finite(top, "top")
        it._take(top)
        if seen > it.keep:
            it._drop()
        it.count = seen
        return it

    def __reduce__(self):
        return Largest.of, (self.keep, self.count, self.top())

    def _drop(self):
        """Hold `keep` scores only."""
        self._held[: self.keep] = largest(self._held[: self._used], self.keep)
        self._used = self.keep
        self._least = self._held[0]

    def _room(self, wanted):
        """Make room for some more scores, if possible for `wanted`; returns for how many."""
        most = self.keep + max(self.keep, 4096)
        if self._used == most:
            self._drop()
        size = min(most, self._used + wanted)
        if size > len(self._held):
            held = np.empty(min(most, max(size, 2 * len(self._held))), self.dtype)
            held[: self._used] = self._held[: self._used]
            self._held = held
        return len(self._held) - self._used

    def _take(self, scores):
        cdef bint is_float = self.dtype != np.int64
        cdef const int64_t[::1] wide
        cdef const int32_t[::1] narrow
        cdef int64_t[::1] wide_out
        cdef int32_t[::1] narrow_out
        cdef ptrdiff_t n = scores.shape[0], at = 0, used, room
        cdef int64_t wide_least
        cdef int32_t narrow_least
        cdef int level = _cpu.level()
        while at < n:
            more = self._room(n - at)
            if self._least is None:
                more = min(more, n - at)
                self._held[self._used : self._used + more] = scores[at : at + more]
                self._used += more
                at += more
                continue
            used, room = self._used, len(self._held)
            least = np.array([self._least], self.dtype)
            if self.dtype.itemsize == 8:
                wide, wide_out, wide_least = scores.view(np.int64), self._held.view(np.int64), least.view(np.int64)[0]
                with nogil:
                    gnosis_above_64(&wide[0], n, is_float, wide_least, &wide_out[0], room, &at, &used, level)
            else:
                narrow, narrow_out, narrow_least = scores.view(np.int32), self._held.view(np.int32), least.view(np.int32)[0]
                with nogil:
                    gnosis_above_32(&narrow[0], n, is_float, narrow_least, &narrow_out[0], room, &at, &used, level)
            self._used = used

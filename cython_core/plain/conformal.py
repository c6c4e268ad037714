"""Order statistics of calibration scores; `gnosis.core.conformal` without a compiler.  numpy's sorting does the work, exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from gnosis.core.arguments import given, result, whole
from gnosis.errors import DtypeError, LengthError, NonFiniteError, RangeError

DTYPES = (np.float64, np.float32, np.int64)
MOST = 2**62  # of counts


def _check_finite(scores: np.ndarray, name: str = "scores") -> None:
    bad = ~np.isfinite(scores)
    if bad.any():
        index = int(np.argmax(bad))
        raise NonFiniteError(name, float(scores[index]), index)


def _sorted(scores: np.ndarray) -> np.ndarray:
    """Ascending; adding zero makes a negative zero zero, and changes nothing else."""
    return np.sort(scores + scores.dtype.type(0))


def kth_smallest(scores: Any, k: int) -> float | int | None:
    """The k-th smallest score, counted from 1: `Gnosis.kthSmallest`.

    scores: float64[n], float32[n] or int64[n], n >= 0.  k: whole number >= 0.  Returns a float, or an int for int64; None for k = 0 and
    k > n.  Raises NonFiniteError naming the first entry that is NaN or infinite, RangeError, DtypeError, LengthError.
    """
    scores = given("scores", scores, DTYPES, (None,))
    rank = whole("k", k, 0, MOST)
    _check_finite(scores)
    if not 1 <= rank <= len(scores):
        return None
    return np.partition(scores + scores.dtype.type(0), rank - 1)[rank - 1].item()


_kth_by_digits = kth_smallest


def largest(scores: Any, m: int, out: np.ndarray | None = None) -> np.ndarray:
    """The m largest scores, ascending, each as often as it occurs; all of them when there are no more than m.

    scores: float64[n], float32[n] or int64[n], n >= 0.  m: whole number >= 1.  out: None or an array of the type of the scores and length
    min(m, n), apart from them.  Raises NonFiniteError, RangeError, DtypeError, LengthError.
    """
    scores = given("scores", scores, DTYPES, (None,))
    kept = min(whole("m", m, 1, MOST), len(scores))
    out = result(out, scores.dtype.type, (kept,), (scores,))
    if kept:
        _check_finite(scores)
        out[:] = _sorted(scores)[len(scores) - kept :]
    return out


class Largest:
    """The largest scores of a stream and how many there were; see `gnosis.core.conformal.Largest` of an installation with kernels.

    keep: how many are kept, whole number >= 1.  dtype: float64, float32 or int64.  count: scores seen so far.
    """

    def __init__(self, keep: int, dtype: DTypeLike = np.float64) -> None:
        self.keep = whole("keep", keep, 1, MOST)
        self.dtype = np.dtype(dtype)
        if self.dtype not in DTYPES:
            raise DtypeError("dtype", str(self.dtype), "must be float64, float32 or int64")
        self.count = 0
        self._held = np.empty(0, self.dtype)  # ascending, at most `keep`

    def __repr__(self) -> str:
        return f"Largest(keep={self.keep}, dtype={self.dtype}, count={self.count})"

    def _take(self, scores: np.ndarray) -> None:
        both = _sorted(np.concatenate([self._held, scores]))
        self._held = both[max(0, len(both) - self.keep) :].copy()

    def add(self, scores: Any) -> None:
        """Take in scores.  All or none: an error changes nothing.  Raises NonFiniteError, DtypeError, LengthError."""
        scores = given("scores", scores, self.dtype.type, (None,))
        _check_finite(scores)
        self._take(scores)
        self.count += len(scores)

    def merge(self, other: Largest) -> Largest:
        """The largest scores of both streams; neither is changed.  Raises RangeError, DtypeError."""
        if not isinstance(other, Largest):
            raise DtypeError("other", other, "not a Largest")
        if other.keep != self.keep:
            raise RangeError("other", other.keep, f"keeps another number of scores than {self.keep}")
        if other.dtype != self.dtype:
            raise DtypeError("other", str(other.dtype), f"holds another type of scores than {self.dtype}")
        both = Largest(self.keep, self.dtype)
        both._take(self._held)
        both._take(other._held)
        both.count = self.count + other.count
        return both

    def top(self) -> np.ndarray:
        """The min(keep, count) largest scores, ascending, in a new array."""
        return self._held.copy()

    def kth_smallest(self, k: int) -> float | int | None:
        """The k-th smallest of all `count` scores.  None for k = 0 and k > count.  RangeError when it depends on scores that were not kept."""
        rank = whole("k", k, 0, MOST)
        if not 1 <= rank <= self.count:
            return None
        needed, kept = self.count + 1 - rank, min(self.keep, self.count)
        if needed > kept:
            raise RangeError("k", k, f"needs the {needed} largest of {self.count} scores, and {kept} are kept")
        return self._held[len(self._held) - needed].item()

    @classmethod
    def of(cls, keep: int, count: int, top: Any) -> Largest:
        """The state that `keep`, `count` and `top()` describe.  Raises NonFiniteError, RangeError, DtypeError, LengthError."""
        top = given("top", top, DTYPES, (None,))
        it = cls(keep, top.dtype)
        seen = whole("count", count, 0, MOST)
        if top.shape[0] != min(it.keep, seen):
            raise LengthError("top", top.shape, f"{seen} scores of which {it.keep} are kept leave {min(it.keep, seen)}")
        _check_finite(top, "top")
        it._take(top)
        it.count = seen
        return it

    def __reduce__(self) -> tuple[Any, ...]:
        return Largest.of, (self.keep, self.count, self.top())

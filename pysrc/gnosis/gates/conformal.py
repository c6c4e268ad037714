"""The conformal gate: may a coarse code be used when its residual is not known, only those of calibration runs are?

The scores are the residuals of n calibration runs.  For a level q the threshold is the k-th smallest score with
k = ⌈(n + 1)·q⌉, and the gate admits a margin γ when twice the threshold fits into it.  If the new score is exchangeable with
the scores, then "admitted, and yet the new residual is larger than γ/2" has a probability of at most 1 - q.  That is the
probability of both together: among the admitted alone the share can be larger.  With fewer scores than the level needs
(k > n) there is no finite threshold, and nothing is admitted.

The functions mirror `Gnosis/Decision/Conformal.lean` one for one, on plain integers.  The gate takes any finite numbers; a
common unit of scores and margin changes nothing.  Levels are read as written (`gnosis.numbers.levels`): .68 is 68/100, so
that 74 scores at level .68 have rank 51.

Units: scores u, margin γ u.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import conformal as kernel
from ..core import cpu
from ..errors import ArgumentError, DtypeError, LengthError, RangeError
from ..files import grammar, inputs, output
from ..numbers.bounds import enclose, enclosures, nonnegative_enclosures
from ..numbers.exact import Number, Vector, check_finite, nonnegative, number, plain_entries
from ..numbers.levels import Level, as_text, whole
from ..numbers.levels import level as read_level
from ..verdict import Verdict

# ---- the decisions, on integers ------------------------------------------------------------------------------------


def rank_lt(s: Sequence[int], x: int) -> int:
    """`Gnosis.rankLt`: how many entries are strictly below x."""
    return sum(y < x for y in s)


def lies(k: int, x: int, rest: Sequence[int]) -> bool:
    """`Gnosis.lies`: at least k calibration scores are strictly below the new score x."""
    return k <= rank_lt(rest, x)


def lies_order(k: int, order: Sequence[int]) -> bool:
    """`Gnosis.liesOrder`: `lies` with the head as the new score and the tail as calibration scores; False for []."""
    return bool(order) and lies(k, order[0], order[1:])


def conformal_rank(n: int, num: int, den: int) -> int:
    """`Gnosis.conformalRank`: ⌈(n + 1)·num / den⌉; 0 for den = 0."""
    return ((n + 1) * num + den - 1) // den if den else 0


def insert_up(x: int, l: Sequence[int]) -> list[int]:
    """`Gnosis.insertUp`: x before the first entry that is not below it."""
    i = next((i for i, y in enumerate(l) if x <= y), len(l))
    return [*l[:i], x, *l[i:]]


def sort_up(s: Sequence[int]) -> list[int]:
    """`Gnosis.sortUp`: ascending order."""
    return sorted(s)


def entry_at(l: Sequence[int], i: int) -> int | None:
    """`Gnosis.entryAt`: the entry at position i, counted from 0; None past the end."""
    return l[i] if i < len(l) else None


def kth_smallest(k: int, s: Sequence[int]) -> int | None:
    """`Gnosis.kthSmallest`: counted from 1; None for k = 0 and for k above the number of entries."""
    return entry_at(sort_up(s), k - 1) if k > 0 else None


def conformal_threshold(scores: Sequence[int], num: int, den: int) -> int | None:
    """`Gnosis.conformalThreshold`: the `conformal_rank`-th smallest score; None stands for +∞."""
    return kth_smallest(conformal_rank(len(scores), num, den), scores)


def conformal_admit(scores: Sequence[int], num: int, den: int, γ: int) -> bool:
    """`Gnosis.conformalAdmit`: there is a finite threshold t, 0 ≤ γ, and 2·t ≤ γ."""
    t = conformal_threshold(scores, num, den)
    return t is not None and 0 <= γ and 2 * t <= γ


def pool_above(pool: Sequence[int], S: Sequence[int]) -> int:
    """`Gnosis.poolAbove`: how many members of the pool lie strictly above every score of S."""
    return sum(all(y < x for y in S) for x in pool)


# ---- the gate, on any exact numbers --------------------------------------------------------------------------------

EXCHANGEABLE = "the new score and the calibration scores are exchangeable: every order of them is equally likely"


def rank(count: int, level: Level) -> int:
    """The conformal rank ⌈(count + 1)·level⌉, in integers; above `count` there is no finite threshold.

    count: number of scores, ≥ 0.  level: strictly between 0 and 1, as `gnosis.numbers.levels.level` reads it.
    Theorem `Gnosis.conformal_rank_spec`.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.conformal_rank_spec`.
    """
    q = read_level(level, "level")
    return conformal_rank(whole(count, "count"), q.numerator, q.denominator)


@dataclass(frozen=True)
class ConformalGate:
    """May a configuration be used whose residuals were calibrated?  Made by `calibrate` or `Calibration.gate`.

    level: q, strictly between 0 and 1.  count: number n of calibration scores.  threshold: the rank-th smallest of them,
    exact; None when rank > count.  rank: k = ⌈(n + 1)·q⌉.
    Theorem `Gnosis.conformal_admitted_failure_rate`: with probability at most 1 - q the gate admits and the new residual
    exceeds half the margin.  Assumes exchangeability.
    Raises RangeError (also for a threshold that is missing, or there although rank > count), NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.conformal_admitted_failure_rate_any_margin`.
    """

    level: Fraction
    count: int
    threshold: Fraction | None
    rank: int = field(init=False)

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, level: Level, count: int, threshold: Number | None) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", read_level(self.level, "level"))
        object.__setattr__(self, "rank", rank(self.count, self.level))
        if self.rank > self.count and self.threshold is not None:
            raise RangeError("threshold", self.threshold, f"rank {self.rank} of {self.count} scores has no finite threshold")
        if self.rank <= self.count and self.threshold is None:
            raise RangeError("threshold", None, f"rank {self.rank} of {self.count} scores has a finite threshold")
        if self.threshold is not None:
            object.__setattr__(self, "threshold", number(self.threshold, "threshold"))

    @property
    def rate(self) -> Fraction:
        """The lie-rate that holds, (n + 1 - k)/(n + 1) ≤ 1 - q; 0 when nothing is admitted.  Theorem `Gnosis.conformal_lie_rate_exchangeable`.

        Promises: theorem `Gnosis.conformal_lie_rate_exchangeable`.
        """
        return Fraction(max(0, self.count + 1 - self.rank), self.count + 1)

    @property
    def least_margin(self) -> Fraction | None:
        """The least margin that is admitted, 2·threshold or 0; None when none is.  Units u."""
        return None if self.threshold is None else max(Fraction(0), 2 * self.threshold)

    def decide(self, gamma: Number) -> Verdict:
        """gamma: a finite number ≥ 0, units u.

        Verdict.margin: γ - 2·threshold, units u, admitted at zero; None without a finite threshold, which refuses every γ.
        Raises NegativeError, NonFiniteError, DtypeError.
        """
        γ = nonnegative(gamma, "gamma")
        margin = None if self.threshold is None else γ - 2 * self.threshold
        return Verdict(admit=margin is not None and margin >= 0, margin=margin, theorem="Gnosis.conformal_admitted_failure_rate", assumes=(EXCHANGEABLE,))

    def decide_many(self, gamma: Vector) -> np.ndarray:
        """gamma: one-dimensional array or sequence of n numbers ≥ 0.  Returns bool[n], the answers of `decide`.

        Floats are compared with the least float64 that is not below twice the threshold, which is exact.
        Raises LengthError, NegativeError, NonFiniteError, DtypeError naming the index, FloatEnvironmentError.
        Promises: tested `floats: ConformalGate`, `tests/test_conformal.py::test_decide_many_at_the_threshold`.
        """
        cpu.check_environment()
        low, high = nonnegative_enclosures(gamma, "gamma")
        if low.ndim != 1:
            raise LengthError("gamma", low.shape, "must have one dimension")
        if self.threshold is None:
            return np.zeros(len(low), dtype=bool)
        above = enclose(2 * self.threshold)[1]
        admit = low >= above
        for i in np.flatnonzero(~admit & (high >= above)):
            admit[i] = self.decide(gamma[int(i)]).admit
        return admit


def calibrate(scores: Vector, level: Level) -> ConformalGate:
    """The gate of a level for n calibration scores.

    scores: one-dimensional array (float16/32/64 or integers) or sequence of n ≥ 0 finite numbers, units u, ties and negative
    values allowed.  level: strictly between 0 and 1, read as written.
    About one pass over an array of float64, float32 or int64, exact selection by a compiled kernel.
    Raises NonFiniteError naming the entry, LengthError, RangeError, DtypeError.
    Promises: tested `floats: core.conformal.kth_smallest`, `floats: ConformalGate of a Calibration`.
    """
    q = read_level(level, "level")
    plain_entries(scores, "scores")
    # the kernel takes these as they are; anything else goes by way of float64 or Fractions
    native = isinstance(scores, np.ndarray) and scores.ndim == 1 and scores.dtype in kernel.DTYPES
    values = np.ascontiguousarray(scores) if native else _values(scores, "scores")
    k = rank(len(values), q)
    return ConformalGate(q, len(values), _smallest(values, k))


# ---- calibration that grows, is merged and is kept --------------------------------------------------------------------


def kept_for(level: Level, count: int) -> int:
    """How many of the largest scores decide the level for up to `count` scores: ⌊(count + 1)·(1 - level)⌋, at least 1.

    Promises: tested `tests/test_conformal.py::test_merging_is_exact`.
    """
    return max(1, whole(count, "count") + 1 - rank(count, level))


class Calibration:
    """Calibration scores as they come in, on one machine or many.

    Only their number and the largest of them are kept, which is all that a threshold of a high level depends on: level q
    of n scores needs the ⌊(n + 1)·(1 - q)⌋ largest (`kept_for`).  Merging is exact: calibrating the shards and merging
    them gives the threshold of all scores together, in whatever order.

    keep: how many of the largest scores are kept; None for all.  Floats are kept as floats, exactly; other numbers exactly.
    Not safe to change from several threads at once.
    Promises: tested `tests/test_conformal.py::test_merging_is_exact`.
    """

    def __init__(self, keep: int | None = None) -> None:
        self.keep = None if keep is None else whole(keep, "keep", 1)
        self.count = 0
        self._top: np.ndarray = np.empty(0)  # the len(_top) largest of the first _folded scores, in no particular order
        self._folded = 0
        self._new: list[np.ndarray] = []  # the scores after them

    def __repr__(self) -> str:
        return f"Calibration(count={self.count}, kept={len(self._largest())}, keep={self.keep})"

    def add(self, scores: Vector | Number) -> None:
        """Take in one score or a one-dimensional array or sequence of scores.  All or none: an error changes nothing.

        Raises NonFiniteError naming the entry, LengthError, DtypeError.
        """
        given: Any = scores
        single = not isinstance(given, (np.ndarray, Sequence)) or np.ndim(given) == 0
        values = _values([given] if single else given, "scores")
        self._new.append(values)
        self.count += len(values)
        if self.count - self._folded > max(4096, len(self._top)):
            self._largest()

    def _largest(self) -> np.ndarray:
        """The kept scores."""
        if self._new:
            new = _joined(self._new)
            if len(self._top) < self._folded:  # scores below those kept are lost, so new ones below them have no place among the largest
                new = new[new >= self._top.min()]
            self._top = _largest(_joined([self._top, new]), self.keep)
            self._folded, self._new = self.count, []
        return self._top

    def merge(self, other: Calibration) -> Calibration:
        """The calibration of both sets of scores; neither is changed.  Keeps as many scores as the larger `keep` allows and as are certain.

        Raises DtypeError.
        """
        if not isinstance(other, Calibration):
            raise DtypeError("other", other, "not a Calibration")
        both = _joined([self._largest(), other._largest()])
        for part in (self, other):
            if len(part._top) < part.count:  # what `part` lost is at most the least score that it kept
                both = both[both >= part._top.min()]
        result = Calibration(None if self.keep is None or other.keep is None else max(self.keep, other.keep))
        result.count = result._folded = self.count + other.count
        result._top = _largest(both, result.keep)
        return result

    def gate(self, level: Level) -> ConformalGate:
        """The gate of a level, exactly that of `calibrate` on all scores.

        Raises RangeError when the level needs more of the largest scores than were kept; RangeError, NonFiniteError, DtypeError for the level.
        Promises: tested `tests/test_conformal.py::test_merging_is_exact`, `floats: ConformalGate of a Calibration`.
        """
        q = read_level(level, "level")
        k = rank(self.count, q)
        if k > self.count:
            return ConformalGate(q, self.count, None)
        needed, top = self.count + 1 - k, self._largest()
        if needed > len(top):
            raise RangeError("level", level, f"needs the {needed} largest of {self.count} scores, and {len(top)} are kept")
        return ConformalGate(q, self.count, _smallest(top, len(top) + 1 - needed))

    def dumps(self) -> str:
        """The calibration as JSON: count, keep, the kept scores, largest first, as exact fractions or hexadecimal floats, and a SHA-256 of all this.

        Promises: tested `tests/test_conformal.py::test_merging_is_exact`.
        """
        text = [_text(x) for x in np.sort(self._largest())[::-1].tolist()]
        data = {"format": FORMAT, "version": VERSION, "count": self.count, "keep": self.keep, "top": text}
        return json.dumps({**data, "sha256": _sha256(data)}, indent=1) + "\n"

    @classmethod
    def loads(cls, text: str) -> Calibration:
        """The calibration that `dumps` wrote.  Raises ArgumentError naming the field that is missing, unknown or impossible.

        Version 1, without the SHA-256, is read as well: whether one of its lines was taken out cannot be seen.
        """
        data = grammar.json_object(text, "calibration", None)
        if data.get("format") != FORMAT or type(data.get("version")) is not int or data["version"] not in (1, VERSION):
            raise ArgumentError("calibration", (data.get("format"), data.get("version")), f"not a calibration of format {FORMAT!r}, version 1 or {VERSION}")
        grammar.fields(data, {"format", "version", "count", "keep", "top", *(["sha256"] if data["version"] == VERSION else [])}, "calibration")
        result = cls(data["keep"])
        count = grammar.count(data["count"], "count")
        if not isinstance(data["top"], list):
            raise DtypeError("top", data["top"], "not a list")
        result._top = _values([_saved(x, i) for i, x in enumerate(data["top"])], "top")
        kept = len(result._top)
        if kept > count or (count and not kept) or (result.keep is not None and kept > result.keep):
            raise RangeError("top", kept, f"{count} scores with keep {result.keep} cannot have this many kept")
        if data["version"] == VERSION and data.pop("sha256") != _sha256(data):
            raise ArgumentError("sha256", _sha256(data), "the SHA-256 of the other fields; the file has another one, so that something in it was changed")
        result.count = result._folded = count
        return result

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write `dumps` to a file, whole or not at all, and have it on the disk before returning.  Raises OSError."""
        output.write(path, self.dumps())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Calibration:
        """Read what `save` wrote.  Raises OSError, and as `loads`."""
        return cls.loads(inputs.read_text(path, "calibration"))


FORMAT, VERSION = "gnosis.calibration", 2


def _sha256(data: dict[str, Any]) -> str:
    """Of the fields of a saved calibration, in their order."""
    return hashlib.sha256(grammar.exact_json(data)).hexdigest()


def _values(scores: Any, name: str) -> np.ndarray:
    """The scores as float64 when it holds every one exactly, else as Fractions."""
    plain_entries(scores, "scores")
    if isinstance(scores, (np.ndarray, Sequence)) and np.ndim(scores) != 1:
        raise LengthError(name, np.shape(scores), "must have one dimension")
    if not isinstance(scores, (np.ndarray, Sequence)) or isinstance(scores, (str, bytes)):
        raise DtypeError(name, scores, "not a vector of numbers")
    if isinstance(scores, np.ndarray) and scores.dtype in (np.float64, np.float32):
        if not np.isfinite(scores).all():
            check_finite(scores, name)
        return scores.astype(np.float64)
    low, high = enclosures(scores, name)
    return low if low is high else np.array([number(x, name, i) for i, x in enumerate(scores)], dtype=object)


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    if any(part.dtype == object for part in parts):
        parts = [part if part.dtype == object else np.array([Fraction(v) for v in part.tolist()], dtype=object) for part in parts]
    return np.concatenate(parts)


def _largest(values: np.ndarray, keep: int | None) -> np.ndarray:
    if keep is None or len(values) <= keep:
        return values
    return kernel.largest(values, keep) if values.dtype != object else np.partition(values, len(values) - keep)[len(values) - keep :]


def _smallest(values: np.ndarray, k: int) -> Fraction | None:
    """The k-th smallest, counted from 1; None for k above the number of values.  NonFiniteError."""
    if values.dtype != object:
        found = kernel.kth_smallest(values, k)
        return None if found is None else Fraction(found)
    return None if k > len(values) else number(np.partition(values, k - 1)[k - 1], "scores")


def _text(x: float | Fraction) -> str:
    """A hexadecimal float when it holds x exactly, else a fraction."""
    low, high = (x, x) if isinstance(x, float) else enclose(x)
    return low.hex() if low == high else as_text(Fraction(x), "scores")


def _saved(text: Any, i: int) -> Number:
    try:
        return grammar.hex_float(text, "top") if isinstance(text, str) and "x" in text else grammar.fraction(text, "top")
    except ArgumentError as error:
        raise type(error)("top", error.value, f"neither a fraction nor a hexadecimal float: {error.problem}", i) from None

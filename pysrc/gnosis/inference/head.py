"""The exact greedy token from a coarse pass over the output matrix; `exact` has it from a whole one.

1. One pass over the coarse plane gives for every row a score and a bound on its error.
2. The bounds hold (`Gnosis.head_within`; its part for the floats is argued in `head.c`), and rows that can win under them are the candidates
   (`Gnosis.candidates_contain_argmax`).
3. The candidates' rows are read whole and multiplied in float64, again with a bound; most of them drop out.
4. What float64 cannot tell apart is computed in whole numbers; equal scores go to the lowest index.

So the answer is the argmax of the exact products (`Gnosis.head_serves_argmax`), the first k rows are the exact ones in order
(`Gnosis.head_serves_top_k`), and a lead that the bounds show is a lower bound of the exact one (`Gnosis.head_lead_sound`).  "Exact"
means without any rounding, of the float32 activation with the weights that the head is true to: the decoded Q8_0 weights, or the
original ones where they are given.  Then the error of the code (`Gnosis.energy_split_sound`) is added to every bound of step 2, and steps 3
and 4 are done on the original's rows.  How the activation itself came about is not part of the statement.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ..core import head as kernel
from ..core import margin
from ..errors import LengthError, RangeError
from ..lm.weights import Weight
from ..numbers.bounds import above, enclose
from ..numbers.exact import is_integer
from .codes import NestedCode, Price, activation
from .original import CODE, ORIGINAL, Original, taken

SPLIT = 64  # columns; fewer leave more candidates, more cost more than they save


@dataclass(frozen=True)
class Token:
    """What was found for one activation, and what it took.

    token: the argmax of the exact products, lowest index on ties.
    coarse_margin: the best lower bound of a row less the largest upper bound of any other, from the coarse pass alone, in the unit of the products.
    `CertifiedHead` rounds it downwards, once: it is at most the exact lead of that row, and positive exactly when that pass decided.
    candidates: rows that could win after the coarse pass; contenders: after float64; more than one contender means whole numbers decided.
    tightness: largest error of the coarse score over its bound among the candidates, None when none was recomputed.
    split: columns taken with their whole code, 0 for a pass that takes all of them so.  price: bytes read.
    theorem: what makes the token the exact one.  true_to: the products of which weights it is about, "stored code" or "original weights".
    Promises: theorem `Gnosis.head_lead_sound`, `Gnosis.head_serves_argmax`.
    """

    token: int
    coarse_margin: float
    candidates: int
    contenders: int
    tightness: float | None
    split: int
    price: Price
    theorem: str = "Gnosis.head_serves_argmax"
    true_to: str = CODE


class CertifiedHead:
    """An output matrix whose argmax is exact, by a coarse pass over 4 bits of each weight.

    `gnosis.inference.ExactHead` gives the same answers by a whole pass of the engine, and sooner (docs/head.md).

    weight: Q8_0 matrix of at least 2 rows, a NestedCode of it, or float32[rows, columns] (float16 as well), which is coded here.  original: float32[rows, columns]
    that the code was made from.  true_to: what every answer and bound is about: "original weights" where they were given, by either argument,
    else "stored code": then nothing is said about the weights that the code was made from.  split: how many columns, of largest activation, are taken with
    their whole code (64 when None, or all where there are fewer).  threads: rows are shared out over that many.
    Raises DtypeError, RangeError, LengthError, each naming the argument, and NonFiniteError (a scale).
    Promises: theorem `Gnosis.head_within`, `Gnosis.head_serves_argmax`, `Gnosis.energy_split_sound`.
    """

    def __init__(self, weight: Weight | NestedCode | np.ndarray, split: int | None = None, threads: int = 1, original: np.ndarray | None = None) -> None:
        self.code, self.original = taken(weight, original)
        self.true_to = CODE if self.original is None else ORIGINAL
        if self.code.rows < 2:
            raise LengthError("weight", (self.code.rows, self.code.columns), "a head has at least two rows")
        split = min(SPLIT, self.code.columns) if split is None else split
        for name, value, most in (("split", split, self.code.columns), ("threads", threads, 1024)):
            if not is_integer(value) or not (name == "threads") <= value <= most:
                raise RangeError(name, value, f"must lie between {int(name == 'threads')} and {most}")
        self.split, self.threads = int(split), int(threads)
        self.weight, self.rows, self.columns, self.nbytes = self.code.weight, self.code.rows, self.code.columns, self.code.nbytes
        groups = len(self.code.planes[0])
        self._cuts = [groups * i // self.threads for i in range(self.threads + 1)]
        self._room = threading.local()  # z, eps and candidates of the thread's last call: new memory would cost a tenth of the pass
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def argmax(self, a: np.ndarray) -> int:
        """The index of the largest exact product with a float32[columns], lowest on ties.  Raises as `decide`.

        Promises: theorem `Gnosis.head_serves_argmax`.
        """
        return self.decide(a).token

    def argmax_many(self, a: np.ndarray) -> np.ndarray:
        """`argmax` of each row of a float32[n, columns], int64[n]."""
        if not isinstance(a, np.ndarray) or a.ndim != 2:
            raise LengthError("activations", getattr(a, "shape", None), "must have two dimensions")
        return np.array([self.argmax(row) for row in a], np.int64)

    def decide(self, a: np.ndarray) -> Token:
        """`argmax`, and what it took.

        a: float32[columns].  Raises NonFiniteError naming the entry, DtypeError, LengthError, FloatEnvironmentError.
        """
        a = activation(a, self.code.columns)
        if not a.any():  # every product is zero
            return Token(0, 0.0, self.code.rows, self.code.rows, None, 0, Price(0, 0, 0, 0), true_to=self.true_to)
        plan, z, eps = self._coarse(a)
        if self.original is not None:
            return self._of_original(a, plan, z.astype(np.float64), self._wider(a, plan, eps), self.original)
        chosen = margin.candidates(z, eps, self._room.chosen)
        ahead = enclose(_lead(z, eps, chosen) * Fraction(2) ** plan.exponent)[0]
        if len(chosen) == 1:
            return Token(int(chosen[0]), ahead, 1, 1, None, plan.split, self.code.price(plan.split, 0))
        y, err = kernel.rows(self.code.weight.raw, plan, chosen)
        left = margin.candidates(y, err)
        error, bound = np.abs(y - z[chosen]), eps[chosen].astype(np.float64)
        tightness = float(np.max(np.divide(error, bound, out=np.zeros_like(error), where=bound > 0)))  # a bound of zero comes with an error of zero
        token = chosen[left[0]] if len(left) == 1 else self._first(a, chosen[left])
        return Token(int(token), ahead, len(chosen), len(left), tightness, plan.split, self.code.price(plan.split, len(chosen)))

    def top_k(self, a: np.ndarray, k: int) -> list[tuple[int, Fraction]]:
        """The k largest exact products with their rows, in descending order, lowest index first on ties.

        Theorem `Gnosis.head_serves_top_k`: at least k rows reach the k-th largest lower bound; a row whose upper bound is below it has k rows above it and is out.  Rounding of
        the bounds' sums is monotone, so comparing the rounded sums loses no row.  1 ≤ k ≤ rows; RangeError; and as `decide`.
        Promises: theorem `Gnosis.head_serves_top_k`.
        """
        a = activation(a, self.code.columns)
        if not is_integer(k) or not 1 <= k <= self.code.rows:
            raise RangeError("k", k, f"must lie between 1 and {self.code.rows}")
        if not a.any():
            return [(i, Fraction(0)) for i in range(int(k))]
        plan, z, eps = self._coarse(a)
        if self.original is not None:
            chosen = reach(z.astype(np.float64), self._wider(a, plan, eps), int(k))
            chosen = chosen[reach(*self.original.products(a, chosen), int(k))]
            return descending(chosen, self.original.exact(a, chosen), int(k))
        chosen = reach(z.astype(np.float64), eps.astype(np.float64), int(k))
        y, err = kernel.rows(self.code.weight.raw, plan, chosen)
        chosen = chosen[reach(y, err, int(k))]
        exact = self.code.exact(a, chosen)
        return descending(chosen, exact, int(k))

    def certified_margin(self, a: np.ndarray) -> Fraction:
        """How far the largest exact product is ahead of the second largest, exactly; 0 on a tie.

        Theorem `Gnosis.head_certified_margin`.  Raises as `decide`.
        Promises: theorem `Gnosis.head_certified_margin`.
        """
        (_, first), (_, second) = self.top_k(a, 2)
        return first - second

    def bounds(self, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coarse scores and their error bounds, float64[rows] each, in the unit of the products, for the weights of `true_to`.  Raises as `decide`."""
        a = activation(a, self.code.columns)
        plan, z, eps = self._coarse(a)
        wide = eps.astype(np.float64) if self.original is None else self._wider(a, plan, eps)
        with np.errstate(over="ignore"):
            return np.ldexp(z.astype(np.float64), plan.exponent), np.ldexp(wide, plan.exponent)

    def _wider(self, a: np.ndarray, plan: kernel.Plan, eps: np.ndarray) -> np.ndarray:
        """float64[rows]: the bounds of the coarse pass and of the code together, in the unit of the pass."""
        assert self.original is not None
        with np.errstate(over="ignore", under="ignore"):
            code = above(np.ldexp(self.original.code_error(a), -plan.exponent))
        return np.where(self.original.energies == 0, eps, above(eps + code))

    def _of_original(self, a: np.ndarray, plan: kernel.Plan, z: np.ndarray, eps: np.ndarray, original: Original) -> Token:
        """`decide` for the original's products: its rows are read where the code leaves several."""
        chosen = reach(z, eps, 1)
        finite = bool(np.isfinite(eps).all())
        ahead = enclose(_lead(z, eps, chosen) * Fraction(2) ** plan.exponent)[0] if finite else -math.inf
        if len(chosen) == 1:
            return Token(int(chosen[0]), ahead, 1, 1, None, plan.split, self.code.price(plan.split, 0), true_to=ORIGINAL)
        y, err = original.products(a, chosen)
        left = reach(y, err, 1)
        token = int(chosen[left[0]])
        if len(left) > 1:
            exact = original.exact(a, chosen[left])
            token = int(chosen[left[exact.index(max(exact))]])
        coarse = self.code.price(plan.split, 0)
        price = Price(coarse.coarse, coarse.sidecar + original.energies.nbytes, coarse.split, len(chosen) * original.rows.shape[1] * original.rows.itemsize)
        return Token(token, ahead, len(chosen), len(left), None, plan.split, price, true_to=ORIGINAL)

    def _coarse(self, a: np.ndarray) -> tuple[kernel.Plan, np.ndarray, np.ndarray]:
        """Scores and bounds of all rows, in memory that the thread's next call uses again."""
        plan = kernel.Plan(a, self.split)
        if not hasattr(self._room, "scores"):
            self._room.scores = np.empty((2, len(self.code.planes[0]) * kernel.GROUP), np.float32)
            self._room.chosen = np.empty(self.code.rows, np.int64)
        z, eps = self._room.scores
        if self._pool is None:
            kernel.coarse(plan, self.code.planes, self._cuts[0], self._cuts[1], z, eps)
        else:
            list(self._pool.map(lambda first, last: kernel.coarse(plan, self.code.planes, first, last, z, eps), self._cuts[:-1], self._cuts[1:]))
        return plan, z[: self.code.rows], eps[: self.code.rows]

    def _first(self, a: np.ndarray, rows: np.ndarray) -> int:
        """The winner among rows (ascending) that float64 cannot tell apart."""
        scores = self.code.exact(a, rows)
        return int(rows[scores.index(max(scores))])


def _lead(z: np.ndarray, eps: np.ndarray, chosen: np.ndarray) -> Fraction:
    """Largest z − eps among the chosen rows less the largest z + eps of another row, without rounding.

    Theorem `Gnosis.head_lead_sound`: a lower bound of how far that row is ahead, when z and eps hold.
    """
    at = chosen[[_largest(z[chosen], -eps[chosen])]]
    others = np.delete(chosen, np.searchsorted(chosen, at)) if len(chosen) > 1 else np.delete(np.arange(len(z)), at)
    low, rival = int(at[0]), int(others[_largest(z[others], eps[others])])
    return Fraction(float(z[low])) - Fraction(float(eps[low])) - Fraction(float(z[rival])) - Fraction(float(eps[rival]))


def _largest(x: np.ndarray, y: np.ndarray) -> int:
    """Where the sum of two float32 arrays is largest, exactly: by the float64 sum, then by what that rounded away."""
    a, b = x.astype(np.float64), y.astype(np.float64)
    total = a + b
    ties = np.flatnonzero(total == total.max())
    a, b, total = a[ties], b[ties], total[ties]
    part = total - a  # Knuth's two-sum: the error of an addition is a float, and these operations find it
    return int(ties[np.argmax((a - (total - part)) + (b - part))])


def descending(rows: np.ndarray, exact: Sequence[Fraction], k: int) -> list[tuple[int, Fraction]]:
    """The k largest of these exact products with their rows, lowest index first on ties.

    Promises: tested `tests/test_head.py::test_ties_go_to_the_lowest_index`.
    """
    return sorted(zip(map(int, rows), exact), key=lambda pair: (-pair[1], pair[0]))[:k]


def reach(z: np.ndarray, eps: np.ndarray, k: int) -> np.ndarray:
    """Rows whose upper bound reaches the k-th largest lower bound, int64, ascending.

    Promises: tested `tests/test_head.py::test_argmax_top_k_and_margin_are_exact`, `floats: CertifiedHead`.
    """
    low = z - eps
    return np.flatnonzero(z + eps >= np.partition(low, len(low) - k)[len(low) - k])

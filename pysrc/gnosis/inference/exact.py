"""The exact greedy token from one whole pass of the engine over the output matrix.

1. One pass with activations of 16 bits gives for every row a score and a bound on its error: from the norm of the row and how far the whole
   activations are from the real ones (`Gnosis.energy_sidecar_sound`), and for every rounding of the pass (argued in `engine_head.c`).
2. Rows that can win under the bounds are the candidates (`Gnosis.candidates_contain_argmax`); nearly always it is one.
3. Where there are more, their rows are multiplied again in float64, with a bound, and what float64 cannot tell apart in whole numbers; equal
   products go to the lowest index.

The order of work is `gnosis.gates.head.head_served`, on floats, so the answer is the argmax of the exact products (`Gnosis.head_serves_argmax`).  "Exact"
means the decoded weights times the float32 activation, without any rounding: what `gnosis.inference.reference` computes.
"""

from __future__ import annotations

import os
import threading
from fractions import Fraction

import numpy as np

from ..core import engine as kernel
from ..core import margin
from ..engine import Engine
from ..errors import DtypeError, LengthError, RangeError
from ..lm.weights import Weight
from ..numbers.bounds import enclose
from ..numbers.exact import integers, is_integer
from .codes import Price, activation
from .head import Token, descending, reach
from .original import CODE


class ExactHead:
    """An output matrix whose argmax is exact, for every code of the engine.

    source: a matrix of at least 2 rows, packed once more; or an `Engine`, whose packed head and threads are used, while it is open.
    threads: of a matrix of its own, 1 to 256.  split: None, no columns are split off.  true_to: "stored code": answers are about the decoded weights.  nbytes: of the packed weights (a matrix of its own) and of the norms of rows.
    Calls from several threads wait for each other.
    Raises LengthError, RangeError (a row with a norm above 2^100), NonFiniteError naming the row, MemoryError.
    Promises: theorem `Gnosis.energy_sidecar_sound`, `Gnosis.head_serves_argmax`.
    """

    def __init__(self, source: Weight | Engine, threads: int = 1) -> None:
        self.engine = source if isinstance(source, Engine) else None
        self.weight = source if isinstance(source, Weight) else source.model.weights[source.model.head_name]
        self.rows, self.columns, self.split = self.weight.rows, self.weight.columns, None
        if self.rows < 2:
            raise LengthError("source", (self.rows, self.columns), "a head has at least two rows")
        self.true_to = CODE
        self._lock, self._process = threading.Lock(), os.getpid()
        w = self.weight
        self._kernel = kernel.Head(w.encoding, w.raw, w.columns, threads=threads) if self.engine is None else self.engine.head()
        self.nbytes = self._kernel.nbytes
        self._whole = self._price(0)

    def argmax(self, a: np.ndarray) -> int:
        """The index of the largest exact product with a float32[columns], lowest on ties.  Raises as `decide`.

        Promises: theorem `Gnosis.head_serves_argmax`.
        """
        return self.decide(a).token

    def argmax_many(self, a: np.ndarray) -> np.ndarray:
        """`argmax` of each row of a float32[n, columns], int64[n]."""
        return np.array([found.token for found in self.decide_many(a)], np.int64)

    def decide(self, a: np.ndarray) -> Token:
        """`argmax`, and what it took.

        a: float32[columns].  Raises NonFiniteError naming the place, DtypeError, LengthError, RangeError (a closed engine), FloatEnvironmentError.
        """
        a = activation(a, self.columns)
        with self._alone():
            (found,) = self._kernel.left(a[None])
            return self._token(a, *found)

    def decide_many(self, a: np.ndarray) -> list[Token]:
        """`decide` of each row of a float32[n, columns].  The matrix is read once for 64 of them; every answer is the one it has alone."""
        if not isinstance(a, np.ndarray) or a.dtype != np.float32:
            raise DtypeError("activations", getattr(a, "dtype", type(a).__name__), "must be an array of float32; nothing is converted silently")
        if a.ndim != 2 or a.shape[1] != self.columns:
            raise LengthError("activations", a.shape, f"must have two dimensions, and the matrix has {self.columns} columns")
        found: list[Token] = []
        for first in range(0, len(a), kernel.TOKENS):
            some = a[first : first + kernel.TOKENS]
            with self._alone():
                found += [self._token(row, *what) for row, what in zip(some, self._kernel.left(some))]
        return found

    def top_k(self, a: np.ndarray, k: int) -> list[tuple[int, Fraction]]:
        """The k largest exact products with their rows, in descending order, lowest index first on ties.

        Theorem `Gnosis.head_serves_top_k`, the order of work being `gnosis.gates.head.head_top_k`.  1 ≤ k ≤ rows; RangeError; and as `decide`.
        Promises: theorem `Gnosis.head_serves_top_k`.
        """
        a = activation(a, self.columns)
        if not is_integer(k) or not 1 <= k <= self.rows:
            raise RangeError("k", k, f"must lie between 1 and {self.rows}")
        with self._alone():
            exponent, z, eps = self._bounded(a)
            if not a.any():
                return [(i, Fraction(0)) for i in range(int(k))]
            chosen = reach(z, eps, int(k))
            y, err = self._kernel.products(_wide(a, exponent), chosen)
        chosen = chosen[reach(y, err, int(k))]
        exact = products(self.weight, a, chosen)
        return descending(chosen, exact, int(k))

    def certified_margin(self, a: np.ndarray) -> Fraction:
        """How far the largest exact product is ahead of the second largest, exactly; 0 on a tie.

        Theorem `Gnosis.head_certified_margin`.  Raises as `decide`.
        Promises: theorem `Gnosis.head_certified_margin`.
        """
        (_, first), (_, second) = self.top_k(a, 2)
        return first - second

    def bounds(self, a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Scores of the pass and their error bounds, float64[rows] each, in the unit of the products.  Raises as `decide`."""
        with self._alone():
            exponent, z, eps = self._bounded(activation(a, self.columns))
        with np.errstate(over="ignore"):
            return np.ldexp(z, exponent), np.ldexp(eps, exponent)

    def unbounded(self, a: np.ndarray, bits: int = 8) -> np.ndarray:
        """What a pass without any bound takes for the argmax of each row of a float32[n, columns], n from 1 to 64; int64[n].  For comparison."""
        with self._alone():
            return self._kernel.largest(a, bits)

    def _bounded(self, a: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
        """Exponent, and scores and bounds of all rows as float64, of one activation."""
        z, eps = np.empty((2, 1, self._kernel.stride), np.float32)
        exponents, _, _ = self._kernel.scores(a[None], z, eps)
        return int(exponents[0]), z[0, : self.rows].astype(np.float64), eps[0, : self.rows].astype(np.float64)

    def _token(self, a: np.ndarray, exponent: int, rows: np.ndarray, z: np.ndarray, eps: np.ndarray, lead: float) -> Token:
        if not exponent and not a.any():  # every product is zero
            return Token(0, 0.0, self.rows, self.rows, None, 0, self._whole)
        chosen, ahead = margin.candidates(z, eps), enclose(Fraction(lead) * Fraction(2) ** exponent)[0]
        if len(chosen) == 1:
            return Token(int(rows[chosen[0]]), ahead, 1, 1, None, 0, self._whole)
        rows, z, eps = rows[chosen], z[chosen], eps[chosen]
        y, err = self._kernel.products(_wide(a, exponent), rows)
        left = margin.candidates(y, err)
        tightness = float(np.max(np.abs(y - z) / eps))  # no bound is zero
        token = rows[left[0]] if len(left) == 1 else self._first(a, rows[left])
        return Token(int(token), ahead, len(rows), len(left), tightness, 0, self._price(len(rows)))

    def _first(self, a: np.ndarray, rows: np.ndarray) -> int:
        """The winner among rows (ascending) that float64 cannot tell apart."""
        scores = products(self.weight, a, rows)
        return int(rows[scores.index(max(scores))])

    def _price(self, rows: int) -> Price:
        """What a pass over the rounded-up rows reads, with norms, and rows again."""
        row, more = self.weight.raw.shape[1], self._kernel.stride
        return Price(more * row, self._kernel.norm_bytes, 0, rows * row)

    def _alone(self) -> threading.Lock:
        """The lock of this process: one that another thread held when the process was forked is never given back."""
        if self.engine is not None:
            return self.engine.alone()
        if self._process != os.getpid():
            self._lock, self._process = threading.Lock(), os.getpid()
        return self._lock


def products(weight: Weight, a: np.ndarray, index: np.ndarray) -> list[Fraction]:
    """The products of chosen rows, decoded, with an activation, in whole numbers and without any rounding.

    a: float32[columns], finite; index: int[n].  Rows of the same bytes are computed once.
    Promises: tested `tests/test_exact_head.py::test_every_bound_holds_exactly`.
    """
    x, unit = integers(a, "activation")
    known: dict[bytes, Fraction] = {}
    out = []
    for i in index.tolist():
        key = weight.raw[i].tobytes()
        if key not in known:
            row, per = integers(weight.decoded(i, i + 1)[0], "row")
            known[key] = sum(w * v for w, v in zip(row, x)) * unit * per
        out.append(known[key])
    return out


def _wide(a: np.ndarray, exponent: int) -> np.ndarray:
    """a · 2^-exponent, exactly."""
    return np.ldexp(a.astype(np.float64), -exponent)

"""A cache of keys or values in a lattice code: what is coded is admitted by the energy gate and charged to a ledger.

A vector k of a head is coded as k̂ with a sidecar E ≥ energy (k − k̂).  Whatever reads it multiplies it with some vector q (for
keys the query, already divided by √width) of energy at most A, so the product moves by at most √(E·A), and by at most γ/2 if
the gate 4·E·A ≤ γ² admits.  A moved score of one key changes the attention weights by a total variation of at most
tanh(√(E·A)/4) (the spread of the change is √(E·A), since no other score moves), so a fourth of √(E·A) bounds the loss of a
key; what a moved value costs the user has to say.

A write is coded only if the gate admits it and then the ledger takes the bound of its loss; otherwise the vector is kept
exactly, in float32, and nothing is charged.  Rounding is to nearest, so the loss is fixed before the ledger is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..codes.lattice import Code, Quantized, quantize
from ..errors import DtypeError, LengthError, RangeError
from ..gates.energy import SidecarGate
from ..numbers import outward
from ..numbers.exact import Number, check_finite, is_integer, nonnegative, plain
from ..verdict import Verdict

READERS = "whatever multiplies a vector of the cache has an energy of at most `energy`"


class Ledger(Protocol):
    """What a cache asks before it codes a vector; `gnosis.gates.cumloss.ChargeAccount` is one."""

    def propose(self, bound: Number, /) -> Verdict:
        """Charge a loss of at most `bound` (from 0 to 1) if it fits, and say whether it did.

        Promises: tested `tests/test_kv.py::test_a_real_account_is_never_overdrawn`.
        """
        ...


@dataclass(frozen=True)
class Codec:
    """How the vectors of one head are coded and judged.

    code: points per weight.  gamma: twice the largest shift of a product that is admitted, ≥ 0.  energy: A, upper bound of
    the energy of every vector that the cached ones are multiplied with, ≥ 0.  loss: of a shift by 1, ≥ 0, in the unit of the
    ledger; 1/4 is the total variation of attention weights per unit of a score.  exponent: of the scales (a float16 each
    times 2^exponent), for vectors far outside 10^-5 … 10^5.
    Theorem `Gnosis.energy_sidecar_sound`.  Raises NonFiniteError, NegativeError, RangeError, DtypeError.
    Promises: theorem `Gnosis.energy_sidecar_sound`.
    """

    code: Code
    gamma: Number
    energy: Fraction
    loss: Fraction = Fraction(1, 4)
    exponent: int = 0
    gate: SidecarGate = field(init=False)

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, code: Code, gamma: Number, energy: Number, loss: Number = Fraction(1, 4), exponent: int = 0) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.code, Code):
            raise DtypeError("code", self.code, "not a Code")
        object.__setattr__(self, "energy", nonnegative(self.energy, "energy"))
        object.__setattr__(self, "loss", nonnegative(self.loss, "loss"))
        object.__setattr__(self, "gate", SidecarGate(self.gamma))
        if isinstance(self.exponent, bool) or not isinstance(self.exponent, int) or not -96 <= self.exponent <= 96:
            raise RangeError("exponent", self.exponent, "must be a whole number from -96 to 96")

    def bound(self, E: Number) -> Fraction:
        """Upper bound of the loss of coding a vector with residual energy at most E: loss·√(E·A) rounded up, at most 1.

        Promises: tested `tests/test_kv.py::test_the_bound_is_never_too_small`, `floats: kv bound`.
        """
        return min(Fraction(1), self.loss * outward.sqrt(nonnegative(E, "E") * self.energy).high)


@dataclass(frozen=True)
class Write:
    """What became of one vector.

    admit: whether it was coded; otherwise it is kept exactly.  energy: E of the code.  bound: of the loss.  gate: answer of
    the energy gate.  ledger: answer of the ledger, None when the gate had refused and nothing was proposed.
    Promises: tested `tests/test_kv.py::test_what_is_read_is_what_was_admitted`.
    """

    admit: bool
    energy: float
    bound: Fraction
    gate: Verdict
    ledger: Verdict | None


class Head:
    """The vectors of one head in the order of writing.

    Sidecar and code of what was coded, float32 of the rest.  Made by `Cache`.
    """

    def __init__(self, codec: Codec, width: int) -> None:
        self.codec, self.width = codec, width
        self._coded: list[bool] = []
        self._scales: list[np.ndarray] = []
        self._words: list[np.ndarray] = []
        self._energy: list[float] = []
        self._exact: list[np.ndarray] = []

    def __len__(self) -> int:
        return len(self._coded)

    @property
    def coded(self) -> np.ndarray:
        """Which vectors are coded: bool[n]."""
        return np.array(self._coded, dtype=bool)

    @property
    def energy(self) -> np.ndarray:
        """Upper bounds of the residual energies, float64[n]; 0 for what is kept exactly.

        Promises: tested `floats: kv cache`.
        """
        out = np.zeros(len(self))
        out[self.coded] = self._energy
        return out

    @property
    def nbytes(self) -> int:
        """Bytes of codes, scales, sidecars and exact vectors, and one bit each to tell which is which.

        Promises: tested `tests/test_kv.py::test_what_is_read_is_what_was_admitted`.
        """
        parts = (*self._scales, *self._words, *self._exact)
        return sum(part.nbytes for part in parts) + 8 * len(self._energy) + -(-len(self) // 8)

    def read(self) -> np.ndarray:
        """All vectors, float32[n, width]: decoded or exact.

        Promises: tested `tests/test_kv.py::test_what_is_read_is_what_was_admitted`.
        """
        out = np.empty((len(self), self.width), np.float32)
        coded = self.coded
        if coded.any():
            out[coded] = Quantized(
                self.codec.code, self.width, self.codec.exponent, np.array(self._scales), np.array(self._words), np.array(self._energy)[:, None], self.width
            ).decode()
        if not coded.all():
            out[~coded] = self._exact
        return out

    def _keep(self, vector: np.ndarray, found: Quantized, row: int, admit: bool) -> None:
        if admit:
            self._scales.append(found.scales[row].copy())
            self._words.append(found.words[row].copy())
            self._energy.append(float(found.energy[row, 0]))
        else:
            self._exact.append(vector.copy())
        self._coded.append(admit)

    def _truncate(self, length: int) -> None:
        coded = sum(self._coded[:length])
        del self._scales[coded:], self._words[coded:], self._energy[coded:], self._exact[length - coded :], self._coded[length:]


class Cache:
    """Keys, or values, of one layer.

    codecs: one for each head.  width: of a vector.  ledger: what admitted writes are charged to; several caches may share one.
    heads: a `Head` each.
    """

    def __init__(self, codecs: Sequence[Codec], width: int, ledger: Ledger) -> None:
        if not is_integer(width) or width < 1:
            raise RangeError("width", width, "must be a whole number, at least 1")
        if not codecs:
            raise LengthError("codecs", 0, "there must be a head")
        for i, codec in enumerate(codecs):
            if not isinstance(codec, Codec):
                raise DtypeError("codecs", codec, "not a Codec", i)
        self.ledger = ledger
        self.width = int(width)
        self.heads = tuple(Head(codec, self.width) for codec in codecs)

    def __len__(self) -> int:
        """Tokens written."""
        return len(self.heads[0])

    def write(self, vectors: np.ndarray) -> list[list[Write]]:
        """Append tokens: float32[tokens, heads, width].  Returns what became of each vector, one list a token.

        The ledger is asked token by token, head by head.  Bad input changes nothing.  If the ledger raises, the cache is as
        it was before, and what the ledger has charged for the tokens before stays charged.
        Raises DtypeError, LengthError, NonFiniteError naming (token, head, place), RangeError (an entry above 2^120),
        FloatEnvironmentError.
        """
        if not isinstance(vectors, np.ndarray) or vectors.dtype != np.float32:
            raise DtypeError("vectors", getattr(vectors, "dtype", vectors), "must be an array of float32")
        if plain(vectors, "vectors").ndim != 3 or vectors.shape[1:] != (len(self.heads), self.width):
            raise LengthError("vectors", vectors.shape, f"must be (tokens, {len(self.heads)}, {self.width})")
        if not len(vectors):
            return []
        check_finite(vectors, "vectors")
        found = [quantize(vectors[:, h], head.codec.code, exponent=head.codec.exponent) for h, head in enumerate(self.heads)]
        before = len(self)
        try:
            return [[self._write(head, vectors[token, h], found[h], token) for h, head in enumerate(self.heads)] for token in range(len(vectors))]
        except BaseException:
            self.truncate(before)  # heads of unequal lengths would be read as one token where there are two
            raise

    def _write(self, head: Head, vector: np.ndarray, found: Quantized, row: int) -> Write:
        E = float(found.energy[row, 0])
        bound = head.codec.bound(E)
        verdict = head.codec.gate.decide(E, head.codec.energy)
        gate = Verdict(verdict.admit, verdict.margin, verdict.theorem, (READERS,))  # that E is a bound is not assumed here
        ledger = self.ledger.propose(bound) if gate.admit else None
        admit = gate.admit and ledger is not None and ledger.admit is True
        head._keep(vector, found, row, admit)
        return Write(admit, E, bound, gate, ledger)

    def read(self, head: int) -> np.ndarray:
        """The vectors of a head, float32[tokens, width]."""
        return self.heads[head].read()

    def truncate(self, tokens: int) -> None:
        """Forget all but the first `tokens` tokens, 0 … len.  What was charged stays charged.  Raises RangeError."""
        if not is_integer(tokens) or not 0 <= tokens <= len(self):
            raise RangeError("tokens", tokens, f"must be a whole number from 0 to {len(self)}")
        for head in self.heads:
            head._truncate(int(tokens))

    @property
    def nbytes(self) -> int:
        return sum(head.nbytes for head in self.heads)

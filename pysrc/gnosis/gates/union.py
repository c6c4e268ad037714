"""The union-bound ledger, the older way to budget the risk of a request; here for comparison.

Event t may fail with probability at most δ/((t + 1)(t + 2)).  The shares add up to δ, so the account is sound whatever the
horizon; but it pays for the horizon in advance: for each price there is an event from which on that price is refused, and every higher one.

The decisions are those of `Gnosis/Decision/Cumloss.lean`, mirrored here one for one.
Units: probabilities, read as written (`gnosis.numbers.levels`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DtypeError, LengthError, RangeError
from ..numbers.exact import plain
from ..numbers.levels import Level, level, share, whole
from ..verdict import Verdict
from .cumloss import least_from

PRICE = "each event fails with at most its price as probability, whatever happened before"


def union_admit(nδ: int, dδ: int, nπ: int, dπ: int, t: int) -> bool:
    """`Gnosis.unionAdmit`: the price nπ/dπ is within the share δ/((t + 1)(t + 2)) of event t."""
    return 1 <= dδ and 1 <= dπ and nπ * dδ * ((t + 1) * (t + 2)) <= nδ * dπ


def union_life(nδ: int, dδ: int, nπ: int, dπ: int) -> int:
    """`Gnosis.unionLife`: the first event whose share is below the price, for 0 < nπ; nδ·dπ if none before it."""
    return least_from(lambda t: not union_admit(nδ, dδ, nπ, dπ, t), 0, nδ * dπ)


@dataclass(frozen=True)
class UnionGate:
    """Is the price of an event within its share of the union bound?

    delta: the risk that any event of the request ever fails, strictly between 0 and 1.
    Theorem `Gnosis.union_ledger_sound`.  Assumes that every event fails with at most its price as probability, given the history.
    Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.union_ledger_exhausts`, `Gnosis.union_ledger_sound`.
    """

    delta: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, delta: Level) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "delta", level(self.delta, "delta"))

    def share(self, t: int) -> Fraction:
        """The share of event t = 0, 1, …: δ/((t + 1)(t + 2))."""
        t = whole(t, "t")
        return self.delta / ((t + 1) * (t + 2))

    def spent(self, events: int) -> Fraction:
        """The shares of the first events together: δ·T/(T + 1).  Theorem `Gnosis.union_ledger_telescopes`.

        Promises: theorem `Gnosis.union_ledger_telescopes`, `Gnosis.union_ledger_exhausts`.
        """
        return self.delta * Fraction(whole(events, "events"), events + 1)

    def decide(self, price: Level, t: int) -> Verdict:
        """price: probability from 0 to 1 that event t fails; t: its number, from 0 on.

        Verdict.margin: share - price, admitted at zero.  Raises RangeError, NonFiniteError, DtypeError.
        Promises: theorem `Gnosis.union_ledger_exhausts`, `Gnosis.union_ledger_sound`.
        """
        π, t = share(price, "price"), whole(t, "t")
        return Verdict(
            admit=union_admit(self.delta.numerator, self.delta.denominator, π.numerator, π.denominator, t),
            margin=self.share(t) - π,
            theorem="Gnosis.union_ledger_sound",
            assumes=(PRICE,),
        )

    def life(self, price: Level) -> int:
        """The first event whose share is below the price; from it on this price is refused, and every higher one.  price: above 0, at most 1.

        Theorem `Gnosis.union_ledger_exhausts`.  Found with an integer square root.  Raises RangeError, NonFiniteError, DtypeError.
        Promises: theorem `Gnosis.union_ledger_exhausts`.
        """
        π = share(price, "price")
        if not π:
            raise RangeError("price", price, "an event without risk never exhausts the ledger")
        # events t with (t + 1)(t + 2) ≤ δ/π are within; (2t + 3)² = 4(t + 1)(t + 2) + 1
        most = math.floor(self.delta / π)
        return max(0, (math.isqrt(4 * most + 1) - 1) // 2)

    def decide_many(self, price: Sequence[Level] | np.ndarray | Level, events: int | np.ndarray) -> np.ndarray:
        """price: one for all events, or a list or array with one for each of n; events: int array of their numbers, or n for the events 0 … n - 1.

        A tuple is refused: it could be two prices, or one as numerator and denominator.  Returns bool[n], the answers of `decide`; one price is compared with `life`.  Raises as `decide`; LengthError.
        """
        if isinstance(price, tuple):
            raise DtypeError("price", price, "a tuple may mean several prices or one fraction; give a list or a Fraction")
        if isinstance(price, np.ndarray):
            plain(price, "price")
        if isinstance(events, np.ndarray):
            if plain(events, "events").ndim != 1:
                raise LengthError("events", events.shape, "must have one dimension")
            numbers = [whole(t, "events") for t in events]
        else:
            numbers = list(range(whole(events, "events")))
        if isinstance(price, (np.ndarray, list)) and np.ndim(price):
            if len(price) != len(numbers):
                raise LengthError("price", len(price), f"there are {len(numbers)} events")
            return np.array([self.decide(p, t).admit for p, t in zip(price, numbers)], dtype=bool)
        one: Any = price  # a number, or an array of no dimensions
        π = share(one, "price")
        return np.array(numbers) < self.life(π) if π else np.ones(len(numbers), dtype=bool)

"""The cumulative-loss account: how much loss may a request still afford?

Losses lie in [0, 1] and are counted on a grid of N units.  Before each step a bound on its mean loss is known, from the
history alone; the gate decides on that bound and never sees the loss.  Each step that is compressed is charged a whole
number of units, a reserve pays for the risk δ, and the account is the reserve and all charges so far: a running sum of
integers, with no logarithm in it and nothing that could drift.  A step is compressed only if the account stays within the
budget after it; otherwise it is done exactly and costs nothing.  Then, with probability at least 1 - δ, the cumulative
loss never exceeds the budget, however long the request.

The bet θ = p/q > 1 sets the trade: one unit is worth log θ, so that in the notation of the field e^λ = θ^N.  A large bet makes
the reserve small, log(1/δ)/log θ units, and the charges dear.  The charge of a mean bound of u units is the least integer a
with 1 + (u/N)(θ^N - 1) ≤ θ^a.

The functions mirror `Gnosis/Decision/Cumloss.lean` one for one, on plain integers; those of the union bound and of the
betting test stand in `gnosis.gates.union` and `gnosis.gates.betting`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import cumloss as kernel
from ..errors import DtypeError, LengthError, NegativeError, RangeError
from ..numbers import outward
from ..numbers.exact import Number, is_integer, nonnegative, plain
from ..numbers.levels import Level, level, whole, written
from ..verdict import Verdict

# ---- the decisions, on natural numbers -------------------------------------------------------------------------------


def _sub(a: int, b: int) -> int:
    """Subtraction of natural numbers: 0 where it would be negative."""
    return max(0, a - b)


def least_from(test: Callable[[int], bool], a: int, fuel: int) -> int:
    """`Gnosis.leastFrom`: the least of a, a + 1, …, a + fuel that passes; a + fuel if none before it does."""
    return next((n for n in range(a, a + fuel) if test(n)), a + fuel)


def bet_ok(N: int, p: int, q: int) -> bool:
    """`Gnosis.betOk`: 0 < N and 0 < q ≤ p."""
    return 1 <= N and 1 <= q <= p


def step_factor(N: int, p: int, q: int, u: int) -> int:
    """`Gnosis.stepFactor`: N·q^N + u·(p^N − q^N)."""
    return N * q**N + u * _sub(p**N, q**N)


def covered(N: int, p: int, q: int, nδ: int, dδ: int, t: int, L: int, b: int) -> bool:
    """`Gnosis.covered`: a usable bet, 0 < dδ, and dδ·L·q^b ≤ nδ·N^t·q^(tN)·p^b."""
    return bet_ok(N, p, q) and 1 <= dδ and dδ * (L * q**b) <= nδ * (N**t * q ** (t * N) * p**b)


def cumloss_admit(N: int, p: int, q: int, nδ: int, dδ: int, t: int, L: int, u: int, b: int) -> bool:
    """`Gnosis.cumlossAdmit`: the ledger after the step would still be covered by the budget b."""
    return covered(N, p, q, nδ, dδ, t + 1, L * step_factor(N, p, q, u), b)


def cumloss_step(N: int, p: int, q: int, nδ: int, dδ: int, t: int, L: int, u: int, b: int) -> int:
    """`Gnosis.cumlossStep`: the ledger value after the step; a refused one is exact and has mean bound 0."""
    return L * step_factor(N, p, q, u if cumloss_admit(N, p, q, nδ, dδ, t, L, u, b) else 0)


def pays(N: int, p: int, q: int, u: int, a: int) -> bool:
    """`Gnosis.pays`: the charge a pays for the mean bound u: 1 + (u/N)·(θ^N − 1) ≤ θ^a, cross-multiplied."""
    return bet_ok(N, p, q) and step_factor(N, p, q, u) * q**a <= N * q**N * p**a


def reserve_pays(p: int, q: int, nδ: int, dδ: int, r: int) -> bool:
    """`Gnosis.reservePays`: the reserve r pays for the level nδ/dδ: 1/δ ≤ θ^r, cross-multiplied."""
    return 1 <= q <= p and 1 <= dδ and dδ * q**r <= nδ * p**r


def least_charge(N: int, p: int, q: int, u: int) -> int:
    """`Gnosis.leastCharge`: the least charge that pays for u ≤ N; N if none below it does."""
    return least_from(lambda a: pays(N, p, q, u, a), 0, N)


def least_reserve(p: int, q: int, nδ: int, dδ: int) -> int:
    """`Gnosis.leastReserve`: the least reserve that pays for nδ/dδ; q·dδ if none below it does."""
    return least_from(lambda r: reserve_pays(p, q, nδ, dδ, r), 0, q * dδ)


def charge_admit(account: int, offer: int, budget: int) -> bool:
    """`Gnosis.chargeAdmit`: account + offer ≤ budget."""
    return account + offer <= budget


def charge_settle(account: int, offer: int, charge: int, budget: int) -> int:
    """`Gnosis.chargeSettle`: the account after the step; an admitted proposal is charged `charge`, a refused one nothing."""
    return account + charge if charge_admit(account, offer, budget) else account


def charge_run(account: int, steps: Iterable[tuple[int, int, int]]) -> list[bool]:
    """`Gnosis.chargeRun`: the decisions on a sequence of proposals (offer, charge, budget)."""
    decisions = []
    for offer, charge, budget in steps:
        decisions.append(charge_admit(account, offer, budget))
        account = charge_settle(account, offer, charge, budget)
    return decisions


# ---- bets, charges and reserves --------------------------------------------------------------------------------------

MOST_UNITS = 1 << 16  # of a grid
_CHECKED = 1 << 22  # bits of the largest power that is computed to check a reserve
_TERM = 1 << 64  # numerator and denominator of a bet are below this
_POWERS = 1 << 26  # bits of all powers θ^a together, a from 0 to N, that a table of charges may need
_SUM = 1 << 62  # accounts, budgets and charges below this add up within int64


@dataclass(frozen=True)
class Bet:
    """The grid and the bet of an account: N units stand for a loss of 1, and θ = p/q > 1.

    N: from 1 to 65536.  p > q ≥ 1, whole numbers below 2^64.  For N above 1000 not every such bet has charges that can be found
    (`charges`).  Raises RangeError, DtypeError.
    """

    N: int
    p: int
    q: int

    def __post_init__(self) -> None:
        for name in ("N", "p", "q"):
            object.__setattr__(self, name, whole(getattr(self, name), name, 1))
        _grid(self.N)
        for name in ("p", "q"):
            if getattr(self, name) >= _TERM:
                raise RangeError(name, getattr(self, name), "must be below 2^64")
        if self.p <= self.q:
            raise RangeError("p", self.p, f"the bet p/q must be above 1, and q is {self.q}")

    @classmethod
    def of_rate(cls, N: int, rate: Level) -> Bet:
        """A bet with e^λ = θ^N for a λ near `rate`, with short p and q.

        rate: above 0 and at most 100, read as written; at least 2^-60 N.  Any bet is sound; its rate only decides how good the trade is.
        Promises: tested `tests/test_cumloss.py::test_bets`.
        """
        N, λ = _grid(N), written(rate, "rate")
        if not 0 < λ <= 100:
            raise RangeError("rate", rate, "must be above 0 and at most 100")
        if λ * (1 << 60) < N:
            raise RangeError("rate", rate, f"needs a bet nearer to 1 than 1 + 2^-60 on a grid of {N} units")
        θ = outward.exp(λ / N).low
        near = θ.limit_denominator(max(1000, int(4 / (θ - 1))))  # above 1, since 1 + 1/n is nearer than 1
        return cls(N, near.numerator, near.denominator)

    @classmethod
    def for_budget(cls, N: int, delta: Level, budget: Level, mean: Level) -> Bet:
        """A bet under which about as many steps of this mean bound as possible fit into the budget.

        delta: risk, strictly between 0 and 1; budget: cumulative loss, above 0; mean: bound of every step, strictly between 0 and 1.
        Looks for the best rate among those a tenth apart, in floating point: only the trade depends on it, not what is sound.
        A charge is rounded up to a unit, so a grid much finer than the mean bound wastes less.
        RangeError when the reserve leaves nothing of the budget, at every rate.
        Promises: tested `tests/test_cumloss.py::test_bets`.
        """
        δ, μ, B = level(delta, "delta"), level(mean, "mean"), cls(N, 2, 1).down(budget)
        need, u = float(outward.log(1 / δ).high), math.ceil(N * μ) / N

        def steps(λ: float) -> float:
            return (B - math.ceil(N * need / λ)) / math.ceil(N * math.log1p(u * math.expm1(λ)) / λ)

        best = max((0.001 * 1.1**i for i in range(121)), key=steps)  # up to 93
        if steps(best) <= 0:
            raise RangeError("budget", budget, f"the reserve for the risk {delta} leaves nothing of it")
        return cls.of_rate(N, best)

    def up(self, loss: Number, name: str = "loss") -> int:
        """A loss, or a bound on one, in units, rounded up: ⌈N·loss⌉.

        loss: number from 0 to 1 at its exact value; the float .1 is a little more than a tenth, so write Fraction(1, 10) to mean one.
        Raises RangeError, NegativeError, NonFiniteError, DtypeError.
        Promises: tested `floats: Bet.up, Bet.down`, `tests/test_cumloss.py::test_units_are_outward`.
        """
        exact = nonnegative(loss, name)
        if exact > 1:
            raise RangeError(name, loss, "a loss is at most 1")
        return math.ceil(self.N * exact)

    def down(self, budget: Level, name: str = "budget") -> int:
        """A budget in units, rounded down: ⌊N·budget⌋.  budget: number ≥ 0, read as written; RangeError from 2^62 units on."""
        exact = written(budget, name)
        if exact < 0:
            raise NegativeError(name, budget)
        units = math.floor(self.N * exact)
        if units >= _SUM:
            raise RangeError(name, budget, f"must be below 2^62 units of 1/{self.N}")
        return units

    def charges(self) -> np.ndarray:
        """int64[N + 1], read-only: the least charge of every mean bound of 0 … N units, `Gnosis.leastCharge`.

        From powers rounded outward, and checked exactly with `pays` where these leave a choice; once per bet.  Theorem `Gnosis.leastCharge_spec`.
        Raises as `check_charges`.
        Promises: theorem `Gnosis.leastCharge_spec`.
        """
        self.check_charges()
        return _charges(self.N, self.p, self.q)

    def check_charges(self) -> None:
        """RangeError for a bet whose charges would take too much to find: N·log2 θ above 800 or so at N = 65536."""
        if self.N * (_bits(self.N, self.q) + math.ceil(self.N * math.log2(self.p / self.q))) > _POWERS:
            raise RangeError(
                "p",
                self.p,
                f"the bet {self.p}/{self.q} is too large for a grid of {self.N} units: its charges would take powers of more than {_POWERS} bits together",
            )

    def reserve(self, delta: Level) -> int:
        """The reserve for the risk delta: the least r with 1/δ ≤ θ^r, `Gnosis.leastReserve`.

        From logarithms rounded outward.  Where these leave a choice, it is checked exactly; if that took powers of more than 2^22 bits,
        the larger is taken, which may be one unit too much.  delta: strictly between 0 and 1.  Theorem `Gnosis.leastReserve_spec`.
        RangeError for 2^62 units and more.
        Promises: theorem `Gnosis.leastReserve_spec`.
        """
        δ = level(delta, "delta")
        need, gain = outward.log(1 / δ), outward.log(Fraction(self.p, self.q))
        least, most = math.ceil(need.low / gain.high), math.ceil(need.high / gain.low)
        if most >= _SUM:
            raise RangeError("delta", delta, f"needs a reserve of {most} units; take a larger bet than {self.p}/{self.q}")
        if least == most or most * self.p.bit_length() > _CHECKED:
            return most
        return next(r for r in range(least, most + 1) if reserve_pays(self.p, self.q, δ.numerator, δ.denominator, r))


def _grid(N: int) -> int:
    units = whole(N, "N", 1)
    if units > MOST_UNITS:
        raise RangeError("N", units, f"a grid has at most {MOST_UNITS} units")
    return units


def _bits(N: int, q: int) -> int:
    """Bits behind the point of the powers from which charges are found."""
    return 80 + 2 * N.bit_length() + q.bit_length()


def _powers(one: int, N: int, p: int, q: int) -> Iterator[tuple[int, int]]:
    """Bounds of θ^0 … θ^N, in units of 1/one."""
    low = high = one
    yield low, high
    for _ in range(N):
        low, high = low * p // q, -(-high * p // q)
        yield low, high


@functools.lru_cache(maxsize=32)
def _charges(N: int, p: int, q: int) -> np.ndarray:
    # The charge a pays for u exactly when u ≤ N·(θ^a - 1)/(θ^N - 1).  The powers are rounded outward at each step; where the two
    # ends have different whole parts, which is rare, `pays` decides.
    # Only the last power is kept of the first round: all of them together may take a gigabyte.
    one = 1 << _bits(N, q)
    *_, (last_low, last_high) = _powers(one, N, p, q)
    largest = np.empty(N + 1, dtype=np.int64)
    for a, (low, high) in enumerate(_powers(one, N, p, q)):
        least, most = N * (low - one) // (last_high - one), min(N, N * (high - one) // (last_low - one))
        largest[a] = N if a == N else next(u for u in range(most, least - 1, -1) if u == least or pays(N, p, q, u, a))
    table = np.searchsorted(largest, np.arange(N + 1), side="left")
    table.setflags(write=False)
    return table


# ---- the gate --------------------------------------------------------------------------------------------------------

MEAN = "the bound of each step is at least the mean of its loss given the history, and is fixed before the draw"
GRID = "every loss lies between 0 and 1"
EXACT = "a refused step is done exactly and loses nothing"
MONOTONE = "the budget does not fall from step to step"


@dataclass(frozen=True)
class ChargeGate:
    """May the next step be compressed, given the account and the budget?  All in whole units of 1/N of a loss.

    bet: grid and bet.  delta: the risk that the cumulative loss ever exceeds the budget, strictly between 0 and 1, read as
    written.  reserve: what an account starts with, `bet.reserve(delta)`.
    Theorem `Gnosis.charge_controller_sound`: a request that charges what is admitted, and nothing for what is refused, exceeds
    its budget with probability at most delta, at any time.  Assumes true mean bounds, losses in [0, 1], exact refused
    steps and a budget that does not fall.  `ChargeAccount` keeps the sum.

    This is the gate to use for the ledger of `Gnosis.cumlossAdmit` too, which multiplies the factors of all steps instead of adding
    charges.  Its value grows by N·log2 p bits a step, 10 kilobytes a step at N = 4096 and p of 20 bits, so that there is no gate
    for it here, only the functions `cumloss_admit` and `cumloss_step`.  Nothing is admitted that it refuses: where reserve and
    charges pay, the account covers the ledger.  What is given up is the rounding of each charge, less than a unit a step.
    Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.charge_controller_sound`.
    """

    bet: Bet
    delta: Fraction
    reserve: int = field(init=False)

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, bet: Bet, delta: Level) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.bet, Bet):
            raise DtypeError("bet", self.bet, "not a Bet")
        self.bet.check_charges()
        object.__setattr__(self, "delta", level(self.delta, "delta"))
        object.__setattr__(self, "reserve", self.bet.reserve(self.delta))

    def charge(self, units: int) -> int:
        """The charge of a mean bound of `units` (0 … N; `bet.up` turns a bound into units).  RangeError, DtypeError."""
        u = whole(units, "units")
        if u > self.bet.N:
            raise RangeError("units", units, f"a bound is at most {self.bet.N} units")
        return int(self.bet.charges()[u])

    def decide(self, account: int, units: int, budget: int) -> Verdict:
        """account: reserve and charges so far; units: mean bound of the step; budget: all in units, below 2^62.

        Verdict.margin: budget - account - charge, in units, admitted at zero.
        Raises RangeError (an account below the reserve), DtypeError.
        """
        account, budget = _sum(account, "account"), _sum(budget, "budget")
        if account < self.reserve:
            raise RangeError("account", account, f"must hold the reserve of {self.reserve} units")
        charge = self.charge(units)
        return Verdict(
            admit=charge_admit(account, charge, budget),
            margin=Fraction(budget - account - charge),
            theorem="Gnosis.charge_controller_sound",
            assumes=(MEAN, GRID, EXACT, MONOTONE),
        )

    def decide_many(self, account: np.ndarray, units: np.ndarray, budget: np.ndarray | int) -> np.ndarray:
        """The next step of n accounts: integer arrays of length n, or single integers for all.  Returns bool[n], the answers of `decide`.

        For the steps of one account see `run`.  Raises as `decide`, naming the index; LengthError.
        """
        columns = [_integer_column(value, name) for value, name in ((account, "account"), (units, "units"), (budget, "budget"))]
        n = next((len(column) for column in columns if len(column) != 1), 1)
        for column, name in zip(columns, ("account", "units", "budget")):
            if len(column) not in (1, n):
                raise LengthError(name, len(column), f"the length must be 1 or {n}")
        accounts, bounds, budgets = columns
        _within(accounts, "account", self.reserve, _SUM - 1)
        _within(bounds, "units", 0, self.bet.N)
        _within(budgets, "budget", 0, _SUM - 1)
        return kernel.admit_many(accounts, self.bet.charges()[bounds], budgets)

    def run(self, units: np.ndarray, budget: np.ndarray | int, account: int | None = None) -> tuple[np.ndarray, int]:
        """The steps of one account, one after another: which are compressed, and the account after them.

        units: mean bounds, integer array of length n; budget: one for all or one for each step, not falling; account: reserve
        and charges so far, None for a fresh one.  Returns bool[n] and the account.  Raises as `decide_many`.
        """
        bounds, budgets = _integer_column(units, "units"), _integer_column(budget, "budget")
        if len(budgets) not in (1, len(bounds)):
            raise LengthError("budget", len(budgets), f"the length must be 1 or {len(bounds)}")
        _within(bounds, "units", 0, self.bet.N)
        _within(budgets, "budget", 0, _SUM - 1)
        total = self.reserve if account is None else _sum(account, "account")
        if total < self.reserve:
            raise RangeError("account", total, f"must hold the reserve of {self.reserve} units")
        found = kernel.run(total, self.bet.charges()[bounds], int(budgets[0]) if len(budgets) == 1 else budgets)
        return found.admitted, found.account


class ChargeAccount:
    """The account of one request.

    gate: grid, bet and risk.  budget: for the cumulative loss, read as written, rounded down to units.
    units: reserve and charges so far.  steps, admitted: how many steps were proposed, and compressed.  lost: the
    cumulative loss that was reported, exact.

    At each step: `propose` the bound before the draw; if admitted compress, else do the step exactly.  The whole offer is
    charged at once; `settle` gives back what a check that cannot see the loss left out (`Gnosis.gating_conservative`), and
    must come before `report`: who has seen the loss may not choose the charge.
    Not safe to use from several threads at once.
    Promises: theorem `Gnosis.gating_conservative`, `Gnosis.charge_controller_sound`.
    """

    def __init__(self, gate: ChargeGate, budget: Level) -> None:
        if not isinstance(gate, ChargeGate):
            raise DtypeError("gate", gate, "not a ChargeGate")
        self.gate = gate
        self.budget = gate.bet.down(budget)
        self.units = gate.reserve
        self.steps = self.admitted = 0
        self.lost = Fraction(0)
        self._open: int | None = None  # bound of the last step in units, when it was admitted and not settled
        self._unreported = False  # whether the last step was admitted and its loss not reported

    def propose(self, bound: Number, budget: Level | None = None) -> Verdict:
        """bound: on the mean loss of the step, number from 0 to 1 at its exact value, rounded up to units.

        budget: the budget from this step on, not below the last one; None for no change.
        Verdict.margin: budget - account - charge, in units.  Raises RangeError, NegativeError, NonFiniteError, DtypeError; an error changes nothing.
        Promises: tested `tests/test_cumloss.py::test_settling`.
        """
        units = self.gate.bet.up(bound, "bound")
        return self.propose_units(units, self.budget if budget is None else self.gate.bet.down(budget))

    def propose_units(self, units: int, budget: int) -> Verdict:
        """`propose` with bound and budget in units."""
        if _sum(budget, "budget") < self.budget:
            raise RangeError("budget", budget, f"the budget must not fall, and it was {self.budget} units")
        verdict = self.gate.decide(self.units, units, budget)
        self.budget = budget
        self.steps += 1
        self._open = None
        self._unreported = verdict.admit
        if verdict.admit:
            self.units += self.gate.charge(units)
            self.admitted += 1
            self._open = units
        return verdict

    def settle(self, bound: Number) -> int:
        """Charge the step only for what was compressed of it: a bound on the mean loss of the items that passed a check.

        The check must be one that cannot see the losses (`Gnosis.Falsifiers.subset_after_losses_overruns`).  Returns the units given back.
        Raises RangeError without an admitted step, after a second call, once its loss was reported, and for a bound above the one that was offered.
        Promises: theorem `Gnosis.gating_conservative`.
        """
        return self.settle_units(self.gate.bet.up(bound, "bound"))

    def settle_units(self, units: int) -> int:
        """`settle` with the bound in units."""
        if self._open is None:
            raise RangeError("units", units, "there is no admitted step to settle")
        charge = self.gate.charge(units)
        if units > self._open:
            raise RangeError("units", units, f"only {self._open} units were offered")
        back = self.gate.charge(self._open) - charge
        self.units -= back
        self._open = None
        return back

    def report(self, loss: Number) -> Fraction:
        """Report the loss of the last step, a number from 0 to 1, once; returns the cumulative loss.  The step cannot be settled after it.

        No decision depends on it.  RangeError for a step that was refused, which loses nothing; NonFiniteError, NegativeError, DtypeError.
        """
        exact = nonnegative(loss, "loss")
        if exact > 1:
            raise RangeError("loss", loss, "a loss is at most 1")
        if not self._unreported:
            raise RangeError("loss", loss, "there is no admitted step whose loss has not been reported")
        self._unreported = False
        self._open = None
        self.lost += exact
        return self.lost

    @property
    def overrun(self) -> bool:
        """Whether the reported losses exceed the budget, which has probability at most delta.

        Promises: theorem `Gnosis.charge_controller_sound`.
        """
        return self.lost * self.gate.bet.N > self.budget


def _sum(value: int, name: str) -> int:
    units = whole(value, name)
    if units >= _SUM:
        raise RangeError(name, value, "must be below 2^62 units")
    return units


def _integer_column(value: np.ndarray | Sequence[int] | int, name: str) -> np.ndarray:
    """int64[n]; a single integer has n = 1."""
    if isinstance(value, np.ndarray) and value.ndim:
        if plain(value, name).ndim != 1:
            raise LengthError(name, value.shape, "must have one dimension")
        if value.dtype.kind not in "iu":
            raise DtypeError(name, str(value.dtype), "must be an integer type")
        if value.dtype == np.uint64:
            _within(value, name, 0, _SUM)
        return value.astype(np.int64, copy=False)
    entries: Sequence[Any] = value if isinstance(value, (list, tuple)) else [value]
    for i, x in enumerate(entries):
        if not is_integer(x):
            raise DtypeError(name, x, "must be a whole number", i)
        if abs(int(x)) > _SUM:
            raise RangeError(name, x, "must be below 2^62 units", i)
    return np.array([int(x) for x in entries], dtype=np.int64)


def _within(column: np.ndarray, name: str, least: int, most: int) -> None:
    if len(column) and (column.min() < least or column.max() > most):
        i = int(np.argmax((column < least) | (column > most)))
        raise RangeError(name, int(column[i]), f"must lie between {least} and {most} units", i)

"""Betting against a claim about a mean: confidence bounds that hold at all times.

Observations in [0, 1] arrive one by one.  To test the claim "the mean is at least m", stake λ against it: the wealth starts at
1 and is multiplied by 1 + λ(m - x) for each observation x.  The stake may depend on what was seen before, never on x, and is
at most 1/(1 - m): above this cap a factor can be negative and the wealth is no evidence (`Gnosis.Falsifiers.stake_above_cap`).  If
the claim is true, the wealth ever reaches 1/δ with probability at most δ, however long one looks and whenever one stops.

The decisions are those of `Gnosis/Decision/Cumloss.lean`, mirrored here one for one.  The gate decides with exact
fractions; `UpperBound` follows a whole grid of claims in float64, always with a lower bound of the wealth, so that it rejects
no claim that exact arithmetic would not reject.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import cpu
from ..errors import LengthError, NegativeError, RangeError
from ..numbers import outward
from ..numbers.bounds import Bounds, above, batch, below, enclose, enclosures
from ..numbers.exact import Number, Vector, integers, nonnegative, place
from ..numbers.levels import Level, level, share, whole
from ..verdict import Verdict

CLAIM = "the claim is about the mean of every observation given the history, and every observation lies in [0, 1]"
PREDICTABLE = "each stake was chosen before its observation was seen"


def stake_admit(N: int, m: int, b: int, a: int) -> bool:
    """`Gnosis.stakeAdmit`: the stake a/b against "mean ≥ m/N" is within the cap 1/(1 − m/N)."""
    return 1 <= N and 1 <= b and m <= N and a * N <= b * N + a * m


def betting_factor(N: int, m: int, b: int, a: int, x: int) -> int:
    """`Gnosis.bettingFactor`: 1 + (a/b)·(m/N − x/N) over the denominator b·N."""
    return max(0, b * N + a * m - a * x)


def steps_ok(N: int, m: int, b: int, steps: Sequence[tuple[int, int]]) -> bool:
    """`Gnosis.stepsOk`: every stake within the cap and every observation on the grid 0 … N."""
    return all(stake_admit(N, m, b, a) and x <= N for a, x in steps)


def betting_num(N: int, m: int, b: int, steps: Sequence[tuple[int, int]]) -> int:
    """`Gnosis.bettingNum`: the numerator of the wealth after the steps (a, x)."""
    product = 1
    for a, x in steps:
        product *= betting_factor(N, m, b, a, x)
    return product


def betting_den(N: int, b: int, steps: Sequence[tuple[int, int]]) -> int:
    """`Gnosis.bettingDen`: the denominator of the wealth after as many steps."""
    return (b * N) ** len(steps)


def betting_rejects(N: int, m: int, b: int, nδ: int, dδ: int, steps: Sequence[tuple[int, int]]) -> bool:
    """`Gnosis.bettingRejects`: sound steps, and the wealth has reached dδ/nδ."""
    return 1 <= dδ and steps_ok(N, m, b, steps) and dδ * betting_den(N, b, steps) <= nδ * betting_num(N, m, b, steps)


def betting_upper_from(N: int, b: int, nδ: int, dδ: int, steps: Sequence[tuple[int, int]], m: int) -> int:
    """`Gnosis.bettingUpperFrom`: the largest mean in 0 … m that is not rejected, 0 if there is none."""
    while m > 0 and betting_rejects(N, m, b, nδ, dδ, steps):
        m -= 1
    return m


def betting_upper(N: int, b: int, nδ: int, dδ: int, steps: Sequence[tuple[int, int]]) -> int:
    """`Gnosis.bettingUpper`: `betting_upper_from` from N on."""
    return betting_upper_from(N, b, nδ, dδ, steps, N)


def claim_bound(G: int, rejected: Sequence[bool]) -> int:
    """`Gnosis.claimBound`: one unit above the largest claim of 1 … G that `rejected` does not call rejected (entry k − 1 is about claim k), at most G."""
    m = G
    while 0 < m <= len(rejected) and rejected[m - 1]:
        m -= 1
    return min(G, m + 1)


def mirrored(G: int, steps: Sequence[tuple[int, int]]) -> list[list[int]]:
    """`Gnosis.mirrored`: every observation x turned into G − x."""
    return [[a, max(0, G - x)] for a, x in steps]


def betting_upper_bound(G: int, b: int, nδ: int, dδ: int, steps: Sequence[tuple[int, int]]) -> int:
    """`Gnosis.bettingUpperBound`: one unit above the largest claim that is not rejected, at most G."""
    return min(G, betting_upper(G, b, nδ, dδ, steps) + 1)


def betting_lower_bound(G: int, b: int, nδ: int, dδ: int, steps: Sequence[tuple[int, int]]) -> int:
    """`Gnosis.bettingLowerBound`: the upper bound of G − x, turned over."""
    return G - betting_upper_bound(G, b, nδ, dδ, [(a, x) for a, x in mirrored(G, steps)])


@dataclass(frozen=True)
class BettingGate:
    """Is the claim "the mean is at least `mean`" rejected, so that the mean may be taken to be smaller?

    mean: m, from 0 to 1, read as written; delta: the risk of a false rejection, strictly between 0 and 1.
    Theorem `Gnosis.betting_anytime`.  Assumes stakes that were chosen in advance.
    Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.betting_anytime`.
    """

    mean: Fraction
    delta: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, mean: Level, delta: Level) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "mean", share(self.mean, "mean"))
        object.__setattr__(self, "delta", level(self.delta, "delta"))

    @property
    def cap(self) -> Fraction | None:
        """The largest stake, 1/(1 - m); None for m = 1, where there is none."""
        return None if self.mean == 1 else 1 / (1 - self.mean)

    def wealth(self, stakes: Vector | Number, observations: Vector) -> Fraction:
        """The exact wealth after all observations, see `decide`.

        Promises: tested `tests/test_cumloss_betting.py::test_betting_is_the_exact_product`.
        """
        return self._decide(stakes, observations)[1]

    def decide(self, stakes: Vector | Number, observations: Vector) -> Verdict:
        """stakes: one number for all steps, or one for each, from 0 to the cap; observations: T numbers in [0, 1], in order.

        Verdict.admit: the claim is rejected.  Verdict.margin: wealth - 1/δ, rejected at zero.
        Raises RangeError naming the step, LengthError, NegativeError, NonFiniteError, DtypeError.
        """
        admit, wealth = self._decide(stakes, observations)
        return Verdict(admit=admit, margin=wealth - 1 / self.delta, theorem="Gnosis.betting_anytime", assumes=(CLAIM, PREDICTABLE))

    def _decide(self, stakes: Vector | Number, observations: Vector) -> tuple[bool, Fraction]:
        x, unit_x = integers(observations, "observations")
        given: Any = stakes
        if isinstance(given, (np.ndarray, Sequence)) and np.ndim(given):
            a, unit_a = integers(given, "stakes")
        else:
            one = nonnegative(given, "stakes")
            a, unit_a = [one.numerator] * len(x), Fraction(1, one.denominator)
        if len(a) != len(x):
            raise LengthError("stakes", len(a), f"there are {len(x)} observations")
        for i, (s, o) in enumerate(zip(a, x)):
            if s < 0:
                raise NegativeError("stakes", enclose(s * unit_a)[0], i)
            if o < 0:
                raise NegativeError("observations", enclose(o * unit_x)[0], i)
            if o * unit_x > 1:
                raise RangeError("observations", enclose(o * unit_x)[0], "must lie in [0, 1]", i)
            if self.cap is not None and s * unit_a > self.cap:
                raise RangeError("stakes", enclose(s * unit_a)[0], f"above the cap {self.cap} of the claimed mean {self.mean}", i)
        # one grid for observations and claim, one denominator for the stakes; any common one decides alike, `Gnosis.betting_scale_invariant`
        N = math.lcm(unit_x.denominator, self.mean.denominator)
        b = unit_a.denominator
        steps = [(s * unit_a.numerator, int(o * unit_x * N)) for s, o in zip(a, x)]
        m = int(self.mean * N)
        wealth = Fraction(betting_num(N, m, b, steps), betting_den(N, b, steps))
        return betting_rejects(N, m, b, self.delta.numerator, self.delta.denominator, steps), wealth

    def decide_many(self, stakes: Vector | Number, observations: np.ndarray) -> np.ndarray:
        """observations: [n, T], n sequences of T observations; stakes: one for all, or [T].  Returns bool[n], the answers of `decide`.

        Float64 products rounded downwards and upwards decide where they can, exact fractions elsewhere.
        Raises as `decide`; FloatEnvironmentError.
        Promises: tested `floats: BettingGate`, `tests/test_cumloss_betting.py::test_betting_in_a_batch_at_the_threshold`.
        """
        cpu.check_environment()
        rows = batch(observations, "observations", 2)
        low, high = enclosures(rows, "observations")
        outside = (low < 0) | (high > 1)
        if outside.any():
            raise RangeError("observations", float(low[outside][0]), "must lie in [0, 1]", place(outside))
        self._decide(stakes, np.zeros(rows.shape[1]))  # checks the stakes
        given = enclosures(stakes, "stakes")
        λ = np.broadcast_to(given[0], rows.shape[1]), np.broadcast_to(given[1], rows.shape[1])
        bound = enclose(1 / self.delta)
        down, up = wealth_bounds(λ, enclose(self.mean), (low, high))
        admit = down >= bound[1]
        for i in np.flatnonzero(~admit & ~(up < bound[0])):
            admit[i] = self.decide(stakes, rows[i]).admit
        return admit


def wealth_bounds(λ: Bounds, m: tuple[float, float], x: Bounds) -> Bounds:
    """Bounds of the wealth after all steps.  λ: [T], within the cap; m: of the claimed mean; x: [n, T].

    The product is rounded outward although the factors, rounded outward three times, usually leave enough to spare for it: only so
    is every step a bound by itself.
    """
    down, up = np.ones(len(x[0])), np.ones(len(x[0]))
    with np.errstate(all="ignore"):
        for t in range(x[0].shape[1]):
            factors = _factors((λ[0][t], λ[1][t]), m, (x[0][:, t], x[1][:, t]))
            down = np.maximum(below(down * factors[0]), 0)
            up = above(up * factors[1])
    return np.where(np.isfinite(down), down, 0), up  # an infinite product says nothing from below


def _factors(λ: tuple[Any, ...], m: tuple[Any, ...], x: Bounds) -> Bounds:
    """Bounds of 1 + λ(m - x), not below 0, for λ ≥ 0 within the cap."""
    gain_low, gain_high = below(m[0] - x[1]), above(m[1] - x[0])
    low = below(1 + below(np.where(gain_low < 0, λ[1], λ[0]) * gain_low))
    high = above(1 + above(np.where(gain_high < 0, λ[0], λ[1]) * gain_high))
    return np.maximum(low, 0), np.maximum(high, 0)


class UpperBound:
    """An upper confidence bound for a mean that holds at all times, from observations in [0, 1] as they come in.

    delta: the risk that the bound is ever below the mean, strictly between 0 and 1, read as written.  grid: number of
    claims "the mean is at least g/grid" that are followed, a power of two.
    `upper` is the least grid point above every claim that has not been rejected so far; it never rises.
    The stake on each claim comes from the observations before (`stake`) or from the caller.
    Theorem `Gnosis.betting_upper_followed`: claims are rejected only where exact wealth would reject them, and stay so.  `claim_bound` is
    the bound that it is about.  Assumes that the mean of every observation given the ones before lies between the same two claims: at or
    above g/grid and below (g + 1)/grid.  Observations need not be on the grid.
    Raises RangeError, NonFiniteError, DtypeError, FloatEnvironmentError.
    Promises: theorem `Gnosis.betting_upper_followed`.
    """

    def __init__(self, delta: Level, grid: int = 1024) -> None:
        self.delta = level(delta, "delta")
        self.grid = whole(grid, "grid", 2)
        if self.grid & (self.grid - 1) or self.grid > 1 << 20:
            raise RangeError("grid", grid, "must be a power of two, at most 2^20")
        self.count = 0
        self._means = np.arange(1, self.grid + 1) / self.grid  # exact
        with np.errstate(divide="ignore"):
            self._caps = below(1 / (1 - self._means))  # not above the caps; infinite for the claim 1
        self._caps[-1] = math.inf
        self._wealth = np.ones(self.grid)  # lower bounds
        self._rejected = np.zeros(self.grid, dtype=bool)
        self._limit = enclose(1 / self.delta)[1]
        self._need = float(outward.log(1 / self.delta).high)
        self._sum, self._squares = 0.5, 0.25

    def stake(self) -> float:
        """The stake λ for the next observation, the n-th: √(2·log(1/δ)/(n·log(n + 1)·s²)) with s² the variance so far.

        The predictable plug-in of Waudby-Smith and Ramdas (2024).  Any stake that does not depend on the next observation is sound.
        Promises: theorem `Gnosis.betting_upper_followed`.
        """
        n = self.count + 1
        variance = max(self._squares / n, 1e-6)
        return math.sqrt(2 * self._need / (variance * n * math.log(n + 1)))

    def observe(self, x: Number, stake: float | None = None) -> Fraction:
        """Take in one observation, a number in [0, 1]; returns the bound.

        stake: λ ≥ 0, chosen before x was seen, cut off at the cap of each claim; None for `stake()`, cut off at 3/4 of the
        cap, so that no single observation ruins a claim's wealth.
        Raises RangeError, NegativeError, NonFiniteError, DtypeError; an error changes nothing.
        """
        cpu.check_environment()
        exact = nonnegative(x, "x")
        if exact > 1:
            raise RangeError("x", x, "must lie in [0, 1]")
        if stake is None:
            stakes = np.minimum(self.stake(), 0.75 * self._caps)
        else:
            stakes = np.minimum(enclose(nonnegative(stake, "stake"))[0], self._caps)
        low, high = enclose(exact)
        with np.errstate(over="ignore"):  # the claim 1 has no cap; its upper bound, which is not used, may overflow
            factors, _ = _factors((stakes, stakes), (self._means, self._means), (np.array(low), np.array(high)))
            self._wealth = np.where(self._rejected, self._wealth, np.maximum(below(self._wealth * factors), 0))
        self._rejected |= self._wealth >= self._limit
        near = float(exact)
        self.count += 1
        mean = self._sum / self.count
        self._sum += near
        self._squares += (near - mean) ** 2
        return self.upper

    @property
    def upper(self) -> Fraction:
        """The mean is below this grid point (at most 1), at all times together with probability at least 1 - delta.

        Promises: theorem `Gnosis.betting_upper_followed`.
        """
        open_ = np.flatnonzero(~self._rejected)
        return Fraction(min(self.grid, int(open_[-1]) + 2 if len(open_) else 1), self.grid)


class LowerBound:
    """A lower confidence bound for a mean that holds at all times: `UpperBound` for 1 − x, turned over.

    delta, grid: as of `UpperBound`.  `lower` never falls.
    Theorem `Gnosis.betting_lower_followed`; with an `UpperBound` of another delta and the same grid beside it both hold at all times with
    probability at least 1 minus the sum of the two (`Gnosis.betting_two_sided_followed`).  Assumes what `UpperBound` does, of 1 − x.
    Raises RangeError, NonFiniteError, DtypeError, FloatEnvironmentError.
    Promises: theorem `Gnosis.betting_lower_followed`, `Gnosis.betting_two_sided_followed`.
    """

    def __init__(self, delta: Level, grid: int = 1024) -> None:
        self._mirror = UpperBound(delta, grid)

    def observe(self, x: Number, stake: float | None = None) -> Fraction:
        """Take in one observation, a number in [0, 1]; returns the bound.  As `UpperBound.observe`, the stakes being against claims about 1 − x."""
        exact = nonnegative(x, "x")
        if exact > 1:
            raise RangeError("x", x, "must lie in [0, 1]")
        self._mirror.observe(1 - exact, stake)
        return self.lower

    @property
    def lower(self) -> Fraction:
        """The mean is at least this grid point, at all times together with probability at least 1 - delta.

        Promises: theorem `Gnosis.betting_lower_followed`.
        """
        return 1 - self._mirror.upper

"""What calibration histories say about a history that has not been seen.

Three statements of different kinds, side by side.  None of them may be quoted in place of another.

marginal: a new score exceeds the largest of N calibration scores with probability at most 1/(N + 1), on average over the
    calibration draw as well.  For the long run over many calibrations.
training-conditional: N of the M members of a stated pool are drawn without replacement.  With the stated confidence over
    that draw, the next draw from the rest exceeds the largest calibration score with probability at most j/(M - N).
    For the calibration at hand, about that pool.
Clopper–Pearson: k failures in n independent trials.  With the stated confidence the failure rate is at most p.
    Looks at counts only; for trials that are independent and alike.

All figures are exact or rounded away from the truth.  Levels and risks are read as written (`gnosis.numbers.levels`).
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction

from ..errors import RangeError
from ..gates.conformal import EXCHANGEABLE
from ..numbers.exact import power_of_two
from ..numbers.levels import Level, level, share, whole
from ..numbers.outward import Enclosure, rounded

OWN_FAILURE = "the new history's own bound fails with probability at most alpha"
INDEPENDENT = "the trials are independent and fail with one and the same probability"
POOL = "the calibration scores are drawn from the pool without replacement, every subset being equally likely"
NEXT = "the new score is drawn from the rest of the pool, every member being equally likely"


@dataclass(frozen=True)
class RiskBound:
    """A bound on a probability, and what kind of statement it is.

    risk: the probability is at most this.  confidence: with at least this probability over the calibration draw; None for
    a marginal bound, where the calibration draw is averaged over.  theorem: the Lean theorem, None where there is none.
    assumes: facts about the world that the user supplies.
    Promises: tested `tests/test_extrapolation.py::test_marginal_figures`, `tests/test_extrapolation.py::test_training_conditional_figures`, `floats: clopper_pearson_upper`.
    """

    risk: Fraction
    confidence: Fraction | None
    theorem: str | None
    assumes: tuple[str, ...]

    @property
    def total(self) -> Fraction:
        """The risk and, for a statement made with confidence, the probability that it fails: what an account has to pay.

        Promises: theorem `Gnosis.total_risk_training_conditional`.
        """
        return self.risk + (0 if self.confidence is None else 1 - self.confidence)


# ---- marginal --------------------------------------------------------------------------------------------------------


def marginal(histories: int, alpha: Level = 0) -> RiskBound:
    """1/(N + 1) + α: a new history exceeds the largest of N calibration scores, or its own bound fails.

    histories: N ≥ 0.  alpha: the failure probability of the new history's own bound, from 0 to 1.
    Theorem `Gnosis.conformal_risk_union`.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.conformal_risk_union`.
    """
    α = share(alpha, "alpha")
    return RiskBound(
        Fraction(1, whole(histories, "histories") + 1) + α, None, "Gnosis.conformal_risk_union", (EXCHANGEABLE, OWN_FAILURE) if α else (EXCHANGEABLE,)
    )


def histories_for_marginal(risk: Level, alpha: Level = 0) -> int:
    """The least N with 1/(N + 1) + α ≤ risk.  RangeError when α leaves nothing of the risk; NonFiniteError, DtypeError."""
    left = level(risk, "risk") - share(alpha, "alpha")
    if left <= 0:
        raise RangeError("alpha", alpha, f"leaves nothing of the risk {risk}")
    return math.ceil(1 / left) - 1


# ---- training-conditional, finite pool -------------------------------------------------------------------------------


def pool_tail(pool: int, sample: int, above: int) -> Fraction:
    """The probability C(M - j, N)/C(M, N) that at least j members of the pool lie above the sample's maximum.

    pool: M; sample: N ≤ M; above: j ≤ M.  Exact for different scores, an upper bound with ties.
    Theorem `Gnosis.pool_negative_hypergeometric`.  Raises RangeError, DtypeError.
    Promises: theorem `Gnosis.pool_negative_hypergeometric`.
    """
    M, N, j = whole(pool, "pool"), whole(sample, "sample"), whole(above, "above")
    if N > M:
        raise RangeError("sample", sample, f"the pool has {pool} members")
    if j > M:
        raise RangeError("above", above, f"the pool has {pool} members")
    few, many = sorted((N, j))  # the quotient is symmetric in N and j
    return Fraction(math.prod(range(M - many - few + 1, M - many + 1)) if many + few <= M else 0, math.prod(range(M - few + 1, M + 1)))


def pool_order_tail(pool: int, sample: int, rank: int, above: int) -> Fraction:
    """The probability that more than j members outside of the sample lie above its k-th smallest.

    pool: M; sample: N ≤ M; rank: k from 1 to N; above: j.  Exact for different scores, an upper bound with ties.  The theorem sums
    C(r - 1, k - 1)·C(M - r, N - k) over the ranks r ≤ M - (N - k) - j - 1 that the k-th smallest may have in the pool.  The same is summed
    here over the members of the sample, k or more, that have such a rank: N - k + 1 terms.
    Theorems `Gnosis.pool_order_statistic`, with ties `Gnosis.pool_order_statistic_ties`.  Raises RangeError, DtypeError.
    Promises: theorem `Gnosis.pool_order_statistic`, `Gnosis.pool_order_statistic_ties`.
    """
    M, N, k, j = whole(pool, "pool"), whole(sample, "sample", 1), whole(rank, "rank", 1), whole(above, "above")
    if N > M:
        raise RangeError("sample", sample, f"the pool has {pool} members")
    if k > N:
        raise RangeError("rank", rank, f"the sample has {sample} members")
    low = max(M - (N - k) - j - 1, 0)
    return Fraction(sum(math.comb(low, i) * math.comb(M - low, N - i) for i in range(k, min(N, low) + 1)), math.comb(M, N))


def training_conditional(pool: int, sample: int, confidence: Level, alpha: Level = 0, rank: int | None = None) -> RiskBound:
    """With this confidence over the draw of N of M pool members, the next draw exceeds their k-th smallest with probability at most j/(M - N).

    pool: M; sample: N with 1 ≤ N < M; confidence: strictly between 0 and 1; rank: k, the maximum (k = N) where it is not given.  j is the
    least number for which `pool_order_tail` is at most 1 - confidence, for the maximum C(M - (j + 1), N)/C(M, N), found with integers.
    risk: j/(M - N) + alpha.
    Theorems `Gnosis.pool_training_conditional` for the maximum, `Gnosis.pool_order_training_conditional` for other ranks.
    Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.pool_training_conditional`, `Gnosis.pool_order_training_conditional`.
    """
    M, N = whole(pool, "pool"), whole(sample, "sample", 1)
    k = N if rank is None else whole(rank, "rank", 1)
    β, α = 1 - level(confidence, "confidence"), share(alpha, "alpha")
    if N >= M:
        raise RangeError("sample", sample, f"leaves nothing of a pool of {pool} to draw from")
    if k > N:
        raise RangeError("rank", rank, f"the sample has {sample} members")
    low, high = 0, M - N  # the tail falls with j, and is 0 past M - N
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if (pool_tail(M, N, middle + 1) if k == N else pool_order_tail(M, N, k, middle)) <= β else (middle + 1, high)
    theorem = "Gnosis.pool_training_conditional" if k == N else "Gnosis.pool_order_training_conditional"
    return RiskBound(Fraction(low, M - N) + α, 1 - β, theorem, (POOL, NEXT, OWN_FAILURE) if α else (POOL, NEXT))


# ---- Clopper–Pearson -------------------------------------------------------------------------------------------------

_WORK = 160  # significant bits of the sums
_GRID = 60  # bounds are multiples of 2^-60 times a power of two


def clopper_pearson_upper(failures: int, trials: int, confidence: Level) -> RiskBound:
    """With this confidence the failure rate of independent trials is at most p.

    failures: k; trials: n ≥ 1, k ≤ n; confidence: strictly between 0 and 1.
    p is at least the least rate with P(at most k failures) ≤ 1 - confidence, and at most a factor 1 + 2^-58 above it: scipy's
    beta quantile is only a guess, which is raised until the binomial sum, rounded up, passes.  p = 1 for k = n.
    Classical (Clopper and Pearson 1934); no theorem of the spine.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: tested `tests/test_extrapolation.py::test_clopper_pearson_is_outward_and_tight`, `floats: clopper_pearson_upper`.
    """
    k, n = _counts(failures, trials)
    β = 1 - level(confidence, "confidence")
    return RiskBound(_upper(k, n, β), 1 - β, None, (INDEPENDENT,))


def clopper_pearson_lower(failures: int, trials: int, confidence: Level) -> Fraction:
    """With this confidence the failure rate of independent trials is at least p; the mirror image of `clopper_pearson_upper`.

    Promises: tested `floats: clopper_pearson_lower`.
    """
    k, n = _counts(failures, trials)
    return 1 - _upper(n - k, n, 1 - level(confidence, "confidence"))


def trials_without_failure(risk: Level, confidence: Level) -> int:
    """The least n such that no failure in n trials shows a rate of at most `risk`: (1 - risk)^n ≤ 1 - confidence.

    Raises RangeError, NonFiniteError, DtypeError.
    Promises: tested `floats: trials_without_failure`.
    """
    p, β = level(risk, "risk"), 1 - level(confidence, "confidence")

    def enough(n: int) -> bool:
        none = _power(p.denominator - p.numerator, p.denominator, n)
        if none.low <= β < none.high and n < 100_000:
            return (1 - p) ** n <= β
        return none.high <= β

    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _counts(failures: int, trials: int) -> tuple[int, int]:
    k, n = whole(failures, "failures"), whole(trials, "trials", 1)
    if k > n:
        raise RangeError("failures", failures, f"there were {trials} trials")
    return k, n


def _upper(k: int, n: int, β: Fraction) -> Fraction:
    """A rate p with P(Bin(n, p) ≤ k) ≤ β, as small as the grid allows; 1 for k = n."""
    if k == n:
        return Fraction(1)
    from scipy import stats  # takes a second to import, and only this bound needs it

    law = stats.beta(k + 1, n - k)
    guess = float(law.isf(float(β)) if 2 * β < 1 else law.ppf(float(1 - β)))
    if not 0 < guess < 1:  # past what float64 can hold: the search starts inside, on a grid that is then too coarse for the last bits
        guess = (k + 1) / (n + 1)
    unit = Fraction(1, 1 << (_GRID - math.frexp(guess)[1]))

    def passes(steps: int) -> bool:
        return steps * unit >= 1 or _binomial_below(k, n, steps * unit).high <= β

    # least grid point that passes, looked for around the guess with growing steps; passing is monotone up to the rounding of the sums
    low = high = round(Fraction(guess) / unit)
    reach = 1
    while not passes(high):
        low, high, reach = high, high + reach, 2 * reach
    reach = 1
    while low > 0 and passes(low):
        low, high, reach = max(0, low - reach), low, 2 * reach
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    return min(Fraction(1), high * unit)


def _binomial_below(k: int, n: int, p: Fraction) -> Enclosure:
    """P(Bin(n, p) ≤ k) for 0 < p < 1 and k < n, from sums rounded down and up.

    The term T_k = C(n, k) p^k (1 - p)^(n - k) is multiplied by 1 + r_k + r_k r_(k-1) + …, where
    r_i = T_(i-1)/T_i = i(1 - p)/((n - i + 1) p) falls with i.
    """
    a, b = p.numerator, p.denominator
    low = high = total_low = total_high = 1 << _WORK
    for i in range(k, 0, -1):
        top, bottom = i * (b - a), (n - i + 1) * a
        low = low * top // bottom
        high = -(-high * top // bottom)
        total_low += low
        total_high += high
        top, bottom = (i - 1) * (b - a), (n - i + 2) * a
        if high < 1 << 32 and top < bottom:  # the rest is below a geometric series with this ratio
            total_high += -(-high * top // (bottom - top))
            break
    first = _product(_product(_power(a, b, k), _power(b - a, b, n - k)), _binomial(n, k))
    return Enclosure(first.low * total_low / (1 << _WORK), first.high * total_high / (1 << _WORK))


def _power(a: int, b: int, n: int) -> Enclosure:
    """(a/b)^n by squaring, rounded outward each time."""
    result, square = Enclosure(Fraction(1), Fraction(1)), _both(Fraction(a, b))
    while n:
        if n & 1:
            result = _product(result, square)
        n >>= 1
        if n:
            square = _product(square, square)
    return result


@functools.lru_cache(maxsize=8)
def _binomial(n: int, k: int) -> Enclosure:
    """C(n, k) as a product of quotients, rounded outward each time (exact integers of a million digits would take minutes)."""
    k = min(k, n - k)
    low = high = 1 << 2 * _WORK
    exponent = -2 * _WORK
    for i in range(1, k + 1):
        low = low * (n - k + i) // i
        high = -(-high * (n - k + i) // i)
        if high >> 4 * _WORK:
            low, high, exponent = low >> 2 * _WORK, -(-high >> 2 * _WORK), exponent + 2 * _WORK
    return Enclosure(*(rounded(x * power_of_two(exponent), _WORK, up) for x, up in ((low, False), (high, True))))


def _product(x: Enclosure, y: Enclosure) -> Enclosure:
    """Of enclosures of positive numbers."""
    return Enclosure(rounded(x.low * y.low, _WORK, up=False), rounded(x.high * y.high, _WORK, up=True))


def _both(x: Fraction) -> Enclosure:
    return Enclosure(rounded(x, _WORK, up=False), rounded(x, _WORK, up=True))

"""What calibration says about the unseen: bounds on failures, counted exactly, against peers."""

import itertools
import json
import math
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from gnosis.errors import DtypeError, NonFiniteError, RangeError
from gnosis.risk import extrapolation
from gnosis.risk.extrapolation import (
    clopper_pearson_lower,
    clopper_pearson_upper,
    histories_for_marginal,
    marginal,
    pool_order_tail,
    pool_tail,
    training_conditional,
    trials_without_failure,
)

PEERS = json.loads(Path(__file__).with_name("recorded_peers.json").read_text())

# ---- extrapolation ----


def test_marginal_figures():
    assert marginal(64, "0.01").risk == Fraction(33, 1300) and marginal(64).confidence is None  # 2.54 percent
    assert histories_for_marginal("0.01", "0.005") == 199 and histories_for_marginal("0.01", "0.001") == 111
    for N in range(1, 60):
        assert marginal(N).risk <= marginal(N - 1).risk and histories_for_marginal(marginal(N).risk) == N
    with pytest.raises(RangeError, match="^alpha"):
        histories_for_marginal("0.01", "0.01")


def test_training_conditional_figures():
    bound = training_conditional(148, 64, "0.99")
    assert bound.risk == Fraction(7, 84) and bound.confidence == Fraction(99, 100) and bound.theorem == "Gnosis.pool_training_conditional"
    assert training_conditional(148, 64, "0.99", "0.01").risk == Fraction(7, 84) + Fraction(1, 100) and bound.total == Fraction(7, 84) + Fraction(1, 100)


def wrong_pools(tail, bound):
    """Against counting all subsets of small pools."""
    wrong = 0
    for M in range(2, 9):
        for N in range(1, M):
            above = [sum(x > max(S) for x in range(M)) for S in itertools.combinations(range(M), N)]
            for j in range(M + 1):
                wrong += tail(M, N, j) != Fraction(sum(a >= j for a in above), len(above))
            for confidence in (Fraction(1, 2), Fraction(2, 3), Fraction(9, 10), Fraction(99, 100)):
                least = min(j for j in range(M) if sum(a <= j for a in above) >= confidence * len(above))
                wrong += bound(M, N, confidence) != Fraction(least, M - N)
    return wrong


def test_the_pool_is_counted_exactly():
    assert wrong_pools(pool_tail, lambda *a: training_conditional(*a).risk) == 0
    assert wrong_pools(lambda M, N, j: Fraction(math.comb(M - j, N), math.comb(M, N)), lambda *a: training_conditional(*a).risk) == 0


def test_a_wrong_pool_is_caught():
    def with_replacement(M, N, j):
        return Fraction(M - j, M) ** N

    assert wrong_pools(with_replacement, lambda *a: training_conditional(*a).risk) > 0
    assert wrong_pools(pool_tail, lambda M, N, c: training_conditional(M, N, c).risk * Fraction(M - N, M)) > 0  # a share of the whole pool


def wrong_orders(tail, bound):
    """The same for every rank, and against the sum of the theorem."""
    wrong = 0
    for M in range(2, 9):
        for k, N in itertools.combinations_with_replacement(range(1, M), 2):  # 1 ≤ k ≤ N < M
            samples = list(itertools.combinations(range(M), N))
            above = [sum(x > S[k - 1] for x in range(M) if x not in S) for S in samples]
            for j in range(M + 1):
                said = tail(M, N, k, j)
                ranks = range(1, M - (N - k) - j)
                wrong += said != Fraction(sum(a > j for a in above), len(samples))
                wrong += said != Fraction(sum(math.comb(r - 1, k - 1) * math.comb(M - r, N - k) for r in ranks), len(samples))
            for confidence in (Fraction(1, 2), Fraction(9, 10), Fraction(99, 100)):
                least = min(j for j in range(M) if sum(a <= j for a in above) >= confidence * len(samples))
                wrong += bound(M, N, confidence, k) != Fraction(least, M - N)
    return wrong


def test_every_rank_of_the_sample_is_counted_exactly():
    assert wrong_orders(pool_order_tail, lambda M, N, c, k: training_conditional(M, N, c, rank=k).risk) == 0
    assert training_conditional(148, 64, "0.99", rank=64) == training_conditional(148, 64, "0.99")
    bound = training_conditional(148, 64, "0.99", rank=60)
    assert bound.theorem == "Gnosis.pool_order_training_conditional" and bound.risk > training_conditional(148, 64, "0.99").risk
    assert pool_order_tail(148, 64, 60, int(bound.risk * 84)) <= Fraction(1, 100) < pool_order_tail(148, 64, 60, int(bound.risk * 84) - 1)


def test_a_wrong_rank_is_caught():
    assert wrong_orders(lambda M, N, k, j: pool_order_tail(M, N, k, j + 1), lambda M, N, c, k: training_conditional(M, N, c, rank=k).risk) > 0
    assert wrong_orders(pool_order_tail, lambda M, N, c, k: training_conditional(M, N, c).risk) > 0  # the maximum in the place of the rank


def test_a_large_pool_is_quick_and_exact():
    bound = training_conditional(10**6, 1000, "0.99")
    j = bound.risk * (10**6 - 1000)
    assert pool_tail(10**6, 1000, int(j) + 1) <= Fraction(1, 100) < pool_tail(10**6, 1000, int(j))


def binomial(k, n, p):
    """P(Bin(n, p) ≤ k), in integers."""
    a, b = p.numerator, p.denominator
    return Fraction(sum(math.comb(n, i) * a**i * (b - a) ** (n - i) for i in range(k + 1)), b**n)


def cases():
    rng = random.Random(6)
    for _ in range(150):
        n = rng.choice((1, 2, 3, 10, 50, 200))
        yield rng.choice((0, n, n - 1, rng.randint(0, n))), n, Fraction(rng.randint(1, 999), 1000)
    yield from (
        (0, 500, 1 - Fraction("0.001") / 501),
        (0, 18, Fraction(95, 100)),
        (0, 18, Fraction("0.9999")),
        (1, 2, 1 - Fraction(1, 10**400)),
        (0, 1, Fraction(1, 10**30)),
        (0, 1, Fraction(1, 2)),
    )


def too_small(upper):
    """Upper bounds p that exact integer sums do not confirm."""
    return sum((p := upper(k, n, c)) < 1 and binomial(k, n, p) > 1 - c or p < 1 and k == n for k, n, c in cases())


def test_clopper_pearson_is_outward_and_tight():
    assert too_small(lambda *a: clopper_pearson_upper(*a).risk) == 0
    for k, n, c in cases():
        p, low = clopper_pearson_upper(k, n, c).risk, clopper_pearson_lower(k, n, c)
        if k < n:
            assert binomial(k, n, p / (1 + Fraction(1, 2**58))) > 1 - c
        if k > 0:
            assert low == 1 - clopper_pearson_upper(n - k, n, c).risk and 1 - binomial(k - 1, n, low) <= 1 - c
        else:
            assert low == 0


def test_clopper_pearson_by_scipy_alone_is_caught():
    from scipy.stats import beta

    def plain(k, n, c):
        return Fraction(float(beta.ppf(float(c), k + 1, n - k))) if k < n else Fraction(1)

    with np.errstate(all="ignore"):
        assert too_small(lambda k, n, c: min(Fraction(1), plain(k, n, c)) if c < 1 - Fraction(1, 10**300) else Fraction(1)) > 20


@pytest.mark.parametrize("row", PEERS["clopper_pearson"], ids=lambda row: f"{row['failures']} of {row['trials']}")
def test_clopper_pearson_against_a_peer(row):
    k, n, c = row["failures"], row["trials"], row["confidence"]
    assert float(clopper_pearson_upper(k, n, c).risk) == pytest.approx(row["high"], rel=1e-12)
    assert float(clopper_pearson_lower(k, n, c)) == pytest.approx(row["low"], rel=1e-12, abs=1e-300)


def test_clopper_pearson_figures():
    assert 0.250105 < clopper_pearson_upper(0, 16, "0.99").risk < 0.250106
    assert 0.0259072195 < clopper_pearson_upper(0, 500, 1 - Fraction("0.001") / 501).risk < 0.0259072196
    assert 0.15331755 < clopper_pearson_upper(0, 18, 0.95).risk < 0.15331756
    assert clopper_pearson_upper(500, 500, "0.99").risk == 1 and clopper_pearson_lower(0, 500, "0.99") == 0
    assert clopper_pearson_upper(0, 10, "0.9").theorem is None
    assert trials_without_failure("0.01", "0.99") == 459
    # the figure 1,057 that is in circulation for a rate of .005 with confidence .995 is one short
    assert trials_without_failure("0.005", "0.995") == 1058 and Fraction(995, 1000) ** 1057 > Fraction(5, 1000) >= Fraction(995, 1000) ** 1058
    assert trials_without_failure("0.1", "0.1") == 1 and trials_without_failure("0.5", "0.75") == 2


def test_binomial_sums_of_any_size():
    rng = random.Random(9)
    for _ in range(200):
        n = rng.randint(1, 300)
        k, p = rng.randrange(n), Fraction(rng.randint(1, 999), 1000)
        low, high = extrapolation._binomial_below(k, n, p)
        assert low <= binomial(k, n, p) <= high <= low * (1 + Fraction(1, 2**120))
    from scipy.stats import binom

    low, high = extrapolation._binomial_below(50_200, 100_000, Fraction(1, 2))
    assert float(low) == pytest.approx(binom.cdf(50_200, 100_000, 0.5), rel=1e-9) and high <= low * (1 + Fraction(1, 2**100))


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: marginal(-1), RangeError, "histories"),
        (lambda: marginal(1.0), DtypeError, "histories"),
        (lambda: marginal(5, 1.5), RangeError, "alpha"),
        (lambda: training_conditional(10, 10, 0.9), RangeError, "sample"),
        (lambda: training_conditional(10, 0, 0.9), RangeError, "sample"),
        (lambda: training_conditional(10, 5, 0.9, rank=6), RangeError, "rank"),
        (lambda: training_conditional(10, 5, 0.9, rank=0), RangeError, "rank"),
        (lambda: pool_order_tail(10, 5, 6, 1), RangeError, "rank"),
        (lambda: pool_order_tail(10, 11, 1, 1), RangeError, "sample"),
        (lambda: training_conditional(10, 5, 1), RangeError, "confidence"),
        (lambda: pool_tail(10, 11, 1), RangeError, "sample"),
        (lambda: pool_tail(10, 1, 11), RangeError, "above"),
        (lambda: clopper_pearson_upper(3, 2, 0.9), RangeError, "failures"),
        (lambda: clopper_pearson_upper(0, 0, 0.9), RangeError, "trials"),
        (lambda: clopper_pearson_upper(0, 5, math.nan), NonFiniteError, "confidence"),
        (lambda: clopper_pearson_lower(-1, 5, 0.9), RangeError, "failures"),
        (lambda: trials_without_failure(0, 0.9), RangeError, "risk"),
        (lambda: clopper_pearson_upper(True, 5, 0.9), DtypeError, "failures"),
    ],
)
def test_bad_extrapolation_is_named(call, error, name):
    with pytest.raises(error, match=f"^{name}"):
        call()

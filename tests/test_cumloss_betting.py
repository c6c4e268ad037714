"""The union bound, betting, and what a request risks altogether."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from cumloss_support import risks
from hypothesis import given, settings
from hypothesis import strategies as st

from gnosis.errors import ArgumentError, DtypeError, LengthError, NegativeError, NonFiniteError, RangeError
from gnosis.gates import betting, cumloss, union
from gnosis.gates.betting import BettingGate, LowerBound, UpperBound
from gnosis.gates.cumloss import Bet, ChargeAccount, ChargeGate
from gnosis.gates.union import UnionGate
from gnosis.risk import accounts
from gnosis.risk.accounts import RiskGate
from gnosis.risk.extrapolation import clopper_pearson_upper, training_conditional

# ---- the union bound ----


@given(risks, risks, st.integers(0, 60))
def test_the_union_bound(δ, π, t):
    gate = UnionGate(δ)
    verdict = gate.decide(π, t)
    assert verdict.admit == union.union_admit(*δ, *π, t) == (verdict.margin >= 0) == (t < gate.life(π)) and gate.life(π) == union.union_life(*δ, *π)
    assert gate.spent(t) == sum((gate.share(s) for s in range(t)), Fraction(0)) < gate.delta
    assert gate.decide_many(Fraction(*π), t + 3).tolist() == [gate.decide(π, s).admit for s in range(t + 3)]
    assert gate.decide_many([Fraction(*π), gate.share(t)], np.array([t, t])).tolist() == [verdict.admit, True]


def test_a_tuple_of_prices_is_not_guessed_at():
    gate = UnionGate("0.1")
    with pytest.raises(DtypeError, match="^price"):
        gate.decide_many((0, 1), 2)
    assert gate.decide_many([0, "0.01"], 2).tolist() == [True, True] == gate.decide_many(Fraction(1, 100), 2).tolist()


def test_the_union_bound_exhausts():
    gate = UnionGate("0.01")
    assert gate.life("1e-6") == 99 and gate.life("1e-30") == 10**14 - 1 and gate.decide(0, 10**9).admit and gate.decide_many(0, 5).all()
    account = ChargeAccount(ChargeGate(Bet.for_budget(50_000, "0.01", 10, "0.001"), "0.01"), 10)
    assert all(account.propose(Fraction(1, 10**6)).admit for _ in range(1000))  # the cumulative account goes on
    for call, name in [
        (lambda: gate.life(0), "price"),
        (lambda: gate.decide(2, 0), "price"),
        (lambda: gate.decide(0.1, -1), "t"),
        (lambda: UnionGate(0), "delta"),
        (lambda: gate.decide_many([0.1], 2), "price"),
        (lambda: gate.decide_many(0.1, np.ones((1, 1), int)), "events"),
    ]:
        with pytest.raises(ArgumentError, match=f"^{name}"):
            call()


# ---- betting ----

shares = st.integers(0, 8).map(lambda n: Fraction(n, 8))


@given(st.lists(st.tuples(shares, shares), max_size=8), shares, risks)
def test_betting_is_the_exact_product(steps, m, δ):
    gate = BettingGate(m, δ)
    λ = [s * (1 if gate.cap is None else gate.cap) for s, _ in steps]
    x = [o for _, o in steps]
    verdict = gate.decide(λ, x)
    wealth = math.prod((1 + s * (m - o) for s, o in zip(λ, x)), start=Fraction(1))
    assert gate.wealth(λ, x) == wealth and verdict.margin == wealth - 1 / gate.delta and verdict.admit == (verdict.margin >= 0)
    if x:
        assert gate.decide_many(λ, np.array([x, x], dtype=object)).tolist() == [verdict.admit] * 2
        assert gate.decide_many(λ, np.array([x], dtype=float)).tolist() == [verdict.admit]


def false_rejections(rejects):
    """Share of paths of a fair coin on which the true claim "the mean is at least 1/2" is ever rejected, against δ."""
    wrong = 0
    for δ, stake in ((Fraction(1, 8), 2), (Fraction(1, 4), 1), (Fraction(1, 3), Fraction(3, 2)), (Fraction(1, 16), 2)):
        hit = sum(any(rejects(δ, stake, path[:t]) for t in range(1, 9)) for path in itertools.product((0, 1), repeat=8))
        wrong += Fraction(hit, 2**8) > δ
    return wrong


def test_the_true_claim_is_rarely_rejected():
    assert false_rejections(lambda δ, stake, x: BettingGate("0.5", δ).decide(stake, list(x)).admit) == 0
    assert BettingGate("0.5", "0.125").decide(2, [0, 0, 0]).margin == 0  # attained


@pytest.mark.parametrize(
    "wrong",
    [
        lambda δ, stake, x: math.prod(1 + 6 * (Fraction(1, 2) - o) for o in x) >= 1 / δ,  # a stake above the cap
        lambda δ, stake, x: math.prod(max(Fraction(0), 1 + 6 * (Fraction(1, 2) - o)) for o in x) >= 1 / δ,  # cut off at zero
        lambda δ, stake, x: math.prod(1 + stake * abs(Fraction(1, 2) - o) for o in x) >= 1 / δ,  # the stake after the observation
    ],
    ids=["above the cap", "clipped", "hindsight"],
)
def test_a_wrong_bet_is_caught(wrong):
    assert false_rejections(wrong) > 0


def betting_faults(decide_many):
    """Float64 sequences whose wealth is next to 1/δ, against fractions: false rejections, false refusals to reject."""
    rng = np.random.default_rng(1)
    rejections = refusals = 0
    for T in (1, 5, 60):
        for _ in range(25):
            x = np.minimum(rng.random(T) * 0.4, 1)
            m = Fraction(1, 3)
            wealth = BettingGate(m, "0.5").wealth(0.7, x)
            for δ in [
                Fraction(1) / wealth * f for f in (1, 1 - Fraction(1, 10**25), 1 + Fraction(1, 10**25), 1 + Fraction(1, 10**17), 1 - Fraction(1, 10**17))
            ]:
                if 0 < δ < 1:
                    gate = BettingGate(m, δ)
                    truth, answer = gate.decide(0.7, x).admit, decide_many(gate, 0.7, x[None])[0]
                    rejections += answer and not truth
                    refusals += truth and not answer
    return rejections, refusals


def test_betting_in_a_batch_at_the_threshold():
    assert betting_faults(BettingGate.decide_many) == (0, 0)
    naive = betting_faults(lambda gate, λ, x: [np.prod(1 + λ * (float(gate.mean) - x[0])) >= float(1 / gate.delta)])
    assert naive[0] > 0


def test_wealth_past_the_range_of_float64():
    zeros = np.zeros((1, 4000))
    assert BettingGate("0.9", "0.5").decide_many(9, zeros).tolist() == [True]
    assert BettingGate("0.9", Fraction(1, 10**400)).decide_many(9, zeros[:, :100]).tolist() == [False]
    assert BettingGate(1, "0.5").decide_many(10**400, np.array([[1.0, 0.0], [1.0, 1.0]])).tolist() == [True, False]


def wealth_outside():
    """Exact wealths that lie outside their bounds."""
    rng, wrong = np.random.default_rng(6), 0
    for _ in range(40):
        x, λ, m = rng.random((10, 12)), rng.random(12), float(rng.random())
        low, high = betting.wealth_bounds((λ, λ), (m, m), (x, x))
        for row, l, h in zip(x.tolist(), low.tolist(), high.tolist()):
            exact = math.prod(1 + Fraction(s) * (Fraction(m) - Fraction(o)) for s, o in zip(λ.tolist(), row))
            wrong += not Fraction(l) <= exact <= Fraction(h)
    return wrong


def test_wealth_is_rounded_outward(monkeypatch):
    assert wealth_outside() == 0
    for side in ("below", "above"):
        with monkeypatch.context() as patch:
            patch.setattr(betting, side, lambda x: x)
            assert wealth_outside() > 50


@settings(max_examples=30)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=20), st.sampled_from(["0.1", "0.01"]))
def test_the_upper_bound_rejects_no_more_than_exact_betting(steps, δ):
    bound = UpperBound(δ, 16)
    wealth = {g: Fraction(1) for g in range(1, 17)}
    rejected = set()
    for x, λ in steps:
        bound.observe(x, λ)
        for g in wealth:
            m = Fraction(g, 16)
            stake = Fraction(λ) if g == 16 else min(Fraction(λ), 1 / (1 - m))
            wealth[g] *= 1 + stake * (m - Fraction(x))
            if wealth[g] >= 1 / Fraction(δ):
                rejected.add(g)
        open_ = max((g for g in wealth if g not in rejected), default=0)
        assert bound.upper >= Fraction(min(16, open_ + 1), 16)


def test_the_upper_bound_covers_and_informs():
    rng = np.random.default_rng(3)
    missed = 0
    for _ in range(40):
        bound = UpperBound("0.1", 256)
        lowest = min(bound.observe(float(x)) for x in rng.beta(1, 4, 300))
        missed += lowest <= Fraction(1, 5)
        assert lowest == bound.upper < Fraction(3, 10)
    assert missed <= 4
    zeros = UpperBound("0.01", 1024)
    for _ in range(64):
        zeros.observe(0, 1)
    assert UpperBound(Fraction(1, 10**400)).observe(0) == 1
    assert zeros.upper == Fraction(77, 1024) and zeros.count == 64  # 8/100 on Lean's grid of hundredths
    assert betting.betting_upper_bound(100, 1, 1, 100, [(1, 0)] * 64) == 8 and betting.betting_lower_bound(100, 1, 1, 100, [(1, 100)] * 64) == 92
    ones = LowerBound("0.01", 1024)
    assert [ones.observe(1, 1) for _ in range(64)][-1] == ones.lower == 1 - zeros.upper
    with pytest.raises(RangeError, match="^x"):
        ones.observe(2)
    # seven zeros at N = 1: the largest claim left is 0, the bound is not
    assert betting.betting_upper(1, 1, 1, 100, [(1, 0)] * 7) == 0 and betting.betting_upper_bound(1, 1, 1, 100, [(1, 0)] * 7) == 1


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: BettingGate(1.5, 0.1), RangeError, "mean"),
        (lambda: BettingGate(0.5, 1), RangeError, "delta"),
        (lambda: BettingGate(0.5, 0.1).decide(3, [0]), RangeError, r"stakes\[0\]"),
        (lambda: BettingGate(0.5, 0.1).decide(-1, [0]), NegativeError, "stakes"),
        (lambda: BettingGate(0.5, 0.1).decide([1, -1], [0, 0]), NegativeError, r"stakes\[1\]"),
        (lambda: BettingGate(0.5, 0.1).decide([1], [0, 0]), LengthError, "stakes"),
        (lambda: BettingGate(0.5, 0.1).decide(1, [0, 1.5]), RangeError, r"observations\[1\]"),
        (lambda: BettingGate(0.5, 0.1).decide(1, [math.nan]), NonFiniteError, r"observations\[0\]"),
        (lambda: BettingGate(0.5, 0.1).decide(1, [-0.5]), NegativeError, r"observations\[0\]"),
        (lambda: BettingGate(0.5, 0.1).decide(math.inf, [0]), NonFiniteError, "stakes"),
        (lambda: BettingGate(0.5, 0.1).decide_many(1, np.array([[0, math.nan]])), NonFiniteError, r"observations\[0, 1\]"),
        (lambda: BettingGate(0.5, 0.1).decide_many(1, np.array([[0, 2.0]])), RangeError, r"observations\[0, 1\]"),
        (lambda: BettingGate(0.5, 0.1).decide_many(3, np.array([[0.0]])), RangeError, r"stakes\[0\]"),
        (lambda: BettingGate(0.5, 0.1).decide(10**400, [0]), RangeError, r"stakes\[0\]"),
        (lambda: BettingGate(0.5, 0.1).decide(1, [-(10**400)]), NegativeError, r"observations\[0\]"),
        (lambda: BettingGate(0.5, 0.1).decide_many(1, np.zeros(3)), LengthError, "observations"),
        (lambda: UpperBound(0.1).observe(math.nan), NonFiniteError, "x"),
        (lambda: UpperBound(0.1).observe(1.5), RangeError, "x"),
        (lambda: UpperBound(0.1).observe(-0.5), NegativeError, "x"),
        (lambda: UpperBound(0.1).observe(0.5, math.inf), NonFiniteError, "stake"),
        (lambda: UpperBound(0.1).observe(0.5, -1), NegativeError, "stake"),
        (lambda: UpperBound(0.1, 100), RangeError, "grid"),
        (lambda: UpperBound(2), RangeError, "delta"),
    ],
)
def test_a_bad_bet_is_named(call, error, name):
    with pytest.raises(error, match=f"^{name}"):
        call()


# ---- what a request risks altogether ----


def test_the_parts_add_up():
    gate = RiskGate("0.05")
    assert gate.decide("0.01", "0.01", 64).margin == Fraction(4, 100) - Fraction(1, 100) - Fraction(1, 65) > 0
    assert not RiskGate("0.035").decide("0.01", "0.01", 64).admit and RiskGate(Fraction(2, 100) + Fraction(1, 65)).decide("0.01", "0.01", 64).margin == 0
    pool = training_conditional(148, 64, "0.99")
    verdict = RiskGate("0.2").decide("0.01", "0.01", pool)
    assert (
        verdict.margin == Fraction(2, 10) - Fraction(2, 100) - Fraction(7, 84) - Fraction(1, 100)
        and verdict.theorem == "Gnosis.total_risk_training_conditional"
    )
    assert gate.decide("0.01", "0.01", 64).theorem == "Gnosis.total_risk_over_random_history"  # the request is the unit
    with pytest.raises(RangeError, match=r"^histories = .*no theorem adds this bound up"):
        RiskGate("0.9").decide("0.01", "0.01", clopper_pearson_upper(0, 16, "0.99"))
    # the hypotheses of the theorem, and not what alpha and the calibration pay for
    assert verdict.assumes == (accounts.SCORE, accounts.ESTIMATE, accounts.LARGEST, cumloss.GRID, cumloss.EXACT, cumloss.MONOTONE, *pool.assumes)
    assert cumloss.MEAN not in gate.decide("0.01", "0.01", 64).assumes
    for call, name in [
        (lambda: RiskGate(0), "budget"),
        (lambda: gate.decide(2, 0, 5), "ledger"),
        (lambda: gate.decide(0.1, math.nan, 5), "alpha"),
        (lambda: gate.decide(0.1, 0.1, -5), "histories"),
        (lambda: gate.decide(0.1, 0.1, 5.0), "histories"),
    ]:
        with pytest.raises(ArgumentError, match=f"^{name}"):
            call()

"""The cumulative-loss account: charges, the controller, the union bound, betting, and accounts on the disk."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
from cumloss_support import GATE, risks
from hypothesis import given
from hypothesis import strategies as st

from gnosis.errors import ArgumentError, DtypeError, LengthError, NegativeError, NonFiniteError, RangeError
from gnosis.gates import betting, cumloss, union
from gnosis.gates.cumloss import Bet, ChargeAccount, ChargeGate
from gnosis.risk.accounts import DurableAccount, replay

bets = st.tuples(st.integers(1, 12), st.integers(1, 12), st.integers(0, 12)).map(lambda t: (t[0], t[1] + t[2], t[1]))  # N, p, q with p ≥ q


def power(p, q, k):
    return Fraction(p, q) ** k


# ---- the decisions on natural numbers ----


@given(bets, st.integers(0, 12), st.integers(0, 14))
def test_pays_says_what_it_means(bet, u, a):
    N, p, q = bet
    assert cumloss.pays(N, p, q, u, a) == (1 + Fraction(u, N) * (power(p, q, N) - 1) <= power(p, q, a))
    assert cumloss.step_factor(N, p, q, u) == N * q**N * (1 + Fraction(u, N) * (power(p, q, N) - 1))
    assert not cumloss.pays(0, p, q, u, a) and not cumloss.pays(N, q, p + 1, u, a) and not cumloss.pays(N, p, 0, u, a)


@given(bets, risks, st.integers(0, 4), st.integers(0, 30), st.integers(0, 12), st.integers(0, 40))
def test_the_ledger_says_what_it_means(bet, δ, t, extra, u, b):
    N, p, q = bet
    L = N**t * q ** (t * N) + extra
    value = Fraction(L, N**t * q ** (t * N))
    assert cumloss.covered(N, p, q, *δ, t, L, b) == (value / Fraction(*δ) <= power(p, q, b))
    admit = cumloss.cumloss_admit(N, p, q, *δ, t, L, u, b)
    step = 1 + Fraction(u, N) * (power(p, q, N) - 1)
    assert admit == (value * step / Fraction(*δ) <= power(p, q, b))
    assert cumloss.cumloss_step(N, p, q, *δ, t, L, u, b) == L * cumloss.step_factor(N, p, q, u if admit else 0)
    assert not cumloss.covered(N, p, q, 1, 0, t, L, b)


def run_both(bet, δ, steps, budget, charge):
    """Steps that the charges admit and the multiplied ledger refuses; and how many the charges admit."""
    N, p, q = bet
    account, L, t, bad, admitted = cumloss.least_reserve(p, q, *δ), 1, 0, 0, 0
    for u in steps:
        offer = charge(N, p, q, u)
        if cumloss.charge_admit(account, offer, budget):
            bad += not cumloss.cumloss_admit(N, p, q, *δ, t, L, u, budget)
            account, admitted = account + offer, admitted + 1
        else:
            u = 0
        L, t = L * cumloss.step_factor(N, p, q, u), t + 1
    return bad, admitted


def test_charges_admit_nothing_that_the_multiplied_ledger_refuses():
    rng = np.random.default_rng(2)
    admitted = caught = 0
    for _ in range(60):
        N = int(rng.integers(1, 9))
        bet, δ = (N, 3, 2), (1, int(rng.integers(2, 30)))
        steps, budget = rng.integers(0, N + 1, 10).tolist(), int(rng.integers(5, 40))
        bad, some = run_both(bet, δ, steps, budget, cumloss.least_charge)
        assert bad == 0
        admitted += some
        caught += run_both(bet, δ, steps, budget, lambda N, p, q, u: max(0, cumloss.least_charge(N, p, q, u) - 1))[0]
    assert admitted > 100 and caught > 20


@given(bets, risks, st.integers(0, 60))
def test_reserves(bet, δ, r):
    _, p, q = bet
    assert cumloss.reserve_pays(p, q, *δ, r) == (1 / Fraction(*δ) <= power(p, q, r))
    assert not cumloss.reserve_pays(q, p + 1, *δ, r) and not cumloss.reserve_pays(p, 0, *δ, r) and not cumloss.reserve_pays(p, q, 1, 0, r)


@given(st.integers(0, 50), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 80)), max_size=8))
def test_the_run_is_its_steps(account, steps):
    decisions = []
    for offer, charge, budget in steps:
        decisions.append(cumloss.charge_admit(account, offer, budget))
        assert cumloss.charge_settle(account, offer, charge, budget) == account + charge * decisions[-1]
        account = cumloss.charge_settle(account, offer, charge, budget)
    assert cumloss.charge_run(0, []) == [] and len(decisions) == len(steps)


def test_instances():
    assert cumloss.least_charge(20, 11, 10, 2) == 5 and cumloss.least_charge(20, 11, 10, 1) == 3 and cumloss.least_reserve(11, 10, 1, 10) == 25
    assert cumloss.least_charge(3, 2, 1, 1) == 2 and cumloss.least_reserve(2, 1, 3, 10) == 2 and cumloss.pays(10, 11, 10, 5, 7)
    assert cumloss.cumloss_admit(3, 2, 1, 3, 10, 0, 1, 1, 4) and not cumloss.cumloss_admit(3, 2, 1, 3, 10, 0, 1, 1, 3)
    assert cumloss.charge_admit(2, 2, 4) and not cumloss.charge_admit(2, 2, 3)
    assert cumloss.charge_run(25, [(5, 5, 50 + t) for t in range(8)]) == [True, True, True, True, True, True, False, False]
    assert union.union_life(1, 100, 1, 10**6) == 99 and union.union_admit(1, 100, 1, 10**6, 98) and not union.union_admit(1, 100, 1, 10**6, 99)
    assert (
        betting.stake_admit(2, 1, 1, 2) and not betting.stake_admit(2, 1, 1, 3) and not betting.stake_admit(0, 0, 1, 0) and not betting.stake_admit(2, 3, 1, 0)
    )
    assert betting.betting_upper(100, 1, 1, 100, [(1, 0)] * 64) == 7 and betting.betting_factor(2, 1, 1, 6, 2) == 0
    assert (
        betting.betting_rejects(2, 1, 1, 1, 8, [(2, 0)] * 3)
        and not betting.betting_rejects(2, 1, 1, 1, 8, [(2, 0)] * 2)
        and not betting.betting_rejects(2, 1, 1, 1, 8, [(3, 0)] * 9)
    )
    assert (
        not betting.betting_rejects(2, 1, 1, 1, 0, [(2, 0)] * 9)
        and betting.betting_upper_from(2, 1, 1, 8, [], 2) == 2
        and not betting.steps_ok(2, 1, 1, [(1, 3)])
    )


def test_natural_subtraction():
    assert cumloss.step_factor(2, 1, 3, 5) == 2 * 9 and betting.betting_factor(4, 1, 1, 3, 9) == 0


# ---- what the account promises, over all paths of small processes ----


def overruns(charge_of, reserve_of, steps=9):
    """The largest share of paths of fair processes whose loss exceeds a budget, and the share that δ allows; (N, p, q, u, δ)."""
    worst = []
    for N, p, q, u, δ in ((3, 2, 1, 1, Fraction(3, 10)), (2, 3, 2, 1, Fraction(1, 4)), (4, 5, 4, 1, Fraction(1, 5)), (5, 6, 5, 2, Fraction(1, 2))):
        # the loss is N with probability u/N, else 0: the mean bound is attained
        reserve, charge = reserve_of(p, q, δ), charge_of(N, p, q, u)
        for budget in range(reserve, reserve + 3 * charge + 3):
            share = Fraction(0)
            alive = {(reserve, 0): Fraction(1)}  # (account, lost) -> probability
            for _ in range(steps):
                later = {}
                for (account, lost), weight in alive.items():
                    if cumloss.charge_admit(account, charge, budget):
                        for loss, chance in ((N, Fraction(u, N)), (0, 1 - Fraction(u, N))):
                            state = (account + charge, lost + loss)
                            if state[1] > budget:
                                share += weight * chance
                            else:
                                later[state] = later.get(state, 0) + weight * chance
                    else:
                        later[(account, lost)] = later.get((account, lost), 0) + weight
                alive = later
            worst.append((share, δ))
    return sum(share > δ for share, δ in worst)


def test_the_controller_keeps_its_risk():
    assert overruns(cumloss.least_charge, lambda p, q, δ: cumloss.least_reserve(p, q, δ.numerator, δ.denominator)) == 0


@pytest.mark.parametrize(
    "charge, reserve",
    [
        (lambda N, p, q, u: 0, lambda p, q, δ: cumloss.least_reserve(p, q, δ.numerator, δ.denominator)),
        (lambda N, p, q, u: cumloss.least_charge(N, p, q, u) - 2 + (N > 3), lambda p, q, δ: cumloss.least_reserve(p, q, δ.numerator, δ.denominator)),
        (cumloss.least_charge, lambda p, q, δ: 0),
    ],
    ids=["free steps", "charges too small", "no reserve"],
)
def test_an_account_that_pays_too_little_is_caught(charge, reserve):
    assert overruns(charge, reserve) > 0


def test_a_budget_that_falls_is_refused():
    account = ChargeAccount(ChargeGate(Bet(20, 11, 10), "0.1"), 3)
    account.propose(0.05, "3.5")
    with pytest.raises(RangeError, match="must not fall"):
        account.propose(0.05, 3)
    assert account.steps == 1
    with pytest.raises(RangeError, match=r"^budget\[2\]"):
        account.gate.run(np.array([1, 1, 1]), np.array([60, 60, 59]))


# ---- bets, charges, reserves ----


def wrong_tables(table):
    rng, wrong = random.Random(4), 0
    for _ in range(60):
        N, q = rng.randint(1, 30), rng.randint(1, 40)
        p = q + rng.choice((1, 1, 2, rng.randint(1, 60)))
        wrong += table(N, p, q) != [cumloss.least_charge(N, p, q, u) for u in range(N + 1)]
    return wrong


def test_charges_are_the_least_that_pay():
    assert wrong_tables(lambda N, p, q: Bet(N, p, q).charges().tolist()) == 0
    for N, p, q in ((1000, 2001, 1999), (777, 10**9 + 7, 10**9), (4096, 4097, 4096), (64, 5, 1)):
        charges = Bet(N, p, q).charges()
        for u in {0, 1, 2, 3, N // 7, N // 2, N - 1, N}:
            a = int(charges[u])
            assert cumloss.pays(N, p, q, u, a) and (a == 0 or not cumloss.pays(N, p, q, u, a - 1))
        assert (np.diff(charges) >= 0).all() and charges[0] == 0 and charges[N] <= N
    with pytest.raises(ValueError):
        charges[0] = 1


def test_charges_of_floats_are_caught():
    def rounded(N, p, q):
        λ = math.log(p / q)
        return [round(math.log1p(u / N * math.expm1(N * λ)) / λ) for u in range(N + 1)]

    def up(N, p, q):
        λ = math.log(p / q)
        return [math.ceil(math.log1p(u / N * math.expm1(N * λ)) / λ) for u in range(N + 1)]

    assert wrong_tables(rounded) > 0 and wrong_tables(up) > 0


@given(st.integers(1, 40), st.integers(1, 20), risks)
def test_reserves_are_the_least_that_pay(q, step, δ):
    assert Bet(3, q + step, q).reserve(δ) == cumloss.least_reserve(q + step, q, *δ)


def test_reserves_at_exact_powers_and_at_every_size():
    assert Bet(3, 2, 1).reserve((1, 1024)) == 10 and Bet(3, 2, 1).reserve((1, 1023)) == 10 and Bet(3, 2, 1).reserve((1, 1025)) == 11
    r = Bet(10, 10**4 + 1, 10**4).reserve("1e-6")
    assert cumloss.reserve_pays(10**4 + 1, 10**4, 1, 10**6, r) and not cumloss.reserve_pays(10**4 + 1, 10**4, 1, 10**6, r - 1)
    assert abs(Bet(10, 10**12 + 1, 10**12).reserve("1e-6") - 13815510557971) <= 2  # too long to check exactly: rounded up
    with pytest.raises(RangeError, match="larger bet"):
        Bet(10, 10**19 + 1, 10**19).reserve("1e-6")


def test_bets():
    for rate in ("0.01", 1, 5, "30"):
        bet = Bet.of_rate(1000, rate)
        assert 1000 * math.log(bet.p / bet.q) == pytest.approx(float(Fraction(rate)), rel=0.01)
    assert Bet.of_rate(1, "0.000001").p > Bet.of_rate(1, "0.000001").q
    bet = Bet.for_budget(10_000, "0.01", 10, "0.001")
    steps = {rate: ChargeGate(Bet.of_rate(10_000, rate), "0.01").run(np.full(12_000, 10), 100_000)[0].sum() for rate in ("0.1", "0.5", 1, 2, 4)}
    assert ChargeGate(bet, "0.01").run(np.full(12_000, 10), 100_000)[0].sum() >= 0.97 * max(steps.values()) > 0
    with pytest.raises(RangeError, match="leaves nothing"):
        Bet.for_budget(100, "0.01", "0.01", "0.1")


def test_units_are_outward():
    bet = Bet(10, 2, 1)
    assert bet.up(Fraction(1, 10)) == 1 and bet.up(0.1) == 2 and bet.up(0) == 0 and bet.up(1) == 10 and bet.up(5e-324) == 1  # the float .1 is above a tenth
    assert bet.down("0.7") == bet.down(0.7) == 7 and bet.down(Fraction(0.7)) == 6 and bet.down(0) == 0  # a budget is read as written


# ---- the gate ----


@given(st.lists(st.tuples(st.integers(0, 80), st.integers(0, 20), st.integers(0, 200)), min_size=1, max_size=10))
def test_gate_is_the_exact_predicate(rows):
    rows = [(25 + extra, u, budget) for extra, u, budget in rows]
    verdicts = [GATE.decide(*row) for row in rows]
    for (account, u, budget), verdict in zip(rows, verdicts):
        charge = cumloss.least_charge(20, 11, 10, u)
        assert verdict.margin == budget - account - charge and verdict.admit == cumloss.charge_admit(account, charge, budget) == (verdict.margin >= 0)
    account, units, budget = (np.array(column) for column in zip(*rows))
    assert GATE.decide_many(account, units, budget).tolist() == [v.admit for v in verdicts]
    assert GATE.decide_many(account[:1], units, 200).tolist() == [GATE.decide(int(account[0]), u, 200).admit for u in units.tolist()]


@given(st.lists(st.integers(0, 20), max_size=30), st.integers(0, 150), st.lists(st.integers(0, 3), max_size=30))
def test_the_run_is_the_controller(units, start, growth):
    budgets = np.array(list(itertools.accumulate((growth + [0] * 30)[: len(units)], initial=start))[: len(units)] or [], dtype=int)
    offers = [GATE.charge(u) for u in units]
    expected = cumloss.charge_run(25, [(o, o, int(b)) for o, b in zip(offers, budgets)])
    admitted, account = GATE.run(np.array(units, dtype=int), budgets)
    assert admitted.tolist() == expected and account == 25 + sum(o for o, a in zip(offers, expected) if a)
    online = ChargeAccount(GATE, 0)
    assert [online.propose_units(u, int(b)).admit for u, b in zip(units, budgets)] == expected and online.units == account
    half = len(units) // 2
    first, middle = GATE.run(np.array(units[:half], dtype=int), budgets[:half])
    second, end = GATE.run(np.array(units[half:], dtype=int), budgets[half:], middle)
    assert [*first, *second] == expected and end == account


def test_a_million_steps():
    rng = np.random.default_rng(0)
    bet = Bet.of_rate(1000, 1)
    gate = ChargeGate(bet, "0.001")
    units = rng.integers(0, 30, 1_000_000)
    admitted, account = gate.run(units, 20_000_000)
    assert account == gate.reserve + int(bet.charges()[units][admitted].sum()) <= 20_000_000 and 0 < admitted.sum() < 1_000_000
    assert (gate.decide_many(np.full(10**6, gate.reserve), units, 7000) == (gate.reserve + bet.charges()[units] <= 7000)).all()


def test_losses_of_a_simulated_request_stay_within_the_budget():
    rng = random.Random(5)
    over = 0
    for _ in range(300):
        account = ChargeAccount(GATE, "3.5")
        mean = Fraction(1, 10)
        for _ in range(60):
            if account.propose(mean).admit:
                loss = 1 if rng.random() < mean else 0
                account.report(loss)
                mean = Fraction(1, 20) if loss else Fraction(1, 10)  # adapts
        over += account.overrun
    assert over <= 300 * 0.1  # δ = .1; the bound is not tight


def test_settling():
    account = ChargeAccount(GATE, 5)
    assert account.propose(Fraction(1, 10)).admit and account.units == 30
    assert account.settle(Fraction(1, 20)) == 2 and account.units == 28
    with pytest.raises(RangeError, match="no admitted step"):
        account.settle(0)
    account.propose(Fraction(1, 20))
    with pytest.raises(RangeError, match="only 1 units were offered"):
        account.settle(Fraction(1, 10))
    assert account.settle(0) == 3 and account.units == 28 and account.steps == account.admitted == 2
    assert not ChargeAccount(GATE, 1).propose(0).admit  # the reserve alone exceeds the budget


def test_what_was_reported_is_not_settled():
    account = ChargeAccount(GATE, 5)
    account.propose(Fraction(1, 10))
    account.report(0)
    with pytest.raises(RangeError, match="no admitted step"):
        account.settle(0)
    assert account.units == 30
    account.propose(Fraction(1, 10))
    account.settle(0)
    assert account.report(1) == 1


def test_a_replay_settles_nothing_that_was_reported(tmp_path):
    with DurableAccount.create(tmp_path / "a", GATE, 5) as account:
        account.propose(Fraction(1, 10))
        account.report(0)
        with pytest.raises(RangeError, match="no admitted step"):
            account.settle(0)
    lines = (tmp_path / "a").read_bytes()
    assert replay(lines)[0].units == 30
    with pytest.raises(ArgumentError, match="^line 4"):
        replay(lines + b'{"settle":1,"units":0,"account":25}\n')


def test_bets_have_short_terms():
    assert Bet(100, 2**64 - 1, 2**63).reserve("0.01") > 0 and len(Bet.of_rate(100, Fraction(100, 2**60)).charges()) == 101
    with pytest.raises(RangeError, match="^rate"):
        Bet.of_rate(1, Fraction(1, 2**60) - Fraction(1, 2**90))


def test_reports():
    account = ChargeAccount(GATE, "1.5")
    account.propose(Fraction(1, 20))
    assert account.report(0.5) == Fraction(1, 2) and not account.overrun
    with pytest.raises(RangeError, match="no admitted step"):
        account.report(0.5)
    refused = ChargeAccount(GATE, 1)
    refused.propose(0.5)
    with pytest.raises(RangeError, match="no admitted step"):
        refused.report(0)


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: Bet(0, 2, 1), RangeError, "N"),
        (lambda: Bet(10**6, 2, 1), RangeError, "N"),
        (lambda: Bet(5, 1, 1), RangeError, "p"),
        (lambda: Bet(5, 2, 0), RangeError, "q"),
        (lambda: Bet(5, 2.0, 1), DtypeError, "p"),
        (lambda: Bet(5, 1 << 64, 1), RangeError, "p"),
        (lambda: Bet(5, (1 << 64) + 1, 1 << 64), RangeError, "p"),
        (lambda: Bet.of_rate(100, "1e-300"), RangeError, "rate"),
        (lambda: Bet.of_rate(10**9, 1), RangeError, "N"),
        (lambda: Bet.of_rate(5, 0), RangeError, "rate"),
        (lambda: Bet.of_rate(5, 1000), RangeError, "rate"),
        (lambda: Bet.of_rate(5, math.nan), NonFiniteError, "rate"),
        (lambda: ChargeGate(Bet(5, 2, 1), 0), RangeError, "delta"),
        (lambda: ChargeGate(Bet(5, 2, 1), 1), RangeError, "delta"),
        (lambda: ChargeGate(5, 0.1), DtypeError, "bet"),
        (lambda: ChargeGate(Bet(5, 2, 1), math.nan), NonFiniteError, "delta"),
        (lambda: GATE.decide(24, 0, 99), RangeError, "account = 24"),
        (lambda: GATE.decide(25, 21, 99), RangeError, "units"),
        (lambda: GATE.decide(25, -1, 99), RangeError, "units"),
        (lambda: GATE.decide(25, 1, -1), RangeError, "budget"),
        (lambda: GATE.decide(25.0, 1, 99), DtypeError, "account"),
        (lambda: GATE.decide(25, 1, 1 << 62), RangeError, "budget"),
        (lambda: GATE.decide(25, True, 99), DtypeError, "units"),
        (lambda: GATE.decide_many(np.array([25, 24]), 1, 99), RangeError, r"account\[1\]"),
        (lambda: GATE.decide_many(25, np.array([1, 21]), 99), RangeError, r"units\[1\]"),
        (lambda: GATE.decide_many(25, np.array([1.0]), 99), DtypeError, "units"),
        (lambda: GATE.decide_many(np.array([25, 25]), np.array([1, 1, 1]), 99), LengthError, "units"),
        (lambda: GATE.decide_many(25, 1, np.array([1 << 63], dtype=np.uint64)), RangeError, r"budget\[0\]"),
        (lambda: GATE.decide_many(25, np.ones((1, 1), int), 9), LengthError, "units"),
        (lambda: GATE.decide_many([25, 10**30], 1, 9), RangeError, r"account\[1\]"),
        (lambda: GATE.decide_many([25, 25.5], 1, 9), DtypeError, r"account\[1\]"),
        (lambda: GATE.run(np.array([1]), 99, 24), RangeError, "account"),
        (lambda: GATE.run(np.array([1, 2]), np.array([9])), None, ""),
        (lambda: GATE.run(np.array([1, 2]), np.array([9, 9, 9])), LengthError, "budget"),
        (lambda: ChargeAccount(GATE, math.nan), NonFiniteError, "budget"),
        (lambda: ChargeAccount(GATE, -1), NegativeError, "budget"),
        (lambda: ChargeAccount(GATE, 10**20), RangeError, "budget"),
        (lambda: ChargeAccount(1, 1), DtypeError, "gate"),
        (lambda: ChargeAccount(GATE, 1).propose(math.nan), NonFiniteError, "bound"),
        (lambda: ChargeAccount(GATE, 1).propose(1.5), RangeError, "bound"),
        (lambda: ChargeAccount(GATE, 1).propose(-0.1), NegativeError, "bound"),
        (lambda: ChargeAccount(GATE, 1).report(math.nan), NonFiniteError, "loss"),
        (lambda: ChargeAccount(GATE, 1).report(2), RangeError, "loss"),
        (lambda: ChargeAccount(GATE, 1).report(math.inf), NonFiniteError, "loss"),
    ],
)
def test_bad_input_is_named(call, error, name):
    if error is None:
        call()
        return
    with pytest.raises(error, match=f"^{name}"):
        call()

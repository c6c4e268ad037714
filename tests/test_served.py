"""The served-output law: ratios, spreads, layers, Hellinger, and the budgets of a step."""

import itertools
import math
import random
from fractions import Fraction

import floats
import numpy as np
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from gnosis.errors import DtypeError, EmptyError, LengthError, NegativeError, NonFiniteError, RangeError
from gnosis.gates import served as gates
from gnosis.gates.served import (
    HellingerGate,
    ServedGate,
    SpreadGate,
    ratio_for_level,
    spread_for_level,
    spread_law,
    spread_of,
    step_units,
    tight_law,
    topk_bound,
    total_variation,
)

pairs = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=5)
service_levels = st.integers(2, 60).flatmap(lambda d: st.tuples(st.integers(1, d - 1), st.just(d)))
logit = st.floats(-60, 60)


def tv(ps):
    """Total variation by its definition: the largest change of the probability of any event."""
    S, S2 = sum(w for w, _ in ps), sum(w2 for _, w2 in ps)
    return max(
        abs(sum((Fraction(ps[i][1], S2) - Fraction(ps[i][0], S) for i in event), Fraction(0)))
        for n in range(len(ps) + 1)
        for event in itertools.combinations(range(len(ps)), n)
    )


# ---- the decisions on integers ----


@given(pairs, st.integers(1, 40))
def test_total_variation_is_the_largest_change_of_an_event(ps, G):
    S, S2 = gates.left_mass(ps), gates.right_mass(ps)
    if S and S2:
        assert Fraction(gates.tv_num(ps), S * S2) == tv(ps) == total_variation([w for w, _ in ps], [w2 for _, w2 in ps])
        assert gates.grid_loss(G, ps) == math.ceil(G * tv(ps)) <= G
    else:
        assert gates.grid_loss(G, ps) == 0


def broken_laws(law):
    """Steps of two and three tokens whose ratios are within P/Q up to the factor a/b, and whose total variation exceeds the law."""
    wrong = 0
    for P, Q in ((1, 1), (2, 1), (3, 2), (3, 1)):
        for a, b in ((1, 1), (2, 1), (1, 3)):
            for weights in itertools.product(range(1, 5), repeat=4):
                ps = list(zip(weights[:2], weights[2:]))
                wrong += gates.ratio_admit(P, Q, a, b, ps) and tv(ps) > law(Fraction(P, Q))
    return wrong


def test_the_tight_law():
    assert broken_laws(tight_law) == 0 and tight_law(Fraction(21, 19)) == Fraction(1, 20)
    assert broken_laws(lambda r: tight_law(r) * Fraction(99, 100)) > 0  # attained, so nothing smaller is true
    assert broken_laws(lambda r: (r - 1) / (2 * r)) > 0 and broken_laws(lambda r: (r - 1) / (r + 2)) > 0


@given(pairs, st.integers(1, 4), st.integers(1, 4), st.tuples(*[st.integers(0, 6)] * 4))
def test_spread_and_ratio_say_what_they_mean(ps, P, Q, ends):
    c, e, f, g = ends
    usable = Q <= P and gates.left_mass(ps) > 0
    inside = all(c * w <= e * w2 and g * w2 <= f * w for w, w2 in ps)
    assert gates.spread_admit(P, Q, c, e, f, g, ps) == (usable and c > 0 and g > 0 and inside and Fraction(f * e, c * g) <= Fraction(P, Q) ** 2)
    if gates.spread_admit(P, Q, c, e, f, g, ps):
        assert tv(ps) <= Fraction(P - Q, P + Q)
    assert gates.ratio_admit(P, Q, 1, 1, ps) == (usable and all(Q * w2 <= P * w and Q * w <= P * w2 for w, w2 in ps))
    assert not gates.ratio_admit(P, Q, 0, 1, ps) and not gates.ratio_admit(P, Q, 1, 0, ps) and not gates.ratio_admit(P, 0, 1, 1, ps)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_the_law_inverted(P, Q, n, d):
    assert gates.served_admit(P, Q, n, d) == (1 <= Q <= P and d >= 1 and Fraction(P - Q, P + Q) <= Fraction(n, d))


def broken_roots(admit):
    """Roots that pass although the total variation is larger, over weights of two tokens."""
    wrong = 0
    for weights in itertools.product(range(0, 4), repeat=4):
        ps = list(zip(weights[:2], weights[2:]))
        S, S2 = gates.left_mass(ps), gates.right_mass(ps)
        if S and S2:
            roots = [math.isqrt(w * S2 * (w2 * S)) for w, w2 in ps]
            for r in (roots, [x + 1 for x in roots], roots[:-1], [0, 0]):
                for n in range(11):
                    wrong += admit(ps, r, n, 10) and tv(ps) > Fraction(n, 10)
    return wrong


def test_hellinger():
    assert broken_roots(gates.hellinger_admit) == 0
    assert gates.hellinger_admit([(1, 4), (4, 1)], [10, 10], 3, 5) and not gates.hellinger_admit([(1, 4), (4, 1)], [10, 10], 29, 50)
    assert (
        not gates.hellinger_admit([(0, 1)], [0], 1, 1) and not gates.hellinger_admit([(1, 1)], [1, 1], 1, 1) and not gates.hellinger_admit([(1, 1)], [1], 1, 0)
    )


@pytest.mark.parametrize(
    "wrong",
    [
        lambda ps, s, n, d: gates.hellinger_admit(
            ps, [math.isqrt(w * w2 * gates.left_mass(ps) * gates.right_mass(ps)) for w, w2 in ps], n + 1, d
        ),  # one unit too generous
        lambda ps, s, n, d: gates._sub((S := gates.left_mass(ps) * gates.right_mass(ps)) ** 2, sum(s) ** 2) * d * d <= S * S * n * n,  # roots not checked
        lambda ps, s, n, d: (
            gates.roots_ok(gates.left_mass(ps), gates.right_mass(ps), ps, s)
            and Fraction(gates.left_mass(ps) * gates.right_mass(ps) - sum(s), gates.left_mass(ps) * gates.right_mass(ps)) <= Fraction(n, d)
        ),  # 1 - BC
    ],
    ids=["generous", "unchecked", "one minus BC"],
)
def test_wrong_roots_are_caught(wrong):
    assert broken_roots(wrong) > 0


# ---- ratios and spreads ----


@given(st.fractions(min_value=1, max_value=50), service_levels)
def test_ratio_gate_is_the_exact_predicate(ratio, τ):
    gate = ServedGate(τ)
    verdict = gate.decide(ratio)
    assert verdict.margin == Fraction(*τ) - (ratio - 1) / (ratio + 1) and verdict.admit == (verdict.margin >= 0) == (ratio <= ratio_for_level(τ))
    assert gate.decide_many([ratio, float(ratio)]).tolist() == [verdict.admit, gate.decide(float(ratio)).admit] if float(ratio) >= 1 else True
    both = gate.decide_layers([ratio, ratio])
    assert both.margin == gate.decide(ratio * ratio).margin and both.theorem == "Gnosis.cumulative_output_tv"


def test_a_million_ratios_at_the_threshold():
    rng = np.random.default_rng(2)
    for τ in ("0.05", "1/3", "0.5", "1e-9"):
        limit = ratio_for_level(τ)
        near = np.array(floats.near(float(limit)))
        r = np.concatenate([np.repeat(near[near >= 1], 20_000), np.maximum(1, float(limit) * (1 + rng.normal(0, 1e-16, 120_000)))])
        values, index = np.unique(r, return_inverse=True)
        truth = np.array([Fraction(v) <= limit for v in values.tolist()])
        assert np.array_equal(ServedGate(τ).decide_many(r), truth[index])


def spread_arguments():
    """Spreads at the threshold of many levels: the float below, the one above and their neighbours; tiny, huge and subnormal ones."""
    rng = random.Random(7)
    for τ in ("0.5", "0.05", "1/3", "0.999", "1e-6", "1e-12", "1e-300", "0.999999999999"):
        low, high = spread_for_level(τ), spread_for_level(τ) * (1 + Fraction(1, 2**60))
        points = [*floats.near(float(low)), 0.0, floats.LEAST, 1e-30, 1.0, 2000.0, floats.MOST]
        points += [low, high, low * (1 - Fraction(1, 10**30)), high * (1 + Fraction(1, 10**30))]
        points += [float(low) * (1 + rng.gauss(0, 3e-16)) for _ in range(40)]
        yield τ, [p for p in points if p >= 0]


def spread_faults(decide):
    """Admissions that tanh(spread/4) ≤ τ does not bear out at 2000 bits, and refusals a thousandth below the threshold."""
    ctx.prec = 2000
    admissions = refusals = 0
    for τ, points in spread_arguments():
        level = Fraction(τ)
        for s, admit in zip(points, decide(τ, points)):
            s = Fraction(s)
            law = arb(fmpq(s.numerator, 4 * s.denominator)).tanh() if s < 10**6 else arb(1)
            admissions += admit and not law <= arb(fmpq(level.numerator, level.denominator))
            refusals += not admit and s < spread_for_level(τ) * Fraction(999, 1000)
    return admissions, refusals


def test_no_spread_is_admitted_beyond_tanh():
    assert spread_faults(lambda τ, points: [SpreadGate(τ).decide(s).admit for s in points]) == (0, 0)
    assert spread_faults(lambda τ, points: SpreadGate(τ).decide_many(points)) == (0, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda τ, points: [math.tanh(float(s) / 4) <= float(Fraction(τ)) for s in points],
        lambda τ, points: [float(s) <= 4 * math.atanh(float(Fraction(τ))) for s in points],
        lambda τ, points: [math.tanh(float(s) / 8) <= float(Fraction(τ)) for s in points],
    ],
    ids=["libm tanh", "libm atanh", "a half too many"],
)
def test_libm_is_caught(wrong):
    assert spread_faults(wrong)[0] > 0


def test_a_million_spreads_at_the_threshold():
    rng = np.random.default_rng(5)
    for τ in ("0.05", "0.5", "1e-6", "0.99"):
        gate, limit = SpreadGate(τ), float(spread_for_level(τ))
        s = limit * (1 + rng.normal(0, 1e-15, 250_000))
        values, index = np.unique(s, return_inverse=True)
        answers = gate.decide_many(s)
        assert np.array_equal(answers, np.array([Fraction(v) <= spread_for_level(τ) for v in values.tolist()])[index])
        for v in floats.near(limit):
            assert gate.decide(v).admit == (Fraction(v) <= spread_for_level(τ))


def test_spread_figures():
    low, high = spread_law(1)
    assert 0.2449186624037091 < low <= high < 0.2449186624037093
    verdict = SpreadGate("0.05").decide(Fraction(1, 5))
    assert verdict.admit and abs(float(verdict.margin) - (0.05 - math.tanh(0.05))) < 1e-15 and not SpreadGate("0.05").decide(0.2002).admit
    assert SpreadGate(0.5).decide_layers([1.0, 1.0, 0.125]).margin == SpreadGate(0.5).decide(2.125).margin
    assert spread_for_level("0.5") < Fraction(math.log(9)) * (1 + Fraction(1, 2**40)) and float(spread_for_level("0.5")) == pytest.approx(2 * math.log(3))
    assert SpreadGate(0.5).decide(1e300).margin == Fraction(-1, 2)


@given(st.lists(st.tuples(logit, logit), min_size=1, max_size=5), service_levels)
def test_logits(rows, τ):
    before, after = (list(column) for column in zip(*rows))
    spread = spread_of(before, after)
    changes = [Fraction(b) - Fraction(a) for a, b in rows]
    assert spread == max(changes) - min(changes)
    gate = SpreadGate(τ)
    verdict = gate.decide_logits(before, after)
    assert verdict.admit == gate.decide(spread).admit and verdict.assumes == ()
    assert gate.decide_logits_many(np.array(before), np.array([after])).tolist() == [verdict.admit]
    assert gate.decide_logits_many(np.array([before]), np.array([[x + 0.5 for x in after]])).tolist() == [
        gate.decide_logits(before, [x + 0.5 for x in after]).admit
    ]


def test_admitted_logits_serve_what_was_promised():
    ctx.prec = 200
    rng = random.Random(3)
    admitted = 0
    for _ in range(300):
        before = [rng.gauss(0, 3) for _ in range(4)]
        after = [x + rng.gauss(0, 0.1) for x in before]
        if SpreadGate("0.05").decide_logits(before, after).admit:
            admitted += 1
            p, q = ([arb(x).exp() for x in logits] for logits in (before, after))
            p, q = [x / sum(p, arb(0)) for x in p], [x / sum(q, arb(0)) for x in q]
            assert sum((abs(x - y) for x, y in zip(p, q)), arb(0)) / 2 < arb("0.0500000000000001")
    assert 50 < admitted < 250


@pytest.mark.parametrize("far", [[-floats.MOST, floats.MOST], [floats.MOST, floats.MOST], [-floats.MOST, 0.0]])
def test_logits_past_the_range_of_float64(far):
    assert SpreadGate(0.5).decide_logits_many(np.array([[floats.MOST, -floats.MOST]]), np.array([far])).tolist() == [
        SpreadGate(0.5).decide_logits([floats.MOST, -floats.MOST], far).admit
    ]
    assert SpreadGate(0.5).decide_logits_many(np.array([far]), np.array([far])).tolist() == [True]


# ---- Hellinger ----

weight = st.floats(0, 1e6) | st.sampled_from([0.0, 5e-324, 1e-300, 1.0])


@given(st.lists(st.tuples(weight, weight), min_size=1, max_size=5), service_levels)
def test_hellinger_gate_keeps_its_word(rows, τ):
    before, after = (list(column) for column in zip(*rows))
    gate = HellingerGate(τ)
    if not any(before) or not any(after):
        with pytest.raises(RangeError, match="all weights are zero"):
            gate.decide(before, after)
        return
    verdict = gate.decide(before, after)
    if verdict.admit:
        assert total_variation(before, after) <= Fraction(*τ)
    assert (verdict.margin >= 0) == verdict.admit
    overlap = float(1 + verdict.margin - Fraction(*τ) ** 2)
    S, S2 = math.fsum(before), math.fsum(after)
    if min(S, S2) > 1e-290:
        assert overlap == pytest.approx(sum(math.sqrt(a / S) * math.sqrt(b / S2) for a, b in rows) ** 2, rel=1e-9, abs=1e-9)
    assert gate.decide_many(np.array([before]), np.array([after])).tolist() == [verdict.admit]


def hellinger_faults(decide_many):
    """Float64 weights at the threshold against integers: false admissions, false refusals."""
    rng = np.random.default_rng(8)
    admissions = refusals = 0
    for n in (2, 3, 200):
        rows = rng.random((60, n)) ** 4
        others = rows * (1 + rng.normal(0, 0.05, rows.shape)) * 2.0 ** rng.integers(-300, 300)
        for row, other in zip(rows, abs(others)):
            margin = HellingerGate("0.5").decide(row, other).margin
            gap = Fraction(1, 4) - margin  # 1 - BC²
            centre = math.sqrt(gap)
            for τ in floats.near(centre):
                if 0 < τ < 1:
                    gate = HellingerGate(Fraction(τ))
                    truth, answer = gate.decide(row, other).admit, decide_many(gate, row[None], other[None])[0]
                    admissions += answer and not truth
                    refusals += truth and not answer
    return admissions, refusals


def test_hellinger_in_a_batch_at_the_threshold():
    assert hellinger_faults(HellingerGate.decide_many) == (0, 0)


def overlaps_outside():
    """Exact overlaps that lie outside their bounds; the weights are squares of whole numbers, the products subnormal."""
    rng, wrong = np.random.default_rng(9), 0
    for scale in (2.0**-530, 2.0**-534, 2.0**-538, 1.0):
        a, b = rng.integers(1, 4, (300, 2)), rng.integers(1, 4, (300, 2))
        x, y = (v.astype(np.float64) ** 2 * scale for v in (a, b))
        low, high = gates.overlap_bounds((x, x), (y, y))
        exact = [Fraction(int((p * q).sum()) ** 2, int((p * p).sum() * (q * q).sum())) for p, q in zip(a, b)]
        wrong += sum(Fraction(l) > e or (math.isfinite(h) and Fraction(h) < e) for l, e, h in zip(low.tolist(), exact, high.tolist()))
    return wrong


def test_overlaps_of_subnormal_products_are_rounded_outward(monkeypatch):
    assert overlaps_outside() == 0
    for side in ("below", "above"):  # each side alone leaves room for the other
        monkeypatch.setattr(gates, side, lambda x: x)
    assert overlaps_outside() > 20


def test_a_float_hellinger_is_caught():
    def naive(gate, before, after):
        p, q = before / before.sum(), after / after.sum()
        return [1 - np.sqrt(p * q).sum() ** 2 <= float(gate.service) ** 2]

    assert hellinger_faults(naive)[0] > 0


# ---- budgets of a step ----


@given(st.integers(1, 60), st.fractions(min_value=1, max_value=5))
def test_step_units_are_the_least_that_pass(G, z):
    u = step_units(G, z)
    assert gates.step_budget_admit(G, z.numerator, z.denominator, u) and not gates.step_budget_admit(G, z.numerator, z.denominator, u - 1)


def test_step_instances():
    assert step_units(3, Fraction(4, 3)) == 3 and step_units(100, 1) == 1
    assert gates.gauge_ok(6, [(1, 12), (3, 4)]) and not gates.gauge_ok(7, [(1, 12), (3, 4)])
    assert gates.tilt_pairs([(1, 12), (3, 4)]) == [(1, 144), (3, 48)] and gates.grid_loss(3, gates.tilt_pairs([(1, 12), (3, 4)])) == 2
    assert gates.topk_budget(100, 120, [(90, 101)]) == gates.weighted_budget([(90, 101), (8, 120), (2, 120)]) > gates.topk_budget(100, 119, [(90, 101)])
    assert (
        gates.topk_budget(1, 5, [(2, 3)]) == 6 and gates.total([]) == 0 and not gates.step_budget_admit(3, 1, 2, 9) and not gates.step_budget_admit(3, 4, 3, 0)
    )


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=6), st.integers(0, 6))
def test_topk_bounds_the_whole(tokens, k):
    total = sum(p for p, _ in tokens) + 1
    head, tail = tokens[:k], tokens[k:]
    worst = max([B for _, B in tail], default=0)
    bound = topk_bound([Fraction(p, total) for p, _ in head], [B for _, B in head], worst)
    assert bound >= Fraction(sum(p * B for p, B in tokens), total)
    assert topk_bound([0.5, 0.25], [1, Fraction(1, 3)], 2, "0.8") == Fraction(1, 2) + Fraction(1, 12) + Fraction(1, 10)


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: ServedGate(1), RangeError, "service = 1"),
        (lambda: ServedGate(0), RangeError, "service"),
        (lambda: SpreadGate(math.nan), NonFiniteError, "service"),
        (lambda: HellingerGate("x"), DtypeError, "service"),
        (lambda: ServedGate(0.5).decide(0.9), RangeError, "ratio = 0.9"),
        (lambda: ServedGate(0.5).decide(math.inf), NonFiniteError, "ratio"),
        (lambda: ServedGate(0.5).decide_many(np.array([1, 0.5])), RangeError, r"ratios\[1\]"),
        (lambda: ServedGate(0.5).decide_many(np.array([1, math.nan])), NonFiniteError, r"ratios\[1\]"),
        (lambda: ServedGate(0.5).decide_layers([]), EmptyError, "ratios"),
        (lambda: ServedGate(0.5).decide_layers([2, 0.5]), RangeError, r"ratios\[1\]"),
        (lambda: SpreadGate(0.5).decide(-1), NegativeError, "spread"),
        (lambda: SpreadGate(0.5).decide_many([0, -1]), NegativeError, r"spreads\[1\]"),
        (lambda: SpreadGate(0.5).decide_layers([1, -1]), NegativeError, r"spreads\[1\]"),
        (lambda: SpreadGate(0.5).decide_layers([]), EmptyError, "spreads"),
        (lambda: SpreadGate(0.5).decide_logits([1], [1, 2]), LengthError, "after"),
        (lambda: SpreadGate(0.5).decide_logits([], []), EmptyError, "before"),
        (lambda: SpreadGate(0.5).decide_logits([math.nan], [1]), NonFiniteError, r"before\[0\]"),
        (lambda: SpreadGate(0.5).decide_logits_many(np.ones(2), np.ones((1, 3))), LengthError, "before"),
        (lambda: SpreadGate(0.5).decide_logits_many(np.ones((1, 0)), np.ones((1, 0))), EmptyError, "after"),
        (lambda: SpreadGate(0.5).decide_logits_many(np.ones(1), np.array([[math.inf]])), NonFiniteError, r"after\[0, 0\]"),
        (lambda: HellingerGate(0.5).decide([1], [-1]), NegativeError, r"after\[0\]"),
        (lambda: HellingerGate(0.5).decide([0], [1]), RangeError, "before"),
        (lambda: HellingerGate(0.5).decide_many(np.ones(2), np.array([[1, 1], [0, 0.0]])), RangeError, r"after\[1\]"),
        (lambda: HellingerGate(0.5).decide_many(np.ones(2), np.array([[1, -1.0]])), NegativeError, r"after\[0, 1\]"),
        (lambda: HellingerGate(0.5).decide_many(np.zeros(2), np.ones((1, 2))), RangeError, "before"),
        (lambda: total_variation([1], []), LengthError, "after"),
        (lambda: SpreadGate(0.5).decide_layers([1, -(10**400)]), NegativeError, r"spreads\[1\]"),
        (lambda: ServedGate(0.5).decide_layers([2, -(10**400)]), RangeError, r"ratios\[1\]"),
        (lambda: tight_law(0.5), RangeError, "ratio"),
        (lambda: spread_law(-1), NegativeError, "spread"),
        (lambda: step_units(0, 2), RangeError, "grid"),
        (lambda: step_units(5, 0.5), RangeError, "normaliser"),
        (lambda: topk_bound([1], [1, 2], 3), LengthError, "budgets"),
        (lambda: topk_bound([0.9, 0.9], [1, 2], 3), RangeError, "mass"),
        (lambda: topk_bound([0.5], [-1], 3), NegativeError, r"budgets\[0\]"),
        (lambda: topk_bound([0.5], [1], math.nan), NonFiniteError, "worst"),
    ],
)
def test_bad_input_is_named(call, error, name):
    with pytest.raises(error, match=f"^{name}"):
        call()

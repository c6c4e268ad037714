"""The basin gate: paths with partly coarse steps, their controllers, and a double well."""

import itertools
import math
import random
from fractions import Fraction

import floats
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis.conformance.running import strategies
from gnosis.errors import DtypeError, EmptyError, LengthError, NegativeError, NonFiniteError, RangeError
from gnosis.gates import basin as gates
from gnosis.gates.basin import BasinController, BasinFlowGate, BasinGate, BasinVectorGate, lengths

finite = strategies.numbers()
radii = st.floats(min_value=5e-324, allow_nan=False, allow_infinity=False) | st.fractions(min_value="1/1000", max_value=20)
ints = st.lists(st.integers(-4, 9), max_size=6)


# ---- the decisions on integers ----


def crossings(admit):
    """Over all small displacements: admitted paths of which some beginning is R or more away."""
    return sum(
        admit(list(δ), R) and any(abs(x) >= R for x in itertools.accumulate(δ, initial=0))
        for n in range(4)
        for δ in itertools.product(range(-3, 4), repeat=n)
        for R in range(-1, 8)
    )


def test_admitted_paths_stay_within():
    assert crossings(gates.basin_admit) == 0
    assert crossings(lambda δ, R: gates.basin_vector_admit([abs(x) for x in δ], R)) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda δ, R: abs(sum(δ)) < R,  # signs kept: 3 and -3 cancel
        lambda δ, R: gates.sum_abs(δ) <= R,  # the separatrix itself
        lambda δ, R: all(abs(x) < R for x in δ),  # step by step
        lambda δ, R: gates.sum_abs(δ[:-1]) < R,  # the last step lost
    ],
    ids=["signed", "weak", "step by step", "truncated"],
)
def test_a_wrong_decision_is_caught(wrong):
    assert crossings(wrong) > 0


def flow_crossings(admit, path):
    """Over small linear flows x ↦ (p/q)x with displacements of either sign: admitted, and yet R or more away."""
    wrong = 0
    factors = [(0, 1), (1, 2), (1, 1), (3, 1)]
    for n in range(1, 4):
        for L in itertools.product(factors, repeat=n):
            for d in itertools.product((0, 1, 2), repeat=n):
                for R in (1, 2, 4, 7):
                    if admit([p for p, _ in L], [q for _, q in L], list(d), R):
                        x, seen = Fraction(0), []
                        for (p, q), b in zip(L, d):
                            x = Fraction(p, q) * x + b
                            seen.append(x)
                        wrong += max(seen) >= R if path else seen[-1] >= R
    return wrong


def test_admitted_flows_stay_within():
    assert flow_crossings(gates.basin_flow_admit, False) == 0 and flow_crossings(gates.basin_flow_path_admit, True) == 0


@pytest.mark.parametrize(
    "wrong, path",
    [
        (lambda ps, qs, ds, R: gates.basin_vector_admit(ds, R), False),  # no Lipschitz factors
        (lambda ps, qs, ds, R: gates.basin_flow_admit(ps, qs, ds, R), True),  # the end for the whole path
        (lambda ps, qs, ds, R: gates.basin_flow_admit(qs, ps, ds, R) if all(ps) else False, False),  # factors upside down
        (lambda ps, qs, ds, R: gates.basin_flow_admit([1, *ps[1:]], [1, *qs[1:]], [*ds[1:], 0], R), False),  # shifted by one
    ],
    ids=["no factors", "end only", "inverted", "shifted"],
)
def test_a_wrong_flow_decision_is_caught(wrong, path):
    assert flow_crossings(wrong, path) > 0


@given(st.integers(-1, 12), ints)
def test_the_controller_keeps_the_budget_and_is_not_timid(R, ds):
    masks = gates.basin_control(R, 0, ds)
    masked = [d for d, m in zip(ds, masks) if m]
    assert len(masks) == len(ds) and (R <= 0 or gates.basin_vector_admit(masked, R)) and (R > 0 or not masked)
    if gates.basin_vector_admit(ds, R):
        assert all(masks)
    assert gates.basin_control(R, 0, ds + [1])[: len(ds)] == masks  # causal


flows = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4), st.integers(0, 6)), min_size=1, max_size=6)


@given(flows, st.integers(1, 30))
def test_the_flow_controller_keeps_the_whole_path(steps, R):
    ps, qs, ds = (list(column) for column in zip(*steps))
    masks = gates.basin_flow_control(ps, qs, ds, R)
    assert gates.basin_flow_path_admit(ps, qs, [d if m else 0 for d, m in zip(ds, masks)], R)
    assert BasinFlowGate(R).control([Fraction(p, q) for p, q in zip(ps, qs)], ds, 0).tolist() == masks
    assert gates.basin_flow_rounded_control(ps, qs, [0] * len(ps), ds, R) == masks


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4), st.integers(0, 6), st.integers(0, 2)), min_size=1, max_size=6), st.integers(1, 30))
def test_the_controller_of_a_rounded_flow_keeps_the_whole_path(steps, R):
    ps, qs, ds, rs = (list(column) for column in zip(*steps))
    masks = gates.basin_flow_rounded_control(ps, qs, rs, ds, R)
    assert gates.basin_flow_rounded_admit(ps, qs, rs, [d if m else 0 for d, m in zip(ds, masks)], R)
    gate, L = BasinFlowGate(R), [Fraction(p, q) for p, q in zip(ps, qs)]
    assert gate.control(L, ds, rs).tolist() == masks
    verdict = gate.decide(L, ds, rs)
    assert verdict.admit == gates.basin_flow_rounded_admit(ps, qs, rs, ds, R) == (verdict.margin > 0)
    assert gate.decide_many(np.array([[float(x) for x in L]]), np.array([ds]), np.array(rs)).tolist() == [gate.decide([float(x) for x in L], ds, rs).admit]


def test_rounding_counts_in_exact_steps_too():
    """`rounding_left_out`: two steps that halve, displaced by 1 each, round their way to the radius 2."""
    assert BasinFlowGate(2).decide([0.5, 0.5], [1, 1], 0).admit and not BasinFlowGate(2).decide([0.5, 0.5], [1, 1], 0.5).admit
    # masking one step with d = 1 and two exact steps reach 3; an exact path has no displacement
    # no theorem covers a contraction that does not round
    assert (
        gates.UNROUNDED in BasinFlowGate(2).decide([0.5, 0.5], [1, 1], 0).assumes
        and gates.UNROUNDED in BasinFlowGate(2, False).decide([2, 0.5], [1, 1], 0).assumes
    )
    assert gates.UNROUNDED not in BasinFlowGate(2).decide([0.5, 1], [1, 1], [0.5, 0]).assumes + BasinFlowGate(2).decide([1, 2], [1, 1], 0).assumes
    assert BasinFlowGate(3).control([1, 1, 1], [1, 1, 1], 1).tolist() == [False, True, False]
    assert BasinFlowGate(4).control([1, 1, 1], [1, 4, 4], 1).tolist() == [True, False, False]
    assert BasinFlowGate(1).decide([1] * 3, [0] * 3, 5).margin == 1
    assert gates.rounded_step(0, 3, 7, 2, 9, 5) == 30 and gates.rounded_step(1, 3, 7, 2, 9, 5) == 91
    assert not gates.rounded_survives(9, 0, 1, [1], [1], []) and not gates.basin_flow_rounded_admit([1], [1], [-1], [0], 9)
    for call, error, name in [
        (lambda: BasinFlowGate(1).decide([1], [1], [1, 1]), LengthError, "rounding"),
        (lambda: BasinFlowGate(1).decide([1], [1], -1), NegativeError, "rounding"),
        (lambda: BasinFlowGate(1, path=False).decide([1], [1], 1), RangeError, "rounding"),
        (lambda: BasinFlowGate(1).control([1], [1], [math.nan]), NonFiniteError, "rounding"),
    ]:
        with pytest.raises(error, match=f"^{name}"):
            call()


def test_instances():
    assert gates.basin_admit([3, -2, 1], 7) and not gates.basin_admit([3, -2, 1], 6)
    assert gates.basin_control(7, 0, [5, 3, 1]) == [True, False, True] and gates.basin_control(7, 0, [-1]) == [False]
    assert not gates.basin_flow_admit([3, 3], [1, 1], [1, 0], 2) and gates.basin_vector_admit([1, 0], 2)
    assert gates.basin_flow_admit([1, 0], [1, 1], [5, 0], 2) and not gates.basin_flow_path_admit([1, 0], [1, 1], [5, 0], 2)
    assert gates.basin_flow_control([3, 3], [1, 1], [1, 0], 2) == [False, True] and gates.basin_flow_control([3, 3], [1, 1], [1, 1], 4) == [True, False]
    for bad in [([1], [1, 1], [1]), ([1], [1], []), ([-1], [1], [0]), ([1], [0], [0]), ([1], [1], [-1])]:
        assert not gates.basin_flow_admit(*bad, 9) and not gates.basin_flow_path_admit(*bad, 9)
    assert not gates.flow_survives(9, 0, 1, [1], []) and not gates.flow_survives(9, 0, 1, [1], [0]) and gates.flow_survives(1, 0, 1, [], [])
    assert gates.basin_flow_admit([], [], [], 1) and not gates.basin_flow_admit([], [], [], 0)


# ---- the gates on any numbers ----


@given(st.lists(finite, min_size=1, max_size=6), radii)
def test_gate_is_the_exact_predicate(δ, R):
    verdict = BasinGate(R).decide(δ)
    margin = Fraction(R) - sum(abs(Fraction(x)) for x in δ)
    assert verdict.margin == margin and verdict.admit == (margin > 0)
    assert BasinGate(R).decide_many(np.array([δ])).tolist() == [verdict.admit]
    d = [abs(x) for x in δ]
    assert BasinVectorGate(R).decide(d).margin == margin and BasinVectorGate(R).decide_many([d]).tolist() == [verdict.admit]
    prefixes = [BasinGate(R).decide(δ[: t + 1]).admit for t in range(len(δ))]
    assert BasinGate(R).stream(np.array(δ)).tolist() == prefixes == BasinGate(R).stream(δ).tolist()


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=6), radii)
def test_the_controllers_agree(d, R):
    masks = BasinVectorGate(R).control(d).tolist()
    online = BasinController(R)
    assert [online.step(x).admit for x in d] == masks
    assert online.spent == sum(Fraction(x) for x, m in zip(d, masks) if m) < Fraction(R)


@given(st.lists(st.tuples(st.floats(0, 1e3), st.floats(0, 1e6)), min_size=1, max_size=5), radii)
def test_flow_gate_is_the_exact_predicate(steps, R):
    L, d = (list(column) for column in zip(*steps))
    reached = [Fraction(0)]
    for factor, bound in zip(L, d):
        reached.append(Fraction(factor) * reached[-1] + Fraction(bound))
    for path, most in ((True, max(reached)), (False, reached[-1])):
        gate = BasinFlowGate(R, path)
        verdict = gate.decide(L, d, 0)
        assert verdict.margin == Fraction(R) - most and verdict.admit == (verdict.margin > 0)
        assert gate.decide_many(np.array([L]), np.array([d]), 0).tolist() == [verdict.admit] == gate.decide_many(np.array(L), np.array([d]), 0).tolist()


def paths(rng, n, T):
    """Displacements whose sum is at the radius, one to three floats beside it, or rounded to it; at every scale."""
    rows, radii_ = [], []
    for _ in range(n):
        row = rng.random(T) * 2.0 ** rng.integers(-40, 40, T) * rng.choice((-1, 1), T)
        row *= 2.0 ** int(rng.integers(-300, 300)) if rng.random() < 0.7 else 2.0**-1060
        total = sum(abs(Fraction(x)) for x in row.tolist())
        for R in (*floats.near(float(total)), total):
            if R > 0:
                rows.append(row)
                radii_.append(R)
    return rows, radii_


def false_admissions(decide):
    rng = np.random.default_rng(4)
    rows, radii_ = paths(rng, 60, 40)
    truth = [sum(abs(Fraction(x)) for x in row.tolist()) < Fraction(R) for row, R in zip(rows, radii_)]
    answers = [decide(R, row) for row, R in zip(rows, radii_)]
    return sum(a and not t for a, t in zip(answers, truth)), sum(t and not a for a, t in zip(answers, truth))


def test_decide_many_at_the_radius():
    assert false_admissions(lambda R, row: BasinGate(R).decide_many(row[None])[0]) == (0, 0)
    assert false_admissions(lambda R, row: BasinVectorGate(R).decide_many(abs(row)[None])[0]) == (0, 0)
    assert false_admissions(lambda R, row: BasinFlowGate(R).decide_many(np.ones(len(row)), abs(row)[None], 0)[0]) == (0, 0)
    assert false_admissions(lambda R, row: BasinGate(R).stream(row)[-1]) == (0, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda R, row: abs(row).sum() < float(R),
        lambda R, row: float(np.float32(abs(row).sum())) < float(R),
        lambda R, row: abs(row).cumsum()[-1] * (1 - 2.0**-52) < float(R),  # one ulp is not enough
    ],
    ids=["float sum", "float32", "one ulp"],
)
def test_a_float_sum_is_caught(wrong):
    with np.errstate(all="ignore"):
        assert false_admissions(wrong)[0] > 0


def test_a_million_paths_near_the_radius():
    rng = np.random.default_rng(12)
    n, T = 250_000, 4
    steps = rng.integers(0, 1 << 20, (n, T))  # exact sums, in integers
    gap = rng.choice((-1, 0, 1), n, p=(0.49, 0.02, 0.49))
    steps[:, -1] += (1 << 22) - steps.sum(axis=1) + gap
    for radius, unit in ((1 << 22, 1.0), (Fraction(1 << 22, 1 << 40), 2.0**-40)):
        for rows in (steps * unit, -steps * unit):
            assert np.array_equal(BasinGate(radius).decide_many(rows), gap < 0)


@given(st.lists(st.lists(finite, min_size=2, max_size=2), min_size=1, max_size=4))
def test_lengths_are_outward(rows):
    for d, row in zip(lengths(np.array(rows)), rows):
        e = sum(Fraction(x) ** 2 for x in row)
        assert e <= d * d and (e == 0) == (d == 0) and d * d <= e * (1 + Fraction(1, 2**62))


def test_lengths_of_a_float_norm_are_caught():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(500, 3))
    assert sum(Fraction(float(np.linalg.norm(row))) ** 2 < sum(Fraction(x) ** 2 for x in row.tolist()) for row in rows) > 100
    assert all(d**2 >= sum(Fraction(x) ** 2 for x in row.tolist()) for d, row in zip(lengths(rows), rows))


# ---- the double well ----


def well(x, h):
    """One step down the potential (x² - 1)²/4; the separatrix is 0."""
    return x + h * (x - x**3)


def final_sides(gate, n=400, T=40, h=0.1):
    """Starts near the separatrix, coarse steps displaced at random: how many end in the other well, how many steps are masked."""
    rng = random.Random(1)
    flips = masked = 0
    for _ in range(n):
        x0 = rng.choice((-1, 1)) * rng.uniform(0.02, 0.2)
        exact = [x0]
        for _ in range(T):
            exact.append(well(exact[-1], h))
        # closer to 0 than the start no exact point comes; on |x| ≤ 2 the step is Lipschitz with 1 + h at most, as |1 + h - 3hx²| ≤ 1 + h
        R = Fraction(abs(x0))
        bounds = [Fraction(rng.uniform(0, 0.03)) for _ in range(T)]
        δ = [float(b) * rng.choice((-1, 1, 1)) * (-1 if x0 > 0 else 1) for b in bounds]
        masks = gate(R, bounds, T, h)
        y = x0
        for d, mask in zip(δ, masks):
            y = well(y, h) + (d if mask else 0)
        flips += (y > 0) != (exact[-1] > 0)
        masked += sum(masks)
    return flips, masked / (n * T)


def test_the_double_well_never_flips_under_the_controller():
    def controlled(R, bounds, T, h):
        return BasinFlowGate(R).control([Fraction(1) + Fraction(h)] * T, bounds, 2**-40).tolist()

    ungated, _ = final_sides(lambda R, bounds, T, h: [True] * T)
    flips, share = final_sides(controlled)
    assert ungated > 20 and flips == 0 and share > 0.05


# ---- input ----


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: BasinGate(0), RangeError, "radius = 0"),
        (lambda: BasinGate(-1.0), RangeError, "radius"),
        (lambda: BasinGate(math.nan), NonFiniteError, "radius"),
        (lambda: BasinGate("1"), DtypeError, "radius"),
        (lambda: BasinGate(1).decide([]), EmptyError, "displacements"),
        (lambda: BasinGate(1).decide([0, math.nan]), NonFiniteError, r"displacements\[1\]"),
        (lambda: BasinGate(1).stream(np.array([0, math.inf])), NonFiniteError, r"displacements\[1\]"),
        (lambda: BasinGate(1).decide_many(np.ones(3)), LengthError, "displacements"),
        (lambda: BasinGate(1).decide_many(np.array([[0, math.nan]])), NonFiniteError, r"displacements\[0, 1\]"),
        (lambda: BasinGate(1).stream(np.zeros((1, 1))), LengthError, "displacements"),
        (lambda: BasinGate(1).decide_many(np.ones((2, 0))), EmptyError, "displacements"),
        (lambda: BasinGate(1).stream([]), EmptyError, "displacements"),
        (lambda: BasinVectorGate(1).decide([0.5, -0.1]), NegativeError, r"bounds\[1\]"),
        (lambda: BasinVectorGate(1).decide_many(np.array([[0.5, -0.1]])), NegativeError, r"bounds\[0, 1\]"),
        (lambda: BasinVectorGate(1).control([-1]), NegativeError, r"bounds\[0\]"),
        (lambda: BasinController(1).step(-1), NegativeError, "bound"),
        (lambda: BasinController(1).step(math.nan), NonFiniteError, "bound"),
        (lambda: BasinController(0), RangeError, "radius"),
        (lambda: BasinFlowGate(1).decide([1], [1, 1], 0), LengthError, "factors"),
        (lambda: BasinFlowGate(1).decide([], [], 0), EmptyError, "bounds"),
        (lambda: BasinFlowGate(1).decide([-1], [1], 0), NegativeError, r"factors\[0\]"),
        (lambda: BasinFlowGate(1).decide([1], [math.inf], 0), NonFiniteError, r"bounds\[0\]"),
        (lambda: BasinFlowGate(1, path=1), DtypeError, "path"),
        (lambda: BasinFlowGate(1).decide_many(np.ones((3, 2)), np.ones((2, 2)), 0), LengthError, "factors"),
        (lambda: BasinFlowGate(1).decide_many(np.ones(2), -np.ones((2, 2)), 0), NegativeError, r"bounds\[0, 0\]"),
        (lambda: BasinFlowGate(1).control([1], [-1], 0), NegativeError, r"bounds\[0\]"),
        (lambda: BasinVectorGate(1).decide([0, -(10**400)]), NegativeError, r"bounds\[1\]"),
        (lambda: BasinFlowGate(1).decide([-(10**400)], [1], 0), NegativeError, r"factors\[0\]"),
        (lambda: lengths(np.array([[1, math.nan]])), NonFiniteError, r"displacements\[1\]"),
    ],
)
def test_bad_input_is_named(call, error, name):
    with pytest.raises(error, match=f"^{name}"):
        call()


def test_no_steps_need_no_control():
    assert BasinVectorGate(1).control([]).tolist() == []

"""Serving from coarse rows."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis.core import q8_0
from gnosis.errors import DtypeError, LengthError, NegativeError, NonFiniteError
from gnosis.gates import jit, margin
from gnosis.gates.energy import dot, energy
from gnosis.gates.jit import JitGate, row_bounds, serve


def layers(rng, n):
    """Small integer layers: decoded rows, residuals, activation; coarse and true logits."""
    for _ in range(n):
        rows, width = int(rng.integers(2, 5)), int(rng.integers(1, 4))
        coarse = rng.integers(-9, 10, (rows, width)).tolist()
        residual = rng.integers(-2, 3, (rows, width)).tolist()
        a = rng.integers(-3, 4, width).tolist()
        z = [dot(r, a) for r in coarse]
        yield z, [x + dot(t, a) for x, t in zip(z, residual)], residual, a


def lead(z, w):
    return z[w] - max(x for j, x in enumerate(z) if j != w)


def lies(admits, strict):
    """Admitted layers whose coarse winner is not the true one, and how many were admitted with a residual that is not zero."""
    wrong = admitted = 0
    for z, true, residual, a in layers(np.random.default_rng(0), 4000):
        w = margin.argmax(z)
        E = [energy(t) for t in residual]
        if admits(z, w, E, energy(a), lead(z, w)):
            admitted += any(E)
            others = [x for j, x in enumerate(true) if j != w]
            wrong += not (true[w] > max(others) if strict else true[w] >= max(others))
    return wrong, admitted


@pytest.mark.parametrize("admits, strict", [(jit.jit_admit, False), (jit.jit_admit_strict, True)])
def test_an_admitted_winner_is_the_true_one(admits, strict):
    wrong, admitted = lies(admits, strict)
    assert wrong == 0 and admitted > 20


@pytest.mark.parametrize(
    "admits, strict",
    [
        (jit.jit_admit, True),  # the weak gate admits ties
        (lambda z, w, E, A, γ: jit.jit_admit(z, w, [e // 4 for e in E], A, γ), False),  # factor 4 lost
        (lambda z, w, E, A, γ: jit.jit_admit(z, w, [E[w]] * len(E), A, γ), False),  # winner's sidecar only
        (lambda z, w, E, A, γ: not jit.jit_admit(z, w, E, A, γ), False),  # flipped
    ],
    ids=["ties", "factor", "one sidecar", "flipped"],
)
def test_a_wrong_gate_is_caught(admits, strict):
    assert lies(admits, strict)[0] > 0


def test_the_tie_that_the_weak_gate_allows():
    assert jit.jit_admit([0, 2], 1, [1, 1], 1, 2) and not jit.jit_admit_strict([0, 2], 1, [1, 1], 1, 2)
    assert not jit.jit_admit([0, 2], 1, [1], 1, 2) and not jit.jit_admit([0, 2], 2, [1, 1], 1, 2) and not jit.jit_admit([0, 2], 1, [1, 1], 1, 3)


def served_lies(served, every=1):
    wrong = 0
    for z in list(product(range(4), repeat=3))[::every]:
        for ε in product(range(3), repeat=3):
            for move in product(*(range(-e, e + 1) for e in ε)):
                true = [x + d for x, d in zip(z, move)]
                wrong += served(list(z), true, list(ε)) != margin.argmax(true)
    return wrong


def own_gate_only(coarse, exact, ε):
    """Recompute only the rows whose own gate refuses: the rest stay coarse."""
    γ = lead(coarse, margin.argmax(coarse))
    return margin.argmax([x if 2 * e > γ else c for c, x, e in zip(coarse, exact, ε)])


def test_a_miss_never_lies():
    assert served_lies(jit.served_argmax) == 0
    assert served_lies(lambda c, x, ε: serve(c, ε, lambda rows: [x[j] for j in rows]).index, every=9) == 0


def test_recomputing_the_refused_rows_is_caught():
    assert served_lies(own_gate_only) > 0
    assert served_lies(lambda c, x, ε: margin.argmax(c)) > 0
    # the instance by hand: coarse (10, 5, 4), residuals (-10, -2, 2), activation 1
    assert own_gate_only([10, 5, 4], [0, 3, 6], [10, 2, 2]) == 1 and jit.served_argmax([10, 5, 4], [0, 3, 6], [10, 2, 2]) == 2


# near ties of many types, scores and bounds: what float64 holds goes to the kernel, the rest to integers
TYPES = {
    "float32": (lambda x: np.array(x, np.float32), lambda x: np.array(x, np.float32)),
    "float64": (lambda x: np.array(x) * 0.1, lambda x: np.array(x) * 0.1),
    "subnormal": (lambda x: np.array(x) * 5e-324, lambda x: np.array(x) * 5e-324),
    "large int64": (lambda x: np.array(x) + (1 << 60), np.array),
    "fractions": (lambda x: [Fraction(v, 3) for v in x], lambda x: np.array(x) / 3),
    "list": (list, lambda x: [v / 4 for v in x]),
}


def unlike_the_integers(find, names=tuple(TYPES)):
    """How often the candidates that `find` gives are not those of the decision on integers."""
    rng, wrong = np.random.default_rng(5), 0
    for scores, bounds in map(TYPES.get, names):
        for n in rng.integers(2, 6, 150).tolist():
            z, ε = scores(rng.integers(0, 6, n).tolist()), bounds(rng.integers(0, 4, n).tolist())
            exact = [[Fraction(x) for x in (side if isinstance(side, list) else side.tolist())] for side in (z, ε)]
            unit = Fraction(1, math.lcm(*(x.denominator for side in exact for x in side)))
            wrong += list(find(z, ε)) != margin.candidates(*([int(x / unit) for x in side] for side in exact))
    return wrong


def test_candidates_are_those_of_the_integers():
    assert unlike_the_integers(lambda z, ε: margin.RowGate(ε).candidates(z)) == 0
    assert unlike_the_integers(lambda z, ε: serve(z, ε, lambda rows: [int(j) for j in rows]).recomputed) == 0


def test_candidates_in_plain_floats_are_caught():
    def plain(z, ε):
        z, ε = np.array(z, float), np.array(ε, float)
        return np.flatnonzero(z + ε >= (z - ε).max())

    assert unlike_the_integers(plain) > 0
    assert unlike_the_integers(plain, ["large int64"]) > 0


def test_only_candidates_are_read():
    asked = []

    def recompute(rows):
        asked.extend(rows.tolist())
        return np.array([9.0, 10.0])

    answer = serve([10.0, 9.0, 2.0], [1, 1, 1], recompute)
    assert (answer.index, asked, answer.recomputed.tolist(), answer.theorem) == (1, [0, 1], [0, 1], "Gnosis.miss_never_lies")
    assert jit.served_argmax([], [], []) == 0 and jit.argmax_among([1, 5, 5], 0, [2, 1]) == 2


@given(st.lists(st.fractions(0, 1000) | st.floats(0, 1e308) | st.integers(0, 10**6), min_size=1, max_size=4), st.floats(0, 1e308) | st.fractions(0, 50))
def test_row_bounds(E, A):
    ε = row_bounds(E, A)
    for e, b in zip(E, ε):
        product_ = Fraction(e) * Fraction(A)
        assert b * b >= product_ and (b == 0) == (product_ == 0)
        assert b == 0 or (b * (1 - Fraction(1, 2**62))) ** 2 < product_
    unit = Fraction(1, math.lcm(*(Fraction(x).denominator for x in (*E, A, *ε))))
    assert jit.errors_within(int(Fraction(A) / unit), [int(Fraction(e) / unit) for e in E], [int(b / unit) for b in ε])


def test_errors_within_refuses_a_root_that_is_too_small():
    assert jit.errors_within(3, [2], [3]) and not jit.errors_within(3, [2], [2]) and not jit.errors_within(3, [2, 1], [3])
    assert jit.jit_row_admit([20, 0, 10], 0, [1, 10, 1], [1, 100, 1], 1) and not jit.jit_row_admit([20, 0, 10], 0, [1, 9, 1], [1, 100, 1], 1)


# ---- the gate ----


@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=2, max_size=4), st.data(), st.booleans())
def test_gate_is_the_exact_predicate(coarse, data, strict):
    E = data.draw(st.lists(st.floats(0, 1e3), min_size=len(coarse), max_size=len(coarse)))
    A = data.draw(st.fractions(0, 100))
    z = [Fraction(x) for x in coarse]
    γ = lead(z, margin.argmax(z))
    verdict = JitGate(strict=strict).decide(np.array(coarse, np.float32), E, A)
    assert verdict.margin == γ * γ - 4 * max(map(Fraction, E)) * A
    assert verdict.admit == (verdict.margin > 0 or (verdict.margin == 0 and not strict))
    assert verdict.theorem == "Gnosis.jit_dequant_sound" + ("_strict" if strict else "") and len(verdict.assumes) == 3


def disagreements(decide_many):
    rng = np.random.default_rng(3)
    wrong = 0
    for strict in (True, False):
        for dtype in (np.float32, np.float64, np.int64):
            for scale in (1, 2.0**-545, 2.0**60) if dtype == np.float64 else (1,):
                z = (rng.integers(-4, 5, (80, 4)) * scale).astype(dtype)
                E = (rng.integers(0, 3, 4) ** 2 * 0.25 * scale).astype(np.float64)
                A = (rng.integers(0, 5, 80) ** 2 * scale).astype(np.float64)
                gate = JitGate(strict)
                for activation in (A, A.tolist(), 4.0, Fraction(1, 3)):
                    each = A if isinstance(activation, (np.ndarray, list)) else [activation] * 80
                    truth = [gate.decide(row, E, a).admit for row, a in zip(z, each)]
                    wrong += sum(a != b for a, b in zip(decide_many(gate, z, E, activation).tolist(), truth, strict=True))
    return wrong


def test_decide_many_is_decide():
    assert disagreements(JitGate.decide_many) == 0


def test_a_plain_float_batch_is_caught():
    def plain(gate, z, E, A):
        two = np.partition(z, -2, axis=1)[:, -2:].astype(float)
        with np.errstate(all="ignore"):
            return 4 * E.max() * np.broadcast_to(np.asarray(A, float), len(z)) <= (two[:, 1] - two[:, 0]) ** 2

    assert disagreements(plain) > 0


def leads_outside(bounds):
    """Exact leads that lie outside their bounds, over scores of very different sizes."""
    rows = np.random.default_rng(4).standard_normal((400, 3)) * 2.0 ** np.random.default_rng(5).integers(-40, 40, (400, 3))
    low, high = bounds(rows, rows)
    exact = [Fraction(b) - Fraction(a) for a, b in np.sort(rows, axis=1)[:, 1:].tolist()]
    return sum(not Fraction(l) <= e <= Fraction(h) for l, e, h in zip(low.tolist(), exact, high.tolist()))


@pytest.mark.parametrize("side", ["below", "above"])
def test_leads_are_rounded_outward(monkeypatch, side):
    assert leads_outside(jit.lead_bounds) == 0
    monkeypatch.setattr(jit, side, lambda x: x)
    assert leads_outside(jit.lead_bounds) > 20


def test_from_blocks_to_a_verdict():
    """Q8_0 sidecars from the kernel, exact coarse logits, and the true logits to check the claim against."""
    rng = np.random.default_rng(9)
    admitted = 0
    for _ in range(60):
        weights = rng.standard_normal((4, 32)).astype(np.float32)
        weights[0] += 0.5
        scale = (abs(weights).max(axis=1) / 127).astype(np.float16)
        codes = np.rint(weights / scale[:, None].astype(np.float32)).astype(np.int8)
        blocks = np.concatenate([scale[:, None].view(np.uint8), codes.view(np.uint8)], axis=1)
        a = rng.standard_normal(32).astype(np.float32)
        E = q8_0.residual_energy_upper(blocks, weights)
        decoded = q8_0.dequantize(blocks)

        def product_(rows, a=a):
            return [sum(Fraction(float(w)) * Fraction(float(x)) for w, x in zip(row, a)) for row in rows]

        A = sum(Fraction(float(x)) ** 2 for x in a)
        coarse, true = product_(decoded), product_(weights)
        verdict = JitGate().decide(coarse, E, A)
        admitted += verdict.admit
        assert not verdict.admit or margin.argmax(coarse) == margin.argmax(true)
        ε = row_bounds(E, A)
        assert all(abs(x - y) <= e for x, y, e in zip(coarse, true, ε))
        assert serve(coarse, ε, lambda rows: [true[j] for j in rows]).index == margin.argmax(true)
    assert 0 < admitted < 60


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: JitGate().decide([1], [1], 1), LengthError, "coarse"),
        (lambda: JitGate().decide([1, 2], [1], 1), LengthError, "energies"),
        (lambda: JitGate().decide([1, 2], [1, -1], 1), NegativeError, r"energies\[1\]"),
        (lambda: JitGate().decide([1, 2], [1, 1], -1), NegativeError, "activation_energy"),
        (lambda: JitGate().decide([1, math.nan], [1, 1], 1), NonFiniteError, r"coarse\[1\]"),
        (lambda: JitGate().decide([1, 2], [1, math.inf], 1), NonFiniteError, r"energies\[1\]"),
        (lambda: JitGate().decide_many(np.ones(2), [1, 1], 1), LengthError, "coarse"),
        (lambda: JitGate().decide_many(np.ones((3, 2)), [1], 1), LengthError, "energies"),
        (lambda: JitGate().decide_many(np.ones((3, 2)), [1, 1], np.ones(2)), LengthError, "activation_energies"),
        (lambda: JitGate().decide_many(np.ones((3, 2)), [1, 1], np.array([1, -1, 1])), NegativeError, r"activation_energies\[1\]"),
        (lambda: JitGate().decide_many(np.ones((3, 2)), [1, 1], math.nan), NonFiniteError, "activation_energies"),
        (lambda: JitGate().decide_many(np.array([[1, np.nan]]), [1, 1], 1), NonFiniteError, r"coarse\[0, 1\]"),
        (lambda: serve([1, 2], [1], lambda rows: rows), LengthError, "bounds"),
        (lambda: serve([1], [1], lambda rows: rows), LengthError, "coarse"),
        (lambda: serve(np.ones((2, 2)), [1, 1], lambda rows: rows), LengthError, "coarse"),
        (lambda: serve([1, 2], [1, -1], lambda rows: rows), NegativeError, r"bounds\[1\]"),
        (lambda: serve(np.array([1, np.inf]), [1, 1], lambda rows: rows), NonFiniteError, r"coarse\[1\]"),
        (lambda: serve([1, 2], [1, 1], lambda rows: np.ones((2, 1))), LengthError, "recompute"),
        (lambda: serve([1, 2], [1, 1], lambda rows: [1.0]), LengthError, "recompute"),
        (lambda: serve([1, 2], [1, 1], lambda rows: [1.0, math.nan]), NonFiniteError, r"recompute\[1\]"),
        (lambda: row_bounds([1, "2"], 1), DtypeError, r"energies\[1\]"),
        (lambda: row_bounds([1], -1), NegativeError, "activation_energy"),
    ],
)
def test_bad_input_is_named(call, error, name):
    with pytest.raises(error, match=f"^{name}"):
        call()


def test_an_energy_past_the_floats_is_named():
    with pytest.raises(NegativeError, match=r"^energies\[0\]"):
        JitGate().decide([1, 2], [-(10**400), 1], 1)

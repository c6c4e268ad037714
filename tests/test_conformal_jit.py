"""Calibrate, then serve: the gates for a token and for a maximiser, and rows that are recomputed on a calibrated bound."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis.errors import DtypeError, LengthError, NegativeError, NonFiniteError, RangeError
from gnosis.gates.conformal import calibrate
from gnosis.gates.conformal_jit import (
    ConformalJitGate,
    ConformalMarginGate,
    conformal_jit_admit,
    conformal_jit_admit_lowest,
    conformal_jit_lead_admit,
    conformal_margin_admit,
    conformal_margin_admit_lowest,
    conformal_served,
    serve_calibrated,
)

small = st.lists(st.integers(-4, 4), max_size=7)
levels = st.integers(2, 40).flatmap(lambda d: st.tuples(st.integers(1, d - 1), st.just(d)))


@given(small, levels, st.lists(st.integers(-6, 6), min_size=2, max_size=4), st.integers(0, 12), st.integers(0, 3))
def test_conformal_then_serve_is_the_exact_predicate(scores, q, z, γ, A):
    w = z.index(max(z))
    assert ConformalMarginGate(calibrate(scores, q), γ).decide(z).admit == conformal_margin_admit_lowest(scores, *q, γ, z, w)
    assert ConformalMarginGate(calibrate(scores, q), γ, lowest=False).decide(z).admit == conformal_margin_admit(scores, *q, γ, z, w)
    energies = [abs(x) for x in scores]
    lead = z[w] - max(x for j, x in enumerate(z) if j != w)
    gate = ConformalJitGate(calibrate(energies, q), lowest=False)
    assert gate.decide(z, A).admit == conformal_jit_admit(energies, *q, z, w, A, lead) == gate.decide_many(np.array([z]), A)[0]
    # the token: some γ on some finer scale admits; 2·lead times as fine is fine enough
    fine = 2 * lead or 1
    token = any(conformal_jit_admit_lowest([e * fine for e in energies], *q, [x * fine for x in z], w, A * fine, fine * lead - less) for less in (0, 1))
    gate = ConformalJitGate(calibrate(energies, q))
    assert gate.decide(z, A).admit == token == gate.decide_many(np.array([z]), A)[0] == conformal_jit_lead_admit(energies, *q, z, w, A)


def test_the_leads_themselves_decide():
    """No whole margin lies between the root of 4·t·A and a lead in front: admitted all the same, by `conformal_jit_lead`."""
    one = calibrate([1], 0.5)
    verdict = ConformalJitGate(one).decide([0, 2], 0.5)
    assert verdict.admit and verdict.margin == 2 and verdict.theorem == "Gnosis.conformal_jit_lead"
    assert not any(conformal_jit_admit_lowest([2], 1, 2, [0, 3], 1, 1, γ) for γ in range(5))
    assert conformal_jit_lead_admit([2], 1, 2, [0, 3], 1, 1) and not ConformalJitGate(one).decide([0, 2], 1).admit


def test_a_tie_in_front_is_no_token():
    """`weak_conformal_margin_moves_token`: the true logits are [1, 1], whose argmax is 0."""
    one = calibrate([1], 0.5)
    assert not ConformalMarginGate(one, 2).decide([0, 2]).admit and ConformalMarginGate(one, 2, lowest=False).decide([0, 2]).admit
    assert ConformalMarginGate(one, 2).decide([2, 0]).admit and ConformalMarginGate(one, 2).decide([0, 3]).admit
    assert not ConformalJitGate(one).decide([0, 2], 1).admit and ConformalJitGate(one, lowest=False).decide([0, 2], 1).admit
    assert ConformalJitGate(one).decide([2, 0], 1).admit
    with pytest.raises(DtypeError, match="^lowest"):
        ConformalJitGate(one, lowest=1)


@given(small, levels, st.lists(st.tuples(st.integers(-6, 6), st.integers(-6, 6)), min_size=2, max_size=5))
def test_serving_on_a_calibrated_bound_is_the_decision(scores, q, logits):
    coarse, true = (list(column) for column in zip(*logits))
    found = serve_calibrated(coarse, calibrate(scores, q), lambda rows: [true[i] for i in rows])
    assert found.index == conformal_served(scores, *q, coarse, true) and found.theorem == "Gnosis.conformal_served_candidates"


def test_serving_without_a_bound_recomputes_every_row():
    for errors in (calibrate([1], 0.9), calibrate([-1], 0.5)):
        assert serve_calibrated([9.0, 0, 1], errors, lambda rows: np.array([0.0, 5.0, 5.0])[rows]).recomputed.tolist() == [0, 1, 2]
    with pytest.raises(DtypeError, match="^errors"):
        serve_calibrated([1, 2], 1, lambda rows: rows)


def test_conformal_then_serve_instances():
    assert (
        conformal_margin_admit([1], 1, 2, 2, [0, 2], 1)
        and not conformal_margin_admit([1], 1, 2, 2, [0, 2], 2)
        and not conformal_margin_admit([1], 1, 2, 3, [0, 2], 1)
    )
    assert (
        ConformalMarginGate(calibrate([1], 0.5), 2).decide([2.0, 0.0]).margin == 0 and ConformalMarginGate(calibrate([1], 0.9), 2).decide([0, 2]).margin is None
    )
    assert (
        ConformalJitGate(calibrate([1], 0.9)).decide([0, 9], 1).margin is None
        and not ConformalJitGate(calibrate([1], 0.9)).decide_many(np.array([[0.0, 9.0]]), 0)[0]
    )
    for call, error, name in [
        (lambda: ConformalMarginGate(calibrate([1], 0.5), -1), NegativeError, "gamma"),
        (lambda: ConformalMarginGate(1, 1), DtypeError, "errors"),
        (lambda: ConformalMarginGate(calibrate([1], 0.5), 1).decide([1]), LengthError, "coarse"),
        (lambda: ConformalJitGate(calibrate([-1], 0.5)), RangeError, "energies"),
        (lambda: ConformalJitGate(1), DtypeError, "energies"),
        (lambda: ConformalJitGate(calibrate([1], 0.5)).decide([1, 2], math.nan), NonFiniteError, "activation_energy"),
    ]:
        with pytest.raises(error, match=f"^{name}"):
            call()

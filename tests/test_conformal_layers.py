"""The gate for several layers: the decision on integers, its threshold, its errors, and the rates that reports print."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis.errors import LengthError, RangeError
from gnosis.gates.conformal_layers import MaxLayersGate, cofactors, layers_fail, layers_max, layers_max_admit
from gnosis.numbers.bounds import shown_up

layers = st.integers(1, 4).flatmap(
    lambda n: st.tuples(st.lists(st.integers(1, 9), min_size=n, max_size=n), st.lists(st.lists(st.integers(-6, 6), min_size=n, max_size=n), max_size=8))
)
levels = st.integers(2, 20).flatmap(lambda d: st.tuples(st.integers(1, d - 1), st.just(d)))


@given(layers, levels)
def test_a_layer_fails_where_the_unit_does_not_fit(given_layers, q):
    margins, units = given_layers
    found = MaxLayersGate(margins, q).decide(units)
    P = int(np.prod(margins))
    c = [P // g for g in margins]
    assert cofactors(P, c, margins) and found.admit == layers_max_admit(units, c, margins, P, *q)
    assert all((2 * layers_max(c, u) > P) == layers_fail(margins, u) for u in units)
    # as many units as the rank asks for fit in every layer
    rank = -(-(len(units) + 1) * q[0] // q[1])
    assert found.admit == (rank <= len(units) and sum(not layers_fail(margins, u) for u in units) >= rank)


def test_one_layer_is_the_conformal_gate_and_a_float_is_the_dyadic_that_it_is():
    assert MaxLayersGate([0.1], "0.5").decide(np.array([[0.05], [0.06], [0.04]])).margin == 0
    assert MaxLayersGate([Fraction(1, 10)], "0.5").decide(np.array([[0.05], [0.06], [0.04]])).admit is False  # 0.05 is above a twentieth
    assert MaxLayersGate([1, 2], "0.9").decide([[0, 0]]).margin is None
    assert MaxLayersGate([1, 2], "0.5").decide([[-5, -7]]).margin == 1


def test_errors_name_the_layer_and_the_unit():
    with pytest.raises(RangeError, match=r"^margins\[1\]"):
        MaxLayersGate([1, 0], "0.5")
    with pytest.raises(LengthError, match="^margins"):
        MaxLayersGate([], "0.5")
    with pytest.raises(LengthError, match=r"^scores\[1\]"):
        MaxLayersGate([1, 2], "0.5").decide([[0, 1], [0]])
    with pytest.raises(RangeError, match="^level"):
        MaxLayersGate([1], 1)


def test_a_printed_rate_is_not_below_the_rate():
    assert shown_up(1 / 149, 4, percent=True) == "0.68%" and shown_up(0.01, 4, percent=True) == "1.00%"
    assert shown_up(36 * 2 / 201, 4, percent=True) == "35.83%" and shown_up(4 / 49, 3) == "0.082"

"""The integer lattice decoders: in the lattice, nearest, ties as in Lean, and the judge of the float32 kernel."""

import itertools
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis.core import lattice as kernel
from gnosis.errors import DtypeError, LengthError, NonFiniteError, RangeError
from gnosis.gates import lattice
from gnosis.gates.lattice import e8_decode, is_d8, is_e8, sq_dist


def shortest(members):
    """Vectors of E8 or D8 in halves by which a farther point could differ from a nearer one: those that bound the Voronoi cell."""
    whole = [tuple(2 * s for s in v) for v in itertools.product((-1, 0, 1), repeat=8) if sum(map(abs, v)) == 2]
    half = [v for v in itertools.product((1, -1), repeat=8) if sum(v) % 4 == 0]
    # D8 has the vectors ±2e_i of squared length 4 as well, but they are sums of two shortest ones and bound nothing
    return whole if members == "d8" else whole + half


CELL = {"d8": shortest("d8"), "e8": shortest("e8")}
coordinates = st.lists(st.integers(-60, 60), min_size=8, max_size=8)


def is_nearest(h, xs, halves, cell):
    own = sq_dist(h, xs, halves)
    return all(own <= sq_dist(h, xs, [w + v for w, v in zip(halves, move)]) for move in cell)


@given(st.integers(1, 24), coordinates)
def test_e8_is_a_nearest_point(h, xs):
    halves = e8_decode(h, xs)
    assert is_e8(halves) and is_nearest(h, xs, halves, CELL["e8"])
    assert e8_decode(h, [h * w for w in halves]) == halves
    assert sq_dist(h, xs, halves) <= 4 * h * h  # the covering radius is 1, in units of 1/(2h)


@given(st.integers(1, 24), coordinates)
def test_d8_is_a_nearest_point(m, xs):
    zs = lattice.d8_decode(m, xs)
    assert is_d8(zs) and is_nearest(m, [2 * x for x in xs], [2 * z for z in zs], CELL["d8"])
    assert lattice.d8_decode(m, [m * z for z in zs]) == zs


@given(st.integers(1, 24), st.lists(st.integers(-99, 99), max_size=12))
def test_cubic_rounds_each_coordinate(m, xs):
    assert lattice.cubic_decode(m, xs) == [math.floor(Fraction(x, m) + Fraction(1, 2)) for x in xs]


def flips_the_first(h, xs):
    zs = lattice.cubic_decode(2 * h, xs)
    zs[0] += sum(zs) % 2
    return [2 * z for z in zs]


def integers_only(h, xs):
    return [2 * z for z in lattice.dn_decode(2 * h, xs)]


def no_parity(h, xs):
    return [2 * z for z in lattice.cubic_decode(2 * h, xs)]


@pytest.mark.parametrize("wrong", [flips_the_first, integers_only, no_parity])
def test_a_wrong_decoder_is_caught(wrong):
    rng = np.random.default_rng(0)
    points = [rng.integers(-30, 31, 8).tolist() for _ in range(60)]
    assert any(not is_e8(wrong(8, xs)) or not is_nearest(8, xs, wrong(8, xs), CELL["e8"]) for xs in points)


def test_ties():
    """A coordinate in the middle rounds up; the first of equal errors moves; of two equally near cosets the integer one is taken."""
    assert lattice.nearest_int(2, 1) == 1 and lattice.nearest_int(2, -1) == 0
    assert lattice.nearest_int(10**9, 5 * 10**8 - 1) == 0
    assert lattice.d8_decode(4, [1, 1, 0, 0, 0, 0, 0, 4]) == [1, 0, 0, 0, 0, 0, 0, 1]
    assert lattice.d8_decode(4, [0, -1, -1, 0, 0, 0, 0, 4]) == [0, -1, 0, 0, 0, 0, 0, 1]
    assert lattice.d8_decode(2, [0] * 7 + [2]) == [1] + [0] * 6 + [1]  # no error at all: the first one, upwards
    quarter = e8_decode(2, [1] * 8)  # (1/4, …, 1/4) lies in the middle of 0 and (1/2, …, 1/2)
    assert quarter == [0] * 8
    assert e8_decode(2, [1] * 7 + [2]) == [1] * 8


def test_what_is_no_input_gives_no_point():
    for call in (lattice.d8_decode, lattice.e8_decode):
        assert call(0, [0] * 8) == call(-1, [0] * 8) == call(1, [0] * 7) == call(1, [0] * 9) == call(1, []) == []
    assert not is_e8([]) and not is_d8([]) and not is_e8([1] * 7 + [2]) and not is_e8([2] + [0] * 7) and not is_d8([1] + [0] * 7)
    assert is_e8([1] * 8) and is_e8([-1] + [1] * 6 + [-1]) and not is_e8([-1] + [1] * 7) and is_e8([4] + [0] * 7) and is_d8([1, 1] + [0] * 6)


@given(st.integers(1, 5), coordinates)
def test_the_kernel_agrees_where_float32_is_exact(power, xs):
    h = 1 << power
    x = np.array([xs], np.float32) / np.float32(2 * h)
    assert (2 * kernel.nearest_e8(x)[0]).tolist() == e8_decode(h, xs)
    assert kernel.nearest_cubic(x)[0].tolist() == lattice.cubic_decode(2 * h, xs)
    assert kernel.nearest_d8(x)[0].tolist() == lattice.d8_decode(2 * h, xs)


def test_float32_misses_the_nearest_point_and_the_recomputed_residual_does_not_mind():
    """At near ties float32 takes a farther point.  The energy recomputed from it is that of this very point: exact, and no less than the least."""
    rng = np.random.default_rng(1)
    x = (rng.integers(-4, 5, (4000, 8)) / 4 + rng.standard_normal((4000, 8)) * 1e-7).astype(np.float32)
    missed = 0
    for row, taken in zip(x, kernel.nearest_e8(x)):
        best = lattice.nearest("e8", row)
        energy = sum((Fraction(float(a)) - Fraction(float(b))) ** 2 for a, b in zip(row, taken))
        assert is_e8([int(2 * w) for w in taken]) and energy >= best.energy
        missed += energy > best.energy
    assert missed > 10


@pytest.mark.parametrize("name", lattice.LATTICES)
def test_nearest_on_floats_gives_the_exact_energy(name):
    rng = np.random.default_rng(2)
    for step in (1, 0.1, Fraction(1, 3), Decimal("0.07"), 2.0**-140):
        x = (rng.standard_normal(8) * 5 * float(step)).astype(np.float32)
        point = lattice.nearest(name, x, step)
        exact_step = Fraction(step)
        assert point.values == tuple(exact_step * w / 2 for w in point.halves)
        assert point.energy == sum((Fraction(float(a)) - b) ** 2 for a, b in zip(x, point.values))
        if name == "e8":
            assert is_e8(point.halves)
        else:
            assert all(w % 2 == 0 for w in point.halves) and (name == "cubic" or sum(point.halves) % 4 == 0)
    assert lattice.nearest("cubic", [Fraction(1, 2)], Fraction(1, 3)).halves == (4,)  # 3/2 rounds up


@pytest.mark.parametrize(
    "name, x, step, error, text",
    [
        ("leech", [0] * 24, 1, RangeError, "^lattice"),
        ("e8", [0] * 7, 1, LengthError, "^x"),
        ("d8", [], 1, LengthError, "^x"),
        ("cubic", [], 1, LengthError, "^x"),
        ("e8", [0] * 8, 0, RangeError, "^step"),
        ("e8", [0] * 8, -1, RangeError, "^step"),
        ("e8", [0] * 8, math.nan, NonFiniteError, "^step"),
        ("e8", [0] * 7 + [math.inf], 1, NonFiniteError, r"^x\[7\]"),
        ("e8", ["0"] * 8, 1, DtypeError, r"^x\[0\]"),
        ("e8", 3, 1, DtypeError, "^x"),
    ],
)
def test_bad_input_is_named(name, x, step, error, text):
    with pytest.raises(error, match=text):
        lattice.nearest(name, x, step)

"""Cubic, D8 and E8 decoders: always a point of the lattice; the nearest one where float32 is exact."""

import math
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gnosis.core import cpu, lattice
from gnosis.errors import DtypeError, LengthError, NonFiniteError, RangeError
from gnosis.gates import lattice as exact


def roots():
    """The 240 shortest vectors of E8, in halves.  The Voronoi cell of a root lattice is cut out by its roots."""
    whole = []
    for i, j in combinations(range(8), 2):
        for a, b in product((2, -2), repeat=2):
            v = [0] * 8
            v[i], v[j] = a, b
            whole.append(v)
    half = [v for v in product((1, -1), repeat=8) if sum(v) % 4 == 0]
    return np.array(whole + half)


ROOTS = roots()
CALLS = [lattice.nearest_e8, lattice.nearest_d8, lattice.nearest_cubic]


def in_e8(points):
    """Which rows are points of E8: all integers or all halves of odd integers, and an even sum."""
    twice = points.astype(np.float64) * 2
    whole = twice == np.rint(twice)
    parity = np.mod(twice, 2)
    return whole.all(axis=1) & (parity == parity[:, :1]).all(axis=1) & (np.mod(twice.sum(axis=1), 4) == 0)


def integer_e8(x, unit):
    """Conway and Sloane on exact numbers: row x times 2·unit is integers.  Ties as in Gnosis: up, first, integers."""
    h = unit
    ints = [int(Fraction(float(v)) * 2 * h) for v in x]

    def d8(xs):
        m = 2 * h
        near = [(2 * v + m) // (2 * m) for v in xs]
        error = [v - m * n for v, n in zip(xs, near)]
        if sum(near) % 2:
            i = max(range(8), key=lambda k: abs(error[k]))
            near[i] += 1 if error[i] >= 0 else -1
        return near

    a = [2 * n for n in d8(ints)]
    b = [2 * n + 1 for n in d8([v - h for v in ints])]
    far = [sum((v - h * w) ** 2 for v, w in zip(ints, p)) for p in (a, b)]
    return [w / 2 for w in (a if far[0] <= far[1] else b)]


def in_d8(points):
    """Which rows are integers with an even sum."""
    return (points == np.rint(points)).all(axis=1) & (np.mod(points.astype(np.float64).sum(axis=1), 2) == 0)


def grid(rng, n, denominator, size):
    return (rng.integers(-size, size + 1, (n, 8)) / denominator).astype(np.float32)


def faults(nearest):
    """Rows on a dyadic grid, where float32 is exact, for which `nearest` gives no lattice point or not the nearest one."""
    rng = np.random.default_rng(1)
    x = np.concatenate([grid(rng, 1500, d, s) for d, s in ((1, 3), (2, 5), (4, 9), (8, 40), (16, 4000), (256, 1000))])
    y = nearest(x)
    residual = 2 * (x.astype(np.float64) - y)
    # farther from the point plus a root: |r - v|^2 - |r|^2 = |v|^2 - 2 r·v, |v|^2 = 8 in halves
    closest = (8 - 2 * residual @ ROOTS.T >= 0).all(axis=1)
    return int((~in_e8(y) | ~closest).sum())


@pytest.mark.parametrize("isa", cpu.available())
def test_e8_is_nearest_on_grids(isa):
    cpu.force(isa)
    try:
        assert faults(lattice.nearest_e8) == 0
    finally:
        cpu.force(None)


def faults_d8(nearest):
    """The same for D8, whose cell is cut out by its 112 roots; float32 is exact here whatever the grid."""
    rng = np.random.default_rng(1)
    x = np.concatenate([*(grid(rng, 1500, d, s) for d, s in ((1, 3), (2, 5), (4, 9), (8, 40), (256, 1000))), rng.standard_normal((3000, 8)).astype(np.float32)])
    y = nearest(x)
    residual = 2 * (x.astype(np.float64) - y)
    closest = (8 - 2 * residual @ ROOTS[:112].T >= 0).all(axis=1)
    return int((~in_d8(y) | ~closest).sum())


@pytest.mark.parametrize("isa", cpu.available())
def test_d8_is_nearest_everywhere(isa):
    cpu.force(isa)
    try:
        assert faults_d8(lattice.nearest_d8) == 0
    finally:
        cpu.force(None)


def no_parity(x):
    return np.floor(x + np.float32(0.5))


def integers_only(x):
    y = np.rint(x)
    error = x - y
    worst = abs(error).argmax(axis=1)
    odd = np.flatnonzero(y.sum(axis=1) % 2)
    y[odd, worst[odd]] += np.where(error[odd, worst[odd]] >= 0, 1, -1)
    return y


def flips_the_first(x):
    y = np.floor(x + np.float32(0.5))
    y[:, 0] += y.sum(axis=1) % 2
    return y


@pytest.mark.parametrize("wrong", [no_parity, integers_only, flips_the_first, lambda x: integers_only(x - np.float32(0.5)) + np.float32(0.5)])
def test_a_wrong_decoder_is_caught(wrong):
    assert faults(wrong) > 0


@pytest.mark.parametrize("wrong", [no_parity, flips_the_first, lattice.nearest_cubic, lattice.nearest_e8, lambda x: 2 * lattice.nearest_cubic(x / 2)])
def test_a_wrong_d8_decoder_is_caught(wrong):
    assert faults_d8(wrong) > 0


@pytest.mark.parametrize("isa", cpu.available())
def test_ties_go_as_in_the_integer_decoder(isa):
    rng = np.random.default_rng(2)
    cpu.force(isa)
    try:
        for denominator in (1, 2, 4, 8):
            x = grid(rng, 400, denominator, 12)
            x[rng.random(x.shape) < 0.2] *= np.float32(-0.0)
            assert lattice.nearest_e8(x).tolist() == [integer_e8(row, denominator) for row in x]
            assert lattice.nearest_d8(x).tolist() == [exact.d8_decode(denominator, [int(v * denominator) for v in row]) for row in x.tolist()]
            cubic = [[math.floor(Fraction(float(v)) + Fraction(1, 2)) for v in row] for row in x]
            assert lattice.nearest_cubic(x).tolist() == cubic
    finally:
        cpu.force(None)


def test_ties_the_other_way_are_caught():
    x = grid(np.random.default_rng(2), 400, 2, 12)
    assert not np.array_equal(np.rint(x), lattice.nearest_cubic(x))
    assert lattice.nearest_e8(x).tolist() != (-lattice.nearest_e8(-x)).tolist()
    assert lattice.nearest_d8(x).tolist() != (-lattice.nearest_d8(-x)).tolist()


@given(hnp.arrays(np.float32, (5, 8), elements=st.floats(-(2.0**21), 2.0**21, width=32)))
def test_always_a_lattice_point(x):
    assert in_e8(lattice.nearest_e8(x)).all() and in_d8(lattice.nearest_d8(x)).all()
    y = lattice.nearest_cubic(x)
    assert (y == np.rint(y)).all() and (abs(x.astype(np.float64) - y) <= 0.5).all()


def test_near_ties_may_miss_the_nearest_and_stay_in_the_lattice():
    """Why nothing relies on "nearest": at near ties float32 picks a farther point now and then, by a rounding error only."""
    rng = np.random.default_rng(3)
    x = (rng.standard_normal((20000, 8)) * 1000).astype(np.float32)
    y = lattice.nearest_e8(x)
    residual = 2 * (x.astype(np.float64) - y)
    assert in_e8(y).all()
    assert (8 - 2 * residual @ ROOTS.T).min() > -1e-3


def test_lattice_points_stay():
    rng = np.random.default_rng(4)
    points = (rng.integers(-3, 4, (500, 240)) @ ROOTS / 2).astype(np.float32)
    assert in_e8(points).all() and np.array_equal(lattice.nearest_e8(points), points)
    assert np.array_equal(lattice.nearest_cubic(np.rint(points)), np.rint(points))
    assert np.array_equal(lattice.nearest_d8(2 * points), 2 * points)


def test_just_below_a_half():
    x = np.full((1, 8), np.float32(0.49999997))
    assert lattice.nearest_cubic(x).tolist() == [[0.0] * 8] and np.floor(x + np.float32(0.5)).tolist() == [[1.0] * 8]
    assert lattice.nearest_cubic(-x).tolist() == [[0.0] * 8] and not np.signbit(lattice.nearest_cubic(-x)).any()


def test_every_instruction_set_gives_the_same_bits():
    rng = np.random.default_rng(5)
    for n in [*range(0, 35), 5000]:
        for scale in (1e-40, 1e-3, 1, 1000, 4e5):
            x = np.clip(rng.standard_normal((n, 8)) * scale, -(2.0**21), 2.0**21).astype(np.float32)
            for call in CALLS:
                results = []
                for isa in cpu.available():
                    cpu.force(isa)
                    results.append(call(x).view(np.uint32))
                    cpu.force(None)
                assert all(np.array_equal(results[0], r) for r in results)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("isa", cpu.available())
@pytest.mark.parametrize("place", [(0, 0), (15, 7), (16, 3), (32, 5)])
@pytest.mark.parametrize(
    "bad, error", [(math.nan, NonFiniteError), (math.inf, NonFiniteError), (-math.inf, NonFiniteError), (2.0**21 + 1, RangeError), (-1e30, RangeError)]
)
def test_bad_entries_are_named(call, isa, place, bad, error):
    x = np.zeros((33, 8), np.float32)
    x[place] = x[32, 7] = bad
    cpu.force(isa)
    try:
        with pytest.raises(error, match="^x") as caught:
            call(x)
    finally:
        cpu.force(None)
    assert caught.value.index == place


@pytest.mark.parametrize("call", CALLS)
def test_arguments(call):
    x = np.random.default_rng(6).standard_normal((37, 8)).astype(np.float32)
    expected = call(x)
    out = np.empty_like(x)
    assert call(x, out=out) is out and np.array_equal(out, expected)
    assert np.array_equal(call(np.asfortranarray(x)), expected)
    again = x.copy()
    assert call(again, out=again) is again and np.array_equal(again, expected)
    longer = np.zeros((38, 8), np.float32)
    with pytest.raises(LengthError, match="^out"):
        call(longer[:37], out=longer[1:])
    for wrong, error in ((x.astype(np.float64), DtypeError), (x[:, :7], LengthError), (x.reshape(-1), LengthError), (x.tolist(), DtypeError)):
        with pytest.raises(error, match="^x"):
            call(wrong)
    assert call(np.empty((0, 8), np.float32)).shape == (0, 8)

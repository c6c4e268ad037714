"""Outward rounding, against the ball arithmetic of python-flint at 300 bits and more."""

import math
import random
from fractions import Fraction

import pytest
from flint import arb, ctx, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from gnosis.errors import DtypeError, NegativeError, NonFiniteError, RangeError
from gnosis.numbers import outward

FUNCTIONS = ("exp", "log", "tanh", "atanh", "sqrt")
REFEREE = {"exp": arb.exp, "log": arb.log, "tanh": arb.tanh, "atanh": arb.atanh, "sqrt": arb.sqrt}


def exact(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


def beside(rng, x):
    """x, or a neighbour: one to three floats away, or a tiny rational step."""
    kind = rng.randrange(4)
    if kind < 2:
        value = float(x)
        for _ in range(rng.randrange(4)):
            value = math.nextafter(value, rng.choice((-math.inf, math.inf)))
        return Fraction(value) if math.isfinite(value) else Fraction(x)
    return Fraction(x) + Fraction(rng.choice((-1, 0, 1)), 1 << rng.randrange(40, 400))


def hard(name, rng, n):
    """n arguments where the function is hard to round: near zero, one and the ends of its range, at integers and their halves, near the
    points where the reduction of the argument changes (multiples of log 2, powers of two), at every scale."""
    points = []
    while len(points) < n:
        scale = Fraction(2) ** rng.randint(-1100, 1000)
        x = rng.choice(
            [
                Fraction(rng.random()) * scale,
                Fraction(rng.getrandbits(rng.choice((1, 8, 60, 200))) + 1, rng.getrandbits(rng.choice((1, 8, 60, 200))) + 1),
                Fraction(rng.randint(-40, 40), 2),
                Fraction(rng.randint(1, 60)) * Fraction(math.log(2)) / rng.choice((1, 2)),
                scale,
                1 + Fraction(2) ** -rng.randint(1, 1000),
                1 - Fraction(2) ** -rng.randint(1, 200),
                Fraction(2) ** -rng.randint(0, 1074),
                Fraction(rng.uniform(-745, 710)),
                Fraction(rng.randint(1, 2**26)) ** 2,
            ]
        )
        x = beside(rng, x) * rng.choice((1, 1, -1))
        if name in ("exp", "tanh") and abs(x) > 5000:
            continue
        if name == "log" and x <= 0 or name == "sqrt" and x < 0 or name == "atanh" and not -1 < x < 1:
            continue
        points.append(x)
    return points


def faults(name, function, n, seed, bits=outward.BITS):
    """Arguments whose enclosure misses the value, or is wider than it says."""
    rng, wrong = random.Random(f"{name} {seed}"), 0
    for x in hard(name, rng, n):
        low, high = function(x)
        ctx.prec = 300 + bits + 2 * (x.numerator.bit_length() + x.denominator.bit_length()) + (4 * int(abs(x)) if name == "tanh" else 0)
        value = REFEREE[name](exact(x))
        encloses = exact(low) <= value and value <= exact(high)
        if not encloses and low == high:  # a rational value: the ball cannot be compared with its own midpoint
            encloses = value.contains(exact(low).mid()) and rational(name, x) == low
        wrong += not encloses or (high - low) * 2**bits > min(abs(low), abs(high))
    return wrong


def rational(name, x):
    if name == "sqrt":
        return Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
    return {"exp": 1, "log": 0, "tanh": 0, "atanh": 0}[name]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_enclosure_holds_the_value_and_is_narrow(name):
    assert faults(name, getattr(outward, name), 6000, 1) == 0


@pytest.mark.parametrize("bits", [1, 2, 10, 53, 200, 1000])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_at_every_precision(name, bits):
    ctx.prec = 3000
    assert faults(name, lambda x: getattr(outward, name)(x, bits), 60, 2, bits) == 0


@pytest.mark.parametrize("name", FUNCTIONS)
def test_libm_and_a_missing_remainder_are_caught(name):
    def libm(x):
        try:
            value = Fraction(getattr(math, name)(float(x)))
        except (OverflowError, ValueError):
            value = Fraction(0)
        return value, value

    def one_ulp(x):  # what is often taken for safe: the last 64 bits rounded to nearest
        low, high = getattr(outward, name)(x, 300)
        middle = outward.rounded((low + high) / 2, 62, up=False)
        return middle, middle + abs(middle) / 2**70

    assert faults(name, libm, 1000, 3) > 100
    assert faults(name, one_ulp, 1000, 3) > 100


def missed(series):
    """Sums for exp whose upper end lies below the value."""
    ctx.prec = 1000
    return sum(not exact(x).exp() <= exact(series(x, 96)[1]) for x in hard("exp", random.Random(5), 500) if 1 < x < 700)


@given(st.fractions(), st.integers(1, 80))
def test_rounded_lies_on_its_side(x, bits):
    low, high = outward.rounded(x, bits, up=False), outward.rounded(x, bits, up=True)
    assert low <= x <= high and all(r.denominator & (r.denominator - 1) == 0 for r in (low, high)) and (high - low) * 2 ** (bits - 1) <= abs(x)


def test_a_sum_without_its_rest_is_caught():
    assert missed(outward._exp) == 0
    assert missed(lambda x, work: outward._exp(x, work)[:1] * 2) > 100  # rounded down at both ends


@settings(max_examples=150, deadline=None)
@given(st.fractions(min_value=-30, max_value=30), st.fractions(min_value=-30, max_value=30))
def test_products_of_exponentials(a, b):
    x, y, both = outward.exp(a), outward.exp(b), outward.exp(a + b)
    assert x.low * y.low <= both.high and both.low <= x.high * y.high


@settings(max_examples=150, deadline=None)
@given(st.fractions(min_value="1/1000000", max_value=10**6))
def test_inverses(x):
    low, high = outward.log(x)
    assert outward.exp(low).low <= x <= outward.exp(high).high
    t = outward.tanh(x / 10**6 * 3)
    assert outward.atanh(t.low).low <= x / 10**6 * 3 <= outward.atanh(t.high).high
    r = outward.sqrt(x)
    assert r.low**2 <= x <= r.high**2


def test_what_is_rational_is_found():
    assert outward.exp(0) == (1, 1) and outward.log(1) == (0, 0) and outward.tanh(0) == outward.atanh(0) == (0, 0)
    assert outward.sqrt(Fraction(49, 64)) == (Fraction(7, 8), Fraction(7, 8)) and outward.sqrt(0) == (0, 0)


def test_floats_of_an_enclosure_are_outward():
    low, high = outward.exp(1).floats()
    assert low == 2.718281828459045 and high == math.nextafter(low, 3)
    assert outward.exp(1000).floats() == (math.nextafter(math.inf, 0), math.inf)
    assert outward.exp(-1000).floats() == (0.0, 5e-324)


def test_tanh_stays_within_one():
    for x in (20, 33, 34, 10**9, 1e308):
        low, high = outward.tanh(x)
        assert Fraction(99, 100) < low < 1 and high <= 1
        assert outward.tanh(-x) == (-high, -low)


@pytest.mark.parametrize(
    "call, error",
    [
        (lambda: outward.exp(math.nan), NonFiniteError),
        (lambda: outward.log(math.inf), NonFiniteError),
        (lambda: outward.tanh(-math.inf), NonFiniteError),
        (lambda: outward.exp("1"), DtypeError),
        (lambda: outward.sqrt(True), DtypeError),
        (lambda: outward.sqrt(-1), NegativeError),
        (lambda: outward.log(0), RangeError),
        (lambda: outward.log(-1), RangeError),
        (lambda: outward.atanh(1), RangeError),
        (lambda: outward.atanh(-1.5), RangeError),
        (lambda: outward.exp(65537), RangeError),
        (lambda: outward.exp(-1e300), RangeError),
    ],
)
def test_bad_input_is_named(call, error):
    with pytest.raises(error, match="^x = "):
        call()


def test_no_precision_is_an_error():
    with pytest.raises(RangeError, match="^bits = 0"):
        outward.exp(1, 0)

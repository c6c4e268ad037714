"""Levels and risks are read as written."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis.errors import DtypeError, NonFiniteError, RangeError
from gnosis.gates.conformal import rank
from gnosis.numbers.levels import as_text, level, share, whole, written

# (level, scores, rank): products that come out wrong in floating point, by hand
RANKS = [
    ("0.68", 74, 51),
    ("0.9", 9, 9),
    ("0.95", 19, 19),
    ("0.95", 18, 19),
    ("0.99", 48, 49),
    ("0.7", 9, 7),
    ("0.3", 9, 3),
    ("0.56", 24, 14),
    ("0.28", 24, 7),
    ("0.001", 3, 1),
]


def wrong_ranks(rank_of):
    return sum(rank_of(read(q), n) != k for q, n, k in RANKS for read in (str, float, Decimal, Fraction, lambda t: Fraction(t).as_integer_ratio()))


def test_a_float_is_its_shortest_decimal():
    assert wrong_ranks(lambda q, n: rank(n, q)) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda q, n: math.ceil((n + 1) * float(Fraction(*q) if isinstance(q, tuple) else Fraction(q))),  # a float product decides
        lambda q, n: math.ceil((n + 1) * (Fraction(q) if isinstance(q, float) else level(q, "q"))),  # the float as a dyadic
        lambda q, n: math.ceil(n * level(q, "q")),  # the plus one lost
        lambda q, n: min(n, math.ceil((n + 1) * level(q, "q"))),  # clamped
    ],
    ids=["float product", "dyadic", "no plus one", "clamped"],
)
def test_a_wrong_reading_is_caught(wrong):
    assert wrong_ranks(wrong) > 0


def test_both_readings():
    assert rank(74, 0.68) == 51 and rank(74, Fraction(0.68)) == 52  # .68 is a little above 68/100 as a dyadic
    assert rank(9, 0.9) == 9 and rank(9, Fraction(0.9)) == 10  # ten of nine scores: no threshold
    assert level(0.68, "q") == Fraction(17, 25) != Fraction(0.68)


@pytest.mark.parametrize(
    "value",
    [
        0.68,
        "0.68",
        " .68 ",
        "68e-2",
        "17/25",
        (17, 25),
        (68, 100),
        Decimal("0.68"),
        Fraction(17, 25),
        np.float64(0.68),
        np.float32(0.68),
        np.float16(0.68),
        np.array(0.68),
        (np.int64(17), np.int32(25)),
    ],
)
def test_one_level_in_every_form(value):
    assert level(value, "q") == Fraction(17, 25)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12, min_value=0, max_value=1))
def test_decimals_survive_as_text_and_number(value):
    assert written(value, "q") == written(str(value), "q") == Fraction(value)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_is_the_decimal_that_python_shows(value):
    assert written(value, "q") == Fraction(repr(value)) and float(written(value, "q")) == value


@pytest.mark.parametrize(
    "value, error",
    [
        (0, RangeError),
        (1, RangeError),
        (0.0, RangeError),
        (1.0, RangeError),
        (-0.05, RangeError),
        (1.05, RangeError),
        ("1e0", RangeError),
        (95, RangeError),
        (math.nan, NonFiniteError),
        (math.inf, NonFiniteError),
        ("nan", NonFiniteError),
        ("-Infinity", NonFiniteError),
        (Decimal("NaN"), NonFiniteError),
        (np.float32("inf"), NonFiniteError),
        ((1, 0), RangeError),
        ((1, -2), RangeError),
        ("1/0", RangeError),
        ("1e-9999", RangeError),
        (Decimal("1e-999999999"), RangeError),
        ("0." + "3" * 5000, RangeError),
        (True, DtypeError),
        (None, DtypeError),
        ("95%", DtypeError),
        ("0,95", DtypeError),
        ("", DtypeError),
        ("٠.٩", DtypeError),
        ("1_0e-2", DtypeError),
        ((0.5, 1), DtypeError),
        ([1, 2], DtypeError),
        ((1, 2, 3), DtypeError),
        ((True, 2), DtypeError),
        (0.5 + 0j, DtypeError),
        (np.longdouble(0.5), DtypeError),
        (np.array([0.5]), DtypeError),
    ],
    ids=repr,
)
def test_what_is_no_level_is_named(value, error):
    with pytest.raises(error, match="^q "):
        level(value, "q")


def test_a_share_may_be_nothing_or_all():
    assert share(0, "s") == 0 and share("1", "s") == 1
    with pytest.raises(RangeError, match="^s = 1.5"):
        share(1.5, "s")


@pytest.mark.parametrize("value, error", [(3.0, DtypeError), (True, DtypeError), ("3", DtypeError), (-1, RangeError), (np.float64(2), DtypeError)])
def test_a_count_is_whole(value, error):
    assert whole(np.int16(3), "n") == 3
    with pytest.raises(error, match="^n = "):
        whole(value, "n")


def test_what_is_written_is_read_again():
    for value in (Fraction(17, 25), Fraction(-3), Fraction(1, 10**3990)):
        assert written(as_text(value, "x"), "x") == value
    for value in (Fraction(1, 10**3998), Fraction(1, 10**4400), Fraction(10**10000)):
        with pytest.raises(RangeError, match="^x"):
            as_text(value, "x")

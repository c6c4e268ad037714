"""Floats as exact numbers, and float bounds of exact numbers."""

import math
import pickle
from decimal import Decimal
from fractions import Fraction

import floatenv
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis import errors
from gnosis.numbers import bounds, exact
from gnosis.verdict import Verdict

WORDS = {np.float16: np.uint16, np.float32: np.uint32, np.float64: np.uint64}
fractions = st.fractions(max_denominator=10**30) | st.builds(lambda m, e: m * Fraction(2) ** e, st.integers(-(2**70), 2**70), st.integers(-1200, 1200))


def patterns(dtype, rng, n=400):
    """Floats of every kind: random bits, both ends of the range, subnormals, zeros of both signs, neighbours of one."""
    word = WORDS[dtype]
    raw = rng.integers(0, np.iinfo(word).max, n, dtype=word, endpoint=True).view(dtype)
    info = np.finfo(dtype)
    special = np.array(
        [0.0, -0.0, info.smallest_subnormal, -info.smallest_subnormal, info.tiny, info.max, -info.max, 1, 1 + info.eps, 1 - info.epsneg, 0.1], dtype
    )
    return np.concatenate([raw[np.isfinite(raw)], special])


def wrong_entries(convert, dtype):
    """How many float patterns `convert` (array → integers and unit) does not give back exactly, one by one and as tiles."""
    rng = np.random.default_rng(7)
    values = patterns(dtype, rng)
    wrong = 0
    for tile in [values[i : i + 1] for i in range(len(values))] + [rng.choice(values, 8) for _ in range(200)]:
        ints, unit = convert(tile)
        truth = [Fraction(float(v)) for v in tile]
        wrong += [n * unit for n in ints] != truth
        # one power of two for the whole tile, and no larger one would do
        wrong += not (unit.numerator.bit_count() == unit.denominator.bit_count() == 1)
        wrong += any(ints) and all(n % 2 == 0 for n in ints)
    return wrong


@pytest.mark.parametrize("dtype", WORDS)
def test_a_tile_of_floats_is_integers_times_a_power_of_two(dtype):
    assert wrong_entries(lambda tile: exact.integers(tile, "x"), dtype) == 0


@pytest.mark.parametrize(
    "spoil",
    [
        lambda tile: tile.astype(np.float32) if tile.dtype == np.float64 else tile.astype(np.float16),  # narrower
        lambda tile: np.where(abs(tile) < np.finfo(tile.dtype).tiny, 0, tile).astype(tile.dtype),  # subnormals lost
        lambda tile: abs(tile),  # signs lost
    ],
    ids=["narrowed", "flushed", "unsigned"],
)
def test_a_lossy_conversion_is_caught(spoil):
    with np.errstate(over="ignore"):
        assert wrong_entries(lambda tile: exact.integers(np.nan_to_num(spoil(tile), posinf=0, neginf=0), "x"), np.float32) > 0


def test_a_unit_that_is_not_common_is_caught():
    def finer(tile):
        ints, unit = exact.integers(tile, "x")
        return [2 * n for n in ints], unit / 2

    assert wrong_entries(finer, np.float32) > 0


def test_conversion_does_not_depend_on_the_environment():
    tile = np.array([5e-324, 2.0**-1050, -1.5, 2.0**-1022])
    small = np.array([2.0**-149, 1.0], np.float32)
    truth = exact.integers(tile, "x"), exact.integers(small, "x")
    with floatenv.flushing(floatenv.FTZ | floatenv.DAZ):
        flushed = exact.integers(tile, "x"), exact.integers(small, "x"), exact.number(small[0], "x")
    assert flushed == (*truth, Fraction(1, 2**149))


@given(st.lists(st.integers() | st.floats(allow_nan=False, allow_infinity=False) | fractions, max_size=6))
def test_sequences_of_any_exact_numbers(values):
    ints, unit = exact.integers(values, "x")
    assert [n * unit for n in ints] == [Fraction(v) for v in values] and unit > 0


@given(st.lists(fractions, min_size=1, max_size=4), st.lists(fractions, min_size=1, max_size=4))
def test_together(left, right):
    (a, b), unit = exact.together(exact.integers(left, "a"), exact.integers(right, "b"))
    assert [n * unit for n in a] == left and [n * unit for n in b] == right


@pytest.mark.parametrize(
    "value, truth",
    [
        (3, Fraction(3)),
        (0.1, Fraction(0.1)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.1"), Fraction(1, 10)),
        (np.float32(0.1), Fraction(float(np.float32(0.1)))),
        (np.float16(6e-8), Fraction(1, 2**24)),
        (np.int8(-3), Fraction(-3)),
        (np.uint64(2**64 - 1), Fraction(2**64 - 1)),
        (np.array(2.5), Fraction(5, 2)),
        (-0.0, Fraction(0)),
        (10**400, Fraction(10**400)),
    ],
)
def test_number(value, truth):
    assert exact.number(value, "x") == truth


@pytest.mark.parametrize("value", [True, np.True_, "1", b"1", 1j, None, np.longdouble(1), np.complex64(1), [1], np.ones(2), object()])
def test_what_is_no_number(value):
    with pytest.raises(errors.DtypeError, match="^gamma"):
        exact.number(value, "gamma")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float16(np.nan), np.float32(np.inf), Decimal("NaN"), Decimal("-Infinity")])
def test_what_is_not_finite(value):
    with pytest.raises(errors.NonFiniteError, match="^gamma = -?(nan|inf|Dec)"):
        exact.number(value, "gamma")
    with pytest.raises(errors.NonFiniteError, match=r"^row\[1\]"):
        exact.integers([1, value], "row")


@pytest.mark.parametrize("dtype", [*WORDS, ">f4", ">f8"])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_non_finite_entries_are_named(dtype, bad):
    tile = np.ones(9, dtype)
    tile[5] = tile[7] = bad
    with pytest.raises(errors.NonFiniteError) as caught:
        exact.integers(tile, "row")
    assert caught.value.index == 5 and caught.value.argument == "row" and str(caught.value).startswith("row[5] = ")
    with pytest.raises(errors.NonFiniteError) as caught:
        bounds.enclosures(tile.reshape(3, 3), "rows")
    assert caught.value.index == (1, 2)


def test_other_arrays():
    assert exact.integers(np.array([1, -2], np.int16), "x") == ([1, -2], 1)
    assert exact.integers(np.array([2**64 - 1], np.uint64), "x") == ([2**64 - 1], 1)
    assert exact.integers(np.array([1.5, -3], ">f4"), "x") == ([3, -6], Fraction(1, 2))
    assert exact.integers(np.array([Fraction(1, 3), 2], object), "x") == ([1, 6], Fraction(1, 3))
    assert exact.integers(np.zeros(0), "x")[0] == [] and exact.integers([], "x") == ([], 1)
    for wrong in (np.ones(2, bool), np.ones(2, complex), np.ones(2, np.longdouble), np.array(["a"]), "12", b"12", 5, None):
        with pytest.raises(errors.DtypeError, match="^x"):
            exact.integers(wrong, "x")
    for wrong in (np.ones((2, 2)), np.array(1.0)):
        with pytest.raises(errors.LengthError, match="^x"):
            exact.integers(wrong, "x")


@pytest.mark.parametrize("value", ["1e99999999", "-1e99999999", "1e-99999999", "1" * 4001])
def test_a_decimal_that_nobody_typed_is_out_of_range(value):
    with pytest.raises(errors.RangeError, match="^x"):
        exact.number(Decimal(value), "x")
    with pytest.raises(errors.RangeError, match=r"^x\[1\]"):
        exact.integers([1, Decimal(value)], "x")


@pytest.mark.parametrize(
    "value, shown",
    [
        (Fraction(-1, 10**5000), "a negative fraction of 1 over 16610 bits"),
        (10**5000, "an integer of 16610 bits"),
        ([10**5000], "a list with a number too long to show"),
        (Fraction(1, 3), "Fraction(1, 3)"),
    ],
    ids=["fraction", "integer", "list", "third"],
)
def test_every_value_can_be_shown(value, shown):
    assert str(errors.RangeError("x", value, "too far")) == f"x = {shown}: too far"


def test_a_verdict_is_neither_true_nor_false():
    with pytest.raises(TypeError, match="admit"):
        bool(Verdict(False, None, "none"))


def test_masks():
    assert exact.mask(np.array([True, False]), "S") == exact.mask([np.True_, False], "S") == [True, False]
    for wrong in ([1, 0], np.array([1, 0]), "TF", 3, [True, None]):
        with pytest.raises(errors.DtypeError, match="^S"):
            exact.mask(wrong, "S")


def test_errors_carry_their_parts():
    error = errors.NonFiniteError("scores", math.nan, (2, 3))
    assert str(error) == "scores[2, 3] = nan: not a finite number" and isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is errors.NonFiniteError and str(again) == str(error) and again.index == (2, 3)
    assert len(str(errors.RangeError("x", "y" * 10**6, "too long"))) < 200
    assert "bits" in str(errors.RangeError("x", 10**5000, "too large"))


# ---- bounds ----


def unsound(enclose, samples):
    """How many exact numbers lie outside the float64 interval that `enclose` gives."""
    count = 0
    for x in samples:
        low, high = enclose(x)
        count += not ((low == -math.inf or Fraction(low) <= x) and (high == math.inf or x <= Fraction(high)))
    return count


SAMPLES = [Fraction(n, d) * Fraction(2) ** e for n in (0, 1, -1, 2**53 + 1, -(2**53) - 1, 7) for d in (1, 3, 10) for e in (0, -1074, -1060, 900, 1100, -1200)]


def test_enclose():
    assert unsound(bounds.enclose, SAMPLES) == 0
    for x in SAMPLES:
        low, high = bounds.enclose(x)
        assert high <= math.nextafter(low, math.inf) and (low == high) == (math.isfinite(low) and math.isfinite(high) and Fraction(low) == x)


def test_enclosing_by_the_nearest_float_is_caught():
    def nearest(x):
        try:
            return float(x), float(x)
        except OverflowError:
            return -math.inf, math.inf

    assert unsound(nearest, SAMPLES) > 0


@given(st.lists(fractions | st.integers(-(2**60), 2**60), min_size=1, max_size=5))
def test_enclosures(values):
    low, high = bounds.enclosures(values, "x")
    for i, v in enumerate(values):
        assert unsound(lambda _: (float(low[i]), float(high[i])), [Fraction(v)]) == 0


def test_enclosures_of_arrays():
    for array in (np.array([0.1, -3], np.float32), np.array([5e-324]), np.array([1, 2]), np.array([[1.5]], np.float16)):
        low, high = bounds.enclosures(array, "x")
        assert low is high and low.dtype == np.float64 and low.shape == array.shape
    low, high = bounds.enclosures(np.array([2**63 - 1, 3]), "x")
    assert [int(low[0]) < 2**63 - 1 < int(high[0]), low[1], high[1]] == [True, 3, 3]
    for wrong in (np.array([True]), np.array(["a"])):
        with pytest.raises(errors.DtypeError, match="^x"):
            bounds.enclosures(wrong, "x")


def energy_misses(energies):
    """Rows whose exact energy is outside the bounds, over scales from subnormal to near overflow."""
    rng = np.random.default_rng(3)
    misses = 0
    for scale in (1, 2.0**-537, 2.0**-540, 5e-324, 1e154, 1e300):
        for m in (1, 3, 64):
            with np.errstate(under="ignore"):
                rows = rng.standard_normal((40, m)) * scale
            low, high = energies(rows)
            for i, row in enumerate(rows):
                truth = sum(Fraction(v) ** 2 for v in row.tolist())
                misses += not (Fraction(low[i]) <= truth and (high[i] == math.inf or truth <= Fraction(high[i])))
    return misses


def test_energies_are_enclosed():
    assert energy_misses(lambda rows: bounds.energies(rows, "rows")) == 0


def test_plain_float_energies_are_caught():
    def plain(rows):
        with np.errstate(over="ignore", under="ignore"):
            s = (rows * rows).sum(axis=1)
        return np.where(np.isfinite(s), s, 0), s

    assert energy_misses(plain) > 0

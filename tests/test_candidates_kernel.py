"""Candidates and argmax: the kernel against exact integers, no candidate lost, planted faults."""

import array
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis.core import cpu
from gnosis.core import margin as kernel
from gnosis.errors import DtypeError, EmptyError, LengthError, NegativeError, NonFiniteError
from gnosis.gates import margin as gates
from gnosis.numbers.exact import integers, together

INT = (-(2**63), 2**63 - 1)


@pytest.fixture(params=cpu.available())
def isa(request):
    cpu.force(request.param)
    yield request.param
    cpu.force(None)


def exact(z, eps):
    """`Gnosis.candidates` of the numbers that the entries exactly are."""
    (a, b), _ = together(integers(z, "z"), integers(eps, "eps"))
    return gates.candidates(a, b)


def rows(rng):
    """Scores and bounds at which rounding decides: ties to the last bit, sums that lose bits, both ends of each type, zeros of both signs."""
    for dtype in (np.float64, np.float32):
        info = np.finfo(dtype)
        ulp, most, least = float(info.eps), float(info.max), float(info.smallest_subnormal)
        for n in (1, 2, 3, 15, 16, 17, 40, 300):
            z = rng.standard_normal(n).astype(dtype)
            yield z, rng.random(n).astype(dtype)
            yield z, np.zeros(n, dtype)
            yield z, -np.zeros(n, dtype)
            # sums within a few ulps of each other that no float of the type tells apart
            base = dtype(rng.choice([1.0, 3.0, 1e10, 2.0**-140 if dtype == np.float32 else 2.0**-1040]))
            fine = base * dtype(ulp) * rng.integers(-3, 4, n).astype(dtype)
            yield (base + fine).astype(dtype), np.abs(fine * rng.choice([0.25, 0.5, 1.0], n).astype(dtype))
            yield (base + rng.choice([0, ulp * float(base)], n)).astype(dtype), (ulp * float(base) * rng.choice([0, 0.25, 0.5, 0.5 + ulp, 1], n)).astype(dtype)
            # bounds larger than the scores, and sums that all round to about the same number
            wide = (float(base) * 4 * rng.random(n)).astype(dtype)
            yield np.where(rng.random(n) < 0.5, base - wide, base + wide).astype(dtype), wide
            yield np.full(n, base), (float(base) * ulp * rng.random(n) / 2).astype(dtype)
            yield rng.choice([-0.0, 0.0, -1.0], n).astype(dtype), rng.choice([-0.0, 0.0], n).astype(dtype)
            small = (rng.integers(-4, 5, n) * least).astype(dtype)
            yield small, np.abs((rng.integers(0, 4, n) * least).astype(dtype))
            ends = rng.choice([most, -most, most / 2, -most / 2, 1.0, 0.0], n).astype(dtype)
            yield ends, np.abs(rng.choice([most, most * ulp / 4, most * ulp / 2, 0.0, least], n).astype(dtype))
            yield np.full(n, -most, dtype), np.full(n, most, dtype)
            yield -np.abs(ends), np.abs(rng.choice([most, most / 2], n).astype(dtype))
    for n in (1, 2, 3, 7, 8, 9, 40, 300):
        yield rng.integers(-9, 10, n), rng.integers(0, 5, n)
        yield rng.integers(*INT, n, endpoint=True), rng.integers(0, INT[1], n, endpoint=True)
        yield rng.choice([*INT, 0, 1], n), rng.choice([0, 1, INT[1]], n)
        yield np.full(n, INT[0]), rng.choice([0, 1, INT[1]], n)


def faults(candidates):
    """(candidates lost, indices that are none) over all rows."""
    lost = extra = 0
    for z, eps in (pair for seed in range(3) for pair in rows(np.random.default_rng(seed))):
        found, wanted = set(np.asarray(candidates(z, eps)).tolist()), set(exact(z, eps))
        lost += len(wanted - found)
        extra += len(found - wanted)
    return lost, extra


def test_the_kernel_is_exact(isa):
    assert faults(kernel.candidates) == (0, 0)


def plain(z, eps):
    return np.flatnonzero(z + eps >= (z - eps).max())


@pytest.mark.parametrize(
    "wrong",
    [
        plain,  # rounding loses ties
        lambda z, eps: np.flatnonzero(z + eps > (z - eps).max()),
        lambda z, eps: np.flatnonzero(z >= (z - eps).max()),
        lambda z, eps: np.flatnonzero(z + eps.max() >= (z - eps).max()) if eps.max() < 1 else [],
        lambda z, eps: plain(z.astype(np.float32), eps.astype(np.float32)),
    ],
    ids=["rounded", "strict", "one bound", "overflow", "float32"],
)
def test_lost_candidates_are_caught(wrong):
    with np.errstate(all="ignore"):
        assert faults(wrong)[0] > 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda z, eps: np.flatnonzero(np.nextafter(z.astype(float) + eps, np.inf) >= np.nextafter(z.astype(float) - eps, -np.inf).max()),
        lambda z, eps: range(len(z)),
    ],
    ids=["rounded outward", "every index"],
)
def test_more_than_the_candidates_is_caught(wrong):
    with np.errstate(all="ignore"):
        assert faults(wrong)[1] > 0


finite = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(st.tuples(finite, finite.map(abs)), min_size=1, max_size=40))
def test_the_kernel_is_the_reference_on_floats(pairs):
    z, eps = (np.array(side) for side in zip(*pairs))
    assert kernel.candidates(z, eps).tolist() == exact(z, eps)


@given(st.lists(st.tuples(st.integers(*INT), st.integers(0, INT[1])), max_size=40))
def test_the_kernel_is_the_reference_on_integers(pairs):
    z, eps = (np.array([pair[i] for pair in pairs], np.int64) for i in (0, 1))
    assert kernel.candidates(z, eps).tolist() == gates.candidates(z.tolist(), eps.tolist())


def test_a_true_maximiser_is_always_a_candidate():
    """What the candidates are for: move every score within its bound, and the winner is among them."""
    rng = np.random.default_rng(8)
    for _ in range(300):
        n = int(rng.integers(1, 60))
        z, eps = rng.standard_normal(n).astype(np.float32), (rng.random(n) * rng.choice([0, 1e-8, 0.1, 2])).astype(np.float32)
        moved = [Fraction(float(x)) + Fraction(float(e)) * Fraction(int(rng.integers(-8, 9)), 8) for x, e in zip(z, eps)]
        winners = {j for j, x in enumerate(moved) if x == max(moved)}
        assert winners <= set(kernel.candidates(z, eps).tolist())


def test_long_rows(isa):
    """More entries than blocks; candidates, ties and the fault in any block."""
    rng = np.random.default_rng(9)
    n = 300_000
    for dtype in kernel.DTYPES:
        z, eps = (rng.standard_normal(n) * 1000).astype(dtype), (rng.random(n) * 300).astype(dtype)
        z[[5, 123_456, n - 1]] = z.max() + 7
        found, wide = kernel.candidates(z, eps), z.astype(np.longdouble)
        assert np.array_equal(found, np.flatnonzero(wide + eps >= (wide - eps).max())) and len(found) > 3
        assert kernel.argmax(z) == 5
        assert np.array_equal(kernel.candidates(z, np.full(n, 10_000, dtype)), np.arange(n))
        if dtype != np.int64:
            z[250_001] = z[280_000] = np.nan
            for call in (lambda: kernel.candidates(z, eps), lambda: kernel.argmax(z)):
                with pytest.raises(NonFiniteError, match=r"^z\[250001\]"):
                    call()


# ---- argmax ----


def argmax_faults(argmax):
    rng = np.random.default_rng(10)
    return sum(argmax(z) != gates.argmax(integers(z, "z")[0]) for z, _ in rows(rng))


def test_argmax_is_the_reference(isa):
    assert argmax_faults(kernel.argmax) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda z: len(z) - 1 - int(np.argmax(z[::-1])),
        lambda z: int(np.argmin(z)),
        lambda z: int(np.argmax(z.astype(np.float32))),
        lambda z: int(np.lexsort((-np.arange(len(z)), np.signbit(z) == 0, z))[-1]),
    ],
    ids=["last", "least", "float32", "zeros apart"],
)
def test_a_wrong_argmax_is_caught(wrong):
    with np.errstate(all="ignore"):
        assert argmax_faults(wrong) > 0


# ---- arguments ----


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 15, 16, 33, 299, 700])
def test_what_is_not_finite_is_named(isa, dtype, bad, place):
    for name, others in (("z", 1.0), ("eps", 1.0), ("z", np.finfo(dtype).max), ("eps", np.finfo(dtype).max)):
        inputs = {"z": np.full(701, others, dtype), "eps": np.full(701, others, dtype)}
        inputs[name][place] = bad
        with pytest.raises(NonFiniteError) as caught:
            kernel.candidates(**inputs)
        assert (caught.value.argument, caught.value.index) == (name, place)
        if name == "z":
            with pytest.raises(NonFiniteError, match=rf"^z\[{place}\]"):
                kernel.argmax(inputs["z"])


@pytest.mark.parametrize("dtype, negative", [(np.float64, -5e-324), (np.float32, -1e-45), (np.int64, -1), (np.int64, INT[0])])
@pytest.mark.parametrize("place", [0, 16, 40])
def test_a_negative_bound_is_named(isa, dtype, negative, place):
    eps = np.ones(41, dtype)
    eps[place] = negative
    with pytest.raises(NegativeError, match=rf"^eps\[{place}\]"):
        kernel.candidates(np.zeros(41, dtype), eps)


Z = np.arange(4.0)


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: kernel.candidates(Z, Z[:3]), LengthError, "eps has shape"),
        (lambda: kernel.candidates(Z, Z.astype(np.float32)), DtypeError, "eps = 'float32'"),
        (lambda: kernel.candidates(Z.astype(np.float16), Z), DtypeError, "z = 'float16'"),
        (lambda: kernel.candidates([1.0], [0.0]), DtypeError, "z"),
        (lambda: kernel.candidates(Z[None], Z[None]), LengthError, "z has shape"),
        (lambda: kernel.candidates(Z, Z, out=np.empty(4)), DtypeError, "out"),
        (lambda: kernel.candidates(Z, Z, out=np.empty(3, np.int64)), LengthError, "out"),
        (lambda: kernel.candidates(Z.astype(np.int64), np.zeros(4, np.int64), out=np.empty(8, np.int64)[::2]), LengthError, "out"),
        (lambda: kernel.argmax(np.empty(0)), EmptyError, "z"),
        (lambda: kernel.argmax(Z > 1), DtypeError, "z = 'bool'"),
    ],
)
def test_bad_arguments_are_named(call, error, name):
    with pytest.raises(error, match=f"^{name}"):
        call()


def test_any_buffer_and_an_array_of_ones_own():
    out = np.empty(4, np.int64)
    found = kernel.candidates(Z, np.ones(4), out=out)
    assert found.tolist() == [1, 2, 3] and np.shares_memory(found, out)
    assert kernel.candidates(array.array("f", [1, 2]), array.array("f", [0, 0])).tolist() == [1]
    assert kernel.candidates(np.empty(0), np.empty(0)).tolist() == []
    assert kernel.candidates(Z[::2], np.zeros(8)[::4]).tolist() == [1]
    assert kernel.argmax(memoryview(array.array("q", [3, 9, 9]))) == 1

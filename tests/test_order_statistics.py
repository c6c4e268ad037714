"""Order statistics: the kernel against sorting exact numbers, shards against one process, planted faults."""

import array
import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gnosis.core import conformal as kernel
from gnosis.core import cpu
from gnosis.errors import DtypeError, LengthError, NonFiniteError, RangeError
from gnosis.gates import conformal as gates

LENGTHS = (1, 2, 7, 63, 64, 65, 66, 100, 127, 257, 1000, 5000)  # around what one vector, one sample, one small case takes


def same(x, y):
    """Equal, and of the same sign when both are zero."""
    return type(x) is type(y) and x == y and (isinstance(x, int) or math.copysign(1, x) == math.copysign(1, y))


@pytest.fixture(params=cpu.available())
def isa(request):
    cpu.force(request.param)
    yield request.param
    cpu.force(None)


def samples(dtype, n, rng):
    """Scores of many shapes: scattered, tied, ordered, of every magnitude, zeros of both signs, at the ends of the type."""
    if dtype == np.int64:
        ends = np.array([-(2**63), 2**63 - 1, 0, -1])
        yield rng.integers(-(2**63), 2**63 - 1, n, endpoint=True)
        yield rng.choice(ends, n)
    else:
        ends = np.array([np.finfo(dtype).max, -np.finfo(dtype).max, np.finfo(dtype).smallest_subnormal, -np.finfo(dtype).smallest_subnormal, 0.0, -0.0])
        bits = {np.float64: np.uint64, np.float32: np.uint32}[dtype]
        anything = rng.integers(0, np.iinfo(bits).max, n, bits, endpoint=True).view(dtype)
        yield np.where(np.isfinite(anything), anything, dtype(0.5))
        yield rng.choice(ends, n).astype(dtype)
        yield np.full(n, -0.0, dtype)
    normal = rng.standard_normal(n)
    for x in (normal, np.sort(normal), -np.sort(-normal), rng.integers(-2, 3, n), np.where(rng.random(n) < 0.9, 0.0, normal), 100 + np.round(normal)):
        yield (x * 1000).astype(dtype)


def disagreements(kth, dtypes=kernel.DTYPES):
    """How often `kth` differs from the entry of the sorted exact numbers."""
    rng = np.random.default_rng(3)
    wrong = 0
    for dtype in dtypes:
        for n in LENGTHS:
            for x in samples(dtype, n, rng):
                exact = sorted(x.tolist())
                for k in {1, 2, n, n - 1, (n + 1) // 2, -(-9 * (n + 1) // 10), int(rng.integers(1, n + 1))}:
                    if 1 <= k <= n:
                        wanted = exact[k - 1] + (0 if dtype == np.int64 else 0.0)  # without the sign of a zero
                        wrong += not same(kth(x, k), wanted)
    return wrong


def test_the_kernel_is_the_sorted_entry(isa):
    assert disagreements(kernel.kth_smallest) == 0


def test_counting_digits_is_the_sorted_entry(isa):
    assert disagreements(kernel._kth_by_digits) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x, k: np.sort(x)[k - 2].item(),
        lambda x, k: np.sort(x)[-k].item(),
        lambda x, k: np.sort(x.astype(np.float32))[k - 1].astype(x.dtype).item(),
        lambda x, k: np.quantile(x.astype(float), k / len(x)).astype(x.dtype).item(),
        lambda x, k: np.unique(x)[min(k, len(np.unique(x))) - 1].item(),
        lambda x, k: np.partition(x, k - 1)[k - 1].item(),  # leaves the sign of a zero
    ],
    ids=["one off", "from above", "rounded", "interpolated", "without ties", "signed zeros"],
)
def test_a_wrong_statistic_is_caught(wrong):
    with np.errstate(all="ignore"):
        assert disagreements(wrong) > 0


def sample_places(n):
    """Where conformal.c looks for its pivots."""
    size = min(int(np.cbrt(float(n) * n)), 4096) // 8 * 8
    stride, word = n // (size // 8), (1 << 64) - 1
    for j in range(size // 8):
        x = (j + 1) * 0x9E3779B97F4A7C15 & word
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & word
        at = j * stride + (x ^ x >> 27) % (stride - 7)
        yield from range(at, at + 8)


@pytest.mark.parametrize("n", [66, 300, 5000, 70_000])
@pytest.mark.parametrize("there", [-1e6, 0.5, 1e6])
def test_a_sample_that_misleads_changes_nothing(isa, n, there):
    """All that the kernel looks at first says one thing, and the other scores another."""
    x = np.random.default_rng(n).standard_normal(n)
    x[list(sample_places(n))] = there
    exact = np.sort(x)
    for k in (1, n // 3, n // 2, n - n // 10, n):
        assert kernel.kth_smallest(x, k) == exact[k - 1]


@pytest.mark.parametrize("n", [66, 300, 5000, 70_000])
def test_a_sample_that_misleads_among_neighbours(isa, n):
    """Whole numbers without gaps: the ones next to a pivot that missed are the easiest to lose."""
    for share in (0.01, 0.3, 0.5, 0.9, 0.999):
        x = np.random.default_rng(n).permutation(n)
        pivot = int(share * n)
        x[list(sample_places(n))] = pivot
        exact = np.sort(x)
        low, high = int((x < pivot).sum()), int((x <= pivot).sum())
        for k in {1, low - 2, low - 1, low, low + 1, high, high + 1, high + 2, high + 3, n}:
            if 1 <= k <= n:
                assert kernel.kth_smallest(x, k) == exact[k - 1]


@given(st.lists(st.integers(-40, 40), max_size=200), st.integers(0, 220), st.sampled_from(kernel.DTYPES))
def test_the_kernel_is_the_reference(scores, k, dtype):
    assert kernel.kth_smallest(np.array(scores, dtype), k) == gates.kth_smallest(k, scores)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False) | st.floats(-1, 1, width=32).map(float), min_size=1, max_size=300), st.data())
def test_the_kernel_is_the_reference_on_floats(scores, data):
    k = data.draw(st.integers(1, len(scores)))
    assert Fraction(kernel.kth_smallest(np.array(scores), k)) == gates.kth_smallest(k, [Fraction(x) for x in scores])


@pytest.mark.parametrize("k, n", [(0, 5), (6, 5), (2**62, 5), (0, 0), (1, 0)])
def test_no_threshold_without_the_rank(k, n):
    assert kernel.kth_smallest(np.arange(float(n)), k) is None
    with pytest.raises(TypeError):  # and what is None is not below any margin
        bool(2 * kernel.kth_smallest(np.arange(float(n)), k) <= 1e9)


# ---- the largest, and shards ----


def test_largest_is_the_end_of_the_sorted(isa):
    rng = np.random.default_rng(4)
    for dtype in kernel.DTYPES:
        for n in LENGTHS:
            for x in samples(dtype, n, rng):
                for m in {1, n, (n + 1) // 2, int(rng.integers(1, n + 1)), n + 3}:
                    kept = kernel.largest(x, m)
                    assert kept.dtype == dtype and np.array_equal(kept, np.sort(x)[max(0, n - m) :])
                    assert dtype == np.int64 or not np.signbit(kept[kept == 0]).any()


def shard_disagreements(combine):
    """How often shards that keep `keep` scores give another threshold than all scores together, or give none."""
    rng = np.random.default_rng(5)
    wrong = 0
    for dtype in kernel.DTYPES:
        for n, keep, shards in ((1, 1, 1), (40, 7, 3), (900, 90, 4), (900, 900, 5), (30_000, 3000, 7), (30_000, 20, 30)):
            for x in samples(dtype, n, rng):
                parts = np.array_split(x, np.sort(rng.integers(0, n + 1, shards - 1)))
                for k in {n, n + 1 - min(keep, n), n + 1 - int(rng.integers(1, min(keep, n) + 1))}:
                    wrong += not same(combine(parts, keep, k), kernel.kth_smallest(x, k))
    return wrong


def one_stream(parts, keep, k):
    stream = kernel.Largest(keep, parts[0].dtype)
    for part in parts:
        stream.add(part)
    return stream.kth_smallest(k)


def tree(parts, keep, k):
    """Each shard on its own, sent as a pickle, merged in pairs and from behind."""
    streams = []
    for part in parts:
        streams.append(kernel.Largest(keep, part.dtype))
        streams[-1].add(part)
    streams = [pickle.loads(pickle.dumps(stream)) for stream in streams]
    while len(streams) > 1:
        streams = [streams[-1].merge(streams[0]), *streams[1:-1]]
    return streams[0].kth_smallest(k)


@pytest.mark.parametrize("combine", [one_stream, tree])
def test_shards_give_the_threshold_of_one_process(isa, combine):
    assert shard_disagreements(combine) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        lambda parts, keep, k: one_stream([np.unique(part) for part in parts], keep, min(k, sum(len(np.unique(part)) for part in parts))),
        lambda parts, keep, k: one_stream(
            [part[: max(1, len(part) - 1)] for part in parts], keep, min(k, sum(max(1, len(part) - 1) for part in parts if len(part)))
        ),
        lambda parts, keep, k: (
            np.mean([kernel.kth_smallest(part, max(1, len(part) * k // sum(map(len, parts)))) for part in parts if len(part)]).astype(parts[0].dtype).item()
        ),
    ],
    ids=["ties dropped", "a score lost", "thresholds averaged"],
)
def test_a_wrong_merge_is_caught(wrong):
    with np.errstate(all="ignore"):
        try:
            found = shard_disagreements(wrong)
        except RangeError:
            found = 1
    assert found > 0


@settings(max_examples=60)
@given(st.lists(st.lists(st.floats(-9, 9, width=16), max_size=30), max_size=8), st.integers(1, 40), st.randoms())
def test_order_and_grouping_do_not_matter(shards, keep, random):
    streams = []
    for shard in shards:
        streams.append(kernel.Largest(keep))
        streams[-1].add(np.array(shard, float))
    random.shuffle(streams)
    whole = kernel.Largest(keep)
    for stream in streams:
        whole = whole.merge(stream)
    everything = sorted(x for shard in shards for x in shard)
    assert whole.count == len(everything) and whole.top().tolist() == everything[max(0, len(everything) - keep) :]
    for k in range(len(everything) + 2):
        if len(everything) + 1 - k > keep and k > 0:
            with pytest.raises(RangeError, match=f"^k = {k}: needs the {len(everything) + 1 - k} largest"):
                whole.kth_smallest(k)
        else:
            assert whole.kth_smallest(k) == (everything[k - 1] if 1 <= k <= len(everything) else None)


def test_a_long_stream_takes_little_memory():
    rng = np.random.default_rng(6)
    stream, whole = kernel.Largest(100), []
    for _ in range(300):
        whole.append(rng.standard_normal(1000))
        stream.add(whole[-1])
    assert stream.count == 300_000 and len(stream._held) <= 100 + 4096
    assert np.array_equal(stream.top(), np.sort(np.concatenate(whole))[-100:])
    assert repr(stream) == "Largest(keep=100, dtype=float64, count=300000)"


# ---- arguments ----


@pytest.mark.parametrize("bad", [math.nan, -math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 5, 70, 999, 1000])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_what_is_not_finite_is_named(isa, bad, place, dtype):
    for n in (place + 1, 1001):
        x = np.ones(n, dtype)
        x[place] = bad
        x[-1] = x[-1] if place == n - 1 else math.inf  # the first one counts
        stream = kernel.Largest(3, dtype)
        stream.add(np.zeros(2, dtype))
        for call in (
            lambda: kernel.kth_smallest(x, 1),
            lambda: kernel.kth_smallest(x, n),
            lambda: kernel.kth_smallest(x, n + 1),
            lambda: kernel._kth_by_digits(x, 1),
            lambda: kernel.kth_smallest(x, 0),
            lambda: kernel.largest(x, 2),
            lambda: kernel.largest(x, n),
            lambda: stream.add(x),
        ):
            with pytest.raises(NonFiniteError, match=r"^scores\[") as caught:
                call()
            assert caught.value.index == place
        assert stream.count == 2 and stream.top().tolist() == [0.0, 0.0]  # an error changes nothing


X = np.arange(5.0)


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda: kernel.kth_smallest(X, -1), RangeError, "k = -1"),
        (lambda: kernel.kth_smallest(X, 2.0), DtypeError, "k = 2.0"),
        (lambda: kernel.kth_smallest(X, True), DtypeError, "k = True"),
        (lambda: kernel.kth_smallest([1.0, 2.0], 1), DtypeError, "scores"),
        (lambda: kernel.kth_smallest(X.astype(np.float16), 1), DtypeError, "scores = 'float16'"),
        (lambda: kernel.kth_smallest(X.astype(np.int32), 1), DtypeError, "scores = 'int32': the kernel takes float64, float32 or int64"),
        (lambda: kernel.kth_smallest(X.astype(">f8"), 1), DtypeError, "scores = '>f8'"),
        (lambda: kernel.kth_smallest(X > 2, 1), DtypeError, "scores = 'bool'"),
        (lambda: kernel.kth_smallest(X[None], 1), LengthError, "scores has shape"),
        (lambda: kernel.largest(X, 0), RangeError, "m = 0"),
        (lambda: kernel.largest(X, 2, out=np.empty(3)), LengthError, "out has shape"),
        (lambda: kernel.largest(X, 2, out=np.empty(2, np.float32)), DtypeError, "out"),
        (lambda: kernel.largest(X, 2, out=X[:2]), LengthError, "out has shape .*: shares memory"),
        (lambda: kernel.Largest(0), RangeError, "keep = 0"),
        (lambda: kernel.Largest("3"), DtypeError, "keep = '3'"),
        (lambda: kernel.Largest(3, np.int32), DtypeError, "dtype = 'int32'"),
        (lambda: kernel.Largest(3).add(X.astype(np.float32)), DtypeError, "scores = 'float32'"),
        (lambda: kernel.Largest(3).add(1.0), DtypeError, "scores = 1.0"),
        (lambda: kernel.Largest(3).merge(X), DtypeError, "other"),
        (lambda: kernel.Largest(3).merge(kernel.Largest(4)), RangeError, "other = 4"),
        (lambda: kernel.Largest(3).merge(kernel.Largest(3, np.int64)), DtypeError, "other = 'int64'"),
        (lambda: kernel.Largest(3).kth_smallest(1.5), DtypeError, "k = 1.5"),
        (lambda: kernel.Largest.of(3, 2, X), LengthError, "top has shape"),
        (lambda: kernel.Largest.of(5, 9, np.full(5, np.nan)), NonFiniteError, r"top\[0\]"),
    ],
)
def test_bad_arguments_are_named(call, error, name):
    with pytest.raises(error, match=f"^{name}"):
        call()


def test_any_buffer_and_an_array_of_ones_own():
    out = np.empty(2)
    assert kernel.largest(X, 2, out=out) is out and out.tolist() == [3.0, 4.0]
    assert kernel.kth_smallest(array.array("d", [3.0, 1.0, 2.0]), 2) == 2.0
    assert kernel.kth_smallest(memoryview(array.array("q", [3, 1, 2])), 1) == 1
    assert kernel.kth_smallest(np.arange(20.0)[::-2], 3) == 5.0
    read_only = np.arange(9.0)
    read_only.flags.writeable = False
    assert kernel.kth_smallest(read_only, 9) == 8.0
    assert kernel.largest(np.empty(0), 3).shape == (0,)

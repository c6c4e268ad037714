"""Lattice codes: words that mean one point, sidecars that are never too small, draws whose mean is exact."""

import itertools
import math
from fractions import Fraction

import floatenv
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gnosis.codes.lattice import Code, Quantized, codes, quantize, rounding
from gnosis.codes.lattice.matrix import from_blocks, in_blocks
from gnosis.core import cpu
from gnosis.errors import ArgumentError, DtypeError, EmptyError, FloatEnvironmentError, LengthError, NegativeError, NonFiniteError, RangeError
from gnosis.gates import lattice
from gnosis.models.files import open_model

CODES = [Code(name, bits) for name in codes.LATTICES for bits in range(2, 9)]
BY_NAME = pytest.mark.parametrize("code", CODES, ids=lambda c: f"{c.lattice}-{c.bits}")


def gaussian(rows, columns, seed=0, size=0.05):
    return (np.random.default_rng(seed).standard_normal((rows, columns)) * size).astype(np.float32)


def exact_energy(weights, decoded):
    return sum((Fraction(float(w)) - Fraction(float(d))) ** 2 for w, d in zip(weights, decoded, strict=True))


# ---- codes ----


def test_the_basis_is_one_of_e8():
    assert np.array_equal(codes.E8_BASIS @ codes.E8_BASIS_INVERSE, np.eye(8))
    assert round(abs(np.linalg.det(codes.E8_BASIS)), 9) == 1
    assert all(lattice.is_e8([int(2 * w) for w in row]) for row in codes.E8_BASIS)


def test_the_e8_code_has_exactly_as_many_points_as_code_words():
    """With two levels: the 256 code words give 256 different points, and no other point of E8 nearby is in the code."""
    words = np.array(list(itertools.product(range(2), repeat=8)), np.uint8)
    points = codes.e8_from_index(words, 2)
    assert len(np.unique(points, axis=0)) == 256 and codes.e8_in_code(points, 2).all()
    assert np.array_equal(codes.e8_index(points, 2), words)
    near = np.array(list(itertools.product((-2, -1, 0, 1, 2), repeat=8)), np.float32)
    points_of_e8 = np.concatenate([near[near.sum(-1) % 2 == 0], (h := near[(near < 2).all(-1)] + np.float32(0.5))[h.sum(-1) % 2 == 0]])
    inside = points_of_e8[codes.e8_in_code(points_of_e8, 2)]
    assert {tuple(p) for p in inside.tolist()} == {tuple(p) for p in points.tolist()}


@BY_NAME
def test_every_word_is_one_point_of_the_code(code):
    rng = np.random.default_rng(3)
    words = np.concatenate([rng.integers(0, code.levels, (3000, 8), dtype=np.uint8), np.full((1, 8), code.levels - 1, np.uint8), np.zeros((1, 8), np.uint8)])
    points = code.points(words)
    assert np.array_equal(code.words(points), words) and code.contains(points).all()
    if code.lattice == "cubic":
        assert (points == np.rint(points)).all() and points.min() == -code.levels / 2 and points.max() == code.levels / 2 - 1
        return
    for row in points[-60:]:
        halves = [int(2 * w) for w in row]
        assert lattice.is_e8(halves)
        # the shift is a multiple of 2^-11: exact membership in the moved cell, by the integer decoder
        moved = [(w << 10) - int(s * 2048) for w, s in zip(halves, codes.SHIFT)]  # units of 2^-11
        assert lattice.e8_decode(1024 * code.levels, moved) == [0] * 8


@BY_NAME
def test_nearest_stays_in_the_code(code):
    x = (np.random.default_rng(4).standard_normal((4000, 8)) * code.levels / 3).astype(np.float32)
    points, outside = code.nearest(x)
    assert code.contains(points).all() and np.array_equal(code.points(code.words(points)), points)
    assert 0.05 < (outside > 0).mean() < 0.95
    free = {"cubic": codes.nearest_cubic, "e8": codes.nearest_e8}[code.lattice](x)
    assert np.array_equal(points[outside == 0], free[outside == 0]) and not code.contains(free[outside > 0]).any()


def test_ties_and_what_is_just_below_them():
    just_below = np.full((1, 8), np.float32(0.49999997))
    assert np.floor(just_below + np.float32(0.5)).tolist() == [[1.0] * 8]  # the usual way goes up
    assert Code("cubic", 4).nearest(just_below)[0].tolist() == [[0.0] * 8]
    assert Code("cubic", 4).nearest(np.array([[0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 6.5, 7.5]], np.float32))[0].tolist() == [[1, 0, 2, -1, 3, -2, 7, 7]]
    assert Code("e8", 4).nearest(np.full((1, 8), np.float32(0.25)))[0].tolist() == [[0.0] * 8]


@pytest.mark.parametrize("arguments", [("leech", 4), ("e8", 1), ("e8", 9), ("e8", 4.0), ("e8", True), ("e8", None), ("", 4)])
def test_codes_that_do_not_exist(arguments):
    with pytest.raises(RangeError, match="^(lattice|bits)"):
        Code(*arguments)


# ---- the sidecar ----


@pytest.mark.parametrize("seed", [None, 7])
@BY_NAME
def test_the_sidecar_is_never_too_small(code, seed):
    weights = gaussian(3, 96, code.bits)
    coded = quantize(weights, code, tile=32, seed=seed)
    decoded = coded.decode()
    assert coded.energy.shape == (3, 3) and coded.energy.dtype == np.float64
    for i, t in itertools.product(range(3), range(3)):
        truth = exact_energy(weights[i, 32 * t : 32 * t + 32], decoded[i, 32 * t : 32 * t + 32])
        assert truth <= Fraction(float(coded.energy[i, t])) <= truth * (1 + Fraction(1, 2**19))
    whole = quantize(weights, code, seed=seed)
    assert whole.energy.shape == (3, 1) and np.array_equal(whole.words, coded.words)
    assert all(exact_energy(w, d) <= Fraction(float(e)) for w, d, e in zip(weights, decoded, whole.energy[:, 0]))


def test_a_sidecar_rounded_to_nearest_is_caught():
    weights = gaussian(400, 64)
    decoded = quantize(weights, Code("e8", 4)).decode()
    careless = ((weights - decoded) ** 2).sum(axis=1)
    assert sum(Fraction(float(c)) < exact_energy(w, d) for c, w, d in zip(careless, weights, decoded)) > 50


def test_the_sidecar_is_that_of_the_words():
    """What is stored decodes to what was bounded, through a file and back."""
    weights = gaussian(5, 200)
    coded = quantize(weights, Code("e8", 3))
    again = Quantized(coded.code, coded.columns, coded.exponent, coded.scales.copy(), coded.words.copy(), coded.energy.copy(), coded.tile)
    assert all(exact_energy(w, d) <= Fraction(float(e)) for w, d, e in zip(weights, again.decode(), again.energy[:, 0]))
    assert coded.words.shape == (5, 7 * 4 * 3) and coded.nbytes == 5 * (7 * 12 + 7 * 2 + 8)


@given(hnp.arrays(np.float32, (2, 40), elements=st.floats(-(2.0**100), 2.0**100, width=32)), st.sampled_from(CODES), st.sampled_from([None, 0]))
def test_the_sidecar_on_anything(weights, code, seed):
    coded = quantize(weights, code, seed=seed)
    assert all(
        exact_energy(w, d) <= Fraction(float(e)) <= exact_energy(w, d) * (1 + Fraction(1, 2**19))
        for w, d, e in zip(weights, coded.decode(), coded.energy[:, 0])
    )


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("size", [1e-45, 1e-42, 1e-30, 1e-12, 1e-6, 1.0, 1e4, 1e7, 1e20, 1e35])
@pytest.mark.parametrize("name", codes.LATTICES)
def test_scales_of_every_size(name, size, seed):
    """Half-precision scales neither overflow (1e7) nor underflow (3e-6): the whole matrix has an exponent."""
    with np.errstate(under="ignore"):
        weights = (gaussian(4, 64, 8, 1.0).astype(np.float64) * size).astype(np.float32)
    coded = quantize(weights, Code(name, 5), seed=seed)
    decoded = coded.decode()
    assert np.isfinite(decoded).all() and all(exact_energy(w, d) <= Fraction(float(e)) for w, d, e in zip(weights, decoded, coded.energy[:, 0]))
    if size >= 1e-36:
        assert coded.energy.sum() < 0.02 * np.square(weights.astype(np.float64)).sum()


@pytest.mark.parametrize("seed", [None, 3])
@pytest.mark.parametrize("name", codes.LATTICES)
def test_a_block_far_below_the_others_is_accounted_for(name, seed):
    weights = gaussian(1, 96, 1, 1.0)
    weights[0, :32] *= np.float32(1e30)
    weights[0, 64:] = 0
    coded = quantize(weights, Code(name, 8), tile=32, seed=seed)
    decoded = coded.decode()
    for t in range(3):
        truth = exact_energy(weights[0, 32 * t : 32 * t + 32], decoded[0, 32 * t : 32 * t + 32])
        assert truth <= Fraction(float(coded.energy[0, t]))
    assert coded.energy[0, 2] == 0 and not decoded[0, 64:].any()


def test_too_large_is_an_error_and_just_below_is_not():
    weights = gaussian(2, 64)
    for name, bits, seed in itertools.product(codes.LATTICES, (2, 4, 8), (None, 1)):
        weights[1, 40] = np.nextafter(np.float32(2.0**120), np.float32(np.inf))
        with pytest.raises(RangeError, match=r"^weights\[1, 40\]"):
            quantize(weights, Code(name, bits), seed=seed)
        weights[:] = 2.0**120
        assert np.isfinite(quantize(weights, Code(name, bits), seed=seed).decode()).all()
    with pytest.raises(RangeError, match=r"^weights\[1\].*scale"):
        rounding.stochastic(gaussian(2, 32) * np.array([[1], [1e9]], np.float32), Code("cubic", 4), np.random.PCG64(0))


def test_e8_loses_less_than_cubic_on_real_weights():
    model = open_model("minilm")
    weights = model.rows("encoder.layer.0.output.dense.weight", np.arange(100))
    lost = {(name, bits): float(quantize(weights, Code(name, bits)).energy.sum()) for name in codes.LATTICES for bits in (3, 4, 8)}
    for bits in (3, 4, 8):
        assert lost["e8", bits] < 0.95 * lost["cubic", bits]
    assert lost["cubic", 8] < lost["cubic", 4] / 100


# ---- stochastic rounding ----


@pytest.mark.parametrize(
    "seed",
    [np.timedelta64(5), np.timedelta64(5, "s"), True, np.True_, 1.0, "1", None, np.random.MT19937(0)],
    ids=lambda s: type(s).__name__ if isinstance(s, np.random.MT19937) else repr(s),
)
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises(DtypeError, match="^seed"):
        rounding.generator(seed)
    assert rounding.generator(np.int64(5)).random_raw() == np.random.PCG64(5).random_raw()


class Words:
    """A source that gives prepared words instead of random ones."""

    def __init__(self, *calls):
        self.calls = list(calls)

    def random_raw(self, count):
        words = self.calls.pop(0)
        return np.broadcast_to(np.asarray(words, np.uint64), (count,)).copy()


@given(st.integers(-4095, 4095), st.integers(-8, 3), st.integers(1, 2047), st.integers(-3, 3), st.sampled_from([0, 3]))
def test_the_mean_over_all_draws_is_exactly_the_weight(w, e, s, f, grid):
    """Every draw once: the average is the quotient itself, not a float near it."""
    weight, step = np.float32(math.ldexp(w, e)), np.array([[math.ldexp(s, f)]], np.float32)
    x = Fraction(float(weight)) * 2**grid / Fraction(float(step[0, 0]))
    # floats are taken apart into 24 and 11 bits, so the denominator in use is a multiple of the least one
    (_, we), (si, se) = rounding._parts(np.array([weight]), 24), rounding._parts(step[0], 11)
    denominator = int(si[0]) << max(0, int(se[0] - we[0]) - grid if w else 0)
    if denominator > 1 << 16:
        return
    drawn = rounding.unbiased(np.full((1, denominator), weight, np.float32), step, Words(np.arange(denominator)), grid)
    assert set(drawn[0].tolist()) <= {math.floor(x), math.floor(x) + 1}
    assert Fraction(int(drawn.sum()), denominator) == x


def test_a_weight_far_below_the_step_keeps_its_mean():
    """2^-45 of a step takes more than one draw: it rounds up only if all of them are the largest."""
    step, weight = np.float32(1.0), np.float32(2.0**-45)
    stages = []

    class Largest:
        def random_raw(self, count):
            stages.append(count)
            return np.full(count, 2**64 - 1, np.uint64)

    assert rounding.unbiased(np.array([[weight]]), np.array([[step]]), Largest()).tolist() == [[1]]
    assert rounding.unbiased(np.array([[weight]]), np.array([[step]]), Words(0, 0)).tolist() == [[0]]
    assert rounding.unbiased(np.array([[-weight]]), np.array([[step]]), Words(0, 0)).tolist() == [[-1]]
    assert len(stages) >= 2


def test_below_is_uniform_and_draws_again():
    bounds = np.array([5, 5, 8, 1])
    assert rounding.below(Words([7, 4, 15, 9], [6], [3]), bounds).tolist() == [3, 4, 7, 0]
    drawn = rounding.below(np.random.PCG64(0), np.full(60_000, 3))
    assert np.bincount(drawn, minlength=3).tolist() == pytest.approx([20_000] * 3, rel=0.03)
    assert rounding.below(np.random.PCG64(0), np.full(2000, 1 << 62)).max() > 1 << 61


@pytest.mark.parametrize("y", [(1, 0, 0, 0, 0, 0, 0, 0), (1, 0, 3, -2, 5, 1, 1, -1), (1, 1, 1, 1, 1, 1, 1, 1), (7, 2, 2, 9, -9, 4, 3, 5)])
def test_the_mean_of_e8_draws_is_exact(monkeypatch, y):
    """A grid of 1/2 has 4⁸ shifts W: over all of them the drawn points average to y exactly; without giving Q(W) back they do not."""
    W = np.array(list(itertools.product(range(4), repeat=8)), np.int64)
    target = np.array(y) / 2
    blocks = np.tile(target.astype(np.float32), (len(W) // 4, 4))
    size = float(rounding.draw_sizes(blocks, Code("e8", 4))[0])
    monkeypatch.setattr(rounding, "GRID", 1)
    monkeypatch.setattr(rounding, "reach", lambda code: size * (1 + 2.0**-20))  # makes the scale 1
    found = rounding.stochastic(blocks, Code("e8", 4), Words(0, W.reshape(-1).astype(np.uint64)))
    assert (found.scales == 1).all()
    points = found.points.reshape(-1, 8)
    assert [Fraction(float(v)) for v in points.mean(axis=0, dtype=np.float64)] == [Fraction(v, 2) for v in y]
    assert all(lattice.is_e8([int(2 * v) for v in p]) for p in np.unique(points, axis=0))
    assert (np.square(points - target).sum(axis=1) <= 4).all()
    shifted = rounding.nearest_e8((target + W / 2).astype(np.float32))
    assert not np.array_equal(shifted.mean(axis=0, dtype=np.float64), target)


@pytest.mark.parametrize("name", codes.LATTICES)
def test_real_draws_are_unbiased_and_rounding_to_nearest_is_not(name):
    weights = np.tile(gaussian(1, 32, 5), (4000, 1))
    decoded = quantize(weights, Code(name, 3), seed=11).decode().astype(np.float64)
    deviation = decoded.mean(axis=0) - weights[0]
    error = decoded.std(axis=0) / np.sqrt(len(decoded))
    assert (abs(deviation) < 5 * error).all()
    nearest = quantize(weights[:1], Code(name, 3)).decode()[0]
    assert (abs(nearest - weights[0]) > 5 * error).any()


@BY_NAME
def test_no_draw_leaves_the_code(code):
    weights = np.concatenate([gaussian(20, 64, 1), np.sign(gaussian(20, 64, 2)), np.eye(64, dtype=np.float32)[:20]])
    blocks = in_blocks(weights)
    for seed in range(3):
        found = rounding.stochastic(blocks, code, np.random.PCG64(seed))
        assert code.contains(found.points.reshape(-1, 8)).all()
        assert np.array_equal(quantize(weights, code, seed=seed).decode(), from_blocks(found.points * rounding.steps(found.scales, 0), 64))


def test_a_seed_fixes_the_draws():
    weights = gaussian(8, 64)
    for name in codes.LATTICES:
        one, same, other = (quantize(weights, Code(name, 4), seed=s).words for s in (1, 1, 2))
        assert np.array_equal(one, same) and not np.array_equal(one, other)
        source = np.random.PCG64(1)
        first, second = (quantize(weights, Code(name, 4), seed=source).words for _ in range(2))
        assert np.array_equal(first, one) and not np.array_equal(first, second)


@pytest.mark.parametrize(
    "seed, error",
    [(-1, RangeError), (1.0, DtypeError), (True, DtypeError), ("1", DtypeError), (np.random.MT19937(1), DtypeError), (np.random.default_rng(1), DtypeError)],
)
def test_seeds_that_are_none(seed, error):
    with pytest.raises(error, match="^seed"):
        quantize(gaussian(1, 32), Code("cubic", 4), seed=seed)


# ---- arguments and files ----


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda w: quantize(w.astype(np.float64), Code("e8", 4)), DtypeError, "^weights"),
        (lambda w: quantize(w.tolist(), Code("e8", 4)), DtypeError, "^weights"),
        (lambda w: quantize(w[0], Code("e8", 4)), LengthError, "^weights"),
        (lambda w: quantize(w[:0], Code("e8", 4)), EmptyError, "^weights"),
        (lambda w: quantize(w[:, :0], Code("e8", 4)), LengthError, "^columns"),
        (lambda w: quantize(w, Code("e8", 4), tile=16), LengthError, "^tile"),
        (lambda w: quantize(w, Code("e8", 4), tile=64), LengthError, "^tile"),
        (lambda w: quantize(w, Code("e8", 4), tile=-96), LengthError, "^tile"),
        (lambda w: quantize(w * np.float32(np.nan), Code("e8", 4)), NonFiniteError, r"^weights\[0, 0\]"),
        (lambda w: quantize(np.where(w == w[1, 3], np.float32(np.inf), w), Code("e8", 4)), NonFiniteError, r"^weights\[1, 3\]"),
    ],
)
def test_bad_weights_are_named(call, error, text):
    with pytest.raises(error, match=text):
        call(gaussian(2, 96))


@pytest.mark.parametrize("spoil", [lambda: floatenv.flushing(floatenv.FTZ), lambda: floatenv.rounding("down")])
def test_refuses_in_a_spoiled_environment(spoil):
    weights, caught = gaussian(2, 96), 0
    for seed in (None, 1):
        with spoil():
            try:
                quantize(weights, Code("e8", 4), seed=seed)
            except FloatEnvironmentError:
                caught += 1
    assert caught == 2


@pytest.mark.parametrize(
    "change, error, text",
    [
        (lambda q: {"scales": q.scales[:, :-1]}, LengthError, "^scales"),
        (lambda q: {"words": q.words[:-1]}, LengthError, "^words"),
        (lambda q: {"energy": q.energy[:, :0]}, LengthError, "^energy"),
        (lambda q: {"scales": q.scales.astype(np.float32)}, DtypeError, "^scales"),
        (lambda q: {"energy": -q.energy}, NegativeError, r"^energy\[0, 0\]"),
        (lambda q: {"energy": q.energy * np.nan}, NonFiniteError, r"^energy\[0, 0\]"),
        (lambda q: {"scales": q.scales * np.float16(np.inf)}, NonFiniteError, r"^scales\[0, 0\]"),
        (lambda q: {"exponent": 200}, RangeError, "^exponent"),
        (lambda q: {"scales": q.scales[:0], "words": q.words[:0], "energy": q.energy[:0]}, EmptyError, "^scales"),
        (lambda q: {"columns": 0}, LengthError, "^columns"),
        (lambda q: {"tile": 33}, LengthError, "^tile"),
    ],
)
def test_parts_that_do_not_fit(change, error, text):
    coded = quantize(gaussian(2, 96), Code("e8", 4))
    parts = {name: getattr(coded, name) for name in ("code", "columns", "exponent", "scales", "words", "energy", "tile")}
    with pytest.raises(error, match=text):
        Quantized(**{**parts, **change(coded)})


def test_scales_times_a_large_exponent_are_an_error_when_decoded():
    coded = quantize(gaussian(2, 96), Code("cubic", 4))
    huge = Quantized(coded.code, 96, 112, np.where([[0, 0, 1], [0, 0, 0]], np.float16(65504), coded.scales), coded.words, coded.energy, 96)
    with pytest.raises(RangeError, match=r"^scales\[0, 2\].*overflows"):
        huge.decode()


@BY_NAME
def test_files_come_back(code, tmp_path):
    coded = quantize(gaussian(3, 50), code)
    coded.save(tmp_path / "w.safetensors")
    again = Quantized.load(tmp_path / "w.safetensors")
    assert (again.code, again.columns, again.exponent, again.tile) == (coded.code, 50, coded.exponent, 50)
    assert np.array_equal(again.decode(), coded.decode()) and np.array_equal(again.energy, coded.energy)
    assert [p.name for p in tmp_path.iterdir()] == ["w.safetensors"]


def test_damaged_files_are_refused(tmp_path):
    path = tmp_path / "w.safetensors"
    quantize(gaussian(3, 64), Code("e8", 4)).save(path)
    whole = path.read_bytes()
    for data in (
        b"",
        whole[:7],
        whole[:100],
        whole[:-1],
        whole + b"\0",
        whole.replace(b"gnosis.quantized/1", b"gnosis.quantized/2"),
        whole.replace(b'bits\\": 4', b'bits\\": 9'),
        whole.replace(b'bits\\": 4', b'bits\\": 5'),
        whole.replace(b'"words"', b'"wards"'),
    ):
        assert data != whole
        path.write_bytes(data)
        with pytest.raises(ArgumentError):
            Quantized.load(path)
    with pytest.raises(OSError):
        Quantized.load(tmp_path / "nothing")


@pytest.mark.parametrize("code", [Code("cubic", 4), Code("e8", 4)], ids=["cubic", "e8"])
def test_every_instruction_set_gives_the_same_words(code):
    weights, found = gaussian(20, 96), []
    for isa in cpu.available():
        cpu.force(isa)
        try:
            found += [quantize(weights, code), quantize(weights, code, seed=1)]
        finally:
            cpu.force(None)
    for seeded in (0, 1):
        assert all(np.array_equal(found[seeded].words, q.words) and np.array_equal(found[seeded].energy, q.energy) for q in found[seeded::2])


def test_rows_that_are_no_whole_blocks():
    weights = gaussian(3, 40, 9)
    assert np.array_equal(from_blocks(in_blocks(weights), 40), weights)
    coded = quantize(weights, Code("e8", 8))
    assert coded.decode().shape == (3, 40) and abs(coded.decode() - weights).max() < 0.01


def test_two_writers_of_one_file_both_succeed(tmp_path):
    """And the last one wins; nothing is left beside the file."""
    from concurrent.futures import ThreadPoolExecutor

    found = [quantize(np.full((4, 32), x, np.float32), Code("e8", 4)) for x in (1, 2)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda i: found[i % 2].save(tmp_path / "q"), range(64)))
    assert (Quantized.load(tmp_path / "q").decode() == found[0].decode()).all() or (Quantized.load(tmp_path / "q").decode() == found[1].decode()).all()
    assert [path.name for path in tmp_path.iterdir()] == ["q"]


def test_a_saved_matrix_is_a_regular_file(tmp_path):
    import os

    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(ArgumentError, match="not a regular file"):
        Quantized.load(tmp_path / "fifo")

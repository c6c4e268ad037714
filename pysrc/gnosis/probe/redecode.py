"""A second decoder for ggml's block codes: plain integers, one block at a time, written from the format alone.

It shares no code with the decoders whose work it checks.  Every value is scale·integer (+ minimum), exact in a double;
ggml and its mirrors compute the same value with at most one rounding to float32, so the two must agree bit for bit
after that rounding.
"""
from __future__ import annotations

import struct
from collections.abc import Callable

import numpy as np


def _half(b: bytes, at: int) -> float:
    return struct.unpack_from("<e", b, at)[0]


def _nibbles(q: bytes) -> list[int]:
    """Low halves of all bytes, then the high halves."""
    return [byte & 15 for byte in q] + [byte >> 4 for byte in q]


def _q8_0(b: bytes) -> list[float]:
    return [_half(b, 0) * q for q in struct.unpack_from("<32b", b, 2)]


def _q4_0(b: bytes) -> list[float]:
    return [_half(b, 0) * (q - 8) for q in _nibbles(b[2:18])]


def _q4_1(b: bytes) -> list[float]:
    return [_half(b, 0) * q + _half(b, 2) for q in _nibbles(b[4:20])]


def _q5_0(b: bytes) -> list[float]:
    (high,) = struct.unpack_from("<I", b, 2)
    return [_half(b, 0) * ((q | (high >> i & 1) << 4) - 16) for i, q in enumerate(_nibbles(b[6:22]))]


def _q5_1(b: bytes) -> list[float]:
    (high,) = struct.unpack_from("<I", b, 4)
    return [_half(b, 0) * (q | (high >> i & 1) << 4) + _half(b, 2) for i, q in enumerate(_nibbles(b[8:24]))]


def _k_scales(b: bytes) -> list[tuple[float, float]]:
    """Scale and minimum of the eight groups of 32 of a Q4_K or Q5_K block: 6 bits each, packed into 12 bytes."""
    d, least, s = _half(b, 0), _half(b, 2), b[4:16]
    pairs = [(s[j] & 63, s[j + 4] & 63) for j in range(4)]
    pairs += [(s[j + 8] & 15 | s[j] >> 6 << 4, s[j + 8] >> 4 | s[j + 4] >> 6 << 4) for j in range(4)]
    return [(d * scale, least * minimum) for scale, minimum in pairs]


def _q4_k(b: bytes) -> list[float]:
    out = []
    for group, (scale, minimum) in enumerate(_k_scales(b)):
        chunk = b[16 + group // 2 * 32:48 + group // 2 * 32]      # two groups share 32 bytes
        out += [scale * (byte >> 4 * (group % 2) & 15) - minimum for byte in chunk]
    return out


def _q5_k(b: bytes) -> list[float]:
    out = []
    for group, (scale, minimum) in enumerate(_k_scales(b)):
        chunk = b[48 + group // 2 * 32:80 + group // 2 * 32]
        out += [scale * (byte >> 4 * (group % 2) & 15 | (b[16 + i] >> group & 1) << 4) - minimum for i, byte in enumerate(chunk)]
    return out


def _q6_k(b: bytes) -> list[float]:
    low, high, scales, d = b[0:128], b[128:192], struct.unpack_from("<16b", b, 192), _half(b, 208)
    out = []
    for half in range(2):
        for quarter in range(4):
            for i in range(32):
                nibble = low[64 * half + 32 * (quarter % 2) + i] >> 4 * (quarter // 2) & 15
                top = high[32 * half + i] >> 2 * quarter & 3
                out.append(d * scales[8 * half + 2 * quarter + i // 16] * ((nibble | top << 4) - 32))
    return out


BLOCKS: dict[str, Callable[[bytes], list[float]]] = {
    "Q8_0": _q8_0, "Q4_0": _q4_0, "Q4_1": _q4_1, "Q5_0": _q5_0, "Q5_1": _q5_1, "Q4_K": _q4_k, "Q5_K": _q5_k, "Q6_K": _q6_k,
    "F32": lambda b: list(struct.unpack("<f", b)), "F16": lambda b: list(struct.unpack("<e", b)),
    "BF16": lambda b: list(struct.unpack("<f", b"\0\0" + b)),
}


def redecode(raw: bytes, encoding: str, block_bytes: int) -> np.ndarray | None:
    """Decoded float32 values of whole blocks; None for an encoding that this module does not know."""
    block = BLOCKS.get(encoding)
    if block is None:
        return None
    values = [v for at in range(0, len(raw), block_bytes) for v in block(raw[at:at + block_bytes])]
    return np.array(values, np.float64).astype(np.float32)

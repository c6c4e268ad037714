"""Blocks with chosen parts: the bytes of a block whose codes, scale and offset are given.

The decoders that are tested are no part of this.  Every piece of 32 weights of a K code has the same factors.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

OFFSETS = ("Q4_1", "Q5_1", "Q4_K", "Q5_K")  # codes that add an offset
# whole codes: least, and one past the largest
RANGES = {"Q8_0": (-128, 128), "Q5_0": (-16, 16), "Q5_1": (0, 32), "Q4_0": (-8, 8), "Q4_1": (0, 16), "Q4_K": (0, 16), "Q5_K": (0, 32), "Q6_K": (-32, 32)}


def weights_of(encoding: str) -> int:
    return 256 if encoding.endswith("_K") else 32


def block(encoding: str, codes: Sequence[int], d: float, m: float = 0.0, factor: int = 1, least: int = 1) -> bytes:
    """A block of 32 or 256 weights, weight k being d·factor·codes[k] + offset.

    d, m: half-precision numbers.  The offset is m for Q4_1 and Q5_1 and −m·least for Q4_K and Q5_K.  factor, least: of the K codes alone,
    0 … 63 (factor of Q6_K: −128 … 127).
    """
    q = [c - RANGES[encoding][0] for c in codes]  # from 0 on
    half, least_half = struct.pack("<e", d), struct.pack("<e", m)
    if encoding == "Q8_0":
        return half + struct.pack("<32b", *codes)
    low = [x & 15 for x in q]
    if encoding == "Q6_K":
        return _q6_k(q) + struct.pack("<16b", *[factor] * 16) + half
    if encoding in ("Q4_K", "Q5_K"):
        first = [factor & 63 | factor >> 4 << 6] * 4 + [least & 63 | least >> 4 << 6] * 4
        head = half + least_half + bytes(first + [factor & 15 | (least & 15) << 4] * 4)
        nibbles = bytes(low[64 * j + i] | low[64 * j + 32 + i] << 4 for j in range(4) for i in range(32))
        fifth = bytes(sum((q[32 * j + i] >> 4) << j for j in range(8)) for i in range(32)) if encoding == "Q5_K" else b""
        return head + fifth + nibbles
    fifth = sum((x >> 4) << k for k, x in enumerate(q)).to_bytes(4, "little") if encoding in ("Q5_0", "Q5_1") else b""
    return half + (least_half if encoding in OFFSETS else b"") + fifth + bytes(low[i] | low[16 + i] << 4 for i in range(16))


def _q6_k(q: Sequence[int]) -> bytes:
    """Four low bits of 256 codes, two weights a byte, then two high bits, four a byte; in halves of 128."""
    low, high = bytearray(128), bytearray(64)
    for k, x in enumerate(q):
        half, quarter, i = k // 128, k % 128 // 32, k % 32
        low[64 * half + 32 * (quarter % 2) + i] |= (x & 15) << 4 * (quarter // 2)
        high[32 * half + i] |= (x >> 4) << 2 * quarter
    return bytes(low + high)

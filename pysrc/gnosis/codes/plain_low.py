"""The second decoder, types that the kernels do not know: two and three bits with scales, ternary digits, sixteen chosen values, four-bit floats.

Each function takes a block apart into (scale, codes, offset); weight k is scale·codes[k] + offset, see `plain`.  A scale that stands for
no number in its format is NaN here.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

Part = tuple[float, list[int], float | None]


def _half(b: bytes, at: int) -> float:
    return struct.unpack_from("<e", b, at)[0]


def _halves(q: bytes) -> list[int]:
    """Low nibbles of all bytes, then the high ones."""
    return [byte & 15 for byte in q] + [byte >> 4 for byte in q]


def _pair(q: bytes, group: int) -> list[int]:
    """Group `group` of 16 two-bit numbers: 32 bytes hold 128 numbers, those of one position of the bits side by side."""
    at, shift = 32 * (group // 8) + 16 * (group % 2), 2 * (group % 8 // 2)
    return [byte >> shift & 3 for byte in q[at : at + 16]]


def q2_k(b: bytes) -> list[Part]:
    scales, q, d, least = b[:16], b[16:80], _half(b, 80), _half(b, 82)
    return [(d * (s & 15), _pair(q, g), -(least * (s >> 4))) for g, s in enumerate(scales)]


def q3_k(b: bytes) -> list[Part]:
    """The third bit is in a mask of 32 bytes, and stands for −4 where it is not set; scales have 6 bits less 32."""
    high, q, s, d = b[:32], b[32:96], b[96:108], _half(b, 108)
    out: list[Part] = []
    for g in range(16):
        low = s[g] & 15 if g < 8 else s[g - 8] >> 4
        scale = (low | (s[8 + g % 4] >> 2 * (g // 4) & 3) << 4) - 32
        mask = high[16 * (g % 2) : 16 * (g % 2) + 16]
        out.append((d * scale, [x - (0 if m >> g // 2 & 1 else 4) for x, m in zip(_pair(q, g), mask)], None))
    return out


def tq1_0(b: bytes) -> list[Part]:
    """Five ternary digits a byte, which is the fraction 0.ddddd of base 3 in whole units of 1/256 from above; the first digit is the highest."""

    def digits(some: bytes, count: int) -> list[int]:
        return [byte * 3**n % 256 * 3 // 256 - 1 for n in range(count) for byte in some]

    return [(_half(b, 52), digits(b[:32], 5) + digits(b[32:48], 5) + digits(b[48:52], 4), None)]


def tq2_0(b: bytes) -> list[Part]:
    return [(_half(b, 64), [x - 1 for g in range(16) for x in _pair(b[:64], g)], None)]


# the sixteen values of IQ4_NL and IQ4_XS
_CHOSEN = (-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113)


def iq4_nl(b: bytes) -> list[Part]:
    return [(_half(b, 0), [_CHOSEN[x] for x in _halves(b[2:18])], None)]


def iq4_xs(b: bytes) -> list[Part]:
    """Eight groups; a scale has four bits in its own nibble and two in a word that all share, less 32."""
    d, high, low = _half(b, 0), int.from_bytes(b[2:4], "little"), b[4:8]
    scales = [((low[j // 2] >> 4 * (j % 2) & 15) | (high >> 2 * j & 3) << 4) - 32 for j in range(8)]
    return [(d * scale, [_CHOSEN[x] for x in _halves(b[8 + 16 * j : 24 + 16 * j])], None) for j, scale in enumerate(scales)]


def _e2m1(x: int) -> int:
    """Twice a float of 4 bits: sign, two bits of exponent, one of fraction; both zeros are 0, as ggml has them."""
    exponent, fraction = x >> 1 & 3, x & 1
    size = fraction if exponent == 0 else (2 + fraction) << exponent - 1
    return -size if x & 8 else size


def mxfp4(b: bytes) -> list[Part]:
    """One scale 2^(e − 127); e = 255 is NaN."""
    scale = math.nan if b[0] == 255 else math.ldexp(1, b[0] - 128)
    return [(scale, [_e2m1(x) for x in _halves(b[1:17])], None)]


def _ue4m3(x: int) -> float:
    """A float of four bits of exponent and three of fraction.  It has no sign: 0x7F is NaN, and a byte with the highest bit set is none."""
    if x >= 0x7F:
        return math.nan
    return math.ldexp(x & 7, -9) if x < 8 else math.ldexp(8 + (x & 7), (x >> 3) - 10)


def nvfp4(b: bytes) -> list[Part]:
    return [(_ue4m3(b[j]) / 2, [_e2m1(x) for x in _halves(b[4 + 8 * j : 12 + 8 * j])], None) for j in range(4)]


# name: bytes of a block, and its parts
FORMATS: dict[str, tuple[int, Callable[[bytes], list[Part]]]] = {
    "Q2_K": (84, q2_k),
    "Q3_K": (110, q3_k),
    "TQ1_0": (54, tq1_0),
    "TQ2_0": (66, tq2_0),
    "IQ4_NL": (18, iq4_nl),
    "IQ4_XS": (136, iq4_xs),
    "MXFP4": (17, mxfp4),
    "NVFP4": (36, nvfp4),
}

"""A second decoder for floats of 8 bits, written from the formats alone: sign, exponent and fraction taken apart in plain integers.

E4M3 and E5M2 are those of the Open Compute Project (OFP8), E8M0 is the scale of its microscaling formats, and the FNUZ types have
no negative zero, no infinities and a single NaN in its place.
"""

from __future__ import annotations

import math

import numpy as np

# name: bits of the exponent, bits of the fraction, bias
LAYOUTS = {"F8_E4M3": (4, 3, 7), "F8_E5M2": (5, 2, 15), "F8_E4M3FNUZ": (4, 3, 8), "F8_E5M2FNUZ": (5, 2, 16)}
ENCODINGS = (*LAYOUTS, "F8_E8M0")


def weight(byte: int, encoding: str) -> float:
    """The number that a byte stands for, exactly; NaN and infinities as they are.

    Promises: tested `tests/test_unusual_files.py::test_the_second_decoder_of_every_byte`.
    """
    if encoding == "F8_E8M0":
        return math.nan if byte == 255 else math.ldexp(1, byte - 127)
    exponents, fractions, bias = LAYOUTS[encoding]
    sign = -1.0 if byte >> 7 else 1.0
    exponent, fraction = byte >> fractions & (1 << exponents) - 1, byte & (1 << fractions) - 1
    if encoding.endswith("FNUZ"):
        if byte == 0x80:
            return math.nan
    elif exponent == (1 << exponents) - 1:
        if encoding == "F8_E5M2":
            return math.nan if fraction else sign * math.inf
        if fraction == (1 << fractions) - 1:  # E4M3 gives up infinities for one more power of two
            return math.nan
    if exponent == 0:
        return sign * math.ldexp(fraction, 1 - bias - fractions)
    return sign * math.ldexp((1 << fractions) + fraction, exponent - bias - fractions)


def decode(raw: bytes, encoding: str) -> np.ndarray:
    """float32[n] of n bytes; every number of these types is one of float32."""
    return np.array([weight(byte, encoding) for byte in raw], np.float64).astype(np.float32)

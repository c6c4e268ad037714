"""The second decoder, types whose codes are indices into a table of vectors: IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S.

The tables, thousands of chosen vectors, are those of the package `gguf`, read from its text here; everything else is taken apart on its
own, one block at a time.  Each function gives (scale, codes, offset) as in `plain_low`.
"""

from __future__ import annotations

import functools
import struct
from collections.abc import Callable, Sequence

from .plain_low import Part, _half


@functools.cache
def _table(name: str) -> list[list[int]]:
    """The vectors of a type.  They are written in hexadecimal digits, the lowest bits of a byte first, each number as an index into a few values."""
    import gguf.quants

    source = getattr(gguf.quants, name)
    values, length = source.grid_map, source.grid_shape[1]
    bits = 2 if len(values) <= 4 else 4  # three values take two bits, eight take a nibble
    data = bytes.fromhex(bytes(source.grid_hex).decode())
    every = [values[byte >> at & (1 << bits) - 1] for byte in data for at in range(0, 8, bits)]
    return [every[i : i + length] for i in range(0, len(every), length)]


def _signed(values: Sequence[int], signs: int) -> list[int]:
    """Values whose bit in `signs` is set turned negative."""
    return [-v if signs >> i & 1 else v for i, v in enumerate(values)]


def _even(seven: int) -> int:
    """Seven signs and an eighth that makes their number even."""
    return seven | (seven.bit_count() % 2) << 7


def _nibble(b: bytes, i: int) -> int:
    return b[i // 2] >> 4 * (i % 2) & 15


def iq2_xxs(b: bytes) -> list[Part]:
    """Eight groups of 32: four bytes of indices, then four times seven signs and four bits of scale."""
    d, grid = _half(b, 0), _table("IQ2_XXS")
    out: list[Part] = []
    for g in range(8):
        part = b[2 + 8 * g : 10 + 8 * g]
        rest = int.from_bytes(part[4:], "little")
        codes = [x for i in range(4) for x in _signed(grid[part[i]], _even(rest >> 7 * i & 127))]
        out.append((d * (0.5 + (rest >> 28)) / 4, codes, None))
    return out


def iq2_xs(b: bytes) -> list[Part]:
    """Sixteen groups of 16: two words of nine bits of index and seven signs."""
    d, words, grid = _half(b, 0), struct.unpack_from("<32H", b, 2), _table("IQ2_XS")
    return [
        (d * (0.5 + _nibble(b[66:74], g)) / 4, [x for w in words[2 * g : 2 * g + 2] for x in _signed(grid[w & 511], _even(w >> 9))], None) for g in range(16)
    ]


def iq2_s(b: bytes) -> list[Part]:
    """Sixteen groups of 16: two indices of eight bits and two more, and a byte of signs for each."""
    d, low, signs, high, scales, grid = _half(b, 0), b[2:34], b[34:66], b[66:74], b[74:82], _table("IQ2_S")
    out: list[Part] = []
    for g in range(16):
        codes = [x for e in (2 * g, 2 * g + 1) for x in _signed(grid[low[e] | (high[e // 4] >> 2 * (e % 4) & 3) << 8], signs[e])]
        out.append((d * (0.5 + _nibble(scales, g)) / 4, codes, None))
    return out


def iq3_xxs(b: bytes) -> list[Part]:
    """Eight groups of 32: eight indices of vectors of four, then four times seven signs and four bits of scale."""
    d, index, rest, grid = _half(b, 0), b[2:66], struct.unpack_from("<8I", b, 66), _table("IQ3_XXS")
    out: list[Part] = []
    for g in range(8):
        vectors = [grid[i] for i in index[8 * g : 8 * g + 8]]
        codes = [x for i in range(4) for x in _signed(vectors[2 * i] + vectors[2 * i + 1], _even(rest[g] >> 7 * i & 127))]
        out.append((d * (0.5 + (rest[g] >> 28)) / 2, codes, None))
    return out


def iq3_s(b: bytes) -> list[Part]:
    """Eight groups of 32: eight indices of nine bits, four bytes of signs, four bits of scale."""
    d, low, high, signs, scales, grid = _half(b, 0), b[2:66], b[66:74], b[74:106], b[106:110], _table("IQ3_S")
    out: list[Part] = []
    for g in range(8):
        vectors = [grid[low[8 * g + e] | (high[g] >> e & 1) << 8] for e in range(8)]
        codes = [x for i in range(4) for x in _signed(vectors[2 * i] + vectors[2 * i + 1], signs[4 * g + i])]
        out.append((d * (1 + 2 * _nibble(scales, g)), codes, None))
    return out


def _shifted(vector: Sequence[int], down: int) -> list[int]:
    """Eight times the entries, each moved by an eighth up or down."""
    return [8 * x + (-1 if down else 1) for x in vector]


def iq1_s(b: bytes) -> list[Part]:
    """Eight groups of 32: four indices of eight bits, and a word with three more for each, three bits of scale and the way that all move."""
    d, low, words, grid = _half(b, 0), b[2:34], struct.unpack_from("<8H", b, 34), _table("IQ1_S")
    return [
        (d * (2 * (w >> 12 & 7) + 1) / 8, [x for e in range(4) for x in _shifted(grid[low[4 * g + e] | (w >> 3 * e & 7) << 8], w >> 15)], None)
        for g, w in enumerate(words)
    ]


def iq1_m(b: bytes) -> list[Part]:
    """Sixteen groups of 16: two indices of eight bits and three more, with the way that each moves; the scale of the block is in the highest
    bits of four words, whose other bits are the scales of the groups."""
    low, high, words, grid = b[:32], b[32:48], struct.unpack_from("<4H", b, 48), _table("IQ1_S")
    d = _half(sum((w >> 12) << 4 * i for i, w in enumerate(words)).to_bytes(2, "little"), 0)
    out: list[Part] = []
    for g in range(16):
        codes = [x for e in (2 * g, 2 * g + 1) for x in _shifted(grid[low[e] | (_nibble(high, e) & 7) << 8], _nibble(high, e) & 8)]
        out.append((d * (2 * (words[g // 4] >> 3 * (g % 4) & 7) + 1) / 8, codes, None))
    return out


# name: bytes of a block, and its parts
FORMATS: dict[str, tuple[int, Callable[[bytes], list[Part]]]] = {
    "IQ1_S": (50, iq1_s),
    "IQ1_M": (56, iq1_m),
    "IQ2_XXS": (66, iq2_xxs),
    "IQ2_XS": (74, iq2_xs),
    "IQ2_S": (82, iq2_s),
    "IQ3_XXS": (98, iq3_xxs),
    "IQ3_S": (110, iq3_s),
}

"""Lattice decoders on integers: the nearest point of Zⁿ, of Dₙ and of Dₙ⁺, which is E8 for n = 8.

After Conway and Sloane, "Fast quantizing and decoding algorithms for lattice quantizers and codes", IEEE Transactions on
Information Theory 28 (1982).  The functions mirror `Gnosis/Decision/Lattice.lean` one for one, on plain integers.  Ties: a
coordinate in the middle rounds up; of several coordinates with the largest error the first is rounded the other way; of
two equally near cosets the integer one is taken.

No gate relies on nearness.  A gate uses the residual energy, recomputed exactly from the point that was taken:
`nearest` returns it, and `gnosis.core.lattice`, which computes in float32 and may miss the nearest point at near ties, is used
the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..errors import LengthError, RangeError
from ..numbers.exact import Number, Vector, integers, number

# ---- the decoders, on integers -------------------------------------------------------------------------------------


def sq_dist(m: int, xs: Sequence[int], zs: Sequence[int]) -> int:
    """`Gnosis.sqDist`: m² times the squared distance of xs/m from zs; coordinates without a partner are dropped."""
    return sum((x - m * z) ** 2 for x, z in zip(xs, zs))


def _div(a: int, b: int) -> int:
    """Division of `Int`: the remainder is not negative; 0 for b = 0."""
    return 0 if b == 0 else a // b if b > 0 else -(a // -b)


def nearest_int(m: int, x: int) -> int:
    """`Gnosis.nearestInt`: the integer nearest to x/m, for m > 0; upwards from the middle."""
    return _div(2 * x + m, 2 * m)


def round_error(m: int, x: int) -> int:
    """`Gnosis.roundError`: m times the signed rounding error of x/m."""
    return x - m * nearest_int(m, x)


def second_nearest(m: int, x: int) -> int:
    """`Gnosis.secondNearest`: rounding the other way."""
    return nearest_int(m, x) + (1 if 0 <= round_error(m, x) else -1)


def cubic_decode(m: int, xs: Sequence[int]) -> list[int]:
    """`Gnosis.cubicDecode`: every coordinate of xs/m rounded."""
    return [nearest_int(m, x) for x in xs]


def dn_decode(m: int, xs: Sequence[int]) -> list[int]:
    """`Gnosis.dnDecode`: the point of Dₙ for xs/m: rounded, and the worst coordinate the other way if the sum is odd."""
    zs = cubic_decode(m, xs)
    if sum(zs) % 2:
        errors = [abs(round_error(m, x)) for x in xs]
        first = errors.index(max(errors))
        zs[first] = second_nearest(m, xs[first])
    return zs


def dn_plus_decode(h: int, xs: Sequence[int]) -> list[int]:
    """`Gnosis.dnPlusDecode`: the point of Dₙ⁺ for xs/(2h), in units of 1/2."""
    a = [2 * z for z in dn_decode(2 * h, xs)]
    b = [2 * z + 1 for z in dn_decode(2 * h, [x - h for x in xs])]
    return a if sq_dist(h, xs, a) <= sq_dist(h, xs, b) else b


def is_d8(zs: Sequence[int]) -> bool:
    """`Gnosis.isD8`: eight coordinates with even sum."""
    return len(zs) == 8 and sum(zs) % 2 == 0


def is_e8(ws: Sequence[int]) -> bool:
    """`Gnosis.isE8`: eight coordinates in units of 1/2, all even or all odd, half their sum even."""
    return len(ws) == 8 and len({w % 2 for w in ws}) == 1 and sum(ws) // 2 % 2 == 0


def d8_decode(m: int, xs: Sequence[int]) -> list[int]:
    """`Gnosis.d8Decode`: `dn_decode` for eight coordinates and m > 0; the empty list for any other input."""
    return dn_decode(m, xs) if 0 < m and len(xs) == 8 else []


def e8_decode(h: int, xs: Sequence[int]) -> list[int]:
    """`Gnosis.e8Decode`: `dn_plus_decode` for eight coordinates and h > 0; the empty list for any other input."""
    return dn_plus_decode(h, xs) if 0 < h and len(xs) == 8 else []


# ---- on any exact numbers ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Point:
    """A lattice point and what taking it costs.

    halves: coordinates in units of step/2.  step: of the lattice.  energy: exact squared distance from what was decoded, in
    the squared unit of the input.  theorem: what Lean proves of the decoder.
    Promises: tested `tests/test_lattice_exact.py::test_nearest_on_floats_gives_the_exact_energy`.
    """

    halves: tuple[int, ...]
    step: Fraction
    energy: Fraction
    theorem: str

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The coordinates, in the unit of the input."""
        return tuple(w * self.step / 2 for w in self.halves)


# Name → decoder of x/(2h) to units of 1/2, number of coordinates (None: any), theorem of membership and nearness.
_DECODERS: dict[str, tuple[Callable[[int, Sequence[int]], list[int]], int | None, str]] = {
    "cubic": (lambda h, xs: [2 * z for z in cubic_decode(2 * h, xs)], None, "Gnosis.cubic_decode_nearest"),
    "d8": (lambda h, xs: [2 * z for z in d8_decode(2 * h, xs)], 8, "Gnosis.d8_decode_nearest"),
    "e8": (e8_decode, 8, "Gnosis.e8_decode_nearest"),
}
LATTICES = tuple(_DECODERS)


def nearest(lattice: str, x: Vector, step: Number = 1) -> Point:
    """A nearest point of step·lattice, exactly.

    lattice: "cubic" (one or more coordinates), "d8" or "e8" (eight).  x: vector of finite numbers.  step: above zero.
    Raises RangeError, LengthError, NonFiniteError, DtypeError.
    Promises: tested `tests/test_lattice_exact.py::test_nearest_on_floats_gives_the_exact_energy`, `floats: lattice d8 and cubic`.
    """
    if lattice not in _DECODERS:
        raise RangeError("lattice", lattice, f"not one of {', '.join(LATTICES)}")
    decode, dimension, theorem = _DECODERS[lattice]
    s = number(step, "step")
    if s <= 0:
        raise RangeError("step", step, "must be above zero")
    ints, unit = integers(x, "x")
    if not ints or (dimension is not None and len(ints) != dimension):
        raise LengthError("x", len(ints), f"{lattice} has {dimension} coordinates" if dimension else "must not be empty")
    # x / step = ints · unit / step = ints · p / q = (2 · ints · p) / (2 · q)
    ratio = unit / s
    h, scaled = ratio.denominator, [2 * n * ratio.numerator for n in ints]
    halves = decode(h, scaled)
    return Point(tuple(halves), s, sq_dist(h, scaled, halves) * (s / (2 * h)) ** 2, theorem)

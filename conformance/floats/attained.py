"""Residual energies of block codes where their bounds are as small as they get: against the very weights that are decoded.

Weights lie on the decoded ones or a few floats beside them, so that a bound about any other number shows; sums of one rounding more than
the last are built so that every rounding goes the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...codes import decode_rows, energy_rows, integers, plain
from ...core import blocks, q8_0
from ...core.plain import blocks as uncompiled
from ...gates.energy import EnergyGate, SidecarGate
from ..running import generators as gen
from ..running import nearness, packing
from ..running.checks import Check, Result
from .residuals import LOOSE, TIGHT, finite_block

MOST = float(np.finfo(np.float32).max)
UNIT = Fraction(1, 1 << 149)  # of which every float32 is a multiple
# float32 sums are widened by this; what of it their roundings take is looked at by itself
WIDENED = 1 + Fraction(1, 1 << 20)


def decoded(encoding: str, raw: bytes) -> list[float]:
    """The weights of blocks, by the decoder that serves."""
    found = blocks.dequantize(np.frombuffer(raw, np.uint8).reshape(-1, blocks.sizes(encoding)[1]), encoding)
    return found.ravel().tolist()


def away(x: float, ulps: int) -> float:
    """The float32 that many floats from x on; finite."""
    y = np.float32(x)
    with np.errstate(over="ignore", under="ignore"):
        for _ in range(abs(ulps)):
            y = np.nextafter(y, np.float32(np.copysign(np.inf, ulps)))
    return float(y) if np.isfinite(y) else x


def units(values: list[float]) -> list[int]:
    """Float32 values as whole multiples of UNIT."""
    return [n * ((1 << 149) // d) for n, d in (x.as_integer_ratio() for x in values)]


# ---- blocks ----


def _half(rng: Random) -> float:
    """A half-precision number: at an end of the range, a power of two, or any; never infinite."""
    kind = rng.random()
    if kind < 0.2:
        return rng.choice((65504.0, 2.0**-24, 2.0**-14, 3 * 2.0**-24))
    x = 2.0 ** rng.randint(-24, 15) if kind < 0.5 else float(np.float16(rng.uniform(1, 2) * 2.0 ** rng.randint(-24, 14)))
    return x * rng.choice((1, -1))


def _any(rng: Random, encoding: str) -> bytes:
    if encoding in blocks.FLOATS or rng.random() < 0.3:
        return finite_block(rng, encoding)
    low, end = packing.RANGES[encoding]
    codes = [rng.choice((low, end - 1, 0, rng.randrange(low, end))) for _ in range(packing.weights_of(encoding))]
    return packing.block(encoding, codes, _half(rng), _half(rng), rng.choice((1, 63, rng.randrange(64))), rng.choice((1, 63, rng.randrange(64))))


def _tie(rng: Random, encoding: str) -> bytes:
    """Of a code with an offset: sums half-way between two float32, or next to half-way."""
    if encoding not in packing.OFFSETS:
        return _any(rng, encoding)
    at = rng.randint(6, 14)
    m = rng.choice((1, -1)) * 2.0**at * (1 + rng.randrange(1024) / 1024)
    d = rng.choice((1, -1)) * max(2.0**-24, 2.0 ** (at - 24) * rng.choice((1, 1, 3, 1 + 2.0**-10, 1 - 2.0**-10, 5)))  # half an ulp of m
    codes = [rng.randrange(*packing.RANGES[encoding]) for _ in range(packing.weights_of(encoding))]
    return packing.block(encoding, codes, d, m)


# ---- weights ----


def _one(rng: Random, x: list[float]) -> list[float]:
    """All residuals but one are zero."""
    w, i = list(x), rng.randrange(len(x))
    w[i] = away(x[i], rng.choice((1, -1)) * rng.randint(1, 8))
    return w


def _near(rng: Random, x: list[float]) -> list[float]:
    """Every weight up to eight floats away, all to one side or to both."""
    side, most = rng.choice((1, -1, 0)), rng.choice((1, 2, 8))
    return [away(v, (side or rng.choice((1, -1))) * rng.randint(0, most)) for v in x]


def _far(rng: Random, x: list[float]) -> list[float]:
    """Residuals of one size, of every size, or at an end of the range."""
    kind = rng.random()
    if kind < 0.3:
        return [rng.choice((MOST, -MOST)) for _ in x]
    if kind < 0.5:
        return [gen.held(Fraction(v) + Fraction(2) ** rng.randint(-140, 120), "float32") for v in x]
    if kind < 0.7:
        r = 2.0 ** rng.randint(-100, 100)
        return [gen.held(Fraction(v) + Fraction(r), "float32") for v in x]
    return [gen.real(rng, "float32") for _ in x]


def worst_sum(rng: Random, encoding: str) -> tuple[bytes, list[float]]:
    """Every rounding of the float32 sum goes down by almost u: one large residual, and beside each sum that it meets half an ulp.

    The large residual is (1 + 2^-12 + 2^-24)·c.  Its difference is rounded down to (1 + 2^-12)·c, the square of that down to
    (1 + 2^-11)·c²; each of the others is 2^-12·c, and 2^-24·c² is half an ulp of the sum, which is even.
    """
    n = blocks.sizes(encoding)[0]
    c = 2.0 ** rng.randint(0, 20)
    small = c * 2.0**-24
    w = [0.0] * n
    for k in range(n.bit_length() - 1):  # the place of the sums that the first weight meets, whatever the order of the levels
        w[1 << k] = c * 2.0**-12
    w[0] = c * (1 + 2.0**-12)
    if encoding in blocks.FLOATS:
        kind, to = {"F32": (np.float32, np.uint8), "F16": (np.float16, np.uint8), "BF16": (np.float32, np.uint16)}[encoding]
        raw = np.array([-small] + [0.0] * (n - 1), kind).view(to)
        return (raw[1::2].tobytes() if encoding == "BF16" else raw.tobytes()), w
    first, rest = (0, 1) if encoding in packing.OFFSETS else (-1, 0)
    m = -small if encoding in ("Q4_1", "Q5_1") else small
    return packing.block(encoding, [first] + [rest] * (n - 1), small, m), w


def worst_double(rng: Random, encoding: str) -> tuple[bytes, list[float]]:
    """The same past the range of the float32 sum, in float64: a residual of 2^61 + 2^8 and squares just below half an ulp of its square."""
    n = blocks.sizes(encoding)[0]
    w = [0.0] * n
    for k in range(n.bit_length() - 1):
        w[1 << k] = away(2.0**34.5, 0 if float(np.float32(2.0**34.5)) ** 2 < 2.0**69 else -1)
    w[0] = 2.0**61
    if encoding in blocks.FLOATS:
        kind, to = {"F32": (np.float32, np.uint8), "F16": (np.float16, np.uint8), "BF16": (np.float32, np.uint16)}[encoding]
        raw = np.array([-256.0] + [0.0] * (n - 1), kind).view(to)
        return (raw[1::2].tobytes() if encoding == "BF16" else raw.tobytes()), w
    first, rest = (0, 1) if encoding in packing.OFFSETS else (-1, 0)
    return packing.block(encoding, [first] + [rest] * (n - 1), 256.0, -256.0 if encoding in ("Q4_1", "Q5_1") else 256.0), w


def worst_small(rng: Random, encoding: str) -> tuple[bytes, list[float]]:
    """All weights decode to zero; one square is the least normal float32, each of the others just below half the least one."""
    n = blocks.sizes(encoding)[0]
    raw = bytes(blocks.sizes(encoding)[1])
    w = [away(2.0**-75.5, 0 if float(np.float32(2.0**-75.5)) ** 2 < 2.0**-151 else -1)] * n
    w[rng.randrange(n)] = 2.0**-63
    return raw, w


# ---- the checks ----


def _kinds(encoding: str) -> tuple[Callable[[Random], tuple[bytes, list[float]]], ...]:
    def made(raw: Callable[[Random, str], bytes], w: Callable[[Random, list[float]], list[float]]) -> Callable[[Random], tuple[bytes, list[float]]]:
        def one(rng: Random) -> tuple[bytes, list[float]]:
            bytes_ = raw(rng, encoding)
            return bytes_, w(rng, decoded(encoding, bytes_))

        return one

    return (
        made(_any, _one),
        made(_any, _near),
        made(_tie, _near),
        made(_tie, _one),
        made(_any, _far),
        lambda rng: worst_sum(rng, encoding),
        lambda rng: worst_double(rng, encoding),
        lambda rng: worst_small(rng, encoding),
    )


def _check(encoding: str) -> Check:
    kinds = _kinds(encoding)

    def generate(rng: Random) -> tuple[Any, ...]:
        # eight blocks are taken together by the kernel; of each kind one at least, so that a single batch meets all of them
        several = [kind(rng) for kind in kinds] + [rng.choice(kinds)(rng) for _ in range(rng.choice((0, 1, 2)) if blocks.sizes(encoding)[0] == 32 else 0)]
        rng.shuffle(several)
        return [raw.hex() for raw, _ in several], [w for _, w in several]

    def run(raws: list[str], originals: list[list[float]]) -> Result:
        weights, size = blocks.sizes(encoding)
        data = bytes.fromhex("".join(raws))
        raw, original = np.frombuffer(data, np.uint8).reshape(-1, size), np.array(originals, np.float32).reshape(-1, weights)
        served = decode_rows(raw, encoding, weights)
        numbers = [units(x) for x in served.tolist()]
        residuals = [[a - b for a, b in zip(units(w), x)] for w, x in zip(original.tolist(), numbers)]
        truths = [sum(r * r for r in row) * UNIT**2 for row in residuals]
        # what exact gates are given, and the reference, are these weights too
        whole = integers(raw, encoding, weights)
        for i in range(len(raw)):
            ints, unit = whole.row(i)
            if [n * (unit / UNIT) for n in ints] != numbers[i]:
                return Result(len(raw), f"the whole numbers of block {i} are not the weights that are decoded")
        for i, block in enumerate(raws):
            if not (nearness.record(f"plain.residual_energy {encoding}", truths[i], plain.residual_energy(bytes.fromhex(block), original[i], encoding))):
                return Result(len(raw), f"the plain energy of block {i} is too small")
        return (
            _bounds(encoding, raw, original, truths)
            or _rows(encoding, raw, original, truths)
            or _gates(residuals, truths, raw, original, encoding)
            or Result(len(raws), None, len(raws))
        )

    return Check(f"attained residual_energy {encoding}", generate, run, every_isa=True, batch=1)


def _bounds(encoding: str, raw: np.ndarray, original: np.ndarray, truths: list[Fraction]) -> Result | None:
    """The kernel, block by block."""
    found = blocks.residual_energy_upper(raw, original, encoding)
    if encoding == "Q8_0" and found.tolist() != q8_0.residual_energy_upper(raw, original).tolist():
        return Result(len(raw), "q8_0 and blocks give other bounds")
    for i, (bound, truth) in enumerate(zip(found.tolist(), truths)):
        held = nearness.record(f"residual_energy_upper {encoding}", truth, bound)
        s = float(np.float32(min(bound / float(WIDENED), MOST)))
        if held and 2.0**-80 <= s <= 2.0**120 and s * float(WIDENED) == bound and truth > Fraction(s):
            nearness.record(f"residual_energy_upper {encoding}, its roundings", truth - Fraction(s), Fraction(bound) - Fraction(s))
        if not held or Fraction(bound) > truth * TIGHT:
            return Result(len(raw), f"the bound of block {i} is too {'large' if held else 'small'}: {bound}")
    if found.tolist() != uncompiled.residual_energy_upper(raw, original, encoding).tolist():
        return Result(len(raw), "the plain module, which stands in where nothing is compiled, gives other bounds")
    return None


def _rows(encoding: str, raw: np.ndarray, original: np.ndarray, truths: list[Fraction]) -> Result | None:
    """Blocks side by side in one row, with an entry for each tile and one for the row."""
    row, w, n = raw.reshape(1, -1), original.reshape(1, -1), original.shape[1]
    one = energy_rows(row, w, encoding)
    several = energy_rows(row, w, encoding, tile=n)[0]
    even = len(raw) // 2 * 2
    pairs = energy_rows(raw[:even].reshape(1, -1), original[:even].reshape(1, -1), encoding, tile=2 * n)[0]
    for name, bounds, values in (
        ("row", one, [sum(truths, Fraction(0))]),
        ("tile", several, truths),
        ("tile of two blocks", pairs, [a + b for a, b in zip(truths[:even:2], truths[1:even:2])]),
    ):
        for bound, truth in zip(bounds.tolist(), values):
            held = nearness.record(f"energy_rows {encoding}", truth, bound)
            if not held or Fraction(bound) > truth * LOOSE:
                return Result(len(raw), f"the bound of a {name} is too {'large' if held else 'small'}: {bound}")
    return None


def _gates(residuals: list[list[int]], truths: list[Fraction], raw: np.ndarray, original: np.ndarray, encoding: str) -> Result | None:
    """With an activation along the residual the gate on the sidecar admits nothing that the gate on the residual refuses."""
    bounds = energy_rows(raw, original, encoding).tolist()
    for i, (r, E, truth) in enumerate(zip(residuals, bounds, truths)):
        gamma = 2 * truth * (1 - Fraction(1, 1 << 60))  # the activation is the residual: 4·E·A = γ² would be at γ = 2·truth
        if SidecarGate(gamma).decide(E, truth).admit:
            if not EnergyGate(gamma).decide([n * UNIT for n in r], [n * UNIT for n in r]).admit:
                return Result(len(raw), f"block {i}: the sidecar gate admits what the energy gate refuses")
    return None


CHECKS = tuple(_check(encoding) for encoding in blocks.ENCODINGS)

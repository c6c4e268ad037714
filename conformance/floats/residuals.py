"""Residual energies of block codes and of lattice codes: never below the exact sum, and hardly above it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...codes import decode_rows, encode, plain
from ...codes.lattice import Code, quantize
from ...core import blocks, lattice
from ...errors import LengthError, RangeError
from ..running import generators as gen
from ..running import nearness
from ..running.checks import Check, Result
from . import Rows, exact

TIGHT = 1 + 28 * Fraction(1, 1 << 24)  # what the bound of a block may exceed its energy by
LOOSE = 1 + Fraction(1, 1 << 19)  # the same with the sum over the blocks of a tile


def finite(encoding: str, raw: bytes) -> bool:
    """Whether every scale and weight of a block is a finite number."""
    return all(np.isfinite(part) for scale, _, offset in plain.FORMATS[encoding].groups(raw) for part in (scale, offset or 0.0))


def _bytes(rng: Random, encoding: str) -> bytes:
    """Bytes of a block, or of one number, all of whose numbers are finite: any bytes, all the same, or mostly zero."""
    weights, size = blocks.sizes(encoding)
    size = size // weights if encoding in blocks.FLOATS else size
    while True:
        kind = rng.random()
        raw = rng.randbytes(size) if kind < 0.7 else bytes([rng.randrange(256)]) * size
        if kind >= 0.85:
            raw = bytes(rng.choice((0, 0, 0, rng.randrange(256))) for _ in range(size))
        if finite(encoding, raw):
            return raw


def finite_block(rng: Random, encoding: str) -> bytes:
    if encoding in blocks.FLOATS:
        return b"".join(_bytes(rng, encoding) for _ in range(blocks.sizes(encoding)[0]))
    return _bytes(rng, encoding)


def _originals(rng: Random, decoded: Sequence[Fraction]) -> list[float]:
    """float32 weights: what was decoded or next to it, its negative, anything, or all at one end of the range."""
    kind = rng.random()
    if kind < 0.5:
        return [gen.beside(rng, x, "float32") if rng.random() < 0.8 else gen.held(x, "float32") for x in decoded]
    if kind < 0.6:
        return [gen.held(-x, "float32") for x in decoded]
    if kind < 0.7:
        x = rng.choice(gen.edges("float32"))
        return [rng.choice((x, -x)) for _ in decoded]
    return gen.reals(rng, len(decoded), "float32")


def _block_code(encoding: str) -> Check:
    def generate(rng: Random) -> tuple[Any, ...]:
        raws = [finite_block(rng, encoding) for _ in range(rng.choice((1, 2, 8, 9)) if blocks.sizes(encoding)[0] == 32 else 1)]
        return [raw.hex() for raw in raws], [_originals(rng, plain.exact_weights(raw, encoding)) for raw in raws]

    def run(raws: list[str], originals: Rows) -> Result:
        weights, size = blocks.sizes(encoding)
        raw = np.frombuffer(bytes.fromhex("".join(raws)), np.uint8).reshape(-1, size)
        bounds = blocks.residual_energy_upper(raw, np.array(originals, np.float32).reshape(-1, weights), encoding).tolist()
        for i, (bound, block, original) in enumerate(zip(bounds, raws, originals)):
            truth = sum(((w - x) ** 2 for w, x in zip(exact(original), plain.exact_weights(bytes.fromhex(block), encoding))), Fraction(0))
            if not nearness.record(f"residual_energy_upper {encoding}", truth, bound) or Fraction(bound) > truth * TIGHT:
                return Result(len(raws), f"the bound of block {i} is {'too small' if Fraction(bound) < truth else 'too large'}: {bound}")
        return Result(len(raws), None, len(raws))

    return Check(f"residual_energy_upper {encoding}", generate, run, every_isa=True, batch=2)


def _coded(name: str) -> Check:
    """A matrix in a lattice code: its sidecar, and that the code words stand for points of the lattice."""

    def generate(rng: Random) -> tuple[Any, ...]:
        columns, at = rng.choice((1, 7, 32, 33, 64)), rng.randint(-30, 30) if rng.random() < 0.8 else rng.choice((-140, -100, 90, 115))

        def one() -> float:
            if rng.random() < 0.9:
                return gen.held(Fraction(rng.gauss(0, 1)) * Fraction(2) ** at, "float32")
            return rng.choice((0.0, -0.0, gen.real(rng, "float32", at)))

        rows = [[one() for _ in range(columns)] for _ in range(rng.choice((1, 2)))]
        return rows, rng.randint(2, 8), rng.choice((None, 0, 1, 12345))

    def run(rows: Rows, bits: int, seed: int | None) -> Result:
        over = any(abs(w) > 2.0**120 for row in rows for w in row)  # a documented refusal, and the only one here
        try:
            made = quantize(np.array(rows, np.float32), Code(name, bits), seed=seed)
        except RangeError as error:
            if over and error.argument == "weights":
                return Result(len(rows), None, refused=len(rows))
            raise
        if over:
            return Result(len(rows), "a weight above 2^120 is not refused")
        decoded = made.decode().tolist()
        for i, (row, back, bound) in enumerate(zip(rows, decoded, made.energy[:, 0].tolist())):
            truth = sum(((w - x) ** 2 for w, x in zip(exact(row), exact(back))), Fraction(0))
            if not nearness.record(f"quantize {name}", truth, bound) or Fraction(bound) > truth * LOOSE:
                return Result(len(rows), f"the sidecar of row {i} is {'too small' if Fraction(bound) < truth else 'too large'}: {bound}")
        return Result(len(rows), None, len(rows))

    return Check(f"quantize {name}", generate, run, every_isa=True, batch=2)


def _point_case(rng: Random) -> tuple[Any, ...]:
    """Rows of eight: next to the middle of two points, on a point, or at the end of the range."""

    def one(at: int) -> float:
        x = Fraction(rng.randint(-8, 8), 4) + Fraction(rng.choice((-1, 0, 0, 1)), 1 << rng.choice((10, 21, 23)))
        return gen.held(max(-Fraction(1 << 21), min(Fraction(1 << 21), x * (1 << at))), "float32")

    return ([[one(rng.choice((0, 0, 0, 3, 19))) for _ in range(8)] for _ in range(rng.choice((1, 3, 16, 17)))],)


def _run_e8(rows: Rows) -> Result:
    """A point of E8, and no point one step away is nearer by more than rounding errors of float32, which grow with the coordinates."""
    points = lattice.nearest_e8(np.array(rows, np.float32)).tolist()
    for i, (x, p) in enumerate(zip(rows, points)):
        halves = [2 * w for w in exact(p)]
        if any(w.denominator != 1 for w in halves) or len({w % 2 for w in halves}) != 1 or sum(halves) % 4:
            return Result(len(rows), f"row {i} is no point of E8: {p}")
        here = [a - b for a, b in zip(exact(x), exact(p))]
        steps = [(j, s, k, t) for j in range(8) for k in range(j) for s in (1, -1) for t in (1, -1)]
        gain = max(2 * (s * here[j] + t * here[k]) - 2 for j, s, k, t in steps)  # by how much a shortest vector brings the point nearer
        # x - 1/2 is rounded to the next multiple of an ulp, which shifts a squared distance by as much
        ulp = Fraction(float(np.spacing(np.float32(max(map(abs, x)) + 1))))
        if gain > Fraction(1, 1 << 18) + 4 * ulp:
            return Result(len(rows), f"row {i} has a nearer point by {float(gain)}")
    return Result(len(rows), None, len(rows))


def _small_case(rng: Random) -> tuple[Any, ...]:
    return rng.choice(("F16", "BF16", "F32")), [2.0**-30, float(np.float32(rng.gauss(0, 1))), 2.0 ** rng.choice((-149, -140, -127, -26, -25))]


def _run_small(encoding: str, weights: list[Any]) -> Result:
    """Single numbers that are too small for a code of floats become zero or nearly so, and the sidecar counts them."""
    made = encode(np.array([weights], np.float32), encoding)
    back = decode_rows(made.raw, encoding, len(weights))[0].tolist()
    truth = sum(((w - x) ** 2 for w, x in zip(exact(weights), exact(back))), Fraction(0))
    for tile in (0, -32, 16, 48, 80):  # of blocks of 32 in a row of 96
        try:
            encode(np.ones((1, 96), np.float32), "Q8_0", tile)
        except LengthError:
            continue
        return Result(1, f"a tile of {tile} weights is taken")
    return Result(1, None if truth <= Fraction(float(made.energy[0])) <= truth * LOOSE else f"the sidecar of {weights} is {made.energy[0]}")


CHECKS = (
    Check("encode small floats", _small_case, _run_small),
    *(_block_code(encoding) for encoding in blocks.ENCODINGS),
    _coded("cubic"),
    _coded("e8"),
    Check("core.lattice.nearest_e8", _point_case, _run_e8, every_isa=True),
)

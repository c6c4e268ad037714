"""The exact head of the engine: bounds of its pass and of the rows again, in every code, and the rows that it serves.

Errors are attained one source at a time: activations half-way between whole numbers under codes of one size; sums of which every fma loses half a
unit, in codes with one and with two terms a block and in float weights; float64 sums of which nearly every addition does.
A matrix is its blocks as they stand in a file, in hexadecimal.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...core import blocks as codes
from ...core import engine as kernel
from ...errors import ArgumentError, NonFiniteError, RangeError
from ...inference.exact import ExactHead
from ...lm.weights import Weight
from ..running import nearness
from ..running.checks import Check, Result
from .head import BLOCK, Entries, _any, _arrays, _half, _misordered, _near_rows

NARROW = ("Q8_0", "Q5_0", "Q5_1", "Q4_0", "Q4_1")
Case = tuple[Any, ...]


def _bytes(bits: int) -> bytes:
    return bits.to_bytes(2, "little")


def _weight(encoding: str, columns: int, rows: list[str]) -> Weight:
    return Weight("w", encoding, np.array([np.frombuffer(bytes.fromhex(row), np.uint8) for row in rows]), columns)


def _activation(columns: int, entries: Entries) -> np.ndarray:
    a = np.zeros(columns, np.float32)
    for k, x in entries:
        a[k] = x
    return a


def _truth(weight: Weight, a: np.ndarray) -> list[Fraction]:
    """The products of the decoded weights, by fractions alone."""
    there = np.flatnonzero(a)
    x = [Fraction(float(v)) for v in a[there]]
    return [sum((Fraction(float(w)) * v for w, v in zip(row[there], x)), Fraction(0)) for row in weight.decoded()]


# ---- cases ---------------------------------------------------------------------------------------------------------------


def _row(rng: Random, encoding: str, count: int) -> str:
    """Blocks of any codes, with scales over the whole range of halves; of floats, numbers over most of theirs."""
    if encoding == "F32":
        return np.array([rng.choice((1, -1)) * rng.random() * 2.0 ** rng.choice((0, 0, -149, -30, 60)) for _ in range(32 * count)], np.float32).tobytes().hex()
    size, out = codes.sizes(encoding)[1], b""
    for _ in range(count):
        block = bytearray(rng.randbytes(size))
        places = {"Q6_K": (208,), "Q8_0": (0,), "Q5_0": (0,), "Q4_0": (0,), "F16": range(0, 64, 2), "BF16": range(0, 64, 2)}.get(encoding, (0, 2))
        for at in places:
            scale = rng.choice((_half(rng.random()), _half(rng.gauss(0, 1)), 0, 1, 0x7BFF, 0x83FF))
            if encoding == "BF16":
                scale = int(np.float32(rng.gauss(0, 1) * 2.0 ** rng.choice((0, 0, -140, 80))).view(np.uint32)) >> 16
            block[at : at + 2] = _bytes(scale)
        out += bytes(block)
    return out.hex()


def _wild(rng: Random) -> Case:
    """Any code, any scales; entries over the whole range of float32, none in a block, one alone, half-way between whole numbers."""
    encoding = rng.choice(codes.ENCODINGS)
    count, weights = rng.choice((1, 1, 2, 3)), codes.sizes(encoding)[0]
    columns, size = count * weights, 2.0 ** rng.choice((-149, -126, -100, -20, 0, 0, 60, 127))

    def entry() -> float:
        x = rng.choice((rng.random(), 1 - rng.random() / 256, 0.5, 2.0**-9, 2.0**-70, 2.0**-20, (rng.randrange(1 << 15) + 0.5) * 2.0**-15))
        return float(np.float32(size * rng.choice((1, -1)) * x))

    share = rng.choice((0.05, 1.0))
    entries = [[k, entry()] for k in range(columns) if rng.random() < share]
    return encoding, columns, [_row(rng, encoding, count) for _ in range(rng.choice((1, 2, 17, 20)))], [e for e in entries if e[1]], ""


def _collinear(rng: Random) -> Case:
    """Codes that are a multiple of the activation, so that norms say all there is."""
    qs = [rng.randint(-127, 127) for _ in range(BLOCK)]
    d, unit, sign = rng.uniform(0.1, 1.0), 2.0 ** rng.randint(-90, 90), rng.choice((1, -1))
    row = _bytes(_half(d)) + np.array(qs, np.int8).tobytes()
    return "Q8_0", BLOCK, [row.hex()], [[k, float(np.float32(sign * q * unit * rng.choice((1, 1 / 3))))] for k, q in enumerate(qs) if q], ""


def _half_way(rng: Random) -> Case:
    """One entry that says the unit, under a code of 0, and 31 that lie half-way between the whole numbers that they are rounded to, on one side."""
    lead, unit, sign = rng.randrange(BLOCK), 2.0 ** rng.randint(-90, 90), rng.choice((1, -1))
    entries = [[k, sign * unit * (16384 if k == lead else 2 * rng.randrange(40) + 0.5)] for k in range(BLOCK)]  # ties, to an even number below
    qs = [0 if k == lead else -128 for k in range(BLOCK)]
    return "Q8_0", BLOCK, [(_bytes(_half(rng.choice((1, -1)) * rng.uniform(0.5, 1.0))) + np.array(qs, np.int8).tobytes()).hex()], entries, "rounded activation"


def _lost(rng: Random) -> Case:
    """A sum that is a power of two, to which every further term adds half a unit, and which stays what it is."""
    kind, count = rng.choice(("Q8_0", "Q4_1", "F32")), rng.choice((2, 16, 512, 512))
    if kind == "F32":
        row = np.full(32 * count, 2.0**-12, np.float32)
        row[0] = 1
        return kind, 32 * count, [row.tobytes().hex()], [[0, 0.5], *([k, 2.0**-13] for k in range(1, 32 * count))], "floats of F32"
    if kind == "Q8_0":
        first, other = _bytes(_half(1.0)) + b"\x40" + bytes(31), _bytes(_half(2.0**-8)) + b"\x01" + bytes(31)
        x = 2.0**-11  # 64 · ½ = 32, whose half unit is 2^-19
    else:  # two terms a block: scale · 1 and the minimum
        first, other = _bytes(_half(1.0)) + _bytes(0) + b"\x08" + bytes(15), 2 * _bytes(_half(2.0**-11)) + b"\x01" + bytes(15)
        x = 2.0**-11  # 8 · ½ = 4, 2^-22
    return kind, 32 * count, [(first + (count - 1) * other).hex()], [[0, 0.5], *([32 * b, x] for b in range(1, count))], f"floats of {kind}"


def _sums(rng: Random) -> Case:
    """Float64 sums of which nearly every addition loses half a unit."""
    count = rng.choice((2, 16, 512, 512))
    row = np.full(32 * count, 1.0, np.float32)
    entries = [[8 * k, 2.0**-53] for k in range(1, 4 * count)]  # of one lane
    return "F32", 32 * count, [row.tobytes().hex()], [[0, 1.0], *entries, *([k, 2.0**-53] for k in (1, 2, 4))], "sums"


def _scores_case(rng: Random) -> Case:
    return rng.choice((_wild, _wild, _collinear))(rng)


def _attained_case(rng: Random) -> Case:
    return rng.choice((_half_way, _lost))(rng)


# ---- the kernel ----------------------------------------------------------------------------------------------------------


def _holds(name: str, error: Fraction, bound: float) -> bool:
    return nearness.record(name, error, bound) if name else error <= Fraction(bound)


def _run_scores(encoding: str, columns: int, rows: list[str], entries: Entries, kind: str) -> Result:
    weight, a = _weight(encoding, columns, rows), _activation(columns, entries)
    try:
        head = kernel.Head(encoding, weight.raw, columns)
    except RangeError:
        return Result(len(rows), refused=len(rows))
    z, eps = np.empty((2, 1, head.stride), np.float32)
    (exponent,), (low,), (high,) = (x.tolist() for x in head.scores(a[None], z, eps))
    for r, y in enumerate(_truth(weight, a)):
        off = abs(Fraction(float(z[0, r])) - y / Fraction(2) ** exponent)
        if not _holds(f"engine.Head.scores, {kind}" if kind else "", off, float(eps[0, r])):
            return Result(len(rows), f"{encoding} row {r}: {z[0, r]} is off by {float(off)}, claimed are {eps[0, r]}")
    for end, each in ((low, z[0] - eps[0]), (high, z[0] + eps[0])):
        if end != [float(max(each[i : min(i + kernel.TILE, len(rows))])) for i in range(0, len(rows), kernel.TILE)]:
            return Result(len(rows), f"{encoding}: another row has the largest end")
    both, bounds = np.empty((2, 3, head.stride), np.float32)
    if head.scores(np.stack([a / 2, a, -a]), both, bounds)[0][1] != exponent or both[1].tobytes() != z[0].tobytes() or bounds[1].tobytes() != eps[0].tobytes():
        return Result(len(rows), f"{encoding}: among others the activation has other scores")
    return Result(len(rows), None, len(rows))


def _run_products(encoding: str, columns: int, rows: list[str], entries: Entries, kind: str) -> Result:
    weight, a = _weight(encoding, columns, rows), _activation(columns, entries)
    exponent = int(np.frexp(np.abs(a).max())[1])
    x = np.ldexp(a.astype(np.float64), -exponent)
    try:
        y, err = kernel.Head(encoding, weight.raw, columns).products(x, np.arange(len(rows)))
    except RangeError:
        return Result(len(rows), refused=len(rows))
    for r, truth in enumerate(_truth(weight, a)):
        off = abs(Fraction(float(y[r])) - truth / Fraction(2) ** exponent)
        if not _holds(f"engine.Head.products, {kind}" if kind else "", off, float(err[r])):
            return Result(len(rows), f"{encoding} row {r}: {y[r]} is off by {float(off)}, claimed are {err[r]}")
    return Result(len(rows), None, len(rows))


def _products_case(rng: Random) -> Case:
    return rng.choice((_wild, _sums))(rng)


def _no_number(rng: Random) -> Case:
    """A code, a row with a scale or weight that is no number, and an activation with one entry that is none."""
    encoding = rng.choice(codes.ENCODINGS)
    return encoding, rng.choice((2, 17, 40)), rng.randrange(2), rng.choice(("nan", "inf", "-inf")), rng.randrange(codes.sizes(encoding)[0]), rng.randrange(3)


def _run_no_number(encoding: str, rows: int, row: int, what: str, entry: int, token: int) -> Result:
    columns, size = codes.sizes(encoding)
    raw = np.zeros((rows, size), np.uint8)
    kernel.Head(encoding, raw, columns).scores(np.ones((3, columns), np.float32), np.empty((3, (rows + 15) // 16 * 16), np.float32))
    head, a = kernel.Head(encoding, raw, columns), np.ones((3, columns), np.float32)
    a[token, entry] = float(what)
    z, eps = np.empty((2, 3, head.stride), np.float32)
    for bounds, bits in ((eps, 16), (None, 8)):
        try:
            head.scores(a, z, bounds, bits)
            return Result(1, f"{what} is taken for an activation")
        except NonFiniteError as error:
            if error.index != (token, entry):
                return Result(1, f"the activation at {error.index} is named, it is {(token, entry)}")
    at, single = {"Q6_K": 208}.get(encoding, 0), np.array([float(what)], "<f4").tobytes()
    scale = single if encoding == "F32" else single[2:] if encoding == "BF16" else np.array([float(what)], "<f2").tobytes()
    raw[row, at : at + len(scale)] = np.frombuffer(scale, np.uint8)
    try:
        kernel.Head(encoding, raw, columns)
    except NonFiniteError as error:
        return Result(1, None if error.index == row else f"row {error.index} is named, it is {row}", refused=1)
    return Result(1, f"a scale of {what} is taken")


# ---- the head ------------------------------------------------------------------------------------------------------------


def _alike(rng: Random) -> Case:
    """Rows of any code that differ in one byte, or not at all, under large cancellations."""
    encoding = rng.choice(codes.ENCODINGS)
    count = rng.choice((1, 2))
    rows: list[str] = []
    first = _row(rng, encoding, count)
    for _ in range(rng.randint(2, 9)):
        raw = bytearray(bytes.fromhex(rng.choice([first, *rows])))
        if rng.random() < 0.7:
            at = rng.randrange(len(raw) // count - (2 if encoding == "Q6_K" else 0))
            raw[at] ^= 1 << rng.randrange(3) if at >= 4 and encoding not in ("F16", "BF16") and at % 4 < 2 else 0
        rows.append(bytes(raw).hex())
    columns = count * codes.sizes(encoding)[0]
    values = [rng.gauss(0, 1) for _ in range(columns // 2)]
    size = 2.0 ** rng.choice((-140, -60, 0, 0, 100))
    entries = [[k, float(np.float32(size * x))] for k, x in enumerate([*values, *(-v + rng.choice((0, 2.0**-20)) for v in values)])]
    return encoding, columns, rows, [e for e in entries if e[1]]


def _far_apart(rng: Random) -> Case:
    """Rows that are alike, in tiles that are not the first, among rows of zeros and of their opposites."""
    encoding, columns, rows, entries = _alike(rng)
    nothing = "00" * (len(rows[0]) // 2)
    return encoding, columns, [nothing] * rng.choice((1, 127, 128, 200)) + rows + [nothing] * rng.choice((0, 130)) + rows[:2], entries


def _in_other_tiles(rng: Random) -> Case:
    """Rows of which bounds and float64 take another one for the larger, each in a tile of its own."""
    encoding, columns, rows, entries = _of_blocks(*_misordered(rng))
    nothing = ["00" * (len(rows[0]) // 2)] * kernel.TILE
    return encoding, columns, [*rows[:1], *nothing, *rows[1:]], entries


def _rounded_past(rng: Random) -> Case:
    """Whole activations of 16 bits put the second row first: half a unit that is rounded away counts 100 times in the one, a whole unit 25 times in the other."""
    m, unit = rng.randint(1, 9), 2.0 ** (rng.randint(-60, 60) - 15)
    first, second = [0] * BLOCK, [0] * BLOCK
    first[1], second[2], second[3] = 100, 100, 25
    rows = [(_bytes(_half(1.0)) + np.array(qs, np.int8).tobytes()).hex() for qs in (first, second)]
    nothing = [(_bytes(_half(1.0)) + bytes(BLOCK)).hex()] * rng.choice((0, 3, kernel.TILE))
    return "Q8_0", BLOCK, [*rows[:1], *nothing, *rows[1:]][:: rng.choice((1, -1))], [[0, 24576 * unit], [1, (2 * m + 0.5) * unit], [2, 2 * m * unit], [3, unit]]


def _one_far_away(rng: Random) -> Case:
    """One row that leads by far, in a tile that is not the first; what lies before it is not looked at again."""
    row, unit = _bytes(_half(1.0)) + bytes([rng.randint(1, 127)] * BLOCK), 2.0 ** rng.randint(-90, 90)
    return (
        "Q8_0",
        BLOCK,
        [(_bytes(_half(1.0)) + bytes(BLOCK)).hex()] * rng.choice((kernel.TILE, kernel.TILE + 3)) + [row.hex()],
        [[k, unit] for k in range(BLOCK)],
    )


def _of_blocks(blocks: int, rows: Any, entries: Entries, *_: Any) -> Case:
    weight, _a = _arrays(blocks, rows, entries)
    return "Q8_0", blocks * BLOCK, [row.tobytes().hex() for row in weight.raw], entries


def _head_case(rng: Random) -> Case:
    return rng.choice(
        (
            _alike,
            _far_apart,
            _in_other_tiles,
            _rounded_past,
            _one_far_away,
            lambda r: _of_blocks(*_near_rows(r)),
            lambda r: _of_blocks(*_misordered(r)),
            lambda r: _of_blocks(*_any(r)),
        )
    )(rng)


def _ahead(z: np.ndarray, eps: np.ndarray) -> Fraction:
    """The largest lower end less the largest upper end of another row."""
    ends = [(Fraction(x), Fraction(e)) for x, e in zip(z.tolist(), eps.tolist())]
    best = max(range(len(ends)), key=lambda i: ends[i][0] - ends[i][1])
    return ends[best][0] - ends[best][1] - max(x + e for i, (x, e) in enumerate(ends) if i != best)


def _run_head(encoding: str, columns: int, rows: list[str], entries: Entries) -> Result:
    rows = rows * (2 if len(rows) < 2 else 1)
    weight, a = _weight(encoding, columns, rows), _activation(columns, entries)
    truth = _truth(weight, a)
    order = sorted(range(len(truth)), key=lambda i: (-truth[i], i))
    try:
        head = ExactHead(weight)
    except ArgumentError:
        return Result(1, refused=1)
    other = np.roll(a, 1)
    token, *_ = head.decide_many(np.stack([a, other, a]))
    if token.token != order[0] or head.decide(a) != token:
        return Result(1, f"{encoding}: row {token.token} wins, exactly it is {order[0]}")
    if any(head.top_k(a, k) != [(i, truth[i]) for i in order[:k]] for k in (1, 1 + len(truth) // 2, len(truth))):
        return Result(1, f"{encoding}: top_k is another order")
    if head.certified_margin(a) != truth[order[0]] - truth[order[1]] or Fraction(token.coarse_margin) > truth[order[0]] - truth[order[1]]:
        return Result(1, f"{encoding}: the margin is {float(truth[order[0]] - truth[order[1]])}")
    if a.any() and (token.contenders > token.candidates or (token.coarse_margin > 0) != (token.candidates == 1)):
        return Result(1, f"{encoding}: counts of {token}")
    z, eps = head.bounds(a)
    if any(abs(Fraction(x) - y) > Fraction(e) for x, e, y in zip(z.tolist(), eps.tolist(), truth) if np.isfinite(x)):
        return Result(1, f"{encoding}: bounds() does not hold")
    if a.any() and np.isfinite(z).all() and Fraction(token.coarse_margin) > _ahead(z, eps):
        return Result(1, f"{encoding}: the lead {token.coarse_margin} is above the one that the bounds show")
    return Result(1, None, 1, int(token.contenders > 1))


CHECKS = (
    Check("core.engine.Head.scores", _scores_case, _run_scores, every_isa=True),
    Check("core.engine.Head.scores attained", _attained_case, _run_scores, every_isa=True),
    Check("core.engine.Head.products", _products_case, _run_products, every_isa=True),
    Check("core.engine.Head no numbers", _no_number, _run_no_number, batch=16),
    Check("ExactHead", _head_case, _run_head, every_isa=True),
)

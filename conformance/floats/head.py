"""The certified head: bounds of the coarse pass and of the rows again, the argmax that rests on them, and the linear product.

The sources of error are taken one at a time, with inputs that attain what is claimed for each: a residual and an activation that are
collinear; activations half-way between whole numbers, all of one sign; partial sums of which every addition loses half a unit.
A case names few blocks and entries of what may be a long row, the rest being zero.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...core import head as kernel
from ...core import margin
from ...errors import NonFiniteError
from ...inference import CertifiedHead, CertifiedLinear, NestedCode
from ...inference.head import _lead
from ...inference.reference import Reference
from ...lm.weights import Weight
from ..running import nearness
from ..running.checks import Check, Result

BLOCK, MOST = 32, 4096
Blocks = list[list[Any]]  # of a row: [block, scale as the bits of a half, 32 codes]
Entries = list[list[Any]]  # of an activation: [column, float32]


def _half(x: float) -> int:
    return int(np.float16(x).view(np.uint16))


def _scale(bits: int) -> Fraction:
    return Fraction(float(np.uint16(bits).view(np.float16)))


def _arrays(blocks: int, rows: list[Blocks], entries: Entries) -> tuple[Weight, np.ndarray]:
    raw = np.zeros((len(rows), blocks, 34), np.uint8)
    for r, row in enumerate(rows):
        for b, scale, codes in row:
            raw[r, b, :2] = np.array([scale], "<u2").view(np.uint8)
            raw[r, b, 2:] = np.array(codes, np.int8).view(np.uint8)
    a = np.zeros(blocks * BLOCK, np.float32)
    for k, x in entries:
        a[k] = x
    return Weight("w", "Q8_0", raw.reshape(len(rows), -1), blocks * BLOCK), a


def _products(rows: list[Blocks], entries: Entries) -> list[Fraction]:
    x = {k: Fraction(v) for k, v in entries}
    return [
        sum((_scale(scale) * q * x[b * BLOCK + k] for b, scale, codes in row for k, q in enumerate(codes) if b * BLOCK + k in x), Fraction(0)) for row in rows
    ]


# ---- cases ---------------------------------------------------------------------------------------------------------------


def _tiny(rng: Random) -> float:
    return 2.0 ** rng.randint(-9, 3)


def _any_row(rng: Random, blocks: int) -> Blocks:
    codes = rng.choice(([-128, 127], [-128, -8, 0, 7, 127], list(range(-128, 128))))
    return [
        [
            b,
            _half(rng.choice((1, -1)) * rng.choice((_tiny(rng), rng.random(), 6e4, 2.0**-24))) if rng.random() < 0.9 else 0,
            [rng.choice(codes) for _ in range(BLOCK)],
        ]
        for b in range(blocks)
    ]


def _any(rng: Random) -> tuple[Any, ...]:
    """Wild: scales over the whole range, codes at the ends, entries just below a power of two, tiny ones, none in a block."""
    blocks = rng.randint(1, 3)
    size = 2.0 ** rng.choice((-140, -20, 0, 100))
    entries = [
        [k, float(np.float32(size * rng.choice((1, -1)) * rng.choice((rng.random(), 1 - rng.random() / 256, 0.5, 2.0**-9, 2.0**-70, 2.0**-20))))]
        for k in range(blocks * BLOCK)
        if rng.random() < rng.choice((0.1, 1.0))
    ]
    entries = [e for e in entries if e[1]] or [[0, size]]
    return blocks, [_any_row(rng, blocks) for _ in range(rng.randint(1, 20))], entries, rng.choice((0, 1, 5, 32, blocks * BLOCK)), ""


def _residual(rng: Random) -> tuple[Any, ...]:
    """Nothing split, and the activation a multiple of the residual that the coarse plane leaves, block by block."""
    blocks, unit, row, entries = rng.choice((1, 1, 2, 4)), 2.0 ** rng.randint(-20, 20), [], []
    d = _half(rng.choice((1, -1)) * rng.uniform(0.5, 1.0))
    for b in range(blocks):  # of one size in all blocks, so that each gives its full share
        lows = [rng.choice((0, 15)) for _ in range(BLOCK)] if rng.random() < 0.5 else [rng.choice((5, 7, 8, 9, 15, rng.randrange(16))) for _ in range(BLOCK)]
        row.append([b, d, [16 * rng.randrange(16) - 128 + low for low in lows]])
        entries += [[b * BLOCK + k, (2 * low - 15) * unit] for k, low in enumerate(lows)]
    if rng.random() < 0.5:
        entries = [[k, -x] for k, x in entries]
    return blocks, [row], entries, 0, "residual"


def _rounding(rng: Random) -> tuple[Any, ...]:
    """Everything split, codes of -128, and entries half-way between the whole numbers that they are rounded to."""
    unit, sign = 2.0 ** rng.randint(-30, 30), rng.choice((1, -1))
    lead = rng.randrange(BLOCK)
    entries = [[k, sign * unit * (2 * (16384 if k == lead else 2 * rng.randrange(40)) + 1)] for k in range(BLOCK)]  # ties, to an even number below
    return 1, [[[0, _half(rng.choice((1, -1)) * rng.uniform(0.5, 1.0)), [-128] * BLOCK]]], entries, BLOCK, "rounded activation"


def _lost(rng: Random) -> tuple[Any, ...]:
    """Everything split; each block but the first adds half a unit of a float32 sum that stays what it is."""
    blocks = rng.choice((2, 16, 64, 1024, 1024, 1024, 1024))
    row, entries = [[0, _half(1.0), [-128] * BLOCK]], [[k, 0.5] for k in range(BLOCK)]  # 2^11; half a unit is 2^-13
    for b in range(1, blocks):
        row.append([b, _half(2.0**-5), [-128] + [0] * (BLOCK - 1)])
        entries.append([b * BLOCK, 2.0**-15])
    if blocks <= 64:  # the sum of the first block loses half a unit when it becomes a float
        entries[0][1] += 15 * 2.0**-22
    return blocks, [row], entries, blocks * BLOCK, "floats"


def _held(rng: Random) -> tuple[Any, ...]:
    """A block whose entries are far below the smallest unit, and alone count."""
    k, x = rng.randrange(BLOCK), 2.0 ** rng.choice((-149, -140, -100))
    return 2, [[[1, _half(rng.choice((1.0, 2.0**-24))), [rng.choice((-128, 127))] * BLOCK]]], [[0, 2.0**127], [BLOCK + k, x]], rng.choice((0, 4, 64)), ""


def _coarse_case(rng: Random) -> tuple[Any, ...]:
    return rng.choice((_any, _any, _any, _held))(rng)


def _attained_case(rng: Random) -> tuple[Any, ...]:
    return rng.choice((_residual, _rounding, _lost))(rng)


def _rows_case(rng: Random) -> tuple[Any, ...]:
    """Float64 sums of which nearly every addition loses half a unit: over the blocks, over the pieces of a block, over the lanes."""
    if rng.random() < 0.4:
        return _any(rng)
    blocks = rng.choice((1, 2, 16, 64, 2048, 2048, 2048, 2048) if rng.random() < 0.9 else (MOST,))
    row, entries = [[0, _half(1.0), [-128] * BLOCK]], [[0, 0.5]]  # 2^6; half a unit is 2^-47
    entries += [[k, 2.0**-54] for k in (8, 16, 24, 1, 2, 4)]
    for b in range(1, blocks):
        row.append([b, _half(1.0), [-128] + [0] * (BLOCK - 1)])
        entries.append([b * BLOCK, 2.0**-54])
    return blocks, [row], entries, 0, "sums"


# ---- the kernels ---------------------------------------------------------------------------------------------------------


def _scaled(rows: list[Blocks], entries: Entries, exponent: int) -> list[Fraction]:
    return [y / Fraction(2) ** exponent for y in _products(rows, entries)]


def _holds(name: str, error: Fraction, bound: float) -> bool:
    """Whether a bound holds; recorded under a name where the case was built to come near to it."""
    return nearness.record(name, error, bound) if name else error <= Fraction(bound)


def _run_coarse(blocks: int, rows: list[Blocks], entries: Entries, split: int, kind: str) -> Result:
    weight, a = _arrays(blocks, rows, entries)
    planes, plan = kernel.pack(weight.blocks, weight.rows), kernel.Plan(a, split)
    z, eps = np.empty((2, len(planes[0]) * kernel.GROUP), np.float32)
    kernel.coarse(plan, planes, 0, len(planes[0]), z, eps)
    for r, y in enumerate(_scaled(rows, entries, plan.exponent)):
        if not _holds(f"head.coarse, {kind}" if kind else "", abs(Fraction(float(z[r])) - y), float(eps[r])):
            return Result(len(rows), f"row {r}: {z[r]} is off by {float(abs(Fraction(float(z[r])) - y))}, claimed are {eps[r]}")
    return Result(len(rows), None, len(rows))


def _run_rows(blocks: int, rows: list[Blocks], entries: Entries, split: int, kind: str) -> Result:
    weight, a = _arrays(blocks, rows, entries)
    plan = kernel.Plan(a, split)
    y, err = kernel.rows(weight.raw, plan, np.arange(len(rows)))
    for r, truth in enumerate(_scaled(rows, entries, plan.exponent)):
        if not _holds(f"head.rows, {kind}" if kind else "", abs(Fraction(float(y[r])) - truth), float(err[r])):
            return Result(len(rows), f"row {r}: {y[r]} is off by {float(abs(Fraction(float(y[r])) - truth))}, claimed are {err[r]}")
    return Result(len(rows), None, len(rows))


def _no_number(rng: Random) -> tuple[Any, ...]:
    """A matrix with one scale that is no number, and an activation with one entry that is none; the largest and least bits of each kind."""
    rows, blocks = rng.choice((1, 3, 17)), rng.choice((1, 2))
    return (
        rows,
        blocks,
        rng.randrange(rows * blocks),
        rng.choice((0x7C00, 0x7C01, 0x7FFF, 0xFC00, 0xFC01, 0xFFFF)),
        rng.randrange(blocks * BLOCK),
        rng.choice(("nan", "inf", "-inf")),
    )


def _run_no_number(rows: int, blocks: int, block: int, scale: int, entry: int, what: str) -> Result:
    weight, a = _arrays(blocks, [[[b, _half(1.0), [1] * BLOCK] for b in range(blocks)] for _ in range(rows)], [[k, 1.0] for k in range(blocks * BLOCK)])
    coded = weight.blocks.copy()
    coded[block, :2] = np.array([scale], "<u2").view(np.uint8)
    a[entry] = float(what)
    for call, argument, place in ((lambda: kernel.pack(coded, rows), "blocks", block), (lambda: kernel.Plan(a, 0), "activation", entry)):
        try:
            call()
        except NonFiniteError as error:
            if (error.argument, error.index) != (argument, place):
                return Result(2, f"{error.argument}[{error.index}] is named, it is {argument}[{place}]")
        else:
            return Result(2, f"{argument}[{place}] is taken for a number")
    return Result(2, refused=2)


# ---- residual energies of rows -------------------------------------------------------------------------------------------


def _energies_case(rng: Random) -> tuple[Any, ...]:
    """Blocks of one residual size, whose root is a whole number, and one scale far above the others, to which every other is lost."""
    size, blocks = rng.choice((1, 3, 5, 15, 15)), rng.choice((1, 2, 30, 300))
    lows = [rng.choice(((15 - size) // 2, (15 + size) // 2)) for _ in range(BLOCK)]
    if rng.random() < 0.3:
        return blocks, [_any_row(rng, min(blocks, 3))]
    return blocks, [[[b, _half(2.0**15 if b == 0 else 2.0**-12), [16 * rng.randrange(16) - 128 + low for low in lows]] for b in range(blocks)]]


def _run_energies(blocks: int, rows: list[Blocks]) -> Result:
    weight, _ = _arrays(blocks, rows, [])
    code = NestedCode(weight)
    root = code.planes[3]
    for r, bound in enumerate(code.row_energies().tolist()):
        truth = Fraction(0)
        quarter = {b: sum((2 * (q + 128 & 15) - 15) ** 2 for q in codes) for b, _, codes in rows[r]}
        for b, scale, _ in rows[r]:
            truth += _scale(scale) ** 2 * quarter[b] / 4
            have = int(root[r // 16, b, r % 16])
            if not (have - 1) ** 2 * 7200 < quarter[b] * 65025 <= have**2 * 7200:
                return Result(len(rows), f"row {r}, block {b}: {have} is not the least root")
        if not nearness.record("NestedCode.row_energies", truth, bound):
            return Result(len(rows), f"row {r}: the energy {float(truth)} is above its bound {bound}")
    return Result(len(rows), None, len(rows))


# ---- the head ------------------------------------------------------------------------------------------------------------


def _near_rows(rng: Random) -> tuple[Any, ...]:
    """Rows that differ in few codes, under activations with entries so small that only whole numbers tell them apart."""
    blocks, n = rng.randint(1, 3), rng.randint(2, 12)
    first = _any_row(rng, blocks)
    rows = [first]
    for _ in range(n - 1):
        row = [[b, d, list(codes)] for b, d, codes in rng.choice(rows)]
        for _ in range(rng.choice((0, 1, 1, 2))):
            codes = rng.choice(row)[2]
            k = rng.randrange(BLOCK)
            codes[k] = max(-128, min(127, codes[k] + rng.choice((1, -1, 3))))
        rows.append(row)
    low = rng.choice((-149, -80, -40, -3))
    entries = [[k, rng.choice((1, -1)) * 2.0 ** (low if rng.random() < 0.5 else rng.randint(-2, 2))] for k in range(blocks * BLOCK)]
    return blocks, rows, entries, rng.choice((0, 4, 32))


def _misordered(rng: Random) -> tuple[Any, ...]:
    """Float64 loses every block but the first of one row, and keeps less of the other."""
    blocks = rng.choice((8, 64))
    rows = [
        [[0, _half(1.0), [-128] * BLOCK], *([b, _half(1.0), [-128] * BLOCK] for b in range(1, blocks))],
        [[0, _half(1.0), [-128] * BLOCK], [1, _half(2.0), [-128] * BLOCK]],
    ]
    return blocks, rows[:: rng.choice((1, -1))], [[0, -0.5], *([b * BLOCK, -(2.0**-54)] for b in range(1, blocks))], rng.choice((0, 4))


def _both_ends(rng: Random) -> tuple[Any, ...]:
    """The product of the row that leads is at the lower end of what the coarse pass leaves open, the other's at the upper, and they lie near."""
    lows, ahead = [rng.choice((0, 15)) for _ in range(BLOCK)], rng.choice((26, 28, 29, 30, 31, 32))  # a lead of 30 columns is that of the bounds
    high = [rng.randint(1, 14) for _ in range(BLOCK)]
    first = [16 * (u + (k < ahead) * (1 if low == 0 else -1)) - 128 + low for k, (u, low) in enumerate(zip(high, lows))]
    other = [16 * u - 128 + 15 - low for u, low in zip(high, lows)]
    return 1, [[[0, _half(1.0), first]], [[0, _half(1.0), other]]], [[k, 1.0 if low == 0 else -1.0] for k, low in enumerate(lows)], 0


def _head_case(rng: Random) -> tuple[Any, ...]:
    return rng.choice((_near_rows, _near_rows, _misordered, _both_ends))(rng)


def _run_head(blocks: int, rows: list[Blocks], entries: Entries, split: int) -> Result:
    weight, a = _arrays(blocks, rows, entries)
    truth = _products(rows, entries)
    order = sorted(range(len(truth)), key=lambda i: (-truth[i], i))
    head = CertifiedHead(weight, split)
    token = head.decide(a)
    if token.token != order[0]:
        return Result(1, f"row {token.token} wins, exactly it is {order[0]}")
    if head.top_k(a, len(truth)) != [(i, truth[i]) for i in order] or head.top_k(a, 1 + len(truth) // 2) != [
        (i, truth[i]) for i in order[: 1 + len(truth) // 2]
    ]:
        return Result(1, "top_k is another order")
    if head.top_k(a, 1) != [(order[0], truth[order[0]])]:
        return Result(1, "the first of top_k is another row")
    if head.certified_margin(a) != truth[order[0]] - truth[order[1]] or Fraction(token.coarse_margin) > truth[order[0]] - truth[order[1]]:
        return Result(1, f"the margin is {float(truth[order[0]] - truth[order[1]])}")
    if token.contenders < 1 or token.contenders > token.candidates or (token.coarse_margin > 0) != (token.candidates == 1):
        return Result(1, f"counts of {token}")
    return Result(1, None, 1, int(token.contenders > 1))


# ---- the lead of the coarse pass ------------------------------------------------------------------------------------------

_LEADS = (  # scores and bounds of which a sum in float32 says too much, shows no lead where there is one, or says 4 for 3
    ([1 + 2.0**-23, 1.0], [2.0**-23 - 2.0**-30, 2.0**-31]),
    ([1 + 2.0**-22, 1.0], [2.0**-22 - 2.0**-24 - 2.0**-29, 2.0**-24 + 2.0**-30]),
    ([2.0**24 + 4, 2.0**24], [0.0, 1.0]),
    ([4.0, 1.0, 1.0], [0.0, 2.0**-61, 2.0**-60]),  # float64 does not tell these sums apart
    ([4.0, 1.0, 1.0], [0.0, 2.0**-60, 2.0**-61]),
)


def _lead_case(rng: Random) -> tuple[Any, ...]:
    """Scores a few units apart, with bounds of which float32, or float64, keeps only a part in the sum."""
    if rng.random() < 0.4:
        return rng.choice(_LEADS)
    size = 2.0 ** rng.choice((-120, 0, 24, 90))
    small = rng.choice((-24, -28, -40, -60))
    n = rng.randint(2, 5)
    z = [float(np.float32(size * (1 + rng.randint(0, 4) * 2.0 ** rng.choice((-23, -22)) * (rng.random() < 0.9)))) for _ in range(n)]
    return z, [
        float(np.float32(size * rng.choice((0, 2.0**-24, 2.0**-25, 1)) * rng.choice((2.0**-24, 1)) + size * 2.0**small * rng.randint(0, 7))) for _ in range(n)
    ]


def _run_lead(z: list[float], eps: list[float]) -> Result:
    scores, bounds = np.array(z, np.float32), np.array(eps, np.float32)
    chosen = margin.candidates(scores, bounds)
    low, up = [Fraction(x) - Fraction(e) for x, e in zip(z, eps)], [Fraction(x) + Fraction(e) for x, e in zip(z, eps)]
    best = low.index(max(low))
    truth = low[best] - max(up[:best] + up[best + 1 :])
    found = _lead(scores, bounds, chosen)
    if found != truth:
        return Result(1, f"the bounds show a lead of {float(truth)}, found is {float(found)}")
    if (found > 0) != (len(chosen) == 1):
        return Result(1, f"a lead of {float(found)} with {len(chosen)} candidates")
    return Result(1, None, int(found > 0), int(found <= 0))


def _linear_case(rng: Random) -> tuple[Any, ...]:
    """A γ just above or below twice the bound of an output whose error comes near to its bound; or any."""
    blocks, rows, entries, split, _ = rng.choice((_residual, _any))(rng)
    factor = rng.choice(
        (Fraction(1), 1 - Fraction(1, 1 << 10), 1 + Fraction(1, 1 << 10), 1 - Fraction(1, 1 << 60), 1 - Fraction(1, 1 << 60), Fraction(0), Fraction(10**9))
    )
    return blocks, rows * (2 if len(rows) < 2 else 1), entries, split, [factor.numerator, factor.denominator]


def _run_linear(blocks: int, rows: list[Blocks], entries: Entries, split: int, factor: list[int]) -> Result:
    weight, a = _arrays(blocks, rows, entries)
    truth, bounds = _products(rows, entries), CertifiedHead(weight, split).bounds(a)[1].tolist()
    γ = 2 * Fraction(bounds[0]) * Fraction(*factor)
    product = CertifiedLinear(weight, γ, split)
    with np.errstate(over="ignore"):
        out = product(a[None])[0]
    kept = [2 * Fraction(b) <= γ for b in bounds]
    if product.total.admitted != sum(kept):
        return Result(len(rows), f"{product.total.admitted} outputs stayed coarse, exactly {sum(kept)} may")
    for r, (y, x, claimed) in enumerate(zip(truth, out.tolist(), product.last_bounds[0].tolist())):
        if np.isinf(x):
            if not np.isinf(claimed):
                return Result(len(rows), f"row {r} is infinite, claimed are {claimed}")
            continue
        if not nearness.record("CertifiedLinear", abs(Fraction(x) - y), claimed):
            return Result(len(rows), f"row {r}: {x} is off by {float(abs(Fraction(x) - y))}, claimed are {claimed}")
        near = Fraction(abs(float(np.spacing(np.float32(x))))) / 2
        if abs(Fraction(x) - y) > γ / 2 + near + abs(y) / (1 << 40):
            return Result(len(rows), f"row {r} is off by {float(abs(Fraction(x) - y))}, more than half of {float(γ)} and a rounding")
    return Result(len(rows), None, product.total.admitted)


# ---- the other path ------------------------------------------------------------------------------------------------------


def _reference_case(rng: Random) -> tuple[Any, ...]:
    """Two products beside 1 of many terms of half a unit, where the smaller comes out larger: a sum that runs from the first term on loses
    those of one row, which are ties, and rounds up those of the other."""
    return rng.choice((32, 64, 256)), rng.choice((0, 1)), rng.choice((1, 2, 3, 3))


def _run_reference(n: int, which: int, tokens: int) -> Result:
    rows = np.zeros((2, n), np.float32)
    a = np.full((tokens, n), 2.0**-27, np.float32)  # a product of 2^-53 beside 1: half a unit, and a tie
    a[:, 0] = 1
    rows[:, 0] = 1
    rows[which, 1:] = 2.0**-26
    rows[1 - which, 2:] = 2.0**-26 + 2.0**-46
    found = Reference(Weight("w", "F32", rows.view(np.uint8), n)).argmax(a)
    truth = [sum((Fraction(float(w)) * Fraction(float(x)) for w, x in zip(row, a[0])), Fraction(0)) for row in rows]
    best = truth.index(max(truth))
    return Result(tokens, None if found.tolist() == [best] * tokens else f"rows {found.tolist()} win, exactly it is {best}", tokens)


CHECKS = (
    Check("core.head.coarse", _coarse_case, _run_coarse, every_isa=True),
    Check("core.head.coarse attained", _attained_case, _run_coarse, every_isa=True),
    Check("core.head.rows", _rows_case, _run_rows, every_isa=True),
    Check("core.head no numbers", _no_number, _run_no_number, batch=16),
    Check("head.row_energies", _energies_case, _run_energies),
    Check("CertifiedHead", _head_case, _run_head, every_isa=True),
    Check("CertifiedHead lead", _lead_case, _run_lead),
    Check("head.CertifiedLinear", _linear_case, _run_linear),
    Check("head.Reference", _reference_case, _run_reference),
)

"""What the certified head is held against, near ties; and the residual energies of its code."""

from __future__ import annotations

import struct
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from ...inference.codes import NestedCode
from ...inference.reference import Reference
from ...lm.weights import Weight
from ..running import nearness
from ..running.checks import Check, Result
from . import exact


class _Rows:
    """A matrix of float32, as far as the reference asks."""

    def __init__(self, rows: np.ndarray) -> None:
        self.rows = rows

    def decoded(self) -> np.ndarray:
        return self.rows


def _ties(rng: Random) -> tuple[Any, ...]:
    """Rows whose products are 1 and a few halves of an ulp, each of which some order of summation loses."""
    n, count = rng.choice((2, 3, 4, 8, 16)), rng.choice((2, 2, 4, 16, 40))
    a = [1.0] + [2.0**-26] * (n - 1)
    tails = (0.0, 0.0, 0.45, 0.55, 0.499, 0.501, 0.9, -0.45)
    rows = [[1.0] + [float(np.float32(rng.choice(tails) * 2.0**-26)) for _ in range(n - 1)] for _ in range(count)]
    order = rng.sample(range(n), n)
    return [[row[i] for i in order] for row in rows], [a[i] for i in order]


def _run_ties(rows: list[list[float]], a: list[float]) -> Result:
    w, x = np.array(rows, np.float32), np.array([a], np.float32)
    products = [sum((u * v for u, v in zip(exact(row), exact(x[0].tolist()))), Fraction(0)) for row in w.tolist()]
    found = int(Reference(_Rows(w)).argmax(x)[0])  # type: ignore[arg-type]  # a weight, as far as it is used
    floats = x.astype(np.float64)[0] @ w.astype(np.float64).T
    for value, product in zip(floats.tolist(), products):
        nearness.record("inference.reference", abs(Fraction(value) - product), (len(a) + 8) * Fraction(1, 1 << 53) * max(map(abs, products)))
    if found != products.index(max(products)):
        return Result(1, f"row {found} is said to be the first of the largest, it is row {products.index(max(products))}")
    return Result(1, None, 1)


def _code_case(rng: Random) -> tuple[Any, ...]:
    """Q8_0 rows whose residuals have a root that is whole in its unit, so that only roundings are left between energy and bound; or any."""
    blocks = rng.choice((1, 2, 3, 7, 24))
    rows = []
    for _ in range(rng.choice((1, 3))):
        row = []
        for _ in range(blocks):
            d = float(np.float16(rng.uniform(1, 2) * 2.0 ** rng.randint(-12, 6)))
            codes = [rng.choice((0, 15)) + 16 * rng.randint(-8, 7) for _ in range(32)] if rng.random() < 0.8 else [rng.randint(-128, 127) for _ in range(32)]
            row.append((struct.pack("<e", d) + struct.pack("<32b", *codes)).hex())
        rows.append(row)
    return (rows,)


def _run_code(rows: list[list[str]]) -> Result:
    raw = np.frombuffer(bytes.fromhex("".join(b for row in rows for b in row)), np.uint8).reshape(len(rows), -1)
    code = NestedCode(Weight("w", "Q8_0", raw, 32 * len(rows[0])))
    for i, (row, bound) in enumerate(zip(rows, code.row_energies().tolist())):
        truth = Fraction(0)
        for block in map(bytes.fromhex, row):
            d, codes = Fraction(struct.unpack_from("<e", block)[0]), struct.unpack_from("<32b", block, 2)
            truth += d * d * sum((Fraction((q + 128) % 16) - Fraction(15, 2)) ** 2 for q in codes)
        if not nearness.record("NestedCode.row_energies", truth, bound):
            return Result(1, f"the energy of row {i} is {bound}, below the true one by {float(truth / Fraction(bound) - 1)}")
    return Result(len(rows), None, len(rows))


CHECKS = (Check("reference near ties", _ties, _run_ties, batch=60), Check("nested code energies", _code_case, _run_code, batch=12))

"""Which rows of an output layer can win, on real weights and a real activation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..core import margin, q8_0, stream
from . import peers
from .harness import BenchError, Case, Skipped

WORK = "candidates"


def logits(weights: np.ndarray, blocks: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coarse logits of the rows for one of them as activation, and how far each may be off: float32[n] both.

    weights: float32[n, w]; blocks: uint8[n * w / 32, 34], their codes.
    """
    rows, width = weights.shape
    activation = weights[rows // 2]
    coarse = q8_0.dequantize(blocks).reshape(rows, width)
    energy = q8_0.residual_energy_upper(blocks, weights.reshape(-1, q8_0.BLOCK_WEIGHTS)).reshape(rows, -1).sum(axis=1)
    bounds = np.sqrt(energy * float(activation.astype(np.float64) @ activation)) * (1 + 1e-6)
    return coarse @ activation, bounds.astype(np.float32)


def numpy_candidates(z: np.ndarray, eps: np.ndarray) -> np.ndarray:
    return np.flatnonzero(z + eps >= (z - eps).max())


def numba_candidates(module: Any) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    @module.njit
    def find(z: np.ndarray, eps: np.ndarray) -> np.ndarray:
        top = z[0] - eps[0]
        for i in range(len(z)):
            top = max(top, z[i] - eps[i])
        out = np.empty(len(z), np.int64)
        count = 0
        for i in range(len(z)):
            if z[i] + eps[i] >= top:
                out[count] = i
                count += 1
        return out[:count]

    return find


def candidates_cases(weights: np.ndarray, blocks: np.ndarray) -> Iterator[Case | Skipped]:
    z, eps = logits(weights, blocks)
    raw = [z.view(np.uint8), eps.view(np.uint8)]
    out = np.empty(len(z), np.int64)
    exact = numpy_candidates(z.astype(np.float64), eps.astype(np.float64))  # sums of these float32 numbers are exact in float64

    def case(peer: str, theirs: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Case:
        if not np.array_equal(margin.candidates(z, eps), exact) or not np.array_equal(theirs(z, eps), exact):
            raise BenchError(f"{WORK}: those here, those of {peer} and those in float64 differ")
        return Case(
            WORK,
            peer,
            2 * z.nbytes,
            2 * z.nbytes,
            lambda _: margin.candidates(z, eps, out=out),
            lambda _: theirs(z, eps),
            lambda _: [stream.read(part) for part in raw],
        )

    yield case("numpy, rounded", numpy_candidates)
    module = peers.NUMBA.load()
    yield Skipped(WORK, "numba", module) if isinstance(module, str) else case("numba, rounded", numba_candidates(module))

"""Every block code but Q8_0, which has comparisons of its own: certified residual energies against decoding and a scalar product."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gguf
import numpy as np

from ..core import blocks, stream
from . import peers
from .harness import BenchError, Case, Skipped

WRITTEN = ("Q5_0", "Q4_0", "Q4_1", "F16", "BF16")  # by gguf
K_CODES = ("Q4_K", "Q6_K")  # by libgguf, where it is installed
PEER = "gguf.dequantize + numpy.dot"


def coded(weights: np.ndarray, encoding: str) -> np.ndarray:
    """Blocks of a matrix, uint8[n, block bytes]; the matrix is taken as one row."""
    size = blocks.sizes(encoding)
    rows = weights.reshape(-1, size[0])
    kind = gguf.GGMLQuantizationType[encoding]
    if encoding in K_CODES:
        import libgguf

        return libgguf.quantize_rows(rows, kind).reshape(-1, size[1])
    return np.ascontiguousarray(gguf.quantize(rows, kind)).view(np.uint8).reshape(-1, size[1])


def peer_energy(raw: np.ndarray, original: np.ndarray, encoding: str) -> float:
    residual = np.asarray(gguf.dequantize(raw, gguf.GGMLQuantizationType[encoding]), np.float32).reshape(original.shape)
    np.subtract(original, residual, out=residual)
    flat = residual.reshape(-1)
    return float(np.dot(flat, flat))


def format_cases(weights: np.ndarray, period: int, count: int) -> Iterator[Case | Skipped]:
    """weights: float32[rows, columns], the first `period` rows repeated, two rows being whole blocks of 256; cut into `count` parts.

    In each round every contender works on another part.
    """
    rows, period = len(weights) // count // 2 * 2, min(period, len(weights)) // 2 * 2
    parts = [weights[k * rows : (k + 1) * rows] for k in range(count)]
    libgguf = peers.LIBGGUF.load()
    for encoding in WRITTEN + K_CODES:
        if encoding in K_CODES and isinstance(libgguf, str):
            yield Skipped(_work(encoding), PEER, f"libgguf, which writes this code, is {libgguf}")
            continue
        codes, size = coded(weights[:period], encoding), blocks.sizes(encoding)[0]  # the writers are slow: once, then repeated
        n = parts[0].size // size
        yield _case([(codes[np.arange(k * n, (k + 1) * n) % len(codes)], part.reshape(-1, size)) for k, part in enumerate(parts)], encoding)


def _work(encoding: str) -> str:
    return f"{encoding.lower()} certified DRAM"


def _case(parts: list[tuple[np.ndarray, np.ndarray]], encoding: str) -> Case:
    raw, original = parts[0]
    out = np.empty(len(raw))

    def upper(k: int) -> np.ndarray:
        return blocks.residual_energy_upper(*parts[k], encoding, out=out)

    def reading(k: int) -> Any:
        return [stream.read(array.reshape(-1).view(np.uint8)) for array in parts[k]]

    total, theirs = float(upper(0).sum()), peer_energy(raw, original, encoding)
    if not abs(total - theirs) <= 1e-3 * total:
        raise BenchError(f"residual energy in {encoding}: {total} here, {theirs} from gguf and numpy.dot")
    nbytes = raw.nbytes + original.nbytes
    return Case(_work(encoding), PEER, nbytes, nbytes, upper, lambda k: peer_energy(*parts[k], encoding), reading, len(parts))

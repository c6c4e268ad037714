"""The comparisons: what is computed, on which data, against whom."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gguf
import numpy as np

from ..core import blocks as kernel
from ..core import energy, lattice, q8_0, stream
from ..models.files import open_model
from . import peers
from .conformal import COUNT, threshold_cases
from .cumloss import ledger_cases
from .formats import format_cases
from .harness import BenchError, Case, Skipped, available_memory, last_level_cache, threads
from .margin import candidates_cases
from .passes import pass_cases

Q8_0 = gguf.GGMLQuantizationType.Q8_0
LEAST_BYTES = 64_000_000
NEAREST = "same kernel rounding to nearest"
VOCABULARY = 30522  # rows of the embedding; those after them repeat it


@dataclass(frozen=True)
class Tensor:
    """A weight matrix and its Q8_0 codes: float32[rows, columns], uint8[rows, columns / 32 · 34]."""

    weights: np.ndarray
    codes: np.ndarray

    @property
    def blocks(self) -> np.ndarray:
        return self.codes.reshape(-1, q8_0.BLOCK_BYTES)

    @property
    def original(self) -> np.ndarray:
        return self.weights.reshape(-1, q8_0.BLOCK_WEIGHTS)

    @property
    def nbytes(self) -> int:
        return self.weights.nbytes + self.codes.nbytes


def wanted_bytes() -> int:
    """More than the largest cache holds, so that the data comes from memory; at least 64 MB, at most an eighth of what is free."""
    return max(LEAST_BYTES, min(last_level_cache() * 5 // 4, available_memory() // 8))


def real_tensor(at_least: int) -> Tensor:
    """The embedding of all-MiniLM-L6-v2, quantized by gguf, repeated until codes and originals together have `at_least` bytes."""
    model = open_model("minilm")
    name = "embeddings.word_embeddings.weight"
    weights = model.rows(name, np.arange(model.info(name).rows))
    codes = gguf.quantize(weights, Q8_0)
    times = -(-at_least // (weights.nbytes + codes.nbytes))
    return Tensor(np.tile(weights, (times, 1)), np.tile(codes, (times, 1)))


def cases(tensor: Tensor, quick: bool, made: Callable[[str], Path | str] | None = None) -> Iterator[Case | Skipped]:
    """The comparisons, one after the other; each checks that both sides agree before it is timed.  made: see `pass_cases`; no passes without."""
    yield from q8_0_cases(tensor)
    # the other writers and readers are slow: for a quick run fewer rows to write, and smaller parts to read, as much in all
    few = VOCABULARY // 16 * 2 if quick else VOCABULARY
    repeated = np.resize(tensor.weights[:few], tensor.weights.shape) if quick else tensor.weights
    yield from format_cases(repeated, few, max(1, tensor.nbytes // (LEAST_BYTES // 8 if quick else LEAST_BYTES)))
    yield from e8_cases(tensor, 200_000 if quick else 1_000_000)
    yield energy_case(tensor, 1_000_000 if quick else 4_000_000)
    yield from threshold_cases(real_scores(tensor, COUNT))
    yield from ledger_cases()
    rows = min(VOCABULARY, len(tensor.weights))
    yield from candidates_cases(tensor.weights[:rows], tensor.codes[:rows].reshape(-1, q8_0.BLOCK_BYTES))
    if made is not None:
        yield from pass_cases(made)


def real_scores(tensor: Tensor, count: int) -> np.ndarray:
    """Sizes of residuals of single weights, float64[count]."""
    blocks = -(-count // q8_0.BLOCK_WEIGHTS)
    residual = tensor.original[:blocks] - q8_0.dequantize(tensor.blocks[:blocks])
    return np.resize(np.abs(residual.reshape(-1)).astype(np.float64), count)


# ---- Q8_0 ----


def in_parts(tensor: Tensor) -> list[Tensor]:
    """The tensor cut into parts of one size, at least 64 MB of codes and originals each: one part where there is less."""
    count = max(1, tensor.nbytes // LEAST_BYTES)
    rows = len(tensor.weights) // count
    return [Tensor(tensor.weights[k * rows : (k + 1) * rows], tensor.codes[k * rows : (k + 1) * rows]) for k in range(count)]


def peer_energy(tensor: Tensor) -> float:
    """What one writes without this package: decode, subtract, scalar product.  float32, no bound on its error."""
    residual = gguf.dequantize(tensor.codes, Q8_0)
    np.subtract(tensor.weights, residual, out=residual)
    flat = residual.reshape(-1)
    return float(np.dot(flat, flat))


def read(tensor: Tensor) -> None:
    """Plain reading of codes and originals."""
    stream.read(tensor.codes.reshape(-1))
    stream.read(tensor.weights.reshape(-1).view(np.uint8))


def numba_energy(module: Any) -> Callable[[np.ndarray, np.ndarray], float]:
    """Decoding and scalar product in one compiled loop, with an exact table of half-precision scales."""
    table = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)

    @module.njit(fastmath=True, error_model="numpy")
    def energy(blocks: np.ndarray, original: np.ndarray, scales: np.ndarray) -> float:
        total = np.float64(0)
        for b in range(len(blocks)):
            scale = scales[blocks[b, 0] | np.uint16(blocks[b, 1]) << 8]
            part = np.float32(0)
            for k in range(32):
                residual = original[b, k] - scale * np.float32(np.int8(blocks[b, 2 + k]))
                part += residual * residual
            total += part
        return total

    return lambda blocks, original: energy(blocks, original, table)


def q8_0_cases(tensor: Tensor) -> Iterator[Case | Skipped]:
    parts = in_parts(tensor)
    nbytes, n = parts[0].nbytes, len(parts[0].blocks)
    out, decoded = np.empty(n), np.empty((n, q8_0.BLOCK_WEIGHTS), np.float32)

    def upper(part: Tensor, o: np.ndarray = out) -> np.ndarray:
        return q8_0.residual_energy_upper(part.blocks, part.original, out=o)

    def nearest(part: Tensor, o: np.ndarray = out) -> np.ndarray:
        return kernel._q8_0_residual_nearest(part.blocks, part.original, out=o)

    total, theirs = float(upper(parts[0]).sum()), peer_energy(parts[0])
    if not abs(total - theirs) <= 1e-3 * total:
        raise BenchError(f"residual energy: {total} here, {theirs} from gguf and numpy.dot")
    if not np.array_equal(q8_0.dequantize(parts[0].blocks, out=decoded), gguf.dequantize(parts[0].codes, Q8_0).reshape(-1, q8_0.BLOCK_WEIGHTS)):
        raise BenchError("decoded weights differ from those of gguf")

    peer = "gguf.dequantize + numpy.dot"
    yield Case("q8_0 certified DRAM", peer, nbytes, nbytes, lambda k: upper(parts[k]), lambda k: peer_energy(parts[k]), lambda k: read(parts[k]), len(parts))
    numba = peers.NUMBA.load()
    if isinstance(numba, str):
        yield Skipped("q8_0 certified DRAM", "numba", numba)
    else:
        compiled = numba_energy(numba)
        if not abs(total - compiled(parts[0].blocks, parts[0].original)) <= 1e-3 * total:
            raise BenchError("residual energy: the loop compiled by numba disagrees")
        yield Case(
            "q8_0 certified DRAM",
            "numba, fused, no bound of the error",
            nbytes,
            nbytes,
            lambda k: upper(parts[k]),
            lambda k: compiled(parts[k].blocks, parts[k].original),
            lambda k: read(parts[k]),
            len(parts),
        )
    if threads() >= 2:
        half = len(parts[0].weights) // 2
        pairs = [(Tensor(p.weights[:half], p.codes[:half]), Tensor(p.weights[half:], p.codes[half:])) for p in parts]
        outs = out[: len(pairs[0][0].blocks)], out[len(pairs[0][0].blocks) :]
        with ThreadPoolExecutor(2) as pool:
            yield Case(
                "q8_0 certified DRAM, two threads",
                peer,
                nbytes,
                nbytes,
                lambda k: list(pool.map(upper, pairs[k], outs)),
                lambda k: peer_energy(parts[k]),
                lambda k: list(pool.map(read, pairs[k])),
                len(parts),
            )
    yield Case(
        "q8_0 certification overhead", NEAREST, nbytes, nbytes, lambda k: upper(parts[k]), lambda k: nearest(parts[k]), lambda k: read(parts[k]), len(parts)
    )
    rows = min(len(tensor.weights), 512)  # 1 MB: from the cache, where arithmetic and not memory sets the pace
    small = Tensor(tensor.weights[:rows], tensor.codes[:rows])
    few = out[: len(small.blocks)]
    yield Case(
        "q8_0 certification overhead, in cache",
        NEAREST,
        small.nbytes,
        small.nbytes,
        lambda k: upper(small, few),
        lambda k: nearest(small, few),
        lambda k: read(small),
    )
    yield Case(
        "q8_0 dequantize",
        "gguf.dequantize",
        parts[0].codes.nbytes + decoded.nbytes,
        nbytes,
        lambda k: q8_0.dequantize(parts[k].blocks, out=decoded),
        lambda k: gguf.dequantize(parts[k].codes, Q8_0),
        lambda k: read(parts[k]),
        len(parts),
    )
    libgguf = peers.LIBGGUF.load()
    if isinstance(libgguf, str):
        yield Skipped("q8_0 dequantize", "libgguf", libgguf)
        return
    columns = parts[0].weights.shape[1]
    if not np.array_equal(libgguf.dequantize_rows(parts[0].codes, Q8_0, columns), q8_0.dequantize(parts[0].blocks).reshape(-1, columns)):
        raise BenchError("decoded weights differ from those of libgguf")
    yield Case(
        "q8_0 dequantize",
        "libgguf.dequantize_rows",
        parts[0].codes.nbytes + decoded.nbytes,
        nbytes,
        lambda k: q8_0.dequantize(parts[k].blocks, out=decoded),
        lambda k: libgguf.dequantize_rows(parts[k].codes, Q8_0, columns),
        lambda k: read(parts[k]),
        len(parts),
    )


# ---- E8 ----


def numpy_e8(x: np.ndarray) -> np.ndarray:
    """Conway and Sloane, vectorised, in float32."""
    half = np.float32(0.5)

    def d8(t: np.ndarray) -> np.ndarray:
        near = np.floor(t + half)
        error = t - near
        odd = np.flatnonzero(near.sum(axis=1) % 2)
        worst = np.abs(error[odd]).argmax(axis=1)
        near[odd, worst] += np.where(error[odd, worst] >= 0, np.float32(1), np.float32(-1))
        return near

    a, b = d8(x), d8(x - half) + half
    nearer = ((x - a) ** 2).sum(axis=1) <= ((x - b) ** 2).sum(axis=1)
    return np.where(nearer[:, None], a, b)


def numba_e8(module: Any) -> Callable[[np.ndarray], np.ndarray]:
    """The same row by row, compiled."""
    half = np.float32(0.5)

    @module.njit
    def d8(t: np.ndarray, near: np.ndarray) -> None:
        total, worst, where = np.float32(0), np.float32(-1), 0
        for i in range(8):
            near[i] = np.floor(t[i] + half)
            total += near[i]
            error = abs(t[i] - near[i])
            if error > worst:
                worst, where = error, i
        if total % 2:
            near[where] += np.float32(1) if t[where] >= near[where] else np.float32(-1)

    @module.njit
    def nearest(x: np.ndarray) -> np.ndarray:
        out = np.empty_like(x)
        a, b, t = np.empty(8, np.float32), np.empty(8, np.float32), np.empty(8, np.float32)
        for row in range(len(x)):
            d8(x[row], a)
            for i in range(8):
                t[i] = x[row, i] - half
            d8(t, b)
            from_a = from_b = np.float32(0)
            for i in range(8):
                b[i] += half
                from_a += (x[row, i] - a[i]) ** 2
                from_b += (x[row, i] - b[i]) ** 2
            for i in range(8):
                out[row, i] = a[i] if from_a <= from_b else b[i]
        return out

    return nearest


def e8_cases(tensor: Tensor, rows: int) -> Iterator[Case | Skipped]:
    flat = tensor.weights.reshape(-1, lattice.DIMENSION)
    x = np.resize(flat, (rows, lattice.DIMENSION)) / np.float32(flat[:100_000].std() / 2)  # steps of half a standard deviation
    x = np.ascontiguousarray(x.clip(-1000, 1000), np.float32)
    out = np.empty(x.shape, np.float32)
    raw = x.reshape(-1).view(np.uint8)

    def case(peer: str, theirs: Callable[[np.ndarray], np.ndarray]) -> Case:
        different = (lattice.nearest_e8(x) != theirs(x)).any(axis=1).mean()
        if not different <= 1e-4:  # at near ties float32 decides by the order of its operations
            raise BenchError(f"{different:.3%} of the E8 points differ from those of {peer}")
        return Case("e8 nearest", peer, 2 * x.nbytes, x.nbytes, lambda _: lattice.nearest_e8(x, out=out), lambda _: theirs(x), lambda _: stream.read(raw))

    yield case("numpy, vectorised", numpy_e8)
    module = peers.NUMBA.load()
    yield Skipped("e8 nearest", "numba", module) if isinstance(module, str) else case("numba, row by row", numba_e8(module))


# ---- the energy gate ----


def energy_case(tensor: Tensor, n: int) -> Case:
    """Real residual energies against a margin that about half of them pass, for activations of unit energy."""
    some = min(len(tensor.blocks), n)
    E = np.resize(q8_0.residual_energy_upper(tensor.blocks[:some], tensor.original[:some]), n)
    A = np.ones(1)
    rng = np.random.default_rng(0)
    gamma = np.sqrt(4 * np.median(E)) * rng.uniform(0.5, 1.5, n)
    out = np.empty(n, np.int8)
    answers = energy.decide_many(E, A, gamma)
    if not np.array_equal(answers[answers >= 0] == 1, (4 * E * A <= gamma * gamma)[answers >= 0]):
        raise BenchError("the gate and numpy disagree on entries that are not close")
    raw = E.view(np.uint8), gamma.view(np.uint8)
    return Case(
        "energy gate batch",
        "numpy 4*E*A <= gamma**2, not certified",
        E.nbytes + gamma.nbytes + out.nbytes,
        E.nbytes + gamma.nbytes,
        lambda _: energy.decide_many(E, A, gamma, out=out),
        lambda _: 4 * E * A <= gamma * gamma,
        lambda _: [stream.read(r) for r in raw],
    )

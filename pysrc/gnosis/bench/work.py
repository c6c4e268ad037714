"""The comparisons: what is computed, on which data, against whom."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import gguf
import numpy as np

from ..core import energy, lattice, q8_0, stream
from ..probe.models import open_model
from .harness import BenchError, Case, available_memory, last_level_cache, threads

Q8_0 = gguf.GGMLQuantizationType.Q8_0
LEAST_BYTES = 64_000_000
NEAREST = "same kernel rounding to nearest"


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


def cases(tensor: Tensor, quick: bool) -> Iterator[Case]:
    """The comparisons, one after the other; each checks that both sides agree before it is timed."""
    yield from q8_0_cases(tensor)
    yield e8_case(tensor, 200_000 if quick else 1_000_000)
    yield energy_case(tensor, 1_000_000 if quick else 4_000_000)


# ---- Q8_0 ----


def peer_energy(tensor: Tensor) -> float:
    """What one writes without this package: decode, subtract, scalar product.  float32, no bound on its error."""
    residual = gguf.dequantize(tensor.codes, Q8_0)
    np.subtract(tensor.weights, residual, out=residual)
    flat = residual.reshape(-1)
    return float(np.dot(flat, flat))


def halves(call: Callable[..., Any], *arrays: np.ndarray) -> Callable[[], Any]:
    """`call` on the two halves of the arrays' rows, on two threads."""
    middle = len(arrays[0]) // 2
    parts = [[array[:middle] for array in arrays], [array[middle:] for array in arrays]]
    pool = ThreadPoolExecutor(2)
    return lambda: list(pool.map(lambda part: call(*part), parts))


def q8_0_cases(tensor: Tensor) -> Iterator[Case]:
    blocks, original = tensor.blocks, tensor.original
    out, decoded = np.empty(len(blocks)), np.empty((len(blocks), 32), np.float32)
    codes, weights = tensor.codes.reshape(-1), tensor.weights.reshape(-1).view(np.uint8)

    def upper(b: np.ndarray = blocks, w: np.ndarray = original, o: np.ndarray = out) -> np.ndarray:
        return q8_0.residual_energy_upper(b, w, out=o)

    def reading() -> None:
        stream.read(codes)
        stream.read(weights)

    total, theirs = float(upper().sum()), peer_energy(tensor)
    if not abs(total - theirs) <= 1e-3 * total:
        raise BenchError(f"residual energy: {total} here, {theirs} from gguf and numpy.dot")
    if not np.array_equal(q8_0.dequantize(blocks, out=decoded), gguf.dequantize(tensor.codes, Q8_0).reshape(-1, 32)):
        raise BenchError("decoded weights differ from those of gguf")

    moved = tensor.nbytes + out.nbytes
    peer = "gguf.dequantize + numpy.dot"
    yield Case("q8_0 certified DRAM", peer, tensor.nbytes, tensor.nbytes, upper, lambda: peer_energy(tensor), reading)
    if threads() >= 2:
        pair = halves(lambda c, w: (stream.read(c), stream.read(w)), codes, weights)
        yield Case("q8_0 certified DRAM, two threads", peer, tensor.nbytes, tensor.nbytes, halves(upper, blocks, original, out), lambda: peer_energy(tensor), pair)
    nearest = lambda: q8_0._residual_energy_nearest(blocks, original, out=out)  # noqa: E731
    yield Case("q8_0 certification overhead", NEAREST, tensor.nbytes, tensor.nbytes, upper, nearest, reading)
    few = min(len(blocks), 1 << 13)  # 1.3 MB: from the cache, where arithmetic and not memory sets the pace
    some = blocks[:few], original[:few], out[:few]
    again = max(1, len(blocks) // few // 4)
    yield Case("q8_0 certification overhead, in cache", NEAREST, again * few * 162, again * few * 162,
               lambda: [upper(*some) for _ in range(again)], lambda: [q8_0._residual_energy_nearest(some[0], some[1], out=some[2]) for _ in range(again)],
               lambda: [(stream.read(codes[: few * 34]), stream.read(weights[: few * 128])) for _ in range(again)])
    yield Case("q8_0 dequantize", "gguf.dequantize", codes.nbytes + decoded.nbytes, tensor.nbytes, lambda: q8_0.dequantize(blocks, out=decoded),
               lambda: gguf.dequantize(tensor.codes, Q8_0), reading)


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


def e8_case(tensor: Tensor, rows: int) -> Case:
    flat = tensor.weights.reshape(-1, lattice.DIMENSION)
    x = np.resize(flat, (rows, lattice.DIMENSION)) / np.float32(flat[:100_000].std() / 2)  # steps of half a standard deviation
    x = np.ascontiguousarray(x.clip(-1000, 1000), np.float32)
    out = np.empty_like(x)
    different = (lattice.nearest_e8(x) != numpy_e8(x)).any(axis=1).mean()
    if not different <= 1e-5:  # at near ties float32 decides by the order of its operations
        raise BenchError(f"{different:.2%} of the E8 points differ from those of numpy")
    read = x.reshape(-1).view(np.uint8)
    return Case("e8 nearest", "numpy, vectorised", 2 * x.nbytes, x.nbytes, lambda: lattice.nearest_e8(x, out=out), lambda: numpy_e8(x), lambda: stream.read(read))


# ---- the energy gate ----


def energy_case(tensor: Tensor, n: int) -> Case:
    """Real residual energies against a margin that about half of them pass, for activations of unit energy."""
    some = min(len(tensor.blocks), n)
    E = np.resize(q8_0.residual_energy_upper(tensor.blocks[:some], tensor.original[:some]), n)
    A = np.ones(1)
    rng = np.random.default_rng(0)
    gamma = np.sqrt(4 * np.median(E)) * rng.uniform(0.5, 1.5, n)
    out = np.empty(n, np.int8)
    plain = lambda: 4 * E * A <= gamma * gamma  # noqa: E731
    answers = energy.decide_many(E, A, gamma)
    if not np.array_equal(answers[answers >= 0] == 1, plain()[answers >= 0]):
        raise BenchError("the gate and numpy disagree on entries that are not close")
    read = E.view(np.uint8), gamma.view(np.uint8)
    return Case("energy gate batch", "numpy 4*E*A <= gamma**2, not certified", E.nbytes + gamma.nbytes + out.nbytes, E.nbytes + gamma.nbytes,
                lambda: energy.decide_many(E, A, gamma, out=out), plain, lambda: [stream.read(r) for r in read])

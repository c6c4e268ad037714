"""Matrices in block codes: decoded rows, exact integers, sidecars of residual energies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..core import blocks as kernel
from ..errors import DtypeError, EmptyError, LengthError, RangeError
from ..numbers.bounds import dots
from ..numbers.exact import check_finite, plain, power_of_two

_UNIT = -24  # exponent of the unit of half-precision scales, and of every weight of a block code


def row_bytes(encoding: str, columns: int) -> int:
    """Bytes of a row of weights.  Raises RangeError for an unknown encoding, LengthError for a row that is not whole blocks."""
    weights, size = kernel.sizes(encoding)
    if encoding in kernel.FLOATS:
        weights, size = 1, size // weights
    if columns <= 0 or columns % weights:
        raise LengthError("columns", columns, f"a row is not whole {encoding} blocks of {weights} weights")
    return columns // weights * size


def _blocks(raw: np.ndarray, encoding: str, columns: int) -> np.ndarray:
    """uint8[rows, row bytes] as blocks, uint8[n, block bytes]; rows of floats are filled up to whole blocks with zeros."""
    need = row_bytes(encoding, columns)
    if not isinstance(raw, np.ndarray) or raw.dtype != np.uint8:
        raise DtypeError("raw", getattr(raw, "dtype", raw), "must be an array of uint8")
    if plain(raw, "raw").ndim != 2 or raw.shape[1] != need:
        raise LengthError("raw", raw.shape, f"{columns} weights of {encoding} take {need} bytes a row")
    if not len(raw):
        raise EmptyError("raw", raw.shape)
    size = kernel.sizes(encoding)[1]
    return np.pad(raw, ((0, 0), (0, -need % size))).reshape(-1, size) if need % size else np.ascontiguousarray(raw).reshape(-1, size)


def _matrix(weights: Any, name: str) -> np.ndarray:
    if not isinstance(weights, np.ndarray) or weights.dtype != np.float32:
        raise DtypeError(name, getattr(weights, "dtype", weights), "must be an array of float32")
    if plain(weights, name).ndim != 2:
        raise LengthError(name, weights.shape, "must have 2 dimensions")
    if not weights.size:
        raise EmptyError(name, weights.shape)
    return weights


def decode_rows(raw: np.ndarray, encoding: str, columns: int) -> np.ndarray:
    """Weights float32[rows, columns] of uint8[rows, row bytes], bit for bit those of `gguf`.

    Raises NonFiniteError naming the block (counted through all rows), LengthError for no rows and for rows that are cut off or
    not whole blocks, RangeError, DtypeError, FloatEnvironmentError.
    """
    coded = _blocks(raw, encoding, columns)
    weights = kernel.dequantize(coded, encoding)
    return weights.reshape(len(raw), -1)[:, :columns]


def energy_rows(raw: np.ndarray, weights: np.ndarray, encoding: str, tile: int | None = None) -> np.ndarray:
    """Certified residual energies of a coded matrix: float64[rows, columns / tile], or float64[rows] when tile is None.

    raw: uint8[rows, row bytes]; weights: float32[rows, columns], what they stand for.  tile: neighbouring weights of a row that
    share an entry, whole blocks; None: the row.
    Each entry is at least Σ (weight − decoded)² over its tile as real numbers, decoded what `decode_rows` gives, and at most
    1 + 2^-19 times that: bounds per block from the kernel, added with outward rounding.  It is the E of
    `Gnosis.energy_sidecar_sound`.
    Raises as `decode_rows`.
    Promises: tested `tests/test_formats.py::test_the_bound_is_never_too_small`, `tests/test_formats.py::test_the_sidecar_of_a_real_tensor`.
    """
    rows, columns = _matrix(weights, "weights").shape
    coded = _blocks(raw, encoding, columns)
    if len(raw) != rows:
        raise LengthError("raw", raw.shape, f"there are {rows} rows of weights")
    size = kernel.sizes(encoding)[0]
    padded = np.pad(weights, ((0, 0), (0, -columns % size))) if columns % size else np.ascontiguousarray(weights)
    if tile is not None and (tile <= 0 or tile % size or columns % tile):
        raise LengthError("tile", tile, f"must be whole {encoding} blocks of {size} weights and divide a row of {columns}")
    original = padded.reshape(-1, size)
    per_block = kernel.residual_energy_upper(coded, original, encoding)
    return sum_up(per_block.reshape(rows, -1)) if tile is None else sum_up(per_block.reshape(rows, columns // tile, tile // size))


def sum_up(bounds: np.ndarray) -> np.ndarray:
    """Upper bounds of the sums over the last axis of non-negative float64.

    Promises: tested `floats: sum_up`.
    """
    one = np.ones(bounds.shape[-1])
    return dots((bounds, bounds), (one, one))[1]


# ---- exact integers ----


@dataclass(frozen=True)
class Integers:
    """Weights as whole numbers: weight (i, k) is integers[i, k] · 2^exponents[i, k], exactly.

    integers: int64[rows, columns].  exponents: int64[rows, 1] for block codes, [rows, columns] for floats.
    Promises: tested `tests/test_formats.py::test_three_decoders_agree`.
    """

    integers: np.ndarray
    exponents: np.ndarray

    def row(self, i: int) -> tuple[list[int], Fraction]:
        """Row i in one unit, as `gnosis.numbers.exact.integers` gives it: weight k is ints[k] · unit.

        Promises: tested `tests/test_formats.py::test_three_decoders_agree`.
        """
        exponents = np.broadcast_to(self.exponents[i], self.integers[i].shape).tolist()
        least = min(exponents, default=0)
        return [n << e - least for n, e in zip(self.integers[i].tolist(), exponents)], power_of_two(least)


def integers(raw: np.ndarray, encoding: str, columns: int) -> Integers:
    """The weights that `decode_rows` gives of uint8[rows, row bytes], as whole numbers.  Raises as it does.

    Block codes: one unit, 2^-24, in which scales, offsets and weights are whole and below 2^53.  Where there is an offset the weight
    is the sum rounded to float32, as it is served.
    """
    coded = _blocks(raw, encoding, columns)
    if encoding in kernel.FLOATS:
        bits = kernel.dequantize(coded, encoding).view(np.uint32).reshape(len(raw), -1)[:, :columns]
        field = (bits >> 23 & 0xFF).astype(np.int64)
        significand = (bits & 0x7FFFFF).astype(np.int64) + np.where(field > 0, 1 << 23, 0)
        return Integers(np.where(bits >> 31 == 1, -significand, significand), np.maximum(field, 1) - 150)
    codes, *parts = kernel.unpack(coded, encoding)
    # whole multiples of the unit: a power of two times a float32 is exact, and so is the conversion
    scales, offsets = ((part.astype(np.float64) * 2.0**-_UNIT).astype(np.int64) for part in parts)
    whole = codes.astype(np.int64) * np.repeat(scales, 16, axis=1) + np.repeat(offsets, 32, axis=1)
    whole = whole.astype(np.float32).astype(np.int64)  # the rounding of decoding, in another unit
    return Integers(whole.reshape(len(raw), columns), np.full((len(raw), 1), _UNIT, np.int64))


# ---- coding by gguf, checked ----


@dataclass(frozen=True)
class Encoded:
    """A coded matrix with its sidecar.

    raw: uint8[rows, row bytes].  energy: float64, as `energy_rows` gives it.  columns: weights of a row.
    """

    raw: np.ndarray
    energy: np.ndarray
    encoding: str
    columns: int


def encode(weights: np.ndarray, encoding: str, tile: int | None = None) -> Encoded:
    """Have `gguf` code a matrix, and refuse a result that does not stand for it.

    weights: float32[rows, columns].  encoding: one that gguf writes (Q8_0, Q5_0, Q5_1, Q4_0, Q4_1, F16, BF16, F32).
    tile: as for `energy_rows`.  The sidecar is that of the bytes that came out, whichever way the quantizer rounded.
    Raises RangeError naming the first block (row, block) whose scale overflows half precision, or underflows so that
    weights which are not all zero all decode to zero (of F16 and BF16: the first weight that overflows); NonFiniteError,
    LengthError, DtypeError, FloatEnvironmentError.
    """
    import gguf

    check_finite(_matrix(weights, "weights"), "weights")
    columns = weights.shape[1]
    width = row_bytes(encoding, columns)
    try:
        with np.errstate(all="ignore"):  # a bad block is found below, with its place
            raw = gguf.quantize(np.ascontiguousarray(weights), gguf.GGMLQuantizationType[encoding])
    except NotImplementedError:
        raise RangeError("encoding", encoding, "gguf reads it but does not write it") from None
    raw = np.ascontiguousarray(raw).view(np.uint8).reshape(len(weights), width)
    with np.errstate(all="ignore"):
        decoded = np.asarray(gguf.dequantize(raw, gguf.GGMLQuantizationType[encoding]), np.float32)
    _refuse_lost_blocks(decoded, weights, encoding)
    return Encoded(raw, energy_rows(raw, weights, encoding, tile), encoding, columns)


def _refuse_lost_blocks(decoded: np.ndarray, weights: np.ndarray, encoding: str) -> None:
    size = 1 if encoding in kernel.FLOATS else kernel.sizes(encoding)[0]
    decoded, original = (matrix.reshape(len(weights), -1, size) for matrix in (decoded, weights))
    overflow = ~np.isfinite(decoded).all(-1)
    lost = np.asarray(~decoded.any(-1) & original.any(-1))
    if encoding in kernel.FLOATS:
        lost[:] = False  # a single small number may become zero; the sidecar counts it
    for bad, problem in ((overflow, "overflows"), (lost, "underflows, every weight of the block decodes to zero")):
        if bad.any():
            where = tuple(int(i) for i in np.argwhere(bad)[0])
            what = "the number" if size == 1 else "largest weight of the block; its half-precision scale"
            raise RangeError("weights", float(np.abs(original[where]).max()), f"{what} {problem} in {encoding}", where)

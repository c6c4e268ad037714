"""A matrix in a lattice code, with the sidecar of residual energies that is written when it is coded."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...core import blocks as kernel
from ...errors import ArgumentError, DtypeError, EmptyError, LengthError, NegativeError, RangeError
from ...files import output
from ...files.grammar import json_object
from ...files.inputs import mapped, shown
from ...numbers.exact import check_finite, plain
from ..rows import sum_up
from . import rounding
from .codes import DIMENSION, Code
from .rounding import BLOCK, EXPONENTS

SCHEMA = "gnosis.quantized/1"
PARTS = {"scales", "words", "energy"}
LARGEST = 2.0**120  # of a weight: nothing that is decoded overflows then


def in_blocks(rows: np.ndarray) -> np.ndarray:
    """Rows cut into blocks of 32, the last block of a row filled up with zeros: float32[n, 32]."""
    missing = -rows.shape[1] % BLOCK
    return np.pad(rows, ((0, 0), (0, missing))).reshape(-1, BLOCK)


def from_blocks(blocks: np.ndarray, columns: int) -> np.ndarray:
    """Undo in_blocks: [rows, columns]."""
    padded = columns + -columns % BLOCK
    return blocks.reshape(-1, padded)[:, :columns]


@dataclass(frozen=True)
class Quantized:
    """A coded matrix.

    code: its points.  columns: weights of a row.  exponent: all scales are to be multiplied by 2^exponent.
    scales: float16[rows, blocks], one per 32 weights of a row.  words: uint8[rows, blocks · 4 · bits], code words of `bits` bits
    a weight, first weight in the highest bits.
    energy: float64[rows, tiles], each at least Σ (weight − decoded)² over its tile as real numbers, at most 1 + 2^-19 times
    that; the E of `Gnosis.energy_sidecar_sound`.  tile: weights of a tile.
    Raises DtypeError, LengthError, NonFiniteError, NegativeError, RangeError for parts that do not fit together.
    Promises: tested `tests/test_quantize.py::test_the_sidecar_is_that_of_the_words`, `floats: quantize residual_energy`.
    """

    code: Code
    columns: int
    exponent: int
    scales: np.ndarray
    words: np.ndarray
    energy: np.ndarray
    tile: int

    def __post_init__(self) -> None:
        blocks = -(-self.columns // BLOCK)
        _tiles(self.columns, self.tile)
        if not len(self.scales):
            raise EmptyError("scales", self.scales.shape)
        for name, dtype, width in (
            ("scales", np.float16, blocks),
            ("words", np.uint8, blocks * 4 * self.code.bits),
            ("energy", np.float64, -(-self.columns // self.tile)),
        ):
            part = getattr(self, name)
            if not isinstance(part, np.ndarray) or part.dtype != dtype:
                raise DtypeError(name, getattr(part, "dtype", part), f"must be an array of {np.dtype(dtype)}")
            if plain(part, name).shape != (len(self.scales), width):
                raise LengthError(name, part.shape, f"{len(self.scales)} rows of {self.columns} weights need {width} a row")
        check_finite(self.scales, "scales")
        check_finite(self.energy, "energy")
        if (self.energy < 0).any():
            where = tuple(int(i) for i in np.argwhere(self.energy < 0)[0])
            raise NegativeError("energy", float(self.energy[where]), where)
        if self.exponent not in EXPONENTS:
            raise RangeError("exponent", self.exponent, f"must be from {EXPONENTS[0]} to {EXPONENTS[-1]}")

    @property
    def nbytes(self) -> int:
        """Bytes of code, scales and sidecar."""
        return self.words.nbytes + self.scales.nbytes + self.energy.nbytes

    def decode(self) -> np.ndarray:
        """The decoded weights, exact: float32[rows, columns].  Raises RangeError naming a block that overflows.

        Promises: tested `tests/test_quantize.py::test_the_sidecar_is_that_of_the_words`.
        """
        points = self.code.points(_unpacked(self.words, self.code.bits).reshape(-1, DIMENSION)).reshape(-1, BLOCK)
        with np.errstate(over="ignore", invalid="ignore"):
            values = points * rounding.steps(self.scales.ravel(), self.exponent)
        finite = np.isfinite(values).all(-1)
        if not finite.all():
            row, block = divmod(int(np.argmin(finite)), self.scales.shape[1])
            raise RangeError("scales", float(self.scales[row, block]), f"times 2^{self.exponent}: the block overflows float32", (row, block))
        return from_blocks(values, self.columns)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a safetensors file: scales, words, energy, and the rest as metadata.  Raises OSError."""
        from safetensors.numpy import save

        rest = {"schema": SCHEMA, "lattice": self.code.lattice, "bits": self.code.bits, "columns": self.columns, "exponent": self.exponent, "tile": self.tile}
        data = save({"scales": self.scales, "words": self.words, "energy": self.energy}, metadata={"gnosis": json.dumps(rest)})
        output.write(path, data)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Quantized:
        """Read what `save` wrote.  Raises OSError; ArgumentError for a file that is cut off or is not such a file."""
        from safetensors import SafetensorError, safe_open

        from ...models.headers import ModelError, read_safetensors

        data = mapped(path, "path")
        try:
            found = {t.name for t in read_safetensors(shown(path), data).tensors}  # the library takes whatever a header asks for
            if found != PARTS:
                raise ValueError(f"its tensors are not {', '.join(sorted(PARTS))}")
        except (ModelError, ValueError) as error:
            raise ArgumentError("path", shown(path), f"not a file of {SCHEMA}: {error}") from None
        finally:
            data.close()
        try:
            with safe_open(str(path), framework="numpy") as file:
                rest = _metadata(file.metadata())
                parts = {name: file.get_tensor(name) for name in sorted(PARTS)}
        except (SafetensorError, ValueError, KeyError, TypeError) as error:
            raise ArgumentError("path", shown(path), f"not a file of {SCHEMA}: {error}") from None
        return cls(code=Code(rest["lattice"], rest["bits"]), columns=rest["columns"], exponent=rest["exponent"], tile=rest["tile"], **parts)


def _metadata(found: dict[str, str] | None) -> dict[str, Any]:
    kinds = {"schema": str, "lattice": str, "bits": int, "columns": int, "exponent": int, "tile": int}
    rest = json_object((found or {})["gnosis"], "gnosis", set(kinds), 64)
    if any(type(rest[name]) is not kind for name, kind in kinds.items()) or rest["schema"] != SCHEMA:
        raise ValueError("the metadata are those of another kind of file")
    return rest


def _tiles(columns: int, tile: int) -> None:
    if columns <= 0:
        raise LengthError("columns", columns, "must be above zero")
    if tile != columns and (tile <= 0 or tile % BLOCK or columns % tile):
        raise LengthError("tile", tile, f"must be whole blocks of {BLOCK} and divide a row of {columns}")


def _packed(words: np.ndarray, bits: int) -> np.ndarray:
    """uint8[rows, n] below 2^bits as bytes, uint8[rows, n · bits / 8]; n a multiple of 8."""
    return np.packbits(np.unpackbits(words[..., None], axis=-1)[..., 8 - bits :].reshape(len(words), -1), axis=-1)


def _unpacked(packed: np.ndarray, bits: int) -> np.ndarray:
    """Undo _packed."""
    digits = np.unpackbits(packed, axis=-1).reshape(len(packed), -1, bits)
    return np.packbits(np.pad(digits, ((0, 0), (0, 0), (8 - bits, 0))), axis=-1)[..., 0]


def quantize(
    weights: np.ndarray, code: Code, *, tile: int | None = None, seed: int | np.random.BitGenerator | None = None, exponent: int | None = None
) -> Quantized:
    """Code a matrix and write its sidecar.

    weights: float32[rows, columns].  tile: neighbouring weights of a row that share an entry of the sidecar, whole blocks of 32;
    None: the row.  seed: None rounds to nearest, with the best of six scales per block; a whole number or a numpy bit
    generator rounds at random, every decoded weight having exactly its weight as mean, with scales large enough that nothing is
    clipped.  Ties, draws and their distribution: `gnosis.codes.lattice.rounding`.
    exponent: of all scales; None chooses one for this matrix.  Weights that a given exponent does not suit lose more, or (with
    a seed) are a RangeError.
    The sidecar bounds the energy of what the code words really decode to, not of what was meant.
    Raises NonFiniteError, RangeError (a weight above 2^120), LengthError, DtypeError, FloatEnvironmentError.
    Promises: tested `tests/test_quantize.py::test_the_mean_over_all_draws_is_exactly_the_weight`, `tests/test_quantize.py::test_the_mean_of_e8_draws_is_exact`.
    """
    if not isinstance(weights, np.ndarray) or weights.dtype != np.float32:
        raise DtypeError("weights", getattr(weights, "dtype", weights), "must be an array of float32")
    if plain(weights, "weights").ndim != 2:
        raise LengthError("weights", weights.shape, "must have 2 dimensions")
    rows, columns = weights.shape
    if not rows:
        raise EmptyError("weights", weights.shape)
    tile = columns if tile is None else tile
    _tiles(columns, tile)
    check_finite(weights, "weights")
    if weights.size and np.abs(weights).max() > LARGEST:
        where = tuple(int(i) for i in np.unravel_index(int(np.abs(weights).argmax()), weights.shape))
        raise RangeError("weights", float(weights[where]), "larger than 2^120", where)
    blocks = in_blocks(weights)
    if exponent is None:
        exponent = rounding.common_exponent(np.abs(rounding.block_sizes(blocks, code)) / np.float32(code.levels / 2))
    chosen = rounding.nearest(blocks, code, exponent) if seed is None else rounding.stochastic(blocks, code, rounding.generator(seed), exponent)
    words = _packed(code.words(chosen.points.reshape(-1, DIMENSION)).reshape(rows, -1), code.bits)
    coded = Quantized(code, columns, exponent, chosen.scales.reshape(rows, -1), words, np.zeros((rows, -(-columns // tile))), tile)
    return Quantized(code, columns, exponent, coded.scales, words, residual_energy(coded.decode(), weights, tile), tile)


def residual_energy(decoded: np.ndarray, weights: np.ndarray, tile: int) -> np.ndarray:
    """Upper bounds of Σ (weight − decoded)² per tile: float64[rows, tiles].  decoded, weights: float32[rows, columns].

    Promises: tested `floats: quantize residual_energy`.
    """
    rows, columns = weights.shape
    raw = np.ascontiguousarray(in_blocks(decoded)).view(np.uint8)
    per_block = kernel.residual_energy_upper(raw, in_blocks(weights), "F32")
    return sum_up(per_block.reshape(rows, -(-columns // tile), -1))

"""Residuals of tiles of a model, computed again from the model's file: exactly, for certificates.

Two families of codes, those of the probe: "lattice", a lattice times a step, and "bounded", 16 points a weight with a scale for each
32 weights of a row.  A residual is weights minus decoded values, both floats, so it is exact as integers in one unit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ..codes import families as codes
from ..codes.lattice.codes import DIMENSION
from ..codes.lattice.rounding import BLOCK
from ..core.lattice import nearest_cubic, nearest_d8, nearest_e8
from ..files.grammar import encodable, number_text
from ..gates.energy import energy
from ..models.files import Model, ModelError, sha256, size_of
from ..numbers.exact import integers
from .records import CertificateError
from .values import FromModel, Tile, vector_hash

CHUNK_WEIGHTS = 1 << 18  # weights in work at once
NEAREST = {"cubic": nearest_cubic, "d8": nearest_d8, "e8": nearest_e8}
FAMILIES = {"lattice": DIMENSION, "bounded": BLOCK}  # and how many weights are coded together


def identity(model: Model) -> dict[str, Any]:
    """What the first line of certificates says about a model: its name, and file, bytes and SHA-256 of each of its files.  Reads them.  ModelError."""
    return {
        "name": encodable(model.name[-200:]),
        "files": [{"file": encodable(path.name[-200:]), "bytes": size_of(path), "sha256": sha256(path)} for path in model.paths],
    }


def tile_of(tensor: str, row: int, start: int, weights: np.ndarray, family: str, code: str, step: np.float32 | None) -> Tile:
    """The place of consecutive weights, float32[n], from column `start` of a row on, with their hash."""
    exact_step = Fraction(float(step)) if family == "lattice" and step is not None else None
    return Tile(tensor, int(row), (int(start), int(start) + len(weights)), family, code, exact_step, weights_hash(weights))


def weights_hash(weights: np.ndarray) -> str:
    """SHA-256 of weights as little-endian float32."""
    return hashlib.sha256(np.ascontiguousarray(weights, "<f4").tobytes()).hexdigest()


def exact_energies(weights: np.ndarray, decoded: np.ndarray) -> list[Fraction]:
    """Exact residual energy of each tile: weights and decoded values, floats [k, n].

    Promises: tested `floats: lattice tiles`.
    """
    return [residual.energy for residual in _residuals(weights, decoded)]


@dataclass(frozen=True)
class Residual:
    """A residual, exactly: whole numbers times a unit.

    Promises: tested `tests/test_certificates.py::test_residuals_are_computed_again`, `floats: lattice tiles`.
    """

    ints: list[int]
    unit: Fraction

    @property
    def energy(self) -> Fraction:
        """The sum of squares."""
        return energy(self.ints) * self.unit * self.unit

    @property
    def values(self) -> list[Fraction]:
        """The numbers themselves."""
        return [n * self.unit for n in self.ints]


def _residuals(weights: np.ndarray, decoded: np.ndarray) -> list[Residual]:
    """Each tile's residual."""
    # a float32 is a float64, so both sides fit one array and get one unit
    both = np.concatenate([weights.astype(np.float64), decoded.astype(np.float64)], axis=1)
    ints, unit = integers(both.ravel(), "weights")
    k, n = weights.shape
    return [Residual([a - b for a, b in zip(ints[at : at + n], ints[at + n : at + 2 * n])], unit) for at in range(0, 2 * n * k, 2 * n)]


def decoded(weights: np.ndarray, family: str, code: str, step: np.float32 | None) -> np.ndarray:
    """Decoded values of tiles, [k, n]; weights: float32[k, n], n a multiple of what is coded together."""
    if family == "lattice":
        # a float32 of at most 24 bits times another is exact in float64
        return (NEAREST[code](weights.reshape(-1, DIMENSION) / step).astype(np.float64) * np.float64(step)).reshape(weights.shape)
    return codes.bounded(weights.reshape(-1, BLOCK), code)[0].reshape(weights.shape)


def recompute(model: Model, inputs: Sequence[FromModel]) -> list[Fraction | list[Fraction] | CertificateError]:
    """What each input is by the model's file, its residual energy or its residual, or what does not hold about it.

    Tiles of one tensor and code are done together.
    """
    out: list[Fraction | list[Fraction] | CertificateError] = [CertificateError("inputs", None, "not computed")] * len(inputs)
    groups: dict[tuple[Any, ...], list[int]] = {}
    for i, one in enumerate(inputs):
        tile = one.tile
        try:
            _check(model, tile)
        except CertificateError as error:
            out[i] = error
        else:
            groups.setdefault((tile.tensor, tile.family, tile.code, tile.step, tile.columns[1] - tile.columns[0]), []).append(i)
    for (tensor, family, code, step, n), every in groups.items():
        size = max(1, CHUNK_WEIGHTS // n)
        for members in (every[at : at + size] for at in range(0, len(every), size)):
            rows, which = np.unique([inputs[i].tile.row for i in members], return_inverse=True)
            try:
                values = model.rows(tensor, rows)
            except ModelError as error:
                for i in members:
                    out[i] = CertificateError("inputs", tensor, str(error))
                continue
            w = np.stack([values[r, inputs[i].tile.columns[0] : inputs[i].tile.columns[1]] for r, i in zip(which, members)])
            residuals = _residuals(w, decoded(w, family, code, None if step is None else np.float32(float(step))))
            for i, weights, residual in zip(members, w, residuals):
                out[i] = _compared(inputs[i], weights, residual)
    return out


def _compared(one: FromModel, weights: np.ndarray, residual: Residual) -> Fraction | list[Fraction] | CertificateError:
    """The input as computed, if it is the one that is stated."""
    tile = one.tile
    if weights_hash(weights) != tile.weights:
        where = f"tensor {tile.tensor!r}, row {tile.row}, columns {tile.columns[0]} … {tile.columns[1] - 1}"
        return CertificateError("inputs", tile.weights, f"the weights of {where} have another hash in the model")
    if one.count is None:
        found = residual.energy
        if one.value == found:
            return found
        return CertificateError(
            "inputs", number_text(one.value)[:60], f"the residual energy of this tile, computed from the model, is {number_text(found)[:60]}"
        )
    values = residual.values
    if one.count == len(values) and one.sha256 == vector_hash(values):
        return values
    return CertificateError("inputs", one.sha256, "the residual of this tile, computed from the model, has another hash")


def _check(model: Model, tile: Tile) -> None:
    """CertificateError for a tile that the model has not, or a code that there is not."""
    info = model.tensors.get(tile.tensor)
    first, last = tile.columns
    if info is None:
        raise CertificateError("inputs", tile.tensor, "the model has no tensor of this name")
    if tile.row >= info.rows or last > info.columns:
        raise CertificateError("inputs", [tile.row, first, last], f"row and columns; the tensor has {info.rows} × {info.columns}")
    if tile.family not in FAMILIES or tile.code not in NEAREST:
        raise CertificateError("inputs", [tile.family, tile.code], "no such code")
    if first % FAMILIES[tile.family] or last % FAMILIES[tile.family]:
        raise CertificateError("inputs", [first, last], f"{tile.family} codes stand for {FAMILIES[tile.family]} weights at a time")
    if (tile.step is None) != (tile.family == "bounded"):
        raise CertificateError("inputs", tile.step, "a step belongs to lattices, and to no other")
    if tile.step is not None and (not 2.0**-126 <= tile.step <= 2.0**100 or Fraction(float(np.float32(float(tile.step)))) != tile.step):
        raise CertificateError("inputs", tile.step, "the step is not a float32 from 2^-126 to 2^100")

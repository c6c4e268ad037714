"""Certificates of the tiles that a probe's energy gate admits for any activation of norm at most 1.

The report is only asked for what was decided: rows, tile, step and margin of each tensor, and how many tiles were admitted.  Here
every residual energy is computed again from the file, in exact arithmetic, and every tile decided again by the exact gate.  The
counts must be those of the report.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable

import numpy as np

from ..certificates import tiles
from ..certificates.records import Writer
from ..certificates.values import FromModel
from ..codes import families as codes
from ..codes.lattice.rounding import BLOCK
from ..gates.energy import SidecarGate
from ..models.files import Model
from .report import Report
from .tensor import Tensor

CHUNK_WEIGHTS = 2**18


class CannotCertify(Exception):
    """The report allows no certificate; the message says why."""


def rows_of(model: Model, tensor: Tensor, seed: int) -> np.ndarray:
    """The rows that the probe measured: drawn as it draws them, without those that hold values that are not finite."""
    rng = np.random.default_rng([seed, zlib.crc32(tensor.name.encode())])
    rows = np.arange(tensor.rows_total)
    if tensor.rows_read < tensor.rows_total:
        rows = np.sort(rng.choice(tensor.rows_total, tensor.rows_read, replace=False))
    return rows if not tensor.non_finite.rows else rows[np.isfinite(model.decoded(tensor.name, rows)).all(1)]


def write(model: Model, report: Report, path: str | os.PathLike[str], progress: Callable[[str], None] = lambda _: None) -> int:
    """Write a certificate for every admitted tile to a new file; returns how many.

    Each says SidecarGate(γ).decide(E, 1): γ is the report's margin, E the exact energy of the tile's residual, which `gnosis verify --model` computes again.
    Raises CannotCertify (tiles that are no multiple of 32 weights, or another count than the report's: the file is then removed), FileExistsError, OSError.
    Promises: tested `tests/test_certificates.py::test_the_probe_writes_what_it_admits`.
    """
    for tensor in report.tensors:
        if tensor.tile % BLOCK:
            raise CannotCertify(f"{tensor.name}: a tile of {tensor.tile} weights is no multiple of {BLOCK}, so it cannot be coded by itself")
    try:
        with Writer(path, tiles.identity(model)) as out:
            for tensor in report.tensors:
                progress(tensor.name)
                _tensor(out, model, tensor, rows_of(model, tensor, report.settings.seed))
    except CannotCertify:
        out.remove()
        raise
    return out.count


def _tensor(out: Writer, model: Model, tensor: Tensor, rows: np.ndarray) -> None:
    n, per_row = tensor.tile, tensor.columns // tensor.tile
    size = max(1, CHUNK_WEIGHTS // tensor.columns)
    for family, part in (("lattice", tensor.lattice), ("bounded", tensor.bounded)):
        (decided,) = (g for g in part.gates if g.norm == "energy" and g.activation == "unit")
        gate = SidecarGate(decided.gamma)
        for code in codes.CODES:
            step = np.float32(tensor.lattice.step) * codes.SCALE[code] if family == "lattice" else None
            before = out.count
            for start in range(0, len(rows), size):
                some = rows[start : start + size]
                w = np.ascontiguousarray(model.rows(tensor.name, some)[:, : n * per_row]).reshape(-1, n)
                energies = tiles.exact_energies(w, tiles.decoded(w, family, code, step))
                for i, E in enumerate(energies):
                    verdict = gate.decide(E, 1)
                    if verdict.admit:
                        tile = tiles.tile_of(tensor.name, int(some[i // per_row]), i % per_row * n, w[i], family, code, step)
                        out.add(gate, verdict, FromModel(tile, E), 1)
            found, said = out.count - before, getattr(decided, code).admitted
            if found != said:
                raise CannotCertify(f"{tensor.name}, {family} {code}: the exact gate admits {found} tiles, and the report says {said}")

"""The probe's work in the processes of Dask, and calibrations over many shards that merge exactly.

Dask comes with the extra `dask`; nothing else of the probe imports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..codes import families as codes
from ..gates.conformal import Calibration, kept_for
from ..models.files import Model, open_model
from ..models.headers import ModelError, TensorInfo
from ..numbers.bounds import above
from . import gate, sanity
from .inputs import Inputs
from .settings import Settings
from .tensor import Tensor


def _dask() -> Any:
    try:
        import dask
    except ImportError:
        raise ModelError("the package 'dask' is not installed; run: pip install 'gnosis-gates[dask]'") from None
    return dask


def _one(name: str, tensor: str, settings: Settings, inputs: np.ndarray | None, head: bool) -> Tensor:
    """One tensor, in a process of its own: the file is opened anew."""
    from .measure import probe_tensor

    model = open_model(name)
    with sanity.SecondReader(model) as reader:
        return probe_tensor(model, reader, model.info(tensor), settings, inputs, head)


def probe_tensors(model: Model, chosen: Sequence[TensorInfo], settings: Settings, inputs: Inputs, head: str | None, workers: int) -> list[Tensor]:
    """All figures of the tensors, worked out in Dask's processes; the same as in one process.  Raises as `probe`."""
    dask = _dask()
    tasks = [dask.delayed(_one)(model.name, t.name, settings, inputs.get(t.name), t.name == head) for t in chosen]
    return list(dask.compute(*tasks, scheduler="processes", num_workers=workers))


def row_scores(name: str, tensor: str, code: str, step: float, rows: np.ndarray) -> np.ndarray:
    """Scores of whole rows: the 2-norm of the residual in the unbounded lattice, rounded up; float64[n].

    name: as for `open_model`.  step: of the lattice.  rows: int[n].
    """
    model = open_model(name)
    used = model.info(tensor).columns // 8 * 8
    weights = np.ascontiguousarray(model.rows(tensor, rows)[:, :used])
    near = codes.unbounded(weights.reshape(-1, 8), np.float32(step), code).reshape(weights.shape)
    energy = gate.energy(weights - near)
    return above(np.sqrt(above(energy * (1 + gate.relative_error(used))))) * (energy > 0)


def _calibrated(name: str, tensor: str, code: str, step: float, rows: np.ndarray, keep: int) -> Calibration:
    found = Calibration(keep)
    found.add(row_scores(name, tensor, code, step, rows))
    return found


def merged(parts: Sequence[Calibration]) -> Calibration:
    """One calibration of all shards; the thresholds are those of all scores together, in whatever order."""
    first, *rest = parts
    for part in rest:
        first = first.merge(part)
    return first


def calibrate_rows(name: str, tensor: str, step: float, least_level: str, shards: int, code: str = "e8", scheduler: str = "processes") -> Calibration:
    """Calibrate the row scores of a whole tensor, however large, on shards of its rows in Dask, and merge.

    name: as for `open_model`.  step: of the lattice.  least_level: the smallest level that will be asked for; only as many of
    the largest scores as it needs travel between processes.  scheduler: of Dask.
    Raises ModelError.
    """
    dask = _dask()
    info = open_model(name).info(tensor)
    keep = kept_for(least_level, info.rows)
    tasks = [dask.delayed(_calibrated)(name, tensor, code, step, rows, keep) for rows in np.array_split(np.arange(info.rows), shards) if len(rows)]
    while len(tasks) > 1:  # pairs, so that no process holds more than two
        tasks = [dask.delayed(merged)(tasks[i : i + 2]) for i in range(0, len(tasks), 2)]
    return dask.compute(tasks[0], scheduler=scheduler)[0]

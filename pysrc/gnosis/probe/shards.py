"""The probe's work on the workers of a cluster, and calibrations over many shards that merge exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..cluster import connected, spread
from ..codes import families as codes
from ..gates.conformal import Calibration, kept_for
from ..models.files import Model, open_model
from ..models.headers import TensorInfo
from ..models.tickets import Ticket, redeemed, ticket
from ..numbers.bounds import above
from . import gate, sanity
from .inputs import Inputs
from .measure import probe_tensor
from .settings import Settings
from .tensor import Tensor

MOST_SENT = 1 << 23  # bytes of activations that are on the way at a time


@lru_cache(maxsize=2)
def _reader(given: Ticket) -> sanity.SecondReader:
    return sanity.SecondReader(redeemed(given))


def _one(given: Ticket, tensor: str, settings: Settings, inputs: np.ndarray | None, head: bool) -> Tensor:
    """One tensor, in another process: the file is opened there, once."""
    model = redeemed(given)
    return probe_tensor(model, _reader(given), model.info(tensor), settings, inputs, head)


def probe_tensors(
    model: Model, chosen: Sequence[TensorInfo], settings: Settings, inputs: Inputs, head: str | None, client: Any, step: Callable[[TensorInfo], None]
) -> list[Tensor]:
    """All figures of the tensors, worked out by the workers of a client; the same as in one process.  step: after each.  Raises as `probe`, ClusterError.

    Promises: tested `tests/test_probe.py::test_figures_do_not_depend_on_who_works`.
    """
    given = ticket(model)
    pieces = [(given, t.name, settings, inputs.get(t.name), t.name == head) for t in chosen]
    largest = max((values.nbytes for values in inputs.values()), default=0)
    found: dict[int, Tensor] = {}
    for number, tensor in spread(client, _one, pieces, max(2, MOST_SENT // largest) if largest else None):
        found[number] = tensor
        step(chosen[number])
    return [found[number] for number in range(len(chosen))]


def row_scores(model: Model, tensor: str, code: str, step: float, rows: np.ndarray) -> np.ndarray:
    """Scores of whole rows: the 2-norm of the residual in the unbounded lattice, rounded up; float64[n].

    step: of the lattice.  rows: int[n].
    """
    used = model.info(tensor).columns // 8 * 8
    weights = np.ascontiguousarray(model.rows(tensor, rows)[:, :used])
    near = codes.unbounded(weights.reshape(-1, 8), np.float32(step), code).reshape(weights.shape)
    energy = gate.energy(weights - near)
    return above(np.sqrt(above(energy * (1 + gate.relative_error(used))))) * (energy > 0)


def calibrated(given: Ticket, tensor: str, code: str, step: float, first: int, last: int, keep: int) -> Calibration:
    """The calibration of a shard, rows first … last − 1; of none where it is empty."""
    found = Calibration(keep)
    if first < last:
        found.add(row_scores(redeemed(given), tensor, code, step, np.arange(first, last)))
    return found


def merged(parts: Sequence[Calibration]) -> Calibration:
    """One calibration of all shards; the thresholds are those of all scores together, in whatever order."""
    first, *rest = parts
    for part in rest:
        first = first.merge(part)
    return first


def calibrate_rows(name: str, tensor: str, step: float, least_level: str, shards: int, code: str = "e8", dask: Any = "local") -> Calibration:
    """Calibrate the row scores of a whole tensor, however large, on shards of its rows, and merge.

    name: as for `open_model`.  step: of the lattice.  least_level: the smallest level that will be asked for; only as many of
    the largest scores as it needs travel between processes.  dask: as for `gnosis.cluster.connected`.
    Raises ModelError, ClusterError.
    """
    model = open_model(name)
    total, given = model.info(tensor).rows, ticket(model)
    keep = kept_for(least_level, total)
    found = Calibration(keep)
    pieces = ((given, tensor, code, step, total * i // shards, total * (i + 1) // shards, keep) for i in range(shards))
    with connected(dask) as client:
        for _, part in spread(client, calibrated, pieces):  # two are held here at a time
            found = found.merge(part)
    return found

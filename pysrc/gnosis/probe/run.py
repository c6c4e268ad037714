"""The probe itself: from an open model and settings to a validated report."""

from __future__ import annotations

import fnmatch
import importlib.metadata
import os
import platform
import resource
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..cluster import connected, threads
from ..core import cpu
from ..files.inputs import SHOWN, quoted, shown
from ..files.remote import Place
from ..models import decode
from ..models.files import Model, sha256, size_of
from ..models.headers import TensorInfo
from ..models.roles import role
from . import sanity
from .inputs import model_inputs
from .measure import CHUNK_WEIGHTS, LEAST_ROWS, probe_tensor, tile_of
from .report import SCHEMA, Activations, ModelFile, Report, Run, Skipped, Source
from .settings import Settings
from .shards import probe_tensors
from .statistics import MAX_COLUMNS
from .tensor import Tensor
from .verdict import PLAIN

WORK_BYTES = 120  # what the work on one weight takes at most
TILE_BYTES = 8 * 26  # what is kept per tile until the tensor is done
BUDGET = 512 * 2**20
FLOAT_TYPES = decode.FLOATS

Progress = Callable[[str, int, int], None]  # tensor name, weights done, weights in all


class NothingToProbe(Exception):
    """No tensor of the file fits the request."""


class BudgetError(Exception):
    """The work on a tensor does not fit into the memory that it may take."""


def select(model: Model, settings: Settings) -> tuple[list[TensorInfo], list[Skipped]]:
    """The matrices to probe, and those that cannot be: what was asked for, and what of the model is not read at all.

    Without patterns: the embedding, attention, FFN and output matrices where names tell, every matrix otherwise.
    """
    infos = list(model.tensors.values())
    unread = [Skipped(name=quoted(t.name) if not t.name.isprintable() or len(t.name) > SHOWN else t.name, reason=t.reason) for t in model.left_out]
    kind = settings.matrix_type.upper()
    if kind != "ANY":
        infos = [t for t in infos if t.encoding in (FLOAT_TYPES if kind == "FLOAT" else (kind,))]
        if not infos:
            there = ", ".join(sorted({t.encoding for t in model.tensors.values()}))
            raise NothingToProbe(f"no tensor is of the matrix type {settings.matrix_type}; there are {there}")
    if settings.tensors:
        wanted = [t for t in infos if any(fnmatch.fnmatchcase(t.name, p) for p in settings.tensors)]
        if not wanted:
            raise NothingToProbe(f"no tensor matches {', '.join(settings.tensors)}")
    else:
        wanted = [t for t in infos if role(t.name) != "other"] or [t for t in infos if len(t.shape) >= 2]
    least = 8 if settings.tile == "row" else 8 * settings.tile
    chosen, skipped = [], [] if settings.tensors else [Skipped(name=t.name, reason="a scalar") for t in infos if not t.shape and t not in wanted]
    for info in wanted:
        if not decode.can_decode(info.encoding):
            skipped.append(Skipped(name=info.name, reason=f"type {info.encoding} holds no weights"))
        elif len(info.shape) < 2 or info.rows < LEAST_ROWS:
            skipped.append(Skipped(name=info.name, reason=f"not a matrix of {LEAST_ROWS} rows or more"))
        elif info.columns < least:
            skipped.append(Skipped(name=info.name, reason=f"rows of {info.columns} weights are shorter than a tile of {least}"))
        else:
            chosen.append(info)
    if not chosen:
        detail = shown("; ".join(f"{s.name}: {s.reason}" for s in (skipped + unread)[:8]), 1000) or "the file holds no matrices"
        raise NothingToProbe(f"no tensor can be probed: {detail}")
    return chosen, skipped + unread


def quantized(model: Model, settings: Settings) -> list[str]:
    """Encodings of the matrices to probe that are not plain numbers: what they hold was quantized before.  Raises NothingToProbe."""
    return sorted({t.encoding for t in select(model, settings)[0] if t.encoding not in PLAIN})


def work_bytes(info: TensorInfo, settings: Settings, positions: int) -> int:
    """What the arrays of the work on one tensor take at most, in bytes; the model's file and the activations are not counted.

    Promises: tested `tests/test_probe_files.py::test_the_budget_bounds_the_work`.
    """
    rows = min(info.rows, settings.rows)
    chunk = max(1, CHUNK_WEIGHTS // info.columns)
    statistics = min(info.columns, MAX_COLUMNS)
    return (
        min(chunk, rows) * (info.columns * WORK_BYTES + positions * 40)
        + rows * (info.columns // tile_of(info, settings)) * TILE_BYTES
        + statistics**2 * 24
        + positions * info.columns * 16
        + rows * 32
    )


def budgeted(chosen: list[TensorInfo], needs: dict[str, int], budget: int, workers: int | None) -> tuple[int, int]:
    """How many tensors are worked on at once, and the bytes that their arrays then take at most.  needs: bytes by name.  Raises BudgetError.

    Promises: tested `tests/test_probe_files.py::test_the_budget_bounds_the_work`.
    """
    largest = max(chosen, key=lambda t: needs[t.name])
    if needs[largest.name] > budget:
        raise BudgetError(
            f"tensor {quoted(largest.name)} takes {needs[largest.name] / 2**20:.0f} MiB of work, {budget / 2**20:.0f} MiB are allowed: "
            "fewer --rows, a larger --tile or more --memory"
        )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    workers = max(1, min(workers or cores, budget // needs[largest.name], len(chosen)))
    return workers, max(needs.values()) * workers


def peak_rss() -> int:
    """Most memory that this process has held so far, in bytes."""
    status = Path("/proc/self/status")
    if status.exists():  # ru_maxrss is inherited from the process that started this one
        return next(int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("VmHWM")) * 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def probe(
    model: Model,
    settings: Settings,
    progress: Progress = lambda *_: None,
    *,
    budget: int = BUDGET,
    workers: int | None = None,
    text: Place | None = None,
    activations: bool | None = None,
    dask: Any = None,
    numbers: Place | None = None,
) -> Report:
    """Probe a model.  The same files and settings give the same figures, whatever the budget and the number of workers.

    budget: bytes that the work may take, see `work_bytes`; it decides how many tensors are worked on at once.  workers: at most so
    many (the processors when None).  text, activations, numbers: see `gnosis.probe.inputs.model_inputs`.  dask: workers that do it
    instead, as for `gnosis.cluster.connected`; budget then says what each of them may take for a tensor.
    Raises ModelError (file), NothingToProbe (request), BudgetError, ClusterError and SanityError (a decode that looks wrong: no report is made).
    Promises: tested `tests/test_probe.py::test_same_seed_same_figures`, `tests/test_probe.py::test_figures_do_not_depend_on_who_works`.
    """
    started = time.monotonic()
    chosen, skipped = select(model, settings)
    progress("activations", 0, 0)
    reached, label = model_inputs(model, settings, text, activations, numbers)
    needs = {t.name: work_bytes(t, settings, label.positions) for t in chosen}
    workers, most = budgeted(chosen, needs, budget, workers)
    # every value is decoded twice and looked at once more; the second pass is nearly all of the work
    work = {t.name: min(t.rows, settings.rows) * (t.columns // tile_of(t, settings) * tile_of(t, settings)) for t in chosen}
    total, done, lock = sum(work.values()), 0, threading.Lock()
    progress(chosen[0].name, 0, total)

    def step(info: TensorInfo, weights: int) -> None:
        nonlocal done
        with lock:
            done += weights
            progress(info.name, done, total)

    def one(info: TensorInfo) -> Tensor:
        return probe_tensor(model, reader, info, settings, reached.get(info.name), info.name == label.head, partial(step, info))

    if dask is not None:
        with connected(dask) as client:
            workers = max(1, threads(client))
            tensors = probe_tensors(model, chosen, settings, reached, label.head, client, lambda info: step(info, work[info.name]))
    else:
        with sanity.SecondReader(model) as reader, ThreadPoolExecutor(workers) as pool:
            jobs = [pool.submit(one, info) for info in chosen]
            try:
                tensors = [job.result() for job in jobs]
            finally:
                for job in jobs:
                    job.cancel()
    return assemble(model, settings, label, tensors, skipped, started, workers, budget, most)


def assemble(
    model: Model, settings: Settings, label: Activations, tensors: list[Tensor], skipped: list[Skipped], started: float, workers: int, budget: int, work: int
) -> Report:
    """The report around the tensors."""
    files = [Source(file=path.name, bytes=size_of(path), sha256=sha256(path)) for path in model.paths]
    file = ModelFile.make(name=model.name, format=model.format, files=files, tensors=len(model.tensors))
    run = Run(
        version=importlib.metadata.version("gnosis-gates"),
        seconds=time.monotonic() - started,
        workers=workers,
        budget_bytes=budget,
        work_bytes=work,
        peak_rss_bytes=peak_rss(),
        isa=cpu.isa(),
        python=platform.python_version(),
        numpy=np.__version__,
    )
    return Report.make(schema_=SCHEMA, model=file, settings=settings, activations=label, tensors=tensors, skipped=skipped, run=run)

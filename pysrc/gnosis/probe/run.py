"""The probe itself: from an open model and settings to a validated report."""
from __future__ import annotations

import fnmatch
import importlib.metadata
import platform
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ..core import cpu
from ..quantize.matrix import from_blocks, in_blocks
from . import codes, decode, gate, sanity
from .activations import SENTENCES, ActivationsUnavailable, minilm_activations
from .headers import ModelError, TensorInfo
from .models import Model
from .report import (SCHEMA, THEOREMS, Activations, Admission, Bounded, Gate, ModelFile, Report, Run, Sanity, Settings, Skipped, StepEdge,
                     Tensor, Unbounded, Vacuity, edge)
from .roles import layer, role
from .statistics import spread

CODES = ("cubic", "e8")
FAMILIES = ("unbounded", "bounded")
CHUNK_WEIGHTS = 2 ** 18             # weights in work at once, apart from the rows of the tensor
STEP_MULTIPLES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
STEP_WEIGHTS = 2 ** 16              # weights on which the edge at other steps is measured
HASHED_BYTES = 2 ** 30              # larger files are not hashed
MOST_STEPS = 2 ** 20              # from zero to the largest weight; float32 holds points of the lattices well beyond
TRUTH_SLACK = 1e-12                 # relative; covers the rounding of a float64 dot product by far
GAMMA_SOURCE = "set by us, not by a decision: multiplier × cubic RMS tile residual × RMS tile activation"

Progress = Callable[[str, int, int], None]      # tensor name, weights done, weights in all


class NothingToProbe(Exception):
    """No tensor of the file fits the request."""


def select(model: Model, settings: Settings) -> tuple[list[TensorInfo], list[Skipped]]:
    """The matrices to probe and those that were asked for but cannot be.

    Without patterns: the embedding, attention, FFN and output matrices where names tell, every matrix otherwise.
    """
    infos = list(model.tensors.values())
    if settings.tensors:
        wanted = [t for t in infos if any(fnmatch.fnmatchcase(t.name, p) for p in settings.tensors)]
        if not wanted:
            raise NothingToProbe(f"no tensor matches {', '.join(settings.tensors)}")
    else:
        wanted = [t for t in infos if role(t.name) != "other"] or [t for t in infos if len(t.shape) >= 2]
    chosen, skipped = [], []
    for info in wanted:
        if not decode.can_decode(info.encoding):
            skipped.append(Skipped(name=info.name, reason=f"type {info.encoding} holds no weights"))
        elif len(info.shape) < 2 or info.rows < 2:
            skipped.append(Skipped(name=info.name, reason="not a matrix of two rows or more"))
        elif info.columns < 8 * settings.tile:
            skipped.append(Skipped(name=info.name, reason=f"rows of {info.columns} weights are shorter than a tile of {8 * settings.tile}"))
        else:
            chosen.append(info)
    if not chosen:
        detail = "; ".join(f"{s.name}: {s.reason}" for s in skipped) or "the file holds no matrices"
        raise NothingToProbe(f"no tensor can be probed: {detail}")
    return chosen, skipped


@dataclass
class _Tiles:
    """Per-tile figures of one tensor, and what is needed to decide a tile exactly again."""

    energies: dict[tuple[str, str], list[np.ndarray]] = field(default_factory=dict)          # (family, code)
    dots: dict[tuple[str, str, str], list[np.ndarray]] = field(default_factory=dict)         # (family, code, activation)
    clipped: dict[str, float] = field(default_factory=lambda: {c: 0.0 for c in CODES})

    def put(self, store: dict, key: tuple[str, ...], value: np.ndarray) -> None:
        store.setdefault(key, []).append(value.ravel())


def _chunks(rows: int, columns: int) -> Iterator[slice]:
    size = max(1, CHUNK_WEIGHTS // columns)
    for start in range(0, rows, size):
        yield slice(start, min(rows, start + size))


def decoded(weights: np.ndarray, family: str, code: str, step: np.float32) -> tuple[np.ndarray, float]:
    """Decoded values of rows of weights, [rows, columns], and the share that was clipped; columns: a multiple of 8.

    A double or float32 that is the decoded value itself, so that weights − decoded, taken in float64, is rounded once.
    """
    if family == "unbounded":
        return codes.unbounded(weights.reshape(-1, 8), step, codes.LATTICES[code]).reshape(weights.shape), 0.0
    blocks, clipped = codes.bounded(in_blocks(weights), code)
    return from_blocks(blocks, weights.shape[1]), clipped


def _vacuity(bound: np.ndarray, truth: np.ndarray) -> Vacuity:
    meets = truth > 0
    if not meets.any():
        return Vacuity(p10=None, median=None, p90=None, tiles_with_zero_truth=len(truth))
    low, median, high = (float(v) for v in np.quantile(bound[meets] / truth[meets], (0.1, 0.5, 0.9)))
    return Vacuity(p10=low, median=median, p90=high, tiles_with_zero_truth=int(len(truth) - meets.sum()))


def _edge_by_step(vectors: np.ndarray, rms: float, step_over_rms: float) -> list[StepEdge]:
    """The edge at multiples of the step; vectors float32[n, 8]."""
    out = []
    for multiple in STEP_MULTIPLES:
        step = np.float32(rms * step_over_rms * multiple)
        cubic, e8 = (float(gate.energy(vectors - codes.unbounded(vectors, step, codes.LATTICES[c])).sum()) for c in CODES)
        out.append(StepEdge(step_over_rms=step_over_rms * multiple, edge=edge(cubic, e8)))
    return out


def probe_tensor(model: Model, reader: sanity.SecondReader, info: TensorInfo, settings: Settings, activation: np.ndarray | None,
                 progress: Callable[[int], None] = lambda _: None) -> Tensor:
    """All figures of one matrix.

    activation: float32[tokens, columns] real inputs of this matrix, or None.  progress: is told how many weights are done.
    Raises ModelError, SanityError.
    """
    rng = np.random.default_rng([settings.seed, zlib.crc32(info.name.encode())])
    rows = np.arange(info.rows) if info.rows <= settings.rows else np.sort(rng.choice(info.rows, settings.rows, replace=False))
    values = model.rows(info.name, rows)
    checked = sanity.check_tensor(reader, info, rows, values, rng)
    figures = spread(values, rng)

    n = 8 * settings.tile
    per_row = info.columns // n
    used = values[:, :per_row * n]
    tiles = len(rows) * per_row
    rms = float(np.sqrt(np.mean(np.square(used, dtype=np.float64))))
    step = np.float32(rms * settings.step_over_rms)
    largest = float(np.abs(used).max())
    if not (step > 0 and largest / float(step) <= MOST_STEPS):
        raise sanity.SanityError(info.name, f"the largest weight, {largest:.3g}, is more than {MOST_STEPS:.0f} steps of {float(step):.3g} away from zero")

    # One activation per tile: a random direction of unit length, and a real one where there are any.
    tokens = rng.integers(0, len(activation), (len(rows), per_row)) if activation is not None else None
    real = None if activation is None else activation[:, :per_row * n].reshape(len(activation), per_row, n)
    kinds = ("unit",) if real is None else ("unit", "real")
    found = _Tiles()
    real_energies: list[np.ndarray] = []
    for part in _chunks(len(rows), used.shape[1]):
        w = np.ascontiguousarray(used[part])
        direction = rng.standard_normal((len(w), per_row, n), np.float32).astype(np.float64)
        direction /= np.sqrt(gate.energy(direction))[..., None]
        met = {"unit": direction}
        if real is not None:
            met["real"] = real[tokens[part], np.arange(per_row)].astype(np.float64)
            real_energies.append(gate.energy(met["real"]).ravel())
        for family in FAMILIES:
            for code in CODES:
                near, clipped = decoded(w, family, code, step)
                residual = (w.astype(np.float64) - near).reshape(len(w), per_row, n)
                found.put(found.energies, (family, code), gate.energy(residual))
                for kind in kinds:
                    found.put(found.dots, (family, code, kind), np.einsum("rtn,rtn->rt", residual, met[kind]))
                if family == "bounded":
                    found.clipped[code] += clipped * len(w) / len(rows)
        progress(w.size)
    energies = {key: np.concatenate(parts) for key, parts in found.energies.items()}
    dots = {key: np.concatenate(parts) for key, parts in found.dots.items()}
    activation_energy = {"unit": 1.0} if real is None else {"unit": 1.0, "real": np.concatenate(real_energies)}

    def exactly(tile: int, family: str, code: str, kind: str) -> tuple[Fraction, Fraction]:
        row, t = divmod(tile, per_row)
        place = slice(t * n, t * n + n)
        near, _ = decoded(used[row:row + 1], family, code, step)
        e = gate.exact_residual_energy(used[row, place], near[0, place])
        stored = energies[family, code][tile]
        if abs(e - Fraction(float(stored))) > Fraction(gate.relative_error(n)) * e:
            raise sanity.SanityError(info.name, f"{family} {code}: tile {tile} decoded again has residual energy {float(e)!r}, before {stored!r}")
        a = Fraction(1) if kind == "unit" else gate.exact_energy(real[tokens[row, t], t])
        return e, a

    def gates(family: str) -> list[Gate]:
        out = []
        cubic_rms = float(np.sqrt(energies[family, "cubic"].mean()))
        for kind in kinds:
            a = activation_energy[kind]
            activation_rms = float(np.sqrt(np.mean(a)))
            gamma = settings.gamma_multiplier * cubic_rms * activation_rms
            answers = {}
            for code in CODES:
                e, truth = energies[family, code], 2 * np.abs(dots[family, code, kind])
                admitted, by_exact = gate.decide(e, a, gamma, n, lambda i: exactly(i, family, code, kind))
                within = truth <= gamma * (1 + TRUTH_SLACK)
                if (admitted & ~within).any():
                    tile = int(np.flatnonzero(admitted & ~within)[0])
                    raise sanity.SanityError(info.name, f"{family} {code}: tile {tile} was admitted with an error of {truth[tile]!r} above {gamma!r}")
                answers[code] = Admission(tiles=tiles, admitted=int(admitted.sum()), share_admitted=float(admitted.sum() / tiles), by_exact=by_exact,
                                          truth_within=int(within.sum()), share_truth_within=float(within.sum() / tiles),
                                          vacuity=_vacuity(2 * np.sqrt(e * a), truth))
            out.append(Gate(activation=kind, gamma=gamma, gamma_source=GAMMA_SOURCE, cubic_rms_residual=cubic_rms, activation_rms=activation_rms, **answers))
        return out

    mse = {key: float(e.sum() / (tiles * n)) for key, e in energies.items()}
    few = np.ascontiguousarray(used[:max(1, STEP_WEIGHTS // used.shape[1])]).reshape(-1, 8)
    return Tensor(
        name=info.name, role=role(info.name), layer=layer(info.name), shape=list(info.shape), encoding=info.encoding,
        rows_total=info.rows, rows_read=len(rows), sampled=len(rows) < info.rows, columns=info.columns,
        columns_left_over=info.columns - per_row * n, tiles=tiles, rms=rms, largest=largest,
        effective_dimension=figures.effective_dimension, effective_dimension_white=figures.effective_dimension_white,
        mean_abs_correlation=figures.mean_abs_correlation, mean_abs_correlation_independent=figures.mean_abs_correlation_independent,
        constant_columns=figures.constant_columns, statistics_columns=figures.columns,
        sanity=Sanity(values_redecoded=checked.redecoded, values_by_library=checked.by_library, library=checked.library),
        unbounded=Unbounded(step=float(step), step_over_rms=settings.step_over_rms, cubic_mse=mse["unbounded", "cubic"], e8_mse=mse["unbounded", "e8"],
                            edge=edge(mse["unbounded", "cubic"], mse["unbounded", "e8"]), edge_theory=codes.EDGE_THEORY,
                            cell_filling=mse["unbounded", "cubic"] / (float(step) ** 2 / 12),
                            edge_by_step=_edge_by_step(few, rms, settings.step_over_rms), gates=gates("unbounded")),
        bounded=Bounded(bits_per_weight=float(codes.BITS_PER_WEIGHT), cubic_mse=mse["bounded", "cubic"], e8_mse=mse["bounded", "e8"],
                        edge=edge(mse["bounded", "cubic"], mse["bounded", "e8"]),
                        cubic_clipped_share=found.clipped["cubic"], e8_clipped_share=found.clipped["e8"], gates=gates("bounded")))


def real_activations(model: Model) -> tuple[dict[str, np.ndarray], Activations]:
    """Inputs of the matrices by tensor name where they can be had, and the label that goes into the report."""
    if model.name != "minilm":
        return {}, Activations(real=False, source="unit energy", sentences=0, tokens=0, reason="real activations are built in for minilm only")
    try:
        found = minilm_activations(model)
    except ActivationsUnavailable as error:
        return {}, Activations(real=False, source="unit energy", sentences=0, tokens=0, reason=str(error))
    return found, Activations(real=True, source="inputs of each attention and FFN matrix in a float32 forward pass over built-in sentences",
                              sentences=len(SENTENCES), tokens=len(next(iter(found.values()))), reason=None)


def probe(model: Model, settings: Settings, progress: Progress = lambda *_: None) -> Report:
    """Probe a model.  The same file and settings give the same figures.

    Raises ModelError (file), NothingToProbe (request) and SanityError (a decode that looks wrong: no report is made).
    """
    started = time.monotonic()
    chosen, skipped = select(model, settings)
    inputs, label = real_activations(model)
    work = {t.name: min(t.rows, settings.rows) * (t.columns // (8 * settings.tile) * 8 * settings.tile) for t in chosen}
    total, done = sum(work.values()), 0
    tensors = []
    with sanity.SecondReader(model) as reader:
        for info in chosen:
            progress(info.name, done, total)

            def step(weights: int) -> None:
                nonlocal done
                done += weights
                progress(info.name, done, total)

            tensors.append(probe_tensor(model, reader, info, settings, inputs.get(info.name), step))
    file = ModelFile(name=model.name, file=model.path.name, format=model.format, bytes=model.size,
                     sha256=model.sha256() if model.size <= HASHED_BYTES else None, tensors=len(model.tensors))
    run = Run(version=importlib.metadata.version("gnosis-gates"), seconds=time.monotonic() - started, isa=cpu.isa(), python=platform.python_version(), numpy=np.__version__)
    return Report(schema=SCHEMA, model=file, settings=settings, activations=label, theorems=list(THEOREMS), tensors=tensors, skipped=skipped, run=run)

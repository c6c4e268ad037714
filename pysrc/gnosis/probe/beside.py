"""Measuring the codes of files, or codes made here, beside an original; see `gnosis.probe.shipped` for the figures."""

from __future__ import annotations

import importlib.metadata
import math
import platform
import time
import zlib
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from ..codes.lost import lost, relative_up, total_up
from ..codes.plain import redecode
from ..core import cpu
from ..files.inputs import quoted
from ..models import decode
from ..models.files import Model, ModelError, TensorInfo, sha256, size_of
from ..numbers.bounds import above, dots
from . import calibrate, gate, sanity
from .figures import Acceptance, Unit, margin_down
from .measure import CHUNK_WEIGHTS, decoded, tile_of
from .report import ModelFile, Run, Skipped, Source
from .run import Progress, budgeted, peak_rss, select, work_bytes
from .settings import Settings
from .shipped import SCHEMA, Candidate, Coded, Shipped, code_names

SAMPLE_ROWS = 4  # of what was made here, decoded a second time


class Side(Protocol):
    """A matrix in one file, with rows in the original's order: `gnosis.compare.names.Side`, or `Own`."""

    @property
    def file(self) -> Model: ...

    @property
    def name(self) -> str: ...

    @property
    def info(self) -> TensorInfo: ...

    def picked(self, rows: np.ndarray) -> np.ndarray: ...


class Pair(Protocol):
    """A matrix in both files: `gnosis.compare.names.Pair`."""

    @property
    def name(self) -> str: ...

    @property
    def original(self) -> Side: ...

    @property
    def quantized(self) -> Side: ...


@dataclass(frozen=True)
class Own:
    """A matrix of the original where no other file is beside it."""

    file: Model
    name: str

    @property
    def info(self) -> TensorInfo:
        return self.file.info(self.name)

    def picked(self, rows: np.ndarray) -> np.ndarray:
        return self.file.rows(self.name, rows)


@dataclass(frozen=True)
class Stored:
    """How one candidate stands for one matrix.  rows: chosen rows of the original → float32[n, columns] decoded."""

    name: str
    code: str
    bits: float
    rows: Callable[[np.ndarray], np.ndarray]


def file_of(model: Model) -> ModelFile:
    files = [Source(file=path.name, bytes=size_of(path), sha256=sha256(path)) for path in model.paths]
    return ModelFile.make(name=model.name, format=model.format, files=files, tensors=len(model.tensors))


def quantizer() -> tuple[Callable[[np.ndarray, str], np.ndarray], str]:
    """What makes codes, float32[n, columns] → uint8[n, row bytes], and its name with the version.  ModelError where it is not installed."""
    try:
        import libgguf
    except ImportError as error:
        raise ModelError(f"--code needs libgguf ({error}); run: pip install 'gnosis-gates[codes]'") from None
    import gguf

    def made(rows: np.ndarray, code: str) -> np.ndarray:
        raw = libgguf.quantize_rows(np.ascontiguousarray(rows), gguf.GGMLQuantizationType[code])
        return np.ascontiguousarray(raw).view(np.uint8).reshape(len(rows), -1)

    return made, f"libgguf {importlib.metadata.version('libgguf')}"


def made_here(side: Side, code: str, make: Callable[[np.ndarray, str], np.ndarray]) -> Stored:
    """The original's rows through a code and back.  ModelError where a block cannot stand for its weights, SanityError where two decoders differ."""
    import gguf

    size, width = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[code]]

    def rows(chosen: np.ndarray) -> np.ndarray:
        raw = make(side.picked(chosen), code)
        values = decode.decode_rows(raw, code, side.info.columns)
        if not np.isfinite(values).all():
            raise ModelError(f"{side.file.path}: tensor {quoted(side.name)}: {code} overflows in row {int(chosen[~np.isfinite(values).all(1)][0])}")
        for i in range(min(SAMPLE_ROWS, len(chosen))):
            second = redecode(raw[i].tobytes(), code, width)
            if second is not None and not np.array_equal(second, values[i]):
                raise sanity.SanityError(side.name, f"{code}, made here, decodes to two different things in row {int(chosen[i])}")
        return values

    return Stored(side.name, code, 8 * width / size, rows)


def of_file(side: Side) -> Stored:
    """What a file holds of a matrix."""
    return Stored(side.name, side.info.encoding, 8 * side.info.nbytes / (side.info.rows * side.info.columns), side.picked)


def checked(side: Side, reader: sanity.SecondReader, rng: np.random.Generator) -> None:
    """The sanity gate on a sample of a matrix.  SanityError, ModelError."""
    rows = np.unique(np.linspace(0, side.info.rows - 1, max(8, CHUNK_WEIGHTS // side.info.columns)).astype(int))
    sanity.check_tensor(reader, side.info, rows, side.file.rows(side.name, rows), rng)


class Matrix:
    """The work on one matrix: the original's rows, and the unit that every code of it is measured in."""

    def __init__(self, side: Side, settings: Settings) -> None:
        self.side, self.info, self.settings = side, side.info, settings
        rng = np.random.default_rng([settings.seed, zlib.crc32(side.name.encode())])
        rows = self.info.rows
        self.rows = np.arange(rows) if rows <= settings.rows else np.sort(rng.choice(rows, settings.rows, replace=False))
        self.places = calibrate.split(len(self.rows), settings.calibration_share, rng)
        self.n = tile_of(self.info, settings)
        self.per_row = self.info.columns // self.n
        self.used = self.n * self.per_row
        self.tiles = len(self.rows) * self.per_row
        self.unit: Unit | None = None

    def pieces(self) -> list[np.ndarray]:
        size = max(1, CHUNK_WEIGHTS // self.info.columns)
        return [self.rows[start : start + size] for start in range(0, len(self.rows), size)]

    def measured(self, every: list[Stored], step: Callable[[int], None]) -> list[Coded]:
        """Figures of every code of this matrix, in one pass over the original."""

        cubic: list[np.ndarray] = []
        energies: list[list[np.ndarray]] = [[] for _ in every]
        bounds: list[list[tuple[np.ndarray, ...]]] = [[] for _ in every]
        largest = [0.0 for _ in every]
        for piece in self.pieces():
            w = np.ascontiguousarray(self.side.picked(piece)[:, : self.used])
            near, _ = decoded(w, "bounded", "cubic", np.float32(1))
            cubic.append(self.squares(w - near.astype(np.float64)))
            for i, stored in enumerate(every):
                values = np.ascontiguousarray(stored.rows(piece)[:, : self.used])
                residual = w.astype(np.float64) - values
                energies[i].append(self.squares(residual))
                bounds[i].append(tuple(lost(w, values)))
                largest[i] = max(largest[i], float(np.abs(residual).max()))
            step(w.size)
        self.unit = Unit.make(residual_energy=math.fsum(np.concatenate(cubic).tolist()), residuals=self.tiles, activation_energy=None, activations=None)
        return [
            self.figures(stored, np.concatenate(e), tuple(np.concatenate(x) for x in zip(*b)), most)
            for stored, e, b, most in zip(every, energies, bounds, largest)
        ]

    def squares(self, residual: np.ndarray) -> np.ndarray:
        return gate.energy(residual.reshape(len(residual), self.per_row, self.n)).ravel()

    def figures(self, stored: Stored, energy: np.ndarray, rows: tuple[np.ndarray, ...], largest: float) -> Coded:

        assert self.unit is not None
        gamma = margin_down(self.settings.gamma_multiplier, self.unit.value)

        def exactly(tile: int) -> tuple[Fraction, Fraction]:
            row, t = divmod(tile, self.per_row)
            part, chosen = slice(t * self.n, (t + 1) * self.n), self.rows[row : row + 1]
            return gate.exact_residual_energy(self.side.picked(chosen)[0, part], stored.rows(chosen)[0, part]), Fraction(1)

        admitted, by_exact = gate.decide(energy, 1.0, gamma, self.n, exactly)
        worst = energy.reshape(-1, self.per_row).max(-1)
        scores = above(np.sqrt(above(worst * (1 + gate.relative_error(self.n))))) * (worst > 0)
        _, high, _, norm_low, norm = rows
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(high > 0, high / norm_low, 0)
        at = int(np.argmax(share))
        one = np.ones(len(norm_low))
        return Coded.make(
            name=self.side.name,
            stored_name=stored.name,
            code=stored.code,
            shape=list(self.info.shape),
            bits_per_weight=stored.bits,
            rows_total=self.info.rows,
            rows_read=len(self.rows),
            tile=self.n,
            weights=self.tiles * self.n,
            energy=math.fsum(energy.tolist()),
            energy_upper=total_up(high),
            original_energy=math.fsum(norm.tolist()),
            original_energy_lower=float(dots((norm_low, norm_low), (one, one))[0]),
            largest=largest,
            worst_row=int(self.rows[at]) if high[at] else None,
            worst_row_upper=relative_up(float(high[at]), float(norm_low[at])) if high[at] else None,
            gamma=gamma,
            gate=Acceptance.make(tiles=self.tiles, admitted=int(admitted.sum()), by_exact=by_exact, truth=None),
            conformal=calibrate.conformal("row", "stored", scores, self.places, self.unit, self.settings),
        )


def measure(
    original: Model,
    quantized: Model | None,
    both: Sequence[Pair],
    codes: list[str],
    settings: Settings,
    progress: Progress = lambda *_: None,
    *,
    budget: int,
    workers: int | None = None,
) -> Shipped:
    """The real codes beside an original.

    quantized: a file of those tensors; both: which is which (`gnosis.compare.names.paired`), empty without it.  codes: names of codes that `libgguf` makes of the original here.
    Matrices are chosen by the original's names, `settings.matrix_type` by the file's encodings where there is a file.
    Raises ModelError, ArgumentError (codes), NothingToProbe, BudgetError and SanityError.
    """
    started = time.monotonic()
    codes = code_names(codes)
    kind = settings.matrix_type
    chosen, skipped = select(original, settings.model_copy(update={"matrix_type": "any"}) if quantized is not None else settings)
    pairs = {pair.name: pair for pair in both}
    make, maker = quantizer() if codes else (None, "")
    if quantized is not None:
        wanted = [t for t in chosen if t.name in pairs and fits(pairs[t.name].quantized.info.encoding, kind)]
        if not wanted:
            raise ModelError(f"{quantized.path}: no matrix of the type {kind} that can be probed")
        chosen = wanted
    needs = {t.name: work_bytes(t, settings, 0) for t in chosen}
    workers, work = budgeted(chosen, needs, budget, workers)
    total, done = sum(min(t.rows, settings.rows) * t.columns for t in chosen), 0
    names = ([quantized.path.name] if quantized is not None else []) + [code.lower() for code in codes]
    left: dict[str, list[Skipped]] = {name: list(skipped) for name in names}

    with sanity.SecondReader(original) as first, sanity.SecondReader(quantized or original) as second:

        def one(info: TensorInfo) -> dict[str, Coded]:
            nonlocal done
            side: Side = pairs[info.name].original if info.name in pairs else Own(original, info.name)
            rng = np.random.default_rng([settings.seed, zlib.crc32(info.name.encode()), 1])
            checked(side, first, rng)
            every: dict[str, Stored] = {}
            if quantized is not None:
                checked(pairs[info.name].quantized, second, rng)
                every[names[0]] = of_file(pairs[info.name].quantized)
            for code in codes:
                size = decode_size(code)
                if info.columns % size:
                    left[code.lower()].append(Skipped(name=info.name, reason=f"rows of {info.columns} weights are not whole blocks of {size}"))
                elif make is not None:
                    every[code.lower()] = made_here(side, code, make)

            def step(weights: int) -> None:
                nonlocal done
                done += weights
                progress(info.name, done, total)

            found = dict(zip(every, Matrix(side, settings).measured(list(every.values()), step))) if every else {}
            original.release(info.name)
            if quantized is not None:
                quantized.release(pairs[info.name].quantized.name)
            return found

        with ThreadPoolExecutor(workers) as pool:
            jobs = [pool.submit(one, info) for info in chosen]
            try:
                tensors = [job.result() for job in jobs]
            finally:
                for job in jobs:
                    job.cancel()
    candidates = []
    for name in names:
        own = [found[name] for found in tensors if name in found]
        if not own:
            raise ModelError(f"{original.path}: nothing can be coded in {name}: {left[name][-1].name}: {left[name][-1].reason}")
        is_file = quantized is not None and name == names[0]
        order = {t.name: i for i, t in enumerate(chosen)}
        candidates.append(
            Candidate.make(
                name=name,
                file=file_of(quantized) if is_file and quantized is not None else None,
                quantizer=None if is_file else maker,
                tensors=own,
                skipped=sorted(left[name], key=lambda s: order.get(s.name, -1)),
            )
        )
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
    encodings = sorted({t.encoding for t in chosen})
    return Shipped.make(schema_=SCHEMA, original=file_of(original), original_encodings=encodings, settings=settings, candidates=candidates, run=run)


def decode_size(code: str) -> int:
    """Weights of a block."""
    import gguf

    return gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[code]][0]


def fits(encoding: str, kind: str) -> bool:
    """Whether an encoding is of a matrix type of the settings."""
    return kind.upper() == "ANY" or encoding in (decode.FLOATS if kind.upper() == "FLOAT" else (kind.upper(),))

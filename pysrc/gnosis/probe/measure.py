"""The work on one matrix: from its weights to its figures in the report."""

from __future__ import annotations

import math
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

import numpy as np

from ..codes import families as codes
from ..codes.lattice.matrix import from_blocks, in_blocks
from ..models.files import Model
from ..models.headers import ModelError, TensorInfo
from ..models.roles import layer, role
from ..numbers.bounds import above
from . import calibrate, gate, sanity
from .figures import Acceptance, Bounded, Conformal, Curve, Gate, Lattice, Loss, StepEdge, Tails, Truth, Unit, Vacuity, edge, margin_down
from .settings import Settings
from .statistics import Spread, Spreading, TailSums
from .tensor import NonFinite, Sanity, Tensor

FAMILIES = ("lattice", "bounded")
MEASURED: tuple[Literal["cubic", "e8"], ...] = ("cubic", "e8")  # codes that are calibrated and compared with the truth
CHUNK_WEIGHTS = 2**18  # weights in work at once; fixed, so that no figure depends on the budget
STEP_MULTIPLES = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
STEP_WEIGHTS = 2**16  # weights on which the edges at other steps are measured
LEAST_ROWS = 8
MOST_STEPS = 2**20  # from zero to the largest weight; float32 holds points of the lattices well beyond
TRUTH_SLACK = 1e-12  # relative; covers the rounding of a float64 dot product by far
GAMMA_SOURCE = "set by us, not by a decision"


def tile_of(info: TensorInfo, settings: Settings) -> int:
    """Weights of a tile."""
    return info.columns // 8 * 8 if settings.tile == "row" else 8 * settings.tile


def _chunks(rows: np.ndarray, columns: int) -> Iterator[tuple[slice, np.ndarray]]:
    size = max(1, CHUNK_WEIGHTS // columns)
    for start in range(0, len(rows), size):
        yield slice(start, start + size), rows[start : start + size]


def decoded(weights: np.ndarray, family: str, code: str, step: np.float32) -> tuple[np.ndarray, int]:
    """Decoded values of rows of weights, [rows, columns], and how much was clipped; columns: a multiple of 8.

    A double or float32 that is the decoded value itself, so that weights − decoded, taken in float64, is rounded once.
    """
    if family == "lattice":
        return codes.unbounded(weights.reshape(-1, 8), step, code).reshape(weights.shape), 0
    blocks, clipped = codes.bounded(in_blocks(weights), code)
    return from_blocks(blocks, weights.shape[1]), clipped


@dataclass
class Survey:
    """The first pass over a tensor: which rows are finite, and how the weights are spread."""

    rows: np.ndarray
    non_finite: NonFinite
    spread: Spread
    tails: Tails


def survey(model: Model, info: TensorInfo, rows: np.ndarray, rng: np.random.Generator) -> Survey:
    """Look at rows of a tensor; rows: int[n].  ModelError for a scale of a block code that is not finite, and when too few rows are finite."""
    spreading, tails = Spreading(info.columns, rng), TailSums(info.columns)
    good, first = np.ones(len(rows), bool), None
    for place, part in _chunks(rows, info.columns):
        values = model.decoded(info.name, part)
        finite = np.isfinite(values).all(1)
        if not finite.all():
            row = int(np.flatnonzero(~finite)[0])
            column = int(np.flatnonzero(~np.isfinite(values[row]))[0])
            problem = model.non_finite(info, int(part[row]), column)
            if info.block > 1:
                raise ModelError(problem)
            first = first or problem.removeprefix(f"{model.place(info)}: ")
            good[place] = finite
            values = values[finite]
        if len(values):
            spreading.add(values)
            tails.add(values)
    left = int(good.sum())
    if left < LEAST_ROWS:
        raise ModelError(f"{model.place(info)}: {first}; {len(rows) - left} of the {len(rows)} rows that were read hold such values, too few are left")
    return Survey(rows[good], NonFinite(rows=len(rows) - left, first=first), spreading.result(), Tails.make(**tails.figures()))


@dataclass
class Measured:
    """The second pass: sums and per-tile figures of every family and code, in the order of the tiles."""

    energy: dict[tuple[str, str], list[np.ndarray]] = field(default_factory=lambda: defaultdict(list))  # per tile, E
    sup: dict[tuple[str, str], list[np.ndarray]] = field(default_factory=lambda: defaultdict(list))  # per tile, largest |τ_i|
    dots: dict[tuple[str, str, str], list[np.ndarray]] = field(default_factory=lambda: defaultdict(list))  # per tile, ⟨τ, a⟩
    met: dict[str, list[np.ndarray]] = field(default_factory=lambda: defaultdict(list))  # per tile, A
    worst: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)  # per position, largest error
    clipped: dict[tuple[str, str], int] = field(default_factory=lambda: defaultdict(int))
    cells: np.ndarray = field(default_factory=lambda: np.zeros(codes.CELLS, np.int64))


@dataclass
class Logits:
    """What a code makes of the logits at every position, taken over all rows of the output matrix as they come.

    worst: largest error, rounded up.  best, second: the two largest coarse logits; winner, true_winner: rows of the largest coarse
    and exact one; energy: of all residuals; slack: what the float64 dot products may be off by.
    Promises: tested `tests/test_probe_activations.py::test_logits_taken_in_pieces_are_those_of_the_whole`.
    """

    worst: np.ndarray
    best: np.ndarray
    second: np.ndarray
    winner: np.ndarray
    true_best: np.ndarray
    true_winner: np.ndarray
    energy: list[float]
    slack: np.ndarray

    @classmethod
    def empty(cls, positions: int) -> Logits:
        low, none = np.full(positions, -np.inf), np.full(positions, -1)
        return cls(np.zeros(positions), low.copy(), low.copy(), none.copy(), low.copy(), none.copy(), [], np.zeros(positions))

    def take(self, start: int, exact: np.ndarray, error: np.ndarray, size: np.ndarray, energy: np.ndarray, norms: np.ndarray, wide: float) -> None:
        """Rows from `start` on: exact logits and errors float64[rows, positions]; size, energy: of coarse rows and residuals; norms: of the activations.

        Promises: tested `tests/test_probe_activations.py::test_logits_taken_in_pieces_are_those_of_the_whole`.
        """
        coarse = exact - error
        slack = wide * math.sqrt(float(size.max())) * norms
        self.worst = np.maximum(self.worst, np.abs(error).max(0) + wide * math.sqrt(float(energy.max())) * norms)
        self.slack = np.maximum(self.slack, slack)
        self.energy.append(float(energy.sum()))
        two = np.sort(np.partition(coarse, len(coarse) - 2, axis=0)[-2:], axis=0) if len(coarse) > 1 else np.vstack([np.full(coarse.shape[1], -np.inf), coarse])
        best = coarse.argmax(0)
        self.winner = np.where(two[1] > self.best, start + best, self.winner)
        self.best, self.second = np.maximum(self.best, two[1]), np.maximum(np.minimum(self.best, two[1]), np.maximum(self.second, two[0]))
        top = exact.max(0)
        self.true_winner = np.where(top > self.true_best, start + exact.argmax(0), self.true_winner)
        self.true_best = np.maximum(self.true_best, top)


class TensorProbe:
    """The work on one matrix.

    inputs: float32[positions, columns], what reaches this matrix at some positions of a text, or None.  head: whether the outputs
    are logits; then every row is read once more, for the margins of real decisions.
    Raises ModelError, SanityError.
    """

    def __init__(
        self,
        model: Model,
        reader: sanity.SecondReader,
        info: TensorInfo,
        settings: Settings,
        inputs: np.ndarray | None,
        head: bool,
        progress: Callable[[int], None],
    ) -> None:
        self.head = head
        self.model, self.info, self.settings, self.progress = model, info, settings, progress
        rng = np.random.default_rng([settings.seed, zlib.crc32(info.name.encode())])
        every = np.arange(info.rows) if info.rows <= settings.rows else np.sort(rng.choice(info.rows, settings.rows, replace=False))
        self.read = len(every)
        self.found = survey(model, info, every, rng)
        self.rows = self.found.rows
        sample = self.rows[np.unique(np.linspace(0, len(self.rows) - 1, max(LEAST_ROWS, CHUNK_WEIGHTS // info.columns)).astype(int))]
        self.checked = sanity.check_tensor(reader, info, sample, model.rows(info.name, sample), rng)

        self.n = tile_of(info, settings)
        self.per_row = info.columns // self.n
        self.used = self.per_row * self.n
        self.tiles = len(self.rows) * self.per_row
        self.step = np.float32(self.found.tails.rms * settings.step_over_rms)
        if not (self.step > 0 and self.found.tails.largest / float(self.step) <= MOST_STEPS):
            raise sanity.SanityError(
                info.name, f"the largest weight, {self.found.tails.largest:.3g}, is more than {MOST_STEPS:.0f} steps of {float(self.step):.3g} away from zero"
            )
        self.rng = rng
        self.exact: dict[tuple[int, str, str], Fraction] = {}  # energies that had to be computed exactly
        self.inputs = None if inputs is None else inputs[:, : self.used].astype(np.float64)
        self.activation_tails = None
        if inputs is not None:
            sums = TailSums(info.columns)
            sums.add(inputs)
            self.activation_tails = Tails.make(**sums.figures())
        # One activation per tile: a random direction of unit length, and the matching part of a real one where there are any.
        self.tokens = None if inputs is None else rng.integers(0, len(inputs), (len(self.rows), self.per_row))
        self.kinds = ("unit",) if inputs is None else ("unit", "real")

    def weights(self, rows: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(self.model.rows(self.info.name, rows)[:, : self.used])

    def real(self, rows: slice) -> np.ndarray:
        """The parts of real activations that the tiles of some rows meet, float64[rows, tiles of a row, n]."""
        assert self.inputs is not None and self.tokens is not None
        return self.inputs.reshape(len(self.inputs), self.per_row, self.n)[self.tokens[rows], np.arange(self.per_row)]

    def measure(self) -> None:
        m = Measured()
        for place, part in _chunks(self.rows, self.info.columns):
            w = self.weights(part)
            direction = self.rng.standard_normal((len(w), self.per_row, self.n), np.float32).astype(np.float64)
            direction /= np.sqrt(gate.energy(direction))[..., None]
            met = {"unit": direction}
            if self.inputs is not None:
                met["real"] = self.real(place)
                m.met["real"].append(gate.energy(met["real"]).ravel())
            for family in FAMILIES:
                for code in codes.CODES:
                    near, clipped = decoded(w, family, code, self.step)
                    residual = (w - near.astype(np.float64, copy=False)).reshape(len(w), self.per_row, self.n)
                    m.clipped[family, code] += clipped
                    energy = gate.energy(residual)
                    m.energy[family, code].append(energy.ravel())
                    m.sup[family, code].append(np.maximum(residual.max(-1), -residual.min(-1)).ravel())
                    if code not in MEASURED:
                        continue
                    for kind in self.kinds:
                        m.dots[family, code, kind].append(np.einsum("rtn,rtn->rt", residual, met[kind]).ravel())
                    if self.inputs is not None:
                        self._positions(m, family, code, residual.reshape(len(w), self.used), energy)
                    if (family, code) == ("lattice", "cubic"):
                        cell = np.floor((residual / float(self.step) + 0.5) * codes.CELLS).astype(np.int64)
                        m.cells += np.bincount(np.clip(cell, 0, codes.CELLS - 1).ravel(), minlength=codes.CELLS)
            self.progress(w.size)
        self.m = m
        self.energy = {key: np.concatenate(parts) for key, parts in m.energy.items()}
        self.sup = {key: np.concatenate(parts) for key, parts in m.sup.items()}
        self.dots = {key: np.concatenate(parts) for key, parts in m.dots.items()}
        self.met = {key: np.concatenate(parts) for key, parts in m.met.items()}

    def _positions(self, m: Measured, family: str, code: str, residual: np.ndarray, energy: np.ndarray) -> None:
        """The largest error of these rows at every position, rounded up."""
        assert self.inputs is not None
        errors = residual @ self.inputs.T
        found = np.maximum(errors.max(0), -errors.min(0))
        # a float64 dot product of n terms is within relative_error(n)·‖τ‖·‖a‖ of the true one
        found += gate.relative_error(self.used) * math.sqrt(float(energy.sum(-1).max())) * np.sqrt(gate.energy(self.inputs))
        m.worst[family, code] = np.maximum(m.worst.get((family, code), 0.0), found)

    # ---- gates ----

    def _again(self, row: int, t: int, family: str, code: str) -> tuple[np.ndarray, np.ndarray]:
        """The weights of one tile and their decoded values, read and decoded once more."""
        place = slice(t * self.n, t * self.n + self.n)
        w = self.weights(self.rows[row : row + 1])
        return w[0, place], decoded(w, family, code, self.step)[0][0, place]

    def exactly(self, tile: int, family: str, code: str, kind: str) -> tuple[Fraction, Fraction]:
        """The exact energies of the residual of one tile and of the activation that it meets.

        Promises: tested `tests/test_probe.py::test_all_decisions_by_exact_arithmetic_give_the_same_report`.
        """
        row, t = divmod(tile, self.per_row)
        e = self.exact.get((tile, family, code))
        if e is None:
            w, near = self._again(row, t, family, code)
            e = gate.exact_residual_energy(w, near)
            stored = self.energy[family, code][tile]
            if abs(e - Fraction(float(stored))) > Fraction(gate.relative_error(self.n)) * e:
                raise sanity.SanityError(self.info.name, f"{family} {code}: tile {tile} decoded again has residual energy {float(e)!r}, before {stored!r}")
            self.exact[tile, family, code] = e
        return e, Fraction(1) if kind == "unit" else gate.exact_energy(self.real(slice(row, row + 1))[0, t])

    def exact_sup(self, tile: int, family: str, code: str) -> Fraction:
        w, near = self._again(*divmod(tile, self.per_row), family, code)
        return max(abs(Fraction(float(a)) - Fraction(float(b))) for a, b in zip(w, near, strict=True))

    def admitted(self, family: str, code: str, kind: str, gamma: float) -> tuple[np.ndarray, int]:
        a = 1.0 if kind == "unit" else self.met["real"]
        return gate.decide(self.energy[family, code], a, gamma, self.n, lambda i: self.exactly(i, family, code, kind))

    def energy_gate(self, family: str, kind: str) -> Gate:
        cubic = self.energy[family, "cubic"]
        a = None if kind == "unit" else self.met["real"]
        unit = Unit.make(
            residual_energy=_sum(cubic), residuals=self.tiles, activation_energy=None if a is None else _sum(a), activations=None if a is None else self.tiles
        )
        gamma = margin_down(self.settings.gamma_multiplier, unit.value)
        answers = {}
        for code in codes.CODES:
            admitted, by_exact = self.admitted(family, code, kind, gamma)
            answers[code] = Acceptance.make(
                tiles=self.tiles, admitted=int(admitted.sum()), by_exact=by_exact, truth=self._truth(family, code, kind, gamma, admitted)
            )
        return Gate.make(norm="energy", activation=kind, multiplier=self.settings.gamma_multiplier, unit=unit, gamma_source=GAMMA_SOURCE, **answers)

    def _truth(self, family: str, code: str, kind: str, gamma: float, admitted: np.ndarray) -> Truth | None:
        if code not in MEASURED:
            return None
        truth = 2 * np.abs(self.dots[family, code, kind])
        within = truth <= gamma * (1 + TRUTH_SLACK)
        if (admitted & ~within).any():
            tile = int(np.flatnonzero(admitted & ~within)[0])
            raise sanity.SanityError(self.info.name, f"{family} {code}: tile {tile} was admitted with an error of {truth[tile]!r} above {gamma!r}")
        bound = 2 * np.sqrt(self.energy[family, code] * (1.0 if kind == "unit" else self.met["real"]))
        return Truth.make(tiles=self.tiles, within=int(within.sum()), vacuity=_vacuity(bound, truth))

    def sup_gate(self, family: str) -> Gate:
        unit = Unit.make(residual_energy=_sum(np.square(self.sup[family, "cubic"])), residuals=self.tiles, activation_energy=None, activations=None)
        gamma = margin_down(self.settings.gamma_multiplier, unit.value)
        answers = {}
        for code in codes.CODES:
            # differences are rounded once and rounding keeps the order, so only equality is in doubt
            twice = 2 * self.sup[family, code]
            ties = np.flatnonzero(twice == gamma)
            admitted = int((twice < gamma).sum()) + sum(2 * self.exact_sup(int(i), family, code) <= Fraction(gamma) for i in ties)
            answers[code] = Acceptance.make(tiles=self.tiles, admitted=admitted, by_exact=len(ties), truth=None)
        return Gate.make(norm="sup", activation="unit", multiplier=self.settings.gamma_multiplier, unit=unit, gamma_source=GAMMA_SOURCE, **answers)

    def curve(self, family: str, unit: float) -> Curve:
        margins = [margin_down(m, unit) for m in self.settings.grid.multipliers()]
        return Curve(tiles=self.tiles, **{code: [int(self.admitted(family, code, "unit", g)[0].sum()) for g in margins] for code in codes.CODES})

    def calibrations(self, family: str, places: tuple[np.ndarray, np.ndarray], positions: tuple[np.ndarray, np.ndarray] | None) -> list[Conformal]:
        energy = _sum(self.energy[family, "cubic"])
        unit = Unit.make(residual_energy=energy, residuals=self.tiles, activation_energy=None, activations=None)
        wide = 1 + gate.relative_error(self.n)
        out = []
        for code in MEASURED:
            worst = self.energy[family, code].reshape(len(self.rows), self.per_row).max(-1)
            scores = above(np.sqrt(above(worst * wide))) * (worst > 0)
            out.append(calibrate.conformal("row", code, scores, places, unit, self.settings))
        if positions is not None and self.inputs is not None:
            unit = Unit.make(residual_energy=energy, residuals=len(self.rows), activation_energy=_sum(gate.energy(self.inputs)), activations=len(self.inputs))
            out += [calibrate.conformal("position", code, self.m.worst[family, code], positions, unit, self.settings) for code in MEASURED]
            if self.head:
                out += self.decisions(family, positions)
        return out

    def decisions(self, family: str, positions: tuple[np.ndarray, np.ndarray]) -> list[Conformal]:
        """Calibrations on the margins of real decisions: the lead of the largest coarse logit over all rows of the matrix."""
        assert self.inputs is not None
        norms, wide = np.sqrt(gate.energy(self.inputs)), gate.relative_error(self.used)
        found = {code: Logits.empty(len(self.inputs)) for code in MEASURED}
        for place, part in _chunks(np.arange(self.info.rows), self.info.columns):
            w = self.weights(part)
            exact = w.astype(np.float64) @ self.inputs.T
            for code in MEASURED:
                near = decoded(w, family, code, self.step)[0].astype(np.float64, copy=False)
                residual = w - near
                found[code].take(
                    place.start, exact, residual @ self.inputs.T, np.maximum(gate.energy(near), gate.energy(w)), gate.energy(residual), norms, wide
                )
        unit = Unit.make(
            residual_energy=math.fsum(found["cubic"].energy),
            residuals=self.info.rows,
            activation_energy=_sum(gate.energy(self.inputs)),
            activations=len(self.inputs),
        )
        out = []
        for code, logits in found.items():
            margins = np.maximum(logits.best - logits.second - 4 * logits.slack, 0.0)  # two logits, each of two dot products
            out.append(calibrate.conformal("decision", code, logits.worst, positions, unit, self.settings, margins, logits.winner != logits.true_winner))
        return out

    # ---- all together ----

    def losses(self, family: str) -> dict[str, Loss]:
        return {
            code: Loss.make(
                weights=self.tiles * self.n,
                energy=_sum(self.energy[family, code]),
                largest=float(self.sup[family, code].max()),
                clipped=None if family == "lattice" else self.m.clipped[family, code],
            )
            for code in codes.CODES
        }

    def report(self) -> Tensor:
        self.measure()
        s, info, spread = self.settings, self.info, self.found.spread
        places = calibrate.split(len(self.rows), s.calibration_share, self.rng)
        positions = None if self.inputs is None or len(self.inputs) < 2 else calibrate.split(len(self.inputs), s.calibration_share, self.rng)
        parts = {}
        for family in FAMILIES:
            gates = [self.energy_gate(family, kind) for kind in self.kinds]
            parts[family] = {
                **self.losses(family),
                "gates": [*gates, self.sup_gate(family)],
                "curve": self.curve(family, gates[0].unit.value),
                "conformal": self.calibrations(family, places, positions),
            }
        few = self.weights(self.rows[: max(1, STEP_WEIGHTS // self.used)]).reshape(-1, 8)
        lattice = Lattice.make(
            step=float(self.step),
            step_over_rms=s.step_over_rms,
            cell_counts=self.m.cells.tolist(),
            edge_by_step=_edge_by_step(few, self.found.tails.rms, s.step_over_rms),
            **parts["lattice"],
        )
        self.model.release(info.name)
        return Tensor.make(
            name=info.name,
            role=role(info.name),
            layer=layer(info.name),
            shape=list(info.shape),
            encoding=info.encoding,
            rows_total=info.rows,
            rows_read=self.read,
            non_finite=self.found.non_finite,
            columns=info.columns,
            columns_left_over=info.columns - self.used,
            tile=self.n,
            tiles=self.tiles,
            effective_dimension=spread.effective_dimension,
            effective_dimension_white=spread.effective_dimension_white,
            mean_abs_correlation=spread.mean_abs_correlation,
            mean_abs_correlation_independent=spread.mean_abs_correlation_independent,
            constant_columns=spread.constant_columns,
            statistics_columns=spread.columns,
            sanity=Sanity(values_redecoded=self.checked.redecoded, values_by_library=self.checked.by_library, library=self.checked.library),
            weights=self.found.tails,
            activations=self.activation_tails,
            cell_tolerance=s.cell_tolerance,
            lattice=lattice,
            bounded=Bounded.make(bits_per_weight=float(codes.BITS_PER_WEIGHT), **parts["bounded"]),
        )


def _sum(values: np.ndarray) -> float:
    """The sum, correctly rounded: it does not depend on how the values were come by."""
    return math.fsum(values.tolist())


def _vacuity(bound: np.ndarray, truth: np.ndarray) -> Vacuity:
    meets = truth > 0
    if not meets.any():
        return Vacuity(p10=None, median=None, p90=None, tiles_with_zero_truth=len(truth))
    low, median, high = (float(v) for v in np.quantile(bound[meets] / truth[meets], (0.1, 0.5, 0.9)))
    return Vacuity(p10=low, median=median, p90=high, tiles_with_zero_truth=int(len(truth) - meets.sum()))


def _edge_by_step(vectors: np.ndarray, rms: float, step_over_rms: float) -> list[StepEdge]:
    """The edges at multiples of the step; vectors float32[n, 8]."""
    out = []
    for multiple in STEP_MULTIPLES:
        step = np.float32(rms * step_over_rms * multiple)
        cubic, d8, e8 = (float(gate.energy(vectors - codes.unbounded(vectors, step, c)).sum()) for c in codes.CODES)
        out.append(StepEdge(step_over_rms=step_over_rms * multiple, d8=edge(cubic, d8), e8=edge(cubic, e8)))
    return out


def probe_tensor(
    model: Model,
    reader: sanity.SecondReader,
    info: TensorInfo,
    settings: Settings,
    inputs: np.ndarray | None,
    head: bool = False,
    progress: Callable[[int], None] = lambda _: None,
) -> Tensor:
    """All figures of one matrix; see `TensorProbe`."""
    return TensorProbe(model, reader, info, settings, inputs, head, progress).report()

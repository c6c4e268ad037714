"""One matrix in a report: its figures for both families of codes, and whether the predicate admits it."""

from __future__ import annotations

from typing import Any, Literal

from .figures import Bounded, Family, Lattice, Tails
from .part import Count, Part, Positive

PREDICATE = "finite && cell_filling && e8_mse_le_cubic && e8_energy_accept_ge_cubic && all_conformal_admit"
CONJUNCTS = tuple(PREDICATE.split(" && "))


class Admission(Part):
    """The predicate, conjunct by conjunct, for one tensor and one family of codes."""

    finite: bool
    cell_filling: bool
    e8_mse_le_cubic: bool
    e8_energy_accept_ge_cubic: bool
    all_conformal_admit: bool
    admitted: bool

    def derived(self) -> dict[str, Any]:
        return {"admitted": not self.failed}

    @property
    def failed(self) -> list[str]:
        return [name for name in CONJUNCTS if not getattr(self, name)]


class Sanity(Part):
    """What the sanity gate compared before anything was computed: values decoded by a second decoder, and by a library of the format.

    Both are 0 for a type that has no second decoder and whose first one is the library's: then it was decoded once.
    """

    values_redecoded: Count
    values_by_library: Count
    library: str | None


class NonFinite(Part):
    """Rows with a NaN or an infinity: left out of every figure, and the tensor is rejected.  first: file, tensor, offset, row, column."""

    rows: Count
    first: str | None


class Tensor(Part):
    """One matrix.  tile: weights of a tile.  lattice, bounded: the two families; admission, bounded_admission: the predicate for each."""

    name: str
    role: Literal["embedding", "attention", "ffn", "head", "other"]
    layer: int | None
    shape: list[Positive]
    encoding: str
    rows_total: Positive
    rows_read: Positive
    sampled: bool
    non_finite: NonFinite
    columns: Positive
    columns_left_over: Count
    tile: Positive
    tiles: Positive
    effective_dimension: float | None
    effective_dimension_white: float
    mean_abs_correlation: float | None
    mean_abs_correlation_independent: float
    constant_columns: Count
    statistics_columns: Positive
    sanity: Sanity
    weights: Tails
    activations: Tails | None
    cell_tolerance: float
    lattice: Lattice
    bounded: Bounded
    admission: Admission
    bounded_admission: Admission

    def derived(self) -> dict[str, Any]:
        rows = self.rows_read - self.non_finite.rows
        if self.rows_read > self.rows_total or rows < 1:
            raise ValueError("rows_read, rows_total and non_finite do not fit together")
        if self.tiles != rows * (self.columns // self.tile) or self.columns_left_over != self.columns % self.tile:
            raise ValueError("tiles or columns_left_over do not follow from rows, columns and tile")
        for family in (self.lattice, self.bounded):
            if {x.tiles for g in family.gates for x in (g.cubic, g.d8, g.e8)} | {family.curve.tiles} != {self.tiles}:
                raise ValueError("a gate decided another number of tiles than the tensor has")
            if {x.weights for x in (family.cubic, family.d8, family.e8)} != {self.tiles * self.tile}:
                raise ValueError("the losses are not those of the tiles")
            for g in family.gates:
                if g.norm == "energy" and (g.unit.residual_energy, g.unit.residuals) != (family.cubic.energy, self.tiles):
                    raise ValueError("the unit of an energy gate is not that of the cubic residuals")
            for c in family.conformal:
                if c.of == "row" and (c.calibration + c.held_out, c.unit.residual_energy, c.unit.residuals) != (rows, family.cubic.energy, self.tiles):
                    raise ValueError("a calibration of rows is not that of the rows that were read")
        return {"sampled": self.rows_read < self.rows_total, "admission": admission(self, self.lattice), "bounded_admission": admission(self, self.bounded)}


def admission(tensor: Tensor, family: Family) -> Admission:
    """The predicate.  The cell is that of the unbounded cubic lattice for both families."""
    gate, lattice = family.gate("energy"), tensor.lattice
    assert gate is not None
    return Admission.make(
        finite=tensor.non_finite.rows == 0,
        cell_filling=abs(lattice.cell_moment - 1) <= tensor.cell_tolerance and lattice.cell_distance <= tensor.cell_tolerance,
        e8_mse_le_cubic=family.e8.mse <= family.cubic.mse,
        e8_energy_accept_ge_cubic=gate.e8.admitted >= gate.cubic.admitted,
        all_conformal_admit=all(found.admit for c in family.calibrated() for found in c.levels),
    )

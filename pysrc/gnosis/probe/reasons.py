"""Why the predicate refuses a matrix, in figures: one sentence for each conjunct or level that fails."""

from __future__ import annotations

from fractions import Fraction

from ..numbers.bounds import shown_up
from ..numbers.levels import level
from .figures import Conformal, Family, Level
from .tensor import Tensor


def scores_needed(q: str) -> int:
    """The least number of calibration scores with which a level has a threshold: the least n with ⌈(n + 1)·q⌉ ≤ n, which is ⌈q / (1 − q)⌉."""
    exact = Fraction(level(q, "q"))
    return max(1, -(-exact // (1 - exact)))


def level_reason(found: Conformal, at: Level, rows: int) -> str | None:
    """Why a level of rows or positions does not admit; None where it does.  rows: how many there are in all, calibrating or held out."""
    if at.admit or at.admit is None:
        return None
    if at.threshold is None:
        need = scores_needed(at.q)
        where = "this tensor has" if found.of == "row" else "there are"
        return f"q = {at.q} needs {need} {found.of}s, {where} {rows}" + (f" ({found.calibration} of them calibrate)" if rows > found.calibration else "")
    if at.least_multiplier is None:
        return f"q = {at.q} admits at no multiplier: the unit is zero"
    return f"q = {at.q} needs the multiplier {shown_up(at.least_multiplier, 3)}, it is {found.multiplier:g}"


def reasons(tensor: Tensor, family: Family) -> list[str]:
    """Why the predicate refuses a matrix in one family of codes; nothing where it admits."""
    lattice, gate = tensor.lattice, family.gate("energy")
    out = []
    if tensor.non_finite.rows:
        out.append(f"{tensor.non_finite.rows} rows hold values that are not finite")
    for name, apart in (("moment", abs(lattice.cell_moment - 1)), ("distance", lattice.cell_distance)):
        if apart > tensor.cell_tolerance:
            out.append(f"cell {name} is {apart:.3f} from an evenly filled cell, {tensor.cell_tolerance:g} are allowed")
    if family.e8.mse > family.cubic.mse:
        out.append(f"E8 loses {family.e8.mse:.4g} a weight, the cubic code {family.cubic.mse:.4g}")
    if gate is not None and gate.e8.admitted < gate.cubic.admitted:
        out.append(f"the energy gate admits {gate.e8.admitted} tiles of E8 and {gate.cubic.admitted} of the cubic code")
    return out + [r for c in family.calibrated() for found in c.levels if (r := level_reason(c, found, c.calibration + c.held_out)) is not None]

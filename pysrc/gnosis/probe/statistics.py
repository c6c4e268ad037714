"""How the weights of a matrix are spread: effective dimension and correlation, each beside its value for white noise.

Rows are taken as samples and columns as variables.  Both figures are biased by a finite number of rows, so each comes
with the value that independent Gaussian entries of the same shape would show; only the distance between them says
something about the weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

MAX_COLUMNS = 2048  # wider matrices are measured on this many columns, drawn with the seed


@dataclass(frozen=True)
class Spread:
    """Figures of one matrix; see the functions of this module.  columns: how many columns were used."""

    effective_dimension: float | None
    effective_dimension_white: float
    mean_abs_correlation: float | None
    mean_abs_correlation_independent: float
    constant_columns: int
    columns: int


def participation_ratio(covariance: np.ndarray) -> float | None:
    """(Σλ)² / Σλ² over the eigenvalues λ of a covariance, float64[d, d]; between 1 and d.  None when it is zero.

    Σλ is the trace and Σλ² the squared Frobenius norm, so no eigenvalue has to be computed.
    """
    squares = float(np.sum(covariance * covariance))
    return float(np.trace(covariance)) ** 2 / squares if squares > 0 else None


def white_participation_ratio(rows: int, columns: int) -> float:
    """E[(Σλ)²] / E[Σλ²] of the sample covariance of `rows` independent Gaussian rows: (dn + 2)/(n + d + 1), n = rows − 1.

    Moments of the Wishart distribution; tends to the number of columns d as rows are added.
    """
    n, d = rows - 1, columns
    return (d * n + 2) / (n + d + 1)


def independent_correlation(rows: int) -> float:
    """E|r| of the sample correlation of two independent Gaussian columns: Γ((N−1)/2) / (√π Γ(N/2)), N = rows."""
    return float(np.exp(gammaln((rows - 1) / 2) - gammaln(rows / 2)) / np.sqrt(np.pi))


class Spreading:
    """Takes rows in as they come, and gives the `Spread` of all of them.

    columns: of the matrix; rng: draws MAX_COLUMNS of them where there are more.
    """

    def __init__(self, columns: int, rng: np.random.Generator) -> None:
        self._picked = np.sort(rng.choice(columns, MAX_COLUMNS, replace=False)) if columns > MAX_COLUMNS else None
        self.rows = 0
        self._shift: np.ndarray | None = None
        self._scale = 1.0

    def add(self, weights: np.ndarray) -> None:
        """Take in float32[n, columns]."""
        w = (weights if self._picked is None else weights[:, self._picked]).astype(np.float64)
        if self._shift is None:
            # sums of squares around the mean of the first rows lose nothing to it; the scale keeps squares in range
            self._shift = w.mean(0)
            self._scale = float(np.abs(w - self._shift).max()) or 1.0
            self._sum, self._squares = np.zeros(w.shape[1]), np.zeros((w.shape[1], w.shape[1]))
            self._least, self._most = w.min(0), w.max(0)
        centred = (w - self._shift) / self._scale
        self._sum += centred.sum(0)
        self._squares += centred.T @ centred
        self._least, self._most = np.minimum(self._least, w.min(0)), np.maximum(self._most, w.max(0))
        self.rows += len(w)

    def result(self) -> Spread:
        """Of two rows or more."""
        rows, columns = self.rows, len(self._sum)
        covariance = (self._squares - np.outer(self._sum, self._sum) / rows) / (rows - 1)
        varies = (self._most > self._least) & (np.diag(covariance) > 0)
        covariance[~varies] = covariance[:, ~varies] = 0
        deviation = np.sqrt(np.diag(covariance))
        pairs = int(varies.sum()) * (int(varies.sum()) - 1)
        correlation = None
        if pairs:
            r = np.abs(covariance[np.ix_(varies, varies)] / np.outer(deviation[varies], deviation[varies]))
            correlation = float((r.sum() - np.trace(r)) / pairs)
        return Spread(
            participation_ratio(covariance),
            white_participation_ratio(rows, columns),
            correlation,
            independent_correlation(rows),
            int(columns - varies.sum()),
            columns,
        )


def spread(weights: np.ndarray, rng: np.random.Generator) -> Spread:
    """Effective dimension and mean absolute correlation of float32[rows, columns], rows ≥ 2.

    Effective dimension: participation ratio of the covariance of the columns.
    Mean absolute correlation: mean of |r| over all pairs of different columns; constant columns have none and are counted.
    """
    taken = Spreading(weights.shape[1], rng)
    taken.add(weights)
    return taken.result()


class TailSums:
    """Takes rows in as they come; what `report.Tails` needs of them.  columns: of the matrix."""

    def __init__(self, columns: int) -> None:
        self.by_column = np.zeros(columns)
        self.by_row: list[np.ndarray] = []
        self.fourth: list[float] = []
        self.largest = 0.0

    def add(self, values: np.ndarray) -> None:
        """Take in float32[n, columns]."""
        squares = np.square(values, dtype=np.float64)
        self.by_column += squares.sum(0)
        self.by_row.append(squares.sum(1))
        self.fourth.append(float(np.square(squares).sum()))
        self.largest = max(self.largest, float(np.abs(values).max(initial=0.0)))

    def figures(self) -> dict[str, int | float]:
        """Arguments of `Tails.make`."""
        by_row = np.concatenate(self.by_row)
        energy = float(math.fsum(by_row.tolist()))

        def top(energies: np.ndarray) -> tuple[int, float]:
            count = max(1, len(energies) // 100)
            return count, min(energy, math.fsum(np.partition(energies, len(energies) - count)[len(energies) - count :].tolist()))

        (columns, columns_energy), (rows, rows_energy) = top(self.by_column), top(by_row)
        return {
            "rows": len(by_row),
            "columns": len(self.by_column),
            "energy": energy,
            "fourth": math.fsum(self.fourth),
            "largest": self.largest,
            "top_columns": columns,
            "top_columns_energy": columns_energy,
            "top_rows": rows,
            "top_rows_energy": rows_energy,
        }

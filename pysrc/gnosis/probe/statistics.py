"""How the weights of a matrix are spread: effective dimension and correlation, each beside its value for white noise.

Rows are taken as samples and columns as variables.  Both figures are biased by a finite number of rows, so each comes
with the value that independent Gaussian entries of the same shape would show; only the distance between them says
something about the weights.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln

MAX_COLUMNS = 2048      # wider matrices are measured on this many columns, drawn with the seed


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


def spread(weights: np.ndarray, rng: np.random.Generator) -> Spread:
    """Effective dimension and mean absolute correlation of float32[rows, columns], rows ≥ 2.

    Effective dimension: participation ratio of the covariance of the columns.
    Mean absolute correlation: mean of |r| over all pairs of different columns; constant columns have none and are counted.
    """
    rows, columns = weights.shape
    if columns > MAX_COLUMNS:
        weights = weights[:, np.sort(rng.choice(columns, MAX_COLUMNS, replace=False))]
    centred = weights.astype(np.float64)
    centred -= centred.mean(0)
    scale = float(np.abs(centred).max())          # so that no square leaves the range of a double
    if scale > 0:
        centred /= scale
    covariance = centred.T @ centred / (rows - 1)
    deviation = np.sqrt(np.diag(covariance))
    varies = deviation > 0
    pairs = int(varies.sum()) * (int(varies.sum()) - 1)
    correlation = None
    if pairs:
        r = np.abs(covariance[np.ix_(varies, varies)] / np.outer(deviation[varies], deviation[varies]))
        correlation = float((r.sum() - np.trace(r)) / pairs)
    used = weights.shape[1]
    return Spread(participation_ratio(covariance), white_participation_ratio(rows, used), correlation,
                  independent_correlation(rows), int(used - varies.sum()), used)

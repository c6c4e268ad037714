"""From scores to thresholds: a random split, the conformal thresholds of one half, and what the other half does with them."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

import numpy as np

from ..gates.conformal import Calibration, kept_for, rank
from .figures import BIN, BINS, Conformal, Coverage, Level, Rate, Unit, level_figures, margin_down
from .part import Name
from .settings import Settings

COVERAGE_LEVELS = ("0.5", "0.6", "0.7", "0.8", "0.9", "0.95", "0.98", "0.99", "0.995")


def split(count: int, share: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Which scores calibrate and which are held out: two arrays of places, at random; of two scores or more neither is empty."""
    order = rng.permutation(count)
    calibration = min(count - 1, max(1, int(count * share)))
    return np.sort(order[:calibration]), np.sort(order[calibration:])


def calibration_of(scores: np.ndarray, settings: Settings) -> Calibration:
    """The calibration of float64 scores, keeping what the least level of the settings needs."""
    found = Calibration(kept_for(settings.q_values[0], len(scores)))
    found.add(scores)
    return found


def conformal(
    of: str,
    code: Name | Literal["stored"],
    scores: np.ndarray,
    places: tuple[np.ndarray, np.ndarray],
    unit: Unit,
    settings: Settings,
    margins: np.ndarray | None = None,
    flipped: np.ndarray | None = None,
) -> Conformal:
    """The report's entry for one set of scores.

    scores: float64[n].  places: of calibration and held-out scores.  margins, flipped: for decisions, float64[n] and bool[n]: the
    margin of every position, and whether the coarse decision is another one than the exact one.
    Promises: tested `tests/test_probe.py::test_conformal_figures_by_other_code`, `tests/test_probe_activations.py::test_margins_of_real_decisions_by_other_code`.
    """
    calibration, held = scores[places[0]], scores[places[1]]
    taken = calibration_of(calibration, settings)
    top = np.sort(taken._largest())[::-1].tolist()
    gamma = margin_down(settings.gamma_multiplier, unit.value)
    half = 2 * held > (gamma if margins is None else margins[places[1]])
    levels = []
    for q in settings.q_values:
        figures = level_figures(q, len(calibration), top, unit.value, settings.gamma_multiplier)
        threshold = figures["threshold"]
        if margins is None or flipped is None:
            admitted = np.full(len(held), figures["admit"])
            flips = None
        else:
            figures |= {"admit": None, "least_multiplier": None, "least_multiplier_exact": None}
            admitted = np.zeros(len(held), bool) if threshold is None else 2 * threshold <= margins[places[1]]
            flips = int((admitted & flipped[places[1]]).sum())
        lies = int((half & admitted).sum())
        levels.append(
            Level(
                q=q,
                exceed=Rate.make(count=0 if threshold is None else int((held > threshold).sum()), of=len(held)),
                lies=Rate.make(count=lies, of=len(held)),
                lies_of_admitted=Rate.make(count=lies, of=int(admitted.sum())),
                flips=flips,
                **figures,
            )
        )
    ordered = np.sort(calibration)
    coverage = [
        Coverage(q=q, rank=k, exceed=int((held > ordered[k - 1]).sum())) for q in COVERAGE_LEVELS if (k := rank(len(calibration), q)) <= len(calibration)
    ]
    return Conformal.make(
        of=of,
        code=code,
        calibration=len(calibration),
        held_out=len(held),
        unit=unit,
        multiplier=settings.gamma_multiplier,
        top=top,
        above_half=int(half.sum()),
        flips=None if flipped is None else int(flipped[places[1]].sum()),
        levels=levels,
        coverage=coverage,
        histogram=histogram(scores, unit.value),
    )


def histogram(scores: np.ndarray, unit: float) -> list[int]:
    """Scores counted in bins of width BIN times half the unit; the last bin takes everything above."""
    if not unit:
        return [len(scores)] + [0] * (BINS - 1)
    edges = np.array([float(Fraction(unit) / 2 * BIN * i) for i in range(1, BINS)])
    return np.bincount(np.searchsorted(edges, scores, side="right"), minlength=BINS).tolist()

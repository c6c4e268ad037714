"""A sampler in a double well, with velocities from a coarse code: how many paths end in the wrong well, with and without the gate.

The sampler is x ← x + h·(x − x³ + u_t): two wells at ±1, the separatrix between them at 0, and a push u_t towards the
left during the first part of the path, so that some paths come near the separatrix late.  A coarse (masked) step takes the
velocity rounded to a multiple of the code's step.  R of a path is the least distance of its exact version to 0.

Four runs over the same starts: every step coarse; the controller of the flow form, whose Lipschitz factors hold closer than R to
the exact path (`Gnosis.basin_flow_rounded_controller_sound`); the controller that lets displacements just add up
(`Gnosis.basin_controller_sound`), whose assumption is false here; and every step exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import RangeError
from ..files import pages
from ..gates.basin import BasinFlowGate, BasinVectorGate
from ..numbers.exact import is_integer

STEP = Fraction(1, 10)  # h
STEPS, PUSHED = 60, 30  # of a path; of them with a push
PUSH = Fraction(-3, 10)
MOST_PATHS = 1_000_000
SPREAD = 0.25  # of the starts around the one between the wells
GRAIN = 16  # bits behind the point of a Lipschitz factor
ROUNDING = Fraction(1, 1 << 48)  # more than float64 errs in one step of numbers below 2: half a dozen operations of half a unit each


@dataclass(frozen=True)
class Run:
    """bool[n, STEPS]: which steps were coarse; float64[n, STEPS + 1]: the paths."""

    coarse: np.ndarray
    paths: np.ndarray


def push(t: int) -> float:
    return float(PUSH) if t < PUSHED else 0.0


def sampled(starts: np.ndarray, coarse: np.ndarray, code: float) -> Run:
    """The paths, with the given steps coarse.  code: step of the velocity's code."""
    paths = np.empty((len(starts), STEPS + 1))
    paths[:, 0] = starts
    for t in range(STEPS):
        x = paths[:, t]
        v = x - x**3 + push(t)
        paths[:, t + 1] = x + float(STEP) * np.where(coarse[:, t], np.rint(v / code) * code, v)
    return Run(coarse, paths)


def factors(path: np.ndarray, radius: Fraction) -> list[Fraction]:
    """For each step a Lipschitz factor that holds closer than the radius to the path: the largest |1 + h − 3h·y²| there.

    Rounded up to a multiple of 2^-GRAIN, which keeps the numbers short.
    """
    out = []
    for x in path[:-1]:
        away = abs(Fraction(float(x)))
        most = max(abs(1 + STEP - 3 * STEP * y * y) for y in (max(Fraction(0), away - radius), away + radius))
        out.append(Fraction(math.ceil(most * (1 << GRAIN)), 1 << GRAIN))
    return out


def controlled(path: np.ndarray, radius: Fraction, bound: Fraction) -> np.ndarray:
    """bool[STEPS]: the steps that the flow controller masks.

    Any radius up to the distance will do, and a smaller one has smaller Lipschitz factors: the one that masks most is taken.
    """
    tried = (BasinFlowGate(r).control(factors(path, r), [bound] * STEPS, ROUNDING) for r in (radius / 2**k for k in range(5)))
    return max(tried, key=np.count_nonzero)


def critical() -> float:
    """The start whose path, run without the code, ends between the wells, by bisection."""
    low, high = -1.2, 1.2
    for _ in range(60):
        middle = (low + high) / 2
        end = sampled(np.array([middle]), np.zeros((1, STEPS), dtype=bool), 1.0).paths[0, -1]
        low, high = (middle, high) if end <= 0 else (low, middle)
    return high


def compare(n: int = 400, seed: int = 0, code: float = 1 / 8) -> dict[str, Any]:
    """The four runs.  n: paths; code: step of the velocity's code, above 0 and at most 1.  RangeError.

    flips: paths that end in another well than the exact one.  coarse: share of steps that ran from the code.
    Promises: tested `tests/test_basin_study.py::test_coarse_paths_flip_and_gated_ones_do_not`.
    """
    if not is_integer(n) or not 1 <= n <= MOST_PATHS:
        raise RangeError("paths", n, f"must be a whole number from 1 to {MOST_PATHS}")
    if not 0 < code <= 1:
        raise RangeError("code", code, "must lie above 0 and at most at 1")
    starts = critical() + np.random.default_rng(seed).normal(0, SPREAD, n)
    none, every = np.zeros((n, STEPS), dtype=bool), np.ones((n, STEPS), dtype=bool)
    exact = sampled(starts, none, code)
    least = np.abs(exact.paths).min(axis=1)
    # a masked step moves the path by at most h times half a step of the code, and float64 rounds both versions
    bound = STEP * Fraction(code) / 2 + ROUNDING
    flow, added = none.copy(), none.copy()
    for i in np.flatnonzero(least > 0):
        radius = Fraction(float(least[i]))
        flow[i] = controlled(exact.paths[i], radius, bound)
        added[i] = BasinVectorGate(radius).control([bound] * STEPS)
    runs = {
        "every step coarse": sampled(starts, every, code),
        "flow gate": sampled(starts, flow, code),
        "displacements added up": sampled(starts, added, code),
        "every step exact": exact,
    }
    right = exact.paths[:, -1] > 0
    rows = [
        {
            "run": name,
            "flips": int(((r.paths[:, -1] > 0) != right).sum()),
            "coarse": float(r.coarse.mean()),
            "beyond": int((np.abs(r.paths - exact.paths).max(axis=1) >= least).sum()),
        }
        for name, r in runs.items()
    ]
    return {
        "v": 1,
        "paths": n,
        "steps": STEPS,
        "seed": seed,
        "code": code,
        "rows": rows,
        "theorems": {
            "flow gate": "Gnosis.basin_flow_rounded_controller_sound",
            "displacements added up": "Gnosis.basin_controller_sound, whose assumption is false here",
        },
        "shown": {name: {"paths": r.paths[_shown(runs["every step coarse"], right)].tolist()} for name, r in runs.items()},
    }


def _shown(run: Run, right: np.ndarray) -> np.ndarray:
    """Some paths for the plot: those that the coarse run gets wrong first."""
    return np.argsort((run.paths[:, -1] > 0) == right, kind="stable")[:12]


def draw(document: dict[str, Any], path: Path) -> None:
    """The paths of each run, those of the run without the code in grey, as SVG.  ImportError without matplotlib."""
    import matplotlib
    from matplotlib.figure import Figure

    exact = np.array(document["shown"]["every step exact"]["paths"])
    right = exact[:, -1] > 0
    with matplotlib.rc_context({"svg.hashsalt": "gnosis", "svg.fonttype": "none"}):
        figure = Figure(figsize=(10, 3.6), layout="constrained")
        for axes, row in zip(figure.subplots(1, 3, sharey=True), document["rows"][:3], strict=True):
            for one, good, ok in zip(np.array(document["shown"][row["run"]]["paths"]), exact, right):
                axes.plot(good, color="#bbbbbb", linewidth=0.8)
                axes.plot(one, color="#4477aa" if (one[-1] > 0) == ok else "#cc3311", linewidth=1.2)
            axes.axhline(0, color="black", linewidth=0.6, linestyle=":")
            axes.set_title(f"{row['run']}: {row['flips']} of {document['paths']} flip\n{row['coarse']:.1%} of the steps coarse", fontsize=9)
            axes.set_xlabel("step")
            axes.spines[["top", "right"]].set_visible(False)
        pages.save_plot(figure, path)

"""A race of four drafters: each guesses a vector from coarse codes alone, and the energy gate says which guesses may stand.

A tile is one vector: the keys or values of a head at one token, or a synthetic one that is correlated along the tokens.  Kept of it
are its cell in a cubic lattice and, for one drafter, its point in E8 with as many points.  The drafters:

- cubic: the middle of the cell; e8: the point of E8;
- head: a linear map, fitted on other sequences, from the cells of the token and of both neighbours;
- centroid: for each cell of a coordinate the mean of what fell into it on other sequences.

A guess that the gate refuses is computed exactly.  So the error over all tiles ("effective") of a drafter that is never admitted
is zero: it recomputes everything, which the share of admitted tiles shows.

The gate needs the energy of a guess's residual, hence the truth: whoever codes the tiles knows both, can draft as the reader
will, and writes the energies beside the codes.  What a reader without them could estimate is measured by `estimators`, and
what calibration on other tiles gives, by `transfer`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import norm

from ..core.lattice import nearest_cubic, nearest_e8
from ..errors import RangeError
from ..files import pages
from ..gates.conformal import calibrate
from ..numbers.levels import level, whole, written
from ..probe.figures import Rate
from ..probe.gate import decide, energy, exact_residual_energy
from .tiles import WINDOW, Split

STRIDE = 11  # visits each of the 24 tokens of a window once: `Gnosis.stride11_visits_once`
DRAFTERS = ("cubic", "e8", "head", "centroid")
STEPS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0)  # of the lattice, over the RMS of the tiles
ESTIMATED = (0.5, 1.0, 2.0)  # steps at which the residual is estimated
MIDDLE = 1.0  # step at which norms of residuals are calibrated
LEVELS = ("0.9", "0.95", "0.99")


def order(stride: bool) -> list[int]:
    """In which order the tokens of a window are drafted."""
    return [(STRIDE * i) % WINDOW if stride else i for i in range(WINDOW)]


# ---- drafters --------------------------------------------------------------------------------------------------------------


def coded(x: np.ndarray, step: np.float32, nearest: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Points of a lattice of this step, float32 as x."""
    points: np.ndarray = nearest(np.ascontiguousarray(x / step).reshape(-1, 8))
    return (points * step).reshape(x.shape)


def beside(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What stands left and right of each token of a window; the token itself at the ends."""
    windows = cells.reshape(-1, WINDOW, cells.shape[-1])
    left, right = windows.copy(), windows.copy()
    left[:, 1:], right[:, :-1] = windows[:, :-1], windows[:, 1:]
    return left.reshape(cells.shape), right.reshape(cells.shape)


def fit_head(x: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Weights of the cell, of its left and right neighbours, and of 1, by least squares: float64[4]."""
    features = np.stack([cells, *beside(cells), np.ones_like(cells)], axis=-1).reshape(-1, 4).astype(np.float64)
    return np.linalg.lstsq(features, x.reshape(-1).astype(np.float64), rcond=None)[0]


def centroids(x: np.ndarray, cells: np.ndarray, step: np.float32) -> Callable[[np.ndarray], np.ndarray]:
    """A function from cells to the mean of what fell into them; the middle where nothing did."""
    index = np.rint(cells / step).astype(np.int64).reshape(-1)
    low = int(index.min())
    counts = np.bincount(index - low)
    sums = np.bincount(index - low, weights=x.reshape(-1).astype(np.float64))
    means = np.divide(sums, counts, out=(np.arange(len(counts)) + low) * float(step), where=counts > 0)

    def of(other: np.ndarray) -> np.ndarray:
        at = np.rint(other / step).astype(np.int64) - low
        inside = (at >= 0) & (at < len(means))
        return np.where(inside, means[np.clip(at, 0, len(means) - 1)], other).astype(np.float32)

    return of


def admitted(x: np.ndarray, guess: np.ndarray, gamma: float) -> tuple[np.ndarray, np.ndarray]:
    """For every tile whether the gate admits its guess for any activation of energy 1, and the energy of its residual: bool[n], float64[n]."""
    tiles, guesses = x.reshape(-1, x.shape[-1]), guess.reshape(-1, x.shape[-1])
    found = energy(tiles.astype(np.float64) - guesses)
    admit, _ = decide(found, 1.0, gamma, x.shape[-1], lambda i: (exact_residual_energy(tiles[i], guesses[i]), Fraction(1)))
    return admit, found


def drafted_by_head(x: np.ndarray, cells: np.ndarray, beta: np.ndarray, gamma: float, stride: bool) -> np.ndarray:
    """The head's guesses, token after token: a neighbour that was refused before is known exactly by now, and used so.

    Promises: tested `tests/test_speculators.py::test_the_head_knows_a_refused_neighbour_exactly`.
    """
    width = x.shape[-1]
    truth, known = x.reshape(-1, WINDOW, width), cells.reshape(-1, WINDOW, width).copy()
    own = known.copy()
    guess = np.empty_like(truth)
    for t in order(stride):
        left, right = known[:, max(t - 1, 0)], known[:, min(t + 1, WINDOW - 1)]
        guess[:, t] = beta[0] * own[:, t] + beta[1] * left + beta[2] * right + beta[3]
        admit, _ = admitted(truth[:, t], guess[:, t], gamma)
        known[~admit, t] = truth[~admit, t]
    return guess.reshape(x.shape)


# ---- the race --------------------------------------------------------------------------------------------------------------


def scale_of(split: Split) -> float:
    """RMS of the training tiles, what steps are measured in.  RangeError unless it is finite and above zero."""
    scale = float(np.sqrt(np.square(split.train, dtype=np.float64).mean()))
    if not np.isfinite(scale) or scale == 0 or not np.isfinite(split.held).all():
        raise RangeError("tiles", scale, "must be finite and not all zero")
    return scale


def race(split: Split, multiplier: float = 2.0, stride: bool = False, steps: Sequence[float] = STEPS) -> list[dict[str, Any]]:
    """Every drafter at every step, on the held-out tiles; whatever is fitted or scaled, on the training tiles.

    multiplier: γ is that many times the cubic RMS residual of a training tile, so that all drafters of a step have one γ.
    stride: draft in the order of `order`.  rmse: of the guesses; shipped: of those admitted; effective: with recomputed tiles
    counted as exact; all three over the RMS of the training tiles.  RangeError.
    Promises: tested `tests/test_speculators.py::test_admissions_are_exact`, `tests/test_speculators.py::test_held_out_tiles_set_nothing`.
    """
    written(multiplier, "multiplier")
    if not multiplier > 0:
        raise RangeError("multiplier", multiplier, "must be above 0")
    train, held, scale = split.train, split.held, scale_of(split)
    rows = []
    for ratio in steps:
        step = np.float32(ratio * scale)
        known, cells = coded(train, step, nearest_cubic), coded(held, step, nearest_cubic)
        gamma = multiplier * float(np.sqrt(energy(train.astype(np.float64) - known).mean()))
        beta = fit_head(train, known)
        guesses = {
            "cubic": cells,
            "e8": coded(held, step, nearest_e8),
            "head": drafted_by_head(held, cells, beta, gamma, stride),
            "centroid": centroids(train, known, step)(cells),
        }
        for name in DRAFTERS:
            admit, residual = admitted(held, guesses[name], gamma)
            width, n = held.shape[-1], len(admit)
            rows.append(
                {
                    "step": ratio,
                    "drafter": name,
                    "tiles": n,
                    "admitted": int(admit.sum()),
                    "accept": float(admit.mean()),
                    "gamma": gamma,
                    "rmse": float(np.sqrt(residual.mean() / width)) / scale,
                    "shipped_rmse": float(np.sqrt(residual[admit].mean() / width)) / scale if admit.any() else None,
                    "effective_rmse": float(np.sqrt(residual[admit].sum() / n / width)) / scale,
                    "beta": beta.tolist() if name == "head" else None,
                }
            )
    return rows


# ---- guesses of the residual without the truth ---------------------------------------------------------------------------------


class Estimates:
    """Two estimates of a tile's residual, fitted on training tiles; of the others they see the cells alone.

    jackknife: how far the head's guess moves when it is refitted without the left, or without the right neighbour.
    committee: how far the drafters that use the cells lie from their mean.  (The point of E8 is a second code of the same
    truth: a runtime that kept both would know more than its code.)
    Promises: tested `tests/test_speculators.py::test_estimates_do_not_see_the_truth`.
    """

    def __init__(self, train: np.ndarray, step: np.float32) -> None:
        known = coded(train, step, nearest_cubic)
        columns = self._columns(known)
        truth = train.reshape(-1).astype(np.float64)
        self._fits = {}
        for used in ((0, 1, 2, 3), (0, 2, 3), (0, 1, 3)):
            features = np.stack([columns[i].reshape(-1) for i in used], axis=-1).astype(np.float64)
            self._fits[used] = np.linalg.lstsq(features, truth, rcond=None)[0]
        self._centroid = centroids(train, known, step)

    @staticmethod
    def _columns(cells: np.ndarray) -> list[np.ndarray]:
        return [cells, *beside(cells), np.ones_like(cells)]

    def __call__(self, cells: np.ndarray) -> dict[str, np.ndarray]:
        """float64[sequences, tokens] each, for float32[sequences, tokens, width]."""
        columns = self._columns(cells)
        whole, *without = (np.sum([b * columns[i] for b, i in zip(fit, used, strict=True)], axis=0) for used, fit in self._fits.items())
        guesses = np.stack([cells, whole, self._centroid(cells)]).astype(np.float64)
        return {"jackknife": np.sqrt(np.sum([energy(one - whole) for one in without], axis=0)), "committee": np.sqrt(energy(guesses - guesses.mean(0)).sum(0))}


def correlation(a: np.ndarray, b: np.ndarray) -> float | None:
    """Of two float64[n]; None where one of them is constant."""
    return float(np.corrcoef(a, b)[0, 1]) if np.ptp(a) > 0 and np.ptp(b) > 0 else None


def estimators(split: Split, ratio: float) -> dict[str, Any]:
    """Correlation of each estimate with the true residual of the cubic code, on the held-out tiles.

    …_within: the mean of the correlations inside each sequence; over all tiles an estimate may only tell loud sequences from quiet ones.
    """
    step = np.float32(ratio * scale_of(split))
    cells = coded(split.held, step, nearest_cubic)
    residual = np.sqrt(energy(split.held.astype(np.float64) - cells))
    out: dict[str, Any] = {"step": ratio}
    for name, found in Estimates(split.train, step)(cells).items():
        inside = [c for a, b in zip(found, residual, strict=True) if (c := correlation(a, b)) is not None]
        out |= {
            name: correlation(found.reshape(-1), residual.reshape(-1)),
            f"{name}_within": float(np.mean(inside)) if inside else None,
            f"{name}_sequences": len(inside),
        }
    return out


# ---- what does transfer --------------------------------------------------------------------------------------------------------


def transfer(calibration: np.ndarray, fresh: np.ndarray, levels: Sequence[str] = LEVELS) -> list[dict[str, Any]]:
    """How often fresh scores exceed a conformal threshold, and one of mean + z·deviation as if the scores were Gaussian.

    calibration, fresh: float64[n] scores (norms of residuals).  conformal, gaussian: `gnosis.probe.report.Rate`, whose interval takes
    the trials as independent; conformal is None without a finite threshold.  factors: rate over 1 − level.
    """
    rows = []
    for q in levels:
        target = 1 - level(q, "level")
        threshold = calibrate(calibration, q).threshold
        gaussian = float(calibration.mean() + norm.ppf(float(q)) * calibration.std())
        over = None if threshold is None else Rate.make(count=int((fresh > float(threshold)).sum()), of=len(fresh))
        rate = Rate.make(count=int((fresh > gaussian).sum()), of=len(fresh))
        rows.append(
            {
                "level": q,
                "target": float(target),
                "conformal": over and over.model_dump(),
                "gaussian": rate.model_dump(),
                "conformal_factor": None if over is None else float(over.count / target / over.of),
                "gaussian_factor": float(rate.count / target / rate.of),
            }
        )
    return rows


def heavy(n: int, seed: int, sigma: float = 0.8) -> np.ndarray:
    """Lognormal scores: residuals with heavy tails."""
    return np.random.default_rng(seed).lognormal(0.0, sigma, n)


def residual_norms(tiles: np.ndarray, step: np.float32) -> np.ndarray:
    """Norm of the cubic code's residual of each tile: float64[n]."""
    return np.sqrt(energy(tiles.astype(np.float64) - coded(tiles, step, nearest_cubic))).reshape(-1)


def study(sets: dict[str, Split], multiplier: float = 2.0, stride: bool = False, seed: int = 0) -> dict[str, Any]:
    """The race, the estimators and the transfer on each set of tiles, and the transfer on heavy tails.

    Two transfers for each set.  mixed: held-out tiles drawn at random into two halves, which makes them exchangeable.  apart: from the
    training tiles to the held-out ones, which no theorem covers where they are of other heads and another text.
    RangeError, DtypeError.
    """
    whole(seed, "seed")
    found: dict[str, Any] = {
        "v": 1,
        "multiplier": multiplier,
        "stride": stride,
        "seed": seed,
        "sets": {},
        "theorems": {
            "energy gate": "Gnosis.energy_sidecar_sound",
            "conformal": "Gnosis.conformal_admitted_failure_rate",
            "stride": "Gnosis.stride11_visits_once",
        },
    }
    for name, split in sets.items():
        step = np.float32(MIDDLE * scale_of(split))
        norms = residual_norms(split.held, step)
        mixed = np.random.default_rng(seed).permutation(norms)
        found["sets"][name] = {
            "about": split.about,
            "tiles": {"train": int(np.prod(split.train.shape[:2])), "held": len(norms)},
            "width": split.held.shape[2],
            "race": race(split, multiplier, stride),
            "estimators": [estimators(split, ratio) for ratio in ESTIMATED],
            "transfer": {"mixed": transfer(mixed[::2], mixed[1::2]), "apart": transfer(residual_norms(split.train, step), norms)},
        }
    found["heavy_tails"] = transfer(heavy(20_000, seed), heavy(20_000, seed + 1))
    return found


def draw(document: dict[str, Any], path: Path) -> None:
    """For each set the admitted share, the error and the head's weights against the step, as SVG.  ImportError without matplotlib."""
    import matplotlib
    from matplotlib.figure import Figure

    colours = dict(zip(DRAFTERS, ("#4477aa", "#228833", "#cc3311", "#ccbb44"), strict=True))
    sets = document["sets"]
    with matplotlib.rc_context({"svg.hashsalt": "gnosis", "svg.fonttype": "none"}):
        figure = Figure(figsize=(11, 3.1 * len(sets)), layout="constrained")
        for (name, found), (share, error, weights) in zip(sets.items(), figure.subplots(len(sets), 3, squeeze=False), strict=True):
            for drafter in DRAFTERS:
                rows = [r for r in found["race"] if r["drafter"] == drafter]
                steps = [r["step"] for r in rows]
                share.plot(steps, [100 * r["accept"] for r in rows], "o-", color=colours[drafter], markersize=3, label=drafter)
                error.plot(steps, [r["rmse"] for r in rows], "o-", color=colours[drafter], markersize=3, label=drafter)
                error.plot(steps, [r["effective_rmse"] for r in rows], "--", color=colours[drafter], linewidth=1)
            heads = [r for r in found["race"] if r["drafter"] == "head"]
            for i, label in enumerate(("own cell", "left", "right")):
                weights.plot(
                    [r["step"] for r in heads], [r["beta"][i] for r in heads], "o-", markersize=3, color=("#222222", "#66ccee", "#aa3377")[i], label=label
                )
            share.set_ylabel(f"{name}\n% of tiles admitted")
            error.set_ylabel("RMSE over RMS of tiles")
            error.set_title("solid: of the guesses; dashed: effective", fontsize=8)
            weights.set_ylabel("weights of the head")
            for axes in (share, error, weights):
                axes.set_xlabel("step over RMS of tiles")
                axes.legend(frameon=False, fontsize=7)
                axes.spines[["top", "right"]].set_visible(False)
        pages.save_plot(figure, path)

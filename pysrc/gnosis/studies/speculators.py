"""A race of four drafters: each guesses a vector from coarse codes alone, and the energy gate says which guesses may stand.

A tile is one vector: the keys or values of a head at one token, or a synthetic one that is correlated along the tokens.  Kept of it
are its cell in a cubic lattice and, for one drafter, its point in E8 with as many points.  The drafters:

- cubic: the middle of the cell; e8: the point of E8;
- head: a linear map, fitted on other sequences, from the cells of the token and of both neighbours;
- centroid: for each cell of a coordinate the mean of what fell into it on other sequences.

A guess that the gate refuses is computed exactly.  So the error over all tiles ("effective") of a drafter that is never admitted
is zero: it recomputes everything, which the share of admitted tiles shows.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.stats import norm

from ..core.lattice import nearest_cubic, nearest_e8
from ..errors import RangeError
from ..exact import is_integer
from ..gates.conformal import calibrate
from ..probe.gate import decide, energy, exact_residual_energy

WINDOW, STRIDE = 24, 11     # tokens of a window; 11 visits each of the 24 once: `Gnosis.stride11_visits_once`
WIDTH = 64                  # of a synthetic tile
DRAFTERS = ("cubic", "e8", "head", "centroid")
STEPS = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0)     # of the lattice, over the RMS of the tiles
LEVELS = ("0.9", "0.95", "0.99")


# ---- tiles -----------------------------------------------------------------------------------------------------------------


def autoregressive(sequences: int, windows: int, rho: float, seed: int) -> np.ndarray:
    """Gaussian tiles of variance 1, correlated by rho from token to token: float32[sequences, windows·WINDOW, WIDTH]."""
    if not -1 < rho < 1:
        raise RangeError("rho", rho, "must lie between −1 and 1")
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((sequences, windows * WINDOW, WIDTH))
    for t in range(1, x.shape[1]):
        x[:, t] = rho * x[:, t - 1] + (1 - rho * rho) ** 0.5 * x[:, t]
    return x.astype(np.float32)


def of_cache(keys: np.ndarray) -> np.ndarray:
    """The tiles of a filled cache: float32[layers, tokens, heads, width] to float32[layers·heads, whole windows of tokens, width]."""
    layers, tokens, heads, width = keys.shape
    kept = tokens // WINDOW * WINDOW
    if kept == 0:
        raise RangeError("tokens", tokens, f"a window takes {WINDOW}")
    return np.ascontiguousarray(keys[:, :kept].transpose(0, 2, 1, 3).reshape(layers * heads, kept, width))


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
    """The head's guesses, token after token: a neighbour that was refused before is known exactly by now, and used so."""
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


def race(tiles: np.ndarray, multiplier: float = 2.0, stride: bool = False, steps: Sequence[float] = STEPS) -> list[dict[str, Any]]:
    """Every drafter at every step, on the second half of the sequences; fitted on the first.

    tiles: float32[sequences ≥ 2, tokens, width], width a multiple of 8, tokens of WINDOW.  multiplier: γ is that many times the
    cubic RMS residual of a held-out tile, so that all drafters of a step have one γ.  stride: draft in the order of `order`.
    rmse: of the guesses; shipped: of those admitted; effective: with recomputed tiles counted as exact.  RangeError.
    """
    if tiles.ndim != 3 or len(tiles) < 2 or tiles.shape[1] % WINDOW or tiles.shape[2] % 8:
        raise RangeError("tiles", tiles.shape, f"must be [at least 2, a multiple of {WINDOW}, a multiple of 8]")
    if not multiplier > 0:
        raise RangeError("multiplier", multiplier, "must be above 0")
    half = len(tiles) // 2
    train, held = tiles[:half], tiles[half:]
    scale = float(np.sqrt(np.square(train, dtype=np.float64).mean()))
    if not np.isfinite(scale) or scale == 0:
        raise RangeError("tiles", scale, "must be finite and not all zero")
    rows = []
    for ratio in steps:
        step = np.float32(ratio * scale)
        known, cells = coded(train, step, nearest_cubic), coded(held, step, nearest_cubic)
        gamma = multiplier * float(np.sqrt(energy(held.astype(np.float64) - cells).mean()))
        beta = fit_head(train, known)
        guesses = {"cubic": cells, "e8": coded(held, step, nearest_e8), "head": drafted_by_head(held, cells, beta, gamma, stride),
                   "centroid": centroids(train, known, step)(cells)}
        for name in DRAFTERS:
            admit, residual = admitted(held, guesses[name], gamma)
            width, n = held.shape[-1], len(admit)
            rows.append({"step": ratio, "drafter": name, "tiles": n, "admitted": int(admit.sum()), "accept": float(admit.mean()), "gamma": gamma,
                         "rmse": float(np.sqrt(residual.mean() / width)) / scale,
                         "shipped_rmse": float(np.sqrt(residual[admit].mean() / width)) / scale if admit.any() else None,
                         "effective_rmse": float(np.sqrt(residual[admit].sum() / n / width)) / scale,
                         "beta": beta.tolist() if name == "head" else None})
    return rows


# ---- guesses of the residual without the truth ---------------------------------------------------------------------------------


def estimators(tiles: np.ndarray, ratio: float = 1.0) -> dict[str, float]:
    """Correlation of two truth-free estimates of a tile's residual with the residual of the cubic code, on held-out sequences.

    jackknife: how far the head's guess moves when it is refitted without the left, or without the right neighbour.
    …_within: the mean of the correlations inside each sequence; over all tiles an estimate may only tell loud sequences from quiet ones.
    committee: how far the drafters that use the cells lie from their mean.  (The point of E8 is a second code of the same
    truth: a runtime that kept both would know more than its code.)
    """
    half = len(tiles) // 2
    train, held = tiles[:half], tiles[half:]
    step = np.float32(ratio * np.sqrt(np.square(train, dtype=np.float64).mean()))
    known, cells = coded(train, step, nearest_cubic), coded(held, step, nearest_cubic)
    left, right = beside(cells)

    def without(side: int | None) -> np.ndarray:
        features = [known, *beside(known), np.ones_like(known)]
        columns = [i for i in range(4) if i != side]
        solved = np.linalg.lstsq(np.stack([features[i] for i in columns], -1).reshape(-1, len(columns)).astype(np.float64), train.reshape(-1).astype(np.float64), rcond=None)[0]
        return sum(b * (cells, left, right, np.ones_like(cells))[i] for b, i in zip(solved, columns))  # type: ignore[return-value]

    whole = without(None)
    jackknife = np.sqrt(sum(energy(without(side) - whole) for side in (1, 2)))
    guesses = np.stack([cells, whole, centroids(train, known, step)(cells)]).astype(np.float64)
    committee = np.sqrt(energy(guesses - guesses.mean(0)).sum(0))
    residual = np.sqrt(energy(held.astype(np.float64) - cells))
    out = {}
    for name, found in (("jackknife", jackknife), ("committee", committee)):
        out[name] = float(np.corrcoef(found.reshape(-1), residual.reshape(-1))[0, 1])
        inside = [np.corrcoef(a, b)[0, 1] for a, b in zip(found, residual) if a.std() > 0 and b.std() > 0]
        out[f"{name}_within"] = float(np.mean(inside)) if inside else float("nan")
    return out


# ---- what does transfer --------------------------------------------------------------------------------------------------------


def transfer(calibration: np.ndarray, fresh: np.ndarray, levels: Sequence[str] = LEVELS) -> list[dict[str, Any]]:
    """How often fresh scores exceed a conformal threshold, and one of mean + z·deviation as if the scores were Gaussian.

    calibration, fresh: float64[n] scores (norms of residuals).
    """
    rows = []
    for q in levels:
        target = 1 - float(q)
        threshold = calibrate(calibration, q).threshold
        gaussian = float(calibration.mean() + norm.ppf(float(q)) * calibration.std())
        over = None if threshold is None else float((fresh > float(threshold)).mean())
        rate = float((fresh > gaussian).mean())
        rows.append({"level": q, "target": target, "conformal": over, "gaussian": rate, "gaussian_factor": rate / target})
    return rows


def heavy(n: int, seed: int, sigma: float = 0.8) -> np.ndarray:
    """Lognormal scores: what residuals with heavy tails look like."""
    return np.random.default_rng(seed).lognormal(0.0, sigma, n)


def residual_norms(tiles: np.ndarray, ratio: float = 1.0) -> np.ndarray:
    """Norm of the cubic code's residual of each tile, in order of the sequences: float64[n]."""
    step = np.float32(ratio * np.sqrt(np.square(tiles, dtype=np.float64).mean()))
    return np.sqrt(energy(tiles.astype(np.float64) - coded(tiles, step, nearest_cubic))).reshape(-1)


def study(sets: dict[str, np.ndarray], multiplier: float = 2.0, stride: bool = False, seed: int = 0) -> dict[str, Any]:
    """The race, the estimators and the transfer on each set of tiles, and the transfer on heavy tails."""
    if not is_integer(seed) or seed < 0:
        raise RangeError("seed", seed, "must be a whole number, not negative")
    found: dict[str, Any] = {"v": 1, "multiplier": multiplier, "stride": stride, "sets": {}}
    for name, tiles in sets.items():
        norms = residual_norms(tiles)
        # tiles of one sequence are alike: the halves are drawn at random, which is what makes them exchangeable
        shuffled = np.random.default_rng(seed).permutation(norms)
        found["sets"][name] = {"tiles": int(np.prod(tiles.shape[:2])), "width": tiles.shape[2], "race": race(tiles, multiplier, stride), "estimators": estimators(tiles),
                               "transfer": transfer(shuffled[::2], shuffled[1::2])}
    found["heavy_tails"] = transfer(heavy(20_000, seed), heavy(20_000, seed + 1))
    return found

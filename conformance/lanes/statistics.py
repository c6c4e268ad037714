"""The statistics lane: each statistic against a library that computes it too, where that library is right.

Where it is not is said in DEVIATIONS, with the right value: these are run as well, and a peer that has become right is told.
Peers that are not installed are counted as skipped.
"""

from __future__ import annotations

import importlib.util
import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from scipy import stats

from ...bench import peers
from ...core import lattice, margin
from ...errors import ArgumentError
from ...gates import basin, betting, conformal, cumloss, energy, served, tukey, union
from ...numbers import outward
from ...risk import extrapolation
from ..floats import level, ratio
from ..running import generators as gen
from ..running.checks import Check, Result
from . import sixty

NEAR = 1e-9  # relative; what float64 implementations of special functions may be off by


def _quietly(call: Callable[[], Any]) -> Any:
    """What a peer says; an exception is an answer too, by its name."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return call()
    except Exception as error:
        return type(error).__name__


def _same(name: str, ours: float | Fraction, theirs: float, relative: float = NEAR) -> str | None:
    if isinstance(theirs, str) or not math.isclose(float(ours), float(theirs), rel_tol=relative, abs_tol=1e-300):
        return f"{float(ours)!r}, by {name} {theirs!r}"
    return None


# ---- conformal thresholds ----------------------------------------------------------------------------------------------


def crepes(scores: np.ndarray, q: float) -> Any:
    from crepes import ConformalRegressor

    return float(ConformalRegressor().fit(residuals=scores).predict_int(y_hat=np.zeros(1), confidence=q)[0, 1])


def puncc(scores: np.ndarray, q: float) -> Any:
    from deel.puncc.api.utils import quantile

    return float(quantile(scores, q * (len(scores) + 1) / len(scores)))


def mapie(scores: np.ndarray, q: float) -> Any:
    from mapie.regression import SplitConformalRegressor
    from sklearn.base import BaseEstimator, RegressorMixin

    class Zero(RegressorMixin, BaseEstimator):
        """Predicts 0, so that residuals are the targets."""

        def fit(self, X: Any, y: Any) -> Zero:
            self.fitted_ = True
            return self

        def predict(self, X: Any) -> np.ndarray:
            return np.zeros(len(X))

    X = np.zeros((len(scores), 1))
    model = SplitConformalRegressor(Zero().fit(X, scores), confidence_level=q, prefit=True).conformalize(X, scores)
    return float(np.ravel(model.predict_interval(X[:1])[1])[1])


def numpy_quantile(scores: np.ndarray, q: float) -> Any:
    """A recipe often seen: a quantile at q·(n + 1)/n, capped at 1."""
    return float(np.quantile(scores, min(1.0, q * (len(scores) + 1) / len(scores)), method="inverted_cdf"))


def _scores(rng: Random) -> tuple[Any, ...]:
    """Scores above zero, some of them equal, and a level whose rank is no matter of rounding: (n + 1)·q is not near a whole number."""
    n = rng.randint(6, 200)
    scores = [abs(gen.held(rng.choice((rng.gauss(0, 1), rng.randint(1, 9))))) + 0.5 for _ in range(n)]
    while True:
        q = Fraction(rng.randint(1, 999), 1000)
        if _plain(n, q):
            return scores, [q.numerator, q.denominator]


def _plain(n: int, q: Fraction) -> bool:
    """Whether the rank lies inside and is no matter of rounding."""
    k = (n + 1) * q
    return 2 < k < n - 1 and min(k % 1, 1 - k % 1) > Fraction(1, 10**6)


def _threshold(name: str, peer: Callable[[np.ndarray, float], Any]) -> Check:
    def run(scores: list[float], q: list[int]) -> Result:
        if not _plain(len(scores), ratio(q)) or min(scores) <= 0:
            return Result(0)  # there the peers are not right: see DEVIATIONS
        values = np.array(scores)
        ours = conformal.calibrate(values, ratio(q)).threshold
        theirs = _quietly(lambda: peer(values, float(ratio(q))))
        return Result(1, None if ours == theirs else f"threshold {ours}, by {name} {theirs!r}", 1)

    return Check(f"threshold = {name}", _scores, run)


def _any_level(rng: Random) -> tuple[Any, ...]:
    scores, _ = _scores(rng)
    return scores, level(rng)


def _run_sort(scores: list[float], q: list[int]) -> Result:
    """Sorting, at the rank that is found with whole numbers: right at every level."""
    values, k = np.array(scores), math.ceil((len(scores) + 1) * ratio(q))
    theirs = float(np.sort(values)[k - 1]) if k <= len(scores) else None
    whole = conformal.Calibration()
    for part in np.array_split(values, 3):
        whole.add(part)
    ours = [conformal.calibrate(values, ratio(q)).threshold, whole.gate(ratio(q)).threshold]
    return Result(1, None if ours == [theirs] * 2 else f"thresholds {ours}, by numpy.sort {theirs}", 1)


# ---- failure rates -----------------------------------------------------------------------------------------------------


def _counts(rng: Random) -> tuple[Any, ...]:
    n = rng.choice((1, 18, 100, 500, 2000))
    return rng.choice((0, n, rng.randint(0, n), rng.randint(0, min(n, 5)))), n, [rng.choice((1, 5, 50, 80, 90, 95, 99)), 100]


def _run_beta(k: int, n: int, q: list[int]) -> Result:
    β = float(1 - ratio(q))
    up = float(extrapolation.clopper_pearson_upper(k, n, ratio(q)).risk)
    low = float(extrapolation.clopper_pearson_lower(k, n, ratio(q)))
    fault = _same("scipy.stats.beta", up, 1.0 if k == n else float(stats.beta(k + 1, n - k).isf(β)), 1e-8)
    return Result(2, fault or _same("scipy.stats.beta", 1 - low, 1.0 if k == 0 else float(1 - stats.beta(k, n - k + 1).ppf(β)), 1e-8), 2)


def _pool(rng: Random) -> tuple[Any, ...]:
    M = rng.randint(2, 200)
    return M, rng.randint(1, M), rng.randint(0, M)


def _run_hypergeometric(M: int, N: int, j: int) -> Result:
    return Result(1, _same("scipy.stats.hypergeom", extrapolation.pool_tail(M, N, j), float(stats.hypergeom(M, j, N).pmf(0))), 1)


def _risk(rng: Random) -> tuple[Any, ...]:
    return [1, rng.choice((3, 7, 33, 1000, 10**5))], [rng.choice((51, 90, 95, 999)), 1000]


def _run_no_failures(risk: list[int], q: list[int]) -> Result:
    exact = math.log(1 - ratio(q)) / math.log1p(-float(ratio(risk)))
    ours = extrapolation.trials_without_failure(ratio(risk), ratio(q))
    return Result(1, None if abs(exact - round(exact)) < 1e-6 or ours == math.ceil(exact) else f"{ours}, by logarithms {exact}", 1)


# ---- distributions, functions, sums ------------------------------------------------------------------------------------


def _weights(rng: Random) -> tuple[Any, ...]:
    n = rng.randint(1, 40)
    return [rng.random() + 0.01 for _ in range(n)], [rng.random() + 0.01 for _ in range(n)]


def _run_variation(before: list[float], after: list[float]) -> Result:
    p, q = (np.array(w) / sum(w) for w in (before, after))
    ours = served.total_variation(np.array(before), np.array(after))
    theirs = float(np.abs(p - q).sum() / 2)
    fault = None if abs(float(ours) - theirs) < 1e-12 else f"{float(ours)}, by numpy {theirs}"
    overlap = float(np.sqrt(p * q).sum())
    margin_ = served.HellingerGate(Fraction(1, 3)).decide(before, after).margin
    if margin_ is None or abs(float(margin_) - (1 / 9 - (1 - overlap**2))) > 1e-12:
        fault = f"overlap margin {margin_}, by numpy {1 / 9 - (1 - overlap**2)}"
    return Result(2, fault, 2)


def _arguments(rng: Random) -> tuple[Any, ...]:
    return (rng.choice((1, -1)) * rng.random() * 2.0 ** rng.randint(-30, 6),)


def _run_functions(x: float) -> Result:
    pairs = [
        ("numpy.exp", outward.exp(x), float(np.exp(x))),
        ("numpy.tanh", outward.tanh(x), float(np.tanh(x))),
        ("numpy.sqrt", outward.sqrt(abs(x)), float(np.sqrt(abs(x)))),
    ]
    if x:
        pairs.append(("numpy.log", outward.log(abs(x)), float(np.log(abs(x)))))
    if abs(x) < 0.9:
        pairs.append(("numpy.arctanh", outward.atanh(x), float(np.arctanh(x))))
    faults = [_same(name, found.low, theirs, 1e-14) for name, found, theirs in pairs if abs(theirs) > 1e-3 or name != "numpy.log"]
    return Result(len(pairs), next(filter(None, faults), None), len(pairs))


def _whole_vectors(rng: Random) -> tuple[Any, ...]:
    n = rng.randint(1, 50)
    return tuple([rng.randint(-1000, 1000) for _ in range(n)] for _ in range(2))


def _run_sums(a: list[int], b: list[int]) -> Result:
    x, y = np.array(a, np.float64), np.array(b, np.float64)
    right = [
        energy.dot(a, b) == int(x @ y),
        energy.energy(a) == int(x @ x),
        margin.argmax(x) == int(np.argmax(x)),
        basin.BasinGate(5000).stream(x).tolist() == (np.cumsum(np.abs(x)) < 5000).tolist(),
        margin.candidates(x, np.abs(y)).tolist() == np.flatnonzero(x + np.abs(y) >= (x - np.abs(y)).max()).tolist(),
        cumloss.charge_run(0, [(abs(u), abs(u), 10**9) for u in a]) == [True] * len(a),
    ]
    return Result(len(right), None if all(right) else f"answers {right} against numpy", len(right))


def _run_products(a: list[int], b: list[int]) -> Result:
    x = np.abs(np.array(a)) / 1000
    ours = betting.BettingGate("0.5", "0.05").wealth(0.5, x)
    fault = _same("numpy.prod", ours, float(np.prod(1 + 0.5 * (0.5 - x))))
    bowl = tukey.TukeyGate(700)
    weights = np.array([float(bowl.weight(r)) for r in a]) / 700.0**4
    if not np.allclose(weights, np.where(2 * np.abs(a) <= 700, (1 - (2 * np.array(a) / 700) ** 2) ** 2, 0), rtol=1e-9, atol=1e-15):
        fault = "a bisquare weight differs from that of numpy"
    spent = float(union.UnionGate("0.1").spent(len(a)))
    return Result(3, fault or _same("numpy.sum", spent, float(np.sum(0.1 / (np.arange(1, len(a) + 1) * np.arange(2, len(a) + 2))))), 3)


# ---- where a peer is not right -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Deviation:
    """A case in which a peer's answer is not the right one.

    ours, theirs: the calls.  right: what ours must give.  says: what the peer gave when this was written down.
    """

    peer: str
    what: str
    ours: Callable[[], Any]
    right: Any
    theirs: Callable[[], Any]
    says: Any


def _ranks(n: int) -> np.ndarray:
    """Scores 1 … n, so that a threshold is its rank."""
    return np.arange(1.0, n + 1)


def _rank_case(name: str, peer: Callable[[np.ndarray, float], Any], n: int, q: str, right: int | None, says: Any) -> Deviation:
    return Deviation(
        name, f"rank of level {q} for {n} scores", lambda: conformal.calibrate(_ranks(n), q).threshold, right, lambda: peer(_ranks(n), float(q)), says
    )


def _error(call: Callable[[], Any]) -> str:
    try:
        return str(call())
    except ArgumentError as error:
        return type(error).__name__


_NAN = np.array([1.0, math.nan, 3.0, 4.0])
_TAIL = Fraction(1, 501000)

DEVIATIONS: tuple[Deviation, ...] = (
    # (n + 1)·q is a whole number, and its product in float64 is a little more or less
    _rank_case("crepes", crepes, 74, "0.68", 51, 52.0),
    _rank_case("crepes", crepes, 24, "0.56", 14, 15.0),
    _rank_case("crepes", crepes, 999, "0.683", 683, 684.0),
    _rank_case("puncc", puncc, 74, "0.68", 51, 52.0),
    _rank_case("puncc", puncc, 999, "0.5", 500, 501.0),
    _rank_case("MAPIE", mapie, 24, "0.56", 14, 15.0),
    _rank_case("MAPIE", mapie, 99, "0.29", 29, 30.0),
    _rank_case("numpy", numpy_quantile, 74, "0.68", 51, 52.0),
    _rank_case("numpy", numpy_quantile, 999, "0.5", 500, 501.0),
    # the largest score is the threshold, and is refused
    _rank_case("crepes", crepes, 9, "0.9", 9, math.inf),
    _rank_case("puncc", puncc, 19, "0.95", 19, "ValueError"),
    _rank_case("MAPIE", mapie, 19, "0.95", 19, "ValueError"),
    # few scores, of which the second smallest is the threshold
    _rank_case("MAPIE", mapie, 5, "0.2", 2, "ValueError"),
    # there is no finite threshold, and the largest score is taken for one
    _rank_case("numpy", numpy_quantile, 18, "0.95", None, 18.0),
    _rank_case("numpy", numpy_quantile, 48, "0.99", None, 48.0),
    # a score that is no number must be an error
    Deviation("crepes", "a score that is NaN", lambda: _error(lambda: conformal.calibrate(_NAN, "0.5")), "NonFiniteError", lambda: crepes(_NAN, 0.5), 4.0),
    Deviation(
        "numpy",
        "a score that is NaN",
        lambda: _error(lambda: conformal.calibrate(_NAN, "0.5")),
        "NonFiniteError",
        lambda: str(numpy_quantile(_NAN, 0.5)),
        "nan",
    ),
    # a level outside of (0, 1) must be an error
    Deviation("crepes", "level 1.5", lambda: _error(lambda: conformal.calibrate(_ranks(9), 1.5)), "RangeError", lambda: crepes(_ranks(9), 1.5), math.inf),
    # the root is found to about 12 digits; it must not be below the true one, 1 - (α)^(1/n)
    Deviation(
        "scipy",
        "binomtest(0, 500) at 1 - 1/501000, below the exact bound or far above",
        lambda: _inside(extrapolation.clopper_pearson_upper(0, 500, 1 - _TAIL).risk),
        True,
        lambda: _inside(Fraction(float(stats.binomtest(0, 500, alternative="less").proportion_ci(float(1 - _TAIL), "exact").high))),
        False,
    ),
    Deviation(
        "numpy",
        "floor(x + .5) of the float32 below one half",
        lambda: float(lattice.nearest_cubic(np.full((1, 8), 0.49999997, np.float32))[0, 0]),
        0.0,
        lambda: float(np.floor(np.float32(0.49999997) + np.float32(0.5))),
        1.0,
    ),
    Deviation(
        "numpy",
        "float32 sum of 4096 squares of 2e-23",
        lambda: energy.EnergyGate(0).decide(np.full(4096, 2e-23, np.float32), np.ones(4096, np.float32)).admit,
        False,
        lambda: bool(np.dot(np.full(4096, 2e-23, np.float32), np.full(4096, 2e-23, np.float32)) == 0),
        True,
    ),
)


def _inside(p: Fraction) -> bool:
    """Whether no failure in 500 trials has at most the probability _TAIL at p, and p is hardly above the least such rate."""
    return (1 - p) ** 500 <= _TAIL < (1 - p * (1 - Fraction(1, 10**12))) ** 500


def _deviations(peer: str, notes: list[str]) -> Check:
    """All deviations of a peer: ours must be right; a peer whose answer has changed is noted."""

    def run() -> Result:
        cases = [d for d in DEVIATIONS if d.peer == peer]
        for d in cases:
            ours, theirs = d.ours(), _quietly(d.theirs)
            if ours != d.right:
                return Result(len(cases), f"{d.what}: {ours!r}, the right value is {d.right!r} ({peer} says {theirs!r})")
            note = f"statistics: {peer} on {d.what} says {theirs!r}, no longer {d.says!r}"
            if theirs != d.says and note not in notes:
                notes.append(note)
        return Result(len(cases), None, len(cases))

    return Check(f"where {peer} is not right", lambda rng: (), run, batch=1)


def load(skips: list[str]) -> list[Check]:
    """All checks that can run here; peers that are not installed, and answers of peers that have changed, go to `skips`."""
    checks = [
        Check("threshold = numpy.sort", _any_level, _run_sort),
        Check("failure rate = scipy.stats.beta", _counts, _run_beta, batch=2),
        Check("pool = scipy.stats.hypergeom", _pool, _run_hypergeometric),
        Check("trials without failure = logarithms", _risk, _run_no_failures),
        Check("total variation = numpy", _weights, _run_variation),
        Check("functions = numpy", _arguments, _run_functions),
        Check("sums = numpy", _whole_vectors, _run_sums),
        Check("products = numpy", _whole_vectors, _run_products),
    ]
    if importlib.util.find_spec("mpmath") is None:
        skips.append("statistics against mpmath: not installed")
    else:
        checks += sixty.load()
    missing = set()
    for library, call in ((peers.CREPES, crepes), (peers.MAPIE, mapie), (peers.PUNCC, puncc)):
        found = library.load()
        if isinstance(found, str):
            skips.append(f"statistics against {library.name}: {found}")
            missing.add(library.name)
        else:
            checks.append(_threshold(library.name, call))
    return checks + [_deviations(peer, skips) for peer in dict.fromkeys(d.peer for d in DEVIATIONS) if peer not in missing]

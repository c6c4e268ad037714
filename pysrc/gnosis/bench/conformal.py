"""Thresholds: exact selection against sorting, partitioning and other libraries of conformal prediction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..core import conformal, stream
from ..gates.conformal import calibrate, rank
from . import peers
from .harness import BenchError, Case, Skipped

LEVEL = "0.99"
COUNT = 1_000_000
KEPT, SHARDS = 20_000, 100
Threshold = Callable[[np.ndarray], float]


def numpy_sort(scores: np.ndarray) -> float:
    return np.sort(scores)[rank(len(scores), LEVEL) - 1]


def numpy_partition(scores: np.ndarray) -> float:
    k = rank(len(scores), LEVEL)
    return np.partition(scores, k - 1)[k - 1]


def mapie(module: Any) -> Threshold:
    from sklearn.base import BaseEstimator, RegressorMixin

    class Zero(RegressorMixin, BaseEstimator):
        """Predicts 0, so that scores are the targets."""

        def fit(self, X: np.ndarray, y: np.ndarray) -> Zero:
            self.fitted_ = True
            return self

        def predict(self, X: np.ndarray) -> np.ndarray:
            return np.zeros(len(X))

    X = np.zeros((COUNT, 1))
    model = Zero().fit(X, X[:, 0])

    def threshold(scores: np.ndarray) -> float:
        regressor = module.SplitConformalRegressor(model, confidence_level=float(LEVEL), prefit=True).conformalize(X, scores)
        return np.ravel(regressor.predict_interval(X[:1])[1])[1]

    return threshold


def crepes(module: Any) -> Threshold:
    return lambda scores: module.ConformalRegressor().fit(residuals=scores).predict_int(y_hat=np.zeros(1), confidence=float(LEVEL))[0, 1]


def puncc(module: Any) -> Threshold:
    return lambda scores: module.quantile(scores, float(LEVEL) * (len(scores) + 1) / len(scores))


LIBRARIES = ((peers.MAPIE, mapie), (peers.CREPES, crepes), (peers.PUNCC, puncc))


def threshold_cases(scores: np.ndarray) -> Iterator[Case | Skipped]:
    """scores: float64[1,000,000], none negative."""
    raw = scores.view(np.uint8)
    found = calibrate(scores, LEVEL).threshold
    assert found is not None  # a million scores have that rank
    ours = float(found)

    def case(name: str, theirs: Threshold) -> Case:
        if theirs(scores) != ours:
            raise BenchError(f"threshold at level {LEVEL}: {ours!r} here, {theirs(scores)!r} from {name}")
        return Case(
            "threshold 1e6", name, scores.nbytes, scores.nbytes, lambda _: calibrate(scores, LEVEL), lambda _: theirs(scores), lambda _: stream.read(raw)
        )

    yield case("np.sort", numpy_sort)
    yield case("np.partition", numpy_partition)
    for library, peer in LIBRARIES:
        module = library.load()
        yield Skipped("threshold 1e6", library.name, module) if isinstance(module, str) else case(library.name, peer(module))
    yield shards_case(scores)


def shards_case(scores: np.ndarray) -> Case:
    """The largest scores of a stream of shards, from which any threshold of a high level follows."""
    shards = np.array_split(scores, SHARDS)
    raw = scores.view(np.uint8)

    def ours(_: int) -> np.ndarray:
        top = conformal.Largest(KEPT)
        for shard in shards:
            top.add(shard)
        return top.top()

    def theirs(_: int) -> np.ndarray:
        top = np.empty(0)
        for shard in shards:
            both = np.concatenate([top, shard])
            top = both if len(both) <= KEPT else np.partition(both, len(both) - KEPT)[len(both) - KEPT :]
        return np.sort(top)

    if not np.array_equal(ours(0), theirs(0)):
        raise BenchError("the largest scores of a stream differ from those that numpy finds")
    return Case(
        "largest 2e4 of 100 shards", "np.partition of each with the largest so far", scores.nbytes, scores.nbytes, ours, theirs, lambda _: stream.read(raw)
    )

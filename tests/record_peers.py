"""Writes recorded_peers.json: thresholds and bounds of other libraries on fixed inputs.

Not part of the tests, which only read the file.  Needs its own environment:
    pip install mapie==1.6.0 crepes==0.9.1 puncc==0.9.3 statsmodels==0.15.0
    python tests/record_peers.py
"""

import json
import math
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np
from crepes import ConformalRegressor
from deel.puncc.api.utils import quantile
from mapie.regression import SplitConformalRegressor
from sklearn.base import BaseEstimator, RegressorMixin
from statsmodels.stats.proportion import proportion_confint

# scores are 1 … n, so a threshold is its rank
AWAY = [(n, q) for n in (20, 37, 64, 150, 1000) for q in ("0.503", "0.683", "0.9", "0.947")]
# (n + 1)·level is whole, or there are too few scores
BOUNDARY = [
    (74, "0.68"),
    (9, "0.9"),
    (19, "0.95"),
    (18, "0.95"),
    (48, "0.99"),
    (24, "0.56"),
    (9, "0.7"),
    (99, "0.29"),
    *[(999, q) for q in ("0.5", "0.683", "0.9", "0.947")],
]
TRIALS = [(0, 18, "0.95"), (0, 16, "0.99"), (3, 100, "0.99"), (17, 1000, "0.999"), (50, 51, "0.95"), (5, 80, "0.9"), (0, 459, "0.99"), (400, 1000, "0.95")]


class Zero(RegressorMixin, BaseEstimator):
    """Predicts 0, so that residuals are the targets."""

    def fit(self, X, y):
        self.fitted_ = True
        return self

    def predict(self, X):
        return np.zeros(len(X))


def crepes(scores, level):
    return ConformalRegressor().fit(residuals=scores).predict_int(y_hat=np.zeros(1), confidence=level)[0, 1]


def puncc(scores, level):
    return quantile(scores, level * (len(scores) + 1) / len(scores))


def mapie(scores, level):
    X = np.zeros((len(scores), 1))
    model = SplitConformalRegressor(Zero().fit(X, scores), confidence_level=level, prefit=True).conformalize(X, scores)
    return np.ravel(model.predict_interval(X[:1])[1])[1]


def threshold(peer, n, level):
    try:
        value = float(peer(np.arange(1.0, n + 1), float(level)))
    except Exception as error:
        return type(error).__name__
    return value if math.isfinite(value) else "inf"


def main():
    warnings.simplefilter("ignore")
    rows = {
        kind: [{"n": n, "level": q, **{peer.__name__: threshold(peer, n, q) for peer in (crepes, puncc, mapie)}} for n, q in cases]
        for kind, cases in (("away", AWAY), ("boundary", BOUNDARY))
    }
    rows["clopper_pearson"] = []
    for k, n, confidence in TRIALS:
        low, high = proportion_confint(k, n, alpha=2 * (1 - float(confidence)), method="beta")
        rows["clopper_pearson"].append({"failures": k, "trials": n, "confidence": confidence, "low": float(low), "high": float(high)})
    rows["versions"] = {name: version(name) for name in ("mapie", "crepes", "puncc", "statsmodels", "scipy", "numpy")}
    Path(__file__).with_name("recorded_peers.json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""Figures of the passages that were read, under the names that people know."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..gates.conformal import calibrate
from ..numbers.bounds import enclose
from ..numbers.levels import Level, level
from ..risk.extrapolation import clopper_pearson_lower, clopper_pearson_upper
from .outputs import Seen

CONDITIONAL = "0.95"  # confidence of what is said about the calibration at hand


def joined(seen: Sequence[Seen]) -> Seen:
    """Positions of several passages, one after the other."""
    return Seen(*(np.concatenate(parts) for parts in zip(*seen)))


def of_positions(seen: Seen) -> dict[str, Any]:
    """Figures over all positions, each counted once."""
    loss, change = seen.log_p - seen.log_q, np.exp(seen.log_q) - np.exp(seen.log_p)
    at = {"median": 0.5, "99%": 0.99}
    changed = np.asarray(seen.margin[seen.flip])
    return {
        "positions": len(seen.kl),
        "kl": {"mean": float(seen.kl.mean()), **{name: float(np.quantile(seen.kl, q)) for name, q in at.items()}, "largest": float(seen.kl.max())},
        "tv": {"mean": float(seen.tv.mean()), **{name: float(np.quantile(seen.tv, q)) for name, q in at.items()}, "largest": float(seen.tv.max())},
        "flips": {"changed": int(seen.flip.sum()), "share": float(seen.flip.mean()), "same_top": 1 - float(seen.flip.mean())},
        "sets": {"changed": int(seen.sets.sum()), "share": float(seen.sets.mean())},
        "perplexity": {"original": _perplexity(seen.log_p), "quantized": _perplexity(seen.log_q)},
        "nll": {"mean": float(loss.mean()), "median": float(np.median(loss)), "largest": float(loss.max())},
        "delta_p": {"mean": float(change.mean()), "rms": math.sqrt(float((change * change).mean()))},
        "margin_of_changed": None if not len(changed) else {"median": float(np.median(changed)), "largest": float(changed.max())},
        "lead_of_changed": None if not len(changed) else {"median": float(np.median(seen.lead[seen.flip])), "largest": float(seen.lead[seen.flip].max())},
    }


MARGINS = (0.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # where bins of margins begin; the last has no end
KL_BINS = tuple(-8 + i / 2 for i in range(19))  # decimal logarithms, from 10^-8 to 10; what lies outside counts in the first or last bin


def histograms(seen: Seen) -> dict[str, Any]:
    """Positions by the candidate's margin, with those whose top token changed, and by KL divergence."""
    which = np.searchsorted(MARGINS, seen.margin, side="right") - 1
    logs = np.log10(np.maximum(seen.kl, 10.0 ** KL_BINS[0]))
    places = np.clip(np.searchsorted(KL_BINS, logs, side="right") - 1, 0, len(KL_BINS) - 2)
    return {
        "margins": {
            "from": list(MARGINS),
            "positions": np.bincount(which, minlength=len(MARGINS)).tolist(),
            "changed": np.bincount(which[seen.flip], minlength=len(MARGINS)).tolist(),
        },
        "kl": {"log10_from": list(KL_BINS[:-1]), "positions": np.bincount(places, minlength=len(KL_BINS) - 1).tolist()},
    }


def _perplexity(log: np.ndarray) -> float | None:
    """exp of the mean loss; None past the range of float64."""
    mean = -float(log.mean())
    return math.exp(mean) if mean < 700 else None


def score(seen: Seen) -> float:
    """The largest margin of the candidate at a position of a passage where its top token is another one than the original's; 0 where there is none."""
    return float(seen.margin[seen.flip].max(initial=0.0))


def threshold(scores: Sequence[float], confidence: Level) -> dict[str, Any]:
    """From which margin on the candidate's top token is the original's, in all of a passage.

    scores: of n passages drawn alike.  For one more passage drawn alike the probability that a changed token has a margin above the threshold is at most
    1 − confidence, where the calibration is drawn anew as well.  Of the calibration at hand, whose own rate is random: with 95 % the rate is at
    most `given_calibration`, the Clopper–Pearson bound for n − rank failures in n trials.
    Promises: tested `tests/test_compare_command.py::test_a_threshold_keeps_its_word_on_new_passages`, `tests/test_compare_command.py::test_the_threshold_says_what_its_calibration_leaves_open`.
    """
    q = level(confidence, "level")
    gate = calibrate(np.asarray(scores, np.float64), q)
    found = {"level": float(q), "passages": len(scores), "rank": gate.rank, "threshold": None, "given_calibration": None}
    if gate.threshold is not None:
        found["threshold"] = enclose(gate.threshold)[1]
        found["given_calibration"] = enclose(clopper_pearson_upper(len(scores) - gate.rank, len(scores), CONDITIONAL).risk)[1]
    return found


def counted(changed: int, drawn: int, risk: Any) -> dict[str, Any]:
    """Passages with a changed token among those drawn: Clopper–Pearson for a number of draws that was fixed beforehand.  risk: of both sides together."""
    each = 1 - risk / 2
    return {
        "changed": changed,
        "drawn": drawn,
        "low": enclose(clopper_pearson_lower(changed, drawn, each))[0],
        "high": enclose(clopper_pearson_upper(changed, drawn, each).risk)[1],
    }

"""What the tests of conform have in common."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gnosis.conformance import targets
from gnosis.conformance.lanes import run as lanes
from gnosis.conformance.oracle.interpreter import Oracle

BY_NAME = {t.decision: (stem, t) for stem, ts in targets.load().items() for t in ts}


def lane(oracle: Oracle, decision: str, reference: Callable[..., Any], batches: int = 4, corpus: Path | None = None, promote: bool = False) -> lanes.Report:
    """The oracle lane on one decision with another reference; no corpus unless given."""
    stem, target = BY_NAME[decision]
    report = lanes.Report(1)
    changed = {stem: [targets.Target(decision, reference, target.generate)]}
    for seed in range(batches):
        lanes.oracle_lane(oracle, changed, seed, 0.0, report, corpus=corpus or Path("/nonexistent"), promote=promote)
    return report

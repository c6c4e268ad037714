"""Deferred refinement on tables against the algorithm of the spine, also where its text is not the finer model's."""

from __future__ import annotations

from random import Random

import pytest

from gnosis.conformance.floats import deferred as paths
from gnosis.inference.deferred import run


@pytest.mark.parametrize("fault", [None, "a margin of τ is deferred", "a place too far is settled"])
def test_a_run_is_the_algorithm_of_the_spine_on_its_choices(fault, monkeypatch):
    """Also where τ lets differences stand, so that the text is not the finer model's."""
    if fault == "a margin of τ is deferred":
        monkeypatch.setattr(run.Policy, "deferred", lambda self, margin: self.tau is None or margin <= self.tau)
    if fault == "a place too far is settled":
        settle = run._Run.settle

        def further(self, visit, asked):
            settle(self, visit, asked)
            self.settled = min(len(self.tokens), self.settled + 1)

        monkeypatch.setattr(run._Run, "settle", further)
    rng = Random(5)
    found = [paths._run_refine(*paths._refine_case(rng)) for _ in range(120)]
    assert any(r.fault for r in found) == (fault is not None)
    assert fault or (sum(r.admitted for r in found) > 40 and sum(r.undecided for r in found) > 15)

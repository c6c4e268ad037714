"""Deferred refinement: what the models have read, visit by visit (`Gnosis.cache_reads_text`, `Gnosis.visit_answers`)."""

from __future__ import annotations

import pytest
import tiny_model
from deferred_support import MOST

from gnosis.errors import ArgumentError
from gnosis.inference.deferred import Pair, Policy, generate, open_pair, run


@pytest.fixture(scope="module")
def pairs(tmp_path_factory) -> list[Pair]:
    """One model's random weights in two codes, several times."""
    folder = tmp_path_factory.mktemp("codes")
    return [
        open_pair("", str(tiny_model.write(folder / f"coarse{s}.gguf", "Q4_0", s)), str(tiny_model.write(folder / f"fine{s}.gguf", "Q8_0", s)))
        for s in range(4)
    ]


def caches_hold(one: Pair, policy: Policy, monkeypatch) -> bool:
    """Whether at every visit the finer model has read less than is settled, both caches less than the text, and each place from the first answer on is there."""
    visit, held = run._Run.visit, []

    def watched(self, tokens):
        held.append(self.fine.length < self.settled and max(self.fine.length, self.coarse.length) < len(self.tokens) + 1)
        found = visit(self, tokens)
        held.append(found.first <= self.settled and len(found.says) == found.upto + 1 - found.first)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(run._Run, "visit", watched)
        generate(one, [1, 2, 3], policy, MOST)
    return bool(held) and all(held)


@pytest.mark.parametrize(
    "policy", [Policy("verify-all", None, 5, again, overlap) for again in (0, 2) for overlap in (False, True)] + [Policy("margin", 0.5, 4)]
)
def test_the_finer_model_has_read_less_than_is_settled(pairs, monkeypatch, policy):
    assert all(caches_hold(one, policy, monkeypatch) for one in pairs)


def test_a_cache_of_all_that_is_settled_is_noticed(pairs, monkeypatch):
    """The finer model's cache is left one token longer after a flip."""

    def back(self, place):
        del self.tokens[place:], self.margins[place:]
        self.coarse.truncate(min(self.coarse.length, place))
        self.fine.truncate(min(self.fine.length, place + 1))

    monkeypatch.setattr(run._Run, "back", back)
    held = []
    for one in pairs:
        try:
            held.append(caches_hold(one, Policy("verify-all", None, 5), monkeypatch))
        except (ArgumentError, IndexError):
            held.append(False)
    assert not all(held)

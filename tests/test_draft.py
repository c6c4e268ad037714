"""Drafting on the engine: the finer model's text whatever is drafted, and the distribution of drawn tokens."""

from __future__ import annotations

import pytest
import tiny_model
from hypothesis import given, settings
from hypothesis import strategies as st

from gnosis.engine import Engine
from gnosis.inference.deferred.draft import Drafter
from gnosis.inference.deferred.sampling import Sampling
from gnosis.lm import Model
from gnosis.lm.equivalent import recoded

MOST = 24
prompts = st.lists(st.integers(0, tiny_model.END - 1), min_size=1, max_size=6)


@pytest.fixture(scope="module")
def engines(tmp_path_factory):
    """A finer model, and drafters of it: another code, other weights altogether, itself."""
    folder = tmp_path_factory.mktemp("draft")
    fine = Model.load(str(tiny_model.write(folder / "fine.gguf", "F32", 1)))
    coarse = [recoded(fine, "Q4_0"), Model.load(str(tiny_model.write(folder / "other.gguf", "F32", 2))), fine]
    made = [Engine.of_model(model) for model in (fine, *coarse)]
    yield made
    for engine in made:
        engine.close()


def greedily(engine: Engine, prompt: list[int], most: int) -> list[int]:
    """Token after token, written apart from what is tested."""
    cache, tokens = engine.cache(len(prompt) + most), []
    feed = prompt
    while len(tokens) < most and (not tokens or tokens[-1] != tiny_model.END):
        feed = [int(engine.prefill(feed, cache).logits[0].argmax())]
        tokens += feed
    return tokens


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_the_text_is_the_finer_models(engines, data):
    fine, *coarse = engines
    drafter = Drafter(fine, data.draw(st.sampled_from(coarse)), data.draw(st.sampled_from([None, 1, 2, 5, 12])))
    for prompt in data.draw(st.lists(prompts, min_size=1, max_size=3)):
        most, told = data.draw(st.integers(1, MOST)), []
        found = drafter.write(prompt, most, heard=told.extend)
        assert found.tokens == told == greedily(fine, prompt, most) == drafter.alone(prompt, most).tokens
        assert found.ended == (found.tokens[-1] == tiny_model.END) and found.accepted <= found.drafted


samplings = st.builds(
    Sampling,
    temperature=st.sampled_from([0.1, 0.7, 1.0, 3.0]),
    top_k=st.sampled_from([None, 1, 5, 64]),
    top_p=st.sampled_from([None, 0.3, 0.9, 1.0]),
    min_p=st.sampled_from([None, 0.05, 1.0]),
    seed=st.integers(0, 2**64 - 1),
)


@given(st.data(), samplings)
@settings(max_examples=40, deadline=None)
def test_shared_noise_writes_what_the_finer_model_alone_writes_with_that_seed(engines, data, sampling):
    fine, *coarse = engines
    prompt, most = data.draw(prompts), data.draw(st.integers(1, MOST))
    alone = Drafter(fine, fine).alone(prompt, most, sampling).tokens
    for one in coarse:
        assert Drafter(fine, one, data.draw(st.sampled_from([None, 1, 4, 12]))).write(prompt, most, sampling).tokens == alone

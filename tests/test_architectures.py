"""Every architecture: small random models against llama.cpp, against themselves in another order, and files that do not fit."""

from __future__ import annotations

import json
import re
from pathlib import Path

import live_llama
import numpy as np
import pytest
import tiny_models

from gnosis.core import cpu
from gnosis.errors import NonFiniteError
from gnosis.lm import Model
from gnosis.lm import model as language
from gnosis.models.files import ModelError

RECORDED = json.loads(Path(__file__).with_name("recorded_models.json").read_text(encoding="utf-8"))
NEAR = 5e-5  # of logits with a standard deviation of 2; the largest difference that was seen is 1.2e-5
NEAR_GELU = 1e-2  # llama.cpp reads its gelu from a table of half precision


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {name: tiny_models.write(folder / f"{name}.gguf", name) for name in tiny_models.MODELS}


def table_gelu(gate, up):
    """The gelu of llama.cpp: half precision in, half precision out."""
    x = gate.astype(np.float16).astype(np.float32)
    y = 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * x * (1 + 0.044715 * x * x)))
    return np.where(gate <= -10, np.float32(0), np.where(gate >= 10, gate, y.astype(np.float16).astype(np.float32))) * up


# ---- against llama.cpp ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", tiny_models.MODELS)
@pytest.mark.parametrize("arithmetic", ["ordered", "blas"])
def test_logits_are_those_of_llama_cpp(files, name, arithmetic):
    model, ids, recorded = Model.load(str(files[name]), arithmetic), tiny_models.text(name), RECORDED[name]
    logits = model.prefill(ids, model.cache(len(ids)), "all").logits
    best, near = np.array(recorded["best"]), NEAR_GELU if model.config.activation == "gelu" else NEAR
    assert np.abs(np.take_along_axis(logits, best, 1) - recorded["logits"]).max() < near
    assert np.abs(logits[-1] - recorded["last"]).max() < near
    clear = np.array(recorded["logits"])[:, 0] - np.array(recorded["logits"])[:, 1] > 2 * near
    assert clear.sum() > 35 and (logits.argmax(axis=1) == best[:, 0])[clear].all()


def test_with_the_same_table_gelu_gemma_is_as_near_as_the_others(files, monkeypatch):
    monkeypatch.setitem(language.GATED, "gelu", table_gelu)
    model, ids, recorded = Model.load(str(files["gemma3"])), tiny_models.text("gemma3"), RECORDED["gemma3"]
    logits = model.prefill(ids, model.cache(len(ids)), "all").logits
    # a number that rounds to the other half-precision neighbour makes a difference of one unit of it
    assert np.abs(np.take_along_axis(logits, np.array(recorded["best"]), 1) - recorded["logits"]).max() < NEAR_GELU / 10


@pytest.mark.skipif(not live_llama.installed(), reason=f"llama-cpp-python {live_llama.VERSION} is not installed; the recorded answers are compared")
@pytest.mark.parametrize("name", tiny_models.MODELS)
def test_llama_cpp_still_says_so(files, name):
    found, recorded = live_llama.Llama(files[name]).logits(tiny_models.text(name)), RECORDED[name]
    assert np.abs(found[-1] - recorded["last"]).max() < NEAR


# each operation left out or done otherwise, and how far that leads away
@pytest.mark.parametrize(
    "name, changed",
    [
        ("llama-3", {"factors": False}),
        ("llama-3", {"rope_base": 10000.0}),
        ("mistral", {"attention_scale": 0.25}),
        ("linear", {"rope_scale": 1.0}),
        ("qwen2", {"biases": False}),
        ("qwen2", {"neox": False}),
        ("qwen3", {"head_norms": False}),
        ("gemma3", {"post_norms": False}),
        ("gemma3", {"activation": "silu"}),
        ("gemma3", {"embedding_scale": 1.0}),
        ("gemma3", {"window": 0}),
        ("gemma3", {"window": 9}),
        ("gemma3", {"window_rope_base": 1e6}),
        ("gemma3", {"windowed": (True,) * 7}),
        ("experts", {"experts_used": 3}),
        ("experts-in-groups", {"expert_groups": 1}),
        ("experts-in-groups", {"expert_groups_used": 3}),
        ("qwen3moe", {"neox": False}),
    ],
)
def test_every_operation_matters(files, name, changed):
    from dataclasses import replace

    right, ids, recorded = Model.load(str(files[name])), tiny_models.text(name), RECORDED[name]
    norms = right.norms if changed != {"factors": False} else {k: v for k, v in right.norms.items() if k != "rope_freqs.weight"}
    wrong = Model(replace(right.config, **changed), right.weights, norms, right.metadata)
    logits = wrong.prefill(ids, wrong.cache(len(ids)), "all").logits
    assert np.abs(np.take_along_axis(logits, np.array(recorded["best"]), 1) - recorded["logits"]).max() > 5 * NEAR_GELU


# ---- one order of operations ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", tiny_models.MODELS)
def test_a_token_alone_and_among_others(files, name):
    model, ids = Model.load(str(files[name])), tiny_models.text(name)
    together = model.prefill(ids, model.cache(len(ids)), "all")
    cache = model.cache(len(ids))
    one_by_one = [model.decode(i, cache) for i in ids]
    assert np.array_equal(together.hidden, np.concatenate([s.hidden for s in one_by_one]))
    assert np.array_equal(together.logits, np.concatenate([s.logits for s in one_by_one]))
    for cut in (1, 7, 8, 9, 23):
        cache.truncate(cut)
        assert np.array_equal(model.prefill(ids[cut:], cache, "all").hidden, together.hidden[cut:])


@pytest.mark.parametrize("name", ["gemma3", "experts-in-groups", "qwen2"])
def test_every_instruction_set_computes_the_same_bits(files, name):
    found = []
    try:
        for isa in cpu.available():
            cpu.force(isa)
            model = Model.load(str(files[name]))
            found.append(model.prefill(tiny_models.text(name), model.cache(40), "all").logits)
    finally:
        cpu.force(None)
    assert all(np.array_equal(found[0], other) for other in found)


def test_angles_do_not_depend_on_what_was_asked_before():
    from gnosis.lm.rotation import BLOCK, Turns, frequencies

    plain = frequencies(32, 10000.0)
    at_once, in_steps = Turns(plain), Turns(plain)
    cos, sin = at_once.at(0, 5 * BLOCK)
    for end in (1, 2, BLOCK, BLOCK + 1, 3 * BLOCK, 5 * BLOCK):
        start = max(0, end - 3)
        assert all(np.array_equal(a, b[start:end]) for a, b in zip(in_steps.at(start, end), (cos, sin)))
    angles = np.arange(5 * BLOCK)[:, None] * 10000.0 ** (-np.arange(16) / 16)
    assert np.abs(cos - np.cos(angles)).max() < 1e-7 and np.abs(sin - np.sin(angles)).max() < 1e-7


# ---- experts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["experts", "experts-in-groups", "qwen3moe"])
def test_the_choice_of_experts_is_certified_and_counted(files, name):
    model, ids = Model.load(str(files[name])), tiny_models.text(name)
    model.prefill(ids, model.cache(len(ids)))
    assert model.routing.decided == 2 * len(ids) and model.routing.certified == model.routing.decided


@pytest.mark.parametrize("name", ["experts", "experts-in-groups"])
def test_experts_that_no_score_tells_apart_are_not_certified(name, tmp_path):
    weights = tiny_models.tensors(name)
    weights["blk.0.ffn_gate_inp.weight"][:] = weights["blk.0.ffn_gate_inp.weight"][0]
    model, ids = Model.load(str(tiny_models.write(tmp_path / "m.gguf", name, weights=weights))), tiny_models.text(name)
    model.prefill(ids, model.cache(len(ids)))
    assert (model.routing.decided, model.routing.certified) == (80, 40)


def test_a_router_without_a_bound_certifies_nothing(files):
    class Other:
        nbytes = 0

        def __init__(self, product):
            self.product = product

        def __call__(self, x):
            return self.product(x)

    model, ids = Model.load(str(files["experts"])), tiny_models.text("experts")
    model.products["blk.1.ffn_gate_inp.weight"] = Other(model.products["blk.1.ffn_gate_inp.weight"])
    model.prefill(ids, model.cache(len(ids)))
    assert (model.routing.decided, model.routing.certified) == (80, 40)


def test_a_weight_of_an_expert_that_is_not_finite_is_named(tmp_path):
    weights = tiny_models.tensors("experts")
    weights["blk.1.ffn_up_exps.weight"][3, 5, 7] = np.inf
    model = Model.load(str(tiny_models.write(tmp_path / "m.gguf", "experts", weights=weights)))
    with np.errstate(invalid="ignore"), pytest.raises((ModelError, NonFiniteError), match="ffn_up_exps|hidden"):
        model.prefill(tiny_models.text("experts"), model.cache(40))


# ---- files that do not fit -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name, changed, message",
    [
        ("llama", {"block_count": 2**31 - 1}, "block_count = 2147483647, and there are only"),
        ("llama", {"attention.head_count_kv": 3}, "must divide"),
        ("llama", {"attention.key_length": 24, "attention.value_length": 24}, "multiple of 16"),
        ("llama", {"attention.key_length": 32}, "attention.value_length"),
        ("mistral", {"attention.value_length": 16}, "the same"),
        ("mistral", {"rope.dimension_count": 16}, "heads of 32 need the same"),
        ("llama", {"attention.key_length": "wide"}, "'wide' is not a size"),
        ("llama", {"rope.freq_base": float("nan")}, "rope.freq_base = nan is not a finite number"),
        ("llama", {"rope.freq_base": 0.0}, "not usable"),
        ("llama", {"rope.freq_base": "10000"}, "not a finite number"),
        ("llama", {"attention.layer_norm_rms_epsilon": None}, "lack llama.attention.layer_norm_rms_epsilon"),
        ("linear", {"rope.scaling.type": "yarn"}, "rope.scaling.type = 'yarn' is not supported"),
        ("linear", {"rope.scaling.type": 3}, "is not supported"),
        ("linear", {"rope.scaling.factor": -2.0}, "is not a factor"),
        ("linear", {"rope.scaling.factor": float("inf")}, "not a finite number"),
        ("llama", {"attention.sliding_window": 8}, "only layers of gemma3 have a window"),
        ("llama", {"attention.causal": False}, "attention.causal = False is not supported"),
        ("llama", {"logit_scale": 0.5}, "logit_scale = 0.5 is not supported"),
        ("gemma3", {"final_logit_softcapping": 30.0}, "final_logit_softcapping = 30.0"),
        ("gemma3", {"attention.sliding_window": -1.0}, "is not a size"),
        ("gemma3", {"attention.sliding_window_pattern": [True, False]}, "has 2 entries of bool, expected 7"),
        ("gemma3", {"attention.sliding_window_pattern": [1.0] * 7}, "float32, expected 7 truth values"),
        ("gemma3", {"attention.sliding_window_pattern": "all"}, "is not a size"),
        ("gemma3", {"rope.freq_base_swa": -1.0}, "rope.freq_base_swa = -1.0"),
        ("gemma3", {"expert_count": 4}, "experts are those of llama and qwen3moe"),
        ("experts", {"expert_used_count": 9}, "are not possible"),
        ("experts", {"expert_used_count": None}, "lack llama.expert_used_count"),
        ("experts", {"expert_count": 2**20}, "at most 512"),
        ("experts", {"expert_gating_func": 2}, "expert_gating_func = 2 is not supported"),
        ("experts", {"expert_shared_count": 1}, "expert_shared_count = 1"),
        ("experts", {"expert_weights_scale": 2.5}, "expert_weights_scale = 2.5"),
        ("experts-in-groups", {"expert_group_used_count": 4}, "are not possible"),
        ("experts-in-groups", {"expert_group_count": 5}, "are not possible"),
        ("experts-in-groups", {"expert_group_count": 12}, "are not possible"),
        ("experts-in-groups", {"expert_group_used_count": None}, "lack llama.expert_group_used_count"),
        ("qwen3moe", {"expert_count": None}, "lack qwen3moe.expert_count"),
        ("qwen2", {"expert_count": 8, "expert_used_count": 2}, "experts are those of"),
    ],
)
def test_metadata_that_cannot_be_used(tmp_path, name, changed, message):
    with pytest.raises(ModelError, match=re.escape(message)):
        Model.load(str(tiny_models.write(tmp_path / "m.gguf", name, changed)))


@pytest.mark.parametrize(
    "name, tensor, values, message",
    [
        ("qwen2", "blk.1.attn_k.bias", None, "no tensor named 'blk.1.attn_k.bias'"),
        ("qwen3", "blk.0.attn_q_norm.weight", None, "no tensor named"),
        ("qwen3", "blk.0.attn_q_norm.weight", np.ones(16), "has the shape [16], expected [32]"),
        ("llama", "blk.0.attn_output.bias", np.ones(64), "'blk.0.attn_output.bias' has no place in a llama model"),
        ("llama", "blk.0.attn_q.bias", np.ones(64), "no tensor named"),
        ("llama-3", "rope_freqs.weight", np.zeros(8), "a factor that is not above 0"),
        ("llama-3", "rope_freqs.weight", np.ones(16), "has the shape [16], expected [8]"),
        ("experts", "blk.0.ffn_gate_exps.weight", np.ones((8, 64, 96)), "expected [8, 96, 64]"),
        ("experts", "blk.0.ffn_gate_inp.weight", None, "no tensor named"),
        ("gemma3", "blk.3.post_ffw_norm.weight", None, "no tensor named"),
    ],
)
def test_tensors_that_do_not_fit(tmp_path, name, tensor, values, message):
    weights = tiny_models.tensors(name)
    weights.pop(tensor, None)
    if values is not None:
        weights[tensor] = values
    with pytest.raises(ModelError, match=re.escape(message)):
        Model.load(str(tiny_models.write(tmp_path / "m.gguf", name, weights=weights)))


def test_damaged_metadata_are_errors_and_nothing_else(tmp_path):
    """Bytes of the header changed at random: a file either runs or is refused in words."""
    from random import Random

    from gnosis.errors import ArgumentError

    rng, outcomes = Random(0), {"ran": 0, "refused": 0}
    whole = {name: tiny_models.write(tmp_path / f"{name}.gguf", name).read_bytes() for name in ("gemma3", "experts-in-groups", "qwen2", "llama-3")}
    for _ in range(120):
        name = rng.choice(list(whole))
        data = bytearray(whole[name])
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(24, 1200)
            data[at] = rng.choice((0, 1, 255, data[at] ^ (1 << rng.randrange(8)), rng.randrange(256)))
        (tmp_path / "m.gguf").write_bytes(data)
        try:
            model = Model.load(str(tmp_path / "m.gguf"))
            with np.errstate(all="ignore"):
                model.prefill([5, 6, 7], model.cache(3))
            assert isinstance(model.tokenizer.ends, frozenset)
            outcomes["ran"] += 1
        except (ModelError, ArgumentError):
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 5

"""The language model: against llama.cpp, against plain formulas, and against itself in another order."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
import tiny_llama
from hypothesis import given, settings
from hypothesis import strategies as st

from gnosis.core import blocks, cpu, transformer
from gnosis.errors import DtypeError, EmptyError, LengthError, NonFiniteError, RangeError
from gnosis.lm import Model, Weight, corpus
from gnosis.models.files import ModelError

RECORDED = json.loads(Path(__file__).with_name("recorded_llama.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def smollm2():
    return Model.load("smollm2")


@pytest.fixture
def tiny(tmp_path):
    return Model.load(str(tiny_llama.write(tmp_path / "tiny.gguf", tiny_llama.tensors())))


@pytest.fixture
def every_isa():
    yield cpu.available()
    cpu.force(None)


# ---- against llama.cpp -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["text"][:12])
def test_tokens_and_logits_are_those_of_llama_cpp(smollm2, case):
    assert smollm2.tokenizer.encode(case["text"]) == case["tokens"]
    logits = smollm2.prefill(case["tokens"], smollm2.cache(len(case["tokens"])), "all").logits
    best = np.array(case["best"])
    assert (logits.argmax(axis=1) == best[:, 0]).all()
    assert np.abs(np.take_along_axis(logits, best, 1) - case["logits"]).max() < 3e-4


def test_a_model_with_swapped_matrices_is_noticed(smollm2):
    case = RECORDED[1]
    swapped = smollm2.with_weights({"blk.3.attn_k.weight": smollm2.weights["blk.3.attn_v.weight"]})
    logits = swapped.prefill(case["tokens"], swapped.cache(20), "all").logits
    assert np.abs(np.take_along_axis(logits, np.array(case["best"]), 1) - case["logits"]).max() > 0.1


ENGLISH = (
    "The Python programming language is an interpreted, high-level language that was first released in 1991. Its design emphasizes code readability, and its "
    "syntax allows programmers to express concepts in fewer lines of code than would be possible in languages such as C++ or Java."
)


def test_english_is_likely(smollm2):
    ids = smollm2.tokenizer.encode(ENGLISH)
    logits = smollm2.prefill(ids, smollm2.cache(len(ids)), "all").logits.astype(np.float64)
    chance = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    assert np.mean(chance[np.arange(len(ids) - 1), ids[1:]]) > -2.6
    shuffled = [ids[i] for i in np.random.default_rng(0).permutation(len(ids))]
    logits = smollm2.prefill(shuffled, smollm2.cache(len(ids)), "all").logits.astype(np.float64)
    chance = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    assert np.mean(chance[np.arange(len(ids) - 1), shuffled[1:]]) < -5.0


# ---- one order of operations -------------------------------------------------------------------------------------------


def test_prefill_and_decode_agree_bit_for_bit(smollm2):
    ids = RECORDED[1]["tokens"]
    together = smollm2.prefill(ids, smollm2.cache(20), "all")
    cache = smollm2.cache(20)
    one_by_one = [smollm2.decode(i, cache) for i in ids]
    assert np.array_equal(together.hidden, np.concatenate([s.hidden for s in one_by_one]))
    assert np.array_equal(together.logits, np.concatenate([s.logits for s in one_by_one]))
    cache.truncate(3)
    assert np.array_equal(smollm2.prefill(ids[3:], cache, "all").hidden, together.hidden[3:])


def test_blas_agrees_but_not_bit_for_bit(smollm2, tiny):
    blas = Model(tiny.config, tiny.weights, tiny.norms, tiny.metadata, "blas")
    ids = [5, 9, 200, 31, 7]
    ours, theirs = (m.prefill(ids, m.cache(8), "all").logits for m in (tiny, blas))
    assert np.abs(ours - theirs).max() < 1e-3


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_change_no_bit(smollm2, threads):
    ids = RECORDED[1]["tokens"]
    shared = Model(smollm2.config, smollm2.weights, smollm2.norms, smollm2.metadata, threads=threads)
    assert np.array_equal(shared.prefill(ids, shared.cache(20)).logits, smollm2.prefill(ids, smollm2.cache(20)).logits)


def test_every_instruction_set_computes_the_same_bits(tiny, every_isa):
    found = []
    for isa in every_isa:
        cpu.force(isa)
        found.append(tiny.prefill([1, 2, 3, 250, 17], tiny.cache(8), "all").logits)
    assert all(np.array_equal(found[0], other) for other in found)


# ---- the kernels against plain formulas ----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.integers(1, 5), st.integers(1, 11), st.integers(1, 100), st.integers(0, 2**32))
def test_linear(tokens, rows, columns, seed):
    rng = np.random.default_rng(seed)
    x, w = rng.standard_normal((tokens, columns), np.float32), rng.standard_normal((rows, columns), np.float32)
    out = transformer.linear(x, w)
    assert np.allclose(out, x.astype(np.float64) @ w.T.astype(np.float64), atol=1e-4)
    wide = np.full((tokens, rows + 3), np.nan, np.float32)
    transformer.linear(x, w, wide, 2)
    assert np.array_equal(wide[:, 2 : 2 + rows], out) and np.isnan(wide[:, [0, 1, -1]]).all()
    for t in range(tokens):
        assert np.array_equal(transformer.linear(x[t : t + 1], w[-1:])[0], out[t, -1:])


@pytest.mark.parametrize("encoding", ["Q8_0", "Q4_0", "Q4_1", "Q5_0", "F16", "F32"])
def test_linear_of_blocks_is_linear_of_decoded_blocks(encoding):
    import gguf

    rng = np.random.default_rng(1)
    x, w = rng.standard_normal((3, 96), np.float32), rng.standard_normal((7, 96), np.float32)
    raw = gguf.quantize(w, gguf.GGMLQuantizationType[encoding]).view(np.uint8).reshape(7, -1)
    decoded = blocks.dequantize(raw.reshape(-1, blocks.sizes(encoding)[1]), encoding).reshape(7, 96)
    assert np.array_equal(transformer.linear_blocks(x, raw, encoding), transformer.linear(x, decoded))


def test_linear_refuses():
    x, w = np.ones((2, 32), np.float32), np.ones((3, 32), np.float32)
    with pytest.raises(LengthError, match="w has shape"):
        transformer.linear(x, w[:, :31])
    with pytest.raises(DtypeError, match="x = 'float64'"):
        transformer.linear(x.astype(np.float64), w)
    with pytest.raises(RangeError, match="first = 1"):
        transformer.linear(x, w, np.empty((2, 3), np.float32), 1)
    raw = np.zeros((3, 34), np.uint8)
    raw[1, :2] = 0xFF
    with pytest.raises(NonFiniteError, match=re.escape("blocks[1]")):
        transformer.linear_blocks(x, raw, "Q8_0")


@settings(max_examples=25)
@given(st.integers(1, 4), st.integers(0, 40), st.integers(0, 2**32))
def test_attention(tokens, past, seed):
    rng = np.random.default_rng(seed)
    heads, groups, width = 4, 2, 16
    q = 3 * rng.standard_normal((tokens, heads, width), np.float32)
    k, v = rng.standard_normal((2, past + tokens, groups, width), np.float32)
    out = transformer.attention(q, k, v, 0.5)
    for t in range(tokens):
        for h in range(heads):
            s = (k[: past + t + 1, h // 2].astype(np.float64) @ q[t, h]) * 0.5
            p = np.exp(s - s.max())
            assert np.allclose(out[t, h], p / p.sum() @ v[: past + t + 1, h // 2].astype(np.float64), atol=2e-6)


@settings(max_examples=30)
@given(st.integers(1, 70), st.integers(0, 2**32))
def test_swiglu_and_norm(columns, seed):
    rng = np.random.default_rng(seed)
    gate, up = 20 * rng.standard_normal((2, 2, columns), np.float32)
    wide = gate.astype(np.float64)
    assert np.allclose(transformer.swiglu(gate, up), wide / (1 + np.exp(-wide)) * up, rtol=1e-5, atol=1e-5)
    weight = rng.standard_normal(columns, np.float32)
    assert np.allclose(transformer.rms_norm(gate, weight, 1e-5), wide / np.sqrt((wide**2).mean(axis=1, keepdims=True) + 1e-5) * weight, rtol=1e-5, atol=1e-6)


def test_rope_turns_pairs():
    x = np.random.default_rng(0).standard_normal((3, 2, 16), np.float32)
    angles = np.random.default_rng(1).uniform(0, 6, (3, 8))
    turned = transformer.rope(x.copy(), np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32))
    pairs = (x[..., ::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)[:, None, :]
    assert np.allclose(turned[..., ::2] + 1j * turned[..., 1::2], pairs, atol=1e-5)


# ---- the interface -------------------------------------------------------------------------------------------------------


def test_the_hook_sees_what_every_matrix_multiplies(tiny):
    seen = {}
    step = tiny.prefill([3, 4, 5], tiny.cache(8), hook=lambda name, x: seen.setdefault(name, x.copy()))
    assert set(seen) == {
        f"blk.{i}.{name}.weight" for i in range(2) for name in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
    } | {"blk.0", "blk.1", "token_embd.weight"}
    assert all(x.shape == (3, tiny.weights[name].columns) for name, x in seen.items() if name.startswith("blk") and name.endswith("weight"))
    assert np.array_equal(seen["token_embd.weight"], step.hidden[-1:])


def test_a_product_can_be_replaced(tiny):
    class Nothing:
        nbytes = 0

        def __call__(self, x):
            return np.zeros((len(x), 64), np.float32)

    before = tiny.prefill([3, 4], tiny.cache(8)).logits
    tiny.products["blk.1.ffn_down.weight"] = Nothing()
    assert not np.array_equal(before, tiny.prefill([3, 4], tiny.cache(8)).logits)


def test_wrong_calls(tiny, smollm2):
    cache = tiny.cache(4)
    with pytest.raises(RangeError, match=re.escape("tokens[1] = 260")):
        tiny.prefill([1, 260], cache)
    with pytest.raises(EmptyError):
        tiny.prefill([], cache)
    with pytest.raises(DtypeError):
        tiny.prefill([1.5], cache)
    with pytest.raises(RangeError, match="logits = 'some'"):
        tiny.prefill([1], cache, "some")
    tiny.prefill([1, 2, 3], cache)
    with pytest.raises(RangeError, match="3 of 4 positions"):
        tiny.prefill([1, 2], cache)
    with pytest.raises(RangeError, match="length = 4"):
        cache.truncate(4)
    with pytest.raises(RangeError, match="capacity = 65"):
        tiny.cache(65)
    with pytest.raises(RangeError, match="no such matrix"):
        tiny.with_weights({"blk.9.attn_q.weight": tiny.weights["blk.0.attn_q.weight"]})
    with pytest.raises(RangeError, match="has the shape"):
        tiny.with_weights({"blk.0.attn_q.weight": smollm2.weights["blk.0.attn_q.weight"]})
    with pytest.raises(LengthError, match="whole blocks"):
        Weight("w", "Q8_0", np.zeros((2, 33), np.uint8), 32)


def test_numbers_that_leave_the_finite_ones_are_an_error(tiny):
    tiny.norms["blk.0.attn_norm.weight"] = np.full(64, 1e38, np.float32)
    cache = tiny.cache(4)
    with np.errstate(all="ignore"), pytest.raises(NonFiniteError, match="hidden"):
        tiny.prefill([1, 2], cache)
    assert cache.length == 0


@pytest.mark.parametrize(
    "changed, architecture, message",
    [
        ({"block_count": 3}, "llama", "no tensor named 'blk.2"),
        ({"block_count": None}, "llama", "lack llama.block_count"),
        ({"block_count": 1}, "llama", "has no place"),
        ({"embedding_length": 96}, "llama", "are not supported"),
        ({"feed_forward_length": 64}, "llama", "has the shape [96, 64], expected [64, 64]"),
        ({"context_length": 0}, "llama", "is not a size"),
        ({}, "gpt2", "only llama, qwen2"),
    ],
)
def test_a_file_that_does_not_fit(tmp_path, changed, architecture, message):
    path = tiny_llama.write(tmp_path / "m.gguf", tiny_llama.tensors(), changed, architecture)
    with pytest.raises(ModelError, match=re.escape(message)):
        Model.load(str(path))


def test_a_scale_that_is_not_finite_is_named(tmp_path):
    weights = tiny_llama.tensors()
    raw = np.zeros((64, 68), np.uint8)
    raw[5, :2] = 0xFF
    weights["blk.1.attn_q.weight"] = (raw, "Q8_0")
    model = Model.load(str(tiny_llama.write(tmp_path / "m.gguf", weights)))
    with pytest.raises(ModelError, match="row 5 is not a finite number"):
        model.prefill([1], model.cache(4))
    with pytest.raises(ModelError, match="row 5"):
        model.weights["blk.1.attn_q.weight"].decoded()


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_text_comes_back_from_tokens(smollm2_tokenizer, text):
    known = set(smollm2_tokenizer.tokens)
    spelled = all(tiny_llama.alphabet()[1 + byte] in known for byte in text.encode())  # the vocabulary lacks some bytes
    assert (smollm2_tokenizer.decode(smollm2_tokenizer.encode(text)) == text) == spelled


@pytest.fixture(scope="module")
def smollm2_tokenizer(smollm2):
    return smollm2.tokenizer


def test_passages_are_those_of_the_seed(smollm2):
    text = corpus.Text.of([("a", "one two three four five " * 20), ("b", "six seven " * 30)])
    first, again, other = (list(corpus.passages(text, smollm2.tokenizer, 16, np.random.default_rng(seed))) for seed in (1, 1, 2))
    assert first == again != other and sorted(map(tuple, first)) == sorted(map(tuple, other))
    assert text.sha256 != corpus.Text.of([("a", "one")]).sha256
    with pytest.raises(EmptyError):
        corpus.Text.of([("a", " \n")])
    assert len(corpus.installed().documents) > 10

"""Tokenizers: the tokens of awkward strings against those recorded from llama.cpp, text back from tokens, and files that do not fit."""

from __future__ import annotations

import json
import re
from pathlib import Path

import live_llama
import numpy as np
import pytest
import tiny_vocabularies as vocabularies
from hypothesis import given, settings
from hypothesis import strategies as st

from gnosis.errors import RangeError
from gnosis.lm import Tokenizer, metadata
from gnosis.models.files import ModelError, open_model

RECORDED = json.loads(Path(__file__).with_name("recorded_tokens.json").read_text(encoding="utf-8"))


def as_read(values):
    """The metadata as they come from a file."""
    kinds = {"tokenizer.ggml.token_type": np.int32, "tokenizer.ggml.scores": np.float32}
    return {key: np.array(value, kinds[key]) if key in kinds else value for key, value in values.items()}


TOKENIZERS = {name: Tokenizer(as_read(values)) for name, values in vocabularies.VOCABULARIES.items()}


@pytest.mark.parametrize("name", vocabularies.VOCABULARIES)
def test_tokens_are_those_of_llama_cpp(name, tmp_path):
    tokenizer = Tokenizer(metadata.read(open_model(str(vocabularies.write(tmp_path / "v.gguf", name)))))
    for text, recorded in zip(vocabularies.STRINGS, RECORDED[name], strict=True):
        assert tokenizer.encode(text, whole=True) == recorded, text


def test_the_vocabularies_tell_the_kinds_apart():
    assert len({json.dumps(recorded) for recorded in RECORDED.values()}) == len(RECORDED)


@pytest.mark.skipif(not live_llama.installed(), reason=f"llama-cpp-python {live_llama.VERSION} is not installed; the recorded answers are compared")
@pytest.mark.parametrize("name", vocabularies.VOCABULARIES)
def test_llama_cpp_still_says_so(name, tmp_path):
    model = live_llama.Llama(vocabularies.write(tmp_path / "v.gguf", name), vocabulary_only=True)
    assert [model.tokenize(text, beginning=True) for text in vocabularies.STRINGS] == RECORDED[name]


@settings(max_examples=60, deadline=None)
@given(st.text(st.characters(exclude_characters="▁", exclude_categories=["Cs"]), max_size=40))
def test_text_comes_back(text):
    for name in ("gpt-2", "llama-bpe", "qwen2", "tekken", "pieces", "pieces-without-space"):
        assert TOKENIZERS[name].decode(TOKENIZERS[name].encode(text)) == text


def test_the_added_space_belongs_to_the_beginning_alone():
    tokenizer = TOKENIZERS["pieces"]
    ids = tokenizer.encode("the cat")
    assert tokenizer.decode(ids) == "the cat" and tokenizer.decode(ids, start=False) == " the cat"
    assert tokenizer.decode([1, *ids]) == "<s> the cat"


@pytest.mark.parametrize(
    "template, before, after",
    [
        ("{{'<|im_start|>' + role}}", "<|im_start|>user\n", "<|im_end|>\n<|im_start|>assistant\n"),
        ("<start_of_turn>", "<start_of_turn>user\n", "<end_of_turn>\n<start_of_turn>model\n"),
        ("<|start_header_id|>", "<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n"),
        ("[INST] {{content}} [/INST]", "[INST] ", " [/INST]"),
        (None, "", ""),
        ("{{content}}", "", ""),
    ],
)
def test_the_form_of_a_chat(template, before, after):
    values = as_read(vocabularies.VOCABULARIES["llama-bpe"]) | {"tokenizer.chat_template": template}
    tokenizer = Tokenizer({key: value for key, value in values.items() if value is not None})
    assert tokenizer.chat("the cat") == [0, *tokenizer.encode(before + "the cat" + after)]


def test_every_token_that_ends_an_answer():
    values = as_read(vocabularies.VOCABULARIES["gpt-2"])
    last = len(values["tokenizer.ggml.tokens"]) - 1
    assert Tokenizer(values).ends == {0} and Tokenizer(values | {"tokenizer.ggml.eot_token_id": last}).ends == {0, last}
    assert Tokenizer(as_read(vocabularies.VOCABULARIES["pieces"]) | {"tokenizer.chat_template": "[INST]"}).ends == {2}


SPARE = {name: as_read(vocabularies.VOCABULARIES[name]) for name in ("llama-bpe", "pieces")}
N = len(SPARE["pieces"]["tokenizer.ggml.tokens"])


@pytest.mark.parametrize(
    "name, changed, message",
    [
        ("llama-bpe", {"model": "rwkv"}, "tokenizer.ggml.model 'rwkv' is not supported, only 'gpt2' and 'llama'"),
        ("llama-bpe", {"model": None}, "model None is not supported"),
        ("llama-bpe", {"pre": "deepseek-v3"}, "'deepseek-v3' of tokenizer.ggml.model 'gpt2' is not supported, only gpt-2, smollm"),
        ("llama-bpe", {"merges": None}, "merges is missing"),
        ("llama-bpe", {"merges": ["q~ ~q"]}, "merges does not fit"),
        ("llama-bpe", {"merges": ["a"]}, "merges does not fit"),
        ("llama-bpe", {"bos_token_id": None}, "bos_token_id is missing"),
        ("llama-bpe", {"bos_token_id": 10**6}, "bos_token_id = 1000000 is none of"),
        ("llama-bpe", {"eot_token_id": -1}, "eot_token_id = -1"),
        ("llama-bpe", {"add_bos_token": 1}, "add_bos_token = 1 is not a truth"),
        ("llama-bpe", {"token_type": np.zeros(3, np.int32)}, "token_type is not a list of"),
        ("llama-bpe", {"token_type": "normal"}, "token_type is not a list of"),
        ("llama-bpe", {"tokens": ["a", 3]}, "tokens is not a list of strings"),
        ("pieces", {"tokens": None}, "tokens is missing"),
        ("pieces", {"scores": None}, "scores is missing"),
        ("pieces", {"scores": np.zeros(3, np.float32)}, f"scores is not a list of {N} numbers"),
        ("pieces", {"scores": np.full(N, np.nan, np.float32)}, "nan is not a finite number"),
        ("pieces", {"tokens": ["x"] * N}, "lack the byte <0x00>"),
        ("pieces", {"token_type": np.full(N, 6, np.int32)}, "and no byte as its type says"),
        ("pieces", {"add_eos_token": True, "eos_token_id": 10**6}, "eos_token_id = 1000000"),
        ("pieces", {"add_space_prefix": "yes"}, "add_space_prefix = 'yes'"),
    ],
)
def test_files_that_do_not_fit(name, changed, message):
    values = SPARE[name] | {f"tokenizer.ggml.{key}": value for key, value in changed.items()}
    with pytest.raises(ModelError, match=re.escape(message)):
        Tokenizer({key: value for key, value in values.items() if value is not None})


@pytest.mark.parametrize("name", ["llama-bpe", "pieces"])
def test_wrong_calls(name):
    with pytest.raises(RangeError, match="not Unicode"):
        TOKENIZERS[name].encode("\ud800")
    with pytest.raises(RangeError, match=re.escape("tokens[1] = 100000")):
        TOKENIZERS[name].decode([3, 100000])

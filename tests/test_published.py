"""Models as they are published: safetensors with config.json and tokenizer.json run as the GGUF file of the same weights does, bit for bit."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import tiny_models
from safetensors.numpy import save_file
from test_compare import as_published
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.lm import Model, published
from gnosis.models.files import ModelError, open_model

TYPES = {"llama": "llama", "llama-2": "llama", "llama-3": "llama", "mistral": "mistral", "linear": "llama", "qwen2": "qwen2", "qwen3": "qwen3"}
SCALED = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}


def config(name: str) -> dict:
    k = tiny_models.keys(name)
    out = {
        "model_type": TYPES[name],
        "num_hidden_layers": k["block_count"],
        "hidden_size": k["embedding_length"],
        "intermediate_size": k["feed_forward_length"],
        "num_attention_heads": k["attention.head_count"],
        "num_key_value_heads": k["attention.head_count_kv"],
        "max_position_embeddings": k["context_length"],
        "vocab_size": k["vocab_size"],
        "rms_norm_eps": 1e-5,
        "rope_theta": k.get("rope.freq_base", 10000.0),
        "hidden_act": "silu",
    }
    if "attention.key_length" in k:
        out["head_dim"] = k["attention.key_length"]
    if name == "linear":
        out["rope_scaling"] = {"type": "linear", "factor": 4.0}
    return out


def folder(path: Path, name: str, **changed: object) -> Path:
    path.mkdir(exist_ok=True)
    tensors = {key: value for key, value in as_published(name).items() if "rope_freqs" not in key}
    save_file(tensors, path / "model.safetensors")
    (path / "config.json").write_text(json.dumps({key: value for key, value in {**config(name), **changed}.items() if value is not None}))
    return path


@pytest.mark.parametrize("name", [n for n in TYPES if n != "llama-3"])
def test_it_is_the_model_of_the_gguf_file(tmp_path: Path, name: str) -> None:
    tiny_models.write(tmp_path / "m.gguf", name)
    one, two = published.model_of(open_model(str(folder(tmp_path / "hf", name)))), Model.load(str(tmp_path / "m.gguf"))
    ids = tiny_models.text(name)
    first, second = (model.prefill(ids, model.cache(len(ids)), "all").logits for model in (one, two))
    assert np.array_equal(first, second) and one.config == two.config


def test_factors_of_frequencies_are_those_of_llama(tmp_path: Path) -> None:
    """The published formula, worked out apart for every frequency."""
    found = published.model_of(open_model(str(folder(tmp_path / "hf", "llama-2", rope_scaling=SCALED)))).norms["rope_freqs.weight"]
    for i, factor in enumerate(found.tolist()):
        wave = 2 * np.pi * 10000.0 ** (2 * i / 16)
        smooth = (8192 / wave - 1) / 3
        wanted = 1 if wave < 8192 / 4 else 8 if wave > 8192 else 1 / ((1 - smooth) / 8 + smooth)
        assert np.isclose(factor, wanted, rtol=1e-6)
    assert found.min() == 1 < found.max()


def tokenizer(path: Path) -> None:
    """A byte-level vocabulary of 260 tokens with a mark before each text."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors

    tokens = tiny_models.byte_level()["tokenizer.ggml.tokens"]
    made = Tokenizer(models.BPE(vocab={token: i for i, token in enumerate(tokens)}, merges=[("t", "h"), ("h", "e")]))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    made.post_processor = processors.TemplateProcessing(single=f"{tokens[0]} $A", special_tokens=[(tokens[0], 0)])
    made.save(str(path))


def test_text_is_cut_by_the_folders_own_tokenizer(tmp_path: Path) -> None:
    where = folder(tmp_path / "hf", "llama")
    tokenizer(where / "tokenizer.json")
    model = published.model_of(open_model(str(where)))
    assert model.tokenizer.opening() == [0] and model.tokenizer.decode(model.tokenizer.encode("the other")) == "the other"
    assert model.tokenizer.encode("the", whole=True) == [0, *model.tokenizer.encode("the")]
    assert model.metadata["tokenizer.ggml.tokens"] == tiny_models.byte_level()["tokenizer.ggml.tokens"]


def test_compare_has_outputs_of_folders(tmp_path: Path) -> None:
    where = folder(tmp_path / "hf", "llama")
    tokenizer(where / "tokenizer.json")
    every = tiny_models.tensors("llama")
    for kind in ("F32", "Q4_0"):
        tiny_models.write(tmp_path / f"{kind}.gguf", "llama", weights=every, kind=kind)
    (tmp_path / "text.txt").write_text("the thing that the other thinks " * 8)

    def outputs(*words: str) -> dict:
        done = CliRunner().invoke(app, ["compare", *words, "--text", str(tmp_path / "text.txt"), "--length", "20", "--activations", "9", "--json"])
        assert done.exit_code == 0, done.output
        return json.loads(done.stdout)

    files = [str(tmp_path / f"{kind}.gguf") for kind in ("F32", "Q4_0")]
    mixed, both = outputs(str(where), files[1]), outputs(str(where), str(where))
    assert mixed["outputs"]["differing_settings"] == [] and mixed["outputs"]["candidates"][0]["figures"]["flips"]["changed"] > 0
    assert both["outputs"]["candidates"][0]["figures"]["kl"]["largest"] == 0
    for document in (mixed, both, outputs(files[0], str(where))):
        asked = [t["name"] for t in document["candidates"][0]["weights"]["tensors"] if t["gates"]]
        assert len(asked) == 15, "seven matrices in each layer, and the head"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"model_type": "gpt2"}, "model_type is 'gpt2'"),
        ({"model_type": ["llama"]}, "model_type is"),
        ({"hidden_act": "gelu"}, "hidden_act = 'gelu'"),
        ({"num_attention_heads": 3}, "config.json.*heads"),
        ({"num_hidden_layers": 3}, "no tensor for 'blk.2"),
        ({"num_hidden_layers": 1}, "'model.layers.1"),
        ({"num_hidden_layers": "x"}, "block_count = 'x'"),
        ({"rope_scaling": {"type": "yarn"}}, "'yarn'"),
        ({"rope_scaling": "x"}, "rope_scaling = 'x'"),
        ({"rope_scaling": {**SCALED, "factor": 0}}, "not usable"),
        ({"rope_theta": "x"}, "rope_theta = 'x'"),
        ({"quantization_config": {}}, "quantization_config"),
        ({"intermediate_size": 97}, "has the shape"),
        ({"vocab_size": 10}, "embed_tokens.*has the shape"),
        ({"rms_norm_eps": None}, "layer_norm_rms_epsilon"),
    ],
)
def test_what_is_not_supported_is_named(tmp_path: Path, changed: dict, said: str) -> None:
    with pytest.raises(ModelError, match=said) as error:
        published.model_of(open_model(str(folder(tmp_path / "hf", "llama", **changed))))
    assert "hf" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["", "x", "[]", "{}", "\0"])
def test_files_that_are_none(tmp_path: Path, text: str) -> None:
    where = folder(tmp_path / "hf", "llama")
    (where / "tokenizer.json").write_text(text)
    with pytest.raises(ModelError, match=r"tokenizer.json"):
        published.model_of(open_model(str(where))).tokenizer.encode("x")
    (where / "config.json").write_text(text)
    with pytest.raises(ModelError, match=r"config.json"):
        published.model_of(open_model(str(where)))
    (where / "config.json").unlink()
    with pytest.raises(ModelError, match=r"config.json.*beside it"):
        published.model_of(open_model(str(where)))

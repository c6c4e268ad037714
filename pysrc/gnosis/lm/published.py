"""A language model as it is published: a folder with safetensors, config.json and tokenizer.json, made ready to run under the names of GGUF.

What config.json asks for is said in the metadata of GGUF and then checked as for a file of that kind (`config.read_config`): what is not supported is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core import blocks
from ..errors import ArgumentError
from ..files.grammar import json_object
from ..files.inputs import quoted, read_text, shown
from ..models.files import Model as File
from ..models.files import ModelError, at_hand
from .config import FREQUENCIES, Config, read_config, shapes
from .model import Arithmetic, Model
from .tokenizer import Numbers, Tokenizer, UnsupportedTokenizer, _library
from .weights import Weight

ARCHITECTURES = {"llama": "llama", "mistral": "llama", "qwen2": "qwen2", "qwen3": "qwen3", "gemma3_text": "gemma3"}  # model_type → that of GGUF
WITHOUT = "rotary_emb.inv_freq"  # made from the settings
# key of config.json → key of GGUF below the architecture's name
KEYS = {
    "num_hidden_layers": "block_count",
    "hidden_size": "embedding_length",
    "intermediate_size": "feed_forward_length",
    "num_attention_heads": "attention.head_count",
    "num_key_value_heads": "attention.head_count_kv",
    "max_position_embeddings": "context_length",
    "vocab_size": "vocab_size",
    "rms_norm_eps": "attention.layer_norm_rms_epsilon",
}
# keys whose other values ask for what is not written here
NEUTRAL: dict[str, tuple[Any, ...]] = {
    "hidden_act": ("silu", None),
    "mlp_bias": (False,),
    "use_sliding_window": (False,),
    "final_logit_softcapping": (None,),
    "attn_logit_softcapping": (None,),
    "partial_rotary_factor": (1, None),
}


def name_map(architecture: Any, layers: Any) -> Any:
    """What the package `gguf` knows about names of an architecture; None for one that it does not know."""
    import gguf

    kinds = [kind for kind, name in gguf.MODEL_ARCH_NAMES.items() if name == architecture]
    return gguf.get_tensor_name_map(kinds[0], layers) if kinds and isinstance(layers, int) and 0 < layers < 10_000 else None


def turned_order(rows: int, heads: int) -> np.ndarray:
    """int64[rows]: which published row of queries or keys each one of a `llama` file is: there the pairs of a head lie side by side."""
    return np.arange(rows).reshape(heads, 2, -1).swapaxes(1, 2).reshape(-1)


def model_of(file: File, arithmetic: Arithmetic = "ordered", threads: int = 1) -> Model:
    """The model of open safetensors with config.json beside them; text needs tokenizer.json beside them as well.

    ModelError for what is missing, contradicts itself or is not supported, naming file and value.
    """
    file = at_hand(file)
    folder = file.here.parent
    fields = _object(folder / "config.json")
    metadata, factors = keys_of(folder / "config.json", fields)
    architecture = metadata["general.architecture"]
    mapped = name_map(architecture, metadata.get(f"{architecture}.block_count"))
    names: dict[str, str] = {}
    for name in file.tensors:
        own = (mapped.get_name(name, try_suffixes=(".weight", ".bias")) if mapped is not None else None) or name
        if name.endswith(WITHOUT):
            continue
        if own in names:
            raise ModelError(f"{file.path}: tensors {quoted(names[own])} and {quoted(name)} are both {quoted(own)}")
        names[own] = name
    config = read_config(str(folder / "config.json"), metadata, names)
    if factors is not None:
        config = replace(config, factors=True)
    wanted = shapes(config)
    wanted.pop(FREQUENCIES, None)
    if "output.weight" in names:
        wanted["output.weight"] = wanted["token_embd.weight"]
    missing, unknown = sorted(set(wanted) - set(names)), sorted(set(names) - set(wanted))
    if missing or unknown:
        raise ModelError(
            f"{file.path}: there is no tensor for {quoted(missing[0])}"
            if missing
            else f"{file.path}: tensor {quoted(names[unknown[0]])} has no place in a {config.architecture} model as it is supported ({len(unknown)} such)"
        )
    weights, norms = {}, {}
    for own, shape in wanted.items():
        info = file.info(names[own])
        if info.shape != shape:
            raise ModelError(f"{file.path}: tensor {quoted(names[own])} has the shape {list(info.shape)}, expected {list(shape)}")
        order = _order(own, shape[0], config)
        if len(shape) == 1:
            values = file.all_rows(names[own])[0]
            norms[own] = (values if order is None else values[order]) + np.float32(1 if config.post_norms and own.endswith("norm.weight") else 0)
        else:
            weights[own] = _weight(file, names[own], own, order)
    if factors is not None:
        norms[FREQUENCIES] = factors
    model = Model(config, weights, norms, metadata, arithmetic, threads)
    model.tokenizer = _tokenizer(folder / "tokenizer.json", metadata, config.vocabulary)
    return model


def keys_of(path: Path, fields: dict[str, Any]) -> tuple[dict[str, Any], np.ndarray | None]:
    """The metadata of GGUF that say what config.json says, and the factors of its frequencies where it has some.  ModelError for what is not supported."""
    kind = fields.get("model_type")
    architecture = ARCHITECTURES.get(kind) if isinstance(kind, str) else None
    if architecture is None:
        raise ModelError(f"{path}: model_type is {shown(repr(kind))}; only {', '.join(ARCHITECTURES)} are read from safetensors")
    for key, neutral in NEUTRAL.items():
        if key in fields and fields[key] not in neutral and not (architecture == "gemma3" and key == "hidden_act"):
            raise ModelError(f"{path}: {key} = {shown(repr(fields[key]))} is not supported")
    if "quantization_config" in fields:
        raise ModelError(f"{path}: a model with quantization_config is not run from safetensors")
    own: dict[str, Any] = {key: fields[name] for name, key in KEYS.items() if fields.get(name) is not None}
    if "rms_norm_eps" in fields:
        own["attention.layer_norm_rms_epsilon"] = _number(path, fields, "rms_norm_eps", 0.0)
    head = fields.get("head_dim")
    if head is not None:
        own |= {"attention.key_length": head, "attention.value_length": head, "rope.dimension_count": head}
    window = fields.get("sliding_window")
    if isinstance(window, int) and fields.get("use_sliding_window") is not False:
        own["attention.sliding_window"] = window
    if architecture == "gemma3" and isinstance(fields.get("layer_types"), list):
        own["attention.sliding_window_pattern"] = np.array([kind == "sliding_attention" for kind in fields["layer_types"]])
        own["rope.freq_base_swa"] = _number(path, fields, "rope_local_base_freq", 10000.0)
    turns = fields.get("rope_parameters") or fields.get("rope_scaling") or {}
    if not isinstance(turns, dict):
        raise ModelError(f"{path}: rope_scaling = {shown(repr(turns))} is not supported")
    own["rope.freq_base"] = _number(path, {**fields, **({"rope_theta": turns["rope_theta"]} if "rope_theta" in turns else {})}, "rope_theta", 10000.0)
    factors = None
    scaling = turns.get("rope_type", turns.get("type", "default"))
    if scaling == "linear":
        own |= {"rope.scaling.type": "linear", "rope.scaling.factor": _number(path, turns, "factor", 1.0)}
    elif scaling == "llama3":
        width = head or (fields.get("hidden_size", 0) // max(1, fields.get("num_attention_heads", 1)))
        factors = _llama3(path, turns, int(width), own["rope.freq_base"])
    elif scaling not in ("default", None):
        raise ModelError(f"{path}: rope_scaling of type {shown(repr(scaling))} is not supported, only 'default', 'linear' and 'llama3'")
    return {"general.architecture": architecture, **{f"{architecture}.{key}": value for key, value in own.items()}}, factors


def _number(path: Path, fields: dict[str, Any], key: str, default: float) -> float:
    value = fields.get(key, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1e38:
        raise ModelError(f"{path}: {key} = {shown(repr(value))} is not a finite number")
    return float(np.float32(value))  # as GGUF has it


def _llama3(path: Path, turns: dict[str, Any], width: int, base: float) -> np.ndarray:
    """float32[width / 2]: what the frequencies of Llama 3.1 are divided by, as llama.cpp writes it into `rope_freqs.weight`."""
    factor, least, most = (_number(path, turns, key, default) for key, default in (("factor", 8.0), ("low_freq_factor", 1.0), ("high_freq_factor", 4.0)))
    old = _number(path, turns, "original_max_position_embeddings", 8192.0)
    if not (factor > 0 and 0 < least < most and old > 0 and base > 0 and width > 0):
        raise ModelError(f"{path}: rope_scaling = {shown(repr(turns))} is not usable")
    waves = 2 * np.pi * base ** (np.arange(0, width, 2) / width)
    smooth = (old / waves - least) / (most - least)
    between = 1 / ((1 - smooth) / factor + smooth)
    return np.where(waves < old / most, 1.0, np.where(waves > old / least, factor, between)).astype(np.float32)


def _order(own: str, rows: int, c: Config) -> np.ndarray | None:
    part = own.split(".")[-2]
    if c.architecture != "llama" or part not in ("attn_q", "attn_k"):
        return None
    return turned_order(rows, c.heads if part == "attn_q" else c.groups)


def _weight(file: File, name: str, own: str, order: np.ndarray | None) -> Weight:
    """As it is stored where the kernels know that, in float32 else."""
    info = file.info(name)
    if info.encoding in blocks.ENCODINGS:
        raw = file.raw(name)
        return Weight(own, info.encoding, raw if order is None else np.ascontiguousarray(raw[order]), info.columns)
    values = file.rows(name, np.arange(info.rows) if order is None else order)
    return Weight(own, "F32", np.ascontiguousarray(values, "<f4").view(np.uint8), info.columns)


def _object(path: Path) -> dict[str, Any]:
    try:
        return json_object(read_text(path, "config"), "config", None, own=False)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or error}; a model in safetensors is run with the config.json beside it") from None
    except ArgumentError as error:
        raise ModelError(f"{path}: {error.problem}") from None


class Published(Tokenizer):
    """The tokenizer of tokenizer.json, by the library `tokenizers` as it is."""

    def __init__(self, library: Any, vocabulary: int) -> None:
        self._own = library
        known = {number: token for token, number in library.get_vocab().items()}
        self.tokens = [known.get(i, f"[PAD{i}]") for i in range(vocabulary)]  # as llama.cpp names what the vocabulary leaves open
        whole, alone = (list(library.encode("a", add_special_tokens=special).ids) for special in (True, False))
        at = next((i for i in range(len(whole)) if whole[i : i + len(alone)] == alone), 0)
        self._opening, self._closing = whole[:at], whole[at + len(alone) :]
        self.begin, self.end = (self._opening or [None])[-1], (self._closing or [None])[0]
        self.adds_begin, self.adds_end = bool(self._opening), bool(self._closing)
        self.ends, self.form = frozenset(self._closing), None

    def opening(self) -> list[int]:
        """The marks that a text begins with, where the file wants some."""
        return list(self._opening)

    def encode(self, text: str, whole: bool = False) -> list[int]:
        """Token numbers of a text; whole: with the file's marks."""
        return list(self._own.encode(text, add_special_tokens=whole).ids)

    def decode(self, tokens: Sequence[int], start: bool = True) -> str:
        """The text of tokens."""
        return str(self._own.decode(list(tokens), skip_special_tokens=False))


def _tokenizer(path: Path, metadata: dict[str, Any], vocabulary: int) -> Tokenizer:
    """That of the file, with its tokens put into the metadata; `Numbers` where there is none, which says so."""
    try:
        text = read_text(path, "tokenizer")
    except (OSError, ArgumentError) as error:
        problem = getattr(error, "strerror", None) or getattr(error, "problem", error)
        return Numbers(metadata, UnsupportedTokenizer(f"{path}: {problem}; --tokens takes numbers instead of text"))
    try:
        library = _library().Tokenizer.from_str(text)
    except UnsupportedTokenizer as error:
        return Numbers(metadata, error)
    except Exception as error:  # the library raises nothing more special
        raise ModelError(f"{path}: {shown(error)}") from None
    library.no_padding()
    library.no_truncation()
    found = Published(library, vocabulary)
    metadata["tokenizer.ggml.tokens"] = found.tokens
    return found

"""Two files of one model: which tensor of the one is which of the other.

Between files of one kind names are the same.  GGUF has names of its own; the package `gguf` knows them (its map of tensor names).  Two things
differ beside names: in files of the architecture llama the rows of queries and keys lie in another order (pairs of a head side by side), and norms of
gemma are stored with 1 added.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..files.inputs import quoted
from ..lm import metadata as gguf_metadata
from ..lm.published import name_map, turned_order
from ..models.decode import can_decode
from ..models.files import Model as File
from ..models.files import ModelError, TensorInfo

PERMUTED = ("llama",)  # architectures whose files have queries and keys with the pairs of a head side by side
ADDED = ("gemma", "gemma2", "gemma3")  # whose norms are stored with 1 added
WITHOUT = ("rope_freqs.weight", "rotary_emb.inv_freq")  # made from the settings of a model, in one kind of file only
EMBEDDING, HEAD = "token_embd.weight", "output.weight"
EMBEDDINGS = {HEAD: EMBEDDING, "lm_head.weight": "model.embed_tokens.weight"}  # what stands for a head that is not there


@dataclass(frozen=True)
class Side:
    """A tensor in one of the files.

    order: int64[rows], which of its own rows (of a vector: entries) each one is, None where nothing is moved.  added: what is added to its values, as the other
    file has it.
    """

    file: File
    name: str
    order: np.ndarray | None = None
    added: float = 0.0

    @property
    def info(self) -> TensorInfo:
        return self.file.info(self.name)

    def rows(self, first: int, last: int) -> np.ndarray:
        """Decoded rows, float32[n, columns].  ModelError naming the place of a weight that is not finite."""
        return self.picked(np.arange(first, last))

    def picked(self, rows: np.ndarray) -> np.ndarray:
        """`rows` of chosen rows, int64[n], counted as the original counts them."""
        vector = len(self.info.shape) == 1
        values = self.file.rows(self.name, rows if self.order is None or vector else self.order[rows])
        if vector and self.order is not None:
            values = values[:, self.order]
        return values + np.float32(self.added) if self.added else values


@dataclass(frozen=True)
class Pair:
    """A tensor of the original and what the quantized file has of it.  name: that of the original."""

    name: str
    original: Side
    quantized: Side


@dataclass
class Pairs:
    """All of them, in the original's order.  left_out: tensors that are in one file only or hold no weights, with the reason."""

    pairs: list[Pair]
    left_out: list[tuple[str, str]] = field(default_factory=list)


def paired(original: File, quantized: File) -> Pairs:
    """The tensors of two files of one model.

    ModelError naming both files for a tensor that only one of them has, for shapes that differ, and for two files without a tensor in common.
    """
    first, second = _named(original, quantized), _named(quantized, original)
    found = Pairs([])
    for name in [*first, *(name for name in second if name not in first)]:
        sides = [side for side in (first.get(name), second.get(name)) if side is not None]
        if len(sides) == 1:
            owner, other, names = (original, quantized, second) if name in first else (quantized, original, first)
            tied = names.get(EMBEDDINGS.get(name, ""))
            if any(name.endswith(without) for without in WITHOUT):
                found.left_out.append((sides[0].name, f"only in {owner.path}: it is made from the model's settings"))
                continue
            if tied is None:
                raise ModelError(
                    f"{owner.path}: tensor {quoted(sides[0].name)} has no counterpart in {other.path}"
                    + ("" if sides[0].name == name else f", where its name would be {quoted(name)}")
                )
            sides = [sides[0], tied] if name in first else [tied, sides[0]]
        one, two = sides
        if one.info.shape != two.info.shape:
            raise ModelError(
                f"{original.path}: tensor {quoted(one.name)} has the shape {list(one.info.shape)}, and {quantized.path} has {quoted(two.name)} of {list(two.info.shape)}"
            )
        unread = next((side for side in sides if not can_decode(side.info.encoding)), None)
        if unread is not None:
            found.left_out.append((one.name, f"{unread.info.encoding} in {unread.file.path} is not read as weights"))
            continue
        found.pairs.append(Pair(one.name, one, two))
    if not found.pairs:
        raise ModelError(f"{original.path} and {quantized.path} have no tensor of weights in common")
    return found


def _named(file: File, other: File) -> dict[str, Side]:
    """The tensors of a file by the names that both have: those of GGUF where one is a GGUF file and the other is not."""
    if file.format == "gguf" or other.format != "gguf":
        return {name: Side(file, name) for name in file.tensors}
    metadata = gguf_metadata.read(other)
    architecture = metadata.get("general.architecture")
    mapped = name_map(architecture, metadata.get(f"{architecture}.block_count"))
    found: dict[str, Side] = {}
    for name, info in file.tensors.items():
        common = (mapped.get_name(name, try_suffixes=(".weight", ".bias")) if mapped is not None else None) or name
        if common in found:
            raise ModelError(f"{file.path}: tensors {quoted(found[common].name)} and {quoted(name)} are both {quoted(common)} of {other.path}")
        order = _order(file, name, common, info.rows if len(info.shape) > 1 else info.columns, architecture, metadata, other)
        added = 1.0 if architecture in ADDED and common.endswith("norm.weight") else 0.0
        found[common] = Side(file, name, order, added)
    return found


def _order(file: File, name: str, common: str, rows: int, architecture: Any, metadata: dict[str, Any], other: File) -> np.ndarray | None:
    """Where the rows of queries and keys lie.  ModelError for heads that do not divide them."""
    part = common.rsplit(".", 2)[-2] if "." in common else ""
    if architecture not in PERMUTED or part not in ("attn_q", "attn_k"):
        return None
    heads = metadata.get(f"{architecture}.attention.head_count")
    if part == "attn_k":
        heads = metadata.get(f"{architecture}.attention.head_count_kv", heads)
    if not isinstance(heads, int) or heads < 1 or rows % (2 * heads):
        raise ModelError(f"{file.path}: tensor {quoted(name)} of {rows} rows does not fit the {heads!r} heads of {other.path}")
    return turned_order(rows, heads)

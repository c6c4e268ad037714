"""Numpy's files, .npy and .npz: headers checked against the file before anything is read through them.

`numpy.load` believes a header and allocates what it claims, and it cannot map the members of an .npz file.  So the headers
are walked here, stored members are mapped where they lie, and compressed ones are unpacked into a temporary file when they
are asked for.  Of `zipfile` only the directory is used: its readers unpack as much as the packed bytes ask for.
"""

from __future__ import annotations

import ast
import bz2
import lzma
import mmap
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from ..files.inputs import opened, quoted, shown
from .headers import Header, LeftOut, ModelError, TensorInfo, refuse_overlap, tensor_info, unusable

MAGIC = b"\x93NUMPY"
MOST_HEADER = 1 << 14  # numpy's own limit is 10,000 characters
MOST_DIRECTORY = 1 << 22  # bytes of an archive's directory
MOST_MEMBERS = 1 << 14
MOST_SLOW = 16  # members whose first byte is not to be had without unpacking far more
MOST_RATIO = 64  # packed bytes to unpacked ones, in the whole archive: weights shrink by less than 10
FREE = 1 << 26  # bytes that may be unpacked whatever the ratio
MOST_CHECKED = 1 << 27  # bytes of stored members whose checksums are compared; the other formats have none at all
MOST_WINDOW = 1 << 26  # bytes of memory that LZMA may ask for
PIECE = 1 << 20
KINDS = {"f": "F", "i": "I", "u": "U", "c": "C", "b": "BOOL", "S": "BYTES", "U": "TEXT"}  # only F holds weights; the others are named and left out

_ENCRYPTED = 0x1 | 0x40 | 0x2000


def _length(where: str, data: Any, start: int, end: int) -> tuple[int, int, int]:
    """Version of the format, where the header's text begins and where it ends."""
    there = min(end, len(data))
    if there - start < 10:
        raise ModelError(f"{where}: truncated: {there - start} bytes at offset {start}")
    if data[start : start + 6] != MAGIC:
        raise ModelError(f"{where}: offset {start}: {bytes(data[start : start + 6])!r} is not the magic string of numpy")
    major = data[start + 6]
    if major not in (1, 2, 3):
        raise ModelError(f"{where}: offset {start + 6}: unknown version {major} of the format")
    form = "<H" if major == 1 else "<I"
    begin = start + 8 + struct.calcsize(form)
    if begin > there:
        raise ModelError(f"{where}: truncated: the header's length at offset {start + 8} is cut off")
    (length,) = struct.unpack_from(form, data, start + 8)
    if length > MOST_HEADER or begin + length > end:
        raise ModelError(f"{where}: offset {start + 8}: a header of {length} bytes ends beyond the file's end at {end} or is longer than {MOST_HEADER}")
    return major, begin, begin + length


def _header(where: str, data: Any, start: int, end: int) -> tuple[object, bool, tuple[int, ...], int]:
    """The type, whether columns are contiguous, the shape, and where the numbers begin."""
    major, begin, stop = _length(where, data, start, end)
    try:
        fields = ast.literal_eval(bytes(data[begin:stop]).decode("utf-8" if major == 3 else "latin1"))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise ModelError(f"{where}: offset {begin}: the header is no dictionary: {shown(error)}") from None
    if not isinstance(fields, dict) or set(fields) != {"descr", "fortran_order", "shape"}:
        raise ModelError(f"{where}: offset {begin}: the header does not hold descr, fortran_order and shape and nothing else")
    descr, fortran, shape = fields["descr"], fields["fortran_order"], fields["shape"]
    if not isinstance(shape, tuple) or not all(type(s) is int and s >= 0 for s in shape):
        raise ModelError(f"{where}: offset {begin}: shape {shown(repr(shape))} is not a tuple of sizes")
    if not isinstance(fortran, bool):
        raise ModelError(f"{where}: offset {begin}: fortran_order is {shown(repr(fortran))}")
    return descr, fortran, shape, stop


def read_npy(path: str, data: Any, name: str, start: int = 0, end: int | None = None) -> TensorInfo | LeftOut:
    """The array in data[start:end] as a tensor of that name.  data: mmap or bytes; it need not reach as far as `end`.

    Raises ModelError naming file, tensor and offset.
    """
    end = len(data) if end is None else end
    where = f"{path}: tensor {quoted(name)}"
    descr, fortran, shape, at = _header(where, data, start, end)
    where += f" at offset {at}"
    if not isinstance(descr, str) or descr[1:2] not in KINDS or descr[:1] not in "<>|" or not descr[2:].isascii() or not descr[2:].isdigit() or len(descr) > 9:
        return LeftOut(name, at, f"unsupported type {shown(repr(descr))}")
    kind, size = descr[1:2], int(descr[2:])
    if descr[:1] == ">":
        return LeftOut(name, at, f"numbers in big-endian order ({descr}) are not supported")
    if not size:
        return LeftOut(name, at, f"unsupported type {descr!r}")
    each = size * (4 if kind == "U" else 1)
    info = tensor_info(name, shape, KINDS[kind] + (str(8 * each) if kind in "fiuc" else ""), at, 1, each, lambda: where)
    if at + info.nbytes != end:
        raise ModelError(
            f"{where}: shape {shown(list(shape))} of {descr} takes {info.nbytes} bytes, there are {end - at}"
            + (" (truncated file?)" if at + info.nbytes > end else "")
        )
    reason = unusable(name, shape)
    if reason is None and fortran and len(shape) > 2:
        reason = f"{len(shape)} dimensions in column-major order are not supported"
    if reason is not None:
        return LeftOut(name, at, reason)
    return TensorInfo(name, shape, info.encoding, at, info.nbytes, 1, each, column_major=fortran and len(shape) == 2)


@dataclass(frozen=True)
class Packed:
    """A compressed member.  start, size: where its bytes lie in `data`; unpacked: how many they stand for; method: of zipfile; check: CRC-32."""

    where: str
    data: mmap.mmap
    start: int
    size: int
    unpacked: int
    method: int
    check: int

    def begin(self, count: int) -> bytes:
        """The first bytes, at most `count` of them."""
        out = b""
        for piece in _pieces(self, count):
            out += piece
            if len(out) >= count:
                break
        return out[:count]

    def mapped(self) -> mmap.mmap:
        """All bytes, in a file without a name.  ModelError when they are others or more than the directory says."""
        try:
            with tempfile.TemporaryFile(prefix="gnosis-") as file:
                left, check = self.unpacked, 0
                for piece in _pieces(self, PIECE):
                    left, check = left - len(piece), zlib.crc32(piece, check)
                    if left < 0:
                        raise ModelError(f"{self.where}: unpacks to more than the {self.unpacked} bytes that are claimed")
                    file.write(piece)
                if left:
                    raise ModelError(f"{self.where}: unpacks to {self.unpacked - left} bytes, {self.unpacked} are claimed")
                if check != self.check:
                    raise ModelError(f"{self.where}: the checksum is wrong, the file is damaged")
                file.flush()
                return mmap.mmap(file.fileno(), self.unpacked, access=mmap.ACCESS_READ)
        except OSError as error:
            raise ModelError(f"{self.where}: {error.strerror or error}") from None


def _pieces(member: Packed, most: int) -> Iterator[bytes]:
    """The unpacked bytes in pieces of at most `most`, as long as there are any.  ModelError for bytes that do not unpack."""
    at, end = member.start, member.start + member.size
    try:
        if member.method == zipfile.ZIP_DEFLATED:
            packer: Any = zlib.decompressobj(-15)
        elif member.method == zipfile.ZIP_BZIP2:
            packer = bz2.BZ2Decompressor()
        else:
            packer, at = _lzma(member)
        rest = piece = b""
        while not packer.eof:
            if not rest and getattr(packer, "needs_input", len(piece) < most):  # zlib does not say whether it holds more
                rest, at = member.data[at : min(at + (1 << 16), end)], min(at + (1 << 16), end)
                if not rest:
                    return
            piece = packer.decompress(rest, most)
            rest = getattr(packer, "unconsumed_tail", b"")
            if piece:
                yield piece
    except (zlib.error, lzma.LZMAError, OSError, ValueError, EOFError, struct.error, MemoryError) as error:
        raise ModelError(f"{member.where}: offset {member.start}: the compressed bytes are damaged: {shown(error)}") from None


def _lzma(member: Packed) -> tuple[Any, int]:
    """What unpacks a member in LZMA, and where its bytes begin behind their own small header."""
    _, size, first, window = struct.unpack_from("<HHBI", member.data, member.start)
    if size != 5 or member.size < 9 or first >= 225 or window > MOST_WINDOW:
        raise ValueError(f"LZMA with properties of {size} bytes and a window of {window}")
    lzma1 = {"id": lzma.FILTER_LZMA1, "dict_size": max(window, 4096), "lc": first % 9, "lp": first // 9 % 5, "pb": first // 45}
    return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=[lzma1]), member.start + 9


class _Bounded:
    """An open file that hands out no piece larger than a directory may be: zipfile reads the directory in one."""

    def __init__(self, file: BinaryIO) -> None:
        self.seek, self.tell, self.seekable, self._read = file.seek, file.tell, file.seekable, file.read

    def read(self, count: int = -1) -> bytes:
        piece = self._read(count if 0 <= count <= MOST_DIRECTORY else MOST_DIRECTORY + 1)
        if len(piece) > MOST_DIRECTORY:
            raise ValueError(f"a directory of more than {MOST_DIRECTORY} bytes")
        return piece


def _directory(path: Path) -> list[zipfile.ZipInfo]:
    """The members of an archive.  Raises ModelError."""
    try:
        with opened(path, "model") as file, zipfile.ZipFile(_Bounded(file)) as archive:
            members = archive.infolist()
    # whatever zipfile raises on damaged bytes
    except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError, OverflowError, struct.error) as error:
        raise ModelError(f"{path}: no sound .npz file: {shown(error, 300)}") from None
    if len(members) > MOST_MEMBERS:
        raise ModelError(f"{path}: {len(members)} members, more than {MOST_MEMBERS}")
    return members


def read_npz(path: Path, data: mmap.mmap) -> tuple[Header, list[mmap.mmap | Packed]]:
    """The arrays of an .npz file and what they lie in: `data` first, then one for every compressed member.

    Checksums are compared: of compressed members when they are unpacked, of stored ones here, up to MOST_CHECKED bytes.
    Raises ModelError.
    """
    found: list[TensorInfo | LeftOut] = []
    maps: list[mmap.mmap | Packed] = [data]
    names: set[str] = set()
    places: list[tuple[int, int, str]] = []
    slow = claimed = checked = 0
    for member in _directory(path):
        name = member.filename.removesuffix(".npy")
        where = f"{path}: tensor {quoted(name)}"
        if name in names:
            raise ModelError(f"{where} occurs twice")
        names.add(name)
        start = _begin(where, data, member)
        places.append((member.header_offset, start + member.compress_size, name))
        reason = unusable(name, (1,))
        if name == member.filename:
            reason = f"the member {quoted(member.filename)} is not the name of an array"
        elif member.flag_bits & _ENCRYPTED:
            reason = "the member is encrypted"
        elif member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA):
            reason = f"the member is compressed in the unknown way {member.compress_type}"
        slow += member.compress_type in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
        if reason is None and slow > MOST_SLOW:
            reason = f"more than {MOST_SLOW} members are compressed with bzip2 or LZMA"
        if reason is not None:
            found.append(LeftOut(name, start, reason))
        elif member.compress_type == zipfile.ZIP_STORED:
            if member.file_size != member.compress_size:
                raise ModelError(f"{where} at offset {start}: {member.file_size} bytes are stored in {member.compress_size}")
            if (checked := checked + member.file_size) <= MOST_CHECKED and _checksum(data, start, member.file_size) != member.CRC:
                raise ModelError(f"{where} at offset {start}: the checksum is wrong, the file is damaged")
            found.append(read_npy(str(path), data, name, start, start + member.file_size))
        else:
            claimed += member.file_size
            if member.file_size < 1 or claimed > MOST_RATIO * len(data) + FREE:
                raise ModelError(
                    f"{where}: {len(data)} bytes of an archive cannot hold the {claimed} that are claimed"
                    + (f"; more than {MOST_RATIO} times its size is not unpacked" if member.file_size else "")
                )
            packed = Packed(where, data, start, member.compress_size, member.file_size, member.compress_type, member.CRC)
            one = read_npy(str(path), _begun(packed), name, 0, member.file_size)
            if isinstance(one, TensorInfo):
                maps.append(packed)
                one = one.in_file(len(maps) - 1)
            found.append(one)
    refuse_overlap(str(path), places)
    return Header([t for t in found if isinstance(t, TensorInfo)], [t for t in found if isinstance(t, LeftOut)]), maps


def _begun(packed: Packed) -> bytes:
    """As many bytes of a member as its header takes."""
    first = packed.begin(256)
    if len(first) < 12 or first[:6] != MAGIC:
        return first
    length = struct.unpack_from("<H" if first[6] == 1 else "<I", first, 8)[0]
    return first if 12 + length <= len(first) else packed.begin(12 + min(length, MOST_HEADER))


def _checksum(data: mmap.mmap, start: int, size: int) -> int:
    check = 0
    for at in range(start, start + size, PIECE):
        check = zlib.crc32(data[at : min(at + PIECE, start + size)], check)
    return check


def _begin(where: str, data: mmap.mmap, member: zipfile.ZipInfo) -> int:
    """Where the bytes of a member begin; its directory entry may say anything, also a place in front of the file."""
    at = member.header_offset
    if not 0 <= at <= len(data) - 30 or data[at : at + 4] != b"PK\3\4":
        raise ModelError(f"{where}: offset {at}: no member of a zip file begins here")
    start = at + 30 + sum(struct.unpack_from("<HH", data, at + 26))
    if start + member.compress_size > len(data):
        raise ModelError(f"{where} at offset {start}: {member.compress_size} bytes end beyond the file's end at {len(data)} (truncated file?)")
    return start

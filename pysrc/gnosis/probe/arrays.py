"""Numpy's files, .npy and .npz: headers checked against the file before anything is read through them.

`numpy.load` believes a header and allocates what it claims, and it cannot map the members of an .npz file.  So the headers
are walked here, stored members are mapped where they lie, and compressed ones are unpacked into a temporary file.
"""
from __future__ import annotations

import ast
import lzma
import mmap
import struct
import tempfile
import zipfile
import zlib
from pathlib import Path

from .headers import ModelError, TensorInfo, tensor_info

MAGIC = b"\x93NUMPY"
MOST_HEADER = 1 << 16
MOST_RATIO = 1032 + 1         # deflate shrinks nothing further than by about 1032
PIECE = 1 << 20
KINDS = {"f": "F", "i": "I", "u": "U", "c": "C", "b": "BOOL", "S": "BYTES", "U": "TEXT"}     # only F holds weights; the others are named and left out


def _header(where: str, data: mmap.mmap, start: int, end: int) -> tuple[str, bool, tuple[int, ...], int]:
    """The type, whether columns are contiguous, the shape, and where the numbers begin."""
    if end - start < 10:
        raise ModelError(f"{where}: truncated: {end - start} bytes at offset {start}")
    if data[start:start + 6] != MAGIC:
        raise ModelError(f"{where}: offset {start}: {bytes(data[start:start + 6])!r} is not the magic string of numpy")
    major = data[start + 6]
    if major not in (1, 2, 3):
        raise ModelError(f"{where}: offset {start + 6}: unknown version {major} of the format")
    form = "<H" if major == 1 else "<I"
    begin = start + 8 + struct.calcsize(form)
    if begin > end:
        raise ModelError(f"{where}: truncated: the header's length at offset {start + 8} is cut off")
    (length,) = struct.unpack_from(form, data, start + 8)
    if length > MOST_HEADER or begin + length > end:
        raise ModelError(f"{where}: offset {start + 8}: a header of {length} bytes ends beyond the file's end at {end} or is longer than {MOST_HEADER}")
    try:
        fields = ast.literal_eval(bytes(data[begin:begin + length]).decode("utf-8" if major == 3 else "latin1"))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ModelError(f"{where}: offset {begin}: the header is no dictionary: {error}") from None
    if not isinstance(fields, dict) or set(fields) != {"descr", "fortran_order", "shape"}:
        raise ModelError(f"{where}: offset {begin}: the header does not hold descr, fortran_order and shape and nothing else")
    descr, fortran, shape = fields["descr"], fields["fortran_order"], fields["shape"]
    if not isinstance(shape, tuple) or not all(isinstance(s, int) and not isinstance(s, bool) and s >= 0 for s in shape):
        raise ModelError(f"{where}: offset {begin}: shape {shape!r} is not a tuple of sizes")
    if not isinstance(fortran, bool) or not isinstance(descr, str):
        raise ModelError(f"{where}: offset {begin}: unsupported type {descr!r}" if isinstance(fortran, bool) else f"{where}: offset {begin}: fortran_order is {fortran!r}")
    return descr, fortran, shape, begin + length


def read_npy(path: str, data: mmap.mmap, name: str, start: int = 0, end: int | None = None) -> TensorInfo:
    """The array in data[start:end] as a tensor of that name.  Raises ModelError naming file, tensor and offset."""
    end = len(data) if end is None else end
    where = f"{path}: tensor {name!r}"
    descr, fortran, shape, at = _header(where, data, start, end)
    where += f" at offset {at}"
    order, kind, size = descr[:1], descr[1:2], descr[2:]
    if order == ">":
        raise ModelError(f"{where}: numbers in big-endian order ({descr}) are not supported")
    if kind not in KINDS or order not in "<|" or not (size.isascii() and size.isdigit()) or not 1 <= int(size[:9]) <= 2 ** 20 or len(size) > 7:
        raise ModelError(f"{where}: unsupported type {descr!r}")
    each = int(size) * (4 if kind == "U" else 1)
    info = tensor_info(name, shape, KINDS[kind] + (str(8 * each) if kind in "fiuc" else ""), at, 1, each, where)
    if fortran and len(shape) > 2:
        raise ModelError(f"{where}: {len(shape)} dimensions in column-major order are not supported")
    if at + info.nbytes != end:
        raise ModelError(f"{where}: shape {list(shape)} of {descr} takes {info.nbytes} bytes, there are {end - at}" + (" (truncated file?)" if at + info.nbytes > end else ""))
    return TensorInfo(*(getattr(info, f) for f in ("name", "shape", "encoding", "offset", "nbytes", "block", "block_bytes")),
                      column_major=fortran and len(shape) == 2)


def read_npz(path: Path, data: mmap.mmap) -> tuple[list[TensorInfo], list[mmap.mmap]]:
    """The arrays of an .npz file and what they lie in: `data` first, then one mapping per compressed member.

    Checksums are compared.  Raises ModelError.
    """
    tensors: list[TensorInfo] = []
    maps = [data]
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                name = member.filename.removesuffix(".npy")
                where = f"{path}: tensor {name!r}"
                if name == member.filename or not name.isprintable():
                    raise ModelError(f"{where}: the member {member.filename!r} is not the name of an array")
                if any(t.name == name for t in tensors):
                    raise ModelError(f"{where} occurs twice")
                if member.flag_bits & 1:
                    raise ModelError(f"{where}: the member is encrypted")
                if member.compress_type == zipfile.ZIP_STORED:
                    start = _stored(where, data, member)
                    check = 0
                    for at in range(start, start + member.file_size, PIECE):
                        check = zlib.crc32(data[at:min(at + PIECE, start + member.file_size)], check)
                    if check != member.CRC:
                        raise ModelError(f"{where} at offset {start}: the checksum is wrong, the file is damaged")
                    tensors.append(read_npy(str(path), data, name, start, start + member.file_size))
                else:
                    _begin(where, data, member)
                    maps.append(_unpacked(where, archive, member))
                    tensors.append(read_npy(str(path), maps[-1], name).in_file(len(maps) - 1))
    except ModelError:
        raise
    # whatever the ways of compressing raise on damaged bytes; RuntimeError: one that zipfile lacks
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError, RuntimeError, struct.error) as error:
        raise ModelError(f"{path}: no sound .npz file: {error}") from None
    return tensors, maps


def _stored(where: str, data: mmap.mmap, member: zipfile.ZipInfo) -> int:
    """Where the bytes of an uncompressed member begin."""
    at = _begin(where, data, member)
    lengths = struct.unpack_from("<HH", data, at + 26)
    start = at + 30 + sum(lengths)
    if member.file_size != member.compress_size or start + member.file_size > len(data):
        raise ModelError(f"{where} at offset {start}: {member.file_size} bytes end beyond the file's end at {len(data)} (truncated file?)")
    return start


def _begin(where: str, data: mmap.mmap, member: zipfile.ZipInfo) -> int:
    """Where a member's header begins; its directory entry may say anything, also a place in front of the file."""
    at = member.header_offset
    if not 0 <= at <= len(data) - 30 or data[at:at + 4] != b"PK\3\4":
        raise ModelError(f"{where}: offset {at}: no member of a zip file begins here")
    return at


def _unpacked(where: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> mmap.mmap:
    """A compressed member, unpacked into a file without a name.  Its claimed size is held against what it can unpack to."""
    if member.file_size > MOST_RATIO * member.compress_size + 1024 or member.file_size < 1:
        raise ModelError(f"{where}: {member.compress_size} compressed bytes cannot hold the {member.file_size} that are claimed")
    with tempfile.TemporaryFile(prefix="gnosis-") as file, archive.open(member) as source:
        left = member.file_size
        while piece := source.read(min(PIECE, left + 1)):
            left -= len(piece)
            if left < 0:
                raise ModelError(f"{where}: unpacks to more than the {member.file_size} bytes that are claimed")
            file.write(piece)
        if left:
            raise ModelError(f"{where}: unpacks to {member.file_size - left} bytes, {member.file_size} are claimed")
        file.flush()
        return mmap.mmap(file.fileno(), member.file_size, access=mmap.ACCESS_READ)

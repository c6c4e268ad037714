"""Files that ask for more than they are worth, by name: each maker writes one into a folder and returns the path to open.

Every file is refused, and the words that the refusal holds stand beside it.
"""

from __future__ import annotations

import io
import json
import os
import struct
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from model_files import entry, gaussian, pair, raw_gguf, write_raw_safetensors, write_safetensors

# name → (maker, words of the refusal)
MODELS: dict[str, tuple[Callable[[Path], Path], str]] = {}
MANY = 65_500  # tensors, just below the limit


def model(words: str) -> Callable[[Callable[[Path], Path]], Callable[[Path], Path]]:
    def add(make: Callable[[Path], Path]) -> Callable[[Path], Path]:
        MODELS[make.__name__] = make, words
        return make

    return add


def _one(i: int) -> str:
    return f'{{"dtype":"F32","shape":[1],"data_offsets":[{4 * i},{4 * i + 4}]}}'


def _safetensors(folder: Path, header: str | bytes, size: int = 0) -> Path:
    return write_raw_safetensors(folder / "m.safetensors", header.encode() if isinstance(header, str) else header, bytes(size))


def _gguf(folder: Path, *args: object, **more: object) -> Path:
    (folder / "m.gguf").write_bytes(raw_gguf(*args, **more))  # type: ignore[arg-type]
    return folder / "m.gguf"


def npy_header(shape: tuple[int, ...], descr: str = "<f4") -> bytes:
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(out, {"descr": descr, "fortran_order": False, "shape": shape})
    return out.getvalue()


def _archive(folder: Path, members: list[tuple[str, bytes]], method: int = zipfile.ZIP_STORED) -> Path:
    with warnings.catch_warnings(), zipfile.ZipFile(folder / "m.npz", "w", method) as file:
        warnings.simplefilter("ignore")  # a name twice
        for name, data in members:
            file.writestr(name, data)
    return folder / "m.npz"


# safetensors


@model("'k119999' occurs twice")
def keys_with_the_last_one_doubled(folder: Path) -> Path:
    return _safetensors(folder, "{" + ",".join(f'"k{i}":{_one(i)}' for i in range(120_000)) + f',"k119999":{_one(120_000)}}}', 480_004)


@model("overlaps")
def many_tensors_of_which_the_last_overlaps(folder: Path) -> Path:
    return _safetensors(folder, "{" + ",".join(f'"{i:0200}":{_one(i)}' for i in range(MANY)) + f',"z":{_one(3)}}}', 4 * MANY)


@model("values, more than")
def a_header_of_empty_lists(folder: Path) -> Path:
    return _safetensors(folder, b'{"a":[' + b"[]," * 33_000_000 + b"[]]}")


@model("lacks dtype")
def a_header_of_objects(folder: Path) -> Path:
    return _safetensors(folder, b'{"a":[' + b'{"":0},' * 500_000 + b"{}]}")


@model("lacks dtype")
def a_header_of_one_string(folder: Path) -> Path:
    return _safetensors(folder, b'{"a":"' + b"x" * 99_000_000 + b'"}')


@model("other letters than ASCII")
def a_header_of_one_wide_string(folder: Path) -> Path:
    return _safetensors(folder, b'{"a":"' + b"x" * 99_000_000 + "😀".encode() + b'"}')


@model("lacks dtype")
def a_header_of_escapes(folder: Path) -> Path:
    return _safetensors(folder, b'{"a":"' + b"\\n" * 49_000_000 + b'"}')


@model("not valid JSON")
def a_whole_number_without_end(folder: Path) -> Path:
    return _safetensors(folder, b'{"a":' + b"1" * 99_000_000 + b"}")


@model("lacks dtype")
def a_fraction_without_end(folder: Path) -> Path:
    return _safetensors(folder, b'{"a":' + b"1" * 90_000_000 + b".5}")


@model("not valid JSON")
def a_header_nested_without_end(folder: Path) -> Path:
    return _safetensors(folder, b'{"a":' * 200_000)


@model("10,000,000 characters")
def a_name_of_ten_million_letters(folder: Path) -> Path:
    return _safetensors(folder, '{"' + "n" * 10_000_000 + '":' + _one(7) + "}", 4)


@model("unsupported type")
def a_type_of_ten_million_letters(folder: Path) -> Path:
    return _safetensors(folder, '{"a":{"dtype":"' + "n" * 10_000_000 + '","shape":[1],"data_offsets":[0,4]}}', 4)


@model("not a list of sizes")
def a_shape_of_a_long_list(folder: Path) -> Path:
    return _safetensors(folder, '{"a":{"dtype":"F32","shape":[' + "1," * 900_000 + '-1],"data_offsets":[0,4]}}', 4)


@model("overflows")
def a_shape_that_overflows_late(folder: Path) -> Path:
    return _safetensors(folder, '{"a":{"dtype":"F32","shape":[' + "1," * 900_000 + '4294967296,4294967296],"data_offsets":[0,4]}}', 4)


@model("not two offsets")
def an_offset_beyond_all_numbers(folder: Path) -> Path:
    return _safetensors(folder, '{"a":{"dtype":"F32","shape":[1],"data_offsets":[' + "9" * 4000 + ",0]}}", 4)


# GGUF


@model("header has")
def strings_of_a_sparse_file(folder: Path) -> Path:
    path = _gguf(folder, [], [pair("k", 9, struct.pack("<IQ", 8, 2**37))])
    os.truncate(path, 1 << 41)
    return path


@model("header has")
def numbers_of_a_sparse_file(folder: Path) -> Path:
    path = _gguf(folder, [], [pair("k", 9, struct.pack("<IQ", 0, 2**39))], tensors=1)
    os.truncate(path, 1 << 40)
    return path


@model("'k' occurs twice")
def as_many_strings_as_there_may_be(folder: Path) -> Path:
    return _gguf(folder, [], [pair("k", 9, struct.pack("<IQ", 8, 1 << 21) + bytes(8 << 21)), pair("k", 0, b"1")])


@model("'k' occurs twice|beyond")
def as_many_arrays_as_there_may_be(folder: Path) -> Path:
    one, count = struct.pack("<IQ", 9, 1) * 6 + struct.pack("<IQ", 8, 0), (1 << 21) // 8 // 8
    return _gguf(folder, [], [pair("k", 9, struct.pack("<IQ", 9, count) + one * count), pair("k", 0, b"1")])


@model("or more, beyond")
def too_many_arrays(folder: Path) -> Path:
    return _gguf(folder, [], [pair("k", 9, struct.pack("<IQ", 9, 1 << 20) + struct.pack("<IQ", 0, 0) * (1 << 20))])


@model("occurs twice")
def many_keys(folder: Path) -> Path:
    return _gguf(folder, [], [pair(f"{i:0500}", 0, b"1") for i in range(65_535)] + [pair(f"{3:0500}", 0, b"1")])


@model("metadata pairs, more than")
def too_many_keys(folder: Path) -> Path:
    return _gguf(folder, [], [pair(f"{i}", 0, b"1") for i in range(200_000)])


@model("overlaps")
def many_entries(folder: Path) -> Path:
    return _gguf(folder, [entry(f"{i:0200}", (32,), 0, 128 * i) for i in range(MANY)] + [entry("z", (32,), 0, 0)], data=bytes(128 * MANY))


@model("tensor entries, more than")
def too_many_entries(folder: Path) -> Path:
    return _gguf(folder, [entry(f"{i}", (32,), 0, 128 * i) for i in range(300_000)], data=bytes(1280))


@model("10,000,000 characters")
def an_entry_with_a_long_name(folder: Path) -> Path:
    return _gguf(folder, [entry("n" * 10_000_000, (32,), 0, 7)], data=bytes(128))


@model("has the unknown type 77")
def a_long_key(folder: Path) -> Path:
    return _gguf(folder, [], [pair("n" * 10_000_000, 77, b"")])


@model("bytes of text, more than")
def long_strings(folder: Path) -> Path:
    return _gguf(folder, [], [pair(f"a{i}", 8, struct.pack("<Q", 1 << 24) + bytes(1 << 24)) for i in range(5)])


@model("no tensors")
def a_long_wide_string(folder: Path) -> Path:
    text = b"x" * ((1 << 25) - 100) + "😀".encode()
    return _gguf(folder, [], [pair("a", 8, struct.pack("<Q", len(text)) + text)])


# numpy


@model("members, more than")
def an_archive_of_many_members(folder: Path) -> Path:
    return _archive(folder, [(f"a{i}.npy", npy_header((2,)) + bytes(8)) for i in range(20_000)])


@model("'a0' occurs twice")
def as_many_members_as_there_may_be(folder: Path) -> Path:
    return _archive(folder, [(f"a{i}.npy", npy_header((2,)) + bytes(8)) for i in [*range(16_383), 0]], zipfile.ZIP_DEFLATED)


@model("directory of more than")
def an_archive_that_is_nearly_all_directory(folder: Path) -> Path:
    return _archive(folder, [(f"{i:0120}", b"") for i in range(30_000)])


@model("cannot hold the 1073741952 that are claimed")
def an_archive_that_unpacks_to_a_gigabyte(folder: Path) -> Path:
    with zipfile.ZipFile(folder / "m.npz", "w", zipfile.ZIP_DEFLATED) as file, file.open("w.npy", "w", force_zip64=True) as out:
        out.write(npy_header((1 << 14, 1 << 14)))
        for _ in range(1 << 10):
            out.write(bytes(1 << 20))
    return folder / "m.npz"


@model("not the magic string")
def members_packed_so_that_the_first_byte_costs_much(folder: Path) -> Path:
    return _archive(folder, [(f"a{i}.npy", npy_header((2, 2)) + bytes(16)) for i in range(15)] + [("b.npy", bytes(50_000_000))], zipfile.ZIP_BZIP2)


@model("window of 4294967295")
def a_member_that_asks_for_four_gigabytes_of_window(folder: Path) -> Path:
    path = _archive(folder, [("a.npy", npy_header((10, 10)) + bytes(400))], zipfile.ZIP_LZMA)
    data = bytearray(path.read_bytes())
    at = data.index(b"\x05\x00\x5d")
    data[at + 3 : at + 7] = b"\xff\xff\xff\xff"
    path.write_bytes(bytes(data))
    return path


def _npy(folder: Path, header: bytes) -> Path:
    (folder / "w.npy").write_bytes(b"\x93NUMPY\x02\0" + struct.pack("<I", len(header)) + header + bytes(8))
    return folder / "w.npy"


@model("no dictionary")
def an_array_with_a_nested_header(folder: Path) -> Path:
    return _npy(folder, b"{'descr':" + b"[" * 16_000 + b"}")


@model("no dictionary")
def an_array_with_a_sum_for_a_header(folder: Path) -> Path:
    return _npy(folder, b"{'descr':" + b"1+1j+" * 3000 + b"1}")


@model("longer than 16384")
def an_array_with_a_long_header(folder: Path) -> Path:
    return _npy(folder, b"{'descr':'<f4','fortran_order':False,'shape':(" + b"1," * 40_000_000 + b")}")


@model("takes 8|dimensions")
def an_array_of_many_dimensions(folder: Path) -> Path:
    return _npy(folder, b"{'descr':'<f8','fortran_order':False,'shape':(" + b"1," * 8000 + b")}")


@model("takes 2199023255552 bytes")
def an_array_of_a_sparse_file(folder: Path) -> Path:
    (folder / "w.npy").write_bytes(npy_header((1 << 19, 1 << 20)))
    os.truncate(folder / "w.npy", 1 << 42)
    return folder / "w.npy"


# Several files


@model("not a regular file but a device")
def an_index_that_is_a_link_to_zeros(folder: Path) -> Path:
    (folder / "m.safetensors.index.json").symlink_to("/dev/zero")
    return folder / "m.safetensors.index.json"


def _index(folder: Path, names: dict[str, str]) -> Path:
    (folder / "m.safetensors.index.json").write_text(json.dumps({"weight_map": names}))
    return folder / "m.safetensors.index.json"


@model("leads to '/dev/zero'")
def a_part_that_is_a_link_to_zeros(folder: Path) -> Path:
    (folder / "a.safetensors").symlink_to("/dev/zero")
    return _index(folder, {"a": "a.safetensors"})


@model("more than 4096 files")
def an_index_of_many_files(folder: Path) -> Path:
    return _index(folder, {f"t{i}": f"f{i}.safetensors" for i in range(100_000)})


@model("more than|and it does not")
def an_index_of_many_tensors(folder: Path) -> Path:
    write_safetensors(folder / "f.safetensors", {"t0": gaussian(2, 2)})
    return _index(folder, {f"t{i}": "f.safetensors" for i in range(900_000)})


@model("overlaps")
def three_parts_of_many_tensors_of_which_the_last_overlaps(folder: Path) -> Path:
    for part in range(3):
        header = "{" + ",".join(f'"{part}{i:0100}":{_one(i)}' for i in range(49_990)) + (f',"z":{_one(3)}}}' if part == 2 else "}")
        _safetensors(folder, header, 4 * 49_990).rename(folder / f"m-{part + 1}-of-3.safetensors")
    return folder / "m-1-of-3.safetensors"


@model("a file of 1099511627776 bytes")
def a_sparse_index(folder: Path) -> Path:
    os.truncate(_index(folder, {}), 1 << 40)
    return folder / "m.safetensors.index.json"


def _fifo(path: Path) -> Path:
    os.mkfifo(path)
    return path


for _suffix in ("safetensors", "gguf", "npy", "npz", "safetensors.index.json"):
    MODELS[f"a_fifo_called_{_suffix}"] = (lambda folder, suffix=_suffix: _fifo(folder / f"m.{suffix}")), "not a regular file but a FIFO"  # type: ignore[misc]

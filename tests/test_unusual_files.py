"""Model files that are valid and unusual are read; those that are not the whole model are refused, and what is missing is named."""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile

import gguf
import ml_dtypes
import numpy as np
import pytest
from hostile_files import npy_header
from model_files import entry, gaussian, pair, raw_gguf, write_raw_safetensors, write_safetensors
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.codes import eight
from gnosis.models import decode
from gnosis.models.files import ModelError, open_model
from gnosis.probe import run
from gnosis.probe.settings import Settings

W = gaussian(32, 128)
N = W.nbytes


def field(dtype: str, shape: list[int], first: int, last: int) -> dict:
    return {"dtype": dtype, "shape": shape, "data_offsets": [first, last]}


def reasons(model) -> dict[str, str]:
    return {t.name: t.reason for t in model.left_out}


def probed(path, *options: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["probe", str(path), "--no-activations", *options])
    return result.exit_code, result.output


# Left out by name

MIXED = {
    "w": field("F32", [32, 128], 0, N),
    "none": field("F32", [0], N, N),
    "one": field("F16", [1, 0], N, N),
    "s": field("F32", [], N, N + 4),
    "four": field("F4", [2, 2], N + 4, N + 6),
    "odd": field("F9_ODD", [7], N + 6, N + 9),
    "e\x1b[2J": field("U8", [1], N + 9, N + 10),
    "n" * 5000: field("U8", [1], N + 10, N + 11),
}


def test_safetensors_with_tensors_of_no_use(tmp_path):
    path = write_raw_safetensors(tmp_path / "m.safetensors", MIXED, W.tobytes() + bytes(11))
    model = open_model(str(path))
    assert list(model.tensors) == ["w", "s"] and np.array_equal(model.all_rows("w"), W)
    assert reasons(model) == {
        "none": "shape [0] has a zero dimension",
        "one": "shape [1, 0] has a zero dimension",
        "four": "unsupported type 'F4'",
        "odd": "unsupported type 'F9_ODD'",
        "e\x1b[2J": "the name holds characters that cannot be printed",
        "n" * 5000: "the name has 5000 characters, more than 4096",
    }
    with pytest.raises(ModelError, match="tensor 'four' is left out: unsupported type"):
        model.info("four")
    for options in ((), ("--tensor", "w")):
        code, out = probed(path, *options)
        assert (
            code == 0
            and "unsupported type 'F9_ODD': odd" in out
            and "shape [0] has a zero dimension: none" in out
            and "\x1b[2J" not in out
            and max(map(len, out.splitlines())) < 400
        )
    assert "a scalar: s" in probed(path)[1]
    found = run.probe(model, Settings(rows=32), workers=1)
    assert {s.name for s in found.skipped} >= {"none", "one", "four", "odd"} and found.tensors[0].sanity.library is None  # a type that the library refuses
    code, out = probed(path, "--format", "html")
    assert code == 0 and "unsupported type" in out and "F9_ODD" in out


def test_a_known_type_that_is_not_read_leaves_the_library(tmp_path):
    path = write_raw_safetensors(
        tmp_path / "m.safetensors", {k: MIXED[k] for k in ("w", "none")} | {"four": field("F4", [2, 2], N, N + 2)}, W.tobytes() + bytes(2)
    )
    found = run.probe(open_model(str(path)), Settings(rows=32), workers=1)
    assert found.tensors[0].sanity.values_by_library > 0


def test_gguf_with_tensors_of_no_use(tmp_path):
    path = tmp_path / "m.gguf"
    path.write_bytes(
        raw_gguf(
            [entry("w", (128, 32), 0, 0), entry("none", (0, 4), 0, N), entry("s", (), 0, N), entry("new", (32, 4), 42, N + 32), entry("zero", (0,), 8, N + 32)],
            data=W.tobytes() + bytes(64),
        )
    )
    model = open_model(str(path))
    assert list(model.tensors) == ["w", "s"] and np.array_equal(model.all_rows("w"), W)
    assert reasons(model) == {"none": "shape [4, 0] has a zero dimension", "new": "unsupported ggml type 42", "zero": "shape [0] has a zero dimension"}
    for options in ((), ("--tensor", "w")):
        code, out = probed(path, *options)
        assert code == 0 and "unsupported ggml type 42: new" in out


def test_npz_with_members_of_no_use(tmp_path):
    path = tmp_path / "m.npz"
    np.savez(path, w=W, o=np.array([{}], object), b=W.astype(">f4"), r=np.zeros(3, [("a", "<f4")]), none=np.zeros((0, 4), np.float32))
    with zipfile.ZipFile(path, "a") as file:
        file.writestr("notes.txt", "text")
    model = open_model(str(path))
    assert list(model.tensors) == ["w"] and set(reasons(model)) == {"o", "b", "r", "none", "notes.txt"}
    code, out = probed(path)
    assert code == 0 and "big-endian order" in out and "is not the name of an array: notes.txt" in out


# Floats of 8 bits


@pytest.mark.parametrize("encoding", eight.ENCODINGS)
def test_the_second_decoder_of_every_byte(encoding):
    every = np.arange(256, dtype=np.uint8)
    first = decode.decode_rows(every[None], encoding, 256)[0]
    second = eight.decode(every.tobytes(), encoding)
    assert np.array_equal(np.isnan(first), np.isnan(second))
    assert np.array_equal(first[~np.isnan(first)].view(np.uint32), second[~np.isnan(second)].view(np.uint32))


@pytest.mark.parametrize("encoding, kind", [("F8_E4M3", ml_dtypes.float8_e4m3fn), ("F8_E5M2", ml_dtypes.float8_e5m2)])
def test_floats_of_8_bits_are_probed(tmp_path, encoding, kind):
    data = W.astype(kind)
    path = write_raw_safetensors(
        tmp_path / "m.safetensors",
        {"w": field(encoding, [32, 128], 0, data.nbytes), "w_scale": field("F8_E8M0", [4], data.nbytes, data.nbytes + 4)},
        data.tobytes() + bytes([127] * 4),
    )
    model = open_model(str(path))
    assert np.array_equal(model.all_rows("w"), data.astype(np.float32)) and model.all_rows("w_scale").tolist() == [[1] * 4]
    code, out = probed(path, "--matrix-type", "float")
    assert code == 0 and "2,048 values decoded by a second decoder" in out
    raw = bytearray(data.tobytes())
    raw[130] = 0x7F
    path = write_raw_safetensors(tmp_path / "n.safetensors", {"w": field(encoding, [32, 128], 0, len(raw))}, bytes(raw))
    with pytest.raises(ModelError, match=r"tensor 'w': non-finite value at offset \d+ \(row 1, column 2\)"):
        open_model(str(path)).all_rows("w")


def test_a_type_without_a_second_decoder_is_said_to_be_decoded_once(tmp_path, monkeypatch):
    from gnosis.probe import sanity

    path = tmp_path / "m.gguf"
    blocks = gguf.quantize(gaussian(32, 256), gguf.GGMLQuantizationType.TQ2_0)
    path.write_bytes(raw_gguf([entry("w", (256, 32), 35, 0)], data=blocks.tobytes()))
    monkeypatch.setattr(sanity, "redecode", lambda *_: None)
    code, out = probed(path)
    assert code == 0 and "decoded once, with nothing to compare: TQ2_0" in out and "0 values decoded by a second decoder and 0 read" in out


# Parts


def split_gguf(folder, names, count=None, no=None, total=None, extra=()):
    for i, name in enumerate(names):
        keys = (
            []
            if count is None
            else [
                pair("split.no", 2, struct.pack("<H", i if no is None else no)),
                pair("split.count", 2, struct.pack("<H", count)),
                pair("split.tensors.count", 5, struct.pack("<i", len(names) if total is None else total)),
            ]
        )
        (folder / name).write_bytes(raw_gguf([entry(f"t{i}", (128, 32), 0, 0)], keys, W.tobytes()))
    return folder / names[0]


NAMES = [f"k-0000{i}-of-00003.gguf" for i in (1, 2, 3)]


def test_a_split_gguf_is_one_model_or_none(tmp_path):
    first = split_gguf(tmp_path, NAMES, 3)
    for path in (first, tmp_path / NAMES[2], tmp_path):
        assert list(open_model(str(path)).tensors) == ["t0", "t1", "t2"]
    for kind, words, more in (
        ("no", r"part 1 of 3 .* is named as part 2 of 3", {"no": 0}),
        ("count", "part 1 of 4", {"count": 4}),
        ("total", "the model has 4 tensors", {"total": 4}),
    ):
        folder = tmp_path / kind
        folder.mkdir()
        with pytest.raises(ModelError, match=words):
            open_model(str(split_gguf(folder, NAMES, **{"count": 3} | more)))
    (tmp_path / NAMES[1]).unlink()
    with pytest.raises(ModelError, match="k-00002-of-00003.gguf: No such file; .* part 1 of 3 of a model, and 1 of its parts are missing"):
        open_model(str(first))
    alone = first.rename(tmp_path / "alone.gguf")
    with pytest.raises(ModelError, match="part 1 of 3 of a model"):
        open_model(str(alone))


@pytest.mark.parametrize("suffix", ["gguf", "safetensors"])
def test_one_part_by_its_name(tmp_path, suffix):
    for name in ("k-001-of-002", "model-00001-of-00003"):
        path = tmp_path / f"{name}.{suffix}"
        if suffix == "gguf":
            split_gguf(tmp_path, [path.name])
        else:
            write_safetensors(path, {"w": W})
        with pytest.raises(ModelError, match=r"of its parts are missing"):
            open_model(str(path))


def test_an_index_reaches_below_its_folder_and_not_out_of_it(tmp_path):
    home, out = tmp_path / "m", tmp_path / "out"
    (home / "sub").mkdir(parents=True)
    out.mkdir()
    write_safetensors(home / "sub" / "a.safetensors", {"w": W})
    write_safetensors(out / "a.safetensors", {"w": W})
    (home / "link").symlink_to(out)
    (home / "l.safetensors").symlink_to(out / "a.safetensors")
    (home / "loop.safetensors").symlink_to("loop.safetensors")
    (home / "in.safetensors").symlink_to("sub/a.safetensors")
    index = home / "m.safetensors.index.json"

    def opened(file: str):
        index.write_text(json.dumps({"weight_map": {"w": file}}))
        return open_model(str(index))

    for file in ("sub/a.safetensors", "./sub/a.safetensors", "in.safetensors"):
        assert np.array_equal(opened(file).all_rows("w"), W)
    for file in (
        "../out/a.safetensors",
        "sub/../../out/a.safetensors",
        str(out / "a.safetensors"),
        "link/a.safetensors",
        "l.safetensors",
        "a\0.safetensors",
        "sub\\a.safetensors",
        "loop.safetensors",
    ):
        with pytest.raises(ModelError):
            opened(file)


def test_a_snapshot_of_a_cache_is_read(tmp_path):
    """The Hub's cache holds the bytes in blobs/ and links to them."""
    snapshot, blobs = tmp_path / "snapshots" / "abc", tmp_path / "blobs"
    snapshot.mkdir(parents=True)
    blobs.mkdir()
    write_safetensors(blobs / "123", {"w": W})
    (blobs / "456").write_text(json.dumps({"weight_map": {"w": "model-00001-of-00001.safetensors"}}))
    (snapshot / "model-00001-of-00001.safetensors").symlink_to("../../blobs/123")
    (snapshot / "model.safetensors.index.json").symlink_to("../../blobs/456")
    for path in (snapshot, snapshot / "model-00001-of-00001.safetensors"):
        assert np.array_equal(open_model(str(path)).all_rows("w"), W)


# Files that change, checksums of what is unpacked late


def test_a_file_that_is_cut_off_while_it_is_open(tmp_path):
    path = write_safetensors(tmp_path / "m.safetensors", {"w": W})
    model = open_model(str(path))
    os.truncate(path, 100)
    with pytest.raises(ModelError, match="cut off to 100 bytes since it was opened"):
        model.all_rows("w")


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_are_unpacked_when_asked_for(tmp_path, method):
    rows = gaussian(700, 512)
    path = tmp_path / "m.npz"
    out = io.BytesIO()
    np.save(out, rows)
    with zipfile.ZipFile(path, "w", method) as file:
        file.writestr("w.npy", out.getvalue())
    model = open_model(str(path))
    assert np.array_equal(model.all_rows("w"), rows) and np.array_equal(model.all_rows("w"), rows)
    data = bytearray(path.read_bytes())
    data[14] ^= 1  # the checksum beside the bytes
    at = data.rindex(b"PK\x01\x02")
    data[at + 16] ^= 1  # and in the directory
    path.write_bytes(bytes(data))
    with pytest.raises(ModelError, match="the checksum is wrong"):
        open_model(str(path)).all_rows("w")


def test_an_encrypted_member_is_left_out(tmp_path):
    path = tmp_path / "m.npz"
    np.savez(path, w=W, v=W)
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(bytes(data))
    assert reasons(open_model(str(path))) == {"v": "the member is encrypted"}
    assert npy_header((1,))

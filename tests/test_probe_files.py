"""The probe's inputs: numpy files, sharded safetensors, GGUF in parts, K-quants by another tool, and damaged copies of them."""

from __future__ import annotations

import io
import json
import os
import struct
import zipfile
from pathlib import Path

import gguf
import numpy as np
import pytest
from model_files import gaussian, write_gguf, write_safetensors
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.cluster import connected
from gnosis.gates.conformal import Calibration, calibrate
from gnosis.models.files import ModelError, open_model
from gnosis.probe import run, shards
from gnosis.probe.report import Report
from gnosis.probe.settings import Settings

SMALL = {"rows": 64, "grid": {"start": "2", "stop": "2", "step": "1"}}


def probe(path: Path | str, **changes: object) -> Report:
    return run.probe(open_model(str(path)), Settings(**SMALL | changes), workers=1)


def figures(found: Report) -> dict:
    return found.model_dump(exclude={"run", "digest", "model"})


# Numpy


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.float64])
@pytest.mark.parametrize("form", ["npy", "npz", "compressed"])
def test_numpy_files_are_read_as_numpy_reads_them(tmp_path, dtype, form):
    w = gaussian(40, 96).astype(dtype)
    if form == "npy":
        np.save(path := tmp_path / "w.npy", w)
    else:
        (np.savez if form == "npz" else np.savez_compressed)(path := tmp_path / "m.npz", w=w, v=np.asfortranarray(w[::-1]), n=np.arange(5))
    model = open_model(str(path))
    assert model.format == path.suffix[1:] and model.info("w").shape == (40, 96)
    rows = np.array([7, 0, 39])
    assert np.array_equal(model.rows("w", rows), w[rows].astype(np.float32))
    if form != "npy":
        assert model.info("v").column_major and np.array_equal(model.all_rows("v"), w[::-1].astype(np.float32))
        with pytest.raises(ModelError, match="'n' at offset .* unsupported type I64"):
            model.all_rows("n")
        with pytest.raises(ModelError, match="'v' at offset .* not contiguous"):
            model.raw("v")
    found = probe(path)
    assert {t.name for t in found.tensors} == ({"w"} if form == "npy" else {"w", "v"})
    for t in found.tensors:
        assert t.sanity.library == "numpy" and t.sanity.values_by_library > 0
        assert (t.sanity.values_redecoded > 0) == (form != "compressed" and dtype is not np.float64)


def test_column_major_and_row_major_give_the_same_figures(tmp_path):
    w = gaussian(64, 128, 3)
    for order in "CF":
        (tmp_path / order).mkdir()
        np.save(tmp_path / order / "w.npy", np.array(w, order=order))
    assert figures(probe(tmp_path / "C" / "w.npy")) == figures(probe(tmp_path / "F" / "w.npy"))


def test_arrays_that_hold_no_weights_are_named_and_left_out(tmp_path):
    np.savez(tmp_path / "m.npz", w=gaussian(16, 32), b=np.ones((16, 32), bool), c=np.ones((16, 32), complex), n=np.arange(9), s=np.array(["a", "bcd"]))
    found = run.probe(open_model(str(tmp_path / "m.npz")), Settings(tensors=["*"], **SMALL))
    assert [t.name for t in found.tensors] == ["w"]
    assert {s.name: s.reason for s in found.skipped} == {
        "b": "type BOOL holds no weights",
        "c": "type C128 holds no weights",
        "n": "type I64 holds no weights",
        "s": "type TEXT holds no weights",
    }
    np.savez(tmp_path / "o.npz", o=np.array([{}], object))
    with pytest.raises(ModelError, match="'o' at offset .* unsupported type '|O'"):
        open_model(str(tmp_path / "o.npz"))


def npy(
    descr: object = "<f4",
    shape: object = (4, 8),
    fortran: object = False,
    data: int = 128,
    magic: bytes = b"\x93NUMPY\x01\x00",
    length: int | None = None,
    header: bytes | None = None,
) -> bytes:
    text = repr({"descr": descr, "fortran_order": fortran, "shape": shape}).encode() + b"\n" if header is None else header
    return magic + struct.pack("<H", len(text) if length is None else length) + text + b"\0" * data


HUGE = 2**40
NPY_FAULTS = {
    "magic": (npy(magic=b"\x93NUMPZ\x01\x00"), "offset 0: .* not the magic string"),
    "version": (npy(magic=b"\x93NUMPY\x07\x00"), "offset 6: unknown version 7"),
    "header beyond the file": (npy(length=60000), "offset 8: a header of 60000 bytes"),
    "no dictionary": (npy(header=b"[1, 2]\n"), "does not hold descr"),
    "code in the header": (npy(header=b"__import__('os').abort()\n"), "no dictionary"),
    "deep nesting": (npy(header=b"(" * 5000), "no dictionary"),
    "zero dimension": (npy(shape=(0, 8), data=0), "'w' at offset .* zero dimension"),
    "negative dimension": (npy(shape=(-4, 8)), "not a tuple of sizes"),
    "overflow": (npy(shape=(HUGE, HUGE)), "'w' at offset .* overflows"),
    "larger than the file": (npy(shape=(HUGE, 8)), r"'w' at offset .* takes .* there are 128 \(truncated"),
    "truncated": (npy(data=127), "truncated"),
    "bytes behind": (npy(data=132), "takes 128 bytes, there are 132"),
    "big-endian": (npy(descr=">f4"), "big-endian"),
    "objects": (npy(descr="|O"), "unsupported type"),
    "records": (npy(descr=[("a", "<f4")]), "unsupported type"),
    "cut off": (b"\x93NUMPY\x01", "truncated"),
}


@pytest.mark.parametrize("fault", NPY_FAULTS)
def test_lying_npy(tmp_path, fault):
    data, text = NPY_FAULTS[fault]
    (tmp_path / "w.npy").write_bytes(data)
    with pytest.raises(ModelError, match=text) as caught:
        open_model(str(tmp_path / "w.npy"))
    assert "w.npy" in str(caught.value)
    (tmp_path / "w.npy").write_bytes(npy())
    assert open_model(str(tmp_path / "w.npy")).all_rows("w").shape == (4, 8)


def archive(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", method) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return path


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_lying_npz(tmp_path, method):
    path = tmp_path / "m.npz"
    good = archive(path, {"w.npy": npy()}, method).read_bytes()
    assert open_model(str(path)).all_rows("w").shape == (4, 8)
    for cut in range(1, len(good) - 1, 7):
        path.write_bytes(good[:cut])
        with pytest.raises(ModelError, match="m.npz"):
            open_model(str(path))
    for at in range(30, len(good), 5):  # damaged bytes: refused, or in a place that nothing hangs on
        path.write_bytes(good[:at] + bytes([good[at] ^ 0x55]) + good[at + 1 :])
        try:
            assert np.array_equal(open_model(str(path)).all_rows("w"), np.zeros((4, 8)))
        except ModelError:
            pass
    archive(path, {"w.npy": npy(shape=(HUGE, 8))}, method)
    with pytest.raises(ModelError, match="'w' at offset"):
        open_model(str(path))
    archive(path, {"w.txt": b"text"}, method)
    with pytest.raises(ModelError, match="not the name of an array"):
        open_model(str(path))


def test_a_compressed_member_that_claims_too_much(tmp_path):
    """A size that so few compressed bytes cannot unpack to is refused before anything is unpacked."""
    path = archive(tmp_path / "m.npz", {"w.npy": npy(data=128)}, zipfile.ZIP_DEFLATED)
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", 2**31)
    path.write_bytes(bytes(data))
    with pytest.raises(ModelError, match="cannot hold the 2147483648 that are claimed"):
        open_model(str(path))


# Sharded safetensors, GGUF in parts

NAMES = ("model.layers.0.mlp.up_proj.weight", "model.layers.0.mlp.down_proj.weight", "model.layers.1.mlp.up_proj.weight")


def sharded(folder: Path, weight_map: object = None, **extra: np.ndarray) -> Path:
    folder.mkdir(exist_ok=True)
    parts = {"model-00001-of-00002.safetensors": NAMES[:2], "model-00002-of-00002.safetensors": NAMES[2:]}
    for file, names in parts.items():
        write_safetensors(folder / file, {n: gaussian(64, 96, NAMES.index(n)) for n in names} | (extra if names == NAMES[2:] else {}))
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"metadata": {}, "weight_map": {n: f for f, names in parts.items() for n in names} if weight_map is None else weight_map}))
    return index


def test_a_sharded_model_is_one_model(tmp_path):
    index = sharded(tmp_path / "m")
    whole = write_safetensors(tmp_path / "whole.safetensors", {n: gaussian(64, 96, i) for i, n in enumerate(NAMES)})
    found = probe(index)
    by_name = {t["name"]: t for t in figures(probe(whole))["tensors"]}
    assert {t["name"]: t for t in figures(found)["tensors"]} == by_name and len(by_name) == 3
    assert [f.file for f in found.model.files] == ["model.safetensors.index.json", "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
    assert found.model.bytes == sum(os.path.getsize(tmp_path / "m" / f.file) for f in found.model.files)
    assert figures(probe(tmp_path / "m")) == figures(found)  # the folder stands for its index


@pytest.mark.parametrize(
    "weight_map, text",
    [
        ({}, "weight_map"),
        ([1], "weight_map"),
        ({n: "missing.safetensors" for n in NAMES}, "missing.safetensors: No such file"),
        ({n: "../m/model-00001-of-00002.safetensors" for n in NAMES}, "not the name of a .safetensors file beside"),
        ({NAMES[0]: "model-00001-of-00002.safetensors"}, "not in the index"),
        ({n: "model-00001-of-00002.safetensors" for n in NAMES}, "and it does not"),
        ({n: "/etc/passwd" for n in NAMES}, "not the name"),
    ],
)
def test_a_lying_index(tmp_path, weight_map, text):
    with pytest.raises(ModelError, match=text):
        open_model(str(sharded(tmp_path / "m", weight_map)))


def test_damaged_indexes_and_shards(tmp_path):
    index = sharded(tmp_path / "m")
    good = index.read_text()
    for text in ("{", "[]", good.replace('"weight_map"', '"weights"'), good[:-2]):
        index.write_text(text)
        with pytest.raises(ModelError, match="index.json"):
            open_model(str(index))
    index.write_text(good)
    part = tmp_path / "m" / "model-00002-of-00002.safetensors"
    part.write_bytes(part.read_bytes()[:-4])
    with pytest.raises(ModelError, match=f"00002-of-00002.safetensors: tensor '{NAMES[2]}' at offset .* beyond the file's end"):
        open_model(str(index))
    with pytest.raises(ModelError, match="occurs in .* as well"):
        open_model(str(sharded(tmp_path / "n", None, **{NAMES[0]: gaussian(64, 96)})))


def test_gguf_in_parts(tmp_path):
    for i in (1, 2):
        write_gguf(tmp_path / f"m-{i:05}-of-00002.gguf", {f"blk.{i}.ffn_up.weight": (gaussian(32, 64, i), "Q8_0")})
    model = open_model(str(tmp_path / "m-00002-of-00002.gguf"))
    assert list(model.tensors) == ["blk.1.ffn_up.weight", "blk.2.ffn_up.weight"] and len(probe(tmp_path / "m-00001-of-00002.gguf").tensors) == 2
    (tmp_path / "m-00001-of-00002.gguf").unlink()
    with pytest.raises(ModelError, match="m-00001-of-00002.gguf: No such file"):
        open_model(str(tmp_path / "m-00002-of-00002.gguf"))
    with pytest.raises(ModelError, match="part 3 of 2"):
        open_model(str(tmp_path / "m-00003-of-00002.gguf"))


def test_folders(tmp_path):
    with pytest.raises(ModelError, match="with 0 .gguf files; name a file"):
        open_model(str(tmp_path))
    write_gguf(tmp_path / "a.gguf", {"w": (gaussian(8, 32), "F32")})
    assert open_model(str(tmp_path)).path == tmp_path / "a.gguf"


# Real tensors in block codes made by another tool


@pytest.fixture(scope="module")
def ffn_down() -> np.ndarray:
    return open_model("minilm").all_rows("encoder.layer.3.output.dense.weight")


@pytest.mark.parametrize(
    "kind, relative",
    [("Q8_0", 0.0063), ("Q6_K", 0.0195), ("Q5_0", 0.047), ("Q4_K", 0.075), ("Q4_0", 0.093), ("Q4_1", 0.085), ("BF16", 0.0017), ("F16", 0.0003)],
)
def test_a_real_ffn_matrix_in_every_encoding(tmp_path, ffn_down, kind, relative):
    """Coded by libgguf where it codes it (the K-quants need rows of whole 256), decoded here: near the weights, and the probe's figures follow."""
    rows = np.ascontiguousarray(ffn_down[:96])
    if kind in ("F16", "BF16"):
        blocks = gguf.quantize(rows, gguf.GGMLQuantizationType[kind]) if kind == "BF16" else rows.astype(np.float16)
    else:
        blocks = (
            pytest.importorskip("libgguf", reason="libgguf is not installed (extra: peers)")
            .quantize_rows(rows, gguf.GGMLQuantizationType[kind])
            .view(np.uint8)
            .reshape(96, -1)
        )
    path = (
        write_gguf(tmp_path / "m.gguf", {"blk.3.ffn_down.weight": (blocks, kind)})
        if kind != "F16"
        else write_gguf(tmp_path / "m.gguf", {"blk.3.ffn_down.weight": (rows, kind)})
    )
    model = open_model(str(path))
    decoded = model.all_rows("blk.3.ffn_down.weight").astype(np.float64)
    error = np.sqrt(np.square(decoded - rows).mean() / np.square(rows.astype(np.float64)).mean())
    assert 0.6 * relative < error < 1.25 * relative
    t = probe(path, matrix_type=kind.lower(), rows=96).tensors[0]
    assert t.encoding == kind and t.sanity.values_redecoded > 0 and t.sanity.values_by_library == 16 * 1536
    assert t.weights.rms == pytest.approx(np.sqrt(np.square(decoded).mean()), rel=1e-12)
    if kind in ("Q4_0", "Q4_K", "Q4_1"):
        # weights that lie on a grid about as coarse as the step: the edge is that of one grid against another, and the theory's is not to be had
        assert abs(t.lattice.e8_edge - 0.14) > 0.01
    else:
        assert t.lattice.e8_edge == pytest.approx(0.14, abs=0.03) and t.bounded.e8_edge > 0.15
    if kind in ("F16", "BF16"):
        assert len(probe(path, matrix_type="float").tensors) == 1


def test_doubles_in_a_gguf_file_and_numbers_that_are_no_weights(tmp_path):
    w = gaussian(64, 96).astype(np.float64) + 1e-12
    writer = gguf.GGUFWriter(tmp_path / "m.gguf", "llama")
    writer.add_tensor("blk.0.ffn_up.weight", w)
    writer.add_tensor("blk.1.ffn_up.weight", np.arange(64 * 96, dtype=np.int32).reshape(64, 96))
    for step in (writer.write_header_to_file, writer.write_kv_data_to_file, writer.write_tensors_to_file, writer.close):
        step()
    found = probe(tmp_path / "m.gguf")
    assert found.tensors[0].encoding == "F64" and found.tensors[0].sanity.values_by_library == 16 * 96
    assert found.tensors[0].weights.rms == pytest.approx(np.sqrt(np.mean(w.astype(np.float32).astype(np.float64) ** 2)), rel=1e-12)
    assert [s.reason for s in found.skipped] == ["type I32 holds no weights"]
    w[3, 5] = 1e300  # which float32 does not hold
    np.save(tmp_path / "w.npy", w)
    assert probe(tmp_path / "w.npy").tensors[0].non_finite.rows == 1


def test_matrix_types_are_told_apart(tmp_path):
    path = write_gguf(tmp_path / "m.gguf", {"blk.0.ffn_up.weight": (gaussian(16, 64), "Q8_0"), "blk.0.ffn_down.weight": (gaussian(16, 64), "F32")})
    for kind, names in (("any", 2), ("float", 1), ("q8_0", 1), ("Q8_0", 1), ("f32", 1)):
        assert len(probe(path, matrix_type=kind).tensors) == names
    with pytest.raises(run.NothingToProbe, match="there are F32, Q8_0"):
        probe(path, matrix_type="q4_k")


# Memory


def test_the_budget_bounds_the_work(tmp_path):
    """What numpy allocates while a tensor is worked on stays within the bytes that were reckoned, for wide and for narrow matrices."""
    import tracemalloc

    for rows, columns, tile in ((2048, 128, "row"), (64, 4096, "row"), (256, 512, 1)):
        path = write_safetensors(tmp_path / "m.safetensors", {"w": gaussian(rows, columns)})
        model = open_model(str(path))
        settings = Settings(grid={"start": "2", "stop": "2", "step": "1"}, tile=tile)
        reckoned = run.work_bytes(model.info("w"), settings, 0)
        tracemalloc.start()
        try:
            run.probe(model, settings, budget=reckoned)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert 0.1 * reckoned < peak < reckoned + 2**23
        with pytest.raises(run.BudgetError, match="'w' takes"):
            run.probe(model, settings, budget=reckoned - 1)


def test_changed_weights_change_the_figures_at_once(tmp_path):
    """Nothing is kept from one run to the next: the same path with other bytes gives the figures of those."""
    path = tmp_path / "m.safetensors"
    first = probe(write_safetensors(path, {"w": gaussian(64, 128, 1)}))
    second = probe(write_safetensors(path, {"w": gaussian(64, 128, 2)}))
    third = probe(write_safetensors(path, {"w": gaussian(64, 128, 1)}))
    assert figures(first) == figures(third) != figures(second) and first.model == third.model != second.model


# Shards


def test_thresholds_of_shards_are_those_of_one_process(tmp_path):
    """Bit for bit: the calibrations of the shards, whatever their number, against all scores at once."""
    path = write_safetensors(tmp_path / "m.safetensors", {"w": gaussian(1500, 64) * np.linspace(0.2, 3, 1500, dtype=np.float32)[:, None]})
    scores = shards.row_scores(open_model(str(path)), "w", "e8", 0.02, np.arange(1500))
    with connected("local:2") as client:
        for count in (1, 3, 7, 2000):
            merged = shards.calibrate_rows(str(path), "w", 0.02, "0.9", count, dask=client)
            assert merged.count == 1500
            for q in ("0.9", "0.95", "0.99", "0.999"):
                assert merged.gate(q).threshold == calibrate(scores, q).threshold


def test_a_merge_that_drops_a_shard_is_noticed(tmp_path):
    scores = np.random.default_rng(0).lognormal(0, 1, 1000)
    parts = []
    for some in np.array_split(scores, 5):
        parts.append(Calibration(101))
        parts[-1].add(some)
    assert shards.merged(parts).gate("0.9").threshold == calibrate(scores, "0.9").threshold
    assert shards.merged(parts[1:]).gate("0.9").threshold != calibrate(scores, "0.9").threshold


def test_without_dask_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    path = write_safetensors(tmp_path / "m.safetensors", {"w": gaussian(32, 64)})
    result = CliRunner().invoke(app, ["probe", str(path), "--dask", "local:2"])
    assert result.exit_code == 2 and "gnosis-gates[dask]" in result.stderr and result.stdout == ""


def test_a_member_of_an_npz_is_checked_against_its_checksum(tmp_path):
    buffer = io.BytesIO()
    np.savez(buffer, w=gaussian(16, 32))
    data = bytearray(buffer.getvalue())
    data[400] ^= 1
    (tmp_path / "m.npz").write_bytes(bytes(data))
    with pytest.raises(ModelError, match="'w' at offset .* checksum is wrong"):
        open_model(str(tmp_path / "m.npz"))

"""The sanity gate of the probe, and its report files."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest
from model_files import gaussian, write_gguf, write_safetensors
from probe_support import command, found, probe
from pydantic import ValidationError

from gnosis.models import decode
from gnosis.probe import measure, report, sanity
from gnosis.probe import part as parts
from gnosis.probe.report import Report


@pytest.fixture(scope="module")
def model_file(tmp_path_factory) -> Path:
    return write_safetensors(
        tmp_path_factory.mktemp("probe") / "m.safetensors",
        {
            "model.layers.0.mlp.up_proj.weight": gaussian(96, 320, 1),
            "model.layers.0.self_attn.q_proj.weight": gaussian(64, 200, 2),
            "model.norm.weight": gaussian(1, 64, 3)[0],
        },
    )


@pytest.fixture(scope="module")
def small_report(model_file) -> Report:
    return probe(model_file, rows=64)


# The sanity gate


def byteswapped(values: np.ndarray) -> np.ndarray:
    return values.byteswap().copy()


def one_ulp(values: np.ndarray) -> np.ndarray:
    return np.nextafter(values, np.float32(np.inf))


def shifted(values: np.ndarray) -> np.ndarray:
    return np.roll(values, 1, axis=1)


def scaled(values: np.ndarray) -> np.ndarray:
    return values * np.float32(16)


CORRUPTIONS = [byteswapped, one_ulp, shifted, scaled]


@pytest.mark.parametrize("corrupt", CORRUPTIONS)
@pytest.mark.parametrize("kind", ["safetensors", "F16", "BF16", "Q8_0", "Q4_0", "Q5_0", "Q4_1"])
def test_a_corrupted_decode_aborts(tmp_path, monkeypatch, kind, corrupt):
    w = gaussian(32, 128)
    if kind == "safetensors":
        path = write_safetensors(tmp_path / "m.safetensors", {"blk.0.ffn_up.weight": w})
    else:
        path = write_gguf(tmp_path / "m.gguf", {"blk.0.ffn_up.weight": (w, kind)})
    out = tmp_path / "report.json"
    assert command(path, "--format", "json", "--output", out)[0] == 0
    out.unlink()
    decode_rows = decode.decode_rows
    monkeypatch.setattr(decode, "decode_rows", lambda *args: np.nan_to_num(corrupt(decode_rows(*args))))
    code, stdout, stderr = command(path, "--format", "json", "--output", out)
    assert code == 3 and stdout == "" and not list(tmp_path.glob("*report*"))
    assert "aborted by the sanity gate" in stderr and "blk.0.ffn_up.weight" in stderr and "nothing is reported" in stderr


def test_a_corrupted_decode_in_few_places_aborts(tmp_path, monkeypatch):
    """One nibble order swapped within blocks: statistics are unchanged, only the second decoder can see it."""
    path = write_gguf(tmp_path / "m.gguf", {"blk.0.ffn_up.weight": (gaussian(32, 128), "Q4_0")})
    decode_rows = decode.decode_rows

    def swap(raw, encoding, columns):
        values = decode_rows(raw, encoding, columns)
        return values.reshape(len(values), -1, 2, 16)[:, :, ::-1].reshape(values.shape).copy()

    monkeypatch.setattr(decode, "decode_rows", swap)
    with pytest.raises(sanity.SanityError, match="decoded twice with different results: row"):
        probe(path)


def test_the_library_alone_finds_a_wrong_decode(tmp_path, monkeypatch):
    """With the second decoder knocked out, the library of the format still disagrees."""
    path = write_gguf(tmp_path / "m.gguf", {"blk.0.ffn_up.weight": (gaussian(32, 128), "Q4_0")})
    decode_rows = decode.decode_rows
    monkeypatch.setattr(decode, "decode_rows", lambda *args: one_ulp(decode_rows(*args)))
    monkeypatch.setattr(sanity, "redecode", lambda *_: None)
    with pytest.raises(sanity.SanityError, match="the library gguf reads another value"):
        probe(path)


ABSURD = {
    "zeros": (lambda w: np.zeros_like(w), "RMS"),
    "nearly all zeros": (lambda w: np.where(np.arange(w.size).reshape(w.shape) % 200 == 0, w, 0), "are zero"),
    "huge": (lambda w: w * np.float32(1e30), "RMS"),
    "tiny": (lambda w: w * np.float32(1e-20), "RMS"),
    "random bits": (lambda w: np.where(np.isfinite(r := np.random.default_rng(0).integers(0, 2**32, w.shape, np.uint32).view(np.float32)), r, 1), "RMS"),
    "scattered exponents": (lambda w: w * np.exp2(np.random.default_rng(0).uniform(-15, 15, (len(w), 1))).astype(np.float32), "powers of two"),
}


@pytest.mark.parametrize("fault", ABSURD)
def test_absurd_weights_abort(tmp_path, fault):
    change, text = ABSURD[fault]
    code, stdout, stderr = command(write_safetensors(tmp_path / "m.safetensors", {"lm_head.weight": change(gaussian(64, 128)).astype(np.float32)}))
    assert code == 3 and stdout == "" and text in stderr


def test_a_weight_too_many_steps_away_aborts(tmp_path, monkeypatch):
    """One weight carries nearly all the energy, and lies beyond what the lattice decoders may take."""
    w = gaussian(2**14, 32, scale=1e-6)
    w[0, 0] = 1
    path = write_safetensors(tmp_path / "m.safetensors", {"lm_head.weight": w})
    common = ("--tile", "1", "--rows", 2**14)
    assert command(path, *common)[0] == 0
    monkeypatch.setattr(measure, "MOST_STEPS", 2**10)
    code, _, stderr = command(path, *common)
    assert code == 3 and "steps of" in stderr


def test_a_file_that_the_library_refuses(tmp_path, monkeypatch):
    path = write_safetensors(tmp_path / "m.safetensors", {"w": gaussian(32, 128)})
    import safetensors

    def refuse(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(safetensors, "safe_open", refuse)
    code, _, stderr = command(path)
    assert code == 2 and "refuses the file: broken" in stderr


# Report files


def test_report_round_trip(tmp_path, small_report):
    path = tmp_path / "r.json"
    parts.write(small_report, path)
    assert report.read(path) == small_report
    assert json.loads(path.read_text())["schema"] == "gnosis.probe/3"
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]


def change(data: dict, place: str, value: object) -> None:
    *steps, last = place.split("/")
    for step in steps:
        data = data[int(step) if step.isdigit() else step]
    data[int(last) if last.isdigit() else last] = value


def unsealed(data: dict) -> dict:
    """The same with a fresh digest, so that only the change itself can be at fault."""
    data["digest"] = hashlib.sha256(
        json.dumps({k: v for k, v in data.items() if k != "digest"}, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    ).hexdigest()
    return data


T = "tensors/0/"
CHANGES = [
    ("extra", 1),
    (T + "extra", 1),
    (T + "lattice/gates/0/cubic/truth/vacuity/extra", 1),
    ("schema", "gnosis.probe/1"),
    (T + "lattice/e8_edge", 0.2),
    (T + "bounded/e8_edge", None),
    (T + "lattice/gates/0/cubic/share_admitted", 0.51),
    (T + "lattice/d8/mse", 1.0),
    (T + "lattice/gates/0/e8/admitted", 10**6),
    (T + "lattice/gates/0/e8/admitted", 1),
    (T + "lattice/gates/0/gamma", 1.0),
    (T + "lattice/e8_edge_theory", 0.2),
    (T + "lattice/cell_moment", 0.5),
    (T + "lattice/cell_distance", 0.5),
    (T + "lattice/cell_counts/0", 1),
    (T + "lattice/step", 1.0),
    (T + "tiles", 7),
    (T + "rows_read", 10**6),
    (T + "weights/rms", "NaN"),
    (T + "weights/rms", -1.0),
    (T + "weights/kurtosis", 2.0),
    ("settings/seed", -1),
    ("model/bytes", 3),
    ("model/files/0/sha256", "00"),
    ("tensors", []),
    (T + "bounded/gates/0/gamma_source", "decided"),
    (T + "bounded/cubic/energy", 1.0),
    (T + "sampled", False),
    (T + "admission/admitted", "flip"),
    (T + "admission/cell_filling", "flip"),
    (T + "bounded_admission/all_conformal_admit", "flip"),
    (T + "lattice/conformal/1/levels/0/threshold", 0.5),
    (T + "lattice/conformal/1/levels/0/least_multiplier", 1.0),
    (T + "lattice/conformal/1/levels/0/rank", 3),
    (T + "lattice/conformal/1/levels/0/least_multiplier_exact", "3/2"),
    (T + "lattice/conformal/1/levels/1/admit", "flip"),
    (T + "lattice/conformal/1/top/0", 9.0),
    (T + "lattice/conformal/1/levels/0/exceed/low", 0.3),
    (T + "lattice/conformal/1/levels/0/lies/count", 7),
    (T + "lattice/conformal/1/above_half", 20),
    (T + "lattice/conformal/1/histogram/3", 5),
    (T + "lattice/conformal/1/coverage/0/rank", 5),
    (T + "lattice/conformal/0/multiplier", 2.5),
    (T + "lattice/curve/e8/3", 10**6),
    (T + "lattice/curve/e8", []),
    ("verdict/lattice_admitted", "flip"),
    ("verdict/bounded_admitted", "flip"),
    ("verdict/bounded_tensors_admitted", 9),
    ("verdict/second_of", ["Q4_0"]),
    ("verdict/code", "unbounded lattice"),
    ("layers/0/e8_edge", 0.3),
    ("layers/0/refused", ["x"]),
    ("outliers/0/weights_kurtosis", 1.0),
    ("spine/0/theorem", "Gnosis.other"),
    ("settings/q_values", ["0.9", "0.99"]),
    (T + "cell_tolerance", 0.5),
]


@pytest.mark.parametrize("place, value", CHANGES)
def test_a_changed_report_is_refused(small_report, place, value):
    """Each change alone, sealed again with a fresh digest: it is its figures that give it away."""
    data = json.loads(parts.to_json(small_report))
    Report.model_validate(unsealed(json.loads(json.dumps(data))))
    if value == "flip":
        value = not found(data, place)
    assert found(data, place, missing=True) != value
    change(data, place, value)
    with pytest.raises(ValidationError):
        Report.model_validate(unsealed(data))


def test_a_changed_measurement_breaks_the_seal(small_report):
    """A figure from which nothing follows can be changed unseen, but for the digest."""
    data = json.loads(parts.to_json(small_report))
    data["tensors"][0]["effective_dimension"] += 1
    with pytest.raises(ValidationError, match="digest"):
        Report.model_validate(data)
    assert Report.model_validate(unsealed(data))


def test_nan_is_refused_in_a_file(tmp_path, small_report):
    path = tmp_path / "r.json"
    path.write_text(parts.to_json(small_report).replace(f'"rms": {small_report.tensors[0].weights.rms}', '"rms": NaN', 1))
    assert "NaN" in path.read_text()
    with pytest.raises(ValidationError):
        report.read(path)


def test_a_failed_write_leaves_the_old_file(tmp_path, small_report, monkeypatch):
    path = tmp_path / "r.json"
    path.write_text("old")

    def fail(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        parts.write(small_report, path)
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"] and path.read_text() == "old"

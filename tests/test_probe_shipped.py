"""Real codes beside an original: figures by other code, ranks, refusals, second quantizations, damaged reports."""

from __future__ import annotations

import json
from pathlib import Path

import gguf
import numpy as np
import pytest
from model_files import gaussian, write_gguf, write_safetensors
from probe_support import command

from gnosis.models.files import open_model
from gnosis.probe import beside, run
from gnosis.probe import part as parts
from gnosis.probe.settings import Settings
from gnosis.probe.shipped import Shipped, code_names
from gnosis.probe.validate import DamagedError, load

libgguf = pytest.importorskip("libgguf")

NINE = ("Q2_K", "Q3_K", "Q4_0", "Q4_1", "Q4_K", "Q5_0", "Q5_1", "Q6_K", "Q8_0")
NAME = "blk.0.ffn_up.weight"
WEIGHTS = gaussian(256, 512, 3)


def coded(weights: np.ndarray, code: str) -> np.ndarray:
    return libgguf.quantize_rows(weights, gguf.GGMLQuantizationType[code]).view(np.uint8).reshape(len(weights), -1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("shipped")
    write_gguf(out / "original.gguf", {NAME: (WEIGHTS, "F32")})
    for code in NINE:
        write_gguf(out / f"{code}.gguf", {NAME: (coded(WEIGHTS, code), code)})
    return out


def reports(folder: Path) -> dict[str, Shipped]:
    out = {}
    for code in NINE:
        exit_code, text, _ = command(folder / f"{code}.gguf", "--original", folder / "original.gguf", "--format", "json", "--quiet")
        assert exit_code == 0
        out[code] = Shipped.model_validate_json(text)
    return out


def errors(folder: Path) -> dict[str, float]:
    """√(Σ(w − ŵ)²/Σw²) by gguf's decoder in float64."""
    out = {}
    for code in NINE:
        near = gguf.dequantize(coded(WEIGHTS, code), gguf.GGMLQuantizationType[code]).astype(np.float64)
        out[code] = float(np.sqrt(np.square(WEIGHTS - near).sum() / np.square(WEIGHTS.astype(np.float64)).sum()))
    return out


def rank_by(found: dict[str, float]) -> list[str]:
    return sorted(found, key=lambda code: found[code])


def agree(found: dict[str, Shipped], true: dict[str, float]) -> bool:
    """Whether the errors, and the least multipliers, stand in the order of the true errors."""
    own = {code: r.candidates[0] for code, r in found.items()}
    near = all(c.relative == pytest.approx(true[code], rel=1e-9) and true[code] <= (c.relative_upper or 0) < true[code] * 1.01 for code, c in own.items())
    return near and all(rank_by({code: getattr(c, by) for code, c in own.items()}) == rank_by(true) for by in ("relative", "least_multiplier"))


def test_nine_codes_of_one_matrix_are_ranked_as_their_errors(folder):
    found, true = reports(folder), errors(folder)
    assert agree(found, true)
    listed = command(folder / "original.gguf", "--code", ",".join(NINE).lower(), "--format", "json", "--quiet")[1]
    assert [name.upper() for name in Shipped.model_validate_json(listed).ranking] == rank_by(true)
    # red: two files that stand under each other's name
    assert not agree(found | {"Q2_K": found["Q8_0"], "Q8_0": found["Q2_K"]}, true)


def test_a_second_quantization_ranks_otherwise_and_says_so(folder):
    """What the probe makes of quantized files alone: no verdict about them, and the reader is told on the screen."""
    for code in ("Q2_K", "Q4_0"):
        exit_code, text, _ = command(folder / f"{code}.gguf", "--quiet")
        flat = " ".join(text.split())
        assert exit_code == 0 and flat.count(f"second quantization: the weights are {code} already") == 2 and f"no verdict about {code}" in flat
        assert "admitted:" not in flat and "rejected:" not in flat
        assert command(folder / f"{code}.gguf", "--check", "--quiet")[0] == 2
    flat = " ".join(command(folder / "original.gguf", "--quiet")[1].split())
    assert "second quantization" not in flat
    # the last words: the code with a size, by its name, then the lattices that no file holds
    assert flat.index("bounded 4.5-bit E8 code: ") < flat.index("unbounded lattices, which have no size")
    page = command(folder / "Q2_K.gguf", "--format", "html", "--quiet")[1]
    assert "No verdict about the file" in page and "No verdict" not in command(folder / "original.gguf", "--format", "html", "--quiet")[1]


def test_the_figures_by_other_code(folder):
    found = reports(folder)["Q4_0"].candidates[0].tensors[0]
    near = gguf.dequantize(coded(WEIGHTS, "Q4_0"), gguf.GGMLQuantizationType.Q4_0).astype(np.float64)
    lost = np.square(WEIGHTS - near).sum(1)
    share = np.sqrt(lost / np.square(WEIGHTS.astype(np.float64)).sum(1))
    assert found.energy == pytest.approx(lost.sum(), rel=1e-12) and found.energy_upper >= lost.sum()
    assert found.largest == pytest.approx(np.abs(WEIGHTS - near).max(), rel=1e-12)
    assert found.worst_row == int(share.argmax()) and found.worst_row_upper == pytest.approx(share.max(), rel=1e-6)
    assert found.gate.admitted == int((2 * np.sqrt(lost) <= found.gamma).sum()) and found.bits_per_weight == 4.5
    level = found.conformal.levels[0]
    scores = np.sqrt(lost)
    assert np.isclose(scores, level.threshold, rtol=1e-9).any() and level.exceed.count == (scores > level.threshold * (1 + 1e-12)).sum() - (153 - level.rank)


def test_the_verdict_names_its_code_and_refusals_have_reasons(tmp_path):
    weights = gaussian(64, 64, 5)
    np.save(tmp_path / "w.npy", weights)
    exit_code, text, _ = command(tmp_path / "w.npy", "--code", "q4_0,q8_0", "--quiet")
    flat = " ".join(text.split())
    assert exit_code == 0 and "rejected: q4_0: Q4_0 by libgguf" in flat
    assert "q = 0.99 needs 99 rows, this tensor has 64 (38 of them calibrate)" in flat
    assert "q = 0.99 needs 99 rows, this tensor has 64" in " ".join(command(tmp_path / "w.npy", "--quiet")[1].split())
    assert command(tmp_path / "w.npy", "--code", "q8_0", "--q-values", "0.95", "--quiet", "--check")[0] == 0
    assert command(tmp_path / "w.npy", "--code", "q4_0", "--q-values", "0.95", "--quiet", "--check")[0] == 1


def test_names_of_the_two_conventions_and_several_tensors(tmp_path):
    names = {"model.embed_tokens.weight": "token_embd.weight", "model.layers.0.mlp.up_proj.weight": "blk.0.ffn_up.weight"}
    tensors = {name: gaussian(160, 256, i) for i, name in enumerate(names)}
    write_safetensors(tmp_path / "a.safetensors", tensors)
    writer = gguf.GGUFWriter(tmp_path / "q.gguf", "llama")
    writer.add_block_count(1)
    for name, code in zip(names, ("Q6_K", "Q4_0")):
        writer.add_tensor(names[name], coded(tensors[name], code), raw_dtype=gguf.GGMLQuantizationType[code])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    exit_code, text, err = command(tmp_path / "q.gguf", "--original", tmp_path / "a.safetensors", "--format", "json", "--quiet")
    assert exit_code == 0, err
    (found,) = Shipped.model_validate_json(text).candidates
    assert found.codes == {"Q6_K": 1, "Q4_0": 1} and {t.name: t.stored_name for t in found.tensors} == names
    only = Shipped.model_validate_json(
        command(tmp_path / "q.gguf", "--original", tmp_path / "a.safetensors", "--matrix-type", "q4_0", "--format", "json", "--quiet")[1]
    )
    assert [t.code for t in only.candidates[0].tensors] == ["Q4_0"]


@pytest.mark.parametrize(
    "words, said",
    [
        (["Q4_0.gguf", "--code", "q8_0"], "--code needs weights as they were"),
        (["original.gguf", "--code", "q9_0"], "code = 'q9_0'"),
        (["original.gguf", "--code", "q4_0,Q4_0"], "is given twice"),
        (["original.gguf", "--code", "f32"], "is no code of weights"),
        (["original.gguf", "--code", "q4_0", "--format", "html"], "--format html"),
        (["Q4_0.gguf", "--original", "original.gguf", "--certificates", "x.jsonl"], "--certificates does not go with"),
        (["Q4_0.gguf", "--original", "missing.gguf"], "missing.gguf"),
    ],
)
def test_what_cannot_be_asked_for(folder, words, said):
    exit_code, _, err = command(*(folder / word if word.endswith((".gguf", ".jsonl")) else word for word in words))
    assert exit_code == 2 and said in " ".join(err.split())


def test_code_names():
    assert code_names(["q4_0, q8_0", "IQ4_NL"]) == ["Q4_0", "Q8_0", "IQ4_NL"]


def test_a_wrong_decode_ends_it(folder, monkeypatch):
    """Red: a decoder that is off is found by the second one, for files and for what is made here."""
    monkeypatch.setattr(beside, "redecode", lambda raw, code, width: np.zeros(512, np.float32))
    with pytest.raises(beside.sanity.SanityError, match="decodes to two different things"):
        beside.measure(open_model(str(folder / "original.gguf")), None, [], ["q4_0"], Settings(), budget=run.BUDGET, workers=1)


def test_reports_are_read_back_and_damage_is_found(folder, tmp_path):
    report = reports(folder)["Q4_0"]
    path = tmp_path / "r.json"
    path.write_text(parts.to_json(report))
    assert load(path)[0] == report
    for place, value in (("relative", 0.01), ("admitted", True), ("codes", {"Q8_0": 1})):
        data = json.loads(path.read_text())
        assert data["candidates"][0][place] != value
        data["candidates"][0][place] = value
        (tmp_path / "bad.json").write_text(json.dumps(data))
        with pytest.raises(DamagedError, match=place):
            load(tmp_path / "bad.json")

"""Certificates: every gate's decisions written, read and replayed; every field edited and refused for its own reason."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from certificates_support import ROOT, chained, reasons, write
from hypothesis import given
from hypothesis import strategies as st
from model_files import gaussian, write_gguf, write_safetensors
from typer.testing import CliRunner

from gnosis.certificates import kinds, tiles
from gnosis.certificates.records import Certificate, Writer, read
from gnosis.certificates.values import FromModel
from gnosis.cli import app
from gnosis.codes import families as codes
from gnosis.conformance.verify import again as v
from gnosis.conformance.verify.again import verify
from gnosis.conformance.verify.examples import CALIBRATED, CHARGE, EXAMPLES, SCORES
from gnosis.conformance.verify.requests import Asked, Request
from gnosis.errors import ArgumentError, DtypeError, LengthError, RangeError
from gnosis.files.grammar import number_of, number_text
from gnosis.gates.basin import BasinController, BasinFlowGate, BasinGate, BasinVectorGate
from gnosis.gates.betting import BettingGate
from gnosis.gates.conformal_jit import ConformalJitGate
from gnosis.gates.energy import BlockedGate, EnergyGate, SidecarGate, SplitGate
from gnosis.gates.jit import JitGate
from gnosis.gates.margin import MarginGate, RowGate, TopKGate, TwoStageGate
from gnosis.gates.served import HellingerGate, ServedGate, SpreadGate
from gnosis.gates.tukey import TukeyGate
from gnosis.gates.union import UnionGate
from gnosis.models.files import Model, open_model
from gnosis.probe import certify


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("certificates") / "all.jsonl")


# ---- writing, reading, replaying --------------------------------------------------------------------------------------


def test_samples_cover_every_kind_and_both_answers(full: Path) -> None:
    found = {(line.item.kind.name, line.item.admit) for line in read(full) if isinstance(line.item, Certificate)}
    assert found == {(kind.name, admit) for kind in kinds.KINDS for admit in (True, False)}


def test_every_gate_of_the_package_has_a_kind() -> None:
    defined = {name for path in (ROOT / "pysrc" / "gnosis" / "gates").glob("*.py") for name in re.findall(r"^class (\w+Gate)\b", path.read_text(), re.M)}
    assert defined and defined <= {kind.gate.__name__ for kind in kinds.KINDS}


def test_replay_by_the_exact_reference(full: Path) -> None:
    report = verify(full)
    assert report.refused == [] and report.code == 0 and report.complete
    assert report.certificates == report.exact == 2 * len(EXAMPLES)
    assert report.lean == {"whole": 2 * len(EXAMPLES) - 21, "part": 19, "none": 2}
    assert report.oracle is None and report.kernel is None  # not asked, and not claimed


def test_replay_by_lean(full: Path) -> None:
    report = verify(full, oracle=True)
    assert report.refused == [] and report.code == 0
    assert report.oracle >= 2 * len(EXAMPLES)


def test_replay_by_the_kernel(full: Path) -> None:
    report = verify(full, kernel=True)
    assert report.refused == [] and report.code == 0
    assert report.kernel >= 2 * len(EXAMPLES)


def test_lean_refuses_a_wrong_answer(full: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the exact reference that both Python sides share: only Lean can see it."""
    monkeypatch.setattr(v, "asked", lambda *_: Asked((Request("tukeyAdmit", (1, 1), True),)))
    monkeypatch.setattr(v.targets, "load", lambda: {"tukey": [v.targets.Target("tukeyAdmit", lambda r, γ: True, None)]})
    path = write(tmp_path / "one.jsonl", EXAMPLES[13:14])
    assert {r.reason for r in verify(path).refused} == set()
    assert {r.reason for r in verify(path, oracle=True).refused} == {"oracle"}
    assert {r.reason for r in verify(path, kernel=True).refused} == {"kernel"}


def test_a_wrong_mirror_is_seen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(v.targets, "load", lambda: {"tukey": [v.targets.Target("tukeyAdmit", lambda r, γ: True, None)]})
    report = verify(write(tmp_path / "one.jsonl", EXAMPLES[13:14]))
    assert [(r.line, r.reason) for r in report.refused] == [(3, "decision")]


def test_batches_are_written_row_by_row(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    floats = rng.standard_normal
    batches: list[tuple[Any, tuple]] = [
        (EnergyGate(2), (floats((4, 3)), floats(3))),
        (SidecarGate(2), (abs(floats(4)), abs(floats(4)))),
        (SidecarGate(2), (abs(floats(4)), 1.5)),
        (BlockedGate(2), (abs(floats((4, 3))), abs(floats((4, 3))))),
        (SplitGate(2), (abs(floats(4)), floats(3), np.array([True, False, False]))),
        (MarginGate(0.25), (floats((4, 3)).astype(np.float32),)),
        (RowGate([0.25, 0.5, 0.125]), (floats((4, 3)),)),
        (TopKGate(2, 0.125), (floats((4, 3)),)),
        (TwoStageGate(1, 1, 0.0625), (floats((4, 2, 3)),)),
        (JitGate(), (floats((4, 3)), abs(floats(3)), abs(floats(4)))),
        (TukeyGate(1), (floats(4),)),
        (CALIBRATED, (np.array([3.5, 4.0, 3.0, 5.0]),)),
        (ConformalJitGate(CALIBRATED), (floats((4, 3)), abs(floats(4)))),
        (BasinGate(1), (floats((4, 3)),)),
        (BasinVectorGate(1), (abs(floats((4, 3))),)),
        (BasinFlowGate(1), (abs(floats(3)), abs(floats((4, 3))), 0)),
        (CHARGE, (np.array([CHARGE.reserve] * 4), np.arange(4), CHARGE.reserve + 6)),
        (UnionGate(".1"), (".01", 4)),
        (UnionGate(".1"), ([".01", ".02", ".03", ".04"], np.arange(4))),
        (ServedGate(".1"), (1 + abs(floats(4)) / 4,)),
        (SpreadGate(".1"), (abs(floats(4)),)),
        (HellingerGate(".1"), (abs(floats(3)), abs(floats((4, 3))))),
        (BettingGate(".5", ".1"), (1, rng.random((4, 6)))),
    ]
    with Writer(tmp_path / "batches.jsonl") as out:
        for gate, arguments in batches:
            assert (out.decide_many(gate, *arguments) == gate.decide_many(*arguments)).all()
    report = verify(tmp_path / "batches.jsonl")
    assert report.code == 0 and report.exact == 4 * len(batches)


def test_a_batch_that_differs_is_not_written(tmp_path: Path) -> None:
    class Wrong(TukeyGate):
        pass

    with Writer(tmp_path / "a.jsonl") as out, pytest.raises(DtypeError):
        out.decide(Wrong(1), 1)
    gate = TukeyGate(1)
    object.__setattr__(gate, "decide_many", lambda r: np.array([True, True]))
    with pytest.raises(AssertionError, match="differ at entry 1"), Writer(tmp_path / "b.jsonl") as out:
        out.decide_many(gate, np.array([0.25, 3.0]))
    assert verify(tmp_path / "b.jsonl").code == 3


def test_a_verdict_that_was_given_before(tmp_path: Path) -> None:
    with Writer(tmp_path / "a.jsonl") as out:
        for gate, arguments, named in (
            (SidecarGate(0.25), (0.01, 1), {}),
            (CALIBRATED, (4,), {}),
            (CALIBRATED, (4,), {"scores": SCORES}),
            (HellingerGate(".1"), (np.array([2e30, 4e30]), np.array([6, 4])), {}),
        ):
            out.add(gate, gate.decide(*arguments), *arguments, **named)
    assert verify(tmp_path / "a.jsonl").code == 0


def test_the_controller_itself_takes_the_step(tmp_path: Path) -> None:
    controller = BasinController(1)
    with Writer(tmp_path / "a.jsonl") as out:
        answers = [out.decide(controller, bound, method="step").admit for bound in (0.5, 0.5, 0.25)]
    assert answers == [True, False, True] and controller.spent == Fraction(3, 4)
    assert verify(tmp_path / "a.jsonl").code == 0


@pytest.mark.parametrize("arguments, error", [((0.1,), DtypeError), ((0.1, 1, 2), LengthError), ((float("nan"), 1), ArgumentError), ((-1, 1), ArgumentError)])
def test_bad_arguments_write_nothing(tmp_path: Path, arguments: tuple, error: type) -> None:
    with Writer(tmp_path / "a.jsonl") as out:
        with pytest.raises(error):
            out.decide(SidecarGate(0.25), *arguments)
        with pytest.raises(DtypeError):
            out.decide(SidecarGate(0.25), 0.1, B=1)
        with pytest.raises(DtypeError):
            out.decide("a gate", 0.1)
    assert verify(tmp_path / "a.jsonl").certificates == 0
    with pytest.raises(FileExistsError):
        Writer(tmp_path / "a.jsonl")


# ---- numbers -----------------------------------------------------------------------------------------------------------


@given(st.one_of(st.fractions(), st.floats(allow_nan=False, allow_infinity=False).map(Fraction), st.integers(-(10**40), 10**40).map(Fraction)))
def test_a_number_has_one_text(x: Fraction) -> None:
    assert number_of(number_text(x)) == x


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1.5",
        "1e3",
        "+1",
        "01",
        "0x5",
        "0X1p3",
        "-0",
        "2/4",
        "4/2^2",
        "3/4",
        "1/0",
        "1/2^0",
        "1/-2",
        "nan",
        "inf",
        " 1",
        "1 ",
        "1_0",
        "١",
        "1/2^9999999",
        "1/2^999999",
        "0x" + "f" * 70000,
        1,
        1.5,
        None,
        True,
        [1],
    ],
)
def test_any_other_text_is_none(text: Any) -> None:
    with pytest.raises(ArgumentError):
        number_of(text)


def test_a_number_too_long_is_not_written(tmp_path: Path) -> None:
    with Writer(tmp_path / "a.jsonl") as out, pytest.raises(RangeError, match="at most 262144 bits"):
        out.decide(TukeyGate(1), 1 << 300_000)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    path = write(
        tmp_path_factory.mktemp("three") / "a.jsonl",
        [(EnergyGate(0.25), "decide", ([0.01, -0.02], [1, 0.5])), (SidecarGate(0.25), "decide", (0.01, 1)), (TukeyGate(1), "decide", (0.25,))],
    )
    return [json.loads(line) for line in path.read_bytes().splitlines()]


# ---- inputs from a model ----------------------------------------------------------------------------------------------------


def tile_certificates(path: Path, model: Model, tensor: str, rows: int = 3, n: int = 64) -> Path:
    """The energy gate on the first tiles of some rows, in every code: by the energy of the residual, and by the residual itself."""
    with Writer(path, tiles.identity(model)) as out:
        w = np.ascontiguousarray(model.rows(tensor, np.arange(rows))[:, n : 2 * n])
        for family, code in (*(("lattice", c) for c in tiles.NEAREST), ("bounded", "cubic"), ("bounded", "e8")):
            step = np.float32(0.02) if family == "lattice" else None
            decoded = tiles.decoded(w, family, code, step)
            for i, E in enumerate(tiles.exact_energies(w, decoded)):
                assert E == sum((Fraction(float(a)) - Fraction(float(b))) ** 2 for a, b in zip(w[i], decoded[i]))
                tile = tiles.tile_of(tensor, i, n, w[i], family, code, step)
                out.decide(SidecarGate(0.25), FromModel(tile, E), 1)
                residual = [Fraction(float(a)) - Fraction(float(b)) for a, b in zip(w[i], decoded[i])]
                out.decide(EnergyGate(0.25), FromModel(tile, residual), [0.125] * n)
    return path


@pytest.fixture(scope="module")
def coded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A GGUF file of Q8_0 blocks, and certificates about it."""
    folder = tmp_path_factory.mktemp("model")
    file = write_gguf(folder / "model.gguf", {"blk.0.ffn_up.weight": (gaussian(8, 256), "Q8_0"), "output.weight": (gaussian(8, 256, 1), "F32")})
    return file, tile_certificates(folder / "tiles.jsonl", open_model(str(file)), "blk.0.ffn_up.weight")


def test_residuals_are_computed_again(coded: tuple[Path, Path]) -> None:
    file, path = coded
    report = verify(path, open_model(str(file)))
    assert report.code == 0 and report.certificates == report.exact == report.from_model == 30
    # without the model a residual cannot be replayed; an energy can, as it stands, and the report says what was not done
    without = verify(path)
    assert without.code == 4 and without.exact == 15 and without.from_model == 0 and sum(without.not_replayed.values()) == 30


def test_a_tile_of_a_real_model(tmp_path: Path) -> None:
    model = open_model("minilm")
    path = tile_certificates(tmp_path / "a.jsonl", model, "encoder.layer.0.attention.self.query.weight")
    report = verify(path, model, oracle=True)
    assert report.code == 0 and report.from_model == report.exact == 30 and report.oracle == 30


PLACE = {
    "tensor unknown": ("tensor", "x"),
    "tensor another": ("tensor", "output.weight"),
    "row": ("row", 2),
    "row outside": ("row", 8),
    "columns": ("columns", [32, 96]),
    "columns outside": ("columns", [224, 288]),
    "columns uneven": ("columns", [60, 124]),
    "columns none": ("columns", [64, 64]),
    "family": ("family", "bounded"),
    "family unknown": ("family", "x"),
    "code": ("code", "e8"),
    "code unknown": ("code", "x"),
    "step": ("step", "1/2^6"),
    "step negative": ("step", "-1/2^6"),
    "step no float32": ("step", "1/3"),
    "step none": ("step", None),
    "weights": ("weights", "0" * 64),
}


@pytest.mark.parametrize("name", PLACE)
def test_an_edited_place_is_refused(coded: tuple[Path, Path], tmp_path: Path, name: str) -> None:
    file, path = coded
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    key, value = PLACE[name]
    lines[1]["inputs"]["E"]["residual energy of"][key] = value
    lines[2]["inputs"]["residual"]["residual of"][key] = value
    found = reasons(chained(lines), tmp_path, model=open_model(str(file)))
    assert {(2, "inputs"), (3, "inputs")} <= found and {line for line, _ in found} <= {2, 3, 4, len(lines)}


def test_an_edited_energy_and_an_edited_hash(coded: tuple[Path, Path], tmp_path: Path) -> None:
    file, path = coded
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    E = number_of(lines[1]["inputs"]["E"]["value"]) / 2
    lines[1]["inputs"]["E"]["value"] = number_text(E)
    lines[1]["margin"] = number_text(Fraction(1, 16) - 4 * E)  # a certificate that is right about a residual that is not there
    lines[2]["inputs"]["residual"]["sha256"] = "0" * 64
    lines[4]["inputs"]["residual"]["count"] = 63
    content = chained(lines)
    assert reasons(content, tmp_path, model=open_model(str(file))) == {(2, "inputs"), (3, "inputs"), (5, "inputs")}
    assert reasons(content, tmp_path) == set() and verify(tmp_path / "edited.jsonl").code == 4


def test_another_model(coded: tuple[Path, Path], tmp_path: Path) -> None:
    _, path = coded
    other = write_gguf(tmp_path / "model.gguf", {"blk.0.ffn_up.weight": (gaussian(8, 256, 5), "Q8_0"), "output.weight": (gaussian(8, 256, 1), "F32")})
    report = verify(path, open_model(str(other)))
    assert {r.reason for r in report.refused} == {"model", "inputs"} and report.exact == 0
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    lines[0]["model"] = None
    assert {reason for _, reason in reasons(chained(lines), tmp_path)} == {"model"}


# ---- the command ----------------------------------------------------------------------------------------------------------


def test_the_command(full: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "gnosis", "verify", str(full)], capture_output=True, text=True)
    assert done.returncode == 0 and not done.stderr
    assert f"exact reference: {2 * len(EXAMPLES)} hold" in done.stdout and "Lean's kernel: not asked" in done.stdout


@pytest.mark.parametrize(
    "code, change",
    [
        (0, lambda c: c),
        (1, lambda c: c.replace(b'"admit":true', b'"admit":false')),
        (2, lambda c: b"PNG\r\n"),
        (2, lambda c: b""),
        (2, lambda c: None),
        (3, lambda c: c[:-20]),
        (3, lambda c: b"".join(c.splitlines(keepends=True)[:-1])),
    ],
)
def test_exit_codes(three: list[dict], tmp_path: Path, code: int, change: Callable[[bytes], bytes | None]) -> None:
    content = change(chained(three))
    if content is not None:
        (tmp_path / "a.jsonl").write_bytes(content)
    for words in ([], ["--json"]):
        done = CliRunner().invoke(app, ["verify", str(tmp_path / "a.jsonl"), *words])
        assert done.exit_code == code and (done.exception is None or isinstance(done.exception, SystemExit))
        if code == 2:
            assert done.stderr.startswith("error: ") and len(done.stderr.splitlines()) == 1 and not done.stdout
        elif words:
            assert json.loads(done.stdout)["code"] == code and not done.stderr


# ---- the probe ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_safetensors(tmp_path_factory.mktemp("small") / "model.safetensors", {"layer.0.ffn_up.weight": gaussian(24, 128)})


def test_the_probe_writes_what_it_admits(small: Path, tmp_path: Path) -> None:
    path = tmp_path / "tiles.jsonl"
    words = ["probe", str(small), "--profile", "dev-fast", "--tile", "8", "--rows", "16", "--format", "json", "--certificates", str(path)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.stderr
    (tensor,) = json.loads(done.stdout)["tensors"]
    gates = [g for family in ("lattice", "bounded") for g in tensor[family]["gates"] if g["norm"] == "energy" and g["activation"] == "unit"]
    admitted = sum(g[code]["admitted"] for g in gates for code in codes.CODES)
    report = verify(path, open_model(str(small)))
    assert report.code == 0 and report.exact == report.from_model == admitted > 50
    again = CliRunner().invoke(app, words)
    assert again.exit_code == 2 and "the file exists" in again.stderr and len(again.stderr.splitlines()) == 1
    assert CliRunner().invoke(app, [*words[:5], "1", *words[6:-1], str(tmp_path / "b.jsonl")]).exit_code == 2  # tiles of 8 weights
    assert not (tmp_path / "b.jsonl").exists()


def test_another_count_than_the_report_is_an_error(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exact = certify.SidecarGate
    monkeypatch.setattr(certify, "SidecarGate", lambda gamma: exact(gamma * 1.01))
    done = CliRunner().invoke(app, ["probe", str(small), "--profile", "dev-fast", "--tile", "8", "--certificates", str(tmp_path / "a.jsonl"), "--quiet"])
    assert done.exit_code == 2 and "the report says" in done.stderr and not (tmp_path / "a.jsonl").exists()

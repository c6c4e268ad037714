"""Certificates: every gate's decisions written, read and replayed; every field edited and refused for its own reason."""
from __future__ import annotations

import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_files import gaussian, write_gguf, write_safetensors
from typer.testing import CliRunner

from gnosis.certificates import kinds, tiles
from gnosis.certificates import records as certificates
from gnosis.certificates.records import Certificate, CertificateError, End, Header, Writer, lock_hash, parse_line, read, statements
from gnosis.certificates.values import FromModel
from gnosis.cli import app
from gnosis.codes import families as codes
from gnosis.conformance.verify import again as v
from gnosis.conformance.verify import examples
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

ROOT = Path(__file__).parents[1]


def write(path: Path, samples: list = EXAMPLES) -> Path:
    examples.write(path, samples)
    return path


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("certificates") / "all.jsonl")


def chained(lines: list[dict | bytes]) -> bytes:
    """Lines with hashes that fit, whatever they say: what somebody writes who edits a certificate and knows how hashes are made."""
    out, previous = b"", certificates.START
    for line in lines:
        body = line if isinstance(line, bytes) else json.dumps({k: x for k, x in line.items() if k != "chain"}, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
        previous = hashlib.sha256(previous.encode() + body).hexdigest()
        out += body + b',"chain":"' + previous.encode() + b'"}\n'
    return out


def plain(lines: list[dict]) -> bytes:
    """Lines with the hashes that stand in them."""
    return b"".join(json.dumps({**line, "chain": line.get("chain")} if list(line)[-1] == "chain" else {k: line[k] for k in (*sorted(line.keys() - {"chain"}), "chain")},
                               ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines)


def reasons(content: bytes, folder: Path, **options: Any) -> set[tuple[int, str]]:
    path = folder / "edited.jsonl"
    path.write_bytes(content)
    return {(r.line, r.reason) for r in verify(path, **options).refused}


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
    assert report.lean == {"whole": 2 * len(EXAMPLES) - 14, "part": 12, "none": 2}
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
        (EnergyGate(2), (floats((4, 3)), floats(3))), (SidecarGate(2), (abs(floats(4)), abs(floats(4)))), (SidecarGate(2), (abs(floats(4)), 1.5)),
        (BlockedGate(2), (abs(floats((4, 3))), abs(floats((4, 3))))), (SplitGate(2), (abs(floats(4)), floats(3), np.array([True, False, False]))),
        (MarginGate(.25), (floats((4, 3)).astype(np.float32),)), (RowGate([.25, .5, .125]), (floats((4, 3)),)), (TopKGate(2, .125), (floats((4, 3)),)),
        (TwoStageGate(1, 1, .0625), (floats((4, 2, 3)),)), (JitGate(), (floats((4, 3)), abs(floats(3)), abs(floats(4)))), (TukeyGate(1), (floats(4),)),
        (CALIBRATED, (np.array([3.5, 4.0, 3.0, 5.0]),)), (ConformalJitGate(CALIBRATED), (floats((4, 3)), abs(floats(4)))), (BasinGate(1), (floats((4, 3)),)),
        (BasinVectorGate(1), (abs(floats((4, 3))),)), (BasinFlowGate(1), (abs(floats(3)), abs(floats((4, 3))))),
        (CHARGE, (np.array([CHARGE.reserve] * 4), np.arange(4), CHARGE.reserve + 6)), (UnionGate(".1"), (".01", 4)),
        (UnionGate(".1"), ([".01", ".02", ".03", ".04"], np.arange(4))),
        (ServedGate(".1"), (1 + abs(floats(4)) / 4,)), (SpreadGate(".1"), (abs(floats(4)),)), (HellingerGate(".1"), (abs(floats(3)), abs(floats((4, 3))))),
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
        out.decide_many(gate, np.array([.25, 3.0]))
    assert verify(tmp_path / "b.jsonl").code == 3


def test_a_verdict_that_was_given_before(tmp_path: Path) -> None:
    with Writer(tmp_path / "a.jsonl") as out:
        for gate, arguments, named in ((SidecarGate(.25), (.01, 1), {}), (CALIBRATED, (4,), {}), (CALIBRATED, (4,), {"scores": SCORES}),
                                       (HellingerGate(".1"), (np.array([2e30, 4e30]), np.array([6, 4])), {})):
            out.add(gate, gate.decide(*arguments), *arguments, **named)
    assert verify(tmp_path / "a.jsonl").code == 0


def test_the_controller_itself_takes_the_step(tmp_path: Path) -> None:
    controller = BasinController(1)
    with Writer(tmp_path / "a.jsonl") as out:
        answers = [out.decide(controller, bound, method="step").admit for bound in (.5, .5, .25)]
    assert answers == [True, False, True] and controller.spent == Fraction(3, 4)
    assert verify(tmp_path / "a.jsonl").code == 0


@pytest.mark.parametrize("arguments, error", [((.1,), DtypeError), ((.1, 1, 2), LengthError), ((float("nan"), 1), ArgumentError), ((-1, 1), ArgumentError)])
def test_bad_arguments_write_nothing(tmp_path: Path, arguments: tuple, error: type) -> None:
    with Writer(tmp_path / "a.jsonl") as out:
        with pytest.raises(error):
            out.decide(SidecarGate(.25), *arguments)
        with pytest.raises(DtypeError):
            out.decide(SidecarGate(.25), .1, B=1)
        with pytest.raises(DtypeError):
            out.decide("a gate", .1)
    assert verify(tmp_path / "a.jsonl").certificates == 0
    with pytest.raises(FileExistsError):
        Writer(tmp_path / "a.jsonl")


# ---- numbers -----------------------------------------------------------------------------------------------------------


@given(st.one_of(st.fractions(), st.floats(allow_nan=False, allow_infinity=False).map(Fraction), st.integers(-10**40, 10**40).map(Fraction)))
def test_a_number_has_one_text(x: Fraction) -> None:
    assert number_of(number_text(x)) == x


@pytest.mark.parametrize("text", ["", "1.5", "1e3", "+1", "01", "0x5", "0X1p3", "-0", "2/4", "4/2^2", "3/4", "1/0", "1/2^0", "1/-2", "nan", "inf", " 1", "1 ",
                                  "1_0", "١", "1/2^9999999",
                                  "1/2^999999", "0x" + "f" * 70000, 1, 1.5, None, True, [1]])
def test_any_other_text_is_none(text: Any) -> None:
    with pytest.raises(ArgumentError):
        number_of(text)


def test_a_number_too_long_is_not_written(tmp_path: Path) -> None:
    with Writer(tmp_path / "a.jsonl") as out, pytest.raises(RangeError, match="at most 262144 bits"):
        out.decide(TukeyGate(1), 1 << 300_000)


# ---- editing -----------------------------------------------------------------------------------------------------------


def _set(**fields: Any) -> Callable[[dict], None]:
    return lambda line: line.update(fields)


def _inside(part: str, name: str, value: Any) -> Callable[[dict], None]:
    return lambda line: line[part].update({name: value})


# line 3 is SidecarGate(.25).decide(.01, 1), after one line for EnergyGate admitted
EDITS: dict[str, tuple[Callable[[dict], None], str]] = {
    "gate unknown": (_set(gate="OpenGate"), "gate"),
    "gate another": (_set(gate="TukeyGate"), "parameters"),
    "parameter": (_inside("parameters", "gamma", "3/2^3"), "margin"),
    "parameter flips": (_inside("parameters", "gamma", "1/2^9"), "admit"),
    "parameter impossible": (_inside("parameters", "gamma", "-1"), "parameters"),
    "parameter type": (_inside("parameters", "strict", "false"), "parameters"),
    "parameter strict": (_inside("parameters", "strict", True), "theorem"),
    "parameter unknown": (_inside("parameters", "delta", "1"), "parameters"),
    "theorem unknown": (_set(theorem="Gnosis.energy_sidecar_unsound"), "theorem"),
    "theorem another": (_set(theorem="Gnosis.energy_bridge_sound"), "theorem"),
    "statement": (_set(statement="0" * 64), "statement"),
    "statement of another": (_set(statement=statements()["Gnosis.energy_bridge_sound"]), "statement"),
    "statement no hash": (_set(statement="x"), "statement"),
    "decision": (_set(decision="energySidecarAdmitStrict"), "decision"),
    "decision none": (_set(decision=None), "decision"),
    "input E": (_inside("inputs", "E", "1/2^9"), "margin"),
    "input A": (_inside("inputs", "A", "2"), "admit"),
    "input negative": (_inside("inputs", "A", "-2"), "inputs"),
    "input a JSON number": (_inside("inputs", "A", 1), "inputs"),
    "input not canonical": (_inside("inputs", "A", "2/2"), "inputs"),
    "input unknown": (_inside("inputs", "B", "2"), "inputs"),
    "input missing": (lambda line: line["inputs"].pop("A"), "inputs"),
    "verdict": (_set(admit=False), "admit"),
    "verdict type": (_set(admit=1), "admit"),
    "margin": (_set(margin="1"), "margin"),
    "margin none": (_set(margin=None), "margin"),
    "assumes less": (lambda line: line["assumes"].pop(), "assumes"),
    "assumes more": (lambda line: line["assumes"].append("the sky is blue"), "assumes"),
    "assumes order": (lambda line: line["assumes"].reverse(), "assumes"),
    "number": (_set(n=7), "n"),
    "number type": (_set(n=True), "n"),
    "field unknown": (_set(note="x"), "line"),
    "field missing": (lambda line: line.pop("assumes"), "line"),
}


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    path = write(tmp_path_factory.mktemp("three") / "a.jsonl",
                 [(EnergyGate(.25), "decide", ([.01, -.02], [1, .5])), (SidecarGate(.25), "decide", (.01, 1)), (TukeyGate(1), "decide", (.25,))])
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.mark.parametrize("name", EDITS)
def test_an_edited_field_is_refused_for_its_reason(three: list[dict], tmp_path: Path, name: str) -> None:
    edit, reason = EDITS[name]
    lines = json.loads(json.dumps(three))
    edit(lines[2])
    # with hashes made anew
    found = reasons(chained(lines), tmp_path)
    assert (3, reason) in found and {line for line, _ in found} <= {3, 4}
    # and by somebody who leaves the hashes alone
    assert {(3, reason), (3, "chain")} <= reasons(plain(lines), tmp_path)


@pytest.mark.parametrize("field, value, reason", [
    ("version", 2, "version"), ("version", True, "version"), ("format", "gnosis.account", "line"), ("package", "x", "package"), ("package", 1, "package"),
    ("lock", "x", "lock"), ("model", "x", "model"), ("model", {}, "model"),
    ("model", {"name": "a", "files": [{"file": "a", "bytes": -1, "sha256": "0" * 64}]}, "model")])
def test_an_edited_first_line_is_not_read(three: list[dict], tmp_path: Path, field: str, value: Any, reason: str) -> None:
    (tmp_path / "a.jsonl").write_bytes(chained([{**three[0], field: value}, *three[1:]]))
    with pytest.raises(v.NotCertificates, match=reason):
        verify(tmp_path / "a.jsonl")


def test_another_lock(three: list[dict], tmp_path: Path) -> None:
    content = chained([{**three[0], "lock": "0" * 64}, *three[1:]])
    assert reasons(content, tmp_path) == {(1, "lock")}
    assert reasons(content, tmp_path, any_lock=True) == set()
    other = json.loads(json.dumps(three))
    other[0]["lock"] = other[2]["statement"] = "0" * 64
    assert reasons(chained(other), tmp_path, any_lock=True) == {(3, "statement")}


@pytest.mark.parametrize("old, new", [("energy", "energies"), ("meaning_sha256: ", "meaning_sha256: 0")])
def test_a_changed_statement_makes_old_certificates_refused(three: list[dict], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    """One word, or one hash, of the locked statement of the theorem of line 3."""
    folder = tmp_path / "audits"
    folder.mkdir()
    shutil.copy(ROOT / "audits" / "definitions.lock", folder)
    entries = (ROOT / "audits" / "headline.yaml").read_text(encoding="utf-8").split("\n- name: ")
    at = next(i for i, e in enumerate(entries) if e.startswith("Gnosis.energy_sidecar_sound\n"))
    head, statement = entries[at].split("  statement: ", 1)
    entries[at] = head + "  statement: " + statement.replace(old, new, 1)
    (folder / "headline.yaml").write_text("\n- name: ".join(entries), encoding="utf-8")
    assert lock_hash(folder) != lock_hash()
    changed = statements(folder)
    monkeypatch.setattr(v, "statements", lambda: changed)
    monkeypatch.setattr(v, "lock_hash", lambda: lock_hash(folder))
    content = chained(three)
    assert reasons(content, tmp_path) == {(1, "lock"), (3, "statement")}
    assert reasons(content, tmp_path, any_lock=True) == {(3, "statement")}


@pytest.mark.parametrize("order, expected", [
    ([0, 1, 3, 4], {(3, "n"), (4, "end")} - {(4, "end")}),        # one is missing
    ([0, 1, 2, 2, 3, 4], {(4, "n")}),                           # one stands twice
    ([0, 2, 1, 3, 4], {(2, "n"), (3, "n"), (4, "n")}),          # out of order
    ([0, 1, 2, 4], {(4, "end")}),                              # the last one is missing
    ([0, 1, 2, 3, 4, 3], {(6, "end"), (6, "n")}),              # one behind the end
    ([0, 0, 1, 2, 3, 4], {(2, "line")}),                       # two first lines
    ([0, 1, 2, 3, 4, 4], {(6, "end")})])
def test_order(three: list[dict], tmp_path: Path, order: list[int], expected: set) -> None:
    assert reasons(chained([three[i] for i in order]), tmp_path) == expected
    found = reasons(plain([three[i] for i in order]), tmp_path)
    assert expected <= found and any(reason == "chain" for _, reason in found)


def test_scores_with_another_threshold_and_a_radius_that_is_spent() -> None:
    kind, scores = kinds.kind_of(CALIBRATED), [Fraction(x) for x in SCORES]
    assert kind.verdict(CALIBRATED, {"gamma": Fraction(4), "scores": scores}).assumes
    for wrong in ([x + 100 for x in scores], scores[:-1]):
        with pytest.raises(RangeError, match="another threshold"):
            kind.verdict(CALIBRATED, {"gamma": Fraction(4), "scores": wrong})
    kind = kinds.kind_of(BasinController(1), "step")
    with pytest.raises(RangeError, match="never spends"):
        kind.verdict(BasinController(1), {"bound": Fraction(0), "spent": Fraction(1)})


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, Path("/dev/null"), Path("/dev/zero")):
        result = CliRunner().invoke(app, ["verify", str(path)])
        assert result.exit_code == 2 and "not a regular file" in result.stderr and not result.stdout


def test_a_name_that_is_no_text_can_be_printed(three: list[dict], tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path / "a") + b"\xff.jsonl"))
    first = {**three[0], "model": {"name": "a\x1b", "files": [{"file": "b", "bytes": 1, "sha256": "0" * 64}]}}
    del first["chain"]
    path.write_bytes(chained([json.dumps(first, separators=(",", ":")).encode()[:-1], *three[1:]]))
    report = verify(path)
    text = json.dumps(report.to_dict(), ensure_ascii=False)
    assert report.code == 0 and text.encode() and report.path.endswith("a\\udcff.jsonl")


def test_denominators_of_a_line_are_added_up_before_any_is_made() -> None:
    def line(count: int) -> bytes:
        return b'{"x":[' + b",".join([b'"1/2^262144"'] * count) + b'],"chain":"' + b"0" * 64 + b'"}'
    with pytest.raises(CertificateError, match="denominators of more than"):
        parse_line(line(65))
    with pytest.raises(CertificateError, match="unknown field|missing field"):
        parse_line(line(64))


def test_a_hash_alone(three: list[dict], tmp_path: Path) -> None:
    content = chained(three)
    lines = content.splitlines(keepends=True)
    for i in range(len(lines)):
        edited = lines[i][:-6] + (b"1" if lines[i][-6:-5] == b"0" else b"0") + lines[i][-5:]  # another digit of the hash
        found = reasons(b"".join([*lines[:i], edited, *lines[i + 1:]]), tmp_path)
        assert found and {reason for _, reason in found} == {"chain"} and (i + 1, "chain") in found


# ---- files that end early -----------------------------------------------------------------------------------------------


def test_every_prefix_is_readable(three: list[dict], tmp_path: Path) -> None:
    content = chained(three)
    ends = [i + 1 for i, byte in enumerate(content) if byte == 10]
    path = tmp_path / "a.jsonl"
    for cut in range(0, len(content), 37):
        path.write_bytes(content[:cut])
        whole = sum(end <= cut for end in ends)
        if whole == 0:
            with pytest.raises(v.NotCertificates):
                verify(path)
            continue
        report = verify(path)
        assert report.code == 3 and not report.refused and report.exact == whole - 1
        assert report.torn == (None if cut in ends else whole + 1)
    path.write_bytes(content)
    assert verify(path).code == 0


def test_a_writer_that_dies_leaves_a_prefix(tmp_path: Path) -> None:
    script = ("import os, sys\nfrom gnosis.certificates.records import Writer\nfrom gnosis.gates.tukey import TukeyGate\n"
              "out = Writer(sys.argv[1])\nfor i in range(2000): out.decide(TukeyGate(i), 1)\nos.kill(os.getpid(), 9)\n")
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "a.jsonl")])
    assert done.returncode == -9
    report = verify(tmp_path / "a.jsonl")
    assert report.code == 3 and not report.refused and 1000 < report.exact < 2000


# ---- hostile input --------------------------------------------------------------------------------------------------------

TAIL = b',"chain":"' + b"0" * 64 + b'"}'
HOSTILE = {
    "empty": b"", "not JSON": b"{]" + TAIL, "an array": b'["chain","x"' + TAIL, "a byte order mark": b"\xef\xbb\xbf" + b'{"end":1' + TAIL,
    "not UTF-8": b'{"end":"\xff"' + TAIL,
    "a surrogate": b'{"end":"\\ud800"' + TAIL, "NaN": b'{"end":NaN' + TAIL, "infinite": b'{"end":-Infinity' + TAIL, "a fraction": b'{"end":1.0' + TAIL,
    "1e999": b'{"end":1e999' + TAIL,
    "negative": b'{"end":-1' + TAIL, "a long number": b'{"end":' + b"9" * 100_000 + TAIL, "a longer one": b'{"end":' + b"9" * 4_000_000 + TAIL,
    "text": b'{"end":"1"' + TAIL,
    "twice": b'{"end":1,"end":1' + TAIL, "deep": b'{"end":' + b"[" * 200_000 + b"]" * 200_000 + TAIL, "deep objects": b'{"a":' * 100_000 + TAIL,
    "no hash": b'{"end":1}', "carriage return": b'{"end":1' + TAIL + b"\r",
    "nulls": bytes(1000), "too long": b" " * (certificates.LONGEST_LINE + 1), "powers": b'{"end":["' + b'1/2^262144","' * 300_000 + b'"]' + TAIL,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_line(three: list[dict], tmp_path: Path, name: str) -> None:
    with pytest.raises(CertificateError):
        parse_line(HOSTILE[name])
    content = chained(three)
    first, rest = content.split(b"\n", 1)
    assert (2, "chain") in (found := reasons(first + b"\n" + HOSTILE[name] + b"\n" + rest, tmp_path)) or (2, "line") in found
    path = tmp_path / "first.jsonl"
    path.write_bytes(HOSTILE[name] + b"\n" + content)
    with pytest.raises(v.NotCertificates):
        verify(path)


@pytest.mark.parametrize("name, value", [
    ("displacements", ["1/2^262144"] * 200), ("displacements", [f"1/{10**17 + 2 * i + 1}" for i in range(6000)]), ("displacements", "1"),
    ("displacements", ["1", 2]), ("displacements", [["1"]]),
    ("displacements", {"residual of": {}}), ("displacements", {"residual of": {}, "count": 1, "sha256": "0" * 64})])
def test_hostile_vectors(tmp_path: Path, name: str, value: Any) -> None:
    lines = [json.loads(line) for line in write(tmp_path / "a.jsonl", [(BasinGate(1), "decide", ([.25, -.5],))]).read_bytes().splitlines()]
    lines[1]["inputs"][name] = value
    assert reasons(chained(lines), tmp_path) <= {(2, "inputs"), (2, "line"), (3, "end")}
    with pytest.raises(CertificateError):
        parse_line(chained(lines).splitlines()[1])


HOSTILE_VALUES = ["0", "-1", "1", "2", "1/2^1", "-1/2^1", "1/3", "1/2^20000", "-0x" + "f" * 5000, "1/0x" + "f" * 5001, None, [], True, False, ["1"],
                  ["1", "2"], ["-1", "1/2^5"],
                  [["1", "2"], ["3", "4"]], ["1"] * 40, [True], "strict"]


def test_hostile_values(full: Path) -> None:
    """Certificates with impossible values in them are refused by the reader, or by the gate, and by nothing else."""
    lines, rng, found = [json.loads(line) for line in full.read_bytes().splitlines()][1:-1], random.Random(0), set()
    for _ in range(1500):
        line = json.loads(json.dumps(rng.choice(lines)))
        for _ in range(rng.randint(1, 3)):
            part = line[rng.choice(("parameters", "inputs"))]
            part[rng.choice(list(part))] = rng.choice(HOSTILE_VALUES)
        del line["chain"]
        try:
            certificate = parse_line(json.dumps(line).encode()[:-1] + TAIL)
            found.add("read")
            certificates.replay(certificate, dict(certificate.inputs))
            found.add("holds")
        except CertificateError as error:
            found.add(error.argument)
    assert {"read", "holds", "parameters", "inputs", "admit", "margin", "theorem"} <= found <= {"read", "holds", "parameters", "inputs", "admit", "margin",
                                                            "theorem", "assumes", "decision"}


@pytest.mark.parametrize("gate, inputs", [
    ("BasinFlowGate", {"factors": ["1/3"] * 40_000, "bounds": ["1"] * 40_000}), ("BettingGate", {"stakes": "1", "observations": ["1/3"] * 60_000}),
    ("ServedGate.decide_layers", {"ratios": ["4/3"] * 60_000}), ("TopKGate", {"scores": ["1"] * 10_000, "selected": None}),
    ("TwoStageGate", {"scores": [["1", "2"]] * 6000})])
def test_a_decision_that_would_take_too_long(full: Path, gate: str, inputs: dict) -> None:
    lines = [json.loads(line) for line in full.read_bytes().splitlines()]
    at = next(i for i, line in enumerate(lines) if line.get("gate") == gate)
    lines[at]["inputs"] = inputs
    if gate == "TopKGate":
        lines[at]["parameters"]["k"] = "5000"
    with pytest.raises(CertificateError, match="steps or so"):
        parse_line(chained(lines).splitlines()[at])


def test_memory_stays_bounded(three: list[dict], tmp_path: Path) -> None:
    """A line of 64 MiB takes no more than the longest line that is read: it is refused there, and no end is looked for."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(chained(three) + b"[" * (1 << 26))
    tracemalloc.start()
    report = verify(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert report.torn is None and [(r.line, r.reason) for r in report.refused] == [(6, "line")] and report.code == 1
    assert most < 8 * certificates.LONGEST_LINE


@given(st.binary(max_size=200))
def test_any_bytes(data: bytes) -> None:
    for line in (data, data + TAIL, b'{"n":1,' + data + TAIL):
        try:
            assert isinstance(parse_line(line), (Header, Certificate, End))
        except CertificateError:
            pass


@given(st.data())
def test_any_bytes_in_a_certificate(three: list[dict], data: st.DataObject) -> None:
    line = bytearray(chained(three).splitlines()[data.draw(st.integers(0, 4))])
    for _ in range(data.draw(st.integers(1, 3))):
        line[data.draw(st.integers(0, len(line) - 1))] = data.draw(st.integers(0, 255))
    try:
        parse_line(bytes(line))
    except CertificateError:
        pass


# ---- inputs from a model ----------------------------------------------------------------------------------------------------


def tile_certificates(path: Path, model: Model, tensor: str, rows: int = 3, n: int = 64) -> Path:
    """The energy gate on the first tiles of some rows, in every code: by the energy of the residual, and by the residual itself."""
    with Writer(path, tiles.identity(model)) as out:
        w = np.ascontiguousarray(model.rows(tensor, np.arange(rows))[:, n : 2 * n])
        for family, code in (*(("lattice", c) for c in tiles.NEAREST), ("bounded", "cubic"), ("bounded", "e8")):
            step = np.float32(.02) if family == "lattice" else None
            decoded = tiles.decoded(w, family, code, step)
            for i, E in enumerate(tiles.exact_energies(w, decoded)):
                assert E == sum((Fraction(float(a)) - Fraction(float(b))) ** 2 for a, b in zip(w[i], decoded[i]))
                tile = tiles.tile_of(tensor, i, n, w[i], family, code, step)
                out.decide(SidecarGate(.25), FromModel(tile, E), 1)
                residual = [Fraction(float(a)) - Fraction(float(b)) for a, b in zip(w[i], decoded[i])]
                out.decide(EnergyGate(.25), FromModel(tile, residual), [.125] * n)
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


PLACE = {"tensor unknown": ("tensor", "x"), "tensor another": ("tensor", "output.weight"), "row": ("row", 2), "row outside": ("row", 8),
         "columns": ("columns", [32, 96]), "columns outside": ("columns", [224, 288]),
         "columns uneven": ("columns", [60, 124]), "columns none": ("columns", [64, 64]), "family": ("family", "bounded"), "family unknown": ("family", "x"),
         "code": ("code", "e8"), "code unknown": ("code", "x"),
         "step": ("step", "1/2^6"), "step negative": ("step", "-1/2^6"), "step no float32": ("step", "1/3"), "step none": ("step", None),
         "weights": ("weights", "0" * 64)}


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


@pytest.mark.parametrize("code, change", [(0, lambda c: c), (1, lambda c: c.replace(b'"admit":true', b'"admit":false')), (2, lambda c: b"PNG\r\n"),
                                          (2, lambda c: b""), (2, lambda c: None),
                                          (3, lambda c: c[:-20]), (3, lambda c: b"".join(c.splitlines(keepends=True)[:-1]))])
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

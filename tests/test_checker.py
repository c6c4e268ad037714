"""Somebody else's checker: whatever it does, the command ends and says what happened."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gnosis.cli.spine import app
from gnosis.spine import checker

LOGIC = "Gnosis.Core.Logic"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "spine.ndjson"
    path.write_text("line\n" * 100_000)  # more than a pipe holds
    return path


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", code, *arguments]


def test_the_file_is_its_argument_and_its_standard_input(file: Path) -> None:
    said = checker.run(python("import sys; print(open(sys.argv[1]).read() == sys.stdin.read(), sys.argv[1])", "{}"), file, 60)
    assert said.accepted and said.output == f"True {file}\n" and said.command[-1] == str(file) and said.written == len(said.output)


@pytest.mark.parametrize(
    ("code", "accepted", "ending", "output"),
    [
        ("pass", True, "ended with code 0", ""),
        ("raise SystemExit(7)", False, "ended with code 7", ""),
        ("import os, signal; print('so far', flush=True); os.kill(os.getpid(), signal.SIGSEGV)", False, "was ended by signal SIGSEGV", "so far\n"),
        ("import os; os.close(0); print('never read')", True, "ended with code 0", "never read\n"),
        ("import os, sys; os.close(1); os.close(2); import time; time.sleep(0.5); os._exit(3)", False, "ended with code 3", ""),
        ("import sys; print('out'); sys.stdout.flush(); print('err', file=sys.stderr)", True, "ended with code 0", "out\nerr\n"),
        ("import sys; sys.stdout.buffer.write(bytes([255, 10]))", True, "ended with code 0", "\ufffd\n"),
    ],
    ids=str,
)
def test_its_exit_code_decides_and_what_it_said_is_kept(file: Path, code: str, accepted: bool, ending: str, output: str) -> None:
    said = checker.run(python(code), file, 60)
    assert (said.accepted, said.output) == (accepted, output) and said.ending().startswith(ending) and not said.timed_out
    assert json.loads(json.dumps(said.to_dict()))["accepted"] is accepted


def test_megabytes_are_counted_and_the_beginning_is_kept(file: Path) -> None:
    said = checker.run(python("import sys\nfor _ in range(300): sys.stdout.write('x' * 100_000)"), file, 60)
    assert said.accepted and said.written == 30_000_000 and said.output == "x" * checker.KEPT and "of its output of 30000000 bytes the first" in said.ending()


@pytest.mark.parametrize(
    "code",
    [
        "import time; print('slow', flush=True); time.sleep(60)",
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('slow', flush=True); time.sleep(60)",
        "print('slow', flush=True)\nwhile True: print('slow')",
    ],
)
def test_one_that_does_not_end_is_ended(file: Path, code: str) -> None:
    clock = time.perf_counter()
    said = checker.run(python(code), file, 1.5)
    assert said.timed_out and not said.accepted and "was ended by us" in said.ending() and said.signal is None and time.perf_counter() - clock < 20
    assert said.output.startswith("slow")


def test_nothing_that_it_started_is_left(file: Path, tmp_path: Path) -> None:
    child = tmp_path / "child"
    code = f"import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); open({str(child)!r}, 'w').write(str(p.pid))"
    clock = time.perf_counter()
    assert checker.run(python(code), file, 30).accepted and time.perf_counter() - clock < 20  # its child holds the pipe open
    for _ in range(100):
        state = Path("/proc", child.read_text(), "stat")
        if not state.exists() or state.read_text().split(")")[1].split()[0] == "Z":
            break
        time.sleep(0.05)
    else:
        raise AssertionError("the child of the checker is still there")


def test_what_cannot_be_started_is_an_error(tmp_path: Path) -> None:
    script = tmp_path / "no-program"
    script.write_text("nothing")
    os.chmod(script, 0o755)
    said = CliRunner().invoke(app, ["export", "--module", LOGIC, "--check", str(script)])
    assert said.exit_code == 2 and "--check" in said.output and "Exec format error" in said.output.replace("\n", " ")


def test_what_it_says_is_shown_under_its_name(tmp_path: Path) -> None:
    script = tmp_path / "mychecker"
    script.write_text(f"#!{sys.executable}\nimport sys\nprint('[red]accepted \\x1b[2J', len(sys.stdin.readlines()) > 1000)\n")
    os.chmod(script, 0o755)
    said = CliRunner().invoke(app, ["export", "--module", LOGIC, "--check", str(script), "--json"])
    data = json.loads(said.stdout)
    assert said.exit_code == 0 and data["checker"]["accepted"] and data["axioms_left_out"] == ["sorryAx"]
    assert "mychecker: [red]accepted \\x1b[2J True" in said.stderr and "checker mychecker ended with code 0" in said.stderr
    said = CliRunner().invoke(app, ["export", "--module", LOGIC, "--check", "sleep 60", "--seconds", "1", "--json"])
    assert said.exit_code == 1 and json.loads(said.stdout)["checker"]["timed_out"] and "checker sleep was ended by us" in said.stderr

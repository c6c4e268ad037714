"""What somebody could do who may write in the repository and set variables, and what the audit says to each.

The attacks are on small spines.  Those on code that runs in place of a definition are elsewhere.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from spines import Spine, copy

from gnosis.audits import audit, build, bundle, lean, lock, sources
from gnosis.spine import build as b
from gnosis.spine.paths import build_dir, root
from gnosis.spine.toolchain import Toolchain, find

LOGIC = "prelude\nimport Gnosis.Core.Logic\n"
PYTHON = bundle.python()


@pytest.fixture(scope="module")
def toolchain() -> Toolchain:
    return find()


# The compiled files


@pytest.fixture
def small(tmp_path: Path, toolchain: Toolchain) -> Spine:
    """The foundation's first module and one that imports it."""
    spine = copy(tmp_path / "spine", toolchain, ["Gnosis.Core.Logic"])
    spine.write("Gnosis.B", LOGIC + "theorem b : Eq Nat.zero Nat.zero := rfl\n")
    assert b.build(base=spine.base, out=spine.out, lean=toolchain).ok
    return spine


@pytest.mark.parametrize(
    "name",
    [
        "Gnosis/B.olean.private",
        "Gnosis/B.olean.server",
        "Gnosis/B.ir",
        "Gnosis/B.ilean",
        "Gnosis/C.olean",
        "Gnosis.olean",
        "Init.olean",
        "Init/Prelude.olean",
        "Gnosis/Core/Logic/X.olean",
        "Gnosis/b.olean",
    ],
)
def test_a_file_that_the_build_did_not_write_is_named_and_cleaned_away(small: Spine, name: str) -> None:
    names = list(b.scan(small.base))
    assert build.strays(small.out, names) == []
    path = small.out / name
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(b.olean_path(small.out, "Gnosis.B"), path)
    assert [f.where for f in build.strays(small.out, names)] == [
        name if (small.out / name).parent.name in ("Gnosis", "Core", "lean") else str(Path(name).parent)
    ]
    report = audit.run(small.base, small.out, small.lean, files=FILES, build=False)
    assert any(f.audit == "build" and "the build writes no such file" in f.text for f in report.findings)
    assert b.build(base=small.base, out=small.out, lean=small.lean).cached and build.strays(small.out, names) == [] and not path.exists()
    assert b.clean(small.base) == 2 and not small.out.exists()


def test_links_among_the_compiled_files_are_named(small: Spine, tmp_path: Path) -> None:
    path, names = b.olean_path(small.out, "Gnosis.B"), list(b.scan(small.base))
    path.rename(tmp_path / "B.olean")
    path.symlink_to(tmp_path / "B.olean")
    assert [f.where for f in build.strays(small.out, names)] == ["Gnosis/B.olean"]
    assert b.manifest(small.base, small.out, small.lean)[1] == ["Gnosis.B"]
    small.out.rename(tmp_path / "elsewhere")
    small.out.symlink_to(tmp_path / "elsewhere")
    assert any("symbolic link" in f.text for f in build.strays(small.out, names))
    assert b.clean(small.base) == 0 and not small.out.exists() and (tmp_path / "elsewhere").is_dir()


FILES = {  # an audits folder for a spine of two modules; the floors are not reached, which is a finding of its own
    "exceptions.yaml": yaml.safe_dump({"floors": audit.LOWEST, "axioms": [{"name": "sorryAx", "reason": "r"}], "tokens": []}).encode(),
    "headline.yaml": lock.dump([{"name": "b", "module": "Gnosis.B", "section": 1, "english": "A sentence."}]).encode(),
}


def test_imports_in_the_file_are_held_against_the_source(small: Spine) -> None:
    found = sources.read(small.base)[0]
    module = audit.Module("Gnosis.B", [b.olean_path(small.out, "Gnosis.B")], audit.Interner())
    assert audit.objections(module, found["Gnosis.B"], "4.35.0") == []
    other = sources.Source("Gnosis.B", "Gnosis/B.lean", Path(), b"", "", ())
    assert "the compiled file imports Gnosis.Core.Logic, its source nothing" in audit.objections(module, other, "4.35.0")[0]
    assert "compiled by Lean 4.35.0" in audit.objections(module, found["Gnosis.B"], "4.34.0")[0]
    module.is_module = True
    assert "module header" in audit.objections(module, found["Gnosis.B"], "4.35.0")[0]


def test_a_module_that_is_objected_to_is_not_imported(small: Spine) -> None:
    small.write("Gnosis.C", "prelude\nimport Gnosis.B\n")
    found = sources.read(small.base)[0]
    result = build.build(found, small.base / "out", small.lean, check=lambda name: ["no"] if name == "Gnosis.B" else [])
    assert (result.failed, result.skipped) == (["Gnosis.B"], ["Gnosis.C"]) and any(m.text == "no" for m in result.messages)


def test_what_is_compiled_is_the_text_that_was_read(small: Spine) -> None:
    found = sources.read(small.base)[0]
    small.write("Gnosis.B", "prelude\nimport Gnosis.Core.Logic\ntheorem other : Eq Nat.zero Nat.zero := rfl\n")
    assert build.build(found, small.base / "out", small.lean).ok
    env = audit.Environment(small.base / "out", ["Gnosis.B"])
    assert ("b",) in env.constants and ("other",) not in env.constants


# Who compiles


def test_nothing_in_the_build_folder_is_believed_about_the_library(small: Spine, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOSIS_ROOT", str(small.base))
    stat = toolchain.library.stat()
    (small.base / "build" / "digests.json").write_text(json.dumps({"key": f"{toolchain.library}|{stat.st_size}|{stat.st_mtime_ns}", "sha256": "0" * 64}))
    assert find().digest == hashlib.sha256(toolchain.library.read_bytes()).hexdigest() == toolchain.digest
    assert find().trusted


def test_a_wrapper_has_a_cache_of_its_own(small: Spine, toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prefix, wrapper = tmp_path / "prefix", tmp_path / "lean"
    (prefix / "lib" / "lean").mkdir(parents=True)
    (prefix / "lib" / "lean" / "libleanshared.so").symlink_to(toolchain.library)

    def write(more: str) -> None:
        wrapper.write_text(f'#!/bin/sh\n{more}[ "$1" = --print-prefix ] && echo {prefix} && exit\nexec {" ".join(toolchain.command)} "$@"\n')
        wrapper.chmod(0o755)

    monkeypatch.setenv("GNOSIS_ROOT", str(small.base))
    monkeypatch.setenv("GNOSIS_LEAN", str(wrapper))
    digests = []
    for more in ("", "# another\n"):
        write(more)
        other = find()
        assert not other.trusted and "not one that libraries.lock lists" in str(other)
        assert other.digest not in (toolchain.digest, *digests) and build_dir(small.base, other) == small.base / "build" / f"lean-{other.digest[:16]}"
        digests.append(other.digest)
    assert build_dir(small.base, toolchain) == small.out
    # what it compiles is not taken for what the library compiles
    before = {p: p.read_bytes() for p in small.out.rglob("*") if p.is_file()}
    small.write("Gnosis.B", LOGIC + "theorem c : Eq Nat.zero Nat.zero := rfl\n")
    assert b.build(base=small.base, lean=other).ok and {p: p.read_bytes() for p in small.out.rglob("*") if p.is_file()} == before
    assert b.olean_path(build_dir(small.base, other), "Gnosis.B").is_file()
    assert b.clean(small.base) and not build_dir(small.base, other).exists()


def test_only_listed_libraries_are_loaded_and_from_a_copy(toolchain: Toolchain, tmp_path: Path) -> None:
    fake = tmp_path / "libleanshared.so"
    fake.write_bytes(b"\x7fELF")
    with pytest.raises(lean.LeanNotFound, match=hashlib.sha256(b"\x7fELF").hexdigest()):
        lean.pinned([fake], tmp_path / "a")
    with pytest.raises(lean.LeanNotFound, match="none found"):
        lean.pinned([], tmp_path / "b")
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="no regular file"):
        lean.pinned([tmp_path / "pipe"], tmp_path / "c")
    private = lean.pinned([fake, toolchain.library], tmp_path / "d")
    assert private.trusted and private.version == "4.35.0" and [p.name for p in private.library.parent.iterdir()] == ["libleanshared.so"]


def test_a_library_that_changes_while_it_is_used_is_a_finding(small: Spine, toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = tmp_path / "own" / "libleanshared.so"
    library.parent.mkdir()
    shutil.copy(toolchain.library, library)
    own = Toolchain("wheel", toolchain.command, toolchain.version, toolchain.digest, library)

    def change(*_: object) -> None:
        with library.open("ab") as file:
            file.write(b"x")

    monkeypatch.setattr(audit._Audit, "run", change)
    assert [f.text for f in audit.run(small.base, small.out, own, files=FILES).findings] == [f"{library} changed while it was used"]


@pytest.mark.parametrize("line", ["abc linux-x86_64 4.35.0 x", "0" * 64, f"{'0' * 64} linux 4.35.0 a b"])
def test_the_list_of_libraries_is_strict(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "FILES", {"libraries.lock": line.encode()})
    with pytest.raises(ValueError, match="bad line"):
        lean.known()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Landlock and seccomp are Linux")
def test_a_confined_process_can_write_only_into_its_folder(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "victim").write_text("as it was")
    script = tmp_path / "try.py"
    script.write_text(f"""import ctypes, json, os, socket, sys, threading
sys.path.insert(0, {str(root() / "audits")!r})
import confine
held = confine.confine([{str(tmp_path / "own")!r}])
open({str(tmp_path / "own" / "x")!r}, "w").write("x")
out = {{"held": held, "threads": []}}
def attempt(name, f):
    try:
        f()
        out[name] = True
    except OSError:
        out[name] = False
victim = {str(tmp_path / "victim")!r}
attempt("write", lambda: open(victim, "w").write("changed"))
attempt("make", lambda: open({str(tmp_path / "new")!r}, "w"))
attempt("remove", lambda: os.remove(victim))
attempt("rename", lambda: os.rename({str(tmp_path / "own" / "x")!r}, victim))
attempt("truncate", lambda: os.truncate(victim, 0))
attempt("memory", lambda: open(f"/proc/{{os.getppid()}}/mem", "r+b"))
attempt("exec", lambda: os.execv("/bin/true", ["true"]))
attempt("fork", lambda: os._exit(0) if os.fork() == 0 else None)
attempt("kill", lambda: os.kill(os.getppid(), 0))
attempt("socket", lambda: socket.socket(socket.AF_UNIX))
thread = threading.Thread(target=lambda: out["threads"].append(1))
thread.start()
thread.join()
print(json.dumps(out))
""")
    done = subprocess.run([*PYTHON, str(script)], capture_output=True, text=True)
    out = json.loads(done.stdout)
    if len(out.pop("held")) < 2:
        pytest.skip("this system lacks Landlock or seccomp")
    assert out.pop("threads") == [1] and not any(out.values()), out
    assert (tmp_path / "victim").read_text() == "as it was"


EVIL = """prelude
import Gnosis.Core
@[extern "lean_io_create_dir"] opaque IO.FS.createDir (p : @& String) (w : Nat) : List Nat
macro "evil" : tactic => do
  match IO.FS.createDir "MARK" 0 with
  | [] => `(tactic| rfl)
  | _ => `(tactic| exact rfl)
theorem evil : (1 : Nat) = 1 := by evil
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Landlock and seccomp are Linux")
def test_code_that_runs_while_a_source_is_compiled(tmp_path: Path, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch) -> None:
    foundation = b.build(["Gnosis.Core"], lean=toolchain)
    spine = copy(tmp_path / "spine", toolchain, foundation.compiled + foundation.cached)
    mark = tmp_path / "mark"
    spine.write("Gnosis.Evil", EVIL.replace("MARK", str(mark)))
    # the audit refuses the source, and does not compile it
    report = audit.run(spine.base, spine.out, toolchain, files=FILES)
    assert any(f.where == "Gnosis/Evil.lean" for f in report.findings) and not b.olean_path(spine.out, "Gnosis.Evil").exists()
    # without that, the process has no right to do what the source says
    found, confined = sources.read(spine.base)[0], bundle.answer(bundle.child("confine:probe", {"folders": []}, tmp_path, ("confine",)))["confined"]
    assert build.build(found, spine.out, toolchain).ok
    assert mark.exists() == (not confined)
    # and without that it would be done
    files = bundle.files()
    monkeypatch.setattr(bundle, "FILES", {**files, "lean_main.py": files["lean_main.py"].replace(b'confine.confine(request["folders"])', b"pass")})
    b.olean_path(spine.out, "Gnosis.Evil").unlink()
    assert build.build(found, spine.out, toolchain).compiled == ["Gnosis.Evil"] and mark.exists()


# Processes and their answers


def started(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch):  # noqa: ANN201
    monkeypatch.setattr(bundle, "FILES", {**bundle.read(root() / "audits"), "told.py": text.encode()})
    return bundle.child("told:tell", {"x": 2}, tmp_path, ("told",))


def test_an_answer_comes_through_and_prints_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import os\nprint('stray')\nos.system('echo stray')\ndef tell(r):\n    print('{\"ok\": true}')\n    return {'twice': 2 * r['x']}\n"
    assert bundle.answer(started(tmp_path, text, monkeypatch)) == {"twice": 4}


@pytest.mark.parametrize(
    "text",
    [
        "def tell(r):\n    import os\n    os.write(r['stdout'], b'{\"ok\": true}\\n')\n    os._exit(0)\n",
        "def tell(r):\n    import os\n    os.write(r['stdout'], b'00000000000000000000000000000000 {\"ok\": true}\\n')\n    os._exit(0)\n",
        "def tell(r):\n    import os\n    os.write(r['stdout'], b'x\\n')\n    return {'ok': True}\n",
        "def tell(r):\n    import os\n    os._exit(0)\n",
        "def tell(r):\n    import os\n    os.abort()\n",
        "raise SystemExit(0)\n",
        "def tell(r):\n    return {1: object()}\n",
        "import gnosis\n",
    ],
)
def test_what_is_no_answer_is_an_error(tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OSError, match="the process ended with code"):
        bundle.answer(started(tmp_path, text, monkeypatch))


def test_a_child_that_does_not_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OSError, match="did not end within"):
        bundle.answer(started(tmp_path, "import time\ntime.sleep(60)\n", monkeypatch), timeout=1)


def test_a_replay_that_looked_at_something_else_is_a_finding(small: Spine) -> None:
    env = audit.Environment(small.out, ["Gnosis.B"])
    safe = sum(not c.unsafe for c in env.constants.values())
    good = {
        "ok": True,
        "control": True,
        "modules": 2,
        "constants": len(env.constants),
        "units": 9,
        "accepted": 9,
        "compared": safe,
        "unsafe": ["x"] * (len(env.constants) - safe),
        "plain": {"theorems": 1},
    }
    assert audit._confirm(good, env, 9, ["t"]) == []
    for change in (
        {"ok": False},
        {"control": 1},
        {"modules": 1},
        {"constants": 5},
        {"units": 8},
        {"accepted": 8},
        {"compared": safe - 1},
        {"unsafe": []},
        {"plain": {"theorems": 0}},
        {"plain": {}},
    ):
        assert audit._confirm({**good, **change}, env, 9, ["t"]) or change == {"control": 1}
    assert audit._confirm({}, env, 9, ["t"])


def test_hostile_variables_and_files_reach_no_child(small: Spine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("resource", "json", "ctypes", "sitecustomize", "usercustomize", "subprocess"):
        (small.base / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'a').write('{name}')\n")
    (small.base / "Init").mkdir()
    for name, value in {
        "PYTHONPATH": small.base,
        "PYTHONHOME": tmp_path,
        "PYTHONSTARTUP": small.base / "json.py",
        "LEAN_PATH": tmp_path,
        "LEAN_SYSROOT": tmp_path,
        "LEAN_SRC_PATH": tmp_path,
        "LEAN_NUM_THREADS": "0",
        "LD_LIBRARY_PATH": tmp_path,
        "TMPDIR": tmp_path / "none",
        "GCONV_PATH": tmp_path,
        "MALLOC_PERTURB_": "1",
        "LC_ALL": "xx",
        "PYTHONPYCACHEPREFIX": tmp_path,
        "PYTHONWARNINGS": "error",
        "HOME": tmp_path,
    }.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.chdir(small.base)
    small.write("Gnosis.B", LOGIC + "theorem b : Eq Bool.true Bool.true := rfl\n")
    assert b.build(base=small.base, out=small.out, lean=small.lean).compiled == ["Gnosis.B"]
    report = audit.run(small.base, small.out, small.lean, files=FILES, build=False)
    assert report.replay["ok"] and report.replay["accepted"] == report.replay["units"] > 0 and report.print_axioms["agree"] > 50
    assert not (tmp_path / "ran").exists()


def test_another_root_is_named_on_the_screen(small: Spine) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "gnosis", "spine", "build", "--json"],
        capture_output=True,
        text=True,
        cwd=root(),
        env={**os.environ, "GNOSIS_ROOT": str(small.base)},
    )
    assert run.returncode == 0 and f"GNOSIS_ROOT is set: the spine is that of {small.base}" in run.stderr and json.loads(run.stdout)["modules"] == 2

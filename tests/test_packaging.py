"""The wheel holds what it should; the source distribution holds the repository, and gives the wheel without git."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

import pytest
import wheels

ROOT = Path(__file__).parents[1]
KERNELS = sorted(p.stem for p in (ROOT / "cython_core").glob("*.pyx"))


@pytest.fixture(scope="module")
def built() -> wheels.Built:
    return wheels.built()


def names_in(wheel: Path) -> list[str]:
    return zipfile.ZipFile(wheel).namelist()


def sources_in(wheel: Path) -> bytes:
    return zipfile.ZipFile(wheel).read("gnosis/sources.zip")


def test_wheel(built: wheels.Built) -> None:
    names = names_in(built.wheel)
    for stem in KERNELS:
        assert any(n.startswith(f"gnosis/core/{stem}.") and n.endswith(".so") for n in names), stem
    assert "gnosis/py.typed" in names and "gnosis/audits/headline.yaml" in names
    assert not any(n.startswith(("tests/", "cython_core/")) or n.endswith(".pyx") for n in names)
    # headers and sources of the kernels, and the checkout as one file
    for header in (ROOT / "cython_core").glob("*.h"):
        assert f"gnosis/core/{header.name}" in names
    inside = set(zipfile.ZipFile(zipfile.ZipFile(built.wheel).open("gnosis/sources.zip")).namelist())
    for folder in ("Gnosis", "audits", "conformance", "cython_core", "pysrc"):
        missing = {f.as_posix() for f in wheels.sources(ROOT) if f.parts[0] == folder} - inside
        assert not {name for name in missing if not name.endswith((".png", ".svg"))}, folder
    # every package of the source tree is in the wheel
    for room, package in (("pysrc/gnosis", "gnosis"), ("audits", "gnosis/audits"), ("conformance", "gnosis/conformance"), ("cython_core", "gnosis/core")):
        for file in wheels.sources(ROOT):
            if file.is_relative_to(room) and file.suffix == ".py":
                assert f"{package}/{file.relative_to(room).as_posix()}" in names, file


def test_a_wheel_without_a_compiler_is_the_same_without_the_kernels(built: wheels.Built) -> None:
    assert built.plain.name.endswith("-py3-none-any.whl")
    left = {name for name in names_in(built.wheel) if not name.endswith(".so")}
    assert set(names_in(built.plain)) == left
    assert sources_in(built.plain) == sources_in(built.wheel), "the same sources give the same bytes"


def test_source_distribution(built: wheels.Built) -> None:
    names = {n.split("/", 1)[1] for n in tarfile.open(built.sdist).getnames() if "/" in n}
    for name in (
        "lakefile.lean",
        "lean-toolchain",
        "Makefile",
        "NOTICE",
        "Gnosis/Core/Logic.lean",
        "cython_core/energy.c",
        "cython_core/energy.h",
        "audits/headline.yaml",
        "tests/test_energy.py",
        "requirements/lock.txt",
        "pysrc/gnosis/models/packages.txt",
    ):
        assert name in names, name
    missing = {f.as_posix() for f in wheels.sources(ROOT) if not f.parts[0].startswith(".") and f.name != ".gitignore"} - names
    assert not missing


def test_the_headers_and_versions_are_stated_once() -> None:
    """What the metadata, the wheels of cibuildwheel and the README say about versions of Python."""
    import re
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    stated = [c.rpartition(" ")[2] for c in project["project"]["classifiers"] if re.fullmatch(r"Programming Language :: Python :: 3\.\d+", c)]
    assert stated == ["3.11", "3.12", "3.13", "3.14"] and project["project"]["requires-python"] == ">=3.11"
    assert project["tool"]["cibuildwheel"]["build"] == [f"cp{v.replace('.', '')}-manylinux_x86_64" for v in stated]
    readme = (ROOT / "README.md").read_text()
    assert all(version in readme for version in stated)

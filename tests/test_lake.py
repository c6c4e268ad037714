"""What Lake would pass to Lean, from the lakefile; and that the spine compiled that way is the spine."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from spines import Spine, copy
from typer.testing import CliRunner

from gnosis.cli.spine import app
from gnosis.spine import build as b
from gnosis.spine import lake
from gnosis.spine.paths import root
from gnosis.spine.toolchain import find

SAMPLE = "Gnosis.Core.Notation"  # the first module that needs native code of the binary, and one that needs few others


@pytest.fixture(scope="module")
def spine(tmp_path_factory: pytest.TempPathFactory) -> Spine:
    """A copy of the sample and what it imports, compiled."""
    result = b.build([SAMPLE])
    assert result.ok, result.messages
    return copy(tmp_path_factory.mktemp("lake") / "spine", find(), result.compiled + result.cached)


def changed(spine: Spine, *pairs: tuple[str, str]) -> None:
    text = (root() / "lakefile.lean").read_text()
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    (spine.base / "lakefile.lean").write_text(text)


def checked(spine: Spine, only: list[str] | None = None) -> lake.Checked:
    return lake.check(only, base=spine.base, out=spine.out, lean=spine.lean)


def test_the_lakefile_says_what_the_build_does() -> None:
    found = lake.read(root() / "lakefile.lean")
    assert found == lake.Lakefile("gnosis", "Gnosis", True, {"interpreter.prefer_native": False, "warningAsError": True}, [("submodules", "Gnosis")])
    said = [f"{name}={json.dumps(value)}" for name, value in found.options.items()]
    assert said == list(b.OPTIONS[1::2]) and set(b.OPTIONS[::2]) == {"-D"}
    assert all(map(found.selects, b.scan())) and not found.selects("Gnosis") and found.finds("Gnosis") and not found.finds("Other.Gnosis")


def test_what_lean_gets_is_what_lake_writes(tmp_path: Path) -> None:
    modules = b.scan()
    lakefile = lake.read(root() / "lakefile.lean")
    of = lake.arguments(lakefile, modules, tmp_path)
    said = of(modules["Gnosis.Core.Meta"], tmp_path / "x")
    setup = json.loads(Path(said[said.index("--setup") + 1]).read_text())
    assert said[0].endswith("Gnosis/Core/Meta.lean") and said[1::2][:4] == ["-o", "-i", "-c", "--setup"] and said[-1] == "--json" and len(said) == 10
    assert setup == {
        "name": "Gnosis.Core.Meta",
        "isModule": False,
        "dynlibs": [],
        "plugins": [],
        "options": lakefile.options,
        "importArts": {m: [[str(tmp_path / "lib/lean" / (m.replace(".", "/") + ".olean"))]] for m in ("Gnosis.Core.Data", "Gnosis.Core.Logic")},
    }
    lakefile.bootstrap = False
    said = lake.arguments(lakefile, modules, tmp_path)(modules["Gnosis.Core.Meta"], tmp_path / "x")
    assert json.loads(Path(said[said.index("--setup") + 1]).read_text()) == {**setup, "package": "gnosis"}


def test_a_sample_is_equal_byte_for_byte(spine: Spine) -> None:
    changed(spine)
    found = checked(spine)
    assert found.ok and found.findings == [] and found.same == found.modules >= 4
    (spine.out / "Gnosis/Core/Logic.olean").unlink()  # rebuilt, not taken on trust
    assert checked(spine, ["Gnosis.Core.Logic"]).same == 1


@pytest.mark.parametrize(
    ("pairs", "module", "said"),
    [
        # a package name reaches Lean, which then looks for native code under other names
        (
            [("  bootstrap := true\n", "")],
            SAMPLE,
            "Could not find native implementation of external declaration 'Lean.Name.str._override' (symbols 'lp_gnosis_",
        ),
        (
            [("bootstrap := true", "bootstrap := false"), ("package gnosis", "package other")],
            "Gnosis.Core.Logic",
            "Gnosis.Core.Logic: compiled as Lake does, the file differs",
        ),
        # other options, whether or not they leave a trace
        ([("⟨`warningAsError, true⟩]", "⟨`warningAsError, true⟩, ⟨`pp.all, true⟩]")], "Gnosis.Core.Logic", "option pp.all: true in the lakefile, absent in"),
        (
            [("globs :=", "leanOptions := #[⟨`interpreter.prefer_native, true⟩]\n  globs :=")],
            "Gnosis.Core.Logic",
            "option interpreter.prefer_native: true in the lakefile, false in",
        ),
        ([("⟨`warningAsError, true⟩]", "⟨`no.such.option, 1⟩]")], "Gnosis.Core.Logic", "no.such.option"),
        # the module is not below the root that Lake would look in
        ([("globs := #[.submodules `Gnosis]", "globs := #[.submodules `Gnosis.Energy]")], "Gnosis.Core.Logic", "Gnosis.Core.Logic: not selected by a glob"),
    ],
    ids=str,
)
def test_another_lakefile_is_found(spine: Spine, pairs: list, module: str, said: str) -> None:
    changed(spine, *pairs)
    found = checked(spine, [module])
    assert not found.ok and any(said in finding for finding in found.findings), found.findings


@pytest.mark.parametrize(
    ("library", "globs", "wrong"),
    [
        ("Gnosis", [("submodules", "Gnosis")], {}),
        ("Gnosis", [("one", "Gnosis")], {"Gnosis": "no such file", "Gnosis.Core.Logic": "leaves it out", "Gnosis.Energy": "leaves it out"}),
        ("Gnosis", [("one", "Gnosis.Energy")], {"Gnosis.Basin": "leaves it out"}),
        ("Gnosis", [("submodules", "Gnosis.Core")], {"Gnosis.Energy": "leaves it out"}),
        ("Gnosis", [("andSubmodules", "Gnosis.Core"), ("one", "Gnosis.Energy")], {"Gnosis.Basin": "leaves it out"}),
        ("Other", [("submodules", "Gnosis")], {}),
        ("Other", [("one", "Gnosis.Energy")], {"Gnosis.Core.Logic": "does not find it", "Gnosis.Basin": "does not find it"}),
    ],
    ids=str,
)
def test_modules_that_lake_would_leave_out_are_named(library: str, globs: list, wrong: dict[str, str]) -> None:
    modules = {
        name: b.Source(name, "", Path(), b"", "", tuple(imports))
        for name, imports in (
            ("Gnosis.Core.Logic", []),
            ("Gnosis.Core", ["Gnosis.Core.Logic"]),
            ("Gnosis.Energy", ["Gnosis.Core"]),
            ("Gnosis.Basin", ["Gnosis.Core"]),
        )
    }
    said = lake.left_out(lake.Lakefile("gnosis", library, True, {}, globs), modules, list(modules))
    assert all(any(s.startswith(name + ": ") and text in s for s in said) for name, text in wrong.items()), said
    if not wrong:
        assert said == []


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("bootstrap := true", "precompileModules := true", r"line \d+: 'precompileModules' where 'bootstrap' or 'leanOptions' must stand"),
        ("bootstrap := true", 'moreLeanArgs := #["-DwarningAsError=false"]', "'moreLeanArgs' where"),
        ("bootstrap := true", "bootstrap := true\n  bootstrap := true", "'bootstrap' where 'leanOptions' must stand"),
        ("bootstrap := true", "bootstrap := Id.run do true", "'Id.run' where 'true' or 'false' must stand"),
        ("globs :=", 'srcDir := "src"\n  globs :=', "'srcDir' where 'globs' or 'leanOptions' must stand"),
        ("`warningAsError, true", "`warningAsError, !false", "'!false"),
        ("`warningAsError, true", "warningAsError, true", "'warningAsError' where a name with a backquote must stand"),
        (".submodules", ".everything", "'.everything' where one of .one, .submodules, .andSubmodules must stand"),
        ("import Lake", "import Lake\nimport Lean", "'import' where 'open' must stand"),
        ("@[default_target]", "", "the library as @\\[default_target\\]"),
        ("@[default_target]", "@[test_driver]", "'test_driver' where 'default_target' must stand"),
        ("@[default_target]", 'require batteries from git "x"\n@[default_target]', "'require' where"),
        ("@[default_target]", "lean_lib More\n@[default_target]", "no second lean_lib"),
        ("package gnosis where", "package gnosis extends x where", "'extends' where"),
        ("package gnosis where", "package «gno sis» where", "nothing that this reader knows"),
        ("import Lake\nopen Lake DSL", "", "where 'import' must stand"),
    ],
    ids=str,
)
def test_what_the_reader_does_not_know_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = (root() / "lakefile.lean").read_text()
    assert old in text
    (tmp_path / "lakefile.lean").write_text(text.replace(old, new, 1))
    with pytest.raises(lake.LakefileError, match=said):
        lake.read(tmp_path / "lakefile.lean")


def test_an_empty_lakefile_and_one_that_is_no_text_are_refused(tmp_path: Path) -> None:
    for data in (b"", b"\xff\xfe", b"import Lake\nopen Lake DSL\n"):
        (tmp_path / "lakefile.lean").write_bytes(data)
        with pytest.raises(lake.LakefileError, match="lakefile.lean"):
            lake.read(tmp_path / "lakefile.lean")


def test_another_compiled_file_is_found(spine: Spine) -> None:
    changed(spine)
    path = b.olean_path(spine.out, "Gnosis.Core.Data")
    keep, trace = path.read_bytes(), path.with_suffix(".trace").read_text()
    data = bytearray(keep)
    data[-1] ^= 1
    try:
        path.unlink()
        path.write_bytes(data)
        path.with_suffix(".trace").unlink()
        path.with_suffix(".trace").write_text(json.dumps({**json.loads(trace), "sha256": hashlib.sha256(data).hexdigest()}))
        found = checked(spine, ["Gnosis.Core.Data"])
        assert not found.ok and found.findings == ["Gnosis.Core.Data: compiled as Lake does, the file differs from that of `gnosis spine build`"]
    finally:
        path.unlink()
        path.write_bytes(keep)
        path.with_suffix(".trace").write_text(trace)


def test_the_command_says_what_it_read_and_what_did_not_run() -> None:
    said = CliRunner().invoke(app, ["lake"])
    assert said.exit_code == 0 and f"{len(b.scan())} modules of {len(b.scan())}" in said.output.replace("\n", " ")
    said = CliRunner().invoke(app, ["lake", "--check", "--module", "Gnosis.Core.Logic", "--json"])
    assert said.exit_code == 0 and json.loads(said.stdout)["same"] == 1 and "Lake itself did not run" in said.stderr.replace("\n", " ")
    for arguments, text in ((["lake", "--module", "x"], "--module needs --check"), (["lake", "--check", "--module", "Gnosis.No"], "no module Gnosis.No")):
        said = CliRunner().invoke(app, arguments)
        assert said.exit_code == 2 and text in said.output.replace("\n", " ")


@pytest.mark.slow
def test_every_module_is_equal_byte_for_byte() -> None:
    found = lake.check()
    assert found.ok and found.findings == [] and found.same == found.modules == len(b.scan()) >= 100

"""`gnosis spine decide` runs nothing but the code that the audit has locked."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from spines import Spine, copy, word

from gnosis.audits import code, generated, lock
from gnosis.audits.environment import Environment
from gnosis.audits.findings import Finding
from gnosis.audits.olean import Interner, Module, show
from gnosis.conformance.oracle.interpreter import DRIVER
from gnosis.spine import build as b
from gnosis.spine.executed import refused_code, refused_sources
from gnosis.spine.paths import build_dir, root
from gnosis.spine.toolchain import Toolchain, find

ENERGY, TABLE = "Gnosis.Decision.Energy", "Gnosis.Driver.Table"


@pytest.fixture(scope="module")
def toolchain() -> Toolchain:
    return find()


@pytest.fixture
def spine(tmp_path: Path, toolchain: Toolchain) -> Spine:
    """The driver and all that it imports, with the locks."""
    done = b.build(only=[DRIVER], lean=toolchain)
    spine = copy(tmp_path / "spine", toolchain, done.compiled + done.cached)
    (spine.base / "audits").mkdir()
    for name in ("code.lock", "exceptions.yaml"):
        shutil.copy(root() / "audits" / name, spine.base / "audits")
    return spine


def edit(spine: Spine, name: str, old: str, new: str) -> None:
    path = spine.base.joinpath(*name.split(".")).with_suffix(".lean")
    text = path.read_text()
    assert old in text
    path.unlink()
    path.write_text(text.replace(old, new, 1))


def looked(spine: Spine) -> list[Finding]:
    """What the command would find: sources, then, compiled from them, code."""
    found = refused_sources(spine.base)
    if not found:
        result = b.build(only=[DRIVER], base=spine.base, out=spine.out, lean=spine.lean)
        assert result.ok, result.messages[:3]
        found = refused_code(spine.base, spine.out, spine.lean, [DRIVER])
    return found


def test_the_spine_as_it_is(spine: Spine) -> None:
    # (the copy lacks locked sources that the driver does not import)
    assert [f for f in looked(spine) if "there is no such file" not in f.text and "stale exception" not in f.text] == []
    assert refused_sources(root()) == [] and refused_code(root(), build_dir(), spine.lean, [DRIVER]) == []


def trimmed(spine: Spine) -> None:
    """Lines of the locks about sources that are not in the copy, left out."""
    path = spine.base / "audits" / "code.lock"
    path.write_text(
        "".join(line for line in path.read_text().splitlines(keepends=True) if not line.startswith("source ") or (spine.base / line.split()[1]).is_file())
    )
    import yaml

    path = spine.base / "audits" / "exceptions.yaml"
    data = yaml.safe_load(path.read_text())
    data["tokens"] = [e for e in ({**e, "files": {f: n for f, n in e["files"].items() if (spine.base / f).is_file()}} for e in data["tokens"]) if e["files"]]
    path.write_text(yaml.safe_dump(data))


# What is planted in which module, in front of what, and where the finding must be.  Those of one group are compiled together.
BEFORE, TABLES = "/-- The sidecar gate with", 'instance : Result Bool := ⟨fun b => bif b then "true" else "false"⟩'
REFUSED = {
    "an attribute": (ENERGY, "namespace Gnosis\n", "namespace Gnosis\n@[inline] def other (n : Nat) : Nat := n\n", "an attribute"),
    "implemented_by": (ENERGY, BEFORE, f"attribute [implemented_by energyAdmit] energySidecarAdmit\n\n{BEFORE}", "implemented_by"),
    "a letter that looks like another": (ENERGY, BEFORE, f"def energySidecarΑdmit (_E _A _γ : Int) : Bool := true\n\n{BEFORE}", "the letter 'Α'"),
}
GROUPS = [
    {
        "another comparison": (ENERGY, "4 * E * A ≤ γ * γ", "4 * E * A < γ * γ", "Gnosis.energySidecarAdmit"),
        "a twin of a decision": (ENERGY, BEFORE, f"def «energySidecarAdmit ».x (_E _A _γ : Int) : Bool := true\n\n{BEFORE}", "Gnosis.«energySidecarAdmit ».x"),
        "a name of generated code": (
            ENERGY,
            BEFORE,
            f"def energySidecarAdmit._redArg (_E _A _γ : Int) : Bool := true\n\n{BEFORE}",
            f"{ENERGY}: Gnosis.energySidecarAdmit._redArg",
        ),
        "an entry with another decision": (
            TABLE,
            'entry "energySidecarAdmit" energySidecarAdmit',
            'entry "energySidecarAdmit" energySidecarAdmitStrict',
            "Gnosis.Driver.table",
        ),
        "an entry with a function of its own": (
            TABLE,
            'entry "energySidecarAdmitStrict" energySidecarAdmitStrict',
            'entry "energySidecarAdmitStrict" (fun (E A γ : Int) => energySidecarAdmitStrict A E γ)',
            "Gnosis.Driver.table",
        ),
        "an answer that is turned round": (
            TABLE,
            TABLES,
            TABLES.replace("true", "x").replace("false", "true").replace("x", "false"),
            "Gnosis.Driver.instResultBool",
        ),
    },
    {
        "a replaced comparison": (
            ENERGY,
            BEFORE,
            "instance (priority := 2000) always : LE Int := ⟨fun _ _ => True⟩\n"
            f"instance (priority := 2000) (a b : Int) : Decidable (always.le a b) := .isTrue True.intro\n\n{BEFORE}",
            "Gnosis.energySidecarAdmitStrict",
        ),
        "a replaced multiplication": (
            ENERGY,
            "/-- The scalar product of two",
            "instance (priority := 2000) : HMul Int Int Int := ⟨fun a _ => a⟩\n\n/-- The scalar product of two",
            "Gnosis.dot",
        ),
    },
]


def test_a_source_that_leaves_the_language_is_refused(spine: Spine) -> None:
    trimmed(spine)
    path = spine.base / "Gnosis" / "Decision" / "Energy.lean"
    plain = path.read_text()
    for which, (module, old, new, said) in REFUSED.items():
        edit(spine, module, old, new)
        assert any(said in f.text for f in refused_sources(spine.base)), which
        path.write_text(plain)
    assert refused_sources(spine.base) == []


@pytest.mark.parametrize("group", range(len(GROUPS)))
def test_what_would_run_otherwise_is_refused(spine: Spine, group: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "SHOWN", 1000)
    trimmed(spine)
    for module, old, new, _ in GROUPS[group].values():
        edit(spine, module, old, new)
    where = [f.where for f in looked(spine)]
    for which, (*_, name) in GROUPS[group].items():
        assert name in where, (which, where)
    assert group or where.count("Gnosis.Driver.table") >= 2


def test_a_compiled_file_with_other_code_and_a_forged_record_is_refused(spine: Spine) -> None:
    """The code of one gate is put under the name of another; the record of the build fits."""
    import hashlib

    class Tables(Module):
        def _read_root(self, part) -> None:  # noqa: ANN001
            super()._read_root(part)
            self.at = {}
            for pointer in self.extensions[generated.TABLE]:
                self.at[self.read_name(self.object(pointer, (0, 1), None)[1][0])] = pointer - part.base

    path = b.olean_path(spine.out, ENERGY)
    one = Tables(ENERGY, [path], Interner())
    data = bytearray(path.read_bytes())
    sidecar, strict = (one.at["Gnosis", n] for n in ("energySidecarAdmit", "energySidecarAdmitStrict"))
    data[sidecar + 8 * 4 : sidecar + 8 * 5] = word(bytes(data), strict + 8 * 4).to_bytes(8, "little")
    trace = path.with_suffix(".trace")
    record = {**json.loads(trace.read_text()), "sha256": hashlib.sha256(data).hexdigest()}
    for file, content in ((path, bytes(data)), (trace, json.dumps(record).encode())):
        file.unlink()
        file.write_bytes(content)
    trimmed(spine)
    found = looked(spine)
    assert [f.where for f in found] == ["Gnosis.energySidecarAdmit"] and "audits/code.lock says" in found[0].text


def decided(spine: Spine) -> subprocess.CompletedProcess[str]:
    """`gnosis spine decide` on another spine."""
    request = '{"v": 1, "id": "a", "decision": "energySidecarAdmit", "args": [2, 8, 8]}\n'
    command = [sys.executable, "-m", "gnosis", "spine", "decide"]
    return subprocess.run(command, input=request, capture_output=True, text=True, cwd=root(), env={**os.environ, "GNOSIS_ROOT": str(spine.base)})


def test_the_command_runs_nothing_then(spine: Spine) -> None:
    trimmed(spine)
    edit(spine, *GROUPS[0]["another comparison"][:3])
    done = decided(spine)
    assert done.returncode == 1 and done.stdout == "" and "runs: " in done.stderr and "nothing was run" in done.stderr
    (spine.base / "Gnosis" / "link.lean").symlink_to("/dev/zero")
    done = decided(spine)
    assert done.returncode == 1 and done.stdout == "" and "a symbolic link" in done.stderr


def test_every_decision_is_in_a_headline_statement() -> None:
    """So the lock of definitions has the body of everything that a decision is defined by."""
    assert b.build().ok
    env = Environment(build_dir(), b.scan())
    functions = generated.functions(env)[0]
    meant = lock.read_definitions((root() / "audits" / "definitions.lock").read_text())
    assert code.unspoken(env, functions, meant) == []
    assert [f.where for f in code.unspoken(env, functions, meant.keys() - {"Gnosis.energyAdmit"})] == ["Gnosis.energyAdmit"]
    todo, seen = [n for n, f in functions.items() if f.module.startswith(code.DECISIONS) and n in env.constants], set()
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += env.refs(name, proofs=False)
    assert len(seen) > 300 and {show(n) for n in seen} <= meant.keys()

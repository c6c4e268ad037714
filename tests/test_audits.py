"""Every audit goes red on the fault that it is there for, and is green on the tree as it stands."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from audits_support import EXCEPTIONS, LOCKED, compiled_foundation, locked_spine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spines import Spine, Where, copy, word

from gnosis.audits import accelerated, audit, axioms, code, kernel, lock, printed, tokens
from gnosis.audits.environment import Environment
from gnosis.audits.findings import Finding
from gnosis.audits.olean import BadImage, Interner, Module, Part, show
from gnosis.spine import build as b
from gnosis.spine.paths import build_dir, root
from gnosis.spine.toolchain import Toolchain, find

# the same module after a bad day; every proof in it is a proof
CHANGED = LOCKED.replace("n + 3", "n + 4").replace(
    "theorem weakened (n m : Nat) : n * m = m * n := Nat.mul_comm n m", "theorem weakened (n m : Nat) (_ : n = m) : n * m = m * n := Nat.mul_comm n m"
)
CHANGED = re.sub("theorem (deleted|moved) .*\n", "", CHANGED)
MOVED = "prelude\nimport Gnosis.Core\ntheorem Locked.moved (n : Nat) : 0 ≤ n := Nat.zero_le n\n"
FAULTS = """prelude
import Gnosis.Core
axiom Faults.oops : (0 : Nat) = 5
namespace Faults
theorem unfinished (a b : Nat) : a = b := sorry
private theorem «hid den» (a b : Nat) : a = b := sorry
theorem clean_looking : (1 : Nat) = 2 := «hid den» 1 2
theorem assumes : (5 : Nat) = 0 := oops.symm
def body (n : Nat) : Nat := match unfinished n 0 with | _ => n
set_option debug.skipKernelTC true in
theorem unchecked : (1 : Nat) = 2 := by decide +kernel
inductive Odd : Prop where | mk
instance : Decidable Odd := isTrue .mk
end Faults
namespace Lean.Parser.Tactic
@[tactic_parser, extern "b"] opaque nativeDecide : ParserDescr
end Lean.Parser.Tactic
namespace Faults
theorem native : Odd := by native_decide
partial def loop (n : Nat) : Nat := loop (n + 1)
theorem about_loop : loop 0 = loop 0 := rfl
def other (n : Nat) : Nat := n + 0
@[implemented_by other] def slow (n : Nat) : Nat := n
unsafe def danger (n : Nat) : Nat := danger n
end Faults
"""


# the kernel computes this name by itself, so this is a proof of False that it accepts
GCD = """prelude
import Gnosis.Core
def Nat.gcd (n _m : Nat) : Nat := n
theorem Nat.gcd_spec : Nat.gcd 4 6 = 2 := rfl
theorem gcd_eq (n m : Nat) : Nat.gcd n m = n := rfl
theorem absurdity : False := nomatch (Nat.gcd_spec.symm.trans (gcd_eq 4 6))
"""
DECISION = """prelude
import Gnosis.Faults
def Gnosis.guess (n : Nat) : Nat := Faults.loop n
"""
HEADER = """module
prelude
public inductive T where | a | b
public inductive E : T → Prop where | mk : E .a
public inductive Flag where | off | on
theorem hidden : E .a := .mk
public theorem shown : E .a := hidden
"""


# with nothing but Logic below it, so that its replay is quick
COMPILED = """prelude
import Gnosis.Core.Logic
def k (n : Nat) : Nat := Nat.add n (.succ .zero)
def l (n : Nat) : Nat := n
theorem good : Eq (k .zero) (.succ .zero) := rfl
theorem plain : Eq Nat.zero Nat.zero := rfl
theorem lie : Eq Nat.zero (.succ .zero) := sorryAx _ Bool.false
inductive V : Type where
  | a (n : Nat)
  | b (n : Nat)
inductive W : Nat → Prop where
  | w : W .zero
"""


@pytest.fixture(scope="module")
def lean() -> Toolchain:
    return find()


@pytest.fixture(scope="module")
def foundation(lean: Toolchain) -> list[str]:
    return compiled_foundation(lean)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory, lean: Toolchain, foundation: list[str]) -> Spine:
    return locked_spine(tmp_path_factory.mktemp("clean"), lean, foundation)


@pytest.fixture(scope="module")
def faulty(clean: Spine, tmp_path_factory: pytest.TempPathFactory) -> audit.Report:
    """The report on the same spine with every fault of the sources in it, compiled without heed."""
    base = tmp_path_factory.mktemp("faulty") / "spine"
    shutil.copytree(clean.base, base)
    spine = Spine(base, build_dir(base), clean.lean)
    for name, text in (
        ("Gnosis.Locked", CHANGED),
        ("Gnosis.Moved", MOVED),
        ("Gnosis.Faults", FAULTS),
        ("Gnosis.Gcd", GCD),
        ("Gnosis.Decision.Guess", DECISION),
    ):
        spine.write(name, text)
        spine.compile(name)
    headline = base / "audits" / "headline.yaml"
    entries = lock.load(headline)
    entries.append({"name": "Nat.gcd_spec", "module": "Gnosis.Gcd", "section": 0, "english": "A sentence.", "specifies": ["Nat.gcd"]})
    headline.write_text(lock.dump(entries))
    return spine.run(build=False)


def about(report: audit.Report, kind: str, where: str) -> list[str]:
    """What one audit says about one thing."""
    return [f.text for f in report.findings if f.audit == kind and (f.where == where or f.where.endswith(": " + where))]


# The tree as it stands


@pytest.fixture(scope="module")
def repository() -> tuple[int, dict]:
    """`gnosis spine audit --json` on this repository."""
    run = subprocess.run([sys.executable, "-m", "gnosis", "spine", "audit", "--json"], capture_output=True, text=True, cwd=root())
    assert run.stdout, run.stderr
    return run.returncode, json.loads(run.stdout)


def test_the_repository_is_clean(repository: tuple[int, dict]) -> None:
    code, report = repository
    assert report["findings"] == []
    assert (code, report["ok"]) == (0, True)


def test_the_report_lists_every_theorem_with_its_statement_and_axioms(repository: tuple[int, dict]) -> None:
    _, report = repository
    rows = {t["name"]: t for t in report["theorems"]}
    assert len(rows) == len(report["theorems"]) == report["constants"]["theorem"] >= 1700
    assert all(set(t) == {"name", "module", "statement", "axioms"} and t["statement"] and t["axioms"] == [] for t in rows.values())
    assert rows["Gnosis.lagrange_identity"]["statement"].startswith("Gnosis.lagrange_identity {t a : List Int}")
    headline = lock.load(root() / "audits" / "headline.yaml")
    assert all(rows[e["name"]]["module"] == e["module"] for e in headline)
    assert report["headline"]["theorems"] == len(headline)
    assert report["hidden"]["opaque"] > 200 and report["hidden"]["theorems"] == 0


def test_the_kernel_has_checked_everything(repository: tuple[int, dict]) -> None:
    _, report = repository
    said, total = report["replay"], sum(report["constants"].values())
    assert said["control"] and said["accepted"] == said["units"] > 4000
    assert said["constants"] == total and said["compared"] == total - len(said["unsafe"])
    assert said["modules"] == report["modules"] == len(b.scan())
    assert said["plain"]["theorems"] >= 8 and said["plain"]["units"] > 50
    assert {a["name"] for a in report["accelerated"]} >= {"Nat.add", "Nat.mul", "Nat.div", "Nat.ble"}
    assert all(a["specified_by"] for a in report["accelerated"])


# Faults in the sources


@pytest.mark.parametrize("word", ["sorry", "axiom", "native_decide", "unsafe", "partial", "implemented_by", "debug", "opaque", "extern"])
def test_banned_words_are_found(faulty: audit.Report, word: str) -> None:
    assert any(t.startswith(f"`{word}`") for t in about(faulty, "tokens", "Gnosis/Faults.lean"))


@pytest.mark.parametrize(
    ("name", "axiom"),
    [
        ("Faults.unfinished", "sorryAx"),
        ("_private.Gnosis.Faults.0.Faults.«hid den»", "sorryAx"),
        ("Faults.clean_looking", "sorryAx"),
        ("Faults.assumes", "Faults.oops"),
        ("Faults.body", "sorryAx"),
        ("Faults.native", "Faults.native._native.native_decide.ax_1_1"),
    ],
)
def test_axioms_are_found_in_the_compiled_file(faulty: audit.Report, name: str, axiom: str) -> None:
    assert any(t.endswith(f"that rests on {axiom}") for t in about(faulty, "axioms", name))


def test_a_theorem_with_an_axiom_is_listed_with_it(faulty: audit.Report) -> None:
    rows = {t["name"]: t["axioms"] for t in faulty.theorems}
    assert rows["Faults.assumes"] == ["Faults.oops"] and rows["_private.Gnosis.Faults.0.Faults.«hid den»"] == ["sorryAx"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Faults.oops", "does not list"),
        ("Faults.about_loop", "opaque or unsafe"),
        ("Gnosis.guess", "a decision that rests on"),
        ("Faults.danger", "unsafe constant"),
    ],
)
def test_hidden_definitions_are_found_in_the_compiled_file(faulty: audit.Report, name: str, text: str) -> None:
    assert any(text in t for t in about(faulty, "axioms", name))


def test_the_audit_looks_at_the_locked_symbols(faulty: audit.Report) -> None:
    assert about(faulty, "code", "Lean.Parser.Tactic.nativeDecide") == ["extern: `b`; audits/code.lock has no line for it"]


def test_the_arithmetic_that_runs_is_the_one_of_its_name() -> None:
    # by hand, not from the lock: whoever rewrites the lock without looking is stopped here
    rows = {key.split(" ", 2)[2]: symbol for key, symbol in code.read((root() / "audits" / "code.lock").read_text()).items() if key.startswith("extern ")}
    want = {f"Int.{n}": f"lean_int_{n}" for n in ("neg", "add", "sub", "mul", "ediv")}
    want |= {"Int.decEq": "lean_int_dec_eq", "Int.decLe": "lean_int_dec_le", "Int.decLt": "lean_int_dec_lt", "Int.decNonNeg": "lean_int_dec_nonneg"}
    want |= {f"Nat.{n}": f"lean_nat_{n}" for n in ("pred", "add", "sub", "mul", "pow")} | {"Nat.beq": "lean_nat_dec_eq", "Nat.ble": "lean_nat_dec_le"}
    assert {n: rows.get(n) for n in want} == want


def test_a_proof_that_skipped_the_kernel_is_rejected_by_the_replay(faulty: audit.Report) -> None:
    said = [f for f in faulty.findings if f.audit == "replay" and f.where.startswith("Faults.unchecked")]
    assert said and all(f.text == "the kernel rejects this declaration" for f in said)
    assert {t["name"]: t["axioms"] for t in faulty.theorems}["Faults.unchecked"] == []  # no other audit sees it


def test_an_accelerated_name_with_a_wrong_body_is_rejected(faulty: audit.Report) -> None:
    # the kernel itself accepts it, with a proof of False: only without acceleration it does not
    assert about(faulty, "replay", "Nat.gcd_spec") == ["the kernel rejects this declaration when the accelerated operations are renamed"]
    assert not about(faulty, "replay", "absurdity") and {t["name"]: t["axioms"] for t in faulty.theorems}["absurdity"] == []


def test_an_accelerated_name_without_specification_is_found(clean: Spine) -> None:
    env = Environment(clean.out, ["Gnosis.Core"])
    good = lock.specified(lock.load(clean.base / "audits" / "headline.yaml"))
    assert accelerated.check(env, good) == []
    assert [(n, t) for n, t in accelerated.check(env, {**good, "Nat.div": []}) if "no headline theorem specifies it" in t]
    assert [t for _, t in accelerated.check(env, {**good, "Nat.div": ["Nat.add_spec"]}) if "does not mention it" in t]
    assert [t for _, t in accelerated.check(env, {**good, "Nat.gcd": ["Nat.add_spec"]}) if "not a declared accelerated name" in t]
    env.constants["Nat", "log2"] = env.constants["Nat", "add"]
    env.constants["Lean", "reduceBool"] = env.constants["Nat", "add"]
    said = {n: t for n, t in accelerated.check(env, {**good, "Nat.log2": ["Nat.add_spec"]})}
    assert ("Nat", "log2") in said and "compiled code" in said["Lean", "reduceBool"]


def test_the_lock_sees_a_weakened_statement_a_deleted_theorem_and_a_swapped_body(faulty: audit.Report) -> None:
    weakened = about(faulty, "lock", "Locked.weakened")
    assert len(weakened) == 1 and "n = m" in weakened[0].split("now:")[1] and "n = m" not in weakened[0].split("now:")[0]
    assert about(faulty, "lock", "Locked.deleted") == ["a headline theorem that is gone"]
    swapped = about(faulty, "lock", "Locked.limit")
    assert len(swapped) == 1 and "another type or body" in swapped[0] and "Locked.indirect" in swapped[0]
    assert about(faulty, "lock", "Locked.moved") == ["is in Gnosis.Moved, and headline.yaml says Gnosis.Locked"]
    assert not about(faulty, "lock", "Locked.kept")


def test_a_compiled_file_of_another_source_is_found(faulty: audit.Report) -> None:
    assert about(faulty, "build", "Gnosis.Locked") and not about(faulty, "build", "Gnosis.Core")


def test_a_module_header_is_found(tmp_path: Path, lean: Toolchain, foundation: list[str]) -> None:
    spine = copy(tmp_path / "spine", lean, [])
    spine.write("Gnosis.Header", HEADER)
    spine.compile("Gnosis.Header")
    assert [w for w, _, _ in tokens.hits(HEADER)] == ["module"]
    env = Environment(spine.out, ["Gnosis.Header"])
    assert [f.text for f in axioms.audit(env, axioms.dependencies(env), [], {}, {})] == ["compiled with a module header"]
    # the private part of the file is read too
    assert any(show(n).endswith("hidden") for n in env.constants)


def test_an_unfinished_proof_does_not_build(clean: Spine, tmp_path: Path) -> None:
    base = tmp_path / "spine"
    shutil.copytree(clean.base, base)
    Spine(base, build_dir(base), clean.lean).write("Gnosis.Open", "prelude\nimport Gnosis.Core\ntheorem open_ (n : Nat) : n = 0 := sorry\n")
    run = subprocess.run(
        [sys.executable, "-m", "gnosis", "spine", "audit", "--json"], capture_output=True, text=True, cwd=base, env={**os.environ, "GNOSIS_ROOT": str(base)}
    )
    report = json.loads(run.stdout)
    assert run.returncode == 1 and not report["ok"]
    assert {f["audit"] for f in report["findings"]} == {"language", "tokens"}


# Faults in a compiled file


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory, lean: Toolchain, foundation: list[str]) -> Spine:
    spine = copy(tmp_path_factory.mktemp("compiled") / "spine", lean, ["Gnosis.Core.Logic"])
    spine.write("Gnosis.Compiled", COMPILED)
    spine.compile("Gnosis.Compiled")
    return spine


def swapped_value(m: Where, d: bytearray) -> None:
    struct.pack_into("<Q", d, m.field("plain", 1), word(d, m.field("good", 1)))


def changed_type(m: Where, d: bytearray) -> None:
    struct.pack_into("<Q", d, m.type_field("plain"), word(d, m.type_field("lie")))


def swapped_body(m: Where, d: bytearray) -> None:
    struct.pack_into("<Q", d, m.field("k", 1), word(d, m.field("l", 1)))


def flipped_k(m: Where, d: bytearray) -> None:
    d[m.at["W.rec"] - m.parts[0].base + 8 * 8] ^= 1


def swapped_rule(m: Where, d: bytearray) -> None:
    rules = m.list(m.object(m.at["V.rec"], (0,), 7)[1][6])
    first = m.object(rules[0], (0,), 3)[1]
    struct.pack_into("<Q", d, rules[1] - m.parts[0].base + 8 * 3, first[2])


def more_fields(m: Where, d: bytearray) -> None:
    struct.pack_into("<Q", d, m.field("V.a", 4), 2 * 7 + 1)


@pytest.mark.parametrize(
    ("fault", "name"),
    [(swapped_value, "plain"), (changed_type, "plain"), (swapped_body, "good"), (flipped_k, "W.rec"), (swapped_rule, "V.rec"), (more_fields, "V.a")],
)
def test_the_replay_refuses_a_changed_file(compiled: Spine, tmp_path: Path, fault, name: str) -> None:  # noqa: ANN001
    path = b.olean_path(compiled.out, "Gnosis.Compiled")
    module, data = Where(path), bytearray(path.read_bytes())
    fault(module, data)
    assert bytes(data) != path.read_bytes()
    spine = copy(tmp_path / "spine", compiled.lean, ["Gnosis.Core.Logic"])
    b.olean_path(spine.out, "Gnosis.Compiled").write_bytes(data)
    # Lean imports it without a word
    printed.ask(compiled.lean, spine.out, ["Gnosis.Compiled"], ["#check plain"])
    code, said = spine.replay("Gnosis.Compiled")
    assert code == 1 and not said["ok"]
    assert name in said["rejected"] + [d["name"] for d in said["differences"]]


def test_the_unchanged_file_passes_the_replay(compiled: Spine) -> None:
    code, said = compiled.replay("Gnosis.Compiled")
    assert (code, said["rejected"], said["differences"]) == (0, [], []) and said["control"]


def test_an_axiom_smuggled_into_a_compiled_file_is_found(compiled: Spine, tmp_path: Path) -> None:
    path = b.olean_path(compiled.out, "Gnosis.Compiled")
    module, data = Where(path), bytearray(path.read_bytes())
    for offset in (module.field("plain", 1), module.type_field("plain")):
        struct.pack_into(
            "<Q", data, offset, word(data, offset - module.at["plain"] + module.at["lie"] if offset == module.field("plain", 1) else module.type_field("lie"))
        )
    spine = copy(tmp_path / "spine", compiled.lean, ["Gnosis.Core.Logic"])
    b.olean_path(spine.out, "Gnosis.Compiled").write_bytes(data)
    env = Environment(spine.out, ["Gnosis.Compiled"])
    deps, plain = axioms.dependencies(env), ("plain",)
    assert deps.axioms[plain] == ["sorryAx"]
    assert any(f.where.endswith(": plain") for f in axioms.audit(env, deps, EXCEPTIONS["axioms"], {}, {}))
    # `#print axioms` reads a table, and the cross-check sees that it disagrees
    answer = printed.ask(compiled.lean, spine.out, ["Gnosis.Compiled"], printed.axioms([plain]))[0]
    assert printed.parse_axioms(plain, answer) == []
    report = audit.Report("")
    assert [f.where for f in audit._cross_check(deps, [plain], [answer], report)] == ["plain"]
    assert report.print_axioms == {"asked": 1, "agree": 0}


def test_a_truncated_file_is_refused(compiled: Spine, tmp_path: Path) -> None:
    data = b.olean_path(compiled.out, "Gnosis.Compiled").read_bytes()
    spine = copy(tmp_path / "spine", compiled.lean, ["Gnosis.Core.Logic"])
    target = b.olean_path(spine.out, "Gnosis.Compiled")
    for length in (0, 3, 88, 96, 8000, len(data) - 8, len(data) - 3):
        target.write_bytes(data[:length])
        with pytest.raises(BadImage):
            Environment(spine.out, ["Gnosis.Compiled"])
    code, said = spine.replay("Gnosis.Compiled")
    assert code == 2 and "error" in said


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(damage=st.lists(st.tuples(st.integers(0, 1 << 20), st.integers(0, (1 << 64) - 1) | st.integers(0, 1 << 20)), min_size=1, max_size=3), near=st.booleans())
def test_damaged_files_are_refused_or_read_but_never_crash_the_reader(compiled: Spine, tmp_path: Path, damage: list[tuple[int, int]], near: bool) -> None:
    data, path = bytearray(b.olean_path(compiled.out, "Gnosis.Compiled").read_bytes()), tmp_path / "x.olean"
    for position, value in damage:
        offset = 88 + position * 8 % (len(data) - 96)
        # a word of the same file in place of another one is the damage that looks most like an image
        struct.pack_into("<Q", data, offset, word(data, value * 8 % (len(data) - 8)) if near else value)
    path.write_bytes(data)
    try:
        Module("x", [path], Interner())
    except BadImage:
        pass


def test_a_file_that_is_not_the_recorded_one_is_refused(compiled: Spine, tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.json"
    digests = {n: Part(b.olean_path(compiled.out, n)).sha256 for n in ("Gnosis.Compiled", "Gnosis.Core.Logic")}
    manifest.write_text(json.dumps({**digests, "Gnosis.Compiled": digests["Gnosis.Core.Logic"]}))
    code, said = compiled.replay("--manifest", str(manifest))
    assert code == 2 and "Gnosis.Compiled" in said["error"]


def test_a_kernel_that_accepts_everything_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Yes:
        def __init__(self, *_: object) -> None: ...
        def declaration(self, _: object) -> int:
            return 0

        def add(self, _: int) -> bool:
            return True

    monkeypatch.setattr(kernel, "Kernel", Yes)
    assert kernel.control(None) is False
    monkeypatch.setattr(Yes, "add", lambda *_: False)
    assert kernel.control(None) is False


def test_a_replay_that_dies_or_says_nothing_is_a_finding() -> None:
    fine = {
        "ok": True,
        "control": True,
        "rejected": [],
        "rejected_units": 0,
        "differences": [],
        "borrowed": [],
        "falsified": [],
        "falsified_words": 0,
        "plain": {"rejected": [], "absent": []},
    }
    assert audit._read_replay(fine, 0) == []
    assert audit._read_replay(fine, -11) and audit._read_replay({**fine, "ok": False}, 0) and audit._read_replay({**fine, "control": False}, 1)
    assert audit._read_replay({"error": "gone"}, 2) == [Finding("replay", "compiled files", "gone")]

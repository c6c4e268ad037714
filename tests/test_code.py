"""Every way that Lean has to run something else than a definition is named by the audit, or refused by Lean."""

from __future__ import annotations

import json
import os
import struct
import subprocess
from pathlib import Path

import pytest
from spines import Spine, copy, word

from gnosis.audits import code, entries, equations, generated, language
from gnosis.audits.environment import Environment
from gnosis.audits.objects import digest, value
from gnosis.audits.olean import Module, show
from gnosis.spine import build as b
from gnosis.spine.paths import build_dir
from gnosis.spine.toolchain import Toolchain, find

# Sources that Lean compiles: what is planted, which name a finding must have, and what it must say
MECHANISMS = {
    "implemented_by": ("@[implemented_by other] def by1 (n : Nat) : Nat := n", "by1", "Lean.Compiler.implementedByAttr"),
    "later": ("def by2 (n : Nat) : Nat := n\nattribute [implemented_by other] by2", "by2", "Lean.Compiler.implementedByAttr"),
    "quoted": ("@[«implemented_by» other] def by3 (n : Nat) : Nat := n", "by3", "Lean.Compiler.implementedByAttr"),
    "macro": (
        'def by4 (n : Nat) : Nat := n\nmacro "swap" : command => `(attribute [implemented_by other] by4)\nswap',
        "by4",
        "Lean.Compiler.implementedByAttr",
    ),
    "constructor": (
        "inductive T where | a (n : Nat) | b\ndef made (_ : Nat) : T := .b\nattribute [implemented_by made] T.a",
        "T.a",
        "Lean.Compiler.implementedByAttr",
    ),
    "noncomputable": ("@[implemented_by other] noncomputable def by5 (n : Nat) : Nat := n", "by5", "Lean.Compiler.implementedByAttr"),
    "opaque": ("unsafe def run (n : Nat) : Nat := run n\n@[implemented_by run] opaque by6 (n : Nat) : Nat", "by6", "Lean.Compiler.implementedByAttr"),
    "csimp": ("def by7 (n : Nat) : Nat := n\n@[csimp] theorem by7_eq : @by7 = @other := rfl", "by7", "Lean.Compiler.CSimp.ext"),
    "extern": ('@[extern "lean_nat_add"] def by8 (a _b : Nat) : Nat := a', "by8", "extern: `lean_nat_add`"),
    "inline C": ('@[extern c inline "#1 + #2"] def by9 (a _b : Nat) : Nat := a', "by9", "extern: `c inline #1 + #2`"),
    "two back ends": ('@[extern c "foo" llvm "bar"] def by10 (a _b : Nat) : Nat := a', "by10", "extern: `c foo, llvm bar`"),
    "adhoc": ("@[extern] def by11 (a _b : Nat) : Nat := a", "by11", "extern: `adhoc`"),
    "extern later": ('def by12 (a _b : Nat) : Nat := a\nattribute [extern "lean_nat_add"] by12', "by12", "extern: `lean_nat_add`"),
    "export": ("@[export lean_nat_mul] def by13 (a _b : Nat) : Nat := a", "by13", "Lean.exportAttr"),
    "export over another": ("@[export l_Nat_pred] def by14 (a : Nat) : Nat := a", "by14", "Lean.exportAttr"),
    "specialize": ("@[specialize] def by15 (f : Nat → Nat) : Nat := f 1", "by15", "Lean.Compiler.specializeAttr"),
    "never_extract": ("@[never_extract] def by16 : Nat := 1", "by16", "Lean.neverExtractAttr"),
    "boxed": ("def by17._boxed (_x y : Nat) : Nat := y\ndef by17 (x _y : Nat) : Nat := x", "by17._boxed", "only the code generator"),
    "fewer arguments": ("def by18 {α : Type} (x _y : α) : α := x\ndef by18._redArg (_x y : Nat) : Nat := y", "by18._redArg", "only the code generator"),
    "lambda": ("def by19._lam_0 (_x : Nat) : Nat := 7\ndef by19 (g : (Nat → Nat) → Nat) : Nat := g (fun x => x)", "by19._lam_0", "only the code generator"),
    "closed term": (
        "def by20._closed_0 : Nat := 7\ndef by20 (n : Nat) : Nat := n + 123456789012345678901234567890",
        "by20._closed_0",
        "only the code generator",
    ),
    "override": ("def by21._override (n : Nat) : Nat := n", "by21._override", "only the code generator"),
    "copy": ("def by22._unsafe_rec (_n : Nat) : Bool := true\ndef by22 (_n : Nat) : Bool := false", "by22", "two pieces of generated code"),
    "unsafe copy": ("unsafe def by23._unsafe_rec (_n : Nat) : Bool := true\ndef by23 (_n : Nat) : Bool := false", "by23", "two pieces of generated code"),
    "simp": ("@[simp] theorem by24 (n : Nat) : other n = n := rfl", "by24", "Lean.Meta.simpExtension"),
    "tagged_return": ('@[tagged_return, extern "lean_nat_add"] def by25 (a _b : Nat) : Nat := a', "by25", "taggedReturnAttr"),
    "unbox": ("@[unbox] structure U where\n  a : Nat\n  b : Nat", "U", "Lean.IR.UnboxResult.unboxAttr"),
}
# What leaves no trace but a definition's own code, or none at all: the source is refused before it is compiled
REFUSED = [
    "@[macro_inline] def f (a _b : Nat) : Nat := a",
    "@[inline] unsafe def f (n : Nat) : Nat := n",
    "@[reducible] def f (n : Nat) : Nat := n",
    "@[ inline ] def f (n : Nat) : Nat := n",
    "@ [inline] def f (n : Nat) : Nat := n",
    "attribute [local csimp] slow_eq",
    "attribute[inline] f",
    "«attribute» [inline] f",
    "inductive T where | a | b\nderiving DecidableEq",
    "deriving instance DecidableEq for T",
    "set_option compiler.extract_closed false",
    "set_option compiler.reuse false in\ndef f := 1",
    "mutual\ndef a := 1\nend",
    "private def f := 1",
    "partial def f (n : Nat) : Nat := f n",
    "opaque f : Nat",
    "export A (x)",
    "local instance : Add Nat := ⟨f⟩",
    "scoped instance : Add Nat := ⟨f⟩",
    "initialize x : Nat ← f",
    "builtin_initialize x : Nat ← f",
    'macro "swap" : command => f',
    "macro_rules | f => g",
    'syntax "swap" : command',
    'notation "swap" => f',
    'infixl:65 "+" => f',
    'elab "x" : term => f',
    "declare_syntax_cat c",
    "def f : Nat := unsafe g",
    "example : f := g",
    "#eval f",
    "#exit",
    "def f := `(x)",
    "def f := ``x",
    "axiom f : Nat",
    "theorem f : g := sorry",
    "def f := binop% g a b",
    "def f := private_decl% g",
    "def f := leading_parser g",
    "def f := do g",
    "open A hiding b",
    "abbrev f := g",
    "theorem f (n : Nat) : n = n :=\n termination_by n",
    # what is no comment, and what is no end of one
    '/--/ " -/ @[implemented_by g] def f := 1 -- "',
    "/-/ -/ def f := 1",
    "/-!/ -/ def f := 1",
    "/---/ def f := 1",
    "def f := a <--b",
    "def f := { x : Int //-1 = x }",
    "f -/",
    "def f :=\tg",
    "def f := g\r-- x",
    "def f := a'\"'",
    "def f := 'ab'",
    "def f := ]'\"'",
    'def «a"b» := 1',
    "def «a--b» := 1",
    "def «» := 1",
    "def f := a\u200bb",
    "ﬀ",
    "\ufeffprelude",
    'def f := "x',
]
# What Lean refuses in a file of this foundation, and how
LEAN_REFUSES = {
    "a local attribute": ("def r1 (n : Nat) : Nat := n\nattribute [local implemented_by other] r1", "must be global, not `local`"),
    "a scoped one": ("namespace S\ndef r2 (n : Nat) : Nat := n\nattribute [scoped implemented_by other] r2\nend S", "must be global, not `scoped`"),
    "init": ("def seven : Nat := 7\n@[init seven] def r3 : Nat := 5", "must have type of the form `IO <type>`"),
    "builtin_init": ("@[builtin_init seven] def r4 : Nat := 5", "must have type of the form `IO <type>`"),
    "initialize": ("initialize r5 : Nat ← pure 3", "Unknown constant `IO`"),
    "computed fields": (
        "inductive R where\n  | a (n : Nat)\n  | b\nwith\n  @[computed_field] size : R → Nat\n    | .a n => n\n    | .b => 0",
        "Unknown constant `unsafeCast`",
    ),
    "well-founded recursion": (
        "def r6 (n : Nat) : Nat := if h : n = 0 then 0 else r6 (n - 1)\ntermination_by n\ndecreasing_by exact h",
        "Unknown constant `wfParam`",
    ),
    "a copy of a structural recursion": (
        "unsafe def r7._unsafe_rec (_n : Nat) : Bool := true\ndef r7 : Nat → Bool\n  | 0 => false\n  | n + 1 => r7 n",
        "already been declared",
    ),
    "a safe copy": ("def r8._unsafe_rec (_n : Nat) : Bool := true\ndef r8 : Nat → Bool\n  | 0 => false\n  | n + 1 => r8 n", "already been declared"),
    "an attribute of another module": ("attribute [inline] Nat.pred", "because it is in an imported module"),
    "an equation of one's own": ("theorem r10.eq_def (n : Nat) : n = n := rfl\ndef r10 (_n : Nat) : Bool := false", "has already been declared"),
    "simproc": ("simproc r9 (_ + _) := fun e => e", "expected command"),
}
# The copies of these are right
RECURSIVE = """prelude
import Gnosis.Core
universe u
def down : Nat → Bool
  | 0 => false
  | n + 1 => down n
namespace A.B
def both : List Nat → List Nat → Nat
  | x :: xs, y :: ys => x * y + both xs ys
  | _, _ => 0
def twoStep : Nat → Nat
  | 0 => 0
  | 1 => 1
  | n + 2 => twoStep n + twoStep (n + 1)
end A.B
def lengthOf {α : Type u} : List α → Nat
  | [] => 0
  | _ :: xs => lengthOf xs + 1
mutual
def even : Nat → Bool
  | 0 => true
  | n + 1 => odd n
def odd : Nat → Bool
  | 0 => false
  | n + 1 => even n
end
"""
# and these are not, or cannot be shown
WRONG = """prelude
import Gnosis.After
unsafe def late._unsafe_rec (_n : Nat) : Bool := true
unsafe def here._unsafe_rec (_n : Nat) : Bool := true
def here (_n : Nat) : Bool := false
def safe._unsafe_rec (_n : Nat) : Bool := true
def safe (_n : Nat) : Bool := false
namespace A.B
unsafe def nested._unsafe_rec : Nat → Nat → Nat := fun a _ => a
def nested : Nat → Nat → Nat := fun _ b => b
end A.B
partial def loop (n : Nat) : Nat := loop (n + 1)
private def hidden : Nat → Bool
  | 0 => false
  | n + 1 => hidden n
unsafe def nobody._unsafe_rec (_n : Nat) : Bool := true
"""


@pytest.fixture(scope="module")
def lean() -> Toolchain:
    return find()


@pytest.fixture(scope="module")
def spine(tmp_path_factory: pytest.TempPathFactory, lean: Toolchain) -> Spine:
    """The foundation, with the planted modules compiled as by somebody who does not care."""
    result = b.build(["Gnosis.Core"], lean=lean)
    assert result.ok, result.messages
    made = copy(tmp_path_factory.mktemp("code") / "spine", lean, result.compiled + result.cached)
    head = "prelude\nimport Gnosis.Core\nset_option linter.unusedVariables false\ndef other (n : Nat) : Nat := n\n"
    made.write("Gnosis.Mechanisms", head + "\n".join(text for text, _, _ in MECHANISMS.values()) + "\n")
    made.write("Gnosis.Recursive", RECURSIVE)
    made.write("Gnosis.Early", "prelude\nimport Gnosis.Core\nunsafe def early._unsafe_rec (_n : Nat) : Bool := true\n")
    made.write("Gnosis.After", "prelude\nimport Gnosis.Early\ndef early (_n : Nat) : Bool := false\ndef late (_n : Nat) : Bool := false\n")
    made.write("Gnosis.Wrong", WRONG)
    for name in ("Gnosis.Mechanisms", "Gnosis.Recursive", "Gnosis.Early", "Gnosis.After", "Gnosis.Wrong"):
        made.compile(name)
    return made


@pytest.fixture(scope="module")
def mechanisms(spine: Spine) -> list[str]:
    env = Environment(spine.out, ["Gnosis.Mechanisms"])
    return [str(f) for f in code.module("Gnosis.Mechanisms", env.modules["Gnosis.Mechanisms"], {})]


@pytest.mark.parametrize("which", MECHANISMS)
def test_other_code_is_found_in_the_compiled_file(mechanisms: list[str], which: str) -> None:
    text, name, said = MECHANISMS[which]
    assert any(said in f and name in f for f in mechanisms), mechanisms
    # and in the source, before it is compiled, but where nothing but a name is wrong
    assert language.foreign(text) or "only the code generator" in said or which == "copy"


@pytest.mark.parametrize("text", REFUSED)
def test_a_source_that_leaves_the_ordinary_language_is_refused(text: str) -> None:
    found = language.audit({"Gnosis/A.lean": text}, {})
    assert found and all("no line for this file" in f.text for f in found)
    # allowed for exactly this text
    locked = {"Gnosis/A.lean": language.digest(text)}
    assert language.audit({"Gnosis/A.lean": text}, locked) == []
    assert "is not the file" in language.audit({"Gnosis/A.lean": text + " "}, locked)[0].text


@pytest.mark.parametrize(
    "text",
    [
        "/-- a -/ theorem t : p := q",
        "/-! a /- b -/ c -/",
        '/-- a\n"b" \'c -/',
        "-- @[inline]\ndef f := 1",
        'def f := "@[inline] macro"',
        "open A",
        "x.macro",
        "unsafe'",
        "a / -b",
        "a - -b",
        "match f '-' with | 'a' => 1",
        "(fun x => x - 1)",
        "/- -- -/ def f := 1",
        "instance : Add Nat where\n  add := f",
    ],
)
def test_the_ordinary_language(text: str) -> None:
    assert language.audit({"a": text}, {}) == []
    assert "stale" in language.audit({"a": text}, {"a": language.digest(text)})[0].text


def test_a_lock_on_a_file_that_is_gone_is_found() -> None:
    assert "no such file" in language.audit({}, {"a": "0"})[0].text


def test_lean_refuses_the_rest(spine: Spine) -> None:
    source = "prelude\nimport Gnosis.Core\ndef other (n : Nat) : Nat := n\n"
    places = {}
    for which, (text, _) in LEAN_REFUSES.items():
        places[which] = range(source.count("\n") + 1, source.count("\n") + text.count("\n") + 2)
        source += text + "\n"
    spine.write("Gnosis.Refused", source)
    path = spine.base / "Gnosis" / "Refused.lean"
    run = subprocess.run(
        [*spine.lean.command, "-D", "interpreter.prefer_native=false", "--json", "-R", str(spine.base), str(path)],
        env={**os.environ, "LEAN_PATH": str(spine.out)},
        capture_output=True,
        text=True,
    )
    said = [json.loads(line) for line in run.stdout.splitlines()]
    for which, (_, message) in LEAN_REFUSES.items():
        here = [m["data"] for m in said if m["severity"] == "error" and m["pos"]["line"] in places[which]]
        assert any(message in m for m in here), (which, here)


def equated(spine: Spine, name: str, folder: Path) -> dict:
    """What the replay says of the copies in a module and below it."""
    env = Environment(spine.out, [name])
    text, made = folder / "Equations.lean", folder / "Equations.olean"
    text.write_text(equations.source(env))
    run = subprocess.run(
        [*spine.lean.command, "-D", "interpreter.prefer_native=false", "-R", str(folder), "-o", str(made), str(text)],
        env={**os.environ, "LEAN_PATH": str(spine.out)},
        capture_output=True,
        text=True,
    )
    if run.returncode:
        bad = {int(line.split(":")[1]) for line in run.stdout.splitlines() if line.startswith(str(text)) and ": error" in line}
        text.write_text("".join(line for i, line in enumerate(text.read_text().splitlines(keepends=True), 1) if i not in bad))
        subprocess.run(
            [*spine.lean.command, "-D", "interpreter.prefer_native=false", "-R", str(folder), "-o", str(made), str(text)],
            env={**os.environ, "LEAN_PATH": str(spine.out)},
            check=True,
            capture_output=True,
        )
    return spine.replay(name, "--equations", str(made))[1]["equations"]


def test_the_copies_of_recursive_definitions_are_shown_to_be_them(spine: Spine, tmp_path: Path) -> None:
    said = equated(spine, "Gnosis.Recursive", tmp_path)
    env = Environment(spine.out, ["Gnosis.Recursive"])
    own = {show(n) for n in equations.copies(env) if env.constants[n].module == "Gnosis.Recursive"}
    assert own == {f"{f}._unsafe_rec" for f in ("down", "A.B.both", "A.B.twoStep", "lengthOf", "even", "odd")}
    assert said == {"copies": len(equations.copies(env)), "missing": []}
    assert code.shown(env, said) == []
    # and when nobody asked, or about less
    assert {f.where for f in code.shown(env, None)} >= {"A.B.both._unsafe_rec"}
    assert code.shown(env, {"copies": 1, "missing": []})


def test_copies_that_are_not_the_definition_are_named(spine: Spine, tmp_path: Path) -> None:
    said = equated(spine, "Gnosis.Wrong", tmp_path)
    why = {row["name"]: row["why"] for row in said["missing"]}
    rejects = "the kernel does not accept that it is the definition of "
    assert why == {
        "early._unsafe_rec": rejects + "early",
        "late._unsafe_rec": rejects + "late",
        "here._unsafe_rec": rejects + "here",
        "safe._unsafe_rec": rejects + "safe",
        "A.B.nested._unsafe_rec": rejects + "A.B.nested",
        "loop._unsafe_rec": "stands in place of loop, which is no definition that the kernel accepted",
        "_private.Gnosis.Wrong.0.hidden._unsafe_rec": "Lean has no equation _private.Gnosis.Wrong.0.hidden.eq_def to compare it with",
        "nobody._unsafe_rec": "stands in place of nobody, which is not declared",
    }
    env = Environment(spine.out, ["Gnosis.Wrong"])
    assert {f.where for f in code.shown(env, said)} == set(why)


def test_without_equations_nothing_is_shown(spine: Spine, tmp_path: Path) -> None:
    code_, said = spine.replay("Gnosis.Core.Logic", "--equations", str(tmp_path / "absent.olean"))
    assert code_ == 1 and not said["ok"]
    assert {row["name"] for row in said["equations"]["missing"]} >= {"Nat.add._unsafe_rec", "Nat.ble._unsafe_rec"}


# Compiled files with other bytes


class Tables(Module):
    """A module that remembers where its tables begin."""

    def _read_root(self, part) -> None:  # noqa: ANN001
        super()._read_root(part)
        entries_ = self.object(part.words[11], (0,), 5)[1][4]
        self.tables = {".".join(map(str, self.read_name(name))): values for name, values in (self.object(at, (0,), 2)[1] for at in self.array(entries_))}
        self.names_of = {".".join(map(str, self.read_name(self.object(at, (0,), 2)[1][0]))): self.object(at, (0,), 2)[1][0] for at in self.array(entries_)}


def changed(spine: Spine, tmp_path: Path, change) -> list[str]:  # noqa: ANN001
    """The findings about `Gnosis.Recursive` after a change of its bytes."""
    from gnosis.audits.olean import Interner

    path = tmp_path / "Recursive.olean"
    data = bytearray(b.olean_path(spine.out, "Gnosis.Recursive").read_bytes())
    path.write_bytes(data)
    before = Tables("Gnosis.Recursive", [path], Interner())
    assert code.module("Gnosis.Recursive", before, {}) == []
    change(before, data)
    path.write_bytes(data)
    return [str(f) for f in code.module("Gnosis.Recursive", Module("Gnosis.Recursive", [path], Interner()), {})]


def offset(one: Tables, pointer: int) -> int:
    return pointer - one.parts[0].base


def test_an_unknown_table_is_found(spine: Spine, tmp_path: Path) -> None:
    def change(one: Tables, data: bytearray) -> None:
        at = offset(one, one.object(one.names_of["Lean.declRangeExt"], (1,), 2)[1][1])
        data[at + 32 : at + 44] = b"declRangeXxt"

    assert any("the table Lean.declRangeXxt, which may have none" in f for f in changed(spine, tmp_path, change))


def test_an_entry_of_another_form_is_found(spine: Spine, tmp_path: Path) -> None:
    def change(one: Tables, data: bytearray) -> None:  # the first entry of one table is one of another
        struct.pack_into("<Q", data, offset(one, one.tables["recExt"]) + 24, one.array(one.tables["Lean.declRangeExt"])[0])

    assert any("an entry of recExt that has not the form of one" in f for f in changed(spine, tmp_path, change))


def test_the_name_of_a_package_is_found(spine: Spine, tmp_path: Path) -> None:
    table = next(t for t in entries.ALLOWED if t.endswith("modPkgExt"))

    def change(one: Tables, data: bytearray) -> None:
        struct.pack_into("<Q", data, offset(one, one.tables[table]) + 24, next(at for at, n in one.names.items() if n == ("Nat",)))

    assert any("must be one empty entry: Nat" in f for f in changed(spine, tmp_path, change))


def test_an_entry_about_another_module_is_found(spine: Spine, tmp_path: Path) -> None:
    def change(one: Tables, data: bytearray) -> None:
        struct.pack_into("<Q", data, offset(one, one.tables["recExt"]) + 24, next(at for at, n in one.names.items() if n == ("Nat",)))

    assert any("Nat: an entry of recExt about a name that this module does not declare" in f for f in changed(spine, tmp_path, change))


def test_code_under_the_name_of_another_function_is_found(spine: Spine, tmp_path: Path) -> None:
    def change(one: Tables, data: bytearray) -> None:
        first, second = one.array(one.tables[generated.TABLE])[:2]
        struct.pack_into("<Q", data, offset(one, first) + 8, word(data, offset(one, second) + 8))

    said = changed(spine, tmp_path, change)
    assert any("two pieces of generated code" in f for f in said)


def test_an_instruction_that_there_is_not_is_found(spine: Spine, tmp_path: Path) -> None:
    def change(one: Tables, data: bytearray) -> None:
        first = one.array(one.tables[generated.TABLE])[0]
        body = word(data, offset(one, first) + 8 * 4)
        data[offset(one, body) + 7] = 60

    assert any("which this reader does not know" in f for f in changed(spine, tmp_path, change))


def test_another_body_changes_the_hash_of_the_code(spine: Spine, tmp_path: Path) -> None:
    from gnosis.audits.olean import Interner

    path = tmp_path / "Recursive.olean"
    data = bytearray(b.olean_path(spine.out, "Gnosis.Recursive").read_bytes())
    path.write_bytes(data)
    one = Tables("Gnosis.Recursive", [path], Interner())
    at = {value(one, p).fields[0].name: p for p in one.array(one.tables[generated.TABLE])}
    struct.pack_into("<Q", data, offset(one, at["even",]) + 8 * 4, word(data, offset(one, at["odd",]) + 8 * 4))
    path.write_bytes(data)
    other = Module("Gnosis.Recursive", [path], Interner())
    assert code.module("Gnosis.Recursive", other, {}) == []  # every word of it is well formed
    now = {f.name: f.digest for f in generated.of_module(other)}
    assert {n for n, p in at.items() if digest(one, p).hex() != now[n]} == {("even",)}


def test_projections_are_compared(tmp_path: Path) -> None:
    from gnosis.audits.olean import Interner

    source = b.olean_path(build_dir(), "Gnosis.Core.Data")
    path, data = tmp_path / "Data.olean", bytearray(source.read_bytes())
    path.write_bytes(data)
    one = Tables("Gnosis.Core.Data", [path], Interner())
    assert entries.module("Gnosis.Core.Data", one) == []
    at = {value(one, p).fields[0].name: p for p in one.array(one.tables[entries.PROJECTIONS])}
    info = word(data, offset(one, at["Mod", "mod"]) + 16)
    struct.pack_into("<Q", data, offset(one, info) + 8 * 3, 2 * 1 + 1)  # the second field
    path.write_bytes(data)
    assert [str(f) for f in entries.module("Gnosis.Core.Data", Module("Gnosis.Core.Data", [path], Interner()))] == [
        "code: Gnosis.Core.Data: Mod.mod: is entered as a projection, and is another function"
    ]


# The lock


def test_the_lock_names_what_changed(tmp_path: Path) -> None:
    path = tmp_path / "code.lock"
    path.write_text("# a comment\nextern A f := b\nruns f := 1 2\n")
    locked = code.read(path.read_text())
    assert code.differences(locked, locked) == []
    said = [str(f) for f in code.differences(locked, {"extern A f": "c", "runs g": "3 4"})]
    assert said == [
        "code: A: f: extern: `c`; audits/code.lock says `b`",
        "code: f: runs: nothing; audits/code.lock says `1 2`",
        "code: g: runs: `3 4`; audits/code.lock has no line for it",
    ]
    assert "70 more lines" in code.differences({}, {f"runs {i}": "" for i in range(90)})[-1].text
    for text in ("extern A f := b\nextern A f := b\n", "extern A f\n"):
        path.write_text(text)
        with pytest.raises(ValueError, match=r"code.lock:\d: "):
            code.read(path.read_text())
    assert code.read("") == {}

"""Parts of the audit: the scan of the words, the list of exceptions, the lock."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from audits_support import EXCEPTIONS, compiled_foundation, locked_spine, needed_tokens
from hypothesis import given
from hypothesis import strategies as st
from spines import Spine, copy
from typer.testing import CliRunner

from gnosis.audits import audit, axioms, lock, tokens
from gnosis.audits.environment import Environment
from gnosis.audits.olean import BadImage, Constant
from gnosis.cli.spine import app as spine_app
from gnosis.spine.paths import root
from gnosis.spine.toolchain import Toolchain, find


@pytest.fixture(scope="module")
def lean() -> Toolchain:
    return find()


@pytest.fixture(scope="module")
def foundation(lean: Toolchain) -> list[str]:
    return compiled_foundation(lean)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory, lean: Toolchain, foundation: list[str]) -> Spine:
    return locked_spine(tmp_path_factory.mktemp("clean"), lean, foundation)


# Parts


@pytest.mark.parametrize(
    "text",
    [
        "theorem a : p := by sorry",
        "theorem a : p := «sorry»",
        "x.1 sorry",
        "λsorry",
        "(sorry)",
        "a'sorry b\nsorry",
        "'\"' sorry",
        '"x" sorry',
        "/- a /- b -/ c -/ sorry",
        "-- x\nsorry",
        "`sorry",
        'r#"a" b"# sorry',
        "'\\'' sorry",
        "x₁ sorry",
        "h'.sorry sorry",
        "f '-' sorry",
    ],
)
def test_the_scan_sees_code(text: str) -> None:
    assert "sorry" in [w for w, _, _ in tokens.hits(text)]


@pytest.mark.parametrize(
    "text",
    [
        "/- sorry -/ x",
        "-- sorry",
        "/-- sorry -/ theorem x",
        '"sorry"',
        "sorry'",
        "x.sorry",
        "energyAdmit admitted",
        '"a \\" sorry"',
        'r#"sorry " x"#',
        "/- -- -/ x",
        "unsafe_cast",
        "αsorry",
        "partialSum",
        "theorem module : p",
        "debug",
        "a.debug.b",
        "natively",
        '"\\{sorry}"',
        'r"{sorry}"',
        "x.reduceBools",
    ],
)
def test_the_scan_sees_no_ghosts(text: str) -> None:
    assert tokens.hits(text) == []


@pytest.mark.parametrize(
    ("text", "word", "line"),
    [
        ("a\n\nset_option debug.skipKernelTC true", "debug", 3),
        ("set_option «debug».«skipKernelTC» true", "debug", 1),
        ("-- x\nmodule\nprelude", "module", 2),
        ("/- never closed", "unreadable", 1),
        ('"never closed', "unreadable", 1),
        ("«never", "unreadable", 1),
        ('x\ns!"{sorry}"', "interpolation", 2),
        ('notation "a--b" => x', "comment-mark", 1),
        ("set_option warningAsError false", "warningAsError", 1),
        ("set_option interpreter.prefer_native true", "interpreter", 1),
        ("@[csimp] theorem x", "csimp", 1),
        ("by\n admit", "admit", 2),
        ('s! "{(sorry : Nat)}"', "interpolation", 1),
        ('s! -- x\n "{(sorry : Nat)}"', "interpolation", 2),
        ('dbg_trace "\\n{(sorry : Nat)}"; 1', "interpolation", 1),
        ("by decide +native", "native", 1),
        ("by decide + «native»", "native", 1),
        ("by decide (native := true)", "native", 1),
        ("(config := { Config.native := true })", "native", 1),
        ("sorryAx p false", "sorryAx", 1),
        ("@_root_.sorryAx p", "sorryAx", 1),
        ("Lean.ofReduceBool a b rfl", "ofReduceBool", 1),
        ("ofReduceNat a", "ofReduceNat", 1),
        ("Lean.reduceBool a", "reduceBool", 1),
        ("«Lean».«reduceNat» a", "reduceNat", 1),
        ("open Lean in trustCompiler", "trustCompiler", 1),
    ],
)
def test_what_the_scan_reports(text: str, word: str, line: int) -> None:
    assert (word, line) in [(w, n) for w, n, _ in tokens.hits(text)]


@given(st.text())
def test_the_scan_reads_any_text(text: str) -> None:
    for token in tokens.lex(text):
        assert token.kind in ("name", "string", "symbol", "bad") and 1 <= token.line <= text.count("\n") + 1


@given(st.text("ab-/\n \"'«».λ₁r#\\", max_size=30))
def test_a_line_comment_and_a_closed_block_comment_hide_and_end(text: str) -> None:
    inner = text.replace("/-", "").replace("-/", "").replace("/", "")
    assert tokens.hits(f"/- {inner} -/ sorry") == [("sorry", inner.count("\n") + 1, tokens.BANNED["sorry"])]
    assert [w for w, _, _ in tokens.hits(f"-- {inner.split(chr(10))[0]}\nsorry")] == ["sorry"]


def test_only_the_lock_command_writes_the_lock() -> None:
    said = CliRunner().invoke(spine_app, ["audit", "--update-lock"])
    assert said.exit_code == 2 and "No such option" in said.output


def test_exceptions_are_exact(tmp_path: Path) -> None:
    (tmp_path / "Gnosis").mkdir()
    (tmp_path / "Gnosis" / "A.lean").write_text("prelude\nopaque x : Nat\naxiom y : x = x\n")

    def said(*rows: dict) -> list[str]:
        return [f.text for f in tokens.audit(tokens.texts(tmp_path), [{"reason": "r", "files": {"Gnosis/A.lean": 1}, **r} for r in rows])[0]]

    allowed = {"token": "opaque"}, {"token": "axiom"}
    assert said(*allowed) == []
    assert len(said()) == 2 and len(said(allowed[0])) == 1
    assert "stale" in said(*allowed, {"token": "sorry"})[0]
    assert "stale" in said(*allowed, {"token": "axiom", "files": {"Gnosis/B.lean": 1}})[0]
    assert "occurs 1 times" in said(allowed[0], {"token": "axiom", "files": {"Gnosis/A.lean": 2}})[0]
    assert "twice" in said(*allowed, {"token": "opaque"})[0]


GOOD = {**EXCEPTIONS, "tokens": [{"token": "opaque", "files": {"x": 1}, "reason": "r"}]}


def word_exception(**change: object) -> dict:
    return {**GOOD, "tokens": [{**GOOD["tokens"][0], **change}]}


def floor(**change: object) -> dict:
    return {**GOOD, "floors": {**audit.LOWEST, **change}}


@pytest.mark.parametrize(
    ("exceptions", "text"),
    [
        (word_exception(reason=" "), "without a reason"),
        ({**GOOD, "axioms": [{"name": "sorryAx"}]}, "without a reason"),
        (word_exception(files=["x"]), "exact number"),
        (word_exception(files={"x": None}), "exact number"),
        (word_exception(files={"x": 0}), "exact number"),
        (word_exception(files={"x": True}), "exact number"),
        (word_exception(files={}), "exact number"),
        (word_exception(count=1), "exact number"),
        ({**GOOD, "floors": {}}, "exactly"),
        ({**GOOD, "floors": None}, "exactly"),
        (floor(lemmas=1), "exactly"),
        ({**GOOD, "floors": {k: v for k, v in audit.LOWEST.items() if k != "theorems"}}, "exactly"),
        *((floor(**{what: number}), f"floor of {what}") for what in audit.LOWEST for number in (0, audit.LOWEST[what] - 1, True, "9999", None)),
    ],
)
def test_exceptions_need_reasons_numbers_and_floors(exceptions: dict, text: str) -> None:
    assert audit.load_exceptions(yaml.safe_dump(GOOD)) == GOOD
    with pytest.raises(ValueError, match=text):
        audit.load_exceptions(yaml.safe_dump(exceptions))


def test_floors_and_stale_axiom_exceptions(clean: Spine) -> None:
    env = Environment(clean.out, ["Gnosis.Core"])
    deps, words = axioms.dependencies(env), tokens.audit(tokens.texts(clean.base), needed_tokens())[1]
    assert axioms.audit(env, deps, EXCEPTIONS["axioms"], words, EXCEPTIONS["floors"]) == []
    assert "at least 100000" in axioms.audit(env, deps, EXCEPTIONS["axioms"], words, {"theorems": 100000})[0].text
    assert "stale" in axioms.audit(env, deps, [*EXCEPTIONS["axioms"], {"name": "propext"}], words, {})[0].text


def test_the_one_pass_closure_is_the_plain_one(clean: Spine) -> None:
    env = Environment(clean.out, ["Gnosis.Core"])
    marked = {n for n, c in env.constants.items() if c.kind in ("axiom", "opaque") or c.unsafe} | {("Nat", "rec"), ("Eq", "refl"), ("Nat", "add_comm")}
    reach = env.reach(marked)
    assert all(reach[n] == env.closure(n) & marked for n in env.constants)


def test_a_statement_that_lean_cannot_print_is_a_finding() -> None:
    said = audit._unprinted(
        {("a",): "a : 1 = 1", ("b",): "b : [Error pretty printing expression: parenthesize: uncaught exception. Falling back to raw printer.]\nx"}
    )
    assert [f.where for f in said] == ["b"]


def test_deep_terms_are_printed(clean: Spine) -> None:
    env = Environment(clean.out, ["Gnosis.Core.Logic"])
    name, term = ("deep",), env.intern("term", 4, ("Nat", "zero"), ())
    for _ in range(20000):
        term = env.intern("term", 5, env.intern("term", 4, ("Nat", "succ"), ()), term)
    env.constants[name] = Constant(name, "theorem", (), term, term, False, "")
    assert audit._explicit(env, name).count("@Nat.succ") == 20000
    assert len(env.term_hash(term)) == 32 and env.used(term) == {("Nat", "zero"), ("Nat", "succ")}


def test_the_lock_file_is_checked(tmp_path: Path) -> None:
    good = {"name": "a", "module": "m", "section": 1, "english": "A sentence."}
    path = tmp_path / "headline.yaml"
    path.write_text(lock.dump([good]))
    assert lock.load(path)[0]["name"] == "a"
    for bad in (
        [],
        [good, good],
        [{**good, "section": "1"}],
        [{**good, "english": " "}],
        [{**good, "source": 1}],
        [{**good, "source": " "}],
        [{**good, "extra": 1}],
        [{**good, "falsified_by": ["x"]}],
        [{**good, "specifies": "Nat.add"}],
        ["a"],
        [{"module": "m"}],
    ):
        path.write_text(yaml.safe_dump({"theorems": bad}))
        with pytest.raises(lock.BadHeadline):
            lock.load(path)


def test_every_headline_theorem_says_what_it_answers_to() -> None:
    entries = lock.load(root() / "audits" / "headline.yaml")
    assert [e["name"] for e in entries if "source" not in e] == []
    opening = ("Wei and Liu, ", "lattice-probe note, ", "deferred-refinement note, ", "standard: ")
    assert [e["name"] for e in entries if not e["source"].startswith(opening)] == []


def test_the_lock_refuses_its_own_tampering(clean: Spine) -> None:
    env = Environment(clean.out, ["Gnosis.Locked"])
    entries = [e for e in lock.load(clean.base / "audits" / "headline.yaml")]
    statements, path = {e["name"]: e["statement"] for e in entries}, lock.read_definitions((clean.base / "audits" / "definitions.lock").read_text())
    assert lock.audit(env, entries, statements, path) == []
    kept = next(e for e in entries if e["name"] == "Locked.kept")
    for change, text in (
        ({"statement": "x"}, "disagree"),
        ({"meaning_sha256": "0" * 64}, "another meaning"),
        ({"statement": ""}, "no locked statement"),
        ({"falsifier": "Without it.", "falsified_by": ["Locked.nothing"]}, "no theorem"),
        ({"statement": "x", "statement_sha256": lock.sha("x")}, "no longer the locked one"),
    ):
        said = lock.audit(env, [{**kept, **change} if e is kept else e for e in entries], statements, path)
        assert [f.where for f in said] == ["Locked.kept"] and text in said[0].text
    # falsifiers are locked too
    with_falsifier = [{**kept, "falsifier": "Without it.", "falsified_by": ["Locked.moved"]} if e is kept else e for e in entries]
    said = lock.audit(env, with_falsifier, statements, path)
    assert [f.where for f in said] == ["Locked.moved"] and "is new here" in said[0].text and "Locked.kept" in said[0].text


def test_the_same_name_twice(tmp_path: Path, lean: Toolchain, foundation: list[str]) -> None:
    spine = copy(tmp_path / "spine", lean, ["Gnosis.Core.Logic"])
    head = "prelude\nimport Gnosis.Core.Logic\n"
    for name, text in (
        ("A", "theorem t : Eq Nat.zero Nat.zero := rfl"),
        ("B", "theorem t : Eq Nat.zero Nat.zero := rfl"),
        ("C", "theorem t : Eq Nat.zero Nat.zero := sorryAx _ Bool.false"),
        ("D", "theorem t : Eq Nat.zero Nat.zero := Eq.symm rfl"),
        ("E", "theorem t : Eq Bool.true Bool.true := rfl"),
        ("F", "def t : Nat := Nat.zero"),
    ):
        spine.write(f"Gnosis.{name}", head + text)
        spine.compile(f"Gnosis.{name}")
    logic = len(Environment(spine.out, ["Gnosis.Core.Logic"]).constants)
    assert len(Environment(spine.out, ["Gnosis.A", "Gnosis.B"]).constants) == logic + 1
    # the same statement with another proof: both proofs are looked at
    env = Environment(spine.out, ["Gnosis.A", "Gnosis.C", "Gnosis.D"])
    deps = axioms.dependencies(env)
    assert len(env.constants) == logic + 3 and sum(deps.axioms[n] == ["sorryAx"] for n in env.constants if n[0] == "t") == 1
    code, said = spine.replay("Gnosis.A", "Gnosis.C", "Gnosis.D")
    assert code == 0 and said["constants"] == logic + 3
    for other in ("Gnosis.E", "Gnosis.F"):
        with pytest.raises(BadImage, match="declared in"):
            Environment(spine.out, ["Gnosis.A", other])

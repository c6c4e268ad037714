"""Environments that the kernel accepts and the audit must not, and faults that no file of one module can hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from second_opinion_support import MODULE, SOURCE, Image, planted_environment
from spines import Spine, copy

from gnosis.audits import accelerated, axioms, lock, units
from gnosis.audits.environment import Environment
from gnosis.audits.olean import CONST, SORT, BadImage, Constant, Interner, Module, Name, Part, show
from gnosis.spine import build as b
from gnosis.spine.paths import build_dir, root
from gnosis.spine.toolchain import find


@pytest.fixture(scope="module")
def bad(tmp_path_factory: pytest.TempPathFactory) -> Spine:
    """The module as it was compiled."""
    lean = find()
    result = b.build(["Gnosis.Core.Logic"], lean=lean)
    assert result.ok, result.messages
    spine = copy(tmp_path_factory.mktemp("second") / "spine", lean, ["Gnosis.Core.Logic"])
    spine.write(MODULE, SOURCE)
    spine.compile(MODULE)
    return spine


def an_axiom(i: Image) -> None:
    """A theorem becomes an axiom: one field, and a byte that says that it is safe."""
    i.kind("plain", 0)
    at = i.at(i.m.at["plain"])
    i.put(at, i.word(at) & ~(255 << 48) | 1 << 48)
    i.put(at + 16, 0)


# the kernel has nothing against these: they are proofs, from axioms
@pytest.mark.parametrize(
    ("edit", "name", "text"),
    [
        (an_axiom, "plain", "does not list"),
        (lambda i: i.copy(i.field("plain", 1), i.field("twin", 1)), "plain", "that rests on sorryAx"),
        (lambda i: i.copy(i.field("hidden", 1), i.field("twin", 1)), "hidden", "that rests on sorryAx"),
        (lambda i: (i.copy(i.head("plain", 2), i.head("lie", 2)), i.copy(i.field("plain", 1), i.field("trusting", 1))), "plain", "that rests on assumed"),
    ],
    ids=["an axiom in place of a theorem", "a proof and its unfinished twin", "an axiom behind an opaque constant", "a proof from an axiom"],
)
def test_a_smuggled_axiom_is_found(bad: Spine, tmp_path: Path, edit: Callable[[Image], object], name: str, text: str) -> None:
    def about(env: Environment) -> list[str]:
        said = axioms.audit(env, axioms.dependencies(env), [{"name": "sorryAx", "reason": "r"}], {}, {})
        return [f.text for f in said if f.where.endswith(": " + name)]

    assert not any(text in line for line in about(planted_environment(bad, tmp_path / "before", lambda _: None)))
    assert any(text in line for line in about(planted_environment(bad, tmp_path / "after", edit)))


def test_universe_parameters_that_nothing_uses_change_the_locked_statement(bad: Spine, tmp_path: Path) -> None:
    before, after = (
        planted_environment(bad, tmp_path / n, edit) for n, edit in (("a", lambda _: None), ("b", lambda i: i.copy(i.head("plain", 1), i.head("uses", 1))))
    )
    assert before.statement_hash(("good",)) == after.statement_hash(("good",))
    assert before.statement_hash(("plain",)) != after.statement_hash(("plain",))


def test_a_kernel_of_another_lean_does_not_judge(bad: Spine, tmp_path: Path) -> None:
    for module in ("Gnosis.Core.Logic", MODULE):
        data = bytearray(b.olean_path(bad.out, module).read_bytes())
        data[7:13] = b"4.34.0"
        path = b.olean_path(tmp_path, module)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    code, said = replace(bad, out=tmp_path).replay(MODULE)
    assert code == 2 and "compiled by Lean 4.34.0" in said["error"] and "the kernel is that of Lean 4.35.0" in said["error"]


def test_a_file_under_the_name_of_another_module_is_refused(bad: Spine, tmp_path: Path) -> None:
    for module, name in (("Gnosis.Core.Logic", "Gnosis.Core.Logic"), (MODULE, "Gnosis.Good")):
        path = b.olean_path(tmp_path, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b.olean_path(bad.out, module).read_bytes())
    code, said = replace(bad, out=tmp_path).replay("Gnosis.Good")
    assert code == 1 and said["rejected"] == said["differences"] == []
    assert [(f["module"], f["what"]) for f in said["falsified"]] == [("Gnosis.Good", "base address")]


# Faults that no file of one module can hold, in memory


def test_a_family_that_does_not_agree_is_refused(bad: Spine) -> None:
    def said(change: Callable[[dict[Name, Constant]], object]) -> str:
        env = Environment(bad.out, [MODULE])
        units.families(env)
        change(env.constants)
        with pytest.raises(BadImage) as error:
            units.families(env)
        return str(error.value)

    assert "Quot.lift is absent" in said(lambda c: c.pop(("Quot", "lift")))
    assert "V.a names R as its type, which does not list it" in said(
        lambda c: (c["V", "a"].data.update(inductive=("R",)), c["V",].data.update(constructors=(("V", "b"),)))
    )
    assert "R names T, V as its family" in said(lambda c: c["R",].data.update(all=(("T",), ("V",))))
    assert "V.rec names good as its family" in said(lambda c: c["V", "rec"].data.update(all=(("good",),)))


def test_declarations_that_depend_on_each_other_are_refused(bad: Spine) -> None:
    env = Environment(bad.out, [MODULE])
    l_, k = env.constants["l",], env.constants["k",]
    l_.value = env.intern("term", CONST, k.name, ())
    k.value = env.intern("term", CONST, l_.name, ())
    with pytest.raises(BadImage, match="depend on each other"):
        units.units(env, env.constants)


@pytest.fixture(scope="module")
def core() -> Environment:
    result = b.build(["Gnosis.Core"])
    assert result.ok, result.messages
    return Environment(build_dir(), ["Gnosis.Core"])


SPECIFIED = lock.specified(lock.load(root() / "audits" / "headline.yaml"))


def with_constants(core: Environment, changed: dict[Name, Constant]) -> list[tuple[Name, str]]:
    return accelerated.check(Environment.of(core.intern, {**core.constants, **changed}), SPECIFIED)


@pytest.mark.parametrize("name", accelerated.NAMES, ids=show)
def test_an_accelerated_name_that_is_not_what_the_kernel_computes_is_found(core: Environment, name: Name) -> None:
    assert accelerated.check(core, SPECIFIED) == []
    arguments = accelerated.OPERATIONS[str(name[-1])]
    like = core.constants[{accelerated.NAT2: ("Nat", "add"), accelerated.TEST2: ("Nat", "beq"), accelerated.NAT1: ("Nat", "pred")}[arguments]]
    right = core.constants.get(name) or replace(like, name=name)
    if name not in core.constants:  # declared without a theorem that says what it is
        assert (name, "the kernel accelerates this name, and no headline theorem specifies it") in with_constants(core, {name: right})
    else:
        assert accelerated.check(core, {**SPECIFIED, show(name): []}) == [(name, "the kernel accelerates this name, and no headline theorem specifies it")]
    wrong = (
        replace(right, type=core.constants["Nat",].type),
        replace(right, kind="opaque"),
        replace(right, kind="axiom", value=None),
        replace(right, unsafe=True),
    )
    for constant in wrong:
        assert (name, f"the kernel accelerates this name; it must be a definition of type {arguments}") in with_constants(core, {name: constant})


def test_the_hashes_of_what_the_kernel_knows_are_those_of_the_spine(core: Environment) -> None:
    assert {text: accelerated.unfolded_hash(core, tuple(text.split("."))) for text in accelerated.SPECIFIED} == accelerated.SPECIFIED
    assert set(accelerated.SPECIFIED) == {"String", *map(show, accelerated.declared(core))}


@pytest.mark.parametrize("name", [*(n for n in accelerated.TYPES if accelerated.TYPES[n][2]), *accelerated.LITERALS, *accelerated.FORBIDDEN], ids=show)
def test_another_meaning_of_a_name_that_the_kernel_knows_is_found(core: Environment, name: Name) -> None:
    if name in accelerated.TYPES:
        constant = core.constants[name]
        swapped = replace(constant, data={**constant.data, "constructors": constant.data["constructors"][::-1]})
        assert any(n == name and "knows this type by name" in t for n, t in with_constants(core, {name: swapped}))
        assert any(n == name and "knows this type by name" in t for n, t in with_constants(core, {name: replace(constant, kind="opaque")}))
        assert any(n == name for n, t in with_constants(core, {name: replace(constant, type=core.intern("term", SORT, 0))}))
    else:
        text = "unfolds text literals" if name in accelerated.LITERALS else "would run compiled code"
        assert [n for n, t in with_constants(core, {name: core.constants["Nat", "add"]}) if text in t] == [name]


def test_the_header_is_read_as_it_stands(bad: Spine) -> None:
    part = Part(b.olean_path(bad.out, MODULE))
    assert (part.version, len(part.githash)) == (bad.lean.version, 40)
    assert Module(MODULE, [part.path], Interner()).annotated == set()

"""Files for `test_hostile_exports.py` that begin with nothing, and those that must pass."""

from __future__ import annotations

from exports import Export
from hostile import Case, add, case, eq, false, nat, refl, theorem


def alone(make: Case) -> Case:
    """Marks a file that begins with nothing."""
    make.alone = True  # type: ignore[attr-defined]
    return make


def _false(e: Export) -> None:
    e.inductive(
        "False",
        e.sort(0),
        {},
        recursor=e.eliminator("False", e.pi(e.pi(e.const("False"), e.sort("u")), e.const("False"), e.app(e.var(1), e.var(0))), ("u",), 0, []),
    )


def _unit(e: Export, name: str, sort: int = 1, constructors: tuple[str, ...] = ("mk",)) -> None:
    """An inductive type with constructors that have no fields, and the recursor that the kernel makes."""
    t = e.const(name)
    motive = e.pi(t, e.sort("u"))
    minors = [e.app(e.var(k), e.const(f"{name}.{c}")) for k, c in enumerate(constructors)]
    rules = []
    for k, c in enumerate(constructors):
        rules.append((c, 0, e.lam(motive, *minors, e.var(len(minors) - 1 - k))))
    rec = e.eliminator(name, e.pi(motive, *minors, t, e.app(e.var(1 + len(minors)), e.var(0))), ("u",), len(minors), rules)
    e.inductive(name, e.sort(sort), {c: t for c in constructors}, recursor=rec)


@case("unchecked", "Nat")
@alone
def a_literal_that_proves_false(e: Export) -> None:
    _false(e)
    e.definition("Nat", e.sort(0), e.const("False"))
    theorem(e, e.const("False"), e.nat(0))


@case("unchecked", "String")
@alone
def a_text_that_proves_false(e: Export) -> None:
    _false(e)
    e.definition("String", e.sort(0), e.const("False"))
    theorem(e, e.const("False"), e.text("x"))


@case("unchecked", "String")
@alone
def a_text_in_an_empty_type(e: Export) -> None:
    _unit(e, "String", constructors=())
    e.definition("boom", e.const("String"), e.text("x"))


@case("unchecked", "Nat")
@alone
def a_number_in_an_empty_type(e: Export) -> None:
    _unit(e, "Nat", constructors=())
    e.definition("boom", e.const("Nat"), e.nat(5))


@case("unchecked", "Nat")
@alone
def numbers_with_three_constructors(e: Export) -> None:
    _unit(e, "Nat", constructors=("zero", "one", "two"))


@case("unchecked", "Nat")
@alone
def numbers_that_are_proofs(e: Export) -> None:
    e.axiom("Nat", e.sort(0))
    e.definition("boom", e.const("Nat"), e.nat(1))


@case("unchecked", "Bool")
@alone
def truth_values_the_other_way_round(e: Export) -> None:
    _unit(e, "Bool", constructors=("true", "false"))


@case("unchecked", "Char")
@alone
def characters_that_are_a_proposition(e: Export) -> None:
    _unit(e, "Char", sort=0)


@case("unchecked", "List")
@alone
def lists_without_parameter(e: Export) -> None:
    _unit(e, "List", constructors=("nil", "cons"))


@case("unchecked", "String.ofList")
@alone
def text_made_of_something_else(e: Export) -> None:
    _unit(e, "String")
    e.definition("String.ofList", e.pi(e.const("String"), e.const("String")), e.lam(e.const("String"), e.var(0)))


@case("unchecked", "U")
@alone
def a_family_whose_members_are_all_unsafe(e: Export) -> None:
    _unit(e, "U")
    for part in e.rows[-1]["inductive"].values():
        for member in part:
            member["isUnsafe"] = True


add("an unsafe definition", "unchecked", "loop", lambda e: e.definition("loop", false(e), e.const("loop"), safety="unsafe"))
add("a partial definition", "unchecked", "loop", lambda e: e.definition("loop", false(e), e.const("loop"), safety="partial"))
add("an axiom that nothing uses", "unchecked", "any", lambda e: e.axiom("any", false(e)))
add("an axiom that something uses", "unchecked", "any", lambda e: (e.axiom("any", false(e)), theorem(e, false(e), e.const("any"))))


# What must pass

GOOD: dict[str, Case] = {
    "nothing added": lambda e: None,
    "a true theorem": lambda e: theorem(e, eq(e, e.app(e.const("Nat.add"), e.nat(2), e.nat(2)), e.nat(4)), refl(e, e.nat(4))),
    "names that look like known ones": lambda e: (
        e.definition(("Nat.add",), nat(e), e.nat(7)),
        e.definition("nat", nat(e), e.nat(1)),
        e.definition(("Nat", "add", 0), nat(e), e.nat(1)),
        e.definition("N\u0430t", nat(e), e.nat(1)),
    ),
    "an empty type": lambda e: _unit(e, "U", constructors=()),
    "a type with two elements": lambda e: _unit(e, "U", constructors=("a", "b")),
    "a name of 128 components": lambda e: e.definition(tuple("x" for _ in range(128)), nat(e), e.nat(0)),
    "a literal of 65,536 digits": lambda e: e.definition("big", nat(e), e._put("ie", {"natVal": "9" * 65536})),
    "a level of 250 nodes": lambda e: e.definition("high", e.sort(250), e.sort(249)),
    "the largest hint": lambda e: e.definition("late", nat(e), e.nat(0), hints={"regular": (1 << 32) - 1}),
}


def _deep(shape: str) -> Case:
    """As deep as the reader lets a term be."""

    def make(e: Export) -> None:
        term = e.nat(0)
        for _ in range(4080):
            if shape == "app":
                term = e.app(e.const("Nat.succ"), term)
            elif shape == "let":
                term = e.let(nat(e), e.nat(1), term)
            else:
                term = e.lam(nat(e), term)
        if shape == "lam":
            type_ = e.pi(*[nat(e)] * 4081)
            e.definition("deep", type_, term)
        else:
            e.definition("deep", nat(e), term)

    return make


GOOD |= {f"a deep term: {shape}": _deep(shape) for shape in ("app", "let", "lam")}

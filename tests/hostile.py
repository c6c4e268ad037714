"""Files for `test_hostile_exports.py`: declarations that must not pass, each with the place in the answer that says why, and some that must."""

from __future__ import annotations

from collections.abc import Callable

from exports import Export

from gnosis.audits import accelerated

# what the cases speak of
BASE = (
    "Nat.add",
    "Nat.sub",
    "Nat.mul",
    "Nat.pow",
    "Nat.beq",
    "Nat.ble",
    "Quot.ind",
    "Quot.lift",
    "True.rec",
    "False.rec",
    "Or.rec",
    "And.rec",
    "Iff.rec",
    "Exists.rec",
    "PProd.rec",
    "Bool.rec",
    "Eq.rec",
)
Case = Callable[[Export], object]
CASES: dict[str, tuple[Case, str, str]] = {}


def case(where: str, said: str, name: str = "") -> Callable[[Case], Case]:
    """Register a file: `where` in the answer `said` must stand."""

    def register(make: Case) -> Case:
        key = name or make.__name__
        assert key not in CASES, key
        CASES[key] = make, where, said
        return make

    return register


def add(name: str, where: str, said: str, make: Case) -> None:
    case(where, said, name)(make)


def nat(e: Export) -> int:
    return e.const("Nat")


def false(e: Export) -> int:
    return e.const("False")


def eq(e: Export, left: int, right: int, type_: str = "Nat") -> int:
    return e.app(e.const("Eq", 1), e.const(type_), left, right)


def refl(e: Export, term: int, type_: str = "Nat") -> int:
    return e.app(e.const("Eq.refl", 1), e.const(type_), term)


def theorem(e: Export, type_: int, value: int, **more: object) -> None:
    e.theorem("boom", type_, value, **more)


def row(e: Export, kind: str, name: str) -> dict:
    """The row of a declaration that is there."""
    number = e.name(name)
    for found in e.rows:
        if kind in found and kind != "inductive" and found[kind]["name"] == number:
            return found[kind]
        if kind == "inductive" and "inductive" in found and found[kind]["types"][0]["name"] == number:
            return found[kind]
    raise KeyError(name)


def drop(e: Export, kind: str, name: str) -> None:
    wanted = row(e, kind, name)
    e.rows = [r for r in e.rows if r.get(kind) is not wanted]


# Proofs that are none

for text, make in {
    "a proof of something else": lambda e: theorem(e, false(e), e.const("True.intro")),
    "no proof at all": lambda e: theorem(e, false(e), false(e)),
    "a type that is no type": lambda e: theorem(e, e.nat(0), e.nat(0)),
    "a theorem that is no proposition": lambda e: theorem(e, nat(e), e.nat(0)),
    "a theorem about Type": lambda e: theorem(e, e.sort(1), nat(e)),
    "zero is one": lambda e: theorem(e, eq(e, e.nat(0), e.nat(1)), refl(e, e.nat(0))),
    "one is the successor of one": lambda e: theorem(e, eq(e, e.nat(1), e.app(e.const("Nat.succ"), e.nat(1))), refl(e, e.nat(1))),
    "two and two are five": lambda e: theorem(e, eq(e, e.app(e.const("Nat.add"), e.nat(2), e.nat(2)), e.nat(5)), refl(e, e.nat(5))),
    "two large numbers": lambda e: theorem(e, eq(e, e.nat(1 << 64), e.nat((1 << 64) + 1)), refl(e, e.nat(1 << 64))),
    "a wrong product of large numbers": lambda e: theorem(
        e, eq(e, e.app(e.const("Nat.mul"), e.nat(1 << 70), e.nat(3)), e.nat((3 << 70) + 1)), refl(e, e.nat((3 << 70) + 1))
    ),
    "two texts are one": lambda e: theorem(e, e.app(e.const("Eq", 1), nat(e), e.nat(3), e.const("Bool.true")), refl(e, e.nat(3))),
    "true is false": lambda e: theorem(e, eq(e, e.const("Bool.true"), e.const("Bool.false"), "Bool"), refl(e, e.const("Bool.true"), "Bool")),
    "propositions are not equal by reflexivity": lambda e: theorem(
        e, e.app(e.const("Eq", 1), e.sort(0), e.const("True"), false(e)), e.app(e.const("Eq.refl", 1), e.sort(0), false(e))
    ),
    "every proposition": lambda e: theorem(e, e.pi(e.sort(0), e.var(0)), e.lam(e.sort(0), e.var(0))),
    "a function that is none": lambda e: theorem(e, false(e), e.app(e.const("True.intro"), e.const("True.intro"))),
    "an argument of another type": lambda e: theorem(e, false(e), e.app(e.const("Nat.succ"), e.const("Bool.true"))),
    "another binder type": lambda e: theorem(e, e.pi(false(e), false(e)), e.lam(e.const("True"), e.var(0))),
    "a let of another type": lambda e: theorem(e, false(e), e.let(false(e), e.const("True.intro"), e.var(0))),
    "a let that is used beyond its type": lambda e: theorem(e, false(e), e.let(nat(e), e.nat(0), e.var(0))),
    "an application under a binder of another type": lambda e: theorem(e, e.pi(nat(e), false(e)), e.lam(nat(e), e.app(e.lam(false(e), e.var(0)), e.var(0)))),
    "Type in Type": lambda e: e.definition("boom", e.sort(1), e.sort(1)),
    "Prop in Prop": lambda e: e.definition("boom", e.sort(0), e.sort(0)),
    "Type in Prop": lambda e: e.definition("boom", e.sort(0), e.sort(1)),
    "a function on types in Type": lambda e: e.definition("boom", e.sort(1), e.pi(e.sort(1), e.var(0))),
    "universe of a parameter": lambda e: e.definition("boom", e.sort("u"), e.sort("u"), ("u",)),
    "max is not imax": lambda e: e.definition("boom", e.sort(("imax", "u", "v")), e.pi(e.sort("u"), e.sort("v")), ("u", "v")),
    "an undeclared universe": lambda e: e.definition("boom", e.sort(("succ", "u")), e.sort("u")),
    "an undeclared universe in the value": lambda e: e.definition(
        "boom", e.pi(nat(e), e.sort(1)), e.lam(nat(e), e.app(e.lam(e.sort("w"), nat(e)), e.const("PUnit", "w")))
    ),
    "another universe than the declared one": lambda e: e.definition("boom", e.sort(("succ", "v")), e.sort("v"), ("u",)),
    "no universe where one is wanted": lambda e: theorem(e, e.app(e.const("Eq"), nat(e), e.nat(0), e.nat(0)), refl(e, e.nat(0))),
    "two universes where one is wanted": lambda e: theorem(e, e.app(e.const("Eq", 1, 1), nat(e), e.nat(0), e.nat(0)), refl(e, e.nat(0))),
    "a universe where none is wanted": lambda e: theorem(e, e.const("True", 1), e.const("True.intro")),
    "another universe": lambda e: theorem(e, e.app(e.const("Eq", 2), nat(e), e.nat(0), e.nat(0)), refl(e, e.nat(0))),
    "an opaque lie": lambda e: e.opaque("boom", false(e), e.const("True.intro")),
    "an opaque that is no type": lambda e: e.opaque("boom", e.nat(1), e.nat(1)),
    "a definition of another type": lambda e: e.definition("boom", nat(e), e.const("Bool.true")),
    "a literal that is a truth value": lambda e: e.definition("boom", e.const("Bool"), e.nat(1)),
    "a literal that is a proof": lambda e: theorem(e, e.const("True"), e.nat(0)),
    "a literal that is a type": lambda e: e.definition("boom", e.sort(1), e.nat(0)),
    "a part of a number": lambda e: e.definition("boom", nat(e), e.proj("Nat", 0, e.nat(1))),
    "a part of a truth value": lambda e: e.definition("boom", nat(e), e.proj("Bool", 0, e.const("Bool.true"))),
    "a part out of range": lambda e: theorem(
        e, e.pi(e.app(e.const("And"), e.const("True"), false(e)), false(e)), e.lam(e.app(e.const("And"), e.const("True"), false(e)), e.proj("And", 2, e.var(0)))
    ),
    "the first part for the second": lambda e: theorem(
        e, e.pi(e.app(e.const("And"), e.const("True"), false(e)), false(e)), e.lam(e.app(e.const("And"), e.const("True"), false(e)), e.proj("And", 0, e.var(0)))
    ),
    "a part beyond 2^32": lambda e: theorem(
        e,
        e.pi(e.app(e.const("And"), false(e), e.const("True")), false(e)),
        e.lam(e.app(e.const("And"), false(e), e.const("True")), e.proj("And", 1 << 32, e.var(0))),
    ),
    "a part of another structure": lambda e: theorem(
        e, e.pi(e.app(e.const("And"), e.const("True"), false(e)), false(e)), e.lam(e.app(e.const("And"), e.const("True"), false(e)), e.proj("Iff", 1, e.var(0)))
    ),
    "the witness out of a proof": lambda e: e.definition(
        "boom",
        e.pi(e.app(e.const("Exists", 1), nat(e), e.lam(nat(e), e.const("True"))), nat(e)),
        e.lam(e.app(e.const("Exists", 1), nat(e), e.lam(nat(e), e.const("True"))), e.proj("Exists", 0, e.var(0))),
    ),
    "a part of an equation": lambda e: theorem(e, false(e), e.proj("Eq", 0, refl(e, e.nat(0)))),
    "a recursor into data from a proof": lambda e: e.definition(
        "boom",
        e.pi(e.app(e.const("Or"), false(e), false(e)), nat(e)),
        e.lam(
            e.app(e.const("Or"), false(e), false(e)),
            e.app(
                e.const("Or.rec", 1),
                false(e),
                false(e),
                e.lam(e.app(e.const("Or"), false(e), false(e)), nat(e)),
                e.lam(false(e), e.nat(0)),
                e.lam(false(e), e.nat(1)),
                e.var(0),
            ),
        ),
    ),
}.items():
    add(text, "rejected", "boom", make)


@case("rejected", "boom")
def wrong_by_a_hair(e: Export) -> None:
    """Something that is deep and differs in one place only."""
    term, other = e.nat(0), e.nat(0)
    for _ in range(2000):
        term, other = e.app(e.const("Nat.succ"), term), e.app(e.const("Nat.succ"), other)
    theorem(e, eq(e, term, e.app(e.const("Nat.succ"), other)), refl(e, term))


# Order, names, loose variables, safety: refused by the reader

for text, said, make in (
    ("a definition that uses itself", "boom refers to boom, which is not declared before it", lambda e: e.definition("boom", false(e), e.const("boom"))),
    ("a proof that uses itself", "boom refers to boom, which is not declared before it", lambda e: theorem(e, false(e), e.const("boom"))),
    ("a statement that uses itself", "boom refers to boom", lambda e: theorem(e, e.const("boom"), e.const("True.intro"))),
    (
        "two proofs that use each other",
        "boom refers to later",
        lambda e: (theorem(e, false(e), e.const("later")), e.theorem("later", false(e), e.const("boom"))),
    ),
    ("a constant that is nowhere", "boom refers to nowhere", lambda e: theorem(e, e.const("nowhere"), e.const("True.intro"))),
    ("another spelling", "boom refers to FALSE", lambda e: theorem(e, e.const("FALSE"), e.const("True.intro"))),
    ("a name of one part", "boom refers to «True.intro»", lambda e: theorem(e, false(e), e.const(("True.intro",)))),
    ("a number in a name", "boom refers to True.1", lambda e: theorem(e, false(e), e.const(("True", 1)))),
    ("composed and decomposed", "boom refers to", lambda e: (e.definition("caf\u00e9", nat(e), e.nat(0)), e.definition("boom", nat(e), e.const("cafe\u0301")))),
    ("full width", "boom refers to", lambda e: e.definition("boom", e.sort(1), e.const("\uff2eat"))),
    ("a space of no width", "boom refers to", lambda e: e.definition("boom", e.sort(1), e.const("Nat\u200b"))),
    ("the anonymous constant", "boom refers to [anonymous]", lambda e: theorem(e, e.const(()), e.const("True.intro"))),
    ("a declaration without a name", "a declaration without a name", lambda e: e.definition((), nat(e), e.nat(0))),
    ("a loose variable", "boom: a term with loose variables", lambda e: theorem(e, false(e), e.var(0))),
    ("a loose variable in the type", "boom: a term with loose variables", lambda e: theorem(e, e.pi(nat(e), e.var(1)), e.const("True.intro"))),
    ("a loose variable far out", "a number below 4096", lambda e: theorem(e, false(e), e.lam(nat(e), e.var(1 << 20)))),
    ("twice the same definition", "Nat.add is declared twice", lambda e: e.rows.append({"def": row(e, "def", "Nat.add")})),
    ("a theorem under the name of a type", "True is declared twice", lambda e: e.theorem("True", false(e), e.const("True.intro"))),
    ("a definition under the name of a constructor", "Nat.zero is declared twice", lambda e: e.definition("Nat.zero", nat(e), e.nat(1))),
    ("a definition under the name of a recursor", "Nat.rec is declared twice", lambda e: e.definition("Nat.rec", nat(e), e.nat(1))),
    ("an axiom under the name of a theorem", "is declared twice", lambda e: e.axiom("Nat.add", nat(e))),
    ("a type under the name of the quotient", "Quot is declared twice", lambda e: e.inductive("Quot", e.sort(1), {})),
    ("a family twice", "is declared twice", lambda e: e.rows.append({"inductive": row(e, "inductive", "Nat")})),
    ("a universe parameter twice", "boom has a universe parameter twice", lambda e: e.definition("boom", e.sort(("succ", "u")), e.sort("u"), ("u", "u"))),
    (
        "an unsafe proof in a safe theorem",
        "boom is safe and refers to something that is unsafe",
        lambda e: (e.definition("loop", false(e), e.const("loop"), safety="unsafe"), theorem(e, false(e), e.const("loop"))),
    ),
    (
        "a partial proof in a safe theorem",
        "boom is safe and refers to something that is unsafe",
        lambda e: (e.definition("loop", false(e), e.const("loop"), safety="partial"), theorem(e, false(e), e.const("loop"))),
    ),
    (
        "an unsafe opaque proof in a safe theorem",
        "boom is safe and refers to something that is unsafe",
        lambda e: (e.opaque("loop", false(e), e.const("loop"), unsafe=True), theorem(e, false(e), e.const("loop"))),
    ),
    (
        "an unsafe axiom in a safe theorem",
        "boom is safe and refers to something that is unsafe",
        lambda e: (e.axiom("any", false(e), unsafe=True), theorem(e, false(e), e.const("any"))),
    ),
    (
        "an unsafe type in a safe statement",
        "boom is safe and refers to something that is unsafe",
        lambda e: (e.inductive("U", e.sort(0), {"mk": e.const("U")}, unsafe=True), theorem(e, e.const("U"), e.const("U.mk"))),
    ),
    (
        "a safe constructor of an unsafe type",
        "safe and unsafe members",
        lambda e: e.inductive("U", e.sort(0), {"mk": e.const("U")}, unsafe=True)["ctors"][0].update(isUnsafe=False),
    ),
    ("an unsafe constructor of a safe type", "safe and unsafe members", lambda e: row(e, "inductive", "Nat")["ctors"][0].update(isUnsafe=True)),
    ("a companion that is nowhere", "names nowhere as declared with it", lambda e: e.definition("boom", nat(e), e.nat(0), all=[e.name("nowhere")])),
    ("a hint of 2^32", "4294967296 where a number below 4294967296", lambda e: e.definition("boom", nat(e), e.nat(0), hints={"regular": 1 << 32})),
    ("an index of 2^63", "9223372036854775808 where a number below", lambda e: e.definition("boom", nat(e), e.proj("Nat", 1 << 63, e.nat(0)))),
    # families
    ("a family without recursors", "its family has 0 recursors", lambda e: e.inductive("U", e.sort(0), {})),
    ("a family of another", "names Nat, which is not in its family", lambda e: e.inductive("U", e.sort(0), {}, all=[e.name("Nat")])),
    ("a constructor of nothing", "as its type, which does not list it", lambda e: row(e, "inductive", "Nat")["types"][0].update(ctors=[e.name("Nat.succ")])),
    (
        "a constructor that is a type",
        "names Nat as a constructor, which is none of its own",
        lambda e: row(e, "inductive", "Nat")["types"][0].update(ctors=[e.name("Nat")]),
    ),
    (
        "a constructor of another type",
        "names False, which is not in its family",
        lambda e: row(e, "inductive", "Nat")["ctors"][0].update(induct=e.name("False")),
    ),
    ("a recursor of nothing", "names nothing as its family of types", lambda e: row(e, "inductive", "Nat")["recs"][0].update(all=[])),
    (
        "a recursor under another name",
        "its family has 1 recursors, PProd.wreck",
        lambda e: row(e, "inductive", "PProd")["recs"][0].update(name=e.name("PProd.wreck")),
    ),
    ("a type without its recursor", "its family has 0 recursors", lambda e: row(e, "inductive", "True").update(recs=[])),
    ("a nested type that is none", "and 1 nested ones", lambda e: row(e, "inductive", "Nat")["types"][0].update(numNested=1)),
    ("a family without types", "without types or with a member twice", lambda e: row(e, "inductive", "True").update(types=[])),
    ("a recursor twice", "without types or with a member twice", lambda e: row(e, "inductive", "True").update(recs=row(e, "inductive", "True")["recs"] * 2)),
    ("a quotient without a part", "is declared as a part of the quotient, and Quot.ind is absent", lambda e: drop(e, "quot", "Quot.ind")),
):
    add(text, "error", said, make)


# Inductive types that the kernel must not make


def _type(constructors: Callable[[Export], dict[str, int]], sort: int = 1, **more: object) -> Case:
    def make(e: Export) -> None:
        made = constructors(e)
        u = e.const("U")
        e.inductive(
            "U", e.sort(sort), made, recursor=e.eliminator("U", e.pi(e.pi(u, e.sort("v")), u, e.app(e.var(1), e.var(0))), ("v",), len(made), []), **more
        )

    return make


for text, make in {
    "a type that eats itself": _type(lambda e: {"mk": e.pi(e.pi(e.const("U"), false(e)), e.const("U"))}, fields=(1,), recursive=True),
    "a type that eats itself twice removed": _type(
        lambda e: {"mk": e.pi(e.pi(e.pi(e.pi(e.const("U"), nat(e)), nat(e)), nat(e)), e.const("U"))}, fields=(1,), recursive=True
    ),
    "a type that holds all types": _type(lambda e: {"mk": e.pi(e.sort(1), e.const("U"))}, fields=(1,)),
    "a constructor of another result": _type(lambda e: {"mk": nat(e)}),
    "a constructor that is no function into the type": _type(lambda e: {"mk": e.pi(e.const("U"), nat(e))}, fields=(1,)),
    "a constructor that is no type": _type(lambda e: {"mk": e.nat(0)}),
    "a constructor with an undeclared universe": _type(lambda e: {"mk": e.pi(e.const("PUnit", "w"), e.const("U"))}, fields=(1,)),
    "a constructor with a universe too many": _type(lambda e: {"mk": e.const("U", 1)}),
    "more parameters than there are": _type(lambda e: {"mk": e.const("U")}, params=1),
    "2^32 parameters": _type(lambda e: {"mk": e.const("U")}, params=1 << 32),
    "an index that is not there": _type(lambda e: {"mk": e.const("U")}, indices=1),
    "nested in its own negative place": _type(
        lambda e: {"mk": e.pi(e.app(e.const("PProd", 1, 1), e.pi(e.const("U"), nat(e)), nat(e)), e.const("U"))}, fields=(1,), recursive=True
    ),
}.items():
    add(text, "", "U", make)


@case("", "U")
def a_type_in_no_sort(e: Export) -> None:
    e.inductive("U", nat(e), {}, recursor=e.eliminator("U", e.sort(0), ("v",), 0, []))


@case("differences", "U.rec")
def a_type_without_constructors_whose_recursor_gives_anything(e: Export) -> None:
    e.inductive("U", e.sort(1), {}, recursor=e.eliminator("U", e.pi(e.sort("v"), e.var(0)), ("v",), 0, []))


@case("differences", "U.rec")
def a_recursor_of_a_proof_into_data(e: Export) -> None:
    u = e.const("U")
    rec = e.eliminator(
        "U",
        e.pi(e.pi(u, e.sort("v")), e.app(e.var(0), e.const("U.a")), e.app(e.var(1), e.const("U.b")), u, e.app(e.var(3), e.var(0))),
        ("v",),
        2,
        [("a", 0, e.const("Nat")), ("b", 0, e.const("Nat"))],
    )
    e.inductive("U", e.sort(0), {"a": u, "b": u}, recursor=rec)


# What a true family says of itself, changed in one place


def _field(family: str, part: str, at: int, key: str, value: object) -> Case:
    def make(e: Export) -> None:
        found = row(e, "inductive", family)[part][at]
        new = value(e, found[key]) if callable(value) else value
        assert new != found[key], (family, part, key)
        found[key] = new

    return make


def _more(_: Export, number: int) -> int:
    return number + 1


for family in ("Nat", "Or", "Eq", "PProd"):
    for part, keys in (
        ("types", ("numParams", "numIndices")),
        ("ctors", ("cidx", "numParams", "numFields")),
        ("recs", ("numParams", "numIndices", "numMotives", "numMinors")),
    ):
        for key in keys:
            add(f"{family}: one more {key} in its {part}", "", family, _field(family, part, 0, key, _more))
    for part, key in (("types", "isRec"), ("types", "isReflexive"), ("recs", "k")):
        add(f"{family}: another {key}", "differences", family, _field(family, part, 0, key, lambda _, old: not old))
    for text, change in {
        "fewer rules": lambda _, rules: rules[:-1],
        "a rule twice": lambda _, rules: [*rules, rules[-1]],
        "a rule of another size": lambda _, rules: [{**rules[0], "nfields": rules[0]["nfields"] + 1}, *rules[1:]],
        "a rule that is another term": lambda e, rules: [{**rules[0], "rhs": e.nat(0)}, *rules[1:]],
    }.items():
        add(f"{family}: {text}", "differences", f"{family}.rec", _field(family, "recs", 0, "rules", change))
    add(f"{family}: another type of the recursor", "differences", f"{family}.rec", _field(family, "recs", 0, "type", lambda e, _: e.sort(0)))
    add(
        f"{family}: another universe of the recursor",
        "differences",
        f"{family}.rec",
        _field(family, "recs", 0, "levelParams", lambda e, old: e.head("w", e.sort(0), (*[f"w{i}" for i in range(len(old))], "extra"))["levelParams"]),
    )
for family in ("Nat", "Or", "Bool"):
    add(f"{family}: rules in another order", "differences", f"{family}.rec", _field(family, "recs", 0, "rules", lambda _, rules: rules[::-1]))
    add(f"{family}: constructors in another order", "", family, _field(family, "types", 0, "ctors", lambda _, names: names[::-1]))


# The quotient

for part in ("Quot", "Quot.mk", "Quot.lift", "Quot.ind"):

    def _quotient(e: Export, part: str = part) -> None:
        row(e, "quot", part)["type"] = e.sort(1)

    add(f"{part} of another type", "", part, _quotient)
add(
    "parts of the quotient exchanged",
    "",
    "Quot",
    lambda e: (lambda a, b: (a.update(kind="ind"), b.update(kind="lift")))(row(e, "quot", "Quot.lift"), row(e, "quot", "Quot.ind")),
)
add("a fifth part of the quotient", "differences", "Quot.more", lambda e: e.rows.append({"quot": {**e.head("Quot.more", false(e)), "kind": "ind"}}))
add("a quotient part without universes", "", "Quot", lambda e: row(e, "quot", "Quot.mk").update(levelParams=[]))


# What the kernel goes by name for


def _operation(op: str) -> Case:
    """A definition of the right type that means something else, where there is none; else the true one is changed."""

    def make(e: Export) -> None:
        binary = accelerated.OPERATIONS[op] != accelerated.NAT1
        test = accelerated.OPERATIONS[op] == accelerated.TEST2
        value = e.const("Bool.true") if test else e.nat(7)
        body = e.lam(nat(e), nat(e), value) if binary else e.lam(nat(e), value)
        try:
            row(e, "def", f"Nat.{op}")["value"] = body
        except KeyError:
            result = e.const("Bool") if test else nat(e)
            e.definition(f"Nat.{op}", e.pi(nat(e), nat(e), result) if binary else e.pi(nat(e), result), body)

    return make


for op in accelerated.OPERATIONS:
    add(f"Nat.{op} that means something else", "", f"Nat.{op}", _operation(op))
for op in ("gcd", "div", "log2"):
    add(f"Nat.{op} of another type", "unchecked", f"Nat.{op}", lambda e, op=op: e.definition(f"Nat.{op}", nat(e), e.nat(0)))
    add(f"Nat.{op} as an opaque constant", "unchecked", f"Nat.{op}", lambda e, op=op: e.opaque(f"Nat.{op}", e.pi(nat(e), nat(e), nat(e)), e.const("Nat.add")))
    add(f"Nat.{op} as an axiom", "unchecked", f"Nat.{op}", lambda e, op=op: e.axiom(f"Nat.{op}", e.pi(nat(e), nat(e), nat(e))))
for name in accelerated.FORBIDDEN:
    add(".".join(map(str, name)), "unchecked", "the kernel would run compiled code", lambda e, name=name: e.opaque(".".join(map(str, name)), nat(e), e.nat(0)))

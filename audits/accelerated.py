"""The names by which the kernel computes.

The kernel evaluates some operations on number literals by big-number arithmetic, and it goes by name alone: a
definition under one of these names that means something else would make the logic inconsistent, in whichever
module it stands.  So every such name that the spine declares must have the right type and a specification among
the headline theorems (`specifies` in headline.yaml), and the replay checks the proofs of those specifications
once more with the names changed, that is without the acceleration.
"""
from __future__ import annotations

from .environment import Environment
from .olean import Name, show

NAT2, TEST2, NAT1 = (f"(x0 : @Nat) → {rest}" for rest in ("(x1 : @Nat) → @Nat", "(x1 : @Nat) → @Bool", "@Nat"))

# operation → its type, as `Environment.text` prints it
OPERATIONS: dict[str, str] = {
    **dict.fromkeys(("add", "sub", "mul", "pow", "div", "mod", "gcd", "land", "lor", "xor", "shiftLeft", "shiftRight"), NAT2),
    "beq": TEST2, "ble": TEST2, "log2": NAT1,
}
NAMES: tuple[Name, ...] = tuple(("Nat", op) for op in OPERATIONS)
# what literals stand for; the kernel takes these apart by name too
CONSTRUCTORS: dict[Name, tuple[tuple[str, str], ...]] = {
    ("Nat",): (("Nat.zero", "@Nat"), ("Nat.succ", "(x0 : @Nat) → @Nat")),
    ("Bool",): (("Bool.false", "@Bool"), ("Bool.true", "@Bool")),
}
LITERALS: dict[Name, str] = {("String", "ofList"): "(x0 : @List.{0} @Char) → @String", ("Char", "ofNat"): "(x0 : @Nat) → @Char"}
# the kernel may run compiled code for these, which no proof may rest on
FORBIDDEN: tuple[Name, ...] = (("Lean", "reduceBool"), ("Lean", "reduceNat"), ("Lean", "ofReduceBool"), ("Lean", "ofReduceNat"),
                               ("Lean", "trustCompiler"))


def declared(env: Environment) -> list[Name]:
    """The accelerated names that the spine declares."""
    return [n for n in NAMES if n in env.constants]


def check(env: Environment, specified: dict[str, list[str]]) -> list[tuple[Name, str]]:
    """Findings, each with the name it is about.  `specified` maps a name to the headline theorems that specify it."""
    out: list[tuple[Name, str]] = []
    for name in declared(env):
        c = env.constants[name]
        if c.kind != "definition" or c.unsafe or env.text(c.type) != OPERATIONS[str(name[-1])]:
            out.append((name, f"the kernel accelerates this name; it must be a definition of type {OPERATIONS[str(name[-1])]}"))
        theorems = specified.get(show(name), [])
        if not theorems:
            out.append((name, "the kernel accelerates this name, and no headline theorem specifies it"))
        for theorem in theorems:
            found = next((n for n in env.constants if show(n) == theorem), None)
            if found is not None and name not in env.meaning(found):
                out.append((name, f"{theorem} is named as its specification and does not mention it"))
    for name in specified:
        if name not in {show(n) for n in declared(env)}:
            out.append(((name,), "named as specified in headline.yaml, and it is not a declared accelerated name"))
    for name, constructors in CONSTRUCTORS.items():
        if name in env.constants:
            c = env.constants[name]
            have = tuple((show(k), env.text(env.constants[k].type)) for k in c.data.get("constructors", ()))
            if c.kind != "inductive" or have != constructors or env.text(c.type) != "Sort 1":
                out.append((name, f"the kernel knows this type by name; its constructors must be {constructors}, not {have}"))
    for name, type_ in LITERALS.items():
        if name in env.constants and env.text(env.constants[name].type) != type_:
            out.append((name, f"the kernel unfolds text literals with this name; its type must be {type_}"))
    out += [(name, "the kernel would run compiled code for this name") for name in FORBIDDEN if name in env.constants]
    return out

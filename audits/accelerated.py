"""The names by which the kernel computes.

The kernel evaluates some operations on number literals by big-number arithmetic, and it goes by name alone: a
definition under one of these names that means something else would make the logic inconsistent, in whichever
module it stands.  So every such name that the spine declares must have the right type and a specification among
the headline theorems (`specifies` in headline.yaml), and the replay checks the proofs of those specifications
once more with the names changed, that is without the acceleration.
"""

from __future__ import annotations

from .environment import Environment, digest
from .olean import LIT, Constant, Name, show

PRINTED = 100  # nodes of a term that is compared as text; the largest type here has 20
NAT2, TEST2, NAT1 = (f"(x0 : @Nat) → {rest}" for rest in ("(x1 : @Nat) → @Nat", "(x1 : @Nat) → @Bool", "@Nat"))

# operation → its type, as `Environment.text` prints it
OPERATIONS: dict[str, str] = {
    **dict.fromkeys(("add", "sub", "mul", "pow", "div", "mod", "gcd", "land", "lor", "xor", "shiftLeft", "shiftRight"), NAT2),
    "beq": TEST2,
    "ble": TEST2,
    "log2": NAT1,
}
# name → `unfolded_hash` of its definition in the spine.  Of the operations a headline theorem says that they are what the
# kernel computes; a String is a list of numbers there, so it has elements, which is all that a text literal needs.
SPECIFIED: dict[str, str] = {
    "Nat.add": "cc646f5bd2e60b95b977e95fed051573453429a9d0f2628718f89def52a44543",
    "Nat.sub": "d3fc9716ba2f30f89aaf8d9e58782d08df2f29c3c6fe6cf86058ad837726121c",
    "Nat.mul": "94667075c6830d5fb17e0cddce1049797e6f32d423c8c74a0de34cfb05a6be65",
    "Nat.pow": "89b759bac764cc4ee7b6796bda44c5c4b40400700b08094a2e87aebf99743d8b",
    "Nat.div": "2adcf0fa0689a913d62edc534d2afd16cd47e855b77991d86cb647dad38edbea",
    "Nat.mod": "6b9cf9700e764771255cfd3162a22ad2fe005f503d7e30bfcf7c2c2d9c4f907f",
    "Nat.beq": "a20138e206327199389ee67d4414abcc1c74c357f4d8f70d66e4c939ca960ac2",
    "Nat.ble": "fd836500ee25b42e1a1aa63cfe70008eefedf4859c1dbd515e90183b363b9c0b",
    "String": "b8b7c42cecb475117e947977ed2afa70a7b6b422fd1abaf7017d42ae4285d3d2",
}
NAMES: tuple[Name, ...] = tuple(("Nat", op) for op in OPERATIONS)
# what literals stand for, and the answers of tests: type → its universe parameters, its own type, and its constructors where
# the kernel takes it apart; {u} is the first universe parameter
TYPES: dict[Name, tuple[int, str, tuple[tuple[str, str], ...] | None]] = {
    ("Nat",): (0, "Sort 1", (("Nat.zero", "@Nat"), ("Nat.succ", "(x0 : @Nat) → @Nat"))),
    ("Bool",): (0, "Sort 1", (("Bool.false", "@Bool"), ("Bool.true", "@Bool"))),
    ("String",): (0, "Sort 1", None),
    ("Char",): (0, "Sort 1", None),
    ("List",): (
        1,
        "(x0 : Sort ({u}+1)) → Sort ({u}+1)",
        (("List.nil", "(x0 : Sort ({u}+1)) → @List.{{{u}}} x0"), ("List.cons", "(x0 : Sort ({u}+1)) → (x1 : x0) → (x2 : @List.{{{u}}} x0) → @List.{{{u}}} x0")),
    ),
}
LITERALS: dict[Name, str] = {("String", "ofList"): "(x0 : @List.{0} @Char) → @String", ("Char", "ofNat"): "(x0 : @Nat) → @Char"}
# the kernel may run compiled code for these, which no proof may rest on
FORBIDDEN: tuple[Name, ...] = (("Lean", "reduceBool"), ("Lean", "reduceNat"), ("Lean", "ofReduceBool"), ("Lean", "ofReduceNat"), ("Lean", "trustCompiler"))


def declared(env: Environment) -> list[Name]:
    """The accelerated names that the spine declares."""
    return [n for n in NAMES if n in env.constants]


def shapes(env: Environment) -> list[tuple[Name, str]]:
    """Names that the kernel knows, declared as something else than what it takes them for."""
    out: list[tuple[Name, str]] = []
    for name in declared(env):
        c = env.constants[name]
        if c.kind != "definition" or c.unsafe or not prints(env, c.type, OPERATIONS[str(name[-1])]):
            out.append((name, f"the kernel accelerates this name; it must be a definition of type {OPERATIONS[str(name[-1])]}"))
    for name, (levels, type_, constructors) in TYPES.items():
        if name in env.constants and not _is_type(env, env.constants[name], levels, type_, constructors):
            out.append((name, f"the kernel knows this type by name; it must be {type_}, made by {constructors}"))
    for name, type_ in LITERALS.items():
        if name in env.constants:
            c = env.constants[name]
            if c.kind not in ("definition", "constructor") or c.unsafe or c.levels or not prints(env, c.type, type_):
                out.append((name, f"the kernel unfolds text literals with this name; it must be a definition of type {type_}"))
    texts = any(node[0] == "term" and node[1] == LIT and isinstance(node[2], str) for node in env.nodes)
    if texts and ("String", "ofList") not in env.constants and ("String",) in env.constants and not pinned(env, ("String",)):
        out.append((("String",), "text literals are elements of this type, and without String.ofList nothing says that it has any"))
    return out + [(name, "the kernel would run compiled code for this name") for name in FORBIDDEN if name in env.constants]


def _is_type(env: Environment, c: Constant, levels: int, type_: str, constructors: tuple[tuple[str, str], ...] | None) -> bool:
    if c.kind != "inductive" or c.unsafe or len(c.levels) != levels:
        return False
    u = show(c.levels[0]) if levels else ""
    if not prints(env, c.type, type_.format(u=u)):
        return False
    have = c.data["constructors"]
    return (
        constructors is None
        or len(have) == len(constructors)
        and all(show(k) == name and prints(env, env.constants[k].type, text.format(u=u)) for k, (name, text) in zip(have, constructors, strict=True))
    )


def prints(env: Environment, term: int, text: str) -> bool:
    """Whether the term prints as this text.  A term that is too large for it is not printed: it may share its parts."""
    return env.size(term, PRINTED) <= PRINTED and env.text(term) == text


def unfolded_hash(env: Environment, name: Name) -> str:
    """Hash of a definition with the bodies of all that it unfolds to; names of bound variables do not count, nor do proofs."""
    seen, stack = {name}, [name]
    while stack:
        for other in env.refs(stack.pop(), proofs=False):
            if other not in seen:
                seen.add(other)
                stack.append(other)
    return digest(*(env.definition_hash(n) for n in sorted(seen, key=repr))).hex()


def pinned(env: Environment, name: Name) -> bool:
    """Whether this is defined as in the spine, with all that it unfolds to."""
    return unfolded_hash(env, name) == SPECIFIED.get(show(name))


def unpinned(env: Environment) -> list[tuple[Name, str]]:
    """Accelerated names that are not defined as in the spine, where a headline theorem determines their values."""
    return [
        (name, "the kernel accelerates this name; it is not defined as in the spine, so nothing says here that it means what the kernel computes")
        for name in declared(env)
        if not pinned(env, name)
    ]


def check(env: Environment, specified: dict[str, list[str]]) -> list[tuple[Name, str]]:
    """Findings, each with the name it is about.  `specified` maps a name to the headline theorems that specify it."""
    out: list[tuple[Name, str]] = []
    for name in declared(env):
        theorems = specified.get(show(name), [])
        if not theorems:
            out.append((name, "the kernel accelerates this name, and no headline theorem specifies it"))
        for theorem in theorems:
            found = next((n for n in env.constants if show(n) == theorem), None)
            if found is not None and name not in env.meaning(found):
                out.append((name, f"{theorem} is named as its specification and does not mention it"))
    for text in specified:
        if text not in {show(n) for n in declared(env)}:
            out.append(((text,), "named as specified in headline.yaml, and it is not a declared accelerated name"))
    return out + shapes(env)

"""Declarations in the units in which the kernel takes them: which belong together and in which order, what the kernel
made of them, and where that differs from the file.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from .olean import BadImage, Name, show

if TYPE_CHECKING:
    from .environment import Environment
    from .kernel import Kernel

TEXT: set[Name] = {("String", "ofList"), ("Char", "ofNat")}
QUOTIENT: tuple[Name, ...] = (("Quot",), ("Quot", "mk"), ("Quot", "lift"), ("Quot", "ind"))


def families(env: Environment) -> None:
    """Raise BadImage when types, constructors and recursors do not name each other as one family, or the quotient lacks a part."""

    def kind(name: Name) -> str:
        return env.constants[name].kind

    recursors: dict[tuple[Name, ...], set[Name]] = {}
    for name, c in env.constants.items():
        if c.kind == "recursor":
            recursors.setdefault(c.data["all"], set()).add(name)
    for name, c in env.constants.items():
        if c.kind in ("inductive", "recursor"):
            family = c.data["all"]
            if (
                not family
                or any(kind(t) != "inductive" or env.constants[t].data["all"] != family for t in family)
                or (c.kind == "inductive" and name not in family)
            ):
                raise BadImage(f"{show(name)} names {', '.join(map(show, family)) or 'nothing'} as its family of types, and they do not agree")
        if c.kind == "inductive":
            for constructor in c.data["constructors"]:
                if kind(constructor) != "constructor" or env.constants[constructor].data["inductive"] != name:
                    raise BadImage(f"{show(name)} names {show(constructor)} as a constructor, which is none of its own")
        elif c.kind == "constructor":
            of = c.data["inductive"]
            if kind(of) != "inductive" or name not in env.constants[of].data["constructors"]:
                raise BadImage(f"{show(name)} names {show(of)} as its type, which does not list it")
        elif c.kind == "quot":
            missing = [n for n in (*QUOTIENT, ("Eq",)) if n not in env.constants]
            if missing:
                raise BadImage(f"{show(name)} is declared as a part of the quotient, and {show(missing[0])} is absent")
    for name, c in env.constants.items():
        if c.kind == "inductive":
            family, found = c.data["all"], recursors.get(c.data["all"], set())
            nested = len(found) - len(family)  # each type has one, and each type that these are nested in
            if found != {(*t, "rec") for t in family} | {(*family[0], f"rec_{i}") for i in range(1, nested + 1)} or nested != c.data["nested"]:
                raise BadImage(
                    f"{show(name)}: its family has {len(found)} recursors, {', '.join(map(show, sorted(found, key=repr)[:3])) or 'none'}; "
                    f"wanted one for each of {len(family)} types and {c.data['nested']} nested ones"
                )


def unit_of(env: Environment) -> dict[Name, tuple[Name, ...]]:
    """For every constant what it is declared together with: an inductive family, the quotient, or itself.

    Unsafe constants are left out: no safe declaration can refer to them.
    """
    unit: dict[Name, tuple[Name, ...]] = {}
    for name, c in env.constants.items():
        if c.unsafe:
            continue
        if c.kind == "inductive" or c.kind == "recursor":
            unit[name] = c.data["all"]
        elif c.kind == "constructor":
            unit[name] = env.constants[c.data["inductive"]].data["all"]
        elif c.kind == "quot":
            unit[name] = QUOTIENT
        else:
            unit[name] = (name,)
    return unit


def units(env: Environment, wanted: Iterable[Name]) -> list[tuple[Name, ...]]:
    """The units of `wanted` and of all that they rest on, in dependency order."""
    unit = unit_of(env)
    members: dict[tuple[Name, ...], list[Name]] = {}
    for name, u in unit.items():
        members.setdefault(u, []).append(name)

    def needs(u: tuple[Name, ...]) -> Iterator[tuple[Name, ...]]:
        names: set[Name] = {("Eq",)} if u[0] == ("Quot",) else set()
        for name in members[u]:
            c = env.constants[name]
            names |= env.used(c.type)
            if c.value is not None:
                names |= env.used(c.value)
            if env.has_text(c.type) or (c.value is not None and env.has_text(c.value)):
                names |= TEXT  # the kernel unfolds text literals with these
        return iter(sorted({unit[n] for n in names if n in unit and unit[n] != u}, key=repr))

    order: list[tuple[Name, ...]] = []
    done: dict[tuple[Name, ...], bool] = {}
    for start in dict.fromkeys(unit[n] for n in wanted if n in unit):
        if start in done:
            continue
        done[start] = False
        stack = [(start, needs(start))]
        while stack:
            u, rest = stack[-1]
            for other in rest:
                if other not in done:
                    done[other] = False
                    stack.append((other, needs(other)))
                    break
                if not done[other]:
                    raise BadImage(f"{show(u[0])} and {show(other[0])} depend on each other")
            else:
                done[u] = True
                order.append(u)
                stack.pop()
    return order


def add_all(kernel: Kernel, order: list[tuple[Name, ...]]) -> tuple[list[tuple[Name, ...]], dict[Name, float]]:
    """Give the units to the kernel.  Returns those that it rejects, and the processor seconds that each took."""
    rejected, seconds = [], {}
    for unit in order:
        start = time.process_time()
        if not kernel.add(kernel.declaration(unit)):
            rejected.append(unit)
        seconds[unit[0]] = time.process_time() - start
    return rejected, seconds


def roots(env: Environment, rejected: list[tuple[Name, ...]]) -> list[Name]:
    """The rejected declarations that do not merely rest on another rejected one."""
    unit, bad = unit_of(env), set(rejected)
    members: dict[tuple[Name, ...], list[Name]] = {}
    for name, u in unit.items():
        members.setdefault(u, []).append(name)
    return [u[0] for u in rejected if not any(unit.get(other) in bad and unit[other] != u for name in members[u] for other in env.refs(name))]


def differences(env: Environment, kernel: Kernel, rejected: list[tuple[Name, ...]]) -> list[tuple[Name, str]]:
    """Constants whose fields in the file are not those that the kernel holds; rejected ones are left out, and so are
    the proofs of theorems."""
    out, skip = [], set(rejected)
    for name, u in unit_of(env).items():
        if u in skip:
            continue
        held = kernel.lookup(name)
        if held is None:
            out.append((name, "absent from the kernel"))
            continue
        c = env.constants[name]
        if c.kind == held.kind == "theorem":
            held.value = c.value
        if env.fields(c, int) == env.fields(held, int):  # the same nodes of the one table
            continue
        here, there = env.fields(c), env.fields(held)
        out += [(name, key) for key in here if here[key] != there.get(key)]
    # constants that the file calls unsafe were not given to the kernel, which can hold none of them
    out += [(name, "unsafe") for name, c in env.constants.items() if c.unsafe and kernel.lookup(name)]
    return out

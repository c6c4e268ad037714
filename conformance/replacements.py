"""What a falsifier replaces: the clauses of a headline theorem that it leaves out, and those that it puts in their place.

A falsifier denies the headline with one hypothesis, constant or definition replaced.  Both statements are taken apart into
clauses, the hypotheses and the parts of the conclusion, with the variables called what the statement calls them.  A clause of
both is kept.  The clauses that are not are the replacement: take out what was put in, put back what was left out, and the
clauses are those of the headline again.  `gnosis manifest --write` writes the replacements to `conformance/replacements.yaml`;
`gnosis manifest` computes them again, and a falsifier that keeps nothing needs a reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import yaml

from ..audits.environment import Environment
from ..audits.olean import APP, BVAR, CONST, LAM, LET, LIT, PI, PROJ, SORT, Name, show

PAGE = "conformance/replacements.yaml"
HEADER = """\
# What each falsifier of a headline theorem replaces: clauses left out, clauses put in, and how many are kept (conformance/replacements.py).
# Written by `gnosis manifest --write` from the compiled spine; `gnosis manifest` refuses a stale file.
"""
INSTANCE = 3  # the kind of a binder in square brackets
# how much weaker a place binds than an argument: operators by the strength of Lean's own notation
INFIX = {
    "Iff": ("↔", 20),
    "Or": ("∨", 30),
    "And": ("∧", 35),
    "Eq": ("=", 50),
    "Ne": ("≠", 50),
    "LE.le": ("≤", 50),
    "LT.lt": ("<", 50),
    "GE.ge": ("≥", 50),
    "GT.gt": (">", 50),
    "Membership.mem": ("∈", 50),
    "HAdd.hAdd": ("+", 65),
    "HSub.hSub": ("-", 65),
    "HAppend.hAppend": ("++", 65),
    "List.cons": ("::", 67),
    "HMul.hMul": ("*", 70),
    "HDiv.hDiv": ("/", 70),
    "HPow.hPow": ("^", 75),
}


def occurs(env: Environment, term: int, index: int) -> bool:
    """Whether the variable `index` binders out occurs in the term."""
    stack = [(term, index)]
    while stack:
        at, i = stack.pop()
        tag = env.nodes[at][1]
        if tag == BVAR:
            if env.nodes[at][2] == i:
                return True
            continue
        children = env.children(at)
        inside = {LAM: 1, PI: 1, LET: 2}.get(tag)  # the child that is under one more binder
        stack += [(child, i + (k == inside)) for k, child in enumerate(children)]
    return False


def _name(env: Environment, binder: int) -> str:
    """What a binder calls its variable."""
    return show(env.nodes[binder][2]).split(".")[0]


def _call(env: Environment, term: int) -> tuple[int, list[int]]:
    """The head of an application and the arguments that are written out: those that Lean does not find itself."""
    arguments: list[int] = []
    while env.nodes[term][1] == APP:
        term, last = env.children(term)
        arguments.append(last)
    arguments.reverse()
    if env.nodes[term][1] != CONST:
        return term, arguments
    type_, shown = env.constants[env.nodes[term][2]].type, []
    for argument in arguments:
        if env.nodes[type_][1] != PI:
            shown.append(argument)
            continue
        if env.nodes[type_][5] == 0:
            shown.append(argument)
        type_ = env.children(type_)[1]
    return term, shown


def _members(env: Environment, term: int) -> list[int] | None:
    """The entries of a list that is written out to its end."""
    found: list[int] = []
    while True:
        head, arguments = _call(env, term)
        name = show(env.nodes[head][2]) if env.nodes[head][1] == CONST else ""
        if name == "List.nil":
            return found
        if name != "List.cons" or len(arguments) != 2:
            return None
        first, term = arguments
        found.append(first)


def text(env: Environment, term: int, bound: tuple[str, ...] = (), prec: int = 0) -> str:
    """A term as one would write it, nearly; `bound` names the variables, the last one innermost."""
    tag = env.nodes[term][1]
    if tag == BVAR:
        return bound[-1 - env.nodes[term][2]] if env.nodes[term][2] < len(bound) else f"#{env.nodes[term][2]}"
    if tag == SORT:
        return "Sort"
    if tag == LIT:
        return str(env.nodes[term][2])
    if tag in (LAM, PI):
        name = _name(env, term)
        domain, body = env.children(term)
        if tag == PI and not occurs(env, body, 0):
            out = f"{text(env, domain, bound, 26)} → {text(env, body, (*bound, name), 25)}"
        else:
            out = f"{'fun' if tag == LAM else '∀'} {name}{' =>' if tag == LAM else ','} {text(env, body, (*bound, name))}"
        return f"({out})" if prec > 25 else out
    if tag == PROJ:
        return f"{text(env, env.children(term)[0], bound, 100)}.{env.nodes[term][3] + 1}"
    head, arguments = _call(env, term)
    name = show(env.nodes[head][2]) if env.nodes[head][1] == CONST else ""
    if name in ("List.cons", "List.nil") and (members := _members(env, term)) is not None:
        return f"[{', '.join(text(env, one, bound) for one in members)}]"
    if name in INFIX and len(arguments) == 2:
        sign, strength = INFIX[name]
        left, right = reversed(arguments) if name == "Membership.mem" else arguments
        out = f"{text(env, left, bound, strength + 1)} {sign} {text(env, right, bound, strength + 1)}"
        return f"({out})" if prec > strength else out
    if name == "OfNat.ofNat" and arguments:
        return text(env, arguments[0], bound, prec)
    if name in ("Not", "Neg.neg") and len(arguments) == 1:
        out = f"{'¬ ' if name == 'Not' else '-'}{text(env, arguments[0], bound, 76)}"
        return f"({out})" if prec > 75 else out
    if name == "Exists" and len(arguments) == 1 and env.nodes[arguments[0]][1] == LAM:
        out = "∃" + text(env, arguments[0], bound).removeprefix("fun").replace(" =>", ",", 1)
        return f"({out})" if prec > 25 else out
    if name == "Prod.mk" and len(arguments) == 2:
        return f"({', '.join(text(env, one, bound) for one in arguments)})"
    first = name.removeprefix("Gnosis.Falsifiers.").removeprefix("Gnosis.").removeprefix("Bool.") if name else text(env, head, bound, 100)
    out = " ".join([first, *(text(env, a, bound, 100) for a in arguments)])
    return f"({out})" if arguments and prec > 99 else out


def _parts(env: Environment, term: int) -> Iterable[int]:
    """The members of a conjunction."""
    head, arguments = _call(env, term)
    if env.nodes[head][1] == CONST and env.nodes[head][2] == ("And",) and len(arguments) == 2:
        for one in arguments:
            yield from _parts(env, one)
    else:
        yield term


def is_denial(env: Environment, name: Name) -> bool:
    """Whether a statement is a negation, as that of a theorem that denies a changed one is: `Not` in front of everything else."""
    head, *arguments = env.children(env.constants[name].type) or (None,)
    return bool(arguments) and head is not None and env.nodes[head][1] == CONST and env.nodes[head][2] == ("Not",)


def clauses(env: Environment, term: int) -> Counter[str]:
    """The hypotheses of a statement, each with `if` in front, and the members of its conclusion."""
    bound: tuple[str, ...] = ()
    found: Counter[str] = Counter()
    while env.nodes[term][1] == PI:
        domain, body = env.children(term)
        if not occurs(env, body, 0) and env.nodes[term][5] != INSTANCE:
            found.update(f"if {text(env, part, bound)}" for part in _parts(env, domain))
        bound, term = (*bound, _name(env, term)), body
    found.update(text(env, part, bound) for part in _parts(env, term))
    return found


def replacement(env: Environment, headline: Name, falsifier: Name) -> dict[str, Any]:
    """What the falsifier, a negation, leaves out of the headline, what it puts in, and how many clauses it keeps."""
    (_, denied) = env.children(env.constants[falsifier].type)
    old, new = clauses(env, env.constants[headline].type), clauses(env, denied)
    return {"without": sorted((old - new).elements()), "with": sorted((new - old).elements()), "kept": (old & new).total()}


def survey(env: Environment, pairs: Iterable[tuple[Name, Name]]) -> dict[str, dict[str, dict[str, Any]]]:
    """Headline theorem → falsifier → replacement, for the falsifiers that are negations."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for headline, falsifier in pairs:
        if is_denial(env, falsifier):
            found.setdefault(_short(headline), {})[_short(falsifier)] = replacement(env, headline, falsifier)
    return found


def _short(name: Name) -> str:
    return show(name).removeprefix("Gnosis.")


def dump(found: dict[str, dict[str, dict[str, Any]]]) -> str:
    """The file in its one form: headline theorem → falsifier → replacement."""
    return HEADER + str(yaml.dump(found, sort_keys=True, allow_unicode=True, width=150))

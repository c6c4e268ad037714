"""What every theorem rests on, from the compiled files.

The closure goes through types, values and proofs of everything a declaration refers to, private and generated
declarations included.  `#print axioms` reads a table that is stored in the file and not the proof, so it serves
only as a cross-check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .environment import Environment
from .equations import COPY
from .findings import Finding
from .olean import Name, show

# rooms whose definitions are decisions: everything there must be an open definition
DECISIONS = ("Gnosis.Decision.", "Gnosis.Packed.")


@dataclass
class Dependencies:
    """For every constant the axioms, and the opaque and unsafe constants, in its closure."""

    axioms: dict[Name, list[str]]
    hidden: dict[Name, list[str]]


def dependencies(env: Environment) -> Dependencies:
    axioms = {n for n, c in env.constants.items() if c.kind == "axiom"}
    hidden = {n for n, c in env.constants.items() if c.kind == "opaque" or c.unsafe}
    reach = env.reach(axioms | hidden)
    return Dependencies({n: sorted(show(x) for x in r & axioms) for n, r in reach.items()}, {n: sorted(show(x) for x in r & hidden) for n, r in reach.items()})


def audit(
    env: Environment, deps: Dependencies, declared: list[dict[str, Any]], tokens: Mapping[str, Mapping[str, int]], floors: Mapping[str, int]
) -> list[Finding]:
    """Findings about axioms, opaque and unsafe constants, and how much was looked at.

    `declared` are the axioms that may exist (`{name, reason}`); nothing may rest on them.  `tokens` are the counts
    of `tokens.audit`: a compiled trace of a word is allowed only in a file whose source is allowed to use it.
    """
    found: list[Finding] = []

    def say(name: Name, text: str) -> None:
        found.append(Finding("axioms", f"{env.constants[name].module}: {show(name)}", text))

    may_exist = {entry["name"] for entry in declared}
    for name, c in env.constants.items():
        shown, file = show(name), c.module.replace(".", "/") + ".lean"
        on = [a for a in deps.axioms[name] if a != shown]
        if c.kind == "axiom":
            if shown not in may_exist:
                say(name, "an axiom that exceptions.yaml does not list")
        elif c.unsafe:
            if name[-1] != COPY:  # what a recursive definition is compiled from; `code` holds it against the definition
                say(name, "an unsafe constant")
        elif on:
            say(name, f"a {c.kind} that rests on {', '.join(on)}")
        if c.kind == "theorem" and deps.hidden[name]:
            say(name, f"a theorem that rests on the opaque or unsafe {', '.join(deps.hidden[name][:5])}")
        elif not c.unsafe and c.module.startswith(DECISIONS) and deps.hidden[name]:
            say(name, f"a decision that rests on the opaque or unsafe {', '.join(deps.hidden[name][:5])}")
        if c.kind == "opaque" and file not in tokens.get("opaque", {}) and file not in tokens.get("partial", {}):
            say(name, "an opaque constant, and its source says neither `opaque` nor `partial`")
    for entry in declared:
        if not any(c.kind == "axiom" and show(n) == entry["name"] for n, c in env.constants.items()):
            found.append(Finding("axioms", "audits/exceptions.yaml", f"stale exception: there is no axiom {entry['name']}"))
    found += [Finding("axioms", module.name, "compiled with a module header") for module in env.modules.values() if module.is_module]
    have = {"theorems": sum(c.kind == "theorem" for c in env.constants.values()), "constants": len(env.constants), "modules": len(env.modules)}
    found += [
        Finding("axioms", "audits/exceptions.yaml", f"{have[what]} {what} were looked at; there must be at least {floor}")
        for what, floor in floors.items()
        if have[what] < floor
    ]
    return found

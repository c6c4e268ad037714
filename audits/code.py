"""That the code which answers requests comes from the definitions that the kernel accepted.

Executed decisions run neither the kernel's terms nor the sources but code that Lean's code generator left in the
compiled files.  Lean has many ways to put other code there.  What is done about them:

* sources: what declares grammar or code of the binary is locked, all else is in an ordinary language (`language`)
* tables: only those that are known may stand in a compiled file, each with entries of its form (`entries`)
* names: a function of generated code belongs to a constant of its module, or has a name that only the generator gives
  (`f._boxed`, `f._closed_0`, `g._at_.f.spec_0`) and is no constant; no constant has such a name
* recursion: the copies that recursive functions are compiled from are shown to be their definitions (`equations`)
* the lock: `code.lock` names every constant with code of the binary, every table of grammar, and for each decision and
  what it calls the hashes of definition and code, so that no change goes unseen
* the driver: the entry under the name of a decision is that decision

What remains trusted is that Lean's code generator keeps the meaning of a definition, and the interpreter; TRUST.md.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any

from . import entries, equations, generated, language
from .axioms import DECISIONS
from .environment import Environment
from .findings import Finding
from .generated import Function
from .olean import APP, CONST, LIT, BadImage, Constant, Module, Name, show

HEADER = """\
# Written by `gnosis spine lock`.  What decides which code runs, and is not a definition under the eyes of the kernel:
# source FILE := sha256                    a source that declares grammar or code of the Lean binary
# extern MODULE CONSTANT := SYMBOL         code of the Lean binary that runs in place of the definition
# table MODULE TABLE := NUMBER HASH        grammar: parsers, macros, printers
# runs CONSTANT := DEFINITION CODE         what a decision calls: hash of the constant, hash of the code that was generated for it
"""
MAIN, TABLE, ENTRY = ("main",), ("Gnosis", "Driver", "table"), ("Gnosis", "Driver", "entry")
# the last component of a name that the code generator gives to a function of its own
OWN = re.compile(r"_boxed|_redArg|_(?:closed|lam|boxed_const)_\d+|spec_\d+")
# components that make a constant the code of another one, in this version or in earlier ones
RESERVED = re.compile(OWN.pattern + r"|_at_|_override|_cstage[12]|_rarg|_(?:lambda|elambda|spec|impl|jp|neutral|elam)(?:_\d+)?|_implemented_by")
ALLOWED = {("Lean", "Name", kind, "_override") for kind in ("str", "num")}  # the constructors of names, which carry a hash; locked as `extern`
SHOWN = 20  # changed lines of the lock that are listed one by one


def module(name: str, one: Module, locked: Mapping[str, str] | None = None) -> list[Finding]:
    """Findings about one compiled file that need no other, so that they can be made before another file imports it.

    With the lock, also about code of the binary and about grammar that is not in it.
    """
    found = entries.module(name, one)
    if locked is not None:
        here = {key: said for key, said in locked.items() if key.startswith((f"extern {name} ", f"table {name} "))}
        found += differences(here, fixed(name, one))
    found += [
        Finding("code", f"{name}: {show(n)}", f"a constant under a name that only the code generator gives ({part})")
        for n in one.constants
        if n not in ALLOWED
        for part in n
        if isinstance(part, str) and RESERVED.fullmatch(part)
    ]
    listed: dict[Name, Function] = {}
    try:
        for function in generated.of_module(one):
            if listed.setdefault(function.name, function) is not function:
                found.append(Finding("code", f"{name}: {show(function.name)}", "has two pieces of generated code"))
    except BadImage as error:
        found.append(Finding("code", name, str(error)))
    for n in sorted((listed.keys() - one.constants.keys() - one.coded) | (one.coded - listed.keys()), key=repr):
        what = "is generated code and not listed as such" if n in listed else "is listed as generated code, and there is none"
        found.append(Finding("code", f"{name}: {show(n)}", what))
    found += [
        Finding("code", f"{name}: {show(n)}", "is code of the binary without the attribute `extern`")
        for n, function in listed.items()
        if function.external and n not in one.externs
    ]
    return found


def owner(name: Name, constants: Mapping[Name, Constant]) -> Name | None:
    """The constant whose code a generated function is a part of; None when there is none."""
    while name not in constants:
        if not name or not isinstance(name[-1], str) or not OWN.fullmatch(name[-1]):
            return None
        special = name[-1].startswith("spec_")
        name = name[:-1]
        if special:  # a copy of the function before `_at_` for calls in the one behind it
            if "_at_" not in name or owner(name[: name.index("_at_")], constants) is None:
                return None
            name = name[name.index("_at_") + 1 :]
    return name


def table(env: Environment) -> list[Finding]:
    """The driver's table: each entry is the decision of its name."""
    if TABLE not in env.constants:
        return []
    whole = env.constants[TABLE].value
    nodes, found, stack, seen = env.nodes, [], [] if whole is None else [whole], 0
    while stack:
        node = nodes[stack.pop()]
        if node[1] != APP:
            continue
        spine, head = [], node
        while head[1] == APP:
            spine.append(head[3])
            head = nodes[head[2]]
        if head[1] == CONST and head[2] == ENTRY and len(spine) == 4:
            seen += 1
            decision, name = nodes[spine[0]], nodes[spine[1]]
            if name[1] != LIT or decision[1] != CONST or show(decision[2]) != f"Gnosis.{name[2]}":
                shown = show(decision[2]) if decision[1] == CONST else "something that is no constant"
                found.append(Finding("code", show(TABLE), f"the entry {name[2]!r} is {shown}"))
        else:
            stack += spine
    return found if seen else [Finding("code", show(TABLE), "no entry could be read")]


def runs(env: Environment, functions: Mapping[Name, Function]) -> tuple[dict[str, str], list[Finding]]:
    """The lines of the lock about executed code, and findings about calls that lead nowhere."""
    roots = [n for n, f in functions.items() if n == MAIN or f.module.startswith(DECISIONS)]
    reached, absent = generated.closure(functions, roots)
    found = [Finding("code", show(n), f"calls {show(other)}, for which there is no code") for n, other in absent]
    parts: dict[Name, list[str]] = {}
    for n in reached:
        constant = owner(n, env.constants)
        if constant is not None:
            parts.setdefault(constant, []).append(f"{show(n)} {functions[n].digest}")
    return {
        f"runs {show(n)}": f"{env.definition_hash(n)[:32]} {hashlib.sha256(chr(10).join(sorted(p)).encode()).hexdigest()[:32]}" for n, p in parts.items()
    }, found


def unspoken(env: Environment, functions: Mapping[Name, Function], meant: Container[str]) -> list[Finding]:
    """Decisions of which no headline statement speaks.  `meant` are the definitions that headline statements unfold to: the lock has the
    body of each, so that nothing which a decision is defined by can change unnoticed, also where the code generator looks at the name alone."""
    rooted = [n for n, f in functions.items() if f.module.startswith(DECISIONS) and n in env.constants]
    return [Finding("code", show(n), "is a decision, and no headline statement unfolds to it") for n in rooted if show(n) not in meant]


def lines(env: Environment, texts: Mapping[str, str], functions: Mapping[Name, Function]) -> dict[str, str]:
    """The lock of what is compiled now."""
    out = {f"source {file}": digest for file, digest in language.special(texts).items()} | runs(env, functions)[0]
    for name, one in env.modules.items():
        out |= fixed(name, one)
    return out


def fixed(name: str, one: Module) -> dict[str, str]:
    """The lines of the lock about one module: code of the binary, and grammar."""
    return {f"extern {name} {show(n)}": symbol for n, symbol in one.externs.items()} | entries.locks(name, one)


def read(text: str) -> dict[str, str]:
    """The lines of code.lock.  Raises ValueError on a line that has another form or stands twice."""
    out: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line and not line.startswith("#"):
            key, mark, said = line.rpartition(" := ")
            if not mark or key in out:
                raise ValueError(f"audits/code.lock:{number}: {'no line of a lock' if not mark else 'the line stands twice'}: {line[:100]!r}")
            out[key] = said
    return out


def locked_sources(locked: Mapping[str, str]) -> dict[str, str]:
    """The sources that may hold more than the ordinary language, with their hashes."""
    return {key.partition(" ")[2]: said for key, said in locked.items() if key.startswith("source ")}


def write(env: Environment, texts: Mapping[str, str], path: Path) -> None:
    """Write the lock anew."""
    now = lines(env, texts, generated.functions(env)[0])
    path.write_text(HEADER + "".join(f"{key} := {said}\n" for key, said in sorted(now.items())), encoding="utf-8")


def audit(env: Environment, texts: Mapping[str, str], locked: Mapping[str, str], meant: Container[str]) -> list[Finding]:
    """Findings about the generated code of the whole spine and about its lock.  `texts` are the sources, file to text, `meant` as in `unspoken`."""
    found = [f for name, one in env.modules.items() for f in module(name, one)]
    try:
        functions, again = generated.functions(env)
    except BadImage as error:
        return [*found, Finding("code", "compiled files", str(error))]
    found += [Finding("code", f"{f.module}: {show(f.name)}", f"has code here and in {functions[f.name].module}") for f in again]
    for n, f in functions.items():
        if owner(n, env.constants) is None:
            found.append(Finding("code", f"{f.module}: {show(n)}", "is code of no constant"))
        elif n in env.constants and (env.constants[n].module != f.module or env.constants[n].kind in ("theorem", "axiom")):
            found.append(Finding("code", f"{f.module}: {show(n)}", f"is code of a {env.constants[n].kind} of {env.constants[n].module}"))
    return found + table(env) + unspoken(env, functions, meant) + runs(env, functions)[1] + differences(locked, lines(env, texts, functions))


def differences(locked: Mapping[str, str], now: Mapping[str, str]) -> list[Finding]:
    """What the lock and the spine do not agree on."""
    found = []
    changed = [key for key in sorted(locked.keys() | now.keys()) if locked.get(key) != now.get(key)]
    for key in changed[:SHOWN]:
        kind, _, what = key.partition(" ")
        here = f"`{now[key]}`" if key in now else "nothing"
        said = f"says `{locked[key]}`" if key in locked else "has no line for it"
        found.append(Finding("code", what.replace(" ", ": ", 1) if kind in ("extern", "table") else what, f"{kind}: {here}; audits/code.lock {said}"))
    if len(changed) > SHOWN:
        found.append(Finding("code", "audits/code.lock", f"and {len(changed) - SHOWN} more lines differ"))
    return found


def shown(env: Environment, said: Mapping[str, Any] | None) -> list[Finding]:
    """Findings about the copies of recursive functions, from what the replay said of them (`equations` in its result)."""
    wanted = {show(n) for n in equations.copies(env)}
    if said is None or said.get("copies") != len(wanted):
        return [Finding("code", n, "runs in place of a definition, and was not held against it") for n in sorted(wanted)][:SHOWN]
    return [Finding("code", row["name"], f"runs in place of a definition: {row['why']}") for row in said["missing"]][:SHOWN]

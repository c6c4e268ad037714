"""That the code of recursive functions is made from their definitions, shown by the kernel.

Lean compiles a recursive function not from the definition that the kernel accepted (which recurses by `brecOn` or
along a well-founded relation) but from a copy named `f._unsafe_rec`, which calls itself and which no kernel checks:
whatever stands under that name is what runs.  So for each of them

    ∀ x₁ … xₖ, f x₁ … xₖ = v x₁ … xₖ

is stated here, where v is the body of the copy with every `g._unsafe_rec` replaced by g, as the code generator
replaces it, and given to the kernel with Lean's own equation `f.eq_def` as its proof.  An answer of the code is then
the value of the definition: every call that led to it is an instance of such an equation.  (That the code ends is not
shown; code that does not end gives no answer.)

The equations come from a Lean file that `source` writes and anybody may compile.  Nothing in it is believed: its
theorems are checked by the kernel like all others, and the statement above is made here.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from .olean import APP, BVAR, CONST, LAM, LET, PARAM, PI, PROJ, BadImage, Constant, Module, Name, show
from .units import add_all, units

if TYPE_CHECKING:
    from .environment import Environment
    from .kernel import Kernel

MODULE = "Equations"
COPY = "_unsafe_rec"
DEPTH = 1 << 16  # of Lean's elaborator, for definitions with many cases


def copies(env: Environment) -> list[Name]:
    """Every constant that the code generator takes in place of another one, safe ones included."""
    return [n for n in env.constants if n[-1] == COPY]


def _writable(name: Name) -> bool:
    """Whether a source can mention the name: no numbers and nothing private in it, and no bracket that ends it early."""
    return all(isinstance(c, str) and c and not set(c) & set("«»\n") for c in name) and name[0] != "_private"


def source(env: Environment) -> str:
    """A Lean file that makes `f.eq_def` of every function with a copy.

    Where Lean cannot make one, this line of the file fails; the others still stand in the compiled file.
    """
    lines = ["prelude", *(f"import {show(tuple(m.split('.')))}" for m in env.modules), f"set_option maxRecDepth {DEPTH}", "set_option linter.defProp false"]
    functions = [n[:-1] for n in copies(env) if _writable(n[:-1])]
    lines += [f"noncomputable def {MODULE}.of{i} := @_root_.{show(f)}.eq_def" for i, f in enumerate(functions)]
    return "\n".join(lines) + "\n"


def without_errors(lines: list[str], said: str) -> list[str]:
    """The lines of a file without those about which Lean reported an error (`lean --json`)."""
    failed = set()
    for row in said.splitlines():
        try:
            message = json.loads(row)
            failed |= {message["pos"]["line"]} if message["severity"] == "error" else set()
        except (ValueError, KeyError, TypeError):
            continue
    return [line for number, line in enumerate(lines, 1) if number not in failed]


def statement(env: Environment, copy: Name) -> Constant | str:
    """The theorem about one copy, or why it cannot be stated."""
    nodes, intern = env.nodes, env.intern
    f, proof = env.constants.get(copy[:-1]), env.constants.get((*copy[:-1], "eq_def"))
    c = env.constants[copy]
    if f is None or f.kind != "definition" or f.unsafe:
        return f"stands in place of {show(copy[:-1])}, which is {'not declared' if f is None else 'no definition that the kernel accepted'}"
    if c.value is None:
        return "has no body"
    if proof is None or proof.kind != "theorem":
        return f"Lean has no equation {show(copy[:-1])}.eq_def to compare it with"
    if not f.levels == c.levels == proof.levels:
        return "its universe parameters are not those of the definition"
    binders, body = [], proof.type
    while nodes[body][1] == PI:
        binders.append(body)
        body = nodes[body][4]
    head, arguments = body, []
    while nodes[head][1] == APP:
        arguments.append(nodes[head][3])
        head = nodes[head][2]
    if nodes[head][1] != CONST or nodes[head][2] != ("Eq",) or len(arguments) != 3:
        return f"{show(proof.name)} is no equation"
    levels = tuple(intern("level", PARAM, x) for x in f.levels)
    left, right = intern("term", CONST, f.name, levels), replaced(env, c.value)
    for i in reversed(range(len(binders))):
        variable = intern("term", BVAR, i)
        left, right = intern("term", APP, left, variable), intern("term", APP, right, variable)
    if arguments[1] != left:
        return f"{show(proof.name)} is not an equation for all arguments"
    said = head
    for argument in (arguments[2], left, right):
        said = intern("term", APP, said, argument)
    for binder in reversed(binders):
        _, _, name, domain, _, kind = nodes[binder]
        said = intern("term", PI, name, domain, said, kind)
    name = (*copy, "eq")
    return Constant(name, "theorem", f.levels, said, intern("term", CONST, proof.name, levels), False, MODULE, {"all": (name,)})


def replaced(env: Environment, term: int) -> int:
    """The term with every copy replaced by its function, as the code generator does."""
    intern, nodes = env.intern, env.nodes
    memo: dict[int, int] = {}

    def make(at: int) -> int:
        node = nodes[at]
        tag = node[1]
        if tag == CONST and node[2] and node[2][-1] == COPY:
            return intern("term", CONST, node[2][:-1], node[3])
        if tag == APP:
            return intern("term", tag, memo[node[2]], memo[node[3]])
        if tag in (LAM, PI):
            return intern("term", tag, node[2], memo[node[3]], memo[node[4]], node[5])
        if tag == LET:
            return intern("term", tag, node[2], memo[node[3]], memo[node[4]], memo[node[5]], node[6])
        if tag == PROJ:
            return intern("term", tag, node[2], node[3], memo[node[4]])
        return at

    return env.fold(term, memo, make)


def check(kernel: Kernel, env: Environment, path: Path) -> dict[str, str]:
    """What is not shown: the name of each such copy, and why.

    `kernel` holds the declarations of `env` already.  The equations are read from the compiled file at `path`, and
    those that it declares are given to the kernel first.
    """
    wanted = copies(env)
    known = set(env.constants)
    try:
        env.add(Module(MODULE, [path], env.intern))
    except (BadImage, OSError) as error:
        return {show(n): f"the equations cannot be read: {error}" for n in wanted}
    made = [n for n in env.constants if n not in known]
    order = [u for u in units(env, [n for n in made if n[-1] == "eq_def"]) if u[0] not in known]
    refused = {n for unit in add_all(kernel, order)[0] for n in unit}
    missing = {}
    for copy in wanted:
        said = statement(env, copy)
        if isinstance(said, str):
            missing[show(copy)] = said
        elif said.value is not None and (*copy[:-1], "eq_def") in refused:
            missing[show(copy)] = f"the kernel rejects {show(copy[:-1])}.eq_def"
        else:
            env.constants[said.name] = said
            if said.name in known or not kernel.add(kernel.declaration((said.name,))):
                missing[show(copy)] = f"the kernel does not accept that it is the definition of {show(copy[:-1])}"
    return missing

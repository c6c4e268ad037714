"""The generated code in compiled modules: which functions there are, and which calls which.

The interpreter and the writer of C run intermediate code that Lean's code generator leaves in a table of each file.
It is read in full: an instruction, an expression or a type that is not known here raises BadImage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .objects import Made, Named, digest, value
from .olean import BadImage, Module, Name, show

if TYPE_CHECKING:
    from .environment import Environment

TABLE = "Lean.IR.declMapExt"
# fields of the constructors of Lean.IR.FnBody: what is a body or a list of alternatives, by position
VDECL, CASE = 0, 9
BODIES = {
    0: (4, (3,)),
    1: (4, (2, 3)),
    2: (4, (3,)),
    3: (3, (2,)),
    4: (4, (3,)),
    5: (6, (5,)),
    6: (3, (2,)),
    7: (3, (2,)),
    8: (2, (1,)),
    9: (4, ()),
    10: (1, ()),
    11: (2, ()),
}
UNREACHABLE = 12
# pointer fields of the constructors of Lean.IR.Expr, and those that name a function
EXPRESSIONS = {0: 2, 1: 2, 2: 3, 3: 2, 4: 2, 5: 3, 6: 2, 7: 2, 8: 2, 9: 2, 10: 1, 11: 1, 12: 1}
CALLS = (6, 7)


@dataclass(frozen=True)
class Function:
    """A function of generated code.  `calls` are those in its body; an external one has none."""

    name: Name
    module: str
    external: bool
    calls: frozenset[Name]
    digest: str


def of_module(module: Module) -> list[Function]:
    """The functions in the table of one module."""
    return [_function(module, pointer) for pointer in module.extensions.get(TABLE, ())]


def functions(env: Environment) -> tuple[dict[Name, Function], list[Function]]:
    """All functions of the spine by name, and those that stand there a second time."""
    out: dict[Name, Function] = {}
    again = []
    for module in env.modules.values():
        for function in of_module(module):
            if out.setdefault(function.name, function) is not function:
                again.append(function)
    return out, again


def _function(module: Module, pointer: int) -> Function:
    thing = value(module, pointer)
    if not isinstance(thing, Made) or (thing.tag, len(thing.fields)) not in ((0, 5), (1, 4)) or not isinstance(thing.fields[0], Named):
        raise BadImage(f"{module.name}: an entry of generated code that is no function")
    name = thing.fields[0].name
    external = thing.tag == 1
    calls = frozenset() if external else frozenset(_calls(module, name, thing.fields[3]))
    return Function(name, module.name, external, calls, digest(module, pointer).hex())


def _calls(module: Module, name: Name, body: object) -> set[Name]:
    """The functions that a body mentions."""
    out: set[Name] = set()
    seen: set[int] = set()
    stack = [body]

    def bad(what: str) -> BadImage:
        return BadImage(f"{module.name}: {what} in the generated code of {show(name)}, which this reader does not know")

    while stack:
        at = stack.pop()
        if at == UNREACHABLE or id(at) in seen:
            continue
        seen.add(id(at))
        if not isinstance(at, Made) or at.tag not in BODIES or len(at.fields) != BODIES[at.tag][0]:
            raise bad(f"an instruction {str(at)[:60]!r}")
        stack += [at.fields[i] for i in BODIES[at.tag][1]]
        if at.tag == CASE:
            if not isinstance(at.fields[3], tuple):
                raise bad("a case without alternatives")
            for alternative in at.fields[3]:  # a constructor and a body, or a body
                if not isinstance(alternative, Made) or (alternative.tag, len(alternative.fields)) not in ((0, 2), (1, 1)):
                    raise bad("an alternative of a case")
                stack.append(alternative.fields[-1])
        elif at.tag == VDECL:
            e = at.fields[2]
            if not isinstance(e, Made) or len(e.fields) != EXPRESSIONS.get(e.tag, -1):
                raise bad(f"an expression {str(e)[:60]!r}")
            if e.tag in CALLS:
                if not isinstance(e.fields[0], Named):
                    raise bad("a call of no name")
                out.add(e.fields[0].name)
    return out


def closure(known: Mapping[Name, Function], roots: Iterable[Name]) -> tuple[list[Name], list[tuple[Name, Name]]]:
    """The functions that a call of one of `roots` may run, in the order of their names, and (caller, callee) where there is no callee.

    A function may be called through its form with boxed arguments, which counts as called too.
    """
    seen, stack, absent = set(roots), list(roots), []
    while stack:
        name = stack.pop()
        for other in known[name].calls | ({(*name, "_boxed")} & known.keys()):
            if other not in known:
                absent.append((name, other))
            elif other not in seen:
                seen.add(other)
                stack.append(other)
    return sorted(seen, key=repr), sorted(absent, key=repr)

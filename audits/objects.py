"""Any object of a compiled module, read without knowing what it is.

The tables that Lean keeps for importing modules hold objects of many types.  Here they become Python values by their
form alone: numbers, strings, tuples for arrays, `Made` for constructor objects, `Name` for names (which no other
type of Lean looks like: a prefix, a string or number, a word of hash).  Shared objects stay shared.  Everything else
that a heap can hold (closures, threads, references, packed arrays) does not occur in what this project compiles, and
raises BadImage.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from .olean import ARRAY, BIGNUM, STRING, BadImage, Module, Name

LAST_CONSTRUCTOR = 244


class Made(NamedTuple):
    """A constructor object.  `scalars` are the bytes after its pointer fields, with the padding."""

    tag: int
    fields: tuple[Any, ...]
    scalars: bytes


class Named(NamedTuple):
    """A name."""

    name: Name


def walk(module: Module, pointer: int, memo: dict[int, object], make: Callable[[object, Sequence[object]], object]) -> object:
    """`make(what, parts)` at every object below `pointer`, the innermost first; results are kept in `memo`.

    `what` is a number, a string, a Named, `()` for an array, or (tag, scalars) for a constructor object.
    """
    stack, opened = [pointer], set()
    while stack:
        at = stack[-1]
        if at in memo:
            stack.pop()
            continue
        if at & 1:
            memo[at] = make(at >> 1, ())
            stack.pop()
            continue
        part, k = module.locate(at)
        tag = part.words[k] >> 56
        if tag == STRING:
            memo[at] = make(module.string(at), ())
        elif tag == BIGNUM:
            memo[at] = make(module.nat(at), ())
        else:
            if tag == ARRAY:
                what: object = ()
                parts = module.array(at)
            elif tag <= LAST_CONSTRUCTOR:
                _, parts = module.object(at, (tag,), None)
                what = (tag, bytes(module.scalars))
                if named(module, tag, parts, module.scalars):
                    memo[at] = make(Named(module.read_name(at)), ())
                    stack.pop()
                    continue
            else:
                raise BadImage(f"{module.name}: an object with tag {tag} at {at:#x}, which no table of ours has")
            missing = [p for p in parts if p not in memo]
            if missing:
                if at in opened:
                    raise BadImage(f"{module.name}: cyclic object at {at:#x}")
                opened.add(at)
                stack += missing
                continue
            memo[at] = make(what, [memo[p] for p in parts])
        stack.pop()
    return memo[pointer]


def named(module: Module, tag: int, parts: Sequence[int], scalars: bytes) -> bool:
    """Whether a constructor object is a name: tag 1 with a string, or tag 2 with a number, behind a prefix that is one."""
    while tag in (1, 2) and len(parts) == 2 and len(scalars) == 8:
        prefix, last = parts
        if tag == 1 and (last & 1 or module.locate(last)[0].words[module.locate(last)[1]] >> 56 != STRING):
            return False
        if tag == 2 and not last & 1:
            return False
        if prefix & 1:
            return prefix == 1
        if module.locate(prefix)[0].words[module.locate(prefix)[1]] >> 56 > 2:
            return False
        tag, parts = module.object(prefix, (1, 2), None)
        scalars = module.scalars
    return False


def _value(what: object, parts: Sequence[object]) -> object:
    if what == ():
        return tuple(parts)
    if isinstance(what, tuple) and not isinstance(what, Named):
        return Made(what[0], tuple(parts), what[1])
    return what


def value(module: Module, pointer: int) -> object:
    """The object as a Python value.  The boxed object 0, which is also the anonymous name and the empty list, is 0."""
    return walk(module, pointer, module.values, _value)


def _digest(what: object, parts: Sequence[object]) -> bytes:
    out = hashlib.sha256(repr((type(what).__name__, what, len(parts))).encode())
    for part in parts:
        out.update(part)  # type: ignore[arg-type]  # parts are digests too
    return out.digest()


def digest(module: Module, pointer: int) -> bytes:
    """SHA-256 of the content of an object, wherever it stands in its file."""
    return walk(module, pointer, module.digests, _digest)  # type: ignore[return-value]  # what _digest makes


def listed(thing: object) -> list[object] | None:
    """The members of a value that is a list of Lean; None when it is none."""
    out = []
    while isinstance(thing, Made) and thing.tag == 1 and len(thing.fields) == 2 and not thing.scalars:
        out.append(thing.fields[0])
        thing = thing.fields[1]
    return out if thing == 0 else None

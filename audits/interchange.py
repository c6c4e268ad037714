"""Read the interchange format of Lean's independent checkers (`lean4export`, version 3.1) back into an environment.

The file is one JSON object a line: first `meta`, then names, levels and terms, numbered without gaps and each after
its parts, and declarations, each after those that it refers to.  `gnosis spine export` writes it.  Whatever is not
exactly that is refused with the number of the line; nothing is guessed, and nothing is executed.  Names, levels, terms
and numbers have limits, far above what the spine has, so that a file costs no more than its size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import ndjson
from .environment import CHILDREN, Environment
from .ndjson import brief
from .olean import APP, BVAR, CONST, IMAX, LAM, LET, LIT, MAX, PARAM, PI, PROJ, SORT, SUCC, ZERO, BadImage, Constant, Interner, Name, show

VERSION = "3.1.0"
PARTS = 128  # of a name; the longest of the spine has 10
LEVEL = 256  # nodes of a level, shared ones counted each time: kernels take levels apart
DEPTH = 4_096  # of a term; the deepest of the spine has 242
DIGITS = 1 << 16  # of a number literal
HINT = 1 << 32  # reducibility hints have 32 bits
INDEX = 1 << 63  # every other number is a small one for Lean
SAFE, UNSAFE = 1, 2  # what a term refers to
BINDERS = ("default", "implicit", "strictImplicit", "instImplicit")
QUOTIENT = ("type", "ctor", "lift", "ind")
SAFETY = ("unsafe", "safe", "partial")
META = {"exporter": {"name", "version"}, "format": {"version"}, "lean": {"githash", "version"}}
HEAD = {"name", "levelParams", "type"}
# the keys of each kind of declaration, beside those of HEAD
DECLARATIONS: dict[str, set[str]] = {
    "axiom": {"isUnsafe"},
    "def": {"value", "hints", "safety", "all"},
    "opaque": {"value", "isUnsafe", "all"},
    "thm": {"value", "all"},
    "quot": {"kind"},
}
TYPE = HEAD | {"numParams", "numIndices", "all", "ctors", "numNested", "isRec", "isUnsafe", "isReflexive"}
CONSTRUCTOR = HEAD | {"induct", "cidx", "numParams", "numFields", "isUnsafe"}
RECURSOR = HEAD | {"all", "numParams", "numIndices", "numMotives", "numMinors", "rules", "k", "isUnsafe"}


@dataclass
class Export:
    """What an interchange file holds: its first line, the declarations, and how many lines of each kind there are."""

    meta: dict[str, Any]
    environment: Environment
    counts: dict[str, int]


class _Reader:
    """The tables of one file as far as it has been read."""

    def __init__(self, intern: Interner) -> None:
        self.intern = intern
        self.parts: list[tuple[int, str | int]] = [(0, "")]  # for each name the number of its prefix, and its last component
        self.lengths: list[int] = [0]
        self.names: dict[int, Name] = {0: ()}  # those that were used
        self.levels: list[int] = [intern("level", ZERO)]
        self.sizes: list[int] = [1]
        self.terms: list[int] = []
        self.known: dict[str, set[Any]] = {"in": set(), "il": {self.levels[0]}, "ie": set()}
        self.range: list[int] = []  # for each term one more than the largest loose variable
        self.depth: list[int] = []
        self.settled: dict[int, int] = {}  # nodes whose constants are all declared: SAFE or UNSAFE
        self.constants: dict[Name, Constant] = {}
        self.counts = {"name": 0, "level": 0, "term": 0}

    # Parts

    @staticmethod
    def number(value: object, limit: int = INDEX) -> int:
        if type(value) is not int or value < 0:
            raise BadImage(f"{brief(value)} where a natural number must stand")
        if value >= limit:
            raise BadImage(f"{value} where a number below {limit} must stand")
        return value

    @staticmethod
    def flag(value: object) -> bool:
        if type(value) is not bool:
            raise BadImage(f"{brief(value)} where true or false must stand")
        return value

    @staticmethod
    def text(value: object) -> str:
        if type(value) is not str:
            raise BadImage(f"{brief(value)} where a text must stand")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise BadImage(f"{brief(value)} is no Unicode text") from None
        return value

    @staticmethod
    def one_of(value: object, options: Sequence[str]) -> int:
        if type(value) is not str or value not in options:
            raise BadImage(f"{brief(value)} where one of {', '.join(options)} must stand")
        return options.index(value)

    @staticmethod
    def keys(value: object, wanted: set[str]) -> dict[str, Any]:
        if type(value) is not dict or value.keys() != wanted:
            found = _listed(value) if type(value) is dict else brief(value)
            raise BadImage(f"wanted an object with the keys {sorted(wanted)}, found {found}")
        return value

    @staticmethod
    def items(value: object) -> list[Any]:
        if type(value) is not list:
            raise BadImage(f"{brief(value)} where a list must stand")
        return value

    def _index(self, table: Sequence[Any], what: str, value: object) -> int:
        index = self.number(value)
        if index >= len(table):
            raise BadImage(f"{what} {index} is not defined yet")
        return index

    def name(self, value: object) -> Name:
        index = self._index(self.parts, "name", value)
        if index not in self.names:
            out, at = [], index
            while at:
                at, last = self.parts[at]
                out.append(last)
            self.names[index] = tuple(reversed(out))
        return self.names[index]

    def level(self, value: object) -> int:
        return self.levels[self._index(self.levels, "level", value)]

    def term(self, value: object) -> int:
        return self.terms[self._index(self.terms, "term", value)]

    def list_of(self, value: object) -> tuple[Name, ...]:
        return tuple(map(self.name, self.items(value)))

    # Lines

    def line(self, data: dict[str, Any]) -> None:
        if "in" in data:
            self._add("in", data, self.parts, self._name)
        elif "il" in data:
            self._add("il", data, self.levels, self._level)
        elif "ie" in data:
            self._add("ie", data, self.terms, self._term)
        elif len(data) == 1 and "inductive" in data:
            self._family(data["inductive"])
        elif len(data) == 1 and (kind := next(iter(data))) in DECLARATIONS:
            self._declaration(kind, data[kind])
        else:
            raise BadImage(f"an object with the keys {_listed(data)} is none of this format")

    def _add(self, index: str, data: dict[str, Any], table: list[Any], make: Callable[[str, object], object]) -> None:
        if self.number(data[index]) != len(table):
            raise BadImage(f"{index} is {data[index]}, and the next one is {len(table)}")
        if len(data) != 2:
            raise BadImage(f"an object with the keys {_listed(data)} is none of this format")
        ((key, value),) = ((k, v) for k, v in data.items() if k != index)
        made = make(key, value)
        if key != "mdata" and made in self.known[index]:
            raise BadImage(f"{index} {len(table)} is there already")
        self.known[index].add(made)
        table.append(made)

    def _name(self, key: str, value: object) -> tuple[int, str | int]:
        self.counts["name"] += 1
        if key not in ("str", "num"):
            raise BadImage(f"{brief(key)} is no kind of name")
        data = self.keys(value, {"pre", "str" if key == "str" else "i"})
        before = self._index(self.parts, "name", data["pre"])
        if self.lengths[before] == PARTS:
            raise BadImage(f"a name with more than {PARTS} components")
        self.lengths.append(self.lengths[before] + 1)
        return before, self.text(data["str"]) if key == "str" else self.number(data["i"])

    def _level(self, key: str, value: object) -> int:
        self.counts["level"] += 1
        if key == "param":
            made, size = self.intern("level", PARAM, self.name(value)), 1
        elif key == "succ":
            made, size = self.intern("level", SUCC, self.level(value)), 1 + self.sizes[self.number(value)]
        elif key in ("max", "imax"):
            pair = self.items(value)
            if len(pair) != 2:
                raise BadImage(f"{key} of {len(pair)} levels")
            made = self.intern("level", MAX if key == "max" else IMAX, *map(self.level, pair))
            size = 1 + self.sizes[pair[0]] + self.sizes[pair[1]]
        else:
            raise BadImage(f"{brief(key)} is no kind of level")
        if size > LEVEL:
            raise BadImage(f"a level of more than {LEVEL} nodes")
        self.sizes.append(size)
        return made

    def _term(self, key: str, value: object) -> int:
        self.counts["term"] += 1
        made, loose, parts = self._node(key, value)
        depth = 1 + max((self.depth[part] for part in parts), default=0)
        if depth > DEPTH:
            raise BadImage(f"a term that is more than {DEPTH} deep")
        self.range.append(loose)
        self.depth.append(depth)
        return made

    def _node(self, key: str, value: object) -> tuple[int, int, tuple[int, ...]]:
        """The node, its range of loose variables, and the indices of its parts."""
        intern = self.intern
        if key == "app":
            data = self.keys(value, {"fn", "arg"})
            f, a = data["fn"], data["arg"]
            made = intern("term", APP, self.term(f), self.term(a))
            return made, max(self.range[f], self.range[a]), (f, a)
        if key in ("lam", "forallE"):
            data = self.keys(value, {"name", "type", "body", "binderInfo"})
            t, b = data["type"], data["body"]
            made = intern("term", LAM if key == "lam" else PI, self.name(data["name"]), self.term(t), self.term(b), self.one_of(data["binderInfo"], BINDERS))
            return made, max(self.range[t], self.range[b] - 1), (t, b)
        if key == "const":
            data = self.keys(value, {"name", "us"})
            return intern("term", CONST, self.name(data["name"]), tuple(map(self.level, self.items(data["us"])))), 0, ()
        if key == "bvar":
            index = self.number(value, DEPTH)  # no term is deep enough to bind more
            return intern("term", BVAR, index), index + 1, ()
        if key == "sort":
            return intern("term", SORT, self.level(value)), 0, ()
        if key == "letE":
            data = self.keys(value, {"name", "type", "value", "body", "nondep"})
            t, v, b = data["type"], data["value"], data["body"]
            made = intern("term", LET, self.name(data["name"]), self.term(t), self.term(v), self.term(b), int(self.flag(data["nondep"])))
            return made, max(self.range[t], self.range[v], self.range[b] - 1), (t, v, b)
        if key == "proj":
            data = self.keys(value, {"typeName", "idx", "struct"})
            name, s = self.name(data["typeName"]), data["struct"]
            return intern("term", PROJ, name, self.number(data["idx"]), self.term(s)), self.range[s], (s,)
        if key == "natVal":
            text = self.text(value)
            if len(text) > DIGITS:
                raise BadImage(f"a literal of more than {DIGITS} digits")
            if not re.fullmatch("0|[1-9][0-9]*", text, re.ASCII):
                raise BadImage(f"{brief(value)} where the digits of a natural number must stand")
            return intern("term", LIT, natural(text)), 0, ()
        if key == "strVal":
            return intern("term", LIT, self.text(value)), 0, ()
        if key == "mdata":  # means nothing, and is left out as in the reader of compiled files
            data = self.keys(value, {"expr", "data"})
            made, e = self.term(data["expr"]), data["expr"]
            return made, self.range[e], (e,)
        raise BadImage(f"{brief(key)} is no kind of term")

    # Declarations

    def closed(self, value: object, of: Name, inside: frozenset[Name], unsafe: bool) -> int:
        """A term of a declaration: without loose variables, about constants that are declared before it or with it.

        A safe declaration may refer to safe ones only.  Every node is looked at once in a file: after its first declaration
        all constants in it are declared.
        """
        term = self.term(value)
        if self.range[self.number(value)]:
            raise BadImage(f"{show(of)}: a term with loose variables")
        nodes, settled, stack = self.intern.nodes, self.settled, [term]
        while stack:
            at = stack[-1]
            if at in settled:
                stack.pop()
                continue
            node = nodes[at]
            children = node[CHILDREN[node[1]]]
            missing = [c for c in children if c not in settled]
            if missing:
                stack += missing
                continue
            kind = max((settled[c] for c in children), default=SAFE)
            name = node[2] if node[1] in (CONST, PROJ) else ("Nat",) if node[1] == LIT and type(node[2]) is int else ("String",) if node[1] == LIT else None
            if name in inside:
                kind = max(kind, UNSAFE if unsafe else SAFE)
            elif name is not None:
                if name not in self.constants:
                    raise BadImage(f"{show(of)} refers to {show(name)}, which is not declared before it")
                kind = max(kind, UNSAFE if self.constants[name].unsafe else SAFE)
            settled[at] = kind
        if settled[term] == UNSAFE and not unsafe:
            raise BadImage(f"{show(of)} is safe and refers to something that is unsafe")
        return term

    def _declare(self, data: dict[str, Any], kind: str, inside: frozenset[Name], unsafe: bool) -> Constant:
        name = self.name(data["name"])
        if not name:
            raise BadImage("a declaration without a name")
        if name in self.constants:
            raise BadImage(f"{show(name)} is declared twice")
        levels = self.list_of(data["levelParams"])
        if len(set(levels)) != len(levels):
            raise BadImage(f"{show(name)} has a universe parameter twice")
        for level in levels:  # checkers look the parameters up among the levels
            if self.intern("level", PARAM, level) not in self.known["il"]:
                raise BadImage(f"{show(name)}: its universe parameter {show(level)} is no level yet")
        made = Constant(name, kind, levels, self.closed(data["type"], name, inside, unsafe), None, unsafe, "")
        self.counts[kind] = self.counts.get(kind, 0) + 1
        return made

    def _declaration(self, kind: str, value: object) -> None:
        data = self.keys(value, HEAD | DECLARATIONS[kind])
        safety = SAFETY[self.one_of(data["safety"], SAFETY)] if kind == "def" else ""
        unsafe = safety != "safe" if kind == "def" else "isUnsafe" in data and self.flag(data["isUnsafe"])
        # an unsafe definition may refer to itself
        c = self._declare(data, {"def": "definition", "thm": "theorem"}.get(kind, kind), frozenset([self.name(data["name"])] if unsafe else []), unsafe)
        if "value" in data:
            c.value = self.closed(data["value"], c.name, frozenset([c.name] if unsafe else []), unsafe)
            c.data["all"] = self.list_of(data["all"])
        if kind == "def":
            hints = data["hints"]
            c.data["hints"] = (
                self.number(self.keys(hints, {"regular"})["regular"], HINT)
                if type(hints) is dict
                else ("opaque", "abbrev")[self.one_of(hints, ("opaque", "abbrev"))]
            )
            c.data["safety"] = safety
        elif kind == "quot":
            c.data["quot"] = self.one_of(data["kind"], QUOTIENT)
        self.constants[c.name] = c

    def _family(self, value: object) -> None:
        data = self.keys(value, {"types", "ctors", "recs"})
        rows = [
            *((r, TYPE) for r in self.items(data["types"])),
            *((r, CONSTRUCTOR) for r in self.items(data["ctors"])),
            *((r, RECURSOR) for r in self.items(data["recs"])),
        ]
        members = [self.name(self.keys(row, keys)["name"]) for row, keys in rows]
        inside = frozenset(members)
        if len(inside) != len(members) or not data["types"]:
            raise BadImage("an inductive family without types or with a member twice")
        unsafe = self.flag(data["types"][0]["isUnsafe"])
        if any(self.flag(row["isUnsafe"]) != unsafe for row, _ in rows):
            raise BadImage("an inductive family with safe and unsafe members")
        made = []
        for row, keys in rows:
            c = self._declare(row, "inductive" if keys is TYPE else "constructor" if keys is CONSTRUCTOR else "recursor", inside, unsafe)
            count = {key: self.number(row[key]) for key in keys if key.startswith("num") or key == "cidx"}
            if keys is TYPE:
                c.data = {
                    "params": count["numParams"],
                    "indices": count["numIndices"],
                    "all": self.list_of(row["all"]),
                    "constructors": self.list_of(row["ctors"]),
                    "nested": count["numNested"],
                    "recursive": self.flag(row["isRec"]),
                    "reflexive": self.flag(row["isReflexive"]),
                }
            elif keys is CONSTRUCTOR:
                c.data = {"inductive": self.name(row["induct"]), "index": count["cidx"], "params": count["numParams"], "fields": count["numFields"]}
            else:
                rules = [self.keys(rule, {"ctor", "nfields", "rhs"}) for rule in self.items(row["rules"])]
                c.data = {
                    "all": self.list_of(row["all"]),
                    "params": count["numParams"],
                    "indices": count["numIndices"],
                    "motives": count["numMotives"],
                    "minors": count["numMinors"],
                    "rules": tuple((self.name(r["ctor"]), self.number(r["nfields"]), self.closed(r["rhs"], c.name, inside, unsafe)) for r in rules),
                    "k": self.flag(row["k"]),
                }
            named = {
                *c.data.get("all", ()),
                *c.data.get("constructors", ()),
                *((c.data["inductive"],) if keys is CONSTRUCTOR else ()),
                *(r[0] for r in c.data.get("rules", ())),
            }
            # a recursor of a nested type has rules for the constructors of the type that it is nested in
            for other in named - inside:
                if keys is not RECURSOR or other not in self.constants:
                    raise BadImage(f"{show(c.name)} names {show(other)}, which is not in its family")
            made.append(c)
        self.constants.update((c.name, c) for c in made)


CHUNK = 4000  # decimal digits that Python converts at once; it refuses some hundred more


def natural(digits: str) -> int:
    """A natural number of any size from its digits."""
    if len(digits) <= CHUNK:
        return int(digits)
    half = len(digits) // 2
    return natural(digits[:-half]) * 10**half + natural(digits[-half:])


def digits(number: int) -> str:
    """The digits of a natural number of any size."""
    out = []
    while number >= 10**CHUNK:
        number, low = divmod(number, 10**CHUNK)
        out.append(f"{low:0{CHUNK}d}")
    return "".join([str(number), *reversed(out)])


def read(path: Path, intern: Interner | None = None) -> Export:
    """The declarations in an interchange file.  Raises BadImage, naming the line, when it is malformed.

    With `intern`, terms are numbered in that table, so that equal numbers mean equal terms there and here.
    """
    reader, meta = _Reader(intern or Interner()), None
    for at, row in ndjson.rows(path):
        try:
            if meta is None:
                meta = _meta(reader.keys(row, {"meta"})["meta"])
            else:
                reader.line(row)
        except BadImage as error:
            raise BadImage(f"{path}: line {at}: {error}") from None
    if meta is None:
        raise BadImage(f"{path}: empty")
    for name, c in reader.constants.items():
        for other in c.data.get("all", ()):
            if other not in reader.constants:
                raise BadImage(f"{path}: {show(name)} names {show(other)} as declared with it, and it is not declared")
    return Export(meta, Environment.of(reader.intern, reader.constants), reader.counts)


def _listed(data: dict[str, Any]) -> str:
    """The keys of an object, for a message."""
    return str(sorted(data)) if len(data) <= 12 and all(len(key) <= 60 for key in data) else f"({len(data)} of them)"


def _meta(value: object) -> dict[str, Any]:
    data = _Reader.keys(value, set(META))
    for part, keys in META.items():
        for key in keys:
            _Reader.text(_Reader.keys(data[part], keys)[key])
    version = data["format"]["version"]
    if not re.fullmatch(r"3\.1\.\d+", version):
        raise BadImage(f"format {brief(version)}; this reader knows {VERSION}")
    return data


def plain(env: Environment) -> Callable[[int], int]:
    """Terms as the format has them: without the mark of let terms whose body does not depend on the value.

    The mark means nothing to a checker, and two terms that differ in it alone must be one there.
    """
    memo: dict[int, int] = {}
    nodes, intern = env.nodes, env.intern

    def make(at: int) -> int:
        node = nodes[at]
        tag = node[1]
        if tag == APP:
            return intern("term", APP, memo[node[2]], memo[node[3]])
        if tag in (LAM, PI):
            return intern("term", tag, node[2], memo[node[3]], memo[node[4]], node[5])
        if tag == LET:
            return intern("term", LET, node[2], memo[node[3]], memo[node[4]], memo[node[5]], 0)
        if tag == PROJ:
            return intern("term", PROJ, node[2], node[3], memo[node[4]])
        return at

    return lambda term: env.fold(term, memo, make)


def compare(env: Environment, other: Environment, names: Sequence[Name], term: Callable[[int], int]) -> list[str]:
    """How `other`, numbered in the same table, differs from the constants `names` of `env`; names and kinds of binders count.

    `term` is `plain(env)`.
    """
    wanted = set(names)
    out = [f"{show(n)}: in the compiled files and not in the export" for n in names if n not in other.constants]
    out += [f"{show(n)}: in the export and not in the compiled files" for n in other.constants if n not in wanted]
    for name in names:
        if name in other.constants:
            here, there = env.fields(env.constants[name], term), other.fields(other.constants[name], int)
            out += [f"{show(name)}: {key} differs" for key in sorted(here.keys() | there.keys()) if here.get(key) != there.get(key)]
    return out

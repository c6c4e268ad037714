"""Write the compiled spine for Lean's independent checkers, as `lean4export` would (format 3.1, one JSON object a line).

What is written comes from our reader of compiled files, not from Lean.  `write` reads every file back and compares
all of it with the compiled spine before the file gets its name, so a file that is there is a faithful one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

from ..audits import interchange
from ..audits import units as grouping
from ..audits.environment import Environment
from ..audits.olean import APP, BVAR, CONST, LAM, LET, LIT, MAX, PARAM, PI, PROJ, SORT, SUCC, BadImage, Constant, Name, show
from ..files import output


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


class _Writer:
    """Names, levels and terms of one file, each written once, before its first use."""

    def __init__(self, env: Environment, out: TextIO) -> None:
        self.env, self.out = env, out
        self.plain = interchange.plain(env)
        self.names: dict[Name, int] = {(): 0}
        self.levels: dict[int, int] = {env.intern("level", 0): 0}
        self.terms: dict[int, int] = {}

    def name(self, name: Name) -> int:
        for length in range(1, len(name) + 1):
            if name[:length] not in self.names:
                pre, last = self.names[name[: length - 1]], name[length - 1]
                self.names[name[:length]] = len(self.names)
                what = f'"num":{{"i":{last},"pre":{pre}}}' if isinstance(last, int) else f'"str":{{"pre":{pre},"str":{_json(last)}}}'
                self.out.write(f'{{"in":{len(self.names) - 1},{what}}}\n')
        return self.names[name]

    def level(self, number: int) -> int:
        if number not in self.levels:
            node = self.env.nodes[number]
            tag = node[1]
            if tag == SUCC:
                what = f'"succ":{self.level(node[2])}'
            elif tag == PARAM:
                what = f'"param":{self.name(node[2])}'
            else:
                what = f'"{"max" if tag == MAX else "imax"}":[{self.level(node[2])},{self.level(node[3])}]'
            self.levels[number] = len(self.levels)
            self.out.write(f'{{"il":{self.levels[number]},{what}}}\n')
        return self.levels[number]

    def term(self, number: int) -> int:
        nodes, memo, binders = self.env.nodes, self.terms, interchange.BINDERS

        def make(at: int) -> int:
            node = nodes[at]
            tag = node[1]
            if tag == APP:
                what = f'"app":{{"arg":{memo[node[3]]},"fn":{memo[node[2]]}}}'
            elif tag == CONST:
                what = f'"const":{{"name":{self.name(node[2])},"us":[{",".join(str(self.level(x)) for x in node[3])}]}}'
            elif tag == BVAR:
                what = f'"bvar":{node[2]}'
            elif tag == SORT:
                what = f'"sort":{self.level(node[2])}'
            elif tag == LET:
                what = f'"letE":{{"body":{memo[node[5]]},"name":{self.name(node[2])},"nondep":false,"type":{memo[node[3]]},"value":{memo[node[4]]}}}'
            elif tag == LIT:
                what = f'"natVal":"{interchange.digits(node[2])}"' if isinstance(node[2], int) else f'"strVal":{_json(node[2])}'
            elif tag == PROJ:
                what = f'"proj":{{"idx":{node[3]},"struct":{memo[node[4]]},"typeName":{self.name(node[2])}}}'
            else:
                kind = "lam" if tag == LAM else "forallE"
                what = f'"{kind}":{{"binderInfo":"{binders[node[5]]}","body":{memo[node[4]]},"name":{self.name(node[2])},"type":{memo[node[3]]}}}'
            own = f'"ie":{len(memo)}'
            # keys in the order of the alphabet, as everywhere here
            self.out.write(f"{{{what},{own}}}\n" if tag in (APP, BVAR, CONST, PI) else f"{{{own},{what}}}\n")
            return len(memo)

        return self.env.fold(self.plain(number), memo, make)

    # Declarations

    def _head(self, c: Constant) -> dict[str, Any]:
        levels = [self.name(x) for x in c.levels]
        for x in c.levels:  # a checker looks the parameters up among the levels
            self.level(self.env.intern("level", PARAM, x))
        return {"name": self.name(c.name), "levelParams": levels, "type": self.term(c.type)}

    def _member(self, c: Constant) -> dict[str, Any]:
        """The row of a type, a constructor or a recursor in its family."""
        d = c.data

        def names(xs: Iterable[Name]) -> list[int]:
            return [self.name(x) for x in xs]

        row = {**self._head(c), "isUnsafe": c.unsafe, "numParams": d["params"]}
        if c.kind == "inductive":
            return {
                **row,
                "numIndices": d["indices"],
                "all": names(d["all"]),
                "ctors": names(d["constructors"]),
                "numNested": d["nested"],
                "isRec": d["recursive"],
                "isReflexive": d["reflexive"],
            }
        if c.kind == "constructor":
            return {**row, "induct": self.name(d["inductive"]), "cidx": d["index"], "numFields": d["fields"]}
        rules = [{"ctor": self.name(k), "nfields": n, "rhs": self.term(body)} for k, n, body in d["rules"]]
        return {**row, "all": names(d["all"]), "numIndices": d["indices"], "numMotives": d["motives"], "numMinors": d["minors"], "rules": rules, "k": d["k"]}

    def declaration(self, members: Sequence[Name]) -> None:
        """One unit: a family of types, the quotient, or a single constant."""
        constants = [self.env.constants[n] for n in members]
        c = constants[0]
        if c.kind == "inductive":
            rows = {
                key: [self._member(c) for c in constants if c.kind == kind]
                for key, kind in (("types", "inductive"), ("ctors", "constructor"), ("recs", "recursor"))
            }
            self.out.write(_json({"inductive": rows}) + "\n")
            return
        for c in constants:
            row = self._head(c)
            if c.value is not None:
                row |= {"value": self.term(c.value), "all": [self.name(n) for n in c.data["all"]]}
            if c.kind in ("axiom", "opaque"):
                row["isUnsafe"] = c.unsafe
            elif c.kind == "definition":
                hints = c.data["hints"]
                row |= {"safety": c.data["safety"], "hints": {"regular": hints} if isinstance(hints, int) else hints}
            elif c.kind == "quot":
                row["kind"] = interchange.QUOTIENT[c.data["quot"]]
            self.out.write(_json({{"definition": "def", "theorem": "thm"}.get(c.kind, c.kind): row}) + "\n")


def order(env: Environment, unsafe: bool = False) -> list[tuple[Name, ...]]:
    """What is written, in dependency order: the members of a family or of the quotient together, all others alone.

    Axioms on which nothing rests are left out, so that a checker need permit none.  With `unsafe` they are written, and
    unsafe constants after everything else; nothing safe refers to those.  Raises BadImage when a constant rests on an axiom.
    """
    unused = idle(env)
    unit = grouping.unit_of(env)
    members: dict[tuple[Name, ...], list[Name]] = {}
    for name, u in unit.items():
        members.setdefault(u, []).append(name)

    def place(name: Name) -> tuple[Any, ...]:
        c = env.constants[name]
        if c.kind == "inductive":
            return 0, c.data["all"].index(name)
        if c.kind == "constructor":
            return 1, unit[name].index(c.data["inductive"]), c.data["index"]
        return 2, repr(name)

    out = [u if u == grouping.QUOTIENT else tuple(sorted(members[u], key=place)) for u in grouping.units(env, env.constants) if unsafe or u[0] not in unused]
    return out + [(n,) for n in _unsafe(env)] if unsafe else out


def idle(env: Environment) -> set[Name]:
    """The safe axioms, on which nothing may rest.  Raises BadImage, naming both, when a safe constant refers to one."""
    axioms = {n for n, c in env.constants.items() if c.kind == "axiom" and not c.unsafe}
    for name, c in env.constants.items():
        if not c.unsafe and (found := env.refs(name) & axioms):
            raise BadImage(f"{show(name)} rests on the axiom {show(min(found, key=repr))}, which nothing permits")
    return axioms


def _unsafe(env: Environment) -> Iterator[Name]:
    """The unsafe constants, each after those that it refers to.  Raises BadImage where that cannot be."""
    done: dict[Name, bool] = {}

    def visit(name: Name) -> Iterator[Name]:
        if env.constants[name].kind in ("inductive", "constructor", "recursor", "quot"):
            raise BadImage(f"{show(name)} is unsafe and no definition, which this export does not write")
        done[name] = False
        for other in sorted(env.refs(name), key=repr):
            if env.constants[other].unsafe and other != name:
                if done.get(other) is False:
                    raise BadImage(f"{show(name)} and {show(other)} are unsafe and refer to each other, which this export does not write")
                if other not in done:
                    yield from visit(other)
        done[name] = True
        yield name

    for name, c in env.constants.items():
        if c.unsafe and name not in done:
            yield from visit(name)


@dataclass
class Written:
    """An export that was written, read back and found equal.  `constants` and `lines` count by kind, `left_out` unsafe constants."""

    path: Path
    modules: int
    bytes: int
    constants: dict[str, int] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    left_out: int = 0
    axioms_left_out: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        return {**self.__dict__, "path": str(self.path)}


def meta(env: Environment) -> dict[str, Any]:
    """The first line: who wrote this, and the Lean that compiled the modules."""
    part = next(iter(env.modules.values())).parts[0]
    return {
        "exporter": {"name": "gnosis", "version": version("gnosis-gates")},
        "format": {"version": interchange.VERSION},
        "lean": {"githash": part.githash, "version": part.version},
    }


def write(env: Environment, path: Path, *, unsafe: bool = False, progress: Callable[[str], None] = lambda _: None) -> Written:
    """Write `env` to `path`, read it back and compare.  Safe constants only, without axioms, unless `unsafe`.

    The file appears under its name when it is complete and equal, and not at all otherwise.  Raises BadImage when the
    environment is malformed or the file that was read back differs, OSError when it cannot be written.
    """
    grouping.families(env)
    written = order(env, unsafe)
    names = [n for unit in written for n in unit]
    with output.staged(path) as part:
        progress("write")
        with part.open("w", encoding="utf-8", newline="\n", buffering=1 << 20) as out:
            out.write(_json({"meta": meta(env)}) + "\n")
            writer = _Writer(env, out)
            for unit in written:
                writer.declaration(unit)
        progress("read back")
        counts = check(env, part, names)
        size = part.stat().st_size
    lines = {key: counts.pop(key) for key in ("name", "level", "term")}
    left = env.constants.keys() - set(names)
    return Written(
        path, len(env.modules), size, counts, lines, sum(env.constants[n].unsafe for n in left), sorted(show(n) for n in left if not env.constants[n].unsafe)
    )


def check(env: Environment, path: Path, names: Iterable[Name] | None = None) -> dict[str, int]:
    """Read an export and compare it with `env`, constant by constant.  Returns the numbers of lines and constants by kind.

    `names` are the constants that it must hold.  Raises BadImage as `compare` does, and for a malformed file which line is bad.
    """
    found = interchange.read(path, env.intern)
    compare(env, found, str(path), names)
    return found.counts


def compare(env: Environment, found: interchange.Export, path: str, names: Iterable[Name] | None = None) -> None:
    """Compare an export, read into the table of `env`, with `env`, constant by constant.

    Without `names` it must hold what `write` writes, without or with `unsafe`.  Raises BadImage, saying what differs, with an
    axiom that the spine does not have before all else.
    """
    unused = idle(env)
    assumed = [n for n, c in found.environment.constants.items() if c.kind == "axiom" and not c.unsafe and n not in unused]
    if assumed:
        raise BadImage(f"{path}: declares the axiom {show(assumed[0])}, which nothing permits")
    if found.meta["lean"] != meta(env)["lean"]:
        raise BadImage(f"{path}: says it is of Lean {found.meta['lean']}, and the compiled files are of {meta(env)['lean']}")
    if names is None:
        unsafe = any(n in unused or (n in env.constants and env.constants[n].unsafe) for n in found.environment.constants)
        names = [n for n, c in env.constants.items() if unsafe or not (c.unsafe or n in unused)]
    said = interchange.compare(env, found.environment, list(names), interchange.plain(env))
    if said:
        more = f" (and {len(said) - 1} more)" if len(said) > 1 else ""
        raise BadImage(f"{path}: {said[0]}{more}")

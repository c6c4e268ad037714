"""All constants of the compiled spine together: who refers to whom, canonical hashes, a printer."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from .olean import APP, BVAR, CONST, LAM, LET, LIT, MAX, PARAM, PI, PROJ, SORT, SUCC, ZERO, BadImage, Constant, Interner, Module, Name, show

Folded = TypeVar("Folded")


# where the sub-terms of a node stand, by its tag
CHILDREN = [slice(0, 0)] * 12
CHILDREN[APP], CHILDREN[LAM], CHILDREN[PI], CHILDREN[LET] = slice(2, 4), slice(3, 5), slice(3, 5), slice(3, 6)
CHILDREN[PROJ] = slice(4, 5)


def digest(*parts: object) -> bytes:
    """SHA-256 of a sequence, each part with its length in front."""
    out = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        out.update(len(data).to_bytes(8, "little") + data)
    return out.digest()


def module_files(root: Path, module: str) -> list[Path]:
    """The compiled parts of a module that exist, the public one first."""
    first = root.joinpath(*module.split(".")).with_suffix(".olean")
    return [p for p in (first, first.with_suffix(".olean.server"), first.with_suffix(".olean.private")) if p.is_file()]


class Environment:
    """The constants of `modules` and of all that they import, read from the compiled files below `root`.

    Raises BadImage when a file is missing or malformed, when two modules declare different things under the same
    name, or when a constant refers to one that is nowhere declared.  Modules that were read already can be given in
    `loaded`, with the interner that they were read into.
    """

    def __init__(self, root: Path, modules: Iterable[str], intern: Interner | None = None, loaded: Mapping[str, Module] | None = None) -> None:
        self._start(intern or Interner(), {})
        todo = list(modules)
        while todo:
            name = todo.pop()
            if name in self.modules:
                continue
            files = module_files(root, name)
            if not files:
                raise BadImage(f"{name}: no compiled file below {root}")
            todo += self.add((loaded or {}).get(name) or Module(name, files, self.intern)).imports
        writers = {(part.version, part.githash): name for name, module in self.modules.items() for part in module.parts}
        if len(writers) > 1:
            said = ", ".join(f"{name} by Lean {version} (commit {commit[:12]})" for (version, commit), name in writers.items())
            raise BadImage(f"modules were compiled by different Leans: {said}")
        for constant in self.constants:
            for other in self.refs(constant):
                if other not in self.constants:
                    raise BadImage(f"{show(constant)} refers to {show(other)}, which is nowhere declared")

    def add(self, module: Module) -> Module:
        """One more module, read with the interner of this environment.  What it refers to may still be absent."""
        self.modules[module.name] = module
        for key, constant in module.constants.items():
            if key in self.constants:
                self._declare_again(constant)
            else:
                self.constants[key] = constant
        return module

    def _declare_again(self, constant: Constant) -> None:
        """Lean generates some lemmas on demand, in every module that needs them, and tolerates the same theorem
        twice.  Here a second one with the same proof counts as the same; with another proof it gets a name of its
        own, so that its proof is looked at too; anything else is refused."""
        other = self.constants[constant.name]
        here, there = self.fields(constant), self.fields(other)
        if constant.kind != "theorem" or {**here, "value": None} != {**there, "value": None}:
            raise BadImage(f"{show(constant.name)} is declared in {constant.module} and in {other.module}")
        if here != there:
            copies = sum(n[:-2] == constant.name and n[-2:-1] == ("copy",) for n in self.constants)
            constant.name = (*constant.name, "copy", copies + 1)
            self.constants[constant.name] = constant

    def _start(self, intern: Interner, constants: dict[Name, Constant]) -> None:
        self.intern, self.constants = intern, constants
        self.modules: dict[str, Module] = {}
        self._used: dict[int, frozenset[Name]] = {}
        self._texts: set[int] = set()
        self._refs: dict[tuple[Name, bool], frozenset[Name]] = {}
        self._hash: dict[object, bytes] = {}
        self._level_hash: dict[int, bytes] = {}
        self._term_hash: dict[int, bytes] = {}

    @classmethod
    def of(cls, intern: Interner, constants: dict[Name, Constant]) -> Environment:
        """An environment of constants that come from no file."""
        env = cls.__new__(cls)
        env._start(intern, constants)
        return env

    @property
    def nodes(self) -> list[tuple[Any, ...]]:
        return self.intern.nodes

    # Terms

    def children(self, term: int) -> tuple[int, ...]:
        node = self.nodes[term]
        return node[CHILDREN[node[1]]]

    def fold(self, term: int, memo: dict[int, Folded], make: Callable[[int], Folded]) -> Folded:
        """`make` at every sub-term, leaves first; results are kept in `memo`."""
        stack = [term]
        while stack:
            at = stack[-1]
            if at in memo:
                stack.pop()
                continue
            missing = [c for c in self.children(at) if c not in memo]
            if missing:
                stack += missing
            else:
                memo[at] = make(at)
                stack.pop()
        return memo[term]

    def size(self, term: int, most: int) -> int:
        """The nodes of a term as a tree; `most` + 1 when there are more than `most`."""
        sizes: dict[int, int] = {}
        self.fold(term, sizes, lambda at: min(1 + sum(sizes[k] for k in self.children(at)), most + 1))
        return sizes[term]

    def used(self, term: int) -> frozenset[Name]:
        """The constants in a term, with those that a literal or a projection stands for."""
        if term in self._used:
            return self._used[term]
        nodes, seen, stack, out = self.intern.nodes, {term}, [term], set()
        while stack:
            node = nodes[stack.pop()]
            tag = node[1]
            if tag in (CONST, PROJ):
                out.add(node[2])
            elif tag == LIT:
                out.add(("Nat",) if isinstance(node[2], int) else ("String",))
                if isinstance(node[2], str):
                    self._texts.add(term)
            for child in node[CHILDREN[tag]]:
                if child not in seen:
                    seen.add(child)
                    stack.append(child)
        self._used[term] = frozenset(out)
        return self._used[term]

    def has_text(self, term: int) -> bool:
        """Whether a text literal is in the term."""
        self.used(term)
        return term in self._texts

    # Dependencies

    def refs(self, name: Name, proofs: bool = True) -> frozenset[Name]:
        """What a declaration refers to.  Without `proofs`, what its meaning depends on: the proof of a theorem is left out."""
        key = (name, proofs)
        if key not in self._refs:
            c = self.constants[name]
            out = set(self.used(c.type))
            if c.value is not None and (proofs or c.kind != "theorem"):
                out |= self.used(c.value)
            out.update(c.data.get("constructors", ()), c.data.get("all", ()))
            if "inductive" in c.data:
                out.add(c.data["inductive"])
            for _, _, body in c.data.get("rules", ()):
                out |= self.used(body)
            self._refs[key] = frozenset(out - {name})
        return self._refs[key]

    def closure(self, name: Name) -> set[Name]:
        """Everything that a declaration rests on, through types, values and proofs; itself included."""
        seen, stack = {name}, [name]
        while stack:
            for other in self.refs(stack.pop()):
                if other not in seen:
                    seen.add(other)
                    stack.append(other)
        return seen

    def meaning(self, name: Name) -> set[Name]:
        """Everything that the statement of `name` unfolds to; `name` itself is not in it."""
        seen: set[Name] = set()
        stack = list(self.used(self.constants[name].type))
        while stack:
            other = stack.pop()
            if other not in seen:
                seen.add(other)
                stack += self.refs(other, proofs=False)
        return seen - {name}

    def reach(self, marked: set[Name]) -> dict[Name, frozenset[Name]]:
        """For every constant, the members of `marked` in its closure (one pass over the strongly connected components)."""
        found: dict[Name, frozenset[Name]] = {}
        index: dict[Name, int] = {}
        low: dict[Name, int] = {}
        component: list[Name] = []
        pool: dict[frozenset[Name], frozenset[Name]] = {}
        for start in self.constants:
            if start in index:
                continue
            index[start] = low[start] = len(index)
            component.append(start)
            work = [(start, iter(self.refs(start)))]
            while work:
                name, todo = work[-1]
                for other in todo:
                    if other not in index:
                        index[other] = low[other] = len(index)
                        component.append(other)
                        work.append((other, iter(self.refs(other))))
                        break
                    if other not in found:
                        low[name] = min(low[name], index[other])
                else:
                    work.pop()
                    if work:
                        low[work[-1][0]] = min(low[work[-1][0]], low[name])
                    if low[name] == index[name]:
                        members = [component.pop()]
                        while members[-1] != name:
                            members.append(component.pop())
                        inside = set(members)
                        hit = inside & marked
                        for member in members:
                            for other in self.refs(member):
                                if other not in inside:
                                    hit |= found[other]
                        frozen = frozenset(hit)
                        frozen = pool.setdefault(frozen, frozen)
                        for member in members:
                            found[member] = frozen
        return found

    # Canonical hashes: names of bound variables and kinds of binders are left out

    def level_hash(self, level: int) -> bytes:
        if level not in self._level_hash:
            node = self.nodes[level]
            self._level_hash[level] = digest("L", node[1], *(repr(x) if isinstance(x, tuple) else self.level_hash(x) for x in node[2:]))
        return self._level_hash[level]

    def term_hash(self, term: int) -> bytes:
        memo = self._term_hash

        def make(at: int) -> bytes:
            node = self.nodes[at]
            tag = node[1]
            if tag == BVAR:
                return digest("B", node[2])
            if tag == SORT:
                return digest("S", self.level_hash(node[2]))
            if tag == CONST:
                return digest("C", repr(node[2]), *map(self.level_hash, node[3]))
            if tag == APP:
                return digest("A", memo[node[2]], memo[node[3]])
            if tag in (LAM, PI):
                return digest("P" if tag == PI else "F", memo[node[3]], memo[node[4]])
            if tag == LET:
                return digest("Z", memo[node[3]], memo[node[4]], memo[node[5]])
            if tag == LIT:
                return digest("#", type(node[2]).__name__, node[2])
            return digest("J", repr(node[2]), node[3], memo[node[4]])

        return self.fold(term, memo, make)

    def fields(self, c: Constant, term: Callable[[int], object] | None = None) -> dict[str, object]:
        """What the kernel keeps of a constant, terms as hashes or as what `term` makes of them."""
        term = term or (lambda t: self.term_hash(t).hex())
        out: dict[str, object] = {
            "kind": c.kind,
            "name": c.name,
            "levels": c.levels,
            "unsafe": c.unsafe,
            "type": term(c.type),
            "value": None if c.value is None else term(c.value),
        }
        for key, value in c.data.items():
            out[key] = tuple((a, b, term(body)) for a, b, body in value) if key == "rules" else value
        return out

    def definition_hash(self, name: Name) -> str:
        """Hash of one declaration: its type, its body, and all that the kernel keeps, but not the proof of a theorem
        (nor the reducibility hint, which means nothing)."""
        key = ("definition", name)
        if key in self._hash:
            return self._hash[key].hex()
        c = self.constants[name]
        kept = self.fields(c)
        kept.pop("hints", None)
        if c.kind == "theorem":
            kept.pop("value")
        self._hash[key] = digest(repr(sorted(kept.items())))
        return self._hash[key].hex()

    def statement_hash(self, name: Name) -> str:
        """Hash of a statement with the meaning of everything in it: the bodies of all definitions it unfolds to."""
        return digest(self.definition_hash(name), *(self.definition_hash(x) for x in sorted(self.meaning(name), key=repr))).hex()

    # A printer without notation, for names that cannot be written in Lean source

    def text(self, term: int, bound: tuple[str, ...] = (), prec: int = 0) -> str:
        node = self.nodes[term]
        tag = node[1]
        if tag == BVAR:
            return bound[-1 - node[2]] if node[2] < len(bound) else f"#{node[2]}"
        if tag == SORT:
            return f"Sort {self.level_text(node[2], 1)}"
        if tag == CONST:
            return "@" + show(node[2]) + (".{" + ", ".join(map(self.level_text, node[3])) + "}" if node[3] else "")
        if tag == LIT:
            return str(node[2]) if isinstance(node[2], int) else repr(node[2])
        if tag == APP:
            out = f"{self.text(node[2], bound, 1)} {self.text(node[3], bound, 2)}"
            return f"({out})" if prec > 1 else out
        if tag == PROJ:
            return f"{self.text(node[4], bound, 2)}.{node[3] + 1}"
        x = f"x{len(bound)}"
        if tag == LET:
            out = f"let {x} : {self.text(node[3], bound)} := {self.text(node[4], bound)}; {self.text(node[5], (*bound, x))}"
        elif tag == LAM:
            out = f"fun ({x} : {self.text(node[3], bound)}) => {self.text(node[4], (*bound, x))}"
        else:
            out = f"({x} : {self.text(node[3], bound)}) → {self.text(node[4], (*bound, x))}"
        return f"({out})" if prec else out

    def level_text(self, level: int, prec: int = 0) -> str:
        node, plus = self.nodes[level], 0
        while node[1] == SUCC:
            plus, level = plus + 1, node[2]
            node = self.nodes[level]
        if node[1] == ZERO:
            return str(plus)
        if plus:
            out = f"{self.level_text(level, 1)}+{plus}"
        elif node[1] == PARAM:
            return show(node[2])
        else:
            out = f"{'max' if node[1] == MAX else 'imax'} {self.level_text(node[2], 1)} {self.level_text(node[3], 1)}"
        return f"({out})" if prec else out

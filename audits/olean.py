"""Read compiled Lean modules without Lean.

An `.olean` file of Lean 4.35 is a memory image: a header, then heap objects whose pointers are the image's base
address plus a file offset; an odd word is a small number.  This reader walks the image and lists every constant
of the module with its kind, type and value.  Nothing is executed, and nothing is believed: bounds, tags, field
counts and acyclicity are checked, and whatever is not understood raises `BadImage`.

Layout of an object: one header word (reference count 32 bits, size 16, number of pointer fields 8, tag 8), the
pointer fields, then the scalar fields.  Arrays, strings and big numbers have tags of their own.

Names are tuples of strings and integers, the anonymous name is `()`.  Levels and terms of all modules are
interned into one table, so that equal terms have equal numbers.
"""

from __future__ import annotations

import hashlib
import re
import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Name = tuple[str | int, ...]

HEADER = 88  # "olean", format, flags, version[33], git hash[40], base address; the word after it is the root pointer
FORMAT = 2
FLAGS = 1  # big numbers are stored as GMP has them
KINDS = ("axiom", "definition", "theorem", "opaque", "quot", "inductive", "constructor", "recursor")
INFO_FIELDS = (1, 4, 3, 3, 1, 6, 5, 7)  # pointer fields of the value objects of those kinds
ARRAY, STRING, BIGNUM = 246, 249, 250
# tags of Lean.Expr and Lean.Level, in the order of their constructors
BVAR, FVAR, MVAR, SORT, CONST, APP, LAM, PI, LET, LIT, MDATA, PROJ = range(12)
EXPR_FIELDS = (1, 1, 1, 1, 2, 2, 3, 3, 4, 1, 2, 3)
EXPR_CHILDREN = ((), (), (), (), (), (0, 1), (1, 2), (1, 2), (1, 2, 3), (), (1,), (2,))
ZERO, SUCC, MAX, IMAX, PARAM, LMVAR = range(6)
LEVEL_FIELDS = (0, 1, 2, 2, 1, 1)
LEVEL_CHILDREN = ((), (0,), (0, 1), (0, 1), (), ())


class BadImage(Exception):
    """The file is not a well-formed image of a compiled Lean 4.35 module."""


class Interner:
    """One table of levels and terms.

    A level is ("level", tag, …), a term ("term", tag, …); sub-levels and sub-terms are numbers of other nodes.
    There are no MDATA nodes.
    """

    def __init__(self) -> None:
        self.numbers: dict[tuple[Any, ...], int] = {}
        self.nodes: list[tuple[Any, ...]] = []

    def __call__(self, *node: object) -> int:
        number = self.numbers.get(node)
        if number is None:
            number = self.numbers[node] = len(self.nodes)
            self.nodes.append(node)
        return number


@dataclass(slots=True)
class Constant:
    """One declaration.  `type` and `value` are numbers in the interner; `data` holds what only this kind has."""

    name: Name
    kind: str
    levels: tuple[Name, ...]
    type: int
    value: int | None
    unsafe: bool
    module: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Range:
    """Where a declaration and the name in it begin and end: lines from 1 on, columns in characters from 0 on."""

    line: int
    column: int
    end_line: int
    end_column: int
    name_line: int
    name_column: int
    name_end_line: int
    name_end_column: int


class Part:
    """The bytes of one file."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        self.path, self.data, self.size = path, data, len(data)
        self.sha256 = hashlib.sha256(data).hexdigest()
        if len(data) < HEADER + 8 or len(data) % 8:
            raise BadImage(f"{path}: {len(data)} bytes is not the length of an olean")
        if data[:5] != b"olean" or data[5] != FORMAT:
            raise BadImage(f"{path}: not an olean of format {FORMAT}")
        if data[6] != FLAGS:
            raise BadImage(f"{path}: flags {data[6]:#x} in the header; this reader knows {FLAGS:#x}")
        version, _, rest = data[7:40].partition(b"\0")
        if not re.fullmatch(rb"\d+\.\d+\.\d+[!-~]*", version) or rest.strip(b"\0"):
            raise BadImage(f"{path}: {data[7:40]!r} in the header is no version of Lean")
        if not re.fullmatch(rb"[0-9a-f]{40}", data[40:80]):
            raise BadImage(f"{path}: {data[40:80]!r} in the header is no commit hash")
        self.version, self.githash = version.decode(), data[40:80].decode()
        self.base = int.from_bytes(data[80:88], "little")
        if self.base % 8 or self.base + len(data) >= 1 << 63:
            raise BadImage(f"{path}: {self.base:#x} in the header is no base address")
        self.words: Sequence[int] = memoryview(data).cast("Q")


class Module:
    """One compiled module.

    `paths` are the parts that Lean wrote, the public one first: `.olean`, and for a file with a `module` header
    also `.olean.server` and `.olean.private`, whose constants replace the public stubs of the same name.
    """

    def __init__(self, name: str, paths: Sequence[Path], intern: Interner) -> None:
        self._start(name, intern)
        self.is_module = False
        self.imports: list[str] = []
        self.constants: dict[Name, Constant] = {}
        self.extensions: dict[str, Sequence[int]] = {}  # the entries of each table that Lean keeps for importers
        self.coded: set[Name] = set()  # names of generated functions that are no constants
        self.externs: dict[Name, str] = {}
        self.ranges: dict[Name, Range] = {}
        try:
            self.parts = [Part(p) for p in paths]
            self.limit = sum(p.size for p in self.parts) // 8
            for part in self.parts:
                self._read_root(part)
        except (IndexError, struct.error, UnicodeDecodeError, ValueError, OverflowError, RecursionError) as error:
            raise BadImage(f"{name}: {type(error).__name__}: {error}") from error

    def _start(self, name: str, intern: Interner) -> None:
        self.name, self.intern = name, intern
        self.limit = 1 << 24  # no list or name is longer; for a file, the number of its words
        # boxed objects, the same in every image: the anonymous name and level zero
        self.names: dict[int, Name] = {1: ()}
        self.levels: dict[int, int] = {1: intern("level", ZERO)}
        self.terms: dict[int, int] = {}
        # terms with MDATA in them: here they are interned without it, and in the file they have other cached words
        self.annotated: set[int] = set()
        # what `objects` made of the objects of this file
        self.values: dict[int, object] = {}
        self.digests: dict[int, object] = {}

    # Raw objects

    def locate(self, pointer: int, words: int = 1) -> tuple[Part, int]:
        """The part that holds `words` words at this address, and the index of the first of them."""
        for part in self.parts:
            offset = pointer - part.base
            if HEADER <= offset and offset + 8 * words <= part.size and not offset & 7:
                return part, offset >> 3
        raise BadImage(f"{self.name}: pointer {pointer:#x} is outside the image")

    def object(self, pointer: int, tags: Sequence[int], count: int | None) -> tuple[int, Sequence[int]]:
        """Tag and pointer fields of a constructor object; its scalar fields are left in `self.scalars`."""
        part, k = self.locate(pointer)
        header = part.words[k]
        tag, fields, size = header >> 56, header >> 48 & 255, header >> 32 & 0xFFFF
        if header & 0xFFFFFFFF or size < 8 * (fields + 1) or (k << 3) + size > part.size:
            raise BadImage(f"{self.name}: bad object header {header:#x} at {pointer:#x}")
        if tag not in tags or (count is not None and fields != count):
            raise BadImage(f"{self.name}: object at {pointer:#x} has tag {tag} and {fields} fields; wanted {tags}, {count}")
        self.scalars = part.data[(k << 3) + 8 * (fields + 1) : (k << 3) + size]
        return tag, part.words[k + 1 : k + 1 + fields]

    def _special(self, pointer: int, tag: int) -> tuple[Part, int]:
        part, k = self.locate(pointer, 3)
        if part.words[k] >> 56 != tag:
            raise BadImage(f"{self.name}: wanted tag {tag} at {pointer:#x}, found {part.words[k] >> 56}")
        return part, k

    def array(self, pointer: int) -> Sequence[int]:
        part, k = self._special(pointer, ARRAY)
        length = part.words[k + 1]
        if (k + 3 + length) * 8 > part.size:
            raise BadImage(f"{self.name}: array at {pointer:#x} runs past the end")
        return part.words[k + 3 : k + 3 + length]

    def string(self, pointer: int) -> str:
        part, k = self._special(pointer, STRING)
        length, start = part.words[k + 1], 8 * (k + 4)
        if not length or start + length > part.size or part.data[start + length - 1]:
            raise BadImage(f"{self.name}: bad string at {pointer:#x}")
        text = part.data[start : start + length - 1].decode()
        if len(text) != part.words[k + 3]:
            raise BadImage(f"{self.name}: string at {pointer:#x} has {len(text)} characters and says {part.words[k + 3]}")
        return text

    def nat(self, pointer: int) -> int:
        if pointer & 1:
            return pointer >> 1
        part, k = self._special(pointer, BIGNUM)
        _, size = struct.unpack_from("<ii", part.data, 8 * (k + 1))
        limbs, j = self.locate(part.words[k + 2], abs(size))
        value = int.from_bytes(limbs.data[8 * j : 8 * (j + abs(size))], "little")
        if size <= 0 or value < 1 << 63:
            raise BadImage(f"{self.name}: big number at {pointer:#x} is negative or small")
        return value

    def list(self, pointer: int) -> list[int]:
        out: list[int] = []
        while not pointer & 1:
            _, (head, pointer) = self.object(pointer, (1,), 2)
            out.append(head)
            if len(out) > self.limit:
                raise BadImage(f"{self.name}: list without end")
        if pointer != 1:
            raise BadImage(f"{self.name}: bad end of a list")
        return out

    # Names, levels, terms

    def read_name(self, pointer: int) -> Name:
        chain: list[tuple[int, str | int]] = []
        while pointer not in self.names:
            tag, (prefix, last) = self.object(pointer, (1, 2), 2)
            chain.append((pointer, self.string(last) if tag == 1 else self.nat(last)))
            pointer = prefix
            if len(chain) > self.limit:
                raise BadImage(f"{self.name}: name without end")
        name = self.names[pointer]
        for at, part in reversed(chain):
            name = self.names[at] = (*name, part)
        return name

    def read_names(self, pointer: int) -> tuple[Name, ...]:
        return tuple(map(self.read_name, self.list(pointer)))

    def _walk(
        self, pointer: int, memo: dict[int, int], arity: Sequence[int], children: Sequence[Sequence[int]], make: Callable[[int, int, Sequence[int], bytes], int]
    ) -> int:
        """Intern the tree at `pointer` from the leaves up, without recursion; a cycle raises."""
        stack, opened, tags = [pointer], set(), range(len(arity))
        while stack:
            at = stack[-1]
            if at in memo:
                stack.pop()
                continue
            tag, fields = self.object(at, tags, None)
            if len(fields) != arity[tag]:
                raise BadImage(f"{self.name}: node with tag {tag} has {len(fields)} fields")
            scalars = self.scalars
            missing = [fields[i] for i in children[tag] if fields[i] not in memo]
            if missing:
                if at in opened:
                    raise BadImage(f"{self.name}: cyclic term at {at:#x}")
                opened.add(at)
                stack += missing
            else:
                memo[at] = make(at, tag, fields, scalars)
                stack.pop()
        return memo[pointer]

    def level(self, pointer: int) -> int:
        memo = self.levels

        def make(_at: int, tag: int, fields: Sequence[int], _: bytes) -> int:
            if tag == LMVAR:
                raise BadImage(f"{self.name}: level metavariable in a declaration")
            if tag == PARAM:
                return self.intern("level", tag, self.read_name(fields[0]))
            return self.intern("level", tag, *(memo[c] for c in fields))

        return self._walk(pointer, memo, LEVEL_FIELDS, LEVEL_CHILDREN, make)

    def term(self, pointer: int) -> int:
        memo, intern, annotated = self.terms, self.intern, self.annotated

        def make(at: int, tag: int, f: Sequence[int], scalars: bytes) -> int:
            if tag == MDATA or (annotated and not annotated.isdisjoint([f[i] for i in EXPR_CHILDREN[tag]])):
                annotated.add(at)
            if tag == BVAR:
                return intern("term", tag, self.nat(f[0]))
            if tag == SORT:
                return intern("term", tag, self.level(f[0]))
            if tag == CONST:
                return intern("term", tag, self.read_name(f[0]), tuple(self.level(x) for x in self.list(f[1])))
            if tag == APP:
                return intern("term", tag, memo[f[0]], memo[f[1]])
            if tag in (LAM, PI):  # the scalars are the cached hash (8 bytes) and the kind of binder
                return intern("term", tag, self.read_name(f[0]), memo[f[1]], memo[f[2]], self.small(scalars[8], 4))
            if tag == LET:
                return intern("term", tag, self.read_name(f[0]), memo[f[1]], memo[f[2]], memo[f[3]], self.small(scalars[8], 2))
            if tag == LIT:
                kind, (value,) = self.object(f[0], (0, 1), 1)
                return intern("term", tag, self.string(value) if kind else self.nat(value))
            if tag == MDATA:  # means nothing to the kernel, so it is left out from here on
                return memo[f[1]]
            if tag == PROJ:
                return intern("term", tag, self.read_name(f[0]), self.nat(f[1]), memo[f[2]])
            raise BadImage(f"{self.name}: free variable or metavariable in a declaration")

        return self._walk(pointer, memo, EXPR_FIELDS, EXPR_CHILDREN, make)

    def small(self, value: int, count: int) -> int:
        """A scalar that numbers the constructors of an enumeration."""
        if value >= count:
            raise BadImage(f"{self.name}: {value} where a number below {count} must stand")
        return value

    def flag(self, value: int) -> bool:
        return bool(self.small(value, 2))

    # Declarations

    def constant(self, pointer: int) -> Constant:
        """The `Lean.ConstantInfo` at this address."""
        number, (value,) = self.object(pointer, range(8), 1)
        kind = KINDS[number]
        _, f = self.object(value, (0,), INFO_FIELDS[number])
        s = self.scalars
        _, (name, levels, type_) = self.object(f[0], (0,), 3)
        c = Constant(self.read_name(name), kind, self.read_names(levels), self.term(type_), None, False, self.name)
        if kind == "axiom":
            c.unsafe = self.flag(s[0])
        elif kind == "definition":
            c.value = self.term(f[1])
            c.data = {"hints": self._hints(f[2]), "all": self.read_names(f[3]), "safety": ("unsafe", "safe", "partial")[self.small(s[0], 3)]}
            c.unsafe = s[0] != 1
        elif kind == "theorem":
            c.value = self.proof(f[1])
            c.data = {"all": self.read_names(f[2])}
        elif kind == "opaque":
            c.value, c.unsafe = self.term(f[1]), self.flag(s[0])
            c.data = {"all": self.read_names(f[2])}
        elif kind == "quot":
            c.data = {"quot": self.small(s[0], 4)}
        elif kind == "inductive":
            c.unsafe = self.flag(s[1])
            c.data = {
                "params": self.nat(f[1]),
                "indices": self.nat(f[2]),
                "all": self.read_names(f[3]),
                "constructors": self.read_names(f[4]),
                "nested": self.nat(f[5]),
                "recursive": self.flag(s[0]),
                "reflexive": self.flag(s[2]),
            }
        elif kind == "constructor":
            c.unsafe = self.flag(s[0])
            c.data = {"inductive": self.read_name(f[1]), "index": self.nat(f[2]), "params": self.nat(f[3]), "fields": self.nat(f[4])}
        else:
            rules = []
            for at in self.list(f[6]):
                _, (constructor, fields, body) = self.object(at, (0,), 3)
                rules.append((self.read_name(constructor), self.nat(fields), self.term(body)))
            c.unsafe = self.flag(s[1])
            c.data = {
                "all": self.read_names(f[1]),
                "params": self.nat(f[2]),
                "indices": self.nat(f[3]),
                "motives": self.nat(f[4]),
                "minors": self.nat(f[5]),
                "rules": tuple(rules),
                "k": self.flag(s[0]),
            }
        return c

    def proof(self, pointer: int) -> int | None:
        """The value of a theorem."""
        return self.term(pointer)

    def _hints(self, pointer: int) -> str | int:
        if pointer & 1:
            return ("opaque", "abbrev")[self.small(pointer >> 1, 2)]
        self.object(pointer, (2,), 0)
        return int.from_bytes(self.scalars[:4], "little")

    def _read_root(self, part: Part) -> None:
        _, (imports, names, infos, coded, entries) = self.object(part.words[HEADER >> 3], (0,), 5)
        first = part is self.parts[0]
        self.is_module = self.is_module or self.flag(self.scalars[0])
        if first:
            for at in self.array(imports):
                _, (name,) = self.object(at, (0,), 1)
                self.imports.append(".".join(map(str, self.read_name(name))))
        listed, pointers = self.array(names), self.array(infos)
        if len(listed) != len(pointers):
            raise BadImage(f"{self.name}: {len(listed)} names and {len(pointers)} constants")
        seen = set()
        for at, info in zip(listed, pointers, strict=True):
            constant = self.constant(info)
            if constant.name != self.read_name(at):
                raise BadImage(f"{self.name}: constant {show(constant.name)} is listed as {show(self.read_name(at))}")
            if constant.name in seen:
                raise BadImage(f"{self.name}: {show(constant.name)} is listed twice")
            seen.add(constant.name)
            self.constants[constant.name] = constant
        self.coded.update(map(self.read_name, self.array(coded)))
        tables = set()
        for at in self.array(entries):
            _, (name, values) = self.object(at, (0,), 2)
            extension = ".".join(map(str, self.read_name(name)))
            if extension in tables:
                raise BadImage(f"{self.name}: the table {extension} is listed twice")
            tables.add(extension)
            self.extensions[extension] = [*self.extensions.get(extension, ()), *self.array(values)]
            if extension == "Lean.declRangeExt":
                self.ranges.update(map(self._range, self.array(values)))
            if extension == "Lean.externAttr":
                self.externs.update(map(self._extern, self.array(values)))

    def _range(self, pointer: int) -> tuple[Name, Range]:
        """A constant and where its source stands."""
        _, (constant, ranges) = self.object(pointer, (0,), 2)
        out = []
        for one in self.object(ranges, (0,), 2)[1]:  # the whole declaration, and its name
            start, _utf16, end, _utf16 = self.object(one, (0,), 4)[1]
            out += [self.nat(x) for position in (start, end) for x in self.object(position, (0,), 2)[1]]
        return self.read_name(constant), Range(*out)

    def _extern(self, pointer: int) -> tuple[Name, str]:
        """A constant and the code that its `extern` attribute names: symbols, for all back ends or for one."""
        _, (constant, codes) = self.object(pointer, (0,), 2)
        said = []
        for at in self.list(codes):  # of `Lean.ExternEntry`: adhoc, inline or standard
            tag, fields = self.object(at, (0, 1, 2), None)
            if len(fields) != min(tag + 1, 2):
                raise BadImage(f"{self.name}: `extern` entry with tag {tag} and {len(fields)} fields")
            backend = ".".join(map(str, self.read_name(fields[0])))
            said.append(" ".join([*([] if backend == "all" else [backend]), *(["adhoc"], ["inline"], [])[tag], *map(self.string, fields[1:])]))
        return self.read_name(constant), ", ".join(said)


def _letterlike(c: str) -> bool:
    """`Lean.isLetterLike`: non-ASCII characters that may stand in an identifier."""
    n = ord(c)
    return (
        (0x3B1 <= n <= 0x3C9 and n != 0x3BB)
        or (0x391 <= n <= 0x3A9 and n not in (0x3A0, 0x3A3))
        or 0x3CA <= n <= 0x3FB
        or 0x1F00 <= n <= 0x1FFE
        or 0x2100 <= n <= 0x214F
        or 0x1D49C <= n <= 0x1D59F
        or (0xC0 <= n <= 0xFF and n not in (0xD7, 0xF7))
        or 0x100 <= n <= 0x17F
    )


def identifier_start(c: str) -> bool:
    """Whether an identifier may begin with this character."""
    return c == "_" or (c.isascii() and c.isalpha()) or _letterlike(c)


def identifier_rest(c: str) -> bool:
    """Whether an identifier may go on with this character."""
    n = ord(c)
    return (
        identifier_start(c)
        or (c.isascii() and c.isdigit())
        or c in "'!?"
        or 0x2080 <= n <= 0x2089
        or 0x2090 <= n <= 0x209C
        or 0x1D62 <= n <= 0x1D6A
        or n == 0x2C7C
    )


def show(name: Name) -> str:
    """A name as Lean writes it: components that are no identifiers stand between « and »."""

    def part(c: str | int) -> str:
        if isinstance(c, int):
            return str(c)
        plain = c and identifier_start(c[0]) and all(map(identifier_rest, c))
        return c if plain else f"«{c}»"

    return ".".join(map(part, name)) or "[anonymous]"

"""Lean's kernel in this process: its functions, objects made for it, and what it holds.

The library is loaded and its objects are made by hand, node by node.  They are never freed, so this belongs into a
process of its own (`replay`).  The kernel's error codes are read as accepted or rejected, nothing finer.
"""

from __future__ import annotations

import ctypes as C
import struct
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from .environment import Environment
from .interchange import digits
from .olean import APP, BVAR, CONST, EXPR_CHILDREN, LAM, LET, LIT, MDATA, PARAM, PI, SORT, ZERO, BadImage, Constant, Interner, Module, Name

RECURSION = 1 << 20  # the kernel's own limit on nested calls
ANONYMOUS = LEVEL_ZERO = 1  # boxed objects


class Live(Module):
    """The reader, on objects in the memory of this process."""

    class Words:
        def __getitem__(self, i: int | slice) -> int | tuple[int, ...]:
            if isinstance(i, slice):
                return struct.unpack(f"<{i.stop - i.start}Q", C.string_at(i.start * 8, 8 * (i.stop - i.start)))
            return C.c_uint64.from_address(8 * i).value

    class Bytes:
        def __getitem__(self, i: int | slice) -> int | bytes:
            if isinstance(i, slice):
                return C.string_at(i.start, i.stop - i.start)
            return C.c_uint8.from_address(i).value

    class Memory:
        base, size = 0, 1 << 63
        words: Live.Words
        data: Live.Bytes

    def __init__(self, intern: Interner) -> None:
        self._start("kernel", intern)
        self.memory = Live.Memory()
        self.memory.words, self.memory.data = Live.Words(), Live.Bytes()

    def locate(self, pointer: int, words: int = 1) -> tuple[Any, ...]:
        if pointer & 7 or not pointer:
            raise BadImage(f"bad live pointer {pointer:#x}")
        return self.memory, pointer >> 3

    def object(self, pointer: int, tags: Sequence[int], count: int | None) -> tuple[int, Sequence[int]]:
        tag, fields = raw(pointer)
        if tag not in tags or (count is not None and len(fields) != count):
            raise BadImage(f"bad live object: tag {tag}, {len(fields)} fields; wanted {tags}, {count}")
        self.scalars = C.string_at(pointer + 8 * (len(fields) + 1), 16)
        return tag, fields

    def proof(self, pointer: int) -> None:
        """Proofs are not read back: whatever the kernel accepted as a proof of a statement is one."""

    def nat(self, pointer: int) -> int:
        if pointer & 1:
            return pointer >> 1
        _, size = struct.unpack("<ii", C.string_at(pointer + 8, 8))
        return int.from_bytes(C.string_at(C.c_uint64.from_address(pointer + 16).value, 8 * abs(size)), "little")


def raw(pointer: int) -> tuple[int, Sequence[int]]:
    """Tag and fields of a live object."""
    header = C.c_uint64.from_address(pointer).value
    count = header >> 48 & 255
    return header >> 56, struct.unpack(f"<{count}Q", C.string_at(pointer + 8, 8 * count))


class Lean:
    """The functions of the library that are used, and immortal Lean objects made with them."""

    def __init__(self, path: Path) -> None:
        lib = C.CDLL(str(path), mode=C.RTLD_GLOBAL)
        lib.lean_initialize()
        lib.lean_io_mark_end_initialization()
        lib.lean_init_task_manager()
        obj = C.c_void_p

        def function(name: str, *arguments: type) -> Callable[..., int]:
            f = getattr(lib, name)
            f.restype, f.argtypes = obj, list(arguments)
            return f

        self._string = function("lean_mk_string_from_bytes", C.c_char_p, C.c_size_t)
        self._bignum = function("lean_cstr_to_nat", C.c_char_p)
        self._name = function("lean_name_mk_string", obj, obj), function("lean_name_mk_numeral", obj, obj)
        self.levels: tuple[Any, ...] = (
            None,
            function("lean_level_mk_succ", obj),
            function("lean_level_mk_max", obj, obj),
            function("lean_level_mk_imax", obj, obj),
            function("lean_level_mk_param", obj),
        )
        shapes = (
            ("bvar", obj),
            ("fvar", obj),
            ("mvar", obj),
            ("sort", obj),
            ("const", obj, obj),
            ("app", obj, obj),
            ("lambda", obj, obj, obj, C.c_uint8),
            ("forall", obj, obj, obj, C.c_uint8),
            ("let", obj, obj, obj, obj, C.c_uint8),
            ("lit", obj),
            ("mdata", obj, obj),
            ("proj", obj, obj, obj),
        )
        self.terms = [function("lean_expr_mk_" + name, *arguments) for name, *arguments in shapes]
        # environment, heartbeats (0: no limit), recursion depth, declaration, cancel token
        self.add_decl = function("lean_add_decl", obj, C.c_size_t, C.c_size_t, obj, obj)
        self.version, self.githash = (self._text(C.c_void_p.in_dll(lib, f"l_Lean_{what}").value) for what in ("versionString", "githash"))
        self.find = function("lean_environment_find", obj, obj)
        self._empty = function("l_Lean_mkEmptyEnvironment", C.c_uint32)
        self._to_kernel = function("lean_elab_environment_to_kernel_env", obj)
        self._persist = lib.lean_mark_persistent
        self._persist.restype, self._persist.argtypes = None, [obj]
        self._memory: list[C.Array[Any]] = []

    @staticmethod
    def _text(pointer: int | None) -> str:
        """A string object of the library."""
        return C.string_at((pointer or 0) + 32, C.c_uint64.from_address((pointer or 0) + 8).value - 1).decode()

    def empty_environment(self) -> int:
        tag, (environment,) = raw(self._empty(0))  # trust level 0
        if tag != 0:
            raise RuntimeError("Lean made no empty environment")
        return self._to_kernel(environment)

    def immortal(self, pointer: int) -> int:
        if not pointer & 1:
            self._persist(pointer)
        return pointer

    def object(self, tag: int, fields: Sequence[int], scalars: bytes = b"") -> int:
        """A constructor object in memory of our own, with reference count 0 (never freed)."""
        if not fields and not scalars:
            return 2 * tag + 1
        size = 8 + 8 * len(fields) + (len(scalars) + 7) // 8 * 8
        buffer = C.create_string_buffer(size + 8)
        self._memory.append(buffer)
        address = (C.addressof(buffer) + 7) & ~7
        struct.pack_into("<IHBB", buffer, address - C.addressof(buffer), 0, size, len(fields), tag)
        C.memmove(address + 8, struct.pack(f"<{len(fields)}Q", *fields) + scalars, 8 * len(fields) + len(scalars))
        return address

    def list(self, items: Iterable[int]) -> int:
        out = 1
        for item in reversed(list(items)):
            out = self.object(1, (item, out))
        return out

    def nat(self, value: int) -> int:
        return 2 * value + 1 if value < 1 << 63 else self.immortal(self._bignum(digits(value).encode()))

    def string(self, text: str) -> int:
        data = text.encode()
        return self.immortal(self._string(data, len(data)))

    def name(self, prefix: int, last: str | int) -> int:
        make, value = (self._name[0], self.string(last)) if isinstance(last, str) else (self._name[1], self.nat(last))
        return self.immortal(make(prefix, value))


class Kernel:
    """A kernel environment that starts empty, and declarations of `env` as objects for it.

    `rename` maps names to other ones; the kernel finds the operations that it accelerates by name.
    """

    def __init__(self, lean: Lean, env: Environment, rename: dict[Name, Name] | None = None) -> None:
        self.lean, self.env, self.rename = lean, env, rename or {}
        self.names: dict[Name, int] = {(): ANONYMOUS}
        self.levels: dict[int, int] = {}
        self.terms: dict[int, int] = {}
        self.live = Live(env.intern)
        self.environment = lean.empty_environment()

    def raw_name(self, name: Name) -> int:
        if name not in self.names:
            self.names[name] = self.lean.name(self.raw_name(name[:-1]), name[-1])
        return self.names[name]

    def name(self, name: Name) -> int:
        return self.raw_name(self.rename.get(name, name))

    def name_list(self, names: Iterable[Name]) -> int:
        return self.lean.list([self.name(n) for n in names])

    def level(self, number: int) -> int:
        if number not in self.levels:
            node = self.env.nodes[number]
            tag, make = node[1], self.lean.levels
            if tag == ZERO:
                made = LEVEL_ZERO
            elif tag == PARAM:
                made = make[tag](self.raw_name(node[2]))
            else:
                made = make[tag](*map(self.level, node[2:]))
            self.levels[number] = self.lean.immortal(made)
        return self.levels[number]

    def term(self, number: int) -> int:
        nodes, memo, lean = self.env.nodes, self.terms, self.lean

        def make(at: int) -> int:
            node = nodes[at]
            tag = node[1]
            build = lean.terms[tag]
            if tag == BVAR:
                made = build(lean.nat(node[2]))
            elif tag == SORT:
                made = build(self.level(node[2]))
            elif tag == CONST:
                made = build(self.name(node[2]), lean.list([self.level(x) for x in node[3]]))
            elif tag == APP:
                made = build(memo[node[2]], memo[node[3]])
            elif tag in (LAM, PI):
                made = build(self.raw_name(node[2]), memo[node[3]], memo[node[4]], node[5])
            elif tag == LET:
                made = build(self.raw_name(node[2]), memo[node[3]], memo[node[4]], memo[node[5]], node[6])
            elif tag == LIT:
                number = isinstance(node[2], int)
                made = build(lean.object(0, (lean.nat(node[2]),)) if number else lean.object(1, (lean.string(node[2]),)))
            else:
                made = build(self.name(node[2]), lean.nat(node[3]), memo[node[4]])
            return lean.immortal(made)

        return self.env.fold(number, memo, make)

    def annotated(self, module: Module, pointer: int, memo: dict[int, int]) -> int:
        """The term at this address of a file, built with the annotations that are left out everywhere else."""
        stack = [pointer]
        while stack:
            at = stack[-1]
            if at in memo:
                stack.pop()
                continue
            if at not in module.annotated:
                memo[at] = self.term(module.terms[at])
                continue
            tag, fields = module.object(at, range(12), None)
            missing = [fields[i] for i in EXPR_CHILDREN[tag] if fields[i] not in memo]
            if missing:
                stack += missing
                continue
            build, node = self.lean.terms[tag], self.env.nodes[module.terms[at]]
            children = [memo[fields[i]] for i in EXPR_CHILDREN[tag]]
            if tag == MDATA:
                made = build(1, *children)  # no annotation in particular: the cached word does not depend on it
            elif tag == APP:
                made = build(*children)
            elif tag in (LAM, PI):
                made = build(self.raw_name(node[2]), *children, node[5])
            elif tag == LET:
                made = build(self.raw_name(node[2]), *children, node[6])
            else:
                made = build(self.name(node[2]), self.lean.nat(node[3]), *children)
            memo[at] = self.lean.immortal(made)
        return memo[pointer]

    def declaration(self, unit: tuple[Name, ...]) -> int:
        """The `Lean.Declaration` that adds this unit."""
        env, lean = self.env, self.lean
        c = env.constants[unit[0]]
        if c.kind == "quot":
            return lean.object(4, ())
        levels = lean.list([self.raw_name(x) for x in c.levels])
        if c.kind == "inductive":
            types = []
            for name in c.data["all"]:
                constructors = [lean.object(0, (self.name(k), self.term(env.constants[k].type))) for k in env.constants[name].data["constructors"]]
                types.append(lean.object(0, (self.name(name), self.term(env.constants[name].type), lean.list(constructors))))
            return lean.object(6, (levels, lean.nat(c.data["params"]), lean.list(types)), b"\0")
        head = lean.object(0, (self.name(c.name), levels, self.term(c.type)))
        if c.kind == "axiom":
            return lean.object(0, (lean.object(0, (head,), b"\0"),))
        if c.value is None:
            raise BadImage(f"{'.'.join(map(str, c.name))}: a {c.kind} without a value")
        body = self.term(c.value)
        mutual = self.name_list(c.data["all"])
        if c.kind == "theorem":
            return lean.object(2, (lean.object(0, (head, body, mutual)),))
        if c.kind == "opaque":
            return lean.object(3, (lean.object(0, (head, body, mutual), b"\0"),))
        hints = c.data["hints"]
        boxed = {"opaque": 1, "abbrev": 3}.get(hints) or lean.object(2, (), struct.pack("<I", hints))
        return lean.object(1, (lean.object(0, (head, body, boxed, mutual), b"\1"),))

    def _keep(self) -> None:
        """One more reference to the environment: a call consumes the one that it is given."""
        count = C.c_int32.from_address(self.environment)
        if count.value:
            count.value += 1 if count.value > 0 else -1

    def add(self, declaration: int) -> bool:
        """Whether the kernel accepts the declaration; if so, it is in the environment."""
        self._keep()
        tag, fields = raw(self.lean.add_decl(self.environment, 0, RECURSION, declaration, 1))
        if tag == 1:
            self.environment = fields[0]
        return tag == 1

    def lookup(self, name: Name) -> Constant | None:
        """What the kernel holds under this name."""
        self._keep()
        found = self.lean.find(self.environment, self.name(name))
        return None if found == 1 else self.live.constant(raw(found)[1][0])


def control(lean: Lean) -> bool:
    """The kernel accepts `∀ p : Prop, p → p` with its proof, and rejects `∀ p : Prop, p` with a wrong one.

    A library that accepts or rejects everything would make the replay worthless; this is asked at every run.
    """
    i = Interner()
    prop, p = i("term", SORT, i("level", ZERO)), ("p",)
    v0, v1 = i("term", BVAR, 0), i("term", BVAR, 1)
    good = i("term", PI, p, prop, i("term", PI, p, v0, v1, 0), 0), i("term", LAM, p, prop, i("term", LAM, p, v0, v0, 0), 0)
    bad = i("term", PI, p, prop, v0, 0), i("term", LAM, p, prop, v0, 0)
    answers = []
    for type_, value in (good, bad):
        kernel = Kernel(lean, Environment.of(i, {p: Constant(p, "theorem", (), type_, value, False, "", {"all": (p,)})}))
        answers.append(kernel.add(kernel.declaration((p,))))
    return answers == [True, False]

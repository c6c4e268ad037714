"""Have the Lean kernel check every declaration of the compiled spine again, from an empty environment.

    python -m gnosis.audits.replay --library LIB ROOT [MODULE…]
    python -m gnosis.audits.replay --library LIB --export FILE

A build is no proof check: `set_option debug.skipKernelTC true` passes it, and imported files are believed.  Here
every declaration is rebuilt node by node from what the reader found (so hashes and flags cached in the file count
for nothing) and given to `lean_add_decl` in dependency order.  Constructors and recursors are never given: the
kernel makes them, and what it made is compared with the file, field by field.  So is everything else, except that
a proof that was accepted is not read back.  The cached words are then compared with those of the rebuilt terms:
they prove nothing here, but Lean itself believes them when it imports the file.

With `--export` the declarations come from a file in the interchange format of `gnosis spine export` instead.

Run it in a process of its own: it loads Lean's library, and objects that it hands over are never freed.  The
kernel's error codes are read as accepted or rejected, nothing finer.  The exit code is 0 when every declaration
was accepted and file and kernel agree, 1 when not, 2 when a file cannot be read.  The result is JSON on stdout.
"""
from __future__ import annotations

import argparse
import ctypes as C
import gc
import json
import os
import resource
import struct
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ..spine.toolchain import Toolchain
from .environment import Environment
from .interchange import digits
from .olean import (APP, BVAR, CONST, EXPR_CHILDREN, LAM, LET, LIT, MDATA, PARAM, PI, SORT, ZERO,
                    BadImage, Constant, Interner, Module, Name, show)

STACK = 1 << 30      # bytes of C stack wanted; the kernel recurses on terms
LISTED = 20          # falsified words that are listed one by one
BASES = 0x7f0000000000  # below this Lean puts the base addresses of its files
RECURSION = 1 << 20  # the kernel's own limit on nested calls
ANONYMOUS = LEVEL_ZERO = 1  # boxed objects
TEXT: set[Name] = {("String", "ofList"), ("Char", "ofNat")}
PLAIN = "plain"      # prefix under which the accelerated operations are checked without acceleration


def library(lean: Toolchain) -> Path | None:
    """The shared library that holds this toolchain's kernel, or None when there is none."""
    if lean.library:
        return lean.library
    run = subprocess.run([lean.command[0], "--print-prefix"], capture_output=True, text=True)
    return next(iter(sorted(Path(run.stdout.strip(), "lib", "lean").glob("libleanshared.*"))), None)


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

    def __init__(self, intern: Interner) -> None:
        self._start("kernel", intern)
        self.memory = Live.Memory()
        self.memory.words, self.memory.data = Live.Words(), Live.Bytes()

    def locate(self, pointer: int, words: int = 1) -> tuple:
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

        def function(name: str, *arguments: type) -> C._CFuncPtr:
            f = getattr(lib, name)
            f.restype, f.argtypes = obj, list(arguments)
            return f

        self._string = function("lean_mk_string_from_bytes", C.c_char_p, C.c_size_t)
        self._bignum = function("lean_cstr_to_nat", C.c_char_p)
        self._name = function("lean_name_mk_string", obj, obj), function("lean_name_mk_numeral", obj, obj)
        self.levels = (None, function("lean_level_mk_succ", obj), function("lean_level_mk_max", obj, obj),
                       function("lean_level_mk_imax", obj, obj), function("lean_level_mk_param", obj))
        shapes = (("bvar", obj), ("fvar", obj), ("mvar", obj), ("sort", obj), ("const", obj, obj), ("app", obj, obj),
                  ("lambda", obj, obj, obj, C.c_uint8), ("forall", obj, obj, obj, C.c_uint8), ("let", obj, obj, obj, obj, C.c_uint8),
                  ("lit", obj), ("mdata", obj, obj), ("proj", obj, obj, obj))
        self.terms = [function("lean_expr_mk_" + name, *arguments) for name, *arguments in shapes]
        # environment, heartbeats (0: no limit), recursion depth, declaration, cancel token
        self.add_decl = function("lean_add_decl", obj, C.c_size_t, C.c_size_t, obj, obj)
        self.version, self.githash = (self._text(C.c_void_p.in_dll(lib, f"l_Lean_{what}").value) for what in ("versionString", "githash"))
        self.find = function("lean_environment_find", obj, obj)
        self._empty = function("l_Lean_mkEmptyEnvironment", C.c_uint32)
        self._to_kernel = function("lean_elab_environment_to_kernel_env", obj)
        self._persist = lib.lean_mark_persistent
        self._persist.restype, self._persist.argtypes = None, [obj]
        self._memory: list[C.Array] = []

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
        return self.env.fold(number, memo, make)  # type: ignore[return-value]

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


QUOTIENT: tuple[Name, ...] = (("Quot",), ("Quot", "mk"), ("Quot", "lift"), ("Quot", "ind"))


def families(env: Environment) -> None:
    """Raise BadImage when types, constructors and recursors do not name each other as one family, or the quotient lacks a part."""
    def kind(name: Name) -> str:
        return env.constants[name].kind

    for name, c in env.constants.items():
        if c.kind in ("inductive", "recursor"):
            family = c.data["all"]
            if not family or any(kind(t) != "inductive" or env.constants[t].data["all"] != family for t in family) \
                    or (c.kind == "inductive" and name not in family):
                raise BadImage(f"{show(name)} names {', '.join(map(show, family)) or 'nothing'} as its family of types, and they do not agree")
        if c.kind == "inductive":
            for constructor in c.data["constructors"]:
                if kind(constructor) != "constructor" or env.constants[constructor].data["inductive"] != name:
                    raise BadImage(f"{show(name)} names {show(constructor)} as a constructor, which is none of its own")
        elif c.kind == "constructor":
            of = c.data["inductive"]
            if kind(of) != "inductive" or name not in env.constants[of].data["constructors"]:
                raise BadImage(f"{show(name)} names {show(of)} as its type, which does not list it")
        elif c.kind == "quot":
            missing = [n for n in (*QUOTIENT, ("Eq",)) if n not in env.constants]
            if missing:
                raise BadImage(f"{show(name)} is declared as a part of the quotient, and {show(missing[0])} is absent")


def unit_of(env: Environment) -> dict[Name, tuple[Name, ...]]:
    """For every constant what it is declared together with: an inductive family, the quotient, or itself.

    Unsafe constants are left out: no safe declaration can refer to them.
    """
    unit: dict[Name, tuple[Name, ...]] = {}
    for name, c in env.constants.items():
        if c.unsafe:
            continue
        if c.kind == "inductive" or c.kind == "recursor":
            unit[name] = c.data["all"]
        elif c.kind == "constructor":
            unit[name] = env.constants[c.data["inductive"]].data["all"]
        elif c.kind == "quot":
            unit[name] = QUOTIENT
        else:
            unit[name] = (name,)
    return unit


def units(env: Environment, wanted: Iterable[Name]) -> list[tuple[Name, ...]]:
    """The units of `wanted` and of all that they rest on, in dependency order."""
    unit = unit_of(env)
    members: dict[tuple[Name, ...], list[Name]] = {}
    for name, u in unit.items():
        members.setdefault(u, []).append(name)

    def needs(u: tuple[Name, ...]) -> Iterator[tuple[Name, ...]]:
        names: set[Name] = {("Eq",)} if u[0] == ("Quot",) else set()
        for name in members[u]:
            c = env.constants[name]
            names |= env.used(c.type)
            if c.value is not None:
                names |= env.used(c.value)
            if env.has_text(c.type) or (c.value is not None and env.has_text(c.value)):
                names |= TEXT  # the kernel unfolds text literals with these
        return iter(sorted({unit[n] for n in names if n in unit and unit[n] != u}, key=repr))

    order: list[tuple[Name, ...]] = []
    done: dict[tuple[Name, ...], bool] = {}
    for start in dict.fromkeys(unit[n] for n in wanted if n in unit):
        if start in done:
            continue
        done[start] = False
        stack = [(start, needs(start))]
        while stack:
            u, rest = stack[-1]
            for other in rest:
                if other not in done:
                    done[other] = False
                    stack.append((other, needs(other)))
                    break
                if not done[other]:
                    raise BadImage(f"{show(u[0])} and {show(other[0])} depend on each other")
            else:
                done[u] = True
                order.append(u)
                stack.pop()
    return order


def add_all(kernel: Kernel, order: list[tuple[Name, ...]]) -> tuple[list[tuple[Name, ...]], dict[Name, float]]:
    """Give the units to the kernel.  Returns those that it rejects, and the processor seconds that each took."""
    rejected, seconds = [], {}
    for unit in order:
        start = time.process_time()
        if not kernel.add(kernel.declaration(unit)):
            rejected.append(unit)
        seconds[unit[0]] = time.process_time() - start
    return rejected, seconds


def roots(env: Environment, rejected: list[tuple[Name, ...]]) -> list[Name]:
    """The rejected declarations that do not merely rest on another rejected one."""
    unit, bad = unit_of(env), set(rejected)
    members: dict[tuple[Name, ...], list[Name]] = {}
    for name, u in unit.items():
        members.setdefault(u, []).append(name)
    return [u[0] for u in rejected
            if not any(unit.get(other) in bad and unit[other] != u for name in members[u] for other in env.refs(name))]


def differences(env: Environment, kernel: Kernel, rejected: list[tuple[Name, ...]]) -> list[tuple[Name, str]]:
    """Constants whose fields in the file are not those that the kernel holds; rejected ones are left out, and so are
    the proofs of theorems."""
    out, skip = [], set(rejected)
    for name, u in unit_of(env).items():
        if u in skip:
            continue
        held = kernel.lookup(name)
        if held is None:
            out.append((name, "absent from the kernel"))
            continue
        c = env.constants[name]
        if c.kind == held.kind == "theorem":
            held.value = c.value
        if env.fields(c, int) == env.fields(held, int):  # the same nodes of the one table
            continue
        here, there = env.fields(c), env.fields(held)
        out += [(name, key) for key in here if here[key] != there.get(key)]
    # constants that the file calls unsafe were not given to the kernel, which can hold none of them
    out += [(name, "unsafe") for name, c in env.constants.items() if c.unsafe and kernel.lookup(name)]
    return out


def borrowed(env: Environment) -> list[tuple[Name, Name]]:
    """Safe declarations that refer to unsafe ones, each with one of those."""
    return [(name, min(bad, key=repr)) for name, c in env.constants.items()
            if not c.unsafe and (bad := {n for n in env.refs(name) if env.constants[n].unsafe})]


def falsified(env: Environment, kernel: Kernel) -> tuple[int, list[dict[str, str]]]:
    """The number of cached words that were compared with those of the objects that Lean makes, and those that differ.

    Lean keeps with every name, level and term a word with its hash, and for terms also the depth and whether there are
    loose or free variables.  The base address of a file comes from the hash of the name of its module.
    """
    compared, wrong = 0, []

    def word(pointer: int, index: int) -> int:
        return C.c_uint64.from_address(pointer + 8 * (index + 1)).value

    for name, module in env.modules.items():
        own = word(kernel.raw_name(tuple(name.split("."))), 2) % BASES & ~0xFFFF
        compared += 1
        if module.parts[0].base != own:
            wrong.append({"module": name, "what": "base address", "found": hex(module.parts[0].base), "wanted": hex(own)})
        annotated: dict[int, int] = {}
        for what, pointers, built in (
            ("name", module.names, lambda at, _m=module: kernel.raw_name(_m.names[at])),
            ("level", module.levels, lambda at, _m=module: kernel.level(_m.levels[at])),
            ("term", module.terms, lambda at, _m=module, _memo=annotated: kernel.annotated(_m, at, _memo)),
        ):
            for at in pointers:
                if at & 1:
                    continue
                part, k = module.locate(at)
                fields = part.words[k] >> 48 & 255
                found, wanted = part.words[k + 1 + fields], word(built(at), fields)
                compared += 1
                if found != wanted:
                    wrong.append({"module": name, "what": f"cached word of a {what} at {at - part.base:#x}", "found": hex(found), "wanted": hex(wanted)})
    return compared, wrong


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


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m gnosis.audits.replay", description="Check compiled modules with the Lean kernel.")
    parser.add_argument("--library", type=Path, help="libleanshared of the Lean to use (default: the Lean that `gnosis spine build` uses)")
    parser.add_argument("--manifest", type=Path, help="JSON object: module to SHA-256 that its compiled file must have")
    parser.add_argument("--plain", nargs="*", default=[], metavar="NAME", help="theorems to check once more with the accelerated operations renamed")
    parser.add_argument("--export", type=Path, metavar="FILE", help="take the declarations from a file that `gnosis spine export` wrote")
    parser.add_argument("root", type=Path, nargs="?", help="folder of the compiled modules")
    parser.add_argument("modules", nargs="*", help="modules to check, with what they import (default: all below the folder)")
    arguments = parser.parse_args(argv)
    if (arguments.root is None) == (arguments.export is None):
        parser.error("either a folder of compiled modules or --export FILE")
    # the stack of the main thread is as large as the limit was when the process started
    soft, hard = resource.getrlimit(resource.RLIMIT_STACK)
    want = STACK if hard == resource.RLIM_INFINITY else min(STACK, hard)
    if soft != resource.RLIM_INFINITY and soft < want:
        try:
            resource.setrlimit(resource.RLIMIT_STACK, (want, hard))
        except (ValueError, OSError):  # some systems refuse; the smaller stack can only lead to a rejection
            pass
        else:
            os.execv(sys.executable, [sys.executable, "-m", "gnosis.audits.replay", *(sys.argv[1:] if argv is None else argv)])
    gc.disable()  # nothing is thrown away before the end
    try:
        result = run(arguments)
    except (BadImage, OSError) as error:
        print(json.dumps({"ok": False, "error": str(error)}, ensure_ascii=False))
        return 2
    print(json.dumps(result, ensure_ascii=False))
    return 0 if result["ok"] else 1


def run(arguments: argparse.Namespace) -> dict:
    from ..spine import toolchain
    from . import interchange
    from .accelerated import NAMES

    root, path = arguments.root, arguments.library or library(toolchain.find())
    if path is None:
        raise OSError("this Lean has no libleanshared to check with")
    clock = [time.process_time()]
    if arguments.export:
        env = interchange.read(arguments.export).environment
    else:
        env = Environment(root, arguments.modules or sorted(".".join(p.relative_to(root).with_suffix("").parts) for p in root.rglob("*.olean")))
    manifest = json.loads(arguments.manifest.read_text()) if arguments.manifest else {}
    for name, module in env.modules.items():
        if arguments.manifest and manifest.get(name) != module.parts[0].sha256:
            raise BadImage(f"{name}: the compiled file is not the one that the build recorded")
    families(env)
    clock.append(time.process_time())
    lean = Lean(path)
    for name, module in env.modules.items():
        if (module.parts[0].version, module.parts[0].githash) != (lean.version, lean.githash):
            raise BadImage(f"{name}: compiled by Lean {module.parts[0].version} (commit {module.parts[0].githash[:12]}), "
                           f"and the kernel is that of Lean {lean.version} (commit {lean.githash[:12]})")
    controlled = control(lean)
    kernel = Kernel(lean, env)
    order = units(env, env.constants)
    rejected, cost = add_all(kernel, order)
    clock.append(time.process_time())
    different = differences(env, kernel, rejected)
    clock.append(time.process_time())
    words, wrong = falsified(env, kernel)
    clock.append(time.process_time())
    plain_kernel = Kernel(lean, env, {n: (PLAIN, *n) for n in NAMES})
    texts = {show(n): n for n in env.constants} if arguments.plain else {}
    plain_order = units(env, [texts[t] for t in arguments.plain if t in texts])
    plain_rejected, _ = add_all(plain_kernel, plain_order)
    clock.append(time.process_time())
    absent = [t for t in arguments.plain if t not in texts]
    seconds = [round(b - a, 3) for a, b in zip(clock, clock[1:], strict=False)]
    return {
        # processor seconds, which other work on the machine does not lengthen
        "ok": controlled and not (rejected or different or wrong or plain_rejected or absent),
        "control": controlled, "modules": len(env.modules), "constants": len(env.constants), "units": len(order),
        "accepted": len(order) - len(rejected), "rejected": [show(n) for n in roots(env, rejected)], "rejected_units": len(rejected),
        "compared": sum(not c.unsafe for c in env.constants.values()),
        "differences": [{"name": show(n), "field": what} for n, what in different],
        "words": words, "falsified": wrong[:LISTED], "falsified_words": len(wrong),
        "borrowed": [{"name": show(n), "unsafe": show(other)} for n, other in borrowed(env)],
        "axioms": sorted(show(n) for n, c in env.constants.items() if c.kind == "axiom" and not c.unsafe),
        "unsafe": sorted(show(n) for n, c in env.constants.items() if c.unsafe),
        "plain": {"theorems": len(arguments.plain), "units": len(plain_order), "rejected": [show(n) for n in roots(env, plain_rejected)],
                  "absent": absent},
        "slowest": [{"name": show(n), "seconds": round(cost[n], 3)} for n in sorted(cost, key=lambda n: -cost[n])[:5]],
        "seconds": dict(zip(("read", "check", "compare", "words", "plain"), seconds, strict=True)),
    }


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # without Lean's own tear-down, which would walk over objects that are ours

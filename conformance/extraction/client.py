"""libgnosis from Python: any decision by words, by JSON and by its typed call."""

from __future__ import annotations

import ctypes
import json
import struct
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..oracle.decisions import DECISIONS, check
from ..oracle.interpreter import OracleError, Refusal
from .generate import VERSION, signature, snake

CODES = {-1: "memory", -2: "malformed", -3: "wide", -4: "room", -5: "stack", -6: "work", -7: "leak"}
MEMORY = 1 << 24  # bytes that a context is lent
ROOM = 1 << 14  # words of a result at first; more are asked for when it needs them


class Failed(OracleError):
    """A call that ended with a code.  code: its name; the message is the library's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code, self.message = code, message


def _number(x: int) -> list[int]:
    n = (x.bit_length() + 63) // 64
    return [n << 1 | (x < 0), *struct.unpack(f"<{n}Q", abs(x).to_bytes(8 * n, "little"))]


def _vector(values: Sequence[int], count: bool = True) -> list[int]:
    head = [len(values)] if count else []
    if all(-(2**63) <= x < 2**63 for x in values):
        return head + [0] + [x & 2**64 - 1 for x in values]
    return head + [1] + [w for x in values for w in _number(x)]


def words(takes: str, args: Sequence[Any]) -> list[int]:
    """The arguments of a decision as the words of `gnosis_call`."""
    out: list[int] = []
    for kind, x in zip(takes, args, strict=True):
        flat = [v for part in x for v in part] if kind in "LMPT" else []
        match kind:
            case "i" | "n":
                out += _vector([x], False)
            case "I" | "N":
                out += _vector(x)
            case "B":
                out += [len(x), *map(int, x)]
            case "L":
                out += [len(x), *map(len, x), *_vector(flat)]
            case "M":
                out += [len(x), *map(len, x), len(flat), *map(int, flat)]
            case _:
                out += _vector(flat)
    return out


class _Reader:
    def __init__(self, data: Sequence[int]) -> None:
        self.data, self.at = data, 0

    def word(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self) -> int:
        if not self.word():
            x = self.word()
            return x - 2**64 if x >> 63 else x
        head = self.word()
        x = sum(self.word() << 64 * i for i in range(head >> 1))
        return -x if head & 1 else x

    def value(self, kind: str) -> Any:
        match kind:
            case "b":
                return bool(self.word())
            case "i" | "n":
                return self.number()
            case "o":
                return self.number() if self.word() else None
            case "p":
                return self.number(), self.number()
        return [self.value({"I": "i", "N": "n", "B": "b", "P": "p"}[kind]) for _ in range(self.word())]


class Library:
    """libgnosis, with a context of its own.

    path: the shared library.  memory: bytes that the context is lent.  stack, work: the limits of a call, as `gnosis_limits` takes them.
    Raises OracleError for a library of another version or with other decisions.
    """

    def __init__(self, path: Path | str, memory: int = MEMORY, stack: int = 4 << 20, work: int = 1 << 30) -> None:
        c = self.c = ctypes.CDLL(str(path))
        size, pointer = ctypes.c_size_t, ctypes.c_void_p
        for name, gives, takes in (
            ("version", ctypes.c_uint32, []),
            ("open", pointer, [pointer, size]),
            ("limits", None, [pointer, size, ctypes.c_uint64]),
            ("code", ctypes.c_int64, [pointer]),
            ("message", ctypes.c_char_p, [pointer]),
            ("peak", ctypes.c_uint64, [pointer]),
            ("count", ctypes.c_uint32, []),
            ("find", ctypes.c_int32, [ctypes.c_char_p]),
            ("takes", ctypes.c_char_p, [ctypes.c_uint32]),
            ("gives", ctypes.c_char, [ctypes.c_uint32]),
            ("call", ctypes.c_int64, [pointer, ctypes.c_uint32, pointer, size, pointer, size]),
            ("decide", ctypes.c_int64, [pointer, ctypes.c_char_p, size, pointer, size]),
        ):
            function = getattr(c, f"gnosis_{name}")
            function.restype, function.argtypes = gives, takes
        if c.gnosis_version() != VERSION:
            raise OracleError(f"{path}: version {c.gnosis_version()} of the interface; this needs {VERSION}")
        self.memory = ctypes.create_string_buffer(memory)
        self.context = c.gnosis_open(self.memory, memory)
        if not self.context:
            raise OracleError(f"memory = {memory} bytes: too little for a context")
        c.gnosis_limits(self.context, stack, work)
        self.about: dict[str, tuple[int, str, str]] = {}
        for name in DECISIONS:
            which, (takes_, _, gives_, _) = c.gnosis_find(name.encode()), signature(name)
            if which < 0 or (c.gnosis_takes(which).decode(), c.gnosis_gives(which).decode()) != (takes_, gives_):
                raise OracleError(f"{path} has no {name} that takes {takes_} and gives {gives_}")
            self.about[name] = which, takes_, gives_

    def _failed(self, code: int) -> Failed:
        return Failed(CODES[code], self.c.gnosis_message(self.context).decode())

    def call(self, decision: str, args: Sequence[Any]) -> Any:
        """The decision on `args`, numbers of any size, by words.  Raises Failed, BadRequest for arguments that do not fit."""
        check(decision, args)
        which, takes, gives = self.about[decision]
        return _Reader(self.raw(which, words(takes, args))).value(gives)

    def raw(self, which: int, given: Sequence[int]) -> Sequence[int]:
        """The words of a result.  Raises Failed."""
        data = array("Q", given)
        room = ROOM
        while True:
            out = (ctypes.c_uint64 * room)()
            got = self.c.gnosis_call(self.context, which, data.buffer_info()[0], len(data), out, room)
            if got < 0:
                raise self._failed(got)
            if got <= room:
                return out[:got]
            room = got

    def json(self, line: bytes) -> bytes:
        """The answer to one request in JSON."""
        room = 4096
        while True:
            out = ctypes.create_string_buffer(room)
            got = int(self.c.gnosis_decide(self.context, line, len(line), out, room))
            if got < 0:
                raise self._failed(got)
            if got <= room:
                return out.raw[:got]
            room = got

    def by_json(self, decision: str, args: Sequence[Any]) -> Any:
        """The decision by JSON; a Refusal where the answer is an error."""
        answer = json.loads(self.json(json.dumps({"v": 1, "id": 1, "decision": decision, "args": args}).encode()))
        return Refusal(answer["error"]) if "error" in answer else answer["result"]

    def typed(self, decision: str, args: Sequence[Any], room: int = ROOM) -> Any:
        """The decision by its typed call.  Raises Failed, OverflowError where an argument is no int64_t."""
        _, takes, gives = self.about[decision]
        function = getattr(self.c, f"gnosis_{snake(decision)}")
        function.restype = ctypes.c_int64
        given: list[Any] = [ctypes.c_void_p(self.context)]

        def ints(values: Sequence[int]) -> Any:
            return (ctypes.c_int64 * len(values)).from_buffer(array("q", values)) if values else None

        for kind, x in zip(takes, args, strict=True):
            size = ctypes.c_size_t(len(x)) if kind not in "in" else None
            flat = [v for part in x for v in part] if kind in "LMPT" else []
            lengths = (ctypes.c_size_t * len(x))(*map(len, x)) if kind in "LM" else None
            match kind:
                case "i" | "n":
                    given.append(ctypes.c_int64(array("q", [x])[0]))
                case "I" | "N":
                    given += [ints(x), size]
                case "B":
                    given += [bytes(x), size]
                case "L":
                    given += [ints(flat), lengths, size]
                case "M":
                    given += [bytes(flat), lengths, size]
                case _:
                    given += [ints(flat), size]
        out = (ctypes.c_int64 * room)()
        given += {"b": []}.get(gives, [out] if gives in "ino" else [out, ctypes.c_size_t(room)])
        got = function(*given)
        if got < 0:
            raise self._failed(got)
        match gives:
            case "b":
                return bool(got)
            case "i" | "n":
                return out[0]
            case "o":
                return out[0] if got else None
            case "P":
                return [(out[2 * i], out[2 * i + 1]) for i in range(got)]
            case "B":
                return [bool(x) for x in out[:got]]
        return out[:got]

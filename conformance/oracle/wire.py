"""Requests to the compiled oracle and its answers, as bytes."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .decisions import BOOL, BOOL_LISTS, BOOLS, DECISIONS, INT, INT_LISTS, INTS, MAYBE_INT, NAT, NATS, PAIRS, TRIPLES

_DIGITS = 10**4300  # as in `decisions.check`


class Unfit(Exception):
    """Arguments that do not fit; `decisions.check` says why."""


_ONLY = {int: frozenset({int}), bool: frozenset({bool})}


def _entries(value: Any, kind: type) -> Any:
    if type(value) not in (list, tuple) or not _ONLY[kind].issuperset(map(type, value)):
        raise Unfit
    return value


def _big(x: int) -> bytes:
    """A number as limbs of 64 bits."""
    if not -_DIGITS < x < _DIGITS:
        raise Unfit
    limbs = (x.bit_length() + 63) // 64
    return struct.pack("<I", limbs << 1 | (x < 0)) + abs(x).to_bytes(8 * limbs, "little")


def _integers(value: Sequence[int]) -> bytes:
    try:
        return struct.pack("<II", len(value), 0) + array("q", value).tobytes()
    except OverflowError:
        return struct.pack("<II", len(value), 1) + b"".join(map(_big, value))


def _ints(value: Any) -> bytes:
    return _integers(_entries(value, int))


def _nats(value: Any) -> bytes:
    if _entries(value, int) and min(value) < 0:
        raise Unfit
    return _integers(value)


def _bools(value: Any) -> bytes:
    return struct.pack("<I", len(_entries(value, bool))) + bytes(value)


def _nested(flat: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
    def run(value: Any) -> bytes:
        if type(value) not in (list, tuple) or not {list, tuple}.issuperset(map(type, value)):
            raise Unfit
        return _integers([len(v) for v in value]) + flat([x for v in value for x in v])

    return run


def _tuples(size: int) -> Callable[[Any], bytes]:
    def run(value: Any) -> bytes:
        if type(value) not in (list, tuple) or any(type(v) not in (list, tuple) or len(v) != size for v in value):
            raise Unfit
        return _nats([x for v in value for x in v])

    return run


_WRITE = {INTS: _ints, NATS: _nats, BOOLS: _bools, INT_LISTS: _nested(_ints), BOOL_LISTS: _nested(_bools), PAIRS: _tuples(2), TRIPLES: _tuples(3)}


def writer(decision: str) -> Callable[[Any], bytes]:
    """How the arguments of a decision are written.  The function raises Unfit."""
    kinds = [kind for _, kind in DECISIONS[decision]]
    scalars = [i for i, kind in enumerate(kinds) if kind in (INT, NAT)]
    naturals = [i for i, kind in enumerate(kinds) if kind == NAT]
    others = [(i, _WRITE[kind]) for i, kind in enumerate(kinds) if kind in _WRITE]

    def run(args: Any) -> bytes:
        if type(args) not in (list, tuple) or len(args) != len(kinds):
            raise Unfit
        text = _ints([args[i] for i in scalars]) if scalars else b""
        for i in naturals:
            if args[i] < 0:
                raise Unfit
        for i, write in others:
            text += write(args[i])
        return text

    return run


def _numbers(data: bytes, at: int, count: int) -> tuple[list[int], int]:
    """`count` numbers of 32-bit limbs, and where they end."""
    out = []
    for _ in range(count):
        head = int.from_bytes(data[at : at + 4], "little")
        end = at + 4 + 4 * (head >> 1)
        x = int.from_bytes(data[at + 4 : end], "little")
        out.append(-x if head & 1 else x)
        at = end
    return out, at


def results(kind: str, data: bytes, count: int) -> list[Any]:
    """The results of a request.  Raises ValueError when the bytes are something else."""
    out: list[Any] = []
    at = count if kind == BOOL else 0
    if kind == BOOL:
        out = list(map((False, True).__getitem__, data))
    elif kind in (INT, NAT):
        out, at = _numbers(data, 0, count)
    else:
        for _ in range(count):
            if kind == MAYBE_INT:
                some, at = data[at], at + 1
                found, at = _numbers(data, at, some)
                out.append(found[0] if some else None)
                continue
            entries: list[Any]
            n, at = int.from_bytes(data[at : at + 4], "little"), at + 4
            if kind == BOOLS:
                entries, at = list(map((False, True).__getitem__, data[at : at + n])), at + n
            else:
                entries, at = _numbers(data, at, 2 * n if kind == PAIRS else n)
                if kind == PAIRS:
                    entries = [[a, b] for a, b in zip(entries[::2], entries[1::2])]
            out.append(entries)
    if at != len(data) or len(out) != count:
        raise ValueError(f"{len(data)} bytes for {count} results")
    return out


def answers(stream: Any) -> Iterator[bytes]:
    """The answers in the output of the process, each with its head."""
    while len(head := stream.read(24)) == 24:
        body = stream.read(int.from_bytes(head[16:], "little"))
        yield head + body

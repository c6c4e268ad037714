"""Records in files: what was written is read, and a record of which any line was dropped, doubled, exchanged or edited is refused.

Edits of two kinds: those that leave the chain of hashes as it is, and those that link every later line anew, which only the
arithmetic behind a record can see.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from ...errors import ArgumentError
from ...files import chain, grammar
from ...gates.cumloss import Bet, ChargeGate
from ...inference import CertifiedHead, record
from ...inference.reference import Reference
from ...lm.weights import Weight
from ...risk import accounts
from ..running.checks import Check, Result


def _account(folder: Path) -> bytes:
    path = folder / "account"
    with accounts.DurableAccount.create(path, ChargeGate(Bet(20, 11, 10), "0.1"), 4) as account:
        for u in (1, 3):
            if account.propose(Fraction(u, 20)).admit:
                account.settle(Fraction(u, 40))
                account.report(Fraction(u, 80))
    return path.read_bytes()


def _reads_account(content: bytes) -> bool:
    return accounts.replay(content)[1] is None


@lru_cache(maxsize=1)
def _head() -> tuple[CertifiedHead, Reference, np.ndarray]:
    rng = np.random.default_rng(1)
    raw = rng.integers(0, 256, (8, 2, 34), np.uint8)
    raw[..., :2] = np.array([0x2C00], "<u2").view(np.uint8)
    weight = Weight("w", "Q8_0", raw.reshape(8, 68), 64)
    return CertifiedHead(weight), Reference(weight), rng.standard_normal((3, 64)).astype(np.float32)


def _decisions(folder: Path) -> bytes:
    head, _, hidden = _head()
    path = folder / "head"
    if record.write(path, head, "model", "ab", [(head.decide(a), a) for a in hidden]) != len(hidden):
        return b""
    return path.read_bytes()


def _reads_decisions(content: bytes) -> bool:
    head, reference, hidden = _head()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "head"
        path.write_bytes(content)
        return record.replay(path, head, "ab", reference) == len(hidden)


KINDS: dict[str, tuple[Callable[[Path], bytes], Callable[[bytes], bool]]] = {"account": (_account, _reads_account), "head": (_decisions, _reads_decisions)}


@lru_cache(maxsize=2)
def _written(kind: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return KINDS[kind][0](Path(folder))


def _refused(kind: str, content: bytes) -> bool:
    try:
        return not KINDS[kind][1](content)
    except ArgumentError:
        return True


def _run_lines(kind: str) -> Result:
    """Every line dropped, doubled, emptied, cut off and exchanged with every other.  An account may end after any line; `checkpoint` is for that."""
    content = _written(kind)
    if _refused(kind, content):
        return Result(1, "what was written is refused")
    lines = content.splitlines(keepends=True)
    n = len(lines)
    changed = (
        [lines[:i] + lines[i + 1 :] for i in range(n - (kind == "account"))]
        + [lines[: i + 1] + lines[i:] for i in range(n)]
        + [[*lines[:i], b"\n", *lines[i:]] for i in range(n)]
    )
    changed += [[lines[j if k == i else i if k == j else k] for k in range(n)] for i in range(n) for j in range(i)] + [
        [],
        lines + lines,
        [*lines[:-1], lines[-1][:-1]],
    ]
    last, other = chain.START, []  # a record of another format, with a chain of its own
    for line in lines:
        fields = json.loads(line)
        del fields["chain"]
        text, last = chain.write(last, fields | ({"format": "other"} if "format" in fields else {}))
        other.append(text)
    changed.append(other)
    for one in changed:
        if not _refused(kind, b"".join(one)):
            return Result(len(changed), f"{b''.join(one)[:200]!r} is taken")
    return Result(len(changed), refused=len(changed))


def _edits(kind: str) -> list[tuple[int, str]]:
    """Every field of every line."""
    return [(i, name) for i, line in enumerate(_written(kind).splitlines()) for name in json.loads(line) if name != "chain"]


# what was asked for: with new hashes another value of it may make another good record
_GIVEN = {"account": {"N", "p", "q", "delta", "budget", "units", "loss"}, "head": {"name"}}


def _field_case(rng: Random) -> tuple[Any, ...]:
    kind, linked = rng.choice(("account", "head")), rng.random() < 0.6
    number, name = rng.choice(_edits(kind))
    change = rng.choice(("other", "type", "gone", "more"))
    return kind, number, name, "type" if change == "other" and linked and name in _GIVEN[kind] else change, linked


def _other(value: object, kind: str) -> object:
    """Another value, or the same in another type."""
    if kind == "type":
        return float(value) if type(value) is int else [value]
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    return value + 1 if type(value) is int else value * 0.5 + 1 if isinstance(value, float) else not value


def _run_field(kind: str, number: int, name: str, change: str, linked: bool) -> Result:
    """One field of one line changed, with the old hashes or with new ones."""
    last, out = chain.START, []
    for i, line in enumerate(_written(kind).splitlines()):
        fields = json.loads(line)
        old = fields.pop("chain")
        if i == number:
            if change == "gone":
                fields.pop(name)
            elif change == "more":
                fields["more"] = 1
            else:
                fields[name] = _other(fields[name], change)
        text, last = chain.write(last, fields)
        out.append(text if linked else chain.split(text[:-1])[0] + b',"chain":"%b"}\n' % old.encode())
    taken = not _refused(kind, b"".join(out))
    return Result(1, f"line {number + 1} is taken: {change} {name}" if taken else None, refused=1)


def _run_types(kind: str) -> Result:
    """Every field of every line in another type, with new hashes: 2.0 is not the version 2."""
    edits = _edits(kind)
    for number, name in edits:
        found = _run_field(kind, number, name, "type", True)
        if found.fault:
            return Result(len(edits), found.fault)
    return Result(len(edits), refused=len(edits))


def _chain_case(rng: Random) -> tuple[Any, ...]:
    return rng.choice(("a", "é", "7")), rng.choice((0, 9, 1.5, True, None)), rng.randrange(1 << 20)


def _run_chain(text: str, value: object, seed: int) -> Result:
    """A line that follows another: any one byte of it changed, or another line before it, and it is refused."""
    first, link = chain.write(chain.START, {"text": text})
    line, last = chain.write(link, {"text": text, "value": value})
    if chain.read(link, line[:-1], "line") != ({"text": text, "value": value}, last):
        return Result(1, "what was written is refused")
    rng = Random(seed)
    changed = [
        (chain.START, line[:-1]),
        (last, line[:-1]),
        *((link, line[:i] + bytes([line[i] ^ 1 << rng.randrange(8)]) + line[i + 1 : -1]) for i in range(len(line) - 1)),
    ]
    for before, one in changed:
        try:
            chain.read(before, one, "line")
        except ArgumentError:
            continue
        return Result(len(changed), f"{one!r} is taken")
    return Result(len(changed), refused=len(changed))


_ODD: tuple[tuple[Callable[..., object], object], ...] = (
    *((grammar.count, x) for x in (True, 1.0, "1", -1, 1 << 63, None)),
    *((grammar.integer, x) for x in ("+1", "-0", "01", "1.0", "1e3", "1_0", " 1", "٣", 1, "")),
    *((grammar.fraction, x) for x in ("2/4", "4/2", "3/1", "0/1", "1/-2", "1/0", "0.5", "+1/2", "٣/٤", 0.5)),
    *((grammar.decimal, x) for x in ("+1", ".5", "1.", "1e3", "01", "-1", 1)),
    *((grammar.hex_float, x) for x in ("1.5", "0x1p+0", "0x1.8p+0", "0x1.0000000000000p+00", "inf", "0x1.0000000000000p+1024")),
    *((grammar.number_of, x) for x in ("2/4", "4/2^1", "-0", "1/1", "0x10", "1/2^0", 1)),
    *((grammar.text, x) for x in ("", "a" * 501, 1)),
    *((grammar.sha256, x) for x in ("0" * 63, "A" * 64, 1)),
)
_GOOD: tuple[tuple[Callable[..., object], object], ...] = (
    (grammar.count, 0),
    (grammar.count, (1 << 63) - 1),
    (grammar.integer, "-3"),
    (grammar.fraction, "-3/4"),
    (grammar.decimal, "0.50"),
    (grammar.hex_float, "-0x1.8000000000000p+0"),
    (grammar.number_of, "3/2^2"),
    (grammar.number_of, "2/3"),
    (grammar.text, "a" * 500),
    (grammar.sha256, "0" * 64),
)


def _run_grammar(seed: int) -> Result:
    """Every number has one way of being written."""
    for call, value in _GOOD:
        call(value, "x")
    for call, value in _ODD:
        try:
            call(value, "x")
        except ArgumentError as error:
            if error.argument == "x":
                continue
        return Result(len(_ODD), f"{call.__name__} takes {value!r}, or names another argument")
    return Result(len(_ODD) + len(_GOOD), refused=len(_ODD))


CHECKS = (
    Check("records, chain", _chain_case, _run_chain, batch=4),
    Check("records, grammar", lambda rng: (rng.randrange(9),), _run_grammar, batch=1),
    Check("records, lines", lambda rng: (rng.choice(("account", "head")),), _run_lines, batch=2),
    Check("records, types", lambda rng: (rng.choice(("account", "head")),), _run_types, batch=2),
    Check("records, fields", _field_case, _run_field, batch=32),
)

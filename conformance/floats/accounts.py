"""A durable account on a disk that forgets whatever was not written through: after every answer the disk holds what the file holds.

The disk is simulated by the calls that reach it: `fsync` of a file makes durable what the file holds then, `fsync` of a folder the names in it.
"""

from __future__ import annotations

import json
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from ...errors import ArgumentError
from ...files import chain
from ...gates.cumloss import Bet, ChargeGate
from ...risk.accounts import DurableAccount, replay
from ..running.checks import Check, Result


class _Disk:
    """What a crash would leave: contents by inode, and the names of folders."""

    def __init__(self) -> None:
        self.contents: dict[int, bytes] = {}
        self.names: dict[int, set[str]] = {}

    def fsync(self, handle: int) -> None:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            self.names[status.st_ino] = set(os.listdir(handle))
        else:
            self.contents[status.st_ino] = Path(f"/proc/self/fd/{handle}").read_bytes()  # also of one that is open for writing alone

    def holds(self, path: Path) -> str | None:
        """What a crash now would take away, None if nothing."""
        if self.contents.get(path.stat().st_ino) != path.read_bytes():
            return f"the disk has {self.contents.get(path.stat().st_ino)!r}, answered was {path.read_bytes()!r}"
        if path.name not in self.names.get(path.parent.stat().st_ino, ()):
            return "the disk has no name for the file"
        return None


@contextmanager
def _disk() -> Iterator[_Disk]:
    disk, kept = _Disk(), (os.fsync, os.fdatasync)
    os.fsync = os.fdatasync = disk.fsync  # type: ignore[assignment]  # it takes numbers of files only
    try:
        yield disk
    finally:
        os.fsync, os.fdatasync = kept


def _case(rng: Random) -> tuple[Any, ...]:
    steps = [[rng.choice(("propose", "settle", "report", "reopen", "cut")), rng.randint(0, 8)] for _ in range(rng.randint(1, 12))]
    return (steps,)


def _run(steps: list[list[Any]]) -> Result:
    with tempfile.TemporaryDirectory() as folder, _disk() as disk:
        path = Path(folder) / "account"
        account = DurableAccount.create(path, ChargeGate(Bet(8, 3, 2), "1/10"), 20)
        try:
            for number, (what, size) in enumerate([("create", 0), *steps]):
                try:
                    if what == "propose":
                        account.propose(size / 8)
                    elif what == "settle":
                        account.settle(size / 16)
                    elif what == "report":
                        account.report(size / 8)
                    elif what in ("reopen", "cut"):
                        account.close()
                        if what == "cut":  # a line that was being written when the process ended
                            with path.open("ab") as file:
                                file.write(b'{"step":9'[: size + 1])
                                file.flush()
                                os.fsync(file.fileno())
                        account = DurableAccount.open(path)
                        if (account.interrupted is not None) != (what == "cut"):
                            return Result(1, f"step {number}: interrupted is {account.interrupted!r}")
                except ArgumentError:
                    pass  # refused; nothing was answered, and nothing may be lost
                if fault := disk.holds(path):
                    return Result(1, f"step {number}, {what}: {fault}")
                again, tail = replay(path.read_bytes())
                if tail is not None or (again.units, again.steps, again.lost) != (account.account.units, account.account.steps, account.account.lost):
                    return Result(1, f"step {number}, {what}: the file says something else than the account")
        finally:
            account.close()
    return Result(len(steps), None, len(steps))


# what a line says of the account: computed from the lines before it, so that any other value is refused, however well it is chained
_FOLLOWS = ("reserve", "account", "admit", "step", "settle")


def _line_case(rng: Random) -> tuple[Any, ...]:
    steps = [[rng.choice(("propose", "settle", "report")), rng.randint(0, 8)] for _ in range(rng.randint(0, 6))]
    return steps, rng.choice((0, rng.randint(0, 6))), rng.randint(0, 5), rng.choice((1, -1))


def _run_line(steps: list[list[Any]], number: int, field: int, by: int) -> Result:
    """One value of one line is off by one and all hashes are made anew: the account is refused, and so named."""
    with tempfile.TemporaryDirectory() as folder, _disk():
        path = Path(folder) / "account"
        with DurableAccount.create(path, ChargeGate(Bet(8, 3, 2), "1/10"), 20) as account:
            for what, size in steps:
                try:
                    (account.propose if what == "propose" else account.settle if what == "settle" else account.report)(size / 8)
                except ArgumentError:
                    pass
        lines = [json.loads(line) for line in path.read_bytes().splitlines()]
        number %= len(lines)
        names = [name for name in _FOLLOWS if name in lines[number]]
        name = names[field % len(names)]
        for change in (0, by):
            old = lines[number][name]
            lines[number][name] = old != bool(change) if name == "admit" else old + change
            content, link = b"", chain.START
            for line in lines:
                data, link = chain.write(link, {key: x for key, x in line.items() if key != "chain"})
                content += data
            try:
                replay(content)
            except ArgumentError as error:
                if not change or error.argument != f"line {number + 1}":
                    return Result(2, f"{error.argument} is refused: {error}")
            else:
                if change:
                    return Result(2, f"line {number + 1}: {name} = {lines[number][name]} is taken, {old} follows")
    return Result(2, refused=1)


CHECKS = (Check("accounts.DurableAccount", _case, _run, batch=12), Check("accounts.replay", _line_case, _run_line, batch=24))

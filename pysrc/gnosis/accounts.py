"""Risk accounts: what a request risks altogether, and an account that survives a crash.

`RiskGate` adds up the risks that a request takes and refuses what does not fit its budget.  `DurableAccount` is a
cumulative-loss account (`gnosis.gates.cumloss.ChargeAccount`) that is written down, step by step, before it answers.
"""
from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from . import files, inputs, output
from .errors import ArgumentError, DtypeError, RangeError
from .exact import Number, nonnegative
from .extrapolation import RiskBound, marginal
from .gates.cumloss import MEAN, Bet, ChargeAccount, ChargeGate
from .levels import Level, as_text, level, share, whole
from .verdict import Verdict


@dataclass(frozen=True)
class RiskGate:
    """Do the risks of a request fit its budget?

    budget: the probability that anything at all goes wrong with the request, strictly between 0 and 1, read as written.
    The parts are added (union bound), whatever depends on what: the ledger's δ, the failure rate α of the new history's own
    bound, and what the calibration histories leave open, 1/(N + 1) or a `RiskBound` of another kind.
    Theorem `Gnosis.conformal_risk_union` for α + 1/(N + 1).  Raises RangeError, NonFiniteError, DtypeError.
    """

    budget: Level

    def __post_init__(self) -> None:
        object.__setattr__(self, "budget", level(self.budget, "budget"))

    def decide(self, ledger: Level, alpha: Level, histories: int | RiskBound) -> Verdict:
        """ledger: δ of the cumulative-loss account; alpha: α; histories: N calibration histories, or a `RiskBound` (without alpha in it).

        A bound that holds with confidence costs its risk and one minus its confidence.
        Verdict.margin: budget - (δ + α + history), admitted at zero.  Raises RangeError, NonFiniteError, DtypeError.
        """
        history = histories if isinstance(histories, RiskBound) else marginal(histories)
        total = share(ledger, "ledger") + share(alpha, "alpha") + history.total
        return Verdict(admit=total <= self.budget, margin=self.budget - total, theorem=history.theorem or "Gnosis.charge_controller_sound",
                       assumes=(MEAN, "the new history's own bound fails with probability at most alpha", *history.assumes))


# ---- the durable account -----------------------------------------------------------------------------------------------

FORMAT, VERSION = "gnosis.account", 1
_HEAD = {"format", "version", "N", "p", "q", "delta", "reserve", "budget"}
_STEP = {"step", "units", "budget", "admit", "account"}
_SETTLE = {"settle", "units", "account"}
_LOSS = {"loss", "step"}


class DurableAccount:
    """A cumulative-loss account in an append-only file of JSON lines.

    Every proposal, settlement and reported loss is a line that is on the disk (fsync) before the call returns; so whatever
    was answered before a crash is in the file.  Opening replays it and checks every line against the account's own
    arithmetic.  A last line without its end was never answered: it is ignored, removed before anything is appended,
    and shown as `interrupted`.  Anything else that does not fit is an error, and nothing is changed.

    A file from whose end whole lines were cut is itself a good account, so that opening it alone cannot see the cut; nor one
    that was cut and then went on otherwise.  Where that is a threat, keep `checkpoint` elsewhere and give it to `open`: a file
    that does not begin with exactly the lines that the checkpoint was taken of is refused.

    Open with `create` or `open`, in a `with` statement or with `close` at the end.  One process at a time holds the file; not
    safe to use from several threads at once.
    account: the `ChargeAccount`, to be read only.  interrupted: the bytes of a last line that was cut off, else None.
    checkpoint: number of whole lines written so far and their SHA-256, as text `lines:hex`.
    """

    def __init__(self, path: Path, handle: int, account: ChargeAccount, interrupted: bytes | None, content: bytes = b"") -> None:
        self.path = path
        self.account = account
        self.interrupted = interrupted
        self._handle: int | None = handle
        self._lines, self._digest = content.count(b"\n"), hashlib.sha256(content)

    @property
    def checkpoint(self) -> str:
        return f"{self._lines}:{self._digest.hexdigest()}"

    @classmethod
    def create(cls, path: str | os.PathLike[str], gate: ChargeGate, budget: Level) -> DurableAccount:
        """Start an account in a new file.

        FileExistsError; RangeError, NonFiniteError, DtypeError as `ChargeAccount`, and RangeError for a risk of more than 4000 characters.
        """
        account = ChargeAccount(gate, budget)
        delta = as_text(gate.delta, "delta")
        bet = gate.bet
        target = output.place(path).path
        result = cls(target, output.create_handle(path, os.O_RDWR | os.O_APPEND), account, None)
        try:
            _lock(result._handle, target)
            result._write({"format": FORMAT, "version": VERSION, "N": bet.N, "p": bet.p, "q": bet.q, "delta": delta,
                           "reserve": gate.reserve, "budget": account.budget})
        except BaseException:
            result.close()
            os.unlink(target)
            raise
        return result

    @classmethod
    def open(cls, path: str | os.PathLike[str], checkpoint: str | None = None) -> DurableAccount:
        """Replay an account and go on with it.

        checkpoint: what `checkpoint` was at some time before; the file must begin with those lines.
        Raises OSError (also while another process holds it); ArgumentError naming the line that does not fit, or the checkpoint.
        """
        target = Path(path)
        handle = os.open(target, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        try:
            _lock(handle, target)
            content = inputs.read_bytes(target, "account")
            account, interrupted = replay(content)
            content = content[: len(content) - len(interrupted or b"")]
            if checkpoint is not None:
                _begins_with(content, checkpoint)
            if interrupted is not None:
                os.ftruncate(handle, len(content))
                os.fsync(handle)
        except BaseException:
            os.close(handle)
            raise
        return cls(target, handle, account, interrupted, content)

    def __enter__(self) -> DurableAccount:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file.  Further steps raise ValueError."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def propose(self, bound: Number, budget: Level | None = None) -> Verdict:
        """`ChargeAccount.propose`, on the disk before it answers.

        Raises OSError as well.  After any exception but an ArgumentError, which changes nothing, the account is closed and must be opened again.
        """
        account = self._account()
        bet = account.gate.bet
        units, total = bet.up(bound, "bound"), account.budget if budget is None else bet.down(budget)
        with self._whole():
            verdict = account.propose_units(units, total)
            self._write({"step": account.steps, "units": units, "budget": account.budget, "admit": verdict.admit, "account": account.units})
        return verdict

    def settle(self, bound: Number) -> int:
        """`ChargeAccount.settle`, on the disk before it answers."""
        account = self._account()
        units = account.gate.bet.up(bound)
        with self._whole():
            back = account.settle_units(units)
            self._write({"settle": account.steps, "units": units, "account": account.units})
        return back

    def report(self, loss: Number) -> Fraction:
        """`ChargeAccount.report`, on the disk before it answers.  RangeError also for a loss of more than 4000 characters as a fraction."""
        account = self._account()
        exact = nonnegative(loss, "loss")
        line = {"loss": as_text(exact, "loss"), "step": account.steps}
        with self._whole():
            lost = account.report(exact)
            self._write(line)
        return lost

    def _account(self) -> ChargeAccount:
        if self._handle is None:
            raise ValueError(f"the account {self.path} is closed")
        return self.account

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """A step and its line.  The account refuses before it changes anything; after any other fault it may be ahead of the file."""
        try:
            yield
        except ArgumentError:
            raise
        except BaseException:
            self.close()  # what the file holds now may not be what the account says; opening it again settles that
            raise

    def _write(self, line: dict[str, Any]) -> None:
        data = (json.dumps(line, separators=(",", ":")) + "\n").encode()
        self._lines += 1
        self._digest.update(data)
        while data:
            data = data[os.write(self._handle, data) :]
        os.fsync(self._handle)


def _begins_with(content: bytes, checkpoint: str) -> None:
    """Whole lines against a checkpoint of earlier ones."""
    count, _, digest = checkpoint.partition(":") if isinstance(checkpoint, str) else ("", "", "")
    if not (count.isascii() and count.isdecimal() and len(count) < 19 and len(digest) == 64):
        raise DtypeError("checkpoint", checkpoint, "not a number of lines and a SHA-256, as `DurableAccount.checkpoint` gives them")
    lines = content.splitlines(keepends=True)
    if int(count) > len(lines):
        raise RangeError("checkpoint", checkpoint, f"the file has {len(lines)} lines only; lines were cut off its end")
    if hashlib.sha256(b"".join(lines[: int(count)])).hexdigest() != digest:
        raise RangeError("checkpoint", checkpoint, f"the first {count} lines of the file are other ones")


def replay(content: bytes) -> tuple[ChargeAccount, bytes | None]:
    """The account that a file's bytes describe, and the last line if it was cut off (None if not).

    Raises ArgumentError naming the first line that is not what the account would have written.
    """
    whole_lines, _, tail = content.rpartition(b"\n")
    lines = whole_lines.split(b"\n") if whole_lines else []
    if not lines:
        raise ArgumentError("account", content[:80], "no whole line; the account was never started")
    account = _start(_object(lines[0], 1, _HEAD))
    for number, line in enumerate(lines[1:], 2):
        _apply(account, line, number)
    return account, tail or None


def _start(head: dict[str, Any]) -> ChargeAccount:
    if head["format"] != FORMAT or type(head["version"]) is not int or head["version"] != VERSION:
        raise ArgumentError("line 1", (head["format"], head["version"]), f"not an account of format {FORMAT!r}, version {VERSION}")
    if not isinstance(head["delta"], str):
        raise DtypeError("line 1", head["delta"], "delta must be a fraction as text")
    gate = ChargeGate(Bet(head["N"], head["p"], head["q"]), head["delta"])
    if type(head["reserve"]) is not int or head["reserve"] != gate.reserve:
        raise RangeError("line 1", head["reserve"], f"the reserve of this bet and risk is {gate.reserve} units")
    return ChargeAccount(gate, Fraction(whole(head["budget"], "budget"), gate.bet.N))


def _apply(account: ChargeAccount, line: bytes, number: int) -> None:
    """Do again what a line says, and compare."""
    name = f"line {number}"
    data = _object(line, number, None)
    try:
        if "admit" in data:
            _fields(data, _STEP)
            verdict = account.propose_units(whole(data["units"], "units"), whole(data["budget"], "budget"))
            expected = {"step": account.steps, "units": data["units"], "budget": account.budget, "admit": verdict.admit, "account": account.units}
        elif "settle" in data:
            _fields(data, _SETTLE)
            account.settle_units(whole(data["units"], "units"))
            expected = {"settle": account.steps, "units": data["units"], "account": account.units}
        else:
            _fields(data, _LOSS)
            if not isinstance(data["loss"], str):
                raise DtypeError("loss", data["loss"], "must be a fraction as text")
            loss = share(data["loss"], "loss")
            account.report(loss)
            expected = {"loss": str(loss), "step": account.steps}
    except ArgumentError as error:
        raise ArgumentError(name, line.decode(errors="replace"), f"does not follow from the lines before it ({error})") from None
    for field, value in expected.items():
        if data[field] != value or type(data[field]) is not type(value):
            raise ArgumentError(name, line.decode(errors="replace"), f"does not follow from the lines before it: {field} is {value}")


def _object(line: bytes, number: int, fields: set[str] | None) -> dict[str, Any]:
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise ArgumentError(f"line {number}", line, "not UTF-8 text") from None
    return files.json_object(text, f"line {number}", fields)


def _fields(data: dict[str, Any], fields: set[str]) -> None:
    for field in sorted(fields ^ set(data)):
        raise ArgumentError("field", field, "unknown" if field in data else "missing")


def _lock(handle: int, path: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BlockingIOError(f"another process holds the account {path}") from None

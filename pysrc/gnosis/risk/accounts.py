"""Risk accounts: what a request risks altogether, and an account that survives a crash.

`RiskGate` adds up the risks that a request takes and refuses what does not fit its budget.  `DurableAccount` is a
cumulative-loss account (`gnosis.gates.cumloss.ChargeAccount`) that is written down, step by step, before it answers.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import io
import os
import re
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from ..errors import ArgumentError, DtypeError, RangeError
from ..files import chain, grammar, inputs, output
from ..gates.cumloss import EXACT, GRID, MONOTONE, Bet, ChargeAccount, ChargeGate
from ..numbers.exact import Number, nonnegative
from ..numbers.levels import Level, as_text, level, share
from ..verdict import Verdict
from .extrapolation import RiskBound, marginal

# That the charged bound holds at each step is no assumption here: its failure is what alpha and the calibration pay for.
SCORE = "the true score of a request is at least the conditional mean loss of each of its compressed steps, whatever the history"
ESTIMATE = "the new request's estimate is below its true score with probability at most alpha"
LARGEST = "the mean bound that is charged is at least every estimate of the calibration, and is fixed before the request"
# what a bound for a new score means for a request
OF_REQUEST = {
    "Gnosis.conformal_risk_union": "Gnosis.total_risk_over_random_history",
    "Gnosis.pool_training_conditional": "Gnosis.total_risk_training_conditional",
}


@dataclass(frozen=True)
class RiskGate:
    """Do the risks of a request fit its budget?

    budget: the probability that anything at all goes wrong with the request, strictly between 0 and 1, read as written.
    The request is the unit.  Its true score is the largest conditional mean loss of its compressed steps; an estimate reaches it but with
    probability α; the mean bound that the account charges is the largest estimate of N calibration requests.  The parts are added (union
    bound), whatever depends on what: the ledger's δ, α, and what the calibration leaves open, 1/(N + 1) or a `RiskBound` of another kind.
    The budget then holds for the whole request, however long.  Bounds for single steps at a fixed history do not add up to that: α for
    each of T steps is T·α for the request.
    Theorems `Gnosis.total_risk_over_random_history` for 1/(N + 1), `Gnosis.total_risk_training_conditional` for a pool; a `RiskBound` of another
    kind is refused, since no theorem adds it up.  Raises RangeError, NonFiniteError, DtypeError.
    Promises: theorem `Gnosis.total_risk_over_random_history`, `Gnosis.total_risk_training_conditional`.
    """

    budget: Fraction

    if TYPE_CHECKING:  # what it is made from; __post_init__ makes the fields of it

        def __init__(self, budget: Level) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "budget", level(self.budget, "budget"))

    def decide(self, ledger: Level, alpha: Level, histories: int | RiskBound) -> Verdict:
        """ledger: δ of the cumulative-loss account; alpha: α; histories: N calibration requests, or a `RiskBound` (without alpha in it).

        A bound that holds with confidence costs its risk and one minus its confidence.
        Verdict.margin: budget - (δ + α + history), admitted at zero.  Raises RangeError, NonFiniteError, DtypeError.
        """
        history = histories if isinstance(histories, RiskBound) else marginal(histories)
        if history.theorem not in OF_REQUEST:
            raise RangeError("histories", history, f"no theorem adds this bound up for a request; those that do rest on {' or '.join(OF_REQUEST)}")
        total = share(ledger, "ledger") + share(alpha, "alpha") + history.total
        return Verdict(
            admit=total <= self.budget,
            margin=self.budget - total,
            theorem=OF_REQUEST[history.theorem],
            assumes=(SCORE, ESTIMATE, LARGEST, GRID, EXACT, MONOTONE, *history.assumes),
        )


# ---- the durable account -----------------------------------------------------------------------------------------------

FORMAT, VERSION = "gnosis.account", 2
LONGEST_LINE = 1 << 14  # bytes; a loss has at most 4000 characters
_HEAD = {"format", "version", "N", "p", "q", "delta", "reserve", "budget"}
_STEP = {"step", "units", "budget", "admit", "account"}
_SETTLE = {"settle", "units", "account"}
_LOSS = {"loss", "step"}
_OPEN: weakref.WeakSet[DurableAccount] = weakref.WeakSet()  # handles of this process


class DurableAccount:
    """A cumulative-loss account in an append-only file of JSON lines.

    Every proposal, settlement and reported loss is a line that is on the disk (fsync) before the call returns; so whatever
    was answered before a crash is in the file.  Opening replays it and checks every line against the account's own
    arithmetic and against the chain of hashes (`gnosis.files.chain`), so that a line which was changed, dropped, doubled or moved is
    refused, a reported loss too.  A last line without its end was never answered: it is ignored, removed before anything is appended,
    and shown as `interrupted`.  Anything else that does not fit is an error, and nothing is changed.

    A file from whose end whole lines were cut is itself a good account, so that opening it alone cannot see the cut; nor one
    that was cut and then went on otherwise.  Where that is a threat, keep `checkpoint` elsewhere and give it to `open`: a file
    that does not begin with exactly the lines that the checkpoint was taken of is refused.

    Open with `create` or `open`, in a `with` statement or with `close` at the end.  One handle at a time holds the file, in this
    process or any other; threads may share it.  A handle belongs to the process that opened it: after a fork the child's is refused, and it can
    neither be copied nor pickled.  A file that was removed, replaced or written by others meanwhile ends the account.
    account: the `ChargeAccount`, to be read only.  interrupted: the bytes of a last line that was cut off, else None.
    checkpoint: number of whole lines written so far and their SHA-256, as text `lines:hex`.
    Promises: tested `tests/test_cumloss_files.py::test_a_crash_at_every_byte`, `tests/test_cumloss_files.py::test_a_replay_is_the_account`, `floats: accounts.DurableAccount`.
    """

    def __init__(self, path: Path, handle: int, account: ChargeAccount, content: Replayed) -> None:
        self.path = path
        self.account = account
        self.interrupted = content.tail
        self._handle: int | None = handle
        self._lines, self._digest, self._link, self._size = content.lines, content.digest, content.link, content.size
        self._process: int | None = os.getpid()  # None: a copy that a fork made
        self._turn, self._busy = threading.RLock(), False
        _OPEN.add(self)

    @property
    def checkpoint(self) -> str:
        return f"{self._lines}:{self._digest.hexdigest()}"

    @classmethod
    def create(cls, path: str | os.PathLike[str], gate: ChargeGate, budget: Level) -> DurableAccount:
        """Start an account in a new file.

        FileExistsError for anything that is there; OSError; RangeError, NonFiniteError, DtypeError as `ChargeAccount`, and RangeError for a risk of more
        than 4000 characters.
        """
        account = ChargeAccount(gate, budget)
        delta = as_text(gate.delta, "delta")
        bet = gate.bet
        target = Path(os.path.join(os.getcwd(), path))
        made = output.place(path).path
        handle = output.create_handle(path, os.O_RDWR | os.O_APPEND)
        result = cls(target, handle, account, Replayed())
        try:
            _lock(handle, target)
            result._write(
                {"format": FORMAT, "version": VERSION, "N": bet.N, "p": bet.p, "q": bet.q, "delta": delta, "reserve": gate.reserve, "budget": account.budget}
            )
        except BaseException:
            result.close()
            os.unlink(made)
            raise
        return result

    @classmethod
    def open(cls, path: str | os.PathLike[str], checkpoint: str | None = None) -> DurableAccount:
        """Replay an account and go on with it.

        checkpoint: what `checkpoint` was at some time before; the file must begin with those lines.
        Raises OSError (also while another handle holds it); ArgumentError naming the line that does not fit, or the checkpoint, and for what is no regular file.
        """
        target = Path(os.path.join(os.getcwd(), path))
        at_lines = None if checkpoint is None else _checkpoint(checkpoint)
        with inputs.opened(target, "account"):  # refuses what is no regular file
            handle = os.open(target, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            _lock(handle, target)
            if not _is(handle, target):
                raise OSError(errno.ESTALE, "the account was replaced while it was opened", str(target))
            with open(handle, "rb", closefd=False) as file:
                account, content = _replay(file, at_lines)
            if checkpoint is not None:
                _begins_with(content, checkpoint)
            if content.tail is not None:
                os.ftruncate(handle, content.size)
                os.fsync(handle)
        except BaseException:
            os.close(handle)
            raise
        return cls(target, handle, account, content)

    def __enter__(self) -> DurableAccount:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("an account is held by one handle in one process, which cannot be copied or pickled; open the file where it is needed")

    def close(self) -> None:
        """Let go of the file.  Further steps raise ValueError."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def propose(self, bound: Number, budget: Level | None = None) -> Verdict:
        """`ChargeAccount.propose`, on the disk before it answers.

        Raises OSError as well, and ValueError for an account that is closed or belongs to another process.  After any exception but an ArgumentError,
        which changes nothing, the account is closed and must be opened again.
        """
        with self._step() as account:
            bet = account.gate.bet
            units, total = bet.up(bound, "bound"), account.budget if budget is None else bet.down(budget)
            with self._whole():
                verdict = account.propose_units(units, total)
                self._write({"step": account.steps, "units": units, "budget": account.budget, "admit": verdict.admit, "account": account.units})
            return verdict

    def settle(self, bound: Number) -> int:
        """`ChargeAccount.settle`, on the disk before it answers."""
        with self._step() as account:
            units = account.gate.bet.up(bound)
            with self._whole():
                back = account.settle_units(units)
                self._write({"settle": account.steps, "units": units, "account": account.units})
            return back

    def report(self, loss: Number) -> Fraction:
        """`ChargeAccount.report`, on the disk before it answers.  RangeError also for a loss of more than 4000 characters as a fraction."""
        with self._step() as account:
            exact = nonnegative(loss, "loss")
            line = {"loss": as_text(exact, "loss"), "step": account.steps}
            with self._whole():
                lost = account.report(exact)
                self._write(line)
            return lost

    @contextmanager
    def _step(self) -> Iterator[ChargeAccount]:
        """The account, for one step of one thread."""
        if self._process != os.getpid():
            raise ValueError(f"the account {self.path} belongs to the process that opened it; this one is another")
        with self._turn:
            if self._busy:  # a signal handler in the middle of a step
                raise ValueError(f"the account {self.path} is in the middle of a step")
            if self._handle is None:
                raise ValueError(f"the account {self.path} is closed")
            self._busy = True
            try:
                yield self.account
            finally:
                self._busy = False

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

    def _write(self, fields: dict[str, Any]) -> None:
        handle = self._handle
        assert handle is not None  # _step refuses a closed account
        data, self._link = chain.write(self._link, fields)
        self._lines += 1
        self._digest.update(data)
        self._size += len(data)
        while data:
            data = data[os.write(handle, data) :]
        os.fsync(handle)
        if os.fstat(handle).st_size != self._size or not _is(handle, self.path):
            raise OSError(errno.ESTALE, "the account was removed, replaced or written by others", str(self.path))

    def _abandon(self) -> None:
        """In the child of a fork: the handle stays with the parent."""
        self._process = None
        self.close()


def _after_fork() -> None:
    for account in list(_OPEN):
        account._abandon()
    _OPEN.clear()


os.register_at_fork(after_in_child=_after_fork)


def _is(handle: int, path: Path) -> bool:
    """Whether a path still leads to the file that is open."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except FileNotFoundError:
        return False


def _lock(handle: int, path: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BlockingIOError(f"another process or handle holds the account {path}") from None


# ---- replaying an account ----------------------------------------------------------------------------------------------


@dataclass
class Replayed:
    """What was read of a file: whole lines, their bytes, SHA-256 and last link, the rest of a line that was cut off, and the SHA-256 after `at` lines."""

    lines: int = 0
    size: int = 0
    link: str = chain.START
    tail: bytes | None = None
    digest: Any = field(default_factory=hashlib.sha256)
    begun: str | None = None


def _checkpoint(text: str) -> int:
    """The number of lines of a checkpoint.  DtypeError for anything that is none."""
    count, _, digest = text.partition(":") if isinstance(text, str) else ("", "", "")
    if not (re.fullmatch("[1-9][0-9]{0,17}", count, re.ASCII) and re.fullmatch("[0-9a-f]{64}", digest, re.ASCII)):
        raise DtypeError("checkpoint", text, "not a number of lines and a SHA-256, as `DurableAccount.checkpoint` gives them")
    return int(count)


def _begins_with(content: Replayed, checkpoint: str) -> None:
    """What was read against a checkpoint of earlier lines."""
    count, _, digest = checkpoint.partition(":")
    if content.begun is None:
        raise RangeError("checkpoint", checkpoint, f"the file has {content.lines} lines only; lines were cut off its end")
    if content.begun != digest:
        raise RangeError("checkpoint", checkpoint, f"the first {count} lines of the file are other ones")


def replay(content: bytes) -> tuple[ChargeAccount, bytes | None]:
    """The account that a file's bytes describe, and the last line if it was cut off (None if not).

    Raises ArgumentError naming the first line that is not what the account would have written.
    """
    account, found = _replay(io.BytesIO(content))
    return account, found.tail


def _replay(file: BinaryIO, at_lines: int | None = None) -> tuple[ChargeAccount, Replayed]:
    """The account of an open file, line by line.  at_lines: whose SHA-256 is kept as well."""
    found, account = Replayed(), None
    while line := file.readline(LONGEST_LINE + 1):
        if not line.endswith(b"\n"):
            if len(line) > LONGEST_LINE:
                raise RangeError(f"line {found.lines + 1}", line[:40], f"more than {LONGEST_LINE} bytes")
            found.tail = line
            break
        name = f"line {found.lines + 1}"
        if account is None:
            account, found.link = _start(line[:-1], name)
        else:
            data, found.link = chain.read(found.link, line[:-1], name)
            _apply(account, data, name)
        found.lines += 1
        found.size += len(line)
        found.digest.update(line)
        if found.lines == at_lines:
            found.begun = found.digest.hexdigest()
    if account is None:
        raise ArgumentError("account", (found.tail or b"")[:80], "no whole line; the account was never started")
    return account, found


def _start(line: bytes, name: str) -> tuple[ChargeAccount, str]:
    """The account of the first line, and its link.  What the line asks for is bounded before anything is computed."""
    if chain.split(line)[1] is None and b'"version":1,' in line:
        raise ArgumentError(name, line[:80], f"not an account of format {FORMAT!r}, version {VERSION}; those of version 1 have no chain and are not read")
    head, link = chain.read(chain.START, line, name)
    if not grammar.same([head.get("format"), head.get("version")], [FORMAT, VERSION]):
        raise ArgumentError(name, (head.get("format"), head.get("version")), f"not an account of format {FORMAT!r}, version {VERSION}")
    grammar.fields(head, _HEAD, name)
    gate = ChargeGate(Bet(*(grammar.count(head[letter], letter, 1, 1 << 64) for letter in "Npq")), grammar.fraction(head["delta"], "delta"))
    if grammar.count(head["reserve"], "reserve") != gate.reserve:
        raise RangeError(name, head["reserve"], f"the reserve of this bet and risk is {gate.reserve} units")
    return ChargeAccount(gate, Fraction(grammar.count(head["budget"], "budget"), gate.bet.N)), link


def _apply(account: ChargeAccount, data: dict[str, Any], name: str) -> None:
    """Do again what a line says, and compare."""
    expected: dict[str, Any]
    try:
        if "admit" in data:
            grammar.fields(data, _STEP, name)
            verdict = account.propose_units(grammar.count(data["units"], "units"), grammar.count(data["budget"], "budget"))
            expected = {"step": account.steps, "units": data["units"], "budget": account.budget, "admit": verdict.admit, "account": account.units}
        elif "settle" in data:
            grammar.fields(data, _SETTLE, name)
            account.settle_units(grammar.count(data["units"], "units"))
            expected = {"settle": account.steps, "units": data["units"], "account": account.units}
        else:
            grammar.fields(data, _LOSS, name)
            loss = grammar.fraction(data["loss"], "loss")
            account.report(loss)
            expected = {"loss": str(loss), "step": account.steps}
    except ArgumentError as error:
        raise ArgumentError(name, data, f"does not follow from the lines before it ({error})") from None
    for key, value in expected.items():
        if not grammar.same(data[key], value):
            raise ArgumentError(name, data, f"does not follow from the lines before it: {key} is {value}")

"""The cumulative-loss account on the disk."""

import json
import math
import os
import random
import subprocess
import sys
from fractions import Fraction

import pytest
from cumloss_support import GATE

from gnosis.errors import ArgumentError, DtypeError, NonFiniteError, RangeError
from gnosis.files import chain
from gnosis.gates.cumloss import Bet, ChargeGate
from gnosis.risk import accounts
from gnosis.risk.accounts import DurableAccount, replay

# ---- the account on the disk ----


def written(path, seed=0, steps=12):
    """An account with steps of every kind; returns (whether each was admitted, account, lost)."""
    rng = random.Random(seed)
    answers = []
    with DurableAccount.create(path, GATE, "2.6") as account:
        for t in range(steps):
            verdict = account.propose(Fraction(rng.randrange(4), 20), None if t % 3 else Fraction(52 + t, 20))
            answers.append(verdict.admit)
            if verdict.admit and rng.random() < 0.2:
                account.settle(0)
            if verdict.admit and rng.random() < 0.7:
                account.report(rng.random())
        return answers, account.account.units, account.account.lost


def test_a_replay_is_the_account(tmp_path):
    answers, units, lost = written(tmp_path / "a")
    with DurableAccount.open(tmp_path / "a") as again:
        assert (again.account.units, again.account.lost, again.interrupted) == (units, lost, None) and again.account.steps == 12
        before = again.account.units
        again.propose(0)
    with DurableAccount.open(tmp_path / "a") as again:
        assert again.account.steps == 13 and again.account.units == before
    assert True in answers and False in answers


def test_a_crash_at_every_byte(tmp_path):
    """Whatever was answered before the crash is there; a line that was cut off counts as not answered, and is said."""
    written(tmp_path / "a", 1, 5)
    content = (tmp_path / "a").read_bytes()
    states = {}
    for cut in range(len(content) + 1):
        (tmp_path / "b").write_bytes(content[:cut])
        whole = content[:cut].count(b"\n")
        if not whole:
            with pytest.raises(ArgumentError, match="^account"):
                DurableAccount.open(tmp_path / "b")
            continue
        with DurableAccount.open(tmp_path / "b") as account:
            tail = content[:cut].rpartition(b"\n")[2]
            assert account.interrupted == (tail or None)
            state = account.account.units, account.account.steps, account.account.lost
            assert states.setdefault(whole, state) == state
            account.propose(0)
        with DurableAccount.open(tmp_path / "b") as account:
            assert account.interrupted is None and account.account.steps == state[1] + 1


def test_a_checkpoint_sees_what_was_cut_off(tmp_path):
    """Every whole line cut off the end after a checkpoint, and other lines in its place."""
    path, other = tmp_path / "a", tmp_path / "b"
    written(path)
    with DurableAccount.open(path) as account:
        early = account.checkpoint
        account.propose(0)
        late = account.checkpoint
    lines = path.read_bytes().splitlines(keepends=True)
    assert early.startswith(f"{len(lines) - 1}:") and late.startswith(f"{len(lines)}:")
    for checkpoint in (early, late, None):
        with DurableAccount.open(path, checkpoint) as account:
            assert account.checkpoint == late
    for kept in range(1, len(lines)):
        other.write_bytes(b"".join(lines[:kept]) + b'{"st')
        with pytest.raises(RangeError, match=rf"^checkpoint = .*: the file has {kept} lines only"):
            DurableAccount.open(other, late)
        assert other.read_bytes().endswith(b'{"st')  # nothing was changed
        with DurableAccount.open(other) as account:  # without it the cut goes unnoticed
            assert account.checkpoint.startswith(f"{kept}:")
            while account.checkpoint.partition(":")[0] != str(len(lines)):
                account.propose(Fraction(1, 20))
        with pytest.raises(RangeError, match="lines of the file are other ones"):
            DurableAccount.open(other, late)
    for bad in ("", "3", late[:-1], "x" + late, 5, f"-1:{'0' * 64}"):
        with pytest.raises(DtypeError, match="^checkpoint"):
            DurableAccount.open(path, bad)


def faulty_replays(replayed, content):
    """Single changes of a file that go unnoticed: a digit, a line dropped, doubled or moved."""
    lines = content.split(b"\n")[:-1]
    unnoticed = 0
    candidates = [b"\n".join(lines[:i] + lines[i + 1 :]) + b"\n" for i in range(len(lines) - 1)]
    candidates += [b"\n".join(lines[:i] + [lines[i]] + lines[i:]) + b"\n" for i in range(len(lines))]
    candidates += [b"\n".join(lines[:i] + [lines[i + 1], lines[i]] + lines[i + 2 :]) + b"\n" for i in range(len(lines) - 1)]
    for i, byte in enumerate(content):
        if chr(byte).isdigit():
            candidates.append(content[:i] + str((int(chr(byte)) + 1) % 10).encode() + content[i + 1 :])
    candidates.append(content.replace(b'"account":', b'"account": ', 1))  # the same JSON, written otherwise
    for text in candidates:
        try:
            account, _ = replayed(text)
            unnoticed += 1
        except (ArgumentError, ValueError):
            pass
    return unnoticed, len(candidates)


def test_a_file_that_lies_is_refused(tmp_path):
    with DurableAccount.create(tmp_path / "a", GATE, "2.6") as account:
        for u in (3, 2, 1, 3, 2):
            account.propose(Fraction(u, 20))
        account.settle(0)
        account.report(0.5)
        account.propose(0)
    content = (tmp_path / "a").read_bytes()
    unnoticed, tried = faulty_replays(replay, content)
    # whole lines that are missing at the end are not seen; the checkpoint is for them
    assert tried > 60 and unnoticed == 0

    def credulous(text):
        account, tail = replay(content)
        for line in text.split(b"\n")[1:-1]:
            json.loads(line)
        return account, tail

    assert faulty_replays(credulous, content)[0] > 50


def test_one_process_at_a_time(tmp_path):
    with DurableAccount.create(tmp_path / "a", GATE, 3) as account:
        with pytest.raises(BlockingIOError, match="another process"):
            DurableAccount.open(tmp_path / "a")
        with pytest.raises(FileExistsError):
            DurableAccount.create(tmp_path / "a", GATE, 3)
        account.propose(0)
    with DurableAccount.open(tmp_path / "a") as again:
        assert again.account.steps == 1
    with pytest.raises(ValueError, match="closed"):
        again.propose(0)
    with pytest.raises(FileNotFoundError):
        DurableAccount.open(tmp_path / "none")
    with pytest.raises(NonFiniteError):
        DurableAccount.create(tmp_path / "new", GATE, math.nan)
    assert not (tmp_path / "new").exists()


def test_a_full_disk_ends_the_account_and_loses_no_answer(tmp_path, monkeypatch):
    account = DurableAccount.create(tmp_path / "a", GATE, 3)
    account.propose(Fraction(1, 20))
    kept = account.account.units
    write = os.write

    def stop(handle, data):
        write(handle, data[:20])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(accounts.os, "write", stop)
    with pytest.raises(OSError, match="No space"):
        account.propose(Fraction(1, 20))
    monkeypatch.undo()
    with pytest.raises(ValueError, match="closed"):
        account.propose(0)
    with DurableAccount.open(tmp_path / "a") as again:
        assert again.account.units == kept and len(again.interrupted) == 20 and again.account.steps == 1


def test_an_error_writes_nothing(tmp_path):
    with DurableAccount.create(tmp_path / "a", GATE, 3) as account:
        account.propose(0)
        size = (tmp_path / "a").stat().st_size
        for call in (lambda: account.propose(math.nan), lambda: account.propose(0, 2), lambda: account.settle(1), lambda: account.report(math.inf)):
            with pytest.raises(ArgumentError):
                call()
        assert (tmp_path / "a").stat().st_size == size and account.account.steps == 1


def test_a_loss_that_no_line_holds_changes_nothing(tmp_path):
    with DurableAccount.create(tmp_path / "a", GATE, 3) as account:
        account.propose(Fraction(1, 20))
        before = (tmp_path / "a").read_bytes()
        for digits in (3999, 4400):
            with pytest.raises(RangeError, match="^loss"):
                account.report(Fraction(1, 10**digits))
        assert account.account.lost == 0 and (tmp_path / "a").read_bytes() == before
        assert account.report(Fraction(1, 10**3990)) > 0
        lost = account.account.lost
    with DurableAccount.open(tmp_path / "a") as again:
        assert again.account.lost == lost


def test_a_risk_that_no_line_holds_starts_nothing(tmp_path):
    with pytest.raises(RangeError, match="^delta"):
        DurableAccount.create(tmp_path / "a", ChargeGate(Bet(20, 11, 10), Fraction(1, 10**4400)), 10**6)
    assert not (tmp_path / "a").exists()


@pytest.mark.parametrize("step", ["propose", "settle", "report"])
def test_a_fault_between_the_step_and_its_line_ends_the_account(tmp_path, monkeypatch, step):
    account = DurableAccount.create(tmp_path / "a", GATE, 3)
    account.propose(Fraction(1, 20))
    content = (tmp_path / "a").read_bytes()
    monkeypatch.setattr(chain, "exact_json", lambda *_, **__: (_ for _ in ()).throw(MemoryError()))
    with pytest.raises(MemoryError):
        getattr(account, step)(0)
    monkeypatch.undo()
    with pytest.raises(ValueError, match="closed"):
        account.propose(0)
    assert (tmp_path / "a").read_bytes() == content
    with DurableAccount.open(tmp_path / "a") as again:
        assert (again.account.steps, again.account.units, again.account.lost) == (1, 28, 0)


def test_an_account_survives_the_death_of_its_process(tmp_path):
    program = f"""
import os
from fractions import Fraction
from gnosis.risk.accounts import DurableAccount
from gnosis.gates.cumloss import Bet, ChargeGate
account = DurableAccount.create({str(tmp_path / "a")!r}, ChargeGate(Bet(20, 11, 10), "0.1"), 3)
for _ in range(4):
    print(account.propose(Fraction(1, 20)).admit, flush=True)
os._exit(9)
"""
    died = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert died.returncode == 9 and died.stdout == "True\n" * 4
    with DurableAccount.open(tmp_path / "a") as account:
        assert account.account.steps == 4 and account.account.units == 25 + 4 * 3


@pytest.mark.parametrize(
    "old, new",
    [
        ('"version":2', '"version":1'),
        ('"version":2', '"version":true'),
        ('"version":2', '"version":2.0'),
        ("gnosis.account", "gnosis.calibration"),
        ('"reserve":25', '"reserve":24'),
        ('"delta":"1/10"', '"delta":0.1'),
        ('"delta":"1/10"', '"delta":"2"'),
        ('"N":20', '"N":0'),
        ('"N":20', '"N":20.0'),
        ('"N":20', '"N":"20"'),
        ('"budget":60', '"budget":-60'),
        ('"budget":60', '"budget":60,"budget":61'),
        ("}", ',"more":1}'),
        ("{", "[{"),
        ('"reserve":25,', ""),
    ],
)
def test_a_head_that_lies_is_refused(tmp_path, old, new):
    with DurableAccount.create(tmp_path / "a", GATE, 3):
        pass
    text = (tmp_path / "a").read_text()
    assert old in text
    (tmp_path / "a").write_text(text.replace(old, new, 1))
    with pytest.raises(ArgumentError):
        DurableAccount.open(tmp_path / "a")


def test_a_bet_whose_charges_take_too_much_is_refused_before_they_are_looked_for():
    for N, p, q in [(65536, 2**64 - 1, 1), (65536, 2, 1), (2048, 2**64 - 1, 1)]:
        bet = Bet(N, p, q)
        for call in (bet.charges, lambda: ChargeGate(bet, "0.1")):
            with pytest.raises(RangeError, match="^p = .*too large for a grid"):
                call()
    assert len(Bet(1000, 2**64 - 1, 1).charges()) == 1001

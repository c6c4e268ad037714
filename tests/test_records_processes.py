"""A handle of an account belongs to one process."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
from records_support import GATE, in_child

from gnosis.errors import ArgumentError
from gnosis.risk import accounts
from gnosis.risk.accounts import DurableAccount

# ---- a handle belongs to one process ---------------------------------------------------------------------------------------


def test_the_child_of_a_fork_spends_nothing(tmp_path):
    with DurableAccount.create(tmp_path / "a", GATE, 4) as account:
        for step in (lambda: account.propose(0), lambda: account.settle(0), lambda: account.report(0)):
            assert "belongs to the process that opened it" in in_child(step)
        assert "BlockingIOError" in in_child(lambda: DurableAccount.open(tmp_path / "a"))
        assert in_child(account.close) == "None"  # and does not let go of the parent's lock
        with pytest.raises(BlockingIOError):
            DurableAccount.open(tmp_path / "a")
        assert "belongs to the process" in in_child(lambda: in_child(lambda: account.propose(0)))
        assert account.propose(0).admit
    with DurableAccount.open(tmp_path / "a") as again:
        assert again.account.steps == 1


def test_a_handle_that_no_fork_hook_saw(tmp_path, monkeypatch):
    """A fork below Python: the number of the process tells."""
    with DurableAccount.create(tmp_path / "a", GATE, 4) as account:
        monkeypatch.setattr(accounts.os, "getpid", lambda: 1)
        with pytest.raises(ValueError, match="belongs to the process"):
            account.propose(0)
        monkeypatch.undo()
        account.propose(0)


def test_a_child_outlives_its_parent_without_the_lock(tmp_path):
    script = (
        "import os, sys, time\nfrom gnosis.risk.accounts import DurableAccount\nfrom gnosis.gates.cumloss import Bet, ChargeGate\n"
        f"account = DurableAccount.create({str(tmp_path / 'a')!r}, ChargeGate(Bet(20, 11, 10), '0.1'), 4)\n"
        "if os.fork() == 0:\n    os.close(1), os.close(2)\n    time.sleep(3)\n    os._exit(0)\nos._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    for _ in range(20):  # the child lets go at once, which may be after its parent has gone
        try:
            with DurableAccount.open(tmp_path / "a") as account:
                assert account.propose(0).admit
            return
        except BlockingIOError:
            time.sleep(0.05)
    pytest.fail("the child holds the lock")


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_handle_is_not_copied(tmp_path, duplicate):
    with DurableAccount.create(tmp_path / "a", GATE, 4) as account:
        with pytest.raises(TypeError, match="cannot be copied or pickled"):
            duplicate(account)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_other_processes_of_python(tmp_path, method):
    context = multiprocessing.get_context(method)
    with DurableAccount.create(tmp_path / "a", GATE, 4) as account:
        if method == "spawn":
            with pytest.raises(TypeError, match="cannot be copied or pickled"):
                context.Process(target=DurableAccount.propose, args=(account, 0)).start()
        else:
            process = context.Process(target=DurableAccount.propose, args=(account, 0))
            process.start()
            process.join()
            assert process.exitcode == 1
        account.propose(0)
        assert account.account.steps == 1 and (tmp_path / "a").read_bytes().count(b"\n") == 2


def test_one_handle_in_one_process(tmp_path):
    os.symlink("a", tmp_path / "soft")
    with DurableAccount.create(tmp_path / "a", GATE, 4):
        os.link(tmp_path / "a", tmp_path / "hard")
        for name in ("a", "soft", "hard"):
            with pytest.raises(BlockingIOError, match="holds the account"):
                DurableAccount.open(tmp_path / name)


def test_threads_share_a_handle(tmp_path):
    with DurableAccount.create(tmp_path / "a", GATE, 4) as account, ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: account.propose(Fraction(1, 20)).admit, range(60)))
        units = account.account.units
    with DurableAccount.open(tmp_path / "a") as again:
        assert (again.account.units, again.account.steps, again.account.admitted) == (units, 60, sum(answers))
    assert 0 < sum(answers) < 60


def test_a_step_inside_of_a_step(tmp_path, monkeypatch):
    """What a signal handler does while a line is written."""
    account = DurableAccount.create(tmp_path / "a", GATE, 4)
    monkeypatch.setattr(accounts.os, "fsync", lambda handle: account.propose(0))
    with pytest.raises(ValueError, match="in the middle of a step"):
        account.propose(0)


@pytest.mark.parametrize("change", ["remove", "replace", "append", "truncate", "move", "folder"])
def test_a_file_that_changes_under_its_handle_ends_the_account(tmp_path, change):
    folder = tmp_path / "d"
    folder.mkdir()
    path = folder / "a"
    account = DurableAccount.create(path, GATE, 4)
    account.propose(0)
    content = path.read_bytes()
    if change == "remove":
        path.unlink()
    elif change == "replace":
        (folder / "b").write_bytes(content)
        os.replace(folder / "b", path)
    elif change == "append":
        with open(path, "ab") as file:
            file.write(b"x")
    elif change == "truncate":
        os.truncate(path, len(content) - 10)
    elif change == "move":
        path.rename(folder / "b")
    else:
        folder.rename(tmp_path / "e")
    with pytest.raises(OSError, match="removed, replaced or written by others"):
        account.propose(0)
    with pytest.raises(ValueError, match="closed"):
        account.propose(0)


def test_another_folder_to_work_in(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with DurableAccount.create("a", GATE, 4) as account:
        monkeypatch.chdir("/")
        account.propose(0)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_no_account(tmp_path, make):
    make(tmp_path / "a")
    with pytest.raises((ArgumentError, IsADirectoryError)):
        DurableAccount.open(tmp_path / "a")
    with pytest.raises(OSError):
        DurableAccount.create(tmp_path / "a", GATE, 4)

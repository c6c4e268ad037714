"""Take rights away from this process, for good, where the system can do that.

Sources can run code while they are compiled.  `sources.py` says which may; should that be got round, the process that
compiles can still write only into its one folder, start no program, reach no other process and open no connection.
This is a second net: where Landlock and seccomp are missing, the report says so.
"""

from __future__ import annotations

import ctypes as C
import os
import resource
import struct
import sys
from collections.abc import Sequence
from typing import Any

CREATE, ADD, RESTRICT = 444, 445, 446  # system calls of Landlock, the same on all processors
EXECUTE, WRITE, TRUNCATE, DEVICES = 1 << 0, 0b1_1111_1111_0010, 1 << 14, 1 << 15
REFER = 1 << 13
NO_NEW_PRIVILEGES, SECCOMP, FILTER = 38, 22, 2
# audit number of the processor, and its system calls that are refused: programs, other processes, connections, mounts, other
# ways to make system calls.  fork and vfork have none of their own on aarch64.
REFUSED = {
    "x86_64": (
        0xC000003E,
        {
            "execve": 59,
            "execveat": 322,
            "fork": 57,
            "vfork": 58,
            "kill": 62,
            "tkill": 200,
            "ptrace": 101,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "pidfd_open": 434,
            "pidfd_getfd": 438,
            "socket": 41,
            "connect": 42,
            "io_uring_setup": 425,
            "bpf": 321,
            "perf_event_open": 298,
            "unshare": 272,
            "setns": 308,
            "mount": 165,
            "add_key": 248,
            "keyctl": 250,
            "shmget": 29,
            "msgget": 68,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            "execve": 221,
            "execveat": 281,
            "kill": 129,
            "tkill": 130,
            "ptrace": 117,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "pidfd_open": 434,
            "pidfd_getfd": 438,
            "socket": 198,
            "connect": 203,
            "io_uring_setup": 425,
            "bpf": 280,
            "perf_event_open": 241,
            "unshare": 97,
            "setns": 268,
            "mount": 40,
            "add_key": 217,
            "keyctl": 219,
            "shmget": 194,
            "msgget": 186,
        },
    ),
}
CLONE = {"x86_64": 56, "aarch64": 220}  # makes threads, which are needed, and processes, which are not
CLONE3, THREAD = 435, 0x10000
EPERM, ENOSYS = 1, 38


def limits(seconds: int, memory: int, file: int) -> None:
    """Processor seconds, bytes of address space and bytes of a written file; no core dumps."""
    for what, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, memory), (resource.RLIMIT_FSIZE, file), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(what, (most, most))


def landlock(folders: Sequence[str]) -> int:
    """Forbid writing, making and removing outside of `folders`, and starting programs.  Returns the version, 0 when there is none."""
    libc = C.CDLL(None, use_errno=True)
    version = libc.syscall(CREATE, None, C.c_size_t(0), 1)
    if version < 1:
        return 0
    handled = EXECUTE | WRITE | (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0) | (DEVICES if version >= 5 else 0)
    rules = struct.pack("QQQ", handled, 3 if version >= 4 else 0, 3 if version >= 6 else 0)  # files, TCP, signals and abstract sockets
    ruleset = libc.syscall(CREATE, rules, C.c_size_t((8, 16, 24)[(version >= 4) + (version >= 6)]), 0)
    if ruleset < 0:
        return 0
    for folder in folders:
        where = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
        added = libc.syscall(ADD, ruleset, 1, struct.pack("=Qi", handled & ~EXECUTE & ~DEVICES, where), 0)
        os.close(where)
        if added:
            return 0
    done = libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0 and libc.syscall(RESTRICT, ruleset, 0) == 0
    os.close(ruleset)
    return version if done else 0


def seccomp() -> bool:
    """Refuse the system calls of `REFUSED`, and those of any other kind of processor."""
    known = REFUSED.get(os.uname().machine)
    if known is None:
        return False
    machine, calls = known
    numbers = sorted(set(calls.values()))
    refuse = len(numbers) + 5
    rows = [(0x20, 0, 0, 4), (0x15, 1, 0, machine), (0x06, 0, 0, 0x80000000), (0x20, 0, 0, 0)]  # load the processor; another one: end the process
    rows += [(0x35, refuse, 0, 0x40000000)]  # x86-64 calls with 32-bit pointers
    rows += [(0x15, refuse - 1 - i, 0, number) for i, number in enumerate(numbers)]
    rows += [(0x15, 5, 0, CLONE3), (0x15, 0, 2, CLONE[os.uname().machine]), (0x20, 0, 0, 16), (0x45, 0, 1, THREAD)]
    rows += [(0x06, 0, 0, 0x7FFF0000), (0x06, 0, 0, 0x00050000 | EPERM), (0x06, 0, 0, 0x00050000 | ENOSYS)]
    program = C.create_string_buffer(b"".join(struct.pack("HBBI", *row) for row in rows))
    libc = C.CDLL(None, use_errno=True)
    what = C.create_string_buffer(struct.pack("HxxxxxxP", len(rows), C.addressof(program)))
    return libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0 and libc.prctl(SECCOMP, FILTER, what, 0, 0) == 0


def confine(folders: Sequence[str]) -> list[str]:
    """Take all rights away but writing into `folders`.  Returns what the system could do, with its version."""
    if not sys.platform.startswith("linux"):
        return []
    version = landlock(folders)
    return [*([f"Landlock {version}"] if version else []), *(["seccomp"] if seccomp() else [])]


def probe(request: dict[str, Any]) -> dict[str, Any]:
    """In a child: what `confine` can do here."""
    return {"confined": confine(request["folders"])}

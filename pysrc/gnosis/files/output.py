"""The one way of writing files.

A regular file is replaced whole: readers see the old one or the new one, which is on the disk before it takes the name, and of
two writers the last one wins.  Links are followed, also one that points to nothing yet.  Mode, owner and extended attributes of
the file that is replaced are kept; a new one gets those of any new file.  Of several hard links only the one that is named gets
the new content.  What is no regular file (a device, a FIFO, a socket, a descriptor of this process such as /dev/stdout) is
written into and never replaced.

`check` says before any work whether a path can be written; `write` writes what is there at once, `staged` a file that is made
step by step, and `create` opens a new file that grows, line by line, under its own name.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import secrets
import select
import socket
import stat
import sys
import tempfile
import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

LINKS = 40  # followed one after the other, as Linux does
PATIENCE = 5.0  # seconds in which somebody must open the other end of a FIFO, or take a connection
CHUNK = 1 << 20  # bytes written at once

_DESCRIPTORS = re.compile(r"/proc/([0-9]+)/(?:task/[0-9]+/)?fd")
_PATH = str | os.PathLike[str]


class OutputError(OSError):
    """A path that cannot be written; `filename` is the path as it was given, `strerror` what is wrong with it."""

    def __str__(self) -> str:
        return f"{self.filename}: {self.strerror}"


def _refused(given: _PATH, problem: str, code: int) -> OutputError:
    return OutputError(code, problem, str(given))


@dataclass(frozen=True)
class Place:
    """Where the bytes for a path go.

    given: the path as it was given.  path: after all links.  status: of what is there, None where nothing is.  descriptor: of this
    process, where the path names one (/dev/stdout, /dev/fd/3); kept: something that is open already, this one or another process's.
    """

    given: _PATH
    path: Path
    status: os.stat_result | None
    descriptor: int | None = None
    opened: bool = False

    @property
    def replaced(self) -> bool:
        """Whether a new file takes the name; otherwise what is there is written into."""
        return not self.opened and (self.status is None or stat.S_ISREG(self.status.st_mode))


def place(path: _PATH) -> Place:
    """Follow a path to where it leads.  Raises OutputError: a folder, a folder that does not exist, a loop of links, a name that is too long."""
    text = os.fspath(path)
    if not text or "\0" in text:
        raise _refused(path, "not a path", errno.EINVAL)
    for _ in range(LINKS):
        name = os.path.basename(text)
        if name in ("", ".", ".."):
            raise _refused(path, "is a folder", errno.EISDIR)
        folder = _folder(path, os.path.dirname(text) or ".")
        text = os.path.join(folder, name)
        with _named(path):
            if own := _DESCRIPTORS.fullmatch(folder):
                if not os.path.exists(text):
                    raise _refused(path, "no such descriptor is open", errno.EBADF)
                mine = int(own[1]) == os.getpid()
                return Place(path, Path(text), os.stat(text), int(name) if mine else None, opened=True)
            try:
                status = os.lstat(text)
            except FileNotFoundError:
                return Place(path, Path(text), None)
            if stat.S_ISDIR(status.st_mode):
                raise _refused(path, "is a folder", errno.EISDIR)
            if not stat.S_ISLNK(status.st_mode):
                return Place(path, Path(text), status)
            text = os.path.join(folder, os.readlink(text))
    raise _refused(path, "too many links, or a loop of them", errno.ELOOP)


def _folder(given: _PATH, folder: str) -> str:
    """The folder without links in its name; OutputError for one that is not there."""
    try:
        found = os.path.realpath(folder, strict=True)
        if not os.path.isdir(found):
            raise _refused(given, f"{folder} is not a folder", errno.ENOTDIR)
        return found
    except OutputError:
        raise
    except NotADirectoryError as error:
        raise _refused(given, f"{folder} is not a folder", errno.ENOTDIR) from error
    except FileNotFoundError as error:
        raise _refused(given, f"the folder {folder} does not exist", errno.ENOENT) from error
    except OSError as error:
        raise _refused(given, f"the folder {folder}: {error.strerror}", error.errno or errno.EIO) from error


def check(*paths: _PATH, new: Collection[_PATH] = (), inputs: Iterable[_PATH] = ()) -> None:
    """Whether all of these can be written, before the work whose result they are to hold; nothing is changed.

    new: those of them that must not be there yet.  inputs: files that are read: none of them is replaced.  Raises OutputError naming the path, also when two paths are one file.
    """
    read = []
    for one in inputs:
        with contextlib.suppress(OSError):  # whoever reads it says what is wrong with it
            read.append((one, os.stat(one)))
    seen: dict[Path, _PATH] = {}
    for path in paths:
        target = place(path)
        _writable(target)
        if not target.replaced:
            continue
        if target.status is not None and path in new:
            raise _refused(path, "the file exists", errno.EEXIST)
        for one, status in read:
            if target.status is not None and os.path.samestat(status, target.status):
                raise _refused(path, f"is read as well, as {one}", errno.EINVAL)
        if target.path in seen:
            raise _refused(path, f"is to be written twice, also as {seen[target.path]}", errno.EINVAL)
        seen[target.path] = path
        with _scratch(target):
            pass


def write(path: _PATH, content: str | bytes) -> None:
    """Write a whole file.  content: bytes, or text, which is written as UTF-8.  Raises OutputError; what was there is then as it was."""
    data = content.encode() if isinstance(content, str) else content
    target = place(path)
    _writable(target)
    if not target.replaced:
        _pour_into(target, [data])
        return
    with _scratch(target) as part:
        with _named(path):
            handle = os.open(part, os.O_WRONLY | os.O_CLOEXEC)
            try:
                _pour(handle, data)
            finally:
                os.close(handle)
        _take_place(part, target)


@contextlib.contextmanager
def staged(path: _PATH) -> Iterator[Path]:
    """A file to fill, step by step, by whatever writes to a path; at the end of the `with` it takes the place of `path`, after an exception it is gone.

    Raises OutputError at the beginning, before any work, and at the end.
    """
    target = place(path)
    _writable(target)
    if target.replaced:
        with _scratch(target) as part:
            yield part
            _take_place(part, target)
        return
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder, "part")
        part.touch()
        yield part
        with part.open("rb") as file:
            _pour_into(target, iter(lambda: file.read(CHUNK), b""))


@dataclass(frozen=True)
class Growing:
    """A new file that is written line by line under its own name.

    file: to be written to.  path: of the file, after all links.  made: whether it is a new file, and not something that is written into.
    """

    file: BinaryIO
    path: Path
    made: bool

    def sync(self) -> None:
        """Have on the disk what was written.  Raises OSError."""
        self.file.flush()
        if self.made:
            os.fsync(self.file.fileno())

    def close(self) -> None:
        """Sync and close.  Raises OSError."""
        try:
            self.sync()
        finally:
            self.file.close()

    def remove(self) -> None:
        """Close, and take a new file away again.  Raises OSError."""
        try:
            self.file.close()
        finally:
            if self.made:
                self.path.unlink(missing_ok=True)


def create(path: _PATH) -> Growing:
    """Open a file that must not be there yet; what is no regular file is written into.  Raises FileExistsError, OutputError."""
    target = place(path)
    if not target.replaced:
        return Growing(os.fdopen(_open_into(target), "wb"), target.path, False)
    handle = create_handle(path, os.O_WRONLY)
    return Growing(os.fdopen(handle, "wb"), target.path, True)


def create_handle(path: _PATH, flags: int) -> int:
    """A descriptor of a new file, whose name is on the disk.  Raises FileExistsError for anything that is there, OutputError."""
    target = place(path)
    if target.status is not None:
        raise FileExistsError(errno.EEXIST, "the file exists", str(path))
    try:
        handle = os.open(target.path, flags | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666)
    except FileExistsError:
        raise FileExistsError(errno.EEXIST, "the file exists", str(path)) from None
    except OSError as error:
        raise _refused(path, f"the folder {target.path.parent} cannot be written ({error.strerror})", error.errno or errno.EIO) from error
    try:
        sync_directory(target.path.parent)
    except BaseException:
        os.close(handle)
        target.path.unlink(missing_ok=True)
        raise
    return handle


def sync_directory(directory: Path) -> None:
    """Have the names in a directory on the disk: a new file is safe only then.  Raises OSError."""
    try:
        handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:  # one may write into it, and not list it
        os.sync()
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system that cannot
            raise
    finally:
        os.close(handle)


# ---- what is replaced ------------------------------------------------------------------------------------------------


def _writable(target: Place) -> None:
    """OutputError for what may not be written, as far as this can be known before."""
    with _named(target.given):
        if target.descriptor is not None:
            if fcntl.fcntl(target.descriptor, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
                raise _refused(target.given, "is open for reading only", errno.EBADF)
        elif target.status is not None and not os.access(target.path, os.W_OK):
            raise _refused(target.given, "may not be written (mode or mount are read-only)", errno.EACCES)


@contextlib.contextmanager
def _scratch(target: Place) -> Iterator[Path]:
    """An empty file of its own in the folder of the target, which is gone afterwards unless it took its place."""
    folder = target.path.parent
    part = folder / f".gnosis-{secrets.token_hex(8)}"  # short: the target's own name may be as long as names get
    try:
        try:
            # who may not read the old file may not read the new one while it is written either
            os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o666 if target.status is None else 0o600))
        except OSError as error:
            raise _refused(target.given, f"the folder {folder} cannot be written ({error.strerror})", error.errno or errno.EIO) from error
        yield part
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def _take_place(part: Path, target: Place) -> None:
    """Have the file on the disk and give it the target's name, with mode and owner of what it replaces.  Raises OutputError."""
    with _named(target.given):
        if not (now := place(target.given)).replaced or now.path != target.path:
            raise _refused(target.given, "leads somewhere else than when it was opened", errno.EBUSY)
        handle = os.open(part, os.O_RDONLY | os.O_CLOEXEC)
        try:
            kept = now.status is None or _like(handle, now)
            os.fsync(handle)
        finally:
            os.close(handle)
        if kept:
            try:
                os.replace(part, target.path)
            except OSError as error:
                if error.errno != errno.EBUSY:  # the file is a mount point of its own
                    raise
                kept = False
        if not kept:
            with part.open("rb") as file:
                _pour_into(now, iter(lambda: file.read(CHUNK), b""))
        sync_directory(target.path.parent)


def _like(handle: int, old: Place) -> bool:
    """Owner, extended attributes and mode as those of the old file; False where the owner is another one and may not be set."""
    assert old.status is not None
    new = os.fstat(handle)
    if (new.st_uid, new.st_gid) != (old.status.st_uid, old.status.st_gid):
        try:
            os.fchown(handle, old.status.st_uid, old.status.st_gid)
        except PermissionError:
            return False
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):  # not every file system has them, and some are not ours to set
            for name in os.listxattr(old.path):
                os.setxattr(handle, name, os.getxattr(old.path, name))
    os.fchmod(handle, stat.S_IMODE(old.status.st_mode) & ~(stat.S_ISUID | stat.S_ISGID))  # these two end with any write
    return True


# ---- what is written into --------------------------------------------------------------------------------------------


def _open_into(target: Place) -> int:
    """A descriptor for writing into what is there.  Raises OutputError; within PATIENCE also where nobody is at the other end."""
    with _named(target.given):
        if target.descriptor is not None:
            if target.descriptor in (1, 2):  # what was printed before comes before
                for stream in (sys.stdout, sys.stderr):
                    stream.flush()
            return os.dup(target.descriptor)
        assert target.status is not None
        if stat.S_ISSOCK(target.status.st_mode):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as end:
                end.settimeout(PATIENCE)
                end.connect(str(target.path))
                end.settimeout(None)
                return end.detach()
        flags = os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC
        flags |= os.O_APPEND if target.opened else os.O_TRUNC if stat.S_ISREG(target.status.st_mode) else 0
        until = time.monotonic() + PATIENCE
        while True:
            try:
                handle = os.open(target.path, flags)
                break
            except OSError as error:
                if error.errno != errno.ENXIO or not stat.S_ISFIFO(target.status.st_mode):
                    raise
                if time.monotonic() > until:
                    raise _refused(target.given, "is a FIFO that nobody reads", errno.ENXIO) from None
            time.sleep(0.02)
        os.set_blocking(handle, True)
        return handle


def _pour_into(target: Place, chunks: Iterable[bytes]) -> None:
    handle = _open_into(target)
    with _named(target.given):
        try:
            for chunk in chunks:
                _pour(handle, chunk)
            if target.status is not None and stat.S_ISREG(target.status.st_mode):
                os.fsync(handle)
        finally:
            os.close(handle)


def _pour(handle: int, data: bytes) -> None:
    """Write all of it, also to an end that others have made non-blocking."""
    rest = memoryview(data)
    while rest:
        try:
            rest = rest[os.write(handle, rest[:CHUNK]) :]
        except BlockingIOError:
            select.select([], [handle], [])


@contextlib.contextmanager
def _named(path: _PATH) -> Iterator[None]:
    """Errors of the system say which path they are about."""
    try:
        yield
    except (OutputError, FileExistsError):
        raise
    except OSError as error:
        raise _refused(path, error.strerror or str(error), error.errno or errno.EIO) from error

"""Files behind a URL, read by ranges through `fsspec`: http(s)://, s3://, gs://, hf:// and whatever else is installed for it.

Nothing waits for ever: every request ends after `timeout()` seconds.  After each read the file is looked at again, and one that is another than when it was
opened is refused.  `file://` is a path like any other and does not come here.
"""

from __future__ import annotations

import importlib
import os
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from ..errors import ArgumentError, RangeError

EXTRAS = {"http": "remote", "https": "remote", "s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs", "hf": "hf"}
URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
MOST_URL = 4096  # characters
PIECE = 1 << 23  # bytes of a request
TIMEOUT = 60.0  # seconds for one request, unless GNOSIS_TIMEOUT says otherwise
STATE = ("ETag", "etag", "md5Hash", "generation", "VersionId", "blob_id", "Last-Modified", "LastModified", "last_modified", "mtime")

T = TypeVar("T")


class RemoteError(OSError):
    """A file behind a URL that cannot be read; the message names it."""


class Address:
    """Where a file lies, in the way of a path.

    url: whole.  str() leaves out what may be secret, the name and password in front of the host and what stands behind a question mark, so that it may be shown.
    """

    def __init__(self, url: str) -> None:
        if len(url) > MOST_URL or not url.isprintable() or "::" in url or not URL.match(url):
            raise ArgumentError("url", url, "is no URL of one file")
        self.url = url
        self._parts = urlsplit(url) if url.lower().startswith("http") else None

    @property
    def scheme(self) -> str:
        return self.url.partition("://")[0].lower()

    @property
    def _path(self) -> str:
        return self.url.partition("://")[2] if self._parts is None else self._parts.path

    @property
    def name(self) -> str:
        last = self._path.rpartition("/")[2]
        return last if self._parts is None else unquote(last)

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix

    @property
    def stem(self) -> str:
        return Path(self.name).stem

    def with_name(self, name: str) -> Address:
        """Beside it; what stands behind a question mark stays."""
        if self._parts is None:
            return Address(f"{self.url.rpartition('/')[0]}/{name}")
        return Address(self._parts._replace(path=f"{self._parts.path.rpartition('/')[0]}/{name}").geturl())

    def __str__(self) -> str:
        if self._parts is None:
            return self.url
        return self._parts._replace(netloc=self._parts.netloc.rpartition("@")[2], query="", fragment="").geturl()

    def __repr__(self) -> str:
        return repr(str(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and other.url == self.url

    def __hash__(self) -> int:
        return hash(self.url)


Place = Path | Address


def place(name: str) -> Place:
    """A path, or the address that a URL stands for; `file://` is a path.  ArgumentError for a URL that is none of one file."""
    if not URL.match(name):
        return Path(name)
    address = Address(name)
    if address.scheme not in ("file", "local"):
        return address
    parts = urlsplit(name)
    if parts.netloc not in ("", "localhost"):
        raise ArgumentError("url", name, "names another machine; a file of this one has three slashes, file:///folder/file")
    return Path(unquote(parts.path))


def told(path: Place, error: OSError) -> str:
    """What to say of a file that cannot be read, its name once."""
    return str(error) if isinstance(path, Address) else f"{path}: {error.strerror or error}"


def timeout() -> float:
    """Seconds for one request.  RemoteError for a GNOSIS_TIMEOUT that is no number of them."""
    given = os.environ.get("GNOSIS_TIMEOUT")
    try:
        seconds = TIMEOUT if given is None else float(given)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86400:
        raise RemoteError(f"GNOSIS_TIMEOUT is {given!r}, not seconds above 0 and up to a day")
    return seconds


def _filesystem(address: Address) -> tuple[Any, str]:
    extra = EXTRAS.get(address.scheme, "remote")
    try:
        core = importlib.import_module("fsspec.core")
        options: dict[str, Any] = {"use_listings_cache": False}
        if extra == "remote":
            aiohttp = importlib.import_module("aiohttp")
            options["client_kwargs"] = {"timeout": aiohttp.ClientTimeout(total=None, sock_connect=timeout(), sock_read=timeout())}
        elif extra == "s3":
            options["config_kwargs"] = {"connect_timeout": timeout(), "read_timeout": timeout()}
        elif extra not in ("gs", "hf"):
            options = {}
        system, path = core.url_to_fs(address.url, **options)
    except ImportError as error:
        raise RemoteError(f"{address}: {error.name or error} is not installed; run: pip install 'gnosis-gates[{extra}]'") from None
    except (ValueError, OSError) as error:
        raise RemoteError(f"{address}: {error}") from None
    return system, str(path)


def _is_timeout(error: BaseException) -> bool:
    return isinstance(error, TimeoutError) or type(error).__name__ in ("FSTimeoutError", "ConnectTimeoutError", "ReadTimeoutError")


class Remote:
    """An open file behind a URL.  size: bytes.  state: what tells this version of it from another one.  Several threads may read; one at a time does."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._lock = threading.Lock()
        self._file: Any = None
        self._system, self._path = self._within(lambda: _filesystem(address))
        self.size, self.state = self._look()

    def _look(self) -> tuple[int, tuple[str, ...]]:
        self._system.invalidate_cache()
        info = self._within(lambda: self._system.info(self._path))
        size = info.get("size")
        if info.get("type") == "directory" or not isinstance(size, int) or size < 0:
            raise RemoteError(f"{self.address}: no file, or one whose length is not told")
        if info.get("partial") is False:
            raise RemoteError(f"{self.address}: the server says that it sends files only as a whole (Accept-Ranges: none)")
        return size, tuple(f"{key}={info[key]}" for key in STATE if info.get(key) is not None)

    def _within(self, call: Callable[[], T]) -> T:
        """What a call gives, in a thread of its own, so that no library can make us wait.  RemoteError."""
        found: list[T] = []
        failed: list[BaseException] = []

        def run() -> None:
            try:
                found.append(call())
            except BaseException as error:
                failed.append(error)

        seconds = timeout()
        thread = threading.Thread(target=run, daemon=True, name="gnosis-remote")
        thread.start()
        thread.join(seconds + 1)
        if found:
            return found[0]
        self._file = None  # the thread may still hold it
        late = f"{self.address}: no answer within {seconds:g} seconds (GNOSIS_TIMEOUT)"
        if not failed:
            raise RemoteError(late)
        (error,) = failed
        while isinstance(error, FileNotFoundError) and error.__cause__ is not None and getattr(error.__cause__, "status", 0) not in (404, 410):
            error = error.__cause__  # fsspec takes every refusal, and every server that is not there, for a missing file
        if _is_timeout(error):
            raise RemoteError(late)
        if isinstance(error, FileNotFoundError):
            raise RemoteError(f"{self.address}: no such file") from None
        if isinstance(error, RemoteError):
            raise error
        if type(error).__name__ == "FileExpired":
            raise RemoteError(f"{self.address}: it has changed since it was opened") from None
        raise RemoteError(
            f"{self.address}: {type(error).__name__}: {' '.join(str(error).split()).replace(self.address.url, str(self.address))[:300]}"
        ) from None

    def _fetch(self, start: int, end: int) -> bytes:
        def call() -> bytes:
            if self._file is None:
                self._file = self._system.open(self._path, "rb", cache_type="none", size=self.size)
            self._file.seek(start)
            return bytes(self._file.read(end - start))

        data = self._within(call)
        if len(data) != end - start:
            raise RemoteError(f"{self.address}: {len(data)} bytes came of the {end - start} at offset {start} (cut off?)")
        return data

    def unchanged(self) -> None:
        """RemoteError for a file that is another one by now."""
        size, state = self._look()
        if (size, state) != (self.size, self.state):
            raise RemoteError(
                f"{self.address}: it has changed since it was opened: " + (f"{size} bytes, {self.size} before" if size != self.size else "another version")
            )

    def pieces(self, start: int, end: int) -> Iterator[bytes]:
        """The bytes from start to end, at most PIECE of them at a time, each of the version that was opened.  RemoteError."""
        for at in range(start, end, PIECE):
            with self._lock:
                data = self._fetch(at, min(at + PIECE, end))
                self.unchanged()
            yield data

    def read(self, start: int, end: int) -> bytes:
        """The bytes from start to end.  RemoteError."""
        return b"".join(self.pieces(start, end))


def whole(address: Address, name: str, most: int) -> bytes:
    """All bytes of a file of at most so many.  RemoteError; RangeError, with the argument's name, for a larger one."""
    file = Remote(address)
    if file.size > most:
        raise RangeError(name, address, f"a file of {file.size} bytes, more than {most}")
    return file.read(0, file.size)


def exists(address: Address) -> bool:
    """Whether there is such a file.  RemoteError where that cannot be told."""
    try:
        Remote(address)
    except RemoteError as error:
        if str(error).endswith(": no such file"):
            return False
        raise
    return True

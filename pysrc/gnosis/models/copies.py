"""Copies of files behind a URL in the cache of this machine, for what must have them whole: engines, and numpy's files."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path

from ..files import output
from ..files.cache import cache_folder
from ..files.remote import Address, Place, Remote
from .headers import ModelError

FREE = 1 << 30  # bytes that a copy leaves free on the disk


def copied(places: Sequence[Place]) -> list[Path]:
    """The files side by side in one folder of the cache, fetched once for each version of them (ETag or date).  OSError, ModelError.

    A file of which the server tells neither is fetched each time.  ModelError where less than FREE bytes would be left on the disk.
    """
    remotes = [Remote(one) for one in places if isinstance(one, Address)]
    key = hashlib.sha256("\n".join(f"{one.address.url} {one.size} {one.state}" for one in remotes).encode()).hexdigest()[:32]
    folder = cache_folder() / f"remote-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    found = [folder / _name(one.address) for one in remotes]
    if len(set(found)) != len(found):
        raise ModelError(f"{remotes[0].address}: two files of the model have one name")
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one process fetches, the others wait for it
        missing = [(one, path) for one, path in zip(remotes, found) if not one.state or not path.exists() or path.stat().st_size != one.size]
        needed, free = sum(one.size for one, _ in missing), shutil.disk_usage(folder).free
        if missing and needed + FREE > free:
            raise ModelError(f"{missing[0][0].address}: a copy takes {needed} bytes in {folder}, where {free} are free and {FREE} shall remain (GNOSIS_CACHE)")
        for one, path in missing:
            with output.staged(path) as part, part.open("wb") as out:
                for piece in one.pieces(0, one.size):
                    out.write(piece)
    return found


def _name(address: Address) -> str:
    """ModelError for a name that would lead elsewhere."""
    if address.name in ("", ".", "..", "lock") or "/" in address.name or "\\" in address.name or not address.name.isprintable() or len(address.name) > 255:
        raise ModelError(f"{address}: its last part is no name of a file")
    return address.name

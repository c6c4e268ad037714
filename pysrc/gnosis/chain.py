"""Lines of JSON that are chained by hashes: a line that is changed, moved or taken out is seen.

Whoever changes a line may write all later hashes anew; a chain shows accidents and plain edits, and is no signature.
"""
from __future__ import annotations

import hashlib
import re

START = "0" * 64  # what a chain begins with
_CHAIN = re.compile(rb',"chain":"([0-9a-f]{64})"\}\Z')


def linked(previous: str, body: bytes) -> str:
    """The hash that closes a line: of the hash before and the line without its own."""
    return hashlib.sha256(previous.encode() + body).hexdigest()


def split(line: bytes) -> tuple[bytes, str | None]:
    """A line without its hash, and the hash; the line itself and None when it has none."""
    found = _CHAIN.search(line)
    return (line[:found.start()], found[1].decode()) if found else (line, None)

"""Lines of JSON that are chained by hashes: a line that is changed, moved or taken out is seen.

Each line ends in the hash of the line before and of itself, so that lines which were edited, dropped, doubled, exchanged or put
together from two files do not follow from one another.  What a chain cannot see is that whole lines are missing at the end: a
format with a closing line counts them there, and for one without (`gnosis.risk.accounts`) a checkpoint kept elsewhere does it.  Whoever
changes a line may write all later hashes anew; a chain shows accidents and plain edits, and is no signature.
"""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

from ..errors import ArgumentError
from .grammar import exact_json, json_object

START = "0" * 64  # what a chain begins with
_CHAIN = re.compile(rb',"chain":"([0-9a-f]{64})"\}\Z')


def linked(previous: str, body: bytes) -> str:
    """The hash that closes a line: of the hash before and the line without its own."""
    return hashlib.sha256(previous.encode() + body).hexdigest()


def split(line: bytes) -> tuple[bytes, str | None]:
    """A line without its hash, and the hash; the line itself and None when it has none."""
    found = _CHAIN.search(line)
    return (line[: found.start()], found[1].decode()) if found else (line, None)


def write(previous: str, fields: dict[str, Any]) -> tuple[bytes, str]:
    """The line of these fields, with its end, and the hash that closes it.  previous: the hash of the line before, START for the first."""
    body = exact_json(fields)[:-1]
    link = linked(previous, body)
    return b'%b,"chain":"%b"}\n' % (body, link.encode()), link


def read(previous: str, line: bytes, name: str) -> tuple[dict[str, Any], str]:
    """The fields of a line (without its end) that `write` wrote after `previous`, and its hash.

    Raises ArgumentError, whose `problem` says what is wrong: the chain, the text, or another way of writing the same fields.
    """
    body, link = split(line)
    if link is None:
        raise ArgumentError(name, line[-40:], "no hash at the end of the line")
    if linked(previous, body) != link:
        raise ArgumentError(name, link, "chain: this line, or the one before it, is not the one that was written")
    try:
        text = body.decode() + "}"
    except UnicodeDecodeError as error:
        raise ArgumentError(name, line[:40], f"not UTF-8 ({error.reason} at byte {error.start})") from None
    fields = json_object(text, name, None)
    if body not in (exact_json(fields)[:-1], json.dumps(fields, separators=(",", ":")).encode()[:-1]):  # with or without escapes
        raise ArgumentError(name, line[:80], "written in another way than ours")
    return fields, link

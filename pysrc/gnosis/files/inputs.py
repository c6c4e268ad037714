"""The one place where files from outside are opened.

A file may be anything: a FIFO that nobody writes to, a device that never ends, a few bytes that ask for gigabytes.  So only regular
files are opened, no call waits, the size is known and held against a bound before a byte is read, and what a text asks for (lines,
values, nesting) is counted before anything is made of it.  A refusal is meant to take less than 2 s and 256 MiB.
"""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from ..errors import ArgumentError, RangeError
from .remote import Address, whole

SMALL = 1 << 26  # bytes of a file that is read into memory as one text
MOST_LINES = 1 << 19  # of such a text
LONGEST_LINE = 1 << 20  # characters of one of them
MOST_WIDE = 1 << 24  # bytes of a text that is not ASCII: one letter beyond makes every other take four bytes in memory
MOST_VALUES = 1 << 20  # of a JSON text: every one takes up to some hundred bytes
MOST_YAML = 1 << 16  # bytes; the parser takes some microseconds for each
MOST_EVENTS, MOST_DEPTH = 4096, 16  # of a YAML text
SHOWN = 120  # characters of a name in a message

_KINDS = {stat.S_IFIFO: "a FIFO", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket", stat.S_IFDIR: "a directory"}
_LINE_ENDS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"  # where str.splitlines cuts


def quoted(text: str, most: int = SHOWN) -> str:
    """A name for a message: in quotes, control characters escaped, the middle of one that is long left out."""
    return repr(text) if len(text) <= most else f"{text[:most]!r}… ({len(text):,} characters)"


def shown(value: object, most: int = SHOWN) -> str:
    """What stands in a message without quotes: the same care as `quoted`."""
    text = str(value)
    clean = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[:most])
    return clean if len(text) <= most else f"{clean}… ({len(text):,} characters)"


def _refuse(mode: int, path: str | os.PathLike[str], name: str) -> None:
    if not stat.S_ISREG(mode):
        raise ArgumentError(name, Path(path), f"not a regular file but {_KINDS.get(stat.S_IFMT(mode), 'something else')}")


def opened(path: str | os.PathLike[str], name: str, most: int | None = None) -> BinaryIO:
    """A regular file, open for reading bytes; links are followed.

    name: of the argument, for messages.  most: bytes that it may have; None for a file that is mapped or read piece by piece.
    Never waits.  Raises OSError; ArgumentError for a FIFO, a device, a socket, a directory and for too many bytes.
    """
    try:
        mode = os.stat(path).st_mode
    except ValueError as error:  # a zero byte or half a character in a path
        raise ArgumentError(name, Path(path), str(error)) from None
    _refuse(mode, path, name)  # before it is opened: that alone may do something to a device
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    file = os.fdopen(handle, "rb")
    try:
        status = os.fstat(file.fileno())
        _refuse(status.st_mode, path, name)  # it may be another one by now
        if most is not None and status.st_size > most:
            raise RangeError(name, Path(path), f"a file of {status.st_size} bytes, more than {most}")
    except BaseException:
        file.close()
        raise
    return file


def size(file: BinaryIO) -> int:
    """Bytes of an open file, now."""
    return os.fstat(file.fileno()).st_size


def _path(path: str | os.PathLike[str] | Address) -> Path | Address:
    return path if isinstance(path, Address) else Path(path)


def read_bytes(path: str | os.PathLike[str] | Address, name: str, most: int = SMALL) -> bytes:
    """All bytes of a regular file of at most so many, or of one behind a URL.  Raises as `opened`; ArgumentError for one that says another size than it has.

    A file that grows or shrinks meanwhile is refused, and so are those of /proc, which have a size of 0 and go on.
    """
    if isinstance(path, Address):
        return whole(path, name, most)
    with opened(path, name, most) as file:
        claimed = size(file)
        content = file.read(claimed + 1) or b""
    if len(content) != claimed:
        raise ArgumentError(
            name, Path(path), f"the size of the file is {claimed}, {'at least ' if len(content) > claimed else ''}{len(content)} bytes were read"
        )
    return content


def read_text(path: str | os.PathLike[str] | Address, name: str, most: int = SMALL) -> str:
    """The text of a regular file, in UTF-8.  Raises as `read_bytes`; ArgumentError for other bytes, the zero byte among them."""
    content = read_bytes(path, name, most)
    if (at := content.find(0)) >= 0:
        raise ArgumentError(name, _path(path), f"not UTF-8 text (a zero byte at offset {at})")
    try:
        return utf8(content)
    except ValueError as error:
        raise ArgumentError(name, _path(path), str(error)) from None


def utf8(data: bytes | mmap.mmap, start: int = 0, end: int | None = None) -> str:
    """The text in data[start:end].  ValueError for what is not UTF-8, and for more than MOST_WIDE bytes of it that are not ASCII."""
    end = len(data) if end is None else end
    with memoryview(data) as whole, whole[start:end] as part:
        if len(part) > MOST_WIDE:
            for at in range(0, len(part), 1 << 20):
                if not bytes(part[at : at + (1 << 20)]).isascii():
                    raise ValueError(f"{len(part)} bytes of text with other letters than ASCII (from offset {start + at} on), more than {MOST_WIDE}")
        try:
            return str(part, "utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"not UTF-8 text ({error.reason} at offset {start + error.start})") from None


def read_lines(path: str | os.PathLike[str] | Address, name: str, most: int = SMALL) -> list[str]:
    """The lines of a text without their ends, cut as `str.splitlines` does.  Raises as `read_text`; ArgumentError for too many, or too long ones."""
    text = read_text(path, name, most)
    count = sum(map(text.count, _LINE_ENDS))
    if count > MOST_LINES:
        raise RangeError(name, _path(path), f"a text of {count} lines, more than {MOST_LINES}")
    found = text.splitlines()
    longest = max(range(len(found)), key=lambda i: len(found[i]), default=0)
    if found and len(found[longest]) > LONGEST_LINE:
        raise RangeError(name, _path(path), f"line {longest + 1} has {len(found[longest])} characters, more than {LONGEST_LINE}")
    return found


def lines(file: BinaryIO, path: str | os.PathLike[str], name: str, longest: int) -> Iterator[bytes]:
    """The lines of an open file of any size, with their ends, one after the other.  RangeError for one of more than `longest` bytes."""
    number = 0
    while line := file.readline(longest + 1):
        number += 1
        if len(line) > longest:
            raise RangeError(name, Path(path), f"line {number} has more than {longest} bytes")
        yield line


def mapped(path: str | os.PathLike[str], name: str) -> mmap.mmap:
    """A regular file in memory, read where it is touched.  Raises as `opened`; ArgumentError for an empty one."""
    with opened(path, name) as file:
        if not size(file):
            raise ArgumentError(name, Path(path), "truncated: the file is empty")
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def countable(text: str, most: int = MOST_VALUES) -> None:
    """Refuse a JSON text that would take long or much to read: ValueError for too many values.

    Commas and brackets inside of strings count as well: what is counted is never less than what there is.
    """
    values = text.count(",") + text.count("[") + text.count("{")
    if values > most:
        raise ValueError(f"about {values} values, more than {most}")


def yaml_mapping(text: str) -> dict[Any, Any]:
    """A YAML text that is one plain mapping.  ValueError for anything else, for anchors, for a key that occurs twice, and for more than a few thousand values.

    An anchor can stand for ever more copies of itself, and no file here has use for one.
    """
    import yaml

    if len(text) > MOST_YAML:
        raise ValueError(f"longer than {MOST_YAML} characters")
    parser = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        depth = 0
        for count, event in enumerate(yaml.parse(text, Loader=parser)):
            line = event.start_mark.line + 1 if event.start_mark else 0
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
                raise ValueError(f"line {line}: anchors and aliases are not taken")
            if count >= MOST_EVENTS or depth > MOST_DEPTH:
                raise ValueError(f"line {line}: more than {MOST_EVENTS} values, or nested deeper than {MOST_DEPTH}")
        node = yaml.compose(text, Loader=parser)
        _refuse_twice(node)
        fields = yaml.load(text, Loader=parser)
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(f"not YAML: {shown(' '.join(str(error).split()), 300)}") from None
    if not isinstance(fields, dict):
        raise ValueError("not a mapping")
    return fields


def _refuse_twice(node: Any) -> None:
    """ValueError for a mapping with a key that occurs twice, or with one that is no plain word."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.value in seen or key.tag == "tag:yaml.org,2002:merge":
                raise ValueError(f"line {key.start_mark.line + 1}: the key {quoted(str(key.value))} occurs twice, or is none")
            seen.add(key.value)
            _refuse_twice(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _refuse_twice(value)

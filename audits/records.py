"""Read headline.yaml and exceptions.yaml, which are YAML of one plain shape, with the standard library alone.

Understood are block mappings and block lists, plain, quoted, literal (`|`) and folded (`>`) text, whole numbers, `true`, `false`, `null`,
`{}` and `[]`, and comment lines.  All else that YAML has (anchors, tags, flow collections, other numbers, keys that stand
twice) is refused with the number of the line, so that no two readers can see different things in one file.
"""

from __future__ import annotations

import json
import re
from typing import Any

KEY = re.compile(r"([A-Za-z_][\w./-]*):(?: +(.*))?$")
WORDS: dict[str, object] = {"true": True, "false": False, "null": None, "{}": {}, "[]": []}
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
# what YAML 1.1 reads as something else than text when it stands plain
OTHER = re.compile(
    r"~|[-+]?\.?[0-9][0-9_.:eE+-]*|[-+]?0(?:b[01_]+|o[0-7_]+|x[0-9a-fA-F_]+)|[0-9]{4}-[0-9].*|[-+]?\.(?:inf|nan)|yes|no|on|off|y|n|true|false|null|=|<<", re.I
)
SPECIAL = "-?:,[]{}#&*!|>'\"%@`"


class BadRecords(ValueError):
    """The text is not of the one shape that is read here."""


class _Reader:
    def __init__(self, text: str, where: str) -> None:
        self.lines, self.where, self.at = text.split("\n"), where, 0
        if "\t" in text or "\r" in text or text.startswith("\ufeff"):
            raise BadRecords(f"{where}: a tab, a carriage return or a byte order mark")

    def bad(self, what: str) -> BadRecords:
        return BadRecords(f"{self.where}:{self.at + 1}: {what}")

    def peek(self) -> tuple[int, str] | None:
        """Indentation and text of the next line that is neither empty nor a comment."""
        while self.at < len(self.lines):
            line = self.lines[self.at]
            text = line.strip(" ")
            if text and not text.startswith("#"):
                return len(line) - len(line.lstrip(" ")), text
            self.at += 1
        return None

    def block(self, least: int) -> object:
        here = self.peek()
        if here is None or here[0] < least:
            raise self.bad("nothing where a value must stand")
        return self.list(here[0]) if _item(here[1]) else self.mapping(here[0])

    def list(self, indent: int) -> list[Any]:
        out: list[Any] = []
        while (here := self.peek()) is not None and here[0] == indent and _item(here[1]):
            rest = here[1][1:].lstrip(" ")
            if not rest:
                raise self.bad("an empty item")
            if KEY.fullmatch(rest):
                inner = indent + len(here[1]) - len(rest)
                self.lines[self.at] = " " * inner + rest
                out.append(self.mapping(inner))
            else:
                out.append(self.scalar(rest, indent))
        self.end(here, indent)
        return out

    def mapping(self, indent: int) -> dict[str, Any]:
        out: dict[str, object] = {}
        while (here := self.peek()) is not None and here[0] == indent and not _item(here[1]):
            match = KEY.fullmatch(here[1])
            if match is None:
                raise self.bad(f"{here[1][:60]!r} is no `key: value`")
            key, rest = match[1], (match[2] or "").strip(" ")
            if key in out:
                raise self.bad(f"{key} stands twice")
            if rest:
                out[key] = self.scalar(rest, indent)
                continue
            self.at += 1
            below = self.peek()
            if below is not None and below[0] == indent and _item(below[1]):
                out[key] = self.list(indent)
            else:
                out[key] = self.block(indent + 1)
        if not (here is not None and here[0] == indent and _item(here[1])):
            self.end(here, indent)
        return out

    def end(self, here: tuple[int, str] | None, indent: int) -> None:
        if here is not None and here[0] > indent:
            raise self.bad("a line that is indented too far")

    def scalar(self, first: str, indent: int) -> object:
        """A value that begins with `first` on this line, inside something that is indented by `indent`."""
        if first in WORDS:
            self.at += 1
            value = WORDS[first]
            return value.copy() if isinstance(value, (dict, list)) else value
        if first in ("|", "|-", ">", ">-"):
            return self.text(first, indent)
        if first[0] == '"':
            self.at += 1
            try:
                value = json.loads(first)
            except ValueError:
                value = None
            if not isinstance(value, str):
                self.at -= 1
                raise self.bad(f"{first[:60]!r}: a text in double quotes must end on its line and escape as JSON does")
            return value
        parts = [first]
        self.at += 1
        while self.at < len(self.lines) and self.lines[self.at].strip(" ") and _indent(self.lines[self.at]) > indent:
            parts.append(self.lines[self.at].strip(" "))
            self.at += 1
        text = " ".join(parts)
        if text[0] == "'":
            if not re.fullmatch(r"'(?:[^']|'')*'", text):
                raise self.bad(f"{text[:60]!r}: quotes that do not match")
            return text[1:-1].replace("''", "'")
        if NUMBER.fullmatch(text):
            return int(text)
        if text[0] in SPECIAL or ": " in text or " #" in text or text.endswith(":") or any(p.startswith("#") for p in parts):
            raise self.bad(f"{text[:60]!r} cannot stand without quotes")
        if OTHER.fullmatch(text):
            raise self.bad(f"{text[:60]!r} would be no text to other readers of YAML; put it between quotes")
        return text

    def text(self, style: str, indent: int) -> str:
        self.at += 1
        rows: list[str] = []
        depth = None
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.strip(" "):
                if depth is None:
                    depth = _indent(line)
                    if depth <= indent:
                        break
                if _indent(line) < depth:
                    break
            rows.append(line[depth:] if depth is not None and line.strip(" ") else "")
            self.at += 1
        while rows and not rows[-1]:
            rows.pop()
        if not rows or not rows[0] or any(row != row.rstrip(" ") for row in rows):
            raise self.bad("a text that is empty, begins with an empty line, or has blanks at the end of a line")
        if style[0] == ">" and any(not row or row[0] == " " for row in rows):
            raise self.bad("a folded text with an empty or an indented line")
        return (" " if style[0] == ">" else "\n").join(rows) + ("" if style.endswith("-") else "\n")


def _item(text: str) -> bool:
    return text == "-" or text.startswith("- ")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def read(text: str, where: str) -> dict[str, Any]:
    """The mapping that the text holds.  Raises BadRecords, naming `where` and the line."""
    reader = _Reader(text, where)
    if (here := reader.peek()) is None or here[0] or _item(here[1]):
        raise reader.bad("a file of `key: value` lines must begin at the left margin")
    out = reader.mapping(0)
    if reader.peek() is not None:
        raise reader.bad("a line that belongs to nothing")
    return out

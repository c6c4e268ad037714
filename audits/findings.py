"""What an audit reports."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


def plain(text: str) -> str:
    """The text for a terminal.  A file can have any name, and what Lean says can hold any character: none may look like another
    line of the report, or change how the terminal shows the next one."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


@dataclass(frozen=True)
class Finding:
    """Something that must not be.  `where` is a file, a module or a declaration; `line` is 0 when there is none."""

    audit: str
    where: str
    text: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.audit}: {plain(self.where)}{f':{self.line}' if self.line else ''}: " + "\n    ".join(map(plain, self.text.split("\n")))

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

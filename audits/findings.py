"""What an audit reports."""
from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """Something that must not be.  `where` is a file, a module or a declaration; `line` is 0 when there is none."""

    audit: str
    where: str
    text: str
    line: int = 0

    def __str__(self) -> str:
        # a file can have any name, and none may look like another line of the report
        where = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in self.where)
        return f"{self.audit}: {where}{f':{self.line}' if self.line else ''}: {self.text}"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

"""What an audit reports."""
from __future__ import annotations

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Finding:
    """Something that must not be.  `where` is a file, a module or a declaration; `line` is 0 when there is none."""

    audit: str
    where: str
    text: str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.audit}: {self.where}{f':{self.line}' if self.line else ''}: {self.text}"

    def to_dict(self) -> dict:
        return asdict(self)

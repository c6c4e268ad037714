"""What a run found: rows of counts, disagreements, and what was skipped."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from .nearness import Near

Progress = Callable[[str, float], None]  # what is being done, and the share of the lane's time that is over
_SIDES = {"oracle": ("Lean says", "Python"), "kernel": ("Lean says", "Python"), "kernels": ("the exact answer is", "the kernel says")}


def shown(x: Any, most: int = 300) -> str:
    """Short repr."""
    text = repr(x)
    return text if len(text) <= most else text[: most - 1] + "…"


@dataclass(frozen=True)
class Disagreement:
    """The two sides gave different answers.  `args` is the shrunk case.

    decision: what was asked; outside the lanes of Lean and of the kernels the name of the check, whose `got` says what is wrong.
    """

    lane: str
    stem: str
    decision: str
    args: tuple[Any, ...]
    expected: Any
    got: Any
    where: str

    def __str__(self) -> str:
        case = f"{self.lane}: {self.decision}{shown(self.args)}"
        if self.lane not in _SIDES:
            return f"{case}: {self.got} ({self.where})"
        left, right = _SIDES[self.lane]
        return f"{case}: {left} {shown(self.expected)}, {right} {shown(self.got)} ({self.where})"


@dataclass
class Row:
    """One line of the summary."""

    lane: str
    name: str
    checked: int = 0
    admitted: int = 0  # how many answers were `true`: a lane that only ever sees refusals tests little
    disagreements: int = 0
    seconds: float = 0.0
    undecided: int = 0  # left to the exact gate, in the lanes that have such answers
    refused: int = 0  # arguments outside a kernel's range, or bytes that are no file, refused by an error as they must be

    @property
    def rate(self) -> float:
        return self.checked / self.seconds if self.seconds else 0.0


@dataclass
class Report:
    """What a run did."""

    seed: int
    rows: list[Row] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)
    skips: list[str] = field(default_factory=list)
    nearness: list[Near] = field(default_factory=list)  # of the bounds that the lane `floats` looks at
    promoted: int = 0
    reproduce: str = ""
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.disagreements

    def to_dict(self) -> dict[str, Any]:
        return {
            "v": 1,
            "ok": self.ok,
            **asdict(self),
            "rows": [{**asdict(r), "rate": round(r.rate, 1)} for r in self.rows],
            "nearness": [{**asdict(n), "ratio": n.ratio if math.isfinite(n.ratio) else None} for n in self.nearness],
        }

"""What every gate answers."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Verdict:
    """The answer of a gate.

    admit: whether the coarse value may be used.
    margin: exact distance to the threshold, in the units that the gate's docstring names; never negative when
        admitted, never positive when refused (at zero the gate's docstring says which).  None when there is no
        finite threshold to be distant from, which only a refusal can have.
    theorem: the Lean theorem that gives the admission its meaning.
    assumes: what that theorem takes from the user as a fact about the world.
    """

    admit: bool
    margin: Fraction | None
    theorem: str
    assumes: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Raises TypeError: a refusal is an answer too, so the truth of a verdict could only mislead."""
        raise TypeError("a Verdict is neither true nor false; ask for its .admit")

"""What every gate answers."""

from __future__ import annotations

import json
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

    def __repr__(self) -> str:
        """In figures that can be read; `to_json` has the margin whole."""
        if self.margin is None:
            margin = "no finite margin"
        else:
            try:
                near = float(self.margin)
            except OverflowError:
                near = float("inf") if self.margin > 0 else float("-inf")
            margin = f"margin {near:.6g}" if near or not self.margin else f"margin {'-' if self.margin < 0 else ''}0+"
        given = f", given that {'; '.join(self.assumes)}" if self.assumes else ""
        return f"Verdict({'admit' if self.admit else 'refuse'}, {margin}, {self.theorem}{given})"

    def to_json(self) -> str:
        """One line of JSON with sorted keys; the margin as an exact fraction, "3/4", or null."""
        fields = {"admit": self.admit, "assumes": list(self.assumes), "margin": None if self.margin is None else str(self.margin), "theorem": self.theorem}
        return json.dumps(fields, ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Verdict:
        """What `to_json` wrote.  ValueError for any other text, one whose margin contradicts its answer included."""
        fields = json.loads(text)
        if not isinstance(fields, dict) or set(fields) != {"admit", "assumes", "margin", "theorem"}:
            raise ValueError("not a verdict: the fields are admit, assumes, margin and theorem")
        admit, assumes, margin, theorem = (fields[name] for name in sorted(fields))
        if not isinstance(admit, bool) or not isinstance(theorem, str) or not isinstance(assumes, list) or not all(isinstance(a, str) for a in assumes):
            raise ValueError("not a verdict: a field is of another type")
        exact = None
        if margin is not None:
            exact = Fraction(margin) if isinstance(margin, str) else None
            if exact is None or str(exact) != margin:
                raise ValueError(f"not a verdict: margin is {margin!r}, not a fraction in lowest terms")
            if exact < 0 if admit else exact > 0:
                raise ValueError(f"not a verdict: margin {margin} contradicts the answer")
        elif admit:
            raise ValueError("not a verdict: an admission has a margin")
        return cls(admit, exact, theorem, tuple(assumes))

    def __bool__(self) -> bool:
        """Raises TypeError: a refusal is an answer too, so the truth of a verdict could only mislead."""
        raise TypeError("a Verdict is neither true nor false; ask for its .admit")

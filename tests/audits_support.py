"""What the tests of audits have in common."""
from __future__ import annotations

import yaml

from gnosis.audits import audit
from gnosis.spine.paths import root

LOCKED = """prelude
import Gnosis.Core
namespace Locked
/-- The threshold. -/
def limit (n : Nat) : Nat := n + 3
theorem kept (n : Nat) : n ≤ n := Nat.le_refl n
theorem weakened (n m : Nat) : n * m = m * n := Nat.mul_comm n m
theorem deleted (n : Nat) : n + 0 = n := rfl
theorem indirect (n : Nat) (h : limit n ≤ 5) : limit n ≤ 5 := h
theorem moved (n : Nat) : 0 ≤ n := Nat.zero_le n
end Locked
"""

EXCEPTIONS = {
    "floors": dict(audit.LOWEST),
    "axioms": [{"name": n, "reason": "Lean insists on it."} for n in ("sorryAx", "lcErased", "lcAny", "lcVoid")],
}


def needed_tokens() -> list[dict]:
    """The repository's own exceptions, as far as they are about the foundation."""
    rows = yaml.safe_load((root() / "audits" / "exceptions.yaml").read_text())["tokens"]
    rows = [{**r, "files": {f: n for f, n in r["files"].items() if f.startswith("Gnosis/Core") or f == "lakefile.lean"}} for r in rows]
    return [r for r in rows if r["files"]]

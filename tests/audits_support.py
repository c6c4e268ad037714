"""What the tests of audits have in common."""

from __future__ import annotations

from pathlib import Path

import yaml
from spines import Spine, copy

from gnosis.audits import audit, lock
from gnosis.spine import build as b
from gnosis.spine.paths import root
from gnosis.spine.toolchain import Toolchain

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

EXCEPTIONS = {"floors": dict(audit.LOWEST), "axioms": [{"name": n, "reason": "Lean insists on it."} for n in ("sorryAx", "lcErased", "lcAny", "lcVoid")]}


def needed_tokens() -> list[dict]:
    """The repository's own exceptions, as far as they are about the foundation."""
    rows = yaml.safe_load((root() / "audits" / "exceptions.yaml").read_text())["tokens"]
    rows = [{**r, "files": {f: n for f, n in r["files"].items() if f.startswith("Gnosis/Core") or f == "lakefile.lean"}} for r in rows]
    return [r for r in rows if r["files"]]


def compiled_foundation(lean: Toolchain) -> list[str]:
    """Modules of the foundation, compiled."""
    result = b.build(["Gnosis.Core"], lean=lean)
    assert result.ok, result.messages
    return result.compiled + result.cached


def locked_spine(folder: Path, lean: Toolchain, foundation: list[str]) -> Spine:
    """The foundation and one module, its statements locked."""
    spine = copy(folder / "spine", lean, foundation)
    spine.write("Gnosis.Locked", LOCKED)
    (spine.base / "audits").mkdir()
    (spine.base / "audits" / "exceptions.yaml").write_text(yaml.safe_dump({**EXCEPTIONS, "tokens": needed_tokens()}))
    specifications = [e for e in lock.load(root() / "audits" / "headline.yaml") if e.get("specifies")]
    own = [
        {"name": f"Locked.{n}", "module": "Gnosis.Locked", "section": 1, "english": "A sentence."} for n in ("kept", "weakened", "deleted", "indirect", "moved")
    ]
    (spine.base / "audits" / "headline.yaml").write_text(lock.dump([*specifications, *own]))
    report = spine.run(update_lock=True)
    assert report.findings == []
    return spine

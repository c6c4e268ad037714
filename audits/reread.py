"""Have the Lean kernel check every declaration of an interchange file, from an empty environment.

    python -m gnosis.audits.replay --library LIB --export FILE

The file stands alone here: nothing is compared with the compiled spine.  So an acceptance by the kernel is not yet
an answer.  The kernel goes by name for number and text literals and for arithmetic on them, and believes what a file
declares under these names; what is called unsafe it does not get to see; an axiom is an axiom.  Each of these stands
in `unchecked`, and `ok` is true only when there is none.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from . import accelerated, interchange
from .environment import Environment
from .kernel import Kernel, Lean, control
from .olean import show
from .units import add_all, differences, families, roots, unit_of

LISTED = 20  # of each kind of row


def unchecked(env: Environment) -> list[dict[str, str]]:
    """What the kernel takes on trust in this environment, or does not get to see."""
    rows = [(n, why) for n, why in accelerated.shapes(env)] + accelerated.unpinned(env)
    rows += [(n, "an axiom: assumed, not proved") for n, c in env.constants.items() if c.kind == "axiom" and not c.unsafe]
    rows += [(n, "unsafe: not given to the kernel") for n, c in env.constants.items() if c.unsafe]
    return [{"name": show(n), "why": why} for n, why in rows]


def run(path: Path, library: Path) -> dict[str, Any]:
    """Check the file at `path` with the kernel in `library`.  Raises BadImage, naming the line, when it is malformed."""
    clock = [time.process_time()]
    env = interchange.read(path).environment
    families(env)
    clock.append(time.process_time())
    lean = Lean(library)
    controlled = control(lean)
    kernel = Kernel(lean, env)
    unit = unit_of(env)
    order = list(dict.fromkeys(unit[n] for n in env.constants if n in unit))  # the file has dependency order, and was held to it
    rejected, cost = add_all(kernel, order)
    clock.append(time.process_time())
    different = differences(env, kernel, rejected)
    open_ = unchecked(env)
    clock.append(time.process_time())
    seconds = [round(b - a, 3) for a, b in zip(clock, clock[1:], strict=False)]
    return {
        "ok": controlled and not (rejected or different or open_),
        "control": controlled,
        "constants": len(env.constants),
        "units": len(order),
        "accepted": len(order) - len(rejected),
        "rejected": [show(n) for n in roots(env, rejected)],
        "rejected_units": len(rejected),
        "compared": sum(not c.unsafe for c in env.constants.values()),
        "differences": [{"name": show(n), "field": what} for n, what in different],
        "unchecked": open_[:LISTED],
        "unchecked_names": len(open_),
        "axioms": sorted(show(n) for n, c in env.constants.items() if c.kind == "axiom" and not c.unsafe),
        "unsafe": sorted(show(n) for n, c in env.constants.items() if c.unsafe),
        "slowest": [{"name": show(n), "seconds": round(cost[n], 3)} for n in sorted(cost, key=lambda n: -cost[n])[:5]],
        "seconds": dict(zip(("read", "check", "compare"), seconds, strict=True)),
    }

"""What is held against what: for each decision the exact Python reference and a source of cases.

One module per gate, with the gate's stem: TARGETS, and PACKED for forms of a decision that the kernel evaluates fast.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any


@dataclass(frozen=True)
class Target:
    """A decision under test.

    decision: its name in the Lean namespace Gnosis.  reference: the Python function that must give the same answer.
    generate: one tuple of arguments from a source of chance; aimed at thresholds, ties and bad shapes.
    """

    decision: str
    reference: Callable[..., Any]
    generate: Callable[[Random], tuple[Any, ...]]


@dataclass(frozen=True)
class PackedTarget(Target):
    """A decision in a form that is proved equal to it and that the kernel evaluates fast.

    group: what the samples have in common, a line of the report.  form: the name of the form in namespace Gnosis.
    module: where it is.  write: the arguments of the form as Lean text, from the arguments of the decision.
    natural: the form gives a natural number.
    """

    group: str
    form: str
    module: str
    write: Callable[..., str]
    natural: bool = False


def _modules() -> list[Any]:
    return [importlib.import_module(f"{__name__}.{m.name}") for m in sorted(pkgutil.iter_modules(__path__), key=lambda m: m.name)]


def load() -> dict[str, list[Target]]:
    """All targets, by stem."""
    return {m.__name__.rsplit(".", 1)[1]: list(m.TARGETS) for m in _modules()}


def packed() -> list[PackedTarget]:
    """The targets in packed form, of all stems."""
    return [target for m in _modules() for target in getattr(m, "PACKED", ())]

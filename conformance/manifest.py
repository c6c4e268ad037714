"""The manifest: which theorem is about which decision, and what runs it, tests it and would falsify it, checked both ways.

`conformance/manifest.yaml` has two halves.  `decisions` is written by `gnosis manifest --write`: for every target its gate, its exact
Python, its kernels, the headline theorems whose statement speaks of it, and their falsifiers.  The rest is judgement, by hand:
which C function decides what, and reasons for whatever stands alone.  `check` computes the first half again from the compiled spine,
the loaded modules and the targets, and resolves every name in the second.  What docstrings promise is checked beside it (`promises`).
"""

from __future__ import annotations

import ctypes
import importlib
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from .. import core, gates
from ..audits import lock
from ..audits.environment import Environment
from ..audits.olean import Name, show
from ..spine import build
from ..spine.paths import build_dir, installed, root
from ..spine.toolchain import find
from . import promises, replacements, targets
from .lanes import kernels as hot

COMPUTED = "decisions"
BY_HAND = ("kernels", "without_target", "without_decision", "without_falsifier", "other_falsifiers", "nothing_kept", "symbols")
HEADER = """\
# Theorem ↔ decision ↔ Python ↔ kernel ↔ target ↔ falsifier, checked both ways by `gnosis manifest` (conformance/manifest.py).
# By hand: kernels, without_target, without_decision, without_falsifier, other_falsifiers, nothing_kept, symbols.  `decisions` is written by `gnosis manifest --write`.
# Names of theorems and decisions are in the Lean namespace Gnosis unless they start with Nat.
"""


class BadManifest(ValueError):
    """manifest.yaml cannot be read, or has not the right shape."""


@dataclass
class World:
    """What there is, found out anew: nothing here comes from the manifest.

    theorems: headline theorem → the decisions that its statement speaks of, directly.  falsifiers: theorem → names.
    denials: constants whose statement is a negation.  counterexamples: headline theorems that are themselves in Gnosis/Falsifiers.
    sentences: theorems with a sentence about what would falsify them.  decisions: definition in Gnosis/Decision → those definitions there that it uses.
    targets: decision → (stem, Python reference).  symbols: public symbol of gnosis.gates → headline theorems that its source cites.
    kernels: exported C function → module.  declared: C functions in the headers.  driven: (decision, module) that the lane of the kernels runs.
    names: all constants of the compiled spine.  callables, tests, page: of `promises`, the page as it is on disk; tests is None where there are none, in an installed package.
    replaced, stored: of `replacements`, what the falsifiers replace, and the file as it is on disk.
    """

    theorems: dict[str, set[str]]
    falsifiers: dict[str, list[str]]
    denials: set[str]
    counterexamples: set[str]
    sentences: set[str]
    decisions: dict[str, set[str]]
    targets: dict[str, tuple[str, str]]
    symbols: dict[str, set[str]]
    kernels: dict[str, str]
    declared: set[str]
    driven: set[tuple[str, str]]
    names: set[str] = field(default_factory=set)
    callables: list[promises.Callable_] = field(default_factory=list)
    tests: set[str] | None = field(default_factory=set)
    page: str = ""
    replaced: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    stored: str = ""


def short(name: str) -> str:
    return name.removeprefix("Gnosis.")


def _spoken_of(env: Environment, name: Name, decisions: set[Name], inside: bool = False) -> set[Name]:
    """The decisions that a statement, or with `inside` a definition, speaks of; what these unfold to is left out."""
    constant = env.constants[name]
    stack, seen, found = list(env.refs(name, proofs=False) if inside else env.used(constant.type)), {name}, set()
    while stack:
        other = stack.pop()
        if other in seen:
            continue
        seen.add(other)
        if other in decisions:
            found.add(other)
        else:
            stack += env.refs(other, proofs=False)
    return found


def _exports(module: ModuleType, names: Iterable[str]) -> set[str]:
    """Which of the C functions the loaded extension module really has."""
    library = ctypes.CDLL(module.__file__)
    return {name for name in names if hasattr(library, name)}


def _symbol(function: Any) -> str:
    """Where a function is; a target that only writes a result in another form passes for what it wraps."""
    return f"{function.__module__}.{function.__qualname__}"


def survey(base: Path | None = None) -> World:
    """Look at the compiled spine, the gates, the kernels, the targets.  Raises BadImage when the spine is not built."""
    base = base or root()
    env = Environment(build_dir(base, find()), list(build.scan(base)))
    named = {show(n): n for n in env.constants}
    entries = lock.load(base / "audits" / "headline.yaml")
    decisions: set[Name] = {n for n, c in env.constants.items() if c.module.startswith("Gnosis.Decision.") and c.kind == "definition" and len(n) == 2}
    theorems = {short(e["name"]): {short(show(d)) for d in _spoken_of(env, named[e["name"]], decisions)} for e in entries if e["name"] in named}
    by_target = {t.decision: (stem, t.reference) for stem, ts in targets.load().items() for t in ts}
    symbols = {}
    for found in pkgutil.iter_modules(gates.__path__):
        module = importlib.import_module(f"{gates.__name__}.{found.name}")
        for name, thing in vars(module).items():
            if not name.startswith("_") and getattr(thing, "__module__", "") == module.__name__ and (inspect.isfunction(thing) or inspect.isclass(thing)):
                symbols[_symbol(thing)] = {t for t in re.findall(r"\bGnosis\.((?:\w+\.)*\w+)", inspect.getsource(thing)) if t in theorems}
    declared = set()
    for header in sorted((base / "cython_core").glob("*.h")):
        declared |= set(re.findall(r"^(?:[a-z_0-9]+ \*?)+(gnosis_\w+)\([^{;]*\);", header.read_text(encoding="utf-8"), re.M))
    kernels = {}
    for found in pkgutil.iter_modules(core.__path__):
        module = importlib.import_module(f"{core.__name__}.{found.name}")
        if str(module.__file__).endswith(".so"):
            for name in _exports(module, declared):
                if name not in kernels or name.startswith(f"gnosis_{found.name}"):
                    kernels[name] = found.name
    return World(
        theorems=theorems,
        falsifiers={short(e["name"]): [short(f) for f in e.get("falsified_by", [])] for e in entries},
        denials={short(text) for text, name in named.items() if replacements.is_denial(env, name)},
        counterexamples={short(e["name"]) for e in entries if e["module"].startswith("Gnosis.Falsifiers.")},
        sentences={short(e["name"]) for e in entries if e.get("falsifier")},
        decisions={short(show(d)): {short(show(o)) for o in _spoken_of(env, d, decisions, inside=True)} for d in decisions},
        targets={d: (stem, _symbol(reference)) for d, (stem, reference) in by_target.items()},
        symbols=symbols,
        kernels=kernels,
        declared=declared,
        driven={(h.decision, h.name.split(".")[0]) for h in hot.load_hot()},
        names={short(n) for n in named},
        callables=promises.callables(),
        tests=None if installed() else promises.tests(base),
        page=_read(base / promises.PAGE),
        replaced=replacements.survey(
            env, ((named[e["name"]], named[f]) for e in entries for f in e.get("falsified_by", []) if e["name"] in named and f in named)
        ),
        stored=_read(base / replacements.PAGE),
    )


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def computed(world: World, by_hand: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The half that is written: an entry for every target."""
    by_kernel: dict[str, list[str]] = {}
    for function, about in by_hand["kernels"].items():
        for decision in about.get("decisions", ()):
            by_kernel.setdefault(decision, []).append(function)
    out = {}
    for decision, (stem, python) in sorted(world.targets.items(), key=lambda item: (item[1][0], item[0])):
        theorems = sorted(t for t, about in world.theorems.items() if decision in about)
        entry: dict[str, Any] = {"gate": stem, "python": python}
        if decision in by_kernel:
            entry["kernels"] = sorted(by_kernel[decision])
        if theorems:
            entry["theorems"] = theorems
            falsifiers = sorted({f for t in theorems for f in world.falsifiers[t]})
            if falsifiers:
                entry["falsifiers"] = falsifiers
        else:
            entry["inside"] = sorted(d for d, uses in world.decisions.items() if decision in uses)
        out[decision] = entry
    return out


def reasons(section: Any, name: str) -> dict[str, str]:
    """A section by hand, `reason: [names]`, as name → reason.  Raises BadManifest for a name that stands twice."""
    out: dict[str, str] = {}
    if not isinstance(section, dict) or not all(
        isinstance(k, str) and isinstance(v, list) and v and all(isinstance(x, str) for x in v) for k, v in section.items()
    ):
        raise BadManifest(f"{name}: lists of names, each under its reason")
    for reason, names in section.items():
        for one in names:
            if one in out:
                raise BadManifest(f"{name}: {one} stands twice")
            out[one] = reason
    return out


def path(base: Path | None = None) -> Path:
    return (base or root()) / "conformance" / "manifest.yaml"


def load(file: Path | None = None) -> dict[str, Any]:
    """The manifest.  Raises BadManifest."""
    file = file or path()
    try:
        manifest = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise BadManifest(f"{file}: {error}") from None
    if not isinstance(manifest, dict) or set(manifest) - {COMPUTED} != set(BY_HAND):
        raise BadManifest(f"{file}: the sections are {', '.join((COMPUTED, *BY_HAND))}")
    for function, about in manifest["kernels"].items():
        if not isinstance(about, dict) or len(about) != 1 or not set(about) <= {"decisions", "reason"}:
            raise BadManifest(f"{file}: kernels: {function} has decisions or a reason")
    for section in BY_HAND[1:]:
        reasons(manifest[section], section)
    return manifest


def dump(manifest: dict[str, Any]) -> str:
    """The file in its one form."""
    text = HEADER
    for section in (*BY_HAND, COMPUTED):
        text += "\n" + yaml.dump({section: manifest[section]}, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=150, default_flow_style=None)
    return text


class _Plain(yaml.SafeDumper):
    """Writes equal lists out, each time."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _supported(decision: str, world: World, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a headline theorem speaks of the decision, or of one that it is a part of."""
    if any(decision in about for about in world.theorems.values()):
        return True
    users = {d for d, uses in world.decisions.items() if decision in uses} - seen
    return any(_supported(d, world, seen | {decision}) for d in users)


def check(manifest: dict[str, Any], world: World) -> list[str]:
    """Everything that is wrong, one line each."""
    found: list[str] = []
    say: Callable[[str], None] = found.append
    without_target, without_decision, without_falsifier, other_falsifiers, nothing_kept, symbols = (reasons(manifest[s], s) for s in BY_HAND[1:])

    # theorems → decisions → targets
    for theorem, about in sorted(world.theorems.items()):
        if not about and theorem not in without_decision:
            say(f"{theorem}: a headline theorem about no decision, and without_decision gives no reason")
        if about and not any(_has_target(d, world) for d in about):
            say(f"{theorem}: speaks of {', '.join(sorted(about))}, and none has a target")
    for theorem in sorted(without_decision):
        if theorem not in world.theorems:
            say(f"without_decision: {theorem} is no headline theorem")
        elif world.theorems[theorem]:
            say(f"without_decision: stale: {theorem} speaks of {', '.join(sorted(world.theorems[theorem]))}")
    # decisions → targets, targets → theorems
    for decision in sorted(world.decisions):
        if decision not in world.targets and decision not in without_target:
            say(f"{decision}: a definition in Gnosis/Decision without a target, and without_target gives no reason")
    for decision in sorted(without_target):
        if decision not in world.decisions:
            say(f"without_target: Gnosis/Decision has no {decision}")
        elif decision in world.targets:
            say(f"without_target: stale: {decision} has a target")
        elif not any(_has_target(d, world) for d, uses in world.decisions.items() if decision in uses):
            say(f"without_target: {decision} is a part of nothing that has a target")
    for decision in sorted(world.targets):
        if world.targets[decision][1] not in world.symbols and world.targets[decision][1] != "builtins.sum":
            say(f"{decision}: its reference {world.targets[decision][1]} is no public symbol of gnosis.gates")
        if decision not in world.decisions:
            say(f"{decision}: a target without a definition in Gnosis/Decision")
        elif not _supported(decision, world):
            say(f"{decision}: a target without a headline theorem")
    # falsifiers
    for theorem, falsifiers in sorted(world.falsifiers.items()):
        if not falsifiers and theorem not in without_falsifier:
            say(f"{theorem}: no falsifier, and without_falsifier gives no reason")
        for falsifier in falsifiers:
            if falsifier not in world.names:
                say(f"{theorem}: its falsifier {falsifier} does not exist")
            elif falsifier not in world.denials and falsifier not in other_falsifiers:
                say(f"{theorem}: its falsifier {falsifier} is no negation, and other_falsifiers gives no reason")
        if falsifiers and theorem not in world.counterexamples and not world.denials.intersection(falsifiers):
            say(f"{theorem}: none of its falsifiers is a negation")
    named = {f for falsifiers in world.falsifiers.values() for f in falsifiers}
    for falsifier in sorted(other_falsifiers):
        if falsifier not in named:
            say(f"other_falsifiers: {falsifier} falsifies no headline theorem")
        elif falsifier in world.denials:
            say(f"other_falsifiers: stale: {falsifier} is a negation")
    for theorem in sorted(without_falsifier):
        if theorem not in world.falsifiers:
            say(f"without_falsifier: {theorem} is no headline theorem")
        elif world.falsifiers[theorem]:
            say(f"without_falsifier: stale: {theorem} has {', '.join(world.falsifiers[theorem])}")
    # what the falsifiers replace
    if world.stored != replacements.dump(world.replaced):
        say(f"{replacements.PAGE}: is not what the falsifiers say; run `gnosis manifest --write`")
    alone = {f"{t} {f}" for t, some in world.replaced.items() for f, one in some.items() if not one["kept"] and len(one["without"]) > 1}
    for pair in sorted(alone - set(nothing_kept)):
        say(f"{' and its falsifier '.join(pair.split())} have no clause in common, and nothing_kept gives no reason")
    for pair in sorted(set(nothing_kept) - alone):
        say(f"nothing_kept: stale: {pair}")
    # Python
    references = {python for _, python in world.targets.values()}
    for symbol, cited in sorted(world.symbols.items()):
        if not cited and symbol not in references and symbol not in symbols:
            say(f"{symbol}: no theorem is behind it, and symbols gives no reason")
    for symbol in sorted(symbols):
        if symbol not in world.symbols:
            say(f"symbols: there is no {symbol}")
        elif world.symbols[symbol] or symbol in references:
            say(f"symbols: stale: {symbol} {'cites ' + ', '.join(sorted(world.symbols[symbol])) if world.symbols[symbol] else 'is the reference of a target'}")
    # kernels
    for function in sorted(world.declared - set(manifest["kernels"])):
        say(f"{function}: a C function that the manifest does not name")
    for function, about in sorted(manifest["kernels"].items()):
        if function not in world.kernels:
            say(f"kernels: no module of gnosis.core exports {function}")
            continue
        for decision in about.get("decisions", ()):
            if decision not in world.targets:
                say(f"kernels: {function} decides {decision}, which is no target")
            elif (decision, world.kernels[function]) not in world.driven:
                say(f"kernels: {function} decides {decision}, and no lane runs a kernel of {world.kernels[function]} for it")
    stated = {(d, world.kernels.get(f)) for f, about in manifest["kernels"].items() for d in about.get("decisions", ())}
    for decision, module in sorted(world.driven):
        if decision in world.targets and (decision, module) not in stated:
            say(f"kernels: a lane runs a kernel of {module} for {decision}, and no C function is named for it")
    # the half that is written
    now, then = computed(world, manifest), manifest.get(COMPUTED) or {}
    for decision in sorted(set(now) | set(then)):
        if decision not in then:
            say(f"decisions: {decision} is missing; run `gnosis manifest --write`")
        elif decision not in now:
            say(f"decisions: there is no target {decision}")
        elif now[decision] != then[decision]:
            keys = sorted(k for k in set(now[decision]) | set(then[decision]) if now[decision].get(k) != then[decision].get(k))
            say(f"decisions: {decision}: {', '.join(f'{k} is {now[decision].get(k)} and not {then[decision].get(k)}' for k in keys)}")
        if decision in then:
            for symbol in {then[decision].get("python")} - {now.get(decision, {}).get("python")}:
                if not _resolves(symbol):
                    say(f"decisions: {decision}: {symbol} cannot be imported")
    # promises
    found += promises.check(world.callables, world.theorems, world.decisions, world.tests)
    if world.page != promises.page(world.callables):
        say(f"{promises.PAGE}: is not what the docstrings say; run `gnosis manifest --write`")
    return found


def _has_target(decision: str, world: World, seen: frozenset[str] = frozenset()) -> bool:
    """Whether the decision, or one that it is a part of, has a target."""
    if decision in world.targets:
        return True
    return any(_has_target(d, world, seen | {decision}) for d, uses in world.decisions.items() if decision in uses and d not in seen)


def _resolves(symbol: Any) -> bool:
    module, _, name = str(symbol).rpartition(".")
    try:
        return hasattr(importlib.import_module(module), name)
    except (ImportError, ValueError):
        return False


def write(file: Path | None = None, world: World | None = None) -> bool:
    """Write the computed half anew, and the page of promises unless `file` is another one; returns whether anything changed.  Raises BadManifest."""
    world = world or survey()
    where = file or path()
    manifest = load(where)
    manifest[COMPUTED] = computed(world, manifest)
    texts = {where: dump(manifest)}
    if file is None:
        world.stored = texts[root() / replacements.PAGE] = replacements.dump(world.replaced)
        world.page = texts[root() / promises.PAGE] = promises.page(world.callables)
    changed = {one: text for one, text in texts.items() if _read(one) != text}
    for one, text in changed.items():
        one.write_text(text, encoding="utf-8")
    return bool(changed)

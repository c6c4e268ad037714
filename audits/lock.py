"""The statement lock: what the headline theorems say, word for word, and what their words mean.

`headline.yaml` holds for every headline theorem an English sentence, written by hand, and three things that
`gnosis spine lock` writes: the statement as Lean prints it, its hash, and the hash of the statement together with
the body of every definition that it unfolds to.  `definitions.lock` lists those definitions with a hash each.
So a weakened statement, another body under the same name or a theorem that is gone changes a line under version
control, and the audit refuses until somebody has looked and run `gnosis spine lock`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .environment import Environment
from .findings import Finding
from .olean import Name, show
from .records import BadRecords, read

HEADER = """\
# Headline theorems.  By hand: name, module, section of the theory, english, source (the claim that it answers to: of Wei
# and Liu, "Pricing the Risk of Runtime Compression", arXiv 2608.15810; of the lattice-probe note, "JIT
# speculative-precision dequantization"; of the deferred-refinement note, "Margin-gated deferred-refinement runtime"; or
# standard, with the classical reference), falsifier (a change that would make it false), falsified_by (theorems that
# show that), specifies (accelerated operations, see accelerated.py).
# Written by `gnosis spine lock`: statement, statement_sha256, meaning_sha256 (with all definitions it unfolds to).
# A change in those three lines means that the theorem now says something else.
"""
DEFINITIONS = """\
# Written by `gnosis spine lock`: every definition that a headline statement or one of its falsifiers unfolds to, with
# the hash of type and body, and the falsifiers, with the hash of what they say.
"""
BY_HAND = ("name", "module", "section", "english", "source", "falsifier", "falsified_by", "specifies")
SHOWN = 20  # changed definitions that are listed one by one
WRITTEN = ("statement", "statement_sha256", "meaning_sha256")


class BadHeadline(Exception):
    """headline.yaml is not what it should be."""


def load(path: Path) -> list[dict[str, Any]]:
    """The entries of headline.yaml, checked for shape.  Raises BadHeadline."""
    try:
        return parse(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise BadHeadline(f"{path}: {error}") from error


def parse(text: str, path: str = "audits/headline.yaml") -> list[dict[str, Any]]:
    """The entries of a text like headline.yaml, checked for shape.  Raises BadHeadline."""
    try:
        data = read(text, path)
    except BadRecords as error:
        raise BadHeadline(str(error)) from error
    if set(data) != {"theorems"}:
        raise BadHeadline(f"{path}: must hold `theorems:` and nothing else")
    entries = data["theorems"]
    if not isinstance(entries, list) or not entries:
        raise BadHeadline(f"{path}: no theorems")
    seen = set()
    for entry in entries:
        if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
            raise BadHeadline(f"{path}: an entry without name: {entry!r}")
        name = entry["name"]
        unknown = set(entry) - {*BY_HAND, *WRITTEN}
        if unknown:
            raise BadHeadline(f"{path}: {name} has unknown fields {sorted(unknown)}")
        for key in ("module", "english", *(["source"] if "source" in entry else [])):
            if not isinstance(entry.get(key), str) or not entry[key].strip():
                raise BadHeadline(f"{path}: {name} has no {key}")
        if type(entry.get("section")) is not int:
            raise BadHeadline(f"{path}: {name} has no section number")
        for key in ("falsified_by", "specifies"):
            if not isinstance(entry.get(key, []), list) or not all(isinstance(x, str) for x in entry.get(key, [])):
                raise BadHeadline(f"{path}: {key} of {name} is no list of names")
        if not isinstance(entry.get("falsifier", ""), str) or ("falsified_by" in entry and "falsifier" not in entry):
            raise BadHeadline(f"{path}: {name} has no sentence for its falsifier")
        if name in seen:
            raise BadHeadline(f"{path}: {name} stands twice")
        seen.add(name)
    return entries


def specified(entries: list[dict[str, Any]]) -> dict[str, list[str]]:
    """Accelerated operation → the headline theorems that specify it."""
    out: dict[str, list[str]] = {}
    for entry in entries:
        for name in entry.get("specifies", []):
            out.setdefault(name, []).append(entry["name"])
    return out


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _resolve(env: Environment) -> dict[str, Name]:
    return {show(n): n for n in env.constants}


def written(env: Environment, name: Name, statement: str) -> dict[str, str]:
    """The fields that `gnosis spine lock` writes for a theorem."""
    return {"statement": statement, "statement_sha256": sha(statement), "meaning_sha256": env.statement_hash(name)}


def definitions(env: Environment, entries: list[dict[str, Any]]) -> dict[str, str]:
    """Every definition that a headline statement or a falsifier unfolds to, and the falsifiers, with a hash each."""
    names = _resolve(env)
    falsifiers = {names[f] for e in entries for f in e.get("falsified_by", []) if f in names}
    used = falsifiers.union(*(env.meaning(n) for n in falsifiers | {names[e["name"]] for e in entries if e["name"] in names}))
    return {show(n): f"{env.definition_hash(n)[:32]} {env.constants[n].kind}" for n in used}


def read_definitions(text: str) -> dict[str, str]:
    """The lines of definitions.lock.  Raises ValueError on a line that has another form or stands twice."""
    out = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            digest, kind, name = line.split(" ", 2)
            if name in out:
                raise ValueError(f"audits/definitions.lock: {name} stands twice")
            out[name] = f"{digest} {kind}"
    return out


def audit(env: Environment, entries: list[dict[str, Any]], statements: dict[str, str], locked: dict[str, str]) -> list[Finding]:
    """Differences between the lock and the compiled spine.  `statements` are what Lean prints, by name, `locked` the
    lines of definitions.lock."""
    found: list[Finding] = []
    names = _resolve(env)

    def say(where: str, text: str) -> None:
        found.append(Finding("lock", where, text))

    now = definitions(env, entries)
    changed = {d for d in locked.keys() | now.keys() if locked.get(d) != now.get(d)}
    concerned: dict[str, list[str]] = {}
    for entry in entries:
        text = entry["name"]
        name = names.get(text)
        if name is None or env.constants[name].kind != "theorem":
            say(text, "a headline theorem that is gone" if name is None else f"a headline theorem that is now a {env.constants[name].kind}")
            continue
        if env.constants[name].module != entry["module"]:
            say(text, f"is in {env.constants[name].module}, and headline.yaml says {entry['module']}")
        for falsifier in entry.get("falsified_by", []):
            if falsifier not in names or env.constants[names[falsifier]].kind != "theorem":
                say(text, f"its falsifier {falsifier} is no theorem")
            concerned.setdefault(falsifier, []).append(text)
        want = written(env, name, statements[text])
        if any(not entry.get(key) for key in WRITTEN):
            say(text, "has no locked statement; run `gnosis spine lock`")
        elif sha(entry["statement"]) != entry["statement_sha256"]:
            say(text, "the locked statement and its hash disagree")
        elif want["statement"] != entry["statement"]:
            say(text, f"the statement is no longer the locked one.\nlocked: {entry['statement']}\nnow:    {want['statement']}")
        elif want["meaning_sha256"] != entry["meaning_sha256"]:
            touched = {show(n) for n in env.meaning(name)} & changed
            for definition in touched:
                concerned.setdefault(definition, []).append(text)
            if not touched:
                say(text, "the same words with another meaning (the type differs in what is not printed, or a definition is gone)")
    if len(changed) > SHOWN:
        say("audits/definitions.lock", f"{len(changed)} definitions differ; the first {SHOWN} follow")
    for definition in sorted(changed)[:SHOWN]:
        how = "is new here" if definition not in locked else "is gone" if definition not in now else "has another type or body"
        on = concerned.get(definition, [])
        say(definition, f"{how}; headline theorems that it matters to: {', '.join(on[:5]) or 'none'}{f' and {len(on) - 5} more' if len(on) > 5 else ''}")
    return found


def dump(entries: list[dict[str, Any]]) -> str:
    """headline.yaml in its one form: fields in a fixed order, sorted by section, then module, in the order given."""
    import yaml  # writing only: what is audited is read without it

    class Dumper(yaml.SafeDumper):
        pass

    class Block(str):
        pass

    class Folded(str):
        pass

    Dumper.add_representer(Block, lambda d, s: d.represent_scalar("tag:yaml.org,2002:str", s, style="|"))
    Dumper.add_representer(Folded, lambda d, s: d.represent_scalar("tag:yaml.org,2002:str", s, style=">"))
    out = []
    for entry in sorted(entries, key=lambda e: (e["section"], e["module"])):
        row: dict[str, object] = {k: entry[k] for k in (*BY_HAND, *WRITTEN) if entry.get(k)}
        row["section"] = entry["section"]
        row = {k: row[k] for k in (*BY_HAND, *WRITTEN) if k in row}
        for key in ("english", "falsifier"):
            if key in row:
                row[key] = Folded(" ".join(entry[key].split()) + "\n")
        if "statement" in row:
            row["statement"] = Block(entry["statement"])
        out.append(yaml.dump([row], Dumper=Dumper, sort_keys=False, allow_unicode=True, width=110))
    return HEADER + "theorems:\n" + "\n".join(out)


def update(
    env: Environment, entries: list[dict[str, Any]], statements: dict[str, str], headline: Path, path: Path, progress: Callable[[str], None] = lambda _: None
) -> int:
    """Write both files anew from the compiled spine; returns how many entries changed.  Raises BadHeadline on an unknown theorem."""
    names, changed = _resolve(env), 0
    gone = [e["name"] for e in entries if e["name"] not in names or env.constants[names[e["name"]]].kind != "theorem"]
    if gone:
        raise BadHeadline(f"not a theorem of the spine: {', '.join(gone)}")
    for entry in entries:
        want = written(env, names[entry["name"]], statements[entry["name"]])
        if any(entry.get(k) != v for k, v in want.items()):
            changed += 1
            progress(entry["name"])
        entry.update(want)
    headline.write_text(dump(entries), encoding="utf-8")
    lines = [f"{v} {k}\n" for k, v in sorted(definitions(env, entries).items())]
    path.write_text(DEFINITIONS + "".join(lines), encoding="utf-8")
    return changed

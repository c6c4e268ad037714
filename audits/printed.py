"""What Lean itself prints: statements by `#check`, axioms by `#print axioms`."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from .build import scratch
from .lean import Toolchain, run
from .olean import BadImage, Name, show

# fixed, so that a printed statement changes only when the statement does
OPTIONS = {
    "format.width": "110",
    "pp.fullNames": "true",
    "pp.deepTerms": "true",
    "pp.maxSteps": "10000000",
    "pp.proofs": "true",
    "pp.universes": "false",
    "pp.piBinderTypes": "true",
    "pp.funBinderTypes": "true",
    "pp.letVarTypes": "true",
    "pp.safeShadowing": "false",
    "pp.sanitizeNames": "false",
    "pp.numericTypes": "false",
    "pp.mvars": "true",
    "pp.unicode.fun": "false",
    "pp.fieldNotation": "false",
    "pp.instances": "true",
    "pp.beta": "false",
    "pp.analyze": "false",
}

FAILED = "[Error pretty printing"  # what stands in the text when the printer gives up


def writable(name: Name) -> bool:
    """Whether the name can be written in a source file (the names of private declarations cannot)."""
    return bool(name) and all(isinstance(c, str) and "»" not in c for c in name)


def _quote(name: Name) -> str:
    return ".".join(f"«{c}»" for c in name)


def ask(lean: Toolchain, out: Path, modules: Iterable[str], commands: list[str]) -> list[str]:
    """The answer to each one-line command in a file that imports `modules`.  Raises BadImage when Lean objects."""
    head = ["prelude", *(f"import {m}" for m in modules), *(f"set_option {k} {v}" for k, v in OPTIONS.items())]
    with tempfile.TemporaryDirectory(prefix="gnosis-", dir=scratch()) as folder:
        file = Path(folder, "ask.lean")
        file.write_text("\n".join([*head, *commands, ""]), encoding="utf-8")
        done = run(lean, ["--json", str(file)], out, Path(folder))
    answers = [""] * len(commands)
    for line in done.stdout.splitlines():
        try:
            said = json.loads(line)
            row, data, severity = said["pos"]["line"] - len(head) - 1, said["data"], said["severity"]
        except (ValueError, KeyError, TypeError):
            raise BadImage(f"Lean said something that is no message: {line[:200]}") from None
        if severity != "information" or not 0 <= row < len(commands):
            raise BadImage(f"Lean answered {commands[row] if 0 <= row < len(commands) else 'the imports'} with: {data[:300]}")
        answers[row] = data.strip()
    if done.returncode or not all(answers):
        raise BadImage(f"Lean ended with code {done.returncode} and answered {sum(map(bool, answers))} of {len(commands)} questions: {done.stderr[:300]}")
    return answers


def statements(names: list[Name]) -> list[str]:
    """The commands that print these statements."""
    return [f"#check {_quote(n)}" for n in names]


def axioms(names: list[Name]) -> list[str]:
    """The commands that print the axioms of these constants."""
    return [f"#print axioms {_quote(n)}" for n in names]


def parse_axioms(name: Name, answer: str) -> list[str]:
    """The axioms in an answer of `#print axioms`."""
    match = re.fullmatch(r"'(.*?)' (?:does not depend on any axioms|depends on axioms: \[(.*)\])", answer, re.S)
    if not match or match[1] != show(name):
        raise BadImage(f"`#print axioms {show(name)}` answered {answer[:200]!r}")
    return sorted(x.strip() for x in (match[2] or "").split(",") if x.strip())

"""The lock on code that is not the definition: which constant has which `extern` symbol.

Executed decisions run this code in place of the definitions, and no proof is about it.  So `externs.lock` has a line
for every constant with such code, read from the compiled files.  Another symbol or another constant is a finding
until somebody has looked and run `gnosis spine lock`.
"""
from __future__ import annotations

from pathlib import Path

from .environment import Environment
from .findings import Finding
from .olean import show

HEADER = "# Written by `gnosis spine lock`: module, constant and the code of the Lean binary that runs in place of the definition.\n"


def declared(env: Environment) -> dict[str, str]:
    """Module and constant → symbol."""
    return {f"{module.name} {show(name)}": symbol for module in env.modules.values() for name, symbol in module.externs.items()}


def read(text: str) -> dict[str, str]:
    """The lines of externs.lock.  Raises ValueError on a line that has another form or stands twice."""
    out: dict[str, str] = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            key, middle, symbol = line.partition(" := ")
            if not middle or key in out or " " not in key:
                raise ValueError(f"audits/externs.lock: bad line {line!r}")
            out[key] = symbol
    return out


def write(env: Environment, path: Path) -> None:
    """The lock of what is compiled now."""
    path.write_text(HEADER + "".join(f"{key} := {symbol}\n" for key, symbol in sorted(declared(env).items())), encoding="utf-8")


def audit(env: Environment, locked: dict[str, str]) -> list[Finding]:
    """Differences between the lock and the compiled spine."""
    now = declared(env)
    found = []
    for key in sorted(locked.keys() | now.keys()):
        if locked.get(key) != now.get(key):
            module, _, name = key.partition(" ")
            text = f"has the code `{now[key]}`" if key in now else "has no `extern` code"
            text += f"; audits/externs.lock says `{locked[key]}`" if key in locked else ", and is not in audits/externs.lock"
            found.append(Finding("externs", f"{module}: {name}", text))
    return found

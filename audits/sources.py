"""The sources of the spine: every file read once, its name, its characters, its header, and the code that it may run.

The audit compiles the text that was read here and nothing else.  What is not plain is refused: anything in `Gnosis/` but folders
and regular files with plain names, text that is not what it looks like, a header that is not `prelude` and lines `import Gnosis.…`.
"""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .findings import Finding
from .lean import open_regular

FOLDER = "Gnosis"
LARGEST, MOST, DEEPEST = 1 << 20, 1000, 8  # bytes of a file, number of files, folders below each other
PART = re.compile(r"[A-Z][A-Za-z0-9]{0,99}")
HEADER = re.compile(r"prelude\n(?:import Gnosis(?:\.[A-Z][A-Za-z0-9]*)+\n)*")
IMPORT = re.compile(r"(?<![\w.])import(?!\w)")


class BuildError(RuntimeError):
    """The module graph is broken: a missing import or a cycle."""


@dataclass(frozen=True)
class Source:
    """One file of the spine as it was read: `file` is its name below the root, `path` where it was."""

    name: str
    file: str
    path: Path
    data: bytes
    text: str
    imports: tuple[str, ...]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def _walk(folder: Path, below: str, found: dict[str, Path], said: list[Finding]) -> None:
    """All regular files below a folder, by their name from the root; everything else is said."""
    for entry in sorted(os.scandir(folder), key=lambda e: e.name):
        file = f"{below}/{entry.name}"
        if entry.is_symlink():
            said.append(Finding("sources", file, "a symbolic link"))
        elif entry.is_dir(follow_symlinks=False):
            if not PART.fullmatch(entry.name) or below.count("/") >= DEEPEST:
                said.append(Finding("sources", file, "no name for a folder of modules: a capital, then letters and digits, not too deep"))
            else:
                _walk(Path(entry.path), file, found, said)
        elif not entry.is_file(follow_symlinks=False):
            said.append(Finding("sources", file, "neither a regular file nor a folder"))
        elif not entry.name.endswith(".lean") or not PART.fullmatch(entry.name[:-5]):
            said.append(Finding("sources", file, "no name for a module: a capital, then letters and digits, then .lean"))
        elif len(found) >= MOST:
            raise OSError(f"more than {MOST} files in {below}")
        else:
            found[file] = Path(entry.path)


def content(path: Path, largest: int = LARGEST) -> bytes:
    """The bytes of a regular file of at most `largest`.  Raises OSError for anything else, and does not wait for a pipe."""
    with os.fdopen(open_regular(path), "rb") as opened:
        data = opened.read(largest + 1)
    if len(data) > largest:
        raise OSError(f"has more than {largest} bytes")
    return data


def read(base: Path) -> tuple[dict[str, Source], list[Finding]]:
    """All modules below `base/Gnosis`, imports before importers, and what is wrong with any file there.

    Files that are no plain modules are left out.  Raises BuildError when an import is missing or goes in a circle.
    """
    found: dict[str, Path] = {}
    said: list[Finding] = []
    folder = base / FOLDER
    if folder.is_symlink() or not folder.is_dir():
        return {}, [Finding("sources", FOLDER, "is no folder, or a symbolic link")]
    _walk(folder, FOLDER, found, said)
    seen: dict[str, str] = {}
    for file in found:
        other = seen.setdefault(file.casefold(), file)
        if other != file:
            said.append(Finding("sources", file, f"differs from {other} only in capitals"))
    sources = {}
    for file, path in found.items():
        try:
            data = content(path)
            text = data.decode("utf-8")
        except (OSError, ValueError) as error:
            said.append(Finding("sources", file, str(error)))
            continue
        said += [Finding("sources", file, what, line) for what, line in strange(text)]
        imports, wrong = header(text)
        said += [Finding("sources", file, what, line) for what, line in wrong]
        name = file[:-5].replace("/", ".")
        sources[name] = Source(name, file, path, data, text, tuple(imports))
    return order(sources), said


def strange(text: str) -> list[tuple[str, int]]:
    """Characters that are not what they look like, or that Lean and a reader may take for different things."""
    out = []
    for number, line in enumerate(text.split("\n"), 1):
        bad = sorted({c for c in line if ord(c) < 32 or ord(c) == 127 or unicodedata.category(c)[0] in "CZ" and c != " "})
        if bad:
            out.append((f"has the characters {', '.join(f'U+{ord(c):04X}' for c in bad[:5])}", number))
    return out[:5]


def header(text: str) -> tuple[list[str], list[tuple[str, int]]]:
    """The modules that a source imports, and what is wrong with its header.

    Lean allows comments, several words in a line, `public`, `meta` and `all`; here a header is `prelude` and one
    `import Gnosis.…` a line, and the word `import` stands nowhere else, also not in a comment.
    """
    match = HEADER.match(text if text.endswith("\n") else text + "\n")
    if match is None:
        return [], [("must begin with a line `prelude` and lines `import Gnosis.…`, each with one module", 1)]
    imports = [line.split(" ")[1] for line in match[0].split("\n")[1:-1]]
    wrong = [(f"imports {name} twice", 1) for name in sorted({n for n in imports if imports.count(n) > 1})]
    for again in IMPORT.finditer(text, min(match.end(), len(text))):
        wrong.append(("the word `import` after the header", text.count("\n", 0, again.start()) + 1))
    return imports, wrong


def order(sources: dict[str, Source]) -> dict[str, Source]:
    """The same, imports before importers.  Raises BuildError on a missing import or a cycle."""
    done: dict[str, Source] = {}
    for start in sources:
        stack = [(start, iter(sources[start].imports))] if start not in done else []
        on = {start: None}
        while stack:
            name, rest = stack[-1]
            other = next((i for i in rest if i not in done), None)
            if other is None:
                done[name] = sources[name]
                stack.pop()
                on.pop(name)
            elif other not in sources:
                raise BuildError(f"{name} imports {other}, and there is no such file")
            elif other in on:
                names = list(on)
                raise BuildError("import cycle: " + " → ".join([*names[names.index(other) :], other]))
            else:
                on[other] = None
                stack.append((other, iter(sources[other].imports)))
    return done


def digest(sources: Iterable[Source]) -> str:
    """SHA-256 of the lines that `sha256sum` prints for the files, sorted by name."""
    rows = sorted((s.file.encode(), s.sha256) for s in sources)
    return hashlib.sha256(b"".join(f"{sha}  ".encode() + file + b"\n" for file, sha in rows)).hexdigest()

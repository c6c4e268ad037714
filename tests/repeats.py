"""Runs of lines that stand in two places of the sources: more than ten that are the same, or ten of one shape, with other names, numbers and texts.

Blank lines, comments, docstrings, imports and lines of punctuation alone do not count.  Neighbours of one shape are the rows of a table or the
fields of a record, data, and where shapes are compared they count as one line.  A run is left alone when a comment says why it repeats,
`repeats: the reason`, in the run or between it and the line before.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

SAME, SHAPE = 11, 10  # lines
FOLDERS = ("pysrc", "cython_core", "conformance", "audits")
ENDINGS = {".py", ".pyx", ".c", ".h", ".mjs"}
KEYWORDS = frozenset(
    """and as assert async await break case class const continue def del do double elif else enum except finally float for from
global if in int int64_t is lambda long match None nonlocal not or pass ptrdiff_t raise return static struct switch True False try typedef
uint8_t unsigned void while with yield cdef nogil include define undef ifdef ifndef endif""".split()
)
TOKEN = re.compile(
    r'''
    (?P<text>[rbfRBF]{0,2}(?:"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\'|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
  | (?P<comment>%s)
  | (?P<number>\.?\d(?:[\w.]|(?<=[eEpP])[+-])*)
  | (?P<name>[^\W\d]\w*)
  | (?P<newline>\n)
  | (?P<sign>[^\s\w])''',
    re.X | re.S,
)
PYTHON, C = (re.compile(TOKEN.pattern % comment, re.X | re.S) for comment in (r"\#[^\n]*", r"//[^\n]*|/\*.*?\*/"))

IMPORT = re.compile(r"^[ \t]*(?:(?:from|c?import) [^\n(]*(?:\([^)]*\))?|#[ \t]*include .*)$", re.M)


@dataclass(frozen=True)
class Line:
    number: int
    words: tuple[str, ...]  # as they stand there
    shape: tuple[str, ...]  # names, numbers and texts left open


@dataclass(frozen=True)
class Read:
    """A file: the lines that count, and the numbers of those whose comment gives a reason."""

    lines: list[Line]
    reasons: set[int]

    def excuses(self, first: int, last: int) -> bool:
        """Whether a reason stands in a run, or between it and the line before it."""
        start = self.lines[first - 1].number + 1 if first else 0
        return any(start <= number <= self.lines[last].number for number in self.reasons)


def read(file: Path) -> Read:
    text = IMPORT.sub(lambda match: "\n" * match[0].count("\n"), file.read_text(encoding="utf-8"))
    words: dict[int, list[str]] = defaultdict(list)
    shapes: dict[int, list[str]] = defaultdict(list)
    reasons, number = set(), 1
    for match in (C if file.suffix in (".c", ".h", ".mjs") else PYTHON).finditer(text):
        kind, said = str(match.lastgroup), match.group()
        if kind == "comment":
            reasons |= {number + said.count("\n")} if re.search(r"\brepeats: \w+ \w+", said) else set()
        elif kind != "newline":
            words[number].append(said)
            shapes[number].append(said if kind == "sign" or said in KEYWORDS else kind)
        number += said.count("\n")
    return Read(
        [
            Line(n, tuple(words[n]), tuple(shapes[n]))
            for n in sorted(words)
            if any(w[0].isalnum() or w[0] == "_" for w in shapes[n]) and not (len(words[n]) == 1 and '"""' in words[n][0])
        ],
        reasons,
    )


def runs(files: dict[str, Read], keys: dict[str, list[tuple[int, tuple[str, ...]]]], least: int) -> list[str]:
    """Pairs of places with `least` or more equal keys in a row, the longest run of each pair of files.  keys: (index of the line, what is compared)."""
    starts: dict[tuple[tuple[str, ...], ...], list[tuple[str, int]]] = defaultdict(list)
    for name, rows in keys.items():
        for i in range(len(rows) - least + 1):
            starts[tuple(key for _, key in rows[i : i + least])].append((name, i))
    longest: dict[tuple[str, str], tuple[int, str]] = {}
    for places in starts.values():
        for k, (a, i) in enumerate(places):
            for b, j in places[k + 1 :]:
                one, two, n = keys[a], keys[b], least
                if (a == b and j < i + least) or (i and j and one[i - 1][1] == two[j - 1][1]):
                    continue  # over itself, or part of a run that begins earlier
                while i + n < len(one) and j + n < len(two) and one[i + n][1] == two[j + n][1] and not (a == b and i + n >= j):
                    n += 1
                ends = [(name, rows[at][0], rows[at + n - 1][0]) for name, rows, at in ((a, one, i), (b, two, j))]
                if n > longest.get((a, b), (0, ""))[0] and not any(files[name].excuses(first, last) for name, first, last in ends):
                    said = " and ".join(f"{name}:{files[name].lines[first].number}-{files[name].lines[last].number}" for name, first, last in ends)
                    longest[a, b] = n, f"{n} lines: {said}"
    return [said for _, said in longest.values()]


def repeats(root: Path, folders: tuple[str, ...] = FOLDERS) -> list[str]:
    """What repeats in the sources of a checkout."""
    files = {
        f.relative_to(root).as_posix(): read(f)
        for folder in folders
        for f in sorted((root / folder).rglob("*"))
        if f.suffix in ENDINGS and not {"_cython", "build"} & set(f.parts)
    }
    words = {name: [(i, line.words) for i, line in enumerate(file.lines)] for name, file in files.items()}
    shapes = {name: [(i, line.shape) for i, line in enumerate(file.lines) if not i or line.shape != file.lines[i - 1].shape] for name, file in files.items()}
    return [f"the same {said}" for said in runs(files, words, SAME)] + [f"of one shape, {said}" for said in runs(files, shapes, SHAPE)]

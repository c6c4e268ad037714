"""Words that a proof development must not use, found in the sources outside comments and strings.

The scan is one of two nets: what these words do is also looked for in the compiled files (`axioms.py`) and by the
replay.  Every use that is needed stands in exceptions.yaml with its reason; an exception that no longer matches
anything is itself a finding.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .findings import Finding
from .olean import identifier_rest, identifier_start

BANNED = {
    "sorry": "an unfinished proof",
    "admit": "an unfinished proof",
    "native_decide": "a proof by running compiled code",
    "axiom": "an assumption",
    "unsafe": "a definition that the kernel does not check",
    "implemented_by": "code that is not the definition",
    "csimp": "code that is not the definition",
    "partial": "a definition that may not terminate",
    "opaque": "a constant without a visible definition",
    "extern": "code that is not the definition",
    "warningAsError": "an option that lets an unfinished proof pass the build",
}
BANNED_FAMILIES = {
    "debug": "an option that can switch the kernel off",
    "interpreter": "an option that can run code of the Lean binary in place of a definition",
}
# banned as any component of a name: `decide +native`, `Lean.ofReduceBool`, `_root_.sorryAx`
BANNED_PARTS = {
    "sorryAx": "an unfinished proof",
    "native": "a proof by running compiled code",
    **dict.fromkeys(("ofReduceBool", "ofReduceNat", "reduceBool", "reduceNat", "trustCompiler"), "a proof by running compiled code"),
}
CHARACTER = re.compile(r"'(?:\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[\\'\"nrt])|[^\\'\n])'")
RAW_STRING = re.compile(r'r(#*)"')
STRING = re.compile(r'"(?:\\.|[^"\\])*"', re.S)
ESCAPE = re.compile(r"\\.", re.S)
BEFORE_CHARACTER = " \n([,"
# all that stands in the sources outside comments, strings and names; a character that is new here is looked at first
SYMBOLS = frozenset("!#$%&()*+,-./:;<=>?@[]^`{|}×←→↔∀∃∈∉∣∧∨≠≤≥⊢▸⟨⟩¬·")
# the same of names: Lean allows many letters that look like others (ο and most Greek capitals, letters with accents, mathematical alphabets)
LETTERS = frozenset("αβγδεζηθικλμνξπρσςτυφχψωΓΔΘΛΞΠΣΦΨΩℓ₀₁₂₃₄₅₆₇₈₉ₙ")


@dataclass(frozen=True)
class Token:
    """A word of the source; `kind` is `name`, `string`, `symbol` (one character) or `bad` (what the scan cannot see through)."""

    kind: str
    text: str
    line: int


def lex(text: str) -> Iterator[Token]:
    """The names, strings and symbols of a Lean source, without comments.  Dotted names are one token, `«` and `»` left out.

    Where comments, strings and characters begin depends in Lean on the tokens that a file has declared: `x <--y` is
    `x <- -y` to it, and `/--/` opens a comment.  Nothing of the kind is guessed at: a comment begins after a blank or
    at the start of a line, a character after one of few others, and whatever else looks like one is `bad`.
    """
    i, line, n = 0, 1, len(text)

    def bad(what: str) -> Token:
        return Token("bad", what, line)

    while i < n:
        c, two = text[i], text[i : i + 2]
        if c == "\n":
            line += 1
            i += 1
        elif c == " ":
            i += 1
        elif two in ("--", "/-"):
            if i and text[i - 1] not in " \n":
                yield bad(f"`{two}` right after `{text[i - 1]}`, where Lean may see no comment")
            if two == "--":
                end = text.find("\n", i)
                i = n if end < 0 else end
                continue
            depth, start, j = 1, line, i + (3 if text[i + 2 : i + 3] in ("-", "!") else 2)
            if text[j : j + 1] == "/" or text[j : j + 2] == "-/":
                yield bad(f"`{text[i : j + 2]}`, which is easily read as a whole comment and may be the start of one")
            while j < n and depth:
                two = text[j : j + 2]
                if two in ("/-", "-/"):
                    depth += 1 if two == "/-" else -1
                    j += 2
                else:
                    line += text[j] == "\n"
                    j += 1
            if depth:
                yield Token("bad", "a comment without end", start)
            i = j
        elif two == "-/":
            yield bad("`-/` outside of a comment")
            i += 2
        elif c == '"' or (c == "r" and RAW_STRING.match(text, i)):
            raw = RAW_STRING.match(text, i) if c == "r" else None
            if raw:
                end = text.find('"' + raw[1], raw.end())
                stop = -1 if end < 0 else end + 1 + len(raw[1])
            else:
                found = STRING.match(text, i)
                stop = found.end() if found else -1
            if stop < 0:
                yield bad("a string without end")
                return
            yield Token("string", text[i:stop], line)
            line += text.count("\n", i, stop)
            i = stop
        elif c == "'":
            found = CHARACTER.match(text, i)
            if found is None or (i and text[i - 1] not in BEFORE_CHARACTER):
                yield bad("`'` where no character begins")
            i = found.end() if found else i + 1
        elif c == "«" or identifier_start(c):
            parts = []
            while True:
                if text[i] == "«":
                    end = text.find("»", i)
                    if end < 0:
                        yield bad("a name without end")
                        return
                    part = text[i + 1 : end]
                    if not part or set(part) & set('\n"«') or "--" in part or "/-" in part:
                        yield bad("a name between « and » that is empty, or holds a line break, a quote or a comment mark")
                    parts.append(part)
                    i = end + 1
                else:
                    j = i
                    while j < n and identifier_rest(text[j]):
                        j += 1
                    parts.append(text[i:j])
                    i = j
                if i + 1 < n and text[i] == "." and (text[i + 1] == "«" or identifier_start(text[i + 1])):
                    i += 1
                else:
                    break
            strange = next((c for part in parts for c in part if not c.isascii() and c not in LETTERS), None)
            if strange:
                yield bad(f"the letter {strange!r} ({ascii(strange)[1:-1]}) in a name, where no source has it and it may look like another one")
            yield Token("name", ".".join(parts), line)
        elif c in SYMBOLS or (c.isascii() and c.isdigit()):
            yield Token("symbol", c, line)
            i += 1
        else:
            yield bad(f"the character {c!r}, which this scan does not know")
            i += 1


def hits(text: str) -> list[tuple[str, int, str]]:
    """Banned words of a source: (word, line, why)."""
    out, first = [], True
    for token in lex(text):
        if token.kind == "bad":
            out.append(("unreadable", token.line, token.text))
        elif token.kind == "symbol":
            pass
        elif token.kind == "string":
            if "--" in token.text or "/-" in token.text:
                out.append(("comment-mark", token.line, "a comment mark in a string: as a token it would hide code from the scan"))
            # not only after `s!`: other syntax interpolates too, and there may be blanks in between
            if token.text.startswith('"') and "{" in ESCAPE.sub("", token.text):
                out.append(("interpolation", token.line, "an open brace in a string: when Lean interpolates it, it holds code that the scan does not see"))
        else:
            family = token.text.split(".")[0]
            if token.text in BANNED:
                out.append((token.text, token.line, BANNED[token.text]))
            elif part := next((p for p in token.text.split(".") if p in BANNED_PARTS), None):
                out.append((part, token.line, BANNED_PARTS[part]))
            elif family in BANNED_FAMILIES and family != token.text:
                out.append((family, token.line, BANNED_FAMILIES[family]))
            elif first and token.text == "module":
                out.append(("module", token.line, "a module header: its private declarations are kept in another file"))
        first = False
    return out


def sources(base: Path) -> list[Path]:
    """Every Lean source of the repository."""
    return sorted((base / "Gnosis").rglob("*.lean")) + sorted(base.glob("*.lean"))


def texts(base: Path) -> dict[str, str]:
    """File → text, of every Lean source of the repository, exactly as it stands there."""
    return {path.relative_to(base).as_posix(): path.read_bytes().decode() for path in sources(base)}


def audit(read: Mapping[str, str], exceptions: list[dict[str, Any]]) -> tuple[list[Finding], dict[str, dict[str, int]]]:
    """Findings of these texts, by file, and how often each banned word occurs, by file.

    An exception is `{token, files, reason}`; `files` has the exact number of uses in each file.
    """
    found: list[Finding] = []
    counts: dict[str, dict[str, int]] = {}
    allowed: dict[tuple[str, str], int] = {}
    for exception in exceptions:
        for file, number in exception["files"].items():
            if (exception["token"], file) in allowed:
                found.append(Finding("tokens", "audits/exceptions.yaml", f"`{exception['token']}` in {file} is excepted twice"))
            allowed[exception["token"], file] = number
    used = set()
    for file, text in read.items():
        here = hits(text)
        for word, number in Counter(word for word, _, _ in here).items():
            counts.setdefault(word, {})[file] = number
            if (word, file) not in allowed:
                found += [Finding("tokens", file, f"`{word}`: {why}", line) for w, line, why in here if w == word]
                continue
            used.add((word, file))
            if number != allowed[word, file]:
                found.append(Finding("tokens", file, f"`{word}` occurs {number} times; the exception says {allowed[word, file]}"))
    found += [
        Finding("tokens", "audits/exceptions.yaml", f"stale exception: `{word}` does not occur in {file}") for word, file in allowed if (word, file) not in used
    ]
    return found, counts

"""Compile the spine as `lake build` would, and compare with `gnosis spine build`, byte for byte.

No package index carries Lake.  What it passes to Lean is known from its sources (leanprover/lean4, folder `src/lake/Lake`):

- `Build/Actions.lean`, `compileLeanModule`: `lean ARGS FILE -o OLEAN -i ILEAN -c C --setup JSON --json` with LEAN_PATH set, where
  ARGS are the `weakLeanArgs` and `moreLeanArgs` of package and library;
- `Build/Module.lean`, `recFetchSetup` and `recBuildLean`: the setup holds the name, `isModule` of the header, the package, the
  compiled files of all modules imported directly or not, dynamic libraries, plugins, and the options of package and library;
- `Config/Package.lean`, `id?`: the package is none with `bootstrap`, else the name in the lakefile;
- `Config/LeanLib.lean`: options of the library come after those of the package; `Config/Glob.lean`: which modules a glob selects.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from . import build as b
from .paths import build_dir, root
from .toolchain import Toolchain, find

NAME = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*"
TOKEN = re.compile(rf"\s*(?P<token>`{NAME}|{NAME}|\.{NAME}|\d+|\"[^\"\\\n]*\"|:=|#\[|@\[|[\]⟨⟩,])")
GLOBS = ("one", "submodules", "andSubmodules")


class LakefileError(ValueError):
    """The lakefile has something that this reader does not know, or lacks what it needs."""


@dataclass
class Lakefile:
    """What decides how Lake compiles the modules of the one package and its one library."""

    package: str = ""
    library: str = ""
    bootstrap: bool = False
    options: dict[str, bool | int | str] = field(default_factory=dict)
    globs: list[tuple[str, str]] = field(default_factory=list)

    def selects(self, module: str) -> bool:
        """Whether `lake build` compiles this module even when nothing imports it."""
        return any((kind != "submodules" and module == name) or (kind != "one" and module.startswith(name + ".")) for kind, name in self.globs)

    def finds(self, module: str) -> bool:
        """Whether Lake knows this module when another one imports it: below the root of the library, or selected."""
        return module == self.library or module.startswith(self.library + ".") or self.selects(module)


def strip_comments(text: str) -> str:
    """The text with comments (nested `/- -/`, `--`) blanked out; strings and line breaks stay."""
    out, i, depth = [], 0, 0
    while i < len(text):
        two = text[i : i + 2]
        if depth:
            if two in ("/-", "-/"):
                depth += 1 if two == "/-" else -1
                i += 2
                continue
            out.append("\n" if text[i] == "\n" else " ")
            i += 1
        elif two == "/-":
            depth, i = 1, i + 2
        elif two == "--":
            while i < len(text) and text[i] != "\n":
                i += 1
        elif text[i] == '"':
            end = re.compile(r'"(?:\\.|[^"\\])*"', re.S).match(text, i)
            stop = end.end() if end else len(text)
            out.append(text[i:stop])
            i = stop
        else:
            out.append(text[i])
            i += 1
    return "".join(out)


class _Reader:
    """The words of a lakefile, one after the other."""

    def __init__(self, text: str) -> None:
        clean, at = strip_comments(text), 0
        self.tokens: list[tuple[str, int]] = []
        while at < len(clean.rstrip()):
            found = TOKEN.match(clean, at)
            if not found:
                rest = clean[at:].lstrip()
                raise LakefileError(f"line {1 + clean[: len(clean) - len(rest)].count(chr(10))}: {rest[:20]!r} is nothing that this reader knows")
            self.tokens.append((found["token"], 1 + clean[: found.start("token")].count("\n")))
            at = found.end()
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else "the end"

    def fail(self, wanted: str) -> LakefileError:
        line = self.tokens[min(self.at, len(self.tokens) - 1)][1] if self.tokens else 1
        return LakefileError(f"line {line}: {self.peek()!r} where {wanted} must stand")

    def next(self, *wanted: str) -> str:
        """The next word, which must be one of `wanted`."""
        if self.peek() not in wanted:
            raise self.fail(" or ".join(map(repr, wanted)))
        self.at += 1
        return self.tokens[self.at - 1][0]

    def match(self, pattern: str, what: str) -> str:
        if self.at == len(self.tokens) or not re.fullmatch(pattern, self.peek()):
            raise self.fail(what)
        self.at += 1
        return self.tokens[self.at - 1][0]

    def quoted(self) -> str:
        return self.match(f"`{NAME}", "a name with a backquote")[1:]

    def array(self, item: Callable[[], None]) -> None:
        self.next("#[")
        while self.peek() != "]":
            item()
            if self.peek() != "]":
                self.next(",")
        self.next("]")

    def option(self, options: dict[str, bool | int | str]) -> None:
        self.next("⟨")
        name = self.quoted()
        self.next(",")
        value = self.match(r"true|false|\d+|\"[^\"]*\"", "true, false, a number or a text")
        self.next("⟩")
        options[name] = value == "true" if value in ("true", "false") else int(value) if value.isdigit() else value[1:-1]

    def fields(self, known: dict[str, Callable[[], None]]) -> None:
        """`where` and the fields of a declaration, each at most once."""
        seen: set[str] = set()
        if self.peek() != "where":
            return
        self.next("where")
        while self.at < len(self.tokens) and re.fullmatch(NAME, self.peek()) and self.peek() not in ("package", "lean_lib"):
            name = self.next(*[k for k in known if k not in seen])
            seen.add(name)
            self.next(":=")
            known[name]()


def read(path: Path) -> Lakefile:
    """Read a lakefile of the form that ours has.  Raises LakefileError, naming what else stands there.

    It is not elaborated: only a toolchain with Lake can do that.
    """
    out, found = Lakefile(), {"package": 0, "lean_lib": 0}
    try:
        reader = _Reader(path.read_text(encoding="utf-8"))
        for word in ("import", "Lake", "open", "Lake", "DSL"):
            reader.next(word)
        library: dict[str, bool | int | str] = {}
        default = False
        while reader.at < len(reader.tokens):
            word = reader.next("@[", "package", "lean_lib")
            if word == "@[":
                reader.next("default_target")
                reader.next("]")
                default = True
                if reader.peek() != "lean_lib":
                    raise reader.fail("'lean_lib'")
                word = reader.next("lean_lib")
            found[word] += 1
            if found[word] > 1:
                reader.at -= 1
                raise reader.fail(f"no second {word}")
            name = reader.match(NAME, "a name")
            if word == "package":
                out.package = name
                reader.fields(
                    {
                        "bootstrap": lambda: setattr(out, "bootstrap", reader.next("true", "false") == "true"),
                        "leanOptions": lambda: reader.array(lambda: reader.option(out.options)),
                    }
                )
            else:
                out.library = name
                reader.fields(
                    {
                        "globs": lambda: reader.array(lambda: out.globs.append(_glob(reader))),
                        "leanOptions": lambda: reader.array(lambda: reader.option(library)),
                    }
                )
    except UnicodeDecodeError as error:
        raise LakefileError(f"{path}: {error}") from None
    except LakefileError as error:
        raise LakefileError(f"{path}: {error}") from None
    if not all(found.values()) or not default:
        raise LakefileError(f"{path}: there must be one package and one lean_lib, the library as @[default_target]")
    out.options |= library
    out.globs = out.globs or [("one", out.library)]  # Lake's default: the root of the library
    return out


def _glob(reader: _Reader) -> tuple[str, str]:
    if reader.peek().startswith("`"):
        return "one", reader.quoted()
    kind = reader.match(r"\.(" + "|".join(GLOBS) + ")", "one of ." + ", .".join(GLOBS))
    return kind[1:], reader.quoted()


def arguments(lakefile: Lakefile, modules: dict[str, b.Source], folder: Path) -> b.Arguments:
    """The arguments of `lean` as Lake gives them, for a build in `folder`, which stands for `.lake/build`.

    The compiled file gets the name that the build wants; its contents do not depend on that.
    """
    libraries, generated = folder / "lib" / "lean", folder / "ir"

    def below(where: Path, module: str, suffix: str) -> Path:
        path = where.joinpath(*module.split("."))
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.with_name(path.name + suffix)

    def imported(module: str) -> list[str]:
        seen: dict[str, None] = {}
        todo = list(modules[module].imports)
        while todo:
            other = todo.pop()
            if other not in seen:
                seen[other] = None
                todo += modules[other].imports
        return list(seen)

    def of(module: b.Source, target: Path) -> list[str]:
        setup: dict[str, Any] = {
            "name": module.name,
            "isModule": False,
            "dynlibs": [],
            "plugins": [],
            "options": lakefile.options,
            "importArts": {other: [[str(b.olean_path(libraries, other))]] for other in imported(module.name) if lakefile.finds(other)},
        }
        if not lakefile.bootstrap:
            setup["package"] = lakefile.package
        file = below(generated, module.name, ".setup.json")
        file.write_text(json.dumps(setup, ensure_ascii=False, indent=1))
        return [
            str(module.path),
            "-o",
            str(target),
            "-i",
            str(below(libraries, module.name, ".ilean")),
            "-c",
            str(below(generated, module.name, ".c")),
            "--setup",
            str(file),
            "--json",
        ]

    return of


@dataclass
class Checked:
    """What the comparison found.  `ok` is true when Lake would compile every module, and to the same bytes."""

    lean: str
    ok: bool = False
    modules: int = 0
    same: int = 0
    findings: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def unlike(lakefile: Lakefile) -> list[str]:
    """Options that are not those of `gnosis spine build`; not every option leaves a trace in the compiled file."""
    own = dict(option.split("=", 1) for option in b.OPTIONS[1::2])
    here = {name: json.dumps(value) for name, value in lakefile.options.items()}
    return [
        f"option {name}: {here.get(name, 'absent')} in the lakefile, {own.get(name, 'absent')} in `gnosis spine build`"
        for name in sorted(own.keys() | here.keys())
        if own.get(name) != here.get(name)
    ]


def left_out(lakefile: Lakefile, modules: dict[str, b.Source], names: list[str]) -> list[str]:
    """Which of the modules `names` a `lake build` would not compile, and why."""
    found = [f"{name}: selected by the lakefile, and there is no such file" for kind, name in lakefile.globs if kind != "submodules" and name not in modules]
    reached = {name for name in modules if lakefile.selects(name)}
    for name in reversed(modules):  # importers before what they import
        if name in reached:
            reached |= {other for other in modules[name].imports if lakefile.finds(other)}
    for name in names:
        if not lakefile.finds(name):
            found.append(f"{name}: no part of the library, so `lake build` does not find it")
        elif name not in reached:
            found.append(f"{name}: not selected by a glob and imported by nothing that is, so `lake build` leaves it out")
    return found


def check(
    only: list[str] | None = None,
    jobs: int | None = None,
    progress: Callable[[str, str, int, int], None] | None = None,
    base: Path | None = None,
    out: Path | None = None,
    lean: Toolchain | None = None,
) -> Checked:
    """Compile every module (or `only` these and what they import) as Lake would, and compare with the compiled files in `out`.

    These are brought up to date first.  `progress` is as for `build`.  Raises LakefileError, or BuildError when the spine itself
    does not build.
    """
    start = time.perf_counter()
    base = base or root()
    lean = lean or find()
    out = out or build_dir(base, lean)
    lakefile, modules = read(base / "lakefile.lean"), b.scan(base)
    own = b.build(only, jobs, base=base, out=out, lean=lean)
    if not own.ok:
        raise b.BuildError(f"the spine does not build: {', '.join(own.failed)}; see `gnosis spine build`")
    names = [*own.compiled, *own.cached]
    result = Checked(str(lean), modules=len(names))
    found = result.findings
    found += unlike(lakefile) + left_out(lakefile, modules, names)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        libraries = folder / "lib" / "lean"
        made = b.build(only, jobs, progress, base, libraries, lean, arguments(lakefile, modules, folder))
        found += [str(message) for message in made.messages]
        found += [f"{name}: not compiled, since an import failed" for name in made.skipped]
        for name in made.compiled:
            if b.olean_path(libraries, name).read_bytes() == b.olean_path(out, name).read_bytes():
                result.same += 1
            else:
                found.append(f"{name}: compiled as Lake does, the file differs from that of `gnosis spine build`")
    result.ok = not found and result.same == result.modules > 0
    result.seconds = time.perf_counter() - start
    return result

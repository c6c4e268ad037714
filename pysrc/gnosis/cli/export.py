"""`gnosis spine export` and `gnosis spine reread`."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from ..files.screen import progress
from .errors import fail, unreadable
from .outputs import Quiet, check_outputs

if TYPE_CHECKING:
    from ..audits.environment import Environment
    from ..audits.olean import Interner
    from ..spine.checker import Said
    from ..spine.toolchain import Toolchain


def compiled(modules: list[str], table: Interner | None = None) -> tuple[Environment, Toolchain]:
    """The compiled spine, built first; every file must be the one that the build made of its source.  Terms are numbered in `table`."""
    from ..audits.environment import Environment
    from ..audits.olean import BadImage
    from ..spine import build as b
    from ..spine import toolchain
    from ..spine.paths import SpineNotFound, build_dir

    try:
        lean, known = toolchain.find(), b.scan()
        unknown = [m for m in modules if m not in known]
        if unknown:
            raise fail(f"error: --module {unknown[0]}: no such module; the spine has {len(known)}, from {min(known)} to {max(known)}")
        result = b.build(modules or None, lean=lean)
        if not result.ok:
            raise fail(f"error: the spine does not build: {', '.join(result.failed)}; see `gnosis spine build`", 1)
        env = Environment(build_dir(lean=lean), modules or list(known), table)
        recorded, stale = b.manifest(lean=lean)
        bad = [m for m, file in env.modules.items() if m in stale or recorded.get(m) != file.parts[0].sha256]
        if bad:
            raise fail(f"error: {bad[0]}: the compiled file is not the one that the build made of this source", 1)
        return env, lean
    except (toolchain.LeanNotFound, SpineNotFound, b.BuildError, BadImage) as error:
        raise fail(f"error: {error}") from None


def _axioms(names: list[str]) -> str:
    """The axioms on which nothing rests, in words."""
    return f"the axioms {', '.join(names)} (nothing rests on them)" if names else "no axiom"


def _checker(command: str, file: Path, seconds: float, console: Console) -> Said:
    """Run an independent checker on the file and show what it says, every line under its name."""
    from ..spine import checker

    words = shlex.split(command)
    try:
        said = checker.run(words, file, seconds)
    except OSError as error:
        raise fail(f"error: --check {command!r}: {error.strerror or error}") from None
    name = Path(words[0]).name
    for line in said.output.splitlines():
        clean = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
        console.print(f"{name}: {clean}", markup=False, highlight=False, soft_wrap=True)
    console.print(f"checker {name} {said.ending()}", style="green" if said.accepted else "red", markup=False, highlight=False, soft_wrap=True)
    return said


def export(
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The file to write (default: standard output).")] = None,
    module: Annotated[list[str] | None, typer.Option("--module", "-m", help="Only this module and what it imports; may be repeated.")] = None,
    unsafe: Annotated[bool, typer.Option("--unsafe", help="Also unsafe constants, which no checker accepts, and axioms on which nothing rests.")] = False,
    check: Annotated[
        str | None, typer.Option("--check", metavar="CMD", help="Run this checker on the file: {} stands for it, and it is on standard input.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, max=1e7, help="How long the checker of --check may take.")] = 3600,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was written as JSON; needs --output or --check.")] = False,
    quiet: Quiet = False,
) -> None:
    """Write the compiled spine for Lean's independent checkers (format of lean4export 3.1, one JSON object a line).

    The file is read back and compared with the compiled modules before it appears.  Exit code 1 when the spine does
    not build, something rests on an axiom, the file differs, or the checker of --check ends with another code than 0, by a
    signal or not in time; 2 for bad input.
    """
    from ..audits.olean import BadImage
    from ..spine import export as e

    if as_json and output is None and check is None:
        raise fail("error: --json prints one object, so the export itself needs --output FILE")
    if check is not None:
        try:
            words = shlex.split(check)
        except ValueError as error:
            raise fail(f"error: --check {check!r}: {error}") from None
        if not words or shutil.which(words[0]) is None:
            raise fail(f"error: --check {check!r}: no such command")
    check_outputs({"--output": output})
    env, lean = compiled(module or [])
    console, clock = Console(stderr=True), time.perf_counter()
    console.print(str(lean), highlight=False, soft_wrap=True)
    with tempfile.TemporaryDirectory() as folder:
        file = output or Path(folder, "spine.ndjson")
        try:
            with progress("export", quiet) as show:
                written = e.write(env, file, unsafe=unsafe, progress=lambda step: show(f"export: {step}"))
        except BadImage as error:
            raise fail(f"error: {error}", 1) from None
        except OSError as error:
            raise fail(f"error: --output {output}: {error.strerror or error}") from None
        took = time.perf_counter() - clock
        console.print(
            f"{sum(written.constants.values())} constants of {written.modules} modules, {written.lines['term']} terms, {written.bytes / 1e6:.1f} MB; "
            f"read back and equal; left out: {written.left_out} unsafe constants, {_axioms(written.axioms_left_out)}; {took:.1f} s",
            style="green",
            highlight=False,
            soft_wrap=True,
        )
        ran = _checker(check, file, seconds, console) if check else None
        if ran is None:
            console.print("no independent checker was run; --check CMD runs one", highlight=False)
        if as_json:
            print(
                json.dumps(
                    {**written.to_dict(), "path": str(output) if output else None, "seconds": round(took, 1), "checker": ran and ran.to_dict()},
                    ensure_ascii=False,
                )
            )
        elif output is None and check is None:
            try:
                with file.open("rb") as data:
                    shutil.copyfileobj(data, sys.stdout.buffer, 1 << 20)
                sys.stdout.buffer.flush()
            except BrokenPipeError:  # whoever read has enough
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if ran and not ran.accepted:
        raise typer.Exit(1)


def _replay(file: Path, library: Path | None, seconds: float) -> dict[str, Any]:
    """The kernel on the file alone, in a process of its own."""
    from ..audits import bundle

    with tempfile.TemporaryDirectory() as empty:
        process = bundle.child("replay:served", {"export": str(file.resolve()), "library": library and str(library)}, Path(empty), deep=True)
        try:
            return bundle.answer(process, seconds)
        except OSError as error:
            return {"ok": False, "error": str(error)}
        finally:
            process.kill()
            process.wait()


def _not_ok(said: dict[str, Any]) -> str:
    """Why a replay is no acceptance, in a line."""
    if said.get("error"):
        return f"the kernel did not come to an end: {said['error']}"
    bad = said["rejected"] or [f"{d['name']} ({d['field']})" for d in said["differences"]]
    if bad:
        return f"the kernel rejects {', '.join(bad)}"
    if said["unchecked"]:
        first, more = said["unchecked"][0], said["unchecked_names"] - 1
        return f"the kernel accepts what it sees, but {first['name']}: {first['why']}" + (f" (and {more} more)" if more else "")
    return "the kernel did not accept a true declaration and reject a false one"


def reread(
    file: Annotated[Path, typer.Argument(help="A file in the format that `gnosis spine export` writes.")],
    module: Annotated[list[str] | None, typer.Option("--module", "-m", help="Compare with this module and what it imports.")] = None,
    kernel: Annotated[bool, typer.Option("--kernel", help="Also have the Lean kernel check every declaration of the file, from an empty environment.")] = False,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, max=1e7, help="How long the kernel of --kernel may take.")] = 3600,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """Read an export back and compare it with the compiled spine, constant by constant.

    Exit code 0 when they are equal (and, with --kernel, accepted), 1 when not, 2 when the file is malformed or there is no spine.  The kernel
    does not see unsafe constants and goes by name for numbers and texts; what it takes on trust is named, and is no acceptance.
    """
    from ..audits import interchange
    from ..audits.olean import BadImage, Interner
    from ..errors import ArgumentError
    from ..files.inputs import opened
    from ..spine import export as e
    from ..spine import toolchain

    try:
        opened(file, "FILE").close()
    except (OSError, ArgumentError) as error:
        raise unreadable(file, error) from None
    table = Interner()
    try:
        found = interchange.read(file, table)
    except BadImage as error:
        raise fail(f"error: {error}") from None
    env, lean = compiled(module or [], table)
    result: dict[str, Any] = {"ok": True, "error": None, "counts": found.counts, "replay": None}
    try:
        e.compare(env, found, str(file))
    except BadImage as error:
        result.update(ok=False, error=str(error))
    if result["ok"] and kernel:
        said = result["replay"] = _replay(file, toolchain.kernel_library(lean), seconds)
        if not said["ok"]:
            result.update(ok=False, error=_not_ok(said))
    console = Console(stderr=as_json)
    if result["ok"]:
        count = sum(n for kind, n in result["counts"].items() if kind not in ("name", "level", "term"))
        more = f"; the kernel accepts all {result['replay']['units']} declarations" if kernel else ""
        console.print(f"{count} constants, equal to the compiled ones{more}", style="green", highlight=False, soft_wrap=True)
    else:
        console.print(f"error: {result['error']}", style="red", markup=False, highlight=False, soft_wrap=True)
    if as_json:
        print(json.dumps(result, ensure_ascii=False))
    if not result["ok"]:
        raise typer.Exit(1)


def register(app: typer.Typer) -> None:
    """Add both commands to `gnosis spine`."""
    app.command(short_help="Write the spine for Lean's independent checkers.")(export)
    app.command(short_help="Compare an export with the compiled spine.")(reread)

"""The command line of `check.py`, and the table that `gnosis spine audit` shows too."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from . import bundle
from .findings import plain
from .lean import LeanNotFound
from .sources import BuildError

if TYPE_CHECKING:
    from .audit import Report

MODES = {
    "clean": "compiled here, from the sources, in a folder of its own",
    "cached": "compiled files that were there, where the build's own record fits; `--clean` compiles them anew",
}


def rows(report: Report) -> list[tuple[str, str]]:
    """What the audit looked at, and how much: headings and texts."""
    replay, plain = report.replay, report.replay.get("plain", {})
    bad = [t for t in report.theorems if t["axioms"]]
    return [
        ("SHA-256", "\n".join(f"{digest}  {what}" for what, digest in report.trusted.items())),
        ("spine", MODES[report.mode]),
        (
            "compilers",
            f"confined by {' and '.join(report.confined)}"
            if report.confined
            else "not confined: this system has neither Landlock nor seccomp, or nothing was compiled",
        ),
        ("modules", f"{report.modules}, {sum(report.constants.values())} constants"),
        ("theorems", f"{len(report.theorems)}, {len(bad)} with axioms"),
        (
            "hidden constants",
            f"{report.hidden.get('opaque', 0)} opaque and {report.hidden.get('unsafe', 0)} unsafe, on which {report.hidden.get('theorems', 0)} theorems rest",
        ),
        (
            "kernel replay",
            f"{replay.get('accepted', 0)} of {replay.get('units', 0)} declarations accepted from an empty environment, "
            f"{replay.get('compared', 0)} constants compared, {len(replay.get('differences', []))} differ; "
            f"{replay.get('words', 0)} cached words compared, {replay.get('falsified_words', 0)} differ",
        ),
        (
            "accelerated names",
            f"{len(report.accelerated)}: {', '.join(a['name'] for a in report.accelerated)}; specifications proved "
            f"without acceleration: {plain.get('theorems', 0) - len(plain.get('rejected', [])) - len(plain.get('absent', []))}"
            f" of {plain.get('theorems', 0)}",
        ),
        ("#print axioms", f"agrees on {report.print_axioms.get('agree', 0)} of {report.print_axioms.get('asked', 0)}"),
        ("statement lock", f"{report.headline.get('theorems', 0)} headline theorems, {report.headline.get('definitions', 0)} definitions"),
        ("excepted words", ", ".join(f"{word} {sum(files.values())}" for word, files in sorted(report.tokens.items())) or "none"),
        ("seconds", f"{sum(report.seconds.values()):.1f} (" + ", ".join(f"{k} {v:.1f}" for k, v in report.seconds.items()) + ")"),
    ]


def verdict(report: Report) -> str:
    """The last line."""
    return "no findings" if report.ok else f"{len(report.findings)} findings"


def stopped(number: int, _: object) -> None:
    """End the children and this process, so that the temporary folder (about 230 MB) is removed."""
    bundle.stop()
    sys.exit(128 + number)


def main(base: str, argv: list[str] | None = None) -> int:
    """Run the clean audit of the checkout at `base`, or at --root.  Returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="env -i python3 -I audits/check.py", description="Compile the spine from its sources in a folder of its own and audit what came out."
    )
    parser.add_argument(
        "--root", type=Path, default=Path(base), help="the checkout (default: the one that this file is in); what must hold is read from this file's folder"
    )
    parser.add_argument(
        "--library", type=Path, help="libleanshared.so of the wheel (default: where pip puts it, here or in .venv); only a listed hash is loaded"
    )
    parser.add_argument("--jobs", type=int, help="modules compiled at once (default: one for each processor)")
    parser.add_argument("--json", action="store_true", help="print the report as JSON, and the table on standard error")
    arguments = parser.parse_args(argv)
    if arguments.jobs is not None and arguments.jobs < 1:
        parser.error(f"--jobs must be at least 1, not {arguments.jobs}")
    from .audit import run

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where it is ignored, every child seems to end with code 0
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stopped)
    screen = sys.stderr if arguments.json else sys.stdout

    def show(text: str) -> None:
        print(text, file=screen, flush=True)

    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]  # text streams of this process
    root = arguments.root.resolve()
    show(f"Python {sys.version.split()[0]} ({bundle.binary()}), spine of {plain(str(root))}")
    try:
        report = run(root, clean=True, files=bundle.files(), library=arguments.library, jobs=arguments.jobs)
    except (LeanNotFound, BuildError, OSError) as error:
        print(f"error: {plain(str(error))}", file=sys.stderr)
        return 2
    show(plain(report.lean))
    for heading, text in rows(report):
        for line in text.split("\n"):
            show(f"{heading:<18} {line}")
    for finding in report.findings:
        show(str(finding))
    show(verdict(report))
    if arguments.json:
        print(json.dumps(report.to_dict(), ensure_ascii=False))
    return 0 if report.ok else 1

"""`gnosis cache`: the folder of files that commands make and keep."""

from __future__ import annotations

import json
import time
from typing import Annotated

import typer

from ..files.screen import screen
from ..files.tables import Sheet
from .errors import fail


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 100_000 else f"{count:,} bytes"


def cache(
    listed: Annotated[bool, typer.Option("--list", help="What is there; also without an option.")] = False,
    clear: Annotated[bool, typer.Option("--clear", help="Remove what gnosis made there, and nothing else.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
) -> None:
    """What commands made and keep for the next time: models in other codes, joined weights, unpacked sources. All of it is made again when it is needed.

    The folder is that of GNOSIS_CACHE, else `gnosis` in XDG_CACHE_HOME, else ~/.cache/gnosis. What gnosis did not make, links among it, is counted and
    left alone. Exit codes: 0; 2 when the folder cannot be read or something cannot be removed.
    """
    from ..errors import ArgumentError
    from ..files import cache as c
    from ..models.packages import PACKAGES, joined

    if listed and clear:
        raise fail("error: give --list or --clear, not both")
    try:
        folder = c.cache_folder()
        found, others = c.entries(folder, {joined(package): f"weights of {package.name}, joined" for package in PACKAGES.values() if package.parts})
        if clear:
            c.clear(found)
    except RuntimeError as error:
        raise fail(f"error: {error}; set GNOSIS_CACHE to a folder") from None
    except (ArgumentError, OSError) as error:
        raise fail(f"error: {error}") from None
    total = sum(entry.bytes for entry in found)
    if as_json:
        print(
            json.dumps(
                {
                    "v": 1,
                    "folder": str(folder),
                    "cleared": clear,
                    "bytes": total,
                    "entries": [{"name": e.path.name, "what": e.what, "bytes": e.bytes, "made": round(e.made)} for e in found],
                    "others": others,
                },
                ensure_ascii=False,
            )
        )
        return
    console = screen()
    table = Sheet("removed" if clear else "", ["name", "what it is"], ["size", "made"])
    for entry in found:
        table.add_row(entry.path.name, entry.what, _size(entry.bytes), time.strftime("%Y-%m-%d", time.localtime(entry.made)))
    if found:
        console.print(table)
    rest = "" if not others else f"; {others} other{'s' if others > 1 else ''}, not made by gnosis, left alone"
    what = "removed" if clear else "kept"
    console.print(f"{folder}: {_size(total)} {what}{rest}" if found else f"{folder}: nothing that gnosis made{rest}", markup=False, soft_wrap=True)

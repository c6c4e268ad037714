"""Pages that are written from a run: the text, a plot beside it, and the numbers."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import output
from .inputs import read_text


class PageError(ValueError):
    """A page without the marks between which figures belong."""


def fill(page: Path, begin: str, end: str, text: str | None) -> None:
    """Replace what stands between two marks of a page; with None, only look that they are there.  PageError, OSError."""
    if not output.place(page).replaced:
        raise PageError(f"{page}: no regular file, so that there is no page to put figures into")
    before, first, rest = read_text(page, "page").partition(begin)
    _, last, after = rest.partition(end)
    if not first or not last:
        raise PageError(f"{page}: needs the marks {begin} and {end}")
    if text is not None:
        output.write(page, f"{before}{begin}\n{text}\n{end}{after}")


def write(page: Path, text: str, numbers: str, plots: Mapping[Path, Callable[[Path], None]]) -> list[Path]:
    """Write a page, and next to it its plots and, with the ending .json, its numbers.  Returns what was written.

    plots: what draws each; ImportError without matplotlib, before anything is written.
    """
    for path, draw in plots.items():
        draw(path)
    beside = page.with_suffix(".json")
    output.write(beside, numbers)
    output.write(page, text)
    return [page, *plots, beside]


def write_one(document: dict[str, Any], page: Path, markdown: Callable[[dict[str, Any], str], str], draw: Callable[[dict[str, Any], Path], None]) -> list[Path]:
    """A page with one plot, with the ending .svg.  markdown: the text, from the document and the plot's name."""
    plot, _ = parts(page)
    return write(page, markdown(document, plot.name), json.dumps(document, indent=1, ensure_ascii=False) + "\n", {plot: lambda path: draw(document, path)})


def parts(page: Path) -> list[Path]:
    """What `write_one` writes beside a page: the plot and the numbers."""
    return [page.with_suffix(".svg"), page.with_suffix(".json")]


def save_plot(figure: Any, path: Path) -> None:
    """A figure of matplotlib as SVG, the same bytes every time.  Raises OSError."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    output.write(path, drawn.getvalue())

"""Pages that are written from a run: the text, a plot beside it, and the numbers."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from . import output


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

"""Pages that are written from a run: the text, a plot beside it, and the numbers."""
from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import output


def write(document: dict[str, Any], page: Path, markdown: Callable[[dict[str, Any], str], str], draw: Callable[[dict[str, Any], Path], None]) -> list[Path]:
    """Write a page, and next to it the plot and the numbers, with the endings .svg and .json.  Returns what was written.

    markdown: the text, from the document and the plot's name.  draw: draws the plot; ImportError without matplotlib, before anything is written.
    """
    plot, numbers = parts(page)
    draw(document, plot)
    output.write(numbers, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
    output.write(page, markdown(document, plot.name))
    return [page, plot, numbers]


def parts(page: Path) -> list[Path]:
    """What `write` writes for a page: the plot and the numbers beside it."""
    return [page.with_suffix(".svg"), page.with_suffix(".json")]


def save_plot(figure: Any, path: Path) -> None:
    """A figure of matplotlib as SVG, the same bytes every time.  Raises OSError."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="svg", metadata={"Date": None})
    output.write(path, drawn.getvalue())

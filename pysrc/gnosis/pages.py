"""Pages that are written from a run: the text, a plot beside it, and the numbers."""
from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any


def write(document: dict[str, Any], page: Path, markdown: Callable[[dict[str, Any], str], str], draw: Callable[[dict[str, Any], Path], None]) -> list[Path]:
    """Write a page, and next to it the plot and the numbers, with the endings .svg and .json.  Returns what was written.

    markdown: the text, from the document and the plot's name.  draw: draws the plot; ImportError without matplotlib, before anything is written.
    """
    plot, numbers = page.with_suffix(".svg"), page.with_suffix(".json")
    draw(document, plot)
    numbers.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    page.write_text(markdown(document, plot.name), encoding="utf-8")
    return [page, plot, numbers]

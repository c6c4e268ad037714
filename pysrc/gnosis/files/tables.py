"""Tables for a terminal of any width: what does not fit is shown in several tables, one below the other, and no figure is cut."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

CONTINUED = " (continued)"


class Sheet:
    """A table that rich can print.

    title: above the first part.  left: headings of the columns of text, which every part repeats.  right: those of figures.  A heading of
    two lines names a group in the first; one whose first line is empty belongs to the group before it.  starts: where in `right` a group
    begins, when headings alone do not say it.  A group stays together where the width allows it.
    """

    def __init__(self, title: str, left: list[str], right: list[str], starts: tuple[int, ...] | None = None) -> None:
        self.title, self.left, self.right = title, left, right
        self.starts = tuple(i for i, name in enumerate(right) if i == 0 or not name.startswith("\n")) if starts is None else starts
        self.rows: list[tuple[tuple[RenderableType, ...], str]] = []

    def add_row(self, *cells: RenderableType, style: str = "") -> None:
        """cells: one for each heading; a text is shown as it is, without marks of style.  ValueError for more or fewer."""
        if len(cells) != len(self.left) + len(self.right):
            raise ValueError(f"{len(cells)} cells, {len(self.left) + len(self.right)} columns")
        self.rows.append((tuple(Text(cell) if isinstance(cell, str) else cell for cell in cells), style))

    def part(self, chosen: Iterable[int], most: int | None = None, first: bool = True) -> Table:
        """The columns of text, each at most `most` wide, with some of figures."""
        chosen = list(chosen)
        title = self.title if first else re.split(r":| \(|, ", self.title)[0] + CONTINUED
        made = Table(
            title=Text(title) if title else None,
            title_justify="left",
            title_style="bold",
            box=box.SIMPLE_HEAD,
            pad_edge=False,
            padding=(0, 1),
            collapse_padding=True,
        )
        for name in self.left:
            made.add_column(name, overflow="fold", max_width=most)
        for at, i in enumerate(chosen):
            group, line, own = self.right[i].partition("\n")
            if line and not group and at == 0:  # its group was named in the part before
                group = next(name for j in range(i, -1, -1) if (name := self.right[j].partition("\n")[0]))
            alone = len(chosen) == 1  # then text that is wider than the terminal is folded as well
            made.add_column(group + line + own, justify="right", no_wrap=not alone, overflow="fold" if alone else "ellipsis")
        for cells, style in self.rows:
            made.add_row(*cells[: len(self.left)], *(cells[len(self.left) + i] for i in chosen), style=style)
        return made

    def groups(self) -> list[list[int]]:
        """Columns of figures that belong together."""
        return [list(range(start, end)) for start, end in zip(self.starts, (*self.starts[1:], len(self.right)))]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        wide = options.update(max_width=10_000)
        most: int | None = None

        def fits(columns: list[int]) -> bool:
            made = self.part(columns, most)
            made.title = None  # a title wraps
            return Measurement.get(console, wide, made).maximum <= options.max_width

        if not fits([i for group in self.groups() for i in group]):
            most = 2 * options.max_width // 5  # where there is less room, text is folded before the figures are parted
            while most > 8 and not all(fits([i]) for i in range(len(self.right))):
                most -= 1
        parts: list[list[int]] = [[]]
        for group in self.groups():
            for piece in [group] if fits(group) else [[i] for i in group]:
                if parts[-1] and not fits(parts[-1] + piece):
                    parts.append([])
                parts[-1] += piece
        for at, columns in enumerate(parts):
            yield self.part(columns, most, at == 0)

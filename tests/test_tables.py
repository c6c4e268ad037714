"""Tables in terminals of any width: no figure is cut, no heading stands twice, nothing is wider than the terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from gnosis.files.tables import CONTINUED, Sheet

RIGHT = ["first group\ncubic", "\nD8", "\nE8", "second\ncubic", "\nE8", "of all", "rate"]
ROWS = [(f"tensor {i}", *(f"{i}{k}.{i + k:03d}%" for k in range(6)), f"{i}.3% (0.2%–4.6%)") for i in range(5)]


def drawn(sheet: Sheet, width: int) -> str:
    file = io.StringIO()
    Console(file=file, width=width).print(sheet)
    return file.getvalue()


def made() -> Sheet:
    sheet = Sheet("A title: with more", ["tensor"], RIGHT)
    for row in ROWS:
        sheet.add_row(*row)
    return sheet


@pytest.mark.parametrize("width", [*range(30, 90), 120, 200])
def test_no_figure_is_cut(width: int) -> None:
    text = drawn(made(), width)
    assert "…" not in text and max(map(len, text.splitlines())) <= width
    for row in ROWS:
        assert all(text.count(cell) == 1 for cell in row[1:]), row
    assert text.count("A title: with more") == 1
    parts = text.count(CONTINUED) + 1
    assert sum(text.count(row[0]) for row in ROWS) == parts * len(ROWS)
    assert text.count("first group") == text.count("second") == 1 or width < 50


def test_one_part_where_there_is_room() -> None:
    assert CONTINUED not in drawn(made(), 120) and CONTINUED in drawn(made(), 60)


def test_a_column_keeps_the_name_of_its_group() -> None:
    sheet = Sheet("t", ["x"], ["a long group\nfirst", "\nsecond"])
    sheet.add_row("r", "1" * 20, "2" * 20)
    assert drawn(sheet, 32).count("a long group") == 2


def test_a_group_that_headings_do_not_name() -> None:
    sheet = Sheet("t", ["x"], ["lattice\nE8", "truth", "4.5 bit\nE8", "truth"], (0, 2))
    sheet.add_row("r", *("1" * 10 for _ in range(4)))
    second = drawn(sheet, 45).split(CONTINUED)[1]
    assert "4.5 bit" in second and "truth" in second and drawn(sheet, 45).count(CONTINUED) == 1


def test_a_row_of_another_length() -> None:
    with pytest.raises(ValueError, match="2 cells, 3 columns"):
        Sheet("t", ["x"], ["a", "b"]).add_row("1", "2")


@pytest.mark.parametrize("width", [40, 60, 80, 120, 300])
def test_long_texts_are_folded_and_figures_are_not(width: int) -> None:
    sheet = Sheet("t", ["lane", "what"], ["checked", "per second"])
    sheet.add_row("a lane with words", "[red]a decision " + "x" * 70, "1,234,567", "987,654")
    text = drawn(sheet, width)
    assert "…" not in text and max(map(len, text.splitlines())) <= width and "1,234,567" in text and "987,654" in text
    assert "".join(text.split()).count("x") == 70 * (text.count(CONTINUED.strip()) + 1) and "[red]" in text

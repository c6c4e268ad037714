"""Nothing stands twice outside of the tests, unless a comment says why."""

from pathlib import Path

from repeats import FOLDERS, repeats

BODY = """
def measure(rows, start):
    total = 0.0
    for row in rows:
        if row.weight < start:
            raise ValueError("weight")
        total += row.weight * 2
    mean = total / len(rows)
    spread = max(r.weight for r in rows)
    while mean > spread:
        mean -= 1
    print(mean, total)
    return mean, spread
"""
OTHER = BODY.replace("row", "line").replace("total", "summe").replace("weight", "length").replace("2", "17")
SHORT = "".join(BODY.splitlines(keepends=True)[:9])
TABLE = "TABLE = (\n" + "".join(f'    Entry("{i}", {i}),\n' for i in range(20)) + ")\n"


def test_nothing_repeats() -> None:
    assert not (found := repeats(Path(__file__).parents[1])), "\n".join(found)


def in_two_files(root: Path, one: str, two: str, ending: str = ".py") -> list[str]:
    for folder, text in ((FOLDERS[0], one), (FOLDERS[2], two)):
        (root / folder).mkdir(exist_ok=True)
        (root / folder / f"a{ending}").write_text(text)
    return repeats(root)


def test_what_repeats_is_named(tmp_path: Path) -> None:
    assert any(said.startswith("the same 12 lines: pysrc/a.py:2-13 and conformance/a.py:4-15") for said in in_two_files(tmp_path, BODY, f"X = 1\n\n{BODY}"))
    (said,) = in_two_files(tmp_path, BODY, OTHER.replace("    summe = 0", "\n    # a comment\n    summe = 0"))
    assert said.startswith("of one shape, 12 lines")
    c = BODY.replace("    ", "\t").replace(":", "")
    assert in_two_files(tmp_path, c, c, ".c") and in_two_files(tmp_path, c, f"/* more\n than a line */{c}", ".h")


def test_what_repeats_in_one_file_is_named(tmp_path: Path) -> None:
    assert in_two_files(tmp_path, BODY + "X = 1\n" + OTHER, "")


def test_less_and_what_has_a_reason_is_not_named(tmp_path: Path) -> None:
    assert not in_two_files(tmp_path, BODY, SHORT)
    assert not in_two_files(tmp_path, TABLE, TABLE.replace("Entry", "Row"))
    assert not in_two_files(tmp_path, BODY, OTHER.replace("    summe = 0", "    # repeats: another unit of the same sum\n    summe = 0"))
    assert not in_two_files(tmp_path, BODY, f"# repeats: another unit\n{OTHER}")
    assert in_two_files(tmp_path, BODY, f"# repeats: another unit\nX = 1\n{OTHER}") and in_two_files(tmp_path, BODY, f"# repeats:\n{OTHER}")
    assert in_two_files(tmp_path, TABLE, TABLE)

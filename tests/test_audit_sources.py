"""What may lie among the sources that the audit reads: file names, kinds of file, text, headers, imports."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from gnosis.audits import audit, sources

LOGIC = "prelude\nimport Gnosis.Core.Logic\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Sources that are not compiled."""
    (tmp_path / "Gnosis" / "Core").mkdir(parents=True)
    (tmp_path / "Gnosis" / "Core" / "Logic.lean").write_text("prelude\ntheorem a : p := h\n")
    (tmp_path / "Gnosis" / "B.lean").write_text(LOGIC + "theorem b : p := h\n")
    return tmp_path


def said(base: Path) -> list[str]:
    return [str(f) for f in sources.read(base)[1]]


# What lies in Gnosis/


def test_a_plain_tree_is_read_in_order(tree: Path) -> None:
    found, wrong = sources.read(tree)
    assert wrong == [] and list(found) == ["Gnosis.Core.Logic", "Gnosis.B"] and found["Gnosis.B"].imports == ("Gnosis.Core.Logic",)
    sums = "".join(f"{hashlib.sha256((tree / f).read_bytes()).hexdigest()}  {f}\n" for f in ("Gnosis/B.lean", "Gnosis/Core/Logic.lean"))
    assert sources.digest(found.values()) == hashlib.sha256(sums.encode()).hexdigest()


@pytest.mark.parametrize(
    "name",
    [
        "X.olean",
        "X.lean.bak",
        "x.lean",
        "X-Y.lean",
        "X Y.lean",
        "Ä.lean",
        "X.Y.lean",
        "«X».lean",
        ".X.lean",
        "X.lean\n",
        "lower/X.lean",
        "X.LEAN",
        "__pycache__/X.lean",
    ],
)
def test_a_file_with_another_name_is_named(tree: Path, name: str) -> None:
    (tree / "Gnosis" / name).parent.mkdir(exist_ok=True)
    (tree / "Gnosis" / name).write_text(LOGIC)
    assert any("no name for a" in s and "\n" not in s for s in said(tree))
    assert "Gnosis.B" in sources.read(tree)[0]


def test_a_name_cannot_look_like_another_line_of_the_report(tree: Path) -> None:
    for name in ("X\nno findings", "X\x1b[2K.lean", "X\udcff.lean"):
        (tree / "Gnosis" / name).write_text("")
    assert len(said(tree)) == 3 and all(s.isprintable() for s in said(tree))


def test_names_that_differ_only_in_capitals_are_named(tree: Path) -> None:
    (tree / "Gnosis" / "CORE").mkdir()
    (tree / "Gnosis" / "CORE" / "Logic.lean").write_text("prelude\n")
    assert any("differs from" in s and "only in capitals" in s for s in said(tree))


@pytest.mark.parametrize("how", ["link to a file", "link to a folder", "pipe", "folder", "link for all", "nothing"])
def test_what_is_no_regular_file_is_named_and_not_opened(tree: Path, how: str) -> None:
    new = tree / "Gnosis" / "X.lean"
    if how == "link to a file":
        new.symlink_to(tree / "Gnosis" / "B.lean")
    elif how == "link to a folder":
        (tree / "Gnosis" / "Linked").symlink_to(tree / "Gnosis" / "Core")
    elif how == "pipe":
        os.mkfifo(new)
    elif how == "folder":
        new.mkdir()
    else:
        (tree / "Gnosis").rename(tree / "Elsewhere")
        if how == "link for all":
            (tree / "Gnosis").symlink_to(tree / "Elsewhere")
    assert len(said(tree)) == 1


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfprelude\n", "U+FEFF"),
        (b"prelude\r\n", "U+000D"),
        (b"prelude\n-- \xe2\x80\xa8 x\n", "U+2028"),
        (b"prelude\n\x00\n", "U+0000"),
        (b"prelude\n-- \xe2\x80\xae x\n", "U+202E"),
        (b"prelude\n\t\n", "U+0009"),
        (b"prelude\n-- \xc2\xa0\n", "U+00A0"),
        (b"prelude\n-- \xe2\x80\x8b\n", "U+200B"),
        (b"prelude\n\xff\n", "utf-8"),
        (b"prelude\n" + b"-" * (1 << 20), "more than"),
        (b"prelude\n-- \xee\x80\x80\n", "U+E000"),
    ],
)
def test_text_that_is_not_what_it_looks_like_is_named(tree: Path, data: bytes, text: str) -> None:
    (tree / "Gnosis" / "X.lean").write_bytes(data)
    assert any(s.startswith("sources: Gnosis/X.lean") and text in s for s in said(tree))


@pytest.mark.parametrize(
    "text",
    [
        "prelude import Gnosis.Core.Logic\n",
        "prelude\nimport Gnosis.Core.Logic import Gnosis.B\n",
        "prelude\nimport Gnosis.Core.Logic Gnosis.B\n",
        "module\nprelude\n",
        "prelude\npublic import Gnosis.B\n",
        "prelude\nmeta import Gnosis.B\n",
        "prelude\nimport all Gnosis.B\n",
        "prelude\n/- c -/ import Gnosis.B\n",
        "-- c\nprelude\n",
        "/- c -/ prelude\n",
        " prelude\n",
        "\nprelude\n",
        "import Gnosis.B\n",
        "",
        "prelude\nimport Gnosis.B -- c\ntheorem x : p := h\nimport Gnosis.B\n",
        "prelude\n\nimport Gnosis.B\n",
        "prelude\nimport  Gnosis.B\n",
        "prelude\nimport «Gnosis».B\n",
        "prelude\nimport Init\n",
        "prelude\nimport Gnosis.B.«C»\n",
        "prelude;\nimport Gnosis.B\n",
        "prelude\nimport Gnosis.Core.Logic\nimport Gnosis.Core.Logic\n",
        "prelude\nimport Gnosis.b\n",
        "prelude\nimport Gnosis.B\n  import Gnosis.Core.Logic\n",
        "prelude\nimport runtime Gnosis.B\n",
    ],
)
def test_a_header_that_is_not_the_plain_one_is_refused(text: str) -> None:
    assert sources.header(text)[1]


@pytest.mark.parametrize(
    ("text", "imports"),
    [
        ("prelude\n", []),
        ("prelude", []),
        ("prelude\nimport Gnosis.B", ["Gnosis.B"]),
        (LOGIC + "theorem important : p := imports\n", ["Gnosis.Core.Logic"]),
        ("prelude\nimport Gnosis.A\nimport Gnosis.B.C9\n\n/-! text -/\n", ["Gnosis.A", "Gnosis.B.C9"]),
        ("prelude\n-- x.import\n", []),
    ],
)
def test_a_plain_header_is_read(text: str, imports: list[str]) -> None:
    assert sources.header(text) == (imports, [])


def test_a_missing_import_and_a_circle_are_named(tree: Path) -> None:
    (tree / "Gnosis" / "B.lean").write_text("prelude\nimport Gnosis.Nowhere\n")
    with pytest.raises(sources.BuildError, match="Gnosis.B imports Gnosis.Nowhere"):
        sources.read(tree)
    (tree / "Gnosis" / "B.lean").write_text("prelude\nimport Gnosis.B\n")
    with pytest.raises(sources.BuildError, match="cycle: Gnosis.B → Gnosis.B"):
        sources.read(tree)


def test_many_imports_need_no_deep_stack(tree: Path) -> None:
    for i in range(900):
        (tree / "Gnosis" / f"N{i}.lean").write_text(f"prelude\nimport Gnosis.N{i + 1}\n" if i < 899 else "prelude\n")
    assert list(sources.read(tree)[0])[2] == "Gnosis.N899"
    for i in range(900, 1001):
        (tree / "Gnosis" / f"N{i}.lean").write_text("prelude\n")
    with pytest.raises(OSError, match="more than 1000 files"):
        sources.read(tree)


@pytest.mark.parametrize(("text", "what"), [("leanprover/lean4:v4.34.0\n", "4.34.0"), ("nightly\n", "nightly"), (None, "lean-toolchain")])
def test_another_toolchain_file_is_named(tree: Path, text: str | None, what: str) -> None:
    if text:
        (tree / "lean-toolchain").write_text(text)
    assert any(what in str(f) for f in audit._root_files(tree, "4.35.0")[1])

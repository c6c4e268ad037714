"""The site: built strictly, whole, without anything from elsewhere, and red where a link leads nowhere."""

from __future__ import annotations

import posixpath
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import check
import pytest
from command_lines import commands

pytest.importorskip("mkdocs")
ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert check.site(where=folder) == 0
    return folder


class Links(HTMLParser):
    """Where a page leads, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.leads, self.loads, self.anchors = list[str](), list[str](), set[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.leads.append(given["href"])
        elif tag in ("script", "img", "iframe") and "src" in given:
            self.loads.append(given["src"])
        elif tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload"):
            self.loads.append(given["href"])


def wrong(site: Path) -> list[str]:
    """Links of all pages that lead nowhere, and what is loaded from elsewhere."""
    pages = {path.relative_to(site).as_posix(): Links(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    found = []
    for name, page in pages.items():
        for target in [*page.leads, *page.loads]:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                found += [f"{name} loads {target}"] if target in page.loads and parts.scheme != "data" else []
                continue
            there = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path))) if parts.path else name
            if name == "404.html" and parts.path.startswith("/"):
                there = parts.path.lstrip("/") or "index.html"
            if not (site / there).is_file() and not (site / there / "index.html").is_file():
                found.append(f"{name}: {target}")
            elif parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].anchors and not parts.fragment.startswith("__"):
                found.append(f"{name}: {target}: no such place")
    return found


def test_every_link_leads_somewhere_and_nothing_comes_from_elsewhere(site: Path) -> None:
    assert wrong(site) == []
    page = site / "index.html"
    before = page.read_text(encoding="utf-8")
    for bad in ('<a href="none.html">x</a>', '<a href="gates.html#none">x</a>', '<script src="https://example.org/x.js"></script>'):
        page.write_text(before + bad, encoding="utf-8")
        assert len(wrong(site)) == 1, bad
    page.write_text(before, encoding="utf-8")


def test_every_page_is_there(site: Path) -> None:
    sources = [path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")]
    for source in [*sources, Path("index.md"), Path("contributing.md"), Path("changelog.md"), Path("trusted.md"), Path("reference/commands.md")]:
        assert (site / source.with_suffix(".html")).is_file(), source


def test_every_command_and_every_gate_is_in_the_reference(site: Path) -> None:
    page = (site / "reference" / "commands.html").read_text(encoding="utf-8")
    for name, _ in commands():
        assert f"gnosis {name}</code>" in page, name
    page = (site / "reference" / "gates.html").read_text(encoding="utf-8")
    for path in (ROOT / "pysrc" / "gnosis" / "gates").glob("[a-z]*.py"):
        assert f'id="gnosis.gates.{path.stem}"' in page, path.stem
    assert 'id="gnosis.gates.energy.SidecarGate.decide"' in page


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("docs/codes.md", "[x](none.md)", "none.md"),
        ("docs/codes.md", "[x](gates.md#none)", "#none"),
        ("docs/codes.md", "[x](../none/none.py)", "none.py"),
        ("docs/alone.md", "# A page that no menu names", "alone.md"),
        ("README.md", "[x](docs/none.md)", "none.md"),
        ("docs/codes.md", "::: gnosis.gates.none", "gnosis.gates.none"),
    ],
)
def test_a_fault_fails_the_build(tmp_path: Path, capfd: pytest.CaptureFixture[str], file: str, text: str, said: str) -> None:
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("spine.md", "reference", "__pycache__"))
    (tmp_path / "docs" / "spine.md").write_text("# Short\n")
    for name in ("audits", "pysrc"):
        (tmp_path / name).symlink_to(ROOT / name)
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    settings = re.sub(r"^ +- [^\n]*: reference/(?!commands)[^\n]*\n", "", settings, flags=re.M).replace("      - Reference:\n", "")
    (tmp_path / "mkdocs.yml").write_text(settings, encoding="utf-8")
    with (tmp_path / file).open("a", encoding="utf-8") as page:
        page.write(f"\n{text}\n")
    assert check.site(tmp_path, tmp_path / "out") != 0
    out = "".join(capfd.readouterr())
    assert said in out, out

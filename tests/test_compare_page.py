"""The HTML report of `gnosis compare`: its figures are those of the JSON, nothing comes from outside, and a browser shows it at every width."""

from __future__ import annotations

import json
from pathlib import Path

import browser
import numpy as np
import pytest
import tiny_models
from html_support import Page, measured
from typer.testing import CliRunner

from gnosis.cli import app, compare_page

HOSTILE = "<img src=x onerror=alert(1)>\u202e.gguf"


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    every = tiny_models.tensors("llama")
    for name, kind in (("F32.gguf", "F32"), ("Q8_0.gguf", "Q8_0"), (HOSTILE, "Q4_0")):
        tiny_models.write(folder / name, "llama", weights=every, kind=kind)
    rng = np.random.default_rng(0)
    (folder / "tokens.txt").write_text("\n".join(" ".join(map(str, rng.integers(1, 259, n))) for n in (300, 37, 500)) + "\n")
    return folder


@pytest.fixture(scope="module")
def found(there: Path) -> tuple[dict, str]:
    words = ["compare", *(str(there / name) for name in ("F32.gguf", "Q8_0.gguf", HOSTILE)), "--tokens", str(there / "tokens.txt"), "--length", "20"]
    words += ["--require", "flips<=0.1 at 0.9", "--activations", "30", "--format"]
    page, data = there / "r.html", there / "r.json"
    for kind, file in (("html", page), ("json", data)):
        done = CliRunner().invoke(app, [*words, kind, "--output", str(file)])
        assert done.exit_code == 1 and done.stdout == "", done.output
    return json.loads(data.read_text()), page.read_text()


def test_the_page_is_well_formed_and_holds_no_markup_of_names(found) -> None:
    page = Page(found[1])
    assert page.errors == [] and not [attrs for tag, attrs in page.tags if tag == "img"] and "\u202e" not in found[1]
    assert not [1 for tag, attrs in page.tags for key in attrs if key.startswith("on") or key in ("src", "style")]
    assert "default-src 'none'" in found[1]
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids)) and all(t.caption.strip() for t in page.tables)


def test_its_figures_are_those_of_the_json(found) -> None:
    document, page = found[0], Page(found[1])
    for i, entry in enumerate(document["candidates"]):
        rows = [[attrs.get("data-value") for _, attrs, _ in row] for row in page.table(f"weights{i or ''}").rows[2:]]
        tensors = entry["weights"]["tensors"]
        assert [row[0] for row in rows] == [t["name"] for t in tensors]
        assert [(row[4], row[6]) for row in rows] == [
            tuple("" if t[key] is None else repr(t[key]) for key in ("relative_upper", "energy_upper")) for t in tensors
        ]
        asked = [t for t in tensors if t["gates"]]
        rows = [[attrs.get("data-value") for _, attrs, _ in row] for row in page.table(f"gates{i or ''}").rows[2:]]
        assert [(row[0], row[1], row[8]) for row in rows] == [
            (t["name"], repr(t["gates"]["row"]["least_all"]), "" if t["gates"]["tile"]["vacuity"] is None else repr(t["gates"]["tile"]["vacuity"]))
            for t in asked
        ]
        squares = compare_page.heat(entry).squares
        assert len(squares) == sum(len(t["shape"]) > 1 for t in tensors) == len({(s.x, s.y) for s in squares})
        o = document["outputs"]["candidates"][i]
        assert sum(o["histograms"]["kl"]["positions"]) == sum(o["histograms"]["margins"]["positions"]) == o["figures"]["positions"]
        assert sum(o["histograms"]["margins"]["changed"]) == o["figures"]["flips"]["changed"]
        for name in compare_page.NAMES:
            if name in o["history"]:
                assert len(o["history"][name]) == document["outputs"]["draws"] and o["history"][name][-1] == o["intervals"][name]
    assert any("REFUTED" in r["state"].upper() for c in document["outputs"]["candidates"] for r in c["requirements"]) and " refuted</p>" in found[1]


def test_weights_alone(there: Path) -> None:
    done = CliRunner().invoke(app, ["compare", str(there / "F32.gguf"), str(there / "Q8_0.gguf"), "--only", "weights", "--format", "html"])
    assert done.exit_code == 0 and Page(done.stdout).errors == [] and "No outputs: not asked for" in done.stdout


needs_chromium = pytest.mark.skipif(browser.CHROMIUM is None, reason="no chromium")


@needs_chromium
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("theme", [browser.LIGHT, browser.DARK], ids=["light", "dark"])
def test_a_browser_shows_it(found, tmp_path: Path, width: int, theme: str) -> None:
    seen = measured(found[1], tmp_path, width, "[0, 4]", theme)  # without a line on the console
    assert (seen["clipped"], seen["overlapping"]) == ([], []) and seen["wide"] <= 0
    grounds = ["rgb(255, 255, 255)", "rgb(18, 23, 29)"]
    assert seen["theme"][:2] == (grounds if theme == browser.LIGHT else grounds[::-1])
    assert [way for _, way, _ in seen["sorted"]] == ["ascending", "descending"] * 2
    errors = [t["relative_upper"] for t in found[0]["candidates"][0]["weights"]["tensors"]]
    assert seen["sorted"][2][2] == list(map(repr, sorted(errors)))
    file = tmp_path / "page.html"
    file.write_text(found[1])
    assert browser.visit(file, tmp_path / "profile", f"--window-size={width},900", theme).console == []


@needs_chromium
def test_what_is_too_wide_is_noticed(found, tmp_path: Path) -> None:
    worse = found[1].replace('<main id="main">', '<main id="main"><svg width="2000" height="9"></svg>')
    assert measured(worse, tmp_path, 390, "[0, 4]")["wide"] > 0

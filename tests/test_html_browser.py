"""The HTML report for everyone: readable in both themes, and shown by a browser."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import browser
import numpy as np
import pytest
from html_support import DATA, HOSTILE, TAME, Page, made, measured, renamed

from gnosis.models.files import open_model
from gnosis.probe import html, run
from gnosis.probe.report import Report
from gnosis.probe.settings import Settings


@pytest.fixture(scope="module")
def real() -> Report:
    """Part of a real transformer, with real activations."""
    some = ["embeddings.word*", "*layer.[01].*query.weight", "*layer.1.output.dense.weight"]
    return run.probe(open_model("minilm"), Settings(rows=64, positions=32, q_values=["0.5", "0.9"], tensors=some))


@pytest.fixture(scope="module")
def page(real) -> str:
    return html.render(real)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> tuple[Report, Report]:
    """The same report under hostile and under tame names; the file's name is hostile as well."""
    tame = made(tmp_path_factory.mktemp("tame"), TAME, gamma_multiplier=0.5)
    names = dict(zip(TAME, HOSTILE)) | {tame.model.name: "<img src=x onerror=alert(1)>\u202e", tame.model.files[0].file: "<img src=y onerror=alert(2)>"}
    return renamed(tame, names), tame


# ---- for everyone ----


def inaccessible(text: str) -> list[str]:
    """What a reader with other means would miss."""
    found, out = Page(text), []
    ids = [attrs["id"] for _, attrs in found.tags if "id" in attrs]
    out += [f"id {name} twice" for name, n in Counter(ids).items() if n > 1]
    for tag, attrs in found.tags:
        out += [f"{tag} points to {name}" for key in ("aria-labelledby", "aria-describedby") for name in attrs.get(key, "").split() if name not in ids]
        if tag == "html" and attrs.get("lang") != "en":
            out.append("no language")
        if tag == "svg" and attrs.get("aria-hidden") != "true" and not (attrs.get("role") == "img" and attrs.get("aria-labelledby")):
            out.append("a plot without a name")
        if attrs.get("tabindex") == "0" and not attrs.get("aria-label"):
            out.append("a region without a name")
    out += [f"table {t.id} without a caption" for t in found.tables if not t.caption.strip()]
    out += ["a heading of a table without a scope" for t in found.tables for row in t.rows for tag, attrs, _ in row if tag == "th" and "scope" not in attrs]
    levels = [int(tag[1]) for tag, _ in found.tags if re.fullmatch("h[1-6]", tag)]
    out += [f"h{b} after h{a}" for a, b in zip(levels, levels[1:]) if b > a + 1]
    return out + (["not one h1"] if levels.count(1) != 1 else []) + ([] if found.inside.get("title", [""])[0].strip() else ["no title"])


def test_the_page_is_accessible(page, hostile):
    assert inaccessible(page) == [] and inaccessible(html.render(hostile[0])) == []


@pytest.mark.parametrize(
    "old, new",
    [
        ('lang="en"', ""),
        ("<caption>", "<caption hidden></caption><p>"),
        ('role="img"', ""),
        ('scope="row"', ""),
        ("<h3>", "<h5>"),
        ('id="f1-t"', 'id="a1-t"'),
        ("<title>minilm: probe report</title>", "<title></title>"),
    ],
)
def test_what_is_not_accessible_is_noticed(page, old, new):
    assert old in page
    worse = page.replace(old, new)
    worse = worse.replace("</h3>", "</h5>") if new == "<h5>" else worse.replace("</caption>", "</p>") if "hidden" in new else worse
    assert inaccessible(worse)


def themes(css: str) -> list[dict[str, str]]:
    """The colours of each block that sets them: light, dark by the system, dark by the button."""
    return [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", block)) for block in re.findall(r"\{[^{}]*--page:[^{}]*\}", css)]


def contrast(a: str, b: str) -> float:
    """The contrast of WCAG 2: (lighter + 0.05) / (darker + 0.05) of the relative luminances."""

    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def pale(css: str) -> list[str]:
    out = []
    for theme in themes(css):
        for ground in ("page", "card"):
            out += [f"{name} on {ground}" for name in ("ink", "quiet", "pass", "refused") if contrast(theme[name], theme[ground]) < 4.5]
        out += [f"{name} in plots" for name in ("e8", "d8", "cubic", "all", "threshold") if contrast(theme[name], theme["page"]) < 3]
        out += ["gamma"] if contrast(theme["gamma"], theme["page"]) < 4.5 else []
    return out


def test_both_themes_are_readable():
    css = (DATA / "report.css").read_text()
    light, system, pressed = themes(css)
    assert system == pressed and light.keys() == system.keys() and light != system and pale(css) == []
    assert pale(css.replace(light["quiet"], "#b0b6bd")) and pale(css.replace(light["e8"], "#aaccee")) and contrast("#000000", "#ffffff") == pytest.approx(21)


# ---- in a browser ----

needs_chromium = pytest.mark.skipif(browser.CHROMIUM is None, reason="no chromium")


# Measured in the browser: texts of plots that leave their box or lie on one another, sideways scrolling of the page, and what sorting does.


def blank(image: Path) -> bool:
    """Whether a picture shows next to nothing: few colours, or nearly all of it in one."""
    from matplotlib.image import imread

    pixels = (imread(image)[:, :, :3] * 255).astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    counts = np.unique(pixels, return_counts=True)[1]
    return len(counts) < 50 or counts.max() > 0.97 * counts.sum()


@needs_chromium
def test_a_browser_shows_it_in_both_themes(page, tmp_path):
    file = tmp_path / "report.html"
    file.write_text(page)
    shots = {}
    for name, theme in (("light", browser.LIGHT), ("dark", browser.DARK)):
        shots[name] = tmp_path / f"{name}.png"
        assert browser.screenshot(file, shots[name], tmp_path / "profile", 1180, 1200, theme) == []
        assert not blank(shots[name])
    from matplotlib.image import imread

    corner = {name: imread(shot)[0, 0, :3].mean() for name, shot in shots.items()}
    assert corner["light"] > 0.95 and corner["dark"] < 0.2


@needs_chromium
def test_a_page_with_errors_and_a_blank_one_are_noticed(page, tmp_path):
    broken = tmp_path / "broken.html"
    broken.write_text(page.replace("button.hidden = false;", "button.hidden = nothing_of_that_name;"))  # the policy refuses a changed script
    assert any("Content Security Policy" in line for line in browser.visit(broken, tmp_path / "profile").console)
    empty = tmp_path / "empty.html"
    empty.write_text("<!doctype html><title>a</title><script>nothing_of_that_name</script>")
    found = browser.screenshot(empty, tmp_path / "empty.png", tmp_path / "profile", 400, 300)
    assert any("ReferenceError" in line for line in found) and blank(tmp_path / "empty.png")


@needs_chromium
@pytest.mark.parametrize("width", [760, 400])
def test_nothing_is_clipped_and_tables_sort(real, page, tmp_path, width):
    found = measured(page, tmp_path, width)
    assert (found["clipped"], found["overlapping"]) == ([], []) and found["wide"] <= 0
    light, dark, again = found["theme"]
    assert light == again == "rgb(255, 255, 255)" and dark == "rgb(18, 23, 29)"
    names = [t.name for t in real.tensors]
    heavy = [t.weights.kurtosis for t in real.tensors]
    reached = [t.activations.kurtosis for t in real.tensors if t.activations]
    for column, way, values in found["sorted"]:
        if column == 0:
            assert values == sorted(names, reverse=way == "descending")
        else:
            expected = [repr(v) for v in sorted(heavy if column == 9 else reached, reverse=way == "descending")]
            assert values == expected + [""] * (len(names) - len(expected))
    assert [way for _, way, _ in found["sorted"]] == ["ascending", "descending"] * 3 and len(reached) < len(names)


@needs_chromium
def test_clipped_and_overlapping_texts_are_noticed(page, tmp_path):
    worse = page.replace('text-anchor="middle">0</text>', 'text-anchor="middle">a label much longer than the room that there is for it</text>')
    assert worse != page
    found = measured(worse.replace('<text class="label" x="', '<text class="label" x="4', 1), tmp_path, 1180)
    assert found["overlapping"] and found["clipped"]

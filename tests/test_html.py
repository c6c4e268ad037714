"""The HTML report: its figures are those of the JSON, no text of a model becomes markup, nothing comes from outside, and a browser shows it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter

import numpy as np
import pytest
from html_support import DATA, HOSTILE, TAME, Page, every_plot, inside_box, least, made, renamed, shown_as
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, UndefinedError
from model_files import gaussian, write_safetensors
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.models.files import open_model
from gnosis.probe import frontier, html, run
from gnosis.probe import part as parts
from gnosis.probe.report import Report
from gnosis.probe.settings import Settings
from gnosis.probe.tensor import CONJUNCTS


@pytest.fixture(scope="module")
def real() -> Report:
    """Part of a real transformer, with real activations."""
    some = ["embeddings.word*", "*layer.[01].*query.weight", "*layer.1.output.dense.weight"]
    return run.probe(open_model("minilm"), Settings(rows=64, positions=32, q_values=["0.5", "0.9"], tensors=some))


@pytest.fixture(scope="module")
def page(real) -> str:
    return html.render(real)


# ---- reading a page ----


def test_the_page_is_well_formed(page):
    found = Page(page)
    assert page.startswith("<!doctype html>") and found.errors == [] and len(found.inside["title"]) > 1
    assert found.inside["title"][0] == "minilm: probe report"


@pytest.mark.parametrize("text", ["<p><b></p></b>", "<p>", "<div/>", "<p class=a class=b></p>"])
def test_the_strict_reader_notices(text):
    assert Page(text).errors


# ---- nothing from outside, and nothing to run but its own script ----


def outside(text: str) -> list[str]:
    """Whatever in a page refers to something beyond it, or could run."""
    found, out = Page(text), []
    for tag, attrs in found.tags:
        for name, value in attrs.items():
            if name.startswith("on") or name in ("style", "srcset", "action", "formaction", "ping"):
                out.append(f"{tag} {name}")
            elif name in ("href", "src", "data", "poster", "xlink:href", "xmlns") and not (value.startswith("#") or value == "data:,"):
                out.append(f"{tag} {name}={value}")
        if tag in ("iframe", "object", "embed", "form", "base", "img", "foreignobject"):
            out.append(tag)
    for tag in ("script", "style"):
        if len(found.inside.get(tag, [])) != 1:
            out.append(f"{len(found.inside.get(tag, []))} of {tag}")
        out += re.findall(r"https?:|//[a-z]|url\(|@import|fetch\(|XMLHttpRequest|import\(|innerHTML|eval\(", "".join(found.inside.get(tag, [])))
    return out


def test_nothing_comes_from_outside(page):
    assert outside(page) == [] and not re.search(r"https?://", page)


@pytest.mark.parametrize(
    "planted", ["<img src=x.png>", "<p onclick=a()></p>", "<script src=a.js></script>", "<a href=http://a>a</a>", "<p style='a'></p>", "<iframe></iframe>"]
)
def test_what_comes_from_outside_is_noticed(page, planted):
    assert outside(page.replace("</main>", planted + "</main>"))


def test_the_policy_names_this_style_and_this_script(page):
    found = Page(page)
    policy = next(attrs["content"] for tag, attrs in found.tags if tag == "meta" and "http-equiv" in attrs)
    for tag in ("style", "script"):
        digest = base64.b64encode(hashlib.sha256(found.inside[tag][0].encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'") and "unsafe" not in policy


# ---- names are hostile ----


@pytest.fixture(scope="module")
def hostile(tmp_path_factory) -> tuple[Report, Report]:
    """The same report under hostile and under tame names; the file's name is hostile as well."""
    tame = made(tmp_path_factory.mktemp("tame"), TAME, gamma_multiplier=0.5)
    names = dict(zip(TAME, HOSTILE)) | {tame.model.name: "<img src=x onerror=alert(1)>\u202e", tame.model.files[0].file: "<img src=y onerror=alert(2)>"}
    return renamed(tame, names), tame


def same_structure(hostile: tuple[Report, Report], env: Environment | None = None) -> bool:
    bad, good = (Page(html.render(r, env)) for r in hostile)
    return bad.errors == good.errors == [] and bad.shape() == good.shape() and outside(html.render(hostile[0], env)) == []


def test_hostile_names_stay_text(hostile):
    assert same_structure(hostile)
    text = html.render(hostile[0])
    names = {attrs["data-value"] for row in Page(text).table("gates").rows[2:] for tag, attrs, _ in row[:1]}
    assert names == {html.visible(n) for n in HOSTILE} and "<script>alert" not in text and "<img src=x" not in text
    assert "a\\u202eb\\x07.weight" in names and not re.search("[\u202e\x07]", text) and "49" not in {row[0][2] for row in Page(text).table("gates").rows}


def test_a_template_that_forgets_escaping_is_noticed(hostile):
    assert not same_structure(hostile, html.environment(autoescape=False))


@pytest.mark.parametrize("place", ["<bdi>{{ report.model.name }}</bdi>", "<li><bdi>{{ name }}</bdi></li>", "<bdi>{{ f.file }}</bdi>"])
def test_one_place_that_forgets_escaping_is_noticed(hostile, place):
    env = html.environment()
    files = {p.name: p.read_text() for p in DATA.iterdir()}
    assert place in files["report.html"]
    files["report.html"] = files["report.html"].replace(place, place.replace(" }}", " | safe }}"))
    env.loader = DictLoader(files)
    assert not same_structure(hostile, env)


def test_a_figure_that_is_not_there_is_an_error(real):
    env = html.environment()
    env.loader = DictLoader({p.name: p.read_text().replace("report.digest", "report.digests") for p in DATA.iterdir()})
    with pytest.raises(UndefinedError, match="digests"):
        html.render(real, env)


@given(st.text())
def test_whatever_the_text_it_is_shown_escaped(text):
    shown = str(html.broken(text))
    assert Counter(tag for tag, _ in Page(shown).tags).keys() <= {"wbr"} and html.visible(text).isprintable()
    if text.isprintable():
        assert (
            "".join(re.split("<wbr>", shown)).replace("&lt;", "<").replace("&gt;", ">").replace("&#34;", '"').replace("&#39;", "'").replace("&amp;", "&")
            == text
        )


# ---- the figures are those of the JSON ----


def rows_level(t: dict, family: str) -> dict:
    return next(c for c in t[family]["conformal"] if (c["of"], c["code"]) == ("row", "e8"))["levels"][-1]


def gate(t: dict, family: str, norm: str, code: str) -> float:
    return next(g for g in t[family]["gates"] if (g["norm"], g["activation"]) == (norm, "unit"))[code]["share_admitted"]


GATES = [
    lambda t: t["name"],
    *(lambda t, c=c, n=n: gate(t, "lattice", n, c) for n in ("energy", "sup") for c in ("cubic", "d8", "e8")),
    lambda t: next(g for g in t["lattice"]["gates"] if (g["norm"], g["activation"]) == ("energy", "unit"))["e8"]["truth"]["vacuity"]["median"],
    lambda t: least(t, "lattice"),
    lambda t: rows_level(t, "lattice")["exceed"]["share"],
    lambda t: rows_level(t, "lattice")["lies"]["share"],
    lambda t: t["admission"]["admitted"],
    *(lambda t, c=c: gate(t, "bounded", "energy", c) for c in ("cubic", "d8", "e8")),
    lambda t: least(t, "bounded"),
    lambda t: rows_level(t, "bounded")["exceed"]["share"],
    lambda t: t["bounded_admission"]["admitted"],
]
WEIGHTS = [
    lambda t: t["name"],
    lambda t: t["layer"],
    lambda t: t["encoding"],
    lambda t: t["rows_total"],
    lambda t: t["columns"],
    lambda t: t["rows_read"],
    lambda t: t["effective_dimension"],
    lambda t: t["effective_dimension_white"],
    lambda t: t["mean_abs_correlation"],
    lambda t: t["weights"]["kurtosis"],
    lambda t: t["activations"]["kurtosis"] if t["activations"] else None,
    *(lambda t, f=f, c=c: t[f][f"{c}_edge"] for f in ("lattice", "bounded") for c in ("d8", "e8")),
]


def wrong_figures(text: str, data: dict) -> list[str]:
    out = []
    for id_, figures in (("gates", GATES), ("weights", WEIGHTS)):
        table = Page(text).table(id_)
        body = table.rows[2:]
        if len(body) != len(data["tensors"]) or any(len(row) != len(figures) for row in body):
            return [f"{id_}: {len(body)} rows"]
        for row, t in zip(body, data["tensors"]):
            for (_, attrs, cell), figure, (_, _, title) in zip(row, figures, table.rows[1]):
                value = figure(t)
                written = "" if value is None else value if isinstance(value, str) else json.dumps(value)
                if attrs["data-value"] != written or not shown_as(cell, value, up=title.strip() == "least multiplier"):
                    out.append(f"{id_}, {t['name']}: {attrs['data-value']} {cell}, not {written}")
    return out


def test_the_tables_say_what_the_json_says(real, page, hostile, tmp_path):
    assert wrong_figures(page, json.loads(parts.to_json(real))) == []
    tame = hostile[1]
    assert wrong_figures(html.render(tame), json.loads(parts.to_json(tame))) == []


def test_a_wrong_figure_is_noticed(real, page):
    data = json.loads(parts.to_json(real))
    cells = re.findall(r'<td data-value="([^"]+)"[^>]*>([^<]+)</td>', page[page.index('id="gates"') :])
    value, shown = next(c for c in cells if "%" in c[1] and c[1][0] not in "<>0" and c[0] != "1.0")
    assert wrong_figures(page.replace(f'data-value="{value}">{shown}<', f'data-value="{value}">1{shown}<'), data)
    assert wrong_figures(page.replace(f'data-value="{value}"', f'data-value="{value}1"'), data)


def test_every_conjunct_is_shown_with_what_it_rests_on(real, page):
    table = next(t for t in Page(page).tables if t.classes == "predicate")
    rows = {re.sub(r"\s.*", "", row[0][2].strip(), flags=re.S): [c[2] for c in row[1:]] for row in table.rows[1:]}
    n = len(real.tensors)
    for name in CONJUNCTS:
        cells = next(cells for key, cells in rows.items() if key.startswith(name))
        held = [sum(getattr(a, name) for a in (t.bounded_admission, t.admission)[i : i + 1]) for i in (0, 1) for t in real.tensors]
        assert [c.split(" ", 1)[1] for c in cells[:2]] == [f"{sum(held[:n])} of {n}", f"{sum(held[n:])} of {n}"]
        theorem = next((m for m in real.spine if m.theorem in cells[2]), None)
        assert (theorem is None) == (cells[2] == "measured") and (theorem is None or theorem.module in cells[2])
    assert "Gnosis.energy_sidecar_sound" in rows["e8_energy_accept_ge_cubicthe"][2]
    assert "Gnosis.conformal_admitted_failure_rate" in rows["all_conformal_admittwice"][2]
    text = " ".join(Page(page).inside["table"])
    assert all(m.module in text and m.theorem in text and m.says in text for m in real.spine)


def test_a_rejection_is_shown_as_a_result(hostile):
    tame = hostile[1]
    found = Page(html.render(tame))
    assert not tame.verdict.lattice_admitted and not tame.verdict.bounded_admitted
    assert [t.strip() for t in found.inside["p"] if "rejected" in t] == ["– rejected"] * 2
    listed = Counter(text for text in found.inside["li"] if text in TAME)
    assert listed == Counter({name: 2 for name in TAME})
    assert not re.search(r"\b(error|fail(ed|ure)?|wrong!)\b", " ".join(found.inside["header"]), re.I)


@pytest.mark.parametrize(
    "rows, columns, settings",
    [
        (8, 8, {}),
        (8, 9, {"q_values": ["0.5"]}),
        (40, 64, {"tile": 4, "q_values": ["0.1", "0.5", "0.9", "0.999"]}),
        (24, 40, {"gamma_multiplier": 1e-3}),
        (24, 40, {"gamma_multiplier": 1e6}),
        (24, 40, {"grid": {"start": "2.00", "stop": "2.00", "step": "0.05"}}),
    ],
)
def test_one_small_matrix(tmp_path, rows, columns, settings):
    found = made(tmp_path, ["w"], rows=rows, columns=columns, **settings)
    text = html.render(found)
    assert Page(text).errors == [] and outside(text) == [] and wrong_figures(text, json.loads(parts.to_json(found))) == []
    assert all(inside_box(p) for p in every_plot(found)) and not re.search(
        r"\b(nan|inf|None|Undefined)\b", text.partition("<body>")[2].partition("<script>")[0]
    )


def test_a_row_that_is_not_finite_and_a_tensor_that_is_left_out(tmp_path):
    weights = gaussian(24, 40)
    weights[3, 5] = np.nan
    path = write_safetensors(tmp_path / "m.safetensors", {"a": weights, "b": gaussian(4, 40)})
    found = run.probe(open_model(str(path)), Settings())
    text = html.render(found)
    assert found.skipped and "Not probed" in Page(text).inside["h2"] and found.skipped[0].reason in text
    assert "finite" in {t for names in Page(text).inside["summary"] for t in names.replace(",", " ").split()}


# ---- the commands ----


def command(*args: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [str(a) for a in args])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def test_the_commands(tmp_path, hostile):
    model = write_safetensors(tmp_path / "m.safetensors", {"w": gaussian(24, 40)})
    code, out, err = command("probe", model, "--format", "html", "--output", tmp_path / "probe.html", "--gamma-multiplier", 0.5)
    assert (code, out) == (0, "") and "0 of 1 tensors admitted" in " ".join(err.split()) and Page((tmp_path / "probe.html").read_text()).errors == []
    saved = tmp_path / "report.json"
    parts.write(hostile[0], saved)
    code, out, err = command("report", saved)
    assert (code, err) == (0, "") and out == html.render(hostile[0])
    code, out, _ = command("report", saved, "--output", tmp_path / "report.html", "--quiet")
    assert (code, out) == (0, "") and (tmp_path / "report.html").read_text() == html.render(hostile[0])
    assert command("report", saved, "--format", "json")[1] == saved.read_text()
    assert "rejected" in command("report", saved, "--format", "text")[1]


def test_what_the_command_refuses(tmp_path, hostile):
    saved = tmp_path / "report.json"
    parts.write(hostile[1], saved)
    drawn = tmp_path / "frontier.json"
    parts.write(frontier.frontier(hostile[1]), drawn)
    damaged = tmp_path / "damaged.json"
    damaged.write_text(saved.read_text().replace(TAME[0], "another name"))
    for args, wanted, text in [
        ((damaged,), 1, "damaged: "),
        ((drawn,), 2, "not a report of the probe"),
        ((tmp_path / "none.json",), 2, "No such file"),
        ((saved, "--output", tmp_path / "none" / "a.html"), 2, "does not exist"),
    ]:
        code, out, err = command("report", *args)
        assert (code, out) == (wanted, "") and text in " ".join(err.split()) and len(err.splitlines()) == 1

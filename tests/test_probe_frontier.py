"""Frontiers, aggregates, validation and profiles: closed forms against searches, damaged copies against the files they were."""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import yaml
from model_files import gaussian, write_safetensors
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.cli.probe import settings_of
from gnosis.models.files import open_model
from gnosis.probe import part as parts
from gnosis.probe import profiles, report, run
from gnosis.probe.frontier import Frontier, frontier
from gnosis.probe.report import Report
from gnosis.probe.settings import Settings
from gnosis.probe.validate import DamagedError, load, validate


def command(*args: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, [*map(str, args)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A model, an admitted and a rejected report, a frontier and an aggregate, all written by the commands."""
    at = tmp_path_factory.mktemp("frontier")
    model = write_safetensors(
        at / "m.safetensors", {f"model.layers.{i}.mlp.{part}_proj.weight": gaussian(400, 256, i, 0.03 * (i + 1)) for i in range(2) for part in ("up", "down")}
    )
    assert command("probe", model, "--format", "json", "--output", at / "balanced.json", "--quiet") == (0, "", "")
    code, _, stderr = command("probe", model, "--profile", "dev-strict", "--format", "json", "--output", at / "strict.json")
    assert code == 0 and "0 of 4 tensors admitted" in " ".join(stderr.split())
    assert command("frontier", at / "strict.json", "--format", "json", "--output", at / "frontier.json")[0] == 0
    assert command("aggregate", at / "balanced.json", at / "strict.json", at / "frontier.json", "--output", at / "aggregate.json")[0] == 0
    return at


def reports(folder: Path) -> tuple[Report, Report]:
    return report.read(folder / "balanced.json"), report.read(folder / "strict.json")


# The frontier


def admits(found: Report, multiplier: Fraction) -> bool:
    """Whether every level of E8 admits at a multiplier, from thresholds and units alone."""
    return all(
        level.threshold is not None and 2 * Fraction(level.threshold) <= multiplier * Fraction(c.unit.value)
        for t in found.tensors
        for c in t.lattice.conformal
        if c.code == "e8"
        for level in c.levels
    )


def test_the_least_multiplier_is_where_a_search_ends(folder):
    """A bisection over multipliers, deciding every level anew, closes in on the closed form from both sides."""
    _, strict = reports(folder)
    found = frontier(strict)
    low, high = Fraction(1), Fraction(4)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if admits(strict, middle) else (middle, high)
    least = Fraction(found.least_exact)
    assert low < least <= high and high - low < Fraction(1, 10**20)
    assert admits(strict, least) and not admits(strict, least * (1 - Fraction(1, 10**30)))
    assert found.least >= least and np.nextafter(found.least, 0) < least
    assert found.binding in {t.name for t in strict.tensors}


def test_the_grid_around_it(folder):
    _, strict = reports(folder)
    found = frontier(strict)
    admitted = [p.multiplier for p in found.points if p.admitted]
    assert found.first_admitted == admitted[0] and float(found.first_admitted) - 0.05 == pytest.approx(float(found.last_refused))
    assert float(found.last_refused) < found.least <= float(found.first_admitted)
    by_tile = energies(folder, strict)
    for p in found.points:
        assert p.admitted == admits(strict, Fraction(p.multiplier))
        accepted = sum(int((4 * e <= (float(p.multiplier) * unit) ** 2).sum()) for e, unit in by_tile)
        assert p.e8 == pytest.approx(accepted / 1600, abs=2 / 1600)
    # the jump: E8 opens near 2·sqrt(929/1080), the cubic lattice near 2
    shares = {p.multiplier: (p.e8, p.cubic) for p in found.points}
    assert (
        shares["1.70"][0] < 0.01
        and shares["2.00"][0] > 0.99 > 0.7 > shares["2.00"][1]
        and found.jump == shares[found.first_admitted][0] - shares[found.last_refused][0]
    )


def energies(folder: Path, found: Report) -> list[tuple[np.ndarray, float]]:
    """Residual energies of whole rows in E8 by another decoder, and the unit of each matrix."""
    from probe_support import other_e8

    model, out = open_model(str(folder / "m.safetensors")), []
    for t in found.tensors:
        w, step = model.all_rows(t.name), t.lattice.step
        near = other_e8((w / np.float32(step)).reshape(-1, 8)).reshape(w.shape) * step
        out.append((np.square(w - near).sum(-1), t.lattice.gate("energy").unit.value))
    return out


def test_a_frontier_of_a_model_is_that_of_its_report(folder, tmp_path):
    code, stdout, _ = command(
        "frontier", folder / "m.safetensors", "--format", "json", "--report", tmp_path / "r.json", "--grid", "1.8:2.2:0.1", "--q-values", "0.9"
    )
    found = Frontier.model_validate_json(stdout)
    assert code == 0 and [p.multiplier for p in found.points] == ["1.80", "1.90", "2.00", "2.10", "2.20"]
    assert found.source.sha256 == hashlib.sha256((tmp_path / "r.json").read_bytes()).hexdigest()
    assert frontier(report.read(tmp_path / "r.json"), "lattice", "r.json", found.source.sha256) == found
    code, stdout, _ = command("frontier", folder / "balanced.json", "--family", "bounded")
    assert code == 0 and "4.5-bit code" in stdout and "\x1b" not in stdout and "least multiplier" in stdout


def test_a_level_without_a_threshold_has_no_frontier(tmp_path):
    """Rank above the number of scores: nothing is admitted at any multiplier, and the frontier says so."""
    path = write_safetensors(tmp_path / "m.safetensors", {"w": gaussian(40, 64)})
    found = run.probe(open_model(str(path)), Settings(q_values=["0.9", "0.99"]))
    level = next(c for c in found.tensors[0].lattice.conformal if c.code == "e8").levels[1]
    assert level.rank == 25 > 24 and level.threshold is None and level.admit is False and level.lies.count == 0
    drawn = frontier(found)
    assert drawn.least is None and drawn.first_admitted is None and drawn.last_refused == "3.00" and not found.verdict.lattice_admitted


def test_weights_that_lie_on_the_lattice(tmp_path):
    """Nothing is lost at all: the unit is zero, γ is zero, and every tile of zero residual is admitted; nothing is divided by zero."""
    w = np.random.default_rng(1).choice(np.array([-1, 1], np.float32), (40, 64))
    path = write_safetensors(tmp_path / "m.safetensors", {"w": w})
    code, stdout, _ = command("probe", path, "--step", "1", "--q-values", "0.9", "--format", "json")
    found = Report.model_validate_json(stdout)
    t = found.tensors[0]
    assert code == 0 and t.lattice.cubic.mse == t.lattice.e8.mse == 0 and t.lattice.e8_edge is None and t.lattice.gate("energy").gamma == 0
    assert t.lattice.gate("energy").e8.admitted == t.lattice.gate("sup").cubic.admitted == 40 and t.admission.failed == ["cell_filling"]
    assert frontier(found).least == 0 and frontier(found).first_admitted == "1.00" and frontier(found).last_refused is None
    assert command("probe", path, "--step", "1", "--q-values", "0.9")[0] == 0


@pytest.mark.parametrize(
    "args, text",
    [
        (["frontier", "{f}/aggregate.json"], "not a report of the probe"),
        (["frontier", "{f}/none.json"], "No such file"),
        (["frontier", "{f}/strict.json", "--grid", "1:2:1"], "is for models"),
        (["frontier", "{f}/m.safetensors", "--grid", "1:2"], "not three decimals"),
        (["frontier", "{f}/m.safetensors", "--grid", "2:1:0.1"], "grid"),
        (["frontier", "{f}/strict.json", "--family", "x"], "neither lattice"),
        (["aggregate", "{f}/frontier.json"], "no report among"),
        (["aggregate", "{f}/aggregate.json"], "an aggregate itself"),
        (["aggregate", "{f}/strict.json", "{f}/strict.json"], "two sources"),
        (["aggregate", "{f}/none.json"], "No such file"),
        (["aggregate", "{f}/strict.json", "--output", "/no/such/a.json"], "does not exist"),
        (["validate", "{f}/none.json"], "No such file"),
        (["validate", "{f}/strict.json", "--model", "none.gguf"], "No such file"),
        (["aggregate", "{f}/balanced.json", "{f}/frontier.json", "--family", "bounded"], "family lattice"),
    ],
)
def test_unusable_requests(folder, args, text):
    code, stdout, stderr = command(*(a.format(f=folder) for a in args))
    assert code == 2 and stdout == "" and text in stderr and stderr.count("\n") == 1


# The aggregate


def test_the_aggregate(folder):
    part, _ = load(folder / "aggregate.json")
    s, (balanced, strict) = part.runtime_margin_selector, reports(folder)
    assert (s.default_multiplier, s.window) == (2.0, [frontier(strict).last_refused, frontier(strict).first_admitted])
    assert Fraction(s.least_multiplier_exact) == max(Fraction(frontier(r).least_exact) for r in (balanced, strict)) and s.headroom == pytest.approx(
        2 / s.least_multiplier - 1
    )
    hashes = sorted(hashlib.sha256((folder / f).read_bytes()).hexdigest() for f in ("balanced.json", "strict.json", "frontier.json"))
    assert part.source_set_sha256 == hashlib.sha256("".join(h + "\n" for h in hashes).encode()).hexdigest()
    assert [x.admitted for x in part.sources] == [True, False, None] and part.models == [hashlib.sha256((folder / "m.safetensors").read_bytes()).hexdigest()]
    for entry in part.tensors:
        t = next(t for t in balanced.tensors if t.name == entry.name)
        assert entry.unit == t.lattice.gate("energy").unit.value and entry.gamma == t.lattice.gate("energy").gamma
        assert entry.least_multiplier <= s.least_multiplier
    code, stdout, _ = command("aggregate", folder / "balanced.json", folder / "strict.json", "--format", "text")
    assert code == 0 and "default multiplier 2" in stdout and "\x1b" not in stdout


def test_without_an_admitted_report_there_is_no_default(folder):
    code, stdout, _ = command("aggregate", folder / "strict.json")
    selector = json.loads(stdout)["runtime_margin_selector"]
    assert code == 0 and selector["default_multiplier"] is None and all(t["gamma"] is None for t in json.loads(stdout)["tensors"])
    assert "a runtime must not admit" in command("aggregate", folder / "strict.json", "--format", "text")[1]


def test_sources_of_different_models_are_refused(folder, tmp_path):
    other = write_safetensors(tmp_path / "m.safetensors", {"w": gaussian(200, 64)})
    assert command("probe", other, "--format", "json", "--output", tmp_path / "other.json", "--quiet")[0] == 0
    code, _, stderr = command("aggregate", folder / "balanced.json", tmp_path / "other.json")
    assert code == 2 and "about other model files" in stderr


# Validation


def test_well_formed_files_validate_a_rejection_included(folder):
    wide = ("--gamma-multiplier", "4", "--format", "json", "--output", folder / "wide.json", "--quiet")
    assert command("probe", folder / "m.safetensors", *wide)[0] == 0
    for name, admitted, compared in (
        ("wide.json", True, []),
        ("balanced.json", False, []),  # the lattices are admitted, the code that has a size is not
        ("strict.json", False, []),
        ("frontier.json", None, ["strict.json"]),
        ("aggregate.json", True, ["balanced.json", "strict.json", "frontier.json"]),
    ):
        done = validate(folder / name)
        assert done.admitted is admitted and done.compared == compared and done.recomputed > (3 if name == "aggregate.json" else 20)
        code, stdout, _ = command("validate", folder / name, "--json")
        assert code == 0 and json.loads(stdout)["ok"] is True
    code, stdout, _ = command("validate", folder / "strict.json", "--model", folder / "m.safetensors", "--complete")
    assert code == 0 and "and rejects" in stdout and "hash compared: m.safetensors" in stdout
    assert command("validate", folder / "strict.json", "--complete")[0] == 1


def copy(folder: Path, to: Path) -> Path:
    to.mkdir()
    for name in ("balanced.json", "strict.json", "frontier.json", "aggregate.json", "m.safetensors"):
        (to / name).write_bytes((folder / name).read_bytes())
    return to


def sealed(fields: dict) -> bytes:
    fields["digest"] = hashlib.sha256(
        json.dumps({k: v for k, v in fields.items() if k != "digest"}, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()
    ).hexdigest()
    return json.dumps(fields).encode()


@pytest.mark.parametrize("name", ["balanced.json", "frontier.json", "aggregate.json"])
def test_damaged_bytes_are_noticed(folder, tmp_path, name):
    """Cut anywhere, or with any one character changed into another of its kind: exit code 1 and one line."""
    good = (folder / name).read_bytes()
    rng = np.random.default_rng(0)
    path = tmp_path / name
    damaged = [good[: int(cut)] for cut in rng.integers(0, len(good) - 2, 6)]
    digits = [i for i in range(len(good)) if good[i : i + 1].isdigit()]
    for i in rng.choice(digits, 12, replace=False).tolist():
        damaged.append(good[:i] + (b"7" if good[i : i + 1] != b"7" else b"3") + good[i + 1 :])
    damaged += [b"", b"\xff" + good, good.replace(b'"gnosis.', b'"other.', 1), good + b"{}", good.replace(b"{", b'{"schema": "x", ', 1)]
    for data in damaged:
        path.write_bytes(data)
        code, stdout, stderr = command("validate", path)
        assert (code, stdout) == (1, "") and stderr.startswith("damaged: ") and stderr.count("\n") == 1, data[:80]
    path.write_bytes(good)
    assert command("validate", path)[0] == 0
    path.write_bytes(b"{")
    code, stdout, _ = command("validate", path, "--json")
    assert code == 1 and json.loads(stdout)["ok"] is False


def leaves(value: object, path: tuple = ()) -> list[tuple]:
    if isinstance(value, dict):
        return [p for k, v in value.items() for p in leaves(v, (*path, k))]
    if isinstance(value, list):
        return [p for k, v in enumerate(value) for p in leaves(v, (*path, k))] or [path]
    return [path]


@pytest.mark.parametrize("name", ["balanced.json", "frontier.json", "aggregate.json"])
def test_absurd_figures_end_in_one_line(folder, tmp_path, name):
    """Any figure replaced by something out of all proportion, and the seal renewed: well-formed or damaged, never a traceback, never for ever."""
    good = json.loads((folder / name).read_text())
    places, rng, path, codes = leaves(good), np.random.default_rng(4), tmp_path / name, set()
    for value in (0, -1, 1, 10**15, 10**400, 1e308, 5e-324, -0.0, "x", "1/0", "", None, True, [], {}, [[]]):
        for place in rng.integers(0, len(places), 2).tolist():
            fields = json.loads(json.dumps(good))
            *steps, last = places[place]
            inner = fields
            for step in steps:
                inner = inner[step]
            inner[last] = value
            path.write_bytes(sealed(fields))
            code, _, stderr = command("validate", path, "--json")
            codes.add(code)
            assert code in (0, 1) and stderr.count("\n") == code, (places[place], value)
    assert 1 in codes


def test_what_contradicts_its_sources_is_noticed(folder, tmp_path):
    at = copy(folder, tmp_path / "a")
    # another report under the same name
    (at / "strict.json").write_bytes((at / "balanced.json").read_bytes())
    for name in ("frontier.json", "aggregate.json"):
        assert "strict.json has SHA-256" in command("validate", at / name)[2]
    # a frontier that is consistent in itself, but not drawn from its report
    at = copy(folder, tmp_path / "b")
    fields = json.loads((at / "frontier.json").read_text())
    report_of = json.loads((at / "balanced.json").read_text())
    fields["source"]["file"], fields["source"]["sha256"] = "balanced.json", hashlib.sha256((at / "balanced.json").read_bytes()).hexdigest()
    (at / "frontier.json").write_bytes(sealed(fields))
    assert report_of["digest"] != fields["source"]["digest"] and "is not the one of balanced.json" in command("validate", at / "frontier.json")[2]
    # an aggregate that is consistent in itself, with a unit that no source has
    at = copy(folder, tmp_path / "c")
    part, _ = load(at / "aggregate.json")
    entries = [part.tensors[0].model_copy(update={"unit": part.tensors[0].unit * 2}), *part.tensors[1:]]
    forged = type(part).make(**{**{n: getattr(part, n) for n in type(part).model_fields if n not in part.derived()}, "tensors": entries})
    parts.write(forged, at / "aggregate.json")
    assert "is not the one of its sources" in command("validate", at / "aggregate.json")[2]
    (at / "balanced.json").unlink()
    code, stdout, _ = command("validate", at / "aggregate.json")
    assert code == 0 and "not there, hash not compared: balanced.json" in stdout and command("validate", at / "aggregate.json", "--complete")[0] == 1
    # another model under the same name
    at = copy(folder, tmp_path / "d")
    write_safetensors(at / "m.safetensors", {"w": gaussian(8, 32)})
    assert "m.safetensors has SHA-256" in command("validate", at / "strict.json", "--model", at / "m.safetensors")[2]
    (at / "m.safetensors").rename(at / "n.safetensors")
    assert "the model has n.safetensors" in command("validate", at / "strict.json", "--model", at / "n.safetensors")[2]


@pytest.mark.parametrize(
    "change",
    [
        lambda x: f"+{x}",
        lambda x: f" {x}",
        lambda x: f"{x}0",
        lambda x: f"0{x}",
        lambda x: f"{x}e0",
        lambda x: x.replace("1", "١"),
        lambda x: f"{x}/1",
        lambda x: f"1_{x}",
    ],
    ids=["sign", "space", "zero behind", "zero in front", "exponent", "digits of another script", "fraction", "underscore"],
)
@pytest.mark.parametrize("field", ["first_admitted", "last_refused"])
def test_multipliers_of_a_boundary_have_one_way_of_being_written(folder, tmp_path, field, change):
    """In a file whose sources are not there, so that nothing else tells."""
    fields = json.loads((folder / "aggregate.json").read_text())
    boundary = next(b for b in fields["boundaries"] if "1" in (b[field] or ""))
    boundary[field] = change(boundary[field])
    (tmp_path / "aggregate.json").write_bytes(sealed(fields))
    code, _, stderr = command("validate", tmp_path / "aggregate.json")
    assert code == 1 and field in stderr, stderr


def test_a_source_outside_the_folder_is_not_opened(folder, tmp_path):
    at = copy(folder, tmp_path / "a")
    fields = json.loads((at / "frontier.json").read_text())
    fields["source"]["file"] = "../a/strict.json"
    (at / "frontier.json").write_bytes(sealed(fields))
    with pytest.raises(DamagedError, match="is not the name of a file in one folder"):
        validate(at / "frontier.json")


# Profiles


def test_profiles_are_settings():
    assert profiles.names() == ["dev-balanced", "dev-fast", "dev-strict"]
    found = {name: Settings(**profiles.load(name)) for name in profiles.names()}
    assert found["dev-balanced"].model_dump(exclude={"profile_sha256"}) == Settings().model_dump(exclude={"profile_sha256"})
    assert found["dev-fast"].rows < found["dev-balanced"].rows < found["dev-strict"].rows and found["dev-strict"].gamma_multiplier < 2
    assert len({s.profile_sha256 for s in found.values()}) == 3


def test_a_profile_of_ones_own(tmp_path, folder):
    base, own = tmp_path / "base.yaml", tmp_path / "own.yaml"
    base.write_text("extends: dev-strict\nrows: 100\nq_values: [0.9]\n")
    own.write_text("extends: base.yaml\ngamma_multiplier: 3\n")
    found = settings_of(str(own), seed=7)
    assert (found.profile, found.rows, found.q_values, found.gamma_multiplier, found.cell_tolerance, found.seed) == ("own", 100, ["0.9"], 3, 0.02, 7)
    code, stdout, _ = command("probe", folder / "m.safetensors", "--profile", own, "--format", "json", "--tensor", "*.0.mlp.up*")
    assert code == 0 and Report.model_validate_json(stdout).settings.profile_sha256 == found.profile_sha256
    base.write_text("extends: dev-strict\nrows: 100\nq_values: [0.9]\n# another text\n")
    assert settings_of(str(own)).profile_sha256 != found.profile_sha256


@pytest.mark.parametrize(
    "text, problem",
    [
        ("rows: [", "not YAML"),
        ("- 1", "not a mapping"),
        ("row: 3", "unknown setting 'row'"),
        ("extends: nothing", "nothing: neither"),
        ("extends: 3", "extends is 3"),
        ("extends: own.yaml", "more than 8 times"),
        ("rows: 3", "rows"),
        ("rows: many", "rows"),
        ("q_values: [2]", "q_values"),
        ("q_values: 0.9", "q_values"),
        ("grid: {start: 3, stop: 1}", "grid"),
        ("profile: x", "unknown setting"),
        ("rows: !!python/object/apply:os.abort []", "not YAML"),
        ("gamma_multiplier: .nan", "gamma_multiplier"),
        ("a: &a [*a]", "anchors and aliases are not taken"),
    ],
)
def test_unusable_profiles(tmp_path, folder, text, problem):
    (tmp_path / "own.yaml").write_text(text)
    code, stdout, stderr = command("probe", folder / "m.safetensors", "--profile", tmp_path / "own.yaml")
    assert code == 2 and stdout == "" and problem in stderr and stderr.count("\n") == 1, stderr


def test_every_setting_of_a_profile_is_documented():
    page = (Path(__file__).parent.parent / "docs" / "probe.md").read_text()
    for name in profiles.names():
        for key in yaml.safe_load((Path(profiles.__file__).parent / f"{name}.yaml").read_text()):
            assert f"`{key}`" in page, key

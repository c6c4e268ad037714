"""The manifest holds, and every kind of gap in it, in either direction, is found."""

from __future__ import annotations

import copy
import dataclasses
import json

import pytest
import yaml
from typer.testing import CliRunner

from gnosis.audits.environment import Environment
from gnosis.audits.olean import show
from gnosis.cli import app
from gnosis.conformance import manifest as m
from gnosis.conformance import replacements
from gnosis.spine import build
from gnosis.spine.paths import build_dir, root
from gnosis.spine.toolchain import find


@pytest.fixture(scope="module")
def world() -> m.World:
    return m.survey()


@pytest.fixture
def listed() -> dict:
    return m.load()


def test_the_manifest_holds(world: m.World, listed: dict) -> None:
    assert m.check(listed, world) == []
    assert m.dump(listed) == m.path().read_text(encoding="utf-8")
    assert len(world.theorems) > 200 and len(world.targets) > 90 and len(world.kernels) > 20


def test_what_a_negation_is(world: m.World) -> None:
    """In front of everything else, and not a clause of a conjunction, an existence or an implication."""
    assert {"Falsifiers.ville_of_growing_wealth", "Falsifiers.gain_is_below_14_percent"} <= world.denials
    assert not {"within_add_sharp", "ville", "conformal_then_jit_sharp", "Falsifiers.budget_below_reserve"} & world.denials
    assert world.counterexamples <= set(world.falsifiers)
    named = {f for falsifiers in world.falsifiers.values() for f in falsifiers}
    assert len(named & world.denials) > 200


def test_a_replacement_undone_gives_the_headline_back(world: m.World) -> None:
    """Of every falsifier: its clauses, without what was put in and with what was left out."""
    env = Environment(build_dir(root(), find()), list(build.scan(root())))
    named = {show(n).removeprefix("Gnosis."): n for n in env.constants}
    stored = yaml.safe_load(world.stored)
    assert sum(map(len, stored.values())) > 200
    for headline, some in stored.items():
        old = replacements.clauses(env, env.constants[named[headline]].type)
        for falsifier, one in some.items():
            new = replacements.clauses(env, env.children(env.constants[named[falsifier]].type)[1])
            assert new != old, falsifier
            new.subtract(one["with"])
            new.update(one["without"])
            assert new == old, falsifier


def test_what_a_replacement_says(world: m.World) -> None:
    said = world.replaced["energy_sidecar_sound_strict"]["Falsifiers.energy_weak_gate_is_not_strict"]
    assert said == {"without": ["if energySidecarAdmitStrict E A γ = true"], "with": ["if energySidecarAdmit E A γ = true"], "kept": 4}
    said = world.replaced["ville"]["Falsifiers.ville_of_growing_wealth"]
    assert (said["without"], said["with"]) == (["if Supermartingale ds W"], [])


def _moved(section: dict, name: str) -> None:
    for names in section.values():
        if name in names:
            names.remove(name)


def _said(world: m.World, name: str, change) -> None:
    """Another docstring for one callable."""
    at = next(i for i, one in enumerate(world.callables) if one.name == f"gnosis.{name}")
    assert (new := change(world.callables[at].doc)) != world.callables[at].doc
    world.callables[at] = dataclasses.replace(world.callables[at], doc=new)


W, L = "world", "listed"
PROBES = {
    "promise without a line": (
        lambda w, x: _said(w, "gates.betting.BettingGate", lambda d: d.split("Promises:")[0]),
        "BettingGate: promises something, and no line says",
    ),
    "promise by a theorem that is gone": (
        lambda w, x: _said(w, "gates.betting.BettingGate", lambda d: d.replace("betting_anytime`.", "no_such`.")),
        "BettingGate: promises by Gnosis.no_such, which is no headline theorem",
    ),
    "promise by a theorem about something else": (
        lambda w, x: _said(w, "gates.betting.BettingGate", lambda d: d.replace("betting_anytime`.", "two_stage_preserved`.")),
        "BettingGate: no theorem that it promises by speaks of a decision of its module",
    ),
    "promise by a test that is gone": (
        lambda w, x: w.tests.discard("tests/test_kv.py::test_what_is_read_is_what_was_admitted"),
        "kv.Write: promises by tests/test_kv.py::",
    ),
    "promise by a check that is gone": (lambda w, x: w.tests.discard("floats: kv cache"), "kv.Head.energy: promises by floats: kv cache, which does not exist"),
    "promise that cannot be read": (
        lambda w, x: _said(w, "gates.betting.BettingGate", lambda d: d.replace("Promises: theorem", "Promises: surely")),
        "line Promises cannot be read",
    ),
    "mirror that promises by another decision": (
        lambda w, x: _said(w, "gates.betting.betting_upper", lambda d: d + "\nPromises: theorem `Gnosis.two_stage_preserved`."),
        "mirrors bettingUpper, of which no theorem",
    ),
    **{
        f"promise of {name}, whose line is gone": (
            lambda w, x, name=name: _said(w, name, lambda d: d.split("Promises:")[0]),
            f"{name}: promises something, and no line says",
        )
        for name in (
            "inference.head.CertifiedHead.argmax",
            "inference.kv.Codec.bound",
            "risk.extrapolation.clopper_pearson_upper",
            "numbers.bounds.dots",
            "numbers.bounds.above",
            "compare.sure.Interval",
            "studies.deferred.Tau",
            "probe.plots.share",
            "codes.lattice.matrix.residual_energy",
            "lm.experts.certify",
        )
    },
    "page of promises that is stale": (lambda w, x: setattr(w, "page", w.page + "\n"), "docs/promises.md: is not what the docstrings say"),
    "theorem without decision": (lambda w, x: _moved(x["without_decision"], "ville"), "ville: a headline theorem about no decision"),
    "theorem whose decision has no target": (lambda w, x: w.targets.pop("tukeyWeight"), "speaks of tukeyWeight, and none has a target"),
    "exclusion of a theorem that speaks of a decision": (
        lambda w, x: x["without_decision"]["arithmetic with given numbers"].append("tukey_admit_iff"),
        "stale: tukey_admit_iff speaks of",
    ),
    "exclusion of a theorem that is gone": (
        lambda w, x: x["without_decision"]["arithmetic with given numbers"].append("no_such_theorem"),
        "no_such_theorem is no headline theorem",
    ),
    "decision without target": (lambda w, x: w.decisions.update(newAdmit=set()), "newAdmit: a definition in Gnosis/Decision without a target"),
    "exclusion of a decision that has a target": (
        lambda w, x: x["without_target"]["arithmetic on one entry, inside a decoder"].append("energyAdmit"),
        "stale: energyAdmit has a target",
    ),
    "exclusion of a decision that is gone": (lambda w, x: w.decisions.pop("larger"), "Gnosis/Decision has no larger"),
    "helper that belongs to nothing": (lambda w, x: [uses.discard("larger") for uses in w.decisions.values()], "larger is a part of nothing that has a target"),
    "target without definition": (lambda w, x: w.targets.update(noSuch=("energy", "gnosis.gates.energy.dot")), "noSuch: a target without a definition"),
    "target without theorem": (
        lambda w, x: [about.discard("topTwo") for about in w.theorems.values()] + [uses.discard("topTwo") for uses in w.decisions.values()],
        "topTwo: a target without a headline theorem",
    ),
    "target whose reference is elsewhere": (
        lambda w, x: w.targets.update(dot=("energy", "gnosis.conformance.lanes.kernels.answer")),
        "gnosis.conformance.lanes.kernels.answer is no public symbol",
    ),
    "theorem without falsifier": (lambda w, x: w.falsifiers.update(ville=[]), "ville: no falsifier"),
    "falsifier that is gone": (lambda w, x: w.falsifiers.update(ville=["Falsifiers.no_such"]), "its falsifier Falsifiers.no_such does not exist"),
    "falsifier that is no negation": (
        lambda w, x: w.denials.discard("Falsifiers.ville_of_growing_wealth"),
        "ville: its falsifier Falsifiers.ville_of_growing_wealth is no negation",
    ),
    "only falsifiers that are no negations": (lambda w, x: w.falsifiers.update(ville=["ville_sharp"]), "ville: none of its falsifiers is a negation"),
    "reason for a falsifier that is a negation": (lambda w, x: w.denials.add("ville_sharp"), "other_falsifiers: stale: ville_sharp is a negation"),
    "replacement that is stale": (
        lambda w, x: w.replaced["ville"]["Falsifiers.ville_of_growing_wealth"].update({"with": ["if 0 ≤ T"]}),
        "conformance/replacements.yaml: is not what the falsifiers say",
    ),
    "falsifier of something else": (
        lambda w, x: w.replaced["ville"]["Falsifiers.ville_of_growing_wealth"].update({"without": ["if a", "if b"], "kept": 0}),
        "ville and its falsifier Falsifiers.ville_of_growing_wealth have no clause in common",
    ),
    "reason for a falsifier that keeps something": (
        lambda w, x: w.replaced["argmax_spec"]["Falsifiers.highest_maximiser_is_not_argmax"].update(kept=1),
        "nothing_kept: stale: argmax_spec Falsifiers.highest_maximiser_is_not_argmax",
    ),
    "reason for a falsifier of nothing": (
        lambda w, x: w.falsifiers.update(ville=["Falsifiers.ville_of_growing_wealth"]),
        "other_falsifiers: ville_sharp falsifies no headline theorem",
    ),
    "exclusion of a theorem that has a falsifier": (
        lambda w, x: x["without_falsifier"]["count: an exact number of samples"].append("ville"),
        "stale: ville has",
    ),
    "falsifier reason of a theorem that is gone": (
        lambda w, x: x["without_falsifier"]["count: an exact number of samples"].append("gone"),
        "without_falsifier: gone is no headline",
    ),
    "symbol without theorem": (lambda w, x: w.symbols.update({"gnosis.gates.energy.NewGate": set()}), "gnosis.gates.energy.NewGate: no theorem is behind it"),
    "reason for a symbol that is gone": (lambda w, x: w.symbols.pop("gnosis.gates.jit.lead_bounds"), "there is no gnosis.gates.jit.lead_bounds"),
    "reason for a symbol that has a theorem": (
        lambda w, x: w.symbols["gnosis.gates.jit.lead_bounds"].add("ville"),
        "stale: gnosis.gates.jit.lead_bounds cites ville",
    ),
    "kernel that is not named": (lambda w, x: w.declared.add("gnosis_new_decide"), "gnosis_new_decide: a C function that the manifest does not name"),
    "kernel that no module exports": (
        lambda w, x: x["kernels"].update(gnosis_gone={"decisions": ["energyAdmit"]}),
        "no module of gnosis.core exports gnosis_gone",
    ),
    "kernel that decides what is no target": (
        lambda w, x: x["kernels"]["gnosis_ledger_run"]["decisions"].append("gone"),
        "gnosis_ledger_run decides gone, which is no target",
    ),
    "kernel that no lane runs": (lambda w, x: w.driven.discard(("chargeRun", "cumloss")), "no lane runs a kernel of cumloss for it"),
    "lane of a kernel that is named for nothing": (
        lambda w, x: x["kernels"].update(gnosis_ledger_admit={"reason": "none"}),
        "a lane runs a kernel of cumloss for chargeAdmit",
    ),
    "written half: an entry missing": (lambda w, x: x["decisions"].pop("dot"), "dot is missing"),
    "written half: an entry too many": (lambda w, x: x["decisions"].update(gone={"gate": "energy"}), "there is no target gone"),
    "written half: another theorem": (lambda w, x: x["decisions"]["tukeyWeight"]["theorems"].pop(), "tukeyWeight: theorems is"),
    "written half: a symbol that cannot be imported": (
        lambda w, x: x["decisions"]["dot"].update(python="gnosis.gates.energy.dott"),
        "gnosis.gates.energy.dott cannot be imported",
    ),
}


@pytest.mark.parametrize("plant, said", PROBES.values(), ids=PROBES)
def test_every_gap_is_found(world: m.World, listed: dict, plant: object, said: str) -> None:
    world = copy.deepcopy(dataclasses.replace(world))
    plant(world, listed)
    assert any(said in line for line in m.check(listed, world)), m.check(listed, world)


def test_names_are_resolved_for_real(world: m.World) -> None:
    """The survey asks the loaded module, the headers and the compiled spine, and finds nothing where there is nothing."""
    from gnosis.core import energy

    assert m._exports(energy, ["gnosis_energy_decide", "gnosis_energy_decided"]) == {"gnosis_energy_decide"}
    assert world.kernels["gnosis_energy_decide"] == "energy" and "gnosis_energy_decide" in world.declared
    assert "energyAdmit" in world.theorems["energy_bridge_sound"] and "dot" not in world.decisions["argmax"]
    assert world.decisions["basinFlowAdmit"] == {"flowAdmitFrom"}
    assert {"energy_bridge_sound"} <= world.symbols["gnosis.gates.energy.EnergyGate"] and world.targets["energyAdmit"] == (
        "energy",
        "gnosis.gates.energy.energy_admit",
    )


@pytest.mark.parametrize(
    "text, said",
    [
        ("nonsense: 1\n", "the sections are"),
        ("[", "manifest.yaml"),
        (None, "No such file"),
        (
            "{kernels: {f: {decisions: [a], reason: b}}, without_target: {}, without_decision: {}, without_falsifier: {}, other_falsifiers: {}, nothing_kept: {}, symbols: {}}",
            "f has decisions or a reason",
        ),
        (
            "{kernels: {}, without_target: {a: [x], b: [x]}, without_decision: {}, without_falsifier: {}, other_falsifiers: {}, nothing_kept: {}, symbols: {}}",
            "x stands twice",
        ),
        (
            "{kernels: {}, without_target: {a: x}, without_decision: {}, without_falsifier: {}, other_falsifiers: {}, nothing_kept: {}, symbols: {}}",
            "lists of names",
        ),
    ],
)
def test_a_bad_file_is_refused(tmp_path, text, said) -> None:
    file = tmp_path / "manifest.yaml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(m.BadManifest, match=said.replace("[", r"\[")):
        m.load(file)


def test_writing_changes_only_the_computed_half(world: m.World, tmp_path) -> None:
    file = tmp_path / "manifest.yaml"
    spoiled = m.load()
    spoiled["decisions"]["dot"]["theorems"] = []
    file.write_text(m.dump(spoiled), encoding="utf-8")
    assert m.write(file, world) and not m.write(file, world)
    assert file.read_text(encoding="utf-8") == m.path().read_text(encoding="utf-8")


def test_command(monkeypatch, world: m.World, listed: dict) -> None:
    monkeypatch.setattr(m, "survey", lambda: world)
    run = CliRunner().invoke(app, ["manifest", "--json"])
    assert run.exit_code == 0 and json.loads(run.stdout)["ok"] and json.loads(run.stdout)["counts"]["theorems"] == len(world.theorems)
    _moved(listed["without_decision"], "ville")
    monkeypatch.setattr(m, "load", lambda: listed)
    run = CliRunner().invoke(app, ["manifest"])
    assert run.exit_code == 1 and "1 findings\nville: a headline theorem about no decision" in run.stdout


def test_a_package_without_tests_says_that_they_were_not_looked_up(monkeypatch, world: m.World, listed: dict) -> None:
    monkeypatch.setattr(m, "survey", lambda: dataclasses.replace(world, tests=None))
    run = CliRunner().invoke(app, ["manifest"])
    assert run.exit_code == 0 and "tests do not come with an installed package" in run.stdout
    assert json.loads(CliRunner().invoke(app, ["manifest", "--json"]).stdout)["tests looked up"] is False
    monkeypatch.setattr(m, "survey", lambda: dataclasses.replace(world, tests=set()))  # a checkout whose tests are gone
    run = CliRunner().invoke(app, ["manifest"])
    assert run.exit_code == 1 and "which does not exist" in run.stdout

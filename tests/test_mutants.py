"""Every listed mutant is killed by a lane; a survivor, a stale or a malformed one fails the run; no product file has the switch."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.conformance.mutants import builds, plan, run, worker
from gnosis.conformance.mutants.plan import BadMutants, Mutant, MutationError
from gnosis.core import energy

ROOT = Path(__file__).parents[1]
GATE = "pysrc/gnosis/gates/energy.py"
KERNEL = "cython_core/energy.c"
# the same as the originals, so that nothing can notice them
EQUIVALENT = [
    Mutant("energy", "python", GATE, "energy_sidecar_admit_strict", "4 * E * A", "2 * E * A * 2"),
    Mutant("energy", "c", KERNEL, "int8_t one(", "4.0 * (E * A)", "2.0 * (2.0 * (E * A))"),
    Mutant("energy", "lean", "Gnosis/Decision/Energy.lean", "energySidecarAdmitStrict", "4 * E * A", "2 * E * A * 2"),
]


# All of them take longer than everything else together, and run in `make test-long` (conformance/long.py); these show here that the lanes notice.
HERE = ("conformal_jit", "energy", "jit", "lattice", "tukey")


def test_the_mutants_of_some_gates_are_killed(record_property) -> None:
    outcomes = run.run([m for m in plan.load() if m.stem in HERE])
    lanes = Counter((o.mutant.side, o.lane) for o in outcomes.mutants)
    record_property("mutants", {f"{side} {lane}": n for (side, lane), n in lanes.items()})
    assert outcomes.survivors == []
    assert {side for side, _ in lanes} == {"python", "c", "lean"}


def test_every_gate_has_mutants_of_each_side() -> None:
    counts = Counter((m.stem, m.side) for m in plan.load())
    stems = {p.stem for p in (ROOT / "pysrc" / "gnosis" / "gates").glob("*.py")} - {"__init__"}
    kernels = {p.stem for p in (ROOT / "cython_core").glob("*.c")}
    for stem in stems:
        for side in ("python", "lean", *(["c"] if stem in kernels else [])):
            assert counts[stem, side] >= 5, (stem, side, counts[stem, side])
    assert counts["formats", "c"] >= 15


def test_a_mutant_that_changes_nothing_survives_and_fails_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "load", lambda: EQUIVALENT)
    run = CliRunner().invoke(app, ["mutants", "--json"])
    result = json.loads(run.stdout)
    assert run.exit_code == 1 and not result["ok"] and [m["lane"] for m in result["mutants"]] == ["", "", ""]
    shown = CliRunner().invoke(app, ["mutants", "--side", "lean"])
    assert shown.exit_code == 1 and "survived: Gnosis/Decision/Energy.lean energySidecarAdmitStrict: 4 * E * A" in shown.stdout
    assert CliRunner().invoke(app, ["mutants", "--stem", "nothing"]).exit_code == 2


@pytest.mark.parametrize(
    "mutant, said",
    [
        (Mutant("energy", "python", GATE, "energy_admit", "0 <= δ", "0 < δ"), "occurs 0 times"),
        (Mutant("energy", "python", GATE, "energy_admit", "energy(", "dot("), "occurs 2 times"),
        (Mutant("energy", "python", GATE, "energy_admits", "0 <= γ", "0 < γ"), "has no energy_admits"),
        (Mutant("energy", "python", GATE, "EnergyGate", "0 <= γ", "0 < γ"), "has no EnergyGate"),
        (Mutant("energy", "python", GATE, "energy_admit", "0 <= γ", "0 <= γ"), "nothing changes"),
        (Mutant("energy", "c", KERNEL, "int8_t two(", "E < 0.0", "0"), "has no int8_t two"),
        (Mutant("energy", "c", KERNEL, "double", "E < 0.0", "0"), "or several"),
        (Mutant("energy", "lean", "Gnosis/Decision/Energy.lean", "energyAdmits", "≤", "<"), "has no energyAdmits"),
    ],
)
def test_a_stale_mutant_is_refused(mutant: Mutant, said: str) -> None:
    with pytest.raises(BadMutants, match=said):
        plan.applied((ROOT / mutant.file).read_text(encoding="utf-8"), mutant)


@pytest.mark.parametrize(
    "text, said",
    [
        ("nonsense: {}\n", "no side 'nonsense'"),
        ("python: {cython_core/energy.c: {one: [[a, b]]}}\n", "no file of the side python"),
        ("python: [", "energy.yaml"),
        ("python: {pysrc/gnosis/gates/none.py: {one: [[a, b]]}}\n", "No such file"),
        ("python: 3\n", "energy.yaml"),
        ("python: {pysrc/gnosis/gates/energy.py: {energy_admit: [['0 <= γ', '0 < γ'], ['0 <= γ', '0 < γ']]}}\n", "stands twice"),
        ("python: {pysrc/gnosis/gates/energy.py: {energy_admit: [['0 <= γ', '0 <= γ'], ['4', '5']]}}\n", "nothing changes"),
    ],
)
def test_a_bad_list_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "energy.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(BadMutants, match=said):
        plan.load(tmp_path)


def test_a_docstring_is_no_place_for_a_mutant() -> None:
    text = (ROOT / GATE).read_text(encoding="utf-8")
    assert text.count("4·energy τ·energy a ≤ γ²") == 1
    with pytest.raises(BadMutants, match="occurs 0 times"):
        plan.applied(text, Mutant("energy", "python", GATE, "energy_admit", "4·energy τ·energy a ≤ γ²", ""))


def test_places_that_overlap_are_refused_and_one_place_takes_several() -> None:
    text = "int f(void)\n{\n    return a + b < c;\n}\n"
    one, two = (Mutant("x", "c", "x.c", "int f(", "a + b", new) for new in ("a - b", "a"))
    assert builds.switched(text, {one: 1, two: 2}) == text.replace("a + b", "(gnosis_mutant == 2 ? (a) : ((gnosis_mutant == 1 ? (a - b) : (a + b))))")
    with pytest.raises(BadMutants, match="overlaps"):
        builds.switched(text, {one: 1, Mutant("x", "c", "x.c", "int f(", "b < c", "1"): 2})
    whole = Mutant("x", "c", "x.c", "int f(", "return a + b < c;", "return 1;")
    assert "if (gnosis_mutant == 1) { return 1; } else { return a + b < c; }" in builds.switched(text, {whole: 1})


def test_the_product_has_no_switch(tmp_path: Path) -> None:
    """Neither the sources nor the modules that were built from them; what is built for the mutants is no part of a wheel."""
    for path in [*(ROOT / "cython_core").iterdir(), *(ROOT / "pysrc").rglob("*.py")]:
        if path.is_file():
            assert builds.SWITCH.encode() not in path.read_bytes(), path
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    assert not any("build" in Path(folder).parts for folder in declared["package-dir"].values())  # test_packaging looks into the wheel
    with_switch = builds.kernels([EQUIVALENT[1]], tmp_path)
    found = {p.name: builds.SWITCH.encode() in p.read_bytes() for p in with_switch.folder.glob("*.so")}
    assert list(found.values()) == [True] and next(iter(found)).startswith("energy.")  # the check above can fail
    assert Path(energy.__file__).parent == ROOT / "cython_core"


def test_crashes_and_endless_runs() -> None:
    """Run in a process of its own: this one may have threads."""
    code = """if True:
        import os, json
        from gnosis.conformance.mutants.worker import forked
        def endless():
            while True:
                pass
        print(json.dumps([forked(lambda: {"lane": "x"}, 5), forked(os.abort, 5), forked(endless, 1)]))"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    fine, crashed, ran_on = json.loads(run.stdout)
    assert fine == {"lane": "x"} and crashed["lane"] == "crash" and "no end within 1 s" in ran_on["error"]


def test_a_mutant_that_does_not_compile_stops_the_run(tmp_path: Path) -> None:
    broken = Mutant("energy", "c", KERNEL, "int8_t one(", "4.0 * (E * A)", "4.0 * (E * ")
    with pytest.raises(MutationError, match="do not compile"):
        builds.kernels([broken], tmp_path)


def test_modules_of_files() -> None:
    assert worker.module_of("pysrc/gnosis/gates/energy.py") == "gnosis.gates.energy"
    assert worker.module_of("conformance/lanes/kernels.py") == "gnosis.conformance.lanes.kernels"

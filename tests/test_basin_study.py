"""The double well: the gate keeps every path in its well, and leaving the factors out does not."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np
import pytest
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.errors import RangeError
from gnosis.studies import basin


@pytest.fixture(scope="module")
def found() -> dict[str, dict]:
    return {row["run"]: row for row in basin.compare()["rows"]}


def test_coarse_paths_flip_and_gated_ones_do_not(found):
    assert found["every step coarse"]["flips"] > 10 and found["flow gate"]["flips"] == 0 == found["every step exact"]["flips"]
    assert found["flow gate"]["beyond"] == 0 and found["flow gate"]["coarse"] > 0.25


def test_without_lipschitz_factors_paths_flip(found):
    assert found["displacements added up"]["flips"] > 0 and found["displacements added up"]["beyond"] > 0


def test_factors_too_small_are_seen(monkeypatch):
    """The test above can fail: factors of half their size let paths go beyond R."""
    true = basin.factors
    monkeypatch.setattr(basin, "factors", lambda path, radius: [x / 2 for x in true(path, radius)])
    rows = {row["run"]: row for row in basin.compare(200)["rows"]}
    assert rows["flow gate"]["beyond"] > 0


def test_factors_hold_near_the_path():
    path, radius = np.array([0.9, 0.2, -0.7, 0.0]), Fraction(1, 5)
    for x, factor in zip(path, basin.factors(path, radius)):
        near = np.linspace(x - 0.2, x + 0.2, 1001)
        image = near + float(basin.STEP) * (near - near**3)
        assert (abs(np.diff(image)) <= float(factor) * np.diff(near) * (1 + 1e-9)).all()


@pytest.mark.parametrize("wrong", [{"n": 0}, {"n": 10**12}, {"n": 2.5}, {"code": 0.0}, {"code": float("nan")}, {"code": 2.0}])
def test_bad_input(wrong):
    with pytest.raises(RangeError):
        basin.compare(**wrong)


def test_the_command(tmp_path):
    plot = tmp_path / "paths.svg"
    result = CliRunner().invoke(app, ["basin", "--paths", "20", "--json", "--plot", str(plot)])
    assert result.exit_code == 0 and json.loads(result.stdout)["paths"] == 20 and plot.read_text().startswith("<?xml")
    for wrong in (["--paths", "0"], ["--code", "nan"], ["--seed", "-1"], ["--plot", str(tmp_path / "no" / "x.svg")]):
        result = CliRunner().invoke(app, ["basin", "--paths", "5", *wrong])
        assert result.exit_code == 2 and result.stderr.startswith("error: ")

"""What the tests of probe have in common."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.models.files import open_model
from gnosis.probe import run
from gnosis.probe.report import Report
from gnosis.probe.settings import Settings


def probe(path: Path | str, **changes: object) -> Report:
    return run.probe(open_model(str(path)), Settings(**changes))


def command(*args: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["probe", *map(str, args)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


# Lattices and codes, against other code
def other_e8(x: np.ndarray) -> np.ndarray:
    """Nearest point of E8 by another way: all parity-correct roundings of both cosets, in float64."""
    best, least = np.zeros_like(x, np.float64), np.full(len(x), np.inf)
    for shift in (0.0, 0.5):
        base = np.floor(x.astype(np.float64) - shift + 0.5)
        for flipped in range(-1, 8):
            point = base.copy()
            if flipped >= 0:
                off = x[:, flipped].astype(np.float64) - shift - base[:, flipped]
                point[:, flipped] += np.where(off >= 0, 1, -1)
            even = np.mod(point.sum(-1), 2) == 0
            distance = np.where(even, np.square(x - point - shift).sum(-1), np.inf)
            better = distance < least
            best[better], least[better] = point[better] + shift, distance[better]
    return best


def found(data: dict, place: str, missing: bool = False) -> object:
    for step in place.split("/"):
        if missing and isinstance(data, dict) and step not in data:
            return None
        data = data[int(step) if step.isdigit() else step]
    return data

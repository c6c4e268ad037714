"""The lanes that mutants of the Python and of the kernels have to get past: one round of each, and more of the checks of the own stem."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import floats as paths
from ..lanes import formats, statistics
from ..lanes import kernels as hot
from ..lanes import run as lanes
from ..running import checks
from ..running.report import Report

MORE = 6  # batches of the checks that are nearest to the mutant
# stem → what the names of its kernels and of its checks on the float paths start with, where that is not the stem itself
_NEAR = {
    "formats": ("blocks", "attained", "residual_energy"),
    "lattice": ("lattice", "core.lattice", "quantize"),
    "codes": ("kv", "lattice", "nested", "quantize", "reference"),
    "bounds": ("outward", "dots", "energies", "sum_up", "lengths"),
}


def _near(name: str, stem: str) -> bool:
    return name.removeprefix("core.").lower().startswith(_NEAR.get(stem, (stem.replace("_", ""),)))


def _split(stem: str, everything: list[Any]) -> tuple[list[Any], list[Any]]:
    own = [c for c in everything if _near(c.name, stem) or getattr(c.run, "__module__", "").rpartition(".")[2] == stem]
    return own, [c for c in everything if c not in own]


class Lanes:
    """All of them, loaded once, before the first mutant."""

    def __init__(self) -> None:
        self.kernels, self.floats = hot.load_hot(), paths.load()
        self.formats, self.statistics = formats.load([]), statistics.load([])

    def run(self, stem: str, seed: int, report: Report) -> None:
        """Every lane once, those of the stem first; nothing is written down.  The first disagreement goes to `report`."""
        own, rest = _split(stem, self.kernels)
        near, far = _split(stem, self.floats)
        for some in (own, rest):
            if some:
                lanes.kernels_lane(seed, 0.0, report, kernels=some, promote=False)
            if some is own:
                checks.sweep("floats", [replace(c, batch=c.batch * MORE) for c in near], seed, 0.0, report, promote=False)
                if stem == "formats":
                    checks.sweep("formats", self.formats, seed, 0.0, report, promote=False)
        checks.sweep("floats", far, seed, 0.0, report, promote=False)
        checks.sweep("statistics", self.statistics, seed, 0.0, report, promote=False)

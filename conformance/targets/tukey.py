"""The bisquare gate: cases at the rim 2·|r| = γ."""

from __future__ import annotations

from random import Random
from typing import Any

from ...gates import tukey as g
from ..oracle.terms import integer
from ..running import generators as gen
from . import PackedTarget, Target


def rim(rng: Random) -> tuple[Any, ...]:
    r = gen.integer(rng, gen.width(rng))
    γ = gen.near(rng, 2 * abs(r)) if rng.random() < 0.8 else gen.integer(rng, gen.width(rng))
    return r, gen.sign_flip(rng, γ)


TARGETS = (Target("tukeyAdmit", g.tukey_admit, rim), Target("tukeyWeight", g.tukey_weight, rim))


def _write(r: int, γ: int) -> str:
    return f"{integer(r)} {integer(γ)}"


PACKED = (
    PackedTarget("tukeyAdmit", g.tukey_admit, rim, "scalar gates", "tukeyPacked", "Gnosis.Packed.Tukey", _write),
    PackedTarget("tukeyWeight", g.tukey_weight, rim, "scalar gates", "tukeyWeightPacked", "Gnosis.Packed.Tukey", _write, natural=True),
)

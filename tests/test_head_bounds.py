"""How near the lanes come to the bounds of the certified head, and what is planted there without a mutant."""

from __future__ import annotations

from random import Random

import pytest

from gnosis.conformance.floats import head
from gnosis.conformance.running import nearness
from gnosis.core import cpu

# largest error over bound that the constructed inputs reach; what is lost is said in docs/conformance.md
REACHED = {
    "head.coarse, residual": 0.9999,
    "head.coarse, rounded activation": 0.9996,
    "head.coarse, floats": 0.993,
    "head.rows, sums": 0.99,
    "NestedCode.row_energies": 0.999999,
    "CertifiedLinear": 0.999,
}


@pytest.fixture(params=cpu.available())
def isa(request):
    cpu.force(request.param)
    yield request.param
    cpu.force(None)


def test_constructed_errors_come_near_to_their_bounds(isa) -> None:
    rng = Random(1)
    with nearness.collecting() as near:
        for make in (head._residual, head._rounding, head._lost):
            for _ in range(12):
                assert head._run_coarse(*make(rng)).fault is None
        for _ in range(12):
            assert head._run_rows(*head._rows_case(rng)).fault is None
            assert head._run_energies(*head._energies_case(rng)).fault is None
            assert head._run_linear(*head._linear_case(rng)).fault is None
    found = {n.name: n.ratio for n in near}
    for name, least in REACHED.items():
        assert least <= found[name] <= 1, (name, found[name])

"""Instruction sets, and the refusal to compute in a spoiled floating-point environment."""

import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import floatenv
import numpy as np
import pytest

from gnosis.core import cpu, energy, lattice, q8_0
from gnosis.core.arguments import given, result
from gnosis.errors import DtypeError, FloatEnvironmentError, LengthError, RangeError
from gnosis.gates.energy import EnergyGate, SidecarGate
from gnosis.gates.jit import JitGate
from gnosis.gates.margin import MarginGate, RowGate, TopKGate, TwoStageGate
from gnosis.gates.tukey import TukeyGate

BLOCKS = np.zeros((3, 34), np.uint8)
WEIGHTS = np.ones((3, 32), np.float32)
CALLS = {
    "q8_0.dequantize": lambda: q8_0.dequantize(BLOCKS),
    "q8_0.residual_energy_upper": lambda: q8_0.residual_energy_upper(BLOCKS, WEIGHTS),
    "energy.decide_many": lambda: energy.decide_many(np.ones(3), np.ones(3), np.ones(3)),
    "lattice.nearest_cubic": lambda: lattice.nearest_cubic(WEIGHTS[:, :8].copy()),
    "lattice.nearest_e8": lambda: lattice.nearest_e8(WEIGHTS[:, :8].copy()),
    "EnergyGate": lambda: EnergyGate(1).decide_many(WEIGHTS, WEIGHTS[0]),
    "SidecarGate": lambda: SidecarGate(1).decide_many(np.ones(3), 1.0),
    "MarginGate": lambda: MarginGate(1).decide_many(WEIGHTS),
    "RowGate": lambda: RowGate(np.ones(32)).decide_many(WEIGHTS),
    "TopKGate": lambda: TopKGate(2, 1).decide_many(WEIGHTS),
    "TwoStageGate": lambda: TwoStageGate(1, 2, 1).decide_many(WEIGHTS.reshape(3, 8, 4)),
    "JitGate": lambda: JitGate().decide_many(WEIGHTS, np.ones(32), 1.0),
    "TukeyGate": lambda: TukeyGate(1).decide_many(np.ones(3)),
}
SPOILERS = {
    "rounding up": (lambda: floatenv.rounding("up"), "round to nearest"),
    "rounding down": (lambda: floatenv.rounding("down"), "round to nearest"),
    "rounding to zero": (lambda: floatenv.rounding("zero"), "round to nearest"),
    "FTZ": (lambda: floatenv.flushing(floatenv.FTZ), "subnormal"),
    "DAZ": (lambda: floatenv.flushing(floatenv.DAZ), "subnormal"),
    "both": (lambda: floatenv.flushing(floatenv.FTZ | floatenv.DAZ), "subnormal"),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("spoiler", SPOILERS)
def test_refuses_in_a_spoiled_environment(spoiler, call):
    spoil, word = SPOILERS[spoiler]
    CALLS[call]()
    error = None
    with spoil():
        try:
            CALLS[call]()
        except FloatEnvironmentError as caught:
            error = caught
    assert error is not None, f"{call} computed in an environment with {spoiler}"
    assert word in str(error)
    CALLS[call]()  # and goes on once the environment is whole again


def test_the_spoilers_do_spoil():
    """What the refusal prevents: a subnormal residual whose energy reads as nothing."""
    tiny = np.full(4, 2.0**-149, np.float32)
    with floatenv.flushing(floatenv.FTZ | floatenv.DAZ):
        lost = float(tiny.astype(np.float64).sum())
    assert lost == 0.0 and float(tiny.astype(np.float64).sum()) > 0.0
    one, step = np.float64(1), np.float64(2.0**-60)
    with floatenv.rounding("up"):
        up = float(one + step)
    assert up > 1.0 and float(one + step) == 1.0


def test_environment_belongs_to_the_thread():
    seen = []

    def other():
        with floatenv.flushing(floatenv.FTZ):
            try:
                q8_0.dequantize(BLOCKS)
            except FloatEnvironmentError as error:
                seen.append(error.fault)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert len(seen) == 1
    q8_0.dequantize(BLOCKS)


def test_import_refuses():
    program = textwrap.dedent("""
        import floatenv, gnosis.errors
        with floatenv.flushing(floatenv.FTZ | floatenv.DAZ):
            try:
                import gnosis.core.cpu
            except gnosis.errors.FloatEnvironmentError as error:
                print("refused:", error)
    """)
    run = subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    assert run.stdout.startswith("refused:")


def test_force():
    assert cpu.available()[0] == "plain" and cpu.isa() == cpu.available()[-1]
    try:
        for name in cpu.available():
            cpu.force(name)
            assert cpu.isa() == name and cpu.level() == ("plain", "avx2", "avx512").index(name)
        for wrong in ("sse9", "", "AVX2"):
            with pytest.raises(RangeError, match="name"):
                cpu.force(wrong)
    finally:
        cpu.force(None)
    assert cpu.isa() == cpu.available()[-1]


def test_arguments_are_not_copied():
    x = np.arange(6.0).reshape(3, 2)
    assert given("x", x, np.float64, (None, 2)) is x
    assert np.shares_memory(given("x", memoryview(x), np.float64, (None, 2)), x)
    x.setflags(write=False)
    assert given("x", x, np.float64, (3, 2)) is x
    across = np.asfortranarray(np.arange(6.0).reshape(3, 2))
    assert np.array_equal(given("x", across, np.float64, (None, 2)), across)
    shifted = np.frombuffer(b"\0" + np.arange(4.0).tobytes(), np.uint8)[1:].view(np.float64)
    assert not shifted.flags.aligned and np.array_equal(given("x", shifted, np.float64, (None,)), np.arange(4.0))


@pytest.mark.parametrize(
    "value, error",
    [
        (np.ones((3, 2), np.float32), DtypeError),
        (np.ones((3, 2), ">f8"), DtypeError),
        ([[1.0, 2.0]], DtypeError),
        (None, DtypeError),
        (np.ones((3, 2), complex), DtypeError),
        (np.ones(6), LengthError),
        (np.ones((3, 3)), LengthError),
        (np.ones((1, 3, 2)), LengthError),
    ],
)
def test_arguments_name_what_is_wrong(value, error):
    with pytest.raises(error, match="^weights"):
        given("weights", value, np.float64, (None, 2))


def test_out_is_checked():
    x = np.zeros(4)
    read_only = np.zeros(4)
    read_only.setflags(write=False)
    for out in (np.zeros(3), np.zeros(8)[::2], read_only, x, x[:]):
        with pytest.raises(LengthError, match="^out"):
            result(out, np.float64, (4,), (x,))
    for out in (np.zeros(4, np.float32), [0.0] * 4):
        with pytest.raises(DtypeError, match="^out"):
            result(out, np.float64, (4,), (x,))
    long = np.zeros(5)
    assert result(x, np.float64, (4,), (x,), in_place=True) is x
    with pytest.raises(LengthError, match="^out"):
        result(long[1:], np.float64, (4,), (long[:4],), in_place=True)

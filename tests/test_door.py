"""Arrays and numbers of other packages at the door: the same values, the same errors, and nothing imported for them."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from gnosis.errors import DtypeError, LengthError, NonFiniteError, RangeError
from gnosis.gates.energy import SidecarGate
from gnosis.inference import CertifiedHead
from gnosis.numbers.bounds import enclosures
from gnosis.numbers.door import array, as_mpf
from gnosis.numbers.exact import integers, number
from gnosis.verdict import Verdict

VALUES = np.array([0.5, -1.25, 3.0], np.float32)


class Device:
    """A tensor that has no more than the protocol of DLPack."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def __dlpack__(self, **options: object) -> object:
        return self.values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.values.__dlpack_device__()


class Tensor:
    """What torch has of a tensor, as far as the door asks; `__module__` says that it is torch's."""

    def __init__(self, values: np.ndarray, dtype: str = "torch.float32", device: str = "cpu", tracked: bool = True) -> None:
        self.values, self.dtype, self.device, self.tracked = values, dtype, device, tracked

    def detach(self) -> Tensor:
        return Tensor(self.values, self.dtype, self.device, False)

    def cpu(self) -> Tensor:
        return Tensor(self.values, self.dtype, "cpu", self.tracked)

    def float(self) -> Tensor:
        return Tensor(self.values.astype(np.float32), "torch.float32", self.device, self.tracked)

    def resolve_conj(self) -> Tensor:
        return self

    resolve_neg = resolve_conj

    def numpy(self) -> np.ndarray:
        if self.tracked or self.device != "cpu" or self.dtype == "torch.bfloat16":
            raise TypeError("torch refuses this")
        return self.values


Tensor.__module__ = "torch"


def bf16(values: np.ndarray) -> np.ndarray:
    import ml_dtypes

    return values.astype(ml_dtypes.bfloat16)


def torch_(values: np.ndarray) -> object:
    torch = pytest.importorskip("torch")
    return torch.tensor(values, requires_grad=True)


def jax_(values: np.ndarray) -> object:
    return pytest.importorskip("jax.numpy").asarray(values)


def pandas_(values: np.ndarray) -> object:
    return pytest.importorskip("pandas").Series(values)


def polars_(values: np.ndarray) -> object:
    return pytest.importorskip("polars").Series(values)


KINDS = {
    "numpy": lambda v: v,
    "list": lambda v: v.tolist(),
    "bfloat16": bf16,
    "dlpack": Device,
    "like torch, with gradients, on a device": lambda v: Tensor(v, device="cuda:0"),
    "like torch, bfloat16": lambda v: Tensor(v, "torch.bfloat16"),
    "torch": torch_,
    "jax": jax_,
    "pandas": pandas_,
    "polars": polars_,
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_values_and_verdicts(kind):
    value = KINDS[kind](VALUES)
    ints, unit = integers(value, "v")
    assert [n * unit for n in ints] == [Fraction(float(v)) for v in VALUES]
    assert np.array_equal(enclosures(value, "v")[0], VALUES.astype(np.float64))
    gate = SidecarGate(10)
    assert gate.decide(1, 2) == gate.decide(*(KINDS[kind](np.array(x, np.float32)) if kind.startswith(("dlpack", "like")) else x for x in (1.0, 2.0)))
    if kind != "list":
        w = np.random.default_rng(0).standard_normal((4, 32)).astype(np.float16).astype(np.float32)
        w = bf16(w).astype(np.float32)
        head, a = CertifiedHead(KINDS[kind](w) if kind not in ("pandas", "polars") else w), w[2]
        assert head.argmax(KINDS[kind](a)) == CertifiedHead(w).argmax(a)


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "list"])
def test_the_same_errors(kind):
    with pytest.raises(NonFiniteError) as found:
        integers(KINDS[kind](np.array([1.0, np.nan], np.float32)), "v")
    assert (found.value.argument, found.value.index) == ("v", 1)
    if kind not in ("pandas", "polars"):
        with pytest.raises(LengthError) as wrong:
            integers(KINDS[kind](np.ones((2, 2), np.float32)), "v")
        assert wrong.value.argument == "v"


def test_missing_entries_and_empty_tensors_are_named():
    pandas = pytest.importorskip("pandas")
    for value, index in ((pandas.Series([1, None, 3], dtype="Int64"), 1), (pandas.DataFrame({"a": [1.0, 2.0], "b": [1.0, None]}), (1, 1))):
        with pytest.raises(NonFiniteError) as found:
            array(value, "v")
        assert (found.value.argument, found.value.index) == ("v", index)
    with pytest.raises(DtypeError, match="meta"):
        integers(Tensor(VALUES, device="meta"), "v")


def test_missing_entries_of_polars():
    polars = pytest.importorskip("polars")
    for value, index in ((polars.Series([1, None, 3]), 1), (polars.DataFrame({"a": [1.0, 2.0], "b": [1.0, None]}), (1, 1))):
        with pytest.raises(NonFiniteError) as found:
            array(value, "v")
        assert found.value.index == index


def test_nothing_is_imported_for_it():
    program = "import sys, numpy as np; from gnosis.numbers.exact import integers; integers(np.ones(3), 'v'); integers([1, 2.5], 'v')"
    check = "; print([m for m in ('torch', 'jax', 'pandas', 'polars', 'mpmath') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program + check], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_an_mpf_is_the_dyadic_that_it_is():
    mpmath = pytest.importorskip("mpmath")
    with mpmath.workdps(60):
        third = mpmath.mpf(1) / 3
    exact = number(third, "x")
    assert exact != Fraction(1, 3) and abs(exact - Fraction(1, 3)) < Fraction(1, 10**59) and exact.denominator & (exact.denominator - 1) == 0
    assert number(mpmath.mpf("-0.1"), "x") == -Fraction(0.1) and number(mpmath.mpf(0), "x") == 0 and number(mpmath.mpf(2) ** 900, "x") == 2**900
    assert integers([mpmath.mpf("0.5"), 2, 0.25], "v") == ([2, 8, 1], Fraction(1, 4))
    for value in ("inf", "-inf", "nan"):
        with pytest.raises(NonFiniteError):
            number(mpmath.mpf(value), "x")
    with pytest.raises(RangeError):
        number(mpmath.mpf(2) ** 100_000, "x")
    for value in (mpmath.pi, mpmath.mpc(1, 0)):
        with pytest.raises(DtypeError):
            number(value, "x")
    verdict = SidecarGate(mpmath.mpf("0.5")).decide(mpmath.mpf("0.125"), Fraction(1, 3))
    assert verdict == SidecarGate(0.5).decide(0.125, Fraction(1, 3))
    with mpmath.workdps(60):
        assert abs(as_mpf(Fraction(1, 3)) - third) < mpmath.mpf(10) ** -59 and number(as_mpf(Fraction(3, 8)), "x") == Fraction(3, 8)


@pytest.mark.parametrize(
    "verdict", [Verdict(True, Fraction(3, 4), "Gnosis.t"), Verdict(False, None, "Gnosis.t", ("a", "ü")), Verdict(False, Fraction(-(10**400), 3), "Gnosis.t")]
)
def test_verdicts_round_trip(verdict):
    assert Verdict.from_json(verdict.to_json()) == verdict and len(repr(verdict)) < 100 and verdict.theorem in repr(verdict)


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", "no", '{"admit": true, "assumes": [], "margin": "-1", "theorem": "t"}', '{"admit": true, "assumes": [], "margin": null, "theorem": "t"}'],
)
def test_a_text_that_is_no_verdict_is_refused(text):
    with pytest.raises(ValueError):
        Verdict.from_json(text)


def test_margins_in_other_words_are_refused():
    text = Verdict(True, Fraction(3, 4), "t").to_json()
    for other in ("6/8", "0.75"):
        with pytest.raises(ValueError, match="lowest terms"):
            Verdict.from_json(text.replace("3/4", other))

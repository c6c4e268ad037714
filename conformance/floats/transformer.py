"""The arithmetic of a transformer: every sum in the one order that is promised, bit for bit, and every result near the exact one.

The order is written here once more, a float32 at a time: 32 lanes, filled from the first on, which are added up in a fixed tree.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np

from ...core import blocks, transformer
from ...errors import NonFiniteError
from ..running.checks import Check, Result

ROUNDING = 2.0**-24
EXP = 3 * 2.0**-23  # of the exponential, 2 units in the last place and a rounding


def _sum(lanes: np.ndarray) -> np.ndarray:
    """16 lanes, the first axis, added up in a tree: 0 + 8, then + 4, then + 2, then + 1."""
    while len(lanes) > 1:
        lanes = lanes[: len(lanes) // 2] + lanes[len(lanes) // 2 :]
    return lanes[0]


def _product(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """float32[t, r] of float32[t, k] and float32[r, k]: lane l adds up the products l, l + 32, …; the lanes l and l + 16 come first."""
    short = -x.shape[1] % 32
    x, w = (np.pad(a, ((0, 0), (0, short))) for a in (x, w))
    lanes = np.zeros((32, len(x), len(w)), np.float32)
    for k in range(0, x.shape[1], 32):
        lanes = lanes + x[:, None, k : k + 32].transpose(2, 0, 1) * w[None, :, k : k + 32].transpose(2, 0, 1)
    return _sum(lanes[:16] + lanes[16:])


def _numbers(rng: Random, *shape: int) -> list[Any]:
    size = rng.choice((1.0, 1.0, 1e-3, 30.0))
    return np.array([rng.gauss(0, size) for _ in range(math.prod(shape))], np.float32).reshape(shape).tolist()


# ---- products --------------------------------------------------------------------------------------------------------------


def _linear_case(rng: Random) -> tuple[Any, ...]:
    t, r, k = rng.choice((1, 2, 3, 5)), rng.choice((1, 3, 4, 5, 9)), rng.choice((1, 15, 16, 17, 31, 32, 33, 47, 48, 64, 100))
    return _numbers(rng, t, k), _numbers(rng, r, k), rng.choice((0, 0, 1, 3))


def _run_linear(x: list[Any], w: list[Any], first: int) -> Result:
    a, b = np.array(x, np.float32), np.array(w, np.float32)
    out = np.full((len(a), len(b) + first + 1), np.float32(7))
    transformer.linear(a, b, out, first)
    if not np.array_equal(out[:, first:-1], _product(a, b)) or not np.array_equal(transformer.linear(a, b), _product(a, b)):
        return Result(len(a), "another order of operations")
    if (out[:, :first] != 7).any() or (out[:, -1] != 7).any():
        return Result(len(a), "writes beside its place")
    return Result(len(a))


def _blocks_case(rng: Random) -> tuple[Any, ...]:
    encoding = rng.choice(("Q8_0", "Q4_0", "Q5_1", "Q6_K"))
    weights, size = blocks.sizes(encoding)
    rows, per_row = rng.choice((1, 3, 4, 6, 9)), rng.choice((1, 2, 3)) if weights == 32 else 1
    raw = np.frombuffer(rng.randbytes(rows * per_row * size), np.uint8).reshape(rows, per_row, size).copy()
    scales = slice(size - 2, size) if encoding == "Q6_K" else slice(0, 2)
    raw[..., scales] = np.array([0x2C00 + rng.randrange(1 << 9)], "<u2").view(np.uint8)
    if encoding == "Q5_1":
        raw[..., 2:4] = np.array([0x2C00], "<u2").view(np.uint8)
    bad = rng.choice((None, None, rng.randrange(rows)))
    if bad is not None:
        raw[bad, rng.randrange(per_row), scales] = np.array([0x7C00], "<u2").view(np.uint8)
    return encoding, raw.reshape(rows, -1).tolist(), _numbers(rng, rng.choice((1, 2, 3)), per_row * weights), bad


def _run_blocks(encoding: str, raw: list[Any], x: list[Any], bad: int | None) -> Result:
    coded, a = np.array(raw, np.uint8), np.array(x, np.float32)
    weights, size = blocks.sizes(encoding)
    try:
        out = transformer.linear_blocks(a, coded, encoding)
    except NonFiniteError as error:
        return Result(1, None if error.index == bad else f"row {error.index} is named, it is {bad}", refused=1)
    if bad is not None:
        return Result(1, f"row {bad} is no number, and not named")
    same = np.array_equal(out, _product(a, blocks.dequantize(coded.reshape(-1, size), encoding).reshape(len(coded), -1)))
    return Result(len(a), None if same else "not the product with the decoded weights")


# ---- the others ------------------------------------------------------------------------------------------------------------


def _near(name: str, got: np.ndarray, truth: np.ndarray, allowed: np.ndarray) -> Result:
    wrong = ~(np.abs(got - truth) <= allowed)  # NaN is wrong
    return Result(got.size, f"{name}: {got[wrong][0]}, exactly {truth[wrong][0]}" if wrong.any() else None)


def _norm_case(rng: Random) -> tuple[Any, ...]:
    k = rng.choice((1, 16, 33, 64))
    return _numbers(rng, rng.choice((1, 3)), k), _numbers(rng, k), rng.choice((1e-5, 1e-2, 1.0))


def _run_norm(x: list[Any], weight: list[Any], eps: float) -> Result:
    a, w = np.array(x, np.float64), np.array(weight, np.float64)
    truth = a / np.sqrt((a**2).mean(axis=1, keepdims=True) + float(np.float32(eps))) * w
    return _near("rms_norm", transformer.rms_norm(a.astype(np.float32), w.astype(np.float32), eps), truth, np.abs(truth) * 16 * ROUNDING + 1e-37)


def _rope_case(rng: Random) -> tuple[Any, ...]:
    t, heads, width = rng.choice((1, 3)), rng.choice((1, 2)), rng.choice((2, 8, 10))
    return _numbers(rng, t, heads, width), [[rng.uniform(-4, 4) for _ in range(width // 2)] for _ in range(t)]


def _run_rope(x: list[Any], angles: list[Any]) -> Result:
    a = np.array(x, np.float32)
    cos, sin = (f(np.array(angles)).astype(np.float32) for f in (np.cos, np.sin))
    z = (a[..., ::2] + 1j * a[..., 1::2].astype(np.float64)) * (cos + 1j * sin.astype(np.float64))[:, None]
    truth = np.stack([z.real, z.imag], axis=-1).reshape(a.shape)
    size = np.repeat(np.abs(a[..., ::2]) + np.abs(a[..., 1::2]), 2, axis=-1)
    return _near("rope", transformer.rope(a, cos, sin), truth, size * 3 * ROUNDING + 1e-37)


def _attention_case(rng: Random) -> tuple[Any, ...]:
    t, groups, width = rng.choice((1, 2, 5)), rng.choice((1, 2)), rng.choice((16, 32))
    n = t + rng.choice((0, 1, 14, 15, 16, 30))
    scale = rng.choice((0.25, 1.0, 8.0))
    return (
        *(
            [[[rng.uniform(-1, 1) for _ in range(width)] for _ in range(heads)] for _ in range(length)]
            for length, heads in ((t, groups * rng.choice((1, 3))), (n, groups), (n, groups))
        ),
        scale,
    )


def _run_attention(q: list[Any], k: list[Any], v: list[Any], scale: float) -> Result:
    narrow = [np.array(part, np.float32) for part in (q, k, v)]
    got = transformer.attention(narrow[0], narrow[1], narrow[2], scale)
    a, b, c = (part.astype(np.float64) for part in narrow)
    (t, heads, _), n = a.shape, len(b)
    truth, allowed = np.empty(a.shape), np.empty((t, heads, 1))
    for i in range(t):
        for h in range(heads):
            own = h // (heads // b.shape[1])
            seen = slice(0, n - t + i + 1)
            score = b[seen, own] @ a[i, h] * scale
            p = np.exp(score - score.max())
            p[score - score.max() < -87] = 0
            truth[i, h] = p @ c[seen, own] / p.sum()
            size = (np.abs(b[seen, own]) @ np.abs(a[i, h])).max() * scale
            allowed[i, h] = 4 * (EXP + (2 * n + 8) * ROUNDING + 8 * ROUNDING * size)  # of values up to 1
    return _near("attention", got, truth, np.broadcast_to(allowed, a.shape))


def _swiglu_case(rng: Random) -> tuple[Any, ...]:
    k = rng.choice((1, 15, 16, 17, 40))
    return [[rng.choice((rng.gauss(0, 3), rng.uniform(-86, 86), 0.0, -0.0)) for _ in range(k)]], _numbers(rng, 1, k)


def _run_swiglu(gate: list[Any], up: list[Any]) -> Result:
    g, u = np.array(gate, np.float32), np.array(up, np.float32)
    wide = g.astype(np.float64)
    truth = wide / (1 + np.exp(-wide)) * u
    return _near("swiglu", transformer.swiglu(g, u), truth, np.abs(truth) * (EXP + 8 * ROUNDING) + 1e-37)


def _run_geglu(gate: list[Any], up: list[Any]) -> Result:
    g, u = np.array(gate, np.float32), np.array(up, np.float32)
    wide = g.astype(np.float64)
    inner = math.sqrt(8 / math.pi) * (wide + 0.044715 * wide**3)
    with np.errstate(over="ignore"):
        truth = wide / (1 + np.exp(-inner)) * u
    # an error of the inner number is one of the exponential; past e^−87 all is 0
    allowed = np.abs(truth) * (EXP + (8 + 8 * np.minimum(np.abs(inner), 100)) * ROUNDING) + 1e-37 + np.abs(wide * u) * np.where(inner < -86, 1e-37, 0)
    return _near("geglu", transformer.geglu(g, u), truth, allowed)


def _softmax_case(rng: Random) -> tuple[Any, ...]:
    k, offset = rng.choice((1, 2, 15, 16, 17, 40)), rng.choice((0.0, -60.0, 60.0))
    return ([[offset + rng.choice((rng.gauss(0, 3), rng.uniform(-90, 90))) for _ in range(k)] for _ in range(rng.choice((1, 3)))],)


def _run_softmax(x: list[Any]) -> Result:
    a = np.array(x, np.float32)
    below = a.astype(np.float64) - a.max(axis=1, keepdims=True)
    p = np.exp(below)
    truth = p / p.sum(axis=1, keepdims=True)
    allowed = truth * (2 * EXP + (a.shape[1] + 8 + 2 * np.minimum(-below, 88).max(axis=1, keepdims=True)) * ROUNDING) + 2e-38
    return _near("softmax", transformer.softmax(a), truth, allowed)


CHECKS = (
    Check("transformer.linear", _linear_case, _run_linear, every_isa=True),
    Check("transformer.linear_blocks", _blocks_case, _run_blocks, every_isa=True),
    Check("transformer.rms_norm", _norm_case, _run_norm, every_isa=True),
    Check("transformer.rope", _rope_case, _run_rope, every_isa=True),
    Check("transformer.attention", _attention_case, _run_attention, every_isa=True, batch=6),
    Check("transformer.swiglu", _swiglu_case, _run_swiglu, every_isa=True),
    Check("transformer.geglu", _swiglu_case, _run_geglu, every_isa=True),
    Check("transformer.softmax", _softmax_case, _run_softmax, every_isa=True),
)

"""From weights to points of a code: scales, rounding to nearest, unbiased stochastic rounding.

A scale is a float16 times 2^exponent, one exponent for the whole matrix; 32 weights share a scale.

Stochastic rounding and its draws.  Let x = weight / scale, the exact rational.  All draws are independent and come from the
64-bit words of a numpy bit generator; a number uniform on 0 … D−1 is a word cut to the bits of D−1, drawn again while it is not
below D.  Probabilities below are exact if the words are independent and uniform.

- cubic: ⌊x + U/D⌋ with D the denominator of x and U uniform on 0 … D−1, so ⌊x⌋ or ⌊x⌋ + 1 with mean exactly x.  Each coordinate by
  itself.
- E8: first every coordinate is rounded in that way to a multiple of 2^-10, which gives y with mean x.  Then W is uniform on
  the 2^88 points of the grid 2^-10·Z⁸ in the cube [0, 2)⁸ and the result is z = Q(y + W) − Q(W), Q being the E8 decoder.  Q moves with
  every shift by a vector v of 2·Z⁸, Q(u + v) = Q(u) + v, so r(u) = u − Q(u) depends on u only modulo 2·Z⁸; there y + W is
  as uniform as W, hence E r(y + W) = E r(W) and the mean of z = y − r(y + W) + r(W) is exactly y.  That Q is the nearest point
  is not needed for the mean; it keeps z near y, along every shortest vector by 2 at most.

In both cases the mean of the decoded weight is exactly the weight.  Where x needs more than 2^51 as a denominator (weights far
below the scale), it is first rounded to a coarser one in the same unbiased way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...core.lattice import nearest_e8
from ...errors import DtypeError, RangeError
from ...numbers.exact import is_integer
from .codes import DIMENSION, Code

BLOCK = 32  # weights that share a scale
HALF_MAX = 65504.0  # largest float16
GRID = 10  # E8: y lies on multiples of 2^-GRID
EXPONENTS = range(-124, 113)  # every decoded weight is then exact in float32, or too large for it

# Rounding to nearest takes, per block, the best of six scales.  The ranges hold the optimum of Gaussian and of real weights
# well inside.  Cubic: largest |weight| over the factor; E8: longest vector of 8 over the factor; both for 16 levels.
FACTORS = {"cubic": np.geomspace(6.9, 9.1, 6).astype(np.float32), "e8": np.geomspace(11.0, 14.2, 6).astype(np.float32)}


class Points(NamedTuple):
    """Blocks as points of a code.

    points: float32[n, 32], in units of the step.  scales: float16[n], to be multiplied by 2^exponent.
    outside: of each block, weights (cubic) or vectors of 8 (E8) whose nearest lattice point was not in the code, int64[n].
    """

    points: np.ndarray
    scales: np.ndarray
    outside: np.ndarray


def steps(scales: np.ndarray, exponent: int) -> np.ndarray:
    """Scales times 2^exponent, float32[n, 1]; exact but for the few that overflow to infinity.

    Promises: tested `tests/test_quantize.py::test_scales_of_every_size`.
    """
    with np.errstate(over="ignore"):
        return np.ldexp(scales.astype(np.float32), exponent)[:, None]


def common_exponent(sizes: np.ndarray) -> int:
    """An exponent for scales of about these sizes, float[n] ≥ 0: 0 where float16 holds all of them with full precision.

    There is room for a factor of 4 upwards: the scales of stochastic rounding are larger.
    """
    used = sizes[sizes > 0]
    if not used.size or (used.min() >= 2.0**-13 and used.max() <= 2.0**13):
        return 0
    return int(np.clip(np.frexp(used.max())[1] - 13, EXPONENTS[0], EXPONENTS[-1]))


def block_sizes(blocks: np.ndarray, code: Code) -> np.ndarray:
    """What scales follow, float32[n]: cubic the weight largest in size, with the sign turned, E8 the longest vector of 8.

    The turned sign puts that weight at the lowest level, which has no counterpart above.
    """
    if code.lattice == "cubic":
        return -np.take_along_axis(blocks, np.abs(blocks).argmax(-1)[:, None], -1)[:, 0]
    squares = np.square(blocks.reshape(len(blocks), -1, DIMENSION).astype(np.float64)).sum(-1)
    return np.sqrt(squares.max(-1)).astype(np.float32)


def draw_sizes(blocks: np.ndarray, code: Code) -> np.ndarray:
    """What the scales of stochastic rounding follow, float64[n], at most 2^-40 too small: cubic the largest |weight|, E8 the largest ⟨v, r⟩.

    r: the shortest vectors of E8, two entries ±1 (the two largest |weights| of a vector) or all ±1/2 (at most half their sum).
    Promises: tested `tests/test_quantize.py::test_the_mean_of_e8_draws_is_exact`, `tests/test_quantize.py::test_no_draw_leaves_the_code`.
    """
    size = np.abs(blocks.astype(np.float64))
    if code.lattice == "cubic":
        return size.max(-1)
    vectors = size.reshape(len(blocks), BLOCK // DIMENSION, DIMENSION)
    two = np.partition(vectors, DIMENSION - 2, axis=-1)[..., -2:].sum(-1)
    return np.maximum(two, vectors.sum(-1) / 2).max(-1)


def reach(code: Code) -> float:
    """How large a vector may be, in the size of `draw_sizes`, so that stochastic rounding cannot leave the code.

    Cubic: the last level.  E8: a point p is inside if ⟨p − shift, r⟩ < levels for the 240 shortest vectors r.  ⟨p, r⟩ is whole and the shift
    takes less than 0.094 of it, so ⟨p, r⟩ < levels is enough.  With p = y − r(y + W) + r(W), see the head of this module, ⟨r(u), r⟩ is
    at most ⟨r, r⟩/2 = 1 since Q(u) + r is no nearer to u (Q is exact on the grid), and ⟨y − x, r⟩ is below 4·2^-10: together less
    than 2 + 2^-8.
    Promises: tested `floats: quantize reach e8`, `floats: quantize reach cubic`.
    """
    return code.levels / 2 - 1 if code.lattice == "cubic" else code.levels - 2 - 2.0**-8


def nearest(blocks: np.ndarray, code: Code, exponent: int = 0) -> Points:
    """Per block the scale of six with the least squared error, and the points rounded to nearest as `Code.nearest` says.

    blocks: float32[n, 32].  A quotient weight / scale is rounded to float32 before the lattice decoder sees it.
    """
    sizes = block_sizes(blocks, code)
    best = Points(np.zeros_like(blocks), np.zeros(len(blocks), np.float16), np.zeros(len(blocks), np.int64))
    least = np.full(len(blocks), np.inf)
    for factor in FACTORS[code.lattice] * np.float32(code.levels / 16):
        with np.errstate(over="ignore", under="ignore"):
            scales = np.ldexp(sizes / factor, -exponent).clip(-HALF_MAX, HALF_MAX).astype(np.float16)
        step = steps(scales, exponent)
        points, outside = code.nearest(_divided(blocks, step).reshape(-1, DIMENSION))
        points, outside = points.reshape(blocks.shape), outside.reshape(len(blocks), -1).sum(-1)
        with np.errstate(over="ignore", invalid="ignore"):
            error = np.square(blocks - points * step, dtype=np.float64).sum(-1)
        better = error < least
        least[better] = error[better]
        for kept, tried in zip(best, (points, scales, outside)):
            kept[better] = tried[better]
    return best


def _divided(blocks: np.ndarray, step: np.ndarray) -> np.ndarray:
    """blocks / step, zero where the step is zero, kept inside the range where the lattice decoders are exact."""
    with np.errstate(over="ignore", invalid="ignore"):
        x = np.divide(blocks, step, out=np.zeros_like(blocks), where=step != 0)
    return np.clip(x, np.float32(-(2**20)), np.float32(2**20))


# ---- stochastic rounding ----


def generator(seed: int | np.random.BitGenerator) -> np.random.BitGenerator:
    """A source of 64-bit words: PCG64 with this seed, or the generator given.  DtypeError for one with other words."""
    if isinstance(seed, (np.random.PCG64, np.random.PCG64DXSM, np.random.Philox, np.random.SFC64)):
        return seed
    if isinstance(seed, np.random.BitGenerator) or not is_integer(seed):
        raise DtypeError("seed", seed, "must be a whole number or a bit generator with words of 64 bits")
    if seed < 0:
        raise RangeError("seed", seed, "must not be negative")
    return np.random.PCG64(int(seed))


def below(source: np.random.BitGenerator, bounds: np.ndarray) -> np.ndarray:
    """Independent numbers, entry i uniform on 0 … bounds[i] − 1: int64 of the shape of bounds, int64 from 1 to 2^62."""
    flat = bounds.ravel()
    last = (flat - 1).astype(np.uint64)
    mask = last.copy()
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> np.uint64(shift)
    out = np.empty(flat.size, np.uint64)
    rest = np.arange(flat.size)
    while rest.size:
        out[rest] = source.random_raw(rest.size) & mask[rest]
        rest = rest[out[rest] > last[rest]]
    return out.astype(np.int64).reshape(bounds.shape)


def _parts(x: np.ndarray, bits: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers below 2^bits and exponents: x = whole · 2^exponent, for floats with at most `bits` significant bits."""
    mantissa, exponent = np.frexp(x.astype(np.float64))
    return np.ldexp(mantissa, bits).astype(np.int64), exponent.astype(np.int64) - bits


def unbiased(weights: np.ndarray, step: np.ndarray, source: np.random.BitGenerator, grid: int = 0) -> np.ndarray:
    """weights / step rounded at random to one of the two neighbouring multiples of 2^-grid, with exactly that mean.

    weights: float32[n, m]; step: float32[n, 1], above zero with 11 significant bits, |weights / step| ≤ 2^8.
    Returns the multiples, int64[n, m].
    Promises: tested `tests/test_quantize.py::test_the_mean_over_all_draws_is_exactly_the_weight`.
    """
    w, w_exponent = _parts(weights, 24)
    s, s_exponent = _parts(step, 11)
    # weight · 2^grid / step = w / s · 2^shift
    shift = w_exponent - s_exponent + grid
    excess = np.where(w != 0, np.maximum(-shift - 40, 0), 0)
    shift = np.maximum(shift, -40)
    while excess.any():  # a weight far below the step: first to a coarser unit, by at most 2^60 at a time
        coarser = np.minimum(excess, 60)
        w = (w + below(source, np.int64(1) << coarser)) >> coarser
        excess = excess - coarser
    shift = np.where(w != 0, shift, 0)
    numerator = w << np.maximum(shift, 0)
    denominator = s << np.maximum(-shift, 0)
    return (numerator + below(source, np.broadcast_to(denominator, numerator.shape))) // denominator


def stochastic(blocks: np.ndarray, code: Code, source: np.random.BitGenerator, exponent: int = 0) -> Points:
    """Points drawn so that the mean of every decoded weight is exactly the weight; see the head of this module.

    blocks: float32[n, 32].  The scale is the smallest float16 with which no draw can leave the code, so nothing is clipped.
    A block of zeros has scale 0.  Raises RangeError naming a block whose scale is out of range with this exponent.
    Promises: tested `tests/test_quantize.py::test_the_mean_of_e8_draws_is_exact`, `tests/test_quantize.py::test_no_draw_leaves_the_code`.
    """
    with np.errstate(over="ignore"):
        scales = np.ldexp(draw_sizes(blocks, code) * (1 + 2.0**-20) / reach(code), -exponent)
        up = scales.astype(np.float16)
        up = np.where(up.astype(np.float64) < scales, np.nextafter(up, np.float16(np.inf)), up)
    step = steps(up, exponent)
    if not np.isfinite(step).all():
        bad = int(np.argmin(np.isfinite(step[:, 0])))
        raise RangeError("weights", float(np.abs(blocks[bad]).max()), "the scale of this block overflows", bad)
    used = step[:, 0] > 0
    points = np.zeros_like(blocks)
    if code.lattice == "cubic":
        points[used] = unbiased(blocks[used], step[used], source)
    else:
        grid = np.float32(2.0**-GRID)
        y = unbiased(blocks[used], step[used], source, GRID).astype(np.float32) * grid
        W = below(source, np.full(y.shape, 2 << GRID, np.int64)).astype(np.float32) * grid
        moved, back = (nearest_e8(v.reshape(-1, DIMENSION)).reshape(y.shape) for v in (y + W, W))
        points[used] = moved - back
    return Points(points, up, np.zeros(len(blocks), np.int64))

"""Building blocks of test cases: integers of every width, vectors, and numbers next to a threshold."""
from __future__ import annotations

from collections.abc import Sequence
from random import Random

WIDTHS = (1, 2, 3, 7, 8, 15, 16, 24, 31, 32, 33, 48, 52, 53, 62, 63, 64, 65, 100, 128, 256)
LENGTHS = (0, 1, 1, 2, 2, 3, 3, 4, 5, 8, 16, 32)


def width(rng: Random) -> int:
    """A width in bits; small ones, where ties are frequent, come more often."""
    return rng.choice(WIDTHS[:6]) if rng.random() < 0.5 else rng.choice(WIDTHS)


def natural(rng: Random, bits: int) -> int:
    """0 ≤ x ≤ 2^bits; the ends of the range and their neighbours come often."""
    if rng.random() < 0.2:
        return max(0, rng.choice((0, 1, 2, (1 << bits) - 1, 1 << bits, 1 << bits >> 1, (1 << bits >> 1) - 1)))
    return rng.randrange((1 << bits) + 1)


def integer(rng: Random, bits: int) -> int:
    """−2^bits ≤ x ≤ 2^bits, the ends come often."""
    x = natural(rng, bits)
    return -x if rng.random() < 0.5 else x


def near(rng: Random, x: int) -> int:
    """x, x − 1 or x + 1; now and then a little further away."""
    return x + rng.choice((-1, 0, 0, 1, 1, -2, 2) if rng.random() < 0.9 else (-10, 10, -1000, 1000))


def length(rng: Random) -> int:
    """A number of entries: often none, one or two, up to 32."""
    return rng.choice(LENGTHS)


def other_length(rng: Random, n: int) -> int:
    """n, and in one case of twelve something else."""
    return n if rng.random() < 11 / 12 else rng.choice((0, max(0, n - 1), n + 1, n + 3))


def vector(rng: Random, n: int, bits: int) -> list[int]:
    """n integers of this width; some vectors have many zeros, equal entries, or extreme entries only."""
    kind = rng.random()
    if kind < 0.1:
        return [rng.choice((0, 0, 0, integer(rng, bits))) for _ in range(n)]
    if kind < 0.2:
        x = integer(rng, bits)
        return [rng.choice((x, x, x + 1)) for _ in range(n)]
    if kind < 0.3:
        return [rng.choice((1, -1)) * ((1 << bits) - rng.choice((0, 1))) for _ in range(n)]
    return [integer(rng, bits) for _ in range(n)]


def naturals(rng: Random, n: int, bits: int) -> list[int]:
    """n integers ≥ 0 of this width; in one case of twelve one of them is negative."""
    v = [natural(rng, bits) for _ in range(n)]
    if v and rng.random() < 1 / 12:
        v[rng.randrange(n)] = -rng.choice((1, 2, 1 << bits))
    return v


def mask(rng: Random, n: int) -> list[bool]:
    """n bits; all, none, or each with one probability."""
    p = rng.choice((0.0, 0.1, 0.5, 0.9, 1.0))
    return [rng.random() < p for _ in range(n)]


def top_mask(z: Sequence[int], k: int) -> list[bool]:
    """The mask of the k largest entries, lowest index first on ties."""
    top = set(sorted(range(len(z)), key=lambda i: (-z[i], i))[:k])
    return [i in top for i in range(len(z))]


def index(rng: Random, n: int, usual: int | None = None) -> int:
    """An index of a list of n entries; mostly the usual one, now and then one past the end or far out."""
    if rng.random() < 0.08:
        return rng.choice((n, n + 1, 10**6, 10**30))
    if usual is not None and rng.random() < 0.75:
        return usual
    return rng.randrange(n) if n else 0


def sign_flip(rng: Random, x: int) -> int:
    """x, and in one case of sixteen a negative number."""
    return x if rng.random() < 15 / 16 else rng.choice((-1, -x, -x - 1))

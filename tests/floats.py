"""Numbers at the places where float arithmetic goes wrong."""

import math

import numpy as np

TINY, LEAST, MOST = 2.0**-1022, 5e-324, 1.7976931348623157e308


def near(x):
    """x and its neighbours, up to three floats away, in float64."""
    out = [x]
    up = down = x
    for _ in range(3):
        up, down = math.nextafter(up, math.inf), math.nextafter(down, -math.inf)
        out += [up, down]
    return [v for v in out if math.isfinite(v)]


def energy_triples(rng, n):
    """float64 E, A, gamma around 4 E A = gamma^2: ties, one to three floats beside, every scale, zeros of both signs."""
    triples = []
    for _ in range(n):
        p, q = (int(v) for v in rng.integers(-520, 480, 2))
        x, y = (int(v) for v in rng.integers(1, 1 << int(rng.integers(1, 27)), 2))
        tie = math.ldexp(x * x, 2 * p), math.ldexp(y * y, 2 * q)  # exact, or rounded when it is subnormal
        root = math.ldexp(2.0 * x * y, p + q) if -1074 <= p + q < 900 else 0.0
        triples += [(*tie, g) for g in near(root) if g >= 0]
        E, A = (float(v) * 2.0 ** int(rng.integers(-300, 300)) for v in rng.random(2))
        triples += [(E, A, g) for g in near(2 * math.sqrt(E) * math.sqrt(A))]
    corners = [0.0, -0.0, LEAST, 3 * LEAST, TINY, TINY - LEAST, 2.0**-538, 2.0**-537, 1e-200, 1.0, 2.0**511, 2.0**512, 1e200, MOST]
    triples += [(a, b, c) for a in corners for b in corners for c in corners]
    return np.array(triples).T.copy()

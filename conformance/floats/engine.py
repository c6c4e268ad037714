"""The compiled engine: whole passes, bit for bit, by docs/engine.md.

Every product, sum and rounding is written here once more, a float32 at a time: whole numbers as such, fma by a float64 sum that is rounded
to odd, so that the second rounding is the only one.  Weights come from what `gnosis.core.blocks` unpacks, not from what the engine packed.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

from ...core import blocks
from ...core import engine as kernel
from ...engine import Cache, Engine
from ...errors import ArgumentError, NonFiniteError
from ...lm import Model, Weight
from ...lm.config import FREQUENCIES, Config, shapes
from ...models.files import ModelError
from ..running.checks import Check, Result

NARROW = ("Q8_0", "Q5_0", "Q5_1", "Q4_0", "Q4_1", "F16", "BF16", "F32")
WIDE = ("Q4_K", "Q5_K", "Q6_K")
REAL = ("F16", "BF16", "F32")
# Models of Q8_0 in two planes, and which are read: 0 both, 1 of the layers the upper one, 2 of the head too.
NESTED = {"nested": 0, "coarse": 1, "coarse head": 2, "nested and others": 1}
ROOM = 48  # positions of a cache
f32 = np.float32
Floats = np.ndarray


# ---- arithmetic --------------------------------------------------------------------------------------------------------


def _fma(x: Any, y: Any, z: Any) -> Floats:
    """x y + z, rounded once to float32: the product is exact in float64, the sum is rounded to odd there."""
    p, c = np.multiply(x, y, dtype=np.float64), np.asarray(z, np.float64)
    s = np.asarray(p + c)
    t = s - p
    off = (p - (s - t)) + (c - t)
    even = (s.view(np.int64) & 1) == 0
    return np.where((off != 0) & even, np.nextafter(s, np.where(off > 0, np.inf, -np.inf)), s).astype(np.float32)


def _total(lanes: Floats) -> Floats:
    """16 lanes, the last axis, added up in a tree."""
    while lanes.shape[-1] > 1:
        half = lanes.shape[-1] // 2
        lanes = lanes[..., :half] + lanes[..., half:]
    return lanes[..., 0]


def _exp(x: Floats) -> Floats:
    gone = x <= f32(-87)
    x = np.where(gone, f32(0), x)
    shift = f32(12582912)
    n = _fma(x, f32(float.fromhex("0x1.715476p+0")), shift) - shift
    r = _fma(n, f32(float.fromhex("-0x1.7f7d1cp-20")), _fma(n, f32(float.fromhex("-0x1.62e4p-1")), x))
    p = np.full(x.shape, f32(float.fromhex("0x1.a01a02p-13")))
    for c in ("0x1.6c16c2p-10", "0x1.111112p-7", "0x1.555556p-5", "0x1.555556p-3", "0x1p-1", "0x1p0", "0x1p0"):
        p = _fma(p, r, f32(float.fromhex(c)))
    return np.where(gone, f32(0), np.ldexp(p, n.astype(np.int32)))


def _whole(x: Floats, bits: int) -> tuple[np.ndarray, Floats]:
    """int64[t, blocks, 32] and the units float32[t, blocks] of activations float32[t, n]."""
    x = x.reshape(len(x), -1, 32)
    largest = np.abs(x).max(axis=2)
    if bits == 8:
        with np.errstate(divide="ignore"):
            per = np.where(largest >= f32(2.0**-100), f32(127) / largest, f32(0))
        return np.rint(x * per[..., None]).astype(np.int64), largest / f32(127)
    power = np.maximum(np.frexp(largest)[1], -85)  # the smallest power of two above it
    return np.minimum(np.rint(np.ldexp(x.astype(np.float64), 15 - power[..., None])), 32767).astype(np.int64), np.ldexp(f32(1), power - 15)


def _product(weight: Weight, x: Floats, bits: int, coarse: bool = False) -> Floats:
    """float32[t, rows].  coarse: of Q8_0 the upper four bits of a code, u of q = 16 u + l - 128, which stand for 16 u - 120.5."""
    f = np.zeros((len(x), weight.rows), np.float32)
    if weight.encoding in REAL:
        w = weight.decoded()
        for k in range(weight.columns):
            f = _fma(x[:, k, None], w[None, :, k], f)
        return f
    codes, scales, offsets = (part.reshape(weight.rows, -1) for part in blocks.unpack(weight.blocks, weight.encoding))
    n, unit = _whole(x, bits)
    q = codes.astype(np.int64)
    coarse = coarse and weight.encoding == "Q8_0"
    if coarse:
        q, scales, offsets = (q + 128) // 16, scales * f32(16), scales[:, ::2] * f32(-120.5)
    for b in range(weight.columns // 32):
        at = 32 * b
        low, high = (n[:, b, i : i + 16] @ q[:, at + i : at + i + 16].T for i in (0, 16))
        u = unit[:, b, None]
        if weight.encoding == "Q6_K":
            f = _fma(low.astype(np.float32), scales[None, :, 2 * b] * u, f)
            f = _fma(high.astype(np.float32), scales[None, :, 2 * b + 1] * u, f)
        else:
            f = _fma((low + high).astype(np.float32), scales[None, :, 2 * b] * u, f)
        if coarse or weight.encoding in ("Q4_1", "Q5_1", "Q4_K", "Q5_K"):
            f = _fma(offsets[None, :, b], n[:, b].sum(axis=1).astype(np.float32)[:, None] * u, f)
    return f


def _norm(x: Floats, weight: Floats, eps: float) -> Floats:
    lanes = np.zeros((*x.shape[:-1], 16), np.float32)
    for k in range(0, x.shape[-1], 16):
        lanes = _fma(x[..., k : k + 16], x[..., k : k + 16], lanes)
    return x * (f32(1) / np.sqrt(_total(lanes) / f32(x.shape[-1]) + f32(eps)))[..., None] * weight


def _turned(x: Floats, cos: Floats, sin: Floats, neox: bool) -> Floats:
    half = x.shape[-1] // 2
    first, second = (slice(0, half), slice(half, None)) if neox else (slice(0, None, 2), slice(1, None, 2))
    out, (a, b), (c, s) = x.copy(), (x[..., first], x[..., second]), (cos[:, None], sin[:, None])
    out[..., first], out[..., second] = a * c - b * s, a * s + b * c
    return out


def _attention(q: Floats, keys: Floats, values: Floats, scale: float, window: int) -> Floats:
    """float32[t, heads · head]; keys and values float32[t, groups, head]."""
    t, heads, head = q.shape
    out = np.zeros(q.shape, np.float32)
    own = np.arange(heads) // (heads // keys.shape[1])
    for i in range(t):
        n = i + 1
        first = max(0, n - window) if window else 0
        s = np.zeros((n - first, heads), np.float32)
        for k in range(head):
            s = _fma(keys[first:n, own, k], q[i, :, k], s)
        s = s * f32(scale)
        p = _exp(s - s.max(axis=0))
        lanes = np.zeros((heads, 16), np.float32)
        for j in range(first, n):
            lanes[:, j % 16] += p[j - first]
            out[i] = _fma(values[j, own], p[j - first][:, None], out[i])
        out[i] /= _total(lanes)[:, None]
    return out.reshape(t, -1)


def _gated(gate: Floats, up: Floats, gelu: bool) -> Floats:
    y = gate
    if gelu:
        y = gate * _fma(gate * gate, f32(float.fromhex("0x1.6e4e26p-5")), f32(1)) * f32(float.fromhex("0x1.988454p+0"))
    e = _exp(-np.abs(y))
    return gate * (np.where(y <= 0, e, f32(1)) / (f32(1) + e)) * up


def _reference(model: Model, ids: list[int], bits: int, planes: int = 0) -> tuple[Floats, Floats, Floats, Floats]:
    """Hidden states, logits, keys and values [layers, groups, t, head].  planes: 1, nested layers by their upper plane; 2, the head too."""
    c, t = model.config, len(ids)
    x = blocks.dequantize(model.weights["token_embd.weight"].blocks, model.weights["token_embd.weight"].encoding).reshape(c.vocabulary, c.width)[ids]
    x = x * f32(c.embedding_scale)
    seen: list[tuple[Floats, Floats]] = []
    turns = np.arange(t)[:, None] * (c.rope_base ** (-np.arange(0, c.head, 2) / c.head) / c.rope_scale / model.norms.get(FREQUENCIES, 1))
    inside = np.arange(t)[:, None] * (c.window_rope_base ** (-np.arange(0, c.head, 2) / c.head)) if c.window else turns

    def added(layer: int, name: str, post: str, y: Floats) -> Floats:
        y = _product(model.weights[f"blk.{layer}.{name}.weight"], y, bits, planes > 0)
        return x + (_norm(y, model.norms[f"blk.{layer}.{post}.weight"], c.eps) if c.post_norms else y)

    for layer in range(c.layers):
        at = f"blk.{layer}."
        y = _norm(x, model.norms[at + "attn_norm.weight"], c.eps)
        parts = [_product(model.weights[f"{at}attn_{part}.weight"], y, bits, planes > 0) for part in "qkv"]
        if c.biases:
            parts = [p + model.norms[f"{at}attn_{part}.bias"] for p, part in zip(parts, "qkv")]
        q, k, v = (p.reshape(t, -1, c.head) for p in parts)
        if c.head_norms:
            q, k = (_norm(p, model.norms[f"{at}attn_{part}_norm.weight"], c.eps) for p, part in ((q, "q"), (k, "k")))
        angles = inside if c.window_of(layer) else turns
        q, k = (_turned(p, np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32), c.neox) for p in (q, k))
        seen.append((k, v))
        x = added(layer, "attn_output", "post_attention_norm", _attention(q, k, v, c.scale, c.window_of(layer)))
        y = _norm(x, model.norms[at + "ffn_norm.weight"], c.eps)
        gate, up = (_product(model.weights[f"{at}ffn_{part}.weight"], y, bits, planes > 0) for part in ("gate", "up"))
        x = added(layer, "ffn_down", "post_ffw_norm", _gated(gate, up, c.activation == "gelu"))
    hidden = _norm(x, model.norms["output_norm.weight"], c.eps)
    keys, values = (np.stack([pair[i].swapaxes(0, 1) for pair in seen]) for i in (0, 1))
    return hidden, _product(model.weights[model.head_name], hidden, bits, planes > 1), keys, values


# ---- models ------------------------------------------------------------------------------------------------------------


def _matrix(rng: np.random.Generator, name: str, encoding: str, rows: int, columns: int) -> Weight:
    """Random codes under random scales, so that weights are about 1 / sqrt(columns); or floats of that size."""
    weights, size = blocks.sizes(encoding)
    values = (rng.standard_normal((rows, columns)) / np.sqrt(columns)).astype(np.float32)
    if encoding in REAL:
        raw = values.astype("<f2") if encoding == "F16" else values.view("<u2").reshape(rows, columns, 2)[..., 1] if encoding == "BF16" else values
        return Weight(name, encoding, np.ascontiguousarray(raw).view(np.uint8).reshape(rows, -1), columns)
    raw = rng.integers(0, 256, (rows, columns // weights, size), dtype=np.uint8)
    most = {"Q8_0": 74, "Q5_0": 9, "Q5_1": 18, "Q4_0": 5, "Q4_1": 9, "Q4_K": 500, "Q5_K": 1000, "Q6_K": 1500}[encoding]
    for at, over in ((208, most),) if encoding == "Q6_K" else ((0, most), (2, most / 8)) if encoding[-1] in "1K" else ((0, most),):
        raw[..., at : at + 2] = (values[:, ::weights, None] / over).astype("<f2").view(np.uint8)
    return Weight(name, encoding, raw.reshape(rows, -1), columns)


def _edges(rng: np.random.Generator, n: int) -> Floats:
    """Blocks of activations at ties, just below a power of two, and so small that the unit grows no smaller."""
    out, powers = np.zeros(n, np.float32), rng.choice((0, -3, 7, -70, -70, -84, -84, -86, -101, -120), n // 32)
    if rng.random() < 0.75:  # or what is small is lost beside what is not
        powers[:] = powers[0]
    for block, power in zip(out.reshape(-1, 32), powers):
        at = 2.0 ** int(power)
        block[:] = rng.choice([(j + 0.5) / 32768 for j in range(8)] + [32766.5 / 32768, 32767.5 / 32768, 1 - 2.0**-24, 0.5, -0.5, 0, 1.5 / 127, 0.3], 32) * at
        block[rng.integers(32)] = at * rng.choice((1 - 2.0**-24, 1.0, 32767.5 / 32768))
    return out


def _model(seed: int, kind: str, edges: bool = False) -> Model:
    """A model of any operations, of matrices of one kind, or of any where kind is "mixed"."""
    pick, rng = Random(seed), np.random.default_rng(seed)
    groups, head = pick.choice((1, 2)), pick.choice((16, 32))
    heads = groups * pick.choice((1, 2, 3, 4, 5, 6))
    heads *= 1 + heads * head // 16 % 2
    width, inner, layers = pick.choice((32, 64)), pick.choice((32, 64, 96)), pick.choice((1, 2))
    if kind in WIDE:
        width, inner, heads, groups, head = 256, 256, 8, 2, 32
    window = pick.choice((0, 0, 5, 17))
    config = Config(
        layers,
        width,
        heads,
        groups,
        head,
        inner,
        pick.choice((16, 33, 50)),
        64,
        1e4,
        1e-12 if edges else pick.choice((1e-5, 1e-2)),
        neox=pick.random() < 0.5,
        rope_scale=pick.choice((1.0, 1.0, 8.0)),
        factors=pick.random() < 0.25,
        biases=pick.random() < 0.4,
        head_norms=pick.random() < 0.4,
        post_norms=pick.random() < 0.4,
        activation=pick.choice(("silu", "gelu")),
        embedding_scale=pick.choice((1.0, 1.0, 5.5)) if not edges else 1.0,
        attention_scale=pick.choice((0.0, 0.5)),
        window=window,
        windowed=tuple(pick.random() < 0.6 for _ in range(layers)) if window else (),
        window_rope_base=100.0 if window else 0.0,
    )
    wanted = shapes(config)
    if pick.random() < 0.5:
        wanted["output.weight"] = wanted["token_embd.weight"]
    mixed = kind in ("mixed", "nested and others")
    kinds = {name: pick.choice(NARROW) if mixed else "Q8_0" if kind in NESTED else kind for name in wanted}
    if kind in NESTED:
        kinds["blk.0.attn_q.weight"] = "Q8_0"
    weights = {name: _matrix(rng, name, kinds[name], *shape) for name, shape in wanted.items() if len(shape) == 2}
    norms = {name: rng.uniform(0.5, 1.5, shape).astype(np.float32) for name, shape in wanted.items() if len(shape) == 1}
    if edges:  # rows of ones have the norm one, and the first products get the weights of the norm
        ones = rng.choice((-1, 1), (config.vocabulary, width)).astype(np.float32)
        weights["token_embd.weight"] = Weight("token_embd.weight", "F32", ones.view(np.uint8), width)
        norms["blk.0.attn_norm.weight"] = _edges(rng, width)
    return Model(config, weights, norms, {})


# ---- the checks --------------------------------------------------------------------------------------------------------


def _case(rng: Random) -> tuple[Any, ...]:
    return (
        rng.randrange(1 << 30),
        rng.choice((*NARROW, *NARROW, *WIDE, *NESTED, "mixed", "mixed")),
        rng.choice((16, 16, 8)),
        rng.random() < 0.5,
        rng.choice((1, 2, 9, 20)),
    )


def _cached(cache: Cache) -> tuple[Floats, Floats]:
    """Keys and values as [layers, groups, positions, head]."""
    layers, groups, capacity, head = cache.keys.shape
    keys = cache.keys.reshape(layers, groups, capacity // 16, head, 16).swapaxes(3, 4).reshape(cache.keys.shape)
    return keys[:, :, : cache.length], cache.values[:, :, : cache.length]


def _run_pass(seed: int, kind: str, bits: int, edges: bool, t: int) -> Result:
    rng, model = Random(seed), _model(seed, kind, edges)
    ids = [rng.randrange(model.config.vocabulary) for _ in range(t)]
    nested, planes = kind in NESTED, NESTED.get(kind, 0)
    want = dict(zip(("hidden", "logits", "keys", "values"), _reference(model, ids, bits, planes)))
    best = np.sort(want["logits"], axis=1)
    for threads in (1, 3):
        with Engine.of_model(model, bits, threads, nested=nested) as whole:
            engine = whole.coarse(planes > 1) if planes else whole
            for step in {t, 1, rng.randint(1, 9)}:
                cache, parts = engine.cache(ROOM), []
                for at in range(0, t, step):
                    parts.append(engine.prefill(ids[at : at + step], cache, "all") if step > 1 else engine.decode(ids[at], cache))
                keys, values = _cached(cache)
                got = {
                    "hidden": np.concatenate([p.hidden for p in parts]),
                    "logits": np.concatenate([p.logits for p in parts if p.logits is not None]),
                    "keys": keys,
                    "values": values,
                }
                for name, truth in want.items():
                    if not np.array_equal(got[name], truth):
                        return Result(
                            t, f"{name} of {threads} threads, {step} tokens at a time: {int((got[name] != truth).sum())} of {truth.size} entries differ"
                        )
            again = rng.randint(0, t - 1)
            cache.truncate(again)
            last = engine.prefill(ids[again:], cache, rng.choice(("last", "all", "none")))
            if not np.array_equal(last.hidden, want["hidden"][again:]) or (
                last.logits is not None and not np.array_equal(last.logits, want["logits"][-len(last.logits) :])
            ):
                return Result(t, f"other bits when {t - again} tokens are read again")
            some = rng.randint(1, t)
            greedy = engine.greedy(ids, engine.cache(ROOM), some)
            if not (
                np.array_equal(greedy.tokens, want["logits"][-some:].argmax(axis=1))
                and np.array_equal(greedy.lead, (best[:, -1] - best[:, -2])[-some:])
                and np.array_equal(greedy.hidden, want["hidden"])
            ):
                return Result(t, "not the likeliest tokens, or another lead")
    return Result(t)


def _largest_case(rng: Random) -> tuple[Any, ...]:
    n = rng.choice((1, 2, 15, 16, 17, 31, 32, 33, 70))
    return ([[rng.choice((-3.0, -2.0, 0.0, 0.5, 1.0)) for _ in range(n)] for _ in range(3)],)


def _run_largest(rows: list[Any]) -> Result:
    x = np.array(rows, np.float32)
    at, lead = kernel.largest(x)
    best = np.sort(x, axis=1)
    right = np.array_equal(at, x.argmax(axis=1)) and (x.shape[1] == 1 or np.array_equal(lead, best[:, -1] - best[:, -2]))
    return Result(len(x), None if right else f"largest at {at.tolist()}, lead {lead.tolist()}")


def _refusal_case(rng: Random) -> tuple[Any, ...]:
    return (rng.randrange(1 << 30),)


def _run_refusals(seed: int) -> Result:
    """What is asked for and cannot be had is an error that names it, and changes nothing."""
    model = _model(seed, Random(seed).choice(NARROW))
    c, asked = model.config, 0

    def refused(name: str, kind: type[Exception], call: Any, *args: Any) -> str | None:
        nonlocal asked
        asked += 1
        try:
            call(*args)
        except kind as error:
            return None if name in str(error) else f"{args}: {error} does not name {name}"
        return f"{name} = {args} is taken"

    said = [refused("activations", ArgumentError, Engine, model, bits) for bits in (4, 12, 17, 16.0, True)]
    said += [refused("threads", ArgumentError, Engine, model, 16, threads) for threads in (0, -1, 257, 1.0)]
    said.append(refused("nested", ModelError, lambda: Engine(_model(seed, "Q4_0"), nested=True)))
    with Engine(model, 16, 2) as engine:
        cache = engine.cache(4)
        said.append(refused("nested", ArgumentError, engine.coarse))
        said += [refused("capacity", ArgumentError, engine.cache, n) for n in (0, -1, c.context + 1, 2.0)]
        said += [refused("tokens", ArgumentError, engine.prefill, ids, cache) for ids in ([], [c.vocabulary], [-1], [0] * 5)]
        said.append(refused("logits", ArgumentError, engine.prefill, [0], cache, "first"))
        said += [refused("want", ArgumentError, engine.greedy, [0, 1], cache, want) for want in (0, 3, 1.0)]
        said.append(refused("cache", ArgumentError, engine.prefill, [0], Cache(replace(c, layers=c.layers + 1), 4)))
        if cache.length or engine.cache().capacity != c.context or engine.nbytes <= 0:
            said.append("a refused pass has moved the cache, or a cache has another size than was asked for")
        engine.prefill([0, 0, 0], cache)
        said += [refused("length", ArgumentError, cache.truncate, n) for n in (-1, 4, 1.0)]
        engine.prefill([0], cache)  # all four positions
        said.append(refused("tokens", ArgumentError, engine.decode, 0, cache))
        if cache.length != 4:
            said.append(f"the cache has {cache.length} positions, not 4")
    said.append(refused("engine", ArgumentError, engine.prefill, [0], engine.cache(4)))
    at = "blk.0.ffn_up.weight"
    raw = model.weights[at].raw.copy()
    raw[2] = 0xFF  # every scale and every float is NaN
    broken = model.with_weights({at: Weight(at, model.weights[at].encoding, raw, c.width)})
    said.append(refused("row 2", ModelError, Engine, broken))
    huge = Model(c, model.weights, {**model.norms, "output_norm.weight": np.full(c.width, 3e38, np.float32)}, {})
    with Engine(huge) as engine:
        cache = engine.cache(4)
        said.append(refused("hidden", NonFiniteError, engine.prefill, [0, 1], cache))
        if cache.length:
            said.append("a pass that failed has moved the cache")
    return Result(asked, next((fault for fault in said if fault), None))


CHECKS = (
    Check("engine.passes", _case, _run_pass, every_isa=True, batch=5),
    Check("engine.largest", _largest_case, _run_largest, every_isa=True),
    Check("engine.refusals", _refusal_case, _run_refusals, batch=1),
)

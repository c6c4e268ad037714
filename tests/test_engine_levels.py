"""The AVX-512 and VNNI bodies of the engine in the emulation of SIMDe: the same bits as the body that this machine runs.

Nothing here is timed, and a processor with these instructions runs them in tests/test_engine.py as well.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import tiny_models
from test_engine import IDS, K_CODES, WRITTEN, models  # noqa: F401
from test_exact_head import activations, coded

from gnosis.core import blocks
from gnosis.core import engine as kernel
from gnosis.engine import Engine
from gnosis.lm import Model, Weight
from gnosis.lm.rotation import Turns, frequencies

ROOT = Path(__file__).parents[1]
HEADER = Path("/usr/include/simde/x86/avx512.h")
# -O0: what the compiler saves is more than what the passes of small models cost
FLAGS = ["-O0", "-std=gnu11", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-Wno-psabi", "-w", "-fPIC", "-shared", "-DGNOSIS_SIMDE"]
PARTS = ("engine", "engine_head", "engine_kernels", "engine_pack", "engine_pool", "blocks")
EMULATED = {"plain": 0, "avx512": 2, "avx512vnni": 3}
NESTED = -1  # in place of the number of Q8_0: in two planes

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None or not HEADER.exists(), reason="gcc or SIMDe (Debian: libsimde-dev) is not installed")


class Config(ctypes.Structure):
    _fields_ = (
        [(name, ctypes.c_ssize_t) for name in ("layers", "width", "heads", "groups", "head", "inner", "vocabulary")]
        + [(name, ctypes.c_float) for name in ("eps", "attention_scale", "embedding_scale")]
        + [(name, ctypes.c_int) for name in ("halves", "gelu", "bits", "threads")]
    )


class Pass(ctypes.Structure):
    _fields_ = (
        [(name, ctypes.c_void_p) for name in ("keys", "values", "scores", "hidden", "logits")]
        + [(name, ctypes.c_void_p * 2) for name in ("cos", "sin")]
        + [("ids", ctypes.c_void_p)]
        + [(name, ctypes.c_ssize_t) for name in ("capacity", "start", "tokens", "want")]
        + [("coarse", ctypes.c_int)]
    )


# Model, what stands in a body, and what stands there when the fault is on: FAULT asks for it.
FAULTS = [
    ("Q4_0", "I(_mm512_dpwssd_epi32)(sum, w,", "I(_mm512_dpwssd_epi32)(FAULT ? w : sum, FAULT ? sum : w,"),
    ("Q8_0", "inserti64x4)(I(_mm512_castsi256_si512)(a), b, 1)", "inserti64x4)(I(_mm512_castsi256_si512)(FAULT ? b : a), FAULT ? a : b, 1)"),
    ("Q4_0", "s[c] = ISA(every)(0);", "s[c] = FAULT ? sum : ISA(every)(0);"),
    ("Q4_0", "-zero * a->sum[i]", "(FAULT ? zero : -zero) * a->sum[i]"),
    ("Q4_0", "ISA(every)(-zero * a->sum[at + t])", "ISA(every)(FAULT ? 0 : -zero * a->sum[at + t])"),
    ("Q4_0", "ISA(words)(p + 64 * (4 * u + j))", "ISA(words)(p + 64 * (FAULT ? 4 * u : 4 * u + j))"),
    ("Q4_1", "? ISA(fma)(minimum, ISA(all)(sums), f)", "&& !FAULT ? ISA(fma)(minimum, ISA(all)(sums), f)"),
    ("Q8_0", "e = e < 41 ? 41 : e;", "e = e < (FAULT ? 141 : 41) ? (FAULT ? 141 : 41) : e;"),
    ("Q8_0", "s[j] = -FLT_MAX; /* exp gives 0 */", "s[j] = FAULT ? s[j] : -FLT_MAX;"),
    ("Q8_0", "ISA(below)(y, zero)", "(FAULT ? ISA(below)(zero, y) : ISA(below)(y, zero))"),
    ("F16", "s[g][t] = ISA(load)(f + GROUP * (TOKENS * g + t));", "s[g][t] = FAULT ? ISA(all)(0) : ISA(load)(f + GROUP * (TOKENS * g + t));"),
    ("nested", "I(_mm512_set1_epi16)(240)", "I(_mm512_set1_epi16)(FAULT ? 112 : 240)"),
    ("head", "moved += e * e, size += v * v;", "moved += FAULT ? 0 : e * e, size += v * v;"),
]


@pytest.fixture(scope="module")
def emulated(tmp_path_factory) -> ctypes.CDLL:
    """The engine with emulated vectors, compiled once, with every fault in it and none of them on: `engine_fault` says which is."""
    to = tmp_path_factory.mktemp("emulated")
    folder = to / "kernels"
    shutil.copytree(ROOT / "cython_core", folder, ignore=lambda _, names: [n for n in names if not n.endswith((".c", ".h"))])
    for number, (_, was, now) in enumerate(FAULTS, 1):
        held = [path for path in sorted(folder.glob("engine*")) if was in path.read_text(encoding="utf-8")]
        assert held, was
        for path in held:
            path.write_text(path.read_text(encoding="utf-8").replace(was, now.replace("FAULT", f"(engine_fault == {number})")), encoding="utf-8")
    (folder / "fault.h").write_text("extern int engine_fault;\n")
    (folder / "fault.c").write_text("int engine_fault;\n")
    sources = [str(folder / f"{part}.c") for part in (*PARTS, "fault")]
    before = ["-include", str(folder / "fault.h"), "-include", str(ROOT / "tests" / "engine_simde.h")]
    command = ["gcc", *FLAGS, f"-I{folder}", *before, *sources, "-o", str(to / "emulated.so"), "-lm", "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    library = ctypes.CDLL(str(to / "emulated.so"))
    library.gnosis_engine_new.restype = library.gnosis_engine_head_new.restype = ctypes.c_void_p
    library.gnosis_engine_put.restype = library.gnosis_engine_run.restype = library.gnosis_engine_head_pass.restype = ctypes.c_ssize_t
    return library


def passes(library: ctypes.CDLL, level: int, model: Model, bits: int, ids: np.ndarray, step: int, planes: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Hidden states and logits of ids, read `step` at a time, by the library alone.  planes: None, or nested, as `gnosis_engine_pass` has it."""
    c = model.config
    config = Config(
        c.layers, c.width, c.heads, c.groups, c.head, c.inner, c.vocabulary, c.eps, c.scale, c.embedding_scale, c.neox, c.activation == "gelu", bits, 1
    )
    engine = ctypes.c_void_p(library.gnosis_engine_new(ctypes.byref(config), ctypes.c_size_t(1 << 24)))
    kept = []

    def pointer(array: np.ndarray) -> ctypes.c_void_p:
        kept.append(array)
        return ctypes.c_void_p(array.ctypes.data)

    for layer in range(c.layers):
        for slot, name in enumerate(kernel.MATRICES):
            w = model.weights[model.head_name if name == "head" else f"blk.{layer}.{name}.weight"]
            if name != "head" or not layer:
                assert (
                    library.gnosis_engine_put(
                        engine,
                        ctypes.c_ssize_t(layer),
                        slot,
                        blocks.ENCODINGS.index(w.encoding) if planes is None else NESTED,
                        pointer(np.ascontiguousarray(w.raw)),
                        ctypes.c_ssize_t(w.rows),
                        ctypes.c_ssize_t(w.columns),
                    )
                    == -1
                )
        for slot, name in enumerate(kernel.VECTORS):
            values = model.norms.get(name + ".weight" if name == "output_norm" else f"blk.{layer}.{name}" + ("" if name.endswith("bias") else ".weight"))
            if values is not None and (name != "output_norm" or not layer):
                assert library.gnosis_engine_vector(engine, ctypes.c_ssize_t(layer), slot, pointer(values), ctypes.c_ssize_t(len(values))) == 0
        window = c.window_of(layer)
        library.gnosis_engine_layer(engine, ctypes.c_ssize_t(layer), ctypes.c_ssize_t(window), 1 if window else 0)
    embedding = model.weights["token_embd.weight"]
    library.gnosis_engine_embedding(engine, blocks.ENCODINGS.index(embedding.encoding), pointer(np.ascontiguousarray(embedding.raw)))
    turns = [Turns(frequencies(c.head, c.rope_base, c.rope_scale, model.norms.get("rope_freqs.weight")))]
    turns += [Turns(frequencies(c.head, c.window_rope_base))] if c.window else turns
    tables = [turn.at(0, 64) for turn in turns]
    room = np.zeros((2, c.layers, c.groups, 64, c.head), np.float32)
    scores, hidden, logits = np.zeros(4 * 64, np.float32), np.zeros((len(ids), c.width), np.float32), np.zeros((len(ids), c.vocabulary), np.float32)
    for at in range(0, len(ids), step):
        part = ids[at : at + step]
        one = Pass(
            pointer(room[0]),
            pointer(room[1]),
            pointer(scores),
            pointer(hidden[at:]),
            pointer(logits[at:]),
            (ctypes.c_void_p * 2)(*(t[0].ctypes.data for t in tables)),
            (ctypes.c_void_p * 2)(*(t[1].ctypes.data for t in tables)),
            pointer(np.ascontiguousarray(part)),
            64,
            at,
            len(part),
            len(part),
            planes or 0,
        )
        assert library.gnosis_engine_run(engine, ctypes.byref(one), level) == -1
    library.gnosis_engine_free(engine)
    return hidden, logits


def heads(library: ctypes.CDLL, level: int, weight: Weight, a: np.ndarray, bits: int) -> list[np.ndarray]:
    """Scores of a head for activations, and with 16 bits their bounds, the ends of tiles and the exponents."""
    why, rows = ctypes.c_ssize_t(), (weight.rows + 15) // 16 * 16
    pointers = [ctypes.c_void_p(x.ctypes.data) for x in (weight.raw, a)]
    head = library.gnosis_engine_head_new(
        blocks.ENCODINGS.index(weight.encoding), pointers[0], ctypes.c_ssize_t(weight.rows), ctypes.c_ssize_t(weight.columns), 1, level, ctypes.byref(why)
    )
    assert head and why.value == -1
    out = [np.zeros((len(a), n), np.float32) for n in (rows, rows, -(-weight.rows // kernel.TILE), -(-weight.rows // kernel.TILE))]
    out.append(np.zeros(len(a), np.int32))
    z, *bounds, exponent = (ctypes.c_void_p(x.ctypes.data) for x in out)
    if bits == 8:
        bounds, out = [None] * 3, [out[0], out[4]]
    assert library.gnosis_engine_head_pass(ctypes.c_void_p(head), pointers[1], ctypes.c_ssize_t(len(a)), bits, z, *bounds, exponent, level) == -1
    library.gnosis_engine_head_free(ctypes.c_void_p(head))
    return out


def wanted(weight: Weight, a: np.ndarray, bits: int) -> list[np.ndarray]:
    """The same by the body that this machine runs."""
    head = kernel.Head(weight.encoding, weight.raw, weight.columns)
    z, eps = np.zeros((2, len(a), head.stride), np.float32)
    exponents, low, high = head.scores(a, z, eps if bits == 16 else None, bits)
    return [z, eps, low, high, exponents] if bits == 16 else [z, exponents]


def same(ours: list[np.ndarray], theirs: list[np.ndarray]) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(ours, theirs, strict=True))


@pytest.mark.parametrize("encoding", WRITTEN + K_CODES)
def test_emulated_levels_have_the_scores_and_bounds_of_the_head(emulated, encoding):
    weight = coded(encoding, 133)
    for bits in (16, 8):
        for tokens in (1, 5):
            a = activations(tokens)
            for name, level in EMULATED.items():
                assert same(heads(emulated, level, weight, a, bits), wanted(weight, a, bits)), (name, bits, tokens)


@pytest.mark.parametrize("planes", [0, 1, 2])
def test_emulated_levels_read_the_planes_of_the_nested_code(models, emulated, planes):  # noqa: F811
    with Engine.of_model(models["Q8_0"], nested=True) as nested:
        engine = nested.coarse(planes == 2) if planes else nested
        want = engine.prefill(IDS[:13], engine.cache(64), "all")
    for name, level in EMULATED.items():
        for step in (13, 1, 3):
            hidden, logits = passes(emulated, level, models["Q8_0"], 16, IDS[:13], step, planes)
            assert np.array_equal(hidden, want.hidden) and np.array_equal(logits, want.logits), (name, step)


@pytest.mark.parametrize("kind", WRITTEN + K_CODES)
def test_emulated_levels_compute_the_same_bits(models, emulated, kind):  # noqa: F811
    for bits, steps in ((16, (len(IDS), 1, 11)), (8, (1, 11))):
        with Engine.of_model(models[kind], bits) as engine:
            want = engine.prefill(IDS, engine.cache(64), "all")
        for name, level in EMULATED.items():
            for step in steps:
                hidden, logits = passes(emulated, level, models[kind], bits, IDS, step)
                assert np.array_equal(hidden, want.hidden) and np.array_equal(logits, want.logits), (name, bits, step)


@pytest.mark.parametrize("name", ["qwen2", "qwen3", "gemma3"])
def test_emulated_levels_run_other_architectures(tmp_path, emulated, name):
    model, ids = Model.load(str(tiny_models.write(tmp_path / "model.gguf", name))), np.array(tiny_models.text(name), np.int64)
    with Engine.of_model(model) as engine:
        want = engine.prefill(ids, engine.cache(64), "all")
    for level in EMULATED.values():
        assert np.array_equal(passes(emulated, level, model, 16, ids, 9)[1], want.logits)


@pytest.mark.parametrize("number", range(1, len(FAULTS) + 1), ids=[was for _, was, _ in FAULTS])
def test_a_fault_in_a_body_is_found(models, emulated, number):  # noqa: F811
    kind, some = FAULTS[number - 1][0], IDS[:14]
    emulated_fault = ctypes.c_int.in_dll(emulated, "engine_fault")
    emulated_fault.value = number
    try:
        if kind == "head":
            a, weight = activations(3), coded("Q8_0", 33)
            assert not all(same(heads(emulated, level, weight, a, 16), wanted(weight, a, 16)) for level in EMULATED.values())
            return
        model, planes = models["Q8_0" if kind == "nested" else kind], 0 if kind == "nested" else None
        with Engine.of_model(model) as engine:
            want = engine.prefill(some, engine.cache(64), "none")
        runs = ((level, step) for step in (14, 1, 11) for level in EMULATED.values())
        assert not all(np.array_equal(passes(emulated, level, model, 16, some, step, planes)[0], want.hidden) for level, step in runs)
    finally:
        emulated_fault.value = 0

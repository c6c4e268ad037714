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

from gnosis.core import blocks
from gnosis.core import engine as kernel
from gnosis.engine import Engine
from gnosis.lm import Model
from gnosis.lm.rotation import Turns, frequencies

ROOT = Path(__file__).parents[1]
HEADER = Path("/usr/include/simde/x86/avx512.h")
FLAGS = [
    "-O1",
    "-std=gnu11",
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-Wno-psabi",
    "-w",
    "-fPIC",
    "-shared",
    "-DGNOSIS_SIMDE",
    f"-I{ROOT / 'cython_core'}",
]
PARTS = ("engine", "engine_kernels", "engine_pack", "engine_pool", "blocks")
EMULATED = {"plain": 0, "avx512": 2, "avx512vnni": 3}

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


def built(to: Path, change: tuple[str, str] | None = None) -> ctypes.CDLL:
    """The engine with emulated vectors; change: a text of its bodies and what stands there instead."""
    folder = to / "kernels"
    shutil.copytree(ROOT / "cython_core", folder, ignore=lambda _, names: [n for n in names if not n.endswith((".c", ".h"))])
    if change:
        assert any(change[0] in (folder / file).read_text(encoding="utf-8") for file in ("engine_simd_body.h", "engine_body.h", "engine_steps_body.h"))
        for file in ("engine_simd_body.h", "engine_body.h", "engine_steps_body.h"):
            text = (folder / file).read_text(encoding="utf-8")
            (folder / file).write_text(text.replace(*change), encoding="utf-8")
    command = [
        "gcc",
        *(flag for flag in FLAGS if not flag.startswith("-I")),
        f"-I{folder}",
        "-include",
        str(ROOT / "tests" / "engine_simde.h"),
        *(str(folder / f"{part}.c") for part in PARTS),
        "-o",
        str(to / "emulated.so"),
        "-lm",
        "-lpthread",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    library = ctypes.CDLL(str(to / "emulated.so"))
    library.gnosis_engine_new.restype = ctypes.c_void_p
    library.gnosis_engine_put.restype = library.gnosis_engine_run.restype = ctypes.c_ssize_t
    return library


@pytest.fixture(scope="module")
def emulated(tmp_path_factory) -> ctypes.CDLL:
    return built(tmp_path_factory.mktemp("emulated"))


def passes(library: ctypes.CDLL, level: int, model: Model, bits: int, ids: np.ndarray, step: int) -> tuple[np.ndarray, np.ndarray]:
    """Hidden states and logits of ids, read `step` at a time, by the library alone."""
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
                        blocks.ENCODINGS.index(w.encoding),
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
        )
        assert library.gnosis_engine_run(engine, ctypes.byref(one), level) == -1
    library.gnosis_engine_free(engine)
    return hidden, logits


@pytest.mark.parametrize("kind", WRITTEN + K_CODES)
def test_emulated_levels_compute_the_same_bits(models, emulated, kind):  # noqa: F811
    for bits in (16, 8):
        with Engine.of_model(models[kind], bits) as engine:
            want = engine.prefill(IDS, engine.cache(64), "all")
        for name, level in EMULATED.items():
            for step in (len(IDS), 1, 11):
                hidden, logits = passes(emulated, level, models[kind], bits, IDS, step)
                assert np.array_equal(hidden, want.hidden) and np.array_equal(logits, want.logits), (name, bits, step)


@pytest.mark.parametrize("name", ["qwen2", "qwen3", "gemma3"])
def test_emulated_levels_run_other_architectures(tmp_path, emulated, name):
    model, ids = Model.load(str(tiny_models.write(tmp_path / "model.gguf", name))), np.array(tiny_models.text(name), np.int64)
    with Engine.of_model(model) as engine:
        want = engine.prefill(ids, engine.cache(64), "all")
    for level in EMULATED.values():
        assert np.array_equal(passes(emulated, level, model, 16, ids, 9)[1], want.logits)


FAULTS = [
    ("Q4_0", "I(_mm512_dpwssd_epi32)(sum, w,", "I(_mm512_dpwssd_epi32)(w, sum,"),
    ("Q8_0", "inserti64x4)(I(_mm512_castsi256_si512)(a), b, 1)", "inserti64x4)(I(_mm512_castsi256_si512)(b), a, 1)"),
    ("Q4_0", "s[c] = ISA(every)(0);", "s[c] = sum;"),
    ("Q4_0", "-zero * a->sum[i]", "zero * a->sum[i]"),
    ("Q4_0", "ISA(every)(-zero * a->sum[at + t])", "ISA(every)(0)"),
    ("Q4_0", "ISA(words)(p + 64 * (4 * u + j))", "ISA(words)(p + 64 * (4 * u))"),
    ("Q4_1", "ISA(fma)(minimum, ISA(all)(sums), f)", "f"),
    ("Q8_0", "e < 41 ? 41 : e", "e < 141 ? 141 : e"),
    ("Q8_0", "s[j] = -FLT_MAX; /* exp gives 0 */", "s[j] = s[j];"),
    ("Q8_0", "ISA(below)(y, zero)", "ISA(below)(zero, y)"),
    ("F16", "s[g][t] = ISA(load)(f + GROUP * (TOKENS * g + t));", "s[g][t] = ISA(all)(0);"),
]


@pytest.mark.parametrize("kind, was, now", FAULTS)
def test_a_fault_in_a_body_is_found(models, tmp_path, kind, was, now):  # noqa: F811
    library = built(tmp_path, (was, now))
    with Engine.of_model(models[kind]) as engine:
        want = engine.prefill(IDS, engine.cache(64), "all")
    assert not all(np.array_equal(passes(library, level, models[kind], 16, IDS, step)[0], want.hidden) for level in EMULATED.values() for step in (1, 11, 40))

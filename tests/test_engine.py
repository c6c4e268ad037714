"""The compiled engine: the same bits however it is run, close to the reference, and what it refuses."""

from __future__ import annotations

import os
import threading
import time

import numpy as np
import pytest
import tiny_llama
import tiny_models

from gnosis.core import blocks, cpu
from gnosis.core import engine as kernel
from gnosis.engine import Cache, Engine
from gnosis.errors import DtypeError, EmptyError, LengthError, NonFiniteError, RangeError
from gnosis.lm import Model, Weight
from gnosis.models.files import ModelError

WRITTEN = ("Q8_0", "Q5_0", "Q5_1", "Q4_0", "Q4_1", "F16", "BF16", "F32")
K_CODES = ("Q4_K", "Q5_K", "Q6_K")
# Largest difference of a hidden state over the largest hidden state, as measured on these models (6e-5 … 9e-5; floats 5e-7), with room.
NEAR = {16: 3e-4, 8: 4e-2}
IDS = np.random.default_rng(1).integers(0, tiny_llama.VOCABULARY, 40)


def k_blocks(rng: np.random.Generator, encoding: str, rows: int, columns: int) -> np.ndarray:
    """Blocks of any codes and scales, weights of about 1 / sqrt(columns)."""
    weights, size = blocks.sizes(encoding)
    raw = rng.integers(0, 256, (rows, columns // weights, size), dtype=np.uint8)
    scale = np.float16(columns**-0.5 / (2400 if encoding == "Q6_K" else 600)).reshape(1).view(np.uint8)
    for at in (208,) if encoding == "Q6_K" else (0, 2):
        raw[:, :, at : at + 2] = scale
    return raw.reshape(rows, -1)


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> dict[str, Model]:
    """One small model in each code; the K codes, whose blocks are 256 wide, stand in the matrices of a wider one."""
    folder = tmp_path_factory.mktemp("models")
    made = {kind: Model.load(str(tiny_llama.write(folder / f"{kind}.gguf", tiny_llama.tensors(kind=kind)))) for kind in WRITTEN}
    for kind in K_CODES:
        made[kind] = wide(folder, kind)
    return made


def wide(folder, kind: str) -> Model:
    rng, sizes = np.random.default_rng(3), (tiny_llama.WIDTH, tiny_llama.INNER, tiny_llama.HEADS)
    tiny_llama.WIDTH, tiny_llama.INNER, tiny_llama.HEADS = 256, 512, 8
    try:
        tensors = tiny_llama.tensors(kind="Q8_0")
        tensors = {
            name: (k_blocks(rng, kind, *values.shape), kind) if name.startswith("blk.") and values.ndim == 2 else (values, code)
            for name, (values, code) in tensors.items()
        }
        return Model.load(
            str(tiny_llama.write(folder / f"{kind}.gguf", tensors, {"embedding_length": 256, "feed_forward_length": 512, "attention.head_count": 8}))
        )
    finally:
        tiny_llama.WIDTH, tiny_llama.INNER, tiny_llama.HEADS = sizes


@pytest.fixture
def every_isa():
    yield cpu.available()
    cpu.force(None)


def ways(engine: Engine) -> list[tuple[np.ndarray, np.ndarray]]:
    """Hidden states and logits of IDS: all at once, one by one, and in pieces."""
    out = []
    for step in (len(IDS), 1, 2, 3, 5, 8, 11):
        cache = engine.cache(64)
        parts = [engine.prefill(IDS[i : i + step], cache, "all") for i in range(0, len(IDS), step)]
        out.append((np.concatenate([p.hidden for p in parts]), np.concatenate([p.logits for p in parts])))
    return out


@pytest.mark.parametrize("kind", WRITTEN + K_CODES)
@pytest.mark.parametrize("bits", [16, 8])
def test_the_same_bits_alone_and_together_by_one_thread_and_many_on_every_instruction_set(models, every_isa, kind, bits):
    results = []
    for isa in every_isa:
        cpu.force(isa)
        for threads in (1, 3):
            with Engine.of_model(models[kind], bits, threads) as engine:
                results += ways(engine)
    for hidden, logits in results:
        assert np.array_equal(hidden, results[0][0]) and np.array_equal(logits, results[0][1])


@pytest.mark.parametrize("kind", WRITTEN + K_CODES)
@pytest.mark.parametrize("bits", [16, 8])
def test_close_to_the_reference(models, kind, bits):
    model = models[kind]
    reference = model.prefill(IDS, model.cache(64), "all")
    with Engine.of_model(model, bits) as engine:
        step = engine.prefill(IDS, engine.cache(64), "all")
    near = 5e-6 if kind in ("F16", "BF16", "F32") else NEAR[bits]
    for ours, theirs in zip(step, reference):
        assert np.abs(ours - theirs).max() <= near * np.abs(theirs).max()


def upper(weight: Weight) -> Weight:
    """Of a Q8_0 matrix what the upper four bits of its codes say, 16 u − 120.5 in units of the scale, as float32."""
    raw = weight.blocks
    scale, u = raw[:, :2].copy().view("<f2").astype(np.float32), (raw[:, 2:].view(np.int8).astype(np.int32) + 128) // 16
    values = (scale * (16 * u - 120.5)).astype(np.float32)
    return Weight(weight.name, "F32", values.view(np.uint8).reshape(weight.rows, -1), weight.columns)


@pytest.mark.parametrize("bits", [16, 8])
def test_two_planes_together_have_the_bits_of_q8_0_and_the_same_bytes(models, every_isa, bits):
    for isa in every_isa:
        cpu.force(isa)
        with Engine.of_model(models["Q8_0"], bits) as engine, Engine.of_model(models["Q8_0"], bits, 2, nested=True) as nested:
            assert nested.nbytes == engine.nbytes
            for ours, theirs in zip(ways(nested), ways(engine)):
                assert np.array_equal(ours[0], theirs[0]) and np.array_equal(ours[1], theirs[1])


@pytest.mark.parametrize("head", [False, True])
def test_the_upper_plane_alone(models, every_isa, head):
    """The same bits in every way, close to the reference with these weights, and another model than both planes."""
    model, results = models["Q8_0"], []
    for isa in every_isa:
        cpu.force(isa)
        with Engine.of_model(model, 16, 2, nested=True) as nested:
            results += ways(nested.coarse(head))
            whole = nested.prefill(IDS, nested.cache(64), "all")
    for hidden, logits in results:
        assert np.array_equal(hidden, results[0][0]) and np.array_equal(logits, results[0][1])
    changed = model.with_weights({name: upper(w) for name, w in model.weights.items() if name.startswith("blk.")})
    reference = changed.prefill(IDS, changed.cache(64), "none").hidden
    output = model.weights[model.head_name]
    logits = reference @ (upper(output) if head else output).decoded().T
    for ours, theirs in zip(results[0], (reference, logits)):
        assert np.abs(ours - theirs).max() <= NEAR[16] * np.abs(theirs).max()
    assert np.abs(whole.hidden - reference).max() > 1e-3 * np.abs(reference).max()


def test_a_coarse_engine_shares_what_the_whole_one_has(models):
    with Engine.of_model(models["Q8_0"], nested=True) as nested:
        coarse = nested.coarse()
        assert coarse.alone() is nested.alone() and coarse.coarse(True).alone() is nested.alone()
        cache = nested.cache(64)
        nested.prefill(IDS[:20], cache, "none")
        coarse.greedy(IDS[20:30], cache)  # a draft over the same keys and values
        cache.truncate(20)
        step = nested.prefill(IDS[20:], cache)
        assert np.array_equal(step.logits, nested.prefill(IDS, nested.cache(64)).logits)
        coarse.close()
        with pytest.raises(RangeError):
            nested.decode(0, cache)
    with Engine.of_model(models["Q8_0"]) as engine, pytest.raises(RangeError, match="nested"):
        engine.coarse()
    with pytest.raises(ModelError, match="nested code is one of Q8_0"):
        Engine.of_model(models["Q4_0"], nested=True)


def test_a_wrong_weight_is_noticed(models):
    model = models["Q8_0"]
    raw = model.weights["blk.1.ffn_up.weight"].raw.copy()
    raw[5, 7] ^= 64
    changed = model.with_weights({"blk.1.ffn_up.weight": Weight("blk.1.ffn_up.weight", "Q8_0", raw, 64)})
    reference = model.prefill(IDS, model.cache(64), "all").hidden
    with Engine.of_model(changed) as engine:
        hidden = engine.prefill(IDS, engine.cache(64), "none").hidden
    assert np.abs(hidden - reference).max() > NEAR[16] * np.abs(reference).max()


def test_eight_bits_are_coarser(models):
    hidden = []
    for bits in (16, 8):
        with Engine.of_model(models["Q8_0"], bits) as engine:
            hidden.append(engine.prefill(IDS, engine.cache(64), "none").hidden)
    assert np.abs(hidden[0] - hidden[1]).max() > 1e-3


def test_long_prompts_are_cut_without_a_trace(models):
    model, ids = models["Q8_0"], np.random.default_rng(2).integers(0, 260, 64)
    with Engine.of_model(model, 16, 2) as engine:
        together = engine.prefill(ids, engine.cache(64), "all")
        cache = engine.cache(64)
        first = engine.prefill(ids[:63], cache, "none")
        last = engine.prefill(ids[63:], cache)
        assert np.array_equal(together.hidden, np.concatenate([first.hidden, last.hidden])) and np.array_equal(together.logits[-1:], last.logits)
        assert first.logits is None and cache.length == 64


def test_greedy_is_the_largest_logit_and_its_lead(models):
    with Engine.of_model(models["Q4_0"]) as engine:
        logits = engine.prefill(IDS, engine.cache(64), "all").logits
        found = engine.greedy(IDS, engine.cache(64), 7)
        assert found.hidden.shape == (40, 64)
    best = np.sort(logits[-7:], axis=1)
    assert np.array_equal(found.tokens, logits[-7:].argmax(axis=1)) and np.array_equal(found.lead, best[:, -1] - best[:, -2])


@pytest.mark.parametrize("isa", cpu.available())
def test_the_largest_of_some(every_isa, isa):
    cpu.force(isa)
    rng = np.random.default_rng(0)
    for n in (1, 2, 15, 16, 17, 31, 32, 33, 100):
        x = rng.integers(-4, 4, (50, n)).astype(np.float32)
        at, lead = kernel.largest(x)
        both = np.sort(x, axis=1)
        assert np.array_equal(at, x.argmax(axis=1)) and (n == 1 or np.array_equal(lead, both[:, -1] - both[:, -2]))
    with pytest.raises(LengthError):
        kernel.largest(np.zeros((2, 0), np.float32))


# ---- errors ------------------------------------------------------------------------------------------------------------


def test_what_is_refused(models):
    model = models["Q8_0"]
    for bits in (7, 12, 16.5, True, "16"):
        with pytest.raises(RangeError, match="activations"):
            Engine.of_model(model, bits)
    for threads in (0, -1, 257, 1.5):
        with pytest.raises(RangeError, match="threads"):
            Engine.of_model(model, 16, threads)
    with Engine.of_model(model) as engine:
        cache = engine.cache(8)
        for tokens, error in (([], EmptyError), ([[1]], EmptyError), ([0.5], DtypeError), ([260], RangeError), ([-1], RangeError), (range(9), RangeError)):
            with pytest.raises(error, match="tokens"):
                engine.prefill(list(tokens), cache)
        with pytest.raises(RangeError, match="logits"):
            engine.prefill([1], cache, "some")
        for want in (0, 3, 1.5):
            with pytest.raises(RangeError, match="want"):
                engine.greedy([1, 2], cache, want)
        for capacity in (0, 65, 1.5):
            with pytest.raises(RangeError, match="capacity"):
                engine.cache(capacity)
        with pytest.raises(RangeError, match="other sizes"):
            engine.prefill([1], Cache(models["Q4_K"].config, 8))
        assert cache.length == 0
        engine.prefill([1, 2, 3], cache)
        cache.truncate(2)
        with pytest.raises(RangeError, match="length"):
            cache.truncate(3)
    with pytest.raises(RangeError, match="closed"):
        engine.prefill([1], cache)
    engine.close()


def test_a_scale_that_is_not_finite_names_tensor_and_row(models):
    model, name = models["Q8_0"], "blk.1.ffn_down.weight"
    raw = model.weights[name].raw.copy()
    raw[9, 34:36] = np.frombuffer(np.float16("inf").tobytes(), np.uint8)
    with pytest.raises(ModelError, match=r"blk\.1\.ffn_down\.weight.*row 9"):
        Engine.of_model(model.with_weights({name: Weight(name, "Q8_0", raw, 96)}))


def test_numbers_that_leave_float32_are_an_error_and_the_cache_stays(models):
    model = models["F32"]
    huge = {name: Weight(name, "F32", (w.decoded() * np.float32(1e20)).view(np.uint8), w.columns) for name, w in model.weights.items() if "ffn" in name}
    with Engine.of_model(model.with_weights(huge), 16, 2) as engine:
        cache = engine.cache(16)
        with pytest.raises(NonFiniteError, match="hidden"):
            engine.prefill([1, 2, 3], cache)
        assert cache.length == 0


# ---- memory and threads ------------------------------------------------------------------------------------------------


def test_the_weights_take_what_their_codes_take(models):
    for kind, bits in (("Q8_0", 8.5), ("Q4_0", 4.5), ("Q4_1", 5.0), ("F16", 16), ("F32", 32), ("Q4_K", 4.625)):
        with Engine.of_model(models[kind]) as engine:
            matrices = [w for name, w in models[kind].weights.items() if name.startswith("blk.")]
            head = models[kind].weights["token_embd.weight"]
            ours = engine.nbytes - kernel.matrix_bytes(head.encoding, head.rows, head.columns)
            assert ours * 8 == bits * sum(w.rows * w.columns for w in matrices)


def test_threads_end_with_their_engine(models):
    before = len(os.listdir("/proc/self/task"))
    engine = Engine.of_model(models["Q8_0"], 16, 4)
    assert len(os.listdir("/proc/self/task")) == before + 3
    engine.prefill(IDS, engine.cache(64))
    engine.close()
    assert len(os.listdir("/proc/self/task")) == before


def test_two_engines_share_nothing(models):
    """Two models in two Python threads at once write what each writes alone."""
    alone, got = {}, {}

    def run(kind: str, into: dict) -> None:
        with Engine.of_model(models[kind], 16, 2) as engine:
            into[kind] = [engine.prefill(IDS, engine.cache(64), "all").logits for _ in range(20)]

    for kind in ("Q8_0", "Q4_0"):
        run(kind, alone)
    workers = [threading.Thread(target=run, args=(kind, got)) for kind in alone]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for kind, logits in alone.items():
        assert all(np.array_equal(a, b) for a, b in zip(logits, got[kind]))


def test_engines_that_share_threads(models):
    """Each computes what it computes alone, also after the other one is gone, and both have two threads."""
    have = threading.active_count(), len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else 0
    with Engine.of_model(models["Q8_0"], threads=2) as first:
        with Engine.of_model(models["Q4_0"], 8, 2, first) as second:
            assert not have[1] or len(os.listdir("/proc/self/task")) == have[1] + 1
            for engine, alone in (
                (second, Engine.of_model(models["Q4_0"], 8)),
                (first, Engine.of_model(models["Q8_0"])),
                (second, Engine.of_model(models["Q4_0"], 8)),
            ):
                with alone:
                    assert np.array_equal(engine.prefill(IDS, engine.cache(64)).logits, alone.prefill(IDS, alone.cache(64)).logits)
        assert np.isfinite(first.prefill(IDS, first.cache(64)).logits).all()
        with pytest.raises(RangeError, match="threads = 1: the other engine has 2"):
            Engine.of_model(models["Q4_0"], threads=1, beside=first)
    with pytest.raises(RangeError, match="closed"):
        Engine.of_model(models["Q4_0"], threads=2, beside=first)


def test_one_engine_in_several_python_threads(models):
    with Engine.of_model(models["Q8_0"], 16, 2) as engine:
        want = engine.prefill(IDS, engine.cache(64), "all").logits
        found: list[bool] = []
        workers = [threading.Thread(target=lambda: found.append(np.array_equal(engine.prefill(IDS, engine.cache(64), "all").logits, want))) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    assert found == [True] * 8


def test_sleeping_threads_are_woken(models):
    with Engine.of_model(models["Q8_0"], 16, 3) as engine:
        want = engine.prefill(IDS, engine.cache(64)).logits
        for pause in (0.0, 0.001, 0.05, 0.2):
            time.sleep(pause)
            assert np.array_equal(engine.prefill(IDS, engine.cache(64)).logits, want)


@pytest.mark.filterwarnings("ignore:This process")
def test_after_a_fork_the_child_goes_on(models):
    with Engine.of_model(models["Q8_0"], 16, 3) as engine:
        want = engine.prefill(IDS, engine.cache(64)).logits
        child = os.fork()
        if not child:
            status = 1
            try:
                status = 0 if np.array_equal(engine.prefill(IDS, engine.cache(64)).logits, want) else 2
                engine.close()
            finally:
                os._exit(status)
        deadline, done = time.monotonic() + 60, (0, 0)
        while done == (0, 0) and time.monotonic() < deadline:
            done = os.waitpid(child, os.WNOHANG)
            time.sleep(0.01)
        if done == (0, 0):
            os.kill(child, 9)
        assert done == (child, 0)
        assert np.array_equal(engine.prefill(IDS, engine.cache(64)).logits, want)


@pytest.mark.parametrize("name", [name for name in tiny_models.MODELS if "expert_count" in tiny_models.keys(name)])
def test_experts_are_named_as_what_the_reference_path_runs(tmp_path, name):
    model = Model.load(str(tiny_models.write(tmp_path / "model.gguf", name)))
    with pytest.raises(ModelError, match="experts"):
        Engine.of_model(model)


# ---- architectures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in tiny_models.MODELS if "expert_count" not in tiny_models.keys(name)])
def test_every_architecture_is_close_to_the_reference(tmp_path, every_isa, name):
    model = Model.load(str(tiny_models.write(tmp_path / "model.gguf", name)))
    ids = tiny_models.text(name)
    reference = model.prefill(ids, model.cache(len(ids)), "all")
    found = []
    for isa in every_isa:
        cpu.force(isa)
        with Engine.of_model(model, 16, 2) as engine:
            cache = engine.cache(len(ids))
            found += [engine.prefill(ids, engine.cache(len(ids)), "all").logits, np.concatenate([engine.decode(i, cache).logits for i in ids])]
    for logits in found:
        assert np.array_equal(logits, found[0])
        assert np.abs(logits - reference.logits).max() <= 1e-4 * np.abs(reference.logits).max()

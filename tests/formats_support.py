"""What the tests of formats have in common."""

import gguf
import numpy as np

from gnosis.codes import plain
from gnosis.core import blocks, cpu
from gnosis.models.files import open_model

WRITTEN = ("Q8_0", "Q5_0", "Q5_1", "Q4_0", "Q4_1")


def forced(isa, call):
    cpu.force(isa)
    try:
        return call()
    finally:
        cpu.force(None)


def same_bits(a, b):
    return a.dtype == b.dtype == np.float32 and np.array_equal(a.view(np.uint32), b.view(np.uint32))


def reference(raw, encoding):
    with np.errstate(all="ignore"):
        out = gguf.dequantize(raw.reshape(-1), gguf.GGMLQuantizationType[encoding])
    return np.asarray(out, np.float32).reshape(-1, blocks.sizes(encoding)[0])


def minilm_rows(count=64):
    model = open_model("minilm")
    return model.rows("encoder.layer.0.output.dense.weight", np.arange(count))  # rows of 1536, whole blocks of 256


def exact_energy(encoding, raw, original):
    return plain.residual_energy(raw.tobytes(), original, encoding)

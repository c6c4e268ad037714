"""Every type is decoded twice, by decoders that share no code; a fault of the first one is noticed, and a scale that is NaN is no number."""

from __future__ import annotations

from fractions import Fraction

import gguf
import numpy as np
import pytest
from model_files import write_gguf

from gnosis.codes import eight, plain, plain_grids, plain_low
from gnosis.core import blocks
from gnosis.errors import NonFiniteError
from gnosis.models import decode
from gnosis.models.files import ModelError, open_model
from gnosis.probe import sanity

APART = (*plain_low.FORMATS, *plain_grids.FORMATS)


def sizes(encoding: str) -> tuple[int, int]:
    return gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType[encoding]]


def made(encoding: str, n: int, seed: int = 0) -> np.ndarray:
    """uint8[n, block bytes]: any bytes, with scales that are numbers of a usual size."""
    rng = np.random.default_rng(seed)
    raw = rng.integers(0, 256, (n, sizes(encoding)[1]), dtype=np.uint8)
    for at in {"Q2_K": (80, 82), "Q3_K": (108,), "TQ1_0": (52,), "TQ2_0": (64,), "MXFP4": (), "NVFP4": (), "IQ1_M": ()}.get(encoding, (0,)):
        raw[:, at : at + 2] = rng.uniform(0.001, 0.01, (n, 1)).astype(np.float16).view(np.uint8)
    if encoding == "MXFP4":
        raw[:, 0] = rng.integers(118, 122, n)
    if encoding == "NVFP4":
        raw[:, :4] = rng.integers(0x20, 0x28, (n, 4))
    if encoding == "IQ1_M":  # the scale 0.0041 in the highest bits of four words
        for i, digit in enumerate((3, 3, 12, 1)):
            raw[:, 49 + 2 * i] = raw[:, 49 + 2 * i] & 15 | digit << 4
    return raw


def test_every_type_that_is_decoded_has_a_second_decoder():
    """Types that the kernels do not know as well: what remains is decoded once, and the report says so."""
    decoded = {t.name for t in gguf.GGMLQuantizationType if decode.can_decode(t.name)}
    assert decoded - set(plain.FORMATS) == {"F64"}
    assert set(plain.FORMATS) == set(APART) | set(blocks.ENCODINGS) and set(decode.FLOATS_8) == set(eight.ENCODINGS)


@pytest.mark.parametrize("encoding", APART)
def test_both_decoders_give_the_same_bits(encoding):
    assert plain.FORMATS[encoding].bytes == sizes(encoding)[1]
    rng = np.random.default_rng(1)
    raw = np.vstack([made(encoding, 200), rng.integers(0, 256, (200, sizes(encoding)[1]), dtype=np.uint8)])
    first = decode.decode_rows(raw, encoding, sizes(encoding)[0]).ravel()
    second = plain.redecode(raw.tobytes(), encoding, raw.shape[1])
    same = (first.view(np.uint32) == second.view(np.uint32)) | np.isnan(first) & np.isnan(second)
    assert same.all() and np.isfinite(first[: 200 * sizes(encoding)[0]]).all() and len(np.unique(first)) > 40


@pytest.mark.parametrize("encoding", APART)
def test_each_byte_of_a_block_changes_what_is_decoded(encoding):
    """No part of a block is passed over, by either decoder."""
    raw = made(encoding, 4)  # a group of one of them may have the scale 0
    before = plain.redecode(raw.tobytes(), encoding, raw.shape[1])
    for at in range(raw.shape[1]):
        changed = raw.copy()
        changed[:, at] ^= 0x55
        assert not np.array_equal(before, plain.redecode(changed.tobytes(), encoding, raw.shape[1]), equal_nan=True), at
        assert not np.array_equal(before, decode.decode_rows(changed, encoding, sizes(encoding)[0]).ravel(), equal_nan=True), at


@pytest.mark.parametrize("encoding", APART)
def test_a_factor_of_two_in_the_first_decoder_is_noticed(encoding, tmp_path, monkeypatch):
    per_row, rows = -(-256 // sizes(encoding)[0]), 16
    raw = made(encoding, per_row * rows).reshape(rows, -1)
    path = write_gguf(tmp_path / "m.gguf", {"w": (raw, encoding)})
    model = open_model(str(path))
    info = model.info("w")
    with sanity.SecondReader(model) as reader:
        checked = sanity.check_tensor(reader, info, np.arange(rows), model.rows("w", np.arange(rows)), np.random.default_rng(0))
        assert checked.redecoded > 0
        original = gguf.dequantize
        monkeypatch.setattr(gguf, "dequantize", lambda *args: 2 * original(*args))
        with pytest.raises(sanity.SanityError, match="decoded twice with different results"):
            sanity.check_tensor(reader, info, np.arange(rows), model.rows("w", np.arange(rows)), np.random.default_rng(0))


@pytest.mark.parametrize("encoding, at, scale", [("MXFP4", 0, 255), ("NVFP4", 2, 0x7F), ("NVFP4", 0, 0xFF), ("NVFP4", 3, 0x80)])
def test_a_scale_that_is_no_number_is_refused(encoding, at, scale, tmp_path):
    raw = made(encoding, 16 * 8).reshape(16, -1)
    raw[5, at] = scale
    with pytest.raises(NonFiniteError):
        plain.exact_weights(raw[5].tobytes(), encoding)
    path = write_gguf(tmp_path / "m.gguf", {"w": (raw, encoding)})
    column = 16 * at if encoding == "NVFP4" else 0
    with pytest.raises(ModelError, match=rf"non-finite scale or value in the {encoding} block at offset \d+ \(row 5, column {column}\)"):
        open_model(str(path)).all_rows("w")


def test_a_weight_past_the_range_is_named():
    """2^127 · 6 is a number of MXFP4 and none of float32."""
    block = bytes([254] + [0x77] * 16)
    with pytest.raises(NonFiniteError, match="past the range"):
        plain.exact_weights(block, "MXFP4")
    assert np.isinf(decode.decode_rows(np.frombuffer(block, np.uint8)[None], "MXFP4", 32)).all() and np.isinf(plain.redecode(block, "MXFP4", 17)).all()


def test_the_largest_and_least_scales_are_numbers():
    """Next to what is none."""
    block = bytes([254]) + bytes([0x21] * 16)  # 2^127, codes 1/2 and 1
    assert plain.exact_weights(block, "MXFP4") == [Fraction(2) ** 126] * 16 + [Fraction(2) ** 127] * 16
    block = bytes([0x7E, 0x01, 0x00, 0x08]) + bytes([0x77] * 32)  # 448, 2^-9, 0, 2^-6; codes 6
    assert plain.exact_weights(block, "NVFP4") == [Fraction(448 * 6)] * 16 + [Fraction(6, 512)] * 16 + [Fraction(0)] * 16 + [Fraction(6, 64)] * 16
    for block, encoding in ((bytes([254] + [0x21] * 16), "MXFP4"), (bytes([0x7E, 1, 0, 8] + [0x77] * 32), "NVFP4")):
        values = decode.decode_rows(np.frombuffer(block, np.uint8)[None], encoding, sizes(encoding)[0])[0]
        assert [Fraction(float(v)) for v in values] == plain.exact_weights(block, encoding)

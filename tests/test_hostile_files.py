"""Every input of every command, given what asks for too much: one error, within 2 s of CPU time and 256 MiB."""
from __future__ import annotations

import re

import hostile_files
import pytest
from limits import MIB, SECONDS, taken

from gnosis.models.files import ModelError, open_model


def warm() -> None:
    """What is imported at the first call is not counted."""
    import gguf
    import ml_dtypes
    assert gguf and ml_dtypes


@pytest.mark.parametrize("name", hostile_files.MODELS)
def test_models(tmp_path, name):
    make, words = hostile_files.MODELS[name]
    path = make(tmp_path)
    warm()
    found = taken(lambda: open_model(str(path)))
    assert found.kind == "ModelError" and re.search(words, found.text), found
    assert len(found.text) < 1500 and found.text.isprintable(), "a message of one line"
    assert found.seconds < SECONDS and found.mib < MIB, found


def test_the_measure_sees_what_is_taken():
    assert taken(lambda: sum(range(30_000_000))).seconds > 0.2
    assert taken(lambda: len(b"x" * 300_000_000)).mib > MIB
    assert taken(lambda: open_model("/dev/zero")).kind == "ModelError"
    assert issubclass(ModelError, ValueError)

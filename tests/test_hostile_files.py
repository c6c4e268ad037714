"""Every input of every command, given what asks for too much: one error, within 2 s of CPU time and 256 MiB."""

from __future__ import annotations

import mmap
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


def _fresh() -> int:
    """Take 300 MB from the system, not from what this process has freed before."""
    pages = range(0, 300_000_000, 4096)
    with mmap.mmap(-1, pages.stop) as memory:
        memory[::4096] = bytes(len(pages))
        return len(memory)


def test_the_measure_sees_what_is_taken():
    assert taken(lambda: sum(range(30_000_000))).seconds > 0.2
    assert taken(_fresh).mib > MIB
    assert taken(lambda: open_model("/dev/zero")).kind == "ModelError"
    assert issubclass(ModelError, ValueError)

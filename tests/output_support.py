"""What the tests of output have in common."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gnosis.files import output

root = pytest.mark.skipif(os.geteuid() != 0, reason="needs the rights of root")


def entries(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def stage(path, content: str) -> None:
    with output.staged(path) as part:
        part.write_text(content)


WAYS = [pytest.param(output.write, id="write"), pytest.param(stage, id="staged")]

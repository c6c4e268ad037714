"""Exact decisions about compressed neural networks, each resting on a Lean theorem."""

from __future__ import annotations

import importlib.metadata

__all__ = ["__version__", "get_include"]

try:
    __version__: str = importlib.metadata.version("gnosis-gates")
except importlib.metadata.PackageNotFoundError:  # a copy of the files that nobody installed
    __version__ = "unknown"


def get_include() -> str:
    """The folder with the C headers and sources of the kernels, for a compiler's `-I`; docs/c.md says which files belong together."""
    from pathlib import Path

    from . import core

    return str(Path(core.__file__).parent)

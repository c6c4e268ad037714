"""`python compiled_main.py LIBRARY ORACLE` answers requests with the compiled decisions (`native/oracle.c`).

A process of its own, so that Lean's library, a decision that never ends, or a crash stays out of the caller's.
It imports nothing but the standard library.
"""

import ctypes
import os
import sys


def main() -> int:
    ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)  # Lean's runtime, for what the oracle leaves open
    return ctypes.CDLL(sys.argv[2], mode=os.RTLD_NOW | os.RTLD_LOCAL).gnosis_oracle_serve()


if __name__ == "__main__":
    sys.exit(main())

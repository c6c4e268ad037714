"""Spoil the floating-point environment of this thread for a few lines, through the C library's own calls."""

import ctypes
import ctypes.util
import platform
from contextlib import contextmanager

_libm = ctypes.CDLL(ctypes.util.find_library("m"))
X86 = platform.machine() in ("x86_64", "AMD64")
ARM = platform.machine() in ("aarch64", "arm64")

# Offset of the control word in fenv_t, bits that flush subnormal results, bits that drop subnormal operands.
if X86:
    _WORD, FTZ, DAZ = 28, 1 << 15, 1 << 6
    ROUNDINGS = {"down": 0x400, "up": 0x800, "zero": 0xC00}
else:
    _WORD, FTZ, DAZ = 0, 1 << 24, 1 << 24
    ROUNDINGS = {"up": 0x400000, "down": 0x800000, "zero": 0xC00000}


@contextmanager
def flushing(bits):
    """Set bits of MXCSR (x86) or FPCR (ARM): FTZ, DAZ."""
    env = (ctypes.c_ubyte * 64)()
    assert _libm.fegetenv(env) == 0
    spoiled = (ctypes.c_ubyte * 64)(*env)
    word = ctypes.c_uint32.from_buffer(spoiled, _WORD)
    word.value |= bits
    assert _libm.fesetenv(spoiled) == 0
    try:
        yield
    finally:
        assert _libm.fesetenv(env) == 0


@contextmanager
def rounding(direction):
    before = _libm.fegetround()
    assert _libm.fesetround(ROUNDINGS[direction]) == 0
    try:
        yield
    finally:
        assert _libm.fesetround(before) == 0

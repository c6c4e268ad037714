"""The Lean decisions as a C library without Lean: the sources that are written, and the library called from Python."""

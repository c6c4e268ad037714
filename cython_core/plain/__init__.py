"""The kernels in numpy and Python, for an installation without a compiler.  The same answers, bit for bit; each is slow."""

"""The kernels in numpy and Python, for an installation without a compiler.  The same answers, bit for bit; each is slow.

Their checks of arguments repeat those of the .pyx files on purpose: either form must refuse the same input with the same words, and neither
is there when the other is used.
"""

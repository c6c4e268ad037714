"""Compiled kernels.  Each mirrors a decision of the spine or decodes a block format."""

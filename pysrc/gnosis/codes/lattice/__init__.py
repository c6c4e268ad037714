"""Lattice codes for weights: cubic and E8 at 2 to 8 bits a weight, to nearest or unbiased at random, with a certified sidecar."""

from .codes import Code
from .matrix import Quantized, quantize

__all__ = ["Code", "Quantized", "quantize"]

"""Inference whose answers are those of the full-precision weights, at a coarse code's price."""

from .codes import NestedCode, Price
from .head import CertifiedHead, Token
from .linear import CertifiedLinear, Share

__all__ = ["CertifiedHead", "CertifiedLinear", "NestedCode", "Price", "Share", "Token"]

"""Inference whose answers are those of the full-precision weights, at a coarse code's price."""

from .codes import NestedCode, Price
from .exact import ExactHead
from .head import CertifiedHead, Token
from .linear import CertifiedLinear, Share

__all__ = ["CertifiedHead", "CertifiedLinear", "ExactHead", "NestedCode", "Price", "Share", "Token"]

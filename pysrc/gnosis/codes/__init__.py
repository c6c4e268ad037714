"""Block codes of model files, decoded exactly and with a certified bound of what they lose.

A weight of Q8_0, Q5_0, Q5_1, Q4_0, Q4_1, Q4_K, Q5_K or Q6_K is scale·code + offset with dyadic scale and offset, so it
is a whole multiple of 2^-24; a weight of F16, BF16 or F32 is a dyadic of its own.  With an offset (Q4_1, Q5_1, Q4_K, Q5_K)
the sum is rounded once to float32.  That number is the weight, here and everywhere: what is decoded, what exact gates are
given, and what energies are bounds for.  Three decoders, none of which uses another:

- `gnosis.core.blocks` (and `gnosis.core.q8_0`), compiled: float32 weights, bounds of residual energies, exact parts;
- `plain`, one block at a time in plain Python: the reference;
- the `gguf` package, which owns the formats.

`rows` works on whole matrices, `integers` gives the exact gates their whole numbers, `encode` has a matrix coded by gguf,
checks what came out and writes the sidecar of residual energies.
"""

from .rows import Encoded, Integers, decode_rows, encode, energy_rows, integers, row_bytes

__all__ = ["Encoded", "Integers", "decode_rows", "encode", "energy_rows", "integers", "row_bytes"]

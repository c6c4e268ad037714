"""One module per gate: the exact reference of its Lean decision, and the gate that users call."""

"""Lean's answers: the interpreter, the compiled decisions, the kernel, and the protocol of requests."""

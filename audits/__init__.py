"""What the proofs rest on, checked from the compiled files and not from what the build says.

`audit.run` does everything; the modules are the parts: `tokens` (words in the sources), `olean` and `environment`
(a reader of compiled modules), `replay` (the kernel checks all declarations again, from nothing), `axioms`,
`accelerated` (names by which the kernel computes), `printed` (what Lean prints), `lock` (what the headline theorems say).
TRUST.md says what remains to be trusted.
"""

"""What the proofs rest on, checked from the compiled files and not from what the build says.

`check.py` is the command; `audit.run` does everything.  The parts: `bundle` (this folder in memory, child processes), `sources`
(what lies in `Gnosis/`), `tokens` and `language` (words in the sources), `lean`, `confine` and `build` (compiling, by a known Lean in
a process that can do little), `olean` and `environment` (a reader of compiled modules), `replay` and `kernel` (the kernel checks all
declarations again, from nothing), `axioms`, `accelerated` (names by which the kernel computes), `code` (what runs comes from the
definitions), `printed` (what Lean prints), `lock` (what the headline theorems say).  These modules import one another
and the standard library only.  TRUST.md says what remains to be trusted.
"""

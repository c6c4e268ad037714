import Lake
open Lake DSL

/-- The options are the ones `gnosis spine build` passes (`pysrc/gnosis/spine/build.py`). -/
package gnosis where
  leanOptions := #[⟨`interpreter.prefer_native, false⟩, ⟨`warningAsError, true⟩]

/-- Every module below `Gnosis/`; there is no umbrella file. -/
@[default_target]
lean_lib Gnosis where
  globs := #[.submodules `Gnosis]

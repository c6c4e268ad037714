import Lake
open Lake DSL

/-- The options are the ones `gnosis spine build` passes (`pysrc/gnosis/spine/build.py`).  With `bootstrap` Lake gives Lean no
package name for the modules: native code of the binary is then found under Lean's own names, which `@[extern "b"]` needs.
`gnosis spine lake --check` compiles every module as Lake would, from what stands here. -/
package gnosis where
  bootstrap := true
  leanOptions := #[⟨`interpreter.prefer_native, false⟩, ⟨`warningAsError, true⟩]

/-- Every module below `Gnosis/`; there is no umbrella file. -/
@[default_target]
lean_lib Gnosis where
  globs := #[.submodules `Gnosis]

prelude
import Gnosis.Core.Tactics
/-! # `simp only` without axioms

The `simp` of Lean's binary closes an equation by `(a = a) = True`, which is propositional extensionality.  Here that lemma,
`eq_self`, changes nothing, so that `simp only` leaves `a = a`, and `simp_only` closes it by `rfl`.  `dsimp` works as usual.  The names
and the number of arguments of the lemmas are fixed by `simp`; their statements differ from `Init` in `eq_self` and `iff_self`. -/
universe u v
theorem eq_self {α : Sort u} (a : α) : (a = a) = (a = a) := rfl
theorem iff_self (p : Prop) : (p ↔ p) = (p ↔ p) := rfl
theorem of_eq_true {p : Prop} (h : p = True) : p := h.symm.subst (motive := fun x => x) .intro
theorem of_eq_false {p : Prop} (h : p = False) : ¬p := fun x => h.subst (motive := fun x => x) x
theorem implies_congr {p₁ p₂ : Sort u} {q₁ q₂ : Sort v} (h : p₁ = p₂) (k : q₁ = q₂) : (p₁ → q₁) = (p₂ → q₂) := h ▸ k ▸ rfl
open Lean.Parser.Tactic in
/-- Rewrite everywhere with the given equations (in order, also under commutativity), then try `rfl`. -/
macro "simp_only" " [" ls:simpArg,* "]" loc:(location)? : tactic =>
  `(tactic| (simp only [$(⟨ls.elemsAndSeps⟩),*] $[$loc:location]?; try rfl))

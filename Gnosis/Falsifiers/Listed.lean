prelude
import Gnosis.Core.List
/-! # Listed hypotheses

A counterexample often has a hypothesis about the members of a list that is written out; this checks it. -/
namespace Gnosis.Falsifiers

/-- What holds of every member of a list, decided. -/
theorem every {α : Type} {p : α → Prop} [d : DecidablePred p] {l : List α} (h : l.all (fun x => decide (p x)) = true) :
    ∀ x, x ∈ l → p x := fun x m => of_decide_eq_true (List.all_eq_true.mp h x m)

end Gnosis.Falsifiers

prelude
import Gnosis.Core
/-! A disjunction or a negation of decisions, read as a proposition (conjunction and `decide` are in `Gnosis.Core`). -/

namespace Bool
/-- A disjunction admits when one side does. -/
theorem or_eq_true_iff {a b : Bool} : (a || b) = true ↔ a = true ∨ b = true := by
  cases a with
  | true => exact ⟨fun _ => .inl rfl, fun _ => rfl⟩
  | false => exact ⟨.inr, fun h => h.elim (fun h => (nomatch h)) id⟩
/-- A negation admits when the decision refuses. -/
theorem not_eq_true_iff {a : Bool} : (!a) = true ↔ a = false := by
  cases a with
  | true => exact ⟨fun h => (nomatch h), fun h => (nomatch h)⟩
  | false => exact ⟨fun _ => rfl, fun _ => rfl⟩
end Bool

prelude
import Gnosis.Core.Tactics
/-! # Booleans and decisions: the laws -/

theorem Bool.and_eq_true_iff {x y : Bool} : (x && y) = true ↔ x = true ∧ y = true := by
  cases x with
  | true => exact ⟨fun h => ⟨rfl, h⟩, fun h => h.right⟩
  | false => exact ⟨fun h => (nomatch h), fun h => (nomatch h.left)⟩
theorem decide_eq_true_iff {p : Prop} [Decidable p] : decide p = true ↔ p := ⟨of_decide_eq_true, decide_eq_true⟩
theorem Bool.eq_iff_iff {a b : Bool} : a = b ↔ (a = true ↔ b = true) := by
  constructor
  · intro h; rw [h]; exact Iff.rfl
  · intro h
    cases a with
    | true => exact (h.mp rfl).symm
    | false => cases b with
      | true => exact nomatch (h.mpr rfl)
      | false => rfl
theorem Bool.eq_false_iff {b : Bool} : b = false ↔ b ≠ true := by
  cases b with
  | true => exact ⟨fun h => (nomatch h), fun h => absurd rfl h⟩
  | false => exact ⟨fun _ h => (nomatch h), fun _ => rfl⟩
theorem Bool.or_eq_true_iff {x y : Bool} : (x || y) = true ↔ x = true ∨ y = true := by
  cases x with
  | true => exact ⟨fun _ => .inl rfl, fun _ => rfl⟩
  | false => exact ⟨.inr, fun h => h.elim (fun h => (nomatch h)) id⟩
theorem Bool.not_eq_true_iff {x : Bool} : (!x) = true ↔ x = false := by
  cases x with
  | true => exact ⟨fun h => (nomatch h), fun h => (nomatch h)⟩
  | false => exact ⟨fun _ => rfl, fun _ => rfl⟩
theorem Bool.and_true (b : Bool) : (b && true) = b := by
  cases b with
  | true => rfl
  | false => rfl
theorem decide_eq_decide {p q : Prop} {_ : Decidable p} {_ : Decidable q} : decide p = decide q ↔ (p ↔ q) :=
  ⟨fun h => ⟨fun x => of_decide_eq_true (h.symm.trans (decide_eq_true x)), fun x => of_decide_eq_true (h.trans (decide_eq_true x))⟩,
    fun h => Bool.eq_iff_iff.mpr ⟨fun x => decide_eq_true (h.mp (of_decide_eq_true x)),
      fun x => decide_eq_true (h.mpr (of_decide_eq_true x))⟩⟩

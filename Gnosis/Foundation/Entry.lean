prelude
import Gnosis.Core
import Gnosis.Decision.Margin
/-! Lists of scores read by index. -/
namespace List
/-- A list with a valid index is not empty. -/
theorem ne_nil_of_lt_length {α : Type} {l : List α} {n : Nat} (h : n < l.length) : l ≠ [] := fun e => by
  rw [e] at h; exact Nat.not_succ_le_zero n h
end List

namespace Gnosis
open List

/-- A statement about all indices of a non-empty list: the first one and the shifted rest. -/
theorem forall_index_cons {α : Type} {p : Nat → Prop} {x : α} {xs : List α} :
    (∀ i, i < (x :: xs).length → p i) ↔ p 0 ∧ ∀ i, i < xs.length → p (i + 1) := by
  constructor
  · intro h
    exact ⟨h 0 (Nat.succ_le_succ (Nat.zero_le _)), fun i hi => h (i + 1) (Nat.succ_le_succ hi)⟩
  · intro ⟨h, k⟩ i hi
    cases i with
    | zero => exact h
    | succ i => exact k i (Nat.le_of_succ_le_succ hi)

/-- An entry at a valid index is a member. -/
theorem entry_mem {z : List Int} {i : Nat} (h : i < z.length) : entry z i ∈ z := by
  induction z generalizing i with
  | nil => exact absurd h (Nat.not_succ_le_zero i)
  | cons x xs ih =>
    cases i with
    | zero => exact .head xs
    | succ i => exact .tail x (ih (Nat.le_of_succ_le_succ h))

/-- The entries of a mapped list are the mapped entries. -/
theorem entry_map (f : Int → Int) {z : List Int} {i : Nat} (h : i < z.length) :
    entry (z.map f) i = f (entry z i) := by
  induction z generalizing i with
  | nil => exact absurd h (Nat.not_succ_le_zero i)
  | cons x xs ih =>
    cases i with
    | zero => rfl
    | succ i => exact ih (Nat.le_of_succ_le_succ h)

/-- A sum of two vectors is as long as they are. -/
theorem length_addEntries {y z : List Int} (hl : y.length = z.length) : (addEntries y z).length = y.length := by
  induction y generalizing z with
  | nil => rfl
  | cons x xs ih => cases z with
    | nil => exact nomatch hl
    | cons e es => exact congrArg Nat.succ (ih (Nat.add_right_cancel hl))
/-- The entries of a sum are the sums of the entries. -/
theorem entry_addEntries {y z : List Int} (hl : y.length = z.length) {i : Nat} (hi : i < y.length) :
    entry (addEntries y z) i = entry y i + entry z i := by
  induction y generalizing z i with
  | nil => exact absurd hi (Nat.not_succ_le_zero i)
  | cons x xs ih => cases z with
    | nil => exact nomatch hl
    | cons e es => cases i with
      | zero => rfl
      | succ i => exact ih (Nat.add_right_cancel hl) (Nat.le_of_succ_le_succ hi)

/-- All entries of a list satisfy a decision exactly when the entry at each index does. -/
theorem all_iff_entry {p : Int → Bool} {z : List Int} :
    z.all p = true ↔ ∀ i, i < z.length → p (entry z i) = true := by
  induction z with
  | nil => exact ⟨fun _ i h => absurd h (Nat.not_succ_le_zero i), fun _ => rfl⟩
  | cons x xs ih =>
    exact Bool.and_eq_true_iff.trans (Iff.trans ⟨fun ⟨h, k⟩ => ⟨h, ih.mp k⟩, fun ⟨h, k⟩ => ⟨h, ih.mpr k⟩⟩
      (forall_index_cons (p := fun i => p (entry (x :: xs) i) = true) (x := x) (xs := xs)).symm)

/-- The list of the values `f 0`, …, `f (n - 1)`. -/
def tabulate (n : Nat) (f : Nat → Int) : List Int :=
  match n with
  | 0 => []
  | n + 1 => f 0 :: tabulate n (fun i => f (i + 1))

/-- A table of `n` values has length `n`. -/
theorem length_tabulate (n : Nat) (f : Nat → Int) : (tabulate n f).length = n := by
  induction n generalizing f with
  | zero => rfl
  | succ n ih => exact congrArg Nat.succ (ih _)
/-- The entry at index `i` of a table is `f i`. -/
theorem entry_tabulate {n i : Nat} (f : Nat → Int) (h : i < n) : entry (tabulate n f) i = f i := by
  induction n generalizing f i with
  | zero => exact absurd h (Nat.not_succ_le_zero i)
  | succ n ih =>
    cases i with
    | zero => rfl
    | succ i => exact ih (fun i => f (i + 1)) (Nat.le_of_succ_le_succ h)

end Gnosis

prelude
import Gnosis.Core
import Gnosis.Decision.Search
/-! # The entries of a list that satisfy a decision -/
open List
namespace Gnosis

/-- As many entries are accepted as satisfy the decision. -/
theorem length_accepted {α : Type} (p : α → Bool) (l : List α) : (accepted p l).length = countP p l := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    cases h : p a with
    | true => rw [accepted, h, countP_cons_of_pos l h, ← ih]; rfl
    | false => rw [accepted, h, countP_cons_of_neg l h, ← ih]; rfl

/-- Accepted are the entries that satisfy the decision. -/
theorem mem_accepted_iff {α : Type} {p : α → Bool} {l : List α} {a : α} : a ∈ accepted p l ↔ a ∈ l ∧ p a = true := by
  induction l with
  | nil => exact ⟨fun h => (nomatch h), fun h => (nomatch h.1)⟩
  | cons b l ih =>
    cases h : p b with
    | true =>
      rw [accepted, h]
      constructor
      · intro m
        cases m with
        | head => exact ⟨.head _, h⟩
        | tail _ m => exact ⟨.tail _ (ih.mp m).1, (ih.mp m).2⟩
      · intro ⟨m, k⟩
        cases m with
        | head => exact .head _
        | tail _ m => exact .tail _ (ih.mpr ⟨m, k⟩)
    | false =>
      rw [accepted, h]
      constructor
      · intro m; exact ⟨.tail _ (ih.mp m).1, (ih.mp m).2⟩
      · intro ⟨m, k⟩
        cases m with
        | head => rw [h] at k; exact nomatch k
        | tail _ m => exact ih.mpr ⟨m, k⟩

/-- Of a list without repetition no entry is accepted twice. -/
theorem nodup_accepted {α : Type} {p : α → Bool} {l : List α} (d : Nodup l) : Nodup (accepted p l) := by
  induction d with
  | nil => exact .nil
  | @cons a l n _ ih =>
    cases h : p a with
    | true => rw [accepted, h]; exact .cons (fun b m => n b (mem_accepted_iff.mp m).1) ih
    | false => rw [accepted, h]; exact ih

/-- Whatever holds between earlier and later entries holds between accepted ones. -/
theorem pairwise_accepted {α : Type} {r : α → α → Prop} {p : α → Bool} {l : List α} (h : Pairwise r l) :
    Pairwise r (accepted p l) := by
  induction h with
  | nil => exact .nil
  | @cons a l n _ ih =>
    cases e : p a with
    | true => rw [accepted, e]; exact .cons (fun b m => n b (mem_accepted_iff.mp m).1) ih
    | false => rw [accepted, e]; exact ih

/-- Counting among the accepted entries is counting both properties. -/
theorem countP_accepted {α : Type} (q p : α → Bool) (l : List α) : countP q (accepted p l) = countP (fun a => p a && q a) l := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    rw [countP_cons, accepted]
    cases p a with
    | true => show countP q (a :: accepted p l) = _ + cond (q a) 1 0; rw [countP_cons, ih]
    | false => exact ih
end Gnosis

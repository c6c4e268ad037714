prelude
import Gnosis.Foundation.Entry
/-! Selections (masks of a list), lists related entry by entry, and the sum of the two largest entries. -/
universe u v

namespace List
variable {α : Type u} {β : Type v}
/-- Two lists of the same length whose entries at each index are related. -/
inductive Forall₂ (r : α → β → Prop) : List α → List β → Prop where
  | nil : Forall₂ r [] []
  | cons {a : α} {b : β} {k : List α} {l : List β} : r a b → Forall₂ r k l → Forall₂ r (a :: k) (b :: l)
/-- Related lists have the same length. -/
theorem Forall₂.length_eq {r : α → β → Prop} {k : List α} {l : List β} (h : Forall₂ r k l) : k.length = l.length := by
  induction h with
  | nil => rfl
  | cons _ _ ih => exact congrArg Nat.succ ih
/-- Related lists, one after the other. -/
theorem Forall₂.append {r : α → β → Prop} {k k' : List α} {l l' : List β} (h : Forall₂ r k l) (h' : Forall₂ r k' l') :
    Forall₂ r (k ++ k') (l ++ l') := by
  induction h with
  | nil => exact h'
  | cons h _ ih => exact .cons h ih
/-- A symmetric relation does not mind which of the first two entries comes first. -/
theorem pairwise_swap {r : α → α → Prop} (symm : ∀ {a b}, r a b → r b a) {a b : α} {l : List α}
    (h : Pairwise r (a :: b :: l)) : Pairwise r (b :: a :: l) := by
  cases h with
  | cons ha h => cases h with
    | cons hb h =>
      obtain ⟨hab, ha⟩ := forall_mem_cons ha
      refine .cons (fun c m => ?_) (.cons ha h)
      cases m with
      | head => exact symm hab
      | tail _ m => exact hb c m
/-- The first entry may be dropped. -/
theorem pairwise_tail {r : α → α → Prop} {a : α} {l : List α} (h : Pairwise r (a :: l)) : Pairwise r l := by
  cases h with
  | cons _ h => exact h
/-- The second entry may be dropped. -/
theorem pairwise_drop_second {r : α → α → Prop} {a b : α} {l : List α} (h : Pairwise r (a :: b :: l)) :
    Pairwise r (a :: l) := by
  cases h with
  | cons ha h => exact .cons (forall_mem_cons ha).2 (pairwise_tail h)
end List

namespace Gnosis
open List

/-! ## Masks -/

/-- The selection bit at index `i`, counted from 0; `false` past the end. -/
def selected : List Bool → Nat → Bool
  | [], _ => false
  | s :: _, 0 => s
  | _ :: ss, i + 1 => selected ss i

/-- How many entries a mask selects. -/
def selectedCount (S : List Bool) : Nat := countP (fun s => s) S

/-- Either some index is in `S` and not in `T`, or `S` is contained in `T`. -/
theorem exists_selected_or_subset {S T : List Bool} (hl : S.length = T.length) :
    (∃ i, i < S.length ∧ selected S i = true ∧ selected T i = false)
    ∨ (selectedCount S ≤ selectedCount T ∧ (selectedCount T ≤ selectedCount S → S = T)) := by
  induction S generalizing T with
  | nil => cases T with
    | nil => exact .inr ⟨.refl, fun _ => rfl⟩
    | cons t ts => exact nomatch hl
  | cons s ss ih => cases T with
    | nil => exact nomatch hl
    | cons t ts =>
      rcases ih (Nat.add_right_cancel hl) with ⟨i, hi, h⟩ | ⟨hle, heq⟩
      · exact .inl ⟨i + 1, Nat.succ_le_succ hi, h⟩
      · unfold selectedCount at *
        rw [countP_cons, countP_cons]
        cases s with
        | true => cases t with
          | true =>
            exact .inr ⟨Nat.add_le_add_right hle 1, fun h => by rw [heq (Nat.le_of_add_le_add_right h)]⟩
          | false => exact .inl ⟨0, Nat.succ_le_succ (Nat.zero_le _), rfl, rfl⟩
        | false => cases t with
          | true =>
            refine .inr ⟨Nat.le_trans hle (Nat.le_succ _), fun h => absurd hle (Nat.not_le_of_lt h)⟩
          | false => exact .inr ⟨hle, fun h => by rw [heq h]⟩

/-- Two masks of the same length and count are equal, or each selects an index that the other does not. -/
theorem eq_or_exchange {S T : List Bool} (hl : S.length = T.length) (hc : selectedCount S = selectedCount T) :
    S = T ∨ ∃ i j, i < S.length ∧ j < S.length ∧ selected S i = true ∧ selected T i = false
      ∧ selected T j = true ∧ selected S j = false := by
  rcases exists_selected_or_subset hl with ⟨i, hi, hs, ht⟩ | ⟨_, h⟩
  · rcases exists_selected_or_subset hl.symm with ⟨j, hj, hs', ht'⟩ | ⟨_, h⟩
    · exact .inr ⟨i, j, hi, by rw [hl]; exact hj, hs, ht, hs', ht'⟩
    · exact .inl (h (Nat.le_of_eq hc)).symm
  · exact .inl (h (Nat.le_of_eq hc.symm))

/-! ## The sum of the two largest entries -/

/-- A relation between all earlier and later entries, read index by index. -/
theorem pairwise_iff_entry {r : Int → Int → Prop} {l : List Int} :
    Pairwise r l ↔ ∀ i j, i < j → j < l.length → r (entry l i) (entry l j) := by
  induction l with
  | nil => exact ⟨fun _ i j _ h => absurd h (Nat.not_succ_le_zero j), fun _ => .nil⟩
  | cons x xs ih =>
    constructor
    · intro h
      cases h with
      | cons hx h =>
        intro i j hij hj
        cases j with
        | zero => exact absurd hij (Nat.not_succ_le_zero i)
        | succ j =>
          have hj : j < xs.length := Nat.le_of_succ_le_succ hj
          cases i with
          | zero => exact hx _ (entry_mem hj)
          | succ i => exact ih.mp h i j (Nat.le_of_succ_le_succ hij) hj
    · intro h
      refine .cons (fun b m => ?_) (ih.mpr fun i j hij hj => h (i + 1) (j + 1) (Nat.succ_le_succ hij) (Nat.succ_le_succ hj))
      obtain ⟨j, hj, e⟩ := exists_entry_of_mem m
      rw [← e]
      exact h 0 (j + 1) (Nat.succ_le_succ (Nat.zero_le j)) (Nat.succ_le_succ hj)
where
  exists_entry_of_mem {b : Int} {l : List Int} (m : b ∈ l) : ∃ j, j < l.length ∧ entry l j = b := by
    induction m with
    | head l => exact ⟨0, Nat.succ_le_succ (Nat.zero_le _), rfl⟩
    | tail c _ ih => obtain ⟨j, hj, e⟩ := ih; exact ⟨j + 1, Nat.succ_le_succ hj, e⟩

/-- If all sums of two entries are at most `s` and not all are smaller, one of them is `s`. -/
theorem exists_pair_sum {s : Int} {l : List Int} (hle : Pairwise (fun x y => x + y ≤ s) l)
    (hlt : ¬ Pairwise (fun x y => x + y < s) l) :
    ∃ i j, i < j ∧ j < l.length ∧ s = entry l i + entry l j := by
  induction l with
  | nil => exact absurd .nil hlt
  | cons x xs ih =>
    cases hle with
    | cons hx hxs =>
      rcases attained x xs hx with ⟨j, hj, e⟩ | h
      · exact ⟨0, j + 1, Nat.succ_le_succ (Nat.zero_le j), Nat.succ_le_succ hj, e⟩
      · obtain ⟨i, j, hij, hj, e⟩ := ih hxs (fun k => hlt (.cons h k))
        exact ⟨i + 1, j + 1, Nat.succ_le_succ hij, Nat.succ_le_succ hj, e⟩
where
  attained {s : Int} (x : Int) (ys : List Int) (h : ∀ y, y ∈ ys → x + y ≤ s) :
      (∃ j, j < ys.length ∧ s = x + entry ys j) ∨ ∀ y, y ∈ ys → x + y < s := by
    induction ys with
    | nil => exact .inr (fun y m => nomatch m)
    | cons y ys ih =>
      obtain ⟨hy, hys⟩ := forall_mem_cons h
      by_cases e : x + y = s
      · exact .inl ⟨0, Nat.succ_le_succ (Nat.zero_le _), e.symm⟩
      · rcases ih hys with ⟨j, hj, k⟩ | k
        · exact .inl ⟨j + 1, Nat.succ_le_succ hj, k⟩
        · refine .inr (fun z m => ?_)
          cases m with
          | head => exact Int.lt_of_le_of_ne hy e
          | tail _ m => exact k z m

/-- No sum of two entries exceeds what the scan returns. -/
theorem topTwoFrom_le (a b : Int) (xs : List Int) (hba : b ≤ a) :
    Pairwise (fun x y => x + y ≤ topTwoFrom a b xs) (a :: b :: xs) := by
  induction xs generalizing a b with
  | nil =>
    refine .cons (fun y m => ?_) (.cons (fun y m => nomatch m) .nil)
    cases m with
    | head => exact Int.le_refl _
    | tail _ m => exact nomatch m
  | cons x xs ih =>
    have symm : ∀ {s x y : Int}, x + y ≤ s → y + x ≤ s := fun h => by rw [Int.add_comm]; exact h
    by_cases h₁ : a < x
    · have e : topTwoFrom a b (x :: xs) = topTwoFrom x a xs := if_pos h₁
      rw [e]
      have ih := ih x a (Int.le_of_lt h₁)
      generalize topTwoFrom x a xs = s at *
      exact pairwise_swap symm (below hba (Int.le_trans hba (Int.le_of_lt h₁))
        (pairwise_swap symm ih))
    · have h₁ : x ≤ a := (Int.lt_or_ge a x).elim (fun k => absurd k h₁) id
      by_cases h₂ : b < x
      · have e : topTwoFrom a b (x :: xs) = topTwoFrom a x xs := (if_neg (Int.not_le_of_lt · h₁)).trans (if_pos h₂)
        rw [e]
        have ih := ih a x h₁
        generalize topTwoFrom a x xs = s at *
        exact pairwise_swap symm (below hba (Int.le_of_lt h₂) ih)
      · have h₂ : x ≤ b := (Int.lt_or_ge b x).elim (fun k => absurd k h₂) id
        have e : topTwoFrom a b (x :: xs) = topTwoFrom a b xs :=
          (if_neg (Int.not_le_of_lt · h₁)).trans (if_neg (Int.not_le_of_lt · h₂))
        rw [e]
        have ih := ih a b hba
        generalize topTwoFrom a b xs = s at *
        have k := below (c := x) h₁ h₂ ih
        cases k with
        | cons hx k => cases k with
          | cons ha k => cases k with
            | cons hb k =>
              obtain ⟨hxa, hx⟩ := forall_mem_cons hx
              obtain ⟨hxb, hx⟩ := forall_mem_cons hx
              obtain ⟨hab, ha⟩ := forall_mem_cons ha
              refine .cons (fun y m => ?_) (.cons (fun y m => ?_) (.cons hx k))
              · cases m with
                | head => exact hab
                | tail _ m => cases m with
                  | head => exact symm hxa
                  | tail _ m => exact ha y m
              · cases m with
                | head => exact symm hxb
                | tail _ m => exact hb y m
where
  /-- A value below the first two may be put in front. -/
  below {s a b c : Int} {l : List Int} (ha : c ≤ a) (hb : c ≤ b) (h : Pairwise (fun x y => x + y ≤ s) (a :: b :: l)) :
      Pairwise (fun x y => x + y ≤ s) (c :: a :: b :: l) := by
    refine .cons (fun y m => ?_) h
    cases h with
    | cons h₁ h => cases h with
      | cons h₂ h =>
        obtain ⟨hab, h₁⟩ := forall_mem_cons h₁
        cases m with
        | head => lin [hab, hb]
        | tail _ m => cases m with
          | head => lin [hab, ha]
          | tail _ m => lin [h₁ y m, ha]

/-- Some sum of two entries is what the scan returns. -/
theorem topTwoFrom_attained (a b : Int) (xs : List Int) :
    ¬ Pairwise (fun x y => x + y < topTwoFrom a b xs) (a :: b :: xs) := by
  have symm : ∀ {s x y : Int}, x + y < s → y + x < s := fun h => by rw [Int.add_comm]; exact h
  induction xs generalizing a b with
  | nil =>
    intro h
    cases h with
    | cons h _ => exact Int.lt_irrefl _ (h b (.head _))
  | cons x xs ih =>
    intro h
    have hbx : Pairwise (fun u v => u + v < topTwoFrom a b (x :: xs)) (a :: x :: xs) := pairwise_drop_second h
    by_cases h₁ : a < x
    · have e : topTwoFrom a b (x :: xs) = topTwoFrom x a xs := if_pos h₁
      rw [e] at hbx
      exact ih x a (pairwise_swap symm hbx)
    · by_cases h₂ : b < x
      · have e : topTwoFrom a b (x :: xs) = topTwoFrom a x xs := (if_neg h₁).trans (if_pos h₂)
        rw [e] at hbx
        exact ih a x hbx
      · have e : topTwoFrom a b (x :: xs) = topTwoFrom a b xs := (if_neg h₁).trans (if_neg h₂)
        rw [e] at h
        cases h with
        | cons ha h => cases h with
          | cons hb h =>
            obtain ⟨hab, ha⟩ := forall_mem_cons ha
            refine ih a b (.cons (fun y m => ?_) (.cons (forall_mem_cons hb).2 (pairwise_tail h)))
            cases m with
            | head => exact hab
            | tail _ m => exact (forall_mem_cons ha).2 y m

/-- `topTwo` is the largest sum of two entries at different indices. -/
theorem topTwo_spec {l : List Int} (hl : 2 ≤ l.length) :
    (∃ i j, i < j ∧ j < l.length ∧ topTwo l = entry l i + entry l j)
    ∧ ∀ i j, i < j → j < l.length → entry l i + entry l j ≤ topTwo l := by
  match l, hl with
  | [], hl => exact absurd hl (Nat.not_succ_le_zero 1)
  | [x], hl => exact absurd hl (Nat.not_le_of_lt .refl)
  | x :: y :: zs, _ =>
    have symm : ∀ {s x y : Int}, x + y ≤ s → y + x ≤ s := fun h => by rw [Int.add_comm]; exact h
    have symm' : ∀ {s x y : Int}, x + y < s → y + x < s := fun h => by rw [Int.add_comm]; exact h
    by_cases h : x < y
    · have e : topTwo (x :: y :: zs) = topTwoFrom y x zs := if_pos h
      rw [e]
      have hle := pairwise_swap symm (topTwoFrom_le y x zs (Int.le_of_lt h))
      exact ⟨exists_pair_sum hle (fun k => topTwoFrom_attained y x zs (pairwise_swap symm' k)), pairwise_iff_entry.mp hle⟩
    · have e : topTwo (x :: y :: zs) = topTwoFrom x y zs := if_neg h
      rw [e]
      have hle := topTwoFrom_le x y zs ((Int.lt_or_ge x y).elim (fun k => absurd k h) id)
      exact ⟨exists_pair_sum hle (topTwoFrom_attained x y zs), pairwise_iff_entry.mp hle⟩

end Gnosis

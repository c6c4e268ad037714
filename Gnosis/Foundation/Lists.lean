prelude
import Gnosis.Core
/-! # Further laws of lists: `map`, `flatMap`, interchange of sums -/
universe u v w

/-- Subtracting more leaves less. -/
theorem Nat.sub_le_sub_left {m n : Nat} (h : m ≤ n) (k : Nat) : k - n ≤ k - m := by
  induction h with
  | refl => exact .refl
  | step _ ih => exact Nat.le_trans (Nat.pred_le _) ih
/-- Subtracting too much leaves 0. -/
theorem Nat.sub_add_eq_zero (n k : Nat) : n - (n + k) = 0 := by
  induction k with
  | zero => exact Nat.sub_self n
  | succ k ih => exact congrArg Nat.pred ih

namespace List
variable {α : Type u} {β : Type v} {γ : Type w}

/-- The empty list adds nothing. -/
theorem append_nil (l : List α) : l ++ [] = l := by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg (a :: ·) ih

/-- Every entry of a constant list is the constant. -/
theorem eq_of_mem_replicate {n : Nat} {a b : α} (h : b ∈ replicate n a) : b = a := by
  induction n with
  | zero => exact nomatch h
  | succ n ih => cases h with
    | head => rfl
    | tail _ h => exact ih h

/-- A map of two lists one after the other. -/
theorem map_append (f : α → β) (k l : List α) : map f (k ++ l) = map f k ++ map f l := by
  induction k with
  | nil => rfl
  | cons a k ih => exact congrArg (f a :: ·) ih

/-- Functions that agree on the entries have the same map. -/
theorem map_congr {f g : α → β} {l : List α} (h : ∀ a, a ∈ l → f a = g a) : map f l = map g l := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons h
    show f a :: _ = g a :: _
    rw [h₁, ih h₂]

/-- A map goes into a `flatMap`. -/
theorem map_flatMap (f : β → γ) (g : α → List β) (l : List α) :
    map f (flatMap g l) = flatMap (fun a => map f (g a)) l := by
  induction l with
  | nil => rfl
  | cons a l ih => show map f (g a ++ flatMap g l) = _; rw [map_append, ih]; rfl

/-- A `flatMap` of a mapped list. -/
theorem flatMap_map (f : β → List γ) (g : α → β) (l : List α) :
    flatMap f (map g l) = flatMap (fun a => f (g a)) l := by
  induction l with
  | nil => rfl
  | cons a l ih => show f (g a) ++ flatMap f (map g l) = _; rw [ih]; rfl

/-- Functions that agree on the entries have the same `flatMap`. -/
theorem flatMap_congr {f g : α → List β} {l : List α} (h : ∀ a, a ∈ l → f a = g a) : flatMap f l = flatMap g l := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons h
    show f a ++ _ = g a ++ _
    rw [h₁, ih h₂]

/-- A sum of counts is a sum over the counted entries: both count the pairs for which `p a b` holds. -/
theorem sumOver_countP_comm (p : α → β → Bool) (k : List α) (l : List β) :
    sumOver (fun a => countP (p a) l) k = sumOver (fun b => countP (fun a => p a b) k) l := by
  induction k with
  | nil => exact ((sumOver_const 0 l).trans (Nat.mul_zero _)).symm
  | cons a k ih =>
    show countP (p a) l + _ = _
    rw [ih, ← Nat.mul_one (countP (p a) l), ← sumOver_cond, ← sumOver_add]
    exact sumOver_congr (fun b _ => by rw [countP_cons, Nat.add_comm])

/-- A property that implies another one has at most its count. -/
theorem countP_le_countP {p q : α → Bool} {l : List α} (h : ∀ a, a ∈ l → p a = true → q a = true) :
    countP p l ≤ countP q l := by
  have k := countP_le_add (p := p) (q := q) (r := fun _ => false) (l := l) (fun a m hp => .inl (h a m hp))
  rw [countP_false] at k; exact k

/-- A count is at most the length. -/
theorem countP_le_length (p : α → Bool) (l : List α) : countP p l ≤ l.length := by
  rw [← countP_add_countP_not p l]; exact Nat.le_add_right _ _

/-- A list that has `a` splits at `a`. -/
theorem exists_append_of_mem {a : α} {l : List α} (h : a ∈ l) : ∃ l₁ l₂, l = l₁ ++ a :: l₂ := by
  induction h with
  | head l => exact ⟨[], l, rfl⟩
  | tail b _ ih => obtain ⟨l₁, l₂, rfl⟩ := ih; exact ⟨b :: l₁, l₂, rfl⟩

/-- A list without repetition that is contained in `l` has, for every property, at most the count of `l`. -/
theorem countP_le_of_subset (q : α → Bool) {k l : List α} (d : Nodup k) (s : ∀ a, a ∈ k → a ∈ l) :
    countP q k ≤ countP q l := by
  induction k generalizing l with
  | nil => exact Nat.zero_le _
  | cons a k ih => cases d with
    | cons n d =>
      obtain ⟨s₁, s₂⟩ := forall_mem_cons s
      obtain ⟨l₁, l₂, rfl⟩ := exists_append_of_mem s₁
      have rest : countP q k ≤ countP q (l₁ ++ l₂) := ih d (fun b m => by
        rcases or_of_mem_append (s₂ b m) with h | h
        · exact mem_append_left _ h
        · cases h with
          | head => exact absurd rfl (n _ m)
          | tail _ h => exact mem_append_right _ h)
      rw [countP_append] at rest ⊢
      rw [countP_cons, countP_cons, ← Nat.add_assoc]
      exact Nat.add_le_add rest .refl

/-- An injective map of a list without repetition into itself only moves its entries around. -/
theorem countP_comp_of_injective {f : α → α} {l : List α} (d : Nodup l) (into : ∀ a, a ∈ l → f a ∈ l)
    (inj : ∀ a, a ∈ l → ∀ b, b ∈ l → f a = f b → a = b) (q : α → Bool) :
    countP (fun a => q (f a)) l = countP q l := by
  have d' : Nodup (map f l) := nodup_map_of_injOn d inj
  have s : ∀ b, b ∈ map f l → b ∈ l := fun b m => by
    obtain ⟨a, h, rfl⟩ := exists_of_mem_map m; exact into a h
  rw [← countP_map]
  refine Nat.le_antisymm (countP_le_of_subset q d' s) ?_
  have le := countP_le_of_subset (fun a => !q a) d' s
  have e₁ := countP_add_countP_not q (map f l)
  have e₂ := countP_add_countP_not q l
  rw [length_map] at e₁
  exact Nat.le_of_add_le_add_right (Nat.le_trans (Nat.add_le_add .refl le) (Nat.le_of_eq (e₂.trans e₁.symm)))
where
  nodup_map_of_injOn {f : α → α} {l : List α} (d : Nodup l) (inj : ∀ a, a ∈ l → ∀ b, b ∈ l → f a = f b → a = b) :
      Nodup (map f l) := by
    induction d with
    | nil => exact .nil
    | cons n _ ih =>
      obtain ⟨h₁, h₂⟩ := forall_mem_cons inj
      refine .cons (fun b m e => ?_) (ih (fun a ha b hb => h₂ a ha b (.tail _ hb)))
      obtain ⟨c, mc, rfl⟩ := exists_of_mem_map m
      exact n c mc (h₁ c (.tail _ mc) e)
end List

prelude
import Gnosis.Core.ListData
import Gnosis.Core.Auto
import Gnosis.Core.SimpLite
/-! # Lists: the laws

Membership, counting with `countP`, finite sums with `sumOver`, lists without repetition.
`countP_eq_zero_or_exists_best` is the argument by a least or greatest entry. -/
universe u v w

namespace List
variable {α : Type u} {β : Type v} {γ : Type w}

theorem length_append (k l : List α) : (k ++ l).length = k.length + l.length := by
  induction k with
  | nil => exact (Nat.zero_add _).symm
  | cons a k ih => show (k ++ l).length + 1 = _; rw [ih]; exact (Nat.succ_add _ _).symm
theorem length_map (f : α → β) (l : List α) : (map f l).length = l.length := by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg Nat.succ ih
theorem length_replicate {n : Nat} {a : α} : (replicate n a).length = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.succ ih
theorem map_map (g : β → γ) (f : α → β) (l : List α) : map g (map f l) = map (fun a => g (f a)) l := by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg (g (f a) :: ·) ih
theorem forall_mem_cons {p : α → Prop} {a : α} {l : List α} (h : ∀ b, b ∈ a :: l → p b) :
    p a ∧ ∀ b, b ∈ l → p b := ⟨h a (.head l), fun b k => h b (.tail a k)⟩
theorem or_of_mem_append {a : α} {k l : List α} (h : a ∈ k ++ l) : a ∈ k ∨ a ∈ l := by
  induction k with
  | nil => exact .inr h
  | cons b k ih =>
    cases h with
    | head => exact .inl (.head k)
    | tail _ h => exact (ih h).elim (fun m => .inl (.tail b m)) .inr
theorem exists_of_mem_map {f : α → β} {b : β} {l : List α} (h : b ∈ map f l) : ∃ a, a ∈ l ∧ f a = b := by
  induction l with
  | nil => nomatch h
  | cons a l ih =>
    cases h with
    | head => exact ⟨a, .head l, rfl⟩
    | tail _ h => obtain ⟨c, m, e⟩ := ih h; exact ⟨c, .tail a m, e⟩
theorem exists_of_mem_flatMap {f : α → List β} {b : β} {l : List α} (h : b ∈ flatMap f l) : ∃ a, a ∈ l ∧ b ∈ f a := by
  induction l with
  | nil => nomatch h
  | cons a l ih =>
    rcases or_of_mem_append h with h | h
    · exact ⟨a, .head l, h⟩
    · obtain ⟨c, m, e⟩ := ih h; exact ⟨c, .tail a m, e⟩

theorem all_eq_true {p : α → Bool} {l : List α} : all l p = true ↔ ∀ a, a ∈ l → p a = true := by
  constructor
  · intro h a m
    induction m with
    | head l => exact (Bool.and_eq_true_iff.mp h).left
    | tail _ _ ih => exact ih (Bool.and_eq_true_iff.mp h).right
  · intro h
    induction l with
    | nil => rfl
    | cons a l ih =>
      obtain ⟨h₁, h₂⟩ := forall_mem_cons h
      show (p a && all l p) = true
      rw [h₁, ih h₂]; rfl

-- counting
theorem countP_cons_of_pos {p : α → Bool} {a : α} (l : List α) (h : p a = true) :
    countP p (a :: l) = countP p l + 1 := by
  show cond (p a) _ _ = _; rw [h]; rfl
theorem countP_cons_of_neg {p : α → Bool} {a : α} (l : List α) (h : p a = false) :
    countP p (a :: l) = countP p l := by
  show cond (p a) _ _ = _; rw [h]; rfl
theorem countP_cons (p : α → Bool) (a : α) (l : List α) : countP p (a :: l) = countP p l + cond (p a) 1 0 := by
  show cond (p a) _ _ = _; cases p a with
  | true => rfl
  | false => rfl
theorem countP_append (p : α → Bool) (k l : List α) : countP p (k ++ l) = countP p k + countP p l := by
  induction k with
  | nil => exact (Nat.zero_add _).symm
  | cons a k ih =>
    show countP p (a :: (k ++ l)) = _
    rw [countP_cons, countP_cons, ih, Nat.add_right_comm]
theorem countP_map (p : β → Bool) (f : α → β) (l : List α) : countP p (map f l) = countP (fun a => p (f a)) l := by
  induction l with
  | nil => rfl
  | cons a l ih => show countP p (f a :: map f l) = _; rw [countP_cons, countP_cons, ih]
theorem countP_flatMap (p : β → Bool) (f : α → List β) (l : List α) :
    countP p (flatMap f l) = sumOver (fun a => countP p (f a)) l := by
  induction l with
  | nil => rfl
  | cons a l ih => show countP p (f a ++ flatMap f l) = _; rw [countP_append, ih]; rfl
theorem length_flatMap (f : α → List β) (l : List α) : (flatMap f l).length = sumOver (fun a => (f a).length) l := by
  induction l with
  | nil => rfl
  | cons a l ih => show (f a ++ flatMap f l).length = _; rw [length_append, ih]; rfl
theorem countP_congr {p q : α → Bool} {l : List α} (h : ∀ a, a ∈ l → p a = q a) : countP p l = countP q l := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons h
    rw [countP_cons, countP_cons, h₁, ih h₂]
theorem countP_true (l : List α) : countP (fun _ => true) l = l.length := by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg Nat.succ ih
theorem countP_eq_length_of_forall {p : α → Bool} {l : List α} (h : ∀ a, a ∈ l → p a = true) :
    countP p l = l.length := (countP_congr h).trans (countP_true l)
theorem countP_false (l : List α) : countP (fun _ => false) l = 0 := by
  induction l with
  | nil => rfl
  | cons a l ih => exact ih
/-- Properties that exclude each other: the counts add up to at most the length. -/
theorem countP_add_le_length {p q : α → Bool} {l : List α} (h : ∀ a, a ∈ l → p a = true → q a = false) :
    countP p l + countP q l ≤ l.length := by
  induction l with
  | nil => exact .refl
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons h
    have ih := ih h₂
    rw [countP_cons, countP_cons]
    show _ ≤ l.length + 1
    cases hp : p a with
    | true =>
      rw [h₁ hp]
      dsimp only [cond]; nat_lin [ih]
    | false =>
      cases q a with
      | true => dsimp only [cond]; nat_lin [ih]
      | false => dsimp only [cond]; nat_lin [ih]
/-- A property covered by two others: its count is at most the sum of theirs. -/
theorem countP_le_add {p q r : α → Bool} {l : List α} (h : ∀ a, a ∈ l → p a = true → q a = true ∨ r a = true) :
    countP p l ≤ countP q l + countP r l := by
  induction l with
  | nil => exact .refl
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons h
    have ih := ih h₂
    rw [countP_cons, countP_cons, countP_cons]
    have key : cond (p a) 1 0 ≤ cond (q a) 1 0 + cond (r a) 1 0 := by
      cases hp : p a with
      | false => exact Nat.zero_le _
      | true =>
        rcases h₁ hp with e | e <;> rw [e]
        · exact Nat.le_add_right _ _
        · exact Nat.le_add_left _ _
    nat_lin [ih, key]
theorem countP_add_countP_not (p : α → Bool) (l : List α) : countP p l + countP (fun a => !p a) l = l.length := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    rw [countP_cons, countP_cons]
    show _ = l.length + 1
    rw [← ih]
    generalize countP (fun a => !p a) l = c
    cases p a with
    | true => show countP p l + 1 + (c + 0) = _; nat_ring
    | false => show countP p l + 0 + (c + 1) = _; nat_ring
/-- A property that holds of at most one value is counted at most once in a list without duplicates. -/
theorem countP_le_one {p : α → Bool} {l : List α} (d : Nodup l) (h : ∀ a b, p a = true → p b = true → a = b) :
    countP p l ≤ 1 := by
  induction l with
  | nil => exact Nat.zero_le 1
  | cons a l ih =>
    cases d with
    | cons n d =>
      rw [countP_cons]
      cases hp : p a with
      | false => exact ih d
      | true =>
        have e : countP p l = countP (fun _ => false) l := countP_congr (fun b hb => by
          cases hq : p b with
          | false => rfl
          | true => exact absurd (h a b hp hq) (n b hb))
        rw [e, countP_false]; exact .refl
/-- Where `p` holds at all, it holds of an entry that is best for a total preorder `r`. -/
theorem countP_eq_zero_or_exists_best {r : α → α → Prop} (total : ∀ a b, r a b ∨ r b a)
    (trans : ∀ {a b c}, r a b → r b c → r a c) (p : α → Bool) (l : List α) :
    countP p l = 0 ∨ ∃ x, x ∈ l ∧ p x = true ∧ ∀ y, y ∈ l → p y = true → r x y := by
  induction l with
  | nil => exact .inl rfl
  | cons a l ih =>
    have refl : r a a := (total a a).elim id id
    cases hp : p a with
    | false =>
      rw [countP_cons_of_neg l hp]
      rcases ih with ih | ⟨x, m, px, hx⟩
      · exact .inl ih
      · refine .inr ⟨x, .tail a m, px, fun y hy py => ?_⟩
        cases hy with
        | head => rw [hp] at py; contradiction
        | tail _ hy => exact hx y hy py
    | true =>
      rcases ih with ih | ⟨x, m, px, hx⟩
      · refine .inr ⟨a, .head l, hp, fun y hy py => ?_⟩
        cases hy with
        | head => exact refl
        | tail _ hy =>
          exact absurd ih (countP_ne_zero hy py)
      · rcases total a x with g | g
        · refine .inr ⟨a, .head l, hp, fun y hy py => ?_⟩
          cases hy with
          | head => exact refl
          | tail _ hy => exact trans g (hx y hy py)
        · refine .inr ⟨x, .tail a m, px, fun y hy py => ?_⟩
          cases hy with
          | head => exact g
          | tail _ hy => exact hx y hy py
where
  countP_ne_zero {p : α → Bool} {y : α} {l : List α} (hy : y ∈ l) (py : p y = true) : countP p l ≠ 0 := by
    induction hy with
    | head l => rw [countP_cons_of_pos l py]; exact fun e => nomatch e
    | tail b hy ih =>
      rw [countP_cons]
      intro e
      cases h : p b with
      | true => rw [h] at e; exact nomatch e
      | false => rw [h] at e; exact ih e

-- sums
theorem sumOver_congr {f g : α → Nat} {l : List α} (h : ∀ a, a ∈ l → f a = g a) : sumOver f l = sumOver g l := by
  induction l with
  | nil => rfl
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons h
    show f a + _ = g a + _
    rw [h₁, ih h₂]
theorem sumOver_le {f g : α → Nat} {l : List α} (h : ∀ a, a ∈ l → f a ≤ g a) : sumOver f l ≤ sumOver g l := by
  induction l with
  | nil => exact .refl
  | cons a l ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons h
    exact Nat.add_le_add h₁ (ih h₂)
theorem sumOver_add (f g : α → Nat) (l : List α) : sumOver (fun a => f a + g a) l = sumOver f l + sumOver g l := by
  induction l with
  | nil => rfl
  | cons a l ih => show f a + g a + _ = f a + _ + (g a + _); rw [ih]; nat_ring
theorem mul_sumOver (c : Nat) (f : α → Nat) (l : List α) : c * sumOver f l = sumOver (fun a => c * f a) l := by
  induction l with
  | nil => rfl
  | cons a l ih => show c * (f a + _) = c * f a + _; rw [Nat.left_distrib, ih]
theorem sumOver_mul (f : α → Nat) (c : Nat) (l : List α) : sumOver f l * c = sumOver (fun a => f a * c) l := by
  induction l with
  | nil => exact Nat.zero_mul c
  | cons a l ih => show (f a + _) * c = f a * c + _; rw [Nat.right_distrib, ih]
theorem sumOver_map (f : β → Nat) (g : α → β) (l : List α) : sumOver f (map g l) = sumOver (fun a => f (g a)) l := by
  induction l with
  | nil => rfl
  | cons a l ih => exact congrArg (f (g a) + ·) ih
theorem sumOver_const (c : Nat) (l : List α) : sumOver (fun _ => c) l = l.length * c := by
  induction l with
  | nil => exact (Nat.zero_mul c).symm
  | cons a l ih => show c + _ = (l.length + 1) * c; rw [ih]; nat_ring
theorem length_flatMap_of_forall {f : α → List β} {n : Nat} {l : List α} (h : ∀ a, a ∈ l → (f a).length = n) :
    (flatMap f l).length = l.length * n :=
  (length_flatMap f l).trans ((sumOver_congr h).trans (sumOver_const n l))
theorem sumOver_cond (p : α → Bool) (c : Nat) (l : List α) :
    sumOver (fun a => cond (p a) c 0) l = countP p l * c := by
  induction l with
  | nil => exact (Nat.zero_mul c).symm
  | cons a l ih =>
    show cond (p a) c 0 + _ = _
    rw [ih, countP_cons]
    cases p a with
    | true => dsimp only [cond]; nat_ring
    | false => dsimp only [cond]; nat_ring

-- no duplicates
theorem mem_append_left {a : α} {k : List α} (l : List α) (h : a ∈ k) : a ∈ k ++ l := by
  induction h with
  | head k => exact .head (k ++ l)
  | tail b _ ih => exact .tail b ih
theorem mem_append_right {a : α} (k : List α) {l : List α} (h : a ∈ l) : a ∈ k ++ l := by
  induction k with
  | nil => exact h
  | cons b k ih => exact .tail b ih
theorem mem_map_of_mem (f : α → β) {a : α} {l : List α} (h : a ∈ l) : f a ∈ map f l := by
  induction h with
  | head l => exact .head (map f l)
  | tail b _ ih => exact .tail (f b) ih
theorem mem_flatMap_of_mem {f : α → List β} {a : α} {b : β} {l : List α} (h : a ∈ l) (k : b ∈ f a) :
    b ∈ flatMap f l := by
  induction h with
  | head l => exact mem_append_left _ k
  | tail c _ ih => exact mem_append_right _ ih
theorem exists_mem_of_countP_ne_zero {p : α → Bool} {l : List α} (h : countP p l ≠ 0) : ∃ a, a ∈ l ∧ p a = true := by
  induction l with
  | nil => contradiction
  | cons a l ih =>
    cases hp : p a with
    | true => exact ⟨a, .head l, hp⟩
    | false =>
      rw [countP_cons_of_neg l hp] at h
      obtain ⟨b, m, e⟩ := ih h
      exact ⟨b, .tail a m, e⟩
theorem nodup_append {k l : List α} (hk : Nodup k) (hl : Nodup l) (d : ∀ a, a ∈ k → a ∉ l) : Nodup (k ++ l) := by
  induction k with
  | nil => exact hl
  | cons a k ih =>
    cases hk with
    | cons n hk =>
      obtain ⟨d₁, d₂⟩ := forall_mem_cons d
      refine .cons (fun b m e => ?_) (ih hk d₂)
      rcases or_of_mem_append m with m | m
      · exact n b m e
      · exact d₁ (by rw [e]; exact m)
theorem nodup_map {f : α → β} (inj : ∀ a b, f a = f b → a = b) {l : List α} (h : Nodup l) : Nodup (map f l) := by
  induction h with
  | nil => exact .nil
  | cons n _ ih =>
    refine .cons (fun b m e => ?_) ih
    obtain ⟨c, mc, rfl⟩ := exists_of_mem_map m
    exact n c mc (inj _ _ e)
theorem pairwise_of_map {f : α → β} {r : β → β → Prop} {l : List α} (h : Pairwise r (map f l)) :
    Pairwise (fun a b => r (f a) (f b)) l := by
  induction l with
  | nil => exact .nil
  | cons a l ih => cases h with
    | cons n h => exact .cons (fun b m => n (f b) (mem_map_of_mem f m)) (ih h)
theorem Pairwise.imp {r s : α → α → Prop} (h : ∀ a b, r a b → s a b) {l : List α} (p : Pairwise r l) : Pairwise s l := by
  induction p with
  | nil => exact .nil
  | cons n _ ih => exact .cons (fun b m => h _ b (n b m)) ih
theorem nodup_flatMap {f : α → List β} {l : List α} (h : ∀ a, a ∈ l → Nodup (f a))
    (d : Pairwise (fun a b => ∀ x, x ∈ f a → x ∉ f b) l) : Nodup (flatMap f l) := by
  induction d with
  | nil => exact .nil
  | cons n _ ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons h
    refine nodup_append h₁ (ih h₂) (fun x m m' => ?_)
    obtain ⟨c, mc, mx⟩ := exists_of_mem_flatMap m'
    exact n c mc x m mx
end List

prelude
import Gnosis.Core.Bool
/-! # Natural numbers: the laws of arithmetic and order

By induction, without automation; `Gnosis.Core.Ring` builds the automation on them.  Names follow `Init`; not there are
`exists_of_le`, `le_of_add`. -/
universe u v

-- goals of `induction` and `cases` show `0` and `n + 1`
@[induction_eliminator] protected noncomputable def Nat.recAux {motive : Nat → Sort u} (zero : motive 0)
    (succ : ∀ n, motive n → motive (n + 1)) (t : Nat) : motive t := t.rec zero succ
@[cases_eliminator] protected noncomputable def Nat.casesAuxOn {motive : Nat → Sort u} (t : Nat) (zero : motive 0)
    (succ : ∀ n, motive (n + 1)) : motive t := t.casesOn zero succ

namespace Nat
theorem add_zero (n : Nat) : n + 0 = n := rfl
theorem add_succ (n m : Nat) : n + (m + 1) = n + m + 1 := rfl
theorem zero_add (n : Nat) : 0 + n = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg succ ih
theorem succ_add (n m : Nat) : (n + 1) + m = n + m + 1 := by
  induction m with
  | zero => rfl
  | succ m ih => exact congrArg succ ih
theorem add_comm (n m : Nat) : n + m = m + n := by
  induction m with
  | zero => exact (zero_add n).symm
  | succ m ih => exact (congrArg succ ih).trans (succ_add m n).symm
theorem add_assoc (a b c : Nat) : a + b + c = a + (b + c) := by
  induction c with
  | zero => rfl
  | succ c ih => exact congrArg succ ih
theorem add_left_comm (a b c : Nat) : a + (b + c) = b + (a + c) := by
  rw [← add_assoc, add_comm a b, add_assoc]
theorem add_right_comm (a b c : Nat) : a + b + c = a + c + b := by
  rw [add_assoc, add_comm b c, ← add_assoc]
theorem add_left_cancel {a b c : Nat} (h : a + b = a + c) : b = c := by
  induction a with
  | zero => rw [zero_add, zero_add] at h; exact h
  | succ a ih => rw [succ_add, succ_add] at h; injection h with h; exact ih h
theorem add_right_cancel {a b c : Nat} (h : a + c = b + c) : a = b := by
  rw [add_comm a, add_comm b] at h; exact add_left_cancel h
theorem mul_zero (n : Nat) : n * 0 = 0 := rfl
theorem mul_succ (n m : Nat) : n * (m + 1) = n * m + n := rfl
theorem zero_mul (n : Nat) : 0 * n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact ih
theorem succ_mul (n m : Nat) : (n + 1) * m = n * m + m := by
  induction m with
  | zero => rfl
  | succ m ih => rw [mul_succ, ih, mul_succ, ← add_assoc, ← add_assoc, add_right_comm (n * m) m n]
theorem mul_comm (n m : Nat) : n * m = m * n := by
  induction m with
  | zero => exact (zero_mul n).symm
  | succ m ih => rw [mul_succ, succ_mul, ih]
theorem mul_one (n : Nat) : n * 1 = n := zero_add n
theorem one_mul (n : Nat) : 1 * n = n := by rw [mul_comm, mul_one]
theorem left_distrib (a b c : Nat) : a * (b + c) = a * b + a * c := by
  induction c with
  | zero => rfl
  | succ c ih => rw [add_succ, mul_succ, ih, mul_succ, add_assoc]
theorem right_distrib (a b c : Nat) : (a + b) * c = a * c + b * c := by
  rw [mul_comm, left_distrib, mul_comm c a, mul_comm c b]
theorem mul_assoc (a b c : Nat) : a * b * c = a * (b * c) := by
  induction c with
  | zero => rfl
  | succ c ih => rw [mul_succ, ih, mul_succ, left_distrib]
theorem mul_left_comm (a b c : Nat) : a * (b * c) = b * (a * c) := by
  rw [← mul_assoc, mul_comm a b, mul_assoc]
theorem le_refl (n : Nat) : n ≤ n := .refl
theorem le_succ (n : Nat) : n ≤ (n + 1) := .step .refl
theorem le_add_right (n k : Nat) : n ≤ n + k := by
  induction k with
  | zero => exact .refl
  | succ k ih => exact .step ih
theorem le_add_left (n k : Nat) : n ≤ k + n := by rw [add_comm]; exact le_add_right n k
theorem exists_of_le {n m : Nat} (h : n ≤ m) : ∃ k, m = n + k := by
  induction h with
  | refl => exact ⟨0, rfl⟩
  | step _ ih =>
    obtain ⟨k, hk⟩ := ih
    exact ⟨(k + 1), congrArg succ hk⟩
theorem le_of_add {n m k : Nat} (h : m = n + k) : n ≤ m := by rw [h]; exact le_add_right n k
theorem add_le_add {a b c d : Nat} (h : a ≤ b) (k : c ≤ d) : a + c ≤ b + d := by
  obtain ⟨x, hx⟩ := exists_of_le h
  obtain ⟨y, hy⟩ := exists_of_le k
  subst hx hy
  exact le_of_add (k := x + y) (by rw [add_assoc, add_assoc, add_left_comm x])
theorem le_of_add_le_add_right {a b c : Nat} (h : a + c ≤ b + c) : a ≤ b := by
  obtain ⟨x, hx⟩ := exists_of_le h
  rw [add_right_comm] at hx
  exact le_of_add (add_right_cancel hx)
theorem mul_le_mul_left {a b : Nat} (c : Nat) (h : a ≤ b) : c * a ≤ c * b := by
  obtain ⟨x, hx⟩ := exists_of_le h
  rw [hx, left_distrib]; exact le_add_right _ _
theorem le_antisymm {a b : Nat} (h : a ≤ b) (k : b ≤ a) : a = b := by
  obtain ⟨x, hx⟩ := exists_of_le h
  obtain ⟨y, hy⟩ := exists_of_le k
  subst hx
  rw [add_assoc] at hy
  cases x with
  | zero => rfl
  | succ x => 
    have h0 : a + 0 = a + ((x + 1) + y) := hy
    have h1 := add_left_cancel h0
    rw [succ_add] at h1
    contradiction
theorem le_total (a b : Nat) : a ≤ b ∨ b ≤ a := by
  induction a with
  | zero => left; exact zero_le b
  | succ a ih =>
    rcases ih with h | h
    · obtain ⟨x, hx⟩ := exists_of_le h
      cases x with
      | zero => subst hx; right; exact le_succ _
      | succ x => left; rw [hx, add_succ]; exact succ_le_succ (le_add_right _ _)
    · right; exact .step h
theorem not_le_of_lt {a b : Nat} (h : a < b) : ¬ b ≤ a := by
  intro k
  obtain ⟨x, hx⟩ := exists_of_le (Nat.le_trans h k)
  rw [succ_add, ← add_succ] at hx
  have := add_left_cancel (b := 0) hx
  contradiction
theorem lt_of_not_le {a b : Nat} (h : ¬ b ≤ a) : a < b := by
  rcases le_total a b with k | k
  · obtain ⟨x, hx⟩ := exists_of_le k
    cases x with
    | zero => exact absurd (by rw [hx]; exact .refl) h
    | succ x => rw [hx]; exact succ_le_succ (le_add_right _ _)
  · exact absurd k h
theorem succ_sub_succ (m n : Nat) : (m + 1) - (n + 1) = m - n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.pred ih
theorem sub_self (n : Nat) : n - n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => rw [succ_sub_succ, ih]
theorem zero_sub (n : Nat) : 0 - n = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.pred ih
theorem lt_irrefl (n : Nat) : ¬ n < n := fun h => not_le_of_lt h .refl
theorem le_of_eq {a b : Nat} (h : a = b) : a ≤ b := by rw [h]; exact .refl
theorem lt_or_ge (a b : Nat) : a < b ∨ b ≤ a := by
  by_cases h : b ≤ a
  · exact .inr h
  · exact .inl (lt_of_not_le h)
theorem lt_of_lt_of_le {a b c : Nat} (h : a < b) (k : b ≤ c) : a < c := Nat.le_trans h k
theorem lt_of_le_of_lt {a b c : Nat} (h : a ≤ b) (k : b < c) : a < c := Nat.le_trans (succ_le_succ h) k
theorem add_sub_cancel_left (m k : Nat) : (m + k) - m = k := by
  induction m with
  | zero => exact Nat.zero_add k
  | succ m ih => rw [Nat.succ_add]; exact (Nat.succ_sub_succ _ _).trans ih
theorem add_sub_cancel (m k : Nat) : (m + k) - k = m := by rw [Nat.add_comm, add_sub_cancel_left]
theorem le_sub_of_add_le {a b c : Nat} (h : a + b ≤ c) : a ≤ c - b := by
  obtain ⟨d, rfl⟩ := exists_of_le h
  have e : a + b + d - b = a + d := by rw [add_right_comm, add_sub_cancel]
  rw [e]; exact le_add_right a d
theorem eq_sub_of_add_eq {a b c : Nat} (h : a + b = c) : a = c - b := by rw [← h, add_sub_cancel]
/-- A smaller number leaves a remainder: `b = a + (b - a)`. -/
theorem add_sub_of_le {a b : Nat} (h : a ≤ b) : a + (b - a) = b := by
  obtain ⟨d, rfl⟩ := exists_of_le h
  rw [add_sub_cancel_left]
theorem add_le_add_left {a b : Nat} (h : a ≤ b) (c : Nat) : c + a ≤ c + b := add_le_add .refl h
theorem add_le_add_right {a b : Nat} (h : a ≤ b) (c : Nat) : a + c ≤ b + c := add_le_add h .refl
theorem le_of_add_le_add_left {a b c : Nat} (h : a + b ≤ a + c) : b ≤ c := by
  rw [add_comm a b, add_comm a c] at h; exact le_of_add_le_add_right h
theorem add_pos_left {m : Nat} (h : 0 < m) (n : Nat) : 0 < m + n := Nat.le_trans h (le_add_right m n)
theorem mul_le_mul_right {a b : Nat} (c : Nat) (h : a ≤ b) : a * c ≤ b * c := by
  rw [mul_comm a, mul_comm b]; exact mul_le_mul_left c h
theorem mul_le_mul {a b c d : Nat} (h : a ≤ c) (k : b ≤ d) : a * b ≤ c * d :=
  Nat.le_trans (mul_le_mul_right b h) (mul_le_mul_left c k)
theorem mul_pos {m n : Nat} (hm : 0 < m) (hn : 0 < n) : 0 < m * n := mul_le_mul (a := 1) (b := 1) hm hn
theorem le_of_mul_le_mul_left {a b c : Nat} (h : c * a ≤ c * b) (hc : 0 < c) : a ≤ b :=
  (lt_or_ge b a).elim (fun k => absurd (Nat.le_trans (mul_le_mul_left c k) h)
    (not_le_of_lt (add_le_add_left hc (c * b)))) id
theorem le_of_mul_le_mul_right {a b c : Nat} (h : a * c ≤ b * c) (hc : 0 < c) : a ≤ b := by
  rw [mul_comm a, mul_comm b] at h; exact le_of_mul_le_mul_left h hc
theorem beq_eq_true_iff {m n : Nat} : Nat.beq m n = true ↔ m = n :=
  ⟨eq_of_beq_eq_true m n, fun h => by rw [h]; exact beq_refl n⟩
end Nat

instance : Trans (α := Nat) (β := Nat) (γ := Nat) LE.le LE.le LE.le := ⟨Nat.le_trans⟩

prelude
import Gnosis.Core.Int
/-! # Order of the integers

Names follow `Init`; not there are `nonneg_iff`, `le_iff`, which say that an inequality is a natural number to be
added.  Bounded statements about natural numbers are decidable. -/
namespace Int
theorem nonneg_iff (x : Int) : 0 ≤ x ↔ ∃ n : Nat, x = ofNat n := by
  have e : x - 0 = x := by ring [x]
  constructor
  · intro h
    have h : NonNeg (x - 0) := h
    rw [e] at h
    cases h with
    | mk n => exact ⟨n, rfl⟩
  · intro ⟨n, hn⟩
    show NonNeg (x - 0)
    rw [e, hn]; exact ⟨n⟩
theorem le_iff (x y : Int) : x ≤ y ↔ ∃ n : Nat, y = x + ofNat n := by
  have e : y = x + (y - x) := by ring [x, y]
  constructor
  · intro h
    have h : NonNeg (y - x) := h
    generalize hd : y - x = d at *
    cases h with
    | mk n => exact ⟨n, e⟩
  · intro ⟨n, hn⟩
    show NonNeg (y - x)
    have : y - x = ofNat n := by rw [hn]; ring [x, ofNat n]
    rw [this]; exact ⟨n⟩
theorem le_refl (x : Int) : x ≤ x := (le_iff x x).mpr ⟨0, (Int.add_zero x).symm⟩
theorem le_of_eq {x y : Int} (h : x = y) : x ≤ y := by rw [h]; exact le_refl y
theorem le_trans {x y z : Int} (h : x ≤ y) (k : y ≤ z) : x ≤ z := by
  obtain ⟨a, rfl⟩ := (le_iff x y).mp h
  obtain ⟨b, rfl⟩ := (le_iff _ z).mp k
  exact (le_iff _ _).mpr ⟨a + b, by rw [ofNat_add, Int.add_assoc]⟩
theorem add_le_add {x y z w : Int} (h : x ≤ y) (k : z ≤ w) : x + z ≤ y + w := by
  obtain ⟨a, rfl⟩ := (le_iff x y).mp h
  obtain ⟨b, rfl⟩ := (le_iff z w).mp k
  exact (le_iff _ _).mpr ⟨a + b, by rw [ofNat_add]; ring [x, z, ofNat a, ofNat b]⟩
theorem add_nonneg {x y : Int} (h : 0 ≤ x) (k : 0 ≤ y) : 0 ≤ x + y := add_le_add h k
theorem mul_nonneg {x y : Int} (h : 0 ≤ x) (k : 0 ≤ y) : 0 ≤ x * y := by
  obtain ⟨a, rfl⟩ := (nonneg_iff x).mp h
  obtain ⟨b, rfl⟩ := (nonneg_iff y).mp k
  exact (nonneg_iff _).mpr ⟨a * b, rfl⟩
theorem sq_nonneg (x : Int) : 0 ≤ x * x := by
  cases x with
  | ofNat n => exact (nonneg_iff _).mpr ⟨n * n, rfl⟩
  | negSucc n => exact (nonneg_iff _).mpr ⟨(n + 1) * (n + 1), rfl⟩
theorem le_of_sub_nonneg {x y : Int} (h : 0 ≤ y - x) : x ≤ y := by
  obtain ⟨n, hn⟩ := (nonneg_iff _).mp h
  exact (le_iff _ _).mpr ⟨n, by rw [← hn]; ring [x, y]⟩
theorem sub_nonneg_of_le {x y : Int} (h : x ≤ y) : 0 ≤ y - x := by
  obtain ⟨n, rfl⟩ := (le_iff x y).mp h
  exact (nonneg_iff _).mpr ⟨n, by ring [x, ofNat n]⟩
theorem le_total (x y : Int) : x ≤ y ∨ y ≤ x := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  obtain ⟨c, d, rfl⟩ := exists_subNatNat y
  rcases Nat.le_total (a + d) (c + b) with h | h
  · left; exact (subNatNat_le _ _ _ _).mpr h
  · right; exact (subNatNat_le _ _ _ _).mpr h
theorem le_antisymm {x y : Int} (h : x ≤ y) (k : y ≤ x) : x = y := by
  obtain ⟨a, b, rfl⟩ := exists_subNatNat x
  obtain ⟨c, d, rfl⟩ := exists_subNatNat y
  exact subNatNat_eq (Nat.le_antisymm ((subNatNat_le _ _ _ _).mp h) ((subNatNat_le _ _ _ _).mp k))
theorem mul_le_mul_of_nonneg_left {x y z : Int} (h : x ≤ y) (k : 0 ≤ z) : z * x ≤ z * y := by
  apply le_of_sub_nonneg
  have e : z * y - z * x = z * (y - x) := by ring [x, y, z]
  rw [e]; exact mul_nonneg k (sub_nonneg_of_le h)
end Int
instance : Trans (α := Int) (β := Int) (γ := Int) LE.le LE.le LE.le := ⟨Int.le_trans⟩

-- bounded statements are decidable
noncomputable instance Nat.decBall (n : Nat) (p : Nat → Prop) [DecidablePred p] : Decidable (∀ x, x < n → p x) := by
  induction n with
  | zero => exact isTrue (fun x h => absurd h (Nat.not_succ_le_zero x))
  | succ n ih =>
    cases ih with
    | isFalse h => exact isFalse (fun k => h (fun x hx => k x (.step hx)))
    | isTrue h =>
      by_cases hn : p n
      · exact isTrue (fun x hx => by
          cases hx with
          | refl => exact hn
          | step hx => exact h x hx)
      · exact isFalse (fun k => hn (k n .refl))

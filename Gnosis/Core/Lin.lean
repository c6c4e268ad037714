prelude
import Gnosis.Core.Order
/-! # What linear arithmetic needs: `<`, sums of inequalities, casts of natural numbers

The tactics themselves, `lin` and `nat_lin`, are in `Gnosis.Core.Auto`. -/

namespace Int
theorem ofNat_nonneg (n : Nat) : 0 ≤ ofNat n := (nonneg_iff _).mpr ⟨n, rfl⟩
/-- `a ≤ b` because `b - a` is `y - x`, for some `x ≤ y` (usually a sum of hypotheses). -/
theorem le_of_lin {a b x y : Int} (h : x ≤ y) (e : b - a = y - x) : a ≤ b := by
  apply le_of_sub_nonneg; rw [e]; exact sub_nonneg_of_le h
theorem false_of_lin {x y : Int} (h : x ≤ y) (k : Nat) (e : x = y + ofNat (k + 1)) : False := by
  obtain ⟨n, hn⟩ := (le_iff x y).mp h
  have e0 : ofNat (k + 1 + n) = 0 := by
    have : x = x + ofNat (k + 1 + n) := by
      rw [ofNat_add, ← Int.add_assoc, Int.add_comm x, Int.add_assoc, ← hn, Int.add_comm]; exact e
    have h2 : x + -x = x + ofNat (k + 1 + n) + -x := congrArg (fun z => z + -x) this
    rw [Int.add_neg] at h2
    rw [h2]; ring [x, ofNat (k + 1 + n)]
  injection e0 with e0
  rw [Nat.succ_add] at e0
  contradiction
theorem lt_or_ge (x y : Int) : x < y ∨ y ≤ x := by
  by_cases h : y ≤ x
  · exact .inr h
  · left
    rcases le_total x y with k | k
    · obtain ⟨n, rfl⟩ := (le_iff x y).mp k
      cases n with
      | zero => exact absurd (by show x + 0 ≤ x; rw [Int.add_zero]; exact le_refl x) h
      | succ n => exact le_of_lin (ofNat_nonneg n) (by rw [ofNat_add]; show _ = ofNat n - 0; ring [x, ofNat n])
    · exact absurd k h
theorem not_le_of_lt {x y : Int} (h : x < y) (k : y ≤ x) : False :=
  false_of_lin (Int.add_le_add h k) 0 (by show x + 1 + y = y + x + 1; ring [x, y])
theorem lt_irrefl (x : Int) (h : x < x) : False := not_le_of_lt h (le_refl x)
theorem lt_of_not_le {x y : Int} (h : ¬ y ≤ x) : x < y := (lt_or_ge x y).elim id (fun k => absurd k h)
theorem le_of_lt {x y : Int} (h : x < y) : x ≤ y := le_trans (le_of_lin (ofNat_nonneg 1) (by show x + 1 - x = 1 - 0; ring [x])) h
theorem lt_of_lt_of_le {x y z : Int} (h : x < y) (k : y ≤ z) : x < z := le_trans h k
theorem lt_of_le_of_lt {x y z : Int} (h : x ≤ y) (k : y < z) : x < z := le_trans (add_le_add h (le_refl 1)) k
theorem lt_of_le_of_ne {x y : Int} (h : x ≤ y) (k : x ≠ y) : x < y :=
  (lt_or_ge x y).elim id (fun g => absurd (le_antisymm h g) k)
theorem ofNat_le {m n : Nat} : (m : Int) ≤ n ↔ m ≤ n := by
  rw [← subNatNat_zero m, ← subNatNat_zero n]; exact subNatNat_le m 0 n 0
/-- Comparing natural numbers as integers is comparing them. -/
theorem decide_ofNat_le (m n : Nat) : decide (ofNat m ≤ ofNat n) = Nat.ble m n := by
  cases h : Nat.ble m n with
  | true => exact decide_eq_true (ofNat_le.mpr (Nat.le_of_ble_eq_true h))
  | false => exact decide_eq_false fun k => nomatch h.symm.trans (Nat.ble_eq_true_of_le (ofNat_le.mp k))
theorem ofNat_pos {n : Nat} : (0 : Int) < n ↔ 0 < n := ofNat_le (m := 1)
theorem le_of_mul_le_mul_left {a b c : Int} (h : a * b ≤ a * c) (ha : 0 < a) : b ≤ c :=
  (lt_or_ge c b).elim (fun k => (false_of_lin (Int.add_le_add (Int.add_le_add h ha)
    (mul_le_mul_of_nonneg_left k (le_of_lt ha))) 0
      (by show a * b + (0 + 1) + a * (c + 1) = a * c + a + a * b + 1; ring [a, b, c])).elim) id
end Int

prelude
import Gnosis.Core.Auto
/-! Division with remainder of integers, rounding down for a positive divisor (Euclidean, as in `Init`),
and even integers. -/
set_option linter.all false

namespace Nat
theorem fuel_spec (m : Nat) : (f n : Nat) → m * divFuel m f n + modFuel m f n = n
  | 0, n => Nat.zero_add n
  | f + 1, n => by
    show m * (match Nat.ble m n with | true => Nat.succ (divFuel m f (n - m)) | false => 0)
      + (match Nat.ble m n with | true => modFuel m f (n - m) | false => n) = n
    cases h : Nat.ble m n with
    | true =>
      obtain ⟨k, rfl⟩ := exists_of_le (le_of_ble_eq_true h)
      have ih := fuel_spec m f (m + k - m)
      rw [add_sub_cancel_left] at ih
      show m * Nat.succ (divFuel m f (m + k - m)) + modFuel m f (m + k - m) = m + k
      rw [add_sub_cancel_left, Nat.mul_succ, Nat.add_right_comm, ih, Nat.add_comm]
    | false => exact Nat.zero_add n
theorem div_add_mod (n m : Nat) : m * (n / m) + n % m = n := by
  cases m with
  | zero => rw [Nat.zero_mul]; exact Nat.zero_add n
  | succ m => exact fuel_spec (m + 1) n n
theorem modFuel_lt (m : Nat) : (f n : Nat) → n ≤ f → modFuel (m + 1) f n < m + 1
  | 0, n, h => Nat.lt_of_le_of_lt h (succ_le_succ (Nat.zero_le m))
  | f + 1, n, h => by
    show (match Nat.ble (m + 1) n with | true => modFuel (m + 1) f (n - (m + 1)) | false => n) < m + 1
    cases e : Nat.ble (m + 1) n with
    | true =>
      obtain ⟨k, rfl⟩ := exists_of_le (le_of_ble_eq_true e)
      refine modFuel_lt m f _ ?_
      rw [add_sub_cancel_left]
      nat_lin [h, Nat.zero_le m]
    | false => exact lt_of_not_le (fun k => nomatch (ble_eq_true_of_le k).symm.trans e)
theorem mod_lt (n : Nat) {m : Nat} (h : 0 < m) : n % m < m := by
  cases m with
  | zero => exact absurd h (Nat.lt_irrefl 0)
  | succ m => exact modFuel_lt m n n .refl
end Nat

namespace Int
set_option bootstrap.genMatcherCode false in
/-- The absolute value.  The code generator needs it to compile a match on the constructors of `Int`. -/
@[extern "lean_nat_abs"] def natAbs : (@& Int) → Nat
  | ofNat n => n
  | negSucc n => n + 1
set_option bootstrap.genMatcherCode false in
/-- Quotient rounding so that the remainder is not negative; rounds down for a positive divisor. -/
@[extern "lean_int_ediv"] protected def ediv : Int → Int → Int
  | ofNat m, ofNat n => ofNat (m / n)
  | ofNat m, negSucc n => -(ofNat (m / (n + 1)))
  | negSucc _, ofNat 0 => 0
  | negSucc m, ofNat (n + 1) => negSucc (m / (n + 1))
  | negSucc m, negSucc n => ofNat (m / (n + 1) + 1)
instance : Div Int := ⟨Int.ediv⟩
/-- Division with remainder by a positive divisor. -/
theorem ediv_spec (x : Int) {d : Int} (h : 0 < d) : d * (x / d) ≤ x ∧ x < d * (x / d) + d := by
  cases d with
  | negSucc d => exact nomatch (show NonNeg (negSucc (d + 0 + 1)) from h)
  | ofNat d =>
    cases d with
    | zero => exact (lt_irrefl _ h).elim
    | succ d =>
      cases x with
      | ofNat n =>
        have e : ofNat (d + 1) * (ofNat n / ofNat (d + 1)) + ofNat (n % (d + 1)) = ofNat n :=
          congrArg ofNat (Nat.div_add_mod n (d + 1))
        obtain ⟨k, hk⟩ := Nat.exists_of_le (Nat.mod_lt n (Nat.succ_le_succ (Nat.zero_le d)))
        have hk : ofNat (d + 1) = ofNat (n % (d + 1)) + 1 + ofNat k := congrArg ofNat hk
        generalize ofNat (d + 1) * (ofNat n / ofNat (d + 1)) = q at *
        rw [← e]
        exact ⟨by lin [ofNat_nonneg (n % (d + 1))],
          by rw [hk]; lin [ofNat_nonneg k]⟩
      | negSucc n =>
        -- x = -(n + 1), quotient -(n / (d + 1) + 1)
        have e : ofNat (d + 1) * ofNat (n / (d + 1)) + ofNat (n % (d + 1)) = ofNat n :=
          congrArg ofNat (Nat.div_add_mod n (d + 1))
        obtain ⟨k, hk⟩ := Nat.exists_of_le (Nat.mod_lt n (Nat.succ_le_succ (Nat.zero_le d)))
        have hk : ofNat (d + 1) = ofNat (n % (d + 1)) + 1 + ofNat k := congrArg ofNat hk
        show ofNat (d + 1) * -(ofNat (n / (d + 1)) + 1) ≤ -(ofNat n + 1)
          ∧ -(ofNat n + 1) < ofNat (d + 1) * -(ofNat (n / (d + 1)) + 1) + ofNat (d + 1)
        generalize ofNat (n / (d + 1)) = q at *
        generalize ofNat (d + 1) = D at *
        rw [← e]
        constructor
        · lin [ofNat_nonneg k, le_of_eq hk.symm]
        · lin [ofNat_nonneg (n % (d + 1))]
end Int

namespace Int
/-- Decide whether an integer is even. -/
def isEven (z : Int) : Bool := decide (2 * (z / 2) = z)
theorem even_or_odd (z : Int) : (∃ k, z = 2 * k) ∨ (∃ k, z = 2 * k + 1) := by
  obtain ⟨h₁, h₂⟩ := ediv_spec z (d := 2) (by decide)
  generalize z / 2 = q at *
  rcases lt_or_ge (2 * q) z with h | h
  · refine .inr ⟨q, le_antisymm ?_ ?_⟩
    · lin [h₂]
    · lin [h]
  · exact .inl ⟨q, le_antisymm h h₁⟩
theorem two_mul_ne (a b : Int) : 2 * a ≠ 2 * b + 1 := by
  intro e
  rcases lt_or_ge b a with h | h
  · lin [h, h, le_of_eq e]
  · lin [h, h, le_of_eq e.symm]
theorem two_mul_ediv (a : Int) : (2 * a) / 2 = a := by
  obtain ⟨h₁, h₂⟩ := ediv_spec (2 * a) (d := 2) (by decide)
  generalize (2 * a) / 2 = q at *
  rcases lt_or_ge q a with h | h
  · exfalso; lin [h, h, h₂]
  · rcases lt_or_ge a q with g | g
    · exfalso; lin [g, g, h₁]
    · exact le_antisymm g h
theorem isEven_iff (z : Int) : isEven z = true ↔ ∃ k, z = 2 * k := by
  constructor
  · intro h; exact ⟨z / 2, (of_decide_eq_true h).symm⟩
  · rintro ⟨k, rfl⟩
    exact decide_eq_true (by rw [two_mul_ediv])
theorem isEven_eq_false_iff (z : Int) : isEven z = false ↔ ∃ k, z = 2 * k + 1 := by
  constructor
  · intro h
    rcases even_or_odd z with e | o
    · rw [(isEven_iff z).mpr e] at h; contradiction
    · exact o
  · rintro ⟨k, rfl⟩
    cases h : isEven (2 * k + 1) with
    | false => rfl
    | true =>
      obtain ⟨j, e⟩ := (isEven_iff _).mp h
      exact absurd e.symm (two_mul_ne j k)
end Int

prelude
import Gnosis.Core.Auto
import Gnosis.Core.NatDiv
/-! # Division of integers with remainder, even integers

`x / d` rounds down for a positive divisor (Euclidean division, as in `Init`). -/

namespace Int
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

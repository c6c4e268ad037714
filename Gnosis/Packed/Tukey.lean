prelude
import Gnosis.TukeyBisquareGate
/-! # The Tukey gate in a form that the kernel evaluates fast

As in `Gnosis.Packed.Energy`: integers by their constructors, comparisons of natural numbers. -/
namespace Gnosis

/-- The Tukey gate, by the constructors of its arguments: `|k| = k` and `|−(k + 1)| = k + 1`. -/
noncomputable def tukeyPacked (r γ : Int) : Bool :=
  Int.rec (motive := fun _ => Bool)
    (fun g => Int.rec (motive := fun _ => Bool) (fun k => Nat.ble (Nat.mul (nat_lit 2) k) g)
      (fun k => Nat.ble (Nat.mul (nat_lit 2) (Nat.succ k)) g) r)
    (fun _ => false) γ

/-- **The packed Tukey gate is the Tukey gate.** -/
theorem tukey_packed_eq (r γ : Int) : tukeyPacked r γ = tukeyAdmit r γ := by
  have neg : ∀ g k : Nat, -Int.ofNat g ≤ 2 * Int.ofNat k := fun g k => by
    lin [Int.ofNat_nonneg g, Int.ofNat_nonneg k, Int.ofNat_nonneg k]
  unfold tukeyAdmit
  cases γ with
  | negSucc g => rfl
  | ofNat g =>
    rw [decide_eq_true (Int.ofNat_nonneg g)]
    cases r with
    | ofNat k =>
      show Nat.ble (2 * k) g = (true && (decide (-Int.ofNat g ≤ 2 * Int.ofNat k) && decide (2 * Int.ofNat k ≤ Int.ofNat g)))
      rw [decide_eq_true (neg g k)]
      exact (Int.decide_ofNat_le (2 * k) g).symm
    | negSucc k =>
      have e : Int.negSucc k = -Int.ofNat (k + 1) := rfl
      have low : Int.ofNat (2 * (k + 1)) ≤ Int.ofNat g ↔ -Int.ofNat g ≤ 2 * -Int.ofNat (k + 1) := by
        rw [Int.ofNat_mul, show Int.ofNat 2 = 2 from rfl]
        exact ⟨fun h => by lin [h], fun h => by lin [h]⟩
      have high : 2 * -Int.ofNat (k + 1) ≤ Int.ofNat g := by
        lin [Int.ofNat_nonneg g, Int.ofNat_nonneg (k + 1), Int.ofNat_nonneg (k + 1)]
      rw [e, decide_eq_true high]
      show Nat.ble (2 * (k + 1)) g = (decide (-Int.ofNat g ≤ 2 * -Int.ofNat (k + 1)) && true)
      rw [Bool.and_true, ← Int.decide_ofNat_le]
      exact decide_eq_decide.mpr low

/-! ## The weight -/

/-- `2·|r|`, by the constructors of `r`. -/
noncomputable def twiceAbs (r : Int) : Nat :=
  Int.rec (motive := fun _ => Nat) (fun a => Nat.mul (nat_lit 2) a) (fun a => Nat.mul (nat_lit 2) (Nat.succ a)) r

/-- The bisquare weight as a natural number, by the constructors of its arguments: `γ² - 4·r²`, squared, in the bowl, where
the difference of natural numbers is the difference, and 0 outside. -/
noncomputable def tukeyWeightPacked (r γ : Int) : Nat :=
  Int.rec (motive := fun _ => Nat)
    (fun g => Bool.rec (motive := fun _ => Nat) (nat_lit 0)
      (Nat.mul (Nat.sub (Nat.mul g g) (Nat.mul (twiceAbs r) (twiceAbs r)))
        (Nat.sub (Nat.mul g g) (Nat.mul (twiceAbs r) (twiceAbs r))))
      (Nat.ble (twiceAbs r) g))
    (fun _ => nat_lit 0) γ

/-- `twiceAbs` is twice the absolute value. -/
theorem twiceAbs_eq (r : Int) : Int.ofNat (twiceAbs r) = 2 * (r.natAbs : Int) := by
  cases r with
  | ofNat a => rfl
  | negSucc a => rfl

/-- **The packed weight is the bisquare weight.** -/
theorem tukey_weight_packed_eq (r γ : Int) : Int.ofNat (tukeyWeightPacked r γ) = tukeyWeight r γ := by
  cases γ with
  | negSucc g => rfl
  | ofNat g =>
    have packed : tukeyAdmit r (Int.ofNat g) = Nat.ble (twiceAbs r) g := by
      rw [← tukey_packed_eq]
      cases r with
      | ofNat a => rfl
      | negSucc a => rfl
    have e : tukeyWeightPacked r (Int.ofNat g) = Bool.rec (motive := fun _ => Nat) 0
      ((g * g - twiceAbs r * twiceAbs r) * (g * g - twiceAbs r * twiceAbs r)) (Nat.ble (twiceAbs r) g) := rfl
    rw [e]
    cases h : Nat.ble (twiceAbs r) g with
    | false => exact (tukeyWeight_of_refuse (packed.trans h)).symm
    | true =>
      rw [tukeyWeight_of_admit (packed.trans h)]
      have le : twiceAbs r * twiceAbs r ≤ g * g := Nat.mul_le_mul (Nat.le_of_ble_eq_true h) (Nat.le_of_ble_eq_true h)
      obtain ⟨k, hk⟩ := Nat.exists_of_le le
      have sub : g * g - twiceAbs r * twiceAbs r = k := by rw [hk, Nat.add_sub_cancel_left]
      have sq : Int.ofNat (twiceAbs r) * Int.ofNat (twiceAbs r) = 4 * r * r := by
        have e : 2 * (r.natAbs : Int) * (2 * (r.natAbs : Int)) = 4 * ((r.natAbs : Int) * (r.natAbs : Int)) := by ring
        rw [twiceAbs_eq, e, Int.natAbs_mul_self, Int.mul_assoc]
      have hk : Int.ofNat g * Int.ofNat g = Int.ofNat (twiceAbs r) * Int.ofNat (twiceAbs r) + Int.ofNat k :=
        congrArg Int.ofNat hk
      have base : Int.ofNat g * Int.ofNat g - 4 * r * r = Int.ofNat k := by rw [hk, sq]; ring
      rw [base, sub]; rfl

/-- The weight by example: residual -2 in the bowl of margin 5, residual 3 outside. -/
theorem tukey_weight_packed_instance : tukeyWeightPacked (-2) 5 = 81 ∧ tukeyWeightPacked 3 5 = 0 := ⟨rfl, rfl⟩

end Gnosis

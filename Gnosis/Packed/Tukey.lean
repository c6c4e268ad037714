prelude
import Gnosis.Core
import Gnosis.Decision.Tukey
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

end Gnosis

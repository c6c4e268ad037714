prelude
import Gnosis.CumlossGating
/-! # What a budget may not do

A budget that falls after losses have been made breaks the guarantee, and a budget below `log(1/δ)/λ`, the reserve, buys
nothing at all. -/
universe u
namespace Gnosis
open List

/-- One draw of ten loses all of the `10` units of the grid; reserve `25` and charge `2` pay for the level `1/10` with the
bet `11/10`.  The budget is `40` for two steps and then falls to `0`. -/
def fallingBudget : ChargeController Nat where
  reserve := 25
  offer _ := 2
  charge _ := 2
  budget h := bif Nat.ble h.length 1 then 40 else 0
  loss _ d := bif Nat.beq d 0 then 10 else 0

/-- **The budget must not fall.**  With a budget that falls every other hypothesis of `charge_controller_sound` holds, and
the budget is overrun on `190` of `1000` paths, more than `δ = 1/10` of them. -/
theorem budget_must_not_fall :
    (∀ h d, fallingBudget.loss h d ≤ 10) ∧ (∀ h, sumOver (fallingBudget.loss h) tenDraws ≤ tenDraws.length * 1) ∧
      reservePays 11 10 1 10 fallingBudget.reserve = true ∧ (∀ h, pays 10 11 10 1 (fallingBudget.charge h) = true) ∧
      (∀ h, fallingBudget.charge h ≤ fallingBudget.offer h) ∧
      share tenDraws fallingBudget.overrun 3 [] = ⟨190, 1000⟩ ∧ (⟨1, 10⟩ : Frac) < ⟨190, 1000⟩ := by
  refine ⟨fun h d => ?_, fun h => Nat.le_refl 10, by decide +kernel, fun h => ?_, fun h => Nat.le_refl 2, ?_, by decide⟩
  · show (bif Nat.beq d 0 then 10 else 0) ≤ 10
    cases Nat.beq d 0 with
    | true => exact Nat.le_refl 10
    | false => exact Nat.zero_le 10
  · show pays 10 11 10 1 2 = true
    decide +kernel
  · exact congrArg (fun n => Frac.mk n 1000) (by decide +kernel : reachCount tenDraws fallingBudget.overrun 3 [] = 190)

/-- The same process and the same budget for the controller that carries the ledger. -/
def fallingLedger : Controller Nat where
  N := 10
  p := 11
  q := 10
  δ := ⟨1, 10⟩
  mean _ := 1
  loss _ d := bif Nat.beq d 0 then 10 else 0
  budget h := bif Nat.ble h.length 1 then 40 else 0

namespace Falsifiers
/-- The budget must not fall under the ledger either: every other hypothesis of `cumloss_controller_sound` holds, and the
budget is overrun on `190` of `1000` paths at `δ = 1/10`. -/
theorem falling_budget_overruns_ledger :
    betOk fallingLedger.N fallingLedger.p fallingLedger.q = true ∧ (∀ h d, fallingLedger.loss h d ≤ fallingLedger.N) ∧
      (∀ h, sumOver (fallingLedger.loss h) tenDraws ≤ tenDraws.length * fallingLedger.mean h) ∧
      fallingLedger.δ = ⟨1, 10⟩ ∧ share tenDraws fallingLedger.overrun 3 [] = ⟨190, 1000⟩ := by
  refine ⟨rfl, budget_must_not_fall.1, budget_must_not_fall.2.1, rfl, ?_⟩
  exact congrArg (fun n => Frac.mk n 1000) (by decide +kernel : reachCount tenDraws fallingLedger.overrun 3 [] = 190)

/-- **Below the reserve nothing is admitted**, however small the steps are. -/
theorem budget_below_reserve {D : Type u} (c : ChargeController D) (h : List D) (low : c.budget h < c.reserve) :
    c.compresses h = false := by
  have grows : c.reserve ≤ c.account h := by
    clear low
    induction h with
    | nil => exact Nat.le_refl _
    | cons d h ih =>
      rw [c.account_cons]
      cases c.compresses h with
      | true => exact Nat.le_trans ih (Nat.le_add_right _ _)
      | false => exact ih
  cases e : c.compresses h with
  | false => rfl
  | true =>
    have le : c.account h + c.offer h ≤ c.budget h := Nat.le_of_ble_eq_true e
    exact absurd (Nat.le_trans grows (Nat.le_trans (Nat.le_add_right _ _) le)) (Nat.not_le_of_lt low)

/-- The ledger never falls below its value without any loss, `N^t·q^(tN)`. -/
theorem state_ge {D : Type u} (c : Controller D) (h : List D) : c.N ^ h.length * c.q ^ (h.length * c.N) ≤ c.state h := by
  induction h with
  | nil => show 1 * c.q ^ (0 * c.N) ≤ 1; rw [Nat.zero_mul]; exact Nat.le_refl 1
  | cons d h ih =>
    show c.N ^ h.length * c.N * c.q ^ ((h.length + 1) * c.N) ≤ c.state h * (c.N * c.q ^ c.N + _ * (c.p ^ c.N - c.q ^ c.N))
    rw [Nat.succ_mul, Nat.pow_add]
    refine Nat.le_trans (Nat.le_of_eq ?_) (Nat.mul_le_mul ih (Nat.le_add_right (c.N * c.q ^ c.N) _))
    generalize c.N ^ h.length = a, c.q ^ (h.length * c.N) = b, c.q ^ c.N = s, c.N = N
    nat_ring

/-- The same in the form of the ledger: with a budget `b < log(1/δ)/λ` in units, that is `nδ·p^b < dδ·q^b`, nothing is
admitted, however small the steps are. -/
theorem budget_below_level {D : Type u} (c : Controller D) (h : List D)
    (low : c.δ.num * c.p ^ c.budget h < c.δ.den * c.q ^ c.budget h) : c.compresses h = false := by
  cases e : c.compresses h with
  | false => rfl
  | true =>
    have cov : covered c.N c.p c.q c.δ.num c.δ.den (h.length + 1) (c.state h * stepFactor c.N c.p c.q (c.mean h))
      (c.budget h) = true := e
    obtain ⟨⟨hN, hq, _⟩, _, le⟩ := covered_iff.mp cov
    have grows := state_ge c h
    have step : c.N * c.q ^ c.N ≤ stepFactor c.N c.p c.q (c.mean h) := Nat.le_add_right _ _
    rw [Nat.succ_mul, Nat.pow_add c.q (h.length * c.N), Nat.pow_succ] at le
    have posN := Nat.pow_pos (n := h.length) hN
    have posq := Nat.pow_pos (n := h.length * c.N) hq
    have poss := Nat.pow_pos (n := c.N) hq
    generalize c.N ^ h.length = a, c.q ^ (h.length * c.N) = b, c.q ^ c.N = s, c.q ^ c.budget h = y, c.p ^ c.budget h = x,
      c.state h = L, stepFactor c.N c.p c.q (c.mean h) = F, c.δ.num = nδ, c.δ.den = dδ at *
    refine absurd ?_ (Nat.not_le_of_lt low)
    apply Nat.le_of_mul_le_mul_right (c := a * b * (c.N * s)) _ (Nat.mul_pos (Nat.mul_pos posN posq) (Nat.mul_pos hN poss))
    calc dδ * y * (a * b * (c.N * s)) ≤ dδ * y * (L * F) := Nat.mul_le_mul_left _ (Nat.mul_le_mul grows step)
      _ = dδ * (L * F * y) := by nat_ring
      _ ≤ nδ * (a * c.N * (b * s) * x) := le
      _ = nδ * x * (a * b * (c.N * s)) := by nat_ring

/-- Neither statement is empty: at level `1/10` with the bet `11/10` a budget of `24` units is below the reserve `25`, and
a step that costs nothing at all is refused under it and admitted under `25`. -/
theorem budget_below_sample : leastReserve 11 10 1 10 = 25 ∧ chargeAdmit 25 0 24 = false ∧ chargeAdmit 25 0 25 = true ∧
    cumlossAdmit 10 11 10 1 10 0 1 0 24 = false ∧ cumlossAdmit 10 11 10 1 10 0 1 0 25 = true := by decide +kernel
end Falsifiers
end Gnosis

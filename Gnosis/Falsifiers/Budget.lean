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
/-- **The budget must not fall**: `charge_controller_sound` without that.  190 of 1000 paths overrun at `δ = 1/10`. -/
theorem falling_budget_overruns : ¬ ∀ {D : Type} (c : ChargeController D) {ds : List D} {N p q : Nat} {δ : Frac} {u : List D → Nat},
    (∀ h d, c.loss h d ≤ N) → (∀ h, sumOver (c.loss h) ds ≤ ds.length * u h) → reservePays p q δ.num δ.den c.reserve = true →
    (∀ h, pays N p q (u h) (c.charge h) = true) → (∀ h, c.charge h ≤ c.offer h) → ∀ T : Nat, share ds c.overrun T [] ≤ δ :=
  fun wrong => by
    obtain ⟨h₁, h₂, h₃, h₄, h₅, h₆, h₇⟩ := budget_must_not_fall
    have le := wrong fallingBudget (ds := tenDraws) (δ := ⟨1, 10⟩) (u := fun _ => 1) h₁ h₂ h₃ h₄ h₅ 3
    rw [h₆] at le
    exact absurd le (by decide)

/-- **Nor may it be reached**: the same in `charge_controller_reach`. -/
theorem falling_budget_is_reached : ¬ ∀ {D : Type} (c : ChargeController D) {ds : List D} {N p q : Nat} {δ : Frac} {u : List D → Nat},
    (∀ h d, c.loss h d ≤ N) → (∀ h, sumOver (c.loss h) ds ≤ ds.length * u h) → reservePays p q δ.num δ.den c.reserve = true →
    (∀ h, pays N p q (u h) (c.charge h) = true) → (∀ h, c.charge h ≤ c.offer h) → ∀ T : Nat, share ds c.reached T [] ≤ δ :=
  fun wrong => by
    obtain ⟨h₁, h₂, h₃, h₄, h₅, h₆, h₇⟩ := budget_must_not_fall
    have le : share tenDraws fallingBudget.overrun 3 [] ≤ ⟨1, 10⟩ := share_le_of_imp (fun h over => by
      cases h with
      | nil => exact nomatch over
      | cons d h =>
        have lt := of_decide_eq_true (p := _ < _) over
        exact decide_eq_true ⟨Nat.lt_of_le_of_lt (Nat.zero_le _) lt, Nat.le_trans (Nat.le_succ _) lt⟩)
      (wrong fallingBudget (ds := tenDraws) (δ := ⟨1, 10⟩) (u := fun _ => 1) h₁ h₂ h₃ h₄ h₅ 3)
    rw [h₆] at le
    exact absurd le (by decide)

/-- Under the ledger 190 of 1000 paths overrun too. -/
theorem fallingLedger_share : share tenDraws fallingLedger.overrun 3 [] = ⟨190, 1000⟩ :=
  congrArg (fun n => Frac.mk n 1000) (by decide +kernel : reachCount tenDraws fallingLedger.overrun 3 [] = 190)

/-- **The budget must not fall under the ledger either**: `cumloss_controller_sound` without that. -/
theorem falling_budget_overruns_ledger : ¬ ∀ {D : Type} (c : Controller D) {ds : List D}, betOk c.N c.p c.q = true →
    (∀ h d, c.loss h d ≤ c.N) → (∀ h, sumOver (c.loss h) ds ≤ ds.length * c.mean h) → ∀ T : Nat, share ds c.overrun T [] ≤ c.δ :=
  fun wrong => by
    have le := wrong fallingLedger (ds := tenDraws) rfl budget_must_not_fall.1 budget_must_not_fall.2.1 3
    rw [fallingLedger_share] at le
    exact absurd (show (⟨190, 1000⟩ : Frac) ≤ ⟨1, 10⟩ from le) (by decide)

/-- **Nor be reached under the ledger**: the same in `cumloss_controller_reach`. -/
theorem falling_budget_reached_under_ledger : ¬ ∀ {D : Type} (c : Controller D) {ds : List D}, betOk c.N c.p c.q = true →
    (∀ h d, c.loss h d ≤ c.N) → (∀ h, sumOver (c.loss h) ds ≤ ds.length * c.mean h) → ∀ T : Nat, share ds c.reached T [] ≤ c.δ :=
  fun wrong => by
    have le : share tenDraws fallingLedger.overrun 3 [] ≤ fallingLedger.δ := share_le_of_imp (fun h over => by
      cases h with
      | nil => exact nomatch over
      | cons d h =>
        have lt := of_decide_eq_true (p := _ < _) over
        exact decide_eq_true ⟨Nat.lt_of_le_of_lt (Nat.zero_le _) lt, Nat.le_trans (Nat.le_succ _) lt⟩)
      (wrong fallingLedger (ds := tenDraws) rfl budget_must_not_fall.1 budget_must_not_fall.2.1 3)
    rw [fallingLedger_share] at le
    exact absurd (show (⟨190, 1000⟩ : Frac) ≤ ⟨1, 10⟩ from le) (by decide)

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

/-- A controller with the reserve `25`, which is its budget, and steps that cost nothing. -/
def reserveOnly : ChargeController Unit where
  reserve := 25
  offer _ := 0
  charge _ := 0
  budget _ := 25
  loss _ _ := 0

/-- **At the reserve a step that costs nothing is admitted**: `≤` in the place of `<` in `budget_below_reserve`. -/
theorem budget_at_reserve : ¬ ∀ {D : Type} (c : ChargeController D) (h : List D), c.budget h ≤ c.reserve → c.compresses h = false :=
  fun wrong => nomatch (show true = false from wrong reserveOnly [] (by decide))

/-- The same with the ledger: level `1/10`, bet `11/10`, mean `0`. -/
def levelOnly : Controller Unit where
  N := 10
  p := 11
  q := 10
  δ := ⟨1, 10⟩
  mean _ := 0
  loss _ _ := 0
  budget _ := 25

/-- **One unit above the level it is admitted too**: a budget of one unit less in the hypothesis of `budget_below_level`. -/
theorem budget_above_level : ¬ ∀ {D : Type} (c : Controller D) (h : List D),
    c.δ.num * c.p ^ (c.budget h - 1) < c.δ.den * c.q ^ (c.budget h - 1) → c.compresses h = false :=
  fun wrong => absurd (wrong levelOnly [] (by decide +kernel)) (by decide +kernel)
end Falsifiers
end Gnosis

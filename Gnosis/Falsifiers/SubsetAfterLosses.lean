prelude
import Gnosis.CumlossGating
/-! # The subset must not be chosen after the losses are seen

`gating_conservative` settles the account on the items that passed a check which does not see the draw, and
`gating_late_full_charge` lets the check see the draw but charges the whole batch.  Doing both at once, paying only for a
subset that was chosen after its losses were known, breaks the guarantee. -/
namespace Gnosis.Falsifiers
open List

/-- Two items; a fair coin decides which of them loses `10` units, all of the grid `N = 10`.  The other loses nothing. -/
def eitherLoss (d : Bool) (i : Bool) : Nat := bif d then (bif i then 10 else 0) else (bif i then 0 else 10)
/-- The account that pays, out of a budget of `88` units, only for the item that lost: the item `i = d`, chosen after the
draw.  Its mean bound is `5`, its charge `7`, the reserve `25`. -/
def lateAccount : List Bool → Nat
  | [] => 25
  | _ :: h => chargeSettle (lateAccount h) 7 7 88
/-- The loss of the chosen item, if it was admitted. -/
def lateLoss (h : List Bool) (d : Bool) : Nat := bif chargeAdmit (lateAccount h) 7 88 then eitherLoss d d else 0

/-- **Charging a subset that was chosen after the losses were seen overruns the budget on every path.**  Each item's mean
bound is true, the charge pays for it, the reserve pays for the level `1/10`, and the account never exceeds the budget of
`88`; yet after nine steps the cumulative loss is `90` whatever is drawn. -/
theorem subset_after_losses_overruns :
    (∀ i, sumOver (fun d => eitherLoss d i) [false, true] = [false, true].length * 5) ∧
      pays 10 11 10 5 7 = true ∧ reservePays 11 10 1 10 25 = true ∧ (∀ h, lateAccount h ≤ 88) ∧
      share [false, true] (fun h => decide (88 < cumLoss lateLoss h)) 9 [] = ⟨512, 512⟩ := by
  refine ⟨fun i => by cases i <;> rfl, by decide +kernel, by decide +kernel, fun h => ?_, ?_⟩
  · induction h with
    | nil => exact (by decide : 25 ≤ 88)
    | cons d h ih =>
      rw [lateAccount, chargeSettle]
      cases e : chargeAdmit (lateAccount h) 7 88 with
      | true => exact Nat.le_of_ble_eq_true e
      | false => exact ih
  · exact congrArg (fun n => Frac.mk n 512)
      (by decide +kernel : reachCount [false, true] (fun h => decide (88 < cumLoss lateLoss h)) 9 [] = 512)
end Gnosis.Falsifiers

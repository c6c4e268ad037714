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

/-- The account that pays `a` units for the items that were picked, out of a budget of `b` units, from the reserve `r` on. -/
def pickedAccount {D : Type} (r a b : Nat) : List D → Nat
  | [] => r
  | _ :: h => chargeSettle (pickedAccount r a b h) a a b
/-- The account above is such a one. -/
theorem lateAccount_eq (h : List Bool) : lateAccount h = pickedAccount 25 7 88 h := by
  induction h with
  | nil => rfl
  | cons d h ih => rw [lateAccount, pickedAccount, ih]

/-- **The check may not see the draw**: `gating_conservative` for one item `pick h d` of each step that is picked after the draw `d`, in
the place of a check that sees the history alone.  Every item's mean bound is true, and the charge pays for the one item that was picked. -/
theorem picked_after_draw_overruns : ¬ ∀ {D I : Type} {ds : List D} {loss : List D → D → I → Nat} {pick : List D → D → I}
    {N p q r u a b : Nat} {δ : Frac}, (∀ h d, loss h d (pick h d) ≤ N) →
    (∀ h i, sumOver (fun d => loss h d i) ds ≤ ds.length * u) → reservePays p q δ.num δ.den r = true → pays N p q u a = true →
    ∀ T : Nat, share ds (fun h => decide (b < cumLoss (fun h d => bif chargeAdmit (pickedAccount r a b h) a b then loss h d (pick h d)
      else 0) h)) T [] ≤ δ := by
  intro wrong
  have same : ∀ h, cumLoss (fun h d => bif chargeAdmit (pickedAccount 25 7 88 h) 7 88 then eitherLoss d d else 0) h = cumLoss lateLoss h :=
    fun h => by
      induction h with
      | nil => rfl
      | cons d h ih => rw [cumLoss, cumLoss, ih, lateLoss, lateAccount_eq]
  have le : share [false, true] (fun h => decide (88 < cumLoss lateLoss h)) 9 [] ≤ ⟨1, 10⟩ := share_le_of_imp (fun h over => by
    have over := of_decide_eq_true over
    rw [← same h] at over
    exact decide_eq_true over) (wrong (ds := [false, true]) (loss := fun _ d i => eitherLoss d i) (pick := fun _ d => d) (N := 10) (p := 11) (q := 10)
    (r := 25) (u := 5) (a := 7) (b := 88) (δ := ⟨1, 10⟩) (fun _ d => by cases d <;> exact Nat.le_refl 10) (fun _ i => Nat.le_of_eq (subset_after_losses_overruns.1 i))
    subset_after_losses_overruns.2.2.1 subset_after_losses_overruns.2.1 9)
  rw [subset_after_losses_overruns.2.2.2.2] at le
  exact absurd le (by decide)
end Gnosis.Falsifiers

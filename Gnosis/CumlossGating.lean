prelude
import Gnosis.CumlossCharge
import Gnosis.Foundation.Sums
/-! # Gating: admit on the batch, settle on what passed

A step often proposes a whole batch of items of which only some pass a check of their own.  Admission has to be decided
on the batch, before the check; the account may be settled on the part that passed, as long as the check cannot see the
losses.  Instances at the end show that the hypotheses of the charge form can be met, and that its gate is sharp. -/
universe u v

namespace Gnosis
open List
section
variable {D : Type u} {I : Type v}

/-- A controller that works on batches, all in loss units and as functions of the history `h`: the items `batch h` that
are proposed, the check `pass h i` that an item must pass, the mean bound `bound h i` of an item, the charge `offer h` of
the whole batch and the charge `charge h` of the part that passes, the budget after the step, and the loss
`loss h d i` that item `i` then turns out to have. -/
structure BatchController (D : Type u) (I : Type v) where
  reserve : Nat
  batch : List D → List I
  pass : List D → I → Bool
  bound : List D → I → Nat
  offer : List D → Nat
  charge : List D → Nat
  budget : List D → Nat
  loss : List D → D → I → Nat

namespace BatchController
variable (c : BatchController D I)
/-- The loss of the items that passed. -/
def passedLoss (h : List D) (d : D) : Nat := sumOver (fun i => bif c.pass h i then c.loss h d i else 0) (c.batch h)
/-- The mean bound of the items that passed. -/
def passedBound (h : List D) : Nat := sumOver (fun i => bif c.pass h i then c.bound h i else 0) (c.batch h)
/-- The batch controller as a controller that adds charges. -/
def toCharge : ChargeController D where
  reserve := c.reserve
  offer := c.offer
  charge := c.charge
  budget := c.budget
  loss := c.passedLoss
end BatchController

/-- **Gating is conservative.**  Admit a proposal on the charge of its whole batch, and settle it on the charge of the
items that passed a check which sees the history and not the draw.  Then no step takes more out of the account than was
offered, and if each item's mean bound is true and the charge pays for the items that passed, the cumulative loss
exceeds the budget with probability at most `δ`, however long the request. -/
theorem gating_conservative (c : BatchController D I) {ds : List D} {N p q : Nat} {δ : Frac}
    (hl : ∀ h d, sumOver (c.loss h d) (c.batch h) ≤ N)
    (mean : ∀ h i, i ∈ c.batch h → sumOver (fun d => c.loss h d i) ds ≤ ds.length * c.bound h i)
    (reserve : reservePays p q δ.num δ.den c.reserve = true)
    (charges : ∀ h, pays N p q (c.passedBound h) (c.charge h) = true) (settle : ∀ h, c.charge h ≤ c.offer h)
    (mono : ∀ d h, c.budget h ≤ c.budget (d :: h)) (T : Nat) :
    (∀ d h, c.toCharge.account (d :: h) ≤ c.toCharge.account h + c.offer h) ∧
      share ds c.toCharge.overrun T [] ≤ δ := by
  constructor
  · intro d h
    rw [c.toCharge.account_cons]
    cases c.toCharge.compresses h with
    | true => exact Nat.add_le_add_left (settle h) _
    | false => exact Nat.le_add_right _ _
  · refine charge_controller_sound c.toCharge (u := c.passedBound) ?_ ?_ reserve charges settle mono T
    · intro h d
      refine Nat.le_trans (sumOver_le fun i _ => ?_) (hl h d)
      cases c.pass h i with
      | true => exact Nat.le_refl _
      | false => exact Nat.zero_le _
    · intro h
      show sumOver (fun d => sumOver (fun i => bif c.pass h i then c.loss h d i else 0) (c.batch h)) ds
        ≤ ds.length * sumOver (fun i => bif c.pass h i then c.bound h i else 0) (c.batch h)
      rw [sumOver_comm, mul_sumOver]
      refine sumOver_le fun i hi => ?_
      cases c.pass h i with
      | true => exact mean h i hi
      | false => exact Nat.le_of_eq (sumOver_const 0 ds)

/-- A check that does see the draw is safe as well, if the whole batch is charged: dropping items after their losses are
known can only lose less. -/
theorem gating_late_full_charge {ds : List D} {N p q : Nat} {δ : Frac} (c : ChargeController D) {batch : List D → List I}
    {late : List D → D → I → Bool} {bound : List D → I → Nat} {loss : List D → D → I → Nat}
    (settled : ∀ h d, c.loss h d = sumOver (fun i => bif late h d i then loss h d i else 0) (batch h))
    (hl : ∀ h d, sumOver (loss h d) (batch h) ≤ N)
    (mean : ∀ h i, i ∈ batch h → sumOver (fun d => loss h d i) ds ≤ ds.length * bound h i)
    (reserve : reservePays p q δ.num δ.den c.reserve = true)
    (charges : ∀ h, pays N p q (sumOver (bound h) (batch h)) (c.charge h) = true) (settle : ∀ h, c.charge h ≤ c.offer h)
    (mono : ∀ d h, c.budget h ≤ c.budget (d :: h)) (T : Nat) : share ds c.overrun T [] ≤ δ := by
  have less : ∀ h d, c.loss h d ≤ sumOver (loss h d) (batch h) := fun h d => by
    rw [settled h d]
    refine sumOver_le fun i _ => ?_
    cases late h d i with
    | true => exact Nat.le_refl _
    | false => exact Nat.zero_le _
  refine charge_controller_sound c (u := fun h => sumOver (bound h) (batch h)) (fun h d => Nat.le_trans (less h d) (hl h d))
    (fun h => ?_) reserve charges settle mono T
  refine Nat.le_trans (sumOver_le fun d _ => less h d) ?_
  rw [sumOver_comm, mul_sumOver]
  exact sumOver_le fun i hi => mean h i hi
end

/-! ## Not empty, and sharp -/

/-- The process that adapts, with charges: `5` units for a mean of `2`, `3` units for a mean of `1`, the bet
`θ = 11/10`, the level `1/10`, hence the reserve `25`, and a budget that grows with the request. -/
def sampleCharges : ChargeController Nat where
  reserve := 25
  offer h := bif justLost h then 3 else 5
  charge h := bif justLost h then 3 else 5
  budget h := 50 + h.length
  loss := adaptiveLoss

/-- Reserve and charges of the sample are the least that pay, and they meet the hypotheses of `cumloss_charge`: the
probability that the cumulative loss ever reaches reserve and charges is at most `1/10`. -/
theorem sampleCharges_pay :
    leastReserve 11 10 1 10 = 25 ∧ (∀ h, sampleCharges.charge h = leastCharge 20 11 10 (adaptiveMean h)) ∧
      ∀ T, share tenDraws (fun h => decide (spent 25 sampleCharges.charge h ≤ cumLoss adaptiveLoss h)) T [] ≤ ⟨1, 10⟩ := by
  have least : ∀ h, sampleCharges.charge h = leastCharge 20 11 10 (adaptiveMean h) := fun h => by
    unfold adaptiveMean
    show (bif justLost h then 3 else 5) = _
    cases justLost h with
    | true => decide +kernel
    | false => decide +kernel
  refine ⟨by decide +kernel, least,
    cumloss_charge (p := 11) (q := 10) adaptiveLoss_le adaptiveMean_true (by decide +kernel) fun h => ?_⟩
  show pays 20 11 10 (adaptiveMean h) (sampleCharges.charge h) = true
  rw [least h]
  refine (leastCharge_spec (by decide) ?_).left
  unfold adaptiveMean
  cases justLost h with
  | true => exact (by decide : 1 ≤ 20)
  | false => exact (by decide : 2 ≤ 20)

/-- The sample controller compresses, refuses, has losses, and meets the hypotheses of `charge_controller_sound`. -/
theorem sampleCharges_sound :
    sampleCharges.compresses [1, 1, 1] = true ∧ sampleCharges.compresses [1, 1, 1, 1, 1, 1] = false ∧
      cumLoss sampleCharges.realised [1, 0, 0] = 30 ∧
      ∀ T, share tenDraws sampleCharges.overrun T [] ≤ ⟨1, 10⟩ := by
  refine ⟨by decide +kernel, by decide +kernel, by decide +kernel, ?_⟩
  refine charge_controller_sound sampleCharges (N := 20) (p := 11) (q := 10) adaptiveLoss_le adaptiveMean_true
    (by decide +kernel) (fun h => ?_) (fun h => Nat.le_refl _) (fun _ h => Nat.le_succ _)
  show pays 20 11 10 (bif justLost h then 1 else 2) (bif justLost h then 3 else 5) = true
  cases justLost h with
  | true => decide +kernel
  | false => decide +kernel

/-- The same charges as a budget: the hypotheses of `cumloss_admission` can be met at every history at once. -/
theorem sampleCharges_admission (T : Nat) :
    share tenDraws (fun h => decide (spent 25 sampleCharges.charge h < cumLoss adaptiveLoss h)) T [] ≤ ⟨1, 10⟩ :=
  cumloss_admission (N := 20) (p := 11) (q := 10) (u := adaptiveMean) (by decide) adaptiveLoss_le adaptiveMean_true
    (fun d h => covered_spent (by decide +kernel) (fun h => by
      show pays 20 11 10 (bif justLost h then 1 else 2) (bif justLost h then 3 else 5) = true
      cases justLost h with
      | true => decide +kernel
      | false => decide +kernel) (d :: h)) T

/-- A witness: every loss is bounded by its charge, so `admit_implies_realized_within` applies, with losses. -/
def sampleWitness : ChargeController Nat := { sampleCharges with loss := fun _ d => bif Nat.beq d 0 then 3 else 0 }
/-- The witness meets the hypotheses of `admit_implies_realized_within` and has losses: `9` units of `11` that were charged. -/
theorem sampleWitness_within : (∀ h d, sampleWitness.loss h d ≤ sampleWitness.charge h) ∧
    sampleWitness.compresses [0, 0] = true ∧ cumLoss sampleWitness.realised [0, 0, 0] = 9 ∧
    sampleWitness.account [0, 0, 0] = 36 := by
  refine ⟨fun h d => ?_, by decide, by decide, by decide⟩
  show (bif Nat.beq d 0 then 3 else 0) ≤ (bif justLost h then 3 else 5)
  cases Nat.beq d 0 with
  | false => exact Nat.zero_le _
  | true => cases justLost h with
    | true => exact Nat.le_refl 3
    | false => exact (by decide : 3 ≤ 5)

/-- Two items with mean bound `1` each are offered for `5` units; only item `0` passes, just after a loss none does. -/
def sampleBatch : BatchController Nat Nat where
  reserve := 25
  batch _ := [0, 1]
  pass h i := !(justLost h) && Nat.beq i 0
  bound _ _ := 1
  offer _ := 5
  charge h := bif justLost h then 0 else 3
  budget h := 50 + h.length
  loss _ d i := bif Nat.beq d i then 10 else 0

/-- The sample batch meets the hypotheses of `gating_conservative`, with losses and with steps settled below the offer. -/
theorem sampleBatch_sound :
    cumLoss sampleBatch.toCharge.realised [0, 1, 0] = 20 ∧ sampleBatch.toCharge.account [0, 1, 0] = 31 ∧
      ∀ T, share tenDraws sampleBatch.toCharge.overrun T [] ≤ ⟨1, 10⟩ := by
  refine ⟨by decide, by decide, fun T => (gating_conservative sampleBatch (N := 20) (p := 11) (q := 10)
    ?_ ?_ (by decide +kernel) ?_ ?_ (fun _ h => Nat.le_succ _) T).right⟩
  · intro h d
    show (bif Nat.beq d 0 then 10 else 0) + ((bif Nat.beq d 1 then 10 else 0) + 0) ≤ 20
    cases Nat.beq d 0 with
    | true => cases Nat.beq d 1 with
      | true => exact Nat.le_refl 20
      | false => exact (by decide : 10 ≤ 20)
    | false => cases Nat.beq d 1 with
      | true => exact (by decide : 10 ≤ 20)
      | false => exact Nat.zero_le 20
  · intro h i hi
    cases hi with
    | head => exact Nat.le_refl 10
    | tail _ hi => cases hi with
      | head => exact Nat.le_refl 10
      | tail _ hi => cases hi
  · intro h
    show pays 20 11 10 (sumOver (fun i => bif !(justLost h) && Nat.beq i 0 then 1 else 0) [0, 1])
      (bif justLost h then 0 else 3) = true
    cases justLost h with
    | true => decide +kernel
    | false => decide +kernel
  · intro h
    show (bif justLost h then 0 else 3) ≤ 5
    cases justLost h with
    | true => exact Nat.zero_le 5
    | false => exact (by decide : 3 ≤ 5)

/-- **Sharp: not one unit less.**  One draw of three loses all `N = 3` units, the bet is `θ = 2`, the level `δ = 3/10`;
the least charge is `2` and the least reserve `2`.  With one unit less of either, the loss reaches reserve and charge
with probability `1/3`, more than `δ`. -/
theorem cumloss_charge_sharp :
    leastCharge 3 2 1 1 = 2 ∧ leastReserve 2 1 3 10 = 2 ∧
      sumOver (oneInThree []) [0, 1, 2] = [0, 1, 2].length * 1 ∧
      (⟨3, 10⟩ : Frac) < share [0, 1, 2] (fun h => decide (spent 1 (fun _ => 2) h ≤ cumLoss oneInThree h)) 1 [] ∧
      (⟨3, 10⟩ : Frac) < share [0, 1, 2] (fun h => decide (spent 2 (fun _ => 1) h ≤ cumLoss oneInThree h)) 1 [] := by
  refine ⟨by decide +kernel, by decide +kernel, rfl, by decide +kernel, by decide +kernel⟩

/-- Sharp at the threshold of the gate: with that reserve and charge the controller compresses under a budget of `4` and
refuses under a budget of `3`, which the loss would have reached with probability `1/3`, more than `δ = 3/10`. -/
theorem chargeAdmit_sharp :
    chargeAdmit 2 2 4 = true ∧ chargeAdmit 2 2 3 = false ∧
      (⟨3, 10⟩ : Frac) < share [0, 1, 2] (fun h => decide (3 ≤ cumLoss oneInThree h)) 1 [] := by
  refine ⟨rfl, rfl, by decide +kernel⟩
end Gnosis

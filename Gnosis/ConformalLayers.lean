prelude
import Gnosis.ConformalLowest
/-! # Several layers, calibrated together

The set of layers and the margin of each are fixed before the calibration.  Either every layer is calibrated on its own, and the
failures of all of them add up, admitted or not (`conformal_layers_union`); or a unit gets one score, the largest of its layers'
scores in units of their margins, and the level holds for all layers at once (`conformal_layers_max`).  Choosing the layers on
the calibration scores breaks both (`Gnosis.Falsifiers.layer_chosen_on_calibration`). -/
open List
namespace Gnosis

/-- Some layer of the list has the property. -/
def someLayer {L : Type} (fails : L → Bool) : List L → Bool
  | [] => false
  | ℓ :: ls => fails ℓ || someLayer fails ls

/-- **The union over all layers**: `layers` lists the layers, each with its own exchangeable scores and its own margin.  The
probability that in some layer the gate of rank `k` admits and the new residual exceeds half the margin is at most the number
of layers, all of them, times `(n + 1 - k)/(n + 1)`. -/
theorem conformal_layers_union {ω L : Type} {Ω : List ω} {layers : List L} {scores : L → ω → List Int} {n : Nat}
    (exchangeable : ∀ ℓ, ℓ ∈ layers → Exchangeable (n + 1) (map (scores ℓ) Ω)) (num den : Nat)
    (γ : L → ω → Int) :
    countP (fun o => someLayer (fun ℓ => admittedFailure num den (γ ℓ o) (scores ℓ o)) layers) Ω * (n + 1)
      ≤ layers.length * ((n + 1 - conformalRank n num den) * Ω.length) := by
  induction layers with
  | nil =>
    show countP (fun _ => false) Ω * (n + 1) ≤ 0 * _
    rw [countP_false, Nat.zero_mul, Nat.zero_mul]; exact Nat.le_refl 0
  | cons ℓ ls ih =>
    obtain ⟨ex, exs⟩ := forall_mem_cons exchangeable
    have one := conformal_admitted_failure_rate_any_margin ex num den (γ ℓ)
    have rest := ih exs
    have cover := countP_le_add (p := fun o => someLayer (fun ℓ => admittedFailure num den (γ ℓ o) (scores ℓ o)) (ℓ :: ls))
      (q := fun o => admittedFailure num den (γ ℓ o) (scores ℓ o))
      (r := fun o => someLayer (fun ℓ => admittedFailure num den (γ ℓ o) (scores ℓ o)) ls) (l := Ω)
      (fun o _ h => Bool.or_eq_true_iff.mp h)
    refine Nat.le_trans (Nat.mul_le_mul_right (n + 1) cover) ?_
    show _ ≤ (ls.length + 1) * _
    rw [Nat.right_distrib, Nat.succ_mul, Nat.add_comm (ls.length * _)]
    exact Nat.add_le_add one rest

/-- The same as a level: at most the number of layers times `1 - q`. -/
theorem conformal_layers_union_level {ω L : Type} {Ω : List ω} {layers : List L} {scores : L → ω → List Int} {n : Nat}
    (exchangeable : ∀ ℓ, ℓ ∈ layers → Exchangeable (n + 1) (map (scores ℓ) Ω)) (num den : Nat) (hden : 0 < den)
    (γ : L → ω → Int) :
    countP (fun o => someLayer (fun ℓ => admittedFailure num den (γ ℓ o) (scores ℓ o)) layers) Ω * den
      ≤ layers.length * ((den - num) * Ω.length) := by
  have h := conformal_layers_union exchangeable num den γ
  rw [← Nat.mul_assoc, Nat.mul_comm layers.length, Nat.mul_assoc] at h
  rw [← Nat.mul_assoc, Nat.mul_comm layers.length, Nat.mul_assoc]
  exact level_of_rank hden h

/-- The scores 0 and 10 in two orders: of two layers in two outcomes, as `same` says. -/
def opposite (same : Bool) : List Int := bif same then [0, 10] else [10, 0]

/-- Attained: two layers with the scores 0 and 10 in opposite orders, level 1/2, margin 0: in each outcome one layer is admitted and
fails, and `2·(1 − 1/2) = 1`. -/
theorem conformal_layers_union_sharp :
    Exchangeable 2 (map opposite [true, false]) ∧ Exchangeable 2 (map (fun o => opposite (!o)) [true, false]) ∧
      countP (fun o => someLayer (fun ℓ => admittedFailure 1 2 0 (opposite (bif ℓ then o else !o))) [true, false]) [true, false] * (1 + 1)
        = [true, false].length * ((1 + 1 - conformalRank 1 1 2) * [true, false].length) :=
  ⟨exchangeable_perms [0, 10], exchangeable_perms [10, 0], rfl⟩

/-- The new unit of an outcome. -/
def newUnit : List (List Int) → List Int
  | [] => []
  | u :: _ => u
/-- The units of the calibration. -/
def calibrationUnits : List (List Int) → List (List Int)
  | [] => []
  | _ :: us => us

/-- If twice the largest score fits into the common multiple, every layer's score fits into its margin. -/
theorem layersFail_false {P : Int} {c γ s : List Int} (cof : cofactors P c γ = true) (fits : 2 * layersMax c s ≤ P) :
    layersFail γ s = false := by
  induction c generalizing γ s with
  | nil => cases γ with
    | nil => rfl
    | cons _ _ => exact nomatch cof
  | cons c cs ih => cases γ with
    | nil => exact nomatch cof
    | cons g γ => cases s with
      | nil => rfl
      | cons x s =>
        obtain ⟨c₀, cof⟩ := Bool.and_eq_true_iff.mp cof
        obtain ⟨e, cof⟩ := Bool.and_eq_true_iff.mp cof
        have c₀ := of_decide_eq_true c₀
        have e := of_decide_eq_true e
        have fits : 2 * larger (c * x) (layersMax cs s) ≤ P := fits
        have both : c * x ≤ larger (c * x) (layersMax cs s) ∧ layersMax cs s ≤ larger (c * x) (layersMax cs s) := by
          unfold larger
          by_cases h : c * x ≤ layersMax cs s
          · rw [if_pos h]; exact ⟨h, Int.le_refl _⟩
          · rw [if_neg h]; exact ⟨Int.le_refl _, Int.le_of_lt (Int.lt_of_not_le h)⟩
        have here : 2 * x ≤ g := by
          refine Int.le_of_mul_le_mul_left (a := c) ?_ c₀
          rw [e]; lin [fits, both.1, both.1]
        show (decide (g < 2 * x) || layersFail γ s) = false
        rw [decide_eq_false (fun h => Int.not_le_of_lt h here), ih cof (by lin [fits, both.2, both.2])]
        rfl

/-- **One score for all layers**: an outcome lists `n + 1` units, the new one first, each with a score for every layer; the margins
`γ_ℓ` and their cofactors are fixed, and the largest scores of the units, `max_ℓ s_ℓ/γ_ℓ` cross-multiplied, are exchangeable.  The
probability that the gate of rank `k` for all layers admits and in *some* layer the new score exceeds half the margin is at
most `(n + 1 - k)/(n + 1)`, however many layers there are. -/
theorem conformal_layers_max {Ω : List (List (List Int))} {n : Nat} {P : Int} {c γ : List Int}
    (exchangeable : Exchangeable (n + 1) (map (fun o => map (layersMax c) o) Ω)) (num den : Nat) :
    countP (fun o => layersMaxAdmit (calibrationUnits o) c γ P num den && layersFail γ (newUnit o)) Ω * (n + 1)
      ≤ (n + 1 - conformalRank n num den) * Ω.length := by
  refine Nat.le_trans (Nat.mul_le_mul_right (n + 1) (countP_le_countP (fun o m f => ?_)))
    (conformal_admitted_failure_rate_any_margin exchangeable num den (fun _ => P))
  obtain ⟨admitted, fails⟩ := Bool.and_eq_true_iff.mp f
  obtain ⟨cof, admitted⟩ := Bool.and_eq_true_iff.mp admitted
  cases o with
  | nil =>
    have none : layersFail γ [] = false := by
      cases γ with
      | nil => rfl
      | cons _ _ => rfl
    exact nomatch none.symm.trans fails
  | cons u us =>
    refine Bool.and_eq_true_iff.mpr ⟨admitted, decide_eq_true (Int.lt_of_not_le fun g => ?_)⟩
    rw [show layersFail γ (newUnit (u :: us)) = false from layersFail_false cof g] at fails
    exact nomatch fails

/-- The same as a level: at most `1 - q`. -/
theorem conformal_layers_max_level {Ω : List (List (List Int))} {n : Nat} {P : Int} {c γ : List Int}
    (exchangeable : Exchangeable (n + 1) (map (fun o => map (layersMax c) o) Ω)) (num den : Nat) (hden : 0 < den) :
    countP (fun o => layersMaxAdmit (calibrationUnits o) c γ P num den && layersFail γ (newUnit o)) Ω * den
      ≤ (den - num) * Ω.length :=
  level_of_rank hden (conformal_layers_max exchangeable num den)

/-- Not vacuous: two layers with margins 2 and 4 and cofactors 2 and 1; units with the scores (1, 0) and (0, 2), each of them as large
as its margin allows: level 1/2 admits, and no layer fails. -/
theorem conformal_layers_max_instance :
    Exchangeable 2 (map (fun o => map (layersMax [2, 1]) o) [[[1, 0], [0, 2]], [[0, 2], [1, 0]]]) ∧
    layersMaxAdmit [[0, 2]] [2, 1] [2, 4] 4 1 2 = true ∧ layersFail [2, 4] [1, 0] = false ∧ layersFail [2, 4] [1, 3] = true :=
  ⟨exchangeable_perms [2, 2], rfl, rfl, rfl⟩

/-- Attained: the same layers, and the units (1, 0) and (0, 10) in both orders: where the second is the new one, all is admitted and its
second layer fails. -/
theorem conformal_layers_max_sharp :
    Exchangeable 2 (map (fun o => map (layersMax [2, 1]) o) [[[1, 0], [0, 10]], [[0, 10], [1, 0]]]) ∧
    countP (fun o => layersMaxAdmit (calibrationUnits o) [2, 1] [2, 4] 4 1 2 && layersFail [2, 4] (newUnit o))
        [[[1, 0], [0, 10]], [[0, 10], [1, 0]]] * (1 + 1)
      = (1 + 1 - conformalRank 1 1 2) * [[[1, 0], [0, 10]], [[(0 : Int), 10], [1, 0]]].length :=
  ⟨exchangeable_perms [2, 10], rfl⟩

/-- Exact: the gate for all layers asks no more than it needs.  Where the cofactors fit and there is a threshold, a refused list of
margins has a unit of the calibration whose largest score does not fit, and in that unit some layer fails. -/
theorem conformal_layers_max_exact {P : Int} {c γ s : List Int} (cof : cofactors P c γ = true) (hP : 0 ≤ P)
    (large : P < 2 * layersMax c s) : layersFail γ s = true := by
  induction c generalizing γ s with
  | nil => exact absurd hP (Int.not_le_of_lt large)
  | cons c cs ih => cases γ with
    | nil => exact nomatch cof
    | cons g γ => cases s with
      | nil => exact absurd hP (Int.not_le_of_lt large)
      | cons x s =>
        obtain ⟨c₀, cof⟩ := Bool.and_eq_true_iff.mp cof
        obtain ⟨e, cof⟩ := Bool.and_eq_true_iff.mp cof
        have c₀ := of_decide_eq_true c₀
        have e := of_decide_eq_true e
        have large : P < 2 * larger (c * x) (layersMax cs s) := large
        unfold larger at large
        by_cases h : c * x ≤ layersMax cs s
        · rw [if_pos h] at large
          exact Bool.or_eq_true_iff.mpr (.inr (ih cof large))
        · rw [if_neg h] at large
          refine Bool.or_eq_true_iff.mpr (.inl (decide_eq_true (Int.lt_of_not_le fun k => ?_)))
          have k := Int.mul_le_mul_of_nonneg_left k (Int.le_of_lt c₀)
          rw [e] at k
          refine absurd ?_ (Int.not_le_of_lt large)
          lin [k]
end Gnosis

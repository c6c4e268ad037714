prelude
import Gnosis.Decision.ConformalJit
import Gnosis.ConformalCoverageProbability
import Gnosis.JitDequantAdmissibility
/-! # Calibrate, then serve

The conformal gate put together with the margin gate and with serving from coarse rows.  An outcome is one run of
the whole scheme: calibration scores, and one new tile that is served if the gate admits.  The failure that is
counted is the one that matters: the gate admitted, and the winner that was served is not a maximiser of the true
logits.  If the new score and the calibration scores are exchangeable, its probability is at most `1 - q`.

The new score is whatever bounds the new tile's error; it is not known when the gate decides, and need not be. -/
open List
namespace Gnosis

/-- Decide whether `w` is a maximiser of `z`: the margin gate with bound 0. -/
def maximises (z : List Int) (w : Nat) : Bool := marginAdmit z w 0

/-- The decision is right. -/
theorem maximises_iff {z : List Int} {w : Nat} : maximises z w = true ↔ IsMaximiser z w := by
  refine marginAdmit_iff.trans ⟨fun ⟨hw, _, h⟩ => ⟨hw, fun j hj => ?_⟩, fun h => ⟨h.1, Int.le_refl 0, fun j hj _ => ?_⟩⟩
  · by_cases n : j = w
    · rw [n]; exact Int.le_refl _
    · lin [h j hj n]
  · lin [h.2 j hj]

/-- Failures of a gate are among the lies, whose rate is `(N + 1 - k)/(N + 1)`: the common end of theorems about rates. -/
theorem failures_le_rank {ω : Type} {Ω : List ω} {scores : ω → List Int} {N num den : Nat} (fails : ω → Bool)
    (exchangeable : Exchangeable (N + 1) (map scores Ω))
    (h : ∀ o, o ∈ Ω → fails o = true →
      lies (conformalRank (calibration (scores o)).length num den) (newScore (scores o)) (calibration (scores o))
        = true) :
    countP fails Ω * (N + 1) ≤ (N + 1 - conformalRank N num den) * Ω.length := by
  have rate := conformal_lie_rate_exchangeable exchangeable (conformalRank N num den)
  rw [countP_map, length_map] at rate
  refine Nat.le_trans (Nat.mul_le_mul_right (N + 1) (countP_le_countP (fun o m f => ?_))) rate
  have k := h o m f
  have len := exchangeable.1 _ (mem_map_of_mem scores m)
  generalize scores o = t at *
  cases t with
  | nil => exact nomatch len
  | cons x rest =>
    have len : rest.length = N := Nat.add_right_cancel len
    rw [← len]; exact k

/-- The same with the level in the place of the rate. -/
theorem failures_le_of_lies {ω : Type} {Ω : List ω} {scores : ω → List Int} {N num den : Nat} (fails : ω → Bool)
    (exchangeable : Exchangeable (N + 1) (map scores Ω)) (hden : 0 < den)
    (h : ∀ o, o ∈ Ω → fails o = true →
      lies (conformalRank (calibration (scores o)).length num den) (newScore (scores o)) (calibration (scores o))
        = true) :
    countP fails Ω * den ≤ (den - num) * Ω.length := level_of_rank hden (failures_le_rank fails exchangeable h)

/-! ## Errors of logits -/

/-- One run: the scores (new one first), the coarse and the true logits of the new tile, the coarse winner. -/
structure MarginRun where
  scores : List Int
  coarse : List Int
  exact : List Int
  winner : Nat

/-- What makes the new score a score of the new tile: no true logit is further from its coarse logit. -/
def MarginRun.Valid (r : MarginRun) : Prop := Within (fun _ => newScore r.scores) r.coarse r.exact

/-- The gate admitted the run and the winner was lost. -/
def MarginRun.failed (num den : Nat) (γ : Int) (r : MarginRun) : Bool :=
  conformalMarginAdmit (calibration r.scores) num den γ r.coarse r.winner && !maximises r.exact r.winner

/-- **Calibrate, then serve by the margin**: equally likely runs with exchangeable scores, each score the largest
error of a logit of its tile.  The probability that the gate of level `q = num / den` and margin `γ` admits and the
winner of the coarse logits is nevertheless no maximiser of the true ones is at most `1 - q`. -/
theorem conformal_then_margin_sound {N : Nat} {Ω : List MarginRun} {num den : Nat} {γ : Int}
    (exchangeable : Exchangeable (N + 1) (map MarginRun.scores Ω)) (valid : ∀ r, r ∈ Ω → r.Valid) (hden : 0 < den) :
    countP (MarginRun.failed num den γ) Ω * den ≤ (den - num) * Ω.length := by
  refine failures_le_of_lies (MarginRun.failed num den γ) exchangeable hden (fun r m f => ?_)
  obtain ⟨admitted, lost⟩ := Bool.and_eq_true_iff.mp f
  obtain ⟨conformal, admitted⟩ := Bool.and_eq_true_iff.mp admitted
  obtain ⟨hw, lead⟩ := Bool.and_eq_true_iff.mp admitted
  have hw := of_decide_eq_true hw
  refine conformal_admit_sound conformal (Int.lt_of_not_le (fun g => ?_))
  -- if twice the score fitted into the margin, the winner would be kept
  have near : Within (fun _ => newScore r.scores) r.coarse r.exact := valid r m
  have hx : 0 ≤ newScore r.scores := by
    have k := Int.le_trans (near.lower _ hw) (near.upper _ hw)
    refine Int.le_of_mul_le_mul_left (a := 2) ?_ (by decide)
    lin [k]
  have kept : IsMaximiser r.exact r.winner := (argmax_preserved_of_margin hw hx (fun j hj n => by
    lin [(leads_same_iff _ _ _ _).mp lead j hj n]) near).1 g
  rw [maximises_iff.mpr kept] at lost
  exact nomatch lost

/-- **Not vacuous**: scores 1 and 1, margin 2; the coarse logits are 0 and 2, the true ones 1 and 1.  All hypotheses
hold, the gate admits, and the winner is still a maximiser. -/
theorem conformal_margin_instance :
    Exchangeable 2 (map MarginRun.scores [⟨[1, 1], [0, 2], [1, 1], 1⟩, ⟨[1, 1], [0, 2], [1, 1], 1⟩])
    ∧ (⟨[1, 1], [0, 2], [1, 1], 1⟩ : MarginRun).Valid
    ∧ conformalMarginAdmit [1] 1 2 2 [0, 2] 1 = true ∧ maximises [1, 1] 1 = true :=
  ⟨exchangeable_perms [1, 1], ⟨rfl, by decide, by decide⟩, rfl, rfl⟩

/-- **Attained**: errors 0 and 10 take turns as the new score, level 1/2, margin 2.  In one of the two runs the gate
admits, and there the winner is lost. -/
theorem conformal_then_margin_sharp :
    let Ω : List MarginRun := [⟨[0, 10], [0, 2], [0, 2], 1⟩, ⟨[10, 0], [0, 2], [10, -8], 1⟩]
    Exchangeable 2 (map MarginRun.scores Ω) ∧ (∀ r, r ∈ Ω → r.Valid)
    ∧ countP (MarginRun.failed 1 2 2) Ω * 2 = (2 - 1) * Ω.length := by
  refine ⟨exchangeable_perms [0, 10], fun r m => ?_, rfl⟩
  cases m with
  | head => exact ⟨rfl, by decide, by decide⟩
  | tail _ m => cases m with
    | head => exact ⟨rfl, by decide, by decide⟩
    | tail _ m => exact nomatch m

/-! ## Residual energies -/

/-- One run: the scores (new one first), and the new tile with its decoded rows, residuals, activation, the bound
`A` on the activation's energy, the coarse winner and the margin `γ` measured on the coarse logits. -/
structure JitRun where
  scores : List Int
  rows : List (List Int)
  residuals : List (List Int)
  activation : List Int
  A : Int
  winner : Nat
  γ : Int

/-- What makes the new score a score of the new tile: no row's residual has more energy.  And the shapes fit, and
`A` bounds the activation's energy. -/
structure JitRun.Valid (r : JitRun) : Prop where
  shapes : Forall₂ (fun w t => List.length w = List.length t) r.rows r.residuals
  energies : ∀ t, t ∈ r.residuals → energy t ≤ newScore r.scores
  activation : energy r.activation ≤ r.A

/-- The logits that the coarse rows give. -/
def JitRun.coarse (r : JitRun) : List Int := logits r.rows r.activation

/-- The logits that the true rows give. -/
def JitRun.exact (r : JitRun) : List Int := logits (addRows r.rows r.residuals) r.activation

/-- The gate admitted the run and the winner was lost. -/
def JitRun.failed (num den : Nat) (r : JitRun) : Bool :=
  conformalJitAdmit (calibration r.scores) num den r.coarse r.winner r.A r.γ && !maximises r.exact r.winner

/-- Given that the threshold does not lie about the new tile, an admitted winner is kept: the deterministic half. -/
theorem conformal_jit_keeps {r : JitRun} {num den : Nat} {t : Int} (valid : r.Valid)
    (finite : conformalThreshold (calibration r.scores) num den = some t) (true_threshold : newScore r.scores ≤ t)
    (admitted : conformalJitAdmit (calibration r.scores) num den r.coarse r.winner r.A r.γ = true) :
    IsMaximiser r.exact r.winner := by
  unfold conformalJitAdmit at admitted
  rw [finite] at admitted
  have admitted : jitAdmit (logits r.rows r.activation) r.winner
      (map (fun _ => t) (logits r.rows r.activation)) r.A r.γ = true := admitted
  refine jit_dequant_sound ⟨valid.shapes, ?_, valid.activation⟩ admitted
  have energies := valid.energies
  have shapes := valid.shapes
  generalize r.rows = W, r.residuals = T at *
  clear admitted
  induction shapes with
  | nil => exact .nil
  | cons _ _ ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons energies
    exact .cons (Int.le_trans h₁ true_threshold) (ih h₂)

/-- **Calibrate, then serve from coarse rows**: equally likely runs with exchangeable scores, each score the largest
residual energy of a row of its tile; the margin is measured on the coarse logits, tile by tile.  The probability
that the gate of level `q = num / den` admits and the winner of the coarse logits is nevertheless no maximiser of
the true ones is at most `1 - q`.  No residual of the new tile is known at serve time. -/
theorem conformal_then_jit_sound {N : Nat} {Ω : List JitRun} {num den : Nat}
    (exchangeable : Exchangeable (N + 1) (map JitRun.scores Ω)) (valid : ∀ r, r ∈ Ω → r.Valid) (hden : 0 < den) :
    countP (JitRun.failed num den) Ω * den ≤ (den - num) * Ω.length := by
  refine failures_le_of_lies (JitRun.failed num den) exchangeable hden (fun r m f => ?_)
  obtain ⟨admitted, lost⟩ := Bool.and_eq_true_iff.mp f
  cases finite : conformalThreshold (calibration r.scores) num den with
  | none =>
    unfold conformalJitAdmit at admitted
    rw [finite] at admitted
    exact nomatch admitted
  | some t =>
    refine (lies_iff_threshold_lt finite _).mpr (Int.lt_of_not_le (fun g => ?_))
    rw [maximises_iff.mpr (conformal_jit_keeps (valid r m) finite g admitted)] at lost
    exact nomatch lost

/-! ## Not vacuous, and attained -/

/-- A bound on the energies, checked row by row. -/
theorem energies_of_check {T : List (List Int)} {x : Int} (h : all T (fun t => decide (energy t ≤ x)) = true) :
    ∀ t, t ∈ T → energy t ≤ x := fun t m => of_decide_eq_true (all_eq_true.mp h t m)

/-- A tile with non-zero residuals, admitted at level 1/2, its winner kept. -/
def keptRun : JitRun := ⟨[1, 1], [[0], [9]], [[1], [-1]], [1], 1, 1, 9⟩

/-- **Not vacuous**: all hypotheses hold of a sample that consists of `keptRun`, and the gate admits it. -/
theorem conformal_jit_instance :
    Exchangeable 2 (map JitRun.scores [keptRun, keptRun]) ∧ keptRun.Valid
    ∧ conformalJitAdmit (calibration keptRun.scores) 1 2 keptRun.coarse keptRun.winner keptRun.A keptRun.γ = true
    ∧ keptRun.failed 1 2 = false :=
  ⟨exchangeable_perms [1, 1], ⟨.cons rfl (.cons rfl .nil), energies_of_check rfl, by decide⟩, rfl, rfl⟩

/-- A tile without residual, calibrated on one of energy 4: refused. -/
def refusedRun : JitRun := ⟨[0, 4], [[0], [2]], [[0], [0]], [1], 1, 1, 2⟩

/-- A tile with residual energy 4, calibrated on one without residual: admitted, and the winner is lost. -/
def lostRun : JitRun := ⟨[4, 0], [[0], [2]], [[2], [-2]], [1], 1, 1, 2⟩

/-- **Attained**: two tiles, one with residuals of energy 4 and one without, take turns as the new one.  At level
1/2 the gate admits one of the two runs, and in that one the winner is lost: the probability of failure is exactly
`1 - 1/2`. -/
theorem conformal_then_jit_sharp :
    Exchangeable 2 (map JitRun.scores [refusedRun, lostRun]) ∧ refusedRun.Valid ∧ lostRun.Valid
    ∧ countP (JitRun.failed 1 2) [refusedRun, lostRun] * 2 = (2 - 1) * [refusedRun, lostRun].length :=
  ⟨exchangeable_perms [0, 4],
    ⟨.cons rfl (.cons rfl .nil), energies_of_check rfl, by decide⟩,
    ⟨.cons rfl (.cons rfl .nil), energies_of_check rfl, by decide⟩, rfl⟩
end Gnosis

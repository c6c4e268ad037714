prelude
import Gnosis.ConformalJitAdmissibility
/-! # Calibrate, then serve the same token

`Gnosis.ConformalJitAdmissibility` keeps the coarse winner *a* maximiser of the true logits.  Where a token is promised, the one
with the lowest index, the winner must lead the entries in front of it by more than the margin: these are the gates of this
module.  Beside them: recomputing the candidates of a calibrated bound serves the exact token with the level of the
calibration, and the guarantee of the conformal gate for margins that depend on anything. -/
open List
namespace Gnosis

/-! ## Errors of logits -/

/-- The gate admitted the run and the token is another one. -/
def MarginRun.moved (num den : Nat) (γ : Int) (r : MarginRun) : Bool :=
  conformalMarginAdmitLowest (calibration r.scores) num den γ r.coarse r.winner && !Nat.beq (argmax r.exact) r.winner

/-- **Calibrate, then serve the same token by the margin**: equally likely runs with exchangeable scores, each score the largest
error of a logit of its tile.  The probability that the lowest-index gate of level `q = num / den` and margin `γ` admits and the
argmax of the true logits, lowest index on ties, is nevertheless not the coarse winner is at most `1 - q`. -/
theorem conformal_margin_lowest {N : Nat} {Ω : List MarginRun} {num den : Nat} {γ : Int}
    (exchangeable : Exchangeable (N + 1) (map MarginRun.scores Ω)) (valid : ∀ r, r ∈ Ω → r.Valid) (hden : 0 < den) :
    countP (MarginRun.moved num den γ) Ω * den ≤ (den - num) * Ω.length := by
  refine failures_le_of_lies (MarginRun.moved num den γ) exchangeable hden (fun r m f => ?_)
  obtain ⟨admitted, moved⟩ := Bool.and_eq_true_iff.mp f
  obtain ⟨conformal, admitted⟩ := Bool.and_eq_true_iff.mp admitted
  obtain ⟨hw, lead⟩ := Bool.and_eq_true_iff.mp admitted
  have hw := of_decide_eq_true hw
  refine conformal_admit_sound conformal (Int.lt_of_not_le (fun g => ?_))
  have near : Within (fun _ => newScore r.scores) r.coarse r.exact := valid r m
  have hx : 0 ≤ newScore r.scores := by
    have k := Int.le_trans (near.lower _ hw) (near.upper _ hw)
    refine Int.le_of_mul_le_mul_left (a := 2) ?_ (by decide)
    lin [k]
  obtain ⟨front, behind⟩ := (leads_zero_iff hw).mp lead
  have kept : argmax r.exact = r.winner := argmax_preserved_lowest (marginAdmitLowest_iff.mpr ⟨hw, hx,
    fun j hj => by lin [front j hj, g], fun j hj hl => by lin [behind j hj hl, g]⟩) near
  rw [Nat.beq_eq_true_iff.mpr kept] at moved
  exact nomatch moved

/-- Not vacuous: scores 1 and 1, margin 2; the coarse logits are 0 and 3, the true ones 1 and 2.  And the gate is careful where it
must be: a lead of 2 over a row in front is refused. -/
theorem conformal_margin_lowest_instance :
    Exchangeable 2 (map MarginRun.scores [⟨[1, 1], [0, 3], [1, 2], 1⟩, ⟨[1, 1], [0, 3], [1, 2], 1⟩])
    ∧ (⟨[1, 1], [0, 3], [1, 2], 1⟩ : MarginRun).Valid
    ∧ conformalMarginAdmitLowest [1] 1 2 2 [0, 3] 1 = true ∧ argmax [1, 2] = 1
    ∧ conformalMarginAdmitLowest [1] 1 2 2 [0, 2] 1 = false ∧ conformalMarginAdmitLowest [1] 1 2 2 [2, 0] 0 = true :=
  ⟨exchangeable_perms [1, 1], ⟨rfl, by decide, by decide⟩, rfl, rfl, rfl, rfl⟩

/-- Candidates of the calibrated bound were recomputed, and the token that was served is not the exact one. -/
def MarginRun.misserved (num den : Nat) (r : MarginRun) : Bool :=
  !Nat.beq (conformalServed (calibration r.scores) num den r.coarse r.exact) (argmax r.exact)

/-- **Calibrate, then recompute the candidates**: the conformal threshold of level `q` takes the place of the bound on the error of
every logit.  What is served after recomputing the candidates is the exact token with probability at least `q`, whatever the
margin; nothing is refused. -/
theorem conformal_served_candidates {N : Nat} {Ω : List MarginRun} {num den : Nat}
    (exchangeable : Exchangeable (N + 1) (map MarginRun.scores Ω)) (valid : ∀ r, r ∈ Ω → r.Valid) (hden : 0 < den) :
    countP (MarginRun.misserved num den) Ω * den ≤ (den - num) * Ω.length := by
  refine failures_le_of_lies (MarginRun.misserved num den) exchangeable hden (fun r m f => ?_)
  have f : (!Nat.beq (conformalServed (calibration r.scores) num den r.coarse r.exact) (argmax r.exact)) = true := f
  have right : ∀ {n : Nat}, n = argmax r.exact → (!Nat.beq n (argmax r.exact)) = true → False := fun e h => by
    rw [Nat.beq_eq_true_iff.mpr e] at h; exact nomatch h
  cases finite : conformalThreshold (calibration r.scores) num den with
  | none =>
    unfold conformalServed at f
    rw [finite] at f
    exact (right rfl f).elim
  | some t =>
    refine (lies_iff_threshold_lt finite _).mpr (Int.lt_of_not_le (fun g => ?_))
    unfold conformalServed at f
    rw [finite] at f
    have near : Within (fun _ => newScore r.scores) r.coarse r.exact := valid r m
    refine right (miss_never_lies ⟨near.length_eq, fun i hi => ?_, fun i hi => ?_⟩) f
    · rw [entry_map _ hi]; lin [near.lower i hi, g]
    · rw [entry_map _ hi]; lin [near.upper i hi, g]

/-- Attained: errors 0 and 10 take turns as the new score, level 1/2.  Where the tile with error 10 is served on the bound 0, the
token is another one. -/
theorem conformal_served_sharp :
    let Ω : List MarginRun := [⟨[0, 10], [0, 2], [0, 2], 1⟩, ⟨[10, 0], [0, 2], [10, -8], 1⟩]
    Exchangeable 2 (map MarginRun.scores Ω) ∧ (∀ r, r ∈ Ω → r.Valid)
    ∧ countP (MarginRun.misserved 1 2) Ω * 2 = (2 - 1) * Ω.length := by
  refine ⟨exchangeable_perms [0, 10], fun r m => ?_, rfl⟩
  cases m with
  | head => exact ⟨rfl, by decide, by decide⟩
  | tail _ m => cases m with
    | head => exact ⟨rfl, by decide, by decide⟩
    | tail _ m => exact nomatch m

/-! ## Residual energies -/

/-- **The lowest-index form of serving from coarse rows**: if the sidecars are true and the gate admits `w`, then `w` is the argmax
of the true logits, lowest index on ties. -/
theorem jit_dequant_lowest {Wh T : List (List Int)} {a E : List Int} {A γ : Int} {w : Nat} (side : Sidecars Wh T a E A)
    (admitted : jitAdmitLowest (logits Wh a) w E A γ = true) : argmax (logits (addRows Wh T) a) = w := by
  obtain ⟨admitted, gates⟩ := Bool.and_eq_true_iff.mp admitted
  obtain ⟨admitted, lead⟩ := Bool.and_eq_true_iff.mp admitted
  have hw := of_decide_eq_true (Bool.and_eq_true_iff.mp admitted).2
  obtain ⟨front, behind⟩ := (leads_zero_iff hw).mp lead
  obtain ⟨hE, len, eq⟩ := side.true_logits
  have err : ∀ i, i < (logits Wh a).length → -γ ≤ 2 * entry (logits T a) i ∧ 2 * entry (logits T a) i ≤ γ := fun i hi =>
    errors_of_sidecars (a := a) (p := fun x _ => -γ ≤ 2 * x ∧ 2 * x ≤ γ) side.energies
      (fun t e he m => energy_sidecar_sound he side.activation (all_eq_true.mp gates e m)) i (by rw [hE]; exact hi)
  have more : ∀ j, j < w → entry (logits (addRows Wh T) a) j < entry (logits (addRows Wh T) a) w := fun j hj => by
    have hj' := Nat.lt_of_lt_of_le hj (Nat.le_trans (Nat.le_succ w) hw)
    rw [eq j hj', eq w hw]
    refine Int.lt_of_not_le fun g => ?_
    lin [front j hj, front j hj, (err j hj').2, (err w hw).1, g, g]
  refine (isArgmax_iff.mp ⟨⟨by rw [len]; exact hw, fun j hj => ?_⟩, more⟩).2
  rw [len] at hj
  rcases Nat.lt_or_ge j w with g | g
  · exact Int.le_of_lt (more j g)
  · by_cases e : j = w
    · rw [e]; exact Int.le_refl _
    · have g : w < j := (Nat.lt_or_ge w j).elim id fun k => absurd (Nat.le_antisymm k g) e
      rw [eq j hj, eq w hw]
      refine Int.le_of_mul_le_mul_left (a := 2) ?_ (by decide)
      lin [behind j g hj, behind j g hj, (err j hj).2, (err w hw).1]

/-- The gate admitted the run and the token is another one. -/
def JitRun.moved (num den : Nat) (r : JitRun) : Bool :=
  conformalJitAdmitLowest (calibration r.scores) num den r.coarse r.winner r.A r.γ && !Nat.beq (argmax r.exact) r.winner

/-- **Calibrate, then serve the same token from coarse rows**: equally likely runs with exchangeable scores, each score the largest
residual energy of a row of its tile.  The probability that the lowest-index gate of level `q` admits and the argmax of the true
logits, lowest index on ties, is nevertheless not the coarse winner is at most `1 - q`. -/
theorem conformal_jit_lowest {N : Nat} {Ω : List JitRun} {num den : Nat}
    (exchangeable : Exchangeable (N + 1) (map JitRun.scores Ω)) (valid : ∀ r, r ∈ Ω → r.Valid) (hden : 0 < den) :
    countP (JitRun.moved num den) Ω * den ≤ (den - num) * Ω.length := by
  refine failures_le_of_lies (JitRun.moved num den) exchangeable hden (fun r m f => ?_)
  obtain ⟨admitted, moved⟩ := Bool.and_eq_true_iff.mp f
  cases finite : conformalThreshold (calibration r.scores) num den with
  | none =>
    unfold conformalJitAdmitLowest at admitted
    rw [finite] at admitted
    exact nomatch admitted
  | some t =>
    refine (lies_iff_threshold_lt finite _).mpr (Int.lt_of_not_le (fun g => ?_))
    unfold conformalJitAdmitLowest at admitted
    rw [finite] at admitted
    have admitted : jitAdmitLowest (logits r.rows r.activation) r.winner
      (map (fun _ => t) (logits r.rows r.activation)) r.A r.γ = true := admitted
    have v := valid r m
    have side : Sidecars r.rows r.residuals r.activation (map (fun _ => t) (logits r.rows r.activation)) r.A := by
      refine ⟨v.shapes, ?_, v.activation⟩
      have energies := v.energies
      have shapes := v.shapes
      clear admitted moved
      generalize r.rows = W, r.residuals = T at *
      induction shapes with
      | nil => exact .nil
      | cons _ _ ih =>
        obtain ⟨h₁, h₂⟩ := forall_mem_cons energies
        exact .cons (Int.le_trans h₁ g) (ih h₂)
    have kept : argmax r.exact = r.winner := jit_dequant_lowest side admitted
    rw [Nat.beq_eq_true_iff.mpr kept] at moved
    exact nomatch moved

/-- Not vacuous: `keptRun` is admitted under the lowest-index rule too. -/
theorem conformal_jit_lowest_instance : Exchangeable 2 (map JitRun.scores [keptRun, keptRun]) ∧ keptRun.Valid
    ∧ conformalJitAdmitLowest (calibration keptRun.scores) 1 2 keptRun.coarse keptRun.winner keptRun.A 8 = true
    ∧ argmax keptRun.exact = keptRun.winner :=
  ⟨conformal_jit_instance.1, conformal_jit_instance.2.1, rfl, rfl⟩

/-! ## Any margin -/

/-- **The gate's guarantee for any margin**: the margin may be any function of the outcome, of the calibration scores, of the new
score, of the tile.  The probability that the gate of level `q` admits and the new residual nevertheless exceeds half the margin
is at most `1 - q`.  (It is the probability of both together, not a share of the admitted.) -/
theorem conformal_admitted_failure_rate_any_margin {ω : Type} {Ω : List ω} {scores : ω → List Int} {n : Nat}
    (exchangeable : Exchangeable (n + 1) (map scores Ω)) (num den : Nat) (hden : 0 < den) (γ : ω → Int) :
    countP (fun o => admittedFailure num den (γ o) (scores o)) Ω * den ≤ (den - num) * Ω.length := by
  refine failures_le_of_lies (fun o => admittedFailure num den (γ o) (scores o)) exchangeable hden (fun o m f => ?_)
  have f : admittedFailure num den (γ o) (scores o) = true := f
  generalize scores o = t at *
  cases t with
  | nil => exact nomatch f
  | cons x rest =>
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp (show (conformalAdmit rest num den (γ o) && decide (γ o < 2 * x)) = true from f)
    exact conformal_admit_sound h₁ (of_decide_eq_true h₂)

/-- Attained, with a margin taken from the calibration score itself: twice that score is the least margin that is admitted. -/
theorem conformal_any_margin_sharp : Exchangeable 2 (map (fun t => t) (perms [0, 10]))
    ∧ countP (fun t => admittedFailure 1 2 (2 * newScore (calibration t)) t) (perms [0, 10]) * 2 = (2 - 1) * (perms [(0 : Int), 10]).length :=
  ⟨exchangeable_perms [0, 10], rfl⟩
end Gnosis

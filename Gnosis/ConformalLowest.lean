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

/-- What the scan of leads checks, with the list starting at index `i`. -/
theorem leadsSidecars_iff (E : List Int) (A x : Int) (w i : Nat) (z : List Int) :
    leadsSidecars E A x w i z = true ↔ ∀ j, j < z.length → i + j ≠ w →
      (if i + j < w then E.all (fun e => energySidecarAdmitStrict e A (x - entry z j))
        else E.all (fun e => energySidecarAdmit e A (x - entry z j))) = true := by
  induction z generalizing i with
  | nil => exact ⟨fun _ j h => absurd h (Nat.not_succ_le_zero j), fun _ => rfl⟩
  | cons y ys ih =>
    refine Bool.and_eq_true_iff.trans (Iff.trans ?_ forall_index_cons.symm)
    have e : ∀ j, i + 1 + j = i + (j + 1) := fun j => Nat.add_right_comm i 1 j
    constructor
    · intro ⟨h, k⟩
      refine ⟨fun n => ?_, fun j hj n => ?_⟩
      · rcases Bool.or_eq_true_iff.mp h with h | h
        · exact absurd (of_decide_eq_true h) n
        · exact h
      · have := (ih (i + 1)).mp k j hj (by rw [e]; exact n)
        rw [e] at this
        exact this
    · intro ⟨h, k⟩
      refine ⟨?_, (ih (i + 1)).mpr fun j hj n => ?_⟩
      · by_cases g : i = w
        · exact Bool.or_eq_true_iff.mpr (.inl (decide_eq_true g))
        · exact Bool.or_eq_true_iff.mpr (.inr (h g))
      · have := k j hj (by rw [← e]; exact n)
        rw [← e] at this
        exact this

/-- What the scan of a whole list checks, for the logits in front of `w` and behind it. -/
theorem leadsSidecars_zero_iff {E : List Int} {A x : Int} {w : Nat} {z : List Int} (hw : w < z.length) :
    leadsSidecars E A x w 0 z = true ↔
      (∀ j, j < w → ∀ e, e ∈ E → energySidecarAdmitStrict e A (x - entry z j) = true) ∧
        ∀ j, w < j → j < z.length → ∀ e, e ∈ E → energySidecarAdmit e A (x - entry z j) = true := by
  refine (leadsSidecars_iff E A x w 0 z).trans ⟨fun h => ⟨fun j hj => ?_, fun j hj hl => ?_⟩, fun ⟨h, k⟩ j hl n => ?_⟩
  · have := h j (Nat.lt_of_lt_of_le hj (Nat.le_trans (Nat.le_succ w) hw))
    rw [Nat.zero_add, if_pos hj] at this
    exact all_eq_true.mp (this (fun e => Nat.not_le_of_lt hj (Nat.le_of_eq e.symm)))
  · have := h j hl
    rw [Nat.zero_add, if_neg (fun g => Nat.not_le_of_lt g (Nat.le_trans (Nat.le_succ w) hj))] at this
    exact all_eq_true.mp (this (fun e => Nat.not_le_of_lt hj (Nat.le_of_eq e)))
  · rw [Nat.zero_add] at n ⊢
    rcases Nat.lt_or_ge j w with g | g
    · rw [if_pos g]; exact all_eq_true.mpr (h j g)
    · rw [if_neg (fun l => Nat.not_le_of_lt l g)]
      exact all_eq_true.mpr (k j ((Nat.lt_or_ge w j).elim id fun l => absurd (Nat.le_antisymm l g) n) hl)

/-- **Serving from coarse rows by the leads themselves**: if the sidecars are true, `w` leads every coarse logit behind it by a margin
at which the sidecar gate admits every row, and every one in front of it by a margin at which the strict gate does, then `w` is
the argmax of the true logits, lowest index on ties. -/
theorem jit_dequant_lowest_of_lead {Wh T : List (List Int)} {a E : List Int} {A : Int} {w : Nat} (side : Sidecars Wh T a E A)
    (admitted : jitLeadAdmit (logits Wh a) w E A = true) : argmax (logits (addRows Wh T) a) = w := by
  obtain ⟨admitted, lead⟩ := Bool.and_eq_true_iff.mp admitted
  have hw := of_decide_eq_true (Bool.and_eq_true_iff.mp admitted).2
  obtain ⟨front, behind⟩ := (leadsSidecars_zero_iff hw).mp lead
  obtain ⟨hE, len, eq⟩ := side.true_logits
  have more : ∀ j, j < w → entry (logits (addRows Wh T) a) j < entry (logits (addRows Wh T) a) w := fun j hj => by
    have hj' := Nat.lt_of_lt_of_le hj (Nat.le_trans (Nat.le_succ w) hw)
    have err := errors_of_sidecars (a := a) (p := fun x _ => -(entry (logits Wh a) w - entry (logits Wh a) j) < 2 * x
      ∧ 2 * x < entry (logits Wh a) w - entry (logits Wh a) j) side.energies
      (fun t e he m => energy_sidecar_sound_strict he side.activation (front j hj e m))
    have ej := (err j (by rw [hE]; exact hj')).2
    have ew := (err w (by rw [hE]; exact hw)).1
    rw [eq j hj', eq w hw]
    refine Int.lt_of_not_le fun g => ?_
    lin [ej, ew, g, g]
  refine (isArgmax_iff.mp ⟨⟨by rw [len]; exact hw, fun j hj => ?_⟩, more⟩).2
  rw [len] at hj
  rcases Nat.lt_or_ge j w with g | g
  · exact Int.le_of_lt (more j g)
  · by_cases e : j = w
    · rw [e]; exact Int.le_refl _
    · have g : w < j := (Nat.lt_or_ge w j).elim id fun k => absurd (Nat.le_antisymm k g) e
      have err := errors_of_sidecars (a := a) (p := fun x _ => -(entry (logits Wh a) w - entry (logits Wh a) j) ≤ 2 * x
        ∧ 2 * x ≤ entry (logits Wh a) w - entry (logits Wh a) j) side.energies
        (fun t e he m => energy_sidecar_sound he side.activation (behind j g hj e m))
      have ej := (err j (by rw [hE]; exact hj)).2
      have ew := (err w (by rw [hE]; exact hw)).1
      rw [eq j hj, eq w hw]
      refine Int.le_of_mul_le_mul_left (a := 2) ?_ (by decide)
      lin [ej, ew]

/-- It admits what no whole margin does: energies 2, activation energy 1, and a lead of 3 over a row in front, `4·2·1 < 9`; a margin would
have to be less than 3 and its square at least 8. -/
theorem jit_lead_more_than_margins : jitLeadAdmit [0, 3] 1 [2, 2] 1 = true ∧ jitAdmitLowest [0, 3] 1 [2, 2] 1 2 = false ∧
    jitAdmitLowest [0, 3] 1 [2, 2] 1 3 = false ∧ jitLeadAdmit [0, 2] 1 [1, 1] 1 = false ∧ jitLeadAdmit [2, 0] 0 [1, 1] 1 = true :=
  ⟨rfl, rfl, rfl, rfl, rfl⟩

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

/-- The gate that goes by the leads admitted the run and the token is another one. -/
def JitRun.movedByLead (num den : Nat) (r : JitRun) : Bool :=
  conformalJitLeadAdmit (calibration r.scores) num den r.coarse r.winner r.A && !Nat.beq (argmax r.exact) r.winner

/-- **Calibrate, then serve the same token, by the leads themselves**: equally likely runs with exchangeable scores, each score the
largest residual energy of a row of its tile.  The probability that the gate of rank `k` admits and the argmax of the true
logits, lowest index on ties, is nevertheless not the coarse winner is at most `(N + 1 - k)/(N + 1)`. -/
theorem conformal_jit_lead {N : Nat} {Ω : List JitRun} {num den : Nat}
    (exchangeable : Exchangeable (N + 1) (map JitRun.scores Ω)) (valid : ∀ r, r ∈ Ω → r.Valid) :
    countP (JitRun.movedByLead num den) Ω * (N + 1) ≤ (N + 1 - conformalRank N num den) * Ω.length := by
  refine failures_le_rank (JitRun.movedByLead num den) exchangeable (fun r m f => ?_)
  obtain ⟨admitted, moved⟩ := Bool.and_eq_true_iff.mp f
  cases finite : conformalThreshold (calibration r.scores) num den with
  | none =>
    unfold conformalJitLeadAdmit at admitted
    rw [finite] at admitted
    exact nomatch admitted
  | some t =>
    refine (lies_iff_threshold_lt finite _).mpr (Int.lt_of_not_le (fun g => ?_))
    unfold conformalJitLeadAdmit at admitted
    rw [finite] at admitted
    obtain ⟨hw, lead⟩ := Bool.and_eq_true_iff.mp admitted
    have hw : r.winner < (logits r.rows r.activation).length := of_decide_eq_true hw
    obtain ⟨front, behind⟩ := (leadsSidecars_zero_iff (z := logits r.rows r.activation) hw).mp lead
    have only : ∀ e, e ∈ map (fun _ => t) (logits r.rows r.activation) → e = t := fun e m => by
      obtain ⟨_, _, k⟩ := exists_of_mem_map m
      exact k.symm
    have v := valid r m
    have side : Sidecars r.rows r.residuals r.activation (map (fun _ => t) (logits r.rows r.activation)) r.A := by
      refine ⟨v.shapes, ?_, v.activation⟩
      have energies := v.energies
      have shapes := v.shapes
      clear admitted moved hw lead front behind only
      generalize r.rows = W, r.residuals = T at *
      induction shapes with
      | nil => exact .nil
      | cons _ _ ih =>
        obtain ⟨h₁, h₂⟩ := forall_mem_cons energies
        exact .cons (Int.le_trans h₁ g) (ih h₂)
    have kept : argmax r.exact = r.winner := jit_dequant_lowest_of_lead side
      (Bool.and_eq_true_iff.mpr ⟨Bool.and_eq_true_iff.mpr ⟨Nat.beq_eq_true_iff.mpr (length_map _ _).symm, decide_eq_true hw⟩,
        (leadsSidecars_zero_iff hw).mpr ⟨fun j hj e me => by rw [only e me]; exact front j hj t (.head _),
          fun j hj hl e me => by rw [only e me]; exact behind j hj hl t (.head _)⟩⟩)
    rw [Nat.beq_eq_true_iff.mpr kept] at moved
    exact nomatch moved

/-- Not vacuous, and exact where a row in front ties: `keptRun` is admitted; where the lead of 2 is what two residuals of energy 1 take
away, the row in front refuses and the row behind does not. -/
theorem conformal_jit_lead_instance : Exchangeable 2 (map JitRun.scores [keptRun, keptRun]) ∧ keptRun.Valid
    ∧ conformalJitLeadAdmit (calibration keptRun.scores) 1 2 keptRun.coarse keptRun.winner keptRun.A = true
    ∧ argmax keptRun.exact = keptRun.winner
    ∧ conformalJitLeadAdmit [1] 1 2 [0, 2] 1 1 = false ∧ conformalJitLeadAdmit [1] 1 2 [2, 0] 0 1 = true :=
  ⟨conformal_jit_instance.1, conformal_jit_instance.2.1, rfl, rfl, rfl, rfl⟩

/-- Not vacuous: `keptRun` is admitted under the lowest-index rule too. -/
theorem conformal_jit_lowest_instance : Exchangeable 2 (map JitRun.scores [keptRun, keptRun]) ∧ keptRun.Valid
    ∧ conformalJitAdmitLowest (calibration keptRun.scores) 1 2 keptRun.coarse keptRun.winner keptRun.A 8 = true
    ∧ argmax keptRun.exact = keptRun.winner :=
  ⟨conformal_jit_instance.1, conformal_jit_instance.2.1, rfl, rfl⟩

/-! ## Any margin -/

/-- **The gate's guarantee for any margin**: the margin may be any function of the outcome, of the calibration scores, of the new
score, of the tile.  The probability that the gate of rank `k` admits and the new residual nevertheless exceeds half the margin
is at most `(n + 1 - k)/(n + 1)`.  (It is the probability of both together, not a share of the admitted.) -/
theorem conformal_admitted_failure_rate_any_margin {ω : Type} {Ω : List ω} {scores : ω → List Int} {n : Nat}
    (exchangeable : Exchangeable (n + 1) (map scores Ω)) (num den : Nat) (γ : ω → Int) :
    countP (fun o => admittedFailure num den (γ o) (scores o)) Ω * (n + 1) ≤ (n + 1 - conformalRank n num den) * Ω.length := by
  refine failures_le_rank (fun o => admittedFailure num den (γ o) (scores o)) exchangeable (fun o m f => ?_)
  have f : admittedFailure num den (γ o) (scores o) = true := f
  generalize scores o = t at *
  cases t with
  | nil => exact nomatch f
  | cons x rest =>
    obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp (show (conformalAdmit rest num den (γ o) && decide (γ o < 2 * x)) = true from f)
    exact conformal_admit_sound h₁ (of_decide_eq_true h₂)

/-- The same as a level: at most `1 - q`. -/
theorem conformal_any_margin_level {ω : Type} {Ω : List ω} {scores : ω → List Int} {n : Nat}
    (exchangeable : Exchangeable (n + 1) (map scores Ω)) (num den : Nat) (hden : 0 < den) (γ : ω → Int) :
    countP (fun o => admittedFailure num den (γ o) (scores o)) Ω * den ≤ (den - num) * Ω.length :=
  level_of_rank hden (conformal_admitted_failure_rate_any_margin exchangeable num den γ)

/-- Attained, with a margin taken from the calibration score itself: twice that score is the least margin that is admitted. -/
theorem conformal_any_margin_sharp : Exchangeable 2 (map (fun t => t) (perms [0, 10]))
    ∧ countP (fun t => admittedFailure 1 2 (2 * newScore (calibration t)) t) (perms [0, 10]) * (1 + 1)
      = (1 + 1 - conformalRank 1 1 2) * (perms [(0 : Int), 10]).length :=
  ⟨exchangeable_perms [0, 10], rfl⟩
end Gnosis

prelude
import Gnosis.BasinFlowController
import Gnosis.ConformalLowest
import Gnosis.CumlossCharge
import Gnosis.LatticeDecoders
import Gnosis.MarginScaleInvariance
import Gnosis.TopKGap
/-! # Scaling the other gates

Wherever the runtime turns floats into integers by a common power of two, the decision must not depend on which power was
chosen.  `Gnosis.MarginScaleInvariance` says so for the margin gates, the candidates and serving from coarse rows; this module for
the gates on blocks, the split, the conformal gates, top-k as a gap, the decoders and the basin forms.  Roots, bounds, factors
and thresholds are inputs and scale along.  A root that is computed *after* scaling does not
(`Gnosis.Falsifiers.root_after_scaling`), and accounts have no such invariance at all, their grid and bet being fixed
(`Gnosis.Falsifiers.accounts_do_not_scale`); what they have is monotony under outward rounding.  What is served, the betting gate and the gate of a ratio are in `Gnosis.ScaleServing`. -/
namespace Gnosis
open List

/-! ## Gates on blocks, and the split -/

/-- No entry of a multiple is negative when none was. -/
theorem all_nonneg_smul {c : Int} (hc : 0 < c) (v : List Int) : (∀ x, x ∈ smul c v → 0 ≤ x) ↔ ∀ x, x ∈ v → 0 ≤ x :=
  forall_mem_smul fun _ => Int.mul_nonneg_iff_of_pos_left hc

/-- **Scaling the gate on blocks**: roots of the residual and margin `c` times as large; the same for the roots of the
activation. -/
theorem energy_blocked_scale_invariant {c : Int} (hc : 0 < c) (e α : List Int) (γ : Int) :
    energyBlockedAdmit (smul c e) α (c * γ) = energyBlockedAdmit e α γ
    ∧ energyBlockedAdmit e (smul c α) (c * γ) = energyBlockedAdmit e α γ := by
  have both : ∀ x : Int, 2 * (c * x) ≤ c * γ ↔ 2 * x ≤ γ := fun x => by
    rw [show 2 * (c * x) = c * (2 * x) by ring]; exact Int.mul_le_mul_left hc
  constructor
  · refine Bool.eq_iff_iff.mpr (energyBlockedAdmit_iff.trans (Iff.trans ?_ energyBlockedAdmit_iff.symm))
    rw [length_smul, dot_smul_left]
    exact ⟨fun ⟨l, h₁, h₂, h₃, h₄⟩ => ⟨l, (all_nonneg_smul hc e).mp h₁, h₂, (Int.mul_nonneg_iff_of_pos_left hc).mp h₃, (both _).mp h₄⟩,
      fun ⟨l, h₁, h₂, h₃, h₄⟩ => ⟨l, (all_nonneg_smul hc e).mpr h₁, h₂, (Int.mul_nonneg_iff_of_pos_left hc).mpr h₃, (both _).mpr h₄⟩⟩
  · refine Bool.eq_iff_iff.mpr (energyBlockedAdmit_iff.trans (Iff.trans ?_ energyBlockedAdmit_iff.symm))
    rw [length_smul, dot_smul_right]
    exact ⟨fun ⟨l, h₁, h₂, h₃, h₄⟩ => ⟨l, h₁, (all_nonneg_smul hc α).mp h₂, (Int.mul_nonneg_iff_of_pos_left hc).mp h₃, (both _).mp h₄⟩,
      fun ⟨l, h₁, h₂, h₃, h₄⟩ => ⟨l, h₁, (all_nonneg_smul hc α).mpr h₂, (Int.mul_nonneg_iff_of_pos_left hc).mpr h₃, (both _).mpr h₄⟩⟩

/-- The energy outside a mask scales with the square. -/
theorem energyOutside_smul (c : Int) (v : List Int) (S : List Bool) : energyOutside (smul c v) S = c * c * energyOutside v S := by
  induction v generalizing S with
  | nil => exact (Int.mul_zero _).symm
  | cons x v ih => cases S with
    | nil =>
      show c * x * (c * x) + energyOutside (smul c v) [] = c * c * (x * x + energyOutside v [])
      rw [ih]; ring
    | cons s S => cases s with
      | true =>
        show 0 + energyOutside (smul c v) S = c * c * (0 + energyOutside v S)
        rw [ih]; ring
      | false =>
        show c * x * (c * x) + energyOutside (smul c v) S = c * c * (x * x + energyOutside v S)
        rw [ih]; ring

/-- **Scaling the split gate**: the energy of the residual by `c²` and the margin by `c`; or the activation and the margin by `c`. -/
theorem energy_split_scale_invariant {c : Int} (hc : 0 < c) (E : Int) (a : List Int) (S : List Bool) (γ : Int) :
    energySplitAdmit (c * c * E) a S (c * γ) = energySplitAdmit E a S γ
    ∧ energySplitAdmit E (smul c a) S (c * γ) = energySplitAdmit E a S γ := by
  constructor
  · unfold energySplitAdmit
    rw [energy_sidecar_scale_invariant hc]
  · unfold energySplitAdmit
    rw [length_smul, energyOutside_smul, energySidecarAdmit_comm, energy_sidecar_scale_invariant hc, energySidecarAdmit_comm]

/-! ## Conformal gates -/

/-- Sorting a multiple. -/
theorem sortUp_smul {c : Int} (hc : 0 < c) (s : List Int) : sortUp (smul c s) = smul c (sortUp s) := by
  have insert : ∀ (x : Int) (l : List Int), insertUp (c * x) (smul c l) = smul c (insertUp x l) := fun x l => by
    induction l with
    | nil => rfl
    | cons y l ih =>
      show (if c * x ≤ c * y then c * x :: c * y :: smul c l else c * y :: insertUp (c * x) (smul c l))
        = smul c (if x ≤ y then x :: y :: l else y :: insertUp x l)
      by_cases h : x ≤ y
      · rw [if_pos h, if_pos ((Int.mul_le_mul_left hc).mpr h)]; rfl
      · rw [if_neg h, if_neg (fun g => h ((Int.mul_le_mul_left hc).mp g)), ih]; rfl
  induction s with
  | nil => rfl
  | cons x s ih =>
    show insertUp (c * x) (sortUp (smul c s)) = smul c (insertUp x (sortUp s))
    rw [ih, insert]

/-- The order statistics of a multiple. -/
theorem kthSmallest_smul {c : Int} (hc : 0 < c) (k : Nat) (s : List Int) :
    kthSmallest k (smul c s) = match kthSmallest k s with
      | none => none
      | some t => some (c * t) := by
  have at' : ∀ (l : List Int) (i : Nat), entryAt (smul c l) i = match entryAt l i with
      | none => none
      | some t => some (c * t) := fun l i => by
    induction l generalizing i with
    | nil => rfl
    | cons x l ih => cases i with
      | zero => rfl
      | succ i => exact ih i
  cases k with
  | zero => rfl
  | succ k =>
    show entryAt (sortUp (smul c s)) k = match entryAt (sortUp s) k with
      | none => none
      | some t => some (c * t)
    rw [sortUp_smul hc]; exact at' _ _

/-- The conformal threshold of multiples. -/
theorem conformalThreshold_smul {c : Int} (hc : 0 < c) (s : List Int) (num den : Nat) :
    conformalThreshold (smul c s) num den = match conformalThreshold s num den with
      | none => none
      | some t => some (c * t) := by
  unfold conformalThreshold
  rw [length_smul]; exact kthSmallest_smul hc _ s

/-- **Scaling the conformal gate**: scores and margin `c` times as large. -/
theorem conformal_scale_invariant {c : Int} (hc : 0 < c) (s : List Int) (num den : Nat) (γ : Int) :
    conformalAdmit (smul c s) num den (c * γ) = conformalAdmit s num den γ := by
  unfold conformalAdmit
  rw [conformalThreshold_smul hc]
  cases conformalThreshold s num den with
  | none => rfl
  | some t =>
    show (decide (0 ≤ c * γ) && decide (2 * (c * t) ≤ c * γ)) = (decide (0 ≤ γ) && decide (2 * t ≤ γ))
    rw [show 2 * (c * t) = c * (2 * t) by ring, decide_eq_decide.mpr (Int.mul_nonneg_iff_of_pos_left hc),
      decide_eq_decide.mpr (Int.mul_le_mul_left hc)]

/-- The scan of a multiple, the lead in front and behind being the same. -/
theorem leads_smul {c : Int} (hc : 0 < c) (top m : Int) (w i : Nat) (z : List Int) :
    leads (c * top) (c * m) (c * m) w i (smul c z) = leads top m m w i z := by
  induction z generalizing i with
  | nil => rfl
  | cons x z ih =>
    show ((decide (i = w) || decide (c * x + (if i < w then c * m else c * m) ≤ c * top)) && leads _ _ _ w (i + 1) (smul c z))
      = ((decide (i = w) || decide (x + (if i < w then m else m) ≤ top)) && leads _ _ _ w (i + 1) z)
    have same : ∀ y : Int, (if i < w then y else y) = y := fun y => by
      by_cases h : i < w
      · exact if_pos h
      · exact if_neg h
    rw [same, same, ih, show c * x + c * m = c * (x + m) by ring, decide_eq_decide.mpr (Int.mul_le_mul_left hc)]

/-- **Scaling calibrate-then-serve by the margin**: scores, margin and logits `c` times as large. -/
theorem conformal_margin_scale_invariant {c : Int} (hc : 0 < c) (s : List Int) (num den : Nat) (γ : Int) (z : List Int) (w : Nat) :
    conformalMarginAdmit (smul c s) num den (c * γ) (smul c z) w = conformalMarginAdmit s num den γ z w := by
  unfold conformalMarginAdmit
  rw [conformal_scale_invariant hc, length_smul]
  by_cases hw : w < z.length
  · rw [entry_smul c hw, leads_smul hc]
  · rw [decide_eq_false hw]; rfl

/-- **Scaling calibrate-then-serve from coarse rows**: energies `c²` times, logits and margin `c` times as large. -/
theorem conformal_jit_scale_invariant {c : Int} (hc : 0 < c) (s : List Int) (num den : Nat) (z : List Int) (w : Nat) (A γ : Int) :
    conformalJitAdmit (smul (c * c) s) num den (smul c z) w A (c * γ) = conformalJitAdmit s num den z w A γ := by
  unfold conformalJitAdmit
  rw [conformalThreshold_smul (Int.mul_pos hc hc)]
  cases conformalThreshold s num den with
  | none => rfl
  | some t =>
    show jitAdmit (smul c z) w (map (fun _ => c * c * t) (smul c z)) A (c * γ) = jitAdmit z w (map (fun _ => t) z) A γ
    rw [← (jit_scale_invariant hc z w (map (fun _ => t) z) A γ).1]
    congr 1
    show map _ (map _ z) = map _ (map _ z)
    rw [map_map, map_map]

/-- The scan of the leads over a multiple, with energies that scale with the square. -/
theorem leadsSidecars_smul {c : Int} (hc : 0 < c) (E : List Int) (A x : Int) (w i : Nat) (z : List Int) :
    leadsSidecars (smul (c * c) E) A (c * x) w i (smul c z) = leadsSidecars E A x w i z := by
  have weak : ∀ y, (smul (c * c) E).all (fun e => energySidecarAdmit e A (c * x - c * y)) = E.all (fun e => energySidecarAdmit e A (x - y)) :=
    fun y => by
      induction E with
      | nil => rfl
      | cons e E ih =>
        show (energySidecarAdmit (c * c * e) A (c * x - c * y) && (smul (c * c) E).all _) = (energySidecarAdmit e A (x - y) && E.all _)
        rw [ih, show c * x - c * y = c * (x - y) by ring, energy_sidecar_scale_invariant hc]
  have strict : ∀ y, (smul (c * c) E).all (fun e => energySidecarAdmitStrict e A (c * x - c * y))
      = E.all (fun e => energySidecarAdmitStrict e A (x - y)) := fun y => by
      clear weak
      induction E with
      | nil => rfl
      | cons e E ih =>
        show (energySidecarAdmitStrict (c * c * e) A (c * x - c * y) && (smul (c * c) E).all _)
          = (energySidecarAdmitStrict e A (x - y) && E.all _)
        rw [ih, show c * x - c * y = c * (x - y) by ring, energy_sidecar_strict_scale_invariant hc]
  induction z generalizing i with
  | nil => rfl
  | cons y z ih =>
    show ((decide (i = w) || (if i < w then (smul (c * c) E).all (fun e => energySidecarAdmitStrict e A (c * x - c * y))
        else (smul (c * c) E).all (fun e => energySidecarAdmit e A (c * x - c * y)))) && leadsSidecars (smul (c * c) E) A (c * x) w (i + 1) (smul c z))
      = ((decide (i = w) || (if i < w then E.all (fun e => energySidecarAdmitStrict e A (x - y))
        else E.all (fun e => energySidecarAdmit e A (x - y)))) && leadsSidecars E A x w (i + 1) z)
    rw [ih, weak, strict]

/-- **Scaling the gates by the leads**: energies by `c²`, logits by `c`; the calibrated one with its scores, which are energies. -/
theorem jit_lead_scale_invariant {c : Int} (hc : 0 < c) (z : List Int) (w : Nat) (E : List Int) (A : Int) (s : List Int) (num den : Nat) :
    jitLeadAdmit (smul c z) w (smul (c * c) E) A = jitLeadAdmit z w E A
    ∧ conformalJitLeadAdmit (smul (c * c) s) num den (smul c z) w A = conformalJitLeadAdmit s num den z w A := by
  constructor
  · unfold jitLeadAdmit
    rw [length_smul, length_smul]
    by_cases hw : w < z.length
    · rw [entry_smul c hw, leadsSidecars_smul hc]
    · rw [decide_eq_false hw]
      cases Nat.beq z.length E.length with
      | true => rfl
      | false => rfl
  · unfold conformalJitLeadAdmit
    rw [conformalThreshold_smul (Int.mul_pos hc hc)]
    cases conformalThreshold s num den with
    | none => rfl
    | some t =>
      show (decide (w < (smul c z).length) && leadsSidecars (smul (c * c) [t]) A (entry (smul c z) w) w 0 (smul c z))
        = (decide (w < z.length) && leadsSidecars [t] A (entry z w) w 0 z)
      rw [length_smul]
      by_cases hw : w < z.length
      · rw [entry_smul c hw, leadsSidecars_smul hc]
      · rw [decide_eq_false hw]; rfl

/-- The scan of a multiple with one unit more in front, which is a strict comparison. -/
theorem leads_smul_lowest {c : Int} (hc : 0 < c) (γ : Int) {z : List Int} {w : Nat} (hw : w < z.length) :
    leads (entry (smul c z) w) (c * γ + 1) (c * γ) w 0 (smul c z) = leads (entry z w) (γ + 1) γ w 0 z := by
  have len := length_smul c z
  have hw' : w < (smul c z).length := by rw [len]; exact hw
  refine Bool.eq_iff_iff.mpr ((leads_zero_iff hw').trans (Iff.trans ?_ (leads_zero_iff hw).symm))
  have front : ∀ j, j < w → (entry (smul c z) j + (c * γ + 1) ≤ entry (smul c z) w ↔ entry z j + (γ + 1) ≤ entry z w) := fun j hj => by
    rw [entry_smul c (Nat.lt_of_lt_of_le hj (Nat.le_trans (Nat.le_succ w) hw)), entry_smul c hw]
    have e₁ : c * entry z j + (c * γ + 1) = c * (entry z j + γ) + 1 := by ring
    have e₂ : entry z j + (γ + 1) = entry z j + γ + 1 := by ring
    rw [e₁, e₂]; exact Int.mul_lt_mul_left hc
  have behind : ∀ j, j < z.length → (entry (smul c z) j + c * γ ≤ entry (smul c z) w ↔ entry z j + γ ≤ entry z w) := fun j hj => by
    rw [entry_smul c hj, entry_smul c hw, ← Int.mul_add]; exact Int.mul_le_mul_left hc
  rw [len]
  exact ⟨fun ⟨h, k⟩ => ⟨fun j hj => (front j hj).mp (h j hj), fun j hj hl => (behind j hl).mp (k j hj hl)⟩,
    fun ⟨h, k⟩ => ⟨fun j hj => (front j hj).mpr (h j hj), fun j hj hl => (behind j hl).mpr (k j hj hl)⟩⟩

/-- **Scaling the lowest-index forms**: scores, margin and logits `c` times as large; energies `c²` times. -/
theorem conformal_lowest_scale_invariant {c : Int} (hc : 0 < c) (s : List Int) (num den : Nat) (γ : Int) (z : List Int) (w : Nat)
    (A : Int) : conformalMarginAdmitLowest (smul c s) num den (c * γ) (smul c z) w = conformalMarginAdmitLowest s num den γ z w
    ∧ conformalJitAdmitLowest (smul (c * c) s) num den (smul c z) w A (c * γ) = conformalJitAdmitLowest s num den z w A γ := by
  constructor
  · unfold conformalMarginAdmitLowest
    rw [conformal_scale_invariant hc, length_smul]
    by_cases hw : w < z.length
    · rw [leads_smul_lowest hc γ hw]
    · rw [decide_eq_false hw]; rfl
  · unfold conformalJitAdmitLowest
    rw [conformalThreshold_smul (Int.mul_pos hc hc)]
    cases conformalThreshold s num den with
    | none => rfl
    | some t =>
      show jitAdmitLowest (smul c z) w (map (fun _ => c * c * t) (smul c z)) A (c * γ) = jitAdmitLowest z w (map (fun _ => t) z) A γ
      unfold jitAdmitLowest
      rw [length_map, length_map, length_smul]
      have gates : all (map (fun _ => c * c * t) (smul c z)) (fun e => energySidecarAdmit e A (c * γ))
          = all (map (fun _ => t) z) (fun e => energySidecarAdmit e A γ) := by
        clear s num den w
        induction z with
        | nil => rfl
        | cons x z ih =>
          show (energySidecarAdmit (c * c * t) A (c * γ) && all (map (fun _ => c * c * t) (smul c z)) _)
            = (energySidecarAdmit t A γ && all (map (fun _ => t) z) _)
          rw [ih, energy_sidecar_scale_invariant hc]
      rw [gates]
      by_cases hw : w < z.length
      · rw [leads_smul_lowest hc γ hw]
      · rw [decide_eq_false hw]
        cases Nat.beq z.length z.length with
        | true => rfl
        | false => rfl

/-- **Scaling top-k as a gap**: scores and bound `c` times as large. -/
theorem top_k_gap_scale_invariant {c : Int} (hc : 0 < c) (z : List Int) (k : Nat) (ε : Int) :
    topkGapAdmit (smul c z) k (c * ε) = topkGapAdmit z k ε := by
  unfold topkGapAdmit
  rw [length_smul, kthSmallest_smul hc, kthSmallest_smul hc, decide_eq_decide.mpr (Int.mul_nonneg_iff_of_pos_left hc)]
  cases kthSmallest (z.length + 1 - k) z with
  | none => rfl
  | some hi => cases kthSmallest (z.length - k) z with
    | none => rfl
    | some lo =>
      have e : decide (2 * (c * ε) < c * hi - c * lo) = decide (2 * ε < hi - lo) := by
        rw [show 2 * (c * ε) = c * (2 * ε) by ring, show c * hi - c * lo = c * (hi - lo) by ring]
        exact decide_eq_decide.mpr (Int.mul_lt_mul_left hc)
      show (_ && (_ && (_ || (_ || decide (2 * (c * ε) < c * hi - c * lo))))) = _
      rw [e]

/-! ## Decoders -/

/-- Division of multiples by a common factor. -/
theorem mul_ediv_mul {c : Int} (hc : 0 < c) (a : Int) {b : Int} (hb : 0 < b) : c * a / (c * b) = a / b := by
  obtain ⟨l₁, u₁⟩ := Int.ediv_spec a hb
  obtain ⟨l₂, u₂⟩ := Int.ediv_spec (c * a) (Int.mul_pos hc hb)
  generalize a / b = x, c * a / (c * b) = y at *
  have l₂ : b * y ≤ a := Int.le_of_mul_le_mul_left (a := c) (by lin [l₂]) hc
  have u₂ : a < b * y + b := (Int.mul_lt_mul_left hc).mp (by
    rw [show c * (b * y + b) = c * b * y + c * b by ring]; exact u₂)
  rcases Int.lt_or_ge y x with g | g
  · have k := Int.mul_le_mul_of_nonneg_left g (Int.le_of_lt hb)
    exact (by lin [k, l₁, u₂] : False).elim
  · rcases Int.lt_or_ge x y with g' | g'
    · have k := Int.mul_le_mul_of_nonneg_left g' (Int.le_of_lt hb)
      exact (by lin [k, l₂, u₁] : False).elim
    · exact Int.le_antisymm g' g

/-- Rounding a coordinate on a finer scale. -/
theorem nearestInt_scale {c m : Int} (hc : 0 < c) (hm : 0 < m) (x : Int) : nearestInt (c * m) (c * x) = nearestInt m x := by
  unfold nearestInt
  rw [show 2 * (c * x) + c * m = c * (2 * x + m) by ring, show 2 * (c * m) = c * (2 * m) by ring]
  exact mul_ediv_mul hc _ (by lin [hm, hm])

/-- The errors of rounding scale along. -/
theorem roundError_scale {c m : Int} (hc : 0 < c) (hm : 0 < m) (x : Int) : roundError (c * m) (c * x) = c * roundError m x
    ∧ roundDeviation (c * m) (c * x) = c * roundDeviation m x ∧ secondNearest (c * m) (c * x) = secondNearest m x := by
  have e : roundError (c * m) (c * x) = c * roundError m x := by
    unfold roundError
    rw [nearestInt_scale hc hm]; ring
  refine ⟨e, ?_, ?_⟩
  · unfold roundDeviation
    rw [e]
    by_cases h : 0 ≤ roundError m x
    · rw [if_pos h, if_pos ((Int.mul_nonneg_iff_of_pos_left hc).mpr h)]
    · rw [if_neg h, if_neg (fun g => h ((Int.mul_nonneg_iff_of_pos_left hc).mp g))]; ring
  · unfold secondNearest
    rw [e, nearestInt_scale hc hm]
    by_cases h : 0 ≤ roundError m x
    · rw [if_pos h, if_pos ((Int.mul_nonneg_iff_of_pos_left hc).mpr h)]
    · rw [if_neg h, if_neg (fun g => h ((Int.mul_nonneg_iff_of_pos_left hc).mp g))]

/-- The decoder of `ℤⁿ` on a finer scale. -/
theorem cubicDecode_scale {c m : Int} (hc : 0 < c) (hm : 0 < m) (xs : List Int) : cubicDecode (c * m) (smul c xs) = cubicDecode m xs := by
  show map _ (map _ xs) = map _ xs
  rw [map_map]; exact map_congr fun x _ => nearestInt_scale hc hm x

/-- The decoder of `Dₙ` on a finer scale. -/
theorem dnDecode_scale {c m : Int} (hc : 0 < c) (hm : 0 < m) (xs : List Int) : dnDecode (c * m) (smul c xs) = dnDecode m xs := by
  have worst : worstDeviation (c * m) (smul c xs) = c * worstDeviation m xs := by
    induction xs with
    | nil => exact (Int.mul_zero c).symm
    | cons x xs ih =>
      show larger (roundDeviation (c * m) (c * x)) (worstDeviation (c * m) (smul c xs)) = c * larger _ _
      rw [ih, (roundError_scale hc hm x).2.1]
      unfold larger
      by_cases h : roundDeviation m x ≤ worstDeviation m xs
      · rw [if_pos h, if_pos ((Int.mul_le_mul_left hc).mpr h)]
      · rw [if_neg h, if_neg (fun g => h ((Int.mul_le_mul_left hc).mp g))]
  have flip : ∀ e, roundButOne (c * m) (c * e) (smul c xs) = roundButOne m e xs := fun e => by
    clear worst
    induction xs with
    | nil => rfl
    | cons x xs ih =>
      have iff : c * roundDeviation m x = c * e ↔ roundDeviation m x = e := ⟨fun h =>
        Int.le_antisymm (Int.le_of_mul_le_mul_left (Int.le_of_eq h) hc) (Int.le_of_mul_le_mul_left (Int.le_of_eq h.symm) hc),
        fun h => by rw [h]⟩
      show (if roundDeviation (c * m) (c * x) = c * e then secondNearest (c * m) (c * x) :: cubicDecode (c * m) (smul c xs)
          else nearestInt (c * m) (c * x) :: roundButOne (c * m) (c * e) (smul c xs))
        = if roundDeviation m x = e then secondNearest m x :: cubicDecode m xs else nearestInt m x :: roundButOne m e xs
      obtain ⟨_, d, s⟩ := roundError_scale hc hm x
      rw [d, s, nearestInt_scale hc hm, ih, cubicDecode_scale hc hm]
      by_cases h : roundDeviation m x = e
      · rw [if_pos h, if_pos (iff.mpr h)]
      · rw [if_neg h, if_neg (fun g => h (iff.mp g))]
  unfold dnDecode
  rw [cubicDecode_scale hc hm, worst, flip]

/-- Distances scale with the square. -/
theorem sqDist_scale (c m : Int) (xs zs : List Int) : sqDist (c * m) (smul c xs) zs = c * c * sqDist m xs zs := by
  induction xs generalizing zs with
  | nil => exact (Int.mul_zero _).symm
  | cons x xs ih => cases zs with
    | nil => exact (Int.mul_zero _).symm
    | cons z zs =>
      show (c * x - c * m * z) * (c * x - c * m * z) + sqDist (c * m) (smul c xs) zs
        = c * c * ((x - m * z) * (x - m * z) + sqDist m xs zs)
      rw [ih]; ring

/-- **Scaling the decoders**: an input on a finer scale decodes to the same point, in `ℤⁿ`, `D₈` and `E₈`; its residual energy is `c²`
times as large. -/
theorem decoders_scale_invariant {c m : Int} (hc : 0 < c) (hm : 0 < m) (xs : List Int) :
    cubicDecode (c * m) (smul c xs) = cubicDecode m xs ∧ d8Decode (c * m) (smul c xs) = d8Decode m xs
    ∧ e8Decode (c * m) (smul c xs) = e8Decode m xs ∧ ∀ zs, sqDist (c * m) (smul c xs) zs = c * c * sqDist m xs zs := by
  have cm := Int.mul_pos hc hm
  refine ⟨cubicDecode_scale hc hm xs, ?_, ?_, sqDist_scale c m xs⟩
  · unfold d8Decode
    rw [length_smul, decide_eq_true hm, decide_eq_true cm, dnDecode_scale hc hm]
  · have key : dnPlusDecode (c * m) (smul c xs) = dnPlusDecode m xs := by
      have shift : map (fun x => x - c * m) (smul c xs) = smul c (map (fun x => x - m) xs) := by
        show map _ (map _ xs) = map _ (map _ xs)
        rw [map_map, map_map]
        exact map_congr fun x _ => by show c * x - c * m = c * (x - m); ring
      have two : 2 * (c * m) = c * (2 * m) := by ring
      have m₂ : 0 < 2 * m := by lin [hm, hm]
      show (if sqDist (c * m) (smul c xs) (map (fun z => 2 * z) (dnDecode (2 * (c * m)) (smul c xs)))
            ≤ sqDist (c * m) (smul c xs) (map (fun z => 2 * z + 1) (dnDecode (2 * (c * m)) (map (fun x => x - c * m) (smul c xs))))
          then map (fun z => 2 * z) (dnDecode (2 * (c * m)) (smul c xs))
          else map (fun z => 2 * z + 1) (dnDecode (2 * (c * m)) (map (fun x => x - c * m) (smul c xs))))
        = if sqDist m xs (map (fun z => 2 * z) (dnDecode (2 * m) xs))
            ≤ sqDist m xs (map (fun z => 2 * z + 1) (dnDecode (2 * m) (map (fun x => x - m) xs)))
          then map (fun z => 2 * z) (dnDecode (2 * m) xs)
          else map (fun z => 2 * z + 1) (dnDecode (2 * m) (map (fun x => x - m) xs))
      rw [shift, two, dnDecode_scale hc m₂, dnDecode_scale hc m₂, sqDist_scale, sqDist_scale]
      by_cases h : sqDist m xs (map (fun z => 2 * z) (dnDecode (2 * m) xs))
          ≤ sqDist m xs (map (fun z => 2 * z + 1) (dnDecode (2 * m) (map (fun x => x - m) xs)))
      · rw [if_pos h, if_pos ((Int.mul_le_mul_left (Int.mul_pos hc hc)).mpr h)]
      · rw [if_neg h, if_neg (fun g => h ((Int.mul_le_mul_left (Int.mul_pos hc hc)).mp g))]
    unfold e8Decode
    rw [length_smul, decide_eq_true hm, decide_eq_true cm, key]

/-! ## Basins -/

/-- Sums of absolute values of multiples. -/
theorem sumAbs_smul {c : Int} (hc : 0 < c) (v : List Int) : sumAbs (smul c v) = c * sumAbs v := by
  have abs : ∀ x : Int, ((c * x).natAbs : Int) = c * (x.natAbs : Int) := fun x => by
    rcases Int.natAbs_cases x with ⟨h, e⟩ | ⟨h, e⟩ <;> rw [e]
    · rcases Int.natAbs_cases (c * x) with ⟨_, e'⟩ | ⟨h', e'⟩
      · exact e'
      · have k := Int.mul_nonneg (Int.le_of_lt hc) h
        rw [e', Int.le_antisymm h' k]; rfl
    · rcases Int.natAbs_cases (c * x) with ⟨h', e'⟩ | ⟨_, e'⟩
      · have k := Int.mul_nonneg (Int.le_of_lt hc) (show 0 ≤ -x by lin [h])
        have z : c * x = 0 := Int.le_antisymm (by lin [k]) h'
        rw [e', show c * -x = -(c * x) by ring, z]; rfl
      · rw [e']; ring
  induction v with
  | nil => exact (Int.mul_zero c).symm
  | cons x v ih =>
    show ((c * x).natAbs : Int) + sumAbs (smul c v) = c * ((x.natAbs : Int) + sumAbs v)
    rw [ih, abs]; ring

/-- Sums of multiples. -/
theorem sum_smul (c : Int) (v : List Int) : sum (smul c v) = c * sum v := by
  induction v with
  | nil => exact (Int.mul_zero c).symm
  | cons x v ih => show c * x + sum (smul c v) = c * (x + sum v); rw [ih]; ring

/-- **Scaling the basin gates for displacements that add up**: displacements, their bounds, what is spent and the radius `c` times as
large. -/
theorem basin_scale_invariant {c : Int} (hc : 0 < c) (δ ds : List Int) (R spent : Int) :
    basinAdmit (smul c δ) (c * R) = basinAdmit δ R ∧ basinVectorAdmit (smul c ds) (c * R) = basinVectorAdmit ds R
    ∧ basinControl (c * R) (c * spent) (smul c ds) = basinControl R spent ds := by
  refine ⟨?_, ?_, ?_⟩
  · unfold basinAdmit
    rw [sumAbs_smul hc]; exact decide_eq_decide.mpr (Int.mul_lt_mul_left hc)
  · unfold basinVectorAdmit
    have all' : all (smul c ds) (fun x => decide (0 ≤ x)) = all ds (fun x => decide (0 ≤ x)) := by
      induction ds with
      | nil => rfl
      | cons x ds ih =>
        show (decide (0 ≤ c * x) && all (smul c ds) _) = (decide (0 ≤ x) && all ds _)
        rw [ih, decide_eq_decide.mpr (Int.mul_nonneg_iff_of_pos_left hc)]
    rw [all', sum_smul, decide_eq_decide.mpr (Int.mul_lt_mul_left hc)]
  · induction ds generalizing spent with
    | nil => rfl
    | cons d ds ih =>
      have iff : (0 ≤ c * d ∧ c * spent + c * d < c * R) ↔ (0 ≤ d ∧ spent + d < R) := by
        rw [← Int.mul_add]
        exact ⟨fun ⟨h, k⟩ => ⟨(Int.mul_nonneg_iff_of_pos_left hc).mp h, (Int.mul_lt_mul_left hc).mp k⟩,
          fun ⟨h, k⟩ => ⟨(Int.mul_nonneg_iff_of_pos_left hc).mpr h, (Int.mul_lt_mul_left hc).mpr k⟩⟩
      show (if 0 ≤ c * d ∧ c * spent + c * d < c * R then true :: basinControl (c * R) (c * spent + c * d) (smul c ds)
          else false :: basinControl (c * R) (c * spent) (smul c ds))
        = if 0 ≤ d ∧ spent + d < R then true :: basinControl R (spent + d) ds else false :: basinControl R spent ds
      rw [← Int.mul_add, ih, ih]
      rw [← Int.mul_add] at iff
      by_cases h : 0 ≤ d ∧ spent + d < R
      · rw [if_pos h, if_pos (iff.mpr h)]
      · rw [if_neg h, if_neg (fun g => h (iff.mp g))]

/-- **Scaling the flow gates**: displacement bounds, rounding bounds and the radius `c` times as large, the Lipschitz factors as they
are. -/
theorem basin_flow_scale_invariant {c : Int} (hc : 0 < c) (ps qs rs ds : List Int) (R : Int) :
    basinFlowAdmit ps qs (smul c ds) (c * R) = basinFlowAdmit ps qs ds R
    ∧ basinFlowPathAdmit ps qs (smul c ds) (c * R) = basinFlowPathAdmit ps qs ds R
    ∧ basinFlowControl ps qs (smul c ds) (c * R) = basinFlowControl ps qs ds R
    ∧ basinFlowRoundedAdmit ps qs (smul c rs) (smul c ds) (c * R) = basinFlowRoundedAdmit ps qs rs ds R
    ∧ basinFlowRoundedControl ps qs (smul c rs) (smul c ds) (c * R) = basinFlowRoundedControl ps qs rs ds R := by
  have lt : ∀ N D, decide (c * N < c * R * D) = decide (N < R * D) := fun N D => by
    rw [show c * R * D = c * (R * D) by ring]; exact decide_eq_decide.mpr (Int.mul_lt_mul_left hc)
  have nonneg : ∀ x : Int, (0 ≤ c * x) ↔ 0 ≤ x := fun x => Int.mul_nonneg_iff_of_pos_left hc
  have step : ∀ N D p q d, p * (c * N) + c * d * q * D = c * (p * N + d * q * D) := fun N D p q d => by ring
  have exactStep : ∀ N p, p * (c * N) = c * (p * N) := fun N p => by ring
  have round : ∀ N D p q r d, roundedStep (c * N) D p q (c * r) (c * d) = c * roundedStep N D p q r d := fun N D p q r d => by
    unfold roundedStep
    by_cases z : N = 0
    · rw [if_pos z, if_pos (by rw [z, Int.mul_zero])]; ring
    · have z' : ¬ c * N = 0 := fun e => by
        refine z (Int.le_antisymm (Int.le_of_mul_le_mul_left (a := c) ?_ hc) (Int.le_of_mul_le_mul_left (a := c) ?_ hc))
        · rw [Int.mul_zero]; exact Int.le_of_eq e
        · rw [Int.mul_zero]; exact Int.le_of_eq e.symm
      rw [if_neg z, if_neg z']; ring
  have round₀ : ∀ N D p q r, roundedStep (c * N) D p q (c * r) 0 = c * roundedStep N D p q r 0 := fun N D p q r => by
    have e := round N D p q r 0
    rw [Int.mul_zero] at e; exact e
  have start : c * 0 = 0 := Int.mul_zero c
  have ranges : ∀ p q d : Int, decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ c * d) = decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ d) := fun p q d =>
    decide_eq_decide.mpr ⟨fun ⟨h₁, h₂, h₃⟩ => ⟨h₁, h₂, (nonneg d).mp h₃⟩, fun ⟨h₁, h₂, h₃⟩ => ⟨h₁, h₂, (nonneg d).mpr h₃⟩⟩
  have ranges₄ : ∀ p q r d : Int, decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ c * r ∧ 0 ≤ c * d) = decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ r ∧ 0 ≤ d) :=
    fun p q r d => decide_eq_decide.mpr ⟨fun ⟨h₁, h₂, h₃, h₄⟩ => ⟨h₁, h₂, (nonneg r).mp h₃, (nonneg d).mp h₄⟩,
      fun ⟨h₁, h₂, h₃, h₄⟩ => ⟨h₁, h₂, (nonneg r).mpr h₃, (nonneg d).mpr h₄⟩⟩
  have whole : ∀ N D, flowAdmitFrom (c * R) (c * N) D ps qs (smul c ds) = flowAdmitFrom R N D ps qs ds := by
    induction ps generalizing qs ds with
    | nil => cases qs with
      | nil => cases ds with
        | nil => exact lt
        | cons _ _ => exact fun _ _ => rfl
      | cons _ _ => cases ds with
        | nil => exact fun _ _ => rfl
        | cons _ _ => exact fun _ _ => rfl
    | cons p ps ih => cases qs with
      | nil => cases ds with
        | nil => exact fun _ _ => rfl
        | cons _ _ => exact fun _ _ => rfl
      | cons q qs => cases ds with
        | nil => exact fun _ _ => rfl
        | cons d ds =>
          intro N D
          show (decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ c * d) && flowAdmitFrom (c * R) (p * (c * N) + c * d * q * D) (q * D) ps qs (smul c ds)) = _
          rw [ranges, step, ih]; rfl
  have pathAdmit : ∀ N D, flowPathAdmitFrom (c * R) (c * N) D ps qs (smul c ds) = flowPathAdmitFrom R N D ps qs ds := by
    clear whole
    induction ps generalizing qs ds with
    | nil => cases qs with
      | nil => cases ds with
        | nil => exact lt
        | cons _ _ => exact fun _ _ => rfl
      | cons _ _ => cases ds with
        | nil => exact fun _ _ => rfl
        | cons _ _ => exact fun _ _ => rfl
    | cons p ps ih => cases qs with
      | nil => cases ds with
        | nil => exact fun _ _ => rfl
        | cons _ _ => exact fun _ _ => rfl
      | cons q qs => cases ds with
        | nil => exact fun _ _ => rfl
        | cons d ds =>
          intro N D
          show (decide (c * N < c * R * D) && (decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ c * d)
            && flowPathAdmitFrom (c * R) (p * (c * N) + c * d * q * D) (q * D) ps qs (smul c ds))) = _
          rw [lt, ranges, step, ih]; rfl
  have survives : ∀ ps qs N D, flowSurvives (c * R) (c * N) D ps qs = flowSurvives R N D ps qs := fun ps qs => by
    induction ps generalizing qs with
    | nil => cases qs with
      | nil => exact lt
      | cons _ _ => exact fun _ _ => rfl
    | cons p ps ih => cases qs with
      | nil => exact fun _ _ => rfl
      | cons q qs =>
        intro N D
        show (decide (c * N < c * R * D) && (decide (0 ≤ p ∧ 0 < q) && flowSurvives (c * R) (p * (c * N)) (q * D) ps qs)) = _
        rw [lt, exactStep, ih]; rfl
  have control : ∀ N D, flowControl (c * R) (c * N) D ps qs (smul c ds) = flowControl R N D ps qs ds := by
    clear whole pathAdmit
    induction ps generalizing qs ds with
    | nil => exact fun _ _ => by cases qs with
      | nil => rfl
      | cons _ _ => rfl
    | cons p ps ih => cases qs with
      | nil => exact fun _ _ => rfl
      | cons q qs => cases ds with
        | nil => exact fun _ _ => rfl
        | cons d ds =>
          intro N D
          show (if 0 ≤ c * d ∧ flowSurvives (c * R) (p * (c * N) + c * d * q * D) (q * D) ps qs = true then
              true :: flowControl (c * R) (p * (c * N) + c * d * q * D) (q * D) ps qs (smul c ds)
            else false :: flowControl (c * R) (p * (c * N)) (q * D) ps qs (smul c ds))
            = if 0 ≤ d ∧ flowSurvives R (p * N + d * q * D) (q * D) ps qs = true then
              true :: flowControl R (p * N + d * q * D) (q * D) ps qs ds else false :: flowControl R (p * N) (q * D) ps qs ds
          rw [step, exactStep, survives, ih, ih]
          by_cases h : 0 ≤ d ∧ flowSurvives R (p * N + d * q * D) (q * D) ps qs = true
          · rw [if_pos h, if_pos ⟨(nonneg d).mpr h.1, h.2⟩]
          · rw [if_neg h, if_neg (fun g => h ⟨(nonneg d).mp g.1, g.2⟩)]
  have roundedAdmit : ∀ N D, roundedPathAdmitFrom (c * R) (c * N) D ps qs (smul c rs) (smul c ds) = roundedPathAdmitFrom R N D ps qs rs ds := by
    clear whole pathAdmit control
    induction ps generalizing qs rs ds with
    | nil => cases qs with
      | nil => cases rs with
        | nil => cases ds with
          | nil => exact lt
          | cons _ _ => exact fun _ _ => rfl
        | cons _ _ => exact fun _ _ => by cases ds with
          | nil => rfl
          | cons _ _ => rfl
      | cons _ _ => exact fun _ _ => by cases rs with
        | nil => cases ds with
          | nil => rfl
          | cons _ _ => rfl
        | cons _ _ => cases ds with
          | nil => rfl
          | cons _ _ => rfl
    | cons p ps ih => cases qs with
      | nil => exact fun _ _ => by cases rs with
        | nil => cases ds with
          | nil => rfl
          | cons _ _ => rfl
        | cons _ _ => cases ds with
          | nil => rfl
          | cons _ _ => rfl
      | cons q qs => cases rs with
        | nil => exact fun _ _ => by cases ds with
          | nil => rfl
          | cons _ _ => rfl
        | cons r rs => cases ds with
          | nil => exact fun _ _ => rfl
          | cons d ds =>
            intro N D
            show (decide (c * N < c * R * D) && (decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ c * r ∧ 0 ≤ c * d)
              && roundedPathAdmitFrom (c * R) (roundedStep (c * N) D p q (c * r) (c * d)) (q * D) ps qs (smul c rs) (smul c ds))) = _
            rw [lt, ranges₄, round, ih]; rfl
  have rounded : ∀ ps qs rs N D, roundedSurvives (c * R) (c * N) D ps qs (smul c rs) = roundedSurvives R N D ps qs rs :=
    fun ps qs rs => by
      induction ps generalizing qs rs with
      | nil => cases qs with
        | nil => cases rs with
          | nil => exact lt
          | cons _ _ => exact fun _ _ => rfl
        | cons _ _ => cases rs with
          | nil => exact fun _ _ => rfl
          | cons _ _ => exact fun _ _ => rfl
      | cons p ps ih => cases qs with
        | nil => cases rs with
          | nil => exact fun _ _ => rfl
          | cons _ _ => exact fun _ _ => rfl
        | cons q qs => cases rs with
          | nil => exact fun _ _ => rfl
          | cons r rs =>
            intro N D
            show (decide (c * N < c * R * D) && (decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ c * r)
              && roundedSurvives (c * R) (roundedStep (c * N) D p q (c * r) 0) (q * D) ps qs (smul c rs))) = _
            rw [lt, ranges, round₀, ih]; rfl
  have roundedCtl : ∀ N D, roundedControl (c * R) (c * N) D ps qs (smul c rs) (smul c ds) = roundedControl R N D ps qs rs ds := by
    clear whole pathAdmit control roundedAdmit
    induction ps generalizing qs rs ds with
    | nil => exact fun _ _ => by cases qs with
      | nil => rfl
      | cons _ _ => rfl
    | cons p ps ih => cases qs with
      | nil => exact fun _ _ => rfl
      | cons q qs => cases rs with
        | nil => exact fun _ _ => rfl
        | cons r rs => cases ds with
          | nil => exact fun _ _ => rfl
          | cons d ds =>
            intro N D
            show (if 0 ≤ c * d ∧ roundedSurvives (c * R) (roundedStep (c * N) D p q (c * r) (c * d)) (q * D) ps qs (smul c rs) = true then
                true :: roundedControl (c * R) (roundedStep (c * N) D p q (c * r) (c * d)) (q * D) ps qs (smul c rs) (smul c ds)
              else false :: roundedControl (c * R) (roundedStep (c * N) D p q (c * r) 0) (q * D) ps qs (smul c rs) (smul c ds))
              = if 0 ≤ d ∧ roundedSurvives R (roundedStep N D p q r d) (q * D) ps qs rs = true then
                true :: roundedControl R (roundedStep N D p q r d) (q * D) ps qs rs ds
              else false :: roundedControl R (roundedStep N D p q r 0) (q * D) ps qs rs ds
            rw [round, round₀, rounded, ih, ih]
            by_cases h : 0 ≤ d ∧ roundedSurvives R (roundedStep N D p q r d) (q * D) ps qs rs = true
            · rw [if_pos h, if_pos ⟨(nonneg d).mpr h.1, h.2⟩]
            · rw [if_neg h, if_neg (fun g => h ⟨(nonneg d).mp g.1, g.2⟩)]
  refine ⟨?_, ?_, ?_, ?_, ?_⟩
  · have h := whole 0 1; rw [start] at h; exact h
  · have h := pathAdmit 0 1; rw [start] at h; exact h
  · have h := control 0 1; rw [start] at h; exact h
  · have h := roundedAdmit 0 1; rw [start] at h; exact h
  · have h := roundedCtl 0 1; rw [start] at h; exact h

/-! ## Accounts: outward rounding -/

/-- A larger reserve pays for the level too. -/
theorem reservePays_mono {p q nδ dδ r s : Nat} (h : r ≤ s) (k : reservePays p q nδ dδ r = true) : reservePays p q nδ dδ s = true := by
  obtain ⟨hq, hqp, hd, pay⟩ := reservePays_iff.mp k
  refine reservePays_iff.mpr ⟨hq, hqp, hd, ?_⟩
  obtain ⟨j, rfl⟩ := Nat.exists_of_le h
  rw [Nat.pow_add, Nat.pow_add]
  have grow := Nat.pow_le_pow_left hqp j
  generalize p ^ r = P, q ^ r = Q, p ^ j = P', q ^ j = Q' at *
  calc dδ * (Q * Q') = dδ * Q * Q' := by nat_ring
    _ ≤ nδ * P * Q' := Nat.mul_le_mul_right _ pay
    _ ≤ nδ * P * P' := Nat.mul_le_mul_left _ grow
    _ = nδ * (P * P') := by nat_ring

/-- **Rounding outward keeps an account sound**: a mean bound that is rounded up, a charge and a reserve that are rounded up still pay
for what they paid for; and what is admitted with account and offer rounded up and the budget rounded down is admitted without
rounding. -/
theorem accounts_round_outward {N p q u v a b nδ dδ r s account account' offer offer' budget budget' : Nat} (mean : v ≤ u)
    (charge : a ≤ b) (reserve : r ≤ s) (accounts : account ≤ account') (offers : offer ≤ offer') (budgets : budget' ≤ budget) :
    (pays N p q u a = true → pays N p q v b = true) ∧ (reservePays p q nδ dδ r = true → reservePays p q nδ dδ s = true) ∧
      (chargeAdmit account' offer' budget' = true → chargeAdmit account offer budget = true) :=
  ⟨fun h => pays_mono_charge charge (pays_mono_mean mean h), reservePays_mono reserve, fun h => Nat.ble_eq_true_of_le
    (Nat.le_trans (Nat.add_le_add accounts offers) (Nat.le_trans (Nat.le_of_ble_eq_true h) budgets))⟩
end Gnosis

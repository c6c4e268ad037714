prelude
import Gnosis.BettingConfidence
import Gnosis.ScaleInvariance
import Gnosis.ServedOutputLaw
/-! # Scaling what is served, and the bets

The rest of what the runtime turns from floats into integers: the row-wise gate in front of serving, its lowest-index form, what is
served on a calibrated bound, the betting gate, whose grid is a common multiple of denominators, and the gate of a ratio. -/
namespace Gnosis
open List

/-! ## Serving from coarse rows -/

/-- **Scaling the row-wise gate on sidecars**: logits and their bounds `c` times, energies of residuals `c²` times as large. -/
theorem jit_row_scale_invariant {c : Int} (hc : 0 < c) (z : List Int) (w : Nat) (ε E : List Int) (A : Int) :
    jitRowAdmit (smul c z) w (smul c ε) (smul (c * c) E) A = jitRowAdmit z w ε E A := by
  have within : errorsWithin A (smul (c * c) E) (smul c ε) = errorsWithin A E ε := by
    induction E generalizing ε with
    | nil => cases ε with
      | nil => rfl
      | cons b ε => rfl
    | cons e E ih => cases ε with
      | nil => rfl
      | cons b ε =>
        show (energySidecarAdmit (c * c * e) A (2 * (c * b)) && errorsWithin A (smul (c * c) E) (smul c ε)) = _
        rw [ih, show 2 * (c * b) = c * (2 * b) by ring, energy_sidecar_scale_invariant hc]
        rfl
  unfold jitRowAdmit
  rw [within, row_scale_invariant hc]

/-- **Scaling the lowest-index form on sidecars**: logits and margin `c` times, energies of residuals `c²` times as large. -/
theorem jit_lowest_scale_invariant {c : Int} (hc : 0 < c) (z : List Int) (w : Nat) (E : List Int) (A γ : Int) :
    jitAdmitLowest (smul c z) w (smul (c * c) E) A (c * γ) = jitAdmitLowest z w E A γ := by
  have gates : all (smul (c * c) E) (fun e => energySidecarAdmit e A (c * γ)) = all E (fun e => energySidecarAdmit e A γ) := by
    induction E with
    | nil => rfl
    | cons e E ih =>
      show (energySidecarAdmit (c * c * e) A (c * γ) && all (smul (c * c) E) _) = (energySidecarAdmit e A γ && all E _)
      rw [ih, energy_sidecar_scale_invariant hc]
  unfold jitAdmitLowest
  rw [gates, length_smul, length_smul]
  by_cases hw : w < z.length
  · rw [leads_smul_lowest hc γ hw]
  · rw [decide_eq_false hw]
    cases Nat.beq z.length E.length with
    | true => rfl
    | false => rfl

/-- An entry of a multiple, also past its end. -/
theorem entry_smul_all (c : Int) (z : List Int) (i : Nat) : entry (smul c z) i = c * entry z i := by
  induction z generalizing i with
  | nil => exact (Int.mul_zero c).symm
  | cons x z ih => cases i with
    | zero => rfl
    | succ i => exact ih i
/-- The place of the largest entry of a multiple. -/
theorem argmax_smul {c : Int} (hc : 0 < c) (z : List Int) : argmax (smul c z) = argmax z := by
  have from' : ∀ (z : List Int) (b : Int) (w i : Nat), argmaxFrom (c * b) w i (smul c z) = argmaxFrom b w i z := by
    intro z
    induction z with
    | nil => exact fun _ _ _ => rfl
    | cons x z ih =>
      intro b w i
      show (if c * b < c * x then argmaxFrom (c * x) i (i + 1) (smul c z) else argmaxFrom (c * b) w (i + 1) (smul c z)) = _
      rw [ih, ih]
      by_cases h : b < x
      · rw [if_pos ((Int.mul_lt_mul_left hc).mpr h)]; exact (if_pos h).symm
      · rw [if_neg (fun k => h ((Int.mul_lt_mul_left hc).mp k))]; exact (if_neg h).symm
  cases z with
  | nil => rfl
  | cons x z => exact from' z x 0 1
/-- Sums of multiples. -/
theorem addEntries_smul (c : Int) (a b : List Int) : addEntries (smul c a) (smul c b) = smul c (addEntries a b) := by
  induction a generalizing b with
  | nil => rfl
  | cons x a ih => cases b with
    | nil => rfl
    | cons y b =>
      show (c * x + c * y) :: addEntries (smul c a) (smul c b) = c * (x + y) :: smul c (addEntries a b)
      rw [ih, Int.mul_add]
/-- The entries that reach a level, both multiplied. -/
theorem reaching_smul {c : Int} (hc : 0 < c) (m : Int) (i : Nat) (z : List Int) : reaching (c * m) i (smul c z) = reaching m i z := by
  induction z generalizing i with
  | nil => rfl
  | cons x z ih =>
    show (if c * m ≤ c * x then i :: reaching (c * m) (i + 1) (smul c z) else reaching (c * m) (i + 1) (smul c z)) = _
    rw [ih]
    by_cases h : m ≤ x
    · rw [if_pos ((Int.mul_le_mul_left hc).mpr h)]; exact (if_pos h).symm
    · rw [if_neg (fun k => h ((Int.mul_le_mul_left hc).mp k))]; exact (if_neg h).symm

/-- **Scaling the list of candidates**: the list itself, not only its members. -/
theorem candidates_list_scale_invariant {c : Int} (hc : 0 < c) (z ε : List Int) : candidates (smul c z) (smul c ε) = candidates z ε := by
  have neg : map (fun e => -e) (smul c ε) = smul c (map (fun e => -e) ε) := by
    show map _ (map _ ε) = map _ (map _ ε)
    rw [map_map, map_map]
    induction ε with
    | nil => rfl
    | cons e ε ih => exact (congrArg (· :: _) (show -(c * e) = c * -e by ring)).trans (congrArg (_ :: ·) ih)
  have all' : ∀ (z : List Int) (i : Nat), indices i (smul c z) = indices i z := by
    intro z
    induction z with
    | nil => exact fun _ => rfl
    | cons x z ih => exact fun i => congrArg (i :: ·) (ih (i + 1))
  unfold candidates candidatesFrom
  rw [neg, addEntries_smul, argmax_smul hc, boundsFit_scale hc, addEntries_smul, entry_smul_all, entry_smul_all, all',
    show c * entry z (argmax (addEntries z (map (fun e => -e) ε))) - c * entry ε (argmax (addEntries z (map (fun e => -e) ε)))
      = c * (entry z (argmax (addEntries z (map (fun e => -e) ε))) - entry ε (argmax (addEntries z (map (fun e => -e) ε)))) by ring,
    reaching_smul hc]

/-- **Scaling what is served**: coarse logits, exact ones and bounds `c` times as large; and with scores in the place of bounds. -/
theorem served_scale_invariant {c : Int} (hc : 0 < c) (coarse exact ε s : List Int) (num den : Nat) :
    servedArgmax (smul c coarse) (smul c exact) (smul c ε) = servedArgmax coarse exact ε ∧
    conformalServed (smul c s) num den (smul c coarse) (smul c exact) = conformalServed s num den coarse exact := by
  have among : ∀ (js : List Nat) (best : Nat), argmaxAmong (smul c exact) best js = argmaxAmong exact best js := by
    intro js
    induction js with
    | nil => exact fun _ => rfl
    | cons j js ih =>
      intro best
      show (if entry (smul c exact) best < entry (smul c exact) j then argmaxAmong (smul c exact) j js else argmaxAmong (smul c exact) best js) = _
      rw [ih, ih, entry_smul_all, entry_smul_all]
      by_cases h : entry exact best < entry exact j
      · rw [if_pos ((Int.mul_lt_mul_left hc).mpr h)]; exact (if_pos h).symm
      · rw [if_neg (fun k => h ((Int.mul_lt_mul_left hc).mp k))]; exact (if_neg h).symm
  have served : ∀ ε, servedArgmax (smul c coarse) (smul c exact) (smul c ε) = servedArgmax coarse exact ε := fun ε => by
    unfold servedArgmax
    rw [candidates_list_scale_invariant hc]
    cases candidates coarse ε with
    | nil => rfl
    | cons j js => exact among js j
  refine ⟨served ε, ?_⟩
  unfold conformalServed
  rw [conformalThreshold_smul hc]
  cases conformalThreshold s num den with
  | none => exact argmax_smul hc exact
  | some t =>
    show servedArgmax (smul c coarse) (smul c exact) (map (fun _ => c * t) (smul c coarse)) = servedArgmax coarse exact (map (fun _ => t) coarse)
    rw [← served]
    congr 1
    show map _ (map _ coarse) = map _ (map _ coarse)
    rw [map_map, map_map]

/-! ## Bets, and the gate of a ratio -/

/-- Both sides multiplied. -/
theorem ble_scale {c : Nat} (hc : 0 < c) (x y : Nat) : Nat.ble (c * x) (c * y) = Nat.ble x y := by
  refine Bool.eq_iff_iff.mpr ⟨fun h => ?_, fun h => ?_⟩
  · have h := Nat.le_of_ble_eq_true h
    rw [Nat.mul_comm c x, Nat.mul_comm c y] at h
    exact Nat.ble_eq_true_of_le (Nat.le_of_mul_le_mul_right h hc)
  · exact Nat.ble_eq_true_of_le (Nat.mul_le_mul_left c (Nat.le_of_ble_eq_true h))
/-- A multiple is positive when the number is. -/
theorem ble_one_scale {c : Nat} (hc : 0 < c) (x : Nat) : Nat.ble 1 (c * x) = Nat.ble 1 x := by
  cases x with
  | zero => rw [Nat.mul_zero]
  | succ x => rw [Nat.ble_eq_true_of_le (Nat.mul_pos hc (Nat.le_add_left 1 x)), Nat.ble_eq_true_of_le (Nat.le_add_left 1 x)]

/-- A factor of a difference that stops at zero. -/
theorem mul_sub_stop (k a b : Nat) : k * (a - b) = k * a - k * b := by
  have zero : ∀ {x y : Nat}, x ≤ y → x - y = 0 := fun {x y} h => by
    obtain ⟨r, rfl⟩ := Nat.exists_of_le h
    exact Nat.sub_add_eq_zero x r
  rcases Nat.le_total a b with h | h
  · rw [zero h, zero (Nat.mul_le_mul_left k h), Nat.mul_zero]
  · obtain ⟨r, rfl⟩ := Nat.exists_of_le h
    rw [Nat.add_sub_cancel_left, Nat.left_distrib, Nat.add_sub_cancel_left]

/-- Steps with stakes `d` times and observations `c` times as large. -/
def scaledSteps (c d : Nat) : List (Nat × Nat) → List (Nat × Nat)
  | [] => []
  | (a, x) :: rest => (d * a, c * x) :: scaledSteps c d rest

/-- **Scaling the betting gate**: a grid `c` times as fine, with the claim and the observations, and stakes over a denominator `d` times as
large: any common multiple of the denominators decides alike. -/
theorem betting_scale_invariant {c d : Nat} (hc : 0 < c) (hd : 0 < d) (N m b nδ dδ : Nat) (steps : List (Nat × Nat)) :
    bettingRejects (c * N) (c * m) (d * b) nδ dδ (scaledSteps c d steps) = bettingRejects N m b nδ dδ steps := by
  have stake : ∀ a, stakeAdmit (c * N) (c * m) (d * b) (d * a) = stakeAdmit N m b a := fun a => by
    unfold stakeAdmit
    rw [ble_one_scale hc, ble_one_scale hd, ble_scale hc, show d * a * (c * N) = d * c * (a * N) by nat_ring,
      show d * b * (c * N) + d * a * (c * m) = d * c * (b * N + a * m) by nat_ring, ble_scale (Nat.mul_pos hd hc)]
  have ok : stepsOk (c * N) (c * m) (d * b) (scaledSteps c d steps) = stepsOk N m b steps := by
    induction steps with
    | nil => rfl
    | cons s steps ih =>
      obtain ⟨a, x⟩ := s
      show (stakeAdmit (c * N) (c * m) (d * b) (d * a) && (Nat.ble (c * x) (c * N) && stepsOk (c * N) (c * m) (d * b) (scaledSteps c d steps))) = _
      rw [stake, ble_scale hc, ih]; rfl
  have wealth : ∃ K, 0 < K ∧ bettingNum (c * N) (c * m) (d * b) (scaledSteps c d steps) = K * bettingNum N m b steps ∧
      bettingDen (c * N) (d * b) (scaledSteps c d steps) = K * bettingDen N b steps := by
    clear ok
    induction steps with
    | nil => exact ⟨1, Nat.le_refl 1, rfl, rfl⟩
    | cons s steps ih =>
      obtain ⟨a, x⟩ := s
      obtain ⟨K, K₀, e₁, e₂⟩ := ih
      have factor : bettingFactor (c * N) (c * m) (d * b) (d * a) (c * x) = d * c * bettingFactor N m b a x := by
        unfold bettingFactor
        rw [mul_sub_stop, show d * b * (c * N) + d * a * (c * m) = d * c * (b * N + a * m) by nat_ring,
          show d * a * (c * x) = d * c * (a * x) by nat_ring]
      refine ⟨K * (d * c), Nat.mul_pos K₀ (Nat.mul_pos hd hc), ?_, ?_⟩
      · show bettingNum (c * N) (c * m) (d * b) (scaledSteps c d steps) * bettingFactor (c * N) (c * m) (d * b) (d * a) (c * x)
          = K * (d * c) * (bettingNum N m b steps * bettingFactor N m b a x)
        rw [factor, e₁]
        generalize bettingNum N m b steps = n, bettingFactor N m b a x = f
        nat_ring
      · show bettingDen (c * N) (d * b) (scaledSteps c d steps) * (d * b * (c * N)) = K * (d * c) * (bettingDen N b steps * (b * N))
        rw [e₂]
        generalize bettingDen N b steps = n
        nat_ring
  obtain ⟨K, K₀, e₁, e₂⟩ := wealth
  unfold bettingRejects
  rw [ok, e₁, e₂, show dδ * (K * bettingDen N b steps) = K * (dδ * bettingDen N b steps) by nat_ring,
    show nδ * (K * bettingNum N m b steps) = K * (nδ * bettingNum N m b steps) by nat_ring, ble_scale K₀]

/-- **Scaling the gate of a ratio**: the ratio and the service level as any fractions of their values. -/
theorem served_ratio_scale_invariant {c d : Nat} (hc : 0 < c) (hd : 0 < d) (P Q n e : Nat) :
    servedAdmit (c * P) (c * Q) (d * n) (d * e) = servedAdmit P Q n e := by
  unfold servedAdmit
  rw [ble_one_scale hc, ble_one_scale hd, ble_scale hc, ← mul_sub_stop, ← Nat.left_distrib,
    show c * P * (d * (e - n)) = c * d * (P * (e - n)) by nat_ring,
    show c * Q * (d * (e + n)) = c * d * (Q * (e + n)) by nat_ring, ble_scale (Nat.mul_pos hc hd)]
end Gnosis

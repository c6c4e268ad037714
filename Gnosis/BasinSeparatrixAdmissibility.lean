prelude
import Gnosis.Decision.Basin
import Gnosis.EnergyMarginBridgeAdmissibility
import Gnosis.Foundation.Abs
import Gnosis.Foundation.Vectors
import Gnosis.Foundation.Selection
/-! # Staying in the basin

`R` is a hypothesis about the world: every point at distance less than `R` from the exact path lies in the same basin.
What is proved is that the served path stays at distance less than `R`.

* Displacements that add up: `basin_sound`, `basin_prefix_sound` (scalars), `basin_vector_sound` (vectors, from bounds
  on energies, no square root), sharp for aligned steps (`basin_sharp`, `basin_vector_sharp`).
* A controller that recomputes exactly every step that would break the budget: `basin_controller_sound`.  It needs no
  admission hypothesis.

Displacements that a flow carries along do not simply add up; for them see `Gnosis.BasinFlowAdmissibility`. -/
open List
namespace Gnosis

/-! ## Scalars -/

/-- A sum of absolute values is not negative. -/
theorem sumAbs_nonneg (δ : List Int) : 0 ≤ sumAbs δ := by
  induction δ with
  | nil => exact Int.le_refl 0
  | cons x l ih => exact Int.add_nonneg (Int.natAbs_nonneg x) ih

/-- The sum of absolute values of two lists one after the other. -/
theorem sumAbs_append (p q : List Int) : sumAbs (p ++ q) = sumAbs p + sumAbs q := by
  induction p with
  | nil => exact (Int.zero_add _).symm
  | cons x l ih =>
    show Int.ofNat x.natAbs + sumAbs (l ++ q) = Int.ofNat x.natAbs + sumAbs l + sumAbs q
    rw [ih, Int.add_assoc]

/-- The absolute value of a sum is at most the sum of the absolute values. -/
theorem abs_sum_le (δ : List Int) : -sumAbs δ ≤ sum δ ∧ sum δ ≤ sumAbs δ := by
  induction δ with
  | nil => exact ⟨Int.le_refl 0, Int.le_refl 0⟩
  | cons x l ih =>
    show -(Int.ofNat x.natAbs + sumAbs l) ≤ x + sum l ∧ x + sum l ≤ Int.ofNat x.natAbs + sumAbs l
    rcases Int.natAbs_cases x with ⟨h, e⟩ | ⟨h, e⟩ <;> rw [e]
    · exact ⟨by lin [ih.1, h, h], by lin [ih.2]⟩
    · exact ⟨by lin [ih.1], by lin [ih.2, h, h]⟩

/-- **Sound**: if the gate admits the displacements `δ`, their sum stays strictly within the radius. -/
theorem basin_sound {δ : List Int} {R : Int} (admitted : basinAdmit δ R = true) : -R < sum δ ∧ sum δ < R := by
  have h : sumAbs δ < R := of_decide_eq_true admitted
  obtain ⟨h₁, h₂⟩ := abs_sum_le δ
  exact ⟨by lin [h, h₁], by lin [h, h₂]⟩

/-- **No beginning crosses**: if the gate admits `δ`, the sum of the first steps stays within the radius, however
many they are. -/
theorem basin_prefix_sound {p q : List Int} {R : Int} (admitted : basinAdmit (p ++ q) R = true) :
    -R < sum p ∧ sum p < R := by
  have h : sumAbs (p ++ q) < R := of_decide_eq_true admitted
  rw [sumAbs_append] at h
  exact basin_sound (decide_eq_true (by lin [h, sumAbs_nonneg q]))

/-- The same side of the separatrix: if the exact path ends at `x`, at distance `R` or more from the separatrix `s`,
the served path, displaced by admitted steps, ends on the same side of `s` and not on it. -/
theorem basin_same_side {δ : List Int} {R x s : Int} (admitted : basinAdmit δ R = true) :
    (x + R ≤ s → x + sum δ < s) ∧ (s + R ≤ x → s < x + sum δ) := by
  obtain ⟨h₁, h₂⟩ := basin_sound admitted
  exact ⟨fun h => by lin [h, h₂], fun h => by lin [h, h₁]⟩

/-- **Sharp for aligned steps**: when no step goes backwards, the gate admits exactly when the sum stays within the
radius. -/
theorem basin_sharp {δ : List Int} {R : Int} (aligned : ∀ x, x ∈ δ → 0 ≤ x) :
    basinAdmit δ R = true ↔ -R < sum δ ∧ sum δ < R := by
  have e : sumAbs δ = sum δ := by
    induction δ with
    | nil => rfl
    | cons x l ih =>
      obtain ⟨h₁, h₂⟩ := forall_mem_cons aligned
      show Int.ofNat x.natAbs + sumAbs l = x + sum l
      rw [ih h₂]
      rcases Int.natAbs_cases x with ⟨_, e⟩ | ⟨h, e⟩ <;> rw [e]
      rw [Int.le_antisymm h h₁]; rfl
  exact ⟨basin_sound, fun h => decide_eq_true (by rw [e]; exact h.2)⟩

/-- **Not vacuous**: three displacements in both directions, within the radius 7; and the gate refuses the radius 6. -/
theorem basin_instance : basinAdmit [3, -2, 1] 7 = true ∧ basinAdmit [3, -2, 1] 6 = false := ⟨rfl, rfl⟩

/-! ## Vectors -/

/-- A bound `N / D < R` on a length, squared: `D²·e ≤ N²` gives `e < R²`. -/
theorem energy_lt_of_bound {e N D R : Int} (hN : 0 ≤ N) (hD : 0 < D) (h : D * D * e ≤ N * N) (lt : N < R * D) :
    e < R * R := by
  refine Int.lt_of_not_le (fun g => ?_)
  have g := Int.mul_le_mul_of_nonneg_left g (Int.le_of_lt (Int.mul_pos hD hD))
  have hRD : 0 < R * D := Int.lt_of_le_of_lt hN lt
  have p := Int.mul_pos (show 0 < R * D - N by lin [lt]) (show 0 < R * D + N by lin [hRD, hN])
  lin [g, h, p]

/-- `RootBounded m δ d`: there are as many bounds `d` as displacements `δ`; each displacement has dimension `m` and
energy at most the square of its bound. -/
def RootBounded (m : Nat) (δ : List (List Int)) (d : List Int) : Prop :=
  Forall₂ (fun v r => v.length = m ∧ energy v ≤ r * r) δ d

/-- The sum of the bounds bounds the length of the sum. -/
theorem energy_sumVectors_le {m : Nat} {δ : List (List Int)} {d : List Int} (bounds : RootBounded m δ d)
    (hd : ∀ r, r ∈ d → 0 ≤ r) : (sumVectors m δ).length = m ∧ 0 ≤ sum d ∧ energy (sumVectors m δ) ≤ sum d * sum d := by
  induction bounds with
  | nil =>
    refine ⟨length_replicate m 0, Int.le_refl 0, ?_⟩
    show energy (replicate m 0) ≤ _
    rw [energy_replicate_zero]; exact Int.le_refl 0
  | @cons v r δ d h _ ih =>
    obtain ⟨hr, hd⟩ := forall_mem_cons hd
    obtain ⟨l, s, e⟩ := ih hd
    obtain ⟨hl, hv⟩ := h
    refine ⟨(length_addEntries (hl.trans l.symm)).trans hl, Int.add_nonneg hr s, ?_⟩
    have k := energy_add_le (C := 1) (hl.trans l.symm) (by decide) hr s (by rw [Int.one_mul]; exact hv)
      (by rw [Int.one_mul]; exact e)
    rw [Int.one_mul] at k; exact k

/-- What the vector gate checks. -/
theorem basinVectorAdmit_iff {d : List Int} {R : Int} :
    basinVectorAdmit d R = true ↔ (∀ r, r ∈ d → 0 ≤ r) ∧ sum d < R := by
  refine Iff.trans Bool.and_eq_true_iff ⟨fun h => ?_, fun h => ?_⟩
  · exact ⟨fun r m => of_decide_eq_true (all_eq_true.mp h.1 r m), of_decide_eq_true h.2⟩
  · exact ⟨all_eq_true.mpr (fun r m => decide_eq_true (h.1 r m)), decide_eq_true h.2⟩

/-- **Vectors, without square roots**: displacements `δ_t` of dimension `m` with `energy δ_t ≤ d_t²`.  If the gate
admits the bounds `d`, then `energy (Σ δ_t) < R²`. -/
theorem basin_vector_sound {m : Nat} {δ : List (List Int)} {d : List Int} {R : Int} (bounds : RootBounded m δ d)
    (admitted : basinVectorAdmit d R = true) : energy (sumVectors m δ) < R * R := by
  obtain ⟨hd, lt⟩ := basinVectorAdmit_iff.mp admitted
  obtain ⟨_, s, e⟩ := energy_sumVectors_le bounds hd
  refine energy_lt_of_bound (N := sum d) (D := 1) s (by decide) ?_ (by rw [Int.mul_one]; exact lt)
  rw [Int.mul_one, Int.one_mul]; exact e

/-- Lists related to a list in two parts are in two parts. -/
theorem forall₂_append_left {p q : List (List Int)} {d : List Int} {r : List Int → Int → Prop}
    (h : Forall₂ r (p ++ q) d) : ∃ d₁ d₂, d = d₁ ++ d₂ ∧ Forall₂ r p d₁ := by
  induction p generalizing d with
  | nil => exact ⟨[], d, rfl, .nil⟩
  | cons v p ih => cases h with
    | cons h t => obtain ⟨d₁, d₂, rfl, k⟩ := ih t; exact ⟨_ :: d₁, d₂, rfl, .cons h k⟩

/-- The sum of two lists one after the other. -/
theorem sum_append (p q : List Int) : sum (p ++ q) = sum p + sum q := by
  induction p with
  | nil => exact (Int.zero_add _).symm
  | cons x l ih => show x + sum (l ++ q) = x + sum l + sum q; rw [ih, Int.add_assoc]

/-- A sum of numbers that are not negative is not negative. -/
theorem sum_nonneg {d : List Int} (h : ∀ r, r ∈ d → 0 ≤ r) : 0 ≤ sum d := by
  induction d with
  | nil => exact Int.le_refl 0
  | cons x l ih => obtain ⟨h₁, h₂⟩ := forall_mem_cons h; exact Int.add_nonneg h₁ (ih h₂)

/-- No beginning crosses, for vectors. -/
theorem basin_vector_prefix_sound {m : Nat} {p q : List (List Int)} {d : List Int} {R : Int}
    (bounds : RootBounded m (p ++ q) d) (admitted : basinVectorAdmit d R = true) : energy (sumVectors m p) < R * R := by
  obtain ⟨d₁, d₂, rfl, k⟩ := forall₂_append_left bounds
  obtain ⟨hd, lt⟩ := basinVectorAdmit_iff.mp admitted
  rw [sum_append] at lt
  refine basin_vector_sound k (basinVectorAdmit_iff.mpr ⟨fun r m => hd r (mem_append_left d₂ m), ?_⟩)
  lin [lt, sum_nonneg (fun r m => hd r (mem_append_right d₁ m))]

/-- The one-dimensional vectors with the given entries. -/
def line (d : List Int) : List (List Int) := map (fun r => [r]) d

/-- **Sharp for aligned vectors**: displacements of length exactly `d_t` in one direction.  For a radius `R ≥ 0` the
gate admits exactly when the sum stays within it. -/
theorem basin_vector_sharp {d : List Int} {R : Int} (hd : ∀ r, r ∈ d → 0 ≤ r) (hR : 0 ≤ R) :
    RootBounded 1 (line d) d ∧ (basinVectorAdmit d R = true ↔ energy (sumVectors 1 (line d)) < R * R) := by
  have bounds : RootBounded 1 (line d) d := by
    clear hd
    induction d with
    | nil => exact .nil
    | cons r d ih => exact .cons ⟨rfl, by show r * r + 0 ≤ r * r; rw [Int.add_zero]; exact Int.le_refl _⟩ ih
  refine ⟨bounds, basin_vector_sound bounds, fun h => basinVectorAdmit_iff.mpr ⟨hd, ?_⟩⟩
  have e : sumVectors 1 (line d) = [sum d] := by
    clear hd bounds h
    induction d with
    | nil => rfl
    | cons r d ih => show addEntries [r] (sumVectors 1 (line d)) = _; rw [ih]; rfl
  rw [e] at h
  have h : sum d * sum d + 0 < R * R := h
  rw [Int.add_zero] at h
  exact (Int.abs_lt_of_sq_lt_sq h hR).2

/-- **Not vacuous**: displacements (3, 4) and (0, -1) with bounds 5 and 1, within the radius 7. -/
theorem basin_vector_instance : RootBounded 2 [[3, 4], [0, -1]] [5, 1] ∧ basinVectorAdmit [5, 1] 7 = true :=
  ⟨.cons ⟨rfl, by decide⟩ (.cons ⟨rfl, by decide⟩ .nil), rfl⟩

/-! ## The controller for displacements that add up -/

/-- What is served: the displacement of a masked step (`true`), zero for a step that is recomputed exactly. -/
def served (m : Nat) : List Bool → List (List Int) → List (List Int)
  | true :: k, v :: vs => v :: served m k vs
  | false :: k, _ :: vs => replicate m 0 :: served m k vs
  | _, _ => []

/-- The bounds of what is served. -/
def servedBounds : List Bool → List Int → List Int
  | true :: k, d :: ds => d :: servedBounds k ds
  | false :: k, _ :: ds => 0 :: servedBounds k ds
  | _, _ => []

/-- What is served is bounded by the bounds of what is served. -/
theorem rootBounded_served {m : Nat} {δ : List (List Int)} {d : List Int} (bounds : RootBounded m δ d) (k : List Bool) :
    RootBounded m (served m k δ) (servedBounds k d) := by
  induction bounds generalizing k with
  | nil => cases k with
    | nil => exact .nil
    | cons b k => cases b with
      | true => exact .nil
      | false => exact .nil
  | cons h _ ih => cases k with
    | nil => exact .nil
    | cons b k => cases b with
      | true => exact .cons h (ih k)
      | false =>
        refine .cons ⟨length_replicate m 0, ?_⟩ (ih k)
        rw [energy_replicate_zero]; exact Int.le_refl 0

/-- The controller keeps the bounds of what is served, with what was spent before, below `R`. -/
theorem basinControl_within {R spent : Int} (d : List Int) (h : spent < R) :
    (∀ r, r ∈ servedBounds (basinControl R spent d) d → 0 ≤ r)
      ∧ spent + sum (servedBounds (basinControl R spent d) d) < R := by
  induction d generalizing spent with
  | nil => exact ⟨fun r m => (nomatch m), by show spent + 0 < R; rw [Int.add_zero]; exact h⟩
  | cons d ds ih =>
    by_cases c : 0 ≤ d ∧ spent + d < R
    · have e : basinControl R spent (d :: ds) = true :: basinControl R (spent + d) ds := if_pos c
      rw [e]
      obtain ⟨h₁, h₂⟩ := ih c.2
      refine ⟨fun r m => ?_, ?_⟩
      · cases m with
        | head => exact c.1
        | tail _ m => exact h₁ r m
      · show spent + (d + sum (servedBounds _ ds)) < R
        rw [← Int.add_assoc]; exact h₂
    · have e : basinControl R spent (d :: ds) = false :: basinControl R spent ds := if_neg c
      rw [e]
      obtain ⟨h₁, h₂⟩ := ih h
      refine ⟨fun r m => ?_, ?_⟩
      · cases m with
        | head => exact Int.le_refl 0
        | tail _ m => exact h₁ r m
      · show spent + (0 + sum (servedBounds _ ds)) < R
        rw [Int.zero_add]; exact h₂

/-- **The controller never crosses**: whatever the displacements and their bounds, if every step that would break
the budget is recomputed exactly, then after every step the served path is closer than `R` to the exact one.  There
is no admission hypothesis: the radius must only be positive and the bounds true. -/
theorem basin_controller_sound {m : Nat} {δ : List (List Int)} {d : List Int} {R : Int} (hR : 0 < R)
    (bounds : RootBounded m δ d) {p q : List (List Int)} (steps : served m (basinControl R 0 d) δ = p ++ q) :
    energy (sumVectors m p) < R * R := by
  obtain ⟨h₁, h₂⟩ := basinControl_within d hR
  rw [Int.zero_add] at h₂
  have b := rootBounded_served bounds (basinControl R 0 d)
  rw [steps] at b
  exact basin_vector_prefix_sound b (basinVectorAdmit_iff.mpr ⟨h₁, h₂⟩)

/-- **The controller is not timid**: when the gate admits all bounds together, it recomputes nothing. -/
theorem basin_controller_keeps {d : List Int} {R : Int} (admitted : basinVectorAdmit d R = true) :
    basinControl R 0 d = map (fun _ => true) d := by
  obtain ⟨hd, lt⟩ := basinVectorAdmit_iff.mp admitted
  have main : ∀ spent, spent + sum d < R → basinControl R spent d = map (fun _ => true) d := by
    clear lt admitted
    induction d with
    | nil => exact fun _ _ => rfl
    | cons r d ih =>
      obtain ⟨hr, hd⟩ := forall_mem_cons hd
      intro spent h
      have h : spent + (r + sum d) < R := h
      have c : 0 ≤ r ∧ spent + r < R := ⟨hr, by lin [h, sum_nonneg hd]⟩
      have e : basinControl R spent (r :: d) = true :: basinControl R (spent + r) d := if_pos c
      rw [e, ih hd (spent + r) (by rw [Int.add_assoc]; exact h)]; rfl
  exact main 0 (by rw [Int.zero_add]; exact lt)

/-- **The controller is causal**: what it decides about the first steps does not depend on the bounds of later ones. -/
theorem basin_controller_causal (R spent : Int) (d e : List Int) :
    ∃ spent', basinControl R spent (d ++ e) = basinControl R spent d ++ basinControl R spent' e := by
  induction d generalizing spent with
  | nil => exact ⟨spent, rfl⟩
  | cons r d ih =>
    show ∃ _, basinControl R spent (r :: (d ++ e)) = _
    by_cases c : 0 ≤ r ∧ spent + r < R
    · have e₁ : basinControl R spent (r :: (d ++ e)) = true :: basinControl R (spent + r) (d ++ e) := if_pos c
      have e₂ : basinControl R spent (r :: d) = true :: basinControl R (spent + r) d := if_pos c
      obtain ⟨s, h⟩ := ih (spent + r)
      exact ⟨s, by rw [e₁, e₂, h]; rfl⟩
    · have e₁ : basinControl R spent (r :: (d ++ e)) = false :: basinControl R spent (d ++ e) := if_neg c
      have e₂ : basinControl R spent (r :: d) = false :: basinControl R spent d := if_neg c
      obtain ⟨s, h⟩ := ih spent
      exact ⟨s, by rw [e₁, e₂, h]; rfl⟩

/-- Not vacuous: with radius 7 the controller masks the first and the third step and recomputes the second. -/
theorem basin_controller_instance : basinControl 7 0 [5, 3, 1] = [true, false, true] := rfl
end Gnosis

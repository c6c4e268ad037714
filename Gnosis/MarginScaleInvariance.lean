prelude
import Gnosis.JitDequantAdmissibility
import Gnosis.TopKSelectionAdmissibility
import Gnosis.TukeyBisquareGate
import Gnosis.Foundation.Lists
import Gnosis.Foundation.Multiples
/-! # Scaling the margin gates

Floats are dyadic numbers: a common power of two turns scores and bounds into integers.  Each theorem says that the
decision does not depend on which power was chosen: scores and bounds `c` times as large give the same answer, for
`c > 0`.  (The energy gate has the same property: `Gnosis.energy_scale_invariant`.) -/
namespace Gnosis
open List

/-- Entries of a multiple. -/
theorem entry_smul (c : Int) {z : List Int} {i : Nat} (h : i < z.length) : entry (smul c z) i = c * entry z i :=
  entry_map _ h

/-- The distance of two entries of a multiple, against a multiple of a bound. -/
theorem gap_le_iff {c b : Int} (hc : 0 < c) {z : List Int} {w j : Nat} (hw : w < z.length) (hj : j < z.length) :
    2 * (c * b) ≤ entry (smul c z) w - entry (smul c z) j ↔ 2 * b ≤ entry z w - entry z j := by
  rw [entry_smul c hw, entry_smul c hj]
  have e₁ : 2 * (c * b) = c * (2 * b) := by ring
  have e₂ : c * entry z w - c * entry z j = c * (entry z w - entry z j) := by ring
  rw [e₁, e₂]; exact Int.mul_le_mul_left hc
/-- The same, strictly. -/
theorem gap_lt_iff {c b : Int} (hc : 0 < c) {z : List Int} {w j : Nat} (hw : w < z.length) (hj : j < z.length) :
    2 * (c * b) < entry (smul c z) w - entry (smul c z) j ↔ 2 * b < entry z w - entry z j := by
  rw [entry_smul c hw, entry_smul c hj]
  have e₁ : 2 * (c * b) = c * (2 * b) := by ring
  have e₂ : c * entry z w - c * entry z j = c * (entry z w - entry z j) := by ring
  rw [e₁, e₂]; exact Int.mul_lt_mul_left hc

/-- **Scaling the three margin gates** changes no decision. -/
theorem margin_scale_invariant {c : Int} (hc : 0 < c) (z : List Int) (w : Nat) (τ : Int) :
    marginAdmit (smul c z) w (c * τ) = marginAdmit z w τ
    ∧ marginAdmitStrict (smul c z) w (c * τ) = marginAdmitStrict z w τ
    ∧ marginAdmitLowest (smul c z) w (c * τ) = marginAdmitLowest z w τ := by
  have len := length_smul c z
  have before : ∀ {j}, j < w → w < z.length → j < z.length := fun hj hw =>
    Nat.lt_of_lt_of_le hj (Nat.le_trans (Nat.le_succ w) hw)
  refine ⟨Bool.eq_iff_iff.mpr (marginAdmit_iff.trans (Iff.trans ?_ marginAdmit_iff.symm)),
    Bool.eq_iff_iff.mpr (marginAdmitStrict_iff.trans (Iff.trans ?_ marginAdmitStrict_iff.symm)),
    Bool.eq_iff_iff.mpr (marginAdmitLowest_iff.trans (Iff.trans ?_ marginAdmitLowest_iff.symm))⟩ <;> rw [len]
  · exact ⟨fun ⟨hw, hτ, h⟩ => ⟨hw, (Int.mul_nonneg_iff_of_pos_left hc).mp hτ, fun j hj n => (gap_le_iff hc hw hj).mp (h j hj n)⟩,
      fun ⟨hw, hτ, h⟩ => ⟨hw, (Int.mul_nonneg_iff_of_pos_left hc).mpr hτ, fun j hj n => (gap_le_iff hc hw hj).mpr (h j hj n)⟩⟩
  · exact ⟨fun ⟨hw, hτ, h⟩ => ⟨hw, (Int.mul_nonneg_iff_of_pos_left hc).mp hτ, fun j hj n => (gap_lt_iff hc hw hj).mp (h j hj n)⟩,
      fun ⟨hw, hτ, h⟩ => ⟨hw, (Int.mul_nonneg_iff_of_pos_left hc).mpr hτ, fun j hj n => (gap_lt_iff hc hw hj).mpr (h j hj n)⟩⟩
  · exact ⟨fun ⟨hw, hτ, h, k⟩ => ⟨hw, (Int.mul_nonneg_iff_of_pos_left hc).mp hτ,
        fun j hj => (gap_lt_iff hc hw (before hj hw)).mp (h j hj), fun j hj hl => (gap_le_iff hc hw hl).mp (k j hj hl)⟩,
      fun ⟨hw, hτ, h, k⟩ => ⟨hw, (Int.mul_nonneg_iff_of_pos_left hc).mpr hτ,
        fun j hj => (gap_lt_iff hc hw (before hj hw)).mpr (h j hj), fun j hj hl => (gap_le_iff hc hw hl).mpr (k j hj hl)⟩⟩

/-- Bounds fit on every scale. -/
theorem boundsFit_scale {c : Int} (hc : 0 < c) (z ε : List Int) : boundsFit (smul c z) (smul c ε) = boundsFit z ε := by
  refine Bool.eq_iff_iff.mpr (boundsFit_iff.trans (Iff.trans ?_ boundsFit_iff.symm))
  rw [length_smul, length_smul]
  exact ⟨fun ⟨hl, h⟩ => ⟨hl, fun i hi => (Int.mul_nonneg_iff_of_pos_left hc).mp (by
      rw [← entry_smul c (by rw [← hl]; exact hi)]; exact h i hi)⟩,
    fun ⟨hl, h⟩ => ⟨hl, fun i hi => by
      rw [entry_smul c (by rw [← hl]; exact hi)]; exact (Int.mul_nonneg_iff_of_pos_left hc).mpr (h i hi)⟩⟩

/-- **Scaling the row-wise gate** changes no decision. -/
theorem row_scale_invariant {c : Int} (hc : 0 < c) (z ε : List Int) (w : Nat) :
    rowAdmit (smul c z) (smul c ε) w = rowAdmit z ε w := by
  refine Bool.eq_iff_iff.mpr (rowAdmit_iff.trans (Iff.trans ?_ rowAdmit_iff.symm))
  rw [boundsFit_scale hc, length_smul]
  have key : ∀ {j}, boundsFit z ε = true → w < z.length → j < z.length →
      (entry (smul c ε) w + entry (smul c ε) j < entry (smul c z) w - entry (smul c z) j
        ↔ entry ε w + entry ε j < entry z w - entry z j) := fun {j} fit hw hj => by
    have hl := (boundsFit_iff.mp fit).1
    rw [entry_smul c hw, entry_smul c hj, entry_smul c (by rw [← hl]; exact hw), entry_smul c (by rw [← hl]; exact hj),
      ← Int.mul_add]
    have e : c * entry z w - c * entry z j = c * (entry z w - entry z j) := by ring
    rw [e]; exact Int.mul_lt_mul_left hc
  exact ⟨fun ⟨fit, hw, h⟩ => ⟨fit, hw, fun j hj n => (key fit hw hj).mp (h j hj n)⟩,
    fun ⟨fit, hw, h⟩ => ⟨fit, hw, fun j hj n => (key fit hw hj).mpr (h j hj n)⟩⟩

/-- **Scaling changes no candidate.** -/
theorem candidates_scale_invariant {c : Int} (hc : 0 < c) (z ε : List Int) (j : Nat) :
    j ∈ candidates (smul c z) (smul c ε) ↔ j ∈ candidates z ε := by
  cases fit : boundsFit z ε with
  | false =>
    refine (mem_candidatesFrom_of_not_fit (by rw [boundsFit_scale hc]; exact fit)).trans
      (Iff.trans ?_ (mem_candidatesFrom_of_not_fit fit).symm)
    rw [length_smul]; exact Iff.rfl
  | true =>
    refine (mem_candidates (by rw [boundsFit_scale hc]; exact fit)).trans (Iff.trans ?_ (mem_candidates fit).symm)
    rw [length_smul]
    have hl := (boundsFit_iff.mp fit).1
    have key : ∀ {i}, j < z.length → i < z.length →
        (entry (smul c z) i - entry (smul c ε) i ≤ entry (smul c z) j + entry (smul c ε) j
          ↔ entry z i - entry ε i ≤ entry z j + entry ε j) := fun {i} hj hi => by
      rw [entry_smul c hi, entry_smul c hj, entry_smul c (by rw [← hl]; exact hi),
        entry_smul c (by rw [← hl]; exact hj), ← Int.mul_add]
      have e : c * entry z i - c * entry ε i = c * (entry z i - entry ε i) := by ring
      rw [e]; exact Int.mul_le_mul_left hc
    exact ⟨fun ⟨hj, h⟩ => ⟨hj, fun i hi => (key hj hi).mp (h i hi)⟩,
      fun ⟨hj, h⟩ => ⟨hj, fun i hi => (key hj hi).mpr (h i hi)⟩⟩

/-- **Scaling the top-k gate** changes no decision. -/
theorem topk_scale_invariant {c : Int} (hc : 0 < c) (z : List Int) (S : List Bool) (ε : Int) :
    topkAdmit (smul c z) S (c * ε) = topkAdmit z S ε := by
  refine Bool.eq_iff_iff.mpr (topkAdmit_iff.trans (Iff.trans ?_ topkAdmit_iff.symm))
  rw [length_smul]
  exact ⟨fun ⟨hl, hε, h⟩ => ⟨hl, (Int.mul_nonneg_iff_of_pos_left hc).mp hε,
      fun i j hi hj si sj => (gap_lt_iff hc hi hj).mp (h i j hi hj si sj)⟩,
    fun ⟨hl, hε, h⟩ => ⟨hl, (Int.mul_nonneg_iff_of_pos_left hc).mpr hε,
      fun i j hi hj si sj => (gap_lt_iff hc hi hj).mpr (h i j hi hj si sj)⟩⟩

/-- The scan for the two largest entries, on another scale. -/
theorem topTwoFrom_smul {c : Int} (hc : 0 < c) (a b : Int) (xs : List Int) :
    topTwoFrom (c * a) (c * b) (smul c xs) = c * topTwoFrom a b xs := by
  induction xs generalizing a b with
  | nil => exact (Int.mul_add c a b).symm
  | cons x xs ih =>
    show (if c * a < c * x then topTwoFrom (c * x) (c * a) (smul c xs)
      else if c * b < c * x then topTwoFrom (c * a) (c * x) (smul c xs) else topTwoFrom (c * a) (c * b) (smul c xs))
      = c * (if a < x then topTwoFrom x a xs else if b < x then topTwoFrom a x xs else topTwoFrom a b xs)
    rw [ih, ih, ih]
    by_cases h₁ : a < x
    · rw [if_pos h₁, if_pos ((Int.mul_lt_mul_left hc).mpr h₁)]
    · rw [if_neg h₁, if_neg (fun k => h₁ ((Int.mul_lt_mul_left hc).mp k))]
      by_cases h₂ : b < x
      · rw [if_pos h₂, if_pos ((Int.mul_lt_mul_left hc).mpr h₂)]
      · rw [if_neg h₂, if_neg (fun k => h₂ ((Int.mul_lt_mul_left hc).mp k))]
/-- The sum of the two largest entries, on another scale. -/
theorem topTwo_smul {c : Int} (hc : 0 < c) (z : List Int) : topTwo (smul c z) = c * topTwo z := by
  match z with
  | [] => exact (Int.mul_zero c).symm
  | [_] => exact (Int.mul_zero c).symm
  | x :: y :: zs =>
    show (if c * x < c * y then topTwoFrom (c * y) (c * x) (smul c zs) else topTwoFrom (c * x) (c * y) (smul c zs))
      = c * (if x < y then topTwoFrom y x zs else topTwoFrom x y zs)
    rw [topTwoFrom_smul hc, topTwoFrom_smul hc]
    by_cases h : x < y
    · rw [if_pos h, if_pos ((Int.mul_lt_mul_left hc).mpr h)]
    · rw [if_neg h, if_neg (fun k => h ((Int.mul_lt_mul_left hc).mp k))]

/-- **Scaling the two-stage gate** changes no decision. -/
theorem two_stage_scale_invariant {c : Int} (hc : 0 < c) (groups : List (List Int)) (gsel : List Bool)
    (esel : List (List Bool)) (ε : Int) :
    twoStageAdmit (groups.map (smul c)) gsel esel (c * ε) = twoStageAdmit groups gsel esel ε := by
  have scores : (groups.map (smul c)).map topTwo = smul c (groups.map topTwo) := by
    induction groups with
    | nil => rfl
    | cons g gs ih => show topTwo (smul c g) :: _ = (c * topTwo g) :: _; rw [topTwo_smul hc, ih]; rfl
  have shape : twoStageShape (groups.map (smul c)) gsel esel = twoStageShape groups gsel esel := by
    induction groups generalizing gsel esel with
    | nil => rfl
    | cons g gs ih => cases gsel with
      | nil => rfl
      | cons s ss => cases esel with
        | nil => rfl
        | cons m ms =>
          show (decide (2 ≤ (smul c g).length) && Nat.beq (smul c g).length m.length && _
            && twoStageShape (gs.map (smul c)) ss ms) = _
          rw [length_smul, ih ss ms (by injection scores)]; rfl
  have picked : pickedScores (groups.map (smul c)) gsel = smul c (pickedScores groups gsel) := by
    clear scores shape
    induction groups generalizing gsel with
    | nil => rfl
    | cons g gs ih => cases gsel with
      | nil => rfl
      | cons s ss => cases s with
        | true => show smul c g ++ _ = smul c (g ++ _); rw [ih, smul, smul, smul, map_append]
        | false => exact ih ss
  unfold twoStageAdmit
  have e : 2 * (c * ε) = c * (2 * ε) := by ring
  rw [scores, shape, picked, e, topk_scale_invariant hc, topk_scale_invariant hc]

/-- The strict sidecar gate, on another scale of the weights. -/
theorem energy_sidecar_strict_scale_invariant {c : Int} (hc : 0 < c) (E A γ : Int) :
    energySidecarAdmitStrict (c * c * E) A (c * γ) = energySidecarAdmitStrict E A γ := by
  have hcc : 0 < c * c := Int.mul_pos hc hc
  refine Bool.eq_iff_iff.mpr (energySidecarAdmitStrict_iff.trans (Iff.trans ?_ energySidecarAdmitStrict_iff.symm))
  have e₁ : 4 * (c * c * E) * A = c * c * (4 * E * A) := by ring
  have e₂ : c * γ * (c * γ) = c * c * (γ * γ) := by ring
  rw [e₁, e₂]
  have nonnegE := Int.mul_nonneg_iff_of_pos_left (b := E) hcc
  have nonnegγ := Int.mul_nonneg_iff_of_pos_left (b := γ) hc
  have lt := Int.mul_lt_mul_left (b := 4 * E * A) (c := γ * γ) hcc
  exact ⟨fun ⟨h₁, h₂, h₃, h₄⟩ => ⟨nonnegE.mp h₁, h₂, nonnegγ.mp h₃, lt.mp h₄⟩,
    fun ⟨h₁, h₂, h₃, h₄⟩ => ⟨nonnegE.mpr h₁, h₂, nonnegγ.mpr h₃, lt.mpr h₄⟩⟩

/-- A property of all entries of a multiple. -/
theorem forall_mem_smul {c : Int} {v : List Int} {p q : Int → Prop} (h : ∀ e, p (c * e) ↔ q e) :
    (∀ e, e ∈ smul c v → p e) ↔ ∀ e, e ∈ v → q e :=
  ⟨fun k e m => (h e).mp (k _ (mem_map_of_mem _ m)), fun k _ m => by
    obtain ⟨e, me, rfl⟩ := exists_of_mem_map m
    exact (h e).mpr (k e me)⟩

/-- When scaled energies pass their gates as the unscaled ones do, a layer with logits and margin `c` times as large gets
the same decisions. -/
theorem jit_scale_of_gates {c : Int} (hc : 0 < c) {z : List Int} {w : Nat} {E E' : List Int} {A A' γ : Int}
    (len : E'.length = E.length)
    (weak : (∀ e, e ∈ E' → energySidecarAdmit e A' (c * γ) = true) ↔ ∀ e, e ∈ E → energySidecarAdmit e A γ = true)
    (strict : (∀ e, e ∈ E' → energySidecarAdmitStrict e A' (c * γ) = true) ↔
      ∀ e, e ∈ E → energySidecarAdmitStrict e A γ = true) :
    jitAdmit (smul c z) w E' A' (c * γ) = jitAdmit z w E A γ
    ∧ jitAdmitStrict (smul c z) w E' A' (c * γ) = jitAdmitStrict z w E A γ := by
  have gap : ∀ {j}, w < z.length → j < z.length →
      (c * γ ≤ entry (smul c z) w - entry (smul c z) j ↔ γ ≤ entry z w - entry z j) := fun {j} hw hj => by
    rw [entry_smul c hw, entry_smul c hj]
    have e : c * entry z w - c * entry z j = c * (entry z w - entry z j) := by ring
    rw [e]; exact Int.mul_le_mul_left hc
  constructor
  · refine Bool.eq_iff_iff.mpr (jitAdmit_iff.trans (Iff.trans ?_ jitAdmit_iff.symm))
    rw [length_smul, len]
    exact ⟨fun ⟨hl, hw, h, k⟩ => ⟨hl, hw, fun j hj n => (gap hw hj).mp (h j hj n), weak.mp k⟩,
      fun ⟨hl, hw, h, k⟩ => ⟨hl, hw, fun j hj n => (gap hw hj).mpr (h j hj n), weak.mpr k⟩⟩
  · refine Bool.eq_iff_iff.mpr (jitAdmitStrict_iff.trans (Iff.trans ?_ jitAdmitStrict_iff.symm))
    rw [length_smul, len]
    exact ⟨fun ⟨hl, hw, h, k⟩ => ⟨hl, hw, fun j hj n => (gap hw hj).mp (h j hj n), strict.mp k⟩,
      fun ⟨hl, hw, h, k⟩ => ⟨hl, hw, fun j hj n => (gap hw hj).mpr (h j hj n), strict.mpr k⟩⟩

/-- **Scaling the weights of a served layer** by `c` (energies by `c²`, logits and margin by `c`) changes neither the
weak nor the strict decision. -/
theorem jit_scale_invariant {c : Int} (hc : 0 < c) (z : List Int) (w : Nat) (E : List Int) (A γ : Int) :
    jitAdmit (smul c z) w (smul (c * c) E) A (c * γ) = jitAdmit z w E A γ
    ∧ jitAdmitStrict (smul c z) w (smul (c * c) E) A (c * γ) = jitAdmitStrict z w E A γ :=
  jit_scale_of_gates hc (length_smul _ _)
    (forall_mem_smul fun e => by rw [energy_sidecar_scale_invariant hc]; exact Iff.rfl)
    (forall_mem_smul fun e => by rw [energy_sidecar_strict_scale_invariant hc]; exact Iff.rfl)

/-- **Scaling the activation** by `c` (its energy by `c²`, logits and margin by `c`) changes no decision either. -/
theorem jit_activation_scale_invariant {c : Int} (hc : 0 < c) (z : List Int) (w : Nat) (E : List Int) (A γ : Int) :
    jitAdmit (smul c z) w E (c * c * A) (c * γ) = jitAdmit z w E A γ
    ∧ jitAdmitStrict (smul c z) w E (c * c * A) (c * γ) = jitAdmitStrict z w E A γ := by
  have comm : ∀ E A γ, energySidecarAdmitStrict E A γ = energySidecarAdmitStrict A E γ := fun E A γ => by
    have swap : ∀ E A, energySidecarAdmitStrict E A γ = true → energySidecarAdmitStrict A E γ = true := fun E A h =>
      have ⟨hE, hA, hγ, lt⟩ := energySidecarAdmitStrict_iff.mp h
      energySidecarAdmitStrict_iff.mpr ⟨hA, hE, hγ, by rw [show 4 * A * E = 4 * E * A by ring]; exact lt⟩
    exact Bool.eq_iff_iff.mpr ⟨swap E A, swap A E⟩
  have weak : ∀ e, energySidecarAdmit e (c * c * A) (c * γ) = energySidecarAdmit e A γ := fun e => by
    rw [energySidecarAdmit_comm, energy_sidecar_scale_invariant hc, energySidecarAdmit_comm]
  have strict : ∀ e, energySidecarAdmitStrict e (c * c * A) (c * γ) = energySidecarAdmitStrict e A γ := fun e => by
    rw [comm, energy_sidecar_strict_scale_invariant hc, comm]
  exact jit_scale_of_gates hc rfl
    ⟨fun h e m => (weak e).symm.trans (h e m), fun h e m => (weak e).trans (h e m)⟩
    ⟨fun h e m => (strict e).symm.trans (h e m), fun h e m => (strict e).trans (h e m)⟩

/-- **Scaling the bisquare gate**: the decision stays, the weight is `c⁴` times as large, as its unit `1/γ⁴` demands. -/
theorem tukey_scale_invariant {c : Int} (hc : 0 < c) (r γ : Int) : tukeyAdmit (c * r) (c * γ) = tukeyAdmit r γ
    ∧ tukeyWeight (c * r) (c * γ) = c * c * (c * c) * tukeyWeight r γ := by
  have e : tukeyAdmit (c * r) (c * γ) = tukeyAdmit r γ := by
    unfold tukeyAdmit
    have e₁ : -(c * γ) = c * -γ := by ring
    have e₂ : 2 * (c * r) = c * (2 * r) := by ring
    rw [e₁, e₂]
    rw [decide_eq_decide.mpr (Int.mul_nonneg_iff_of_pos_left hc), decide_eq_decide.mpr (Int.mul_le_mul_left hc),
      decide_eq_decide.mpr (Int.mul_le_mul_left hc)]
  refine ⟨e, ?_⟩
  cases a : tukeyAdmit r γ with
  | true => rw [tukeyWeight_of_admit a, tukeyWeight_of_admit (e.trans a)]; ring
  | false => rw [tukeyWeight_of_refuse a, tukeyWeight_of_refuse (e.trans a), Int.mul_zero]

end Gnosis

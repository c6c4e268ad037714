prelude
import Gnosis.Core
import Gnosis.Decision.Energy
import Gnosis.Foundation.Lists
import Gnosis.Foundation.Squares
/-! # Energy–margin bridge

A residual `τ` moves the scalar product with `a` by `dot τ a`.  By Cauchy–Schwarz `(dot τ a)² ≤ energy τ · energy a`,
so a gate that compares energies with a margin `γ` controls `2·|dot τ a|` without seeing the product and without a
square root.  The decisions are in `Gnosis.Decision.Energy`, which also explains the units.

For each form of the gate: it is sound, it admits instances with a non-zero residual, and it is sharp. -/
namespace Gnosis

/-! ## Lagrange's identity and Cauchy–Schwarz -/

/-- `Σ_j (t·b_j − s_j·a)²`, over the pairs `(s_j, b_j)` of the two lists. -/
def minorsAgainst (t a : Int) : List Int → List Int → Int
  | s :: ts, b :: as => (t * b - s * a) * (t * b - s * a) + minorsAgainst t a ts as
  | _, _ => 0

/-- `Σ_{i<j} (t_i·a_j − t_j·a_i)²`: the sum of the squares of all 2×2 minors of the matrix with rows `t` and `a`. -/
def sumSqMinors : List Int → List Int → Int
  | t :: ts, a :: as => minorsAgainst t a ts as + sumSqMinors ts as
  | _, _ => 0

/-- The scalar product does not depend on the order of the vectors. -/
theorem dot_comm (t a : List Int) : dot t a = dot a t := by
  induction t generalizing a with
  | nil => cases a with
    | nil => rfl
    | cons a as => rfl
  | cons t ts ih => cases a with
    | nil => rfl
    | cons a as => show t * a + dot ts as = a * t + dot as ts; rw [ih, Int.mul_comm]

/-- An energy is not negative. -/
theorem energy_nonneg (v : List Int) : 0 ≤ energy v := by
  induction v with
  | nil => exact Int.le_refl 0
  | cons x v ih => exact Int.add_nonneg (Int.sq_nonneg x) ih

/-- The square of a minor, expanded and summed. -/
theorem minorsAgainst_eq (t a : Int) {ts as : List Int} (h : ts.length = as.length) :
    minorsAgainst t a ts as = t * t * energy as + a * a * energy ts - 2 * (t * a) * dot ts as := by
  induction ts generalizing as with
  | nil => cases as with
    | nil => show (0 : Int) = t * t * 0 + a * a * 0 - 2 * (t * a) * 0; ring
    | cons b as => exact nomatch h
  | cons s ts ih => cases as with
    | nil => exact nomatch h
    | cons b as =>
      show (t * b - s * a) * (t * b - s * a) + minorsAgainst t a ts as
        = t * t * (b * b + energy as) + a * a * (s * s + energy ts) - 2 * (t * a) * (s * b + dot ts as)
      rw [ih (Nat.add_right_cancel h)]
      generalize energy as = A, energy ts = T, dot ts as = D
      ring

/-- **Lagrange's identity**: for vectors of equal length
`energy t · energy a − (dot t a)² = Σ_{i<j} (t_i·a_j − t_j·a_i)²`. -/
theorem lagrange_identity {t a : List Int} (h : t.length = a.length) :
    energy t * energy a - dot t a * dot t a = sumSqMinors t a := by
  induction t generalizing a with
  | nil => cases a with
    | nil => rfl
    | cons a as => exact nomatch h
  | cons t ts ih => cases a with
    | nil => exact nomatch h
    | cons a as =>
      have h : ts.length = as.length := Nat.add_right_cancel h
      show (t * t + energy ts) * (a * a + energy as) - (t * a + dot ts as) * (t * a + dot ts as)
        = minorsAgainst t a ts as + sumSqMinors ts as
      rw [← ih h, minorsAgainst_eq t a h]
      generalize energy as = A, energy ts = T, dot ts as = D
      ring

/-- A sum of squares is not negative. -/
theorem minorsAgainst_nonneg (t a : Int) (ts as : List Int) : 0 ≤ minorsAgainst t a ts as := by
  induction ts generalizing as with
  | nil => exact Int.le_refl 0
  | cons s ts ih => cases as with
    | nil => exact Int.le_refl 0
    | cons b as => exact Int.add_nonneg (Int.sq_nonneg _) (ih as)

/-- A sum of squares is not negative. -/
theorem sumSqMinors_nonneg (t a : List Int) : 0 ≤ sumSqMinors t a := by
  induction t generalizing a with
  | nil => exact Int.le_refl 0
  | cons t ts ih => cases a with
    | nil => exact Int.le_refl 0
    | cons a as => exact Int.add_nonneg (minorsAgainst_nonneg t a ts as) (ih as)

/-- Vectors of different length have the scalar product of their common beginnings, which have no more energy. -/
theorem exists_common_length (t a : List Int) :
    ∃ t' a', t'.length = a'.length ∧ dot t' a' = dot t a ∧ energy t' ≤ energy t ∧ energy a' ≤ energy a := by
  induction t generalizing a with
  | nil => exact ⟨[], [], rfl, rfl, Int.le_refl 0, energy_nonneg a⟩
  | cons t ts ih => cases a with
    | nil => exact ⟨[], [], rfl, rfl, energy_nonneg (t :: ts), Int.le_refl 0⟩
    | cons a as =>
      obtain ⟨t', a', hl, hd, ht, ha⟩ := ih as
      exact ⟨t :: t', a :: a', congrArg Nat.succ hl, congrArg (t * a + ·) hd,
        Int.add_le_add (Int.le_refl _) ht, Int.add_le_add (Int.le_refl _) ha⟩

/-- **Cauchy–Schwarz**, squared, so that no root is taken: `(dot t a)² ≤ energy t · energy a`.  A corollary of
Lagrange's identity. -/
theorem dot_sq_le (t a : List Int) : dot t a * dot t a ≤ energy t * energy a := by
  obtain ⟨t', a', hl, hd, ht, ha⟩ := exists_common_length t a
  have cs : dot t' a' * dot t' a' ≤ energy t' * energy a' := by
    apply Int.le_of_sub_nonneg
    rw [lagrange_identity hl]
    exact sumSqMinors_nonneg t' a'
  rw [hd] at cs
  exact Int.le_trans cs (Int.mul_le_mul ht ha (energy_nonneg a') (energy_nonneg t))

/-! ## What the decisions say -/

/-- What the energy gate decides. -/
theorem energyAdmit_iff {τ a : List Int} {γ : Int} :
    energyAdmit τ a γ = true ↔ τ.length = a.length ∧ 0 ≤ γ ∧ 4 * energy τ * energy a ≤ γ * γ := by
  unfold energyAdmit
  constructor
  · intro h
    obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h₃⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨Nat.beq_eq_true_iff.mp h₁, of_decide_eq_true h₂, of_decide_eq_true h₃⟩
  · intro ⟨h₁, h₂, h₃⟩
    rw [Nat.beq_eq_true_iff.mpr h₁, decide_eq_true h₂, decide_eq_true h₃]; rfl

/-- What the sidecar gate decides. -/
theorem energySidecarAdmit_iff {E A γ : Int} :
    energySidecarAdmit E A γ = true ↔ 0 ≤ E ∧ 0 ≤ A ∧ 0 ≤ γ ∧ 4 * E * A ≤ γ * γ := by
  unfold energySidecarAdmit
  constructor
  · intro h
    obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₃, h₄⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨of_decide_eq_true h₁, of_decide_eq_true h₂, of_decide_eq_true h₃, of_decide_eq_true h₄⟩
  · intro ⟨h₁, h₂, h₃, h₄⟩
    rw [decide_eq_true h₁, decide_eq_true h₂, decide_eq_true h₃, decide_eq_true h₄]; rfl

/-- What the strict sidecar gate decides. -/
theorem energySidecarAdmitStrict_iff {E A γ : Int} :
    energySidecarAdmitStrict E A γ = true ↔ 0 ≤ E ∧ 0 ≤ A ∧ 0 ≤ γ ∧ 4 * E * A < γ * γ := by
  unfold energySidecarAdmitStrict
  constructor
  · intro h
    obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₃, h₄⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨of_decide_eq_true h₁, of_decide_eq_true h₂, of_decide_eq_true h₃, of_decide_eq_true h₄⟩
  · intro ⟨h₁, h₂, h₃, h₄⟩
    rw [decide_eq_true h₁, decide_eq_true h₂, decide_eq_true h₃, decide_eq_true h₄]; rfl

/-! ## The sidecar gate -/

/-- `4·(dot τ a)² ≤ 4·E·A` when `E` and `A` bound the energies. -/
theorem four_dot_sq_le {τ a : List Int} {E A : Int} (hE : energy τ ≤ E) (hA : energy a ≤ A) :
    2 * dot τ a * (2 * dot τ a) ≤ 4 * E * A := by
  have h := Int.le_trans (dot_sq_le τ a)
    (Int.mul_le_mul hE hA (energy_nonneg a) (Int.le_trans (energy_nonneg τ) hE))
  lin [h, h, h, h]

/-- **The sidecar gate is sound.**  If `E` and `A` are upper bounds on the energies of residual and activation and the
gate admits `(E, A, γ)`, then `2·|dot τ a| ≤ γ`. -/
theorem energy_sidecar_sound {τ a : List Int} {E A γ : Int} (hE : energy τ ≤ E) (hA : energy a ≤ A)
    (h : energySidecarAdmit E A γ = true) : -γ ≤ 2 * dot τ a ∧ 2 * dot τ a ≤ γ := by
  obtain ⟨_, _, hγ, h⟩ := energySidecarAdmit_iff.mp h
  exact Int.abs_le_of_sq_le_sq (Int.le_trans (four_dot_sq_le hE hA) h) hγ

/-- **The strict sidecar gate is sound**: it gives `2·|dot τ a| < γ`. -/
theorem energy_sidecar_sound_strict {τ a : List Int} {E A γ : Int} (hE : energy τ ≤ E) (hA : energy a ≤ A)
    (h : energySidecarAdmitStrict E A γ = true) : -γ < 2 * dot τ a ∧ 2 * dot τ a < γ := by
  obtain ⟨_, _, hγ, h⟩ := energySidecarAdmitStrict_iff.mp h
  exact Int.abs_lt_of_sq_lt_sq (Int.lt_of_le_of_lt (four_dot_sq_le hE hA) h) hγ

/-! ## The gate on whole vectors -/

/-- On whole vectors of equal length the gate is the sidecar gate with the exact energies. -/
theorem energyAdmit_eq_sidecar {τ a : List Int} (h : τ.length = a.length) (γ : Int) :
    energyAdmit τ a γ = energySidecarAdmit (energy τ) (energy a) γ := by
  unfold energyAdmit energySidecarAdmit
  rw [Nat.beq_eq_true_iff.mpr h, decide_eq_true (energy_nonneg τ), decide_eq_true (energy_nonneg a)]; rfl

/-- **The energy gate is sound**: an admitted residual moves the scalar product by at most half the margin,
`2·|dot τ a| ≤ γ`. -/
theorem energy_bridge_sound {τ a : List Int} {γ : Int} (h : energyAdmit τ a γ = true) :
    -γ ≤ 2 * dot τ a ∧ 2 * dot τ a ≤ γ := by
  rw [energyAdmit_eq_sidecar (energyAdmit_iff.mp h).left] at h
  exact energy_sidecar_sound (Int.le_refl _) (Int.le_refl _) h


/-- The order of the two vectors does not matter. -/
theorem energy_admit_comm (τ a : List Int) (γ : Int) : energyAdmit τ a γ = energyAdmit a τ γ := by
  have h : ∀ u v : List Int, energyAdmit u v γ = true → energyAdmit v u γ = true := fun u v h => by
    obtain ⟨h₁, h₂, h₃⟩ := energyAdmit_iff.mp h
    exact energyAdmit_iff.mpr ⟨h₁.symm, h₂, by lin [h₃]⟩
  exact Bool.eq_iff_iff.mpr ⟨h τ a, h a τ⟩

/-! ## Scaling -/

/-- The multiple `c·v` of a vector. -/
def smul (c : Int) (v : List Int) : List Int := v.map (fun x => c * x)

/-- A multiple on the left comes out of the scalar product. -/
theorem dot_smul_left (c : Int) (t a : List Int) : dot (smul c t) a = c * dot t a := by
  induction t generalizing a with
  | nil => exact (Int.mul_zero c).symm
  | cons t ts ih => cases a with
    | nil => exact (Int.mul_zero c).symm
    | cons a as =>
      show c * t * a + dot (smul c ts) as = c * (t * a + dot ts as)
      rw [ih]; ring

/-- A multiple on the right comes out of the scalar product. -/
theorem dot_smul_right (c : Int) (t a : List Int) : dot t (smul c a) = c * dot t a := by
  rw [dot_comm, dot_smul_left, dot_comm]

/-- The energy of `c·v` is `c²` times that of `v`. -/
theorem energy_smul (c : Int) (v : List Int) : energy (smul c v) = c * c * energy v := by
  show dot (smul c v) (smul c v) = _
  rw [dot_smul_left, dot_smul_right, ← Int.mul_assoc]; rfl

/-- A multiple of a vector has its length. -/
theorem length_smul (c : Int) (v : List Int) : (smul c v).length = v.length := List.length_map _ v

/-- **Scaling the sidecar gate**: energies `c²` times, the margin `c` times as large give the same decision, for
`c > 0`. -/
theorem energy_sidecar_scale_invariant {c : Int} (hc : 0 < c) (E A γ : Int) :
    energySidecarAdmit (c * c * E) A (c * γ) = energySidecarAdmit E A γ := by
  have hcc : 0 < c * c := Int.mul_pos hc hc
  refine Bool.eq_iff_iff.mpr ⟨fun h => ?_, fun h => ?_⟩
  · obtain ⟨hE, hA, hγ, h⟩ := energySidecarAdmit_iff.mp h
    exact energySidecarAdmit_iff.mpr ⟨Int.le_of_mul_le_mul_left (a := c * c) (by rw [Int.mul_zero]; exact hE) hcc, hA,
      Int.le_of_mul_le_mul_left (a := c) (by rw [Int.mul_zero]; exact hγ) hc,
      Int.le_of_mul_le_mul_left (a := c * c) (by lin [h]) hcc⟩
  · obtain ⟨hE, hA, hγ, h⟩ := energySidecarAdmit_iff.mp h
    refine energySidecarAdmit_iff.mpr ⟨Int.mul_nonneg (Int.le_of_lt hcc) hE, hA, Int.mul_nonneg (Int.le_of_lt hc) hγ, ?_⟩
    lin [Int.mul_le_mul_of_nonneg_left h (Int.le_of_lt hcc)]

/-- **Scaling the energy gate**: a residual and a margin `c` times as large give the same decision, for `c > 0`.  So
going from dyadic numbers to integers by a common power of two changes nothing; by `energy_admit_comm` the same
holds for the activation. -/
theorem energy_scale_invariant {c : Int} (hc : 0 < c) (τ a : List Int) (γ : Int) :
    energyAdmit (smul c τ) a (c * γ) = energyAdmit τ a γ := by
  have hcc : 0 < c * c := Int.mul_pos hc hc
  refine Bool.eq_iff_iff.mpr ⟨fun h => ?_, fun h => ?_⟩
  · obtain ⟨hl, hγ, h⟩ := energyAdmit_iff.mp h
    rw [length_smul] at hl
    rw [energy_smul] at h
    exact energyAdmit_iff.mpr ⟨hl, Int.le_of_mul_le_mul_left (a := c) (by rw [Int.mul_zero]; exact hγ) hc,
      Int.le_of_mul_le_mul_left (a := c * c) (by lin [h]) hcc⟩
  · obtain ⟨hl, hγ, h⟩ := energyAdmit_iff.mp h
    refine energyAdmit_iff.mpr ⟨by rw [length_smul]; exact hl, Int.mul_nonneg (Int.le_of_lt hc) hγ, ?_⟩
    rw [energy_smul]
    lin [Int.mul_le_mul_of_nonneg_left h (Int.le_of_lt hcc)]

/-- The two energies play the same part. -/
theorem energySidecarAdmit_comm (E A γ : Int) : energySidecarAdmit E A γ = energySidecarAdmit A E γ := by
  have swap : ∀ E A, energySidecarAdmit E A γ = true → energySidecarAdmit A E γ = true := fun E A h =>
    have ⟨hE, hA, hγ, le⟩ := energySidecarAdmit_iff.mp h
    energySidecarAdmit_iff.mpr ⟨hA, hE, hγ, by rw [show 4 * A * E = 4 * E * A by ring]; exact le⟩
  exact Bool.eq_iff_iff.mpr ⟨swap E A, swap A E⟩

/-- **Common units**: a residual `b` times, an activation `c` times and a margin `b·c` times as large give the same
decision, for `b, c > 0`.  With powers of two for `b` and `c` this turns dyadic weights and activations, each on a scale of
its own, into integers. -/
theorem energy_units_invariant {b c : Int} (hb : 0 < b) (hc : 0 < c) (τ a : List Int) (γ : Int) :
    energyAdmit (smul b τ) (smul c a) (b * c * γ) = energyAdmit τ a γ
    ∧ ∀ E A, energySidecarAdmit (b * b * E) (c * c * A) (b * c * γ) = energySidecarAdmit E A γ := by
  have e : b * c * γ = b * (c * γ) := Int.mul_assoc b c γ
  refine ⟨?_, fun E A => ?_⟩
  · rw [e, energy_scale_invariant hb, energy_admit_comm, energy_scale_invariant hc, energy_admit_comm]
  · rw [e, energy_sidecar_scale_invariant hb, energySidecarAdmit_comm, energy_sidecar_scale_invariant hc,
      energySidecarAdmit_comm]

/-! ## Sharpness -/

/-- **The energy gate is sharp on collinear vectors**: when residual `x·v` and activation `y·v` point along the same
`v`, it admits exactly when the property holds.  So the bound is attained, and no weaker comparison would be sound. -/
theorem energy_bridge_sharp (x y : Int) (v : List Int) (γ : Int) :
    energyAdmit (smul x v) (smul y v) γ = true ↔
      -γ ≤ 2 * dot (smul x v) (smul y v) ∧ 2 * dot (smul x v) (smul y v) ≤ γ := by
  refine ⟨energy_bridge_sound, fun ⟨h₁, h₂⟩ => energyAdmit_iff.mpr ⟨?_, ?_, ?_⟩⟩
  · rw [length_smul, length_smul]
  · rcases Int.lt_or_ge γ 0 with h | h
    · exact (by lin [h₁, h₂, h, h] : False).elim
    · exact h
  · refine Int.le_trans (Int.le_of_eq ?_) (Int.sq_le_sq_of_abs_le h₁ h₂)
    rw [energy_smul, energy_smul, dot_smul_left, dot_smul_right]
    show 4 * (x * x * energy v) * (y * y * energy v) = 2 * (x * (y * energy v)) * (2 * (x * (y * energy v)))
    ring

/-- The threshold in numbers: for `τ = a = (1, −2)` the shift is `2·dot τ a = 10`; margin 10 is admitted with
equality, and margin 9, which the shift exceeds, is refused. -/
theorem energy_bridge_sharp_instance :
    energyAdmit [1, -2] [1, -2] 10 = true ∧ 2 * dot [1, -2] [1, -2] = 10 ∧
      energyAdmit [1, -2] [1, -2] 9 = false ∧ 9 < 2 * dot [1, -2] [1, -2] := by decide

/-- The energy of `n` ones is `n`. -/
theorem energy_replicate_one (n : Nat) : energy (List.replicate n 1) = Int.ofNat n := by
  induction n with
  | zero => rfl
  | succ n ih =>
    show 1 * 1 + energy (List.replicate n 1) = Int.ofNat n + 1
    rw [ih]; ring

/-- **The sidecar gate is sharp**: whatever non-negative `(E, A, γ)` it refuses, there are residuals and activations
within these energies that break the margin, on a scale `c` times as fine (energies are then `c²` times, margins
`c²` times as large).  So no sound gate that sees only `(E, A, γ)` and does not depend on the scale admits more. -/
theorem energy_sidecar_sharp {E A γ : Int} (hE : 0 ≤ E) (hA : 0 ≤ A) (hγ : 0 ≤ γ)
    (h : energySidecarAdmit E A γ = false) :
    ∃ c τ a, 0 < c ∧ List.length τ = List.length a ∧ energy τ ≤ c * c * E ∧ energy a ≤ c * c * A ∧
      c * c * γ < 2 * dot τ a := by
  have gt : γ * γ < 4 * E * A := by
    rcases Int.lt_or_ge (γ * γ) (4 * E * A) with k | k
    · exact k
    · exact absurd (energySidecarAdmit_iff.mpr ⟨hE, hA, hγ, k⟩) (Bool.eq_false_iff.mp h)
  -- the energy bound is positive, and it is the energy of a vector of ones
  have hE₁ : 0 < E := by
    refine Int.lt_of_le_of_ne hE fun e => Int.lt_irrefl 0 (Int.lt_of_le_of_lt (Int.sq_nonneg γ) ?_)
    rw [← e] at gt; lin [gt]
  obtain ⟨n, hn⟩ := (Int.nonneg_iff E).mp hE
  have hv : energy (List.replicate n 1) = E := by rw [energy_replicate_one, hn]
  generalize List.replicate n (1 : Int) = v at hv
  -- slopes: the activation is `p / c` times the residual's direction, between `γ / (2·E)` and the root of `A / E`
  have hN : 0 < 2 * γ + 1 := by lin [hγ, hγ]
  refine ⟨2 * E * (2 * γ + 1), smul (2 * E * (2 * γ + 1)) v, smul ((2 * γ + 1) * γ + 1) v,
    Int.mul_pos (by lin [hE₁, hE₁]) hN, ?_, ?_, ?_, ?_⟩
  · rw [length_smul, length_smul]
  · rw [energy_smul, hv]; exact Int.le_refl _
  · rw [energy_smul, hv]
    have key : ((2 * γ + 1) * γ + 1) * ((2 * γ + 1) * γ + 1) ≤ (2 * γ + 1) * (2 * γ + 1) * (4 * E * A) := by
      lin [Int.mul_le_mul_of_nonneg_left gt (Int.sq_nonneg (2 * γ + 1)), hγ, hγ]
    lin [Int.mul_le_mul_of_nonneg_left key hE]
  · rw [dot_smul_left, dot_smul_right]
    show _ < 2 * (_ * (_ * energy v))
    rw [hv]
    have pos : 0 < 4 * E * E * (2 * γ + 1) :=
      Int.mul_pos (Int.mul_pos (by lin [hE₁, hE₁, hE₁, hE₁]) hE₁) hN
    lin [pos]

/-- At the threshold the strict gate refuses what the weak one admits, and the bound is attained there. -/
theorem energy_sidecar_strict_sharp :
    energySidecarAdmit 4 9 12 = true ∧ energySidecarAdmitStrict 4 9 12 = false ∧ energySidecarAdmitStrict 4 9 13 = true ∧
      energy [2] = 4 ∧ energy [3] = 9 ∧ 2 * dot [2] [3] = 12 := by decide

/-! ## The blocked gate -/

/-- `RootBounds vs r`: there is one entry of `r` for each block of `vs`, and its square is at least the energy of
the block. -/
def RootBounds : List (List Int) → List Int → Prop
  | [], [] => True
  | v :: vs, r :: rs => energy v ≤ r * r ∧ RootBounds vs rs
  | _, _ => False

/-- What the blocked gate decides. -/
theorem energyBlockedAdmit_iff {e α : List Int} {γ : Int} :
    energyBlockedAdmit e α γ = true ↔ e.length = α.length ∧ (∀ x, x ∈ e → 0 ≤ x) ∧ (∀ x, x ∈ α → 0 ≤ x) ∧
      0 ≤ γ ∧ 2 * dot e α ≤ γ := by
  unfold energyBlockedAdmit
  constructor
  · intro h
    obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₃, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₄, h₅⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨Nat.beq_eq_true_iff.mp h₁, fun x m => of_decide_eq_true (List.all_eq_true.mp h₂ x m),
      fun x m => of_decide_eq_true (List.all_eq_true.mp h₃ x m), of_decide_eq_true h₄, of_decide_eq_true h₅⟩
  · intro ⟨h₁, h₂, h₃, h₄, h₅⟩
    rw [Nat.beq_eq_true_iff.mpr h₁, List.all_eq_true.mpr fun x m => decide_eq_true (h₂ x m),
      List.all_eq_true.mpr fun x m => decide_eq_true (h₃ x m), decide_eq_true h₄, decide_eq_true h₅]; rfl

/-- The scalar product of vectors in two parts of equal lengths is the sum over the parts. -/
theorem dot_append {s b : List Int} (h : s.length = b.length) (t a : List Int) :
    dot (s ++ t) (b ++ a) = dot s b + dot t a := by
  induction s generalizing b with
  | nil => cases b with
    | nil => exact (Int.zero_add _).symm
    | cons y b => exact nomatch h
  | cons x s ih => cases b with
    | nil => exact nomatch h
    | cons y b =>
      show x * y + dot (s ++ t) (b ++ a) = x * y + dot s b + dot t a
      rw [ih (Nat.add_right_cancel h), Int.add_assoc]

/-- **The blocked gate is sound.**  `τs` and `as` are residual and activation cut into blocks of the same lengths; `e`
and `α` hold for each block an upper bound on the root of the energy.  If the gate admits, the whole scalar product
obeys the margin: `2·|dot τ a| ≤ γ`. -/
theorem energy_blocked_sound {τs as : List (List Int)} {e α : List Int} {γ : Int}
    (hlen : τs.map List.length = as.map List.length) (he : RootBounds τs e) (hα : RootBounds as α)
    (h : energyBlockedAdmit e α γ = true) :
    -γ ≤ 2 * dot τs.flatten as.flatten ∧ 2 * dot τs.flatten as.flatten ≤ γ := by
  obtain ⟨hroots, he₀, hα₀, _, hγ⟩ := energyBlockedAdmit_iff.mp h
  have key : -(dot e α) ≤ dot τs.flatten as.flatten ∧ dot τs.flatten as.flatten ≤ dot e α := by
    clear h hγ hroots
    induction τs generalizing as e α with
    | nil => cases as with
      | cons a as => exact nomatch hlen
      | nil => cases e with
        | cons r e => exact he.elim
        | nil => exact ⟨Int.le_refl 0, Int.le_refl 0⟩
    | cons τ τs ih => cases as with
      | nil => exact nomatch hlen
      | cons a as => cases e with
        | nil => exact he.elim
        | cons r e => cases α with
          | nil => exact hα.elim
          | cons s α =>
            injection hlen with hl hls
            obtain ⟨hr, he⟩ := he
            obtain ⟨hs, hα⟩ := hα
            obtain ⟨r₀, he₀⟩ := List.forall_mem_cons he₀
            obtain ⟨s₀, hα₀⟩ := List.forall_mem_cons hα₀
            obtain ⟨i₁, i₂⟩ := ih hls he hα he₀ hα₀
            -- Cauchy–Schwarz on the first block
            have cs : dot τ a * dot τ a ≤ r * s * (r * s) := by
              refine Int.le_trans (dot_sq_le τ a) (Int.le_trans
                (Int.mul_le_mul hr hs (energy_nonneg a) (Int.sq_nonneg r)) (Int.le_of_eq ?_))
              ring
            obtain ⟨b₁, b₂⟩ := Int.abs_le_of_sq_le_sq cs (Int.mul_nonneg r₀ s₀)
            show -(r * s + dot e α) ≤ dot (τ ++ τs.flatten) (a ++ as.flatten)
              ∧ dot (τ ++ τs.flatten) (a ++ as.flatten) ≤ r * s + dot e α
            rw [dot_append hl]
            exact ⟨by lin [b₁, i₁], by lin [b₂, i₂]⟩
  exact ⟨by lin [key.left, key.left, hγ], by lin [key.right, key.right, hγ]⟩

/-- **The blocked gate is complete against its own roots**: it admits whenever the energy gate on the vectors of roots
does, that is whenever `0 ≤ γ` and `4·(Σ e_b²)·(Σ α_b²) ≤ γ²`.  So blocks never lose anything, except for rounding the
roots up to integers. -/
theorem energy_blocked_complete {e α : List Int} {γ : Int} (he : ∀ x, x ∈ e → 0 ≤ x) (hα : ∀ x, x ∈ α → 0 ≤ x)
    (h : energyAdmit e α γ = true) : energyBlockedAdmit e α γ = true := by
  obtain ⟨hl, hγ, _⟩ := energyAdmit_iff.mp h
  exact energyBlockedAdmit_iff.mpr ⟨hl, he, hα, hγ, (energy_bridge_sound h).right⟩

/-- Against *exact* energies the blocked gate can be weaker, because integer roots round up: with block energies
`(1, 1)` and `(3, 3)` and margin 7 the sidecar gate on the sums admits (`4·2·6 = 48 ≤ 49`), but whatever the roots,
the blocked gate refuses (`2·(1·2 + 1·2) = 8`). -/
theorem energy_blocked_weaker_on_exact_energies :
    energySidecarAdmit (1 + 1) (3 + 3) 7 = true ∧
      ∀ e₁ e₂ α₁ α₂ : Int, 1 ≤ e₁ * e₁ → 1 ≤ e₂ * e₂ → 3 ≤ α₁ * α₁ → 3 ≤ α₂ * α₂ →
        energyBlockedAdmit [e₁, e₂] [α₁, α₂] 7 = false := by
  refine ⟨rfl, fun e₁ e₂ α₁ α₂ he₁ he₂ hα₁ hα₂ => Bool.eq_false_iff.mpr fun h => ?_⟩
  obtain ⟨_, he, hα, _, h⟩ := energyBlockedAdmit_iff.mp h
  have pos : ∀ x : Int, 0 ≤ x → 1 ≤ x * x → 1 ≤ x := fun x h₀ h₁ => by
    rcases Int.lt_or_ge 0 x with k | k
    · exact k
    · rw [Int.le_antisymm k h₀] at h₁; exact absurd h₁ (by decide)
  have two : ∀ x : Int, 0 ≤ x → 3 ≤ x * x → 2 ≤ x := fun x h₀ h₁ => by
    rcases Int.lt_or_ge 1 x with k | k
    · exact k
    · exact absurd (Int.le_trans h₁ (Int.mul_le_mul k k h₀ (by decide))) (by decide)
  obtain ⟨p₁, he⟩ := List.forall_mem_cons he
  obtain ⟨p₂, _⟩ := List.forall_mem_cons he
  obtain ⟨q₁, hα⟩ := List.forall_mem_cons hα
  obtain ⟨q₂, _⟩ := List.forall_mem_cons hα
  have m₁ : 1 * 2 ≤ e₁ * α₁ := Int.mul_le_mul (pos e₁ p₁ he₁) (two α₁ q₁ hα₁) (by decide) p₁
  have m₂ : 1 * 2 ≤ e₂ * α₂ := Int.mul_le_mul (pos e₂ p₂ he₂) (two α₂ q₂ hα₂) (by decide) p₂
  have h : 2 * (e₁ * α₁ + (e₂ * α₂ + 0)) ≤ 7 := h
  lin [m₁, m₁, m₂, m₂, h]

/-- The blocks of one entry each. -/
def singletons (v : List Int) : List (List Int) := v.map fun x => [x]

/-- Blocks of one entry each, put together, are the vector. -/
theorem flatten_singletons (v : List Int) : (singletons v).flatten = v := by
  induction v with
  | nil => rfl
  | cons x v ih => exact congrArg (x :: ·) ih

/-- The entries are roots of the energies of the blocks of one entry each. -/
theorem rootBounds_singletons (v : List Int) : RootBounds (singletons v) v := by
  induction v with
  | nil => exact True.intro
  | cons x v ih => exact ⟨Int.le_of_eq (Int.add_zero _), ih⟩

/-- **The blocked gate is sharp**: non-negative roots that it refuses belong to blocks that break the margin. -/
theorem energy_blocked_sharp {e α : List Int} {γ : Int} (hl : e.length = α.length) (he : ∀ x, x ∈ e → 0 ≤ x)
    (hα : ∀ x, x ∈ α → 0 ≤ x) (hγ : 0 ≤ γ) (h : energyBlockedAdmit e α γ = false) :
    RootBounds (singletons e) e ∧ RootBounds (singletons α) α ∧
      γ < 2 * dot (singletons e).flatten (singletons α).flatten := by
  refine ⟨rootBounds_singletons e, rootBounds_singletons α, ?_⟩
  rw [flatten_singletons, flatten_singletons]
  rcases Int.lt_or_ge γ (2 * dot e α) with k | k
  · exact k
  · exact absurd (energyBlockedAdmit_iff.mpr ⟨hl, he, hα, hγ, k⟩) (Bool.eq_false_iff.mp h)

/-! ## Coordinates treated exactly -/

/-- The part of `v` at the coordinates of the mask, with zeros elsewhere. -/
def inside : List Int → List Bool → List Int
  | [], _ => []
  | _ :: v, [] => 0 :: inside v []
  | x :: v, s :: S => (bif s then x else 0) :: inside v S

/-- The part of `v` off the coordinates of the mask, with zeros elsewhere. -/
def outside : List Int → List Bool → List Int
  | [], _ => []
  | x :: v, [] => x :: outside v []
  | x :: v, s :: S => (bif s then 0 else x) :: outside v S

/-- `energyOutside` is the energy of the part off the mask. -/
theorem energy_outside (v : List Int) (S : List Bool) : energy (outside v S) = energyOutside v S := by
  induction v generalizing S with
  | nil => rfl
  | cons x v ih => cases S with
    | nil => exact congrArg (x * x + ·) (ih [])
    | cons s S => cases s with
      | true => exact congrArg (0 * 0 + ·) (ih S)
      | false => exact congrArg (x * x + ·) (ih S)

/-- Leaving out coordinates does not add energy. -/
theorem energyOutside_le_energy (v : List Int) (S : List Bool) : energyOutside v S ≤ energy v := by
  induction v generalizing S with
  | nil => exact Int.le_refl 0
  | cons x v ih => cases S with
    | nil => exact Int.add_le_add (Int.le_refl _) (ih [])
    | cons s S => cases s with
      | true => exact Int.add_le_add (Int.sq_nonneg x) (ih S)
      | false => exact Int.add_le_add (Int.le_refl _) (ih S)

/-- Only coordinates off the mask contribute to what the exact part leaves over. -/
theorem dot_sub_inside (τ a : List Int) (S : List Bool) :
    dot τ a - dot τ (inside a S) = dot (outside τ S) (outside a S) := by
  induction τ generalizing a S with
  | nil => rfl
  | cons t ts ih => cases a with
    | nil => cases S with
      | nil => rfl
      | cons s S => rfl
    | cons a as => cases S with
      | nil =>
        show t * a + dot ts as - (t * 0 + dot ts (inside as [])) = t * a + dot (outside ts []) (outside as [])
        rw [← ih]; ring
      | cons s S => cases s with
        | true =>
          show t * a + dot ts as - (t * a + dot ts (inside as S)) = 0 * 0 + dot (outside ts S) (outside as S)
          rw [← ih]; ring
        | false =>
          show t * a + dot ts as - (t * 0 + dot ts (inside as S)) = t * a + dot (outside ts S) (outside as S)
          rw [← ih]; ring

/-- **The gate with an outlier split is sound.**  The coordinates of the mask `S` are computed with the exact weights,
which adds `dot τ (inside a S)` to the coarse product.  If `E` bounds the energy of the residual outside `S` (a bound
on all of it will do, `energyOutside_le_energy`) and the gate admits, the error that is left obeys the margin. -/
theorem energy_split_sound {τ a : List Int} {S : List Bool} {E γ : Int} (hE : energyOutside τ S ≤ E)
    (h : energySplitAdmit E a S γ = true) :
    -γ ≤ 2 * (dot τ a - dot τ (inside a S)) ∧ 2 * (dot τ a - dot τ (inside a S)) ≤ γ := by
  rw [dot_sub_inside]
  refine energy_sidecar_sound ?_ ?_ (Bool.and_eq_true_iff.mp h).right
  · rw [energy_outside]; exact hE
  · rw [energy_outside]; exact Int.le_refl _

/-- The split is sharp and can decide: with one activation of 100 treated exactly, the error left over is attained at
margin 12 and refused at margin 11; without the split not even margin 400 passes. -/
theorem energy_split_sharp :
    energySplitAdmit 4 [100, 3] [true, false] 12 = true ∧ energySplitAdmit 4 [100, 3] [true, false] 11 = false ∧
      energyOutside [1, 2] [true, false] = 4 ∧ 2 * (dot [1, 2] [100, 3] - dot [1, 2] (inside [100, 3] [true, false])) = 12 ∧
      energySidecarAdmit 4 (energy [100, 3]) 400 = false := by decide

/-! ## No overflow -/

/-- **Overflow-freedom.**  A vector of `n` entries in `[−M, M]` has energy at most `n·M²`, and so has every beginning of
it: an accumulator that adds the squares one after another stays within `[0, n·M²]`. -/
theorem energy_no_overflow {v p q : List Int} {M : Int} (hv : ∀ x, x ∈ v → -M ≤ x ∧ x ≤ M) (hp : v = p ++ q) :
    0 ≤ energy p ∧ energy p ≤ Int.ofNat v.length * (M * M) := by
  subst hp
  refine ⟨energy_nonneg p, ?_⟩
  rw [List.length_append, Int.ofNat_add]
  have hq : 0 ≤ Int.ofNat q.length * (M * M) := Int.mul_nonneg (Int.ofNat_nonneg _) (Int.sq_nonneg M)
  have h : energy p ≤ Int.ofNat p.length * (M * M) := by
    clear hq
    induction p with
    | nil => exact Int.le_of_eq (Int.zero_mul _).symm
    | cons x p ih =>
      obtain ⟨hx, hp⟩ := List.forall_mem_cons hv
      show x * x + energy p ≤ (Int.ofNat p.length + 1) * (M * M)
      lin [Int.sq_le_sq_of_abs_le hx.left hx.right, ih hp]
  lin [h, hq]

/-- **Overflow-freedom of scalar products.**  For vectors of `n` entries, in `[−M, M]` and in `[−K, K]`, every partial sum
of the products lies in `[−n·M·K, n·M·K]`. -/
theorem dot_no_overflow {t a p q b c : List Int} {M K : Int} (ht : ∀ x, x ∈ t → -M ≤ x ∧ x ≤ M)
    (ha : ∀ x, x ∈ a → -K ≤ x ∧ x ≤ K) (hp : t = p ++ q) (hb : a = b ++ c) (hM : 0 ≤ M) (hK : 0 ≤ K) :
    -(Int.ofNat t.length * (M * K)) ≤ dot p b ∧ dot p b ≤ Int.ofNat t.length * (M * K) := by
  subst hp hb
  rw [List.length_append, Int.ofNat_add]
  have hMK := Int.mul_nonneg hM hK
  have hq : 0 ≤ Int.ofNat q.length * (M * K) := Int.mul_nonneg (Int.ofNat_nonneg _) hMK
  have h : -(Int.ofNat p.length * (M * K)) ≤ dot p b ∧ dot p b ≤ Int.ofNat p.length * (M * K) := by
    clear hq
    induction p generalizing b with
    | nil => exact ⟨Int.le_of_eq (by rw [show Int.ofNat (List.length ([] : List Int)) = 0 from rfl]; show _ = 0; ring),
        Int.le_of_eq (Int.zero_mul _).symm⟩
    | cons x p ih => cases b with
      | nil =>
        have : 0 ≤ Int.ofNat (x :: p).length * (M * K) := Int.mul_nonneg (Int.ofNat_nonneg _) hMK
        exact ⟨by show _ ≤ (0 : Int); lin [this], this⟩
      | cons y b =>
        obtain ⟨hx, hp⟩ := List.forall_mem_cons ht
        obtain ⟨hy, hb⟩ := List.forall_mem_cons ha
        obtain ⟨i₁, i₂⟩ := ih hp hb
        have x₁ := Int.sub_nonneg_of_le hx.left
        have x₂ := Int.sub_nonneg_of_le hx.right
        have y₁ := Int.sub_nonneg_of_le hy.left
        have y₂ := Int.sub_nonneg_of_le hy.right
        have upper : 2 * (x * y) ≤ 2 * (M * K) := by lin [Int.mul_nonneg x₁ y₂, Int.mul_nonneg x₂ y₁]
        have lower : 2 * -(M * K) ≤ 2 * (x * y) := by lin [Int.mul_nonneg x₁ y₁, Int.mul_nonneg x₂ y₂]
        have upper := Int.le_of_mul_le_mul_left upper (by decide)
        have lower := Int.le_of_mul_le_mul_left lower (by decide)
        show -((Int.ofNat p.length + 1) * (M * K)) ≤ x * y + dot p b
          ∧ x * y + dot p b ≤ (Int.ofNat p.length + 1) * (M * K)
        exact ⟨by lin [i₁, lower], by lin [i₂, upper]⟩
  exact ⟨by lin [h.left, hq], by lin [h.right, hq]⟩

/-- The bound is attained: `n` entries equal to `M` have energy `n·M²`. -/
theorem energy_no_overflow_sharp (n : Nat) (M : Int) : energy (List.replicate n M) = Int.ofNat n * (M * M) := by
  induction n with
  | zero => exact (Int.zero_mul _).symm
  | succ n ih =>
    show M * M + energy (List.replicate n M) = (Int.ofNat n + 1) * (M * M)
    rw [ih]; ring

/-- **When an accumulator is wide enough**: if `n·M²` is at most the largest value `L` that it holds, no partial sum of the
squares overflows.  By `energy_no_overflow_sharp` a smaller `L` will not do. -/
theorem energy_fits {v p q : List Int} {M L : Int} (hv : ∀ x, x ∈ v → -M ≤ x ∧ x ≤ M) (hp : v = p ++ q)
    (h : Int.ofNat v.length * (M * M) ≤ L) : 0 ≤ energy p ∧ energy p ≤ L :=
  ⟨(energy_no_overflow hv hp).left, Int.le_trans (energy_no_overflow hv hp).right h⟩

/-- The boxes, as arithmetic.  Entries of 8 bits (`M = 2^7`): up to `2^49 − 1` of them fit a signed 64-bit accumulator, and
`2^17 − 1` a 32-bit one.  Entries of 32 bits (`M = 2^31`): one fits 64 bits, up to `2^65 − 1` fit 128 bits.  One more entry does
not fit. -/
theorem accumulator_boxes :
    ((2 ^ 49 - 1) * (2 ^ 7 * 2 ^ 7) ≤ (2 ^ 63 - 1 : Int) ∧ ¬ 2 ^ 49 * (2 ^ 7 * 2 ^ 7) ≤ (2 ^ 63 - 1 : Int)) ∧
    ((2 ^ 17 - 1) * (2 ^ 7 * 2 ^ 7) ≤ (2 ^ 31 - 1 : Int) ∧ ¬ 2 ^ 17 * (2 ^ 7 * 2 ^ 7) ≤ (2 ^ 31 - 1 : Int)) ∧
    (1 * (2 ^ 31 * 2 ^ 31) ≤ (2 ^ 63 - 1 : Int) ∧ ¬ 2 * (2 ^ 31 * 2 ^ 31) ≤ (2 ^ 63 - 1 : Int)) ∧
    ((2 ^ 65 - 1) * (2 ^ 31 * 2 ^ 31) ≤ (2 ^ 127 - 1 : Int) ∧ ¬ 2 ^ 65 * (2 ^ 31 * 2 ^ 31) ≤ (2 ^ 127 - 1 : Int)) := by
  decide

/-- **The box of an accumulator**: what holds `C` holds the energy of every vector of `n` entries in `[−M, M]`, and of
every beginning of it, exactly when `n·M² ≤ C`.  With `C = 2^63 − 1` or `2^127 − 1` this is the box of a signed accumulator
of 64 or 128 bits. -/
theorem energy_box_exact (n : Nat) {M C : Int} (hM : 0 ≤ M) :
    (∀ v : List Int, v.length = n → (∀ x, x ∈ v → -M ≤ x ∧ x ≤ M) → ∀ p q, v = p ++ q → energy p ≤ C)
      ↔ Int.ofNat n * (M * M) ≤ C := by
  refine ⟨fun h => ?_, fun h v hn hv p q hp => ?_⟩
  · rw [← energy_no_overflow_sharp n M]
    refine h (List.replicate n M) List.length_replicate (fun x m => ?_) _ [] (List.append_nil _).symm
    rw [List.eq_of_mem_replicate m]
    exact ⟨by lin [hM, hM], Int.le_refl M⟩
  · rw [← hn] at h
    exact Int.le_trans (energy_no_overflow hv hp).2 h

/-! ## Not vacuous -/

/-- The energy gate admits an instance with a non-zero residual that does move the product. -/
theorem energy_nonvacuous :
    energyAdmit [1, -2, 3] [4, 5, -6] 66 = true ∧ dot [1, -2, 3] [4, 5, -6] = -24 := by decide
/-- The sidecar gate, weak and strict, with the energies of that instance. -/
theorem energy_sidecar_nonvacuous :
    energySidecarAdmit 14 77 66 = true ∧ energySidecarAdmitStrict 14 77 66 = true ∧
      energy [1, -2, 3] = 14 ∧ energy [4, 5, -6] = 77 ∧ dot [1, -2, 3] [4, 5, -6] = -24 := by decide
/-- The blocked gate with integer roots of two blocks. -/
theorem energy_blocked_nonvacuous :
    energyBlockedAdmit [3, 3] [7, 6] 78 = true ∧ RootBounds [[1, -2], [3]] [3, 3] ∧ RootBounds [[4, 5], [-6]] [7, 6] ∧
      dot ([[1, -2], [3]] : List (List Int)).flatten ([[4, 5], [-6]] : List (List Int)).flatten = -24 :=
  ⟨by decide, ⟨by decide, by decide, True.intro⟩, ⟨by decide, by decide, True.intro⟩, by decide⟩
/-- The split gate with one outlier, which is treated exactly. -/
theorem energy_split_nonvacuous :
    energySplitAdmit 13 [400, 5, -6] [true, false, false] 57 = true ∧
      energyOutside [1, -2, 3] [true, false, false] = 13 ∧
      dot [1, -2, 3] [400, 5, -6] - dot [1, -2, 3] (inside [400, 5, -6] [true, false, false]) = -28 := by decide
end Gnosis

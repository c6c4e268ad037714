prelude
import Gnosis.Core
import Gnosis.Decision.Energy
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

theorem dot_comm (t a : List Int) : dot t a = dot a t := by
  induction t generalizing a with
  | nil => cases a with
    | nil => rfl
    | cons a as => rfl
  | cons t ts ih => cases a with
    | nil => rfl
    | cons a as => show t * a + dot ts as = a * t + dot as ts; rw [ih, Int.mul_comm]

theorem energy_nonneg (v : List Int) : 0 ≤ energy v := by
  induction v with
  | nil => exact Int.le_refl 0
  | cons x v ih => exact Int.add_nonneg (Int.sq_nonneg x) ih

theorem energy_cons (x : Int) (v : List Int) : energy (x :: v) = x * x + energy v := rfl

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

theorem minorsAgainst_nonneg (t a : Int) (ts as : List Int) : 0 ≤ minorsAgainst t a ts as := by
  induction ts generalizing as with
  | nil => exact Int.le_refl 0
  | cons s ts ih => cases as with
    | nil => exact Int.le_refl 0
    | cons b as => exact Int.add_nonneg (Int.sq_nonneg _) (ih as)

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

end Gnosis

prelude
import Gnosis.Foundation.CauchySchwarz
import Gnosis.TotalVariation
/-! # The mass-weighted budget of a step

A step tilts the served distribution: token `v` of mass `n_v` gets the weight `n_v·u_v²`, with rational tilts
`u_v = a_v/B`; in the notation of the field `u_v = e^{δ_v/2}`.  The normaliser is `Z = Σ p_v·u_v²`.  If the mean tilt is at
least one, `TV² ≤ 1 − 1/Z`, and in the mean over the rounding draws `(E TV)² ≤ 1 − 1/E Z`.  No logarithm and no root
occurs, and the bound is below the one with `√(log E Z)`.  The decisions are in `Gnosis.Decision.Served`. -/
universe u

namespace Gnosis
open List

/-! ## One draw -/

/-- The mass before does not depend on the tilts. -/
theorem leftMass_tilt (ps : List (Nat × Nat)) : leftMass (tiltPairs ps) = leftMass ps := by
  induction ps with
  | nil => rfl
  | cons p ps ih => exact congrArg (fun s => p.1 + s) ih

/-- Cauchy–Schwarz for a tilted step, with the overlap and the hull of the two distributions. -/
theorem tilt_cauchy_schwarz (S S' : Nat) (ps : List (Nat × Nat)) :
    S * S' * (weightedBudget ps * weightedBudget ps) ≤ overlap S S' (tiltPairs ps) * hull S S' (tiltPairs ps) := by
  induction ps with
  | nil => exact Nat.le_of_eq (Nat.mul_zero _)
  | cons p ps ih =>
    obtain ⟨n, a⟩ := p
    refine Nat.cauchy_schwarz_add (Nat.le_of_eq ?_) ih
    rw [min_mul_max]
    nat_ring

/-- The mass after the tilt is at least `N·B²`, so that `Z ≥ 1`. -/
theorem tilt_mass (ps : List (Nat × Nat)) :
    weightedBudget ps * weightedBudget ps ≤ leftMass ps * rightMass (tiltPairs ps) := by
  induction ps with
  | nil => exact Nat.le_refl 0
  | cons p ps ih =>
    obtain ⟨n, a⟩ := p
    have h := Nat.cauchy_schwarz_add (c := 1) (s := n * a) (a := n) (b := n * (a * a))
      (Nat.le_of_eq (by nat_ring)) (Nat.le_trans (Nat.le_of_eq (Nat.one_mul _)) ih)
    rw [Nat.one_mul] at h
    exact h

/-- With positive mass and mean tilt at least one, something is left after the tilt. -/
theorem tilt_mass_pos {B : Nat} {ps : List (Nat × Nat)} (N₀ : 0 < leftMass ps) (B₀ : 0 < B) (gauge : gaugeOk B ps = true) :
    0 < rightMass (tiltPairs ps) := by
  rcases Nat.lt_or_ge 0 (rightMass (tiltPairs ps)) with h | h
  · exact h
  · have g : leftMass ps * B ≤ weightedBudget ps := Nat.le_of_ble_eq_true gauge
    have t := Nat.le_trans (Nat.mul_le_mul g g) (tilt_mass ps)
    rw [Nat.le_antisymm h (Nat.zero_le _), Nat.mul_zero] at t
    exact absurd t (Nat.not_le_of_lt (Nat.mul_pos (Nat.mul_pos N₀ B₀) (Nat.mul_pos N₀ B₀)))

/-- **The budget of one draw**: if the mean tilt is at least one, `Σ n·a ≥ N·B`, then `TV² + 1/Z ≤ 1`; in whole numbers
`(N·S'·TV)² + N·S'·(N·B)² ≤ (N·S')²`, with `N` the mass before and `S'` the mass after. -/
theorem massweighted_draw_bound {B : Nat} {ps : List (Nat × Nat)} (gauge : gaugeOk B ps = true) :
    tvNum (tiltPairs ps) * tvNum (tiltPairs ps)
        + leftMass ps * rightMass (tiltPairs ps) * (leftMass ps * B * (leftMass ps * B))
      ≤ leftMass ps * rightMass (tiltPairs ps) * (leftMass ps * rightMass (tiltPairs ps)) := by
  have gauge : leftMass ps * B ≤ weightedBudget ps := Nat.le_of_ble_eq_true gauge
  obtain ⟨o, _, u⟩ := tvNum_add_overlap (tiltPairs ps)
  rw [leftMass_tilt] at o u
  have cs := tilt_cauchy_schwarz (leftMass ps) (rightMass (tiltPairs ps)) ps
  have sq := Nat.mul_le_mul gauge gauge
  rw [u] at cs
  generalize leftMass ps * B = G, leftMass ps * rightMass (tiltPairs ps) = M,
    overlap (leftMass ps) (rightMass (tiltPairs ps)) (tiltPairs ps) = m, tvNum (tiltPairs ps) = t,
    weightedBudget ps * weightedBudget ps = W at *
  calc t * t + M * (G * G) ≤ t * t + M * W := Nat.add_le_add_left (Nat.mul_le_mul_left M sq) _
    _ ≤ t * t + m * (t + M) := Nat.add_le_add_left cs _
    _ = M * M := by rw [← o]; nat_ring

/-- Sharp: masses `(1, 3)` and tilts `(12, 4)/6` have mean tilt exactly one, `Z = 4/3`, and `TV = 1/2`, so that
`TV² = 1/4 = 1 − 1/Z`. -/
theorem massweighted_draw_sharp : gaugeOk 6 [(1, 12), (3, 4)] = true ∧
    leftMass [(1, 12), (3, 4)] * 6 = weightedBudget [(1, 12), (3, 4)] ∧
    tv (tiltPairs [(1, 12), (3, 4)]) = ⟨384, 4 * 192⟩ ∧
    384 * 384 + 4 * 192 * (4 * 6 * (4 * 6)) = 4 * 192 * (4 * 192) := ⟨rfl, rfl, rfl, rfl⟩

/-! ## The mean over the draws -/
section
variable {D : Type u}

/-- The mean total variation over equally likely rounding draws. -/
def meanTV (ds : List D) (ps : D → List (Nat × Nat)) : Frac :=
  ⟨1, ds.length⟩ * Frac.sumOver (fun d => tv (tiltPairs (ps d))) ds
/-- The reciprocal of the mean normaliser: `1/E Z = |ds|·N·B² / Σ_d S'(d)`. -/
def meanZinv (ds : List D) (ps : D → List (Nat × Nat)) (N B : Nat) : Frac :=
  ⟨ds.length * (N * (B * B)), sumOver (fun d => rightMass (tiltPairs (ps d))) ds⟩

/-- The bound of one draw, with the total variation as a fraction `g/L`. -/
theorem draw_bound_scaled {B L g N : Nat} {ps : List (Nat × Nat)} (gauge : gaugeOk B ps = true) (hN : leftMass ps = N)
    (N₀ : 0 < N) (S₀ : 0 < rightMass (tiltPairs ps)) (e : g * (N * rightMass (tiltPairs ps)) = tvNum (tiltPairs ps) * L) :
    g * g * (N * rightMass (tiltPairs ps)) + N * B * L * (N * B * L) ≤ L * L * (N * rightMass (tiltPairs ps)) := by
  have b := massweighted_draw_bound gauge
  rw [hN] at b
  generalize rightMass (tiltPairs ps) = S, tvNum (tiltPairs ps) = t at *
  apply Nat.le_of_mul_le_mul_right (c := N * S) _ (Nat.mul_pos N₀ S₀)
  calc (g * g * (N * S) + N * B * L * (N * B * L)) * (N * S)
      = g * (N * S) * (g * (N * S)) + N * S * (N * B * (N * B)) * (L * L) := by nat_ring
    _ = (t * t + N * S * (N * B * (N * B))) * (L * L) := by rw [e]; nat_ring
    _ ≤ N * S * (N * S) * (L * L) := Nat.mul_le_mul_right _ b
    _ = L * L * (N * S) * (N * S) := by nat_ring

/-- The step bound in whole numbers: the total variations have a common denominator `L`, numerators `g`, and
`(Σ g)²·Z + |ds|³·N·B²·L² ≤ |ds|²·L²·Z` with `Z = Σ_d S'(d)`. -/
theorem step_bound_scaled {ds : List D} {ps : D → List (Nat × Nat)} {N B : Nat} (N₀ : 0 < N) (B₀ : 0 < B)
    (mass : ∀ d, d ∈ ds → leftMass (ps d) = N) (gauge : ∀ d, d ∈ ds → gaugeOk B (ps d) = true) :
    ∃ (L : Nat) (g : D → Nat), 0 < L ∧
      (∀ d, d ∈ ds → 0 < rightMass (tiltPairs (ps d)) ∧
        g d * (N * rightMass (tiltPairs (ps d))) = tvNum (tiltPairs (ps d)) * L) ∧
      sumOver g ds * (Frac.sumOver (fun d => tv (tiltPairs (ps d))) ds).den
        = (Frac.sumOver (fun d => tv (tiltPairs (ps d))) ds).num * L ∧
      sumOver g ds * sumOver g ds * sumOver (fun d => rightMass (tiltPairs (ps d))) ds
          + ds.length * (N * (B * B)) * (ds.length * ds.length * (L * L))
        ≤ ds.length * ds.length * (L * L) * sumOver (fun d => rightMass (tiltPairs (ps d))) ds := by
  have S₀ : ∀ d, d ∈ ds → 0 < rightMass (tiltPairs (ps d)) := fun d m =>
    tilt_mass_pos (by rw [mass d m]; exact N₀) B₀ (gauge d m)
  have den : ∀ d, d ∈ ds → (tv (tiltPairs (ps d))).den = N * rightMass (tiltPairs (ps d)) := fun d m => by
    show leftMass (tiltPairs (ps d)) * _ = _
    rw [leftMass_tilt, mass d m]
  obtain ⟨L, g, L₀, each, sum⟩ := Frac.exists_common_den (f := fun d => tv (tiltPairs (ps d))) (l := ds)
    (fun d m => by rw [den d m]; exact Nat.mul_pos N₀ (S₀ d m))
  have each : ∀ d, d ∈ ds → g d * (N * rightMass (tiltPairs (ps d))) = tvNum (tiltPairs (ps d)) * L :=
    fun d m => den d m ▸ each d m
  -- what is missing to one, draw by draw: `r = L² − g²`
  have draw : ∀ d, d ∈ ds → g d * g d * (N * rightMass (tiltPairs (ps d))) + N * B * L * (N * B * L)
      ≤ L * L * (N * rightMass (tiltPairs (ps d))) := fun d m =>
    draw_bound_scaled (gauge d m) (mass d m) N₀ (S₀ d m) (each d m)
  have fit : ∀ d, d ∈ ds → g d * g d ≤ L * L := fun d m => by
    apply Nat.le_of_mul_le_mul_right (c := N * rightMass (tiltPairs (ps d))) _ (Nat.mul_pos N₀ (S₀ d m))
    exact Nat.le_trans (Nat.le_add_right _ _) (draw d m)
  have split : sumOver (fun d => L * L - g d * g d) ds + sumOver (fun d => g d * g d) ds = ds.length * (L * L) := by
    rw [← sumOver_add, ← sumOver_const]
    exact sumOver_congr fun d m => by rw [Nat.add_comm]; exact Nat.add_sub_of_le (fit d m)
  have cs₁ := cauchy_schwarz (c := 1) (f := fun _ => N * B * L) (g := fun d => L * L - g d * g d)
    (h := fun d => N * rightMass (tiltPairs (ps d))) (l := ds) (fun d m => by
      rw [Nat.one_mul]
      have h := draw d m
      rw [← Nat.add_sub_of_le (fit d m), Nat.right_distrib] at h
      exact Nat.le_of_add_le_add_left h)
  have cs₂ := cauchy_schwarz (c := 1) (f := g) (g := fun _ => 1) (h := fun d => g d * g d) (l := ds)
    (fun d _ => Nat.le_refl _)
  rw [Nat.one_mul, sumOver_const, ← mul_sumOver] at cs₁
  rw [Nat.one_mul, sumOver_const, Nat.mul_one] at cs₂
  refine ⟨L, g, L₀, fun d m => ⟨S₀ d m, each d m⟩, sum, ?_⟩
  generalize sumOver g ds = G, sumOver (fun d => rightMass (tiltPairs (ps d))) ds = Z, ds.length = M,
    sumOver (fun d => L * L - g d * g d) ds = R, sumOver (fun d => g d * g d) ds = Q at cs₁ cs₂ split ⊢
  apply Nat.le_of_mul_le_mul_right (c := N) _ N₀
  have cs₂' : M * R + G * G ≤ M * (M * (L * L)) := by
    rw [← split, Nat.left_distrib]; exact Nat.add_le_add_left cs₂ _
  calc (G * G * Z + M * (N * (B * B)) * (M * M * (L * L))) * N
      = G * G * (N * Z) + M * (M * (N * B * L) * (M * (N * B * L))) := by nat_ring
    _ ≤ G * G * (N * Z) + M * (R * (N * Z)) := Nat.add_le_add_left (Nat.mul_le_mul_left M cs₁) _
    _ = (M * R + G * G) * (N * Z) := by nat_ring
    _ ≤ M * (M * (L * L)) * (N * Z) := Nat.mul_le_mul_right _ cs₂'
    _ = M * M * (L * L) * Z * N := by nat_ring

/-- **The mass-weighted step bound**: `(E TV)² ≤ 1 − 1/E Z`, over equally likely rounding draws, if at every draw the mean
tilt is at least one.  All masses are `N` in all, all tilts have the denominator `B`. -/
theorem massweighted_step_bound {ds : List D} {ps : D → List (Nat × Nat)} {N B : Nat} (N₀ : 0 < N) (B₀ : 0 < B)
    (mass : ∀ d, d ∈ ds → leftMass (ps d) = N) (gauge : ∀ d, d ∈ ds → gaugeOk B (ps d) = true) :
    meanTV ds ps * meanTV ds ps + meanZinv ds ps N B ≤ 1 := by
  obtain ⟨L, g, L₀, _, sum, goal⟩ := step_bound_scaled N₀ B₀ mass gauge
  show (1 * (Frac.sumOver (fun d => tv (tiltPairs (ps d))) ds).num * (1 * (Frac.sumOver (fun d => tv (tiltPairs (ps d))) ds).num)
        * sumOver (fun d => rightMass (tiltPairs (ps d))) ds
      + ds.length * (N * (B * B)) * (ds.length * (Frac.sumOver (fun d => tv (tiltPairs (ps d))) ds).den
        * (ds.length * (Frac.sumOver (fun d => tv (tiltPairs (ps d))) ds).den))) * 1
    ≤ 1 * (ds.length * (Frac.sumOver (fun d => tv (tiltPairs (ps d))) ds).den
        * (ds.length * (Frac.sumOver (fun d => tv (tiltPairs (ps d))) ds).den)
      * sumOver (fun d => rightMass (tiltPairs (ps d))) ds)
  generalize (Frac.sumOver (fun d => tv (tiltPairs (ps d))) ds).num = n, (Frac.sumOver (fun d => tv (tiltPairs (ps d))) ds).den = e,
    sumOver (fun d => rightMass (tiltPairs (ps d))) ds = Z, sumOver g ds = G, ds.length = M at *
  apply Nat.le_of_mul_le_mul_right (c := L * L) _ (Nat.mul_pos L₀ L₀)
  calc (1 * n * (1 * n) * Z + M * (N * (B * B)) * (M * e * (M * e))) * 1 * (L * L)
      = n * L * (n * L) * Z + M * (N * (B * B)) * (M * M * (L * L)) * (e * e) := by nat_ring
    _ = (G * G * Z + M * (N * (B * B)) * (M * M * (L * L))) * (e * e) := by rw [← sum]; nat_ring
    _ ≤ M * M * (L * L) * Z * (e * e) := Nat.mul_le_mul_right _ goal
    _ = 1 * (M * e * (M * e) * Z) * (L * L) := by nat_ring
/-- **The step budget is sound**: if `z` bounds the mean normaliser, `E Z ≤ z`, and `u` units pass the gate for it, then `u`
bounds the mean of the loss `⌈G·TV⌉` on the grid, known before the draw. -/
theorem step_budget_sound {ds : List D} {ps : D → List (Nat × Nat)} {N B G u : Nat} {z : Frac} (N₀ : 0 < N) (B₀ : 0 < B)
    (mass : ∀ d, d ∈ ds → leftMass (ps d) = N) (gauge : ∀ d, d ∈ ds → gaugeOk B (ps d) = true)
    (normaliser : sumOver (fun d => rightMass (tiltPairs (ps d))) ds * z.den ≤ z.num * (ds.length * (N * (B * B))))
    (adm : stepBudgetAdmit G z.num z.den u = true) :
    sumOver (fun d => gridLoss G (tiltPairs (ps d))) ds ≤ ds.length * u := by
  obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp adm
  obtain ⟨h₂, h⟩ := Bool.and_eq_true_iff.mp h
  obtain ⟨h₃, h₄⟩ := Bool.and_eq_true_iff.mp h
  have zd₀ : 1 ≤ z.den := Nat.le_of_ble_eq_true h₁
  have u₀ : 1 ≤ u := Nat.le_of_ble_eq_true h₃
  have adm := Nat.le_of_ble_eq_true h₄
  obtain ⟨k, hk⟩ := Nat.exists_of_le (Nat.le_of_ble_eq_true h₂)
  obtain ⟨L, g, L₀, each, _, goal⟩ := step_bound_scaled N₀ B₀ mass gauge
  clear h₁ h₂ h₃ h₄ h
  -- rounding up costs less than one unit
  have round : ∀ d, d ∈ ds → gridLoss G (tiltPairs (ps d)) * L ≤ G * g d + L := fun d m => by
    obtain ⟨S₀, e⟩ := each d m
    have dpos := Nat.mul_pos N₀ S₀
    have fl := gridLoss_mul_le G (tiltPairs (ps d))
    rw [leftMass_tilt, mass d m] at fl
    apply Nat.le_of_mul_le_mul_right (c := N * rightMass (tiltPairs (ps d))) _ dpos
    generalize gridLoss G (tiltPairs (ps d)) = ℓ, N * rightMass (tiltPairs (ps d)) = e', tvNum (tiltPairs (ps d)) = t, g d = γ at *
    calc ℓ * L * e' = ℓ * e' * L := by nat_ring
      _ ≤ (G * t + e') * L := Nat.mul_le_mul_right L fl
      _ = G * (t * L) + e' * L := by nat_ring
      _ = (G * γ + L) * e' := by rw [← e]; nat_ring
  have total := sumOver_le round
  rw [sumOver_add, sumOver_const, ← sumOver_mul, ← mul_sumOver] at total
  cases ds with
  | nil => exact Nat.zero_le _
  | cons d₀ rest =>
    have Z₀ : 0 < sumOver (fun d => rightMass (tiltPairs (ps d))) (d₀ :: rest) :=
      Nat.add_pos_left (each d₀ (.head rest)).left _
    clear each mass gauge round
    generalize sumOver (fun d => rightMass (tiltPairs (ps d))) (d₀ :: rest) = Z, sumOver g (d₀ :: rest) = Γ,
      sumOver (fun d => gridLoss G (tiltPairs (ps d))) (d₀ :: rest) = ℓ, (d₀ :: rest).length = M at *
    rw [hk, Nat.add_sub_cancel_left] at adm
    rw [hk] at normaliser
    generalize z.den = zd, N * (B * B) = β at *
    obtain ⟨x, rfl⟩ := Nat.exists_of_le u₀
    rw [Nat.add_sub_cancel_left] at adm
    have zn₀ : 0 < zd + k := Nat.add_pos_left zd₀ k
    have root : Γ * Γ * (zd + k) ≤ M * M * (L * L) * k := by
      apply Nat.le_of_mul_le_mul_right (c := Z) _ Z₀
      apply Nat.le_of_add_le_add_right (c := M * M * (L * L) * (Z * zd))
      calc Γ * Γ * (zd + k) * Z + M * M * (L * L) * (Z * zd)
          ≤ Γ * Γ * (zd + k) * Z + M * M * (L * L) * ((zd + k) * (M * β)) :=
            Nat.add_le_add_left (Nat.mul_le_mul_left _ normaliser) _
        _ = (Γ * Γ * Z + M * β * (M * M * (L * L))) * (zd + k) := by nat_ring
        _ ≤ M * M * (L * L) * Z * (zd + k) := Nat.mul_le_mul_right _ goal
        _ = M * M * (L * L) * k * Z + M * M * (L * L) * (Z * zd) := by nat_ring
    have lin : G * Γ ≤ M * L * x := by
      apply Nat.le_of_sq_le_sq
      apply Nat.le_of_mul_le_mul_right (c := zd + k) _ zn₀
      calc G * Γ * (G * Γ) * (zd + k) = G * G * (Γ * Γ * (zd + k)) := by nat_ring
        _ ≤ G * G * (M * M * (L * L) * k) := Nat.mul_le_mul_left _ root
        _ = M * M * (L * L) * (G * G * k) := by nat_ring
        _ ≤ M * M * (L * L) * (x * x * (zd + k)) := Nat.mul_le_mul_left _ adm
        _ = M * L * x * (M * L * x) * (zd + k) := by nat_ring
    apply Nat.le_of_mul_le_mul_right (c := L) _ L₀
    calc ℓ * L ≤ G * Γ + M * L := total
      _ ≤ M * L * x + M * L := Nat.add_le_add_right lin _
      _ = M * (1 + x) * L := by nat_ring
end

/-! ## Sharp -/

/-- Sharp also in the mean: two draws that tilt the masses `(1, 3)` and `(3, 1)` as above, with `E TV = 1/2` and
`E Z = 4/3`, attain `(E TV)² + 1/E Z = 1`. -/
theorem massweighted_step_sharp :
    (∀ d, d ∈ [false, true] → gaugeOk 6 (bif d then [(3, 4), (1, 12)] else [(1, 12), (3, 4)]) = true) ∧
      (1 : Frac) ≤ meanTV [false, true] (fun d => bif d then [(3, 4), (1, 12)] else [(1, 12), (3, 4)])
          * meanTV [false, true] (fun d => bif d then [(3, 4), (1, 12)] else [(1, 12), (3, 4)])
        + meanZinv [false, true] (fun d => bif d then [(3, 4), (1, 12)] else [(1, 12), (3, 4)]) 4 6 := by
  refine ⟨fun d _ => ?_, by decide +kernel⟩
  cases d with
  | true => rfl
  | false => rfl

/-- The gate of the step budget, sharp to one unit: that step has `Z = 4/3` and loses `⌈3·TV⌉ = 2` units on the grid
`G = 3`; `3` units pass the gate, `2` do not, and `1` unit would be false. -/
theorem stepBudgetAdmit_sharp : stepBudgetAdmit 3 4 3 3 = true ∧ stepBudgetAdmit 3 4 3 2 = false ∧
    gridLoss 3 (tiltPairs [(1, 12), (3, 4)]) = 2 := by decide +kernel
end Gnosis

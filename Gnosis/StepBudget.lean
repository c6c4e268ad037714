prelude
import Gnosis.Foundation.CauchySchwarz
import Gnosis.TotalVariation
/-! # The mass-weighted budget of a step

A step tilts the served distribution: token `v` of mass `n_v` gets the weight `n_v·m_v`; in the notation of the field the
tilt is `m_v = e^{δ_v}`.  Of its root only a rational lower bound is needed, `u_v = a_v/B ≤ √m_v`, and the root itself when
`m_v` is the square of a fraction.  The normaliser is `Z = Σ p_v·m_v`.  If the mass-weighted mean of the `u_v` is at least one,
`TV² ≤ 1 − 1/Z`, and in the mean over the rounding draws `(E TV)² ≤ 1 − 1/E Z`.  No logarithm and no root
occurs, and the bound is below the one with `√(log E Z)`.  The decisions are in `Gnosis.Decision.Served`. -/
universe u

namespace Gnosis
open List

/-! ## One draw -/

/-- `Tilted ps ws`: the step takes the masses `n` of the pairs `(n, a)` to weights `w'` that are at least `n·a²`.  So
`a/B` is a lower bound for the root of the tilt of a token, `w'` being counted in units of `1/B²`; the tilt itself need not
be the square of a fraction. -/
def Tilted : List (Nat × Nat) → List (Nat × Nat) → Prop
  | [], [] => True
  | (n, a) :: ps, (w, w') :: ws => w = n ∧ n * (a * a) ≤ w' ∧ Tilted ps ws
  | _, _ => False
/-- Weights that are tilted by squares are tilted. -/
theorem tilted_tiltPairs (ps : List (Nat × Nat)) : Tilted ps (tiltPairs ps) := by
  induction ps with
  | nil => trivial
  | cons p ps ih => exact ⟨rfl, Nat.le_refl _, ih⟩

/-- The mass before is that of the tokens. -/
theorem leftMass_tilted {ps ws : List (Nat × Nat)} (tilted : Tilted ps ws) : leftMass ws = leftMass ps := by
  induction ps generalizing ws with
  | nil => cases ws with
    | nil => rfl
    | cons w ws => exact tilted.elim
  | cons p ps ih => cases ws with
    | nil => exact tilted.elim
    | cons w ws =>
      show w.1 + leftMass ws = p.1 + leftMass ps
      rw [ih tilted.2.2, tilted.1]
/-- The mass before does not depend on the tilts. -/
theorem leftMass_tilt (ps : List (Nat × Nat)) : leftMass (tiltPairs ps) = leftMass ps := leftMass_tilted (tilted_tiltPairs ps)

/-- Cauchy–Schwarz for a tilted step, with the overlap and the hull of the two distributions. -/
theorem tilt_cauchy_schwarz (S S' : Nat) {ps ws : List (Nat × Nat)} (tilted : Tilted ps ws) :
    S * S' * (weightedBudget ps * weightedBudget ps) ≤ overlap S S' ws * hull S S' ws := by
  induction ps generalizing ws with
  | nil => exact Nat.le_trans (Nat.le_of_eq (Nat.mul_zero _)) (Nat.zero_le _)
  | cons p ps ih => cases ws with
    | nil => exact tilted.elim
    | cons w ws =>
      obtain ⟨n, a⟩ := p
      obtain ⟨w, w'⟩ := w
      obtain ⟨rfl, le, rest⟩ := tilted
      refine Nat.cauchy_schwarz_add ?_ (ih rest)
      rw [min_mul_max]
      calc S * S' * (w * a * (w * a)) = w * S' * (w * (a * a) * S) := by nat_ring
        _ ≤ w * S' * (w' * S) := Nat.mul_le_mul_left _ (Nat.mul_le_mul_right S le)

/-- The mass after the tilt is at least `N·B²`, so that `Z ≥ 1`. -/
theorem tilt_mass {ps ws : List (Nat × Nat)} (tilted : Tilted ps ws) :
    weightedBudget ps * weightedBudget ps ≤ leftMass ps * rightMass ws := by
  induction ps generalizing ws with
  | nil => exact Nat.zero_le _
  | cons p ps ih => cases ws with
    | nil => exact tilted.elim
    | cons w ws =>
      obtain ⟨n, a⟩ := p
      obtain ⟨w, w'⟩ := w
      obtain ⟨rfl, le, rest⟩ := tilted
      have h := Nat.cauchy_schwarz_add (c := 1) (s := w * a) (a := w) (b := w')
        (Nat.le_trans (Nat.le_of_eq (by nat_ring)) (Nat.mul_le_mul_left w le))
        (Nat.le_trans (Nat.le_of_eq (Nat.one_mul _)) (ih rest))
      rw [Nat.one_mul] at h
      exact h

/-- With positive mass and mean tilt at least one, something is left after the tilt. -/
theorem tilt_mass_pos {B : Nat} {ps ws : List (Nat × Nat)} (N₀ : 0 < leftMass ps) (B₀ : 0 < B) (gauge : gaugeOk B ps = true)
    (tilted : Tilted ps ws) : 0 < rightMass ws := by
  rcases Nat.lt_or_ge 0 (rightMass ws) with h | h
  · exact h
  · have g : leftMass ps * B ≤ weightedBudget ps := Nat.le_of_ble_eq_true gauge
    have t := Nat.le_trans (Nat.mul_le_mul g g) (tilt_mass tilted)
    rw [Nat.le_antisymm h (Nat.zero_le _), Nat.mul_zero] at t
    exact absurd t (Nat.not_le_of_lt (Nat.mul_pos (Nat.mul_pos N₀ B₀) (Nat.mul_pos N₀ B₀)))

/-- **The budget of one draw**: if the mean tilt is at least one, `Σ n·a ≥ N·B`, then `TV² + 1/Z ≤ 1`; in whole numbers
`(N·S'·TV)² + N·S'·(N·B)² ≤ (N·S')²`, with `N` the mass before and `S'` the mass after. -/
theorem massweighted_draw_bound {B : Nat} {ps ws : List (Nat × Nat)} (gauge : gaugeOk B ps = true) (tilted : Tilted ps ws) :
    tvNum ws * tvNum ws + leftMass ps * rightMass ws * (leftMass ps * B * (leftMass ps * B))
      ≤ leftMass ps * rightMass ws * (leftMass ps * rightMass ws) := by
  have gauge : leftMass ps * B ≤ weightedBudget ps := Nat.le_of_ble_eq_true gauge
  obtain ⟨o, _, u⟩ := tvNum_add_overlap ws
  rw [leftMass_tilted tilted] at o u
  have cs := tilt_cauchy_schwarz (leftMass ps) (rightMass ws) tilted
  have sq := Nat.mul_le_mul gauge gauge
  rw [u] at cs
  generalize leftMass ps * B = G, leftMass ps * rightMass ws = M, overlap (leftMass ps) (rightMass ws) ws = m, tvNum ws = t,
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

/-- The mean total variation over equally likely rounding draws `d` with the weights `ws d`. -/
def meanTV (ds : List D) (ws : D → List (Nat × Nat)) : Frac := ⟨1, ds.length⟩ * Frac.sumOver (fun d => tv (ws d)) ds
/-- The reciprocal of the mean normaliser: `1/E Z = |ds|·N·B² / Σ_d S'(d)`. -/
def meanZinv (ds : List D) (ws : D → List (Nat × Nat)) (N B : Nat) : Frac :=
  ⟨ds.length * (N * (B * B)), sumOver (fun d => rightMass (ws d)) ds⟩

/-- The bound of one draw, with the total variation as a fraction `g/L`. -/
theorem draw_bound_scaled {B L g N : Nat} {ps ws : List (Nat × Nat)} (gauge : gaugeOk B ps = true) (tilted : Tilted ps ws)
    (hN : leftMass ps = N) (N₀ : 0 < N) (S₀ : 0 < rightMass ws) (e : g * (N * rightMass ws) = tvNum ws * L) :
    g * g * (N * rightMass ws) + N * B * L * (N * B * L) ≤ L * L * (N * rightMass ws) := by
  have b := massweighted_draw_bound gauge tilted
  rw [hN] at b
  generalize rightMass ws = S, tvNum ws = t at *
  apply Nat.le_of_mul_le_mul_right (c := N * S) _ (Nat.mul_pos N₀ S₀)
  calc (g * g * (N * S) + N * B * L * (N * B * L)) * (N * S)
      = g * (N * S) * (g * (N * S)) + N * S * (N * B * (N * B)) * (L * L) := by nat_ring
    _ = (t * t + N * S * (N * B * (N * B))) * (L * L) := by rw [e]; nat_ring
    _ ≤ N * S * (N * S) * (L * L) := Nat.mul_le_mul_right _ b
    _ = L * L * (N * S) * (N * S) := by nat_ring

/-- The step bound in whole numbers: the total variations have a common denominator `L`, numerators `g`, and
`(Σ g)²·Z + |ds|³·N·B²·L² ≤ |ds|²·L²·Z` with `Z = Σ_d S'(d)`. -/
theorem step_bound_scaled {ds : List D} {ps ws : D → List (Nat × Nat)} {N B : Nat} (N₀ : 0 < N) (B₀ : 0 < B)
    (mass : ∀ d, d ∈ ds → leftMass (ps d) = N) (gauge : ∀ d, d ∈ ds → gaugeOk B (ps d) = true)
    (tilted : ∀ d, d ∈ ds → Tilted (ps d) (ws d)) :
    ∃ (L : Nat) (g : D → Nat), 0 < L ∧
      (∀ d, d ∈ ds → 0 < rightMass (ws d) ∧
        g d * (N * rightMass (ws d)) = tvNum (ws d) * L) ∧
      sumOver g ds * (Frac.sumOver (fun d => tv (ws d)) ds).den
        = (Frac.sumOver (fun d => tv (ws d)) ds).num * L ∧
      sumOver g ds * sumOver g ds * sumOver (fun d => rightMass (ws d)) ds
          + ds.length * (N * (B * B)) * (ds.length * ds.length * (L * L))
        ≤ ds.length * ds.length * (L * L) * sumOver (fun d => rightMass (ws d)) ds := by
  have S₀ : ∀ d, d ∈ ds → 0 < rightMass (ws d) := fun d m =>
    tilt_mass_pos (by rw [mass d m]; exact N₀) B₀ (gauge d m) (tilted d m)
  have den : ∀ d, d ∈ ds → (tv (ws d)).den = N * rightMass (ws d) := fun d m => by
    show leftMass (ws d) * _ = _
    rw [leftMass_tilted (tilted d m), mass d m]
  obtain ⟨L, g, L₀, each, sum⟩ := Frac.exists_common_den (f := fun d => tv (ws d)) (l := ds)
    (fun d m => by rw [den d m]; exact Nat.mul_pos N₀ (S₀ d m))
  have each : ∀ d, d ∈ ds → g d * (N * rightMass (ws d)) = tvNum (ws d) * L :=
    fun d m => den d m ▸ each d m
  -- what is missing to one, draw by draw: `r = L² − g²`
  have draw : ∀ d, d ∈ ds → g d * g d * (N * rightMass (ws d)) + N * B * L * (N * B * L)
      ≤ L * L * (N * rightMass (ws d)) := fun d m =>
    draw_bound_scaled (gauge d m) (tilted d m) (mass d m) N₀ (S₀ d m) (each d m)
  have fit : ∀ d, d ∈ ds → g d * g d ≤ L * L := fun d m => by
    apply Nat.le_of_mul_le_mul_right (c := N * rightMass (ws d)) _ (Nat.mul_pos N₀ (S₀ d m))
    exact Nat.le_trans (Nat.le_add_right _ _) (draw d m)
  have split : sumOver (fun d => L * L - g d * g d) ds + sumOver (fun d => g d * g d) ds = ds.length * (L * L) := by
    rw [← sumOver_add, ← sumOver_const]
    exact sumOver_congr fun d m => by rw [Nat.add_comm]; exact Nat.add_sub_of_le (fit d m)
  have cs₁ := cauchy_schwarz (c := 1) (f := fun _ => N * B * L) (g := fun d => L * L - g d * g d)
    (h := fun d => N * rightMass (ws d)) (l := ds) (fun d m => by
      rw [Nat.one_mul]
      have h := draw d m
      rw [← Nat.add_sub_of_le (fit d m), Nat.right_distrib] at h
      exact Nat.le_of_add_le_add_left h)
  have cs₂ := cauchy_schwarz (c := 1) (f := g) (g := fun _ => 1) (h := fun d => g d * g d) (l := ds)
    (fun d _ => Nat.le_refl _)
  rw [Nat.one_mul, sumOver_const, ← mul_sumOver] at cs₁
  rw [Nat.one_mul, sumOver_const, Nat.mul_one] at cs₂
  refine ⟨L, g, L₀, fun d m => ⟨S₀ d m, each d m⟩, sum, ?_⟩
  generalize sumOver g ds = G, sumOver (fun d => rightMass (ws d)) ds = Z, ds.length = M,
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

/-- **The mass-weighted step bound**: `(E TV)² ≤ 1 − 1/E Z`, over equally likely rounding draws.  The masses are `N` in all;
at the draw `d` a token of mass `n` gets a weight of at least `n·a²` in units of `1/B²`, and at every draw the mass-weighted
mean of the `a/B` is at least one.  `Z = S'/(N·B²)` with `S'` the sum of the weights. -/
theorem massweighted_step_bound {ds : List D} {ps ws : D → List (Nat × Nat)} {N B : Nat} (N₀ : 0 < N) (B₀ : 0 < B)
    (mass : ∀ d, d ∈ ds → leftMass (ps d) = N) (gauge : ∀ d, d ∈ ds → gaugeOk B (ps d) = true)
    (tilted : ∀ d, d ∈ ds → Tilted (ps d) (ws d)) :
    meanTV ds ws * meanTV ds ws + meanZinv ds ws N B ≤ 1 := by
  obtain ⟨L, g, L₀, _, sum, goal⟩ := step_bound_scaled N₀ B₀ mass gauge tilted
  show (1 * (Frac.sumOver (fun d => tv (ws d)) ds).num * (1 * (Frac.sumOver (fun d => tv (ws d)) ds).num)
        * sumOver (fun d => rightMass (ws d)) ds
      + ds.length * (N * (B * B)) * (ds.length * (Frac.sumOver (fun d => tv (ws d)) ds).den
        * (ds.length * (Frac.sumOver (fun d => tv (ws d)) ds).den))) * 1
    ≤ 1 * (ds.length * (Frac.sumOver (fun d => tv (ws d)) ds).den
        * (ds.length * (Frac.sumOver (fun d => tv (ws d)) ds).den)
      * sumOver (fun d => rightMass (ws d)) ds)
  generalize (Frac.sumOver (fun d => tv (ws d)) ds).num = n, (Frac.sumOver (fun d => tv (ws d)) ds).den = e,
    sumOver (fun d => rightMass (ws d)) ds = Z, sumOver g ds = G, ds.length = M at *
  apply Nat.le_of_mul_le_mul_right (c := L * L) _ (Nat.mul_pos L₀ L₀)
  calc (1 * n * (1 * n) * Z + M * (N * (B * B)) * (M * e * (M * e))) * 1 * (L * L)
      = n * L * (n * L) * Z + M * (N * (B * B)) * (M * M * (L * L)) * (e * e) := by nat_ring
    _ = (G * G * Z + M * (N * (B * B)) * (M * M * (L * L))) * (e * e) := by rw [← sum]; nat_ring
    _ ≤ M * M * (L * L) * Z * (e * e) := Nat.mul_le_mul_right _ goal
    _ = 1 * (M * e * (M * e) * Z) * (L * L) := by nat_ring
/-- **The step budget is sound**: if `z` bounds the mean normaliser, `E Z ≤ z`, and `u` units pass the gate for it, then `u`
bounds the mean of the loss `⌈G·TV⌉` on the grid, known before the draw. -/
theorem step_budget_sound {ds : List D} {ps ws : D → List (Nat × Nat)} {N B G u : Nat} {z : Frac} (N₀ : 0 < N) (B₀ : 0 < B)
    (mass : ∀ d, d ∈ ds → leftMass (ps d) = N) (gauge : ∀ d, d ∈ ds → gaugeOk B (ps d) = true)
    (tilted : ∀ d, d ∈ ds → Tilted (ps d) (ws d))
    (normaliser : sumOver (fun d => rightMass (ws d)) ds * z.den ≤ z.num * (ds.length * (N * (B * B))))
    (adm : stepBudgetAdmit G z.num z.den u = true) :
    sumOver (fun d => gridLoss G (ws d)) ds ≤ ds.length * u := by
  obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp adm
  obtain ⟨h₂, h⟩ := Bool.and_eq_true_iff.mp h
  obtain ⟨h₃, h₄⟩ := Bool.and_eq_true_iff.mp h
  have zd₀ : 1 ≤ z.den := Nat.le_of_ble_eq_true h₁
  have u₀ : 1 ≤ u := Nat.le_of_ble_eq_true h₃
  have adm := Nat.le_of_ble_eq_true h₄
  obtain ⟨k, hk⟩ := Nat.exists_of_le (Nat.le_of_ble_eq_true h₂)
  obtain ⟨L, g, L₀, each, _, goal⟩ := step_bound_scaled N₀ B₀ mass gauge tilted
  clear h₁ h₂ h₃ h₄ h
  -- rounding up costs less than one unit
  have round : ∀ d, d ∈ ds → gridLoss G (ws d) * L ≤ G * g d + L := fun d m => by
    obtain ⟨S₀, e⟩ := each d m
    have dpos := Nat.mul_pos N₀ S₀
    have fl := gridLoss_mul_le G (ws d)
    rw [leftMass_tilted (tilted d m), mass d m] at fl
    apply Nat.le_of_mul_le_mul_right (c := N * rightMass (ws d)) _ dpos
    generalize gridLoss G (ws d) = ℓ, N * rightMass (ws d) = e', tvNum (ws d) = t, g d = γ at *
    calc ℓ * L * e' = ℓ * e' * L := by nat_ring
      _ ≤ (G * t + e') * L := Nat.mul_le_mul_right L fl
      _ = G * (t * L) + e' * L := by nat_ring
      _ = (G * γ + L) * e' := by rw [← e]; nat_ring
  have total := sumOver_le round
  rw [sumOver_add, sumOver_const, ← sumOver_mul, ← mul_sumOver] at total
  cases ds with
  | nil => exact Nat.zero_le _
  | cons d₀ rest =>
    have Z₀ : 0 < sumOver (fun d => rightMass (ws d)) (d₀ :: rest) :=
      Nat.add_pos_left (each d₀ (.head rest)).left _
    clear each mass gauge tilted round
    generalize sumOver (fun d => rightMass (ws d)) (d₀ :: rest) = Z, sumOver g (d₀ :: rest) = Γ,
      sumOver (fun d => gridLoss G (ws d)) (d₀ :: rest) = ℓ, (d₀ :: rest).length = M at *
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

/-- Two draws that tilt the masses `(1, 3)` and `(3, 1)`. -/
def twoTilts (d : Bool) : List (Nat × Nat) := bif d then [(3, 4), (1, 12)] else [(1, 12), (3, 4)]

/-- Sharp also in the mean: two draws that tilt the masses `(1, 3)` and `(3, 1)` as above, with `E TV = 1/2` and
`E Z = 4/3`, attain `(E TV)² + 1/E Z = 1`. -/
theorem massweighted_step_sharp :
    (∀ d, d ∈ [false, true] → gaugeOk 6 (twoTilts d) = true) ∧
      (1 : Frac) ≤ meanTV [false, true] (fun d => tiltPairs (twoTilts d)) * meanTV [false, true] (fun d => tiltPairs (twoTilts d))
        + meanZinv [false, true] (fun d => tiltPairs (twoTilts d)) 4 6 := by
  refine ⟨fun d _ => ?_, by decide +kernel⟩
  cases d with
  | true => rfl
  | false => rfl

/-- Not vacuous, with tilts that are no squares of fractions: masses `(50, 50)`, weights that are `13/10` and `4/5` of
them, with the lower bounds `114/100` and `89/100` for the roots of these tilts; the mean of the roots is above one. -/
theorem tilted_sample : gaugeOk 100 [(50, 114), (50, 89)] = true ∧ Tilted [(50, 114), (50, 89)] [(50, 650000), (50, 400000)] ∧
    (⟨1, 9⟩ : Frac) < tv [(50, 650000), (50, 400000)] :=
  ⟨rfl, ⟨rfl, by decide, rfl, by decide, ⟨⟩⟩, by decide⟩

/-- The gate of the step budget, sharp to one unit: that step has `Z = 4/3` and loses `⌈3·TV⌉ = 2` units on the grid
`G = 3`; `3` units pass the gate, `2` do not, and `1` unit would be false. -/
theorem stepBudgetAdmit_sharp : stepBudgetAdmit 3 4 3 3 = true ∧ stepBudgetAdmit 3 4 3 2 = false ∧
    gridLoss 3 (tiltPairs [(1, 12), (3, 4)]) = 2 := by decide +kernel
end Gnosis

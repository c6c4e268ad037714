prelude
import Gnosis.Foundation.CauchySchwarz
import Gnosis.TotalVariation
/-! # Total variation and the Bhattacharyya coefficient

The tight law prices the worst logit.  Total variation prices the mass that moves, and that is bounded by the
Bhattacharyya coefficient `BC = Σ √(p·p')`: `TV² ≤ 1 − BC²`.  Roots do not occur: the runtime supplies whole numbers
`s ≤ √(S·S'·w·w')`.  The decisions are in `Gnosis.Decision.Served`. -/
namespace Gnosis
open List

/-- **Total variation against the Bhattacharyya coefficient.**  For whole numbers `s_v` with `s_v² ≤ S·S'·w_v·w'_v`, one
for each token, `(S·S'·TV)² + (Σ s_v)² ≤ (S·S')²`. -/
theorem tv_le_hellinger {ps : List (Nat × Nat)} {s : List Nat} (roots : rootsOk (leftMass ps) (rightMass ps) ps s = true) :
    tvNum ps * tvNum ps + total s * total s
      ≤ leftMass ps * rightMass ps * (leftMass ps * rightMass ps) := by
  obtain ⟨o, _, u⟩ := tvNum_add_overlap ps
  generalize leftMass ps = S, rightMass ps = S' at *
  have cs : ∀ (ps : List (Nat × Nat)) (s : List Nat), rootsOk S S' ps s = true →
      1 * (total s * total s) ≤ overlap S S' ps * hull S S' ps := fun ps => by
    induction ps with
    | nil => intro s h; cases s with
      | nil => exact Nat.le_refl 0
      | cons s rest => exact nomatch h
    | cons p ps ih =>
      obtain ⟨w, w'⟩ := p
      intro s h
      cases s with
      | nil => exact nomatch h
      | cons s rest =>
        obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
        refine Nat.cauchy_schwarz_add (c := 1) ?_ (ih rest h₂)
        rw [Nat.one_mul]
        exact Nat.le_trans (Nat.le_of_ble_eq_true h₁) (Nat.le_of_eq (min_mul_max _ _).symm)
  have h := cs ps s roots
  rw [Nat.one_mul, u] at h
  rw [← o] at h ⊢
  generalize tvNum ps = t, overlap S S' ps = m, total s = r at *
  nat_lin [h]

/-- What `hellingerAdmit` says. -/
theorem hellingerAdmit_iff {ps : List (Nat × Nat)} {s : List Nat} {n d : Nat} : hellingerAdmit ps s n d = true ↔
    0 < d ∧ 0 < leftMass ps ∧ 0 < rightMass ps ∧ rootsOk (leftMass ps) (rightMass ps) ps s = true ∧
      (leftMass ps * rightMass ps * (leftMass ps * rightMass ps) - total s * total s) * (d * d)
        ≤ leftMass ps * rightMass ps * (leftMass ps * rightMass ps) * (n * n) := by
  constructor
  · intro h
    obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₃, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₄, h⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨Nat.le_of_ble_eq_true h₁, Nat.le_of_ble_eq_true h₂, Nat.le_of_ble_eq_true h₃, h₄, Nat.le_of_ble_eq_true h⟩
  · intro ⟨h₁, h₂, h₃, h₄, h₅⟩
    exact Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₁, Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₂,
      Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₃, Bool.and_eq_true_iff.mpr ⟨h₄, Nat.ble_eq_true_of_le h₅⟩⟩⟩⟩

/-- The gate is sound: roots that pass it show that the total variation is at most `n/d`. -/
theorem hellinger_sound {ps : List (Nat × Nat)} {s : List Nat} {n d : Nat} (adm : hellingerAdmit ps s n d = true) :
    tv ps ≤ ⟨n, d⟩ := by
  obtain ⟨_, _, _, roots, le⟩ := hellingerAdmit_iff.mp adm
  have h := tv_le_hellinger roots
  show tvNum ps * d ≤ n * (leftMass ps * rightMass ps)
  generalize leftMass ps * rightMass ps = M, tvNum ps = t, total s * total s = r at *
  have room : t * t ≤ M * M - r := Nat.le_sub_of_add_le h
  apply Nat.le_of_sq_le_sq
  calc t * d * (t * d) = t * t * (d * d) := by nat_ring
    _ ≤ (M * M - r) * (d * d) := Nat.mul_le_mul_right _ room
    _ ≤ M * M * (n * n) := le
    _ = n * M * (n * M) := by nat_ring

/-- The two-token weights `(y², x²)` and `(x², y²)`. -/
def twoTokens (x y : Nat) : List (Nat × Nat) := [(y * y, x * x), (x * x, y * y)]
/-- Their roots `√(S·S'·w·w') = (x² + y²)·x·y`, which are exact. -/
def twoRoots (x y : Nat) : List Nat := [(x * x + y * y) * (x * y), (x * x + y * y) * (x * y)]

/-- **Sharp**: the two-token weights attain equality, whatever `x ≥ y`. -/
theorem tv_le_hellinger_sharp {x y : Nat} (h : y ≤ x) :
    rootsOk (leftMass (twoTokens x y)) (rightMass (twoTokens x y)) (twoTokens x y) (twoRoots x y) = true ∧
      tvNum (twoTokens x y) * tvNum (twoTokens x y) + total (twoRoots x y) * total (twoRoots x y)
        = leftMass (twoTokens x y) * rightMass (twoTokens x y) * (leftMass (twoTokens x y) * rightMass (twoTokens x y)) := by
  have l : leftMass (twoTokens x y) = x * x + y * y := Nat.add_comm (y * y) (x * x)
  have r : rightMass (twoTokens x y) = x * x + y * y := rfl
  have s : total (twoRoots x y) = (x * x + y * y) * (x * y) + ((x * x + y * y) * (x * y) + 0) := rfl
  have u : x * y * (x * y) = x * x * (y * y) := by nat_ring
  have sq : y * y ≤ x * x := Nat.mul_le_mul h h
  have t : tvNum (twoTokens x y) = (x * x - y * y) * (x * x + y * y) := by
    unfold tvNum
    rw [l, r]
    show (x * x * (x * x + y * y) - y * y * (x * x + y * y)) + ((y * y * (x * x + y * y) - x * x * (x * x + y * y)) + 0) = _
    obtain ⟨k, hk⟩ := Nat.exists_of_le sq
    rw [hk, Nat.add_sub_cancel_left, Nat.right_distrib (y * y) k, Nat.add_sub_cancel_left, Nat.sub_add_eq_zero]
    rfl
  rw [l, r, s, t]
  constructor
  · show (Nat.ble ((x * x + y * y) * (x * y) * ((x * x + y * y) * (x * y))) (y * y * (x * x + y * y) * (x * x * (x * x + y * y)))
      && (Nat.ble ((x * x + y * y) * (x * y) * ((x * x + y * y) * (x * y))) (x * x * (x * x + y * y) * (y * y * (x * x + y * y)))
        && true)) = true
    rw [Nat.ble_eq_true_of_le (Nat.le_of_eq (by nat_ring)), Nat.ble_eq_true_of_le (Nat.le_of_eq (by nat_ring))]
    rfl
  · obtain ⟨k, hk⟩ := Nat.exists_of_le sq
    rw [hk] at u ⊢
    rw [Nat.add_sub_cancel_left]
    generalize x * y = z, y * y = q at *
    calc k * (q + k + q) * (k * (q + k + q)) + ((q + k + q) * z + ((q + k + q) * z + 0)) * ((q + k + q) * z + ((q + k + q) * z + 0))
        = (q + k + q) * (q + k + q) * (k * k + 4 * (z * z)) := by nat_ring
      _ = (q + k + q) * (q + k + q) * (k * k + 4 * ((q + k) * q)) := by rw [u]
      _ = (q + k + q) * (q + k + q) * ((q + k + q) * (q + k + q)) := by nat_ring

/-- The gate at work, and exact: for weights `(1, 4)` and `(4, 1)` the roots `10` and `10` show that the total variation is
at most `3/5`, which it is; the level `29/50` is refused. -/
theorem hellingerAdmit_sample : hellingerAdmit [(1, 4), (4, 1)] [10, 10] 3 5 = true ∧
    tvNum [(1, 4), (4, 1)] = 15 ∧ hellingerAdmit [(1, 4), (4, 1)] [10, 10] 29 50 = false := ⟨rfl, rfl, rfl⟩
end Gnosis

prelude
import Gnosis.EnergyMarginBridgeAdmissibility
import Gnosis.QualityMarginCacheAdmissibility
/-! # Bounds that add up, and the split by blocks

What the runtime composes: an error in two parts has a bound in two parts (`within_add`), and coordinates treated exactly
within blocks leave the products of the blocks' roots (`energy_split_blocked_sound`). -/
namespace Gnosis
open List

/-- **Bounds add up**: if the scores `y` lie within `a` of `x` and the scores `z` within `b` of `y`, then `z` lies within `a + b`
of `x`, entry by entry. -/
theorem within_add {a b : Nat → Int} {x y z : List Int} (h : Within a x y) (k : Within b y z) :
    Within (fun i => a i + b i) x z where
  length_eq := k.length_eq.trans h.length_eq
  lower i hi := by lin [h.lower i hi, k.lower i (by rw [h.length_eq]; exact hi)]
  upper i hi := by lin [h.upper i hi, k.upper i (by rw [h.length_eq]; exact hi)]

/-- The bound `a + b` is attained, so none below it would do. -/
theorem within_add_sharp : Within (fun _ => 1) [0] [1] ∧ Within (fun _ => 2) [1] [3] ∧ Within (fun _ => 1 + 2) [0] [3]
    ∧ ¬ Within (fun _ => 2) [0] [3] :=
  ⟨⟨rfl, by decide, by decide⟩, ⟨rfl, by decide, by decide⟩, ⟨rfl, by decide, by decide⟩,
    fun h => absurd (h.upper 0 (by decide)) (by decide)⟩

/-- The part of a vector at the mask is as long as the vector. -/
theorem length_inside (v : List Int) (S : List Bool) : (inside v S).length = v.length := by
  induction v generalizing S with
  | nil => rfl
  | cons x v ih => cases S with
    | nil => exact congrArg Nat.succ (ih [])
    | cons s S => exact congrArg Nat.succ (ih S)

/-- Masks of two vectors, one after the other. -/
theorem inside_append {v : List Int} {S : List Bool} (h : v.length = S.length) (w : List Int) (T : List Bool) :
    inside (v ++ w) (S ++ T) = inside v S ++ inside w T := by
  induction v generalizing S with
  | nil => cases S with
    | nil => rfl
    | cons _ _ => exact nomatch h
  | cons x v ih => cases S with
    | nil => exact nomatch h
    | cons s S => exact congrArg ((bif s then x else 0) :: ·) (ih (Nat.add_right_cancel h))

/-- `RootsOutside vs Ss r`: for each block of `vs` a mask and a root `r ≥ 0` whose square is at least the energy of the block
outside the mask. -/
def RootsOutside : List (List Int) → List (List Bool) → List Int → Prop
  | [], [], [] => True
  | v :: vs, S :: Ss, r :: rs => v.length = S.length ∧ 0 ≤ r ∧ energyOutside v S ≤ r * r ∧ RootsOutside vs Ss rs
  | _, _, _ => False

/-- **Split and blocks together**: residual and activation are cut into blocks of the same lengths, each with a mask of the
coordinates that are computed exactly; `e` and `α` hold for each block an upper bound on the root of the residual's and of
the activation's energy outside the mask (a bound on the whole energy will do, `energyOutside_le_energy`).  Then the products
outside the masks add up to at most `Σ e_b·α_b`, in absolute value. -/
theorem energy_split_blocked_sound {τs as : List (List Int)} {Ss : List (List Bool)} {e α : List Int}
    (he : RootsOutside τs Ss e) (hα : RootsOutside as Ss α) :
    -(dot e α) ≤ dot τs.flatten as.flatten - dot τs.flatten (inside as.flatten Ss.flatten) ∧
      dot τs.flatten as.flatten - dot τs.flatten (inside as.flatten Ss.flatten) ≤ dot e α := by
  induction τs generalizing as Ss e α with
  | nil => cases Ss with
    | cons _ _ => exact he.elim
    | nil => cases e with
      | cons _ _ => exact he.elim
      | nil => exact ⟨Int.le_refl 0, Int.le_refl 0⟩
  | cons τ τs ih => cases Ss with
    | nil => exact he.elim
    | cons S Ss => cases e with
      | nil => exact he.elim
      | cons r e => cases as with
        | nil => exact hα.elim
        | cons a as => cases α with
          | nil => exact hα.elim
          | cons s α =>
            obtain ⟨lτ, r₀, hr, he⟩ := he
            obtain ⟨la, s₀, hs, hα⟩ := hα
            obtain ⟨i₁, i₂⟩ := ih he hα
            have cs : dot (outside τ S) (outside a S) * dot (outside τ S) (outside a S) ≤ r * s * (r * s) := by
              refine Int.le_trans (dot_sq_le _ _) (Int.le_trans (Int.mul_le_mul (by rw [energy_outside]; exact hr)
                (by rw [energy_outside]; exact hs) (energy_nonneg _) (Int.sq_nonneg r)) (Int.le_of_eq ?_))
              ring
            obtain ⟨b₁, b₂⟩ := Int.abs_le_of_sq_le_sq cs (Int.mul_nonneg r₀ s₀)
            rw [← dot_sub_inside] at b₁ b₂
            show -(r * s + dot e α) ≤ dot (τ ++ τs.flatten) (a ++ as.flatten)
                - dot (τ ++ τs.flatten) (inside (a ++ as.flatten) (S ++ Ss.flatten))
              ∧ dot (τ ++ τs.flatten) (a ++ as.flatten)
                - dot (τ ++ τs.flatten) (inside (a ++ as.flatten) (S ++ Ss.flatten)) ≤ r * s + dot e α
            rw [inside_append la, dot_append (lτ.trans la.symm), dot_append ((lτ.trans la.symm).trans (length_inside a S).symm)]
            exact ⟨by lin [b₁, i₁], by lin [b₂, i₂]⟩

/-- Attained, and not vacuous: two blocks, in the first of them the large coordinate treated exactly; the products left over add
up to `2·3 + 1·5`. -/
theorem energy_split_blocked_sharp :
    RootsOutside [[1, 2], [1]] [[true, false], [false]] [2, 1] ∧ RootsOutside [[400, 3], [5]] [[true, false], [false]] [3, 5] ∧
      dot ([[1, 2], [1]] : List (List Int)).flatten ([[400, 3], [5]] : List (List Int)).flatten
        - dot ([[1, 2], [1]] : List (List Int)).flatten (inside ([[400, 3], [5]] : List (List Int)).flatten
          ([[true, false], [false]] : List (List Bool)).flatten) = dot [2, 1] [3, 5] :=
  ⟨⟨rfl, by decide, by decide, rfl, by decide, by decide, ⟨⟩⟩, ⟨rfl, by decide, by decide, rfl, by decide, by decide, ⟨⟩⟩, rfl⟩
end Gnosis

prelude
import Gnosis.ServedLayers
/-! # The triangle inequality of total variation

Three lists of weights over one vocabulary: what two changes do to an event adds up. -/
namespace Gnosis
open List

/-- The weight of an event. -/
def massOn : List Bool → List Nat → Nat
  | A :: As, w :: ws => (bif A then w else 0) + massOn As ws
  | _, _ => 0

/-- Masses and events of paired weights are those of the lists. -/
theorem pairUp_spec {x y : List Nat} (h : x.length = y.length) : leftMass (pairUp x y) = total x ∧ rightMass (pairUp x y) = total y ∧
    (∀ A, leftOn A (pairUp x y) = massOn A x) ∧ ∀ A, rightOn A (pairUp x y) = massOn A y := by
  induction x generalizing y with
  | nil => cases y with
    | nil =>
      refine ⟨rfl, rfl, fun A => ?_, fun A => ?_⟩
      · cases A with
        | nil => rfl
        | cons _ _ => rfl
      · cases A with
        | nil => rfl
        | cons _ _ => rfl
    | cons _ _ => exact nomatch h
  | cons a x ih => cases y with
    | nil => exact nomatch h
    | cons b y =>
      obtain ⟨h₁, h₂, h₃, h₄⟩ := ih (Nat.add_right_cancel h)
      refine ⟨congrArg (a + ·) h₁, congrArg (b + ·) h₂, fun A => ?_, fun A => ?_⟩
      · cases A with
        | nil => rfl
        | cons s A => exact congrArg ((bif s then a else 0) + ·) (h₃ A)
      · cases A with
        | nil => rfl
        | cons s A => exact congrArg ((bif s then b else 0) + ·) (h₄ A)

/-- **The triangle inequality**: the total variation of `x` and `z` is at most that of `x` and `y` and that of `y` and `z` together. -/
theorem tv_triangle {x y z : List Nat} (hxy : x.length = y.length) (hyz : y.length = z.length) :
    tv (pairUp x z) ≤ tv (pairUp x y) + tv (pairUp y z) := by
  have hxz := hxy.trans hyz
  obtain ⟨x₁, z₁, onx, onz⟩ := pairUp_spec hxz
  obtain ⟨x₂, y₂, onx₂, ony₂⟩ := pairUp_spec hxy
  obtain ⟨y₃, z₃, ony₃, onz₃⟩ := pairUp_spec hyz
  have top := tv_attained (pairUp x z)
  generalize gains (leftMass (pairUp x z)) (rightMass (pairUp x z)) (pairUp x z) = A at top
  rw [onx, onz, x₁, z₁] at top
  have one : massOn A y * total x ≤ massOn A x * total y + tvNum (pairUp x y) := by
    have h := (rightOn_le (leftMass (pairUp x y)) (rightMass (pairUp x y)) A (pairUp x y)).1
    rw [onx₂, ony₂] at h
    have e : excess (leftMass (pairUp x y)) (rightMass (pairUp x y)) (pairUp x y) = tvNum (pairUp x y) := rfl
    rw [e, x₂, y₂] at h; exact h
  have two : massOn A z * total y ≤ massOn A y * total z + tvNum (pairUp y z) := by
    have h := (rightOn_le (leftMass (pairUp y z)) (rightMass (pairUp y z)) A (pairUp y z)).1
    rw [ony₃, onz₃] at h
    have e : excess (leftMass (pairUp y z)) (rightMass (pairUp y z)) (pairUp y z) = tvNum (pairUp y z) := rfl
    rw [e, y₃, z₃] at h; exact h
  show tvNum (pairUp x z) * (leftMass (pairUp x y) * rightMass (pairUp x y) * (leftMass (pairUp y z) * rightMass (pairUp y z)))
    ≤ (tvNum (pairUp x y) * (leftMass (pairUp y z) * rightMass (pairUp y z))
      + tvNum (pairUp y z) * (leftMass (pairUp x y) * rightMass (pairUp x y))) * (leftMass (pairUp x z) * rightMass (pairUp x z))
  rw [x₁, z₁, x₂, y₂, y₃, z₃]
  generalize tvNum (pairUp x z) = T, tvNum (pairUp x y) = T₁, tvNum (pairUp y z) = T₂, massOn A x = a, massOn A y = b,
    massOn A z = c, total x = X, total y = Y, total z = Z at *
  have key : T * Y ≤ T₁ * Z + T₂ * X := by
    apply Nat.le_of_add_le_add_left (a := a * Z * Y)
    calc a * Z * Y + T * Y = c * X * Y := by rw [top]; nat_ring
      _ = c * Y * X := by nat_ring
      _ ≤ (b * Z + T₂) * X := Nat.mul_le_mul_right X two
      _ = b * X * Z + T₂ * X := by nat_ring
      _ ≤ (a * Y + T₁) * Z + T₂ * X := Nat.add_le_add_right (Nat.mul_le_mul_right Z one) _
      _ = a * Z * Y + (T₁ * Z + T₂ * X) := by nat_ring
  calc T * (X * Y * (Y * Z)) = T * Y * (X * Y * Z) := by nat_ring
    _ ≤ (T₁ * Z + T₂ * X) * (X * Y * Z) := Nat.mul_le_mul_right _ key
    _ = (T₁ * (Y * Z) + T₂ * (X * Y)) * (X * Z) := by nat_ring

/-- Attained: half of the mass moves, and then the other half. -/
theorem tv_triangle_sharp : tv (pairUp [2, 0] [0, 2]) = ⟨4, 4⟩ ∧ tv (pairUp [2, 0] [1, 1]) = ⟨2, 4⟩ ∧ tv (pairUp [1, 1] [0, 2]) = ⟨2, 4⟩ :=
  ⟨rfl, rfl, rfl⟩
end Gnosis

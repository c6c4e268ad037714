prelude
import Gnosis.EnergyMarginBridgeAdmissibility
import Gnosis.Foundation.Entry
import Gnosis.Foundation.Lists
/-! # Vectors: sums, differences, and the triangle inequality for energies -/
open List
namespace Gnosis

/-- A scalar product with a sum of two vectors of the same length. -/
theorem dot_addEntries {r t : List Int} (hl : r.length = t.length) (a : List Int) :
    dot (addEntries r t) a = dot r a + dot t a := by
  induction r generalizing t a with
  | nil => cases t with
    | nil => rfl
    | cons _ _ => exact nomatch hl
  | cons x r ih => cases t with
    | nil => exact nomatch hl
    | cons y t => cases a with
      | nil => rfl
      | cons b a =>
        show (x + y) * b + dot (addEntries r t) a = x * b + dot r a + (y * b + dot t a)
        rw [ih (Nat.add_right_cancel hl)]
        generalize dot r a = D, dot t a = D'
        ring

/-- The difference of two vectors, entry by entry; entries without a partner are dropped. -/
def subEntries : List Int → List Int → List Int
  | x :: xs, y :: ys => (x - y) :: subEntries xs ys
  | _, _ => []

/-- The sum of vectors of dimension `m`. -/
def sumVectors (m : Nat) : List (List Int) → List Int
  | [] => replicate m 0
  | v :: vs => addEntries v (sumVectors m vs)

/-- A constant list of `n` entries has length `n`. -/
theorem length_replicate (n : Nat) (x : Int) : (replicate n x).length = n := by
  induction n with
  | zero => rfl
  | succ n ih => exact congrArg Nat.succ ih

/-- A difference of two vectors is as long as they are. -/
theorem length_subEntries {x y : List Int} (h : x.length = y.length) : (subEntries x y).length = x.length := by
  induction x generalizing y with
  | nil => rfl
  | cons a x ih => cases y with
    | nil => exact nomatch h
    | cons b y => exact congrArg Nat.succ (ih (Nat.add_right_cancel h))

/-- The zero vector has energy 0. -/
theorem energy_replicate_zero (n : Nat) : energy (replicate n 0) = 0 := by
  induction n with
  | zero => rfl
  | succ n ih => show 0 * 0 + energy (replicate n 0) = 0; rw [ih]; rfl

/-- A vector is at distance 0 from itself. -/
theorem energy_subEntries_self (x : List Int) : energy (subEntries x x) = 0 := by
  induction x with
  | nil => rfl
  | cons a x ih => show (a - a) * (a - a) + energy (subEntries x x) = 0; rw [ih]; ring

/-- Adding the zero vector changes nothing. -/
theorem addEntries_zero (u : List Int) : addEntries u (replicate u.length 0) = u := by
  induction u with
  | nil => rfl
  | cons a u ih => show (a + 0) :: _ = _; rw [Int.add_zero, ih]

/-- `(u + v) - w = (u - w) + v`. -/
theorem subEntries_addEntries {u v w : List Int} (huv : u.length = v.length) (hw : w.length = u.length) :
    subEntries (addEntries u v) w = addEntries (subEntries u w) v := by
  induction u generalizing v w with
  | nil => cases v with
    | nil => rfl
    | cons b v => exact nomatch huv
  | cons a u ih => cases v with
    | nil => exact nomatch huv
    | cons b v => cases w with
      | nil => exact nomatch hw
      | cons c w =>
        show (a + b - c) :: subEntries (addEntries u v) w = (a - c + b) :: addEntries (subEntries u w) v
        rw [ih (Nat.add_right_cancel huv) (Nat.add_right_cancel hw)]
        have e : a + b - c = a - c + b := by ring
        rw [e]

/-- `energy (u + v) = energy u + 2·dot u v + energy v`. -/
theorem energy_addEntries {u v : List Int} (h : u.length = v.length) :
    energy (addEntries u v) = energy u + 2 * dot u v + energy v := by
  show dot (addEntries u v) (addEntries u v) = _
  rw [dot_addEntries h, dot_comm u, dot_comm v, dot_addEntries h, dot_addEntries h, dot_comm v u]
  show energy u + dot u v + (dot u v + energy v) = _
  ring

/-- The triangle inequality without a root: if `C·energy u ≤ α²` and `C·energy v ≤ β²`, then
`C·energy (u + v) ≤ (α + β)²`. -/
theorem energy_add_le {u v : List Int} {C α β : Int} (h : u.length = v.length) (hC : 0 ≤ C) (hα : 0 ≤ α) (hβ : 0 ≤ β)
    (hu : C * energy u ≤ α * α) (hv : C * energy v ≤ β * β) :
    C * energy (addEntries u v) ≤ (α + β) * (α + β) := by
  have cs := dot_sq_le u v
  have sq : (C * dot u v) * (C * dot u v) ≤ (α * β) * (α * β) := by
    have e₁ := Int.mul_le_mul_of_nonneg_left cs (Int.mul_nonneg hC hC)
    have e₂ := Int.mul_le_mul hu hv (Int.mul_nonneg hC (energy_nonneg v)) (Int.mul_nonneg hα hα)
    generalize energy u = a, energy v = b, dot u v = c at *
    lin [e₁, e₂]
  have cross := (Int.abs_le_of_sq_le_sq sq (Int.mul_nonneg hα hβ)).2
  rw [energy_addEntries h]
  generalize energy u = a, energy v = b, dot u v = c at *
  lin [hu, hv, cross, cross]

end Gnosis

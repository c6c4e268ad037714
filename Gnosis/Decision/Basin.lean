prelude
import Gnosis.Decision.Sum
/-! # The basin gate: decisions

A sampler follows a path step by step.  Masked (coarse) steps displace it from the exact path.  As long as the
displacement stays below the distance `R` of the exact path from the separatrix, the path ends in the same basin.

All quantities are integers on one common scale: displacements `δ`, their bounds `d` (a bound on the length of a
vector, so `d²` bounds its energy) and the radius `R`.  Lipschitz factors are rationals `p / q`, given as lists of
numerators `ps` and denominators `qs`, one for each step.  This module holds no proofs; the theorems are in
`Gnosis.BasinSeparatrixAdmissibility`, `Gnosis.BasinFlowAdmissibility` and, for flows that are rounded to a grid,
`Gnosis.BasinFlowController`. -/
namespace Gnosis

/-- The sum of the absolute values. -/
def sumAbs : List Int → Int
  | [] => 0
  | x :: l => Int.ofNat x.natAbs + sumAbs l

/-- The basin gate for scalar displacements `δ` that add up: `Σ |δ_t| < R`. -/
def basinAdmit (δ : List Int) (R : Int) : Bool := decide (sumAbs δ < R)

/-- The basin gate for vector displacements that add up, from bounds `d` on their lengths: none is negative and
`Σ d_t < R`. -/
def basinVectorAdmit (d : List Int) (R : Int) : Bool := d.all (fun x => decide (0 ≤ x)) && decide (sum d < R)

/-- The controller for displacements that add up, `spent` being what the steps so far may have displaced the path by:
`true` for a step that is masked, `false` for one that is recomputed exactly because masking it would reach `R`
(or because its bound is negative, hence no bound). -/
def basinControl (R spent : Int) : List Int → List Bool
  | [] => []
  | d :: ds =>
    if 0 ≤ d ∧ spent + d < R then true :: basinControl R (spent + d) ds
    else false :: basinControl R spent ds

/-- The flow gate from the bound `N / D` on: each step multiplies the bound by its Lipschitz factor `p / q` and adds
its own `d`, so `N / D` becomes `(p·N + d·q·D) / (q·D)`; at the end `N / D < R`.  Refuses lists of different lengths
and factors or bounds out of range. -/
def flowAdmitFrom (R N D : Int) : List Int → List Int → List Int → Bool
  | [], [], [] => decide (N < R * D)
  | p :: ps, q :: qs, d :: ds =>
    decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ d) && flowAdmitFrom R (p * N + d * q * D) (q * D) ps qs ds
  | _, _, _ => false

/-- The flow gate for the end of the path: `Σ_t (∏_{s>t} p_s/q_s) · d_t < R`. -/
def basinFlowAdmit (ps qs ds : List Int) (R : Int) : Bool := flowAdmitFrom R 0 1 ps qs ds

/-- `flowAdmitFrom` with `N / D < R` at every step, not only at the end. -/
def flowPathAdmitFrom (R N D : Int) : List Int → List Int → List Int → Bool
  | [], [], [] => decide (N < R * D)
  | p :: ps, q :: qs, d :: ds =>
    decide (N < R * D) && (decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ d)
      && flowPathAdmitFrom R (p * N + d * q * D) (q * D) ps qs ds)
  | _, _, _ => false

/-- The flow gate for the whole path: every beginning of it passes the gate. -/
def basinFlowPathAdmit (ps qs ds : List Int) (R : Int) : Bool := flowPathAdmitFrom R 0 1 ps qs ds

/-- From the bound `N / D` on, if all further steps are exact, the bound stays below `R` at every step. -/
def flowSurvives (R N D : Int) : List Int → List Int → Bool
  | [], [] => decide (N < R * D)
  | p :: ps, q :: qs => decide (N < R * D) && (decide (0 ≤ p ∧ 0 < q) && flowSurvives R (p * N) (q * D) ps qs)
  | _, _ => false

/-- The controller for a flow with known Lipschitz factors: a step is masked (`true`) when afterwards the rest of
the path, computed exactly, stays within `R`; otherwise it is recomputed exactly (`false`).  It looks ahead, because
a flow that expands magnifies a displacement even if no other is added. -/
def flowControl (R N D : Int) : List Int → List Int → List Int → List Bool
  | p :: ps, q :: qs, d :: ds =>
    if 0 ≤ d ∧ flowSurvives R (p * N + d * q * D) (q * D) ps qs = true then
      true :: flowControl R (p * N + d * q * D) (q * D) ps qs ds
    else false :: flowControl R (p * N) (q * D) ps qs ds
  | _, _, _ => []

/-- The controller from the start of the path. -/
def basinFlowControl (ps qs ds : List Int) (R : Int) : List Bool := flowControl R 0 1 ps qs ds

/-- One step of the bound `N / D`, by a map with the factor `p / q` and the rounding bound `r` and a displacement of at most
`d`, as a numerator over `q·D`.  A displacement of 0 is not magnified and not rounded. -/
def roundedStep (N D p q r d : Int) : Int := if N = 0 then d * q * D else p * N + (r + d) * q * D

/-- From the bound `N / D` on the bound stays below `R` at every step, the steps being displaced by `ds`. -/
def roundedPathAdmitFrom (R N D : Int) : List Int → List Int → List Int → List Int → Bool
  | [], [], [], [] => decide (N < R * D)
  | p :: ps, q :: qs, r :: rs, d :: ds =>
    decide (N < R * D) && (decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ r ∧ 0 ≤ d)
      && roundedPathAdmitFrom R (roundedStep N D p q r d) (q * D) ps qs rs ds)
  | _, _, _, _ => false

/-- The gate for a rounded flow: every beginning of the path passes. -/
def basinFlowRoundedAdmit (ps qs rs ds : List Int) (R : Int) : Bool := roundedPathAdmitFrom R 0 1 ps qs rs ds

/-- From the bound `N / D` on, if all further steps are exact, the bound stays below `R` at every step. -/
def roundedSurvives (R N D : Int) : List Int → List Int → List Int → Bool
  | [], [], [] => decide (N < R * D)
  | p :: ps, q :: qs, r :: rs => decide (N < R * D) && (decide (0 ≤ p ∧ 0 < q ∧ 0 ≤ r)
      && roundedSurvives R (roundedStep N D p q r 0) (q * D) ps qs rs)
  | _, _, _ => false

/-- The controller from the bound `N / D` on: a step is masked (`true`) when afterwards the rest of the path, computed
exactly, stays within `R`; otherwise it is recomputed exactly (`false`). -/
def roundedControl (R N D : Int) : List Int → List Int → List Int → List Int → List Bool
  | p :: ps, q :: qs, r :: rs, d :: ds =>
    if 0 ≤ d ∧ roundedSurvives R (roundedStep N D p q r d) (q * D) ps qs rs = true then
      true :: roundedControl R (roundedStep N D p q r d) (q * D) ps qs rs ds
    else false :: roundedControl R (roundedStep N D p q r 0) (q * D) ps qs rs ds
  | _, _, _, _ => []

/-- The controller from the start of the path. -/
def basinFlowRoundedControl (ps qs rs ds : List Int) (R : Int) : List Bool := roundedControl R 0 1 ps qs rs ds

end Gnosis

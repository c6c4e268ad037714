prelude
import Gnosis.Core.IntData
import Gnosis.Core.ListData
/-! # The energy gate: decisions

When may a coarse code stand in for the exact weights?  A residual `τ` (exact minus coarse weights) moves the
scalar product with an activation `a` by `dot τ a`.  A gate compares a bound on that shift with a margin `γ`: it
admits only when `2·|dot τ a| ≤ γ`, so that two such shifts cannot use up a margin of `γ`.

All quantities are integers on one common dyadic scale: if weights are counted in units of `2^s` and activations in
units of `2^t`, then `γ` is counted in units of `2^(s+t)`, energies of weights in `2^(2s)`, of activations in
`2^(2t)`.  This module holds no proofs; the theorems are in `Gnosis.EnergyMarginBridgeAdmissibility`. -/
namespace Gnosis

/-- The scalar product of two integer vectors; entries without a partner count as zero. -/
def dot : List Int → List Int → Int
  | t :: ts, a :: as => t * a + dot ts as
  | _, _ => 0

/-- The energy of a vector: the sum of its squared entries. -/
def energy (v : List Int) : Int := dot v v

/-- The energy gate with the whole residual `τ` at hand: both vectors have the same length, the margin `γ` is not
negative, and `4 · energy τ · energy a ≤ γ²`. -/
def energyAdmit (τ a : List Int) (γ : Int) : Bool :=
  Nat.beq τ.length a.length && (decide (0 ≤ γ) && decide (4 * energy τ * energy a ≤ γ * γ))

/-- The energy gate as it runs when the residual is not present: `E` is an upper bound on the energy of the residual
(the sidecar stored beside the code), `A` an upper bound on the energy of the activation, `γ` the margin.
Admits when none is negative and `4·E·A ≤ γ²`. -/
def energySidecarAdmit (E A γ : Int) : Bool :=
  decide (0 ≤ E) && (decide (0 ≤ A) && (decide (0 ≤ γ) && decide (4 * E * A ≤ γ * γ)))

/-- The sidecar gate with a strict comparison, `4·E·A < γ²`. -/
def energySidecarAdmitStrict (E A γ : Int) : Bool :=
  decide (0 ≤ E) && (decide (0 ≤ A) && (decide (0 ≤ γ) && decide (4 * E * A < γ * γ)))

/-- The energy gate by blocks: `e` holds for each block an upper bound on the root of the residual's energy, `α` on
the root of the activation's energy.  Admits when the lists have the same length, no entry and not the margin `γ`
is negative, and `2 · dot e α ≤ γ`. -/
def energyBlockedAdmit (e α : List Int) (γ : Int) : Bool :=
  Nat.beq e.length α.length && (e.all (fun x => decide (0 ≤ x)) && (α.all (fun x => decide (0 ≤ x)) &&
    (decide (0 ≤ γ) && decide (2 * dot e α ≤ γ))))

/-- The energy of the coordinates of `a` that are not treated exactly: those whose mask is `false`, and those
without a mask. -/
def energyOutside : List Int → List Bool → Int
  | [], _ => 0
  | x :: a, [] => x * x + energyOutside a []
  | x :: a, s :: S => (bif s then 0 else x * x) + energyOutside a S

/-- The sidecar gate when the products at the coordinates of the mask `S` are computed exactly: only the energy of
the activation outside `S` needs the bound.  The mask must have one entry for each coordinate. -/
def energySplitAdmit (E : Int) (a : List Int) (S : List Bool) (γ : Int) : Bool :=
  Nat.beq a.length S.length && energySidecarAdmit E (energyOutside a S) γ

end Gnosis

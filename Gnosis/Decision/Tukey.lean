prelude
import Gnosis.Core.IntData
/-! Decisions of the Tukey bisquare gate: a bowl of half-width `c = γ/2` around zero, kept in doubled integers so that
`γ` may be odd.  No proofs here: the theorems are in `Gnosis.TukeyBisquareGate`.

Residual `r` and margin `γ` are integers in one common unit.  The usual bisquare weight `(1 - (r/c)²)²` is the integer
weight below divided by `γ⁴`. -/
namespace Gnosis

/-- The residual `r` lies in the bowl of a margin `γ` that is not negative: `2·|r| ≤ γ`. -/
def tukeyAdmit (r γ : Int) : Bool := decide (0 ≤ γ) && (decide (-γ ≤ 2 * r) && decide (2 * r ≤ γ))

/-- The bisquare weight of the residual `r`, in units of `1/γ⁴`: `(γ² - 4·r²)²` in the bowl, 0 outside. -/
def tukeyWeight (r γ : Int) : Int :=
  bif tukeyAdmit r γ then (γ * γ - 4 * r * r) * (γ * γ - 4 * r * r) else 0

end Gnosis

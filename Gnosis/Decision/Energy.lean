prelude
import Gnosis.Core.List
import Gnosis.Core.IntDiv
/-! Decisions of the energy gate.  No proofs here: the theorems are in
`Gnosis.EnergyMarginBridgeAdmissibility`. -/
namespace Gnosis

/-- The scalar product of two integer vectors; entries without a partner count as zero. -/
def dot : List Int → List Int → Int
  | t :: ts, a :: as => t * a + dot ts as
  | _, _ => 0

/-- The energy of a vector: the sum of its squared entries. -/
def energy (v : List Int) : Int := dot v v

end Gnosis

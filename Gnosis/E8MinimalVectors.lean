prelude
import Gnosis.LatticeDecoders
/-! # The 240 minimal vectors of `E₈`

A check of the decision `isE8` against the literature, by enumeration in the kernel. -/
open List
namespace Gnosis

/-- Vectors of `n` entries out of `vs` whose squares add up to `e`. -/
def vectorsOfEnergy (vs : List Int) : Nat → Int → List (List Int)
  | 0, e => if e = 0 then [[]] else []
  | n + 1, e => if e < 0 then [] else
      flatMap (fun v => map (fun w => v :: w) (vectorsOfEnergy vs n (e - v * v))) vs

/-- A check of the decision `isE8` against the literature: of the vectors of squared length 2 (in units of 1/2: 8)
it accepts 112 with even and 128 with odd coordinates, the 240 minimal vectors of `E₈`. -/
theorem e8_minimal_vectors :
    countP isE8 (vectorsOfEnergy [-2, 0, 2] 8 8) = 112 ∧ countP isE8 (vectorsOfEnergy [-1, 1] 8 8) = 128 := by
  decide +kernel
end Gnosis

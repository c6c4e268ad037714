prelude
import Gnosis.LatticeDecoders
import Gnosis.LeechTurboStrideCert
import Gnosis.Foundation.Subsets
/-! # Lattice decoders: what is false -/
open List
namespace Gnosis.Falsifiers

/-- Rounding alone does not stay in `D₈`: one coordinate rounds up, the sum is odd. -/
theorem rounding_leaves_d8 : isD8 (cubicDecode 10 [6, 0, 0, 0, 0, 0, 0, 0]) = false := rfl

/-- The parity may not be repaired at any coordinate: flipping the first one gives a point of `D₈`, but not a
nearest one. -/
theorem flip_first_coordinate :
    isD8 [1, 1, 0, 0, 0, 0, 0, 0] = true
    ∧ sqDist 10 [1, 6, 0, 0, 0, 0, 0, 0] (d8Decode 10 [1, 6, 0, 0, 0, 0, 0, 0])
        < sqDist 10 [1, 6, 0, 0, 0, 0, 0, 0] [1, 1, 0, 0, 0, 0, 0, 0] := by decide

/-- One coset is not enough for `E₈`: half an integer in every coordinate is a point of `E₈`, at squared distance 8
(in units of 1/2) from the nearest point of `D₈`. -/
theorem d8_is_not_e8 :
    isE8 [1, 1, 1, 1, 1, 1, 1, 1] = true ∧ sqDist 1 [1, 1, 1, 1, 1, 1, 1, 1] (e8Decode 1 [1, 1, 1, 1, 1, 1, 1, 1]) = 0
    ∧ sqDist 2 [1, 1, 1, 1, 1, 1, 1, 1] (d8Decode 2 [1, 1, 1, 1, 1, 1, 1, 1]) = 8 := ⟨rfl, rfl, rfl⟩

/-- The scale must be positive: with scale 0 there is no nearest point, and the decoders return no lattice point. -/
theorem scale_zero :
    isD8 (d8Decode 0 [1, 6, 0, 0, 0, 0, 0, 0]) = false ∧ isE8 (e8Decode 0 [1, 6, 0, 0, 0, 0, 0, 0]) = false :=
  ⟨rfl, rfl⟩

/-- A stride with a common divisor misses positions: stride 10 never visits position 1 of 24. -/
theorem stride10_misses : countP (fun i => decide (strideStep 10 24 i = 1)) (positions 24) = 0 := by decide +kernel

/-- Rounding down is not nearest: 6/10 is nearer to 1 than to 0. -/
theorem round_down : sqDist 10 [6] (cubicDecode 10 [6]) < sqDist 10 [6] [0] := by decide

/-- The gain of `E₈` over the cubic lattice is 14.0 percent to three digits, but below 14 percent: `151/1080 < 14/100`
(arithmetic). -/
theorem gain_is_below_14_percent : 151 * 100 < 14 * 1080 := by decide

/-- Without the rule that the number of minus signs is even there would be 2⁸ vectors for each octad, and the sum
would not be 196560 (arithmetic). -/
theorem leech_without_even_signs : 2 ^ 8 * 759 + 4 * choose 24 2 + 2 ^ 12 * 24 ≠ 196560 := by decide +kernel
end Gnosis.Falsifiers

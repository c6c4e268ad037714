prelude
import Gnosis.Decision.Sum
/-! # Lattice decoders

The nearest point of the cubic lattice `ℤⁿ`, of `Dₙ` (integer points with even sum) and of `Dₙ⁺`, which is `E₈` for
`n = 8`, after Conway and Sloane ("Fast quantizing and decoding algorithms for lattice quantizers and codes", IEEE
Transactions on Information Theory 28, 1982): round every coordinate; where the sum must be even and is not, round
the coordinate with the largest error the other way; of two cosets take the better one.

An input is a list `xs` of integers with a scale: for `ℤⁿ` and `Dₙ` it stands for the point `xs / m`, and the result
is in units of 1; for `Dₙ⁺` it stands for `xs / (2h)`, and the result is in units of 1/2.  Ties: a coordinate in the
middle rounds up; of several coordinates with the largest error the first is rounded the other way; of two equally
near cosets the integer one is taken.

No proofs here: the theorems are in `Gnosis.LatticeDecoders`.  No gate relies on nearness; a gate uses the residual
energy `sqDist`, recomputed exactly. -/
namespace Gnosis

/-- `m²` times the squared distance of the point `xs / m` from the integer point `zs`, that is, the energy of the
residual `xs - m·zs`; coordinates without a partner are dropped. -/
def sqDist (m : Int) : List Int → List Int → Int
  | x :: xs, z :: zs => (x - m * z) * (x - m * z) + sqDist m xs zs
  | _, _ => 0

/-- The integer nearest to `x / m`, for `m > 0`; upwards from the middle. -/
def nearestInt (m x : Int) : Int := (2 * x + m) / (2 * m)

/-- `m` times the signed rounding error of `x / m`. -/
def roundError (m x : Int) : Int := x - m * nearestInt m x

/-- `m` times the absolute rounding error of `x / m`. -/
def roundDeviation (m x : Int) : Int := if 0 ≤ roundError m x then roundError m x else -roundError m x

/-- The second nearest integer to `x / m`: rounding the other way. -/
def secondNearest (m x : Int) : Int := if 0 ≤ roundError m x then nearestInt m x + 1 else nearestInt m x - 1

/-- The larger of two integers. -/
def larger (a b : Int) : Int := if a ≤ b then b else a

/-- `m` times the largest absolute rounding error of a coordinate. -/
def worstDeviation (m : Int) : List Int → Int
  | [] => 0
  | x :: xs => larger (roundDeviation m x) (worstDeviation m xs)

/-- Round every coordinate, but the first one whose absolute error is `e` the other way. -/
def roundButOne (m e : Int) : List Int → List Int
  | [] => []
  | x :: xs => if roundDeviation m x = e then secondNearest m x :: xs.map (nearestInt m)
      else nearestInt m x :: roundButOne m e xs

/-- The decoder of the cubic lattice `ℤⁿ`: round every coordinate of `xs / m`. -/
def cubicDecode (m : Int) (xs : List Int) : List Int := xs.map (nearestInt m)

/-- The decoder of `Dₙ`, for any number of coordinates: round every coordinate of `xs / m`; if the sum is odd, round
the coordinate with the largest error the other way. -/
def dnDecode (m : Int) (xs : List Int) : List Int :=
  bif (sum (cubicDecode m xs)).isEven then cubicDecode m xs else roundButOne m (worstDeviation m xs) xs

/-- The decoder of `Dₙ⁺`, for any number of coordinates: of the points of `Dₙ` and of `Dₙ + (½, …, ½)` nearest to
`xs / (2h)` the nearer one, in units of 1/2. -/
def dnPlusDecode (h : Int) (xs : List Int) : List Int :=
  let a := (dnDecode (2 * h) xs).map (fun z => 2 * z)
  let b := (dnDecode (2 * h) (xs.map (fun x => x - h))).map (fun z => 2 * z + 1)
  if sqDist h xs a ≤ sqDist h xs b then a else b

/-- Decide whether a list of integers is a point of `D₈`: eight coordinates with even sum. -/
def isD8 (zs : List Int) : Bool := Nat.beq zs.length 8 && (sum zs).isEven

/-- Decide whether a list of integers, in units of 1/2, is a point of `E₈`: eight coordinates, all even or all odd,
and half their sum (then an integer) even. -/
def isE8 (ws : List Int) : Bool :=
  Nat.beq ws.length 8 && ((ws.all Int.isEven || ws.all (fun w => !Int.isEven w)) && (sum ws / 2).isEven)

/-- The decoder of `D₈`: `dnDecode` for eight coordinates and `m > 0`; the empty list, which is no point of `D₈`,
for any other input. -/
def d8Decode (m : Int) (xs : List Int) : List Int :=
  bif decide (0 < m) && Nat.beq xs.length 8 then dnDecode m xs else []

/-- The decoder of `E₈`: `dnPlusDecode` for eight coordinates and `h > 0`, the input in units of `1/(2h)`, the
result in units of 1/2; the empty list, which is no point of `E₈`, for any other input. -/
def e8Decode (h : Int) (xs : List Int) : List Int :=
  bif decide (0 < h) && Nat.beq xs.length 8 then dnPlusDecode h xs else []

end Gnosis

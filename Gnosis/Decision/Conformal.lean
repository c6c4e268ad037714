prelude
import Gnosis.Core.IntData
import Gnosis.Core.ListData
import Gnosis.Decision.Lattice
/-! # The conformal gate: decisions

At serve time the residual of a coarse code is not known.  What is known are the residuals of `n` calibration
runs, the *scores*.  For a level `q = num / den` the gate takes the `k`-th smallest score with
`k = ⌈(n + 1)·q⌉` as threshold and admits when twice the threshold fits into the margin `γ`.

Scores are integers on one common dyadic scale, `γ` is counted in the same unit.  This module holds no proofs; the
theorems are in `Gnosis.ConformalCoverageAdmissibility` (counting) and `Gnosis.ConformalCoverageProbability`
(shares of all orders). -/
namespace Gnosis

/-- The rank of `x` among the scores `s`: how many of them lie strictly below `x`. -/
def rankLt (s : List Int) (x : Int) : Nat := s.countP (fun y => decide (y < x))

/-- The threshold of rank `k` taken from the calibration scores `rest` *lies* about the new score `x`: at least `k`
calibration scores are strictly below `x`, that is, `x` exceeds the `k`-th smallest of them. -/
def lies (k : Nat) (x : Int) (rest : List Int) : Bool := decide (k ≤ rankLt rest x)

/-- `lies` for an order of all scores: the head is the new score, the tail are the calibration scores. -/
def liesOrder (k : Nat) : List Int → Bool
  | [] => false
  | x :: rest => lies k x rest

/-- The conformal rank of level `num / den` for `n` calibration scores: `⌈(n + 1)·num / den⌉`, in integers.
A level with denominator 0 gets rank 0, for which there is no threshold. -/
def conformalRank (n num den : Nat) : Nat := ((n + 1) * num + (den - 1)) / den

/-- Insert `x` into an ascending list. -/
def insertUp (x : Int) : List Int → List Int
  | [] => [x]
  | y :: l => if x ≤ y then x :: y :: l else y :: insertUp x l

/-- The list in ascending order. -/
def sortUp : List Int → List Int
  | [] => []
  | x :: l => insertUp x (sortUp l)

/-- The entry at position `i`, counted from 0; `none` past the end. -/
def entryAt : List Int → Nat → Option Int
  | [], _ => none
  | x :: _, 0 => some x
  | _ :: l, i + 1 => entryAt l i

/-- The `k`-th smallest entry, counted from 1; `none` for `k = 0` and for `k` above the number of entries. -/
def kthSmallest : Nat → List Int → Option Int
  | 0, _ => none
  | k + 1, s => entryAt (sortUp s) k

/-- The conformal threshold of level `num / den`: the `conformalRank`-th smallest score.  `none` stands for `+∞`
(too few scores for the level) and for a level that is 0, above 1 or without a denominator. -/
def conformalThreshold (scores : List Int) (num den : Nat) : Option Int :=
  kthSmallest (conformalRank scores.length num den) scores

/-- The conformal gate: there is a finite threshold `t` of level `num / den`, the margin `γ` is not negative, and
`2·t ≤ γ`.  Without a finite threshold nothing is admitted. -/
def conformalAdmit (scores : List Int) (num den : Nat) (γ : Int) : Bool :=
  match conformalThreshold scores num den with
  | none => false
  | some t => decide (0 ≤ γ) && decide (2 * t ≤ γ)

/-- How many members of the pool lie strictly above every score of the sample `S`. -/
def poolAbove (pool S : List Int) : Nat := pool.countP (fun x => S.all (fun y => decide (y < x)))

/-! ## Several layers -/

/-- The largest score of a unit over its layers, each in units of its margin: `max (0, c_ℓ·s_ℓ)`, with cofactors `c_ℓ` such that
`c_ℓ·γ_ℓ` is the same for all layers. -/
def layersMax : List Int → List Int → Int
  | c :: cs, s :: ss => larger (c * s) (layersMax cs ss)
  | _, _ => 0

/-- Positive cofactors that take every margin to the common multiple `P`, one for each. -/
def cofactors (P : Int) : List Int → List Int → Bool
  | [], [] => true
  | c :: cs, γ :: γs => decide (0 < c) && (decide (c * γ = P) && cofactors P cs γs)
  | _, _ => false

/-- In some layer twice the score exceeds the margin. -/
def layersFail : List Int → List Int → Bool
  | γ :: γs, s :: ss => decide (γ < 2 * s) || layersFail γs ss
  | _, _ => false

/-- The conformal gate for several layers with margins `γ` at once: the cofactors `c` take them to `P`, and `P` is admitted on the largest
scores of the calibration units, each unit a score for every layer. -/
def layersMaxAdmit (units : List (List Int)) (c γ : List Int) (P : Int) (num den : Nat) : Bool :=
  cofactors P c γ && conformalAdmit (units.map (layersMax c)) num den P

end Gnosis

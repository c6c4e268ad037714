prelude
import Gnosis.Decision.Jit
import Gnosis.Decision.Search
/-! # Serving rows from bounds: decisions

Scores `z` with bounds `ε` come from any coarse pass.  Their candidates are recomputed, first with intervals `y ± err`, then, as far
as these leave the matter open, exactly.  `headServed` is the row that is served, `headTopK` the `k` first ones.  All scores and
bounds are integers in one unit.  This module holds no proofs; the theorems are in `Gnosis.HeadServing`. -/
namespace Gnosis
open List

/-- The row that is served: candidates of the coarse scores, then candidates of the intervals around their products, then the
exact products of what is left, lowest index on ties.  `y` and `err` have an entry for each candidate, in their order; of
`exact` only the entries of the last candidates are read. -/
def headServed (z ε y err exact : List Int) : Nat :=
  positionAt (candidates z ε) (servedArgmax y ((candidates z ε).map (entry exact)) err)

/-- Of the rows `js` those that can be among the `k` first: fewer than `k` rows of `js` have a lower end above its upper end.  In
other words, its upper end reaches the `k`-th largest lower end. -/
def topCandidates (k : Nat) (z ε : List Int) (js : List Nat) : List Nat :=
  accepted (fun j => decide (countP (fun i => decide (entry z j + entry ε j < entry z i - entry ε i)) js < k)) js

/-- The `k` first of the rows `js`, in descending order of their scores, lowest index first on ties; all of them if there are
fewer. -/
def topAmong (z : List Int) : Nat → List Nat → List Nat
  | 0, _ => []
  | _ + 1, [] => []
  | k + 1, j :: js => argmaxAmong z j js :: topAmong z k (accepted (fun i => !Nat.beq i (argmaxAmong z j js)) (j :: js))

/-- The `k` rows that are served: candidates of the coarse scores, of these the candidates of the recomputed intervals, of these
the first by their exact scores.  Of `y`, `err` and `exact` only the entries of candidates are read. -/
def headTopK (k : Nat) (z ε y err exact : List Int) : List Nat :=
  topAmong exact k (topCandidates k y err (topCandidates k z ε (indices 0 z)))

end Gnosis

prelude
import Gnosis.Core.ListData
/-! # The served output: decisions

What does compression do to the distribution that is served?  A step is a list of pairs `(w, w')`, one for each token of
the vocabulary: `w` its weight before compression and `w'` after, whole numbers on any scale.  The served probabilities
are `w/S` and `w'/S'`, with `S` and `S'` the totals.  Their distance is the total variation, the largest change of the
probability of any event.

Bounds on the ratios of weights are fractions `P/Q ≥ 1`; with `P/Q = e^ε` the ratio bound says that no logit moves by
more than `ε`.  The caller rounds `P/Q` up.  A decision refuses whenever its parameters make no sense.

This module holds no proofs; the theorems are in `Gnosis.ServedOutputLaw`, `Gnosis.ServedHellinger` and
`Gnosis.RequestTail`. -/
namespace Gnosis

/-! ## Total variation -/

/-- The total weight before. -/
def leftMass : List (Nat × Nat) → Nat
  | [] => 0
  | (w, _) :: ps => w + leftMass ps
/-- The total weight after. -/
def rightMass : List (Nat × Nat) → Nat
  | [] => 0
  | (_, w') :: ps => w' + rightMass ps
/-- The sum of the positive parts of `w'·S − w·S'`. -/
def excess (S S' : Nat) : List (Nat × Nat) → Nat
  | [] => 0
  | (w, w') :: ps => (w' * S - w * S') + excess S S' ps
/-- The total variation distance of the two distributions, times `S·S'`. -/
def tvNum (ps : List (Nat × Nat)) : Nat := excess (leftMass ps) (rightMass ps) ps

/-- The total variation distance rounded up to the grid `0 … G`: `⌈G·TV⌉` units. -/
def gridLoss (G : Nat) (ps : List (Nat × Nat)) : Nat :=
  (G * tvNum ps + (leftMass ps * rightMass ps - 1)) / (leftMass ps * rightMass ps)

/-! ## Ratio bounds -/

/-- Does every weight change by a ratio in `[Q/P, P/Q]`, up to the common factor `a/b`?  In whole numbers
`Q·b·w' ≤ P·a·w` and `Q·a·w ≤ P·b·w'` for each pair; refused if there is no weight at all. -/
def ratioAdmit (P Q a b : Nat) (ps : List (Nat × Nat)) : Bool :=
  Nat.ble 1 Q && (Nat.ble Q P && (Nat.ble 1 a && (Nat.ble 1 b && (Nat.ble 1 (leftMass ps) &&
    ps.all fun x => Nat.ble (Q * b * x.2) (P * a * x.1) && Nat.ble (Q * a * x.1) (P * b * x.2)))))

/-- Do all ratios `w'/w` lie in `[c/e, f/g]`, an interval whose ends have the ratio `(P/Q)²` at most?  This is the spread
of the logit changes: `log (f/g) − log (c/e) ≤ 2·log (P/Q)`. -/
def spreadAdmit (P Q c e f g : Nat) (ps : List (Nat × Nat)) : Bool :=
  Nat.ble 1 Q && (Nat.ble Q P && (Nat.ble 1 c && (Nat.ble 1 g && (Nat.ble 1 (leftMass ps) &&
    (Nat.ble (Q * Q * (f * e)) (P * P * (c * g)) &&
      ps.all fun x => Nat.ble (c * x.1) (e * x.2) && Nat.ble (g * x.2) (f * x.1))))))

/-- Is the ratio bound `P/Q` tight enough for the service level `τ = n/d`?  `P·(d − n) ≤ Q·(d + n)`, which is
`P/Q ≤ (1 + τ)/(1 − τ)`; with `P/Q = e^ε` it is `ε ≤ 2·atanh τ`. -/
def servedAdmit (P Q n d : Nat) : Bool :=
  Nat.ble 1 Q && (Nat.ble Q P && (Nat.ble 1 d && Nat.ble (P * (d - n)) (Q * (d + n))))

/-! ## Bhattacharyya coefficient -/

/-- The sum of a list. -/
def total : List Nat → Nat
  | [] => 0
  | s :: rest => s + total rest

/-- Is `s` a list of lower bounds for `√(S·S'·w·w')`, one for each pair: `s² ≤ (w·S')·(w'·S)`? -/
def rootsOk (S S' : Nat) : List (Nat × Nat) → List Nat → Bool
  | [], [] => true
  | (w, w') :: ps, s :: rest => Nat.ble (s * s) (w * S' * (w' * S)) && rootsOk S S' ps rest
  | _, _ => false

/-- Do the roots `s` show that the total variation is at most `n/d`?  The Bhattacharyya coefficient is at least
`Σ s / (S·S')`, so this asks for `1 − (Σ s / (S·S'))² ≤ (n/d)²`. -/
def hellingerAdmit (ps : List (Nat × Nat)) (s : List Nat) (n d : Nat) : Bool :=
  Nat.ble 1 d && (Nat.ble 1 (leftMass ps) && (Nat.ble 1 (rightMass ps) &&
    (rootsOk (leftMass ps) (rightMass ps) ps s &&
      Nat.ble ((leftMass ps * rightMass ps * (leftMass ps * rightMass ps) - total s * total s) * (d * d))
        (leftMass ps * rightMass ps * (leftMass ps * rightMass ps) * (n * n)))))

/-! ## Budgets of a step -/

/-- `Σ p·B` over pairs `(p, B)` of a mass and a budget. -/
def weightedBudget : List (Nat × Nat) → Nat
  | [] => 0
  | (p, B) :: ps => p * B + weightedBudget ps

/-- An upper bound on the mass-weighted budget that looks only at the tokens of the list `head`; `N` is the mass of the
whole vocabulary and `Bmax` bounds the budget of every other token. -/
def topkBudget (N Bmax : Nat) (head : List (Nat × Nat)) : Nat := weightedBudget head + (N - leftMass head) * Bmax

/-- Weights `(n, n·a²)` of a step with masses `n` and tilts `u = a/B`, from the pairs `(n, a)`: a token of mass `n` gets the
weight `n·u²`.  The scale `B²` is common to all and left out. -/
def tiltPairs : List (Nat × Nat) → List (Nat × Nat)
  | [] => []
  | (n, a) :: ps => (n, n * (a * a)) :: tiltPairs ps

/-- Do the tilts `u = a/B` of the pairs `(n, a)` have mass-weighted mean at least one: `Σ n·a ≥ N·B`? -/
def gaugeOk (B : Nat) (ps : List (Nat × Nat)) : Bool := Nat.ble (leftMass ps * B) (weightedBudget ps)

/-- Are `u` units of the grid `0 … G` enough for the mean loss `E⌈G·TV⌉` of a step whose mean normaliser is
`E Z ≤ zn/zd`?  `G²·(1 − zd/zn) ≤ (u − 1)²`; the one unit pays for rounding up. -/
def stepBudgetAdmit (G zn zd u : Nat) : Bool :=
  Nat.ble 1 zd && (Nat.ble zd zn && (Nat.ble 1 u && Nat.ble (G * G * (zn - zd)) ((u - 1) * (u - 1) * zn)))
end Gnosis

prelude
import Gnosis.Core.ListData
import Gnosis.Decision.Search
/-! # The cumulative-loss account: decisions

How much loss may a request still afford?  Losses lie on a grid: a loss of `k` units stands for `k/N`, and no single
step can lose more than `N` units.  The account works with a bet `θ = p/q ≥ 1`; in the notation of the field
`e^λ = θ^N`, so one unit is worth `λ/N`.  Levels of risk are fractions `δ = nδ/dδ`.

There are two forms of the account.  The *ledger* multiplies exact factors; the *charge* form adds small whole numbers
and is meant for use at run time.  Beside them stand the union-bound ledger, for comparison, and the betting test
behind confidence sequences.  A decision refuses whenever its parameters make no sense.

This module holds no proofs; the theorems are in `Gnosis.CumlossAdmission`, `Gnosis.CumlossCharge`,
`Gnosis.UnionLedger`, `Gnosis.BettingConfidence` and `Gnosis.BettingBounds`. -/
namespace Gnosis

/-! ## The ledger -/

/-- Are grid and bet usable: `0 < N` and `0 < q ≤ p`? -/
def betOk (N p q : Nat) : Bool := Nat.ble 1 N && (Nat.ble 1 q && Nat.ble q p)

/-- The factor by which a step with mean bound `u` units multiplies the ledger: `N·q^N + u·(p^N − q^N)`, which is
`N·q^N·(1 + (u/N)·(e^λ − 1))`. -/
def stepFactor (N p q u : Nat) : Nat := N * q ^ N + u * (p ^ N - q ^ N)

/-- Does a budget of `b` units cover the ledger value `L` reached after `t` steps?  In whole numbers
`dδ·L·q^b ≤ nδ·N^t·q^(tN)·p^b`; in logarithms `log(1/δ) + Σ_s log(1 + μ_s·(e^λ − 1)) ≤ λ·b/N`. -/
def covered (N p q nδ dδ t L b : Nat) : Bool :=
  betOk N p q && (Nat.ble 1 dδ && Nat.ble (dδ * (L * q ^ b)) (nδ * (N ^ t * q ^ (t * N) * p ^ b)))

/-- May the step after `t` steps be compressed?  `L` is the ledger value, `u` the bound on the mean loss of the step,
`b` the budget for the cumulative loss, both in units.  Admits when the ledger after the step would still be covered. -/
def cumlossAdmit (N p q nδ dδ t L u b : Nat) : Bool := covered N p q nδ dδ (t + 1) (L * stepFactor N p q u) b

/-- The ledger value after the step: a step that is refused is done exactly, loses nothing and has mean bound `0`. -/
def cumlossStep (N p q nδ dδ t L u b : Nat) : Nat :=
  L * stepFactor N p q (bif cumlossAdmit N p q nδ dδ t L u b then u else 0)

/-! ## The account in whole charges -/

/-- Does the charge `a` pay for a step with mean bound `u`?  `1 + (u/N)·(θ^N − 1) ≤ θ^a`, cross-multiplied. -/
def pays (N p q u a : Nat) : Bool := betOk N p q && Nat.ble (stepFactor N p q u * q ^ a) (N * q ^ N * p ^ a)

/-- Does the reserve `r` pay for the level `δ = nδ/dδ`?  `1/δ ≤ θ^r`, cross-multiplied. -/
def reservePays (p q nδ dδ r : Nat) : Bool :=
  Nat.ble 1 q && (Nat.ble q p && (Nat.ble 1 dδ && Nat.ble (dδ * q ^ r) (nδ * p ^ r)))

/-- The least charge that pays for a step with mean bound `u ≤ N`.  The charge `N` always does. -/
def leastCharge (N p q u : Nat) : Nat := leastFrom (pays N p q u) 0 N

/-- The least reserve that pays for the level `nδ/dδ`, for `q < p` and `0 < nδ`.  The reserve `q·dδ` always does. -/
def leastReserve (p q nδ dδ : Nat) : Nat := leastFrom (reservePays p q nδ dδ) 0 (q * dδ)

/-- May a proposal be compressed?  `account` is the reserve and all charges so far, `offer` the charge of everything
that is proposed, `budget` the budget for the cumulative loss, all in units. -/
def chargeAdmit (account offer budget : Nat) : Bool := Nat.ble (account + offer) budget

/-- The account after the step: an admitted proposal is charged `charge`, a refused one nothing. -/
def chargeSettle (account offer charge budget : Nat) : Nat :=
  bif chargeAdmit account offer budget then account + charge else account

/-- The decisions on a sequence of proposals `(offer, charge, budget)`, starting from the account `account`. -/
def chargeRun (account : Nat) : List (Nat × Nat × Nat) → List Bool
  | [] => []
  | (offer, charge, budget) :: rest =>
    chargeAdmit account offer budget :: chargeRun (chargeSettle account offer charge budget) rest

/-! ## The union-bound ledger -/

/-- The union-bound ledger gives event `t` the share `δ/((t+1)(t+2))`.  Is the price `nπ/dπ` of the event within it? -/
def unionAdmit (nδ dδ nπ dπ t : Nat) : Bool :=
  Nat.ble 1 dδ && (Nat.ble 1 dπ && Nat.ble (nπ * dδ * ((t + 1) * (t + 2))) (nδ * dπ))

/-- The first event whose share of the union-bound ledger is below the price `nπ/dπ`, for `0 < nπ`. -/
def unionLife (nδ dδ nπ dπ : Nat) : Nat := leastFrom (fun t => !(unionAdmit nδ dδ nπ dπ t)) 0 (nδ * dπ)

/-! ## The betting test -/

/-- Is the stake `λ = a/b` against the claim "the mean is at least `m/N`" within the cap `1/(1 − m/N)`?  Within the cap
no observation in `[0, 1]` makes the betting factor `1 + λ·(m/N − x/N)` negative. -/
def stakeAdmit (N m b a : Nat) : Bool :=
  Nat.ble 1 N && (Nat.ble 1 b && (Nat.ble m N && Nat.ble (a * N) (b * N + a * m)))

/-- The betting factor `1 + (a/b)·(m/N − x/N)` over the denominator `b·N`. -/
def bettingFactor (N m b a x : Nat) : Nat := b * N + a * m - a * x

/-- Are all steps `(a, x)` sound: the stake `a/b` within the cap and the observation `x` on the grid `0 … N`? -/
def stepsOk (N m b : Nat) : List (Nat × Nat) → Bool
  | [] => true
  | (a, x) :: rest => stakeAdmit N m b a && (Nat.ble x N && stepsOk N m b rest)

/-- The numerator of the wealth after the steps `(a, x)`. -/
def bettingNum (N m b : Nat) : List (Nat × Nat) → Nat
  | [] => 1
  | (a, x) :: rest => bettingNum N m b rest * bettingFactor N m b a x

/-- The denominator of the wealth after as many steps. -/
def bettingDen (N b : Nat) : List (Nat × Nat) → Nat
  | [] => 1
  | _ :: rest => bettingDen N b rest * (b * N)

/-- Is the claim "the mean is at least `m/N`" rejected at level `δ = nδ/dδ`: has the wealth after the steps reached
`1/δ`?  Steps that are not sound reject nothing. -/
def bettingRejects (N m b nδ dδ : Nat) (steps : List (Nat × Nat)) : Bool :=
  Nat.ble 1 dδ && (stepsOk N m b steps && Nat.ble (dδ * bettingDen N b steps) (nδ * bettingNum N m b steps))

/-- The largest mean in `0 … m` (in units of `1/N`) that the observations do not reject; `0` if there is none. -/
def bettingUpperFrom (N b nδ dδ : Nat) (steps : List (Nat × Nat)) : Nat → Nat
  | 0 => 0
  | m + 1 => bif bettingRejects N (m + 1) b nδ dδ steps then bettingUpperFrom N b nδ dδ steps m else m + 1

/-- The largest claim `0 … N` that the steps `(a, x)` do not reject, in units of `1/N`.  It is no upper bound of the mean, which
may lie above it by less than a unit: that is `bettingUpperBound`. -/
def bettingUpper (N b nδ dδ : Nat) (steps : List (Nat × Nat)) : Nat := bettingUpperFrom N b nδ dδ steps N

/-- The largest of the claims `0 … m` that is not rejected; `0` if there is none. -/
def claimUpperFrom (rejects : Nat → Bool) : Nat → Nat
  | 0 => 0
  | m + 1 => bif rejects (m + 1) then claimUpperFrom rejects m else m + 1

/-- The upper bound from a test of every claim `0 … G`: one unit above the largest claim that is not rejected, at most `G`. -/
def claimUpperBound (G : Nat) (rejects : Nat → Bool) : Nat :=
  bif Nat.ble G (claimUpperFrom rejects G) then G else claimUpperFrom rejects G + 1

/-- Does the list say of claim `k` (its entry `k − 1`) that it is rejected?  Claim 0 and claims past the end are not. -/
def claimRejected : List Bool → Nat → Bool
  | r :: _, 1 => r
  | _ :: rs, k + 2 => claimRejected rs (k + 1)
  | _, _ => false

/-- The upper bound from a list that says of each of the claims `1 … G` whether it has been rejected. -/
def claimBound (G : Nat) (rejected : List Bool) : Nat := claimUpperBound G (claimRejected rejected)

/-- The upper confidence bound for the mean after the steps `(a, x)`, in units of `1/G`: one unit above the largest claim
that is not rejected, at most `G`. -/
def bettingUpperBound (G b nδ dδ : Nat) (steps : List (Nat × Nat)) : Nat :=
  bif Nat.ble G (bettingUpper G b nδ dδ steps) then G else bettingUpper G b nδ dδ steps + 1

/-- The steps with every observation `x` turned into `G − x`. -/
def mirrored (G : Nat) : List (Nat × Nat) → List (Nat × Nat)
  | [] => []
  | (a, x) :: rest => (a, G - x) :: mirrored G rest

/-- The lower confidence bound for the mean after the steps `(a, x)`: the upper bound of `G − x`, turned over. -/
def bettingLowerBound (G b nδ dδ : Nat) (steps : List (Nat × Nat)) : Nat := G - bettingUpperBound G b nδ dδ (mirrored G steps)

end Gnosis

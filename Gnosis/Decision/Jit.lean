prelude
import Gnosis.Decision.Energy
import Gnosis.Decision.Margin
/-! Decisions at serve time: when the argmax of coarse logits is the argmax of the true ones, and which rows
must be recomputed when it may not be.  No proofs here: the theorems are in `Gnosis.JitDequantAdmissibility`.

Coarse logits are computed from decoded rows; the residual of each row is known only through an upper bound
on its energy (the sidecar).  If weights are integers in a unit `u` and activations in a unit `v`, then
logits, margins `γ` and bounds `ε` are in units of `u·v`, row energies `E` in units of `u²`, the activation
energy `A` in units of `v²`. -/
namespace Gnosis

/-- `w` is a maximiser of the true logits: `w` leads every other coarse logit by the margin `γ` or more, and the
sidecar gate admits every row at this margin. -/
def jitAdmit (z : List Int) (w : Nat) (E : List Int) (A γ : Int) : Bool :=
  Nat.beq z.length E.length && decide (w < z.length) && leads (entry z w) γ γ w 0 z
    && E.all (fun e => energySidecarAdmit e A γ)

/-- `w` is the only maximiser of the true logits: as `jitAdmit`, with the strict sidecar gate. -/
def jitAdmitStrict (z : List Int) (w : Nat) (E : List Int) (A γ : Int) : Bool :=
  Nat.beq z.length E.length && decide (w < z.length) && leads (entry z w) γ γ w 0 z
    && E.all (fun e => energySidecarAdmitStrict e A γ)

/-- The bounds `ε` on the errors of the logits follow from the sidecars: `E_i·A ≤ ε_i²` for each row, which is the
sidecar gate at the margin `2·ε_i`.  There are as many bounds as sidecars. -/
def errorsWithin (A : Int) : List Int → List Int → Bool
  | [], [] => true
  | e :: es, b :: bs => energySidecarAdmit e A (2 * b) && errorsWithin A es bs
  | _, _ => false

/-- Row-wise form: `w` is the only maximiser of the true logits, because the bounds `ε` follow from the sidecars and
`w` leads every other coarse logit by more than the two bounds together. -/
def jitRowAdmit (z : List Int) (w : Nat) (ε E : List Int) (A : Int) : Bool :=
  errorsWithin A E ε && rowAdmit z ε w

/-- The index with the largest entry of `z` among `best` and the listed ones; the first one on ties. -/
def argmaxAmong (z : List Int) (best : Nat) : List Nat → Nat
  | [] => best
  | j :: js => if entry z best < entry z j then argmaxAmong z j js else argmaxAmong z best js

/-- What is served after a miss: the candidates are recomputed exactly, and the argmax among them is returned,
lowest index on ties.  Of `exact` only the entries of the candidates are read. -/
def servedArgmax (coarse exact ε : List Int) : Nat :=
  match candidates coarse ε with
  | [] => 0
  | j :: js => argmaxAmong exact j js

/-- `w` is the argmax of the true logits, lowest index on ties: `w` leads the coarse logits in front of it by more than `γ` and
those behind it by `γ` or more, and the sidecar gate admits every row at this margin. -/
def jitAdmitLowest (z : List Int) (w : Nat) (E : List Int) (A γ : Int) : Bool :=
  Nat.beq z.length E.length && decide (w < z.length) && leads (entry z w) (γ + 1) γ w 0 z
    && E.all (fun e => energySidecarAdmit e A γ)

/-- The coarse logit `x` of `w` leads every other one far enough for residuals of the energies `E`: the sidecar gate admits every energy
at the lead, the strict one where the other logit stands in front of `w`.  The first entry of the list has index `i`. -/
def leadsSidecars (E : List Int) (A x : Int) (w i : Nat) : List Int → Bool
  | [] => true
  | y :: ys => (decide (i = w) || (if i < w then E.all (fun e => energySidecarAdmitStrict e A (x - y))
      else E.all (fun e => energySidecarAdmit e A (x - y)))) && leadsSidecars E A x w (i + 1) ys

/-- `w` is the argmax of the true logits, lowest index on ties, decided by the leads themselves: no margin `γ` is chosen. -/
def jitLeadAdmit (z : List Int) (w : Nat) (E : List Int) (A : Int) : Bool :=
  Nat.beq z.length E.length && decide (w < z.length) && leadsSidecars E A (entry z w) w 0 z

end Gnosis

prelude
import Gnosis.Decision.Conformal
import Gnosis.Decision.Jit
/-! # Calibrate, then serve: decisions

Two gates that need no sidecar of the tile they serve.  What they know instead are the scores of calibration runs:
the largest error of a logit (`conformalMarginAdmit`), or the largest residual energy of a row
(`conformalJitAdmit`).  Units are those of `Gnosis.Decision.Conformal` and `Gnosis.Decision.Jit`.  The theorems are
in `Gnosis.ConformalJitAdmissibility`. -/
namespace Gnosis

/-- Serve the coarse winner `w`: the configuration is admitted at level `num / den` and margin `γ` on the
calibration scores (largest errors of a logit), and `w` leads every other coarse logit by `γ` or more. -/
def conformalMarginAdmit (scores : List Int) (num den : Nat) (γ : Int) (z : List Int) (w : Nat) : Bool :=
  conformalAdmit scores num den γ && (decide (w < z.length) && leads (entry z w) γ γ w 0 z)

/-- Serve the coarse winner `w`: the conformal threshold of the calibration scores (largest residual energies of a
row) takes the place of the sidecar of every row in `jitAdmit`.  Without a finite threshold nothing is admitted. -/
def conformalJitAdmit (scores : List Int) (num den : Nat) (z : List Int) (w : Nat) (A γ : Int) : Bool :=
  match conformalThreshold scores num den with
  | none => false
  | some t => jitAdmit z w (z.map (fun _ => t)) A γ

/-- Serve the coarse winner `w` as the lowest index: the conformal gate admits `γ`, and `w` leads the coarse logits in front of it
by more than `γ` and those behind it by `γ` or more. -/
def conformalMarginAdmitLowest (scores : List Int) (num den : Nat) (γ : Int) (z : List Int) (w : Nat) : Bool :=
  conformalAdmit scores num den γ && (decide (w < z.length) && leads (entry z w) (γ + 1) γ w 0 z)

/-- Serve the coarse winner `w` as the lowest index, the conformal threshold taking the place of every sidecar. -/
def conformalJitAdmitLowest (scores : List Int) (num den : Nat) (z : List Int) (w : Nat) (A γ : Int) : Bool :=
  match conformalThreshold scores num den with
  | none => false
  | some t => jitAdmitLowest z w (z.map (fun _ => t)) A γ

/-- Serve the coarse winner `w` as the lowest index, decided by the leads themselves: the conformal threshold is the energy of every
row, and no margin is chosen. -/
def conformalJitLeadAdmit (scores : List Int) (num den : Nat) (z : List Int) (w : Nat) (A : Int) : Bool :=
  match conformalThreshold scores num den with
  | none => false
  | some t => decide (w < z.length) && leadsSidecars [t] A (entry z w) w 0 z

/-- What is served when the conformal threshold bounds the error of every logit: the argmax among the recomputed candidates; and
the exact argmax, all rows recomputed, where there is no threshold. -/
def conformalServed (scores : List Int) (num den : Nat) (coarse exact : List Int) : Nat :=
  match conformalThreshold scores num den with
  | none => argmax exact
  | some t => servedArgmax coarse exact (coarse.map (fun _ => t))

end Gnosis

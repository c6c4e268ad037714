prelude
import Gnosis.JitDequantAdmissibility
/-! # Recomputing only the refused rows is wrong

A tempting rule after a miss: recompute exactly the rows whose own sidecar gate refuses, keep the coarse logit of the
rows whose gate admits, and take the argmax of the mixture.  It is wrong, because the gates of the kept rows speak
about the margin of the *old* winner; once that one has been recomputed, its margin is gone.  The right rule
recomputes the candidates (`Gnosis.miss_never_lies`). -/
namespace Gnosis.Falsifiers
open Gnosis List

/-- The mixture of the naive rule: the exact logit where the row's own gate refuses at the margin `γ`, else the coarse
one. -/
def refusedRecomputed (A γ : Int) : List Int → List Int → List Int → List Int
  | x :: xs, y :: ys, e :: es => (bif energySidecarAdmit e A γ then x else y) :: refusedRecomputed A γ xs ys es
  | _, _, _ => []

/-- **Recomputing only the refused rows lies.**  Coarse logits 10, 5, 4 (margin 5), residuals -10, -2, 2, activation 1,
exact sidecars: only row 0 is refused (`4·100 > 25 ≥ 4·4`).  The mixture is 0, 5, 4 and names row 1; the true logits
are 0, 3, 6 and name row 2.  Recomputing the candidates of the bounds 10, 2, 2 names row 2. -/
theorem recompute_refused_lies :
    Sidecars [[10], [5], [4]] [[-10], [-2], [2]] [1] [100, 4, 4] 1
    ∧ logits [[10], [5], [4]] [1] = [10, 5, 4]
    ∧ logits (addRows [[10], [5], [4]] [[-10], [-2], [2]]) [1] = [0, 3, 6]
    ∧ refusedRecomputed 1 5 [10, 5, 4] [0, 3, 6] [100, 4, 4] = [0, 5, 4]
    ∧ argmax (refusedRecomputed 1 5 [10, 5, 4] [0, 3, 6] [100, 4, 4]) = 1
    ∧ argmax [0, 3, 6] = 2
    ∧ errorsWithin 1 [100, 4, 4] [10, 2, 2] = true
    ∧ servedArgmax [10, 5, 4] [0, 3, 6] [10, 2, 2] = 2 :=
  ⟨⟨.cons rfl (.cons rfl (.cons rfl .nil)),
    .cons (by decide) (.cons (by decide) (.cons (by decide) .nil)), by decide⟩, rfl, rfl, rfl, rfl, rfl, rfl, rfl⟩

/-- So the naive rule is not a correct way to serve: no law of the form of `miss_never_lies` holds for it. -/
theorem recompute_refused_is_not_exact :
    ¬ ∀ (Wh T : List (List Int)) (a E : List Int) (A γ : Int) (w : Nat), Sidecars Wh T a E A →
      (∀ j, j < (logits Wh a).length → j ≠ w → γ ≤ entry (logits Wh a) w - entry (logits Wh a) j) →
      argmax (refusedRecomputed A γ (logits Wh a) (logits (addRows Wh T) a) E) = argmax (logits (addRows Wh T) a) := by
  intro h
  have k : 1 = 2 := h [[10], [5], [4]] [[-10], [-2], [2]] [1] [100, 4, 4] 1 5 0 recompute_refused_lies.1 (by decide)
  contradiction

end Gnosis.Falsifiers

prelude
import Gnosis.ServedOutputLaw
/-! # The served-output law over the layers of a request

What adds up over layers is the change of the logits; so ratios of weights multiply, and one bound serves a whole stack of
layers.  Total variations need not be added. -/
namespace Gnosis
open List

/-- The pairs of two lists of weights of equal length. -/
def pairUp : List Nat → List Nat → List (Nat × Nat)
  | w :: ws, w' :: ws' => (w, w') :: pairUp ws ws'
  | _, _ => []

/-- `f 0 · f 1 · … · f (L − 1)`. -/
def prodTo (f : Nat → Nat) : Nat → Nat
  | 0 => 1
  | L + 1 => prodTo f L * f L

/-- All ratios `w'/w` lie in `[Q/P, P/Q]` up to the factor `a/b`. -/
def RatiosWithin (P Q a b : Nat) (w w' : List Nat) : Prop :=
  ∀ x, x ∈ pairUp w w' → Q * b * x.2 ≤ P * a * x.1 ∧ Q * a * x.1 ≤ P * b * x.2

/-- Weights that do not change have all ratios equal to one. -/
theorem ratiosWithin_self (w : List Nat) : RatiosWithin 1 1 1 1 w w := by
  induction w with
  | nil => intro x hx; cases hx
  | cons w ws ih =>
    intro x hx
    cases hx with
    | head => exact ⟨Nat.le_refl _, Nat.le_refl _⟩
    | tail _ hx => exact ih x hx

/-- Ratios multiply. -/
theorem ratiosWithin_trans {P Q a b P' Q' a' b' : Nat} {u v w : List Nat} (huv : u.length = v.length) (hvw : v.length = w.length)
    (h : RatiosWithin P Q a b u v) (k : RatiosWithin P' Q' a' b' v w) : RatiosWithin (P * P') (Q * Q') (a * a') (b * b') u w := by
  induction u generalizing v w with
  | nil => intro x hx; cases w <;> cases hx
  | cons s u ih => cases v with
    | nil => exact nomatch huv
    | cons t v => cases w with
      | nil => exact nomatch hvw
      | cons r w =>
        have h : ∀ x, x ∈ (s, t) :: pairUp u v → Q * b * x.2 ≤ P * a * x.1 ∧ Q * a * x.1 ≤ P * b * x.2 := h
        have k : ∀ x, x ∈ (t, r) :: pairUp v w → Q' * b' * x.2 ≤ P' * a' * x.1 ∧ Q' * a' * x.1 ≤ P' * b' * x.2 := k
        obtain ⟨⟨h₁, h₂⟩, hs⟩ := forall_mem_cons h
        obtain ⟨⟨k₁, k₂⟩, ks⟩ := forall_mem_cons k
        intro x hx
        cases hx with
        | head =>
          constructor
          · show Q * Q' * (b * b') * r ≤ P * P' * (a * a') * s
            calc Q * Q' * (b * b') * r = Q * b * (Q' * b' * r) := by nat_ring
              _ ≤ Q * b * (P' * a' * t) := Nat.mul_le_mul_left _ k₁
              _ = P' * a' * (Q * b * t) := by nat_ring
              _ ≤ P' * a' * (P * a * s) := Nat.mul_le_mul_left _ h₁
              _ = P * P' * (a * a') * s := by nat_ring
          · show Q * Q' * (a * a') * s ≤ P * P' * (b * b') * r
            calc Q * Q' * (a * a') * s = Q' * a' * (Q * a * s) := by nat_ring
              _ ≤ Q' * a' * (P * b * t) := Nat.mul_le_mul_left _ h₂
              _ = P * b * (Q' * a' * t) := by nat_ring
              _ ≤ P * b * (P' * b' * r) := Nat.mul_le_mul_left _ k₂
              _ = P * P' * (b * b') * r := by nat_ring
        | tail _ hx => exact ih (Nat.add_right_cancel huv) (Nat.add_right_cancel hvw) hs ks x hx

/-- The mass before does not depend on the weights after. -/
theorem leftMass_pairUp {u v w : List Nat} (huv : u.length = v.length) (huw : u.length = w.length) :
    leftMass (pairUp u v) = leftMass (pairUp u w) := by
  induction u generalizing v w with
  | nil => cases v <;> cases w <;> rfl
  | cons s u ih => cases v with
    | nil => exact nomatch huv
    | cons t v => cases w with
      | nil => exact nomatch huw
      | cons r w => exact congrArg (fun x => s + x) (ih (Nat.add_right_cancel huv) (Nat.add_right_cancel huw))

/-- **One bound for a stack of layers.**  Layer `l` takes the weights `w l` to `w (l + 1)`, with ratios in
`[Q l/P l, P l/Q l]` up to a common factor `a l/b l`.  Then the total variation from the first to the last weights is at
most `(ΠP − ΠQ)/(ΠP + ΠQ)`.  With `P l/Q l = e^{ε l}` this is `tanh(Σ ε/2)`: bounds of layers add up inside the law. -/
theorem cumulative_output_tv {L : Nat} {P Q a b : Nat → Nat} {w : Nat → List Nat} {V : Nat} (len : ∀ l, (w l).length = V)
    (layer : ∀ l, l < L → ratioAdmit (P l) (Q l) (a l) (b l) (pairUp (w l) (w (l + 1))) = true)
    (mass : 0 < leftMass (pairUp (w 0) (w 0))) :
    tv (pairUp (w 0) (w L)) ≤ ⟨prodTo P L - prodTo Q L, prodTo P L + prodTo Q L⟩ := by
  have all : 0 < prodTo Q L ∧ prodTo Q L ≤ prodTo P L ∧ 0 < prodTo a L ∧ 0 < prodTo b L ∧
      RatiosWithin (prodTo P L) (prodTo Q L) (prodTo a L) (prodTo b L) (w 0) (w L) := by
    induction L with
    | zero => exact ⟨Nat.le_refl 1, Nat.le_refl 1, Nat.le_refl 1, Nat.le_refl 1, ratiosWithin_self (w 0)⟩
    | succ L ih =>
      obtain ⟨h₁, h₂, h₃, h₄, h₅⟩ := ih fun l hl => layer l (Nat.le_trans hl (Nat.le_succ L))
      obtain ⟨k₁, k₂, k₃, k₄, _, k₅⟩ := ratioAdmit_iff.mp (layer L (Nat.le_refl _))
      exact ⟨Nat.mul_pos h₁ k₁, Nat.mul_le_mul h₂ k₂, Nat.mul_pos h₃ k₃, Nat.mul_pos h₄ k₄,
        ratiosWithin_trans ((len 0).trans (len L).symm) ((len L).trans (len (L + 1)).symm) h₅ k₅⟩
  obtain ⟨hQ, hQP, ha, hb, within⟩ := all
  refine served_tv_tight (a := prodTo a L) (b := prodTo b L) (ratioAdmit_iff.mpr ⟨hQ, hQP, ha, hb, ?_, within⟩)
  rw [leftMass_pairUp ((len 0).trans (len L).symm) rfl]
  exact mass

/-- Not vacuous, and sharp: two layers, each with ratios in `[1/2, 2]` up to the factor `2`, take the weights `(4, 1)` to
`(4, 4)` and to `(4, 16)`.  The bound is `(4 − 1)/(4 + 1)`, and the total variation is `3/5`. -/
theorem cumulative_output_tv_sharp :
    ratioAdmit 2 1 2 1 (pairUp [4, 1] [4, 4]) = true ∧ ratioAdmit 2 1 2 1 (pairUp [4, 4] [4, 16]) = true ∧
      tvNum (pairUp [4, 1] [4, 16]) * (4 + 1) = (4 - 1) * (leftMass (pairUp [4, 1] [4, 16]) * rightMass (pairUp [4, 1] [4, 16])) :=
  ⟨rfl, rfl, rfl⟩
end Gnosis

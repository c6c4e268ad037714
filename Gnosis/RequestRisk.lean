prelude
import Gnosis.ConformalCoverageProbability
import Gnosis.CumlossCharge
/-! # The risk of a whole request whose mean bound is calibrated

The account needs a bound `u` on the mean loss of every compressed step, true at every history.  Where it is measured, the
unit of the measurement is the request: its true score `μ` is the largest conditional mean over all its compressed steps
(exact steps lose nothing), `Û` is an estimate that reaches `μ` but with rate `α`, and `u` is the largest estimate of `N`
calibration requests.  If the requests are exchangeable, the new request overruns its budget with probability at most
`δ + α + 1/(N + 1)`.  A bound for the history at hand, calibrated step by step, does not add up along a request: each step
would cost `α + 1/(N + 1)` anew. -/
universe u

namespace Gnosis
open List
variable {D : Type u} {ω : Type}

/-- The controller does not overrun more often than `δ` when the mean bound `m` is true at the steps that it compresses. -/
theorem overrun_le_of_mean (c : ChargeController D) {ds : List D} {G p q m : Nat} {δ : Frac} (hl : ∀ h d, c.loss h d ≤ G)
    (mean : ∀ h, c.compresses h = true → sumOver (c.loss h) ds ≤ ds.length * m)
    (reserve : reservePays p q δ.num δ.den c.reserve = true) (charges : ∀ h, pays G p q m (c.charge h) = true)
    (settle : ∀ h, c.charge h ≤ c.offer h) (mono : ∀ d h, c.budget h ≤ c.budget (d :: h)) (T : Nat) :
    reachCount ds c.overrun T [] * δ.den ≤ δ.num * ds.length ^ T := by
  -- the same controller with the loss that is realised
  have same : ∀ h, (ChargeController.mk c.reserve c.offer c.charge c.budget c.realised).account h = c.account h := fun h => by
    induction h with
    | nil => rfl
    | cons d h ih =>
      show chargeSettle _ _ _ _ = chargeSettle _ _ _ _
      rw [ih]
  have decides : ∀ h, (ChargeController.mk c.reserve c.offer c.charge c.budget c.realised).compresses h = c.compresses h :=
    fun h => by
      show chargeAdmit _ _ _ = chargeAdmit _ _ _
      rw [same]
  have loses : ∀ h d, (ChargeController.mk c.reserve c.offer c.charge c.budget c.realised).realised h d = c.realised h d :=
    fun h d => by
      show (bif (ChargeController.mk c.reserve c.offer c.charge c.budget c.realised).compresses h then c.realised h d else 0) = _
      rw [decides]
      show (bif c.compresses h then (bif c.compresses h then c.loss h d else 0) else 0) = bif c.compresses h then c.loss h d else 0
      cases c.compresses h with
      | true => rfl
      | false => rfl
  have total : ∀ h, cumLoss (ChargeController.mk c.reserve c.offer c.charge c.budget c.realised).realised h = cumLoss c.realised h :=
    fun h => by
      induction h with
      | nil => rfl
      | cons d h ih => rw [cumLoss, cumLoss, ih, loses]
  have bound := charge_controller_sound (ChargeController.mk c.reserve c.offer c.charge c.budget c.realised) (ds := ds) (N := G)
    (p := p) (q := q) (δ := δ) (u := fun _ => m) (fun h d => by
      show (bif c.compresses h then c.loss h d else 0) ≤ G
      cases c.compresses h with
      | true => exact hl h d
      | false => exact Nat.zero_le G) (fun h => by
      show sumOver (fun d => bif c.compresses h then c.loss h d else 0) ds ≤ _
      cases e : c.compresses h with
      | true => exact mean h e
      | false => exact Nat.le_trans (Nat.le_of_eq ((sumOver_const 0 ds).trans (Nat.mul_zero _))) (Nat.zero_le _))
    reserve charges settle mono T
  refine Nat.le_trans (Nat.mul_le_mul_right δ.den (reachCount_mono (fun h hh => ?_) T [])) bound
  cases h with
  | nil => exact nomatch hh
  | cons d h =>
    have hh : c.budget h < cumLoss c.realised (d :: h) := of_decide_eq_true hh
    exact decide_eq_true (show c.budget h < cumLoss _ (d :: h) by rw [total]; exact hh)

/-- The overruns of a list of requests, when the mean bound fails for those of which `fails` holds and for no other. -/
theorem overruns_le {Ω : List ω} {controller : ω → ChargeController D} {ds : List D} {δ : Frac} {T : Nat} {fails : ω → Bool}
    (good : ∀ o, o ∈ Ω → fails o = false → reachCount ds (controller o).overrun T [] * δ.den ≤ δ.num * ds.length ^ T) :
    sumOver (fun o => reachCount ds (controller o).overrun T []) Ω * δ.den
      ≤ (Ω.length * δ.num + countP fails Ω * δ.den) * ds.length ^ T := by
  rw [sumOver_mul]
  refine Nat.le_trans (sumOver_le (g := fun o => δ.num * ds.length ^ T + bif fails o then δ.den * ds.length ^ T else 0)
    (fun o m => ?_)) ?_
  · cases e : fails o with
    | false => exact Nat.le_trans (good o m e) (Nat.le_add_right _ _)
    | true =>
      have all : reachCount ds (controller o).overrun T [] ≤ ds.length ^ T := by
        rw [← conts_length ds T]; exact countP_le_length _ _
      refine Nat.le_trans (Nat.mul_le_mul_right δ.den all) ?_
      rw [Nat.mul_comm]; exact Nat.le_add_left _ _
  · rw [sumOver_add, sumOver_const, sumOver_cond]
    generalize ds.length ^ T = P
    exact Nat.le_of_eq (by nat_ring)

/-- **The risk of a request**: outcomes `Ω`, equally likely, each with the estimates of `N + 1` exchangeable requests (the new
one first, `scores`), the true score `truth` of the new one and its controller.  The true score bounds the mean loss of every
step that is compressed, at every history of the request; the estimate falls below it with probability at most `a/e`; the
charges pay for the mean bound `units`, which is at least every calibration estimate; the reserve pays for `δ`.  Then over
everything, calibration, request and rounding draws, the cumulative loss ever exceeds the budget with probability at most
`δ + a/e + 1/(N + 1)`, however long the request. -/
theorem total_risk_over_random_history (Ω : List ω) (scores : ω → List Int) (truth units : ω → Nat)
    (controller : ω → ChargeController D) {ds : List D} {N G p q a e : Nat} {δ : Frac}
    (exchangeable : Exchangeable (N + 1) (map scores Ω))
    (own : countP (fun o => decide (newScore (scores o) < (truth o : Int))) Ω * e ≤ a * Ω.length)
    (largest : ∀ o, o ∈ Ω → ∀ y, y ∈ calibration (scores o) → y ≤ (units o : Int))
    (hl : ∀ o h d, (controller o).loss h d ≤ G)
    (mean : ∀ o, o ∈ Ω → ∀ h, (controller o).compresses h = true → sumOver ((controller o).loss h) ds ≤ ds.length * truth o)
    (reserve : ∀ o, o ∈ Ω → reservePays p q δ.num δ.den (controller o).reserve = true)
    (charges : ∀ o, o ∈ Ω → ∀ h, pays G p q (units o) ((controller o).charge h) = true)
    (settle : ∀ o h, (controller o).charge h ≤ (controller o).offer h)
    (mono : ∀ o d h, (controller o).budget h ≤ (controller o).budget (d :: h)) (T : Nat) :
    (⟨sumOver (fun o => reachCount ds (controller o).overrun T []) Ω, Ω.length * ds.length ^ T⟩ : Frac)
      ≤ δ + ⟨a, e⟩ + ⟨1, N + 1⟩ := by
  have risk := conformal_risk_union Ω scores (fun o => (truth o : Int)) N a e exchangeable own
  have sum := overruns_le (Ω := Ω) (controller := controller) (ds := ds) (δ := δ) (T := T)
    (fails := fun o => exceedsAll (truth o : Int) (calibration (scores o))) (fun o m ok => by
      refine overrun_le_of_mean (controller o) (m := units o) (hl o) (fun h c => ?_) (reserve o m) (charges o m) (settle o)
        (mono o) T
      refine Nat.le_trans (mean o m h c) (Nat.mul_le_mul_left _ ((Nat.lt_or_ge (units o) (truth o)).elim (fun g => ?_) id))
      have all : exceedsAll (truth o : Int) (calibration (scores o)) = true := all_eq_true.mpr fun y my =>
        decide_eq_true (Int.lt_of_le_of_lt (largest o m y my) (Int.ofNat_le.mpr g))
      rw [all] at ok; exact nomatch ok)
  show sumOver _ Ω * (δ.den * e * (N + 1)) ≤ ((δ.num * e + a * δ.den) * (N + 1) + 1 * (δ.den * e)) * (Ω.length * ds.length ^ T)
  generalize sumOver (fun o => reachCount ds (controller o).overrun T []) Ω = S,
    countP (fun o => exceedsAll (truth o : Int) (calibration (scores o))) Ω = X, ds.length ^ T = P, Ω.length = W,
    δ.num = n, δ.den = d at *
  calc S * (d * e * (N + 1)) = S * d * (e * (N + 1)) := by nat_ring
    _ ≤ (W * n + X * d) * P * (e * (N + 1)) := Nat.mul_le_mul_right _ sum
    _ = W * n * P * (e * (N + 1)) + X * ((N + 1) * e) * (d * P) := by nat_ring
    _ ≤ W * n * P * (e * (N + 1)) + (e + a * (N + 1)) * W * (d * P) := Nat.add_le_add_left (Nat.mul_le_mul_right _ risk) _
    _ = ((n * e + a * d) * (N + 1) + 1 * (d * e)) * (W * P) := by nat_ring

/-- A request of coin flips.  A lossy one loses both units of the grid `0, 1, 2` at one of two sides, another one nothing.
Budget `6`, reserve `2`; the mean bound `units` is `0`, which costs nothing, or `1`, which costs `2`. -/
def flipRequest (units : Nat) (lossy : Bool) : ChargeController Bool where
  reserve := 2
  offer _ := bif Nat.beq units 0 then 0 else 2
  charge _ := bif Nat.beq units 0 then 0 else 2
  budget _ := 6
  loss _ d := bif lossy && d then 2 else 0

/-- Not vacuous: two requests, one that loses `1` unit of `2` in the mean and one that loses nothing, take turns as the new
one, and the other calibrates.  All hypotheses hold with `δ = 1/4`, `α = 0`, `N = 1`. -/
theorem total_risk_sample :
    (⟨sumOver (fun o : Bool => reachCount [false, true] (flipRequest (bif o then 0 else 1) o).overrun 9 []) [false, true],
      2 * 2 ^ 9⟩ : Frac) ≤ ⟨1, 4⟩ + ⟨0, 1⟩ + ⟨1, 1 + 1⟩ := by
  refine total_risk_over_random_history (ω := Bool) [false, true] (fun o => bif o then [1, 0] else [0, 1])
    (fun o => bif o then 1 else 0) (fun o => bif o then 0 else 1) (fun o => flipRequest (bif o then 0 else 1) o)
    (ds := [false, true]) (N := 1) (G := 2) (p := 2) (q := 1) (δ := ⟨1, 4⟩) ?_ (by decide) (fun o _ y m => ?_)
    (fun o h d => ?_) (fun o _ h _ => ?_) (fun o _ => ?_) (fun o _ h => ?_) (fun o h => Nat.le_refl _) (fun o d h => Nat.le_refl _) 9
  · exact exchangeable_perms [0, 1]
  · cases o with
    | true =>
      cases m with
      | head => decide
      | tail _ m => exact nomatch m
    | false =>
      cases m with
      | head => decide
      | tail _ m => exact nomatch m
  · cases o with
    | true => cases d with
      | true => exact Nat.le_refl 2
      | false => exact Nat.zero_le 2
    | false => exact Nat.zero_le 2
  · cases o with
    | true => exact Nat.le_refl 2
    | false => exact Nat.le_refl 0
  · cases o with
    | true => rfl
    | false => rfl
  · cases o with
    | true => rfl
    | false => rfl
end Gnosis

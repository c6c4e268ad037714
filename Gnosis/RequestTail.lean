prelude
import Gnosis.CumlossCharge
import Gnosis.StepBudgetInputs
/-! # From the served output of a step to the tail of a request

Every step of a request serves a tilted distribution; which one depends on the history and on the rounding draw.  What is
asked of a step is a bound, known before the draw, on the mean of its total variation.  The account of
`Gnosis.CumlossAdmission` then bounds the total variation of the whole request: with probability at least `1 − δ` the sum
over all steps never exceeds the budget.  Losses are total variations rounded up to the grid `0 … G`. -/
universe u

namespace Gnosis
open List
section
variable {D : Type u}

/-- The sum of the total variations of the steps along a history; `step h d` are the weights of the step that is taken at
`h` with the rounding draw `d`. -/
def cumTV (step : List D → D → List (Nat × Nat)) : List D → Frac
  | [] => 0
  | d :: h => cumTV step h + tv (step h d)

/-- The total variations add up to at most the losses on the grid. -/
theorem cumTV_le {G : Nat} (hG : 0 < G) {step : List D → D → List (Nat × Nat)}
    (served : ∀ h d, 0 < leftMass (step h d) ∧ 0 < rightMass (step h d)) (h : List D) :
    cumTV step h ≤ ⟨cumLoss (fun h d => gridLoss G (step h d)) h, G⟩ := by
  induction h with
  | nil => show 0 * G ≤ 0 * 1; rw [Nat.zero_mul]; exact Nat.zero_le _
  | cons d h ih =>
    have sum := Frac.add_le_add ih (tv_le_gridLoss (G := G) (served h d).left (served h d).right)
    refine Frac.le_trans ?_ sum ?_
    · exact Nat.mul_pos hG hG
    show (cumLoss (fun h d => gridLoss G (step h d)) h * G + gridLoss G (step h d) * G) * G
      ≤ (cumLoss (fun h d => gridLoss G (step h d)) h + gridLoss G (step h d)) * (G * G)
    exact Nat.le_of_eq (by generalize cumLoss (fun h d => gridLoss G (step h d)) h = x, gridLoss G (step h d) = y; nat_ring)

/-- Where the total variations exceed `b/G`, the losses on the grid exceed `b`; where they reach it, so do the losses. -/
theorem loss_of_cumTV {G b : Nat} (hG : 0 < G) {step : List D → D → List (Nat × Nat)}
    (served : ∀ h d, 0 < leftMass (step h d) ∧ 0 < rightMass (step h d)) (h : List D) :
    ((⟨b, G⟩ : Frac) < cumTV step h → b < cumLoss (fun h d => gridLoss G (step h d)) h) ∧
      ((⟨b, G⟩ : Frac) ≤ cumTV step h → b ≤ cumLoss (fun h d => gridLoss G (step h d)) h) := by
  have le := cumTV_le hG served h
  have den : 0 < (cumTV step h).den := by
    clear le
    induction h with
    | nil => exact Nat.le_refl 1
    | cons d h ih => exact Nat.mul_pos ih (Nat.mul_pos (served h d).left (served h d).right)
  constructor
  · intro lt
    apply Nat.lt_of_not_le
    intro back
    refine Frac.not_le_of_lt lt (Frac.le_trans (y := ⟨cumLoss (fun h d => gridLoss G (step h d)) h, G⟩) hG le ?_)
    exact Nat.mul_le_mul_right G back
  · intro reach
    exact Nat.le_of_mul_le_mul_right (Frac.le_trans den reach le) hG

/-- **From the served output to the request.**  If before every draw `u h` bounds the mean of the step's total variation,
rounded up to the grid, and after every step the budget covers the ledger, then with probability at least `1 − δ` the
total variations of the request never add up to more than `budget/G`, however long it is. -/
theorem request_tail_of_served_tv {ds : List D} {G p q : Nat} {δ : Frac} {u budget : List D → Nat}
    {step : List D → D → List (Nat × Nat)} (bet : betOk G p q = true)
    (served : ∀ h d, 0 < leftMass (step h d) ∧ 0 < rightMass (step h d))
    (mean : ∀ h, sumOver (fun d => gridLoss G (step h d)) ds ≤ ds.length * u h)
    (inv : ∀ d h, covered G p q δ.num δ.den (h.length + 1) (ledger G p q u (d :: h)) (budget (d :: h)) = true) (T : Nat) :
    share ds (fun h => decide ((⟨budget h, G⟩ : Frac) < cumTV step h)) T [] ≤ δ := by
  refine share_le_of_imp (fun h hh => ?_)
    (cumloss_admission (loss := fun h d => gridLoss G (step h d)) bet (fun h d => gridLoss_le G _) mean inv T)
  exact decide_eq_true ((loss_of_cumTV (betOk_iff.mp bet).left served h).left (of_decide_eq_true hh))

/-- The same in whole charges and without a budget: the probability that the total variations ever add up to reserve and
charges is at most `δ`. -/
theorem request_tail_charge {ds : List D} {G p q r : Nat} {δ : Frac} {u a : List D → Nat}
    {step : List D → D → List (Nat × Nat)} (served : ∀ h d, 0 < leftMass (step h d) ∧ 0 < rightMass (step h d))
    (mean : ∀ h, sumOver (fun d => gridLoss G (step h d)) ds ≤ ds.length * u h)
    (reserve : reservePays p q δ.num δ.den r = true) (charges : ∀ h, pays G p q (u h) (a h) = true) (T : Nat) :
    share ds (fun h => decide ((⟨spent r a h, G⟩ : Frac) ≤ cumTV step h)) T [] ≤ δ := by
  refine share_le_of_imp (fun h hh => ?_)
    (cumloss_charge (loss := fun h d => gridLoss G (step h d)) (fun h d => gridLoss_le G _) mean reserve charges T)
  exact decide_eq_true ((loss_of_cumTV (pays_iff.mp (charges [])).left.left served h).right (of_decide_eq_true hh))

/-- The weights of the step that a controller takes: those of `step` if it compresses, unchanged weights `(1, 1)` if it
does the step exactly. -/
def servedStep (c : ChargeController D) (step : List D → D → List (Nat × Nat)) (h : List D) (d : D) : List (Nat × Nat) :=
  bif c.compresses h then step h d else [(1, 1)]

/-- The total variations of the steps that the controller took add up to more than `budget/G`, for the budget that held for
the last step. -/
def servedOverrun (c : ChargeController D) (G : Nat) (step : List D → D → List (Nat × Nat)) : List D → Bool
  | [] => false
  | d :: h => decide ((⟨c.budget h, G⟩ : Frac) < cumTV (servedStep c step) (d :: h))

/-- **The controller keeps the service level of a request.**  A controller whose losses are the total variations, rounded
up to the grid, keeps the sum of the total variations of the steps that it takes within `budget/G`, with probability at
least `1 − δ`. -/
theorem served_controller_sound (c : ChargeController D) {ds : List D} {G p q : Nat} {δ : Frac} {u : List D → Nat}
    {step : List D → D → List (Nat × Nat)} (served : ∀ h d, 0 < leftMass (step h d) ∧ 0 < rightMass (step h d))
    (losses : ∀ h d, c.loss h d = gridLoss G (step h d))
    (mean : ∀ h, sumOver (fun d => gridLoss G (step h d)) ds ≤ ds.length * u h)
    (reserve : reservePays p q δ.num δ.den c.reserve = true) (charges : ∀ h, pays G p q (u h) (c.charge h) = true)
    (settle : ∀ h, c.charge h ≤ c.offer h) (mono : ∀ d h, c.budget h ≤ c.budget (d :: h)) (T : Nat) :
    share ds (servedOverrun c G step) T [] ≤ δ := by
  have hG : 0 < G := (pays_iff.mp (charges [])).left.left
  have served' : ∀ h d, 0 < leftMass (servedStep c step h d) ∧ 0 < rightMass (servedStep c step h d) := fun h d => by
    unfold servedStep
    cases c.compresses h with
    | true => exact served h d
    | false => exact ⟨Nat.le_refl 1, Nat.le_refl 1⟩
  have same : ∀ h, cumLoss (fun h d => gridLoss G (servedStep c step h d)) h = cumLoss c.realised h := fun h => by
    induction h with
    | nil => rfl
    | cons d h ih =>
      rw [cumLoss, cumLoss, ih, ChargeController.realised, losses, servedStep]
      cases c.compresses h with
      | true => rfl
      | false =>
        show _ + gridLoss G [(1, 1)] = _
        rw [gridLoss_same G]
        rfl
  refine share_le_of_imp (E := c.overrun) (fun h hh => ?_)
    (charge_controller_sound c (fun h d => by rw [losses]; exact gridLoss_le G _)
      (fun h => by rw [sumOver_congr fun d _ => losses h d]; exact mean h) reserve charges settle mono T)
  cases h with
  | nil => exact hh
  | cons d h =>
    have over := (loss_of_cumTV hG served' (d :: h)).left (of_decide_eq_true (p := _ < _) hh)
    rw [same] at over
    exact decide_eq_true over

/-- **From rounding moments to the request**: the whole chain.  At every history the step takes tokens `v` of masses `n h v`
to weights `w h d v`, with the rounding draw `d`, counted in units of `1/B²` with `B = B h`; the tilt of a token is
`w/(n·B²)`, and `a h d v / B` is a lower bound for its root.  Suppose that the mass-weighted mean of these roots is at least
one at every draw, that `β h v / B²` bounds the mean tilt of each token over the draws, `Σ_d w ≤ |ds|·n·β`, and that `u h`
units pass the gate for the normaliser `Σ n·β/(N·B²)`: `n`, `β` and `u` are known before the draw.  If after every step the
budget covers the ledger, then with probability at least `1 − δ` the total variations of the request never add up to more
than `budget/G`, however long it is. -/
theorem request_tail_of_moments {V : Type} {ds : List D} {G p q : Nat} {δ : Frac} {u budget B : List D → Nat}
    {vs : List D → List V} {n β : List D → V → Nat} {a w : List D → D → V → Nat} (bet : betOk G p q = true)
    (mass : ∀ h, 0 < sumOver (n h) (vs h)) (scale : ∀ h, 0 < B h)
    (roots : ∀ h d v, v ∈ vs h → n h v * (a h d v * a h d v) ≤ w h d v)
    (gauge : ∀ h d, gaugeOk (B h) (map (fun v => (n h v, a h d v)) (vs h)) = true)
    (moment : ∀ h v, v ∈ vs h → sumOver (fun d => w h d v) ds ≤ ds.length * (n h v * β h v))
    (enough : ∀ h, stepBudgetAdmit G (weightedBudget (map (fun v => (n h v, β h v)) (vs h)))
      (sumOver (n h) (vs h) * (B h * B h)) (u h) = true)
    (inv : ∀ d h, covered G p q δ.num δ.den (h.length + 1) (ledger G p q u (d :: h)) (budget (d :: h)) = true) (T : Nat) :
    share ds (fun h => decide ((⟨budget h, G⟩ : Frac)
      < cumTV (fun h d => map (fun v => (n h v, w h d v)) (vs h)) h)) T [] ≤ δ := by
  have total : ∀ (h : List D) (b : V → Nat), leftMass (map (fun v => (n h v, b v)) (vs h)) = sumOver (n h) (vs h) := fun h b => by
    induction vs h with
    | nil => rfl
    | cons v vs ih => exact congrArg (fun s => n h v + s) ih
  have tilted : ∀ h d, Tilted (map (fun v => (n h v, a h d v)) (vs h)) (map (fun v => (n h v, w h d v)) (vs h)) := fun h d => by
    have roots := roots h d
    generalize vs h = l at roots
    induction l with
    | nil => trivial
    | cons v l ih => exact ⟨rfl, roots v (.head l), ih fun v m => roots v (.tail _ m)⟩
  refine request_tail_of_served_tv bet (fun h d => ⟨?_, ?_⟩) (fun h => ?_) inv T
  · rw [total h (w h d)]; exact mass h
  · exact tilt_mass_pos (by rw [total h (a h d)]; exact mass h) (scale h) (gauge h d) (tilted h d)
  · refine step_budget_sound (z := ⟨weightedBudget (map (fun v => (n h v, β h v)) (vs h)), sumOver (n h) (vs h) * (B h * B h)⟩)
      (mass h) (scale h) (fun d _ => total h (a h d)) (fun d _ => gauge h d) (fun d _ => tilted h d) ?_ (enough h)
    have z := mean_normaliser_le (n := n h) (w := w h) (moment h)
    show _ * (sumOver (n h) (vs h) * (B h * B h)) ≤ weightedBudget _ * (ds.length * (sumOver (n h) (vs h) * (B h * B h)))
    refine Nat.le_trans (Nat.mul_le_mul_right _ z) (Nat.le_of_eq ?_)
    generalize weightedBudget (map (fun v => (n h v, β h v)) (vs h)) = x, sumOver (n h) (vs h) * (B h * B h) = y
    nat_ring
end

/-! ## Not empty, and sharp -/

/-- Was the last draw a `true`? -/
def lastTrue : List Bool → Bool
  | [] => false
  | d :: _ => d
/-- Two tokens of mass `50` each; a fair draw tilts one of them up and the other down, by less just after a `true`. -/
def sampleTilt (h : List Bool) (d v : Bool) : Nat :=
  bif (bif d then v else !v) then (bif lastTrue h then 105 else 110) else (bif lastTrue h then 96 else 91)
/-- A bound on the second moment of the tilts, the same at both tokens. -/
def sampleMoment (h : List Bool) : Nat := bif lastTrue h then 10121 else 10191
/-- Units on the grid `0 … 100` that pass the gate for that moment. -/
def sampleUnits (h : List Bool) : Nat := bif lastTrue h then 12 else 15
/-- Charges for these units with the bet `101/100`. -/
def sampleUnitCharges (h : List Bool) : Nat := bif lastTrue h then 19 else 23

/-- Every hypothesis of `request_tail_of_moments` can be met at once, by a process that adapts and does change the served
output: the total variation of its first step is more than `9` percent.  With the budget `232 + Σ charges` hundredths the
guarantee holds at level `1/10` for requests of any length. -/
theorem request_tail_sample :
    (⟨9, 100⟩ : Frac) < tv (tiltPairs (map (fun v => (50, sampleTilt [] true v)) [false, true])) ∧
      ∀ T, share [false, true] (fun h => decide ((⟨spent 232 sampleUnitCharges h, 100⟩ : Frac)
        < cumTV (fun h d => tiltPairs (map (fun v => (50, sampleTilt h d v)) [false, true])) h)) T [] ≤ ⟨1, 10⟩ := by
  refine ⟨by decide +kernel, fun T => request_tail_of_moments (V := Bool) (G := 100) (p := 101) (q := 100) (u := sampleUnits)
    (budget := spent 232 sampleUnitCharges) (B := fun _ => 100) (vs := fun _ => [false, true]) (n := fun _ _ => 50)
    (β := fun h _ => sampleMoment h) (a := sampleTilt) (w := fun h d v => 50 * (sampleTilt h d v * sampleTilt h d v)) (by decide)
    (fun _ => by decide) (fun _ => by decide) (fun _ _ _ _ => Nat.le_refl _) ?_ ?_ ?_ ?_ T⟩
  · intro h d
    show Nat.ble ((50 + (50 + 0)) * 100) (50 * sampleTilt h d false + (50 * sampleTilt h d true + 0)) = true
    unfold sampleTilt
    cases lastTrue h with
    | true => cases d with
      | true => decide
      | false => decide
    | false => cases d with
      | true => decide
      | false => decide
  · intro h v _
    show 50 * (sampleTilt h false v * sampleTilt h false v) + (50 * (sampleTilt h true v * sampleTilt h true v) + 0)
      ≤ 2 * (50 * sampleMoment h)
    unfold sampleTilt sampleMoment
    cases lastTrue h with
    | true => cases v with
      | true => decide
      | false => decide
    | false => cases v with
      | true => decide
      | false => decide
  · intro h
    show stepBudgetAdmit 100 (50 * sampleMoment h + (50 * sampleMoment h + 0)) ((50 + (50 + 0)) * (100 * 100)) (sampleUnits h) = true
    unfold sampleMoment sampleUnits
    cases lastTrue h with
    | true => decide +kernel
    | false => decide +kernel
  · intro d h
    refine covered_spent (u := sampleUnits) (a := sampleUnitCharges) (by decide +kernel) (fun h => ?_) (d :: h)
    unfold sampleUnits sampleUnitCharges
    cases lastTrue h with
    | true => decide +kernel
    | false => decide +kernel

/-- A controller for that process, with the exact means `10` and `5` of its losses on the grid and the charges `16` and
`9` for them, reserve `232`, and a budget that grows. -/
def sampleServed : ChargeController Bool where
  reserve := 232
  offer h := bif lastTrue h then 9 else 16
  charge h := bif lastTrue h then 9 else 16
  budget h := 300 + h.length
  loss h d := gridLoss 100 (tiltPairs (map (fun v => (50, sampleTilt h d v)) [false, true]))

/-- The hypotheses of `served_controller_sound` can be met: this controller compresses, loses, refuses, and keeps the sum
of the total variations within its budget at level `1/10`. -/
theorem sampleServed_sound :
    sampleServed.compresses [true, true] = true ∧ sampleServed.compresses [false, false, false, false, false] = false ∧
      cumLoss sampleServed.realised [false, true, false] = 25 ∧
      ∀ T, share [false, true] (servedOverrun sampleServed 100
        fun h d => tiltPairs (map (fun v => (50, sampleTilt h d v)) [false, true])) T [] ≤ ⟨1, 10⟩ := by
  have tilts : ∀ h d, 0 < leftMass (tiltPairs (map (fun v => (50, sampleTilt h d v)) [false, true])) ∧
      0 < rightMass (tiltPairs (map (fun v => (50, sampleTilt h d v)) [false, true])) ∧
      gridLoss 100 (tiltPairs (map (fun v => (50, sampleTilt h d v)) [false, true])) = bif lastTrue h then 5 else 10 := fun h d => by
    unfold sampleTilt
    cases lastTrue h with
    | true => cases d with
      | true => decide +kernel
      | false => decide +kernel
    | false => cases d with
      | true => decide +kernel
      | false => decide +kernel
  refine ⟨by decide +kernel, by decide +kernel, by decide +kernel, fun T => served_controller_sound sampleServed (G := 100)
    (p := 101) (q := 100) (u := fun h => bif lastTrue h then 5 else 10) (fun h d => ⟨(tilts h d).left, (tilts h d).right.left⟩)
    (fun h d => rfl) (fun h => ?_) (by decide +kernel) (fun h => ?_) (fun h => Nat.le_refl _) (fun _ h => Nat.le_succ _) T⟩
  · rw [sumOver_congr fun d _ => (tilts h d).right.right, sumOver_const]
    exact Nat.le_refl _
  · show pays 100 101 100 (bif lastTrue h then 5 else 10) (bif lastTrue h then 9 else 16) = true
    cases lastTrue h with
    | true => decide +kernel
    | false => decide +kernel

/-- A step that on one draw of three moves all of the mass, and otherwise changes nothing. -/
def allOrNothing (_ : List Nat) (d : Nat) : List (Nat × Nat) := bif Nat.beq d 0 then [(1, 0), (0, 1)] else [(1, 1)]

/-- Sharp at the threshold: the mean loss on the grid `G = 3` is `1`, the bet `θ = 2`, the level `δ = 3/10`.  The step
passes under a budget of `4` and not under one of `3`, which is the total variation `1`; and that would have been reached
with probability `1/3`. -/
theorem request_tail_sharp :
    sumOver (fun d => gridLoss 3 (allOrNothing [] d)) [0, 1, 2] = [0, 1, 2].length * 1 ∧
      cumlossAdmit 3 2 1 3 10 0 1 1 4 = true ∧ cumlossAdmit 3 2 1 3 10 0 1 1 3 = false ∧
      (⟨3, 10⟩ : Frac) < share [0, 1, 2] (fun h => decide ((⟨3, 3⟩ : Frac) ≤ cumTV allOrNothing h)) 1 [] := by
  refine ⟨by decide +kernel, by decide +kernel, by decide +kernel, by decide +kernel⟩
end Gnosis

prelude
import Gnosis.Falsifiers.Budget
import Gnosis.Falsifiers.ExponentialTilt
import Gnosis.Falsifiers.Listed
import Gnosis.RequestTail
import Gnosis.ServedHellinger
import Gnosis.ServedLayers
import Gnosis.StepBudgetInputs
/-! # The served output: one thing replaced

Each theorem denies a headline theorem in which one hypothesis, constant or definition is replaced; the sentence names it.
`tanh_not_attained` says more: no weights at all attain that bound. -/
namespace Gnosis.Falsifiers
open List

/-! ## Ratios -/

/-- **No smaller bound**: `(P − Q)/(P + Q + 1)` in the place of `(P − Q)/(P + Q)` in `served_tv_tight`. -/
theorem tight_bound_is_least : ¬ ∀ {P Q a b : Nat} {ps : List (Nat × Nat)}, ratioAdmit P Q a b ps = true →
    tv ps ≤ ⟨P - Q, P + Q + 1⟩ :=
  fun wrong => absurd (wrong (P := 2) (Q := 1) (a := 1) (b := 1) (ps := [(1, 2), (2, 1)]) rfl) (by decide)

/-- **The upper bound on the ratios is not enough**: `served_tv_tight` without the lower one.  No weight grows, and yet almost all of
the mass moves, because the other weight may fall as far as it likes. -/
theorem upper_ratio_alone_lies : ¬ ∀ {P Q a b : Nat} {ps : List (Nat × Nat)}, 0 < Q → Q ≤ P → 0 < a → 0 < b → 0 < leftMass ps →
    (∀ x, x ∈ ps → Q * b * x.2 ≤ P * a * x.1) → tv ps ≤ ⟨P - Q, P + Q⟩ :=
  fun wrong => absurd (wrong (P := 1) (Q := 1) (a := 1) (b := 1) (ps := [(1, 1), (99, 0)]) (by decide) (by decide) (by decide)
    (by decide) (by decide) (every (by decide))) (by decide)

/-- **Nor for events**: the same in `served_event_tight`. -/
theorem upper_ratio_alone_moves_events : ¬ ∀ {P Q a b : Nat} {ps : List (Nat × Nat)}, 0 < Q → Q ≤ P → 0 < a → 0 < b →
    0 < leftMass ps → (∀ x, x ∈ ps → Q * b * x.2 ≤ P * a * x.1) → ∀ A : List Bool,
    (⟨rightOn A ps, rightMass ps⟩ : Frac) ≤ ⟨leftOn A ps, leftMass ps⟩ + ⟨P - Q, P + Q⟩ ∧
      (⟨leftOn A ps, leftMass ps⟩ : Frac) ≤ ⟨rightOn A ps, rightMass ps⟩ + ⟨P - Q, P + Q⟩ :=
  fun wrong => absurd (wrong (P := 1) (Q := 1) (a := 1) (b := 1) (ps := [(1, 1), (99, 0)]) (by decide) (by decide) (by decide)
    (by decide) (by decide) (every (by decide)) [true, false]).1 (by decide)

/-- **The complement needs a bound**: `served_event_upper` without that.  The event keeps its weight 1, all else is lost. -/
theorem event_without_complement : ¬ ∀ {X Y X' Y' P Q a b : Nat}, 0 < Q → Q ≤ P → 0 < a → 0 < b → Q * b * X' ≤ P * a * X →
    (⟨X', X' + Y'⟩ : Frac) ≤ ⟨X, X + Y⟩ + ⟨P - Q, P + Q⟩ :=
  fun wrong => absurd (wrong (X := 1) (Y := 99) (X' := 1) (Y' := 0) (P := 1) (Q := 1) (a := 1) (b := 1) (by decide) (by decide)
    (by decide) (by decide) (by decide)) (by decide)

/-- **The better of the older bounds, `tanh ε`, is never attained** either: for `P > Q` the total variation is below it. -/
theorem tanh_not_attained {P Q a b : Nat} {ps : List (Nat × Nat)} (h : Q < P) (adm : ratioAdmit P Q a b ps = true) :
    tv ps < tanhBound P Q := by
  obtain ⟨hQ, hQP, _⟩ := ratioAdmit_iff.mp adm
  have law : tvNum ps * (P + Q) ≤ (P - Q) * (leftMass ps * rightMass ps) := served_tv_tight adm
  have mass : 0 < leftMass ps * rightMass ps := Nat.mul_pos (ratioAdmit_mass adm).left (ratioAdmit_mass adm).right
  show tvNum ps * (P * P + Q * Q) < (P * P - Q * Q) * (leftMass ps * rightMass ps)
  obtain ⟨k, rfl⟩ := Nat.exists_of_le h
  have sq : (Q + 1 + k) * (Q + 1 + k) - Q * Q = (1 + k) * (Q + 1 + k + Q) := by
    rw [show (Q + 1 + k) * (Q + 1 + k) = Q * Q + (1 + k) * (Q + 1 + k + Q) by nat_ring, Nat.add_sub_cancel_left]
  rw [show Q + 1 + k = Q + (1 + k) from Nat.add_assoc Q 1 k, Nat.add_sub_cancel_left] at law
  rw [sq, show Q + 1 + k = Q + (1 + k) from Nat.add_assoc Q 1 k]
  generalize tvNum ps = t, leftMass ps * rightMass ps = M, hx : 1 + k = x at *
  have x₀ : 0 < x := by rw [← hx]; exact Nat.add_pos_left (Nat.le_refl 1) k
  -- `t·(P + Q) ≤ x·M` and `P² + Q² < (P + Q)²`
  apply Nat.lt_of_not_le
  intro back
  have h₁ := Nat.mul_le_mul_left (Q + x + Q) law
  have pos : 0 < x * M := Nat.mul_pos x₀ mass
  have qq : 0 < Q * (Q + x) := Nat.mul_pos hQ (Nat.add_pos_left hQ x)
  rcases Nat.lt_or_ge 0 t with g | g
  · have strict : 0 < 2 * (t * (Q * (Q + x))) := Nat.mul_pos (by decide) (Nat.mul_pos g qq)
    exact (by nat_lin [back, h₁, strict] : False).elim
  · rw [Nat.le_antisymm g (Nat.zero_le _), Nat.zero_mul] at back
    exact absurd back (Nat.not_le_of_lt (by
      rw [Nat.mul_comm x, Nat.mul_assoc]
      exact Nat.mul_pos (Nat.add_pos_left (Nat.add_pos_left hQ x) Q) pos))

/-- **Two weights do not attain `tanh ε`**: `tanhBound` in the place of the tight bound in `served_tv_sharp`. -/
theorem tanh_is_not_sharp : ¬ ∀ {P Q : Nat}, 0 < Q → Q ≤ P → tanhBound P Q ≤ tv [(Q, P), (P, Q)] :=
  fun wrong => absurd (wrong (P := 2) (Q := 1) (by decide) (by decide)) (by decide)

/-- **`P/Q` is the square root of the spread ratio**: the fourth power in the place of the square in the gate of `served_tv_spread`.
Ratios between `1/4` and `4` have the spread ratio `16 = 2⁴`; the bound for `P/Q = 2` would be `1/3`, and the total variation is `3/5`. -/
theorem spread_needs_square : ¬ ∀ {P Q c e f g : Nat} {ps : List (Nat × Nat)}, 0 < Q → Q ≤ P → 0 < c → 0 < g → 0 < leftMass ps →
    Q ^ 4 * (f * e) ≤ P ^ 4 * (c * g) → (∀ x, x ∈ ps → c * x.1 ≤ e * x.2 ∧ g * x.2 ≤ f * x.1) → tv ps ≤ ⟨P - Q, P + Q⟩ :=
  fun wrong => absurd (wrong (P := 2) (Q := 1) (c := 1) (e := 4) (f := 4) (g := 1) (ps := [(1, 4), (4, 1)]) (by decide) (by decide)
    (by decide) (by decide) (by decide) (by decide) (every (by decide))) (by decide)

/-- The weights before the first layer, between the two, and after the second. -/
def twoLayers : Nat → List Nat
  | 0 => [4, 1]
  | 1 => [4, 4]
  | _ + 2 => [4, 16]

/-- **Layers do not take the maximum**: the bound of one layer in the place of the product in `cumulative_output_tv`.  Two layers, each
within the ratio bound `2` and so with total variation at most `1/3`, move the output by `3/5`. -/
theorem layers_do_not_take_maximum : ¬ ∀ {L P Q : Nat} {a b : Nat → Nat} {w : Nat → List Nat} {V : Nat}, (∀ l, (w l).length = V) →
    (∀ l, l < L → ratioAdmit P Q (a l) (b l) (pairUp (w l) (w (l + 1))) = true) → 0 < leftMass (pairUp (w 0) (w 0)) →
    tv (pairUp (w 0) (w L)) ≤ ⟨P - Q, P + Q⟩ := fun wrong => by
  refine absurd (wrong (L := 2) (P := 2) (Q := 1) (a := fun _ => 2) (b := fun _ => 1) (V := 2)
    (w := twoLayers) (fun l => ?_) (fun l hl => ?_) (by decide)) (by decide)
  · cases l with
    | zero => rfl
    | succ l => cases l with
      | zero => rfl
      | succ l => rfl
  · cases l with
    | zero => rfl
    | succ l => cases l with
      | zero => rfl
      | succ l => exact absurd hl (Nat.not_le_of_lt (Nat.succ_le_succ (Nat.succ_le_succ (Nat.succ_le_succ (Nat.zero_le l)))))

/-- **A looser threshold breaks the level**: `d + 2n` in the place of `d + n` in the gate of `gate_threshold_for_sla`.  At 5 percent the
ratio bound `22/19` would pass, and weights within it move the output by more. -/
theorem loose_threshold_breaks_level : ¬ ∀ {P Q n d : Nat}, 0 < Q → Q ≤ P → 0 < d → (P * (d - n) ≤ Q * (d + 2 * n) ↔
    ∀ (a b : Nat) (ps : List (Nat × Nat)), ratioAdmit P Q a b ps = true → tv ps ≤ ⟨n, d⟩) :=
  fun wrong => absurd ((wrong (P := 22) (Q := 19) (n := 5) (d := 100) (by decide) (by decide) (by decide)).mp (by decide) 1 1
    [(19, 22), (22, 19)] rfl) (by decide)

/-- **One event attains the total variation**: `<` in the place of `≤` in `tv_event`, for weights that move. -/
theorem tv_event_not_strict : ¬ ∀ (ps : List (Nat × Nat)) (A : List Bool), 0 < tvNum ps →
    (⟨rightOn A ps, rightMass ps⟩ : Frac) < ⟨leftOn A ps, leftMass ps⟩ + tv ps :=
  fun wrong => absurd (wrong [(1, 2), (2, 1)] [true, false] (by decide)) (by decide)

/-! ## The coefficient -/

/-- **One minus the coefficient is no bound**: `TV ≤ 1 − BC` in the place of `TV² ≤ 1 − BC²` in `tv_le_hellinger`.  For weights `(1, 4)`
and `(4, 1)` the coefficient is `20/25` exactly, and the total variation is `15/25`. -/
theorem one_minus_coefficient_lies : ¬ ∀ {ps : List (Nat × Nat)} {s : List Nat}, rootsOk (leftMass ps) (rightMass ps) ps s = true →
    tvNum ps + total s ≤ leftMass ps * rightMass ps :=
  fun wrong => absurd (wrong (ps := [(1, 4), (4, 1)]) (s := [10, 10]) rfl) (by decide)

/-- **Nor is it a gate**: the same in the gate of `hellinger_sound`. -/
theorem one_minus_coefficient_gate_lies : ¬ ∀ {ps : List (Nat × Nat)} {s : List Nat} {n d : Nat}, 0 < d → 0 < leftMass ps →
    0 < rightMass ps → rootsOk (leftMass ps) (rightMass ps) ps s = true →
    (leftMass ps * rightMass ps - total s) * d ≤ leftMass ps * rightMass ps * n → tv ps ≤ ⟨n, d⟩ :=
  fun wrong => absurd (wrong (ps := [(1, 4), (4, 1)]) (s := [10, 10]) (n := 1) (d := 5) (by decide) (by decide) (by decide) rfl
    (by decide)) (by decide)

/-! ## Step budgets -/

/-- **The gauge**: `massweighted_draw_bound` without it.  Masses `(1, 1)` and tilts `(7, 1)/5` have `Z = 1`. -/
theorem draw_without_gauge : ¬ ∀ {B : Nat} {ps ws : List (Nat × Nat)}, Tilted ps ws →
    tvNum ws * tvNum ws + leftMass ps * rightMass ws * (leftMass ps * B * (leftMass ps * B))
      ≤ leftMass ps * rightMass ws * (leftMass ps * rightMass ws) :=
  fun wrong => absurd (wrong (B := 5) (tilted_tiltPairs [(1, 7), (1, 1)])) (by decide)

/-- Weights that the squares of the pairs bound from above, in the place of `Tilted`. -/
def TiltedAbove : List (Nat × Nat) → List (Nat × Nat) → Prop
  | [], [] => True
  | (n, a) :: ps, (w, w') :: ws => w = n ∧ w' ≤ n * (a * a) ∧ TiltedAbove ps ws
  | _, _ => False

/-- **The roots of the tilts are bounded from below**: `TiltedAbove` in the place of `Tilted` in `massweighted_draw_bound`.  The same
step; with `(8, 2)` in the place of the roots `(7, 1)` the gauge holds. -/
theorem draw_with_roots_too_large : ¬ ∀ {B : Nat} {ps ws : List (Nat × Nat)}, gaugeOk B ps = true → TiltedAbove ps ws →
    tvNum ws * tvNum ws + leftMass ps * rightMass ws * (leftMass ps * B * (leftMass ps * B))
      ≤ leftMass ps * rightMass ws * (leftMass ps * rightMass ws) :=
  fun wrong => absurd (wrong (B := 5) (ps := [(1, 8), (1, 2)]) (ws := [(1, 49), (1, 1)]) rfl ⟨rfl, by decide, rfl, by decide, ⟨⟩⟩)
    (by decide)

/-- **The gauge, on average**: `massweighted_step_bound` without it. -/
theorem gauge_needed : ¬ ∀ {D : Type} {ds : List D} {ps ws : D → List (Nat × Nat)} {N B : Nat}, 0 < N → 0 < B →
    (∀ d, d ∈ ds → leftMass (ps d) = N) → (∀ d, d ∈ ds → Tilted (ps d) (ws d)) → meanTV ds ws * meanTV ds ws + meanZinv ds ws N B ≤ 1 :=
  fun wrong => absurd (wrong (ds := [()]) (ps := fun _ => [(1, 7), (1, 1)]) (ws := fun _ => tiltPairs [(1, 7), (1, 1)]) (N := 2) (B := 5)
    (by decide) (by decide) (fun _ _ => rfl) (fun _ _ => tilted_tiltPairs _)) (by decide)

/-- **Roots from below, on average**: `TiltedAbove` in the place of `Tilted` in `massweighted_step_bound`. -/
theorem roots_too_large : ¬ ∀ {D : Type} {ds : List D} {ps ws : D → List (Nat × Nat)} {N B : Nat}, 0 < N → 0 < B →
    (∀ d, d ∈ ds → leftMass (ps d) = N) → (∀ d, d ∈ ds → gaugeOk B (ps d) = true) → (∀ d, d ∈ ds → TiltedAbove (ps d) (ws d)) →
    meanTV ds ws * meanTV ds ws + meanZinv ds ws N B ≤ 1 :=
  fun wrong => absurd (wrong (ds := [()]) (ps := fun _ => [(1, 8), (1, 2)]) (ws := fun _ => [(1, 49), (1, 1)]) (N := 2) (B := 5)
    (by decide) (by decide) (fun _ _ => rfl) (fun _ _ => rfl) (fun _ _ => ⟨rfl, by decide, rfl, by decide, ⟨⟩⟩)) (by decide)

/-- **No two units less**: the gate of `step_budget_sound` asked for `u + 2` units.  A step with `Z = 4/3` loses 2 units of a grid of 3;
the gate admits 3 units, and 1 would be false. -/
theorem step_budget_two_less : ¬ ∀ {D : Type} {ds : List D} {ps ws : D → List (Nat × Nat)} {N B G u : Nat} {z : Frac}, 0 < N → 0 < B →
    (∀ d, d ∈ ds → leftMass (ps d) = N) → (∀ d, d ∈ ds → gaugeOk B (ps d) = true) → (∀ d, d ∈ ds → Tilted (ps d) (ws d)) →
    sumOver (fun d => rightMass (ws d)) ds * z.den ≤ z.num * (ds.length * (N * (B * B))) →
    stepBudgetAdmit G z.num z.den (u + 2) = true → sumOver (fun d => gridLoss G (ws d)) ds ≤ ds.length * u :=
  fun wrong => absurd (wrong (ds := [()]) (ps := fun _ => [(1, 12), (3, 4)]) (ws := fun _ => tiltPairs [(1, 12), (3, 4)]) (N := 4) (B := 6)
    (G := 3) (u := 1) (z := ⟨4, 3⟩) (by decide) (by decide) (fun _ _ => rfl) (fun _ _ => rfl) (fun _ _ => tilted_tiltPairs _) (by decide)
    (by decide)) (by decide)

/-- **The bound of the other tokens' budgets**: one unit less than their largest in `massweighted_topk_bound`. -/
theorem topk_budget_one_less : ¬ ∀ {Bmax : Nat} {ps : List (Nat × Nat)} {S : List Bool}, (∀ x, x ∈ others S ps → x.2 ≤ Bmax + 1) →
    weightedBudget ps ≤ topkBudget (leftMass ps) Bmax (chosen S ps) :=
  fun wrong => absurd (wrong (Bmax := 0) (ps := [(1, 1)]) (S := [false]) (every (by decide))) (by decide)

/-- **The product gauge is stronger**: its converse in the place of `gauge_of_product`.  Tilts 2 and 1/4 have mean 9/8 and product 1/2. -/
theorem mean_gauge_is_weaker : ¬ ∀ {B : Nat} {ps : List (Nat × Nat)}, gaugeOk B ps = true → B ^ leftMass ps ≤ tiltProduct ps :=
  fun wrong => absurd (wrong (B := 4) (ps := [(1, 8), (1, 1)]) rfl) (by decide)

/-! ## Requests

The step of `allOrNothing` loses all of the output on one draw of three. -/

/-- There is always some weight. -/
theorem allOrNothing_served (h : List Nat) (d : Nat) : 0 < leftMass (allOrNothing h d) ∧ 0 < rightMass (allOrNothing h d) := by
  unfold allOrNothing
  cases Nat.beq d 0 with
  | true => exact ⟨by decide, by decide⟩
  | false => exact ⟨by decide, by decide⟩

/-- **The mean bound must be true**: `request_tail_charge` without that.  Charged as if its mean loss were `0`, the step reaches the
whole budget of a request with probability `1/3`, more than `δ = 3/10`. -/
theorem wrong_mean_breaks_request : ¬ ∀ {D : Type} {ds : List D} {G p q r : Nat} {δ : Frac} {u a : List D → Nat}
    {step : List D → D → List (Nat × Nat)}, (∀ h d, 0 < leftMass (step h d) ∧ 0 < rightMass (step h d)) →
    reservePays p q δ.num δ.den r = true → (∀ h, pays G p q (u h) (a h) = true) → ∀ T : Nat,
    share ds (fun h => decide ((⟨spent r a h, G⟩ : Frac) ≤ cumTV step h)) T [] ≤ δ :=
  fun wrong => absurd (wrong (ds := [0, 1, 2]) (G := 3) (p := 2) (q := 1) (r := 2) (δ := ⟨3, 10⟩) (u := fun _ => 0) (a := fun _ => 0)
    allOrNothing_served (by decide) (fun _ => by decide) 1) (by decide +kernel)

/-- **Under the ledger too**: the same in `request_tail_of_served_tv`. -/
theorem wrong_mean_breaks_ledger : ¬ ∀ {D : Type} {ds : List D} {G p q : Nat} {δ : Frac} {u budget : List D → Nat}
    {step : List D → D → List (Nat × Nat)}, betOk G p q = true → (∀ h d, 0 < leftMass (step h d) ∧ 0 < rightMass (step h d)) →
    (∀ d h, covered G p q δ.num δ.den (h.length + 1) (ledger G p q u (d :: h)) (budget (d :: h)) = true) → ∀ T : Nat,
    share ds (fun h => decide ((⟨budget h, G⟩ : Frac) < cumTV step h)) T [] ≤ δ :=
  fun wrong => absurd (wrong (ds := [0, 1, 2]) (G := 3) (p := 2) (q := 1) (δ := ⟨3, 10⟩) (u := fun _ => 0)
    (budget := spent 2 (fun _ => 0)) (by decide) allOrNothing_served
    (fun d h => covered_spent (by decide) (fun _ => by decide) (d :: h)) 1) (by decide +kernel)

/-- A controller of that step: reserve 2, no charge, budget 2. -/
def freeSteps : ChargeController Nat where
  reserve := 2
  offer _ := 0
  charge _ := 0
  budget _ := 2
  loss h d := gridLoss 3 (allOrNothing h d)

/-- **Nor does a controller keep the level**: the same in `served_controller_sound`. -/
theorem wrong_mean_breaks_controller : ¬ ∀ {D : Type} (c : ChargeController D) {ds : List D} {G p q : Nat} {δ : Frac} {u : List D → Nat}
    {step : List D → D → List (Nat × Nat)}, (∀ h d, 0 < leftMass (step h d) ∧ 0 < rightMass (step h d)) →
    (∀ h d, c.loss h d = gridLoss G (step h d)) → reservePays p q δ.num δ.den c.reserve = true →
    (∀ h, pays G p q (u h) (c.charge h) = true) → (∀ h, c.charge h ≤ c.offer h) → (∀ d h, c.budget h ≤ c.budget (d :: h)) → ∀ T : Nat,
    share ds (servedOverrun c G step) T [] ≤ δ :=
  fun wrong => absurd (wrong freeSteps (ds := [0, 1, 2]) (G := 3) (p := 2) (q := 1) (δ := ⟨3, 10⟩) (u := fun _ => 0)
    allOrNothing_served (fun _ _ => rfl) (by decide) (fun _ => (by decide : pays 3 2 1 0 0 = true)) (fun _ => Nat.le_refl 0) (fun _ _ => Nat.le_refl 2) 1)
    (by decide +kernel)

/-- The budget of that controller is 2 at first and then falls to 0; its mean bound 1, charge 2, is true. -/
def fallingServed : ChargeController Nat where
  reserve := 2
  offer _ := 2
  charge _ := 2
  budget h := bif Nat.beq h.length 0 then 4 else 0
  loss h d := gridLoss 3 (allOrNothing h d)

/-- **The budget of a served request must not fall**: `served_controller_sound` without that. -/
theorem falling_budget_breaks_request : ¬ ∀ {D : Type} (c : ChargeController D) {ds : List D} {G p q : Nat} {δ : Frac} {u : List D → Nat}
    {step : List D → D → List (Nat × Nat)}, (∀ h d, 0 < leftMass (step h d) ∧ 0 < rightMass (step h d)) →
    (∀ h d, c.loss h d = gridLoss G (step h d)) → (∀ h, sumOver (fun d => gridLoss G (step h d)) ds ≤ ds.length * u h) →
    reservePays p q δ.num δ.den c.reserve = true → (∀ h, pays G p q (u h) (c.charge h) = true) → (∀ h, c.charge h ≤ c.offer h) →
    ∀ T : Nat, share ds (servedOverrun c G step) T [] ≤ δ :=
  fun wrong => absurd (wrong fallingServed (ds := [0, 1, 2]) (G := 3) (p := 2) (q := 1) (δ := ⟨3, 10⟩) (u := fun _ => 1)
    allOrNothing_served (fun _ _ => rfl) (fun _ => (by decide +kernel : sumOver (fun d => gridLoss 3 (allOrNothing [] d)) [0, 1, 2] ≤ 3))
    (by decide) (fun _ => (by decide : pays 3 2 1 1 2 = true)) (fun _ => Nat.le_refl 2) 2)
    (by decide +kernel)

/-- **The whole chain needs the gauge**: `request_tail_of_moments` without it.  One draw; masses `(1, 1)`, tilts `(7, 1)/5` with `Z = 1`
at every step, so that one unit of the grid 20 passes the gate; the step moves the output by more than 9 units. -/
theorem request_without_gauge : ¬ ∀ {D V : Type} {ds : List D} {G p q : Nat} {δ : Frac} {u budget B : List D → Nat}
    {vs : List D → List V} {n β : List D → V → Nat} {a w : List D → D → V → Nat}, betOk G p q = true →
    (∀ h, 0 < sumOver (n h) (vs h)) → (∀ h, 0 < B h) → (∀ h d v, v ∈ vs h → n h v * (a h d v * a h d v) ≤ w h d v) →
    (∀ h v, v ∈ vs h → sumOver (fun d => w h d v) ds ≤ ds.length * (n h v * β h v)) →
    (∀ h, stepBudgetAdmit G (weightedBudget ((vs h).map fun v => (n h v, β h v))) (sumOver (n h) (vs h) * (B h * B h)) (u h) = true) →
    (∀ d h, covered G p q δ.num δ.den (h.length + 1) (ledger G p q u (d :: h)) (budget (d :: h)) = true) → ∀ T : Nat,
    share ds (fun h => decide ((⟨budget h, G⟩ : Frac) < cumTV (fun h d => (vs h).map fun v => (n h v, w h d v)) h)) T [] ≤ δ :=
  fun wrong => absurd (wrong (ds := [()]) (G := 20) (p := 11) (q := 10) (δ := ⟨1, 2⟩) (u := fun _ => 1) (budget := spent 8 (fun _ => 3))
    (B := fun _ => 5) (vs := fun _ => [true, false]) (n := fun _ _ => 1) (β := fun _ v => bif v then 49 else 1)
    (a := fun _ _ v => bif v then 7 else 1) (w := fun _ _ v => bif v then 49 else 1) (by decide) (fun _ => by decide) (fun _ => by decide)
    (fun _ _ v _ => by cases v <;> decide) (fun _ v _ => by cases v <;> decide) (fun _ => by decide)
    (fun d h => covered_spent (by decide +kernel) (fun _ => by decide +kernel) (d :: h)) 2) (by decide +kernel)

/-- **And roots from below**: upper bounds of the roots in the place of lower ones in `request_tail_of_moments`, `(8, 2)` for `(7, 1)`. -/
theorem request_with_roots_too_large : ¬ ∀ {D V : Type} {ds : List D} {G p q : Nat} {δ : Frac} {u budget B : List D → Nat}
    {vs : List D → List V} {n β : List D → V → Nat} {a w : List D → D → V → Nat}, betOk G p q = true →
    (∀ h, 0 < sumOver (n h) (vs h)) → (∀ h, 0 < B h) → (∀ h d v, v ∈ vs h → w h d v ≤ n h v * (a h d v * a h d v)) →
    (∀ h d, gaugeOk (B h) ((vs h).map fun v => (n h v, a h d v)) = true) →
    (∀ h v, v ∈ vs h → sumOver (fun d => w h d v) ds ≤ ds.length * (n h v * β h v)) →
    (∀ h, stepBudgetAdmit G (weightedBudget ((vs h).map fun v => (n h v, β h v))) (sumOver (n h) (vs h) * (B h * B h)) (u h) = true) →
    (∀ d h, covered G p q δ.num δ.den (h.length + 1) (ledger G p q u (d :: h)) (budget (d :: h)) = true) → ∀ T : Nat,
    share ds (fun h => decide ((⟨budget h, G⟩ : Frac) < cumTV (fun h d => (vs h).map fun v => (n h v, w h d v)) h)) T [] ≤ δ :=
  fun wrong => absurd (wrong (ds := [()]) (G := 20) (p := 11) (q := 10) (δ := ⟨1, 2⟩) (u := fun _ => 1) (budget := spent 8 (fun _ => 3))
    (B := fun _ => 5) (vs := fun _ => [true, false]) (n := fun _ _ => 1) (β := fun _ v => bif v then 49 else 1)
    (a := fun _ _ v => bif v then 8 else 2) (w := fun _ _ v => bif v then 49 else 1) (by decide) (fun _ => by decide) (fun _ => by decide)
    (fun _ _ v _ => by cases v <;> decide) (fun _ _ => by decide) (fun _ v _ => by cases v <;> decide) (fun _ => by decide)
    (fun d h => covered_spent (by decide +kernel) (fun _ => by decide +kernel) (d :: h)) 2) (by decide +kernel)

end Gnosis.Falsifiers

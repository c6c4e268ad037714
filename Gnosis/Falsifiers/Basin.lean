prelude
import Gnosis.BasinFlowController
import Gnosis.Falsifiers.Listed
/-! # The basin gate: one thing replaced

Each theorem denies a headline theorem in which one hypothesis, constant or definition is replaced; the sentence names it. -/
open List
namespace Gnosis.Falsifiers

/-! ## Displacements that add up -/

/-- **Up to the radius is too far**: `≤` in the place of `<` in the gate of `basin_sound`. -/
theorem basin_weak_comparison : ¬ ∀ {δ : List Int} {R : Int}, sumAbs δ ≤ R → -R < sum δ ∧ sum δ < R :=
  fun wrong => absurd (wrong (δ := [2]) (R := 2) (by decide)) (by decide)

/-- **Every step small is not enough**: a bound for each displacement alone in the gate of `basin_sound`.  Three of 1, radius 2. -/
theorem basin_each_step_alone : ¬ ∀ {δ : List Int} {R : Int}, (∀ x, x ∈ δ → Int.ofNat x.natAbs < R) → -R < sum δ ∧ sum δ < R :=
  fun wrong => absurd (wrong (δ := [1, 1, 1]) (R := 2) (every (by decide))) (by decide)

/-- **Displacements do not cancel on the way**: the signed sum in the gate of `basin_prefix_sound`.  3 and −3 add up to 0, but the
path has been 3 away. -/
theorem basin_signed_sum : ¬ ∀ {p q : List Int} {R : Int}, -R < sum (p ++ q) ∧ sum (p ++ q) < R → -R < sum p ∧ sum p < R :=
  fun wrong => absurd (wrong (p := [3]) (q := [-3]) (R := 2) (by decide)) (by decide)

/-- **The gate admits no more**: `≤` in the place of `<` in the gate of `basin_sharp`. -/
theorem weak_gate_is_not_sharp : ¬ ∀ {δ : List Int} {R : Int}, (∀ x, x ∈ δ → 0 ≤ x) → (sumAbs δ ≤ R ↔ -R < sum δ ∧ sum δ < R) :=
  fun wrong => absurd ((wrong (δ := [2]) (R := 2) (every (by decide))).mp (by decide)) (by decide)

/-- **At the radius the separatrix is reached**: `≤` in the place of `<` in the gate of `basin_same_side`. -/
theorem weak_comparison_reaches_separatrix : ¬ ∀ {δ : List Int} {R x s : Int}, sumAbs δ ≤ R →
    (x + R ≤ s → x + sum δ < s) ∧ (s + R ≤ x → s < x + sum δ) :=
  fun wrong => absurd ((wrong (δ := [2]) (R := 2) (x := 0) (s := 2) (by decide)).1 (by decide)) (by decide)

/-- **Up to the radius is too far for vectors**: `≤` in the place of `<` in the gate of `basin_vector_sound`. -/
theorem basin_vector_weak_comparison : ¬ ∀ {m : Nat} {δ : List (List Int)} {d : List Int} {R : Int}, RootBounded m δ d →
    (∀ r, r ∈ d → 0 ≤ r) → sum d ≤ R → energy (sumVectors m δ) < R * R :=
  fun wrong => absurd (wrong (m := 1) (δ := [[2]]) (d := [2]) (R := 2) (.cons ⟨rfl, by decide⟩ .nil) (every (by decide)) (by decide))
    (by decide)

/-- **The gate for vectors admits no more**: `≤` in the place of `<` in the gate of `basin_vector_sharp`. -/
theorem weak_vector_gate_is_not_sharp : ¬ ∀ {d : List Int} {R : Int}, (∀ r, r ∈ d → 0 ≤ r) → 0 ≤ R →
    (sum d ≤ R ↔ energy (sumVectors 1 (line d)) < R * R) :=
  fun wrong => absurd ((wrong (d := [2]) (R := 2) (every (by decide)) (by decide)).mp (by decide)) (by decide)

/-- **Vectors do not cancel on the way**: the length of the whole sum in the gate of `basin_vector_prefix_sound`. -/
theorem basin_signed_vector_sum : ¬ ∀ {m : Nat} {p q : List (List Int)} {R : Int}, energy (sumVectors m (p ++ q)) < R * R →
    energy (sumVectors m p) < R * R :=
  fun wrong => absurd (wrong (m := 1) (p := [[3]]) (q := [[-3]]) (R := 2) (by decide)) (by decide)

/-- Three displacements of 1. -/
theorem three_nudges : RootBounded 1 [[1], [1], [1]] [1, 1, 1] :=
  .cons ⟨rfl, by decide⟩ (.cons ⟨rfl, by decide⟩ (.cons ⟨rfl, by decide⟩ .nil))

/-- **A controller adds up**: one that masks each step whose own bound is below the radius, in the place of `basinControl` in
`basin_controller_sound`. -/
theorem basin_step_by_step : ¬ ∀ {m : Nat} {δ : List (List Int)} {d : List Int} {R : Int}, 0 < R → RootBounded m δ d →
    ∀ {p q : List (List Int)}, served m (map (fun x => decide (x < R)) d) δ = p ++ q → energy (sumVectors m p) < R * R :=
  fun wrong => absurd (wrong (R := 2) (by decide) three_nudges (p := [[1], [1], [1]]) (q := []) rfl) (by decide)

/-- **What is kept must fit together**: a bound below the radius for each step in the place of the gate in `basin_controller_keeps`. -/
theorem controller_recomputes : ¬ ∀ {d : List Int} {R : Int}, (∀ x, x ∈ d → 0 ≤ x ∧ x < R) → basinControl R 0 d = map (fun _ => true) d :=
  fun wrong => by
    have e : [true, false, false] = [true, true, true] := wrong (d := [1, 1, 1]) (R := 2) (every (by decide))
    injection e with _ e
    injection e with e _
    exact nomatch e

/-- A controller that looks at the net displacement of the whole path before it decides about the first step. -/
def netControl (R spent : Int) (d : List Int) : List Bool := map (fun _ => decide (spent + sum d < R)) d

/-- **A controller does not know what comes**: `netControl` in the place of `basinControl` in `basin_controller_causal`.  The net
displacement of 3 and −3 lets both steps pass, that of 3 alone does not. -/
theorem net_displacement_is_not_causal : ¬ ∀ (R spent : Int) (d e : List Int), ∃ spent',
    netControl R spent (d ++ e) = netControl R spent d ++ netControl R spent' e := fun wrong => by
  obtain ⟨s, e⟩ := wrong 2 0 [3] [-3]
  have e : [true, true] = false :: netControl 2 s [-3] := e
  injection e with e _
  exact nomatch e

/-! ## Flows -/

/-- The maps 1·x and 3·x, the first step displaced by 1. -/
theorem expanding : LipschitzFlow 1 (dilations [1, 3]) [1, 3] [1, 1] ∧ RootBounded 1 (line [1, 0]) [1, 0] :=
  ⟨lipschitz_dilations (ps := [1, 3]) (every (by decide)), .cons ⟨rfl, by decide⟩ (.cons ⟨rfl, by decide⟩ .nil)⟩

/-- **The radius without the Lipschitz factors**: the gate for displacements that add up in `basin_flow_sound`.  The path ends 3 away. -/
theorem basin_without_lipschitz : ¬ ∀ {m : Nat} {fs : List (List Int → List Int)} {ps qs ds : List Int} {δ : List (List Int)}
    {x : List Int} {R : Int}, LipschitzFlow m fs ps qs → RootBounded m δ ds → x.length = m → basinVectorAdmit ds R = true →
    energy (subEntries (servedEnd fs δ x) (exactEnd fs x)) < R * R :=
  fun wrong => absurd (wrong (x := [0]) (R := 2) expanding.1 expanding.2 rfl rfl) (by decide)

/-- **No smaller weight for an earlier displacement**: the same in `basin_flow_sharp`. -/
theorem flow_gate_without_factors_is_not_sharp : ¬ ∀ {ps ds : List Int} {R x : Int}, ps.length = ds.length → (∀ p, p ∈ ps → 0 ≤ p) →
    (∀ d, d ∈ ds → 0 ≤ d) → 0 ≤ R → (basinVectorAdmit ds R = true ↔
      energy (subEntries (servedEnd (dilations ps) (line ds) [x]) (exactEnd (dilations ps) [x])) < R * R) :=
  fun wrong => absurd ((wrong (ps := [1, 3]) (ds := [1, 0]) (R := 2) (x := 0) rfl (every (by decide)) (every (by decide))
    (by decide)).mp rfl) (by decide)

/-- **Without the factors the mode changes**: the same in `basin_flow_same_mode`.  The mode tells whether a point is closer than 2
to the end of the exact path. -/
theorem mode_without_lipschitz : ¬ ∀ {m : Nat} {fs : List (List Int → List Int)} {ps qs ds : List Int} {δ : List (List Int)}
    {x : List Int} {R : Int} {μ : Type} (mode : List Int → μ), (∀ y, y.length = m →
      energy (subEntries y (exactEnd fs x)) < R * R → mode y = mode (exactEnd fs x)) → LipschitzFlow m fs ps qs →
    RootBounded m δ ds → x.length = m → basinVectorAdmit ds R = true → mode (servedEnd fs δ x) = mode (exactEnd fs x) :=
  fun wrong => nomatch (show false = true from wrong (fs := dilations [1, 3]) (x := [0]) (R := 2)
    (fun y => decide (energy (subEntries y [0]) < 2 * 2)) (fun _ _ close => (decide_eq_true close).trans rfl) expanding.1 expanding.2 rfl rfl)

/-- **The end is not the whole path**: the gate for the end in the place of the one for the path in `basin_flow_path_sound`.  With the
factors 1 and 0 and the bounds 5 and 0 the path ends where the exact one does, and has been 5 away. -/
theorem final_gate_is_not_path_gate : ¬ ∀ {m : Nat} {fs : List (List Int → List Int)} {ps qs ds : List Int} {δ : List (List Int)}
    {x : List Int} {R : Int}, LipschitzNear m R fs ps qs x → RootBounded m δ ds → x.length = m → basinFlowAdmit ps qs ds R = true →
    staysWithin R fs δ x x :=
  fun wrong => absurd (show energy (subEntries [5] [0]) < 2 * 2 from (wrong (x := [0]) (R := 2)
    ((lipschitz_dilations (ps := [1, 0]) (every (by decide))).near 2 rfl)
    (show RootBounded 1 (line [5, 0]) [5, 0] from .cons ⟨rfl, by decide⟩ (.cons ⟨rfl, by decide⟩ .nil)) rfl rfl).2.1) (by decide)

/-- A controller that masks a step when the bound is below the radius right after it. -/
def nearSighted (R N D : Int) : List Int → List Int → List Int → List Bool
  | p :: ps, q :: qs, d :: ds =>
    if 0 ≤ d ∧ p * N + d * q * D < R * (q * D) then true :: nearSighted R (p * N + d * q * D) (q * D) ps qs ds
    else false :: nearSighted R (p * N) (q * D) ps qs ds
  | _, _, _ => []

/-- **A controller looks ahead**: `nearSighted` in the place of `basinFlowControl` in `basin_flow_controller_sound`.  It masks the first
step, because 1 is below 2, and recomputes the second; the expansion alone carries the path across. -/
theorem controller_without_lookahead : ¬ ∀ {m : Nat} {fs : List (List Int → List Int)} {ps qs ds : List Int} {δ : List (List Int)}
    {x : List Int} {R : Int}, 0 < R → LipschitzNear m R fs ps qs x → RootBounded m δ ds → δ.length = fs.length → x.length = m →
    staysWithin R fs (served m (nearSighted R 0 1 ps qs ds) δ) x x :=
  fun wrong => absurd (show energy (subEntries [3] [0]) < 2 * 2 from
    (wrong (x := [0]) (R := 2) (by decide) (expanding.1.near 2 rfl) expanding.2 rfl rfl).2.2) (by decide)

/-- **Later factors matter**: factors that come later, in the place of displacements that come later, in
`basin_flow_controller_causal`.  Before a factor of 3 the first step is recomputed, before one of 1 it is masked. -/
theorem controller_depends_on_later_factors : ¬ ∀ (R N D : Int) (ps es es' qs ds : List Int), ps.length ≤ ds.length →
    ∃ k r r', k.length = ps.length ∧ flowControl R N D (ps ++ es) qs ds = k ++ r ∧ flowControl R N D (ps ++ es') qs ds = k ++ r' :=
  fun wrong => by
    obtain ⟨k, r, r', one, e, e'⟩ := wrong 2 0 1 [1] [3] [1] [1, 1] [1, 0] (by decide)
    rw [show flowControl 2 0 1 ([1] ++ [3]) [1, 1] [1, 0] = [false, true] from rfl] at e
    rw [show flowControl 2 0 1 ([1] ++ [1]) [1, 1] [1, 0] = [true, true] from rfl] at e'
    cases k with
    | nil => exact nomatch one
    | cons b k =>
      injection e with e _
      injection e' with e' _
      exact nomatch e.trans e'.symm

/-! ## Flows that are rounded -/

/-- **Rounded contractions are not constant**: a rounding error of 1 allowed in the hypothesis of `contraction_of_integers_constant`.
Halving, rounded down. -/
theorem rounded_contraction_moves : ¬ ∀ {f : Int → Int} {p q : Int}, 0 ≤ p → p < q → (∀ x y, ∃ u w, q * (f y - f x) = u + w ∧
    u * u ≤ p * p * ((y - x) * (y - x)) ∧ w * w ≤ q * q) → ∀ x : Int, f x = f 0 := by
  intro wrong
  refine absurd (wrong (f := fun a => a / 2) (p := 1) (q := 2) (by decide) (by decide) (fun x y =>
    ⟨y - x, 2 * (y / 2) - y - (2 * (x / 2) - x), ?_, ?_, ?_⟩) 2) (by decide)
  · show 2 * (y / 2 - x / 2) = _
    generalize y / 2 = s, x / 2 = t
    ring
  · rw [show (1 : Int) * 1 * ((y - x) * (y - x)) = (y - x) * (y - x) by ring]
    exact Int.le_refl _
  · obtain ⟨x₁, x₂⟩ := Int.ediv_spec x (d := 2) (by decide)
    obtain ⟨y₁, y₂⟩ := Int.ediv_spec y (d := 2) (by decide)
    generalize y / 2 = s, x / 2 = t at *
    exact Int.sq_le_sq_of_abs_le (by lin [x₁, y₂]) (by lin [x₂, y₁])

/-- **Rounding is a displacement of its own**: bounds `ds` in the place of `rs + ds` in `basin_flow_rounded_sound`.  Two halvings that
round down, displacements of 1 after each: `1/2 + 1 < 2`; the exact path is 2, 1, 0, the served one 2, 2, 2. -/
theorem rounding_left_out : ¬ ∀ {m : Nat} {fs : List (List Int → List Int)} {ps qs rs ds : List Int} {δ : List (List Int)}
    {x : List Int} {R : Int}, RoundedNear m R fs ps qs rs x → RootBounded m δ ds → (∀ d, d ∈ ds → 0 ≤ d) → δ.length = fs.length →
    x.length = m → basinFlowPathAdmit ps qs ds R = true → staysWithin R fs δ x x :=
  fun wrong => absurd (show energy (subEntries [2] [0]) < 2 * 2 from (wrong (δ := [[1], [1]]) (ds := [1, 1]) (rounded_halve 2 2)
    (.cons ⟨rfl, by decide⟩ (.cons ⟨rfl, by decide⟩ .nil)) (every (by decide)) rfl rfl rfl).2.2) (by decide)

/-- **Exact steps round too**: the gate with rounding bounds of 0.  Three steps that push up, the first displaced by 1, radius
3: the bound would stay 1, and the path reaches 3. -/
theorem exact_steps_round : ¬ ∀ {m : Nat} {fs : List (List Int → List Int)} {ps qs rs ds : List Int} {δ : List (List Int)}
    {x : List Int} {R : Int}, RoundedNear m R fs ps qs rs x → RootBounded m δ ds → x.length = m →
    basinFlowRoundedAdmit ps qs (map (fun _ => 0) rs) ds R = true → staysWithin R fs δ x x := fun wrong =>
  absurd (show energy (subEntries [3] [0]) < 3 * 3 from (wrong (rounded_pushUp 3) bounded_nudge rfl rfl).2.2.2)
    (by decide)

/-- **A controller that leaves the rounding out crosses**: the same steps, rounding bounds of 0. -/
theorem controller_without_rounding : ¬ ∀ {m : Nat} {fs : List (List Int → List Int)} {ps qs rs ds : List Int}
    {δ : List (List Int)} {x : List Int} {R : Int}, 0 < R → RoundedNear m R fs ps qs rs x → RootBounded m δ ds →
    δ.length = fs.length → x.length = m →
    staysWithin R fs (served m (basinFlowRoundedControl ps qs (map (fun _ => 0) rs) ds R) δ) x x := fun wrong =>
  absurd (show energy (subEntries [3] [0]) < 3 * 3 from (wrong (by decide) (rounded_pushUp 3) bounded_nudge rfl
    rfl).2.2.2) (by decide)

/-- **The factors belong to the closed form**: the sum of the bounds in the place of `flowNumerator` in `basinFlowAdmit_iff`. -/
theorem closed_form_without_factors : ¬ ∀ (ps qs ds : List Int) (R : Int), basinFlowAdmit ps qs ds R = true ↔
    ps.length = ds.length ∧ qs.length = ds.length ∧ (∀ p, p ∈ ps → 0 ≤ p) ∧ (∀ q, q ∈ qs → 0 < q)
    ∧ (∀ d, d ∈ ds → 0 ≤ d) ∧ sum ds < R * product qs := fun wrong =>
  nomatch (wrong [1, 3] [1, 1] [1, 0] 2).mpr ⟨rfl, rfl, every (by decide), every (by decide), every (by decide), by decide⟩

end Gnosis.Falsifiers

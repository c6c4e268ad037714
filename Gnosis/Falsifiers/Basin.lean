prelude
import Gnosis.BasinFlowController
/-! # The basin gate: what is false -/
open List
namespace Gnosis.Falsifiers

/-- **The radius without the Lipschitz factors**: the map `x ↦ 3x - 4` keeps the exact path at 2, at distance 2 from
the separatrix 0.  The displacements -1 and 0 have `Σ|δ| = 1 < 2`, so the gate for displacements that add up admits
them; yet the served path goes 2, 1, -1 and ends behind the separatrix.  The flow gate, with the factor 3, refuses. -/
theorem basin_without_lipschitz :
    let f : List Int → List Int := map (fun x => 3 * x - 4)
    exactEnd [f, f] [2] = [2] ∧ servedEnd [f, f] [[-1], [0]] [2] = [-1]
    ∧ basinAdmit [-1, 0] 2 = true ∧ basinVectorAdmit [1, 0] 2 = true
    ∧ ¬ energy (subEntries (servedEnd [f, f] [[-1], [0]] [2]) (exactEnd [f, f] [2])) < 2 * 2
    ∧ basinFlowAdmit [3, 3] [1, 1] [1, 0] 2 = false := ⟨rfl, rfl, rfl, rfl, by decide, rfl⟩

/-- **A controller that does not look ahead**: on the same path it masks the first step, because 1 is below 2, and
recomputes the second exactly; the expansion alone carries the path across.  The controller that looks ahead
recomputes the first. -/
theorem controller_without_lookahead :
    let f : List Int → List Int := map (fun x => 3 * x - 4)
    servedEnd [f, f] (served 1 [true, false] [[-1], [0]]) [2] = [-1]
    ∧ basinFlowControl [3, 3] [1, 1] [1, 0] 2 = [false, true] := ⟨rfl, rfl⟩

/-- A controller of a flow that did not depend on the factors of later steps either would not be sound: with the second
factor 3 the first step must be recomputed, with the second factor 1 it may be masked. -/
theorem controller_depends_on_later_factors :
    basinFlowControl [3, 3] [1, 1] [1, 0] 2 = [false, true] ∧ basinFlowControl [3, 1] [1, 1] [1, 0] 2 = [true, true] :=
  ⟨rfl, rfl⟩

/-- The end is not the whole path: with the factors 1 and 0 and the bounds 5 and 0 the path ends where the exact one
does, but after the first step it may be 5 away. -/
theorem final_gate_is_not_path_gate :
    basinFlowAdmit [1, 0] [1, 1] [5, 0] 2 = true ∧ basinFlowPathAdmit [1, 0] [1, 1] [5, 0] 2 = false
    ∧ ¬ staysWithin 2 [map (fun x => 1 * x), map (fun x => 0 * x)] [[5], [0]] [0] [0] :=
  ⟨rfl, rfl, fun h => absurd h.2.1 (by decide)⟩

/-- Strictness: with `≤` in place of `<` the path could reach the separatrix: one displacement as long as the
radius. -/
theorem basin_weak_comparison : sumAbs [2] ≤ 2 ∧ ¬ sum [2] < 2 := by decide

/-- The sum of the displacements instead of the sum of their absolute values: 3 and -3 add up to 0, but the path has
been 3 away. -/
theorem basin_signed_sum : sum [3, -3] < 2 ∧ ¬ sum [3] < 2 ∧ basinAdmit [3, -3] 2 = false := by decide

/-- Every step small is not enough: three steps of 1, each below the radius 2, add up to 3. -/
theorem basin_step_by_step : (∀ d, d ∈ [(1 : Int), 1, 1] → d < 2) ∧ ¬ sum [1, 1, 1] < 2 := by
  refine ⟨fun d m => ?_, by decide⟩
  cases m with
  | head => decide
  | tail _ m => cases m with
    | head => decide
    | tail _ m => cases m with
      | head => decide
      | tail _ m => exact nomatch m

/-- A controller of displacements that add up recomputes steps although each bound alone is below the radius: three bounds
of 1, radius 2. -/
theorem controller_recomputes : (∀ d, d ∈ [(1 : Int), 1, 1] → d < 2) ∧ basinVectorAdmit [1, 1, 1] 2 = false
    ∧ basinControl 2 0 [1, 1, 1] = [true, false, false] := ⟨basin_step_by_step.1, rfl, rfl⟩

/-- A controller that looks at the whole path before it decides about the first step is no controller: the net
displacement of 3 and -3 lets both steps pass, that of 3 alone does not. -/
theorem net_displacement_is_not_causal :
    decide (sum [3, -3] < 2) = true ∧ decide (sum [3] < 2) = false ∧ basinControl 2 0 [3] = [false] := ⟨rfl, rfl, rfl⟩

/-- **Rounding is a displacement of its own**: two halvings that round down, displacements of 1 after each.  With the
factors 1/2 alone the bound is `1/2 + 1 < 2` and the path gate admits the radius 2; the exact path is 2, 1, 0, the served
path 2, 2, 2, which is 2 away.  With a rounding error of 1 for each step the gate refuses. -/
theorem rounding_left_out :
    basinFlowPathAdmit [1, 1] [2, 2] [1, 1] 2 = true ∧ RoundedNear 1 2 [halve, halve] [1, 1] [2, 2] [1, 1] [2]
    ∧ RootBounded 1 [[1], [1]] [1, 1] ∧ ¬ staysWithin 2 [halve, halve] [[1], [1]] [2] [2]
    ∧ basinFlowPathAdmit [1, 1] [2, 2] (addEntries [1, 1] [1, 1]) 2 = false :=
  ⟨rfl, rounded_halve 2 2, .cons ⟨rfl, by decide⟩ (.cons ⟨rfl, by decide⟩ .nil), 
    fun h => absurd (show energy (subEntries [2] [0]) < 2 * 2 from h.2.2) (by decide), rfl⟩

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
    ∧ (∀ d, d ∈ ds → 0 ≤ d) ∧ sum ds < R * product qs := fun wrong => by
  refine nomatch (wrong [1, 3] [1, 1] [1, 0] 2).mpr ⟨rfl, rfl, fun p m => ?_, fun q m => ?_, fun d m => ?_, by decide⟩
  · cases m with
    | head => decide
    | tail _ m => cases m with
      | head => decide
      | tail _ m => exact nomatch m
  · cases m with
    | head => decide
    | tail _ m => cases m with
      | head => decide
      | tail _ m => exact nomatch m
  · cases m with
    | head => decide
    | tail _ m => cases m with
      | head => decide
      | tail _ m => exact nomatch m
end Gnosis.Falsifiers

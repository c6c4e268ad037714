prelude
import Gnosis.BasinFlowRounding
/-! # Gate and controller for a flow that is rounded to a grid

Every step pays for its rounding, computed exactly or not, from the first displacement on: as long as nothing has been
displaced the served path is the exact one, whose images round alike.  So the bound stays 0 until the first masked step, and
after it a step adds its rounding bound `r` and its own bound `d` to what its map does to the bound.  The gate asks that the
bound stays below the radius along the whole path; the controller masks a step when it would do so if all further steps were
exact, with their rounding. -/
open List
namespace Gnosis

/-! ## One step -/

/-- Vectors of the same length at distance 0 are equal. -/
theorem eq_of_energy_subEntries {x y : List Int} (h : y.length = x.length) (e : energy (subEntries y x) ≤ 0) : y = x := by
  induction x generalizing y with
  | nil => cases y with
    | nil => rfl
    | cons _ _ => exact nomatch h
  | cons a x ih => cases y with
    | nil => exact nomatch h
    | cons b y =>
      have e : (b - a) * (b - a) + energy (subEntries y x) ≤ 0 := e
      have k := energy_nonneg (subEntries y x)
      have s := Int.sq_nonneg (b - a)
      have z : (b - a) * (b - a) ≤ 0 * 0 := by lin [e, k]
      obtain ⟨h₁, h₂⟩ := Int.abs_le_of_sq_le_sq z (Int.le_refl 0)
      rw [ih (Nat.add_right_cancel h) (by lin [e, s]), Int.le_antisymm (show b ≤ a by lin [h₂]) (by lin [h₁])]

/-- The bound after a step is not negative. -/
theorem roundedStep_nonneg {N D p q r d : Int} (hN : 0 ≤ N) (hD : 0 < D) (hp : 0 ≤ p) (hq : 0 < q) (hr : 0 ≤ r)
    (hd : 0 ≤ d) : 0 ≤ roundedStep N D p q r d := by
  have k : ∀ s, 0 ≤ s → 0 ≤ s * q * D := fun s hs => Int.mul_nonneg (Int.mul_nonneg hs (Int.le_of_lt hq)) (Int.le_of_lt hD)
  unfold roundedStep
  by_cases z : N = 0
  · rw [if_pos z]; exact k d hd
  · rw [if_neg z]; exact Int.add_nonneg (Int.mul_nonneg hp hN) (k _ (Int.add_nonneg hr hd))

/-- One step of a rounded flow: the served path moves from `y` to `f y + v`, the exact one from `x` to `f x`. -/
theorem roundedStep_bound {m : Nat} {f : List Int → List Int} {x y v : List Int} {N D p q r d : Int} (hx : x.length = m)
    (hy : y.length = m) (lx : (f x).length = m) (ly : (f y).length = m) (hv : v.length = m) (hN : 0 ≤ N) (hD : 0 < D)
    (hp : 0 ≤ p) (hq : 0 < q) (hr : 0 ≤ r) (hd : 0 ≤ d) (h : D * D * energy (subEntries y x) ≤ N * N)
    (near : ∃ u w, u.length = m ∧ w.length = m ∧ smul q (subEntries (f y) (f x)) = addEntries u w
      ∧ energy u ≤ p * p * energy (subEntries y x) ∧ energy w ≤ q * r * (q * r)) (bound : energy v ≤ d * d) :
    (q * D) * (q * D) * energy (subEntries (addEntries (f y) v) (f x))
      ≤ roundedStep N D p q r d * roundedStep N D p q r d := by
  have qD := Int.mul_pos hq hD
  have k := Int.mul_le_mul_of_nonneg_left bound (Int.sq_nonneg (q * D))
  have dD : 0 ≤ d * q * D := Int.mul_nonneg (Int.mul_nonneg hd (Int.le_of_lt hq)) (Int.le_of_lt hD)
  rw [subEntries_addEntries (ly.trans hv.symm) (lx.trans ly.symm)]
  have lz := (length_subEntries (ly.trans lx.symm)).trans (ly.trans hv.symm)
  unfold roundedStep
  by_cases z : N = 0
  · rw [if_pos z]
    rw [z] at h
    have e : y = x := by
      refine eq_of_energy_subEntries (hy.trans hx.symm) ?_
      refine Int.le_of_mul_le_mul_left (a := D * D) ?_ (Int.mul_pos hD hD)
      rw [Int.mul_zero]; exact h
    have s := energy_add_le (C := q * D * (q * D)) (α := 0) (β := d * q * D) lz (Int.sq_nonneg _) (Int.le_refl 0) dD
      (by rw [e, energy_subEntries_self]; exact Int.le_of_eq (by ring)) (by lin [k])
    rw [Int.zero_add] at s; exact s
  · rw [if_neg z]
    obtain ⟨u, w, hu, hw, split, contracted, rounded⟩ := near
    have step := rounded_step hN hD hp hq hr h (hu.trans hw.symm) split contracted rounded
    have rD := Int.mul_nonneg (Int.mul_nonneg hr (Int.le_of_lt hq)) (Int.le_of_lt hD)
    have s := energy_add_le (C := q * D * (q * D)) (β := d * q * D) lz (Int.sq_nonneg _)
      (Int.add_nonneg (Int.mul_nonneg hp hN) rD) dD step (by lin [k])
    rw [show p * N + (r + d) * q * D = p * N + r * q * D + d * q * D by ring]
    exact s

/-! ## The gate -/

/-- **The gate for a rounded flow**: the exact path is `x_{t+1} = f_t(x_t)`, the served path `y_{t+1} = f_t(y_t) + δ_t` from the
same start; closer than `R` to the exact path `f_t` is Lipschitz with factor `p_t / q_t` up to a rounding error of length
`r_t`, and `energy δ_t ≤ d_t²`.  If the gate admits, the served path is closer than `R` to the exact one after every step.  A
step that is computed exactly has `d_t = 0` and pays for its rounding, once something has been displaced. -/
theorem basin_flow_rounded_path_sound {m : Nat} {fs : List (List Int → List Int)} {ps qs rs ds : List Int}
    {δ : List (List Int)} {x : List Int} {R : Int} (flow : RoundedNear m R fs ps qs rs x) (bounds : RootBounded m δ ds)
    (hx : x.length = m) (admitted : basinFlowRoundedAdmit ps qs rs ds R = true) : staysWithin R fs δ x x := by
  have main : ∀ N D y, x.length = m → y.length = m → 0 ≤ N → 0 < D → D * D * energy (subEntries y x) ≤ N * N →
      roundedPathAdmitFrom R N D ps qs rs ds = true → staysWithin R fs δ x y := by
    clear admitted hx
    induction flow generalizing δ ds with
    | nil x =>
      intro N D y _ _ hN hD h ok
      cases bounds with
      | nil => exact energy_lt_of_bound hN hD h (of_decide_eq_true ok)
      | cons _ _ => exact nomatch ok
    | @cons f p q r fs ps qs rs x hp hq hr lx lip _ ih =>
      intro N D y hx hy hN hD h ok
      cases bounds with
      | nil => exact nomatch ok
      | @cons v d δ ds hv bounds =>
        obtain ⟨lt, ok⟩ := Bool.and_eq_true_iff.mp ok
        obtain ⟨ranges, ok⟩ := Bool.and_eq_true_iff.mp ok
        have hd := (of_decide_eq_true ranges).2.2.2
        have close := energy_lt_of_bound hN hD h (of_decide_eq_true lt)
        obtain ⟨ly, near⟩ := lip y hy close
        exact ⟨close, ih bounds _ _ (addEntries (f y) v) lx ((length_addEntries (ly.trans hv.1.symm)).trans ly)
          (roundedStep_nonneg hN hD hp hq hr hd) (Int.mul_pos hq hD)
          (roundedStep_bound hx hy lx ly hv.1 hN hD hp hq hr hd h near hv.2) ok⟩
  refine main 0 1 x hx hx (Int.le_refl 0) (by decide) ?_ admitted
  rw [energy_subEntries_self]; exact Int.le_refl 0

/-! ## The controller -/

/-- What survival means at the first step. -/
theorem roundedSurvives_cons {R N D p q r : Int} {ps qs rs : List Int}
    (h : roundedSurvives R N D (p :: ps) (q :: qs) (r :: rs) = true) :
    N < R * D ∧ roundedSurvives R (roundedStep N D p q r 0) (q * D) ps qs rs = true := by
  obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp h
  exact ⟨of_decide_eq_true h₁, (Bool.and_eq_true_iff.mp h).2⟩

/-- Without a displacement the whole path survives: an exact path is at distance 0 from itself, whatever it rounds. -/
theorem roundedSurvives_zero {m : Nat} {fs : List (List Int → List Int)} {ps qs rs x : List Int} {R D : Int} (hR : 0 < R)
    (hD : 0 < D) (flow : RoundedNear m R fs ps qs rs x) : roundedSurvives R 0 D ps qs rs = true := by
  induction flow generalizing D with
  | nil => exact decide_eq_true (Int.mul_pos hR hD)
  | @cons f p q r fs ps qs rs x hp hq hr _ _ _ ih =>
    refine Bool.and_eq_true_iff.mpr ⟨decide_eq_true (Int.mul_pos hR hD), Bool.and_eq_true_iff.mpr
      ⟨decide_eq_true ⟨hp, hq, hr⟩, ?_⟩⟩
    have e : roundedStep 0 D p q r 0 = 0 := by
      unfold roundedStep
      rw [if_pos rfl, Int.zero_mul, Int.zero_mul]
    rw [e]; exact ih (Int.mul_pos hq hD)

/-- **The controller of a rounded flow never crosses**: closer than `R` to the exact path the maps are Lipschitz with factors
`p_t / q_t` up to rounding errors of length `r_t`, and the displacements have lengths of at most `d_t`.  If every step after
which the exact rest of the path, with its rounding, could leave the radius is recomputed exactly, the served path is closer
than `R` to the exact one after every step.  No admission hypothesis. -/
theorem basin_flow_rounded_controller_sound {m : Nat} {fs : List (List Int → List Int)} {ps qs rs ds : List Int}
    {δ : List (List Int)} {x : List Int} {R : Int} (hR : 0 < R) (flow : RoundedNear m R fs ps qs rs x)
    (bounds : RootBounded m δ ds) (steps : δ.length = fs.length) (hx : x.length = m) :
    staysWithin R fs (served m (basinFlowRoundedControl ps qs rs ds R) δ) x x := by
  have main : ∀ N D y, x.length = m → y.length = m → 0 ≤ N → 0 < D → D * D * energy (subEntries y x) ≤ N * N →
      roundedSurvives R N D ps qs rs = true → staysWithin R fs (served m (roundedControl R N D ps qs rs ds) δ) x y := by
    clear hx
    induction flow generalizing δ ds with
    | nil x =>
      intro N D y _ _ hN hD h ok
      cases bounds with
      | nil => exact energy_lt_of_bound hN hD h (of_decide_eq_true ok)
      | cons _ _ => exact nomatch steps
    | @cons f p q r fs ps qs rs x hp hq hr lx lip _ ih =>
      intro N D y hx hy hN hD h ok
      obtain ⟨lt, rest⟩ := roundedSurvives_cons ok
      have close := energy_lt_of_bound hN hD h lt
      obtain ⟨ly, near⟩ := lip y hy close
      cases bounds with
      | nil => exact nomatch steps
      | @cons v d δ ds hv bounds =>
        by_cases c : 0 ≤ d ∧ roundedSurvives R (roundedStep N D p q r d) (q * D) ps qs rs = true
        · have e : roundedControl R N D (p :: ps) (q :: qs) (r :: rs) (d :: ds)
              = true :: roundedControl R (roundedStep N D p q r d) (q * D) ps qs rs ds := if_pos c
          rw [e]
          exact ⟨close, ih bounds (Nat.add_right_cancel steps) _ _ (addEntries (f y) v) lx
            ((length_addEntries (ly.trans hv.1.symm)).trans ly) (roundedStep_nonneg hN hD hp hq hr c.1) (Int.mul_pos hq hD)
            (roundedStep_bound hx hy lx ly hv.1 hN hD hp hq hr c.1 h near hv.2) c.2⟩
        · have e : roundedControl R N D (p :: ps) (q :: qs) (r :: rs) (d :: ds)
              = false :: roundedControl R (roundedStep N D p q r 0) (q * D) ps qs rs ds := if_neg c
          rw [e]
          have lz : (replicate m (0 : Int)).length = m := Gnosis.length_replicate m 0
          exact ⟨close, ih bounds (Nat.add_right_cancel steps) _ _ (addEntries (f y) (replicate m 0)) lx
            ((length_addEntries (ly.trans lz.symm)).trans ly) (roundedStep_nonneg hN hD hp hq hr (Int.le_refl 0))
            (Int.mul_pos hq hD) (roundedStep_bound hx hy lx ly lz hN hD hp hq hr (Int.le_refl 0) h near
              (by rw [energy_replicate_zero]; exact Int.le_refl 0)) rest⟩
  refine main 0 1 x hx hx (Int.le_refl 0) (by decide) ?_ (roundedSurvives_zero hR (by decide) flow)
  rw [energy_subEntries_self]; exact Int.le_refl 0

/-! ## Not vacuous, and sharp -/

/-- Half a grid step away from the identity: numbers above 0 are rounded up to the next one. -/
def pushUp (x : List Int) : List Int := map (fun a => if a ≤ 0 then a else a + 1) x

/-- On the line this is the identity up to a rounding error of 1. -/
theorem rounded_pushUp (R : Int) : RoundedNear 1 R [pushUp, pushUp, pushUp] [1, 1, 1] [1, 1, 1] [1, 1, 1] [0] := by
  have step : ∀ y : List Int, y.length = 1 → energy (subEntries y [0]) < R * R → (pushUp y).length = 1 ∧
      ∃ u w, u.length = 1 ∧ w.length = 1 ∧ smul 1 (subEntries (pushUp y) (pushUp [0])) = addEntries u w
        ∧ energy u ≤ 1 * 1 * energy (subEntries y [0]) ∧ energy w ≤ 1 * 1 * (1 * 1) := by
    intro y hy _
    cases y with
    | nil => exact nomatch hy
    | cons b y => cases y with
      | cons _ _ => exact nomatch hy
      | nil =>
        refine ⟨rfl, [b], [if b ≤ 0 then 0 else 1], rfl, rfl, ?_, ?_, ?_⟩
        · show [1 * ((if b ≤ 0 then b else b + 1) - 0)] = [b + (if b ≤ 0 then 0 else 1)]
          by_cases h : b ≤ 0
          · rw [if_pos h, if_pos h, show 1 * (b - 0) = b + 0 by ring]
          · rw [if_neg h, if_neg h, show 1 * (b + 1 - 0) = b + 1 by ring]
        · show b * b + 0 ≤ 1 * 1 * ((b - 0) * (b - 0) + 0)
          exact Int.le_of_eq (by ring)
        · by_cases h : b ≤ 0
          · rw [if_pos h]; decide
          · rw [if_neg h]; decide
  exact .cons (by decide) (by decide) (by decide) rfl step
    (.cons (by decide) (by decide) (by decide) rfl step (.cons (by decide) (by decide) (by decide) rfl step (.nil _)))

/-- One displacement of 1, then none. -/
theorem bounded_nudge : RootBounded 1 [[1], [0], [0]] [1, 0, 0] :=
  .cons ⟨rfl, by decide⟩ (.cons ⟨rfl, by decide⟩ (.cons ⟨rfl, by decide⟩ .nil))

/-- **Sharp**: three steps that push up, the first one displaced by 1.  At the radius 4 it is masked and the path ends at 3;
at the radius 3 it is recomputed, and had it been masked the path would have reached 3. -/
theorem basin_flow_rounded_controller_instance :
    RoundedNear 1 4 [pushUp, pushUp, pushUp] [1, 1, 1] [1, 1, 1] [1, 1, 1] [0]
    ∧ basinFlowRoundedControl [1, 1, 1] [1, 1, 1] [1, 1, 1] [1, -1, -1] 4 = [true, false, false]
    ∧ basinFlowRoundedControl [1, 1, 1] [1, 1, 1] [1, 1, 1] [1, -1, -1] 3 = [false, false, false]
    ∧ servedEnd [pushUp, pushUp, pushUp] [[1], [0], [0]] [0] = [3]
    ∧ basinFlowRoundedAdmit [1, 1, 1] [1, 1, 1] [1, 1, 1] [1, 0, 0] 4 = true
    ∧ basinFlowRoundedAdmit [1, 1, 1] [1, 1, 1] [1, 1, 1] [1, 0, 0] 3 = false :=
  ⟨rounded_pushUp 4, rfl, rfl, rfl, rfl, rfl⟩
end Gnosis

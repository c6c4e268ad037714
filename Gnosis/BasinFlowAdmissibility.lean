prelude
import Gnosis.BasinSeparatrixAdmissibility
/-! # Staying in the basin of a flow

The exact path is `x_{t+1} = f_t(x_t)`, the served path `y_{t+1} = f_t(y_t) + δ_t`: the flow carries a displacement
along and may magnify it, so the lengths of the displacements alone say nothing about where the path ends
(`Gnosis.Falsifiers.basin_without_lipschitz`).  With Lipschitz factors `p_t / q_t` of the maps, a hypothesis about
the world like the radius `R`:

* `basin_flow_sound`: the end of the path; `basin_flow_path_sound`: every step, and the factors need to hold only
  closer than `R` to the exact path.  Sharp (`basin_flow_sharp`).
* `basin_flow_controller_sound`: a controller that recomputes exactly every step after which the exact rest of the
  path could leave the radius.  It needs no admission hypothesis. -/
open List
namespace Gnosis

/-! ## Flows -/

/-- The end of the exact path: from `x` through the maps `f_t`. -/
def exactEnd : List (List Int → List Int) → List Int → List Int
  | [], x => x
  | f :: fs, x => exactEnd fs (f x)

/-- The end of the served path: each step displaces what the map returns by `δ_t`. -/
def servedEnd : List (List Int → List Int) → List (List Int) → List Int → List Int
  | f :: fs, v :: δ, y => servedEnd fs δ (addEntries (f y) v)
  | _, _, y => y

/-- From the start and after every step the served path is closer than `R` to the exact one, when they are at `y` and
`x` now; and there is a displacement for each map. -/
def staysWithin (R : Int) : List (List Int → List Int) → List (List Int) → List Int → List Int → Prop
  | [], [], x, y => energy (subEntries y x) < R * R
  | f :: fs, v :: δ, x, y => energy (subEntries y x) < R * R ∧ staysWithin R fs δ (f x) (addEntries (f y) v)
  | _, _, _, _ => False

/-- The maps of the flow keep the dimension `m`, and `f_t` is Lipschitz with the rational factor `p_t / q_t ≥ 0`:
`|f_t(y) - f_t(x)| ≤ (p_t/q_t)·|y - x|`, written with energies.  On the integers a factor below one leaves constant maps
only; maps that contract up to rounding are in `Gnosis.BasinFlowRounding`. -/
inductive LipschitzFlow (m : Nat) : List (List Int → List Int) → List Int → List Int → Prop where
  | nil : LipschitzFlow m [] [] []
  | cons {f : List Int → List Int} {p q : Int} {fs : List (List Int → List Int)} {ps qs : List Int} :
      0 ≤ p → 0 < q → (∀ x, x.length = m → (f x).length = m) →
      (∀ x y, x.length = m → y.length = m →
        q * q * energy (subEntries (f y) (f x)) ≤ p * p * energy (subEntries y x)) →
      LipschitzFlow m fs ps qs → LipschitzFlow m (f :: fs) (p :: ps) (q :: qs)

/-- The same, asked for only between the exact path from `x` and points closer than `R` to it. -/
inductive LipschitzNear (m : Nat) (R : Int) : List (List Int → List Int) → List Int → List Int → List Int → Prop where
  | nil (x : List Int) : LipschitzNear m R [] [] [] x
  | cons {f : List Int → List Int} {p q : Int} {fs : List (List Int → List Int)} {ps qs x : List Int} :
      0 ≤ p → 0 < q → (f x).length = m →
      (∀ y, y.length = m → energy (subEntries y x) < R * R → (f y).length = m ∧
        q * q * energy (subEntries (f y) (f x)) ≤ p * p * energy (subEntries y x)) →
      LipschitzNear m R fs ps qs (f x) → LipschitzNear m R (f :: fs) (p :: ps) (q :: qs) x

/-- A Lipschitz flow is one near every path. -/
theorem LipschitzFlow.near {m : Nat} {fs : List (List Int → List Int)} {ps qs : List Int}
    (flow : LipschitzFlow m fs ps qs) (R : Int) {x : List Int} (hx : x.length = m) : LipschitzNear m R fs ps qs x := by
  induction flow generalizing x with
  | nil => exact .nil x
  | cons hp hq keep lip _ ih =>
    exact .cons hp hq (keep x hx) (fun y hy _ => ⟨keep y hy, lip x y hx hy⟩) (ih (keep x hx))

/-- One exact step of the bound. -/
theorem flow_step_exact {e e' N D p q : Int} (h : D * D * e ≤ N * N) (lip : q * q * e' ≤ p * p * e) :
    (q * D) * (q * D) * e' ≤ (p * N) * (p * N) := by
  have h₁ := Int.mul_le_mul_of_nonneg_left lip (Int.sq_nonneg D)
  have h₂ := Int.mul_le_mul_of_nonneg_left h (Int.sq_nonneg p)
  lin [h₁, h₂]

/-- One served step of the bound: `N / D` becomes `(p·N + d·q·D) / (q·D)`. -/
theorem flow_step {u v w : List Int} {e N D p q d : Int} (huv : u.length = v.length) (hw : w.length = u.length)
    (hN : 0 ≤ N) (hD : 0 < D) (hp : 0 ≤ p) (hq : 0 < q) (hd : 0 ≤ d) (h : D * D * e ≤ N * N)
    (lip : q * q * energy (subEntries u w) ≤ p * p * e) (bound : energy v ≤ d * d) :
    (q * D) * (q * D) * energy (subEntries (addEntries u v) w) ≤ (p * N + d * q * D) * (p * N + d * q * D) := by
  rw [subEntries_addEntries huv hw]
  have qD := Int.mul_pos hq hD
  refine energy_add_le ((length_subEntries hw.symm).trans huv) (Int.sq_nonneg _) (Int.mul_nonneg hp hN) ?_
    (flow_step_exact h lip) ?_
  · rw [show d * q * D = d * (q * D) by ring]
    exact Int.mul_nonneg hd (Int.le_of_lt qD)
  · have k := Int.mul_le_mul_of_nonneg_left bound (Int.sq_nonneg (q * D))
    lin [k]

/-- What the flow gate checks at the first step. -/
theorem flowAdmitFrom_cons {R N D p q d : Int} {ps qs ds : List Int}
    (h : flowAdmitFrom R N D (p :: ps) (q :: qs) (d :: ds) = true) :
    0 ≤ d ∧ flowAdmitFrom R (p * N + d * q * D) (q * D) ps qs ds = true := by
  obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
  exact ⟨(of_decide_eq_true h₁).2.2, h₂⟩

/-- **Flow form**: the exact path is `x_{t+1} = f_t(x_t)`, the served path `y_{t+1} = f_t(y_t) + δ_t` from the same
start, `f_t` is Lipschitz with factor `p_t / q_t`, and `energy δ_t ≤ d_t²`.  If the gate admits, that is `Σ_t
(∏_{s>t} p_s/q_s)·d_t < R` (`basinFlowAdmit_iff`), then the served path ends closer than `R` to the exact one. -/
theorem basin_flow_sound {m : Nat} {fs : List (List Int → List Int)} {ps qs ds : List Int} {δ : List (List Int)}
    {x : List Int} {R : Int} (flow : LipschitzFlow m fs ps qs) (bounds : RootBounded m δ ds) (hx : x.length = m)
    (admitted : basinFlowAdmit ps qs ds R = true) :
    energy (subEntries (servedEnd fs δ x) (exactEnd fs x)) < R * R := by
  have main : ∀ N D x y, x.length = m → y.length = m → 0 ≤ N → 0 < D →
      D * D * energy (subEntries y x) ≤ N * N → flowAdmitFrom R N D ps qs ds = true →
      energy (subEntries (servedEnd fs δ y) (exactEnd fs x)) < R * R := by
    clear admitted hx x
    induction flow generalizing δ ds with
    | nil =>
      intro N D x y _ _ hN hD h ok
      cases bounds with
      | nil => exact energy_lt_of_bound hN hD h (of_decide_eq_true ok)
      | cons _ _ => exact nomatch ok
    | @cons f p q fs ps qs hp hq keep lip _ ih =>
      intro N D x y hx hy hN hD h ok
      cases bounds with
      | nil => exact nomatch ok
      | @cons v d δ ds hv bounds =>
        obtain ⟨hd, ok⟩ := flowAdmitFrom_cons ok
        have ly := keep y hy
        refine ih bounds _ _ (f x) (addEntries (f y) v) (keep x hx)
          ((length_addEntries (ly.trans hv.1.symm)).trans ly) ?_ (Int.mul_pos hq hD) ?_ ok
        · exact Int.add_nonneg (Int.mul_nonneg hp hN)
            (Int.mul_nonneg (Int.mul_nonneg hd (Int.le_of_lt hq)) (Int.le_of_lt hD))
        · exact flow_step (ly.trans hv.1.symm) ((keep x hx).trans ly.symm) hN hD hp hq hd h (lip x y hx hy) hv.2
  refine main 0 1 x x hx hx (Int.le_refl 0) (by decide) ?_ admitted
  rw [energy_subEntries_self]; exact Int.le_refl 0

/-- The served path keeps the dimension. -/
theorem length_servedEnd {m : Nat} {fs : List (List Int → List Int)} {ps qs ds : List Int} {δ : List (List Int)}
    {y : List Int} (flow : LipschitzFlow m fs ps qs) (bounds : RootBounded m δ ds) (hy : y.length = m) :
    (servedEnd fs δ y).length = m := by
  induction flow generalizing δ ds y with
  | nil => exact hy
  | cons _ _ keep _ _ ih => cases bounds with
    | nil => exact hy
    | cons hv bounds =>
      have ly := keep y hy
      exact ih bounds ((length_addEntries (ly.trans hv.1.symm)).trans ly)

/-- What `R` is for: if every point closer than `R` to the end of the exact path has the same label (the same image
mode, the same class) as that end, the admitted served path ends with this label. -/
theorem basin_flow_same_mode {m : Nat} {fs : List (List Int → List Int)} {ps qs ds : List Int} {δ : List (List Int)}
    {x : List Int} {R : Int} {μ : Type} (mode : List Int → μ)
    (basin : ∀ y, y.length = m → energy (subEntries y (exactEnd fs x)) < R * R → mode y = mode (exactEnd fs x))
    (flow : LipschitzFlow m fs ps qs) (bounds : RootBounded m δ ds) (hx : x.length = m)
    (admitted : basinFlowAdmit ps qs ds R = true) : mode (servedEnd fs δ x) = mode (exactEnd fs x) :=
  basin _ (length_servedEnd flow bounds hx) (basin_flow_sound flow bounds hx admitted)

/-- What the flow gate for the whole path checks at the first step. -/
theorem flowPathAdmitFrom_cons {R N D p q d : Int} {ps qs ds : List Int}
    (h : flowPathAdmitFrom R N D (p :: ps) (q :: qs) (d :: ds) = true) :
    N < R * D ∧ 0 ≤ d ∧ flowPathAdmitFrom R (p * N + d * q * D) (q * D) ps qs ds = true := by
  obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp h
  obtain ⟨h₂, h₃⟩ := Bool.and_eq_true_iff.mp h
  exact ⟨of_decide_eq_true h₁, (of_decide_eq_true h₂).2.2, h₃⟩

/-- **Flow form for the whole path**: if the gate admits every beginning, the served path is closer than `R` to the
exact one after every step.  Here the Lipschitz factors need to hold only closer than `R` to the exact path. -/
theorem basin_flow_path_sound {m : Nat} {fs : List (List Int → List Int)} {ps qs ds : List Int} {δ : List (List Int)}
    {x : List Int} {R : Int} (flow : LipschitzNear m R fs ps qs x) (bounds : RootBounded m δ ds) (hx : x.length = m)
    (admitted : basinFlowPathAdmit ps qs ds R = true) : staysWithin R fs δ x x := by
  have main : ∀ N D y, x.length = m → y.length = m → 0 ≤ N → 0 < D →
      D * D * energy (subEntries y x) ≤ N * N → flowPathAdmitFrom R N D ps qs ds = true → staysWithin R fs δ x y := by
    clear admitted hx
    induction flow generalizing δ ds with
    | nil x =>
      intro N D y _ _ hN hD h ok
      cases bounds with
      | nil => exact energy_lt_of_bound hN hD h (of_decide_eq_true ok)
      | cons _ _ => exact nomatch ok
    | @cons f p q fs ps qs x hp hq lx lip _ ih =>
      intro N D y hx hy hN hD h ok
      cases bounds with
      | nil => exact nomatch ok
      | @cons v d δ ds hv bounds =>
        obtain ⟨lt, hd, ok⟩ := flowPathAdmitFrom_cons ok
        have close := energy_lt_of_bound hN hD h lt
        obtain ⟨ly, lip⟩ := lip y hy close
        refine ⟨close, ih bounds _ _ (addEntries (f y) v) lx
          ((length_addEntries (ly.trans hv.1.symm)).trans ly) ?_ (Int.mul_pos hq hD) ?_ ok⟩
        · exact Int.add_nonneg (Int.mul_nonneg hp hN)
            (Int.mul_nonneg (Int.mul_nonneg hd (Int.le_of_lt hq)) (Int.le_of_lt hD))
        · exact flow_step (ly.trans hv.1.symm) (lx.trans ly.symm) hN hD hp hq hd h lip hv.2
  refine main 0 1 x hx hx (Int.le_refl 0) (by decide) ?_ admitted
  rw [energy_subEntries_self]; exact Int.le_refl 0

/-! ## The gate in closed form -/

/-- The product of the entries. -/
def product : List Int → Int
  | [] => 1
  | x :: l => x * product l

/-- `Σ_t d_t·(∏_{s>t} p_s)·(∏_{s≤t} q_s)` times `before`: the numerator of `Σ_t (∏_{s>t} p_s/q_s)·d_t` over the common
denominator `∏ q_s`. -/
def flowNumerator (before : Int) : List Int → List Int → List Int → Int
  | _ :: ps, q :: qs, d :: ds => d * product ps * (before * q) + flowNumerator (before * q) ps qs ds
  | _, _, _ => 0

/-- The flow gate from the bound `N / D` on, in closed form. -/
theorem flowAdmitFrom_iff (R N D : Int) (ps qs ds : List Int) : flowAdmitFrom R N D ps qs ds = true ↔
    ps.length = ds.length ∧ qs.length = ds.length ∧ (∀ p, p ∈ ps → 0 ≤ p) ∧ (∀ q, q ∈ qs → 0 < q)
    ∧ (∀ d, d ∈ ds → 0 ≤ d) ∧ product ps * N + flowNumerator D ps qs ds < R * (D * product qs) := by
  induction ps generalizing qs ds N D with
  | nil => cases qs with
    | nil => cases ds with
      | nil =>
        show decide (N < R * D) = true ↔ _
        have e₁ : product [] * N + flowNumerator D [] [] [] = N := by show 1 * N + 0 = N; ring
        have e₂ : R * (D * product []) = R * D := by show R * (D * 1) = R * D; ring
        rw [e₁, e₂]
        exact ⟨fun h => ⟨rfl, rfl, fun _ m => (nomatch m), fun _ m => (nomatch m), fun _ m => (nomatch m),
            of_decide_eq_true h⟩,
          fun h => decide_eq_true h.2.2.2.2.2⟩
      | cons d ds => exact ⟨fun h => (nomatch h), fun h => (nomatch h.1)⟩
    | cons q qs => cases ds with
      | nil => exact ⟨fun h => (nomatch h), fun h => (nomatch h.2.1)⟩
      | cons d ds => exact ⟨fun h => (nomatch h), fun h => (nomatch h.1)⟩
  | cons p ps ih => cases qs with
    | nil => cases ds with
      | nil => exact ⟨fun h => (nomatch h), fun h => (nomatch h.1)⟩
      | cons d ds => exact ⟨fun h => (nomatch h), fun h => (nomatch h.2.1)⟩
    | cons q qs => cases ds with
      | nil => exact ⟨fun h => (nomatch h), fun h => (nomatch h.1)⟩
      | cons d ds =>
        have e₁ : product (p :: ps) * N + flowNumerator D (p :: ps) (q :: qs) (d :: ds)
            = product ps * (p * N + d * q * D) + flowNumerator (q * D) ps qs ds := by
          show p * product ps * N + (d * product ps * (D * q) + flowNumerator (D * q) ps qs ds) = _
          rw [Int.mul_comm D q]
          generalize flowNumerator (q * D) ps qs ds = F
          ring
        have e₂ : R * (D * product (q :: qs)) = R * (q * D * product qs) := by
          show R * (D * (q * product qs)) = _; ring
        rw [e₁, e₂]
        constructor
        · intro h
          obtain ⟨h₁, h₂⟩ := Bool.and_eq_true_iff.mp h
          obtain ⟨hp, hq, hd⟩ := of_decide_eq_true h₁
          obtain ⟨l₁, l₂, a, b, c, lt⟩ := (ih _ _ qs ds).mp h₂
          exact ⟨congrArg Nat.succ l₁, congrArg Nat.succ l₂, mem_cons_of hp a, mem_cons_of hq b, mem_cons_of hd c, lt⟩
        · rintro ⟨l₁, l₂, a, b, c, lt⟩
          obtain ⟨hp, a⟩ := forall_mem_cons a
          obtain ⟨hq, b⟩ := forall_mem_cons b
          obtain ⟨hd, c⟩ := forall_mem_cons c
          exact Bool.and_eq_true_iff.mpr ⟨decide_eq_true ⟨hp, hq, hd⟩,
            (ih _ _ qs ds).mpr ⟨Nat.add_right_cancel l₁, Nat.add_right_cancel l₂, a, b, c, lt⟩⟩
where
  mem_cons_of {P : Int → Prop} {x : Int} {l : List Int} (hx : P x) (hl : ∀ y, y ∈ l → P y) : ∀ y, y ∈ x :: l → P y :=
    fun y m => by
      cases m with
      | head => exact hx
      | tail _ m => exact hl y m

/-- **What the flow gate checks**: one factor `p/q ≥ 0` and one bound `d ≥ 0` for each step, and
`Σ_t (∏_{s>t} p_s/q_s)·d_t < R`, multiplied by the common denominator `∏ q_s`. -/
theorem basinFlowAdmit_iff (ps qs ds : List Int) (R : Int) : basinFlowAdmit ps qs ds R = true ↔
    ps.length = ds.length ∧ qs.length = ds.length ∧ (∀ p, p ∈ ps → 0 ≤ p) ∧ (∀ q, q ∈ qs → 0 < q)
    ∧ (∀ d, d ∈ ds → 0 ≤ d) ∧ flowNumerator 1 ps qs ds < R * product qs := by
  have h := flowAdmitFrom_iff R 0 1 ps qs ds
  rw [Int.mul_zero, Int.zero_add, Int.one_mul] at h
  exact h

/-! ## Sharp and not vacuous -/

/-- The one-dimensional maps `x ↦ p·x`. -/
def dilations (ps : List Int) : List (List Int → List Int) := map (fun p v => map (fun x => p * x) v) ps

/-- The maps `x ↦ p·x` with `p ≥ 0` are Lipschitz with the factor `p / 1`. -/
theorem lipschitz_dilations {ps : List Int} (hp : ∀ p, p ∈ ps → 0 ≤ p) :
    LipschitzFlow 1 (dilations ps) ps (map (fun _ => 1) ps) := by
  induction ps with
  | nil => exact .nil
  | cons p ps ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons hp
    refine .cons h₁ (show (0 : Int) < 1 by decide) (fun v hv => (length_map _ v).trans hv) (fun v w hv hw => ?_)
      (ih h₂)
    cases v with
    | nil => exact nomatch hv
    | cons a v => cases v with
      | cons _ _ => exact nomatch hv
      | nil => cases w with
        | nil => exact nomatch hw
        | cons b w => cases w with
          | cons _ _ => exact nomatch hw
          | nil =>
            show 1 * 1 * ((p * b - p * a) * (p * b - p * a) + 0) ≤ p * p * ((b - a) * (b - a) + 0)
            refine Int.le_of_eq ?_
            ring

/-- **Sharp**: on the line, with the maps `x ↦ p_t·x` (`p_t ≥ 0`) and displacements `d_t ≥ 0` in one direction, the
flow gate admits a radius `R ≥ 0` exactly when the served path ends closer than `R` to the exact one. -/
theorem basin_flow_sharp {ps ds : List Int} {R x : Int} (hl : ps.length = ds.length) (hp : ∀ p, p ∈ ps → 0 ≤ p)
    (hd : ∀ d, d ∈ ds → 0 ≤ d) (hR : 0 ≤ R) :
    LipschitzFlow 1 (dilations ps) ps (map (fun _ => 1) ps) ∧ RootBounded 1 (line ds) ds
    ∧ (basinFlowAdmit ps (map (fun _ => 1) ps) ds R = true
        ↔ energy (subEntries (servedEnd (dilations ps) (line ds) [x]) (exactEnd (dilations ps) [x])) < R * R) := by
  have flow := lipschitz_dilations hp
  have bounds : RootBounded 1 (line ds) ds := (basin_vector_sharp hd hR).1
  refine ⟨flow, bounds, basin_flow_sound flow bounds rfl, fun h => ?_⟩
  -- the distance is exactly the bound
  have main : ∀ N y, flowAdmitFrom R N 1 ps (map (fun _ => 1) ps) ds = true ∨
      ∃ M x', servedEnd (dilations ps) (line ds) [y + N] = [x' + M] ∧ exactEnd (dilations ps) [y] = [x'] ∧ R ≤ M := by
    clear flow bounds h x
    induction ps generalizing ds with
    | nil => cases ds with
      | cons _ _ => exact nomatch hl
      | nil =>
        intro N y
        rcases Int.lt_or_ge N R with g | g
        · exact .inl (decide_eq_true (by rw [Int.mul_one]; exact g))
        · exact .inr ⟨N, y, rfl, rfl, g⟩
    | cons p ps ih => cases ds with
      | nil => exact nomatch hl
      | cons d ds =>
        obtain ⟨hp₁, hp⟩ := forall_mem_cons hp
        obtain ⟨hd₁, hd⟩ := forall_mem_cons hd
        intro N y
        rcases ih (Nat.add_right_cancel hl) hp hd (p * N + d) (p * y) with g | ⟨M, x', g₁, g₂, g₃⟩
        · refine .inl (Bool.and_eq_true_iff.mpr ⟨decide_eq_true ⟨hp₁, show (0 : Int) < 1 by decide, hd₁⟩, ?_⟩)
          have e : p * N + d * 1 * 1 = p * N + d := by ring
          rw [e]; exact g
        · refine .inr ⟨M, x', ?_, g₂, g₃⟩
          show servedEnd (dilations ps) (line ds) [p * (y + N) + d] = _
          have e : p * (y + N) + d = p * y + (p * N + d) := by ring
          rw [e]; exact g₁
  rcases main 0 x with g | ⟨M, x', g₁, g₂, g₃⟩
  · exact g
  · rw [Int.add_zero] at g₁
    rw [g₁, g₂] at h
    have h : (x' + M - x') * (x' + M - x') + 0 < R * R := h
    have e : (x' + M - x') * (x' + M - x') + 0 = M * M := by ring
    rw [e] at h
    exact (Int.not_le_of_lt (Int.abs_lt_of_sq_lt_sq h hR).2 g₃).elim

/-- **Not vacuous**: factors 3 and 1/2, displacement bounds 2 and 1: the bound at the end is `1/2·2 + 1 = 2`, so the
radius 3 is admitted, the radius 2 is not; the whole path fits the radius 3. -/
theorem basin_flow_instance :
    basinFlowAdmit [3, 1] [1, 2] [2, 1] 3 = true
    ∧ basinFlowAdmit [3, 1] [1, 2] [2, 1] 2 = false ∧ basinFlowPathAdmit [3, 1] [1, 2] [2, 1] 3 = true :=
  ⟨rfl, rfl, rfl⟩

/-- The hypotheses about the world can be met: on the line, doubling carries 5 to 10, whose distance from the
separatrix 0 is `R = 10`; a displacement of -9 is admitted and the served path ends on the same side, at 1. -/
theorem basin_flow_mode_instance :
    let side : List Int → Bool := fun y => decide (0 < entry y 0)
    (∀ y, y.length = 1 → energy (subEntries y (exactEnd (dilations [2]) [5])) < 10 * 10 →
      side y = side (exactEnd (dilations [2]) [5]))
    ∧ LipschitzFlow 1 (dilations [2]) [2] [1] ∧ RootBounded 1 [[-9]] [9] ∧ basinFlowAdmit [2] [1] [9] 10 = true
    ∧ servedEnd (dilations [2]) [[-9]] [5] = [1] := by
  refine ⟨fun y hy h => ?_, lipschitz_dilations (ps := [2]) (fun p m => ?_), .cons ⟨rfl, by decide⟩ .nil, rfl, rfl⟩
  · cases y with
    | nil => exact nomatch hy
    | cons a y => cases y with
      | cons _ _ => exact nomatch hy
      | nil =>
        have h : (a - 10) * (a - 10) + 0 < 10 * 10 := h
        rw [Int.add_zero] at h
        have k := (Int.abs_lt_of_sq_lt_sq h (by decide)).1
        exact decide_eq_true (show 0 < a by lin [k])
  · cases m with
    | head => decide
    | tail _ m => exact nomatch m

/-! ## The controller for a flow -/

/-- What survival means at the first step. -/
theorem flowSurvives_cons {R N D p q : Int} {ps qs : List Int} (h : flowSurvives R N D (p :: ps) (q :: qs) = true) :
    N < R * D ∧ flowSurvives R (p * N) (q * D) ps qs = true := by
  obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp h
  exact ⟨of_decide_eq_true h₁, (Bool.and_eq_true_iff.mp h).2⟩

/-- Without displacement the whole path survives. -/
theorem flowSurvives_zero {m : Nat} {fs : List (List Int → List Int)} {ps qs x : List Int} {R D : Int} (hR : 0 < R)
    (hD : 0 < D) (flow : LipschitzNear m R fs ps qs x) : flowSurvives R 0 D ps qs = true := by
  induction flow generalizing D with
  | nil => exact decide_eq_true (Int.mul_pos hR hD)
  | @cons f p q fs ps qs x hp hq _ _ _ ih =>
    refine Bool.and_eq_true_iff.mpr ⟨decide_eq_true (Int.mul_pos hR hD), Bool.and_eq_true_iff.mpr
      ⟨decide_eq_true ⟨hp, hq⟩, ?_⟩⟩
    rw [Int.mul_zero]; exact ih (Int.mul_pos hq hD)

/-- **The controller of a flow never crosses**: if every step after which the exact rest of the path could leave the
radius is recomputed exactly, the served path is closer than `R` to the exact one after every step.  No admission
hypothesis: the radius is positive, the Lipschitz factors hold closer than `R` to the exact path, the bounds are
true. -/
theorem basin_flow_controller_sound {m : Nat} {fs : List (List Int → List Int)} {ps qs ds : List Int}
    {δ : List (List Int)} {x : List Int} {R : Int} (hR : 0 < R) (flow : LipschitzNear m R fs ps qs x)
    (bounds : RootBounded m δ ds) (steps : δ.length = fs.length) (hx : x.length = m) :
    staysWithin R fs (served m (basinFlowControl ps qs ds R) δ) x x := by
  have main : ∀ N D y, x.length = m → y.length = m → 0 ≤ N → 0 < D → D * D * energy (subEntries y x) ≤ N * N →
      flowSurvives R N D ps qs = true → staysWithin R fs (served m (flowControl R N D ps qs ds) δ) x y := by
    clear hx
    induction flow generalizing δ ds with
    | nil x =>
      intro N D y _ _ hN hD h ok
      cases bounds with
      | nil => exact energy_lt_of_bound hN hD h (of_decide_eq_true ok)
      | cons _ _ => exact nomatch steps
    | @cons f p q fs ps qs x hp hq lx lip _ ih =>
      intro N D y hx hy hN hD h ok
      obtain ⟨lt, rest⟩ := flowSurvives_cons ok
      have close := energy_lt_of_bound hN hD h lt
      obtain ⟨ly, lip⟩ := lip y hy close
      cases bounds with
      | nil => exact nomatch steps
      | @cons v d δ ds hv bounds =>
        by_cases c : 0 ≤ d ∧ flowSurvives R (p * N + d * q * D) (q * D) ps qs = true
        · have e : flowControl R N D (p :: ps) (q :: qs) (d :: ds)
              = true :: flowControl R (p * N + d * q * D) (q * D) ps qs ds := if_pos c
          rw [e]
          refine ⟨close, ih bounds (Nat.add_right_cancel steps) _ _ (addEntries (f y) v) lx
            ((length_addEntries (ly.trans hv.1.symm)).trans ly) ?_ (Int.mul_pos hq hD) ?_ c.2⟩
          · exact Int.add_nonneg (Int.mul_nonneg hp hN)
              (Int.mul_nonneg (Int.mul_nonneg c.1 (Int.le_of_lt hq)) (Int.le_of_lt hD))
          · exact flow_step (ly.trans hv.1.symm) (lx.trans ly.symm) hN hD hp hq c.1 h lip hv.2
        · have e : flowControl R N D (p :: ps) (q :: qs) (d :: ds)
              = false :: flowControl R (p * N) (q * D) ps qs ds := if_neg c
          rw [e]
          refine ⟨close, ?_⟩
          have z : addEntries (f y) (replicate m 0) = f y := by rw [← ly]; exact addEntries_zero (f y)
          rw [z]
          exact ih bounds (Nat.add_right_cancel steps) _ _ (f y) lx ly
            (Int.mul_nonneg hp hN) (Int.mul_pos hq hD) (flow_step_exact h lip) rest
  refine main 0 1 x hx hx (Int.le_refl 0) (by decide) ?_ (flowSurvives_zero hR (by decide) flow)
  rw [energy_subEntries_self]; exact Int.le_refl 0

/-- **The controller of a flow is causal**: what it decides about the first steps depends on the Lipschitz factors
of the whole path, which it must know, but not on the bounds of later displacements. -/
theorem basin_flow_controller_causal (R N D : Int) (ps qs ds es es' : List Int) (hp : ds.length ≤ ps.length)
    (hq : ds.length ≤ qs.length) : ∃ k r r', k.length = ds.length
      ∧ flowControl R N D ps qs (ds ++ es) = k ++ r ∧ flowControl R N D ps qs (ds ++ es') = k ++ r' := by
  induction ds generalizing N D ps qs with
  | nil => exact ⟨[], _, _, rfl, rfl, rfl⟩
  | cons d ds ih => cases ps with
    | nil => exact absurd hp (Nat.not_succ_le_zero _)
    | cons p ps => cases qs with
      | nil => exact absurd hq (Nat.not_succ_le_zero _)
      | cons q qs =>
        have hp := Nat.le_of_succ_le_succ hp
        have hq := Nat.le_of_succ_le_succ hq
        by_cases c : 0 ≤ d ∧ flowSurvives R (p * N + d * q * D) (q * D) ps qs = true
        · obtain ⟨k, r, r', l, e, e'⟩ := ih (p * N + d * q * D) (q * D) ps qs hp hq
          refine ⟨true :: k, r, r', congrArg Nat.succ l, ?_, ?_⟩
          · exact (show _ = true :: flowControl R _ _ ps qs (ds ++ es) from if_pos c).trans (congrArg (true :: ·) e)
          · exact (show _ = true :: flowControl R _ _ ps qs (ds ++ es') from if_pos c).trans (congrArg (true :: ·) e')
        · obtain ⟨k, r, r', l, e, e'⟩ := ih (p * N) (q * D) ps qs hp hq
          refine ⟨false :: k, r, r', congrArg Nat.succ l, ?_, ?_⟩
          · exact (show _ = false :: flowControl R _ _ ps qs (ds ++ es) from if_neg c).trans (congrArg (false :: ·) e)
          · exact (show _ = false :: flowControl R _ _ ps qs (ds ++ es') from if_neg c).trans (congrArg (false :: ·) e')

/-- Not vacuous: two steps that triple, bounds 1 and 1, radius 4.  The first step masked would grow to 3 and leave
room, so it is masked; the second would add up to 4, so it is recomputed. -/
theorem basin_flow_controller_instance : basinFlowControl [3, 3] [1, 1] [1, 1] 4 = [true, false] := rfl
end Gnosis

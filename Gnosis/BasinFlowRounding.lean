prelude
import Gnosis.BasinFlowAdmissibility
/-! # A flow that is rounded to a grid

A sampler runs in numbers of finite precision: its maps are maps of a flow, rounded to the grid of the integers.  A map of
integers whose Lipschitz factor is below one is constant (`contraction_of_integers_constant`), so a flow that contracts
cannot be described by a Lipschitz factor alone.  Here the maps are Lipschitz up to a rounding error: what a step does to
a displacement is a part bounded by the factor `p_t / q_t` and a part of length at most `r_t`.  The gate is the one of
`Gnosis.BasinFlowAdmissibility`, with `r_t + d_t` in the place of `d_t`; a step that is computed exactly has `d_t = 0` and
still pays for its rounding. -/
open List
namespace Gnosis

/-- A map of the integers with a Lipschitz factor `p / q` below one is constant: neighbours differ by less than one.  So
`LipschitzFlow` with such a factor holds of constant maps only. -/
theorem contraction_of_integers_constant {f : Int → Int} {p q : Int} (hp : 0 ≤ p) (hpq : p < q)
    (lip : ∀ x y, q * q * ((f y - f x) * (f y - f x)) ≤ p * p * ((y - x) * (y - x))) (x : Int) : f x = f 0 := by
  have hq : 0 < q := Int.lt_of_le_of_lt hp hpq
  -- neighbours have the same image
  have next : ∀ x, f (x + 1) = f x := fun x => by
    have h := lip x (x + 1)
    rw [show x + 1 - x = 1 by ring, Int.mul_one, Int.mul_one] at h
    have lt : p * p < q * q := by
      have h₁ := Int.mul_nonneg hp (Int.le_of_lt (show 0 < q - p by lin [hpq]))
      have h₂ := Int.mul_pos hq (show 0 < q - p by lin [hpq])
      lin [h₁, h₂]
    have h : q * (f (x + 1) - f x) * (q * (f (x + 1) - f x)) < q * q := Int.lt_of_le_of_lt (by lin [h]) lt
    obtain ⟨lo, up⟩ := Int.abs_lt_of_sq_lt_sq h (Int.le_of_lt hq)
    have le : f (x + 1) - f x ≤ 0 := by
      rcases Int.lt_or_ge 0 (f (x + 1) - f x) with g | g
      · have k := Int.mul_le_mul_of_nonneg_left g (Int.le_of_lt hq)
        exact (by lin [k, up] : False).elim
      · exact g
    have ge : 0 ≤ f (x + 1) - f x := by
      rcases Int.lt_or_ge (f (x + 1) - f x) 0 with g | g
      · have k := Int.mul_le_mul_of_nonneg_left g (Int.le_of_lt hq)
        exact (by lin [k, lo] : False).elim
      · exact g
    exact Int.le_antisymm (by lin [le]) (by lin [ge])
  have up : ∀ n : Nat, f n = f 0 := fun n => by
    induction n with
    | zero => rfl
    | succ n ih => exact (next n).trans ih
  cases x with
  | ofNat n => exact up n
  | negSucc n =>
    induction n with
    | zero => exact (next (Int.negSucc 0)).symm
    | succ n ih => exact (next (Int.negSucc (n + 1))).symm.trans ih

/-! ## The hypothesis -/

/-- The maps of the flow between the exact path from `x` and points closer than `R` to it, at dimension `m`: `q_t` times the
difference of two images is a part that is at most `p_t` times as long as the difference of the points, and a part of
length at most `q_t·r_t` that rounding has made.  Written with energies. -/
inductive RoundedNear (m : Nat) (R : Int) :
    List (List Int → List Int) → List Int → List Int → List Int → List Int → Prop where
  | nil (x : List Int) : RoundedNear m R [] [] [] [] x
  | cons {f : List Int → List Int} {p q r : Int} {fs : List (List Int → List Int)} {ps qs rs x : List Int} :
      0 ≤ p → 0 < q → 0 ≤ r → (f x).length = m →
      (∀ y, y.length = m → energy (subEntries y x) < R * R → (f y).length = m ∧
        ∃ u w, u.length = m ∧ w.length = m ∧ smul q (subEntries (f y) (f x)) = addEntries u w
          ∧ energy u ≤ p * p * energy (subEntries y x) ∧ energy w ≤ q * r * (q * r)) →
      RoundedNear m R fs ps qs rs (f x) → RoundedNear m R (f :: fs) (p :: ps) (q :: qs) (r :: rs) x

/-- One step of the bound: `N / D` becomes `(p·N + r·q·D) / (q·D)` by a rounded map. -/
theorem rounded_step {e N D p q r : Int} {z u w : List Int} (hN : 0 ≤ N) (hD : 0 < D) (hp : 0 ≤ p) (hq : 0 < q)
    (hr : 0 ≤ r) (h : D * D * e ≤ N * N) (hu : u.length = w.length) (split : smul q z = addEntries u w)
    (contracted : energy u ≤ p * p * e) (rounded : energy w ≤ q * r * (q * r)) :
    (q * D) * (q * D) * energy z ≤ (p * N + r * q * D) * (p * N + r * q * D) := by
  have qr := Int.mul_nonneg (Int.le_of_lt hq) hr
  have k := energy_add_le (C := D * D) (α := p * N) (β := q * r * D) hu (Int.sq_nonneg D) (Int.mul_nonneg hp hN)
    (Int.mul_nonneg qr (Int.le_of_lt hD)) ?_ ?_
  · rw [← split, energy_smul] at k
    lin [k]
  · have h₁ := Int.mul_le_mul_of_nonneg_left contracted (Int.sq_nonneg D)
    have h₂ := Int.mul_le_mul_of_nonneg_left h (Int.sq_nonneg p)
    lin [h₁, h₂]
  · have h₁ := Int.mul_le_mul_of_nonneg_left rounded (Int.sq_nonneg D)
    lin [h₁]

/-- **Flow form with rounding**: the exact path is `x_{t+1} = f_t(x_t)`, the served path `y_{t+1} = f_t(y_t) + δ_t` from the
same start; closer than `R` to the exact path `f_t` is Lipschitz with factor `p_t / q_t` up to a rounding error of length
`r_t`, and `energy δ_t ≤ d_t²`.  If the gate admits every beginning of the path for the bounds `r_t + d_t`, the served path
is closer than `R` to the exact one after every step. -/
theorem basin_flow_rounded_sound {m : Nat} {fs : List (List Int → List Int)} {ps qs rs ds : List Int}
    {δ : List (List Int)} {x : List Int} {R : Int} (flow : RoundedNear m R fs ps qs rs x) (bounds : RootBounded m δ ds)
    (hd : ∀ d, d ∈ ds → 0 ≤ d) (steps : δ.length = fs.length) (hx : x.length = m)
    (admitted : basinFlowPathAdmit ps qs (addEntries rs ds) R = true) : staysWithin R fs δ x x := by
  have main : ∀ N D y, x.length = m → y.length = m → 0 ≤ N → 0 < D → D * D * energy (subEntries y x) ≤ N * N →
      flowPathAdmitFrom R N D ps qs (addEntries rs ds) = true → staysWithin R fs δ x y := by
    clear admitted hx
    induction flow generalizing δ ds with
    | nil x =>
      intro N D y _ _ hN hD h ok
      cases bounds with
      | nil => exact energy_lt_of_bound hN hD h (of_decide_eq_true ok)
      | cons _ _ => exact nomatch steps
    | @cons f p q r fs ps qs rs x hp hq hr lx lip _ ih =>
      intro N D y hx hy hN hD h ok
      cases bounds with
      | nil => exact nomatch steps
      | @cons v d δ ds hv bounds =>
        obtain ⟨hd₁, hd⟩ := forall_mem_cons hd
        obtain ⟨lt, _, ok⟩ := flowPathAdmitFrom_cons ok
        have close := energy_lt_of_bound hN hD h lt
        obtain ⟨ly, u, w, hu, hw, split, contracted, rounded⟩ := lip y hy close
        have step := rounded_step hN hD hp hq hr h (hu.trans hw.symm) split contracted rounded
        have rD := Int.mul_nonneg (Int.mul_nonneg hr (Int.le_of_lt hq)) (Int.le_of_lt hD)
        have dD := Int.mul_nonneg (Int.mul_nonneg hd₁ (Int.le_of_lt hq)) (Int.le_of_lt hD)
        have pN := Int.mul_nonneg hp hN
        have e : p * N + (r + d) * q * D = p * N + r * q * D + d * q * D := by ring
        refine ⟨close, ih bounds hd (Nat.add_right_cancel steps) _ _ (addEntries (f y) v) lx
          ((length_addEntries (ly.trans hv.1.symm)).trans ly) ?_ (Int.mul_pos hq hD) ?_ ok⟩
        · rw [e]; exact Int.add_nonneg (Int.add_nonneg pN rD) dD
        · rw [e, subEntries_addEntries (ly.trans hv.1.symm) (lx.trans ly.symm)]
          refine energy_add_le ((length_subEntries (ly.trans lx.symm)).trans (ly.trans hv.1.symm))
            (Int.sq_nonneg _) (Int.add_nonneg pN rD) dD step ?_
          have k := Int.mul_le_mul_of_nonneg_left hv.2 (Int.sq_nonneg (q * D))
          lin [k]
  refine main 0 1 x hx hx (Int.le_refl 0) (by decide) ?_ admitted
  rw [energy_subEntries_self]; exact Int.le_refl 0

/-! ## Not vacuous -/

/-- Half of every entry, rounded down. -/
def halve (x : List Int) : List Int := map (fun a => a / 2) x

/-- Halving halves distances on the line, up to a rounding error of 1. -/
theorem rounded_halve (R : Int) (a : Int) : RoundedNear 1 R [halve, halve] [1, 1] [2, 2] [1, 1] [a] := by
  have step : ∀ (a : Int) (y : List Int), y.length = 1 → energy (subEntries y [a]) < R * R → (halve y).length = 1 ∧
      ∃ u w, u.length = 1 ∧ w.length = 1 ∧ smul 2 (subEntries (halve y) (halve [a])) = addEntries u w
        ∧ energy u ≤ 1 * 1 * energy (subEntries y [a]) ∧ energy w ≤ 2 * 1 * (2 * 1) := by
    intro a y hy _
    cases y with
    | nil => exact nomatch hy
    | cons b y => cases y with
      | cons _ _ => exact nomatch hy
      | nil =>
        obtain ⟨a₁, a₂⟩ := Int.ediv_spec a (d := 2) (by decide)
        obtain ⟨b₁, b₂⟩ := Int.ediv_spec b (d := 2) (by decide)
        refine ⟨rfl, [b - a], [2 * (b / 2) - b - (2 * (a / 2) - a)], rfl, rfl, ?_, ?_, ?_⟩
        · show [2 * (b / 2 - a / 2)] = [b - a + (2 * (b / 2) - b - (2 * (a / 2) - a))]
          generalize b / 2 = s, a / 2 = t
          rw [show 2 * (s - t) = b - a + (2 * s - b - (2 * t - a)) by ring]
        · rw [show (1 : Int) * 1 * energy (subEntries [b] [a]) = energy (subEntries [b] [a]) by ring]
          exact Int.le_refl _
        · show (2 * (b / 2) - b - (2 * (a / 2) - a)) * (2 * (b / 2) - b - (2 * (a / 2) - a)) + 0 ≤ 2 * 1 * (2 * 1)
          rw [Int.add_zero]
          generalize b / 2 = s, a / 2 = t at *
          exact Int.sq_le_sq_of_abs_le (by lin [a₁, b₂]) (by lin [a₂, b₁])
  exact .cons (by decide) (by decide) (by decide) rfl (step a)
    (.cons (by decide) (by decide) (by decide) rfl (step (a / 2)) (.nil _))

/-- Not vacuous, and a contraction: from 20 the exact path halves twice, to 5, at distance 5 from the separatrix 0.  Two
displacements of −2 are admitted within the radius 5, because `(1 + 2)/2 + (1 + 2) < 5`, and the served path ends at 2. -/
theorem basin_flow_rounded_instance :
    RoundedNear 1 5 [halve, halve] [1, 1] [2, 2] [1, 1] [20] ∧ RootBounded 1 [[-2], [-2]] [2, 2]
    ∧ basinFlowPathAdmit [1, 1] [2, 2] (addEntries [1, 1] [2, 2]) 5 = true
    ∧ exactEnd [halve, halve] [20] = [5] ∧ servedEnd [halve, halve] [[-2], [-2]] [20] = [2] :=
  ⟨rounded_halve 5 20, .cons ⟨rfl, by decide⟩ (.cons ⟨rfl, by decide⟩ .nil), rfl, rfl, rfl⟩
end Gnosis

prelude
import Gnosis.Foundation.Squares
import Gnosis.TotalVariation
/-! # The served-output law

A step of serving replaces weights `w` by weights `w'`.  If all ratios `w'/w` lie in `[Q/P, P/Q]` up to a common factor,
no event changes its probability by more than `(P − Q)/(P + Q)`.  With `P/Q = e^ε` this is `tanh(ε/2)`, and it is
attained.  Only the spread of the ratios matters, ratios of successive layers multiply, and the law can be inverted for a
given service level.  The decisions and the conventions are in `Gnosis.Decision.Served`. -/
namespace Gnosis
open List

/-! ## The law for one event -/

/-- An event has weight `X` before and `X'` after, its complement `Y` and `Y'`.  If the odds of the event grow by at most
the factor `(P/Q)²`, its probability grows by at most `(P − Q)/(P + Q)`. -/
theorem odds_law {X Y X' Y' P Q : Int} (hX : 0 ≤ X) (hY : 0 ≤ Y) (hX' : 0 ≤ X') (hY' : 0 ≤ Y') (hQ : 0 < Q) (hQP : Q ≤ P)
    (odds : Q * Q * (X' * Y) ≤ P * P * (X * Y')) :
    (P + Q) * (X' * Y) ≤ (P + Q) * (X * Y') + (P - Q) * ((X + Y) * (X' + Y')) := by
  have hd : 0 ≤ P - Q := Int.sub_nonneg_of_le hQP
  have hP : 0 ≤ P := Int.le_trans (Int.le_of_lt hQ) hQP
  have hm := Int.mul_nonneg hX' hY
  have hn := Int.mul_nonneg hX hY'
  have hK := Int.add_nonneg (Int.mul_nonneg hX hX') (Int.mul_nonneg hY hY')
  -- it is enough to bound `2·(Q·m − P·n)`, with `m = X'·Y` and `n = X·Y'`, by `(P − Q)·K`, where `K² ≥ 4·m·n`
  have goal : 2 * (Q * (X' * Y) - P * (X * Y')) ≤ (P - Q) * (X * X' + Y * Y') := by
    have sq : 4 * ((X' * Y) * (X * Y')) ≤ (X * X' + Y * Y') * (X * X' + Y * Y') := by
      lin [Int.sq_nonneg (X * X' - Y * Y')]
    generalize X' * Y = m, X * Y' = n, X * X' + Y * Y' = K at *
    rcases Int.lt_or_ge (P * n) (Q * m) with h | h
    · have hmn : 0 ≤ m - n := by
        rcases Int.lt_or_ge m n with g | g
        · have k := Int.mul_nonneg (Int.le_of_lt hQ) (Int.sub_nonneg_of_le (Int.le_of_lt g))
          have l := Int.mul_nonneg hd hn
          exact (by lin [h, k, l] : False).elim
        · exact Int.sub_nonneg_of_le g
      have cross := Int.mul_nonneg (Int.sub_nonneg_of_le odds) hmn
      have dd := Int.mul_le_mul_of_nonneg_left sq (Int.mul_nonneg hd hd)
      refine (Int.abs_le_of_sq_le_sq ?_ (Int.mul_nonneg hd hK)).right
      lin [cross, cross, cross, cross, dd]
    · lin [h, h, Int.mul_nonneg hd hK]
  lin [goal]

/-- The law for one event, in natural numbers. -/
theorem odds_law_nat {X Y X' Y' P Q : Nat} (hQ : 0 < Q) (hQP : Q ≤ P)
    (odds : Q * Q * (X' * Y) ≤ P * P * (X * Y')) :
    (P + Q) * (X' * Y) ≤ (P + Q) * (X * Y') + (P - Q) * ((X + Y) * (X' + Y')) := by
  have h := odds_law (Int.ofNat_nonneg X) (Int.ofNat_nonneg Y) (Int.ofNat_nonneg X') (Int.ofNat_nonneg Y')
    (Int.ofNat_pos.mpr hQ) (Int.ofNat_le.mpr hQP) (Int.ofNat_le.mpr odds)
  obtain ⟨e, rfl⟩ := Nat.exists_of_le hQP
  rw [Nat.add_sub_cancel_left]
  rw [Int.ofNat_add, show Int.ofNat Q + Int.ofNat e - Int.ofNat Q = Int.ofNat e from by ring] at h
  exact Int.ofNat_le.mp h

/-- **The law for one event**: if its weight grows by at most the ratio `P/Q` and the weight of its complement falls by at
most that, both up to a common factor `a/b`, then its probability grows by at most `(P − Q)/(P + Q)`.  Nothing else is
needed about the weights. -/
theorem served_event_upper {X Y X' Y' P Q a b : Nat} (hQ : 0 < Q) (hQP : Q ≤ P) (ha : 0 < a) (hb : 0 < b)
    (event : Q * b * X' ≤ P * a * X) (compl : Q * a * Y ≤ P * b * Y') :
    (⟨X', X' + Y'⟩ : Frac) ≤ ⟨X, X + Y⟩ + ⟨P - Q, P + Q⟩ := by
  have odds : Q * Q * (X' * Y) ≤ P * P * (X * Y') := by
    apply Nat.le_of_mul_le_mul_right (c := a * b) _ (Nat.mul_pos ha hb)
    calc Q * Q * (X' * Y) * (a * b) = Q * b * X' * (Q * a * Y) := by nat_ring
      _ ≤ P * a * X * (P * b * Y') := Nat.mul_le_mul event compl
      _ = P * P * (X * Y') * (a * b) := by nat_ring
  have law := odds_law_nat hQ hQP odds
  show X' * ((X + Y) * (P + Q)) ≤ (X * (P + Q) + (P - Q) * (X + Y)) * (X' + Y')
  generalize P - Q = e at *
  nat_lin [law]

/-! ## What the gates say -/

/-- What `ratioAdmit` says. -/
theorem ratioAdmit_iff {P Q a b : Nat} {ps : List (Nat × Nat)} : ratioAdmit P Q a b ps = true ↔
    0 < Q ∧ Q ≤ P ∧ 0 < a ∧ 0 < b ∧ 0 < leftMass ps ∧
      ∀ x, x ∈ ps → Q * b * x.2 ≤ P * a * x.1 ∧ Q * a * x.1 ≤ P * b * x.2 := by
  unfold ratioAdmit
  constructor
  · intro h
    obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₃, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₄, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₅, h⟩ := Bool.and_eq_true_iff.mp h
    refine ⟨Nat.le_of_ble_eq_true h₁, Nat.le_of_ble_eq_true h₂, Nat.le_of_ble_eq_true h₃, Nat.le_of_ble_eq_true h₄,
      Nat.le_of_ble_eq_true h₅, fun x hx => ?_⟩
    obtain ⟨k₁, k₂⟩ := Bool.and_eq_true_iff.mp (all_eq_true.mp h x hx)
    exact ⟨Nat.le_of_ble_eq_true k₁, Nat.le_of_ble_eq_true k₂⟩
  · intro ⟨h₁, h₂, h₃, h₄, h₅, h⟩
    refine Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₁, Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₂,
      Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₃, Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₄,
      Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₅, all_eq_true.mpr fun x hx => ?_⟩⟩⟩⟩⟩
    exact Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le (h x hx).left, Nat.ble_eq_true_of_le (h x hx).right⟩

/-- Weights that pass the ratio gate have positive mass after as well as before. -/
theorem ratioAdmit_mass {P Q a b : Nat} {ps : List (Nat × Nat)} (adm : ratioAdmit P Q a b ps = true) :
    0 < leftMass ps ∧ 0 < rightMass ps := by
  obtain ⟨hQ, _, ha, _, hm, all⟩ := ratioAdmit_iff.mp adm
  refine ⟨hm, ?_⟩
  have le : Q * a * leftMass ps ≤ P * b * rightMass ps := by
    clear adm hm
    induction ps with
    | nil => exact Nat.le_refl _
    | cons p ps ih =>
      obtain ⟨⟨_, h₂⟩, hs⟩ := forall_mem_cons all
      show Q * a * (p.1 + leftMass ps) ≤ P * b * (p.2 + rightMass ps)
      rw [Nat.left_distrib, Nat.left_distrib]
      exact Nat.add_le_add h₂ (ih hs)
  rcases Nat.lt_or_ge 0 (rightMass ps) with g | g
  · exact g
  · rw [Nat.le_antisymm g (Nat.zero_le _), Nat.mul_zero] at le
    exact absurd le (Nat.not_le_of_lt (Nat.mul_pos (Nat.mul_pos hQ ha) hm))

/-- What `spreadAdmit` says. -/
theorem spreadAdmit_iff {P Q c e f g : Nat} {ps : List (Nat × Nat)} : spreadAdmit P Q c e f g ps = true ↔
    0 < Q ∧ Q ≤ P ∧ 0 < c ∧ 0 < g ∧ 0 < leftMass ps ∧ Q * Q * (f * e) ≤ P * P * (c * g) ∧
      ∀ x, x ∈ ps → c * x.1 ≤ e * x.2 ∧ g * x.2 ≤ f * x.1 := by
  unfold spreadAdmit
  constructor
  · intro h
    obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₃, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₄, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₅, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₆, h⟩ := Bool.and_eq_true_iff.mp h
    refine ⟨Nat.le_of_ble_eq_true h₁, Nat.le_of_ble_eq_true h₂, Nat.le_of_ble_eq_true h₃, Nat.le_of_ble_eq_true h₄,
      Nat.le_of_ble_eq_true h₅, Nat.le_of_ble_eq_true h₆, fun x hx => ?_⟩
    obtain ⟨k₁, k₂⟩ := Bool.and_eq_true_iff.mp (all_eq_true.mp h x hx)
    exact ⟨Nat.le_of_ble_eq_true k₁, Nat.le_of_ble_eq_true k₂⟩
  · intro ⟨h₁, h₂, h₃, h₄, h₅, h₆, h⟩
    refine Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₁, Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₂,
      Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₃, Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₄,
      Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₅, Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₆,
      all_eq_true.mpr fun x hx => ?_⟩⟩⟩⟩⟩⟩
    exact Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le (h x hx).left, Nat.ble_eq_true_of_le (h x hx).right⟩

/-- What `servedAdmit` says. -/
theorem servedAdmit_iff {P Q n d : Nat} : servedAdmit P Q n d = true ↔
    0 < Q ∧ Q ≤ P ∧ 0 < d ∧ P * (d - n) ≤ Q * (d + n) := by
  constructor
  · intro h
    obtain ⟨h₁, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₂, h⟩ := Bool.and_eq_true_iff.mp h
    obtain ⟨h₃, h⟩ := Bool.and_eq_true_iff.mp h
    exact ⟨Nat.le_of_ble_eq_true h₁, Nat.le_of_ble_eq_true h₂, Nat.le_of_ble_eq_true h₃, Nat.le_of_ble_eq_true h⟩
  · intro ⟨h₁, h₂, h₃, h₄⟩
    exact Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₁, Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₂,
      Bool.and_eq_true_iff.mpr ⟨Nat.ble_eq_true_of_le h₃, Nat.ble_eq_true_of_le h₄⟩⟩⟩

/-! ## The law for a whole vocabulary -/

/-- A bound on all ratios of weights is a bound on the weights of every event. -/
theorem on_ratio {c e f g : Nat} {ps : List (Nat × Nat)} (h : ∀ x, x ∈ ps → c * x.1 ≤ e * x.2 ∧ g * x.2 ≤ f * x.1)
    (A : List Bool) : c * leftOn A ps ≤ e * rightOn A ps ∧ g * rightOn A ps ≤ f * leftOn A ps := by
  induction ps generalizing A with
  | nil => cases A with
    | nil => exact ⟨Nat.zero_le _, Nat.zero_le _⟩
    | cons A As => exact ⟨Nat.zero_le _, Nat.zero_le _⟩
  | cons p ps ih =>
    obtain ⟨w, w'⟩ := p
    cases A with
    | nil => exact ⟨Nat.zero_le _, Nat.zero_le _⟩
    | cons A As =>
      obtain ⟨⟨h₁, h₂⟩, hs⟩ := forall_mem_cons h
      obtain ⟨ih₁, ih₂⟩ := ih hs As
      cases A with
      | true =>
        constructor
        · show c * (w + leftOn As ps) ≤ e * (w' + rightOn As ps)
          rw [Nat.left_distrib, Nat.left_distrib]; exact Nat.add_le_add h₁ ih₁
        · show g * (w' + rightOn As ps) ≤ f * (w + leftOn As ps)
          rw [Nat.left_distrib, Nat.left_distrib]; exact Nat.add_le_add h₂ ih₂
      | false =>
        constructor
        · show c * (0 + leftOn As ps) ≤ e * (0 + rightOn As ps)
          rw [Nat.zero_add, Nat.zero_add]; exact ih₁
        · show g * (0 + rightOn As ps) ≤ f * (0 + leftOn As ps)
          rw [Nat.zero_add, Nat.zero_add]; exact ih₂

/-- **Only the spread matters.**  If all ratios `w'/w` lie in an interval whose ends have the ratio `(P/Q)²`, the total
variation is at most `(P − Q)/(P + Q)`.  With logit changes of spread `max δ − min δ = 2·log(P/Q)` this is
`tanh(spread/4)`; a shift of all logits changes nothing. -/
theorem served_tv_spread {P Q c e f g : Nat} {ps : List (Nat × Nat)} (adm : spreadAdmit P Q c e f g ps = true) :
    tv ps ≤ ⟨P - Q, P + Q⟩ := by
  obtain ⟨hQ, hQP, hc, hg, _, ends, all⟩ := spreadAdmit_iff.mp adm
  obtain ⟨l, r, gain⟩ := on_add_off (leftMass ps) (rightMass ps) ps
  have up := (on_ratio all (gains (leftMass ps) (rightMass ps) ps)).right
  have down := (on_ratio all (map (fun A => !A) (gains (leftMass ps) (rightMass ps) ps))).left
  show tvNum ps * (P + Q) ≤ (P - Q) * (leftMass ps * rightMass ps)
  rw [show excess (leftMass ps) (rightMass ps) ps = tvNum ps from rfl] at gain
  generalize gains (leftMass ps) (rightMass ps) ps = A at *
  rw [← l, ← r] at gain ⊢
  generalize leftOn A ps = X, leftOn (map (fun A => !A) A) ps = Y, rightOn A ps = X',
    rightOn (map (fun A => !A) A) ps = Y', tvNum ps = t at *
  have odds : Q * Q * (X' * Y) ≤ P * P * (X * Y') := by
    apply Nat.le_of_mul_le_mul_right (c := c * g) _ (Nat.mul_pos hc hg)
    calc Q * Q * (X' * Y) * (c * g) = Q * Q * (g * X' * (c * Y)) := by nat_ring
      _ ≤ Q * Q * (f * X * (e * Y')) := Nat.mul_le_mul_left _ (Nat.mul_le_mul up down)
      _ = Q * Q * (f * e) * (X * Y') := by nat_ring
      _ ≤ P * P * (c * g) * (X * Y') := Nat.mul_le_mul_right _ ends
      _ = P * P * (X * Y') * (c * g) := by nat_ring
  have law := odds_law_nat hQ hQP odds
  apply Nat.le_of_add_le_add_left (a := (P + Q) * (X * Y'))
  refine Nat.le_trans (Nat.le_of_eq ?_) law
  have t_eq : X' * Y = X * Y' + t := by
    apply Nat.add_left_cancel (a := X' * X)
    rw [← Nat.left_distrib, gain]
    nat_ring
  rw [t_eq]; nat_ring

/-- **The tight served-output law.**  If every weight changes by a ratio in `[Q/P, P/Q]`, up to a common factor, the total
variation is at most `(P − Q)/(P + Q)`, and so no event changes its probability by more.  With `P/Q = e^ε` this is
`tanh(ε/2)`. -/
theorem served_tv_tight {P Q a b : Nat} {ps : List (Nat × Nat)} (adm : ratioAdmit P Q a b ps = true) :
    tv ps ≤ ⟨P - Q, P + Q⟩ := by
  obtain ⟨hQ, hQP, ha, hb, hm, all⟩ := ratioAdmit_iff.mp adm
  refine served_tv_spread (c := Q * a) (e := P * b) (f := P * a) (g := Q * b) (spreadAdmit_iff.mpr
    ⟨hQ, hQP, Nat.mul_pos hQ ha, Nat.mul_pos hQ hb, hm, Nat.le_of_eq ?_, fun x hx => ⟨(all x hx).right, (all x hx).left⟩⟩)
  nat_ring

/-- The tight law event by event: no event changes its probability by more than `(P − Q)/(P + Q)`, in either direction. -/
theorem served_event_tight {P Q a b : Nat} {ps : List (Nat × Nat)} (adm : ratioAdmit P Q a b ps = true) (A : List Bool) :
    (⟨rightOn A ps, rightMass ps⟩ : Frac) ≤ ⟨leftOn A ps, leftMass ps⟩ + ⟨P - Q, P + Q⟩ ∧
      (⟨leftOn A ps, leftMass ps⟩ : Frac) ≤ ⟨rightOn A ps, rightMass ps⟩ + ⟨P - Q, P + Q⟩ := by
  obtain ⟨l, r⟩ := ratioAdmit_mass adm
  obtain ⟨h₁, h₂⟩ := tv_event ps A
  constructor
  · refine Frac.le_trans ?_ h₁ (Frac.add_le_add (Frac.le_refl _) (served_tv_tight adm))
    exact Nat.mul_pos l (Nat.mul_pos l r)
  · refine Frac.le_trans ?_ h₂ (Frac.add_le_add (Frac.le_refl _) (served_tv_tight adm))
    exact Nat.mul_pos r (Nat.mul_pos l r)

/-- **Sharp**, for every `P ≥ Q > 0`: the two-token weights `(Q, P)` and `(P, Q)` satisfy the ratio bound, and so the
spread bound, and their total variation is `(P − Q)/(P + Q)` exactly. -/
theorem served_tv_sharp {P Q : Nat} (hQ : 0 < Q) (hQP : Q ≤ P) :
    ratioAdmit P Q 1 1 [(Q, P), (P, Q)] = true ∧ spreadAdmit P Q Q P P Q [(Q, P), (P, Q)] = true ∧
      (⟨P - Q, P + Q⟩ : Frac) ≤ tv [(Q, P), (P, Q)] := by
  have sq : Q * Q ≤ P * P := Nat.mul_le_mul hQP hQP
  have pos : 0 < leftMass [(Q, P), (P, Q)] := Nat.add_pos_left hQ _
  refine ⟨ratioAdmit_iff.mpr ⟨hQ, hQP, Nat.le_refl 1, Nat.le_refl 1, pos, fun x hx => ?_⟩,
    spreadAdmit_iff.mpr ⟨hQ, hQP, hQ, hQ, pos, Nat.le_of_eq (Nat.mul_comm _ _), fun x hx => ?_⟩, ?_⟩
  · rw [Nat.mul_one, Nat.mul_one]
    cases hx with
    | head => exact ⟨Nat.le_of_eq (Nat.mul_comm _ _), sq⟩
    | tail _ hx => cases hx with
      | head => exact ⟨sq, Nat.le_of_eq (Nat.mul_comm _ _)⟩
      | tail _ hx => cases hx
  · cases hx with
    | head => exact ⟨sq, Nat.le_of_eq (Nat.mul_comm _ _)⟩
    | tail _ hx => cases hx with
      | head => exact ⟨Nat.le_of_eq (Nat.mul_comm _ _), sq⟩
      | tail _ hx => cases hx
  · show (P - Q) * ((Q + (P + 0)) * (P + (Q + 0)))
      ≤ ((P * (Q + (P + 0)) - Q * (P + (Q + 0))) + ((Q * (Q + (P + 0)) - P * (P + (Q + 0))) + 0)) * (P + Q)
    obtain ⟨k, rfl⟩ := Nat.exists_of_le hQP
    have e₁ : (Q + k) * (Q + (Q + k + 0)) = Q * (Q + k + (Q + 0)) + k * (Q + (Q + k)) := by nat_ring
    rw [e₁, Nat.add_sub_cancel_left, Nat.add_sub_cancel_left]
    refine Nat.le_trans (Nat.le_of_eq ?_) (Nat.mul_le_mul_right _ (Nat.le_add_right _ _))
    nat_ring

/-- Not vacuous: three tokens whose ratios lie within `[9/10, 10/9]` up to the factor `2`, with a total variation that is
not zero and below `1/19`. -/
theorem served_tv_sample : ratioAdmit 10 9 2 1 [(100, 205), (50, 98), (7, 14)] = true ∧
    tvNum [(100, 205), (50, 98), (7, 14)] = 485 ∧ tv [(100, 205), (50, 98), (7, 14)] ≤ ⟨1, 19⟩ :=
  ⟨by decide, by decide, served_tv_tight (P := 10) (Q := 9) (a := 2) (b := 1) (by decide)⟩

/-- Not vacuous, in the form of the spread: all weights double or nearly double, and only the difference counts. -/
theorem served_tv_spread_sample : spreadAdmit 20 19 19 10 21 10 [(100, 200), (50, 95), (10, 21)] = true ∧
    tv [(100, 200), (50, 95), (10, 21)] ≤ ⟨1, 39⟩ :=
  ⟨by decide, served_tv_spread (P := 20) (Q := 19) (c := 19) (e := 10) (f := 21) (g := 10) (by decide)⟩

/-! ## The gate threshold for a service level -/

/-- The law inverted: the ratio bound `P/Q` passes the gate exactly if `(P − Q)/(P + Q) ≤ n/d`. -/
theorem servedAdmit_iff_law {P Q n d : Nat} (hQ : 0 < Q) (hQP : Q ≤ P) (hd : 0 < d) :
    servedAdmit P Q n d = true ↔ (⟨P - Q, P + Q⟩ : Frac) ≤ ⟨n, d⟩ := by
  obtain ⟨k, rfl⟩ := Nat.exists_of_le hQP
  have law : (⟨Q + k - Q, Q + k + Q⟩ : Frac) ≤ ⟨n, d⟩ ↔ k * d ≤ n * (Q + k + Q) := by
    rw [Nat.add_sub_cancel_left]; exact Iff.rfl
  refine Iff.trans ⟨fun h => ?_, fun h => ?_⟩ law.symm
  · obtain ⟨_, _, _, h⟩ := servedAdmit_iff.mp h
    rcases Nat.le_total n d with g | g
    · obtain ⟨x, rfl⟩ := Nat.exists_of_le g
      rw [Nat.add_sub_cancel_left] at h
      nat_lin [h]
    · refine Nat.le_trans (Nat.mul_le_mul_left k g) ?_
      rw [Nat.mul_comm]
      exact Nat.mul_le_mul_left n (by nat_lin [Nat.zero_le (Q + Q)])
  · refine servedAdmit_iff.mpr ⟨hQ, hQP, hd, ?_⟩
    rcases Nat.le_total n d with g | g
    · obtain ⟨x, rfl⟩ := Nat.exists_of_le g
      rw [Nat.add_sub_cancel_left]
      nat_lin [h]
    · obtain ⟨x, rfl⟩ := Nat.exists_of_le g
      rw [Nat.sub_add_eq_zero, Nat.mul_zero]
      exact Nat.zero_le _

/-- **The gate threshold for a service level.**  The ratio bound `P/Q` passes the gate for the level `τ = n/d` exactly if
every step whose weights stay within that ratio bound, up to a common factor, has total variation at most `τ`.  So the
threshold `P/Q ≤ (1 + τ)/(1 − τ)`, that is `ε ≤ 2·atanh τ`, is the largest that keeps the level. -/
theorem gate_threshold_for_sla {P Q n d : Nat} (hQ : 0 < Q) (hQP : Q ≤ P) (hd : 0 < d) :
    servedAdmit P Q n d = true ↔ ∀ a b ps, ratioAdmit P Q a b ps = true → tv ps ≤ ⟨n, d⟩ := by
  have pos : 0 < P + Q := Nat.add_pos_left (Nat.le_trans hQ hQP) Q
  constructor
  · intro adm a b ps ratio
    exact Frac.le_trans (y := ⟨P - Q, P + Q⟩) pos (served_tv_tight ratio) ((servedAdmit_iff_law hQ hQP hd).mp adm)
  · intro all
    obtain ⟨ratio, _, attained⟩ := served_tv_sharp hQ hQP
    refine (servedAdmit_iff_law hQ hQP hd).mpr (Frac.le_trans ?_ attained (all 1 1 _ ratio))
    have P₀ := Nat.le_trans hQ hQP
    exact Nat.mul_pos (Nat.add_pos_left hQ _) (Nat.add_pos_left P₀ _)

/-- The gate at work: for a level of `5` percent the ratio bound `21/19` passes and `22/19` does not. -/
theorem servedAdmit_sample : servedAdmit 21 19 5 100 = true ∧ servedAdmit 22 19 5 100 = false := ⟨rfl, rfl⟩
end Gnosis

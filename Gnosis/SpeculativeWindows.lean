prelude
import Gnosis.SpeculativeSampling
/-! # Speculative sampling with drafted windows

The algorithm as it is run.  A whole window is drafted with the coarse weights `q`, token after token (`draftExpect`); how long it gets
may depend on the text, on the tokens that were drafted so far and on what became of all tokens before.  Then it is verified (`verifyExpect`): a drafted token `v` with `q_v ≤ p_v` stands, any other one stands with probability `p_v/q_v`.  At the first
one that does not, it and everything drafted behind it are taken back, a token is drawn from the residual weights
`(p_v − q_v)⁺`, and the next window is drafted.  After a window that stands whole one more token is drawn from `p`.

`window_eq_steps`: the texts have the law of `specExpect`, which draws a token and verifies it at once: what was drafted behind a
rejected token sums out, because the weights `q` have the total `N`.  `speculative_sampling_exact`: they have the law of the finer
model alone. -/
open List
namespace Gnosis

/-! ## Equal fractions -/

/-- A fraction is the same as itself. -/
theorem Frac.Same.refl (x : Frac) : x.Same x := Eq.refl (x.num * x.den)
/-- Seen from the other side. -/
theorem Frac.Same.symm {x y : Frac} (h : x.Same y) : y.Same x := Eq.symm h
/-- Through a proper fraction. -/
theorem Frac.Same.trans {x y z : Frac} (hy : 0 < y.den) (h : x.Same y) (k : y.Same z) : x.Same z := by
  have h : x.num * y.den = y.num * x.den := h
  have k : y.num * z.den = z.num * y.den := k
  show x.num * z.den = z.num * x.den
  generalize x.num = a, x.den = b, y.num = c, y.den = d, z.num = e, z.den = f at *
  have both : a * f * d = e * b * d := by
    calc a * f * d = a * d * f := by nat_ring
      _ = c * b * f := by rw [h]
      _ = c * f * b := by nat_ring
      _ = e * d * b := by rw [k]
      _ = e * b * d := by nat_ring
  exact Nat.le_antisymm (Nat.le_of_mul_le_mul_right (Nat.le_of_eq both) hy) (Nat.le_of_mul_le_mul_right (Nat.le_of_eq both.symm) hy)
/-- Products. -/
theorem Frac.Same.mul (x : Frac) {y z : Frac} (h : y.Same z) : (x * y).Same (x * z) := by
  have h : y.num * z.den = z.num * y.den := h
  show x.num * y.num * (x.den * z.den) = x.num * z.num * (x.den * y.den)
  generalize x.num = a, x.den = b, y.num = c, y.den = d, z.num = e, z.den = f at *
  calc a * c * (b * f) = a * b * (c * f) := by nat_ring
    _ = a * b * (e * d) := by rw [h]
    _ = a * e * (b * d) := by nat_ring
/-- Sums. -/
theorem Frac.Same.add {x y z w : Frac} (h : x.Same y) (k : z.Same w) : (x + z).Same (y + w) := by
  have h : x.num * y.den = y.num * x.den := h
  have k : z.num * w.den = w.num * z.den := k
  show (x.num * z.den + z.num * x.den) * (y.den * w.den) = (y.num * w.den + w.num * y.den) * (x.den * z.den)
  generalize x.num = a, x.den = b, y.num = c, y.den = d, z.num = e, z.den = f, w.num = g, w.den = i at *
  calc (a * f + e * b) * (d * i) = a * d * (f * i) + e * i * (b * d) := by nat_ring
    _ = c * b * (f * i) + g * f * (b * d) := by rw [h, k]
    _ = (c * i + g * d) * (b * f) := by nat_ring

/-- A weighted sum of proper fractions is one. -/
theorem weighted_den_pos {w : Nat → Nat} {G : Nat → Frac} {V : List Nat} (pos : ∀ v, v ∈ V → 0 < (G v).den) : 0 < (weighted w G V).den :=
  Frac.sumOver_den_pos fun v m => by show 0 < 1 * (G v).den; rw [Nat.one_mul]; exact pos v m

/-! ## The algorithm -/

/-- The mean of `G` over the windows of at most `k` tokens, the first one first, that the coarse model drafts after the text `h`; the draft ends
sooner where `ends` says so of the text with what was drafted. -/
def draftExpect (V : List Nat) (q : List Nat → Nat → Nat) (N : List Nat → Nat) (ends : List Nat → Bool) :
    Nat → (List Nat → Frac) → List Nat → Frac
  | 0, G, _ => G []
  | k + 1, G, h => bif ends h then G []
    else ⟨1, N h⟩ * weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V

/-- How drafts end, by what became of the tokens so far (1 stood, 0 was replaced, 2 was drawn after a whole window; the latest first): the most tokens
of the next window after a text, and the texts with drafted tokens at which it ends sooner. -/
structure Lengths where
  most : List Nat → List Nat → Nat
  ends : List Nat → List Nat → Bool

/-- The mean of `F` over the texts of `n` more tokens after `h`, when a window has been drafted and is to be verified. -/
def verifyExpect (V : List Nat) (p q : List Nat → Nat → Nat) (N : List Nat → Nat) (c : Lengths) (F : List Nat → Frac) :
    Nat → List Nat → List Nat → List Nat → Frac
  | 0, _, _, h => F h
  | n + 1, past, [], h =>
    ⟨1, N h⟩ * weighted (p h) (fun u => draftExpect V q N (c.ends (2 :: past)) (c.most (2 :: past) (u :: h))
      (fun w => verifyExpect V p q N c F n (2 :: past) w (u :: h)) (u :: h)) V
  | n + 1, past, v :: window, h =>
    bif Nat.ble (q h v) (p h v) then verifyExpect V p q N c F n (1 :: past) window (v :: h)
    else ⟨p h v, q h v⟩ * verifyExpect V p q N c F n (1 :: past) window (v :: h) + ⟨q h v - p h v, q h v⟩ * residualDraw V (p h) (q h)
      (fun u => draftExpect V q N (c.ends (0 :: past)) (c.most (0 :: past) (u :: h))
        (fun w => verifyExpect V p q N c F n (0 :: past) w (u :: h)) (u :: h))

/-- The mean of `F` over the texts of `n` more tokens that speculative sampling with drafted windows draws after `h`. -/
def windowExpect (V : List Nat) (p q : List Nat → Nat → Nat) (N : List Nat → Nat) (c : Lengths) (F : List Nat → Frac)
    (n : Nat) (past h : List Nat) : Frac :=
  draftExpect V q N (c.ends past) (c.most past h) (fun w => verifyExpect V p q N c F n past w h) h

/-- Nothing is left of a number after one that is not below it. -/
theorem sub_of_le {a b : Nat} (h : a ≤ b) : a - b = 0 := by
  obtain ⟨k, rfl⟩ := Nat.exists_of_le h
  exact Nat.sub_add_eq_zero a k

/-! ## Summing out -/

/-- A weighted sum of `x·G + y`. -/
theorem weighted_affine (w : Nat → Nat) (G : Nat → Frac) (x y : Frac) (V : List Nat) (hx : 0 < x.den) (hy : 0 < y.den)
    (pos : ∀ v, v ∈ V → 0 < (G v).den) :
    (weighted w (fun v => x * G v + y) V).Same (x * weighted w G V + ⟨sumOver w V, 1⟩ * y) := by
  induction V with
  | nil =>
    show 0 * (x.den * 1 * (1 * y.den)) = (x.num * 0 * (1 * y.den) + 0 * y.num * (x.den * 1)) * 1
    generalize x.num = a, x.den = b, y.num = c, y.den = d
    nat_ring
  | cons v V ih =>
    obtain ⟨p₁, p₂⟩ := forall_mem_cons pos
    have ih := Frac.Same.add (Frac.Same.refl ((⟨w v, 1⟩ : Frac) * (x * G v + y))) (ih p₂)
    refine Frac.Same.trans ?_ ih ?_
    · exact Nat.mul_pos (Nat.mul_pos (Nat.le_refl 1) (Nat.mul_pos (Nat.mul_pos hx p₁) hy))
        (Nat.mul_pos (Nat.mul_pos hx (weighted_den_pos p₂)) (Nat.mul_pos (Nat.le_refl 1) hy))
    · show (w v * (x.num * (G v).num * y.den + y.num * (x.den * (G v).den)) * (x.den * (weighted w G V).den * (1 * y.den))
          + (x.num * (weighted w G V).num * (1 * y.den) + sumOver w V * y.num * (x.den * (weighted w G V).den))
            * (1 * (x.den * (G v).den * y.den)))
          * (x.den * (1 * (G v).den * (weighted w G V).den) * (1 * y.den))
        = (x.num * (w v * (G v).num * (weighted w G V).den + (weighted w G V).num * (1 * (G v).den)) * (1 * y.den)
            + (w v + sumOver w V) * y.num * (x.den * (1 * (G v).den * (weighted w G V).den)))
          * (1 * (x.den * (G v).den * y.den) * (x.den * (weighted w G V).den * (1 * y.den)))
      generalize (weighted w G V).num = a, (weighted w G V).den = b, sumOver w V = S, (G v).num = c, (G v).den = d, w v = e,
        x.num = f, x.den = g, y.num = i, y.den = j
      nat_ring

/-- What a mean over drafts is proper for. -/
theorem draftExpect_den_pos {V : List Nat} {q : List Nat → Nat → Nat} {N : List Nat → Nat} {ends : List Nat → Bool} (hN : ∀ h, 0 < N h) (k : Nat)
    {G : List Nat → Frac} (pos : ∀ w, (∀ v, v ∈ w → v ∈ V) → 0 < (G w).den) (h : List Nat) : 0 < (draftExpect V q N ends k G h).den := by
  induction k generalizing G h with
  | zero => exact pos [] (fun v m => nomatch m)
  | succ k ih =>
    show 0 < (bif ends h then G [] else ⟨1, N h⟩ * weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V).den
    cases ends h with
    | true => exact pos [] (fun v m => nomatch m)
    | false =>
      refine Nat.mul_pos (hN h) (weighted_den_pos fun v m => ih (G := fun w => G (v :: w)) (fun w mw => pos (v :: w) fun u mu => ?_) _)
      cases mu with
      | head => exact m
      | tail _ mu => exact mw u mu

/-- **The tail sums out**: the mean over drafts of `x·G + y`, where `x` and `y` do not depend on the draft. -/
theorem draftExpect_affine {V : List Nat} {q : List Nat → Nat → Nat} {N : List Nat → Nat} {ends : List Nat → Bool} (hN : ∀ h, 0 < N h)
    (hq : ∀ h, sumOver (q h) V = N h) (k : Nat) {G : List Nat → Frac} (pos : ∀ w, (∀ v, v ∈ w → v ∈ V) → 0 < (G w).den) {x y : Frac}
    (hx : 0 < x.den) (hy : 0 < y.den) (h : List Nat) :
    (draftExpect V q N ends k (fun w => x * G w + y) h).Same (x * draftExpect V q N ends k G h + y) := by
  induction k generalizing G h with
  | zero => exact Frac.Same.refl _
  | succ k ih =>
    show (bif ends h then x * G [] + y else ⟨1, N h⟩ * weighted (q h) (fun v => draftExpect V q N ends k (fun w => x * G (v :: w) + y) (v :: h)) V).Same
      (x * (bif ends h then G [] else ⟨1, N h⟩ * weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V) + y)
    cases ends h with
    | true => exact Frac.Same.refl _
    | false =>
      have posv : ∀ v, v ∈ V → ∀ w, (∀ u, u ∈ w → u ∈ V) → 0 < (G (v :: w)).den := fun v m w mw => pos (v :: w) fun u mu => by
        cases mu with
        | head => exact m
        | tail _ mu => exact mw u mu
      have inner : ∀ v, v ∈ V → 0 < (draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)).den := fun v m =>
        draftExpect_den_pos hN k (posv v m) _
      have each : ∀ v, v ∈ V → (draftExpect V q N ends k (fun w => x * G (v :: w) + y) (v :: h)).Same
          (x * draftExpect V q N ends k (fun w => G (v :: w)) (v :: h) + y) := fun v m => ih (posv v m) _
      have out := weighted_affine (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) x y V hx hy inner
      rw [hq] at out
      have mid : 0 < (weighted (q h) (fun v => x * draftExpect V q N ends k (fun w => G (v :: w)) (v :: h) + y) V).den :=
        weighted_den_pos fun v m => Nat.mul_pos (Nat.mul_pos hx (inner v m)) hy
      have one := Frac.Same.mul ⟨1, N h⟩ (Frac.Same.trans mid (weighted_same (w := q h) each) out)
      have W : 0 < (weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V).den := weighted_den_pos inner
      have last : 0 < ((⟨1, N h⟩ : Frac) * (x * weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V
          + ⟨N h, 1⟩ * y)).den := Nat.mul_pos (hN h) (Nat.mul_pos (Nat.mul_pos hx W) (by show 0 < 1 * y.den; rw [Nat.one_mul]; exact hy))
      refine Frac.Same.trans last one ?_
      show 1 * (x.num * (weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V).num * (1 * y.den)
            + N h * y.num * (x.den * (weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V).den))
          * (x.den * (N h * (weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V).den) * y.den)
        = (x.num * (1 * (weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V).num) * y.den
            + y.num * (x.den * (N h * (weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V).den)))
          * (N h * (x.den * (weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V).den * (1 * y.den)))
      generalize (weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V).num = a,
        (weighted (q h) (fun v => draftExpect V q N ends k (fun w => G (v :: w)) (v :: h)) V).den = b, N h = M, x.num = f, x.den = g,
        y.num = i, y.den = j
      nat_ring

/-- A weighted sum of equal terms. -/
theorem weighted_const (w : Nat → Nat) {x : Frac} (hx : 0 < x.den) (V : List Nat) : (weighted w (fun _ => x) V).Same (⟨sumOver w V, 1⟩ * x) := by
  induction V with
  | nil => show 0 * (1 * x.den) = 0 * x.num * 1; rw [Nat.zero_mul, Nat.zero_mul]
  | cons v V ih =>
    have d : 0 < 1 * x.den := by rw [Nat.one_mul]; exact hx
    have cons : ((⟨w v, 1⟩ : Frac) * x + weighted w (fun _ => x) V).Same (⟨w v, 1⟩ * x + ⟨sumOver w V, 1⟩ * x) :=
      Frac.Same.add (Frac.Same.refl ((⟨w v, 1⟩ : Frac) * x)) ih
    have mid : 0 < ((⟨w v, 1⟩ : Frac) * x + ⟨sumOver w V, 1⟩ * x).den := Nat.mul_pos d d
    refine Frac.Same.trans mid cons ?_
    show (w v * x.num * (1 * x.den) + sumOver w V * x.num * (1 * x.den)) * (1 * x.den)
      = (w v + sumOver w V) * x.num * (1 * x.den * (1 * x.den))
    generalize x.num = a, x.den = b, w v = c, sumOver w V = S
    nat_ring

/-- The mean over drafts of what does not depend on the draft. -/
theorem draftExpect_const {V : List Nat} {q : List Nat → Nat → Nat} {N : List Nat → Nat} {ends : List Nat → Bool} (hN : ∀ h, 0 < N h)
    (hq : ∀ h, sumOver (q h) V = N h) (k : Nat) {x : Frac} (hx : 0 < x.den) (h : List Nat) : (draftExpect V q N ends k (fun _ => x) h).Same x := by
  induction k generalizing h with
  | zero => exact Frac.Same.refl _
  | succ k ih =>
    show (bif ends h then x else ⟨1, N h⟩ * weighted (q h) (fun v => draftExpect V q N ends k (fun _ => x) (v :: h)) V).Same x
    cases ends h with
    | true => exact Frac.Same.refl _
    | false =>
      have out := weighted_const (q h) hx V
      rw [hq] at out
      have mid : 0 < (weighted (q h) (fun _ => x) V).den := weighted_den_pos fun _ _ => hx
      have one := Frac.Same.mul ⟨1, N h⟩ (Frac.Same.trans mid (weighted_same (w := q h) (fun v _ => ih (v :: h))) out)
      have last : 0 < ((⟨1, N h⟩ : Frac) * ((⟨N h, 1⟩ : Frac) * x)).den := Nat.mul_pos (hN h) (by show 0 < 1 * x.den; rw [Nat.one_mul]; exact hx)
      refine Frac.Same.trans last one ?_
      show 1 * (N h * x.num) * x.den = x.num * (N h * (1 * x.den))
      generalize x.num = a, x.den = b, N h = M
      nat_ring

/-! ## One window -/

/-- One token of a drafted window, drawn with `q`: it stands, or is replaced from the residual.  In the mean that is one token of
`specExpect`. -/
theorem drafted_token {p q : Nat → Nat} {A : Nat → Frac} {R : Frac} {V : List Nat} (posA : ∀ v, v ∈ V → 0 < (A v).den)
    (posR : sumOver (fun v => q v - p v) V = 0 ∨ 0 < R.den) :
    (weighted q (fun v => bif Nat.ble (q v) (p v) then A v else ⟨p v, q v⟩ * A v + ⟨q v - p v, q v⟩ * R) V).Same
      (weighted (fun v => lesser (p v) (q v)) A V
        + (bif Nat.beq (sumOver (fun v => q v - p v) V) 0 then 0 else ⟨sumOver (fun v => q v - p v) V, 1⟩ * R)) := by
  rcases posR with zero | posR
  · -- nothing is ever rejected
    have none : ∀ v, v ∈ V → q v - p v = 0 := by
      clear posA
      induction V with
      | nil => exact fun v m => nomatch m
      | cons u V ih =>
        have z : q u - p u + sumOver (fun v => q v - p v) V = 0 := zero
        have z₁ : q u - p u = 0 := Nat.le_antisymm (by rw [← z]; exact Nat.le_add_right _ _) (Nat.zero_le _)
        rw [z₁, Nat.zero_add] at z
        intro v m
        cases m with
        | head => exact z₁
        | tail _ m => exact ih z v m
    rw [zero]
    have same : weighted q (fun v => bif Nat.ble (q v) (p v) then A v else ⟨p v, q v⟩ * A v + ⟨q v - p v, q v⟩ * R) V
        = weighted (fun v => lesser (p v) (q v)) A V := Frac.sumOver_congr fun v m => by
      have g := lesser_add' (p v) (q v)
      rw [none v m, Nat.add_zero] at g
      have e : Nat.ble (q v) (p v) = true := by
        rcases Nat.le_total (q v) (p v) with h | h
        · exact Nat.ble_eq_true_of_le h
        · have k : lesser (p v) (q v) = p v := by unfold lesser; rw [Nat.ble_eq_true_of_le h]; rfl
          rw [← g, k]; exact Nat.ble_eq_true_of_le (Nat.le_refl _)
      show (⟨q v, 1⟩ : Frac) * (bif Nat.ble (q v) (p v) then A v else ⟨p v, q v⟩ * A v + ⟨q v - p v, q v⟩ * R)
        = ⟨lesser (p v) (q v), 1⟩ * A v
      rw [e, g]; rfl
    rw [same]
    show (weighted (fun v => lesser (p v) (q v)) A V).num * ((weighted (fun v => lesser (p v) (q v)) A V).den * 1)
      = ((weighted (fun v => lesser (p v) (q v)) A V).num * 1 + 0 * (weighted (fun v => lesser (p v) (q v)) A V).den)
        * (weighted (fun v => lesser (p v) (q v)) A V).den
    generalize (weighted (fun v => lesser (p v) (q v)) A V).num = a, (weighted (fun v => lesser (p v) (q v)) A V).den = b
    nat_ring
  · -- with or without the case distinction: nothing times the residual is nothing
    have all : (weighted q (fun v => bif Nat.ble (q v) (p v) then A v else ⟨p v, q v⟩ * A v + ⟨q v - p v, q v⟩ * R) V).Same
        (weighted (fun v => lesser (p v) (q v)) A V + ⟨sumOver (fun v => q v - p v) V, 1⟩ * R) := by
      induction V with
      | nil => show 0 * (1 * (1 * R.den)) = (0 * (1 * R.den) + 0 * R.num * 1) * 1; rw [Nat.zero_mul, Nat.zero_mul, Nat.zero_mul, Nat.zero_mul]
      | cons v V ih =>
        obtain ⟨p₁, p₂⟩ := forall_mem_cons posA
        have ih := ih p₂
        have head : ((⟨q v, 1⟩ : Frac) * (bif Nat.ble (q v) (p v) then A v else ⟨p v, q v⟩ * A v + ⟨q v - p v, q v⟩ * R)).Same
            (⟨lesser (p v) (q v), 1⟩ * A v + ⟨q v - p v, 1⟩ * R) := by
          cases e : Nat.ble (q v) (p v) with
          | true =>
            have le := Nat.le_of_ble_eq_true e
            have g := lesser_add' (p v) (q v)
            rw [sub_of_le le, Nat.add_zero] at g
            rw [sub_of_le le, g]
            show q v * (A v).num * (1 * (A v).den * (1 * R.den)) = (q v * (A v).num * (1 * R.den) + 0 * R.num * (1 * (A v).den)) * (1 * (A v).den)
            generalize (A v).num = a, (A v).den = b, R.num = c, R.den = d, q v = f
            nat_ring
          | false =>
            have lt : p v ≤ q v := by
              rcases Nat.le_total (p v) (q v) with h | h
              · exact h
              · rw [Nat.ble_eq_true_of_le h] at e; exact nomatch e
            have g : lesser (p v) (q v) = p v := by unfold lesser; rw [Nat.ble_eq_true_of_le lt]; rfl
            rw [g]
            show q v * (p v * (A v).num * (q v * R.den) + (q v - p v) * R.num * (q v * (A v).den)) * (1 * (A v).den * (1 * R.den))
              = (p v * (A v).num * (1 * R.den) + (q v - p v) * R.num * (1 * (A v).den)) * (1 * (q v * (A v).den * (q v * R.den)))
            generalize q v - p v = r, (A v).num = a, (A v).den = b, R.num = c, R.den = d, q v = f, p v = g'
            nat_ring
        have sum := Frac.Same.add head ih
        have one : 0 < 1 * (A v).den := by rw [Nat.one_mul]; exact p₁
        have two : 0 < 1 * R.den := by rw [Nat.one_mul]; exact posR
        have mid : 0 < ((⟨lesser (p v) (q v), 1⟩ : Frac) * A v + ⟨q v - p v, 1⟩ * R
            + (weighted (fun v => lesser (p v) (q v)) A V + ⟨sumOver (fun v => q v - p v) V, 1⟩ * R)).den :=
          Nat.mul_pos (Nat.mul_pos one two) (Nat.mul_pos (weighted_den_pos p₂) two)
        refine Frac.Same.trans mid sum ?_
        show ((lesser (p v) (q v) * (A v).num * (1 * R.den) + (q v - p v) * R.num * (1 * (A v).den))
              * ((weighted (fun v => lesser (p v) (q v)) A V).den * (1 * R.den))
            + ((weighted (fun v => lesser (p v) (q v)) A V).num * (1 * R.den)
                + sumOver (fun v => q v - p v) V * R.num * (weighted (fun v => lesser (p v) (q v)) A V).den)
              * (1 * (A v).den * (1 * R.den)))
            * (1 * (A v).den * (weighted (fun v => lesser (p v) (q v)) A V).den * (1 * R.den))
          = ((lesser (p v) (q v) * (A v).num * (weighted (fun v => lesser (p v) (q v)) A V).den
                + (weighted (fun v => lesser (p v) (q v)) A V).num * (1 * (A v).den)) * (1 * R.den)
              + (q v - p v + sumOver (fun v => q v - p v) V) * R.num * (1 * (A v).den * (weighted (fun v => lesser (p v) (q v)) A V).den))
            * (1 * (A v).den * (1 * R.den) * ((weighted (fun v => lesser (p v) (q v)) A V).den * (1 * R.den)))
        generalize (weighted (fun v => lesser (p v) (q v)) A V).num = a, (weighted (fun v => lesser (p v) (q v)) A V).den = b,
          sumOver (fun v => q v - p v) V = S, (A v).num = c, (A v).den = d, R.num = e, R.den = f, lesser (p v) (q v) = i, q v - p v = j
        nat_ring
    cases e : Nat.beq (sumOver (fun v => q v - p v) V) 0 with
    | false => exact all
    | true =>
      rw [Nat.beq_eq_true_iff.mp e] at all
      have two : 0 < 1 * R.den := by rw [Nat.one_mul]; exact posR
      have mid : 0 < (weighted (fun v => lesser (p v) (q v)) A V + ⟨0, 1⟩ * R).den := Nat.mul_pos (weighted_den_pos posA) two
      refine Frac.Same.trans mid all ?_
      show ((weighted (fun v => lesser (p v) (q v)) A V).num * (1 * R.den) + 0 * R.num * (weighted (fun v => lesser (p v) (q v)) A V).den)
          * ((weighted (fun v => lesser (p v) (q v)) A V).den * 1)
        = ((weighted (fun v => lesser (p v) (q v)) A V).num * 1 + 0 * (weighted (fun v => lesser (p v) (q v)) A V).den)
          * ((weighted (fun v => lesser (p v) (q v)) A V).den * (1 * R.den))
      generalize (weighted (fun v => lesser (p v) (q v)) A V).num = a, (weighted (fun v => lesser (p v) (q v)) A V).den = b, R.num = c, R.den = d
      nat_ring

/-! ## The law of the texts -/

/-- The residual weights have the total of the rejected ones. -/
theorem residual_total {V : List Nat} {p q : Nat → Nat} {N : Nat} (hp : sumOver p V = N) (hq : sumOver q V = N) :
    sumOver (fun v => p v - q v) V = sumOver (fun v => q v - p v) V := by
  have e₁ : sumOver (fun v => lesser (p v) (q v)) V + sumOver (fun v => p v - q v) V = N := by
    rw [← sumOver_add, ← hp]; exact sumOver_congr fun v _ => lesser_add _ _
  have e₂ : sumOver (fun v => lesser (p v) (q v)) V + sumOver (fun v => q v - p v) V = N := by
    rw [← sumOver_add, ← hq]; exact sumOver_congr fun v _ => lesser_add' _ _
  exact Nat.add_left_cancel (e₁.trans e₂.symm)

/-- Where a token may be rejected there is something to draw from. -/
theorem residual_pos {V : List Nat} {p q : Nat → Nat} {N v : Nat} (hp : sumOver p V = N) (hq : sumOver q V = N) (m : v ∈ V)
    (less : p v < q v) : 0 < sumOver (fun v => p v - q v) V := by
  rw [residual_total hp hq]
  clear hp hq
  have one : 0 < q v - p v := by
    obtain ⟨k, e⟩ := Nat.exists_of_le less
    rw [e, Nat.succ_add]
    show 0 < p v + (k + 1) - p v
    rw [Nat.add_sub_cancel_left]
    exact Nat.le_add_left 1 k
  induction m with
  | head l => exact Nat.lt_of_lt_of_le one (Nat.le_add_right _ _)
  | tail u _ ih => exact Nat.lt_of_lt_of_le ih (Nat.le_add_left _ _)

/-- What is verified is proper. -/
theorem verifyExpect_den_pos {V : List Nat} {p q : List Nat → Nat → Nat} {N : List Nat → Nat} (c : Lengths) (hN : ∀ h, 0 < N h)
    (hp : ∀ h, sumOver (p h) V = N h) (hq : ∀ h, sumOver (q h) V = N h) {F : List Nat → Frac} (hF : ∀ h, 0 < (F h).den) (n : Nat)
    (past window h : List Nat) (inV : ∀ v, v ∈ window → v ∈ V) : 0 < (verifyExpect V p q N c F n past window h).den := by
  induction n generalizing past window h with
  | zero => exact hF h
  | succ n ih =>
    have next : ∀ past u, 0 < (draftExpect V q N (c.ends past) (c.most past (u :: h)) (fun w => verifyExpect V p q N c F n past w (u :: h)) (u :: h)).den :=
      fun past u => draftExpect_den_pos hN _ (fun w m => ih past w (u :: h) m) _
    cases window with
    | nil => exact Nat.mul_pos (hN h) (weighted_den_pos fun u _ => next _ u)
    | cons v window =>
      obtain ⟨v₁, v₂⟩ := forall_mem_cons inV
      show 0 < (bif Nat.ble (q h v) (p h v) then verifyExpect V p q N c F n (1 :: past) window (v :: h)
        else ⟨p h v, q h v⟩ * verifyExpect V p q N c F n (1 :: past) window (v :: h) + ⟨q h v - p h v, q h v⟩ * residualDraw V (p h) (q h)
          (fun u => draftExpect V q N (c.ends (0 :: past)) (c.most (0 :: past) (u :: h))
            (fun w => verifyExpect V p q N c F n (0 :: past) w (u :: h)) (u :: h))).den
      cases e : Nat.ble (q h v) (p h v) with
      | true => exact ih (1 :: past) window (v :: h) v₂
      | false =>
        have less : p h v < q h v := by
          rcases Nat.lt_or_ge (p h v) (q h v) with g | g
          · exact g
          · rw [Nat.ble_eq_true_of_le g] at e; exact nomatch e
        have q₀ : 0 < q h v := Nat.lt_of_le_of_lt (Nat.zero_le _) less
        exact Nat.mul_pos (Nat.mul_pos q₀ (ih (1 :: past) window (v :: h) v₂))
          (Nat.mul_pos q₀ (Nat.mul_pos (residual_pos (hp h) (hq h) v₁ less) (weighted_den_pos fun u _ => next _ u)))

/-- **Speculative sampling is exact**: if both models' weights have the same positive total `N` at every text, then for every function
`F` of the text, every number `n` of tokens and every rule `c` for the lengths of the windows, the mean of `F` over the texts that
speculative sampling with drafted windows draws is the mean over the texts that the finer model draws.  For the indicator of a
text: it is drawn with the same probability; and so each next token is drawn from the finer model exactly. -/
theorem speculative_sampling_exact {V : List Nat} {p q : List Nat → Nat → Nat} {N : List Nat → Nat} (c : Lengths)
    (hN : ∀ h, 0 < N h) (hp : ∀ h, sumOver (p h) V = N h) (hq : ∀ h, sumOver (q h) V = N h) {F : List Nat → Frac}
    (hF : ∀ h, 0 < (F h).den) (n : Nat) (past h : List Nat) :
    0 < (windowExpect V p q N c F n past h).den ∧ (windowExpect V p q N c F n past h).Same (fineExpect V p N n F h) := by
  have windows : ∀ n (e : List Nat → Bool) past k h, 0 < (draftExpect V q N e k (fun w => verifyExpect V p q N c F n past w h) h).den := fun n e past k h =>
    draftExpect_den_pos hN k (fun w m => verifyExpect_den_pos c hN hp hq hF n past w h m) h
  have fine : ∀ n h, 0 < (fineExpect V p N n F h).den := by
    intro n
    induction n with
    | zero => exact hF
    | succ n ih => exact fun h => Nat.mul_pos (hN h) (weighted_den_pos fun v _ => ih (v :: h))
  have all : ∀ n (e : List Nat → Bool) past k h, (draftExpect V q N e k (fun w => verifyExpect V p q N c F n past w h) h).Same (fineExpect V p N n F h) := by
    intro n
    induction n with
    | zero => exact fun e past k h => draftExpect_const hN hq k (hF h) h
    | succ n ih =>
      intro e past k h
      have free : (verifyExpect V p q N c F (n + 1) past [] h).Same (fineExpect V p N (n + 1) F h) :=
        Frac.Same.mul ⟨1, N h⟩ (weighted_same (w := p h) fun u _ => ih _ (2 :: past) _ (u :: h))
      cases k with
      | zero => exact free
      | succ k =>
        show (bif e h then verifyExpect V p q N c F (n + 1) past [] h
          else ⟨1, N h⟩ * weighted (q h) (fun v => draftExpect V q N e k (fun w => verifyExpect V p q N c F (n + 1) past (v :: w) h) (v :: h)) V).Same _
        cases e h with
        | true => exact free
        | false =>
          let A : Nat → Frac := fun v => draftExpect V q N e k (fun w => verifyExpect V p q N c F n (1 :: past) w (v :: h)) (v :: h)
          let B : Nat → Frac := fun u => draftExpect V q N (c.ends (0 :: past)) (c.most (0 :: past) (u :: h)) (fun w => verifyExpect V p q N c F n (0 :: past) w (u :: h)) (u :: h)
          have posA : ∀ v, v ∈ V → 0 < (A v).den := fun v _ => windows n e _ k (v :: h)
          have posB : ∀ v, v ∈ V → 0 < (B v).den := fun v _ => windows n _ _ _ (v :: h)
          have posR : sumOver (fun v => q h v - p h v) V = 0 ∨ 0 < (residualDraw V (p h) (q h) B).den := by
            rcases zero_or_pos (sumOver (fun v => q h v - p h v) V) with g | g
            · exact .inl g
            · exact .inr (Nat.mul_pos (by rw [residual_total (hp h) (hq h)]; exact g) (weighted_den_pos posB))
          have each : ∀ v, v ∈ V → (draftExpect V q N e k (fun w => verifyExpect V p q N c F (n + 1) past (v :: w) h) (v :: h)).Same
              (bif Nat.ble (q h v) (p h v) then A v
                else ⟨p h v, q h v⟩ * A v + ⟨q h v - p h v, q h v⟩ * residualDraw V (p h) (q h) B) := fun v m => by
            show (draftExpect V q N e k (fun w => bif Nat.ble (q h v) (p h v) then verifyExpect V p q N c F n (1 :: past) w (v :: h)
              else ⟨p h v, q h v⟩ * verifyExpect V p q N c F n (1 :: past) w (v :: h) + ⟨q h v - p h v, q h v⟩ * residualDraw V (p h) (q h) B) (v :: h)).Same _
            cases e : Nat.ble (q h v) (p h v) with
            | true => exact Frac.Same.refl _
            | false =>
              have less : p h v < q h v := by
                rcases Nat.lt_or_ge (p h v) (q h v) with g | g
                · exact g
                · rw [Nat.ble_eq_true_of_le g] at e; exact nomatch e
              have q₀ : 0 < q h v := Nat.lt_of_le_of_lt (Nat.zero_le _) less
              have R₀ : 0 < (residualDraw V (p h) (q h) B).den :=
                Nat.mul_pos (residual_pos (hp h) (hq h) m less) (weighted_den_pos posB)
              have y₀ : 0 < ((⟨q h v - p h v, q h v⟩ : Frac) * residualDraw V (p h) (q h) B).den := Nat.mul_pos q₀ R₀
              exact draftExpect_affine hN hq k (fun w m => verifyExpect_den_pos c hN hp hq hF n (1 :: past) w (v :: h) m) (x := ⟨p h v, q h v⟩) q₀ y₀ (v :: h)
          have one : (⟨1, N h⟩ * weighted (q h) (fun v => draftExpect V q N e k (fun w => verifyExpect V p q N c F (n + 1) past (v :: w) h) (v :: h)) V : Frac).Same
              (⟨1, N h⟩ * (weighted (fun v => lesser (p h v) (q h v)) A V
                + (bif Nat.beq (sumOver (fun v => q h v - p h v) V) 0 then 0
                  else ⟨sumOver (fun v => q h v - p h v) V, 1⟩ * residualDraw V (p h) (q h) B))) :=
            Frac.Same.mul ⟨1, N h⟩ (Frac.Same.trans (weighted_den_pos fun v m => branch_pos (posA v m) (hp h) (hq h) m (weighted_den_pos posB))
              (weighted_same (w := q h) each) (drafted_token posA posR))
          have two := speculative_step (N := N h) (G := fun v => fineExpect V p N n F (v :: h)) (A := A) (B := B) (hp h) (hq h)
            (fun v _ => fine n (v :: h)) posA posB (fun v _ => ih e (1 :: past) k (v :: h)) (fun v _ => ih _ (0 :: past) _ (v :: h))
          have W₀ : 0 < (weighted (fun v => lesser (p h v) (q h v)) A V).den := weighted_den_pos posA
          obtain ⟨out, p₁, p₂⟩ := one_denominator (T := sumOver (fun v => q h v - p h v) V) (hN h) W₀ posR
          exact Frac.Same.trans p₁ one (Frac.Same.trans p₂ out two)
  exact ⟨windows n _ past _ h, all n _ past _ h⟩
where
  branch_pos {V : List Nat} {p q : Nat → Nat} {N v : Nat} {A : Frac} {B : Nat → Frac} (posA : 0 < A.den) (hp : sumOver p V = N)
      (hq : sumOver q V = N) (m : v ∈ V) (posB : 0 < (weighted (fun v => p v - q v) B V).den) :
      0 < (bif Nat.ble (q v) (p v) then A else ⟨p v, q v⟩ * A + ⟨q v - p v, q v⟩ * residualDraw V p q B).den := by
    cases e : Nat.ble (q v) (p v) with
    | true => exact posA
    | false =>
      have less : p v < q v := by
        rcases Nat.lt_or_ge (p v) (q v) with g | g
        · exact g
        · rw [Nat.ble_eq_true_of_le g] at e; exact nomatch e
      have q₀ : 0 < q v := Nat.lt_of_le_of_lt (Nat.zero_le _) less
      exact Nat.mul_pos (Nat.mul_pos q₀ posA) (Nat.mul_pos q₀ (Nat.mul_pos (residual_pos hp hq m less) posB))
  one_denominator {W R : Frac} {N T : Nat} (hN : 0 < N) (hW : 0 < W.den) (hR : T = 0 ∨ 0 < R.den) :
      ((⟨1, N⟩ : Frac) * (W + (bif Nat.beq T 0 then 0 else ⟨T, 1⟩ * R))).Same (⟨1, N⟩ * W + (bif Nat.beq T 0 then 0 else ⟨T, N⟩ * R))
        ∧ 0 < ((⟨1, N⟩ : Frac) * (W + (bif Nat.beq T 0 then 0 else ⟨T, 1⟩ * R))).den
        ∧ 0 < ((⟨1, N⟩ : Frac) * W + (bif Nat.beq T 0 then 0 else ⟨T, N⟩ * R)).den := by
    cases e : Nat.beq T 0 with
    | true =>
      refine ⟨?_, Nat.mul_pos hN (Nat.mul_pos hW (Nat.le_refl 1)), Nat.mul_pos (Nat.mul_pos hN hW) (Nat.le_refl 1)⟩
      show 1 * (W.num * 1 + 0 * W.den) * (N * W.den * 1) = (1 * W.num * 1 + 0 * (N * W.den)) * (N * (W.den * 1))
      generalize W.num = a, W.den = b
      nat_ring
    | false =>
      have R₀ : 0 < R.den := by
        rcases hR with z | R₀
        · rw [z] at e; exact nomatch e
        · exact R₀
      have R₁ : 0 < 1 * R.den := by rw [Nat.one_mul]; exact R₀
      refine ⟨?_, Nat.mul_pos hN (Nat.mul_pos hW R₁), Nat.mul_pos (Nat.mul_pos hN hW) (Nat.mul_pos hN R₀)⟩
      show 1 * (W.num * (1 * R.den) + T * R.num * W.den) * (N * W.den * (N * R.den))
        = (1 * W.num * (N * R.den) + T * R.num * (N * W.den)) * (N * (W.den * (1 * R.den)))
      generalize W.num = a, W.den = b, R.num = c, R.den = d
      nat_ring
  zero_or_pos : ∀ n : Nat, n = 0 ∨ 0 < n
    | 0 => .inl rfl
    | n + 1 => .inr (Nat.le_add_left 1 n)

/-- **What was drafted behind a rejected token sums out**: the texts of drafted windows have the law of the texts of which each token is
drawn and verified at once. -/
theorem window_eq_steps {V : List Nat} {p q : List Nat → Nat → Nat} {N : List Nat → Nat} (c : Lengths) (l : List Nat → Nat)
    (hN : ∀ h, 0 < N h) (hp : ∀ h, sumOver (p h) V = N h) (hq : ∀ h, sumOver (q h) V = N h) {F : List Nat → Frac}
    (hF : ∀ h, 0 < (F h).den) (n k : Nat) (past h : List Nat) :
    (windowExpect V p q N c F n past h).Same (specExpect V p q N l n k F h) := by
  have fine : ∀ n h, 0 < (fineExpect V p N n F h).den := by
    intro n
    induction n with
    | zero => exact hF
    | succ n ih => exact fun h => Nat.mul_pos (hN h) (weighted_den_pos fun v _ => ih (v :: h))
  exact Frac.Same.trans (fine n h) (speculative_sampling_exact c hN hp hq hF n past h).2 (speculative_steps_exact l hN hp hq hF n k h).symm

/-- Not vacuous: the text 0, 0 has the probability 1/4·3/4; drafted in windows of two by a model that draws evenly it has it too. -/
theorem speculative_sample : (∀ h, sumOver (leaningWeights h) [0, 1] = 4) ∧
    (windowExpect [0, 1] leaningWeights (fun _ _ => 2) (fun _ => 4) ⟨fun _ _ => 2, fun _ _ => false⟩ (isText [0, 0]) 2 [] []).Same ⟨3, 16⟩ ∧
      (fineExpect [0, 1] leaningWeights (fun _ => 4) 2 (isText [0, 0]) []).Same ⟨3, 16⟩ :=
  ⟨speculative_steps_sample.1, by decide +kernel, by decide +kernel⟩

end Gnosis

prelude
import Gnosis.Deferred
import Gnosis.Foundation.Frac
/-! # Speculative sampling, token by token

Both models give every text a distribution over the vocabulary `V`: weights `p` of the finer and `q` of the coarse one, whole
numbers with the same total `N` at every text.  A window of tokens is drafted with `q`, token after token.  Then they are
verified in their order: the drafted token `v` is accepted with probability `min(1, p_v/q_v)`, so that it is drawn and accepted
with probability `min(p_v, q_v)/N`.  At the first rejection, which has probability `Σ (q_v − p_v)⁺/N`, everything behind is taken
back, and a token is drawn from the residual weights `(p_v − q_v)⁺` instead; after a window without rejection one more token is
drawn from `p`.  Then the next window is drafted; how long it is may depend on the text.

This module draws a token and verifies it at once (`specExpect`): `k` tokens of the window are still to come, `n` tokens of the text.
That whole windows which are drafted and then verified have the same law is `window_eq_steps` of `Gnosis.SpeculativeWindows`.
`speculative_steps_exact`: every function of the text of `n` more tokens has the same mean as under the finer model alone; for
the indicator of a text this is its probability. -/
open List
universe u
namespace Gnosis

/-! ## Equal fractions -/

/-- Equality of fractions, cross-multiplied. -/
def Frac.Same (x y : Frac) : Prop := x.num * y.den = y.num * x.den
instance (x y : Frac) : Decidable (x.Same y) := Nat.decEq _ _

/-- The smaller of two numbers. -/
def lesser (a b : Nat) : Nat := bif Nat.ble a b then a else b

/-- What is in both, and what is in one only. -/
theorem lesser_add (a b : Nat) : lesser a b + (a - b) = a := by
  unfold lesser
  cases e : Nat.ble a b with
  | true =>
    obtain ⟨k, rfl⟩ := Nat.exists_of_le (Nat.le_of_ble_eq_true e)
    rw [Nat.sub_add_eq_zero]; exact Nat.add_zero a
  | false =>
    have g : b ≤ a := by
      rcases Nat.le_total a b with h | h
      · rw [Nat.ble_eq_true_of_le h] at e; exact nomatch e
      · exact h
    exact Nat.add_sub_of_le g
/-- The same, seen from the other number. -/
theorem lesser_add' (a b : Nat) : lesser a b + (b - a) = b := by
  unfold lesser
  cases e : Nat.ble a b with
  | true => exact Nat.add_sub_of_le (Nat.le_of_ble_eq_true e)
  | false =>
    have g : b ≤ a := by
      rcases Nat.le_total a b with h | h
      · rw [Nat.ble_eq_true_of_le h] at e; exact nomatch e
      · exact h
    obtain ⟨k, rfl⟩ := Nat.exists_of_le g
    rw [Nat.sub_add_eq_zero]; exact Nat.add_zero b

/-- `Σ w(v)·G(v)` with whole weights. -/
def weighted (w : Nat → Nat) (G : Nat → Frac) (V : List Nat) : Frac := Frac.sumOver (fun v => ⟨w v, 1⟩ * G v) V

/-- A weighted sum of proper fractions is one, and over a common denominator it is the weighted sum of the numerators. -/
theorem weighted_spec {w : Nat → Nat} {G : Nat → Frac} {g : Nat → Nat} {V : List Nat} {L : Nat}
    (pos : ∀ v, v ∈ V → 0 < (G v).den) (same : ∀ v, v ∈ V → g v * (G v).den = (G v).num * L) :
    0 < (weighted w G V).den ∧ sumOver (fun v => w v * g v) V * (weighted w G V).den = (weighted w G V).num * L := by
  induction V with
  | nil => exact ⟨Nat.le_refl 1, by show 0 * 1 = 0 * L; rw [Nat.zero_mul, Nat.zero_mul]⟩
  | cons v V ih =>
    obtain ⟨p₁, p₂⟩ := forall_mem_cons pos
    obtain ⟨s₁, s₂⟩ := forall_mem_cons same
    obtain ⟨i₁, i₂⟩ := ih p₂ s₂
    refine ⟨Nat.mul_pos (by show 0 < 1 * (G v).den; rw [Nat.one_mul]; exact p₁) i₁, ?_⟩
    show (w v * g v + sumOver (fun v => w v * g v) V) * (1 * (G v).den * (weighted w G V).den)
      = (w v * (G v).num * (weighted w G V).den + (weighted w G V).num * (1 * (G v).den)) * L
    generalize sumOver (fun v => w v * g v) V = S, (weighted w G V).den = d, (weighted w G V).num = n, g v = x, (G v).den = e,
      (G v).num = m, w v = y at *
    calc (y * x + S) * (1 * e * d) = y * (x * e) * d + S * d * e := by nat_ring
      _ = y * (m * L) * d + n * L * e := by rw [s₁, i₂]
      _ = (y * m * d + n * (1 * e)) * L := by nat_ring

/-- Weighted sums of equal fractions are equal. -/
theorem weighted_same {w : Nat → Nat} {G H : Nat → Frac} {V : List Nat} (h : ∀ v, v ∈ V → (G v).Same (H v)) :
    (weighted w G V).Same (weighted w H V) := by
  induction V with
  | nil => rfl
  | cons v V ih =>
    obtain ⟨h₁, h₂⟩ := forall_mem_cons h
    have i : (weighted w G V).num * (weighted w H V).den = (weighted w H V).num * (weighted w G V).den := ih h₂
    have h₁ : (G v).num * (H v).den = (H v).num * (G v).den := h₁
    show (w v * (G v).num * (weighted w G V).den + (weighted w G V).num * (1 * (G v).den)) * (1 * (H v).den * (weighted w H V).den)
      = (w v * (H v).num * (weighted w H V).den + (weighted w H V).num * (1 * (H v).den)) * (1 * (G v).den * (weighted w G V).den)
    generalize (weighted w G V).num = a, (weighted w G V).den = b, (weighted w H V).num = c, (weighted w H V).den = d,
      (G v).num = e, (G v).den = f, (H v).num = i', (H v).den = j, w v = y at *
    calc (y * e * b + a * (1 * f)) * (1 * j * d) = y * (e * j) * (b * d) + a * d * (f * j) := by nat_ring
      _ = y * (i' * f) * (b * d) + c * b * (f * j) := by rw [h₁, i]
      _ = (y * i' * d + c * (1 * j)) * (1 * f * b) := by nat_ring

/-! ## The two ways of drawing a text -/

/-- The mean of `F` over the texts of `n` more tokens that the finer model draws after `h`. -/
def fineExpect (V : List Nat) (p : List Nat → Nat → Nat) (N : List Nat → Nat) : Nat → (List Nat → Frac) → List Nat → Frac
  | 0, F, h => F h
  | n + 1, F, h => ⟨1, N h⟩ * weighted (p h) (fun v => fineExpect V p N n F (v :: h)) V

/-- What is drawn after a rejection: a token from the residual weights, with their total for the denominator. -/
def residualDraw (V : List Nat) (p q : Nat → Nat) (G : Nat → Frac) : Frac :=
  ⟨1, sumOver (fun v => p v - q v) V⟩ * weighted (fun v => p v - q v) G V

/-- The mean of `F` over the texts of `n` more tokens that speculative sampling draws after `h`, when `k` drafted tokens of the window
are still to be verified; `c` is the length of the window that is drafted after a text. -/
def specExpect (V : List Nat) (p q : List Nat → Nat → Nat) (N : List Nat → Nat) (c : List Nat → Nat) :
    Nat → Nat → (List Nat → Frac) → List Nat → Frac
  | 0, _, F, h => F h
  | n + 1, 0, F, h => ⟨1, N h⟩ * weighted (p h) (fun v => specExpect V p q N c n (c (v :: h)) F (v :: h)) V
  | n + 1, k + 1, F, h =>
    ⟨1, N h⟩ * weighted (fun v => lesser (p h v) (q h v)) (fun v => specExpect V p q N c n k F (v :: h)) V
      + (bif Nat.beq (sumOver (fun v => q h v - p h v) V) 0 then 0
        else ⟨sumOver (fun v => q h v - p h v) V, N h⟩
          * residualDraw V (p h) (q h) (fun v => specExpect V p q N c n (c (v :: h)) F (v :: h)))

/-- Without residual weights nothing has one. -/
theorem no_residual {V : List Nat} {r : Nat → Nat} (z : sumOver r V = 0) (g : Nat → Nat) : sumOver (fun v => r v * g v) V = 0 := by
  induction V with
  | nil => rfl
  | cons v V ih =>
    have z : r v + sumOver r V = 0 := z
    have z₁ : r v = 0 := Nat.le_antisymm (by rw [← z]; exact Nat.le_add_right _ _) (Nat.zero_le _)
    rw [z₁, Nat.zero_add] at z
    show r v * g v + sumOver (fun v => r v * g v) V = 0
    rw [z₁, Nat.zero_mul, ih z]

/-- One verified token: accepted with what both weights share, else drawn from the residual; together that is the finer weight. -/
theorem speculative_step {V : List Nat} {p q : Nat → Nat} {N : Nat} {G A B : Nat → Frac} (hp : sumOver p V = N)
    (hq : sumOver q V = N) (pos : ∀ v, v ∈ V → 0 < (G v).den) (posA : ∀ v, v ∈ V → 0 < (A v).den) (posB : ∀ v, v ∈ V → 0 < (B v).den)
    (hA : ∀ v, v ∈ V → (A v).Same (G v)) (hB : ∀ v, v ∈ V → (B v).Same (G v)) :
    ((⟨1, N⟩ : Frac) * weighted (fun v => lesser (p v) (q v)) A V
      + (bif Nat.beq (sumOver (fun v => q v - p v) V) 0 then 0
        else ⟨sumOver (fun v => q v - p v) V, N⟩ * residualDraw V p q B)).Same (⟨1, N⟩ * weighted p G V) := by
  -- the residual weights have the total of the rejected ones
  have total : sumOver (fun v => p v - q v) V = sumOver (fun v => q v - p v) V := by
    have e₁ : sumOver (fun v => lesser (p v) (q v)) V + sumOver (fun v => p v - q v) V = N := by
      rw [← sumOver_add, ← hp]; exact sumOver_congr fun v _ => lesser_add _ _
    have e₂ : sumOver (fun v => lesser (p v) (q v)) V + sumOver (fun v => q v - p v) V = N := by
      rw [← sumOver_add, ← hq]; exact sumOver_congr fun v _ => lesser_add' _ _
    exact Nat.add_left_cancel (e₁.trans e₂.symm)
  obtain ⟨L, g, L₀, each, _⟩ := Frac.exists_common_den (f := G) (l := V) pos
  -- numerators of all three weighted sums over the one denominator
  have lift : ∀ {H : Nat → Frac}, (∀ v, v ∈ V → 0 < (H v).den) → (∀ v, v ∈ V → (H v).Same (G v)) →
      ∀ v, v ∈ V → g v * (H v).den = (H v).num * L := fun {H} posH same v m => by
    have e := each v m
    have s : (H v).num * (G v).den = (G v).num * (H v).den := same v m
    apply Nat.le_antisymm
    · apply Nat.le_of_mul_le_mul_right (c := (G v).den) _ (pos v m)
      exact Nat.le_of_eq (by
        calc g v * (H v).den * (G v).den = g v * (G v).den * (H v).den := by nat_ring
          _ = (G v).num * (H v).den * L := by rw [e]; nat_ring
          _ = (H v).num * L * (G v).den := by rw [← s]; nat_ring)
    · apply Nat.le_of_mul_le_mul_right (c := (G v).den) _ (pos v m)
      exact Nat.le_of_eq (by
        calc (H v).num * L * (G v).den = (H v).num * (G v).den * L := by nat_ring
          _ = (G v).num * L * (H v).den := by rw [s]; nat_ring
          _ = g v * (H v).den * (G v).den := by rw [← e]; nat_ring)
  obtain ⟨dA, eA⟩ := weighted_spec (w := fun v => lesser (p v) (q v)) posA (lift posA hA)
  obtain ⟨dB, eB⟩ := weighted_spec (w := fun v => p v - q v) posB (lift posB hB)
  obtain ⟨dG, eG⟩ := weighted_spec (w := p) pos each
  have sums : sumOver (fun v => lesser (p v) (q v) * g v) V + sumOver (fun v => (p v - q v) * g v) V = sumOver (fun v => p v * g v) V := by
    rw [← sumOver_add]
    exact sumOver_congr fun v _ => by rw [← Nat.right_distrib, lesser_add]
  cases e : Nat.beq (sumOver (fun v => q v - p v) V) 0 with
  | true =>
    -- nothing can be rejected, and the two models agree
    have none : sumOver (fun v => (p v - q v) * g v) V = 0 := by
      exact no_residual (total.trans (Nat.beq_eq_true_iff.mp e)) g
    rw [none, Nat.add_zero] at sums
    rw [sums] at eA
    show (1 * (weighted (fun v => lesser (p v) (q v)) A V).num * 1 + 0 * (N * (weighted (fun v => lesser (p v) (q v)) A V).den))
        * (N * (weighted p G V).den)
      = 1 * (weighted p G V).num * (N * (weighted (fun v => lesser (p v) (q v)) A V).den * 1)
    generalize (weighted (fun v => lesser (p v) (q v)) A V).num = a, (weighted (fun v => lesser (p v) (q v)) A V).den = b,
      (weighted p G V).num = x, (weighted p G V).den = y, sumOver (fun v => p v * g v) V = S at *
    have cross : a * y = x * b := by
      apply Nat.le_antisymm
      · apply Nat.le_of_mul_le_mul_right (c := L) _ L₀
        exact Nat.le_of_eq (by
          calc a * y * L = a * L * y := by nat_ring
            _ = S * b * y := by rw [← eA]
            _ = x * L * b := by rw [← eG]; nat_ring
            _ = x * b * L := by nat_ring)
      · apply Nat.le_of_mul_le_mul_right (c := L) _ L₀
        exact Nat.le_of_eq (by
          calc x * b * L = x * L * b := by nat_ring
            _ = S * y * b := by rw [← eG]
            _ = a * L * y := by rw [← eA]; nat_ring
            _ = a * y * L := by nat_ring)
    calc (1 * a * 1 + 0 * (N * b)) * (N * y) = a * y * N := by nat_ring
      _ = x * b * N := by rw [cross]
      _ = 1 * x * (N * b * 1) := by nat_ring
  | false =>
    have R₀ : 0 < sumOver (fun v => q v - p v) V := by
      rcases Nat.lt_or_ge 0 (sumOver (fun v => q v - p v) V) with h | h
      · exact h
      · rw [Nat.beq_eq_true_iff.mpr (Nat.le_antisymm h (Nat.zero_le _))] at e; exact nomatch e
    unfold residualDraw
    rw [total]
    show (1 * (weighted (fun v => lesser (p v) (q v)) A V).num
          * (N * (sumOver (fun v => q v - p v) V * (weighted (fun v => p v - q v) B V).den))
        + sumOver (fun v => q v - p v) V * (1 * (weighted (fun v => p v - q v) B V).num)
          * (N * (weighted (fun v => lesser (p v) (q v)) A V).den)) * (N * (weighted p G V).den)
      = 1 * (weighted p G V).num * (N * (weighted (fun v => lesser (p v) (q v)) A V).den
          * (N * (sumOver (fun v => q v - p v) V * (weighted (fun v => p v - q v) B V).den)))
    generalize (weighted (fun v => lesser (p v) (q v)) A V).num = a, (weighted (fun v => lesser (p v) (q v)) A V).den = b,
      (weighted (fun v => p v - q v) B V).num = c, (weighted (fun v => p v - q v) B V).den = d, (weighted p G V).num = x,
      (weighted p G V).den = y, sumOver (fun v => q v - p v) V = R, sumOver (fun v => lesser (p v) (q v) * g v) V = S₁,
      sumOver (fun v => (p v - q v) * g v) V = S₂, sumOver (fun v => p v * g v) V = S at *
    have cross : (a * d + c * b) * y = x * (b * d) := by
      have both : (a * d + c * b) * y * L = x * (b * d) * L := by
        calc (a * d + c * b) * y * L = a * L * d * y + c * L * b * y := by nat_ring
          _ = S₁ * b * d * y + S₂ * d * b * y := by rw [← eA, ← eB]
          _ = (S₁ + S₂) * y * (b * d) := by nat_ring
          _ = x * L * (b * d) := by rw [sums, eG]
          _ = x * (b * d) * L := by nat_ring
      exact Nat.le_antisymm (Nat.le_of_mul_le_mul_right (Nat.le_of_eq both) L₀) (Nat.le_of_mul_le_mul_right (Nat.le_of_eq both.symm) L₀)
    calc (1 * a * (N * (R * d)) + R * (1 * c) * (N * b)) * (N * y) = (a * d + c * b) * y * (R * N * N) := by nat_ring
      _ = x * (b * d) * (R * N * N) := by rw [cross]
      _ = 1 * x * (N * b * (N * (R * d))) := by nat_ring

/-- **Speculative sampling is exact, token by token**: if both models' weights have the same positive total `N` at every text, then for every function
`F` of the text, every number `n` of tokens, every rest `k` of the window and every rule `c` for the lengths of later windows,
the mean of `F` over the texts that speculative sampling draws is the mean over the texts that the finer model draws.  For the
indicator of a text: it is drawn with the same probability; and so each next token is drawn from the finer model exactly. -/
theorem speculative_steps_exact {V : List Nat} {p q : List Nat → Nat → Nat} {N : List Nat → Nat} (c : List Nat → Nat)
    (hN : ∀ h, 0 < N h) (hp : ∀ h, sumOver (p h) V = N h) (hq : ∀ h, sumOver (q h) V = N h) {F : List Nat → Frac}
    (hF : ∀ h, 0 < (F h).den) (n k : Nat) (h : List Nat) :
    (specExpect V p q N c n k F h).Same (fineExpect V p N n F h) := by
  have dens : ∀ n k h, 0 < (specExpect V p q N c n k F h).den ∧ 0 < (fineExpect V p N n F h).den := by
    intro n
    have wpos : ∀ {w : Nat → Nat} {G : Nat → Frac}, (∀ v, 0 < (G v).den) → 0 < (weighted w G V).den := fun {w G} pos =>
      Frac.sumOver_den_pos fun v _ => by show 0 < 1 * (G v).den; rw [Nat.one_mul]; exact pos v
    induction n with
    | zero => exact fun _ h => ⟨hF h, hF h⟩
    | succ n ih =>
      intro k h
      have fine : 0 < (fineExpect V p N (n + 1) F h).den := Nat.mul_pos (hN h) (wpos fun v => (ih 0 (v :: h)).2)
      cases k with
      | zero => exact ⟨Nat.mul_pos (hN h) (wpos fun v => (ih _ (v :: h)).1), fine⟩
      | succ k =>
        refine ⟨Nat.mul_pos (Nat.mul_pos (hN h) (wpos fun v => (ih k (v :: h)).1)) ?_, fine⟩
        cases e : Nat.beq (sumOver (fun v => q h v - p h v) V) 0 with
        | true => exact Nat.le_refl 1
        | false =>
          refine Nat.mul_pos (hN h) (Nat.mul_pos ?_ (wpos fun v => (ih _ (v :: h)).1))
          show 0 < sumOver (fun v => p h v - q h v) V
          have e₁ : sumOver (fun v => lesser (p h v) (q h v)) V + sumOver (fun v => p h v - q h v) V = N h := by
            rw [← sumOver_add, ← hp]; exact sumOver_congr fun v _ => lesser_add _ _
          have e₂ : sumOver (fun v => lesser (p h v) (q h v)) V + sumOver (fun v => q h v - p h v) V = N h := by
            rw [← sumOver_add, ← hq]; exact sumOver_congr fun v _ => lesser_add' _ _
          rw [Nat.add_left_cancel (e₁.trans e₂.symm)]
          rcases Nat.lt_or_ge 0 (sumOver (fun v => q h v - p h v) V) with g | g
          · exact g
          · rw [Nat.beq_eq_true_iff.mpr (Nat.le_antisymm g (Nat.zero_le _))] at e; exact nomatch e
  induction n generalizing k h with
  | zero => rfl
  | succ n ih =>
    cases k with
    | zero =>
      have w := weighted_same (w := p h) (V := V) (G := fun v => specExpect V p q N c n (c (v :: h)) F (v :: h))
        (H := fun v => fineExpect V p N n F (v :: h)) (fun v _ => ih _ (v :: h))
      have w : (weighted (p h) (fun v => specExpect V p q N c n (c (v :: h)) F (v :: h)) V).num
          * (weighted (p h) (fun v => fineExpect V p N n F (v :: h)) V).den
        = (weighted (p h) (fun v => fineExpect V p N n F (v :: h)) V).num
          * (weighted (p h) (fun v => specExpect V p q N c n (c (v :: h)) F (v :: h)) V).den := w
      show 1 * (weighted (p h) (fun v => specExpect V p q N c n (c (v :: h)) F (v :: h)) V).num
          * (N h * (weighted (p h) (fun v => fineExpect V p N n F (v :: h)) V).den)
        = 1 * (weighted (p h) (fun v => fineExpect V p N n F (v :: h)) V).num
          * (N h * (weighted (p h) (fun v => specExpect V p q N c n (c (v :: h)) F (v :: h)) V).den)
      generalize (weighted (p h) (fun v => specExpect V p q N c n (c (v :: h)) F (v :: h)) V).num = a,
        (weighted (p h) (fun v => specExpect V p q N c n (c (v :: h)) F (v :: h)) V).den = b,
        (weighted (p h) (fun v => fineExpect V p N n F (v :: h)) V).num = x,
        (weighted (p h) (fun v => fineExpect V p N n F (v :: h)) V).den = y, N h = M at *
      calc 1 * a * (M * y) = M * (a * y) := by nat_ring
        _ = M * (x * b) := by rw [w]
        _ = 1 * x * (M * b) := by nat_ring
    | succ k =>
      exact speculative_step (hp h) (hq h) (fun v _ => (dens n 0 (v :: h)).2) (fun v _ => (dens n k (v :: h)).1)
        (fun v _ => (dens n _ (v :: h)).1) (fun v _ => ih k (v :: h)) (fun v _ => ih _ (v :: h))

/-- The indicator of a text. -/
def isText (text h : List Nat) : Frac := bif sameText text h then 1 else 0

/-- Weights of two tokens: 3 of 4 for the token 0 after a 0, else 1 of 4. -/
def leaningWeights : List Nat → Nat → Nat
  | [], v => bif Nat.beq v 0 then 1 else 3
  | t :: _, v => bif Nat.beq t 0 then (bif Nat.beq v 0 then 3 else 1) else (bif Nat.beq v 0 then 1 else 3)

/-- Not vacuous: the text 0, 0 has the probability 1/4·3/4 under the finer model; drafted in windows of two by
a model that draws evenly it has it too. -/
theorem speculative_steps_sample : (∀ h, sumOver (leaningWeights h) [0, 1] = 4) ∧
    (specExpect [0, 1] leaningWeights (fun _ _ => 2) (fun _ => 4) (fun _ => 2) 2 2 (isText [0, 0]) []).Same ⟨3, 16⟩ ∧
      (fineExpect [0, 1] leaningWeights (fun _ => 4) 2 (isText [0, 0]) []).Same ⟨3, 16⟩ := by
  refine ⟨fun h => ?_, by decide +kernel, by decide +kernel⟩
  cases h with
  | nil => rfl
  | cons t h => cases t with
    | zero => rfl
    | succ t => rfl
end Gnosis

prelude
import Gnosis.Ville
/-! # Ville's inequality when the draws follow the history

`Gnosis.Ville` draws from one list at every step.  Here the list of equally likely draws may depend on what has happened:
on the time, when an event late in a request is to have a small and yet positive probability, or on the draws made, when
a corpus is drawn from without replacement.  The one condition is that at every time there are as many draws whatever the
history (repeat draws to get there), so that all continuations are equally likely and a probability is still a count.
Only histories that can happen (`Possible`) matter. -/
universe u

namespace Gnosis
open List
variable {D : Type u}

/-- A history that can happen: each draw is one of those that the history before it allows. -/
inductive Possible (ds : List D → List D) : List D → Prop where
  | nil : Possible ds []
  | cons {d : D} {h : List D} : Possible ds h → d ∈ ds h → Possible ds (d :: h)

/-- All continuations of `T` draws after the history `h`, the next draw first. -/
def contsFrom (ds : List D → List D) : Nat → List D → List (List D)
  | 0, _ => [[]]
  | T + 1, h => flatMap (fun d => map (fun k => d :: k) (contsFrom ds T (d :: h))) (ds h)

/-- The probability, given the history `h`, that `C` happens at `h` or within the next `T` draws: the share of the
continuations along which it does. -/
def shareFrom (ds : List D → List D) (C : List D → Bool) (T : Nat) (h : List D) : Frac :=
  ⟨countP (reach C h) (contsFrom ds T h), (contsFrom ds T h).length⟩

/-- How many continuations of `T` draws there are after `t` draws, with `n s` draws at time `s`. -/
def pathsFrom (n : Nat → Nat) : Nat → Nat → Nat
  | _, 0 => 1
  | t, T + 1 => n t * pathsFrom n (t + 1) T

/-- The number of continuations depends on the time only. -/
theorem length_contsFrom {ds : List D → List D} {n : Nat → Nat}
    (size : ∀ h, Possible ds h → (ds h).length = n h.length) (T : Nat) {h : List D} (ph : Possible ds h) :
    (contsFrom ds T h).length = pathsFrom n h.length T := by
  induction T generalizing h with
  | zero => rfl
  | succ T ih =>
    show (flatMap _ (ds h)).length = n h.length * pathsFrom n (h.length + 1) T
    rw [length_flatMap_of_forall (n := pathsFrom n (h.length + 1) T) (fun d m => by
      rw [length_map]; exact ih (.cons ph m)), size h ph]

/-- With one list of draws these are the continuations and the share of `Gnosis.Ville`. -/
theorem contsFrom_const (ds : List D) (T : Nat) (h : List D) : contsFrom (fun _ => ds) T h = conts ds T := by
  induction T generalizing h with
  | zero => rfl
  | succ T ih => exact flatMap_congr fun d _ => congrArg _ (ih (d :: h))

/-- With one list of draws the probability is that of `Gnosis.Ville`. -/
theorem shareFrom_const (ds : List D) (C : List D → Bool) (T : Nat) (h : List D) :
    shareFrom (fun _ => ds) C T h = share ds C T h := by
  unfold shareFrom share
  rw [contsFrom_const, conts_length]
  rfl

/-- **Ville's inequality for draws that follow the history.**  At every history `ds h` lists the equally likely draws, as
many at each time as any other history has; the mean of the wealth after the next draw is at most the wealth now; and the
event `C` happens only where the wealth is at least `1/δ`.  Then from every history `h` on it ever happens with probability
at most `δ·W(h)`. -/
theorem ville_draws {ds : List D → List D} {n : Nat → Nat} {W : List D → Frac} {C : List D → Bool} {δ : Frac}
    (size : ∀ h, Possible ds h → (ds h).length = n h.length) (hden : ∀ h, Possible ds h → 0 < (W h).den)
    (super : ∀ h, Possible ds h → Frac.sumOver (fun d => W (d :: h)) (ds h) ≤ ⟨(ds h).length, 1⟩ * W h)
    (hC : ∀ h, Possible ds h → C h = true → 1 ≤ δ * W h) (T : Nat) {h : List D} (ph : Possible ds h) :
    shareFrom ds C T h ≤ δ * W h := by
  show countP (reach C h) (contsFrom ds T h) * (δ.den * (W h).den) ≤ δ.num * (W h).num * (contsFrom ds T h).length
  have now : ∀ {h} T, Possible ds h → C h = true → countP (reach C h) (contsFrom ds T h) * (δ.den * (W h).den)
      ≤ δ.num * (W h).num * (contsFrom ds T h).length := fun {h} T ph e => by
    have rich : 1 * (δ.den * (W h).den) ≤ δ.num * (W h).num * 1 := hC h ph e
    rw [Nat.one_mul, Nat.mul_one] at rich
    rw [countP_eq_length_of_forall (fun k _ => reach_now e k), Nat.mul_comm]
    exact Nat.mul_le_mul_right _ rich
  induction T generalizing h with
  | zero =>
    cases e : C h with
    | true => exact now 0 ph e
    | false =>
      have z : countP (reach C h) [[]] = 0 := countP_cons_of_neg (p := reach C h) [] e
      show countP (reach C h) [[]] * _ ≤ _
      rw [z, Nat.zero_mul]; exact Nat.zero_le _
  | succ T ih =>
    cases e : C h with
    | true => exact now (T + 1) ph e
    | false =>
      have split : countP (reach C h) (contsFrom ds (T + 1) h)
          = sumOver (fun d => countP (reach C (d :: h)) (contsFrom ds T (d :: h))) (ds h) := by
        show countP _ (flatMap _ (ds h)) = _
        rw [countP_flatMap]
        refine sumOver_congr fun d _ => ?_
        rw [countP_map]
        exact countP_congr fun k _ => by rw [reach, e]; rfl
      have len : (contsFrom ds (T + 1) h).length = (ds h).length * pathsFrom n (h.length + 1) T := by
        rw [length_contsFrom size (T + 1) ph, size h ph]; rfl
      rw [split, len]
      have sum := Frac.sumOver_lower (f := fun d => W (d :: h))
        (c := fun d => countP (reach C (d :: h)) (contsFrom ds T (d :: h))) (K := δ.den)
        (M := δ.num * pathsFrom n (h.length + 1) T) (l := ds h) (fun d m => by
          have step := ih (.cons ph m)
          rw [length_contsFrom size T (.cons ph m)] at step
          have step : countP (reach C (d :: h)) (contsFrom ds T (d :: h)) * (δ.den * (W (d :: h)).den)
            ≤ δ.num * (W (d :: h)).num * pathsFrom n (h.length + 1) T := step
          generalize countP (reach C (d :: h)) (contsFrom ds T (d :: h)) = c, (W (d :: h)).den = w, (W (d :: h)).num = x,
            pathsFrom n (h.length + 1) T = P at *
          exact Nat.le_trans (Nat.le_of_eq (Nat.mul_assoc _ _ _))
            (Nat.le_trans step (Nat.le_of_eq (by nat_ring [δ.num, x, P]))))
      have mean : (Frac.sumOver (fun d => W (d :: h)) (ds h)).num * (1 * (W h).den)
          ≤ (ds h).length * (W h).num * (Frac.sumOver (fun d => W (d :: h)) (ds h)).den := super h ph
      have pos : 0 < (Frac.sumOver (fun d => W (d :: h)) (ds h)).den :=
        Frac.sumOver_den_pos fun d m => hden (d :: h) (.cons ph m)
      apply Nat.le_of_mul_le_mul_right (c := (Frac.sumOver (fun d => W (d :: h)) (ds h)).den) _ pos
      generalize sumOver (fun d => countP (reach C (d :: h)) (contsFrom ds T (d :: h))) (ds h) = S,
        (Frac.sumOver (fun d => W (d :: h)) (ds h)).den = R, (Frac.sumOver (fun d => W (d :: h)) (ds h)).num = F,
        (W h).num = x, (W h).den = y, δ.num = n', δ.den = e', (ds h).length = s, pathsFrom n (h.length + 1) T = P at *
      calc S * (e' * y) * R = S * e' * R * y := by nat_ring
        _ ≤ n' * P * F * y := Nat.mul_le_mul_right y sum
        _ = n' * P * (F * (1 * y)) := by nat_ring
        _ ≤ n' * P * (s * x * R) := Nat.mul_le_mul_left _ mean
        _ = n' * x * (s * P) * R := by nat_ring

/-- The same for a product of factors of mean at most one, which starts with wealth one. -/
theorem ville_draws_product {ds : List D → List D} {n : Nat → Nat} {f : List D → D → Nat} {g : List D → Nat}
    {C : List D → Bool} {δ : Frac} (size : ∀ h, Possible ds h → (ds h).length = n h.length)
    (hg : ∀ h d, Possible ds h → d ∈ ds h → 0 < g h)
    (mean : ∀ h, Possible ds h → sumOver (f h) (ds h) ≤ (ds h).length * g h)
    (hC : ∀ h, Possible ds h → C h = true → 1 ≤ δ * productWealth f g h) (T : Nat) : shareFrom ds C T [] ≤ δ := by
  have den : ∀ h, Possible ds h → 0 < (productWealth f g h).den := fun h ph => by
    induction ph with
    | nil => exact Nat.le_refl 1
    | cons ph m ih => exact Nat.mul_pos ih (hg _ _ ph m)
  have super : ∀ h, Possible ds h →
      Frac.sumOver (fun d => productWealth f g (d :: h)) (ds h) ≤ ⟨(ds h).length, 1⟩ * productWealth f g h := fun h ph => by
    have mean := mean h ph
    have pos := den h ph
    cases e : ds h with
    | nil => exact Nat.le_trans (Nat.le_of_eq (Nat.zero_mul _)) (Nat.zero_le _)
    | cons d rest =>
      have gpos := hg h d ph (by rw [e]; exact .head _)
      rw [e] at mean
      refine Frac.sumOver_same_den_le (n := fun d => (productWealth f g h).num * f h d) (Nat.mul_pos pos gpos) ?_
      show sumOver (fun d => (productWealth f g h).num * f h d) (d :: rest) * (1 * (productWealth f g h).den)
        ≤ (d :: rest).length * (productWealth f g h).num * ((productWealth f g h).den * g h)
      rw [← mul_sumOver]
      generalize (productWealth f g h).num = x, (productWealth f g h).den = y, sumOver (f h) (d :: rest) = S, g h = z,
        (d :: rest).length = s at *
      calc x * S * (1 * y) = x * y * S := by nat_ring
        _ ≤ x * y * (s * z) := Nat.mul_le_mul_left _ mean
        _ = s * x * (y * z) := by nat_ring
  have v : countP (reach C []) (contsFrom ds T []) * (δ.den * 1) ≤ δ.num * 1 * (contsFrom ds T []).length :=
    ville_draws size den super hC T .nil
  rw [Nat.mul_one, Nat.mul_one] at v
  exact v
end Gnosis

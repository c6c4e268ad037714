prelude
import Gnosis.Foundation.Frac
import Gnosis.Foundation.Lists
/-! # Ville's inequality for finite adaptive processes

At every step one of the finitely many, equally likely draws `ds` is made (repeat a draw in the list to give it more
weight).  A history is the list of the draws so far, the latest first.  Whatever adapts to what has happened is a
function of the history: it may use all draws made before, and none that is still to come.

Probabilities are counts: of the `|ds|^T` continuations of `T` draws, the share along which an event of histories
ever happens.  No measure theory is needed, and the list `ds` should not be empty. -/
universe u

namespace Gnosis
open List
variable {D : Type u}

/-! ## Paths -/

/-- All continuations of `T` draws, the next draw first. -/
def conts (ds : List D) : Nat → List (List D)
  | 0 => [[]]
  | T + 1 => flatMap (fun d => map (fun k => d :: k) (conts ds T)) ds

/-- Does the event `C` of histories happen now, at history `h`, or later along the continuation `k`? -/
def reach (C : List D → Bool) (h : List D) : List D → Bool
  | [] => C h
  | d :: k => C h || reach C (d :: h) k

/-- The number of the continuations of `T` draws along which `C` ever happens. -/
def reachCount (ds : List D) (C : List D → Bool) (T : Nat) (h : List D) : Nat := countP (reach C h) (conts ds T)

/-- The probability, given the history `h`, that `C` happens at `h` or within the next `T` draws: the share of the
`|ds|^T` continuations along which it does. -/
def share (ds : List D) (C : List D → Bool) (T : Nat) (h : List D) : Frac := ⟨reachCount ds C T h, ds.length ^ T⟩

/-- `k` read backwards in front of `h`: the history after the draws `k`. -/
def after : List D → List D → List D
  | [], h => h
  | d :: k, h => after k (d :: h)

/-- There are `|ds|^T` continuations of `T` draws. -/
theorem conts_length (ds : List D) (T : Nat) : (conts ds T).length = ds.length ^ T := by
  induction T with
  | zero => rfl
  | succ T ih =>
    show (flatMap _ ds).length = ds.length ^ T * ds.length
    rw [length_flatMap_of_forall (n := ds.length ^ T) (fun d _ => by rw [length_map, ih]), Nat.mul_comm]

/-- What happens now has happened along every continuation. -/
theorem reach_now {C : List D → Bool} {h : List D} (hC : C h = true) (k : List D) : reach C h k = true := by
  cases k with
  | nil => exact hC
  | cons d k => rw [reach, hC]; rfl

/-- `reach` says what it should: some beginning `k₁` of the continuation leads to a history where `C` holds. -/
theorem reach_iff {C : List D → Bool} {h k : List D} :
    reach C h k = true ↔ ∃ k₁ k₂, k = k₁ ++ k₂ ∧ C (after k₁ h) = true := by
  constructor
  · intro r
    induction k generalizing h with
    | nil => exact ⟨[], [], rfl, r⟩
    | cons d k ih =>
      cases e : C h with
      | true => exact ⟨[], d :: k, rfl, e⟩
      | false =>
        rw [reach, e] at r
        obtain ⟨k₁, k₂, rfl, hk⟩ := ih (h := d :: h) r
        exact ⟨d :: k₁, k₂, rfl, hk⟩
  · intro ⟨k₁, k₂, e, hk⟩
    subst e
    induction k₁ generalizing h with
    | nil => exact reach_now hk _
    | cons d k₁ ih =>
      show (C h || reach C (d :: h) (k₁ ++ k₂)) = true
      rw [ih hk]
      cases C h with
      | true => rfl
      | false => rfl

/-- If the event happens now, all continuations count. -/
theorem reachCount_now {ds : List D} {C : List D → Bool} {h : List D} (hC : C h = true) (T : Nat) :
    reachCount ds C T h = ds.length ^ T := by
  rw [reachCount, countP_eq_length_of_forall (fun k _ => reach_now hC k), conts_length]

/-- Without a further draw and without the event now, no continuation counts. -/
theorem reachCount_zero {ds : List D} {C : List D → Bool} {h : List D} (hC : C h = false) :
    reachCount ds C 0 h = 0 := by
  show countP (reach C h) [[]] = 0
  exact countP_cons_of_neg [] hC

/-- If the event does not happen now, sum over the next draw. -/
theorem reachCount_succ {ds : List D} {C : List D → Bool} {h : List D} (hC : C h = false) (T : Nat) :
    reachCount ds C (T + 1) h = sumOver (fun d => reachCount ds C T (d :: h)) ds := by
  unfold reachCount
  rw [conts, countP_flatMap]
  apply sumOver_congr
  intro d _
  rw [countP_map]
  exact countP_congr fun k _ => by rw [reach, hC]; rfl

/-- An event that implies another one is not the more likely of the two. -/
theorem reachCount_mono {ds : List D} {C E : List D → Bool} (sub : ∀ h, C h = true → E h = true) (T : Nat) (h : List D) :
    reachCount ds C T h ≤ reachCount ds E T h :=
  countP_le_countP fun k _ r => by
    obtain ⟨k₁, k₂, e, hk⟩ := reach_iff.mp r
    exact reach_iff.mpr ⟨k₁, k₂, e, sub _ hk⟩

/-- A bound on the share of one event bounds every event that implies it. -/
theorem share_le_of_imp {ds : List D} {C E : List D → Bool} {δ : Frac} {T : Nat} {h : List D}
    (sub : ∀ h, C h = true → E h = true) (le : share ds E T h ≤ δ) : share ds C T h ≤ δ :=
  Nat.le_trans (Nat.mul_le_mul_right δ.den (reachCount_mono sub T h)) le

/-! ## Ville's inequality -/

/-- `W` is a supermartingale: at every history the mean of the wealth after the next draw is at most the wealth now,
`Σ_d W(d::h) ≤ |ds|·W(h)`. -/
def Supermartingale (ds : List D) (W : List D → Frac) : Prop :=
  ∀ h, Frac.sumOver (fun d => W (d :: h)) ds ≤ ⟨ds.length, 1⟩ * W h

/-- Ville's inequality for an event `C` that can happen only where the wealth is at least `1/δ`. -/
theorem ville_event {ds : List D} {W : List D → Frac} {C : List D → Bool} {δ : Frac} (hden : ∀ h, 0 < (W h).den)
    (super : Supermartingale ds W) (hC : ∀ h, C h = true → 1 ≤ δ * W h) (T : Nat) (h : List D) :
    share ds C T h ≤ δ * W h := by
  show reachCount ds C T h * (δ.den * (W h).den) ≤ δ.num * (W h).num * ds.length ^ T
  have now : ∀ {h} T, C h = true → reachCount ds C T h * (δ.den * (W h).den) ≤ δ.num * (W h).num * ds.length ^ T :=
    fun {h} T e => by
      have rich : 1 * (δ.den * (W h).den) ≤ δ.num * (W h).num * 1 := hC h e
      rw [Nat.one_mul, Nat.mul_one] at rich
      rw [reachCount_now e, Nat.mul_comm]
      exact Nat.mul_le_mul_right _ rich
  induction T generalizing h with
  | zero =>
    cases e : C h with
    | true => exact now 0 e
    | false => rw [reachCount_zero e, Nat.zero_mul]; exact Nat.zero_le _
  | succ T ih =>
    cases e : C h with
    | true => exact now (T + 1) e
    | false =>
      rw [reachCount_succ e]
      have sum := Frac.sumOver_lower (f := fun d => W (d :: h)) (c := fun d => reachCount ds C T (d :: h)) (K := δ.den)
        (M := δ.num * ds.length ^ T) (l := ds) (fun d _ => by
          have step := ih (d :: h)
          generalize reachCount ds C T (d :: h) = c, (W (d :: h)).den = w, (W (d :: h)).num = x at *
          exact Nat.le_trans (Nat.le_of_eq (Nat.mul_assoc _ _ _))
            (Nat.le_trans step (Nat.le_of_eq (by nat_ring [δ.num, x, ds.length ^ T]))))
      have mean : (Frac.sumOver (fun d => W (d :: h)) ds).num * (1 * (W h).den)
          ≤ ds.length * (W h).num * (Frac.sumOver (fun d => W (d :: h)) ds).den := super h
      have pos : 0 < (Frac.sumOver (fun d => W (d :: h)) ds).den := Frac.sumOver_den_pos fun d _ => hden (d :: h)
      apply Nat.le_of_mul_le_mul_right (c := (Frac.sumOver (fun d => W (d :: h)) ds).den) _ pos
      rw [Nat.pow_succ]
      generalize sumOver (fun d => reachCount ds C T (d :: h)) ds = S, (Frac.sumOver (fun d => W (d :: h)) ds).den = R,
        (Frac.sumOver (fun d => W (d :: h)) ds).num = F, (W h).num = x, (W h).den = y, δ.num = n, δ.den = e,
        ds.length = s at *
      calc S * (e * y) * R = S * e * R * y := by nat_ring
        _ ≤ n * s ^ T * F * y := Nat.mul_le_mul_right y sum
        _ = n * s ^ T * (F * (1 * y)) := by nat_ring
        _ ≤ n * s ^ T * (s * x * R) := Nat.mul_le_mul_left _ mean
        _ = n * x * (s ^ T * s) * R := by nat_ring

/-- **Ville's inequality.**  For a non-negative supermartingale `W`, from every history `h` on, the probability that the
wealth ever reaches `1/δ` is at most `δ·W(h)`, whatever the number `T` of draws. -/
theorem ville {ds : List D} {W : List D → Frac} (hden : ∀ h, 0 < (W h).den) (super : Supermartingale ds W)
    (δ : Frac) (T : Nat) (h : List D) : share ds (fun h => decide (1 ≤ δ * W h)) T h ≤ δ * W h :=
  ville_event hden super (fun _ e => of_decide_eq_true e) T h

/-! ## Wealth as a product of factors -/

/-- The wealth `Π_s f(h_s, d_s) / g(h_s)` along a history: at every step the current wealth is multiplied by a factor
whose denominator is known before the draw. -/
def productWealth (f : List D → D → Nat) (g : List D → Nat) : List D → Frac
  | [] => 1
  | d :: h => productWealth f g h * ⟨f h d, g h⟩

/-- The denominators of the wealth are positive. -/
theorem productWealth_den_pos {f : List D → D → Nat} {g : List D → Nat} (hg : ∀ h, 0 < g h) (h : List D) :
    0 < (productWealth f g h).den := by
  induction h with
  | nil => exact Nat.le_refl 1
  | cons _ h ih => exact Nat.mul_pos ih (hg h)

/-- A product of factors of mean at most one is a supermartingale. -/
theorem productWealth_super {ds : List D} {f : List D → D → Nat} {g : List D → Nat} (hg : ∀ h, 0 < g h)
    (mean : ∀ h, sumOver (f h) ds ≤ ds.length * g h) : Supermartingale ds (productWealth f g) := by
  intro h
  have mean := mean h
  have pos := productWealth_den_pos (f := f) hg h
  refine Frac.sumOver_same_den_le (n := fun d => (productWealth f g h).num * f h d) (Nat.mul_pos pos (hg h)) ?_
  show sumOver (fun d => (productWealth f g h).num * f h d) ds * (1 * (productWealth f g h).den)
    ≤ ds.length * (productWealth f g h).num * ((productWealth f g h).den * g h)
  rw [← mul_sumOver]
  generalize (productWealth f g h).num = x, (productWealth f g h).den = y, sumOver (f h) ds = S, g h = z, ds.length = s at *
  calc x * S * (1 * y) = x * y * S := by nat_ring
    _ ≤ x * y * (s * z) := Nat.mul_le_mul_left _ mean
    _ = s * x * (y * z) := by nat_ring

/-- Ville's inequality for a product of factors of mean at most one: starting with wealth one, an event that needs
`W ≥ 1/δ` happens with probability at most `δ`. -/
theorem ville_product {ds : List D} {f : List D → D → Nat} {g : List D → Nat} {C : List D → Bool} {δ : Frac}
    (hg : ∀ h, 0 < g h) (mean : ∀ h, sumOver (f h) ds ≤ ds.length * g h)
    (hC : ∀ h, C h = true → 1 ≤ δ * productWealth f g h) (T : Nat) : share ds C T [] ≤ δ := by
  have v : reachCount ds C T [] * (δ.den * 1) ≤ δ.num * 1 * ds.length ^ T :=
    ville_event (productWealth_den_pos hg) (productWealth_super hg mean) hC T []
  rw [Nat.mul_one, Nat.mul_one] at v
  exact v

/-! ## Sharp and not empty -/

/-- A fair coin (`false`, `true`) that doubles the wealth or loses all of it. -/
def doubling : List Bool → Frac
  | [] => 1
  | d :: h => ⟨bif d then 2 * (doubling h).num else 0, 1⟩

/-- Sharp: the doubling coin is a supermartingale that starts at `1`, and it reaches `8` within three draws with
probability `1/8` exactly. -/
theorem ville_sharp : Supermartingale [false, true] doubling ∧ (∀ h, 0 < (doubling h).den) ∧
    share [false, true] (fun h => decide (1 ≤ (⟨1, 8⟩ : Frac) * doubling h)) 3 [] = ⟨1, 8⟩ := by
  have den : ∀ h, (doubling h).den = 1 := fun h => by cases h with
    | nil => rfl
    | cons d h => rfl
  refine ⟨fun h => ?_, fun h => by rw [den h]; exact Nat.le_refl 1, rfl⟩
  show (0 * (1 * 1) + (2 * (doubling h).num * 1 + 0 * 1) * 1) * (1 * (doubling h).den)
    ≤ 2 * (doubling h).num * (1 * (1 * 1))
  rw [den h]
  exact Nat.le_of_eq (by nat_ring)
end Gnosis

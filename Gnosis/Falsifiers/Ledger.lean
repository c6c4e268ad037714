prelude
import Gnosis.CumlossGating
import Gnosis.UnionLedger
/-! # The ledgers: one thing replaced

Each theorem denies a headline theorem in which one hypothesis, constant or definition is replaced; the sentence names it. -/
universe u
namespace Gnosis.Falsifiers
open List

/-- **Off the grid the chord is no bound**: `bernoulli_chord` without `k ≤ N`. -/
theorem chord_off_grid : ¬ ∀ {p q N k : Nat}, q ≤ p → N * (p ^ k * q ^ (N - k)) ≤ N * q ^ N + k * (p ^ N - q ^ N) :=
  fun wrong => absurd (wrong (p := 2) (q := 1) (N := 1) (k := 2) (by decide)) (by decide)

/-! ## Means -/

/-- Was the first draw of the history a `true`? -/
def firstTrue : List Bool → Bool
  | [] => false
  | [d] => d
  | _ :: d :: h => firstTrue (d :: h)
/-- The first draw decides about all that follow: after a `true` every step loses all `6` units of the grid, after a
`false` none does. -/
def regimeLoss (h : List Bool) (_ : Bool) : Nat := bif firstTrue h then 6 else 0
/-- Six units are the most. -/
theorem regimeLoss_le (h : List Bool) (d : Bool) : regimeLoss h d ≤ 6 := by
  unfold regimeLoss
  cases firstTrue h with
  | true => exact Nat.le_refl 6
  | false => exact Nat.zero_le 6

/-- **A mean over all histories is not a mean at each history**: the average over the histories of each of the first `T` steps in the
place of the mean at every history in `cumloss_admission`.  A charge of `4` pays for `3` units, a reserve of `5` for the level
`1/3`; the loss exceeds both together with probability `1/2`. -/
theorem marginal_mean_overruns : ¬ ∀ {D : Type} {ds : List D} {N p q u : Nat} {δ : Frac} {budget : List D → Nat}
    {loss : List D → D → Nat}, betOk N p q = true → (∀ h d, loss h d ≤ N) → ∀ T : Nat,
    (∀ t, t < T → sumOver (fun k => sumOver (loss (after k [])) ds) (conts ds t) ≤ ds.length ^ (t + 1) * u) →
    (∀ d h, covered N p q δ.num δ.den (h.length + 1) (ledger N p q (fun _ => u) (d :: h)) (budget (d :: h)) = true) →
    share ds (fun h => decide (budget h < cumLoss loss h)) T [] ≤ δ :=
  fun wrong => absurd (wrong (ds := [false, true]) (N := 6) (p := 5) (q := 4) (u := 3) (δ := ⟨1, 3⟩) (budget := spent 5 (fun _ => 4))
    (loss := regimeLoss) (by decide) regimeLoss_le 6 (by decide +kernel)
    (fun d h => covered_spent (by decide +kernel) (fun _ => by decide +kernel) (d :: h))) (by decide +kernel)

/-- **A charge for the mean is no bound on the loss**: `admit_implies_realized_within` without the hypothesis that the charge bounds
every loss.  The sample controller is sound, but a loss that happens is larger than its charge. -/
theorem mean_charge_not_within : ¬ ∀ {D : Type} (c : ChargeController D), (∀ h, c.charge h ≤ c.offer h) → ∀ (d : D) (h : List D),
    c.compresses h = true → c.reserve + cumLoss c.realised (d :: h) ≤ c.account (d :: h) ∧ c.account (d :: h) ≤ c.budget h :=
  fun wrong => absurd (wrong sampleCharges (fun _ => Nat.le_refl _) 0 [] (by decide)).1 (by decide)

/-! ## Charges and reserves -/

/-- One draw of three loses three units, of a grid of three. -/
theorem oneInThree_le (h : List Nat) (d : Nat) : oneInThree h d ≤ 3 := by
  unfold oneInThree
  cases Nat.beq d 0 with
  | true => exact Nat.le_refl 3
  | false => exact Nat.zero_le 3

/-- **Not one unit less of reserve and charges**: `spent r a h ≤ cumLoss + 1` in the place of `spent r a h ≤ cumLoss` in
`cumloss_charge`.  The reserve 2 and the charge 2 are reached with probability `1/3` then, at the level `3/10`. -/
theorem charge_one_less : ¬ ∀ {D : Type} {ds : List D} {N p q r : Nat} {δ : Frac} {u a : List D → Nat} {loss : List D → D → Nat},
    (∀ h d, loss h d ≤ N) → (∀ h, sumOver (loss h) ds ≤ ds.length * u h) → reservePays p q δ.num δ.den r = true →
    (∀ h, pays N p q (u h) (a h) = true) → ∀ T : Nat,
    share ds (fun h => decide (spent r a h ≤ cumLoss loss h + 1)) T [] ≤ δ :=
  fun wrong => absurd (wrong (ds := [0, 1, 2]) (N := 3) (p := 2) (q := 1) (r := 2) (δ := ⟨3, 10⟩) (u := fun _ => 1) (a := fun _ => 2)
    (loss := oneInThree) oneInThree_le (fun _ => Nat.le_refl 3) (by decide) (fun _ => by decide) 1) (by decide +kernel)

/-- **No smaller charge pays**: one unit less in `leastCharge_spec`. -/
theorem least_charge_one_less : ¬ ∀ {N p q u : Nat}, betOk N p q = true → u ≤ N → 0 < leastCharge N p q u →
    pays N p q u (leastCharge N p q u - 1) = true :=
  fun wrong => absurd (wrong (N := 3) (p := 2) (q := 1) (u := 1) (by decide) (by decide) (by decide)) (by decide)

/-- **No smaller reserve pays**: one unit less in `leastReserve_spec`. -/
theorem least_reserve_one_less : ¬ ∀ {p q nδ dδ : Nat}, 0 < q → q < p → 0 < nδ → 0 < dδ → 0 < leastReserve p q nδ dδ →
    reservePays p q nδ dδ (leastReserve p q nδ dδ - 1) = true :=
  fun wrong => absurd (wrong (p := 2) (q := 1) (nδ := 3) (dδ := 10) (by decide) (by decide) (by decide) (by decide) (by decide)) (by decide)

/-! ## The union-bound ledger -/

/-- The shares `δ/(t + 1)` of the events before `T`, added up. -/
def harmonicSpent (δ : Frac) : Nat → Frac
  | 0 => 0
  | T + 1 => harmonicSpent δ T + ⟨δ.num, δ.den * (T + 1)⟩

/-- **Shares that fall more slowly do not telescope**: `harmonicSpent` in the place of `unionSpent` in `union_ledger_telescopes`.  The
first two events already get more than `δ`. -/
theorem harmonic_shares_exceed : ¬ ∀ (δ : Frac) (T : Nat),
    (harmonicSpent δ T).num * (δ.den * (T + 1)) = δ.num * T * (harmonicSpent δ T).den :=
  fun wrong => absurd (wrong ⟨1, 2⟩ 2) (by decide)

/-- **Only events with a price exhaust the ledger**: `union_ledger_exhausts` without `0 < π`. -/
theorem free_events_never_exhaust : ¬ ∀ {δ π : Frac}, 0 < δ.den → 0 < π.den → ∀ t : Nat,
    (π ≤ unionShare δ t ↔ t < unionLife δ.num δ.den π.num π.den) :=
  fun wrong => absurd ((wrong (δ := ⟨1, 2⟩) (π := ⟨0, 1⟩) (by decide) (by decide) 1).mp (by decide)) (by decide)

/-- **It is that price that is refused**: any price in the place of the same one.  At the event 99 of `δ = 1/100` the price `10⁻⁶` is
refused, and `9·10⁻⁷` is not. -/
theorem lower_price_is_admitted : ¬ ∀ {δ π : Frac}, 0 < δ.den → 0 < π.num → 0 < π.den → ∀ t : Nat,
    ¬ π ≤ unionShare δ t → ∀ {π' : Frac}, 0 < π'.num → 0 < π'.den → ¬ π' ≤ unionShare δ t :=
  fun wrong => absurd (by decide +kernel : (⟨9, 10000000⟩ : Frac) ≤ unionShare ⟨1, 100⟩ 99) (wrong (δ := ⟨1, 100⟩) (π := ⟨1, 1000000⟩)
    (by decide) (by decide) (by decide) 99 (by decide +kernel) (by decide) (by decide))

end Gnosis.Falsifiers

prelude
import Gnosis.Decision.Head
import Gnosis.Foundation.Accepted
import Gnosis.Foundation.Exchangeable
import Gnosis.JitDequantAdmissibility
import Gnosis.TopKGap
/-! # Serving from bounds: the token, the first `k` rows, the lead

Scores `z` with bounds `ε` come from any coarse pass that stays within them (`Gnosis.head_within` is one).  The candidates are
recomputed, first with intervals `y ± err` (the exact products in float64), then, as far as these leave the matter open,
exactly.  What is served is then the argmax of the exact scores, lowest index on ties; the same of the `k` largest, in order;
and what the bounds say about the lead of the winner is a lower bound of the exact one. -/
namespace Gnosis
open List

/-! ## The token -/

/-- A member of a list of positions stands somewhere. -/
theorem exists_positionAt {js : List Nat} {w : Nat} (m : w ∈ js) : ∃ i, i < js.length ∧ positionAt js i = w := by
  induction m with
  | head l => exact ⟨0, Nat.succ_le_succ (Nat.zero_le _), rfl⟩
  | tail b _ ih => obtain ⟨i, hi, e⟩ := ih; exact ⟨i + 1, Nat.succ_le_succ hi, e⟩

/-- What stands at a valid index is a member. -/
theorem positionAt_mem {js : List Nat} {i : Nat} (h : i < js.length) : positionAt js i ∈ js := by
  induction js generalizing i with
  | nil => exact absurd h (Nat.not_succ_le_zero i)
  | cons j js ih => cases i with
    | zero => exact .head js
    | succ i => exact .tail j (ih (Nat.le_of_succ_le_succ h))

/-- In an ascending list later positions are larger. -/
theorem positionAt_lt {js : List Nat} (asc : Pairwise (fun a b => a < b) js) {i p : Nat} (hip : i < p) (hp : p < js.length) :
    positionAt js i < positionAt js p := by
  induction asc generalizing i p with
  | nil => exact absurd hp (Nat.not_succ_le_zero p)
  | @cons j js n _ ih => cases p with
    | zero => exact absurd hip (Nat.not_succ_le_zero i)
    | succ p =>
      have hp := Nat.le_of_succ_le_succ hp
      cases i with
      | zero => exact n _ (positionAt_mem hp)
      | succ i => exact ih (Nat.le_of_succ_le_succ hip) hp

/-- **The token that is served is the exact one**: if the exact scores lie within `ε` of the coarse ones, and those of the
candidates within `err` of what was recomputed, the served row is the argmax of the exact scores, lowest index on ties. -/
theorem head_serves_argmax {z ε y err exact : List Int} (coarse : Within (entry ε) z exact)
    (fine : Within (entry err) y ((candidates z ε).map (entry exact))) : headServed z ε y err exact = argmax exact := by
  unfold headServed
  rw [miss_never_lies fine]
  cases hz : exact with
  | nil =>
    cases z with
    | cons _ _ => rw [hz] at coarse; exact nomatch coarse.length_eq
    | nil =>
      have e : candidates [] ε = [] := by
        unfold candidates candidatesFrom
        cases boundsFit [] ε with
        | true => rfl
        | false => rfl
      rw [e]; rfl
  | cons x xs =>
    rw [← hz]
    have best : IsArgmax exact (argmax exact) := argmax_spec (by rw [hz]; exact fun e => nomatch e)
    have mem := candidates_contain_argmax coarse best.1
    have asc := candidates_ascending z ε
    have lt : ∀ j, j ∈ candidates z ε → j < exact.length := fun j m => by rw [coarse.length_eq]; exact lt_of_mem_candidates m
    generalize candidates z ε = js at *
    obtain ⟨i, hi, ei⟩ := exists_positionAt mem
    have len : (map (entry exact) js).length = js.length := length_map _ _
    have read : ∀ i, i < js.length → entry (map (entry exact) js) i = entry exact (positionAt js i) := fun i hi =>
      entry_arrange exact js hi
    have top := argmax_spec (z := map (entry exact) js) (ne_nil_of_lt_length (by rw [len]; exact hi))
    generalize argmax (map (entry exact) js) = p at *
    have hp : p < js.length := by rw [← len]; exact top.1.1
    have most : entry exact (argmax exact) ≤ entry exact (positionAt js p) := by
      have h := top.1.2 i (by rw [len]; exact hi)
      rw [read i hi, read p hp, ei] at h; exact h
    rcases Nat.lt_or_ge (positionAt js p) (argmax exact) with g | g
    · exact (Int.not_le_of_lt (best.2 _ g) most).elim
    · refine Nat.le_antisymm ?_ g
      rcases Nat.lt_or_ge i p with k | k
      · have h := top.2 i k
        rw [read i hi, read p hp, ei] at h
        exact (Int.not_le_of_lt h (best.1.2 _ (lt _ (positionAt_mem hp)))).elim
      · rcases Nat.lt_or_ge p i with k' | k'
        · have := positionAt_lt asc k' hi
          rw [ei] at this
          exact Nat.le_trans (Nat.le_succ _) this
        · rw [Nat.le_antisymm k k', ei]; exact Nat.le_refl _

/-- A single candidate is the token; nothing is recomputed. -/
theorem head_single_candidate {z ε exact : List Int} {w : Nat} (coarse : Within (entry ε) z exact)
    (one : candidates z ε = [w]) : argmax exact = w := by
  have e : exact ≠ [] := fun e => by
    rw [e] at coarse
    have l := lt_of_mem_candidates (z := z) (ε := ε) (j := w) (by rw [one]; exact .head _)
    rw [← coarse.length_eq] at l
    exact Nat.not_succ_le_zero _ l
  have m := candidates_contain_argmax coarse (argmax_spec e).1
  rw [one] at m
  cases m with
  | head => rfl
  | tail _ m => exact nomatch m

/-- Not vacuous: of three rows two are candidates, the intervals leave both open, and exact scores decide for the second; with
finer intervals one is left. -/
theorem head_serves_argmax_instance : Within (entry [1, 1, 1]) [10, 9, 2] [9, 10, 1] ∧ candidates [10, 9, 2] [1, 1, 1] = [0, 1]
    ∧ Within (entry [1, 1]) [9, 9] ([0, 1].map (entry [9, 10, 1])) ∧ candidates [9, 9] [1, 1] = [0, 1]
    ∧ headServed [10, 9, 2] [1, 1, 1] [9, 9] [1, 1] [9, 10, 1] = 1
    ∧ candidates [9, 10] [0, 0] = [1] ∧ headServed [10, 9, 2] [1, 1, 1] [9, 10] [0, 0] [9, 10, 1] = 1 :=
  ⟨⟨rfl, by decide, by decide⟩, rfl, ⟨rfl, by decide, by decide⟩, rfl, rfl, rfl, rfl⟩

/-! ## The first `k` rows -/

/-- Leaving out one position leaves out one count at most. -/
theorem countP_le_without {p : Nat → Bool} {w : Nat} {l : List Nat} (d : Nodup l) :
    countP p l ≤ countP p (accepted (fun i => !Nat.beq i w) l) + 1 := by
  rw [countP_accepted]
  have cover := countP_le_add (p := p) (q := fun i => !Nat.beq i w && p i) (r := fun i => Nat.beq i w) (l := l) (fun i _ h => by
    cases e : Nat.beq i w with
    | true => exact .inr rfl
    | false => exact .inl h)
  refine Nat.le_trans cover (Nat.add_le_add_left (countP_le_one d fun a b ha hb => ?_) _)
  exact (Nat.beq_eq_true_iff.mp ha).trans (Nat.beq_eq_true_iff.mp hb).symm

/-- Ascending lists repeat nothing. -/
theorem nodup_of_ascending {l : List Nat} (asc : Pairwise (fun a b => a < b) l) : Nodup l := by
  induction asc with
  | nil => exact .nil
  | cons n _ ih => exact .cons (fun b m e => Nat.lt_irrefl b (by have h := n b m; rw [e] at h; exact h)) ih

/-- A selection of rows that leaves out only such rows as at least `k` rows are above has the same `k` first rows. -/
theorem topAmong_of_subset {z : List Int} {k : Nat} {all cand : List Nat} (asc : Pairwise (fun a b => a < b) all)
    (asc' : Pairwise (fun a b => a < b) cand) (sub : ∀ j, j ∈ cand → j ∈ all)
    (above : ∀ j, j ∈ all → j ∈ cand ∨ k ≤ countP (fun i => decide (entry z j < entry z i)) all) :
    topAmong z k cand = topAmong z k all := by
  induction k generalizing all cand with
  | zero => rfl
  | succ k ih =>
    cases all with
    | nil => cases cand with
      | nil => rfl
      | cons c _ => exact nomatch sub c (.head _)
    | cons j js =>
      obtain ⟨m, top, first⟩ := argmaxAmong_spec z j js asc
      -- the first row is a candidate
      have mc : argmaxAmong z j js ∈ cand := by
        rcases above _ m with h | h
        · exact h
        · have none : countP (fun i => decide (entry z (argmaxAmong z j js) < entry z i)) (j :: js) = 0 := by
            rw [countP_congr (q := fun _ => false) (fun i mi => decide_eq_false fun g => Int.not_le_of_lt g (top i mi)), countP_false]
          rw [none] at h; exact absurd h (Nat.not_succ_le_zero k)
      cases cand with
      | nil => exact nomatch mc
      | cons c cs =>
        obtain ⟨m', top', first'⟩ := argmaxAmong_spec z c cs asc'
        have same : argmaxAmong z c cs = argmaxAmong z j js := by
          have le := top' _ mc
          have ge := top _ (sub _ m')
          rcases Nat.lt_or_ge (argmaxAmong z j js) (argmaxAmong z c cs) with g | g
          · exact (Int.not_le_of_lt (first' _ mc g) ge).elim
          · rcases Nat.lt_or_ge (argmaxAmong z c cs) (argmaxAmong z j js) with g' | g'
            · exact (Int.not_le_of_lt (first _ (sub _ m') g') le).elim
            · exact Nat.le_antisymm g g'
        show argmaxAmong z c cs :: topAmong z k _ = argmaxAmong z j js :: topAmong z k _
        rw [same, ih (pairwise_accepted asc) (pairwise_accepted asc') (fun i mi => ?_) (fun i mi => ?_)]
        · obtain ⟨mi, ne⟩ := mem_accepted_iff.mp mi
          exact mem_accepted_iff.mpr ⟨sub i mi, ne⟩
        · obtain ⟨mi, ne⟩ := mem_accepted_iff.mp mi
          rcases above i mi with h | h
          · exact .inl (mem_accepted_iff.mpr ⟨h, ne⟩)
          · exact .inr (Nat.le_of_add_le_add_right (Nat.le_trans h (countP_le_without (nodup_of_ascending asc))))

/-- Candidates leave out only rows that at least `k` rows are above. -/
theorem topCandidates_above {k : Nat} {z ε exact : List Int} {js : List Nat}
    (within : ∀ j, j ∈ js → entry z j - entry ε j ≤ entry exact j ∧ entry exact j ≤ entry z j + entry ε j) :
    ∀ j, j ∈ js → j ∈ topCandidates k z ε js ∨ k ≤ countP (fun i => decide (entry exact j < entry exact i)) js := by
  intro j m
  rcases Nat.lt_or_ge (countP (fun i => decide (entry z j + entry ε j < entry z i - entry ε i)) js) k with h | h
  · exact .inl (mem_accepted_iff.mpr ⟨m, decide_eq_true h⟩)
  · refine .inr (Nat.le_trans h (countP_le_countP fun i mi hi => decide_eq_true ?_))
    have hi := of_decide_eq_true hi
    exact Int.lt_of_le_of_lt (within j m).2 (Int.lt_of_lt_of_le hi (within i mi).1)

/-- **The `k` rows that are served are the exact ones, in order**: if the exact scores lie within `ε` of the coarse ones, and those
of the candidates within `err` of what was recomputed, then headTopK is the list of the `k` first rows by exact score, in
descending order, lowest index first on ties. -/
theorem head_serves_top_k {k : Nat} {z ε y err exact : List Int} (coarse : Within (entry ε) z exact)
    (fine : ∀ j, j ∈ topCandidates k z ε (indices 0 z) →
      entry y j - entry err j ≤ entry exact j ∧ entry exact j ≤ entry y j + entry err j) :
    headTopK k z ε y err exact = topAmong exact k (indices 0 exact) := by
  have idx : indices 0 z = indices 0 exact := same_indices coarse.length_eq.symm
  have asc := indices_ascending 0 z
  have one : topAmong exact k (topCandidates k z ε (indices 0 z)) = topAmong exact k (indices 0 z) :=
    topAmong_of_subset asc (pairwise_accepted asc) (fun j m => (mem_accepted_iff.mp m).1)
      (topCandidates_above fun j m => by
        obtain ⟨i, hi, e⟩ := mem_indices.mp m
        rw [Nat.zero_add] at e
        rw [e]; exact ⟨coarse.lower i hi, coarse.upper i hi⟩)
  unfold headTopK
  rw [← idx, ← one]
  exact topAmong_of_subset (pairwise_accepted asc) (pairwise_accepted (pairwise_accepted asc))
    (fun j m => (mem_accepted_iff.mp m).1) (topCandidates_above fine)
where
  same_indices {y z : List Int} (h : y.length = z.length) {i : Nat} : indices i y = indices i z := by
    induction y generalizing z i with
    | nil => cases z with
      | nil => rfl
      | cons _ _ => exact nomatch h
    | cons _ y ih => cases z with
      | nil => exact nomatch h
      | cons _ z => exact congrArg (i :: ·) (ih (Nat.add_right_cancel h))

/-- Counting over the indices is counting over the entries. -/
theorem countP_indices (p : Int → Bool) (z : List Int) : countP (fun i => p (entry z i)) (indices 0 z) = countP p z := by
  have main : ∀ (z : List Int) (f : Nat → Int) (i : Nat), (∀ k, k < z.length → f (i + k) = entry z k) →
      countP (fun j => p (f j)) (indices i z) = countP p z := by
    intro z
    induction z with
    | nil => exact fun _ _ _ => rfl
    | cons x z ih =>
      intro f i h
      obtain ⟨h₀, h⟩ := forall_index_cons.mp h
      show countP _ (i :: indices (i + 1) z) = countP p (x :: z)
      rw [countP_cons, countP_cons, ih f (i + 1) (fun k hk => by rw [Nat.add_right_comm]; exact h k hk)]
      have h₀ : f i = x := h₀
      rw [h₀]
  exact main z (entry z) 0 fun k _ => by rw [Nat.zero_add]

/-- **Every possible top-k set lies among the candidates for `k`**, whatever its rule on ties. -/
theorem head_candidates_contain_top_k {k : Nat} {z ε exact : List Int} {T : List Bool} (coarse : Within (entry ε) z exact)
    (sel : IsSelection exact T) (count : selectedCount T = k) {i : Nat} (hi : i < exact.length) (si : selected T i = true) :
    i ∈ topCandidates k z ε (indices 0 z) := by
  have hz : i < z.length := by rw [← coarse.length_eq]; exact hi
  have mi : i ∈ indices 0 z := mem_indices.mpr ⟨i, hz, (Nat.zero_add i).symm⟩
  rcases topCandidates_above (k := k) (z := z) (ε := ε) (exact := exact) (js := indices 0 z) (fun j m => by
      obtain ⟨i, hi, e⟩ := mem_indices.mp m
      rw [Nat.zero_add] at e
      rw [e]; exact ⟨coarse.lower i hi, coarse.upper i hi⟩) i mi with h | h
  · exact h
  · have idx : indices 0 z = indices 0 exact := head_serves_top_k.same_indices coarse.length_eq.symm
    rw [idx, countP_indices (fun y => decide (entry exact i < y))] at h
    -- all of these are selected, and `i` is one more
    have flip : ∀ {S : List Bool} {j : Nat}, j < S.length → selected (S.map (fun s => !s)) j = !selected S j := fun {S} {j} hj => by
      induction S generalizing j with
      | nil => exact absurd hj (Nat.not_succ_le_zero j)
      | cons s S ih => cases j with
        | zero => rfl
        | succ j => exact ih (Nat.le_of_succ_le_succ hj)
    have len : exact.length = (T.map (fun s => !s)).length := by rw [length_map]; exact sel.1
    have most := (countP_le_unselectedCount (p := fun y => decide (entry exact i < y)) len (fun j hj sj => by
      rw [flip (by rw [← sel.1]; exact hj)] at sj
      have sj : selected T j = false := by
        cases e : selected T j with
        | false => rfl
        | true => rw [e] at sj; exact nomatch sj
      exact decide_eq_false fun g => Int.not_le_of_lt g (sel.2 i j hi hj si sj))).2 i hi
      (by rw [flip (by rw [← sel.1]; exact hi), si]; rfl) (decide_eq_false (Int.lt_irrefl _))
    have all : unselectedCount (T.map (fun s => !s)) = selectedCount T := by
      unfold unselectedCount selectedCount
      rw [countP_map]
      exact countP_congr fun s _ => by cases s with
        | true => rfl
        | false => rfl
    rw [all, count] at most
    exact absurd h (Nat.not_le_of_lt most)

/-- Not vacuous: two of four rows, three candidates of the coarse scores, the intervals drop none, and the exact scores tie: the
lower index comes first. -/
theorem head_serves_top_k_instance : Within (entry [1, 1, 1, 1]) [10, 9, 9, 2] [9, 10, 9, 3]
    ∧ topCandidates 2 [10, 9, 9, 2] [1, 1, 1, 1] (indices 0 [10, 9, 9, 2]) = [0, 1, 2]
    ∧ headTopK 2 [10, 9, 9, 2] [1, 1, 1, 1] [9, 10, 9, 0] [1, 1, 1, 0] [9, 10, 9, 3] = [1, 0]
    ∧ topAmong [9, 10, 9, 3] 2 (indices 0 [9, 10, 9, 3]) = [1, 0] :=
  ⟨⟨rfl, by decide, by decide⟩, rfl, rfl, rfl⟩

/-- The rows of a list with one row left out. -/
theorem mem_without {w j : Nat} {l : List Nat} (m : j ∈ l) (n : j ≠ w) : j ∈ accepted (fun i => !Nat.beq i w) l := by
  refine mem_accepted_iff.mpr ⟨m, ?_⟩
  cases e : Nat.beq j w with
  | false => rfl
  | true => exact absurd (Nat.beq_eq_true_iff.mp e) n

/-! ## The lead -/

/-- **What the bounds say about the lead is a lower bound of the exact lead**: if the lower end of row `w` exceeds the upper end of
every other row by `m` at least, its exact score exceeds every other one by `m` at least; and if `m` is positive, `w` is the
token. -/
theorem head_lead_sound {z ε exact : List Int} {w : Nat} {m : Int} (coarse : Within (entry ε) z exact) (hw : w < z.length)
    (lead : ∀ j, j < z.length → j ≠ w → entry z j + entry ε j + m ≤ entry z w - entry ε w) :
    (∀ j, j < exact.length → j ≠ w → m ≤ entry exact w - entry exact j) ∧ (0 < m → argmax exact = w) := by
  have gap : ∀ j, j < exact.length → j ≠ w → m ≤ entry exact w - entry exact j := fun j hj n => by
    rw [coarse.length_eq] at hj
    lin [lead j hj n, coarse.upper j hj, coarse.lower w hw]
  refine ⟨gap, fun pos => ?_⟩
  have hw' : w < exact.length := by rw [coarse.length_eq]; exact hw
  have only : IsOnlyMaximiser exact w := ⟨hw', fun j hj n => by lin [gap j hj n, pos]⟩
  exact only.eq_of_isMaximiser (argmax_spec (ne_nil_of_lt_length hw')).1

/-- Attained: scores 10 and 4 with bounds 1 and 2, exact scores 9 and 6: the bounds say 3, and 3 it is. -/
theorem head_lead_sharp : Within (entry [1, 2]) [10, 4] [9, 6] ∧ (4 : Int) + 2 + 3 = 10 - 1 ∧ entry [9, 6] 0 - entry [9, 6] 1 = 3 :=
  ⟨⟨rfl, by decide, by decide⟩, rfl, rfl⟩

/-- **The lead from the first two rows**: if `w` and `v` are the first two rows by exact score, `w` is the token, no other row comes
nearer to it than `v`, and the lead is never negative.  So the difference of the first two scores is the exact lead. -/
theorem head_certified_margin {exact : List Int} {w v : Nat} (two : topAmong exact 2 (indices 0 exact) = [w, v]) :
    argmax exact = w ∧ v ≠ w ∧ 0 ≤ entry exact w - entry exact v ∧
      ∀ j, j < exact.length → j ≠ w → entry exact w - entry exact v ≤ entry exact w - entry exact j := by
  have asc := indices_ascending 0 exact
  have all : ∀ j, j < exact.length → j ∈ indices 0 exact := fun j hj => mem_indices.mpr ⟨j, hj, (Nat.zero_add j).symm⟩
  have lt : ∀ j, j ∈ indices 0 exact → j < exact.length := fun j m => by
    obtain ⟨k, hk, e⟩ := mem_indices.mp m
    rw [e, Nat.zero_add]; exact hk
  generalize indices 0 exact = l at *
  cases l with
  | nil => exact nomatch two
  | cons i is =>
    obtain ⟨m, top, first⟩ := argmaxAmong_spec exact i is asc
    have two : argmaxAmong exact i is :: topAmong exact 1 (accepted (fun k => !Nat.beq k (argmaxAmong exact i is)) (i :: is)) = [w, v] := two
    injection two with ew two
    rw [ew] at m top first two
    have best : IsArgmax exact w := ⟨⟨lt w m, fun j hj => top j (all j hj)⟩, fun j hj =>
      first j (all j (Nat.lt_of_lt_of_le hj (Nat.le_trans (Nat.le_succ w) (lt w m)))) hj⟩
    have asc' := pairwise_accepted (p := fun k => !Nat.beq k w) asc
    have out : ∀ j, j ∈ accepted (fun k => !Nat.beq k w) (i :: is) → j ∈ i :: is ∧ j ≠ w := fun j mj => by
      obtain ⟨mj, e⟩ := mem_accepted_iff.mp mj
      refine ⟨mj, fun h => ?_⟩
      rw [Nat.beq_eq_true_iff.mpr h] at e; exact nomatch e
    have others : ∀ j, j < exact.length → j ≠ w → j ∈ accepted (fun k => !Nat.beq k w) (i :: is) := fun j hj n =>
      mem_without (all j hj) n
    generalize accepted (fun k => !Nat.beq k w) (i :: is) = r at *
    cases r with
    | nil => exact nomatch two
    | cons k ks =>
      obtain ⟨m', top', _⟩ := argmaxAmong_spec exact k ks asc'
      have two : argmaxAmong exact k ks :: topAmong exact 0 _ = [v] := two
      injection two with ev
      rw [ev] at m' top'
      refine ⟨(isArgmax_iff.mp best).2, (out v m').2, ?_, fun j hj n => ?_⟩
      · lin [top v (out v m').1]
      · lin [top' j (others j hj n)]

/-- Not vacuous: a tie of the first two, and a lead of 3. -/
theorem head_certified_margin_sample : topAmong [4, 7, 7] 2 (indices 0 [4, 7, 7]) = [1, 2] ∧
    topAmong [4, 7, 1] 2 (indices 0 [4, 7, 1]) = [1, 0] := ⟨rfl, rfl⟩
end Gnosis

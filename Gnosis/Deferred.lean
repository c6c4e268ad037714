prelude
import Gnosis.ConformalJitAdmissibility
import Gnosis.Decision.Deferred
import Gnosis.Decision.Lattice
/-! # Deferred refinement: the text of the finer model

A coarse model drafts, a finer one checks the doubtful tokens later.  Both are functions from a text to a token, lowest index on
ties; the coarse one says a margin too.  A text lists its tokens, the latest first.

The algorithm (`refineStep`): the coarse model goes on for some tokens; of the tokens that are pending the finer model checks
the first ones that are deferred, all of them or those with a margin below `τ`; at the first place where it would have
written another token everything behind is taken back and its own token stands.  How far the draft goes before a check, how
many tokens are checked, and how many the finer model writes itself afterwards are free choices of every step, so that windows,
draft lengths, overlap of drafting with checking and rereading are all covered.

* `verify_all_eq_greedy`: if all tokens are deferred, what is settled is the text of the finer model alone.
* `margin_eq_greedy`: so it is if along *the finer model's own text* every difference has a margin below `τ`.
* `deferred_lie_rate`: a calibrated `τ` keeps the text with the rate of the calibration.

What the models have read meanwhile is in `Gnosis.DeferredCaches`. -/
open List
namespace Gnosis

/-! ## Texts of the finer model -/

/-- The last token of a model's text is its token after the rest. -/
theorem greedyText_succ (fine : List Nat → Nat) (n : Nat) (h : List Nat) :
    greedyText fine (n + 1) h = fine (greedyText fine n h) :: greedyText fine n h := by
  induction n generalizing h with
  | zero => rfl
  | succ n ih => exact ih (fine h :: h)

/-- `n` more tokens. -/
theorem length_greedyText (fine : List Nat → Nat) (n : Nat) (h : List Nat) : (greedyText fine n h).length = n + h.length := by
  induction n generalizing h with
  | zero => exact (Nat.zero_add _).symm
  | succ n ih =>
    rw [greedyText, ih]
    show n + (h.length + 1) = n + 1 + h.length
    nat_ring

/-- Texts that the finer model writes after the prompt. -/
def Follows (fine : List Nat → Nat) (prompt h : List Nat) : Prop := ∃ n, h = greedyText fine n prompt

/-- Its next token keeps it so. -/
theorem Follows.next {fine : List Nat → Nat} {prompt h : List Nat} (f : Follows fine prompt h) : Follows fine prompt (fine h :: h) := by
  obtain ⟨n, e⟩ := f
  exact ⟨n + 1, by rw [greedyText_succ, ← e]⟩
/-- So do more of its tokens. -/
theorem Follows.more {fine : List Nat → Nat} {prompt h : List Nat} (f : Follows fine prompt h) (n : Nat) :
    Follows fine prompt (greedyText fine n h) := by
  induction n generalizing h with
  | zero => exact f
  | succ n ih => exact ih f.next
/-- Such a text is known by its length. -/
theorem Follows.eq {fine : List Nat → Nat} {prompt h : List Nat} (f : Follows fine prompt h) :
    h = greedyText fine (h.length - prompt.length) prompt := by
  obtain ⟨n, e⟩ := f
  rw [e, length_greedyText, Nat.add_sub_cancel]

/-- A check with all tokens deferred leaves texts of the finer model. -/
theorem check_all_follows {fine : List Nat → Nat} {prompt h : List Nat} (f : Follows fine prompt h) (window : List (Nat × Int)) :
    Follows fine prompt (checkWindow (fun _ => true) fine h window).1 := by
  induction window generalizing h with
  | nil => exact f
  | cons x rest ih =>
    cases e : Nat.beq (fine h) x.1 with
    | false =>
      rw [checkWindow, e]
      exact f.next
    | true =>
      rw [checkWindow, e]
      refine ih ?_
      rw [← Nat.beq_eq_true_iff.mp e]; exact f.next

/-- What the finer model would have written at every place of a window, having read what stands before it. -/
def fineSays (fine : List Nat → Nat) : List Nat → List (Nat × Int) → List Nat
  | _, [] => []
  | h, x :: rest => fine h :: fineSays fine (x.1 :: h) rest

/-- **One reading of the window is the check**: with what the finer model says at every place of a window, `flipAt` finds the place at
which the algorithm stops, and the finer model's token there stands behind the tokens before it; where it finds none the whole
window stands. -/
theorem check_eq_flip (defer : Int → Bool) (fine : List Nat → Nat) (window : List (Nat × Int)) (h : List Nat) :
    (flipAt (map (fun x => defer x.2) window) (map (fun x => x.1) window) (fineSays fine h window) = window.length →
      checkWindow defer fine h window = (withDraft h window, false)) ∧
    (flipAt (map (fun x => defer x.2) window) (map (fun x => x.1) window) (fineSays fine h window) < window.length →
      checkWindow defer fine h window =
        (positionAt (fineSays fine h window)
            (flipAt (map (fun x => defer x.2) window) (map (fun x => x.1) window) (fineSays fine h window)) ::
          withDraft h (takeFirst (flipAt (map (fun x => defer x.2) window) (map (fun x => x.1) window) (fineSays fine h window)) window),
        true)) := by
  induction window generalizing h with
  | nil => exact ⟨fun _ => rfl, fun k => absurd k (Nat.not_succ_le_zero _)⟩
  | cons x rest ih =>
    obtain ⟨i₁, i₂⟩ := ih (x.1 :: h)
    cases e : defer x.2 && !Nat.beq (fine h) x.1 with
    | true =>
      have f : flipAt (map (fun x => defer x.2) (x :: rest)) (map (fun x => x.1) (x :: rest)) (fineSays fine h (x :: rest)) = 0 := by
        show (bif defer x.2 && !Nat.beq (fine h) x.1 then 0 else _) = 0
        rw [e]; rfl
      rw [f, checkWindow, e]
      exact ⟨fun k => (nomatch k), fun _ => rfl⟩
    | false =>
      have f : flipAt (map (fun x => defer x.2) (x :: rest)) (map (fun x => x.1) (x :: rest)) (fineSays fine h (x :: rest))
          = flipAt (map (fun x => defer x.2) rest) (map (fun x => x.1) rest) (fineSays fine (x.1 :: h) rest) + 1 := by
        show (bif defer x.2 && !Nat.beq (fine h) x.1 then 0 else _) = _
        rw [e]; rfl
      rw [f, checkWindow, e]
      exact ⟨fun k => i₁ (Nat.add_right_cancel k), fun k => i₂ (Nat.le_of_succ_le_succ k)⟩

/-- Not vacuous: of three places the first is not asked about, at the second the models agree, at the third they do not. -/
theorem check_eq_flip_instance : flipAt [false, true, true] [4, 5, 6] [0, 5, 7] = 2 ∧ flipAt [false, true, false] [4, 5, 6] [0, 5, 7] = 3 ∧
    flipAt [true, true, true] [4, 5, 6] [0, 5, 7] = 0 := ⟨rfl, rfl, rfl⟩

/-- **Verifying everything writes the finer model's text**: whatever the coarse model is and whatever is chosen at every step, what
is settled is the text that the finer model alone writes after the prompt, token by token. -/
theorem verify_all_eq_greedy (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) (choices : List Choice) (prompt : List Nat) :
    (refineRun (fun _ => true) coarse fine choices ⟨prompt, []⟩).settled
      = greedyText fine ((refineRun (fun _ => true) coarse fine choices ⟨prompt, []⟩).settled.length - prompt.length) prompt := by
  have step : ∀ s c, Follows fine prompt s.settled → Follows fine prompt (refineStep (fun _ => true) coarse fine s c).settled := by
    intro s c f
    have k := check_all_follows f (takeFirst c.checked (s.pending ++ draftFrom coarse c.drafted (withDraft s.settled s.pending)))
    unfold refineStep
    generalize checkWindow (fun _ => true) fine s.settled _ = r at *
    obtain ⟨h, b⟩ := r
    cases b with
    | true => exact k.more c.written
    | false =>
      cases dropFirst c.checked (s.pending ++ draftFrom coarse c.drafted (withDraft s.settled s.pending)) with
      | nil => exact k.more c.written
      | cons x rest => exact k
  have run : ∀ cs s, Follows fine prompt s.settled → Follows fine prompt (refineRun (fun _ => true) coarse fine cs s).settled := by
    intro cs
    induction cs with
    | nil => exact fun _ f => f
    | cons c cs ih => exact fun s f => ih _ (step s c f)
  exact (run choices ⟨prompt, []⟩ ⟨0, rfl⟩).eq

/-- **Shared noise**: if both models draw their tokens with one noise `z` for every position, the coarse one whatever it likes to do
with it, the text is the one that the finer model alone draws with that noise.  A token drawn with given noise is a function of
the text, whose length is the position. -/
theorem shared_noise_eq_sampling {Z : Type} (z : Nat → Z) (coarse : Z → List Nat → Nat × Int) (fine : Z → List Nat → Nat)
    (choices : List Choice) (prompt : List Nat) :
    (refineRun (fun _ => true) (fun h => coarse (z h.length) h) (fun h => fine (z h.length) h) choices ⟨prompt, []⟩).settled
      = greedyText (fun h => fine (z h.length) h)
        ((refineRun (fun _ => true) (fun h => coarse (z h.length) h) (fun h => fine (z h.length) h) choices ⟨prompt, []⟩).settled.length
          - prompt.length) prompt :=
  verify_all_eq_greedy _ _ choices prompt

/-! ## The margin as a sign -/

/-- Drafts that the coarse model wrote after the text `h`. -/
def Drafted (coarse : List Nat → Nat × Int) : List Nat → List (Nat × Int) → Prop
  | _, [] => True
  | h, x :: rest => coarse h = x ∧ Drafted coarse (x.1 :: h) rest

/-- What the coarse model drafts is drafted by it. -/
theorem drafted_draftFrom (coarse : List Nat → Nat × Int) (n : Nat) (h : List Nat) : Drafted coarse h (draftFrom coarse n h) := by
  induction n generalizing h with
  | zero => trivial
  | succ n ih => exact ⟨rfl, ih _⟩
/-- Drafts behind drafts. -/
theorem drafted_append {coarse : List Nat → Nat × Int} {h : List Nat} {p q : List (Nat × Int)} (hp : Drafted coarse h p)
    (hq : Drafted coarse (withDraft h p) q) : Drafted coarse h (p ++ q) := by
  induction p generalizing h with
  | nil => exact hq
  | cons x p ih => exact ⟨hp.1, ih hp.2 hq⟩
/-- The first drafts, and those behind them. -/
theorem drafted_split {coarse : List Nat → Nat × Int} {h : List Nat} {p : List (Nat × Int)} (hp : Drafted coarse h p) (n : Nat) :
    Drafted coarse h (takeFirst n p) ∧ Drafted coarse (withDraft h (takeFirst n p)) (dropFirst n p) := by
  induction n generalizing h p with
  | zero => exact ⟨⟨⟩, hp⟩
  | succ n ih => cases p with
    | nil => exact ⟨⟨⟩, ⟨⟩⟩
    | cons x p =>
      obtain ⟨h₁, h₂⟩ := ih hp.2
      exact ⟨⟨hp.1, h₁⟩, h₂⟩

/-- A check never shortens the text; without a stop it has taken the whole window in. -/
theorem checkWindow_length (defer : Int → Bool) (fine : List Nat → Nat) (h : List Nat) (window : List (Nat × Int)) :
    h.length ≤ (checkWindow defer fine h window).1.length
      ∧ ((checkWindow defer fine h window).2 = false → (checkWindow defer fine h window).1 = withDraft h window) := by
  induction window generalizing h with
  | nil => exact ⟨Nat.le_refl _, fun _ => rfl⟩
  | cons x rest ih =>
    cases e : defer x.2 && !Nat.beq (fine h) x.1 with
    | true => rw [checkWindow, e]; exact ⟨Nat.le_succ _, fun h => nomatch h⟩
    | false =>
      rw [checkWindow, e]
      obtain ⟨i₁, i₂⟩ := ih (x.1 :: h)
      exact ⟨Nat.le_trans (Nat.le_succ _) i₁, i₂⟩

/-- A step never shortens the settled text. -/
theorem refineStep_length (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) (s : Progress) (c : Choice) :
    (checkWindow defer fine s.settled
      (takeFirst c.checked (s.pending ++ draftFrom coarse c.drafted (withDraft s.settled s.pending)))).1.length
        ≤ (refineStep defer coarse fine s c).settled.length := by
  have grow : ∀ h : List Nat, h.length ≤ (greedyText fine c.written h).length := fun h => by
    rw [length_greedyText]; exact Nat.le_add_left _ _
  unfold refineStep
  generalize checkWindow defer fine s.settled _ = r
  obtain ⟨h, b⟩ := r
  cases b with
  | true => exact grow h
  | false =>
    cases dropFirst c.checked (s.pending ++ draftFrom coarse c.drafted (withDraft s.settled s.pending)) with
    | nil => exact grow h
    | cons x rest => exact Nat.le_refl _

/-- A run never shortens the settled text. -/
theorem refineRun_length (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) (cs : List Choice) (s : Progress) :
    s.settled.length ≤ (refineRun defer coarse fine cs s).settled.length := by
  induction cs generalizing s with
  | nil => exact Nat.le_refl _
  | cons c cs ih =>
    exact Nat.le_trans (checkWindow_length defer fine s.settled _).1 (Nat.le_trans (refineStep_length defer coarse fine s c) (ih _))

/-- **Deferring by the margin writes the finer model's text** whenever, along the finer model's own text of `n` tokens after the
prompt, every place at which the two models differ has a coarse margin below `τ`: then what is settled, as long as it is no
longer than `n` tokens, is the text of the finer model alone, whatever is chosen at every step. -/
theorem margin_eq_greedy {coarse : List Nat → Nat × Int} {fine : List Nat → Nat} {τ : Int} {n : Nat} {prompt : List Nat}
    (sign : ∀ k, k < n → (coarse (greedyText fine k prompt)).1 ≠ fine (greedyText fine k prompt) →
      (coarse (greedyText fine k prompt)).2 < τ) (choices : List Choice)
    (short : (refineRun (fun m => decide (m < τ)) coarse fine choices ⟨prompt, []⟩).settled.length ≤ n + prompt.length) :
    (refineRun (fun m => decide (m < τ)) coarse fine choices ⟨prompt, []⟩).settled
      = greedyText fine ((refineRun (fun m => decide (m < τ)) coarse fine choices ⟨prompt, []⟩).settled.length - prompt.length) prompt := by
  -- one check
  have check : ∀ window h, Follows fine prompt h → Drafted coarse h window →
      (checkWindow (fun m => decide (m < τ)) fine h window).1.length ≤ n + prompt.length →
      Follows fine prompt (checkWindow (fun m => decide (m < τ)) fine h window).1 := by
    intro window
    induction window with
    | nil => exact fun _ f _ _ => f
    | cons x rest ih =>
      intro h f d len
      obtain ⟨dx, d⟩ := d
      cases e : decide (x.2 < τ) && !Nat.beq (fine h) x.1 with
      | true => rw [checkWindow, e]; exact f.next
      | false =>
        rw [checkWindow, e] at len ⊢
        refine ih _ ?_ d len
        -- the token is the finer model's: it was compared, or its margin says so
        have same : x.1 = fine h := by
          cases b : Nat.beq (fine h) x.1 with
          | true => exact (Nat.beq_eq_true_iff.mp b).symm
          | false =>
            rw [b] at e
            have big : ¬ x.2 < τ := fun g => by rw [decide_eq_true g] at e; exact nomatch e
            obtain ⟨k, ek⟩ := f
            have kn : k < n := by
              have l := Nat.le_trans (checkWindow_length (fun m => decide (m < τ)) fine (x.1 :: h) rest).1 len
              have l : h.length + 1 ≤ n + prompt.length := l
              rw [ek, length_greedyText] at l
              exact Nat.le_of_add_le_add_right (c := prompt.length) (by rw [Nat.succ_add]; exact l)
            by_cases ne : x.1 = fine h
            · exact ne
            · exact absurd (by
                have s := sign k kn
                rw [← ek, dx] at s
                exact s ne) big
        rw [same]; exact f.next
  have step : ∀ s c, Follows fine prompt s.settled → Drafted coarse s.settled s.pending →
      (refineStep (fun m => decide (m < τ)) coarse fine s c).settled.length ≤ n + prompt.length →
      Follows fine prompt (refineStep (fun m => decide (m < τ)) coarse fine s c).settled
        ∧ Drafted coarse (refineStep (fun m => decide (m < τ)) coarse fine s c).settled
          (refineStep (fun m => decide (m < τ)) coarse fine s c).pending := by
    intro s c f d len
    have all := drafted_append d (drafted_draftFrom coarse c.drafted (withDraft s.settled s.pending))
    obtain ⟨d₁, d₂⟩ := drafted_split all c.checked
    have k := check _ s.settled f d₁ (Nat.le_trans (refineStep_length _ coarse fine s c) len)
    have whole := (checkWindow_length (fun m => decide (m < τ)) fine s.settled
      (takeFirst c.checked (s.pending ++ draftFrom coarse c.drafted (withDraft s.settled s.pending)))).2
    clear len
    unfold refineStep
    generalize checkWindow (fun m => decide (m < τ)) fine s.settled _ = r at *
    obtain ⟨h, b⟩ := r
    cases b with
    | true => exact ⟨k.more c.written, ⟨⟩⟩
    | false =>
      have whole : h = withDraft s.settled _ := whole rfl
      rw [← whole] at d₂
      generalize dropFirst c.checked (s.pending ++ draftFrom coarse c.drafted (withDraft s.settled s.pending)) = rest at *
      cases rest with
      | nil => exact ⟨k.more c.written, ⟨⟩⟩
      | cons x rest => exact ⟨k, d₂⟩
  have run : ∀ cs s, Follows fine prompt s.settled → Drafted coarse s.settled s.pending →
      (refineRun (fun m => decide (m < τ)) coarse fine cs s).settled.length ≤ n + prompt.length →
      Follows fine prompt (refineRun (fun m => decide (m < τ)) coarse fine cs s).settled := by
    intro cs
    induction cs with
    | nil => exact fun _ f _ _ => f
    | cons c cs ih =>
      intro s f d len
      obtain ⟨f', d'⟩ := step s c f d (Nat.le_trans (refineRun_length _ coarse fine cs _) len)
      exact ih _ f' d' len
  exact (run choices ⟨prompt, []⟩ ⟨0, rfl⟩ ⟨⟩ short).eq

/-- **The algorithm as it is run**, on models that are tables: if along the finer table's text of `n` tokens every place at which the
tables differ has a margin below `τ`, what is settled, as long as it is no longer, is the finer table's text, whatever the steps. -/
theorem refine_text_eq_greedy {τ : Int} {coarse : List (Nat × Nat)} {fine : List Nat} {n : Nat} {prompt : List Nat}
    (sign : ∀ k, k < n → (tableDraft coarse (greedyText (tableToken fine) k prompt)).1 ≠ tableToken fine (greedyText (tableToken fine) k prompt) →
      (tableDraft coarse (greedyText (tableToken fine) k prompt)).2 < τ) (steps : List (Nat × Nat × Nat))
    (short : (refineText τ coarse fine steps prompt).length ≤ n + prompt.length) :
    refineText τ coarse fine steps prompt
      = greedyText (tableToken fine) ((refineText τ coarse fine steps prompt).length - prompt.length) prompt :=
  margin_eq_greedy sign (choicesOf steps) short

/-- Not vacuous: two tables of three tokens which differ in one place.  With `τ = 3`, above its margin, the text is the finer one's; with
`τ = 2` it is not. -/
theorem refine_text_instance :
    refineText 3 [(2, 4), (0, 4), (1, 2)] [2, 0, 0] [(2, 2, 0), (1, 1, 0)] [1] = [0, 2, 0, 1] ∧
    greedyText (tableToken [2, 0, 0]) 3 [1] = [0, 2, 0, 1] ∧
    refineText 2 [(2, 4), (0, 4), (1, 2)] [2, 0, 0] [(2, 2, 0), (1, 1, 0)] [1] = [1, 2, 0, 1] :=
  ⟨rfl, rfl, rfl⟩

/-- A finer model that writes 1 after 0, and 0 otherwise. -/
def alternating : List Nat → Nat
  | [] => 0
  | t :: _ => bif Nat.beq t 0 then 1 else 0
/-- A coarse model that always writes 0: with margin 1 after 0, where that is wrong, with margin 5 otherwise. -/
def alwaysZero : List Nat → Nat × Int
  | [] => (0, 5)
  | t :: _ => bif Nat.beq t 0 then (0, 1) else (0, 5)

/-- Not vacuous: with `τ = 2` three steps with drafts of two tokens each settle five tokens of the finer model's text, two of which
nobody checked; with `τ = 1` nothing is deferred, and the text is another one. -/
theorem deferred_instance :
    (refineRun (fun m => decide (m < 2)) alwaysZero alternating [⟨2, 2, 0⟩, ⟨2, 2, 0⟩, ⟨2, 2, 0⟩] ⟨[0], []⟩).settled
        = [1, 0, 1, 0, 1, 0] ∧ greedyText alternating 5 [0] = [1, 0, 1, 0, 1, 0] ∧
      (refineRun (fun m => decide (m < 1)) alwaysZero alternating [⟨2, 2, 0⟩] ⟨[0], []⟩).settled = [0, 0, 0] := ⟨rfl, rfl, rfl⟩

/-! ## A calibrated threshold -/

/-- The largest margin at a place where the models differ, along `n` tokens of the finer model's text; −1 where they do not. -/
def diffScore (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) : Nat → List Nat → Int
  | 0, _ => -1
  | n + 1, h => larger (bif Nat.beq (coarse h).1 (fine h) then -1 else (coarse h).2) (diffScore coarse fine n (fine h :: h))

/-- No difference has a larger margin than the score. -/
theorem diffScore_spec {coarse : List Nat → Nat × Int} {fine : List Nat → Nat} {n : Nat} {h : List Nat} (k : Nat) (hk : k < n)
    (ne : (coarse (greedyText fine k h)).1 ≠ fine (greedyText fine k h)) :
    (coarse (greedyText fine k h)).2 ≤ diffScore coarse fine n h := by
  have both : ∀ a b : Int, a ≤ larger a b ∧ b ≤ larger a b := fun a b => by
    unfold larger
    by_cases g : a ≤ b
    · rw [if_pos g]; exact ⟨g, Int.le_refl _⟩
    · rw [if_neg g]; exact ⟨Int.le_refl _, Int.le_of_lt (Int.lt_of_not_le g)⟩
  induction n generalizing h k with
  | zero => exact absurd hk (Nat.not_succ_le_zero k)
  | succ n ih =>
    cases k with
    | zero =>
      have e : Nat.beq (coarse h).1 (fine h) = false := by
        cases e : Nat.beq (coarse h).1 (fine h) with
        | false => rfl
        | true => exact absurd (Nat.beq_eq_true_iff.mp e) ne
      rw [diffScore, e]
      exact (both _ _).1
    | succ k => exact Int.le_trans (ih k (Nat.le_of_succ_le_succ hk) ne) (both _ _).2

/-- One run: the scores of prompts (the new one first), the two models, the new prompt, the most tokens that are written after it,
and the choices of the steps, whatever they depend on. -/
structure DeferredRun where
  scores : List Int
  coarse : List Nat → Nat × Int
  fine : List Nat → Nat
  prompt : List Nat
  most : Nat
  choices : List Choice

/-- The tokens that are deferred: those with a margin of at most the conformal threshold, that is, below the threshold plus one unit;
all of them where there is no threshold. -/
def DeferredRun.defer (num den : Nat) (r : DeferredRun) : Int → Bool :=
  match conformalThreshold (calibration r.scores) num den with
  | none => fun _ => true
  | some t => fun m => decide (m < t + 1)

/-- What is settled at the end. -/
def DeferredRun.text (num den : Nat) (r : DeferredRun) : List Nat :=
  (refineRun (r.defer num den) r.coarse r.fine r.choices ⟨r.prompt, []⟩).settled

/-- The new score is the largest margin at a difference, and no more tokens are written than it looks at. -/
structure DeferredRun.Valid (num den : Nat) (r : DeferredRun) : Prop where
  score : newScore r.scores = diffScore r.coarse r.fine r.most r.prompt
  short : (r.text num den).length ≤ r.most + r.prompt.length

/-- Are two texts the same? -/
def sameText : List Nat → List Nat → Bool
  | [], [] => true
  | a :: k, b :: l => Nat.beq a b && sameText k l
  | _, _ => false
/-- A text is the same as itself. -/
theorem sameText_refl (l : List Nat) : sameText l l = true := by
  induction l with
  | nil => rfl
  | cons a l ih => exact Bool.and_eq_true_iff.mpr ⟨Nat.beq_eq_true_iff.mpr rfl, ih⟩

/-- The text is not the one of the finer model alone. -/
def DeferredRun.changed (num den : Nat) (r : DeferredRun) : Bool :=
  !sameText (r.text num den) (greedyText r.fine ((r.text num den).length - r.prompt.length) r.prompt)

/-- **A calibrated threshold keeps the text**: equally likely runs with exchangeable prompts, scored by the largest coarse margin at
a difference along the finer model's text, −1 where there is none.  With `τ` one unit above the conformal threshold of level `q`
(all tokens verified where there is no threshold), and where no more tokens are written than the scores look at, the text is
another one than the finer model's with probability at most `(N + 1 - k)/(N + 1)` for the rank `k` of the level, whatever is
chosen at every step. -/
theorem deferred_lie_rate {N : Nat} {Ω : List DeferredRun} {num den : Nat}
    (exchangeable : Exchangeable (N + 1) (map DeferredRun.scores Ω)) (valid : ∀ r, r ∈ Ω → r.Valid num den) :
    countP (DeferredRun.changed num den) Ω * (N + 1) ≤ (N + 1 - conformalRank N num den) * Ω.length := by
  refine failures_le_rank (DeferredRun.changed num den) exchangeable (fun r m f => ?_)
  have v := valid r m
  have same : r.text num den = greedyText r.fine ((r.text num den).length - r.prompt.length) r.prompt → False := fun e => by
    have f : (!sameText (r.text num den) (greedyText r.fine ((r.text num den).length - r.prompt.length) r.prompt)) = true := f
    rw [← e, sameText_refl] at f
    exact nomatch f
  cases finite : conformalThreshold (calibration r.scores) num den with
  | none =>
    refine (same ?_).elim
    have all : r.defer num den = fun _ => true := by unfold DeferredRun.defer; rw [finite]
    unfold DeferredRun.text
    rw [all]
    exact verify_all_eq_greedy r.coarse r.fine r.choices r.prompt
  | some t =>
    refine (lies_iff_threshold_lt finite _).mpr (Int.lt_of_not_le (fun g => same ?_))
    have some' : r.defer num den = fun m => decide (m < t + 1) := by unfold DeferredRun.defer; rw [finite]
    have short := v.short
    unfold DeferredRun.text at short ⊢
    rw [some'] at short ⊢
    refine margin_eq_greedy (n := r.most) (fun k hk ne => ?_) r.choices short
    have s := diffScore_spec k hk ne
    rw [← v.score] at s
    exact Int.lt_of_le_of_lt (Int.le_trans s g) (by lin [Int.le_refl t])

/-- The same as a level: at most `1 - q`. -/
theorem deferred_lie_level {N : Nat} {Ω : List DeferredRun} {num den : Nat}
    (exchangeable : Exchangeable (N + 1) (map DeferredRun.scores Ω)) (valid : ∀ r, r ∈ Ω → r.Valid num den) (hden : 0 < den) :
    countP (DeferredRun.changed num den) Ω * den ≤ (den - num) * Ω.length :=
  level_of_rank hden (deferred_lie_rate exchangeable valid)

/-- A run in which the coarse model writes 0 with the margin of the new score and the finer one writes 1; one token is drafted and
checked. -/
def oneToken (new old : Int) : DeferredRun := ⟨[new, old], fun _ => (0, new), fun _ => 1, [], 1, [⟨1, 1, 0⟩]⟩

/-- Not vacuous: all scores 5, level 1/2: `τ` is 6, the difference of margin 5 is deferred, and the text is the finer model's. -/
theorem deferred_lie_instance :
    Exchangeable 2 (map DeferredRun.scores [oneToken 5 5, oneToken 5 5]) ∧ (∀ r, r ∈ [oneToken 5 5, oneToken 5 5] → r.Valid 1 2) ∧
      (oneToken 5 5).defer 1 2 5 = true ∧ (oneToken 5 5).defer 1 2 6 = false ∧ (oneToken 5 5).text 1 2 = [1] ∧
      (oneToken 5 5).changed 1 2 = false := by
  refine ⟨exchangeable_perms [5, 5], fun r m => ?_, rfl, rfl, rfl, rfl⟩
  cases m with
  | head => exact ⟨rfl, Nat.le_refl 1⟩
  | tail _ m => cases m with
    | head => exact ⟨rfl, Nat.le_refl 1⟩
    | tail _ m => exact nomatch m

/-- Attained: the scores 0 and 10 take turns as the new one, level 1/2.  Where the new one is 10, `τ` is 1, and the text changes. -/
theorem deferred_lie_sharp :
    Exchangeable 2 (map DeferredRun.scores [oneToken 0 10, oneToken 10 0]) ∧
      (∀ r, r ∈ [oneToken 0 10, oneToken 10 0] → r.Valid 1 2) ∧
      countP (DeferredRun.changed 1 2) [oneToken 0 10, oneToken 10 0] * (1 + 1)
        = (1 + 1 - conformalRank 1 1 2) * [oneToken 0 10, oneToken 10 0].length := by
  refine ⟨exchangeable_perms [0, 10], fun r m => ?_, rfl⟩
  cases m with
  | head => exact ⟨rfl, Nat.le_refl 1⟩
  | tail _ m => cases m with
    | head => exact ⟨rfl, Nat.le_refl 1⟩
    | tail _ m => exact nomatch m
end Gnosis

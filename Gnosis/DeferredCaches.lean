prelude
import Gnosis.Deferred
/-! # Deferred refinement: what the models have read

Each model keeps a cache of the tokens that it has read.  A pass feeds the tokens behind the cache, and gives an answer after each
token that was fed: a place is answered only if the token before it was fed.  So the cache must be a beginning of the present text, and
the finer model's must be *shorter than what is settled*, or the first place that may be asked about has no answer.

`cachedStep` is a step of the algorithm as it is run: the answers come from a pass behind the cache and are taken by their place, the
first flip is found by `flipAt`, and what is taken back is cut from both caches.  Places count from the start of the prompt.

* `visit_answers`: each place of a window has its answer, the one of a model that reads the text before the place.
* `cache_reads_text`: run after run, the progress is that of `refineRun`, both caches are beginnings of the present text and shorter than
  it, and the finer model's is shorter than what is settled. -/
open List
namespace Gnosis

/-! ## Texts in the order of reading -/

/-- The text `h`, listed latest token first, with more tokens read behind it. -/
def readOn : List Nat → List Nat → List Nat
  | h, [] => h
  | h, t :: new => readOn (t :: h) new

/-- A text that lists its latest token first, in the order of reading; and the other way round. -/
def inOrder (h : List Nat) : List Nat := readOn [] h

/-- All entries but the last. -/
def butLast : List Nat → List Nat
  | [] => []
  | [_] => []
  | a :: b :: l => a :: butLast (b :: l)

/-! ## A pass -/

/-- The answers of a pass over new tokens behind a text that has been read: the model's token after each token that is fed. -/
def passSays (fine : List Nat → Nat) : List Nat → List Nat → List Nat
  | _, [] => []
  | h, t :: new => fine (t :: h) :: passSays fine (t :: h) new

/-- The finer model's answers about the places of a window behind the settled text `h`: it is fed what stands behind its cache, the window
but for its last token, and its first answer, about the place behind the first token that is fed, is `read.length + 1`'s. -/
def answersFrom (fine : List Nat → Nat) (read h : List Nat) (window : List (Nat × Int)) : List Nat :=
  dropFirst (h.length - (read.length + 1))
    (passSays fine (inOrder read) (dropFirst read.length (inOrder h ++ butLast (map (fun x => x.1) window))))

/-- A cache after a pass over a text: the tokens from its length on are read. -/
def catchUp (read text : List Nat) : List Nat := read ++ dropFirst read.length text

/-! ## The run -/

/-- What has been written, and what each model has read, its first token first. -/
structure CachedRun where
  progress : Progress
  coarse : List Nat
  fine : List Nat

/-- The present text, its first token first. -/
def CachedRun.text (s : CachedRun) : List Nat := inOrder s.progress.settled ++ map (fun x => x.1) s.progress.pending

/-- After a check: where nothing is pending the finer model may write, having read all but its last token. -/
def goOn (fine : List Nat → Nat) (written : Nat) (h : List Nat) (rest : List (Nat × Int)) (coarseRead fineRead : List Nat) : CachedRun :=
  match rest with
  | [] => ⟨⟨greedyText fine written h, []⟩, coarseRead,
      bif Nat.beq written 0 then fineRead else catchUp fineRead (butLast (inOrder (greedyText fine written h)))⟩
  | x :: rest => ⟨⟨h, x :: rest⟩, coarseRead, fineRead⟩

/-- What follows from a visit: `place` is the first of the window at which the finer model says another token, or the window's length. -/
def settleAt (fine : List Nat → Nat) (s : CachedRun) (written : Nat) (window rest : List (Nat × Int)) (coarseRead : List Nat)
    (place : Nat) : CachedRun :=
  bif Nat.beq place window.length then
    goOn fine written (withDraft s.progress.settled window) rest coarseRead
      (catchUp s.fine (inOrder s.progress.settled ++ butLast (map (fun x => x.1) window)))
  else
    goOn fine written (positionAt (answersFrom fine s.fine s.progress.settled window) place
        :: withDraft s.progress.settled (takeFirst place window)) []
      (takeFirst (s.progress.settled.length + place) coarseRead)
      (takeFirst (s.progress.settled.length + place) (catchUp s.fine (inOrder s.progress.settled ++ butLast (map (fun x => x.1) window))))

/-- Is a place of the window asked about? -/
def anyAsked (defer : Int → Bool) : List (Nat × Int) → Bool
  | [] => false
  | x :: window => defer x.2 || anyAsked defer window

/-- A check of a window: without a place that is asked about the finer model is not visited. -/
def checkCached (defer : Int → Bool) (fine : List Nat → Nat) (s : CachedRun) (written : Nat) (window rest : List (Nat × Int))
    (coarseRead : List Nat) : CachedRun :=
  bif anyAsked defer window then
    settleAt fine s written window rest coarseRead
      (flipAt (map (fun x => defer x.2) window) (map (fun x => x.1) window) (answersFrom fine s.fine s.progress.settled window))
  else goOn fine written (withDraft s.progress.settled window) rest coarseRead s.fine

/-- All that is pending after the coarse model has gone on. -/
def allPending (coarse : List Nat → Nat × Int) (s : Progress) (drafted : Nat) : List (Nat × Int) :=
  s.pending ++ draftFrom coarse drafted (withDraft s.settled s.pending)

/-- One step with caches: the coarse model drafts, having read all but its last token; the check; what is taken back is cut. -/
def cachedStep (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) (s : CachedRun) (c : Choice) : CachedRun :=
  checkCached defer fine s c.written (takeFirst c.checked (allPending coarse s.progress c.drafted))
    (dropFirst c.checked (allPending coarse s.progress c.drafted))
    (bif Nat.beq c.drafted 0 then s.coarse
      else catchUp s.coarse (butLast (inOrder s.progress.settled ++ map (fun x => x.1) (allPending coarse s.progress c.drafted))))

/-- Step after step. -/
def cachedRun (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) : List Choice → CachedRun → CachedRun
  | [], s => s
  | c :: cs, s => cachedRun defer coarse fine cs (cachedStep defer coarse fine s c)

/-! ## Lists -/

private theorem append_assoc (a b c : List Nat) : a ++ b ++ c = a ++ (b ++ c) := by
  induction a with
  | nil => rfl
  | cons x a ih => exact congrArg (x :: ·) ih
/-- Reading in two parts. -/
theorem readOn_append (h a b : List Nat) : readOn h (a ++ b) = readOn (readOn h a) b := by
  induction a generalizing h with
  | nil => rfl
  | cons t a ih => exact ih (t :: h)
/-- What has been read stays behind. -/
theorem readOn_eq (h l : List Nat) : readOn h l = inOrder l ++ h := by
  induction l generalizing h with
  | nil => rfl
  | cons t l ih =>
    show readOn (t :: h) l = readOn [t] l ++ h
    rw [ih (t :: h), ih [t], append_assoc]; rfl
/-- The latest token is read last. -/
theorem inOrder_cons (t : Nat) (h : List Nat) : inOrder (t :: h) = inOrder h ++ [t] := readOn_eq [t] h
/-- Twice the other way round. -/
theorem inOrder_inOrder (h : List Nat) : inOrder (inOrder h) = h := by
  induction h with
  | nil => rfl
  | cons t h ih => rw [inOrder_cons]; unfold inOrder at ih ⊢; rw [readOn_append, ih]; rfl
/-- As many tokens. -/
theorem length_inOrder (h : List Nat) : (inOrder h).length = h.length := by
  induction h with
  | nil => rfl
  | cons t h ih => rw [inOrder_cons, length_append, ih]; rfl
/-- The drafted tokens stand behind the text. -/
theorem inOrder_withDraft (h : List Nat) (window : List (Nat × Int)) :
    inOrder (withDraft h window) = inOrder h ++ map (fun x => x.1) window := by
  induction window generalizing h with
  | nil => exact (append_nil _).symm
  | cons x window ih => show inOrder (withDraft (x.1 :: h) window) = _; rw [ih, inOrder_cons, append_assoc]; rfl
/-- The finer model's tokens stand behind the text. -/
theorem inOrder_greedyText (fine : List Nat → Nat) (n : Nat) (h : List Nat) :
    ∃ more, inOrder (greedyText fine n h) = inOrder h ++ more := by
  induction n generalizing h with
  | zero => exact ⟨[], (append_nil _).symm⟩
  | succ n ih =>
    obtain ⟨more, e⟩ := ih (fine h :: h)
    exact ⟨fine h :: more, by show inOrder (greedyText fine n (fine h :: h)) = _; rw [e, inOrder_cons, append_assoc]; rfl⟩
/-- Behind the first part. -/
theorem dropFirst_append (a b : List Nat) : dropFirst a.length (a ++ b) = b := by
  induction a with
  | nil => rfl
  | cons x a ih => exact ih
/-- A beginning, cut. -/
theorem takeFirst_append (k : Nat) (a b : List Nat) : ∃ later, takeFirst k (a ++ b) = takeFirst k a ++ later := by
  induction k generalizing a with
  | zero => exact ⟨[], rfl⟩
  | succ k ih => cases a with
    | nil => exact ⟨takeFirst (k + 1) b, rfl⟩
    | cons x a => obtain ⟨later, e⟩ := ih a; exact ⟨later, congrArg (x :: ·) e⟩
/-- A cut behind the first part. -/
theorem takeFirst_length_add (a b : List Nat) (k : Nat) : takeFirst (a.length + k) (a ++ b) = a ++ takeFirst k b := by
  induction a with
  | nil => show takeFirst (0 + k) b = _; rw [Nat.zero_add]; rfl
  | cons x a ih =>
    show takeFirst (a.length + 1 + k) (x :: (a ++ b)) = _
    rw [Nat.add_right_comm]; exact congrArg (x :: ·) ih
/-- All but the last, and the last. -/
theorem butLast_append (a : List Nat) (b : Nat) (l : List Nat) : butLast (a ++ b :: l) = a ++ butLast (b :: l) := by
  induction a with
  | nil => rfl
  | cons x a ih => cases a with
    | nil => rfl
    | cons y a => exact congrArg (x :: ·) ih
/-- A list that is not empty. -/
theorem butLast_spec (a : Nat) (l : List Nat) : ∃ t, a :: l = butLast (a :: l) ++ [t] := by
  induction l generalizing a with
  | nil => exact ⟨a, rfl⟩
  | cons b l ih => obtain ⟨t, e⟩ := ih b; exact ⟨t, congrArg (a :: ·) e⟩

/-- A cache that is a beginning of the text and shorter than it. -/
def Begins (read text : List Nat) : Prop := ∃ t later, text = read ++ t :: later

/-- Also of a longer text. -/
theorem Begins.append {read text : List Nat} (b : Begins read text) (more : List Nat) : Begins read (text ++ more) := by
  obtain ⟨t, later, e⟩ := b
  exact ⟨t, later ++ more, by rw [e, append_assoc]; rfl⟩
/-- It is shorter. -/
theorem Begins.length {read text : List Nat} (b : Begins read text) : read.length < text.length := by
  obtain ⟨t, later, e⟩ := b
  rw [e, length_append]
  show read.length + 1 ≤ read.length + (later.length + 1)
  exact Nat.add_le_add_left (Nat.le_add_left _ _) _
/-- A pass over all but the last token. -/
theorem Begins.catchUp {read text : List Nat} (b : Begins read text) : catchUp read (butLast text) = butLast text ∧ Begins (butLast text) text := by
  obtain ⟨t, later, e⟩ := b
  obtain ⟨last, s⟩ := butLast_spec t later
  rw [e, butLast_append]
  refine ⟨by unfold Gnosis.catchUp; rw [dropFirst_append], last, [], ?_⟩
  rw [append_assoc, ← s]

/-! ## The answers -/

/-- **Each place of a window is answered**: with a cache that is a beginning of the settled text *and shorter than it*, the answers are those
of a finer model that reads the text before each place. -/
theorem visit_answers (fine : List Nat → Nat) {read h : List Nat} (window : List (Nat × Int)) (reads : ∃ later, inOrder h = read ++ later)
    (short : read.length < h.length) : window ≠ [] → answersFrom fine read h window = fineSays fine h window := by
  intro some'
  obtain ⟨later, e⟩ := reads
  have len : h.length = read.length + later.length := by rw [← length_inOrder, e, length_append]
  cases later with
  | nil => rw [len] at short; exact absurd short (Nat.lt_irrefl _)
  | cons t later =>
    have drop : h.length - (read.length + 1) = later.length := by
      rw [len]
      show read.length + (later.length + 1) - (read.length + 1) = later.length
      rw [Nat.add_comm later.length 1, ← Nat.add_assoc, Nat.add_sub_cancel_left]
    have whole : readOn (inOrder read) (t :: later) = h := by
      have w := readOn_append [] read (t :: later)
      rw [← e] at w
      exact w.symm.trans (inOrder_inOrder h)
    unfold answersFrom
    rw [drop, e, append_assoc, dropFirst_append]
    show dropFirst later.length (passSays fine (inOrder read) (t :: (later ++ butLast (map (fun x => x.1) window)))) = _
    rw [behind, whole]
    cases window with
    | nil => exact absurd rfl some'
    | cons x rest => exact places h x rest
where
  behind {fine : List Nat → Nat} {later B : List Nat} {r : List Nat} {t : Nat} : dropFirst later.length (passSays fine r (t :: (later ++ B)))
      = fine (readOn r (t :: later)) :: passSays fine (readOn r (t :: later)) B := by
    induction later generalizing r t with
    | nil => rfl
    | cons u later ih => exact ih
  places {fine : List Nat → Nat} (h : List Nat) (x : Nat × Int) (rest : List (Nat × Int)) :
      fine h :: passSays fine h (butLast (map (fun x => x.1) (x :: rest))) = fineSays fine h (x :: rest) := by
    induction rest generalizing h x with
    | nil => rfl
    | cons y rest ih => exact congrArg (fine h :: ·) (ih (x.1 :: h) y)

/-! ## Along the run -/

/-- What a run keeps: the coarse model has read a part of the text, the finer one a part of what is settled. -/
structure CachedRun.Sound (s : CachedRun) : Prop where
  coarse : Begins s.coarse s.text
  fine : Begins s.fine (inOrder s.progress.settled)

/-- The progress after a check. -/
def resume (fine : List Nat → Nat) (written : Nat) (h : List Nat) : List (Nat × Int) → Progress
  | [] => ⟨greedyText fine written h, []⟩
  | x :: rest => ⟨h, x :: rest⟩

/-- What follows a check keeps it. -/
theorem goOn_sound (fine : List Nat → Nat) (written : Nat) {h : List Nat} {rest : List (Nat × Int)} {coarseRead fineRead : List Nat}
    (hc : Begins coarseRead (inOrder h ++ map (fun x => x.1) rest)) (hf : Begins fineRead (inOrder h)) :
    (goOn fine written h rest coarseRead fineRead).Sound ∧ (goOn fine written h rest coarseRead fineRead).progress = resume fine written h rest := by
  cases rest with
  | cons x rest => exact ⟨⟨hc, hf⟩, rfl⟩
  | nil =>
    obtain ⟨more, e⟩ := inOrder_greedyText fine written h
    have hc : Begins coarseRead (inOrder h ++ []) := hc
    rw [append_nil] at hc
    have long : Begins fineRead (inOrder (greedyText fine written h)) := by rw [e]; exact hf.append more
    refine ⟨⟨?_, ?_⟩, rfl⟩
    · show Begins coarseRead (inOrder (greedyText fine written h) ++ [])
      rw [append_nil, e]; exact hc.append more
    · show Begins (bif Nat.beq written 0 then fineRead else catchUp fineRead (butLast (inOrder (greedyText fine written h))))
        (inOrder (greedyText fine written h))
      cases Nat.beq written 0 with
      | true => exact long
      | false => obtain ⟨c, b⟩ := long.catchUp; rw [cond, c]; exact b

/-- A check of which no place is asked about takes the window in. -/
theorem check_unasked {defer : Int → Bool} (fine : List Nat → Nat) {window : List (Nat × Int)} (none : anyAsked defer window = false)
    (h : List Nat) : checkWindow defer fine h window = (withDraft h window, false) := by
  induction window generalizing h with
  | nil => rfl
  | cons x window ih =>
    have none : (defer x.2 || anyAsked defer window) = false := none
    cases d : defer x.2 with
    | true => rw [d] at none; exact nomatch none
    | false =>
      rw [d] at none
      rw [checkWindow, d]
      exact ih none (x.1 :: h)

/-- The first flip lies in the window, or at its end. -/
theorem flipAt_le (asked : List Bool) (tokens says : List Nat) : flipAt asked tokens says ≤ tokens.length := by
  induction asked generalizing tokens says with
  | nil => exact Nat.zero_le _
  | cons a asked ih => cases tokens with
    | nil => exact Nat.zero_le _
    | cons t tokens => cases says with
      | nil => exact Nat.zero_le _
      | cons s says =>
        show (bif a && !Nat.beq s t then 0 else flipAt asked tokens says + 1) ≤ _
        cases a && !Nat.beq s t with
        | true => exact Nat.zero_le _
        | false => exact Nat.succ_le_succ (ih tokens says)

/-- **A check from the caches is the check**, and keeps what a run keeps. -/
theorem checkCached_spec (defer : Int → Bool) (fine : List Nat → Nat) (s : CachedRun) (written : Nat) {window rest : List (Nat × Int)}
    {coarseRead : List Nat} (hc : Begins coarseRead (inOrder s.progress.settled ++ map (fun x => x.1) window ++ map (fun x => x.1) rest))
    (hf : Begins s.fine (inOrder s.progress.settled)) :
    (checkCached defer fine s written window rest coarseRead).Sound ∧
      (checkCached defer fine s written window rest coarseRead).progress
        = match checkWindow defer fine s.progress.settled window with
          | (h, true) => ⟨greedyText fine written h, []⟩
          | (h, false) => resume fine written h rest := by
  unfold checkCached
  cases asked : anyAsked defer window with
  | false =>
    rw [check_unasked fine asked]
    refine goOn_sound fine written ?_ ?_
    · rw [inOrder_withDraft]; exact hc
    · rw [inOrder_withDraft]; exact hf.append _
  | true =>
    have some' : window ≠ [] := fun e => by rw [e] at asked; exact nomatch asked
    obtain ⟨t, later, e⟩ := hf
    have says : answersFrom fine s.fine s.progress.settled window = fineSays fine s.progress.settled window :=
      visit_answers fine window ⟨_, e⟩ (by
        have l := Begins.length ⟨t, later, e⟩
        rw [length_inOrder] at l; exact l) some'
    have read : catchUp s.fine (inOrder s.progress.settled ++ butLast (map (fun x => x.1) window))
        = inOrder s.progress.settled ++ butLast (map (fun x => x.1) window) := by
      unfold catchUp
      rw [e, append_assoc, dropFirst_append]
    obtain ⟨whole, stop⟩ := check_eq_flip defer fine window s.progress.settled
    have le := flipAt_le (map (fun x => defer x.2) window) (map (fun x => x.1) window) (fineSays fine s.progress.settled window)
    rw [length_map] at le
    show (settleAt fine s written window rest coarseRead _).Sound ∧ (settleAt fine s written window rest coarseRead _).progress = _
    unfold settleAt
    rw [says, read]
    generalize flipAt (map (fun x => defer x.2) window) (map (fun x => x.1) window) (fineSays fine s.progress.settled window) = i at *
    cases b : Nat.beq i window.length with
    | true =>
      rw [whole (Nat.beq_eq_true_iff.mp b)]
      refine goOn_sound fine written (by rw [inOrder_withDraft]; exact hc) ?_
      rw [inOrder_withDraft]
      cases window with
      | nil => exact absurd rfl some'
      | cons x window =>
        obtain ⟨last, l⟩ := butLast_spec x.1 (map (fun x => x.1) window)
        refine ⟨last, [], ?_⟩
        rw [append_assoc]
        exact congrArg (inOrder s.progress.settled ++ ·) l
    | false =>
      have lt : i < window.length := by
        rcases Nat.lt_or_ge i window.length with g | g
        · exact g
        · rw [Nat.beq_eq_true_iff.mpr (Nat.le_antisymm le g)] at b; exact nomatch b
      rw [stop lt]
      have text : ∀ tok, inOrder (tok :: withDraft s.progress.settled (takeFirst i window))
          = inOrder s.progress.settled ++ takeFirst i (map (fun x => x.1) window) ++ [tok] := fun tok => by
        rw [inOrder_cons, inOrder_withDraft, map_takeFirst]
      have cut : ∀ B, takeFirst (s.progress.settled.length + i) (inOrder s.progress.settled ++ B) = inOrder s.progress.settled ++ takeFirst i B := fun B => by
        rw [← length_inOrder]; exact takeFirst_length_add _ _ _
      refine goOn_sound fine written (rest := []) ?_ ?_
      · show Begins _ (inOrder (_ :: withDraft s.progress.settled (takeFirst i window)) ++ [])
        rw [append_nil, text]
        obtain ⟨u, l, c⟩ := hc
        obtain ⟨l', k⟩ := takeFirst_append (s.progress.settled.length + i) coarseRead (u :: l)
        rw [← c, append_assoc, cut, takeFirst_short _ _ (by rw [length_map]; exact Nat.le_trans (Nat.le_succ _) lt)] at k
        rw [k, append_assoc]
        cases l' with
        | nil => exact ⟨_, [], rfl⟩
        | cons a l' => exact ⟨a, l' ++ [positionAt (fineSays fine s.progress.settled window) i], rfl⟩
      · rw [text, cut, takeFirst_butLast _ (by rw [length_map]; exact lt)]
        exact ⟨_, [], rfl⟩
where
  map_takeFirst (i : Nat) (l : List (Nat × Int)) : map (fun x => x.1) (takeFirst i l) = takeFirst i (map (fun x => x.1) l) := by
    induction i generalizing l with
    | zero => rfl
    | succ i ih => cases l with
      | nil => rfl
      | cons x l => exact congrArg (x.1 :: ·) (ih l)
  takeFirst_short {i : Nat} (a b : List Nat) (h : i ≤ a.length) : takeFirst i (a ++ b) = takeFirst i a := by
    induction i generalizing a with
    | zero => rfl
    | succ i ih => cases a with
      | nil => exact absurd h (Nat.not_succ_le_zero i)
      | cons x a => exact congrArg (x :: ·) (ih a (Nat.le_of_succ_le_succ h))
  takeFirst_butLast {i : Nat} (a : List Nat) (h : i < a.length) : takeFirst i (butLast a) = takeFirst i a := by
    induction i generalizing a with
    | zero => rfl
    | succ i ih => cases a with
      | nil => exact absurd h (Nat.not_succ_le_zero _)
      | cons x a => cases a with
        | nil => exact absurd (Nat.le_of_succ_le_succ h) (Nat.not_succ_le_zero _)
        | cons y a => exact congrArg (x :: ·) (ih (y :: a) (Nat.le_of_succ_le_succ h))

/-- A step from the caches is a step, and keeps what a run keeps. -/
theorem cachedStep_spec (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) {s : CachedRun} (h : s.Sound) (c : Choice) :
    (cachedStep defer coarse fine s c).Sound ∧ (cachedStep defer coarse fine s c).progress = refineStep defer coarse fine s.progress c := by
  have all : inOrder s.progress.settled ++ map (fun x => x.1) (takeFirst c.checked (allPending coarse s.progress c.drafted))
      ++ map (fun x => x.1) (dropFirst c.checked (allPending coarse s.progress c.drafted))
      = inOrder s.progress.settled ++ map (fun x => x.1) (allPending coarse s.progress c.drafted) := by
    rw [append_assoc]
    exact congrArg (inOrder s.progress.settled ++ ·) (parts c.checked _)
  have long : Begins s.coarse (inOrder s.progress.settled ++ map (fun x => x.1) (allPending coarse s.progress c.drafted)) := by
    unfold allPending
    rw [map_append, ← append_assoc]; exact h.coarse.append _
  have read : Begins (bif Nat.beq c.drafted 0 then s.coarse
      else catchUp s.coarse (butLast (inOrder s.progress.settled ++ map (fun x => x.1) (allPending coarse s.progress c.drafted))))
      (inOrder s.progress.settled ++ map (fun x => x.1) (allPending coarse s.progress c.drafted)) := by
    cases Nat.beq c.drafted 0 with
    | true => exact long
    | false => obtain ⟨c, b⟩ := long.catchUp; rw [cond, c]; exact b
  rw [← all] at read
  obtain ⟨sound, progress⟩ := checkCached_spec defer fine s c.written read h.fine
  refine ⟨?_, ?_⟩
  · unfold cachedStep; rw [← all]; exact sound
  · unfold cachedStep refineStep
    rw [← all]
    refine progress.trans ?_
    show (match checkWindow defer fine s.progress.settled (takeFirst c.checked (allPending coarse s.progress c.drafted)) with
      | (h, true) => _ | (h, false) => _) = (match checkWindow defer fine s.progress.settled (takeFirst c.checked (allPending coarse s.progress c.drafted)) with
      | (h, true) => _ | (h, false) => match dropFirst c.checked (allPending coarse s.progress c.drafted) with | [] => _ | x :: rest => _)
    generalize checkWindow defer fine s.progress.settled _ = r
    obtain ⟨h, b⟩ := r
    cases b with
    | true => rfl
    | false => cases dropFirst c.checked (allPending coarse s.progress c.drafted) with
      | nil => rfl
      | cons x rest => rfl
where
  parts (n : Nat) (l : List (Nat × Int)) : map (fun x => x.1) (takeFirst n l) ++ map (fun x => x.1) (dropFirst n l) = map (fun x => x.1) l := by
    induction n generalizing l with
    | zero => rfl
    | succ n ih => cases l with
      | nil => rfl
      | cons x l => exact congrArg (x.1 :: ·) (ih l)

/-- **What the models have read, along the run**: the run whose answers come from passes behind the caches makes the progress of
`refineRun`, whatever is chosen at every step.  Both caches are beginnings of the present text and shorter than it, so that a pass feeds
at least one token; the finer model's is a beginning of what is settled and shorter than it, so that each place behind has its answer
(`visit_answers`). -/
theorem cache_reads_text (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) (choices : List Choice)
    {prompt : List Nat} (some' : prompt ≠ []) :
    (cachedRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).progress = refineRun defer coarse fine choices ⟨prompt, []⟩ ∧
    Begins (cachedRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).coarse (cachedRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).text ∧
    Begins (cachedRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).fine
      (inOrder (cachedRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).progress.settled) ∧
    (cachedRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).fine.length
      < (cachedRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).progress.settled.length := by
  have run : ∀ cs s, s.Sound → (cachedRun defer coarse fine cs s).Sound ∧
      (cachedRun defer coarse fine cs s).progress = refineRun defer coarse fine cs s.progress := by
    intro cs
    induction cs with
    | nil => exact fun s h => ⟨h, rfl⟩
    | cons c cs ih =>
      intro s h
      obtain ⟨h', e⟩ := cachedStep_spec defer coarse fine h c
      obtain ⟨h'', e'⟩ := ih _ h'
      exact ⟨h'', by show (cachedRun defer coarse fine cs _).progress = _; rw [e', e]; rfl⟩
  have start : Begins [] (inOrder prompt) := by
    have l := length_inOrder prompt
    cases e : inOrder prompt with
    | cons t later => exact ⟨t, later, rfl⟩
    | nil =>
      rw [e] at l
      cases prompt with
      | nil => exact absurd rfl some'
      | cons t p => exact nomatch l
  obtain ⟨h, e⟩ := run choices ⟨⟨prompt, []⟩, [], []⟩ ⟨start.append [], start⟩
  refine ⟨e, h.coarse, h.fine, ?_⟩
  have l := h.fine.length
  rw [length_inOrder] at l; exact l

/-- Not vacuous: the run of `deferred_instance`, after its first step: the draft 0, 0 was flipped at its first place, both caches hold the one token
before the flip, and of the text 0, 1 two are settled. -/
theorem cache_instance :
    (cachedRun (fun m => decide (m < 2)) alwaysZero alternating [⟨2, 2, 0⟩] ⟨⟨[0], []⟩, [], []⟩).progress.settled = [1, 0] ∧
    (cachedRun (fun m => decide (m < 2)) alwaysZero alternating [⟨2, 2, 0⟩] ⟨⟨[0], []⟩, [], []⟩).fine = [0] ∧
    (cachedRun (fun m => decide (m < 2)) alwaysZero alternating [⟨2, 2, 0⟩] ⟨⟨[0], []⟩, [], []⟩).coarse = [0] ∧
    (cachedRun (fun m => decide (m < 2)) alwaysZero alternating [⟨2, 2, 0⟩, ⟨2, 2, 0⟩, ⟨2, 2, 0⟩] ⟨⟨[0], []⟩, [], []⟩).progress.settled
      = [1, 0, 1, 0, 1, 0] := ⟨rfl, rfl, rfl, rfl⟩
end Gnosis

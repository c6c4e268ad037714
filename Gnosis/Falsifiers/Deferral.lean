prelude
import Gnosis.DeferredCaches
import Gnosis.RequestRiskPool
import Gnosis.ScaleServing
import Gnosis.SpeculativeWindows
import Gnosis.TotalVariationTriangle
/-! # Deferral and scaling: one thing replaced

Each theorem denies a headline theorem in which one hypothesis, constant or definition is replaced; the sentence names it. -/
namespace Gnosis.Falsifiers
open List

/-! ## Deferred refinement -/

/-- A finer model that always writes 1. -/
def alwaysOne (_ : List Nat) : Nat := 1
/-- A coarse model that always writes 0, with margin 5. -/
def sureZero (_ : List Nat) : Nat × Int := (0, 5)

/-- The last token of a text, which is listed first. -/
def lastToken : List Nat → Nat
  | [] => 0
  | t :: _ => t

/-- **A place that nobody asked about does not stop the check**: all places asked about in the place of the deferred ones. -/
theorem unasked_place_stops : ¬ ∀ (defer : Int → Bool) (fine : List Nat → Nat) (window : List (Nat × Int)) (h : List Nat),
    (flipAt (map (fun _ => true) window) (map (fun x => x.1) window) (fineSays fine h window) = window.length →
      checkWindow defer fine h window = (withDraft h window, false)) ∧
    (flipAt (map (fun _ => true) window) (map (fun x => x.1) window) (fineSays fine h window) < window.length →
      checkWindow defer fine h window =
        (positionAt (fineSays fine h window)
            (flipAt (map (fun _ => true) window) (map (fun x => x.1) window) (fineSays fine h window)) ::
          withDraft h (takeFirst (flipAt (map (fun _ => true) window) (map (fun x => x.1) window) (fineSays fine h window)) window),
        true)) :=
  fun wrong => nomatch (show (0 : Nat) = 1 from congrArg (fun r : List Nat × Bool => lastToken r.1)
    ((wrong (fun m => decide (m < 1)) alwaysOne [(0, 5)] []).2 (Nat.le_refl 1)))

/-- **A difference at `τ` itself, in a table**: margins of at most `τ` in the place of margins below `τ`. -/
theorem table_difference_at_tau : ¬ ∀ {τ : Int} {coarse : List (Nat × Nat)} {fine : List Nat} {n : Nat} {prompt : List Nat},
    (∀ k, k < n → (tableDraft coarse (greedyText (tableToken fine) k prompt)).1 ≠ tableToken fine (greedyText (tableToken fine) k prompt) →
      (tableDraft coarse (greedyText (tableToken fine) k prompt)).2 ≤ τ) → ∀ steps : List (Nat × Nat × Nat),
    (refineText τ coarse fine steps prompt).length ≤ n + prompt.length →
    refineText τ coarse fine steps prompt
      = greedyText (tableToken fine) ((refineText τ coarse fine steps prompt).length - prompt.length) prompt :=
  fun wrong => nomatch (show (0 : Nat) = 1 from congrArg lastToken
    (wrong (τ := 5) (coarse := [(0, 5)]) (fine := [1]) (n := 1) (prompt := []) (fun k hk _ => match k, hk with | 0, _ => Int.le_refl 5)
      [(1, 1, 0)] (Nat.le_refl 1)))

/-- **What is not checked stays**: deferring the margins below 1 in the place of deferring everything. -/
theorem unchecked_tokens_stay : ¬ ∀ (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) (choices : List Choice) (prompt : List Nat),
    (refineRun (fun m => decide (m < 1)) coarse fine choices ⟨prompt, []⟩).settled
      = greedyText fine ((refineRun (fun m => decide (m < 1)) coarse fine choices ⟨prompt, []⟩).settled.length - prompt.length) prompt :=
  fun wrong => nomatch (show (0 : Nat) = 1 from congrArg lastToken (wrong sureZero alwaysOne [⟨1, 1, 0⟩] []))

/-- **Noise that is shared does not make up for what is not checked**: deferring the margins below 1, in the place of deferring
everything. -/
theorem shared_noise_unchecked : ¬ ∀ {Z : Type} (z : Nat → Z) (coarse : Z → List Nat → Nat × Int) (fine : Z → List Nat → Nat)
    (choices : List Choice) (prompt : List Nat),
    (refineRun (fun m => decide (m < 1)) (fun h => coarse (z h.length) h) (fun h => fine (z h.length) h) choices ⟨prompt, []⟩).settled
      = greedyText (fun h => fine (z h.length) h) ((refineRun (fun m => decide (m < 1)) (fun h => coarse (z h.length) h)
          (fun h => fine (z h.length) h) choices ⟨prompt, []⟩).settled.length - prompt.length) prompt :=
  fun wrong => nomatch (show (0 : Nat) = 1 from congrArg lastToken
    (wrong (fun n => n) (fun _ => sureZero) (fun _ => alwaysOne) [⟨1, 1, 0⟩] []))

/-- **A difference at `τ` itself is not deferred**: margins of at most `τ` in the place of margins below `τ`. -/
theorem difference_at_tau : ¬ ∀ {coarse : List Nat → Nat × Int} {fine : List Nat → Nat} {τ : Int} {n : Nat} {prompt : List Nat},
    (∀ k, k < n → (coarse (greedyText fine k prompt)).1 ≠ fine (greedyText fine k prompt) →
      (coarse (greedyText fine k prompt)).2 ≤ τ) → ∀ choices : List Choice,
    (refineRun (fun m => decide (m < τ)) coarse fine choices ⟨prompt, []⟩).settled.length ≤ n + prompt.length →
    (refineRun (fun m => decide (m < τ)) coarse fine choices ⟨prompt, []⟩).settled
      = greedyText fine ((refineRun (fun m => decide (m < τ)) coarse fine choices ⟨prompt, []⟩).settled.length - prompt.length) prompt :=
  fun wrong => nomatch (show (0 : Nat) = 1 from congrArg lastToken
    (wrong (coarse := sureZero) (fine := alwaysOne) (τ := 5) (n := 1) (prompt := []) (fun _ _ _ => Int.le_refl 5) [⟨1, 1, 0⟩]
      (Nat.le_refl 1)))

/-- A run with the scores 5 and 5: one token is drafted and checked. -/
def tiedDeferral : DeferredRun := ⟨[5, 5], sureZero, alwaysOne, [], 1, [⟨1, 1, 0⟩]⟩

/-- Margins below the conformal threshold deferred, in the place of those of at most the threshold. -/
def deferBelow (num den : Nat) (r : DeferredRun) : Int → Bool :=
  match conformalThreshold (calibration r.scores) num den with
  | none => fun _ => true
  | some t => fun m => decide (m < t)
/-- What is settled then. -/
def textBelow (num den : Nat) (r : DeferredRun) : List Nat :=
  (refineRun (deferBelow num den r) r.coarse r.fine r.choices ⟨r.prompt, []⟩).settled

/-- **The threshold itself is too small for `τ`**: `deferBelow` in the place of `DeferredRun.defer`.  All scores are 5, nothing is
deferred, and every text changes. -/
theorem threshold_without_unit : ¬ ∀ {N : Nat} {Ω : List DeferredRun} {num den : Nat},
    Exchangeable (N + 1) (map DeferredRun.scores Ω) →
    (∀ r, r ∈ Ω → newScore r.scores = diffScore r.coarse r.fine r.most r.prompt ∧
      (textBelow num den r).length ≤ r.most + r.prompt.length) →
    countP (fun r => !sameText (textBelow num den r) (greedyText r.fine ((textBelow num den r).length - r.prompt.length) r.prompt)) Ω * (N + 1)
      ≤ (N + 1 - conformalRank N num den) * Ω.length := fun wrong => by
  refine absurd (wrong (N := 1) (Ω := [tiedDeferral, tiedDeferral]) (num := 1) (den := 2) (exchangeable_perms [5, 5]) (fun r m => ?_))
    (by decide)
  cases m with
  | head => exact ⟨rfl, by decide⟩
  | tail _ m => cases m with
    | head => exact ⟨rfl, by decide⟩
    | tail _ m => exact nomatch m

/-- A run of two tokens whose score looks at the first only, where the models agree; the second is drafted wrong, with a margin that is
not deferred. -/
def longerThanScored : DeferredRun :=
  ⟨[-1, -1], fun h => match h with | [] => (1, 9) | _ => (0, 9), alwaysOne, [], 1, [⟨2, 2, 0⟩]⟩

/-- **The text is no longer than what was scored**: without that hypothesis. -/
theorem longer_than_scored : ¬ ∀ {N : Nat} {Ω : List DeferredRun} {num den : Nat},
    Exchangeable (N + 1) (map DeferredRun.scores Ω) →
    (∀ r, r ∈ Ω → newScore r.scores = diffScore r.coarse r.fine r.most r.prompt) →
    countP (DeferredRun.changed num den) Ω * (N + 1) ≤ (N + 1 - conformalRank N num den) * Ω.length := fun wrong => by
  refine absurd (wrong (N := 1) (Ω := [longerThanScored, longerThanScored]) (num := 1) (den := 2) (exchangeable_perms [-1, -1])
    (fun r m => ?_)) (by decide)
  cases m with
  | head => rfl
  | tail _ m => cases m with
    | head => rfl
    | tail _ m => exact nomatch m

/-- **What is settled must lie one token further than the cache**: caches of at most that length, in the place of shorter ones.  A cache that holds
the whole settled text 0 has no answer about the first place behind it; the first answer is about the place after, and it is taken for
that one. -/
theorem cache_of_all_that_is_settled : ¬ ∀ (fine : List Nat → Nat) {read h : List Nat} (window : List (Nat × Int)),
    (∃ later, inOrder h = read ++ later) → read.length ≤ h.length → window ≠ [] → answersFrom fine read h window = fineSays fine h window :=
  fun wrong => nomatch (show (0 : Nat) = 1 from congrArg lastToken
    (wrong alternating (read := [0]) (h := [0]) [(1, 0), (0, 0)] ⟨[], rfl⟩ (Nat.le_refl 1) (fun e => nomatch e)))

/-- A check that settles one token further than it asked about. -/
def settleFurther (fine : List Nat → Nat) (s : CachedRun) (written : Nat) (window rest : List (Nat × Int)) (coarseRead : List Nat)
    (place : Nat) : CachedRun :=
  bif Nat.beq place window.length then
    goOn fine written (withDraft (withDraft s.progress.settled window) (takeFirst 1 rest)) (dropFirst 1 rest) coarseRead
      (catchUp s.fine (inOrder s.progress.settled ++ butLast (map (fun x => x.1) window)))
  else settleAt fine s written window rest coarseRead place
/-- A step with it. -/
def furtherStep (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) (s : CachedRun) (c : Choice) : CachedRun :=
  settleFurther fine s c.written (takeFirst c.checked (allPending coarse s.progress c.drafted))
    (dropFirst c.checked (allPending coarse s.progress c.drafted))
    (catchUp s.coarse (butLast (inOrder s.progress.settled ++ map (fun x => x.1) (allPending coarse s.progress c.drafted))))
    (flipAt (map (fun x => defer x.2) (takeFirst c.checked (allPending coarse s.progress c.drafted)))
      (map (fun x => x.1) (takeFirst c.checked (allPending coarse s.progress c.drafted)))
      (answersFrom fine s.fine s.progress.settled (takeFirst c.checked (allPending coarse s.progress c.drafted))))
/-- Step after step. -/
def furtherRun (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) : List Choice → CachedRun → CachedRun
  | [], s => s
  | c :: cs, s => furtherRun defer coarse fine cs (furtherStep defer coarse fine s c)

/-- **What is settled must have been asked about**: `furtherRun` in the place of `cachedRun`.  Of the draft 0, 0 the first token is checked, and the
second one settled with it. -/
theorem settled_one_further : ¬ ∀ (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) (choices : List Choice)
    {prompt : List Nat}, prompt ≠ [] →
    (furtherRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).progress = refineRun defer coarse fine choices ⟨prompt, []⟩ ∧
    Begins (furtherRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).coarse (furtherRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).text ∧
    Begins (furtherRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).fine
      (inOrder (furtherRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).progress.settled) ∧
    (furtherRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).fine.length
      < (furtherRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).progress.settled.length :=
  fun wrong => nomatch (show (3 : Nat) = 2 from congrArg (fun s : Progress => s.settled.length)
    (wrong (fun _ => true) sureZero (fun _ => 0) [⟨2, 1, 0⟩] (prompt := [0]) (fun e => nomatch e)).1)

/-- A step after a flip that leaves the caches as they are. -/
def staleStep (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) (s : CachedRun) (c : Choice) : CachedRun :=
  ⟨(cachedStep defer coarse fine s c).progress,
    catchUp s.coarse (butLast (inOrder s.progress.settled ++ map (fun x => x.1) (allPending coarse s.progress c.drafted))),
    catchUp s.fine (inOrder s.progress.settled
      ++ butLast (map (fun x => x.1) (takeFirst c.checked (allPending coarse s.progress c.drafted))))⟩
/-- Step after step. -/
def staleRun (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) : List Choice → CachedRun → CachedRun
  | [], s => s
  | c :: cs, s => staleRun defer coarse fine cs (staleStep defer coarse fine s c)

/-- **A cache that is not cut back holds another text**: `staleRun` in the place of `cachedRun`.  The draft 0, 0, 0 is flipped at its first place, and
the finer model has read two tokens of it. -/
theorem stale_cache_reads_another_text : ¬ ∀ (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) (choices : List Choice)
    {prompt : List Nat}, prompt ≠ [] →
    (staleRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).progress = refineRun defer coarse fine choices ⟨prompt, []⟩ ∧
    Begins (staleRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).coarse (staleRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).text ∧
    Begins (staleRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).fine
      (inOrder (staleRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).progress.settled) ∧
    (staleRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).fine.length
      < (staleRun defer coarse fine choices ⟨⟨prompt, []⟩, [], []⟩).progress.settled.length :=
  fun wrong => absurd (wrong (fun _ => true) sureZero alwaysOne [⟨3, 3, 0⟩] (prompt := [0]) (fun e => nomatch e)).2.2.2
    (show ¬ (3 : Nat) < 2 by decide)

/-- Speculative sampling that draws from the finer model after a rejection, and not from the residual. -/
def redrawExpect (V : List Nat) (p q : List Nat → Nat → Nat) (N : List Nat → Nat) (c : List Nat → Nat) :
    Nat → Nat → (List Nat → Frac) → List Nat → Frac
  | 0, _, F, h => F h
  | n + 1, 0, F, h => ⟨1, N h⟩ * weighted (p h) (fun v => redrawExpect V p q N c n (c (v :: h)) F (v :: h)) V
  | n + 1, k + 1, F, h =>
    ⟨1, N h⟩ * weighted (fun v => lesser (p h v) (q h v)) (fun v => redrawExpect V p q N c n k F (v :: h)) V
      + (⟨sumOver (fun v => q h v - p h v) V, N h⟩
          * (⟨1, N h⟩ * weighted (p h) (fun v => redrawExpect V p q N c n (c (v :: h)) F (v :: h)) V))

/-- **After a rejection the finer model itself is too much**: `redrawExpect` in the place of `specExpect`.  Weights 1 and 3 against 2
and 2: the token 0 comes with probability 5/16 and not 1/4. -/
theorem redraw_is_not_exact : ¬ ∀ {V : List Nat} {p q : List Nat → Nat → Nat} {N : List Nat → Nat} (c : List Nat → Nat),
    (∀ h, 0 < N h) → (∀ h, sumOver (p h) V = N h) → (∀ h, sumOver (q h) V = N h) → ∀ {F : List Nat → Frac},
    (∀ h, 0 < (F h).den) → ∀ (n k : Nat) (h : List Nat), (redrawExpect V p q N c n k F h).Same (fineExpect V p N n F h) := fun wrong => by
  refine absurd (wrong (V := [0, 1]) (p := fun _ v => bif Nat.beq v 0 then 1 else 3) (q := fun _ _ => 2) (N := fun _ => 4) (fun _ => 1) (fun _ => by decide)
    (fun _ => rfl) (fun _ => rfl) (F := isText [0]) (fun h => ?_) 1 1 []) (by decide +kernel)
  · unfold isText
    cases sameText [0] h with
    | true => exact Nat.le_refl 1
    | false => exact Nat.le_refl 1

/-- Windows that are drafted, and verified to their end: after a rejection a token is drawn from the residual, and what was drafted behind
the rejected one is verified as if it had been drafted behind the new one. -/
def keepVerify (V : List Nat) (p q : List Nat → Nat → Nat) (N : List Nat → Nat) (c : Lengths) (F : List Nat → Frac) :
    Nat → List Nat → List Nat → List Nat → Frac
  | 0, _, _, h => F h
  | n + 1, past, [], h => ⟨1, N h⟩ * weighted (p h) (fun u => draftExpect V q N (c.ends (2 :: past)) (c.most (2 :: past) (u :: h))
      (fun w => keepVerify V p q N c F n (2 :: past) w (u :: h)) (u :: h)) V
  | n + 1, past, v :: window, h =>
    bif Nat.ble (q h v) (p h v) then keepVerify V p q N c F n (1 :: past) window (v :: h)
    else ⟨p h v, q h v⟩ * keepVerify V p q N c F n (1 :: past) window (v :: h)
      + ⟨q h v - p h v, q h v⟩ * residualDraw V (p h) (q h) (fun u => keepVerify V p q N c F n (0 :: past) window (u :: h))
/-- The mean over the texts that are drawn so. -/
def keepExpect (V : List Nat) (p q : List Nat → Nat → Nat) (N : List Nat → Nat) (c : Lengths) (F : List Nat → Frac) (n : Nat)
    (past h : List Nat) : Frac := draftExpect V q N (c.ends past) (c.most past h) (fun w => keepVerify V p q N c F n past w h) h

/-- The indicator of a text is proper. -/
theorem isText_proper (text h : List Nat) : 0 < (isText text h).den := by
  unfold isText
  cases sameText text h with
  | true => exact Nat.le_refl 1
  | false => exact Nat.le_refl 1
/-- The weights of both examples have one total. -/
theorem leaning_total : ∀ h, sumOver (leaningWeights h) [0, 1] = 4 := speculative_sample.1

/-- **What was drafted behind a rejected token is dropped**: `keepExpect` in the place of `windowExpect`.  Drafted by `leaningWeights` for a
model that draws evenly the text 0, 0 comes with probability 1/6 and not 1/4. -/
theorem kept_tail_is_not_exact : ¬ ∀ {V : List Nat} {p q : List Nat → Nat → Nat} {N : List Nat → Nat} (c : Lengths),
    (∀ h, 0 < N h) → (∀ h, sumOver (p h) V = N h) → (∀ h, sumOver (q h) V = N h) → ∀ {F : List Nat → Frac},
    (∀ h, 0 < (F h).den) → ∀ (n : Nat) (past h : List Nat),
    0 < (keepExpect V p q N c F n past h).den ∧ (keepExpect V p q N c F n past h).Same (fineExpect V p N n F h) := fun wrong =>
  absurd (wrong (V := [0, 1]) (p := fun _ _ => 2) (q := leaningWeights) (N := fun _ => 4) ⟨fun _ _ => 2, fun _ _ => false⟩ (fun _ => by decide)
    (fun _ => rfl) leaning_total (F := isText [0, 0]) (isText_proper [0, 0]) 2 [] []).2 (by decide +kernel)

/-- **A tail that is kept does not sum out**: `keepExpect` in the place of `windowExpect`. -/
theorem kept_tail_does_not_sum_out : ¬ ∀ {V : List Nat} {p q : List Nat → Nat → Nat} {N : List Nat → Nat} (c : Lengths) (l : List Nat → Nat),
    (∀ h, 0 < N h) → (∀ h, sumOver (p h) V = N h) → (∀ h, sumOver (q h) V = N h) → ∀ {F : List Nat → Frac},
    (∀ h, 0 < (F h).den) → ∀ (n k : Nat) (past h : List Nat), (keepExpect V p q N c F n past h).Same (specExpect V p q N l n k F h) := fun wrong =>
  absurd (wrong (V := [0, 1]) (p := fun _ _ => 2) (q := leaningWeights) (N := fun _ => 4) ⟨fun _ _ => 2, fun _ _ => false⟩ (fun _ => 2)
    (fun _ => by decide) (fun _ => rfl) leaning_total (F := isText [0, 0]) (isText_proper [0, 0]) 2 2 [] []) (by decide +kernel)

/-! ## Scaling -/

/-- The least whole root of a number that is not below it. -/
def rootAbove (E : Nat) : Int := (leastFrom (fun r => Nat.ble E (r * r)) 0 E : Nat)

/-- **A root that is computed after scaling does not scale along**: energies 1 and 2, margin 3: the roots 1 and 2 are refused.  With
the activation ten times as large the roots are 1 and 15, the margin is 30, and the gate admits. -/
theorem root_after_scaling : ¬ ∀ {c : Nat}, 0 < c → ∀ (E A : Nat) (γ : Int),
    energyBlockedAdmit [rootAbove E] [rootAbove (c * c * A)] (c * γ) = energyBlockedAdmit [rootAbove E] [rootAbove A] γ :=
  fun wrong => absurd (wrong (c := 10) (by decide) 1 2 3) (by decide +kernel)

/-- **Energies scale with the square in the split gate too**: the energy multiplied by `c`. -/
theorem split_energy_scaled_once : ¬ ∀ {c : Int}, 0 < c → ∀ (E : Int) (a : List Int) (S : List Bool) (γ : Int),
    energySplitAdmit (c * E) a S (c * γ) = energySplitAdmit E a S γ :=
  fun wrong => absurd (wrong (c := 2) (by decide) 3 [1] [false] 3) (by decide)

/-- **Scores without the margin**: the margin of the conformal gate as it was. -/
theorem scores_scaled_alone : ¬ ∀ {c : Int}, 0 < c → ∀ (s : List Int) (num den : Nat) (γ : Int),
    conformalAdmit (smul c s) num den γ = conformalAdmit s num den γ :=
  fun wrong => absurd (wrong (c := 2) (by decide) [1] 1 2 2) (by decide)

/-- **Scores and margin without the logits.** -/
theorem margin_scaled_without_logits : ¬ ∀ {c : Int}, 0 < c → ∀ (s : List Int) (num den : Nat) (γ : Int) (z : List Int) (w : Nat),
    conformalMarginAdmit (smul c s) num den (c * γ) z w = conformalMarginAdmit s num den γ z w :=
  fun wrong => absurd (wrong (c := 2) (by decide) [1] 1 2 2 [0, 2] 1) (by decide)

/-- **Energies multiplied by `c`, not `c²`, in front of the served layer.** -/
theorem calibrated_energies_scaled_once : ¬ ∀ {c : Int}, 0 < c → ∀ (s : List Int) (num den : Nat) (z : List Int) (w : Nat) (A γ : Int),
    conformalJitAdmit (smul c s) num den (smul c z) w A (c * γ) = conformalJitAdmit s num den z w A γ :=
  fun wrong => absurd (wrong (c := 2) (by decide) [3] 1 2 [3, 0] 0 1 3) (by decide)

/-- **The lowest-index form without the logits.** -/
theorem lowest_scaled_without_logits : ¬ ∀ {c : Int}, 0 < c → ∀ (s : List Int) (num den : Nat) (γ : Int) (z : List Int) (w : Nat),
    conformalMarginAdmitLowest (smul c s) num den (c * γ) z w = conformalMarginAdmitLowest s num den γ z w :=
  fun wrong => absurd (wrong (c := 2) (by decide) [1] 1 2 2 [0, 3] 1) (by decide)

/-- **Energies multiplied by `c`, not `c²`, in the gates by the leads.** -/
theorem lead_energies_scaled_once : ¬ ∀ {c : Int}, 0 < c → ∀ (z : List Int) (w : Nat) (E : List Int) (A : Int) (s : List Int) (num den : Nat),
    jitLeadAdmit (smul c z) w (smul c E) A = jitLeadAdmit z w E A ∧
      conformalJitLeadAdmit (smul c s) num den (smul c z) w A = conformalJitLeadAdmit s num den z w A := fun wrong =>
  absurd (wrong (c := 2) (by decide) [0, 2] 1 [1, 1] 1 [] 1 2).1 (by decide)

/-- **Scores without the bound of the gap.** -/
theorem gap_scaled_without_bound : ¬ ∀ {c : Int}, 0 < c → ∀ (z : List Int) (k : Nat) (ε : Int),
    topkGapAdmit (smul c z) k ε = topkGapAdmit z k ε :=
  fun wrong => absurd (wrong (c := 2) (by decide) [2, 0] 1 1) (by decide)

/-- **Coordinates without their scale.** -/
theorem input_scaled_without_unit : ¬ ∀ {c m : Int}, 0 < c → 0 < m → ∀ xs : List Int, cubicDecode m (smul c xs) = cubicDecode m xs :=
  fun wrong => absurd (show (2 : Int) = 1 from congrArg (fun l => entry l 0) (wrong (c := 2) (m := 1) (by decide) (by decide) [1])) (by decide)

/-- **Displacements without the radius.** -/
theorem displacements_scaled_alone : ¬ ∀ {c : Int}, 0 < c → ∀ (δ : List Int) (R : Int), basinAdmit (smul c δ) R = basinAdmit δ R :=
  fun wrong => absurd (wrong (c := 2) (by decide) [1] 2) (by decide)

/-- **Lipschitz factors are no lengths**: factors multiplied too. -/
theorem factors_scaled_too : ¬ ∀ {c : Int}, 0 < c → ∀ (ps qs ds : List Int) (R : Int),
    basinFlowAdmit (smul c ps) qs (smul c ds) (c * R) = basinFlowAdmit ps qs ds R :=
  fun wrong => absurd (wrong (c := 2) (by decide) [1, 1] [1, 1] [1, 1] 3) (by decide)

/-- **Energies multiplied by `c`, not `c²`, in the row-wise gate on sidecars.** -/
theorem row_energies_scaled_once : ¬ ∀ {c : Int}, 0 < c → ∀ (z : List Int) (w : Nat) (ε E : List Int) (A : Int),
    jitRowAdmit (smul c z) w (smul c ε) (smul c E) A = jitRowAdmit z w ε E A :=
  fun wrong => absurd (wrong (c := 2) (by decide) [0, 3] 1 [1, 1] [2, 2] 1) (by decide)

/-- **Energies multiplied by `c`, not `c²`, in the lowest-index form on sidecars.** -/
theorem lowest_energies_scaled_once : ¬ ∀ {c : Int}, 0 < c → ∀ (z : List Int) (w : Nat) (E : List Int) (A γ : Int),
    jitAdmitLowest (smul c z) w (smul c E) A (c * γ) = jitAdmitLowest z w E A γ :=
  fun wrong => absurd (wrong (c := 2) (by decide) [0, 3] 1 [2, 2] 1 2) (by decide)

/-- **Logits without their bounds, and without the scores.** -/
theorem served_scaled_without_bounds : ¬ ∀ {c : Int}, 0 < c → ∀ (coarse exact ε s : List Int) (num den : Nat),
    servedArgmax (smul c coarse) (smul c exact) ε = servedArgmax coarse exact ε ∧
      conformalServed s num den (smul c coarse) (smul c exact) = conformalServed s num den coarse exact :=
  fun wrong => absurd (wrong (c := 3) (by decide) [0, 1] [1, 0] [1, 1] [] 1 2).1 (by decide)

/-- **The grid without the claim.** -/
theorem grid_scaled_without_claim : ¬ ∀ {c d : Nat}, 0 < c → 0 < d → ∀ (N m b nδ dδ : Nat) (steps : List (Nat × Nat)),
    bettingRejects (c * N) m (d * b) nδ dδ (scaledSteps c d steps) = bettingRejects N m b nδ dδ steps :=
  fun wrong => absurd (wrong (c := 2) (d := 1) (by decide) (by decide) 1 1 1 1 2 [(1, 0)]) (by decide)

/-- **One side of the ratio.** -/
theorem ratio_scaled_on_one_side : ¬ ∀ {c d : Nat}, 0 < c → 0 < d → ∀ P Q n e : Nat,
    servedAdmit (c * P) Q (d * n) (d * e) = servedAdmit P Q n e :=
  fun wrong => absurd (wrong (c := 2) (d := 1) (by decide) (by decide) 1 1 0 1) (by decide)

/-- **Accounts do not scale**: grid and mean bound twice as fine cost three units of the finer grid, not four. -/
theorem accounts_do_not_scale : ¬ ∀ {c : Nat}, 0 < c → ∀ N p q u : Nat, leastCharge (c * N) p q (c * u) = c * leastCharge N p q u :=
  fun wrong => absurd (wrong (c := 2) (by decide) 2 3 2 1) (by decide)

/-- **Rounding the mean down is not outward**: a smaller mean bound in the place of a larger one. -/
theorem mean_rounded_down : ¬ ∀ {N p q u v a : Nat}, u ≤ v → pays N p q u a = true → pays N p q v a = true :=
  fun wrong => absurd (wrong (N := 2) (p := 3) (q := 2) (u := 0) (v := 1) (a := 0) (by decide) (by decide)) (by decide)

/-! ## Total variation -/

/-- **One of two changes is not both**: the second distance left out of the triangle inequality. -/
theorem one_leg_of_the_triangle : ¬ ∀ {x y z : List Nat}, x.length = y.length → y.length = z.length →
    tv (pairUp x z) ≤ tv (pairUp x y) :=
  fun wrong => absurd (wrong (x := [2, 0]) (y := [1, 1]) (z := [0, 2]) rfl rfl) (by decide)

/-! ## The request as the unit -/

/-- **The confidence must be paid for**: `total_risk_training_conditional` without the hypothesis on the binomial coefficients.  Of a
harmless and a lossy request one calibrates and the other is served; for `j = 0` and `a = 0` the bound would be `δ = 1/4`, and one
draw of two overruns surely. -/
theorem confidence_for_free : ¬ ∀ {D υ : Type} (units : List υ) (score : υ → Int) (truth : υ → Nat) (bound : List υ → Nat)
    (controller : List υ × υ → ChargeController D) {ds : List D} {N G p q j a d a' e : Nat} {δ : Frac}, 0 < N →
    j + 1 ≤ units.length → countP (fun x => decide (score x < (truth x : Int))) units * e ≤ a' * units.length →
    (∀ s, s ∈ draws N units → ∀ y, y ∈ s.1 → score y ≤ (bound s.1 : Int)) → (∀ o h x, (controller o).loss h x ≤ G) →
    (∀ s, s ∈ draws N units → ∀ x, x ∈ s.2 → ∀ h, (controller (s.1, x)).compresses h = true →
      sumOver ((controller (s.1, x)).loss h) ds ≤ ds.length * truth x) →
    (∀ o, reservePays p q δ.num δ.den (controller o).reserve = true) →
    (∀ s, s ∈ draws N units → ∀ x, x ∈ s.2 → ∀ h, pays G p q (bound s.1) ((controller (s.1, x)).charge h) = true) →
    (∀ o h, (controller o).charge h ≤ (controller o).offer h) →
    (∀ o x h, (controller o).budget h ≤ (controller o).budget (x :: h)) → ∀ T : Nat,
    (⟨sumOver (fun o => reachCount ds (controller o).overrun T []) (servedDraws N units),
      (servedDraws N units).length * ds.length ^ T⟩ : Frac) ≤ δ + ⟨a', e⟩ + ⟨j, units.length - N⟩ + ⟨a, d⟩ := fun wrong => by
  refine absurd (wrong (D := Unit) (υ := Nat) [0, 1] (fun x => (x : Int)) (fun x => x) (fun s => sumOver (fun x => x) s)
    (fun o => steadyRequest (sumOver (fun x => x) o.1) o.2) (ds := [()]) (N := 1) (G := 1) (p := 2) (q := 1) (j := 0) (a := 0) (d := 1)
    (a' := 0) (e := 1) (δ := ⟨1, 4⟩) (by decide) (by decide) (by decide) (fun s m y my => ?_) (fun o _ _ => ?_)
    (fun s m x mx _ _ => ?_) (fun _ => rfl) (fun s m x mx _ => ?_) (fun _ _ => Nat.le_refl _) (fun _ _ _ => Nat.le_refl 2) 3)
    (by decide +kernel)
  · cases m with
    | head => cases my with
      | head => decide
      | tail _ my => exact nomatch my
    | tail _ m => cases m with
      | head => cases my with
        | head => decide
        | tail _ my => exact nomatch my
      | tail _ m => exact nomatch m
  · show (bif Nat.beq o.2 0 then 0 else 1) ≤ 1
    cases Nat.beq o.2 0 with
    | true => exact Nat.zero_le 1
    | false => exact Nat.le_refl 1
  · cases m with
    | head => cases mx with
      | head => exact Nat.le_refl 1
      | tail _ mx => exact nomatch mx
    | tail _ m => cases m with
      | head => cases mx with
        | head => exact Nat.le_refl 0
        | tail _ mx => exact nomatch mx
      | tail _ m => exact nomatch m
  · cases m with
    | head => cases mx with
      | head => rfl
      | tail _ mx => exact nomatch mx
    | tail _ m => cases m with
      | head => cases mx with
        | head => rfl
        | tail _ mx => exact nomatch mx
      | tail _ m => exact nomatch m
end Gnosis.Falsifiers

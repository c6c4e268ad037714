prelude
import Gnosis.Core.IntData
import Gnosis.Decision.Search
/-! # Deferred refinement: the algorithm

A coarse model drafts, a finer one checks the doubtful tokens later.  Both are functions from a text to a token, lowest index on
ties; the coarse one says a margin too.  A text lists its tokens, the latest first.

What decides is `flipAt`: the first deferred place of a window at which the finer model, which has read the whole window, says
another token.  `refineStep` is one step of the algorithm and `refineRun` any number of them, for any two models; `refineText` is
`refineRun` for models that are tables, so that it can be run.  This module holds no proofs; the theorems are in
`Gnosis.Deferred`. -/
namespace Gnosis

/-! ## The check -/

/-- The first asked place at which the finer model says another token than the one that stands there; the number of places where
there is none. -/
def flipAt : List Bool → List Nat → List Nat → Nat
  | a :: asked, t :: tokens, s :: says => bif a && !Nat.beq s t then 0 else flipAt asked tokens says + 1
  | _, _, _ => 0

/-! ## The algorithm -/

/-- The first `n` entries. -/
def takeFirst {α : Type} : Nat → List α → List α
  | 0, _ => []
  | _ + 1, [] => []
  | n + 1, a :: l => a :: takeFirst n l

/-- The entries behind the first `n`. -/
def dropFirst {α : Type} : Nat → List α → List α
  | 0, l => l
  | _ + 1, [] => []
  | n + 1, _ :: l => dropFirst n l

/-- The text after `n` more tokens of a model alone. -/
def greedyText (fine : List Nat → Nat) : Nat → List Nat → List Nat
  | 0, h => h
  | n + 1, h => greedyText fine n (fine h :: h)

/-- What the coarse model drafts after the text `h`: `n` tokens with their margins, the first one first. -/
def draftFrom (coarse : List Nat → Nat × Int) : Nat → List Nat → List (Nat × Int)
  | 0, _ => []
  | n + 1, h => coarse h :: draftFrom coarse n ((coarse h).1 :: h)

/-- The text with the drafted tokens behind it. -/
def withDraft : List Nat → List (Nat × Int) → List Nat
  | h, [] => h
  | h, x :: rest => withDraft (x.1 :: h) rest

/-- What has been written: the settled text, and the drafted tokens behind it, the first one first. -/
structure Progress where
  settled : List Nat
  pending : List (Nat × Int)

/-- The free choices of a step: how many tokens are drafted, how many of the pending ones are checked, and how many the finer
model writes itself where nothing is pending any more. -/
structure Choice where
  drafted : Nat
  checked : Nat
  written : Nat

/-- The finer model's visit: it goes through the tokens and stops at the first deferred one that it would not have written, with
its own token in its place.  The text that stands, and whether it stopped. -/
def checkWindow (defer : Int → Bool) (fine : List Nat → Nat) : List Nat → List (Nat × Int) → List Nat × Bool
  | h, [] => (h, false)
  | h, x :: rest => bif defer x.2 && !Nat.beq (fine h) x.1 then (fine h :: h, true) else checkWindow defer fine (x.1 :: h) rest

/-- One step: draft, check, take back. -/
def refineStep (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) (s : Progress) (c : Choice) : Progress :=
  match checkWindow defer fine s.settled
      (takeFirst c.checked (s.pending ++ draftFrom coarse c.drafted (withDraft s.settled s.pending))) with
  | (h, true) => ⟨greedyText fine c.written h, []⟩
  | (h, false) =>
    match dropFirst c.checked (s.pending ++ draftFrom coarse c.drafted (withDraft s.settled s.pending)) with
    | [] => ⟨greedyText fine c.written h, []⟩
    | x :: rest => ⟨h, x :: rest⟩

/-- Step after step, whatever the choices. -/
def refineRun (defer : Int → Bool) (coarse : List Nat → Nat × Int) (fine : List Nat → Nat) : List Choice → Progress → Progress
  | [], s => s
  | c :: cs, s => refineRun defer coarse fine cs (refineStep defer coarse fine s c)

/-! ## Models that are tables -/

/-- A number for a text, which depends on each of its tokens and their order. -/
def textNumber : List Nat → Nat
  | [] => 1
  | t :: h => 3 * textNumber h + t

/-- The token that a table gives after a text; 0 if the table is empty. -/
def tableToken (table : List Nat) (h : List Nat) : Nat := positionAt table (textNumber h % table.length)

/-- Entry `i` of a table of tokens with margins; token 0 with margin 0 past its end. -/
def draftAt : List (Nat × Nat) → Nat → Nat × Int
  | [], _ => (0, 0)
  | x :: _, 0 => (x.1, x.2)
  | _ :: l, i + 1 => draftAt l i

/-- The token and the margin that a table gives after a text. -/
def tableDraft (table : List (Nat × Nat)) (h : List Nat) : Nat × Int := draftAt table (textNumber h % table.length)

/-- Choices from triples (drafted, checked, written). -/
def choicesOf : List (Nat × Nat × Nat) → List Choice
  | [] => []
  | (d, c, w) :: rest => ⟨d, c, w⟩ :: choicesOf rest

/-- The settled text, latest token first, after the steps, tokens with a margin below `τ` being deferred. -/
def refineText (τ : Int) (coarse : List (Nat × Nat)) (fine : List Nat) (steps : List (Nat × Nat × Nat)) (prompt : List Nat) : List Nat :=
  (refineRun (fun m => decide (m < τ)) (tableDraft coarse) (tableToken fine) (choicesOf steps) ⟨prompt, []⟩).settled

end Gnosis

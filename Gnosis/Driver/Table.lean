prelude
import Gnosis.Decision.Energy
import Gnosis.Decision.Jit
import Gnosis.Decision.Margin
import Gnosis.Decision.Tukey
import Gnosis.Driver.IO
/-! # The decisions that the driver serves

One line for each decision.  How its arguments are read and its result is written follows from its type. -/
namespace Gnosis.Driver
open Lean

/-- An answer that is no decision. -/
def refusal (why : String) : String := "{\"error\":" ++ Json.compress (.str why) ++ "}"

/-- Functions that can be applied to a list of JSON values.  `call f i js` reads the arguments of `f`, the first of
which is called number `i` in messages, and writes the result; too few, too many or unfit values get a refusal. -/
class Request (φ : Type) where
  call : φ → Nat → List Json → String

/-- How results are written. -/
class Result (β : Type) where
  text : β → String

instance : Result Bool := ⟨fun b => bif b then "true" else "false"⟩
instance : Result Int := ⟨Int.repr⟩
instance : Result Nat := ⟨fun n => Int.repr (.ofNat n)⟩

/-- The entries of a list behind its first one, each after a comma. -/
def showTail {β : Type} [Result β] : List β → String → String
  | [], s => s ++ "]"
  | x :: xs, s => showTail xs (s ++ "," ++ Result.text x)
instance {β : Type} [Result β] : Result (List β) := ⟨fun
  | [] => "[]"
  | x :: xs => showTail xs ("[" ++ Result.text x)⟩

/-- A result: all arguments must be used up. -/
def finish {β : Type} [Result β] (b : β) (i : Nat) : List Json → String
  | [] => Result.text b
  | _ :: _ => refusal ("more than " ++ Int.repr (.ofNat (i - 1)) ++ " arguments")

instance : Request Bool := ⟨finish⟩
instance : Request Int := ⟨finish⟩
instance : Request Nat := ⟨finish⟩
instance {β : Type} [Result β] : Request (List β) := ⟨finish⟩
instance {α φ : Type} [FromJson α] [Request φ] : Request (α → φ) := ⟨fun f i js => match js with
  | [] => refusal ("no argument " ++ Int.repr (.ofNat i))
  | j :: js => match FromJson.fromJson? j with
    | .ok a => Request.call (f a) (i + 1) js
    | .error e => refusal ("argument " ++ Int.repr (.ofNat i) ++ ": " ++ e)⟩

/-- A decision with its name. -/
structure Entry where
  name : String
  answer : List Json → String

/-- The entry for `f`. -/
def entry {φ : Type} [Request φ] (name : String) (f : φ) : Entry := ⟨name, Request.call f 1⟩

/-- All decisions.  The number of a decision in a request is its place here, counted from 1. -/
def table : List Entry := [
  entry "dot" dot,
  entry "energy" energy,
  entry "energyAdmit" energyAdmit,
  entry "energySidecarAdmit" energySidecarAdmit,
  entry "energySidecarAdmitStrict" energySidecarAdmitStrict,
  entry "energyBlockedAdmit" energyBlockedAdmit,
  entry "energyOutside" energyOutside,
  entry "energySplitAdmit" energySplitAdmit,
  entry "argmax" argmax,
  entry "marginAdmit" marginAdmit,
  entry "marginAdmitStrict" marginAdmitStrict,
  entry "marginAdmitLowest" marginAdmitLowest,
  entry "rowAdmit" rowAdmit,
  entry "candidates" candidates,
  entry "topkAdmit" topkAdmit,
  entry "topTwo" topTwo,
  entry "twoStageAdmit" twoStageAdmit,
  entry "jitAdmit" jitAdmit,
  entry "jitAdmitStrict" jitAdmitStrict,
  entry "jitRowAdmit" jitRowAdmit,
  entry "servedArgmax" servedArgmax,
  entry "tukeyAdmit" tukeyAdmit,
  entry "tukeyWeight" tukeyWeight]

end Gnosis.Driver

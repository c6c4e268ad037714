prelude
import Gnosis.Decision.Basin
import Gnosis.Decision.ConformalJit
import Gnosis.Decision.Cumloss
import Gnosis.Decision.Deferred
import Gnosis.Decision.Energy
import Gnosis.Decision.Head
import Gnosis.Decision.Jit
import Gnosis.Decision.Lattice
import Gnosis.Decision.Margin
import Gnosis.Decision.Served
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

instance {β : Type} [Result β] : Result (Option β) := ⟨fun
  | none => "null"
  | some b => Result.text b⟩
/-- A pair is an array of two. -/
instance {β γ : Type} [Result β] [Result γ] : Result (β × γ) := ⟨fun
  | (b, c) => "[" ++ Result.text b ++ "," ++ Result.text c ++ "]"⟩

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
instance {β : Type} [Result β] : Request (Option β) := ⟨finish⟩
instance {α φ : Type} [FromJson α] [Request φ] : Request (α → φ) := ⟨fun f i js => match js with
  | [] => refusal ("no argument " ++ Int.repr (.ofNat i))
  | j :: js => match FromJson.fromJson? j with
    | .ok a => Request.call (f a) (i + 1) js
    | .error e => refusal ("argument " ++ Int.repr (.ofNat i) ++ ": " ++ e)⟩

/-- A pair of natural numbers, from an array of two. -/
def pair? (j : Json) : Except String (Nat × Nat) := match (List.fromJson? j : Except String (List Nat)) with
  | .error e => .error e
  | .ok [a, b] => .ok (a, b)
  | .ok _ => .error "two numbers expected"
/-- A triple of natural numbers, from an array of three. -/
def triple? (j : Json) : Except String (Nat × Nat × Nat) := match (List.fromJson? j : Except String (List Nat)) with
  | .error e => .error e
  | .ok [a, b, c] => .ok (a, b, c)
  | .ok _ => .error "three numbers expected"
instance : FromJson (Nat × Nat) := ⟨pair?⟩
instance : FromJson (Nat × Nat × Nat) := ⟨triple?⟩

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
  entry "topkGapAdmit" topkGapAdmit,
  entry "topTwo" topTwo,
  entry "twoStageAdmit" twoStageAdmit,
  entry "jitAdmit" jitAdmit,
  entry "jitAdmitStrict" jitAdmitStrict,
  entry "jitAdmitLowest" jitAdmitLowest,
  entry "jitLeadAdmit" jitLeadAdmit,
  entry "jitRowAdmit" jitRowAdmit,
  entry "servedArgmax" servedArgmax,
  entry "headServed" headServed,
  entry "topCandidates" topCandidates,
  entry "topAmong" topAmong,
  entry "headTopK" headTopK,
  entry "tukeyAdmit" tukeyAdmit,
  entry "tukeyWeight" tukeyWeight,
  entry "sum" sum,
  entry "rankLt" rankLt,
  entry "lies" lies,
  entry "liesOrder" liesOrder,
  entry "conformalRank" conformalRank,
  entry "insertUp" insertUp,
  entry "sortUp" sortUp,
  entry "entryAt" entryAt,
  entry "kthSmallest" kthSmallest,
  entry "conformalThreshold" conformalThreshold,
  entry "conformalAdmit" conformalAdmit,
  entry "poolAbove" poolAbove,
  entry "conformalMarginAdmit" conformalMarginAdmit,
  entry "conformalMarginAdmitLowest" conformalMarginAdmitLowest,
  entry "conformalJitAdmit" conformalJitAdmit,
  entry "conformalJitAdmitLowest" conformalJitAdmitLowest,
  entry "conformalJitLeadAdmit" conformalJitLeadAdmit,
  entry "conformalServed" conformalServed,
  entry "layersMax" layersMax,
  entry "cofactors" cofactors,
  entry "layersFail" layersFail,
  entry "layersMaxAdmit" layersMaxAdmit,
  entry "sumAbs" sumAbs,
  entry "basinAdmit" basinAdmit,
  entry "basinVectorAdmit" basinVectorAdmit,
  entry "basinControl" basinControl,
  entry "flowAdmitFrom" flowAdmitFrom,
  entry "basinFlowAdmit" basinFlowAdmit,
  entry "flowPathAdmitFrom" flowPathAdmitFrom,
  entry "basinFlowPathAdmit" basinFlowPathAdmit,
  entry "flowSurvives" flowSurvives,
  entry "flowControl" flowControl,
  entry "basinFlowControl" basinFlowControl,
  entry "roundedStep" roundedStep,
  entry "roundedPathAdmitFrom" roundedPathAdmitFrom,
  entry "basinFlowRoundedAdmit" basinFlowRoundedAdmit,
  entry "roundedSurvives" roundedSurvives,
  entry "roundedControl" roundedControl,
  entry "basinFlowRoundedControl" basinFlowRoundedControl,
  entry "sqDist" sqDist,
  entry "nearestInt" nearestInt,
  entry "roundError" roundError,
  entry "secondNearest" secondNearest,
  entry "cubicDecode" cubicDecode,
  entry "dnDecode" dnDecode,
  entry "dnPlusDecode" dnPlusDecode,
  entry "isD8" isD8,
  entry "isE8" isE8,
  entry "d8Decode" d8Decode,
  entry "e8Decode" e8Decode,
  entry "betOk" betOk,
  entry "stepFactor" stepFactor,
  entry "covered" covered,
  entry "cumlossAdmit" cumlossAdmit,
  entry "cumlossStep" cumlossStep,
  entry "pays" pays,
  entry "reservePays" reservePays,
  entry "leastCharge" leastCharge,
  entry "leastReserve" leastReserve,
  entry "chargeAdmit" chargeAdmit,
  entry "chargeSettle" chargeSettle,
  entry "chargeRun" chargeRun,
  entry "unionAdmit" unionAdmit,
  entry "unionLife" unionLife,
  entry "stakeAdmit" stakeAdmit,
  entry "bettingFactor" bettingFactor,
  entry "stepsOk" stepsOk,
  entry "bettingNum" bettingNum,
  entry "bettingDen" bettingDen,
  entry "bettingRejects" bettingRejects,
  entry "bettingUpperFrom" bettingUpperFrom,
  entry "bettingUpper" bettingUpper,
  entry "claimBound" claimBound,
  entry "mirrored" mirrored,
  entry "bettingUpperBound" bettingUpperBound,
  entry "bettingLowerBound" bettingLowerBound,
  entry "leftMass" leftMass,
  entry "rightMass" rightMass,
  entry "excess" excess,
  entry "tvNum" tvNum,
  entry "gridLoss" gridLoss,
  entry "ratioAdmit" ratioAdmit,
  entry "spreadAdmit" spreadAdmit,
  entry "servedAdmit" servedAdmit,
  entry "total" total,
  entry "rootsOk" rootsOk,
  entry "hellingerAdmit" hellingerAdmit,
  entry "weightedBudget" weightedBudget,
  entry "topkBudget" topkBudget,
  entry "tiltPairs" tiltPairs,
  entry "gaugeOk" gaugeOk,
  entry "stepBudgetAdmit" stepBudgetAdmit,
  entry "flipAt" flipAt,
  entry "refineText" refineText]

end Gnosis.Driver

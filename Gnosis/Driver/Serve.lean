prelude
import Gnosis.Driver.Table
/-! # The oracle: the decisions, run by Lean's interpreter

`lean --run Gnosis/Driver/Serve.lean` reads requests from standard input until its end and answers each with one
line.  A request is two lines: the number of bytes of the second one (its line break included), then

    [k,[a₁,…,aₙ],[b₁,…,bₙ],…]

for decision number `k` of `Gnosis.Driver.table` and any number of argument lists.  Vectors are arrays of integers,
masks arrays of `true` and `false`.  The answer is an array with an entry for each argument list: the result, or
`{"error":…}`.  `[0]` asks for the names of the decisions.

The text must be exactly what Lean itself would write for the value (no spaces, no `+5`, `-0`, `05`, `5.0`, `5e0`).
Any other request gets `{"error":…}`; after an unreadable first line the driver stops, since it cannot know where
the next request begins. -/
namespace Gnosis.Driver
open Lean

/-- The longest request in bytes.  It keeps recursion over lists within the stack. -/
def longest : Nat := 1048576

/-- The value of a canonical text, with its line break. -/
def read (s : String) : Except String Json :=
  match Json.parse s with
  | .error e => .error e
  | .ok j => if String.decEq (Json.compress j ++ "\n") s then .ok j else .error "not in canonical form"

/-- The names of the decisions. -/
def names : List Entry → String → String
  | [], s => s
  | [e], s => s ++ Json.compress (.str e.name)
  | e :: es, s => names es (s ++ Json.compress (.str e.name) ++ ",")

/-- The entry at place `k`, counted from 0. -/
def find : List Entry → Nat → Option Entry
  | [], _ => none
  | e :: _, 0 => some e
  | _ :: es, k + 1 => find es k

/-- The answers to argument lists, separated by commas, appended to `s`. -/
def answers (f : List Json → String) : List Json → String → String
  | [], s => s
  | j :: js, s =>
    let r := match (List.fromJson? j : Except String (List Json)) with
      | .ok args => f args
      | .error e => refusal e
    match js with
    | [] => s ++ r
    | _ => answers f js (s ++ r ++ ",")

/-- The answer to a request. -/
def answer (s : String) : String :=
  match read s with
  | .error e => refusal e
  | .ok j => match (List.fromJson? j : Except String (List Json)) with
    | .error e => refusal e
    | .ok [] => refusal "no decision is named"
    | .ok (k :: js) => match Json.getNat? k with
      | .error e => refusal e
      | .ok n => match n with
        | 0 => match js with
          | [] => "[" ++ names table "" ++ "]"
          | _ :: _ => refusal "request 0 takes no arguments"
        | k + 1 => match find table k with
          | none => refusal "unknown decision"
          | some e => "[" ++ answers e.answer js "" ++ "]"

/-- Write a line, at once. -/
def say (o : IO.FS.Stream) (s : String) : IO Unit := fun w =>
  match o.putStr (s ++ "\n") w with
  | .ok _ w => o.flush w
  | .error e w => .error e w

/-- Stop with a message. -/
def stop (o : IO.FS.Stream) (why : String) : IO UInt32 := fun w =>
  match say o (refusal why) w with
  | .ok _ w => .ok (.ofNat 1) w
  | .error e w => .error e w

/-- Answer requests; the first argument bounds how many. -/
def serve (i o : IO.FS.Stream) : Nat → IO UInt32
  | 0, w => stop o "too many requests" w
  | k + 1, w => match i.getLine w with
    | .error e w => .error e w
    | .ok h w => if String.decEq h "" then .ok (.ofNat 0) w else match read h with
      | .error e => stop o e w
      | .ok j => match Json.getNat? j with
        | .error e => stop o e w
        | .ok n => if longest < n then stop o "a request has at most 1048576 bytes" w else
          match i.read (.ofNat n) w with
          | .error e w => .error e w
          | .ok b w => if Nat.beq b.size n then
              let text := match String.fromUTF8? b with
                | some s => answer s
                | none => refusal "not UTF-8"
              match say o text w with
              | .ok _ w => serve i o k w
              | .error e w => .error e w
            else stop o "the input ended within a request" w

end Gnosis.Driver

/-- The program. -/
def main : IO UInt32 := fun w =>
  match IO.getStdin w with
  | ⟨i, w⟩ => match IO.getStdout w with
    | ⟨o, w⟩ => Gnosis.Driver.serve i o 9223372036854775808 w

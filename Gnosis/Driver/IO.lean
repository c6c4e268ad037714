prelude
import Gnosis.Core.IntData
import Gnosis.Core.ListData
/-! # Input and output of the driver

The few types and functions of Lean's own library that a program needs, under their names there: the interpreter
finds the code of an `opaque` constant in the Lean binary by its name, and a type must have the layout that the
binary was compiled with.  Text is read and written by the JSON code of the binary.  Nothing here occurs in a
decision or in a theorem; what the driver runs between reading and writing are the definitions of
`Gnosis.Decision` themselves. -/

/-- A type together with the knowledge that it has an element. -/
abbrev NonemptyType := Subtype (fun α : Type => Nonempty α)
/-- The type itself. -/
abbrev NonemptyType.type (t : NonemptyType) : Type := t.val
instance : Inhabited NonemptyType := ⟨⟨Nat, ⟨0⟩⟩⟩
/-- Carries `Void`, whose elements nobody can look into. -/
opaque Void.nonemptyType (σ : Type) : NonemptyType
/-- A token that stands for the state of the world; the compiler knows the name and erases it. -/
def Void (σ : Type) : Type := (Void.nonemptyType σ).type

/-- The result of an action that may fail. -/
inductive EST.Out (ε : Type) (σ : Type) (α : Type) where
  | ok : α → Void σ → EST.Out ε σ α
  | error : ε → Void σ → EST.Out ε σ α
/-- An action that may fail. -/
def EST (ε : Type) (σ : Type) (α : Type) : Type := Void σ → EST.Out ε σ α
/-- The result of an action that cannot fail. -/
structure ST.Out (σ : Type) (α : Type) where
  val : α
  state : Void σ
/-- An action that cannot fail. -/
def ST (σ : Type) (α : Type) : Type := Void σ → ST.Out σ α

/-- The name of the world. -/
structure IO.RealWorld where
/-- An error of the operating system.  The driver only hands it on to Lean, so its form does not matter here. -/
structure IO.Error where
  msg : String
/-- An action in the world that may fail. -/
abbrev IO := EST IO.Error IO.RealWorld
/-- An action in the world that cannot fail. -/
abbrev BaseIO := ST IO.RealWorld

instance : Inhabited IO.Error := ⟨⟨default⟩⟩
instance {α : Type} : Inhabited (IO α) := ⟨fun w => .error default w⟩
instance {α : Type} [Inhabited α] : Inhabited (BaseIO α) := ⟨fun w => .mk default w⟩
instance : Inhabited ByteArray := ⟨⟨⟨.nil⟩⟩⟩
instance : Inhabited UInt32 := ⟨⟨⟨⟨0, Nat.le_of_ble_eq_true rfl⟩⟩⟩⟩
instance : Inhabited USize := ⟨⟨⟨⟨0, Nat.le_of_ble_eq_true rfl⟩⟩⟩⟩

/-- Standard input or output. -/
structure IO.FS.Stream where
  flush : IO Unit
  read : USize → IO ByteArray
  write : ByteArray → IO Unit
  getLine : IO String
  putStr : String → IO Unit
  isTty : BaseIO Bool
instance : Inhabited IO.FS.Stream := ⟨⟨default, default, default, default, default, default⟩⟩

/-- Where requests come from. -/
@[extern "lean_get_stdin"] opaque IO.getStdin : BaseIO IO.FS.Stream
/-- Where answers go. -/
@[extern "lean_get_stdout"] opaque IO.getStdout : BaseIO IO.FS.Stream

/-- A number as a machine word, modulo its size. -/
@[extern "lean_usize_of_nat"] opaque USize.ofNat (n : @& Nat) : USize
/-- A number as 32 bits, modulo `2^32`. -/
@[extern "lean_uint32_of_nat"] opaque UInt32.ofNat (n : @& Nat) : UInt32
/-- The number of bytes. -/
@[extern "lean_byte_array_size"] opaque ByteArray.size (a : @& ByteArray) : Nat
/-- One text after the other. -/
@[extern "lean_string_append"] opaque String.append (a : String) (b : @& String) : String
instance : Append String := ⟨String.append⟩
/-- Whether two strings are the same (a `Decidable` proposition in Lean's library; both are a byte when compiled). -/
@[extern "lean_string_dec_eq"] opaque String.decEq (a b : @& String) : Bool
/-- The text whose UTF-8 code is given; `none` if it is no such code. -/
@[extern "l_String_fromUTF8_x3f"] opaque String.fromUTF8? (a : ByteArray) : Option String
/-- The decimal digits of a number. -/
@[extern "l_Int_repr"] opaque Int.repr (i : @& Int) : String

/-- A value, or why there is none. -/
inductive Except (ε : Type) (α : Type) where
  | error (e : ε)
  | ok (a : α)
instance {ε α : Type} [Inhabited ε] : Inhabited (Except ε α) := ⟨.error default⟩

namespace Lean

/-- A number: `mantissa · 10^(-exponent)`. -/
structure JsonNumber where
  mantissa : Int
  exponent : Nat
set_option genSizeOf false in
/-- JSON text, parsed.  The content of an object is never looked at. -/
inductive Json where
  | null
  | bool (b : Bool)
  | num (n : JsonNumber)
  | str (s : String)
  | arr (elems : Array Json)
  | obj (kvPairs : PUnit.{1})
instance : Inhabited Json := ⟨.null⟩
/-- The value of a text, or what is wrong with it. -/
@[extern "l_Lean_Json_parse"] opaque Json.parse (s : String) : Except String Json
/-- The one text without spaces for a value. -/
@[extern "l_Lean_Json_compress"] opaque Json.compress (j : Json) : String
/-- The value as an integer, if it is one. -/
@[extern "l_Lean_Json_getInt_x3f"] opaque Json.getInt? (j : Json) : Except String Int
/-- The value as a natural number, if it is one. -/
@[extern "l_Lean_Json_getNat_x3f"] opaque Json.getNat? (j : Json) : Except String Nat
/-- The value as a truth value, if it is one. -/
@[extern "l_Lean_Json_getBool_x3f"] opaque Json.getBool? (j : @& Json) : Except String Bool

/-- Types whose values can be read from JSON. -/
class FromJson (α : Type) where
  fromJson? : Json → Except String α
/-- The entries of an array, each read as an `α`. -/
@[extern "l_Lean_List_fromJson_x3f"] opaque List.fromJson? {α : Type} [FromJson α] (j : Json) : Except String (_root_.List α)
instance : FromJson Json := ⟨.ok⟩
instance : FromJson Int := ⟨Json.getInt?⟩
instance : FromJson Nat := ⟨Json.getNat?⟩
instance : FromJson Bool := ⟨Json.getBool?⟩
instance {α : Type} [FromJson α] : FromJson (_root_.List α) := ⟨List.fromJson?⟩

end Lean

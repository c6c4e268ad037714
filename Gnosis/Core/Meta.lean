prelude
import Gnosis.Core.Data
/-! # Syntax trees, grammar, macros: declarations only

What the elaborators of `syntax`, `notation`, `macro` and `do` refer to.  The types must have the layout that Lean's binary was
compiled with; the functions are only *declared*, as `opaque` constants with the code of the binary: `extern "b"` stands
where the interpreter finds the code under the constant's own name.  Nothing here occurs in a statement or a proof, except the types `List`
and `Option`, which are ordinary inductive types; the audit proves it.

Quotations refer by name and number of arguments to the families `Name.mkStr1` …, `Syntax.node1` …, `Array.mkArray0` …; patterns of
macros to `Syntax.isOfKind`, `getArg`, `matchesNull` and their relatives.  A name carries a hash in memory and must be built by
`Name.str._override` and `Name.num._override`. -/
universe u v w

structure Fin (n : Nat) where
  mk ::
  val : Nat
  isLt : LT.lt val n
structure BitVec (w : Nat) where
  ofFin ::
  toFin : Fin (Nat.pow 2 w)
structure UInt8 where
  ofBitVec ::
  toBitVec : BitVec 8
structure UInt32 where
  ofBitVec ::
  toBitVec : BitVec 32
structure UInt64 where
  ofBitVec ::
  toBitVec : BitVec 64
structure USize where
  ofBitVec ::
  toBitVec : BitVec 64
structure Char where
  val : UInt32
inductive List (α : Type u) where
  | nil : List α
  | cons (head : α) (tail : List α) : List α
inductive Option (α : Type u) where
  | none : Option α
  | some (val : α) : Option α
export Option (none some)
@[inline] def Option.map {α : Type u} {β : Type v} (f : α → β) : Option α → Option β
  | .none => .none
  | .some a => .some (f a)
structure Array (α : Type u) where
  mk ::
  toList : List α
structure ByteArray where
  data : Array UInt8
structure String where
  ofByteArray ::
  toByteArray : ByteArray
structure String.Pos.Raw where
  byteIdx : Nat
structure Substring.Raw where
  str : String
  startPos : String.Pos.Raw
  stopPos : String.Pos.Raw
instance {α : Type u} : Inhabited (List α) := ⟨.nil⟩
instance {α : Type u} : Inhabited (Option α) := ⟨.none⟩
instance : Inhabited Nat := ⟨0⟩
instance : Inhabited Bool := ⟨false⟩
instance : Inhabited PUnit := ⟨.unit⟩
instance {α : Sort u} {β : α → Sort v} [(a : α) → Inhabited (β a)] : Inhabited ((a : α) → β a) := ⟨fun _ => default⟩
instance : Inhabited (Array α) := ⟨⟨.nil⟩⟩
instance : Inhabited String := ⟨⟨⟨⟨.nil⟩⟩⟩⟩
instance : Inhabited Substring.Raw := ⟨⟨default, ⟨0⟩, ⟨0⟩⟩⟩

-- monads, in the weakest form that `do` and quotations use
class Pure (m : Type u → Type v) where
  pure {α : Type u} : α → m α
export Pure (pure)
class Bind (m : Type u → Type v) where
  bind {α β : Type u} : m α → (α → m β) → m β
export Bind (bind)
class Functor (m : Type u → Type v) where
  map {α β : Type u} : (α → β) → m α → m β
class Monad (m : Type u → Type v) extends Pure m, Bind m, Functor m where
  map f x := bind x (fun a => pure (f a))
class MonadExcept (ε : outParam (Type u)) (m : Type v → Type w) where
  throw {α : Type v} : ε → m α
export MonadExcept (throw)

namespace Lean
inductive Name where
  | anonymous : Name
  | str (pre : Name) (str : String)
  | num (pre : Name) (i : Nat)
instance : Inhabited Name := ⟨.anonymous⟩
@[extern "lean_name_mk_string"] opaque Name.str._override (p : Name) (s : String) : Name
@[extern "lean_name_mk_numeral"] opaque Name.num._override (p : Name) (n : Nat) : Name
@[inline] def Name.mkStr (p : Name) (s : String) : Name := Name.str._override p s
@[inline] def Name.mkNum (p : Name) (n : Nat) : Name := Name.num._override p n
@[inline] def Name.mkSimple (s : String) : Name := .mkStr .anonymous s
@[inline] def Name.mkStr1 (a : String) : Name := .mkStr .anonymous a
@[inline] def Name.mkStr2 (a b : String) : Name := .mkStr (.mkStr1 a) b
@[inline] def Name.mkStr3 (a b c : String) : Name := .mkStr (.mkStr2 a b) c
@[inline] def Name.mkStr4 (a b c d : String) : Name := .mkStr (.mkStr3 a b c) d
@[inline] def Name.mkStr5 (a b c d e : String) : Name := .mkStr (.mkStr4 a b c d) e
@[inline] def Name.mkStr6 (a b c d e f : String) : Name := .mkStr (.mkStr5 a b c d e) f

@[inline] def Name.mkStr7 (a b c d e f g : String) : Name := .mkStr (.mkStr6 a b c d e f) g
@[inline] def Name.mkStr8 (a b c d e f g h : String) : Name := .mkStr (.mkStr7 a b c d e f g) h

abbrev SyntaxNodeKind := Name
abbrev SyntaxNodeKinds := List Name
abbrev MacroScope := Nat

inductive SourceInfo where
  | original (leading : Substring.Raw) (pos : String.Pos.Raw) (trailing : Substring.Raw) (endPos : String.Pos.Raw)
  | synthetic (pos endPos : String.Pos.Raw) (canonical : Bool)
  | none
instance : Inhabited SourceInfo := ⟨.none⟩
inductive Syntax.Preresolved where
  | namespace (ns : Name)
  | decl (n : Name) (fields : List String)
inductive Syntax where
  | missing : Syntax
  | node (info : SourceInfo) (kind : SyntaxNodeKind) (args : Array Syntax)
  | atom (info : SourceInfo) (val : String)
  | ident (info : SourceInfo) (rawVal : Substring.Raw) (val : Name) (preresolved : List Syntax.Preresolved)
instance : Inhabited Syntax := ⟨.missing⟩
instance : Coe SyntaxNodeKind SyntaxNodeKinds := ⟨fun k => .cons k .nil⟩
structure TSyntax (ks : SyntaxNodeKinds) where
  raw : Syntax
instance {ks} : Inhabited (TSyntax ks) := ⟨⟨.missing⟩⟩
structure Syntax.SepArray (sep : String) where
  elemsAndSeps : Array Syntax
structure Syntax.TSepArray (ks : SyntaxNodeKinds) (sep : String) where
  elemsAndSeps : Array Syntax
abbrev TSyntaxArray (ks : SyntaxNodeKinds) := Array (TSyntax ks)
@[extern "b"] opaque TSyntaxArray.rawImpl {ks : SyntaxNodeKinds} (as : TSyntaxArray ks) : Array Syntax
@[extern "b"] opaque TSyntaxArray.mkImpl {ks : SyntaxNodeKinds} (as : Array Syntax) : TSyntaxArray ks
@[inline] def TSyntaxArray.raw {ks : SyntaxNodeKinds} (as : TSyntaxArray ks) : Array Syntax := rawImpl as
@[inline] def TSyntaxArray.mk {ks : SyntaxNodeKinds} (as : Array Syntax) : TSyntaxArray ks := mkImpl as

-- parser descriptions
inductive ParserDescr where
  | const (name : Name)
  | unary (name : Name) (p : ParserDescr)
  | binary (name : Name) (p₁ p₂ : ParserDescr)
  | node (kind : SyntaxNodeKind) (prec : Nat) (p : ParserDescr)
  | trailingNode (kind : SyntaxNodeKind) (prec lhsPrec : Nat) (p : ParserDescr)
  | symbol (val : String)
  | nonReservedSymbol (val : String) (includeIdent : Bool)
  | cat (catName : Name) (rbp : Nat)
  | parser (declName : Name)
  | nodeWithAntiquot (name : String) (kind : SyntaxNodeKind) (p : ParserDescr)
  | sepBy (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)
  | sepBy1 (p : ParserDescr) (sep : String) (psep : ParserDescr) (allowTrailingSep : Bool)
  | unicodeSymbol (val asciiVal : String) (preserveForPP : Bool)
instance : Inhabited ParserDescr := ⟨.symbol ""⟩
abbrev TrailingParserDescr := ParserDescr
structure Parser.Category where

-- results of a stateful computation that may fail, in the layout the binary uses
inductive _root_.EStateM.Result (ε σ α : Type u) where
  | ok : α → σ → Result ε σ α
  | error : ε → σ → Result ε σ α

class MonadRef (m : Type → Type) where
  getRef : m Syntax
  withRef {α : Type} : Syntax → m α → m α
export MonadRef (getRef)
class MonadQuotation (m : Type → Type) extends MonadRef m where
  getCurrMacroScope : m MacroScope
  getContext : m Name
export MonadQuotation (getCurrMacroScope)
@[extern "l_Lean_SourceInfo_fromRef"] opaque SourceInfo.fromRef (ref : Syntax) (canonical : Bool) : SourceInfo
@[inline] def MonadRef.mkInfoFromRefPos {m : Type → Type} [Monad m] [MonadRef m] : m SourceInfo :=
  bind getRef (fun r => pure (SourceInfo.fromRef r false))

@[inline] def withRef {m : Type → Type} [Monad m] [MonadRef m] {α : Type} (ref : Syntax) (x : m α) : m α :=
  MonadRef.withRef ref x

namespace Macro
inductive Exception where
  | error : Syntax → String → Exception
  | unsupportedSyntax : Exception
structure Context where
  methods : PUnit.{1}
  quotContext : Name
  currMacroScope : MacroScope
  currRecDepth : Nat
  maxRecDepth : Nat
  ref : Syntax
structure State where
  macroScope : MacroScope
  expandedMacroDecls : List Name
  traceMsgs : List (Prod Name String)
end Macro
def MacroM (α : Type) : Type := Macro.Context → Macro.State → EStateM.Result Macro.Exception Macro.State α
abbrev Macro : Type := Syntax → MacroM Syntax
instance : Monad MacroM where
  pure a := fun _ s => .ok a s
  bind x f := fun c s => match x c s with
    | .ok a s => f a c s
    | .error e s => .error e s
instance : MonadQuotation MacroM where
  getRef := fun c s => .ok c.ref s
  withRef r x := fun c s => x { c with ref := r } s
  getCurrMacroScope := fun c s => .ok c.currMacroScope s
  getContext := fun c s => .ok c.quotContext s
instance : MonadExcept Macro.Exception MacroM := ⟨fun e => fun _ s => .error e s⟩

namespace PrettyPrinter
def UnexpandM (α : Type) : Type := Syntax → Unit → EStateM.Result Unit Unit α
abbrev Unexpander : Type := Syntax → UnexpandM Syntax
instance : Monad UnexpandM where
  pure a := fun _ s => .ok a s
  bind x f := fun c s => match x c s with
    | .ok a s => f a c s
    | .error e s => .error e s
instance : MonadQuotation UnexpandM where
  getRef := fun c s => .ok c s
  withRef r x := fun _ s => x r s
  getCurrMacroScope := fun _ s => .ok 0 s
  getContext := fun _ s => .ok (Name.mkStr1 "_fakeMod") s
instance : MonadExcept Unit UnexpandM := ⟨fun e => fun _ s => .error e s⟩
end PrettyPrinter

@[extern "l_Lean_Syntax.isOfKind"] opaque Syntax.isOfKind (stx : Syntax) (k : SyntaxNodeKind) : Bool
@[extern "l_Lean_Syntax.isNodeOf"] opaque Syntax.isNodeOf (stx : Syntax) (k : SyntaxNodeKind) (n : Nat) : Bool
@[extern "l_Lean_Syntax.getArg"] opaque Syntax.getArg (stx : Syntax) (i : Nat) : Syntax
@[extern "l_Lean_Syntax.getArgs"] opaque Syntax.getArgs (stx : Syntax) : Array Syntax
@[extern "l_Lean_Syntax.getNumArgs"] opaque Syntax.getNumArgs (stx : Syntax) : Nat
@[extern "l_Lean_Syntax.isNone"] opaque Syntax.isNone (stx : Syntax) : Bool
@[extern "l_Lean_Syntax.getId"] opaque Syntax.getId (stx : Syntax) : Name
@[extern "l_Lean_Syntax.getKind"] opaque Syntax.getKind (stx : Syntax) : SyntaxNodeKind
@[extern "l_Lean_Syntax.matchesNull"] opaque Syntax.matchesNull (stx : Syntax) (n : Nat) : Bool
@[extern "l_Lean_Syntax.matchesIdent"] opaque Syntax.matchesIdent (stx : Syntax) (id : Name) : Bool
@[extern "l_Lean_Syntax.matchesLit"] opaque Syntax.matchesLit (stx : Syntax) (k : SyntaxNodeKind) (val : String) : Bool
@[extern "l_Lean_Syntax.getOptional?"] opaque Syntax.getOptional? (stx : Syntax) : Option Syntax
@[extern "l_Lean_Syntax.getSepArgs"] opaque Syntax.getSepArgs (stx : Syntax) : Array Syntax
@[extern "l_Lean_addMacroScope"] opaque addMacroScope (mod n : Name) (scp : MacroScope) : Name
@[extern "l_Lean_mkAtom"] opaque mkAtom (val : String) : Syntax
@[extern "l_Lean_Syntax.node1"] opaque Syntax.node1 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 : Syntax) : Syntax
@[extern "l_Lean_Syntax.node2"] opaque Syntax.node2 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 : Syntax) : Syntax
@[extern "l_Lean_Syntax.node3"] opaque Syntax.node3 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 : Syntax) : Syntax
@[extern "l_Lean_Syntax.node4"] opaque Syntax.node4 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 a4 : Syntax) : Syntax
@[extern "l_Lean_Syntax.node5"] opaque Syntax.node5 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 a4 a5 : Syntax) : Syntax
@[extern "l_Lean_Syntax.node6"] opaque Syntax.node6 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 a4 a5 a6 : Syntax) : Syntax
@[extern "l_Lean_Syntax.node7"] opaque Syntax.node7 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 a4 a5 a6 a7 : Syntax) : Syntax
@[extern "l_Lean_Syntax.node8"] opaque Syntax.node8 (info : SourceInfo) (kind : SyntaxNodeKind) (a1 a2 a3 a4 a5 a6 a7 a8 : Syntax) : Syntax
end Lean
@[extern "l_Array_mkArray0"] opaque Array.mkArray0 {α : Type u} : Array α
@[extern "l_Array_mkArray1"] opaque Array.mkArray1 {α : Type u} (a1 : α) : Array α
@[extern "l_Array_mkArray2"] opaque Array.mkArray2 {α : Type u} (a1 a2 : α) : Array α
@[extern "l_Array_mkArray3"] opaque Array.mkArray3 {α : Type u} (a1 a2 a3 : α) : Array α
@[extern "l_Array_mkArray4"] opaque Array.mkArray4 {α : Type u} (a1 a2 a3 a4 : α) : Array α
@[extern "l_Array_mkArray5"] opaque Array.mkArray5 {α : Type u} (a1 a2 a3 a4 a5 : α) : Array α
@[extern "l_Array_mkArray6"] opaque Array.mkArray6 {α : Type u} (a1 a2 a3 a4 a5 a6 : α) : Array α
@[extern "l_Array_mkArray7"] opaque Array.mkArray7 {α : Type u} (a1 a2 a3 a4 a5 a6 a7 : α) : Array α
@[extern "l_Array_mkArray8"] opaque Array.mkArray8 {α : Type u} (a1 a2 a3 a4 a5 a6 a7 a8 : α) : Array α
@[extern "l_Array_empty"] opaque Array.empty {α : Type u} : Array α
@[extern "l_Array_mkEmpty"] opaque Array.mkEmpty {α : Type u} (c : Nat) : Array α
@[extern "l_List_toArray"] opaque List.toArray {α : Type u} (xs : List α) : Array α
@[extern "l_Array_append"] opaque Array.append {α : Type u} (a b : Array α) : Array α
@[extern "lean_array_get_size"] opaque Array.size {α : Type u} (a : Array α) : Nat
@[extern "lean_array_push"] opaque Array.push {α : Type u} (a : Array α) (v : α) : Array α
@[extern "l_Array_extract"] opaque Array.extract {α : Type u} (a : Array α) (start stop : Nat) : Array α
@[extern "l_Lean_mkNullNode"] opaque Lean.mkNullNode (args : Array Lean.Syntax) : Lean.Syntax
@[extern "l_String_toRawSubstring_x27"] opaque String.toRawSubstring' (s : String) : Substring.Raw
namespace Lean
instance {ks} : CoeOut (TSyntax ks) Syntax := ⟨TSyntax.raw⟩
end Lean
instance : Inhabited (Lean.MacroM α) := ⟨fun _ s => .error .unsupportedSyntax s⟩
instance : Inhabited (Lean.PrettyPrinter.UnexpandM α) := ⟨fun _ s => .error .unit s⟩

// The dialect, its element types, enumerations and attributes.
#ifndef DLM_DLM_DLMDIALECT_TD
#define DLM_DLM_DLMDIALECT_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/Properties.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/interfaces/OpInterfaces.td"

def Dlm_Dialect : Dialect {
  let name = "dlm";
  let cppNamespace = "::dlm";
  let summary = "pure tensor computations with static shapes";
  let description = [{
    What autodiff, simplification and fusion work on: values, never memory, order or devices.
    Every op is pure; every tensor is ranked and static, of element type i1, ui8, i32, i64 or f32.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
}

class Dlm_Op<string mnemonic, list<Trait> traits = []>
    : Op<Dlm_Dialect, mnemonic, [Pure] # traits>;

//===--- element types ----------------------------------------------------------------------===//

class Dlm_TensorOf<list<Type> elements, string names>
    : Type<StaticShapeTensorOf<elements>.predicate, "static tensor of " # names,
           "::mlir::RankedTensorType">;
def Dlm_Tensor : Dlm_TensorOf<[I1, UI8, I32, I64, F32], "i1, ui8, i32, i64 or f32">;
def Dlm_NumberTensor : Dlm_TensorOf<[I32, I64, F32], "i32, i64 or f32">;
def Dlm_FloatTensor : Dlm_TensorOf<[F32], "f32">;
def Dlm_BoolTensor : Dlm_TensorOf<[I1], "i1">;
def Dlm_IndexTensor : Dlm_TensorOf<[I32], "i32">;
def Dlm_CounterScalar : Type<
    And<[StaticShapeTensorOf<[I64]>.predicate,
         CPred<"::llvm::cast<::mlir::RankedTensorType>($_self).getRank() == 0">]>,
    "tensor of rank 0 of i64", "::mlir::RankedTensorType">,
    BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getIntegerType(64))">;

//===--- enumerations -----------------------------------------------------------------------===//

class Dlm_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::dlm";
  let genSpecializedAttr = 0;
}

def Dlm_CompareKind : Dlm_Enum<"CompareKind", "comparison", [
    I32EnumAttrCase<"Eq", 0, "eq">, I32EnumAttrCase<"Ne", 1, "ne">,
    I32EnumAttrCase<"Lt", 2, "lt">, I32EnumAttrCase<"Le", 3, "le">,
    I32EnumAttrCase<"Gt", 4, "gt">, I32EnumAttrCase<"Ge", 5, "ge">]>;
def Dlm_CompareKindAttr : EnumAttr<Dlm_Dialect, Dlm_CompareKind, "compare_kind">;

def Dlm_ReduceKind : Dlm_Enum<"ReduceKind", "reduction", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"Max", 1, "max">,
    I32EnumAttrCase<"Min", 2, "min">]>;
def Dlm_ReduceKindAttr : EnumAttr<Dlm_Dialect, Dlm_ReduceKind, "reduce_kind">;

def Dlm_RandomKind : Dlm_Enum<"RandomKind", "distribution", [
    I32EnumAttrCase<"Uniform", 0, "uniform">, I32EnumAttrCase<"Normal", 1, "normal">]>;
def Dlm_RandomKindAttr : EnumAttr<Dlm_Dialect, Dlm_RandomKind, "random_kind">;

//===--- attributes -------------------------------------------------------------------------===//

def Dlm_TreeAttr : AttrDef<Dlm_Dialect, "Tree"> {
  let mnemonic = "tree";
  let summary = "the order in which a reduction combines its elements";
  let description = [{
    Element e of the linearised group belongs to chunk e / chunk and, within it, to lane e mod
    lanes. A lane is a sequential chain from the identity (-0.0 for add, -inf for max, +inf for
    min); lanes fold by halving; chunk results fold by halving over the next power of two, padded
    with the identity. The left operand of a fold is the one with the lower number.

    Constraints:
    - (C1) `lanes` is a power of two.
    - (C2) `chunk` is a positive multiple of `lanes`.

    Example: `#dlm.tree<lanes = 128, chunk = 2048>`
  }];
  let parameters = (ins "int64_t":$lanes, "int64_t":$chunk);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Dlm_ChainAttr : AttrDef<Dlm_Dialect, "Chain"> {
  let mnemonic = "chain";
  let summary = "the order in which a matrix product accumulates";
  let description = [{
    The contracted range is cut into `splits` contiguous ranges of ceil(K / splits) elements (the
    last may be shorter). Each is one chain of fused multiply-adds from -0.0 in increasing k. The
    partial sums fold by halving over the next power of two, padded with -0.0.

    Constraints:
    - (C1) `splits` is positive.

    Example: `#dlm.chain<splits = 1>`
  }];
  let parameters = (ins "int64_t":$splits);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif

// The plan dialect: memory and order, no values. See README.md.
#ifndef DLM_DIALECTS_PLAN_DIALECT
#define DLM_DIALECTS_PLAN_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Plan_Dialect : Dialect {
  let name = "plan";
  let cppNamespace = "::plan";
  let summary = "buffers with offsets and instructions in order: what runs";
  let description = [{
    The last rung. Every tensor has become a range of an arena, every operation an instruction that
    names the ranges it reads and writes. Encoding it as a plan blob is a walk without decisions.
  }];
  let useDefaultAttributePrinterParser = 1;
}

def Plan_ArenaKind : I32EnumAttr<"ArenaKind", "what an arena holds", [
    I32EnumAttrCase<"Persistent", 0, "persistent">, I32EnumAttrCase<"Gradients", 1, "gradients">,
    I32EnumAttrCase<"Transient", 2, "transient">, I32EnumAttrCase<"Staging", 4, "staging">,
    I32EnumAttrCase<"Host", 5, "host">]> {
  let cppNamespace = "::plan";
  let genSpecializedAttr = 0;
}

def Plan_ArenaKindAttr : EnumAttr<Plan_Dialect, Plan_ArenaKind, "arena_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def Plan_RefAttr : AttrDef<Plan_Dialect, "Ref"> {
  let mnemonic = "ref";
  let summary = "a range of a buffer: where it begins and how many bytes an instruction may touch";
  let description = [{
    Inside loops the range moves by `step` bytes with each trip: of the outermost loop first.

    Example: `#plan.ref<@states at 0 for 64 step [64]>`
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$buffer, "int64_t":$offset,
                        "int64_t":$sizeBytes, OptionalArrayRefParameter<"int64_t">:$steps);
  let assemblyFormat = "`<` $buffer `at` $offset `for` $sizeBytes (`step` `[` $steps^ `]`)? `>`";
  let builders = [AttrBuilder<(ins "::mlir::FlatSymbolRefAttr":$buffer, "int64_t":$offset,
                                   "int64_t":$sizeBytes), [{
    return $_get($_ctxt, buffer, offset, sizeBytes, ::llvm::ArrayRef<int64_t>());
  }]>];
}

def Plan_RefArray : TypedArrayAttrBase<Plan_RefAttr, "an array of buffer ranges">;

def Plan_StageAttr : AttrDef<Plan_Dialect, "Stage"> {
  let mnemonic = "stage";
  let summary = "one launch of a device function";
  let description = [{
    `grid` blocks of `function`, which gets the addresses of the instruction's arguments, the
    address of `scratch` bytes that belong to this stage and the next ones of the instruction, and
    `numbers`.

    Constraints:
    - C1: there are 1 to 2^31 - 1 blocks, and the scratch is not negative.

    Example: `#plan.stage<@sum.partial grid 12 numbers [4096, 12] scratch 2048>`
  }];
  let parameters = (ins "::mlir::FlatSymbolRefAttr":$function, "int64_t":$grid,
                        OptionalArrayRefParameter<"int64_t">:$numbers, "int64_t":$scratchBytes);
  let assemblyFormat = [{
    `<` $function `grid` $grid `numbers` ` ` `[` (`]`) : ($numbers^ `]`)?
    `scratch` $scratchBytes `>`
  }];
  let genVerifyDecl = 1;
}

def Plan_StageArray : TypedArrayAttrBase<Plan_StageAttr, "an array of stages">;

#endif

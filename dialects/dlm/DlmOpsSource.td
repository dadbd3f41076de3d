// Ops that make a tensor from nothing: constants, indices, random numbers.
#ifndef DLM_DLM_DLMOPSSOURCE_TD
#define DLM_DLM_DLMOPSSOURCE_TD

include "dialects/dlm/DlmOpsElementwise.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"

def Dlm_ConstantOp : Dlm_Op<"constant", [
    ConstantLike, AllTypesMatch<["value", "result"]>, Dlm_ZeroGradient,
    DeclareOpInterfaceMethods<CostModelOpInterface, ["getFlops"]>]> {
  let summary = "a tensor known when the program is compiled";
  let description = [{
    result = value, a dense elements attribute. Weights are never constants: they are inputs.

    Constraints:
    - (C1) The result has the type of `value`.
    - (C2) The element type is i1, ui8, i32, i64 or f32.

    Lifespan: until `fuse`. Example: `%y = dlm.constant dense<1.0> : tensor<4xf32>`
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "attr-dict $value";
  let builders = [OpBuilder<(ins "::mlir::RankedTensorType":$type, "double":$value), [{
    build($_builder, $_state, type, ::dlm::splat(type, value));
  }]>];
  let hasFolder = 1;
}

def Dlm_IotaOp : Dlm_Op<"iota", [Dlm_ZeroGradient, Dlm_Cost]> {
  let summary = "the index along a dimension";
  let description = [{
    result[i] = i[dim].

    Constraints:
    - (C1) `dim` lies within the rank of the result.
    - (C2) The element type is f32, i32 or i64.

    Lifespan: until `fuse`. Example: `%y = dlm.iota dim 1 : tensor<2x3xi32>`
  }];
  let arguments = (ins I64Attr:$dim);
  let results = (outs Dlm_NumberTensor:$result);
  let assemblyFormat = "`dim` $dim attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Dlm_RandomOp : Dlm_Op<"random", [
    Dlm_ZeroGradient, DeclareOpInterfaceMethods<CostModelOpInterface, ["getFlops"]>]> {
  let summary = "reproducible random numbers";
  let description = [{
    Element e in row-major order, at n = `first` + e of a tensor that may be larger (`first` is 0 if
    left out), comes from word n mod 4 of the Philox4x32-10 block with key `seed` and counter
    (n / 4 low, n / 4 high + attempt high, attempt low, site low), 32 bits each.
    uniform: (word >> 8) * 2^-24, in [0, 1). normal: Box-Muller on the word pair w & ~1, w | 1:
    u1 = ((first >> 8) + 1) * 2^-24, u2 = (second >> 8) * 2^-24, r = sqrt(-2 log u1), even words
    give r cos(2 pi u2), odd ones r sin(2 pi u2).

    Constraints:
    - (C1) `seed`, `attempt` and `first` are tensors of rank 0 of i64.
    - (C2) The element type of the result is f32.

    Lifespan: until `fuse`, which keeps it as one op of a kernel body.
    Example: `%y = dlm.random normal %seed, %attempt first %row site 17 : tensor<4xf32>`
  }];
  let arguments = (ins Dlm_RandomKindAttr:$kind, Dlm_CounterScalar:$seed,
                       Dlm_CounterScalar:$attempt, Optional<Dlm_CounterScalar>:$first,
                       I64Attr:$site);
  let results = (outs Dlm_FloatTensor:$result);
  let assemblyFormat = [{
    $kind $seed `,` $attempt (`first` $first^)? `site` $site attr-dict `:` type($result)
  }];
}

#endif

// Ops that move elements and compute nothing. Fusion turns them into index maps.
#ifndef DLM_DLM_DLMOPSSHAPE_TD
#define DLM_DLM_DLMOPSSHAPE_TD

include "dialects/dlm/DlmOpsElementwise.td"

class Dlm_MoveOp<string mnemonic, list<Trait> traits = []>
    : Dlm_Op<mnemonic, [Dlm_Differentiable,
                        DeclareOpInterfaceMethods<CostModelOpInterface, ["getFlops"]>] # traits>;

def Dlm_BroadcastOp : Dlm_MoveOp<"broadcast"> {
  let summary = "repeats a tensor along new or size-1 dimensions";
  let description = [{
    result[i] = x[j] with j[k] = i[dims[k]], or 0 where dimension k of x has size 1.

    Constraints:
    - (C1) `dims` has one entry per dimension of `x`.
    - (C2) `dims` is strictly increasing and lies within the rank of the result.
    - (C3) Dimension k of `x` has size 1 or the size of dimension `dims[k]` of the result.
    - (C4) `x` and the result have the same element type.

    Lifespan: until `fuse`.
    Example: `%y = dlm.broadcast %x dims [1] : tensor<3xf32> -> tensor<2x3xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$x `dims` $dims attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Dlm_ReshapeOp : Dlm_MoveOp<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let description = [{
    Element n of the result in row-major order is element n of x.

    Constraints:
    - (C1) `x` and the result have the same number of elements.
    - (C2) `x` and the result have the same element type.

    Lifespan: a view after `fuse`; gone after `place`.
    Example: `%y = dlm.reshape %x : tensor<2x6xf32> -> tensor<3x4xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$x);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$x attr-dict `:` type($x) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::llvm::ArrayRef<int64_t>":$shape), [{
    auto type = ::llvm::cast<::mlir::RankedTensorType>(x.getType());
    build($_builder, $_state, type.clone(shape), x);
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Dlm_FenceOp : Dlm_MoveOp<"fence", [AllTypesMatch<["x", "result"]>]> {
  let summary = "a tensor that is not there before others are";
  let description = [{
    result = x. What is computed from it comes after `after`, and is not the same to common
    subexpressions as what is computed from x: so the backward part computes again what
    `recompute` asks for, in place of keeping it.

    Constraints:
    - (C1) `x` and the result have the same type.

    Lifespan: from `expand` to `fuse`.
    Example: `%y = dlm.fence %x after %g : tensor<4xf32> after tensor<2xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$x, Variadic<Dlm_Tensor>:$after);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$x `after` $after attr-dict `:` type($x) `after` type($after)";
}

def Dlm_TransposeOp : Dlm_MoveOp<"transpose", [InferTypeOpAdaptor]> {
  let summary = "permutes dimensions";
  let description = [{
    Dimension i of the result is dimension permutation[i] of x.

    Constraints:
    - (C1) `permutation` holds each dimension of `x` exactly once.
    - (C2) The result has the permuted shape and the element type of `x`.

    Lifespan: until `fuse`.
    Example: `%y = dlm.transpose %x permutation [1, 0] : tensor<2x3xf32> -> tensor<3x2xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$x, DenseI64ArrayAttr:$permutation);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = [{
    $x `permutation` $permutation attr-dict `:` type($x) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// Whether it turns the last two dims around and leaves the others, as a product can.
    bool swapsLastTwo();
  }];
  let hasFolder = 1;
}

def Dlm_SliceOp : Dlm_MoveOp<"slice"> {
  let summary = "a part of each dimension";
  let description = [{
    result[i] = x[begins + i].

    Constraints:
    - (C1) `x` and the result have the same rank, and `begins` one entry per dimension.
    - (C2) Each part lies within its dimension of `x`.
    - (C3) `x` and the result have the same element type.

    Lifespan: until `fuse`.
    Example: `%y = dlm.slice %x begins [0, 2] : tensor<3x5xf32> -> tensor<3x2xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$x, DenseI64ArrayAttr:$begins);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$x `begins` $begins attr-dict `:` type($x) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Dlm_PadOp : Dlm_MoveOp<"pad"> {
  let summary = "more elements of one value before and after";
  let description = [{
    result[low + i] = x[i]; every other element is `value` as the element type has it.

    Constraints:
    - (C1) `x` and the result have the same rank, and `low` one entry per dimension.
    - (C2) x, `low` elements after the beginning, lies within the result.
    - (C3) `x` and the result have the same element type.

    Lifespan: until `fuse`.
    Example: `%y = dlm.pad %x low [0, 1] value 0.0 : tensor<3x2xf32> -> tensor<3x5xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$x, DenseI64ArrayAttr:$low, F64Attr:$value);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = [{
    $x `low` $low `value` $value attr-dict `:` type($x) `->` type($result)
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Dlm_FlipOp : Dlm_MoveOp<"flip", [AllTypesMatch<["x", "result"]>]> {
  let summary = "turns dimensions around";
  let description = [{
    result[i] = x[j] with j[d] = size - 1 - i[d] for each d of `dims`, else i[d].

    Constraints:
    - (C1) `dims` increases within the rank.
    - (C2) `x` and the result have the same type.

    Lifespan: until `fuse`. Example: `%y = dlm.flip %x dims [1] : tensor<3x2xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$x, DenseI64ArrayAttr:$dims);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$x `dims` $dims attr-dict `:` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Dlm_ConcatOp : Dlm_MoveOp<"concat"> {
  let summary = "tensors one behind the other along a dimension";
  let description = [{
    Along `dim` the result is the elements of the first part, then those of the second, ...

    Constraints:
    - (C1) There is a part, and `dim` lies within the rank of all parts and of the result.
    - (C2) But for `dim`, parts and result have the same sizes.
    - (C3) Along `dim`, the size of the result is the sum of those of the parts.
    - (C4) Parts and result have the same element type.

    Lifespan: until `fuse`. Example:
    `%y = dlm.concat %a, %b dim 1 : tensor<3x2xf32>, tensor<3x4xf32> -> tensor<3x6xf32>`
  }];
  let arguments = (ins Variadic<Dlm_Tensor>:$parts, I64Attr:$dim);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$parts `dim` $dim attr-dict `:` type($parts) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

#endif

// Ops that choose elements by index: what is taken depends on data.
#ifndef DLM_DLM_DLMOPSGATHER_TD
#define DLM_DLM_DLMOPSGATHER_TD

include "dialects/dlm/DlmOpsShape.td"

def Dlm_IdTensor : RankedTensorOf<[UI8, I32, I64]>;

def Dlm_GatherOp : Dlm_MoveOp<"gather"> {
  let summary = "elements along a dimension, by their index";
  let description = [{
    result[a, b, c] = x[a, ids[a, b], c]: a is the dimensions in front of `dim`, c those behind it,
    and b what else `ids` has. An id that is no index gives NaN in f32, 0 in other types; nothing
    is read.

    Constraints:
    - (C1) `dim` lies within the rank of `x`.
    - (C2) `ids` begins with the sizes of `x` in front of `dim`.
    - (C3) The result has the sizes of `ids`, then those of `x` behind `dim`.
    - (C4) `x` and the result have the same element type.

    Lifespan: until `fuse`. Example:
    `%y = dlm.gather %x, %ids dim 0 : tensor<7x3xf32>, tensor<2x4xi32> -> tensor<2x4x3xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$x, Dlm_IdTensor:$ids, I64Attr:$dim);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = [{
    $x `,` $ids `dim` $dim attr-dict `:` type($x) `,` type($ids) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Dlm_ScatterAddOp : Dlm_Op<"scatter_add", [
    Dlm_Differentiable, DeclareOpInterfaceMethods<CostModelOpInterface, ["getFlops"]>]> {
  let summary = "sums of elements by their index: the transpose of gather";
  let description = [{
    result[a, n, c] = the sum of x[a, b, c] over all b with ids[a, b] = n, as one chain from -0.0
    in row-major order of b. Ids that are no index add to nothing.

    Constraints:
    - (C1) `dim` lies within the rank of `ids` or is that rank, and within the rank of the result.
    - (C2) `x` begins with the sizes of `ids`, and `ids` with those of the result before `dim`.
    - (C3) Behind them, `x` has the sizes of the result behind `dim`.

    Lifespan: until `fuse`. Example:
    `%y = dlm.scatter_add %x, %ids dim 0 : tensor<4x3xf32>, tensor<4xi32> -> tensor<7x3xf32>`
  }];
  let arguments = (ins Dlm_FloatTensor:$x, Dlm_IdTensor:$ids, I64Attr:$dim);
  let results = (outs Dlm_FloatTensor:$result);
  let assemblyFormat = [{
    $x `,` $ids `dim` $dim attr-dict `:` type($x) `,` type($ids) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif

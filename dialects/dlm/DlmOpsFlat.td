// Flat vectors with segments: how parameters, gradients and optimizer state are kept. Both ops are
// views: they cost nothing once buffers are placed.
#ifndef DLM_DLM_DLMOPSFLAT_TD
#define DLM_DLM_DLMOPSFLAT_TD

include "dialects/dlm/DlmOpsShape.td"

def Dlm_SegmentOp : Dlm_MoveOp<"segment"> {
  let summary = "a tensor out of a flat vector";
  let description = [{
    result = elements [offset, offset + count) of `flat` as a row-major tensor.

    Constraints:
    - (C1) `flat` has rank 1.
    - (C2) The segment lies within `flat`.
    - (C3) `flat` and the result have the same element type.

    Lifespan: a view after `fuse`; gone after `place`.
    Example: `%w = dlm.segment %flat offset 2048 : tensor<4096xf32> -> tensor<16x4xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$flat, I64Attr:$offset);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = "$flat `offset` $offset attr-dict `:` type($flat) `->` type($result)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Dlm_PackOp : Dlm_MoveOp<"pack"> {
  let summary = "a flat vector out of tensors";
  let description = [{
    Elements [offsets[i], offsets[i] + count of operand i) of the result are operand i in row-major
    order; all others are zero.

    Constraints:
    - (C1) There is one offset per operand.
    - (C2) The segments are in increasing order, do not overlap, and lie within the result.
    - (C3) The result has rank 1.
    - (C4) Operands and result have the same element type.

    Lifespan: a view after `fuse`; gone after `place`. Example:
    `%flat = dlm.pack %a, %b offsets [0, 2048] : tensor<4x4xf32>, tensor<4xf32> -> tensor<4096xf32>`
  }];
  let arguments = (ins Variadic<Dlm_Tensor>:$parts, DenseI64ArrayAttr:$offsets);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = [{
    $parts `offsets` $offsets attr-dict `:` type($parts) `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif

// Ops that look at a tensor through windows that move over it, and the sum that undoes it.
#ifndef DLM_DLM_DLMOPSWINDOW_TD
#define DLM_DLM_DLMOPSWINDOW_TD

include "dialects/dlm/DlmOpsShape.td"

def Dlm_WindowsOp : Dlm_MoveOp<"windows"> {
  let summary = "the elements under windows that move over neighbouring dimensions";
  let description = [{
    With n entries in `strides`, windows move over the n dimensions from `dim` on:
    result[a, o1 .. on, k1 .. kn, c] = x[a, p1 .. pn, c], pi = oi * stride + ki * dilation - low,
    and zero where a pi lies outside of x. So o numbers the windows, k the places in a window.

    Constraints:
    - (C1) `strides`, `dilations` and `low` have one entry for each of n dimensions, n at least 1;
      strides and dilations are positive.
    - (C2) The n dimensions from `dim` on lie within the rank of `x`.
    - (C3) The result has n dimensions more; before and behind those of the windows, its sizes are
      those of `x`.
    - (C4) `x` and the result have the same element type.

    Lifespan: until `fuse`. Example:
    `%y = dlm.windows %x dim 1 strides [2] dilations [1] low [1]
        : tensor<4x6x3xf32> -> tensor<4x3x3x3xf32>`
  }];
  let arguments = (ins Dlm_Tensor:$x, I64Attr:$dim, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low);
  let results = (outs Dlm_Tensor:$result);
  let assemblyFormat = [{
    $x `dim` $dim `strides` $strides `dilations` $dilations `low` $low attr-dict
    `:` type($x) `->` type($result)
  }];
  let hasVerifier = 1;
}

def Dlm_OverlapAddOp : Dlm_Op<"overlap_add", [
    Dlm_Differentiable, DeclareOpInterfaceMethods<CostModelOpInterface, ["getFlops"]>]> {
  let summary = "windows put back where they were, summed where they overlap: windows transposed";
  let description = [{
    result[a, p1 .. pn, c] = the sum of x[a, o1 .. on, k1 .. kn, c] over all o and k with
    pi = oi * stride + ki * dilation - low, as one chain from -0.0 in row-major order of k (for
    each k there is at most one o). Elements whose p lies outside of the result add to nothing.

    Constraints:
    - (C1) as windows C1.
    - (C2) The n dimensions from `dim` on lie within the rank of the result.
    - (C3) `x` has n dimensions more; before and behind those of the windows, its sizes are those of
      the result.

    Lifespan: until `fuse`. Example:
    `%y = dlm.overlap_add %x dim 1 strides [2] dilations [1] low [1]
        : tensor<4x3x3x3xf32> -> tensor<4x6x3xf32>`
  }];
  let arguments = (ins Dlm_FloatTensor:$x, I64Attr:$dim, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$dilations, DenseI64ArrayAttr:$low);
  let results = (outs Dlm_FloatTensor:$result);
  let assemblyFormat = [{
    $x `dim` $dim `strides` $strides `dilations` $dilations `low` $low attr-dict
    `:` type($x) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// The sizes of a window.
    ::llvm::SmallVector<int64_t> getWindow();
  }];
  let hasVerifier = 1;
}

#endif

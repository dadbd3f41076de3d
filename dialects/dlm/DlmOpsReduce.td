// Ops that combine the elements along dimensions. The order is part of the value: see #dlm.tree.
#ifndef DLM_DLM_DLMOPSREDUCE_TD
#define DLM_DLM_DLMOPSREDUCE_TD

include "dialects/dlm/DlmOpsElementwise.td"

def Dlm_ReduceOp : Dlm_Op<"reduce", [
    InferTypeOpAdaptor, Dlm_Differentiable,
    DeclareOpInterfaceMethods<CostModelOpInterface, ["getFlops"]>]> {
  let summary = "sum, maximum or minimum over dimensions";
  let description = [{
    Combines all elements of x that differ only in `dims`; these dimensions are dropped. Without a
    `tree` the elements combine one after the other in row-major order. max and min give NaN if
    any element is NaN. The gradient of max and min is split evenly among the elements that
    attain it, or with `toFirst` goes to the first of them in row-major order.

    Constraints:
    - (C1) `dims` is strictly increasing and lies within the rank of `x`.
    - (C2) The result has the remaining dimensions and the element type of `x`.
    - (C3) The element type is f32, i32 or i64.

    Lifespan: until `fuse`; `tree` is required after `pin`. Example:
    `%y = dlm.reduce add %x dims [1] {tree = #dlm.tree<lanes = 128, chunk = 2048>}
        : tensor<8x300xf32> -> tensor<8xf32>`
  }];
  let arguments = (ins Dlm_ReduceKindAttr:$kind, Dlm_NumberTensor:$x, DenseI64ArrayAttr:$dims,
                       OptionalAttr<Dlm_TreeAttr>:$tree, UnitProp:$toFirst);
  let results = (outs Dlm_NumberTensor:$result);
  let assemblyFormat = [{
    $kind $x `dims` $dims (`toFirst` $toFirst^)? attr-dict `:` type($x) `->` type($result)
  }];
  let hasFolder = 1;
}

def Dlm_ArgmaxOp : Dlm_Op<"argmax", [
    InferTypeOpAdaptor, Dlm_ZeroGradient,
    DeclareOpInterfaceMethods<CostModelOpInterface, ["getFlops"]>]> {
  let summary = "where the maximum along a dimension is";
  let description = [{
    The index along `dim` of the largest element; the dimension is dropped. What the scan
    `best = -inf, at = 0; for e: if (x[e] > best) best = x[e], at = e` leaves in `at` (for integers
    from the smallest value): ties give the lowest index, NaNs are passed over, and the index is 0
    where no element is above -inf.

    Constraints:
    - (C1) `dim` lies within the rank of `x`.
    - (C2) The result has the remaining dimensions and element type i32.
    - (C3) The element type of `x` is f32, i32 or i64.

    Lifespan: until `fuse`.
    Example: `%y = dlm.argmax %x dim 1 : tensor<8x10xf32> -> tensor<8xi32>`
  }];
  let arguments = (ins Dlm_NumberTensor:$x, I64Attr:$dim);
  let results = (outs Dlm_IndexTensor:$result);
  let assemblyFormat = "$x `dim` $dim attr-dict `:` type($x) `->` type($result)";
}

#endif

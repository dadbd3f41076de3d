// Products that contract dimensions. The order is part of the value: see #dlm.chain.
#ifndef DLM_DLM_DLMOPSCONTRACT_TD
#define DLM_DLM_DLMOPSCONTRACT_TD

include "dialects/dlm/DlmOpsElementwise.td"

def Dlm_MatmulOp : Dlm_Op<"matmul", [
    InferTypeOpAdaptor, Dlm_Differentiable,
    DeclareOpInterfaceMethods<CostModelOpInterface, ["getFlops"]>]> {
  let summary = "matrix products side by side, either side transposed on demand";
  let description = [{
    result[..., m, n] = sum over k of A[..., m, k] * B[..., k, n], where A is `lhs` or its
    transpose, B is `rhs` or its transpose; a transpose turns the last two dims around, and those
    before them number the products. One chain of fused multiply-adds from -0.0 in increasing k,
    unless `chain` says otherwise.

    Constraints:
    - (C1) `lhs` and `rhs` have one rank, of at least 2.
    - (C2) A and B agree on the contracted size.
    - (C3) The result has shape [..., M, N].
    - (C4) The element types are f32.
    - (C5) `lhs` and `rhs` agree on the sizes of the dims before the last two.

    Lifespan: until `fuse`; `chain` is required after `pin`. Example:
    `%y = dlm.matmul %a, %b transposeRhs {chain = #dlm.chain<splits = 1>}
        : tensor<8x4xf32>, tensor<3x4xf32> -> tensor<8x3xf32>`
  }];
  let arguments = (ins Dlm_FloatTensor:$lhs, Dlm_FloatTensor:$rhs,
                       UnitProp:$transposeLhs, UnitProp:$transposeRhs,
                       OptionalAttr<Dlm_ChainAttr>:$chain);
  let results = (outs Dlm_FloatTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs (`transposeLhs` $transposeLhs^)? (`transposeRhs` $transposeRhs^)?
    attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
  let extraClassDeclaration = [{
    /// How many products, and their sizes: A is [M, K], B is [K, N].
    int64_t getBatch();
    int64_t getM();
    int64_t getN();
    int64_t getK();
  }];
}

#endif

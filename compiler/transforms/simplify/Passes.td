// The passes of the phase `simplify`. All of them keep every bit, so the phase runs before `pin`
// and again after it.
#ifndef DLM_COMPILER_TRANSFORMS_SIMPLIFY_PASSES_TD
#define DLM_COMPILER_TRANSFORMS_SIMPLIFY_PASSES_TD

include "mlir/Pass/PassBase.td"

def FoldMovesPass : Pass<"dlm-fold-moves", "::mlir::func::FuncOp"> {
  let summary = "merge moves of elements with each other and with the products that read them";
  let description = [{
    **Before**: any `dlm` ops.
    **After**: a product reads no transpose of rank 2; no broadcast reads a broadcast; a broadcast,
    transpose or reduction that moves and combines nothing, because the sizes are 1, is a reshape;
    reshapes that add or drop dims of size 1 stand behind elementwise ops and not before broadcasts.
    **Why here**: autodiff writes such moves; fusion would have to see through them.
    **Example**: `matmul (transpose %a), %b` becomes `matmul %a, %b transposeLhs`.
  }];
  let dependentDialects = ["::dlm::DlmDialect"];
}

def FoldScansPass : Pass<"dlm-fold-scans", "::mlir::func::FuncOp"> {
  let summary = "remove from loops what they need not carry, read or write";
  let description = [{
    **Before**: any `dlm` ops.
    **After**: every result of a `dlm.scan` is read, or needed in its body by one that is; its body
    reads every slice and capture, none of them twice; no state stays as it is; no slice or capture
    is a constant; no output is a slice or a capture. A loop of one trip is its body.
    **Why here**: autodiff and the library write such loops; fusion would give it all memory.
    **Example**: a state that the body yields unchanged is a capture, and after the loop what it was
    before.
  }];
  let dependentDialects = ["::dlm::DlmDialect"];
}

#endif

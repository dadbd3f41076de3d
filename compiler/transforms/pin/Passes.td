// The passes of the phase `pin`, in the order of its pipeline. After them no pass may change one
// bit of any value.
#ifndef DLM_COMPILER_TRANSFORMS_PIN_PASSES_TD
#define DLM_COMPILER_TRANSFORMS_PIN_PASSES_TD

include "mlir/Pass/PassBase.td"

def SplitMixedReductionsPass : Pass<"dlm-split-mixed-reductions", "::mlir::func::FuncOp"> {
  let summary = "let every reduction be over trailing dims or over leading ones, never both";
  let description = [{
    **Before**: reductions over any dims.
    **After**: a reduction that drops the last dim drops a contiguous run of trailing dims and
    nothing else; what it dropped beyond that is a second reduction of its result.
    **Why here**: the two kinds have different trees, so the split decides bits; it must precede
    dlm-assign-orders.
    **Example**: `reduce add %x dims [0, 2] : tensor<4x5x6xf32>` becomes
    `reduce add (reduce add %x dims [2]) dims [0]`.
  }];
  let dependentDialects = ["::dlm::DlmDialect"];
}

def AssignOrdersPass : Pass<"dlm-assign-orders", "::mlir::func::FuncOp"> {
  let summary = "give every reduction its tree and every product its chain";
  let description = [{
    **Before**: no mixed reduction is left.
    **After**: a reduction over trailing dims has `#dlm.tree<lanes = 128, chunk = 2048>`, any other
    `#dlm.tree<lanes = 1, chunk = 64>`; a product has `#dlm.chain<splits = 1>`. An order that is
    already there stays.
    **Why here**: after everything that may change a value.
    **Example**: `reduce add %x dims [1] : tensor<8x300xf32>` gets the tree of 128 lanes.
  }];
  let dependentDialects = ["::dlm::DlmDialect"];
}

def VerifyPinPass : Pass<"dlm-verify-pin", "::mlir::func::FuncOp"> {
  let summary = "check that no order is left open";
  let description = [{
    **Before**: anything.
    **After**: every reduction has a tree that fits its dims, every product a chain; otherwise an
    error that names op and phase.
    **Why here**: last, as the promise of the phase.
    **Example**: `reduce add %x dims [1]` without a tree: "has no tree after pin".
  }];
}

#endif

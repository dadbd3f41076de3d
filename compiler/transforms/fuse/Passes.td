// The passes of the phase `fuse`, in pipeline order.
#ifndef DLM_TRANSFORMS_FUSE_PASSES
#define DLM_TRANSFORMS_FUSE_PASSES

include "mlir/Pass/PassBase.td"

def FuseKernelsPass : Pass<"dlm-fuse-kernels", "::mlir::ModuleOp"> {
  let summary = "puts every op of a program into one kernel, product or view";
  let description = [{
    **Before**: functions of pinned `dlm` ops: every reduce has its tree, every matmul its chain.

    **After**: the functions and the bodies of loops hold `kernel.launch`, `kernel.contract`, the
    views `dlm.reshape`, `dlm.segment`, `dlm.pack` and loops `dlm.scan` only, whose bodies do not
    read the number of their trip; the module holds one `kernel.func` for each distinct body. No
    value has changed by one bit.

    **Why here**: after `pin`, because only then is it known that grouping cannot change a result;
    before `place`, because which values lie in memory at all is decided here.

    **Example**:
    ```mlir
    %1 = dlm.exp %0 : tensor<64x10xf32>
    %2 = dlm.reduce add %1 dims [1] #dlm.tree<lanes = 128, chunk = 2048>
        : tensor<64x10xf32> -> tensor<64xf32>
    // becomes
    %2 = kernel.launch @row_exp_add_0(%0) extent 64 : (tensor<64x10xf32>) -> tensor<64xf32>
    ```
  }];
  let dependentDialects = ["::kernel::KernelDialect", "::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

def VerifyFusePass : Pass<"dlm-verify-fuse", "::mlir::ModuleOp"> {
  let summary = "fail if an op of a program is neither launch, product, view nor loop";
  let description = [{
    **Before**: anything.

    **After**: what `dlm-fuse-kernels` promises holds, or an error names the op that breaks it.

    **Why here**: the exit of the phase.

    **Example**: a `dlm.add` left in a function is an error.
  }];
}

#endif

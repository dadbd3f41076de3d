// The pass that takes kernels to LLVM.
#ifndef DLM_KERNEL_TO_LLVM_PASSES_TD
#define DLM_KERNEL_TO_LLVM_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertKernelToLlvmPass : Pass<"dlm-convert-kernel-to-llvm", "::mlir::ModuleOp"> {
  let summary = "Turn every kernel into a vector function of the kernel ABI";
  let description = [{
    **Before**: `kernel.func` ops with verified bodies; launches in the module are not touched and
    no longer resolve.
    **After**: one `llvm.func @name(ctx, buffers, begin, end)` a kernel, all in the `llvm` dialect.
    The bits it computes are those of the body's text, whatever the vector width.
    **Why here**: last step before LLVM IR; `place` has fixed buffers and equal kernels are merged.
    **Example**:
    ```mlir
    kernel.func @relu(%x: tensor<?xf32>) -> (%y: tensor<?xf32>) over <linear, [?]> { ... }
    // becomes
    llvm.func @relu(%ctx: !llvm.ptr, %buffers: !llvm.ptr, %begin: i64, %end: i64)
    ```
  }];
  let options = [Option<"vectorWidth", "vector-width", "int64_t", "32",
                        "Lanes of a vector: 16, 32 or 64. No bit depends on it.">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

#endif

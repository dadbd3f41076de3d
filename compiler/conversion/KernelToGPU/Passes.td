// The pass that takes kernels to device code.
#ifndef DLM_KERNEL_TO_GPU_PASSES_TD
#define DLM_KERNEL_TO_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertKernelToGpuPass : Pass<"dlm-convert-kernel-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Add device code for what a placed module launches, and the stages that launch it";
  let description = [{
    **Before**: a module that `place` made: kernels, memory, programs.
    **After**: the same module with a `gpu.module` at its end, a `plan.function` for each function
    in it, and stages on each launch and product. The kernels stay; the bits are those of their
    text.
    **Why here**: `place` has fixed addresses, so alignment and the largest extents are known.
    **Example**:
    ```mlir
    plan.launch @relu items 1 extent 16 [#plan.ref<@x at 0 for 64>, #plan.ref<@y at 0 for 64>]
    // becomes
    plan.launch @relu items 1 extent 16 [#plan.ref<@x at 0 for 64>, #plan.ref<@y at 0 for 64>]
        stages [#plan.stage<@relu_linear grid 1 numbers [16, 1] scratch 0>]
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"];
}

#endif

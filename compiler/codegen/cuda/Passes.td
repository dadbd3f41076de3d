// The pass that lowers device code to NVVM; the compiler calls the function.
#ifndef DLM_CODEGEN_CUDA_PASSES_TD
#define DLM_CODEGEN_CUDA_PASSES_TD

include "mlir/Pass/PassBase.td"

def LowerToNvvmPass : Pass<"dlm-lower-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "Lower the device code of a module to NVVM";
  let description = [{
    **Before**: a `gpu.module` of `gpu`, `arith`, `math`, `scf`, `cf` and `llvm` ops.
    **After**: the same with `llvm` and `nvvm` ops only.
    **Why here**: elementary functions are written out, so no pattern is needed that calls NVIDIA's
    libdevice.
    **Example**:
    ```mlir
    gpu.func @f() kernel { gpu.barrier  gpu.return }
    // becomes
    llvm.func @f() attributes {gpu.kernel, nvvm.kernel} { nvvm.barrier0  llvm.return }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::gpu::GPUDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"];
}

#endif

// Kernels to functions of the kernel ABI in the `llvm` dialect.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace kernel {

struct KernelToLLVMOptions {
  /// Lanes of a vector: 16, 32 or 64. No bit depends on it.
  int64_t vectorWidth = 32;
};

/// A module with copies of the kernels of `module` alone, ready to be converted.
mlir::OwningOpRef<mlir::ModuleOp> extractKernels(mlir::ModuleOp module);

/// Replaces every `kernel.func` of the module by an `llvm.func` of the same name. Loads the
/// dialects it needs, so it must not run inside a pass (the pass `dlm-convert-kernel-to-llvm` does
/// the same).
mlir::LogicalResult convertKernelsToLLVM(mlir::ModuleOp module, KernelToLLVMOptions options = {});

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/conversion/KernelToLLVM/Passes.h.inc"

} // namespace kernel

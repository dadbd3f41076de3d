// Kernels and products of a placed module as functions of a `gpu.module`, and the stages by which
// the plan launches them.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace kernel {

/// The name of the `gpu.module` that `convertKernelsToGPU` makes.
constexpr char DeviceModuleName[] = "device";

/// A new module with one `gpu.module` that holds device code for every kernel that `module` (the
/// result of `place`) launches and for every product. In `module` each `plan.launch` and
/// `plan.contract` gets its stages, and a `plan.function` op is added for each device function.
/// Null after an error was emitted.
///
/// A device function takes the instruction's arguments as pointers to global memory, then a pointer
/// to scratch memory, then i64 numbers: extent and items for a kernel, m, n and k for a product.
/// Blocks and grids have one dim. Only `gpu`, `arith`, `math`, `scf`, `cf` and `llvm` ops are left.
mlir::OwningOpRef<mlir::ModuleOp> convertKernelsToGPU(mlir::ModuleOp module);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/conversion/KernelToGPU/Passes.h.inc"

} // namespace kernel

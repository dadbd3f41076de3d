// The phase `pin`: every sum gets its order. From here on no bit of any value may change.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace dlm::pin {

#define GEN_PASS_DECL
#include "compiler/transforms/pin/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/transforms/pin/Passes.h.inc"

/// Appends the phase's passes to a pipeline of a module, its exit verifier last.
void buildPipeline(mlir::OpPassManager &passes);

/// Registers the single passes and the pipeline `dlm-pin`.
void registerDlmPinPasses();

} // namespace dlm::pin

// The phase `simplify`: fewer ops, the same bits.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace dlm::simplify {

#define GEN_PASS_DECL
#include "compiler/transforms/simplify/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/transforms/simplify/Passes.h.inc"

/// Appends the phase's passes to a pipeline of a module.
void buildPipeline(mlir::OpPassManager &passes);

/// Registers the single passes and the pipeline `dlm-simplify`.
void registerDlmSimplifyPasses();

} // namespace dlm::simplify

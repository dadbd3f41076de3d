// The phase `expand`: the declared run -> programs over named buffers, with their gradients.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace dlm::expand {

#define GEN_PASS_DECL
#include "compiler/transforms/expand/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/transforms/expand/Passes.h.inc"

/// Appends the phase's passes, its exit verifier last.
void buildPipeline(mlir::OpPassManager &passes);

/// Registers the single passes and the pipeline `dlm-expand`.
void registerDlmExpandPasses();

} // namespace dlm::expand

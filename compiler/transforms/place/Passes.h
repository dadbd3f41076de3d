// The phase `place`: values become ranges of arenas.
#pragma once

#include "dialects/plan/Plan.h"

#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>

namespace dlm::place {

#define GEN_PASS_DECL
#include "compiler/transforms/place/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/transforms/place/Passes.h.inc"

/// Appends the phase's passes to a pipeline of a module, its exit verifier last.
void buildPipeline(mlir::OpPassManager &passes);

/// Registers the single passes and the pipeline `dlm-place`.
void registerDlmPlacePasses();

} // namespace dlm::place

// The phase `fuse`: programs of tensor ops become programs of kernels.
#pragma once

#include "dialects/kernel/Kernel.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>

namespace dlm::fuse {

#define GEN_PASS_DECL
#include "compiler/transforms/fuse/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "compiler/transforms/fuse/Passes.h.inc"

/// Appends the phase's passes to a pipeline of a module, its exit verifier last.
void buildPipeline(mlir::OpPassManager &passes);

/// Registers the single passes and the pipeline `dlm-fuse`.
void registerDlmFusePasses();

} // namespace dlm::fuse

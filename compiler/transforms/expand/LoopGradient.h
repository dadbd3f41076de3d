// The gradient of a loop: a loop in the other direction.
//
//   forward     state, y = step(k, state, x[k], captures), and the state before each trip is kept
//   backward    step again, and its gradient: from the gradients of the next state and of y[k] to
//               those of the state, which is carried, of x[k], which is stacked, and of the
//               captures, which is added up from -0.0
//
// So what a trip computes is not kept but computed twice, and nothing but states lies in memory
// for all trips. A loop backwards is a loop: its own gradient is built in the same way.
#pragma once

#include "compiler/transforms/expand/Activity.h"
#include "dialects/dlm/Dlm.h"

namespace dlm::expand {

/// Builds the gradients of the operands of `scan`: null for those that are not in `active`, which
/// knows the step too. Gradients of results may be null, but not all. The uses of `scan` become
/// those of a loop that keeps its states, if they are needed, and it is left without any.
mlir::LogicalResult buildLoopGradient(mlir::OpBuilder &builder, ScanOp scan,
                                      const ActiveValues &active,
                                      llvm::ArrayRef<mlir::Value> resultGrads,
                                      llvm::SmallVectorImpl<mlir::Value> &operandGrads);

} // namespace dlm::expand

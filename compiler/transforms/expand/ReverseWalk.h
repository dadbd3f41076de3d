// The state of a reverse walk over the ops of one block.
#pragma once

#include "compiler/transforms/expand/Activity.h"
#include "compiler/transforms/expand/Recompute.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace dlm::expand {

class ReverseWalk {
public:
  /// Of the ops that stand before the builder in its block, with respect to `inputs`; what it
  /// builds comes behind them.
  ReverseWalk(mlir::OpBuilder &builder, mlir::ValueRange inputs);

  /// Adds to the gradient of a value; nothing if either depends on no input.
  void add(mlir::Value value, mlir::Value gradient);

  /// Hands the gradients that were added on, from the last op to the first. Fails, with an error at
  /// the op, where a gradient would pass an op that has none.
  mlir::LogicalResult run();

  /// Null if there is none.
  mlir::Value gradientOf(mlir::Value value) const { return gradients.lookup(value); }

private:
  mlir::LogicalResult visit(mlir::Operation *op);

  mlir::OpBuilder &build;
  llvm::SmallVector<mlir::Operation *> ops;
  Recomputation recomputation;
  ActiveValues active;
  llvm::DenseMap<mlir::Value, mlir::Value> gradients;
};

} // namespace dlm::expand

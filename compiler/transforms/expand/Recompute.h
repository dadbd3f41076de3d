// What the backward part computes again, in place of what the forward part would have to keep.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace dlm::expand {

/// The attribute of ops of a call that is computed again: the number of the call.
inline constexpr const char *RecomputeAttr = "dlm.recompute";

/// Copies of the calls among the ops of a block, each made when a gradient first reaches it. A copy
/// reads what the call read through fences behind that gradient and behind the result it is of: so
/// it is not merged with the call, and comes no earlier.
class Recomputation {
public:
  void find(llvm::ArrayRef<mlir::Operation *> ops);

  /// The op whose operands and results the gradient of `op` is written with: its copy, or `op`
  /// itself if it is of no such call. `gradients`: those of its results that there are.
  mlir::Operation *copyOf(mlir::OpBuilder &build, mlir::Operation *op,
                          llvm::ArrayRef<mlir::Value> gradients);

private:
  void copy(mlir::OpBuilder &build, llvm::ArrayRef<mlir::Operation *> call,
            llvm::ArrayRef<mlir::Value> after);

  llvm::DenseMap<int64_t, llvm::SmallVector<mlir::Operation *>> calls; // in program order
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> copies;
};

} // namespace dlm::expand

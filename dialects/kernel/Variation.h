// Which dims of its space a value of a kernel body varies over. Everything rests on it: where a
// value is computed, what a store must name, what a reduction removes.
#pragma once

#include "dialects/kernel/Kernel.h"
#include "llvm/ADT/DenseMap.h"

namespace kernel {

/// A set of dims, one bit each.
using DimSet = uint64_t;

/// Computed once for a body, in one walk.
class Variation {
public:
  explicit Variation(FuncOp func);
  /// The dims that `value` varies over.
  DimSet of(mlir::Value value) const { return sets.lookup(value); }
  bool variesOver(mlir::Value value, unsigned dim) const { return of(value) >> dim & 1; }

private:
  llvm::DenseMap<mlir::Value, DimSet> sets;
};

/// The dims that the results of a map name.
DimSet getDims(mlir::AffineMap map);

} // namespace kernel

// Writes the body of one kernel. Starting from the values that it must store, it walks backwards
// through the ops that the kernel may compute itself, at the index each of them is needed at, down
// to values in memory, which it loads. One (value, index) is computed once; the same value at two
// indices is two computations.
//
// Trying whether a set of ops can be one kernel is building it: the result is thrown away.
#pragma once

#include "compiler/transforms/fuse/SpaceIndex.h"
#include "dialects/kernel/Kernel.h"

#include <mlir/IR/Builders.h>
#include <mlir/IR/OwningOpRef.h>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

namespace dlm::fuse {

/// What kind of space a kernel runs over. `rows`: for Row the number of grid points (0: no grid),
/// for Column and Scatter the reduced extent. `inner`: the row's length, the columns, or all points
/// of a Pointwise. `groups` and `places` are the first two extents of a Scatter.
struct SpaceKind {
  enum Kind { Pointwise, Row, Column, Scatter } kind = Pointwise;
  int64_t rows = 1;
  int64_t inner = 1;
  int64_t groups = 1;
  int64_t places = 1;
};

/// A kernel and what it is launched on.
struct BuiltKernel {
  mlir::OwningOpRef<kernel::FuncOp> function;
  llvm::SmallVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::Value> outputs;
  int64_t extent = 1;
};

/// Tells whether the kernel computes a value itself rather than loading it.
using IsComputed = llvm::function_ref<bool(mlir::Value)>;

/// Builds a kernel that stores `roots`. On failure `blamed` is the value that should be stored by
/// another kernel instead, if there is one.
mlir::FailureOr<BuiltKernel> buildKernel(const SpaceKind &kind, llvm::ArrayRef<mlir::Value> roots,
                                         IsComputed isComputed, llvm::StringRef name,
                                         mlir::Value &blamed);

} // namespace dlm::fuse

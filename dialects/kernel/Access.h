// How a load or store names an element: an index for each dim of the tensor. Verifier, lowering,
// interpreter and cost read the maps through this.
#pragma once

#include "dialects/kernel/Kernel.h"
#include "mlir/IR/AffineExpr.h"

#include <optional>

namespace kernel {

/// offset + factor * d, or a value that is given at run time.
struct AccessIndex {
  enum Kind { Constant, Dim, Given } kind = Constant;
  unsigned position = 0; // of the dim, or of the given value
  int64_t factor = 0;    // 1 or -1 for a dim
  int64_t offset = 0;

  bool isPlainDim() const { return kind == Dim && factor == 1 && offset == 0; }
  /// The smallest and largest index over `extent` points of the dim; not of what is given.
  int64_t getLow(int64_t extent) const;
  int64_t getHigh(int64_t extent) const;
};

/// What a map's result says; nothing if it is no index.
std::optional<AccessIndex> readIndex(mlir::AffineExpr expr);

/// All indices of a verified map.
llvm::SmallVector<AccessIndex, 4> readIndices(mlir::AffineMap map);

/// True if the index may lie outside of [0, size) at some point of the space.
bool mayLeave(const AccessIndex &index, SpaceAttr space, int64_t size);

} // namespace kernel

// How a load or store names an element: an index for each dim of the tensor. Verifier, lowering,
// interpreter and cost read the maps through this.
#pragma once

#include "dialects/kernel/Kernel.h"
#include "mlir/IR/AffineExpr.h"

#include <optional>

namespace kernel {

/// offset + the sum of factor * d over some dims d, or a value that is given at run time.
struct AccessIndex {
  struct Term {
    unsigned dim;
    int64_t factor; // not 0
  };
  enum Kind { Sum, Given } kind = Sum;
  unsigned given = 0;               // the number of the given value
  llvm::SmallVector<Term, 2> terms; // no dim twice
  int64_t offset = 0;

  bool isZero() const { return kind == Sum && terms.empty() && offset == 0; }
  bool isPlainDim() const {
    return kind == Sum && terms.size() == 1 && terms[0].factor == 1 && offset == 0;
  }
  /// The smallest and largest index where a dim d has extent(d) points; not of what is given.
  using ExtentOf = llvm::function_ref<int64_t(unsigned)>;
  int64_t getLow(ExtentOf extent) const;
  int64_t getHigh(ExtentOf extent) const;
};

/// What a map's result says; nothing if it is no index.
std::optional<AccessIndex> readIndex(mlir::AffineExpr expr);

/// All indices of a verified map.
llvm::SmallVector<AccessIndex, 4> readIndices(mlir::AffineMap map);

/// True if the index may lie outside of [0, size) at some point of the space.
bool mayLeave(const AccessIndex &index, SpaceAttr space, int64_t size);

} // namespace kernel

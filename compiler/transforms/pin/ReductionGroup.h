// How the dims of a reduction lie in its operand, which decides its tree (rule N2 of the numerics
// contract): a group that holds the last axis is an inner one, any other an outer one.
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace dlm::pin {

/// Whether the (increasing) dims hold the last of `rank` axes.
inline bool isInner(llvm::ArrayRef<int64_t> dims, int64_t rank) {
  return !dims.empty() && dims.back() == rank - 1;
}

/// How many of the dims are the trailing axes without a gap.
inline size_t trailingCount(llvm::ArrayRef<int64_t> dims, int64_t rank) {
  size_t count = 0;
  while (count < dims.size() && dims[dims.size() - 1 - count] == rank - 1 - int64_t(count))
    ++count;
  return count;
}

/// Whether the dims hold the last axis and others that do not join it.
inline bool isMixed(llvm::ArrayRef<int64_t> dims, int64_t rank) {
  return isInner(dims, rank) && trailingCount(dims, rank) < dims.size();
}

} // namespace dlm::pin

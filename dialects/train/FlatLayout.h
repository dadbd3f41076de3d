// Where each parameter lies in the flat buffers `params`, `grads` and `opt.*`. Parameters stand in
// the order of their layers; each segment begins at a multiple of 2,048 elements, the chunk of
// #dlm.tree, so that one sweep over the whole and a sweep over any shard give the same bits.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace dlm::train {

constexpr int64_t segmentAlignment = 2048;

struct FlatLayout {
  llvm::SmallVector<int64_t> offsets; // of each parameter, in elements
  int64_t size = 0;                   // of the whole, in elements; a multiple of the alignment
};

/// Lays out tensors of the given element counts. The flat tensor is never empty.
inline FlatLayout layOutFlat(llvm::ArrayRef<int64_t> counts) {
  FlatLayout layout;
  for (int64_t count : counts) {
    layout.offsets.push_back(layout.size);
    layout.size += (count + segmentAlignment - 1) / segmentAlignment * segmentAlignment;
  }
  if (layout.size == 0) layout.size = segmentAlignment;
  return layout;
}

} // namespace dlm::train

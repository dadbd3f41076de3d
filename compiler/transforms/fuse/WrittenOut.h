// Ops whose few operands for one result stand in a kernel's text one after another, so that the
// kernel is an element-wise one: sums of overlapping windows, and reductions of few elements that
// do not lie side by side.
#pragma once

#include "dialects/dlm/Dlm.h"

namespace dlm::fuse {

/// True if the op becomes such text.
bool isWrittenOut(mlir::Operation *op);

/// Sums of windows of many places become one of one place each, added up in their order: the same
/// chain, which the limits of a kernel's text cut into several kernels.
void splitLargeWindows(mlir::Block &block);

/// Calls `visit` with all indices below `sizes`, in row-major order.
void forEachIndex(llvm::ArrayRef<int64_t> sizes,
                  llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

} // namespace dlm::fuse

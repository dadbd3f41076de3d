// Spreads a long reduction over the workers.
#pragma once

#include <mlir/IR/Block.h>

namespace dlm::fuse {

/// Splits reductions of a whole long tensor, which would be one work item, into one row a chunk and
/// a reduction of the chunks. The bits are the same, because the tree of `pin` has that shape
/// already.
void splitLongReductions(mlir::Block &block);

} // namespace dlm::fuse

// What an element-wise op costs, read off its own scalar text.
#pragma once

#include <mlir/IR/Operation.h>

namespace dlm::fuse {

/// True if the op's text has no division, root or elementary function: a few instructions, cheaper
/// than writing the result to memory and reading it again.
bool isCheapScalar(mlir::Operation *op);

} // namespace dlm::fuse

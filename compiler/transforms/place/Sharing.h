// When an instruction may write over one of its own inputs.
#pragma once

#include <mlir/IR/Operation.h>

namespace dlm::place {

/// True if result `output` of a launch may lie exactly where operand `input` lies: the kernel reads
/// that input only at the index it stores to, so every element is read before it is overwritten.
/// A product never may.
bool mayShare(mlir::Operation *instruction, unsigned input, unsigned output);

} // namespace dlm::place

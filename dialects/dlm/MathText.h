// The elementary functions: one text for the interpreter and for every target (NUMERICS N4).
#pragma once

#include "mlir/IR/Operation.h"

namespace dlm {

/// A module of functions `@dlm_<name>_f32` in `arith` and `math.fma` (Math.mlir says how exact).
llvm::StringRef getMathText();

/// Replaces every `math` op below `root` that has a function in the text by that function's body:
/// exp log tanh erf sin cos powf on f32 scalars. Fails, with a diagnostic, on one of them with
/// another type. The dialects func, arith and math must be loaded.
mlir::LogicalResult expandElementaryFunctions(mlir::Operation *root);

} // namespace dlm

// The length of a gradient, over all parameters together, and the shortening of one that is too
// long (R. Pascanu, T. Mikolov, Y. Bengio: On the difficulty of training recurrent neural networks,
// 2013, section 3.2).
#pragma once

#include "mlir/IR/Builders.h"

namespace dlm::expand {

/// The square root of the sum of squares of a gradient, given as flat tensors: a scalar. Their sums
/// are added in the order given; there is at least one.
mlir::Value gradientNorm(mlir::OpBuilder &build, mlir::Location loc,
                         llvm::ArrayRef<mlir::Value> gradients);

/// A part of a gradient, multiplied by `limit / norm` if the norm of the whole is larger than
/// `limit`; else, also if the norm is NaN, with its own bits.
mlir::Value shortened(mlir::OpBuilder &build, mlir::Location loc, mlir::Value part,
                      mlir::Value norm, double limit);

} // namespace dlm::expand

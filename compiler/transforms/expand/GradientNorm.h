// The length of a gradient, over all parameters together, and the shortening of one that is too
// long (R. Pascanu, T. Mikolov, Y. Bengio: On the difficulty of training recurrent neural networks,
// 2013, section 3.2).
#pragma once

#include "mlir/IR/Builders.h"

namespace dlm::expand {

/// The square root of the sum of squares of a flat gradient: a scalar.
mlir::Value gradientNorm(mlir::OpBuilder &build, mlir::Location loc, mlir::Value gradient);

/// The gradient, multiplied by `limit / norm` if its norm is larger than `limit`; else, also if its
/// norm is NaN, with its own bits.
mlir::Value shortened(mlir::OpBuilder &build, mlir::Location loc, mlir::Value gradient,
                      double limit);

} // namespace dlm::expand

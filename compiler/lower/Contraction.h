// Products of tensors whose axes have letters, as matrix products side by side.
#pragma once

#include "mlir/IR/Builders.h"

#include <string>

namespace dlm::lower {

/// The product of two tensors by the text of a node `contract`: "abc,adc->abd" is for each a a
/// product of matrices that sums over c. What both sides and the result have numbers the products;
/// every other letter stands on two of the three. Null if one does not.
mlir::Value contract(mlir::OpBuilder &build, mlir::Location loc, const std::string &text,
                     mlir::Value lhs, mlir::Value rhs);

} // namespace dlm::lower

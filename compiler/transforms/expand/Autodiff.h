// Reverse-mode differentiation of ops in a line, with loops among them.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

namespace dlm::expand {

/// Builds, at the builder's insertion point, the gradient of the sum of `outputs` (f32 tensors of
/// the block the builder stands in, each seeded with ones) with respect to each of `inputs`, which
/// no op between may redefine. A null value says that no gradient reaches that input. Fails, with
/// an error at the op, where the gradient would pass an op that has none.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
buildGradients(mlir::OpBuilder &builder, mlir::ValueRange outputs, mlir::ValueRange inputs);

} // namespace dlm::expand

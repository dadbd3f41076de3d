// What an op can say about itself: its gradient, its scalar computation, its cost. Passes ask the
// op through these interfaces instead of switching over op kinds.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace dlm {

/// Bytes of all tensors among `values`; a bool counts as one byte. Values that are not tensors of
/// static shape count nothing.
int64_t tensorBytes(mlir::ValueRange values);

/// Number of elements of all tensors among `values`.
int64_t tensorElements(mlir::ValueRange values);

} // namespace dlm

#include "dialects/interfaces/OpInterfaces.h.inc"

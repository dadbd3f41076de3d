// What `data.map` makes of a sample, as `train.sample`: once for training, once for evaluation.
#pragma once

#include "compiler/lower/Places.h"
#include "compiler/sema/TypedProgram.h"

#include "mlir/IR/Builders.h"

namespace dlm::lower {

/// Appends a `train.sample` for training, one for evaluation and, if there is `fn predict`, one for
/// what that reads, if the data has maps: all of them, one after the other.
mlir::LogicalResult lowerSampleMaps(const sema::TypedProgram &program, mlir::OpBuilder &build,
                                    const Places &places);

} // namespace dlm::lower

// Which values depend on others in a way that has a derivative.
#pragma once

#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseSet.h"

namespace dlm::expand {

using ActiveValues = llvm::DenseSet<mlir::Value>;

/// Adds to `active` every result of the ops in [begin, end) from which a derivative with respect to
/// a value in it can differ from zero; of a loop also those within it.
void markActive(mlir::Block::iterator begin, mlir::Block::iterator end, ActiveValues &active);

} // namespace dlm::expand

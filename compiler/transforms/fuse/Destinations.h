// Brings a function into the form that grouping expects.
#pragma once

#include <mlir/Dialect/Func/IR/FuncOps.h>

namespace dlm::fuse {

/// Folds transposes into products, makes reductions run over leading or trailing dims, drops
/// identities and dead ops, and sees to it that every result of the function and every part of a
/// pack is a value of its own that some kernel or product can write directly into its place: where
/// it is not (an argument under another name, one value in two places) a copying op
/// (`dlm.stop_gradient`, an identity) is put between.
void prepareDestinations(mlir::func::FuncOp function);

} // namespace dlm::fuse

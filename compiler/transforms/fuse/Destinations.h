// Brings a block into the form that grouping expects.
#pragma once

#include <mlir/IR/Block.h>

namespace dlm::fuse {

/// Of the block of a program or the body of a loop: folds transposes into products, makes
/// reductions run over leading or trailing dims, drops identities and dead ops, and sees to it that
/// every result of the block, every part of a pack and every first value of a loop's state is a
/// value of its own that some kernel or product can write directly into its place: where it is not
/// (an argument under another name, one value in two places) a copying op (`dlm.stop_gradient`, an
/// identity) is put between.
void prepareDestinations(mlir::Block &block);

} // namespace dlm::fuse

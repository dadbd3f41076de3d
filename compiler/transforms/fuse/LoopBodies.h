// Brings loops into the form that the rest of the compiler has.
#pragma once

#include "dialects/dlm/Dlm.h"

namespace dlm::fuse {

/// Loops in a plan nest this deep; what stands in more of them is written out.
constexpr unsigned LoopDepthMax = 2;

/// A body that reads the number of its trip gets it as a slice of all numbers.
void giveTripNumbers(ScanOp loop);

/// Writes out all trips of the loops of a block, one after the other. What is a slice or an output
/// of a loop is then a segment of memory.
void unrollLoops(mlir::Block &block);

} // namespace dlm::fuse

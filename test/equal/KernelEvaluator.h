// A slow, obvious evaluator of kernel functions, written from the text of the dialect alone: every
// op is computed at every point, reductions are done on arrays. The oracle of the generated code.
#pragma once

#include "dialects/kernel/Kernel.h"

#include <cstdint>
#include <vector>

/// Raw bytes of a tensor, row-major.
using Buffer = std::vector<char>;

/// Runs a kernel whose bodies hold no elementary functions (see expandElementaryFunctions) on
/// buffers, inputs then outputs; `extent` stands for `?`.
void evaluateKernel(kernel::FuncOp func, int64_t extent, std::vector<Buffer *> buffers);

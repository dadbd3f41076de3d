// Random values as integer arithmetic.
#pragma once

#include "dialects/kernel/Kernel.h"

namespace kernel {

/// Replaces every `kernel.random` of a body by the arithmetic of Philox4x32-10 on scalars.
void expandRandom(FuncOp func);

} // namespace kernel

// What a kernel costs, roughly: enough for the executor to cut launches into chunks.
#pragma once

#include "dialects/kernel/Kernel.h"
#include "runtime/abi/Plan_generated.h"

namespace dlm {

/// Fills in costs and the list of written arguments.
void describeKernel(kernel::FuncOp function, plan::KernelT &kernel);

} // namespace dlm

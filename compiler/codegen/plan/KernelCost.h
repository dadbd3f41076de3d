// What a kernel costs, roughly: enough for the executor to cut launches into chunks, and the bytes
// by which a launch is measured.
#pragma once

#include "dialects/kernel/Kernel.h"
#include "runtime/abi/Plan_generated.h"

namespace dlm {

/// Fills in costs and the list of written arguments.
void describeKernel(kernel::FuncOp function, plan::KernelT &kernel);

/// Memory that a launch must move, however it is carried out.
struct LaunchBytes {
  uint64_t read = 0, written = 0;
};

/// The bytes of distinct elements that a launch reads and writes, argument by argument: a map
/// reaches the extents of the dims it names, and what two loads of a tensor both reach counts once.
/// Bool and u8 take one byte. Memory that the way of carrying it out needs besides (scratch, a
/// second read of an input) is not in it.
LaunchBytes launchBytes(kernel::FuncOp function, int64_t extent);

} // namespace dlm

// Where the variables of a kernel lie in the shared memory of its block.
#pragma once

#include "compiler/codegen/emulate/HostKernel.h"

namespace dlm::emulate {

/// Places every shared variable that the kernel uses and makes its uses addresses in the thread's
/// shared memory. Fails on shared memory whose size only the launch knows.
llvm::Error placeSharedMemory(HostKernel &kernel);

} // namespace dlm::emulate

// What only a GPU has, as instructions of the host and calls of the emulator.
#pragma once

#include "compiler/codegen/emulate/HostKernel.h"

namespace dlm::emulate {

/// Replaces special registers, barriers, shuffles, votes, traps, device arithmetic, and divisions
/// that would trap. Fails on any other intrinsic of a device, on one that touches memory, on calls
/// and on inline assembly.
llvm::Error replaceDeviceCode(HostKernel &kernel);

} // namespace dlm::emulate

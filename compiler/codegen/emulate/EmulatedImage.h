// Device code made to run on the CPU: the same optimised IR that the NVPTX back end takes, with
// what is special to a GPU replaced by calls of the emulator (runtime/abi/EmulatedKernel.h).
#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace dlm {

struct EmulationOptions {
  /// Announce every memory access to the emulator, which then checks bounds, initialisation, races
  /// and alignment.
  bool checked = false;
};

/// An object for this kind of machine; linked by `linkKernels`, it is an emulated image. Fails, by
/// name, on any intrinsic or inline assembly it does not know.
llvm::Expected<std::vector<char>> emitEmulatedObject(const llvm::Module &device,
                                                     const EmulationOptions &options);

} // namespace dlm

// What no LLVM module that leaves the compiler may hold.
#pragma once

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace dlm {

/// Calls through a pointer: emulated device code reaches the emulator by them.
enum class IndirectCalls { Forbidden, Allowed };

/// Fails if an instruction could be computed in more than one way (a fast-math flag,
/// `llvm.fmuladd`, a reduction intrinsic on floats) or needs code from outside (a call that is not
/// an intrinsic; memory intrinsics, which become calls).
llvm::Error verifyExit(const llvm::Module &module,
                       IndirectCalls indirectCalls = IndirectCalls::Forbidden);

/// The same for code that goes to a GPU or its emulator. It also calls only the intrinsics of a
/// list (ids, barrier, shuffles, arithmetic with one right result), reaches only global and shared
/// memory, and has no stack and no atomics.
llvm::Error verifyDeviceExit(const llvm::Module &module);

} // namespace dlm

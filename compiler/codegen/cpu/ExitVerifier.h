// What no LLVM module that leaves the compiler may hold.
#pragma once

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
}

namespace dlm {

/// Fails if an instruction could be computed in more than one way (a fast-math flag,
/// `llvm.fmuladd`, a reduction intrinsic on floats) or needs code from outside (a call that is not
/// an intrinsic; memory intrinsics, which become calls).
llvm::Error verifyExit(const llvm::Module &module);

} // namespace dlm

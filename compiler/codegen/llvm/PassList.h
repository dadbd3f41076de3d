// Runs a written-out list of LLVM passes: the back ends name each pass instead of taking a level
// that another LLVM may define otherwise.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace dlm {

/// `passes` is text as `opt -passes=` takes it; it must parse.
void runPassList(llvm::Module &module, llvm::TargetMachine &machine, llvm::StringRef passes);

} // namespace dlm

// One kind of pointer: the host has no address spaces.
#pragma once

#include "compiler/codegen/emulate/HostKernel.h"

namespace dlm::emulate {

/// Makes every pointer of the functions, and the variables they use, one of the host's.
/// Instructions keep their order. Fails on a variable whose initialiser holds addresses.
llvm::Error flattenMemory(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions);

} // namespace dlm::emulate

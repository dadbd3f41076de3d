// The table of an emulated image: the `DlmEmuImage` and all it points to, as constants.
#pragma once

#include "compiler/codegen/emulate/HostKernel.h"

#include <deque>

namespace dlm::emulate {

/// Adds the table to the module under `DlmEmuImageSymbol`, the only symbol that others see.
void writeImageTable(llvm::Module &module, std::deque<HostKernel> &kernels,
                     llvm::ArrayRef<Site> sites, bool isChecked);

} // namespace dlm::emulate

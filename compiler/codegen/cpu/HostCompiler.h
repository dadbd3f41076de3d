// An LLVM module made an object for a CPU of this machine's kind: kernels and emulated device code.
#pragma once

#include "compiler/codegen/cpu/CpuCodegen.h"
#include "compiler/codegen/llvm/ExitVerifier.h"

#include "llvm/Support/CodeGen.h"

namespace dlm {

/// Optimises the module with a short list of passes, verifies its exit, emits. Data layout and
/// triple of the module become the CPU's.
llvm::Expected<std::vector<char>>
compileForHost(llvm::Module &module, const CpuTarget &cpu, llvm::CodeGenFileType kind,
               IndirectCalls indirectCalls = IndirectCalls::Forbidden);

} // namespace dlm

// The end of a compilation for a GPU: from a placed module to device code in all its forms.
#pragma once

#include "compiler/codegen/plan/PlanEncoder.h"
#include "compiler/pipeline/Backend.h"

#include <llvm/Support/Error.h>

namespace dlm {

/// Fills in the plan and the images of `program`, or stops early with `text`.
Status finishForCuda(mlir::ModuleOp module, const BackendOptions &options, Phases &phases,
                     CompiledProgram &program, std::string &text);

/// Encodes the plan and has it judged by the runtime's own verifier.
Expected<std::vector<uint8_t>> makePlan(mlir::ModuleOp module, const PlanOrigin &origin);

/// Whether the processor's threads run some of the programs for themselves, whatever the target is.
bool hasThreadPrograms(mlir::ModuleOp module);

/// Kernels for the processor as a shared object, or as text in `text` if that is where to stop. Of
/// a program for a device only those that threads run for themselves.
Status makeKernels(mlir::ModuleOp module, const BackendOptions &options, const std::string &cpu,
                   std::vector<char> &kernels, std::string &text);

/// A failure that is the compiler's.
Status phaseError(llvm::Error error, const std::string &phase);

} // namespace dlm

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

/// A failure that is the compiler's.
Status phaseError(llvm::Error error, const std::string &phase);

} // namespace dlm

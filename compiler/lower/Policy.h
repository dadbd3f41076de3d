// The recipe of a run as an attribute: what the step driver is told, not what is computed.
#pragma once

#include "compiler/lower/Fitted.h"
#include "compiler/sema/TypedProgram.h"
#include "compiler/source/SourceManager.h"

#include "mlir/IR/BuiltinAttributes.h"

namespace dlm::lower {

/// Whether the loss of a batch is not a sum of what its samples contribute, each by itself.
bool isCoupled(const sema::Graph &loss);

/// The keys are listed in dialects/train/README.md. `loss_terms` and `metrics` are added when the
/// programs are instantiated.
mlir::DictionaryAttr policyOf(const sema::TypedProgram &program, mlir::MLIRContext &context,
                              const SourceManager &sources, int64_t micro, int64_t evalRows,
                              const FittedValues &fitted);

} // namespace dlm::lower

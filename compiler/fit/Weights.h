// What `weights` reads, and `trained` of the latest checkpoint of a run: the tensors of files that
// parameters and buffers start from.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/lower/Fitted.h"
#include "compiler/sema/TypedProgram.h"
#include "runtime/base/Status.h"

namespace dlm::fit {

/// Reads them into `values`, as what a run begins with. What is wrong with a file is in
/// `diagnostics`, and the status then InvalidArgument with an empty message.
Status readWeights(const sema::TypedProgram &program, DiagnosticEngine &diagnostics,
                   lower::FittedValues &values);

} // namespace dlm::fit

// The phase `fit`: what `data.fit` computes from the training samples, before the program is
// lowered. This is the one place where the compiler reads samples.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/lower/Fitted.h"
#include "compiler/sema/TypedProgram.h"
#include "compiler/source/SourceManager.h"
#include "runtime/base/Status.h"

namespace dlm::fit {

/// Whether anything of the program starts with what `data.fit` computes.
bool hasFits(const sema::TypedProgram &program);

/// Computes all of it. What is wrong with the data, or with what it gives, is in `diagnostics`, and
/// the status then InvalidArgument with an empty message.
Expected<lower::FittedValues> fitValues(const sema::TypedProgram &program,
                                        const SourceManager &sources,
                                        DiagnosticEngine &diagnostics);

} // namespace dlm::fit

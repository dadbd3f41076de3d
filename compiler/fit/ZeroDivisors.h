// Statistics that are 0 and are divided by: the deviation of a column that is the same everywhere.
// What comes of it is not finite, in every sample.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/fit/FitProgram.h"
#include "compiler/lower/Fitted.h"

#include <vector>

namespace dlm::fit {

/// Warns of each place of the program that divides by a fitted value as it is, if that has a 0.
/// `data`: what the fits looked at.
void warnOfZeroDivisors(const sema::TypedProgram &program, const std::vector<Fit> &fits,
                        const lower::FittedValues &values, const sema::DataSource &data,
                        DiagnosticEngine &diagnostics);

} // namespace dlm::fit

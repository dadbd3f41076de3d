// What the rules of an optimizer make of parameters and moments, in the programs `init` and
// `update`.
#pragma once

#include "compiler/transforms/expand/DeclaredState.h"
#include "compiler/transforms/expand/Program.h"

namespace dlm::expand {

/// The first values of parameters, each computed once, and of the moments, as contents of their
/// flat buffers.
std::vector<NamedResult> initialParameters(Program &program, DeclaredState &state);

/// The values of parameters and moments after an update, by its number, and what the rules report.
/// The gradient of all its parameters together is shortened to its `clip_norm`.
std::vector<NamedResult> updatedParameters(Program &program, DeclaredState &state, size_t update);

/// The buffers that are averages, after a step that gives `updated`.
std::vector<NamedResult> updatedAverages(Program &program, DeclaredState &state,
                                         llvm::ArrayRef<NamedResult> updated);

} // namespace dlm::expand

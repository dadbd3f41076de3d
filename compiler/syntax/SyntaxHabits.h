// What people write who come from other languages, as a table of token patterns.
#pragma once

#include "compiler/syntax/SyntaxErrors.h"

namespace dlm {

/// What takes the place of the word.
inline constexpr const char *noReturn =
    "there is no `return`: the last expression of a block is its value";

/// Reports the fault by the first pattern that fits the tokens around it; false if none does.
bool reportHabit(const SyntaxErrorSite &site, DiagnosticEngine &diagnostics);

} // namespace dlm

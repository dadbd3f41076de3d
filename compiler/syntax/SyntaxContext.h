// What stands around a syntax error.
#pragma once

#include "compiler/source/SourceManager.h"
#include "compiler/syntax/SyntaxErrors.h"

#include <antlr4-runtime.h>

namespace dlm {

/// Whether the function around a name has a `let` or a parameter of that name above it.
bool isNamedAbove(const SyntaxErrorSite &site, const SourceManager &sources,
                  const antlr4::Token &name);

/// What the brackets hold that a rule of the grammar is for.
const char *elementNoun(size_t rule);

} // namespace dlm

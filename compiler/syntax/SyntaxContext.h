// What stands around a syntax error.
#pragma once

#include "compiler/source/SourceManager.h"
#include "compiler/syntax/SyntaxErrors.h"

#include <antlr4-runtime.h>

namespace dlm {

/// Whether the function around a name has a `let` or a parameter of that name above it.
bool isNamedAbove(const SyntaxErrorSite &site, const SourceManager &sources,
                  const antlr4::Token &name);

/// Where a name gets a value that should be a field of the record which `fn metrics` or `fn
/// predict` gives: `fn metrics(batch) { accuracy = mean(x) }`. Adds how that is written; false if
/// elsewhere.
bool helpRecord(const SyntaxErrorSite &site, const SourceManager &sources,
                const antlr4::Token &name, DiagnosticBuilder &message);

/// What the brackets hold that a rule of the grammar is for.
const char *elementNoun(size_t rule);

} // namespace dlm

// The words for a syntax error: what the parser knows about it, told in the user's terms.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"

#include <antlr4-runtime.h>

namespace dlm {

struct SyntaxErrorSite {
  FileId file;
  antlr4::TokenStream &tokens;
  antlr4::Token *found; // the token that does not fit
  size_t rule;          // the grammar rule at work
  size_t statementRule; // the rule of the statement, setting, member or declaration around it
  antlr4::misc::IntervalSet expected; // empty if not known
  bool atStart;                       // no statement begins with `found`
};

/// What is underlined: the token that does not fit, or the place where a line or file ends.
Span syntaxErrorSpan(const SyntaxErrorSite &site);

void reportSyntaxError(const SyntaxErrorSite &site, DiagnosticEngine &diagnostics);

} // namespace dlm

// Characters that are no part of the language, and what their writer meant.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"

#include <cstddef>

namespace dlm {

/// How reading goes on behind characters that were reported: `token` (0: none) stands for all up to
/// `end`. If `isFault`, the parser stays silent about the token after them.
struct StrayRead {
  uint32_t end;
  size_t token = 0;
  bool isFault = true;
};

/// Reports the characters of `span`, which the lexer could make nothing of. `operandBefore` says
/// whether a value ends in front of them.
StrayRead reportStray(Span span, bool operandBefore, DiagnosticEngine &diagnostics);

} // namespace dlm

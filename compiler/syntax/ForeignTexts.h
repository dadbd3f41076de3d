// Comments and texts over several lines as other languages have them, the marks that a merge
// leaves, and the fences around a program in a text: read as one, so that their words are not taken
// for a program.
#pragma once

#include "compiler/syntax/StrayCharacters.h"

#include <optional>

namespace dlm {

/// Reports a comment `/* ... */`, a text in three quotes, a line `<<<<<<< ...` or a fence of
/// Markdown that begins with the token `first`; nothing if none does.
std::optional<StrayRead> reportForeignText(Span first, DiagnosticEngine &diagnostics);

} // namespace dlm

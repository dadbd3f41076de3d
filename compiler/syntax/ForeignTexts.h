// Comments and texts over several lines as other languages have them, and the marks that a merge
// leaves: read as one, so that their words are not taken for a program.
#pragma once

#include "compiler/syntax/StrayCharacters.h"

#include <optional>

namespace dlm {

/// Reports a comment `/* ... */`, a text in three quotes or a line `<<<<<<< ...` that begins with
/// the token `first`; nothing if none does.
std::optional<StrayRead> reportForeignText(Span first, DiagnosticEngine &diagnostics);

} // namespace dlm

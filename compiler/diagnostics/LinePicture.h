// Draws one source line with what is underlined in it; part of the text renderer.
#pragma once

#include "compiler/diagnostics/Diagnostic.h"
#include "compiler/source/SourceManager.h"

#include <string>
#include <vector>

namespace dlm {

/// The line's text (tabs as four spaces, very long lines cut) and the rows that go under it. All
/// labels begin in this line. No row ends in a space.
std::vector<std::string> drawLine(const SourceManager &sources, FileId file, uint32_t line,
                                  const std::vector<Label> &labels);

/// The line in which `span` begins as it would read after the edit, the changed part underlined
/// with `~`.
std::vector<std::string> drawEdit(const SourceManager &sources, Span span,
                                  const std::string &replacement);

} // namespace dlm

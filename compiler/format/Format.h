// `dlmc fmt`: the one way to lay out a program.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"

#include <optional>
#include <string>

namespace dlm {

/// The text of a file, formatted; nothing if it does not parse, which is then reported. The result
/// parses to the same tree and has the same comments (this is checked: anything else would be
/// reported as an internal error), and formatting it again changes nothing.
std::optional<std::string> formatText(const SourceManager &sources, FileId file,
                                      DiagnosticEngine &diagnostics);

} // namespace dlm

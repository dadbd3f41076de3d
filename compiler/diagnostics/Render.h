// How diagnostics look: as text for people, and as one JSON object a line for editors.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"

#include <string>

namespace dlm {

/// After this many errors the text stops and says how many are left.
constexpr unsigned errorsShownMax = 20;

/// All diagnostics with their source lines, underlines and proposed edits; empty if there are none.
std::string renderText(const DiagnosticEngine &diagnostics);

/// One JSON object a line with the same content; lines and columns count from one.
std::string renderJson(const DiagnosticEngine &diagnostics);

} // namespace dlm

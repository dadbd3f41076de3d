// How diagnostics look: as text for people, and as one JSON object a line for editors.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"

#include <string>

namespace dlm {

/// How much is shown, and for whom.
struct RenderOptions {
  /// After this many errors the text stops, and of warnings no more are shown; it ends with how
  /// many are left.
  unsigned errorsMax = 20;
  /// Colours for a terminal.
  bool isColoured = false;
};

/// All diagnostics with their source lines, underlines and proposed edits; empty if there are none.
std::string renderText(const DiagnosticEngine &diagnostics, const RenderOptions &options = {});

/// One JSON object a line with the same content, and all of them; README.md lists the fields.
std::string renderJson(const DiagnosticEngine &diagnostics);

} // namespace dlm

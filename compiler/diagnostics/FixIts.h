// The edits that may be applied without a person looking, and how.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"

#include <string>
#include <string_view>
#include <vector>

namespace dlm {

struct FixIt {
  Kind kind; // of the message that proposed it
  Span span;
  std::string replacement;
};

/// The exact edits proposed for a file, by place. Of two that overlap the first one stays, the
/// other may be proposed again for the edited text.
std::vector<FixIt> exactFixIts(const DiagnosticEngine &diagnostics, FileId file);

/// The text after the edits, which are sorted and do not overlap.
std::string applyFixIts(std::string_view text, const std::vector<FixIt> &fixIts);

} // namespace dlm
